// SPDX-License-Identifier: GPL-2.0
/*
 * Are new boots slower than a baseline (--gate)? Each boot has a value of the total, each phase
 * and each function. All are tested at once, with the test of kd --diff (stat.h). An alarm must be
 * clearer than the same test on at least 99 other divisions of the boots into two sides. If nothing
 * has changed, at most 1 of 100 comparisons has a false alarm. Memory use is proportional to the
 * number of boots times the number of functions.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "file.h"
#include "kd_budget.h"
#include "kd_fleet.h"
#include "kd_gate.h"
#include "rank.h"
#include "stat.h"

/* Smallest change that counts without -t, in nanoseconds. */
#define LEAST_NS	100000

/* Number of rows of the table without -n. */
#define ROWS		20

/* Most functions of which a message says that their time is not known. */
#define REPORTS		10

/**
 * struct boot_value - one value of one boot
 * @series: number of its series
 * @boot: number of its boot, counted over both sides
 * @value: nanoseconds; negative: unknown
 */
struct boot_value {
	u32 series;
	u32 boot;
	double value;
};

/**
 * struct sides - state while the boots of both sides are read
 * @g: the comparison
 * @side: the side that is being read
 * @values: values that were read
 * @n: how many
 * @room: for how many there is room
 * @seen: identities of the boots
 * @again: number of boots that were read before and do not count again
 * @open: by side: number of boots that are not complete
 */
struct sides {
	struct gate *g;
	u32 side;
	struct boot_value *values;
	u32 n;
	u32 room;
	struct kfi_names seen;
	u32 again;
	u32 open[2];
};

static const struct kd_column columns[] = {
	{ 'F', "Name", -35, NULL, "name" },
	{ 'a', "Old", 10, NULL, "old_ns" },
	{ 'b', "New", 10, NULL, "new_ns" },
	{ 'd', "Change", 10, NULL, "change_ns" },
	{ '%', "Change %", 9, NULL, "change_percent" },
	{ 'z', "Noise", 8, NULL, "noise_ns" },
	{ 'l', "Limit", 8, NULL, "limit" },
	{ 'v', "Verdict", -11, NULL, "verdict" },
};

static int no_memory(struct kfi_err *err)
{
	return kfi_err_set(err, ENOMEM, "out of memory");
}

const char *gate_verdict_text(enum gate_verdict verdict)
{
	static const char *const words[] = {
		[GATE_SAME] = "same", [GATE_FASTER] = "faster", [GATE_SLOWER] = "slower",
		[GATE_OVER] = "over budget", [GATE_UNTESTED] = "untested",
		[GATE_UNKNOWN] = "unknown",
	};
	static_assert(ARRAY_SIZE(words) == GATE_VERDICTS);

	return words[verdict];
}

static int add(struct sides *r, const char *prefix, const char *name, s64 value)
{
	char text[600];
	u32 id;

	snprintf(text, sizeof(text), "%s%s", prefix, name);
	id = kfi_names_get(&r->g->series, text, (u32)strlen(text));
	if (id == KFI_NONE || kfi_grow((void **)&r->values, &r->room, r->n + 1, sizeof(*r->values)))
		return -ENOMEM;
	r->values[r->n++] = (struct boot_value){
		id, r->g->boots[0] + r->g->boots[1], (double)value,
	};
	return 0;
}

/* Return the value that -s selects. */
static u32 number_of(const struct kd *kd)
{
	switch (kd->opt.sort ? *kd->opt.sort : 't') {
	case 'l':
		return KFI_RECORD_SELF_NS;
	case 'Z':
		return KFI_RECORD_MAX_NS;
	default:
		return KFI_RECORD_TOTAL_NS;
	}
}

static int add_record(void *arg, struct kfi_record *rec, struct kfi_err *err)
{
	const struct kfi_record_list *phases = &rec->list[KFI_RECORD_PHASES];
	const struct kfi_record_list *funcs = &rec->list[KFI_RECORD_FUNCS];
	struct sides *r = arg;
	const char *id = kfi_record_text(rec, rec->text[KFI_RECORD_BOOT]);
	u32 old = r->seen.count, number = number_of(r->g->kd);
	int ret;

	if (rec->number[KFI_RECORD_COMPLETE] <= 0) {
		r->open[r->side]++;
		return 0;
	}
	if (kfi_names_get(&r->seen, id, (u32)strlen(id)) == KFI_NONE)
		return no_memory(err);
	if (r->seen.count == old) {
		r->again++;
		return 0;
	}
	ret = add(r, "", "total", rec->number[KFI_RECORD_TOTAL]);
	for (u32 i = 0; i < phases->n && !ret; i++)
		ret = add(r, "phase:", kfi_record_text(rec, phases->row[i].text[0]),
			  phases->row[i].number[KFI_RECORD_LENGTH]);
	for (u32 i = 0; i < funcs->n && !ret; i++)
		ret = add(r, "", kfi_record_text(rec, funcs->row[i].text[0]),
			  funcs->row[i].number[number]);
	r->g->boots[r->side]++;
	return ret ? no_memory(err) : 0;
}

static int read_sides(struct gate *g, struct sides *r, int argc, char **argv, struct kfi_err *err)
{
	struct fleet_input f = { .kd = g->kd, .on_record = add_record, .arg = r };
	int colon = 0, ret;

	while (colon < argc && strcmp(argv[colon], ":"))
		colon++;
	if (!colon || colon >= argc - 1)
		return kfi_err_set(err, EINVAL, "--gate needs BASELINE... : NEW...");
	ret = fleet_input_open(&f, err);
	ret = ret ? : fleet_input_read(&f, colon, argv, err);
	r->side = 1;
	ret = ret ? : fleet_input_read(&f, argc - colon - 1, argv + colon + 1, err);
	f.no_board = 0;
	fleet_input_close(&f);
	if (r->again)
		kd_note("boots that were given before, and do not count again: %u", r->again);
	if (r->open[0] || r->open[1])
		kd_note("boots that were not over when their log ended: %u old, %u new, left out",
			r->open[0], r->open[1]);
	g->new_open = r->open[1];
	if (!ret && (!g->boots[0] || !g->boots[1]))
		ret = kfi_err_set(err, EINVAL, "no boot %s: there is nothing to compare",
				  g->boots[0] ? "behind the colon" : "in the baseline");
	return ret;
}

static void sort_row(const struct gate *g, struct gate_row *row, const double *value,
		     const enum kd_has *has, double *room)
{
	u32 first = 0;

	for (u32 side = 0; side < 2; side++) {
		u32 n = 0;
		double sum = 0;

		for (u32 i = first; i < first + g->boots[side]; i++) {
			row->boots[side] += has[i] == KD_HAS_VALUE;
			row->unknown[side] += has[i] == KD_HAS_NO_VALUE;
			if (has[i] == KD_HAS_NO_VALUE)
				continue;
			sum += value[i];
			room[n++] = value[i];
		}
		first += g->boots[side];
		if (!n)
			continue;
		row->mean[side] = sum / n;
		kfi_rank_sort(room, n);
		row->median[side] = kfi_rank_median(room, n);
		/* Those that lack the series have 0, and are the first. */
		if (side && row->boots[1])
			row->median_of_those = kfi_rank_median(room + n - row->boots[1],
							       row->boots[1]);
	}
}

/* Make the tables of values by series and boot. A phase that a boot has twice is added up. */
static int make_rows(struct gate *g, const struct sides *r, struct kfi_err *err)
{
	u32 boots = g->boots[0] + g->boots[1];
	double of = (double)g->kd->opt.threshold / 100, *room;
	bool has_test = kfi_stat_divisions(g->boots[0], g->boots[1]) >= KFI_STAT_DIVISIONS_MIN;

	g->rows = g->series.count;
	g->value = calloc((size_t)g->rows * boots + 1, sizeof(*g->value));
	g->has = calloc((size_t)g->rows * boots + 1, sizeof(*g->has));
	g->row = calloc((size_t)g->rows + 1, sizeof(*g->row));
	room = calloc(boots, sizeof(*room));
	if (!g->value || !g->has || !g->row || !room) {
		free(room);
		return no_memory(err);
	}
	for (u32 i = 0; i < r->n; i++) {
		size_t at = (size_t)r->values[i].series * boots + r->values[i].boot;

		g->value[at] += fmax(r->values[i].value, 0);
		g->has[at] = max_t(enum kd_has, g->has[at],
				   r->values[i].value < 0 ? KD_HAS_NO_VALUE : KD_HAS_VALUE);
	}
	for (u32 i = 0; i < g->rows; i++) {
		struct gate_row *row = &g->row[i];
		u32 known[2] = { g->boots[0], g->boots[1] };
		double all;

		row->name = g->series.str[i].s;
		row->noise = -1;
		sort_row(g, row, g->value + (size_t)i * boots, g->has + (size_t)i * boots, room);
		/*
		 * Choose series by a mean over both sides: that does not depend on which boot is on
		 * which side.
		 */
		known[0] -= row->unknown[0];
		known[1] -= row->unknown[1];
		all = row->mean[0] * known[0] + row->mean[1] * known[1];
		row->is_long = all * (of > 0 ? of : 1) >= g->least * (known[0] + known[1]);
		row->tested = has_test && row->is_long && !row->unknown[0] && !row->unknown[1];
	}
	free(room);
	return 0;
}

/* "level:core" of kd --diff is the phase "initcalls: core". */
static const char *series_name(const char *name, char *room, size_t size)
{
	if (strncmp(name, "level:", 6))
		return name;
	snprintf(room, size, "phase:initcalls: %s", name + 6);
	return room;
}

static int keep_limit(void *arg, const struct kd_limit *limit, struct kfi_err *err)
{
	struct gate *g = arg;
	struct kd_limit *more = realloc(g->limit, (g->limits + 1) * sizeof(*more));

	if (!more)
		return no_memory(err);
	g->limit = more;
	g->limit[g->limits++] = *limit;
	return 0;
}

/* Find from which change on each row is reported, before any is tested. */
static int read_limits(struct gate *g, struct kfi_err *err)
{
	char room[300];
	int ret = g->kd->opt.budget ? kd_budget_read(g->kd->opt.budget, keep_limit, g, err) : 0;

	for (u32 i = 0; i < g->rows; i++) {
		struct gate_row *row = &g->row[i];

		row->percent = (double)g->kd->opt.threshold;
		for (u32 k = 0; k < g->limits; k++)
			if (g->limit[k].ns < 0 && g->limit[k].percent < row->percent &&
			    kd_glob_matches(series_name(g->limit[k].name, room, sizeof(room)),
					    row->name))
				row->percent = g->limit[k].percent;
	}
	return ret;
}

/* Return true if a change of a row is as large as the options require: @percent, and -t. */
static bool is_large(const struct gate *g, const double mean[2], double percent)
{
	double change = fabs(mean[1] - mean[0]);

	return change * 100 >= mean[0] * percent && change >= g->least;
}

/**
 * struct tested - argument for would_report()
 * @g: the comparison
 * @of: by row of the test: number of the row of @g
 */
struct tested {
	const struct gate *g;
	u32 *of;
};

/* Return true if the test decides about a row's change in this division of the boots. */
static bool would_report(void *arg, u32 row, const u32 *order)
{
	const struct tested *t = arg;
	const struct gate *g = t->g;
	u32 boots = g->boots[0] + g->boots[1];
	double mean[2] = { 0, 0 };

	for (u32 i = 0; i < boots; i++)
		mean[i >= g->boots[0]] += g->value[(size_t)t->of[row] * boots + order[i]];
	for (u32 side = 0; side < 2; side++)
		mean[side] /= g->boots[side];
	return is_large(g, mean, g->row[t->of[row]].percent);
}

static int test(struct gate *g, struct kfi_err *err)
{
	struct kfi_stat s = { .side = { g->boots[0], g->boots[1] } };
	struct tested rows = { g, malloc(((size_t)g->rows + 1) * sizeof(*rows.of)) };
	u32 boots = g->boots[0] + g->boots[1];
	int ret = rows.of ? kfi_stat_init(&s, g->rows) : -ENOMEM;
	size_t at = 0;

	for (int tested = 1; tested >= 0 && !ret; tested--)
		for (u32 i = 0; i < g->rows; i++) {
			if (g->row[i].tested != tested)
				continue;
			for (u32 k = 0; k < boots; k++)
				s.x[at++] = log(fmax(g->value[(size_t)i * boots + k], g->least));
			rows.of[s.n] = i;
			g->row[i].row = s.n++;
			s.tested += tested;
		}
	g->tested = s.tested;
	if (!ret && s.tested) {
		ret = kfi_stat_others(&s, would_report, &rows, &g->chance);
		if (!ret)
			kfi_stat_split(&s, NULL);
		for (u32 i = 0; i < g->rows && !ret; i++) {
			double error = s.error[g->row[i].row];

			if (g->chance > 0)
				g->row[i].noise = g->row[i].mean[0] * expm1(g->chance * error);
			g->row[i].t = error > 0 ? s.ratio[g->row[i].row] / error : 0;
		}
	}
	kfi_stat_free(&s);
	free(rows.of);
	return ret ? no_memory(err) : 0;
}

/* Return the verdict on a row, for changes of @percent and more. */
static enum gate_verdict judge(const struct gate *g, const struct gate_row *row, double percent)
{
	if (row->unknown[0] || row->unknown[1])
		return GATE_UNKNOWN;
	if (!row->tested)
		return GATE_UNTESTED;
	if (!is_large(g, row->mean, percent) || fabs(row->t) <= g->chance)
		return GATE_SAME;
	return row->mean[1] > row->mean[0] ? GATE_SLOWER : GATE_FASTER;
}

/*
 * Report that @boots new boots do not say how long a function took. @of: NULL, or the line of the
 * budget that limits it
 */
static void report_unknown(struct gate *g, const struct gate_row *row, u32 boots,
			   const struct kd_limit *of)
{
	char text[512] = "";
	size_t n = 0;

	if (of)
		n = (size_t)snprintf(text, sizeof(text), "%s:%llu: ", of->file,
				     (unsigned long long)of->line);
	if (n < sizeof(text))
		snprintf(text + n, sizeof(text) - n, "%u of %u new boots do not say how long %s took",
			 boots, g->boots[1], row->name);
	if (g->missing++ < REPORTS)
		kd_say(text);
}

static void check_limit(struct gate *g, const struct kd_limit *limit)
{
	char room[300], text[512];
	const char *name = series_name(limit->name, room, sizeof(room));
	bool found = false;

	for (u32 i = 0; i < g->rows; i++) {
		struct gate_row *row = &g->row[i];
		enum gate_verdict verdict;
		u32 unknown;

		if (!kd_glob_matches(name, row->name) || !(row->boots[1] || row->unknown[1]))
			continue;
		found = true;
		/* Only what a glob selects may be missing in some boots. */
		unknown = row->unknown[1];
		if (limit->ns >= 0 && !strcmp(name, row->name))
			unknown = g->boots[1] - row->boots[1];
		if (unknown) {
			report_unknown(g, row, unknown, limit);
			continue;
		}
		if (limit->ns < 0 && !row->tested && !strcmp(name, row->name)) {
			snprintf(text, sizeof(text), "%s:%llu: %s cannot be tested: too few boots, or it is too short: -t says what counts",
				 limit->file, (unsigned long long)limit->line, limit->name);
			kd_say(text);
			g->missing++;
		}
		if (limit->ns >= 0) {
			verdict = row->median_of_those >= (double)limit->ns ? GATE_OVER : GATE_SAME;
			if (verdict == GATE_OVER)
				row->median[1] = row->median_of_those;
		} else {
			verdict = judge(g, row, limit->percent);
			verdict = verdict == GATE_SLOWER ? GATE_OVER : verdict;
		}
		/* If a row has several limits, the exceeded one decides. */
		if (row->is_judged && (row->verdict == GATE_OVER || verdict != GATE_OVER))
			continue;
		row->is_judged = true;
		row->verdict = verdict;
		snprintf(row->limit, sizeof(row->limit), "%s", limit->text);
	}
	if (!found) {
		snprintf(text, sizeof(text), "%s:%llu: the new boots do not say how long %s took",
			 limit->file, (unsigned long long)limit->line, limit->name);
		kd_say(text);
		g->missing++;
	}
}

/* qsort() passes no argument. */
static int by_verdict(const void *a, const void *b)
{
	static const int first[] = {
		[GATE_OVER] = 0, [GATE_SLOWER] = 1, [GATE_FASTER] = 2, [GATE_UNTESTED] = 3,
		[GATE_UNKNOWN] = 3, [GATE_SAME] = 3,
	};
	const struct gate_row *x = a, *y = b;
	double v = fabs(x->mean[1] - x->mean[0]), w = fabs(y->mean[1] - y->mean[0]);

	if (first[x->verdict] != first[y->verdict])
		return first[x->verdict] < first[y->verdict] ? -1 : 1;
	if (x->is_judged != y->is_judged)
		return x->is_judged ? -1 : 1;
	if (v != w)
		return v > w ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void judge_rows(struct gate *g)
{
	for (u32 i = 0; i < g->rows; i++)
		g->row[i].verdict = judge(g, &g->row[i], (double)g->kd->opt.threshold);
	if (g->kd->opt.budget) {
		for (u32 i = 0; i < g->limits; i++)
			check_limit(g, &g->limit[i]);
		for (u32 i = 0; i < g->rows; i++)
			if (!g->row[i].is_judged && g->row[i].verdict == GATE_SLOWER)
				g->row[i].verdict = GATE_SAME;
	} else {
		for (u32 i = 0; i < g->rows; i++) {
			g->row[i].is_judged = g->row[i].tested;
			/* One that often does not return says nothing about the new boots. */
			if (g->row[i].is_long && g->row[i].unknown[1] && !g->row[i].unknown[0])
				report_unknown(g, &g->row[i], g->row[i].unknown[1], NULL);
		}
	}
	for (u32 i = 0; i < g->rows; i++)
		g->alarms += g->row[i].is_judged && (g->row[i].verdict == GATE_SLOWER ||
						     g->row[i].verdict == GATE_OVER);
	qsort(g->row, g->rows, sizeof(*g->row), by_verdict);
}

static void show(const struct gate *g)
{
	struct kd_table t = { .out = g->kd->opt.out };
	u64 rows = g->kd->opt.num == U64_MAX ? ROWS : g->kd->opt.num;

	kd_table_begin(&t, columns, ARRAY_SIZE(columns), NULL, false);
	for (u32 i = 0; i < g->rows && i < rows; i++) {
		const struct gate_row *row = &g->row[i];
		double change = row->median[1] - row->median[0];

		kd_cell_text(&t, row->name);
		for (u32 side = 0; side < 2; side++) {
			if (row->unknown[side] == g->boots[side])
				kd_cell_unknown(&t);
			else
				kd_cell_time(&t, llround(row->median[side]), false);
		}
		if (row->verdict == GATE_UNKNOWN)
			kd_cell_unknown(&t);
		else
			kd_cell_time(&t, llround(change), false);
		if (row->median[0] > 0 && row->verdict != GATE_UNKNOWN)
			kd_cell_percent(&t, llround(change * 10000 / row->median[0]), false);
		else
			kd_cell_unknown(&t);
		if (row->tested && row->noise >= 0 && row->noise < 9e18)
			kd_cell_time(&t, llround(row->noise), false);
		else
			kd_cell_unknown(&t);
		kd_cell_text(&t, row->limit);
		kd_cell_text(&t, gate_verdict_text(row->verdict));
		kd_row_end(&t);
	}
}

/* Return true if everything that should be judged was judged. */
static bool was_tested(const struct gate *g)
{
	bool needed = !g->kd->opt.budget;

	for (u32 i = 0; i < g->rows; i++)
		needed |= g->row[i].is_judged && g->row[i].verdict == GATE_UNTESTED;
	if (!needed || g->tested)
		return true;
	if (kfi_stat_divisions(g->boots[0], g->boots[1]) < KFI_STAT_DIVISIONS_MIN)
		kd_say("too few boots to know what is noise: --gate needs 4 and 5, 3 and 7, 2 and 13, or 1 and 99");
	else
		kd_say("nothing takes long enough to be tested: -t says what counts");
	return false;
}

int kd_gate(struct kd *kd, int argc, char **argv, struct kfi_err *err)
{
	struct gate g = { .kd = kd, .least = kd->opt.time ? (double)kd->opt.time_ns : LEAST_NS };
	struct sides r = { .g = &g };
	int ret = 0;

	if (kd->opt.sort && (strlen(kd->opt.sort) != 1 || !strchr("tlZ", *kd->opt.sort)))
		ret = kfi_err_set(err, EINVAL, "--gate has the columns total, self and max: -s t, l or Z");
	if (g.least < 1)
		g.least = 1;
	ret = ret ? : read_sides(&g, &r, argc, argv, err);
	ret = ret ? : make_rows(&g, &r, err);
	ret = ret ? : read_limits(&g, err);
	ret = ret ? : test(&g, err);
	if (!ret)
		judge_rows(&g);
	if (!ret && kd->opt.junit)
		ret = kfi_file_check("--junit", kd->opt.junit, err);
	if (!ret && kd->opt.markdown)
		ret = kfi_file_check("--markdown", kd->opt.markdown, err);
	if (!ret) {
		show(&g);
		if (g.new_open)
			kd_say("some new boots did not finish: the gate has neither passed nor failed");
		if (g.missing || !was_tested(&g) || g.new_open)
			kd->res.status = 1;
		else if (g.alarms && !kd->res.status)
			kd->res.status = KD_SLOWER;
		if (g.missing > REPORTS)
			kd_note("not judged: %u", g.missing);
		kd_note("alarms: %u; boots: %u old, %u new; tested: %u; false alarms, of all together: at most 1 in 100 comparisons",
			g.alarms, g.boots[0], g.boots[1], g.tested);
	}
	if (!ret && kd->opt.junit)
		ret = gate_junit(&g, kd->opt.junit, err);
	if (!ret && kd->opt.markdown)
		ret = gate_markdown(&g, kd->opt.markdown, err);
	free(r.values);
	kfi_names_free(&r.seen);
	kfi_names_free(&g.series);
	free(g.value);
	free(g.has);
	free(g.row);
	free(g.limit);
	return ret;
}
