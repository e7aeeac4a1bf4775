/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ARMv7 back end for words that one CPU and the interrupts on it change: as port_arm64.h, which
 * describes these functions. A store fails if an exception has returned since the load, since the
 * kernel ends each with a store exclusive of its own (svc_exit in entry-header.S). Included by
 * port.h.
 */
#ifndef KFI_PORT_ARM_H
#define KFI_PORT_ARM_H

#define KFI_LOCAL_EXCLUSIVE

static __always_inline long kfi_local_load(const local_t *l)
{
	long v;

	asm volatile("ldrex %0, %1" : "=r" (v) : "Q" (l->a.counter) : "memory");
	return v;
}

static __always_inline bool kfi_local_store(local_t *l, long v)
{
	u32 failed;

	asm volatile("strex %0, %2, %1"
		     : "=&r" (failed), "+Q" (l->a.counter) : "r" (v) : "memory");
	return likely(!failed);
}

static __always_inline bool kfi_local_replace(local_t *l, long old, long v)
{
	asm goto(".syntax unified\n"
		 "	ldrex	r7, [%0]\n"
		 "	cmp	r7, %1\n"
		 "	itt	eq\n"
		 "	strexeq	r7, %2, [%0]\n"
		 "	cmpeq	r7, #0\n"
		 "	bne	%l[failed]\n"
		 : : "r" (&l->a.counter), "r" (old), "r" (v) : "r7", "cc", "memory" : failed);
	return true;
failed:
	return false;
}

/* Of two registers side by side the first one is even: always these, so that none is moved. */
static __always_inline long kfi_local_load_two(const local_t *l, long *next)
{
	register long first asm("r4");
	register long second asm("r5");

	asm volatile("ldrexd %0, %1, %2"
		     : "=&r" (first), "=&r" (second) : "Q" (l->a.counter) : "memory");
	*next = second;
	return first;
}

static __always_inline bool kfi_local_store_two(local_t *l, long v, long next)
{
	register long first asm("r4") = v;
	register long second asm("r5") = next;
	u32 failed;

	asm volatile("strexd %0, %2, %3, %1"
		     : "=&r" (failed), "+Q" (l->a.counter) : "r" (first), "r" (second) : "memory");
	return likely(!failed);
}

/* The same, for a caller that has no use for a register that is 0 after a store that succeeded. */
#define kfi_local_pop_two kfi_local_pop_two
static __always_inline bool kfi_local_pop_two(local_t *l, long v, long next)
{
	register long first asm("r4") = v;
	register long second asm("r5") = next;

	asm goto("	strexd	r6, %1, %2, [%0]\n"
		 "	cmp	r6, #0\n"
		 "	bne	%l[failed]\n"
		 : : "r" (&l->a.counter), "r" (first), "r" (second)
		 : "r6", "cc", "memory" : failed);
	return true;
failed:
	return false;
}

/* The bits of times on the fast path. */
#define KFI_FAST_TIME_BITS		32

/* The difference is @zero, in the register of which kfi_hook_fill() stores the 0 (arch/entry.h). */
#define kfi_local_equal(a, same_a, zero) ({						\
	register u32 _zero asm("r7");							\
	bool _same;									\
											\
	asm("subs %1, %2, %3"								\
	    : "=@cceq" (_same), "=r" (_zero) : "r" (a), "r" (same_a));			\
	(zero) = _zero;									\
	_same;										\
})

/*
 * What makes an instruction conditional, and skips it. Thumb-2 code does not read the clock in an
 * IT block: QEMU (7.2) then takes instructions behind the block for conditional ones, too.
 */
#ifdef CONFIG_THUMB2_KERNEL
#define KFI_IF_EQ
#define KFI_SKIP_UNLESS_EQ	"	bne	1f\n"
#else
#define KFI_IF_EQ		"eq"
#define KFI_SKIP_UNLESS_EQ
#endif

/*
 * kfi_fast_check() of core/frame.h, with one branch: each conditional step runs only if the checks
 * before it passed. The clock is not read if @tag_ is KFI_FAST_NONE, which has KFI_FAST_TRIGGER,
 * because some processors do not have that instruction. The other fields of the frame are read
 * after its tag, when the registers of both tags are free. No interrupt changes these fields.
 */
#define kfi_fast_check(top, func_, tag_, now, entry_) ({				\
	register u32 _entry_low asm("r6");						\
	register u32 _entry_high asm("r7");						\
	register u32 _read asm("r9");							\
	u32 _now_low, _now_high;							\
	bool _is_ours;									\
											\
	static_assert(offsetof(struct kfi_frame, entry) == sizeof(struct kfi_frame) - 16); \
	static_assert(offsetof(struct kfi_frame, func) == sizeof(struct kfi_frame) - 4); \
	asm volatile(".syntax unified\n"						\
		     "	tst	%[want], %[none]\n"					\
		     KFI_SKIP_UNLESS_EQ							\
		     "	mrrc" KFI_IF_EQ "	p15, 0, %[time], %[times], c14\n"	\
		     "	ldr" KFI_IF_EQ "	%[read], [%[above], %[tag]]\n"		\
		     "	cmp" KFI_IF_EQ "	%[read], %[want]\n"			\
		     "	ittt	eq\n"							\
		     "	ldmdbeq	%[above], {%[entry], %[entry_high], r8, %[read]}\n"	\
		     "	cmpeq	%[read], %[func]\n"					\
		     "	cmpeq	%[times], %[entry_high]\n"				\
		     "1:\n"								\
		     : "=@cceq" (_is_ours), [read] "=&r" (_read),				\
		       [time] "=&r" (_now_low), [times] "=&r" (_now_high),		\
		       [entry] "=&r" (_entry_low), [entry_high] "=&r" (_entry_high)		\
		     : [want] "r" (tag_), [none] "I" (KFI_FAST_TRIGGER), [above] "r" (top), \
		       [tag] "i" ((int)offsetof(struct kfi_frame, tag) -		\
				   (int)sizeof(struct kfi_frame)),			\
		       [func] "r" (func_) : "r8", "memory");				\
	*(now) = (u64)_now_high << 32 | _now_low;					\
	*(entry_) = (u64)_entry_high << 32 | _entry_low;				\
	_is_ours;									\
})

/* Two registers for which the compiler has no better use when an exit begins. */
#define kfi_local_peek_two(p, at, next) ({						\
	register unsigned long _first asm("r2");						\
	register unsigned long _second asm("r3");					\
											\
	asm volatile("ldrd %0, %1, [%2, %3]"						\
		     : "=r" (_first), "=r" (_second) : "r" (p), "i" (at) : "memory");	\
	*(next) = _second;								\
	_first;										\
})

/* See hooks/fast.h. */
#define kfi_read64(p) ({								\
	register u32 _low asm("r6");							\
	register u32 _high asm("r7");							\
											\
	asm("ldrd %0, %1, %2" : "=r" (_low), "=r" (_high) : "m" (*(p)));		\
	(u64)_high << 32 | _low;							\
})

/* See rec.h. Registers are stored in the order of their numbers. */
#define kfi_write_four(w, first, second, third, fourth) do {				\
	register u32 _first asm("r6") = (first);					\
	register u32 _second asm("r7") = (second);					\
	register u32 _third asm("r8") = (third);					\
	register u32 _fourth asm("r9") = (fourth);					\
											\
	asm volatile("stm %0, {%1, %2, %3, %4}"						\
		     : : "r" (w), "r" (_first), "r" (_second), "r" (_third), "r" (_fourth) \
		     : "memory");							\
} while (0)

/* kfi_frame_add() of stack.h: a load and a store of two registers each. */
#define kfi_frame_add(f, ran) do {							\
	u64 _ran = (ran);								\
											\
	asm volatile("	ldrd	r6, r7, %0\n"						\
		     "	adds	r6, r6, %1\n"						\
		     "	adc	r7, r7, %2\n"						\
		     "	strd	r6, r7, %0\n"						\
		     : "+m" ((f)->child)						\
		     : "r" ((u32)_ran), "rI" ((u32)(_ran >> 32)) : "r6", "r7", "cc");	\
} while (0)

/*
 * The fast path counts the calls with packed records in their chunks: @used and @kept of a chunk
 * are neighbours, so one instruction more counts a call. Its own counter would take six.
 */
#define KFI_CHUNK_COUNTS

/**
 * kfi_local_add_two() - Add to two longs that are neighbours, by one operation.
 * @l: the first of both
 * @i: what to add to it, a constant
 * @next: what to add to the second one, a constant
 *
 * Return: the sum of the first one.
 */
static __always_inline long kfi_local_add_two(local_t *l, const long i, const long next)
{
	register long first asm("r6");
	register long second asm("r7");
	u32 failed;

	asm volatile("1:	ldrexd	%0, %1, %3\n"
		     "	add	%0, %0, %4\n"
		     "	add	%1, %1, %5\n"
		     "	strexd	%2, %0, %1, %3\n"
		     "	cmp	%2, #0\n"
		     "	bne	1b\n"
		     : "=&r" (first), "=&r" (second), "=&r" (failed), "+Q" (l->a.counter)
		     : "I" (i), "I" (next) : "cc", "memory");
	return first;
}

#define kfi_local_add_return(i, l)	(kfi_local_fetch_add((long)(i), (l)) + (long)(i))

#endif /* KFI_PORT_ARM_H */
