// SPDX-License-Identifier: GPL-2.0
/*
 * Packing a call into the words of a record, and back. The layout is drawn in kfi_rec.h.
 */
#include "kfi_event.h"
#include "kfi_rec.h"

#define LOCAL_MASK	((1u << KFI_REC_LOCAL_BITS) - 1)

#define EXT_TIME_WORDS	6
#define EXT_FAR_WORDS	4
#define EXT_AWAY_WORDS	4

static __always_inline u32 rec_ext(const struct kfi_rec *r, u64 text, u64 base)
{
	u64 rel = r->exit - base;
	u32 ext = 0;

	if (unlikely((u64)(s64)(s32)rel != rel || (r->exit - r->entry) >> 32 ||
		     r->local >> KFI_REC_LOCAL_BITS))
		ext |= KFI_EXT_TIME;
	if (unlikely(kfi_rec_is_far((unsigned long)(r->func - text)) ||
		     kfi_rec_is_far((unsigned long)(r->site - text))))
		ext |= KFI_EXT_FAR;
	if (r->off | r->irq)
		ext |= KFI_EXT_AWAY;
	return ext;
}

static unsigned int ext_words(u32 ext)
{
	return KFI_REC_WORDS + 1 + (ext & KFI_EXT_TIME ? EXT_TIME_WORDS : 0) +
	       (ext & KFI_EXT_FAR ? EXT_FAR_WORDS : 0) +
	       (ext & KFI_EXT_AWAY ? EXT_AWAY_WORDS : 0);
}

unsigned int kfi_rec_words(const struct kfi_rec *r, u64 text, u64 base)
{
	u32 ext = rec_ext(r, text, base);

	return likely(!ext) ? KFI_REC_WORDS : ext_words(ext);
}

static u32 *put64(u32 *w, u64 v)
{
	w[0] = (u32)v;
	w[1] = (u32)(v >> 32);
	return w + 2;
}

static const u32 *get64(const u32 *w, u64 *v)
{
	*v = w[0] | (u64)w[1] << 32;
	return w + 2;
}

static void encode_ext(u32 *w, u32 ext, const struct kfi_rec *r)
{
	*w++ = ext;
	if (ext & KFI_EXT_TIME) {
		w = put64(w, r->exit);
		w = put64(w, r->exit - r->entry);
		w = put64(w, r->local);
	}
	if (ext & KFI_EXT_FAR) {
		w = put64(w, r->func);
		w = put64(w, r->site);
	}
	if (ext & KFI_EXT_AWAY) {
		w = put64(w, r->off);
		put64(w, r->irq);
	}
}

void kfi_rec_encode(u32 *w, unsigned int words, const struct kfi_rec *r, u64 text, u64 base)
{
	u32 local = (u32)r->local;

	w[1] = (u32)(r->func - text);
	w[2] = (u32)(r->site - text);
	w[3] = (u32)(r->exit - base);
	w[4] = (u32)(r->exit - r->entry);
	/* Who writes an open call of a task that has died is on any cpu. */
	if (unlikely(r->marks & KFI_MARK_OPEN))
		local = r->cpu;
	w[5] = (local & LOCAL_MASK) | (u32)r->depth << KFI_REC_LOCAL_BITS;
	if (unlikely(words != KFI_REC_WORDS))
		encode_ext(w + KFI_REC_WORDS, rec_ext(r, text, base), r);
	kfi_rec_commit(w, kfi_rec_head(words, r->pid, r->ctx, r->marks));
}

/* The address that lies @rel beside @text, in the width of the kernel that wrote it. */
static u64 near_addr(u64 text, u32 rel)
{
	return (unsigned long)(text + (u64)(s64)(s32)rel);
}

/* What a list of calls needs to know of an event. */
static unsigned int decode_event(const u32 *w, unsigned int words, struct kfi_rec *r)
{
	struct kfi_event e = { .cpu = r->cpu };

	if (!kfi_event_decode(w, &e))
		return 0;
	*r = (struct kfi_rec) {
		.func = e.func, .site = e.site, .entry = e.time, .exit = e.time, .pid = e.pid,
		.cpu = e.cpu, .depth = e.depth, .ctx = e.ctx, .event = e.kind,
		.marks = (e.kind == KFI_EVENT_STACK ? KFI_MARK_STACK : 0) |
			 (e.time ? 0 : KFI_MARK_NOTIME),
	};
	return words;
}

unsigned int kfi_rec_decode(const u32 *w, unsigned int room, struct kfi_rec *r, u64 text, u64 base)
{
	/* Pairs with the release in kfi_rec_commit(). */
	u32 w0 = room >= KFI_REC_WORDS ? smp_load_acquire(w) : 0;
	unsigned int words = kfi_rec_count(w0);
	u32 ext = 0;
	u64 dur;

	if (words < KFI_REC_WORDS || words > room)
		return 0;
	if (words > KFI_REC_WORDS) {
		ext = w[KFI_REC_WORDS];
		if (ext & KFI_EXT_EVENT)
			return decode_event(w, words, r);
		if (words != ext_words(ext))
			return 0;
	}
	r->pid = kfi_rec_pid(w0);
	r->ctx = kfi_rec_ctx(w0);
	r->marks = w0 >> KFI_W0_MARK_SHIFT & KFI_MARK_CALL;
	r->event = KFI_EVENT_NONE;
	r->func = near_addr(text, w[1]);
	r->site = near_addr(text, w[2]);
	r->exit = base + (u64)(s64)(s32)w[3];
	dur = w[4];
	r->local = w[5] & LOCAL_MASK;
	r->depth = (u16)(w[5] >> KFI_REC_LOCAL_BITS);
	if (r->marks & KFI_MARK_OPEN) {
		r->cpu = (u16)r->local;
		r->local = 0;
	}
	r->off = 0;
	r->irq = 0;
	r->under = false;
	w += KFI_REC_WORDS + 1;
	if (ext & KFI_EXT_TIME) {
		w = get64(w, &r->exit);
		w = get64(w, &dur);
		w = get64(w, &r->local);
	}
	if (ext & KFI_EXT_FAR) {
		w = get64(w, &r->func);
		w = get64(w, &r->site);
	}
	if (ext & KFI_EXT_AWAY) {
		w = get64(w, &r->off);
		get64(w, &r->irq);
	}
	r->entry = r->exit - dur;
	return words;
}
