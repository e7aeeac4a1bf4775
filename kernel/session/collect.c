// SPDX-License-Identifier: GPL-2.0
/*
 * Collecting: what a complete session has left in its ring and on the shadow stacks becomes a log
 * in order of entry. A live session is copied first, while all CPUs stand still.
 */
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/stop_machine.h>

#include "arch/arch.h"
#include "hooks/live.h"
#include "session/session.h"

/* Return when the chunk of a row was taken, as a number. Open calls have none, and come last. */
static u64 order_of(const struct kfi_log *log, const struct kfi_row *row)
{
	return row->chunk == KFI_ROW_OPEN ? U64_MAX : kfi_ring_order(&log->run.ring, row->chunk);
}

/* Of two entered in the same tick the outer one comes first. */
int kfi_collect_compare(const void *a, const void *b, const void *log)
{
	const struct kfi_row *x = a, *y = b;
	struct kfi_rec rx, ry;

	if (x->entry != y->entry)
		return x->entry < y->entry ? -1 : 1;
	kfi_log_decode(log, x, &rx);
	kfi_log_decode(log, y, &ry);
	if (rx.depth != ry.depth && !((rx.marks | ry.marks) & KFI_MARK_NOTIME))
		return rx.depth < ry.depth ? -1 : 1;
	if (x->chunk != y->chunk)
		return order_of(log, x) < order_of(log, y) ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static int compare_rows(const void *a, const void *b, const void *log)
{
	kfi_resched();
	return kfi_collect_compare(a, b, log);
}

enum kfi_count kfi_collect_verdict(const struct kfi_log *log, const struct kfi_rec *r)
{
	return r->marks || r->event ? KFI_KEPT :
	       kfi_filter_time(&log->run.filter, r->exit - r->entry);
}

bool kfi_collect_refilter(struct kfi_log *log, const struct kfi_rec *r)
{
	enum kfi_count verdict = kfi_collect_verdict(log, r);

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

		kfi_resched();
		while ((words = kfi_ring_read(ring, chunk, at, &r))) {
			at += words;
			n++;
		}
	}
	return n;
}

/*
 * Open calls are in no ring: only here are they filtered, as far as they are known. All stay in the
 * array, those that are kept first, since a crash may look at them at any time. It counts all, but
 * within a swap() one of the two is there twice.
 */
void kfi_collect_open(struct kfi_log *log)
{
	u32 i, kept = 0;

	for (i = 0; i < log->nopen; i++) {
		enum kfi_count verdict = kfi_call_filtered_by(&log->run, &log->open[i]);

		kfi_resched();
		if (verdict == KFI_KEPT) {
			swap(log->open[kept], log->open[i]);
			kept++;
		} else {
			log->total[verdict]++;
		}
	}
	log->nopen = kept;
}

static void index_open(struct kfi_log *log)
{
	u32 i;

	for (i = 0; i < log->nopen; i++) {
		kfi_resched();
		log->rows[log->nrows++] = (struct kfi_row) { log->open[i].entry, KFI_ROW_OPEN, i };
	}
}

void kfi_collect_lowest(struct kfi_event *low, const struct kfi_event *e)
{
	if (e->kind == KFI_EVENT_STACK &&
	    (!low->value || e->value < low->value ||
	     (e->value == low->value && e->depth > low->depth)))
		*low = *e;
}

void kfi_collect_event(struct kfi_log *log, u32 chunk, u32 at)
{
	struct kfi_event e;

	log->nevents++;
	if (kfi_ring_event(&log->run.ring, chunk, at, &e))
		kfi_collect_lowest(&log->lowest, &e);
}

static void index_ring(struct kfi_log *log)
{
	const struct kfi_ring *ring = &log->run.ring;
	u32 chunk;

	for (chunk = 0; chunk < kfi_ring_taken(ring); chunk++) {
		struct kfi_rec r;
		u32 at = 0, words;

		kfi_resched();
		for (; (words = kfi_ring_read(ring, chunk, at, &r)); at += words) {
			if (r.event)
				kfi_collect_event(log, chunk, at);
			if (kfi_collect_refilter(log, &r))
				log->rows[log->nrows++] = (struct kfi_row) { r.entry, chunk, at };
		}
	}
}

/* What was overwritten is lost, whatever it has been counted as before. */
static void count_evicted(struct kfi_log *log, enum kfi_rec_kind kind, u64 n)
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

void kfi_collect_overwritten(const struct kfi_run *run, u64 n[KFI_REC_KINDS])
{
	unsigned int cpu, i;

	for (i = 0; i < KFI_REC_KINDS; i++) {
		n[i] = 0;
		for_each_possible_cpu(cpu)
			n[i] += kfi_counter_read(&run->cpus[cpu].ring.evicted[i]);
	}
}

void kfi_collect_counts(struct kfi_log *log, bool read)
{
	u64 overwritten[KFI_REC_KINDS];
	unsigned int cpu, i;

	memset(log->total, 0, sizeof(log->total));
	log->total[KFI_KEPT] = kfi_ring_kept(&log->run.ring);
	log->total[KFI_SEEN] = log->total[KFI_KEPT];
	for_each_possible_cpu(cpu) {
		for (i = 0; i < KFI_COUNTS; i++)
			log->total[i] += kfi_count_read(&log->run.cpus[cpu], i);
		log->total[KFI_SEEN] += kfi_counter_read(&log->run.cpus[cpu].still_seen);
		log->total[KFI_LOST_SNAPSHOT] += kfi_counter_read(&log->run.cpus[cpu].still_lost);
		for (i = 0; i < KFI_REC_KINDS && !read; i++)
			count_evicted(log, i,
				      kfi_counter_read(&log->run.cpus[cpu].ring.evicted_read[i]));
	}
	kfi_collect_overwritten(&log->run, overwritten);
	for (i = 0; i < KFI_REC_KINDS; i++)
		count_evicted(log, i, overwritten[i]);
}

static int compare_by_func(const void *a, const void *b)
{
	kfi_resched();
	return kfi_prof_by_func(a, b);
}

static int compare_by_total(const void *a, const void *b)
{
	kfi_resched();
	return kfi_prof_by_total(a, b);
}

/* Open calls are without times, too. */
static void add_open(struct kfi_log *log)
{
	u32 i;

	for (i = 0; i < log->nopen; i++) {
		kfi_resched();
		log->sums[log->nrows++] = (struct kfi_prof_sum) {
			.func = log->open[i].func, .untimed = 1
		};
	}
}

static void read_sums(struct kfi_log *log)
{
	struct kfi_prof_pos pos = { 0 };
	u32 cpu, n = 0;

	while (kfi_prof_next(&log->run.ring, &pos, &log->sums[n], &cpu)) {
		kfi_resched();
		n++;
	}
	log->nrows = n;
}

/* Make one sum of those of each function. They are sorted by function. */
static void merge_sums(struct kfi_log *log)
{
	u32 i, n = 0;

	for (i = 0; i < log->nrows; i++) {
		kfi_resched();
		if (!n || !kfi_prof_merge(&log->sums[n - 1], &log->sums[i]))
			log->sums[n++] = log->sums[i];
	}
	log->nrows = n;
}

/*
 * For the rows, which may need as much memory as the log itself. If there is too little, the read
 * fails, and can be repeated: no process is killed for them.
 */
#define GFP_ROWS	(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

static int collect_sums(struct kfi_log *log)
{
	log->sums = kvcalloc(kfi_prof_entries(&log->run.ring) + log->nopen + 1,
			     sizeof(*log->sums), GFP_ROWS);
	if (!log->sums)
		return -ENOMEM;
	kfi_log_set_times(log, true);
	kfi_collect_counts(log, false);
	read_sums(log);
	kfi_collect_open(log);
	add_open(log);
	sort(log->sums, log->nrows, sizeof(*log->sums), compare_by_func, NULL);
	merge_sums(log);
	sort(log->sums, log->nrows, sizeof(*log->sums), compare_by_total, NULL);
	return 0;
}

static int collect_calls(struct kfi_log *log)
{
	log->rows = kvcalloc(count_records(&log->run.ring) + log->nopen + 1, sizeof(*log->rows),
			     GFP_ROWS);
	if (!log->rows)
		return -ENOMEM;
	kfi_log_set_times(log, true);
	kfi_collect_counts(log, false);
	index_ring(log);
	kfi_collect_open(log);
	index_open(log);
	sort_r(log->rows, log->nrows, sizeof(*log->rows), compare_rows, NULL, log);
	return 0;
}

void kfi_collect_clocks(struct kfi_log *log)
{
	kfi_clock_pair(&log->read);
	if (!kfi_clock_drift(&log->drift_ppm, &log->drift_ms))
		log->drift_ms = 0;
}

int kfi_collect_rows(struct kfi_log *log)
{
	int ret;

	if (!log->loads.load &&
	    kfi_loads_get(&log->loads, log->run.start.time, log->run.stop.time))
		return -ENOMEM;
	ret = log->run.profile ? collect_sums(log) : collect_calls(log);
	if (ret)
		return ret;
	kfi_collect_clocks(log);
	log->hz = kfi_clock.hz;
	/* Pairs with the acquire in kfi_log_is_collected(). */
	smp_store_release(&log->collected, true);
	return 0;
}

/*
 * ---- snapshots ----
 *
 * Every cpu comes here from its stopper thread, with interrupts off. Hooks run with preemption
 * off, so none is in progress below: each call that was seen is kept, filtered, lost or open, and
 * the accounting of the copy is exact. Only NMIs still come. Each cpu parks its stopper thread
 * before it reports that it stands still: from then on hooks of NMIs write nothing that is copied,
 * but for one counter, and their calls and marks are lost. The calls are counted by two counters
 * that only they change; each cpu has read these before. The marks are counted among all lost marks
 * (KFI_MARKS_LOST): the copy may count one that was lost while it was made. No other number depends
 * on that. So one copy is enough, whatever comes: cpus stand still until the last of them has come,
 * and for one copy of the counters, the open calls and, of a ring that wraps or a profile, the
 * words.
 *
 * What runs there is not instrumented and calls nothing that is.
 */

/*
 * Room for what is recorded while memory is allocated for what there was before: that is recorded,
 * too, so more memory needs more. A try that did not suffice is followed by one with four times as
 * much.
 */
#define SPARE_CHUNKS	32
#define SPARE_OPEN	1024

/**
 * struct note - what a cpu has counted of NMIs before it stood still
 * @seen: @still_seen of struct kfi_cpu
 * @lost: @still_lost
 */
struct note {
	struct kfi_counter seen;
	struct kfi_counter lost;
};

/**
 * struct snap - what the cpus share while they stand still
 * @from: the log that is copied
 * @to: the copy
 * @open_room: calls that @to->open has room for
 * @open_want: how many were open; written by the leader
 * @leader: the cpu that copies
 * @cpus: how many cpus come
 * @came: how many have come
 * @copied: the leader has finished
 * @result: 0 or an error
 * @note: by cpu
 */
struct snap {
	const struct kfi_log *from;
	struct kfi_log *to;
	u32 open_room;
	u32 open_want;
	unsigned int leader;
	int cpus;
	atomic_t came;
	bool copied;
	int result;
	struct note *note;
};

/* ---- while all cpus stand still ---- */

static void copy_counts(const struct snap *s)
{
	struct kfi_cpu *to = s->to->run.cpus;
	unsigned int cpu;

	memcpy(to, s->from->run.cpus, nr_cpu_ids * sizeof(*to));
	for_each_online_cpu(cpu) {
		to[cpu].still_seen = s->note[cpu].seen;
		to[cpu].still_lost = s->note[cpu].lost;
	}
	kfi_task_add_counts(&s->from->run, &to[0]);
}

/* How far each chunk is filled. What is below that does not change any more. */
static void copy_limits(const struct kfi_ring *from, struct kfi_ring *to)
{
	u32 i, taken = kfi_ring_taken(from);

	for (i = 0; i < taken; i++) {
		const struct kfi_chunk *c = from->chunks[i];

		*to->chunks[i] = *c;
		local_set(&to->chunks[i]->used, kfi_ring_used(from, c));
	}
	atomic_set(&to->next, taken);
}

static void copy_words(const struct kfi_ring *from, struct kfi_ring *to, u32 chunk)
{
	u32 used = (u32)local_read(&to->chunks[chunk]->used);

	memcpy(to->chunks[chunk]->words, from->chunks[chunk]->words, used * sizeof(u32));
}

static int copy_session(struct snap *s)
{
	const struct kfi_run *from = &s->from->run;
	struct kfi_run *to = &s->to->run;
	u32 i;

	if (atomic_read(&from->state) != KFI_TRIGGERED)
		return -ESTALE;
	s->open_want = kfi_task_count_open(from);
	if (s->open_want > s->open_room || kfi_ring_taken(&from->ring) > to->ring.nchunks)
		return -ENOSPC;
	to->filter = from->filter;
	to->start = from->start;
	atomic_set(&to->phase, atomic_read(&from->phase));
	to->began = from->began;
	to->stop = (struct kfi_edge) { .time = kfi_now() };
	copy_counts(s);
	copy_limits(&from->ring, &to->ring);
	/* Else the words can be copied when the cpus run again: they stay as they are. */
	if (from->ring.wrap || from->profile)
		for (i = 0; i < kfi_ring_taken(&to->ring); i++)
			copy_words(&from->ring, &to->ring, i);
	s->to->nopen = kfi_task_copy_open(from, s->to->open);
	return 0;
}

static void copy_as_leader(struct snap *s)
{
	while (atomic_read(&s->came) != s->cpus)
		cpu_relax();
	smp_mb();	/* all stand still; pairs with atomic_inc_return() there */
	s->result = copy_session(s);
	s->to->still = kfi_now() - s->to->run.stop.time;
	smp_store_release(&s->copied, true);	/* pairs with the acquire of those who wait */
}

static int stand_still(void *data)
{
	unsigned int cpu = raw_smp_processor_id();
	struct kfi_stack *own = current->kfi.stack;
	struct snap *s = data;

	s->note[cpu].seen = s->from->run.cpus[cpu].still_seen;
	s->note[cpu].lost = s->from->run.cpus[cpu].still_lost;
	/* Not parked yet: NMIs leave these alone. */
	barrier();
	WRITE_ONCE(current->kfi.stack, &kfi_parked_stack);
	atomic_inc_return(&s->came);
	if (cpu == s->leader)
		copy_as_leader(s);
	else
		/* Pairs with the release in copy_as_leader(). */
		while (!smp_load_acquire(&s->copied))
			cpu_relax();
	/* Copied: NMIs may record again. */
	barrier();
	WRITE_ONCE(current->kfi.stack, own);
	return 0;
}

/* ---- before and after ---- */

static void stop_and_copy(struct snap *s)
{
	cpus_read_lock();
	s->leader = cpumask_first(cpu_online_mask);
	s->cpus = num_online_cpus();
	atomic_set(&s->came, 0);
	s->copied = false;
	stop_machine_cpuslocked(stand_still, s, cpu_online_mask);
	cpus_read_unlock();
}

/* A log like @log, with memory of its own for what @log has recorded, and @spare chunks more. */
static struct kfi_log *create_copy(struct kfi_log *log, u32 open_room, u32 spare)
{
	u32 nchunks = log->run.ring.nchunks;
	struct kfi_log *to = kmalloc(sizeof(*to), GFP_KERNEL);
	struct kfi_chunk **chunks;

	if (!to)
		return NULL;
	nchunks = min(nchunks, kfi_ring_taken(&log->run.ring) + min(spare, nchunks));
	*to = *log;
	to->run.cpus = kcalloc(nr_cpu_ids, sizeof(*to->run.cpus), GFP_KERNEL);
	to->open = kvcalloc(open_room, sizeof(*to->open), GFP_KERNEL | __GFP_NOWARN);
	chunks = kfi_log_alloc_chunks(nchunks);
	if (!to->run.cpus || !to->open || !chunks) {
		kfi_log_free_chunks(chunks, nchunks);
		kvfree(to->open);
		kfree(to->run.cpus);
		kfree(to);
		return NULL;
	}
	kref_init(&to->ref);
	atomic_set(&to->run.state, KFI_TRIGGERED);
	/* The copy has exact times; the hooks must keep those of the live session. */
	to->run.fast_state = NULL;
	to->run.tag = 0;
	kfi_ring_init(&to->run.ring, chunks, nchunks, KFI_CHUNK_BYTES, log->run.ring.text);
	to->run.ring.wrap = log->run.ring.wrap;
	kref_get(&log->first->ref);
	to->of = log;
	to->next = NULL;
	to->first = to;
	to->mods.run = NULL;
	to->boot = false;
	to->collected = false;
	to->rows = NULL;
	to->sums = NULL;
	to->loads.load = NULL;
	to->nrows = 0;
	to->nopen = 0;
	to->retired = false;
	return to;
}

struct kfi_log *kfi_collect_snapshot(struct kfi_log *log)
{
	struct snap s = { .from = log };
	u32 spare = SPARE_CHUNKS + kfi_ring_taken(&log->run.ring) / 8, i;
	int ret;

	s.note = kcalloc(nr_cpu_ids, sizeof(*s.note), GFP_KERNEL);
	if (!s.note)
		return ERR_PTR(-ENOMEM);
	do {
		s.open_room = s.open_want + SPARE_OPEN;
		s.to = create_copy(log, s.open_room, spare);
		if (!s.to) {
			ret = -ENOMEM;
			break;
		}
		stop_and_copy(&s);
		ret = s.result;
		if (ret)
			kfi_log_put(s.to);
		spare = min(4 * spare, log->run.ring.nchunks);
	} while (ret == -ENOSPC);
	kfree(s.note);
	if (ret)
		return ERR_PTR(ret);
	if (log->run.ring.wrap || log->run.profile)
		return s.to;
	for (i = 0; i < kfi_ring_taken(&s.to->run.ring); i++) {
		kfi_resched();
		copy_words(&log->run.ring, &s.to->run.ring, i);
	}
	return s.to;
}
