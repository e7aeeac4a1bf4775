/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What mkkfistatic makes of kfistatic.conf: its text, and memory for its log. Included by the C
 * file that it writes, and by kfi_boot.c, which uses it.
 */
#ifndef KFI_STATIC_H
#define KFI_STATIC_H

#include "kfi_conf.h"
#include "kfi_log.h"

/* The configuration, already parsed once with KFI_CONF_STATIC; the NUL is not in the length. */
extern const char kfi_static_name[];
extern const char kfi_static_text[];
extern const u32 kfi_static_len;

/* Its log: entries, and the chunks for them. */
extern const u32 kfi_static_entries;
extern const u32 kfi_static_nchunks;
extern struct kfi_chunk *kfi_static_chunks[];
extern u8 kfi_static_pool[][KFI_CHUNK_BYTES];

/* Addresses for its lists. */
extern const u32 kfi_static_nfuncs;
extern unsigned long kfi_static_funcs[];

#define KFI_STATIC_ENTRIES(n)	((n) ? (n) : CONFIG_KFI_LOG_ENTRIES)
#define KFI_CHUNK_RECORDS	((KFI_CHUNK_BYTES - sizeof(struct kfi_chunk)) / \
				 (KFI_REC_WORDS * sizeof(u32)))
#define KFI_CHUNKS_FULL(n)	(((n) + KFI_CHUNK_RECORDS - 1) / KFI_CHUNK_RECORDS)
/* As kfi_ring_chunks_for(), for the compiler. */
#define KFI_STATIC_NCHUNKS(n)	(NR_CPUS + (KFI_CHUNKS_FULL(n) > NR_CPUS + 1 ? \
					    KFI_CHUNKS_FULL(n) : NR_CPUS + 1))

/* Define the log of a configuration with "logentries n"; 0: there is none. */
#define KFI_STATIC_POOL(n)							\
	const u32 kfi_static_entries = KFI_STATIC_ENTRIES(n);			\
	const u32 kfi_static_nchunks = KFI_STATIC_NCHUNKS(KFI_STATIC_ENTRIES(n)); \
	struct kfi_chunk *kfi_static_chunks[KFI_STATIC_NCHUNKS(KFI_STATIC_ENTRIES(n))]; \
	u8 kfi_static_pool[KFI_STATIC_NCHUNKS(KFI_STATIC_ENTRIES(n))][KFI_CHUNK_BYTES] \
		__aligned(KFI_CHUNK_BYTES)

/* Define the memory for @n of them. */
#define KFI_STATIC_FUNCS(n)							\
	const u32 kfi_static_nfuncs = (n);					\
	unsigned long kfi_static_funcs[n]

#endif /* KFI_STATIC_H */
