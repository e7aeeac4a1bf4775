// SPDX-License-Identifier: GPL-2.0
/*
 * Measures the cost of a command: of several runs the one that took the least CPU time. Its
 * output and error messages are discarded. Called by tests/bench/tools.sh.
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
	double best_cpu = -1, wall = 0;
	int runs = argc > 2 ? atoi(argv[1]) : 0, status = 0;
	long max_rss = 0;

	if (runs < 1) {
		fprintf(stderr, "usage: cost RUNS COMMAND [ARGUMENT...]\n");
		return 2;
	}
	for (int i = 0; i < runs; i++) {
		double start = now();
		struct rusage usage;
		pid_t pid = fork();

		if (pid == 0) {
			int null = open("/dev/null", O_RDWR);

			dup2(null, 0);
			dup2(null, 1);
			dup2(null, 2);
			execvp(argv[2], argv + 2);
			_exit(127);
		}
		if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
			return 2;
		if (best_cpu < 0 || seconds(usage.ru_utime) + seconds(usage.ru_stime) < best_cpu) {
			best_cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
			wall = now() - start;
		}
		if (usage.ru_maxrss > max_rss)
			max_rss = usage.ru_maxrss;
	}
	printf("%.3f %.3f %ld %d\n", best_cpu, wall, max_rss,
	       WIFEXITED(status) ? WEXITSTATUS(status) : 255);
	return 0;
}
