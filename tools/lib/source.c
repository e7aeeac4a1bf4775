// SPDX-License-Identifier: GPL-2.0
/* Finds files and lines in DWARF, by libdw: see source.h. */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>

#include "elf_lay.h"
#include "hash.h"
#include "in.h"
#include "source.h"

/**
 * struct piece - a code section of a module
 * @at: its address in the symbol table
 * @size: its size in bytes
 * @addr: its address for libdw
 */
struct piece {
	u64 at;
	u64 size;
	u64 addr;
};

/**
 * struct kfi_source - debug information of a file
 * @in: the file
 * @copy: copy of a module, which libdw relocates in place; or NULL
 * @dwfl: state of libdw
 * @mod: the file, in libdw
 * @module: it is a module: addresses must be translated
 * @piece: its code sections
 * @npieces: number of code sections
 * @room: for how many there is room
 */
struct kfi_source {
	struct kfi_in in;
	char *copy;
	Dwfl *dwfl;
	Dwfl_Module *mod;
	bool module;
	struct piece *piece;
	u32 npieces;
	u32 room;
};

/* libdw must not search for other files. */
static int no_elf(Dwfl_Module *mod, void **user, const char *name, Dwarf_Addr base, char **file,
		  Elf **elf)
{
	return -1;
}

static int no_debuginfo(Dwfl_Module *mod, void **user, const char *name, Dwarf_Addr base,
			const char *file, const char *link, GElf_Word crc, char **found)
{
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = no_elf,
	.find_debuginfo = no_debuginfo,
	.section_address = dwfl_offline_section_address,
};

/* Find where the sections of a module are, for the loader and for libdw. */
static int find_pieces(struct kfi_source *s)
{
	struct kfi_elf_lay lay = { 0 };
	Elf_Scn *scn = NULL;
	GElf_Addr bias;
	GElf_Ehdr head;
	GElf_Shdr sh;
	size_t names;
	Elf *elf = dwfl_module_getelf(s->mod, &bias);

	if (!elf || !gelf_getehdr(elf, &head) || elf_getshdrstrndx(elf, &names))
		return 0;
	s->module = head.e_type == ET_REL;
	while (s->module && (scn = elf_nextscn(elf, scn))) {
		struct piece p;
		const char *name;

		if (!gelf_getshdr(scn, &sh) || !kfi_elf_is_code(&sh))
			continue;
		name = elf_strptr(elf, names, sh.sh_name);
		if (!kfi_elf_lay_add(&lay, &sh, name ? name : "", &p.at))
			return 0;
		p.size = sh.sh_size;
		p.addr = sh.sh_addr + bias;
		if (kfi_grow((void **)&s->piece, &s->room, s->npieces + 1, sizeof(p)))
			return -ENOMEM;
		s->piece[s->npieces++] = p;
	}
	return 0;
}

/* Return true if e_type is that of a module, in any byte order. */
static bool is_module(const char *data, size_t len)
{
	return len > EI_NIDENT + 2 && data[EI_NIDENT] + data[EI_NIDENT + 1] == ET_REL;
}

static int open_file(struct kfi_source *s, const char *path, struct kfi_err *err)
{
	Dwarf_Addr bias;
	const char *data;
	size_t len;
	int ret;

	ret = kfi_in_whole(&s->in, path, &data, &len, err);
	if (ret)
		return ret;
	s->dwfl = dwfl_begin(&callbacks);
	if (!s->dwfl)
		return kfi_err_set(err, ENOMEM, "%s: %s", path, dwfl_errmsg(-1));
	dwfl_report_begin(s->dwfl);
	/* Files that are no modules are only read. */
	if (is_module(data, len)) {
		s->copy = malloc(len);
		if (!s->copy)
			return kfi_err_set(err, ENOMEM, "%s: out of memory", path);
		data = memcpy(s->copy, data, len);
	}
	s->mod = dwfl_report_offline_memory(s->dwfl, path, path, (char *)data, len);
	dwfl_report_end(s->dwfl, NULL, NULL);
	if (!s->mod)
		return kfi_err_set(err, EINVAL, "%s: %s", path, dwfl_errmsg(-1));
	if (find_pieces(s))
		return kfi_err_set(err, ENOMEM, "%s: out of memory", path);
	if (!dwfl_module_getdwarf(s->mod, &bias))
		return kfi_err_set(err, ENODATA, "%s: no debug information", path);
	return 0;
}

int kfi_source_open(struct kfi_source **src, const char *path, struct kfi_err *err)
{
	struct kfi_source *s = calloc(1, sizeof(*s));
	int ret;

	*src = NULL;
	if (!s)
		return kfi_err_set(err, ENOMEM, "%s: out of memory", path);
	ret = open_file(s, path, err);
	if (!ret)
		*src = s;
	else
		kfi_source_close(s);
	return ret;
}

/* Convert an address in the symbol table to one of libdw. */
static bool translate(const struct kfi_source *s, u64 addr, u64 *to)
{
	*to = addr;
	if (!s->module)
		return true;
	for (u32 i = 0; i < s->npieces; i++) {
		if (addr - s->piece[i].at >= s->piece[i].size)
			continue;
		*to = s->piece[i].addr + (addr - s->piece[i].at);
		return true;
	}
	return false;
}

/* Return a path relative to the root of the sources, or to the folder in which the compiler ran. */
static const char *shorten_path(const char *path, const char *dir, const char *root)
{
	size_t n = dir ? strlen(dir) : 0;

	if (*root && strncmp(path, root, strlen(root)) == 0)
		path += strlen(root);
	else if (n && strncmp(path, dir, n) == 0 && path[n] == '/')
		path += n + 1;
	while (strncmp(path, "./", 2) == 0)
		path += 2;
	return path;
}

static const char *find_line(struct kfi_source *src, u64 addr, int *line, const char **dir)
{
	Dwfl_Line *at;

	if (!src || !translate(src, addr, &addr))
		return NULL;
	at = dwfl_module_getsrc(src->mod, addr);
	if (!at)
		return NULL;
	*dir = dwfl_line_comp_dir(at);
	return dwfl_lineinfo(at, NULL, line, NULL, NULL, NULL);
}

void kfi_source_root(struct kfi_source *src, u64 addr, char *root, size_t size)
{
	static const char end[] = "init/main.c";
	const char *dir = NULL;
	int line;
	const char *path = find_line(src, addr, &line, &dir);
	size_t len = path ? strlen(path) : 0, n = len - strlen(end);

	if (len <= strlen(end) || n >= size || strcmp(path + n, end) != 0 || path[n - 1] != '/')
		return;
	memcpy(root, path, n);
	root[n] = '\0';
}

bool kfi_source_line(struct kfi_source *src, u64 addr, const char *root, char *text)
{
	const char *dir = NULL;
	int line = 0;
	const char *path = find_line(src, addr, &line, &dir);

	if (!path)
		return false;
	snprintf(text, KFI_SOURCE_TEXT, "%s:%d", shorten_path(path, dir, root), line);
	return true;
}

bool kfi_source_file(struct kfi_source *src, u64 addr, const char *root, char *text)
{
	Dwarf_Attribute attr;
	const char *name, *dir;
	Dwarf_Addr bias;
	Dwarf_Die *cu;

	if (!src || !translate(src, addr, &addr))
		return false;
	cu = dwfl_module_addrdie(src->mod, addr, &bias);
	name = cu ? dwarf_diename(cu) : NULL;
	if (!name)
		return false;
	dir = dwarf_formstring(dwarf_attr(cu, DW_AT_comp_dir, &attr));
	snprintf(text, KFI_SOURCE_TEXT, "%s", shorten_path(name, dir, root));
	return true;
}

/* ---- types ---- */

/* Find the type of @die, without typedef, const and volatile. Return: false: it has none. */
static bool find_type(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr), type) &&
	       dwarf_peel_type(type, type) == 0;
}

static enum kfi_type_kind kind_of(Dwarf_Die *type)
{
	Dwarf_Attribute attr;
	Dwarf_Word encoding;

	switch (dwarf_tag(type)) {
	case DW_TAG_pointer_type:
		return KFI_TYPE_POINTER;
	case DW_TAG_enumeration_type:
		return KFI_TYPE_SIGNED;
	case DW_TAG_base_type:
		break;
	default:
		return KFI_TYPE_UNKNOWN;
	}
	if (dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attr), &encoding))
		return KFI_TYPE_UNKNOWN;
	switch (encoding) {
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		return KFI_TYPE_SIGNED;
	case DW_ATE_unsigned:
	case DW_ATE_unsigned_char:
		return KFI_TYPE_UNSIGNED;
	case DW_ATE_boolean:
		return KFI_TYPE_BOOL;
	default:
		return KFI_TYPE_UNKNOWN;
	}
}

/* Describe the type of @die. @none: kind to set if it has no type. */
static void describe(Dwarf_Die *die, enum kfi_type_kind none, struct kfi_param *p)
{
	const char *name = dwarf_diename(die);
	Dwarf_Die type;
	Dwarf_Word bytes;

	*p = (struct kfi_param){ .kind = (u8)none };
	if (name)
		snprintf(p->name, sizeof(p->name), "%s", name);
	if (!find_type(die, &type))
		return;
	p->kind = (u8)kind_of(&type);
	if (dwarf_aggregate_size(&type, &bytes) == 0)
		p->bytes = (u32)bytes;
}

/**
 * struct wanted - the function to find
 * @addr: its address
 * @types: filled when the function is found
 * @found: it was found
 */
struct wanted {
	Dwarf_Addr addr;
	struct kfi_types *types;
	bool found;
};

/*
 * Return true if a function begins at an address. If it has a cold part elsewhere, it has ranges.
 */
static bool begins_at(Dwarf_Die *die, Dwarf_Addr addr)
{
	Dwarf_Addr pc, base, start, end;
	ptrdiff_t at = 0;

	if (!dwarf_entrypc(die, &pc))
		return pc == addr;
	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0)
		if (start == addr)
			return true;
	return false;
}

static int look_at(Dwarf_Die *die, void *arg)
{
	struct wanted *w = arg;
	Dwarf_Die child;

	if (!begins_at(die, w->addr))
		return DWARF_CB_OK;
	w->found = true;
	*w->types = (struct kfi_types){ 0 };
	describe(die, KFI_TYPE_VOID, &w->types->result);
	if (dwarf_child(die, &child))
		return DWARF_CB_ABORT;
	do {
		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		if (w->types->n < KFI_TYPES_MAX)
			describe(&child, KFI_TYPE_UNKNOWN, &w->types->param[w->types->n]);
		w->types->n++;
	} while (dwarf_siblingof(&child, &child) == 0);
	return DWARF_CB_ABORT;
}

bool kfi_source_types(struct kfi_source *src, u64 addr, struct kfi_types *types)
{
	struct wanted w = { .types = types };
	Dwarf_Addr bias;
	Dwarf_Die *cu;

	if (!src || !translate(src, addr, &addr))
		return false;
	cu = dwfl_module_addrdie(src->mod, addr, &bias);
	w.addr = addr - bias;
	if (cu)
		dwarf_getfuncs(cu, look_at, &w, 0);
	return w.found;
}

void kfi_source_close(struct kfi_source *src)
{
	if (!src)
		return;
	dwfl_end(src->dwfl);
	kfi_in_close(&src->in);
	free(src->piece);
	free(src->copy);
	free(src);
}
