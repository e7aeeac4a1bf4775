// SPDX-License-Identifier: GPL-2.0
/* Pictures for slides: see kd_svg.h. */
#include <stdarg.h>
#include <stdio.h>

#include "kd_svg.h"

/* A name of which fewer characters fit is not drawn. */
#define CHARS_MIN	6

static void kfi_printf(2, 3) put(struct kd_export *x, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	kd_put_text(x, text);
}

static void put_char(struct kd_export *x, unsigned char c)
{
	if (c == '<' || c == '>' || c == '&' || c == '"' || c >= 0x7f)
		put(x, "&#%u;", c);
	else if (c < ' ' && c != '\n')
		kd_put_text(x, "?");
	else
		kfi_out_put(&x->out, (char *)&c, 1);
}

void kd_svg_put(struct kd_export *x, const char *s)
{
	for (; *s; s++)
		put_char(x, (unsigned char)*s);
}

void kd_svg_begin(struct kd_export *x, u32 height, const char *what)
{
	char title[KD_TITLE];

	kd_export_title(x, title);
	put(x, "<?xml version=\"1.0\" encoding=\"US-ASCII\"?>\n");
	put(x, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" ",
	    KD_SVG_WIDTH, height);
	put(x, "viewBox=\"0 0 %u %u\" font-family=\"monospace\" font-size=\"%u\">\n<title>",
	    KD_SVG_WIDTH, height, KD_SVG_FONT);
	kd_svg_put(x, what);
	kd_put_text(x, ": ");
	kd_svg_put(x, title);
	kd_put_text(x, "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
	put(x, "<text x=\"%u\" y=\"22\" font-size=\"16\">", KD_SVG_MARGIN);
	kd_svg_put(x, what);
	kd_put_text(x, ": ");
	kd_svg_put(x, title);
	kd_put_text(x, "</text>\n");
}

void kd_svg_text(struct kd_export *x, double left, double y, double room, const char *s)
{
	size_t len = strlen(s), n = room < 0 ? 0 : (size_t)(room / KD_SVG_CHAR);

	if (len > n && n < CHARS_MIN)
		return;
	put(x, "<text x=\"%.2f\" y=\"%.2f\">", left, y);
	for (size_t i = 0; i < len && i < (len > n ? n - 2 : n); i++)
		put_char(x, (unsigned char)s[i]);
	kd_put_text(x, len > n ? "..</text>\n" : "</text>\n");
}

void kd_svg_box(struct kd_export *x, const struct kd_box *b, const char *name, const char *title)
{
	put(x, "<g><title>");
	kd_svg_put(x, name);
	kd_put_text(x, "\n");
	kd_svg_put(x, title);
	put(x, "</title><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%u\" fill=\"%s\"", b->x,
	    b->y, b->w, KD_SVG_LINE - 2, b->fill);
	kd_put_text(x, b->open ? " stroke=\"#555555\" stroke-dasharray=\"4 2\"/>" : "/>");
	if (!b->bare)
		kd_svg_text(x, b->x + 3, b->y + KD_SVG_LINE - 5, b->w - 6, name);
	kd_put_text(x, "</g>\n");
}

void kd_svg_end(struct kd_export *x)
{
	kd_put_text(x, "</svg>\n");
}
