// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes as what the boot before has left in memory: never read past the end, never write past
 * the room that is promised. The same bytes with fitting checksums are tried as well. The input is
 * pieces of the memory: offset in units of four (2 bytes), length (1), bytes.
 */
#include <string.h>

#include "core/keep.h"
#include "fuzz.h"

#define NSLOTS	3
#define SIZE	(2 * KFI_KEEP_COMMIT_MIN + NSLOTS * KFI_KEEP_SLOT_BYTES)
#define MORE	"Chunks dropped = 1\n"

static void check(const struct kfi_keep *k)
{
	struct kfi_keep_lost lost;
	const struct kfi_keep_commit *c = kfi_keep_find(k, &lost);
	u32 room = SIZE + strlen(MORE);
	void *log;

	if (!c)
		return;
	MUST(lost.slots <= NSLOTS);
	log = malloc(room);
	if (!log)
		return;
	MUST(kfi_keep_log(k, c, MORE, strlen(MORE), log) <= room);
	free(log);
}

/* A checksum of what the lengths say, where they can be. */
static void fit(u8 *p, u32 bytes, u32 room)
{
	u32 crc;

	if (bytes < sizeof(crc) || bytes > room)
		return;
	crc = kfi_crc32(p + sizeof(crc), bytes - sizeof(crc));
	memcpy(p, &crc, sizeof(crc));
}

static void fit_all(u8 *mem)
{
	for (u32 i = 0; i < 2; i++) {
		struct kfi_keep_commit *c = (void *)(mem + i * KFI_KEEP_COMMIT_MIN);

		c->magic = KFI_KEEP_MAGIC;
		c->size = SIZE;
		fit((u8 *)c, c->bytes, KFI_KEEP_COMMIT_MIN);
	}
	for (u32 i = 0; i < NSLOTS; i++) {
		struct kfi_keep_slot *s = (void *)(mem + 2 * KFI_KEEP_COMMIT_MIN +
						   i * KFI_KEEP_SLOT_BYTES);

		if (s->part.bytes <= sizeof(s->data))
			fit((u8 *)s, 24 + (s->part.bytes + 7) / 8 * 8, sizeof(*s));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	u8 *mem = calloc(1, SIZE);
	struct kfi_keep k;

	if (!mem)
		return 0;
	while (size >= 3) {
		u32 at = 4 * (data[0] | (u32)data[1] << 8), n = data[2];

		data += 3;
		size -= 3;
		if (n > size || at + n > SIZE)
			break;
		memcpy(mem + at, data, n);
		data += n;
		size -= n;
	}
	kfi_keep_init(&k, mem, SIZE);
	MUST(k.nslots == NSLOTS);
	check(&k);
	fit_all(mem);
	check(&k);
	free(mem);
	return 0;
}
