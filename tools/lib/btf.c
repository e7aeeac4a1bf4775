// SPDX-License-Identifier: GPL-2.0
/*
 * Finds types of functions in BTF, by libbpf: see btf.h.
 *
 * libbpf checks that each type lies within the data. It does not check the numbers of types in
 * types, nor, in version 1.1, the size of the header: this file does.
 */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>

#include "btf.h"
#include "in.h"

/* Limit of types that only name or qualify another one: damaged BTF may have a cycle of them. */
#define PEEL_MAX	64

/**
 * struct func - a function of BTF
 * @name: its name, which belongs to libbpf
 * @type: number of its type
 */
struct func {
	const char *name;
	u32 type;
};

/**
 * struct kfi_btf - the functions of a file with BTF
 * @btf: state of libbpf
 * @func: the functions, by name
 * @n: how many
 * @room: for how many there is room
 * @build_id: build id of the ELF file, in hex
 */
struct kfi_btf {
	struct btf *btf;
	struct func *func;
	u32 n;
	u32 room;
	char build_id[72];
};

/* ---- types ---- */

/* Find the type without typedef, const and the like. Return: false: there is no such type. */
static bool peel(const struct btf *btf, u32 id, const struct btf_type **type)
{
	for (u32 i = 0; i < PEEL_MAX; i++) {
		const struct btf_type *t = btf__type_by_id(btf, id);

		if (!t)
			return false;
		*type = t;
		if (!btf_is_typedef(t) && !btf_is_mod(t) && !btf_is_type_tag(t))
			return true;
		id = t->type;
	}
	return false;
}

/* Kinds of integers. As in DWARF, the kernel has no number of floating point to pass. */
static enum kfi_type_kind kind_of_int(const struct btf *btf, const struct btf_type *t)
{
	const char *name = btf__name_by_offset(btf, t->name_off);

	if (btf_int_offset(t) || btf_int_bits(t) != 8 * t->size)
		return KFI_TYPE_UNKNOWN;
	switch (btf_int_encoding(t)) {
	case BTF_INT_SIGNED:
	case BTF_INT_SIGNED | BTF_INT_CHAR:
		return KFI_TYPE_SIGNED;
	case BTF_INT_BOOL:
		return KFI_TYPE_BOOL;
	case 0:
		/* pahole without --btf_gen_floats calls a floating-point number an integer. */
		if (!name || strstr(name, "float") || strstr(name, "double"))
			return KFI_TYPE_UNKNOWN;
		return KFI_TYPE_UNSIGNED;
	default:
		return KFI_TYPE_UNKNOWN;
	}
}

/*
 * Describe the type of number @id. @none: kind to set if it is void. Return: false if it is
 * damaged.
 */
static bool describe(const struct btf *btf, u32 id, u32 name, enum kfi_type_kind none,
		     struct kfi_param *p)
{
	const char *text = btf__name_by_offset(btf, name);
	const struct btf_type *t;

	if (!text || !peel(btf, id, &t))
		return false;
	*p = (struct kfi_param){ .kind = (u8)none };
	snprintf(p->name, sizeof(p->name), "%s", text);
	switch (btf_kind(t)) {
	case BTF_KIND_UNKN:	/* void */
		break;
	case BTF_KIND_INT:
		p->kind = (u8)kind_of_int(btf, t);
		p->bytes = t->size;
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		/* As in source.c: an enum whose values are not negative may hold an error, too. */
		p->kind = KFI_TYPE_SIGNED;
		p->bytes = t->size;
		break;
	case BTF_KIND_PTR:
		p->kind = KFI_TYPE_POINTER;
		p->bytes = (u32)btf__pointer_size(btf);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_FLOAT:
		p->kind = KFI_TYPE_UNKNOWN;
		p->bytes = t->size;
		break;
	default:
		p->kind = KFI_TYPE_UNKNOWN;
	}
	return true;
}

static bool describe_function(const struct btf *btf, u32 id, struct kfi_types *types)
{
	const struct btf_type *func = btf__type_by_id(btf, id);
	const struct btf_type *proto = func ? btf__type_by_id(btf, func->type) : NULL;
	const struct btf_param *param;
	u32 n;

	if (!proto || !btf_is_func_proto(proto))
		return false;
	param = btf_params(proto);
	n = btf_vlen(proto);
	/* "...": a parameter without type and name. */
	if (n && !param[n - 1].type && !param[n - 1].name_off)
		n--;
	*types = (struct kfi_types){ .n = n };
	if (!describe(btf, proto->type, 0, KFI_TYPE_VOID, &types->result))
		return false;
	for (u32 i = 0; i < n; i++) {
		struct kfi_param p;

		if (!param[i].type ||
		    !describe(btf, param[i].type, param[i].name_off, KFI_TYPE_UNKNOWN, &p))
			return false;
		if (i < KFI_TYPES_MAX)
			types->param[i] = p;
	}
	return true;
}

static bool same_param(const struct kfi_param *a, const struct kfi_param *b)
{
	return strcmp(a->name, b->name) == 0 && a->kind == b->kind && a->bytes == b->bytes;
}

static bool same_types(const struct kfi_types *a, const struct kfi_types *b)
{
	if (a->n != b->n || !same_param(&a->result, &b->result))
		return false;
	for (u32 i = 0; i < a->n && i < KFI_TYPES_MAX; i++)
		if (!same_param(&a->param[i], &b->param[i]))
			return false;
	return true;
}

/* ---- functions by name ---- */

static int compare(const char *name, struct kfi_str with)
{
	size_t n = strlen(name);
	int d = memcmp(name, with.s, min_t(size_t, n, with.len));

	return d ? d : n < with.len ? -1 : n > with.len;
}

static int by_name(const void *a, const void *b)
{
	const struct func *x = a, *y = b;

	return strcmp(x->name, y->name);
}

bool kfi_btf_types(const struct kfi_btf *btf, struct kfi_str name, u32 symbols,
		   struct kfi_types *types)
{
	u32 lo = 0, hi = btf ? btf->n : 0, i;
	struct kfi_types first = { 0 }, next;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (compare(btf->func[mid].name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (i = lo; btf && i < btf->n && compare(btf->func[i].name, name) == 0; i++)
		if (!describe_function(btf->btf, btf->func[i].type, i == lo ? &first : &next) ||
		    (i > lo && !same_types(&first, &next)))
			return false;
	if (i == lo || i - lo < symbols)
		return false;
	*types = first;
	return true;
}

/* ---- reading ---- */

static int find_functions(struct kfi_btf *b)
{
	u32 n = btf__type_cnt(b->btf);

	for (u32 id = 1; id < n; id++) {
		const struct btf_type *t = btf__type_by_id(b->btf, id);
		struct func f = { .type = id };

		if (!btf_is_func(t))
			continue;
		f.name = btf__name_by_offset(b->btf, t->name_off);
		if (!f.name || !*f.name)
			continue;
		if (kfi_grow((void **)&b->func, &b->room, b->n + 1, sizeof(f)))
			return -ENOMEM;
		b->func[b->n++] = f;
	}
	if (b->n)
		qsort(b->func, b->n, sizeof(*b->func), by_name);
	return 0;
}

/* Return true if data begins as BTF does, in one of the byte orders. */
static bool is_btf(const void *data, size_t len, bool *swapped)
{
	u16 magic;

	if (len < sizeof(magic))
		return false;
	memcpy(&magic, data, sizeof(magic));
	*swapped = magic != BTF_MAGIC;
	return magic == BTF_MAGIC || magic == (u16)(BTF_MAGIC << 8 | BTF_MAGIC >> 8);
}

/*
 * Return true if the header keeps types aligned and the strings lie within the data. libbpf checks
 * the place of the types between the two.
 */
static bool is_header_sound(const void *data, size_t len)
{
	struct btf_header h;
	bool swapped;
	u32 *field[] = { &h.hdr_len, &h.str_off, &h.str_len };

	if (!is_btf(data, len, &swapped) || len < sizeof(h) || len > INT_MAX)
		return false;
	memcpy(&h, data, sizeof(h));
	for (size_t i = 0; i < ARRAY_SIZE(field) && swapped; i++)
		*field[i] = kfi_swab32(*field[i]);
	return h.hdr_len >= sizeof(h) && h.hdr_len % 4 == 0 &&
	       (u64)h.hdr_len + h.str_off + h.str_len <= len;
}

static int parse(struct kfi_btf *b, const char *name, const void *data, size_t len,
		 struct kfi_err *err)
{
	libbpf_set_print(NULL);
	if (!is_header_sound(data, len))
		return kfi_err_set(err, EBADMSG, "%s: damaged BTF: types are unknown", name);
	b->btf = btf__new(data, (u32)len);
	if (!b->btf) {
		if (errno == ENOMEM)
			return kfi_err_set(err, ENOMEM, "%s: out of memory", name);
		return kfi_err_set(err, EBADMSG,
				   "%s: damaged BTF, or BTF of a newer version than libbpf knows: types are unknown",
				   name);
	}
	if (find_functions(b))
		return kfi_err_set(err, ENOMEM, "%s: out of memory", name);
	return 0;
}

/* Find the section .BTF of a kernel. Return: NULL if there is none. */
static Elf_Data *find_section(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Ehdr head;
	GElf_Shdr sh;
	size_t names;

	if (!gelf_getehdr(elf, &head) || head.e_type == ET_REL || elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name = gelf_getshdr(scn, &sh) ?
				   elf_strptr(elf, names, sh.sh_name) : NULL;

		if (name && strcmp(name, BTF_ELF_SEC) == 0 && sh.sh_type != SHT_NOBITS)
			return elf_rawdata(scn, NULL);
	}
	return NULL;
}

static int parse_elf(struct kfi_btf *b, const char *name, Elf *elf, struct kfi_err *err)
{
	Elf_Data *data = find_section(elf);
	const void *id = NULL;
	ssize_t n;

	if (!data || !data->d_buf)
		return kfi_err_set(err, ENODATA, "%s: no BTF", name);
	n = dwelf_elf_gnu_build_id(elf, &id);
	for (ssize_t i = 0; i < n && i < (ssize_t)sizeof(b->build_id) / 2 - 1; i++)
		snprintf(b->build_id + 2 * i, 3, "%02x", ((const u8 *)id)[i]);
	return parse(b, name, data->d_buf, data->d_size, err);
}

int kfi_btf_parse(struct kfi_btf **btf, const char *name, const void *data, size_t len,
		  struct kfi_err *err)
{
	struct kfi_btf *b = calloc(1, sizeof(*b));
	bool swapped;
	Elf *elf;
	int ret;

	*btf = NULL;
	if (!b)
		return kfi_err_set(err, ENOMEM, "%s: out of memory", name);
	if (is_btf(data, len, &swapped)) {
		ret = parse(b, name, data, len, err);
	} else {
		elf_version(EV_CURRENT);
		/* libelf only reads the data, but its function is also for writing. */
		elf = elf_memory((char *)data, len);
		ret = parse_elf(b, name, elf, err);
		elf_end(elf);
	}
	if (ret)
		kfi_btf_close(b);
	else
		*btf = b;
	return ret;
}

int kfi_btf_open(struct kfi_btf **btf, const char *path, struct kfi_err *err)
{
	struct kfi_in in;
	const char *data;
	size_t len;
	int ret;

	*btf = NULL;
	ret = kfi_in_whole(&in, path, &data, &len, err);
	if (ret)
		return ret;
	ret = kfi_btf_parse(btf, path, data, len, err);
	kfi_in_close(&in);
	return ret;
}

const char *kfi_btf_build_id(const struct kfi_btf *btf)
{
	return btf->build_id;
}

void kfi_btf_close(struct kfi_btf *btf)
{
	if (!btf)
		return;
	btf__free(btf->btf);
	free(btf->func);
	free(btf);
}
