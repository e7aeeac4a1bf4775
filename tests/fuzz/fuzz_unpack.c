// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: any bytes as compressed data, with what must hold of it: pieces give what the whole
 * gives, and nothing is made out of nothing.
 */
#include <stdlib.h>

#include "in.h"
#include "unpack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(x)	do { if (!(x)) abort(); } while (0)

/* What is made is not more than this here: what matters has happened by then. */
#define ROOM	(1u << 14)

/* Unpacks in pieces. Return: bytes made; -1 behind them is a fault. */
static size_t unpack(const u8 *data, size_t size, size_t piece_in, size_t piece_out, u8 *out,
		     bool *bad)
{
	struct kfi_unpack *u = kfi_unpack_open(data, size);
	const u8 *s = data, *end = data + (piece_in < size ? piece_in : size);
	const char *fault = NULL;
	size_t n = 0;

	MUST(u);
	while (n < ROOM) {
		const u8 *from = s;
		size_t room = ROOM - n < piece_out ? ROOM - n : piece_out;
		ssize_t got = kfi_unpack_run(u, &s, end, end == data + size, out + n, room, &fault);

		MUST(s >= from && s <= end && got <= (ssize_t)room);
		*bad = got < 0;
		if (got < 0) {
			MUST(fault && *fault);
			break;
		}
		n += got;
		if (got)
			continue;
		/* Nothing made: all was taken. */
		MUST(s == end || end == data + size);
		if (end == data + size)
			break;
		end += (size_t)(data + size - end) < piece_in ? (size_t)(data + size - end) :
			piece_in;
	}
	kfi_unpack_close(u);
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static u8 whole[ROOM], parts[ROOM];
	bool bad_whole = false, bad_parts = false;
	size_t a, b;

	if (!size || !kfi_unpack_known(data, size))
		return 0;
	a = unpack(data, size, size, ROOM, whole, &bad_whole);
	b = unpack(data, size, 1 + data[size - 1] % 61, 1 + data[size / 2] * 5, parts, &bad_parts);
	/* How far a decoder comes before a fault depends on the pieces. */
	MUST(memcmp(whole, parts, a < b ? a : b) == 0);
	MUST(bad_whole || a == b);
	/* That a frame is shorter than its head says libzstd sees of a whole one only. */
	MUST(bad_whole == bad_parts || a == ROOM || b == ROOM || data[0] == 0x28);
	return 0;
}
