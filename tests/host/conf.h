/* SPDX-License-Identifier: GPL-2.0 */
/* What tests of the configuration language need besides its interface. */
#ifndef CONF_H
#define CONF_H

#include "core/conf_tok.h"

/* Read the first block of a text; all of the text must be right. */
static inline int conf_parse(struct kfi_conf *c, const char *text, size_t len,
			     struct kfi_conf_err *err)
{
	return kfi_conf_parse_block(c, text, len, 0, err);
}

/* Return true if a word is a keyword; aliases and words for later are, too. */
static inline bool conf_is_word(const char *word, size_t len)
{
	struct kfi_conf_err err;
	struct kfi_scan scan;
	struct kfi_tok tok;

	return !kfi_scan_init(&scan, word, len, &err) && !kfi_scan_next(&scan, &tok, &err) &&
	       tok.word != KFI_W_NONE;
}

#endif /* CONF_H */
