/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compare.h - how often each function of the kernel is called by one program, by KFI or by the
 * function graph tracer, whichever the kernel has
 */
#ifndef COMPARE_H
#define COMPARE_H

/* What init is called when it is to be the program. */
#define WORKLOAD	"workload"

/**
 * workload() - many system calls, always the same, getppid() first; ends in another program
 */
void workload(void);

/**
 * compare() - run workload() several times, count the calls of each function, and report them
 * @report: takes one line of the report
 * @callers_of: a function whose callers are to be counted, too, as "NAME<CALLER"; NULL for none
 *
 * Reports "# calls NAME N N ..." for each function, one N a run; with function graph also which
 * functions can be traced, in lines "# can NAME NAME ...".
 * Return: NULL, or what went wrong.
 */
const char *compare(void (*report)(const char *fmt, ...), const char *callers_of);

/**
 * report_traceable() - report the functions that function graph can trace
 * @report: takes one line, "# can NAME NAME ..."; none where there is no such tracer
 */
void report_traceable(void (*report)(const char *fmt, ...));

#endif
