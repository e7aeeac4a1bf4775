/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The records of a fleet in an SQLite file.
 *
 *	boot		a row a boot, with the texts and numbers of its record
 *	name		names of functions and phases
 *	phase, path, function	by name and boot: sums
 *
 * A boot is added once, by its identity. It is added whole or not at all, whatever stops kd.
 */
#ifndef KFI_KD_STORE_H
#define KFI_KD_STORE_H

#include <sqlite3.h>

#include "record.h"

/* Changes when tables do. */
#define STORE_VERSION	1

/**
 * struct store - an open file
 * @db: the database
 * @path: its file
 * @add_boot: adds a boot, as the next ones add the rest
 * @add_name: a name
 * @find_name: its number
 * @add: by enum kfi_record_lists: an element of a list
 * @added: boots added
 * @known: boots that were there before
 * @in_batch: boots added since the last commit
 */
struct store {
	sqlite3 *db;
	const char *path;
	sqlite3_stmt *add_boot;
	sqlite3_stmt *add_name;
	sqlite3_stmt *find_name;
	sqlite3_stmt *add[KFI_RECORD_LISTS];
	u64 added;
	u64 known;
	u32 in_batch;
};

/**
 * store_open() - open a file, a new one if there is none
 * @s: filled; store_close() must follow in any case
 * @path: the file
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int store_open(struct store *s, const char *path, struct kfi_err *err);

/**
 * store_add() - add the record of a boot, unless it is there
 * @arg: the store
 * @r: the record
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int store_add(void *arg, struct kfi_record *r, struct kfi_err *err);

/**
 * store_commit() - write what was added
 * @s: the store
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int store_commit(struct store *s, struct kfi_err *err);

/**
 * store_prepare() - prepare a question in SQL
 * @s: the store
 * @sql: the text
 * @stmt: set to it; sqlite3_finalize() must follow
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int store_prepare(struct store *s, const char *sql, sqlite3_stmt **stmt, struct kfi_err *err);

/**
 * store_error() - set the error that the database reports
 * @s: the store
 * @err: filled
 *
 * Return: -ENOMEM or -EIO.
 */
int store_error(const struct store *s, struct kfi_err *err);

/**
 * store_close() - close the file; what was not committed is not in it
 * @s: the store
 */
void store_close(struct store *s);

#endif /* KFI_KD_STORE_H */
