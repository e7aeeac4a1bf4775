// SPDX-License-Identifier: GPL-2.0
/*
 * Replaces addresses by names, if kd has symbols. The names are those that addr2sym would write
 * into the rows, but call sites have no offset.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kd.h"

static void say(void *arg, const char *text)
{
	kd_say(text);
}

int kd_names_open(struct kd *k, struct kfi_err *err)
{
	int ret;

	if (k->in.resolve || !kfi_files_any(&k->opt.files))
		return 0;
	k->in.resolve = calloc(1, sizeof(*k->in.resolve));
	if (!k->in.resolve)
		return kfi_err_set(err, ENOMEM, "out of memory");
	ret = kfi_resolve_open(k->in.resolve, &k->opt.files, say, NULL, err);
	if (!ret)
		return 0;
	free(k->in.resolve);
	k->in.resolve = NULL;
	return ret;
}

int kd_names_begin(struct kd *k, struct kfi_err *err)
{
	if (k->in.resolve && kfi_resolve_begin(k->in.resolve, k->in.log.in.name, &k->in.log.head))
		return kfi_err_set(err, ENOMEM, "%s: out of memory", k->in.log.in.name);
	return 0;
}

bool kd_address(const struct kd *k, struct kfi_str str, u64 *addr)
{
	return kfi_str_hex(str, addr) ||
	       (k->in.log.kind == KFI_LOG_V1 && kfi_str_hex_digits(str, addr));
}

int kd_check_place(struct kd_place *first, const struct kd *k, bool addresses, const char *path,
		   struct kfi_err *err)
{
	const struct kfi_log_head *h = &k->in.head;
	struct kd_place at = {
		.path = path, .addresses = addresses, .text = h->has_text ? h->text : 0,
	};
	const char *why = NULL;

	memcpy(at.build_id, h->build_id, sizeof(at.build_id));
	if (!first->path)
		*first = at;
	if (at.addresses != first->addresses)
		why = "one has names of functions, the other one addresses";
	else if (at.addresses && *at.build_id && *first->build_id &&
		 strcmp(at.build_id, first->build_id))
		why = "by their build ids, the addresses are of two kernels";
	else if (at.addresses && at.text && first->text && at.text != first->text)
		why = "by Text, the addresses are of a kernel that was moved";
	return why ? kfi_err_set(err, EINVAL, "cannot be compared with %s: %s: --map, --vmlinux or addr2sym make names of them",
				 first->path, why) : 0;
}

/*
 * Find the name of an address. A function's name has an offset if its address is not the begin of a
 * symbol. Call sites need no offset. Return: false if the address has no name.
 */
static bool name(struct kd *k, struct kfi_str *str, u64 addr, s64 us, bool with_offset)
{
	struct kfi_name n;

	if (unlikely(!(with_offset ? kfi_resolve_function : kfi_resolve_at)(k->in.resolve, addr, us,
									     &n)))
		return false;
	*str = unlikely(n.off) && with_offset ? kfi_resolve_full(k->in.resolve, &n) : n.str;
	return true;
}

/* Keep the number of a function whose address has this name for all of the log. */
static void keep_number(struct kd *k, u64 addr, struct kfi_str func)
{
	u32 *id;

	if (!kfi_resolve_is_plain(k->in.resolve, addr))
		return;
	id = kfi_map_get(&k->in.by_address, addr, KFI_NONE);
	if (id)
		*id = kd_function(k, func);
}

/* Name the addresses of a row that has them as numbers. Addresses without a name become text. */
static void name_numbers(struct kd *k, struct kfi_row *row, s64 us)
{
	struct kfi_str func, caller = { "", 0 };
	bool known, wanted = kd_wants_caller(k, row) && row->site != U64_MAX;

	k->in.lines.addr = row->func_at;
	/* kd_call() finds the number in the same map. */
	if (likely(!wanted && kfi_map_at_once(&k->in.by_address, row->func_at)))
		return;
	known = name(k, &func, row->func_at, us, true);
	if (wanted)
		wanted = name(k, &caller, row->site, us, false);
	if (!known || (!wanted && kd_wants_caller(k, row)))
		kfi_log_names(row, k->in.row_text);
	if (known) {
		row->func = func;
		keep_number(k, row->func_at, func);
	}
	if (wanted)
		row->caller = caller;
	row->numbers = 0;
}

static void name_mark(struct kd *k)
{
	struct kfi_log_mark *m = &k->in.log.mark;
	const char *at = m->text.s, *end = at + m->text.len;
	size_t n = 0, room = sizeof(k->in.mark_text) - 1;
	const char *last = kfi_log_mark_addresses(m);

	if (last == at)
		return;
	while (at < end) {
		const char *blank = memchr(at, ' ', end - at);
		struct kfi_str word = { at, (u32)((blank ? blank : end) - at) };
		struct kfi_name name;
		u64 addr;

		at += word.len;
		if (word.len > 2 && word.s < last && memcmp(word.s, "0x", 2) == 0 &&
		    kfi_str_hex(word, &addr)) {
			k->in.lines.addr = addr;
			if (kfi_resolve_at(k->in.resolve, addr, m->entry_ns / 1000, &name))
				word = kfi_resolve_full(k->in.resolve, &name);
		}
		/* Cut off the words that do not fit. */
		if (word.len + (blank != NULL) > room - n)
			break;
		memcpy(k->in.mark_text + n, word.s, word.len);
		n += word.len;
		if (blank)
			k->in.mark_text[n++] = *at++;
	}
	m->text.s = k->in.mark_text;
	m->text.len = (u32)n;
	m->kind.s = m->text.s;
}

void kd_names_item(struct kd *k, int item)
{
	s64 us = k->in.row->entry_ns / 1000;
	u64 addr;

	k->in.lines.addr = U64_MAX;
	k->in.lines.us = us;
	if (item == KFI_LINE_ROW && k->in.row->numbers) {
		name_numbers(k, k->in.row, us);
	} else if (item == KFI_LINE_ROW || item == KFI_LINE_WATCH) {
		u64 func, site;

		if (kd_address(k, k->in.row->func, &func)) {
			k->in.lines.addr = func;
			name(k, &k->in.row->func, func, us, true);
		}
		if (kd_wants_caller(k, k->in.row) && kd_address(k, k->in.row->caller, &site))
			name(k, &k->in.row->caller, site, us, false);
	} else if (item == KFI_LINE_SUMS) {
		if (kd_address(k, k->in.log.sums.func, &addr)) {
			k->in.lines.addr = addr;
			k->in.lines.us = KFI_ANY_TIME;
			name(k, &k->in.log.sums.func, addr, KFI_ANY_TIME, true);
		}
	} else if (item == KFI_LINE_MARK) {
		name_mark(k);
	}
}

bool kd_site(const struct kd *k, const struct kfi_row *row, u64 *site)
{
	/* The row of a raw log keeps its numbers when its function has got a name. */
	*site = row->site;
	return row->numbers || kfi_log_has_records(&k->in.log) || kd_address(k, row->caller, site);
}

struct kfi_str kd_site_name(struct kd *k, u64 site, s64 us)
{
	struct kfi_str str = { "", 0 };

	if (k->in.resolve && site != U64_MAX)
		name(k, &str, site, us, false);
	return str;
}

int kd_names_check(const struct kd *k, struct kfi_err *err)
{
	const struct kfi_resolve *r = k->in.resolve;

	if (!r || (!r->bad && !r->unknown && !r->inside))
		return 0;
	if (r->inside)
		return kfi_resolve_check(r, k->in.log.in.name, err);
	if (!r->unknown)
		return kfi_err_set(err, EBADMSG, "%s: names may be wrong: see the messages above",
				   k->in.log.in.name);
	return kfi_err_set(err, EBADMSG,
			   "%s: 0x%llx is in no symbol that was given; %llu such address%s left as they are",
			   k->in.log.in.name, (unsigned long long)r->first_unknown,
			   (unsigned long long)r->unknown, r->unknown > 1 ? "es" : "");
}

void kd_names_close(struct kd *k)
{
	if (k->in.resolve && !k->in.keep_resolve) {
		kfi_resolve_close(k->in.resolve);
		free(k->in.resolve);
	}
	k->in.resolve = NULL;
}
