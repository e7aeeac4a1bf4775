// SPDX-License-Identifier: GPL-2.0
/* Questions to the records of a fleet: see kd_ask.h. rank.h has the statistics. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "kd_ask.h"
#include "rank.h"

/* A change, and the whole of a list of them, is by chance in less than one of 20 cases. */
#define RATE		0.05

/* A board is an outlier from this number of deviations on (Iglewicz and Hoaglin 1993). */
#define OUTLIER		3.5
#define BOARDS_MIN	5

/* Rows of a list, if -n does not say it. */
#define ROWS		20

/* Least difference that counts without -t, nanoseconds. */
#define LEAST_NS	100000

enum {
	BUILD, DATE, BOOTS, BOARDS, MEDIAN, MAD, P95, CHANGE, PERCENT, BAR, NAME, FIRST, LAST,
	TREND, KIND, BEFORE, AFTER, RATE_OF, BOARD, SCORE, LOW, HIGH, SHARE, DISTANCE, SLOW,
	USUAL, MORE, PART, BOOT, TOTAL, COMPLETE, LOG
};

/* Columns of all questions. */
static const struct kd_column columns[] = {
	{ 'b' + BUILD, "Build", -24, NULL, "build" },
	{ 'b' + DATE, "First boot", -10, NULL, "date" },
	{ 'b' + BOOTS, "Boots", 7, NULL, "boots" },
	{ 'b' + BOARDS, "Boards", 6, NULL, "boards" },
	{ 'b' + MEDIAN, "Median", 10, NULL, "median_ns" },
	{ 'b' + MAD, "Deviation", 9, NULL, "deviation_ns" },
	{ 'b' + P95, "p95", 10, NULL, "p95_ns" },
	{ 'b' + CHANGE, "Change", 10, NULL, "change_ns" },
	{ 'b' + PERCENT, "Change %", 9, NULL, "change_percent" },
	{ 'b' + BAR, "", 0, NULL, "bar" },
	{ 'b' + NAME, "Name", -35, NULL, "name" },
	{ 'b' + FIRST, "First", 10, NULL, "first_ns" },
	{ 'b' + LAST, "Last", 10, NULL, "last_ns" },
	{ 'b' + TREND, "Trend", 0, NULL, "medians_ns" },
	{ 'b' + KIND, "Kind", -8, NULL, "kind" },
	{ 'b' + BEFORE, "Before", 10, NULL, "before_ns" },
	{ 'b' + AFTER, "After", 10, NULL, "after_ns" },
	{ 'b' + RATE_OF, "Chance", 8, NULL, "chance" },
	{ 'b' + BOARD, "Board", -24, NULL, "board" },
	{ 'b' + SCORE, "Deviations", 10, NULL, "deviations" },
	{ 'b' + LOW, "Low", 10, NULL, "low_ns" },
	{ 'b' + HIGH, "High", 10, NULL, "high_ns" },
	{ 'b' + SHARE, "High %", 7, NULL, "high_percent" },
	{ 'b' + DISTANCE, "Distance", 8, NULL, "distance" },
	{ 'b' + SLOW, "Slow boots", 10, NULL, "slow_ns" },
	{ 'b' + USUAL, "Others", 10, NULL, "others_ns" },
	{ 'b' + MORE, "More", 10, NULL, "more_ns" },
	{ 'b' + PART, "More %", 7, NULL, "more_percent" },
	{ 'b' + BOOT, "Boot", -32, NULL, "boot" },
	{ 'b' + TOTAL, "Total", 10, NULL, "total_ns" },
	{ 'b' + COMPLETE, "Whole", 5, NULL, "complete" },
	{ 'b' + LOG, "Log", 0, NULL, "log" },
};

static void begin(struct kd_table *t, const struct fleet *f, const u8 *ids, u32 n)
{
	char format[KD_COLUMNS_MAX];

	for (u32 i = 0; i < n; i++)
		format[i] = (char)('b' + ids[i]);
	format[n] = '\0';
	*t = (struct kd_table){ .out = f->kd->opt.out };
	kd_table_begin(t, columns, ARRAY_SIZE(columns), format, false);
}

#define BEGIN(t, f, ...)	begin(t, f, (const u8[]){ __VA_ARGS__ }, \
				      sizeof((const u8[]){ __VA_ARGS__ }))

static s64 whole(double v)
{
	return fabs(v) < 9e18 ? llround(v) : v < 0 ? -S64_MAX : S64_MAX;
}

static void time_cell(struct kd_table *t, double ns)
{
	kd_cell_time(t, whole(ns), false);
}

static void percent_cell(struct kd_table *t, double part, double of)
{
	if (of > 0)
		kd_cell_percent(t, whole(part * 10000 / of), false);
	else
		kd_cell_unknown(t);
}

static void number_cell(struct kd_table *t, const char *format, double v)
{
	char text[32];

	if (isfinite(v)) {
		snprintf(text, sizeof(text), format, v);
		kd_cell_text(t, text);
	} else {
		kd_cell_unknown(t);
	}
}

static u64 rows_of(const struct fleet *f)
{
	return f->kd->opt.num == U64_MAX ? ROWS : f->kd->opt.num;
}

static int no_memory(struct kfi_err *err)
{
	return kfi_err_set(err, ENOMEM, "out of memory");
}

/* Numbers of the series that was read last, of boots @from to @to, in order. */
static double *sort_values(struct fleet *f, double *room, u32 from, u32 to)
{
	memcpy(room, f->value + from, (to - from) * sizeof(*room));
	kfi_rank_sort(room, to - from);
	return room;
}

static double median_of(struct fleet *f, u32 from, u32 to)
{
	return kfi_rank_median(sort_values(f, f->sorted, from, to), to - from);
}

static void find_medians(struct fleet *f)
{
	for (u32 i = 0; i < f->builds.count; i++)
		f->median[i] = median_of(f, f->build[i].first,
					 f->build[i].first + f->build[i].boots);
}

static void take_totals(struct fleet *f)
{
	for (u32 i = 0; i < f->boots; i++)
		f->value[i] = f->boot[i].total;
}

static const char *text_of(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text ? text : "";
}

/* Boots that are complete, by build. */
static int read_boots(struct fleet *f, struct kfi_err *err)
{
	sqlite3_stmt *stmt = NULL;
	u32 room = 0;
	int ret = store_prepare(f->store,
		"SELECT boot.id, boot.build, board, total_ns, boot.time FROM boot JOIN (SELECT build, min(time) AS first FROM boot WHERE complete GROUP BY build) AS b ON b.build = boot.build WHERE complete ORDER BY b.first, b.build COLLATE version, boot.time, boot.id",
		&stmt, err);
	int code = SQLITE_DONE;

	while (!ret && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
		const char *build = text_of(stmt, 1), *board = text_of(stmt, 2);
		u32 old = f->builds.count, *at;
		struct fleet_boot *x;

		if (kfi_grow((void **)&f->boot, &room, f->boots + 1, sizeof(*f->boot))) {
			ret = no_memory(err);
			break;
		}
		x = &f->boot[f->boots];
		*x = (struct fleet_boot){
			.id = sqlite3_column_int64(stmt, 0),
			.build = kfi_names_get(&f->builds, build, (u32)strlen(build)),
			.board = kfi_names_get(&f->boards, board, (u32)strlen(board)),
			.total = (double)sqlite3_column_int64(stmt, 3),
		};
		at = kfi_map_get(&f->of, (u64)x->id, f->boots);
		if (!at || x->build == KFI_NONE || x->board == KFI_NONE ||
		    kfi_grow((void **)&f->build, &f->build_room, x->build + 1,
			     sizeof(*f->build))) {
			ret = no_memory(err);
			break;
		}
		if (x->build == old)
			f->build[old] = (struct fleet_build){
				f->boots, 0, sqlite3_column_int64(stmt, 4) };
		f->build[x->build].boots++;
		f->boots++;
	}
	if (!ret && code != SQLITE_DONE)
		ret = store_error(f->store, err);
	sqlite3_finalize(stmt);
	if (!ret && !f->boots)
		ret = kfi_err_set(err, EINVAL, "%s: no boot that is complete: add records or logs",
				  f->store->path);
	return ret;
}

static int make_room(struct fleet *f, struct kfi_err *err)
{
	double **all[] = { &f->value, &f->sorted, &f->more, &f->rank };

	for (u32 i = 0; i < ARRAY_SIZE(all); i++) {
		*all[i] = calloc(f->boots, sizeof(**all[i]));
		if (!*all[i])
			return no_memory(err);
	}
	f->order = calloc(f->boots, sizeof(*f->order));
	f->median = calloc(f->builds.count, sizeof(*f->median));
	return f->order && f->median ? 0 : no_memory(err);
}

/* Is this one of the functions of --func? */
static int is_wanted(struct fleet *f, const char *name)
{
	struct kfi_names one = { 0 };
	struct kd_matches matches = { 0 };
	int ret;

	if (!f->kd->opt.filter.pattern[KD_FUNC].text)
		return 1;
	if (kfi_names_get(&one, name, (u32)strlen(name)) == KFI_NONE)
		return -ENOMEM;
	ret = kd_filter_match(&f->kd->opt.filter, &matches, &one, 0);
	f->kd->in.matches.seen |= matches.seen;
	free(matches.bits);
	kfi_names_free(&one);
	return ret < 0 ? ret : ret >> KD_FUNC & 1;
}

typedef int (*series_fn)(struct fleet *f, const char *kind, const char *name, struct kfi_err *err);

/*
 * Calls @fn for each name of a table, with the values of its column. The rows of a name follow each
 * other, as in the index.
 */
static int each_series(struct fleet *f, const char *kind, const char *column, series_fn fn,
		       struct kfi_err *err)
{
	char sql[256], name[512] = "";
	sqlite3_stmt *stmt = NULL;
	s64 last = -1;
	int code = SQLITE_DONE, ret;
	bool by_entry = !strcmp(kind, "phase");

	/* Phases come in the order in which they begin. */
	snprintf(sql, sizeof(sql), by_entry ?
		"SELECT s.name, n.name, s.boot, s.%s FROM %s AS s JOIN name AS n ON n.id = s.name JOIN (SELECT name, avg(entry_ns) AS at FROM phase GROUP BY name) AS p ON p.name = s.name ORDER BY p.at, s.name"
		:
		"SELECT s.name, n.name, s.boot, s.%s FROM %s AS s JOIN name AS n ON n.id = s.name ORDER BY s.name",
		column, kind);
	ret = store_prepare(f->store, sql, &stmt, err);
	while (!ret && ((code = sqlite3_step(stmt)) == SQLITE_ROW || last >= 0)) {
		s64 id = code == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : -1;
		const u32 *at;

		if (id != last && last >= 0) {
			int wanted = strcmp(kind, "function") ? 1 : is_wanted(f, name);

			if (wanted < 0)
				ret = no_memory(err);
			else if (wanted)
				ret = fn(f, kind, name, err);
		}
		if (id != last && id >= 0) {
			snprintf(name, sizeof(name), "%s", text_of(stmt, 1));
			memset(f->value, 0, f->boots * sizeof(*f->value));
		}
		last = id;
		if (id < 0)
			break;
		at = kfi_map_find(&f->of, (u64)sqlite3_column_int64(stmt, 2));
		if (at)
			f->value[*at] = (double)sqlite3_column_int64(stmt, 3);
	}
	if (!ret && code != SQLITE_DONE && code != SQLITE_ROW)
		ret = store_error(f->store, err);
	sqlite3_finalize(stmt);
	return ret;
}

/* The column of functions that -s chooses. */
static const char *column_of(const struct fleet *f)
{
	switch (f->kd->opt.sort ? *f->kd->opt.sort : 't') {
	case 'l':
		return "self_ns";
	case 'Z':
		return "max_ns";
	default:
		return "total_ns";
	}
}

/* A block of an eighth to eight eighths for each median; for programs the medians. */
static int trend_cell(struct fleet *f, struct kd_table *t, const double *median)
{
	static const char *const blocks[] = {
		"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█",
	};
	double least = INFINITY, most = 0;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return -ENOMEM;
	for (u32 i = 0; i < f->builds.count; i++) {
		least = fmin(least, median[i]);
		most = fmax(most, median[i]);
	}
	for (u32 i = 0; i < f->builds.count; i++) {
		double height = most > least ? (median[i] - least) / (most - least) : 0;

		if (t->out == KD_OUT_TEXT)
			fputs(blocks[(int)(height * 7.999)], out);
		else
			fprintf(out, "%s%lld", i ? " " : "", (long long)whole(median[i]));
	}
	if (fclose(out)) {
		free(text);
		return -ENOMEM;
	}
	kd_cell_text(t, text);
	free(text);
	return 0;
}

/* A build a row. */
static int ask_trend(struct fleet *f, struct kfi_err *err)
{
	struct kd_table t;
	double most = 0;

	BEGIN(&t, f, BUILD, DATE, BOOTS, BOARDS, MEDIAN, MAD, P95, CHANGE, PERCENT, BAR);
	take_totals(f);
	find_medians(f);
	for (u32 i = 0; i < f->builds.count; i++)
		most = fmax(most, f->median[i]);
	for (u32 i = 0; i < f->builds.count && i < f->kd->opt.num; i++) {
		const struct fleet_build *b = &f->build[i];
		double *x = sort_values(f, f->sorted, b->first, b->first + b->boots);
		char date[32], bar[32] = "";
		struct kfi_map boards = { 0 };
		time_t time = b->time;
		struct tm tm;

		for (u32 k = b->first; k < b->first + b->boots; k++)
			if (!kfi_map_get(&boards, f->boot[k].board, 0)) {
				kfi_map_free(&boards);
				return no_memory(err);
			}
		strftime(date, sizeof(date), "%Y-%m-%d", gmtime_r(&time, &tm));
		memset(bar, '#', most > 0 ? (size_t)(f->median[i] * 30 / most) : 0);
		kd_cell_text(&t, f->builds.str[i].s);
		kd_cell_text(&t, date);
		kd_cell_count(&t, b->boots);
		kd_cell_count(&t, boards.count);
		time_cell(&t, f->median[i]);
		time_cell(&t, kfi_rank_mad(x, b->boots, f->more));
		time_cell(&t, kfi_rank_at(x, b->boots, 95));
		if (i)
			time_cell(&t, f->median[i] - f->median[i - 1]);
		else
			kd_cell_unknown(&t);
		percent_cell(&t, i ? f->median[i] - f->median[i - 1] : 0, i ? f->median[i - 1] : 0);
		kd_cell_text(&t, t.out == KD_OUT_TEXT ? bar : "");
		kd_row_end(&t);
		kfi_map_free(&boards);
	}
	return 0;
}

/**
 * struct row - what is kept of a series, for a list in another order
 * @name: its name
 * @kind: boot, phase or function
 * @key: what the list is sorted by
 * @v: numbers
 * @median: by build, or NULL
 * @cut: where it changes
 */
struct row {
	char *name;
	const char *kind;
	double key;
	double v[4];
	double *median;
	u32 cut;
};

/* The list that is made. */
static struct {
	struct row *at;
	u32 n;
	u32 room;
} list;

static struct row *add_row(const char *kind, const char *name, double key)
{
	struct row *r;

	if (kfi_grow((void **)&list.at, &list.room, list.n + 1, sizeof(*list.at)))
		return NULL;
	r = &list.at[list.n];
	*r = (struct row){ .name = strdup(name), .kind = kind, .key = key };
	if (!r->name)
		return NULL;
	list.n++;
	return r;
}

static void free_rows(void)
{
	for (u32 i = 0; i < list.n; i++) {
		free(list.at[i].name);
		free(list.at[i].median);
	}
	free(list.at);
	memset(&list, 0, sizeof(list));
}

static int by_key(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	return strcmp(x->name, y->name) ? : (x->cut < y->cut ? -1 : x->cut > y->cut);
}

static void sort_rows(void)
{
	if (list.n)
		qsort(list.at, list.n, sizeof(*list.at), by_key);
}

/* Keeps the medians; functions are in order of the last one, phases as they come. */
static int keep_series(struct fleet *f, const char *kind, const char *name, struct kfi_err *err)
{
	struct row *r;

	find_medians(f);
	r = add_row(kind, name, f->median[f->builds.count - 1]);
	if (!r)
		return no_memory(err);
	r->median = calloc(f->builds.count, sizeof(*r->median));
	if (!r->median)
		return no_memory(err);
	memcpy(r->median, f->median, f->builds.count * sizeof(*r->median));
	return 0;
}

static int show_series(struct fleet *f, u64 rows, struct kfi_err *err)
{
	u32 last = f->builds.count - 1;
	struct kd_table t;

	BEGIN(&t, f, NAME, FIRST, LAST, CHANGE, PERCENT, TREND);
	for (u32 i = 0; i < list.n && i < rows; i++) {
		const double *median = list.at[i].median;

		kd_cell_text(&t, list.at[i].name);
		time_cell(&t, median[0]);
		time_cell(&t, median[last]);
		time_cell(&t, median[last] - median[0]);
		percent_cell(&t, median[last] - median[0], median[0]);
		if (trend_cell(f, &t, median))
			return no_memory(err);
		kd_row_end(&t);
	}
	return 0;
}

static int ask_phases(struct fleet *f, struct kfi_err *err)
{
	int ret = each_series(f, "phase", "length_ns", keep_series, err);

	if (!ret) {
		take_totals(f);
		ret = keep_series(f, "boot", "(the boot)", err);
	}
	return ret ? : show_series(f, f->kd->opt.num, err);
}

static int ask_functions(struct fleet *f, struct kfi_err *err)
{
	int ret = each_series(f, "function", column_of(f), keep_series, err);

	sort_rows();
	return ret ? : show_series(f, rows_of(f), err);
}

static bool is_large(const struct fleet *f, double before, double after)
{
	double change = fabs(after - before);

	return change >= f->least && change * 100 >= before * (double)f->kd->opt.threshold;
}

/* The clearest change of builds @from to @to of the series. Return: its probability. */
static double find_change(struct fleet *f, u32 from, u32 to, u32 *build, u32 *cut)
{
	u32 first = f->build[from].first;
	u32 n = f->build[to - 1].first + f->build[to - 1].boots - first;
	struct kfi_rank_change c;

	if (to - from < 2)
		return 1;
	for (u32 i = from + 1; i < to; i++)
		cut[i - from - 1] = f->build[i].first - first;
	c = kfi_rank_find_change(f->value + first, n, cut, to - from - 1, f->rank, f->order);
	*build = from + 1 + c.cut;
	return c.p;
}

/* Adds the changes of builds @from to @to, of which one is known. Return: 0 or -ENOMEM. */
static int add_changes(struct fleet *f, const char *kind, const char *name, u32 from, u32 to,
		       u32 *cuts)
{
	u32 build = 0, first = f->build[from].first, middle, end;
	double p = find_change(f, from, to, &build, cuts), before, after;
	struct row *r;

	if (p > RATE)
		return 0;
	middle = f->build[build].first;
	end = f->build[to - 1].first + f->build[to - 1].boots;
	if (add_changes(f, kind, name, from, build, cuts) ||
	    add_changes(f, kind, name, build, to, cuts))
		return -ENOMEM;
	before = median_of(f, first, middle);
	after = median_of(f, middle, end);
	if (!is_large(f, before, after))
		return 0;
	r = add_row(kind, name, fabs(after - before));
	if (!r)
		return -ENOMEM;
	r->v[0] = before;
	r->v[1] = after;
	r->v[2] = p;
	r->cut = build;
	return 0;
}

/* The probability of each series, then the rate of false ones. */
static double *chance;
static u32 nchances, chance_room, next_chance;
static u32 *cuts;

static int first_pass(struct fleet *f, const char *kind, const char *name, struct kfi_err *err)
{
	u32 build;

	if (kfi_grow((void **)&chance, &chance_room, nchances + 1, sizeof(*chance)))
		return no_memory(err);
	chance[nchances++] = find_change(f, 0, f->builds.count, &build, cuts);
	return 0;
}

static int second_pass(struct fleet *f, const char *kind, const char *name, struct kfi_err *err)
{
	if (next_chance >= nchances || chance[next_chance++] > RATE)
		return 0;
	return add_changes(f, kind, name, 0, f->builds.count, cuts) ? no_memory(err) : 0;
}

/* Calls @fn for the total, phases and functions. */
static int every_series(struct fleet *f, series_fn fn, struct kfi_err *err)
{
	int ret;

	take_totals(f);
	ret = fn(f, "boot", "(the boot)", err);
	ret = ret ? : each_series(f, "phase", "length_ns", fn, err);
	return ret ? : each_series(f, "function", column_of(f), fn, err);
}

static int ask_changes(struct fleet *f, struct kfi_err *err)
{
	struct kd_table t;
	u32 *order;
	int ret;

	nchances = next_chance = 0;
	cuts = calloc(f->builds.count, sizeof(*cuts));
	ret = cuts ? every_series(f, first_pass, err) : no_memory(err);
	order = calloc((size_t)nchances + 1, sizeof(*order));
	if (!ret && !order)
		ret = no_memory(err);
	if (!ret) {
		kfi_rank_adjust(chance, nchances, order);
		ret = every_series(f, second_pass, err);
	}
	free(order);
	free(cuts);
	free(chance);
	chance = NULL;
	chance_room = 0;
	if (ret)
		return ret;
	sort_rows();
	BEGIN(&t, f, KIND, NAME, BUILD, BEFORE, AFTER, CHANGE, PERCENT, RATE_OF);
	for (u32 i = 0; i < list.n && i < rows_of(f); i++) {
		const struct row *r = &list.at[i];

		kd_cell_text(&t, r->kind);
		kd_cell_text(&t, r->name);
		kd_cell_text(&t, f->builds.str[r->cut].s);
		time_cell(&t, r->v[0]);
		time_cell(&t, r->v[1]);
		time_cell(&t, r->v[1] - r->v[0]);
		percent_cell(&t, r->v[1] - r->v[0], r->v[0]);
		number_cell(&t, "%.2g", r->v[2]);
		kd_row_end(&t);
	}
	kd_note("changes: %u, of %u series in %u builds and %u boots; of the series that change about 1 in 20 does by chance",
		list.n, nchances, f->builds.count, f->boots);
	return 0;
}

static int by_board(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->cut < y->cut ? -1 : x->cut > y->cut ? 1 : x->key < y->key ? -1 : x->key > y->key;
}

/* By board the median of its boots, each less the median of its build. */
static int board_rows(struct fleet *f, struct kfi_err *err)
{
	u32 n = 0;

	take_totals(f);
	find_medians(f);
	for (u32 i = 0; i < f->boots; i++) {
		struct row *r = add_row("boot", "", f->boot[i].total - f->median[f->boot[i].build]);

		if (!r)
			return no_memory(err);
		r->cut = f->boot[i].board;
	}
	qsort(list.at, list.n, sizeof(*list.at), by_board);
	for (u32 i = 0, end; i < list.n; i = end) {
		struct row *r = &list.at[i], board = *r;

		for (end = i; end < list.n && list.at[end].cut == r->cut; end++)
			f->sorted[end - i] = list.at[end].key;
		board.v[0] = end - i;
		board.key = kfi_rank_median(f->sorted, end - i);
		r = &list.at[n++];
		free(r->name);
		board.name = strdup(f->boards.str[board.cut].s);
		*r = board;
		if (!r->name)
			return no_memory(err);
		for (u32 k = i + (n - 1 == i); k < end; k++) {
			free(list.at[k].name);
			list.at[k].name = NULL;
		}
	}
	list.n = n;
	return 0;
}

static int ask_outliers(struct fleet *f, struct kfi_err *err)
{
	int ret = board_rows(f, err);
	double mad, middle, of;
	u64 found = 0;
	struct kd_table t;

	if (ret)
		return ret;
	of = median_of(f, 0, f->boots);
	for (u32 i = 0; i < list.n; i++)
		f->sorted[i] = list.at[i].key;
	kfi_rank_sort(f->sorted, list.n);
	middle = kfi_rank_median(f->sorted, list.n);
	mad = kfi_rank_mad(f->sorted, list.n, f->more);
	for (u32 i = 0; i < list.n; i++) {
		list.at[i].v[1] = list.at[i].key - middle;
		list.at[i].key = fabs(list.at[i].v[1]);
	}
	sort_rows();
	BEGIN(&t, f, BOARD, BOOTS, CHANGE, PERCENT, SCORE);
	for (u32 i = 0; i < list.n && list.n >= BOARDS_MIN; i++) {
		const struct row *r = &list.at[i];
		double score = mad > 0 ? r->v[1] / mad : r->v[1] ? INFINITY : 0;

		if (fabs(score) <= OUTLIER || !is_large(f, of, of + r->v[1]))
			continue;
		if (found++ >= rows_of(f))
			continue;
		kd_cell_text(&t, r->name);
		kd_cell_count(&t, (s64)r->v[0]);
		time_cell(&t, r->v[1]);
		percent_cell(&t, r->v[1], of);
		number_cell(&t, "%.1f", score);
		kd_row_end(&t);
	}
	if (list.n < BOARDS_MIN)
		kd_note("%u boards: from %u on outliers can be told", list.n, BOARDS_MIN);
	else
		kd_note("outliers: %llu of %u boards: more than %.1f deviations from the median of all boards, in the same builds",
			(unsigned long long)found, list.n, OUTLIER);
	return 0;
}

/* Values as if all builds had the same median: the builds must not be the modes. */
static int find_modes(struct fleet *f, const char *kind, const char *name, struct kfi_err *err)
{
	double of = median_of(f, 0, f->boots), low, high;
	struct kfi_rank_modes m;
	struct row *r;
	u32 n = f->boots;

	find_medians(f);
	for (u32 i = 0; i < n; i++)
		f->sorted[i] = f->value[i] - f->median[f->boot[i].build] + of;
	kfi_rank_sort(f->sorted, n);
	m = kfi_rank_find_modes(f->sorted, n);
	if (!m.low)
		return 0;
	low = kfi_rank_median(f->sorted, m.low);
	high = kfi_rank_median(f->sorted + m.low, n - m.low);
	if (!is_large(f, low > 0 ? low : 0, high))
		return 0;
	r = add_row(kind, name, high - low);
	if (!r)
		return no_memory(err);
	r->v[0] = low;
	r->v[1] = high;
	r->v[2] = n - m.low;
	r->v[3] = m.distance;
	return 0;
}

static int ask_bimodal(struct fleet *f, struct kfi_err *err)
{
	int ret = every_series(f, find_modes, err);
	struct kd_table t;

	if (ret)
		return ret;
	sort_rows();
	BEGIN(&t, f, KIND, NAME, LOW, HIGH, SHARE, DISTANCE);
	for (u32 i = 0; i < list.n && i < rows_of(f); i++) {
		const struct row *r = &list.at[i];

		kd_cell_text(&t, r->kind);
		kd_cell_text(&t, r->name);
		time_cell(&t, r->v[0]);
		time_cell(&t, r->v[1]);
		percent_cell(&t, r->v[2], f->boots);
		number_cell(&t, "%.1f", r->v[3]);
		kd_row_end(&t);
	}
	if (f->boots < KFI_RANK_MODES_MIN)
		kd_note("%u boots: from %u on two modes can be told", f->boots, KFI_RANK_MODES_MIN);
	return 0;
}

/* From this total on a boot is a slow one. */
static double slow_from;

/* How much more of the critical path of the slow boots is in a function. */
static int compare_slow(struct fleet *f, const char *kind, const char *name, struct kfi_err *err)
{
	double sum[2] = { 0, 0 };
	u32 n[2] = { 0, 0 };
	struct row *r;

	for (u32 i = 0; i < f->boots; i++) {
		bool slow = f->boot[i].total >= slow_from;

		sum[slow] += f->value[i];
		n[slow]++;
	}
	for (u32 i = 0; i < 2; i++)
		sum[i] = n[i] ? sum[i] / n[i] : 0;
	r = add_row(kind, name, sum[1] - sum[0]);
	if (!r)
		return no_memory(err);
	r->v[0] = sum[0];
	r->v[1] = sum[1];
	return 0;
}

static int ask_worst(struct fleet *f, struct kfi_err *err)
{
	double all = 0;
	struct kd_table t;
	u32 slow = 0;
	int ret;

	take_totals(f);
	slow_from = kfi_rank_at(sort_values(f, f->sorted, 0, f->boots), f->boots, 95);
	for (u32 i = 0; i < f->boots; i++)
		slow += f->boot[i].total >= slow_from;
	ret = each_series(f, "path", "length_ns", compare_slow, err);
	if (ret)
		return ret;
	sort_rows();
	for (u32 i = 0; i < list.n; i++)
		all += list.at[i].key;
	BEGIN(&t, f, NAME, USUAL, SLOW, MORE, PART);
	for (u32 i = 0; i < list.n && i < rows_of(f); i++) {
		const struct row *r = &list.at[i];

		kd_cell_text(&t, r->name);
		time_cell(&t, r->v[0]);
		time_cell(&t, r->v[1]);
		time_cell(&t, r->key);
		percent_cell(&t, r->key, all);
		kd_row_end(&t);
	}
	kd_note("slow: %u of %u boots, which took the p95 or longer: %.0f us; their critical path is %.0f us longer on average",
		slow, f->boots, slow_from / 1000, all / 1000);
	return 0;
}

static int ask_boots(struct fleet *f, struct kfi_err *err)
{
	sqlite3_stmt *stmt = NULL;
	struct kd_table t;
	int code = SQLITE_DONE;
	int ret = store_prepare(f->store, "SELECT boot, board, build, time, total_ns, complete, log FROM boot ORDER BY time, id",
				&stmt, err);

	if (!ret)
		BEGIN(&t, f, BOOT, BOARD, BUILD, DATE, TOTAL, COMPLETE, LOG);
	while (!ret && (code = sqlite3_step(stmt)) == SQLITE_ROW && t.rows < f->kd->opt.num) {
		time_t time = sqlite3_column_int64(stmt, 3);
		char date[32];
		struct tm tm;

		strftime(date, sizeof(date), "%Y-%m-%d", gmtime_r(&time, &tm));
		for (int i = 0; i < 3; i++)
			kd_cell_text(&t, text_of(stmt, i));
		kd_cell_text(&t, date);
		kd_cell_time(&t, sqlite3_column_int64(stmt, 4), false);
		kd_cell_count(&t, sqlite3_column_int64(stmt, 5));
		kd_cell_text(&t, text_of(stmt, 6));
		kd_row_end(&t);
	}
	if (!ret && code != SQLITE_DONE && code != SQLITE_ROW)
		ret = store_error(f->store, err);
	sqlite3_finalize(stmt);
	return ret;
}

static const struct question {
	const char *name;
	int (*ask)(struct fleet *f, struct kfi_err *err);
} questions[] = {
	{ "trend", ask_trend },
	{ "phases", ask_phases },
	{ "functions", ask_functions },
	{ "changes", ask_changes },
	{ "outliers", ask_outliers },
	{ "bimodal", ask_bimodal },
	{ "worst", ask_worst },
	{ "boots", ask_boots },
};

static const struct question *find_question(const char *name)
{
	for (u32 i = 0; i < ARRAY_SIZE(questions); i++)
		if (!name || !strcmp(name, questions[i].name))
			return &questions[i];
	return NULL;
}

int fleet_check_question(const char *name, struct kfi_err *err)
{
	return find_question(name) ? 0 :
	       kfi_err_set(err, EINVAL, "--ask %s: no such question: trend, phases, functions, changes, outliers, bimodal, worst or boots",
			   name);
}

int fleet_ask(struct kd *kd, struct store *s, struct kfi_err *err)
{
	const struct question *q = find_question(kd->opt.ask);
	struct fleet f = { .kd = kd, .store = s };
	int ret;

	f.least = kd->opt.time ? (double)kd->opt.time_ns : LEAST_NS;
	ret = read_boots(&f, err);
	ret = ret ? : make_room(&f, err);
	ret = ret ? : q->ask(&f, err);
	if (!ret && kd->opt.filter.pattern[KD_FUNC].text && !kd->in.matches.seen)
		kd_note("no function of the fleet matches, or the question is not about functions: %s",
			kd->opt.filter.pattern[KD_FUNC].text);
	free_rows();
	free(f.boot);
	free(f.build);
	free(f.value);
	free(f.sorted);
	free(f.more);
	free(f.rank);
	free(f.order);
	free(f.median);
	kfi_names_free(&f.builds);
	kfi_names_free(&f.boards);
	kfi_map_free(&f.of);
	return ret;
}
