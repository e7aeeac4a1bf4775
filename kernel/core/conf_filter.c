// SPDX-License-Identifier: GPL-2.0
/*
 * The grammar of filters: what may follow the word filter in the configuration language.
 */
#include "core/conf_parse.h"

/* Consumes the number of a time filter, and looks at both limits together. */
static int take_time(struct kfi_parse *p, u64 *limit)
{
	struct kfi_block *b = &p->b;
	int ret = kfi_tok_number(&p->tok, true, 0, KFI_CONF_FILTER_US_MAX, limit, p->err);

	if (ret)
		return ret;
	if (b->maxtime && b->mintime > b->maxtime)
		return kfi_parse_fail(p, limit == &b->mintime ? b->maxtime : b->mintime,
				      limit == &b->mintime ?
				      "mintime @ is above maxtime (% us)" :
				      "maxtime @ is below mintime (% us)");
	return kfi_parse_next(p);
}

/* One of the words mintime and maxtime, and its number. */
static int take_limit(struct kfi_parse *p, enum kfi_once item, u64 *limit)
{
	int ret = kfi_parse_once(p, item);

	if (!ret)
		ret = kfi_parse_next(p);
	return ret ? ret : take_time(p, limit);
}

/* The old ``filter time MIN,MAX``. */
static int take_both(struct kfi_parse *p)
{
	int ret = kfi_parse_once(p, KFI_ONCE_MINTIME);

	if (!ret)
		ret = take_limit(p, KFI_ONCE_MAXTIME, &p->b.mintime);
	if (ret)
		return ret;
	if (!p->tok.len || p->tok.s[0] != ',')
		return kfi_parse_fail(p, 0, "@, where ',' and the maximum are expected");
	ret = kfi_parse_next(p);
	return ret ? ret : take_time(p, &p->b.maxtime);
}

/* Consumes a filter's word and its number. */
static int take_number(struct kfi_parse *p, enum kfi_conf_num which)
{
	static const struct {
		u32 min;
		u32 max;
	} range[KFI_NUMS] = {
		[KFI_NUM_DEPTH]	= { 1, KFI_CONF_DEPTH_MAX },
		[KFI_NUM_PID]	= { 0, KFI_CONF_PID_MAX },
		[KFI_NUM_CPU]	= { 0, KFI_CONF_CPU_MAX },
	};
	int ret = kfi_parse_once(p, (enum kfi_once)(KFI_ONCE_NUM + which));

	if (!ret)
		ret = kfi_parse_next(p);
	if (!ret)
		ret = kfi_tok_number(&p->tok, false, range[which].min, range[which].max,
				     &p->b.num[which], p->err);
	return ret ? ret : kfi_parse_next(p);
}

static int take_context(struct kfi_parse *p, enum kfi_once item, enum kfi_once other)
{
	int ret = kfi_parse_once(p, item);

	if (ret)
		return ret;
	if (p->b.given[other])
		return kfi_parse_fail(p, p->b.given[other],
				      "@ contradicts the filter in line %");
	return kfi_parse_next(p);
}

/* Consumes one FUNC of a list. */
static int take_listed(struct kfi_parse *p, enum kfi_conf_list list)
{
	struct kfi_func f;
	int ret;

	if (p->b.nfuncs == KFI_CONF_FUNCS_MAX) {
		kfi_parse_fail(p, KFI_CONF_FUNCS_MAX,
			       "@: the lists of a block take at most % functions");
		return -E2BIG;
	}
	ret = kfi_parse_func(p, true, &f);
	if (ret)
		return ret;
	f.list = (u8)list;
	if (p->out && p->nblocks == p->want + 1)
		p->out->funcs[p->b.nfuncs] = f;
	p->b.nfuncs++;
	return 0;
}

/* Consumes the last word before a list, and the list. */
static int take_list(struct kfi_parse *p, enum kfi_conf_list list)
{
	u32 line = p->tok.line;
	int ret;

	ret = kfi_parse_next(p);
	while (!ret) {
		ret = take_listed(p, list);
		if (ret)
			break;
		if (!p->tok.len)
			return kfi_parse_fail(p, line, "missing fend: @ in the list of line %");
		if (p->tok.word == KFI_W_FEND)
			return kfi_parse_next(p);
		if (p->tok.word != KFI_W_NONE && (kfi_conf_words[p->tok.word].at & KFI_AT_ITEM))
			return 0;
		if (p->tok.s[0] == ',')
			ret = kfi_parse_next(p);
	}
	return ret;
}

static int take_under(struct kfi_parse *p)
{
	int ret = kfi_parse_next(p);

	if (!ret)
		ret = kfi_parse_place(p, KFI_AT_ONLY);
	return ret ? ret : take_list(p, KFI_LIST_UNDER);
}

int kfi_parse_filter(struct kfi_parse *p)
{
	int ret = kfi_parse_place(p, KFI_AT_FILTER);

	if (ret)
		return ret;
	switch (p->tok.word) {
	case KFI_W_MINTIME:
		return take_limit(p, KFI_ONCE_MINTIME, &p->b.mintime);
	case KFI_W_MAXTIME:
		return take_limit(p, KFI_ONCE_MAXTIME, &p->b.maxtime);
	case KFI_W_TIME:
		return take_both(p);
	case KFI_W_NOINTS:
	case KFI_W_NOINT:
		return take_context(p, KFI_ONCE_NOINTS, KFI_ONCE_ONLYINTS);
	case KFI_W_ONLYINTS:
	case KFI_W_ONLYINT:
		return take_context(p, KFI_ONCE_ONLYINTS, KFI_ONCE_NOINTS);
	case KFI_W_DEPTH:
		return take_number(p, KFI_NUM_DEPTH);
	case KFI_W_PID:
		return take_number(p, KFI_NUM_PID);
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
