// SPDX-License-Identifier: GPL-2.0
/*
 * workload.c - the same system calls in the same order, whenever it runs: for tests/boot/compare
 *
 * Reaches as many functions of the kernel as can be reached without a device, a network or a
 * second task that competes, and without what a tracer brings along: mounts, files in /proc. What
 * fails does so each time, and is of no interest.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "compare.h"

#define PAGE	4096

static char buf[4 * PAGE];

/* For results that do not matter: the compiler warns of calls whose result is unused. */
static void ignore_result(long result)
{
	(void)result;
}

static void read_file(const char *path)
{
	int fd = open(path, O_RDONLY);

	while (fd >= 0 && read(fd, buf, sizeof(buf)) > 0)
		;
	close(fd);
}

static void read_dir(const char *path)
{
	DIR *d = opendir(path);

	while (d && readdir(d))
		;
	if (d)
		closedir(d);
}

static void files(void)
{
	struct timeval tv[2] = { { 1, 0 }, { 2, 0 } };
	struct iovec iov[2] = { { buf, 100 }, { buf + 100, 100 } };
	struct stat st;
	struct statfs fs;
	int fd = open("f", O_CREAT | O_RDWR | O_TRUNC, 0644), fd2;

	ignore_result(write(fd, buf, sizeof(buf)));
	lseek(fd, 0, SEEK_SET);
	ignore_result(read(fd, buf, PAGE));
	ignore_result(pread(fd, buf, 100, 50));
	ignore_result(pwrite(fd, buf, 100, 3 * PAGE));
	ignore_result(readv(fd, iov, 2));
	ignore_result(writev(fd, iov, 2));
	lseek(fd, 0, SEEK_DATA);
	lseek(fd, 0, SEEK_HOLE);
	fstat(fd, &st);
	fstatfs(fd, &fs);
	ignore_result(ftruncate(fd, PAGE));
	ignore_result(fallocate(fd, 0, 0, 2 * PAGE));
	ignore_result(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, PAGE));
	fsync(fd);
	fdatasync(fd);
	flock(fd, LOCK_EX);
	flock(fd, LOCK_UN);
	fcntl(fd, F_SETLK, &(struct flock) { .l_type = F_WRLCK, .l_len = 10 });
	fcntl(fd, F_GETLK, &(struct flock) { .l_type = F_WRLCK, .l_len = 10 });
	fcntl(fd, F_SETLK, &(struct flock) { .l_type = F_UNLCK, .l_len = 10 });
	fcntl(fd, F_GETFL);
	fcntl(fd, F_SETFL, O_APPEND);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fd2 = fcntl(fd, F_DUPFD, 10);
	dup2(fd, fd2);
	close(fd2);
	fchmod(fd, 0600);
	ignore_result(fchown(fd, 0, 0));
	futimes(fd, tv);
	fsetxattr(fd, "user.a", "b", 1, 0);
	fgetxattr(fd, "user.a", buf, 10);
	flistxattr(fd, buf, 100);
	fd2 = open("g", O_CREAT | O_RDWR, 0644);
	ignore_result(sendfile(fd2, fd, NULL, 100));
	copy_file_range(fd, NULL, fd2, NULL, 100, 0);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	readahead(fd, 0, PAGE);
	close(fd2);
	close(fd);
	ignore_result(link("f", "h"));
	ignore_result(symlink("f", "s"));
	ignore_result(readlink("s", buf, 100));
	lstat("s", &st);
	stat("s", &st);
	stat("missing", &st);
	statfs("f", &fs);
	access("f", R_OK);
	chmod("f", 0644);
	ignore_result(lchown("s", 1, 1));
	ignore_result(truncate("f", 10));
	utimes("f", tv);
	rename("h", "i");
	syscall(SYS_renameat2, AT_FDCWD, "f", AT_FDCWD, "g", 2);
	unlink("i");
	unlink("s");
	unlink("f");
	unlink("g");
	mkdir("d", 0755);
	mknod("d/fifo", S_IFIFO | 0600, 0);
	mknod("d/null", S_IFCHR | 0600, 0x103);
	fd = open("d/fifo", O_RDWR);
	ignore_result(write(fd, buf, 10));
	ignore_result(read(fd, buf, 10));
	close(fd);
	read_file("d/null");
	read_dir("d");
	ignore_result(chdir("d"));
	ignore_result(getcwd(buf, sizeof(buf)) != NULL);
	ignore_result(chdir(".."));
	unlink("d/fifo");
	unlink("d/null");
	rmdir("d");
	fd = open("/dev/zero", O_RDWR);
	ignore_result(read(fd, buf, PAGE));
	ignore_result(write(fd, buf, PAGE));
	close(fd);
	fd = open(".", O_TMPFILE | O_RDWR, 0600);
	ignore_result(write(fd, buf, 10));
	close(fd);
	fd = memfd_create("m", MFD_ALLOW_SEALING);
	ignore_result(write(fd, buf, PAGE));
	fcntl(fd, F_ADD_SEALS, F_SEAL_GROW);
	close(fd);
	umask(umask(022));
}

static void pipes(void)
{
	struct timeval tv = { 0, 0 };
	struct pollfd pfd;
	fd_set set;
	int p[2], q[2];

	ignore_result(pipe(p));
	ignore_result(pipe2(q, O_NONBLOCK));
	fcntl(p[0], F_SETPIPE_SZ, 8 * PAGE);
	ignore_result(write(p[1], buf, sizeof(buf)));
	tee(p[0], q[1], PAGE, SPLICE_F_NONBLOCK);
	splice(p[0], NULL, q[1], NULL, PAGE, SPLICE_F_NONBLOCK);
	vmsplice(p[1], &(struct iovec) { buf, 100 }, 1, SPLICE_F_NONBLOCK);
	ioctl(p[0], FIONREAD, buf);
	ignore_result(read(p[0], buf, sizeof(buf)));
	ignore_result(read(q[0], buf, sizeof(buf)));
	ignore_result(read(q[0], buf, sizeof(buf)));
	ignore_result(read(q[0], buf, sizeof(buf)));
	pfd = (struct pollfd) { .fd = p[1], .events = POLLOUT };
	poll(&pfd, 1, 0);
	FD_ZERO(&set);
	FD_SET(p[1], &set);
	select(p[1] + 1, NULL, &set, NULL, &tv);
	close(p[0]);
	signal(SIGPIPE, SIG_IGN);
	ignore_result(write(p[1], buf, 1));
	close(p[1]);
	close(q[0]);
	close(q[1]);
}

static void memory(void)
{
	int fd = open("m", O_CREAT | O_RDWR, 0600);
	char *a = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *s, *b;

	memset(a, 1, 16 * PAGE);
	mprotect(a + PAGE, PAGE, PROT_READ);
	mprotect(a + PAGE, PAGE, PROT_READ | PROT_WRITE);
	madvise(a, 4 * PAGE, MADV_DONTNEED);
	mlock(a, 2 * PAGE);
	munlock(a, 2 * PAGE);
	mincore(a, 4 * PAGE, (unsigned char *)buf);
	b = mremap(a, 16 * PAGE, 32 * PAGE, MREMAP_MAYMOVE);
	b[20 * PAGE] = 1;
	munmap(b + 4 * PAGE, 2 * PAGE);
	munmap(b, 32 * PAGE);
	ignore_result(ftruncate(fd, 4 * PAGE));
	s = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	memset(s, 2, 4 * PAGE);
	msync(s, 4 * PAGE, MS_SYNC);
	munmap(s, 4 * PAGE);
	s = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	ignore_result(s[0]);
	s[0] = 3;
	munmap(s, 4 * PAGE);
	s = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	s[PAGE] = 1;
	munmap(s, 4 * PAGE);
	close(fd);
	unlink("m");
	syscall(SYS_mlockall, MCL_CURRENT);
	syscall(SYS_munlockall);
	ignore_result(sbrk(PAGE) != NULL);
	ignore_result(sbrk(-PAGE) != NULL);
}

static void on_signal(int sig)
{
	(void)sig;
}

static void signals(void)
{
	struct sigaction sa = { .sa_handler = on_signal };
	struct itimerval it = { { 0, 0 }, { 100, 0 } };
	struct timespec ts = { 0, 0 };
	sigset_t set, old;

	sigaction(SIGUSR1, &sa, NULL);
	raise(SIGUSR1);
	sa.sa_flags = SA_ONSTACK | SA_SIGINFO | SA_NODEFER;
	sigaltstack(&(stack_t) { .ss_sp = malloc(SIGSTKSZ), .ss_size = SIGSTKSZ }, NULL);
	sigaction(SIGUSR2, &sa, NULL);
	kill(getpid(), SIGUSR2);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, &old);
	kill(getpid(), SIGUSR1);
	sigpending(&old);
	sigtimedwait(&set, NULL, &ts);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	sigqueue(getpid(), SIGUSR1, (union sigval) { .sival_int = 1 });
	setitimer(ITIMER_REAL, &it, NULL);
	getitimer(ITIMER_REAL, &it);
	alarm(0);
	kill(getpid(), 0);
	kill(999999, SIGUSR1);
}

static void identity(void)
{
	struct rlimit rl;
	struct rusage ru;
	struct sysinfo si;
	struct utsname un;
	struct timespec ts;
	struct sched_param sp = { 0 };
	struct tms tms;
	cpu_set_t cpus;
	timer_t timer;
	gid_t groups[4] = { 1, 2, 3, 4 };

	getrlimit(RLIMIT_NOFILE, &rl);
	setrlimit(RLIMIT_NOFILE, &rl);
	getrusage(RUSAGE_SELF, &ru);
	sysinfo(&si);
	uname(&un);
	times(&tms);
	sethostname("kfi", 3);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	clock_getres(CLOCK_MONOTONIC, &ts);
	if (!timer_create(CLOCK_MONOTONIC, &(struct sigevent) { .sigev_notify = SIGEV_NONE },
			  &timer)) {
		struct itimerspec its = { { 0, 0 }, { 1000, 0 } };

		timer_settime(timer, 0, &its, NULL);
		timer_gettime(timer, &its);
		timer_delete(timer);
	}
	prctl(PR_SET_NAME, "workload");
	prctl(PR_GET_NAME, buf);
	prctl(PR_SET_PDEATHSIG, 0);
	sched_getaffinity(0, sizeof(cpus), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	sched_getparam(0, &sp);
	sched_getscheduler(0);
	sched_setscheduler(0, SCHED_BATCH, &sp);
	sched_setscheduler(0, SCHED_OTHER, &sp);
	sched_rr_get_interval(0, &ts);
	setpriority(PRIO_PROCESS, 0, 5);
	getpriority(PRIO_PROCESS, 0);
	setpriority(PRIO_PROCESS, 0, 0);
	ignore_result(setgroups(4, groups));
	getgroups(4, groups);
	ignore_result(setgid(0));
	ignore_result(setresuid(0, 0, 0));
	setsid();
	setpgid(0, 0);
	getsid(0);
	syscall(SYS_capget, buf, NULL);
	unshare(CLONE_FS | CLONE_FILES);
	syscall(SYS_set_tid_address, buf);
	syscall(SYS_getcpu, buf, NULL, NULL);
	syscall(SYS_getrandom, buf, 16, 0);
	syscall(SYS_membarrier, 0, 0);
	syscall(SYS_futex, buf, FUTEX_WAKE, 1);
	syscall(SYS_futex, buf, FUTEX_WAIT, ~*(int *)buf, NULL);
	syscall(SYS_kcmp, getpid(), getpid(), 0, 0, 0);
	syscall(SYS_personality, 0xffffffff);
	syscall(SYS_syslog, 10, NULL, 0);
}

static void mounts(void)
{
	mkdir("mnt", 0755);
	mkdir("bind", 0755);
	mount("tmpfs", "mnt", "tmpfs", 0, "size=1m");
	mount("mnt", "bind", NULL, MS_BIND, NULL);
	mount(NULL, "bind", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL);
	ignore_result(mkdir("mnt/a", 0755));
	ignore_result(symlink("a", "mnt/b"));
	read_dir("mnt/b");
	close(open("mnt/f", O_CREAT | O_RDWR, 0600));
	setxattr("mnt/f", "trusted.a", "b", 1, 0);
	getxattr("mnt/f", "trusted.a", buf, 10);
	removexattr("mnt/f", "trusted.a");
	umount("bind");
	umount2("mnt", MNT_DETACH);
	rmdir("bind");
	rmdir("mnt");
}

static void proc(void)
{
	static const char * const files[] = {
		"/proc/self/stat", "/proc/self/statm", "/proc/self/status", "/proc/self/maps",
		"/proc/self/cmdline", "/proc/self/environ", "/proc/self/limits",
		"/proc/self/mounts", "/proc/self/mountinfo", "/proc/self/comm",
		"/proc/self/fdinfo/0", "/proc/self/auxv", "/proc/self/personality",
		"/proc/self/syscall", "/proc/meminfo", "/proc/cpuinfo",
		"/proc/version", "/proc/uptime", "/proc/loadavg",
		"/proc/devices", "/proc/interrupts", "/proc/iomem", "/proc/ioports", "/proc/stat",
		"/proc/modules", "/proc/consoles", "/proc/cmdline", "/proc/softirqs", "/proc/misc",
		"/proc/tty/drivers", "/proc/vmstat", "/proc/zoneinfo", "/proc/buddyinfo",
		"/proc/slabinfo", "/sys/kernel/fscaps", "/sys/devices/system/cpu/online",
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		read_file(files[i]);
	read_dir("/proc/self/fd");
	read_dir("/proc/self/task");
	read_dir("/sys/class");
	ignore_result(readlink("/proc/self/exe", buf, sizeof(buf)));
	ignore_result(readlink("/proc/self/cwd", buf, sizeof(buf)));
	ignore_result(readlink("/proc/self/fd/0", buf, sizeof(buf)));
}

static int exiting_thread(void *arg)
{
	(void)arg;
	syscall(SYS_exit, 0);
	return 0;
}

static void children(void)
{
	static char stack[8 * PAGE] __attribute__((aligned(16)));
	pid_t pid;
	int i;

	for (i = 0; i < 3; i++) {
		pid = fork();
		if (!pid)
			_exit(i);
		waitpid(pid, NULL, 0);
	}
	pid = vfork();
	if (!pid)
		_exit(0);
	waitid(P_PID, pid, (siginfo_t *)buf, WEXITED);
	pid = clone(exiting_thread, stack + sizeof(stack),
		    CLONE_VM | CLONE_FS | CLONE_FILES | SIGCHLD, NULL);
	waitpid(pid, NULL, 0);
	pid = fork();
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	ptrace(PTRACE_PEEKDATA, pid, buf, NULL);
	ptrace(PTRACE_CONT, pid, NULL, NULL);
	waitpid(pid, NULL, 0);
	waitpid(-1, NULL, WNOHANG);
	pid = fork();
	if (!pid) {
		pause();
		_exit(0);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

void workload(void)
{
	getppid();
	ignore_result(chdir("/tmp"));
	files();
	pipes();
	memory();
	signals();
	identity();
	mounts();
	proc();
	children();
	ignore_result(mkdir("/tmp/shm", 0755));
	mount("tmpfs", "/tmp/shm", "tmpfs", 0, NULL);
	ignore_result(chdir("/tmp/shm"));
	files();
	memory();
	ignore_result(chdir("/"));
	umount("/tmp/shm");
	rmdir("/tmp/shm");
	execl("/bin/busybox", "true", NULL);
}
