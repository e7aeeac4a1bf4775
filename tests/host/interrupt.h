/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Signals that stand for interrupts: they come to any thread, at any moment.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <signal.h>
#include <sys/time.h>

/**
 * interrupt_every() - let a timer, and SIGUSR1, interrupt the program
 * @timer:   ITIMER_REAL, or ITIMER_PROF: only while it runs
 * @usecs:   how often, below a second; 0: no more
 * @handler: what an interrupt does
 */
static inline void interrupt_every(int timer, long usecs, void (*handler)(int))
{
	struct itimerval it = { { 0, usecs }, { 0, usecs } };
	struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_RESTART };

	sigaction(timer == ITIMER_PROF ? SIGPROF : SIGALRM, &sa, NULL);
	sigaction(SIGUSR1, &sa, NULL);
	setitimer(timer, &it, NULL);
}

#endif /* INTERRUPT_H */
