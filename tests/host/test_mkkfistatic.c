// SPDX-License-Identifier: GPL-2.0
/*
 * The host compiler of kfistatic.conf: what it prints, where, and with what exit status; and that
 * the C it makes, compiled, is the text it was given.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

int mkkfistatic_main(int argc, char **argv);

#define main mkkfistatic_main
#include "mkkfistatic.c"
#undef main

static char dir[] = "/tmp/kfi-test-XXXXXX";
static char out[1 << 18], errs[1 << 14];

static void write_file(const char *name, const char *text, size_t len)
{
	FILE *f = fopen(name, "wb");

	if (CHECK(f)) {
		CHECK_EQ(fwrite(text, 1, len, f), len);
		fclose(f);
	}
}

static void read_into(char *buf, size_t size, const char *name)
{
	FILE *f = fopen(name, "rb");

	*buf = '\0';
	if (CHECK(f)) {
		buf[fread(buf, 1, size - 1, f)] = '\0';
		fclose(f);
	}
}

/* Runs main() in a child, in the test's directory; its output goes to out[] and errs[]. */
static int run_tool(const char *a, const char *b, const char *c)
{
	char *argv[] = { (char *)"mkkfistatic", (char *)a, (char *)b, (char *)c, NULL };
	int argc = 1 + !!a + !!b + !!c, status = -1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (!freopen("out", "w", stdout) || !freopen("err", "w", stderr))
			_exit(99);
		exit(mkkfistatic_main(argc, argv));
	}
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	read_into(out, sizeof(out), "out");
	read_into(errs, sizeof(errs), "err");
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static const char map[] =
	"00000000 A _absent_data\n"
	"c0008000 T stext\n"
	"c0008000 T _text\n"
	"c0008100 t probe\n"
	"c0008200 t probe\n"
	"c0008300 t probe\n"
	"c0008400 T start_kernel\n"
	"c0008480 T to_userspace\n"
	"c0008500 t helper.isra.0\n"
	"c0008600 t helper.constprop.1\n"
	"c0008700 W weak_one\n"
	"c0008800 T twice_alike\n"
	"c0008800 W twice_alike\n"
	"         w undefined_weak\n"
	"c0900000 D jiffies\n"
	"c0900004 d mixed\n"
	"c0008900 t mixed\n"
	"garbage\n";

static const struct {
	const char *conf;
	int status;
	const char *errors;
} checks[] = {
	{ "begin trigger start entry start_kernel trigger stop entry to_userspace end", 0, "" },
	{ "begin filter funclist weak_one twice_alike mixed 0xC0008100 0xc0008000 fend end", 0, "" },
	{ "begin trigger start time 5 end", 0, "" },
	{ "begin\n trigger start entry start_kernal\nend", 1,
	  "t.conf:2:22: 'start_kernal' is not in System.map; is it 'start_kernel'?\n" },
	{ "begin trigger start entry helper end", 1,
	  "t.conf:1:27: 'helper' is not in System.map; is it 'helper.isra.0' or 'helper.constprop.1'?\n" },
	{ "begin trigger start entry nothing_like_it end", 1,
	  "t.conf:1:27: 'nothing_like_it' is not in System.map\n" },
	{ "begin trigger start entry probe end", 1,
	  "t.conf:1:27: 'probe' is the name of several functions: give the address, 0xc0008100 or 0xc0008200 or 0xc0008300\n" },
	{ "begin trigger start entry jiffies end", 1,
	  "t.conf:1:27: 'jiffies' is no function in System.map\n" },
	{ "begin trigger start entry undefined_weak end", 1,
	  "t.conf:1:27: 'undefined_weak' is not in System.map\n" },
	{ "begin trigger start entry 0xc0008404 end", 1,
	  "t.conf:1:27: '0xc0008404' is not where a function of System.map begins; it is start_kernel+0x4\n" },
	{ "begin trigger start entry 0x1000 end", 1,
	  "t.conf:1:27: '0x1000' is not where a function of System.map begins\n" },
	{ "begin trigger start entry start_kernel\n filter funclist proble, stext,\n jiffies end", 1,
	  "t.conf:2:18: 'proble' is not in System.map; is it 'probe'?\n"
	  "t.conf:3:2: 'jiffies' is no function in System.map\n" },
	{ "begin filter funclist helper.* twice* fend filter exclude module:nothing _text end", 0, "" },
	{ "begin filter funclist *\n jiff* end", 1, "t.conf:2:2: 'jiff*' matches no function in System.map\n" },
	{ "begin filter only under prob fend end", 1,
	  "t.conf:1:25: 'prob' is not in System.map; is it 'probe'?\n" },
	{ "begin\nfilter maxtim 3 end", 1,
	  "t.conf:2:8: unknown word 'maxtim', where mintime, maxtime, noints, onlyints, funclist, time, depth, pid, cpu, exclude or only is expected\n" },
};

static void checks_the_map(void)
{
	size_t i;

	write_file("System.map", map, sizeof(map) - 1);
	for (i = 0; i < ARRAY_SIZE(checks); i++) {
		write_file("t.conf", checks[i].conf, strlen(checks[i].conf));
		CHECK_EQ(run_tool("--check", "System.map", "t.conf"), checks[i].status);
		CHECK_STR(errs, checks[i].errors);
		CHECK_STR(out, "");
	}
}

/* What patterns match must fit into what is compiled in, in all lists together. */
static void checks_the_room(void)
{
	static const struct {
		const char *conf;
		u32 funcs;
		int status;
	} t[] = {
		{ "begin filter funclist f* end", 16384, 0 },
		{ "begin filter funclist f* end", 16385, 1 },
		{ "begin filter funclist f* *0 *1 end", 16384, 0 },
		{ "begin filter funclist f1* f[!1]* end", 16384, 0 },
		{ "begin filter funclist f1 f* end", 16384, 1 },
		{ "begin filter exclude f1 filter funclist f* end", 16383, 0 },
		{ "begin filter exclude f1 filter funclist f* end", 16384, 1 },
		{ "begin filter exclude f* filter funclist f* end", 8192, 0 },
		{ "begin filter exclude f* filter funclist f* end", 8193, 1 },
	};
	char *text = malloc(20 * 16500), *p;
	size_t i;
	u32 n;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		for (p = text, n = 0; n < t[i].funcs; n++)
			p += sprintf(p, "%08x t f%u\n", 0x10000000 + n, n);
		write_file("System.map", text, p - text);
		write_file("t.conf", t[i].conf, strlen(t[i].conf));
		CHECK_EQ(run_tool("--check", "System.map", "t.conf"), t[i].status);
		CHECK_EQ(!!strstr(errs, "and the rest of the lists match 1638"), t[i].status);
	}
	free(text);
}

static void makes_room(void)
{
	static const struct {
		const char *conf, *room;
	} t[] = {
		{ "begin end", "KFI_STATIC_POOL(0, 0, 2048);" },
		{ "begin filter funclist a b 0x1 filter exclude a module:x end",
		  "KFI_STATIC_POOL(0, 0, 2048);" },
		{ "begin filter funclist a filter exclude b* end", "KFI_STATIC_POOL(0, 0, 16384);" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		write_file("t.conf", t[i].conf, strlen(t[i].conf));
		CHECK_EQ(run_tool("t.conf", NULL, NULL), 0);
		CHECK(strstr(out, t[i].room));
	}
}

static void refuses(void)
{
	static const char text[] = "begin\n\tfilter mintime 1m\nend\n";

	write_file("t.conf", text, sizeof(text) - 1);
	CHECK_EQ(run_tool("t.conf", NULL, NULL), 1);
	CHECK_STR(errs, "t.conf:2:17: '1m', where a time (microseconds, or with us, ms, s) is expected\n");
	CHECK_STR(out, "");
	write_file("t.conf", "", 0);
	CHECK_EQ(run_tool("t.conf", NULL, NULL), 1);
	CHECK_STR(errs, "t.conf:1:1: end of text, where 'begin' is expected\n");
}

/* The kernel's memory is from _text to _end; addresses of 64 bits are near the end of all. */
static void checks_the_size(void)
{
	static const struct {
		const char *map, *room, *says;
	} t[] = {
		{ "c0008000 T _text\nc0908000 B _end\n", "9", "" },
		{ "c0008000 T _text\nc0908001 B _end\n", "9", "takes 9.0 MiB" },
		{ "ffffffff81000000 T _text\nffffffff83180000 B _end\n", "34", "" },
		{ "ffffffff81000000 T _text\nffffffff83180000 B _end\n", "33", "takes 33.5 MiB" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		write_file("System.map", t[i].map, strlen(t[i].map));
		CHECK_EQ(run_tool("--room", "System.map", t[i].room), 0);
		CHECK(*t[i].says ? !!strstr(errs, t[i].says) : !*errs);
	}
	write_file("System.map", "c0008000 T _text\n", 17);
	CHECK_EQ(run_tool("--room", "System.map", "9"), 2);
	CHECK_EQ(run_tool("--room", "absent.map", "9"), 2);
}

static void cannot_run(void)
{
	CHECK_EQ(run_tool("absent.conf", NULL, NULL), 2);
	CHECK_STR(errs, "mkkfistatic: absent.conf: No such file or directory\n");
	CHECK_EQ(run_tool(".", NULL, NULL), 2);
	CHECK(strstr(errs, "mkkfistatic: .: "));
	write_file("t.conf", "begin end", 9);
	CHECK_EQ(run_tool("--check", "absent.map", "t.conf"), 2);
	write_file("no.map", "no map\n\0\n", 9);
	CHECK_EQ(run_tool("--check", "no.map", "t.conf"), 2);
	CHECK_STR(errs, "mkkfistatic: no.map: has no symbols: not a System.map\n");
	CHECK_EQ(run_tool(NULL, NULL, NULL), 2);
	CHECK_EQ(run_tool("--help", NULL, NULL), 2);
	CHECK_EQ(run_tool("t.conf", "System.map", NULL), 2);
	CHECK_EQ(run_tool("--chek", "System.map", "t.conf"), 2);
	CHECK(strstr(errs, "usage: mkkfistatic FILE"));
}

/* Reads back the one string literal that follows = in the C text. */
static size_t unquote(const char *c, const char *variable, char *to)
{
	const char *p = strstr(c, variable);
	size_t n = 0;
	bool in = false;

	if (!CHECK(p))
		return 0;
	for (p = strchr(p, '='); in || *p != ';'; p++) {
		if (*p == '"') {
			in = !in;
		} else if (in && *p == '\\') {
			p++;
			to[n++] = *p == 'n' ? '\n' : *p == 't' ? '\t' : *p == 'r' ? '\r' : *p;
		} else if (in) {
			to[n++] = *p;
		}
	}
	return n;
}

static void emits_the_text(void)
{
	static const char text[] = "# a \"quote\", a \\ and ?" "?=; tri\\ngraph\r\nbegin\t\n\n"
				   "logentries 40000 end # no newline at the end";
	static char back[1 << 17];
	char want[64];
	char *big;

	write_file("t.conf", text, sizeof(text) - 1);
	CHECK_EQ(run_tool("./t.conf", NULL, NULL), 0);
	CHECK_STR(errs, "");
	CHECK_EQ(unquote(out, "kfi_static_text", back), sizeof(text) - 1);
	CHECK_EQ(memcmp(back, text, sizeof(text) - 1), 0);
	CHECK_EQ(unquote(out, "kfi_static_name", back), 6);
	CHECK_EQ(memcmp(back, "t.conf", 6), 0);
	sprintf(want, "kfi_static_len = %zu;", sizeof(text) - 1);
	CHECK(strstr(out, want));
	CHECK(strstr(out, "KFI_STATIC_POOL(0, 40000, 2048);\nKFI_STATIC_LOGS(1);\n"));
	CHECK(strstr(out, "kfi_static_runs[] = {\n\tKFI_STATIC_RUN(0, 40000, 2048),\n};\n"));
	CHECK(!strstr(out, "??"));

	big = malloc(KFI_CONF_TEXT_MAX + 1);
	memset(big, ' ', KFI_CONF_TEXT_MAX + 1);
	memcpy(big, "begin end", 9);
	write_file("big.conf", big, KFI_CONF_TEXT_MAX);
	CHECK_EQ(run_tool("big.conf", NULL, NULL), 0);
	CHECK_EQ(unquote(out, "kfi_static_text", back), KFI_CONF_TEXT_MAX);
	write_file("big.conf", big, KFI_CONF_TEXT_MAX + 1);
	CHECK_EQ(run_tool("big.conf", NULL, NULL), 1);
	free(big);
}

/* A run for each block, with the memory that it asks for. */
static void emits_runs(void)
{
	static const char text[] = "begin logentries 500 end\nnew begin filter exclude f* end "
				   "begin logentries 7 end";

	write_file("t.conf", text, sizeof(text) - 1);
	CHECK_EQ(run_tool("t.conf", NULL, NULL), 0);
	CHECK(strstr(out, "KFI_STATIC_POOL(0, 500, 2048);\nKFI_STATIC_POOL(1, 0, 16384);\n"
		     "KFI_STATIC_POOL(2, 7, 2048);\nKFI_STATIC_LOGS(3);\n"));
	CHECK(strstr(out, "\tKFI_STATIC_RUN(0, 500, 2048),\n\tKFI_STATIC_RUN(1, 0, 16384),\n"
		     "\tKFI_STATIC_RUN(2, 7, 2048),\n};\n"));
	/* One that is wrong refuses them all. */
	write_file("t.conf", "begin end\nbegin filter end", 26);
	CHECK_EQ(run_tool("t.conf", NULL, NULL), 1);
	CHECK_EQ(strncmp(errs, "t.conf:2:14: ", 13), 0);
}

static const struct check_case cases[] = {
	{ "--check: each function once in System.map", checks_the_map },
	{ "--check: what patterns match fits", checks_the_room },
	{ "--room: a kernel that is too large for the loader", checks_the_size },
	{ "room for what lists hold", makes_room },
	{ "a wrong configuration: file:line:column, status 1", refuses },
	{ "could not run: status 2", cannot_run },
	{ "the C text is the configuration", emits_the_text },
	{ "a run for each block", emits_runs },
};

int main(void)
{
	int ret;

	if (!mkdtemp(dir) || chdir(dir)) {
		printf("Bail out! no temporary directory\n");
		return 1;
	}
	ret = check_run(cases, ARRAY_SIZE(cases));
	unlink("t.conf");
	unlink("big.conf");
	unlink("System.map");
	unlink("no.map");
	unlink("out");
	unlink("err");
	if (chdir("/") || rmdir(dir))
		printf("# %s is left behind\n", dir);
	return ret;
}
