// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: any bytes as a symbol table, and what must hold of it: addresses ascend, each one is
 * found, names are found at their address, nothing points out of the text.
 */
#include <stdlib.h>

#include "sym.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(x)	do { if (!(x)) abort(); } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct kfi_sym *first;
	struct kfi_syms syms;
	struct kfi_err err;
	u64 off;

	if (kfi_syms_parse(&syms, "map", data, size, &err))
		return 0;
	MUST(syms.naddr && syms.nname);
	for (u32 i = 0; i < syms.naddr; i++) {
		const struct kfi_sym *s = &syms.addr[i];

		MUST(!i || syms.addr[i - 1].addr < s->addr);
		MUST(s->name.len && s->name.s >= syms.text);
		MUST(s->name.s + s->name.len <= syms.text + size);
		MUST(kfi_syms_at(&syms, s->addr, &off) == s);
		MUST(off == 0);
		MUST(kfi_syms_named(&syms, s->name.s, s->name.len, &first) >= 1);
	}
	for (u32 i = 0; i < syms.nname; i++) {
		const struct kfi_sym *s = &syms.name[i];
		u32 n = kfi_syms_named(&syms, s->name.s, s->name.len, &first);

		MUST(s >= first && s < first + n);
		MUST(kfi_syms_at(&syms, s->addr, &off) && off == 0);
	}
	kfi_syms_at(&syms, 0, &off);
	kfi_syms_at(&syms, U64_MAX, &off);
	kfi_syms_free(&syms);
	return 0;
}
