// SPDX-License-Identifier: GPL-2.0
/*
 * Loads a plugin as QEMU does, and runs blocks through it that standard input names.
 *
 * usage: fake-qemu TARGET CPUS PLUGIN [ARGUMENT...]
 * A line of input is "CPU PC INSTRUCTIONS [STACK [BYTES]]", all in hex: the block at PC runs. With
 * STACK its last instruction is BYTES, "c3" if not given, and reads from there. A block is translated
 * before it runs if QEMU could have forgotten it. "! CPU ADDRESS": a helper of QEMU accesses that
 * address, and QEMU still calls what watched the last such instruction. Called by qemu.t.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu/plugin_api.h"

struct qemu_plugin_insn {
	unsigned char bytes[8];
	size_t size;
	void (*accesses)(unsigned int cpu, uint32_t info, uint64_t vaddr, void *data);
	void *data;
};

struct qemu_plugin_tb {
	uint64_t pc;
	size_t n;
	void (*runs)(unsigned int cpu, void *data);
	void *data;
	struct qemu_plugin_insn insn;	/* the last one; the others are nops */
};

static struct qemu_plugin_insn nop = { { 0x90 }, 1 };
static struct qemu_plugin_insn watched;	/* the one that was watched last */
static void (*translated_cb)(uint64_t id, struct qemu_plugin_tb *tb);
static void (*ends_cb)(uint64_t id, void *data);

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
					   void (*translated)(uint64_t id,
							      struct qemu_plugin_tb *tb))
{
	translated_cb = translated;
}

void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
					  void (*runs)(unsigned int cpu, void *data), int flags,
					  void *data)
{
	tb->runs = runs;
	tb->data = data;
}

void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
				      void (*accesses)(unsigned int cpu, uint32_t info,
						       uint64_t vaddr, void *data),
				      int flags, int rw, void *data)
{
	if (rw == QEMU_PLUGIN_MEM_RW) {
		insn->accesses = accesses;
		insn->data = data;
	}
}

void qemu_plugin_register_atexit_cb(uint64_t id, void (*ends)(uint64_t id, void *data), void *data)
{
	ends_cb = ends;
}

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb)
{
	return tb->n;
}

uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb)
{
	return tb->pc;
}

struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i)
{
	return i + 1 < tb->n ? &nop : (struct qemu_plugin_insn *)&tb->insn;
}

const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn)
{
	return insn->bytes;
}

size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn)
{
	return insn->size;
}

static void run_line(const char *line)
{
	struct qemu_plugin_tb tb = { .insn = { { 0xc3 }, 1 } };
	unsigned long long pc, n, stack = 0;
	unsigned int cpu;
	char hex[17] = "";
	int got;

	if (sscanf(line, "! %x %llx", &cpu, &stack) == 2) {
		if (watched.accesses)
			watched.accesses(cpu, 0, stack, watched.data);
		return;
	}
	got = sscanf(line, "%x %llx %llx %llx %16s", &cpu, &pc, &n, &stack, hex);

	if (got < 3) {
		fprintf(stderr, "fake-qemu: %s", line);
		exit(2);
	}
	tb.pc = pc;
	tb.n = n;
	if (got < 4)
		tb.insn = nop;
	if (got == 5) {
		tb.insn.size = strlen(hex) / 2;
		for (size_t i = 0; i < tb.insn.size; i++)
			sscanf(hex + 2 * i, "%2hhx", &tb.insn.bytes[i]);
	}
	translated_cb(1, &tb);
	tb.runs(cpu, tb.data);
	if (tb.insn.accesses) {
		watched = tb.insn;
		watched.accesses(cpu, 0, stack, watched.data);
	}
}

int main(int argc, char **argv)
{
	int (*install)(uint64_t id, const struct qemu_info *info, int argc, char **argv);
	struct qemu_info info = { .system_emulation = true };
	void *plugin;
	int *version;
	char line[128];

	if (argc < 4)
		return 2;
	info.target_name = argv[1];
	info.smp_vcpus = info.max_vcpus = atoi(argv[2]);
	plugin = dlopen(argv[3], RTLD_NOW);
	if (!plugin) {
		fprintf(stderr, "fake-qemu: %s\n", dlerror());
		return 2;
	}
	version = dlsym(plugin, "qemu_plugin_version");
	install = dlsym(plugin, "qemu_plugin_install");
	if (!version || *version != 1 || !install || install(1, &info, argc - 4, argv + 4))
		return 1;
	while (fgets(line, sizeof(line), stdin))
		run_line(line);
	ends_cb(1, NULL);
	return 0;
}
