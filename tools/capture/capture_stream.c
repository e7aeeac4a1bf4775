// SPDX-License-Identifier: GPL-2.0
/*
 * Takes a raw log off a connection that changes no byte, as of ssh: what cat /proc/kfi_pipe gives
 * while a session goes on, or /proc/kfi_raw. It is copied as it comes, and looked at in the end.
 */
#include <string.h>
#include <sys/stat.h>

#include "capture.h"
#include "log.h"

bool stream_begins(const char *text, size_t len)
{
	return len && memcmp(text, KFI_RAW_MAGIC, min_t(size_t, len, strlen(KFI_RAW_MAGIC))) == 0;
}

/* Copy until the end, Ctrl-C, or a silence of @s->silence_ms. Return: 0 or -errno. */
static int copy(struct board *b, struct show *show, struct stream *s, FILE *f, struct kfi_err *err)
{
	u64 heard = now_ms();
	ssize_t n = (ssize_t)s->len;

	while (n >= 0) {
		if (fwrite(s->text, 1, (size_t)n, f) != (size_t)n || fflush(f))
			return kfi_err_set(err, errno, "%s: %s", s->output, strerror(errno));
		show->bytes += (u64)n;
		show_stream(show);
		if (n)
			heard = now_ms();
		if (is_interrupted())
			return 0;
		if (s->silence_ms && now_ms() - heard > s->silence_ms) {
			fprintf(stderr, "kfi-capture: the board has said nothing for %llu s\n",
				(unsigned long long)s->silence_ms / 1000);
			return 0;
		}
		n = board_read(b, s->text, s->room, err);
	}
	return n == -ENODATA ? 0 : (int)n;
}

/* Read the log, and report what it has. Return: exit status. */
static int report(const char *output, u64 bytes, struct kfi_err *err)
{
	static struct kfi_log log;
	struct kfi_row row;
	u64 calls = 0;
	bool one = true;
	int item, ret;

	ret = kfi_log_open(&log, output, err);
	if (ret)
		return 1;
	log.numbers = true;
	while ((item = kfi_log_item(&log, &row, err)) > 0) {
		calls += item == KFI_LINE_ROW ? 1 :
			 item == KFI_LINE_SUMS ? log.sums.count + log.sums.untimed : 0;
		one &= item != KFI_LINE_RULE;
	}
	if (!item)
		ret = kfi_log_check(&log, err);
	fprintf(stderr, "kfi-capture: %s: %llu bytes, %llu calls%s\n", output,
		(unsigned long long)bytes, (unsigned long long)calls,
		log.head.running ? "; the session goes on" : "");
	/* Of other logs kd says what is not in them. */
	if (one && log.head.streamed && log.head.overwritten)
		fprintf(stderr, "kfi-capture: calls overwritten before they could be read: %llu\n",
			(unsigned long long)log.head.overwritten);
	kfi_log_close(&log);
	return ret || item ? 1 : 0;
}

int stream_take(struct board *b, struct show *show, struct stream *s, struct kfi_err *err)
{
	struct stat st = { 0 };
	FILE *f;
	int ret;

	if (b->has_shell)
		ret = kfi_err_set(err, EINVAL, "%s: a raw log came, which a console may change: use cat /proc/kfi_serial there, or ssh BOARD cat /proc/kfi_pipe | kfi-capture",
				  b->name);
	else if (show->log)
		ret = kfi_err_set(err, EINVAL, "a raw log came: --console is for what a console shows");
	else
		ret = 0;
	if (ret)
		return 2;
	f = fopen(s->output, "w");
	if (!f) {
		kfi_err_set(err, errno, "%s: %s", s->output, strerror(errno));
		return 2;
	}
	ret = copy(b, show, s, f, err);
	fstat(fileno(f), &st);
	if (fclose(f) && !ret)
		ret = kfi_err_set(err, errno, "%s: %s", s->output, strerror(errno));
	if (ret)
		return 2;
	/* What went into a pipe cannot be read again. */
	return S_ISREG(st.st_mode) ? report(s->output, show->bytes, err) : 0;
}
