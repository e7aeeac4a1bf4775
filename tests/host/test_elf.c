// SPDX-License-Identifier: GPL-2.0
/* tools/lib/sym_elf: kernels and modules of both classes and byte orders, as the fuzzer has them. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "mods.h"
#include "sym.h"

#define ELF	"fuzz/corpus/elf/"

static struct kfi_err err;

static bool load(struct kfi_syms *syms, const char *path)
{
	err.text[0] = '\0';
	if (CHECK_EQ(kfi_syms_load(syms, path, &err), 0))
		return true;
	printf("# %s\n", err.text);
	return false;
}

static const char *at(const struct kfi_syms *syms, u64 addr, u64 *off)
{
	static char text[KFI_SYM_LABEL];
	char label[KFI_SYM_LABEL];
	const struct kfi_sym *s = kfi_syms_at(syms, addr, off);
	struct kfi_str str;

	if (!s)
		return "none";
	str = kfi_syms_label(syms, s, label);
	snprintf(text, sizeof(text), "%.*s", (int)str.len, str.s);
	return text;
}

/* Sections in the order of the file, init text apart, in the four kinds of machines. */
static void modules(void)
{
	static const char *const files[] = {
		ELF "x86_64.ko", ELF "arm.ko", ELF "thumb.ko", ELF "ppc.ko",
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct kfi_syms syms;
		u64 addr = 0, off;

		if (!load(&syms, files[i]))
			continue;
		CHECK(syms.module && syms.elf);
		CHECK_EQ(syms.wide, i == 0);
		CHECK_STR(at(&syms, KFI_SYM_INIT, &off), "setup");
		CHECK_EQ(off, 0);
		CHECK(kfi_syms_find(&syms, "probe", &addr));
		CHECK(addr < syms.size[0] && (i == 0 || addr % 2 == 0));
		CHECK_STR(at(&syms, addr, &off), "probe");
		CHECK_STR(at(&syms, addr + 2, &off), "probe");
		CHECK(syms.size[0] > 8 && syms.size[1] > 2);
		CHECK(!kfi_syms_find(&syms, "data", &addr));
		kfi_syms_free(&syms);
	}
}

static void kernels(void)
{
	static const char *const files[] = { ELF "x86_64", ELF "thumb" };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		const struct kfi_sym *s;
		struct kfi_syms syms;
		u64 addr = 0, off;

		if (!load(&syms, files[i]))
			continue;
		CHECK_STR(syms.build_id, "0011223344556677");
		CHECK(!syms.module);
		CHECK(kfi_syms_find(&syms, "_text", &addr));
		CHECK(i == 0 || addr % 2 == 0);
		CHECK_STR(at(&syms, addr, &off), "_text");
		/* Bit 0 of a pointer to a Thumb function is none of its address. */
		CHECK_STR(at(&syms, addr + 1, &off), "_text");
		CHECK_EQ(off, i == 0);
		CHECK(kfi_syms_is_data(&syms, "data", 4));
		CHECK_EQ(kfi_syms_named(&syms, "one", 3, &s), 2);
		CHECK_STR(at(&syms, s[0].addr, &off), "one@m.c");
		CHECK_STR(at(&syms, s[1].addr, &off), "one@n.c");
		CHECK(kfi_syms_named(&syms, "idle", 4, &s) == 1 && s->type == 'W');
		CHECK(kfi_syms_named(&syms, "probe", 5, &s) == 1 && s->type == 'T');
		kfi_syms_free(&syms);
	}
}

/* Two of a name in two files of a name have their addresses. */
static void twins(void)
{
	struct kfi_sym sym[2] = {
		{ 0x1000, { "one", 3 }, 't', true, .file = { "dir.c", 5 } },
		{ 0x2000, { "one", 3 }, 't', true, .file = { "dir.c", 5 } },
	};
	u64 start[2] = { 0x1000, 0x2000 };
	u32 below[2] = { 0, 2 };
	struct kfi_syms syms = {
		.addr = sym, .naddr = 2, .start = start, .below = below, .piece_bits = 63,
		.pieces = 1, .name = sym, .nname = 2,
	};
	u64 off;

	CHECK_STR(at(&syms, 0x1000, &off), "one@0x00001000");
	CHECK_STR(at(&syms, 0x2004, &off), "one@0x00002000");
	sym[1].file = (struct kfi_str){ "map.c", 5 };
	CHECK_STR(at(&syms, 0x2004, &off), "one@map.c");
	/* Modules have names of their own. */
	sym[1].module = (struct kfi_str){ "mod", 3 };
	CHECK_STR(at(&syms, 0x1000, &off), "one");
	sym[1].module.len = 0;
	sym[1].file.len = 0;
	CHECK_STR(at(&syms, 0x2000, &off), "one");
	CHECK_STR(at(&syms, 0x1000, &off), "one@dir.c");
}

static void folders(void)
{
	struct kfi_module_range life = {
		.name = "x86_64", .code = { .addr = 0xffffffffa0000000, .size = 4096 },
		.init = { .size = 4096 },
	};
	const struct kfi_syms *syms = NULL;
	struct kfi_mods mods;

	if (!CHECK_EQ(kfi_mods_open(&mods, ELF, &err), 0))
		return;
	CHECK_EQ(kfi_mods_find(&mods, &life, &syms, &err), 0);
	CHECK(syms && syms->wide);
	life.code.size = 8;
	CHECK_EQ(kfi_mods_find(&mods, &life, &syms, &err), -EBADMSG);
	CHECK(strstr(err.text, "of another build: its text takes"));
	life.code.size = 4096;
	life.init.size = 100000;
	CHECK_EQ(kfi_mods_find(&mods, &life, &syms, &err), -EBADMSG);
	CHECK(strstr(err.text, "of another build: its init text takes"));
	life.code.addr = 0xbf000000;
	CHECK_EQ(kfi_mods_find(&mods, &life, &syms, &err), -EBADMSG);
	CHECK(strstr(err.text, "of another machine"));
	strcpy(life.name, "x86_6");
	CHECK_EQ(kfi_mods_find(&mods, &life, &syms, &err), -ENOENT);
	kfi_mods_free(&mods);
	CHECK_EQ(kfi_mods_open(&mods, "fuzz/corpus/log", &err), -EINVAL);
	CHECK_EQ(kfi_mods_open(&mods, "fuzz/corpus/nothing", &err), -ENOENT);
}

/* Whichever allocation fails, it is reported, and nothing is left behind. */
static void no_memory(void)
{
	struct kfi_syms syms = { 0 };

	for (long n = 0;; n++) {
		int ret;

		check_fail_alloc(n);
		ret = kfi_syms_load(&syms, ELF "x86_64.ko", &err);
		check_fail_alloc(-1);
		if (!ret)
			kfi_syms_free(&syms);
		if (!check_alloc_failed())
			break;
		if (ret && !CHECK(err.text[0]))
			break;
	}
}

static const struct check_case cases[] = {
	{ "modules", modules },
	{ "kernels", kernels },
	{ "two of a name", twins },
	{ "modules of a folder", folders },
	{ "no memory", no_memory },
};

CHECK_MAIN(cases)
