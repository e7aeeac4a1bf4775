/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records: calls and events, packed into the words of a chunk and decoded. kfi_abi.h draws the
 * layout of a record, and has its numbers.
 */
#ifndef KFI_REC_H
#define KFI_REC_H

#include "kfi_abi.h"
#include "core/port.h"

/* As what a record is counted. */
enum kfi_rec_kind {
	KFI_REC_CALL,		/* kept, with its times */
	KFI_REC_NOTIME,		/* kept, entered before the clock ran */
	KFI_REC_OPEN,		/* open: its task has died */
	KFI_REC_MARK,		/* no call */
	KFI_REC_WATCH,		/* no call: a row of a watch */
	KFI_REC_KINDS
};

/**
 * struct kfi_rec - one call, decoded
 * @func:	address of the function
 * @site:	address of the call site
 * @entry:	raw clock count at entry; 0 with KFI_MARK_NOTIME
 * @exit:	raw clock count at exit; not valid if @marks says that the exit was not seen
 * @local:	raw counts spent in the function itself, 0..@exit - @entry
 * @pid:	pid of the task on whose shadow stack the call was
 * @cpu:	the cpu that wrote the record; of an open call the one on which it began
 * @depth:	1-based nesting depth on that shadow stack
 * @ctx:	enum kfi_ctx
 * @marks:	KFI_MARK_*
 * @event:	KFI_EVENT_NONE for a call; else the kind of the event: then @entry and @exit are its
 *		time, @local, @off and @irq are 0, and kfi_event_decode() returns the rest
 * @off:	raw counts for which its task was switched out during the call
 * @irq:	raw counts that interrupts took during the call
 * @below:	how many calls below it have no record, those of interrupts included; valid only if
 *		@marks is 0
 * @under:	it was below a function of ``only under``; known of open calls, not in the record
 * @between:	it was entered between two iterations; known of open calls, not in the record
 * @follows:	as in struct kfi_stack; known of open calls, not in the record
 */
struct kfi_rec {
	u64 func;
	u64 site;
	u64 entry;
	u64 exit;
	u64 local;
	u32 pid;
	u16 cpu;
	u16 depth;
	u8 ctx;
	u8 marks;
	u8 event;
	u64 off;
	u64 irq;
	u32 below;
	bool under;
	bool between;
	u8 follows;
};

/**
 * kfi_rec_form() - Return the form of a record, that is, its layout; 0 if it is no record.
 * @w0: its first word
 */
static inline unsigned int kfi_rec_form(u32 w0)
{
	return w0 & KFI_W0_FORM;
}

/**
 * kfi_rec_is_packed() - Return true if a record is a packed one.
 * @form: its form
 */
static inline bool kfi_rec_is_packed(unsigned int form)
{
	return form && form <= KFI_REC_PACKED && form != KFI_REC_AWAY;
}

/**
 * kfi_rec_count() - Return how many words a record takes; 0 if it is no record.
 * @w0: its first word, or what kfi_rec_choose() returned
 */
static inline unsigned int kfi_rec_count(u32 w0)
{
	static const u8 words[KFI_REC_WORDS + 1] = KFI_REC_FORM_WORDS;
	unsigned int form = kfi_rec_form(w0);

	if (form > KFI_REC_WORDS)
		return form;
	return words[form] + (kfi_rec_is_packed(form) && w0 & KFI_W0_BELOW);
}

/**
 * kfi_rec_ctx() - Return the context of a record, an enum kfi_ctx.
 * @w0: its first word
 */
static inline u8 kfi_rec_ctx(u32 w0)
{
	return w0 >> KFI_W0_CTX_SHIFT & 3;
}

/**
 * kfi_rec_pid() - Return the pid of a record's task.
 * @w0: its first word
 */
static inline u32 kfi_rec_pid(u32 w0)
{
	return w0 >> KFI_W0_PID_SHIFT;
}

/**
 * kfi_rec_head() - Return the first word of a record.
 * @form: the form of the record, of a packed one perhaps with KFI_W0_BELOW
 * @pid: the task
 * @ctx: enum kfi_ctx
 * @marks: KFI_MARK_*
 */
static __always_inline u32 kfi_rec_head(unsigned int form, u32 pid, u8 ctx, u8 marks)
{
	return form | (u32)ctx << KFI_W0_CTX_SHIFT | (u32)marks << KFI_W0_MARK_SHIFT |
	       (pid & KFI_PID_MAX) << KFI_W0_PID_SHIFT;
}

/**
 * kfi_rec_commit() - Store the first word of a record, which makes the record valid.
 * @w: the record, complete but for this word
 * @head: the word
 *
 * Pairs with the acquire in kfi_rec_decode(): a reader that sees the first word sees
 * the other words, too.
 */
static __always_inline void kfi_rec_commit(u32 *w, u32 head)
{
	smp_store_release(w, head);
}

/*
 * Write a word of a packed record: an address, and 8 bits above it. x86 stores the byte by itself,
 * because it has no instruction that both shifts and merges.
 */
static __always_inline void kfi_rec_put_above(u32 *w, u32 addr, u32 above)
{
	static_assert(KFI_PACKED_ADDR_BITS == 24);
#ifdef __x86_64__
	*w = addr;
	((u8 *)w)[3] = (u8)above;
#else
	*w = addr | above << KFI_PACKED_ADDR_BITS;
#endif
}

/**
 * kfi_rec_put_packed() - Write words 1 to 4 of a packed record.
 * @w: the record
 * @func: the function, relative to the text base
 * @site: the call site, relative to the text base
 * @upper: the bits of a time above the lowest KFI_PACKED_LOW_BITS, which kfi_rec_beside() has
 * @depth: depth of the call
 * @exit: exit time, relative to the time base of the chunk
 * @time: a time, perhaps with the lower bits of another one: from kfi_rec_beside()
 *
 * arm stores them by one instruction (core/port_arm.h).
 */
static __always_inline void kfi_rec_put_packed(u32 *w, u32 func, u32 site, u32 upper, u32 depth,
					       u32 exit, u32 time)
{
#ifdef kfi_write_four
	kfi_write_four(w + 1, func | depth << KFI_PACKED_ADDR_BITS,
		       site | upper << KFI_PACKED_ADDR_BITS, exit, time);
#else
	w[4] = time;
	kfi_rec_put_above(&w[1], func, depth);
	kfi_rec_put_above(&w[2], site, upper);
	w[3] = exit;
#endif
}

/**
 * kfi_rec_beside() - Return the word that holds one time, and the lower bits of another one.
 * @time: the time that this word holds as a whole
 * @split: the time of which this word has only the lowest KFI_PACKED_LOW_BITS
 */
static __always_inline u32 kfi_rec_beside(u32 time, u32 split)
{
	return time | split << KFI_PACKED_TIME_BITS;
}

/**
 * kfi_rec_put_common() - Write all words of a common record except the first.
 * @w: the record
 * @func: the function, relative to the text base
 * @site: the call site, relative to the text base
 * @exit: exit time, relative to the time base of the chunk
 * @dur: duration
 * @local: self time, of KFI_REC_LOCAL_BITS
 * @depth: depth of the call
 */
static __always_inline void kfi_rec_put_common(u32 *w, u32 func, u32 site, u32 exit, u32 dur,
					       u32 local, u32 depth)
{
	w[1] = func;
	w[2] = site;
	w[3] = exit;
	w[4] = dur;
	w[5] = local | depth << KFI_REC_LOCAL_BITS;
}

/**
 * kfi_rec_kind() - Return as what a record is counted.
 * @r: the record
 */
static inline enum kfi_rec_kind kfi_rec_kind(const struct kfi_rec *r)
{
	if (unlikely(r->event))
		return r->event == KFI_EVENT_STACK ? KFI_REC_WATCH : KFI_REC_MARK;
	if (r->marks & KFI_MARK_OPEN)
		return KFI_REC_OPEN;
	return r->marks & KFI_MARK_NOTIME ? KFI_REC_NOTIME : KFI_REC_CALL;
}

/**
 * kfi_rec_is_far() - Return true if an address is too far from the text base for one word.
 * @rel: the address less the text base
 */
static __always_inline bool kfi_rec_is_far(unsigned long rel)
{
	/* 32-bit kernels: the difference wraps and always fits. */
	return !KFI_TEXT_IS_NEAR && (unsigned long)(long)(s32)rel != rel;
}

/**
 * kfi_rec_choose() - Return the shortest form that holds a call, perhaps with KFI_W0_BELOW.
 * @r: the call
 * @text: text base of the ring
 * @base: time base of the chunk
 */
unsigned int kfi_rec_choose(const struct kfi_rec *r, u64 text, u64 base);

/**
 * kfi_rec_encode() - Write a record, its first word last and with release.
 * @w: where; kfi_rec_count(@form) words reserved for it, all 0
 * @form: what kfi_rec_choose() returned for the same arguments
 * @r: the call
 * @text: text base of the ring
 * @base: time base of the chunk
 *
 * Pairs with kfi_rec_decode().
 */
void kfi_rec_encode(u32 *w, unsigned int form, const struct kfi_rec *r, u64 text, u64 base);

/**
 * kfi_rec_decode() - Read a record.
 * @w: its first word
 * @room: words left in the chunk
 * @r: where to put it; @r->cpu is left alone
 * @text: text base of the ring
 * @base: time base of the chunk
 *
 * Pairs with kfi_rec_encode() and kfi_event_encode().
 * Return: words that the record takes; 0 if no record is there yet, or if the words are not valid.
 */
unsigned int kfi_rec_decode(const u32 *w, unsigned int room, struct kfi_rec *r, u64 text, u64 base);

/**
 * struct kfi_move - how addresses are shown where they must not tell where the kernel lies
 * @by: subtracted from them: the difference from those of System.map
 * @text: text base of the ring, from which the caller subtracts @by, too
 * @from: begin of the kernel, if what may tell more must be hidden
 * @end: its end; 0: nothing must be hidden. An address that is not in the kernel, as of a module,
 *	becomes @end, and arguments and return values become 0
 *
 * An address that is 0 stays 0. @end fits any field of a record in which an address beyond it was.
 */
struct kfi_move {
	u64 by;
	u64 text;
	u64 from;
	u64 end;
};

/**
 * kfi_hide_addr() - Return an address, or the end of the kernel if it must be hidden.
 * @m: whether it must be
 * @addr: the address
 */
static inline u64 kfi_hide_addr(const struct kfi_move *m, u64 addr)
{
	return m->end && addr && (addr < m->from || addr > m->end) ? m->end : addr;
}

/**
 * kfi_move_addr() - Return an address as it is shown.
 * @m: how it is shown
 * @addr: the address
 */
static inline u64 kfi_move_addr(const struct kfi_move *m, u64 addr)
{
	return addr ? kfi_hide_addr(m, addr) - m->by : 0;
}

/**
 * kfi_rec_move() - Change a record or an event to what is shown of it.
 * @w: all words of it (kfi_rec_count())
 * @m: how addresses are shown
 */
void kfi_rec_move(u32 *w, const struct kfi_move *m);

/* ---- events ---- */

/**
 * struct kfi_event - a mark or a row of a watch
 * @time: raw clock count; 0: no clock ran
 * @value: a number; its meaning depends on @kind
 * @func: address of a function, or 0
 * @site: address of a call site, or 0
 * @text: bytes, with no NUL behind them; when read from the ring they lie there
 * @len: how many bytes, 0..KFI_EVENT_TEXT_MAX
 * @nfuncs: functions that @text holds instead, 0..KFI_EVENT_FUNCS_MAX: see kfi_event_set_funcs()
 * @pid: the current task
 * @cpu: where it was; ignored when the event is written
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
	u8 nfuncs;
};

/* By enum kfi_event_kind. */
extern const struct kfi_event_row kfi_event_kinds[KFI_EVENTS];

/* Words that the functions of an event may take. */
#define KFI_EVENT_FUNC_WORDS	(2 * KFI_EVENT_FUNCS_MAX)

/**
 * kfi_event_set_funcs() - Give an event functions in the place of its text.
 * @e: the event
 * @w: KFI_EVENT_FUNC_WORDS words, which must stay until @e is written
 * @funcs: their addresses
 * @n: how many, 0..KFI_EVENT_FUNCS_MAX
 * @text: text base of the ring
 */
void kfi_event_set_funcs(struct kfi_event *e, u32 *w, const unsigned long *funcs, u32 n, u64 text);

/**
 * kfi_event_func() - Get one of the functions in the place of an event's text.
 * @e: the event
 * @i: which one, below @e->nfuncs
 * @text: text base of the ring
 *
 * Return: its address.
 */
u64 kfi_event_func(const struct kfi_event *e, u32 i, u64 text);

/**
 * kfi_event_words() - Return how many words an event will take.
 * @e: the event
 *
 * Return: words, at most KFI_REC_WORDS_MAX.
 */
unsigned int kfi_event_words(const struct kfi_event *e);

/**
 * kfi_event_encode() - Write an event, its first word last and with release.
 * @w: where; @words words reserved for it, all 0
 * @words: what kfi_event_words() returned
 * @e: the event
 *
 * Pairs with kfi_rec_decode().
 */
void kfi_event_encode(u32 *w, unsigned int words, const struct kfi_event *e);

/**
 * kfi_event_decode() - Read an event.
 * @w: its first word, which has been read with acquire and counts all its words
 * @e: where to put it; @e->cpu is left alone, @e->text points into @w
 *
 * Return: false if the record is no event.
 */
bool kfi_event_decode(const u32 *w, struct kfi_event *e);

#endif /* KFI_REC_H */
