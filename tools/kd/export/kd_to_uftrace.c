// SPDX-License-Identifier: GPL-2.0
/*
 * --export uftrace: a folder as uftrace record makes it, for all commands of uftrace:
 *
 *	info		a header, and facts about the whole log
 *	task.txt	the tasks; each has a session of its own, which has its name
 *	sid-SID.map	where code is: one module, in which each function has an address
 *	kernel.sym	the functions
 *	TID.dat		entries and exits of a task
 *
 * Functions whose calls have no duration have a second address and name.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kd_events.h"
#include "kd_export.h"

/* A record: the time, then one word with type, a magic number, nesting and address. */
enum { ENTRY, EXIT };
#define RECORD_MAGIC	(5u << 3)
#define RECORD_DEPTH	6
#define RECORD_ADDR	16
#define DEPTH_MAX	1024

/* Header of "info". */
#define FILE_VERSION	4
#define FEATURES	(1 << 1 | 1 << 5 | 1 << 6)	/* sessions, relative symbols, max_stack */
#define INFOS		(1 << 0 | 1 << 3 | 1 << 7)	/* exename, cmdline, taskinfo */

#define SID		"6b66692d6b64"
#define BASE		0x400000
#define STEP		16

/* Numbers of holes among the functions. Two numbers for each function follow. */
enum { PLACE_OFF, PLACE_IRQ, PLACE_FIRST };

/* Lowest number for tracks that are no task, and for further lanes. All tasks have lower ones. */
#define TID_FIRST	10000000

#define BUFFERED	256

/**
 * struct task_file - the file of a track
 * @record: records that have not been written
 * @n: how many
 */
struct task_file {
	u64 record[BUFFERED][2];
	u32 n;
};

/**
 * struct folder - the folder under construction
 * @x: the export
 * @events: the log
 * @file: by track, NULL: it has no file
 * @room: for how many there is room
 * @too_deep: number of calls that are nested too deeply for the format
 * @err: set to the reason of a failure
 */
struct folder {
	struct kd_export *x;
	struct kd_events events;
	struct task_file **file;
	u32 room;
	u64 too_deep;
	struct kfi_err *err;
};

static u32 tid_of(const struct folder *f, u32 track)
{
	const struct kd_track *t = &f->events.track[track];

	return t->pid > 0 && t->ctx == KFI_CTX_TASK && !t->lane ? (u32)t->pid : TID_FIRST + track;
}

static int flush(struct folder *f, u32 track)
{
	struct task_file *file = f->file[track];
	char name[32];
	u32 n = file->n;

	snprintf(name, sizeof(name), "%u.dat", tid_of(f, track));
	file->n = 0;
	return kd_folder_append(f->x, name, file->record, n * sizeof(file->record[0]), f->err);
}

static struct task_file *file_of(struct folder *f, u32 track)
{
	u32 old = f->room;

	if (track >= f->room) {
		if (kfi_grow((void **)&f->file, &f->room, track + 1, sizeof(*f->file)))
			return NULL;
		memset(f->file + old, 0, (f->room - old) * sizeof(*f->file));
	}
	if (!f->file[track])
		f->file[track] = calloc(1, sizeof(*f->file[track]));
	return f->file[track];
}

static u32 place_of(const struct kd_event *e)
{
	if (e->func == KFI_NONE)
		return strcmp(e->name, KD_NAME_OFF) ? PLACE_IRQ : PLACE_OFF;
	return PLACE_FIRST + 2 * e->func + e->is_open;
}

static int add_event(void *arg, const struct kd_event *e)
{
	struct folder *f = arg;
	/* At KD_BEGIN the call is already on the stack, at KD_END it is no longer there. */
	u32 depth = f->events.track[e->track].n - (e->kind == KD_BEGIN);
	struct task_file *file;

	if (e->kind == KD_INSTANT)
		return 0;
	file = file_of(f, e->track);
	if (!file)
		return -ENOMEM;
	if (depth >= DEPTH_MAX) {
		f->too_deep += e->kind == KD_BEGIN;
		return 0;
	}
	file->record[file->n][0] = e->at;
	file->record[file->n++][1] = (e->kind == KD_BEGIN ? ENTRY : EXIT) | RECORD_MAGIC |
		depth << RECORD_DEPTH |
		(u64)(BASE + STEP * (u64)place_of(e)) << RECORD_ADDR;
	return file->n < BUFFERED ? 0 : flush(f, e->track);
}

static void put_tasks(struct folder *f)
{
	char name[KD_TRACK_NAME];

	for (u32 i = 0; i < f->room; i++) {
		if (!f->file[i])
			continue;
		kd_track_name(&f->events, i, name);
		kd_put_text(f->x, "SESS timestamp=0.000000000 pid=");
		kd_put_number(f->x, tid_of(f, i));
		kd_put_text(f->x, " sid=" SID " exename=\"");
		kd_put_line_text(f->x, name, "\"/");
		kd_put_text(f->x, "\"\nTASK timestamp=0.000000000 tid=");
		kd_put_number(f->x, tid_of(f, i));
		kd_put_text(f->x, " pid=");
		kd_put_number(f->x, tid_of(f, i));
		kd_put_text(f->x, "\n");
	}
}

static void put_symbol(struct kd_export *x, u64 place, char type, const char *name, bool open)
{
	char text[32];

	kfi_out_put(&x->out, text, sprintf(text, "%016llx %c ",
					   (unsigned long long)(STEP * place), type));
	kd_put_line_text(x, name, "");
	kd_put_text(x, open ? KD_NAME_OPEN "\n" : "\n");
}

static void put_symbols(struct folder *f)
{
	struct kd_export *x = f->x;
	const struct kfi_names *names = &x->kd->in.names;

	put_symbol(x, PLACE_OFF, 'T', KD_NAME_OFF, false);
	put_symbol(x, PLACE_IRQ, 'T', KD_NAME_IRQ, false);
	for (u32 i = 0; i < names->count; i++) {
		put_symbol(x, PLACE_FIRST + 2 * (u64)i, 'T', names->str[i].s, false);
		put_symbol(x, PLACE_FIRST + 2 * (u64)i + 1, 'T', names->str[i].s, true);
	}
	put_symbol(x, PLACE_FIRST + 2 * (u64)names->count, '?', "__sym_end", false);
}

static void put_map(struct folder *f)
{
	char text[128];
	u64 end = BASE + STEP * (PLACE_FIRST + 2 * ((u64)f->x->kd->in.names.count + 1));

	kfi_out_put(&f->x->out, text, sprintf(text, "%x-%llx r-xp 00000000 00:00 0 %25s /kernel\n",
					   BASE, (unsigned long long)(end + 0xfff) & ~0xfffull,
					   ""));
	/* Without a stack uftrace resolves all addresses with the symbols of its own machine. */
	kd_put_text(f->x, "7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0 [stack]\n");
}

static void put_info(struct folder *f)
{
	const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	const struct {
		char magic[8];
		u32 version;
		u16 header_size;
		u8 endian;
		u8 elf_class;
		u64 features;
		u64 infos;
		u16 max_stack;
		u16 unused1;
		u32 unused2;
	} head = {
		"Ftrace!", FILE_VERSION, sizeof(head),
		little ? 1 : 2, 2, FEATURES, INFOS, DEPTH_MAX,
	};
	const char *between = "";
	char title[KD_TITLE];
	u32 n = 0;

	static_assert(sizeof(head) == 40);
	for (u32 i = 0; i < f->room; i++)
		n += f->file[i] != NULL;
	kfi_out_put(&f->x->out, (const char *)&head, sizeof(head));
	kd_export_title(f->x, title);
	kd_put_text(f->x, "exename:/kernel\ncmdline:");
	kd_put_line_text(f->x, title, "");
	kd_put_text(f->x, "\ntaskinfo:lines=2\ntaskinfo:nr_tid=");
	kd_put_number(f->x, n);
	kd_put_text(f->x, "\ntaskinfo:tids=");
	for (u32 i = 0; i < f->room; i++) {
		if (!f->file[i])
			continue;
		kd_put_text(f->x, between);
		kd_put_number(f->x, tid_of(f, i));
		between = ",";
	}
	kd_put_text(f->x, "\n");
}

/* Write "info" last: uftrace rejects an incomplete folder, since it has none. */
static int put_rest(struct folder *f)
{
	static const struct {
		const char *name;
		void (*put)(struct folder *f);
	} files[] = {
		{ "kernel.sym", put_symbols },
		{ "sid-" SID ".map", put_map },
		{ "task.txt", put_tasks },
		{ "info", put_info },
	};
	int ret = 0;

	for (u32 i = 0; i < f->room && !ret; i++)
		if (f->file[i])
			ret = flush(f, i);
	for (u32 i = 0; i < ARRAY_SIZE(files) && !ret; i++) {
		ret = kd_folder_begin(f->x, files[i].name, f->err);
		if (ret)
			break;
		files[i].put(f);
		ret = kd_folder_end(f->x, files[i].name, f->err);
	}
	return ret;
}

int kd_export_uftrace(struct kd_export *x, struct kfi_err *err)
{
	struct folder f = {
		.x = x, .events = { .kd = x->kd, .event = add_event, .arg = &f }, .err = err,
	};
	int ret = kd_events_read(&f.events, err);

	if (!ret)
		ret = put_rest(&f);
	if (!ret && f.too_deep)
		kd_note("calls nested too deeply for uftrace, and left out: %llu",
			(unsigned long long)f.too_deep);
	for (u32 i = 0; i < f.room; i++)
		free(f.file[i]);
	free(f.file);
	kd_events_free(&f.events);
	return ret;
}
