// SPDX-License-Identifier: GPL-2.0
/*
 * Compares logs (--diff): the time of each function before and after. Several logs of a side are
 * runs of the same test: their spread shows how much of a difference is noise (stat.h). Memory use
 * grows with functions and files.
 *
 * A time filter censors: a call that it dropped took less than its limit, and how much less is
 * unknown. The value of a function in a log is then a range. It begins at the sum of the log's
 * calls, and goes up by the limit for each call that another log has more. Only the part of a
 * change that is outside of these ranges counts.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "import/import.h"
#include "kd_budget.h"
#include "kd_sum.h"
#include "stat.h"

#define SIDES		2

/* Smallest change that counts without -t: nanoseconds, or a number. */
#define LEAST_NS	100000
#define LEAST		1

enum verdict { SLOWER, FASTER, SAME, EQUAL, NEW, GONE, UNTESTED, FILTERED, UNKNOWN, VERDICTS };

/**
 * struct change - a function in both sides
 * @func: number of the function
 * @mean: by side: mean over all its logs but those of @unknown; a log without the function counts
 *	as 0, but in a column that is an average it does not count
 * @calls: by side: calls in all its logs
 * @logs: by side: logs that have the value
 * @unknown: by side: logs that have calls, but not the value, for example because none has returned
 * @change: difference from old to new
 * @known: the part of @change that no time filter can explain
 * @t: its t in the moderated t test
 * @noise: a difference up to this may be chance, though it is large enough to be reported;
 *	negative: unknown
 * @tested: it takes long enough to be tested
 * @row: its row in the test
 * @verdict: slower, faster, new, gone or none
 */
struct change {
	u32 func;
	double mean[SIDES];
	u64 calls[SIDES];
	u32 logs[SIDES];
	u32 unknown[SIDES];
	double change;
	double known;
	double t;
	double noise;
	bool tested;
	u32 row;
	enum verdict verdict;
};

/**
 * struct diff - the comparison
 * @kd: the options
 * @key: letter of the column that is compared
 * @names: functions of all logs
 * @n: by side: number of logs
 * @first: by side: number of its first log
 * @logs: number of logs of both sides
 * @value: by function, then log: the compared value
 * @calls: by function, then log: number of calls
 * @has: by function, then log: what the log says of the function
 * @room: number of bytes for which each of the three has room
 * @funcs: number of functions in the three
 * @filter: by log: its time filter, nanoseconds
 * @total: by log: its length, nanoseconds; negative: unknown
 * @least: smallest change that counts
 * @tested: number of functions that were tested
 * @chance: the greatest t of a change in other divisions of the logs into two sides
 * @levels: names of initcall levels
 * @level_ns: by level: its mean time in the new logs
 * @level_room: for how many there is room
 * @level_logs: by level: new logs that have it
 * @level_logs_room: for how many there is room
 * @filtered: a log has a time filter
 * @mixed: the logs were filtered differently
 * @lost: a log has lost calls
 * @cut: logs that ended before their session
 * @left_out: functions that were left out, since no log has the value
 * @tracer: by log: the format, as --input names it
 * @profiles: logs that are profiles
 * @filters: filters in the header of the first log of KFI
 * @place: where the functions of the first log are that has calls
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
	enum kd_has *has;
	u32 room[3];
	u32 funcs;
	double *filter;
	double *total;
	double least;
	u32 tested;
	double chance;
	struct kfi_names levels;
	double *level_ns;
	u32 level_room;
	u32 *level_logs;
	u32 level_logs_room;
	bool filtered;
	bool mixed;
	bool lost;
	u32 cut;
	u32 left_out;
	const char **tracer;
	u32 profiles;
	char filters[200];
	struct kd_place place;
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
	{ 'v', "Verdict", -8, NULL, "verdict" },
};

static bool is_count(const struct diff *d)
{
	return strchr("cnoC", d->key);
}

/* Return true if the column is a sum over calls: their number, or a time. */
static bool is_sum(const struct diff *d)
{
	return strchr("ctlpwi", d->key);
}

/* Return true if the column is an average, a percentile, or the shortest or longest call. */
static bool is_average(const struct diff *d)
{
	return strchr("aAMPQZ", d->key);
}

/* Return true if there are enough logs to tell a change from noise. */
static bool has_test(const struct diff *d)
{
	return kfi_stat_divisions(d->n[0], d->n[1]) >= KFI_STAT_DIVISIONS_MIN;
}

/* Return the number of calls of a function in the log that has most of them. */
static u64 most_calls(const struct diff *d, u32 func)
{
	u64 most = 0;

	for (u32 i = 0; i < d->logs; i++)
		if (d->calls[(size_t)func * d->logs + i] > most)
			most = d->calls[(size_t)func * d->logs + i];
	return most;
}

/* Return the upper end of a function's value in a log whose time filter dropped calls. */
static double upper_end(const struct diff *d, u32 func, u32 log, u64 most)
{
	size_t at = (size_t)func * d->logs + log;
	double dropped = d->filter[log] > 0 ? (double)(most - d->calls[at]) : 0;

	if (!is_sum(d))
		return (double)d->value[at];
	return (double)d->value[at] + dropped * (d->key == 'c' ? 1 : d->filter[log]);
}

/* Return the @i-th log. @order: the logs, those of the old side first; NULL: in their own order. */
static u32 log_at(const u32 *order, u32 i)
{
	return order ? order[i] : i;
}

/* Compute the means of both sides. @up: use the upper ends of the old side's ranges. */
static void compare_values(const struct diff *d, u32 func, const u32 *order, bool up,
			   double mean[2])
{
	u64 most = most_calls(d, func);

	for (int side = 0; side < SIDES; side++)
		for (u32 i = d->first[side]; i < d->first[side] + d->n[side]; i++) {
			u32 log = log_at(order, i);
			double v = (side == 0) == up ? upper_end(d, func, log, most) :
				   (double)d->value[(size_t)func * d->logs + log];

			mean[side] += v / d->n[side];
		}
}

/* Make room for the values of a function in all logs. */
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
	    kfi_grow((void **)&d->has, &d->room[2], cells, sizeof(*d->has)))
		return -ENOMEM;
	for (u32 i = d->funcs * d->logs; i < cells; i++) {
		d->value[i] = d->calls[i] = 0;
		d->has[i] = KD_HAS_NO_CALLS;
	}
	d->funcs = need;
	return 0;
}

/* Read a log: keep the value of each function. */
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
		if (!s->func[i].calls ||
		    (kd->opt.filter.pattern[KD_FUNC].text && !(bits & 1 << KD_FUNC)))
			continue;
		func = kfi_names_get(&d->names, name->s, name->len);
		if (func == KFI_NONE || room_for(d, func) ||
		    (kd->opt.srcline && kd_line_set(d->kd, func, kd_line_of(kd, i))))
			return -ENOMEM;
		at = (size_t)func * d->logs + log;
		d->calls[at] = s->func[i].calls;
		d->has[at] = kd_sum_known(s, i, d->key) ? KD_HAS_VALUE : KD_HAS_NO_VALUE;
		if (d->has[at] == KD_HAS_VALUE)
			d->value[at] = kd_sum_value(s, i, d->key);
	}
	return 0;
}

/* Return a log of another tracer than that of the first log, 0: none. */
static u32 other_tracer(const struct diff *d)
{
	for (u32 i = 1; i < d->logs; i++)
		if (strcmp(d->tracer[i], d->tracer[0]))
			return i;
	return 0;
}

/*
 * Add the calls of NAME@FILE to those of NAME. With the symbols of vmlinux kd tells functions of
 * the same name apart, and other tracers do not. Only for columns that are sums.
 */
static void merge_files(struct diff *d)
{
	if (!other_tracer(d) || !is_sum(d))
		return;
	for (u32 i = 0; i < d->funcs; i++) {
		const struct kfi_str *name = &d->names.str[i];
		const char *at = memchr(name->s, '@', name->len);
		u32 to = at ? kfi_names_find(&d->names, name->s, (u32)(at - name->s)) : KFI_NONE;

		if (to == KFI_NONE || to == i)
			continue;
		for (u32 log = 0; log < d->logs; log++) {
			size_t old = (size_t)i * d->logs + log, sum = (size_t)to * d->logs + log;

			d->value[sum] += d->value[old];
			d->calls[sum] += d->calls[old];
			d->has[sum] = max_t(enum kd_has, d->has[sum], d->has[old]);
			d->value[old] = d->calls[old] = 0;
			d->has[old] = KD_HAS_NO_CALLS;
		}
	}
}

/* Return true if a log has calls of the function, but not its value. */
static bool is_unknown(const struct change *c)
{
	return c->unknown[0] || c->unknown[1];
}

/*
 * Leave out functions whose calls were all added to another name, and those of which no log has the
 * value, except if only the new logs have calls.
 */
static void drop_empty(struct diff *d, struct change *c)
{
	u32 n = 0;

	for (u32 i = 0; i < d->funcs; i++)
		if (c[i].logs[0] || c[i].logs[1] || (c[i].unknown[1] && !c[i].unknown[0]))
			c[n++] = c[i];
		else
			d->left_out += is_unknown(&c[i]);
	d->funcs = n;
}

/* Add up how long the initcall levels took, for --budget. */
static int take_levels(struct diff *d, const struct kd_sum *s)
{
	for (u32 i = 0; i < s->levels.count; i++) {
		u32 old = d->levels.count;
		u32 id = kfi_names_get(&d->levels, s->levels.str[i].s, s->levels.str[i].len);

		if (id == KFI_NONE || kfi_grow((void **)&d->level_ns, &d->level_room,
					       d->levels.count, sizeof(*d->level_ns)) ||
		    kfi_grow((void **)&d->level_logs, &d->level_logs_room, d->levels.count,
			     sizeof(*d->level_logs)))
			return -ENOMEM;
		if (id == old)
			d->level_ns[id] = d->level_logs[id] = 0;
		d->level_logs[id]++;
		d->level_ns[id] += (double)s->level_ns[i] / d->n[1];
	}
	return 0;
}

/* Report what is wrong with a log; then the status is 1. */
static void report_faults(struct diff *d, const struct kd *one)
{
	struct kfi_err faults[KFI_LOG_FAULTS + 1];
	u32 n = kfi_log_faults(&one->in.log, &one->in.tally, faults);

	n += kd_names_check(one, &faults[n]) != 0;
	for (u32 i = 0; i < n; i++)
		kd_say(faults[i].text);
	if (n)
		d->kd->res.status = 1;
}

/*
 * Find out whether the functions that have calls are all addresses. Return: false if no function
 * has calls, as when the filters select none.
 */
static bool find_addresses(const struct kd_sum *s, bool *addresses)
{
	const struct kd *kd = s->kd;
	bool has_calls = false;
	u64 addr;

	*addresses = !kd->in.resolve;
	for (u32 i = 0; i < s->known; i++) {
		if (!s->func[i].calls)
			continue;
		has_calls = true;
		*addresses = *addresses && kd_address(kd, kd->in.names.str[i], &addr);
	}
	return has_calls;
}

/* Return true if the log ended before the session would have: what came then is not in it. */
static bool is_cut(const struct kfi_log_head *head)
{
	static const char *const causes[] = { "log full", "a crash", "a bad state" };

	for (size_t i = 0; i < ARRAY_SIZE(causes); i++)
		if (!strcmp(head->stop_by, causes[i]))
			return true;
	return head->running;
}

static int read_log(struct diff *d, const char *path, u32 log, struct kfi_err *err)
{
	struct kd one = *d->kd;
	struct kd_sum s = { .kd = &one };
	struct kfi_err why;
	bool addresses;
	s64 span;
	int ret;

	one.in.lines = (struct kd_lines){ 0 };
	ret = kd_open(&one, path, err);
	if (ret)
		return ret;
	ret = kd_cost(&one, &s.cost, err);
	s.want = strchr("MPQ", d->key) ? KD_WANT_HIST : strchr("nC", d->key) ? KD_WANT_EDGES :
		 strchr("pwi", d->key) ? KD_WANT_PARTS : 0;
	if (!ret)
		ret = kd_sum_read(&s, err);
	if (!ret && find_addresses(&s, &addresses))
		ret = kd_check_place(&d->place, &one, addresses, path, &why) ?
			kfi_err_set(err, EINVAL, "%s: %s", path, why.text) : 0;
	if (!ret && (take(d, &s, log) || (log >= d->first[1] && take_levels(d, &s))))
		ret = kfi_err_set(err, ENOMEM, "out of memory");
	if (!ret)
		report_faults(d, &one);
	d->filter[log] = (double)one.in.head.mintime_us * 1000;
	span = kfi_log_head_span(&one.in.head);
	d->total[log] = span < 0 || is_cut(&one.in.head) ? -1 : (double)span * 1000;
	d->cut += is_cut(&one.in.head);
	d->filtered |= d->filter[log] > 0;
	d->mixed |= d->filter[log] != d->filter[0];
	d->lost |= one.in.head.lost;
	if (!ret && one.in.log.run && !d->kd->opt.want_run)
		kd_note("%s has %u runs, the first is compared: -R NUM selects another", path,
			one.in.log.run + 1);
	if (one.in.kind == KFI_LOG_PROFILE)
		d->profiles++;
	d->tracer[log] = one.in.log.import ? one.in.log.import->format->name : "kfi";
	if (!*d->filters)
		memcpy(d->filters, one.in.head.filters, sizeof(d->filters));
	d->kd->in.matches.seen |= one.in.matches.seen;
	kd_sum_free(&s);
	kd_close(&one);
	kfi_names_free(&one.in.names);
	free(one.in.matches.bits);
	return ret;
}

/* Compare the sides of a division; @order: see log_at(). */
static void compare(const struct diff *d, u32 func, const u32 *order, struct change *c)
{
	double mean[SIDES] = { 0, 0 }, of = (double)d->kd->opt.threshold / 100, all = 0;

	*c = (struct change){ .func = func, .noise = -1 };
	for (int side = 0; side < SIDES; side++) {
		double sum = 0;
		u32 n;

		for (u32 i = d->first[side]; i < d->first[side] + d->n[side]; i++) {
			size_t at = (size_t)func * d->logs + log_at(order, i);

			sum += (double)d->value[at];
			c->calls[side] += d->calls[at];
			c->logs[side] += d->has[at] == KD_HAS_VALUE;
			c->unknown[side] += d->has[at] == KD_HAS_NO_VALUE;
		}
		n = is_average(d) ? c->logs[side] : d->n[side] - c->unknown[side];
		if (n)
			c->mean[side] = sum / n;
		all += sum / d->logs;
	}
	c->change = c->mean[1] - c->mean[0];
	if (is_unknown(c))
		return;
	compare_values(d, func, order, c->change > 0, mean);
	c->known = is_average(d) ? c->change : mean[1] - mean[0];
	if (c->change * c->known <= 0)
		c->known = 0;
	/*
	 * Choose what to test by a mean over all logs, which does not depend on which log is on
	 * which side. A function is tested if a change by the threshold would be large enough to
	 * count.
	 */
	c->tested = has_test(d) && all * (of > 0 ? of : 1) >= d->least &&
		    (!is_average(d) || c->logs[0] + c->logs[1] == d->logs);
}

/* Return the value of a function in a log, for the test. */
static double tested_value(const struct diff *d, u32 func, u32 i)
{
	double v = (double)d->value[(size_t)func * d->logs + i];

	return log(v > d->least ? v : d->least);
}

/* Return true if a change is as large as the options require. */
static bool is_large(const struct diff *d, const struct change *c, double change)
{
	return change && fabs(change) * 100 >= c->mean[0] * (double)d->kd->opt.threshold &&
	       fabs(change) >= d->least;
}

/* Return true for an average or percentile if a time filter dropped calls of the function. */
static bool is_biased(const struct diff *d, u32 func)
{
	u64 most = most_calls(d, func);

	if (!is_average(d) || d->key == 'Z')
		return false;
	for (u32 i = 0; i < d->logs; i++)
		if (d->filter[i] > 0 && d->calls[(size_t)func * d->logs + i] < most)
			return true;
	return false;
}

static enum verdict judge(const struct diff *d, const struct change *c)
{
	if (is_unknown(c))
		return UNKNOWN;
	if (!c->change)
		return EQUAL;
	if (!is_large(d, c, c->change))
		return SAME;
	if (!is_large(d, c, c->known) || is_biased(d, c->func))
		return FILTERED;
	if (!c->logs[0] || !c->logs[1])
		return c->logs[0] ? GONE : NEW;
	if (!c->tested)
		return UNTESTED;
	if (fabs(c->t) <= d->chance)
		return SAME;
	return c->change > 0 ? SLOWER : FASTER;
}

/**
 * struct tested - argument for would_report()
 * @d: the comparison
 * @func: by row of the test: number of the function
 */
struct tested {
	const struct diff *d;
	u32 *func;
};

/* Return true if the test decides about a function's change in this division of the logs. */
static bool would_report(void *arg, u32 row, const u32 *order)
{
	const struct tested *of = arg;
	struct change c;
	enum verdict verdict;

	compare(of->d, of->func[row], order, &c);
	c.tested = true;
	c.t = INFINITY;
	verdict = judge(of->d, &c);
	return verdict == SLOWER || verdict == FASTER;
}

/* Test all functions: set @t of each, and find which changes may be chance. */
static int test(struct diff *d, struct change *c)
{
	struct kfi_stat s = { .side = { d->n[0], d->n[1] } };
	struct tested of = { d, malloc(((size_t)d->funcs + 1) * sizeof(*of.func)) };
	int ret = of.func ? kfi_stat_init(&s, d->funcs) : -ENOMEM;
	size_t at = 0;

	/* Tested functions take the first rows. */
	for (int tested = 1; tested >= 0 && !ret; tested--)
		for (u32 i = 0; i < d->funcs; i++) {
			if (c[i].tested != tested)
				continue;
			for (u32 log = 0; log < d->logs; log++)
				s.x[at++] = tested_value(d, i, log);
			of.func[s.n] = i;
			c[i].row = s.n++;
			s.tested += tested;
		}
	if (!ret)
		ret = kfi_stat_others(&s, would_report, &of, &d->chance);
	if (ret)
		goto out;
	kfi_stat_split(&s, NULL);
	d->tested = s.tested;
	for (u32 i = 0; i < d->funcs && s.tested; i++) {
		double error = s.error[c[i].row];

		if (is_unknown(&c[i]))
			continue;
		if (d->chance > 0)
			c[i].noise = c[i].mean[0] * expm1(d->chance * error);
		c[i].t = s.ratio[c[i].row] / error;
	}
out:
	kfi_stat_free(&s);
	free(of.func);
	return ret;
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
	if (is_count(d))
		kd_cell_count(t, whole(v));
	else
		kd_cell_time(t, whole(v), false);
}

static void verdict_cell(struct kd_table *t, const struct change *c)
{
	static const char *const words[] = {
		[SLOWER] = "slower", [FASTER] = "faster", [SAME] = "same", [EQUAL] = "equal",
		[NEW] = "new", [GONE] = "gone", [UNTESTED] = "untested", [FILTERED] = "filtered",
		[UNKNOWN] = "unknown",
	};
	static_assert(ARRAY_SIZE(words) == VERDICTS);
	enum term_ink ink = c->verdict == FASTER ? TERM_GOOD :
			    c->verdict == SLOWER ? TERM_BAD : TERM_PLAIN;

	if (t->out == KD_OUT_TEXT && ink != TERM_PLAIN)
		kd_row_put(term_ink(ink));
	kd_cell_text(t, words[c->verdict]);
	if (t->out == KD_OUT_TEXT && ink != TERM_PLAIN)
		kd_row_put(term_ink(TERM_PLAIN));
}

static void print(const struct diff *d, const struct change *c)
{
	struct kd_table t = { .out = d->kd->opt.out, .lines = d->kd->opt.srcline };

	kd_table_begin(&t, columns, ARRAY_SIZE(columns), NULL, false);
	for (u32 i = 0; i < d->funcs && t.rows < d->kd->opt.num; i++, c++) {
		if (d->kd->opt.time && fabs(c->change) < d->least)
			break;
		kd_cell_text(&t, d->names.str[c->func].s);
		for (int side = 0; side < SIDES; side++) {
			if (c->logs[side])
				value_cell(d, &t, c->mean[side]);
			else
				kd_cell_unknown(&t);
		}
		if (is_unknown(c))
			kd_cell_unknown(&t);
		else
			value_cell(d, &t, c->change);
		if (c->mean[0] > 0 && !is_unknown(c))
			kd_cell_percent(&t, whole(c->change * 10000 / c->mean[0]), false);
		else
			kd_cell_unknown(&t);
		/* What is greater than any time is not known. */
		if (c->noise >= 0 && c->noise < 9e18)
			value_cell(d, &t, c->noise);
		else
			kd_cell_unknown(&t);
		kd_cell_count(&t, (s64)(c->calls[0] / d->n[0]));
		kd_cell_count(&t, (s64)(c->calls[1] / d->n[1]));
		verdict_cell(&t, c);
		kd_line_cell(d->kd, &t, c->func);
		kd_row_end(&t);
	}
}

/* Format the condition under which a function is tested, for people. */
static const char *limit_text(const struct diff *d)
{
	static char text[32];
	double of = d->kd->opt.threshold ? (double)d->kd->opt.threshold / 100 : 1;

	if (is_count(d))
		snprintf(text, sizeof(text), "%.0f", d->least / of);
	else
		snprintf(text, sizeof(text), "%.0f us", d->least / of / 1000);
	return text;
}

static void notes(struct diff *d, const struct change *c)
{
	u32 n[VERDICTS] = { 0 };

	for (u32 i = 0; i < d->funcs; i++)
		n[c[i].verdict]++;
	kd_note("slower: %u, faster: %u, new: %u, gone: %u, of %u functions", n[SLOWER], n[FASTER],
		n[NEW], n[GONE], d->funcs);
	if (has_test(d))
		kd_note("%u old logs, %u new ones: %u functions of %s and more tested: moderated t of logarithms above %.3g, the greatest of a change that would be reported in %u other divisions of the logs",
			d->n[0], d->n[1], d->tested, limit_text(d), d->chance,
			KFI_STAT_DIVISIONS);
	else
		kd_note("too few logs to know what is noise: nothing is tested: give five or more of each side, OLD... : NEW...");
	if (n[UNKNOWN])
		kd_note("unknown: %u: a log has calls of the function, but not this value, for example because none has returned",
			n[UNKNOWN]);
	if (d->left_out)
		kd_note("left out: %u functions of which no log has this value", d->left_out);
	if (d->left_out && !d->funcs)
		d->kd->res.status = 1;
	if (n[FILTERED])
		kd_note("filtered: %u: calls below the time filter may account for the change",
			n[FILTERED]);
	if (other_tracer(d)) {
		kd_note("the logs are of different tracers, %s and %s: what only one of them traces is new or gone, and each makes calls longer in its own way",
			d->tracer[0], d->tracer[other_tracer(d)]);
		if (*d->filters)
			kd_note("filters of the log of KFI: %s", d->filters);
	}
	if (d->profiles)
		kd_note("in a profile each call of a recursion adds to Time");
	if (d->mixed)
		kd_note("the logs have different time filters");
	if (d->lost)
		kd_note("a log has lost calls: see its header");
	if (d->cut)
		kd_note("logs that ended before their session, by log full, a crash, or since they were read while it ran: %u: calls after that are missing",
			d->cut);
	if (!d->kd->res.status && n[SLOWER] && !d->kd->opt.budget)
		d->kd->res.status = KD_SLOWER;
}

/* Return the value that a line of a budget names; below 0: not all new logs have it. */
static double value_of(const struct diff *d, const struct change *c, struct kfi_str name)
{
	static const char level[] = "level:";
	size_t skip = sizeof(level) - 1;
	double sum = 0;
	u32 id;

	if (name.len == 5 && !memcmp(name.s, "total", 5)) {
		for (u32 i = d->first[1]; i < d->logs; i++) {
			if (d->total[i] < 0)
				return -1;
			sum += d->total[i] / d->n[1];
		}
		return sum;
	}
	if (name.len > skip && !memcmp(name.s, level, skip)) {
		id = kfi_names_find(&d->levels, name.s + skip, name.len - (u32)skip);
		return id == KFI_NONE || d->level_logs[id] < d->n[1] ? -1 : d->level_ns[id];
	}
	id = kfi_names_find(&d->names, name.s, name.len);
	for (u32 i = 0; i < d->funcs && id != KFI_NONE; i++)
		if (c[i].func == id && c[i].logs[1] == d->n[1])
			return c[i].mean[1];
	return -1;
}

/**
 * struct check - argument for a line of the budget
 * @d: the comparison
 * @c: its functions
 */
struct check {
	struct diff *d;
	const struct change *c;
};

static int check_limit(void *arg, const struct kd_limit *limit, struct kfi_err *err)
{
	const struct check *check = arg;
	struct diff *d = check->d;
	char text[512];
	double value;

	if (limit->ns < 0)
		return kfi_err_set(err, EINVAL,
					"%s:%llu: a growth is a limit of --gate",
					limit->file,
				   (unsigned long long)limit->line);
	value = value_of(d, check->c,
			 (struct kfi_str){ limit->name, (u32)strlen(limit->name) });
	if (value < 0) {
		snprintf(text, sizeof(text), "%s:%llu: the new logs do not say how long %s took%s",
			 limit->file, (unsigned long long)limit->line, limit->name,
			 d->filtered ? "; a time filter may have dropped it" : "");
		kd_say(text);
		d->kd->res.status = 1;
	} else if (value >= (double)limit->ns) {
		kd_note("over budget: %s took %.0f us, not less than %s", limit->name,
			value / 1000, limit->text);
		if (!d->kd->res.status)
			d->kd->res.status = KD_SLOWER;
	}
	return 0;
}

/* Find which files are OLD and which are NEW. */
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
		return kfi_err_set(err, EINVAL, "--diff needs OLD NEW, or OLD... : NEW...");
	}
	return 0;
}

int kd_diff(struct kd *kd, int argc, char **argv, struct kfi_err *err)
{
	struct diff d = { .kd = kd, .key = kd->opt.sort ? *kd->opt.sort : 't' };
	struct change *c = NULL;
	struct kfi_err left_out;
	int ret = find_sides(&d, argc, argv, err);

	if (!ret && ((kd->opt.sort && strlen(kd->opt.sort) != 1) ||
		     !strchr("ctalpwiAMPQZoC", d.key)))
		ret = kfi_err_set(err, EINVAL, "--diff compares one column, and cannot compare F, s, r or L");
	if (!ret && kd->opt.budget && d.key != 't')
		ret = kfi_err_set(err, EINVAL, "--budget has limits of times: leave out -s");
	d.logs = d.n[0] + d.n[1];
	d.least = kd->opt.time ? (double)kd->opt.time_ns / (is_count(&d) ? 1000 : 1) :
		  is_count(&d) ? LEAST : LEAST_NS;
	if (d.least < LEAST)
		d.least = LEAST;
	d.filter = calloc((size_t)d.logs + 1, sizeof(*d.filter));
	d.total = calloc((size_t)d.logs + 1, sizeof(*d.total));
	d.tracer = calloc((size_t)d.logs + 1, sizeof(*d.tracer));
	if (!ret && (!d.filter || !d.total || !d.tracer))
		ret = kfi_err_set(err, ENOMEM, "out of memory");
	for (u32 side = 0; side < SIDES && !ret; side++) {
		u32 from = d.first[side];

		d.first[side] = side ? d.n[0] : 0;
		for (u32 i = 0; i < d.n[side] && !ret; i++)
			ret = read_log(&d, argv[from + i], d.first[side] + i, err);
	}
	if (!ret && d.profiles && d.profiles < d.logs && strchr("ta", d.key))
		ret = kfi_err_set(err, EINVAL, "in a profile each call of a recursion adds to Time, in a log only the outermost: --diff compares them with -s c or -s l");
	if (!ret) {
		merge_files(&d);
		c = malloc(((size_t)d.funcs + 1) * sizeof(*c));
		if (!c)
			ret = kfi_err_set(err, ENOMEM, "out of memory");
	}
	if (!ret) {
		for (u32 i = 0; i < d.funcs; i++)
			compare(&d, i, NULL, &c[i]);
		if (has_test(&d) && test(&d, c))
			ret = kfi_err_set(err, ENOMEM, "out of memory");
		for (u32 i = 0; i < d.funcs; i++)
			c[i].verdict = judge(&d, &c[i]);
		drop_empty(&d, c);
	}
	if (!ret) {
		sorting = &d;
		qsort(c, d.funcs, sizeof(*c), by_change);
		print(&d, c);
		notes(&d, c);
		if (kd->opt.budget)
			ret = kd_budget_read(kd->opt.budget, check_limit,
					     &(struct check){ &d, c }, err);
		if (kd_lines_check(kd, &left_out)) {
			kd_say(left_out.text);
			kd->res.status = 1;
		}
	}
	kd_lines_free(kd);
	free(c);
	free(d.value);
	free(d.calls);
	free(d.has);
	free(d.filter);
	free(d.total);
	free(d.tracer);
	free(d.level_ns);
	free(d.level_logs);
	kfi_names_free(&d.levels);
	kfi_names_free(&d.names);
	return ret;
}
