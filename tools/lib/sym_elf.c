// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the symbols of an ELF file, vmlinux or a module, with libelf: see sym.h.
 *
 * A module has no load address yet: elf_lay.h lays out its code as the kernel does.
 */
#include <stdio.h>
#include <stdlib.h>

#include "elf_lay.h"
#include "sym_build.h"

/**
 * struct elf_file - state while a file is read
 * @t: the table under construction
 * @name: its name in messages
 * @elf: the file
 * @head: its header
 * @nsect: number of sections
 * @at: module: by section: address of its first byte
 * @code: by section: it is code; in a module: code that the kernel loads
 * @room: limit of the bytes of names
 * @used: number of bytes of names so far
 * @file: source file of the local symbols that follow
 */
struct elf_file {
	struct kfi_syms *t;
	const char *name;
	Elf *elf;
	GElf_Ehdr head;
	size_t nsect;
	u64 *at;
	bool *code;
	size_t room;
	size_t used;
	struct kfi_str file;
};

bool kfi_syms_is_elf(const void *data, size_t len)
{
	return len >= 4 && memcmp(data, "\177ELF", 4) == 0;
}

static int report_damage(const struct elf_file *f, struct kfi_err *err)
{
	return kfi_err_set(err, EINVAL, "%s: a damaged ELF file: %s", f->name, elf_errmsg(-1));
}

static int no_memory(const struct elf_file *f, struct kfi_err *err)
{
	return kfi_err_set(err, ENOMEM, "%s: out of memory", f->name);
}

static void read_build_id(struct elf_file *f, Elf_Scn *scn)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t at = 0, name, desc;
	GElf_Nhdr note;

	while (data && (at = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
		const u8 *id = (const u8 *)data->d_buf + desc;

		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
		    memcmp((char *)data->d_buf + name, "GNU", 4) != 0)
			continue;
		for (u32 i = 0; i < note.n_descsz && i < sizeof(f->t->build_id) / 2 - 1; i++)
			snprintf(f->t->build_id + 2 * i, 3, "%02x", id[i]);
		return;
	}
}

/* Read the sections. Return: 0 or -errno; @symtab stays NULL if there is none. */
static int read_sections(struct elf_file *f, Elf_Scn **symtab, struct kfi_err *err)
{
	struct kfi_elf_lay lay = { 0 };
	size_t names, i;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	if (elf_getshdrnum(f->elf, &f->nsect) || elf_getshdrstrndx(f->elf, &names))
		return report_damage(f, err);
	f->at = calloc(f->nsect + 1, sizeof(*f->at));
	f->code = calloc(f->nsect + 1, sizeof(*f->code));
	if (!f->at || !f->code)
		return no_memory(f, err);
	while ((scn = elf_nextscn(f->elf, scn))) {
		const char *name;

		i = elf_ndxscn(scn);
		if (i >= f->nsect || !gelf_getshdr(scn, &sh))
			return report_damage(f, err);
		if (sh.sh_type == SHT_SYMTAB)
			*symtab = scn;
		if (sh.sh_type == SHT_NOTE && !*f->t->build_id)
			read_build_id(f, scn);
		f->code[i] = kfi_elf_is_code(&sh);
		name = f->code[i] ? elf_strptr(f->elf, names, sh.sh_name) : NULL;
		if (f->t->module && f->code[i] &&
		    !kfi_elf_lay_add(&lay, &sh, name ? name : "", &f->at[i]))
			return kfi_err_set(err, EINVAL, "%s: no module: section %zu is too large",
					   f->name, i);
	}
	memcpy(f->t->size, lay.size, sizeof(lay.size));
	return 0;
}

static struct kfi_str copy_string(struct elf_file *f, const char *s)
{
	size_t len = strlen(s);
	char *to = f->t->text + f->used;

	/* In a hostile file many symbols may share one long name. */
	if (len > 4096 || len > f->room - f->used)
		return (struct kfi_str){ NULL, 0 };
	memcpy(to, s, len);
	f->used += len;
	return (struct kfi_str){ to, (u32)len };
}

/* Return the letter that nm would show; for data any other letter. */
static char type_of(const struct elf_file *f, const GElf_Sym *s, size_t section)
{
	bool local = GELF_ST_BIND(s->st_info) == STB_LOCAL;

	if (section >= f->nsect || !f->code[section])
		return 'd';
	if (GELF_ST_BIND(s->st_info) == STB_WEAK)
		return 'W';
	return local ? 't' : 'T';
}

static int add_symbol(struct elf_file *f, const GElf_Sym *s, size_t section, const char *name,
		      struct kfi_err *err)
{
	int type = GELF_ST_TYPE(s->st_info);
	struct kfi_sym sym = { .addr = s->st_value, .type = type_of(f, s, section) };

	if (type == STT_FILE) {
		f->file = copy_string(f, name);
		return 0;
	}
	if (type == STT_SECTION || type == STT_TLS || section == SHN_UNDEF || !*name ||
	    *name == '$' || strncmp(name, ".L", 2) == 0)
		return 0;
	if (f->t->module && sym.type == 'd')
		return 0;
	if (f->t->module) {
		GElf_Shdr sh;

		if (!gelf_getshdr(elf_getscn(f->elf, section), &sh) || sym.addr > sh.sh_size)
			return 0;
		sym.addr += f->at[section];
	}
	if (f->head.e_machine == EM_ARM && type == STT_FUNC)
		sym.addr &= ~1ull;
	sym.name = copy_string(f, name + (*name == '.' && name[1]));
	if (!sym.name.len)
		return 0;
	if (GELF_ST_BIND(s->st_info) == STB_LOCAL)
		sym.file = f->file;
	return kfi_syms_add(f->t, &sym) ? no_memory(f, err) : 0;
}

static int read_symbols(struct elf_file *f, Elf_Scn *symtab, struct kfi_err *err)
{
	Elf_Data *data = elf_getdata(symtab, NULL), *more = NULL;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	size_t n;

	if (!data || !gelf_getshdr(symtab, &sh) || !sh.sh_entsize)
		return report_damage(f, err);
	/* If there are more than 65279 sections, their numbers are in another section. */
	while ((scn = elf_nextscn(f->elf, scn))) {
		GElf_Shdr x;

		if (gelf_getshdr(scn, &x) && x.sh_type == SHT_SYMTAB_SHNDX &&
		    x.sh_link == elf_ndxscn(symtab))
			more = elf_getdata(scn, NULL);
	}
	n = data->d_size / sh.sh_entsize;
	if (n > INT_MAX)
		return report_damage(f, err);
	for (size_t i = 0; i < n; i++) {
		Elf32_Word wide = 0;
		GElf_Sym s;
		const char *name;
		int ret;

		if (!gelf_getsymshndx(data, more, (int)i, &s, &wide))
			return report_damage(f, err);
		name = elf_strptr(f->elf, sh.sh_link, s.st_name);
		if (!name)
			continue;
		ret = add_symbol(f, &s, s.st_shndx == SHN_XINDEX ? wide : s.st_shndx, name, err);
		if (ret)
			return ret;
	}
	return 0;
}

static int read_file(struct elf_file *f, size_t len, struct kfi_err *err)
{
	Elf_Scn *symtab = NULL;
	int ret;

	if (!f->elf || elf_kind(f->elf) != ELF_K_ELF || !gelf_getehdr(f->elf, &f->head))
		return report_damage(f, err);
	f->t->elf = true;
	f->t->module = f->head.e_type == ET_REL;
	f->t->wide = f->head.e_ident[EI_CLASS] == ELFCLASS64;
	ret = read_sections(f, &symtab, err);
	if (ret)
		return ret;
	if (!symtab)
		return kfi_err_set(err, ENODATA, "%s: an ELF file without symbols (stripped?)",
				   f->name);
	/*
	 * Names that share an end are kept twice, but all together take no more than twice the
	 * bytes.
	 */
	f->room = 2 * len;
	f->t->text = malloc(f->room);
	if (!f->t->text)
		return no_memory(f, err);
	ret = read_symbols(f, symtab, err);
	if (ret)
		return ret;
	if (!f->t->naddr)
		return kfi_err_set(err, EINVAL, "%s: an ELF file without functions", f->name);
	return kfi_syms_finish(f->t, f->name, err);
}

int kfi_syms_elf(struct kfi_syms *syms, const char *name, const void *data, size_t len,
		 struct kfi_err *err)
{
	struct kfi_syms t = { 0 };
	struct elf_file f = { .t = &t, .name = name };
	int ret;

	elf_version(EV_CURRENT);
	/* libelf only reads the data, but its function is also for writing. */
	f.elf = elf_memory((char *)data, len);
	ret = read_file(&f, len, err);
	elf_end(f.elf);
	free(f.at);
	free(f.code);
	if (ret)
		kfi_syms_free(&t);
	else
		*syms = t;
	return ret;
}
