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
	struct block b;
	u32 nblocks;
	u32 want;
	struct kfi_conf *out;
	kfi_conf_func_fn fn;
	void *arg;
};

/* Consume the current token. */
static int next(struct parse *p)
{
	return kfi_scan_next(&p->scan, &p->tok, p->err);
}

/* Reject the current token; @num and @reason as for kfi_conf_fail(). */
static int fail(struct parse *p, u64 num, const char *reason)
{
	return kfi_conf_fail(p->err, &p->tok, num, reason);
}

/* Check that the current token may stand at this place. */
static int check_place(struct parse *p, enum kfi_conf_place place)
{
	const struct kfi_conf_word *w;

	if (p->tok.word == KFI_W_NONE)
		return fail(p, place, p->tok.len ?
				      "unknown word @, where & is expected" :
				      "@, where & is expected");
	w = &kfi_conf_words[p->tok.word];
	if (!(w->at & place))
		return fail(p, place, "@, where & is expected");
	if (w->later)
		return fail(p, 0, "@ is not supported yet");
	return 0;
}

/* Note an item that may be given once. */
static int note_once(struct parse *p, enum once item)
{
	if (p->b.given[item])
		return fail(p, p->b.given[item],
				      "@ is given twice, first in line %");
	p->b.given[item] = p->tok.line;
	return 0;
}

/* Consume the FUNC that must stand here; @many as for kfi_tok_func(). */
static int take_func(struct parse *p, bool many, struct kfi_func *f)
{
	int ret = kfi_tok_func(&p->tok, many, f, p->err);

	if (ret)
		return ret;
	if (p->fn)
		p->fn(p->arg, f);
	return next(p);
}

/* ---- filters ---- */

/* Consumes the number of a time filter, and looks at both limits together. */
static int take_time(struct parse *p, u64 *limit)
{
	struct block *b = &p->b;
	int ret = kfi_tok_number(&p->tok, true, 0, KFI_CONF_FILTER_US_MAX, limit, p->err);

	if (ret)
		return ret;
	if (b->maxtime && b->mintime > b->maxtime)
		return fail(p, limit == &b->mintime ? b->maxtime : b->mintime,
				      limit == &b->mintime ?
				      "mintime @ is above maxtime (% us)" :
				      "maxtime @ is below mintime (% us)");
	return next(p);
}

/* One of the words mintime and maxtime, and its number. */
static int take_limit(struct parse *p, enum once item, u64 *limit)
{
	int ret = note_once(p, item);

	if (!ret)
		ret = next(p);
	return ret ? ret : take_time(p, limit);
}

/* The old ``filter time MIN,MAX``. */
static int take_both(struct parse *p)
{
	int ret = note_once(p, ONCE_MINTIME);

	if (!ret)
		ret = take_limit(p, ONCE_MAXTIME, &p->b.mintime);
	if (ret)
		return ret;
	if (!p->tok.len || p->tok.s[0] != ',')
		return fail(p, 0, "@, where ',' and the maximum are expected");
	ret = next(p);
	return ret ? ret : take_time(p, &p->b.maxtime);
}

/* Consumes a filter's word and its number. */
static int take_number(struct parse *p, enum kfi_conf_num which)
{
	static const struct {
		u32 min;
		u32 max;
	} range[KFI_NUMS] = {
		[KFI_NUM_DEPTH]	= { 1, KFI_CONF_DEPTH_MAX },
		[KFI_NUM_PID]	= { 0, KFI_CONF_PID_MAX },
		[KFI_NUM_CPU]	= { 0, KFI_CONF_CPU_MAX },
	};
	int ret = note_once(p, (enum once)(ONCE_NUM + which));

	if (!ret)
		ret = next(p);
	if (!ret)
		ret = kfi_tok_number(&p->tok, false, range[which].min, range[which].max,
				     &p->b.num[which], p->err);
	return ret ? ret : next(p);
}

/* Consume a pid, and the word children behind it. */
static int take_pid(struct parse *p)
{
	int ret = take_number(p, KFI_NUM_PID);

	if (ret || p->tok.word != KFI_W_CHILDREN)
		return ret;
	p->b.children = true;
	return next(p);
}

static int take_context(struct parse *p, enum once item, enum once other)
{
	int ret = note_once(p, item);

	if (ret)
		return ret;
	if (p->b.given[other])
		return fail(p, p->b.given[other],
				      "@ contradicts the filter in line %");
	return next(p);
}

/* Consumes one FUNC of a list. */
static int take_listed(struct parse *p, enum kfi_conf_list list)
{
	struct kfi_func f;
	int ret;

	if (p->b.nfuncs == KFI_CONF_FUNCS_MAX) {
		fail(p, KFI_CONF_FUNCS_MAX,
			       "@: the lists of a block take at most % functions");
		return -E2BIG;
	}
	ret = take_func(p, true, &f);
	if (ret)
		return ret;
	f.list = (u8)list;
	if (p->out && p->nblocks == p->want + 1)
		p->out->funcs[p->b.nfuncs] = f;
	p->b.nfuncs++;
	return 0;
}

/* Consume a list. Its first FUNC is the next token. @line: the line where it begins */
static int take_funcs(struct parse *p, enum kfi_conf_list list, u32 line)
{
	int ret = 0;

	while (!ret) {
		ret = take_listed(p, list);
		if (ret)
			break;
		if (!p->tok.len)
			return fail(p, line, "missing fend: @ in the list of line %");
		if (p->tok.word == KFI_W_FEND)
			return next(p);
		if (p->tok.word != KFI_W_NONE && (kfi_conf_words[p->tok.word].at & KFI_AT_ITEM))
			return 0;
		if (p->tok.s[0] == ',')
			ret = next(p);
	}
	return ret;
}

/* Consumes the last word before a list, and the list. */
static int take_list(struct parse *p, enum kfi_conf_list list)
{
	u32 line = p->tok.line;
	int ret = next(p);

	return ret ? ret : take_funcs(p, list, line);
}

static int take_under(struct parse *p)
{
	int ret = next(p);

	if (!ret)
		ret = check_place(p, KFI_AT_ONLY);
	return ret ? ret : take_list(p, KFI_LIST_UNDER);
}

/* Consume what follows the word filter. */
static int take_filter(struct parse *p)
{
	int ret = check_place(p, KFI_AT_FILTER);

	if (ret)
		return ret;
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
		return take_number(p, KFI_NUM_DEPTH);
	case KFI_W_PID:
		return take_pid(p);
	case KFI_W_CPU:
		return take_number(p, KFI_NUM_CPU);
	case KFI_W_FUNCLIST:
		return take_list(p, KFI_LIST_ONLY);
	case KFI_W_EXCLUDE:
		return take_list(p, KFI_LIST_EXCLUDE);
	default:
		return take_under(p);
	}
}

/* ---- items ---- */

/* Notes an item that may be given once and goes together with none of two others. */
static int once_without(struct parse *p, enum once item, enum once other,
			enum once another)
{
	u32 line = p->b.given[other] ? p->b.given[other] : p->b.given[another];
	int ret = note_once(p, item);

	if (!ret && line)
		ret = fail(p, line, "@ contradicts the item in line %");
	return ret;
}

static int take_trigger(struct parse *p)
{
	struct kfi_trigger *t;
	bool stop;
	int ret = check_place(p, KFI_AT_EDGE);

	if (ret)
		return ret;
	stop = p->tok.word == KFI_W_STOP;
	t = &p->b.trig[stop];
	ret = note_once(p, stop ? ONCE_STOP : ONCE_START);
	if (!ret)
		ret = next(p);
	if (!ret)
		ret = check_place(p, KFI_AT_KIND);
	if (ret)
		return ret;
	t->kind = p->tok.word == KFI_W_ENTRY ? KFI_TRIG_ENTRY :
		  p->tok.word == KFI_W_EXIT ? KFI_TRIG_EXIT : KFI_TRIG_TIME;
	ret = next(p);
	if (ret)
		return ret;
	if (t->kind != KFI_TRIG_TIME)
		return take_func(p, false, &t->func);

	/* A session that stops 0 us after its start is a mistake, not a session. */
	ret = kfi_tok_number(&p->tok, true, stop, KFI_CONF_TRIGGER_US_MAX, &t->usecs, p->err);
	return ret ? ret : next(p);
}

/* A profile has no rows, so there is no place for marks. */
static int take_marks(struct parse *p)
{
	u32 line = p->b.given[ONCE_PROFILE];
	int ret;

	if (line)
		return fail(p, line, "@ contradicts the item in line %");
	ret = next(p);
	if (!ret)
		ret = check_place(p, KFI_AT_MARK);
	while (!ret && p->tok.word != KFI_W_NONE &&
	       (kfi_conf_words[p->tok.word].at & KFI_AT_MARK)) {
		ret = note_once(p, (enum once)(ONCE_MARK + p->tok.word - KFI_W_SWITCHES));
		if (!ret)
			ret = next(p);
	}
	return ret;
}

static int take_watch(struct parse *p)
{
	int ret = once_without(p, ONCE_WATCH, ONCE_PROFILE, ONCE_PROFILE);

	if (!ret)
		ret = next(p);
	if (!ret)
		ret = check_place(p, KFI_AT_WATCH);
	if (ret)
		return ret;
	p->b.watch = p->tok.word == KFI_W_STACK ? KFI_WATCH_STACK : KFI_WATCH_WORST;
	ret = next(p);
	if (ret)
		return ret;
	/* Where to begin need not be said if only the worst is reported. */
	if (p->b.watch == KFI_WATCH_WORST && (p->tok.word != KFI_W_NONE || !p->tok.len))
		return 0;
	ret = kfi_tok_number(&p->tok, false, 1, KFI_CONF_WATCH_MAX, &p->b.watch_bytes, p->err);
	return ret ? ret : next(p);
}

/* Consume ``record``, what is recorded, and of which functions. A profile has no place for it. */
static int take_record(struct parse *p)
{
	int ret = once_without(p, ONCE_RECORD, ONCE_PROFILE, ONCE_PROFILE);
	u32 line = p->tok.line;

	if (!ret)
		ret = next(p);
	if (!ret)
		ret = check_place(p, KFI_AT_RECORD);
	if (!ret && p->tok.word == KFI_W_ARGS) {
		ret = next(p);
		if (!ret)
			ret = kfi_tok_number(&p->tok, false, 1, KFI_CONF_ARGS_MAX, &p->b.args,
					     p->err);
		if (!ret)
			ret = next(p);
	}
	if (!ret && p->tok.word == KFI_W_RET) {
		p->b.ret = true;
		ret = next(p);
	}
	return ret ? ret : take_funcs(p, KFI_LIST_RECORD, line);
}

/* Notes a word that is an item by itself, and consumes it. */
static int take_alone(struct parse *p, enum once item)
{
	int ret = note_once(p, item);

	return ret ? ret : next(p);
}

/* A profile has no log that could be overwritten, or hold marks, stacks or arguments. */
static int take_profile(struct parse *p)
{
	int ret = once_without(p, ONCE_PROFILE, ONCE_OVERWRITE, ONCE_WATCH);
	u32 i, line = p->b.given[ONCE_RECORD];

	for (i = 0; !line && i < KFI_MARKS; i++)
		line = p->b.given[ONCE_MARK + i];
	if (!ret && line)
		ret = fail(p, line, "@ contradicts the item in line %");
	return ret ? ret : next(p);
}

/* Consumes one item; the current token begins it. */
static int take_item(struct parse *p)
{
	int ret = check_place(p, KFI_AT_ITEM);

	if (ret)
		return ret;
	switch (p->tok.word) {
	case KFI_W_TRIGGER:
		ret = next(p);
		return ret ? ret : take_trigger(p);
	case KFI_W_FILTER:
		ret = next(p);
		return ret ? ret : take_filter(p);
	case KFI_W_OVERWRITE:
		ret = once_without(p, ONCE_OVERWRITE, ONCE_PROFILE, ONCE_PROFILE);
		return ret ? ret : next(p);
	case KFI_W_PROFILE:
		return take_profile(p);
	case KFI_W_AUTOREPEAT:
		return take_alone(p, ONCE_AUTOREPEAT);
	case KFI_W_MARK:
		return take_marks(p);
	case KFI_W_WATCH:
		return take_watch(p);
	case KFI_W_RECORD:
		return take_record(p);
	default:
		ret = take_alone(p, ONCE_ENTRIES);
		if (!ret)
			ret = kfi_tok_number(&p->tok, false, 1, KFI_CONF_ENTRIES_MAX,
					     &p->b.entries, p->err);
		return ret ? ret : next(p);
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
static int take_block(struct parse *p)
{
	int ret;

	if (p->tok.word == KFI_W_NEW) {
		ret = next(p);
		if (ret)
			return ret;
	}
	if (p->tok.word != KFI_W_BEGIN)
		return fail(p, 0, "@, where 'begin' is expected");
	if (p->nblocks == KFI_CONF_BLOCKS_MAX) {
		fail(p, KFI_CONF_BLOCKS_MAX, "@: a text holds at most % blocks");
		return -E2BIG;
	}
	p->nblocks++;
	p->b = (struct block) { .begun = p->tok.line };
	ret = next(p);
	while (!ret && p->tok.word != KFI_W_END) {
		if (!p->tok.len)
			return fail(p, p->b.begun,
					      "missing end: @ in the block begun in line %");
		ret = take_item(p);
	}
	if (ret)
		return ret;
	if (p->out && p->nblocks == p->want + 1)
		store(&p->b, p->out);
	return next(p);
}

static int take_text(struct parse *p)
{
	int ret = next(p);

	if (!ret)
		ret = take_block(p);
	while (!ret && p->tok.len) {
		if (p->tok.word != KFI_W_NEW && p->tok.word != KFI_W_BEGIN)
			return fail(p, 0, "@ after end");
		ret = take_block(p);
	}
	return ret;
}

/* One pass; the text is the same in both, and so is the outcome. */
static int pass(struct parse *p, const char *text, size_t len, struct kfi_conf_err *err)
{
	int ret;

	p->err = err;
	ret = kfi_scan_init(&p->scan, text, len, err);
	return ret ? ret : take_text(p);
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

int kfi_conf_parse(struct kfi_conf *c, const char *text, size_t len,
		   struct kfi_conf_err *err)
{
	return kfi_conf_parse_block(c, text, len, 0, err);
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
static int take_mark(struct kfi_scan *scan, struct kfi_conf_text *mark, struct kfi_conf_err *err)
{
	struct kfi_tok line, tok;
	int ret = kfi_scan_line(scan, &line, err);

	if (ret)
		return ret;
	if (!line.len) {
		line.s = scan->text + scan->pos;
		return kfi_conf_fail(err, &line, 0, "a mark without a text");
	}
	if (line.len > KFI_CONF_MARK_MAX) {
		kfi_conf_fail(err, &line, KFI_CONF_MARK_MAX,
			      "the text of a mark is longer than % bytes");
		return -E2BIG;
	}
	ret = kfi_scan_next(scan, &tok, err);
	if (ret)
		return ret;
	if (tok.len)
		return kfi_conf_fail(err, &tok, 0, "@ after a mark, which takes one line");
	*mark = (struct kfi_conf_text) { .s = line.s, .len = line.len };
	return KFI_CMD_MARK;
}

int kfi_conf_command(const char *text, size_t len, struct kfi_conf_text *mark,
		     struct kfi_conf_err *err)
{
	struct kfi_scan scan;
	struct kfi_tok tok;
	int ret, cmd;

	ret = kfi_scan_init(&scan, text, len, err);
	if (!ret)
		ret = kfi_scan_next(&scan, &tok, err);
	if (ret)
		return ret;
	switch (tok.word) {
	case KFI_W_NEW:
	case KFI_W_BEGIN:
		return KFI_CMD_NEW;
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
		return take_mark(&scan, mark, err);
	default:
		return kfi_conf_fail(err, &tok, KFI_AT_COMMAND, "@, where & is expected");
	}
	ret = kfi_scan_next(&scan, &tok, err);
	if (ret)
		return ret;
	if (tok.len)
		return kfi_conf_fail(err, &tok, 0, "@ after a command that takes nothing");
	return cmd;
}

enum kfi_conf_first kfi_conf_first(const char *text, size_t len)
{
	struct kfi_conf_err err;
	struct kfi_scan scan;
	struct kfi_tok tok;

	if (kfi_scan_init(&scan, text, len, &err) || kfi_scan_next(&scan, &tok, &err))
		return KFI_FIRST_OTHER;
	if (!tok.len)
		return KFI_FIRST_NONE;
	return tok.word == KFI_W_NEW || tok.word == KFI_W_BEGIN ? KFI_FIRST_BEGIN :
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
