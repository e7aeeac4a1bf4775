// SPDX-License-Identifier: GPL-2.0
/*
 * tracelog_sums - reader and judge of profiles, see tracelog.h
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tracelog.h"

#define COLUMNS		8

int tl_parse_sum(struct tl_sum *s, char *line)
{
	uint64_t v[COLUMNS];
	char *save, *word, *end;
	int n;

	s->func = strtok_r(line, " \t", &save);
	if (!s->func)
		return -1;
	for (n = 0; n < COLUMNS; n++) {
		word = strtok_r(NULL, " \t", &save);
		/* A module's name in brackets belongs to the symbol before it. */
		if (word && *word == '[')
			word = strtok_r(NULL, " \t", &save);
		if (!word || *word == '-')
			return -1;
		v[n] = strtoull(word, &end, 10);
		if (end == word || *end)
			return -1;
	}
	if (strtok_r(NULL, " \t", &save))
		return -1;
	s->count = v[0];
	s->total_ns = v[1];
	s->local_ns = v[2];
	s->min_ns = v[3];
	s->max_ns = v[4];
	s->off_ns = v[5];
	s->irq_ns = v[6];
	s->untimed = v[7];
	return 0;
}

const struct tl_sum *tl_sum(const struct tracelog *log, const char *func)
{
	size_t len = strlen(func);

	for (size_t i = 0; i < log->nr_sums; i++)
		if (!strncmp(log->sums[i].func, func, len) && !log->sums[i].func[len])
			return &log->sums[i];
	return NULL;
}

/* Return: can these sums be true? Each time was rounded down by itself. */
static bool is_sum_possible(const struct tl_sum *s)
{
	uint64_t slack = s->count + 3;

	if (!s->count)
		return s->untimed && !s->total_ns && !s->local_ns && !s->min_ns && !s->max_ns &&
		       !s->off_ns && !s->irq_ns;
	return s->min_ns <= s->max_ns && s->max_ns <= s->total_ns &&
	       s->total_ns + slack >= s->count * s->min_ns &&
	       s->total_ns <= s->count * (s->max_ns + 1) &&
	       (s->count > 1 || (s->min_ns == s->max_ns && s->max_ns == s->total_ns)) &&
	       s->local_ns + s->off_ns + s->irq_ns <= s->total_ns + 3;
}

int tl_check_sums(const struct tracelog *log, FILE *out)
{
	uint64_t timed = 0, untimed = 0;
	int bad = 0;

	for (size_t i = 0; i < log->nr_sums; i++) {
		const struct tl_sum *s = &log->sums[i];

		timed += s->count;
		untimed += s->untimed;
		if (!is_sum_possible(s) && !bad++ && out)
			fprintf(out, "sums of %s: %" PRIu64 " calls, total %" PRIu64 ", local %"
				PRIu64 ", %" PRIu64 " to %" PRIu64 ", off %" PRIu64 ", irq %"
				PRIu64 "\n", s->func, s->count, s->total_ns, s->local_ns,
				s->min_ns, s->max_ns, s->off_ns, s->irq_ns);
		if (i && s->total_ns > s[-1].total_ns && !bad++ && out)
			fprintf(out, "sums: %s stands below %s\n", s->func, s[-1].func);
		if (tl_sum(log, s->func) != s && !bad++ && out)
			fprintf(out, "sums: %s is there twice\n", s->func);
	}
	if ((long long)(timed + untimed) != tl_num(log, "Number of entries after filters") &&
	    !bad++ && out)
		fprintf(out, "sums: %" PRIu64 " calls and %" PRIu64 " without times, the header says %lld\n",
			timed, untimed, tl_num(log, "Number of entries after filters"));
	return bad;
}
