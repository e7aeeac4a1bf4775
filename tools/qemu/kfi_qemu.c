// SPDX-License-Identifier: GPL-2.0
/*
 * A TCG plugin for QEMU: writes each block of code that the guest runs into a file, for kd.
 *
 *	qemu-system-x86_64 -plugin kfi-qemu.so,out=FILE ...
 *
 * tools/lib/import/blocks.h describes the file. The plugin only writes what ran. kd finds the
 * calls, since that needs vmlinux. The plugin also looks at the addresses from which returns read,
 * in the kernel's half of the addresses: if one is far from the one before, the kernel has changed
 * stacks.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "import/blocks.h"
#include "qemu/plugin_api.h"

/* The stack pointer moves by less within a stack, from a return to the next. */
#define FAR		4096

#define HASH_SIZE	65536
#define BUFFER_SIZE	65536

/**
 * struct block - a translated block
 * @same: the next one with the same hash
 * @pc: its address
 * @insns: its instructions
 * @number: in the file, 0: it has not run yet
 * @next: by processor, what ran after it when it ran last, or NULL
 *
 * QEMU translates code again, so a block is never freed.
 */
struct block {
	struct block *same;
	u64 pc;
	u32 insns;
	u32 number;
	struct block *next[];
};

/**
 * struct cpu - a processor
 * @last: the block that ran last
 * @stack: where the last return read from
 */
struct cpu {
	struct block *last;
	u64 stack;
};

static struct cpu *cpus;
static struct block *before;	/* the first one */
static unsigned int ncpus;
static bool is_wide;
static bool (*is_return)(const u8 *insn, size_t size);
static struct block *hash[HASH_SIZE];

/* @lock protects what is above and below, if several processors can run at once. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What is written next. */
static unsigned int current_cpu;
static u32 predicted;
static u32 nblocks;
static u64 new_pc;
static u64 last_to;

static const char *path;
static int fd = -1;
static u8 buffer[BUFFER_SIZE];
static size_t filled;

static void lock_cpus(void)
{
	if (ncpus > 1)
		pthread_mutex_lock(&lock);
}

static void unlock_cpus(void)
{
	if (ncpus > 1)
		pthread_mutex_unlock(&lock);
}

/* The file */

static void write_buffer(void)
{
	size_t done = 0;

	while (fd >= 0 && done < filled) {
		ssize_t n = write(fd, buffer + done, filled - done);

		if (n > 0) {
			done += (size_t)n;
		} else if (n == 0 || errno != EINTR) {
			fprintf(stderr, "kfi-qemu: %s: %s; the rest of the trace is missing\n",
				path, strerror(n ? errno : ENOSPC));
			close(fd);
			fd = -1;
		}
	}
	filled = 0;
}

/* Begin a record. kfi_blocks_put() writes its numbers, and end_record() ends it. */
static u8 *begin_record(enum kfi_blocks_kind kind)
{
	if (filled > BUFFER_SIZE - KFI_BLOCKS_RECORD)
		write_buffer();
	return kfi_blocks_put(buffer + filled, (u64)predicted << 2 | kind);
}

static void end_record(const u8 *p)
{
	filled = (size_t)(p - buffer);
	predicted = 0;
}

static void write_cpu(unsigned int cpu)
{
	u8 *p = begin_record(KFI_BLOCKS_CPU);

	current_cpu = cpu;
	end_record(kfi_blocks_put(p, cpu));
}

static void write_block(struct block *b)
{
	u8 *p = begin_record(KFI_BLOCKS_RUN);

	if (b->number) {
		p = kfi_blocks_put(p, b->number);
	} else {
		b->number = ++nblocks;
		p = kfi_blocks_put(p, b->number);
		p = kfi_blocks_put_signed(p, (s64)(b->pc - new_pc));
		p = kfi_blocks_put(p, b->insns);
		new_pc = b->pc;
	}
	end_record(p);
}

static void write_stack(u64 from, u64 to)
{
	u8 *p = begin_record(KFI_BLOCKS_STACK);

	p = kfi_blocks_put_signed(p, (s64)(from - last_to));
	end_record(kfi_blocks_put_signed(p, (s64)(to - from)));
	last_to = to;
}

/* What the guest does */

static void block_runs(unsigned int cpu, void *data)
{
	struct block *b = data;

	if (unlikely(cpu >= ncpus))
		return;
	lock_cpus();
	if (unlikely(cpu != current_cpu))
		write_cpu(cpu);
	if (likely(cpus[cpu].last->next[cpu] == b && predicted < KFI_BLOCKS_PREDICTED)) {
		predicted++;
	} else {
		write_block(b);
		cpus[cpu].last->next[cpu] = b;
	}
	cpus[cpu].last = b;
	unlock_cpus();
}

static void return_reads(unsigned int cpu, uint32_t info, uint64_t vaddr, void *data)
{
	struct cpu *c = &cpus[cpu];

	(void)info;
	if (unlikely(cpu >= ncpus) || (is_wide && (s64)vaddr >= 0))
		return;
	/*
	 * The return ends its block before QEMU has ended these calls: until another instruction
	 * is watched they also come for what QEMU's helpers access, as for locked instructions.
	 */
	if (unlikely(c->last != data))
		return;
	/* Only this processor uses it. */
	if (unlikely(vaddr - c->stack + FAR > 2 * FAR)) {
		lock_cpus();
		if (cpu != current_cpu)
			write_cpu(cpu);
		write_stack(c->stack, vaddr);
		unlock_cpus();
	}
	c->stack = vaddr;
}

/* Translation */

/* ret, ret IMM, and rep ret */
static bool is_return_x86(const u8 *insn, size_t size)
{
	if (size > 1 && (*insn == 0xf3 || *insn == 0xf2)) {
		insn++;
		size--;
	}
	return (size == 1 && *insn == 0xc3) || (size == 3 && *insn == 0xc2);
}

static u32 word_of(const u8 *insn)
{
	return insn[0] | insn[1] << 8 | insn[2] << 16 | (u32)insn[3] << 24;
}

/* ldp x29, x30, [sp, ...]: functions end so. */
static bool is_return_arm64(const u8 *insn, size_t size)
{
	return size == 4 && (word_of(insn) & 0xfe407fff) == 0xa8407bfd;
}

/* ldm sp, {..., pc} */
static bool is_return_arm(const u8 *insn, size_t size)
{
	return size == 4 && (word_of(insn) & 0x0fdf8000) == 0x089d8000;
}

static struct block *find_block(u64 pc, u32 insns)
{
	struct block **at = &hash[(pc * 0x9e3779b97f4a7c15ull) >> 48], *b;

	for (b = *at; b; b = b->same)
		if (b->pc == pc && b->insns == insns)
			return b;
	b = calloc(1, sizeof(*b) + ncpus * sizeof(b->next[0]));
	if (b) {
		b->pc = pc;
		b->insns = insns;
		b->same = *at;
		*at = b;
	}
	return b;
}

static void translated(uint64_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	u64 pc = qemu_plugin_tb_vaddr(tb);
	struct block *b;

	(void)id;
	pthread_mutex_lock(&lock);
	b = find_block(pc, (u32)n);
	pthread_mutex_unlock(&lock);
	if (!b) {
		fprintf(stderr, "kfi-qemu: out of memory\n");
		abort();
	}
	qemu_plugin_register_vcpu_tb_exec_cb(tb, block_runs, QEMU_PLUGIN_CB_NO_REGS, b);
	if (!is_return || (is_wide && (s64)pc >= 0))
		return;
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		if (is_return(qemu_plugin_insn_data(insn), qemu_plugin_insn_size(insn)))
			qemu_plugin_register_vcpu_mem_cb(insn, return_reads, QEMU_PLUGIN_CB_NO_REGS,
							 QEMU_PLUGIN_MEM_RW, b);
	}
}

static void ends(uint64_t id, void *data)
{
	(void)id;
	(void)data;
	lock_cpus();
	if (predicted)
		write_cpu(current_cpu);
	write_buffer();
	if (fd >= 0 && close(fd))
		fprintf(stderr, "kfi-qemu: %s: %s\n", path, strerror(errno));
	fd = -1;
	unlock_cpus();
}

static const struct {
	const char *name;
	bool (*is_return)(const u8 *insn, size_t size);
	bool is_wide;
} targets[] = {
	{ "x86_64", is_return_x86, true },
	{ "i386", is_return_x86 },
	{ "aarch64", is_return_arm64, true },
	{ "arm", is_return_arm },
};

__attribute__((visibility("default"))) int qemu_plugin_version = QEMU_PLUGIN_VERSION;

__attribute__((visibility("default")))
int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		if (strncmp(argv[i], "out=", 4) || path) {
			fprintf(stderr, "kfi-qemu: %s: only out=FILE is known\n", argv[i]);
			return -1;
		}
		path = argv[i] + 4;
	}
	if (!path || !info->system_emulation || info->max_vcpus < 1 ||
	    info->max_vcpus > KFI_BLOCKS_CPUS) {
		fprintf(stderr, "kfi-qemu: %s\n", path ? "only whole systems are traced, of up to 1024 processors" :
							 "give the file: -plugin kfi-qemu.so,out=FILE");
		return -1;
	}
	for (size_t i = 0; i < ARRAY_SIZE(targets); i++) {
		if (strcmp(info->target_name, targets[i].name))
			continue;
		is_return = targets[i].is_return;
		is_wide = targets[i].is_wide;
	}
	ncpus = (unsigned int)info->max_vcpus;
	cpus = calloc(ncpus, sizeof(*cpus));
	before = calloc(1, sizeof(*before) + ncpus * sizeof(before->next[0]));
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (!cpus || !before || fd < 0) {
		fprintf(stderr, "kfi-qemu: %s: %s\n", path, strerror(errno));
		return -1;
	}
	for (unsigned int i = 0; i < ncpus; i++)
		cpus[i].last = before;
	filled = (size_t)snprintf((char *)buffer, sizeof(buffer), KFI_BLOCKS_MAGIC "%.20s\n",
				  info->target_name);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, ends, NULL);
	return 0;
}
