// SPDX-License-Identifier: GPL-2.0
/*
 * tracelog - reader and judge of /proc/kfi_trace texts, see tracelog.h
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tracelog.h"

#define MAX_COMPLAINTS	12

static char *trim(char *s)
{
	char *end = s + strlen(s);

	while (*s == ' ' || *s == '\t')
		s++;
	while (end > s && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		*--end = 0;
	return s;
}

static int grow(void **array, size_t nr, size_t size)
{
	void *p;

	if (nr & (nr - 1))
		return 0;
	p = realloc(*array, (nr ? 2 * nr : 1) * size);
	if (!p)
		return -1;
	*array = p;
	return 0;
}

static const char * const mark_names[] = { "open", "unwound", "notime", "stack" };

static unsigned int parse_marks(char *s, unsigned int *below)
{
	unsigned int marks = 0;
	char *word, *save;

	if (!strcmp(s, "-"))
		return 0;
	for (word = strtok_r(s, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		unsigned int i;

		if (sscanf(word, "below=%u", below) == 1)
			continue;
		for (i = 0; i < 4; i++)
			if (!strcmp(word, mark_names[i]))
				break;
		marks |= 1u << i;
	}
	return marks;
}

static bool parse_number(const char *s, long long *value)
{
	char *end;

	if (!s)
		return false;
	*value = strtoll(s, &end, 10);
	return end != s && !*end;
}

/* The columns of Documentation/format-text.rst, in their order. */
static int parse_row(struct tl_row *r, char *line)
{
	long long v[11];
	char *tok[16], *save, *word;
	int n = 0;

	for (word = strtok_r(line, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
		/* A module's name in brackets belongs to the symbol before it. */
		if (*word == '[')
			continue;
		if (n < 16)
			tok[n++] = word;
	}
	if (n < 15 ||
	    !parse_number(tok[0], &v[0]) || !parse_number(tok[1], &v[1]) ||
	    !parse_number(tok[2], &v[2]) || !parse_number(tok[5], &v[3]) ||
	    !parse_number(tok[6], &v[4]) || !parse_number(tok[7], &v[5]) ||
	    !parse_number(tok[8], &v[6]) || !parse_number(tok[9], &v[7]) ||
	    !parse_number(tok[11], &v[8]) || !parse_number(tok[13], &v[9]) ||
	    !parse_number(tok[14], &v[10]) ||
	    strlen(tok[10]) != 1 || !strchr("tshn", tok[10][0]))
		return -1;
	*r = (struct tl_row) {
		.entry_us = v[0], .delta_us = v[1], .pid = v[2],
		.func = tok[3], .caller = tok[4],
		.entry_ns = v[3], .delta_ns = v[4], .local_ns = v[5],
		.cpu = v[6], .depth = v[7], .ctx = tok[10][0], .task = v[8],
		.off_ns = v[9], .irq_ns = v[10],
	};
	r->marks = parse_marks(tok[12], &r->below);
	return 0;
}

/* "# Entry-us Entry-ns Cpu Task Ctx KIND ARGS" */
static int parse_event(struct tl_event *e, char *line, size_t row)
{
	long long v[4];
	char *tok[6], *save, *word = NULL;

	for (int n = 0; n < 6; n++) {
		word = strtok_r(n ? NULL : line + 1, " ", &save);
		if (!word)
			return -1;
		tok[n] = word;
	}
	for (int n = 0; n < 4; n++)
		if (!parse_number(tok[n], &v[n]))
			return -1;
	if (strlen(tok[4]) != 1 || !strchr("tshn", tok[4][0]))
		return -1;
	*e = (struct tl_event) {
		.us = v[0], .ns = v[1], .cpu = v[2], .task = v[3], .ctx = tok[4][0],
		.kind = tok[5], .args = save, .row = row,
	};
	return 0;
}

/* ---- check lines, as Documentation/format-text.rst has them ---- */

struct check_sums {
	unsigned int lines;
	uint64_t numbers;
	uint64_t addresses;
};

static void mix_into_sum(uint64_t *sum, uint64_t v)
{
	*sum = (*sum ^ v) * UINT64_C(11400714819323198485);
	*sum ^= *sum >> 32;
}

static void add_address(struct check_sums *s, const char *text)
{
	mix_into_sum(&s->addresses, strtoull(text, NULL, 16));
}

static void add_row(struct check_sums *s, const struct tl_row *r)
{
	/* In the order of the bits of a record, not of the words. */
	const unsigned int marks = (r->marks & TL_NOTIME ? 1 : 0) |
				   (r->marks & TL_UNWOUND ? 2 : 0) |
				   (r->marks & TL_OPEN ? 4 : 0) | (r->marks & TL_STACK ? 8 : 0);

	s->lines++;
	mix_into_sum(&s->numbers, r->entry_ns);
	mix_into_sum(&s->numbers, r->delta_ns);
	mix_into_sum(&s->numbers, r->local_ns);
	mix_into_sum(&s->numbers, r->off_ns);
	mix_into_sum(&s->numbers, r->irq_ns);
	mix_into_sum(&s->numbers, (uint64_t)r->task << 32 | r->depth);
	mix_into_sum(&s->numbers, (uint64_t)r->cpu << 32 |
		     (strchr("tshn", r->ctx) - "tshn") << 8 | marks);
	if (r->below)
		mix_into_sum(&s->numbers, r->below);
	add_address(s, r->func);
	add_address(s, r->caller);
}

static void add_event(struct check_sums *s, const struct tl_event *e)
{
	s->lines++;
	mix_into_sum(&s->numbers, e->ns);
	mix_into_sum(&s->numbers, (uint64_t)e->task << 32 | e->cpu << 8 |
		     (strchr("tshn", e->ctx) - "tshn"));
	for (const char *p = e->kind; *p; p++)
		mix_into_sum(&s->addresses, (unsigned char)*p);
	if (*e->args)
		mix_into_sum(&s->addresses, ' ');
	for (const char *p = e->args; *p; p++)
		mix_into_sum(&s->addresses, (unsigned char)*p);
}

static void add_sum(struct check_sums *s, const struct tl_sum *t)
{
	s->lines++;
	mix_into_sum(&s->numbers, t->count);
	mix_into_sum(&s->numbers, t->total_ns);
	mix_into_sum(&s->numbers, t->local_ns);
	mix_into_sum(&s->numbers, t->min_ns);
	mix_into_sum(&s->numbers, t->max_ns);
	mix_into_sum(&s->numbers, t->off_ns);
	mix_into_sum(&s->numbers, t->irq_ns);
	mix_into_sum(&s->numbers, t->untimed);
	add_address(s, t->func);
}

/*
 * The check line of the header is about all lines with " = ", and those that begin with "Logging ",
 * up to " function ". Return: does it agree, if this is it?
 */
static bool check_header_line(struct tracelog *log, const char *line)
{
	static const char name[] = "Header check = ";
	const char *end = strstr(line, " function "), *value = strstr(line, " = ");

	if (!strncmp(line, name, strlen(name))) {
		log->header_checked = true;
		return strtoul(line + strlen(name), NULL, 16) == (uint32_t)log->header_sum;
	}
	if (!end)
		end = line + strlen(line);
	if (strncmp(line, "Logging ", 8) && (!value || value > end))
		return true;
	while (line < end)
		mix_into_sum(&log->header_sum, (unsigned char)*line++);
	mix_into_sum(&log->header_sum, '\n');
	return true;
}

/* Return: does the check line have these sums? If so they are reset for the next lines. */
static bool check_line_matches(struct check_sums *s, const char *line)
{
	unsigned int lines;
	uint32_t numbers, addresses;

	if (sscanf(line, "# check %u %x %x", &lines, &numbers, &addresses) != 3 ||
	    lines != s->lines || numbers != (uint32_t)s->numbers ||
	    (!strstr(line, " names") && addresses != (uint32_t)s->addresses))
		return false;
	*s = (struct check_sums) { 0 };
	return true;
}

static int parse_head(struct tracelog *log, char *line)
{
	char *eq = strstr(line, " = ");

	if (!strncmp(line, "Logging started ", 16))
		log->started = line + 16;
	else if (!strncmp(line, "Logging stopped ", 16))
		log->stopped = line + 16;
	else if (!strcmp(line, "Logging is running"))
		log->running = true;
	if (!eq)
		return 0;
	if (grow((void **)&log->head, log->nr_head, sizeof(*log->head)))
		return -1;
	*eq = 0;
	log->head[log->nr_head++] = (struct tl_line) { trim(line), trim(eq + 3) };
	return 0;
}

int tl_parse(struct tracelog *log, char *text, char *why, size_t size)
{
	char *line = text, *next;
	struct check_sums check_sums = { 0 };
	int nr = 0;

	*log = (struct tracelog) { .text = text };
	for (; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		nr++;
		if (!log->header_complete) {
			if (!check_header_line(log, line)) {
				snprintf(why, size, "line %d: check line of another header", nr);
				return -1;
			}
			if (!strncmp(line, "--------", 8)) {
				log->header_complete = true;
				if (tl_num(log, "Log format") >= 6 && !log->header_checked) {
					snprintf(why, size, "line %d: the header has no check line",
						 nr);
					return -1;
				}
			} else if (!strncmp(line, " Function ", 10)) {
				log->profile = true;
			} else if (parse_head(log, line)) {
				goto no_memory;
			}
			continue;
		}
		if (!*trim(line))
			continue;
		if (!strncmp(line, "# check ", 8)) {
			if (!check_line_matches(&check_sums, line)) {
				snprintf(why, size, "line %d: check line of other rows", nr);
				return -1;
			}
			log->nr_checks++;
			continue;
		}
		if (log->profile) {
			if (grow((void **)&log->sums, log->nr_sums, sizeof(*log->sums)))
				goto no_memory;
			if (tl_parse_sum(&log->sums[log->nr_sums], line)) {
				snprintf(why, size, "line %d: no row of a profile", nr);
				return -1;
			}
			add_sum(&check_sums, &log->sums[log->nr_sums++]);
			continue;
		}
		if (*line == '#') {
			if (grow((void **)&log->events, log->nr_events, sizeof(*log->events)))
				goto no_memory;
			if (parse_event(&log->events[log->nr_events], line, log->nr_rows)) {
				snprintf(why, size, "line %d: not a mark", nr);
				return -1;
			}
			add_event(&check_sums, &log->events[log->nr_events++]);
			continue;
		}
		if (grow((void **)&log->rows, log->nr_rows, sizeof(*log->rows)))
			goto no_memory;
		if (parse_row(&log->rows[log->nr_rows], line)) {
			snprintf(why, size, "line %d: not a row, near \"%.60s\"", nr, line);
			return -1;
		}
		add_row(&check_sums, &log->rows[log->nr_rows++]);
		if (tl_num(log, "Log format") >= 4 && check_sums.lines > 64) {
			snprintf(why, size, "line %d: no check line in 64 lines", nr);
			return -1;
		}
	}
	return 0;
no_memory:
	snprintf(why, size, "out of memory");
	return -1;
}

void tl_free(struct tracelog *log)
{
	free(log->rows);
	free(log->events);
	free(log->sums);
	free(log->head);
	free(log->text);
	*log = (struct tracelog) { 0 };
}

const char *tl_text(const struct tracelog *log, const char *name)
{
	for (size_t i = 0; i < log->nr_head; i++)
		if (!strcmp(log->head[i].name, name))
			return log->head[i].value;
	return NULL;
}

long long tl_num(const struct tracelog *log, const char *name)
{
	const char *s = tl_text(log, name);
	char *end;
	long long v;

	if (!s)
		return -1;
	v = strtoll(s, &end, 10);
	return end != s && (!*end || *end == ' ') ? v : -1;
}

long long tl_of(const struct tracelog *log, const char *name)
{
	const char *s = tl_text(log, name), *of = s ? strstr(s, " of ") : NULL;

	return of ? strtoll(of + 4, NULL, 10) : -1;
}

bool tl_note(const struct tracelog *log, const char *words)
{
	for (size_t i = 0; i < log->nr_head; i++)
		if (!strcmp(log->head[i].name, "Note") && strstr(log->head[i].value, words))
			return true;
	return false;
}

long tl_find(const struct tracelog *log, const char *func, size_t from)
{
	size_t len = strlen(func);

	for (size_t i = from; i < log->nr_rows; i++) {
		const char *s = log->rows[i].func;

		if (!strncmp(s, func, len) && (!s[len] || s[len] == '+'))
			return i;
	}
	return -1;
}

long tl_first_call(const struct tracelog *log, const char *func)
{
	long i = tl_find(log, func, 0);

	for (long j = 0; j < i; j++)
		if (log->rows[j].ctx == 't' && log->rows[j].task == log->rows[i].task)
			return -1;
	return i;
}

long tl_find_event(const struct tracelog *log, const char *kind, const char *args, size_t from)
{
	for (size_t i = from; i < log->nr_events; i++) {
		const struct tl_event *e = &log->events[i];

		if (!strcmp(e->kind, kind) && !strncmp(e->args, args, strlen(args)))
			return i;
	}
	return -1;
}

struct judge {
	FILE *out;
	int nr;
};

static void __attribute__((format(printf, 2, 3))) complain(struct judge *j, const char *fmt, ...)
{
	va_list ap;

	if (j->nr++ >= MAX_COMPLAINTS || !j->out)
		return;
	va_start(ap, fmt);
	vfprintf(j->out, fmt, ap);
	va_end(ap);
	fputc('\n', j->out);
}

static long long sum_header_numbers(const struct tracelog *log, const char *head, const char *tail)
{
	long long sum = 0;

	for (size_t i = 0; i < log->nr_head; i++) {
		const char *s = log->head[i].name;
		size_t len = strlen(s), t = strlen(tail);

		if (!strncmp(s, head, strlen(head)) && len >= t && !strcmp(s + len - t, tail))
			sum += tl_num(log, s);
	}
	return sum;
}

/* Check the counts of marks or of watch rows. Older logs have neither, nor their header lines. */
static void check_mark_counts(const struct tracelog *log, const char *kept, const char *lost,
			      long long left, long long nr, struct judge *j)
{
	if (!nr && !tl_text(log, kept))
		return;
	if (tl_num(log, kept) != nr + (left > 0 ? left : 0))
		complain(j, "%s: %lld, %lld left out, the header says %lld", kept, nr, left,
			 tl_num(log, kept));
	if (tl_num(log, lost) < 0)
		complain(j, "header: no line \"%s\"", lost);
}

static void check_counts(const struct tracelog *log, struct judge *j)
{
	static const char * const needed[] = {
		"Calls seen", "Calls kept", "Calls filtered", "Calls lost", "Calls open",
		"Calls without time", "Total entries filtered", "Entries not found",
		"Number of entries after filters", "Clock rate", "Clock steps back",
	};
	long long n[11], rows[2] = { 0 }, stacks = 0, left = tl_num(log, "Calls left out");
	bool counted = !tl_note(log, "ended by a reset");

	for (int i = 0; i < 11; i++) {
		n[i] = tl_num(log, needed[i]);
		if (n[i] < 0 && counted)
			complain(j, "header: no line \"%s\"", needed[i]);
	}
	for (size_t i = 0; i < log->nr_rows; i++) {
		if (log->rows[i].marks & TL_STACK)
			stacks++;
		else
			rows[!!(log->rows[i].marks & TL_OPEN)]++;
	}
	/* What was copied before a reset has no counters but this. */
	if (!counted) {
		if (n[8] != rows[0] + rows[1])
			complain(j, "rows: %lld and %lld, the header says %lld", rows[0], rows[1],
				 n[8]);
		return;
	}
	if (n[0] != n[1] + n[2] + n[3] + n[4])
		complain(j, "accounting: seen %lld is not kept %lld + filtered %lld + lost %lld + open %lld",
			 n[0], n[1], n[2], n[3], n[4]);
	if (n[2] != n[6])
		complain(j, "accounting: filtered %lld, but total entries filtered %lld",
			 n[2], n[6]);
	if (sum_header_numbers(log, "", " filter count") != n[6])
		complain(j, "accounting: the filters count %lld, their total says %lld",
			 sum_header_numbers(log, "", " filter count"), n[6]);
	if (sum_header_numbers(log, "Lost to ", "") != n[3])
		complain(j, "accounting: the losses count %lld, their total says %lld",
			 sum_header_numbers(log, "Lost to ", ""), n[3]);
	/* What a crash leaves says how many of its rows are missing. */
	if (left < 0)
		left = 0;
	if (n[8] + left != n[1] + n[4])
		complain(j, "accounting: %lld entries after filters, %lld left out, kept %lld + open %lld",
			 n[8], left, n[1], n[4]);
	if (left && !log->profile &&
	    (n[8] != rows[0] + rows[1] || rows[0] > n[1] || rows[1] > n[4]))
		complain(j, "rows: %lld closed and %lld open of %lld and %lld, the header says %lld",
			 rows[0], rows[1], n[1], n[4], n[8]);
	if (!left && !log->profile && (rows[0] != n[1] || rows[1] != n[4]))
		complain(j, "rows: %lld closed and %lld open, the header says %lld and %lld",
			 rows[0], rows[1], n[1], n[4]);
	check_mark_counts(log, "Marks kept", "Marks lost", tl_num(log, "Marks left out"),
			  log->nr_events, j);
	check_mark_counts(log, "Watch rows", "Watch rows lost", tl_num(log, "Watch rows left out"),
			  stacks, j);
	if (n[10] > 0)
		complain(j, "clock: stepped back %lld times", n[10]);
}

static uint64_t exit_ns(const struct tl_row *r)
{
	return r->entry_ns + r->delta_ns;
}

static void check_row(const struct tl_row *r, size_t i, struct judge *j)
{
	bool closed = r->delta_ns >= 0;

	if ((r->delta_us == -2) != !!(r->marks & TL_STACK) || r->delta_us < -2)
		complain(j, "row %zu: Delta %" PRId64 " with marks %x", i, r->delta_us, r->marks);
	if (closed != (r->delta_us >= 0))
		complain(j, "row %zu: Delta %" PRId64 " but Delta-ns %" PRId64, i,
			 r->delta_us, r->delta_ns);
	if (closed == !!(r->marks & (TL_OPEN | TL_UNWOUND | TL_NOTIME | TL_STACK)))
		complain(j, "row %zu: Delta-ns %" PRId64 " with marks %x", i, r->delta_ns,
			 r->marks);
	if (r->entry_us != r->entry_ns / 1000)
		complain(j, "row %zu: Entry %" PRIu64 " but Entry-ns %" PRIu64, i, r->entry_us,
			 r->entry_ns);
	if (closed && r->delta_us != (int64_t)(exit_ns(r) / 1000 - r->entry_ns / 1000))
		complain(j, "row %zu: Delta %" PRId64 " but Entry-ns %" PRIu64 " Delta-ns %" PRId64,
			 i, r->delta_us, r->entry_ns, r->delta_ns);
	if (closed && (r->local_ns < 0 || r->local_ns > r->delta_ns))
		complain(j, "row %zu: %s: local time %" PRId64 " of %" PRId64 " ns", i, r->func,
			 r->local_ns, r->delta_ns);
	if (closed && (r->off_ns < 0 || r->irq_ns < 0 ||
		       r->local_ns + r->off_ns + r->irq_ns > r->delta_ns + 3))
		complain(j, "row %zu: %s: local %" PRId64 ", off %" PRId64 ", irq %" PRId64
			 " of %" PRId64 " ns", i, r->func, r->local_ns, r->off_ns, r->irq_ns,
			 r->delta_ns);
	if (!closed && (r->off_ns != -1 || r->irq_ns != -1))
		complain(j, "row %zu: off and irq times without a duration", i);
	if ((r->pid == -1) != (r->ctx != 't'))
		complain(j, "row %zu: pid %d in context %c", i, r->pid, r->ctx);
	if (r->ctx == 't' && r->pid != r->task)
		complain(j, "row %zu: pid %d of task %d", i, r->pid, r->task);
	if (r->depth < 1)
		complain(j, "row %zu: depth %d", i, r->depth);
}

/* The chain of calls of one thread of execution; an idle task is one per cpu. */
struct thread {
	int task, cpu;
	const struct tl_row **call;
	size_t nr, room;
};

static struct thread *find_thread(struct thread **list, size_t *nr, const struct tl_row *r)
{
	int cpu = r->task ? -1 : r->cpu;

	for (size_t i = 0; i < *nr; i++)
		if ((*list)[i].task == r->task && (*list)[i].cpu == cpu)
			return &(*list)[i];
	if (grow((void **)list, *nr, sizeof(**list)))
		return NULL;
	(*list)[*nr] = (struct thread) { .task = r->task, .cpu = cpu };
	return &(*list)[(*nr)++];
}

static int check_nested_call(struct thread *t, const struct tl_row *r, const struct tracelog *log,
			     struct judge *j)
{
	size_t me = r - log->rows;

	while (t->nr) {
		const struct tl_row *p = t->call[t->nr - 1];
		bool p_closed = p->delta_ns >= 0;
		size_t at = p - log->rows;

		if (p_closed && exit_ns(p) <= r->entry_ns &&
		    (p->depth >= r->depth || r->delta_ns < 0 || exit_ns(r) > exit_ns(p))) {
			t->nr--;
			continue;
		}
		if (p->depth >= r->depth) {
			if (p_closed)
				complain(j, "rows %zu and %zu of task %d: depth %d after %d, but it has not returned",
					 at, me, r->task, r->depth, p->depth);
			t->nr--;
			continue;
		}
		if (p_closed && r->delta_ns >= 0 && exit_ns(r) > exit_ns(p))
			complain(j, "rows %zu and %zu of task %d: the inner call %s ends after %s",
				 at, me, r->task, r->func, p->func);
		if (p_closed && r->below > p->below)
			complain(j, "rows %zu and %zu of task %d: %u calls without a row are below %s, but %u below %s",
				 at, me, r->task, r->below, r->func, p->below, p->func);
		if (p_closed && (r->marks & TL_OPEN))
			complain(j, "rows %zu and %zu of task %d: %s is open inside %s, which has returned",
				 at, me, r->task, r->func, p->func);
		break;
	}
	if (t->nr == t->room) {
		size_t room = t->room ? 2 * t->room : 64;
		const struct tl_row **call = realloc(t->call, room * sizeof(*call));

		if (!call)
			return -1;
		t->call = call;
		t->room = room;
	}
	t->call[t->nr++] = r;
	return 0;
}

static void check_nesting(const struct tracelog *log, struct judge *j)
{
	struct thread *list = NULL;
	size_t nr = 0;

	for (size_t i = 0; i < log->nr_rows; i++) {
		const struct tl_row *r = &log->rows[i];
		struct thread *t;

		if (r->marks & (TL_NOTIME | TL_STACK))
			continue;
		t = find_thread(&list, &nr, r);
		if (!t || check_nested_call(t, r, log, j)) {
			complain(j, "out of memory");
			break;
		}
	}
	for (size_t i = 0; i < nr; i++)
		free(list[i].call);
	free(list);
}

/* A mark stands before what was entered after it, and after what was entered before. */
static void check_events(const struct tracelog *log, struct judge *j)
{
	for (size_t i = 0; i < log->nr_events; i++) {
		const struct tl_event *e = &log->events[i];

		if (e->us != e->ns / 1000)
			complain(j, "mark %zu: %" PRIu64 " us but %" PRIu64 " ns", i, e->us, e->ns);
		if (i && e->ns < e[-1].ns)
			complain(j, "mark %zu: goes back from %" PRIu64 " to %" PRIu64 " ns", i,
				 e[-1].ns, e->ns);
		if (e->row < log->nr_rows && e->ns > log->rows[e->row].entry_ns)
			complain(j, "mark %zu: above a row that was entered before it", i);
		if (e->row && e->ns < log->rows[e->row - 1].entry_ns)
			complain(j, "mark %zu: below a row that was entered after it", i);
	}
}

/* A snapshot says when it was taken: by then all it holds was over, or had begun. */
static void check_snapshot(const struct tracelog *log, struct judge *j)
{
	static const char words[] = "snapshot of a live run at ";
	long long at = -1, started = 0;
	uint64_t end;

	if (tl_note(log, "ended by a reset") && !log->stopped)
		return;
	for (size_t i = 0; i < log->nr_head; i++)
		if (!strcmp(log->head[i].name, "Note") &&
		    !strncmp(log->head[i].value, words, strlen(words)))
			at = atoll(log->head[i].value + strlen(words));
	if (at < 0 || log->stopped) {
		complain(j, "header: running, but no note that this is a snapshot, or stopped");
		return;
	}
	if (log->started)
		sscanf(log->started, "at %lld", &started);
	/* Both are rounded down. */
	end = (at - started + 1) * 1000;
	for (size_t i = 0; i < log->nr_rows; i++) {
		const struct tl_row *r = &log->rows[i];

		if (r->entry_ns > end || (r->delta_ns >= 0 && exit_ns(r) > end))
			complain(j, "row %zu: %s after the snapshot was taken, at %lld usec", i,
				 r->func, at - started);
	}
}

int tl_check(const struct tracelog *log, FILE *out)
{
	struct judge j = { .out = out };
	const struct tl_row *last = NULL;

	if (!log->header_complete)
		complain(&j, "header: no line of dashes");
	if (!log->started)
		complain(&j, "header: no line \"Logging started\"");
	if (log->running)
		check_snapshot(log, &j);
	else if (!log->stopped)
		complain(&j, "header: no line \"Logging stopped\"");
	check_counts(log, &j);
	check_events(log, &j);
	for (size_t i = 0; i < log->nr_rows; i++) {
		const struct tl_row *r = &log->rows[i];

		check_row(r, i, &j);
		if (last && r->entry_ns < last->entry_ns)
			complain(&j, "row %zu: entry goes back from %" PRIu64 " to %" PRIu64 " ns",
				 i, last->entry_ns, r->entry_ns);
		if (last && r->entry_ns == last->entry_ns && r->depth < last->depth &&
		    r->task == last->task && r->cpu == last->cpu)
			complain(&j, "row %zu: same entry, but depth %d after %d", i, r->depth,
				 last->depth);
		last = r;
	}
	check_nesting(log, &j);
	if (log->profile)
		j.nr += tl_check_sums(log, out);
	if (!j.nr)
		j.nr += tl_check_times(log, out);
	if (j.nr > MAX_COMPLAINTS && out)
		fprintf(out, "... %d more\n", j.nr - MAX_COMPLAINTS);
	return j.nr;
}
