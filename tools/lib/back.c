// SPDX-License-Identifier: GPL-2.0
/* Recursion, from the last call back: see back.h. */
#include <stdlib.h>

#include "back.h"

/* There is room for calls as deep as that, and for some that go deeper. */
#define DEPTH_USUAL	64
#define ROOM_MORE	(1u << 20)

void kfi_back_init(struct kfi_back *b)
{
	memset(b, 0, sizeof(*b));
	for (u32 i = 0; i < KFI_BACK_LATEST; i++)
		b->latest[i].key = U64_MAX;
}

/* Number of a task that is not among those seen last. */
static u32 find_task(struct kfi_back *b, u64 key)
{
	u32 *at = kfi_map_get(&b->task_of, key, KFI_NONE);

	if (!at || *at != KFI_NONE)
		return at ? *at : KFI_NONE;
	if (kfi_grow((void **)&b->task, &b->room, b->ntasks + 1, sizeof(*b->task)))
		return KFI_NONE;
	b->task[b->ntasks] = (struct kfi_back_task){ NULL, 0 };
	*at = b->ntasks;
	return b->ntasks++;
}

static inline struct kfi_back_task *task_of(struct kfi_back *b, s32 task, s32 cpu)
{
	/* The idle tasks of all cpus are pid 0. */
	u64 key = (u64)(u32)task << 32 | (task > 0 ? 0 : (u32)cpu + 1);
	struct kfi_back_latest *l = &b->latest[(key >> 32 ^ key) % KFI_BACK_LATEST];

	if (unlikely(l->key != key)) {
		u32 number = find_task(b, key);

		if (number == KFI_NONE)
			return NULL;
		l->key = key;
		l->task = number;
	}
	return &b->task[l->task];
}

/* Return: 0; 2: too many are too deep; -ENOMEM. */
static int more_depth(struct kfi_back *b, struct kfi_back_task *t, u32 depth)
{
	u32 old = t->room;

	if (b->places + depth > ROOM_MORE + (u64)b->ntasks * DEPTH_USUAL)
		return 2;
	if (kfi_grow((void **)&t->at, &t->room, depth + 1, sizeof(*t->at)))
		return -ENOMEM;
	b->places += t->room - old;
	for (u32 i = old; i < t->room; i++)
		t->at[i] = (struct kfi_back_at){ i ? S64_MAX : -S64_MAX, KFI_NONE };
	return 0;
}

static int more_funcs(struct kfi_back *b, u32 func)
{
	u32 old = b->funcs;

	if (kfi_grow((void **)&b->least, &b->funcs, func + 1, sizeof(*b->least)))
		return -ENOMEM;
	for (u32 i = old; i < b->funcs; i++)
		b->least[i] = S64_MAX;
	return 0;
}

/*
 * The outer calls from @at on downwards are missing, or of a later one: from here on they are none.
 * Return: whether all are before, or behind.
 */
static bool fill_gap(struct kfi_back *b, struct kfi_back_at *at, s64 entry, s64 end)
{
	for (; at->entry > entry; at--) {
		if (at->entry < end)
			return false;
		b->touch |= at->entry == end;
		*at = (struct kfi_back_at){ entry, KFI_NONE };
	}
	b->same |= at->entry == entry;
	return true;
}

int kfi_back_call(struct kfi_back *b, s64 entry, s64 end, u32 func, u32 depth, s32 task, s32 cpu)
{
	struct kfi_back_task *t = task_of(b, task, cpu);
	struct kfi_back_at *at;

	if (unlikely(!t))
		return -ENOMEM;
	if (unlikely(depth >= t->room)) {
		int ret = more_depth(b, t, depth);

		if (ret)
			return ret;
	}
	at = &t->at[depth];
	/* What came at this depth came behind it; at depth 0 there is none. */
	if (unlikely(end > at->entry))
		return 2;
	b->touch |= end == at->entry;
	b->empty |= end == entry;
	if (unlikely(at[-1].entry >= entry) && !fill_gap(b, at - 1, entry, end))
		return 2;
	*at = (struct kfi_back_at){ entry, func };
	if (unlikely(func >= b->funcs)) {
		if (func == KFI_NONE)
			return 0;
		if (more_funcs(b, func))
			return -ENOMEM;
	}
	if (likely(b->least[func] > entry)) {
		b->least[func] = entry;
		return 0;
	}
	while (--at > t->at)
		if (at->func == func)
			return 1;
	return 0;
}

void kfi_back_free(struct kfi_back *b)
{
	for (u32 i = 0; i < b->ntasks; i++)
		free(b->task[i].at);
	free(b->task);
	free(b->least);
	kfi_map_free(&b->task_of);
	memset(b, 0, sizeof(*b));
}
