// SPDX-License-Identifier: GPL-2.0
/* Prints kd's table of functions: columns, order, rows. kd_sum.c computes the values. */
#include <stdio.h>
#include <stdlib.h>

#include "kd_sum.h"
#include "kd_table.h"

/* Columns, in the order of the letters of -f in the manual. */
static const struct kd_column columns[] = {
	{ 'F', "Function", -35, NULL, "function" },
	{ 'c', "Count", 5, NULL, "count", "count", "Samples", "samples" },
	{ 'T', "Time %", 7, NULL, "time_percent", "total_percent" },
	{ 't', "Time", 8, "Net time", "time_ns", "total", "~Time", "estimated_time_ns" },
	{ 'a', "Average", 8, "Net avg", "average_ns" },
	{ 'r', "Range", 12, NULL, "range_us" },
	{ 's', "Sub-time", 8, "Net sub", "sub_ns", "sub", "~Sub", "estimated_sub_ns" },
	{ 'l', "Local", 8, "Net loc", "local_ns", "self", "~Local",
	  "estimated_local_ns" },
	{ 'L', "Local %", 7, "Net l %", "local_percent", "self_percent" },
	{ 'p', "On-cpu", 8, "Net cpu", "on_cpu_ns" },
	{ 'w', "Off-cpu", 8, NULL, "off_cpu_ns" },
	{ 'i', "Irq", 8, NULL, "irq_ns" },
	{ 'A', "Min", 8, NULL, "min_ns" },
	{ 'M', "Median", 8, NULL, "median_ns" },
	{ 'P', "p90", 8, NULL, "p90_ns" },
	{ 'Q', "p99", 8, NULL, "p99_ns" },
	{ 'Z', "Max", 8, NULL, "max_ns" },
	{ 'm', "Max-sub", 35, NULL, "max_sub" },
	{ 'n', "Ms count", 8, NULL, "max_sub_count" },
	{ 'o', "Open", 5, NULL, "open" },
	{ 'C', "Callers", 7, NULL, "callers" },
	{ 'b', "First", 10, NULL, "first_ns" },
	{ 'e', "Last", 10, NULL, "last_ns" },
	{ 'u', "Sub list", 0, NULL, "sub_list" },
};

#define SORT_KEYS	"FcTtaslLpwiAMPQZnoCbe"

/* Default columns for programs. */
#define PROGRAM_FORMAT	"FctaslLpwiAMPQZoC"

/* Default columns for samples. Without a clock only counts and percentages of these are known. */
#define SAMPLED_FORMAT	"FcTLtl"
#define EVENTS_FORMAT	"FcTL"

/**
 * struct order - the columns that the rows are sorted by
 * @key: letters of the columns, the most significant first
 * @up: by key: sort from the least to the greatest
 * @n: how many
 */
struct order {
	char key[16];
	bool up[16];
	u32 n;
};

/* qsort() passes no argument. */
static const struct kd_sum *sorting;
static const struct order *order;
static u64 *values;

/* Report the part of -s that is no column that can be sorted by. */
static int reject_order(const char *all, const char *part, size_t len, struct kfi_err *err)
{
	return kfi_err_set(err, EINVAL,
			   "-s %s: \"%.*s\" is no column to sort by: letters of " SORT_KEYS ", or their names with commas, each perhaps behind a + or -",
			   all, (int)len, part);
}

int kd_summary_sort(const char *text, char out[KD_COLUMNS_MAX], struct kfi_err *err)
{
	const char *all = text;
	bool names = strchr(text, ','), sign;
	u32 n = 0, keys = 0;

	for (; *text && keys < sizeof(((struct order *)0)->key); keys++) {
		size_t len;
		char id;

		sign = *text == '+' || *text == '-';
		if (sign)
			out[n++] = *text++;
		len = strcspn(text, ",+-");
		id = kd_column_named(columns, ARRAY_SIZE(columns), text, len);
		if (!id && names && len > 1)
			return reject_order(all, text, len, err);
		if (!id) {
			id = *text;
			len = id && len ? 1 : 0;
		}
		if (!len || !strchr(SORT_KEYS, id))
			return reject_order(all, text, len, err);
		out[n++] = id;
		text += len;
		if (*text == ',' && text[1])
			text++;
	}
	out[n] = '\0';
	if (!keys)
		return reject_order(all, text, 0, err);
	return !*text ? 0 : kfi_err_set(err, EINVAL, "-s %s: more than %zu columns", all,
					sizeof(((struct order *)0)->key));
}

/* Parse -s, which has been checked. */
static void parse_order(struct order *o, const char *text)
{
	for (o->n = 0; *text; o->n++) {
		o->up[o->n] = *text == '+';
		text += *text == '+' || *text == '-';
		o->key[o->n] = *text++;
	}
}

/* Rows without a value come last, whatever the key and the direction. */
static int by_keys(const void *a, const void *b)
{
	const struct kd_sum *s = sorting;
	u32 x = *(const u32 *)a, y = *(const u32 *)b;
	const char *name_x = s->kd->in.names.str[x].s, *name_y = s->kd->in.names.str[y].s;

	for (u32 i = 0; i < order->n; i++) {
		char key = order->key[i];
		u64 v = values[(size_t)x * order->n + i], w = values[(size_t)y * order->n + i];
		int way = order->up[i] ? -1 : 1;

		if (key == 'F')
			return way * strcmp(name_y, name_x);
		if (kd_sum_known(s, x, key) != kd_sum_known(s, y, key))
			return kd_sum_known(s, x, key) ? -1 : 1;
		if (v != w)
			return v > w ? -way : way;
	}
	return strcmp(name_x, name_y);
}

static void print_list(const struct kd_sum *s, struct kd_table *t, u32 func)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	bool first = true;

	for (u32 i = s->func[func].best; f && i < s->nedges && s->edge[i].from == func &&
	     s->edge[i].calls; i++) {
		fprintf(f, "%s%s(%llu,%llu)", first ? "" : ", ",
			s->kd->in.names.str[s->edge[i].to].s,
			(unsigned long long)s->edge[i].calls,
			(unsigned long long)s->edge[i].time / 1000);
		first = false;
	}
	if (f)
		fclose(f);
	kd_cell_text(t, text ? text : "");
	free(text);
}

static void print_cell(struct kd_sum *s, struct kd_table *t, u32 func, char id)
{
	const struct kd_func *fn = &s->func[func];
	char text[64];

	if (!kd_sum_known(s, func, id)) {
		kd_cell_unknown(t);
		return;
	}
	switch (id) {
	case 'F':
		kd_cell_text(t, s->kd->in.names.str[func].s);
		return;
	case 'u':
		print_list(s, t, func);
		return;
	case 'm':
		kd_cell_text(t, fn->best == KFI_NONE ? "" :
			     s->kd->in.names.str[s->edge[fn->best].to].s);
		return;
	case 'r':
		snprintf(text, sizeof(text), "(%llu-%llu)", (unsigned long long)fn->min / 1000,
			 (unsigned long long)fn->max / 1000);
		kd_cell_text(t, text);
		return;
	case 'c':
	case 'o':
	case 'n':
	case 'C':
		kd_cell_count(t, kd_sum_value(s, func, id));
		return;
	case 'L':
	case 'T':
		kd_cell_percent(t, kd_sum_value(s, func, id),
				id == 'L' && fn->unsure);
		return;
	default:
		kd_cell_time(t, kd_sum_value(s, func, id),
			     (id == 's' || id == 'l') && fn->unsure);
	}
}

/* Functions without a call that counts are shown if no filter leaves out calls. */
static bool is_shown(const struct kd_sum *s, u32 func)
{
	const struct kd *kd = s->kd;

	/* In an import, a caller may have a name and no calls. */
	if ((kd->opt.filter.calls || kd->in.log.import) && !s->func[func].calls)
		return false;
	if (kd_sum_value(s, func, 't') < (u64)kd->opt.time_ns)
		return false;
	return kd_filter_func(&kd->opt.filter, &s->kd->in.matches, &kd->in.names, func);
}

static int print_table(struct kd_sum *s, const char *format, struct kfi_err *err)
{
	struct kd_table t = { .out = s->kd->opt.out, .sampled = s->kd->in.head.sampled,
			      .lines = s->kd->opt.srcline };
	struct order o;
	u32 n = s->known, *rows = malloc((n ? n : 1) * sizeof(*rows));

	parse_order(&o, s->kd->opt.sort ? s->kd->opt.sort : "t");
	values = malloc(((size_t)n * o.n + 1) * sizeof(*values));
	if (!rows || !values || (n && kd_filter_match(&s->kd->opt.filter, &s->kd->in.matches,
						       &s->kd->in.names, n - 1) < 0)) {
		free(rows);
		free(values);
		return kfi_err_set(err, ENOMEM, "out of memory");
	}
	for (u32 i = 0; i < n; i++) {
		rows[i] = i;
		for (u32 k = 0; k < o.n; k++)
			values[(size_t)i * o.n + k] = kd_sum_value(s, i, o.key[k]);
	}
	sorting = s;
	order = &o;
	qsort(rows, n, sizeof(*rows), by_keys);
	kd_table_begin(&t, columns, ARRAY_SIZE(columns), format, s->kd->opt.net);
	for (u32 i = 0; i < n && t.rows < s->kd->opt.num; i++) {
		if (!is_shown(s, rows[i]))
			continue;
		for (const char *f = format; *f; f++)
			print_cell(s, &t, rows[i], *f);
		kd_line_cell(s->kd, &t, rows[i]);
		kd_row_end(&t);
	}
	s->kd->res.unsure |= t.any_unsure;
	free(rows);
	free(values);
	return 0;
}

static bool asks(const struct kd *kd, const char *format, const char *letters)
{
	return strpbrk(format, letters) || (kd->opt.sort && strpbrk(kd->opt.sort, letters));
}

/* Return what the columns and the order of the table need: KD_WANT_*. */
static u32 want_of(const struct kd *kd, const char *format)
{
	return (asks(kd, format, "mnuC") ? KD_WANT_EDGES : 0) |
	       (asks(kd, format, "MPQ") ? KD_WANT_HIST : 0) |
	       (asks(kd, format, "pwi") ? KD_WANT_PARTS : 0) |
	       (asks(kd, format, "be") ? KD_WANT_SPAN : 0);
}

/* Find out whether the log lacks values that the columns need, for a note. */
static void look_for_parts(const struct kd_sum *s, const char *format)
{
	bool off = asks(s->kd, format, "pw"), irq = asks(s->kd, format, "pi");

	for (u32 i = 0; i < s->known; i++)
		s->kd->res.no_off_irq |= (off && s->func[i].no_off) || (irq && s->func[i].no_irq);
}

/* Return the letters of the default columns. */
static const char *usual_columns(const struct kd *kd)
{
	if (kd->in.head.sampled == KFI_SAMPLED_TIME)
		return SAMPLED_FORMAT;
	if (kd->in.head.sampled)
		return EVENTS_FORMAT;
	if (kd->opt.longer)
		return "Fctalsmn";
	return kd->opt.out == KD_OUT_TEXT ? "Fctal" : PROGRAM_FORMAT;
}

u32 kd_summary_want(const struct kd *kd)
{
	return want_of(kd, "");
}

int kd_summary_print(struct kd_sum *s, struct kfi_err *err)
{
	kd_sum_end(s);
	return print_table(s, usual_columns(s->kd), err);
}

int kd_summary(struct kd *kd, struct kfi_err *err)
{
	struct kd_sum s = { .kd = kd };
	char format[KD_COLUMNS_MAX];
	int ret;

	if (kd_cost(kd, &s.cost, err))
		return -EINVAL;
	if (kd_columns(kd, kd->opt.format ? : usual_columns(kd), columns, ARRAY_SIZE(columns), NULL,
		       format, err))
		return -EINVAL;
	s.want = want_of(kd, format);
	ret = kd_sum_read(&s, err);
	if (ret == 0) {
		look_for_parts(&s, format);
		ret = print_table(&s, format, err);
	}
	kd_sum_free(&s);
	return ret;
}
