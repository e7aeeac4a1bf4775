// SPDX-License-Identifier: GPL-2.0
/*
 * Makes the page of a fleet: the answers to all questions, with a chart of the totals. js/fleet.js
 * is its script. The data is one section (kd_html_pack.h) of JSON:
 *
 *	kd, fleet	version of kd, path of the fleet
 *	builds, boards	names
 *	boots		of each boot that was over: number of its build, of its board, total (ns)
 *	answers		by question: rows as --json has them; all: how many there are, of lists that
 *			-n cuts; notes
 */
#include <stdio.h>
#include <stdlib.h>

#include "kd_ask.h"
#include "kd_export.h"
#include "kd_html_pack.h"
#include "version.h"

/* Number of rows of a list in the page without -n. */
#define PAGE_ROWS	1000

static void put_names(const char *key, const struct kfi_names *names)
{
	printf(",\n\"%s\":[", key);
	for (u32 i = 0; i < names->count; i++) {
		if (i)
			putchar(',');
		kd_json_text(names->str[i].s);
	}
	putchar(']');
}

static void put_boots(const struct fleet *f)
{
	fputs(",\n\"boots\":[", stdout);
	for (u32 i = 0; i < f->boots; i++)
		printf("%s[%u,%u,%lld]", i ? "," : "", f->boot[i].build, f->boot[i].board,
		       (long long)ask_whole(f->boot[i].total));
	putchar(']');
}

static int put_answer(struct fleet *f, const struct fleet_question *q, struct kfi_err *err)
{
	char *const *note;
	u32 before = kd_notes(&note), after;
	int ret;

	kd_json_text(q->name);
	fputs(":{\"rows\":[", stdout);
	ret = q->ask(f, err);
	printf("],\"all\":%u,\"notes\":[", f->list.n);
	after = kd_notes(&note);
	for (u32 i = before; i < after; i++) {
		if (i > before)
			putchar(',');
		kd_json_text(note[i]);
	}
	fputs("]}", stdout);
	return ret;
}

/* Print the data. The questions print to standard output. */
static int put_data(struct fleet *f, struct kfi_err *err)
{
	int ret = 0;

	fputs("{\"kd\":", stdout);
	kd_json_text(KFI_VERSION);
	fputs(",\"fleet\":", stdout);
	kd_json_text(f->store->path);
	put_names("builds", &f->builds);
	put_names("boards", &f->boards);
	put_boots(f);
	fputs(",\n\"answers\":{", stdout);
	for (u32 i = 0; fleet_questions[i].name && !ret; i++) {
		u64 num = f->kd->opt.num;

		if (!fleet_questions[i].has_page)
			continue;
		/* The chart needs all builds. */
		if (fleet_questions[i].ask == ask_trend)
			f->kd->opt.num = U64_MAX;
		else if (num == U64_MAX)
			f->kd->opt.num = PAGE_ROWS;
		fputs(i ? ",\n" : "", stdout);
		ret = put_answer(f, &fleet_questions[i], err);
		f->kd->opt.num = num;
		ask_free_rows(f);
	}
	fputs("}}\n", stdout);
	return ret;
}

int ask_page(struct fleet *f, struct kfi_err *err)
{
	static struct kd_export x;
	static struct kd_packer p;
	char *data = NULL;
	size_t size = 0;
	FILE *out = kd_capture(&data, &size);
	int ret;

	if (!out)
		return ask_no_memory(err);

	x.kd = f->kd;
	x.path = f->kd->opt.html;
	x.option = "--html";
	f->kd->opt.out = KD_OUT_JSON;
	ret = put_data(f, err);
	f->kd->opt.out = KD_OUT_TEXT;
	if (kd_capture_end(out) && !ret)
		ret = ask_no_memory(err);
	ret = ret ? : kd_export_open(&x, err);
	if (!ret) {
		kfi_out_put(&x.out, (const char *)kd_fleet_before, kd_fleet_before_size);
		if (kd_pack_begin(&p, &x.out)) {
			ret = ask_no_memory(err);
		} else {
			kd_pack_section(&p, data, size);
			kd_pack_end(&p);
			kfi_out_put(&x.out, (const char *)kd_fleet_behind, kd_fleet_behind_size);
		}
		ret = kd_export_close(&x, ret, err);
	}
	free(data);
	return ret;
}
