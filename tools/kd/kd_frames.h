/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the thread of execution that continues, for calls in order of entry. kd's interlaced traces
 * draw frames around threads.
 *
 * It keeps a stack of threads. The lowest thread is the ground and has no frame. A thread that
 * interrupts the ground, or runs while the ground is switched out, has a frame of its own until the
 * ground continues or the thread has no more calls to show.
 */
#ifndef KFI_KD_FRAMES_H
#define KFI_KD_FRAMES_H

#include "kd_calls.h"

/**
 * struct kd_frames - a stack of threads, the ground first
 * @calls: the calls; set by the caller, as are the next three
 * @turn: called for each thread that starts or stops to continue; @at: number of the call that is
 *	the reason, calls->n: none, all calls are over
 * @arg: its first argument
 * @to_end: a thread goes on until its calls are over, as far as the log tells
 * @stack: numbers of the threads
 * @n: how many
 * @on: by thread: it is on the stack
 * @last: by thread: its last call
 * @end: by thread: time when its calls are over, as far as the log tells
 */
struct kd_frames {
	const struct kd_calls *calls;
	void (*turn)(void *arg, const struct kd_frames *f, u32 thread, bool start, u32 at);
	void *arg;
	bool to_end;
	u32 *stack;
	u32 n;
	bool *on;
	u32 *last;
	s64 *end;
};

/**
 * kd_frames_begin() - prepare to go through the calls
 * @f: zeroed, but for the members that the caller sets
 *
 * Return: 0 or -ENOMEM; kd_frames_free() must follow in any case.
 */
int kd_frames_begin(struct kd_frames *f);

/**
 * kd_frames_turn() - continue with the thread of a call
 * @f: the frames
 * @i: number of the call; it is shown
 *
 * @f->turn is called for the threads that end before they are taken off the stack, and for the one
 * that begins before it is put there: @f->n is 0 for the ground when it begins, 1 when it ends.
 */
void kd_frames_turn(struct kd_frames *f, u32 i);

/**
 * kd_frames_goes_on() - check whether a thread has more to show
 * @f: the frames
 * @thread: its number
 * @i: number of a call of another thread
 *
 * Return: true if it has, at the time of that call's entry.
 */
bool kd_frames_goes_on(const struct kd_frames *f, u32 thread, u32 i);

/**
 * kd_frames_leave() - end the thread that continues, although it may have more calls
 * @f: the frames
 * @at: number of the call that is the reason
 */
void kd_frames_leave(struct kd_frames *f, u32 at);

/**
 * kd_frames_end() - end all threads
 * @f: the frames
 */
void kd_frames_end(struct kd_frames *f);

/**
 * kd_frames_free() - free the memory
 * @f: the frames
 */
void kd_frames_free(struct kd_frames *f);

#endif /* KFI_KD_FRAMES_H */
