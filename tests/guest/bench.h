/* SPDX-License-Identifier: GPL-2.0 */
/*
 * bench.h - the benchmark of the guest
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>

/**
 * bench_booted() - note when the boot was over
 *
 * To be called first of all.
 */
void bench_booted(void);

/**
 * bench() - measure what instrumentation costs, and say it
 * @say: takes one line of the report
 * @only_boot: nothing but the boot
 */
void bench(void (*say)(const char *fmt, ...), bool only_boot);

#endif
