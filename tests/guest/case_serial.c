// SPDX-License-Identifier: GPL-2.0
/*
 * case_serial.c - /proc/kfi_serial: lines that are framed, numbered and have a checksum; the same
 * each time; those that are asked for. What the items say is judged on the host (tests/boot).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"
#include "rawlog.h"

#define SERIAL		"/proc/kfi_serial"
#define LINES_MAX	2000
#define BASE		91
#define PAIR_BITS	13

/* The lines of one reading. */
struct lines {
	char *text;
	int nr;
	struct {
		unsigned int seq, id;
		bool last;
	} line[LINES_MAX];
};

/* A line between its frame, as Documentation/format-serial.rst describes it. */
static enum outcome parse_line(struct lines *l, const char *s, size_t len)
{
	uint8_t bytes[8 + 4096] = { 0 };
	uint64_t pending = 0, head[2] = { 0 };
	unsigned int bits = 0, nbytes = 0, seq, id, last;
	uint32_t crc;

	WANT(l->nr < LINES_MAX);
	WANT(len >= 10 && len % 2 == 0 && len < 4000);
	for (size_t i = 0; i < len; i += 2) {
		unsigned int a = (uint8_t)s[i] - '!', b = (uint8_t)s[i + 1] - '!', pair;

		WANT(a < BASE && b < BASE);
		pair = a * BASE + b;
		WANT(pair < 1u << PAIR_BITS);
		if (i < 10) {
			head[i >= 4] |= (uint64_t)pair << PAIR_BITS * (i < 4 ? i / 2 : i / 2 - 2);
			continue;
		}
		pending |= (uint64_t)pair << bits;
		for (bits += PAIR_BITS; bits >= 8; bits -= 8, pending >>= 8)
			bytes[8 + nbytes++] = (uint8_t)pending;
	}
	crc = (uint32_t)(head[0] | head[1] << 2 * PAIR_BITS);
	seq = head[1] >> 6 & 0xfffff;
	id = head[1] >> 26 & 0xfff;
	last = head[1] >> 38 & 1;
	while (nbytes && !bytes[8 + nbytes - 1])
		nbytes--;
	for (int i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(seq >> 8 * i);
	bytes[4] = (uint8_t)id;
	bytes[5] = (uint8_t)(id >> 8);
	bytes[6] = (uint8_t)last;
	WANT_EQ(crc32_of(bytes, 8 + nbytes), crc);
	l->line[l->nr].seq = seq;
	l->line[l->nr].id = id;
	l->line[l->nr++].last = last;
	return PASS;
}

static enum outcome read_lines(struct lines *l)
{
	char *s, *end;

	l->nr = 0;
	l->text = read_whole_file(SERIAL, 0);
	WANT(l->text);
	for (s = l->text; *s; s = end + 1) {
		end = strchr(s, '\n');
		WANT(end && end - s > 2);
		WANT(*s == '~' && end[-1] == '|');
		TRY(parse_line(l, s + 1, end - s - 2));
		WANT_EQ(l->line[l->nr - 1].id, l->line[0].id);
	}
	return PASS;
}

/* One log, with some lines. */
static enum outcome record_log(void)
{
	struct tracelog log;

	TRY(arm_run("filter mintime 0 trigger start entry vfs_mkdir trigger stop entry vfs_rmdir"));
	WANT(make_dir());
	for (int i = 0; i < 20; i++)
		free(read_whole_file("/proc/meminfo", 0));
	WANT(remove_dir());
	TRY(wait_and_read_log(&log));
	WANT(log.nr_rows > 500);
	return PASS;
}

static int request_lines(const char *text)
{
	int fd = open(SERIAL, O_WRONLY), ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, text, strlen(text)) == (ssize_t)strlen(text) ? 0 : -errno;
	close(fd);
	return ret;
}

/* Line 0 and the last are sent twice, all others once. */
static enum outcome numbered(void)
{
	struct lines l, again;
	int seq = 0;

	TRY(record_log());
	TRY(read_lines(&l));
	WANT(l.nr > 4);
	for (int i = 0; i < l.nr; i++) {
		WANT_EQ(l.line[i].seq, seq);
		WANT_EQ(l.line[i].last, i >= l.nr - 2);
		seq += i && i != l.nr - 2;
	}
	TRY(read_lines(&again));
	WANT(!strcmp(l.text, again.text));
	return PASS;
}

static enum outcome requested(void)
{
	struct lines all, some;

	TRY(record_log());
	TRY(read_lines(&all));
	WANT_EQ(request_lines("1,3-4\n"), 0);
	TRY(read_lines(&some));
	WANT_EQ(some.nr, 3);
	WANT_EQ(some.line[0].seq, 1);
	WANT_EQ(some.line[1].seq, 3);
	WANT_EQ(some.line[2].seq, 4);
	WANT(strstr(all.text, some.text) == NULL);
	WANT(strstr(all.text, strchr(some.text, '\n') + 1));
	/* Once. */
	TRY(read_lines(&some));
	WANT(!strcmp(all.text, some.text));
	WANT_EQ(request_lines("3-"), 0);
	TRY(read_lines(&some));
	WANT_EQ(some.line[0].seq, 3);
	WANT(some.line[some.nr - 1].last);
	return PASS;
}

static enum outcome refused(void)
{
	char many[200] = "";
	struct lines l;

	for (int i = 0; i < 33; i++)
		sprintf(many + strlen(many), "%d,", 2 * i);
	WANT_EQ(request_lines("x"), -EINVAL);
	WANT_EQ(request_lines("4-3"), -EINVAL);
	WANT_EQ(request_lines("-3"), -EINVAL);
	WANT_EQ(request_lines("1 2 99999999999"), -EINVAL);
	WANT_EQ(request_lines(many), -E2BIG);
	/* None of it is remembered. */
	TRY(record_log());
	TRY(read_lines(&l));
	WANT_EQ(l.line[0].seq, 0);
	return PASS;
}

/* A profile has lines, too, and a raw log. */
static enum outcome profile(void)
{
	struct lines l;
	int fd;
	char magic[8];

	TRY(arm_run("profile trigger start entry vfs_mkdir trigger stop exit vfs_mkdir"));
	WANT(make_dir());
	WANT(remove_dir());
	WANT(wait_state("complete"));
	TRY(read_lines(&l));
	WANT(l.nr > 2 && l.line[l.nr - 1].last);
	fd = open("/proc/kfi_raw", O_RDONLY);
	WANT(fd >= 0);
	WANT(read(fd, magic, sizeof(magic)) == sizeof(magic));
	close(fd);
	WANT(!memcmp(magic, "\211KFIraw\n", sizeof(magic)));
	return PASS;
}

const struct guest_case serial_cases[] = {
	{ "serial_numbered", numbered },
	{ "serial_requested", requested },
	{ "serial_refused", refused },
	{ "serial_profile", profile },
	{ NULL, NULL },
};
