// SPDX-License-Identifier: GPL-2.0
/*
 * The grammar of the configuration language: blocks, items, and what contradicts what.
 *
 * A text is read twice: once to see that all of it is right, then to fill the caller's structure,
 * so that a refused text leaves nothing behind and no scratch memory is needed.
 */
#include "kfi_conf_tok.h"

/* Items that may be given once. */
enum once {
	ONCE_START,
	ONCE_STOP,
	ONCE_MINTIME,
	ONCE_MAXTIME,
	ONCE_NOINTS,
	ONCE_ONLYINTS,
	ONCE_FUNCLIST,
	ONCE_ENTRIES,
	ONCE_NUM,			/* one for each enum kfi_conf_num */
	ONCE_COUNT = ONCE_NUM + KFI_NUMS,
};

/*
 * One pass over a text. All that struct kfi_conf holds apart from its long array is kept here; out
 * and fn are NULL in the checking pass.
 */
struct parse {
	struct kfi_scan scan;
	struct kfi_tok tok;		/* the token not yet consumed */
	struct kfi_conf_err *err;
	struct kfi_conf *out;
	kfi_conf_func_fn fn;
	void *arg;
	struct kfi_trigger trig[2];	/* start, stop */
	u64 mintime;
	u64 maxtime;
	u64 entries;
	u64 num[KFI_NUMS];
	u32 nfuncs;
	u32 given[ONCE_COUNT];		/* line of the item; 0: not given */
};

static int next(struct parse *p)
{
	return kfi_scan_next(&p->scan, &p->tok, p->err);
}

static int fail(struct parse *p, u64 num, const char *reason)
{
	return kfi_conf_fail(p->err, &p->tok, num, reason);
}

/* The current token is none of those that may stand at this place: say what may. */
static int unexpected(struct parse *p, enum kfi_conf_place place)
{
	if (p->tok.word != KFI_W_NONE && (kfi_conf_words[p->tok.word].at & place))
		return fail(p, 0, "@ is not supported yet");
	if (p->tok.word != KFI_W_NONE || !p->tok.len)
		return fail(p, place, "@, where & is expected");
	return fail(p, place, "unknown word @, where & is expected");
}

static int once(struct parse *p, enum once item)
{
	if (p->given[item])
		return fail(p, p->given[item], "@ is given twice, first in line %");
	p->given[item] = p->tok.line;
	return 0;
}

/* Consumes the FUNC that must stand here. */
static int take_func(struct parse *p, struct kfi_func *f)
{
	int ret = kfi_tok_func(&p->tok, f, p->err);

	if (ret)
		return ret;
	if (p->fn)
		p->fn(p->arg, f);
	return next(p);
}

static int take_trigger(struct parse *p)
{
	struct kfi_trigger *t;
	int ret;

	if (p->tok.word != KFI_W_START && p->tok.word != KFI_W_STOP)
		return unexpected(p, KFI_AT_EDGE);
	t = &p->trig[p->tok.word == KFI_W_STOP];
	ret = once(p, p->tok.word == KFI_W_STOP ? ONCE_STOP : ONCE_START);
	if (ret)
		return ret;
	ret = next(p);
	if (ret)
		return ret;

	switch (p->tok.word) {
	case KFI_W_ENTRY:
		t->kind = KFI_TRIG_ENTRY;
		break;
	case KFI_W_EXIT:
		t->kind = KFI_TRIG_EXIT;
		break;
	case KFI_W_TIME:
		t->kind = KFI_TRIG_TIME;
		break;
	default:
		return unexpected(p, KFI_AT_KIND);
	}
	ret = next(p);
	if (ret)
		return ret;
	if (t->kind != KFI_TRIG_TIME)
		return take_func(p, &t->func);

	/* A run that stops 0 us after its start is a mistake, not a run. */
	ret = kfi_tok_number(&p->tok, true, t == &p->trig[1], KFI_CONF_TRIGGER_US_MAX, &t->usecs,
			     p->err);
	return ret ? ret : next(p);
}

/* Consumes the number of a time filter, and looks at both limits together. */
static int take_filter_time(struct parse *p, u64 *limit)
{
	int ret = kfi_tok_number(&p->tok, true, 0, KFI_CONF_FILTER_US_MAX, limit, p->err);

	if (ret)
		return ret;
	if (p->maxtime && p->mintime > p->maxtime)
		return fail(p, limit == &p->mintime ? p->maxtime : p->mintime,
			    limit == &p->mintime ? "mintime @ is above maxtime (% us)" :
			    "maxtime @ is below mintime (% us)");
	return next(p);
}

/* The old ``filter time MIN,MAX``. */
static int take_filter_both(struct parse *p)
{
	int ret = once(p, ONCE_MINTIME);

	if (!ret)
		ret = once(p, ONCE_MAXTIME);
	if (!ret)
		ret = next(p);
	if (!ret)
		ret = take_filter_time(p, &p->mintime);
	if (ret)
		return ret;
	if (!p->tok.len || p->tok.s[0] != ',')
		return fail(p, 0, "@, where ',' and the maximum are expected");
	ret = next(p);
	return ret ? ret : take_filter_time(p, &p->maxtime);
}

/* Consumes a filter's word and its number. */
static int take_filter_number(struct parse *p, enum kfi_conf_num which)
{
	static const struct {
		u32 min;
		u32 max;
	} range[KFI_NUMS] = {
		[KFI_NUM_DEPTH]	= { 1, KFI_CONF_DEPTH_MAX },
		[KFI_NUM_PID]	= { 0, KFI_CONF_PID_MAX },
		[KFI_NUM_CPU]	= { 0, KFI_CONF_CPU_MAX },
	};
	int ret = once(p, (enum once)(ONCE_NUM + which));

	if (!ret)
		ret = next(p);
	if (!ret)
		ret = kfi_tok_number(&p->tok, false, range[which].min, range[which].max,
				     &p->num[which], p->err);
	return ret ? ret : next(p);
}

static int take_filter_context(struct parse *p, enum once item, enum once other)
{
	int ret = once(p, item);

	if (ret)
		return ret;
	if (p->given[other])
		return fail(p, p->given[other], "@ contradicts the filter in line %");
	return next(p);
}

static int take_funclist(struct parse *p)
{
	u32 line = p->tok.line;
	struct kfi_func f;
	int ret;

	ret = next(p);
	while (!ret) {
		if (p->nfuncs == KFI_CONF_FUNCS_MAX) {
			fail(p, KFI_CONF_FUNCS_MAX, "@: a funclist takes at most % functions");
			return -E2BIG;
		}
		ret = take_func(p, &f);
		if (ret)
			break;
		if (p->out)
			p->out->funcs[p->nfuncs] = f;
		p->nfuncs++;
		if (!p->tok.len)
			return fail(p, line, "missing fend: @ in the funclist of line %");
		if (p->tok.word == KFI_W_FEND)
			return next(p);
		if (p->tok.word != KFI_W_NONE && (kfi_conf_words[p->tok.word].at & KFI_AT_ITEM))
			return 0;
		if (p->tok.s[0] == ',')
			ret = next(p);
	}
	return ret;
}

static int take_filter(struct parse *p)
{
	int ret;

	switch (p->tok.word) {
	case KFI_W_MINTIME:
		ret = once(p, ONCE_MINTIME);
		if (!ret)
			ret = next(p);
		return ret ? ret : take_filter_time(p, &p->mintime);
	case KFI_W_MAXTIME:
		ret = once(p, ONCE_MAXTIME);
		if (!ret)
			ret = next(p);
		return ret ? ret : take_filter_time(p, &p->maxtime);
	case KFI_W_TIME:
		return take_filter_both(p);
	case KFI_W_NOINTS:
	case KFI_W_NOINT:
		return take_filter_context(p, ONCE_NOINTS, ONCE_ONLYINTS);
	case KFI_W_ONLYINTS:
	case KFI_W_ONLYINT:
		return take_filter_context(p, ONCE_ONLYINTS, ONCE_NOINTS);
	case KFI_W_DEPTH:
		return take_filter_number(p, KFI_NUM_DEPTH);
	case KFI_W_PID:
		return take_filter_number(p, KFI_NUM_PID);
	case KFI_W_CPU:
		return take_filter_number(p, KFI_NUM_CPU);
	case KFI_W_FUNCLIST:
		ret = once(p, ONCE_FUNCLIST);
		return ret ? ret : take_funclist(p);
	default:
		return unexpected(p, KFI_AT_FILTER);
	}
}

/* Consumes one item; the current token begins it. */
static int take_item(struct parse *p)
{
	int ret;

	switch (p->tok.word) {
	case KFI_W_TRIGGER:
		ret = next(p);
		return ret ? ret : take_trigger(p);
	case KFI_W_FILTER:
		ret = next(p);
		return ret ? ret : take_filter(p);
	case KFI_W_LOGENTRIES:
	case KFI_W_LOGSIZE:
		ret = once(p, ONCE_ENTRIES);
		if (!ret)
			ret = next(p);
		if (!ret)
			ret = kfi_tok_number(&p->tok, false, 1, KFI_CONF_ENTRIES_MAX, &p->entries,
					     p->err);
		return ret ? ret : next(p);
	default:
		return unexpected(p, KFI_AT_ITEM);
	}
}

static int take_block(struct parse *p, unsigned int flags)
{
	u32 line;
	int ret = next(p);

	if (ret)
		return ret;
	if (p->tok.word == KFI_W_NEW) {
		ret = next(p);
		if (ret)
			return ret;
	} else if (flags & KFI_CONF_PROC) {
		return fail(p, 0, "@, where 'new begin' is expected");
	}
	if (p->tok.word != KFI_W_BEGIN)
		return fail(p, 0, "@, where 'begin' is expected");
	line = p->tok.line;
	ret = next(p);
	while (!ret && p->tok.word != KFI_W_END) {
		if (!p->tok.len)
			return fail(p, line, "missing end: @ in the block begun in line %");
		ret = take_item(p);
	}
	if (!ret)
		ret = next(p);
	if (ret)
		return ret;
	if (p->tok.word == KFI_W_NEW || p->tok.word == KFI_W_BEGIN)
		return fail(p, 0, "@ after end: several blocks are not supported yet");
	if (p->tok.len)
		return fail(p, 0, "@ after end");
	return 0;
}

/* One pass; the text is the same in both, and so is the outcome. */
static int pass(struct parse *p, const char *text, size_t len, unsigned int flags,
		struct kfi_conf_err *err)
{
	int ret;

	p->err = err;
	ret = kfi_scan_init(&p->scan, text, len, err);
	return ret ? ret : take_block(p, flags);
}

static int run(struct parse *p, const char *text, size_t len, unsigned int flags,
	       struct kfi_conf_err *err)
{
	struct parse check = { .fn = NULL };
	int ret = pass(&check, text, len, flags, err);

	return ret ? ret : pass(p, text, len, flags, err);
}

int kfi_conf_parse(struct kfi_conf *c, const char *text, size_t len, unsigned int flags,
		   struct kfi_conf_err *err)
{
	struct parse p = { .out = c };
	u32 i;
	int ret;

	ret = run(&p, text, len, flags, err);
	if (ret)
		return ret;
	c->start = p.trig[0];
	c->stop = p.trig[1];
	c->mintime_us = p.mintime;
	c->maxtime_us = p.maxtime;
	c->logentries = (u32)p.entries;
	c->nfuncs = p.nfuncs;
	c->nums = 0;
	for (i = 0; i < KFI_NUMS; i++) {
		c->num[i] = (u32)p.num[i];
		c->nums |= p.given[ONCE_NUM + i] ? 1u << i : 0;
	}
	c->noints = p.given[ONCE_NOINTS];
	c->onlyints = p.given[ONCE_ONLYINTS];
	for (i = p.nfuncs; i < KFI_CONF_FUNCS_MAX; i++)
		c->funcs[i] = (struct kfi_func) { .name = NULL };
	return 0;
}

int kfi_conf_walk(const char *text, size_t len, unsigned int flags, kfi_conf_func_fn fn, void *arg,
		  struct kfi_conf_err *err)
{
	struct parse p = { .fn = fn, .arg = arg };

	return run(&p, text, len, flags, err);
}

int kfi_conf_command(const char *text, size_t len, struct kfi_conf_err *err)
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
