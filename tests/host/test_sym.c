// SPDX-License-Identifier: GPL-2.0
/* tools/lib/sym: System.map and kallsyms text, both ways, same addresses, same names. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "sym.h"

static struct kfi_syms syms;
static struct kfi_err err;

static int load(const char *text)
{
	memset(&syms, 0, sizeof(syms));
	return kfi_syms_parse(&syms, "map", text, strlen(text), &err);
}

/* "name+off" of an address, "-" for none. */
static const char *name_at(u64 addr)
{
	static char text[64];
	u64 off;
	const struct kfi_sym *s = kfi_syms_at(&syms, addr, &off);

	if (!s)
		return "-";
	snprintf(text, sizeof(text), "%.*s+0x%llx%s%.*s", (int)s->name.len, s->name.s,
		 (unsigned long long)off, s->module.len ? " of " : "", (int)s->module.len,
		 s->module.s);
	return text;
}

static const char map[] =
	"00000000 t __vectors_start\n"
	"c0008000 T _text\n"
	"c0100000 T _stext\n"
	"c0100000 t $a\n"
	"c0100000 t first\n"
	"c0100000 T __mark_start\n"
	"c0100100 t local\n"
	"c0100100 W weak\n"
	"c0100100 T global\n"
	"c0100100 t later_local\n"
	"c0100200 t twice\n"
	"c0100300 t one\n"
	"c0100300 t two\n"
	"c0100400 t twice\n"
	"c0100400 t twice\n"
	"c0100500 T _etext\n"
	"c0300000 D jiffies\n"
	"c0300004 B first_data\r\n";

static void addresses(void)
{
	if (!CHECK_EQ(load(map), 0))
		return;
	CHECK_STR(name_at(0xc0100000), "first+0x0");
	CHECK_STR(name_at(0xc01000ff), "first+0xff");
	CHECK_STR(name_at(0xc0100100), "global+0x0");
	CHECK_STR(name_at(0xc01001fe), "global+0xfe");
	CHECK_STR(name_at(0xc0100300), "two+0x0");
	CHECK_STR(name_at(0xc0100500), "_etext+0x0");
	CHECK_STR(name_at(0xc0008000), "_text+0x0");
	/* A Thumb function's pointer. */
	CHECK_STR(name_at(0xc0100201), "twice+0x0");
	kfi_syms_free(&syms);
}

static void outside(void)
{
	if (!CHECK_EQ(load(map), 0))
		return;
	CHECK_STR(name_at(0xc0100504), "-");		/* behind the end of code */
	CHECK_STR(name_at(0xc0300000), "-");		/* data */
	CHECK_STR(name_at(0xbf000010), "-");		/* a module: far behind __vectors_start */
	CHECK_STR(name_at(KFI_SYM_REACH), "__vectors_start+0x100000");
	CHECK_STR(name_at(KFI_SYM_REACH + 2), "-");
	CHECK_STR(name_at(0xffffffffffffffffull), "-");
	kfi_syms_free(&syms);
	if (!CHECK_EQ(load("c0008000 T _text\n"), 0))
		return;
	CHECK_STR(name_at(0xc0007fff), "-");
	CHECK_STR(name_at(0), "-");
	kfi_syms_free(&syms);
}

static u32 named(const char *name, u64 *addr)
{
	const struct kfi_sym *s;
	u32 n = kfi_syms_named(&syms, name, strlen(name), &s);

	if (n)
		*addr = s[n - 1].addr;
	return n;
}

static void names(void)
{
	u64 addr = 0;

	if (!CHECK_EQ(load(map), 0))
		return;
	CHECK_EQ(named("global", &addr), 1);
	CHECK_EQ(addr, 0xc0100100);
	CHECK_EQ(named("weak", &addr), 1);
	CHECK_EQ(named("_stext", &addr), 1);
	CHECK_EQ(addr, 0xc0100000);
	/* Ambiguous; the same line twice counts once. */
	CHECK_EQ(named("twice", &addr), 2);
	CHECK_EQ(addr, 0xc0100400);
	CHECK_EQ(named("twic", &addr), 0);
	CHECK_EQ(named("twicer", &addr), 0);
	CHECK_EQ(named("", &addr), 0);
	CHECK_EQ(named("jiffies", &addr), 0);
	CHECK_EQ(named("$a", &addr), 0);
	CHECK(kfi_syms_is_data(&syms, "jiffies", 7));
	CHECK(kfi_syms_is_data(&syms, "first_data", 10));
	CHECK(!kfi_syms_is_data(&syms, "first", 5));
	kfi_syms_free(&syms);
}

static void kallsyms(void)
{
	u64 addr = 0;

	if (!CHECK_EQ(load("ffffffff81000000 T _stext\n"
			   "ffffffff81000040 t .dotted\n"
			   "ffffffffc0000010 t in_module\t[mod]\n"
			   "ffffffffc0000020 t in_crlf [m]\r\n"
			   "ffffffffc0000030 t cut [mod\n"
			   "ffffffffc0000040 t nameless []\n"
			   "                 U printk\n"), 0))
		return;
	CHECK(syms.wide);
	CHECK_EQ(syms.bad_lines, 1);
	CHECK_EQ(syms.bad_line, 5);
	CHECK_STR(name_at(0xffffffff81000041), "dotted+0x1");
	CHECK_STR(name_at(0xffffffffc0000014), "in_module+0x4 of mod");
	CHECK_STR(name_at(0xffffffffc0000020), "in_crlf+0x0 of m");
	CHECK_STR(name_at(0xffffffffc0000030), "in_crlf+0x10 of m");
	CHECK_STR(name_at(0xffffffffc0000040), "nameless+0x0");
	CHECK_EQ(named("in_module", &addr), 1);
	CHECK_EQ(named("dotted", &addr), 1);
	kfi_syms_free(&syms);
}

static void unsorted(void)
{
	if (!CHECK_EQ(load("30 t c\n10 t a\n20 t b\n"), 0))
		return;
	CHECK_STR(name_at(0x15), "a+0x5");
	CHECK_STR(name_at(0x25), "b+0x5");
	CHECK_STR(name_at(0x30), "c+0x0");
	kfi_syms_free(&syms);
}

static void only_data(void)
{
	if (!CHECK_EQ(load("00000010 A a\n00000020 A b\n"), 0))
		return;
	CHECK_STR(name_at(0x10), "a+0x0");
	kfi_syms_free(&syms);
}

static void refused(void)
{
	CHECK_EQ(load(""), -ENODATA);
	CHECK_EQ(load("hello\nworld\n"), -ENODATA);
	CHECK_STR(err.text, "map: not a symbol table (no line of \"address type name\")");
	CHECK_EQ(load("12345678901234567 T too_long\n"), -ENODATA);
	CHECK_EQ(load("00000000 T a\n00000000 T b\n"), -EINVAL);
	CHECK_STR(err.text, "map: all addresses are 0 (kallsyms read without root?)");
	CHECK_EQ(kfi_syms_load(&syms, "/nonexistent/map", &err), -ENOENT);
	CHECK_STR(err.text, "/nonexistent/map: No such file or directory");
	if (!CHECK_EQ(load("10 t a\nrubbish\n20 t b\n"), 0))
		return;
	CHECK_EQ(syms.bad_lines, 1);
	CHECK_EQ(syms.bad_line, 2);
	kfi_syms_free(&syms);
}

static void cut(void)
{
	const struct kfi_sym *s;

	if (!CHECK_EQ(load("10 t a\n20 t b_with_a_long_na"), 0))
		return;
	CHECK_EQ(syms.bad_lines, 0);
	CHECK_EQ(syms.cut_line, 2);
	CHECK_STR(name_at(0x20), "b_with_a_long_na+0x0");
	CHECK_EQ(kfi_syms_named(&syms, "b_with_a_long_na", 16, &s), 1);
	CHECK(s->is_cut);
	CHECK_EQ(kfi_syms_named(&syms, "a", 1, &s), 1);
	CHECK(!s->is_cut);
	kfi_syms_free(&syms);
	if (!CHECK_EQ(load("10 t a\n20 t b\n30"), 0))
		return;
	CHECK_EQ(syms.bad_line, 3);
	CHECK_EQ(syms.cut_line, 0);
	kfi_syms_free(&syms);
	/* The line is of no function, but more lines may be missing. */
	if (!CHECK_EQ(load("10 t a\n20 t $a"), 0))
		return;
	CHECK_EQ(syms.cut_line, 2);
	kfi_syms_free(&syms);
}

static void no_memory(void)
{
	for (long n = 0; ; n++) {
		int ret;

		check_fail_alloc(n);
		ret = load(map);
		check_fail_alloc(-1);
		if (ret == 0) {
			CHECK(n >= 4);
			kfi_syms_free(&syms);
			return;
		}
		CHECK_EQ(ret, -ENOMEM);
		CHECK(!syms.text && !syms.addr);
	}
}

static const struct check_case cases[] = {
	{ "addresses to names, several names at one address", addresses },
	{ "addresses in no symbol", outside },
	{ "names to addresses, ambiguous names", names },
	{ "kallsyms text, modules, dots, 64 bit", kallsyms },
	{ "a map out of order", unsorted },
	{ "a map without code", only_data },
	{ "what is no map", refused },
	{ "a map that was cut in its last line", cut },
	{ "each allocation fails once", no_memory },
};

CHECK_MAIN(cases)
