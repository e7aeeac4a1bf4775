/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pictures as SVG without scripts, in points of a picture that is KD_SVG_WIDTH wide. Each box has a
 * title, which browsers show for the box under the pointer.
 */
#ifndef KFI_KD_SVG_H
#define KFI_KD_SVG_H

#include "kd_export.h"

#define KD_SVG_WIDTH	1200
#define KD_SVG_MARGIN	10

/* Size of the text, and what a character of it takes. */
#define KD_SVG_FONT	12
#define KD_SVG_CHAR	7.3

/* Height of a line of boxes. */
#define KD_SVG_LINE	18

/* Narrower boxes are not drawn. */
#define KD_SVG_LEAST	0.2

/**
 * struct kd_box - a box
 * @x: left side
 * @y: upper side
 * @w: width
 * @fill: colour
 * @open: its end was not seen: draw a dashed frame
 * @bare: do not write its name into it
 */
struct kd_box {
	double x;
	double y;
	double w;
	const char *fill;
	bool open;
	bool bare;
};

/**
 * kd_svg_begin() - begin a picture
 * @x: the file
 * @height: its height
 * @what: its title, which is followed by the kernel and the number of lost calls
 */
void kd_svg_begin(struct kd_export *x, u32 height, const char *what);

/**
 * kd_svg_put() - append a text as XML; a byte above 127 becomes the character with that number
 * @x: the file
 * @s: the text
 */
void kd_svg_put(struct kd_export *x, const char *s);

/**
 * kd_svg_text() - draw a text, or as much of it as there is room for
 * @x: the file
 * @left: left side
 * @y: its base line
 * @room: width that it may take
 * @s: the text
 */
void kd_svg_text(struct kd_export *x, double left, double y, double room, const char *s);

/**
 * kd_svg_box() - draw a box with a name in it, as far as there is room
 * @x: the file
 * @b: the box
 * @name: the name
 * @title: text to append to the name in the title of the box
 */
void kd_svg_box(struct kd_export *x, const struct kd_box *b, const char *name, const char *title);

/**
 * kd_svg_end() - end the picture
 * @x: the file
 */
void kd_svg_end(struct kd_export *x);

#endif /* KFI_KD_SVG_H */
