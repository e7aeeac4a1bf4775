/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is no call, as it lies in a chunk of the ring buffer: a mark, or a row of a watch.
 *
 * It is a record as calls are, 32-bit words of which the first is stored last, and is told from a
 * call by word 6:
 *
 *	word 0	as in core/rec.h
 *	word 1	time, low half		word 2	high half
 *	word 3	value, low half		word 4	high half
 *	word 5	depth
 *	word 6	[7:0] KFI_EXT_EVENT, KFI_EXT_FAR  [15:8] kind  [23:16] bytes of text
 *	then	with KFI_EXT_FAR function and call site, two words each, low half first
 *	then	the text, as many words as it needs
 */
#ifndef KFI_EVENT_H
#define KFI_EVENT_H

#include "kfi_abi.h"
#include "core/port.h"

/**
 * struct kfi_event - a mark or a row of a watch
 * @time: raw clock count; 0: no clock ran
 * @value: what the kind says it is
 * @func: address of a function, or 0
 * @site: address of a call site, or 0
 * @text: bytes, with no NUL behind them; when read from the ring they lie there
 * @len: how many, 0..KFI_EVENT_TEXT_MAX
 * @pid: the current task
 * @cpu: where it was; not looked at when written
 * @depth: of the call, for a row of a watch, up to 65535
 * @ctx: enum kfi_ctx
 * @kind: enum kfi_event_kind
 */
struct kfi_event {
	u64 time;
	s64 value;
	u64 func;
	u64 site;
	const char *text;
	u32 len;
	u32 pid;
	u16 cpu;
	u16 depth;
	u8 ctx;
	u8 kind;
};

/**
 * struct kfi_event_row - what a kind of event is called, and what stands behind it in the log
 * @word: its word; NULL: it is no mark
 * @args: a letter for each argument: ``f`` function, ``v`` value, ``t`` text if there is any
 */
struct kfi_event_row {
	const char *word;
	const char *args;
};

/* By enum kfi_event_kind. */
extern const struct kfi_event_row kfi_event_kinds[KFI_EVENTS];

/**
 * kfi_event_words() - How many words will this event take?
 * @e: the event
 *
 * Context: any.
 * Return: words, at most KFI_REC_WORDS_MAX.
 */
unsigned int kfi_event_words(const struct kfi_event *e);

/**
 * kfi_event_encode() - Write an event, its first word last and with release.
 * @w: where; @words words reserved for it, all 0
 * @words: what kfi_event_words() said
 * @e: the event
 *
 * Context: any. Pairs with kfi_rec_decode().
 */
void kfi_event_encode(u32 *w, unsigned int words, const struct kfi_event *e);

/**
 * kfi_event_decode() - Read an event.
 * @w: its first word, which has been read with acquire and counts all its words
 * @e: where to put it; @e->cpu is left alone, @e->text points into @w
 *
 * Context: any.
 * Return: false if what is there is no event.
 */
bool kfi_event_decode(const u32 *w, struct kfi_event *e);

#endif /* KFI_EVENT_H */
