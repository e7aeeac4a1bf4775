// SPDX-License-Identifier: GPL-2.0
/*
 * Marks and rows of watches: their kinds, and packing them into the words of a record. The layout
 * is drawn in core/event.h.
 */
#include "core/event.h"
#include "core/rec.h"

#define KIND_SHIFT	8
#define LEN_SHIFT	16
#define BYTE		0xffu

const struct kfi_event_row kfi_event_kinds[KFI_EVENTS] = {
	[KFI_EVENT_SWITCH]	= { "switch", "vt" },
	[KFI_EVENT_INITCALL]	= { "initcall", "fv" },
	[KFI_EVENT_LEVEL]	= { "level", "t" },
	[KFI_EVENT_SYSCALL]	= { "syscall", "vt" },
	[KFI_EVENT_SYSRET]	= { "sysret", "v" },
	[KFI_EVENT_MARK]	= { "mark", "t" },
};

static bool has_funcs(const struct kfi_event *e)
{
	return e->func | e->site;
}

static unsigned int words_for(bool funcs, u32 len)
{
	return KFI_REC_WORDS + 1 + (funcs ? 4 : 0) + (len + 3) / 4;
}

unsigned int kfi_event_words(const struct kfi_event *e)
{
	return words_for(has_funcs(e), e->len);
}

static void put64(u32 *w, u64 v)
{
	w[0] = (u32)v;
	w[1] = (u32)(v >> 32);
}

static u64 get64(const u32 *w)
{
	return w[0] | (u64)w[1] << 32;
}

void kfi_event_encode(u32 *w, unsigned int words, const struct kfi_event *e)
{
	bool funcs = has_funcs(e);
	u32 *at = w + KFI_REC_WORDS;

	put64(w + 1, e->time);
	put64(w + 3, (u64)e->value);
	w[5] = e->depth;
	*at++ = KFI_EXT_EVENT | (funcs ? KFI_EXT_FAR : 0) | (u32)e->kind << KIND_SHIFT |
		e->len << LEN_SHIFT;
	if (funcs) {
		put64(at, e->func);
		put64(at + 2, e->site);
		at += 4;
	}
	if (e->len)
		memcpy(at, e->text, e->len);
	kfi_rec_commit(w, kfi_rec_head(words, e->pid, e->ctx, 0));
}

bool kfi_event_decode(const u32 *w, struct kfi_event *e)
{
	u32 ext = w[KFI_REC_WORDS], len = ext >> LEN_SHIFT & BYTE;
	bool funcs = ext & KFI_EXT_FAR;

	if (!(ext & KFI_EXT_EVENT) || len > KFI_EVENT_TEXT_MAX ||
	    kfi_rec_form(w[0]) != words_for(funcs, len))
		return false;
	e->kind = ext >> KIND_SHIFT & BYTE;
	if (e->kind == KFI_EVENT_NONE || e->kind >= KFI_EVENTS)
		return false;
	e->pid = kfi_rec_pid(w[0]);
	e->ctx = kfi_rec_ctx(w[0]);
	e->time = get64(w + 1);
	e->value = (s64)get64(w + 3);
	e->depth = (u16)w[5];
	w += KFI_REC_WORDS + 1;
	e->func = funcs ? get64(w) : 0;
	e->site = funcs ? get64(w + 2) : 0;
	e->text = (const char *)(w + (funcs ? 4 : 0));
	e->len = len;
	return true;
}
