/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the writers of kd --export share. A format is a row of the table in kd_export.c and one
 * function that reads the log, by kd_paths_read() or by kd_events_read(), and writes the file.
 */
#ifndef KFI_KD_EXPORT_H
#define KFI_KD_EXPORT_H

#include "file.h"
#include "kd.h"
#include "out.h"

/* Names in the place of a function, for time that is not the time of a function. */
#define KD_NAME_OFF	"(switched out)"
#define KD_NAME_IRQ	"(interrupts)"
#define KD_NAME_LEFT	"(left out)"

/* Behind the name of a function whose calls have no duration. */
#define KD_NAME_OPEN	" (open)"

/**
 * struct kd_export - an output file
 * @kd: the run
 * @path: its name, or NULL
 * @option: the option that gives the name
 * @file: the file, if it has a name
 * @out: where text is written; formats that are folders do not use it
 */
struct kd_export {
	struct kd *kd;
	const char *path;
	const char *option;
	struct kfi_file file;
	struct kfi_out out;
};

/**
 * kd_put_text() - append a text
 * @x: the file
 * @s: the text
 */
static inline void kd_put_text(struct kd_export *x, const char *s)
{
	kfi_out_put(&x->out, s, strlen(s));
}

/**
 * kd_put_number() - append a number
 * @x: the file
 * @v: the number
 */
static inline void kd_put_number(struct kd_export *x, u64 v)
{
	char text[32], *end = text + sizeof(text), *s;

	s = kfi_out_number(v > S64_MAX ? S64_MAX : (s64)v, end);
	kfi_out_put(&x->out, s, end - s);
}

/**
 * kd_put_line_text() - append a text, so that it stays in one line and in one field of it
 * @x: the file
 * @s: the text
 * @special: characters of the format; they and control characters become "?"
 */
void kd_put_line_text(struct kd_export *x, const char *s, const char *special);

/* Room for the title of a log. */
#define KD_TITLE	192

/**
 * kd_export_title() - write a title: the kernel of the log, and how many calls are lost
 * @x: the file
 * @text: filled
 */
void kd_export_title(const struct kd_export *x, char text[KD_TITLE]);

/**
 * kd_folder_append() - append to a file of a folder that is written
 * @x: the export
 * @name: name of the file in the folder
 * @data: the bytes to append
 * @n: bytes
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_folder_append(struct kd_export *x, const char *name, const void *data, size_t n,
		     struct kfi_err *err);

/**
 * kd_folder_begin() - begin a file of a folder: @x->out goes there
 * @x: the export
 * @name: name of the file in the folder
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno; kd_folder_end() must follow if it is 0.
 */
int kd_folder_begin(struct kd_export *x, const char *name, struct kfi_err *err);

/**
 * kd_folder_end() - complete a file of a folder
 * @x: the export
 * @name: name of the file in the folder
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_folder_end(struct kd_export *x, const char *name, struct kfi_err *err);

/**
 * kd_export_open() - open the output file, which must not be read, too
 * @x: the file: @x->kd and @x->path
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno; kd_export_close() must follow if it is 0.
 */
int kd_export_open(struct kd_export *x, struct kfi_err *err);

/**
 * kd_export_close() - complete the output file; keep the old one if it is not whole
 * @x: the file
 * @ret: result of writing it: 0 or -errno
 * @err: set to the reason of a failure
 *
 * Return: @ret, or -errno.
 */
int kd_export_close(struct kd_export *x, int ret, struct kfi_err *err);

/**
 * kd_export_folded() - write stacks and their self times, one stack a line
 * @x: the file
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_export_folded(struct kd_export *x, struct kfi_err *err);

/**
 * kd_export_chrome() - write the JSON of Chrome's trace viewer
 * @x: the file
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_export_chrome(struct kd_export *x, struct kfi_err *err);

/**
 * kd_export_perfetto() - write the binary trace of Perfetto
 * @x: the file
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_export_perfetto(struct kd_export *x, struct kfi_err *err);

/**
 * kd_export_speedscope() - write the JSON of speedscope
 * @x: the file
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_export_speedscope(struct kd_export *x, struct kfi_err *err);

/**
 * kd_export_callgrind() - write a profile of callgrind
 * @x: the file
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_export_callgrind(struct kd_export *x, struct kfi_err *err);

/**
 * kd_export_uftrace() - write a folder of uftrace
 * @x: the file
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_export_uftrace(struct kd_export *x, struct kfi_err *err);

/**
 * kd_export_pprof() - write a profile of pprof
 * @x: the file
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_export_pprof(struct kd_export *x, struct kfi_err *err);

/**
 * kd_export_ctf() - write a folder in the Common Trace Format
 * @x: the file
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_export_ctf(struct kd_export *x, struct kfi_err *err);

/**
 * kd_export_flamegraph() - write a flame graph as a picture
 * @x: the file
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_export_flamegraph(struct kd_export *x, struct kfi_err *err);

/**
 * kd_export_graphviz() - write a graph of who calls whom, for dot
 * @x: the file
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_export_graphviz(struct kd_export *x, struct kfi_err *err);

/**
 * kd_export_bootchart() - write a chart of a boot as a picture
 * @x: the file
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_export_bootchart(struct kd_export *x, struct kfi_err *err);

#endif /* KFI_KD_EXPORT_H */
