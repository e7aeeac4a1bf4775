// SPDX-License-Identifier: GPL-2.0
/* Keeps the records of a fleet in an SQLite file: see kd_store.h. */
#include <stdio.h>
#include <stdlib.h>

#include "kd_store.h"

/* "KFIf": the application id of the file, which shows that --fleet made it. */
#define APPLICATION	0x4b464966

/* Number of boots that one transaction writes. */
#define BATCH		500

static const char *const tables[] = {
	"CREATE TABLE boot (id INTEGER PRIMARY KEY, board TEXT NOT NULL, boot TEXT NOT NULL UNIQUE, build TEXT NOT NULL, arch TEXT, config TEXT, log TEXT, kernel TEXT, build_id TEXT, clock TEXT, filters TEXT, end_by TEXT, time INTEGER NOT NULL, run INTEGER, calls INTEGER, filtered INTEGER, lost INTEGER, marks_lost INTEGER, left_out INTEGER, complete INTEGER NOT NULL, total_ns INTEGER NOT NULL);",
	"CREATE TABLE name (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);",
	"CREATE TABLE phase (name INTEGER, boot INTEGER, entry_ns INTEGER, length_ns INTEGER, PRIMARY KEY (name, boot)) WITHOUT ROWID;",
	"CREATE TABLE path (name INTEGER, boot INTEGER, entry_ns INTEGER, length_ns INTEGER, PRIMARY KEY (name, boot)) WITHOUT ROWID;",
	"CREATE TABLE function (name INTEGER, boot INTEGER, count INTEGER, total_ns INTEGER, self_ns INTEGER, max_ns INTEGER, PRIMARY KEY (name, boot)) WITHOUT ROWID;",
};

/* Columns in the order of the texts and numbers of a record. */
static const char *const add_boot[] = {
	"INSERT OR IGNORE INTO boot (board, boot, build, arch, config, log, kernel, build_id, clock, filters, end_by, time, run, calls, filtered, lost, marks_lost, left_out, complete, total_ns) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
};

/* Pieces of the path in the same function, and phases of the same name, are added up. */
#define ADD_SPAN(table)									\
	"INSERT INTO " table " VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET "	\
	"length_ns = length_ns + excluded.length_ns"

static const char *const add_row[KFI_RECORD_LISTS] = {
	[KFI_RECORD_PHASES] = ADD_SPAN("phase"),
	[KFI_RECORD_PATH] = ADD_SPAN("path"),
	[KFI_RECORD_FUNCS] = "INSERT INTO function VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
};

int store_error(const struct store *s, struct kfi_err *err)
{
	int code = s->db ? sqlite3_errcode(s->db) : SQLITE_NOMEM;

	return kfi_err_set(err, code == SQLITE_NOMEM ? ENOMEM : EIO, "%s: %s%s", s->path,
			   s->db ? sqlite3_errmsg(s->db) : "out of memory",
			   code != SQLITE_NOTADB ? "" :
			   ": give a file that --fleet has made, or a new one");
}

static int execute(struct store *s, const char *sql, struct kfi_err *err)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) ? store_error(s, err) : 0;
}

int store_prepare(struct store *s, const char *sql, sqlite3_stmt **stmt, struct kfi_err *err)
{
	return sqlite3_prepare_v2(s->db, sql, -1, stmt, NULL) ? store_error(s, err) : 0;
}

/* Read a number from the header of the file. */
static int pragma(struct store *s, const char *sql, s64 *v, struct kfi_err *err)
{
	sqlite3_stmt *stmt = NULL;
	int ret = store_prepare(s, sql, &stmt, err);

	if (!ret && sqlite3_step(stmt) != SQLITE_ROW)
		ret = store_error(s, err);
	*v = ret ? 0 : sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return ret;
}

static int make_tables(struct store *s, struct kfi_err *err)
{
	char sql[128];
	int ret = execute(s, "BEGIN IMMEDIATE", err);

	for (u32 i = 0; i < ARRAY_SIZE(tables) && !ret; i++)
		ret = execute(s, tables[i], err);
	snprintf(sql, sizeof(sql), "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
		 APPLICATION, STORE_VERSION);
	return ret ? : execute(s, sql, err);
}

/* Check that --fleet of this version made the file. Create the tables of a new file. */
static int check_file(struct store *s, struct kfi_err *err)
{
	s64 application, version, objects;
	int ret = pragma(s, "PRAGMA application_id", &application, err);

	ret = ret ? : pragma(s, "PRAGMA user_version", &version, err);
	ret = ret ? : pragma(s, "SELECT count(*) FROM sqlite_master", &objects, err);
	if (ret)
		return ret;
	if (!application && !objects)
		return make_tables(s, err);
	if (application != APPLICATION)
		return kfi_err_set(err, EINVAL,
				   "%s: a database of another program: give a file that --fleet has made, or a new one",
				   s->path);
	if (version != STORE_VERSION)
		return kfi_err_set(err, EINVAL, "%s: another kd has made it: it has version %lld, this kd knows %d; load the records into a new file",
				   s->path, (long long)version, STORE_VERSION);
	return 0;
}

static int by_version(void *arg, int na, const void *a, int nb, const void *b)
{
	char x[256], y[256];

	snprintf(x, sizeof(x), "%.*s", na, (const char *)a);
	snprintf(y, sizeof(y), "%.*s", nb, (const char *)b);
	return strverscmp(x, y);
}

int store_open(struct store *s, const char *path, struct kfi_err *err)
{
	int ret;

	*s = (struct store){ .path = path };
	if (sqlite3_open(path, &s->db))
		return store_error(s, err);
	sqlite3_busy_timeout(s->db, 60000);
	if (sqlite3_create_collation(s->db, "version", SQLITE_UTF8, NULL, by_version))
		return store_error(s, err);
	ret = check_file(s, err);
	ret = ret ? : execute(s, "PRAGMA cache_size = -65536", err);
	ret = ret ? : store_prepare(s, *add_boot, &s->add_boot, err);
	ret = ret ? : store_prepare(s, "INSERT OR IGNORE INTO name (name) VALUES (?)", &s->add_name,
				    err);
	ret = ret ? : store_prepare(s, "SELECT id FROM name WHERE name = ?", &s->find_name, err);
	for (u32 i = 0; i < KFI_RECORD_LISTS && !ret; i++)
		ret = store_prepare(s, add_row[i], &s->add[i], err);
	return ret;
}

/* Run a statement that returns no rows. */
static int run(struct store *s, sqlite3_stmt *stmt, struct kfi_err *err)
{
	int code = sqlite3_step(stmt), ret = code == SQLITE_DONE ? 0 : store_error(s, err);

	sqlite3_reset(stmt);
	return ret;
}

static void bind_text(sqlite3_stmt *stmt, int at, const char *text)
{
	if (text)
		sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC);
	else
		sqlite3_bind_null(stmt, at);
}

static void bind_number(sqlite3_stmt *stmt, int at, s64 v)
{
	if (v >= 0)
		sqlite3_bind_int64(stmt, at, v);
	else
		sqlite3_bind_null(stmt, at);
}

static int name_of(struct store *s, const char *name, s64 *id, struct kfi_err *err)
{
	int ret = 0;

	bind_text(s->find_name, 1, name);
	if (sqlite3_step(s->find_name) == SQLITE_ROW) {
		*id = sqlite3_column_int64(s->find_name, 0);
	} else {
		bind_text(s->add_name, 1, name);
		ret = run(s, s->add_name, err);
		*id = sqlite3_last_insert_rowid(s->db);
	}
	sqlite3_reset(s->find_name);
	return ret;
}

static int add_list(struct store *s, const struct kfi_record *r, u32 list, s64 boot,
		    struct kfi_err *err)
{
	const struct kfi_record_list *l = &r->list[list];
	u32 column = list == KFI_RECORD_PATH ? KFI_RECORD_FUNCTION : KFI_RECORD_NAME;
	int ret = 0;

	for (u32 i = 0; i < l->n && !ret; i++) {
		const char *name = kfi_record_text(r, l->row[i].text[column]);
		s64 id;

		ret = name_of(s, name ? name : "(unknown)", &id, err);
		if (ret)
			break;
		sqlite3_bind_int64(s->add[list], 1, id);
		sqlite3_bind_int64(s->add[list], 2, boot);
		for (u32 k = 0; k < (list == KFI_RECORD_FUNCS ? 4 : 2); k++)
			bind_number(s->add[list], 3 + k, l->row[i].number[k]);
		ret = run(s, s->add[list], err);
	}
	return ret;
}

int store_commit(struct store *s, struct kfi_err *err)
{
	int ret = s->in_batch ? execute(s, "COMMIT", err) : 0;

	if (!ret)
		s->in_batch = 0;
	return ret;
}

int store_add(void *arg, struct kfi_record *r, struct kfi_err *err)
{
	struct store *s = arg;
	int ret = s->in_batch ? 0 : execute(s, "BEGIN IMMEDIATE", err);
	s64 boot;

	if (ret)
		return ret;
	s->in_batch++;
	for (u32 i = 0; i < KFI_RECORD_TEXTS; i++)
		bind_text(s->add_boot, 1 + i, kfi_record_text(r, r->text[i]));
	for (u32 i = 0; i < KFI_RECORD_NUMBERS; i++)
		bind_number(s->add_boot, 1 + KFI_RECORD_TEXTS + i, r->number[i]);
	ret = run(s, s->add_boot, err);
	if (ret)
		return ret;
	if (!sqlite3_changes(s->db)) {
		s->known++;
		return 0;
	}
	boot = sqlite3_last_insert_rowid(s->db);
	for (u32 i = 0; i < KFI_RECORD_LISTS && !ret; i++)
		ret = add_list(s, r, i, boot, err);
	s->added += !ret;
	return ret || s->in_batch < BATCH ? ret : store_commit(s, err);
}

void store_close(struct store *s)
{
	sqlite3_finalize(s->add_boot);
	sqlite3_finalize(s->add_name);
	sqlite3_finalize(s->find_name);
	for (u32 i = 0; i < KFI_RECORD_LISTS; i++)
		sqlite3_finalize(s->add[i]);
	sqlite3_close(s->db);
	*s = (struct store){ 0 };
}
