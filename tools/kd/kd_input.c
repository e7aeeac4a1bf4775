// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the calls, marks and sums of one run of a log. Other runs are not mixed with it. They are
 * read as well, to list them and to check that the file is whole.
 */
#include "import/formats.h"
#include "kd.h"

size_t kd_source_name(struct kfi_str str, char *name, size_t size)
{
	const char *dot = str.len > 1 ? memchr(str.s + 1, '.', str.len - 1) : NULL;
	const char *end = str.s + str.len, *tail;
	size_t n;

	if (!dot || str.len >= size)
		return 0;
	for (tail = dot; tail < end && *tail != '[' && *tail != '@'; tail++)
		;
	n = dot - str.s;
	memcpy(name, str.s, n);
	memcpy(name + n, tail, end - tail);
	return n + (end - tail);
}

u32 kd_function(struct kd *k, struct kfi_str func)
{
	char name[256];
	size_t len = k->opt.source_names ? kd_source_name(func, name, sizeof(name)) : 0;

	if (len)
		return kfi_names_get(&k->in.names, name, (u32)len);
	return kfi_names_get(&k->in.names, func.s, func.len);
}

/* Return the function that begins at an address and has been called before, or KFI_NONE. */
static u32 caller_at(const struct kd *k, u64 site)
{
	const u32 *id = site == U64_MAX ? NULL : kfi_map_find(&k->in.by_address, site);

	return id ? *id : KFI_NONE;
}

/* Return the function that a call site lies in: "name+0xOFF" without the offset. */
static u32 caller_of(struct kd *k, const struct kfi_row *row)
{
	const char *plus = row->numbers ? NULL : memchr(row->caller.s, '+', row->caller.len);
	struct kfi_str site = { row->caller.s,
				plus ? (u32)(plus - row->caller.s) : row->caller.len };
	u32 id = row->numbers ? caller_at(k, row->site) :
				kfi_names_find(&k->in.names, site.s, site.len);
	char name[256];
	size_t len;

	if (row->numbers || id != KFI_NONE)
		return id;
	/* In logs of entries without exits, the caller itself may not be traced. */
	if (k->in.log.import && site.len)
		return kfi_names_get(&k->in.names, site.s, site.len);
	len = kd_source_name(site, name, sizeof(name));
	return len ? kfi_names_find(&k->in.names, name, (u32)len) : KFI_NONE;
}

u32 kd_find_caller(struct kd *k, const struct kfi_row *row)
{
	u32 caller = kd_wants_caller(k, row) ? caller_of(k, row) : KFI_NONE;

	k->in.vague |= (row->marks & KFI_MARK_NOTIME) != 0;
	return caller;
}

/* Return the number of a row's function. An address that was seen before needs no text. */
static u32 number_of(struct kd *k, struct kfi_row *row)
{
	u32 *id = NULL;

	if (row->numbers && row->func_at != U64_MAX) {
		id = kfi_map_get(&k->in.by_address, row->func_at, KFI_NONE);
		if (!id)
			return KFI_NONE;
		if (likely(*id != KFI_NONE))
			return *id;
	}
	if (row->numbers) {
		struct kfi_row text = *row;

		kfi_log_names(&text, k->in.row_text);
		row->func = text.func;
	}
	if (!id)
		return kd_function(k, row->func);
	*id = kd_function(k, row->func);
	return *id;
}

int kd_call(struct kd *k, struct kfi_tree_call *call, struct kfi_err *err)
{
	const struct kfi_row *row = k->in.row;
	const u32 *func = NULL;

	/* With symbols, the map has only addresses whose names never change: see kd_names.c. */
	if (row->numbers)
		func = kfi_map_at_once(&k->in.by_address, row->func_at);
	call->row = row;
	call->func = likely(func) ? *func : number_of(k, k->in.row);
	if (unlikely(call->func == KFI_NONE) ||
	    (unlikely(k->opt.srcline) && kd_line_keep(k, call->func)))
		return kfi_err_set(err, ENOMEM, "%s: out of memory", k->in.log.in.name);
	call->caller = kd_caller(k, row);
	return 0;
}

static inline void count_call(struct kd *k, const struct kfi_row *row)
{
	u64 addr;

	kfi_log_tally_row(&k->in.tally, row);
	if (unlikely(k->opt.filter.calls))
		kd_filter_see(&k->opt.filter, &k->in.matches, row->task, row->cpu,
			      row->entry_ns);
	if (unlikely(!k->res.calls++))
		k->in.addresses = row->numbers || kd_address(k, row->func, &addr);
	if (likely(row->delta_ns >= 0))
		return;
	if (row->marks & KFI_MARK_OPEN)
		k->res.opened++;
	else if (row->marks & KFI_MARK_NOTIME)
		k->res.notime++;
	else
		k->res.unwound++;
}

/* Handle the end of a header, of the run that is shown or of another one. */
static int begin_run(struct kd *k, struct kfi_err *err)
{
	u32 run = k->in.log.run;

	if (run < KD_RUNS) {
		k->in.runs[run] = (struct kd_run){
			.id = k->in.log.head.id, .has_id = k->in.log.head.has_id,
			.rows = k->in.log.import ? kfi_import_calls(&k->in.log) :
						   k->in.log.head.rows,
			.has_rows = k->in.log.head.has_rows || k->in.log.import,
			.imported = k->in.log.import, .sampled = k->in.log.head.sampled,
			.profile = k->in.log.kind == KFI_LOG_PROFILE,
		};
		memcpy(k->in.runs[run].start_by, k->in.log.head.start_by,
		       sizeof(k->in.runs[run].start_by));
	}
	k->in.passed = k->in.reached;
	if (run + 1 != (k->opt.want_run ? k->opt.want_run : 1))
		return 0;
	k->in.reached = true;
	k->in.head = k->in.log.head;
	k->in.kind = k->in.log.kind;
	k->in.vague = k->in.head.rounds > 1;
	/* Names depend on the ranges of this run: headers of later ones must not replace them. */
	if (!k->in.log.follow)
		k->in.log.ranges = NULL;
	kfi_log_tally_begin(&k->in.tally, &k->in.log);
	return kd_names_begin(k, err);
}

/* Handle a header in a run that goes on: modules were loaded or unloaded, or the run is over. */
static int renew_header(struct kd *k, struct kfi_err *err)
{
	k->in.head = k->in.log.head;
	/* An address may belong to another function now. */
	kfi_map_free(&k->in.by_address);
	return kd_names_begin(k, err);
}

/* Read the next item of the run that is shown, when no calls are left from read_rows(). */
static int read_item(struct kd *k, struct kfi_err *err)
{
	int item = k->in.ahead, ret;
	u64 addr;

	k->in.ahead = 0;
	while (!item) {
		term_tick();
		item = kfi_log_item(&k->in.log, k->in.rows, err);
		if (item <= 0) {
			term_done();
			return item;
		}
		if (item == KFI_LINE_WATCH)
			kfi_log_names(k->in.rows, k->in.row_text);
		if (item == KFI_LINE_RULE) {
			ret = k->in.log.follow ? renew_header(k, err) : begin_run(k, err);
			if (ret)
				return ret;
		}
		if (item == KFI_LINE_RULE || k->in.passed)
			item = 0;
		else if (k->in.resolve)
			kd_names_item(k, item);
	}
	if (item == KFI_LINE_ROW)
		count_call(k, k->in.row);
	else if (item == KFI_LINE_SUMS)
		k->in.addresses |= kd_address(k, k->in.log.sums.func, &addr);
	k->res.watch_rows += item == KFI_LINE_WATCH;
	if (item != KFI_LINE_MARK)
		return item;
	k->res.marks++;
	kd_filter_see(&k->opt.filter, &k->in.matches, k->in.log.mark.task, k->in.log.mark.cpu,
		      k->in.log.mark.entry_ns);
	kfi_log_tally_mark(&k->in.tally, &k->in.log.mark);
	if (kd_comm_mark(k))
		return kfi_err_set(err, ENOMEM, "%s: out of memory", k->in.log.in.name);
	return item;
}

/* Read several calls at once. Return true if there were any. */
static bool read_rows(struct kd *k)
{
	k->in.row = k->in.rows;
	k->in.next_row = k->in.nrows = 0;
	/* Other runs are read item by item. */
	if (!k->in.ahead && !k->in.passed && (k->in.log.raw || k->in.log.import)) {
		term_tick();
		k->in.nrows = kfi_log_rows(&k->in.log, k->in.rows, KD_ROWS);
	}
	return k->in.nrows;
}

int kd_item(struct kd *k, struct kfi_err *err)
{
	if (unlikely(k->in.next_row == k->in.nrows) && !read_rows(k))
		return read_item(k, err);
	k->in.row = &k->in.rows[k->in.next_row++];
	if (k->in.resolve)
		kd_names_item(k, KFI_LINE_ROW);
	count_call(k, k->in.row);
	return KFI_LINE_ROW;
}

/* Keep the names of tasks that a log of another tracer has in its lines. */
static int keep_comms(struct kd *k, struct kfi_err *err)
{
	const char *name;
	s32 pid;

	for (u32 i = 0; (name = kfi_import_task(&k->in.log, i, &pid)); i++)
		if (*name && pid > 0 &&
		    kd_comm_keep(k, pid, 0, (struct kfi_str){ name, (u32)strlen(name) }))
			return kfi_err_set(err, ENOMEM, "%s: out of memory", k->in.log.in.name);
	return 0;
}

/* Go to the run that is shown. */
static int find_run(struct kd *k, struct kfi_err *err)
{
	int item = KFI_LINE_RULE, ret = 0;

	do {
		if (item == KFI_LINE_RULE)
			ret = begin_run(k, err);
		if (ret)
			return ret;
		if (k->in.reached)
			return 0;
		term_tick();
		item = kfi_log_item(&k->in.log, k->in.row, err);
	} while (item > 0);
	if (item == 0)
		item = kfi_err_set(err, EINVAL, "%s: no run %llu: the log has %u",
				   k->in.log.in.name, (unsigned long long)k->opt.want_run,
				   k->in.log.run + 1);
	return item;
}

/*
 * Read the first row, which tells how to make trees of a historic log. kd_item() delivers it again.
 */
static int look_at_first(struct kd *k, struct kfi_err *err)
{
	u64 addr;

	k->in.rule = k->in.log.import ? KFI_TREE_NESTED : KFI_TREE_DEPTH;
	if (k->in.kind >= KFI_LOG_FORMAT3)
		return 0;
	k->in.ahead = kfi_log_item(&k->in.log, k->in.row, err);
	if (k->in.ahead < 0)
		return k->in.ahead;
	if (k->in.ahead == KFI_LINE_RULE) {
		k->in.ahead = 0;
		return begin_run(k, err);
	}
	k->in.rule = KFI_TREE_CALLER;
	if (k->in.ahead && k->in.resolve)
		kd_names_item(k, k->in.ahead);
	if (k->in.ahead && kd_address(k, k->in.row->func, &addr))
		k->in.rule = KFI_TREE_TIME;
	return 0;
}

/* Reject what needs the times at which calls were entered. */
static int check_times(const struct kd *k, struct kfi_err *err)
{
	static const char *const names[KD_MODES] = {
		[KD_BOOT] = "--boot", [KD_FIRST] = "--first", [KD_GAPS] = "--gaps", [KD_HTML] = "--html",
		[KD_RECORD] = "--record", [KD_FLEET] = "--fleet", [KD_GATE] = "--gate",
	};
	const struct kd_options *o = &k->opt;
	const char *what = names[o->mode];

	if (!k->in.head.no_entry)
		return 0;
	if (o->mode == KD_EXPORT && !k->in.head.sampled && strcmp(o->export, "folded") &&
	    strcmp(o->export, "callgrind"))
		what = o->export;
	else if (o->mode == KD_CALLS && (o->interlaced || o->braces))
		what = o->interlaced ? "-i" : "--braces";
	else if (o->filter.from || o->filter.to)
		what = o->filter.from ? "--from" : "--to";
	if (what && k->in.head.sampled)
		return kfi_err_set(err, EINVAL, "%s: %s needs the times of samples, and there are none: print them with perf script -F +time",
				   k->in.log.in.name, what);
	return what ? kfi_err_set(err, EINVAL, "%s: %s needs the times of entry, and the trace has none: set the option funcgraph-abstime, or use trace-cmd",
				  k->in.log.in.name, what) : 0;
}

/* Reject modes and options that need single calls if the log has samples. */
static int check_samples(const struct kd *k, struct kfi_err *err)
{
	static const char *const names[KD_MODES] = {
		[KD_BOOT] = "--boot", [KD_CALLS] = "-c", [KD_FIRST] = "--first",
		[KD_LONGEST] = "--longest", [KD_GAPS] = "--gaps", [KD_INITCALLS] = "--initcalls",
		[KD_DIFF] = "--diff", [KD_HTML] = "--html", [KD_TUI] = "--tui",
		[KD_RECORD] = "--record", [KD_FLEET] = "--fleet", [KD_GATE] = "--gate",
	};
	const struct kd_options *o = &k->opt;
	const char *what = names[o->mode];

	if (!k->in.head.sampled)
		return 0;
	if (o->mode == KD_EXPORT && strcmp(o->export, "folded") &&
	    strcmp(o->export, "flamegraph") && strcmp(o->export, "pprof"))
		what = o->export;
	if (what)
		return kfi_err_set(err, EINVAL, "%s: %s needs calls and their durations, and these are samples: the table of functions, --tree and --export folded, flamegraph and pprof show them",
				   k->in.log.in.name, what);
	if (o->time && k->in.head.sampled == KFI_SAMPLED_EVENTS)
		return kfi_err_set(err, EINVAL, "%s: -t needs times, and samples of %s have none",
				   k->in.log.in.name, k->in.head.event);
	return 0;
}

/* Reject options that are for another format. */
static int check_format(const struct kd *k, struct kfi_err *err)
{
	const struct kfi_import_format *f = k->in.log.import ? k->in.log.import->format : NULL;

	if (k->opt.ranges && f != &kfi_import_qemu)
		return kfi_err_set(err, EINVAL, "%s: --range is for traces of QEMU",
				   k->in.log.in.name);
	if (k->opt.elf && f != &kfi_import_qemu)
		return kfi_err_set(err, EINVAL, "%s: --elf is for traces of QEMU",
				   k->in.log.in.name);
	if (k->opt.kaslr && f != &kfi_import_qemu)
		return kfi_err_set(err, EINVAL, "%s: --kaslr is for traces of QEMU",
				   k->in.log.in.name);
	if (k->opt.event && f != &kfi_import_perf)
		return kfi_err_set(err, EINVAL, "%s: --event is for output of perf script",
				   k->in.log.in.name);
	return 0;
}

int kd_open(struct kd *k, const char *path, struct kfi_err *err)
{
	int ret = kd_names_open(k, err);

	if (ret)
		return ret;
	k->in.row = k->in.rows;
	ret = kfi_in_open(&k->in.log.in, path, err);
	if (ret)
		goto close;
	if (k->opt.mode == KD_FOLLOW)
		kd_follow_input(k);
	else
		term_watch(&k->in.log);
	kfi_log_start(&k->in.log);
	k->in.log.follow = k->opt.mode == KD_FOLLOW;
	k->in.log.numbers = true;
	k->in.log.both = true;
	k->in.log.formats = kfi_import_formats;
	k->in.log.input = k->opt.input;
	k->in.log.vmlinux = k->opt.files.vmlinux;
	k->in.log.event = k->opt.event;
	k->in.log.named_ranges = k->opt.ranges;
	k->in.log.elf_files = k->opt.elf;
	k->in.log.kaslr = k->opt.kaslr;
	if (k->in.resolve)
		k->in.log.ranges = &k->in.resolve->ranges;
	ret = kfi_log_begin(&k->in.log, err);
	if (!ret)
		ret = find_run(k, err);
	if (!ret)
		ret = look_at_first(k, err);
	if (!ret)
		ret = keep_comms(k, err);
	if (!ret)
		ret = check_times(k, err);
	if (!ret)
		ret = check_format(k, err);
	if (!ret)
		ret = check_samples(k, err);
	if (!ret && k->in.kind == KFI_LOG_PROFILE && k->opt.mode != KD_SUMMARY &&
	    k->opt.mode != KD_DIFF && k->opt.mode != KD_MARKS)
		ret = kfi_err_set(err, EINVAL, "%s: a profile has sums, no calls: the table of functions shows it",
				  path);
	if (!ret)
		return 0;
close:
	kd_close(k);
	return ret;
}

void kd_close(struct kd *k)
{
	term_done();
	kfi_log_close(&k->in.log);
	kfi_map_free(&k->in.by_address);
	kfi_map_free(&k->in.comm_of);
	free(k->in.comm);
	kfi_names_free(&k->in.comms);
	kd_lines_free(k);
	kd_names_close(k);
}

int kd_cost(const struct kd *k, struct kd_cost *cost, struct kfi_err *err)
{
	*cost = (struct kd_cost){ 0 };
	if (k->opt.net)
		*cost = (struct kd_cost){ k->in.head.cost_ns, k->in.head.filtered_cost_ns };
	if (!k->opt.net || (k->in.head.has_cost && k->in.kind != KFI_LOG_PROFILE))
		return 0;
	return kfi_err_set(err, EINVAL, "%s: -N: %s", k->in.log.in.name,
			   k->in.kind == KFI_LOG_PROFILE ?
			   "a profile does not say which calls are below which" :
			   "the log does not say what recording a call costs");
}
