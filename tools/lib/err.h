/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The reason of a failure as text. A library function fills it in, and a tool prints it as "prog:
 * text" and chooses the exit status. The library never prints and never exits.
 */
#ifndef KFI_ERR_H
#define KFI_ERR_H

#include <stddef.h>

/* The compiler checks a printf format: argument @fmt, its values from argument @args on. */
#define kfi_printf(fmt, args)	__attribute__((__format__(__printf__, fmt, args)))

/**
 * struct kfi_err - the reason of a failure
 * @text: printable, "file: text" or "file:line: text", without newline
 */
struct kfi_err {
	char text[512];
};

/**
 * kfi_err_set() - set the reason of a failure
 * @err: filled; may be NULL
 * @code: errno value, positive
 * @fmt: printf format of the text; bytes that are no printable ASCII become '?'
 *
 * Return: -@code, for "return kfi_err_set(...)".
 */
int kfi_err_set(struct kfi_err *err, int code, const char *fmt, ...)
	kfi_printf(3, 4);

#endif /* KFI_ERR_H */
