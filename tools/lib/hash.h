/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two hash tables: names to small numbers, and 64-bit keys to 32-bit values.
 *
 * Both tables grow as needed and never shrink. Lookups take constant time whatever the input is.
 * Used by the trees and by kd.
 */
#ifndef KFI_HASH_H
#define KFI_HASH_H

#include "kfi_port_host.h"

#define KFI_NONE	U32_MAX

/**
 * struct kfi_str - a slice of text, without a NUL behind it
 * @s: first byte
 * @len: length in bytes
 */
struct kfi_str {
	const char *s;
	u32 len;
};

/**
 * kfi_str_same() - check whether two texts are equal
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
 * struct kfi_names_slot - a slot of the table of names
 * @hash: hash of the name
 * @id: its number, KFI_NONE: free
 */
struct kfi_names_slot {
	u32 hash;
	u32 id;
};

/**
 * struct kfi_names - names, numbered 0, 1, 2 … in order of first appearance
 * @str: the names by number; their text belongs to this struct, and is NUL-terminated
 * @count: number of names
 * @slot: table of numbers
 * @mask: size of @slot - 1
 * @room: number of names for which @str has room
 * @block: newest block of text; a block begins with a pointer to the previous one
 * @left: free bytes at the end of @block
 * @block_size: size of @block
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
 * kfi_names_get() - return the number of a name; add the name if it is new
 * @n: zeroed before the first use
 * @s: first byte of the name
 * @len: its length
 *
 * Return: the number, or KFI_NONE when out of memory.
 */
u32 kfi_names_get(struct kfi_names *n, const char *s, u32 len);

/**
 * kfi_names_find() - return the number of a name
 * @n: names
 * @s: first byte of the name
 * @len: its length
 *
 * Return: the number, or KFI_NONE when there is no such name.
 */
u32 kfi_names_find(const struct kfi_names *n, const char *s, u32 len);

/**
 * kfi_names_free() - free the memory
 * @n: names, empty afterwards
 */
void kfi_names_free(struct kfi_names *n);

/**
 * struct kfi_map_slot - a slot of a map
 * @key: key + 1, 0: free; the greatest key of all is not allowed
 * @val: its value
 */
struct kfi_map_slot {
	u64 key;
	u32 val;
};

/**
 * struct kfi_map - a map from 64-bit keys to 32-bit values
 * @slot: the slots
 * @mask: number of slots - 1
 * @count: number of keys
 */
struct kfi_map {
	struct kfi_map_slot *slot;
	u32 mask;
	u32 count;
};

/**
 * kfi_map_get() - find the value of a key; insert the key if it is missing
 * @m: zeroed before the first use
 * @key: the key, not U64_MAX
 * @init: value of a new key
 *
 * Return: pointer to the value, valid until the next call; NULL: out of memory.
 */
u32 *kfi_map_get(struct kfi_map *m, u64 key, u32 init);

/**
 * kfi_map_find() - find the value of a key
 * @m: map
 * @key: the key
 *
 * Return: pointer to the value, valid until the next kfi_map_get(); NULL: the key is missing.
 */
u32 *kfi_map_find(const struct kfi_map *m, u64 key);

/* Return the preferred slot of a key. If another key has it, the next slots are tried. */
static inline u32 kfi_map_hash(u64 key)
{
	key *= 0x9e3779b97f4a7c15ull;
	return (u32)(key ^ key >> 32);
}

/**
 * kfi_map_at_once() - find the value of a key that is in its preferred slot, as most keys are
 * @m: map
 * @key: the key
 *
 * Return: pointer to the value, valid until the next kfi_map_get(); NULL: the key is not there.
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
 * kfi_map_free() - free the memory
 * @m: map, empty afterwards
 */
void kfi_map_free(struct kfi_map *m);

/**
 * kfi_grow() - make room in a growing array
 * @array: the array, moved if needed
 * @room: number of elements for which it has room
 * @need: number of elements for which it must have room
 * @size: size of an element
 *
 * Return: 0, or -ENOMEM with @array and @room untouched.
 */
int kfi_grow(void **array, u32 *room, u32 need, size_t size);

#endif /* KFI_HASH_H */
