/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Many boots: makes a record of each (--record), answers questions about the records (--fleet), and
 * tests whether new boots are slower than old ones (--gate).
 *
 *	kd_words.c	finds logs and records: files, folders, lists
 *	kd_measure.c	makes the record of a log, with what --boot and the table of functions have
 *	kd_record.c	--record: prints records
 *	kd_store.c	keeps records in an SQLite file
 *	kd_fleet.c	--fleet: adds records to it, and answers questions
 *	kd_ask.c	the questions; kd_fleet_page.c: a page with all of their answers
 *	kd_ask_stream.c	a fleet that is kept elsewhere, from standard input
 *	kd_gate.c	--gate: compares, with budgets; kd_gate_report.c: JUnit XML, Markdown
 *
 * Memory use grows with the size of one record and of the symbols that are open.
 */
#ifndef KFI_KD_FLEET_H
#define KFI_KD_FLEET_H

#include <regex.h>

#include "kd.h"
#include "record.h"

/* Number of builds whose symbols are kept open. */
#define FLEET_SYMBOLS	16

/* Labels of --label and --path. */
enum fleet_label {
	FLEET_BOARD,
	FLEET_BUILD,
	FLEET_ARCH,
	FLEET_CONFIG,
	FLEET_TIME,
	FLEET_LABELS
};

/**
 * struct fleet_symbols - symbols of a build
 * @build_id: build id of their kernel; empty: they are those of the options, for all logs
 * @resolve: the symbols, NULL: none
 * @path: the file of @resolve, if it is from the folder of --symbols
 */
struct fleet_symbols {
	char build_id[72];
	char *path;
	struct kfi_resolve *resolve;
};

/**
 * struct fleet_input - logs and records that are being read
 * @kd: the options; its status becomes 1 if a log or record was skipped
 * @on_record: called with each record. Return: 0 or -errno, which ends the reading
 * @arg: argument for @on_record
 * @label: by label: its value in --label; NULL: not given
 * @labels: text of --label, cut into pieces
 * @pattern: --path as a regular expression
 * @has_pattern: --path was given
 * @group: by group of @pattern: its label
 * @groups: number of groups
 * @symbols: symbols that are open
 * @nsymbols: how many
 * @next_symbols: number of the symbols that are closed next, when there is no room
 * @symbols_said: the last message about symbols
 * @records: number of records passed to @on_record
 * @skipped: number of files and lines that were skipped
 * @no_board: number of records without the name of a board
 */
struct fleet_input {
	struct kd *kd;
	int (*on_record)(void *arg, struct kfi_record *r, struct kfi_err *err);
	void *arg;
	char *label[FLEET_LABELS];
	char *labels;
	regex_t pattern;
	bool has_pattern;
	enum fleet_label group[FLEET_LABELS];
	u32 groups;
	struct fleet_symbols symbols[FLEET_SYMBOLS];
	u32 nsymbols;
	u32 next_symbols;
	char symbols_said[512];
	u64 records;
	u64 skipped;
	u64 no_board;
};

/**
 * fleet_input_open() - parse --label and --path, check --symbols
 * @f: zeroed, but for @kd, @on_record and @arg
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno; fleet_input_close() must follow in any case.
 */
int fleet_input_open(struct fleet_input *f, struct kfi_err *err);

/**
 * fleet_input_read() - read what the words of a command line name
 * @f: the input
 * @n: number of words
 * @word: files, folders, "@FILE": a list of these, "-": records from standard input
 * @err: set to the reason why reading ended; a problem of one log is reported, and the log skipped
 *
 * Return: 0 or -errno.
 */
int fleet_input_read(struct fleet_input *f, int n, char **word, struct kfi_err *err);

/**
 * fleet_input_close() - free the memory, and report what was skipped
 * @f: the input
 */
void fleet_input_close(struct fleet_input *f);

/**
 * fleet_label() - set the labels of a record
 * @f: the input
 * @path: path of the log
 * @r: the record
 * @err: set to the reason of a failure
 *
 * Return: 0; -EINVAL: the path or a label is wrong; -ENOMEM.
 */
int fleet_label(struct fleet_input *f, const char *path, struct kfi_record *r, struct kfi_err *err);

/**
 * fleet_measure() - make the record of a log
 * @f: the input, with symbols
 * @path: the log, a file
 * @r: filled; kfi_record_free() must follow in any case
 * @err: set to the reason of a failure
 *
 * Return: 0; -ENOMEM; another -errno: the log cannot be used.
 */
int fleet_measure(struct fleet_input *f, const char *path, struct kfi_record *r,
		  struct kfi_err *err);

/**
 * fleet_close_symbols() - close the symbols that fleet_measure() opened
 * @f: the input
 */
void fleet_close_symbols(struct fleet_input *f);

/**
 * kd_record() - print a record of each log (--record)
 * @kd: options
 * @argc: number of words
 * @argv: logs, folders, lists
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_record(struct kd *kd, int argc, char **argv, struct kfi_err *err);

/**
 * kd_fleet() - add records to a fleet, and answer a question (--fleet)
 * @kd: options
 * @argc: number of words
 * @argv: logs, records, folders, lists
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_fleet(struct kd *kd, int argc, char **argv, struct kfi_err *err);

/**
 * kd_gate() - compare new boots with a baseline and a budget (--gate)
 * @kd: options; its status becomes KD_SLOWER if new boots are slower
 * @argc: number of words
 * @argv: the baseline, ":", the new boots
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_gate(struct kd *kd, int argc, char **argv, struct kfi_err *err);

#endif /* KFI_KD_FLEET_H */
