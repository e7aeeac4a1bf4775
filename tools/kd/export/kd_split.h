/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files of an export that shows time: one, or with --split one for each part of the log. Their
 * names have the number of the part, from 1, before the suffix: kfi.1.json, kfi.2.json. A part in
 * which nothing happens has no file. Memory use grows with the number of parts.
 */
#ifndef KFI_KD_SPLIT_H
#define KFI_KD_SPLIT_H

#include "kd_events.h"
#include "kd_export.h"

/* Files at most: all of them are open at once. */
#define KD_PARTS_MAX	999

/**
 * struct kd_set - a set of numbers
 * @has: by number: the number is in the set
 * @n: length of @has
 */
struct kd_set {
	bool *has;
	u32 n;
};

/**
 * kd_set_add() - add a number
 * @s: the set
 * @i: the number
 *
 * Return: 1, 0: the set already has the number, or -ENOMEM.
 */
int kd_set_add(struct kd_set *s, u32 i);

/**
 * struct kd_part - the file of a part
 * @x: the file: that of the export if there is one part
 * @tracks: tracks with events in this part
 * @names: functions that this file has defined
 */
struct kd_part {
	struct kd_export *x;
	struct kd_set tracks;
	struct kd_set names;
};

/**
 * struct kd_split - all files of an export
 * @x: the export
 * @begin: writes the head of a file. Return: 0 or -errno
 * @part: by number, NULL: no event so far
 * @n: how many
 * @room: for how many there is room
 * @err: set to the reason if a file cannot be opened
 */
struct kd_split {
	struct kd_export *x;
	int (*begin)(struct kd_export *x);
	struct kd_part **part;
	u32 n;
	u32 room;
	struct kfi_err *err;
};

/**
 * kd_split_read() - read the log, split as the options say
 * @s: zeroed, but for @x, @begin and @err; kd_split_close() must follow in any case
 * @e: zeroed, but for @event and @arg
 *
 * Return: 0 or -errno.
 */
int kd_split_read(struct kd_split *s, struct kd_events *e);

/**
 * kd_split_part() - return the file of a part; open it if it is new
 * @s: the files
 * @part: number of the part
 *
 * Return: the file, or NULL: @s->err has been set.
 */
struct kd_part *kd_split_part(struct kd_split *s, u32 part);

/**
 * kd_split_close() - complete all files; remove one that is not whole
 * @s: the files
 * @ret: result of writing them: 0 or -errno
 *
 * Return: @ret, or -EIO.
 */
int kd_split_close(struct kd_split *s, int ret);

#endif /* KFI_KD_SPLIT_H */
