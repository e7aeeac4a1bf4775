/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interrupts at a chosen instruction: what runs is interrupted before its n-th instruction by a
 * signal handler that runs what stands for an interrupt. By going through all n, every place is met
 * at which an interrupt could do harm, and not only those that a timer happens to hit.
 *
 * A copy of the process runs it first, with the processor's trap flag, and notes the address of
 * each instruction. Then a breakpoint interrupts it. Stepping to the n-th instruction for each n
 * would take some hundred times as many signals. What runs in an interrupt is stepped through in
 * the first way, for its path may depend on the place of the interrupt.
 *
 * Only on x86 and without sanitizers, under which there is far too much to step through (make -C
 * tests step): elsewhere the interrupt comes after the last instruction.
 */
#ifndef KFI_TEST_STEP_H
#define KFI_TEST_STEP_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#if (defined(__x86_64__) || defined(__i386__)) && !defined(__SANITIZE_THREAD__) && \
	!defined(__SANITIZE_ADDRESS__)

/* For tests that count places: interrupts come before each instruction. */
#define STEPS

#ifdef __x86_64__
#define STEP_IP		REG_RIP
#define STEP_SP		"%%rsp"
#else
#define STEP_IP		REG_EIP
#define STEP_SP		"%%esp"
#endif

#define STEP_TF		0x100L
#define STEP_INT3	0xcc
#define STEP_MAX	(1 << 20)

/**
 * struct step - what is being interrupted
 * @left: how many instructions come before the interrupt; less than 0: it has come
 * @interrupt: what stands for it
 * @outer: what the interrupt in which this runs has interrupted, or NULL
 * @at: address of a breakpoint, or NULL
 * @was: the byte there
 * @passes: how often the instruction there runs before the interrupt
 * @is_over: it is being stepped over
 */
struct step {
	long left;
	void (*interrupt)(void);
	struct step *outer;
	unsigned char *at;
	unsigned char was;
	long passes;
	bool is_over;
};

/**
 * struct step_path - the instructions of what is interrupted
 * @victim: what that is
 * @last: for which instruction it was used last; STEP_MAX: it is not valid any more
 * @n: how many instructions there are
 * @at: their addresses
 */
struct step_path {
	void (*victim)(void);
	long last;
	long n;
	unsigned char *at[STEP_MAX];
};

static struct step *step_now;
static struct step_path *step_path;	/* memory that a copy of the process shares */
static bool step_notes_path;

#ifdef KFI_LOCAL_EXCLUSIVE

/* See exclusive.h. An interrupt may also come between the check and the store. */
volatile bool exclusive_held;
extern const char exclusive_stored[], exclusive_stored_two[], exclusive_failed[];

#ifdef __x86_64__
#define EXCLUSIVE_HELD		"exclusive_held(%rip)"
#define EXCLUSIVE_ARGUMENTS	""
#define EXCLUSIVE_STORE		"movq %rsi, (%rdi)\n"
#define EXCLUSIVE_PAIR		"movq %rsi, %xmm0; movq %rdx, %xmm1; punpcklqdq %xmm1, %xmm0\n"
#define EXCLUSIVE_STORE_PAIR	"movdqa %xmm0, (%rdi)\n"
#else
#define EXCLUSIVE_HELD		"exclusive_held"
#define EXCLUSIVE_ARGUMENTS	"movl 4(%esp), %edx; movl 8(%esp), %ecx\n"
#define EXCLUSIVE_STORE		"movl %ecx, (%edx)\n"
#define EXCLUSIVE_PAIR		"movq 8(%esp), %xmm0\n"
#define EXCLUSIVE_STORE_PAIR	"movq %xmm0, (%edx)\n"
#endif

__asm__(".globl exclusive_store, exclusive_store_two\n"
	"exclusive_store:\n"
	EXCLUSIVE_ARGUMENTS
	"cmpb $0, " EXCLUSIVE_HELD "\n"
	"je exclusive_failed\n"
	EXCLUSIVE_STORE
	"exclusive_stored:\n"
	"movl $1, %eax\n"
	"ret\n"
	"exclusive_failed:\n"
	"xorl %eax, %eax\n"
	"ret\n"
	"exclusive_store_two:\n"
	EXCLUSIVE_ARGUMENTS
	EXCLUSIVE_PAIR
	"cmpb $0, " EXCLUSIVE_HELD "\n"
	"je exclusive_failed\n"
	EXCLUSIVE_STORE_PAIR
	"exclusive_stored_two:\n"
	"movl $1, %eax\n"
	"ret\n");

/* An interrupt returns: who is about to store fails. */
static void exclusive_lose(ucontext_t *uc)
{
	unsigned long at = (unsigned long)uc->uc_mcontext.gregs[STEP_IP];

	exclusive_held = false;
	if ((at >= (unsigned long)exclusive_store && at < (unsigned long)exclusive_stored) ||
	    (at >= (unsigned long)exclusive_store_two && at < (unsigned long)exclusive_stored_two))
		uc->uc_mcontext.gregs[STEP_IP] = (greg_t)exclusive_failed;
}

#else

static void exclusive_lose(ucontext_t *uc)
{
}

#endif

static void step_die(const char *why)
{
	fprintf(stderr, "step.h: %s\n", why);
	abort();
}

static void step_write(unsigned char *at, unsigned char byte)
{
	unsigned long page = (unsigned long)at & -4096ul;

	if (mprotect((void *)page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC))
		step_die("no breakpoint can be set");
	*at = byte;
}

/* Handle the trap of a breakpoint. Return: whether the interrupt comes now. */
static bool step_breakpoint(struct step *s, ucontext_t *uc)
{
	if (s->is_over) {
		/* The instruction there has run once. */
		s->is_over = false;
		step_write(s->at, STEP_INT3);
		uc->uc_mcontext.gregs[REG_EFL] &= ~STEP_TF;
		return false;
	}
	step_write(s->at, s->was);
	uc->uc_mcontext.gregs[STEP_IP]--;
	if (s->passes-- > 0) {
		s->is_over = true;
		uc->uc_mcontext.gregs[REG_EFL] |= STEP_TF;
		return false;
	}
	return true;
}

static void step_trap(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	struct step *s = step_now;

	if (step_notes_path) {
		if (step_path->n == STEP_MAX)
			step_die("too many instructions");
		step_path->at[step_path->n++] =
			(unsigned char *)(unsigned long)uc->uc_mcontext.gregs[STEP_IP];
		return;
	}
	if (!s)
		return;
	if (s->at) {
		if (!step_breakpoint(s, uc))
			return;
	} else if (s->left > 0) {
		s->left--;
		return;
	}
	s->left = -1;
	/* Once is enough: the rest runs freely. */
	uc->uc_mcontext.gregs[REG_EFL] &= ~STEP_TF;
	step_now = NULL;
	s->interrupt();
	exclusive_lose(uc);
	step_now = s;
}

/* Note the path of @victim from the present state: a copy of the process returns to do so. */
static void step_note_path(void (*victim)(void))
{
	int status;
	pid_t copy;

	if (!step_path)
		step_path = mmap(NULL, sizeof(*step_path), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (step_path == MAP_FAILED)
		step_die("no memory");
	step_path->victim = victim;
	step_path->n = 0;
	copy = fork();
	step_notes_path = !copy;
	if (!copy)
		return;
	if (copy < 0 || waitpid(copy, &status, 0) != copy || status)
		step_die("the path was not noted");
}

/* Set a breakpoint for the @n-th instruction. Return: false if no interrupt can come any more. */
static bool step_break_at(struct step *s, long n)
{
	if (n >= step_path->n)
		return false;
	s->at = step_path->at[n];
	while (n-- > 0)
		s->passes += step_path->at[n] == s->at;
	s->was = *s->at;
	step_write(s->at, STEP_INT3);
	return true;
}

/*
 * Run @victim, and @interrupt before its @n-th instruction. A caller that goes through growing @n
 * makes the same state each time. Return: false if @victim has fewer instructions, and no interrupt
 * came.
 */
static bool step_into(void (*victim)(void), void (*interrupt)(void), long n)
{
	struct step s = { .left = n, .interrupt = interrupt, .outer = step_now };
	struct sigaction sa = { .sa_sigaction = step_trap, .sa_flags = SA_SIGINFO | SA_NODEFER };
	static bool in_interrupt;
	const bool steps = in_interrupt;
	long noted;

	sigaction(SIGTRAP, &sa, NULL);
	if (!steps) {
		if (!step_path || step_path->victim != victim || n <= step_path->last)
			step_note_path(victim);
		step_path->last = n;
		if (!step_notes_path && !step_break_at(&s, n)) {
			/* Had the path become longer, an interrupt would have been left out. */
			noted = step_path->n;
			step_note_path(victim);
			if (!step_notes_path) {
				if (step_path->n != noted)
					step_die("the path depends on what was before");
				step_path->last = STEP_MAX;
				victim();
				return false;
			}
		}
	}
	step_now = &s;
	in_interrupt = true;
	__asm__ __volatile__("pushf\n\tor %0, (" STEP_SP ")\n\tpopf"
			     : : "r" (steps || step_notes_path ? STEP_TF : 0l) : "cc", "memory");
	victim();
	__asm__ __volatile__("pushf\n\tand %0, (" STEP_SP ")\n\tpopf"
			     : : "r" (~STEP_TF) : "cc", "memory");
	if (step_notes_path)
		_exit(0);
	in_interrupt = steps;
	step_now = s.outer;
	if (!steps && s.left >= 0)
		step_die("the path depends on what was before");
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
