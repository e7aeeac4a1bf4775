/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bytes of a TELNET connection (RFC 854) in what a terminal server such as ser2net sends: they
 * are taken out, and offers are answered. A connection is TELNET if it begins with an offer, as
 * those of ser2net, QEMU and telnetd do. All others are plain: a serial line may send any byte, and
 * an answer would be typed on the board.
 */
#ifndef KFI_TELNET_H
#define KFI_TELNET_H

#include "kfi_abi.h"

/* Largest size of the answers to @len bytes: an answer is as long as its offer. */
#define KFI_TELNET_REPLY_MAX(len)	((len) + 3)

/**
 * struct kfi_telnet - state of a connection; all 0 at its begin
 * @state: what the previous byte has begun
 * @verb: the command: will, will not, do, or do not
 * @sub: number of bytes of a subnegotiation so far
 * @on_there: options that are on at the other end, a bit each
 * @on_here: options that are on at this end, a bit each
 */
struct kfi_telnet {
	u8 state;
	u8 verb;
	u16 sub;
	u8 on_there[32];
	u8 on_here[32];
};

/**
 * kfi_telnet_feed() - remove the commands of TELNET from received bytes
 * @t: the connection
 * @buf: the received bytes; becomes the text in them
 * @len: number of bytes
 * @reply: set to what must be sent, at most KFI_TELNET_REPLY_MAX(@len) bytes
 * @replied: set to the number of bytes in @reply
 *
 * Return: number of bytes of the text.
 */
size_t kfi_telnet_feed(struct kfi_telnet *t, char *buf, size_t len, u8 *reply, size_t *replied);

/**
 * kfi_telnet_doubles() - check whether a byte must be sent twice
 * @t: the connection
 * @c: a byte of text to send
 *
 * Return: true if the other end would take the byte for the begin of a TELNET command.
 */
bool kfi_telnet_doubles(const struct kfi_telnet *t, char c);

#endif /* KFI_TELNET_H */
