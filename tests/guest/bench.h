/* SPDX-License-Identifier: GPL-2.0 */
/*
 * bench.h - the benchmark of the guest
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>

/**
 * note_boot_end() - take the time at which the boot was over
 *
 * Must be called before anything else.
 */
void note_boot_end(void);

/**
 * bench() - measure the cost of instrumentation, and report it
 * @report: takes one line of the report
 * @only_boot: nothing but the boot
 */
void bench(void (*report)(const char *fmt, ...), bool only_boot);

#endif
