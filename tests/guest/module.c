// SPDX-License-Identifier: GPL-2.0
/*
 * module.c - the module of tests/guest/module, as the cases use it: see guest.h
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest.h"

#define MODULE_FILE	"/lib/kfi_test.ko"
#define COMMAND_FILE	"/proc/kfi_test"

enum outcome module_unload(void)
{
	if (syscall(SYS_delete_module, "kfi_test", O_NONBLOCK))
		return because(FAIL, "kfi_test cannot be taken out: %s", strerror(errno));
	symbols_changed();
	return PASS;
}

enum outcome module_load(void)
{
	int fd = open(MODULE_FILE, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return because(SKIP, "this guest has no " MODULE_FILE);
	err = syscall(SYS_finit_module, fd, "", 0) ? errno : 0;
	if (err == EEXIST) {
		TRY(module_unload());
		err = syscall(SYS_finit_module, fd, "", 0) ? errno : 0;
	}
	close(fd);
	if (err)
		return because(FAIL, MODULE_FILE ": %s", strerror(err));
	symbols_changed();
	return PASS;
}

unsigned long module_address(void)
{
	char *text = read_whole_file("/proc/modules", 0);
	char *line = text ? strstr(text, "kfi_test ") : NULL;
	unsigned long addr = 0;

	if (line && sscanf(line, "%*s %*s %*s %*s %*s 0x%lx", &addr) != 1)
		addr = 0;
	free(text);
	return addr;
}

int module_command(const char *command)
{
	int fd = open(COMMAND_FILE, O_WRONLY | O_CLOEXEC), ret = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, command, strlen(command)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

long long module_result(const char *name, int nr)
{
	char *text = read_whole_file(COMMAND_FILE, 0), *line, *save;
	size_t len = strlen(name);
	long long value = -1;

	for (line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save))
		if (!strncmp(line, name, len) && line[len] == ' ' && !nr--)
			value = atoll(line + len);
	free(text);
	return value;
}

const struct tl_row *first_row(const struct tracelog *log, const char *func)
{
	long i = tl_find(log, hex(symbol(func)), 0);

	return i < 0 ? NULL : &log->rows[i];
}

bool is_below(const struct tl_row *in, const struct tl_row *of)
{
	return in->task == of->task && in->depth > of->depth && in->entry_ns >= of->entry_ns &&
	       in->entry_ns + (in->delta_ns > 0 ? in->delta_ns : 0) <= of->entry_ns + of->delta_ns;
}

enum outcome record_command(struct tracelog *log, const char *command, const char *first,
			    const char *last, const char *items)
{
	char text[300];

	TRY(module_load());
	snprintf(text, sizeof(text), "trigger start entry %s\ntrigger stop exit %s\n%s\n%s", first,
		 last, items, strstr(items, "logentries") ? "" : "logentries 400000");
	TRY(arm_run(text));
	WANT_EQ(module_command(command), 0);
	TRY(wait_and_read_log(log));
	TRY(lost_nothing(log, NULL));
	WANT(first_row(log, first));
	return PASS;
}

enum outcome victim_interrupted(void)
{
	if (!module_result("fired", 0))
		return because(FAIL, "the timer of kfi_test has never fired");
	if (!module_result("landed", 0))
		return because(DISTURBED, "the timer fired before kfi_test_victim() was busy");
	return PASS;
}
