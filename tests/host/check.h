/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks for host unit tests: a table of cases, one "ok"/"not ok" line each, and a last line
 * "N passed, N failed". A failed check says where and what, and the case goes on.
 *
 * Every test program is linked with check.c. Allocations of malloc, calloc and realloc can be made
 * to fail one by one, so that a test can walk through all error paths of what it calls.
 */
#ifndef KFI_TEST_CHECK_H
#define KFI_TEST_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct check_case - one row of a test program's table
 * @name: what is tested, as printed
 * @fn: the test; it uses the CHECK macros
 */
struct check_case {
	const char *name;
	void (*fn)(void);
};

#define CHECK(cond)		check_true((cond), #cond, __FILE__, __LINE__)
#define CHECK_EQ(got, want)						\
	check_eq((long long)(got), (long long)(want), #got, __FILE__, __LINE__)
#define CHECK_STR(got, want)	check_str((got), (want), #got, __FILE__, __LINE__)

/* Each returns whether the check held, for "if (!CHECK(p)) return;". */
bool check_true(bool ok, const char *what, const char *file, int line);
bool check_eq(long long got, long long want, const char *what, const char *file, int line);
bool check_str(const char *got, const char *want, const char *what, const char *file, int line);

/**
 * check_fail_alloc - make one coming allocation fail
 * @n: how many succeed before it; negative: none fails any more
 */
void check_fail_alloc(long n);

/**
 * check_alloc_failed - whether the allocation named by check_fail_alloc() has been reached
 *
 * Return: true once an allocation was made to fail; a loop over n ends when it stays false.
 */
bool check_alloc_failed(void);

/**
 * check_run - run a table of cases
 * @cases: the table
 * @n: its length
 *
 * Return: the exit status for main(): 0 when all passed, else 1.
 */
int check_run(const struct check_case *cases, size_t n);

#define CHECK_MAIN(cases)						\
int main(void)								\
{									\
	return check_run(cases, sizeof(cases) / sizeof((cases)[0]));	\
}

#endif /* KFI_TEST_CHECK_H */
