/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What mkkfistatic makes of kfistatic.conf: its text, and memory for its logs. Included by the C
 * file that it writes, and by session/boot.c, which uses it.
 */
#ifndef KFI_STATIC_H
#define KFI_STATIC_H

#include "core/conf.h"
#include "session/log.h"

/* The configuration, already parsed once with KFI_CONF_STATIC; the NUL is not in the length. */
extern const char kfi_static_name[];
extern const char kfi_static_text[];
extern const u32 kfi_static_len;

/**
 * struct kfi_static_run - the memory of one run
 * @entries: calls that its log holds at least
 * @nchunks: chunks for them
 * @chunks: table of the chunks, to be filled
 * @pool: the chunks
 * @nfuncs: room for addresses in its lists
 * @funcs: that room
 */
struct kfi_static_run {
	u32 entries;
	u32 nchunks;
	struct kfi_chunk **chunks;
	u8 (*pool)[KFI_CHUNK_BYTES];
	u32 nfuncs;
	unsigned long *funcs;
};

/* The runs, one a block of the text, each with a log and its share per cpu. */
extern const struct kfi_static_run kfi_static_runs[];
extern const u32 kfi_static_nruns;
extern struct kfi_log kfi_static_logs[];
extern struct kfi_cpu kfi_static_cpus[][NR_CPUS];

#define KFI_STATIC_ENTRIES(n)	((n) ? (n) : CONFIG_KFI_LOG_ENTRIES)
#define KFI_CHUNK_RECORDS	((KFI_CHUNK_BYTES - sizeof(struct kfi_chunk)) / \
				 (KFI_REC_WORDS * sizeof(u32)))
#define KFI_CHUNKS_FULL(n)	(((n) + KFI_CHUNK_RECORDS - 1) / KFI_CHUNK_RECORDS)
/* As kfi_ring_chunks_for(), for the compiler. */
#define KFI_STATIC_NCHUNKS(n)	\
	(NR_CPUS + (KFI_CHUNKS_FULL(KFI_STATIC_ENTRIES(n)) > NR_CPUS + 1 ? \
		    KFI_CHUNKS_FULL(KFI_STATIC_ENTRIES(n)) : NR_CPUS + 1))

/* Define the memory of run number i: "logentries n" (0: there is none), f addresses in lists. */
#define KFI_STATIC_POOL(i, n, f)						\
	static struct kfi_chunk *chunks_##i[KFI_STATIC_NCHUNKS(n)];		\
	static u8 pool_##i[KFI_STATIC_NCHUNKS(n)][KFI_CHUNK_BYTES] __aligned(KFI_CHUNK_BYTES); \
	static unsigned long funcs_##i[f]

/* A row of kfi_static_runs[], and what goes with a table of n rows. */
#define KFI_STATIC_RUN(i, n, f)							\
	{ KFI_STATIC_ENTRIES(n), KFI_STATIC_NCHUNKS(n), chunks_##i, pool_##i, (f), funcs_##i }
#define KFI_STATIC_LOGS(n)							\
	const u32 kfi_static_nruns = (n);					\
	struct kfi_log kfi_static_logs[n];					\
	struct kfi_cpu kfi_static_cpus[n][NR_CPUS]

#endif /* KFI_STATIC_H */
