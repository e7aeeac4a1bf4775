// SPDX-License-Identifier: GPL-2.0
/*
 * Runs that are configured and commanded: the cold side, in process context. Collecting is in
 * kfi_collect.c.
 */
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include <asm/sections.h>

#include "kfi_collect.h"
#include "kfi_log.h"
#include "kfi_name.h"
#include "kfi_task.h"

/* Fewer entries are not worth having; as the historic recorder had it. */
#define ENTRIES_MIN	100

/* A quarter of the log at most is for calls without time. */
#define NOTIME_SHARE	4

/* The limits of the time filters are wide by one part in 1 << SLACK while a run is live. */
#define SLACK		6

/* Protects the current log, its state changes by command, and collecting it. */
static DEFINE_MUTEX(log_mutex);
static struct kfi_log *current_log;
static u32 last_id;

static struct kfi_log *to_log(struct kref *ref)
{
	return container_of(ref, struct kfi_log, ref);
}

/* ---- times ---- */

static u64 trigger_counts(const struct kfi_trigger *t)
{
	return t->kind == KFI_TRIG_TIME ? kfi_clock_at_least(t->usecs) : U64_MAX;
}

void kfi_log_set_times(struct kfi_log *log, bool exact)
{
	const struct kfi_conf *c = &log->conf;
	u64 min = kfi_clock_at_most(c->mintime_us), max = U64_MAX;
	u64 start = trigger_counts(&c->start);
	struct kfi_run *run = &log->run;

	if (!exact)
		min -= min >> SLACK;
	/* maxtime N keeps all below N + 1 microseconds: it is given in whole ones. */
	if (c->maxtime_us)
		max = kfi_clock_at_least(c->maxtime_us + 1) - 1;
	if (!exact && max < U64_MAX / 2)
		max += max >> SLACK;
	kfi_filter_set_times(&run->filter, min, max);
	run->start_at = start == U64_MAX ? U64_MAX : kfi_clock.zero + start;
	run->stop_after = trigger_counts(&c->stop);
}

static int __init rate_known(void)
{
	if (kfi_clock_update() && current_log)
		kfi_log_set_times(current_log, false);
	return 0;
}
early_initcall(rate_known);
late_initcall_sync(rate_known);

/* ---- making ---- */

void kfi_log_setup(struct kfi_log *log, struct kfi_chunk **chunks, u32 nchunks)
{
	const struct kfi_conf *c = &log->conf;
	struct kfi_run *run = &log->run;

	kref_init(&log->ref);
	atomic_set(&run->state, KFI_IDLE);
	run->id = ++last_id;
	run->stop_at = U64_MAX;
	if (c->start.kind == KFI_TRIG_ENTRY)
		run->start_entry = (unsigned long)c->start.func.addr;
	if (c->start.kind == KFI_TRIG_EXIT)
		run->start_exit = (unsigned long)c->start.func.addr;
	if (c->stop.kind == KFI_TRIG_ENTRY)
		run->stop_entry = (unsigned long)c->stop.func.addr;
	if (c->stop.kind == KFI_TRIG_EXIT)
		run->stop_exit = (unsigned long)c->stop.func.addr;
	kfi_filter_init(&run->filter, c);
	kfi_log_set_times(log, false);
	atomic_set(&run->notime_room, (int)(log->entries / NOTIME_SHARE));
	kfi_ring_init(&run->ring, chunks, nchunks, KFI_CHUNK_BYTES, (unsigned long)_text);
}

void kfi_log_set_current(struct kfi_log *log)
{
	current_log = log;
	kfi_task_set_run(&log->run);
}

void kfi_log_publish(struct kfi_log *log)
{
	/* Pairs with READ_ONCE in the callouts: an address dependency. */
	smp_store_release(&kfi_live, &log->run);
}

static void pass(struct work_struct *work)
{
}

/*
 * Take the run away from the callouts. They run with preemption off, so when every cpu has run a
 * work item, none is left that saw it; RCU does not watch all the places where callouts run.
 */
int kfi_log_unpublish(void)
{
	if (!kfi_live)
		return 0;
	WRITE_ONCE(kfi_live, NULL);
	return schedule_on_each_cpu(pass);
}

#define CHUNKS_PER_PAGE		(PAGE_SIZE / KFI_CHUNK_BYTES)

/* Chunk 0 of each page stands for the page. */
static void free_chunks(struct kfi_chunk **chunks, u32 n)
{
	u32 i;

	for (i = 0; i < n; i += CHUNKS_PER_PAGE)
		free_page((unsigned long)chunks[i]);
	kfree(chunks);
}

static struct kfi_chunk **alloc_chunks(u32 n)
{
	struct kfi_chunk **chunks = kcalloc(n, sizeof(*chunks), GFP_KERNEL | __GFP_NOWARN);
	unsigned long page = 0;
	u32 i;

	BUILD_BUG_ON(PAGE_SIZE % KFI_CHUNK_BYTES);
	if (!chunks)
		return NULL;
	for (i = 0; i < n; i++, page += KFI_CHUNK_BYTES) {
		if (i % CHUNKS_PER_PAGE == 0)
			page = __get_free_page(GFP_KERNEL | __GFP_ZERO | __GFP_NORETRY |
					       __GFP_NOWARN);
		if (!page) {
			free_chunks(chunks, i);
			return NULL;
		}
		chunks[i] = (struct kfi_chunk *)page;
	}
	return chunks;
}

/* Memory for the entries that were asked for, or for half of them, or half of that ... */
static struct kfi_chunk **alloc_ring(struct kfi_log *log, u32 *nchunks)
{
	u32 want = log->conf.logentries ?: CONFIG_KFI_LOG_ENTRIES, entries;
	struct kfi_chunk **chunks;

	for (entries = want; entries >= ENTRIES_MIN || entries == want; entries /= 2) {
		*nchunks = kfi_ring_chunks_for(entries, num_possible_cpus(), KFI_CHUNK_BYTES);
		chunks = alloc_chunks(*nchunks);
		if (chunks) {
			log->entries = entries;
			log->conf.logentries = entries;
			pr_info("kfi: Allocated %u log entries (%u were requested).\n",
				entries, want);
			return chunks;
		}
		if (entries < ENTRIES_MIN)
			break;
	}
	return NULL;
}

static void release(struct kref *ref)
{
	struct kfi_log *log = to_log(ref);

	kvfree(log->open);
	kvfree(log->rows);
	if (log->boot) {
		/* What is static stays; its readers are gone. */
		log->open = NULL;
		log->rows = NULL;
		return;
	}
	free_chunks(log->run.ring.chunks, log->run.ring.nchunks);
	kfree(log->run.cpus);
	kfree(log->text);
	kvfree(log);
}

struct kfi_log *kfi_log_get(void)
{
	struct kfi_log *log;
	int ret = 0;

	mutex_lock(&log_mutex);
	log = current_log;
	/* Pairs with the release in kfi_run_stop(). */
	if (log && atomic_read_acquire(&log->run.state) == KFI_COMPLETE)
		ret = kfi_collect(log);
	if (log && !log->collected)
		log->hz = kfi_clock.hz;
	if (log && !ret)
		kref_get(&log->ref);
	mutex_unlock(&log_mutex);
	return ret ? ERR_PTR(ret) : log;
}

void kfi_log_put(struct kfi_log *log)
{
	if (log)
		kref_put(&log->ref, release);
}

/* ---- commands ---- */

static int refuse(struct kfi_conf_err *err, int ret, const char *reason)
{
	err->line = 1;
	err->col = 1;
	strscpy(err->reason, reason, sizeof(err->reason));
	return ret;
}

static bool is_running(struct kfi_log *log)
{
	int state = log ? atomic_read(&log->run.state) : KFI_IDLE;

	return state == KFI_STARTING || state == KFI_TRIGGERED || state == KFI_STOPPING;
}

/* Take the current run away for a new one, or leave all as it is. */
static int retire(struct kfi_log *log)
{
	bool was_primed;
	int ret;

	if (!log)
		return 0;
	/* It must not start once the callouts begin to miss it. */
	was_primed = atomic_cmpxchg(&log->run.state, KFI_PRIMED, KFI_IDLE) == KFI_PRIMED;
	if (is_running(log))
		return -EBUSY;
	ret = kfi_log_unpublish();
	if (!ret || !was_primed)
		return ret;
	atomic_set(&log->run.state, KFI_PRIMED);
	kfi_log_publish(log);
	return ret;
}

/* Make a run of a text, in place of the current one. @text may be the current run's own. */
static int install(const char *text, size_t len, unsigned int flags, struct kfi_conf_err *err)
{
	struct kfi_chunk **chunks;
	struct kfi_log *log;
	u32 nchunks;
	int ret;

	if (is_running(current_log))
		return refuse(err, -EBUSY, "a run is being recorded: stop it first");
	log = kvzalloc(sizeof(*log), GFP_KERNEL);
	if (!log)
		return refuse(err, -ENOMEM, "out of memory");
	ret = -ENOMEM;
	log->text = kmemdup(text, len, GFP_KERNEL);
	if (!log->text) {
		refuse(err, ret, "out of memory");
		goto free_log;
	}
	log->len = len;
	log->flags = flags;
	ret = kfi_conf_parse(&log->conf, log->text, len, flags, err);
	if (ret)
		goto free_text;
	ret = kfi_name_resolve_all(&log->conf, err);
	if (ret)
		goto free_text;
	ret = kfi_task_give_all();
	if (ret) {
		refuse(err, ret, "no memory for the shadow stacks");
		goto free_text;
	}
	ret = -ENOMEM;
	log->run.cpus = kcalloc(nr_cpu_ids, sizeof(*log->run.cpus), GFP_KERNEL);
	chunks = log->run.cpus ? alloc_ring(log, &nchunks) : NULL;
	if (!chunks) {
		refuse(err, ret, "no memory for the log: lower logentries");
		goto free_text;
	}
	ret = retire(current_log);
	if (ret) {
		refuse(err, ret, ret == -EBUSY ? "a run has just started: stop it first" :
			   "no memory to end the run before");
		goto free_chunks;
	}
	kfi_log_setup(log, chunks, nchunks);
	swap(current_log, log);
	kfi_log_set_current(current_log);
	kfi_log_put(log);
	pr_info("kfi: new run installed\n");
	return 0;

free_chunks:
	free_chunks(chunks, nchunks);
free_text:
	kfree(log->run.cpus);
	kfree(log->text);
free_log:
	kvfree(log);
	return ret;
}

/* A complete run is primed again as a new one with the same configuration. */
static int command_prime(struct kfi_conf_err *err)
{
	struct kfi_log *log = current_log;
	int ret;

	if (!log)
		return refuse(err, -EINVAL, "there is no run: write new begin ... end first");
	if (atomic_read(&log->run.state) == KFI_COMPLETE) {
		ret = install(log->text, log->len, log->flags, err);
		if (ret)
			return ret;
		log = current_log;
	}
	if (atomic_cmpxchg(&log->run.state, KFI_IDLE, KFI_PRIMED) != KFI_IDLE)
		return refuse(err, -EBUSY, is_running(log) ? "the run is started already" :
			      "the run is primed already");
	log->primed = true;
	kfi_log_publish(log);
	return 0;
}

static int command_start(struct kfi_log *log, struct kfi_conf_err *err)
{
	if (!log)
		return refuse(err, -EINVAL, "there is no run: write new begin ... end first");
	if (atomic_read(&log->run.state) == KFI_IDLE)
		kfi_log_publish(log);
	if (kfi_run_start(&log->run, KFI_BY_USER, 0))
		return 0;
	return refuse(err, -EBUSY, atomic_read(&log->run.state) == KFI_COMPLETE ?
		      "the run is complete: prime it again, or write a new one" : "the run is started already");
}

static int command_stop(struct kfi_log *log, struct kfi_conf_err *err)
{
	if (!log)
		return refuse(err, -EINVAL, "there is no run: write new begin ... end first");
	if (kfi_run_stop(&log->run, KFI_BY_USER, 0))
		return 0;
	/* It may wait for its trigger, or not even that: then it is over without a start. */
	if (atomic_cmpxchg(&log->run.state, KFI_PRIMED, KFI_COMPLETE) == KFI_PRIMED ||
	    atomic_cmpxchg(&log->run.state, KFI_IDLE, KFI_COMPLETE) == KFI_IDLE) {
		log->run.stop.cause = KFI_BY_USER;
		return 0;
	}
	return refuse(err, -EBUSY, "the run is complete already");
}

int kfi_log_write(const char *text, size_t len, struct kfi_conf_err *err)
{
	int cmd = kfi_conf_command(text, len, err), ret;

	if (cmd < 0)
		return cmd;
	mutex_lock(&log_mutex);
	if (kfi_clock_update() && current_log)
		kfi_log_set_times(current_log, false);
	switch (cmd) {
	case KFI_CMD_NEW:
		ret = install(text, len, KFI_CONF_PROC, err);
		break;
	case KFI_CMD_PRIME:
		ret = command_prime(err);
		break;
	case KFI_CMD_START:
		ret = command_start(current_log, err);
		break;
	default:
		ret = command_stop(current_log, err);
		break;
	}
	mutex_unlock(&log_mutex);
	return ret;
}
