/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A raw log that came over a console as lines (core/serial.h, Documentation/format-serial.rst).
 * Lines are found among other text, checked and kept. When all have come, or no more come, the raw
 * log is made of them. Numbers in the lines show which are missing. Used by log_raw.c and
 * kfi-capture.
 */
#ifndef KFI_LINES_H
#define KFI_LINES_H

#include "core/serial.h"
#include "err.h"

/* Limit of the bytes of a line and of other text in it. */
#define KFI_LINES_SPAN_MAX	8192

/**
 * struct kfi_lines_sent - the lines of one transmission
 * @id: its id
 * @n: the highest number so far, plus 1
 * @room: numbers for which there is room
 * @have: number of lines that have come
 * @ended: the last line has come, so @n is the number of all lines
 * @at: by number: place of the line in @bytes of struct kfi_lines, plus 1; 0: it has not come
 */
struct kfi_lines_sent {
	u32 id;
	u32 n;
	u32 room;
	u32 have;
	bool ended;
	u32 *at;
};

/**
 * struct kfi_lines - all lines that have come
 * @sent: the transmissions, in order of their first lines
 * @nsent: number of transmissions
 * @room: for how many there is room
 * @other: called with text that is no line, and with damaged lines; or NULL
 * @line: called with the digits of each line, in two pieces; or NULL
 * @arg: their first argument
 * @ended: a line has ended: the newline that follows belongs to it
 * @looked: number of bytes that the last call left and that were searched for the end of a line
 * @ends_tried: number of line ends that were tried in these bytes
 * @damaged: number of lines that began and were not valid
 * @differing: number of lines that came again with other contents: another log has the same id
 * @excess: number of lines of transmissions beyond the limit
 * @bytes: contents of the lines: for each a length of 2 bytes, and items
 * @len: number of bytes in @bytes
 * @size: bytes for which there is room
 */
struct kfi_lines {
	struct kfi_lines_sent *sent;
	u32 nsent;
	u32 room;
	void (*other)(void *arg, const char *s, size_t len);
	void (*line)(void *arg, const char *a, size_t alen, const char *b, size_t blen);
	void *arg;
	bool ended;
	u32 looked;
	u32 ends_tried;
	u64 damaged;
	u64 differing;
	u64 excess;
	u8 *bytes;
	u32 len;
	u32 size;
};

/**
 * kfi_lines_feed() - find lines in the text of a console
 * @l: the lines; all 0, or as the last call left them
 * @s: the text, beginning with what the last call did not take
 * @len: bytes of it
 * @more: more may follow
 *
 * Return: bytes that were taken; all, unless @more; -ENOMEM.
 */
ssize_t kfi_lines_feed(struct kfi_lines *l, const char *s, size_t len, bool more);

/**
 * kfi_lines_possible() - check whether a line of text may contain lines, or a piece of one
 * @s: the text
 * @len: bytes of it
 *
 * Return: true if so.
 */
bool kfi_lines_possible(const char *s, size_t len);

/**
 * kfi_lines_missing() - find the next range of lines that have not come
 * @sent: a transmission
 * @from: where to begin; set to the first missing line
 * @to: set to the last missing line of the range; U32_MAX if the end has not come
 *
 * Return: false: none is missing from @from on.
 */
bool kfi_lines_missing(const struct kfi_lines_sent *sent, u32 *from, u32 *to);

/**
 * kfi_lines_raw() - make the raw log
 * @l: the lines; each transmission must have line 0
 * @name: name of the console log in messages
 * @raw: set to the raw logs of all transmissions, one after the other; free() must follow
 * @len: set to the length of @raw
 * @fault: set to a text about lines that are missing or left out, at most @size bytes; empty: none
 * @size: bytes of @fault
 * @err: set to the reason of a failure
 *
 * Return: 0, also if lines are missing: then the calls in all other lines are there; -EBADMSG: the
 * lines make no log; -ENOMEM.
 */
int kfi_lines_raw(struct kfi_lines *l, const char *name, u8 **raw, size_t *len, char *fault,
		  size_t size, struct kfi_err *err);

/**
 * kfi_lines_rows() - find how far a transmission is that has not ended
 * @l: the lines
 * @sent: one of their transmissions
 * @rows: set to the number of rows that have come
 * @all: set to the number of rows of the log, by its header
 *
 * Return: false: unknown, or out of memory.
 */
bool kfi_lines_rows(struct kfi_lines *l, const struct kfi_lines_sent *sent, u64 *rows, u64 *all);

/**
 * kfi_lines_free() - free the memory
 * @l: the lines; may be freed twice
 */
void kfi_lines_free(struct kfi_lines *l);

#endif /* KFI_LINES_H */
