// SPDX-License-Identifier: GPL-2.0
/*
 * case_pipe.c - /proc/kfi_pipe: the records of a session while it goes on
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"
#include "rawlog.h"
#include "stress.h"

#define PIPE	"/proc/kfi_pipe"

/* What has been read of the file. */
struct bytes {
	char *data;
	size_t len, room;
};

/* Read once, @most bytes. Return: as read(). */
static ssize_t read_some(int fd, struct bytes *b, size_t most)
{
	ssize_t n;

	if (b->room - b->len < most) {
		b->room = 2 * (b->len + most);
		b->data = realloc(b->data, b->room);
		if (!b->data)
			return -1;
	}
	n = read(fd, b->data + b->len, most);
	b->len += n > 0 ? (size_t)n : 0;
	return n;
}

static int poll_ms(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, ms) == 1 ? p.revents : 0;
}

static pid_t loads[4];

/*
 * A pipe: each byte in it lets a load fork once. There are @nr_turns of them when the reader has
 * all that the loads have done, so a pause of the reader cannot lose what they do.
 */
static int turns[2] = { -1, -1 };

#define TURNS		"...."
static long nr_turns = (long)sizeof(TURNS) - 1;

/* Let the loads go on, when the reader has read all there is. */
static void give_turns(void)
{
	int left;

	if (turns[1] < 0 || ioctl(turns[0], FIONREAD, &left))
		return;
	write(turns[1], TURNS, (size_t)(nr_turns - left));
}

/* Fork until SIGTERM, or until the case has ended. */
static void fork_until_sigterm(void)
{
	char turn;

	catch_sigterm();
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	/* With one CPU a reader of equal rank would have a quarter of it. */
	nice(19);
	if (turns[1] >= 0)
		close(turns[1]);
	while (!sigterm_received() && (turns[0] < 0 || read(turns[0], &turn, 1) == 1))
		fork_children(1);
	_exit(0);
}

/* @paced: they wait for the reader, so that a ring with room for the turns loses nothing. */
static void start_loads(int n, bool paced)
{
	if (paced && pipe(turns))
		abort();
	for (int i = 0; i < n; i++) {
		loads[i] = fork();
		if (!loads[i])
			fork_until_sigterm();
	}
}

static void stop_loads(int n)
{
	for (int i = 0; i < n; i++)
		kill(loads[i], SIGTERM);
	for (int i = 0; i < 2; i++) {
		if (turns[i] >= 0)
			close(turns[i]);
		turns[i] = -1;
	}
	for (int i = 0; i < n; i++)
		waitpid(loads[i], NULL, 0);
}

/* Read to the end, @most bytes at a time, pausing @pause ms. After @stop bytes stop the session. */
static enum outcome read_to_end(int fd, struct bytes *b, size_t most, int pause, size_t stop)
{
	bool stopped = !stop;
	ssize_t n;

	while ((n = read_some(fd, b, most)) != 0) {
		if (n < 0)
			return because(FAIL, PIPE ": %s", strerror(errno));
		if (!stopped && b->len >= stop) {
			stopped = true;
			/* A switch that is too late to be overwritten. */
			sleep_ms(1);
			WANT_EQ(kfi_write("stop"), 0);
		}
		if (pause && !stopped)
			sleep_ms(pause);
		if ((size_t)n < most || !poll_ms(fd, 0))
			give_turns();
	}
	WANT(stopped);
	WANT_EQ(read(fd, &n, 1), 0);
	return PASS;
}

/* Rows and counters agree, as those of any log. */
static enum outcome parse_stream(const struct bytes *b, struct tracelog *log)
{
	char why[200];

	if (raw_parse(log, b->data, b->len, why, sizeof(why)))
		return because(FAIL, PIPE ": %s", why);
	TRY(check_parsed_log(log, PIPE));
	WANT(!strcmp(tl_text(log, "Read while running") ?: "", "yes"));
	return PASS;
}

/* The rest of a stream whose session is over. */
static enum outcome finish_stream(int fd, struct bytes *b, struct tracelog *log)
{
	TRY(read_to_end(fd, b, 1 << 16, 0, 0));
	close(fd);
	TRY(parse_stream(b, log));
	free(b->data);
	return PASS;
}

static bool same_call(const struct tl_row *a, const struct tl_row *b)
{
	return a->entry_ns == b->entry_ns && a->delta_ns == b->delta_ns && a->task == b->task &&
	       a->cpu == b->cpu && a->depth == b->depth && a->marks == b->marks &&
	       !strcmp(a->func, b->func) && !strcmp(a->caller, b->caller);
}

/* All that is in the ring when the session is over was given by the pipe, too. */
static enum outcome has_all_of(const struct tracelog *stream, const struct tracelog *ring)
{
	size_t from = 0, j;

	for (size_t i = 0; i < ring->nr_rows; i++) {
		const struct tl_row *r = &ring->rows[i];

		while (from < stream->nr_rows && stream->rows[from].entry_ns < r->entry_ns)
			from++;
		for (j = from; j < stream->nr_rows && stream->rows[j].entry_ns == r->entry_ns; j++)
			if (same_call(r, &stream->rows[j]))
				break;
		if (j == stream->nr_rows || stream->rows[j].entry_ns != r->entry_ns)
			return because(FAIL, "%s at %lld ns is in the log, but not in the pipe",
				       r->func, (long long)r->entry_ns);
	}
	return PASS;
}

#define ENTRIES		3000

/* A session that is far longer than the ring, and a reader that keeps up or does not. */
static enum outcome stream(struct tracelog *log, const char *items, size_t most, int pause,
			   size_t stop)
{
	struct bytes b = { .room = 2 * stop };
	struct tracelog ring;
	char conf[200];
	int fd;

	/* Memory that is there already: the page faults of a reader are recorded, too. */
	b.data = malloc(b.room);
	WANT(b.data);
	memset(b.data, 1, b.room);
	snprintf(conf, sizeof(conf), "new begin overwrite %s end", items);
	WANT_EQ(kfi_write(conf), 0);
	start_loads(3, !pause);
	WANT_EQ(kfi_write("start"), 0);
	fd = open(PIPE, O_RDONLY);
	WANT(fd >= 0);
	TRY(read_to_end(fd, &b, most, pause, stop));
	stop_loads(3);
	close(fd);
	TRY(parse_stream(&b, log));
	free(b.data);
	TRY(wait_and_read_log(&ring));
	WANT_EQ(tl_num(log, "Calls seen"), tl_num(&ring, "Calls seen"));
	/* The ring may have lost calls of tasks that have died in them. */
	WANT(tl_num(log, "Calls open") >= tl_num(&ring, "Calls open"));
	WANT_EQ(tl_num(log, "Calls left out"), 0);
	if (tl_num(log, "Clock rate") == tl_num(&ring, "Clock rate"))
		TRY(has_all_of(log, &ring));
	printf("# seen %lld, rows %zu, events %zu, watch rows %lld, unread %lld, in the ring %zu\n",
	       tl_num(log, "Calls seen"), log->nr_rows, log->nr_events,
	       tl_num(log, "Watch rows"), tl_num(log, "Lost to overwriting"), ring.nr_rows);
	tl_free(&ring);
	return PASS;
}

/* Of a ring that is large enough for what comes between two reads nothing is lost. */
static enum outcome fast_reader(void)
{
	struct tracelog log;
	char items[60];
	long entries;

	if (has_kcsan())
		return because(SKIP, "with KCSAN it takes longer to read a record than to make it");
	entries = calls_of_a_fork();
	WANT(entries > 0);
	/* On a debug kernel a fork makes 180,000 calls, and parsing those of four takes 1.6 GB. */
	if (entries >= 100000)
		nr_turns = 1;
	/* The reader's own calls are recorded, too. */
	entries *= 3 * nr_turns;
	/* 1000 ticks a second, if they are recorded, take all of the time of an emulated CPU. */
	snprintf(items, sizeof(items), "logentries %ld filter noints", entries);
	TRY(stream(&log, items, 1 << 17, 0, (size_t)entries * 40));
	WANT(log.nr_rows > (size_t)entries * 3 / 2);
	if (tl_num(&log, "Lost to overwriting") && !time_is_exact())
		return because(DISTURBED, "the reader's CPU stood still while %lld calls were lost",
			       tl_num(&log, "Lost to overwriting"));
	WANT_EQ(tl_num(&log, "Lost to overwriting"), 0);
	WANT(!tl_note(&log, "calls were overwritten before /proc/kfi_pipe was read"));
	tl_free(&log);
	return PASS;
}

/* What comes too late for a slow reader is counted, to the call. */
static enum outcome slow_reader(void)
{
	struct tracelog log;

	TRY(stream(&log, "logentries 3000", 8192, 20, 400000));
	WANT(tl_num(&log, "Lost to overwriting") > ENTRIES);
	WANT(log.nr_rows > ENTRIES);
	WANT(tl_note(&log, "calls were overwritten before /proc/kfi_pipe was read"));
	tl_free(&log);
	return PASS;
}

/* Pieces are cut anywhere. */
static enum outcome small_pieces(void)
{
	struct tracelog log;

	TRY(stream(&log, "logentries 20000 filter mintime 30", 7, 0, 40000));
	WANT(log.nr_rows > 500);
	tl_free(&log);
	return PASS;
}

/* The recorder keeps a little too much; a reader drops that, and then the header is right. */
static enum outcome filtered(void)
{
	struct tracelog log;

	TRY(stream(&log, "logentries 20000 filter mintime 20 filter maxtime 30", 1 << 16, 0,
		   60000));
	WANT(log.nr_rows > 100 && tl_num(&log, "Execution time filter count") > 20);
	tl_free(&log);
	return PASS;
}

/* Marks and rows of a watch come, too, though many of them are overwritten before. */
static enum outcome marks(void)
{
	struct tracelog log;

	TRY(stream(&log,
		   "mark switches syscalls watch stack 65536 logentries 20000 filter mintime 100",
		   1 << 16, 0, 600000));
	WANT(tl_num(&log, "Watch rows") > 100);
	WANT(tl_find_event(&log, "switch", "", 0) >= 0);
	WANT_EQ(tl_find_event(&log, "syscall", "", 0) >= 0, can_mark_syscalls());
	tl_free(&log);
	return PASS;
}

/* What one reader gets no other one gets. The second gets the rest, and how much is gone. */
static enum outcome two_readers(void)
{
	struct bytes first = { 0 }, second = { 0 };
	struct tracelog log, ring;
	int fd;

	WANT_EQ(kfi_write("new begin overwrite logentries 50000 end"), 0);
	start_loads(1, false);
	WANT_EQ(kfi_write("start"), 0);
	fd = open(PIPE, O_RDONLY);
	WANT(fd >= 0);
	WANT_EQ(open(PIPE, O_RDONLY), -1);
	WANT_EQ(errno, EBUSY);
	while (first.len < 200000)
		WANT(read_some(fd, &first, 5000) > 0);
	WANT_EQ(open(PIPE, O_RDONLY), -1);
	WANT_EQ(errno, EBUSY);
	close(fd);
	fd = open(PIPE, O_RDONLY);
	WANT(fd >= 0);
	TRY(read_to_end(fd, &second, 1 << 16, 0, 200000));
	close(fd);
	stop_loads(1);
	TRY(parse_stream(&second, &log));
	WANT(tl_num(&log, "Calls left out") > 4000);
	WANT(log.nr_rows > 4000);
	TRY(wait_and_read_log(&ring));
	WANT_EQ(tl_num(&log, "Calls seen"), tl_num(&ring, "Calls seen"));
	tl_free(&log);
	tl_free(&ring);
	free(first.data);
	free(second.data);
	/* All was given. */
	fd = open(PIPE, O_RDONLY);
	WANT(fd >= 0);
	WANT_EQ(read(fd, &log, 1), 0);
	close(fd);
	return PASS;
}

/* What is asked for without waiting, and what poll() says. */
static enum outcome waiting(void)
{
	struct bytes b = { 0 };
	struct tracelog log;
	char c;
	int fd;

	/* Of all calls a slow machine makes more while it reads than the ring takes. */
	WANT_EQ(kfi_write("new begin trigger start entry vfs_mkdir overwrite\n"
			  "filter funclist vfs_mkdir vfs_rmdir fend end"),
		0);
	WANT_EQ(kfi_write("prime"), 0);
	fd = open(PIPE, O_RDONLY | O_NONBLOCK);
	WANT(fd >= 0);
	WANT_EQ(lseek(fd, 0, SEEK_CUR), -1);
	WANT_EQ(errno, ESPIPE);
	/* The session has not started. */
	WANT_EQ(read(fd, &c, 1), -1);
	WANT_EQ(errno, EAGAIN);
	WANT_EQ(poll_ms(fd, 200), 0);
	make_dir();
	remove_dir();
	WANT(poll_ms(fd, scale_timeout(10000)) & POLLIN);
	while (read_some(fd, &b, 1 << 16) > 0)
		;
	WANT_EQ(errno, EAGAIN);
	WANT(b.len > 100);
	WANT_EQ(poll_ms(fd, 200), 0);
	make_dir();
	remove_dir();
	WANT(poll_ms(fd, scale_timeout(10000)) & POLLIN);
	WANT_EQ(kfi_write("stop"), 0);
	WANT(poll_ms(fd, scale_timeout(10000)) & POLLIN);
	TRY(read_to_end(fd, &b, 1 << 16, 0, 0));
	WANT(poll_ms(fd, 1000) & POLLHUP);
	close(fd);
	TRY(parse_stream(&b, &log));
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 2);
	TRY(lost_nothing(&log, NULL));
	tl_free(&log);
	free(b.data);
	return PASS;
}

static pid_t reader;

static bool reader_sleeps(void)
{
	return task_sleeps(reader);
}

static void stop_waiting(int sig)
{
	(void)sig;
}

/* A task that waits for records can be told to stop. */
static enum outcome interrupted(void)
{
	int status, fd;

	WANT_EQ(kfi_write("new begin overwrite end"), 0);
	WANT_EQ(kfi_write("prime"), 0);
	WANT_EQ(kfi_write("new begin trigger start entry vfs_mkdir overwrite end"), 0);
	WANT_EQ(kfi_write("prime"), 0);
	reader = fork();
	if (!reader) {
		char c;

		/* signal() would have the read start again. */
		sigaction(SIGTERM, &(struct sigaction) { .sa_handler = stop_waiting }, NULL);
		fd = open(PIPE, O_RDONLY);
		_exit(fd >= 0 && read(fd, &c, 1) == -1 && errno == EINTR ? 0 : 1);
	}
	WANT(wait_until(reader_sleeps));
	kill(reader, SIGTERM);
	waitpid(reader, &status, 0);
	WANT(WIFEXITED(status) && !WEXITSTATUS(status));
	/* It is free for another one, which is told when there will be nothing any more. */
	fd = open(PIPE, O_RDONLY);
	WANT(fd >= 0);
	WANT_EQ(kfi_write("new begin end"), 0);
	WANT_EQ(read(fd, &status, 1), 0);
	close(fd);
	return PASS;
}

/* Another session takes the place of one whose end was not read yet: nothing is missing. */
static enum outcome replaced(void)
{
	struct bytes b = { 0 };
	struct tracelog log;
	int fd;

	/* Enough for the ticks that a cpu catches up on after its host has stopped it. */
	WANT_EQ(kfi_write("new begin overwrite logentries 200000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	fd = open(PIPE, O_RDONLY);
	WANT(fd >= 0);
	WANT(read_some(fd, &b, 4096) > 0);
	make_dir();
	remove_dir();
	WANT_EQ(kfi_write("stop"), 0);
	WANT_EQ(kfi_write("new begin logentries 100000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(finish_stream(fd, &b, &log));
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	WANT(tl_num(&log, "Calls open") > 0);
	tl_free(&log);
	return PASS;
}

/* A session that was over before the reader came, or never began. */
static enum outcome late_reader(void)
{
	struct bytes b = { 0 };
	struct tracelog log;
	int fd;

	WANT_EQ(kfi_write("new begin overwrite logentries 3000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	for (int i = 0; i < 20; i++) {
		make_dir();
		remove_dir();
	}
	WANT_EQ(kfi_write("stop"), 0);
	fd = open(PIPE, O_RDONLY);
	WANT(fd >= 0);
	TRY(finish_stream(fd, &b, &log));
	WANT(log.nr_rows > 100);
	tl_free(&log);
	return PASS;
}

/* The head of a later session of a chain has all that its log has. */
static enum outcome second_session(void)
{
	struct bytes b = { 0 };
	struct tracelog log;
	int fd;

	WANT_EQ(kfi_write("new begin filter funclist vfs_mkdir end begin overwrite end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	WANT_EQ(kfi_write("stop"), 0);
	WANT_EQ(kfi_write("start"), 0);
	make_dir();
	remove_dir();
	WANT_EQ(kfi_write("stop"), 0);
	fd = open(PIPE, O_RDONLY);
	WANT(fd >= 0);
	TRY(finish_stream(fd, &b, &log));
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	WANT(tl_num(&log, "Gap before") > 0);
	tl_free(&log);
	return PASS;
}

/* Without a session, or with one that ends when its log is full, there is nothing to wait for. */
static enum outcome refused(void)
{
	WANT_EQ(kfi_write("new begin end"), 0);
	WANT_EQ(open(PIPE, O_RDONLY), -1);
	WANT_EQ(errno, EOPNOTSUPP);
	WANT_EQ(kfi_write("new begin profile end"), 0);
	WANT_EQ(open(PIPE, O_RDONLY), -1);
	WANT_EQ(errno, EOPNOTSUPP);
	return PASS;
}

/* A snapshot shows what is in the ring, whether it was read or not, and both go on. */
static enum outcome with_snapshots(void)
{
	struct bytes b = { 0 };
	struct tracelog log, snap;
	size_t next = 300000;
	int fd;

	WANT_EQ(kfi_write("new begin overwrite logentries 20000 end"), 0);
	start_loads(2, false);
	WANT_EQ(kfi_write("start"), 0);
	fd = open(PIPE, O_RDONLY);
	WANT(fd >= 0);
	while (b.len < 2000000) {
		WANT(read_some(fd, &b, 1 << 16) > 0);
		if (b.len < next)
			continue;
		next += 600000;
		TRY(read_log(&snap));
		WANT(snap.running && snap.nr_rows > 10000);
		tl_free(&snap);
	}
	WANT_EQ(kfi_write("stop"), 0);
	TRY(read_to_end(fd, &b, 1 << 16, 0, 0));
	close(fd);
	stop_loads(2);
	TRY(parse_stream(&b, &log));
	tl_free(&log);
	free(b.data);
	return PASS;
}

const struct guest_case pipe_cases[] = {
	{ "pipe_refused", refused },
	{ "pipe_waiting", waiting },
	{ "pipe_interrupted", interrupted },
	{ "pipe_late_reader", late_reader },
	{ "pipe_second_session", second_session },
	{ "pipe_replaced", replaced },
	{ "pipe_two_readers", two_readers },
	{ "pipe_fast_reader", fast_reader },
	{ "pipe_slow_reader", slow_reader },
	{ "pipe_small_pieces", small_pieces },
	{ "pipe_filtered", filtered },
	{ "pipe_marks", marks },
	{ "pipe_snapshots", with_snapshots },
	{ NULL, NULL },
};
