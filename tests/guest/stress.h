/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stress.h - everything that can be done to the recorder, at once, for a while
 */
#ifndef STRESS_H
#define STRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * stress() - use the recorder from several processes at once, and judge what it prints
 * @report:  writes a line
 * @seconds: how long
 * @seed:    of what is random; the same seed does not make the same run, but the same texts
 *
 * Return: NULL, or what went wrong.
 */
const char *stress(void (*report)(const char *fmt, ...), int seconds, uint64_t seed);

/**
 * count_leaks() - have kmemleak look for memory without a pointer to it
 * @report: writes a line, for each line of what is found
 *
 * Return: how many objects; 0 where there is no kmemleak.
 */
int count_leaks(void (*report)(const char *fmt, ...));

/** kmemleak_available() - return true if this kernel has kmemleak */
bool kmemleak_available(void);

/**
 * rnd() - the next number of a process's own sequence
 * @n: how many there are to choose from, not 0
 *
 * Return: 0..n-1.
 */
uint32_t rnd(uint32_t n);

/**
 * rnd_seed() - begin a sequence
 * @seed: where
 */
void rnd_seed(uint64_t seed);

#define STRESS_TEXT_MAX		20000

/**
 * stress_text() - a text for /proc/kfi: a command, a configuration, or one with faults
 * @text: where to put it, STRESS_TEXT_MAX bytes
 *
 * Configurations ask for logs of less than ten thousand calls, so that memory is enough for all.
 * Return: its length, not 0.
 */
size_t stress_text(char *text);

/**
 * stress_calls() - open one of the files and do a few random system calls with it
 *
 * Nothing is expected of them but that the kernel survives.
 * Return: how many were made.
 */
unsigned int stress_calls(void);

#endif
