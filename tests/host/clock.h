/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock of a test that runs hooks: one that it sets, or the machine's; and an interrupt at
 * any moment at which the clock is read. Defines kfi_now(): included once in a program.
 */
#ifndef CLOCK_H
#define CLOCK_H

#include <time.h>

#include "core/port.h"

/* What the clock shows, unless real_clock is set: then it is the machine's. */
static u64 clock_now;
static bool real_clock;

/* Called once, when the clock is read for the n-th time from now: an interrupt at that moment. */
static void (*at_read)(void);
static int reads_left;

u64 kfi_now(void)
{
	struct timespec ts;
	u64 now = clock_now;

	if (!real_clock) {
		if (at_read && !reads_left--) {
			void (*interrupt)(void) = at_read;

			at_read = NULL;
			interrupt();
		}
		return now;
	}
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000 + (u64)ts.tv_nsec;
}

#endif /* CLOCK_H */
