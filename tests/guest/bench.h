/* SPDX-License-Identifier: GPL-2.0 */
/*
 * bench.h - the benchmark of the guest
 */
#ifndef BENCH_H
#define BENCH_H

/**
 * bench() - measure what instrumentation costs, and say it
 * @say: takes one line of the report
 */
void bench(void (*say)(const char *fmt, ...));

#endif
