// SPDX-License-Identifier: GPL-2.0
/* tools/lib/in and out: the same lines from memory, a file and a pipe, whatever their length. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "in.h"
#include "out.h"

static struct kfi_err err;

/* Line i is i bytes long, but every thousandth is long; some are empty. */
static size_t line_len(u32 i)
{
	return i % 1000 == 999 ? 300000 + i : i % 97;
}

#define LINES	8000

static char *make_text(size_t *len)
{
	size_t n = 0, room = 0;
	char *text;

	for (u32 i = 0; i < LINES; i++)
		room += line_len(i) + 1;
	text = malloc(room);
	for (u32 i = 0; text && i < LINES; i++) {
		memset(text + n, 'a' + i % 26, line_len(i));
		n += line_len(i);
		text[n++] = '\n';
	}
	*len = n;
	return text;
}

static void expect_lines(struct kfi_in *in, u32 from, u32 to)
{
	const char *s;
	size_t len;

	for (u32 i = from; i < to; i++) {
		if (!CHECK_EQ(kfi_in_line(in, &s, &len, &err), 1) || !CHECK_EQ(len, line_len(i)) ||
		    !CHECK_EQ(in->line, i + 1))
			return;
		if (len && (!CHECK_EQ(s[0], 'a' + i % 26) || !CHECK_EQ(s[len - 1], 'a' + i % 26)))
			return;
	}
}

static void expect_end(struct kfi_in *in, bool cut)
{
	const char *s;
	size_t len;

	CHECK_EQ(kfi_in_line(in, &s, &len, &err), 0);
	CHECK_EQ(kfi_in_line(in, &s, &len, &err), 0);
	CHECK_EQ(in->cut, cut);
}

static void memory(void)
{
	struct kfi_in in;
	size_t len;
	char *text = make_text(&len);

	kfi_in_memory(&in, "memory", text, len);
	expect_lines(&in, 0, LINES);
	expect_end(&in, false);
	kfi_in_memory(&in, "memory", text, len - 1);
	expect_lines(&in, 0, LINES);
	expect_end(&in, true);
	kfi_in_memory(&in, "memory", NULL, 0);
	expect_end(&in, false);
	free(text);
}

static void file(void)
{
	char path[] = "/tmp/kfi_test_in_XXXXXX";
	struct kfi_in in;
	size_t len;
	char *text = make_text(&len);
	int fd = mkstemp(path);

	if (CHECK(fd >= 0) && CHECK_EQ(write(fd, text, len), len)) {
		CHECK_EQ(kfi_in_open(&in, path, &err), 0);
		CHECK(in.map);
		expect_lines(&in, 0, LINES);
		expect_end(&in, false);
		kfi_in_close(&in);
		kfi_in_close(&in);
	}
	close(fd);
	unlink(path);
	free(text);
}

/* Runs @fn with standard input a pipe that delivers the text in small pieces. */
static void with_pipe(void (*fn)(struct kfi_in *in))
{
	int fds[2], old = dup(0), status;
	struct kfi_in in;
	size_t len;
	char *text = make_text(&len);
	pid_t pid;

	if (!CHECK_EQ(pipe(fds), 0))
		return;
	pid = fork();
	if (pid == 0) {
		close(fds[0]);
		for (size_t at = 0; at < len;) {
			size_t n = at % 7000 + 1;
			ssize_t got = write(fds[1], text + at, n < len - at ? n : len - at);

			if (got < 0)
				break;
			at += got;
		}
		_exit(0);
	}
	close(fds[1]);
	dup2(fds[0], 0);
	close(fds[0]);
	if (CHECK_EQ(kfi_in_open(&in, "-", &err), 0)) {
		CHECK(!in.map);
		fn(&in);
		kfi_in_close(&in);
	}
	dup2(old, 0);
	close(old);
	waitpid(pid, &status, 0);
	free(text);
}

static void all_lines(struct kfi_in *in)
{
	expect_lines(in, 0, LINES);
	expect_end(in, false);
}

static void lines_then_rest(struct kfi_in *in)
{
	size_t left = 0, len;
	const char *s;

	expect_lines(in, 0, 1500);
	for (u32 i = 1500; i < LINES; i++)
		left += line_len(i) + 1;
	CHECK_EQ(kfi_in_rest(in, &s, &len, &err), 0);
	CHECK_EQ(len, left);
	expect_lines(in, 1500, LINES);
	expect_end(in, false);
}

/* Bytes that are no lines, behind a line; @in has the whole text. */
static void line_then_bytes(struct kfi_in *in)
{
	size_t len, left, size;
	char *text = make_text(&size);
	const char *s;

	expect_lines(in, 0, 1);
	left = size - line_len(0) - 1;
	while (left) {
		size_t want = left < 5000 ? left : 5000;

		if (!CHECK_EQ(kfi_in_peek(in, 5000, &s, &len, &err), 0) || !CHECK(len >= want) ||
		    !CHECK(!memcmp(s, text + size - left, want)))
			break;
		kfi_in_skip(in, want);
		left -= want;
	}
	CHECK_EQ(kfi_in_peek(in, 1, &s, &len, &err), 0);
	CHECK_EQ(len, 0);
	expect_end(in, false);
	free(text);
}

static void memory_bytes(void)
{
	struct kfi_in in;
	size_t len;
	char *text = make_text(&len);

	kfi_in_memory(&in, "memory", text, len);
	line_then_bytes(&in);
	free(text);
}

static void no_memory_on_the_way(struct kfi_in *in)
{
	const char *s;
	size_t len;

	check_fail_alloc(0);
	CHECK_EQ(kfi_in_line(in, &s, &len, &err), -ENOMEM);
	check_fail_alloc(-1);
	expect_lines(in, 0, 999);
	/* The buffer must grow for the rest, and cannot; nothing is lost. */
	check_fail_alloc(0);
	CHECK_EQ(kfi_in_rest(in, &s, &len, &err), -ENOMEM);
	check_fail_alloc(-1);
	expect_lines(in, 999, LINES);
	expect_end(in, false);
}

static void pipe_lines(void)
{
	with_pipe(all_lines);
}

static void pipe_rest(void)
{
	with_pipe(lines_then_rest);
}

static void pipe_bytes(void)
{
	with_pipe(line_then_bytes);
}

static void pipe_memory(void)
{
	with_pipe(no_memory_on_the_way);
}

/* Pages of files that this process has in memory, in bytes. */
static size_t mapped_size(void)
{
	size_t size = 0, resident = 0, shared = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	CHECK(f && fscanf(f, "%zu %zu %zu", &size, &resident, &shared) == 3);
	if (f)
		fclose(f);
	return shared * (size_t)sysconf(_SC_PAGESIZE);
}

#define BIG_LINES	256
#define BIG_LINE	(1u << 20)

/* Memory does not grow with a file that is mapped, read by lines or by @bytes. */
static void read_big_file(bool bytes)
{
	char path[] = "/tmp/test_in.XXXXXX";
	int fd = mkstemp(path), ret = 1;
	size_t before, most = 0, len;
	struct kfi_in in;
	const char *s;
	u32 n = 0;

	if (!CHECK(fd >= 0))
		return;
	for (u32 i = 1; i <= BIG_LINES; i++)
		CHECK_EQ(pwrite(fd, "\n", 1, (off_t)i * BIG_LINE - 1), 1);
	before = mapped_size();
	CHECK_EQ(kfi_in_open(&in, path, &err), 0);
	CHECK(in.map);
	while (n < BIG_LINES && ret > 0) {
		size_t now = mapped_size();

		if (bytes) {
			CHECK_EQ(kfi_in_peek(&in, BIG_LINE, &s, &len, &err), 0);
			CHECK_EQ(s[BIG_LINE - 1], '\n');
			kfi_in_skip(&in, BIG_LINE);
			n++;
		} else {
			ret = kfi_in_line(&in, &s, &len, &err);
			n += len == BIG_LINE - 1;
		}
		most = now > most ? now : most;
	}
	CHECK_EQ(kfi_in_line(&in, &s, &len, &err), 0);
	CHECK_EQ(n, BIG_LINES);
	CHECK(most < before + 48 * BIG_LINE);
	kfi_in_close(&in);
	close(fd);
	unlink(path);
}

static void big_file(void)
{
	read_big_file(false);
	read_big_file(true);
}

static void refused(void)
{
	struct kfi_in in;

	CHECK_EQ(kfi_in_open(&in, "/nonexistent", &err), -ENOENT);
	CHECK_STR(err.text, "/nonexistent: No such file or directory");
	CHECK_EQ(kfi_in_open(&in, "/", &err), -EISDIR);
	CHECK_EQ(kfi_in_open(&in, "/proc/self/status", &err), 0);
	CHECK(!in.map);
	kfi_in_close(&in);
	CHECK_EQ(kfi_err_set(&err, EIO, "a\tb\x01 %d", 5), -EIO);
	CHECK_STR(err.text, "a?b? 5");
}

static void output(void)
{
	static struct kfi_out o;
	char *text = NULL, number[32], *end = number + sizeof(number), *s;
	static char big[KFI_OUT_SIZE + 10];
	size_t len = 0;

	o.file = open_memstream(&text, &len);
	if (!CHECK(o.file))
		return;
	memset(big, 'b', sizeof(big));
	kfi_out_put(&o, "head", 4);
	kfi_out_put(&o, big, sizeof(big));
	kfi_out_fill(&o, 'f', KFI_OUT_SIZE * 2 + 5);
	s = kfi_out_number(INT64_MIN, end);
	kfi_out_right(&o, s, end - s, 22);
	s = kfi_out_number(0, end);
	kfi_out_right(&o, s, end - s, 0);
	kfi_out_flush(&o);
	fclose(o.file);
	CHECK_EQ(len, 4 + sizeof(big) + KFI_OUT_SIZE * 2 + 5 + 22 + 1);
	CHECK(memcmp(text, "headb", 5) == 0);
	CHECK_EQ(text[4 + sizeof(big) - 1], 'b');
	CHECK_EQ(text[4 + sizeof(big)], 'f');
	CHECK_STR(text + len - 23, "  -92233720368547758080");
	free(text);
}

static const struct check_case cases[] = {
	{ "lines from memory", memory },
	{ "lines from a file", file },
	{ "lines from a pipe", pipe_lines },
	{ "lines from a pipe, then the rest", pipe_rest },
	{ "bytes from memory", memory_bytes },
	{ "bytes from a pipe", pipe_bytes },
	{ "a pipe without memory loses nothing", pipe_memory },
	{ "a big file does not stay in memory", big_file },
	{ "what cannot be opened", refused },
	{ "output longer than its buffer", output },
};

CHECK_MAIN(cases)
