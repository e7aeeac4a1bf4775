// SPDX-License-Identifier: GPL-2.0
/*
 * What a command costs: the run of several that took least time of a cpu. Its output is evicted
 * away, its errors, too. Called by tests/bench/tools.sh.
 *
 * usage: cost RUNS COMMAND [ARGUMENT...]	prints: cpu seconds, wall seconds, KiB at most, status
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	double best = -1, wall = 0;
	int runs = argc > 2 ? atoi(argv[1]) : 0, status = 0;
	long rss = 0;

	if (runs < 1) {
		fprintf(stderr, "usage: cost RUNS COMMAND [ARGUMENT...]\n");
		return 2;
	}
	for (int i = 0; i < runs; i++) {
		double begin = now();
		struct rusage used;
		pid_t pid = fork();

		if (pid == 0) {
			int null = open("/dev/null", O_RDWR);

			dup2(null, 0);
			dup2(null, 1);
			dup2(null, 2);
			execvp(argv[2], argv + 2);
			_exit(127);
		}
		if (pid < 0 || wait4(pid, &status, 0, &used) != pid)
			return 2;
		if (best < 0 || seconds(used.ru_utime) + seconds(used.ru_stime) < best) {
			best = seconds(used.ru_utime) + seconds(used.ru_stime);
			wall = now() - begin;
		}
		if (used.ru_maxrss > rss)
			rss = used.ru_maxrss;
	}
	printf("%.3f %.3f %ld %d\n", best, wall, rss, WIFEXITED(status) ? WEXITSTATUS(status) : 255);
	return 0;
}
