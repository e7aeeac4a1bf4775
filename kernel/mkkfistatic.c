// SPDX-License-Identifier: GPL-2.0
/*
 * Host compiler of kfistatic.conf, run by the build of the kernel.
 *
 *	mkkfistatic FILE			C source of the configuration, on standard output
 *	mkkfistatic --check SYSTEM_MAP FILE	after the link: is each function there, once?
 *	mkkfistatic --room SYSTEM_MAP MIB	after the link: a warning if the kernel takes more
 *
 * The kernel parses the text again at boot, with the parser that is linked here.
 * Exit status: 0 done, 1 the configuration is wrong, 2 could not run.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/conf.h"

#define CANDIDATES_MAX	5

/* One symbol of System.map; the name lies in the map's text. */
struct sym {
	const char *name;
	u64 addr;
	char type;
};

struct check {
	const char *conf_name;
	const char *map_name;
	struct sym *syms;
	size_t nsyms;
	unsigned int bad;
};

static void die(const char *what, const char *name)
{
	fprintf(stderr, "mkkfistatic: %s: %s\n", name, what);
	exit(2);
}

/* The whole file, with a NUL behind it. */
static char *read_file(const char *name, size_t *len)
{
	size_t size = 1 << 16, n;
	FILE *f = fopen(name, "rb");
	char *text, *more;

	if (!f)
		die(strerror(errno), name);
	*len = 0;
	text = malloc(size);
	while (text && (n = fread(text + *len, 1, size - *len - 1, f)) > 0) {
		*len += n;
		if (*len + 1 < size)
			continue;
		size *= 2;
		more = realloc(text, size);
		if (!more)
			free(text);
		text = more;
	}
	if (!text)
		die("out of memory", name);
	if (ferror(f))
		die("cannot be read", name);
	fclose(f);
	text[*len] = '\0';
	return text;
}

static void put_string(const char *s, size_t len)
{
	size_t i;

	putchar('"');
	for (i = 0; i < len; i++) {
		switch (s[i]) {
		case '\n':
			fputs(i + 1 < len ? "\\n\"\n\t\"" : "\\n", stdout);
			break;
		case '\t':
			fputs("\\t", stdout);
			break;
		case '\r':
			fputs("\\r", stdout);
			break;
		case '?':	/* no trigraphs */
		case '"':
		case '\\':
			putchar('\\');
			/* fall through */
		default:
			putchar(s[i]);
		}
	}
	putchar('"');
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * Room for the addresses in the lists of a run: the build does not know yet what patterns match.
 * Some is left for the lists of kfi.conf= on the command line.
 */
static u32 room_for(const struct kfi_conf *c)
{
	u32 i;

	for (i = 0; i < c->nfuncs; i++)
		if (c->funcs[i].kind == KFI_FUNC_PATTERN)
			return KFI_CONF_STATIC_FUNCS;
	return KFI_CONF_STATIC_LEAST;
}

static int emit(const char *conf_name, const char *text, size_t len)
{
	u32 entries[KFI_CONF_BLOCKS_MAX], funcs[KFI_CONF_BLOCKS_MAX];
	const char *base = base_name(conf_name);
	struct kfi_conf_err err;
	struct kfi_conf c;
	int i, n;

	n = kfi_conf_count(text, len, &err);
	if (n < 0) {
		fprintf(stderr, "%s:%u:%u: %s\n", conf_name, err.line, err.col, err.reason);
		return 1;
	}
	for (i = 0; i < n; i++) {
		kfi_conf_parse_block(&c, text, len, i, &err);
		entries[i] = c.logentries;
		funcs[i] = room_for(&c);
	}
	printf("// SPDX-License-Identifier: GPL-2.0\n");
	printf("/* Made by mkkfistatic: edit the configuration instead. */\n");
	printf("#include \"session/session.h\"\n\n");
	printf("const char kfi_static_name[] = ");
	put_string(base, strlen(base));
	printf(";\nconst char kfi_static_text[] =\n\t");
	put_string(text, len);
	printf(";\nconst u32 kfi_static_len = %zu;\n", len);
	for (i = 0; i < n; i++)
		printf("KFI_STATIC_POOL(%d, %u, %u);\n", i, entries[i], funcs[i]);
	printf("KFI_STATIC_LOGS(%d);\nconst struct kfi_static_run kfi_static_runs[] = {\n", n);
	for (i = 0; i < n; i++)
		printf("\tKFI_STATIC_RUN(%d, %u, %u),\n", i, entries[i], funcs[i]);
	printf("};\n");
	if (fflush(stdout) || ferror(stdout))
		die(strerror(errno), "standard output");
	return 0;
}

/* Takes the lines "address type name" of a map; others do not count as symbols. */
static void read_map(struct check *k, char *text)
{
	size_t room = 0;
	char *line, *end;

	for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		u64 addr = strtoull(line, &end, 16);

		if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ' || !end[3])
			continue;
		if (k->nsyms == room) {
			room = room ? 2 * room : 1 << 14;
			k->syms = realloc(k->syms, room * sizeof(*k->syms));
			if (!k->syms)
				die("out of memory", k->map_name);
		}
		end[3 + strcspn(end + 3, " \t\r")] = '\0';
		k->syms[k->nsyms++] = (struct sym) {
			.name = end + 3, .addr = addr, .type = end[1]
		};
	}
	if (!k->nsyms)
		die("has no symbols: not a System.map", k->map_name);
}

static bool is_text(const struct sym *s)
{
	return s->type && strchr("tTwW", s->type) && s->addr;
}

/* Number of edits (insert, remove, replace a byte) between two names, or more than limit. */
static unsigned int distance(const char *a, size_t alen, const char *b, unsigned int limit)
{
	static unsigned int row[KFI_CONF_NAME_MAX + 1];
	size_t blen = strlen(b), i, j;

	if (alen > KFI_CONF_NAME_MAX || blen > alen + limit || alen > blen + limit)
		return limit + 1;
	for (i = 0; i <= alen; i++)
		row[i] = i;
	for (j = 1; j <= blen; j++) {
		unsigned int diagonal = row[0], least = j, old;

		row[0] = j;
		for (i = 1; i <= alen; i++) {
			old = row[i];
			row[i] = diagonal + (a[i - 1] != b[j - 1]);
			row[i] = min_t(unsigned int, row[i], row[i - 1] + 1);
			row[i] = min_t(unsigned int, row[i], old + 1);
			least = min_t(unsigned int, least, row[i]);
			diagonal = old;
		}
		if (least > limit)
			return limit + 1;
	}
	return row[alen];
}

/* Names that may have been meant: the compiler's copies (NAME.isra.0) first, then near ones. */
static void suggest(const struct check *k, const struct kfi_func *f)
{
	const char *said[CANDIDATES_MAX];
	unsigned int n = 0, d, j;
	size_t i;

	for (d = 0; d <= 2; d++) {
		for (i = 0; i < k->nsyms && n < CANDIDATES_MAX; i++) {
			const char *name = k->syms[i].name;

			if (!is_text(&k->syms[i]))
				continue;
			if (d ? distance(f->name, f->len, name, d) != d :
			    strncmp(name, f->name, f->len) || name[f->len] != '.')
				continue;
			for (j = 0; j < n && strcmp(said[j], name); j++)
				;
			if (j < n)
				continue;
			fprintf(stderr, "%s '%s'", n ? " or" : "; is it", name);
			said[n++] = name;
		}
	}
	if (n)
		fputc('?', stderr);
}

static void complain(struct check *k, const struct kfi_func *f)
{
	k->bad++;
	fprintf(stderr, "%s:%u:%u: '%.*s' ", k->conf_name, f->line, f->col, (int)f->len, f->name);
}

static void check_addr(struct check *k, const struct kfi_func *f)
{
	const struct sym *below = NULL;
	size_t i;

	for (i = 0; i < k->nsyms; i++) {
		const struct sym *s = &k->syms[i];

		if (!is_text(s) || s->addr > f->addr)
			continue;
		if (s->addr == f->addr)
			return;
		if (!below || s->addr > below->addr)
			below = s;
	}
	complain(k, f);
	fprintf(stderr, "is not where a function of %s begins", k->map_name);
	if (below)
		fprintf(stderr, "; it is %s+0x%llx", below->name,
			(unsigned long long)(f->addr - below->addr));
	fputc('\n', stderr);
}

static void check_name_once(struct check *k, const struct kfi_func *f)
{
	const struct sym *first = NULL;
	bool data = false, again = false;
	size_t i;

	for (i = 0; i < k->nsyms; i++) {
		const struct sym *s = &k->syms[i];

		if (strncmp(s->name, f->name, f->len) || s->name[f->len])
			continue;
		if (!is_text(s)) {
			data = true;
			continue;
		}
		if (first && s->addr != first->addr) {
			if (!again) {
				complain(k, f);
				fprintf(stderr, "is the name of several functions: give the address, 0x%llx",
					(unsigned long long)first->addr);
			}
			again = true;
			fprintf(stderr, " or 0x%llx", (unsigned long long)s->addr);
		} else {
			first = s;
		}
	}
	if (again) {
		fputc('\n', stderr);
	} else if (!first) {
		complain(k, f);
		fprintf(stderr, data ? "is no function in %s" : "is not in %s", k->map_name);
		suggest(k, f);
		fputc('\n', stderr);
	}
}

static bool matches(const struct sym *s, const struct kfi_func *f)
{
	return is_text(s) && kfi_match(f->name, f->len, s->name);
}

static void check_pattern(struct check *k, const struct kfi_func *f)
{
	size_t i;

	for (i = 0; i < k->nsyms; i++)
		if (matches(&k->syms[i], f))
			return;
	complain(k, f);
	fprintf(stderr, "matches no function in %s\n", k->map_name);
}

/* Modules are not in a System.map. */
static void check_func(void *arg, const struct kfi_func *f)
{
	if (f->kind == KFI_FUNC_ADDR)
		check_addr(arg, f);
	else if (f->kind == KFI_FUNC_NAME)
		check_name_once(arg, f);
	else if (f->kind == KFI_FUNC_PATTERN)
		check_pattern(arg, f);
}

/* Return how many functions a list holds, as the kernel counts them. */
static u32 count_list(const struct check *k, const struct kfi_conf *c, u32 list)
{
	u32 n = 0, j;
	size_t i;

	for (j = 0; j < c->nfuncs; j++)
		n += c->funcs[j].list == list && c->funcs[j].kind <= KFI_FUNC_ADDR;
	for (i = 0; i < k->nsyms; i++) {
		for (j = 0; j < c->nfuncs; j++)
			if (c->funcs[j].list == list && c->funcs[j].kind == KFI_FUNC_PATTERN &&
			    matches(&k->syms[i], &c->funcs[j]))
				break;
		n += j < c->nfuncs;
	}
	return n;
}

/* Complain if the lists match more than @most functions. Return how many; 0 without a pattern. */
static u32 check_room(struct check *k, const struct kfi_conf *c, u32 most)
{
	u32 list, n = 0, i;

	for (i = 0; i < c->nfuncs && c->funcs[i].kind != KFI_FUNC_PATTERN; i++)
		;
	if (i == c->nfuncs)
		return 0;
	for (list = 0; list < KFI_LISTS; list++)
		n += count_list(k, c, list);
	if (n > most) {
		complain(k, &c->funcs[i]);
		fprintf(stderr, "and the rest of the lists match %u functions, more than %u\n", n,
			most);
	}
	return n;
}

static int check(const char *conf_name, const char *text, size_t len, const char *map_name)
{
	struct check k = { .conf_name = conf_name, .map_name = map_name };
	struct kfi_conf_err err;
	struct kfi_conf c;
	char *map;
	size_t n;
	u32 i;

	map = read_file(map_name, &n);
	read_map(&k, map);
	if (kfi_conf_walk(text, len, check_func, &k, &err)) {
		fprintf(stderr, "%s:%u:%u: %s\n", conf_name, err.line, err.col, err.reason);
		k.bad++;
	}
	for (i = 0; !kfi_conf_parse_block(&c, text, len, i, &err); i++)
		check_room(&k, &c, KFI_CONF_STATIC_FUNCS);
	free(k.syms);
	free(map);
	return k.bad ? 1 : 0;
}

static u64 address_of(const struct check *k, const char *name)
{
	size_t i;

	for (i = 0; i < k->nsyms; i++)
		if (!strcmp(k->syms[i].name, name))
			return k->syms[i].addr;
	die("has no _text or no _end: not a System.map of Linux", k->map_name);
	return 0;
}

/* Boot loaders put a RAM disk and a device tree at fixed places, whatever the kernel's size. */
static int warn_of_size(const char *map_name, const char *room)
{
	struct check k = { .map_name = map_name };
	unsigned long mib = strtoul(room, NULL, 10);
	char *map;
	size_t n;
	u64 size;

	map = read_file(map_name, &n);
	read_map(&k, map);
	size = address_of(&k, "_end") - address_of(&k, "_text");
	if (size > (u64)mib << 20) {
		fprintf(stderr, "%s: warning: the kernel takes %.1f MiB of memory, ", map_name,
			(double)size / (1 << 20));
		fprintf(stderr, "more than the %lu MiB of CONFIG_KFI_LOADER_ROOM: ", mib);
		fprintf(stderr, "it would overwrite what the boot loader puts behind it. ");
		fprintf(stderr, "Load that higher, or lower logentries (25 bytes each)\n");
	}
	free(k.syms);
	free(map);
	return 0;
}

int main(int argc, char **argv)
{
	char *text;
	size_t len;
	int ret;

	if (argc == 2 && argv[1][0] != '-') {
		text = read_file(argv[1], &len);
		ret = emit(argv[1], text, len);
	} else if (argc == 4 && !strcmp(argv[1], "--check")) {
		text = read_file(argv[3], &len);
		ret = check(argv[3], text, len, argv[2]);
	} else if (argc == 4 && !strcmp(argv[1], "--room")) {
		return warn_of_size(argv[2], argv[3]);
	} else {
		fprintf(stderr, "usage: mkkfistatic FILE\n       mkkfistatic --check SYSTEM_MAP FILE\n"
			"       mkkfistatic --room SYSTEM_MAP MIB\n");
		return 2;
	}
	free(text);
	return ret;
}
