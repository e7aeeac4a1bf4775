/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data of a page for a browser: sections, each preceded by its length (32 bits, little endian),
 * compressed by zlib, as base64. js/unpack.js reads it.
 */
#ifndef KFI_KD_HTML_PACK_H
#define KFI_KD_HTML_PACK_H

#include <zlib.h>

#include "kfi_port_host.h"
#include "out.h"

/**
 * struct kd_packer - data that is being packed
 * @z: zlib
 * @out: the page
 * @text: compressed bytes that have not been written
 * @n: number of bytes in @text
 */
struct kd_packer {
	z_stream z;
	struct kfi_out *out;
	u8 text[3 * 4096];
	u32 n;
};

/**
 * kd_pack_begin() - begin to pack data
 * @p: the packer
 * @out: the page
 *
 * Return: 0 or -ENOMEM; kd_pack_end() must follow if it is 0.
 */
int kd_pack_begin(struct kd_packer *p, struct kfi_out *out);

/**
 * kd_pack_section() - add a section
 * @p: the packer
 * @data: its bytes
 * @n: how many, less than 4 GiB
 */
void kd_pack_section(struct kd_packer *p, const void *data, size_t n);

/**
 * kd_pack_end() - complete the packed data
 * @p: the packer
 */
void kd_pack_end(struct kd_packer *p);

/*
 * Texts of the page before and after the data. tools/Makefile makes them of page.html, fleet.html
 * and js/.
 */
extern const unsigned char kd_page_before[], kd_page_behind[];
extern const size_t kd_page_before_size, kd_page_behind_size;
extern const unsigned char kd_fleet_before[], kd_fleet_behind[];
extern const size_t kd_fleet_before_size, kd_fleet_behind_size;

#endif /* KFI_KD_HTML_PACK_H */
