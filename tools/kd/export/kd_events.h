/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A log as events on tracks, for formats that show time. A track is a task, or the interrupts of a
 * kind on a CPU. Interrupts have a track of their own, so calls nest on each track. Calls of
 * historic logs may overlap without nesting: such calls go to a further track of the same name, a
 * lane.
 *
 *	call A  |-----------------------------------|	KD_BEGIN, KD_END
 *	call B     |------------|				an interrupt took a part of B
 *	hole          |---|					KD_BEGIN without a row, KD_END
 *	mark   .                       .			KD_INSTANT, with flows of wake-ups
 *
 * Must hold: the events of a track are in order of time, and each KD_END ends what began last and
 * has not ended. A call without a duration ends where it must be over, or not at all.
 *
 * The log can be split into parts of equal length. What goes on at the end of a part ends there and
 * begins again in the next one:
 *
 *	call A  |------------->|>--------------------|	goes_on, is_continued
 *
 * Memory use grows with the number of tracks and of open calls.
 */
#ifndef KFI_KD_EVENTS_H
#define KFI_KD_EVENTS_H

#include "kd.h"
#include "kd_walk.h"

/**
 * enum kd_event_kind - kinds of events
 * @KD_BEGIN: a call begins, or a hole in one
 * @KD_END: it ends
 * @KD_INSTANT: a mark, a watch row
 */
enum kd_event_kind {
	KD_BEGIN,
	KD_END,
	KD_INSTANT,
};

/**
 * struct kd_event - an event on a track
 * @kind: enum kd_event_kind
 * @track: number of the track
 * @at: time, nanoseconds
 * @end: KD_BEGIN: when it will end, S64_MAX: not known
 * @func: number of the function, KFI_NONE: a hole
 * @name: function, KD_NAME_OFF, KD_NAME_IRQ, or text of a mark
 * @row: KD_BEGIN: the call; NULL: a hole
 * @is_open: the call has no duration: see kd_why_open()
 * @unknown: KD_END: @end of the KD_BEGIN was not known
 * @part: number of the part of the log, from 0
 * @is_continued: KD_BEGIN: it began in a part before
 * @goes_on: KD_BEGIN: it ends after this part, and @end is the end of the part
 * @flow: KD_INSTANT: number of a wake-up that begins or ends here, 0: none
 * @woken: @flow ends here
 * @inside: KD_INSTANT: it lies in a call
 */
struct kd_event {
	enum kd_event_kind kind;
	u32 track;
	s64 at;
	s64 end;
	u32 func;
	const char *name;
	const struct kfi_row *row;
	bool is_open;
	bool unknown;
	u32 part;
	bool is_continued;
	bool goes_on;
	u32 flow;
	bool woken;
	bool inside;
};

struct kd_slice;

/**
 * struct kd_track - a track
 * @pid: the task; 0: the idle task of @cpu
 * @cpu: processor, -1: unknown
 * @ctx: enum kfi_ctx
 * @lane: from 0
 * @name: number of its name in @words, KFI_NONE: not known
 * @next: next lane, KFI_NONE: none
 * @flow: the wake-up after which the task has not run yet, 0: none
 * @flow_part: the part that has the beginning of @flow
 * @part: the part of the last event
 * @slice: what has begun and not ended; private, as are the next two
 * @n: how many
 * @room: for how many there is room
 */
struct kd_track {
	s32 pid;
	s32 cpu;
	u8 ctx;
	u32 lane;
	u32 name;
	u32 next;
	u32 flow;
	u32 flow_part;
	u32 part;
	struct kd_slice *slice;
	u32 n;
	u32 room;
};

/**
 * struct kd_events - state while a log is read as events
 * @kd: the run; set by the caller, as are the next three
 * @event: called for each event. Return: 0 or -errno
 * @arg: its first argument
 * @part_ns: length of a part, 0: there is one part
 * @origin: when the first part begins; before the first item of the log: -1
 * @track: tracks; names are complete when the log has been read
 * @n: how many
 * @room: for how many there is room
 * @of: maps a task, or a context and a CPU, to its first lane
 * @words: names of tasks
 * @flows: wake-ups so far
 * @end: time of the latest item or end of a call, nanoseconds
 * @text: room for the text of a mark
 */
struct kd_events {
	struct kd *kd;
	int (*event)(void *arg, const struct kd_event *e);
	void *arg;
	s64 part_ns;
	s64 origin;
	struct kd_track *track;
	u32 n;
	u32 room;
	struct kfi_map of;
	struct kfi_names words;
	u32 flows;
	s64 end;
	char text[1024];
};

/**
 * kd_events_visit() - return a visitor for kd_walk(), if others visit the same calls
 * @e: zeroed, but for the members that the caller sets
 *
 * Return: the visitor; kd_events_end() must follow the walk, and kd_events_free().
 */
struct kd_visit kd_events_visit(struct kd_events *e);

/**
 * kd_events_end() - end what has not ended, after the log was read
 * @e: the log
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_events_end(struct kd_events *e, struct kfi_err *err);

/**
 * kd_events_read() - read a log to its end
 * @e: zeroed, but for the members that the caller sets
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno; kd_events_free() must follow in any case.
 */
int kd_events_read(struct kd_events *e, struct kfi_err *err);

/**
 * kd_why_open() - return why a call has no duration
 * @row: the call
 *
 * Return: a text.
 */
const char *kd_why_open(const struct kfi_row *row);

/**
 * kd_why_cut() - return which end of a call lies outside of this part of the log
 * @e: its KD_BEGIN in this part, which is continued or goes on
 *
 * Return: a text.
 */
const char *kd_why_cut(const struct kd_event *e);

/* Room for the name of a track. */
#define KD_TRACK_NAME	128

/**
 * kd_track_name() - return the name of a track
 * @e: the log
 * @track: number of the track
 * @text: "kernel_init (1)", "cpu 0: interrupts"; a further lane with its number
 */
void kd_track_name(const struct kd_events *e, u32 track, char text[KD_TRACK_NAME]);

/**
 * kd_events_task() - find the track of a task
 * @e: the log
 * @pid: the task; 0: the idle task of @cpu
 * @cpu: processor
 *
 * Return: its number, which may be a new one; KFI_NONE: out of memory.
 */
u32 kd_events_task(struct kd_events *e, s32 pid, s32 cpu);

/**
 * kd_events_free() - free the memory
 * @e: the log
 */
void kd_events_free(struct kd_events *e);

#endif /* KFI_KD_EVENTS_H */
