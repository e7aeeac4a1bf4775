// SPDX-License-Identifier: GPL-2.0
/*
 * Collecting: what a complete run has left in its ring and on the shadow stacks becomes a log that
 * can be read in order of entry.
 */
#include <linux/mm.h>
#include <linux/sort.h>

#include "session/collect.h"
#include "session/task.h"

static void decode(const struct kfi_log *log, const struct kfi_row *row, struct kfi_rec *r)
{
	if (row->chunk == KFI_ROW_OPEN)
		*r = log->open[row->at];
	else
		kfi_ring_read(&log->run.ring, row->chunk, row->at, r);
}

void kfi_log_row(const struct kfi_log *log, u32 i, struct kfi_rec *r)
{
	decode(log, &log->rows[i], r);
}

bool kfi_log_event(const struct kfi_log *log, u32 i, struct kfi_event *e)
{
	const struct kfi_row *row = &log->rows[i];

	return row->chunk != KFI_ROW_OPEN &&
	       kfi_ring_event(&log->run.ring, row->chunk, row->at, e);
}

/* When was the chunk of a row taken? Open calls have none, and come last. */
static u32 order_of(const struct kfi_log *log, const struct kfi_row *row)
{
	return row->chunk == KFI_ROW_OPEN ? U32_MAX : kfi_ring_order(&log->run.ring, row->chunk);
}

/* Order of entry; of two entered in the same tick the outer one first. */
static int compare_rows(const void *a, const void *b, const void *priv)
{
	const struct kfi_row *x = a, *y = b;
	struct kfi_rec rx, ry;

	if (x->entry != y->entry)
		return x->entry < y->entry ? -1 : 1;
	decode(priv, x, &rx);
	decode(priv, y, &ry);
	if (rx.depth != ry.depth && !((rx.marks | ry.marks) & KFI_MARK_NOTIME))
		return rx.depth < ry.depth ? -1 : 1;
	if (x->chunk != y->chunk)
		return order_of(priv, x) < order_of(priv, y) ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

bool kfi_collect_late(struct kfi_log *log, const struct kfi_rec *r)
{
	enum kfi_count verdict = KFI_KEPT;

	if (!r->marks && !r->event)
		verdict = kfi_filter_time(&log->run.filter, r->exit - r->entry);
	if (verdict == KFI_KEPT)
		return true;
	log->total[KFI_KEPT]--;
	log->total[verdict]++;
	return false;
}

static u32 count_records(const struct kfi_ring *ring)
{
	u32 chunk, n = 0;

	for (chunk = 0; chunk < kfi_ring_taken(ring); chunk++) {
		struct kfi_rec r;
		u32 at = 0, words;

		while ((words = kfi_ring_read(ring, chunk, at, &r))) {
			at += words;
			n++;
		}
	}
	return n;
}

/* Open calls are in no ring: only here are they filtered, as far as they are known. */
static void filter_open(struct kfi_log *log)
{
	u32 i, kept = 0;

	for (i = 0; i < log->nopen; i++) {
		const struct kfi_rec *r = &log->open[i];
		enum kfi_count verdict = kfi_call_kind(&log->run, r);

		if (verdict == KFI_KEPT)
			log->open[kept++] = *r;
		else
			log->total[verdict]++;
	}
	log->nopen = kept;
}

static void index_open(struct kfi_log *log)
{
	u32 i;

	for (i = 0; i < log->nopen; i++)
		log->rows[log->nrows++] = (struct kfi_row) { log->open[i].entry, KFI_ROW_OPEN, i };
}

/* Take note of the lowest row of a watch. */
void kfi_collect_event(struct kfi_log *log, u32 chunk, u32 at)
{
	struct kfi_event e, *low = &log->lowest;

	log->nevents++;
	if (!kfi_ring_event(&log->run.ring, chunk, at, &e) || e.kind != KFI_EVENT_STACK)
		return;
	if (!low->value || e.value < low->value ||
	    (e.value == low->value && e.depth > low->depth))
		*low = e;
}

static void index_ring(struct kfi_log *log)
{
	const struct kfi_ring *ring = &log->run.ring;
	u32 chunk;

	for (chunk = 0; chunk < kfi_ring_taken(ring); chunk++) {
		struct kfi_rec r;
		u32 at = 0, words;

		for (; (words = kfi_ring_read(ring, chunk, at, &r)); at += words) {
			if (r.event)
				kfi_collect_event(log, chunk, at);
			if (kfi_collect_late(log, &r))
				log->rows[log->nrows++] = (struct kfi_row) { r.entry, chunk, at };
		}
	}
}

/* What was overwritten is lost, whatever it has been counted as before. */
static void lose_thrown(struct kfi_log *log, enum kfi_rec_kind kind, u64 n)
{
	static const struct {
		enum kfi_count from, to;
	} counts[KFI_REC_KINDS] = {
		[KFI_REC_CALL]	 = { KFI_KEPT, KFI_LOST_OVERWRITTEN },
		[KFI_REC_NOTIME] = { KFI_KEPT, KFI_LOST_OVERWRITTEN },
		[KFI_REC_OPEN]	 = { KFI_DIED, KFI_LOST_OVERWRITTEN },
		[KFI_REC_MARK]	 = { KFI_MARKS_KEPT, KFI_MARKS_LOST },
		[KFI_REC_WATCH]	 = { KFI_WATCH_KEPT, KFI_WATCH_LOST },
	};

	log->total[counts[kind].from] -= n;
	log->total[counts[kind].to] += n;
	if (kind == KFI_REC_NOTIME)
		log->total[KFI_NOTIME] -= n;
}

void kfi_collect_counts(struct kfi_log *log)
{
	unsigned int cpu, i;

	memset(log->total, 0, sizeof(log->total));
	for_each_possible_cpu(cpu) {
		for (i = 0; i < KFI_COUNTS; i++)
			log->total[i] += kfi_count_read(&log->run.cpus[cpu], i);
		for (i = 0; i < KFI_REC_KINDS; i++)
			lose_thrown(log, i, kfi_counter_read(&log->run.cpus[cpu].ring.thrown[i]));
	}
}

/* Open calls are without times, too. */
static void add_open(struct kfi_log *log)
{
	u32 i;

	for (i = 0; i < log->nopen; i++)
		log->sums[log->nrows++] = (struct kfi_prof_sum) {
			.func = log->open[i].func, .untimed = 1
		};
}

static int collect_sums(struct kfi_log *log)
{
	log->sums = kvcalloc(kfi_prof_entries(&log->run.ring) + log->nopen + 1,
			     sizeof(*log->sums), GFP_KERNEL);
	if (!log->sums)
		return -ENOMEM;
	kfi_log_set_times(log, true);
	kfi_collect_counts(log);
	log->nrows = kfi_prof_read(&log->run.ring, log->sums);
	filter_open(log);
	add_open(log);
	sort(log->sums, log->nrows, sizeof(*log->sums), kfi_prof_by_func, NULL);
	log->nrows = kfi_prof_merge(log->sums, log->nrows);
	sort(log->sums, log->nrows, sizeof(*log->sums), kfi_prof_by_total, NULL);
	return 0;
}

static int collect_calls(struct kfi_log *log)
{
	log->rows = kvcalloc(count_records(&log->run.ring) + log->nopen + 1, sizeof(*log->rows),
			     GFP_KERNEL);
	if (!log->rows)
		return -ENOMEM;
	kfi_log_set_times(log, true);
	kfi_collect_counts(log);
	index_ring(log);
	filter_open(log);
	index_open(log);
	sort_r(log->rows, log->nrows, sizeof(*log->rows), compare_rows, NULL, log);
	return 0;
}

int kfi_collect_rows(struct kfi_log *log)
{
	int ret;

	if (!log->lives.life &&
	    kfi_lives_get(&log->lives, log->run.start.time, log->run.stop.time))
		return -ENOMEM;
	ret = log->run.profile ? collect_sums(log) : collect_calls(log);
	if (ret)
		return ret;
	if (!kfi_clock_drift(&log->drift_ppm, &log->drift_ms))
		log->drift_ms = 0;
	kfi_cost_measure(&log->cost);
	log->hz = kfi_clock.hz;
	log->collected = true;
	return 0;
}

int kfi_collect(struct kfi_log *log)
{
	int ret;

	if (log->collected)
		return 0;
	ret = kfi_log_unpublish(log);
	if (ret)
		return ret;
	kfi_clock_update();
	if (!log->open) {
		ret = kfi_task_take(&log->run, &log->open, &log->nopen);
		if (ret)
			return ret;
	}
	/* Callouts of the next run may be writing open calls that they have found before. */
	if (log->next) {
		ret = kfi_log_pass();
		if (ret)
			return ret;
	}
	return kfi_collect_rows(log);
}
