// SPDX-License-Identifier: GPL-2.0
/*
 * kd's comparison of logs (--diff): what each function took before and after. Several logs of a
 * side are runs of the same thing: their spread says how much of a difference is noise. Memory goes
 * with functions and files.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kd_sum.h"

#define SIDES		2

/**
 * struct change - a function
 * @func: number of its name
 * @mean: by side: of all logs of the side, one without the function counting as 0
 * @calls: by side: of all its logs
 * @logs: by side: logs that have the function
 * @change: from old to new
 * @noise: differences up to this are chance, 19 times of 20; below 0: unknown
 * @beyond: the change is more than that, and than what was asked for
 */
struct change {
	u32 func;
	double mean[SIDES];
	u64 calls[SIDES];
	u32 logs[SIDES];
	double change;
	double noise;
	bool beyond;
};

/**
 * struct diff - the comparison
 * @kd: the options
 * @key: letter of the column that is compared
 * @names: of functions of all logs
 * @n: by side: logs
 * @first: by side: number of its first log
 * @logs: logs in all
 * @value: by function, then log
 * @calls: likewise
 * @known: likewise: the log has the function
 * @room: bytes there is room for, of each of the three
 * @funcs: functions in them
 * @mintime: time filter of the first log
 * @mixed: the logs were filtered differently
 * @lost: a log has lost calls
 */
struct diff {
	struct kd *kd;
	char key;
	struct kfi_names names;
	u32 n[SIDES];
	u32 first[SIDES];
	u32 logs;
	u64 *value;
	u64 *calls;
	bool *known;
	u32 room[3];
	u32 funcs;
	u64 mintime;
	bool mixed;
	bool lost;
};

static const struct kd_column columns[] = {
	{ 'F', "Function", -35, NULL, "function" },
	{ 'a', "Old", 10, NULL, "old" },
	{ 'b', "New", 10, NULL, "new" },
	{ 'd', "Change", 10, NULL, "change" },
	{ '%', "Change %", 9, NULL, "change_percent" },
	{ 'z', "Noise", 8, NULL, "noise" },
	{ 'c', "Old count", 9, NULL, "old_count" },
	{ 'e', "New count", 9, NULL, "new_count" },
	{ 'v', "Verdict", -7, NULL, "verdict" },
};

/* Student's t for 19 of 20, both ways, by degrees of freedom. */
static double student(double freedom)
{
	static const struct {
		int freedom;
		double t;
	} table[] = {
		{ 120, 1.980 }, { 60, 2.000 }, { 30, 2.042 }, { 20, 2.086 }, { 15, 2.131 },
		{ 12, 2.179 }, { 10, 2.228 }, { 9, 2.262 }, { 8, 2.306 }, { 7, 2.365 },
		{ 6, 2.447 }, { 5, 2.571 }, { 4, 2.776 }, { 3, 3.182 }, { 2, 4.303 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (freedom >= table[i].freedom)
			return table[i].t;
	return 12.706;
}

/* Squared error of the mean of a side. */
static double error_of(const struct diff *d, u32 func, int side, double mean)
{
	double sum = 0;
	u32 n = d->n[side];

	if (n < 2)
		return 0;
	for (u32 i = d->first[side]; i < d->first[side] + n; i++) {
		double v = (double)d->value[(size_t)func * d->logs + i] - mean;

		sum += v * v;
	}
	return sum / (n - 1) / n;
}

/* Welch's interval; with several logs on one side only, the other one is taken to vary as much. */
static double noise_of(const struct diff *d, u32 func, const struct change *c)
{
	double e[SIDES], freedom;

	if (d->n[0] < 2 && d->n[1] < 2)
		return -1;
	for (int side = 0; side < SIDES; side++)
		e[side] = error_of(d, func, side, c->mean[side]);
	for (int side = 0; side < SIDES; side++)
		if (d->n[side] < 2)
			e[side] = e[!side] * d->n[!side] / d->n[side];
	if (e[0] + e[1] <= 0)
		return 0;
	freedom = (e[0] + e[1]) * (e[0] + e[1]);
	if (d->n[0] < 2 || d->n[1] < 2)
		freedom = (d->n[0] < 2 ? d->n[1] : d->n[0]) - 1;
	else
		freedom /= e[0] * e[0] / (d->n[0] - 1) + e[1] * e[1] / (d->n[1] - 1);
	return student(freedom) * sqrt(e[0] + e[1]);
}

/* Room for a function of all logs. */
static int room_for(struct diff *d, u32 func)
{
	u32 need = d->funcs, cells;

	if (func < d->funcs)
		return 0;
	need = func + 1;
	if (need > U32_MAX / d->logs)
		return -ENOMEM;
	cells = need * d->logs;
	if (kfi_grow((void **)&d->value, &d->room[0], cells, sizeof(*d->value)) ||
	    kfi_grow((void **)&d->calls, &d->room[1], cells, sizeof(*d->calls)) ||
	    kfi_grow((void **)&d->known, &d->room[2], cells, sizeof(*d->known)))
		return -ENOMEM;
	for (u32 i = d->funcs * d->logs; i < cells; i++) {
		d->value[i] = d->calls[i] = 0;
		d->known[i] = false;
	}
	d->funcs = need;
	return 0;
}

/* What a log says of each function. */
static int take(struct diff *d, const struct kd_sum *s, u32 log)
{
	struct kd *kd = s->kd;

	for (u32 i = 0; i < s->known; i++) {
		const struct kfi_str *name = &kd->in.names.str[i];
		u32 func;
		size_t at;

		int bits = kd_filter_match(&kd->opt.filter, &kd->in.matches, &kd->in.names, i);

		if (bits < 0)
			return bits;
		if (!s->func[i].calls || !kd_sum_known(s, i, d->key) ||
		    (kd->opt.filter.pattern[KD_FUNC].text && !(bits & 1 << KD_FUNC)))
			continue;
		func = kfi_names_get(&d->names, name->s, name->len);
		if (func == KFI_NONE || room_for(d, func) ||
		    (kd->opt.srcline && kd_line_set(d->kd, func, kd_line_of(kd, i))))
			return -ENOMEM;
		at = (size_t)func * d->logs + log;
		d->value[at] = kd_sum_value(s, i, d->key);
		d->calls[at] = s->func[i].calls;
		d->known[at] = true;
	}
	return 0;
}

static int read_log(struct diff *d, const char *path, u32 log, struct kfi_err *err)
{
	struct kd one = *d->kd;
	struct kd_sum s = { .kd = &one };
	struct kfi_err left_out;
	int ret;

	one.in.lines = (struct kd_lines){ 0 };
	ret = kd_open(&one, path, err);
	if (ret)
		return ret;
	ret = kd_cost(&one, &s.cost_ns, err);
	s.want = strchr("MPQ", d->key) ? KD_WANT_HIST : strchr("nC", d->key) ? KD_WANT_EDGES :
		 strchr("pwi", d->key) ? KD_WANT_PARTS : 0;
	if (!ret)
		ret = kd_sum_read(&s, err);
	if (!ret && take(d, &s, log))
		ret = kfi_err_set(err, ENOMEM, "out of memory");
	if (!ret && (kfi_log_check(&one.in.log, &left_out) || kd_names_check(&one, &left_out))) {
		kd_say(left_out.text);
		d->kd->res.status = 1;
	}
	if (!log)
		d->mintime = one.in.head.mintime_us;
	d->mixed |= d->mintime != one.in.head.mintime_us;
	d->lost |= one.in.head.lost;
	d->kd->in.matches.seen |= one.in.matches.seen;
	kd_sum_free(&s);
	kd_close(&one);
	kfi_names_free(&one.in.names);
	free(one.in.matches.bits);
	return ret;
}

static void compare(const struct diff *d, u32 func, struct change *c)
{
	double sum, part;

	*c = (struct change){ .func = func };
	for (int side = 0; side < SIDES; side++) {
		sum = 0;
		for (u32 i = d->first[side]; i < d->first[side] + d->n[side]; i++) {
			size_t at = (size_t)func * d->logs + i;

			sum += (double)d->value[at];
			c->calls[side] += d->calls[at];
			c->logs[side] += d->known[at];
		}
		c->mean[side] = sum / d->n[side];
	}
	c->change = c->mean[1] - c->mean[0];
	c->noise = noise_of(d, func, c);
	part = fabs(c->change) * 100;
	c->beyond = c->change && fabs(c->change) > c->noise &&
		    part >= c->mean[0] * (double)d->kd->opt.threshold &&
		    fabs(c->change) >= (double)d->kd->opt.time_ns / (strchr("cnoC", d->key) ? 1000 : 1);
}

/* qsort() passes no argument. */
static const struct diff *sorting;

static int by_change(const void *a, const void *b)
{
	const struct change *x = a, *y = b;
	double v = fabs(x->change), w = fabs(y->change);

	if (v != w)
		return v > w ? -1 : 1;
	return strcmp(sorting->names.str[x->func].s, sorting->names.str[y->func].s);
}

static s64 whole(double v)
{
	if (v > 9e18 || v < -9e18)
		return v < 0 ? -S64_MAX : S64_MAX;
	return (s64)(v < 0 ? v - 0.5 : v + 0.5);
}

static void value_cell(const struct diff *d, struct kd_table *t, double v)
{
	if (strchr("cnoC", d->key))
		kd_cell_count(t, whole(v));
	else
		kd_cell_time(t, whole(v), false);
}

static const char *verdict(const struct change *c)
{
	if (!c->beyond)
		return c->change ? "same" : "equal";
	if (!c->logs[0])
		return "new";
	if (!c->logs[1])
		return "gone";
	return c->change > 0 ? "slower" : "faster";
}

static void verdict_cell(struct kd_table *t, const struct change *c)
{
	const char *v = verdict(c);
	enum term_ink ink = *v == 'f' ? TERM_GOOD : v[1] == 'l' ? TERM_BAD : TERM_PLAIN;

	if (t->out == KD_OUT_TEXT && ink != TERM_PLAIN)
		kd_row_put(term_ink(ink));
	kd_cell_text(t, v);
	if (t->out == KD_OUT_TEXT && ink != TERM_PLAIN)
		kd_row_put(term_ink(TERM_PLAIN));
}

static void print(const struct diff *d, const struct change *c)
{
	struct kd_table t = { .out = d->kd->opt.out, .lines = d->kd->opt.srcline };

	kd_table_begin(&t, columns, ARRAY_SIZE(columns), NULL, false);
	for (u32 i = 0; i < d->funcs && t.rows < d->kd->opt.num; i++, c++) {
		if (fabs(c->change) < (double)d->kd->opt.time_ns)
			break;
		kd_cell_text(&t, d->names.str[c->func].s);
		for (int side = 0; side < SIDES; side++) {
			if (c->logs[side])
				value_cell(d, &t, c->mean[side]);
			else
				kd_cell_unknown(&t);
		}
		value_cell(d, &t, c->change);
		if (c->mean[0] > 0)
			kd_cell_percent(&t, whole(c->change * 10000 / c->mean[0]), false);
		else
			kd_cell_unknown(&t);
		if (c->noise < 0)
			kd_cell_unknown(&t);
		else
			value_cell(d, &t, c->noise);
		kd_cell_count(&t, (s64)(c->calls[0] / d->n[0]));
		kd_cell_count(&t, (s64)(c->calls[1] / d->n[1]));
		verdict_cell(&t, c);
		kd_line_cell(d->kd, &t, c->func);
		kd_row_end(&t);
	}
}

static void notes(struct diff *d, const struct change *c)
{
	u32 slower = 0, faster = 0, new = 0, gone = 0;

	for (u32 i = 0; i < d->funcs; i++) {
		const char *v = verdict(&c[i]);

		slower += *v == 's' && v[1] == 'l';
		faster += *v == 'f';
		new += *v == 'n';
		gone += *v == 'g';
	}
	kd_note("slower: %u, faster: %u, new: %u, gone: %u, of %u functions", slower, faster, new,
		gone, d->funcs);
	if (d->n[0] < 2 && d->n[1] < 2)
		kd_note("one log on each side does not say what is noise: give several, OLD... : NEW...");
	if (d->mixed)
		kd_note("the logs have different time filters: calls that one has and another has not");
	if (d->lost)
		kd_note("a log has lost calls: see its header");
	if (!d->kd->res.status && slower)
		d->kd->res.status = KD_SLOWER;
}

/* OLD NEW, or OLD... : NEW... */
static int find_sides(struct diff *d, int argc, char **argv, struct kfi_err *err)
{
	int colon = 0;

	while (colon < argc && strcmp(argv[colon], ":"))
		colon++;
	if (colon == argc && argc == 2) {
		d->n[0] = d->n[1] = 1;
		d->first[1] = 1;
	} else if (colon > 0 && colon < argc - 1) {
		d->n[0] = (u32)colon;
		d->n[1] = (u32)(argc - colon - 1);
		d->first[1] = (u32)colon + 1;
	} else {
		return kfi_err_set(err, EINVAL, "--diff wants OLD NEW, or OLD... : NEW...");
	}
	return 0;
}

int kd_diff(struct kd *kd, int argc, char **argv, struct kfi_err *err)
{
	struct diff d = { .kd = kd, .key = kd->opt.sort ? *kd->opt.sort : 't' };
	struct change *c = NULL;
	struct kfi_err left_out;
	int ret = find_sides(&d, argc, argv, err);

	if (!ret && (strlen(kd->opt.sort ? kd->opt.sort : "t") != 1 || !strchr("ctalpwiAMPQZoC", d.key)))
		ret = kfi_err_set(err, EINVAL, "--diff compares one column, and F, s, r and L are none");
	d.logs = d.n[0] + d.n[1];
	for (u32 side = 0; side < SIDES && !ret; side++) {
		u32 from = d.first[side];

		d.first[side] = side ? d.n[0] : 0;
		for (u32 i = 0; i < d.n[side] && !ret; i++)
			ret = read_log(&d, argv[from + i], d.first[side] + i, err);
	}
	if (!ret) {
		c = malloc(((size_t)d.funcs + 1) * sizeof(*c));
		if (!c)
			ret = kfi_err_set(err, ENOMEM, "out of memory");
	}
	if (!ret) {
		for (u32 i = 0; i < d.funcs; i++)
			compare(&d, i, &c[i]);
		sorting = &d;
		qsort(c, d.funcs, sizeof(*c), by_change);
		print(&d, c);
		notes(&d, c);
		if (kd_lines_check(kd, &left_out)) {
			kd_say(left_out.text);
			kd->res.status = 1;
		}
	}
	kd_lines_free(kd);
	free(c);
	free(d.value);
	free(d.calls);
	free(d.known);
	kfi_names_free(&d.names);
	return ret;
}
