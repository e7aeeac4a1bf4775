// SPDX-License-Identifier: GPL-2.0
/* One record of a raw log: see raw_rec.h, and formats.rst for the layout. */
#include "raw_rec.h"

/* Word 6 of a longer record: which parts follow it, and their words. */
#define EXT_TIME	0x1u
#define EXT_FAR		0x2u
#define EXT_AWAY	0x4u
#define EXT_EVENT	0x8u
#define COMMON_WORDS	6

#define get32	kfi_raw_get32
#define pair	kfi_raw_pair

/* A mark or a row of a watch: word 6 is @ext. */
static int decode_event(const struct kfi_raw *r, u64 at, u32 words, u32 ext, struct kfi_raw_call *c)
{
	u32 w0 = get32(r, at), len = ext >> 16 & 0xff;
	u64 more = at + 4 * (COMMON_WORDS + 1);

	if (words != COMMON_WORDS + 1 + (ext & EXT_FAR ? 4 : 0) + (len + 3) / 4 ||
	    (ext & 0xff & ~(EXT_EVENT | EXT_FAR)))
		return -1;
	*c = (struct kfi_raw_call){
		.entry = pair(r, at + 4), .value = (s64)pair(r, at + 12), .event = ext >> 8 & 0xff,
		.depth = get32(r, at + 20) & 0xffff, .pid = w0 >> 10, .ctx = w0 >> 5 & 3,
		.text_len = len,
	};
	if (c->event == KFI_EVENT_STACK)
		c->marks = KFI_MARK_STACK;
	if (!c->entry)
		c->marks |= KFI_MARK_NOTIME;
	if (ext & EXT_FAR) {
		c->func = pair(r, more);
		c->site = pair(r, more + 8);
		more += 16;
	}
	c->text = more;
	return c->event == KFI_EVENT_NONE ? -1 : (int)words;
}

int kfi_raw_decode(const struct kfi_raw *r, u64 at, u32 room, u64 base, struct kfi_raw_call *c)
{
	u32 w0 = get32(r, at), form = w0 & 0x1f, ext = 0, want = COMMON_WORDS;
	u32 words = form <= KFI_RAW_PACKED ? kfi_raw_words_of[form] : form;
	u64 exit, more = at + 4 * (COMMON_WORDS + 1);

	if (!w0)
		return 0;
	if (!words || words > room)
		return -1;
	if (form <= KFI_RAW_PACKED && form != KFI_RAW_AWAY) {
		kfi_raw_decode_packed(r->data + at, r->swap, r->base, w0, base, c);
		return (int)words;
	}
	if (form == KFI_RAW_AWAY) {
		want = words;
	} else if (words > COMMON_WORDS) {
		ext = get32(r, at + 4 * COMMON_WORDS);
		if (ext & EXT_EVENT)
			return decode_event(r, at, words, ext, c);
		want += 1 + (ext & EXT_TIME ? 6 : 0) + (ext & EXT_FAR ? 4 : 0) +
			(ext & EXT_AWAY ? 4 : 0);
	}
	/* Words of parts that a later version knows stand behind the others. */
	if (ext & ~(EXT_TIME | EXT_FAR | EXT_AWAY) ? words <= want : words != want)
		return -1;
	*c = (struct kfi_raw_call){
		.func = kfi_raw_near(r->base, get32(r, at + 4)),
		.site = kfi_raw_near(r->base, get32(r, at + 8)),
		.dur = get32(r, at + 16), .local = get32(r, at + 20) & 0x3fffff,
		.pid = w0 >> 10, .ctx = w0 >> 5 & 3, .marks = w0 >> 7 & KFI_MARK_CALL,
		.depth = get32(r, at + 20) >> 22,
	};
	exit = base + (u64)(s64)(s32)get32(r, at + 12);
	if (form == KFI_RAW_AWAY) {
		c->off = get32(r, at + 24);
		c->irq = get32(r, at + 28);
	}
	if (ext & EXT_TIME) {
		exit = pair(r, more);
		c->dur = pair(r, more + 8);
		c->local = pair(r, more + 16);
		more += 24;
	}
	if (ext & EXT_FAR) {
		c->func = pair(r, more);
		c->site = pair(r, more + 8);
		more += 16;
	}
	if (ext & EXT_AWAY) {
		c->off = pair(r, more);
		c->irq = pair(r, more + 8);
	}
	c->entry = exit - c->dur;
	if (c->marks & KFI_MARK_OPEN)
		c->cpu = get32(r, at + 20) & 0x3fffff;
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
