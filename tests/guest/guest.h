/* SPDX-License-Identifier: GPL-2.0 */
/*
 * guest.h - what the guest's cases share
 *
 * A case is a function that returns an outcome; it runs in a process of its own, after a `stop`, so
 * that it finds no run in progress. WANT() and WANT_EQ() leave it with a reason: what they ask for
 * must hold on any host, so a case that has failed once has failed. DISTURBED means that the host
 * spoiled what the case needs before it can judge anything, as the case found out by other means
 * than the log that it judges. Only then it is run again; each time is reported and counted.
 * If time is exact no host can do that, and a disturbed case fails.
 */
#ifndef GUEST_H
#define GUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "tracelog.h"

enum outcome { PASS, FAIL, SKIP, DISTURBED };

struct guest_case {
	const char *name;
	enum outcome (*run)(void);
};

/* The tables, each ended by an empty row; init runs them in this order. */
extern const struct guest_case static_cases[];
extern const struct guest_case sites_cases[];
extern const struct guest_case trigger_cases[];
extern const struct guest_case filter_cases[];
extern const struct guest_case list_cases[];
extern const struct guest_case conf_cases[];
extern const struct guest_case perm_cases[];
extern const struct guest_case load_cases[];
extern const struct guest_case module_cases[];
extern const struct guest_case runs_cases[];
extern const struct guest_case read_cases[];
extern const struct guest_case pipe_cases[];
extern const struct guest_case time_cases[];
extern const struct guest_case context_cases[];
extern const struct guest_case fault_cases[];
extern const struct guest_case mark_cases[];
extern const struct guest_case watch_cases[];
extern const struct guest_case record_cases[];
extern const struct guest_case mode_cases[];
extern const struct guest_case serial_cases[];
extern const struct guest_case script_tools_cases[];
extern const struct guest_case selftest_cases[];

/* Those that need a boot of their own. */
extern const struct guest_case boot_cases[];
extern const struct guest_case crash_cases[];

/**
 * last_boot_left_log() - return true if /proc/kfi_last has a log of the boot before
 */
bool last_boot_left_log(void);

/**
 * print_log() - print a raw log on the console, in lines "last: BASE64", for the tools of the host
 * @path: the file
 */
void print_log(const char *path);

/**
 * check_selftest_passed() - check that the last selftest passed on every cpu
 *
 * Return: PASS or FAIL.
 */
enum outcome check_selftest_passed(void);

/**
 * because() - set the reason why a case does not pass
 * @out: FAIL, SKIP or DISTURBED
 * @fmt: the reason, one line
 *
 * Return: @out.
 */
enum outcome because(enum outcome out, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#define WANT(cond) do {								\
	if (!(cond))								\
		return because(FAIL, "%s:%d: not so: %s", __FILE__, __LINE__, #cond);	\
} while (0)

#define WANT_EQ(got, want) do {							\
	long long got_ = (got), want_ = (want);					\
										\
	if (got_ != want_)							\
		return because(FAIL, "%s:%d: %s is %lld, not %lld", __FILE__, __LINE__,	\
			       #got, got_, want_);				\
} while (0)

/* Leaves the case if @call did not pass, its reason being noted already. */
#define TRY(call) do {								\
	enum outcome try_ = (call);						\
										\
	if (try_ != PASS)							\
		return try_;							\
} while (0)

/**
 * kfi_write() - one write() to /proc/kfi
 * @text: a configuration or a command
 *
 * Return: 0, or -errno (-EIO when only a part was taken).
 */
int kfi_write(const char *text);

/**
 * kfi_write_n() - as kfi_write(), of @len bytes
 * @text: the bytes
 * @len:  how many
 *
 * Return: 0, or -errno.
 */
int kfi_write_n(const char *text, size_t len);

/**
 * catch_sigterm() - have SIGTERM only set what sigterm_received() returns
 *
 * For processes that fork all the time: um crashes if a task is killed in a fork.
 */
void catch_sigterm(void);

/**
 * sigterm_received() - return true if SIGTERM was sent to this process
 */
bool sigterm_received(void);

/**
 * task_sleeps() - return true if a task waits, and can be interrupted
 * @pid: of the task
 */
bool task_sleeps(pid_t pid);

/**
 * stop_runs() - stop what is recorded, so that another run can be written
 */
void stop_runs(void);

/**
 * is_user_mode_linux() - return true if this kernel is a process of another
 */
bool is_user_mode_linux(void);

/**
 * can_mark_syscalls() - return true if this kernel has the hooks of mark syscalls: not on riscv64
 *	before Linux 6.4
 */
bool can_mark_syscalls(void);

/**
 * read_whole_file() - a whole file in memory
 * @path: of the file
 * @chunk: bytes a read() may ask for, 0 for the usual
 *
 * Return: a string from malloc(), NULL on error.
 */
char *read_whole_file(const char *path, size_t chunk);

/**
 * write_file() - one write() of a text to a file that is there
 * @path: of the file
 * @text: the text
 *
 * Return: true if all of it was written.
 */
bool write_file(const char *path, const char *text);

/**
 * read_whole_bytes() - the same of a file that may hold zeros
 * @path: of the file
 * @chunk: bytes a read() may ask for, 0 for the usual
 * @len: set to the length
 *
 * Return: the bytes from malloc() with a zero behind them, NULL on error.
 */
char *read_whole_bytes(const char *path, size_t chunk, size_t *len);

/**
 * kernel_log() - read the kernel log, without levels and time stamps
 *
 * Return: the text, in a buffer that the next call overwrites.
 */
char *kernel_log(void);

/**
 * check_root_is_refused() - check that root cannot open the files, and the kernel log says so
 *
 * Return: PASS or FAIL.
 */
enum outcome check_root_is_refused(void);

/**
 * kfi_state_is() - return true if a word of the status line is true
 * @word: "primed", "triggered" or "complete"
 *
 * Return: true if the status says @word and not "not @word".
 */
bool kfi_state_is(const char *word);

/**
 * kfi_run_id() - the run's number in the status
 *
 * Return: the number, -1 if no run is registered.
 */
int kfi_run_id(void);

/**
 * wait_sites_off() - wait until call sites are disabled: a run disables them shortly after its end
 *
 * Return: false after a timeout.
 */
bool wait_sites_off(void);

/**
 * time_is_exact() - return true if the guest's time is a count of its instructions
 *
 * Otherwise the guest stands still now and then while its clock goes on: what takes a known time at
 * least may take any time.
 * Return: true if run-guest -e has booted this guest on a board that can do it.
 */
bool time_is_exact(void);

/**
 * skip_inexact_time() - the outcome of a case that checks only durations, if time is not exact
 *
 * Return: SKIP, with the reason.
 */
enum outcome skip_inexact_time(void);

/**
 * scale_timeout() - lengthen a timeout on a slow kernel
 * @time: the timeout on a kernel that is not slow, in any unit
 *
 * Return: @time, times N if the command line has kfi_slow=N.
 */
int scale_timeout(int time);

/**
 * wait_until() - wait until a condition holds
 * @holds: returns true if it holds
 *
 * Return: true once it holds, false after a timeout.
 */
bool wait_until(bool (*holds)(void));

/**
 * wait_state() - wait until the status says @word
 * @word: as for kfi_state_is()
 *
 * Return: as wait_until().
 */
bool wait_state(const char *word);

/**
 * parse_and_check_log() - parse and check the text of a log
 * @log: filled in; the case need not free it
 * @text: the text, from malloc()
 * @what: what it is, for the reason
 *
 * Return: PASS, or FAIL with the first complaint as the reason.
 */
enum outcome parse_and_check_log(struct tracelog *log, char *text, const char *what);

/**
 * check_parsed_log() - check a log that was parsed
 * @log: the log
 * @what: as messages name it
 *
 * Return: PASS, or FAIL with the reason.
 */
enum outcome check_parsed_log(struct tracelog *log, const char *what);

/**
 * read_log_file() - read and check a log
 * @path: the file
 * @log: filled in; the case need not free it
 *
 * Return: PASS, or FAIL with the first complaint as the reason.
 */
enum outcome read_log_file(const char *path, struct tracelog *log);

/**
 * read_log() - read and check /proc/kfi_trace
 * @log: filled in; the case need not free it
 *
 * Return: PASS, or FAIL with the first complaint as the reason.
 */
enum outcome read_log(struct tracelog *log);

/**
 * wait_and_read_log() - wait until the run is complete, then read and check its log
 * @log: filled in
 *
 * Return: PASS or FAIL.
 */
enum outcome wait_and_read_log(struct tracelog *log);

/**
 * has_kcsan() - tell whether the kernel looks for races
 *
 * Return: whether it has KCSAN.
 */
bool has_kcsan(void);

/**
 * is_after_inlining() - tell how the kernel is instrumented
 *
 * Return: whether that is after inlining.
 */
bool is_after_inlining(void);

/**
 * lost_nothing() - check that a log has lost no calls
 * @log: the log
 * @but: a reason for which it may have: what stands behind "Lost to "; NULL: none
 *
 * With KCSAN, calls may be lost to snapshots: it delays accesses of the code that takes them, and
 * the functions with which it does so are recorded.
 *
 * Return: PASS; FAIL; or DISTURBED if the log was full, since on a slow host more calls are long,
 * and more interrupts come, or if an NMI has come while a shadow stack was prepared.
 */
enum outcome lost_nothing(const struct tracelog *log, const char *but);

/**
 * arm_run() - write a configuration and prime it
 * @items: what stands between begin and end
 *
 * Return: PASS or FAIL.
 */
enum outcome arm_run(const char *items);

/* A line of /proc/kallsyms. */
struct ksym {
	unsigned long addr;
	char type;
	bool of_module;		/* of kfi_test, the guest's only module */
	const char *name;
};

/**
 * symbols() - all symbols, those of the kernel first, each part in order of names
 * @nr: filled in: how many
 *
 * They are read once, as that takes long. Of the module the array has only its text where it is
 * now; it has nothing of a module that is not there. It stays until a module comes or goes.
 * Return: the first.
 */
const struct ksym *symbols(size_t *nr);

/**
 * symbols_changed() - read the symbols again: a module was loaded or unloaded
 */
void symbols_changed(void);

/**
 * symbol() - the address of a kernel function
 * @name: its name
 *
 * Return: its address from /proc/kallsyms, 0 if there is none or more than one.
 */
unsigned long symbol(const char *name);

/**
 * hex() - format an address as the Function column has it
 * @addr: the address
 *
 * Return: a string in a buffer used in turn with three others.
 */
const char *hex(unsigned long addr);

/**
 * count_rows() - rows of one function
 * @log:  the log
 * @func: name of the function
 *
 * Return: how many there are.
 */
long count_rows(const struct tracelog *log, const char *func);

/**
 * module_load() - insert kfi_test.ko, the module of tests/guest/module
 *
 * It is taken out first if a case before has left it there.
 * Return: PASS; SKIP where the guest has none; FAIL.
 */
enum outcome module_load(void);

/**
 * module_unload() - take it out again
 *
 * Return: PASS or FAIL.
 */
enum outcome module_unload(void);

/**
 * module_address() - return the address of the text of the test's module
 *
 * Return: the address as /proc/modules has it, 0 if it is not there.
 */
unsigned long module_address(void);

/**
 * module_command() - have the module execute a command
 * @command: a row of commands[] in module/kfi_test.c
 *
 * Return: 0 once it is done, or -errno.
 */
int module_command(const char *command);

/**
 * module_result() - a value that the module's last command printed
 * @name: the name of a value
 * @nr:   of several of that name, which, from 0
 *
 * Return: the value, -1 if there is none.
 */
long long module_result(const char *name, int nr);

/**
 * victim_interrupted() - check that the timer interrupted the busy loop of kfi_test_victim()
 *
 * The module knows. Call it after a command with such a loop, before the log is checked.
 * Return: PASS, or DISTURBED if the host stopped the guest between the timer's start and the loop.
 */
enum outcome victim_interrupted(void);

/**
 * record_command() - load the module and record a run while it executes a command
 * @log:     filled in: nothing was lost
 * @command: for the module
 * @first:   the run starts when this function is entered
 * @last:    and stops when this one returns
 * @items:   of the configuration, besides
 *
 * Return: PASS or another outcome, with a reason.
 */
enum outcome record_command(struct tracelog *log, const char *command, const char *first,
			    const char *last, const char *items);

/**
 * first_row() - first row of a function
 * @log:  the log
 * @func: name of the function
 *
 * Return: the row, NULL if there is none.
 */
const struct tl_row *first_row(const struct tracelog *log, const char *func);

/**
 * is_below() - return true if a call is below another one
 * @in: a row
 * @of: a row with a duration
 *
 * Return: true if @in is in the time of @of, deeper and of the same task: one of its calls, or an
 * interrupt of one.
 */
bool is_below(const struct tl_row *in, const struct tl_row *of);

/**
 * start_in_background() - fork a child that does some work
 * @work: what it does, before it exits with 0
 * @arg: for @work
 *
 * Return: its process id.
 */
pid_t start_in_background(void (*work)(int), int arg);

/**
 * fork_children() - fork children, one after the other, each of which reads a file
 * @n: how many
 */
void fork_children(int n);

/**
 * calls_of_a_fork() - count the calls of a turn of fork_children() on this kernel
 *
 * It makes a session, with a log of its own.
 * Return: how many, with those of interrupts; 0: it failed.
 */
long calls_of_a_fork(void);

/** sleep_ms() - sleep
 * @ms: how long
 */
void sleep_ms(int ms);

/**
 * meminfo_kb() - a line of /proc/meminfo
 * @name: the first word, without the colon
 *
 * Return: KiB; 0 if there is no such line.
 */
long long meminfo_kb(const char *name);

/** use_cpu() - let the process run on this CPU only
 * @cpu: its number, from 0
 */
void use_cpu(int cpu);

/** spin_ms() - keep the processor busy
 * @ms: how long
 */
void spin_ms(int ms);

/** uptime_ms() - time since boot
 *
 * Return: CLOCK_BOOTTIME in ms.
 */
long long uptime_ms(void);

/** make_dir() - one vfs_mkdir() and the file system's own function
 *
 * Return: true if it worked.
 */
bool make_dir(void);

/** remove_dir() - one vfs_rmdir(), of what make_dir() made
 *
 * Return: true if it worked.
 */
bool remove_dir(void);

#endif
