// SPDX-License-Identifier: GPL-2.0
/*
 * Packing calls and events into the words of a record, and back. kfi_abi.h draws the layout.
 */
#include "core/rec.h"

#define LOCAL_MASK	((1u << KFI_REC_LOCAL_BITS) - 1)

/* True if an address or a time has more bits than its field of a packed record. */
#define IS_FAR(rel)	((u64)(rel) >> KFI_PACKED_ADDR_BITS)
#define IS_LONG(time)	((u64)(time) >> KFI_PACKED_TIME_BITS)

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
	if (r->below)
		ext |= KFI_EXT_BELOW;
	return ext;
}

static unsigned int ext_words(u32 ext)
{
	return KFI_REC_WORDS + 1 + KFI_EXT_WORDS(ext);
}

/* Return the time that the calls below ran, raw counts. */
static u64 time_below(const struct kfi_rec *r)
{
	return r->exit - r->entry - r->off - r->irq - r->local;
}

/* Return the packed form that a call fits; 0: none. */
static unsigned int packed_form(const struct kfi_rec *r, u64 text, u64 base)
{
	u64 dur = r->exit - r->entry, rel = r->exit - base;

	if (IS_FAR(r->func - text) || IS_FAR(r->site - text) || r->depth > KFI_PACKED_DEPTH_MAX ||
	    r->marks || (u64)(s64)(s32)rel != rel || dur >> 32 || IS_LONG(r->local))
		return 0;
	if (!(r->off | r->irq))
		return IS_LONG(dur) ? 0 : KFI_REC_PACKED;
	if (!r->off)
		return IS_LONG(r->irq) ? 0 : KFI_REC_IRQ;
	if (!r->irq && !IS_LONG(time_below(r)))
		return KFI_REC_OFF;
	return IS_LONG(r->irq) || r->off >> 32 ? 0 : KFI_REC_BOTH;
}

unsigned int kfi_rec_choose(const struct kfi_rec *r, u64 text, u64 base)
{
	unsigned int form = packed_form(r, text, base);
	u32 ext;

	if (form)
		return form | (r->below ? KFI_W0_BELOW : 0);
	ext = rec_ext(r, text, base);
	if (!ext)
		return KFI_REC_WORDS;
	if (ext == KFI_EXT_AWAY && !((r->off | r->irq) >> 32))
		return KFI_REC_AWAY;
	return ext_words(ext);
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

/* Return the address @text + @rel, where @rel is signed, in the width of a long. */
static u64 near_addr(u64 text, u32 rel)
{
	return (unsigned long)(text + (u64)(s64)(s32)rel);
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
		w = put64(w, r->irq);
	}
	if (ext & KFI_EXT_BELOW)
		*w = r->below;
}

static u32 get_split(u32 w, u32 w2)
{
	return w >> KFI_PACKED_TIME_BITS | w2 >> KFI_PACKED_ADDR_BITS << KFI_PACKED_LOW_BITS;
}

static u32 low_bits(u32 w, u32 bits)
{
	return w & ((1u << bits) - 1);
}

static void encode_packed(u32 *w, unsigned int form, const struct kfi_rec *r, u64 text, u64 base)
{
	u32 dur = (u32)(r->exit - r->entry), local = (u32)r->local, split;

	if (form == KFI_REC_PACKED)
		split = local;
	else
		split = form == KFI_REC_OFF ? (u32)time_below(r) : (u32)r->irq;
	kfi_rec_put_packed(w, (u32)(r->func - text), (u32)(r->site - text),
			   split >> KFI_PACKED_LOW_BITS, r->depth, (u32)(r->exit - base),
			   form == KFI_REC_PACKED ? kfi_rec_beside(dur, split) : dur);
	if (r->below)
		w[kfi_rec_count(form)] = r->below;
	if (form == KFI_REC_PACKED)
		return;
	w[5] = kfi_rec_beside(local, split);
	if (form == KFI_REC_BOTH)
		w[6] = (u32)r->off;
}

void kfi_rec_encode(u32 *w, unsigned int form, const struct kfi_rec *r, u64 text, u64 base)
{
	u32 head = kfi_rec_head(form, r->pid, r->ctx, r->marks), local = (u32)r->local;

	if (kfi_rec_is_packed(kfi_rec_form(form))) {
		encode_packed(w, kfi_rec_form(form), r, text, base);
		kfi_rec_commit(w, head);
		return;
	}
	/*
	 * The open calls of a dead task are written on any cpu. So the cpu on which the call began
	 * takes the place of the self time, which an open call does not have.
	 */
	if (unlikely(r->marks & KFI_MARK_OPEN))
		local = r->cpu;
	kfi_rec_put_common(w, (u32)(r->func - text), (u32)(r->site - text), (u32)(r->exit - base),
			   (u32)(r->exit - r->entry), local & LOCAL_MASK, r->depth);
	if (form == KFI_REC_AWAY) {
		w[6] = (u32)r->off;
		w[7] = (u32)r->irq;
	} else if (unlikely(form != KFI_REC_WORDS)) {
		encode_ext(w + KFI_REC_WORDS, rec_ext(r, text, base), r);
	}
	kfi_rec_commit(w, head);
}

/* ---- events ---- */

const struct kfi_event_row kfi_event_kinds[KFI_EVENTS] = KFI_EVENT_ROWS;

static unsigned int event_words(bool funcs, u32 len)
{
	return KFI_REC_WORDS + 1 + (funcs ? KFI_EXT_WORDS(KFI_EXT_FAR) : 0) + (len + 3) / 4;
}

unsigned int kfi_event_words(const struct kfi_event *e)
{
	return event_words(e->func | e->site, e->len);
}

void kfi_event_encode(u32 *w, unsigned int words, const struct kfi_event *e)
{
	bool funcs = e->func | e->site;
	u32 *at = w + KFI_REC_WORDS;

	put64(w + 1, e->time);
	put64(w + 3, (u64)e->value);
	w[5] = e->depth | (u32)e->nfuncs << KFI_EVENT_FUNCS_SHIFT;
	*at++ = KFI_EXT_EVENT | (funcs ? KFI_EXT_FAR : 0) | (u32)e->kind << KFI_EVENT_KIND_SHIFT |
		e->len << KFI_EVENT_LEN_SHIFT;
	if (funcs) {
		at = put64(at, e->func);
		at = put64(at, e->site);
	}
	if (e->len)
		memcpy(at, e->text, e->len);
	kfi_rec_commit(w, kfi_rec_head(words, e->pid, e->ctx, 0));
}

void kfi_event_set_funcs(struct kfi_event *e, u32 *w, const unsigned long *funcs, u32 n, u64 text)
{
	bool far = false;
	u32 i;

	for (i = 0; i < n; i++)
		far |= kfi_rec_is_far(funcs[i] - (unsigned long)text);
	for (i = 0; i < n; i++) {
		if (far)
			put64(w + 2 * i, funcs[i]);
		else
			w[i] = (u32)(funcs[i] - text);
	}
	e->text = (const char *)w;
	e->len = n * (far ? 2 : 1) * (u32)sizeof(*w);
	e->nfuncs = (u8)n;
}

u64 kfi_event_func(const struct kfi_event *e, u32 i, u64 text)
{
	const u32 *w = (const u32 *)e->text;
	u64 func;

	if (e->len == e->nfuncs * sizeof(*w))
		return near_addr(text, w[i]);
	get64(w + 2 * i, &func);
	return func;
}

/* Return true if @nfuncs functions take @len bytes, or if @nfuncs is 0 and the event has a text. */
static bool is_text_of(u32 len, u32 nfuncs)
{
	if (!nfuncs)
		return true;
	return nfuncs <= KFI_EVENT_FUNCS_MAX &&
	       (len == nfuncs * sizeof(u32) || len == nfuncs * sizeof(u64));
}

bool kfi_event_decode(const u32 *w, struct kfi_event *e)
{
	u32 ext = w[KFI_REC_WORDS], len = ext >> KFI_EVENT_LEN_SHIFT & KFI_EVENT_BYTE;
	u32 nfuncs = w[5] >> KFI_EVENT_FUNCS_SHIFT & KFI_EVENT_BYTE;
	bool funcs = ext & KFI_EXT_FAR;
	u64 value;

	if (!(ext & KFI_EXT_EVENT) || len > KFI_EVENT_TEXT_MAX || !is_text_of(len, nfuncs) ||
	    kfi_rec_form(w[0]) != event_words(funcs, len))
		return false;
	e->kind = ext >> KFI_EVENT_KIND_SHIFT & KFI_EVENT_BYTE;
	if (e->kind == KFI_EVENT_NONE || e->kind >= KFI_EVENTS)
		return false;
	e->pid = kfi_rec_pid(w[0]);
	e->ctx = kfi_rec_ctx(w[0]);
	get64(w + 1, &e->time);
	get64(w + 3, &value);
	e->value = (s64)value;
	e->depth = (u16)w[5];
	e->nfuncs = (u8)nfuncs;
	w += KFI_REC_WORDS + 1;
	e->func = 0;
	e->site = 0;
	if (funcs) {
		w = get64(w, &e->func);
		w = get64(w, &e->site);
	}
	e->text = (const char *)w;
	e->len = len;
	return true;
}

/* ---- reading ---- */

/* Decode the members of an event that struct kfi_rec has. Return the words of the record, or 0. */
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

static void decode_packed(const u32 *w, unsigned int form, struct kfi_rec *r, u64 text)
{
	u32 split = get_split(w[form == KFI_REC_PACKED ? 4 : 5], w[2]);
	u64 dur = w[4];

	r->func = near_addr(text, low_bits(w[1], KFI_PACKED_ADDR_BITS));
	r->site = near_addr(text, low_bits(w[2], KFI_PACKED_ADDR_BITS));
	r->depth = (u16)(w[1] >> KFI_PACKED_ADDR_BITS);
	if (form == KFI_REC_PACKED) {
		dur = low_bits(w[4], KFI_PACKED_TIME_BITS);
		r->local = split;
	} else {
		r->local = low_bits(w[5], KFI_PACKED_TIME_BITS);
		if (form == KFI_REC_OFF)
			r->off = dur - r->local - split;
		else
			r->irq = split;
		if (form == KFI_REC_BOTH)
			r->off = w[6];
	}
	r->entry = r->exit - dur;
}

unsigned int kfi_rec_decode(const u32 *w, unsigned int room, struct kfi_rec *r, u64 text, u64 base)
{
	/* Pairs with the release in kfi_rec_commit(). */
	u32 w0 = room ? smp_load_acquire(w) : 0;
	unsigned int form = kfi_rec_form(w0), words = kfi_rec_count(w0);
	u32 ext = 0;
	u64 dur;

	if (!words || words > room)
		return 0;
	if (form > KFI_REC_WORDS) {
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
	r->exit = base + (u64)(s64)(s32)w[3];
	r->off = 0;
	r->irq = 0;
	r->below = 0;
	r->under = false;
	r->between = false;
	if (kfi_rec_is_packed(form)) {
		r->marks = 0;
		decode_packed(w, form, r, text);
		if (w0 & KFI_W0_BELOW)
			r->below = w[words - 1];
		return words;
	}
	r->func = near_addr(text, w[1]);
	r->site = near_addr(text, w[2]);
	dur = w[4];
	r->local = w[5] & LOCAL_MASK;
	r->depth = (u16)(w[5] >> KFI_REC_LOCAL_BITS);
	if (r->marks & KFI_MARK_OPEN) {
		r->cpu = (u16)r->local;
		r->local = 0;
	}
	if (form == KFI_REC_AWAY) {
		r->off = w[6];
		r->irq = w[7];
	}
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
		w = get64(w, &r->irq);
	}
	if (ext & KFI_EXT_BELOW)
		r->below = *w;
	r->entry = r->exit - dur;
	return words;
}

/* ---- showing ---- */

static void move_addr(u32 *w, const struct kfi_move *m)
{
	u64 addr;

	get64(w, &addr);
	put64(w, kfi_move_addr(m, addr));
}

/* An address relative to the text base, in the lowest @bits: the text base itself is moved. */
static void hide_near(u32 *w, u32 bits, const struct kfi_move *m)
{
	u32 mask = U32_MAX >> (32 - bits);
	u64 addr = kfi_hide_addr(m, near_addr(m->text, *w & mask));

	*w = (*w & ~mask) | ((u32)(addr - m->text) & mask);
}

/* The functions that an event has in place of a text. */
static void move_funcs(const struct kfi_event *e, u32 *w, const struct kfi_move *m)
{
	u32 i;

	for (i = 0; i < e->nfuncs; i++) {
		if (e->len == e->nfuncs * sizeof(u64))
			move_addr(w + 2 * i, m);
		else
			hide_near(w + i, 32, m);
	}
}

/* Values that were recorded may be addresses. @text: the words in place of a text */
static void hide_values(const struct kfi_event *e, u32 *w, u32 *text)
{
	if (e->kind != KFI_EVENT_ARGS && e->kind != KFI_EVENT_RET)
		return;
	put64(w + 3, 0);
	w[5] |= KFI_EVENT_HIDDEN;
	memset(text, 0, e->len);
}

void kfi_rec_move(u32 *w, const struct kfi_move *m)
{
	u32 form = kfi_rec_form(w[0]), *at = w + KFI_REC_WORDS + 1, ext, bits;
	struct kfi_event e = { .kind = KFI_EVENT_NONE };

	ext = form > KFI_REC_WORDS ? w[KFI_REC_WORDS] : 0;
	if (ext & KFI_EXT_EVENT ? !kfi_event_decode(w, &e) :
	    form > KFI_REC_WORDS && (u32)(KFI_REC_WORDS + 1 + KFI_EXT_WORDS(ext)) != form)
		return;
	if (!(ext & (KFI_EXT_EVENT | KFI_EXT_FAR))) {
		bits = kfi_rec_is_packed(form) ? KFI_PACKED_ADDR_BITS : 32;
		hide_near(w + 1, bits, m);
		hide_near(w + 2, bits, m);
	}
	if (ext & KFI_EXT_TIME)
		at += KFI_EXT_WORDS(KFI_EXT_TIME);
	if (ext & KFI_EXT_FAR) {
		move_addr(at, m);
		move_addr(at + 2, m);
		at += KFI_EXT_WORDS(KFI_EXT_FAR);
	}
	move_funcs(&e, at, m);
	if (m->end)
		hide_values(&e, w, at);
}
