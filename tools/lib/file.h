/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that a tool writes. A file takes the place of an old one when it is complete, so that the
 * old one can be read until then, and stays if something fails. It never takes the place of another
 * file that is read. Used by kd and kfi-capture; in.c names the files that are read.
 */
#ifndef KFI_FILE_H
#define KFI_FILE_H

#include <stdio.h>
#include <sys/stat.h>

#include "err.h"
#include "kfi_port_host.h"

/* A name of standard input for kfi_file_same(). */
#define KFI_FILE_STDIN	"/dev/stdin"

/**
 * kfi_file_same() - check whether two names are of one file
 * @a: a name; the file need not exist
 * @b: another one
 *
 * Return: true if so; false also for the null device, where nothing can be overwritten.
 */
bool kfi_file_same(const char *a, const char *b);

/**
 * kfi_file_input() - remember a file that is read: no output may take its place
 * @st: its device and inode; files that are empty or not regular are not remembered
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_file_input(const struct stat *st);

/**
 * kfi_file_release() - forget a file that is read, since the output has all that it has
 * @path: the file
 */
void kfi_file_release(const char *path);

/**
 * kfi_file_check() - reject an output that is also read
 * @option: the option that names the output
 * @name: the output
 * @err: set to the reason of a failure
 *
 * Return: 0 or -EINVAL.
 */
int kfi_file_check(const char *option, const char *name, struct kfi_err *err);

/**
 * struct kfi_file - a file that is being written
 * @file: the stream
 * @option: the option that names it
 * @name: its name in messages
 * @path: the file that will be replaced, or made: links are followed; NULL: it is a pipe, a device
 *	or standard output, and @file is the file itself
 * @temp: name of @file until it takes the place of @path: a hidden file in the same folder
 */
struct kfi_file {
	FILE *file;
	const char *option;
	const char *name;
	char *path;
	char *temp;
};

/**
 * kfi_file_begin() - begin to write a file
 * @f: filled
 * @option: the option that names it; must outlive @f
 * @name: the file; an old one stays as it is until kfi_file_end(). Must outlive @f
 * @err: set to the reason of a failure
 *
 * Return: 0; -EINVAL: the file is also read; another -errno. kfi_file_end() must follow if it is 0.
 */
int kfi_file_begin(struct kfi_file *f, const char *option, const char *name, struct kfi_err *err);

/**
 * kfi_file_end() - complete a file, with the mode of the old one; or keep the old one
 * @f: the file
 * @ret: result of writing it: 0 or -errno, with which the old file is kept
 * @err: set to the reason of a failure, if @ret is 0
 *
 * Return: @ret; -errno: the file could not be written, or was also read since kfi_file_begin(), and
 * the old one is kept.
 */
int kfi_file_end(struct kfi_file *f, int ret, struct kfi_err *err);

#endif /* KFI_FILE_H */
