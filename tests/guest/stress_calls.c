// SPDX-License-Identifier: GPL-2.0
/*
 * stress_calls.c - random system calls on the files in /proc
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "stress.h"

#define BUF	70000

static char buf[BUF];

/* For results that do not matter: the compiler warns of calls whose result is unused. */
static void ignore_result(long result)
{
	(void)result;
}

static size_t random_size(void)
{
	switch (rnd(6)) {
	case 0: return rnd(3);
	case 1: return rnd(64);
	case 2: return rnd(5000);
	case 3: return 4096 - 2 + rnd(5);
	case 4: return STRESS_TEXT_MAX + rnd(3);
	default: return rnd(BUF);
	}
}

static off_t random_offset(void)
{
	static const off_t edges[] = {
		0, 1, -1, 4095, 4096, 1 << 20, INT32_MAX, 1ll << 32, INT64_MAX, INT64_MIN,
	};

	return rnd(2) ? (off_t)rnd(100000) : edges[rnd(sizeof(edges) / sizeof(*edges))];
}

/* An address for the kernel to read or write; mostly a valid one. */
static void *random_buffer(void)
{
	switch (rnd(16)) {
	case 0: return NULL;
	case 1: return (void *)-4096l;
	case 2: return (void *)-1l;
	default: return buf + rnd(2);
	}
}

static void make_random_call(int fd)
{
	struct iovec iov[3] = {
		{ random_buffer(), rnd(100) }, { random_buffer(), 0 },
		{ random_buffer(), random_size() / 2 }
	};
	struct pollfd pfd = { .fd = fd, .events = (short)rnd(0x10000) };
	struct stat st;
	void *at;
	int p[2];

	switch (rnd(18)) {
	case 0: case 1: case 2: case 3:
		ignore_result(read(fd, random_buffer(), random_size()));
		break;
	case 4: case 5:
		ignore_result(pread(fd, random_buffer(), random_size(), random_offset()));
		break;
	case 6:
		ignore_result(write(fd, random_buffer(), stress_text(buf)));
		break;
	case 7:
		ignore_result(pwrite(fd, buf, stress_text(buf), random_offset()));
		break;
	case 8:
		ignore_result(write(fd, random_buffer(), rnd(4) ? rnd(30) : random_size()));
		break;
	case 9: case 10:
		ignore_result(lseek(fd, random_offset(), (int)rnd(6)));
		break;
	case 11:
		ignore_result(poll(&pfd, 1, 0));
		break;
	case 12:
		at = mmap(NULL, 4096, (int)rnd(8), rnd(2) ? MAP_SHARED : MAP_PRIVATE, fd,
			  random_offset() & ~4095l);
		if (at != MAP_FAILED)
			munmap(at, 4096);
		break;
	case 13:
		ignore_result(ioctl(fd, rnd(2) ? rnd(UINT32_MAX) : FIONREAD, random_buffer()));
		break;
	case 14:
		ignore_result(rnd(2) ? readv(fd, iov, rnd(4)) : writev(fd, iov, rnd(3)));
		break;
	case 15:
		ignore_result(fstat(fd, &st) + ftruncate(fd, random_offset()) + fsync(fd) +
			      fchmod(fd, 0600) + flock(fd, LOCK_SH | LOCK_NB) +
			      fallocate(fd, 0, 0, 10));
		break;
	case 16:
		if (pipe2(p, O_NONBLOCK))
			break;
		ignore_result(splice(fd, NULL, p[1], NULL, random_size(), SPLICE_F_NONBLOCK));
		ignore_result(splice(p[0], NULL, fd, NULL, random_size(), SPLICE_F_NONBLOCK));
		ignore_result(sendfile(p[1], fd, NULL, random_size()));
		close(p[0]);
		close(p[1]);
		break;
	default:
		ignore_result(fcntl(fd, F_SETFL, O_NONBLOCK | O_APPEND));
	}
}

unsigned int stress_calls(void)
{
	static const char * const files[] = {
		"/proc/kfi", "/proc/kfi", "/proc/kfi_trace", "/proc/kfi_raw", "/proc/kfi_last",
		"/proc/kfi_serial",
	};
	static const int how[] = { O_RDONLY, O_WRONLY, O_RDWR };
	static const int more[] = { 0, O_NONBLOCK, O_APPEND, O_TRUNC, O_CREAT, O_EXCL, O_SYNC };
	unsigned int n = rnd(20) + 1, i;
	int fd = open(files[rnd(6)], how[rnd(3)] | more[rnd(7)] | O_CLOEXEC, 0600);

	for (i = 0; i < n; i++)
		make_random_call(fd);
	if (fd >= 0)
		close(fd);
	return n + 1;
}
