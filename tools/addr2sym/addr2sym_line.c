// SPDX-License-Identifier: GPL-2.0
/* Prints addr2sym's lines: addresses become names; other columns keep their places if they fit. */
#include "addr2sym.h"
#include "import/qemu_line.h"

static void put_bytes(struct job *job, const char *s, size_t len)
{
	kfi_out_put(&job->out, s, len);
}

/* Print "+0xOFF", or nothing for 0. Return: bytes printed. */
static size_t put_offset(struct job *job, u64 off)
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
	put_bytes(job, p, end - p);
	return end - p;
}

/* Print the name of an address. Return: bytes printed, 0: the address is in no symbol. */
static size_t put_name(struct job *job, u64 addr, s64 us, bool with_offset, bool function)
{
	struct kfi_name name;

	if (unlikely(!(function ? kfi_resolve_function : kfi_resolve_at)(&job->names, addr, us,
									  &name))) {
		if (job->names.unknown == 1 && !job->first_line)
			job->first_line = job->log.in.line;
		return 0;
	}
	put_bytes(job, name.str.s, name.str.len);
	return name.str.len + (with_offset ? put_offset(job, name.off) : 0);
}

/* Parse an address: 0x…, or hex digits without 0x in logs of format 1. */
static bool parse_address(const struct job *job, struct kfi_str str, u64 *addr)
{
	char text[20] = "0x";

	if (kfi_str_hex(str, addr))
		return true;
	if (job->log.kind != KFI_LOG_V1 || !job->log.in_rows || (str.len != 8 && str.len != 16))
		return false;
	memcpy(text + 2, str.s, str.len);
	return kfi_str_hex((struct kfi_str){ text, str.len + 2 }, addr);
}

/*
 * Print the name of a token, and fewer blanks behind it, so that the next column keeps its place.
 */
static const char *put_token(struct job *job, struct kfi_str str, s64 us, const char *end,
			     bool function)
{
	const char *p = str.s + str.len;
	size_t width = str.len, used;
	u64 addr;

	if (!parse_address(job, str, &addr)) {
		put_bytes(job, str.s, str.len);
		return p;
	}
	used = put_name(job, addr, us, true, function);
	if (!used) {
		put_bytes(job, str.s, str.len);
		return p;
	}
	/* Blanks up to the next column belong to this column, except the last blank. */
	for (; p < end && *p == ' '; p++)
		width++;
	if (p < end && *p != '\r')
		kfi_out_fill(&job->out, ' ', used < width ? width - used : 1);
	return p;
}

/*
 * Print " # FILE:LINE < FILE:LINE": where the function is, and where it was called; ? is unknown.
 */
static void put_lines(struct job *job, const struct kfi_row *row, s64 us)
{
	char text[KFI_SOURCE_TEXT];
	u64 addr;

	put_bytes(job, "  # ", 4);
	if (parse_address(job, row->func, &addr) &&
	    kfi_resolve_line(&job->names, addr, us, false, text)) {
		put_bytes(job, text, strlen(text));
		job->rows_with_line++;
	} else {
		put_bytes(job, "?", 1);
	}
	put_bytes(job, " < ", 3);
	if (parse_address(job, row->caller, &addr) &&
	    kfi_resolve_line(&job->names, addr, us, true, text))
		put_bytes(job, text, strlen(text));
	else
		put_bytes(job, "?", 1);
}

void put_row(struct job *job, const struct kfi_row *row, const char *s, size_t len)
{
	s64 us = row->entry_ns / 1000;
	const char *p, *end = s + len;

	job->rows++;
	put_bytes(job, s, row->func.s - s);
	p = put_token(job, row->func, us, s + len, true);
	if (p < row->caller.s)
		put_bytes(job, p, row->caller.s - p);
	p = put_token(job, row->caller, us, s + len, false);
	if (likely(!job->lines)) {
		put_bytes(job, p, s + len - p);
		return;
	}
	/* Keep a carriage return at the end of the line. */
	while (end > p && end[-1] == '\r')
		end--;
	put_bytes(job, p, end - p);
	put_lines(job, row, us);
	put_bytes(job, end, s + len - end);
}

void put_sums(struct job *job, const char *s, size_t len)
{
	const char *p;

	job->rows++;
	put_bytes(job, s, job->log.sums.func.s - s);
	p = put_token(job, job->log.sums.func, KFI_ANY_TIME, s + len, true);
	put_bytes(job, p, s + len - p);
}

void put_mark(struct job *job, const char *s, size_t len)
{
	const char *last = kfi_log_mark_addresses(&job->log.mark);
	const char *end = s + len, *p = s;
	s64 us = job->log.mark.entry_ns / 1000;

	while (s < last && (p = memmem(s, last - s, " 0x", 3))) {
		struct kfi_str str = { ++p, 0 };
		u64 addr;

		for (put_bytes(job, s, p - s); p < end && (unsigned char)*p > ' '; p++)
			str.len++;
		if (!kfi_str_hex(str, &addr) || !put_name(job, addr, us, true, false))
			put_bytes(job, str.s, str.len);
		s = p;
	}
	put_bytes(job, s, end - s);
}

/* Handle "Logging started at N usec by entry to function 0x…" in a header. */
void put_other(struct job *job, const char *s, size_t len, bool in_head)
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
		put_bytes(job, s, str.s - s);
		if (!kfi_str_hex(str, &addr) || !put_name(job, addr, KFI_ANY_TIME, false, false))
			put_bytes(job, str.s, str.len);
		s = at;
	}
	put_bytes(job, s, end - s);
}

static const char *find_behind(const char *s, const char *end, const char *what)
{
	const char *at = memmem(s, end - s, what, strlen(what));

	return at ? at + strlen(what) : NULL;
}

/* Skip the time in "11409436.4899973 7fb95ab3cd20". Return: the begin of the address, or NULL. */
static const char *skip_time(const char *s, const char *end)
{
	const char *at = s, *dot;

	while (at < end && *at >= '0' && *at <= '9')
		at++;
	if (at == s || at == end || *at != '.')
		return NULL;
	for (dot = at++; at < end && *at >= '0' && *at <= '9'; at++)
		;
	return at - dot > 1 && end - at > 4 && *at == ' ' ? at + 1 : NULL;
}

bool find_block(const char *s, size_t len, struct kfi_str *str, u64 *addr)
{
	const char *end = s + len, *at = find_behind(s, end, "exec_tb"), *stop;

	while (end > s && (end[-1] == ' ' || end[-1] == '\r'))
		end--;
	if (at) {
		stop = kfi_qemu_event(at, end, &at, addr);
	} else if (len > 6 && (!memcmp(s, "Trace ", 6) || !memcmp(s, "Stopp", 5))) {
		stop = kfi_qemu_trace(s, end, &at, addr);
	} else {
		at = skip_time(s, end);
		stop = at ? kfi_take_hex(at, end, addr) : NULL;
		if (stop != end)
			return false;
	}
	if (!stop)
		return false;
	*str = (struct kfi_str){ at, (u32)(stop - at) };
	return true;
}

void put_block(struct job *job, const char *s, size_t len, struct kfi_str str, u64 addr)
{
	u64 unknown = job->names.unknown, first = job->names.first_unknown;
	struct kfi_name name;

	job->blocks++;
	put_bytes(job, s, str.s - s);
	if (kfi_resolve_at(&job->names, addr, KFI_ANY_TIME, &name)) {
		put_bytes(job, name.str.s, name.str.len);
		put_offset(job, name.off);
	} else {
		/*
		 * Addresses of firmware and user space without a name do not change the exit
		 * status.
		 */
		job->names.unknown = unknown;
		job->names.first_unknown = first;
		job->unnamed++;
		put_bytes(job, str.s, str.len);
	}
	put_bytes(job, str.s + str.len, s + len - str.s - str.len);
}
