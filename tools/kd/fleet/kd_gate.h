/* SPDX-License-Identifier: GPL-2.0 */
/* The result of --gate, for its reports. */
#ifndef KFI_KD_GATE_H
#define KFI_KD_GATE_H

#include "kd.h"
#include "kd_budget.h"

/**
 * enum gate_verdict - the verdict on a series
 */
enum gate_verdict {
	GATE_SAME,
	GATE_FASTER,
	GATE_SLOWER,
	GATE_OVER,
	GATE_UNTESTED,
	GATE_UNKNOWN,
	GATE_VERDICTS
};

/**
 * struct gate_row - a series: the total, a phase, or a function
 * @name: "total", "phase:NAME", or a function
 * @median: by side, nanoseconds; a boot without the series counts as 0
 * @median_of_those: that of the new boots that have the series
 * @mean: by side
 * @boots: by side: number of boots that have its value
 * @unknown: by side: number of boots in which it was called and did not return
 * @t: its t in the moderated t test
 * @noise: a difference up to this may be chance, though it is large enough to be reported;
 *	negative: unknown
 * @percent: smallest change that is reported: --threshold, or a growth that the budget allows, if
 *	that is less
 * @row: its row in the test
 * @is_long: it takes long enough to be tested
 * @tested: and its values are known
 * @is_judged: a budget names it, or there is none and it is tested
 * @limit: text of the limit that it must keep; empty: --threshold
 * @verdict: enum gate_verdict
 */
struct gate_row {
	const char *name;
	double median[2];
	double median_of_those;
	double mean[2];
	u32 boots[2];
	u32 unknown[2];
	double t;
	double noise;
	double percent;
	u32 row;
	bool is_long;
	bool tested;
	bool is_judged;
	char limit[32];
	enum gate_verdict verdict;
};

/**
 * struct gate - a comparison
 * @kd: the options
 * @series: names of series
 * @value: by series, then boot
 * @has: by series, then boot: what the boot says
 * @boots: by side: number of boots
 * @row: the series, in the end sorted by verdict and change
 * @rows: how many
 * @chance: the greatest t of a change in other divisions of the boots into two sides
 * @tested: number of series that were tested
 * @least: smallest change that counts, nanoseconds
 * @limit: the lines of the budget
 * @limits: how many
 * @alarms: number of series that are slower, or over a budget
 * @new_open: number of new boots that were not over when their log ended
 * @missing: number of lines of the budget, or of functions, that cannot be judged
 */
struct gate {
	struct kd *kd;
	struct kfi_names series;
	double *value;
	enum kd_has *has;
	u32 boots[2];
	struct gate_row *row;
	u32 rows;
	double chance;
	u32 tested;
	double least;
	struct kd_limit *limit;
	u32 limits;
	u32 alarms;
	u32 missing;
	u32 new_open;
};

/**
 * gate_verdict_text() - return the word for a verdict
 * @verdict: the verdict
 *
 * Return: the word.
 */
const char *gate_verdict_text(enum gate_verdict verdict);

/**
 * gate_junit() - write the result as JUnit XML
 * @g: the result
 * @path: the file
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int gate_junit(const struct gate *g, const char *path, struct kfi_err *err);

/**
 * gate_markdown() - write the result as Markdown
 * @g: the result
 * @path: the file
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int gate_markdown(const struct gate *g, const char *path, struct kfi_err *err);

#endif /* KFI_KD_GATE_H */
