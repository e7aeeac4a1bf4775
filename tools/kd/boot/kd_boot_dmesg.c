// SPDX-License-Identifier: GPL-2.0
/*
 * Lines of printk in the report of a boot (--dmesg): reads them, and places them on the axis of
 * Entry. See kd_boot.h.
 *
 * printk has a clock of its own: it stands still until the kernel has set it up, and may run at
 * another rate than the recorder's clock, which even changes during the boot. So the header has
 * pairs of times, "Printk clock" lines. Between two pairs, time is divided in proportion. A line
 * with the time 0 was printed before printk's clock ran: it comes first, without a time.
 */
#include <stdlib.h>

#include "kd_boot_show.h"

/* Two rates are the same if they differ by less than one part in this number. */
#define SAME_RATE	1000

/*
 * Both clocks count nanoseconds. A rate that differs from 1 by more than one part in this number is
 * that of a clock that stands still now and then, or leaps.
 */
#define TRUE_RATE	20

/**
 * struct place - converts times of printk into times of the log
 * @pair: pairs of times from the header, while printk's clock runs, in order
 * @n: how many
 * @slope: by pair: nanoseconds of the log for one of printk, up to the next pair
 * @even: by pair: the rate seems to be constant up to the next pair
 */
struct place {
	struct kfi_log_printk pair[KFI_LOG_PRINTKS];
	u32 n;
	double slope[KFI_LOG_PRINTKS];
	bool even[KFI_LOG_PRINTKS];
};

/* Return true if @a and @b differ by less than one part in @parts. */
static bool is_near(double a, double b, int parts)
{
	double d = a - b;

	return (d < 0 ? -d : d) * parts < b;
}

/* Read the pairs of times from the header. Return: 0 or -EINVAL. */
static int find_pairs(const struct kfi_log_head *h, const char *log, struct place *p,
		      struct kfi_err *err)
{
	for (u32 i = 0; i < h->nprintk; i++) {
		const struct kfi_log_printk *last = &p->pair[p->n - !!p->n];
		const struct kfi_log_printk *x = &h->printk[i];

		/* A clock that ticks slowly may have the same time in two pairs. */
		if (!x->printk_ns || (p->n && x->printk_ns == last->printk_ns))
			continue;
		if (p->n && (x->printk_ns < last->printk_ns || x->entry_ns <= last->entry_ns))
			return kfi_err_set(err, EINVAL,
					   "%s: --dmesg: the lines \"Printk clock\" are not in order: the log is damaged",
					   log);
		p->pair[p->n++] = *x;
	}
	if (p->n < 2)
		return kfi_err_set(err, EINVAL,
				   "%s: --dmesg needs two lines \"Printk clock\" in the header of the log",
				   log);
	for (u32 i = 0; i + 1 < p->n; i++)
		p->slope[i] = (double)(p->pair[i + 1].entry_ns - p->pair[i].entry_ns) /
			      (double)(p->pair[i + 1].printk_ns - p->pair[i].printk_ns);
	/* A rate that no neighbour has belongs to a part in which the rate changed. */
	for (u32 i = 0; i + 2 < p->n; i++)
		if (is_near(p->slope[i], p->slope[i + 1], SAME_RATE) &&
		    is_near(p->slope[i], 1, TRUE_RATE))
			p->even[i] = p->even[i + 1] = true;
	return 0;
}

/* Set the time of a line. It is an estimate before the first pair and behind the last. */
static void place(const struct place *p, u64 printk_ns, struct boot_message *m)
{
	const struct kfi_log_printk *x;
	double far;
	u32 i = 0;

	while (i + 2 < p->n && printk_ns >= p->pair[i + 1].printk_ns)
		i++;
	x = &p->pair[i];
	far = (double)((s64)printk_ns - (s64)x->printk_ns) * p->slope[i];
	m->at = x->entry_ns + (far > KFI_LOG_PRINTK_MAX ? KFI_LOG_PRINTK_MAX :
			       far < -KFI_LOG_PRINTK_MAX ? -KFI_LOG_PRINTK_MAX : (s64)far);
	m->unsure = !p->even[i] || printk_ns < x->printk_ns || printk_ns > x[1].printk_ns;
}

/* Keep a line, without characters that could harm a terminal. */
static u32 keep_text(struct kd_boot *b, const char *s, size_t len)
{
	char *text = malloc(len + 1);
	u32 id;

	if (!text)
		return KFI_NONE;
	while (len && (s[len - 1] == '\r' || s[len - 1] == ' '))
		len--;
	for (size_t i = 0; i < len; i++)
		text[i] = s[i] == '\t' ? ' ' : s[i] < ' ' || s[i] > '~' ? '?' : s[i];
	id = kfi_names_get(&b->words, text, (u32)len);
	free(text);
	return id;
}

/**
 * struct reading - state while the file of --dmesg is read
 * @b: the boot; its messages are added
 * @place: converts the times of lines
 * @name: name of the file
 * @lines: number of lines so far
 * @stamped: a line with a time was read
 * @standing: number of lines with the time 0
 * @unsure: number of lines whose place is an estimate
 * @banners: number of "Linux version" lines, with which a boot begins
 */
struct reading {
	struct kd_boot *b;
	struct place place;
	const char *name;
	u64 lines;
	bool stamped;
	u64 standing;
	u64 unsure;
	u64 banners;
};

/* Check that a line "Linux version" is of the kernel of the log. Return: 0 or -EINVAL. */
static int check_banner(struct reading *r, const char *s, size_t len, struct kfi_err *err)
{
	static const char banner[] = "Linux version ";
	const char *kernel = r->b->kd->in.head.kernel;
	size_t n = strlen(banner), word = 0;

	if (len < n || memcmp(s, banner, n))
		return 0;
	while (n + word < len && s[n + word] > ' ')
		word++;
	if (*kernel && (word != strlen(kernel) || memcmp(s + n, kernel, word)))
		return kfi_err_set(err, EINVAL,
				   "%s: lines of another kernel than that of the log, %s; give those of the same boot",
				   r->name,
				   kernel);
	if (r->banners++)
		return kfi_err_set(err, EINVAL,
				   "%s: lines of several boots (\"Linux version\"): keep those of one",
				   r->name);
	return 0;
}

/* Add a line of the file to the messages. Return: 0 or -errno. */
static int add_line(struct reading *r, const char *s, size_t len, struct kfi_err *err)
{
	struct boot_message m = { .at = -1, .line = r->lines++ };
	struct kd_boot *b = r->b;
	u64 printk_ns;
	size_t stamp = kfi_log_printk_stamp(s, len, &printk_ns);
	int ret;

	if (!stamp)
		return 0;
	ret = check_banner(r, s + stamp, len - stamp, err);
	if (ret)
		return ret;
	r->stamped = true;
	if (printk_ns)
		place(&r->place, printk_ns, &m);
	if (m.at >= b->end)
		return 0;
	if (printk_ns && m.at < b->start) {
		m.at = b->start;
		m.unsure = true;
	}
	m.text = keep_text(b, s + stamp, len - stamp);
	if (m.text == KFI_NONE || boot_grow(&b->message))
		return kfi_err_set(err, ENOMEM, "out of memory");
	r->standing += !printk_ns;
	r->unsure += m.unsure;
	b->message.at[b->message.n++] = m;
	return 0;
}

/* Sort by time, and lines of the same time as in the file. */
static int by_time(const void *a, const void *b)
{
	const struct boot_message *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Read the file of --dmesg. Return: 0 or -errno. */
static int read_lines(struct reading *r, struct kfi_err *err)
{
	struct kfi_in in = { 0 };
	int ret = kfi_in_open(&in, r->name, err);
	const char *s;
	size_t len;

	if (ret)
		return ret;
	while (ret >= 0 && (ret = kfi_in_line(&in, &s, &len, err)) > 0)
		ret = add_line(r, s, len, err) ? : 1;
	if (!ret && *in.fault)
		ret = kfi_err_set(err, EINVAL, "%s: %s", r->name, in.fault);
	else if (!ret && !r->stamped)
		ret = kfi_err_set(err, EINVAL, "%s: has no line of printk with a time: [    1.234567] ...",
				  r->name);
	kfi_in_close(&in);
	return ret;
}

int boot_messages(struct kd_boot *b, struct kfi_err *err)
{
	struct reading r = { .b = b, .name = b->kd->opt.dmesg };
	int ret = find_pairs(&b->kd->in.head, b->kd->in.log.in.name, &r.place, err);

	ret = ret ? : read_lines(&r, err);
	if (ret)
		return ret;
	if (b->message.n)
		qsort(b->message.at, b->message.n, sizeof(*b->message.at), by_time);
	if (r.standing)
		kd_note("lines of printk from before its clock ran: %llu: they come first",
			(unsigned long long)r.standing);
	if (r.unsure)
		kd_note("lines of printk whose time is a guess (?), because the rate of its clock is not known there: %llu",
			(unsigned long long)r.unsure);
	return 0;
}

int boot_messages_put(struct kd_boot *b, struct kd_table *t, s64 to)
{
	int ret = 0;

	for (; b->message_shown < b->message.n && !ret; b->message_shown++) {
		const struct boot_message *m = &b->message.at[b->message_shown];
		struct boot_row r = boot_row("printk", m->at, -1);

		if (m->at >= to)
			break;
		r.name = b->words.str[m->text].s;
		r.is_message = true;
		r.unsure = m->unsure;
		ret = boot_row_put(b, t, &r);
	}
	return ret;
}
