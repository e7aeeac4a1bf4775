/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses the beginnings of lines of ftrace, and lines that are neither a call nor an event. Called
 * by ftrace.c, which describes the lines.
 */
#ifndef KFI_FTRACE_LINE_H
#define KFI_FTRACE_LINE_H

#include "import/import.h"

/* Processors have smaller numbers. */
#define CPUS	4096

/* A position in a line. */
struct cursor {
	const char *p;
	const char *end;
};

/* A part of a line, as functions pass it on. */
struct part {
	const char *s;
	size_t len;
};

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static __always_inline void skip_blanks(struct cursor *c)
{
	while (c->p < c->end && (*c->p == ' ' || *c->p == '\t'))
		c->p++;
}

static __always_inline struct part trim(const char *s, const char *end)
{
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	while (end > s && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return (struct part){ s, (size_t)(end - s) };
}

static inline bool begins(struct part p, const char *word)
{
	size_t n = strlen(word);

	return p.len >= n && !memcmp(p.s, word, n);
}

/* Read digits at @c. Return: false: there are none, or too many. */
static inline bool parse_number(struct cursor *c, u64 *v)
{
	const char *from = c->p;

	*v = 0;
	while (c->p < c->end && is_digit(*c->p) && c->p - from < 18)
		*v = *v * 10 + (u64)(*c->p++ - '0');
	return c->p > from && (c->p == c->end || !is_digit(*c->p));
}

/**
 * struct head - the beginning of a line
 * @at: time and place
 * @has_ctx: @at.ctx is known
 * @pid: the task, -1: unknown
 * @comm: name of the task
 * @delta: duration, -1: none
 * @arrow: 1: an interrupt begins, -1: it ends
 * @text: the rest of the line
 */
struct head {
	struct kfi_import_at at;
	bool has_ctx;
	s32 pid;
	struct part comm;
	s64 delta;
	int arrow;
	struct part text;
};

static const struct head no_head = {
	.at = { .ns = -1, .cpu = -1, .ctx = KFI_CTX_TASK }, .pid = -1, .delta = -1,
};

/**
 * kfi_ftrace_event_head() - parse "COMM-PID [(TGID)] [CPU] [FLAGS] TIME:"
 * @c: the line
 * @h: no_head; set to what the line has
 *
 * Return: false if the line begins otherwise; @h is unchanged then.
 */
bool kfi_ftrace_event_head(struct cursor c, struct head *h);

/**
 * kfi_ftrace_graph_columns() - parse the columns of the function graph
 * @c: the line, or the text behind "funcgraph_entry:"
 * @h: set to what the columns have. A line without any of them is only a text
 *
 * Return: true if there is a column that ends with a bar.
 */
bool kfi_ftrace_graph_columns(struct cursor c, struct head *h);

/**
 * kfi_ftrace_lost_events() - parse "CPU:1 [LOST 5 EVENTS]" or "CPU:1 [5 EVENTS DROPPED]"
 * @p: the line
 * @cpu: set to the processor, -1: unknown
 * @n: set to the number of events
 *
 * Return: false if the line is none of these. After such a line exits may be missing.
 */
bool kfi_ftrace_lost_events(struct part p, s32 *cpu, u64 *n);

/**
 * kfi_ftrace_task_change() - parse "0)  bash-123  =>  sshd-12": a CPU runs another task
 * @c: the line
 * @prev: set to the task before, and the CPU
 * @next: set to the task that runs from now on, and the CPU
 *
 * Return: false if it is not that.
 */
bool kfi_ftrace_task_change(struct cursor c, struct head *prev, struct head *next);

#endif /* KFI_FTRACE_LINE_H */
