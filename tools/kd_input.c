// SPDX-License-Identifier: GPL-2.0
/*
 * What kd reads: the calls, marks and sums of one run of a log. Runs are never mixed; the others
 * are read all the same, to be listed and to see whether the file is whole.
 */
#include "kd.h"

/* The function that a call site lies in: "name+0xOFF" without the offset; addresses have none. */
static u32 caller_of(const struct kd *k, const struct kfi_row *row)
{
	const char *plus = memchr(row->caller.s, '+', row->caller.len);

	return kfi_names_find(&k->names, row->caller.s,
			      plus ? (u32)(plus - row->caller.s) : row->caller.len);
}

int kd_call(struct kd *k, struct kfi_tree_call *call, struct kfi_err *err)
{
	const struct kfi_row *row = &k->row;

	call->row = row;
	call->func = kfi_names_get(&k->names, row->func.s, row->func.len);
	if (call->func == KFI_NONE)
		return kfi_err_set(err, ENOMEM, "%s: out of memory", k->log.in.name);
	/* Today the caller matters where the context changes, after calls that may be over, too. */
	call->caller = k->rule == KFI_TREE_CALLER || row->ctx != KFI_CTX_TASK || k->vague ?
		       caller_of(k, row) : KFI_NONE;
	k->vague |= (row->marks & KFI_MARK_NOTIME) != 0;
	return 0;
}

/* Whether a function stands there as an address: 0x…, in v1 logs without the 0x. */
static bool is_address(const struct kd *k, struct kfi_str func)
{
	u64 addr;
	u32 i;

	if (kfi_str_hex(func, &addr))
		return true;
	if (k->kind != KFI_LOG_V1)
		return false;
	for (i = 0; i < func.len; i++)
		if (!strchr("0123456789abcdefABCDEF", func.s[i]))
			return false;
	return true;
}

static void count_call(struct kd *k)
{
	const struct kfi_row *row = &k->row;

	if (row->entry_ns < k->last_ns)
		k->unordered++;
	k->last_ns = row->entry_ns;
	if (unlikely(!k->calls++))
		k->addresses = is_address(k, row->func);
	if (row->delta_ns >= 0)
		return;
	if (row->marks & KFI_MARK_OPEN)
		k->opened++;
	else if (row->marks & KFI_MARK_NOTIME)
		k->notime++;
	else
		k->unwound++;
}

/* A header is over: of the run that is shown, or of another one. */
static void begin_run(struct kd *k)
{
	u32 run = k->log.run;

	if (run < KD_RUNS)
		k->runs[run] = (struct kd_run){
			.id = k->log.head.id, .rows = k->log.head.rows,
			.has_rows = k->log.head.has_rows,
			.profile = k->log.kind == KFI_LOG_PROFILE,
		};
	k->passed = k->reached;
	if (run + 1 != (k->want_run ? k->want_run : 1))
		return;
	k->reached = true;
	k->head = k->log.head;
	k->kind = k->log.kind;
	k->vague = k->head.rounds > 1;
}

int kd_item(struct kd *k, struct kfi_err *err)
{
	int item = k->ahead;

	k->ahead = 0;
	while (!item) {
		item = kfi_log_item(&k->log, &k->row, err);
		if (item <= 0)
			return item;
		if (item == KFI_LINE_RULE)
			begin_run(k);
		if (item == KFI_LINE_RULE || k->passed)
			item = 0;
	}
	if (likely(item == KFI_LINE_ROW))
		count_call(k);
	else if (item == KFI_LINE_SUMS)
		k->addresses |= is_address(k, k->log.sums.func);
	k->watch_rows += item == KFI_LINE_WATCH;
	k->marks += item == KFI_LINE_MARK;
	return item;
}

/* Goes to the run that is shown. */
static int find_run(struct kd *k, struct kfi_err *err)
{
	int item = KFI_LINE_RULE;

	do {
		if (item == KFI_LINE_RULE)
			begin_run(k);
		if (k->reached)
			return 0;
		item = kfi_log_item(&k->log, &k->row, err);
	} while (item > 0);
	if (item == 0)
		item = kfi_err_set(err, EINVAL, "%s: no run %llu: the log has %u", k->log.in.name,
				   (unsigned long long)k->want_run, k->log.run + 1);
	return item;
}

/* How trees can be made of a historic log its first row tells; kd_item() delivers it again. */
static int look_at_first(struct kd *k, struct kfi_err *err)
{
	k->rule = KFI_TREE_DEPTH;
	if (k->kind >= KFI_LOG_TODAY)
		return 0;
	k->ahead = kfi_log_item(&k->log, &k->row, err);
	if (k->ahead < 0)
		return k->ahead;
	if (k->ahead == KFI_LINE_RULE) {
		begin_run(k);
		k->ahead = 0;
	}
	k->rule = KFI_TREE_CALLER;
	if (k->ahead && is_address(k, k->row.func))
		k->rule = KFI_TREE_TIME;
	return 0;
}

int kd_open(struct kd *k, const char *path, struct kfi_err *err)
{
	int ret = kfi_log_open(&k->log, path, err);

	if (ret)
		return ret;
	ret = find_run(k, err);
	if (!ret)
		ret = look_at_first(k, err);
	if (ret)
		kfi_log_close(&k->log);
	return ret;
}
