// SPDX-License-Identifier: GPL-2.0
/* Decodes a record of a raw log: see raw_rec.h, and format-raw.rst for the layout. */
#include "raw_rec.h"

#define LOCAL_MASK	((1u << KFI_REC_LOCAL_BITS) - 1)

#define get32	kfi_raw_get32
#define pair	kfi_raw_pair

/* Decode a mark or a watch row: word 6 is @ext. */
static int decode_event(const struct kfi_raw *r, u64 at, u32 words, u32 ext, struct kfi_raw_call *c)
{
	u32 w0 = get32(r, at), len = ext >> KFI_EVENT_LEN_SHIFT & KFI_EVENT_BYTE;
	u32 nfuncs = get32(r, at + 20) >> KFI_EVENT_FUNCS_SHIFT & KFI_EVENT_BYTE;
	u64 more = at + 4 * (KFI_REC_WORDS + 1);

	if (words != KFI_REC_WORDS + 1 + KFI_EXT_WORDS(ext & KFI_EXT_FAR) + (len + 3) / 4 ||
	    (ext & KFI_EVENT_BYTE & ~(KFI_EXT_EVENT | KFI_EXT_FAR)))
		return -1;
	*c = (struct kfi_raw_call){
		.entry = pair(r, at + 4), .value = (s64)pair(r, at + 12),
		.event = ext >> KFI_EVENT_KIND_SHIFT & KFI_EVENT_BYTE,
		.depth = get32(r, at + 20) & 0xffff, .pid = w0 >> KFI_W0_PID_SHIFT,
		.ctx = w0 >> KFI_W0_CTX_SHIFT & 3, .text_len = len, .nfuncs = nfuncs,
		.hidden = get32(r, at + 20) & KFI_EVENT_HIDDEN,
	};
	if (c->event == KFI_EVENT_STACK)
		c->marks = KFI_MARK_STACK;
	if (!c->entry)
		c->marks |= KFI_MARK_NOTIME;
	if (ext & KFI_EXT_FAR) {
		c->func = pair(r, more);
		c->site = pair(r, more + 8);
		more += 16;
	}
	c->text = more;
	/* Later versions may have other kinds of events, with other contents. */
	if (c->event < KFI_EVENTS && nfuncs &&
	    (nfuncs > KFI_EVENT_FUNCS_MAX || (len != 4 * nfuncs && len != 8 * nfuncs)))
		return -1;
	if (c->event == KFI_EVENT_ARGS && (nfuncs || len % sizeof(u64)))
		return -1;
	return c->event == KFI_EVENT_NONE ? -1 : (int)words;
}

int kfi_raw_decode(const struct kfi_raw *r, u64 at, u32 room, u64 base, struct kfi_raw_call *c)
{
	u32 w0 = get32(r, at), form = w0 & KFI_W0_FORM, ext = 0, want = KFI_REC_WORDS;
	u32 words = kfi_rec_count(w0);
	u64 exit, more = at + 4 * (KFI_REC_WORDS + 1);

	if (!w0)
		return 0;
	if (!words || words > room)
		return -1;
	if (kfi_rec_is_packed(form)) {
		kfi_raw_decode_packed(r->data + at, r->swap, r->base, w0, base, c);
		return (int)words;
	}
	if (form == KFI_REC_AWAY) {
		want = words;
	} else if (words > KFI_REC_WORDS) {
		ext = get32(r, at + 4 * KFI_REC_WORDS);
		if (ext & KFI_EXT_EVENT)
			return decode_event(r, at, words, ext, c);
		want += 1 + KFI_EXT_WORDS(ext);
	}
	/* Words that only a later version knows stand behind the others. */
	if (ext & ~(KFI_EXT_TIME | KFI_EXT_FAR | KFI_EXT_AWAY | KFI_EXT_BELOW) ? words <= want :
									words != want)
		return -1;
	*c = (struct kfi_raw_call){
		.func = kfi_raw_near(r->base, get32(r, at + 4)),
		.site = kfi_raw_near(r->base, get32(r, at + 8)),
		.dur = get32(r, at + 16), .local = get32(r, at + 20) & LOCAL_MASK,
		.pid = w0 >> KFI_W0_PID_SHIFT, .ctx = w0 >> KFI_W0_CTX_SHIFT & 3,
		.marks = w0 >> KFI_W0_MARK_SHIFT & KFI_MARK_CALL,
		.depth = get32(r, at + 20) >> KFI_REC_LOCAL_BITS,
	};
	exit = base + (u64)(s64)(s32)get32(r, at + 12);
	if (form == KFI_REC_AWAY) {
		c->off = get32(r, at + 24);
		c->irq = get32(r, at + 28);
	}
	if (ext & KFI_EXT_TIME) {
		exit = pair(r, more);
		c->dur = pair(r, more + 8);
		c->local = pair(r, more + 16);
		more += 24;
	}
	if (ext & KFI_EXT_FAR) {
		c->func = pair(r, more);
		c->site = pair(r, more + 8);
		more += 16;
	}
	if (ext & KFI_EXT_AWAY) {
		c->off = pair(r, more);
		c->irq = pair(r, more + 8);
		more += 16;
	}
	if (ext & KFI_EXT_BELOW)
		c->below = get32(r, more);
	c->entry = exit - c->dur;
	if (c->marks & KFI_MARK_OPEN)
		c->cpu = get32(r, at + 20) & LOCAL_MASK;
	return words;
}

void kfi_raw_decode_open(const struct kfi_raw *r, u64 at, struct kfi_raw_call *c)
{
	*c = (struct kfi_raw_call){
		.func = kfi_raw_get64(r, at), .site = kfi_raw_get64(r, at + 8),
		.entry = kfi_raw_get64(r, at + 16), .pid = get32(r, at + 24),
		.cpu = kfi_raw_get16(r, at + 28),
		.depth = kfi_raw_get16(r, at + 30), .ctx = r->data[at + 32],
		.marks = (r->data[at + 33] & KFI_MARK_CALL) | KFI_MARK_OPEN,
	};
}
