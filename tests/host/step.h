/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interrupts at a chosen instruction: what runs is stepped through with the processor's trap flag,
 * and at the n-th instruction a signal handler runs what stands for an interrupt. By going through
 * all n, every place is met at which an interrupt could do harm, and not only those that a timer
 * happens to hit. Interrupts may be stepped through in turn.
 *
 * Only on x86_64 and without sanitizers, under which there is far too much to step through (make -C
 * tests step): elsewhere the interrupt comes after the last instruction.
 */
#ifndef KFI_TEST_STEP_H
#define KFI_TEST_STEP_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* Are interrupts off? A test may define it before. */
#ifndef STEP_IRQS_OFF
#define STEP_IRQS_OFF	false
#endif

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)

#define STEP_TF		0x100

struct step {
	long left;
	void (*interrupt)(void);
	struct step *outer;
};

static struct step *step_now;

#ifdef KFI_LOCAL_EXCLUSIVE

/* See exclusive.h. An interrupt may also come between the check and the store. */
volatile bool exclusive_held;
extern const char exclusive_stored[], exclusive_stored_two[], exclusive_failed[];

__asm__(".globl exclusive_store, exclusive_store_two\n"
	"exclusive_store:\n"
	"	cmpb	$0, exclusive_held(%rip)\n"
	"	je	exclusive_failed\n"
	"	movq	%rsi, (%rdi)\n"
	"exclusive_stored:\n"
	"	movl	$1, %eax\n"
	"	ret\n"
	"exclusive_failed:\n"
	"	xorl	%eax, %eax\n"
	"	ret\n"
	"exclusive_store_two:\n"
	"	movq	%rsi, %xmm0\n"
	"	movq	%rdx, %xmm1\n"
	"	punpcklqdq %xmm1, %xmm0\n"
	"	cmpb	$0, exclusive_held(%rip)\n"
	"	je	exclusive_failed\n"
	"	movdqa	%xmm0, (%rdi)\n"
	"exclusive_stored_two:\n"
	"	movl	$1, %eax\n"
	"	ret\n");

/* An interrupt returns: who is about to store fails. */
static void exclusive_lose(ucontext_t *uc)
{
	unsigned long at = (unsigned long)uc->uc_mcontext.gregs[REG_RIP];

	exclusive_held = false;
	if ((at >= (unsigned long)exclusive_store && at < (unsigned long)exclusive_stored) ||
	    (at >= (unsigned long)exclusive_store_two && at < (unsigned long)exclusive_stored_two))
		uc->uc_mcontext.gregs[REG_RIP] = (long long)exclusive_failed;
}

#else

static void exclusive_lose(ucontext_t *uc)
{
}

#endif

static void step_trap(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	struct step *s = step_now;

	if (!s)
		return;
	if (s->left > 0) {
		s->left--;
		return;
	}
	if (STEP_IRQS_OFF)
		return;
	s->left = -1;
	/* Once is enough: the rest runs freely. */
	uc->uc_mcontext.gregs[REG_EFL] &= ~STEP_TF;
	step_now = NULL;
	s->interrupt();
	exclusive_lose(uc);
	step_now = s;
}

/*
 * Run @victim, and @interrupt after @n of its instructions. Return: false if it has fewer, and
 * no interrupt came.
 */
static bool step_into(void (*victim)(void), void (*interrupt)(void), long n)
{
	struct step s = { .left = n, .interrupt = interrupt, .outer = step_now };
	struct sigaction sa = { .sa_sigaction = step_trap, .sa_flags = SA_SIGINFO | SA_NODEFER };

	sigaction(SIGTRAP, &sa, NULL);
	step_now = &s;
	__asm__ __volatile__("pushfq\n\torq %0, (%%rsp)\n\tpopfq" : : "i" (STEP_TF)
			     : "cc", "memory");
	victim();
	__asm__ __volatile__("pushfq\n\tandq %0, (%%rsp)\n\tpopfq" : : "i" (~STEP_TF)
			     : "cc", "memory");
	step_now = s.outer;
	return s.left < 0;
}
#else

static bool step_into(void (*victim)(void), void (*interrupt)(void), long n)
{
	victim();
	if (!n)
		interrupt();
	return !n;
}
#endif

#endif /* KFI_TEST_STEP_H */
