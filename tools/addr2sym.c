// SPDX-License-Identifier: GPL-2.0
/*
 * addr2sym: turns the addresses of a log into names, line by line, and changes nothing else.
 *
 * In a row the function becomes "name", the call site "name+0xOFF", in the same columns as far as
 * the names fit. In the header the function of "Logging started/stopped ... by entry to function"
 * is resolved, other addresses are left as they are. A kernel that was loaded elsewhere than its
 * map says (KASLR) is recognised by the header's "Text".
 */
#include <stdarg.h>
#include <stdio.h>

#include "life.h"
#include "log.h"
#include "opt.h"
#include "out.h"
#include "raw.h"
#include "sym.h"
#include "version.h"

static const char *map_path;
static bool want_help;
static bool want_version;

static const struct kfi_opt options[] = {
	{ 'm', "map", KFI_OPT_STR, "FILE", &map_path,
	  .help = "System.map of the kernel, or a copy of /proc/kallsyms" },
	{ 'h', "help", KFI_OPT_FLAG, NULL, &want_help, .help = "print this help" },
	{ 'V', "version", KFI_OPT_FLAG, NULL, &want_version, .help = "print the version" },
};

#define CACHE_BITS	14

/**
 * struct cached - one address that has been looked up
 * @addr: the address
 * @off: its distance from @sym
 * @sym: its symbol, or NULL
 * @valid: there is one
 */
struct cached {
	u64 addr;
	u64 off;
	const struct kfi_sym *sym;
	bool valid;
};

static struct kfi_out out;

/**
 * struct job - one run of addr2sym
 * @syms: the map
 * @log: the log
 * @lives: which code was where, by the header
 * @shift: what to take from an address before it is looked up
 * @shifted: @shift has been settled for this header
 * @found: addresses turned into names
 * @unknown: addresses in no symbol
 * @first_unknown: the first of them
 * @first_line: its line
 * @rows: rows seen
 * @cache: addresses looked up
 */
struct job {
	struct kfi_syms syms;
	struct kfi_log log;
	struct kfi_lives lives;
	u64 shift;
	bool shifted;
	u64 found;
	u64 unknown;
	u64 first_unknown;
	u64 first_line;
	u64 rows;
	struct cached cache[1 << CACHE_BITS];
};

static void say(const char *fmt, ...) kfi_printf(1, 2);

static void say(const char *fmt, ...)
{
	va_list ap;

	kfi_out_flush(&out);
	fflush(stdout);
	fputs("addr2sym: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

static inline void put(const char *s, size_t len)
{
	kfi_out_put(&out, s, len);
}

/* As kfi_syms_at(); the same few thousand addresses come again and again. */
static const struct kfi_sym *look_up(struct job *job, u64 addr, u64 *off)
{
	struct cached *c = &job->cache[(addr * 0x9e3779b97f4a7c15ull) >> (64 - CACHE_BITS)];

	if (!c->valid || c->addr != addr) {
		c->valid = true;
		c->addr = addr;
		c->sym = kfi_syms_at(&job->syms, addr, &c->off);
	}
	*off = c->off;
	return c->sym;
}

static bool symbol(const struct job *job, const char *name, u64 *addr)
{
	const struct kfi_sym *s;

	if (!kfi_syms_named(&job->syms, name, strlen(name), &s))
		return false;
	*addr = s->addr;
	return true;
}

/* The header knows where the kernel was linked to; a map that says otherwise is of another one. */
static void check_kaslr(const struct job *job, u64 text)
{
	const struct kfi_log_head *h = &job->log.head;

	if (h->has_kaslr && text != h->text - h->kaslr)
		say("%s: of another kernel than %s: _text is at 0x%llx and should be at 0x%llx",
		    map_path, job->log.in.name, (unsigned long long)text,
		    (unsigned long long)(h->text - h->kaslr));
}

/* Where the kernel ran and where its map says it is: by the header's Text, the address of _text. */
static void settle_shift(struct job *job)
{
	const struct kfi_log_head *h = &job->log.head;
	u64 text = 0, stext = 0;
	bool has_text, has_stext;

	if (job->shifted || !h->has_text || !h->text)
		return;
	has_text = symbol(job, "_text", &text);
	has_stext = symbol(job, "_stext", &stext);
	job->shifted = true;
	job->shift = 0;
	if ((has_text && text == h->text) || (has_stext && stext == h->text))
		return;
	if (has_text)
		job->shift = h->text - text;
	else if (has_stext)	/* kallsyms has no _text on some architectures */
		job->shift = (h->has_stext ? h->stext : h->text) - stext;
	else if (h->has_kaslr)
		job->shift = h->kaslr;
	else
		say("%s: no _text or _stext: cannot check where the kernel was loaded", map_path);
	if (!job->shift)
		return;
	say("%s: the kernel ran 0x%llx %s than the map says: addresses are shifted",
	    job->log.in.name,
	    (unsigned long long)((s64)job->shift < 0 ? 0 - job->shift : job->shift),
	    (s64)job->shift < 0 ? "lower" : "higher");
	if (has_text)
		check_kaslr(job, text);
}

/* "+0xOFF", nothing for 0. Return: bytes printed. */
static size_t put_offset(u64 off)
{
	static const char hex[] = "0123456789abcdef";
	char text[24], *end = text + sizeof(text), *p = end;

	if (!off)
		return 0;
	for (; off; off >>= 4)
		*--p = hex[off & 15];
	*--p = 'x';
	*--p = '0';
	*--p = '+';
	put(p, end - p);
	return end - p;
}

/* "[module]", "[module:init]". Return: bytes printed. */
static size_t put_module(const char *name, size_t len, bool init)
{
	static const char suffix[] = ":init";
	size_t more = init ? strlen(suffix) : 0;

	put("[", 1);
	put(name, len);
	put(suffix, more);
	put("]", 1);
	return len + more + 2;
}

/*
 * The symbol of an address, unless the header's table of modules says that something else was there
 * at that time. @life and @code are set to the module that was, if any.
 */
static const struct kfi_sym *symbol_at(struct job *job, u64 addr, s64 us, u64 *off,
				       const struct kfi_life **life, const struct kfi_code **code)
{
	const struct kfi_lives *lives = &job->lives;
	enum kfi_place place = kfi_lives_at(lives, addr, us, life, code);
	const struct kfi_sym *s = look_up(job, addr - job->shift, off);

	if (place != KFI_PLACE_MODULE)
		*life = NULL;
	if (!s)
		return NULL;
	switch (place) {
	case KFI_PLACE_OPEN:
		/* A module that the table does not know was not there. */
		return s->module.len && lives->text.size && !lives->forgotten ? NULL : s;
	case KFI_PLACE_KERNEL:
		return s->module.len ? NULL : s;
	case KFI_PLACE_MODULE:
		return s->module.len == strlen((*life)->name) &&
		       memcmp(s->module.s, (*life)->name, s->module.len) == 0 &&
		       s->addr + job->shift - (*code)->addr < (*code)->size ? s : NULL;
	default:
		return NULL;
	}
}

/* Prints an address as a name. Return: bytes printed, 0: it is in no symbol. */
static size_t put_name(struct job *job, u64 addr, s64 us, bool with_offset)
{
	const struct kfi_life *life;
	const struct kfi_code *code;
	const struct kfi_sym *s;
	size_t n;
	u64 off;

	s = symbol_at(job, addr, us, &off, &life, &code);
	if (!s && !life) {
		/* An unwound stack ends in 0; there is nothing to find. */
		if (addr && !job->unknown++) {
			job->first_unknown = addr;
			job->first_line = job->log.in.line;
		}
		return 0;
	}
	job->found++;
	if (!s)
		return put_module(life->name, strlen(life->name), code == &life->init) +
		       put_offset(addr - code->addr);
	put(s->name.s, s->name.len);
	n = s->name.len;
	if (s->module.len)
		n += put_module(s->module.s, s->module.len, false);
	return n + (with_offset ? put_offset(off) : 0);
}

/* Address of a token: 0x…, in v1 logs bare hex digits. */
static bool address(const struct job *job, struct kfi_str str, u64 *addr)
{
	char text[20] = "0x";

	if (kfi_str_hex(str, addr))
		return true;
	if (job->log.kind != KFI_LOG_V1 || !job->log.in_rows || (str.len != 8 && str.len != 16))
		return false;
	memcpy(text + 2, str.s, str.len);
	return kfi_str_hex((struct kfi_str){ text, str.len + 2 }, addr);
}

/* Prints a token as a name, and as many blanks less behind it as it became longer. */
static const char *put_token(struct job *job, struct kfi_str str, s64 us, const char *end)
{
	const char *p = str.s + str.len;
	size_t width = str.len, used;
	u64 addr;

	if (!address(job, str, &addr)) {
		put(str.s, str.len);
		return p;
	}
	used = put_name(job, addr, us, true);
	if (!used) {
		put(str.s, str.len);
		return p;
	}
	/* The blanks up to the next column belong to this one, but for the last of them. */
	for (; p < end && *p == ' '; p++)
		width++;
	if (p < end && *p != '\r')
		kfi_out_fill(&out, ' ', used < width ? width - used : 1);
	return p;
}

static void put_row(struct job *job, const struct kfi_row *row, const char *s, size_t len)
{
	s64 us = row->entry_ns / 1000;
	const char *p;

	job->rows++;
	settle_shift(job);
	put(s, row->func.s - s);
	p = put_token(job, row->func, us, s + len);
	if (p < row->caller.s)
		put(p, row->caller.s - p);
	p = put_token(job, row->caller, us, s + len);
	put(p, s + len - p);
}

static void put_sums(struct job *job, const char *s, size_t len)
{
	const char *p;

	job->rows++;
	settle_shift(job);
	put(s, job->log.sums.func.s - s);
	p = put_token(job, job->log.sums.func, KFI_ANY_TIME, s + len);
	put(p, s + len - p);
}

/* A mark: the words that are addresses become names, where its kind has any. */
static void put_mark(struct job *job, const char *s, size_t len)
{
	static const char *const kinds[] = { "initcall" };
	const struct kfi_str *kind = &job->log.mark.kind;
	const char *end = s + len, *p = s;
	s64 us = job->log.mark.entry_ns / 1000;
	bool has = false;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		has |= strlen(kinds[i]) == kind->len && memcmp(kinds[i], kind->s, kind->len) == 0;
	settle_shift(job);
	while (has && (p = memmem(s, end - s, " 0x", 3))) {
		struct kfi_str str = { ++p, 0 };
		u64 addr;

		for (put(s, p - s); p < end && (unsigned char)*p > ' '; p++)
			str.len++;
		if (!kfi_str_hex(str, &addr) || !put_name(job, addr, us, true))
			put(str.s, str.len);
		s = p;
	}
	put(s, end - s);
}

/* "Logging started at N usec by entry to function 0x…", in a header. */
static void put_other(struct job *job, const char *s, size_t len, bool in_head)
{
	static const char *const before[] = { "entry to function ", "exit from function ",
					      "entry to ", "exit from " };
	const char *at = NULL, *end = s + len;
	struct kfi_str str;
	u64 addr;

	for (size_t i = 0; i < ARRAY_SIZE(before) && !at && in_head; i++) {
		at = memmem(s, len, before[i], strlen(before[i]));
		if (at)
			at += strlen(before[i]);
	}
	if (at) {
		str.s = at;
		while (at < end && (unsigned char)*at > ' ')
			at++;
		str.len = at - str.s;
		put(s, str.s - s);
		if (!kfi_str_hex(str, &addr) || !put_name(job, addr, KFI_ANY_TIME, false))
			put(str.s, str.len);
		s = at;
	}
	put(s, end - s);
}

static bool is_run(const char *s, size_t len)
{
	static const char run[] = "Kernel Instrumentation Run ID";

	return len >= sizeof(run) - 1 && memcmp(s, run, sizeof(run) - 1) == 0;
}

/* The trigger lines stand above Text in the header: it is looked for ahead of them. */
static void look_ahead(struct job *job)
{
	const char *s = job->log.in.pos, *end = job->log.in.end;
	struct kfi_log ahead = { .kind = KFI_LOG_KFT };
	struct kfi_row row;
	size_t len;

	job->shifted = false;
	kfi_in_memory(&ahead.in, job->log.in.name, s, end - s);
	while (!ahead.in_rows && kfi_in_line(&ahead.in, &s, &len, NULL) > 0) {
		/* Another run begins: this one's header ends without rows. */
		if (is_run(s, len))
			break;
		kfi_log_feed(&ahead, s, len, &row);
	}
	if (!ahead.head.has_text)
		return;
	job->log.head.text = ahead.head.text;
	job->log.head.has_text = true;
	job->log.head.stext = ahead.head.stext;
	job->log.head.has_stext = ahead.head.has_stext;
	job->log.head.kaslr = ahead.head.kaslr;
	job->log.head.has_kaslr = ahead.head.has_kaslr;
	settle_shift(job);
}

/* A row, though there is no header above it: a piece cut out of a log. */
static bool lone_row(const char *s, size_t len, struct kfi_row *row)
{
	static const struct kfi_log today = { .kind = KFI_LOG_TODAY };
	static const struct kfi_log historic = { .kind = KFI_LOG_KFT };

	return kfi_log_row(&today, s, len, row) || kfi_log_row(&historic, s, len, row);
}

static int no_memory(const struct job *job, struct kfi_err *err)
{
	return kfi_err_set(err, ENOMEM, "%s: out of memory", job->log.in.name);
}

/* A raw log comes out as the text that it stands for. */
static int convert_raw(struct job *job, struct kfi_err *err)
{
	/* All that kfi_raw_line() writes, whatever columns a hostile header names. */
	static const struct kfi_log today = { .kind = KFI_LOG_TODAY, .off_irq = true };
	int item = kfi_log_raw(&job->log, err) ? : KFI_LINE_RULE;
	char line[KFI_RAW_TEXT_MAX];
	struct kfi_str text;
	struct kfi_row row;
	struct kfi_in in;
	const char *s;
	size_t len;

	/* Lines in messages are those of what comes out. */
	job->log.in.line = 0;
	for (; item > 0; item = kfi_log_item(&job->log, &row, err)) {
		if (item == KFI_LINE_MARK) {
			job->log.in.line++;
			len = kfi_raw_mark_line(&job->log.mark, line);
			if (kfi_log_mark(line, len, &job->log.mark))
				put_mark(job, line, len);
			put("\n", 1);
			continue;
		}
		if (item != KFI_LINE_RULE) {
			job->log.in.line++;
			len = kfi_raw_line(&row, line);
			if (kfi_log_row(&today, line, len, &row))
				put_row(job, &row, line, len);
			put("\n", 1);
			continue;
		}
		text = kfi_log_raw_text(&job->log);
		kfi_lives_free(&job->lives);
		kfi_in_memory(&in, "", text.s, text.len);
		while (kfi_in_line(&in, &s, &len, NULL) > 0)
			if (kfi_lives_line(&job->lives, s, len))
				return no_memory(job, err);
		kfi_in_memory(&in, "", text.s, text.len);
		job->shifted = false;
		settle_shift(job);
		while (kfi_in_line(&in, &s, &len, NULL) > 0) {
			job->log.in.line++;
			put_other(job, s, len, true);
			put("\n", 1);
		}
	}
	return item;
}

static int convert(struct job *job, struct kfi_err *err)
{
	struct kfi_row row;
	const char *s;
	size_t len;
	int ret;

	kfi_log_start(&job->log);
	while ((ret = kfi_in_line(&job->log.in, &s, &len, err)) > 0) {
		enum kfi_log_line line;

		if (job->log.in.line == 1 && kfi_log_is_raw(s, len))
			return convert_raw(job, err);
		line = kfi_log_feed(&job->log, s, len, &row);
		if (!job->log.in_rows && (job->log.in.line == 1 || is_run(s, len))) {
			kfi_lives_free(&job->lives);
			look_ahead(job);
		}
		if (unlikely(!job->log.in_rows) && kfi_lives_line(&job->lives, s, len))
			return no_memory(job, err);
		if (line == KFI_LINE_ROW || line == KFI_LINE_WATCH ||
		    (!job->log.in_rows && lone_row(s, len, &row)))
			put_row(job, &row, s, len);
		else if (line == KFI_LINE_SUMS)
			put_sums(job, s, len);
		else if (line == KFI_LINE_MARK)
			put_mark(job, s, len);
		else
			put_other(job, s, len, !job->log.in_rows);
		if (!job->log.in.cut)
			put("\n", 1);
	}
	return ret;
}

/* What was not found, after the last line. Return: exit status. */
static int report(const struct job *job)
{
	struct kfi_err err;
	int status = 0;

	if (!job->rows && !job->log.in_rows && !*job->log.in.fault) {
		say("%s: not a KFI log: no call and no line of dashes in it", job->log.in.name);
		return 1;
	}
	if (kfi_log_check(&job->log, &err)) {
		say("%s", err.text);
		status = 1;
	}
	if (job->unknown) {
		say("%s:%llu: 0x%llx is in no symbol of %s; %llu such address%s left as they are",
		    job->log.in.name, (unsigned long long)job->first_line,
		    (unsigned long long)job->first_unknown, map_path,
		    (unsigned long long)job->unknown, job->unknown > 1 ? "es" : "");
		status = 1;
	}
	return status;
}

static void help(void)
{
	printf("usage: addr2sym -m MAP [FILE] >LISTING\n"
	       "\n"
	       "Turns the addresses of a KFI or KFT log into names. FILE is what was read from\n"
	       "/proc/kfi_trace or /proc/kfi_raw; without it, or if it is \"-\", standard input is\n"
	       "read.\n\n");
	kfi_opt_help(options, ARRAY_SIZE(options), stdout);
	printf("\n"
	       "Addresses in no symbol stay as they are.\n"
	       "Exit status: 0 done, 1 something was not found or not readable, 2 could not run.\n"
	       "\n"
	       "Examples:\n"
	       "  addr2sym kfi.log -m System.map >kfi.lst\n"
	       "  addr2sym <kfi.log -m System.map | kd -n 15 -\n");
}

int main(int argc, char **argv)
{
	static struct job job;
	struct kfi_err err;
	int first, status = 2;

	out.file = stdout;
	first = kfi_opt_parse(options, ARRAY_SIZE(options), argc, argv, &err);
	if (first < 0) {
		say("Error: %s. See usage for help. (Use -h)", err.text);
		return 2;
	}
	if (want_help) {
		help();
		return 0;
	}
	if (want_version) {
		printf("addr2sym version " KFI_VERSION "\n");
		return 0;
	}
	if (!map_path) {
		say("Error: no map file specified. See usage for help. (Use -h)");
		return 2;
	}
	if (argc - first > 1) {
		say("Error: one file at a time, not %d. See usage for help. (Use -h)",
		    argc - first);
		return 2;
	}
	if (kfi_syms_load(&job.syms, map_path, &err)) {
		say("Error: Cannot read map file: %s", err.text);
		return 2;
	}
	if (kfi_in_open(&job.log.in, first < argc ? argv[first] : "-", &err)) {
		say("Error: Cannot read log: %s", err.text);
		kfi_syms_free(&job.syms);
		return 2;
	}
	if (convert(&job, &err))
		say("%s", err.text);
	else
		status = report(&job);
	kfi_out_flush(&out);
	if (fflush(stdout) || ferror(stdout)) {
		say("cannot write: %s", strerror(errno));
		status = 2;
	}
	kfi_log_close(&job.log);
	kfi_lives_free(&job.lives);
	kfi_syms_free(&job.syms);
	return status;
}
