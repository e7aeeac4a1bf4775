/* SPDX-License-Identifier: GPL-2.0 */
/* What the tables of a boot share: a row, with columns of all of them. See kd_boot.h. */
#ifndef KFI_KD_BOOT_SHOW_H
#define KFI_KD_BOOT_SHOW_H

#include "kd_boot.h"

/**
 * struct boot_row - a row of any of the tables; members without a value are -1, NULL or KFI_NONE
 * @part: table that it belongs to
 * @from: when it begins
 * @length: its duration
 * @at: when @task had the name that is shown, -1: at @from
 * @kind_ns: the part of @length that was of @kind
 * @irq: the part of @length in interrupts
 * @off: the part of @length switched out
 * @recording: the part of @length that recording took
 * @count: number of pieces, calls or waits that it adds up
 * @task: number of the task
 * @several: it has several tasks, and @task is KFI_NONE
 * @call: the call
 * @func: function, if @call is KFI_NONE
 * @by: function that woke the task
 * @kind: enum boot_kind, BOOT_KINDS: none
 * @name: text in the place of a function
 * @level: level of an initcall
 * @result: result of an initcall
 * @of_boot: @length is a part of the boot
 * @is_message: @name is a line of printk, and only @from is set besides
 * @unsure: @irq, @off and @recording are best guesses; of a message @from is one
 * @guess: @length is a best guess
 */
struct boot_row {
	const char *part;
	s64 from;
	s64 length;
	s64 at;
	s64 kind_ns;
	s64 irq;
	s64 off;
	s64 recording;
	s64 count;
	u32 task;
	u32 call;
	u32 func;
	u32 by;
	enum boot_kind kind;
	const char *name;
	const char *level;
	const char *result;
	bool several;
	bool of_boot;
	bool is_message;
	bool unsure;
	bool guess;
};

/**
 * boot_row() - make a row with a time and nothing else
 * @part: table that it belongs to
 * @from: when it begins, -1: unknown
 * @length: its duration, -1: unknown
 *
 * Return: the row; it is a part of the boot.
 */
static inline struct boot_row boot_row(const char *part, s64 from, s64 length)
{
	return (struct boot_row){
		.part = part, .from = from, .length = length, .at = -1, .kind_ns = -1, .irq = -1,
		.off = -1, .recording = -1, .count = -1, .task = KFI_NONE, .call = KFI_NONE,
		.func = KFI_NONE, .by = KFI_NONE, .kind = BOOT_KINDS, .of_boot = true,
	};
}

/**
 * boot_table() - begin a table; for programs all tables are one
 * @t: the table before, or zeroed but for @out
 * @format: letters of the columns to show
 * @title: heading above it
 */
void boot_table(struct kd_table *t, const char *format, const char *title);

/**
 * boot_row_put() - print a row
 * @b: the boot
 * @t: the table
 * @r: the row
 *
 * Return: 0 or -ENOMEM.
 */
int boot_row_put(struct kd_boot *b, struct kd_table *t, const struct boot_row *r);

/**
 * boot_messages_put() - print the lines of printk that have not been printed, up to some time
 * @b: the boot
 * @t: the table
 * @to: the time; lines of that time or later are not printed
 *
 * Return: 0 or -ENOMEM.
 */
int boot_messages_put(struct kd_boot *b, struct kd_table *t, s64 to);

/**
 * boot_kind_text() - return the words for a kind, for people
 * @kind: the kind
 *
 * Return: the text.
 */
const char *boot_kind_text(enum boot_kind kind);

/**
 * boot_task_name() - return the name of a task, or the name that it must have
 * @b: the boot
 * @task: number of the task
 * @at: when, -1: at last
 * @text: room for a number
 *
 * Return: the name, "?" if it is not known.
 */
const char *boot_task_name(const struct kd_boot *b, u32 task, s64 at, char text[32]);

/**
 * boot_time_text() - write a time for people, in the unit that suits it
 * @ns: nanoseconds, 0 or more
 * @text: room for it
 * @text: room for the text
 * Return: @text.
 */
const char *boot_time_text(s64 ns, char text[32]);

/**
 * boot_begin_text() - name that with which a report of a boot begins
 * @b: the boot
 *
 * Return: the name. Logs of other tracers begin after start_kernel().
 */
const char *boot_begin_text(const struct kd_boot *b);

/**
 * boot_show_answer() - print how long the boot took, for people
 * @b: the boot
 */
void boot_show_answer(const struct kd_boot *b);

/**
 * boot_show_notes() - print what the reader must know about the log
 * @b: the boot
 */
void boot_show_notes(const struct kd_boot *b);

/**
 * boot_show_open() - print the calls that had not returned when the log ended
 * @b: the boot
 * @t: the table before
 *
 * Return: 0 or -ENOMEM, as the next four.
 */
int boot_show_open(struct kd_boot *b, struct kd_table *t);

/**
 * boot_show_longest() - print what took longest of the path: lines by function and task
 * @b: the boot
 * @t: the table before
 */
int boot_show_longest(struct kd_boot *b, struct kd_table *t);

/**
 * boot_show_waits() - print what the path waited for: by function, and by what ended it
 * @b: the boot
 * @t: the table before
 */
int boot_show_waits(struct kd_boot *b, struct kd_table *t);

/**
 * boot_show_functions() - print what ran: calls of all tasks and interrupts, but for idle tasks
 * @b: the boot
 * @t: the table before
 */
int boot_show_functions(struct kd_boot *b, struct kd_table *t);

/**
 * boot_show_initcalls() - print the longest initcalls, and all that wait for another driver
 * @b: the boot
 * @t: the table before
 */
int boot_show_initcalls(struct kd_boot *b, struct kd_table *t);

#endif /* KFI_KD_BOOT_SHOW_H */
