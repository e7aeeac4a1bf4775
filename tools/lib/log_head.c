// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the header of a text log: the lines that matter to tools; it skips all others. See log.h.
 */
#include <stdio.h>

#include "log.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool starts(const char *s, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && memcmp(s, word, n) == 0;
}

/* Parse a decimal number at the start. */
static bool parse_number(const char *s, size_t len, u64 *val)
{
	u64 v = 0;
	size_t i;

	for (i = 0; i < len && s[i] >= '0' && s[i] <= '9'; i++)
		if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, s[i] - '0', &v))
			return false;
	*val = v;
	return i > 0;
}

/* Lines "Name = NUMBER". */
static const struct {
	const char *name;
	size_t offset;
} numbers[] = {
	{ "Log format", offsetof(struct kfi_log_head, format) },
	{ "Number of entries after filters", offsetof(struct kfi_log_head, rows) },
	{ "Calls lost", offsetof(struct kfi_log_head, lost) },
	{ "Lost to overwriting", offsetof(struct kfi_log_head, overwritten) },
	{ "Marks kept", offsetof(struct kfi_log_head, marks) },
	{ "Marks lost", offsetof(struct kfi_log_head, marks_lost) },
	{ "Watch rows", offsetof(struct kfi_log_head, watch_rows) },
	{ "Watch rows lost", offsetof(struct kfi_log_head, watch_lost) },
	{ "Word size", offsetof(struct kfi_log_head, word_bits) },
	{ "Calls left out", offsetof(struct kfi_log_head, left_out) },
	{ "Marks left out", offsetof(struct kfi_log_head, marks_out) },
	{ "Watch rows left out", offsetof(struct kfi_log_head, watch_out) },
	{ "Chunks dropped", offsetof(struct kfi_log_head, chunks_dropped) },
	{ "Calls dropped", offsetof(struct kfi_log_head, calls_dropped) },
	{ "Other rows dropped", offsetof(struct kfi_log_head, others_dropped) },
	{ "Chunks missed", offsetof(struct kfi_log_head, chunks_missed) },
	{ "Rounds", offsetof(struct kfi_log_head, rounds) },
	{ "Clock steps back", offsetof(struct kfi_log_head, steps_back) },
	{ "Callout cost", offsetof(struct kfi_log_head, cost_ns) },
	{ "No Interrupt functions filter count", offsetof(struct kfi_log_head, noints) },
	{ "Calls filtered", offsetof(struct kfi_log_head, filtered) },
	{ "Clock at start_kernel", offsetof(struct kfi_log_head, start_kernel_ns) },
};

/*
 * Parse "N ns kept, N ns filtered, N ns noints": the second number and, if it is there, the third.
 */
static void parse_other_costs(struct kfi_log_head *h, const char *val, size_t len)
{
	u64 *const costs[] = { &h->filtered_cost_ns, &h->noints_cost_ns };
	const char *end = val + len, *comma;

	for (size_t i = 0; i < ARRAY_SIZE(costs); i++, val = comma + 1) {
		comma = memchr(val, ',', (size_t)(end - val));
		if (!comma || end - comma <= 2)
			return;
		parse_number(comma + 2, (size_t)(end - comma - 2), costs[i]);
	}
}

/* Parse "N N": time on the axis of Entry, which may be negative, and time of printk. */
static void parse_printk_clock(struct kfi_log_head *h, const char *val, size_t len)
{
	const char *blank = memchr(val, ' ', len);
	bool before = starts(val, len, "-");
	struct kfi_log_printk p;
	u64 entry;

	if (!blank || h->nprintk == KFI_LOG_PRINTKS ||
	    !parse_number(val + before, len - before, &entry) ||
	    !parse_number(blank + 1, val + len - blank - 1, &p.printk_ns) ||
	    entry > KFI_LOG_PRINTK_MAX || p.printk_ns > KFI_LOG_PRINTK_MAX)
		return;
	p.entry_ns = before ? -(s64)entry : (s64)entry;
	h->printk[h->nprintk++] = p;
}

/* Keep a counter of calls by the reason why they have no row. */
static void add_loss_reason(struct kfi_log_head *h, const char *s, size_t len, u64 v)
{
	static const char filters[] = " filter count", absent[] = "Entries not found";
	size_t n = sizeof(filters) - 1;
	bool ends = len > n && !memcmp(s + len - n, filters, n);
	struct kfi_log_counter *c = &h->counter[h->ncounters];

	if (h->ncounters == KFI_LOG_COUNTERS || len >= sizeof(c->name) ||
	    (!ends && !starts(s, len, "Lost to ") && !starts(s, len, absent)))
		return;
	memcpy(c->name, s, len);
	c->name[len] = '\0';
	c->value = v;
	h->ncounters++;
}

static void parse_value(struct kfi_log_head *h, const char *s, size_t name_len, const char *val,
			size_t val_len)
{
	struct kfi_str str = { val, val_len < 64 ? (u32)val_len : 64 };
	u64 v;

	if (name_len == 4 && memcmp(s, "Text", 4) == 0) {
		h->has_text = kfi_str_hex(str, &h->text);
		return;
	}
	if (name_len == 11 && memcmp(s, "Kernel text", 11) == 0) {
		const char *blank = memchr(val, ' ', val_len);

		if (blank && blank - val < 64)
			str.len = (u32)(blank - val);
		h->has_stext = kfi_str_hex(str, &h->stext);
		return;
	}
	if (name_len == 12 && memcmp(s, "KASLR offset", 12) == 0) {
		h->has_kaslr = kfi_str_hex(str, &h->kaslr);
		return;
	}
	if (name_len == 8 && memcmp(s, "Build id", 8) == 0) {
		snprintf(h->build_id, sizeof(h->build_id), "%.*s", (int)str.len, str.s);
		return;
	}
	if (name_len == 6 && memcmp(s, "Kernel", 6) == 0) {
		snprintf(h->kernel, sizeof(h->kernel), "%.*s", (int)str.len, str.s);
		return;
	}
	if (name_len == 5 && memcmp(s, "Clock", 5) == 0) {
		snprintf(h->clock, sizeof(h->clock), "%.*s", (int)str.len, str.s);
		return;
	}
	if (name_len == 12 && memcmp(s, "Printk clock", 12) == 0) {
		parse_printk_clock(h, val, val_len);
		return;
	}
	if (name_len == 4 && memcmp(s, "Note", 4) == 0) {
		if (h->nnotes < KFI_LOG_NOTES)
			snprintf(h->note[h->nnotes++], sizeof(h->note[0]), "%.*s",
				 val_len < 159 ? (int)val_len : 159, val);
		return;
	}
	if (parse_number(val, val_len, &v))
		add_loss_reason(h, s, name_len, v);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (strlen(numbers[i].name) != name_len || memcmp(s, numbers[i].name, name_len))
			continue;
		if (!parse_number(val, val_len, &v))
			return;
		memcpy((char *)h + numbers[i].offset, &v, sizeof(v));
		if (numbers[i].offset == offsetof(struct kfi_log_head, rows))
			h->has_rows = true;
		if (numbers[i].offset == offsetof(struct kfi_log_head, cost_ns)) {
			h->has_cost = true;
			parse_other_costs(h, val, val_len);
		}
		return;
	}
}

/* Keep a line below "Filters:". */
static void parse_filter(struct kfi_log_head *h, const char *s, size_t len)
{
	size_t n = strlen(h->filters);

	snprintf(h->filters + n, sizeof(h->filters) - n, "%s%.*s", n ? "; " : "",
		 len < 100 ? (int)len : 100, s);
}

/* Parse "Logging started at N usec by CAUSE". @by: set to the cause, 72 bytes */
static bool parse_start_or_stop(const char *s, size_t len, const char *word, u64 *us, char *by)
{
	static const char unit[] = " usec by ";
	const char *cause = memmem(s, len, unit, strlen(unit));
	size_t n = strlen(word);

	if (!parse_number(s + n, len - n, us))
		return false;
	if (cause)
		snprintf(by, 72, "%.*s", (int)min_t(size_t, s + len - cause - strlen(unit), 71),
			 cause + strlen(unit));
	return true;
}

void kfi_log_head_line(struct kfi_log_head *head, const char *s, size_t len)
{
	static const char run[] = "Kernel Instrumentation Run ID ", mintime[] =
		" usecs minimum execution time";
	const char *eq;
	size_t name;
	u64 v;

	if (starts(s, len, run)) {
		head->has_id = parse_number(s + strlen(run), len - strlen(run), &head->id);
		return;
	}
	if (starts(s, len, "No logging run registered")) {
		head->no_run = true;
		return;
	}
	if (starts(s, len, "Logging is running")) {
		head->running = true;
		return;
	}
	if (starts(s, len, "Read while running = yes")) {
		head->streamed = true;
		return;
	}
	if (starts(s, len, "Logging started at ")) {
		head->has_start = parse_start_or_stop(s, len, "Logging started at ",
						      &head->start_us,
						      head->start_by);
		return;
	}
	if (starts(s, len, "Logging stopped at ")) {
		head->has_stop = parse_start_or_stop(s, len, "Logging stopped at ", &head->stop_us,
						     head->stop_by);
		return;
	}
	if (starts(s, len, "Filters:") || starts(s, len, "Filter Counters:")) {
		head->in_filters = s[6] == 's';
		return;
	}
	eq = memchr(s, '=', len);
	if (head->in_filters && !eq)
		parse_filter(head, s, len);
	if (parse_number(s, len, &v)) {
		if (memmem(s, len, mintime, strlen(mintime)))
			head->mintime_us = v;
		return;
	}
	if (!eq)
		return;
	head->in_filters = false;
	name = eq - s;
	while (name && is_blank(s[name - 1]))
		name--;
	for (eq++; eq < s + len && is_blank(*eq); eq++)
		;
	parse_value(head, s, name, eq, s + len - eq);
}
