/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages of protocol buffers, as Perfetto and pprof read them. A message is built in memory, with
 * the messages in it, and then written. The callers know the field numbers.
 */
#ifndef KFI_KD_PROTO_H
#define KFI_KD_PROTO_H

#include "out.h"

/**
 * struct kd_proto - a message under construction
 * @data: its bytes
 * @n: how many
 * @room: for how many there is room
 * @failed: an allocation failed, so the message is not whole
 */
struct kd_proto {
	u8 *data;
	u32 n;
	u32 room;
	bool failed;
};

/**
 * kd_proto_bytes() - append bytes as they are
 * @p: the message
 * @data: first byte
 * @n: how many
 */
void kd_proto_bytes(struct kd_proto *p, const void *data, u32 n);

/**
 * kd_proto_number() - append a field: an integer that is not negative, a bool, an enum
 * @p: the message
 * @field: number of the field
 * @v: the value
 */
void kd_proto_number(struct kd_proto *p, u32 field, u64 v);

/**
 * kd_proto_fixed() - append a field of type fixed64
 * @p: the message
 * @field: number of the field
 * @v: the value
 */
void kd_proto_fixed(struct kd_proto *p, u32 field, u64 v);

/**
 * kd_proto_text() - append a field: a string
 * @p: the message
 * @field: number of the field
 * @s: the text
 */
void kd_proto_text(struct kd_proto *p, u32 field, const char *s);

/**
 * kd_proto_packed() - append a field: repeated integers
 * @p: the message
 * @field: number of the field
 * @v: the values
 * @n: how many
 */
void kd_proto_packed(struct kd_proto *p, u32 field, const u64 *v, u32 n);

/**
 * kd_proto_begin() - begin a message in the message
 * @p: the message
 * @field: number of the field
 *
 * Return: a value for kd_proto_end().
 */
u32 kd_proto_begin(struct kd_proto *p, u32 field);

/**
 * kd_proto_end() - end a message in the message
 * @p: the message
 * @begin: value from kd_proto_begin()
 */
void kd_proto_end(struct kd_proto *p, u32 begin);

/**
 * kd_proto_write() - write the message and begin anew
 * @p: the message
 * @out: where to write it
 *
 * Return: 0 or -ENOMEM.
 */
int kd_proto_write(struct kd_proto *p, struct kfi_out *out);

#endif /* KFI_KD_PROTO_H */
