// SPDX-License-Identifier: GPL-2.0
/*
 * Makes the record of a log. The sums of functions are those of kd's table (kd_sum.h), phases and
 * path those of --boot (kd_boot.h). Functions have their names in the source, so that records of
 * builds with other optimisations can be compared.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kd_boot.h"
#include "kd_fleet.h"
#include "kd_sum.h"

/* Keep the last message about symbols. It is printed only if the log is skipped. */
static void keep_message(void *arg, const char *text)
{
	struct fleet_input *f = arg;

	snprintf(f->symbols_said, sizeof(f->symbols_said), "%s", text);
}

static void close_symbols(struct fleet_symbols *s)
{
	if (s->resolve)
		kfi_resolve_close(s->resolve);
	free(s->resolve);
	free(s->path);
	*s = (struct fleet_symbols){ "" };
}

/* Return DIR/BUILD-ID/NAME if it can be read, otherwise NULL. */
static char *find_file(const char *dir, const char *build_id, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s/%s", dir, build_id, name) < 0)
		return NULL;
	if (!access(path, R_OK))
		return path;
	free(path);
	return NULL;
}

static int open_files(struct fleet_input *f, struct fleet_symbols *s, const struct kfi_files *files,
		      struct kfi_err *err)
{
	int ret;

	s->resolve = calloc(1, sizeof(*s->resolve));
	if (!s->resolve)
		return kfi_err_set(err, ENOMEM, "out of memory");
	ret = kfi_resolve_open(s->resolve, files, keep_message, f, err);
	/* begin_log() forgets what is wrong with a table, whose names must not be in a record. */
	if (!ret && s->resolve->bad) {
		ret = kfi_err_set(err, EBADMSG, "%s", f->symbols_said);
		kfi_resolve_close(s->resolve);
	}
	if (!ret)
		return 0;
	free(s->resolve);
	s->resolve = NULL;
	return ret;
}

/*
 * Open the symbols in DIR/BUILD-ID: vmlinux, or System.map, which also serves if vmlinux cannot be
 * used, as without symbols. Return: 0, also if there are none, or -errno.
 */
static int open_folder(struct fleet_input *f, struct fleet_symbols *s, const char *build_id,
		       struct kfi_err *err)
{
	static const char *const names[] = { "vmlinux", "System.map" };
	const char *dir = f->kd->opt.symbols;
	struct kfi_files files = { .modules = find_file(dir, build_id, "modules") };
	int ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names) && !s->resolve && ret != -ENOMEM; i++) {
		char *path = find_file(dir, build_id, names[i]);

		if (!path)
			continue;
		files.vmlinux = i ? NULL : path;
		files.map = i ? path : NULL;
		ret = open_files(f, s, &files, err);
		if (ret)
			free(path);
		else
			s->path = path;
	}
	free((char *)files.modules);
	return ret;
}

/* Open the symbols of a build, or those of the options. Return: 0 or -errno. */
static int open_symbols(struct fleet_input *f, struct fleet_symbols *s, const char *build_id,
			struct kfi_err *err)
{
	const struct kd_options *opt = &f->kd->opt;
	int ret = 0;

	snprintf(s->build_id, sizeof(s->build_id), "%s", build_id);
	if (opt->symbols)
		ret = open_folder(f, s, build_id, err);
	else if (kfi_files_any(&opt->files))
		ret = open_files(f, s, &opt->files, err);
	if (ret)
		*s = (struct fleet_symbols){ "" };
	return ret;
}

/* Find the symbols for a build. @resolve: set to NULL if there are none. Return: 0 or -errno. */
static int symbols_of(struct fleet_input *f, const char *build_id, struct kfi_resolve **resolve,
		      struct kfi_err *err)
{
	struct fleet_symbols *s;
	int ret;

	*resolve = NULL;
	if (!f->kd->opt.symbols)
		build_id = "";
	else if (!*build_id || strspn(build_id, "0123456789abcdef") != strlen(build_id))
		return 0;
	for (u32 i = 0; i < f->nsymbols; i++)
		if (!strcmp(f->symbols[i].build_id, build_id)) {
			*resolve = f->symbols[i].resolve;
			return 0;
		}
	if (f->nsymbols < FLEET_SYMBOLS) {
		s = &f->symbols[f->nsymbols];
	} else {
		s = &f->symbols[f->next_symbols];
		f->next_symbols = (f->next_symbols + 1) % FLEET_SYMBOLS;
		close_symbols(s);
	}
	ret = open_symbols(f, s, build_id, err);
	if (ret)
		return ret;
	f->nsymbols += s == &f->symbols[f->nsymbols] && f->nsymbols < FLEET_SYMBOLS;
	*resolve = s->resolve;
	return 0;
}

/* Copy the options for one log, which has an input of its own and shares the symbols. */
static void begin_log(const struct fleet_input *f, struct kd *one, struct kfi_resolve *resolve)
{
	*one = (struct kd){ .opt = f->kd->opt };
	one->opt.files = (struct kfi_files){ NULL };
	/* What is stored of a boot does not depend on what is shown. */
	one->opt.time = NULL;
	one->opt.time_ns = 0;
	one->opt.source_names = true;
	one->in.resolve = resolve;
	one->in.keep_resolve = true;
	if (resolve)
		kfi_resolve_forget(resolve);
}

static void end_log(struct kd *one)
{
	kd_close(one);
	kfi_names_free(&one->in.names);
	free(one->in.matches.bits);
}

/* Read the header of a log to get its build id. */
static int read_build_id(const struct fleet_input *f, const char *path, char build_id[72],
			 struct kfi_err *err)
{
	struct kd one;
	int ret;

	*build_id = '\0';
	if (!f->kd->opt.symbols)
		return 0;
	begin_log(f, &one, NULL);
	ret = kd_open(&one, path, err);
	if (ret)
		return ret;
	snprintf(build_id, 72, "%s", one.in.head.build_id);
	end_log(&one);
	return 0;
}

/* Check after the last item whether the whole log could be read. */
static int check_log(const struct fleet_input *f, struct kd *one, struct kfi_err *err)
{
	struct kfi_err faults[KFI_LOG_FAULTS];

	if (kfi_log_faults(&one->in.log, &one->in.tally, faults)) {
		*err = faults[0];
		return -EBADMSG;
	}
	if (one->in.log.run && !one->opt.want_run)
		return kfi_err_set(err, EBADMSG, "%s: the log has %u runs: -R NUM records one of them",
				   one->in.log.in.name, one->in.log.run + 1);
	if (one->in.resolve && one->in.resolve->bad)
		return kfi_err_set(err, EBADMSG, "%.*s",
				   (int)sizeof(err->text) - 1, f->symbols_said);
	if (one->in.resolve && one->in.resolve->inside)
		return kd_names_check(one, err);
	return 0;
}

static s64 known(u64 v)
{
	return v > S64_MAX ? S64_MAX : (s64)v;
}

static int no_memory(const char *path, struct kfi_err *err)
{
	return kfi_err_set(err, ENOMEM, "%s: out of memory", path);
}

/* Copy what the header says to the record. */
static int take_head(struct kfi_record *r, const struct kd *one)
{
	const struct kfi_log_head *h = &one->in.head;

	r->number[KFI_RECORD_RUN] = known(one->opt.want_run ? one->opt.want_run : 1);
	r->number[KFI_RECORD_CALLS] = known(one->res.calls);
	r->number[KFI_RECORD_FILTERED] = known(h->filtered);
	r->number[KFI_RECORD_LOST] = known(h->lost);
	r->number[KFI_RECORD_MARKS_LOST] = known(h->marks_lost);
	r->number[KFI_RECORD_LEFT_OUT] = known(h->left_out);
	return kfi_record_set(r, KFI_RECORD_KERNEL, h->kernel) ||
	       kfi_record_set(r, KFI_RECORD_BUILD_ID, h->build_id) ||
	       kfi_record_set(r, KFI_RECORD_CLOCK, h->clock) ||
	       kfi_record_set(r, KFI_RECORD_FILTERS, h->filters) ? -ENOMEM : 0;
}

static int take_functions(struct kfi_record *r, const struct kd_sum *s)
{
	static const char key[] = { 'c', 't', 'l', 'Z' };

	for (u32 i = 0; i < s->known; i++) {
		struct kfi_record_row *row;
		const struct kfi_str *name = &s->kd->in.names.str[i];

		if (!s->func[i].calls)
			continue;
		row = kfi_record_add(r, KFI_RECORD_FUNCS);
		if (!row)
			return -ENOMEM;
		row->text[KFI_RECORD_NAME] = kfi_names_get(&r->names, name->s, name->len);
		if (row->text[KFI_RECORD_NAME] == KFI_NONE)
			return -ENOMEM;
		for (u32 k = 0; k < ARRAY_SIZE(key); k++)
			if (kd_sum_known(s, i, key[k]))
				row->number[k] = known(kd_sum_value(s, i, key[k]));
	}
	return 0;
}

/**
 * struct boot_hash - visitor that computes the identity of a boot
 * @boot: visitor of the boot
 * @sum: hash of the times and places of all calls, which differs between any two boots
 */
struct boot_hash {
	struct kd_visit boot;
	u64 sum[2];
};

static void mix(struct boot_hash *h, u64 v)
{
	h->sum[0] = (h->sum[0] ^ v) * 0x9e3779b97f4a7c15ull;
	h->sum[0] ^= h->sum[0] >> 29;
	h->sum[1] = (h->sum[1] + v) * 0xc2b2ae3d27d4eb4full;
	h->sum[1] ^= h->sum[1] >> 31;
}

/* Names are not part of the identity: they depend on the symbols that were given. */
static int hash_call(void *arg, const struct kfi_tree_call *call, struct kfi_tree_place *place,
		     bool taken)
{
	struct boot_hash *h = arg;
	const struct kfi_row *row = call->row;

	mix(h, (u64)row->entry_ns);
	mix(h, (u64)row->delta_ns);
	mix(h, (u64)(u32)row->task << 32 | (u32)row->cpu << 8 | row->ctx);
	return h->boot.call(h->boot.arg, call, place, taken);
}

static void hash_over(void *arg, const struct kfi_tree_frame *frame)
{
	struct boot_hash *h = arg;

	h->boot.over(h->boot.arg, frame);
}

static int hash_item(void *arg, int item)
{
	struct boot_hash *h = arg;

	return h->boot.item(h->boot.arg, item);
}

static int take_span(struct kfi_record *r, enum kfi_record_lists list, s64 from, s64 to,
		     const char *text, const char *function)
{
	struct kfi_record_row *row = kfi_record_add(r, list);

	if (!row)
		return -ENOMEM;
	row->number[KFI_RECORD_ENTRY] = from;
	row->number[KFI_RECORD_LENGTH] = to - from;
	row->text[0] = kfi_names_get(&r->names, text, (u32)strlen(text));
	if (function)
		row->text[KFI_RECORD_FUNCTION] = kfi_names_get(&r->names, function,
							       (u32)strlen(function));
	return row->text[0] == KFI_NONE ||
	       (function && row->text[KFI_RECORD_FUNCTION] == KFI_NONE) ? -ENOMEM : 0;
}

static int take_boot(struct kfi_record *r, const struct kd_boot *b, const struct boot_hash *h)
{
	char id[40];

	for (u32 i = 0; i < b->phase.n; i++) {
		s64 to = i + 1 < b->phase.n ? b->phase.at[i + 1].from : b->end;

		if (take_span(r, KFI_RECORD_PHASES, b->phase.at[i].from, to,
			      b->words.str[b->phase.at[i].name].s, NULL))
			return -ENOMEM;
	}
	for (u32 i = 0; i < b->line.n; i++) {
		const struct boot_line *l = &b->line.at[i];
		const char *function = l->call == KFI_NONE ? NULL :
				       b->kd->in.names.str[b->call.at[l->call].func].s;

		if (take_span(r, KFI_RECORD_PATH, l->from, l->to,
			      boot_kind_key(boot_greatest_kind(l->of)), function))
			return -ENOMEM;
	}
	r->number[KFI_RECORD_COMPLETE] = b->is_over;
	r->number[KFI_RECORD_TOTAL] = b->end - b->start;
	snprintf(id, sizeof(id), "%016llx%016llx", (unsigned long long)h->sum[0],
		 (unsigned long long)h->sum[1]);
	return kfi_record_set(r, KFI_RECORD_BOOT, id) ||
	       kfi_record_set(r, KFI_RECORD_END_BY, b->end_by) ? -ENOMEM : 0;
}

static int read_log(struct fleet_input *f, struct kd *one, struct kfi_record *r,
		    struct kfi_err *err)
{
	struct boot_hash h = { .sum = { 1, 2 } };
	const struct kd_visit boot = {
		.call = hash_call, .over = hash_over, .item = hash_item, .arg = &h,
	};
	const char *path = one->in.log.in.name;
	struct kd_sum s = { .kd = one };
	struct kfi_err left_out;
	struct kd_visit sums;
	struct kd_boot b;
	int ret = boot_begin(&b, one, &h.boot, err);

	kd_sum_begin(&s, &sums);
	ret = ret ? : kd_walk_both(one, &boot, &sums, err);
	ret = ret ? : check_log(f, one, err);
	if (!ret)
		kd_sum_end(&s);
	if (!ret && (take_head(r, one) || take_functions(r, &s)))
		ret = no_memory(path, err);
	ret = ret ? : boot_end(&b, err);
	if (!ret && boot_lines(&b))
		ret = no_memory(path, err);
	ret = ret ? : boot_check_sum(&b, err);
	if (!ret && take_boot(r, &b, &h))
		ret = no_memory(path, err);
	if (!ret && kd_names_check(one, &left_out)) {
		kd_say(left_out.text);
		f->kd->res.status = 1;
	}
	boot_free(&b);
	kd_sum_free(&s);
	return ret;
}

int fleet_measure(struct fleet_input *f, const char *path, struct kfi_record *r,
		  struct kfi_err *err)
{
	struct kfi_resolve *resolve = NULL;
	char build_id[72];
	struct stat st;
	struct kd one;
	int ret;

	kfi_record_init(r);
	if (stat(path, &st))
		return kfi_err_set(err, errno, "%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return kfi_err_set(err, EINVAL, "%s: a log that is recorded must be a file: its time is that of the boot",
				   path);
	ret = read_build_id(f, path, build_id, err);
	ret = ret ? : symbols_of(f, build_id, &resolve, err);
	if (ret)
		return ret;
	begin_log(f, &one, resolve);
	ret = kd_open(&one, path, err);
	if (ret)
		return ret;
	ret = read_log(f, &one, r, err);
	end_log(&one);
	if (ret)
		return ret;
	r->number[KFI_RECORD_TIME] = st.st_mtime;
	if (kfi_record_set(r, KFI_RECORD_LOG, path))
		return no_memory(path, err);
	return fleet_label(f, path, r, err);
}

void fleet_close_symbols(struct fleet_input *f)
{
	for (u32 i = 0; i < f->nsymbols; i++)
		close_symbols(&f->symbols[i]);
	f->nsymbols = 0;
}
