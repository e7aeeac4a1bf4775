// SPDX-License-Identifier: GPL-2.0
/*
 * case_conf.c - what /proc/kfi must refuse, and what it must say about it
 *
 * A refused text changes nothing, gives an errno, and its reason with line and column stands in
 * /proc/kfi and, once, in the kernel log.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

#define TEXT_MAX	65536

/* It is written, and refused when the file is closed. */
#define AT_CLOSE	-1

struct rejected_text {
	const char *text;
	int err;		/* 0: any */
	int line, col;
	const char *words;	/* in the reason */
};

static const struct rejected_text rejected_texts[] = {
	{ "new begin\nfilter mintim 5\nend", EINVAL, 2, 8, "mintim" },
	{ "new begin\n  trigger start whenever x\nend", EINVAL, 2, 17, "whenever" },
	{ "new begin\nfilter mintime 500\n", AT_CLOSE, 3, 1, "end" },
	{ "new begin", AT_CLOSE, 1, 10, "end" },
	{ "begin", AT_CLOSE, 1, 6, "end" },
	{ "begin end\nbegin filter noints\n", AT_CLOSE, 3, 1, "end" },
	{ " # nothing\n", AT_CLOSE, 2, 1, "begin" },
	{ "begin filter mintim", AT_CLOSE, 1, 14, "mintim" },
	{ "begin filter mintim 5\n", EINVAL, 1, 14, "mintim" },
	{ "begin end\nprime\n", EINVAL, 2, 1, "prime" },
	{ "new end", EINVAL, 1, 5, "begin" },
	{ "new begin end end", EINVAL, 1, 15, "end" },
	{ "new begin\ntrigger start entry no_such_function\nend", ENOENT, 2, 21,
	  "no_such_function" },
	{ "new begin filter funclist vfs_mkdir\n not_this_one fend end", ENOENT, 2, 2,
	  "not_this_one" },
	{ "new begin trigger start entry 0x1 end", 0, 1, 31, "0x1" },
	{ "new begin filter mintime 99999999999 end", EINVAL, 1, 26, "99999999999" },
	{ "new begin filter mintime -1 end", EINVAL, 1, 26, "-1" },
	{ "new begin filter mintime 5x end", EINVAL, 1, 26, "5x" },
	{ "new begin logentries 0 end", EINVAL, 1, 22, "0" },
	{ "new begin logentries 4294967296 end", EINVAL, 1, 22, "4294967296" },
	{ "new begin filter mintime 9 filter maxtime 8 end", EINVAL, 1, 43, "maxtime" },
	{ "new begin filter noints filter onlyints end", EINVAL, 1, 32, "onlyints" },
	{ "new begin filter funclist vfs_mkdir", AT_CLOSE, 1, 36, "fend" },
	{ "new begin filter funclist end", EINVAL, 1, 27, "end" },
	{ "new begin trigger start time 5 trigger start time 6 end", EINVAL, 1, 40, "start" },
	{ "prim", EINVAL, 1, 1, "prim" },
	{ "start now", EINVAL, 1, 7, "now" },
	{ "0xffff800081234567", EINVAL, 1, 1, "0xffff800081234567" },
	{ "\377\376\001", EINVAL, 1, 1, "0xff" },
	{ NULL, 0, 0, 0, NULL },
};

/* The status without the line of the last error. */
static char *status_without_error(void)
{
	char *text = read_whole_file("/proc/kfi", 0);
	char *at = text ? strstr(text, "error: ") : NULL;

	if (at) {
		char *end = strchr(at, '\n');

		if (end)
			memmove(at, end + 1, strlen(end + 1) + 1);
		else
			*at = 0;
	}
	return text;
}

/* The line "error: line L column C: reason" of the status. */
static bool error_line(int *line, int *col, char *reason, size_t size)
{
	char *text = read_whole_file("/proc/kfi", 0);
	char *at = text ? strstr(text, "error: line ") : NULL;
	int n = 0;
	bool found = at && sscanf(at, "error: line %d column %d: %n", line, col, &n) == 2 && n;

	if (found)
		snprintf(reason, size, "%.*s", (int)strcspn(at + n, "\n"), at + n);
	free(text);
	return found;
}

/* How often a reason came to the kernel log since @fd was opened at its end. */
static int count_logged(int fd, const char *reason)
{
	char buf[2048];
	int nr = 0;
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf) - 1)) > 0 || errno == EPIPE) {
		buf[n > 0 ? n : 0] = 0;
		errno = 0;
		if (strstr(buf, reason))
			nr++;
	}
	return nr;
}

/* The kernel log has no addresses: anybody may read it. */
static void hide_addresses(char *reason)
{
	for (char *at = reason; (at = strstr(at, "0x")); ) {
		size_t n;

		at += 2;
		n = strspn(at, "0123456789abcdef");
		if (n < sizeof("c008000") - 1)
			continue;
		memmove(at + 3, at + n, strlen(at + n) + 1);
		memcpy(at, "...", 3);
	}
}

static enum outcome check_rejected(const struct rejected_text *b, size_t len)
{
	char reason[300], *before, *after;
	int line, col, ret, kmsg, nr;

	WANT_EQ(kfi_write("new begin trigger start entry vfs_mkdir filter mintime 77 end"), 0);
	before = status_without_error();
	kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	lseek(kmsg, 0, SEEK_END);
	ret = kfi_write_n(b->text, len);
	if (b->err == AT_CLOSE ? ret : b->err ? ret != -b->err : ret >= 0)
		return because(FAIL, "errno %d, not %d, for: %.100s", -ret, b->err, b->text);
	after = status_without_error();
	if (!before || !after || strcmp(before, after))
		return because(FAIL, "it changed the status: %.100s", b->text);
	if (!error_line(&line, &col, reason, sizeof(reason)))
		return because(FAIL, "no line \"error: line ...\" for: %.100s", b->text);
	if (line != b->line || col != b->col)
		return because(FAIL, "line %d column %d (%s), not %d and %d, for: %.100s",
			       line, col, reason, b->line, b->col, b->text);
	if (!strstr(reason, b->words))
		return because(FAIL, "\"%s\" is not in the reason: %s", b->words, reason);
	hide_addresses(reason);
	nr = count_logged(kmsg, reason);
	close(kmsg);
	if (nr != 1)
		return because(FAIL, "%d times in the kernel log: %s", nr, reason);
	free(before);
	free(after);
	return PASS;
}

static enum outcome rejected_text_cases(void)
{
	for (const struct rejected_text *b = rejected_texts; b->text; b++)
		TRY(check_rejected(b, strlen(b->text)));
	return PASS;
}

static enum outcome too_long(void)
{
	struct rejected_text b = { .err = E2BIG, .line = 1, .col = 1, .words = "65536" };
	char *text = malloc(TEXT_MAX + 2);

	memset(text, ' ', TEXT_MAX + 1);
	text[TEXT_MAX + 1] = 0;
	memcpy(text, "new begin end", 13);
	b.text = text;
	TRY(check_rejected(&b, TEXT_MAX + 1));
	/* The longest that is allowed, its last word at the very end. */
	memcpy(text, "new begin    ", 13);
	memcpy(text + TEXT_MAX - 4, " end", 5);
	WANT_EQ(kfi_write_n(text, TEXT_MAX), 0);
	return PASS;
}

static enum outcome empty_write(void)
{
	char *before = status_without_error(), *after;

	WANT(kfi_write("") <= 0);
	after = status_without_error();
	WANT(before && after && !strcmp(before, after));
	return PASS;
}

/* A name that two functions of the kernel have. No keyword of a configuration has a "_". */
static const char *find_ambiguous_name(void)
{
	unsigned long stext = symbol("_stext"), etext = 0;
	const struct ksym *all, *last = NULL;
	size_t nr;

	all = symbols(&nr);
	for (size_t i = 0; i < nr && !etext; i++)
		if (!strcmp(all[i].name, "_etext"))
			etext = all[i].addr;
	for (size_t i = 0; i < nr && !all[i].of_module; i++) {
		const struct ksym *s = &all[i];

		if (s->type != 't' || s->addr < stext || s->addr >= etext || *s->name == '$' ||
		    strchr(s->name, '.') || !strchr(s->name, '_') || strlen(s->name) >= 40)
			continue;
		if (last && !strcmp(last->name, s->name))
			return s->name;
		last = s;
	}
	return NULL;
}

static enum outcome ambiguous_name(void)
{
	struct rejected_text b = { .line = 1, .col = 31, .words = "ambiguous" };
	const char *name = find_ambiguous_name();
	char text[200];

	if (!name)
		return because(SKIP, "no two functions of one name");
	snprintf(text, sizeof(text), "new begin trigger start entry %s end", name);
	b.text = text;
	TRY(check_rejected(&b, strlen(text)));
	/* With its candidates. */
	b.words = "0x";
	return check_rejected(&b, strlen(text));
}

/* An address is that of the first instruction of a function, and no longer than a kernel's. */
static enum outcome bad_address(void)
{
	struct rejected_text b = { .err = EINVAL, .line = 1, .col = 31, .words = "0x" };
	unsigned long func = symbol("vfs_mkdir");
	char text[200];

	WANT(func);
	snprintf(text, sizeof(text), "new begin trigger start entry 0x%lx end", func);
	WANT_EQ(kfi_write(text), 0);
	snprintf(text, sizeof(text), "new begin trigger start entry 0x%lx end", func + 4);
	b.text = text;
	TRY(check_rejected(&b, strlen(text)));
	if (sizeof(long) > 4)
		return PASS;
	snprintf(text, sizeof(text), "new begin trigger start entry 0x1%08lx end", func);
	return check_rejected(&b, strlen(text));
}

/* A good text after a bad one is taken, and the old reason is gone. */
static enum outcome good_after_bad(void)
{
	char *text;

	WANT(kfi_write("new begin nonsense end") < 0);
	WANT_EQ(kfi_write("new begin end"), 0);
	text = read_whole_file("/proc/kfi", 0);
	WANT(text && !strstr(text, "error:"));
	return PASS;
}

/* The language: comments, one line or many, units; the config printed is the config meant. */
static enum outcome language(void)
{
	char *text;

	WANT_EQ(kfi_write("new begin # end\n"
			  "\ttrigger start entry vfs_mkdir # comment, filter noints\n"
			  "\ttrigger stop time 5ms\r\n"
			  "\tfilter maxtime 2s\n"
			  "end # done\n"), 0);
	text = read_whole_file("/proc/kfi", 0);
	WANT(text);
	WANT(strstr(text, "  trigger stop time 5000\n"));
	WANT(strstr(text, "  filter maxtime 2000000\n"));
	WANT(!strstr(text, "noints"));
	return PASS;
}

/* Return true if the status shows the first of @nr blocks, with this item, and no error. */
static bool is_installed(int nr, const char *item)
{
	char *text = read_whole_file("/proc/kfi", 0), number[32];
	bool right;

	snprintf(number, sizeof(number), "run 1 of %d\n", nr);
	right = text && !strstr(text, "run 1 of ") == (nr == 1) &&
		(nr == 1 || strstr(text, number)) && strstr(text, item) && !strstr(text, "error:");
	free(text);
	return right;
}

/*
 * As people have it: a kfistatic.conf as it is, whose first lines are comments, line by line. It is
 * installed at each `end`, with what came before; a text that is rejected changes nothing.
 */
static enum outcome pieces(void)
{
	static const char * const lines[] = {
		"# SPDX-License-Identifier: GPL-2.0\n", "\n", "begin # first\n", "  filter min", "time 11\n",
		"end\n", "# the end\n", "begin\n", "  filter mintime 22\nend", "\n",
		"new begin logentries 300 end\n",
	};
	int fd, kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);

	WANT_EQ(kfi_write("begin filter mintime 7 end"), 0);
	WANT(is_installed(1, "filter mintime 7\n"));
	lseek(kmsg, 0, SEEK_END);
	fd = open("/proc/kfi", O_WRONLY);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		WANT_EQ(write(fd, lines[i], strlen(lines[i])), (ssize_t)strlen(lines[i]));
		WANT(is_installed(i < 8 ? 1 : i < 10 ? 2 : 3, i < 5 ? "filter mintime 7\n" :
				  "filter mintime 11\n"));
	}
	/* Commands, and another configuration, through the same open file. */
	WANT_EQ(write(fd, "prime", 5), 5);
	WANT(kfi_state_is("primed"));
	WANT_EQ(count_logged(kmsg, "kfi: "), 1);
	WANT_EQ(write(fd, "begin filter mintime 33 end", 27), 27);
	WANT(is_installed(1, "filter mintime 33\n"));
	WANT_EQ(write(fd, "start", 5), 5);
	WANT(write(fd, "begin end", 9) < 0 && errno == EBUSY);
	WANT_EQ(write(fd, "stop", 4), 4);
	close(fd);
	WANT(wait_state("complete"));
	/* What was installed is in the kernel log, too, if what follows it is rejected. */
	lseek(kmsg, 0, SEEK_END);
	fd = open("/proc/kfi", O_WRONLY);
	WANT_EQ(write(fd, "begin end\n", 10), 10);
	WANT(write(fd, "begin filter x 5\n", 17) < 0 && errno == EINVAL);
	WANT_EQ(write(fd, "prime", 5), 5);
	close(fd);
	WANT_EQ(count_logged(kmsg, "kfi: new run installed"), 1);
	close(kmsg);
	return PASS;
}

/* A comment goes on in the next write, whatever that begins with. */
static enum outcome comment_in_pieces(void)
{
	static const struct {
		const char *piece;
		int blocks;
		const char *item;
	} pieces[] = {
		{ "begin filter mintime 11 end # the", 1, "filter mintime 11\n" },
		{ " only session,", 1, "filter mintime 11\n" },
		{ "start # it: ", 1, "filter mintime 11\n" },
		{ "begin end\n # another", 1, "filter mintime 11\n" },
		{ "session\nbegin overwrite end\n# then", 2, "filter mintime 11\n" },
		{ "stop\nnew begin filter mintime 33 end\n", 3, "filter mintime 11\n" },
	};
	int fd = open("/proc/kfi", O_WRONLY);

	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		WANT_EQ(write(fd, pieces[i].piece, strlen(pieces[i].piece)),
			(ssize_t)strlen(pieces[i].piece));
		WANT(is_installed(pieces[i].blocks, pieces[i].item));
		WANT(!kfi_state_is("complete"));
	}
	close(fd);
	return PASS;
}

/* A text that is too long stays so without the rest of a comment at its beginning. */
static enum outcome too_long_piece(void)
{
	static const char end_of_comment[] = "y\nprime\n";
	size_t len = TEXT_MAX + 1 + 4000;
	char *text = malloc(len);
	int fd = open("/proc/kfi", O_WRONLY);

	WANT_EQ(write(fd, "begin filter mintime 11 end #x", 30), 30);
	memset(text, ' ', len);
	memcpy(text, end_of_comment, strlen(end_of_comment));
	memcpy(text + TEXT_MAX + 1, "rubbish", 7);
	WANT(write(fd, text, len) < 0 && errno == E2BIG);
	WANT(!kfi_state_is("primed"));
	close(fd);
	free(text);
	return PASS;
}

/* One line in the kernel log, with what there is room for. */
static enum outcome one_line(void)
{
	int kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);

	lseek(kmsg, 0, SEEK_END);
	WANT_EQ(kfi_write("begin logentries 1000 end begin logentries 500 end"), 0);
	WANT_EQ(count_logged(kmsg, "kfi: "), 1);
	lseek(kmsg, 0, SEEK_END);
	WANT_EQ(kfi_write("begin logentries 1000 end begin logentries 500 end"), 0);
	WANT_EQ(count_logged(kmsg, "kfi: new run installed, with room for 1500 calls\n"), 1);
	close(kmsg);
	return PASS;
}

const struct guest_case conf_cases[] = {
	{ "conf_language", language },
	{ "conf_bad_text", rejected_text_cases },
	{ "conf_too_long", too_long },
	{ "conf_empty_write", empty_write },
	{ "conf_ambiguous_name", ambiguous_name },
	{ "conf_bad_address", bad_address },
	{ "conf_good_after_bad", good_after_bad },
	{ "conf_pieces", pieces },
	{ "conf_comment_in_pieces", comment_in_pieces },
	{ "conf_too_long_piece", too_long_piece },
	{ "conf_one_line", one_line },
	{ NULL, NULL },
};
