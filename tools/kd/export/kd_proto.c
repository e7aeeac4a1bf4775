// SPDX-License-Identifier: GPL-2.0
/* Messages of protocol buffers: see kd_proto.h. */
#include "kd_proto.h"

/* Kinds of a field. */
enum { VARINT, FIXED64, LENGTH };

#define VARINT_MAX	10

static u32 varint(u8 out[VARINT_MAX], u64 v)
{
	u32 n = 0;

	for (; v > 0x7f; v >>= 7)
		out[n++] = 0x80 | (v & 0x7f);
	out[n++] = v;
	return n;
}

void kd_proto_bytes(struct kd_proto *p, const void *data, u32 n)
{
	if (p->failed || n > U32_MAX - p->n ||
	    kfi_grow((void **)&p->data, &p->room, p->n + n, 1)) {
		p->failed = true;
		return;
	}
	if (n)
		memcpy(p->data + p->n, data, n);
	p->n += n;
}

static void put_varint(struct kd_proto *p, u64 v)
{
	u8 text[VARINT_MAX];

	kd_proto_bytes(p, text, varint(text, v));
}

void kd_proto_number(struct kd_proto *p, u32 field, u64 v)
{
	put_varint(p, field << 3 | VARINT);
	put_varint(p, v);
}

void kd_proto_fixed(struct kd_proto *p, u32 field, u64 v)
{
	u8 bytes[8];

	for (u32 i = 0; i < sizeof(bytes); i++)
		bytes[i] = v >> 8 * i;
	put_varint(p, field << 3 | FIXED64);
	kd_proto_bytes(p, bytes, sizeof(bytes));
}

void kd_proto_text(struct kd_proto *p, u32 field, const char *s)
{
	put_varint(p, field << 3 | LENGTH);
	put_varint(p, strlen(s));
	kd_proto_bytes(p, s, strlen(s));
}

void kd_proto_packed(struct kd_proto *p, u32 field, const u64 *v, u32 n)
{
	u32 begin = kd_proto_begin(p, field);

	for (u32 i = 0; i < n; i++)
		put_varint(p, v[i]);
	kd_proto_end(p, begin);
}

u32 kd_proto_begin(struct kd_proto *p, u32 field)
{
	put_varint(p, field << 3 | LENGTH);
	return p->n;
}

/* The length stands before the message and is known only now, so the message moves. */
void kd_proto_end(struct kd_proto *p, u32 begin)
{
	u32 len = p->n - begin, n;
	u8 text[VARINT_MAX];

	n = varint(text, len);
	kd_proto_bytes(p, text, n);
	if (p->failed)
		return;
	memmove(p->data + begin + n, p->data + begin, len);
	memcpy(p->data + begin, text, n);
}

int kd_proto_write(struct kd_proto *p, struct kfi_out *out)
{
	if (!p->failed)
		kfi_out_put(out, (const char *)p->data, p->n);
	p->n = 0;
	return p->failed ? -ENOMEM : 0;
}
