// SPDX-License-Identifier: GPL-2.0
/*
 * A log: a session with its configuration and memory. It is made from a text here and freed here;
 * the memory of a compiled-in session is static and comes from boot.c.
 */
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <asm/sections.h>

#include "arch/arch.h"
#include "hooks/live.h"
#include "hooks/slow.h"
#include "session/session.h"

/* The least number of entries of a log, as in the historic recorder. */
#define ENTRIES_MIN	100

/* A quarter of the log at most is for calls without time. */
#define NOTIME_SHARE	4

/* The limits of the time filters are wide by one part in 1 << SLACK while a run is live. */
#define SLACK		6

static u64 trigger_counts(const struct kfi_trigger *t)
{
	return t->kind == KFI_TRIG_TIME ? kfi_clock_at_least(t->usecs) : U64_MAX;
}

/*
 * Set the count at which a session starts; hooks may be reading. Where a long has 32 bits they read
 * it in two halves: a new half with one of U64_MAX is no time that has come, but with one of
 * another time it may be one before both. So a time whose high half would change stays as it is.
 */
static void set_start(struct kfi_run *run, u64 at)
{
	if (BITS_PER_LONG == 64 || run->start_at == U64_MAX || run->start_at >> 32 == at >> 32)
		WRITE_ONCE(run->start_at, at);
}

void kfi_log_set_times(struct kfi_log *log, bool exact)
{
	const struct kfi_conf *c = &log->conf;
	u64 min = kfi_clock_at_most(c->mintime_us), max = U64_MAX;
	u64 start = trigger_counts(&c->start);
	struct kfi_run *run = &log->run;

	/* A profile has no calls that could be filtered when it is collected. */
	if (c->mode == KFI_MODE_PROFILE)
		exact = true;
	if (!exact)
		min -= min >> SLACK;
	/* maxtime N has whole microseconds: it keeps calls of less than N + 1. */
	if (c->maxtime_us)
		max = kfi_clock_at_least(c->maxtime_us + 1) - 1;
	if (!exact && max < U64_MAX / 2)
		max += max >> SLACK;
	/* Those of a profile stay exact: if they change, a note says so (@refined). */
	if (!exact)
		kfi_filter_widen(&min, &max);
	if (run->profile && run->start.cause != KFI_BY_NOTHING &&
	    (min != run->filter.min || max != run->filter.max))
		log->refined = true;
	kfi_filter_set_times(&run->filter, min, max);
	if (run->tag && READ_ONCE(run->fast_state->tag) == run->tag)
		kfi_fast_set_min(run->fast_state, min);
	set_start(run, start > U64_MAX - kfi_clock.zero ? U64_MAX : kfi_clock.zero + start);
	kfi_run_know_stop(run, trigger_counts(&c->stop), kfi_clock.zero);
}

void kfi_log_setup(struct kfi_log *log, struct kfi_chunk **chunks, u32 nchunks)
{
	const struct kfi_conf *c = &log->conf;
	struct kfi_run *run = &log->run;
	u32 i;

	kfi_clock_pair(&log->made);
	kref_init(&log->ref);
	atomic_set(&run->state, KFI_IDLE);
	run->routine = KFI_GENERATION_NEVER;
	run->start_at = U64_MAX;
	run->stop_at = U64_MAX;
	run->stops_by_time = c->stop.kind == KFI_TRIG_TIME;
	run->repeat = c->autorepeat;
	run->fast_state = &kfi_fast;
	if (c->start.kind == KFI_TRIG_ENTRY)
		run->start_entry = (unsigned long)c->start.func.addr;
	if (c->start.kind == KFI_TRIG_EXIT)
		run->start_exit = (unsigned long)c->start.func.addr;
	if (c->stop.kind == KFI_TRIG_ENTRY)
		run->stop_entry = (unsigned long)c->stop.func.addr;
	if (c->stop.kind == KFI_TRIG_EXIT)
		run->stop_exit = (unsigned long)c->stop.func.addr;
	run->marks = c->marks;
	kfi_watch_init(run, c->watch, c->watch_bytes);
	run->args = c->args;
	run->ret = c->ret;
	run->at_entry = run->repeat || run->filter.lists[KFI_LIST_UNDER].given;
	kfi_mods_watch(&log->mods, run, c);
	kfi_log_set_times(log, false);
	/* They cannot fill a log that is never full. */
	atomic_set(&run->notime_room,
		   c->mode == KFI_MODE_START ? (int)(log->entries / NOTIME_SHARE) : INT_MAX);
	kfi_ring_init(&run->ring, chunks, nchunks, KFI_CHUNK_BYTES, KFI_TEXT_BASE);
	run->ring.wrap = c->mode == KFI_MODE_OVERWRITE;
	run->profile = c->mode == KFI_MODE_PROFILE;
	for (i = 0; i < nr_cpu_ids; i++)
		kfi_ring_cpu_init(&run->cpus[i].ring);
}

void kfi_log_sum_entries(const struct kfi_log *log, u64 *entries, u64 *wanted)
{
	for (*entries = *wanted = 0; log; log = log->next) {
		*entries += log->entries;
		*wanted += log->wanted ?: log->entries;
	}
}

#define CHUNKS_PER_PAGE		(PAGE_SIZE / KFI_CHUNK_BYTES)

/* Free the pages of the chunks: each by its first chunk. */
void kfi_log_free_chunks(struct kfi_chunk **chunks, u32 n)
{
	u32 i;

	if (!chunks)
		return;
	for (i = 0; i < n; i += CHUNKS_PER_PAGE) {
		kfi_resched();
		free_page((unsigned long)chunks[i]);
	}
	kfree(chunks);
}

/*
 * Return true if the system keeps a quarter of the memory that it has left for the kernel. Pages
 * can be had one by one until there are none, and then others get none.
 */
static bool is_room_for(u32 nchunks)
{
	long available = si_mem_available() - (long)nr_free_highpages();

	return DIV_ROUND_UP(nchunks, CHUNKS_PER_PAGE) <= max(available, 0L) / 4 * 3;
}

struct kfi_chunk **kfi_log_alloc_chunks(u32 n)
{
	struct kfi_chunk **chunks = NULL;
	unsigned long page = 0;
	u32 i;

	BUILD_BUG_ON(PAGE_SIZE % KFI_CHUNK_BYTES);
	if (is_room_for(n))
		chunks = kcalloc(n, sizeof(*chunks), GFP_KERNEL | __GFP_NOWARN);
	if (!chunks)
		return NULL;
	for (i = 0; i < n; i++, page += KFI_CHUNK_BYTES) {
		kfi_resched();
		if (i % CHUNKS_PER_PAGE == 0)
			page = __get_free_page(GFP_KERNEL | __GFP_ZERO | __GFP_NORETRY |
					       __GFP_NOWARN);
		if (!page) {
			kfi_log_free_chunks(chunks, i);
			return NULL;
		}
		chunks[i] = (struct kfi_chunk *)page;
	}
	return chunks;
}

/*
 * Get memory for the entries that were asked for, or for half of them, or half of that, and so
 * on.
 */
static struct kfi_chunk **alloc_ring(struct kfi_log *log, u32 *nchunks)
{
	u32 want = log->conf.logentries ?: CONFIG_KFI_LOG_ENTRIES, entries;
	struct kfi_chunk **chunks;

	for (entries = want; entries >= ENTRIES_MIN || entries == want; entries /= 2) {
		*nchunks = KFI_RING_CHUNKS(entries, num_possible_cpus(), KFI_CHUNK_BYTES);
		chunks = kfi_log_alloc_chunks(*nchunks);
		if (chunks) {
			log->entries = entries;
			log->conf.logentries = entries;
			log->wanted = entries < want ? want : 0;
			return chunks;
		}
		if (entries < ENTRIES_MIN)
			break;
	}
	return NULL;
}

void kfi_log_add(struct kfi_log *last, struct kfi_log *log)
{
	log->first = last ? last->first : log;
	if (last)
		last->next = log;
}

static void free_log(struct kfi_log *log)
{
	kfi_mods_forget(&log->mods);
	kvfree(log->open);
	kvfree(log->rows);
	kvfree(log->sums);
	kvfree(log->loads.load);
	if (log->boot) {
		/* The memory of a log of the boot is static: it is not freed. */
		log->open = NULL;
		log->rows = NULL;
		log->sums = NULL;
		log->loads.load = NULL;
		return;
	}
	kfi_log_free_chunks(log->run.ring.chunks, log->run.ring.nchunks);
	kfree(log->run.cpus);
	if (!log->of)
		kfree(log->funcs);
	kfree(log);
}

static void free_all(struct kfi_log *log)
{
	while (log) {
		struct kfi_log *next = log->next;

		free_log(log);
		log = next;
	}
}

/* Hooks read all of it: a fault in one would call hooks again. */
static bool may_fault(const struct kfi_log *log, struct kfi_chunk **chunks)
{
	return is_vmalloc_addr(log) || is_vmalloc_addr(log->funcs) ||
	       is_vmalloc_addr(log->run.cpus) || is_vmalloc_addr(chunks) ||
	       is_vmalloc_addr(chunks[0]);
}

/* The log of the n-th run of a text. */
static struct kfi_log *create_one(const char *text, size_t len, u32 n, struct kfi_conf_err *err)
{
	/* Hooks read the session in it: no vmalloc memory, so it must not be large either. */
	struct kfi_log *log = kzalloc(sizeof(*log), GFP_KERNEL);
	struct kfi_chunk **chunks;
	u32 nchunks;
	int ret;

	BUILD_BUG_ON(sizeof(*log) > SZ_16K);
	if (!log)
		return ERR_PTR(kfi_log_reject(err, -ENOMEM, "out of memory"));
	log->text = text;
	log->len = len;
	ret = kfi_conf_parse_block(&log->conf, text, len, n, err);
	if (ret)
		goto fail;
	ret = kfi_name_resolve_all(&log->conf, err);
	if (!ret)
		ret = kfi_name_lists(&log->conf, &log->run.filter, &log->funcs, err);
	if (ret)
		goto fail;
	log->run.cpus = kcalloc(nr_cpu_ids, sizeof(*log->run.cpus), GFP_KERNEL);
	chunks = log->run.cpus ? alloc_ring(log, &nchunks) : NULL;
	if (!chunks) {
		ret = kfi_log_reject(err, -ENOMEM, "no memory for the log: lower logentries");
		goto fail;
	}
	WARN_ON_ONCE(may_fault(log, chunks));
	kfi_log_setup(log, chunks, nchunks);
	return log;

fail:
	kfree(log->run.cpus);
	kfree(log->funcs);
	kfree(log);
	return ERR_PTR(ret);
}

struct kfi_log *kfi_log_create(const char *text, size_t len,
			       struct kfi_conf_err *err)
{
	struct kfi_log *first = NULL, *last = NULL, *log;
	int i, n, ret;

	n = kfi_conf_count(text, len, err);
	if (n < 0)
		return ERR_PTR(n);
	ret = kfi_task_give_all();
	if (ret)
		return ERR_PTR(kfi_log_reject(err, ret, "no memory for the shadow stacks"));
	text = kmemdup(text, len, GFP_KERNEL);
	if (!text)
		return ERR_PTR(kfi_log_reject(err, -ENOMEM, "out of memory"));
	for (i = 0; i < n; i++) {
		log = create_one(text, len, i, err);
		if (IS_ERR(log)) {
			free_all(first);
			kfree(text);
			return log;
		}
		kfi_log_add(last, log);
		last = log;
		first = first ?: log;
	}
	return first;
}

static void release(struct kref *ref)
{
	struct kfi_log *log = container_of(ref, struct kfi_log, ref), *of = log->of;
	const char *text = log->boot || of ? NULL : log->text;

	free_all(log);
	kfree(text);
	if (of)
		kfi_log_put(of->first);
}

void kfi_log_put(struct kfi_log *log)
{
	if (log)
		kref_put(&log->ref, release);
}

struct kfi_log *kfi_log_before(const struct kfi_log *log)
{
	struct kfi_log *l, *before = NULL;

	/* Not by its address: @log may be a copy. */
	for (l = log->first; l && l->run.id != log->run.id; l = l->next)
		before = l;
	return l ? before : NULL;
}

struct kfi_log *kfi_log_current(struct kfi_log *log)
{
	/* Pairs with the release in complete() of core/run.c. */
	while (log && log->next && atomic_read_acquire(&log->run.state) == KFI_COMPLETE)
		log = log->next;
	return log;
}

int kfi_log_reject(struct kfi_conf_err *err, int ret, const char *reason)
{
	*err = (struct kfi_conf_err){ .line = 1, .col = 1 };
	strscpy(err->reason, reason, sizeof(err->reason));
	return ret;
}

/* ---- rows ---- */

void kfi_log_decode(const struct kfi_log *log, const struct kfi_row *row, struct kfi_rec *r)
{
	if (row->chunk == KFI_ROW_OPEN)
		*r = log->open[row->at];
	else
		kfi_ring_read(&log->run.ring, row->chunk, row->at, r);
}

void kfi_log_row(const struct kfi_log *log, u32 i, struct kfi_rec *r)
{
	kfi_log_decode(log, &log->rows[i], r);
}

bool kfi_log_event(const struct kfi_log *log, u32 i, struct kfi_event *e)
{
	const struct kfi_row *row = &log->rows[i];

	return row->chunk != KFI_ROW_OPEN &&
	       kfi_ring_event(&log->run.ring, row->chunk, row->at, e);
}
