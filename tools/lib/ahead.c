// SPDX-License-Identifier: GPL-2.0
/* A thread that reads a log: see ahead.h. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "ahead.h"
#include "life.h"

#define BATCHES		4
#define BATCH_ITEMS	512
#define BLOCK		16384

/* Bytes of a file that are read before a thread would have begun. */
#define SMALL		(256u << 10)

/**
 * union item - what kfi_log_item() has delivered
 * @row: if it is a row
 * @mark: if it is a mark
 * @sums: if it is a row of a profile
 */
union item {
	struct kfi_row row;
	struct kfi_log_mark mark;
	struct kfi_sums sums;
};

/* Rows, one behind the other, are an array. */
static_assert(sizeof(union item) == sizeof(struct kfi_row));

/**
 * struct block - some text
 * @next: another one
 * @size: bytes of @text
 * @text: the text
 */
struct block {
	struct block *next;
	size_t size;
	char text[];
};

/**
 * struct batch - items that pass from the thread to the caller at once
 * @n: how many
 * @pos: where the input was behind them
 * @zpos: the same of one that is unpacked
 * @used: bytes used of @block
 * @block: text of slices that do not stay where they are; the newest one first
 * @line: what they are: what kfi_log_item() returned
 * @item: the items
 */
struct batch {
	u32 n;
	const char *pos;
	const u8 *zpos;
	size_t used;
	struct block *block;
	int line[BATCH_ITEMS];
	union item item[BATCH_ITEMS];
};

/**
 * struct kfi_ahead - the thread
 * @log: the caller's log; the thread never looks at it
 * @own: the log; the caller looks at it only while the thread waits for it at a run, and afterwards
 * @lives: what further headers say of which code was where: nobody asks; the thread's
 * @err: what kfi_log_item() said; likewise
 * @thread: the thread
 * @lock: protects @filled, @taken and @stop. A batch is the thread's from when it is taken to when
 *	it is filled, and the caller's else
 * @change: one of them has changed
 * @filled: batches that the thread has filled
 * @taken: those of them that the caller is done with
 * @stop: the caller wants no more
 * @at: next item of the batch that the caller is at; the caller's
 * @batch: the batches, one after the other, and again
 */
struct kfi_ahead {
	struct kfi_log *log;
	struct kfi_log own;
	struct kfi_lives lives;
	struct kfi_err err;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t change;
	u64 filled;
	u64 taken;
	bool stop;
	u32 at;
	struct batch batch[BATCHES];
};

static void forget(struct batch *b)
{
	while (b->block) {
		struct block *next = b->block->next;

		free(b->block);
		b->block = next;
	}
	b->used = 0;
}

static int copy(struct kfi_ahead *a, struct batch *b, struct kfi_str *str)
{
	const struct kfi_in *in = &a->own.in;
	size_t size = str->len < BLOCK ? BLOCK : str->len;
	struct block *block = b->block;

	if (!block || block->size - b->used < str->len) {
		block = malloc(sizeof(*block) + size);
		if (!block)
			return kfi_err_set(&a->err, ENOMEM, "%s: out of memory", in->name);
		block->next = b->block;
		block->size = size;
		b->block = block;
		b->used = 0;
	}
	memcpy(block->text + b->used, str->s, str->len);
	str->s = block->text + b->used;
	b->used += str->len;
	return 0;
}

/* A slice that stays: the map does, all else is written over. */
static inline int keep(struct kfi_ahead *a, struct batch *b, struct kfi_str *str)
{
	const struct kfi_in *in = &a->own.in;

	if (!str->len || (uintptr_t)str->s - (uintptr_t)in->map < in->map_len)
		return 0;
	return copy(a, b, str);
}

static int keep_row(struct kfi_ahead *a, struct batch *b, struct kfi_row *row)
{
	if (row->numbers)
		return 0;
	return keep(a, b, &row->func) ? : keep(a, b, &row->caller) ? : keep(a, b, &row->args);
}

/* One item more. Return: what it is, as kfi_log_item(). */
static int read_item(struct kfi_ahead *a, struct batch *b)
{
	union item *x = &b->item[b->n];
	struct kfi_log *log = &a->own;
	int line = kfi_log_item(log, &x->row, &a->err), ret = 0;

	if (line == KFI_LINE_ROW || line == KFI_LINE_WATCH) {
		ret = keep_row(a, b, &x->row);
	} else if (line == KFI_LINE_MARK) {
		size_t kind = log->mark.kind.s - log->mark.text.s;

		x->mark = log->mark;
		ret = keep(a, b, &x->mark.text);
		x->mark.kind.s = x->mark.text.s + kind;
	} else if (line == KFI_LINE_SUMS) {
		x->sums = log->sums;
		ret = keep(a, b, &x->sums.func);
	}
	b->line[b->n++] = ret ? ret : line;
	return ret ? ret : line;
}

/* Some items more, one at least. Return: what the last one is. */
static int read_items(struct kfi_ahead *a, struct batch *b)
{
	u32 rows = kfi_log_rows(&a->own, &b->item[b->n].row, BATCH_ITEMS - b->n);

	for (u32 i = 0; i < rows; i++, b->n++) {
		int ret = keep_row(a, b, &b->item[b->n].row);

		b->line[b->n] = ret ? ret : KFI_LINE_ROW;
		if (ret) {
			b->n++;
			return ret;
		}
	}
	return rows ? KFI_LINE_ROW : read_item(a, b);
}

/* Waits until the caller is done with all but so many batches. Return: whether to go on. */
static bool wait_for_caller(struct kfi_ahead *a, u64 left)
{
	bool go;

	pthread_mutex_lock(&a->lock);
	while (!a->stop && a->filled - a->taken > left)
		pthread_cond_wait(&a->change, &a->lock);
	go = !a->stop;
	pthread_mutex_unlock(&a->lock);
	return go;
}

static void *read_log(void *arg)
{
	struct kfi_ahead *a = arg;
	int line = KFI_LINE_RULE;

	/* Where a run begins the caller looks at the log: it has to be done with that. */
	while (line > 0 && wait_for_caller(a, line == KFI_LINE_RULE ? 0 : BATCHES - 1)) {
		struct batch *b = &a->batch[a->filled % BATCHES];

		forget(b);
		b->n = 0;
		do
			line = read_items(a, b);
		while (line > 0 && line != KFI_LINE_RULE && b->n < BATCH_ITEMS);
		b->pos = a->own.in.pos;
		b->zpos = a->own.in.zpos;
		pthread_mutex_lock(&a->lock);
		a->filled++;
		pthread_cond_signal(&a->change);
		pthread_mutex_unlock(&a->lock);
	}
	return NULL;
}

bool kfi_ahead_helps(const struct kfi_log *log)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	double load;

	/* In the last minute: a thread that has to wait for a cpu is none that reads ahead. */
	return log->in.map_len >= SMALL && cpus > 1 && getloadavg(&load, 1) == 1 &&
	       load < (double)cpus;
}

struct kfi_ahead *kfi_ahead_start(struct kfi_log *log)
{
	struct kfi_ahead *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->log = log;
	a->own = *log;
	if (log->lives)
		a->own.lives = &a->lives;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->change, NULL);
	if (!pthread_create(&a->thread, NULL, read_log, a))
		return a;
	free(a);
	return NULL;
}

/* The thread waits, or is at its end: the caller's log becomes what the thread's is. */
static void catch_up(struct kfi_ahead *a)
{
	struct kfi_lives *lives = a->log->lives;

	*a->log = a->own;
	a->log->lives = lives;
}

/* The batch that is looked at is done with; waits for another one. */
static void next_batch(struct kfi_ahead *a)
{
	pthread_mutex_lock(&a->lock);
	if (a->at) {
		a->taken++;
		pthread_cond_signal(&a->change);
	}
	while (a->filled == a->taken)
		pthread_cond_wait(&a->change, &a->lock);
	pthread_mutex_unlock(&a->lock);
	a->at = 0;
	/* For who watches how far it is. */
	a->log->in.pos = a->batch[a->taken % BATCHES].pos;
	a->log->in.zpos = a->batch[a->taken % BATCHES].zpos;
}

/* The batch that the next item is of. */
static struct batch *batch_at(struct kfi_ahead *a)
{
	struct batch *b = &a->batch[a->taken % BATCHES];

	/* Behind the last item there is nothing. */
	if (likely(a->at && (a->at < b->n || b->line[a->at - 1] <= 0)))
		return b;
	next_batch(a);
	return &a->batch[a->taken % BATCHES];
}

u32 kfi_ahead_rows(struct kfi_ahead *a, struct kfi_row **row, u32 max)
{
	struct batch *b = batch_at(a);
	u32 n = 0;

	*row = &b->item[a->at].row;
	while (n < max && a->at < b->n && b->line[a->at] == KFI_LINE_ROW) {
		n++;
		a->at++;
	}
	return n;
}

int kfi_ahead_item(struct kfi_ahead *a, struct kfi_row *row, struct kfi_err *err)
{
	const struct batch *b = batch_at(a);
	const union item *x;
	int line;

	if (a->at == b->n)
		return b->line[a->at - 1];
	x = &b->item[a->at];
	line = b->line[a->at++];
	if (line == KFI_LINE_ROW || line == KFI_LINE_WATCH) {
		*row = x->row;
	} else if (line == KFI_LINE_MARK) {
		a->log->mark = x->mark;
	} else if (line == KFI_LINE_SUMS) {
		a->log->sums = x->sums;
	} else {
		catch_up(a);
		if (line < 0)
			*err = a->err;
	}
	return line;
}

void kfi_ahead_stop(struct kfi_ahead *a)
{
	if (!a)
		return;
	pthread_mutex_lock(&a->lock);
	a->stop = true;
	pthread_cond_signal(&a->change);
	pthread_mutex_unlock(&a->lock);
	pthread_join(a->thread, NULL);
	catch_up(a);
	kfi_lives_free(&a->lives);
	for (u32 i = 0; i < BATCHES; i++)
		forget(&a->batch[i]);
	pthread_mutex_destroy(&a->lock);
	pthread_cond_destroy(&a->change);
	free(a);
}
