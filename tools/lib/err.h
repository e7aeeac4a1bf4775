/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why something failed, as text: what a library function fills in and a tool prints.
 *
 * The library never prints and never exits; a tool prints "prog: text" and picks its status.
 */
#ifndef KFI_ERR_H
#define KFI_ERR_H

#include <stddef.h>

/* The compiler checks a printf format: argument @fmt, its values from argument @args on. */
#define kfi_printf(fmt, args)	__attribute__((__format__(__printf__, fmt, args)))

/**
 * struct kfi_err - one reason
 * @text: printable, "file: text" or "file:line: text", without newline
 */
struct kfi_err {
	char text[512];
};

/**
 * kfi_err_set() - fill in a reason
 * @err: where to; may be NULL
 * @code: errno value, positive
 * @fmt: printf format of the text; bytes that are no printable ASCII come out as '?'
 *
 * Return: -@code, for "return kfi_err_set(...)".
 */
int kfi_err_set(struct kfi_err *err, int code, const char *fmt, ...)
	kfi_printf(3, 4);

#endif /* KFI_ERR_H */
