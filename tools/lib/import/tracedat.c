// SPDX-License-Identifier: GPL-2.0
/*
 * Reads trace.dat of trace-cmd through libtracecmd. Each event becomes the line that "trace-cmd
 * report" would print, but with times in nanoseconds. The reader of such lines is ftrace.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <trace-cmd.h>

#include "import/formats.h"
#include "import/spool.h"

/* The first bytes of each file. The version behind them never contains a newline. */
static const char magic[] = "\x17\x08\x44tracing";

/* Reason for which a file with two of them is rejected. */
#define TWO_FILES	"several trace.dat follow each other in this file, and only the first would be read: give kd each of them as a file"

/* Flag of an NMI, which no header of the library defines. */
#define FLAG_NMI	0x40

/**
 * struct job - state while a file is read
 * @im: the input
 * @err: set to the reason of a failure
 * @seq: buffer for the text of an event
 * @ret: 0 or -errno so far
 */
struct job {
	struct kfi_import *im;
	struct kfi_err *err;
	struct trace_seq seq;
	int ret;
};

static bool is_tracedat(const char *s, size_t len)
{
	return len >= sizeof(magic) - 1 && !memcmp(s, magic, sizeof(magic) - 1);
}

static bool has_magic(const char *s, size_t len)
{
	return memmem(s, len, magic, sizeof(magic) - 1);
}

static int put_line(struct job *j, const char *s, size_t len)
{
	j->im->log->in.line++;
	return kfi_import_ftrace.line(j->im, s, len, j->err);
}

static const char *func_name(struct tep_handle *tep, unsigned long long at, char text[20])
{
	const char *name = tep_find_function(tep, at);

	snprintf(text, 20, "0x%llx", at);
	return name ? name : text;
}

/* Print the arguments of an event of the function tracers. Return: false if it is another event. */
static bool put_call(struct tep_handle *tep, struct tep_event *event, struct tep_record *rec,
		     struct trace_seq *s)
{
	unsigned long long func, depth, from, to;
	char name[20], parent[20];

	if (!strcmp(event->name, "funcgraph_entry")) {
		if (tep_get_field_val(NULL, event, "func", rec, &func, 0) ||
		    tep_get_field_val(NULL, event, "depth", rec, &depth, 0))
			return false;
		trace_seq_printf(s, "|  %*s%s() {", (int)(2 * (depth & 0xfff)), "",
				 func_name(tep, func, name));
		return true;
	}
	if (!strcmp(event->name, "funcgraph_exit")) {
		if (tep_get_field_val(NULL, event, "calltime", rec, &from, 0) ||
		    tep_get_field_val(NULL, event, "rettime", rec, &to, 0) ||
		    tep_get_field_val(NULL, event, "depth", rec, &depth, 0))
			return false;
		to = to > from ? to - from : 0;
		trace_seq_printf(s, "%llu.%03llu us |  %*s}", to / 1000, to % 1000,
				 (int)(2 * (depth & 0xfff)), "");
		return true;
	}
	if (strcmp(event->name, "function") ||
	    tep_get_field_val(NULL, event, "ip", rec, &func, 0) ||
	    tep_get_field_val(NULL, event, "parent_ip", rec, &from, 0))
		return false;
	trace_seq_printf(s, "%s <-%s", func_name(tep, func, name), func_name(tep, from, parent));
	return true;
}

static char context_letter(int flags)
{
	return flags & FLAG_NMI ? 'z' : flags & TRACE_FLAG_HARDIRQ ? 'h' :
	       flags & TRACE_FLAG_SOFTIRQ ? 's' : '.';
}

/* Convert an event. Return: 0; anything else stops the library. */
static int convert_event(struct tracecmd_input *handle, struct tep_record *rec, int cpu, void *arg)
{
	struct tep_handle *tep = tracecmd_get_tep(handle);
	struct tep_event *e = tep_find_event_by_record(tep, rec);
	struct job *j = arg;
	struct trace_seq *s = &j->seq;
	const char *comm;
	size_t len;
	int pid;

	if (rec->missed_events) {
		trace_seq_reset(s);
		trace_seq_printf(s, "CPU:%d [LOST %lld EVENTS]", cpu,
				 rec->missed_events > 0 ? rec->missed_events : 1);
		trace_seq_terminate(s);
		j->ret = put_line(j, s->buffer, strlen(s->buffer));
	}
	if (!e || j->ret)
		return j->ret;
	pid = tep_data_pid(tep, rec);
	comm = tep_data_comm_from_pid(tep, pid);
	trace_seq_reset(s);
	trace_seq_printf(s, "%s-%d [%03d] ..%c. %llu.%09llu: %s: ", comm ? comm : "<...>", pid, cpu,
			 context_letter(tep_data_flags(tep, rec)), rec->ts / 1000000000,
			 rec->ts % 1000000000, e->name);
	if (!put_call(tep, e, rec, s))
		tep_print_event(tep, s, rec, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(s);
	/* The text of an event may have several lines; the first one has its arguments. */
	len = s->buffer ? strcspn(s->buffer, "\n") : 0;
	j->ret = put_line(j, s->buffer, len);
	return j->ret;
}

/* Copy what libtracecmd cannot open: a pipe, or compressed data. Return: a descriptor or -errno. */
static int copy_to_temporary(struct kfi_in *in, const char *s, size_t len, struct kfi_err *err)
{
	u64 place = 0;
	int ret, fd = kfi_spool_file();

	if (fd < 0)
		return kfi_err_set(err, -fd, "%s: temporary file: %s; set TMPDIR to a folder with room",
				   in->name, strerror(-fd));
	do {
		if (place && has_magic(s, len)) {
			ret = kfi_err_set(err, EINVAL, "%s: " TWO_FILES, in->name);
			break;
		}
		ret = kfi_spool_write(fd, s, len, place);
		place += len;
		if (!ret && !in->cut)
			ret = kfi_spool_write(fd, "\n", 1, place++);
		if (ret) {
			kfi_err_set(err, -ret, "%s: temporary file: %s; set TMPDIR to a folder with room",
				    in->name, strerror(-ret));
			break;
		}
	} while ((ret = kfi_in_line(in, &s, &len, err)) > 0);
	if (!ret)
		return lseek(fd, 0, SEEK_SET) < 0 ? -errno : fd;
	close(fd);
	return ret;
}

/*
 * Open the file, with all of its data. The library cannot close a file whose data is cut off: some
 * of its lists are not initialised then. Return: NULL: the file cannot be read.
 */
static struct tracecmd_input *open_file(int fd)
{
	struct tracecmd_input *handle;
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	handle = tracecmd_open_head(path, TRACECMD_FL_LOAD_NO_PLUGINS);
	return handle && !tracecmd_init_data(handle) ? handle : NULL;
}

static int whole(struct kfi_import *im, const char *s, size_t len, struct kfi_err *err)
{
	struct kfi_in *in = &im->log->in;
	struct job j = { .im = im, .err = err };
	struct tracecmd_input *handle;
	int fd, other;

	if (!is_tracedat(s, len))
		return kfi_err_set(err, EINVAL, "%s: not %s: it does not begin with \"tracing\"",
				   in->name, im->format->what);
	if (in->map && !in->unpack && has_magic(in->map + 1, in->map_len - 1))
		return kfi_err_set(err, EINVAL, "%s: " TWO_FILES, in->name);
	fd = in->map && !in->unpack && strcmp(in->name, "standard input") ?
	     open(in->name, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		fd = copy_to_temporary(in, s, len, err);
	if (fd < 0)
		return fd;
	in->line = 0;
	tracecmd_set_loglevel(TEP_LOG_NONE);
	tep_set_loglevel(TEP_LOG_NONE);
	handle = open_file(fd);
	close(fd);
	if (!handle)
		return kfi_err_set(err, EINVAL, "%s: libtracecmd cannot read this trace.dat: it is damaged, incomplete, or of a newer version",
				   in->name);
	trace_seq_init(&j.seq);
	if (tracecmd_iterate_events(handle, NULL, 0, convert_event, &j) && !j.ret)
		j.ret = kfi_err_set(err, EINVAL, "%s: trace.dat is damaged", in->name);
	other = tracecmd_buffer_instances(handle);
	if (other > 0)
		kfi_import_note(im, "trace.dat has %d more buffers, which are not shown", other);
	trace_seq_destroy(&j.seq);
	tracecmd_close(handle);
	return j.ret;
}

/* The state of this reader is that of the reader of lines. */
static int begin(struct kfi_import *im, struct kfi_err *err)
{
	return kfi_import_ftrace.begin(im, err);
}

static int end(struct kfi_import *im, struct kfi_err *err)
{
	return kfi_import_ftrace.end(im, err);
}

static void free_state(struct kfi_import *im)
{
	kfi_import_ftrace.free(im);
}

const struct kfi_import_format kfi_import_tracedat = {
	.name = "trace.dat", .what = "a trace.dat of trace-cmd", .is = is_tracedat, .begin = begin,
	.whole = whole, .end = end, .free = free_state,
};
