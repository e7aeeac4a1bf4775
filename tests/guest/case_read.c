// SPDX-License-Identifier: GPL-2.0
/*
 * case_read.c - what can be read of a run: the raw log beside its text
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"
#include "rawlog.h"

/* A file that may hold zeros. */
static char *slurp_bytes(const char *path, size_t chunk, size_t *len)
{
	size_t room = 1 << 20;
	char *buf = malloc(room);
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : 1;

	for (*len = 0; buf && n > 0; *len += n) {
		if (room - *len < chunk) {
			char *more = realloc(buf, room *= 2);

			if (!more)
				break;
			buf = more;
		}
		n = read(fd, buf + *len, chunk);
		if (n <= 0)
			break;
	}
	if (fd >= 0)
		close(fd);
	if (n) {
		free(buf);
		return NULL;
	}
	return buf;
}

static enum outcome read_raw(struct tracelog *raw, size_t chunk, size_t *len)
{
	char why[200], *data = slurp_bytes("/proc/kfi_raw", chunk, len);

	if (!data)
		return because(FAIL, "/proc/kfi_raw: %s", strerror(errno));
	if (raw_parse(raw, data, *len, why, sizeof(why))) {
		free(data);
		return because(FAIL, "/proc/kfi_raw: %s", why);
	}
	free(data);
	return PASS;
}

static bool same_row(const struct tl_row *a, const struct tl_row *b)
{
	return a->entry_us == b->entry_us && a->delta_us == b->delta_us &&
	       a->entry_ns == b->entry_ns && a->delta_ns == b->delta_ns &&
	       a->local_ns == b->local_ns && a->off_ns == b->off_ns && a->irq_ns == b->irq_ns &&
	       a->pid == b->pid && a->task == b->task && a->cpu == b->cpu &&
	       a->depth == b->depth && a->ctx == b->ctx && a->marks == b->marks &&
	       !strcmp(a->func, b->func) && !strcmp(a->caller, b->caller);
}

/* The raw log has the header of the text and row by row the same calls. */
static enum outcome compare_raw(const struct tracelog *text)
{
	struct tracelog raw;
	size_t len, i;

	TRY(read_raw(&raw, 1 << 16, &len));
	WANT_EQ(raw.nr_head, text->nr_head);
	for (i = 0; i < text->nr_head; i++)
		WANT(!strcmp(raw.head[i].name, text->head[i].name) &&
		     !strcmp(raw.head[i].value, text->head[i].value));
	WANT_EQ(raw.nr_rows, text->nr_rows);
	for (i = 0; i < text->nr_rows; i++)
		if (!same_row(&raw.rows[i], &text->rows[i]))
			return because(FAIL, "row %zu: %s %llu %lld in the text, raw %s %llu %lld",
				       i, text->rows[i].func, (long long)text->rows[i].entry_ns,
				       (long long)text->rows[i].delta_ns, raw.rows[i].func,
				       (long long)raw.rows[i].entry_ns,
				       (long long)raw.rows[i].delta_ns);
	tl_free(&raw);
	return PASS;
}

static void forks(int n)
{
	for (int i = 0; i < n; i++) {
		if (!fork()) {
			free(slurp("/proc/meminfo", 0));
			_exit(0);
		}
		wait(NULL);
	}
}

/* All kinds of calls: short and long, switched out, interrupted, of dead tasks, open. */
static enum outcome raw_rows(void)
{
	struct tracelog log;
	size_t text, raw, rows;

	WANT_EQ(kfi_write("new begin logentries 200000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	forks(3);
	sleep_ms(50);
	kfi_write("stop");
	TRY(finish(&log));
	rows = log.nr_rows;
	WANT(rows > 1000);
	WANT(tl_num(&log, "Calls open") > 0);
	TRY(compare_raw(&log));
	tl_free(&log);
	free(slurp_bytes("/proc/kfi_trace", 1 << 16, &text));
	free(slurp_bytes("/proc/kfi_raw", 1 << 16, &raw));
	printf("# %zu rows: %zu bytes of text, %zu raw\n", rows, text, raw);
	WANT(raw < text / 4);
	return PASS;
}

/* The recorder keeps a little too much; a reader drops that, and then the header is right. */
static enum outcome raw_filter(void)
{
	struct tracelog log;

	WANT_EQ(kfi_write("new begin filter mintime 20 filter maxtime 30 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	forks(20);
	kfi_write("stop");
	TRY(finish(&log));
	WANT(log.nr_rows > 20);
	TRY(compare_raw(&log));
	tl_free(&log);
	return PASS;
}

/* However it is read, in pieces that cut everything, it is the same file. */
static enum outcome raw_pieces(void)
{
	size_t lens[2], i;
	char *data[2];

	TRY(arm("trigger start entry vfs_mkdir\ntrigger stop exit vfs_mkdir"));
	make_dir();
	drop_dir();
	WANT(wait_state("complete", 5000));
	for (i = 0; i < 2; i++) {
		data[i] = slurp_bytes("/proc/kfi_raw", i ? 7 : 1 << 16, &lens[i]);
		WANT(data[i]);
	}
	WANT_EQ(lens[0], lens[1]);
	WANT(!memcmp(data[0], data[1], lens[0]));
	return PASS;
}

/* Before there is anything to be read: a header without rows. */
static enum outcome raw_waiting(void)
{
	struct tracelog raw;
	size_t len;

	TRY(arm("trigger start entry vfs_mkdir"));
	TRY(read_raw(&raw, 1 << 16, &len));
	WANT_EQ(raw.nr_rows, 0);
	WANT(raw.rule && !raw.started);
	WANT(tl_note(&raw, "the start trigger was not seen yet"));
	tl_free(&raw);
	return PASS;
}

const struct guest_case read_cases[] = {
	{ "read_raw_rows", raw_rows },
	{ "read_raw_filter", raw_filter },
	{ "read_raw_pieces", raw_pieces },
	{ "read_raw_waiting", raw_waiting },
	{ NULL, NULL },
};
