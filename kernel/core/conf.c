// SPDX-License-Identifier: GPL-2.0
/*
 * The grammar of the configuration language: blocks, items, and what contradicts what. Filters are
 * in core/conf_filter.c, commands in core/conf_cmd.c.
 *
 * A text is read twice: once to see that all of it is right, then to fill the caller's structure,
 * so that a refused text leaves nothing behind and no scratch memory is needed.
 */
#include "core/conf_parse.h"

int kfi_parse_place(struct kfi_parse *p, enum kfi_conf_place place)
{
	const struct kfi_conf_word *w;

	if (p->tok.word == KFI_W_NONE)
		return kfi_parse_fail(p, place, p->tok.len ?
				      "unknown word @, where & is expected" :
				      "@, where & is expected");
	w = &kfi_conf_words[p->tok.word];
	if (!(w->at & place))
		return kfi_parse_fail(p, place, "@, where & is expected");
	if (w->later || (w->soon && !(p->flags & KFI_CONF_SOON)))
		return kfi_parse_fail(p, 0, "@ is not supported yet");
	return 0;
}

int kfi_parse_once(struct kfi_parse *p, enum kfi_once item)
{
	if (p->b.given[item])
		return kfi_parse_fail(p, p->b.given[item],
				      "@ is given twice, first in line %");
	p->b.given[item] = p->tok.line;
	return 0;
}

int kfi_parse_func(struct kfi_parse *p, bool many, struct kfi_func *f)
{
	int ret = kfi_tok_func(&p->tok, many, f, p->err);

	if (ret)
		return ret;
	if (p->fn)
		p->fn(p->arg, f);
	return kfi_parse_next(p);
}

/* Notes an item that may be given once and goes together with none of two others. */
static int once_without(struct kfi_parse *p, enum kfi_once item, enum kfi_once other,
			enum kfi_once another)
{
	u32 line = p->b.given[other] ? p->b.given[other] : p->b.given[another];
	int ret = kfi_parse_once(p, item);

	if (!ret && line)
		ret = kfi_parse_fail(p, line, "@ contradicts the item in line %");
	return ret;
}

static int take_trigger(struct kfi_parse *p)
{
	struct kfi_trigger *t;
	bool stop;
	int ret = kfi_parse_place(p, KFI_AT_EDGE);

	if (ret)
		return ret;
	stop = p->tok.word == KFI_W_STOP;
	t = &p->b.trig[stop];
	ret = kfi_parse_once(p, stop ? KFI_ONCE_STOP : KFI_ONCE_START);
	if (!ret)
		ret = kfi_parse_next(p);
	if (!ret)
		ret = kfi_parse_place(p, KFI_AT_KIND);
	if (ret)
		return ret;
	t->kind = p->tok.word == KFI_W_ENTRY ? KFI_TRIG_ENTRY :
		  p->tok.word == KFI_W_EXIT ? KFI_TRIG_EXIT : KFI_TRIG_TIME;
	ret = kfi_parse_next(p);
	if (ret)
		return ret;
	if (t->kind != KFI_TRIG_TIME)
		return kfi_parse_func(p, false, &t->func);

	/* A run that stops 0 us after its start is a mistake, not a run. */
	ret = kfi_tok_number(&p->tok, true, stop, KFI_CONF_TRIGGER_US_MAX, &t->usecs, p->err);
	return ret ? ret : kfi_parse_next(p);
}

/* A profile has no rows, so there is no place for marks. */
static int take_marks(struct kfi_parse *p)
{
	u32 line = p->b.given[KFI_ONCE_PROFILE];
	int ret;

	if (line)
		return kfi_parse_fail(p, line, "@ contradicts the item in line %");
	ret = kfi_parse_next(p);
	if (!ret)
		ret = kfi_parse_place(p, KFI_AT_MARK);
	while (!ret && p->tok.word != KFI_W_NONE &&
	       (kfi_conf_words[p->tok.word].at & KFI_AT_MARK)) {
		ret = kfi_parse_once(p, (enum kfi_once)(KFI_ONCE_MARK + p->tok.word -
							KFI_W_SWITCHES));
		if (!ret)
			ret = kfi_parse_next(p);
	}
	return ret;
}

static int take_watch(struct kfi_parse *p)
{
	int ret = once_without(p, KFI_ONCE_WATCH, KFI_ONCE_PROFILE, KFI_ONCE_PROFILE);

	if (!ret)
		ret = kfi_parse_next(p);
	if (!ret)
		ret = kfi_parse_place(p, KFI_AT_WATCH);
	if (ret)
		return ret;
	p->b.watch = p->tok.word == KFI_W_STACK ? KFI_WATCH_STACK : KFI_WATCH_WORST;
	ret = kfi_parse_next(p);
	if (ret)
		return ret;
	/* Where to begin need not be said if only the worst is reported. */
	if (p->b.watch == KFI_WATCH_WORST && (p->tok.word != KFI_W_NONE || !p->tok.len))
		return 0;
	ret = kfi_tok_number(&p->tok, false, 1, KFI_CONF_WATCH_MAX, &p->b.watch_bytes, p->err);
	return ret ? ret : kfi_parse_next(p);
}

/* Notes a word that is an item by itself, and consumes it. */
static int take_alone(struct kfi_parse *p, enum kfi_once item)
{
	int ret = kfi_parse_once(p, item);

	return ret ? ret : kfi_parse_next(p);
}

/* A profile has no log that could be overwritten, or hold marks or stacks. */
static int take_profile(struct kfi_parse *p)
{
	int ret = once_without(p, KFI_ONCE_PROFILE, KFI_ONCE_OVERWRITE, KFI_ONCE_WATCH);
	u32 i, line = 0;

	for (i = 0; !line && i < KFI_MARKS; i++)
		line = p->b.given[KFI_ONCE_MARK + i];
	if (!ret && line)
		ret = kfi_parse_fail(p, line, "@ contradicts the item in line %");
	return ret ? ret : kfi_parse_next(p);
}

/* Consumes one item; the current token begins it. */
static int take_item(struct kfi_parse *p)
{
	int ret = kfi_parse_place(p, KFI_AT_ITEM);

	if (ret)
		return ret;
	switch (p->tok.word) {
	case KFI_W_TRIGGER:
		ret = kfi_parse_next(p);
		return ret ? ret : take_trigger(p);
	case KFI_W_FILTER:
		ret = kfi_parse_next(p);
		return ret ? ret : kfi_parse_filter(p);
	case KFI_W_OVERWRITE:
		ret = once_without(p, KFI_ONCE_OVERWRITE, KFI_ONCE_PROFILE, KFI_ONCE_PROFILE);
		return ret ? ret : kfi_parse_next(p);
	case KFI_W_PROFILE:
		return take_profile(p);
	case KFI_W_AUTOREPEAT:
		return take_alone(p, KFI_ONCE_AUTOREPEAT);
	case KFI_W_MARK:
		return take_marks(p);
	case KFI_W_WATCH:
		return take_watch(p);
	default:
		ret = take_alone(p, KFI_ONCE_ENTRIES);
		if (!ret)
			ret = kfi_tok_number(&p->tok, false, 1, KFI_CONF_ENTRIES_MAX,
					     &p->b.entries, p->err);
		return ret ? ret : kfi_parse_next(p);
	}
}

static void store(const struct kfi_block *b, struct kfi_conf *c)
{
	u32 i;

	c->start = b->trig[0];
	c->stop = b->trig[1];
	c->mintime_us = b->mintime;
	c->maxtime_us = b->maxtime;
	c->logentries = (u32)b->entries;
	c->mode = b->given[KFI_ONCE_PROFILE] ? KFI_MODE_PROFILE :
		  b->given[KFI_ONCE_OVERWRITE] ? KFI_MODE_OVERWRITE : KFI_MODE_START;
	c->autorepeat = b->given[KFI_ONCE_AUTOREPEAT];
	c->marks = 0;
	for (i = 0; i < KFI_MARKS; i++)
		c->marks |= b->given[KFI_ONCE_MARK + i] ? 1u << i : 0;
	c->watch = b->watch;
	c->watch_bytes = (u32)b->watch_bytes;
	c->nfuncs = b->nfuncs;
	c->nums = 0;
	for (i = 0; i < KFI_NUMS; i++) {
		c->num[i] = (u32)b->num[i];
		c->nums |= b->given[KFI_ONCE_NUM + i] ? 1u << i : 0;
	}
	c->noints = b->given[KFI_ONCE_NOINTS];
	c->onlyints = b->given[KFI_ONCE_ONLYINTS];
	for (i = b->nfuncs; i < KFI_CONF_FUNCS_MAX; i++)
		c->funcs[i] = (struct kfi_func) { .name = NULL };
}

/* From the word new or begin to behind the word end. */
static int take_block(struct kfi_parse *p)
{
	int ret;

	if (p->tok.word == KFI_W_NEW) {
		ret = kfi_parse_next(p);
		if (ret)
			return ret;
	} else if ((p->flags & KFI_CONF_PROC) && !p->nblocks) {
		return kfi_parse_fail(p, 0, "@, where 'new begin' is expected");
	}
	if (p->tok.word != KFI_W_BEGIN)
		return kfi_parse_fail(p, 0, "@, where 'begin' is expected");
	if (p->nblocks == KFI_CONF_BLOCKS_MAX) {
		kfi_parse_fail(p, KFI_CONF_BLOCKS_MAX, "@: a text holds at most % blocks");
		return -E2BIG;
	}
	p->nblocks++;
	p->b = (struct kfi_block) { .begun = p->tok.line };
	ret = kfi_parse_next(p);
	while (!ret && p->tok.word != KFI_W_END) {
		if (!p->tok.len)
			return kfi_parse_fail(p, p->b.begun,
					      "missing end: @ in the block begun in line %");
		ret = take_item(p);
	}
	if (ret)
		return ret;
	if (p->out && p->nblocks == p->want + 1)
		store(&p->b, p->out);
	return kfi_parse_next(p);
}

static int take_text(struct kfi_parse *p)
{
	int ret = kfi_parse_next(p);

	if (!ret)
		ret = take_block(p);
	while (!ret && p->tok.len) {
		if (p->tok.word != KFI_W_NEW && p->tok.word != KFI_W_BEGIN)
			return kfi_parse_fail(p, 0, "@ after end");
		ret = take_block(p);
	}
	return ret;
}

/* One pass; the text is the same in both, and so is the outcome. */
static int pass(struct kfi_parse *p, const char *text, size_t len, unsigned int flags,
		struct kfi_conf_err *err)
{
	int ret;

	p->err = err;
	p->flags = flags;
	ret = kfi_scan_init(&p->scan, text, len, err);
	return ret ? ret : take_text(p);
}

int kfi_conf_count(const char *text, size_t len, unsigned int flags, struct kfi_conf_err *err)
{
	struct kfi_parse p = { .fn = NULL };
	int ret = pass(&p, text, len, flags, err);

	return ret ? ret : (int)p.nblocks;
}

int kfi_conf_parse_block(struct kfi_conf *c, const char *text, size_t len, unsigned int flags,
			 u32 n, struct kfi_conf_err *err)
{
	struct kfi_parse p = { .out = c, .want = n };
	int ret = kfi_conf_count(text, len, flags, err);

	if (ret < 0)
		return ret;
	return n < (u32)ret ? pass(&p, text, len, flags, err) : -ENOENT;
}

int kfi_conf_parse(struct kfi_conf *c, const char *text, size_t len, unsigned int flags,
		   struct kfi_conf_err *err)
{
	return kfi_conf_parse_block(c, text, len, flags, 0, err);
}

int kfi_conf_walk(const char *text, size_t len, unsigned int flags, kfi_conf_func_fn fn, void *arg,
		  struct kfi_conf_err *err)
{
	struct kfi_parse p = { .fn = fn, .arg = arg };
	int ret = kfi_conf_count(text, len, flags, err);

	return ret < 0 ? ret : pass(&p, text, len, flags, err);
}
