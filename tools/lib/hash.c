// SPDX-License-Identifier: GPL-2.0
/* Maps names to numbers and keys to values: see hash.h. */
#include <stdlib.h>
#include <sys/mman.h>

#include "hash.h"

#define NAME_BLOCK	65536

/* Tables of at least this size use huge pages, since they are read at random places. */
#define LARGE		(4u << 20)
#define PAGE		4096

static void advise_huge_pages(void *p, size_t size)
{
	size_t before = (uintptr_t)p & (PAGE - 1);

	/* Advise on whole pages: realloc() cannot move a mapping that is advised in part. */
	if (size >= LARGE)
		madvise((char *)p - before, (size + before + PAGE - 1) & ~(size_t)(PAGE - 1),
			MADV_HUGEPAGE);
}

static u64 load_word(const char *s)
{
	u64 w;

	memcpy(&w, s, sizeof(w));
	return w;
}

/* Combine both halves of the product, so that each bit of @a changes all bits of the result. */
static u64 mix_bits(u64 a)
{
	__uint128_t m = (__uint128_t)a * 0x9e3779b97f4a7c15ull;

	return (u64)m ^ (u64)(m >> 64);
}

static u32 hash_name(const char *s, u32 len)
{
	u64 h = (u64)len << 56 | len, w = 0;
	const char *end = s + len;

	if (unlikely(len < 8)) {
		memcpy(&w, s, len);
		return (u32)mix_bits(h ^ w);
	}
	for (; end - s > 8; s += 8)
		h = mix_bits(h ^ load_word(s)) + 0xd6e8feb86659fd93ull;
	return (u32)mix_bits(h ^ load_word(end - 8));
}

static bool same_name(const char *a, const char *b, u32 len)
{
	u32 i;

	if (unlikely(len < 8))
		return memcmp(a, b, len) == 0;
	for (i = 0; i + 8 < len; i += 8)
		if (load_word(a + i) != load_word(b + i))
			return false;
	return load_word(a + len - 8) == load_word(b + len - 8);
}

int kfi_grow(void **array, u32 *room, u32 need, size_t size)
{
	u32 n = *room ? *room : 4;
	void *p;

	if (need <= *room)
		return 0;
	while (n < need) {
		if (n > U32_MAX / 2)
			return -ENOMEM;
		n *= 2;
	}
	if (n > SIZE_MAX / size)
		return -ENOMEM;
	p = realloc(*array, n * size);
	if (!p)
		return -ENOMEM;
	advise_huge_pages(p, n * size);
	*array = p;
	*room = n;
	return 0;
}

static int names_rehash(struct kfi_names *n)
{
	u32 slots = n->slot ? (n->mask + 1) * 2 : 256;
	struct kfi_names_slot *slot;

	if (!slots)
		return -ENOMEM;
	slot = malloc(slots * sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	memset(slot, 0xff, slots * sizeof(*slot));
	for (u32 i = 0; n->slot && i <= n->mask; i++) {
		u32 at = n->slot[i].hash & (slots - 1);

		if (n->slot[i].id == KFI_NONE)
			continue;
		while (slot[at].id != KFI_NONE)
			at = (at + 1) & (slots - 1);
		slot[at] = n->slot[i];
	}
	free(n->slot);
	n->slot = slot;
	n->mask = slots - 1;
	return 0;
}

/* Copy a name, NUL-terminated, to memory that never moves. */
static char *names_copy(struct kfi_names *n, const char *s, u32 len)
{
	char *p;

	if (n->left <= len) {
		size_t size = sizeof(char *) + (len < NAME_BLOCK ? NAME_BLOCK : (size_t)len + 1);

		p = malloc(size);
		if (!p)
			return NULL;
		memcpy(p, &n->block, sizeof(char *));
		n->block = p;
		n->block_size = size;
		n->left = size - sizeof(char *);
	}
	p = n->block + n->block_size - n->left;
	memcpy(p, s, len);
	p[len] = '\0';
	n->left -= (size_t)len + 1;
	return p;
}

static struct kfi_names_slot *names_slot(const struct kfi_names *n, const char *s, u32 len, u32 h)
{
	u32 at = h & n->mask;

	for (; n->slot[at].id != KFI_NONE; at = (at + 1) & n->mask) {
		const struct kfi_str *str = &n->str[n->slot[at].id];

		if (n->slot[at].hash == h && str->len == len && same_name(str->s, s, len))
			break;
	}
	return &n->slot[at];
}

u32 kfi_names_find(const struct kfi_names *n, const char *s, u32 len)
{
	return n->slot ? names_slot(n, s, len, hash_name(s, len))->id : KFI_NONE;
}

u32 kfi_names_get(struct kfi_names *n, const char *s, u32 len)
{
	u32 h = hash_name(s, len), id;
	char *text;

	if (likely(n->slot)) {
		id = names_slot(n, s, len, h)->id;
		if (likely(id != KFI_NONE))
			return id;
	}
	if ((!n->slot || n->count >= (n->mask + 1) / 2) && names_rehash(n))
		return KFI_NONE;
	if (kfi_grow((void **)&n->str, &n->room, n->count + 1, sizeof(*n->str)))
		return KFI_NONE;
	text = names_copy(n, s, len);
	if (!text)
		return KFI_NONE;
	n->str[n->count] = (struct kfi_str){ text, len };
	*names_slot(n, s, len, h) = (struct kfi_names_slot){ h, n->count };
	return n->count++;
}

void kfi_names_free(struct kfi_names *n)
{
	char *block = n->block;

	while (block) {
		char *before;

		memcpy(&before, block, sizeof(before));
		free(block);
		block = before;
	}
	free(n->str);
	free(n->slot);
	*n = (struct kfi_names){ 0 };
}

static struct kfi_map_slot *map_slot(const struct kfi_map *m, u64 key)
{
	u32 at = kfi_map_hash(key) & m->mask;

	while (m->slot[at].key && m->slot[at].key != key + 1)
		at = (at + 1) & m->mask;
	return &m->slot[at];
}

u32 *kfi_map_find(const struct kfi_map *m, u64 key)
{
	struct kfi_map_slot *slot;

	if (!m->slot)
		return NULL;
	slot = map_slot(m, key);
	return slot->key ? &slot->val : NULL;
}

static int map_rehash(struct kfi_map *m)
{
	struct kfi_map big = { .mask = m->slot ? m->mask * 2 + 1 : 255, .count = m->count };

	if (big.mask == U32_MAX)
		return -ENOMEM;
	big.slot = calloc((size_t)big.mask + 1, sizeof(*big.slot));
	if (!big.slot)
		return -ENOMEM;
	advise_huge_pages(big.slot, ((size_t)big.mask + 1) * sizeof(*big.slot));
	for (u32 i = 0; m->slot && i <= m->mask; i++)
		if (m->slot[i].key)
			*map_slot(&big, m->slot[i].key - 1) = m->slot[i];
	free(m->slot);
	*m = big;
	return 0;
}

u32 *kfi_map_get(struct kfi_map *m, u64 key, u32 init)
{
	struct kfi_map_slot *slot;

	if (likely(m->slot)) {
		slot = map_slot(m, key);
		if (likely(slot->key))
			return &slot->val;
	}
	if ((!m->slot || m->count >= (m->mask + 1) / 2) && map_rehash(m))
		return NULL;
	slot = map_slot(m, key);
	*slot = (struct kfi_map_slot){ key + 1, init };
	m->count++;
	return &slot->val;
}

void kfi_map_free(struct kfi_map *m)
{
	free(m->slot);
	*m = (struct kfi_map){ 0 };
}
