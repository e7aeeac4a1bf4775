// SPDX-License-Identifier: GPL-2.0
/*
 * The hooks that -finstrument-functions puts at each function's entry and exit: the fast path
 * (fast.h) for tasks. Everything else is in hook.c. After inlining entry.c and exit.c are called
 * instead.
 *
 * The hooks are leaf functions that save no register and have no frame: what calls another
 * function is out of line, and called last. Without a live session a hook is one comparison and a
 * return; with call sites it is not called. Preemption is off while a hook works on a shadow
 * stack, as in hook.c.
 *
 * An entry pushes a plain frame. An exit pops it, and writes a record first if the call is to be
 * kept. If kfi_hook_enter() (hook.h) or kfi_fast_exit() cannot do that, the hook calls hook.c.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/kfi.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "hooks/hook.h"

/*
 * Return true if no session is live. On x86_64 and arm64 with call sites this is not checked: the
 * sites are nops then, and a hook that is called all the same finds no plain frame and takes the
 * slow path. It can look for one, because current has its shadow stack before the first
 * instrumented function runs (KFI_INIT_TASK).
 *
 * @on is 0 or 1. x86 tests one bit of it by one instruction (testb), but loads a whole word first.
 */
static __always_inline bool off(void)
{
	return !(IS_ENABLED(CONFIG_KFI_PATCH_SITES) &&
		 (IS_ENABLED(CONFIG_X86_64) || IS_ENABLED(CONFIG_ARM64))) &&
	       likely(!(kfi_fast.on & 1));
}

/*
 * Undo the push of a frame that an interrupt has disturbed, and handle the entry again, out of
 * line. Called with preemption off, and turns it on.
 */
static noinline void enter_again(struct kfi_stack *s, struct kfi_frame *f)
{
	unsigned long func = f->func, site = f->site;

	kfi_fast_undo(s, f, KFI_CTX_TASK);
	preempt_enable_notrace();
	kfi_hook_enter_outline(func, site, NULL);
}

/*
 * How keep() gets the fast-path state. On arm64 the caller passes the address of kfi_fast and its
 * text base, which it has in registers, because loading them takes two instructions and one.
 * Elsewhere they are constants or part of an instruction.
 */
#ifdef CONFIG_ARM64
#define passed_on	__noclone
#define known(x)	(x)
#else
#define passed_on
#define known(x)	kfi_fast.x
#endif

/*
 * Keep a task's call: write its record and pop its frame. Called with preemption off, and turns it
 * on.
 * @rel: the function, relative to the text base. It and @top are in the registers in which
 *	kfi_hook_keep_common() needs them
 * @top: the first frame above that of the call
 */
static noinline passed_on void keep(unsigned long rel, struct kfi_frame *top, u64 dur,
				    struct kfi_stack *s, const struct kfi_fast *fast,
				    unsigned long text, u32 below)
{
	if (likely(kfi_fast_keep_packed(fast, s, top - 1, rel, known(text), KFI_CTX_TASK,
					top[-1].entry + dur, dur, below)))
		preempt_enable_notrace();
	else
		kfi_hook_keep_common(rel, top, dur, s, KFI_CTX_TASK);
}

/* The entry hook. Must hold: the calls of other functions are the last thing it does. */
void __cyg_profile_func_enter(void *func, void *site)
{
	struct kfi_stack *s;
	struct kfi_frame *f;
	enum kfi_path path;

	if (off())
		return;
	preempt_disable_notrace();
	s = READ_ONCE(current->kfi.stack);
	path = kfi_hook_enter(&kfi_fast, s, kfi_code_address(func), kfi_code_address(site), &f);
	if (unlikely(path == KFI_PATH_UNDO)) {
		enter_again(s, f);
		return;
	}
	preempt_enable_notrace();
	if (unlikely(path == KFI_PATH_SLOW))
		kfi_hook_enter_outline(kfi_code_address(func), kfi_code_address(site), NULL);
}
EXPORT_SYMBOL(__cyg_profile_func_enter);

/* The exit hook. */
void __cyg_profile_func_exit(void *func, void *site)
{
	struct kfi_stack *s;
	struct kfi_frame *f;
	enum kfi_path path;
	unsigned long text;
	u64 end, dur;
	u32 below;

	if (off())
		return;
	preempt_disable_notrace();
	s = READ_ONCE(current->kfi.stack);
	path = kfi_fast_exit(&kfi_fast, s, kfi_code_address(func), KFI_CTX_TASK, &f, &end, &dur,
			     &below);
	if (path == KFI_PATH_KEEP) {
		text = kfi_fast.text;
		keep(kfi_code_address(func) - text, f + 1, dur, s, &kfi_fast, text, below);
		return;
	}
	preempt_enable_notrace();
	if (unlikely(path == KFI_PATH_SLOW))
		kfi_hook_exit_outline(kfi_code_address(func), true, 0);
}
EXPORT_SYMBOL(__cyg_profile_func_exit);
