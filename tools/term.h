/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How kd and addr2sym behave on a terminal: output goes through a pager, titles have colours, and
 * shows how far the input has been read. Without a terminal all of this is off.
 *
 * The pager is started at once, but waits for the first byte: until then the progress stands on the
 * terminal. The loops that read a log look at the clock now and then: term_tick().
 */
#ifndef KFI_TERM_H
#define KFI_TERM_H

#include "err.h"
#include "log.h"
#include "opt.h"

/**
 * struct term - what the user wants
 * @color: when there are colours: "auto", "always", "never"; NULL: auto
 * @no_pager: show all at once
 */
struct term {
	const char *color;
	bool no_pager;
};

/* Rows of a table of options. */
#define TERM_PAGER_OPTION(term)								\
	{ 0, "no-pager", KFI_OPT_FLAG, NULL, &(term).no_pager, .help =			\
	  "no pager on a terminal; it is $PAGER, or less" }
#define TERM_COLOR_OPTION(term)								\
	{ 0, "color", KFI_OPT_STR, "WHEN", &(term).color, .help =			\
	  "colours: auto (on a terminal, if NO_COLOR is not set),\n"			\
	  "always or never" }

/**
 * enum term_ink - what a colour says
 */
enum term_ink {
	TERM_PLAIN,
	TERM_TITLE,
	TERM_GOOD,
	TERM_BAD,
	TERM_INKS,
};

/**
 * term_begin() - look at the terminal; before anything is printed
 * @t: what the user wants
 * @tool: its name
 * @streams: output begins while input is still read
 * @err: set to the reason of a failure
 *
 * Standard output and error go to the pager from now on; exit() waits for it.
 *
 * Return: 0, or -EINVAL: @t->color is no such word.
 */
int term_begin(const struct term *t, const char *tool, bool streams, struct kfi_err *err);

/* The clock is read once for this number of calls of term_tick(): some 100 us of rows. */
#define TERM_TICKS	1024

/**
 * term_watch() - show how far a log has been read, if that takes long
 * @log: the log, whose input is open; until term_done()
 */
void term_watch(struct kfi_log *log);

/**
 * term_look() - show how far the log has been read, if it is time to
 */
void term_look(void);

/**
 * term_tick() - something of the log has been read
 */
static inline void term_tick(void)
{
	static u32 ticks;

	if (unlikely(++ticks % TERM_TICKS == 0))
		term_look();
}

/**
 * term_done() - the input has been read: take the progress from the terminal
 */
void term_done(void);

/**
 * term_shows() - check whether standard output goes to a terminal, through a pager or not
 *
 * Return: true if so.
 */
bool term_shows(void);

/**
 * term_left() - check whether output stopped because the user has quit the pager
 *
 * Return: true if so: no fault.
 */
bool term_left(void);

/**
 * term_say() - announce a message on standard error
 */
void term_say(void);

/**
 * term_take_ink() - no more colours: what is shown has its own way to make them
 *
 * Return: whether there were colours, as the user wants them.
 */
bool term_take_ink(void);

/**
 * term_ink() - what to print before a text, and with TERM_PLAIN behind it
 * @ink: what the colour is to say
 *
 * Return: an escape sequence, or "" where there are no colours.
 */
const char *term_ink(enum term_ink ink);

#endif /* KFI_TERM_H */
