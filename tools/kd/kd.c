// SPDX-License-Identifier: GPL-2.0
/*
 * kd, "KFI dump": shows where the time of a log went. This file has the options, the notes and
 * main(). kd_input.c reads the log, kd_summary.c prints the table of functions, kd_trace.c the call
 * trace.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "file.h"
#include "import/formats.h"
#include "kd.h"
#include "kd_export.h"
#include "kd_fleet.h"
#include "kd_html.h"
#include "kd_tui.h"
#include "opt.h"
#include "version.h"

static struct kd kd = {
	.opt = { .num = U64_MAX, .threshold = 5, .depth = U64_MAX },
};

/* By mode: an option has asked for it. */
static bool asked[KD_MODES];

#define IN(mode)	(1u << KD_##mode)
#define LISTS		(IN(FIRST) | IN(LONGEST) | IN(GAPS) | IN(INITCALLS))
#define TABLES		(IN(SUMMARY) | IN(TREE) | LISTS | IN(DIFF))
#define CALLS		(TABLES | IN(CALLS))
#define EXPORTED	(CALLS | FILES)
#define VALUES		(IN(ARGS) | IN(ERRORS))
#define CHOICE		(EXPORTED | IN(MARKS) | IN(FOLLOW) | VALUES)
#define FILES		(IN(EXPORT) | IN(HTML))
#define BOOTS		(IN(RECORD) | IN(FLEET) | IN(GATE))

/* The modes. */
static const struct mode {
	const char *name;
	const char *option;	/* the option that asks for it, NULL: none */
	int (*run)(struct kd *kd, struct kfi_err *err);	/* handles one log, or NULL */
	int (*run_many)(struct kd *kd, int argc, char **argv, struct kfi_err *err);
	const char *usage;	/* what follows "kd", a line each; NULL: the option, and one log */
} modes[KD_MODES] = {
	[KD_SUMMARY]	= { "summary", NULL, kd_summary },
	[KD_BOOT]	= { "boot", "--boot", kd_boot },
	[KD_CALLS]	= { "calls", "-c", kd_trace },
	[KD_FOLLOW]	= { "follow", "--follow", kd_follow },
	[KD_TREE]	= { "tree", "--tree", kd_tree },
	[KD_FIRST]	= { "first", "--first", kd_first },
	[KD_LONGEST]	= { "longest", "--longest", kd_first },
	[KD_GAPS]	= { "gaps", "--gaps", kd_gaps },
	[KD_INITCALLS]	= { "initcalls", "--initcalls", kd_initcalls },
	[KD_MARKS]	= { "marks", "-k", kd_marks },
	[KD_ARGS]	= { "args", "--args", kd_args },
	[KD_ERRORS]	= { "errors", "--errors", kd_args },
	[KD_DIFF]	= { "diff", "--diff", NULL, kd_diff, .usage =
	  "--diff [OPTIONS] OLD NEW\n"
	  "--diff [OPTIONS] OLD... : NEW..." },
	[KD_EXPORT]	= { "export", "--export", kd_export, .usage =
	  "--export FORMAT [OPTIONS] [FILE]" },
	[KD_HTML]	= { "html", "--html", kd_html, .usage =
	  "--html PAGE [OPTIONS] [FILE]\n"
	  "--html PAGE [OPTIONS] OLD NEW" },
	[KD_TUI]	= { "tui", "--tui", kd_tui },
	[KD_RECORD]	= { "record", "--record", NULL, kd_record, .usage =
	  "--record [OPTIONS] LOG..." },
	[KD_FLEET]	= { "fleet", "--fleet", NULL, kd_fleet, .usage =
	  "--fleet DB [OPTIONS] [RECORDS...]" },
	[KD_GATE]	= { "gate", "--gate", NULL, kd_gate, .usage =
	  "--gate [OPTIONS] BASELINE... : NEW..." },
};

/* The options, each with the modes in which it has an effect: other modes reject it. */
static const struct kfi_opt options[] = {
	{ 'h', "help", KFI_OPT_FLAG, NULL, &kd.opt.help, .help =
	  "print help: of a mode --help MODE, --help all" },
	{ 'V', "version", KFI_OPT_FLAG, NULL, &kd.opt.version, .help = "print the version" },
	{ 'R', "run", KFI_OPT_NUM, "NUM", &kd.opt.want_run, 1, U32_MAX,
	  "show run number NUM of a file with several (default: 1)" },
	{ 0, "input", KFI_OPT_STR, "FORMAT", &kd.opt.input, .help =
	  "what FILE is, if its content does not say it:\n" KFI_IMPORT_NAMES },
	{ 0, "event", KFI_OPT_STR, "NAME", &kd.opt.event, .help =
	  "of several events in the output of perf script, rank this\n"
	  "one (default: the first that is no tracepoint)" },
	/* find_mode() rejects two of them. The help of a mode has that of the mode only. */
	{ .type = KFI_OPT_HEAD, .help = "\nModes (default: a table of functions):" },
	{ 0, "boot", KFI_OPT_FLAG, NULL, &asked[KD_BOOT], .help =
	  "where the time of a boot went: phases, the critical path,\n"
	  "and what took longest", .use = IN(BOOT) },
	{ 'c', "calls", KFI_OPT_FLAG, NULL, &asked[KD_CALLS], .help =
	  "the calls as trees, one tree after the other", .use = IN(CALLS) },
	{ 0, "follow", KFI_OPT_FLAG, NULL, &asked[KD_FOLLOW], .help =
	  "calls of a session that goes on, as they come out of\n"
	  "/proc/kfi_pipe; at its end, or on Ctrl-C, a table of functions", .use = IN(FOLLOW) },
	{ 0, "tree", KFI_OPT_FLAG, NULL, &asked[KD_TREE], .help =
	  "who called whom: one tree, calls with the same callers added up", .use = IN(TREE) },
	{ 0, "first", KFI_OPT_FLAG, NULL, &asked[KD_FIRST], .help =
	  "the first call of each function, in order of time", .use = IN(FIRST) },
	{ 0, "longest", KFI_OPT_FLAG, NULL, &asked[KD_LONGEST], .help =
	  "the longest calls (default: 20)", .use = IN(LONGEST) },
	{ 0, "gaps", KFI_OPT_FLAG, NULL, &asked[KD_GAPS], .help =
	  "the longest stretches in which nothing was entered or left\n"
	  "(default: 20)", .use = IN(GAPS) },
	{ 0, "initcalls", KFI_OPT_FLAG, NULL, &asked[KD_INITCALLS], .help =
	  "what initcalls cost, in order of time", .use = IN(INITCALLS) },
	{ 'k', "marks", KFI_OPT_FLAG, NULL, &asked[KD_MARKS], .help =
	  "the marks of the log", .use = IN(MARKS) },
	{ 0, "args", KFI_OPT_FLAG, NULL, &asked[KD_ARGS], .help =
	  "arguments and return values of calls, as far as the\n"
	  "configuration has them recorded", .use = IN(ARGS) },
	{ 0, "errors", KFI_OPT_FLAG, NULL, &asked[KD_ERRORS], .help =
	  "the calls of these that returned an error, the first first", .use = IN(ERRORS) },
	{ 0, "diff", KFI_OPT_FLAG, NULL, &asked[KD_DIFF], .help =
	  "compare logs: --diff OLD NEW, --diff OLD... : NEW...", .use = IN(DIFF) },
	{ 0, "export", KFI_OPT_STR, "FORMAT", &kd.opt.export, .help =
	  "write the log for another program: folded, chrome,\n"
	  "perfetto, speedscope, callgrind, uftrace, pprof, ctf,\n"
	  "flamegraph, graphviz, bootchart", .use = IN(EXPORT) },
	{ 'o', "output", KFI_OPT_STR, "FILE", &kd.opt.output, .help =
	  "write it to FILE (default: standard output)",
	  .use = IN(EXPORT) | IN(RECORD) },
	{ 0, "split", KFI_OPT_STR, "TIME", &kd.opt.split, .help =
	  "a file for each TIME of the log: for -o kfi.json they are\n"
	  "kfi.1.json, kfi.2.json; formats chrome and perfetto", .use = IN(EXPORT) },
	{ 0, "html", KFI_OPT_STR, "FILE", &kd.opt.html, .help =
	  "write a page for a browser to FILE: timeline, flame graph,\n"
	  "report of --boot; with OLD NEW both logs, compared; with\n"
	  "--fleet the answers to all questions", .use = IN(HTML) | IN(FLEET) },
	{ 0, "tui", KFI_OPT_FLAG, NULL, &asked[KD_TUI], .help =
	  "browse the log on the terminal: boot report, call tree,\n"
	  "functions, tasks; ? shows the keys", .use = IN(TUI) },
	{ 0, "record", KFI_OPT_FLAG, NULL, &asked[KD_RECORD], .help =
	  "a line of JSON for each boot: logs, folders, @LIST", .use = IN(RECORD) },
	{ 0, "fleet", KFI_OPT_STR, "DB", &kd.opt.fleet, .help =
	  "add records and logs to DB, an SQLite file or a folder\n"
	  "of records, and answer --ask", .use = IN(FLEET) },
	{ 0, "gate", KFI_OPT_FLAG, NULL, &asked[KD_GATE], .help =
	  "are new boots slower? --gate BASELINE... : NEW...", .use = IN(GATE) },
	{ .type = KFI_OPT_HEAD, .help = "\nColumns and rows:" },
	{ 'n', "num", KFI_OPT_NUM, "NUM", &kd.opt.num, 0, U64_MAX,
	  "the first NUM rows; with --tree of each node's children,\n"
	  "with --boot of each list (default: 5 or 10)", TABLES | IN(MARKS) | IN(BOOT) |
	  IN(FOLLOW) | IN(FLEET) | IN(GATE) | VALUES },
	{ 't', "time", KFI_OPT_STR, "TIME", &kd.opt.time, .help =
	  "what took TIME or longer: 12 (microseconds), 1.5ms, 2s;\n"
	  "with --diff the least change that counts (100us), with\n"
	  "--boot what has a line of its own",
	  .use = TABLES | IN(BOOT) | IN(FOLLOW) | IN(FLEET) | IN(GATE) },
	{ 'f', "format", KFI_OPT_STR, "COLUMNS", &kd.opt.format, .help =
	  "columns in this order: names with commas, or letters\n"
	  "(default \"Fctal\", --tree \"tlc\", -c none); -c has e entry,\n"
	  "t total, l self, p pid, k comm, --tree t, l, c, a, o:\n"
	  "F function           c count of calls\n"
	  "t total              a average time of a call\n"
	  "r range: (min-max)   s sub: total less self\n"
	  "l self: local time   o open: calls without a duration\n"
	  "p on_cpu             w off_cpu: switched out\n"
	  "i irq: in interrupts\n"
	  "A min                M median\n"
	  "P p90                Q p99\n"
	  "Z max\n"
	  "L self_percent: of all self time\n"
	  "C callers: functions that call it, itself if it does\n"
	  "b first: when it was called first\n"
	  "e last: when its last call ended\n"
	  "T total_percent: of all samples (perf)\n"
	  "m max_sub: other function that costs this one most\n"
	  "n max_sub_count: how often it was called from here\n"
	  "u sub_list: all other called functions: name(calls,time)",
	  .use = IN(SUMMARY) | IN(TREE) | IN(CALLS) },
	{ 'l', "long", KFI_OPT_FLAG, NULL, &kd.opt.longer, .help =
	  "long listing: columns \"Fctalsmn\"; with -c \"etlpk\"",
	  .use = IN(SUMMARY) | IN(CALLS) },
	{ 's', "sort", KFI_OPT_STR, "COLUMNS", &kd.opt.sort, .help =
	  "sort by these columns (default total), the first counts\n"
	  "most; the greatest first, or after a + the least: -s c+F;\n"
	  "--initcalls: -s t; --diff compares this one column",
	  .use = IN(SUMMARY) | IN(FOLLOW) | IN(INITCALLS) | IN(DIFF) | IN(FLEET) | IN(GATE) },
	{ 'N', "net", KFI_OPT_FLAG, NULL, &kd.opt.net, .help =
	  "take the cost of recording, as measured by the kernel,\n"
	  "off the columns t, a, s, l and p",
	  .use = IN(SUMMARY) | IN(TREE) | IN(DIFF) },
	{ .type = KFI_OPT_HEAD, .help = "\nBoot:" },
	{ 0, "dmesg", KFI_OPT_STR, "FILE", &kd.opt.dmesg, .help =
	  "the lines of printk in FILE, at their place on the path",
	  .use = IN(BOOT) | IN(HTML) },
	{ 0, "until", KFI_OPT_STR, "PROGRAM", &kd.opt.until, .help =
	  "the boot goes on until this program is started",
	  .use = IN(BOOT) | IN(HTML) },
	{ 0, "without", KFI_OPT_STR, "FUNC", &kd.opt.without, .help =
	  "how long the boot would take without this function",
	  .use = IN(BOOT) },
	{ .type = KFI_OPT_HEAD, .help = "\nTrace:" },
	{ 'i', "interlaced", KFI_OPT_FLAG, NULL, &kd.opt.interlaced, .help =
	  "all threads of execution in order of entry, each with\n"
	  "its own punctuation, in frames", .use = IN(CALLS) },
	{ 0, "braces", KFI_OPT_FLAG, NULL, &kd.opt.braces, .help =
	  "in braces, as the function graph tracer has it, that\n"
	  "editors can fold; with -i in order of entry", .use = IN(CALLS) },
	{ 'm', "max-name", KFI_OPT_NUM, "NUM", &kd.opt.name_len, 1, 4096,
	  "cut function names to NUM characters (default: not cut)", IN(CALLS) },
	{ 'r', "at-parse", KFI_OPT_FLAG, NULL, &kd.opt.at_parse, .help =
	  "show each call when it is read, without frames", .use = IN(CALLS) },
	{ 'K', "no-marks", KFI_OPT_FLAG, NULL, &kd.opt.no_marks, .help =
	  "show neither marks nor watch rows", .use = IN(CALLS) | IN(FOLLOW) },
	{ .type = KFI_OPT_HEAD, .help = "\nComparison:" },
	{ 0, "threshold", KFI_OPT_NUM, "PERCENT", &kd.opt.threshold, 0, 1000000,
	  "changes of less are none (default: 5); of --export graphviz\n"
	  "functions with a less part of the time",
	  IN(DIFF) | IN(EXPORT) | IN(FLEET) | IN(GATE) },
	{ 0, "budget", KFI_OPT_STR, "FILE", &kd.opt.budget, .help =
	  "limits for the new logs, one a line: \"total < 2s\",\n"
	  "\"time_init < 50ms\", \"level:core < 1s\"; status 3 says that\n"
	  "one is not kept, and no longer that a function is slower;\n"
	  "--gate: \"total < +3%\", too: growth that is allowed",
	  .use = IN(DIFF) | IN(GATE) },
	{ .type = KFI_OPT_HEAD, .help = "\nMany boots:" },
	{ 0, "label", KFI_OPT_STR, "LABELS", &kd.opt.label, .help =
	  "labels of logs: board=A1,build=v2,arch=arm,config=small,\n"
	  "time=2026-01-31", .use = BOOTS },
	{ 0, "path", KFI_OPT_STR, "PATTERN", &kd.opt.path, .help =
	  "labels from the end of the path: {build}/{board}/*.log", .use = BOOTS },
	{ 0, "symbols", KFI_OPT_STR, "DIR", &kd.opt.symbols, .help =
	  "DIR/BUILD-ID has vmlinux or System.map of that build", .use = BOOTS },
	{ 0, "ask", KFI_OPT_STR, "QUESTION", &kd.opt.ask, .help =
	  "trend (default), phases, functions, changes, outliers,\n"
	  "bimodal, worst, boots", .use = IN(FLEET) },
	{ 0, "junit", KFI_OPT_STR, "FILE", &kd.opt.junit, .help =
	  "write the result as JUnit XML", .use = IN(GATE) },
	{ 0, "markdown", KFI_OPT_STR, "FILE", &kd.opt.markdown, .help =
	  "write the result as Markdown", .use = IN(GATE) },
	{ .type = KFI_OPT_HEAD, .help =
	  "\nWhich calls (names: a glob, several with commas, or re:EXPRESSION):" },
	{ 0, "func", KFI_OPT_STR, "NAME", &kd.opt.filter.pattern[KD_FUNC].text, .help =
	  "show functions of these names only",
	  .use = CALLS | IN(FOLLOW) | IN(FLEET) | VALUES },
	{ 0, "pid", KFI_OPT_STR, "LIST", &kd.opt.filter.pids, .help =
	  "calls of these processes, as in 1,40-49", .use = CHOICE },
	{ 0, "cpu", KFI_OPT_STR, "LIST", &kd.opt.filter.cpus, .help =
	  "calls on these cpus", .use = CHOICE },
	{ 0, "ctx", KFI_OPT_STR, "LETTERS", &kd.opt.filter.ctxs, .help =
	  "calls in these contexts: t task, s softirq, h interrupt,\n"
	  "n NMI; --ctx shn is all that interrupts do", .use = CHOICE },
	{ 0, "from", KFI_OPT_STR, "TIME", &kd.opt.filter.from, .help =
	  "calls entered at TIME or later: 500us, 1.5ms, 2s", .use = CHOICE },
	{ 0, "to", KFI_OPT_STR, "TIME", &kd.opt.filter.to, .help =
	  "calls entered before TIME", .use = CHOICE },
	{ 0, "under", KFI_OPT_STR, "NAME", &kd.opt.filter.pattern[KD_UNDER].text, .help =
	  "these functions, and what is called below them", .use = EXPORTED },
	{ 0, "callers", KFI_OPT_STR, "NAME", &kd.opt.filter.pattern[KD_CALLERS].text, .help =
	  "who calls these functions, how often, at what cost", .use = CALLS },
	{ 0, "callees", KFI_OPT_STR, "NAME", &kd.opt.filter.pattern[KD_CALLEES].text, .help =
	  "what these functions call, how often, at what cost", .use = CALLS },
	{ 'd', "depth", KFI_OPT_NUM, "NUM", &kd.opt.depth, 1, U32_MAX,
	  "calls of the first NUM levels (default: all)", EXPORTED },
	{ .type = KFI_OPT_HEAD, .help = "\nSymbols, for a log with addresses:" },
	KFI_RESOLVE_OPTIONS(kd.opt.files, 0),
	KFI_RESOLVE_MODULES(kd.opt.files),
	{ 0, "range", KFI_OPT_STR, "RANGES", &kd.opt.ranges, .help =
	  "names of addresses outside of vmlinux in a trace of QEMU:\n"
	  "NAME=FROM-TO, several with commas, or @FILE, one a line" },
	{ 0, "elf", KFI_OPT_STR, "FILES", &kd.opt.elf, .help =
	  "modules and programs with their load addresses in a trace of\n"
	  "QEMU: FILE=ADDRESS, several with commas, or @FILE" },
	{ 0, "kaslr", KFI_OPT_STR, "OFFSET", &kd.opt.kaslr, .help =
	  "how far above the addresses of vmlinux the kernel of a trace\n"
	  "of QEMU was, in hex (default: the trace shows it)" },
	{ 0, "srcline", KFI_OPT_FLAG, NULL, &kd.opt.srcline, .help =
	  "say of each function \"FILE:LINE\", where it begins, by the\n"
	  "debug information of the kernel", .use = CALLS | IN(HTML) | IN(TUI) },
	{ .type = KFI_OPT_HEAD, .help = "\nOutput:" },
	{ 0, "csv", KFI_OPT_FLAG, NULL, &kd.opt.csv, .help =
	  "values with commas between them, times in nanoseconds",
	  .use = ~(FILES | IN(TUI) | IN(RECORD)) },
	{ 0, "json", KFI_OPT_FLAG, NULL, &kd.opt.json, .help =
	  "the same as JSON, with the notes", .use = ~(FILES | IN(TUI) | IN(RECORD)) },
	TERM_COLOR_OPTION(kd.opt.term),
	TERM_PAGER_OPTION(kd.opt.term),
};

static void say(const char *fmt, ...) kfi_printf(1, 2);
static void say_text(const char *prefix, const char *fmt, va_list ap) kfi_printf(2, 0);

/* Name of the log that notes are about, if there are several. */
static const char *said_of;

/* The notes so far, for JSON and for pages. */
static struct {
	char **text;
	u32 n;
	u32 room;
} shown_notes;

static void keep(const char *text)
{
	char *copy = strdup(text);

	if (copy && !kfi_grow((void **)&shown_notes.text, &shown_notes.room, shown_notes.n + 1,
			      sizeof(*shown_notes.text)))
		shown_notes.text[shown_notes.n++] = copy;
	else
		free(copy);
}

static void say_text(const char *prefix, const char *fmt, va_list ap)
{
	char text[sizeof(kd.in.head.note[0]) + 4096];

	vsnprintf(text, sizeof(text), fmt, ap);
	term_say();
	fflush(stdout);
	fprintf(stderr, "kd: %s%s%s%s\n", prefix, said_of ? said_of : "", said_of ? ": " : "",
		text);
	if (kd.opt.out == KD_OUT_JSON || kd.opt.html || kd.opt.mode == KD_TUI)
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

u32 kd_notes(char *const **text)
{
	*text = shown_notes.text;
	return shown_notes.n;
}

#define LLU(x)		((unsigned long long)(x))

/* Print a help that fits on a screen. --help MODE has all options of a mode. */
static void help(void)
{
	fputs("usage: kd [OPTIONS] [FILE]\n"
	      "Shows where the time of a KFI or KFT log went. FILE: /proc/kfi_trace, /proc/kfi_raw or\n"
	      "a copy, compressed or not; \"-\" or none: standard input. Times are in microseconds.\n"
	      "Modes; kd --help MODE has the options of one, kd --help all everything:\n"
	      "  summary    default          functions, by time: -n 15, -s self, -f function,total\n"
	      "  boot       --boot           a boot: phases, critical path; --without FUNC,\n"
	      "                              --until PROGRAM\n"
	      "  calls      -c               every call, as trees: -l with times, -i interlaced\n"
	      "  tree       --tree           one tree, calls with the same callers added up\n"
	      "  first, longest, gaps        lists: first calls, longest calls, where nothing happened\n"
	      "  initcalls, args, errors     what initcalls cost; arguments and results; failed calls\n"
	      "  marks, follow  -k, --follow the marks; calls as they come from /proc/kfi_pipe\n"
	      "  diff       --diff OLD NEW   what differs; several: --diff OLD... : NEW...\n"
	      "  export     --export FORMAT  a file for another program: -o FILE\n"
	      "  html       --html FILE      a page for a browser; OLD NEW: two logs compared\n"
	      "  tui        --tui            browse it on the terminal\n"
	      "  record, fleet, gate         many boots: records, questions, are new ones slower?\n"
	      "Names for addresses: --map System.map, or --vmlinux vmlinux (--modules DIR).\n"
	      "Which calls: --func, --under, --callers, --callees NAME; --pid, --cpu LIST; --ctx\n"
	      "LETTERS; --from, --to TIME; -d LEVELS. How many rows: -n NUM, -t TIME. -R: which run.\n"
	      "Output: --csv, --json, --color WHEN, --no-pager.\n"
	      "A value with ? is the best the log allows; ? alone is unknown.\n"
	      "Status: 0 done, 1 something not found or readable, 2 could not run, 3 slower.\n"
	      "Examples: kd -n 15 --map System.map kfi.log    kd -c -l -i kfi.lst\n", stdout);
}

/* Print how a mode is called. @begin: what the first line begins with */
static void put_usage(const struct mode *mode, const char *begin)
{
	const char *line = mode->usage, *end;

	if (!line) {
		printf("%skd %s%s[OPTIONS] [FILE]\n", begin, mode->option ? : "",
		       mode->option ? " " : "");
		return;
	}
	for (; *line; line = *end ? end + 1 : end, begin = "       ") {
		end = strchrnul(line, '\n');
		printf("%skd %.*s\n", begin, (int)(end - line), line);
	}
}

/* Print the help of everything. */
static void help_all(void)
{
	put_usage(&modes[KD_SUMMARY], "usage: ");
	for (u32 i = 0; i < KD_MODES; i++)
		if (modes[i].usage)
			put_usage(&modes[i], "       ");
	fputs("\n"
	      "Shows where the time of a KFI or KFT log went: by function, or in another mode.\n"
	      "FILE is what was read from /proc/kfi_trace or /proc/kfi_raw, or a historic log;\n"
	      "names come from --map or --vmlinux, or are in it already (a listing of addr2sym);\n"
	      "\"-\", or no FILE where standard input is no terminal, is standard input. Times are\n"
	      "in microseconds.\n\n", stdout);
	kfi_opt_help(options, ARRAY_SIZE(options), 0, stdout);
	fputs("\nCalls whose exit was not seen are counted, but not in Time. A value followed by ? is\n"
	      "the best the log allows; ? alone is unknown.\n"
	      "Exit status: 0 done, 1 something was not found or not readable, 2 could not run, 3\n"
	      "--diff or --gate: something got slower, or is over --budget.\n\n"
	      "Examples:\n"
	      "  kd -n 15 kfi.lst       the 15 functions that took longest\n"
	      "  kd -n 15 -s l kfi.lst  the 15 with the most time of their own\n"
	      "  kd -c -l kfi.lst       every call with its times, as trees\n", stdout);
}

/* Print the help of a mode. Return: 0, or 2: no mode has this name. */
static int help_of(const char *name)
{
	if (!strcmp(name, "all")) {
		help_all();
		return 0;
	}
	for (u32 i = 0; i < KD_MODES; i++)
		if (!strcmp(name, modes[i].name)) {
			put_usage(&modes[i], "usage: ");
			printf("Mode %s (%s):\n", name, modes[i].option ? : "default");
			kfi_opt_help(options, ARRAY_SIZE(options), 1u << i, stdout);
			return 0;
		}
	say("no mode %s. See usage for help. (Use -h)", name);
	return 2;
}

int kd_columns(struct kd *k, const char *format, const struct kd_column *columns, size_t ncolumns,
	       const char *known, char out[KD_COLUMNS_MAX], struct kfi_err *err)
{
	const char *first = format, *p = format, *word_end;
	char all[KD_COLUMNS_MAX] = "";
	size_t n = 0;

	for (size_t i = 0; i < ncolumns; i++)
		all[i] = columns[i].id;
	if (!known)
		known = all;
	for (; *p; p = *word_end ? word_end + 1 : word_end) {
		size_t len = strcspn(p, ",");
		char id = kd_column_named(columns, ncolumns, p, len);

		word_end = p + len;
		if (id && strchr(known, id)) {
			if (n + 1 < KD_COLUMNS_MAX)
				out[n++] = id;
			continue;
		}
		if (len > 1 && strchr(first, ',') && strspn(p, known) < len) {
			say("Invalid column: %.*s", (int)len, p);
			k->res.status = 1;
			continue;
		}
		for (; p < word_end; p++) {
			if (strchr(known, *p)) {
				if (n + 1 < KD_COLUMNS_MAX)
					out[n++] = *p;
				continue;
			}
			if (!memchr(first, *p, p - first))
				say("Invalid column id: %c", *p);
			k->res.status = 1;
		}
	}
	out[n] = '\0';
	if (n || (!*first && k->opt.mode == KD_CALLS))
		return 0;
	return kfi_err_set(err, EINVAL, "-f %s: no such column. See usage for help. (Use -h)",
			   first);
}

/* Note which runs the file has, if it has more than the one that is shown. */
static void list_runs(const struct kd *k)
{
	u32 n = k->in.log.run + 1;

	note("the log has %u runs, the first is shown: -R NUM shows another", n);
	for (u32 i = 0; i < n && i < KD_RUNS; i++) {
		const struct kd_run *r = &k->in.runs[i];
		char id[32] = "no ID";

		if (r->has_id)
			snprintf(id, sizeof(id), "ID %llu", LLU(r->id));
		if (r->imported)
			note("run %u: %llu %s", i + 1, LLU(r->rows),
			     r->sampled ? "samples" : "calls");
		else if (r->has_rows)
			note("run %u: %s, %s%llu calls", i + 1, id,
			     r->profile ? "a profile, " : "", LLU(r->rows));
		else
			note("run %u: %s", i + 1, id);
	}
}

/* Report a list of --pid or --cpu that nothing in the log matches, or in none of the logs. */
static void note_unseen(struct kd *k, const char *what, const char *list, u32 seen)
{
	if (!list || k->in.matches.seen & seen)
		return;
	note("no %s in the log matches: %s", what, list);
	k->res.status = 1;
}

/* Report filters that nothing in the log matches, or in none of the logs. */
static void note_unmatched(struct kd *k)
{
	const struct kd_filter *f = &k->opt.filter;

	for (int i = 0; i < KD_PATTERNS; i++)
		if (k->opt.filter.pattern[i].text && !(k->in.matches.seen >> i & 1)) {
			note("no function in the log matches: %s", k->opt.filter.pattern[i].text);
			k->res.status = 1;
		}
	note_unseen(k, "process", k->opt.filter.pids, KD_SEEN_PID);
	note_unseen(k, "cpu", k->opt.filter.cpus, KD_SEEN_CPU);
	if ((f->from || f->to) && !(k->in.matches.seen & KD_SEEN_TIME)) {
		note("no call and no mark in the log is at this time:%s%s%s%s",
		     f->from ? " --from " : "", f->from ? : "", f->to ? " --to " : "", f->to ? : "");
		k->res.status = 1;
	}
}

/* Print the notes about the table. */
static void notes(struct kd *k)
{
	const struct kfi_log_head *h = &k->in.head;

	for (u32 i = 0; i < h->nnotes; i++)
		note("%s", h->note[i]);
	if (!k->res.calls && k->in.kind != KFI_LOG_PROFILE)
		note("the log has no calls");
	if (k->in.addresses)
		note("functions are addresses: --map, --vmlinux or addr2sym make names of them");
	if (h->sampled == KFI_SAMPLED_TIME)
		note("sampled: %llu samples of %s: times are estimates from their periods, no durations",
		     LLU(h->samples), h->event);
	else if (h->sampled)
		note("sampled: %llu samples of %s: percent are of their periods, and times are not known",
		     LLU(h->samples), h->event);
	if (h->running && k->opt.mode == KD_FOLLOW)
		note("the run continues: times and counts are those until now");
	else if (h->running)
		note("the run had not stopped when the log was read");
	/* The first functions of a boot never return. The report explains the other open calls. */
	if (k->res.opened && k->opt.mode != KD_BOOT)
		note("%llu of %llu calls had not returned or have no exit: they are counted, but not in Time",
		     LLU(k->res.opened), LLU(k->res.calls));
	if (k->res.untimed)
		note("%llu of %llu calls have no duration: they are counted, but not in Time",
		     LLU(k->res.untimed), LLU(k->res.calls));
	if (k->in.kind == KFI_LOG_PROFILE)
		note("a profile: each call of a recursion adds to Time, and calls were filtered while it was recorded");
	if (k->res.unwound)
		note("%llu of %llu calls were unwound by an outer return: they are counted, but not in Time",
		     LLU(k->res.unwound), LLU(k->res.calls));
	if (k->res.notime)
		note("%llu of %llu calls were entered before the clock ran: they are counted, but not in Time",
		     LLU(k->res.notime), LLU(k->res.calls));
	/* The kernel reports the end of the session only after it. */
	if (h->streamed && h->overwritten && h->running)
		note("calls overwritten before they could be read: %llu", LLU(h->overwritten));
	if (h->overwritten && !h->streamed)
		note("calls overwritten by later ones: %llu: the log has the end of the run only",
		     LLU(h->overwritten));
	if (h->lost && h->sampled)
		note("samples lost while tracing: %llu", LLU(h->lost));
	else if (h->lost && k->in.log.import)
		note("events lost while tracing: %llu: calls that were open then have no duration",
		     LLU(h->lost));
	else if (h->lost > h->overwritten)
		note("calls lost while tracing: %llu, see the log's header",
		     LLU(h->lost - h->overwritten));
	if (h->left_out && h->streamed)
		note("calls left out: %llu: another reader of /proc/kfi_pipe got them",
		     LLU(h->left_out));
	else if (h->left_out)
		note("calls left out: %llu: the log is an excerpt", LLU(h->left_out));
	if (h->chunks_dropped)
		note("damaged chunks are left out: %llu, with %llu calls", LLU(h->chunks_dropped),
		     LLU(h->calls_dropped));
	if (h->chunks_missed)
		note("chunks were overwritten before they were copied: %llu",
		     LLU(h->chunks_missed));
	if (h->marks_lost)
		note("marks lost while tracing: %llu", LLU(h->marks_lost));
	if (h->watch_lost)
		note("rows of a watch lost while tracing: %llu", LLU(h->watch_lost));
	if (k->opt.net)
		note("%llu ns are taken off for each recorded call below: the columns called Net",
		     LLU(h->cost_ns));
	if (k->opt.net && h->filtered && h->format < KFI_BELOW_FORMAT)
		note("nothing is taken off for the %llu calls that were filtered",
		     LLU(h->filtered));
	else if (k->opt.net && h->filtered)
		note("%llu ns are taken off Time for each call below without a row; Local, which has an unknown part of them, is ?",
		     LLU(h->filtered_cost_ns));
	if (k->opt.net && kd_noints_ns(h) >= 1000)
		note("nothing is taken off for what noints took more, %.0f usecs in all: --boot shares it out",
		     kd_noints_ns(h) / 1000);
	if (k->opt.net && h->overwritten)
		note("nothing is taken off for the %llu calls that were overwritten",
		     LLU(h->overwritten));
	if (h->rounds > 1)
		note("the log has %llu iterations of one run (autorepeat); their calls are added up",
		     LLU(h->rounds));
	if (h->steps_back)
		note("the clock was seen to step back: %llu", LLU(h->steps_back));
	if (k->in.kind < KFI_LOG_FORMAT3 && h->mintime_us)
		note("calls below %llu usecs were filtered: they are in Local of their caller",
		     LLU(h->mintime_us));
	note_unmatched(k);
	if (k->opt.filter.calls && k->res.calls && !k->res.taken &&
	    !((IN(MARKS) | VALUES) >> k->opt.mode & 1))
		note("the filters leave none of %llu calls", LLU(k->res.calls));
	if (k->in.resolve && k->in.resolve->merged)
		note("names that stand for several functions: %u, such as %.*s; --vmlinux tells the functions apart",
		     k->in.resolve->merged, (int)k->in.resolve->first_merged.len,
		     k->in.resolve->first_merged.s);
	if (k->res.unsure && FILES >> k->opt.mode & 1)
		note("self times are the best this log allows: calls below have no exit, or do not nest");
	else if (k->res.unsure && VALUES >> k->opt.mode & 1)
		note("?: until the return value was recorded: the call has no row");
	else if (k->res.unsure)
		note("?: the best this log allows: calls below have no exit, or do not nest");
	if (k->res.no_off_irq)
		note("the log does not say how long calls were switched out, or interrupted");
	if (k->in.log.gaps)
		note("the log has gaps (lines of dots): it is an excerpt");
	if (k->opt.mode == KD_SUMMARY && term_shows() && kd_is_boot(k))
		note("the log of a boot: --boot says where its time went");
	if (k->in.log.run && !k->opt.want_run)
		list_runs(k);
}

/*
 * Facts of CSV and JSON besides rows and notes: first those of the query, then those of the header.
 */
enum { HEAD_FACTS = 6, FACTS = 16 };

struct fact {
	const char *key;
	const char *text;	/* NULL: the fact is a number, or unknown */
	bool has_number;
	bool is_bool;
	u64 number;
};

/* Collect the facts. @what: name of the mode. --diff reads several logs, so it has no header. */
static void find_facts(struct fact f[FACTS], const char *what, const char *log)
{
	const struct kfi_log_head *h = &kd.in.head;
	bool one = modes[kd.opt.mode].run;
	/* CSV has the facts above the rows: while calls come, their losses are not known yet. */
	bool is_early = kd.opt.mode == KD_FOLLOW && kd.opt.out == KD_OUT_CSV;
	const char *format = kd.in.log.import ? kd.in.log.import->format->name : "kfi";
	s64 total = kfi_log_head_span(h);
	const struct fact facts[] = {
		{ "kfi", .text = what },
		{ "version", .has_number = true, .number = KD_SCHEMA },
		{ "log", .text = log },
		{ "run", .has_number = true, .number = kd.opt.want_run ? kd.opt.want_run : 1 },
		{ "run_id", .has_number = true, .number = h->id },
		{ "net", .has_number = true, .is_bool = true, .number = kd.opt.net },
		{ "format", .text = one ? format : NULL },
		{ "kernel", .text = *h->kernel ? h->kernel : NULL },
		{ "build_id", .text = *h->build_id ? h->build_id : NULL },
		{ "clock", .text = *h->clock ? h->clock : NULL },
		{ "filters", .text = *h->filters ? h->filters : NULL },
		{ "sampled", .text = h->sampled ? h->event : NULL },
		{ "lost", .has_number = one && !is_early, .number = h->lost },
		{ "start_us", .has_number = h->has_start, .number = h->start_us },
		{ "stop_us", .has_number = h->has_stop, .number = h->stop_us },
		{ "total_us", .has_number = total >= 0, .number = (u64)total },
	};

	static_assert(ARRAY_SIZE(facts) == FACTS);
	memcpy(f, facts, sizeof(facts));
}

/* Print a text on one line, even if the name of a file has control characters. */
static void put_line_text(const char *s)
{
	for (; *s; s++)
		putchar((unsigned char)*s < ' ' ? '?' : *s);
}

static void put_fact(const struct fact *f)
{
	bool json = kd.opt.out == KD_OUT_JSON;

	if (!json && !f->text && !f->has_number)
		return;
	printf(json ? "\"%s\":" : "# %s: ", f->key);
	if (f->text && json)
		kd_json_text(f->text);
	else if (f->text)
		put_line_text(f->text);
	else if (f->is_bool)
		fputs(f->number ? "true" : "false", stdout);
	else if (f->has_number)
		printf("%llu", LLU(f->number));
	else
		fputs("null", stdout);
	putchar(json ? ',' : '\n');
}

/* Print the facts before the rows. */
static void put_head(const char *what, const char *log)
{
	bool json = kd.opt.out == KD_OUT_JSON;
	struct fact f[FACTS];

	if (kd.opt.out == KD_OUT_TEXT) {
		const struct kfi_log_head *h = &kd.in.head;

		if (h->sampled && (kd.opt.mode == KD_SUMMARY || kd.opt.mode == KD_TREE))
			printf("SAMPLED: %llu samples of %s%s\n", LLU(h->samples), h->event,
			       h->sampled == KFI_SAMPLED_TIME ? ", ~ marks estimates" : "");
		return;
	}
	find_facts(f, what, log);
	if (json)
		putchar('{');
	for (int i = 0; i < (json ? HEAD_FACTS : FACTS); i++)
		put_fact(&f[i]);
	if (json)
		fputs("\"rows\":[", stdout);
}

/* Print the notes, problems included, after the rows. */
static void json_tail(void)
{
	struct fact f[FACTS];

	if (kd.opt.out != KD_OUT_JSON)
		return;
	fputs("\n],\"notes\":[", stdout);
	for (u32 i = 0; i < shown_notes.n; i++) {
		fputs(i ? ",\n" : "\n", stdout);
		kd_json_text(shown_notes.text[i]);
		free(shown_notes.text[i]);
	}
	fputs("],\n", stdout);
	find_facts(f, NULL, NULL);
	for (int i = HEAD_FACTS; i < FACTS; i++)
		put_fact(&f[i]);
	printf("\n\"status\":%d}\n", kd.res.status);
	free(shown_notes.text);
}

/* Complete the page or the terminal with the notes. @more: another log follows for the page */
static void end_page(bool more)
{
	struct kfi_err err = { "" };
	bool failed = kd.res.status == 2;

	int ret = failed ? -EIO : 0;

	if (kd.opt.mode == KD_HTML)
		ret = kd_html_end(ret, shown_notes.text, shown_notes.n, more, &err);
	else
		ret = kd_tui_end(ret, shown_notes.text, shown_notes.n, &err);
	if (ret && !failed) {
		say("%s", err.text);
		kd.res.status = 2;
	}
	for (u32 i = 0; i < shown_notes.n; i++)
		free(shown_notes.text[i]);
	free(shown_notes.text);
	memset(&shown_notes, 0, sizeof(shown_notes));
}

/* Return the exit status, which is 2 if the output could not be written. */
static int finish(int status)
{
	if ((!fflush(stdout) && !ferror(stdout)) || term_left())
		return status;
	say("cannot write: %s", strerror(errno));
	return 2;
}

/* Handle one log. @more: another log follows for the page */
static int run(const char *path, bool more)
{
	const struct mode *mode = &modes[kd.opt.mode];
	struct kfi_err err;
	int ret;

	ret = kd_open(&kd, path, &err);
	if (ret) {
		say("%s%s", ret == -EINVAL ? "" : "Problem opening file: ", err.text);
		kd.res.status = 2;
		if (kd.opt.mode == KD_HTML)
			end_page(false);
		return 2;
	}
	put_head(mode->name, kd.in.log.in.name);
	ret = mode->run(&kd, &err);
	if (ret) {
		say("%s", err.text);
		kd.res.status = 2;
	}
	if (kd.res.status != 2) {
		struct kfi_err faults[KFI_LOG_FAULTS];
		u32 n = kfi_log_faults(&kd.in.log, &kd.in.tally, faults);

		notes(&kd);
		for (u32 i = 0; i < n; i++) {
			say("%s", faults[i].text);
			kd.res.status = 1;
		}
		if (kd_names_check(&kd, &err)) {
			say("%s", err.text);
			kd.res.status = 1;
		}
		if (kd_lines_check(&kd, &err)) {
			say("%s", err.text);
			kd.res.status = 1;
		}
		json_tail();
		kd.res.status = finish(kd.res.status);
	}
	if (kd.opt.mode == KD_HTML || kd.opt.mode == KD_TUI)
		end_page(more);
	kd_close(&kd);
	kfi_names_free(&kd.in.names);
	free(kd.in.matches.bits);
	return kd.res.status;
}

/* Write a page of two logs, which are read one after the other. */
static int run_pages(const char *old, const char *new)
{
	const struct kd_input input = kd.in;
	int status;

	said_of = old;
	status = run(old, true);
	if (status == 2)
		return status;
	kd.in = input;
	kd.res = (struct kd_results){ 0 };
	said_of = new;
	return run(new, false) == 2 ? 2 : kd.res.status | status;
}

/* Run a mode that reads several files. */
static int run_many(int argc, char **argv)
{
	const struct mode *mode = &modes[kd.opt.mode];
	struct kfi_err err;
	int ret;

	put_head(mode->name, kd.opt.fleet ? kd.opt.fleet : argc ? argv[0] : "");
	ret = mode->run_many(&kd, argc, argv, &err);
	if (!ret && kd.opt.mode == KD_DIFF)
		note_unmatched(&kd);
	if (ret) {
		say("%s", err.text);
		return 2;
	}
	json_tail();
	return finish(kd.res.status);
}

/* Find the mode that the options ask for. Return: 0 or -EINVAL. */
static int find_mode(struct kfi_err *err)
{
	asked[KD_CALLS] |= kd.opt.braces;
	asked[KD_EXPORT] |= kd.opt.export != NULL;
	asked[KD_FLEET] |= kd.opt.fleet != NULL;
	asked[KD_HTML] |= kd.opt.html && !kd.opt.fleet;
	for (u32 i = 0; i < KD_MODES; i++) {
		if (!asked[i])
			continue;
		if (kd.opt.mode != KD_SUMMARY)
			return kfi_err_set(err, EINVAL, "%s or %s, not both",
					   modes[kd.opt.mode].option, modes[i].option);
		kd.opt.mode = i;
	}
	return 0;
}

/*
 * Reject an option that has no effect in this mode. Without a mode, name the modes for the option.
 */
static int reject(const struct kfi_opt *o, struct kfi_err *err)
{
	const char *mode = modes[kd.opt.mode].option;
	const char letter[] = { '-', o->letter, '\0' };
	char list[256];
	size_t n = 0;

	for (u32 i = 0, left = o->use; i < KD_MODES && !mode && n < sizeof(list); i++) {
		if (!(left >> i & 1))
			continue;
		left &= ~(1u << i);
		n += snprintf(list + n, sizeof(list) - n, "%s%s", !n ? "" : left ? ", " : " or ",
			      modes[i].option);
	}
	return kfi_err_set(err, EINVAL, "%s%s can%s be used with %s", o->letter ? letter : "--",
			   o->letter ? "" : o->name, mode ? "not" : " only", mode ? : list);
}

/* Check that the options can be combined. @given: by option: it was given. Return: 0 or -EINVAL. */
static int check_options(const bool *given, struct kfi_err *err)
{
	const char *why = NULL;
	int ret = find_mode(err);

	for (size_t i = 0; i < ARRAY_SIZE(options) && !ret; i++) {
		const struct kfi_opt *o = &options[i];

		if (o->value == &kd.opt.threshold)
			kd.opt.has_threshold = given[i];
		if (!given[i] || !o->use || o->use >> kd.opt.mode & 1)
			continue;
		ret = reject(o, err);
	}
	if (ret)
		return ret;
	if (kd.opt.input && strcmp(kd.opt.input, "kfi") &&
	    !kfi_import_named(kfi_import_formats, kd.opt.input))
		return kfi_err_set(err, EINVAL, "--input %s: no such format: " KFI_IMPORT_NAMES,
				   kd.opt.input);
	if (kd.opt.srcline && !kfi_files_any(&kd.opt.files))
		why = "--srcline needs --vmlinux, or other symbols";
	else if (kd.opt.dmesg && kd.opt.without)
		why = "--dmesg or --without, not both: the latter shows no path";
	else if (kd.opt.fleet && kd.opt.html && (kd.opt.ask || kd.opt.csv || kd.opt.json))
		why = "--fleet --html answers all questions: leave out --ask, --csv and --json";
	else if (kd.opt.symbols && kfi_files_any(&kd.opt.files))
		why = "--symbols or --map and other files with symbols, not both";
	else if (kd.opt.csv && kd.opt.json)
		why = "--csv or --json, not both";
	else if (kd.opt.at_parse && (kd.opt.csv || kd.opt.json))
		why = "-r prints for people: leave out --csv and --json";
	else if (kd.opt.braces && (kd.opt.csv || kd.opt.json))
		why = "--braces prints for people: leave out --csv and --json";
	else if (kd.opt.at_parse && kd.opt.interlaced)
		why = "-r or -i, not both";
	else if (kd.opt.braces && kd.opt.at_parse)
		why = "-r cannot print braces: it does not know the calls below a call";
	else if (kd.opt.mode == KD_FOLLOW && kd.opt.want_run)
		why = "--follow shows the current run: leave out -R";
	else if (kd.opt.junit && kd.opt.markdown && kfi_file_same(kd.opt.junit, kd.opt.markdown))
		why = "--junit and --markdown need a file each";
	else if (kd.opt.mode == KD_EXPORT)
		return kd_export_check(&kd, err);
	return why ? kfi_err_set(err, EINVAL, "%s", why) : 0;
}

/*
 * Print the help of the mode that an option asks for, or that a word names, or a summary. Return:
 * the exit status.
 */
static int print_help(const char *word)
{
	struct kfi_err err;

	if (find_mode(&err)) {
		say("%s. See usage for help. (Use -h)", err.text);
		return 2;
	}
	if (kd.opt.mode != KD_SUMMARY)
		return help_of(modes[kd.opt.mode].name);
	if (word)
		return help_of(word);
	help();
	return 0;
}

/* Parse the texts of options. Return: 0 or -EINVAL. */
static int parse_options(const bool *given, struct kfi_err *err)
{
	static char sort[KD_COLUMNS_MAX];
	int ret = check_options(given, err);

	/* A call trace counts the calls that are too deep, so the filter lets them pass. */
	kd.opt.filter.depth = kd.opt.mode == KD_CALLS ? U64_MAX : kd.opt.depth;
	if (!ret && kd.opt.sort)
		ret = kd_summary_sort(kd.opt.sort, sort, err);
	if (!ret && kd.opt.sort)
		kd.opt.sort = sort;
	if (!ret && kd.opt.mode == KD_INITCALLS && kd.opt.sort && strcmp(sort, "t"))
		ret = kfi_err_set(err, EINVAL,
				  "--initcalls can be sorted by -s t only; without -s they are in order of time");
	if (!ret && kd.opt.time && !kd_time(kd.opt.time, &kd.opt.time_ns))
		ret = kfi_err_set(err, EINVAL, "-t needs a time such as 500us, 1.5ms or 2s, not \"%s\"",
				  kd.opt.time);
	if (!ret && kd.opt.split && (!kd_time(kd.opt.split, &kd.opt.split_ns) || !kd.opt.split_ns))
		ret = kfi_err_set(err, EINVAL,
				  "--split needs a time such as 500us, 1.5ms or 2s, not \"%s\"",
				  kd.opt.split);
	if (!ret)
		ret = kd_filter_parse(&kd.opt.filter, err);
	if (!ret && kd.opt.mode == KD_TUI)
		ret = kd_tui_check(err);
	if (!ret) {
		kd.opt.term.no_pager |= kd.opt.mode == KD_TUI || kd.opt.mode == KD_FOLLOW;
		kd.opt.filtered = kd.opt.filter.calls || kd.opt.filter.pattern[KD_FUNC].text;
		kd.opt.out = kd.opt.csv ? KD_OUT_CSV : kd.opt.json ? KD_OUT_JSON : KD_OUT_TEXT;
		ret = term_begin(&kd.opt.term, "kd",
				 (IN(CALLS) | IN(MARKS) | VALUES) >> kd.opt.mode & 1, err);
	}
	return ret;
}

int main(int argc, char **argv)
{
	static char out[1 << 16];
	struct kfi_err err;
	bool given[ARRAY_SIZE(options)];
	int first, ret;

	setvbuf(stdout, out, _IOFBF, sizeof(out));
	first = kfi_opt_parse(options, ARRAY_SIZE(options), argc, argv, given, &err);
	if (first < 0) {
		say("%s. See usage for help. (Use -h)", err.text);
		return 2;
	}
	if (kd.opt.help)
		return finish(print_help(first < argc ? argv[first] : NULL));
	if (kd.opt.version) {
		printf("KFI dump - kd version " KFI_VERSION "\n");
		return finish(0);
	}
	ret = parse_options(given, &err);
	if (!ret && first == argc && !kd.opt.fleet &&
	    (!modes[kd.opt.mode].run || isatty(STDIN_FILENO)))
		ret = kfi_err_set(&err, EINVAL, "No filename specified");
	else if (!ret && argc - first > 2 && kd.opt.mode == KD_HTML)
		ret = kfi_err_set(&err, EINVAL, "--html needs one log, or OLD NEW, not %d files",
				  argc - first);
	else if (!ret && argc - first > 1 && kd.opt.dmesg && kd.opt.mode == KD_HTML)
		ret = kfi_err_set(&err, EINVAL,
				  "--dmesg has the messages of one boot: give one log with it");
	else if (!ret && argc - first > 1 && modes[kd.opt.mode].run && kd.opt.mode != KD_HTML)
		ret = kfi_err_set(&err, EINVAL, "one file at a time, not %d", argc - first);
	if (ret) {
		say("%s. See usage for help. (Use -h)", err.text);
		kd_filter_free(&kd.opt.filter);
		return 2;
	}
	if (!modes[kd.opt.mode].run)
		ret = run_many(argc - first, argv + first);
	else if (argc - first == 2)
		ret = run_pages(argv[first], argv[first + 1]);
	else
		ret = run(first < argc ? argv[first] : "-", false);
	kd_filter_free(&kd.opt.filter);
	return ret;
}
