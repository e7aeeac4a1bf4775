/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How kd and addr2sym use a terminal: output goes through a pager, titles have colours, and the
 * progress of reading is shown. Without a terminal all of this is off.
 *
 * The pager is started at once, but waits for the first byte. Until then the progress is on the
 * terminal. The loops that read a log call term_tick(), which looks at the clock now and then.
 */
#ifndef KFI_TERM_H
#define KFI_TERM_H

#include "err.h"
#include "log.h"
#include "opt.h"

/**
 * struct term - options for the terminal
 * @color: when there are colours: "auto", "always", "never"; NULL: auto
 * @no_pager: do not use a pager
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
 * enum term_ink - what a colour stands for
 */
enum term_ink {
	TERM_PLAIN,
	TERM_TITLE,
	TERM_GOOD,
	TERM_BAD,
	TERM_INKS,
};

/**
 * term_begin() - prepare the terminal; must be called before anything is printed
 * @t: the options
 * @tool: name of the tool
 * @streams: output begins while input is still being read
 * @err: set to the reason of a failure
 *
 * From now on standard output and error go to the pager; exit() waits for it.
 *
 * Return: 0, or -EINVAL: @t->color is wrong.
 */
int term_begin(const struct term *t, const char *tool, bool streams, struct kfi_err *err);

/* Number of calls of term_tick() for which the clock is read once: some 100 us of rows. */
#define TERM_TICKS	1024

/**
 * term_watch() - show the progress of reading a log, if it takes long
 * @log: the log, whose input is open, until term_done()
 */
void term_watch(struct kfi_log *log);

/**
 * term_look() - show the progress if it is time to
 */
void term_look(void);

/**
 * term_tick() - tell that a part of the log has been read
 */
static inline void term_tick(void)
{
	static u32 ticks;

	if (unlikely(++ticks % TERM_TICKS == 0))
		term_look();
}

/**
 * term_done() - remove the progress: the input has been read
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
 * term_take_ink() - switch colours off, for a mode that has colours of its own
 *
 * Return: true if colours were on.
 */
bool term_take_ink(void);

/**
 * term_ink() - return what to print before a text; TERM_PLAIN must follow the text
 * @ink: what the colour stands for
 *
 * Return: an escape sequence, or "" if colours are off.
 */
const char *term_ink(enum term_ink ink);

#endif /* KFI_TERM_H */
