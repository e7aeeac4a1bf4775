/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of kd's call traces share: the columns before the tree. */
#ifndef KFI_KD_TRACE_H
#define KFI_KD_TRACE_H

#include "kd_calls.h"
#include "out.h"

/**
 * struct kd_trace - a trace under construction
 * @kd: the run
 * @calls: its calls
 * @format: columns to show
 * @out: where to
 */
struct kd_trace {
	struct kd *kd;
	struct kd_calls calls;
	char format[KD_COLUMNS_MAX];
	struct kfi_out out;
};

/**
 * kd_trace_shows() - check whether a call is shown, and count calls that are too deep
 * @t: the trace
 * @x: the call, evaluated once
 *
 * Return: true if it is.
 */
static inline bool kd_trace_shows(const struct kd_trace *t, const struct kd_node *x)
{
	if (kd_node_is_shown(&t->calls, x))
		return true;
	t->kd->res.hidden += kd_node_is_call(x) && !(x->marks & KD_NODE_HIDDEN);
	return false;
}

/**
 * kd_trace_columns() - print the columns of a call
 * @t: the trace
 * @x: the call
 */
void kd_trace_columns(struct kd_trace *t, const struct kd_node *x);

/**
 * kd_trace_width() - return the width of the columns before the trees
 * @t: the trace
 *
 * Return: number of characters, with the blank behind each column.
 */
size_t kd_trace_width(const struct kd_trace *t);

/**
 * kd_trace_line() - return the source line of a call's function
 * @t: the trace
 * @x: the call
 *
 * Return: "file:line", or "?".
 */
const char *kd_trace_line(const struct kd_trace *t, const struct kd_node *x);

/**
 * kd_braces() - print the trees in the braces of the function graph tracer
 * @t: the trace; the titles have been printed
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_braces(struct kd_trace *t, struct kfi_err *err);

#endif /* KFI_KD_TRACE_H */
