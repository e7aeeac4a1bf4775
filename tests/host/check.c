// SPDX-License-Identifier: GPL-2.0
/*
 * The runner behind check.h: counts, prints, and wraps the allocator (--wrap of the linker).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int failures;
static long alloc_left = -1;
static bool alloc_failed;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);

static bool must_fail(void)
{
	if (alloc_left < 0)
		return false;
	if (alloc_left-- > 0)
		return false;
	alloc_failed = true;
	return true;
}

void *__wrap_malloc(size_t size)
{
	return must_fail() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return must_fail() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return must_fail() ? NULL : __real_realloc(p, size);
}

void check_fail_alloc(long n)
{
	alloc_left = n;
	alloc_failed = false;
}

bool check_alloc_failed(void)
{
	return alloc_failed;
}

bool check_true(bool ok, const char *what, const char *file, int line)
{
	if (!ok) {
		failures++;
		printf("# %s:%d: does not hold: %s\n", file, line, what);
	}
	return ok;
}

bool check_eq(long long got, long long want, const char *what, const char *file, int line)
{
	if (got == want)
		return true;
	failures++;
	printf("# %s:%d: %s is %lld, should be %lld\n", file, line, what, got, want);
	return false;
}

bool check_str(const char *got, const char *want, const char *what, const char *file, int line)
{
	if (got && want && strcmp(got, want) == 0)
		return true;
	failures++;
	printf("# %s:%d: %s is \"%s\", should be \"%s\"\n", file, line, what,
	       got ? got : "(null)", want ? want : "(null)");
	return false;
}

int check_run(const struct check_case *cases, size_t n)
{
	size_t passed = 0;

	printf("1..%zu\n", n);
	for (size_t i = 0; i < n; i++) {
		failures = 0;
		cases[i].fn();
		check_fail_alloc(-1);
		passed += failures == 0;
		printf("%s %zu - %s\n", failures ? "not ok" : "ok", i + 1, cases[i].name);
		fflush(stdout);
	}
	printf("%zu passed, %zu failed\n", passed, n - passed);
	return passed == n ? 0 : 1;
}
