// SPDX-License-Identifier: GPL-2.0
/*
 * Reads traces of QEMU: a line or a record for each block of translated code that runs.
 *
 *	exec_tb tb:0x7f5a1c000100 pc=0xffffffff81000000		-trace enable=exec_tb
 *	4491@1400000000.123456:exec_tb tb:0x7f5a1c000100 pc=0x...  with -msg timestamp=on
 *	Trace 0: 0x7f5a1c000100 [cs_base/pc/flags/cflags] sym	-d exec,nochain
 *	exec_tb 1.953 pid=4491 tb=0x7fa869afe010 pc=0xfffffff0	simpletrace.py: differences
 *	11409435.5189973 retint_user + 8 in section .text	microseconds, gdb's "info symbol"
 *	11409436.4899973 7fb95ab3cd20				where there is no symbol
 *	simpletrace in binary					header, mappings, records
 *	KFI blocks 1 x86_64					of KFI's plugin: see blocks.h
 *
 * A log with lines of -d exec has all blocks in them. Its lines of exec_tb serve as a clock: QEMU
 * writes them only where its main loop finds a block. rebuild.c makes calls of the blocks.
 */
#include <stdio.h>
#include <stdlib.h>

#include "import/blocks.h"
#include "import/formats.h"
#include "import/qemu_line.h"
#include "import/rebuild.h"
#include "import/text.h"

/* Time of a block if the trace has no times. */
#define BLOCK_NS	1000

static const u8 simple_magic[16] = {
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0xb4, 0x29, 0xa4, 0x0a, 0xcb, 0x77, 0xb1, 0xf2,
};

/* Length of the magic up to its newline. */
#define SIMPLE_LINE	11

/* Kinds of records, and the number of the event that says that others were lost. */
#define SIMPLE_MAPPING	0
#define SIMPLE_EVENT	1
#define SIMPLE_DROPPED	(U64_MAX - 1)
#define SIMPLE_VERSION	4

/* Bytes of a record's header: event, time, length, pid. */
#define SIMPLE_HEAD	24

/**
 * struct qemu - state of the reader
 * @code: code of the kernel
 * @rebuild: rebuilds the calls
 * @ns: time of the last line that had one, on the clock of the trace
 * @now: the latest time so far: the clock of calls never steps back
 * @has_times: a line had a time
 * @has_trace: lines of -d exec give the blocks
 * @has_insns: the plugin has counted instructions
 * @held: a block is held back, because the next line can cancel it
 * @held_pc: address of that block
 * @held_ns: time of that block
 * @held_cpu: CPU of that block
 * @blocks: number of blocks passed on
 * @dropped: number of events that QEMU has lost
 */
struct qemu {
	struct kfi_code *code;
	struct kfi_rebuild *rebuild;
	s64 ns;
	s64 now;
	bool has_times;
	bool has_trace;
	bool has_insns;
	bool held;
	u64 held_pc;
	s64 held_ns;
	u32 held_cpu;
	u64 blocks;
	u64 dropped;
};

/* Texts */

/* Read microseconds with any number of decimals as nanoseconds. Return the end, or NULL. */
static const char *take_us(const char *s, const char *end, s64 *ns)
{
	bool minus = s < end && *s == '-';
	u64 us, part = 0, digits = 0;

	s = kfi_take_number(s + minus, end, &us);
	if (!s || us > S64_MAX / 2000)
		return NULL;
	if (s < end && *s == '.')
		for (s++; s < end && (u8)(*s - '0') < 10; s++, digits++)
			if (digits < 3)
				part = part * 10 + (u64)(*s - '0');
	for (; digits < 3; digits++)
		part *= 10;
	*ns = (s64)(us * 1000 + part);
	if (minus)
		*ns = -*ns;
	return s;
}

static bool starts(const char *s, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - s) >= n && !memcmp(s, word, n);
}

/* Recognition */

/* Return true for "TIME symbol + 8 in section .text" and "TIME 7fb95ab3cd20". */
static bool is_symbol_line(const char *s, const char *end)
{
	static const char section[] = " in section .";
	const char *at, *rest;
	s64 ns;
	u64 v;

	at = take_us(s, end, &ns);
	if (!at || at == end || *at != ' ' || !memchr(s, '.', at - s))
		return false;
	at = kfi_skip_blanks(at, end);
	if (memmem(at, end - at, section, strlen(section)))
		return true;
	rest = kfi_take_hex(at, end, &v);
	return rest && rest - at >= 4 && kfi_skip_blanks(rest, end) == end;
}

static bool is_qemu(const char *s, size_t len)
{
	const char *end = s + len, *at;
	u64 v;

	if (len == SIMPLE_LINE && !memcmp(s, simple_magic, SIMPLE_LINE))
		return true;
	if (starts(s, end, KFI_BLOCKS_MAGIC))
		return true;
	if (starts(s, end, "exec_tb"))
		return true;
	if (starts(s, end, "Trace ")) {
		at = memchr(s, '[', len);
		return at && memmem(s, at - s, " 0x", 3);
	}
	at = kfi_take_number(s, end, &v);
	if (at && at < end && *at == '@') {
		at = memchr(at, ':', end - at);
		return at && starts(at + 1, end, "exec_tb");
	}
	return is_symbol_line(s, end);
}

/* The clock */

static s64 clock_at(struct kfi_import *im, struct qemu *q)
{
	if (unlikely(q->ns < q->now))
		im->log->head.steps_back++;
	else
		q->now = q->ns;
	return q->now;
}

/* Blocks */

static int run_pending_block(struct qemu *q, struct kfi_err *err)
{
	if (!q->held)
		return 0;
	q->held = false;
	q->blocks++;
	return kfi_rebuild_block(q->rebuild, q->held_cpu, q->held_ns, q->held_pc, err);
}

static inline int add_block(struct kfi_import *im, struct qemu *q, u32 cpu, u64 pc,
			    struct kfi_err *err)
{
	int ret = run_pending_block(q, err);

	if (unlikely(!q->has_times))
		q->ns += BLOCK_NS;
	q->held = true;
	q->held_cpu = cpu;
	q->held_ns = clock_at(im, q);
	q->held_pc = pc;
	return ret;
}

static int drop_blocks(struct qemu *q, u64 n, struct kfi_err *err)
{
	q->dropped += n;
	return kfi_rebuild_lost(q->rebuild, err);
}

static int bad_line(struct kfi_import *im, const char *s, size_t len, const char *at,
		    const char *why)
{
	kfi_import_bad(im, s, len, (u32)min_t(size_t, (size_t)(at - s), len) + 1, why);
	return 0;
}

/* Handle "exec_tb tb:0x7f5a1c000100 pc=0xffffffff81000000"; the event begins at @at. */
static int exec_tb(struct kfi_import *im, struct qemu *q, const char *s, size_t len, const char *at,
		   struct kfi_err *err)
{
	const char *end = s + len, *x;
	u64 pc;

	/* Skip exec_tb_exit and other events. */
	if (!starts(at, end, "exec_tb ") && !starts(at, end, "exec_tb_nocache "))
		return 0;
	if (q->has_trace)
		return 0;
	x = kfi_qemu_event(at, end, &at, &pc);
	if (!x || kfi_skip_blanks(x, end) != end)
		return bad_line(im, s, len, x ? x : end,
				"no address after pc=: the line is damaged");
	return add_block(im, q, 0, pc, err);
}

/* Handle "4491@1400000000.123456:EVENT". */
static int parse_stamped_line(struct kfi_import *im, struct qemu *q, const char *s, size_t len,
			      const char *at, struct kfi_err *err)
{
	const char *end = s + len, *x;
	u64 sec, us;

	x = kfi_take_number(at, end, &sec);
	if (!x || x == end || *x != '.' || sec > S64_MAX / 2000000000)
		return bad_line(im, s, len, x ? x : at,
				"no time: expected PID@SECONDS.MICROSECONDS");
	at = x + 1;
	x = kfi_take_number(at, end, &us);
	if (!x || x == end || *x != ':' || x - at != 6)
		return bad_line(im, s, len, at, "no time: expected PID@SECONDS.MICROSECONDS");
	q->ns = (s64)(sec * 1000000000 + us * 1000);
	if (unlikely(!q->has_times)) {
		/* Lines before this one had another clock. */
		q->has_times = true;
		if (!q->blocks)
			q->now = q->held_ns = q->ns;
	}
	return exec_tb(im, q, s, len, x + 1, err);
}

/* Handle "exec_tb 1.953 pid=4491 tb=0x7fa869afe010 pc=0xfffffff0". */
static int simple_text(struct kfi_import *im, struct qemu *q, const char *s, size_t len,
		       struct kfi_err *err)
{
	const char *end = s + len, *x = memchr(s, ' ', len), *pc_at;
	s64 delta;
	u64 v;

	x = x ? take_us(kfi_skip_blanks(x, end), end, &delta) : NULL;
	if (!x || x == end || *x != ' ')
		return bad_line(im, s, len, s, "no time after the event: the line is damaged");
	q->has_times = true;
	if (__builtin_add_overflow(q->ns, delta, &q->ns) || q->ns > S64_MAX / 2 ||
	    q->ns < -(S64_MAX / 2))
		return bad_line(im, s, len, s, "the time is too large to count in nanoseconds: the line is damaged");
	if (*s == 'D' || *s == 'd') {
		pc_at = memmem(x, end - x, "dropped=0x", 10);
		return drop_blocks(q, pc_at && kfi_take_hex(pc_at + 10, end, &v) ? v : 1, err);
	}
	if (!starts(s, end, "exec_tb ") && !starts(s, end, "exec_tb_nocache "))
		return 0;
	x = kfi_qemu_event(x, end, &pc_at, &v);
	if (!x || kfi_skip_blanks(x, end) != end)
		return bad_line(im, s, len, end, "no address after pc=: the line is damaged");
	return add_block(im, q, 0, v, err);
}

/*
 * Handle "Trace 0: 0x7f5a1c000100 [cs_base/pc/flags/cflags] symbol", or the earlier form "Trace
 * 0x7f5a1c000100 [pc]".
 */
static int trace_line(struct kfi_import *im, struct qemu *q, const char *s, size_t len,
		      struct kfi_err *err)
{
	const char *end = s + len, *at = s + strlen("Trace "), *x;
	u64 cpu = 0, pc, v;

	x = kfi_take_number(at, end, &v);
	if (x && x < end && *x == ':')
		cpu = v;
	x = kfi_qemu_trace(at, end, &at, &pc);
	if (!x)
		return bad_line(im, s, len, at, "no [ADDRESS] after the block: the line is damaged");
	if (unlikely(!q->has_trace)) {
		q->has_trace = true;
		/* The first block is in the log twice. */
		if (q->held && q->held_pc == pc)
			q->held = false;
	}
	return add_block(im, q, (u32)min_t(u64, cpu, U32_MAX), pc, err);
}

/*
 * Handle "Stopped execution of TB chain before 0x7f5a1c000100 [pc] symbol": that block did not run.
 */
static int undo_stopped_block(struct qemu *q, const char *s, size_t len)
{
	const char *at;
	u64 pc;

	if (kfi_qemu_trace(s, s + len, &at, &pc) && q->held && q->held_pc == pc)
		q->held = false;
	return 0;
}

/* Handle "TIME symbol + 8 in section .text" and "TIME 7fb95ab3cd20". */
static int symbol_line(struct kfi_import *im, struct qemu *q, const char *s, size_t len,
		       struct kfi_err *err)
{
	const char *end = s + len, *x, *name, *section;
	u64 pc, off = 0;
	s64 ns;

	x = take_us(s, end, &ns);
	if (!x || x == end || *x != ' ')
		return bad_line(im, s, len, x ? x : s, "no time: expected MICROSECONDS and a blank");
	name = kfi_skip_blanks(x, end);
	section = memmem(name, end - name, " in section ", 12);
	if (!section) {
		x = kfi_take_hex(name, end, &pc);
		if (!x || kfi_skip_blanks(x, end) != end)
			return bad_line(im, s, len, name,
					"expected SYMBOL in section NAME, or an address in hex");
	} else {
		const char *plus = memmem(name, section - name, " + ", 3);
		const char *name_end = plus ? plus : section;

		if (plus && kfi_take_number(plus + 3, section, &off) != section)
			return bad_line(im, s, len, plus + 3, "no decimal offset after +");
		pc = kfi_code_named(q->code, name, (u32)(name_end - name));
		if (pc == U64_MAX)
			return bad_line(im, s, len, name, "vmlinux has no such symbol: give the vmlinux of the traced kernel");
		pc += off;
	}
	q->ns = ns;
	q->has_times = true;
	return add_block(im, q, 0, pc, err);
}

static inline int one_line(struct kfi_import *im, struct qemu *q, const char *s, size_t len,
			   struct kfi_err *err)
{
	const char *end = s + len, *x;
	u64 v;

	if (unlikely(!len))
		return 0;
	if (*s == 'T' && starts(s, end, "Trace "))
		return trace_line(im, q, s, len, err);
	if ((u8)(*s - '0') < 10) {
		x = kfi_take_number(s, end, &v);
		if (x && x < end && *x == '@')
			return parse_stamped_line(im, q, s, len, x + 1, err);
		return symbol_line(im, q, s, len, err);
	}
	x = memchr(s, ' ', len);
	if (x)
		x = kfi_skip_blanks(x, end);
	if (starts(s, end, "exec_tb") && x && x < end && *x != 't' && *x != 'f')
		return simple_text(im, q, s, len, err);
	if (starts(s, end, "Dropped_Event") || starts(s, end, "dropped"))
		return simple_text(im, q, s, len, err);
	if (starts(s, end, "exec_tb"))
		return exec_tb(im, q, s, len, s, err);
	if (starts(s, end, "Stopped execution of TB"))
		return undo_stopped_block(q, s, len);
	return bad_line(im, s, len, s, "neither a block nor an event of QEMU");
}

/* Binary */

static u64 le64(const u8 *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return le64toh(v);
}

static u32 le32(const u8 *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return le32toh(v);
}

static int bad_byte(struct kfi_import *im, u64 at, const char *why)
{
	kfi_import_bad_byte(im, at, why);
	return 0;
}

static int bad_record(struct kfi_import *im, const u8 *data, const u8 *at, const char *why)
{
	return bad_byte(im, (u64)(at - data) + SIMPLE_LINE + 1, why);
}

/* Handle the record of an event at @p. */
static int simple_event(struct kfi_import *im, struct qemu *q, const u8 *p, u32 len,
			const u64 block_event[2], struct kfi_err *err)
{
	u64 event = le64(p);

	if (event == SIMPLE_DROPPED)
		return drop_blocks(q, len >= SIMPLE_HEAD + 8 ? le64(p + SIMPLE_HEAD) : 1, err);
	if ((event != block_event[0] && event != block_event[1]) || len < SIMPLE_HEAD + 16)
		return 0;
	q->ns = (s64)min_t(u64, le64(p + 8), S64_MAX / 2);
	q->has_times = true;
	return add_block(im, q, 0, le64(p + SIMPLE_HEAD + 8), err);
}

static int simple_binary(struct kfi_import *im, struct qemu *q, struct kfi_err *err)
{
	static const char *const names[2] = { "exec_tb", "exec_tb_nocache" };
	u64 block_event[2] = { U64_MAX, U64_MAX };
	const u8 *p, *data, *end;
	const char *rest;
	size_t len;
	int ret = kfi_in_rest(&im->log->in, &rest, &len, err);

	if (ret)
		return ret;
	kfi_in_take(&im->log->in, len);
	p = data = (const u8 *)rest;
	end = p + len;
	if (len < 12 || memcmp(p, simple_magic + SIMPLE_LINE + 1, 4) ||
	    le64(p + 4) != SIMPLE_VERSION)
		return kfi_err_set(err, EINVAL, "%s: kd reads version %d of simpletrace only; convert the trace to text with the simpletrace.py of the QEMU that wrote it",
				   im->log->in.name, SIMPLE_VERSION);
	for (p += 12; !ret && p < end; p += len) {
		u64 kind;

		if (end - p < 8)
			return bad_record(im, data, p, "the trace ends in the middle of a record: copy it again");
		kind = le64(p);
		p += 8;
		if (kind == SIMPLE_MAPPING) {
			if (end - p < 12 || le32(p + 8) > (u64)(end - p) - 12)
				return bad_record(im, data, p, "the trace ends in the middle of a record: copy it again");
			len = 12 + le32(p + 8);
			for (int i = 0; i < 2; i++)
				if (len - 12 == strlen(names[i]) &&
				    !memcmp(p + 12, names[i], len - 12))
					block_event[i] = le64(p);
		} else if (kind == SIMPLE_EVENT) {
			if (end - p < SIMPLE_HEAD || le32(p + 16) > (u64)(end - p))
				return bad_record(im, data, p, "the trace ends in the middle of a record: copy it again");
			len = le32(p + 16);
			if (len < SIMPLE_HEAD)
				return bad_record(im, data, p,
						 "the record is shorter than its header: the trace is damaged");
			ret = simple_event(im, q, p, (u32)len, block_event, err);
		} else {
			return bad_record(im, data, p, "the record is neither a mapping nor an event: the trace is damaged");
		}
	}
	return ret;
}

/* Read a trace of KFI's plugin. The clock counts instructions, as a nanosecond each. */
static int plugin_trace(struct kfi_import *im, struct qemu *q, size_t first, struct kfi_err *err)
{
	struct kfi_blocks b;
	int ret, item;

	q->has_times = q->has_insns = true;
	ret = kfi_blocks_init(&b, &im->log->in);
	if (ret)
		ret = kfi_import_no_memory(im, err);
	while (!ret) {
		item = kfi_blocks_next(&b, err);
		if (likely(item == KFI_BLOCKS_BLOCK))
			ret = kfi_rebuild_block(q->rebuild, b.cpu, (s64)b.clock, b.pc, err);
		else if (item == KFI_BLOCKS_MOVE)
			ret = kfi_rebuild_stack(q->rebuild, b.cpu, b.from, b.to, err);
		else
			break;
	}
	if (!ret && item == KFI_BLOCKS_DAMAGED)
		ret = bad_byte(im, first + b.at, b.why);
	else if (!ret)
		ret = item;
	kfi_blocks_free(&b);
	return ret;
}

/* From the first line to the last one */

static int begin(struct kfi_import *im, struct kfi_err *err)
{
	struct qemu *q;
	int ret;

	if (!im->log->vmlinux)
		return kfi_err_set(err, EINVAL, "%s: a trace of QEMU has only the addresses of blocks; give the vmlinux of the traced kernel: --vmlinux FILE",
				   im->log->in.name);
	q = calloc(1, sizeof(*q));
	if (!q)
		return kfi_err_set(err, ENOMEM, "%s: out of memory", im->log->in.name);
	im->state = q;
	im->irqs = im->switches = true;
	ret = kfi_code_open(&q->code, im->log->vmlinux, err);
	ret = ret ? : kfi_rebuild_open(&q->rebuild, im, q->code, err);
	ret = ret ? : kfi_rebuild_ranges(q->rebuild, im->log->named_ranges, err);
	ret = ret ? : kfi_rebuild_kaslr(q->rebuild, im->log->kaslr, err);
	return ret ? : kfi_rebuild_programs(q->rebuild, im->log->elf_files, err);
}

static int whole(struct kfi_import *im, const char *s, size_t len, struct kfi_err *err)
{
	struct qemu *q = im->state;
	int ret;

	if (len == SIMPLE_LINE && !memcmp(s, simple_magic, SIMPLE_LINE))
		return simple_binary(im, q, err);
	if (starts(s, s + len, KFI_BLOCKS_MAGIC))
		return plugin_trace(im, q, len + 2, err);
	ret = one_line(im, q, s, len, err);
	while (!ret && (ret = kfi_in_line(&im->log->in, &s, &len, err)) > 0)
		ret = one_line(im, q, s, len, err);
	return ret;
}

static int line(struct kfi_import *im, const char *s, size_t len, struct kfi_err *err)
{
	return one_line(im, im->state, s, len, err);
}

static int end(struct kfi_import *im, struct kfi_err *err)
{
	struct qemu *q = im->state;
	int ret = run_pending_block(q, err) ? : kfi_rebuild_end(q->rebuild, err);

	if (!q->has_times)
		kfi_import_note(im, "the trace has no times: a microsecond stands for one block");
	if (q->has_insns)
		kfi_import_note(im, "times are instructions: a microsecond stands for 1000 of them");
	if (q->has_trace && q->has_times)
		kfi_import_note(im, "lines of -d exec have no time: each block gets the time of the last exec_tb line before it");
	if (q->dropped)
		kfi_import_note(im, "QEMU has dropped %llu events: at each gap kd closes and opens calls so that they fit the code after it",
				(unsigned long long)q->dropped);
	return ret;
}

static void free_state(struct kfi_import *im)
{
	struct qemu *q = im->state;

	if (!q)
		return;
	kfi_rebuild_close(q->rebuild);
	kfi_code_close(q->code);
	free(q);
	im->state = NULL;
}

const struct kfi_import_format kfi_import_qemu = {
	.name = "qemu",
	.what = "a trace of QEMU",
	.is = is_qemu,
	.begin = begin,
	.line = line,
	.whole = whole,
	.end = end,
	.free = free_state,
};
