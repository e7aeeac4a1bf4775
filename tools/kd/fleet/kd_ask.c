// SPDX-License-Identifier: GPL-2.0
/* Answers questions about the records of a fleet: see kd_ask.h. rank.h has the statistics. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "kd_ask.h"
#include "rank.h"

/* Number of rows of a list without -n. */
#define ROWS		20

/* Smallest difference that counts without -t, in nanoseconds. */
#define LEAST_NS	100000

/* The columns that the tables of all questions choose from. */
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

void ask_begin(struct kd_table *t, const struct fleet *f, const u8 *ids, u32 n)
{
	char format[KD_COLUMNS_MAX];

	for (u32 i = 0; i < n; i++)
		format[i] = (char)('b' + ids[i]);
	format[n] = '\0';
	*t = (struct kd_table){ .out = f->kd->opt.out };
	kd_table_begin(t, columns, ARRAY_SIZE(columns), format, false);
}

s64 ask_whole(double v)
{
	return fabs(v) < 9e18 ? llround(v) : v < 0 ? -S64_MAX : S64_MAX;
}

void ask_time_cell(struct kd_table *t, double ns)
{
	kd_cell_time(t, ask_whole(ns), false);
}

void ask_percent_cell(struct kd_table *t, double part, double of)
{
	if (of > 0)
		kd_cell_percent(t, ask_whole(part * 10000 / of), false);
	else
		kd_cell_unknown(t);
}

void ask_number_cell(struct kd_table *t, const char *format, double v)
{
	char text[32];

	if (isfinite(v)) {
		snprintf(text, sizeof(text), format, v);
		kd_cell_text(t, text);
	} else {
		kd_cell_unknown(t);
	}
}

u64 ask_rows(const struct fleet *f)
{
	return f->kd->opt.num == U64_MAX ? ROWS : f->kd->opt.num;
}

int ask_no_memory(struct kfi_err *err)
{
	return kfi_err_set(err, ENOMEM, "out of memory");
}

double *ask_sort_values(struct fleet *f, double *room, u32 from, u32 to)
{
	memcpy(room, f->value + from, (to - from) * sizeof(*room));
	kfi_rank_sort(room, to - from);
	return room;
}

double ask_median(struct fleet *f, u32 from, u32 to)
{
	return kfi_rank_median(ask_sort_values(f, f->sorted, from, to), to - from);
}

void ask_find_medians(struct fleet *f)
{
	for (u32 i = 0; i < f->builds.count; i++)
		f->median[i] = ask_median(f, f->build[i].first,
					 f->build[i].first + f->build[i].boots);
}

void ask_take_totals(struct fleet *f)
{
	for (u32 i = 0; i < f->boots; i++)
		f->value[i] = f->boot[i].total;
}

static const char *text_of(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text ? text : "";
}

/* Load the complete boots, in the order of their builds. */
static int read_boots(struct fleet *f, struct kfi_err *err)
{
	sqlite3_stmt *stmt = NULL;
	int ret = store_prepare(f->store,
		"SELECT boot.id, boot.build, board, total_ns, boot.time FROM boot JOIN (SELECT build, min(time) AS first FROM boot WHERE complete GROUP BY build) AS b ON b.build = boot.build WHERE complete ORDER BY b.first, b.build COLLATE version, boot.time, boot.id",
		&stmt, err);
	int code = SQLITE_DONE;

	while (!ret && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
		const char *build = text_of(stmt, 1), *board = text_of(stmt, 2);
		u32 old = f->builds.count, *at;
		struct fleet_boot *x;

		if (kfi_grow((void **)&f->boot, &f->boot_room, f->boots + 1, sizeof(*f->boot))) {
			ret = ask_no_memory(err);
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
			ret = ask_no_memory(err);
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
			return ask_no_memory(err);
	}
	f->order = calloc(f->boots, sizeof(*f->order));
	f->median = calloc(f->builds.count, sizeof(*f->median));
	return f->order && f->median ? 0 : ask_no_memory(err);
}

/* Return true if --func selects this function. */
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

void ask_fill_unknown(struct fleet *f)
{
	u32 n = 0, unknown = 0;

	for (u32 i = 0; i < f->boots; i++)
		unknown += f->value[i] < 0;
	if (!unknown)
		return;
	f->unknown += unknown;
	for (u32 i = 0; i < f->boots; i++)
		if (f->value[i] > 0)
			f->sorted[n++] = f->value[i];
	kfi_rank_sort(f->sorted, n);
	for (u32 i = 0; i < f->boots; i++)
		if (f->value[i] < 0)
			f->value[i] = n ? kfi_rank_median(f->sorted, n) : 0;
}

int ask_each_series(struct fleet *f, const char *kind, const char *column, fleet_series_fn fn,
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
				ret = ask_no_memory(err);
			if (wanted > 0) {
				ask_fill_unknown(f);
				ret = fn(f, kind, name, err);
			}
		}
		if (id != last && id >= 0) {
			snprintf(name, sizeof(name), "%s", text_of(stmt, 1));
			memset(f->value, 0, f->boots * sizeof(*f->value));
		}
		last = id;
		if (id < 0)
			break;
		at = kfi_map_find(&f->of, (u64)sqlite3_column_int64(stmt, 2));
		if (!at)
			continue;
		f->value[*at] = (double)sqlite3_column_int64(stmt, 3);
		if (sqlite3_column_type(stmt, 3) == SQLITE_NULL)
			f->value[*at] = -1;
	}
	if (!ret && code != SQLITE_DONE && code != SQLITE_ROW)
		ret = store_error(f->store, err);
	sqlite3_finalize(stmt);
	return ret;
}

const char *ask_column(const struct fleet *f)
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

struct fleet_row *ask_add_row(struct fleet *f, const char *kind, const char *name, double key)
{
	struct fleet_row *r;

	if (kfi_grow((void **)&f->list.at, &f->list.room, f->list.n + 1, sizeof(*f->list.at)))
		return NULL;
	r = &f->list.at[f->list.n];
	*r = (struct fleet_row){ .name = strdup(name), .kind = kind, .key = key };
	if (!r->name)
		return NULL;
	f->list.n++;
	return r;
}

void ask_free_rows(struct fleet *f)
{
	for (u32 i = 0; i < f->list.n; i++) {
		free(f->list.at[i].name);
		free(f->list.at[i].median);
	}
	free(f->list.at);
	memset(&f->list, 0, sizeof(f->list));
}

static int by_key(const void *a, const void *b)
{
	const struct fleet_row *x = a, *y = b;

	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	return strcmp(x->name, y->name) ? : (x->cut < y->cut ? -1 : x->cut > y->cut);
}

void ask_sort_rows(struct fleet *f)
{
	if (f->list.n)
		qsort(f->list.at, f->list.n, sizeof(*f->list.at), by_key);
}

bool ask_is_large(const struct fleet *f, double before, double after)
{
	double change = fabs(after - before);

	return change >= f->least && change * 100 >= before * (double)f->kd->opt.threshold;
}

int ask_every_series(struct fleet *f, fleet_series_fn fn, struct kfi_err *err)
{
	int ret;

	if (f->stream)
		return fleet_stream_each(f, fn, err);
	ask_take_totals(f);
	ret = fn(f, "boot", "(the boot)", err);
	ret = ret ? : ask_each_series(f, "phase", "length_ns", fn, err);
	return ret ? : ask_each_series(f, "function", ask_column(f), fn, err);
}

static int ask_boots(struct fleet *f, struct kfi_err *err)
{
	sqlite3_stmt *stmt = NULL;
	struct kd_table t;
	int code = SQLITE_DONE;
	int ret = store_prepare(f->store, "SELECT boot, board, build, time, total_ns, complete, log FROM boot ORDER BY time, id",
				&stmt, err);

	if (!ret)
		ASK_BEGIN(&t, f, BOOT, BOARD, BUILD, DATE, TOTAL, COMPLETE, LOG);
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

const struct fleet_question fleet_questions[] = {
	{ "trend", ask_trend, .has_page = true },
	{ "phases", ask_phases, .has_page = true },
	{ "functions", ask_functions, .has_page = true, .has_functions = true },
	{ "changes", ask_changes, true, true, true, true },
	{ "outliers", ask_outliers, .has_page = true, .has_least = true },
	{ "bimodal", ask_bimodal, true, true, true, true },
	{ "worst", ask_worst, .has_page = true },
	{ "boots", ask_boots },
	{ NULL },
};

static const struct fleet_question *find_question(const char *name)
{
	for (const struct fleet_question *q = fleet_questions; q->name; q++)
		if (!name || !strcmp(name, q->name))
			return q;
	return NULL;
}

int fleet_check_question(const struct kd_options *opt, bool is_stream, struct kfi_err *err)
{
	const struct fleet_question *q = find_question(opt->ask);
	const char *what = NULL;

	if (!q)
		return kfi_err_set(err, EINVAL, "--ask %s: no such question: trend, phases, functions, changes, outliers, bimodal, worst or boots",
				   opt->ask);
	if (is_stream && !q->has_stream)
		return kfi_err_set(err, EINVAL, "--fleet - answers --ask changes and --ask bimodal only");
	/* A page answers all questions. */
	if (opt->html)
		return 0;
	if (!q->has_functions && opt->filter.pattern[KD_FUNC].text)
		what = "--func";
	else if (!q->has_functions && opt->sort)
		what = "-s";
	if (what)
		return kfi_err_set(err, EINVAL, "%s has no effect on --ask %s: ask functions, changes or bimodal",
				   what, q->name);
	if (!q->has_least && opt->time)
		what = "-t";
	else if (!q->has_least && opt->has_threshold)
		what = "--threshold";
	return what ? kfi_err_set(err, EINVAL, "%s has no effect on --ask %s: ask changes, outliers or bimodal",
				  what, q->name) : 0;
}

int fleet_ask(struct kd *kd, struct store *s, struct kfi_err *err)
{
	const struct fleet_question *q = find_question(kd->opt.ask);
	struct fleet f = { .kd = kd, .store = s };
	int ret;

	f.least = kd->opt.time ? (double)kd->opt.time_ns : LEAST_NS;
	if (s) {
		ret = read_boots(&f, err);
	} else {
		ret = fleet_stream_open(&f, err);
		ret = ret ? : fleet_stream_boots(&f, err);
	}
	ret = ret ? : make_room(&f, err);
	ret = ret ? : kd->opt.html ? ask_page(&f, err) : q->ask(&f, err);
	if (f.unknown)
		kd_note("times of boots in which no call of a function returned: %u: the median of the other boots stands for each",
			f.unknown);
	if (!ret && kd->opt.filter.pattern[KD_FUNC].text && !kd->in.matches.seen) {
		kd_note("no function of the fleet matches: %s",
			kd->opt.filter.pattern[KD_FUNC].text);
		kd->res.status = 1;
	}
	fleet_stream_close(&f);
	ask_free_rows(&f);
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
