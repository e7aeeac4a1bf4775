// SPDX-License-Identifier: GPL-2.0
// Reads the data of a log. Their form is told in kd_html.h.
// Numbers of names: holes, then tasks by their tracks, then functions.
const OFF = 0, IRQ = 1, TASK = 2;
let FUNCTION = 2;
const OPEN = 1, UNWOUND = 2, NOTIME = 3, WHY = 3, CPU = 4;
// Found here: a call directly below has no duration; the self time is a best guess.
const UNKNOWN_BELOW = 8, GUESS = 16;
const COLUMNS = 8, MARKS_AT = 2, SWITCHES_AT = 5, WAKES_AT = 9, TRACKS_AT = 13;

class Column {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}
	next() {
		const b = this.bytes;
		let x = b[this.at++];
		if (x < 128)
			return x;
		let v = x & 127, unit = 128;
		for (;;) {
			x = b[this.at++];
			if (x === undefined)
				throw new Error('the data of this page is cut off');
			if (x < 128)
				return v + x * unit;
			v += (x & 127) * unit;
			unit *= 128;
		}
	}
	signed() {
		const v = this.next();
		return v % 2 ? -(v + 1) / 2 : v / 2;
	}
	known() {
		const v = this.next();
		return v === 0 ? NaN : v % 2 ? (v - 1) / 2 : -v / 2;
	}
	more() {
		return this.at < this.bytes.length;
	}
}

function readNames(bytes) {
	const c = new Column(bytes), names = [];
	while (c.more()) {
		const n = c.next();
		names.push(shown(utf8.decode(bytes.subarray(c.at, c.at + n))));
		c.at += n;
	}
	return names;
}

const countNumbers = (bytes) => {
	let n = 0;
	for (let i = 0; i < bytes.length; i++)
		n += bytes[i] < 128;
	return n;
};

// Of each call by its number: begin, end, function, caller (-1: none), level from 0, track, flags,
// CPU, and nanoseconds: self, off and irq with those of the calls below. NaN: unknown.
let S, E, F, P, D, T, X, C, SELF, OFFNS, IRQNS, DROPPED;
// One log, or the old and the new one: calls from first up to last are its.
let logs;
let names, lines, tracks, calls = 0;
// Wake-ups, in order of time in each log: when, when the task ran, and the tracks of both.
let wakes = [];

function readTrack(t, columns, funcs) {
	const [ended, func, time, flags, dropped, off, irq, left] = columns;
	const stack = [];
	let now = 0, cpu = -1;
	t.first = calls;
	t.levels = 0;
	const end = () => {
		const i = stack.pop(), above = stack.length ? stack[stack.length - 1] : -1;
		now += time.next();
		E[i] = now;
		if (F[i] < FUNCTION)
			return;
		const length = X[i] & WHY ? NaN : E[i] - S[i], below = SELF[i];
		const offHere = off.known(), irqHere = irq.known(), leftHere = left.known();
		OFFNS[i] += offHere;
		IRQNS[i] += irqHere;
		SELF[i] = length - below - offHere - irqHere - leftHere;
		// Of a historic log, as much as is known.
		if (SELF[i] !== SELF[i] && !(X[i] & WHY)) {
			SELF[i] = Math.max(0, length - below);
			if (length < below || X[i] & UNKNOWN_BELOW)
				X[i] |= GUESS;
		}
		if (above < 0)
			return;
		if (X[i] & WHY)
			X[above] |= UNKNOWN_BELOW;
		if (length >= 0)
			SELF[above] += length;
		if (OFFNS[i] >= 0) {
			OFFNS[above] += OFFNS[i];
			IRQNS[above] += IRQNS[i];
		}
	};
	while (func.more()) {
		for (let n = ended.next(); n > 0; n--)
			end();
		const i = calls++;
		now += time.next();
		S[i] = now;
		F[i] = funcs(func.next());
		T[i] = t.number;
		P[i] = stack.length ? stack[stack.length - 1] : -1;
		D[i] = stack.length;
		if (F[i] >= FUNCTION) {
			X[i] = flags.next();
			if (X[i] & CPU)
				cpu = flags.signed();
			DROPPED[i] = dropped.next();
		}
		C[i] = cpu;
		stack.push(i);
		if (stack.length > t.levels)
			t.levels = stack.length;
	}
	while (stack.length)
		end();
	t.last = calls;
}

const isTimed = (i) => !(X[i] & WHY);
const isGuess = (i) => X[i] & GUESS;

function readMarks(log, texts) {
	const [time, track, text] = log.columns(MARKS_AT, 3);
	const list = [];
	let now = 0;
	while (time.more()) {
		now += time.signed();
		const t = tracks[log.track + track.next()];
		t.marks++;
		list.push({ at: now, track: t, text: texts[text.next()] });
	}
	return list.sort((a, b) => a.at - b.at);
}

function readWakes(log) {
	const [time, delay, from, to] = log.columns(WAKES_AT, 4);
	const list = [];
	let now = 0;
	while (time.more()) {
		now += time.signed();
		list.push({ at: now, ran: now + delay.next(), from: tracks[log.track + from.next()],
			to: tracks[log.track + to.next()] });
	}
	return list.sort((a, b) => a.at - b.at);
}

// Which task a CPU had, as parts of a track. Where marks of switches are missing there is a hole.
function readSwitches(log) {
	const [time, cpu, from, to] = log.columns(SWITCHES_AT, 4);
	const cpus = new Map();
	let now = 0;
	const task = (n) => n ? tracks[log.track + n - 1] : null;
	while (time.more()) {
		now += time.signed();
		const n = cpu.next(), left = task(from.next()), next = task(to.next());
		let runs = cpus.get(n);
		if (!runs)
			cpus.set(n, runs = { list: [], has: left, since: left && left.last > left.first ?
				Math.min(S[left.first], now) : now });
		if (runs.has && runs.has === left)
			runs.list.push([runs.since, now, left]);
		runs.has = next;
		runs.since = now;
	}
	for (const [n, runs] of [...cpus].sort((a, b) => a[0] - b[0])) {
		if (runs.has)
			runs.list.push([runs.since, Math.max(runs.since, log.info.end), runs.has]);
		const t = { name: 'cpu ' + n + ': tasks', number: tracks.length, log, marks: 0, ctx: 0, cpu: n,
			runs: true, first: calls, levels: 1 };
		for (const [a, b, of] of runs.list) {
			S[calls] = a;
			E[calls] = b;
			F[calls] = TASK + of.number;
			P[calls] = -1;
			T[calls] = t.number;
			C[calls++] = n;
		}
		t.last = calls;
		tracks.push(t);
	}
}

// Rows: the calls of a level of a track, in order of time, so that what lies between two pixels is
// found by its ends.
let rowAt, RI, RS, RE, RD, RC;

function makeRows() {
	let rows = 0;
	for (const t of tracks) {
		t.row = rows;
		rows += t.levels;
	}
	rowAt = new Uint32Array(rows + 1);
	for (let i = 0; i < calls; i++)
		rowAt[tracks[T[i]].row + D[i] + 1]++;
	for (let r = 0; r < rows; r++)
		rowAt[r + 1] += rowAt[r];
	const next = rowAt.slice();
	RI = new Uint32Array(calls);
	for (const t of tracks)
		for (let i = t.first; i < t.last; i++)
			RI[next[t.row + D[i]]++] = i;
	RS = new Float64Array(calls);
	RE = new Float64Array(calls);
	RD = new Float64Array(calls + 1);
	RC = new Uint32Array(calls + 1);
	for (let k = 0; k < calls; k++) {
		const i = RI[k];
		RS[k] = S[i];
		RE[k] = E[i];
		RD[k + 1] = RD[k] + E[i] - S[i];
		RC[k + 1] = RC[k] + (F[i] >= TASK ? 1 : 0);
	}
}

// Functions of all logs get one number for each name.
function readFunctions(log, known) {
	const own = readNames(log.sections[0]), source = log.info.lines || [];
	log.funcs = own.map((name, n) => {
		const old = log.number ? known.get(name) : undefined;
		const f = old === undefined ? names.length : old;
		if (old === undefined)
			names.push(name);
		if (!known.has(name))
			known.set(name, f);
		lines[f] = lines[f] || textOf(source[n]);
		return f;
	});
}

function read(all) {
	const known = new Map();
	let n = 0;
	tracks = [];
	lines = [];
	logs = all.map((sections, number) => {
		const info = JSON.parse(utf8.decode(sections[sections.length - 1]));
		const log = { number, info, sections, track: tracks.length,
			word: all.length < 2 ? '' : number ? 'new' : 'old',
			columns: (at, count) => sections.slice(at, at + count).map((s) => new Column(s)) };
		for (const t of info.tracks)
			tracks.push({ ...t, name: textOf(t.name), number: tracks.length, log, marks: 0 });
		for (let t = 0; t < info.tracks.length; t++)
			n += countNumbers(sections[TRACKS_AT + COLUMNS * t + 1]);
		n += 2 * countNumbers(sections[SWITCHES_AT]);
		return log;
	});
	names = ['(switched out)', '(interrupts)', ...tracks.map((t) => t.name)];
	FUNCTION = names.length;
	S = new Float64Array(n); E = new Float64Array(n); F = new Uint32Array(n);
	P = new Int32Array(n); D = new Uint16Array(n); T = new Uint32Array(n);
	X = new Uint8Array(n); C = new Int16Array(n); SELF = new Float64Array(n);
	OFFNS = new Float64Array(n); IRQNS = new Float64Array(n); DROPPED = new Uint32Array(n);
	for (const log of logs) {
		readFunctions(log, known);
		const funcs = (code) => code < TASK ? code : log.funcs[code - TASK];
		log.first = calls;
		for (let t = 0; t < log.info.tracks.length; t++)
			readTrack(tracks[log.track + t], log.columns(TRACKS_AT + COLUMNS * t, COLUMNS), funcs);
		log.last = calls;
		log.marks = readMarks(log, readNames(log.sections[1]));
		log.wakes = readWakes(log);
		for (const r of log.info.boot.rows || [])
			r.log = log;
		log.messages = (log.info.boot.rows || []).filter((r) => r.part === 'printk').map((r) => ({
			at: r.entry_ns === null ? 0 : r.entry_ns, text: textOf(r.function),
			when: cellsOfBoot.e[1](r) }));
	}
	for (const log of logs)
		readSwitches(log);
	makeRows();
}
