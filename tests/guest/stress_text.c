// SPDX-License-Identifier: GPL-2.0
/*
 * stress_text.c - random texts for /proc/kfi, good and bad
 *
 * Three kinds: put together of the words of the language, most of them taken; samples, those of
 * /etc/kfi/conf and the few here, with some bytes changed; and bytes.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest.h"
#include "stress.h"

#define SAMPLES	"/etc/kfi/conf"

static uint64_t rnd_state = 1;

void rnd_seed(uint64_t seed)
{
	rnd_state = seed * 0x9e3779b97f4a7c15ull + 1;
	rnd(2);
}

uint32_t rnd(uint32_t n)
{
	rnd_state ^= rnd_state << 13;
	rnd_state ^= rnd_state >> 7;
	rnd_state ^= rnd_state << 17;
	return (uint32_t)(rnd_state >> 32) % n;
}

#define PICK(table) ((table)[rnd(sizeof(table) / sizeof(*(table)))])

static const char * const funcs[] = {
	"vfs_mkdir", "vfs_rmdir", "vfs_read", "vfs_write", "kernel_clone", "do_exit", "schedule",
	"copy_process", "handle_mm_fault", "kfi_test_inner", "kfi_test_outer", "tick_handle_periodic",
	"hrtimer_interrupt", "__do_softirq", "vfs_open", "do_nanosleep", "run_timer_softirq",
	"load_module", "_cpu_up", "_cpu_down", "no_such_function", "0x1",
};

static const char * const patterns[] = {
	"vfs_*", "*_lock*", "sched*", "module:kfi_test", "module:nothing", "kfi_test_*", "*", "do_?xit",
	"[a-c]*page*",
};

static const char *random_function(void)
{
	return rnd(4) ? PICK(funcs) : PICK(patterns);
}

static void add(char *text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void add(char *text, const char *fmt, ...)
{
	size_t len = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text + len, STRESS_TEXT_MAX - len, fmt, ap);
	va_end(ap);
}

static void append_list(char *text, const char *what)
{
	add(text, " filter %s", what);
	for (int i = rnd(6) + 1; i; i--)
		add(text, " %s", random_function());
	add(text, " fend");
}

static void append_item(char *text)
{
	static const char * const edges[] = { "start", "stop" };
	static const char * const sides[] = { "entry", "exit" };
	static const char * const lists[] = { "funclist", "exclude", "only under" };
	static const char * const plain[] = {
		" overwrite", " overwrite", " autorepeat", " profile", " filter noints",
		" filter onlyints", " mark switches", " mark syscalls", " mark switches syscalls",
		" mark wakeups", " mark callers", " mark switches wakeups", " watch stack 9000",
		" watch worst-stack", " watch stack 100000",
		" record args 10 ret vfs_read vfs_write do_exit fend",
	};

	switch (rnd(10)) {
	case 0: case 1:
		add(text, " trigger %s %s %s", PICK(edges), PICK(sides), PICK(funcs));
		break;
	case 2:
		add(text, " trigger %s time %u", PICK(edges), rnd(200000));
		break;
	case 3: case 4:
		add(text, " filter mintime %u", rnd(rnd(2) ? 20 : 2000));
		break;
	case 5:
		add(text, " filter %s %u", rnd(2) ? "depth" : rnd(2) ? "cpu" : "pid", rnd(8));
		break;
	case 6:
		append_list(text, PICK(lists));
		break;
	case 7:
		add(text, " filter maxtime %u", rnd(100000));
		break;
	default:
		add(text, "%s", PICK(plain));
	}
}

static void compose_configuration(char *text)
{
	*text = 0;
	for (int blocks = rnd(4) ? 1 : rnd(3) + 1; blocks; blocks--) {
		add(text, "%s begin%s", *text ? "" : "new", rnd(4) ? "" : " overwrite");
		for (int i = rnd(5); i; i--)
			append_item(text);
		add(text, " logentries %u end\n", 100 + rnd(rnd(8) ? 3000 : 9900));
	}
}

static char *samples[100] = {
	"new begin trigger start entry vfs_mkdir trigger stop exit vfs_mkdir end",
	"new begin filter only under vfs_* fend filter exclude *lock* fend overwrite end",
};
static unsigned int nr_samples = 2;

static void read_samples(void)
{
	const unsigned int room = sizeof(samples) / sizeof(*samples);
	DIR *d = opendir(SAMPLES);
	struct dirent *e;

	while (d && nr_samples < room && (e = readdir(d))) {
		char path[300];

		snprintf(path, sizeof(path), SAMPLES "/%.200s", e->d_name);
		samples[nr_samples] = read_whole_file(path, 0);
		nr_samples += !!samples[nr_samples];
	}
	if (d)
		closedir(d);
}

static size_t copy_sample(char *text)
{
	const char *from;
	size_t len;

	if (nr_samples == 2)
		read_samples();
	from = samples[rnd(nr_samples)];
	len = strnlen(from, STRESS_TEXT_MAX / 4);
	memcpy(text, from, len);
	return len;
}

static size_t mutate(char *text, size_t len)
{
	for (int i = rnd(4) + 1; i && len > 4; i--) {
		size_t at = rnd(len), n = rnd(len - at < 40 ? len - at : 40), to = rnd(len);

		switch (rnd(6)) {
		case 0:
			text[at] = (char)rnd(256);
			break;
		case 1:
			text[at] ^= 1 << rnd(8);
			break;
		case 2:		/* leave a piece out */
			memmove(text + at, text + at + n, len - at - n);
			len -= n;
			break;
		case 3:		/* have one twice */
			memmove(text + to + n, text + to, len - to);
			memmove(text + to, text + (at < to ? at : at + n), n);
			len += n;
			break;
		case 4:
			len = at + 1;
			break;
		default:	/* over and over */
			while (len < STRESS_TEXT_MAX / 2 && rnd(20)) {
				memcpy(text + len, text + at, n);
				len += n;
			}
		}
	}
	return len;
}

/* Blanks all but four digits of a log's size: memory must suffice for several logs at once. */
static void limit_log_size(char *text, size_t len)
{
	static const char * const words[] = { "logentries", "logsize" };

	for (int w = 0; w < 2; w++)
		for (char *at = text, *end = text + len;
		     (at = memmem(at, end - at, words[w], strlen(words[w])));) {
			int digits = 0;

			for (at += strlen(words[w]); at < end && !isalpha((unsigned char)*at); at++)
				if (isdigit((unsigned char)*at) && ++digits > 4)
					*at = ' ';
		}
}

size_t stress_text(char *text)
{
	static const char * const commands[] = { "prime", "start", "start", "stop", "stop\n" };
	size_t len;

	switch (rnd(16)) {
	case 0: case 1: case 2: case 3: case 4: case 5: case 6:
		/* A selftest takes a second or two, in which other texts are rejected. */
		*text = 0;
		add(text, "%s", rnd(50) ? PICK(commands) : "selftest");
		return strlen(text);
	case 7: case 8: case 9: case 10:
		compose_configuration(text);
		return strlen(text);
	case 11: case 12: case 13:
		strcpy(text, rnd(3) ? "" : "new ");
		len = strlen(text);
		len = mutate(text, len + copy_sample(text + len));
		break;
	case 14:
		compose_configuration(text);
		len = mutate(text, strlen(text));
		break;
	default:
		strcpy(text, "mark ");
		for (len = rnd(2) ? 5 : 0; len < 5 + rnd(300); len++)
			text[len] = (char)(rnd(8) ? ' ' + rnd(95) : rnd(256));
	}
	if (!len)
		text[len++] = '\n';
	limit_log_size(text, len);
	return len;
}
