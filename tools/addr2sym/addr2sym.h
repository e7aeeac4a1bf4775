/* SPDX-License-Identifier: GPL-2.0 */
/* The state that the files of addr2sym share, and their functions. */
#ifndef KFI_ADDRSYM_H
#define KFI_ADDRSYM_H

#include "log.h"
#include "out.h"
#include "resolve.h"
#include "term.h"

/**
 * struct job - one run of addr2sym
 * @names: names of addresses
 * @log: the log
 * @tally: counts of its calls, for kfi_log_faults()
 * @out: where lines are printed
 * @raw_checks: sums over the rows made from a raw log since the last check line
 * @lines: --srcline
 * @rows_with_line: number of rows whose function has a source line
 * @rows: number of rows
 * @blocks: number of lines with a block, in traces of QEMU
 * @unnamed: the part of @blocks whose block is in no symbol, such as firmware and user space
 * @first_line: number of the line with the first address that is in no symbol
 */
struct job {
	struct kfi_resolve names;
	struct kfi_log log;
	struct kfi_log_tally tally;
	struct kfi_out out;
	struct kfi_log_checks raw_checks;
	bool lines;
	u64 rows_with_line;
	u64 rows;
	u64 blocks;
	u64 unnamed;
	u64 first_line;
};

/**
 * put_row() - print a row with names
 * @job: the run
 * @row: the row, decoded
 * @s: the line
 * @len: its length
 */
void put_row(struct job *job, const struct kfi_row *row, const char *s, size_t len);

/**
 * put_sums() - print a row of a profile, job->log.sums, with a name
 * @job: the run
 * @s: the line
 * @len: its length
 */
void put_sums(struct job *job, const char *s, size_t len);

/**
 * put_mark() - print a mark, job->log.mark; if its kind has addresses, they become names
 * @job: the run
 * @s: the line
 * @len: its length
 */
void put_mark(struct job *job, const char *s, size_t len);

/**
 * find_block() - find the address of the block in a line of a trace of QEMU
 * @s: the line
 * @len: its length
 * @str: set to its hex digits, with "0x" if the line has it
 * @addr: set to the address
 *
 * Return: true if the line has a block.
 */
bool find_block(const char *s, size_t len, struct kfi_str *str, u64 *addr);

/**
 * put_block() - print a line of a trace of QEMU with a name in the place of the block's address
 * @job: the run
 * @s: the line
 * @len: its length
 * @str: the address, by find_block()
 * @addr: its value
 */
void put_block(struct job *job, const char *s, size_t len, struct kfi_str str, u64 addr);

/**
 * put_other() - print any other line
 * @job: the run
 * @s: the line
 * @len: its length
 * @in_head: it belongs to a header: the functions of triggers become names
 */
void put_other(struct job *job, const char *s, size_t len, bool in_head);

/**
 * convert() - print the whole log
 * @job: the run
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int convert(struct job *job, struct kfi_err *err);

#endif /* KFI_ADDRSYM_H */
