// SPDX-License-Identifier: GPL-2.0
/*
 * case_perm.c - who may not open the files: everybody but root, root without the capability, and
 * root, too, where addresses are hidden from all
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/capability.h>
#include <unistd.h>

#include "guest.h"

#define KPTR	"/proc/sys/kernel/kptr_restrict"

static const struct {
	const char *path;
	int flags;
} files[] = {
	{ "/proc/kfi", O_RDONLY }, { "/proc/kfi", O_WRONLY }, { "/proc/kfi", O_RDWR },
	{ "/proc/kfi_trace", O_RDONLY }, { "/proc/kfi_raw", O_RDONLY },
	{ "/proc/kfi_serial", O_RDONLY }, { "/proc/kfi_serial", O_WRONLY },
	{ "/proc/kfi_last", O_RDONLY }, { "/proc/kfi_pipe", O_RDONLY },
};

#define FILES	((int)(sizeof(files) / sizeof(files[0])))

/* Return: the first file, from 1, whose open() does not fail with @want; 0 if there is none. */
static int find_not_refused(int want)
{
	for (int i = 0; i < FILES; i++) {
		if (access(files[i].path, F_OK))
			continue;
		if (open(files[i].path, files[i].flags) >= 0 || errno != want)
			return i + 1;
	}
	return 0;
}

/* The files cannot be opened by a process that has called @drop(). */
static enum outcome check_refused_after(bool (*drop)(void), int want)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(drop() ? find_not_refused(want) : 99);
	waitpid(pid, &status, 0);
	WANT(WIFEXITED(status));
	WANT(WEXITSTATUS(status) != 99);
	if (WEXITSTATUS(status))
		return because(FAIL, "%s is not refused",
			       files[(WEXITSTATUS(status) - 1) % FILES].path);
	return PASS;
}

static bool become_nobody(void)
{
	return !setgid(65534) && !setuid(65534);
}

static enum outcome not_root(void)
{
	return check_refused_after(become_nobody, EACCES);
}

/* The user stays root, and owner of the files, but has no capability. */
static bool drop_capabilities(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[2] = { { 0 } };

	return !syscall(SYS_capset, &head, none);
}

static enum outcome no_capability(void)
{
	return check_refused_after(drop_capabilities, EPERM);
}

enum outcome check_root_is_refused(void)
{
	int file = find_not_refused(EPERM);

	if (file)
		return because(FAIL, "%s is not refused with EPERM", files[file - 1].path);
	WANT(strstr(kernel_log(),
		    "kfi: /proc/kfi refused: lockdown=confidentiality or kptr_restrict=2\n"));
	return PASS;
}

static enum outcome kptr_restricted(void)
{
	enum outcome out;
	char *was = read_whole_file(KPTR, 0);

	if (!was)
		return because(SKIP, "no " KPTR);
	/* Addresses are hidden from those who are not root: root may see them. */
	WANT(write_file(KPTR, "1"));
	WANT_EQ(kfi_write("new begin end"), 0);
	WANT(write_file(KPTR, "2"));
	out = check_root_is_refused();
	WANT(write_file(KPTR, was));
	TRY(out);
	WANT_EQ(kfi_write("new begin end"), 0);
	WANT(read_whole_file("/proc/kfi_trace", 0));
	return PASS;
}

const struct guest_case perm_cases[] = {
	{ "perm_not_root", not_root },
	{ "perm_no_capability", no_capability },
	{ "perm_kptr_restricted", kptr_restricted },
	{ NULL, NULL },
};
