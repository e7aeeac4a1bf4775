/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A raw log that came over a console as lines (core/serial.h, Documentation/format-serial.rst):
 * lines are found among other text, checked and kept; when all are there, or no more come, the raw
 * log is made of them. Missing lines are known by their numbers. Used by log_raw.c and kfi-capture.
 */
#ifndef KFI_LINES_H
#define KFI_LINES_H

#include "core/serial.h"
#include "err.h"

/* Bytes of a line and of the text of others in it. */
#define KFI_LINES_SPAN_MAX	8192

/**
 * struct kfi_lines_sent - the lines of one transmission
 * @id: its id
 * @n: the highest number so far, plus 1
 * @room: numbers for which there is room
 * @have: how many have come
 * @ended: the last one has come: @n is the number of all
 * @at: place of each in @bytes of struct kfi_lines, plus 1; 0: it has not come
 */
struct kfi_lines_sent {
	u32 id;
	u32 n;
	u32 room;
	u32 have;
	bool ended;
	u32 *at;
};

/**
 * struct kfi_lines - all lines that have come
 * @sent: the transmissions, in order of their first lines
 * @nsent: how many
 * @room: for how many there is room
 * @other: called with text that is no line, damaged ones included; or NULL
 * @line: called with the digits of each line, in two pieces; or NULL
 * @arg: their first argument
 * @ended: a line has ended: the newline that follows is its own
 * @looked: bytes of what the last call did not take that were searched for the end of a line
 * @bars: ends that were tried there
 * @damaged: what began as a line, and was none
 * @differing: lines that had come before, but with other items: another log has the same id
 * @excess: lines of more transmissions than there is room for
 * @bytes: items of the lines: length, 2 bytes, and items
 * @len: bytes of that
 * @size: bytes for which there is room
 */
struct kfi_lines {
	struct kfi_lines_sent *sent;
	u32 nsent;
	u32 room;
	void (*other)(void *arg, const char *s, size_t len);
	void (*line)(void *arg, const char *a, size_t alen, const char *b, size_t blen);
	void *arg;
	bool ended;
	u32 looked;
	u32 bars;
	u64 damaged;
	u64 differing;
	u64 excess;
	u8 *bytes;
	u32 len;
	u32 size;
};

/**
 * kfi_lines_feed() - look for lines in what a console shows
 * @l: the lines; all 0, or as the last call left them
 * @s: the text; or what the last call did not take, and more
 * @len: bytes of it
 * @more: more may follow
 *
 * Return: bytes that were taken; all, unless @more; -ENOMEM.
 */
ssize_t kfi_lines_feed(struct kfi_lines *l, const char *s, size_t len, bool more);

/**
 * kfi_lines_possible() - check whether a line of text may have lines, or a piece of one
 * @s: the text
 * @len: bytes of it
 *
 * Return: true if so.
 */
bool kfi_lines_possible(const char *s, size_t len);

/**
 * kfi_lines_missing() - the next lines that have not come
 * @sent: a transmission
 * @from: where to look from; set to the first one that is missing
 * @to: set to the last one of these; that of the end, if it has not come: U32_MAX
 *
 * Return: false: none is missing from there on.
 */
bool kfi_lines_missing(const struct kfi_lines_sent *sent, u32 *from, u32 *to);

/**
 * kfi_lines_raw() - make the raw log
 * @l: the lines; each transmission must have line 0
 * @name: as messages name the console log
 * @raw: set to the raw logs of all transmissions, one behind the other; free() must follow
 * @len: set to bytes of it
 * @fault: set to the lines that are missing or left out, at most @size bytes; empty: none
 * @size: bytes of @fault
 * @err: set to the reason of a failure
 *
 * Return: 0, also when lines are missing: the calls of all others are there then; -EBADMSG: nothing
 * can be made of it; -ENOMEM.
 */
int kfi_lines_raw(struct kfi_lines *l, const char *name, u8 **raw, size_t *len, char *fault,
		  size_t size, struct kfi_err *err);

/**
 * kfi_lines_rows() - how far is a transmission that has not ended
 * @l: the lines
 * @sent: one of their transmissions
 * @rows: set to the rows of the log that have come
 * @all: set to all that it has, by its header
 *
 * Return: false: that is not known, or there is no memory.
 */
bool kfi_lines_rows(struct kfi_lines *l, const struct kfi_lines_sent *sent, u64 *rows, u64 *all);

/**
 * kfi_lines_free() - free the memory
 * @l: the lines; may be freed twice
 */
void kfi_lines_free(struct kfi_lines *l);

#endif /* KFI_LINES_H */
