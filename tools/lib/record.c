// SPDX-License-Identifier: GPL-2.0
/* Writes and reads the record of a boot: see record.h. libjansson reads JSON. */
#include <jansson.h>
#include <stdlib.h>

#include "record.h"

static const char *const text_keys[] = {
	[KFI_RECORD_BOARD] = "board", [KFI_RECORD_BOOT] = "boot", [KFI_RECORD_BUILD] = "build",
	[KFI_RECORD_ARCH] = "arch", [KFI_RECORD_CONFIG] = "config", [KFI_RECORD_LOG] = "log",
	[KFI_RECORD_KERNEL] = "kernel", [KFI_RECORD_BUILD_ID] = "build_id",
	[KFI_RECORD_CLOCK] = "clock", [KFI_RECORD_FILTERS] = "filters",
	[KFI_RECORD_END_BY] = "end_by",
};
static_assert(ARRAY_SIZE(text_keys) == KFI_RECORD_TEXTS);

static const char *const number_keys[] = {
	[KFI_RECORD_TIME] = "time", [KFI_RECORD_RUN] = "run", [KFI_RECORD_CALLS] = "calls",
	[KFI_RECORD_FILTERED] = "filtered", [KFI_RECORD_LOST] = "lost",
	[KFI_RECORD_MARKS_LOST] = "marks_lost", [KFI_RECORD_LEFT_OUT] = "left_out",
	[KFI_RECORD_COMPLETE] = "complete", [KFI_RECORD_TOTAL] = "total_ns",
};
static_assert(ARRAY_SIZE(number_keys) == KFI_RECORD_NUMBERS);

/* Texts that each record must have. */
#define NEEDS_TEXT	(1u << KFI_RECORD_BOARD | 1u << KFI_RECORD_BOOT | 1u << KFI_RECORD_BUILD)
#define NEEDS_NUMBER	(1u << KFI_RECORD_TIME | 1u << KFI_RECORD_COMPLETE | 1u << KFI_RECORD_TOTAL)

/* Columns of a list. The first text of each element must be known. */
static const struct list_keys {
	const char *text[KFI_RECORD_ROW_TEXTS];
	const char *number[KFI_RECORD_ROW_NUMBERS];
	bool is_unique;
	u32 known;	/* mask of numbers that must be known */
} list_keys[] = {
	[KFI_RECORD_PHASES] = { { "phase.name" },
				{ "phase.entry_ns", "phase.length_ns" }, false, 3 },
	[KFI_RECORD_PATH] = { { "path.kind", "path.function" },
			      { "path.entry_ns", "path.length_ns" }, false, 3 },
	[KFI_RECORD_FUNCS] = { { "function.name" },
			       { "function.count", "function.total_ns", "function.self_ns",
				 "function.max_ns" }, true, 1 },
};
static_assert(ARRAY_SIZE(list_keys) == KFI_RECORD_LISTS);

void kfi_record_init(struct kfi_record *r)
{
	*r = (struct kfi_record){ 0 };
	for (u32 i = 0; i < KFI_RECORD_TEXTS; i++)
		r->text[i] = KFI_NONE;
	for (u32 i = 0; i < KFI_RECORD_NUMBERS; i++)
		r->number[i] = -1;
}

int kfi_record_set(struct kfi_record *r, enum kfi_record_text key, const char *s)
{
	r->text[key] = KFI_NONE;
	if (!s || !*s)
		return 0;
	r->text[key] = kfi_names_get(&r->names, s, (u32)strlen(s));
	return r->text[key] == KFI_NONE ? -ENOMEM : 0;
}

const char *kfi_record_text(const struct kfi_record *r, u32 id)
{
	return id == KFI_NONE ? NULL : r->names.str[id].s;
}

struct kfi_record_row *kfi_record_add(struct kfi_record *r, enum kfi_record_lists list)
{
	struct kfi_record_list *l = &r->list[list];

	if (kfi_grow((void **)&l->row, &l->room, l->n + 1, sizeof(*l->row)))
		return NULL;
	l->row[l->n] = (struct kfi_record_row){ { KFI_NONE, KFI_NONE }, { -1, -1, -1, -1 } };
	return &l->row[l->n++];
}

const char *kfi_record_text_key(enum kfi_record_text key)
{
	return text_keys[key];
}

static void put(struct kfi_out *out, const char *s)
{
	kfi_out_put(out, s, strlen(s));
}

static void put_key(struct kfi_out *out, const char *key)
{
	put(out, ",\"");
	put(out, key);
	put(out, "\":");
}

static void put_text(struct kfi_out *out, const char *s)
{
	if (s)
		kfi_out_json(out, s);
	else
		put(out, "null");
}

static void put_number(struct kfi_out *out, s64 v)
{
	char text[24], *end = text + sizeof(text), *s = kfi_out_number(v, end);

	if (v < 0)
		put(out, "null");
	else
		kfi_out_put(out, s, end - s);
}

void kfi_record_put(const struct kfi_record *r, struct kfi_out *out)
{
	put(out, "{\"kfi\":\"record\",\"version\":");
	put_number(out, KFI_RECORD_VERSION);
	for (u32 i = 0; i < KFI_RECORD_TEXTS; i++) {
		put_key(out, text_keys[i]);
		put_text(out, kfi_record_text(r, r->text[i]));
	}
	for (u32 i = 0; i < KFI_RECORD_NUMBERS; i++) {
		put_key(out, number_keys[i]);
		put_number(out, r->number[i]);
	}
	for (u32 k = 0; k < KFI_RECORD_LISTS; k++) {
		const struct kfi_record_list *l = &r->list[k];

		for (u32 c = 0; c < KFI_RECORD_ROW_TEXTS && list_keys[k].text[c]; c++) {
			put_key(out, list_keys[k].text[c]);
			put(out, "[");
			for (u32 i = 0; i < l->n; i++) {
				if (i)
					put(out, ",");
				put_text(out, kfi_record_text(r, l->row[i].text[c]));
			}
			put(out, "]");
		}
		for (u32 c = 0; c < KFI_RECORD_ROW_NUMBERS && list_keys[k].number[c]; c++) {
			put_key(out, list_keys[k].number[c]);
			put(out, "[");
			for (u32 i = 0; i < l->n; i++) {
				if (i)
					put(out, ",");
				put_number(out, l->row[i].number[c]);
			}
			put(out, "]");
		}
	}
	put(out, "}\n");
}

/**
 * struct parser - state while a line is read
 * @r: the record
 * @root: the JSON object
 * @name: name of the file
 * @line: number of the line
 * @err: set to the reason why it is no record
 */
struct parser {
	struct kfi_record *r;
	json_t *root;
	const char *name;
	u64 line;
	struct kfi_err *err;
};

#define WRONG(p, fmt, ...)							\
	kfi_err_set((p)->err, EINVAL, "%s:%llu: " fmt, (p)->name,		\
		    (unsigned long long)(p)->line, ##__VA_ARGS__)

static int no_memory(const struct parser *p)
{
	return kfi_err_set(p->err, ENOMEM, "%s: out of memory", p->name);
}

/* Read a text. JSON is UTF-8; the characters up to 255 stand for bytes. */
static int text_of(const struct parser *p, const json_t *v, u32 *id)
{
	const unsigned char *s = (const unsigned char *)json_string_value(v);
	size_t n = json_string_length(v), len = 0;
	char *text = malloc(n + 1);

	if (!text)
		return no_memory(p);
	for (size_t i = 0; i < n; i++) {
		if ((s[i] & 0xfe) == 0xc2 && i + 1 < n) {
			text[len++] = (char)(s[i] << 6 | (s[i + 1] & 0x3f));
			i++;
		} else {
			text[len++] = (char)s[i];
		}
	}
	*id = kfi_names_get(&p->r->names, text, (u32)len);
	free(text);
	return *id == KFI_NONE ? no_memory(p) : 0;
}

static int parse_text(const struct parser *p, const char *key, const json_t *v, bool needed,
		      u32 *id)
{
	*id = KFI_NONE;
	if (!v || json_is_null(v) || (json_is_string(v) && !json_string_length(v)))
		return needed ? WRONG(p, "%s is missing", key) : 0;
	if (!json_is_string(v))
		return WRONG(p, "%s is not a text", key);
	return text_of(p, v, id);
}

static int parse_number(const struct parser *p, const char *key, const json_t *v, bool needed,
			s64 *number)
{
	*number = -1;
	if (!v || json_is_null(v))
		return needed ? WRONG(p, "%s is missing", key) : 0;
	if (!json_is_integer(v) || json_integer_value(v) < 0)
		return WRONG(p, "%s is not a whole number of 0 or more", key);
	*number = json_integer_value(v);
	return 0;
}

/* Find the array of a column. Return: its length, or -errno. */
static ssize_t column_of(const struct parser *p, const char *key, const char *first, ssize_t n,
			 const json_t **array)
{
	*array = json_object_get(p->root, key);
	if (!json_is_array(*array))
		return WRONG(p, "%s is %s", key, *array ? "no array" : "missing");
	if (n >= 0 && json_array_size(*array) != (size_t)n)
		return WRONG(p, "%s has %zu elements, and %s has %zd", key,
			     json_array_size(*array), first, n);
	return (ssize_t)json_array_size(*array);
}

static int parse_texts(const struct parser *p, u32 list, u32 column)
{
	struct kfi_record_list *l = &p->r->list[list];
	const char *key = list_keys[list].text[column];
	const json_t *array;
	ssize_t n = column_of(p, key, list_keys[list].text[0], column ? (ssize_t)l->n : -1, &array);
	int ret;

	if (n < 0)
		return (int)n;
	for (ssize_t i = 0; i < n; i++) {
		if (!column && !kfi_record_add(p->r, list))
			return no_memory(p);
		ret = parse_text(p, key, json_array_get(array, i), !column,
				 &l->row[i].text[column]);
		if (ret)
			return ret;
	}
	return 0;
}

static int parse_numbers(const struct parser *p, u32 list, u32 column)
{
	struct kfi_record_list *l = &p->r->list[list];
	const char *key = list_keys[list].number[column];
	const json_t *array;
	ssize_t n = column_of(p, key, list_keys[list].text[0], l->n, &array);
	int ret = n < 0 ? (int)n : 0;

	for (ssize_t i = 0; i < n && !ret; i++)
		ret = parse_number(p, key, json_array_get(array, i),
				   list_keys[list].known >> column & 1, &l->row[i].number[column]);
	return ret;
}

/* Reject a list that has a function twice: the function would be counted twice, or not at all. */
static int check_unique(const struct parser *p, u32 list)
{
	const struct kfi_record_list *l = &p->r->list[list];
	struct kfi_map seen = { 0 };
	int ret = 0;

	for (u32 i = 0; i < l->n && !ret; i++) {
		u32 *at = kfi_map_get(&seen, l->row[i].text[0], i);

		if (!at)
			ret = no_memory(p);
		else if (*at != i)
			ret = WRONG(p, "%s has %s twice", list_keys[list].text[0],
				    kfi_record_text(p->r, l->row[i].text[0]));
	}
	kfi_map_free(&seen);
	return ret;
}

static int parse_list(const struct parser *p, u32 list)
{
	int ret = 0;

	for (u32 c = 0; c < KFI_RECORD_ROW_TEXTS && list_keys[list].text[c] && !ret; c++)
		ret = parse_texts(p, list, c);
	for (u32 c = 0; c < KFI_RECORD_ROW_NUMBERS && list_keys[list].number[c] && !ret; c++)
		ret = parse_numbers(p, list, c);
	if (!ret && list_keys[list].is_unique)
		ret = check_unique(p, list);
	return ret;
}

static int parse_root(const struct parser *p)
{
	const json_t *kfi = json_object_get(p->root, "kfi");
	const json_t *version = json_object_get(p->root, "version");
	int ret = 0;

	if (!json_is_string(kfi) || strcmp(json_string_value(kfi), "record"))
		return WRONG(p, "not a record of a boot; kd --record writes records");
	if (!json_is_integer(version) || json_integer_value(version) != KFI_RECORD_VERSION)
		return WRONG(p, "a record of another version: this kd knows version %d; record the log again",
			     KFI_RECORD_VERSION);
	for (u32 i = 0; i < KFI_RECORD_TEXTS && !ret; i++)
		ret = parse_text(p, text_keys[i], json_object_get(p->root, text_keys[i]),
				 NEEDS_TEXT >> i & 1, &p->r->text[i]);
	for (u32 i = 0; i < KFI_RECORD_NUMBERS && !ret; i++)
		ret = parse_number(p, number_keys[i], json_object_get(p->root, number_keys[i]),
				   NEEDS_NUMBER >> i & 1, &p->r->number[i]);
	for (u32 i = 0; i < KFI_RECORD_LISTS && !ret; i++)
		ret = parse_list(p, i);
	return ret;
}

int kfi_record_parse(struct kfi_record *r, const char *s, size_t len, const char *name, u64 line,
		     struct kfi_err *err)
{
	struct parser p = { .r = r, .name = name, .line = line, .err = err };
	json_error_t why;
	int ret;

	kfi_record_init(r);
	p.root = json_loadb(s, len, JSON_REJECT_DUPLICATES, &why);
	if (!p.root && json_error_code(&why) == json_error_out_of_memory)
		return no_memory(&p);
	if (!p.root)
		return kfi_err_set(err, EINVAL,
					"%s:%llu:%d: not JSON: %s; record the log again",
					name,
				   (unsigned long long)line, why.column, why.text);
	ret = json_is_object(p.root) ? parse_root(&p) : WRONG(&p, "not a JSON object");
	json_decref(p.root);
	if (ret)
		kfi_record_free(r);
	return ret;
}

void kfi_record_free(struct kfi_record *r)
{
	kfi_names_free(&r->names);
	for (u32 i = 0; i < KFI_RECORD_LISTS; i++)
		free(r->list[i].row);
	kfi_record_init(r);
}
