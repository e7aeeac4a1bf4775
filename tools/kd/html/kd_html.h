/* SPDX-License-Identifier: GPL-2.0 */
/*
 * --html: a page that shows a log in a browser. Its HTML, style and script are in this folder.
 * kd_html.c makes the data that the script reads: a line of sections for each log, packed as in
 * kd_html_pack.h. A number has 7 bits in each byte, the lowest bits first; bit 7 says that another
 * byte follows. A signed number v is (v << 1) ^ (v >> 63). A number that may be unknown is a signed
 * one + 1, or 0 if it is unknown.
 *
 *	section		what
 *	0		functions: of each the length of its name, and the name
 *	1		texts of marks, in the same form
 *	2, 3, 4		marks: time since the mark before, signed; track; text
 *	5, 6, 7, 8	switches of tasks: time since the one before, signed; CPU; track of the task
 *			that left it + 1, and of the one that runs from then on + 1; 0: not shown
 *	9, 10, 11, 12	wake-ups: time since the one before, signed; time until the task ran; track
 *			that woke it; its track
 *	13 + 8 * t ...	a track: what begins and ends on it, in order of time
 *	  + 0		for each that begins: how many have ended before, since the last began
 *	  + 1		for each that begins: 0 switched out, 1 interrupts, else function + 2
 *	  + 2		for each begin or end: nanoseconds since the one before
 *	  + 3		for each call, when it begins: enum html_flags; a CPU if it is another one,
 *			signed
 *	  + 4		calls below it that have no record
 *	  + 5		for each call, when it ends: switched out in itself, known or not
 *	  + 6		interrupts in itself, known or not
 *	  + 7		what of its time is in calls that are not there, known or not
 *	  + 7		the part of its time in calls without a record, known or not
 *
 * So the self time of a call is the time between its begin and its end, less the calls directly
 * below it on its track, less the last three columns.
 */
#ifndef KFI_KD_HTML_H
#define KFI_KD_HTML_H

#include "kd.h"

/**
 * enum html_flags - flags of a call
 * @HTML_OPEN: it had not returned when the log ended
 * @HTML_UNWOUND: an outer call returned first
 * @HTML_NOTIME: it was entered before the clock ran
 * @HTML_WHY: mask of these: a call with one of them has no duration
 * @HTML_CPU: its CPU is not that of the call before it on its track
 */
enum html_flags {
	HTML_OPEN	= 1,
	HTML_UNWOUND	= 2,
	HTML_NOTIME	= 3,
	HTML_WHY	= 3,
	HTML_CPU	= 4,
};

/**
 * kd_html() - read a log, and open the page if it is the first one
 * @kd: the run
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno; kd_html_end() must follow in any case.
 */
int kd_html(struct kd *kd, struct kfi_err *err);

/**
 * kd_html_end() - write the log into the page
 * @ret: result of kd_html()
 * @note: notes about the log
 * @n: number of notes
 * @more: another log follows for this page
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_html_end(int ret, char *const *note, u32 n, bool more, struct kfi_err *err);

#endif /* KFI_KD_HTML_H */
