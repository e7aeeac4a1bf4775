// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/kfi (configure, command, status), /proc/kfi_trace and /proc/kfi_raw (the log); pipe.c has
 * /proc/kfi_pipe, serial.c /proc/kfi_serial. Root only, and only with CAP_PERFMON or CAP_SYS_ADMIN:
 * kernel addresses must not leak.
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
 * @installed: @text was installed, and the kernel log does not say so yet
 */
struct kfi_input {
	struct mutex lock;
	char *text;
	size_t len;
	bool installed;
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
		pr_err("kfi: line %u column %u: %s\n", err->line, err->col,
		       kfi_conf_err_public(err).reason);
}

/* One line in the kernel log for a configuration, in however many pieces it came. */
static void report(struct kfi_input *in)
{
	if (in->installed)
		kfi_control_report();
	in->installed = false;
}

/*
 * Add what is written to the text of before, or begin anew: after ``end`` only comments and another
 * block go on. @first: the first word. Return: -E2BIG if there is no
 * room, or if @len is more than a text may have: then not all of it was read.
 */
static int add_piece(struct kfi_input *in, const char *piece, size_t len,
		     enum kfi_conf_first *first)
{
	size_t comment = kfi_conf_rest_of_comment(in->text, in->len, piece, len), written = len;

	*first = kfi_conf_first(piece + comment, len - comment);
	if (in->len && *first == KFI_FIRST_OTHER && !kfi_conf_is_begun(in->text, in->len)) {
		report(in);
		in->len = 0;
		piece += comment;
		len -= comment;
	}
	if (written > KFI_CONF_TEXT_MAX || len > KFI_CONF_TEXT_MAX - in->len)
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
	enum kfi_conf_first first;
	int cmd, ret;

	ret = add_piece(in, piece, len, &first);
	if (ret) {
		snprintf(err.reason, sizeof(err.reason), "the text is longer than %d bytes",
			 KFI_CONF_TEXT_MAX);
		goto refused;
	}
	if (first == KFI_FIRST_NONE)
		return 0;
	cmd = kfi_conf_command(in->text, in->len, &mark, &err);
	if (cmd == KFI_CMD_NEW && kfi_conf_is_begun(in->text, in->len))
		return 0;
	ret = cmd < 0 ? cmd : kfi_control_write(in->text, in->len, &err);
	if (ret)
		goto refused;
	in->installed = cmd == KFI_CMD_NEW;
	if (cmd != KFI_CMD_NEW)
		in->len = 0;
	keep_error(NULL);
	return 0;

refused:
	report(in);
	in->len = 0;
	keep_error(&err);
	return ret;
}

static ssize_t kfi_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct kfi_input *in = ((struct seq_file *)file->private_data)->private;
	/* More is not read of what is too long. */
	size_t most = min_t(size_t, len, KFI_CONF_TEXT_MAX + 1);
	struct kfi_conf_err err;
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
	if (in->text) {
		ret = take_piece(in, piece, most);
	} else {
		ret = kfi_log_reject(&err, -ENOMEM, "no memory for the text");
		keep_error(&err);
	}
	mutex_unlock(&in->lock);
	kfree(piece);
	return ret ?: len;
}

/* A text without its ``end`` is rejected when the file is closed, although close() cannot fail. */
static int kfi_release(struct inode *inode, struct file *file)
{
	struct kfi_input *in = ((struct seq_file *)file->private_data)->private;
	struct kfi_conf_err err = { .line = 1, .col = 1 };

	report(in);
	if (in->len && kfi_conf_is_begun(in->text, in->len) &&
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

/* All logs that are complete, and the snapshot; if there is neither, a header. */
static void choose_parts(struct kfi_parts *f)
{
	const struct kfi_log *snap = f->log && f->log->of ? f->log : NULL;
	const struct kfi_log *log = snap ? snap->of->first : f->log;

	for (; log && kfi_log_is_collected(log) && !(snap && log == snap->of); log = log->next)
		f->part[f->n++] = (struct kfi_part) { .log = log, .whole = true };
	if (snap)
		f->part[f->n++] = (struct kfi_part) { .log = snap, .whole = true };
	if (!f->n)
		f->part[f->n++].log = f->log;
}

/* Text: position 0 is the header, i is row i - 1. */
static u32 trace_end(const struct kfi_part *p)
{
	return 1 + (p->whole ? p->log->nrows : 0);
}

/* What did not fit is shown again: the sums begin at the same row then. */
static void show_row(struct seq_file *m, struct kfi_part *p, u32 pos)
{
	if (pos != p->pos)
		p->before = p->check;
	p->pos = pos;
	p->check = p->before;
	kfi_show_row(m, p->log, pos - 1, &p->check);
	if (p->check.lines == KFI_CHECK_LINES || pos == p->log->nrows)
		kfi_show_check(m, p->log, &p->check);
}

static void trace_show(struct seq_file *m, struct kfi_part *p, u32 pos)
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

static const struct kfi_parts_kind trace_kind = { .end = trace_end, .show = trace_show };

/* Raw: a position is a piece. */
static int raw_prepare(struct kfi_parts *f, const struct kfi_move *move)
{
	int ret = 0;
	u32 i;

	for (i = 0; f->log && !ret && i < f->n; i++) {
		struct kfi_part *p = &f->part[i];

		ret = kfi_raw_prepare(&p->raw, p->log, p->whole, move);
	}
	return ret;
}

static u32 raw_end(const struct kfi_part *p)
{
	return p->log ? kfi_raw_pieces(&p->raw) : 0;
}

static void raw_show(struct seq_file *m, struct kfi_part *p, u32 pos)
{
	kfi_raw_piece(m, &p->raw, pos);
}

static const struct kfi_parts_kind raw_kind = { .end = raw_end, .show = raw_show };

struct kfi_part *kfi_parts_find(struct kfi_parts *f, loff_t *pos)
{
	u32 i;

	for (i = 0; i < f->n; i++) {
		u32 end = f->kind->end(&f->part[i]);

		if (*pos < end)
			return &f->part[i];
		*pos -= end;
	}
	return NULL;
}

static void *log_start(struct seq_file *m, loff_t *pos)
{
	loff_t in_part = *pos;

	return kfi_parts_find(m->private, &in_part) ? pos : NULL;
}

static void *log_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return log_start(m, pos);
}

static void log_stop(struct seq_file *m, void *v)
{
}

static int log_show(struct seq_file *m, void *v)
{
	struct kfi_parts *f = m->private;
	loff_t pos = *(loff_t *)v;
	struct kfi_part *p = kfi_parts_find(f, &pos);

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

static int get_log(struct kfi_parts *f, const struct kfi_parts_kind *kind)
{
	struct kfi_log *log = kfi_control_get_rows();

	if (IS_ERR(log))
		return PTR_ERR(log);
	f->kind = kind;
	f->log = log;
	choose_parts(f);
	return 0;
}

int kfi_parts_get_raw(struct kfi_parts *f, const struct kfi_move *move)
{
	int ret = get_log(f, &raw_kind);

	return ret ?: raw_prepare(f, move);
}

int kfi_parts_set_raw(struct kfi_parts *f, struct kfi_log *log, const struct kfi_move *move)
{
	*f = (struct kfi_parts) { .kind = &raw_kind, .log = log };
	choose_parts(f);
	return raw_prepare(f, move);
}

void kfi_parts_put(struct kfi_parts *f)
{
	u32 i;

	for (i = 0; i < f->n; i++)
		kfi_raw_forget(&f->part[i].raw);
	kfi_log_put(f->log);
}

static int log_release(struct inode *inode, struct file *file)
{
	kfi_parts_put(((struct seq_file *)file->private_data)->private);
	return seq_release_private(inode, file);
}

static int open_log(struct file *file, const struct kfi_parts_kind *kind)
{
	struct kfi_parts *f;
	int ret = kfi_proc_may_open();

	if (ret)
		return ret;
	f = __seq_open_private(file, &log_seq, sizeof(*f));
	if (!f)
		return -ENOMEM;
	ret = get_log(f, kind);
	if (!ret && kind == &raw_kind)
		ret = raw_prepare(f, NULL);
	if (ret)
		log_release(file_inode(file), file);
	return ret;
}

static int trace_open(struct inode *inode, struct file *file)
{
	return open_log(file, &trace_kind);
}

static int raw_open(struct inode *inode, struct file *file)
{
	return open_log(file, &raw_kind);
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

static int __init kfi_proc_init(void)
{
	if (!proc_create("kfi", 0600, NULL, &kfi_ops) ||
	    !proc_create("kfi_trace", 0400, NULL, &trace_ops) ||
	    !proc_create("kfi_raw", 0400, NULL, &raw_ops) ||
	    !kfi_pipe_create() || !kfi_serial_create())
		pr_err("kfi: no memory for /proc/kfi\n");
	return 0;
}
fs_initcall(kfi_proc_init);
