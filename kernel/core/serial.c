// SPDX-License-Identifier: GPL-2.0
/*
 * The lines of serial.h: the range coder, the model of a log, frames. A function code_x() writes
 * its value, or returns the one that it reads: what is written and what is read cannot differ.
 */
#include "core/rec.h"
#include "core/serial.h"

/* ---- the range coder: binary decisions, each with an adaptive probability ---- */

#define PROB_BITS	12
#define PROB_COUNT_BITS	4
#define PROB_COUNT_MAX	((1u << PROB_COUNT_BITS) - 1)
#define PROB_MARGIN	32	/* of 4096: what is not expected takes 7 bits at most */
#define PROB_RATE	5	/* how far it moves: by 1/2, 1/4 ... and at last 1/32 of the way */
#define PROB(p)		((kfi_serial_prob)((p) << PROB_COUNT_BITS))
#define PROB_HALF	PROB(1u << (PROB_BITS - 1))

/* Probabilities to begin with, as after two decisions, for decisions that are mostly 0. */
#define PROB_RARE	(PROB(3500) | 2)
#define PROB_SELDOM	(PROB(3000) | 2)

#define RANGE_MIN	(1u << 24)

static bool reads(const struct kfi_serial *s)
{
	return !s->write;
}

/*
 * Return the next byte of the line; 0 behind its end. A correct line never needs more bytes than
 * its writer had room for.
 */
static u8 next_byte(struct kfi_serial *s)
{
	u32 at = s->at++;

	if (at < s->len)
		return s->bytes[at];
	s->bad |= at >= KFI_SERIAL_BYTES_MAX;
	return 0;
}

static void normalise(struct kfi_serial *s)
{
	for (; s->range < RANGE_MIN; s->range <<= 8) {
		if (reads(s)) {
			s->code = s->code << 8 | next_byte(s);
			continue;
		}
		/* Room for the longest item was there when it began. */
		if (s->at < sizeof(s->bytes))
			s->bytes[s->at++] = s->low >> 24;
		s->low <<= 8;
	}
}

static void add_low(struct kfi_serial *s, u32 more)
{
	u32 i = s->at;

	s->low += more;
	if (s->low >= more)
		return;
	while (i && !++s->bytes[--i])
		;
}

/* The part of the range up to @bound is that of 0. */
static u32 code_decision(struct kfi_serial *s, u32 bound, u32 bit)
{
	if (reads(s))
		bit = s->code >= bound;
	if (!bit) {
		s->range = bound;
	} else {
		s->range -= bound;
		if (reads(s))
			s->code -= bound;
		else
			add_low(s, bound);
	}
	normalise(s);
	return bit;
}

static u32 code_bit(struct kfi_serial *s, kfi_serial_prob *prob, u32 bit)
{
	u32 p = *prob >> PROB_COUNT_BITS, count = *prob & PROB_COUNT_MAX;
	u32 rate = min_t(u32, count + 1, PROB_RATE);

	bit = code_decision(s, (s->range >> PROB_BITS) * p, bit);
	p = bit ? p - (p >> rate) : p + (((1u << PROB_BITS) - p) >> rate);
	p = min_t(u32, max_t(u32, p, PROB_MARGIN), (1u << PROB_BITS) - PROB_MARGIN);
	*prob = PROB(p) | min_t(u32, count + 1, PROB_COUNT_MAX);
	return bit;
}

/* Code bits whose values are all equally probable. */
static u64 code_bits(struct kfi_serial *s, u64 v, u32 bits)
{
	u64 got = 0;

	while (bits--)
		got = got << 1 | code_decision(s, s->range >> 1, v >> bits & 1);
	return got;
}

/* Code a value of @bits bits. The probability of each bit depends on the bits above it. */
static u32 code_tree(struct kfi_serial *s, kfi_serial_prob *tree, u32 v, u32 bits)
{
	u32 node = 1;

	while (bits--)
		node = node << 1 | code_bit(s, &tree[node], v >> bits & 1);
	return node;
}

/* ---- numbers ---- */

#define CLASS_MAX	64
#define MEAN_SHIFT	4	/* of struct kfi_serial_num */
#define MEAN_RATE	2

/* The class of a number is how many bits it has. It is coded by its distance from the mean. */
static u32 code_class(struct kfi_serial *s, struct kfi_serial_num *m, u32 class)
{
	u32 mean = (u32)(m->mean + (1 << (MEAN_SHIFT - 1))) >> MEAN_SHIFT, most, i;
	bool below = class < mean;

	if (code_bit(s, &m->differs, class != mean)) {
		if (!mean || mean == CLASS_MAX)
			below = mean;
		else
			below = code_bit(s, &m->below, below);
		most = (below ? mean : CLASS_MAX - mean) - 1;
		for (i = 0; i < most; i++)
			if (code_bit(s, &m->stop[below][min_t(u32, i, KFI_SERIAL_STEPS - 1)],
				     class == (below ? mean - 1 - i : mean + 1 + i)))
				break;
		class = below ? mean - 1 - i : mean + 1 + i;
	} else {
		class = mean;
	}
	m->mean += (((s32)class << MEAN_SHIFT) - m->mean) >> MEAN_RATE;
	return class;
}

static u64 code_number(struct kfi_serial *s, struct kfi_serial_num *m, u64 v)
{
	u32 class = code_class(s, m, (u32)fls64(v));

	if (class < 2)
		return class;
	return 1ull << (class - 1) | code_bits(s, v, class - 1);
}

static u64 code_num(struct kfi_serial *s, enum kfi_serial_num_of of, u64 v)
{
	return code_number(s, &s->now.num[of], v);
}

static s64 code_signed(struct kfi_serial *s, enum kfi_serial_num_of of, s64 v)
{
	struct kfi_serial_num *m = &s->now.num[of];
	bool negative = code_bit(s, &m->negative, v < 0);
	u64 size = code_number(s, m, negative ? ~(u64)v : (u64)v);

	return (s64)(negative ? ~size : size);
}

/* The same, where 0 is usual. */
static s64 code_difference(struct kfi_serial *s, enum kfi_serial_num_of of, s64 v)
{
	return code_bit(s, &s->now.num[of].not_zero, v != 0) ? code_signed(s, of, v) : 0;
}

/* ---- the model ---- */

/* The mean class at the beginning of a line: measured with boots at 62.5 MHz; it adapts soon. */
static const u8 first_means[KFI_SERIAL_NUMS] = {
	[KFI_SERIAL_LOGS] = 1, [KFI_SERIAL_PARTS] = 7, [KFI_SERIAL_DEFS] = 9,
	[KFI_SERIAL_CPU] = 0, [KFI_SERIAL_TIME] = 26, [KFI_SERIAL_SIZE] = 9, [KFI_SERIAL_PID] = 4,
	[KFI_SERIAL_REF] = 5, [KFI_SERIAL_SITE_NEAR] = 8, [KFI_SERIAL_SITE_FAR] = 14,
	[KFI_SERIAL_FUNC_NEAR] = 7, [KFI_SERIAL_FUNC_FAR] = 18, [KFI_SERIAL_DEPTH] = 2,
	[KFI_SERIAL_LEAD] = 9, [KFI_SERIAL_TAIL] = 9, [KFI_SERIAL_GAP] = 8,
	[KFI_SERIAL_DURATION] = 9, [KFI_SERIAL_REST] = 9, [KFI_SERIAL_REST_LEAF] = 9,
	[KFI_SERIAL_OFF] = 12, [KFI_SERIAL_IRQ] = 10, [KFI_SERIAL_EVENT_TIME] = 8,
	[KFI_SERIAL_SUM_FUNC] = 18, [KFI_SERIAL_SUM_COUNT] = 5, [KFI_SERIAL_SUM_TOTAL] = 8,
	[KFI_SERIAL_SUM_LOCAL] = 12, [KFI_SERIAL_SUM_OFF] = 16, [KFI_SERIAL_SUM_IRQ] = 12,
	[KFI_SERIAL_SUM_MAX] = 12, [KFI_SERIAL_SUM_MIN] = 8,
	[KFI_SERIAL_WORD ... KFI_SERIAL_NUMS - 1] = 12,
};

static void set_probs(kfi_serial_prob *p, u32 n)
{
	while (n--)
		*p++ = PROB_HALF;
}

static void forget(struct kfi_serial_learnt *l)
{
	u32 i;

	memset(l, 0, sizeof(*l));
	for (i = 0; i < KFI_SERIAL_NUMS; i++) {
		struct kfi_serial_num *m = &l->num[i];

		m->mean = (s16)(first_means[i] << MEAN_SHIFT);
		m->not_zero = PROB_HALF;
		m->negative = PROB_SELDOM;
		m->differs = PROB_HALF;
		m->below = PROB_HALF;
		set_probs(m->stop[0], 2 * KFI_SERIAL_STEPS);
	}
	l->same_form = PROB_RARE;
	l->same_task = PROB_RARE;
	l->new_def = PROB_RARE;
	l->has_below = PROB_HALF;
	l->is_event = PROB_HALF;
	set_probs(l->form, ARRAY_SIZE(l->form));
	set_probs(l->kind, ARRAY_SIZE(l->kind));
	set_probs(l->ctx, ARRAY_SIZE(l->ctx));
	set_probs(l->same_word, ARRAY_SIZE(l->same_word));
	set_probs(l->zero_word, ARRAY_SIZE(l->zero_word));
	set_probs(l->byte, ARRAY_SIZE(l->byte));
	l->last_form = KFI_REC_PACKED;
}

/* A word at a place of its structure. */
static u32 code_word(struct kfi_serial *s, u32 place, u32 v)
{
	place = min_t(u32, place, KFI_SERIAL_WORD_NUMS - 1);
	if (!code_bit(s, &s->now.zero_word[place], v != 0))
		return 0;
	return (u32)code_num(s, KFI_SERIAL_WORD + place, v);
}

/* Writer: return the place of a function and call site in the hash table, or a free place. */
static u16 *find_def(struct kfi_serial *s, u32 func, u32 site)
{
	u32 mask = 2 * s->max_defs - 1, i = (func * 31 + site) * 0x9e3779b1u;
	const struct kfi_serial_def *d;

	for (i = (i ^ i >> 16) & mask; s->hash[i]; i = (i + 1) & mask) {
		d = &s->def[s->hash[i] - 1];
		if (d->func == func && d->site == site)
			break;
	}
	return &s->hash[i];
}

/*
 * Code a function and call site that are not in the table. The call site is a difference: from
 * that of the last call with the same caller, or else from the last new one. The function is a
 * difference from the call site of a call below, which lies in the function; without such a call
 * it is a number.
 * Return: KFI_SERIAL_NO_* bits: what is unknown, because a lost line has the other address.
 */
static u32 code_new_def(struct kfi_serial *s, struct kfi_serial_level *level, u32 *func, u32 *site)
{
	struct kfi_serial_learnt *l = &s->now;
	const struct kfi_serial_level *below = level + 1;
	u32 unknown = 0;

	if (level->valid ? level->unknown : l->unknown)
		unknown = KFI_SERIAL_NO_SITE;
	if (below->valid && below->unknown)
		unknown |= KFI_SERIAL_NO_FUNC;
	if (level->valid)
		*site = level->site + (u32)code_signed(s, KFI_SERIAL_SITE_NEAR,
						       (s32)(*site - level->site));
	else
		*site = l->site + (u32)code_signed(s, KFI_SERIAL_SITE_FAR, (s32)(*site - l->site));
	if (below->valid)
		*func = below->site - (u32)code_signed(s, KFI_SERIAL_FUNC_NEAR,
						       (s32)(below->site - *func));
	else
		*func = (u32)code_num(s, KFI_SERIAL_FUNC_FAR, *func);
	l->site = *site;
	l->unknown = unknown & KFI_SERIAL_NO_SITE;
	return unknown;
}

/* Code a function and call site. Return: KFI_SERIAL_NO_* bits: unknown, because a line is lost. */
static u32 code_def(struct kfi_serial *s, struct kfi_serial_level *level, u32 *func, u32 *site)
{
	struct kfi_serial_learnt *l = &s->now;
	u16 *at = reads(s) ? NULL : find_def(s, *func, *site);
	u32 ref;

	if (code_bit(s, &l->new_def, at && !*at)) {
		u32 unknown = code_new_def(s, level, func, site);

		l->ref = s->ndefs;
		if (s->ndefs == s->max_defs)
			return unknown;
		s->def[s->ndefs++] = (struct kfi_serial_def) {
			.func = *func, .site = *site, .unknown = unknown,
		};
		if (at)
			*at = (u16)s->ndefs;
		return unknown;
	}
	ref = l->ref + 1;
	ref += (u32)code_difference(s, KFI_SERIAL_REF, at ? (s32)(*at - 1 - ref) : 0);
	l->ref = ref;
	if (ref >= s->ndefs) {
		s->bad = true;
		return KFI_SERIAL_NO_CALL;
	}
	*func = s->def[ref].func;
	*site = s->def[ref].site;
	return s->def[ref].unknown;
}

/**
 * struct call - the words of a call's record, taken apart
 * @func: function
 * @site: call site
 * @depth: depth
 * @exit: relative to the chunk's base
 * @dur: duration
 * @self: self time, or what is in its place
 * @split: the time whose bits are in two words: none, interrupts, calls below
 * @off: switched out, if the form has it
 */
struct call {
	u32 func;
	u32 site;
	u32 depth;
	u32 exit;
	u32 dur;
	u32 self;
	u32 split;
	u32 off;
};

#define LOW(bits)	((1u << (bits)) - 1)

static struct call unpack(u32 form, const u32 *w)
{
	struct call c = { .func = w[1], .site = w[2], .exit = w[3], .dur = w[4] };
	u32 last;

	if (!kfi_rec_is_packed(form)) {
		c.depth = w[5] >> KFI_REC_LOCAL_BITS;
		c.self = w[5] & LOW(KFI_REC_LOCAL_BITS);
		return c;
	}
	last = form == KFI_REC_PACKED ? w[4] : w[5];
	c.depth = c.func >> KFI_PACKED_ADDR_BITS;
	c.func &= LOW(KFI_PACKED_ADDR_BITS);
	c.split = last >> KFI_PACKED_TIME_BITS |
		  c.site >> KFI_PACKED_ADDR_BITS << KFI_PACKED_LOW_BITS;
	c.site &= LOW(KFI_PACKED_ADDR_BITS);
	c.self = last & LOW(KFI_PACKED_TIME_BITS);
	if (form == KFI_REC_PACKED) {
		c.dur = c.self;
		c.self = c.split;
	} else if (form == KFI_REC_BOTH) {
		c.off = w[6];
	}
	return c;
}

static void pack(u32 form, const struct call *c, u32 *w)
{
	u32 split = form == KFI_REC_PACKED ? c->self : c->split;
	u32 last = form == KFI_REC_PACKED ? c->dur : c->self;

	w[1] = c->func;
	w[2] = c->site;
	w[3] = c->exit;
	w[4] = c->dur;
	if (!kfi_rec_is_packed(form)) {
		w[5] = (c->self & LOW(KFI_REC_LOCAL_BITS)) | c->depth << KFI_REC_LOCAL_BITS;
		return;
	}
	w[1] = (c->func & LOW(KFI_PACKED_ADDR_BITS)) | c->depth << KFI_PACKED_ADDR_BITS;
	w[2] = (c->site & LOW(KFI_PACKED_ADDR_BITS)) |
	       split >> KFI_PACKED_LOW_BITS << KFI_PACKED_ADDR_BITS;
	w[form == KFI_REC_PACKED ? 4 : 5] = (last & LOW(KFI_PACKED_TIME_BITS)) |
					    split << KFI_PACKED_TIME_BITS;
	if (form == KFI_REC_BOTH)
		w[6] = c->off;
}

/*
 * Code exit and duration. If there are calls below: by the time from the entry to the first of
 * them, and from the last record to the exit. Otherwise: by the time from the last record to the
 * entry.
 */
static u64 code_times(struct kfi_serial *s, const struct kfi_serial_level *below, struct call *c)
{
	u64 exit = s->base + (u64)(s64)(s32)c->exit, entry = exit - c->dur;

	if (below->valid) {
		entry = below->first - (u64)code_signed(s, KFI_SERIAL_LEAD,
							(s64)(below->first - entry));
		exit = s->time + (u64)code_signed(s, KFI_SERIAL_TAIL, (s64)(exit - s->time));
		c->dur = (u32)(exit - entry);
	} else {
		entry = s->time + (u64)code_signed(s, KFI_SERIAL_GAP, (s64)(entry - s->time));
		c->dur = (u32)code_num(s, KFI_SERIAL_DURATION, c->dur);
		exit = entry + c->dur;
	}
	c->exit = (u32)(exit - s->base);
	s->time = exit;
	return entry;
}

static u32 code_expected(struct kfi_serial *s, enum kfi_serial_num_of of, u32 v, s64 expected)
{
	return (u32)expected + (u32)code_difference(s, of, (s32)(v - (u32)expected));
}

/*
 * Code the self time, the interrupt time and the off-CPU time: by their differences from what the
 * calls below lead to expect. Without filters the differences are 0.
 */
static void code_parts(struct kfi_serial *s, u32 form, bool leaf, s64 below, s64 off, s64 irq,
		       struct call *c)
{
	enum kfi_serial_num_of rest = leaf ? KFI_SERIAL_REST_LEAF : KFI_SERIAL_REST;

	if (form == KFI_REC_OFF) {
		c->split = code_expected(s, KFI_SERIAL_OFF, c->split, below);
		c->self = code_expected(s, rest, c->self, (s64)c->dur - c->split - off);
		return;
	}
	if (form == KFI_REC_IRQ || form == KFI_REC_BOTH)
		c->split = code_expected(s, KFI_SERIAL_IRQ, c->split, irq);
	if (form == KFI_REC_BOTH)
		c->off = code_expected(s, KFI_SERIAL_OFF, c->off, off);
	if (form == KFI_REC_PACKED)
		c->split = 0;
	c->self = code_expected(s, rest, c->self, (s64)c->dur - c->split - c->off - below);
}

/* Add a call that has returned to those of its caller; the calls below it are done with. */
static void add_call(struct kfi_serial_level *level, u32 form, const struct call *c, u64 entry,
		     bool in_irq, u32 unknown)
{
	s64 irq = form == KFI_REC_IRQ || form == KFI_REC_BOTH ? c->split : 0, off = c->off;
	struct kfi_serial_level *below = level + 1;

	if (form == KFI_REC_OFF)
		off = (s64)c->dur - c->self - c->split;
	for (; below->valid; below++)
		below->valid = false;
	if (!level->valid)
		*level = (struct kfi_serial_level) { .valid = true, .first = entry };
	level->below[in_irq] += c->dur - off - irq;
	level->off += off;
	level->irq += irq;
	level->site = c->site;
	level->unknown = unknown & KFI_SERIAL_NO_SITE;
}

static u32 code_call(struct kfi_serial *s, u32 form, u32 words, u32 *w)
{
	struct kfi_serial_learnt *l = &s->now;
	struct kfi_serial_level *level, *below;
	bool in_irq = kfi_rec_ctx(w[0]) != KFI_CTX_TASK;
	struct call c = unpack(form, w);
	u32 i, own = kfi_rec_is_packed(form) ? kfi_rec_count(form) : KFI_REC_WORDS, unknown;
	s64 below_ran, irq;
	u64 entry;

	l->depth += (u32)code_difference(s, KFI_SERIAL_DEPTH, (s32)(c.depth - l->depth));
	c.depth = l->depth;
	/* Calls deeper than the table count as leaves. The last level is never valid. */
	level = &l->level[min_t(u32, c.depth, KFI_SERIAL_LEVELS - 3)];
	below = level + 1;
	unknown = code_def(s, level, &c.func, &c.site);
	below_ran = below->below[0] + below->below[1];
	irq = below->irq;
	if (!in_irq) {
		below_ran = below->below[0];
		irq += below->below[1];
	}
	if (!below->valid)
		below_ran = irq = 0;
	entry = code_times(s, below, &c);
	code_parts(s, form, !below->valid, below_ran, below->valid ? below->off : 0, irq, &c);
	add_call(level, form, &c, entry, in_irq, unknown);
	pack(form, &c, w);
	for (i = own; i < words; i++)
		w[i] = code_word(s, i - own, w[i]);
	return unknown;
}

/* Code an event: its time, and its other words, each often that of one of the last events. */
static void code_event(struct kfi_serial *s, u32 words, u32 *w)
{
	struct kfi_serial_learnt *l = &s->now;
	u64 time = w[1] | (u64)w[2] << 32;
	u32 i, place, which;

	s->time += (u64)code_signed(s, KFI_SERIAL_EVENT_TIME, (s64)(time - s->time));
	w[1] = (u32)s->time;
	w[2] = (u32)(s->time >> 32);
	for (i = 3; i < words; i++) {
		place = min_t(u32, i - 3, KFI_SERIAL_WORD_NUMS - 1);
		for (which = 0; which < l->events && l->event[which][i] != w[i]; which++)
			;
		if (code_bit(s, &l->same_word[place], which < l->events)) {
			which = (u32)code_bits(s, which, 3);
			w[i] = l->event[which][i];
		} else {
			w[i] = code_word(s, place, w[i]);
		}
	}
	memmove(l->event[1], l->event[0], sizeof(l->event) - sizeof(l->event[0]));
	memset(l->event[0], 0, sizeof(l->event[0]));
	memcpy(l->event[0], w, words * sizeof(*w));
	l->events = min_t(u32, l->events + 1, KFI_SERIAL_EVENTS);
}
static_assert(KFI_SERIAL_EVENTS == 8);

/* The words of a record whose form is coded already. */
static void code_record(struct kfi_serial *s, struct kfi_serial_item *item, u32 form)
{
	const u32 shift = KFI_W0_PID_SHIFT - KFI_W0_CTX_SHIFT;
	struct kfi_serial_learnt *l = &s->now;
	u32 task, below = 0;
	bool event;

	if (kfi_rec_is_packed(form) && code_bit(s, &l->has_below, !!(item->w[0] & KFI_W0_BELOW)))
		below = KFI_W0_BELOW;
	item->n = kfi_rec_count(form | below);
	task = (item->w[0] & ~below) >> KFI_W0_CTX_SHIFT;
	if (code_bit(s, &l->same_task, task != l->w0)) {
		u32 low = code_tree(s, l->ctx, task & LOW(shift), shift) & LOW(shift);
		u32 new = (u32)code_num(s, KFI_SERIAL_PID, task >> shift) & KFI_PID_MAX;

		if (new != l->w0 >> shift)
			memset(l->level, 0, sizeof(l->level));
		l->w0 = new << shift | low;
	}
	item->w[0] = l->w0 << KFI_W0_CTX_SHIFT | form | below;
	event = form > KFI_REC_WORDS &&
		code_bit(s, &l->is_event, !!(item->w[KFI_REC_WORDS] & KFI_EXT_EVENT));
	item->unknown = 0;
	if (event)
		code_event(s, item->n, item->w);
	else
		item->unknown = code_call(s, form, item->n, item->w);
}

static void code_bytes(struct kfi_serial *s, u8 *bytes, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		bytes[i] = (u8)code_tree(s, s->now.byte, bytes[i], 8);
}

/* Structures of words: as numbers in the order of their bytes. */
static void code_words_of(struct kfi_serial *s, u8 *bytes, u32 size)
{
	u32 i, v;

	for (i = 0; i < size; i += 4) {
		v = bytes[i] | bytes[i + 1] << 8 | bytes[i + 2] << 16 | (u32)bytes[i + 3] << 24;
		v = code_word(s, i / 4, v);
		bytes[i] = (u8)v;
		bytes[i + 1] = (u8)(v >> 8);
		bytes[i + 2] = (u8)(v >> 16);
		bytes[i + 3] = (u8)(v >> 24);
	}
}

static void code_u64(struct kfi_serial *s, enum kfi_serial_num_of of, u64 *v, u64 expected)
{
	*v = expected + (u64)code_difference(s, of, (s64)(*v - expected));
}

/*
 * Code the sums of a function. Sums come in the order of their total times, so the difference of
 * total times is small. If the function was called once, all its times follow from the total.
 */
static void code_sum(struct kfi_serial *s, struct kfi_prof_sum *sum)
{
	struct kfi_prof_sum *last = &s->now.sum;

	code_u64(s, KFI_SERIAL_SUM_FUNC, &sum->func, last->func);
	code_u64(s, KFI_SERIAL_SUM_TOTAL, &sum->total, last->total);
	sum->count = code_num(s, KFI_SERIAL_SUM_COUNT, sum->count);
	code_u64(s, KFI_SERIAL_SUM_UNTIMED, &sum->untimed, 0);
	code_u64(s, KFI_SERIAL_SUM_OFF, &sum->off, 0);
	code_u64(s, KFI_SERIAL_SUM_IRQ, &sum->irq, 0);
	code_u64(s, KFI_SERIAL_SUM_LOCAL, &sum->local, sum->total - sum->off - sum->irq);
	if (sum->count < 2) {
		code_u64(s, KFI_SERIAL_SUM_MAX, &sum->max, sum->total);
		code_u64(s, KFI_SERIAL_SUM_MIN, &sum->min, sum->total);
	} else {
		sum->max = code_num(s, KFI_SERIAL_SUM_MAX, sum->max);
		sum->min = code_num(s, KFI_SERIAL_SUM_MIN, sum->min);
	}
	*last = *sum;
}

static void code_count(struct kfi_serial *s, u32 *n, u32 max)
{
	*n = (u32)code_num(s, KFI_SERIAL_SIZE, *n);
	if (*n > max) {
		s->bad = true;
		*n = 0;
	}
}

static void code_other(struct kfi_serial *s, struct kfi_serial_item *item)
{
	u32 i;

	switch (item->kind) {
	case KFI_SERIAL_HEAD:
		item->n = (u32)code_num(s, KFI_SERIAL_SIZE, KFI_SERIAL_VERSION);
		i = (u32)code_num(s, KFI_SERIAL_SIZE, s->max_defs);
		if (item->n != KFI_SERIAL_VERSION || i < s->ndefs || i > s->max_defs)
			s->bad = true;
		else
			s->max_defs = i;
		s->logs++;
		code_bytes(s, item->bytes, sizeof(struct kfi_raw_head));
		break;
	case KFI_SERIAL_PART:
		item->part = (u32)code_num(s, KFI_SERIAL_SIZE, item->part);
		item->size = (u32)code_num(s, KFI_SERIAL_SIZE, item->size);
		break;
	case KFI_SERIAL_BYTES:
		code_count(s, &item->n, sizeof(item->bytes));
		code_bytes(s, item->bytes, item->n);
		break;
	case KFI_SERIAL_CHUNK:
		item->base = s->time + (u64)code_signed(s, KFI_SERIAL_TIME,
							(s64)(item->base - s->time));
		item->cpu = (u32)code_num(s, KFI_SERIAL_CPU, item->cpu);
		item->size = (u32)code_num(s, KFI_SERIAL_SIZE, item->size);
		if (item->cpu != s->cpu)
			memset(s->now.level, 0, sizeof(s->now.level));
		s->cpu = item->cpu;
		s->base = item->base;
		break;
	case KFI_SERIAL_WORDS:
		code_count(s, &item->n, ARRAY_SIZE(item->w));
		for (i = 0; i < item->n; i++)
			item->w[i] = code_word(s, i, item->w[i]);
		break;
	case KFI_SERIAL_ZEROS:
		code_count(s, &item->n, KFI_SERIAL_ZEROS_MAX);
		break;
	case KFI_SERIAL_OPENS:
	case KFI_SERIAL_SUMS:
		item->size = (u32)code_num(s, KFI_SERIAL_SIZE, item->size);
		break;
	case KFI_SERIAL_OPEN:
		code_words_of(s, item->bytes, sizeof(struct kfi_raw_open));
		break;
	case KFI_SERIAL_SUM:
		code_sum(s, &item->sum);
		break;
	case KFI_SERIAL_ROWS:
		item->base = code_num(s, KFI_SERIAL_TIME, item->base);
		break;
	case KFI_SERIAL_LINE_END:
	case KFI_SERIAL_LAST:
		break;
	default:
		s->bad = true;
	}
}

static bool begins_part(enum kfi_serial_kind kind)
{
	return kind == KFI_SERIAL_HEAD || kind == KFI_SERIAL_PART || kind == KFI_SERIAL_CHUNK ||
	       kind == KFI_SERIAL_OPENS || kind == KFI_SERIAL_SUMS || kind == KFI_SERIAL_ROWS;
}

/* Return how many bytes of a raw log an item stands for, or a larger number. */
static u32 stands_for(const struct kfi_serial_item *item)
{
	switch (item->kind) {
	case KFI_SERIAL_RECORD:
	case KFI_SERIAL_WORDS:
	case KFI_SERIAL_ZEROS:
		return 4 * item->n;
	case KFI_SERIAL_LINE_END:
	case KFI_SERIAL_LAST:
		return 0;
	default:
		return sizeof(item->sum);
	}
}

/* An item. Its kind stands in the place of a form. */
static void code_item(struct kfi_serial *s, struct kfi_serial_item *item)
{
	struct kfi_serial_learnt *l = &s->now;
	u32 form = item->kind == KFI_SERIAL_RECORD ? kfi_rec_form(item->w[0]) : 0;

	if (code_bit(s, &l->same_form, form != l->last_form))
		form = code_tree(s, l->form, form, 5) & KFI_W0_FORM;
	else
		form = l->last_form;
	if (form) {
		l->last_form = form;
		item->kind = KFI_SERIAL_RECORD;
		code_record(s, item, form);
	} else {
		item->kind = code_tree(s, l->kind, item->kind, 4) & 15;
		code_other(s, item);
		s->parts += begins_part(item->kind);
	}
	s->stands += stands_for(item);
	if (reads(s) && s->stands > KFI_SERIAL_STANDS_MAX)
		s->bad = true;
}
static_assert(KFI_SERIAL_KINDS <= 16);
static_assert(sizeof(((struct kfi_serial_item *)0)->bytes) >= sizeof(struct kfi_raw_head));
static_assert(sizeof(((struct kfi_serial_item *)0)->bytes) >= sizeof(struct kfi_raw_open));

/* Code the beginning of a line: its place in the log. */
static void code_place(struct kfi_serial *s)
{
	u32 ndefs;

	forget(&s->now);
	s->stands = 0;
	s->logs = (u32)code_num(s, KFI_SERIAL_LOGS, s->logs);
	s->parts = (u32)code_num(s, KFI_SERIAL_PARTS, s->parts);
	ndefs = (u32)code_num(s, KFI_SERIAL_DEFS, s->ndefs);
	s->cpu = (u32)code_num(s, KFI_SERIAL_CPU, s->cpu);
	s->time = code_num(s, KFI_SERIAL_TIME, s->time);
	if (ndefs > s->max_defs || ndefs < s->ndefs) {
		s->bad = true;
		return;
	}
	/* The entries that lost lines have added to the table are unknown. */
	while (s->ndefs < ndefs)
		s->def[s->ndefs++].unknown = KFI_SERIAL_NO_CALL;
}

void kfi_serial_init(struct kfi_serial *s, u32 max_defs, void *memory,
		     void (*write)(void *arg, u32 seq, const char *line, u32 len), void *arg)
{
	memset(s, 0, sizeof(*s));
	s->write = write;
	s->arg = arg;
	s->def = memory;
	s->hash = (u16 *)(s->def + max_defs);
	s->max_defs = max_defs;
	if (write)
		memset(s->hash, 0, 2 * max_defs * sizeof(*s->hash));
}

/* ---- frames ---- */

/* Put the bytes that the checksum covers before the items: see Documentation/format-serial.rst. */
static void put_before(u8 *before, u32 seq, u32 id, bool last)
{
	u32 i;

	for (i = 0; i < 4; i++)
		before[i] = (u8)(seq >> 8 * i);
	before[4] = (u8)id;
	before[5] = (u8)(id >> 8);
	before[6] = last;
	before[7] = 0;
}

static char *put_pair(char *to, u32 v)
{
	v &= LOW(KFI_SERIAL_PAIR_BITS);
	to[0] = (char)(KFI_SERIAL_ZERO + v / KFI_SERIAL_BASE);
	to[1] = (char)(KFI_SERIAL_ZERO + v % KFI_SERIAL_BASE);
	return to + 2;
}

/* Return: 13 bits; more than that: these are no such digits. */
static u32 get_pair(const char *text)
{
	u32 high = (u8)text[0] - KFI_SERIAL_ZERO, low = (u8)text[1] - KFI_SERIAL_ZERO;

	return high < KFI_SERIAL_BASE && low < KFI_SERIAL_BASE ? high * KFI_SERIAL_BASE + low :
								 U32_MAX;
}

/* End the range coder's output. Return its length, without zeros at its end: readers add them. */
static u32 finish_range(struct kfi_serial *s)
{
	add_low(s, RANGE_MIN - 1);
	s->bytes[s->at++] = s->low >> 24;
	while (s->at && !s->bytes[s->at - 1])
		s->at--;
	return s->at;
}

static void write_line(struct kfi_serial *s, bool twice, bool last)
{
	u32 crc, have = 0, bits = 0, i, len = finish_range(s);
	char *to = s->line;
	u64 head;

	s->in_line = false;
	if (s->seq > LOW(KFI_SERIAL_SEQ_BITS)) {
		s->bad = true;
		return;
	}
	put_before(s->before, s->seq, s->id, last);
	crc = kfi_crc32(s->before, sizeof(s->before) + len);
	*to++ = KFI_SERIAL_BEGIN;
	to = put_pair(to, crc);
	to = put_pair(to, crc >> KFI_SERIAL_PAIR_BITS);
	head = crc >> 2 * KFI_SERIAL_PAIR_BITS | (u64)s->seq << 6 |
	       (u64)s->id << (6 + KFI_SERIAL_SEQ_BITS) |
	       (u64)last << (6 + KFI_SERIAL_SEQ_BITS + KFI_SERIAL_ID_BITS);
	for (i = 0; i < 3; i++)
		to = put_pair(to, (u32)(head >> KFI_SERIAL_PAIR_BITS * i));
	for (i = 0; i < len; i++) {
		have |= (u32)s->bytes[i] << bits;
		bits += 8;
		if (bits >= KFI_SERIAL_PAIR_BITS) {
			to = put_pair(to, have);
			have >>= KFI_SERIAL_PAIR_BITS;
			bits -= KFI_SERIAL_PAIR_BITS;
		}
	}
	if (bits)
		to = put_pair(to, have);
	*to++ = KFI_SERIAL_END;
	*to++ = '\n';
	*to = '\0';
	s->write(s->arg, s->seq, s->line, (u32)(to - s->line));
	if (twice)
		s->write(s->arg, s->seq, s->line, (u32)(to - s->line));
	s->seq++;
}
static_assert(offsetof(struct kfi_serial, bytes) == offsetof(struct kfi_serial, before) + 8);
static_assert(6 + KFI_SERIAL_SEQ_BITS + KFI_SERIAL_ID_BITS + 1 == 3 * KFI_SERIAL_PAIR_BITS);

bool kfi_serial_frame(const char *text, u32 len, struct kfi_serial_frame *f, u8 *bytes)
{
	u32 i, bits = 0, pair, crc = 0;
	u64 head = 0, have = 0;

	if (len < KFI_SERIAL_HEAD_DIGITS || len % 2 || len > KFI_SERIAL_LINE_MAX - 2)
		return false;
	f->len = 0;
	for (i = 0; i < len; i += 2) {
		pair = get_pair(text + i);
		if (pair >> KFI_SERIAL_PAIR_BITS)
			return false;
		if (i < 4) {
			crc |= pair << KFI_SERIAL_PAIR_BITS * (i / 2);
		} else if (i < KFI_SERIAL_HEAD_DIGITS) {
			head |= (u64)pair << KFI_SERIAL_PAIR_BITS * (i / 2 - 2);
		} else {
			have |= (u64)pair << bits;
			for (bits += KFI_SERIAL_PAIR_BITS; bits >= 8; bits -= 8, have >>= 8)
				bytes[8 + f->len++] = (u8)have;
		}
	}
	crc |= (u32)head << 2 * KFI_SERIAL_PAIR_BITS;
	f->seq = (u32)(head >> 6) & LOW(KFI_SERIAL_SEQ_BITS);
	f->id = (u32)(head >> (6 + KFI_SERIAL_SEQ_BITS)) & LOW(KFI_SERIAL_ID_BITS);
	f->last = head >> (6 + KFI_SERIAL_SEQ_BITS + KFI_SERIAL_ID_BITS);
	/* The last pair may have bits of a byte that is not there: the items end before it. */
	while (f->len && !bytes[8 + f->len - 1])
		f->len--;
	put_before(bytes, f->seq, f->id, f->last);
	return !have && crc == kfi_crc32(bytes, 8 + f->len);
}

/* ---- writing ---- */

static void begin_line(struct kfi_serial *s)
{
	s->in_line = true;
	s->at = 0;
	s->low = 0;
	s->range = U32_MAX;
	code_place(s);
}

static void end_line(struct kfi_serial *s, bool twice, bool last)
{
	struct kfi_serial_item end = { .kind = KFI_SERIAL_LINE_END };

	if (!s->in_line)
		return;
	code_item(s, &end);
	write_line(s, twice, last);
}

/* A head and the end, without which other lines are of no use, have short lines, sent twice. */
static void put_item(struct kfi_serial *s, struct kfi_serial_item *item)
{
	bool last = item->kind == KFI_SERIAL_LAST, alone = last || item->kind == KFI_SERIAL_HEAD;

	if (alone)
		end_line(s, false, false);
	if (!s->in_line)
		begin_line(s);
	code_item(s, item);
	if (alone || s->at >= KFI_SERIAL_FULL || s->stands >= KFI_SERIAL_STANDS_FULL)
		end_line(s, alone, last);
}

static u32 word_of(const struct kfi_serial *s, const void *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return s->swap ? kfi_swab32(v) : v;
}

static u64 long_of(const struct kfi_serial *s, const void *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return s->swap ? kfi_swab64(v) : v;
}

static u32 count_zeros(const u32 *w, u32 n)
{
	u32 i = 0;

	while (i < n && !w[i])
		i++;
	return i;
}

void kfi_serial_chunk(struct kfi_serial *s, const struct kfi_raw_chunk *c, const u32 *words)
{
	struct kfi_serial_item item = { .kind = KFI_SERIAL_CHUNK };
	bool ended = false, moves = s->move.by | s->move.end;
	u32 i = 0, j, n;

	item.base = long_of(s, &c->base);
	item.cpu = word_of(s, &c->cpu);
	item.size = word_of(s, &c->words);
	n = item.size;
	put_item(s, &item);
	for (; i < n; i += item.n) {
		u32 w0 = word_of(s, &words[i]);

		item.kind = KFI_SERIAL_RECORD;
		item.n = kfi_rec_count(w0);
		ended |= !item.n || item.n > n - i;
		/* No reader needs words behind the end, and they may be addresses. */
		if (ended && (moves || !w0)) {
			item.kind = KFI_SERIAL_ZEROS;
			item.n = min_t(u32, n - i, KFI_SERIAL_ZEROS_MAX);
			if (!moves)
				item.n = count_zeros(words + i, item.n);
		} else if (ended) {
			item.kind = KFI_SERIAL_WORDS;
			item.n = min_t(u32, n - i, ARRAY_SIZE(item.w));
		}
		for (j = 0; j < item.n && item.kind != KFI_SERIAL_ZEROS; j++)
			item.w[j] = word_of(s, &words[i + j]);
		if (moves && item.kind == KFI_SERIAL_RECORD)
			kfi_rec_move(item.w, &s->move);
		j = item.n;
		put_item(s, &item);
		item.n = j;
	}
}

static void put_bytes(struct kfi_serial *s, u32 kind, const u8 *p, u32 bytes)
{
	struct kfi_serial_item item = { .kind = KFI_SERIAL_PART, .part = kind, .size = bytes };

	put_item(s, &item);
	for (; bytes; bytes -= item.n, p += item.n) {
		item.kind = KFI_SERIAL_BYTES;
		item.n = min_t(u32, bytes, sizeof(item.bytes));
		memcpy(item.bytes, p, item.n);
		put_item(s, &item);
	}
}

static void put_opens(struct kfi_serial *s, const u8 *p, u32 bytes)
{
	struct kfi_serial_item item = { .kind = KFI_SERIAL_OPENS, .size = bytes };

	put_item(s, &item);
	for (; bytes; bytes -= sizeof(struct kfi_raw_open), p += sizeof(struct kfi_raw_open)) {
		item.kind = KFI_SERIAL_OPEN;
		memcpy(item.bytes, p, sizeof(struct kfi_raw_open));
		put_item(s, &item);
	}
}

static void put_sums(struct kfi_serial *s, const u8 *p, u32 bytes)
{
	struct kfi_serial_item item = { .kind = KFI_SERIAL_SUMS, .size = bytes };
	u64 *v = (u64 *)&item.sum;
	u32 i;

	put_item(s, &item);
	for (; bytes; bytes -= sizeof(item.sum), p += sizeof(item.sum)) {
		item.kind = KFI_SERIAL_SUM;
		for (i = 0; i < sizeof(item.sum) / sizeof(*v); i++)
			v[i] = long_of(s, p + i * sizeof(*v));
		put_item(s, &item);
	}
}

void kfi_serial_part(struct kfi_serial *s, u32 kind, const void *p, u32 bytes)
{
	const struct kfi_raw_chunk *c = p;

	if (kind == KFI_RAW_CHUNK && bytes >= sizeof(*c) &&
	    bytes - sizeof(*c) == 4 * (u64)word_of(s, &c->words)) {
		kfi_serial_chunk(s, c, (const u32 *)(c + 1));
	} else if (kind == KFI_RAW_OPEN && bytes % sizeof(struct kfi_raw_open) == 0) {
		put_opens(s, p, bytes);
	} else if (kind == KFI_RAW_SUMS && bytes % sizeof(struct kfi_prof_sum) == 0) {
		put_sums(s, p, bytes);
	} else if (kind == KFI_RAW_END && bytes == sizeof(struct kfi_raw_end)) {
		struct kfi_serial_item item = { .kind = KFI_SERIAL_ROWS, .base = long_of(s, p) };

		put_item(s, &item);
	} else {
		put_bytes(s, kind, p, bytes);
	}
}

/*
 * Return the bytes of a part with zeros and checksum, which the reader of the lines makes anew; 0:
 * there are other bytes, or they are not there.
 */
static u32 padded(const u8 *p, u32 bytes, u32 room)
{
	u32 all = KFI_RAW_PART_BYTES(bytes), i;

	if (all < bytes || all > room)
		return 0;
	for (i = bytes; i < all - KFI_RAW_CHECK_BYTES; i++)
		if (p[i])
			return 0;
	return all;
}

static bool put_head(struct kfi_serial *s, const struct kfi_raw_head *head)
{
	struct kfi_serial_item item = { .kind = KFI_SERIAL_HEAD };

	if (memcmp(head->magic, KFI_RAW_MAGIC, sizeof(head->magic)) != 0)
		return false;
	s->swap = head->order != KFI_RAW_ORDER;
	if (word_of(s, &head->bytes) != sizeof(*head) ||
	    word_of(s, &head->version) != KFI_RAW_VERSION)
		return false;
	memcpy(item.bytes, head, sizeof(*head));
	put_item(s, &item);
	return true;
}

/*
 * The id of a transmission: of the head and the first part, without its checksum. Whatever stands
 * before a CRC, the CRC of both is the same.
 */
static u32 id_of(struct kfi_serial *s, const u8 *raw, u32 bytes)
{
	const u32 begin = sizeof(struct kfi_raw_head) + sizeof(struct kfi_raw_part);

	if (bytes >= begin) {
		s->swap = word_of(s, raw + offsetof(struct kfi_raw_head, order)) != KFI_RAW_ORDER;
		bytes = min_t(u64, bytes, begin + (u64)word_of(s, raw + begin - sizeof(u32)));
	}
	return kfi_crc32(raw, bytes) & LOW(KFI_SERIAL_ID_BITS);
}

bool kfi_serial_log(struct kfi_serial *s, const void *raw, u32 bytes)
{
	const u8 *p = raw, *end = p + bytes;
	struct kfi_raw_part part;
	u32 size;

	if (!s->seq && !s->in_line)
		s->id = id_of(s, raw, bytes);
	while (p < end) {
		/* A head, not a part: no kind of a part begins with these bytes. */
		if (end - p >= (long)sizeof(struct kfi_raw_head) && *p == (u8)KFI_RAW_MAGIC[0] &&
		    p[1] == (u8)KFI_RAW_MAGIC[1]) {
			if (!put_head(s, (const struct kfi_raw_head *)p))
				return false;
			p += sizeof(struct kfi_raw_head);
			continue;
		}
		if (end - p < (long)sizeof(part))
			return false;
		part.kind = word_of(s, p);
		part.bytes = word_of(s, p + sizeof(part.kind));
		p += sizeof(part);
		size = padded(p, part.bytes, (u32)(end - p));
		if (!size)
			return false;
		kfi_serial_part(s, part.kind, p, part.bytes);
		p += size;
	}
	return !s->bad;
}

bool kfi_serial_last(struct kfi_serial *s)
{
	struct kfi_serial_item item = { .kind = KFI_SERIAL_LAST };

	put_item(s, &item);
	return !s->bad;
}

/* ---- reading ---- */

bool kfi_serial_begin(struct kfi_serial *s, const u8 *bytes, u32 len)
{
	u32 i;

	memcpy(s->bytes, bytes, len);
	s->len = len;
	s->at = 0;
	s->bad = false;
	s->range = U32_MAX;
	for (i = 0; i < 4; i++)
		s->code = s->code << 8 | next_byte(s);
	code_place(s);
	return !s->bad;
}

bool kfi_serial_read(struct kfi_serial *s, struct kfi_serial_item *item)
{
	code_item(s, item);
	return !s->bad;
}
