// SPDX-License-Identifier: GPL-2.0
/*
 * The grammar of the configuration language: blocks, items, filters, and what contradicts what; and
 * the commands of /proc/kfi.
 *
 * A text is parsed twice: the first pass checks all of it, the second fills the caller's structure.
 * So a rejected text leaves nothing behind, and no scratch memory is needed.
 */
#include "core/conf_tok.h"

/* Items of a block that may be given once. */
enum once {
	ONCE_START,
	ONCE_STOP,
	ONCE_MINTIME,
	ONCE_MAXTIME,
	ONCE_NOINTS,
	ONCE_ONLYINTS,
	ONCE_ENTRIES,
	ONCE_OVERWRITE,
	ONCE_PROFILE,
	ONCE_AUTOREPEAT,
	ONCE_WATCH,
	ONCE_RECORD,
	ONCE_MARK,				/* one for each enum kfi_conf_mark */
	ONCE_NUM = ONCE_MARK + KFI_MARKS,	/* one for each enum kfi_conf_num */
	ONCE_COUNT = ONCE_NUM + KFI_NUMS,
};

/**
 * struct block - the block that is being read
 * @begun: line of its begin
 * @trig: start and stop trigger
 * @mintime: as in struct kfi_conf
 * @maxtime: as in struct kfi_conf
 * @entries: logentries
 * @watch: which stacks are reported
 * @watch_bytes: as in struct kfi_conf
 * @args: how many arguments are recorded
 * @ret: return values are recorded
 * @num: the numbers of the filters depth, pid and cpu
 * @children: as in struct kfi_conf
 * @nfuncs: functions of all lists
 * @given: line of each item that may be given once; 0: not given
 *
 * All that struct kfi_conf holds apart from its long array, which is filled directly.
 */
struct block {
	u32 begun;
	struct kfi_trigger trig[2];
	u64 mintime;
	u64 maxtime;
	u64 entries;
	enum kfi_conf_watch watch;
	u64 watch_bytes;
	u64 args;
	bool ret;
	u64 num[KFI_NUMS];
	bool children;
	u32 nfuncs;
	u32 given[ONCE_COUNT];
};

/**
 * struct parse - one pass over a text
 * @scan: where it is
 * @tok: the token not yet consumed
 * @err: filled when the text is rejected
 * @ret: 0, or the first error; once it is set, the functions below change nothing that is used
 * @b: the block that is being read
 * @nblocks: blocks begun
 * @want: the block that goes to @out
 * @out: where to; NULL in the checking pass
 * @fn: receives each FUNC; NULL: nobody
 * @arg: first argument of @fn
 */
struct parse {
	struct kfi_scan scan;
	struct kfi_tok tok;
	struct kfi_conf_err *err;
	int ret;
	struct block b;
	u32 nblocks;
	u32 want;
	struct kfi_conf *out;
	kfi_conf_func_fn fn;
	void *arg;
};

/* Consume the current token. */
static void next(struct parse *p)
{
	if (!p->ret)
		p->ret = kfi_scan_next(&p->scan, &p->tok, p->err);
}

/* Reject the current token with the error @ret; @num and @reason as for kfi_conf_fail(). */
static void fail_with(struct parse *p, int ret, u64 num, const char *reason)
{
	if (p->ret)
		return;
	kfi_conf_fail(p->err, &p->tok, num, reason);
	p->ret = ret;
}

static void fail(struct parse *p, u64 num, const char *reason)
{
	fail_with(p, -EINVAL, num, reason);
}

/* Return true if the current token is a keyword that may stand at this place. */
static bool is_at(const struct parse *p, u32 place)
{
	return p->tok.word != KFI_W_NONE && (kfi_conf_words[p->tok.word].at & place);
}

/* Check that the current token may stand at this place. */
static void check_place(struct parse *p, enum kfi_conf_place place)
{
	if (!is_at(p, place))
		fail(p, place, p->tok.word == KFI_W_NONE && p->tok.len ?
			       "unknown word @, where & is expected" :
			       "@, where & is expected");
	else if (kfi_conf_words[p->tok.word].later)
		fail(p, 0, "@ is not supported yet");
}

/* Note an item that may be given once. */
static void note_once(struct parse *p, enum once item)
{
	if (p->b.given[item])
		fail(p, p->b.given[item], "@ is given twice, first in line %");
	p->b.given[item] = p->tok.line;
}

/* Note a word that is an item by itself, and consume it. */
static void take_once(struct parse *p, enum once item)
{
	note_once(p, item);
	next(p);
}

/* Consume the number that must stand here; the limits as for kfi_tok_number(). */
static void take_number(struct parse *p, bool unit, u64 min, u64 max, u64 *v)
{
	if (!p->ret)
		p->ret = kfi_tok_number(&p->tok, unit, min, max, v, p->err);
	next(p);
}

/* Consume the FUNC that must stand here; @many as for kfi_tok_func(). */
static void take_func(struct parse *p, bool many, struct kfi_func *f)
{
	if (!p->ret)
		p->ret = kfi_tok_func(&p->tok, many, f, p->err);
	if (!p->ret && p->fn)
		p->fn(p->arg, f);
	next(p);
}

/* ---- filters ---- */

/* Consume the number of a time filter, and look at both limits together. */
static void take_time(struct parse *p, u64 *limit)
{
	const struct block *b = &p->b;
	bool min = limit == &b->mintime;

	if (!p->ret)
		p->ret = kfi_tok_number(&p->tok, true, 0, KFI_CONF_FILTER_US_MAX, limit, p->err);
	if (b->maxtime && b->mintime > b->maxtime)
		fail(p, min ? b->maxtime : b->mintime,
		     min ? "mintime @ is above maxtime (% us)" :
			   "maxtime @ is below mintime (% us)");
	next(p);
}

/* One of the words mintime and maxtime, and its number. */
static void take_limit(struct parse *p, enum once item, u64 *limit)
{
	take_once(p, item);
	take_time(p, limit);
}

/* The old ``filter time MIN,MAX``. */
static void take_both(struct parse *p)
{
	note_once(p, ONCE_MINTIME);
	take_limit(p, ONCE_MAXTIME, &p->b.mintime);
	if (!p->tok.len || p->tok.s[0] != ',')
		fail(p, 0, "@, where ',' and the maximum are expected");
	next(p);
	take_time(p, &p->b.maxtime);
}

/* Consume a filter's word and its number. */
static void take_filter_number(struct parse *p, enum kfi_conf_num which)
{
	static const struct {
		u32 min;
		u32 max;
	} range[KFI_NUMS] = {
		[KFI_NUM_DEPTH]	= { 1, KFI_CONF_DEPTH_MAX },
		[KFI_NUM_PID]	= { 0, KFI_CONF_PID_MAX },
		[KFI_NUM_CPU]	= { 0, KFI_CONF_CPU_MAX },
	};

	take_once(p, (enum once)(ONCE_NUM + which));
	take_number(p, false, range[which].min, range[which].max, &p->b.num[which]);
}

/* Consume a pid, and the word children behind it. */
static void take_pid(struct parse *p)
{
	take_filter_number(p, KFI_NUM_PID);
	if (p->tok.word != KFI_W_CHILDREN)
		return;
	p->b.children = true;
	next(p);
}

static void take_context(struct parse *p, enum once item, enum once other)
{
	note_once(p, item);
	if (p->b.given[other])
		fail(p, p->b.given[other], "@ contradicts the filter in line %");
	next(p);
}

/* Consume one FUNC of a list. */
static void take_listed(struct parse *p, enum kfi_conf_list list)
{
	struct kfi_func f;

	if (p->b.nfuncs == KFI_CONF_FUNCS_MAX)
		fail_with(p, -E2BIG, KFI_CONF_FUNCS_MAX,
			  "@: the lists of a block take at most % functions");
	take_func(p, true, &f);
	if (p->ret)
		return;
	f.list = (u8)list;
	if (p->out && p->nblocks == p->want + 1)
		p->out->funcs[p->b.nfuncs] = f;
	p->b.nfuncs++;
}

/* Consume a list. Its first FUNC is the next token. @line: the line where it begins */
static void take_funcs(struct parse *p, enum kfi_conf_list list, u32 line)
{
	while (!p->ret) {
		take_listed(p, list);
		if (!p->tok.len)
			return fail(p, line, "missing fend: @ in the list of line %");
		if (p->tok.word == KFI_W_FEND)
			return next(p);
		if (is_at(p, KFI_AT_ITEM))
			return;
		if (p->tok.s[0] == ',')
			next(p);
	}
}

/* Consume the last word before a list, and the list. */
static void take_list(struct parse *p, enum kfi_conf_list list)
{
	u32 line = p->tok.line;

	next(p);
	take_funcs(p, list, line);
}

static void take_under(struct parse *p)
{
	next(p);
	check_place(p, KFI_AT_ONLY);
	take_list(p, KFI_LIST_UNDER);
}

/* Consume what follows the word filter. */
static void take_filter(struct parse *p)
{
	check_place(p, KFI_AT_FILTER);
	switch (p->tok.word) {
	case KFI_W_MINTIME:
		return take_limit(p, ONCE_MINTIME, &p->b.mintime);
	case KFI_W_MAXTIME:
		return take_limit(p, ONCE_MAXTIME, &p->b.maxtime);
	case KFI_W_TIME:
		return take_both(p);
	case KFI_W_NOINTS:
	case KFI_W_NOINT:
		return take_context(p, ONCE_NOINTS, ONCE_ONLYINTS);
	case KFI_W_ONLYINTS:
	case KFI_W_ONLYINT:
		return take_context(p, ONCE_ONLYINTS, ONCE_NOINTS);
	case KFI_W_DEPTH:
		return take_filter_number(p, KFI_NUM_DEPTH);
	case KFI_W_PID:
		return take_pid(p);
	case KFI_W_CPU:
		return take_filter_number(p, KFI_NUM_CPU);
	case KFI_W_FUNCLIST:
		return take_list(p, KFI_LIST_ONLY);
	case KFI_W_EXCLUDE:
		return take_list(p, KFI_LIST_EXCLUDE);
	default:
		return take_under(p);
	}
}

/* ---- items ---- */

/* Reject the current item if it contradicts one that was given in @line; 0: there is none. */
static void check_against(struct parse *p, u32 line)
{
	if (line)
		fail(p, line, "@ contradicts the item in line %");
}

static void take_trigger(struct parse *p)
{
	bool stop = p->tok.word == KFI_W_STOP;
	struct kfi_trigger *t = &p->b.trig[stop];

	check_place(p, KFI_AT_EDGE);
	take_once(p, stop ? ONCE_STOP : ONCE_START);
	check_place(p, KFI_AT_KIND);
	t->kind = p->tok.word == KFI_W_ENTRY ? KFI_TRIG_ENTRY :
		  p->tok.word == KFI_W_EXIT ? KFI_TRIG_EXIT : KFI_TRIG_TIME;
	next(p);
	if (t->kind != KFI_TRIG_TIME)
		return take_func(p, false, &t->func);

	/* A session that stops 0 us after its start is a mistake, not a session. */
	take_number(p, true, stop, KFI_CONF_TRIGGER_US_MAX, &t->usecs);
}

/* Note an item that has no place in a profile, and consume its word. */
static void take_unprofiled(struct parse *p, enum once item)
{
	note_once(p, item);
	check_against(p, p->b.given[ONCE_PROFILE]);
	next(p);
}

/* A profile has no rows, so there is no place for marks. */
static void take_marks(struct parse *p)
{
	check_against(p, p->b.given[ONCE_PROFILE]);
	next(p);
	check_place(p, KFI_AT_MARK);
	while (!p->ret && is_at(p, KFI_AT_MARK))
		take_once(p, (enum once)(ONCE_MARK + p->tok.word - KFI_W_SWITCHES));
}

static void take_watch(struct parse *p)
{
	take_unprofiled(p, ONCE_WATCH);
	check_place(p, KFI_AT_WATCH);
	p->b.watch = p->tok.word == KFI_W_STACK ? KFI_WATCH_STACK : KFI_WATCH_WORST;
	next(p);
	/* Where to begin need not be said if only the worst is reported. */
	if (p->b.watch == KFI_WATCH_WORST && (p->tok.word != KFI_W_NONE || !p->tok.len))
		return;
	take_number(p, false, 1, KFI_CONF_WATCH_MAX, &p->b.watch_bytes);
}

/* Consume ``record``, what is recorded, and of which functions. */
static void take_record(struct parse *p)
{
	u32 line = p->tok.line;

	take_unprofiled(p, ONCE_RECORD);
	check_place(p, KFI_AT_RECORD);
	if (p->tok.word == KFI_W_ARGS) {
		next(p);
		take_number(p, false, 1, KFI_CONF_ARGS_MAX, &p->b.args);
	}
	if (p->tok.word == KFI_W_RET) {
		p->b.ret = true;
		next(p);
	}
	take_funcs(p, KFI_LIST_RECORD, line);
}

/* A profile has no log that could be overwritten, or hold marks, stacks or arguments. */
static void take_profile(struct parse *p)
{
	u32 i;

	note_once(p, ONCE_PROFILE);
	check_against(p, p->b.given[ONCE_OVERWRITE]);
	check_against(p, p->b.given[ONCE_WATCH]);
	check_against(p, p->b.given[ONCE_RECORD]);
	for (i = 0; i < KFI_MARKS; i++)
		check_against(p, p->b.given[ONCE_MARK + i]);
	next(p);
}

/* Consume one item; the current token begins it. */
static void take_item(struct parse *p)
{
	check_place(p, KFI_AT_ITEM);
	switch (p->tok.word) {
	case KFI_W_TRIGGER:
		next(p);
		return take_trigger(p);
	case KFI_W_FILTER:
		next(p);
		return take_filter(p);
	case KFI_W_OVERWRITE:
		return take_unprofiled(p, ONCE_OVERWRITE);
	case KFI_W_PROFILE:
		return take_profile(p);
	case KFI_W_AUTOREPEAT:
		return take_once(p, ONCE_AUTOREPEAT);
	case KFI_W_MARK:
		return take_marks(p);
	case KFI_W_WATCH:
		return take_watch(p);
	case KFI_W_RECORD:
		return take_record(p);
	default:
		take_once(p, ONCE_ENTRIES);
		take_number(p, false, 1, KFI_CONF_ENTRIES_MAX, &p->b.entries);
	}
}

static void store(const struct block *b, struct kfi_conf *c)
{
	u32 i;

	c->start = b->trig[0];
	c->stop = b->trig[1];
	c->mintime_us = b->mintime;
	c->maxtime_us = b->maxtime;
	c->logentries = (u32)b->entries;
	c->mode = b->given[ONCE_PROFILE] ? KFI_MODE_PROFILE :
		  b->given[ONCE_OVERWRITE] ? KFI_MODE_OVERWRITE : KFI_MODE_START;
	c->autorepeat = b->given[ONCE_AUTOREPEAT];
	c->marks = 0;
	for (i = 0; i < KFI_MARKS; i++)
		c->marks |= b->given[ONCE_MARK + i] ? 1u << i : 0;
	c->watch = b->watch;
	c->watch_bytes = (u32)b->watch_bytes;
	c->args = (u32)b->args;
	c->ret = b->ret;
	c->nfuncs = b->nfuncs;
	c->nums = 0;
	for (i = 0; i < KFI_NUMS; i++) {
		c->num[i] = (u32)b->num[i];
		c->nums |= b->given[ONCE_NUM + i] ? 1u << i : 0;
	}
	c->children = b->children;
	c->noints = b->given[ONCE_NOINTS];
	c->onlyints = b->given[ONCE_ONLYINTS];
	for (i = b->nfuncs; i < KFI_CONF_FUNCS_MAX; i++)
		c->funcs[i] = (struct kfi_func) { .name = NULL };
}

/* From the word new or begin to behind the word end. */
static void take_block(struct parse *p)
{
	if (p->tok.word == KFI_W_NEW)
		next(p);
	if (p->tok.word != KFI_W_BEGIN)
		fail(p, 0, "@, where 'begin' is expected");
	if (p->nblocks == KFI_CONF_BLOCKS_MAX)
		fail_with(p, -E2BIG, KFI_CONF_BLOCKS_MAX, "@: a text holds at most % blocks");
	p->nblocks++;
	p->b = (struct block) { .begun = p->tok.line };
	next(p);
	while (!p->ret && p->tok.word != KFI_W_END) {
		if (!p->tok.len)
			fail(p, p->b.begun, "missing end: @ in the block begun in line %");
		take_item(p);
	}
	if (!p->ret && p->out && p->nblocks == p->want + 1)
		store(&p->b, p->out);
	next(p);
}

/* Begin to read a text: its first token is the current one. */
static void start(struct parse *p, const char *text, size_t len, struct kfi_conf_err *err)
{
	p->err = err;
	p->ret = kfi_scan_init(&p->scan, text, len, err);
	next(p);
}

/* One pass; the text is the same in both, and so is the outcome. */
static int pass(struct parse *p, const char *text, size_t len, struct kfi_conf_err *err)
{
	start(p, text, len, err);
	take_block(p);
	while (!p->ret && p->tok.len) {
		if (p->tok.word != KFI_W_NEW && p->tok.word != KFI_W_BEGIN)
			fail(p, 0, "@ after end");
		take_block(p);
	}
	return p->ret;
}

int kfi_conf_count(const char *text, size_t len, struct kfi_conf_err *err)
{
	struct parse p = { .fn = NULL };
	int ret = pass(&p, text, len, err);

	return ret ? ret : (int)p.nblocks;
}

int kfi_conf_parse_block(struct kfi_conf *c, const char *text, size_t len,
			 u32 n, struct kfi_conf_err *err)
{
	struct parse p = { .out = c, .want = n };
	int ret = kfi_conf_count(text, len, err);

	if (ret < 0)
		return ret;
	return n < (u32)ret ? pass(&p, text, len, err) : -ENOENT;
}

int kfi_conf_walk(const char *text, size_t len, kfi_conf_func_fn fn, void *arg,
		  struct kfi_conf_err *err)
{
	struct parse p = { .fn = fn, .arg = arg };
	int ret = kfi_conf_count(text, len, err);

	return ret < 0 ? ret : pass(&p, text, len, err);
}

/* ---- commands ---- */

/* The rest of the line is the text of a mark. */
static void take_mark(struct parse *p, struct kfi_conf_text *mark)
{
	struct kfi_tok line;

	if (!p->ret)
		p->ret = kfi_scan_line(&p->scan, &p->tok, p->err);
	line = p->tok;
	if (!line.len)
		fail(p, 0, "a mark without a text");
	if (line.len > KFI_CONF_MARK_MAX)
		fail_with(p, -E2BIG, KFI_CONF_MARK_MAX,
			  "the text of a mark is longer than % bytes");
	next(p);
	if (p->tok.len)
		fail(p, 0, "@ after a mark, which takes one line");
	if (!p->ret)
		*mark = (struct kfi_conf_text) { .s = line.s, .len = line.len };
}

int kfi_conf_command(const char *text, size_t len, struct kfi_conf_text *mark,
		     struct kfi_conf_err *err)
{
	struct parse p = { .fn = NULL };
	enum kfi_conf_cmd cmd;

	start(&p, text, len, err);
	switch (p.tok.word) {
	case KFI_W_NEW:
	case KFI_W_BEGIN:
		return p.ret ? p.ret : KFI_CMD_NEW;
	case KFI_W_PRIME:
		cmd = KFI_CMD_PRIME;
		break;
	case KFI_W_START:
		cmd = KFI_CMD_START;
		break;
	case KFI_W_STOP:
		cmd = KFI_CMD_STOP;
		break;
	case KFI_W_SELFTEST:
		cmd = KFI_CMD_SELFTEST;
		break;
	case KFI_W_MARK:
		take_mark(&p, mark);
		return p.ret ? p.ret : KFI_CMD_MARK;
	default:
		fail(&p, KFI_AT_COMMAND, "@, where & is expected");
		return p.ret;
	}
	next(&p);
	if (p.tok.len)
		fail(&p, 0, "@ after a command that takes nothing");
	return p.ret ? p.ret : (int)cmd;
}

enum kfi_conf_first kfi_conf_first(const char *text, size_t len)
{
	struct parse p = { .fn = NULL };
	struct kfi_conf_err err;

	start(&p, text, len, &err);
	if (p.ret)
		return KFI_FIRST_OTHER;
	if (!p.tok.len)
		return KFI_FIRST_NONE;
	return p.tok.word == KFI_W_NEW || p.tok.word == KFI_W_BEGIN ? KFI_FIRST_BEGIN :
								      KFI_FIRST_OTHER;
}

size_t kfi_conf_rest_of_comment(const char *before, size_t blen, const char *text, size_t len)
{
	size_t n = 0;

	/* Any # begins a comment, or stands in one: see skip_blank() of conf_tok.c. */
	while (blen && before[blen - 1] != '\n' && before[blen - 1] != '#')
		blen--;
	if (!blen || before[blen - 1] == '\n')
		return 0;
	while (n < len && text[n] != '\n')
		n++;
	return n;
}

bool kfi_conf_is_begun(const char *text, size_t len)
{
	struct parse p = { .fn = NULL };
	struct kfi_conf_err err;

	return pass(&p, text, len, &err) && p.scan.pos == len && p.tok.word != KFI_W_END;
}
