// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the code of a kernel: ELF segments, symbols, and blocks, which capstone decodes; see
 * code.h.
 */
#include <capstone/capstone.h>
#include <elf.h>
#include <gelf.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "import/image.h"
#include "kfi_abi.h"
#include "sym.h"

/* Largest number of instructions in a block of QEMU. */
#define INSNS_MAX	512

/* Number of blocks that are allocated together. Blocks never move. */
#define SLAB		1024

#define SEGMENTS	16

/**
 * struct kfi_code - the code of a kernel
 * @map: the file
 * @len: its length
 * @machine: EM_*
 * @wide: addresses have 64 bits
 * @syms: its symbols
 * @func: functions, by number of the symbol in @syms.addr; one more for code without a symbol
 * @seg: the code
 * @nseg: number of pieces
 * @image: modules, then programs
 * @nimages: how many
 * @nmodules: how many of them are modules
 * @image_room: number of images for which there is room
 * @from: lowest address of the code of vmlinux
 * @size: number of bytes from @from to the end of the last piece
 * @phys: physical address of the first piece, as the file has it
 * @phys_size: number of bytes from @phys
 * @cs: the disassembler
 * @insn: the instruction that was decoded last
 * @of_pc: maps an address to the number of a block
 * @slab: the blocks
 * @nslabs: number of slabs
 * @slab_room: number of slabs for which there is room
 * @nblocks: number of blocks
 */
struct kfi_code {
	void *map;
	size_t len;
	u16 machine;
	bool wide;
	struct kfi_syms syms;
	struct kfi_code_func *func;
	struct kfi_segment seg[SEGMENTS];
	u32 nseg;
	struct kfi_image **image;
	u32 nimages;
	u32 nmodules;
	u32 image_room;
	u64 from;
	u64 size;
	u64 phys;
	u64 phys_size;
	csh cs;
	cs_insn *insn;
	struct kfi_map of_pc;
	struct kfi_block **slab;
	u32 nslabs;
	u32 slab_room;
	u32 nblocks;
};

#define STUBS		(KFI_CODE_EXCEPTION | KFI_CODE_STUBS)

/* Names of functions with a special role. A star at the end stands for any text. */
static const struct {
	const char *name;
	u8 flags;
	u8 ctx;
} known[] = {
	/* x86 */
	{ "asm_exc_nmi", KFI_CODE_EXCEPTION, KFI_CTX_NMI },
	{ "asm_exc_*", KFI_CODE_EXCEPTION },
	{ "asm_int80_emulation", KFI_CODE_EXCEPTION },
	{ "asm_sysvec_*", KFI_CODE_EXCEPTION, KFI_CTX_HARDIRQ },
	{ "asm_common_interrupt", KFI_CODE_EXCEPTION, KFI_CTX_HARDIRQ },
	{ "asm_spurious_interrupt", KFI_CODE_EXCEPTION, KFI_CTX_HARDIRQ },
	{ "irq_entries_start", STUBS, KFI_CTX_HARDIRQ },
	{ "spurious_entries_start", STUBS, KFI_CTX_HARDIRQ },
	{ "entry_SYSCALL_64", KFI_CODE_EXCEPTION },
	{ "entry_SYSCALL_compat", KFI_CODE_EXCEPTION },
	{ "entry_SYSENTER_compat", KFI_CODE_EXCEPTION },
	{ "entry_INT80_compat", KFI_CODE_EXCEPTION },
	{ "early_idt_handler_array", STUBS },
	{ "__switch_to_asm", KFI_CODE_SWITCH },
	{ "__x86_indirect_*", KFI_CODE_THUNK },
	{ "__x86_return_thunk", KFI_CODE_THUNK },
	{ "ret_from_fork*", KFI_CODE_NEW_TASK },
	/* arm64 */
	{ "vectors", STUBS },
	{ "tramp_vectors", STUBS },
	{ "el1h_64_irq", 0, KFI_CTX_HARDIRQ },
	{ "el0t_64_irq", 0, KFI_CTX_HARDIRQ },
	{ "el0t_32_irq", 0, KFI_CTX_HARDIRQ },
	{ "el1h_64_fiq", 0, KFI_CTX_HARDIRQ },
	{ "el0t_64_fiq", 0, KFI_CTX_HARDIRQ },
	{ "cpu_switch_to", KFI_CODE_SWITCH },
	/* arm */
	{ "__irq_svc", KFI_CODE_EXCEPTION, KFI_CTX_HARDIRQ },
	{ "__irq_usr", KFI_CODE_EXCEPTION, KFI_CTX_HARDIRQ },
	{ "__dabt_*", KFI_CODE_EXCEPTION },
	{ "__pabt_*", KFI_CODE_EXCEPTION },
	{ "__und_*", KFI_CODE_EXCEPTION },
	{ "vector_swi", KFI_CODE_EXCEPTION },
	/* all */
	{ "handle_softirqs", 0, KFI_CTX_SOFTIRQ },
	{ "__do_softirq", 0, KFI_CTX_SOFTIRQ },
	{ "*.cold", KFI_CODE_PART },
};

static bool matches(const char *pattern, struct kfi_str name)
{
	size_t n = strlen(pattern);

	if (*pattern == '*')
		return name.len >= n && !memcmp(name.s + name.len - (n - 1), pattern + 1, n - 1);
	if (pattern[n - 1] == '*')
		return name.len >= n - 1 && !memcmp(name.s, pattern, n - 1);
	return name.len == n && !memcmp(name.s, pattern, n);
}

static void mark_known_function(const struct kfi_code *c, struct kfi_code_func *f)
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (!matches(known[i].name, f->name))
			continue;
		f->flags = known[i].flags;
		f->ctx = known[i].ctx;
		break;
	}
	/* On x86 this is a C function to which __switch_to_asm jumps. */
	if (c->machine == EM_ARM && matches("__switch_to", f->name))
		f->flags = KFI_CODE_SWITCH;
}

static int read_segments(struct kfi_code *c, const char *path, Elf *elf, struct kfi_err *err)
{
	size_t n;
	u64 to = 0;

	if (elf_getphdrnum(elf, &n))
		n = 0;
	c->from = U64_MAX;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr ph;

		if (!gelf_getphdr(elf, (int)i, &ph) || ph.p_type != PT_LOAD ||
		    !(ph.p_flags & PF_X) || !ph.p_filesz)
			continue;
		if (ph.p_offset > c->len || ph.p_filesz > c->len - ph.p_offset ||
		    ph.p_vaddr + ph.p_filesz < ph.p_vaddr || c->nseg == SEGMENTS)
			return kfi_err_set(err, EINVAL, "%s: a damaged ELF file: segment %zu", path,
					   i);
		c->seg[c->nseg++] = (struct kfi_segment){
			.from = ph.p_vaddr, .size = ph.p_filesz,
			.data = (const u8 *)c->map + ph.p_offset,
		};
		if (ph.p_vaddr < c->from) {
			c->from = ph.p_vaddr;
			c->phys = ph.p_paddr;
		}
		to = max_t(u64, to, ph.p_vaddr + ph.p_filesz);
	}
	if (!c->nseg)
		return kfi_err_set(err, EINVAL, "%s: the file has no code; give the vmlinux of the kernel",
				   path);
	c->size = to - c->from;
	if (c->phys != c->from)
		c->phys_size = c->size;
	return 0;
}

static int open_disassembler(struct kfi_code *c, bool big, const char *path, struct kfi_err *err)
{
	cs_mode mode = big ? CS_MODE_BIG_ENDIAN : CS_MODE_LITTLE_ENDIAN;
	cs_arch arch;

	if (c->machine == EM_X86_64 || c->machine == EM_386) {
		arch = CS_ARCH_X86;
		mode = c->machine == EM_386 ? CS_MODE_32 : CS_MODE_64;
	} else if (c->machine == EM_AARCH64) {
		arch = CS_ARCH_ARM64;
	} else if (c->machine == EM_ARM) {
		arch = CS_ARCH_ARM;
	} else {
		return kfi_err_set(err, EINVAL, "%s: ELF machine %u: kd reads code of x86, arm64 and arm only",
				   path, c->machine);
	}
	if (cs_open(arch, mode, &c->cs))
		return kfi_err_set(err, ENOMEM, "%s: out of memory", path);
	cs_option(c->cs, CS_OPT_DETAIL, CS_OPT_ON);
	c->insn = cs_malloc(c->cs);
	return c->insn ? 0 : kfi_err_set(err, ENOMEM, "%s: out of memory", path);
}

static int read_functions(struct kfi_code *c, const char *path, struct kfi_err *err)
{
	int ret = kfi_syms_elf(&c->syms, path, c->map, c->len, err);

	if (ret)
		return ret;
	if (c->syms.module)
		return kfi_err_set(err, EINVAL, "%s: this is a module; give the vmlinux of the kernel",
				   path);
	c->func = calloc((size_t)c->syms.naddr + 1, sizeof(*c->func));
	if (!c->func)
		return kfi_err_set(err, ENOMEM, "%s: out of memory", path);
	for (u32 i = 0; i <= c->syms.naddr; i++) {
		struct kfi_code_func *f = &c->func[i];

		f->id = KFI_NONE;
		if (i == c->syms.naddr) {
			/*
			 * Code without a symbol, which the compiler or a macro has put elsewhere.
			 */
			f->name = (struct kfi_str){ "[no symbol]", 11 };
			f->flags = KFI_CODE_PART;
			break;
		}
		f->addr = c->syms.addr[i].addr;
		f->name = c->syms.addr[i].name;
		mark_known_function(c, f);
	}
	return 0;
}

int kfi_code_open(struct kfi_code **code, const char *path, struct kfi_err *err)
{
	struct kfi_code *c = calloc(1, sizeof(*c));
	GElf_Ehdr head;
	Elf *elf = NULL;
	int ret;

	if (!c)
		return kfi_err_set(err, ENOMEM, "%s: out of memory", path);
	ret = kfi_image_map(path, &c->map, &c->len, err);
	if (!ret) {
		elf_version(EV_CURRENT);
		elf = elf_memory(c->map, c->len);
		if (!elf || !gelf_getehdr(elf, &head))
			ret = kfi_err_set(err, EINVAL, "%s: a damaged ELF file: %s", path,
					  elf_errmsg(-1));
	}
	if (!ret) {
		c->machine = head.e_machine;
		c->wide = head.e_ident[EI_CLASS] == ELFCLASS64;
		ret = read_segments(c, path, elf, err);
	}
	if (!ret)
		ret = open_disassembler(c, head.e_ident[EI_DATA] == ELFDATA2MSB, path, err);
	if (!ret)
		ret = read_functions(c, path, err);
	elf_end(elf);
	if (ret)
		kfi_code_close(c);
	else
		*code = c;
	return ret;
}

bool kfi_code_span(const struct kfi_code *c, u64 *from, u64 *size)
{
	*from = c->from;
	*size = c->size;
	return c->wide;
}

int kfi_code_add(struct kfi_code *c, const char *spec, size_t len, struct kfi_err *err)
{
	struct kfi_image *image;
	int ret = kfi_image_open(&image, spec, len, c->machine, err);

	if (ret)
		return ret;
	if (kfi_grow((void **)&c->image, &c->image_room, c->nimages + 1, sizeof(*c->image))) {
		kfi_image_close(image);
		return kfi_err_set(err, ENOMEM, "%.*s: out of memory", (int)len, spec);
	}
	c->image[c->nimages] = image;
	if (image->is_module) {
		c->image[c->nimages] = c->image[c->nmodules];
		c->image[c->nmodules++] = image;
	}
	c->nimages++;
	return 0;
}

/* Return the code at an address in the images from number @i to @n. */
static const struct kfi_segment *image_segment(const struct kfi_code *c, u32 i, u32 n, u64 pc)
{
	const struct kfi_segment *seg = NULL;

	for (; !seg && i < n; i++)
		seg = kfi_image_segment(c->image[i], pc);
	return seg;
}

static const struct kfi_segment *segment_of(const struct kfi_code *c, u64 pc)
{
	for (u32 i = 0; i < c->nseg; i++)
		if (pc - c->seg[i].from < c->seg[i].size)
			return &c->seg[i];
	return image_segment(c, 0, c->nmodules, pc);
}

bool kfi_code_is_in(const struct kfi_code *c, u64 pc)
{
	if (likely(pc - c->from < c->size && c->nseg == 1))
		return true;
	return (pc - c->from < c->size || c->nmodules) && segment_of(c, pc);
}

struct kfi_code_func *kfi_code_program(const struct kfi_code *c, u64 pc)
{
	const struct kfi_segment *seg = image_segment(c, c->nmodules, c->nimages, pc);

	return seg ? kfi_image_func(seg->image, pc) : NULL;
}

static struct kfi_code_func *func_at(struct kfi_code *c, const struct kfi_segment *seg, u64 pc)
{
	u64 off;
	const struct kfi_sym *sym;

	if (seg->image)
		return kfi_image_func(seg->image, pc);
	sym = kfi_syms_at(&c->syms, pc, &off);
	return &c->func[sym ? sym - c->syms.addr : c->syms.naddr];
}

static bool in_group(const cs_insn *insn, u8 group)
{
	for (u8 i = 0; i < insn->detail->groups_count; i++)
		if (insn->detail->groups[i] == group)
			return true;
	return false;
}

/* Return the address that an instruction jumps to, if the instruction has it. */
static u64 target_of(const struct kfi_code *c, const cs_insn *insn)
{
	const cs_detail *d = insn->detail;

	if (c->machine == EM_AARCH64) {
		for (u8 i = 0; i < d->arm64.op_count; i++)
			if (i + 1 == d->arm64.op_count && d->arm64.operands[i].type == ARM64_OP_IMM)
				return (u64)d->arm64.operands[i].imm;
		return 0;
	}
	if (c->machine == EM_ARM)
		return d->arm.op_count == 1 && d->arm.operands[0].type == ARM_OP_IMM ?
		       (u32)d->arm.operands[0].imm : 0;
	if (d->x86.op_count == 1 && d->x86.operands[0].type == X86_OP_IMM)
		return c->wide ? (u64)d->x86.operands[0].imm : (u32)d->x86.operands[0].imm;
	return 0;
}

static u8 end_x86(const cs_insn *insn, u64 target)
{
	if (insn->id == X86_INS_IRET || insn->id == X86_INS_IRETD || insn->id == X86_INS_IRETQ ||
	    insn->id == X86_INS_SYSRET || insn->id == X86_INS_SYSEXIT)
		return KFI_END_ERET;
	if (insn->id == X86_INS_RET)
		return KFI_END_RETURN;
	if (insn->id == X86_INS_RETF || insn->id == X86_INS_RETFQ || insn->id == X86_INS_LJMP)
		return KFI_END_JUMP_REG;
	if (in_group(insn, CS_GRP_CALL))
		return target ? KFI_END_CALL : KFI_END_CALL_REG;
	if (insn->id == X86_INS_JMP)
		return target ? KFI_END_JUMP : KFI_END_JUMP_REG;
	if (in_group(insn, CS_GRP_JUMP) || insn->id == X86_INS_LOOP ||
	    insn->id == X86_INS_LOOPE || insn->id == X86_INS_LOOPNE)
		return KFI_END_BRANCH;
	return KFI_END_NEXT;
}

static u8 end_arm64(const cs_insn *insn)
{
	switch (insn->id) {
	case ARM64_INS_BL:
		return KFI_END_CALL;
	case ARM64_INS_BLR:
		return KFI_END_CALL_REG;
	case ARM64_INS_BR:
		return KFI_END_JUMP_REG;
	case ARM64_INS_RET:
		return KFI_END_RETURN;
	case ARM64_INS_ERET:
		return KFI_END_ERET;
	case ARM64_INS_B:
		return insn->detail->arm64.cc == ARM64_CC_INVALID ||
		       insn->detail->arm64.cc == ARM64_CC_AL ? KFI_END_JUMP : KFI_END_BRANCH;
	case ARM64_INS_CBZ:
	case ARM64_INS_CBNZ:
	case ARM64_INS_TBZ:
	case ARM64_INS_TBNZ:
		return KFI_END_BRANCH;
	}
	return KFI_END_NEXT;
}

static bool writes_pc(const cs_insn *insn)
{
	const cs_arm *a = &insn->detail->arm;

	if (insn->id == ARM_INS_LDM || insn->id == ARM_INS_POP) {
		for (u8 i = 0; i < a->op_count; i++)
			if (a->operands[i].type == ARM_OP_REG && a->operands[i].reg == ARM_REG_PC)
				return true;
		return false;
	}
	return a->op_count && a->operands[0].type == ARM_OP_REG &&
	       a->operands[0].reg == ARM_REG_PC && insn->id != ARM_INS_CMP &&
	       insn->id != ARM_INS_TST && insn->id != ARM_INS_STR;
}

static u8 end_arm(const cs_insn *insn)
{
	const cs_arm *a = &insn->detail->arm;
	bool always = a->cc == ARM_CC_AL || a->cc == ARM_CC_INVALID;

	switch (insn->id) {
	case ARM_INS_BL:
		return KFI_END_CALL;
	case ARM_INS_BLX:
		return KFI_END_CALL_REG;
	case ARM_INS_B:
		return always ? KFI_END_JUMP : KFI_END_BRANCH;
	case ARM_INS_BX:
		return a->operands[0].reg == ARM_REG_LR ? KFI_END_RETURN : KFI_END_JUMP_REG;
	case ARM_INS_RFEIA:
		return KFI_END_ERET;
	}
	if (!writes_pc(insn))
		return KFI_END_NEXT;
	/* "movs pc, lr" and "ldm ..^" return from an exception. */
	if (a->update_flags || a->usermode)
		return KFI_END_ERET;
	return insn->id == ARM_INS_LDM || insn->id == ARM_INS_POP ||
	       (a->op_count == 2 && a->operands[1].type == ARM_OP_REG &&
		a->operands[1].reg == ARM_REG_LR) ? KFI_END_RETURN : KFI_END_JUMP_REG;
}

/*
 * Treat a jump or call through a thunk as what the thunk does, since it may have been patched to
 * that.
 */
static u8 resolve_thunk(struct kfi_code *c, u8 last, u64 target)
{
	const struct kfi_segment *seg;
	const struct kfi_code_func *f;

	if (last != KFI_END_CALL && last != KFI_END_JUMP)
		return last;
	seg = segment_of(c, target);
	if (!seg)
		return last;
	f = func_at(c, seg, target);
	if (!(f->flags & KFI_CODE_THUNK))
		return last;
	if (matches("__x86_return_thunk", f->name))
		return KFI_END_RETURN;
	return last == KFI_END_CALL ? KFI_END_CALL_REG : KFI_END_JUMP_REG;
}

/*
 * The file of a module does not say where jumps to other sections and to the kernel go: it has 0
 * there until the module is loaded. Return: the end of such a block, as if the address were in a
 * register.
 */
static u8 resolve_unlinked(const struct kfi_code *c, u8 last, u64 target)
{
	const cs_insn *insn = c->insn;
	bool x86 = c->machine == EM_X86_64 || c->machine == EM_386;

	if (!target || target != insn->address + (x86 ? insn->size : 0))
		return last;
	return last == KFI_END_CALL ? KFI_END_CALL_REG :
	       last == KFI_END_JUMP || last == KFI_END_BRANCH ? KFI_END_JUMP_REG : last;
}

static void decode(struct kfi_code *c, const struct kfi_segment *seg, struct kfi_block *b)
{
	const u8 *p = seg->data + (b->pc - seg->from);
	size_t left = seg->size - (b->pc - seg->from);
	size_t fixed = c->machine == EM_AARCH64 || c->machine == EM_ARM ? 4 : 0;
	u64 at = b->pc;
	bool falls_through;

	b->end = b->pc;
	for (u32 i = 0; i < INSNS_MAX; i++) {
		if (!cs_disasm_iter(c->cs, &p, &left, &at, c->insn)) {
			/* An instruction that capstone does not know neither jumps nor calls. */
			if (!fixed || left < fixed)
				break;
			p += fixed;
			left -= fixed;
			b->end = at += fixed;
			continue;
		}
		b->end = at;
		b->target = target_of(c, c->insn);
		b->last = c->machine == EM_AARCH64 ? end_arm64(c->insn) :
			  c->machine == EM_ARM ? end_arm(c->insn) : end_x86(c->insn, b->target);
		if (b->last != KFI_END_NEXT)
			break;
	}
	if (b->last == KFI_END_NEXT)
		b->target = 0;
	falls_through = b->last == KFI_END_NEXT || b->last == KFI_END_BRANCH;
	if (seg->image)
		b->last = resolve_unlinked(c, b->last, b->target);
	b->last = resolve_thunk(c, b->last, b->target);
	if (b->last == KFI_END_CALL_REG || b->last == KFI_END_JUMP_REG ||
	    b->last == KFI_END_RETURN || b->last == KFI_END_ERET)
		b->target = 0;
	b->within = (u32)(b->end - b->pc);
	if (!falls_through && b->within)
		b->within--;
}

static struct kfi_block *new_block(struct kfi_code *c)
{
	if (c->nblocks == c->nslabs * SLAB) {
		struct kfi_block *slab = malloc(SLAB * sizeof(*slab));

		if (!slab || kfi_grow((void **)&c->slab, &c->slab_room, c->nslabs + 1,
				      sizeof(*c->slab))) {
			free(slab);
			return NULL;
		}
		c->slab[c->nslabs++] = slab;
	}
	return &c->slab[c->nblocks / SLAB][c->nblocks % SLAB];
}

const struct kfi_block *kfi_code_block(struct kfi_code *c, u64 pc)
{
	const u32 *known_at = kfi_map_at_once(&c->of_pc, pc);
	const struct kfi_segment *seg;
	struct kfi_block *b;
	u32 *at;

	if (likely(known_at))
		return &c->slab[*known_at / SLAB][*known_at % SLAB];
	at = kfi_map_get(&c->of_pc, pc, KFI_NONE);
	if (!at)
		return NULL;
	if (*at != KFI_NONE)
		return &c->slab[*at / SLAB][*at % SLAB];
	b = new_block(c);
	if (!b)
		return NULL;
	seg = segment_of(c, pc);
	*b = (struct kfi_block){ .pc = pc, .func = func_at(c, seg, pc) };
	b->is_entry = b->func->addr == pc;
	decode(c, seg, b);
	*at = c->nblocks++;
	return b;
}

u64 kfi_code_named(const struct kfi_code *c, const char *s, u32 len)
{
	const struct kfi_sym *first;

	return kfi_syms_named(&c->syms, s, len, &first) ? first->addr : U64_MAX;
}

static enum kfi_place place_x86(const struct kfi_code *c, u64 pc, enum kfi_place last, bool started)
{
	if (started && pc >= 0x100000)
		return KFI_PLACE_USER;
	if (pc >= 0xc0000 && pc < 0x100000)
		return KFI_PLACE_FIRMWARE;
	if (pc < 0xc0000)
		return pc < 0x7c00 ? KFI_PLACE_FIRMWARE : KFI_PLACE_LOADER;
	/* The firmware moves itself to the end of memory. The boot loader runs after it. */
	if (last == KFI_PLACE_ENTRY || (c->phys_size && pc == c->phys))
		return KFI_PLACE_ENTRY;
	if (pc < 0xfff00000 && (last == KFI_PLACE_UNPACK || last == KFI_PLACE_LOADER))
		return KFI_PLACE_UNPACK;
	return KFI_PLACE_FIRMWARE;
}

enum kfi_place kfi_code_place(const struct kfi_code *c, u64 pc, enum kfi_place last, bool started)
{
	u64 half = c->wide ? 1ull << 63 : c->from & 0xf0000000;

	if (c->machine == EM_ARM && pc >= 0xffff0000)
		return KFI_PLACE_VECTORS;
	if (pc >= half && (started || c->wide))
		return KFI_PLACE_OTHER;
	if (c->machine == EM_X86_64 || c->machine == EM_386)
		return place_x86(c, pc, last, started);
	if (started)
		return KFI_PLACE_USER;
	/* QEMU's boards have their memory from 1 GiB on, and its own code at its beginning. */
	if (pc < 0x40000000)
		return KFI_PLACE_FIRMWARE;
	return pc < 0x40000100 ? KFI_PLACE_LOADER :
	       last == KFI_PLACE_UNPACK ? KFI_PLACE_UNPACK : KFI_PLACE_ENTRY;
}

u64 kfi_code_near(const struct kfi_code *c)
{
	return c->machine == EM_X86_64 || c->machine == EM_386 ? 5 : 0;
}

void kfi_code_close(struct kfi_code *c)
{
	if (!c)
		return;
	for (u32 i = 0; i < c->nslabs; i++)
		free(c->slab[i]);
	free(c->slab);
	kfi_map_free(&c->of_pc);
	for (u32 i = 0; i < c->nimages; i++)
		kfi_image_close(c->image[i]);
	free(c->image);
	if (c->insn)
		cs_free(c->insn, 1);
	if (c->cs)
		cs_close(&c->cs);
	free(c->func);
	kfi_syms_free(&c->syms);
	if (c->map)
		munmap(c->map, c->len);
	free(c);
}
