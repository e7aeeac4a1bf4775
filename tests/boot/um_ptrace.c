// SPDX-License-Identifier: GPL-2.0
/*
 * um_ptrace.so - for a um kernel on a host whose processors have many registers
 *
 * The um of these kernels has room for 2696 bytes of them: up to AVX-512. Where there are more
 * (AMX) ptrace() gives it what fits, but takes all of them or nothing, and no process ever runs.
 * Here what is missing is added: it stays what it is.
 *
 * scripts/run-guest loads it before the kernel, which so need not be changed.
 */
#include <dlfcn.h>
#include <elf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

typedef long (*ptrace_fn)(int request, int pid, void *addr, void *data);

static ptrace_fn real_ptrace;

static void __attribute__((constructor)) find_ptrace(void)
{
	real_ptrace = (ptrace_fn)dlsym(RTLD_NEXT, "ptrace");
}

static long set_all_registers(int pid, void *addr, const struct iovec *given)
{
	static char regs[1 << 16];
	struct iovec all = { regs, sizeof(regs) };

	if (real_ptrace(PTRACE_GETREGSET, pid, addr, &all) < 0)
		return -1;
	memcpy(regs, given->iov_base, given->iov_len < all.iov_len ? given->iov_len : all.iov_len);
	return real_ptrace(PTRACE_SETREGSET, pid, addr, &all);
}

long ptrace(enum __ptrace_request request, ...)
{
	void *addr, *data;
	va_list ap;
	int pid;

	va_start(ap, request);
	pid = va_arg(ap, int);
	addr = va_arg(ap, void *);
	data = va_arg(ap, void *);
	va_end(ap);
	if (request == PTRACE_SETREGSET && addr == (void *)NT_X86_XSTATE)
		return set_all_registers(pid, addr, data);
	return real_ptrace(request, pid, addr, data);
}
