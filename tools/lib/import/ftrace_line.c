// SPDX-License-Identifier: GPL-2.0
/* Parser of the beginnings of lines of ftrace; see ftrace_line.h. */
#include "import/ftrace_line.h"

/*
 * Read "12.345" as an integer with @digits more decimal digits, at most 9. Return: false if it is
 * no number.
 */
static bool parse_decimal(struct cursor *c, u32 digits, s64 *v)
{
	static const u32 powers[] = {
		1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
	};
	u64 whole, part = 0;

	if (!parse_number(c, &whole) || __builtin_mul_overflow(whole, powers[digits], &whole))
		return false;
	if (c->p < c->end && *c->p == '.') {
		const char *from = ++c->p;

		for (; digits && c->p < c->end && is_digit(*c->p); digits--)
			part = part * 10 + (u64)(*c->p++ - '0');
		while (c->p < c->end && is_digit(*c->p))
			c->p++;
		if (c->p == from)
			return false;
		part *= powers[digits];
	}
	if (whole > S64_MAX - part)
		return false;
	*v = (s64)(whole + part);
	return true;
}

/* Parse a task: "bash-1234", "<idle>-0", "kworker/0:1H-12". */
static bool parse_task(struct part p, struct head *h)
{
	const char *end = p.s + p.len, *at = end;
	struct cursor c;
	u64 pid;

	while (at > p.s && is_digit(at[-1]))
		at--;
	if (at == end || at - 1 <= p.s || at[-1] != '-')
		return false;
	c = (struct cursor){ at, end };
	if (!parse_number(&c, &pid) || pid > INT32_MAX)
		return false;
	h->pid = (s32)pid;
	h->comm = trim(p.s, at - 1);
	if (!h->comm.len || (h->comm.s[0] == '<' && h->comm.s[h->comm.len - 1] == '>'))
		h->comm.len = 0;
	return true;
}

/* Parse flags: "d.h1.", "..s2", "....", or nothing. The third character is the context. */
static bool parse_flags(struct part p, struct head *h)
{
	if (p.len < 4 || p.len > 8)
		return false;
	for (size_t i = 0; i < p.len; i++)
		if (!strchr(".dDXbnNpBlLhHsSzZ#", p.s[i]) && !is_digit(p.s[i]) &&
		    !(i > 2 && p.s[i] >= 'a' && p.s[i] <= 'f'))
			return false;
	if (is_digit(p.s[0]) || is_digit(p.s[2]))
		return false;
	h->has_ctx = true;
	switch (p.s[2]) {
	case 'h': case 'H':
		h->at.ctx = KFI_CTX_HARDIRQ;
		break;
	case 's':
		h->at.ctx = KFI_CTX_SOFTIRQ;
		break;
	case 'z': case 'Z':
		h->at.ctx = KFI_CTX_NMI;
		break;
	}
	return true;
}

/* Parse "CPU)". Return: false if it is not that; @c is unchanged then, as with the next two. */
static bool parse_cpu(struct cursor *c, struct head *h)
{
	struct cursor t = *c;
	u64 cpu;

	skip_blanks(&t);
	if (!parse_number(&t, &cpu) || t.p == t.end || *t.p != ')' || cpu >= CPUS)
		return false;
	h->at.cpu = (s32)cpu;
	c->p = t.p + 1;
	return true;
}

/* Parse the column of the time: "12.345678 |". */
static bool parse_time(struct cursor *c, struct head *h)
{
	struct cursor t = *c;
	s64 ns;

	skip_blanks(&t);
	if (!parse_decimal(&t, 9, &ns))
		return false;
	skip_blanks(&t);
	if (t.p == t.end || *t.p != '|')
		return false;
	h->at.ns = ns;
	c->p = t.p + 1;
	return true;
}

/* Parse the column of the duration: "+ 12.345 us |", an arrow, or nothing but the bar. */
static bool parse_duration(struct cursor *c, struct head *h)
{
	struct cursor t = *c;
	s64 delta = -1;
	int arrow = 0;

	skip_blanks(&t);
	if (t.p < t.end && (*t.p == '=' || *t.p == '<')) {
		struct part rest = { t.p, (size_t)(t.end - t.p) };

		if (!begins(rest, "==========>") && !begins(rest, "<=========="))
			return false;
		arrow = *t.p == '=' ? 1 : -1;
		t.p = memchr(t.p, '|', rest.len) ? : t.end;
	} else if (t.p < t.end && *t.p != '|') {
		if (!is_digit(*t.p) && memchr("+!#*@$", *t.p, 6)) {
			t.p++;
			skip_blanks(&t);
		}
		if (!parse_decimal(&t, 3, &delta))
			return false;
		skip_blanks(&t);
		if (t.end - t.p < 2 || memcmp(t.p, "us", 2))
			return false;
		t.p += 2;
		skip_blanks(&t);
	}
	if (t.p == t.end || *t.p != '|')
		return false;
	h->delta = delta;
	h->arrow = arrow;
	c->p = t.p + 1;
	return true;
}

bool kfi_ftrace_graph_columns(struct cursor c, struct head *h)
{
	bool bars = false, more = true;

	if (!parse_cpu(&c, h) && parse_time(&c, h)) {
		bars = true;
		parse_cpu(&c, h);
	}
	while (more && !parse_duration(&c, h)) {
		const char *bar = memchr(c.p, '|', (size_t)(c.end - c.p));
		struct part p = bar ? trim(c.p, bar) : (struct part){ NULL, 0 };

		more = bar && ((h->pid < 0 && parse_task(p, h)) ||
			       (!h->has_ctx && parse_flags(p, h)));
		if (more)
			c.p = bar + 1;
		bars |= more;
	}
	h->text = (struct part){ c.p, (size_t)(c.end - c.p) };
	return bars || more;
}

bool kfi_ftrace_event_head(struct cursor c, struct head *h)
{
	const char *from = c.p;

	for (;;) {
		const char *open = memchr(c.p, '[', (size_t)(c.end - c.p));
		struct cursor t = { open ? open + 1 : NULL, c.end };
		struct part before;
		const char *blank;
		u64 cpu;

		if (!open)
			return false;
		c.p = open + 1;
		if (!parse_number(&t, &cpu) || t.p == t.end || *t.p++ != ']' || cpu >= CPUS)
			continue;
		before = trim(from, open);
		if (before.len && before.s[before.len - 1] == ')') {
			const char *tgid = memrchr(before.s, '(', before.len);

			if (!tgid)
				continue;
			before = trim(before.s, tgid);
		}
		if (!parse_task(before, h))
			continue;
		h->at.cpu = (s32)cpu;
		skip_blanks(&t);
		blank = memchr(t.p, ' ', (size_t)(t.end - t.p));
		if (blank && parse_flags((struct part){ t.p, (size_t)(blank - t.p) }, h)) {
			t.p = blank;
			skip_blanks(&t);
		}
		if (t.p < t.end && is_digit(*t.p)) {
			const char *at = t.p;

			if (!parse_decimal(&t, 9, &h->at.ns) || t.p == t.end || *t.p != ':')
				break;
			/* The time is a count of a clock, not in seconds. */
			if (!memchr(at, '.', (size_t)(t.p - at)))
				h->at.ns = -1;
			h->text = (struct part){ t.p + 1, (size_t)(t.end - t.p - 1) };
			return true;
		}
		break;
	}
	*h = no_head;
	return false;
}

bool kfi_ftrace_lost_events(struct part p, s32 *cpu, u64 *n)
{
	const char *open;
	struct cursor c;
	u64 number;

	if (!begins(p, "CPU:"))
		return false;
	open = memchr(p.s, '[', p.len);
	if (!open || (!memmem(p.s, p.len, "LOST", 4) && !memmem(p.s, p.len, "DROPPED", 7)))
		return false;
	c = (struct cursor){ p.s + strlen("CPU:"), open };
	*cpu = parse_number(&c, &number) && number < CPUS ? (s32)number : -1;
	c = (struct cursor){ open + 1, p.s + p.len };
	while (c.p < c.end && !is_digit(*c.p))
		c.p++;
	if (!parse_number(&c, n))
		*n = 1;
	return true;
}

bool kfi_ftrace_task_change(struct cursor c, struct head *prev, struct head *next)
{
	const char *arrow;

	*prev = *next = no_head;
	if (!parse_cpu(&c, prev))
		return false;
	next->at.cpu = prev->at.cpu;
	arrow = memmem(c.p, (size_t)(c.end - c.p), " => ", 4);
	return arrow && parse_task(trim(c.p, arrow), prev) &&
	       parse_task(trim(arrow + 4, c.end), next);
}
