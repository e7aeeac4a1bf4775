// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the logs and records that the words of a command line name, and their labels. A log that
 * cannot be read is reported and skipped, and so is a line that is no record.
 */
#include <dirent.h>
#include <fts.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "file.h"
#include "kd_fleet.h"

static const char *const label_names[FLEET_LABELS] = {
	[FLEET_BOARD] = "board", [FLEET_BUILD] = "build", [FLEET_ARCH] = "arch",
	[FLEET_CONFIG] = "config", [FLEET_TIME] = "time",
};

#define LABELS_TEXT	"board, build, arch, config and time"

/* Return the number of the label of this name, or FLEET_LABELS if there is none. */
static enum fleet_label label_of(const char *s, size_t len)
{
	enum fleet_label i;

	for (i = 0; i < FLEET_LABELS; i++)
		if (strlen(label_names[i]) == len && !memcmp(label_names[i], s, len))
			break;
	return i;
}

/* Parse --label, as in "board=a,build=b". */
static int parse_labels(struct fleet_input *f, struct kfi_err *err)
{
	char *save, *word;

	if (!f->kd->opt.label)
		return 0;
	f->labels = strdup(f->kd->opt.label);
	if (!f->labels)
		return kfi_err_set(err, ENOMEM, "out of memory");
	for (word = strtok_r(f->labels, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		size_t len = strcspn(word, "=");
		enum fleet_label label = label_of(word, len);

		if (label == FLEET_LABELS || !word[len] || !word[len + 1])
			return kfi_err_set(err, EINVAL,
						"--label %s: not KEY=VALUE; keys are "
						LABELS_TEXT,
					   word);
		if (f->label[label])
			return kfi_err_set(err, EINVAL, "--label %s: %s has a value already", word,
					   label_names[label]);
		f->label[label] = word + len + 1;
	}
	return 0;
}

/*
 * Convert --path, as in "logs/{build}/{board}-*.log", to a regular expression for the end of a
 * path.
 */
static int parse_path(struct fleet_input *f, struct kfi_err *err)
{
	const char *s = f->kd->opt.path;
	char *text = NULL;
	size_t size = 0;
	FILE *out;
	int ret;

	if (!s)
		return 0;
	out = open_memstream(&text, &size);
	if (!out)
		return kfi_err_set(err, ENOMEM, "out of memory");
	fputs("(^|/)", out);
	for (; *s; s++) {
		size_t len = *s == '{' ? strcspn(s, "}") : 0;

		if (len && s[len]) {
			enum fleet_label label = label_of(s + 1, len - 1);

			if (label == FLEET_LABELS || f->groups == FLEET_LABELS) {
				fclose(out);
				free(text);
				return kfi_err_set(err, EINVAL,
							"--path: %.*s: labels are "
							LABELS_TEXT
						   ", each once", (int)len + 1, s);
			}
			f->group[f->groups++] = label;
			fputs("([^/]+)", out);
			s += len;
		} else if (*s == '*') {
			fputs("[^/]*", out);
		} else {
			fprintf(out, strchr(".[](){}\\+?^$|", *s) ? "\\%c" : "%c", *s);
		}
	}
	fputs("$", out);
	if (fclose(out)) {
		free(text);
		return kfi_err_set(err, ENOMEM, "out of memory");
	}
	ret = regcomp(&f->pattern, text, REG_EXTENDED);
	free(text);
	if (ret)
		return kfi_err_set(err, EINVAL,
				   "--path %s: not a pattern of a path; write it as in {build}/{board}/*.log",
				   f->kd->opt.path);
	f->has_pattern = true;
	return 0;
}

/* Check that the folder of --symbols is there: without it each build would lack symbols. */
static int check_symbols(const struct fleet_input *f, struct kfi_err *err)
{
	const char *path = f->kd->opt.symbols;
	DIR *dir = path ? opendir(path) : NULL;

	if (path && !dir)
		return kfi_err_set(err, errno, "--symbols %s: %s", path, strerror(errno));
	if (dir)
		closedir(dir);
	return 0;
}

int fleet_input_open(struct fleet_input *f, struct kfi_err *err)
{
	int ret = parse_labels(f, err);

	ret = ret ? : parse_path(f, err);
	return ret ? : check_symbols(f, err);
}

/* Parse seconds since 1970 or a date as 2026-01-31. Return false if it is neither. */
static bool parse_time(const char *s, s64 *time)
{
	struct tm tm = { 0 };
	const char *end;
	char *rest;

	end = strptime(s, "%Y-%m-%d", &tm);
	if (end && !*end) {
		*time = timegm(&tm);
		return *time >= 0;
	}
	errno = 0;
	*time = strtoll(s, &rest, 10);
	return *s >= '0' && *s <= '9' && !*rest && !errno;
}

/* Set the labels that the options give a log; those of --path come first. */
static int find_labels(const struct fleet_input *f, const char *path, char *label[FLEET_LABELS],
		       struct kfi_err *err)
{
	regmatch_t match[FLEET_LABELS + 2];
	int ret;

	for (u32 i = 0; i < FLEET_LABELS; i++)
		label[i] = NULL;
	if (!f->has_pattern)
		return 0;
	ret = regexec(&f->pattern, path, ARRAY_SIZE(match), match, 0);
	if (ret)
		return kfi_err_set(err, ret == REG_ESPACE ? ENOMEM : EINVAL,
				   "%s: the path does not end as --path %s", path, f->kd->opt.path);
	for (u32 i = 0; i < f->groups; i++) {
		const regmatch_t *m = &match[i + 2];

		label[f->group[i]] = strndup(path + m->rm_so, m->rm_eo - m->rm_so);
		if (!label[f->group[i]])
			return kfi_err_set(err, ENOMEM, "out of memory");
	}
	return 0;
}

/* Use the build id as the name of the build if there is no other name. */
static int set_labels(struct fleet_input *f, char *const label[FLEET_LABELS], struct kfi_record *r)
{
	const char *text[FLEET_LABELS];
	const char *build = kfi_record_text(r, r->text[KFI_RECORD_BUILD_ID]);

	if (!build)
		build = kfi_record_text(r, r->text[KFI_RECORD_KERNEL]);
	for (u32 i = 0; i < FLEET_LABELS; i++)
		text[i] = label[i] ? label[i] : f->label[i];
	f->no_board += !text[FLEET_BOARD];
	if (!text[FLEET_BOARD])
		text[FLEET_BOARD] = "unknown";
	return kfi_record_set(r, KFI_RECORD_BOARD, text[FLEET_BOARD]) ||
	       kfi_record_set(r, KFI_RECORD_BUILD, text[FLEET_BUILD] ? text[FLEET_BUILD] :
						    build ? build : "unknown") ||
	       kfi_record_set(r, KFI_RECORD_ARCH, text[FLEET_ARCH]) ||
	       kfi_record_set(r, KFI_RECORD_CONFIG, text[FLEET_CONFIG]) ? -ENOMEM : 0;
}

int fleet_label(struct fleet_input *f, const char *path, struct kfi_record *r, struct kfi_err *err)
{
	char *label[FLEET_LABELS];
	int ret = find_labels(f, path, label, err);
	const char *time = label[FLEET_TIME] ? label[FLEET_TIME] : f->label[FLEET_TIME];

	if (!ret && time && !parse_time(time, &r->number[KFI_RECORD_TIME]))
		ret = kfi_err_set(err, EINVAL, "%s: time %s: neither seconds since 1970 nor a date as 2026-01-31",
				  path, time);
	if (!ret && set_labels(f, label, r))
		ret = kfi_err_set(err, ENOMEM, "out of memory");
	for (u32 i = 0; i < FLEET_LABELS; i++)
		free(label[i]);
	return ret;
}

static void skip(struct fleet_input *f, const struct kfi_err *why)
{
	struct kfi_err text;

	kfi_err_set(&text, 0, "%s; skipped", why->text);
	kd_say(text.text);
	f->skipped++;
	f->kd->res.status = 1;
}

static int pass_record(struct fleet_input *f, struct kfi_record *r, struct kfi_err *err)
{
	int ret = f->on_record(f->arg, r, err);

	f->records += !ret;
	return ret;
}

/* Read a file of records, whose first line has been read. */
static int read_records(struct fleet_input *f, struct kfi_in *in, const char *s, size_t len,
			struct kfi_err *err)
{
	struct kfi_err why;
	int ret, more;

	do {
		struct kfi_record r;

		ret = kfi_record_parse(&r, s, len, in->name, in->line, &why);
		if (ret == -EINVAL)
			skip(f, &why);
		else
			ret = ret ? kfi_err_set(err, -ret, "%s", why.text) :
				    pass_record(f, &r, err);
		kfi_record_free(&r);
		if (ret && ret != -EINVAL)
			return ret;
		more = kfi_in_line(in, &s, &len, err);
	} while (more > 0);
	if (!more && *in->fault) {
		kfi_err_set(&why, EBADMSG, "%s: %s", in->name, in->fault);
		skip(f, &why);
	}
	return more;
}

static int read_log(struct fleet_input *f, const char *path, struct kfi_err *err)
{
	struct kfi_record r;
	struct kfi_err why;
	int ret = fleet_measure(f, path, &r, &why);

	if (ret == -ENOMEM)
		kfi_err_set(err, ENOMEM, "%s", why.text);
	else if (ret)
		skip(f, &why);
	ret = ret == -ENOMEM ? ret : ret ? 0 : pass_record(f, &r, err);
	kfi_record_free(&r);
	return ret;
}

/* Read a log or a file of records. A file of records begins with a brace, which no log does. */
static int read_file(struct fleet_input *f, const char *path, struct kfi_err *err)
{
	struct kfi_err why;
	struct kfi_in in;
	const char *s;
	size_t len;
	int ret = kfi_in_open(&in, path, &why);
	bool is_log;

	if (ret) {
		skip(f, &why);
		return 0;
	}
	ret = kfi_in_line(&in, &s, &len, &why);
	is_log = ret > 0 && (!len || *s != '{');
	if (!ret)
		ret = kfi_err_set(&why, EINVAL, "%s: %s", in.name, *in.fault ? in.fault : "empty");
	if (ret < 0)
		skip(f, &why);
	/* The new records include those that are read, so their file may be replaced. */
	if (ret > 0 && !is_log && f->kd->opt.mode == KD_RECORD)
		kfi_file_release(path);
	ret = ret > 0 && !is_log ? read_records(f, &in, s, len, err) : 0;
	kfi_in_close(&in);
	return is_log ? read_log(f, path, err) : ret;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

/*
 * Return true for files in a folder of logs that are no logs: files of --fleet, and hidden files.
 */
static bool is_other(const char *name)
{
	const char *db = strstr(name, ".db");

	return *name == '.' || (db && (!db[3] || db[3] == '-'));
}

static int read_folder(struct fleet_input *f, char *path, struct kfi_err *err)
{
	char *paths[] = { path, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
	struct kfi_err why;
	FTSENT *e;
	int ret = 0;

	if (!fts)
		return kfi_err_set(err, errno, "%s: %s", path, strerror(errno));
	while (!ret && (e = fts_read(fts))) {
		if (e->fts_level > 0 && e->fts_info != FTS_DP && is_other(e->fts_name)) {
			fts_set(fts, e, FTS_SKIP);
		} else if (e->fts_info == FTS_F || e->fts_info == FTS_SL) {
			ret = read_file(f, e->fts_path, err);
		} else if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR ||
			   e->fts_info == FTS_NS) {
			kfi_err_set(&why, e->fts_errno, "%s: %s", e->fts_path,
				    strerror(e->fts_errno));
			skip(f, &why);
		}
	}
	fts_close(fts);
	return ret;
}

static int read_word(struct fleet_input *f, char *word, bool in_list, struct kfi_err *err);

/* Read a file with one word in each line. */
static int read_list(struct fleet_input *f, const char *path, struct kfi_err *err)
{
	struct kfi_in in;
	const char *s;
	size_t len;
	int ret = kfi_in_open(&in, path, err);

	if (ret)
		return ret;
	while ((ret = kfi_in_line(&in, &s, &len, err)) > 0) {
		char *word = strndup(s, len);

		if (!word)
			ret = kfi_err_set(err, ENOMEM, "out of memory");
		else
			ret = *word ? read_word(f, word, true, err) : 0;
		free(word);
		if (ret)
			break;
	}
	kfi_in_close(&in);
	return ret;
}

static int read_word(struct fleet_input *f, char *word, bool in_list, struct kfi_err *err)
{
	struct stat st;

	if (*word == '@' && !in_list)
		return read_list(f, word + 1, err);
	if (strcmp(word, "-") && !stat(word, &st) && S_ISDIR(st.st_mode))
		return read_folder(f, word, err);
	return read_file(f, word, err);
}

int fleet_input_read(struct fleet_input *f, int n, char **word, struct kfi_err *err)
{
	int ret = 0;

	for (int i = 0; i < n && !ret; i++)
		ret = read_word(f, word[i], false, err);
	return ret;
}

void fleet_input_close(struct fleet_input *f)
{
	if (f->no_board)
		kd_note("boots without a name of their board: %llu, recorded as \"unknown\": --label board=NAME, or --path",
			(unsigned long long)f->no_board);
	if (f->skipped)
		kd_note("skipped: %llu; read: %llu", (unsigned long long)f->skipped,
			(unsigned long long)f->records);
	fleet_close_symbols(f);
	free(f->labels);
	if (f->has_pattern)
		regfree(&f->pattern);
}
