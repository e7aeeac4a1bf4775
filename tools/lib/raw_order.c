// SPDX-License-Identifier: GPL-2.0
/*
 * Puts the records of a raw log in order of entry; see raw.h.
 *
 * Records are in order of exit, CPU by CPU. raw.c has cut the log into blocks of several chunks.
 * For each block it knows the earliest entry of a call, except calls that took very long, which it
 * keeps aside. Calls that were entered before everything in blocks not read yet can be delivered.
 * So only blocks that overlap in time are in memory.
 */
#include <stdlib.h>

#include "raw_rec.h"

#define DIGIT_BITS	11
#define DIGITS		(1u << DIGIT_BITS)

/* Size of a bucket: two buckets fit into the nearest cache. */
#define BUCKET		512

/* More calls than this are put into buckets before they are sorted. */
#define MANY		16384

/*
 * Sort by one digit of the entry, keeping the order of equal ones. Return: true if @to has them
 * now.
 */
static bool sort_digit(const struct kfi_raw_at *from, struct kfi_raw_at *to, u32 n, u64 least,
		       u32 shift)
{
	static u32 at[DIGITS];
	u32 sum = 0;

	memset(at, 0, sizeof(at));
	for (u32 i = 0; i < n; i++)
		at[(from[i].entry - least) >> shift & (DIGITS - 1)]++;
	if (at[(from[0].entry - least) >> shift & (DIGITS - 1)] == n)
		return false;
	for (u32 i = 0; i < DIGITS; i++) {
		u32 count = at[i];

		at[i] = sum;
		sum += count;
	}
	for (u32 i = 0; i < n; i++)
		to[at[(from[i].entry - least) >> shift & (DIGITS - 1)]++] = from[i];
	return true;
}

static void find_limits(const struct kfi_raw_at *a, u32 n, u64 *least, u64 *most)
{
	*least = U64_MAX;
	*most = 0;
	for (u32 i = 0; i < n; i++) {
		*least = a[i].entry < *least ? a[i].entry : *least;
		*most = a[i].entry > *most ? a[i].entry : *most;
	}
}

/* Sort few calls by insertion; they are mostly in order. */
static void insertion_sort(const struct kfi_raw_at *from, struct kfi_raw_at *to, u32 n)
{
	for (u32 i = 0, k; i < n; i++) {
		struct kfi_raw_at x = from[i];

		for (k = i; k && to[k - 1].entry > x.entry; k--)
			to[k] = to[k - 1];
		to[k] = x;
	}
}

/* Sort by digits, the last digit first, from @a to @b; @a is overwritten. */
static void radix_sort(struct kfi_raw_at *a, struct kfi_raw_at *b, u32 n)
{
	struct kfi_raw_at *from = a, *to = b, *x;
	u64 least, most;

	if (n <= 16) {
		insertion_sort(a, b, n);
		return;
	}
	find_limits(a, n, &least, &most);
	for (u32 shift = 0; shift < 64 && (most - least) >> shift; shift += DIGIT_BITS) {
		if (!sort_digit(from, to, n, least, shift))
			continue;
		x = from;
		from = to;
		to = x;
	}
	if (from != b)
		memcpy(b, a, (size_t)n * sizeof(*a));
}

/*
 * Put calls into buckets, each for the same length of time, one after the other, and then sort each
 * bucket. So few places of memory are written at a time, and each bucket is sorted in the cache.
 * Calls move from @a to @b.
 */
static int sort_buckets(const struct kfi_raw_at *a, struct kfi_raw_at *b, struct kfi_raw_at *spare,
			u32 rows)
{
	u32 want = rows / BUCKET + 1, shift = 0, n, sum = 0, *at;
	u64 least, most;

	find_limits(a, rows, &least, &most);
	while (shift < 63 && (most - least) >> shift >= want)
		shift++;
	n = (u32)((most - least) >> shift) + 1;
	at = calloc((size_t)n + 1, sizeof(*at));
	if (!at)
		return -ENOMEM;
	for (u32 i = 0; i < rows; i++)
		at[(a[i].entry - least) >> shift]++;
	for (u32 i = 0; i < n; i++) {
		u32 count = at[i];

		at[i] = sum;
		sum += count;
	}
	for (u32 i = 0; i < rows; i++)
		spare[at[(a[i].entry - least) >> shift]++] = a[i];
	/* Now @at has the end of each bucket. */
	for (u32 i = 0, from = 0; i < n; from = at[i++])
		radix_sort(spare + from, b + from, at[i] - from);
	free(at);
	return 0;
}

/* qsort() passes no argument. */
static _Thread_local const struct kfi_raw *sorting;

static int by_place(const void *a, const void *b)
{
	const struct kfi_raw_at *x = a, *y = b;

	return x->place < y->place ? -1 : x->place > y->place;
}

/* Compare two calls that were entered in the same count: the outer one comes first. */
static int by_depth(const void *a, const void *b)
{
	struct kfi_raw_call c, d;

	kfi_raw_call_at(sorting, a, &c);
	kfi_raw_call_at(sorting, b, &d);
	if (c.depth != d.depth && !((c.marks | d.marks) & KFI_MARK_NOTIME))
		return c.depth < d.depth ? -1 : 1;
	return by_place(a, b);
}

/* Sort @list; @spare is room for it. Return: 0 or -ENOMEM. */
static int sort_list(const struct kfi_raw *r, struct kfi_raw_list *list, struct kfi_raw_list *spare)
{
	struct kfi_raw_list other = *spare;
	u32 n = list->n;

	if (n && kfi_grow((void **)&spare->at, &spare->room, n, sizeof(*spare->at)))
		return -ENOMEM;
	if (n > MANY) {
		struct kfi_raw_at *more = malloc((size_t)n * sizeof(*more));
		int ret = more ? sort_buckets(list->at, spare->at, more, n) : -ENOMEM;

		free(more);
		if (ret)
			return ret;
	} else if (n) {
		radix_sort(list->at, spare->at, n);
	}
	other = *list;
	*list = *spare;
	*spare = other;
	list->n = n;
	sorting = r;
	for (u32 i = 0, k; i < n; i = k) {
		struct kfi_raw_at *a = list->at;

		for (k = i + 1; k < n && a[k].entry == a[i].entry; k++)
			;
		if (likely(k == i + 1))
			continue;
		/*
		 * By depth; calls without a time, and calls of the same depth, by place in the
		 * file.
		 */
		qsort(a + i, k - i, sizeof(*a), by_place);
		qsort(a + i, k - i, sizeof(*a), by_depth);
	}
	return 0;
}

/* Move the calls of @from that were entered before @limit to @to. Return: 0 or -ENOMEM. */
static int move_before(struct kfi_raw_list *from, struct kfi_raw_list *to, u64 limit, bool all)
{
	u32 left = 0;

	if (from->n && kfi_grow((void **)&to->at, &to->room, to->n + from->n, sizeof(*to->at)))
		return -ENOMEM;
	for (u32 i = 0; i < from->n; i++) {
		struct kfi_raw_at at = from->at[i];
		bool goes = all || at.entry < limit;

		/* To avoid a branch, store the call in both lists, of which only one grows. */
		to->at[to->n] = at;
		from->at[left] = at;
		to->n += goes;
		left += !goes;
	}
	from->n = left;
	return 0;
}

static int by_entry(const void *a, const void *b)
{
	const struct kfi_raw_block *x = a, *y = b;

	return x->entry < y->entry ? -1 : x->entry > y->entry;
}

int kfi_raw_order(struct kfi_raw *r)
{
	if (r->nblocks)
		qsort(r->block, r->nblocks, sizeof(*r->block), by_entry);
	return sort_list(r, &r->aside, &r->spare);
}

/* Read more blocks. Return: 0 or -ENOMEM. */
static int read_blocks(struct kfi_raw *r)
{
	u32 before = r->wait.n;

	/* If many calls wait and each block releases few of them, read several blocks at once. */
	while (r->next_block < r->nblocks && r->wait.n <= before + before / 2)
		if (kfi_raw_read_block(r, &r->block[r->next_block++]))
			return -ENOMEM;
	return 0;
}

/* Put the next calls into @r->ready. Return: 0 or -ENOMEM. */
static int more_calls(struct kfi_raw *r)
{
	bool all = false;

	r->ready.n = r->at = 0;
	while (!r->ready.n && !all) {
		u64 limit = 0;

		if (read_blocks(r))
			return -ENOMEM;
		all = r->next_block == r->nblocks;
		if (!all)
			limit = r->block[r->next_block].entry;
		if (move_before(&r->wait, &r->ready, limit, all))
			return -ENOMEM;
		for (; r->next_aside < r->aside.n; r->next_aside++) {
			const struct kfi_raw_at *at = &r->aside.at[r->next_aside];

			if (!all && at->entry >= limit)
				break;
			if (kfi_raw_list_add(&r->ready, at))
				return -ENOMEM;
		}
	}
	return sort_list(r, &r->ready, &r->spare);
}

int kfi_raw_record(struct kfi_raw *r, struct kfi_raw_call *c)
{
	if (unlikely(r->at == r->ready.n)) {
		if (more_calls(r))
			return -ENOMEM;
		if (!r->ready.n)
			return 0;
	}
	kfi_raw_call_at(r, &r->ready.at[r->at++], c);
	return 1;
}
