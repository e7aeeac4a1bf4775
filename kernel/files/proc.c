// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/kfi (configure, command, status), /proc/kfi_trace, /proc/kfi_raw and /proc/kfi_serial (the
 * log). Root only, and only with CAP_PERFMON or CAP_SYS_ADMIN: kernel addresses must not leak.
 */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "files/files.h"

/* What the last refused write was refused for; cleared by one that is taken. */
static DEFINE_MUTEX(error_mutex);
static struct kfi_conf_err last_error;
static bool has_error;

bool kfi_proc_may_print(void)
{
	return !kptr_restrict && !security_locked_down(LOCKDOWN_TRACEFS);
}

/* Where addresses are to be hidden even from root, there is nothing to be seen here. */
int kfi_proc_may_open(void)
{
	int ret;

	if (!perfmon_capable())
		return -EPERM;
	ret = security_locked_down(LOCKDOWN_TRACEFS);
	if (!ret && kptr_restrict >= 2)
		ret = -EPERM;
	if (ret)
		pr_warn_once("kfi: /proc/kfi refused: lockdown=confidentiality or kptr_restrict=2\n");
	return ret ? -EPERM : 0;
}

/* ---- /proc/kfi ---- */

static void show_error(struct seq_file *m)
{
	kfi_boot_show(m);
	mutex_lock(&error_mutex);
	if (has_error)
		seq_printf(m, "error: line %u column %u: %s\n", last_error.line, last_error.col,
			   last_error.reason);
	mutex_unlock(&error_mutex);
}

static int kfi_show(struct seq_file *m, void *v)
{
	struct kfi_log *log = kfi_control_get();

	if (IS_ERR(log))
		return PTR_ERR(log);
	kfi_show_status(m, log);
	kfi_log_put(log);
	kfi_sites_show(m);
	show_error(m);
	return 0;
}

/**
 * struct kfi_input - a configuration that is written to an open /proc/kfi, in one or more writes
 * @lock: for the other two
 * @text: what has been written of it, KFI_CONF_TEXT_MAX bytes of room; NULL before the first write
 * @len: bytes of @text; 0 if what is written next begins anew
 */
struct kfi_input {
	struct mutex lock;
	char *text;
	size_t len;
};

static int kfi_open(struct inode *inode, struct file *file)
{
	struct kfi_input *in;
	int ret = kfi_proc_may_open();

	if (ret)
		return ret;
	in = kzalloc(sizeof(*in), GFP_KERNEL);
	if (!in)
		return -ENOMEM;
	mutex_init(&in->lock);
	ret = single_open(file, kfi_show, in);
	if (ret)
		kfree(in);
	return ret;
}

static void keep_error(const struct kfi_conf_err *err)
{
	mutex_lock(&error_mutex);
	has_error = err;
	if (err)
		last_error = *err;
	mutex_unlock(&error_mutex);
	if (err)
		pr_err("kfi: line %u column %u: %.*s\n", err->line, err->col,
		       kfi_conf_err_public(err), err->reason);
}

/*
 * Add what is written to the text of before, or begin anew: after ``end`` only comments and another
 * block go on. Return: -E2BIG if there is no room.
 */
static int add_piece(struct kfi_input *in, const char *piece, size_t len)
{
	enum kfi_conf_first first = kfi_conf_first(piece, len);

	if (in->len && first == KFI_FIRST_OTHER && kfi_conf_is_ended(in->text, in->len))
		in->len = 0;
	if (len > KFI_CONF_TEXT_MAX - in->len)
		return -E2BIG;
	memcpy(in->text + in->len, piece, len);
	in->len += len;
	return 0;
}

/*
 * A configuration may come in several writes: it is installed, with all of its blocks so far,
 * whenever its last word so far is ``end``. A write that is rejected changes nothing.
 */
static int take_piece(struct kfi_input *in, const char *piece, size_t len)
{
	struct kfi_conf_err err = { .line = 1, .col = 1 };
	struct kfi_conf_text mark;
	int cmd, ret;

	ret = add_piece(in, piece, len);
	if (ret) {
		snprintf(err.reason, sizeof(err.reason), "the text is longer than %d bytes",
			 KFI_CONF_TEXT_MAX);
		goto refused;
	}
	if (kfi_conf_first(piece, len) == KFI_FIRST_NONE)
		return 0;
	cmd = kfi_conf_command(in->text, in->len, &mark, &err);
	if (cmd == KFI_CMD_NEW && !kfi_conf_is_ended(in->text, in->len))
		return 0;
	ret = cmd < 0 ? cmd : kfi_control_write(in->text, in->len, &err);
	if (ret)
		goto refused;
	if (cmd != KFI_CMD_NEW)
		in->len = 0;
	keep_error(NULL);
	return 0;

refused:
	in->len = 0;
	keep_error(&err);
	return ret;
}

static ssize_t kfi_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct kfi_input *in = ((struct seq_file *)file->private_data)->private;
	/* More is not read of what is too long. */
	size_t most = min_t(size_t, len, KFI_CONF_TEXT_MAX + 1);
	char *piece;
	int ret = 0;

	if (!len)
		return 0;
	piece = memdup_user(buf, most);
	if (IS_ERR(piece))
		return PTR_ERR(piece);
	mutex_lock(&in->lock);
	if (!in->text)
		in->text = kvmalloc(KFI_CONF_TEXT_MAX, GFP_KERNEL);
	ret = in->text ? take_piece(in, piece, most) : -ENOMEM;
	mutex_unlock(&in->lock);
	kfree(piece);
	return ret ?: len;
}

/* A text without its ``end`` is rejected when the file is closed, although close() cannot fail. */
static int kfi_release(struct inode *inode, struct file *file)
{
	struct kfi_input *in = ((struct seq_file *)file->private_data)->private;
	struct kfi_conf_err err = { .line = 1, .col = 1 };

	if (in->len && !kfi_conf_is_ended(in->text, in->len) &&
	    kfi_control_write(in->text, in->len, &err))
		keep_error(&err);
	kvfree(in->text);
	kfree(in);
	return single_release(inode, file);
}

static const struct proc_ops kfi_ops = {
	.proc_open = kfi_open,
	.proc_read = seq_read,
	.proc_write = kfi_write,
	.proc_lseek = seq_lseek,
	.proc_release = kfi_release,
};

/* ---- the files of a log: they differ in how many positions there are, and what each shows ---- */

/**
 * struct log_part - one log of those that a file shows, one after the other
 * @log: the log; NULL if there is none
 * @whole: it was collected when the file was opened, so that header and rows belong together
 * @raw: what the raw file needs
 * @pos: the position that the text file has shown last
 * @before: sums over the rows before that one, since the last check line
 * @check: the same, and that one
 */
struct log_part {
	const struct kfi_log *log;
	bool whole;
	struct kfi_raw raw;
	u32 pos;
	struct kfi_check before, check;
};

/**
 * struct log_kind - text or raw
 * @end: number of positions
 * @show: print a position
 */
struct log_kind {
	u32 (*end)(const struct log_part *p);
	void (*show)(struct seq_file *m, struct log_part *p, u32 pos);
};

/**
 * struct log_file - an open /proc/kfi_trace, /proc/kfi_raw or /proc/kfi_serial
 * @kind: which of them
 * @log: what kfi_control_get_rows() has given then; or NULL
 * @nparts: logs that are shown, at least 1
 * @part: those
 */
struct log_file {
	const struct log_kind *kind;
	struct kfi_log *log;
	u32 nparts;
	struct log_part part[KFI_CONF_BLOCKS_MAX];
};

/* All logs that are complete, and the snapshot; if there is neither, a header. */
static void choose_parts(struct log_file *f)
{
	const struct kfi_log *snap = f->log && f->log->of ? f->log : NULL;
	const struct kfi_log *log = snap ? snap->of->first : f->log;

	for (; log && kfi_log_is_collected(log) && !(snap && log == snap->of); log = log->next)
		f->part[f->nparts++] = (struct log_part) { .log = log, .whole = true };
	if (snap)
		f->part[f->nparts++] = (struct log_part) { .log = snap, .whole = true };
	if (!f->nparts)
		f->part[f->nparts++].log = f->log;
}

/* Text: position 0 is the header, i is row i - 1. */
static u32 trace_end(const struct log_part *p)
{
	return 1 + (p->whole ? p->log->nrows : 0);
}

/* What did not fit is shown again: the sums begin at the same row then. */
static void show_row(struct seq_file *m, struct log_part *p, u32 pos)
{
	if (pos != p->pos)
		p->before = p->check;
	p->pos = pos;
	p->check = p->before;
	kfi_show_row(m, p->log, pos - 1, &p->check);
	if (p->check.lines == KFI_CHECK_LINES || pos == p->log->nrows)
		kfi_show_check(m, p->log, &p->check);
}

static void trace_show(struct seq_file *m, struct log_part *p, u32 pos)
{
	if (!p->log) {
		seq_puts(m, "No logging run registered\n");
	} else if (pos) {
		show_row(m, p, pos);
	} else {
		p->pos = 0;
		p->check = (struct kfi_check) {};
		kfi_show_header(m, p->log, p->whole);
	}
}

static const struct log_kind trace_kind = { .end = trace_end, .show = trace_show };

/* Raw: a position is a piece. */
static int raw_prepare(struct log_file *f)
{
	int ret = 0;
	u32 i;

	for (i = 0; f->log && !ret && i < f->nparts; i++) {
		struct log_part *p = &f->part[i];

		ret = p->log->run.profile ? -EOPNOTSUPP :
					    kfi_raw_prepare(&p->raw, p->log, p->whole);
	}
	return ret;
}

static u32 raw_end(const struct log_part *p)
{
	return p->log ? kfi_raw_pieces(&p->raw) : 0;
}

static void raw_show(struct seq_file *m, struct log_part *p, u32 pos)
{
	kfi_raw_piece(m, &p->raw, pos);
}

static const struct log_kind raw_kind = { .end = raw_end, .show = raw_show };

/* The part that a position of the file is in; @pos becomes the position in it. */
static struct log_part *find(struct log_file *f, loff_t *pos)
{
	u32 i;

	for (i = 0; i < f->nparts; i++) {
		u32 end = f->kind->end(&f->part[i]);

		if (*pos < end)
			return &f->part[i];
		*pos -= end;
	}
	return NULL;
}

static void *at(struct seq_file *m, loff_t *pos)
{
	loff_t in_part = *pos;

	return find(m->private, &in_part) ? pos : NULL;
}

static void *log_start(struct seq_file *m, loff_t *pos)
{
	return at(m, pos);
}

static void *log_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return at(m, pos);
}

static void log_stop(struct seq_file *m, void *v)
{
}

static int log_show(struct seq_file *m, void *v)
{
	struct log_file *f = m->private;
	loff_t pos = *(loff_t *)v;
	struct log_part *p = find(f, &pos);

	/* To read from anywhere seq_file has all shown that is before. */
	kfi_resched();
	f->kind->show(m, p, (u32)pos);
	return 0;
}

static const struct seq_operations log_seq = {
	.start = log_start,
	.next = log_next,
	.stop = log_stop,
	.show = log_show,
};

static int get_log(struct log_file *f, const struct log_kind *kind)
{
	struct kfi_log *log = kfi_control_get_rows();

	if (IS_ERR(log))
		return PTR_ERR(log);
	f->kind = kind;
	f->log = log;
	choose_parts(f);
	return 0;
}

static void put_log(struct log_file *f)
{
	u32 i;

	for (i = 0; i < f->nparts; i++)
		kfi_raw_forget(&f->part[i].raw);
	kfi_log_put(f->log);
}

static int open_log(struct file *file, const struct log_kind *kind)
{
	struct log_file *f;
	int ret = kfi_proc_may_open();

	if (ret)
		return ret;
	f = __seq_open_private(file, &log_seq, sizeof(*f));
	if (!f)
		return -ENOMEM;
	ret = get_log(f, kind);
	if (ret)
		seq_release_private(file_inode(file), file);
	return ret;
}

static int log_release(struct inode *inode, struct file *file)
{
	put_log(((struct seq_file *)file->private_data)->private);
	return seq_release_private(inode, file);
}

static int trace_open(struct inode *inode, struct file *file)
{
	return open_log(file, &trace_kind);
}

static int raw_open(struct inode *inode, struct file *file)
{
	struct log_file *f;
	int ret = open_log(file, &raw_kind);

	if (ret)
		return ret;
	f = ((struct seq_file *)file->private_data)->private;
	ret = raw_prepare(f);
	if (ret)
		log_release(inode, file);
	return ret;
}

static const struct proc_ops trace_ops = {
	.proc_open = trace_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = log_release,
};

static const struct proc_ops raw_ops = {
	.proc_open = raw_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = log_release,
};

/* ---- /proc/kfi_serial: the raw log in lines for a console ---- */

/* Entries of the table of functions and call sites. */
#define SERIAL_DEFS		8192

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
 * @failed: there was no memory for a line
 * @lock: of all that: reads may come from several threads
 * @s: what writes lines
 */
struct serial_file {
	struct log_file f;
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

/* A piece of the raw log in memory. */
static int copy_piece(const struct log_part *p, u32 pos, struct seq_file *m)
{
	for (*m = (struct seq_file) { .size = PAGE_SIZE };; m->size *= 2) {
		m->buf = kvmalloc(m->size, GFP_KERNEL);
		if (!m->buf)
			return -ENOMEM;
		m->count = 0;
		raw_show(m, (struct log_part *)p, pos);
		if (!seq_has_overflowed(m))
			return 0;
		kvfree(m->buf);
	}
}

/* Makes lines of the next piece, or of the end. Return: 0, also if there is none; -errno. */
static int next_piece(struct serial_file *f)
{
	loff_t pos = f->pos++;
	const struct log_part *p = find(&f->f, &pos);
	struct seq_file m;
	int ret;

	f->len = 0;
	f->at = 0;
	if (!p) {
		f->ended = true;
		kfi_serial_last(&f->s);
		return f->failed ? -ENOMEM : 0;
	}
	ret = copy_piece(p, (u32)pos, &m);
	if (ret)
		return ret;
	if (!kfi_serial_log(&f->s, m.buf, (u32)m.count))
		ret = -EIO;
	kvfree(m.buf);
	return f->failed ? -ENOMEM : ret;
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
	put_log(&f->f);
	kvfree(f->memory);
	kvfree(f->lines);
	kvfree(f);
}

static int serial_open(struct inode *inode, struct file *file)
{
	struct serial_file *f;
	int ret = kfi_proc_may_open();

	if (ret || !(file->f_mode & FMODE_READ))
		return ret;
	f = kvzalloc(sizeof(*f), GFP_KERNEL);
	if (!f)
		return -ENOMEM;
	f->memory = kvmalloc(kfi_serial_memory(SERIAL_DEFS), GFP_KERNEL);
	ret = f->memory ? get_log(&f->f, &raw_kind) : -ENOMEM;
	if (!ret)
		ret = raw_prepare(&f->f);
	if (ret) {
		serial_free(f);
		return ret;
	}
	mutex_init(&f->lock);
	kfi_serial_init(&f->s, SERIAL_DEFS, f->memory, add_line, f);
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

static int __init kfi_proc_init(void)
{
	if (!proc_create("kfi", 0600, NULL, &kfi_ops) ||
	    !proc_create("kfi_trace", 0400, NULL, &trace_ops) ||
	    !proc_create("kfi_raw", 0400, NULL, &raw_ops) ||
	    !proc_create("kfi_serial", 0600, NULL, &serial_ops))
		pr_err("kfi: no memory for /proc/kfi\n");
	return 0;
}
fs_initcall(kfi_proc_init);
