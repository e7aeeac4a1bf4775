// SPDX-License-Identifier: GPL-2.0
/* Decides which calls kd shows: see kd_filter.h. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

#include "kd_filter.h"

static const char *const option[KD_PATTERNS] = {
	[KD_FUNC] = "--func", [KD_UNDER] = "--under", [KD_CALLERS] = "--callers",
	[KD_CALLEES] = "--callees",
};

bool kd_time(const char *text, s64 *ns)
{
	static const struct {
		const char *name;
		u64 ns;
	} units[] = {
		{ "", 1000 }, { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
	};
	u64 v = 0, part = 0, scale = 1;
	const char *p = text;

	for (; *p >= '0' && *p <= '9'; p++) {
		if (v > (u64)S64_MAX / 10 - 10)
			return false;
		v = v * 10 + (*p - '0');
	}
	if (p == text)
		return false;
	if (*p == '.') {
		for (p++; *p >= '0' && *p <= '9'; p++) {
			if (scale >= 1000000000)
				return false;
			part = part * 10 + (*p - '0');
			scale *= 10;
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcmp(p, units[i].name))
			continue;
		if (v > (u64)S64_MAX / units[i].ns - 1)
			return false;
		*ns = (s64)(v * units[i].ns + part * units[i].ns / scale);
		return true;
	}
	return false;
}

/* Parse a list as "1,5-9,-1". */
static int parse_list(const char *name, const char *text, struct kd_range *range, u32 *n,
		      struct kfi_err *err)
{
	const char *p = text;

	do {
		char *end;
		struct kd_range *r = &range[*n];

		if (*n == KD_LIST_MAX)
			return kfi_err_set(err, EINVAL, "%s takes up to %u numbers", name,
					   KD_LIST_MAX);
		r->min = r->max = strtoll(p, &end, 10);
		if (end == p)
			break;
		p = end;
		if (*p == '-') {
			r->max = strtoll(p + 1, &end, 10);
			if (end == p + 1 || r->max < r->min)
				break;
			p = end;
		}
		++*n;
	} while (*p++ == ',');
	if (p == text || p[-1])
		return kfi_err_set(err, EINVAL, "%s needs numbers such as 1,5-9, not \"%s\"", name,
				   text);
	return 0;
}

static int parse_pattern(const char *name, struct kd_pattern *p, struct kfi_err *err)
{
	char *copy, *word, *save;
	char why[128];
	int ret;

	if (strncmp(p->text, "re:", 3) == 0) {
		ret = regcomp(&p->re, p->text + 3, REG_EXTENDED | REG_NOSUB);
		if (!ret)
			return 0;
		regerror(ret, &p->re, why, sizeof(why));
		ret = kfi_err_set(err, EINVAL, "%s: \"%s\": %s", name, p->text, why);
		p->text = NULL;
		return ret;
	}
	copy = strdup(p->text);
	for (word = copy ? strtok_r(copy, ",", &save) : NULL; word && p->n < KD_LIST_MAX;
	     word = strtok_r(NULL, ",", &save)) {
		p->glob[p->n] = strdup(word);
		if (!p->glob[p->n++])
			word = NULL;
	}
	free(copy);
	if (!copy || (p->n && !p->glob[p->n - 1]))
		return kfi_err_set(err, ENOMEM, "out of memory");
	if (word)
		return kfi_err_set(err, EINVAL, "%s takes up to %u patterns", name, KD_LIST_MAX);
	if (!p->n)
		return kfi_err_set(err, EINVAL, "%s needs the name of a function", name);
	return 0;
}

static int parse_time(const char *name, const char *text, s64 *ns, struct kfi_err *err)
{
	if (kd_time(text, ns))
		return 0;
	return kfi_err_set(err, EINVAL, "%s needs a time such as 500us, 1.5ms or 2s, not \"%s\"",
			   name, text);
}

static int parse_ctx(struct kd_filter *f, struct kfi_err *err)
{
	const char *p = f->ctxs;

	do {
		const char *at = *p ? strchr(KFI_CTX_LETTERS, *p) : NULL;

		if (!at)
			return kfi_err_set(err, EINVAL, "--ctx needs letters of \"%s\", not \"%s\"",
					   KFI_CTX_LETTERS, f->ctxs);
		f->ctx |= 1u << (at - KFI_CTX_LETTERS);
	} while (*++p);
	return 0;
}

int kd_filter_parse(struct kd_filter *f, struct kfi_err *err)
{
	int ret = 0;

	f->from_ns = 0;
	f->to_ns = S64_MAX;
	for (int i = 0; !ret && i < KD_PATTERNS; i++)
		if (f->pattern[i].text)
			ret = parse_pattern(option[i], &f->pattern[i], err);
	if (!ret && f->pids)
		ret = parse_list("--pid", f->pids, f->pid, &f->npids, err);
	if (!ret && f->cpus)
		ret = parse_list("--cpu", f->cpus, f->cpu, &f->ncpus, err);
	if (!ret && f->ctxs)
		ret = parse_ctx(f, err);
	if (!ret && f->from)
		ret = parse_time("--from", f->from, &f->from_ns, err);
	if (!ret && f->to)
		ret = parse_time("--to", f->to, &f->to_ns, err);
	if (!ret && f->from_ns >= f->to_ns)
		ret = kfi_err_set(err, EINVAL, "--to %s is not later than --from %s: no call can be in between",
				  f->to, f->from ? f->from : "0");
	if (!ret && f->pattern[KD_CALLERS].text && f->pattern[KD_CALLEES].text)
		ret = kfi_err_set(err, EINVAL, "--callers or --callees, not both");
	f->calls = f->pids || f->cpus || f->ctxs || f->from || f->to || f->depth != U64_MAX ||
		   f->pattern[KD_UNDER].text || f->pattern[KD_CALLERS].text ||
		   f->pattern[KD_CALLEES].text;
	return ret;
}

void kd_filter_free(struct kd_filter *f)
{
	for (int i = 0; i < KD_PATTERNS; i++) {
		struct kd_pattern *p = &f->pattern[i];

		if (p->text && !p->n)
			regfree(&p->re);
		for (u32 k = 0; k < p->n; k++)
			free(p->glob[k]);
		p->text = NULL;
		p->n = 0;
	}
}

bool kd_glob_matches(const char *glob, const char *name)
{
	return !strcmp(glob, name) || !fnmatch(glob, name, 0);
}

/*
 * Match a pattern. The pattern "name" also matches name@file, one of several functions of that
 * name.
 */
static bool matches(const struct kd_pattern *p, const char *name)
{
	const char *at = strchr(name, '@');
	char plain[256];
	int n = 0;

	if (!p->n)
		return regexec(&p->re, name, 0, NULL, 0) == 0;
	if (at && at - name < (ptrdiff_t)sizeof(plain))
		n = snprintf(plain, sizeof(plain), "%.*s", (int)(at - name), name);
	for (u32 i = 0; i < p->n; i++)
		if (kd_glob_matches(p->glob[i], name) ||
		    (n && !strchr(p->glob[i], '@') && kd_glob_matches(p->glob[i], plain)))
			return true;
	return false;
}

int kd_filter_match(const struct kd_filter *f, struct kd_matches *m,
		    const struct kfi_names *names, u32 func)
{
	if (likely(func < m->n))
		return m->bits[func];
	if (kfi_grow((void **)&m->bits, &m->room, names->count, sizeof(*m->bits)))
		return -ENOMEM;
	for (; m->n < names->count; m->n++) {
		m->bits[m->n] = 0;
		for (int i = 0; i < KD_PATTERNS; i++)
			if (f->pattern[i].text && matches(&f->pattern[i], names->str[m->n].s))
				m->bits[m->n] |= 1u << i;
		m->seen |= m->bits[m->n];
	}
	return m->bits[func];
}

static bool in_list(const struct kd_range *range, u32 n, s64 v)
{
	for (u32 i = 0; i < n; i++)
		if (v >= range[i].min && v <= range[i].max)
			return true;
	return !n;
}

void kd_filter_see(const struct kd_filter *f, struct kd_matches *m, s32 task, s32 cpu,
		   s64 entry_ns)
{
	if (f->npids && in_list(f->pid, f->npids, task))
		m->seen |= KD_SEEN_PID;
	if (f->ncpus && in_list(f->cpu, f->ncpus, cpu))
		m->seen |= KD_SEEN_CPU;
	if (entry_ns >= f->from_ns && entry_ns < f->to_ns)
		m->seen |= KD_SEEN_TIME;
}

bool kd_filter_func(const struct kd_filter *f, struct kd_matches *m,
		    const struct kfi_names *names, u32 func)
{
	return !f->pattern[KD_FUNC].text || kd_filter_match(f, m, names, func) & 1 << KD_FUNC;
}

bool kd_filter_row(const struct kd_filter *f, const struct kfi_row *row)
{
	return row->entry_ns >= f->from_ns && row->entry_ns < f->to_ns &&
	       (!f->ctx || f->ctx >> row->ctx & 1) && in_list(f->pid, f->npids, row->task) &&
	       in_list(f->cpu, f->ncpus, row->cpu);
}

bool kd_filter_mark(const struct kd_filter *f, const struct kfi_log_mark *m)
{
	return kd_filter_row(f, &(struct kfi_row){
		.entry_ns = m->entry_ns, .task = m->task, .cpu = m->cpu, .ctx = m->ctx,
	});
}

int kd_filter_call(const struct kd_filter *f, struct kd_matches *m, const struct kfi_names *names,
		   const struct kfi_tree_call *c, const struct kfi_tree_place *place, bool *under)
{
	int bits = kd_filter_match(f, m, names, c->func), above = 0;

	if (bits >= 0 && place->parent_func != KFI_NONE)
		above = kd_filter_match(f, m, names, place->parent_func);
	if (bits < 0 || above < 0)
		return -ENOMEM;
	if (bits & 1 << KD_UNDER)
		*under = true;
	return (!f->pattern[KD_UNDER].text || *under) && place->level <= f->depth &&
	       kd_filter_row(f, c->row) &&
	       (!f->pattern[KD_CALLEES].text || above & 1 << KD_CALLEES) &&
	       (!f->pattern[KD_CALLERS].text || bits & 1 << KD_CALLERS);
}
