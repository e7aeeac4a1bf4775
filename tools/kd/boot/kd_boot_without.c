// SPDX-License-Identifier: GPL-2.0
/* Prints how long a boot would take without a function (--without). See kd_boot_without.h. */
#include <stdio.h>
#include <stdlib.h>

#include "kd_boot_show.h"
#include "kd_boot_without.h"

/* Largest number of longer waits that are printed without -n. */
#define WAITS		3

/* The text of each reason for a range instead of one number. */
static const struct {
	enum boot_doubt doubt;
	const char *text;
} doubts[] = {
	{ BOOT_DOUBT_JOIN, "task 1 may wait for work that was done before it asked for it" },
	{ BOOT_DOUBT_CPU, "what other tasks did on its CPU while it waited may come before" },
};

/**
 * struct without - the result
 * @calls: calls of the function
 * @took: how long they took together, in all tasks
 * @on_path: the part of that which is on the critical path
 * @least: the shortest that the boot would take: no doubt counts
 * @most: the longest that the boot would take: all doubts count
 * @by: by doubt: how much longer the boot may be because of it
 * @longer: waits of task 1 that would be longer in that boot
 */
struct without {
	s64 calls;
	s64 took;
	s64 on_path;
	s64 least;
	s64 most;
	s64 by[ARRAY_SIZE(doubts)];
	struct boot_longers longer;
};

static int replay(struct kd_boot *b, const struct boot_cuts *c, unsigned int which, s64 *length,
		  struct boot_longers *longer)
{
	int ret = boot_replay(b, c, which, length, longer);

	*length -= b->start;
	return ret;
}

static int find(struct kd_boot *b, struct without *w)
{
	struct boot_cuts cuts = { 0 };
	int ret = boot_cuts_make(b, &cuts);
	s64 alone[2];

	_Static_assert(ARRAY_SIZE(doubts) == ARRAY_SIZE(alone), "each is compared to the other");

	for (u32 i = 0; i < b->task.n && !ret; i++)
		w->took += boot_spans_in(&cuts.task[i], b->start, b->end);
	for (u32 i = 0; i < b->piece.n && !ret; i++) {
		const struct boot_piece *p = &b->piece.at[i];

		w->on_path += boot_spans_in(&cuts.task[p->task], p->from, p->to);
	}
	ret = ret ? : replay(b, &cuts, 0, &w->least, NULL);
	ret = ret ? : replay(b, &cuts, BOOT_DOUBTS, &w->most, &w->longer);
	for (u32 i = 0; i < ARRAY_SIZE(doubts) && !ret; i++)
		ret = replay(b, &cuts, doubts[i].doubt, &alone[i], NULL);
	/* With two doubts each is tried alone: one may matter only beside the other. */
	for (u32 i = 0; i < ARRAY_SIZE(doubts) && !ret; i++)
		w->by[i] = max_t(s64, alone[i] - w->least, w->most - alone[!i]);
	boot_cuts_free(b, &cuts);
	return ret;
}

/* "1.4 ms", or "1.0 ms to 1.4 ms". */
static const char *range_text(s64 least, s64 most, char text[96])
{
	char from[32], to[32];

	boot_time_text(least, from);
	boot_time_text(most, to);
	snprintf(text, 96, strcmp(from, to) ? "%s to %s" : "%s", from, to);
	return text;
}

static void show_answer(const struct kd_boot *b, const struct without *w)
{
	s64 all = b->end - b->start;
	char length[96], gain[96], text[32];

	if (b->kd->opt.out != KD_OUT_TEXT)
		return;
	boot_show_answer(b);
	range_text(w->least, w->most, length);
	range_text(all - w->most, all - w->least, gain);
	if (w->least < all)
		printf("Without %s it would take %s: %s less.\n", b->kd->opt.without, length, gain);
	else if (w->on_path)
		printf("Without %s it would take as long.\n", b->kd->opt.without);
	else
		printf("Without %s it would take as long: the boot did not wait for its %s.\n",
		       b->kd->opt.without, boot_time_text(w->took, text));
	if (all - w->least < w->on_path)
		printf("The critical path has %s of it, but another path lies behind.\n",
		       boot_time_text(w->on_path, text));
}

static int put(struct kd_boot *b, struct kd_table *t, const char *part, s64 length,
	       const char *name)
{
	struct boot_row r = boot_row(part, -1, length);

	r.name = name;
	return boot_row_put(b, t, &r);
}

static int show_sums(struct kd_boot *b, struct kd_table *t, const struct without *w)
{
	struct boot_row func = boot_row("removed", -1, w->took);
	bool one = b->kd->opt.out == KD_OUT_TEXT && w->least == w->most;
	s64 all = b->end - b->start;
	char title[80];
	int ret;

	func.count = w->calls;
	func.func = b->without;
	snprintf(title, sizeof(title), "What is left out (calls: %lld), and what that changes",
		 (long long)w->calls);
	boot_table(t, "tPF", title);
	ret = put(b, t, "boot", all, "(the boot)");
	ret = ret ? : boot_row_put(b, t, &func);
	ret = ret ? : put(b, t, "removed_on_path", w->on_path, "(of it on the critical path)");
	ret = ret ? : put(b, t, "without_least", w->least,
			  one ? "(the boot without it)" : "(the boot without it, at least)");
	if (!one)
		ret = ret ? : put(b, t, "without_most", w->most, "(the boot without it, at most)");
	ret = ret ? : put(b, t, "gain_least", all - w->most,
			  one ? "(the gain)" : "(the gain, at least)");
	if (!one)
		ret = ret ? : put(b, t, "gain_most", all - w->least, "(the gain, at most)");
	return ret;
}

/* Sort by length, the longest first, then by time. */
static int by_length(const void *a, const void *b)
{
	const struct boot_longer *x = a, *y = b;

	if (x->more != y->more)
		return x->more > y->more ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static int show_longer(struct kd_boot *b, struct kd_table *t, const struct without *w)
{
	u64 n = b->kd->opt.num == U64_MAX ? WAITS : b->kd->opt.num;
	int ret = 0;

	if (!w->longer.n || !n)
		return 0;
	qsort(w->longer.at, w->longer.n, sizeof(*w->longer.at), by_length);
	boot_table(t, "etTFB", "Where task 1 would wait longer, at most, and for which task");
	for (u32 i = 0; i < w->longer.n && i < n && !ret; i++) {
		const struct boot_longer *x = &w->longer.at[i];
		struct boot_row r = boot_row("longer", x->at, x->more);

		r.call = x->call;
		r.task = x->task;
		ret = boot_row_put(b, t, &r);
	}
	return ret;
}

/* Check that the log has what the prediction needs. Return: 0 or -EINVAL. */
static int check(const struct kd_boot *b, const struct without *w, struct kfi_err *err)
{
	const char *log = b->kd->in.log.in.name;

	if (!b->is_over)
		return kfi_err_set(err, EINVAL, "%s: --without needs the log of a whole boot", log);
	if (!b->has_switches || !b->has_wakeups || b->init_task == KFI_NONE)
		return kfi_err_set(err, EINVAL,
				   "%s: --without needs the marks of switches and wakeups", log);
	if (!w->calls)
		return kfi_err_set(err, EINVAL,
				   "%s: no call of %s in the boot (idle tasks do not count)", log,
				   b->kd->opt.without);
	return 0;
}

int boot_without(struct kd_boot *b, struct kfi_err *err)
{
	struct kd_table t = { .out = b->kd->opt.out };
	struct without w = { .calls = b->removed.n };
	int ret = check(b, &w, err);
	char text[32];

	if (ret)
		return ret;
	ret = find(b, &w);
	if (!ret) {
		show_answer(b, &w);
		ret = show_sums(b, &t, &w);
	}
	ret = ret ? : show_longer(b, &t, &w);
	fflush(stdout);
	for (u32 i = 0; i < ARRAY_SIZE(doubts) && !ret; i++)
		if (w.by[i])
			kd_note("the gain may be %s less: %s", boot_time_text(w.by[i], text),
				doubts[i].text);
	boot_show_notes(b);
	free(w.longer.at);
	return ret ? kfi_err_set(err, ENOMEM, "out of memory") : 0;
}
