/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps the records of a fleet in an SQLite file. Its tables are:
 *
 *	boot		a row for each boot, with the texts and numbers of its record
 *	name		names of functions and phases
 *	phase, path, function	sums by name and boot
 *
 * A boot is identified by a hash and added once. It is added whole or not at all, even if kd is
 * killed.
 */
#ifndef KFI_KD_STORE_H
#define KFI_KD_STORE_H

#include <sqlite3.h>

#include "record.h"

/* Changes when the tables change. */
#define STORE_VERSION	1

/**
 * struct store - an open file of a fleet
 * @db: the database
 * @path: name of the file
 * @add_boot: statement that adds a boot
 * @add_name: statement that adds a name
 * @find_name: statement that finds the number of a name
 * @add: by enum kfi_record_lists: statement that adds an element of the list
 * @added: number of boots added
 * @known: number of boots that were in the file before
 * @in_batch: number of boots added since the last commit
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
 * store_open() - open the file of a fleet; create it if it does not exist
 * @s: filled; store_close() must follow in any case
 * @path: the file
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int store_open(struct store *s, const char *path, struct kfi_err *err);

/**
 * store_add() - add the record of a boot, unless the file has it
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
 * @stmt: set to the statement; sqlite3_finalize() must follow
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
 * store_close() - close the file; changes that were not committed are lost
 * @s: the store
 */
void store_close(struct store *s);

#endif /* KFI_KD_STORE_H */
