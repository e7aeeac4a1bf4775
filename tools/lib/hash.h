/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two hash tables: names to small numbers, and 64-bit keys to 32-bit values.
 *
 * Both grow as needed and never shrink; lookups take constant time whatever the input. Used by the
 * trees and by kd.
 */
#ifndef KFI_HASH_H
#define KFI_HASH_H

#include "kfi_port_host.h"

#define KFI_NONE	U32_MAX

/**
 * struct kfi_str - a slice of text, no NUL behind it
 * @s: first byte
 * @len: bytes
 */
struct kfi_str {
	const char *s;
	u32 len;
};

/**
 * kfi_str_same() - whether two texts are the same
 * @a: a text
 * @b: another one
 *
 * Return: true if so.
 */
static inline bool kfi_str_same(const struct kfi_str *a, const struct kfi_str *b)
{
	return a->len == b->len && (!a->len || memcmp(a->s, b->s, a->len) == 0);
}

/**
 * struct kfi_names_slot - a place of the table of names
 * @hash: of the name
 * @id: its number, KFI_NONE: free
 */
struct kfi_names_slot {
	u32 hash;
	u32 id;
};

/**
 * struct kfi_names - names, numbered 0, 1, 2 … in order of first appearance
 * @str: the names by number; their text is owned here, NUL-terminated
 * @count: how many
 * @slot: table of numbers
 * @mask: size of @slot - 1
 * @room: for how many @str has room
 * @block: newest block of text; a block begins with a pointer to the one before
 * @left: free bytes at its end
 * @block_size: its size
 */
struct kfi_names {
	struct kfi_str *str;
	u32 count;
	struct kfi_names_slot *slot;
	u32 mask;
	u32 room;
	char *block;
	size_t left;
	size_t block_size;
};

/**
 * kfi_names_get() - number of a name, a new one if it is new
 * @n: zeroed before the first use
 * @s: first byte of the name
 * @len: its length
 *
 * Return: the number, or KFI_NONE when out of memory.
 */
u32 kfi_names_get(struct kfi_names *n, const char *s, u32 len);

/**
 * kfi_names_find() - number of a name
 * @n: names
 * @s: first byte of the name
 * @len: its length
 *
 * Return: the number, or KFI_NONE when there is no such name.
 */
u32 kfi_names_find(const struct kfi_names *n, const char *s, u32 len);

/**
 * kfi_names_free() - give back the memory
 * @n: names, empty afterwards
 */
void kfi_names_free(struct kfi_names *n);

/**
 * struct kfi_map_slot - a place of a map
 * @key: key + 1, 0: free; the greatest key of all is not allowed
 * @val: its value
 */
struct kfi_map_slot {
	u64 key;
	u32 val;
};

/**
 * struct kfi_map - 64-bit keys to 32-bit values
 * @slot: the places
 * @mask: how many, less 1
 * @count: keys present
 */
struct kfi_map {
	struct kfi_map_slot *slot;
	u32 mask;
	u32 count;
};

/**
 * kfi_map_get() - value of a key, inserted if missing
 * @m: zeroed before the first use
 * @key: the key, not U64_MAX
 * @init: value of a new key
 *
 * Return: where the value is, until the next call; NULL when out of memory.
 */
u32 *kfi_map_get(struct kfi_map *m, u64 key, u32 init);

/**
 * kfi_map_find() - value of a key
 * @m: map
 * @key: the key
 *
 * Return: where the value is, until the next kfi_map_get(); NULL when the key is not there.
 */
u32 *kfi_map_find(const struct kfi_map *m, u64 key);

/* The preferred place of a key. If another key has it, the next places are tried. */
static inline u32 kfi_map_hash(u64 key)
{
	key *= 0x9e3779b97f4a7c15ull;
	return (u32)(key ^ key >> 32);
}

/**
 * kfi_map_at_once() - value of a key that is where it belongs, as most are
 * @m: map
 * @key: the key
 *
 * Return: where the value is, until the next kfi_map_get(); NULL: it is elsewhere, or not there.
 */
static inline const u32 *kfi_map_at_once(const struct kfi_map *m, u64 key)
{
	const struct kfi_map_slot *slot;

	/* A free slot has key 0. */
	if (unlikely(!m->slot || key == U64_MAX))
		return NULL;
	slot = &m->slot[kfi_map_hash(key) & m->mask];
	return likely(slot->key == key + 1) ? &slot->val : NULL;
}

/**
 * kfi_map_free() - give back the memory
 * @m: map, empty afterwards
 */
void kfi_map_free(struct kfi_map *m);

/**
 * kfi_grow() - room for one element more in a growing array
 * @array: the array, moved if needed
 * @room: elements it has room for
 * @need: elements it shall have room for
 * @size: bytes of one
 *
 * Return: 0, or -ENOMEM with @array and @room untouched.
 */
int kfi_grow(void **array, u32 *room, u32 need, size_t size);

#endif /* KFI_HASH_H */
