// SPDX-License-Identifier: GPL-2.0
// Unpacks the data of the page. Their form is told in kd_html.h.
const $ = (id) => document.getElementById(id);
const OFF = 0, IRQ = 1, FUNCTION = 2;
const OPEN = 1, UNWOUND = 2, NOTIME = 3, WHY = 3, CPU = 4;
// Found here: a call directly below has no duration; the self time is a best guess.
const UNKNOWN_BELOW = 8, GUESS = 16;
const COLUMNS = 8, MARKS_AT = 2, TRACKS_AT = 5;

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

// Characters that cannot be seen, or turn the text around them, become visible.
const shown = (text) => text.replace(
	/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, '\ufffd');
const utf8 = new TextDecoder();

// In JSON each byte of a name is a character.
function textOf(s) {
	return s && shown(utf8.decode(Uint8Array.from(s, (c) => c.charCodeAt(0))));
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

async function unpack() {
	const element = $('data');
	const packed = atob(element.textContent.trim());
	const bytes = new Uint8Array(packed.length);
	for (let i = 0; i < packed.length; i++)
		bytes[i] = packed.charCodeAt(i);
	element.remove();
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
	const all = new Uint8Array(await new Response(stream).arrayBuffer());
	const view = new DataView(all.buffer), sections = [];
	for (let at = 0; at < all.length;) {
		const n = view.getUint32(at, true);
		sections.push(all.subarray(at + 4, at + 4 + n));
		at += 4 + n;
	}
	return sections;
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
let info, names, lines, tracks, marks, calls = 0;

function readTrack(t, columns) {
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
		F[i] = func.next();
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

function readMarks(sections, texts) {
	const [time, track, text] = sections.map((s) => new Column(s));
	const list = [];
	let now = 0;
	while (time.more()) {
		now += time.signed();
		list.push({ at: now, track: track.next(), text: texts[text.next()] });
	}
	return list.sort((a, b) => a.at - b.at);
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
		RC[k + 1] = RC[k] + (F[i] >= FUNCTION ? 1 : 0);
	}
}

function read(sections) {
	info = JSON.parse(utf8.decode(sections[sections.length - 1]));
	names = ['(switched out)', '(interrupts)', ...readNames(sections[0])];
	lines = (info.lines || []).map(textOf);
	tracks = info.tracks.map((t, number) => ({ ...t, name: textOf(t.name), number, marks: 0 }));
	const columns = tracks.map((t) => sections.slice(TRACKS_AT + COLUMNS * t.number,
		TRACKS_AT + COLUMNS * (t.number + 1)));
	let n = 0;
	for (const c of columns)
		n += countNumbers(c[1]);
	S = new Float64Array(n); E = new Float64Array(n); F = new Uint32Array(n);
	P = new Int32Array(n); D = new Uint16Array(n); T = new Uint32Array(n);
	X = new Uint8Array(n); C = new Int16Array(n); SELF = new Float64Array(n);
	OFFNS = new Float64Array(n); IRQNS = new Float64Array(n); DROPPED = new Uint32Array(n);
	for (const t of tracks)
		readTrack(t, columns[t.number].map((s) => new Column(s)));
	marks = readMarks(sections.slice(MARKS_AT, MARKS_AT + 3), readNames(sections[1]));
	for (const m of marks)
		tracks[m.track].marks++;
	makeRows();
}
