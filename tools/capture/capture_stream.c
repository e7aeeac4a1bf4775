// SPDX-License-Identifier: GPL-2.0
/*
 * Takes a raw log off a connection that changes no byte, as of ssh: what cat /proc/kfi_pipe gives
 * while a session goes on, or /proc/kfi_raw. It is copied as it comes, and looked at in the end.
 */
#include <string.h>
#include <unistd.h>

#include "capture.h"
#include "log.h"

bool stream_begins(const char *text, size_t len)
{
	return len && memcmp(text, KFI_RAW_MAGIC, min_t(size_t, len, strlen(KFI_RAW_MAGIC))) == 0;
}

/* Copy until the end or Ctrl-C. Return: 0 or -errno. */
static int copy(struct board *b, struct show *show, char *text, size_t room, size_t len, FILE *f,
		const char *output, struct kfi_err *err)
{
	ssize_t n = (ssize_t)len;

	while (n >= 0) {
		if (fwrite(text, 1, (size_t)n, f) != (size_t)n || fflush(f))
			return kfi_err_set(err, errno, "%s: %s", output, strerror(errno));
		show->bytes += (u64)n;
		show_stream(show);
		if (is_interrupted())
			return 0;
		n = board_read(b, text, room, err);
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
		calls += item == KFI_LINE_ROW;
		one &= item != KFI_LINE_RULE;
	}
	if (!item)
		ret = kfi_log_check(&log, err);
	fprintf(stderr, "kfi-capture: %s: %llu bytes, %llu calls%s\n", output,
		(unsigned long long)bytes, (unsigned long long)calls,
		log.head.running ? "; the session goes on" : "");
	/* /proc/kfi_pipe gives one log. /proc/kfi_raw may give several: this is the last header. */
	if (one && log.head.overwritten)
		fprintf(stderr, "kfi-capture: calls overwritten before they could be read: %llu\n",
			(unsigned long long)log.head.overwritten);
	kfi_log_close(&log);
	return ret || item ? 1 : 0;
}

int stream_take(struct board *b, struct show *show, char *text, size_t room, size_t len,
		const char *output, struct kfi_err *err)
{
	FILE *f;
	int ret;

	if (b->has_shell) {
		kfi_err_set(err, EINVAL, "%s: a raw log came, which a console may change: use cat /proc/kfi_serial there, or ssh BOARD cat /proc/kfi_pipe | kfi-capture",
			    b->name);
		return 2;
	}
	f = fopen(output, "w");
	if (!f) {
		kfi_err_set(err, errno, "%s: %s", output, strerror(errno));
		return 2;
	}
	ret = copy(b, show, text, room, len, f, output, err);
	if (fclose(f) && !ret)
		ret = kfi_err_set(err, errno, "%s: %s", output, strerror(errno));
	return ret ? 2 : report(output, show->bytes, err);
}
