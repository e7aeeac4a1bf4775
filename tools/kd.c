// SPDX-License-Identifier: GPL-2.0
/*
 * kd, "KFI dump": says where the time of a log went. Options and notes are here; input is
 * kd_input.c, the table of functions kd_summary.c, the call trace kd_trace.c.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "kd.h"
#include "opt.h"
#include "version.h"

static struct kd kd = { .num = U64_MAX, .threshold = 5, .depth = U64_MAX, .last_ns = -1 };

static const struct kfi_opt options[] = {
	{ 'h', "help", KFI_OPT_FLAG, NULL, &kd.help, .help = "print this help" },
	{ 'V', "version", KFI_OPT_FLAG, NULL, &kd.version, .help = "print the version" },
	{ 'R', "run", KFI_OPT_NUM, "NUM", &kd.want_run, 1, U32_MAX,
	  "show run number NUM of a file with several (default: 1)" },
	{ 'k', "marks", KFI_OPT_FLAG, NULL, &kd.list_marks, .help =
	  "list the marks of the log, and nothing else" },
	{ .type = KFI_OPT_HEAD, .help = "\nSymbols, for a log with addresses:" },
	KFI_RESOLVE_OPTIONS(kd.files, 0),
	{ 0, "srcline", KFI_OPT_FLAG, NULL, &kd.srcline, .help =
	  "say of each function \"FILE:LINE\", where it begins, by the\n"
	  "debug information of the kernel" },
	{ .type = KFI_OPT_HEAD, .help = "\nSummary of functions:" },
	{ 'n', "num", KFI_OPT_NUM, "NUM", &kd.num, 0, U64_MAX,
	  "show only the first NUM functions" },
	{ 't', "time", KFI_OPT_NUM, "USECS", &kd.time_us, 0, U64_MAX,
	  "show only functions with a time of at least USECS" },
	{ 'f', "format", KFI_OPT_STR, "COLUMNS", &kd.format, .help =
	  "columns to show, in this order (default \"Fctal\"):\n"
	  "F function           c count of calls\n"
	  "t time               a average time of a call\n"
	  "r range: (min-max)   s time less local time\n"
	  "l local time         o calls whose exit was not seen\n"
	  "p time on a cpu      w time switched out\n"
	  "i time in interrupts\n"
	  "A least time of a call\n"
	  "M median             P time that 90 % do not exceed\n"
	  "Q that 99 % do not   Z greatest time of a call\n"
	  "L percent of all local time\n"
	  "C functions that call it\n"
	  "m called function that costs this one most\n"
	  "n how often it was called from here\n"
	  "u all called functions: name(calls,time), ..." },
	{ 'N', "net", KFI_OPT_FLAG, NULL, &kd.net, .help =
	  "take the cost of recording, as measured by the kernel,\n"
	  "off the columns t, a, s, l and p, also with --tree" },
	{ 'l', "long", KFI_OPT_FLAG, NULL, &kd.longer, .help =
	  "long listing: columns \"Fctalsmn\"; with -c \"etlp\"" },
	{ 's', "sort", KFI_OPT_STR, "COLUMNS", &kd.sort, .help =
	  "sort by these columns (default t), the first counts most;\n"
	  "the greatest first, or after a + the least: -s c+F" },
	{ .type = KFI_OPT_HEAD, .help = "\nWhich calls (names: a glob, several with commas, or re:EXPRESSION):" },
	{ 0, "func", KFI_OPT_STR, "NAME", &kd.filter.pattern[KD_FUNC].text, .help =
	  "show functions of these names only" },
	{ 0, "pid", KFI_OPT_STR, "LIST", &kd.filter.pids, .help =
	  "calls of these processes, as in 1,40-49" },
	{ 0, "cpu", KFI_OPT_STR, "LIST", &kd.filter.cpus, .help =
	  "calls on these cpus" },
	{ 0, "ctx", KFI_OPT_STR, "LETTERS", &kd.filter.ctxs, .help =
	  "calls in these contexts: t task, s softirq, h interrupt,\n"
	  "n NMI; --ctx shn is all that interrupts do" },
	{ 0, "from", KFI_OPT_STR, "TIME", &kd.filter.from, .help =
	  "calls entered at TIME or later: 500us, 1.5ms, 2s" },
	{ 0, "to", KFI_OPT_STR, "TIME", &kd.filter.to, .help =
	  "calls entered before TIME" },
	{ 0, "under", KFI_OPT_STR, "NAME", &kd.filter.pattern[KD_UNDER].text, .help =
	  "these functions, and what is called below them" },
	{ 0, "callers", KFI_OPT_STR, "NAME", &kd.filter.pattern[KD_CALLERS].text, .help =
	  "who calls these functions, how often, at what cost" },
	{ 0, "callees", KFI_OPT_STR, "NAME", &kd.filter.pattern[KD_CALLEES].text, .help =
	  "what these functions call, how often, at what cost" },
	{ 'd', "depth", KFI_OPT_NUM, "NUM", &kd.depth, 1, U32_MAX,
	  "calls of the first NUM levels (default: all)" },
	{ .type = KFI_OPT_HEAD, .help = "\nOutput for programs:" },
	{ 0, "csv", KFI_OPT_FLAG, NULL, &kd.csv, .help =
	  "values with commas between them, times in nanoseconds" },
	{ 0, "json", KFI_OPT_FLAG, NULL, &kd.json, .help =
	  "the same as JSON, with what is said in notes" },
	{ .type = KFI_OPT_HEAD, .help = "\nOn a terminal:" },
	TERM_COLOR_OPTION(kd.term),
	TERM_PAGER_OPTION(kd.term),
	{ .type = KFI_OPT_HEAD, .help = "\nLists of calls (-n: how many, -t: not shorter ones):" },
	{ 0, "first", KFI_OPT_FLAG, NULL, &kd.first, .help =
	  "the first call of each function, in order of time" },
	{ 0, "longest", KFI_OPT_FLAG, NULL, &kd.longest, .help =
	  "the longest calls (default: 20)" },
	{ 0, "gaps", KFI_OPT_FLAG, NULL, &kd.gaps, .help =
	  "where the time leaps: the longest stretches in which\n"
	  "nothing was entered or left (default: 20)" },
	{ 0, "initcalls", KFI_OPT_FLAG, NULL, &kd.initcalls, .help =
	  "what initcalls cost, in order of time, or with -s t of\n"
	  "cost" },
	{ .type = KFI_OPT_HEAD, .help = "\nComparison of logs (-s: of one column, -t: changes that are not less):" },
	{ 0, "diff", KFI_OPT_FLAG, NULL, &kd.diff, .help =
	  "what differs between two logs, or between several of each\n"
	  "side: --diff OLD... : NEW...; status 3 if a function got\n"
	  "slower" },
	{ 0, "threshold", KFI_OPT_NUM, "PERCENT", &kd.threshold, 0, 1000000,
	  "changes of less are none (default: 5)" },
	{ .type = KFI_OPT_HEAD, .help = "\nTree:" },
	{ 0, "tree", KFI_OPT_FLAG, NULL, &kd.tree, .help =
	  "show who called whom as one tree in which calls of the\n"
	  "same way are added up; -n, -t and -d prune it; -f takes:\n"
	  "t time, l local time, c count, a average, o open" },
	{ .type = KFI_OPT_HEAD, .help = "\nCall trace:" },
	{ 'c', "calls", KFI_OPT_FLAG, NULL, &kd.trace, .help =
	  "show the calls as trees, one tree after the other;\n"
	  "-f then takes: e entry, t duration, l local time, p pid" },
	{ 'i', "interlaced", KFI_OPT_FLAG, NULL, &kd.interlaced, .help =
	  "all threads of execution in order of entry, each with\n"
	  "its own punctuation, in frames" },
	{ 0, "braces", KFI_OPT_FLAG, NULL, &kd.braces, .help =
	  "in braces, as the function graph tracer has it, that\n"
	  "editors can fold; with -i in order of entry" },
	{ 'm', "max-name", KFI_OPT_NUM, "NUM", &kd.name_len, 1, 4096,
	  "cut function names to NUM characters (default: not cut)" },
	{ 'r', "at-parse", KFI_OPT_FLAG, NULL, &kd.at_parse, .help =
	  "show each call when it is read, without frames" },
	{ 'K', "no-marks", KFI_OPT_FLAG, NULL, &kd.no_marks, .help =
	  "show neither marks nor watch rows" },
};

static void say(const char *fmt, ...) kfi_printf(1, 2);
static void say_text(const char *prefix, const char *fmt, va_list ap) kfi_printf(2, 0);

/* What has been said, for JSON. */
static struct {
	char **text;
	u32 n;
	u32 room;
} said;

static void keep(const char *text)
{
	char *copy = strdup(text);

	if (copy && !kfi_grow((void **)&said.text, &said.room, said.n + 1, sizeof(*said.text)))
		said.text[said.n++] = copy;
	else
		free(copy);
}

static void say_text(const char *prefix, const char *fmt, va_list ap)
{
	char text[sizeof(kd.head.note[0]) + 4096];

	vsnprintf(text, sizeof(text), fmt, ap);
	term_say();
	fflush(stdout);
	fprintf(stderr, "kd: %s%s\n", prefix, text);
	if (kd.out == KD_OUT_JSON)
		keep(text);
}

static void say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say_text("", fmt, ap);
	va_end(ap);
}

#define note(...)	kd_note(__VA_ARGS__)

void kd_say(const char *text)
{
	say("%s", text);
}

void kd_note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say_text("note: ", fmt, ap);
	va_end(ap);
}

#define LLU(x)		((unsigned long long)(x))

static void help(void)
{
	printf("usage: kd [OPTIONS] FILE\n"
	       "\n"
	       "Shows where the time of a KFI or KFT log went: by function, or with -c call by call.\n"
	       "FILE is what was read from /proc/kfi_trace or /proc/kfi_raw, or a historic log; names\n"
	       "come from --map or --vmlinux, or from addr2sym, which may have been there before;\n"
	       "\"-\" is standard input. Times are in microseconds.\n\n");
	kfi_opt_help(options, ARRAY_SIZE(options), stdout);
	printf("\n"
	       "Calls whose exit was not seen count in Count and in no time. A value followed by ? is\n"
	       "the best the log allows; ? alone is unknown.\n"
	       "Exit status: 0 done, 1 something was not found or not readable, 2 could not run, 3\n"
	       "--diff: a function got slower.\n"
	       "\n"
	       "Examples:\n"
	       "  kd -n 15 kfi.lst       the 15 functions that took longest\n"
	       "  kd -n 15 -s l kfi.lst  the 15 with the most time of their own\n"
	       "  kd -c -l kfi.lst       every call with its times, as trees\n");
}

void kd_columns(struct kd *k, const char *format, const char *known, char *out, size_t size)
{
	const char *first = format;
	size_t n = 0;

	for (; *format; format++) {
		if (strchr(known, *format)) {
			if (n + 1 < size)
				out[n++] = *format;
			continue;
		}
		if (!memchr(first, *format, format - first))
			say("Invalid column id: %c", *format);
		k->status = 1;
	}
	out[n] = '\0';
}

/* More runs than the one that is shown. */
static void list_runs(const struct kd *k)
{
	u32 n = k->log.run + 1;

	note("the log has %u runs, the first is shown: -R NUM shows another", n);
	for (u32 i = 0; i < n && i < KD_RUNS; i++) {
		const struct kd_run *r = &k->runs[i];

		if (r->has_rows)
			note("run %u: ID %llu, %s%llu calls", i + 1, LLU(r->id),
			     r->profile ? "a profile, " : "", LLU(r->rows));
		else
			note("run %u: ID %llu", i + 1, LLU(r->id));
	}
}

/* What the reader of the table must know. */
static void notes(struct kd *k)
{
	const struct kfi_log_head *h = &k->head;

	for (u32 i = 0; i < h->nnotes; i++)
		note("%s", h->note[i]);
	if (!k->calls && k->kind != KFI_LOG_PROFILE)
		note("the log has no calls");
	if (k->addresses)
		note("functions are addresses: --map, --vmlinux or addr2sym make names of them");
	if (h->running)
		note("the run had not stopped when the log was read");
	if (k->opened)
		note("%llu of %llu calls had not returned or have no exit: they are in no time",
		     LLU(k->opened), LLU(k->calls));
	if (k->untimed)
		note("%llu of %llu calls have no duration: they are in no time", LLU(k->untimed),
		     LLU(k->calls));
	if (k->kind == KFI_LOG_PROFILE)
		note("a profile: recursive calls are in Time each, and filters are those of the moment");
	if (k->unwound)
		note("%llu of %llu calls were unwound by an outer return: they are in no time",
		     LLU(k->unwound), LLU(k->calls));
	if (k->notime)
		note("%llu of %llu calls were entered before the clock ran: they are in no time",
		     LLU(k->notime), LLU(k->calls));
	if (h->overwritten)
		note("calls overwritten by later ones: %llu: the log has the end of the run only",
		     LLU(h->overwritten));
	if (h->lost > h->overwritten)
		note("calls lost while tracing: %llu, see the log's header",
		     LLU(h->lost - h->overwritten));
	if (h->left_out)
		note("calls left out: %llu: the log is an excerpt", LLU(h->left_out));
	if (h->marks_lost)
		note("marks lost while tracing: %llu", LLU(h->marks_lost));
	if (h->watch_lost)
		note("rows of a watch lost while tracing: %llu", LLU(h->watch_lost));
	if (k->net)
		note("%llu ns are taken off for each recorded call below: the columns called Net",
		     LLU(h->cost_ns));
	if (k->net && h->filtered)
		note("nothing is taken off for the %llu calls that were filtered",
		     LLU(h->filtered));
	if (h->rounds > 1)
		note("the log has %llu rounds of one run; their calls are added up",
		     LLU(h->rounds));
	if (k->watch_rows)
		note("%llu rows say what was on a stack with little room: they are no calls",
		     LLU(k->watch_rows));
	if (h->steps_back)
		note("the clock was seen to step back: %llu", LLU(h->steps_back));
	if (k->recursive && !k->trace)
		note("%llu of %llu calls lie in a call of the same function: Time has the outer",
		     LLU(k->recursive), LLU(k->calls));
	if (k->kind < KFI_LOG_TODAY && h->mintime_us)
		note("calls below %llu usecs were filtered: they are in Local of their caller",
		     LLU(h->mintime_us));
	for (int i = 0; i < KD_PATTERNS; i++)
		if (k->filter.pattern[i].text && !(k->matches.seen >> i & 1)) {
			note("no function in the log matches: %s", k->filter.pattern[i].text);
			k->status = 1;
		}
	if (k->filter.calls && !k->list_marks)
		note("the filters leave %llu of %llu calls", LLU(k->taken), LLU(k->calls));
	if (k->hidden)
		note("calls deeper than %llu, not shown: %llu", LLU(k->depth),
		     LLU(k->hidden));
	if (k->resolve && k->resolve->merged)
		note("names that several functions have, shown as one: %u, as %.*s: --vmlinux tells them apart",
		     k->resolve->merged, (int)k->resolve->first_merged.len,
		     k->resolve->first_merged.s);
	if (k->unsure)
		note("?: the best this log allows: calls below have no exit, or do not nest");
	if (k->no_off_irq)
		note("the log does not say how long calls were switched out, or interrupted");
	if (k->log.console.chatter)
		note("lines of the console that are of no log: %llu", LLU(k->log.console.chatter));
	if (k->log.gaps)
		note("the log has gaps (lines of dots): it is an excerpt");
	if (k->log.run && !k->want_run)
		list_runs(k);
	if (k->unordered && k->kind < KFI_LOG_TODAY)
		note("%llu of %llu calls stand behind calls that were entered later",
		     LLU(k->unordered), LLU(k->calls));
}

/* What JSON says of the log before the rows. */
static void json_head(const char *what, const char *log)
{
	if (kd.out != KD_OUT_JSON)
		return;
	printf("{\"kfi\":\"%s\",\"version\":%d,\"log\":", what, KD_SCHEMA);
	kd_json_text(log);
	printf(",\"run\":%llu,\"run_id\":%llu,\"net\":%s,\"rows\":[",
	       LLU(kd.want_run ? kd.want_run : 1), LLU(kd.head.id), kd.net ? "true" : "false");
}

/* And behind them: with all that was said, problems too. */
static void json_tail(void)
{
	if (kd.out != KD_OUT_JSON)
		return;
	fputs("\n],\"notes\":[", stdout);
	for (u32 i = 0; i < said.n; i++) {
		fputs(i ? ",\n" : "\n", stdout);
		kd_json_text(said.text[i]);
		free(said.text[i]);
	}
	printf("],\n\"status\":%d}\n", kd.status);
	free(said.text);
}

/* What kd shows; the first that is asked for. */
static const struct mode {
	const char *name;
	const bool *asked;
	int (*run)(struct kd *kd, struct kfi_err *err);
} modes[] = {
	{ "marks", &kd.list_marks, kd_marks },
	{ "tree", &kd.tree, kd_tree },
	{ "first", &kd.first, kd_first },
	{ "longest", &kd.longest, kd_first },
	{ "gaps", &kd.gaps, kd_gaps },
	{ "initcalls", &kd.initcalls, kd_initcalls },
	{ "calls", &kd.trace, kd_trace },
	{ "summary", NULL, kd_summary },
};

static const struct mode *find_mode(void)
{
	const struct mode *m = modes;

	while (m->asked && !*m->asked)
		m++;
	return m;
}

static int run(const char *path)
{
	const struct mode *mode;
	struct kfi_err err;
	int ret;

	ret = kd_open(&kd, path, &err);
	if (ret) {
		say("%s%s", ret == -EINVAL ? "" : "Problem opening file: ", err.text);
		return 2;
	}
	mode = find_mode();
	json_head(mode->name, kd.log.in.name);
	ret = mode->run(&kd, &err);
	if (ret) {
		say("%s", err.text);
		kd.status = 2;
	}
	if (kd.status != 2) {
		notes(&kd);
		if (kfi_log_check(&kd.log, &err)) {
			say("%s", err.text);
			kd.status = 1;
		}
		if (kd_order_check(&kd, &err)) {
			say("%s", err.text);
			kd.status = 1;
		}
		if (kd_names_check(&kd, &err)) {
			say("%s", err.text);
			kd.status = 1;
		}
		if (kd_lines_check(&kd, &err)) {
			say("%s", err.text);
			kd.status = 1;
		}
		json_tail();
		if (fflush(stdout) || ferror(stdout)) {
			say("cannot write: %s", strerror(errno));
			kd.status = 2;
		}
	}
	kd_close(&kd);
	kfi_names_free(&kd.names);
	free(kd.matches.bits);
	return kd.status;
}

/* Several files: the only thing that kd does with more than one. */
static int run_diff(int argc, char **argv)
{
	struct kfi_err err;
	int ret;

	json_head("diff", argc ? argv[0] : "");
	ret = kd_diff(&kd, argc, argv, &err);
	if (ret)
		say("%s", err.text);
	else
		json_tail();
	if (!ret && !fflush(stdout) && !ferror(stdout))
		return kd.status;
	if (!ret)
		say("cannot write: %s", strerror(errno));
	return 2;
}

/* What is asked for that does not go together, or NULL. */
static const char *conflict(void)
{
	if (kd.srcline && !kfi_files_given(&kd.files))
		return "--srcline needs --vmlinux, or other symbols";
	if (kd.csv && kd.json)
		return "--csv or --json, not both";
	if (kd.at_parse && (kd.csv || kd.json))
		return "-r is for people: neither --csv nor --json";
	if (kd.braces && kd.at_parse)
		return "-r has no braces: it does not know what is below a call";
	if (kd.format && (kd.first || kd.longest || kd.gaps || kd.initcalls))
		return "lists of calls have the same columns always: no -f";
	if (kd.net && !kd.diff && find_mode()->run != kd_summary && find_mode()->run != kd_tree)
		return "-N is for the summary, --tree and --diff";
	return NULL;
}

int main(int argc, char **argv)
{
	static char out[1 << 16];
	struct kfi_err err;
	const char *why;
	int first, ret;

	setvbuf(stdout, out, _IOFBF, sizeof(out));
	first = kfi_opt_parse(options, ARRAY_SIZE(options), argc, argv, &err);
	if (first < 0) {
		say("%s. See usage for help. (Use -h)", err.text);
		return 2;
	}
	if (kd.help) {
		help();
		return 0;
	}
	if (kd.version) {
		printf("KFI dump - kd version " KFI_VERSION "\n");
		return 0;
	}
	if (first == argc) {
		say("No filename specified. See usage for help. (Use -h)");
		return 2;
	}
	if (argc - first > 1 && !kd.diff) {
		say("one file at a time, not %d. See usage for help. (Use -h)", argc - first);
		return 2;
	}
	/* A call trace says itself how many calls are too deep. */
	kd.filter.depth = kd.trace || kd.braces ? U64_MAX : kd.depth;
	if ((kd.sort && kd_summary_sort(kd.sort, &err)) || kd_filter_parse(&kd.filter, &err)) {
		say("%s. See usage for help. (Use -h)", err.text);
		kd_filter_free(&kd.filter);
		return 2;
	}
	kd.trace |= kd.braces;
	why = conflict();
	if (why) {
		say("%s. See usage for help. (Use -h)", why);
		kd_filter_free(&kd.filter);
		return 2;
	}
	kd.filtered = kd.filter.calls || kd.filter.pattern[KD_FUNC].text;
	kd.out = kd.csv ? KD_OUT_CSV : kd.json ? KD_OUT_JSON : KD_OUT_TEXT;
	if (term_begin(&kd.term, "kd", kd.trace || kd.list_marks, &err)) {
		say("%s. See usage for help. (Use -h)", err.text);
		kd_filter_free(&kd.filter);
		return 2;
	}
	ret = kd.diff ? run_diff(argc - first, argv + first) : run(argv[first]);
	kd_filter_free(&kd.filter);
	return ret;
}
