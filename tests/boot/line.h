/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The serial line between a guest's console and a program of the host, a pseudo-terminal: line.c.
 * It can have the pace of a real line, and its faults.
 */
#ifndef LINE_H
#define LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct line - the line
 * @link: symbolic link to the terminal that the program opens; NULL: there is no line
 * @rate: bytes a second that the guest can send; 0: no limit
 * @fault_of: of this many bytes one is flipped, one dropped, one doubled; 0: none
 * @programs: how many have had the line open, each with faults of its own
 * @fd: the master's end; -1: there is no line
 * @is_open: a program has the line open
 *
 * The rest is known to line.c only.
 */
struct line {
	const char *link;
	unsigned int rate;
	unsigned int fault_of;
	uint64_t programs;
	int fd;
	bool is_open;
	uint64_t random;
	char *queue;
	size_t len;
	size_t size;
	double budget;
	double budget_time;
	char typed[4096];
	size_t typed_len;
};

/**
 * line_open() - make the terminal and the link
 * @l: @link, @rate and @fault_of are set
 *
 * Return: NULL, or what failed; errno says why.
 */
const char *line_open(struct line *l);

/**
 * line_room() - return how many bytes the guest may send now
 * @l: the line
 * @now: the time in seconds
 *
 * Return: bytes; 0: none yet.
 */
size_t line_room(struct line *l, double now);

/**
 * line_put() - pass on what the guest has sent, as soon as the program reads it
 * @l: the line
 * @buf: the bytes
 * @n: how many
 *
 * What is sent before a program has opened the line waits for it. Later it is lost while no program
 * has the line open, as with a cable.
 */
void line_put(struct line *l, const char *buf, size_t n);

/**
 * line_work() - let the bytes go on, in both directions, as far as nobody must wait
 * @l: the line
 * @guest: where what the program types goes; -1: nowhere
 */
void line_work(struct line *l, int guest);

/**
 * line_events() - Return the events of poll() to wait for at @l->fd; 0: do not poll it.
 * @l: the line
 */
short line_events(const struct line *l);

/**
 * line_drained() - Return true if nothing is known that the program has still to read.
 * @l: the line
 */
bool line_drained(struct line *l);

/**
 * line_close() - remove terminal and link
 * @l: the line
 */
void line_close(struct line *l);

#endif /* LINE_H */
