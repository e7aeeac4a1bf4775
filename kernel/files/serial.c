// SPDX-License-Identifier: GPL-2.0
/*
 * The raw log in lines for a serial console (core/serial.h): /proc/kfi_serial, and
 * kfi.dump=console, which sends the log without user space when a session is complete, at a reboot,
 * and in a crash. It writes to the consoles directly, since printk's buffer has no room for a log.
 */
#include <linux/console.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/nmi.h>
#include <linux/printk.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/reboot.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include "files/files.h"
#include "kfi_compat.h"

/* Entries of the table of functions and call sites. */
#define SERIAL_DEFS		8192

/* ---- /proc/kfi_serial ---- */

#define SERIAL_RANGES		32
#define SERIAL_REQUEST_MAX	512

/**
 * struct serial_ranges - lines that are asked for
 * @n: ranges; 0: all lines
 * @from: first line of each
 * @to: last line
 */
struct serial_ranges {
	u32 n;
	u32 from[SERIAL_RANGES];
	u32 to[SERIAL_RANGES];
};

/* What the next open() for reading gets, asked for by a write(). */
static DEFINE_MUTEX(serial_mutex);
static struct serial_ranges serial_asked;

/**
 * struct serial_file - an open /proc/kfi_serial
 * @f: the log
 * @pos: next piece of it
 * @asked: lines that are wanted
 * @memory: table of @s
 * @lines: lines that have not been read, with room for @size bytes
 * @len: bytes of them
 * @at: bytes of these that have been read
 * @ended: the last line has been written
 * @failed: a piece or a line could not be made: reads fail from then on
 * @lock: of all that: reads may come from several threads
 * @s: what writes lines
 */
struct serial_file {
	struct kfi_parts f;
	loff_t pos;
	struct serial_ranges asked;
	void *memory;
	char *lines;
	size_t size;
	size_t len;
	size_t at;
	bool ended;
	bool failed;
	struct mutex lock;
	struct kfi_serial s;
};

static int parse_range(char *word, u32 *from, u32 *to)
{
	char *end = strchr(word, '-');
	int ret;

	if (end)
		*end++ = '\0';
	ret = kstrtou32(word, 10, from);
	*to = end ? U32_MAX : *from;
	if (!ret && end && *end)
		ret = kstrtou32(end, 10, to);
	return ret || *to < *from ? -EINVAL : 0;
}

static int parse_ranges(char *text, struct serial_ranges *r)
{
	char *word;

	while ((word = strsep(&text, "\n ,"))) {
		if (!*word)
			continue;
		if (r->n == SERIAL_RANGES)
			return -E2BIG;
		if (parse_range(word, &r->from[r->n], &r->to[r->n]))
			return -EINVAL;
		r->n++;
	}
	return 0;
}

static ssize_t serial_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct serial_ranges r = {};
	char *text;
	int ret;

	if (len > SERIAL_REQUEST_MAX)
		return -E2BIG;
	text = memdup_user_nul(buf, len);
	if (IS_ERR(text))
		return PTR_ERR(text);
	ret = strlen(text) == len ? parse_ranges(text, &r) : -EINVAL;
	kfree(text);
	if (ret)
		return ret;
	mutex_lock(&serial_mutex);
	serial_asked = r;
	mutex_unlock(&serial_mutex);
	return (ssize_t)len;
}

static bool is_asked(const struct serial_ranges *r, u32 seq)
{
	u32 i;

	for (i = 0; i < r->n; i++)
		if (seq >= r->from[i] && seq <= r->to[i])
			return true;
	return !r->n;
}

static void add_line(void *arg, u32 seq, const char *line, u32 len)
{
	struct serial_file *f = arg;
	size_t size = f->size ?: PAGE_SIZE;
	char *more;

	if (!is_asked(&f->asked, seq) || f->failed)
		return;
	while (size - f->len < len)
		size *= 2;
	if (size != f->size) {
		more = kvmalloc(size, GFP_KERNEL);
		f->failed = !more;
		if (!more)
			return;
		if (f->len)
			memcpy(more, f->lines, f->len);
		kvfree(f->lines);
		f->lines = more;
		f->size = size;
	}
	memcpy(f->lines + f->len, line, len);
	f->len += len;
}

/* Return the room that any piece of a log needs. */
static u32 piece_bytes(const struct kfi_parts *f)
{
	u32 text = 0, i;

	for (i = 0; i < f->n; i++)
		text = max(text, f->part[i].raw.len);
	return text + KFI_RAW_PIECE_BYTES;
}

/* Makes lines of the next piece, or of the end. Return: 0, also if there is none; -errno. */
static int next_piece(struct serial_file *f)
{
	loff_t pos = f->pos++;
	const struct kfi_part *p = kfi_parts_find(&f->f, &pos);
	struct seq_file m = { .size = piece_bytes(&f->f) };
	int ret = 0;

	/* Without a piece the log is not whole, so the last line must not come. */
	if (f->failed)
		return -EIO;
	f->len = 0;
	f->at = 0;
	if (!p) {
		f->ended = kfi_serial_last(&f->s) && !f->failed;
		f->failed = !f->ended;
		return f->ended ? 0 : -EIO;
	}
	m.buf = kvmalloc(m.size, GFP_KERNEL);
	if (m.buf) {
		kfi_raw_piece(&m, &p->raw, (u32)pos);
		if (!kfi_serial_log(&f->s, m.buf, (u32)m.count))
			ret = -EIO;
		kvfree(m.buf);
	}
	if (!m.buf || (!ret && f->failed))
		ret = -ENOMEM;
	f->failed |= ret != 0;
	return ret;
}

static ssize_t serial_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct serial_file *f = file->private_data;
	ssize_t ret = 0;

	if (mutex_lock_interruptible(&f->lock))
		return -EINTR;
	while (!ret && f->at == f->len && !f->ended) {
		kfi_resched();
		ret = signal_pending(current) ? -EINTR : next_piece(f);
	}
	if (!ret)
		len = min(len, f->len - f->at);
	if (!ret && copy_to_user(buf, f->lines + f->at, len))
		ret = -EFAULT;
	if (!ret) {
		f->at += len;
		ret = (ssize_t)len;
	}
	mutex_unlock(&f->lock);
	return ret;
}

static void serial_free(struct serial_file *f)
{
	kfi_parts_put(&f->f);
	kvfree(f->memory);
	kvfree(f->lines);
	kvfree(f);
}

static int serial_open(struct inode *inode, struct file *file)
{
	const struct kfi_move move = kfi_raw_move(false);
	struct serial_file *f;
	int ret = kfi_proc_may_open();

	if (ret || !(file->f_mode & FMODE_READ))
		return ret;
	f = kvzalloc(sizeof(*f), GFP_KERNEL);
	if (!f)
		return -ENOMEM;
	f->memory = kvmalloc(kfi_serial_memory(SERIAL_DEFS), GFP_KERNEL);
	ret = f->memory ? kfi_parts_get_raw(&f->f, &move) : -ENOMEM;
	if (ret) {
		serial_free(f);
		return ret;
	}
	mutex_init(&f->lock);
	kfi_serial_init(&f->s, SERIAL_DEFS, f->memory, add_line, f);
	f->s.move = move;
	/* Nothing recorded: nothing to show. */
	f->ended = !f->f.log;
	mutex_lock(&serial_mutex);
	f->asked = serial_asked;
	serial_asked.n = 0;
	mutex_unlock(&serial_mutex);
	file->private_data = f;
	return nonseekable_open(inode, file);
}

static int serial_release(struct inode *inode, struct file *file)
{
	if (file->f_mode & FMODE_READ)
		serial_free(file->private_data);
	return 0;
}

static const struct proc_ops serial_ops = {
	.proc_open = serial_open,
	.proc_read = serial_read,
	.proc_write = serial_write,
	.proc_release = serial_release,
};

bool __init kfi_serial_create(void)
{
	return proc_create("kfi_serial", 0600, NULL, &serial_ops);
}

/* ---- kfi.dump=console ---- */

#define SECONDS			60

/* A console keeps interrupts off while it writes: 16 characters take 1.4 ms at 115200 baud. */
#define PIECE_CHARS		16

/* In a crash: so long the task that sends may take until it has seen that it must not go on. */
#define YIELD_MS		500

/* Characters of a second at 115200 baud: the time limit before the clock has a rate. */
#define CHARS_PER_S		11520

/* So long the report of a crash may take before the log is sent. */
#define CRASH_REPORT_S	60

/* Functions of a profile that a crash reads at once. */
#define SUMS_PER_PART		256

/**
 * struct sending - what a crash takes over from the task that sends
 * @parts: the log
 * @piece: memory for a piece of it; NULL: @parts is not there as a whole
 * @size: bytes of @piece
 * @table: table of functions and call sites
 * @ndefs: its entries
 * @at: the line that is being sent
 * @move: how addresses are shown: all lines must show them in the same way
 */
struct sending {
	struct kfi_parts parts;
	void *piece;
	u32 size;
	void *table;
	u32 ndefs;
	u32 at;
	struct kfi_move move;
};

/**
 * struct sender - a log on its way to the consoles
 * @log: the log, and how far it is sent
 * @skip: lines before it were sent before
 * @began: raw clock count when that began
 * @chars: characters since then
 * @crash: in a crash: nothing waits, and no lock is taken
 * @busy: a task is at work
 * @is_lost: it could not stop in time for a crash, which has used the memory of @log since
 * @stopped: nothing more is sent: the time is up, or a crash has come
 * @interrupted: a crash has come
 * @consoles: consoles that the last line went to
 * @s: what writes lines
 *
 * A task has @sender, under @send_mutex. A crash has @in_crash, since it may have come in the
 * middle of the task's work; it only reads @sender, but for @is_lost, after @crash_state is set.
 */
static struct sender {
	struct sending log;
	u32 skip;
	u64 began;
	u64 chars;
	bool crash;
	bool busy;
	bool is_lost;
	bool stopped;
	bool interrupted;
	u32 consoles;
	struct kfi_serial s;
} sender, in_crash = { .crash = true };

static DEFINE_MUTEX(send_mutex);

/* There is one crash at most: a CPU that comes later must not begin it again. */
enum { CRASH_NONE, CRASH_SENDS, CRASH_OVER };
static atomic_t crash_state = ATOMIC_INIT(CRASH_NONE);

/* The crash has gone on with the log of a task. */
static bool crash_took_over;

/* For how long a log may be sent; 0: kfi.dump=console is not given. */
static u32 seconds;

/* A crash may come before there is memory for a larger table. */
static u8 early_table[KFI_SERIAL_DEFS_MIN * 16] __aligned(8);

/* The id of the first session of the last configuration that was sent; 0: none was. */
static u32 sent_id;

static bool is_sent(const struct kfi_log *first)
{
	return sent_id == first->run.id;
}

static void set_sent(const struct kfi_log *first)
{
	sent_id = first->run.id;
}

static bool crash_sends(void)
{
	return atomic_read(&crash_state) == CRASH_SENDS;
}

static bool must_stop(struct sender *d)
{
	u64 hz = kfi_clock.hz;

	d->interrupted = !d->crash && (crash_sends() || READ_ONCE(d->is_lost));
	if (d->interrupted)
		return true;
	if (!hz)
		return d->chars > (u64)seconds * CHARS_PER_S;
	return kfi_clock_ns(kfi_now() - d->began, hz) > (u64)seconds * NSEC_PER_SEC;
}

/* A screen is no way to take a log off. */
static bool is_serial(const struct console *con)
{
	return (con->flags & CON_ENABLED) && con->write && strcmp(con->name, "tty");
}

static void write_piece(struct sender *d, const char *text, u32 len)
{
	struct console *con;
	int cookie = kfi_consoles_begin();

	d->consoles = 0;
	kfi_each_console(con) {
		if (!is_serial(con))
			continue;
		con->write(con, text, len);
		d->consoles++;
	}
	kfi_consoles_end(cookie);
}

/* printk may come between two lines, user space anywhere. */
static void send_line(void *arg, u32 seq, const char *line, u32 len)
{
	struct sender *d = arg;
	u32 at, n;

	if (seq < d->skip || d->stopped)
		return;
	d->log.at = seq;
	if (!d->crash) {
		kfi_resched();
		console_lock();
	}
	for (at = 0; at < len && !d->stopped; at += n) {
		n = min_t(u32, len - at, PIECE_CHARS);
		d->chars += n;
		d->stopped = must_stop(d);
		if (!d->stopped)
			write_piece(d, line + at, n);
	}
	if (!d->crash) {
		console_unlock();
		return;
	}
	/* Preemption is off until all is sent: neither is a CPU that hangs. */
	touch_nmi_watchdog();
	rcu_cpu_stall_reset();
}

static void begin(struct sender *d, u32 skip)
{
	d->skip = skip;
	d->stopped = false;
	d->interrupted = false;
	d->began = kfi_now();
	d->chars = 0;
	kfi_serial_init(&d->s, d->log.ndefs, d->log.table, send_line, d);
	d->s.move = d->log.move;
}

static void finish(struct sender *d)
{
	u32 at = d->log.at;

	if (!kfi_serial_last(&d->s))
		pr_err("kfi: kfi.dump=console: the log is too long, line %u was the last\n", at);
	else if (d->crash && d->stopped)
		pr_emerg("kfi: kfi.dump=console: %u seconds are over at line %u\n", seconds, at);
	else if (d->stopped && !d->interrupted)
		pr_warn("kfi: kfi.dump=console: %u seconds are over at line %u\n", seconds, at);
	else if (!d->stopped && !d->consoles)
		pr_err("kfi: kfi.dump=console: there is no serial console\n");
	else if (!d->stopped)
		pr_info("kfi: kfi.dump=console: %u lines are sent\n", d->s.seq);
}

/* The same lines each time, so that a crash can go on where a task was. */
static void send_parts(struct sender *d, u32 skip)
{
	struct kfi_part *p;
	loff_t pos = 0, in;

	begin(d, skip);
	for (; in = pos, p = kfi_parts_find(&d->log.parts, &in), p && !d->stopped; pos++) {
		struct seq_file m = { .buf = d->log.piece, .size = d->log.size };

		kfi_raw_piece(&m, &p->raw, (u32)in);
		if (!kfi_serial_log(&d->s, d->log.piece, (u32)m.count)) {
			/* Without its last line a log is not taken for whole. */
			if (!d->stopped)
				pr_err("kfi: kfi.dump=console: a piece of the log cannot be sent\n");
			return;
		}
	}
	finish(d);
}

/* ---- a session is complete ---- */

static int prepare(struct sender *d, struct kfi_log *log)
{
	void *piece;
	int ret;

	d->log.move = kfi_raw_move(!kfi_proc_may_print());
	ret = kfi_parts_set_raw(&d->log.parts, log, &d->log.move);
	if (ret)
		return ret;
	d->log.at = 0;
	d->log.size = piece_bytes(&d->log.parts);
	piece = kvmalloc(d->log.size, GFP_KERNEL);
	/* Pairs with the acquire in take_over(): all above is there. */
	smp_store_release(&d->log.piece, piece);
	return piece ? 0 : -ENOMEM;
}

/*
 * Consumes the reference, but what a crash may read is kept until the next log is sent. Return:
 * false if a crash has come in between.
 */
static bool send_log(struct sender *d, struct kfi_log *log)
{
	static struct kfi_parts parts;
	bool is_taken;
	void *piece;
	int ret;

	/* What a crash had taken over, if the system survived it. There is one crash at most. */
	if (d->log.piece) {
		kfi_parts_put(&d->log.parts);
		kvfree(d->log.piece);
		d->log.piece = NULL;
	}
	ret = prepare(d, log);
	d->interrupted = false;
	if (ret) {
		pr_err("kfi: kfi.dump=console: the log cannot be sent: error %d\n", ret);
	} else {
		WRITE_ONCE(d->is_lost, false);
		/* Pairs with the acquire in take_over(): all above is there. */
		smp_store_release(&d->busy, true);
		smp_mb();	/* busy, then look; pairs with that in take_over() */
		if (!crash_sends())
			send_parts(d, 0);
		else
			d->interrupted = true;
		/* Without a console another try may find one. */
		if (!d->interrupted && d->consoles)
			set_sent(log);
	}
	parts = d->log.parts;
	piece = d->log.piece;
	/* The crash goes on with it. */
	is_taken = crash_sends();
	if (!is_taken)
		WRITE_ONCE(d->log.piece, NULL);
	/* Pairs with the acquire in take_over(). */
	smp_store_release(&d->busy, false);
	smp_mb();	/* pairs with that in take_over(), which finds no log, or is seen here */
	if (is_taken || crash_sends())
		return !d->interrupted;
	kfi_parts_put(&parts);
	kvfree(piece);
	return !d->interrupted;
}

static bool has_rows(const struct kfi_log *log)
{
	for (; log; log = log->next)
		if (log->run.start.cause != KFI_BY_NOTHING)
			return true;
	return false;
}

/* Return: true when no crash is sending. */
static bool wait_for_crash(void)
{
	/* It may go on with a log of a task, and then send others. Each takes @seconds at most. */
	u32 left = 2 * seconds + CRASH_REPORT_S;

	/* Pairs with the release in kfi_serial_crash(): what the crash has sent is known. */
	for (; atomic_read_acquire(&crash_state) == CRASH_SENDS && left; left--)
		msleep(MSEC_PER_SEC);
	if (!left)
		pr_err("kfi: kfi.dump=console: the log is not sent: a crash has not ended\n");
	return left;
}

/* Send a log; once more if a crash came in between that has not gone on with it. */
static void send_surely(struct kfi_log *log)
{
	kref_get(&log->ref);
	/* There is one crash at most. */
	if (send_log(&sender, log) || !wait_for_crash() || crash_took_over || is_sent(log))
		kfi_log_put(log);
	else
		send_log(&sender, log);
}

static void send_complete(struct work_struct *work)
{
	struct kfi_log *log;

	mutex_lock(&send_mutex);
	log = wait_for_crash() ? kfi_control_get_complete() : NULL;
	if (IS_ERR(log))
		pr_err("kfi: kfi.dump=console: the log cannot be sent: error %ld\n", PTR_ERR(log));
	else if (log && has_rows(log) && !is_sent(log))
		send_surely(log);
	else
		kfi_log_put(log);
	mutex_unlock(&send_mutex);
}
static DECLARE_WORK(send_work, send_complete);

static void on_complete(void)
{
	queue_work(system_unbound_wq, &send_work);
}

/* What is still recorded is sent, too. */
static int on_reboot(struct notifier_block *nb, unsigned long event, void *arg)
{
	struct kfi_conf_err err;

	/* Each ends one session of a chain, and arms the next. */
	while (!kfi_control_write("stop", 4, &err))
		;
	send_complete(NULL);
	return NOTIFY_DONE;
}
static struct notifier_block reboot_block = { .notifier_call = on_reboot, .priority = INT_MAX };

/* Consoles are there by now. */
static int __init serial_ready(void)
{
	void *table;

	if (!seconds)
		return 0;
	table = kvmalloc(kfi_serial_memory(SERIAL_DEFS), GFP_KERNEL);
	if (table) {
		sender.log.table = table;
		sender.log.ndefs = SERIAL_DEFS;
	}
	register_reboot_notifier(&reboot_block);
	WRITE_ONCE(kfi_control_done, on_complete);
	on_complete();
	return 0;
}
late_initcall_sync(serial_ready);

/* ---- a crash ---- */

static void send_opens(struct sender *d, const struct kfi_log *log, const struct kfi_rec *r, u32 n)
{
	struct kfi_raw_open o;

	for (; n--; r++) {
		if (kfi_call_filtered_by(&log->run, r) != KFI_KEPT)
			continue;
		o = kfi_raw_open_of(log, r);
		kfi_serial_part(&d->s, KFI_RAW_OPEN, &o, sizeof(o));
	}
}

static struct kfi_call_profile profile_of(const struct kfi_excerpt *e)
{
	return (struct kfi_call_profile) {
		.run = &e->log.run,
		.ncpus = nr_cpu_ids,
		.open = e->taken ?: e->log.open,
		.nopen = e->taken ? e->ntaken : e->nopen,
	};
}

/* The functions of a profile. Return: how many. */
static u64 send_sums(struct sender *d, const struct kfi_excerpt *e, void *text)
{
	struct kfi_call_profile p = profile_of(e);
	struct kfi_prof_sum *sums = text, last;
	u64 all = 0;
	u32 n, i;

	while (!d->stopped) {
		n = kfi_call_read_sums(&p, all ? &last : NULL, sums, SUMS_PER_PART);
		if (!n)
			break;
		last = sums[n - 1];
		for (i = 0; i < n; i++)
			sums[i].func = kfi_move_addr(&e->log.move, sums[i].func);
		kfi_serial_part(&d->s, KFI_RAW_SUMS, sums, n * (u32)sizeof(*sums));
		all += n;
	}
	return all;
}

static void send_rows(struct sender *d, const struct kfi_excerpt *e)
{
	const struct kfi_ring *ring = &e->log.run.ring;
	const struct kfi_log *log = &e->log;
	struct kfi_raw_chunk c;
	u32 n, i;

	for (n = kfi_ring_taken(ring); n-- && !d->stopped;) {
		i = kfi_ring_newest(ring, n);
		if (!kfi_ring_order(ring, i))
			continue;
		c = kfi_raw_chunk_of(ring, ring->chunks[i]);
		kfi_serial_chunk(&d->s, &c, ring->chunks[i]->words);
	}
	if (e->taken)
		send_opens(d, log, e->taken, e->ntaken);
	else
		send_opens(d, log, log->open, e->nopen);
}

static u64 rows_of(const struct kfi_excerpt *e)
{
	struct kfi_call_profile p = profile_of(e);

	if (e->log.run.profile)
		return kfi_call_count_sums(&p);
	return e->found[KFI_EXCERPT_CALL] + e->log.nevents - e->left_out[KFI_EXCERPT_CALL];
}

/* The session as it is: nothing can be allocated, so its chunks are not sorted. */
static void send_run(struct sender *d, struct kfi_excerpt *e, void *text, u32 size)
{
	struct kfi_raw_head *head = text;
	struct kfi_raw_part *part = (struct kfi_raw_part *)(head + 1);
	u32 room = size - sizeof(*head) - sizeof(*part), bytes;
	struct kfi_log *log = &e->log;
	struct kfi_raw_end end;
	struct seq_file m = { .buf = (char *)(part + 1), .size = room - 2 * KFI_RAW_ALIGN };

	kfi_show_header(&m, log, true);
	m.count = min(m.count, m.size);
	*head = kfi_raw_head_of(log);
	*part = (struct kfi_raw_part) { KFI_RAW_TEXT, (u32)m.count };
	bytes = KFI_RAW_PART_BYTES(part->bytes);
	memset(m.buf + m.count, 0, bytes - m.count);
	kfi_serial_log(&d->s, text, sizeof(*head) + sizeof(*part) + bytes);
	if (log->run.profile)
		log->nrows = send_sums(d, e, text);
	else
		send_rows(d, e);
	end.rows = log->nrows;
	kfi_serial_part(&d->s, KFI_RAW_END, &end, sizeof(end));
}

void kfi_serial_interrupt(void)
{
	if (seconds)
		atomic_cmpxchg(&crash_state, CRASH_NONE, CRASH_SENDS);
}

/* Go on where a task was, which stops. Return: false if no task was sending. */
static bool take_over(struct sender *d)
{
	u32 i;

	kfi_serial_interrupt();
	smp_mb();	/* pairs with those in send_log() */
	/* Pairs with the release in send_log(). The task may be the one that was interrupted. */
	for (i = 0; i < YIELD_MS && smp_load_acquire(&sender.busy); i++) {
		touch_nmi_watchdog();
		mdelay(1);
	}
	/* Pairs with the release in prepare(). */
	if (!smp_load_acquire(&sender.log.piece)) {
		d->log.table = sender.log.table;
		d->log.ndefs = sender.log.ndefs;
		return false;
	}
	/* A task that has not stopped by now must not go on later: its buffers are used here. */
	WRITE_ONCE(sender.is_lost, READ_ONCE(sender.busy));
	d->log = sender.log;
	crash_took_over = true;
	return true;
}

/* Send the sessions that are complete, and were not sent. Return: false if there are none. */
static bool send_runs(struct sender *d, const struct kfi_log *first, struct kfi_excerpt *e,
		      void *text, u32 size)
{
	bool begun = false, complete = true;
	const struct kfi_log *log;

	d->log.move = kfi_raw_move(!kfi_proc_may_print());
	for (log = first; log; log = log->next) {
		complete &= atomic_read(&log->run.state) == KFI_COMPLETE;
		if (!kfi_crash_take(e, log))
			continue;
		e->left_out[KFI_EXCERPT_CALL] = e->taken ? 0 : e->log.nopen - e->nopen;
		e->log.move = d->log.move;
		e->log.nevents = e->found[KFI_EXCERPT_MARK] + e->found[KFI_EXCERPT_WATCH];
		e->log.nrows = rows_of(e);
		if (!begun)
			begin(d, 0);
		begun = true;
		send_run(d, e, text, size);
	}
	if (begun)
		finish(d);
	/* After an oops that the system survives a chain goes on, and is sent as a whole. */
	if (complete)
		set_sent(first);
	return begun;
}

bool kfi_serial_crash(const struct kfi_log *first, struct kfi_excerpt *e, void *text, u32 size)
{
	struct sender *d = &in_crash;
	bool is_sending;

	if (!seconds)
		return false;
	is_sending = take_over(d);
	if (is_sending) {
		send_parts(d, d->log.at);
		set_sent(d->log.parts.log);
	}
	if (first && !is_sent(first))
		is_sending |= send_runs(d, first, e, text, size);
	/* The system may survive an oops: later logs are sent by a task again. */
	atomic_set_release(&crash_state, CRASH_OVER);	/* pairs with wait_for_crash() */
	return is_sending;
}

bool __init kfi_serial_param(const char *arg)
{
	u32 n = SECONDS;

	BUILD_BUG_ON(SUMS_PER_PART * sizeof(struct kfi_prof_sum) > KFI_KEEP_COMMIT_MAX);
	BUILD_BUG_ON(sizeof(early_table) < KFI_SERIAL_DEFS_MIN *
		     (sizeof(struct kfi_serial_def) + 2 * sizeof(u16)));
	if (*arg && (*arg != ',' || kstrtou32(arg + 1, 10, &n)))
		return false;
	if (!n || n > KFI_SERIAL_SECONDS_MAX)
		return false;
	seconds = n;
	sender.log.table = early_table;
	sender.log.ndefs = KFI_SERIAL_DEFS_MIN;
	return true;
}
