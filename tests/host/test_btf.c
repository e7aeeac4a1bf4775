// SPDX-License-Identifier: GPL-2.0
/* tools/lib/btf: BTF of all kinds of types and of both byte orders, made here; damaged BTF. */
#include <bpf/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btf.h"
#include "check.h"

static struct kfi_err err;

/* Begin BTF whose first types are those below. */
enum { LONG = 1, INT, CHAR, BOOL, UNSIGNED, POINTER, STRUCT, ENUM, ENUM64, FLOAT, OLD_FLOAT,
	PLAIN_CHAR, BITS, VOLATILE, CONST, NOTHING, FORWARD, LOOP, TYPES };

static struct btf *begin(u32 long_bytes)
{
	struct btf *b = btf__new_empty();

	btf__add_int(b, "long int", long_bytes, BTF_INT_SIGNED);
	btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	btf__add_int(b, "signed char", 1, BTF_INT_SIGNED);
	btf__add_int(b, "_Bool", 1, BTF_INT_BOOL);
	btf__add_int(b, "unsigned int", 4, 0);
	btf__add_ptr(b, STRUCT);
	btf__add_struct(b, "pair", 16);
	btf__add_enum(b, "state", 4);
	btf__add_enum64(b, "wide_state", 8, false);
	btf__add_float(b, "float", 4);
	btf__add_int(b, "long double", 16, 0);
	btf__add_int(b, "char", 1, BTF_INT_CHAR);
	btf__add_int(b, "bits", 4, 0);
	btf__add_volatile(b, 0);
	btf__add_const(b, VOLATILE);
	btf__add_typedef(b, "nothing", CONST);
	btf__add_fwd(b, "far", BTF_FWD_STRUCT);
	btf__add_typedef(b, "loop", LOOP);
	/* 3 bits of 4 bytes: no type of a parameter. */
	*(u32 *)((struct btf_type *)btf__type_by_id(b, BITS) + 1) = 3;
	CHECK_EQ(btf__type_cnt(b), TYPES);
	return b;
}

/* Add a function. @type: numbers of types, ended by -1. Parameters are named a, b ... */
static void add(struct btf *b, const char *name, int result, const int *type)
{
	char param[2] = "a";
	int proto = btf__add_func_proto(b, result);

	for (; *type >= 0; type++, (*param)++)
		btf__add_func_param(b, *type ? param : NULL, *type);
	btf__add_func(b, name, BTF_FUNC_STATIC, proto);
}

#define ADD(b, name, result, ...) add(b, name, result, (const int[]){ __VA_ARGS__, -1 })
#define NONE (-1)

/* Return BTF as bytes, for kfi_btf_parse(). Ends @b. */
static void *bytes_of(struct btf *b, enum btf_endianness order, u32 *len)
{
	const void *data;
	void *copy;

	btf__set_endianness(b, order);
	data = btf__raw_data(b, len);
	copy = malloc(*len);
	memcpy(copy, data, *len);
	btf__free(b);
	return copy;
}

static struct kfi_btf *parse(struct btf *b, enum btf_endianness order)
{
	struct kfi_btf *btf;
	u32 len;
	void *data = bytes_of(b, order, &len);

	if (!CHECK_EQ(kfi_btf_parse(&btf, "btf", data, len, &err), 0))
		printf("# %s\n", err.text);
	free(data);
	return btf;
}

static const char *put(char *to, const struct kfi_param *p)
{
	static const char kinds[] = "?vsubp";

	return to + sprintf(to, "%s%s%c%u", p->name, *p->name ? ":" : "", kinds[p->kind], p->bytes);
}

/* Return "RESULT(PARAMETER, ...)". */
static const char *types(const struct kfi_btf *btf, const char *name, u32 symbols)
{
	static char text[1024];
	struct kfi_types t;
	char *to = text;

	if (!kfi_btf_types(btf, (struct kfi_str){ name, (u32)strlen(name) }, symbols, &t))
		return "unknown";
	to = (char *)put(to, &t.result);
	to += sprintf(to, "(");
	for (u32 i = 0; i < t.n && i < KFI_TYPES_MAX; i++) {
		to += sprintf(to, "%s", i ? ", " : "");
		to = (char *)put(to, &t.param[i]);
	}
	sprintf(to, "%s)", t.n > KFI_TYPES_MAX ? ", ..." : "");
	return text;
}

/* Kinds of types: v void, s signed, u unsigned, b bool, p pointer, ? unknown; and bytes. */
static void kinds(void)
{
	for (int order = BTF_LITTLE_ENDIAN; order <= BTF_BIG_ENDIAN; order++) {
		struct btf *b = begin(order == BTF_LITTLE_ENDIAN ? 8 : 4);
		struct kfi_btf *btf;

		ADD(b, "numbers", INT, LONG, CHAR, BOOL, UNSIGNED);
		ADD(b, "enums", ENUM, ENUM, ENUM64);
		ADD(b, "pointers", POINTER, POINTER);
		ADD(b, "structs", STRUCT, STRUCT, FORWARD);
		ADD(b, "floats", FLOAT, FLOAT, OLD_FLOAT);
		ADD(b, "odd", PLAIN_CHAR, BITS);
		ADD(b, "nothing", 0, NONE);
		ADD(b, "typedef", NOTHING, NONE);
		ADD(b, "variadic", 0, INT, 0);
		ADD(b, "hole", 0, 0, INT);
		ADD(b, "loop", 0, LOOP);
		ADD(b, "far", 0, 1000);
		ADD(b, "result", 1000, NONE);
		ADD(b, "many", 0, INT, INT, INT, INT, INT, INT, INT, INT, INT, INT, INT);
		btf__add_func(b, "no_proto", BTF_FUNC_STATIC, INT);
		btf = parse(b, order);
		CHECK_STR(types(btf, "numbers", 1), order == BTF_LITTLE_ENDIAN ?
			  "s4(a:s8, b:s1, c:b1, d:u4)" : "s4(a:s4, b:s1, c:b1, d:u4)");
		CHECK_STR(types(btf, "enums", 1), "s4(a:s4, b:s8)");
		CHECK_STR(types(btf, "pointers", 1), order == BTF_LITTLE_ENDIAN ? "p8(a:p8)" :
			  "p4(a:p4)");
		CHECK_STR(types(btf, "structs", 1), "?16(a:?16, b:?0)");
		CHECK_STR(types(btf, "floats", 1), "?4(a:?4, b:?16)");
		CHECK_STR(types(btf, "odd", 1), "?1(a:?4)");
		CHECK_STR(types(btf, "nothing", 1), "v0()");
		CHECK_STR(types(btf, "typedef", 1), "v0()");
		CHECK_STR(types(btf, "variadic", 1), "v0(a:s4)");
		CHECK_STR(types(btf, "many", 1), "v0(a:s4, b:s4, c:s4, d:s4, e:s4, f:s4, g:s4, h:s4, i:s4, j:s4, ...)");
		CHECK_STR(types(btf, "hole", 1), "unknown");
		CHECK_STR(types(btf, "loop", 1), "unknown");
		CHECK_STR(types(btf, "far", 1), "unknown");
		CHECK_STR(types(btf, "result", 1), "unknown");
		CHECK_STR(types(btf, "no_proto", 1), "unknown");
		CHECK_STR(types(btf, "number", 1), "unknown");
		CHECK_STR(types(btf, "numbers2", 1), "unknown");
		CHECK_STR(types(btf, "", 1), "unknown");
		CHECK_STR(types(btf, "zzz", 1), "unknown");
		CHECK_STR(kfi_btf_build_id(btf), "");
		kfi_btf_close(btf);
	}
	CHECK_STR(types(NULL, "numbers", 1), "unknown");
}

/* A name that several functions have: known only if nothing about it is a guess. */
static void shared_names(void)
{
	struct btf *b = begin(8);
	struct kfi_btf *btf;

	ADD(b, "same", INT, INT);
	ADD(b, "same", INT, INT);
	ADD(b, "result", INT, INT);
	ADD(b, "result", LONG, INT);
	ADD(b, "kind", INT, INT);
	ADD(b, "kind", INT, UNSIGNED);
	ADD(b, "count", INT, INT);
	ADD(b, "count", INT, INT, INT);
	ADD(b, "last", INT, INT, INT);
	ADD(b, "last", INT, INT, LONG);
	ADD(b, "once", INT, INT);
	btf__add_func(b, "named", BTF_FUNC_STATIC, btf__add_func_proto(b, INT));
	btf__add_func(b, "named", BTF_FUNC_STATIC, btf__add_func_proto(b, INT));
	ADD(b, "bad", INT, INT);
	ADD(b, "bad", INT, LOOP);
	ADD(b, "", INT, INT);
	btf = parse(b, BTF_LITTLE_ENDIAN);
	CHECK_STR(types(btf, "same", 1), "s4(a:s4)");
	CHECK_STR(types(btf, "same", 2), "s4(a:s4)");
	CHECK_STR(types(btf, "same", 3), "unknown");
	CHECK_STR(types(btf, "result", 2), "unknown");
	CHECK_STR(types(btf, "kind", 1), "unknown");
	CHECK_STR(types(btf, "count", 1), "unknown");
	CHECK_STR(types(btf, "last", 1), "unknown");
	CHECK_STR(types(btf, "once", 1), "s4(a:s4)");
	CHECK_STR(types(btf, "once", 2), "unknown");
	CHECK_STR(types(btf, "named", 2), "s4()");
	CHECK_STR(types(btf, "bad", 1), "unknown");
	kfi_btf_close(btf);
}

static int parse_bytes(const void *data, size_t len)
{
	struct kfi_btf *btf;
	/* A copy of its own: a sanitizer sees what is read behind the end. */
	void *copy = malloc(len ? len : 1);
	int ret;

	memcpy(copy, data, len);
	ret = kfi_btf_parse(&btf, "btf", copy, len, &err);
	if (!ret)
		types(btf, "f", 1);
	CHECK_EQ(!btf, ret != 0);
	kfi_btf_close(btf);
	free(copy);
	return ret;
}

/* Each length, and each member of the header with values of all sizes. */
static void damage(void)
{
	static const u32 values[] = {
		0, 1, 2, 4, 20, 23, 24, 25, 26, 28, 32, 64, 100, 0x7fffffff, 0x80000000,
		0xffffffe7, 0xffffffe8, 0xfffffffc, 0xffffffff,
	};

	for (int order = BTF_LITTLE_ENDIAN; order <= BTF_BIG_ENDIAN; order++) {
		struct btf *b = begin(8);
		u32 len;
		char *data;

		ADD(b, "f", INT, INT);
		data = bytes_of(b, order, &len);
		CHECK_EQ(parse_bytes(data, len), 0);
		CHECK_EQ(parse_bytes(data, 0), -ENODATA);
		CHECK_EQ(parse_bytes(data, 1), -ENODATA);
		for (u32 n = 2; n < len; n++)
			CHECK_EQ(parse_bytes(data, n), -EBADMSG);
		CHECK_STR(err.text, "btf: damaged BTF: types are unknown");
		for (u32 at = 4; at < sizeof(struct btf_header); at += 4)
			for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
				u32 old, v = order ? kfi_swab32(values[i]) : values[i];

				memcpy(&old, data + at, 4);
				memcpy(data + at, &v, 4);
				parse_bytes(data, len);
				memcpy(data + at, &old, 4);
			}
		/* Each byte of the types and the strings. */
		for (u32 at = sizeof(struct btf_header); at < len; at++) {
			char old = data[at];

			data[at] = (char)0xff;
			parse_bytes(data, len);
			data[at] = old;
		}
		free(data);
	}
	CHECK_EQ(parse_bytes("\177ELF", 4), -ENODATA);
}

/* Headers of other sizes, before types and strings that are sound. */
static void header_sizes(void)
{
	static const struct {
		u32 bytes;
		u32 types;
		u32 gap;
		u32 outside;
		int ret;
	} sizes[] = {
		{ 24, 0, 0, 0, 0 },
		{ 28, 0, 4, 0, 0 },
		{ 24, 4, 4, 0, 0 },
		{ 24, 1, 1, 0, -EBADMSG },	/* types are not aligned */
		{ 25, 0, 1, 0, -EBADMSG },
		{ 20, 4, 0, 0, -EBADMSG },	/* types would begin in the header */
		{ 28, 0, 4, 4, -EBADMSG },	/* strings would end behind the data */
	};

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct btf *b = begin(8);
		struct btf_header *h;
		u32 len, first = sizeof(*h) + sizes[i].gap;
		char *data, *moved;

		ADD(b, "f", INT, INT);
		data = bytes_of(b, BTF_LITTLE_ENDIAN, &len);
		moved = calloc(1, len + sizes[i].gap);
		memcpy(moved, data, sizeof(*h));
		memcpy(moved + first, data + sizeof(*h), len - sizeof(*h));
		h = (struct btf_header *)moved;
		h->hdr_len = sizes[i].bytes;
		h->type_off = sizes[i].types;
		h->str_off += sizes[i].types;
		CHECK_EQ(parse_bytes(moved, len + sizes[i].gap - sizes[i].outside), sizes[i].ret);
		free(moved);
		free(data);
	}
}

static void no_memory(void)
{
	struct btf *b = begin(8);
	struct kfi_btf *btf;
	u32 len;
	void *data;

	ADD(b, "f", INT, INT);
	data = bytes_of(b, BTF_LITTLE_ENDIAN, &len);
	for (long n = 0;; n++) {
		int ret;

		check_fail_alloc(n);
		ret = kfi_btf_parse(&btf, "btf", data, len, &err);
		kfi_btf_close(btf);
		if (!check_alloc_failed())
			break;
		CHECK_EQ(ret, -ENOMEM);
	}
	check_fail_alloc(-1);
	free(data);
}

static const struct check_case cases[] = {
	{ "kinds of types", kinds },
	{ "shared names", shared_names },
	{ "damage", damage },
	{ "header sizes", header_sizes },
	{ "out of memory", no_memory },
};

CHECK_MAIN(cases)
