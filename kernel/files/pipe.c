// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/kfi_pipe: the raw log of a session with ``overwrite`` while it goes on. A reader gets each
 * record once, however long the session is; what the ring overwrote before is counted as lost.
 *
 *	head, text | chunks ... progress | chunks ... progress | open calls | text | end
 *
 * The hooks do not know of the reader, and wake nobody. So a task that waits looks again after some
 * time, at most WAIT_MAX; for tasks in poll() a work does. Then it takes all records that are
 * complete, of chunks that are being written, too: one look finds what all CPUs have recorded until
 * then. The more of the ring is new each time, the sooner it looks again.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/preempt.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "files/files.h"

#define WAIT_MAX	max_t(unsigned long, HZ / 10, 1)

/* What a reader comes to, in this order. */
enum stage {
	STAGE_START,	/* the session has not started */
	STAGE_RECORDS,
	STAGE_REST,	/* no hook writes any more */
	STAGE_END,	/* open calls, text, end */
	STAGE_OVER
};

/**
 * struct fresh - a chunk with records that were not given yet
 * @order: when it was taken
 * @chunk: its number
 */
struct fresh {
	u64 order;
	u32 chunk;
};

/**
 * struct pipe - an open file; but for @queue and @look under @lock
 * @lock: of readers of the same open file
 * @queue: tasks in poll()
 * @look: wakes them
 * @stage: how far it is; without the lock: by READ_ONCE()
 * @first: first log of the configuration, with a reference
 * @log: that of the session
 * @e: copy of it, with the rate of the clock and the time filters that all of the stream has
 * @raw: header, and what the end needs
 * @hz: that rate
 * @min: limits of those filters
 * @max: the same
 * @version: kfi_loads_version() of the header that was given last
 * @fresh: room for all chunks; those that the last look has found
 * @nfresh: how many; 0: what the last look has found was given, with its progress. Without the
 *	lock: by READ_ONCE()
 * @next: the first that was not given
 * @progress: how far the last look has come
 * @wait: jiffies between two looks
 * @next_look: jiffies of the next one: not at once, since reading makes records, too
 * @open: copy of the open calls
 * @nopen: how many
 * @npieces: pieces of @raw; 0: not made ready yet
 * @piece: the next one
 * @rows: given to this reader, by enum kfi_excerpt_kind
 * @lowest: the lowest row of a watch
 * @words: of a chunk
 * @m: bytes for the reader
 * @at: of them those that were copied
 */
struct pipe {
	struct mutex lock;
	wait_queue_head_t queue;
	struct delayed_work look;
	enum stage stage;
	struct kfi_log *first;
	struct kfi_log *log;
	struct kfi_excerpt e;
	struct kfi_raw raw;
	u64 hz;
	u64 min;
	u64 max;
	u32 version;
	struct fresh *fresh;
	u32 nfresh;
	u32 next;
	struct kfi_raw_progress progress;
	unsigned long wait;
	unsigned long next_look;
	struct kfi_rec *open;
	u32 nopen;
	u32 npieces;
	u32 piece;
	u64 rows[KFI_EXCERPT_KINDS];
	struct kfi_event lowest;
	u32 words[KFI_CHUNK_BYTES / sizeof(u32)];
	struct seq_file m;
	size_t at;
};

/* One reader at a time. */
static atomic_t is_open = ATOMIC_INIT(0);

/**
 * struct given - what all readers of a session were given; the reader writes it
 * @id: number of the session; 0: none
 * @start: when it started: after a selftest numbers come again
 * @rows: rows, by enum kfi_excerpt_kind
 * @filtered: calls that the time filters drop, by reason
 * @over: one has read to the end
 */
static struct given {
	u32 id;
	u64 start;
	u64 rows[KFI_EXCERPT_KINDS];
	u64 filtered[KFI_COUNTS];
	bool over;
} given;

static int state_of(const struct pipe *p)
{
	/* Pairs with the releases in core/run.c: after TRIGGERED and COMPLETE it is seen why. */
	return atomic_read_acquire(&p->log->run.state);
}

/* ---- waiting ---- */

/* What is new is where a CPU writes now: all before was given. */
static bool has_records(const struct pipe *p)
{
	const struct kfi_run *run = &p->log->run;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		const struct kfi_chunk *c = kfi_ring_chunk(&run->ring, &run->cpus[cpu].ring);

		if (c != &kfi_ring_none && kfi_ring_has_unread(&run->ring, c))
			return true;
	}
	return false;
}

static bool is_ready(const struct pipe *p)
{
	int state = state_of(p);

	switch (READ_ONCE(p->stage)) {
	case STAGE_START:
		return state == KFI_TRIGGERED || state == KFI_COMPLETE ||
		       READ_ONCE(p->first->retired);
	case STAGE_RECORDS:
		if (READ_ONCE(p->nfresh) || state == KFI_COMPLETE)
			return true;
		return time_after_eq(jiffies, READ_ONCE(p->next_look)) && has_records(p);
	default:
		return true;
	}
}

/* Tasks in poll(). */
static void wake_pollers(struct work_struct *work)
{
	struct pipe *p = container_of(to_delayed_work(work), struct pipe, look);

	if (is_ready(p))
		wake_up_interruptible(&p->queue);
	else
		schedule_delayed_work(&p->look, READ_ONCE(p->wait));
}

/*
 * A look may find no record though others did: a CPU has taken another chunk since, and its first
 * record is not complete. So the task itself looks again. Return: 0, -EAGAIN, -ERESTARTSYS.
 */
static int wait_for_records(struct pipe *p, bool nonblock)
{
	while (!is_ready(p)) {
		if (nonblock)
			return -EAGAIN;
		schedule_timeout_interruptible((long)p->wait);
		if (signal_pending(current))
			return -ERESTARTSYS;
	}
	return 0;
}

/* ---- pieces ---- */

/* Make room for a piece. */
static int make_room(struct pipe *p, size_t bytes)
{
	p->m.count = 0;
	p->at = 0;
	if (bytes <= p->m.size)
		return 0;
	kvfree(p->m.buf);
	p->m.size = 0;
	p->m.buf = kvmalloc(bytes, GFP_KERNEL);
	if (!p->m.buf)
		return -ENOMEM;
	p->m.size = bytes;
	return 0;
}

/* A copy of the log as it is now. All rows of a stream have the times of its head. */
static int copy_log(struct pipe *p)
{
	struct kfi_log *log = &p->e.log;

	/* kfi_loads_get() made it, not kfi_excerpt_init(). */
	kvfree(log->loads.load);
	kfi_excerpt_init(&p->e, &p->log->run);
	log->loads = (struct kfi_loads) {};
	log->move = (struct kfi_move) {};
	log->lowest = p->lowest;
	if (p->hz) {
		log->hz = p->hz;
		kfi_filter_set_times(&log->run.filter, p->min, p->max);
	}
	p->hz = log->hz;
	p->min = log->run.filter.min;
	p->max = log->run.filter.max;
	return kfi_loads_get(&log->loads, log->run.start.time, log->run.stop.time ?: kfi_now());
}

static int write_text(struct pipe *p, bool with_head)
{
	u32 version = kfi_loads_version();
	int ret = copy_log(p);

	kfi_raw_forget(&p->raw);
	p->raw = (struct kfi_raw) {};
	if (!ret)
		ret = kfi_raw_prepare_stream(&p->raw, &p->e.log, false);
	if (!ret)
		ret = make_room(p, p->raw.len + KFI_RAW_PIECE_BYTES);
	/* Without memory the reader may try again, and gets this then. */
	if (ret)
		return ret;
	p->version = version;
	if (with_head)
		kfi_raw_piece(&p->m, &p->raw, 0);
	else
		kfi_raw_write_text(&p->m, &p->raw);
	return 0;
}

static int compare_fresh(const void *a, const void *b)
{
	const struct fresh *x = a, *y = b;

	kfi_resched();
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Find all chunks with records that were not given yet, the oldest first. */
static void find_fresh(struct pipe *p)
{
	const struct kfi_ring *ring = &p->log->run.ring;
	u64 n[KFI_REC_KINDS];
	u32 i, found = 0;

	p->progress.time = kfi_now();
	for (i = 0; i < ring->nchunks; i++) {
		kfi_resched();
		if (kfi_ring_has_unread(ring, ring->chunks[i]))
			p->fresh[found++] = (struct fresh) { kfi_ring_order(ring, i), i };
	}
	sort(p->fresh, found, sizeof(*p->fresh), compare_fresh, NULL);
	kfi_collect_overwritten(&p->log->run, n);
	p->progress.calls = n[KFI_REC_CALL] + n[KFI_REC_NOTIME] + n[KFI_REC_OPEN];
	p->progress.others = n[KFI_REC_MARK] + n[KFI_REC_WATCH];
	p->next = 0;
	WRITE_ONCE(p->nfresh, found);
	if (found > ring->nchunks / 4)
		WRITE_ONCE(p->wait, max(p->wait / 4, 1UL));
	else if (found < ring->nchunks / 16)
		WRITE_ONCE(p->wait, min(p->wait * 2, WAIT_MAX));
	WRITE_ONCE(p->next_look, jiffies + p->wait);
}

/* Count the rows of some records. */
static void count_rows(struct pipe *p, const struct kfi_ring_part *part)
{
	const struct kfi_log *log = &p->e.log;
	struct kfi_event e;
	struct kfi_rec r;
	u32 at, words;

	for (at = 0; at < part->n; at += words) {
		enum kfi_count verdict;

		words = kfi_rec_decode(part->words + at, part->n - at, &r, log->run.ring.text,
				       part->base);
		if (!words)
			break;
		verdict = kfi_collect_verdict(log, &r);
		if (verdict != KFI_KEPT) {
			given.filtered[verdict]++;
			continue;
		}
		p->rows[kfi_excerpt_kind(&r)]++;
		given.rows[kfi_excerpt_kind(&r)]++;
		e.cpu = (u16)part->cpu;
		if (r.event && kfi_event_decode(part->words + at, &e) &&
		    kfi_excerpt_kind(&r) == KFI_EXCERPT_WATCH)
			kfi_collect_lowest(&p->lowest, &e);
	}
}

/* Return: true if there are records in @m. */
static bool write_records(struct pipe *p)
{
	struct kfi_ring_part part = { .words = p->words };
	struct kfi_ring *ring = &p->log->run.ring;
	bool taken = false;

	while (!taken && p->next < p->nfresh) {
		const struct fresh *f = &p->fresh[p->next++];

		part.order = f->order;
		/* Not for long: the mark of a chunk must not come again. */
		preempt_disable();
		taken = kfi_ring_take(ring, f->chunk, &part);
		preempt_enable();
	}
	if (taken) {
		const struct kfi_raw_chunk head = { part.base, part.cpu, part.n };

		count_rows(p, &part);
		kfi_raw_write_chunk(&p->m, &head, part.words);
	}
	return taken;
}

/* All rows were given: make what follows them. */
static int prepare_end(struct pipe *p)
{
	struct kfi_log *log = &p->e.log;
	int ret = copy_log(p);
	u32 i;

	if (ret)
		return ret;
	p->e.live = false;
	log->open = p->open;
	log->nopen = p->nopen;
	kfi_collect_counts(log, true);
	for (i = KFI_FILTERED_FIRST; i <= KFI_FILTERED_LAST; i++) {
		log->total[i] += given.filtered[i];
		log->total[KFI_KEPT] -= given.filtered[i];
	}
	kfi_collect_open(log);
	kfi_collect_clocks(log);
	log->nevents = p->rows[KFI_EXCERPT_MARK] + p->rows[KFI_EXCERPT_WATCH];
	log->nrows = p->rows[KFI_EXCERPT_CALL] + log->nevents + log->nopen;
	for (i = 0; i < KFI_EXCERPT_KINDS; i++)
		p->e.left_out[i] = given.rows[i] - p->rows[i];
	kfi_raw_forget(&p->raw);
	p->raw = (struct kfi_raw) {};
	ret = kfi_raw_prepare_stream(&p->raw, log, true);
	return ret ?: make_room(p, p->raw.len + KFI_RAW_PIECE_BYTES);
}

/* The session has started: what was given of it before? */
static void begin(struct pipe *p)
{
	const struct kfi_run *run = &p->log->run;

	if (given.id == run->id && given.start == run->start.time)
		return;
	given = (struct given) { .id = run->id, .start = run->start.time };
}

/* What comes at STAGE_RECORDS and STAGE_REST. */
static int next_records(struct pipe *p)
{
	bool is_over = state_of(p) == KFI_COMPLETE;
	int ret;

	if (write_records(p))
		return 0;
	if (p->nfresh) {
		/* A look is over. */
		WRITE_ONCE(p->nfresh, 0);
		kfi_raw_write_progress(&p->m, &p->progress);
		return 0;
	}
	if (p->stage == STAGE_REST) {
		WRITE_ONCE(p->stage, STAGE_END);
		return 0;
	}
	if (!is_over && time_before(jiffies, p->next_look))
		return 0;
	if (p->version != kfi_loads_version())
		return write_text(p, false);
	if (is_over) {
		/* After that no hook writes. */
		ret = kfi_control_copy_open(p->log, &p->open, &p->nopen);
		if (ret)
			return ret;
		WRITE_ONCE(p->stage, STAGE_REST);
	}
	find_fresh(p);
	return 0;
}

static int next_end_piece(struct pipe *p)
{
	int ret;

	if (!p->npieces) {
		ret = prepare_end(p);
		if (ret)
			return ret;
		p->npieces = kfi_raw_pieces(&p->raw);
		p->piece = 1;
		kfi_raw_write_text(&p->m, &p->raw);
		return 0;
	}
	if (p->piece < p->npieces) {
		kfi_raw_piece(&p->m, &p->raw, p->piece++);
		return 0;
	}
	given.over = true;
	WRITE_ONCE(p->stage, STAGE_OVER);
	return 0;
}

/* Put what comes next into @m, which stays empty if there is nothing now. Return: 0, -errno. */
static int next_piece(struct pipe *p)
{
	int ret = make_room(p, KFI_RAW_PIECE_BYTES), state = state_of(p);

	if (ret)
		return ret;
	switch (p->stage) {
	case STAGE_START:
		if (state == KFI_TRIGGERED || state == KFI_COMPLETE) {
			begin(p);
			p->next_look = jiffies;
			ret = given.over ? 0 : write_text(p, true);
			if (!ret)
				WRITE_ONCE(p->stage, given.over ? STAGE_OVER : STAGE_RECORDS);
			return ret;
		}
		if (READ_ONCE(p->first->retired))
			WRITE_ONCE(p->stage, STAGE_OVER);
		return 0;
	case STAGE_RECORDS:
	case STAGE_REST:
		return next_records(p);
	case STAGE_END:
		return next_end_piece(p);
	case STAGE_OVER:
		return 0;
	}
	return 0;
}

/* ---- the file ---- */

/* Copy what comes next, as far as there is something now. */
static ssize_t copy_pieces(struct pipe *p, char __user *buf, size_t len)
{
	size_t done = 0, n;
	int ret = 0;

	while (done < len) {
		kfi_resched();
		if (p->at == p->m.count)
			ret = next_piece(p);
		if (ret)
			break;
		n = min(len - done, p->m.count - p->at);
		if (!n && (p->stage == STAGE_START || p->stage == STAGE_OVER ||
			   (p->stage == STAGE_RECORDS && !p->nfresh)))
			break;
		if (copy_to_user(buf + done, p->m.buf + p->at, n)) {
			ret = -EFAULT;
			break;
		}
		p->at += n;
		done += n;
	}
	return done ?: ret;
}

static ssize_t pipe_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct pipe *p = file->private_data;
	ssize_t ret;

	if (mutex_lock_interruptible(&p->lock))
		return -ERESTARTSYS;
	for (;;) {
		ret = copy_pieces(p, buf, len);
		if (ret || !len || p->stage == STAGE_OVER)
			break;
		ret = wait_for_records(p, file->f_flags & O_NONBLOCK);
		if (ret)
			break;
	}
	mutex_unlock(&p->lock);
	return ret;
}

static __poll_t pipe_poll(struct file *file, struct poll_table_struct *table)
{
	struct pipe *p = file->private_data;

	poll_wait(file, &p->queue, table);
	if (READ_ONCE(p->at) == READ_ONCE(p->m.count) && !is_ready(p)) {
		schedule_delayed_work(&p->look, READ_ONCE(p->wait));
		return 0;
	}
	return EPOLLIN | EPOLLRDNORM | (READ_ONCE(p->stage) == STAGE_OVER ? EPOLLHUP : 0);
}

static void free_pipe(struct pipe *p)
{
	kvfree(p->open);
	kvfree(p->e.log.loads.load);
	kfi_raw_forget(&p->raw);
	kvfree(p->fresh);
	kvfree(p->m.buf);
	kfi_log_put(p->first);
	kvfree(p);
}

/* The session that has its turn; it must be one whose ring goes on for ever. */
static int find_session(struct pipe *p)
{
	p->first = kfi_control_get_uncollected();
	p->log = kfi_log_current(p->first);
	if (!p->log)
		return -ENODATA;
	return p->log->run.ring.wrap ? 0 : -EOPNOTSUPP;
}

static int pipe_open(struct inode *inode, struct file *file)
{
	struct pipe *p;
	int ret = kfi_proc_may_open();

	BUILD_BUG_ON(KFI_CHUNK_BYTES / sizeof(u32) > KFI_READ_NEVER);
	if (ret)
		return ret;
	if (atomic_cmpxchg(&is_open, 0, 1))
		return -EBUSY;
	ret = -ENOMEM;
	p = kvzalloc(sizeof(*p), GFP_KERNEL);
	if (!p)
		goto close;
	mutex_init(&p->lock);
	init_waitqueue_head(&p->queue);
	INIT_DELAYED_WORK(&p->look, wake_pollers);
	p->wait = max_t(unsigned long, HZ / 50, 1);
	p->e.live = true;
	p->e.stream = true;
	ret = find_session(p);
	if (ret)
		goto free;
	p->fresh = kvcalloc(p->log->run.ring.nchunks, sizeof(*p->fresh), GFP_KERNEL);
	ret = p->fresh ? 0 : -ENOMEM;
	if (ret)
		goto free;
	file->private_data = p;
	return stream_open(inode, file);

free:
	free_pipe(p);
close:
	atomic_set_release(&is_open, 0);
	return ret;
}

static int pipe_release(struct inode *inode, struct file *file)
{
	struct pipe *p = file->private_data;

	cancel_delayed_work_sync(&p->look);
	free_pipe(p);
	/* Pairs with the cmpxchg in pipe_open(): what was given is seen. */
	atomic_set_release(&is_open, 0);
	return 0;
}

static const struct proc_ops pipe_ops = {
	.proc_open = pipe_open,
	.proc_read = pipe_read,
	.proc_poll = pipe_poll,
	.proc_release = pipe_release,
};

bool __init kfi_pipe_create(void)
{
	return proc_create("kfi_pipe", 0400, NULL, &pipe_ops);
}
