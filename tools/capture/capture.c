// SPDX-License-Identifier: GPL-2.0
/*
 * kfi-capture: receives a trace from a board over its console. It prints the board's output with
 * the time of arrival, and checks and keeps lines of /proc/kfi_serial (lines.h). For missing lines
 * it types a request to the board's shell. Everything that the board sends is untrusted input.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture.h"
#include "core/conf.h"
#include "file.h"
#include "in.h"
#include "opt.h"
#include "version.h"

/* A line that is not complete after this time is damaged. */
#define PARTIAL_LINE_MS	1000

/* Largest number of ranges in one request. A shell may lose parts of longer lines. */
#define RANGES_MAX	24

/* Stop a session if its stop trigger has not come after this time. */
#define STOP_SECONDS	"60"

static struct board board = { .name = "-", .baud = 115200, .fd = -1 };
static struct shell shell = { .b = &board, .prompt = "# ", .user = "root", .status = -1 };
static const char *output;
static const char *console;
static u64 idle_ms = 1500;
static u64 tries = 10;
static u64 silence_s;
static bool fetch;
static bool reboot_first;
static bool boot_trace;
static const char *run_conf;
static const char *password_file;
static const char *kd_map;
static bool want_help;
static bool want_version;

static const struct kfi_opt options[] = {
	{ 'd', "device", KFI_OPT_STR, "DEVICE", &board.name, .help =
	  "serial line, tcp:HOST:PORT (TELNET, too), file, or -\n"
	  "(default: standard input)" },
	{ 'b', "baud", KFI_OPT_NUM, "N", &board.baud, .min = 50, .max = 4000000, .help =
	  "rate of a serial line (default: 115200)" },
	{ 'o', "output", KFI_OPT_STR, "FILE", &output, .help = "raw log to write, for kd" },
	{ 'c', "console", KFI_OPT_STR, "FILE", &console, .help =
	  "console log to write: all that came, lines of the log, too" },
	{ 'm', "kd-boot", KFI_OPT_STR, "MAP", &kd_map, .help =
	  "when the log is whole, run kd --boot --map MAP on it" },
	{ .type = KFI_OPT_HEAD, .help = "\nWhat is typed to the board's shell:" },
	{ 'f', "fetch", KFI_OPT_FLAG, NULL, &fetch, .help =
	  "type \"cat /proc/kfi_serial\" first" },
	{ 'r', "run", KFI_OPT_STR, "CONF", &run_conf, .help =
	  "record a session with this configuration, while COMMAND runs" },
	{ 'B', "boot", KFI_OPT_FLAG, NULL, &boot_trace, .help =
	  "wait for the trace of the boot" },
	{ 'R', "reboot", KFI_OPT_FLAG, NULL, &reboot_first, .help = "type \"reboot\" first" },
	{ 'p', "password", KFI_OPT_STR, "FILE", &password_file, .help =
	  "log in with the password in the first line of FILE" },
	{ 'u', "user", KFI_OPT_STR, "NAME", &shell.user, .help = "who logs in (default: root)" },
	{ 'P', "prompt", KFI_OPT_STR, "TEXT", &shell.prompt, .help =
	  "what the shell's prompt ends with (default: \"# \")" },
	{ 'n', "no-typing", KFI_OPT_FLAG, NULL, &shell.only_print, .help =
	  "type nothing: print what to type" },
	{ .type = KFI_OPT_HEAD, .help = "\nWhen to give up:" },
	{ 'i', "idle", KFI_OPT_NUM, "MS", &idle_ms, .min = 100, .max = 3600000, .help =
	  "lines are missing if none came for so long (default: 1500)" },
	{ 't', "tries", KFI_OPT_NUM, "N", &tries, .max = 1000, .help =
	  "requests without any new line, before it gives up (default: 10)" },
	{ 'w', "wait", KFI_OPT_NUM, "S", &silence_s, .max = 86400, .help =
	  "seconds for which the board may say nothing (default: 0, no limit)" },
	{ .type = KFI_OPT_HEAD, .help = "\nOther:" },
	{ 'h', "help", KFI_OPT_FLAG, NULL, &want_help, .help = "print this help" },
	{ 'V', "version", KFI_OPT_FLAG, NULL, &want_version, .help = "print the version" },
};

/**
 * struct capture - state of the capture
 * @lines: lines of the log that were received
 * @have: number of lines when the latest new line was received
 * @last: when that was, or when a request was last typed or not possible, in milliseconds
 * @asked: number of requests since then
 * @boots: boots of the board that were reported
 * @text: text that was received and is not parsed yet
 * @len: bytes of @text
 * @is_text: what comes is a console's text: it does not begin as a raw log does
 * @show: the output for the user
 */
struct capture {
	struct kfi_lines lines;
	u64 have;
	u64 last;
	u64 asked;
	u32 boots;
	char text[65536];
	size_t len;
	bool is_text;
	struct show show;
};
static_assert(sizeof(((struct capture *)0)->text) > 2 * KFI_LINES_SPAN_MAX);

static volatile sig_atomic_t interrupted;

static void on_signal(int sig)
{
	interrupted = 1;
}

bool is_interrupted(void)
{
	return interrupted;
}

u64 now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void put_other(void *arg, const char *s, size_t len)
{
	struct capture *c = arg;

	show_text(&c->show, s, len);
	shell_text(&shell, s, len);
}

static void put_line(void *arg, const char *a, size_t alen, const char *b, size_t blen)
{
	struct capture *c = arg;

	show_line(&c->show, a, alen, b, blen);
}

static u64 count_lines(const struct capture *c)
{
	u64 n = 0;

	for (u32 i = 0; i < c->lines.nsent; i++)
		n += c->lines.sent[i].have;
	return n;
}

/* Return the latest transmission that has begun, or NULL. */
static const struct kfi_lines_sent *current_transmission(const struct capture *c)
{
	return c->lines.nsent ? &c->lines.sent[c->lines.nsent - 1] : NULL;
}

static bool is_whole(const struct capture *c)
{
	const struct kfi_lines_sent *sent = current_transmission(c);
	u32 from = 0, to;

	return sent && !kfi_lines_missing(sent, &from, &to);
}

/* ---- requests ---- */

/* Type a request for the lines that are missing. */
static void type_request(struct capture *c)
{
	const struct kfi_lines_sent *sent = current_transmission(c);
	u32 from = 0, to, n = 0;
	char command[600];
	size_t len;

	len = (size_t)snprintf(command, sizeof(command), "echo ");
	for (; n < RANGES_MAX && kfi_lines_missing(sent, &from, &to); from = to + 1, n++) {
		len += (size_t)snprintf(command + len, sizeof(command) - len, "%s%u", n ? "," : "",
					from);
		if (to != from)
			len += (size_t)snprintf(command + len, sizeof(command) - len, "-");
		if (to == U32_MAX)
			break;
		if (to != from)
			len += (size_t)snprintf(command + len, sizeof(command) - len, "%u", to);
	}
	snprintf(command + len, sizeof(command) - len,
		 " >/proc/kfi_serial; cat /proc/kfi_serial\n");
	shell_type(&shell, command);
}

/* ---- the capture ---- */

/*
 * Parse the text that was received. @more: the rest of a line may still come.
 * Return: 0 or -ENOMEM.
 */
static int parse_text(struct capture *c, bool more)
{
	ssize_t n = kfi_lines_feed(&c->lines, c->text, c->len, more);
	u64 have;

	if (n < 0)
		return (int)n;
	memmove(c->text, c->text + n, c->len - (size_t)n);
	c->len -= (size_t)n;
	have = count_lines(c);
	if (have != c->have) {
		c->have = have;
		c->last = shell.heard_ms = now_ms();
		c->asked = 0;
	}
	return 0;
}

/*
 * Type a request if no line was received for a while, but not while the board boots: without
 * requests it does not matter whether there is a shell. Return: false if the limit is reached.
 */
static bool may_request(struct capture *c)
{
	if (!current_transmission(c) || is_whole(c) || shell_is_busy(&shell) ||
	    (shell.booting && tries) || board.fd < 0) {
		c->last = now_ms();
		return true;
	}
	if (now_ms() - c->last < idle_ms)
		return true;
	if (c->asked++ == tries)
		return false;
	type_request(c);
	c->last = now_ms();
	return true;
}

/* After a boot of the board in the middle of a transmission, report that the rest is lost. */
static void report_boot(struct capture *c)
{
	const struct kfi_lines_sent *sent = current_transmission(c);

	if (shell.boots == c->boots)
		return;
	c->boots = shell.boots;
	if (sent && !is_whole(c))
		fprintf(stderr, "kfi-capture: the board boots: what it has not sent yet is lost, %u lines are kept\n",
			sent->have);
}

static bool is_done(const struct capture *c)
{
	/* A console log is read to its end: it may have the logs of several boots or of a crash. */
	return !board.whole && is_whole(c) && !shell_is_busy(&shell);
}

/*
 * Receive until the log is whole or the board sends no more, or until it is known that what comes
 * is a raw log. Return: 0 or -errno.
 */
static int receive(struct capture *c, struct kfi_err *err)
{
	u64 came = now_ms();

	shell.heard_ms = came;
	while (!is_interrupted() && !is_done(c) && may_request(c)) {
		ssize_t n = board_read(&board, c->text + c->len, sizeof(c->text) - c->len, err);

		if (n == -ENODATA)
			break;
		if (n < 0)
			return (int)n;
		c->len += (size_t)n;
		if (n)
			came = now_ms();
		if (!c->is_text) {
			if (stream_begins(c->text, c->len) && c->len >= strlen(KFI_RAW_MAGIC))
				return 0;
			c->is_text = c->len && !stream_begins(c->text, c->len);
		}
		if (c->is_text && parse_text(c, now_ms() - came < PARTIAL_LINE_MS))
			return kfi_err_set(err, ENOMEM, "out of memory");
		show_progress(&c->show, &c->lines, current_transmission(c));
		report_boot(c);
		if (shell_tick(&shell, current_transmission(c), err))
			return -EIO;
		if (silence_s && now_ms() - came > silence_s * 1000)
			return kfi_err_set(err, ETIMEDOUT, "the board has said nothing for %llu s",
					   (unsigned long long)silence_s);
	}
	return parse_text(c, false) ? kfi_err_set(err, ENOMEM, "out of memory") : 0;
}

/* Write the raw log. Return: exit status. */
static int write_log(struct capture *c, struct kfi_err *err)
{
	u64 ms = c->show.last_line - c->show.first_line;
	char fault[320];
	size_t len;
	u8 *raw;
	FILE *f;
	int bad;

	if (!current_transmission(c)) {
		kfi_err_set(err, EINVAL, "no lines of /proc/kfi_serial came");
		return 2;
	}
	if (kfi_lines_raw(&c->lines, "kfi-capture", &raw, &len, fault, sizeof(fault), err))
		return 2;
	f = fopen(output, "w");
	bad = !f || fwrite(raw, 1, len, f) != len;
	bad |= f && fclose(f);
	free(raw);
	if (bad) {
		kfi_err_set(err, errno, "%s: %s", output, strerror(errno));
		return 2;
	}
	if (*fault)
		kfi_err_set(err, EBADMSG, "%s: %s", output, fault);
	else
		fprintf(stderr, "kfi-capture: %s: %zu bytes of %u lines, whole; %llu bytes came in %llu.%llu s\n",
			output, len, current_transmission(c)->n, (unsigned long long)c->show.bytes,
			(unsigned long long)ms / 1000, (unsigned long long)ms % 1000 / 100);
	return *fault ? 1 : 0;
}

/* ---- steps ---- */

static int read_password(struct kfi_err *err)
{
	static char line[256];
	FILE *f = fopen(password_file, "r");
	bool ok = f && fgets(line, sizeof(line), f);

	if (f)
		fclose(f);
	if (!ok)
		return kfi_err_set(err, EINVAL, "%s: cannot read a password from the first line",
				   password_file);
	line[strcspn(line, "\r\n")] = '\0';
	shell.password = line;
	return 0;
}

/* Add steps that wait until a session with a stop trigger is complete, and then stop it. */
static void add_wait(bool stops)
{
	if (stops)
		shell_add(&shell, SHELL_ANY, "wait",
			  "n=0; while grep -q 'not complete' /proc/kfi && [ $n -lt " STOP_SECONDS
			  " ]; do sleep 1; n=$((n+1)); done");
	shell_add(&shell, SHELL_ANY, "stop",
		  "if grep -q 'not complete' /proc/kfi; then echo stop >/proc/kfi; fi");
}

static int add_session(const char *text, size_t len, const char *command, struct kfi_err *err)
{
	static struct kfi_conf first, last;
	struct kfi_conf_err why = { .line = 0 };
	char *typed;
	int n = kfi_conf_count(text, len, &why);

	if (n < 0 || kfi_conf_parse_block(&first, text, len, 0, &why) ||
	    kfi_conf_parse_block(&last, text, len, (u32)n - 1, &why))
		return kfi_err_set(err, EINVAL, "%s:%u:%u: %s", run_conf, why.line, why.col,
				   why.reason);
	if (memmem(text, len, "kfi-end", 7) || memchr(text, '\0', len))
		return kfi_err_set(err, EINVAL, "%s: cannot be typed", run_conf);
	if (asprintf(&typed, "cat >/proc/kfi <<'kfi-end'\n%.*s%skfi-end\ntest $? = 0",
		     (int)len, text, len && text[len - 1] == '\n' ? "" : "\n") < 0)
		return kfi_err_set(err, ENOMEM, "out of memory");
	shell_add(&shell, SHELL_COMMAND, run_conf, typed);
	free(typed);
	shell_add(&shell, SHELL_COMMAND, "arm", first.start.kind == KFI_TRIG_NONE ?
		  "echo start >/proc/kfi" : "echo prime >/proc/kfi");
	if (*command)
		shell_add(&shell, SHELL_ANY, "command", command);
	add_wait(last.stop.kind != KFI_TRIG_NONE);
	shell_add(&shell, SHELL_FETCH, "fetch", "cat /proc/kfi_serial");
	return 0;
}

static int read_conf(const char *command, struct kfi_err *err)
{
	struct kfi_in in;
	const char *text;
	size_t len;
	int ret = kfi_in_whole(&in, run_conf, &text, &len, err);

	if (ret)
		return ret;
	ret = add_session(text, len, command, err);
	kfi_in_close(&in);
	return ret;
}

/* Add the steps that the options ask for. @command: the arguments that are no options. */
static int add_steps(char **command, struct kfi_err *err)
{
	char line[1000] = "";
	size_t at = 0;

	for (; *command; command++) {
		at += (size_t)snprintf(line + at, sizeof(line) - at, "%s%s", at ? " " : "",
				       *command);
		if (at >= sizeof(line))
			return kfi_err_set(err, E2BIG, "the command is too long");
	}
	if (password_file && read_password(err))
		return -EINVAL;
	if (reboot_first)
		shell_add(&shell, SHELL_REBOOT, "reboot", "reboot");
	if (boot_trace) {
		add_wait(true);
		shell_add(&shell, SHELL_FETCH_IF_NONE, "fetch", "cat /proc/kfi_serial");
	}
	if (run_conf)
		return read_conf(line, err);
	if (fetch)
		shell_add(&shell, SHELL_FETCH, "fetch", "cat /proc/kfi_serial");
	return 0;
}

/* Check that no file that will be written is read, or written, too. */
static int check_files(struct kfi_err *err)
{
	const char *const inputs[] = {
		strcmp(board.name, "-") ? board.name : KFI_FILE_STDIN, run_conf, password_file,
		kd_map,
	};

	for (size_t i = 0; i < ARRAY_SIZE(inputs); i++) {
		if (inputs[i] && kfi_file_same(inputs[i], output))
			return kfi_err_set(err, EINVAL, "%s: the input and the output are one file",
					   output);
		if (inputs[i] && console && kfi_file_same(inputs[i], console))
			return kfi_err_set(err, EINVAL, "%s: the input and the console log are one file",
					   console);
	}
	if (console && kfi_file_same(output, console))
		return kfi_err_set(err, EINVAL, "%s: the output and the console log are one file",
				   output);
	return 0;
}

/* Check before the capture that the output file can be written. */
static int check_output(struct kfi_err *err)
{
	bool is_new = access(output, F_OK) != 0;
	int fd = open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0)
		return kfi_err_set(err, errno, "%s: %s", output, strerror(errno));
	close(fd);
	if (is_new)
		unlink(output);
	return 0;
}

static int show_boot(struct kfi_err *err)
{
	char path[1000];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *name;

	path[n < 0 ? 0 : n] = '\0';
	name = strrchr(path, '/');
	if (name && name + sizeof("/kd") <= path + sizeof(path)) {
		memcpy(name, "/kd", sizeof("/kd"));
		execl(path, "kd", "--boot", "--map", kd_map, output, (char *)NULL);
	}
	execlp("kd", "kd", "--boot", "--map", kd_map, output, (char *)NULL);
	kfi_err_set(err, errno, "kd: %s", strerror(errno));
	return 2;
}

/*
 * Close the console log. Return: -errno if the text of the board could not be written there or to
 * standard output, whose reader may have ended; or 0.
 */
static int end_output(struct show *show, struct kfi_err *err)
{
	if (show->log && fclose(show->log) && !show->log_error)
		show->log_error = errno;
	show->log = NULL;
	if (show->log_error)
		return kfi_err_set(err, show->log_error, "%s: %s", console,
				   strerror(show->log_error));
	if (show->text_error && show->text_error != EPIPE)
		return kfi_err_set(err, show->text_error, "standard output: %s",
				   strerror(show->text_error));
	return 0;
}

static int capture(char **command, struct kfi_err *err)
{
	static struct capture c = { .show = { .shown_newline = true, .log_newline = true } };
	struct sigaction act = { .sa_handler = on_signal };
	struct kfi_err failed;
	int status = 2, ret;

	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGHUP, &act, NULL);
	/* Continue even if the reader of standard output exits. */
	signal(SIGPIPE, SIG_IGN);
	c.lines.other = put_other;
	c.lines.line = put_line;
	c.lines.arg = &c;
	c.show.begin = c.show.progress = c.last = now_ms();
	if (check_files(err) || check_output(err) || add_steps(command, err))
		goto out;
	if (console) {
		c.show.log = fopen(console, "w");
		if (!c.show.log) {
			kfi_err_set(err, errno, "%s: %s", console, strerror(errno));
			goto out;
		}
	}
	ret = board_open(&board, err);
	if (!ret) {
		ret = receive(&c, err);
		if (ret && current_transmission(&c))
			fprintf(stderr, "kfi-capture: %s\n", err->text);
		if (!ret && !c.is_text && c.len >= strlen(KFI_RAW_MAGIC))
			status = stream_take(&board, &c.show, &(struct stream){
				.text = c.text, .room = sizeof(c.text), .len = c.len,
				.output = output, .silence_ms = silence_s * 1000,
			}, err);
		else if (!ret || current_transmission(&c))
			status = write_log(&c, err);
	}
	if (end_output(&c.show, &failed)) {
		/* main() prints one reason. */
		if (status)
			fprintf(stderr, "kfi-capture: %s\n", err->text);
		*err = failed;
		status = 2;
	}
out:
	board_close(&board);
	kfi_lines_free(&c.lines);
	shell_free(&shell);
	return status == 0 && kd_map ? show_boot(err) : status;
}

static void help(void)
{
	printf("usage: kfi-capture [OPTIONS] -o FILE [-- COMMAND...]\n"
	       "\n"
	       "Takes a trace off a board over its console: what cat /proc/kfi_serial shows there becomes\n"
	       "a raw log. It shows other text with the time, and asks again for lines that are missing.\n"
	       "A raw log itself, as of ssh BOARD cat /proc/kfi_pipe, is copied as it comes.\n"
	       "Ctrl-C ends it, and keeps what has come.\n\n");
	kfi_opt_help(options, ARRAY_SIZE(options), 0, stdout);
	printf("\n"
	       "Exit status: 0 the log is whole; 1 lines are missing; 2 could not run, or no log came.\n"
	       "\n"
	       "Example:\n"
	       "  kfi-capture -o boot.raw <console.log\n");
}

/* Return the exit status after a text was printed. */
static int finish(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	fprintf(stderr, "kfi-capture: cannot write: %s\n", strerror(errno));
	return 2;
}

int main(int argc, char **argv)
{
	struct kfi_err err = { "" };
	int first, status;

	first = kfi_opt_parse(options, ARRAY_SIZE(options), argc, argv, NULL, &err);
	if (first >= 0 && want_help) {
		help();
		return finish();
	}
	if (first >= 0 && want_version) {
		printf("kfi-capture version " KFI_VERSION "\n");
		return finish();
	}
	if (first >= 0 && !output)
		first = kfi_err_set(&err, EINVAL, "give -o FILE");
	if (first >= 0 && first != argc && !run_conf)
		first = kfi_err_set(&err, EINVAL, "a COMMAND needs --run");
	if (first < 0) {
		fprintf(stderr, "kfi-capture: %s. See usage for help. (Use -h)\n", err.text);
		return 2;
	}
	status = capture(argv + first, &err);
	if (status)
		fprintf(stderr, "kfi-capture: %s\n", err.text);
	return status;
}
