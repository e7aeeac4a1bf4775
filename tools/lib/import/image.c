// SPDX-License-Identifier: GPL-2.0
/* Reads ELF files at load addresses: see image.h. */
#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf_lay.h"
#include "file.h"
#include "import/image.h"
#include "log.h"

int kfi_image_map(const char *path, void **map, size_t *len, struct kfi_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret = 0;
	struct stat st;
	void *p = NULL;

	if (fd < 0 || fstat(fd, &st))
		ret = kfi_err_set(err, errno, "%s: %s", path, strerror(errno));
	else if (!st.st_size)
		ret = kfi_err_set(err, EINVAL, "%s: it is empty", path);
	else if (kfi_file_input(&st))
		ret = kfi_err_set(err, ENOMEM, "%s: out of memory", path);
	if (!ret) {
		p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (p == MAP_FAILED)
			ret = kfi_err_set(err, errno, "%s: %s", path, strerror(errno));
	}
	if (fd >= 0)
		close(fd);
	if (!ret && !kfi_syms_is_elf(p, (size_t)st.st_size)) {
		munmap(p, (size_t)st.st_size);
		ret = kfi_err_set(err, EINVAL, "%s: not an ELF file: unpack it if it is compressed",
				  path);
	}
	if (!ret) {
		*map = p;
		*len = (size_t)st.st_size;
	}
	return ret;
}

static int no_memory(const char *path, struct kfi_err *err)
{
	return kfi_err_set(err, ENOMEM, "%s: out of memory", path);
}

static int damaged(const char *path, struct kfi_err *err)
{
	return kfi_err_set(err, EINVAL, "%s: a damaged ELF file", path);
}

/* Add code at address @from, whose bytes are in the file from @offset on. */
static int add_segment(struct kfi_image *im, const char *path, u64 from, u64 offset, u64 size,
		       struct kfi_err *err)
{
	if (offset > im->len || size > im->len - offset || from + size < from)
		return damaged(path, err);
	if (kfi_grow((void **)&im->seg, &im->room, im->nseg + 1, sizeof(*im->seg)))
		return no_memory(path, err);
	im->seg[im->nseg++] = (struct kfi_segment){
		.from = from, .size = size, .data = (const u8 *)im->map + offset, .image = im,
	};
	return 0;
}

static int read_sections(struct kfi_image *im, const char *path, Elf *elf, struct kfi_err *err)
{
	struct kfi_elf_lay lay = { 0 };
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	size_t names;
	int ret = 0;

	if (elf_getshdrstrndx(elf, &names))
		return damaged(path, err);
	while (!ret && (scn = elf_nextscn(elf, scn))) {
		const char *name;
		u64 at;

		if (!gelf_getshdr(scn, &sh))
			return damaged(path, err);
		if (!kfi_elf_is_code(&sh) || sh.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, names, sh.sh_name);
		if (!kfi_elf_lay_add(&lay, &sh, name ? name : "", &at))
			return damaged(path, err);
		if (at < KFI_SYM_INIT && sh.sh_size)
			ret = add_segment(im, path, at, sh.sh_offset, sh.sh_size, err);
	}
	return ret;
}

/* Read the segments. @lowest: set to the address that the file has for its first byte in memory. */
static int read_segments(struct kfi_image *im, const char *path, Elf *elf, u64 *lowest,
			 struct kfi_err *err)
{
	size_t n;
	int ret = 0;

	if (elf_getphdrnum(elf, &n))
		n = 0;
	*lowest = U64_MAX;
	for (size_t i = 0; !ret && i < n; i++) {
		GElf_Phdr ph;

		if (!gelf_getphdr(elf, (int)i, &ph) || ph.p_type != PT_LOAD)
			continue;
		*lowest = min_t(u64, *lowest, ph.p_vaddr & ~0xfffull);
		if (ph.p_flags & PF_X && ph.p_filesz)
			ret = add_segment(im, path, ph.p_vaddr, ph.p_offset, ph.p_filesz, err);
	}
	return ret;
}

/* Name the functions of a module "NAME[MODULE]", and code without a symbol "[MODULE]". */
static int name_functions(struct kfi_image *im, const char *path, struct kfi_err *err)
{
	const char *base = strrchr(path, '/');
	size_t room = 0, used = 0, len;

	base = base ? base + 1 : path;
	len = strlen(base);
	if (im->is_module && len > 3 && !strcmp(base + len - 3, ".ko"))
		len -= 3;
	for (u32 i = 0; i < im->syms.naddr; i++)
		room += im->syms.addr[i].name.len + len + 2;
	im->names = malloc(room + len + 3);
	im->func = calloc((size_t)im->syms.naddr + 1, sizeof(*im->func));
	if (!im->names || !im->func)
		return no_memory(path, err);
	for (u32 i = 0; i <= im->syms.naddr; i++) {
		struct kfi_code_func *f = &im->func[i];
		const struct kfi_sym *sym = i < im->syms.naddr ? &im->syms.addr[i] : NULL;
		char *to = im->names + used;
		size_t n = sym ? sym->name.len : 0;

		memcpy(to, sym ? sym->name.s : "", n);
		to[n] = '[';
		memcpy(to + n + 1, base, len);
		/* The kernel changes - to _ in names of modules. */
		for (size_t k = 0; im->is_module && k < len; k++)
			if (to[n + 1 + k] == '-')
				to[n + 1 + k] = '_';
		to[n + 1 + len] = ']';
		f->id = KFI_NONE;
		f->addr = sym ? sym->addr + im->bias : 0;
		f->name = (struct kfi_str){ to, (u32)(n + len + 2) };
		f->flags = KFI_CODE_NAMED;
		if (!sym || (n > 5 && !memcmp(to + n - 5, ".cold", 5)))
			f->flags |= KFI_CODE_PART;
		used += n + len + 2;
	}
	return 0;
}

static int read_file(struct kfi_image *im, const char *path, const struct kfi_str *addr,
		     u16 machine, struct kfi_err *err)
{
	struct kfi_err none;
	u64 base = 0, lowest = 0;
	GElf_Ehdr head;
	Elf *elf;
	int ret;

	if (addr->len && !kfi_str_hex(*addr, &base) && !kfi_str_hex_digits(*addr, &base))
		return kfi_err_set(err, EINVAL, "--elf %s=%.*s: expected an address in hex",
				   path, (int)min_t(u32, addr->len, 80), addr->s);
	ret = kfi_image_map(path, &im->map, &im->len, err);
	if (ret)
		return ret;
	elf_version(EV_CURRENT);
	elf = elf_memory(im->map, im->len);
	if (!elf || !gelf_getehdr(elf, &head))
		ret = damaged(path, err);
	else if (head.e_machine != machine)
		ret = kfi_err_set(err, EINVAL, "%s: the file is for ELF machine %u, vmlinux is for %u",
				  path, head.e_machine, machine);
	else if (head.e_type != ET_EXEC && !addr->len)
		ret = kfi_err_set(err, EINVAL, "%s: the file can be loaded anywhere; give its address: --elf %s=ADDRESS",
				  path, path);
	if (!ret) {
		im->is_module = head.e_type == ET_REL;
		ret = im->is_module ? read_sections(im, path, elf, err) :
				      read_segments(im, path, elf, &lowest, err);
	}
	elf_end(elf);
	if (!ret && !im->nseg)
		ret = kfi_err_set(err, EINVAL, "%s: the file has no code", path);
	if (ret)
		return ret;
	im->bias = addr->len ? base - lowest : 0;
	for (u32 i = 0; i < im->nseg; i++)
		im->seg[i].from += im->bias;
	/* A program without symbols is shown as one name. */
	if (kfi_syms_elf(&im->syms, path, im->map, im->len, &none) == -ENOMEM)
		return no_memory(path, err);
	return name_functions(im, path, err);
}

int kfi_image_open(struct kfi_image **image, const char *spec, size_t len, u16 machine,
		   struct kfi_err *err)
{
	const char *equals = memrchr(spec, '=', len);
	size_t n = equals ? (size_t)(equals - spec) : len;
	struct kfi_str addr = { spec + n + !!equals, (u32)(len - n - !!equals) };
	struct kfi_image *im;
	char path[4096];
	int ret;

	if (!n || n >= sizeof(path) || (equals && !addr.len))
		return kfi_err_set(err, EINVAL, "--elf %.*s: expected FILE=ADDRESS",
				   (int)min_t(size_t, len, 80), spec);
	memcpy(path, spec, n);
	path[n] = '\0';
	im = calloc(1, sizeof(*im));
	if (!im)
		return no_memory(path, err);
	ret = read_file(im, path, &addr, machine, err);
	if (ret)
		kfi_image_close(im);
	else
		*image = im;
	return ret;
}

const struct kfi_segment *kfi_image_segment(const struct kfi_image *image, u64 pc)
{
	for (u32 i = 0; i < image->nseg; i++)
		if (pc - image->seg[i].from < image->seg[i].size)
			return &image->seg[i];
	return NULL;
}

struct kfi_code_func *kfi_image_func(const struct kfi_image *image, u64 pc)
{
	const struct kfi_sym *sym = NULL;
	u64 off;

	if (image->syms.naddr)
		sym = kfi_syms_at(&image->syms, pc - image->bias, &off);
	return &image->func[sym ? sym - image->syms.addr : image->syms.naddr];
}

void kfi_image_close(struct kfi_image *image)
{
	if (!image)
		return;
	kfi_syms_free(&image->syms);
	free(image->func);
	free(image->names);
	free(image->seg);
	if (image->map)
		munmap(image->map, image->len);
	free(image);
}
