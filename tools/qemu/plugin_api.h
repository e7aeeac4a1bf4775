/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What kfi_qemu.c uses of QEMU's interface for TCG plugins, version 1 (QEMU 6.0 to 8.2).
 *
 * Debian 12 has no package with the header of QEMU. Names and types are those of QEMU, which finds
 * and calls them by these names.
 */
#ifndef KFI_QEMU_PLUGIN_API_H
#define KFI_QEMU_PLUGIN_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QEMU_PLUGIN_VERSION	1

struct qemu_plugin_tb;
struct qemu_plugin_insn;

/**
 * struct qemu_info - what QEMU says of itself
 * @target_name: "x86_64", "aarch64", ...
 * @version: of the interface
 * @system_emulation: it runs a whole system, not a program
 * @smp_vcpus: processors
 * @max_vcpus: processors that there can be
 */
struct qemu_info {
	const char *target_name;
	struct {
		int min;
		int cur;
	} version;
	bool system_emulation;
	int smp_vcpus;
	int max_vcpus;
};

enum { QEMU_PLUGIN_CB_NO_REGS };

/* Reads and writes. QEMU 7.2 takes those that are asked for alone for the other ones. */
enum { QEMU_PLUGIN_MEM_RW = 3 };

/* What the plugin defines. */
extern int qemu_plugin_version;
int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv);

/* What QEMU defines. */
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
					   void (*translated)(uint64_t id,
							      struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
					  void (*runs)(unsigned int cpu, void *data), int flags,
					  void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
				      void (*accesses)(unsigned int cpu, uint32_t info,
						       uint64_t vaddr, void *data),
				      int flags, int rw, void *data);
void qemu_plugin_register_atexit_cb(uint64_t id, void (*ends)(uint64_t id, void *data), void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);

#endif /* KFI_QEMU_PLUGIN_API_H */
