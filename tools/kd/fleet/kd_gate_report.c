// SPDX-License-Identifier: GPL-2.0
/* Writes the result of --gate as JUnit XML for CI systems, and as Markdown for merge requests. */
#include <math.h>
#include <stdio.h>

#include "file.h"
#include "kd_boot_show.h"
#include "kd_gate.h"

/* Number of rows of the Markdown table. */
#define ROWS	20

static void put_xml(FILE *f, const char *s)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '<' || c == '>' || c == '&' || c == '"' || c == '\'')
			fprintf(f, "&#%d;", c);
		else
			fputc(c < ' ' || c > '~' ? '?' : c, f);
	}
}

/* Escape the characters that have a meaning in Markdown. */
static void put_markdown(FILE *f, const char *s)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (strchr("\\`*_{}[]<>|#&~", c))
			fputc('\\', f);
		fputc(c < ' ' || c > '~' ? '?' : c, f);
	}
}

static void put_case(FILE *f, const struct gate_row *row)
{
	char old[32], new[32];

	fputs("<testcase classname=\"kd.gate\" name=\"", f);
	put_xml(f, row->name);
	fprintf(f, "\" time=\"%.6f\">", row->median[1] / 1e9);
	boot_time_text(llround(row->median[0]), old);
	boot_time_text(llround(row->median[1]), new);
	if (row->verdict == GATE_UNTESTED) {
		fputs("<skipped message=\"too few boots, or too short to be tested\"/>", f);
	} else if (row->verdict == GATE_SLOWER || row->verdict == GATE_OVER) {
		fprintf(f, "<failure message=\"%s: %s, before %s", gate_verdict_text(row->verdict),
			new, old);
		if (*row->limit) {
			fputs(", limit ", f);
			put_xml(f, row->limit);
		}
		fputs("\"/>", f);
	}
	fputs("</testcase>\n", f);
}

int gate_junit(const struct gate *g, const char *path, struct kfi_err *err)
{
	u32 cases = 0, skipped = 0;
	struct kfi_file file;
	FILE *f;
	int ret = kfi_file_begin(&file, "--junit", path, err);

	if (ret)
		return ret;
	f = file.file;
	for (u32 i = 0; i < g->rows; i++) {
		cases += g->row[i].is_judged;
		skipped += g->row[i].is_judged && g->row[i].verdict == GATE_UNTESTED;
	}
	/* A name in the budget that no boot has is an error, too, and a boot that was not over. */
	fprintf(f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<testsuite name=\"kd --gate\" tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\">\n",
		cases + (g->missing > 0) + (g->new_open > 0), g->alarms,
		(g->missing > 0) + (g->new_open > 0), skipped);
	for (u32 i = 0; i < g->rows; i++)
		if (g->row[i].is_judged)
			put_case(f, &g->row[i]);
	if (g->missing)
		fprintf(f, "<testcase classname=\"kd.gate\" name=\"budget\"><error message=\"what cannot be judged: %u\"/></testcase>\n",
			g->missing);
	if (g->new_open)
		fprintf(f, "<testcase classname=\"kd.gate\" name=\"boots\"><error message=\"new boots that did not finish: %u\"/></testcase>\n",
			g->new_open);
	fputs("</testsuite>\n", f);
	return kfi_file_end(&file, 0, err);
}

static void median_text(const struct gate *g, const struct gate_row *row, u32 side, char text[32])
{
	if (row->unknown[side] == g->boots[side])
		snprintf(text, 32, "?");
	else
		boot_time_text(llround(row->median[side]), text);
}

int gate_markdown(const struct gate *g, const char *path, struct kfi_err *err)
{
	struct kfi_file file;
	u32 shown = 0;
	FILE *f;
	int ret = kfi_file_begin(&file, "--markdown", path, err);

	if (ret)
		return ret;
	f = file.file;
	fprintf(f, "### Boot time: %s\n\n%u boots before, %u new ones; %u series were tested.\n\n"
		"| | before | now | change | noise | limit | |\n|---|--:|--:|--:|--:|--:|---|\n",
		g->alarms ? "slower" : g->kd->res.status ? "not known" : "no alarm",
		g->boots[0], g->boots[1], g->tested);
	for (u32 i = 0; i < g->rows && shown < ROWS; i++) {
		const struct gate_row *row = &g->row[i];
		double change = row->median[1] - row->median[0];
		char old[32], new[32], noise[32] = "";

		if (!row->is_judged && strcmp(row->name, "total"))
			continue;
		shown++;
		median_text(g, row, 0, old);
		median_text(g, row, 1, new);
		if (row->tested && row->noise >= 0 && row->noise < 9e18)
			boot_time_text(llround(row->noise), noise);
		fputs("| ", f);
		put_markdown(f, row->name);
		fprintf(f, " | %s | %s | ", old, new);
		if (row->median[0] > 0 && row->verdict != GATE_UNKNOWN)
			fprintf(f, "%+.1f %%", change * 100 / row->median[0]);
		fprintf(f, " | %s | %s | %s |\n", noise, row->limit,
			gate_verdict_text(row->verdict));
	}
	return kfi_file_end(&file, 0, err);
}
