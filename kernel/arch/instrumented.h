/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Does a function have callouts at all? Only to explain why a trace is empty.
 */
#ifndef KFI_INSTRUMENTED_H
#define KFI_INSTRUMENTED_H

enum kfi_instrumented {
	KFI_INSTRUMENTED_NO,
	KFI_INSTRUMENTED_YES,
	KFI_INSTRUMENTED_UNKNOWN,
};

/**
 * kfi_instrumented() - Look for a call of the entry callout in a function's code.
 * @func: address of the function
 *
 * Context: process context; the function's memory must still be there.
 * Return: KFI_INSTRUMENTED_UNKNOWN where the code cannot be read or calls may take a detour.
 */
enum kfi_instrumented kfi_instrumented(unsigned long func);

#endif /* KFI_INSTRUMENTED_H */
