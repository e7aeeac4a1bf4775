// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: any bytes as an ELF file, or as BTF. What must hold of symbols: addresses ascend,
 * each one is found, names and files lie in the text, labels can be made. What must hold of types:
 * kinds are known ones, names have an end.
 */
#include <stdlib.h>

#include "btf.h"
#include "sym.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(x)	do { if (!(x)) abort(); } while (0)

static void check_str(const struct kfi_syms *syms, const struct kfi_str *str, size_t size)
{
	MUST(!str->len || (str->s >= syms->text && str->s + str->len <= syms->text + 2 * size));
}

static void check_symbol(const struct kfi_syms *syms, const struct kfi_sym *s, size_t size)
{
	const struct kfi_sym *first;
	char label[KFI_SYM_LABEL];
	struct kfi_str str;
	u64 off;

	check_str(syms, &s->name, size);
	check_str(syms, &s->file, size);
	MUST(s->name.len && kfi_syms_at(syms, s->addr, &off) && off == 0);
	MUST(kfi_syms_named(syms, s->name.s, s->name.len, &first) >= 1);
	str = kfi_syms_label(syms, s, label);
	MUST(str.len && (str.s != label || str.len < sizeof(label)));
}

static void check_param(const struct kfi_param *p)
{
	MUST(p->kind <= KFI_TYPE_POINTER && memchr(p->name, '\0', sizeof(p->name)));
}

/* Look up each text in the data: the names of functions are among them. */
static void check_types(const uint8_t *data, size_t size)
{
	const char *s = (const char *)data, *end = s + size;
	struct kfi_btf *btf;
	struct kfi_err err;
	int ret = kfi_btf_parse(&btf, "elf", data, size, &err);

	MUST(!ret == !!btf && (!ret || ret == -ENODATA || ret == -EBADMSG));
	for (u32 n = 0; btf && s < end && n < 1000; n++) {
		u32 len = (u32)strnlen(s, (size_t)(end - s));
		struct kfi_types types;

		if (kfi_btf_types(btf, (struct kfi_str){ s, len }, 1, &types)) {
			check_param(&types.result);
			for (u32 i = 0; i < types.n && i < KFI_TYPES_MAX; i++)
				check_param(&types.param[i]);
		}
		s += len + 1;
	}
	kfi_btf_close(btf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kfi_syms syms;
	struct kfi_err err;
	u64 off;

	check_types(data, size);
	if (kfi_syms_elf(&syms, "elf", data, size, &err))
		return 0;
	MUST(syms.naddr && syms.nname && syms.elf);
	MUST(strlen(syms.build_id) < sizeof(syms.build_id));
	for (u32 i = 0; i < syms.naddr; i++) {
		MUST(!i || syms.addr[i - 1].addr < syms.addr[i].addr);
		check_symbol(&syms, &syms.addr[i], size);
	}
	for (u32 i = 0; i < syms.nname; i++)
		check_symbol(&syms, &syms.name[i], size);
	kfi_syms_at(&syms, 0, &off);
	kfi_syms_at(&syms, U64_MAX, &off);
	kfi_syms_find(&syms, "_text", &off);
	kfi_syms_free(&syms);
	return 0;
}
