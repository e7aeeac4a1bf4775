// SPDX-License-Identifier: GPL-2.0
/*
 * What is written to /proc/kfi: a configuration, or one of a few commands.
 */
#include "core/conf_tok.h"

/* The rest of the line is the text of a mark. */
static int take_mark(struct kfi_scan *scan, struct kfi_conf_text *mark, struct kfi_conf_err *err)
{
	struct kfi_tok line, tok;
	int ret = kfi_scan_line(scan, &line, err);

	if (ret)
		return ret;
	if (!line.len) {
		line.s = scan->text + scan->pos;
		return kfi_conf_fail(err, &line, 0, "a mark without a text");
	}
	if (line.len > KFI_CONF_MARK_MAX) {
		kfi_conf_fail(err, &line, KFI_CONF_MARK_MAX,
			      "the text of a mark is longer than % bytes");
		return -E2BIG;
	}
	ret = kfi_scan_next(scan, &tok, err);
	if (ret)
		return ret;
	if (tok.len)
		return kfi_conf_fail(err, &tok, 0, "@ after a mark, which takes one line");
	*mark = (struct kfi_conf_text) { .s = line.s, .len = line.len };
	return KFI_CMD_MARK;
}

int kfi_conf_command(const char *text, size_t len, struct kfi_conf_text *mark,
		     struct kfi_conf_err *err)
{
	struct kfi_scan scan;
	struct kfi_tok tok;
	int ret, cmd;

	ret = kfi_scan_init(&scan, text, len, err);
	if (!ret)
		ret = kfi_scan_next(&scan, &tok, err);
	if (ret)
		return ret;
	switch (tok.word) {
	case KFI_W_NEW:
	case KFI_W_BEGIN:
		return KFI_CMD_NEW;
	case KFI_W_PRIME:
		cmd = KFI_CMD_PRIME;
		break;
	case KFI_W_START:
		cmd = KFI_CMD_START;
		break;
	case KFI_W_STOP:
		cmd = KFI_CMD_STOP;
		break;
	case KFI_W_MARK:
		return take_mark(&scan, mark, err);
	default:
		return kfi_conf_fail(err, &tok, KFI_AT_COMMAND, "@, where & is expected");
	}
	ret = kfi_scan_next(&scan, &tok, err);
	if (ret)
		return ret;
	if (tok.len)
		return kfi_conf_fail(err, &tok, 0, "@ after a command that takes nothing");
	return cmd;
}
