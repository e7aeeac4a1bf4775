// SPDX-License-Identifier: GPL-2.0
/*
 * x86: the time stamp counter, whose rate is known from tsc_init() on, and call sites.
 *
 * An enabled site is "call rel32", a disabled one "test $imm32, %eax". Both have one byte of
 * opcode and the same four bytes after it. The test changes the flags, as a call may.
 *
 * A call of a hook that stands right before a return is disabled by a return instead. In functions
 * that were instrumented after inlining all exits are such calls. It is not done where a return
 * must be followed by int3, or is a jump to a return thunk.
 *
 * All cpus stand still while that byte is changed, but NMIs come, and functions that they call have
 * sites. While a processor may execute an instruction, the instruction may be replaced only by a
 * breakpoint, or if the processor fetches it anew in between. So a site becomes a breakpoint first,
 * and all cpus fetch anew before it gets its new opcode. The kernel's handler of breakpoints calls
 * kfi_int3() first.
 *
 * text_poke_queue() does the same, and needs no cpu to stand still. But it maps and decodes each
 * site anew, and interrupts all cpus three times for every 256 of them.
 */
#include <linux/kconfig.h>
#include <linux/kernel.h>
#include <linux/kfi.h>
#include <linux/kprobes.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/uaccess.h>
#include <asm/cpuid.h>
#include <asm/ptrace.h>
#include <asm/sync_core.h>
#include <asm/text-patching.h>
#include <asm/tsc.h>

#include "arch/arch.h"

/* cpuid 1, edx: there is a time stamp counter. cpu_has() does not work yet at start_kernel. */
#define CPUID_TSC	BIT(4)

/* No processor that runs these kernels counts slower; only used until the rate is known. */
const u64 kfi_clock_arch_slowest = IS_ENABLED(CONFIG_X86_64) ? 800000000 : 60000000;

void kfi_clock_arch_init(struct kfi_clock *clock)
{
	if (!IS_ENABLED(CONFIG_X86_64) && !(cpuid_edx(1) & CPUID_TSC))
		return;
	if (kfi_clock_advances(clock, KFI_CLOCK_TSC))
		clock->name = "tsc";
}

void kfi_clock_arch_rate(struct kfi_clock *clock)
{
	if (!tsc_khz)
		return;
	clock->calibration = "tsc_khz of the kernel";
	clock->hz = (u64)tsc_khz * 1000;
}

#ifdef CONFIG_KFI_PATCH_SITES

#define CALL	0xe8
#define TEST	0xa9
#define RET	0xc3
#define INT3	0xcc
#define JMP	0xe9
#define SIZE	5

/* The hooks; only their addresses are of use here. */
#ifdef CONFIG_KFI_AFTER_INLINING
void kfi_entry(void);
void kfi_exit(void);
void kfi_exit_wide(void);
#define ENTRY_HOOK	((unsigned long)kfi_entry)
#define EXIT_HOOK	((unsigned long)kfi_exit)
#define EXIT_HOOK_WIDE	((unsigned long)kfi_exit_wide)
#else
void __cyg_profile_func_enter(void *func, void *site);
void __cyg_profile_func_exit(void *func, void *site);
#define ENTRY_HOOK	((unsigned long)__cyg_profile_func_enter)
#define EXIT_HOOK	((unsigned long)__cyg_profile_func_exit)
#define EXIT_HOOK_WIDE	EXIT_HOOK
#endif

/* With call depth tracking (CONFIG_CALL_THUNKS) calls go to the padding before a function. */
#if IS_ENABLED(CONFIG_CALL_THUNKS)
#define BEFORE_HOOK	CONFIG_FUNCTION_PADDING_BYTES
#else
#define BEFORE_HOOK	0
#endif

/* Sites are being changed: a breakpoint at a site is the recorder's. Written under text_mutex. */
static bool changing;

/*
 * Foreign sites: those that others have changed, such as kprobes. They must stay as they are.
 * @at: their addresses, in the order of the tables
 * @n: how many
 * @next: the next one, in a pass over all sites
 *
 * Written under text_mutex, @at and @n only while @changing is false; read by kfi_int3() while it
 * is true.
 */
static struct {
	unsigned long *at;
	unsigned int n;
	unsigned int next;
} foreign;

/* The opcodes that a site has. */
static const bool is_site[256] = { [CALL] = true, [TEST] = true, [RET] = true };

/*
 * Return true if a site lies in a jump that kprobes has put in place of the instructions before
 * it.
 */
static bool is_covered(unsigned long at)
{
	const u8 *op = (const u8 *)at;
	bool covered = false;
	int i;

	for (i = 1; i < SIZE && !covered; i++)
		if (op[-i] == JMP) {
			preempt_disable();
			covered = get_kprobe((void *)(op - i));
			preempt_enable();
		}
	return covered;
}

/*
 * Return true if one of the four bytes before a site is the opcode of a jump. (All four at once, as
 * strlen() finds a 0 in a word.)
 */
static __always_inline bool is_behind_jump(unsigned long at)
{
	u32 word = *(const u32 *)(at - sizeof(word)) ^ JMP * 0x01010101u;

	return (word - 0x01010101) & ~word & 0x80808080;
}

static void collect_foreign(struct kfi_site *from, struct kfi_site *to, const struct kfi_window *w)
{
	struct kfi_site *s;
	unsigned long at;

	for (s = from; s < to; s++) {
		if (!kfi_site_within(s, w, &at))
			continue;
		if (likely(is_site[*(const u8 *)at]) &&
		    likely(at - w->from < SIZE || !is_behind_jump(at) || !is_covered(at)))
			continue;
		if (foreign.at)
			foreign.at[foreign.n] = at;
		foreign.n++;
	}
}

/* Return true if a site is in @foreign. Each pass over all sites has them in the order of @at. */
static __always_inline bool is_foreign(unsigned long at)
{
	if (foreign.at[foreign.next] != at)
		return false;
	foreign.next = (foreign.next + 1) % foreign.n;
	return true;
}

/*
 * Return true if a disabled site may be a return. Not if a breakpoint must follow each return; nor
 * if Linux itself would not have one there, as in cpu_wants_rethunk_at().
 */
static __always_inline bool may_return(unsigned long at)
{
	if (IS_ENABLED(CONFIG_SLS) || IS_ENABLED(CONFIG_MITIGATION_SLS))
		return false;
#ifdef X86_FEATURE_INDIRECT_THUNK_ITS
	/* Unsafe in the lower half of a cache line. */
	if (boot_cpu_has(X86_FEATURE_INDIRECT_THUNK_ITS))
		return at & 0x20;
#endif
	return true;
}

/* Which sites are written: those that are on or off; those that are not in @foreign; all. */
enum which {
	KNOWN,
	NOT_LISTED,
	ALL,
};

static __always_inline void write_all(struct kfi_site *from, struct kfi_site *to,
				      const struct kfi_window w, enum kfi_site_write to_be,
				      enum which which)
{
	struct kfi_site *s;
	unsigned long at;
	u8 *op;

	for (s = from; s < to; s++) {
		if (!kfi_site_within(s, &w, &at))
			continue;
		op = (u8 *)(at + w.shift);
		if (which == KNOWN ? !is_site[*op] : which == NOT_LISTED && is_foreign(at))
			continue;
		if (to_be == KFI_SITE_BREAK)
			WRITE_ONCE(*op, INT3);
		else if (to_be == KFI_SITE_ON)
			WRITE_ONCE(*op, CALL);
		else if (op[SIZE] == RET && may_return(at))
			WRITE_ONCE(*op, RET);
		else
			WRITE_ONCE(*op, TEST);
	}
}

/* If all sites change and @foreign is empty, each value of @to_be has a loop without checks. */
void kfi_sites_write_table(struct kfi_site *from, struct kfi_site *to, const struct kfi_window *w,
			   enum kfi_site_write to_be)
{
	if (!changing || foreign.n)
		write_all(from, to, *w, to_be, changing ? NOT_LISTED : KNOWN);
	else if (to_be == KFI_SITE_BREAK)
		write_all(from, to, *w, KFI_SITE_BREAK, ALL);
	else if (to_be == KFI_SITE_ON)
		write_all(from, to, *w, KFI_SITE_ON, ALL);
	else
		write_all(from, to, *w, KFI_SITE_OFF, ALL);
}

/*
 * Handle a breakpoint of the recorder: an NMI runs code whose sites are being changed. The bytes
 * after the breakpoint are still those of the call: the distance to a hook. Nothing is recorded
 * at that time, so the call is left out.
 *
 * Only an emulator hits a breakpoint that is not there any more: QEMU before 8.1 may keep a
 * translation that it made while the text was written. Then the instruction that is at the site now
 * is emulated.
 */
bool noinstr kfi_int3(struct pt_regs *regs)
{
	unsigned long to;
	unsigned int i;
	s32 distance;
	u8 op;

	if (user_mode(regs))
		return false;
	op = READ_ONCE(*(const u8 *)(regs->ip - 1));
	/* Pairs with the release in kfi_sites_begin(). */
	if (!is_site[op] && (op != INT3 || !smp_load_acquire(&changing)))
		return false;
	__get_kernel_nofault(&distance, (void *)regs->ip, s32, unreadable);
	to = regs->ip + sizeof(distance) + distance;
	if (ENTRY_HOOK - to > BEFORE_HOOK && EXIT_HOOK - to > BEFORE_HOOK &&
	    EXIT_HOOK_WIDE - to > BEFORE_HOOK)
		return false;
	if (op == CALL) {
		int3_emulate_call(regs, to);
		return true;
	}
	for (i = 0; op == INT3 && i < foreign.n; i++)
		if (foreign.at[i] == regs->ip - 1)
			return false;
	regs->ip += sizeof(distance);
	return true;

unreadable:
	return false;
}

/* Fill @foreign. kprobes changes text under text_mutex, too, so the result stays valid under it. */
static int find_foreign(void)
{
	kfi_sites_look(collect_foreign);
	if (!foreign.n)
		return 0;
	/* Reclaim may want text_mutex. */
	foreign.at = kmalloc_array(foreign.n, sizeof(*foreign.at), GFP_NOWAIT | __GFP_NOWARN);
	foreign.n = 0;
	if (!foreign.at)
		return -ENOMEM;
	kfi_sites_look(collect_foreign);
	return 0;
}

int kfi_sites_begin(void)
{
	int ret = find_foreign();

	if (!ret)
		smp_store_release(&changing, true);	/* pairs with the acquire in kfi_int3() */
	return ret;
}

static void do_nothing(void *unused)
{
}

void kfi_sites_end(void)
{
	WRITE_ONCE(changing, false);
	if (!foreign.n)
		return;
	/*
	 * Wait until no cpu is in kfi_int3() any more, which it enters for others' breakpoints,
	 * too.
	 */
	on_each_cpu(do_nothing, NULL, 1);
	kfree(foreign.at);
	foreign.at = NULL;
	foreign.n = 0;
}

void kfi_sites_flush(const struct kfi_window *w)
{
	sync_core();
}

void kfi_sites_sync(void)
{
	sync_core();
}

bool kfi_sites_boot_begin(struct kfi_window *w)
{
	return true;
}

void kfi_sites_boot_end(const struct kfi_window *w)
{
	sync_core();
}

#endif /* CONFIG_KFI_PATCH_SITES */
