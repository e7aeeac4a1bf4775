// SPDX-License-Identifier: GPL-2.0
/* Marks and rows of watches: what goes in comes out, and what is none is not read as one. */
#include <stdlib.h>

#include "check.h"
#include "core/call.h"

#define TEXT	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

u64 kfi_now(void)
{
	return 5000;
}

struct row {
	struct kfi_event e;
	unsigned int words;
};

static const struct row rows[] = {
	{ { .kind = KFI_EVENT_SYSCALL, .time = 1, .value = 20, .pid = 7 }, 7 },
	{ { .kind = KFI_EVENT_SYSRET, .time = ~0ull, .value = -1, .pid = KFI_PID_MAX,
	    .ctx = KFI_CTX_NMI }, 7 },
	{ { .kind = KFI_EVENT_SYSRET, .value = INT64_MIN }, 7 },
	{ { .kind = KFI_EVENT_INITCALL, .time = 1ull << 40, .value = -19, .func = 0xc0008000 }, 11 },
	{ { .kind = KFI_EVENT_STACK, .time = 9, .func = 1ull << 63, .site = ~0ull, .depth = 65535,
	    .ctx = KFI_CTX_HARDIRQ, .value = 100 }, 11 },
	{ { .kind = KFI_EVENT_MARK, .time = 9, .text = TEXT, .len = 1 }, 8 },
	{ { .kind = KFI_EVENT_MARK, .time = 9, .text = TEXT, .len = 4 }, 8 },
	{ { .kind = KFI_EVENT_MARK, .time = 9, .text = TEXT, .len = 5 }, 9 },
	{ { .kind = KFI_EVENT_MARK, .time = 9, .text = TEXT, .len = KFI_EVENT_TEXT_MAX }, 27 },
	{ { .kind = KFI_EVENT_PREEMPT, .time = 9, .value = 3, .text = TEXT, .len = 5 }, 9 },
	{ { .kind = KFI_EVENT_NEW, .time = 9, .value = 4, .text = TEXT, .len = 15 }, 11 },
	{ { .kind = KFI_EVENT_EXEC, .time = 9, .text = TEXT, .len = 1 }, 8 },
	{ { .kind = KFI_EVENT_WAKEUP, .time = 9, .value = 5, .ctx = KFI_CTX_HARDIRQ }, 7 },
	{ { .kind = KFI_EVENT_WAKEUP, .time = 9, .value = KFI_PID_MAX, .text = TEXT, .len = 4,
	    .nfuncs = 1 }, 8 },
	{ { .kind = KFI_EVENT_WAKEUP, .time = 9, .value = 1, .text = TEXT, .len = 64,
	    .nfuncs = 8 }, 23 },
	{ { .kind = KFI_EVENT_LEVEL, .time = 9, .text = TEXT, .len = KFI_EVENT_TEXT_MAX, .func = 1,
	    .site = 2 }, KFI_REC_WORDS_MAX },
};

static bool same(const struct kfi_event *a, const struct kfi_event *b)
{
	return a->kind == b->kind && a->time == b->time && a->value == b->value &&
	       a->func == b->func && a->site == b->site && a->pid == b->pid &&
	       a->depth == b->depth && a->ctx == b->ctx && a->len == b->len &&
	       a->nfuncs == b->nfuncs &&
	       (!a->len || !memcmp(a->text, b->text, a->len));
}

static void round_trip(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct kfi_event *e = &rows[i].e;
		u32 w[KFI_REC_WORDS_MAX + 1] = { 0 };
		unsigned int words = kfi_event_words(e);
		struct kfi_rec r = { .cpu = 3 };
		struct kfi_event got = { .cpu = 3 };

		CHECK_EQ(words, rows[i].words);
		kfi_event_encode(w, words, e);
		CHECK_EQ(w[words], 0);
		CHECK(kfi_event_decode(w, &got));
		CHECK(same(e, &got));
		CHECK_EQ(got.cpu, 3);
		/* As one among calls. */
		CHECK_EQ(kfi_rec_decode(w, words, &r, 0, 0), words);
		CHECK_EQ(r.event, e->kind);
		CHECK_EQ(r.entry, e->time);
		CHECK_EQ(r.exit, e->time);
		CHECK_EQ(r.func, e->func);
		CHECK_EQ(r.site, e->site);
		CHECK_EQ(r.pid, e->pid);
		CHECK_EQ(r.cpu, 3);
		CHECK_EQ(r.depth, e->depth);
		CHECK_EQ(r.ctx, e->ctx);
		CHECK_EQ(r.marks, (e->kind == KFI_EVENT_STACK ? KFI_MARK_STACK : 0) |
				  (e->time ? 0 : KFI_MARK_NOTIME));
		CHECK_EQ(kfi_rec_decode(w, words - 1, &r, 0, 0), 0);
	}
}

/* As many functions as there are, near the text base or one of them far from it. */
static void functions(void)
{
	const u64 text = 0xffffffff81000000;
	u32 n, far, i;

	for (n = 0; n <= KFI_EVENT_FUNCS_MAX; n++) {
		for (far = 0; far < 2; far++) {
			struct kfi_event e = { .kind = KFI_EVENT_WAKEUP, .value = 7 }, got = { 0 };
			unsigned long funcs[KFI_EVENT_FUNCS_MAX];
			u32 w[KFI_REC_WORDS_MAX + 1] = { 0 }, room[KFI_EVENT_FUNC_WORDS];
			unsigned int words;

			for (i = 0; i < n; i++)
				funcs[i] = text + (i & 1 ? -16ul : 16ul) * i;
			if (far && n)
				funcs[n - 1] = text + (1ul << 31);
			kfi_event_set_funcs(&e, room, funcs, n, text);
			words = kfi_event_words(&e);
			CHECK_EQ(words, 7 + n * (1 + far));
			kfi_event_encode(w, words, &e);
			CHECK_EQ(w[words], 0);
			CHECK(kfi_event_decode(w, &got));
			CHECK_EQ(got.nfuncs, n);
			CHECK_EQ(got.value, 7);
			for (i = 0; i < n; i++)
				CHECK_EQ(kfi_event_func(&got, i, text), funcs[i]);
		}
	}
}

static void no_event(void)
{
	const struct kfi_event e = { .kind = KFI_EVENT_MARK, .text = TEXT, .len = 8 };
	const u32 wrong[] = {
		KFI_EXT_EVENT | KFI_EVENT_MARK << 8 | 9 << 16,			/* a longer text */
		KFI_EXT_EVENT | KFI_EVENT_MARK << 8 | 4 << 16,			/* a shorter one */
		KFI_EXT_EVENT | KFI_EXT_FAR | KFI_EVENT_MARK << 8 | 8 << 16,	/* functions */
		KFI_EXT_EVENT | 8 << 16,					/* no kind */
		KFI_EXT_EVENT | KFI_EVENTS << 8 | 8 << 16,			/* a later one */
		KFI_EVENT_MARK << 8 | 8 << 16,					/* not said to be one */
	};
	u32 w[KFI_REC_WORDS_MAX] = { 0 }, i;
	struct kfi_event got;
	struct kfi_rec r;

	kfi_event_encode(w, kfi_event_words(&e), &e);
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		w[6] = wrong[i];
		CHECK(!kfi_event_decode(w, &got));
		CHECK_EQ(kfi_rec_decode(w, ARRAY_SIZE(w), &r, 0, 0), 0);
	}
	/* A text of more bytes than there can be, in a record as long as it says. */
	w[0] = (w[0] & ~31u) | 28;
	w[6] = KFI_EXT_EVENT | KFI_EVENT_MARK << 8 | 84 << 16;
	CHECK(!kfi_event_decode(w, &got));
	/* Functions that are not as many bytes, or too many. */
	w[0] = (w[0] & ~31u) | 16;
	w[6] = KFI_EXT_EVENT | KFI_EVENT_WAKEUP << 8 | 36 << 16;
	for (i = 0; i <= 255; i++) {
		w[5] = i << 16;
		CHECK_EQ(kfi_event_decode(w, &got), !i);
	}
	w[0] = (w[0] & ~31u) | 15;
	w[6] = KFI_EXT_EVENT | KFI_EVENT_WAKEUP << 8 | 32 << 16;
	for (i = 0; i <= 255; i++) {
		w[5] = i << 16;
		CHECK_EQ(kfi_event_decode(w, &got), !i || i == 8 || i == 4);
	}
}

static struct kfi_run run = { .id = 1 };
static struct kfi_cpu cpu;
/* Chunks of 122 words. */
static u64 memory[3][sizeof(struct kfi_chunk) / 8 + 61];
static struct kfi_chunk *chunks[3] = { (struct kfi_chunk *)memory[0],
				       (struct kfi_chunk *)memory[1],
				       (struct kfi_chunk *)memory[2] };

static void set_up(u32 nchunks)
{
	memset(memory, 0, sizeof(memory));
	memset(&cpu, 0, sizeof(cpu));
	run = (struct kfi_run) { .id = 1, .stop_at = U64_MAX, .stop_after = U64_MAX };
	run.filter.max = U64_MAX;
	run.filter.ctx_mask = 0xf;
	kfi_ring_init(&run.ring, chunks, nchunks, sizeof(memory[0]), 0);
	kfi_ring_cpu_init(&cpu.ring);
	kfi_run_start(&run, KFI_BY_USER, 0);
}

/* Among calls in a ring. */
static void in_the_ring(void)
{
	const struct kfi_event e = { .kind = KFI_EVENT_MARK, .time = 3, .text = TEXT, .len = 80,
				     .pid = 9 };
	const struct kfi_rec call = { .func = 5, .site = 6, .entry = 1, .exit = 4, .pid = 9,
				      .depth = 1 };
	struct kfi_event got;
	struct kfi_rec r;
	u32 at;

	set_up(1);
	kfi_call_write(&run, &cpu, 2, &call);
	kfi_call_event(&run, &cpu, 2, &e);
	kfi_call_write(&run, &cpu, 2, &call);
	kfi_call_event(&run, &cpu, 2, &e);
	CHECK_EQ(kfi_count_read(&cpu, KFI_MARKS_KEPT), 2);
	at = kfi_ring_read(&run.ring, 0, 0, &r);
	CHECK_EQ(at, KFI_REC_PACKED);
	CHECK_EQ(r.event, KFI_EVENT_NONE);
	CHECK(!kfi_ring_event(&run.ring, 0, 0, &got));
	CHECK_EQ(kfi_ring_read(&run.ring, 0, at, &r), 27);
	CHECK_EQ(r.event, KFI_EVENT_MARK);
	CHECK(kfi_ring_event(&run.ring, 0, at, &got));
	CHECK(same(&e, &got));
	CHECK_EQ(got.cpu, 2);
	at += 27;
	CHECK_EQ(kfi_ring_read(&run.ring, 0, at, &r), KFI_REC_PACKED);
	CHECK_EQ(r.event, KFI_EVENT_NONE);
}

/* Marks take half of a log; those after that are counted, and no end of the run. Calls take all. */
static void quota(void)
{
	const struct kfi_event mark = { .kind = KFI_EVENT_MARK, .time = 3, .text = TEXT,
					.len = 80 };
	const struct kfi_event small = { .kind = KFI_EVENT_SYSRET, .time = 3 };
	const struct kfi_rec call = { .func = 5, .site = 6, .entry = 1, .exit = 4, .depth = 1 };
	int i;

	/* 61 of 122 words: two marks of 27. After one that is lost a smaller one is lost, too. */
	set_up(1);
	for (i = 0; i < 5; i++)
		kfi_call_event(&run, &cpu, 2, &mark);
	kfi_call_event(&run, &cpu, 2, &small);
	CHECK_EQ(kfi_count_read(&cpu, KFI_MARKS_KEPT), 2);
	CHECK_EQ(kfi_count_read(&cpu, KFI_MARKS_LOST), 4);
	CHECK_EQ(atomic_read(&run.state), KFI_TRIGGERED);
	/* 68 words are left: 13 calls. */
	for (i = 0; i < 13; i++)
		CHECK(kfi_call_write(&run, &cpu, 2, &call));
	CHECK_EQ(atomic_read(&run.state), KFI_TRIGGERED);
	CHECK(!kfi_call_write(&run, &cpu, 2, &call));
	CHECK_EQ(atomic_read(&run.state), KFI_COMPLETE);
	CHECK_EQ(run.stop.cause, KFI_BY_FULL);

	/* The log is full of calls: a mark is lost, and the run goes on. */
	set_up(1);
	for (i = 0; i < 24; i++)
		CHECK(kfi_call_write(&run, &cpu, 2, &call));
	kfi_call_event(&run, &cpu, 2, &small);
	CHECK_EQ(kfi_count_read(&cpu, KFI_MARKS_KEPT), 0);
	CHECK_EQ(kfi_count_read(&cpu, KFI_MARKS_LOST), 1);
	CHECK_EQ(atomic_read(&run.state), KFI_TRIGGERED);

	/* Of a log that overwrites they may take all: 3 chunks have room for 4 marks each. */
	set_up(3);
	run.ring.wrap = true;
	for (i = 0; i < 100; i++)
		kfi_call_event(&run, &cpu, 2, &mark);
	CHECK_EQ(kfi_count_read(&cpu, KFI_MARKS_KEPT), 100);
	CHECK_EQ(kfi_count_read(&cpu, KFI_MARKS_LOST), 0);

	/* Rows of a watch are none: they make the log full. */
	set_up(1);
	for (i = 0; i < 100; i++)
		kfi_call_event(&run, &cpu, 2, &(struct kfi_event) {
			.kind = KFI_EVENT_STACK, .time = 3, .func = 1, .site = 2,
		});
	CHECK_EQ(kfi_count_read(&cpu, KFI_WATCH_KEPT), 11);
	CHECK_EQ(kfi_count_read(&cpu, KFI_MARKS_LOST), 0);
	CHECK_EQ(atomic_read(&run.state), KFI_COMPLETE);
}

/* A call at the very end of a chunk: there is no word 6 to be looked at. */
static void at_the_end(void)
{
	const struct kfi_rec call = { .func = 5, .site = 6, .entry = 1, .exit = 4, .depth = 1 };
	struct kfi_chunk *c = calloc(1, sizeof(*c) + 60 * sizeof(u32));
	struct kfi_ring_cpu rc = { NULL };
	struct kfi_ring ring;
	struct kfi_event e;
	int i;

	kfi_ring_init(&ring, &c, 1, sizeof(*c) + 60 * sizeof(u32), 0);
	kfi_ring_cpu_init(&rc);
	for (i = 0; i < 10; i++)
		CHECK(kfi_ring_write(&ring, &rc, 0, &call));
	CHECK(!kfi_ring_event(&ring, 0, 54, &e));
	free(c);
}

static void kinds(void)
{
	unsigned int i;

	for (i = 0; i < KFI_EVENTS; i++) {
		const struct kfi_event_row *k = &kfi_event_kinds[i];

		CHECK(!k->word == (i == KFI_EVENT_NONE || i == KFI_EVENT_STACK));
		if (k->word)
			CHECK_EQ(strspn(k->args, "fvtsda"), strlen(k->args));
	}
}

/* Functions of events are absolute, but for those that one word each suffices for. */
static void moved(void)
{
	const unsigned long near[2] = { 0xc0010000, 0xc0020000 }, far[2] = { 0x10, 1ull << 40 };
	const u64 by = 0x1000, text = 0xc0008000;
	const struct kfi_move move = { .by = by, .text = text };

	for (int i = 0; i < 2; i++) {
		const unsigned long *funcs = i ? far : near;
		struct kfi_event e = {
			.kind = KFI_EVENT_WAKEUP, .time = 9, .func = 0xffffffff81000000, .pid = 3,
		}, got;
		u32 w[KFI_REC_WORDS_MAX] = { 0 }, text_words[4];

		kfi_event_set_funcs(&e, text_words, funcs, 2, text);
		kfi_event_encode(w, kfi_event_words(&e), &e);
		kfi_rec_move(w, &move);
		CHECK(kfi_event_decode(w, &got));
		CHECK(got.func == e.func - by && !got.site);
		CHECK(kfi_event_func(&got, 0, text - by) == funcs[0] - by);
		CHECK(kfi_event_func(&got, 1, text - by) == funcs[1] - by);
	}
	/* A text is no function. */
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		u32 w[KFI_REC_WORDS_MAX] = { 0 };
		struct kfi_event got;

		if (rows[i].e.nfuncs || rows[i].e.func)
			continue;
		kfi_event_encode(w, kfi_event_words(&rows[i].e), &rows[i].e);
		kfi_rec_move(w, &move);
		CHECK(kfi_event_decode(w, &got) && same(&rows[i].e, &got));
	}
}

/* Values may be addresses; functions may be those of modules. */
static void hidden(void)
{
	static const u64 args[2] = { 0xc0bf0000, 1 };
	const unsigned long near[2] = { 0xc0010000, 0xbf000000 }, far[2] = { 0x10, 1ull << 40 };
	const u64 text = 0xc0008000, end = 0xc0100000;
	const struct kfi_move move = { .text = text, .from = text, .end = end };
	struct kfi_event e[] = {
		{ .kind = KFI_EVENT_ARGS, .time = 9, .func = text + 8, .depth = 7, .pid = 3,
		  .text = (const char *)args, .len = sizeof(args) },
		{ .kind = KFI_EVENT_RET, .time = 9, .func = end + 8, .depth = 7, .value = -1 },
		{ .kind = KFI_EVENT_SYSRET, .time = 9, .value = -1 },
		{ .kind = KFI_EVENT_WAKEUP, .time = 9, .value = 4 },
		{ .kind = KFI_EVENT_WAKEUP, .time = 9, .value = 5 },
	}, got;
	u32 words[2][KFI_EVENT_FUNC_WORDS];

	kfi_event_set_funcs(&e[3], words[0], near, 2, text);
	kfi_event_set_funcs(&e[4], words[1], far, 2, text);
	for (unsigned int i = 0; i < ARRAY_SIZE(e); i++) {
		u32 w[KFI_REC_WORDS_MAX] = { 0 };

		kfi_event_encode(w, kfi_event_words(&e[i]), &e[i]);
		kfi_rec_move(w, &move);
		CHECK(kfi_event_decode(w, &got));
		CHECK_EQ(w[5] & KFI_EVENT_HIDDEN, i < 2 ? KFI_EVENT_HIDDEN : 0);
		CHECK_EQ(got.value, e[i].kind == KFI_EVENT_RET ? 0 : e[i].value);
		CHECK_EQ(got.func, e[i].func > end ? end : e[i].func);
		CHECK(got.depth == e[i].depth && got.len == e[i].len && got.pid == e[i].pid);
		for (u32 k = 0; e[i].kind == KFI_EVENT_ARGS && k < sizeof(args); k++)
			CHECK(!got.text[k]);
		if (!e[i].nfuncs)
			continue;
		CHECK_EQ(kfi_event_func(&got, 0, text), i == 3 ? near[0] : end);
		CHECK_EQ(kfi_event_func(&got, 1, text), end);
	}
}

static const struct check_case cases[] = {
	{ "events come out as they went in", round_trip },
	{ "what is no event is not read as one", no_event },
	{ "events with functions in the place of the text", functions },
	{ "addresses can be moved", moved },
	{ "values and addresses of modules can be hidden", hidden },
	{ "events among calls", in_the_ring },
	{ "marks have a quota, and end no run", quota },
	{ "no word is read beyond a chunk", at_the_end },
	{ "each mark has a word", kinds },
};

CHECK_MAIN(cases)
