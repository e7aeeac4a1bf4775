// SPDX-License-Identifier: GPL-2.0
// Draws the log of a page of kd --html. Names come from the log and may be anything: they go into
// the page as text only. The form of the data is told in tools/kd/html/kd_html.h.
'use strict';
(() => {
const $ = (id) => document.getElementById(id);
const OFF = 0, IRQ = 1, FUNCTION = 2;
const OPEN = 1, UNWOUND = 2, NOTIME = 3, WHY = 3, CPU = 4;
// Found here: a call directly below has no duration; the self time is a best guess.
const UNKNOWN_BELOW = 8, GUESS = 16;
const COLUMNS = 8, MARKS_AT = 2, TRACKS_AT = 5;

// The data -------------------------------------------------------------------------------------

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

// Text -----------------------------------------------------------------------------------------

const number = (v) => String(v).replace(/\B(?=(\d{3})+$)/g, '\u202f');

function time(ns) {
	if (ns !== ns || ns === null)
		return '?';
	const a = Math.abs(ns);
	if (a < 1000)
		return ns + ' ns';
	if (a < 1e6)
		return (ns / 1e3).toFixed(a < 1e4 ? 3 : a < 1e5 ? 2 : 1) + ' \u00b5s';
	return a < 1e9 ? (ns / 1e6).toFixed(a < 1e7 ? 3 : a < 1e8 ? 2 : 1) + ' ms' :
		(ns / 1e9).toFixed(3) + ' s';
}

// A moment, as exact as a pixel is.
function moment(ns, step) {
	const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / 1e9) - 1e-9)));
	return (ns / 1e9).toFixed(digits) + ' s';
}

const exact = (ns) => ns !== ns || ns === null ? '?' : number(Math.round(ns)) + ' ns';
const plural = (n, what) => number(n) + ' ' + what + (n === 1 ? '' : 's');
const whyOpen = (i) => ({ [OPEN]: 'not returned', [UNWOUND]: 'an outer call returned first',
	[NOTIME]: 'entered before the clock ran' })[X[i] & WHY];

function make(tag, options, ...children) {
	const e = document.createElement(tag);
	for (const [key, value] of Object.entries(options || {})) {
		if (key === 'text')
			e.textContent = value;
		else if (key === 'click')
			e.addEventListener('click', value);
		else
			e.setAttribute(key, value);
	}
	e.append(...children);
	return e;
}

const say = (text) => { $('said').textContent = text; };

// The timeline ---------------------------------------------------------------------------------

const GUTTER = 168, RULER = 22, BAND = 18, ROW = 17, GAP = 7, FEW = 4, SHORT = 3;
const canvas = $('canvas'), g = canvas.getContext('2d', { alpha: false });
let width = 0, height = 0, ratio = 1;
let begin = 0, end = 1;			// the log
let t0 = 0, t1 = 1, top = 0;		// what is seen of it
let selected = -1, selectedBand = null, pointer = null, ruler = null;
let bands = [], order = [], charWidth = 7, colors;
let animation = null;
const frames = [];

const light = {
	back: '#ffffff', gutter: '#f6f7f9', text: '#1c2128', dim: '#5c6570', line: '#d5d9df',
	call: ['#b9d7f5', '#c8e6c0', '#f7d9b0', '#dfcdf2', '#bfe5e3', '#f5c9cf', '#d6e3a8',
		'#c9d0f3', '#f2d2e8', '#e5dcc5', '#b4dfcb', '#f0c7b5'],
	block: ['#e3e6ea', '#d1d6dc', '#bcc3cb', '#a4adb8'], hit: '#ffd400', hitText: '#000000',
	select: '#0b5cad', off: '#8a94a0', ink: '#15181c', measure: '#b3261e', open: '#b3261e',
	kind: { ran: '#7bbf6a', runnable: '#f0b93a', preempted: '#ec8f4c', timer: '#6aa7dd',
		device: '#a98ad8', grace_period: '#5bb8b0', cpu_up: '#d58ab8', unknown_wait: '#b7bec7',
		ran_or_waited: '#a7c59c', unknown: '#c9ced5' },
	phase: ['#dce8f6', '#e9e3f4'],
};
const dark = {
	back: '#14171c', gutter: '#1b1f26', text: '#e3e7ec', dim: '#9aa4b0', line: '#343b45',
	call: ['#27507a', '#2f5d33', '#70501f', '#543a78', '#1f5f5d', '#74333d', '#515f1f',
		'#3a4386', '#6b3459', '#5d543a', '#24604a', '#73402b'],
	block: ['#2a3038', '#363d47', '#454d59', '#58616e'], hit: '#ffd400', hitText: '#000000',
	select: '#6fb1ff', off: '#7d8794', ink: '#eef1f4', measure: '#ff8a80', open: '#ff8a80',
	kind: { ran: '#3f7d33', runnable: '#93690c', preempted: '#9c5018', timer: '#2d6296',
		device: '#654699', grace_period: '#24716a', cpu_up: '#8a3f6c', unknown_wait: '#565f6a',
		ran_or_waited: '#52704a', unknown: '#444c56' },
	phase: ['#22344a', '#332b48'],
};
const scheme = matchMedia('(prefers-color-scheme: dark)');

const kindText = { ran: 'ran', runnable: 'runnable: waited for a CPU', preempted: 'preempted',
	timer: 'waited for a timer', device: 'waited for a device', grace_period:
	'waited for an RCU grace period', cpu_up: 'a CPU was started', unknown_wait:
	'waited, unknown for what', ran_or_waited: 'ran or waited', unknown: 'unknown' };

function hash(text) {
	let h = 2166136261;
	for (let i = 0; i < text.length; i++)
		h = Math.imul(h ^ text.charCodeAt(i), 16777619);
	return (h ^ h >>> 13) >>> 0;
}

let colorOf;

function setColors() {
	colors = scheme.matches ? dark : light;
	const p = document.createElement('canvas');
	p.width = p.height = 6;
	const q = p.getContext('2d');
	q.strokeStyle = colors.off;
	q.beginPath();
	q.moveTo(-1, 7); q.lineTo(7, -1);
	q.moveTo(-1, 1); q.lineTo(1, -1);
	q.moveTo(5, 7); q.lineTo(7, 5);
	q.stroke();
	colors.hatch = g.createPattern(p, 'repeat');
	draw();
}

const pathRows = () => (info.boot.rows || []).filter((r) => r.part === 'path');

// What stands above the tracks.
function makeBands() {
	const phases = (info.boot.rows || []).filter((r) => r.part === 'phase');
	bands = [];
	if (phases.length)
		bands.push({ name: 'Phases, initcall levels', parts: phases.map((r, n) => ({
			from: r.entry_ns, to: r.entry_ns + r.length_ns, text: textOf(r.function),
			color: () => colors.phase[n % 2], row: r })) });
	const path = pathRows();
	if (path.length)
		bands.push({ name: 'Critical path', parts: path.map((r) => ({
			from: r.entry_ns, to: r.entry_ns + r.length_ns, row: r,
			text: [textOf(r.function) || '-', textOf(r.task) || '(several)',
				kindText[r.kind]].join(' \u00b7 '),
			color: () => colors.kind[r.kind] || colors.kind.unknown })) });
	if (marks.length)
		bands.push({ name: plural(marks.length, 'mark'), marks: true });
}

// Tasks of the boot, other tasks by their time, idle tasks, interrupts.
function makeOrder() {
	const busy = (t) => {
		let sum = 0;
		for (let k = t.levels ? rowAt[t.row] : 0; t.levels && k < rowAt[t.row + 1]; k++) {
			const i = RI[k];
			sum += RE[k] - RS[k] - (OFFNS[i] > 0 ? OFFNS[i] : 0);
		}
		return sum;
	};
	for (const t of tracks) {
		t.rank = t.ctx ? 4 : t.pid === undefined ? (t.number ? 3 : 0) : t.pid === 1 ? 1 : 2;
		t.busy = t.rank === 2 ? busy(t) : 0;
		t.shown = Math.min(t.levels, t.rank < 2 ? 3 * FEW : FEW);
		if (t.levels <= t.shown + 1)
			t.shown = t.levels;
	}
	order = tracks.filter((t) => t.levels || t.marks)
		.sort((a, b) => a.rank - b.rank || b.busy - a.busy || a.number - b.number);
}

function layout() {
	let y = 0;
	for (const t of order) {
		t.y = y;
		t.height = Math.max(1, t.shown) * ROW;
		y += t.height + GAP;
	}
	return y;
}

const tracksTop = () => RULER + bands.length * BAND + 4;
const xOf = (t) => GUTTER + (t - t0) * (width - GUTTER) / (t1 - t0);
const timeAt = (x) => t0 + (x - GUTTER) * (t1 - t0) / (width - GUTTER);

// First place from @k on, below @hi, whose call begins at @t or later.
function gallop(k, hi, t) {
	let step = 1, lo = k;
	while (k < hi && RS[k] < t) {
		lo = k + 1;
		k += step;
		step *= 2;
	}
	if (k > hi)
		k = hi;
	while (lo < k) {
		const mid = (lo + k) >>> 1;
		if (RS[mid] < t)
			lo = mid + 1;
		else
			k = mid;
	}
	return lo;
}

// What is drawn: rectangles by colour, then labels. A label is of a call, or of a block.
let rects = new Map(), labels = [], nextLabel = 0, blocks = [], alone = 0, aloneHits = 0;

function rect(color, x, y, w, h) {
	let list = rects.get(color);
	if (!list)
		rects.set(color, list = []);
	list.push(x, y, w, h);
}

function label(text, x, w, y, color) {
	if (w > 20)
		labels.push({ text, x, w, y, color });
}

function drawCall(k, y) {
	const i = RI[k], from = Math.max(xOf(RS[k]), GUTTER - 4), to = Math.min(xOf(RE[k]), width + 4);
	const w = Math.max(to - from, 1);
	if (F[i] < FUNCTION) {
		rect(colors.back, from, y + 1, w, ROW - 2);
		rect(colors.hatch, from, y + 1, w, ROW - 2);
		const room = names[F[i]].length * charWidth + 8, x = Math.max(from, GUTTER);
		if (to - x > room + 8) {
			rect(colors.back + ' ', x, y + 1, room, ROW - 2);
			label(names[F[i]], from, w, y, colors.dim);
		}
		return;
	}
	const hit = hits && hits.func[F[i]];
	alone++;
	aloneHits += hit ? 1 : 0;
	rect(hit ? colors.hit : colors.call[colorOf[F[i]]], from, y + 1, Math.max(w - 0.5, 0.75), ROW - 2);
	if (X[i] & WHY && w > 4)
		rect(colors.open, to - 2, y + 1, 2, ROW - 2);
	label(X[i] & WHY ? i + OPEN_LABEL : i, from, w, y, hit ? colors.hitText : colors.ink);
}

const OPEN_LABEL = 2 ** 40;

function drawBlock(from, k, y) {
	const a = Math.max(xOf(RS[from]), GUTTER - 4), b = Math.min(xOf(RE[k - 1]), width + 4);
	const w = Math.max(b - a, 1.5), n = RC[k] - RC[from];
	if (!n) {
		rect(colors.hatch, a, y + 1, w, ROW - 2);
		return;
	}
	const dense = (RD[k] - RD[from]) / (RE[k - 1] - RS[from] || 1);
	const hit = hits ? hits.sum[k] - hits.sum[from] : 0;
	rect(colors.block[Math.min(3, Math.floor(dense * 4))], a, y + 1, w, ROW - 2);
	if (hit)
		rect(colors.hit, a, y + ROW - 5, w, 4);
	blocks.push({ from, k, a, b: a + w, y, n, hit });
	if (w < 20)
		return;
	const texts = [number(n), plural(n, 'call')];
	if (hit)
		texts.push(texts[1] + ', ' + plural(hit, 'hit'));
	const room = (w - 7) / charWidth, fits = texts.filter((text) => text.length <= room);
	if (fits.length)
		label(fits[fits.length - 1], a, w, y, colors.text);
}

function drawRow(row, y) {
	const lo = rowAt[row], hi = rowAt[row + 1];
	const short = SHORT * (t1 - t0) / (width - GUTTER);
	let k = gallop(lo, hi, t0);
	if (k > lo && RE[k - 1] > t0)
		k--;
	while (k < hi && RS[k] < t1) {
		if (RE[k] - RS[k] >= short) {
			drawCall(k++, y);
			continue;
		}
		const from = k;
		for (;;) {
			let j = gallop(k + 1, hi, RS[k] + short);
			const long = j - 1 > k && RE[j - 1] - RS[j - 1] >= short;
			if (long)
				j--;
			k = j;
			if (long || k >= hi || RS[k] >= t1 || RS[k] - RE[k - 1] >= short ||
			    RE[k] - RS[k] >= short)
				break;
		}
		if (k - from === 1)
			drawCall(from, y);
		else
			drawBlock(from, k, y);
	}
}

function flushRects() {
	for (const [color, list] of rects) {
		g.fillStyle = color;
		for (let i = 0; i < list.length; i += 4)
			g.fillRect(list[i], list[i + 1], list[i + 2], list[i + 3]);
	}
	rects.clear();
}

// As many as there is time for; the rest comes with the next frame.
function drawLabels(deadline) {
	let color = null;
	g.font = '11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
	g.textBaseline = 'middle';
	for (; nextLabel < labels.length; nextLabel++) {
		if (nextLabel % 8 === 0 && performance.now() > deadline)
			break;
		const l = labels[nextLabel];
		const x = Math.max(l.x, GUTTER) + 4, room = Math.floor((l.x + l.w - x - 3) / charWidth);
		if (room < 2)
			continue;
		let text = l.text;
		if (typeof text === 'number')
			text = text >= OPEN_LABEL ? '? ' + names[F[text - OPEN_LABEL]] : names[F[text]];
		if (text.length > room)
			text = text.slice(0, room - 1) + '\u2026';
		if (l.color !== color)
			g.fillStyle = color = l.color;
		g.fillText(text, x, l.y + ROW / 2 + 0.5);
	}
}

function niceStep(span) {
	const raw = span / Math.max(2, (width - GUTTER) / 110), unit = 10 ** Math.floor(Math.log10(raw));
	return unit * (raw / unit <= 1 ? 1 : raw / unit <= 2 ? 2 : raw / unit <= 5 ? 5 : 10);
}

function drawRuler() {
	const step = Math.max(1, niceStep(t1 - t0));
	g.fillStyle = colors.gutter;
	g.fillRect(0, 0, width, RULER);
	g.fillStyle = colors.dim;
	for (let n = Math.ceil(t0 / step); n * step <= t1; n++) {
		const x = xOf(n * step);
		g.fillRect(x, RULER - 6, 1, 6);
		if (x + 60 < width)
			g.fillText(moment(n * step, step), x + 4, RULER / 2);
	}
	if (!hits || !hits.count)
		return;
	// All hits of the log that are in sight, whatever track they are on.
	g.fillStyle = colors.hit;
	const px = (t1 - t0) / (width - GUTTER);
	for (let k = lowerBound(hits.times, t0); k < hits.count && hits.times[k] < t1;) {
		g.fillRect(xOf(hits.times[k]), RULER - 5, 2, 5);
		k = lowerBound(hits.times, hits.times[k] + px * 2, k);
	}
}

function lowerBound(list, t, lo = 0) {
	let hi = list.length;
	while (lo < hi) {
		const mid = (lo + hi) >>> 1;
		if (list[mid] < t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

function drawMarks(band, y) {
	band.blocks = [];
	const px = (t1 - t0) / (width - GUTTER);
	let k = lowerBound(markTimes, t0);
	g.fillStyle = colors.dim;
	while (k < marks.length && marks[k].at <= t1) {
		const next = Math.max(k + 1, lowerBound(markTimes, marks[k].at + 4 * px, k));
		const x = xOf(marks[k].at);
		g.fillRect(x, y + 2, next - k > 1 ? 4 : 1.5, BAND - 5);
		band.blocks.push({ k, next, x });
		k = next;
	}
}

let markTimes;

function drawBands() {
	bands.forEach((band, n) => {
		const y = RULER + n * BAND;
		g.fillStyle = colors.back;
		g.fillRect(GUTTER, y, width - GUTTER, BAND);
		if (band.marks) {
			drawMarks(band, y);
			return;
		}
		for (const p of band.parts) {
			if (p.to < t0 || p.from > t1)
				continue;
			const a = Math.max(xOf(p.from), GUTTER), b = Math.min(xOf(p.to), width);
			g.fillStyle = p.color();
			g.fillRect(a, y + 1, Math.max(b - a - 1, 0.7), BAND - 2);
			if (selectedBand === p) {
				g.strokeStyle = colors.select;
				g.lineWidth = 2;
				g.strokeRect(a + 1, y + 2, Math.max(b - a - 2, 1), BAND - 4);
			}
			const room = Math.floor((b - a - 8) / charWidth);
			if (room > 2) {
				g.fillStyle = colors.ink;
				g.fillText(p.text.length > room ? p.text.slice(0, room - 1) + '\u2026' : p.text,
					a + 4, y + BAND / 2 + 0.5);
			}
		}
	});
}

function drawGutter() {
	const from = tracksTop();
	g.fillStyle = colors.gutter;
	g.fillRect(0, 0, GUTTER - 1, height);
	g.fillStyle = colors.line;
	g.fillRect(GUTTER - 1, 0, 1, height);
	g.fillRect(0, from - 2, width, 1);
	const fit = (text) => {
		const room = Math.floor((GUTTER - 12) / charWidth);
		return text.length > room ? text.slice(0, room - 1) + '\u2026' : text;
	};
	g.fillStyle = colors.dim;
	bands.forEach((band, n) => g.fillText(fit(band.name), 7, RULER + n * BAND + BAND / 2));
	g.save();
	g.beginPath();
	g.rect(0, from, GUTTER, height - from);
	g.clip();
	for (const t of order) {
		const y = from + t.y - top;
		if (y > height || y + t.height < from)
			continue;
		g.fillStyle = colors.text;
		g.fillText(fit((t.levels > FEW ? t.shown < t.levels ? '\u25b8 ' : '\u25be ' : '  ') + t.name),
			4, y + ROW / 2);
		if (t.shown < t.levels) {
			g.fillStyle = colors.dim;
			g.fillText(fit('   ' + t.shown + ' of ' + t.levels + ' levels'), 4, y + ROW * 1.5);
			const hidden = hits ? hits.sum[rowAt[t.row + t.levels]] - hits.sum[rowAt[t.row + t.shown]] : 0;
			if (hidden) {
				g.fillStyle = colors.text;
				g.fillText(fit('   ' + plural(hidden, 'hit') + ' below'), 4, y + ROW * 2.5);
				g.fillStyle = colors.hit;
				g.fillRect(6, y + ROW * 2 + 4, 6, ROW - 8);
			}
		}
	}
	g.restore();
}

function drawTracks() {
	const from = tracksTop();
	blocks = [];
	for (const t of order) {
		const y = from + t.y - top;
		if (y > height || y + t.height < from)
			continue;
		for (let level = 0; level < t.shown; level++) {
			const at = y + level * ROW;
			if (at + ROW > from && at < height)
				drawRow(t.row + level, at);
		}
		rect(colors.line, GUTTER, y + t.height + GAP / 2, width - GUTTER, 1);
	}
}

function drawSelection() {
	const from = tracksTop();
	if (selected >= 0) {
		const t = tracks[T[selected]];
		if (D[selected] < t.shown && t.y !== undefined) {
			const a = Math.max(xOf(S[selected]), GUTTER - 2);
			const b = Math.min(xOf(E[selected]), width + 2);
			const y = from + t.y - top + D[selected] * ROW;
			if (b >= GUTTER && a <= width && y > from - ROW) {
				g.strokeStyle = colors.select;
				g.lineWidth = 2;
				g.strokeRect(a - 1, y + 1, Math.max(b - a, 2) + 1, ROW - 2);
			}
		}
	}
	if (!ruler)
		return;
	const a = xOf(Math.min(ruler.from, ruler.to)), b = xOf(Math.max(ruler.from, ruler.to));
	g.fillStyle = colors.measure;
	g.fillRect(a, 0, 1.5, height);
	g.fillRect(b, 0, 1.5, height);
	const text = time(Math.abs(ruler.to - ruler.from));
	const w = text.length * charWidth + 8;
	const x = Math.max(GUTTER, Math.min(width - w, (a + b) / 2 - w / 2));
	g.fillRect(x, 3, w, RULER - 6);
	g.fillStyle = colors.back;
	g.fillText(text, x + 4, RULER / 2);
}

let wanted = false, dirty = true;

function draw() {
	dirty = true;
	if (!wanted) {
		wanted = true;
		requestAnimationFrame(frame);
	}
}

function drawAll() {
	g.setTransform(ratio, 0, 0, ratio, 0, 0);
	g.fillStyle = colors.back;
	g.fillRect(0, 0, width, height);
	g.font = '11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
	g.textBaseline = 'middle';
	labels = [];
	nextLabel = 0;
	drawTracks();
	flushRects();
	for (const [from, to] of info.gaps) {
		if (to < t0 || from > t1)
			continue;
		const a = Math.max(GUTTER, xOf(from)), w = Math.max(2, Math.min(width, xOf(to)) - a);
		g.globalAlpha = 0.14;
		g.fillStyle = colors.measure;
		g.fillRect(a, 0, w, height);
		g.globalAlpha = 1;
		label('rows are missing', a, w, tracksTop(), colors.measure);
	}
	if (labels.length > 200)
		labels.sort((a, b) => b.w - a.w);
	if (!ruler)
		return;
	g.globalAlpha = 0.15;
	g.fillStyle = colors.measure;
	g.fillRect(xOf(Math.min(ruler.from, ruler.to)), 0, Math.abs(xOf(ruler.to) - xOf(ruler.from)), height);
	g.globalAlpha = 1;
}

function frame() {
	const start = performance.now();
	wanted = false;
	if (animation)
		animate(start);
	if (dirty) {
		dirty = false;
		drawAll();
	}
	// Labels may reach into what is above and beside the tracks: that is drawn over them.
	drawLabels(start + 4.5);
	drawSelectionAndFrame();
	if ((nextLabel < labels.length || animation || dirty) && !wanted) {
		wanted = true;
		requestAnimationFrame(frame);
	}
	frames.push(performance.now() - start);
	if (frames.length > 2000)
		frames.splice(0, 1000);
}

function drawSelectionAndFrame() {
	// What moved up must not show through.
	g.fillStyle = colors.back;
	g.fillRect(0, 0, width, tracksTop());
	drawRuler();
	drawBands();
	drawSelection();
	drawGutter();
}

function resize() {
	const box = canvas.getBoundingClientRect();
	ratio = devicePixelRatio || 1;
	width = Math.max(box.width, GUTTER + 40);
	height = box.height;
	canvas.width = Math.round(width * ratio);
	canvas.height = Math.round(height * ratio);
	g.font = '11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
	charWidth = g.measureText('0000000000').width / 10;
	scrollTo(top);
	draw();
}

function scrollTo(y) {
	const most = Math.max(0, layout() - (height - tracksTop()) + 8);
	top = Math.max(0, Math.min(most, y));
	draw();
}

// Moves ---------------------------------------------------------------------------------------

function setView(a, b) {
	const all = (end - begin) * 1.02 || 1;
	const span = Math.max(Math.min(b - a, all), 20);
	let from = (a + b) / 2 - span / 2;
	from = Math.max(begin - (end - begin) * 0.01, Math.min(end + (end - begin) * 0.01 - span, from));
	t0 = from;
	t1 = from + span;
	hideTip();
	draw();
}

const still = matchMedia('(prefers-reduced-motion: reduce)');

function glide(a, b) {
	if (still.matches) {
		setView(a, b);
		return;
	}
	animation = { from: [t0, t1], to: [a, b], start: performance.now() };
	draw();
}

// The whole log, and a little around it: a call may begin when it ends.
function showAll() {
	const margin = (end - begin) * 0.01;
	glide(begin - margin, end + margin);
}

function animate(now) {
	const p = Math.min(1, (now - animation.start) / 180), e = p * (2 - p);
	const { from, to } = animation;
	// Lengths go by their ratio, so that a long way looks even.
	const span = (from[1] - from[0]) * ((to[1] - to[0]) / (from[1] - from[0])) ** e;
	const ratioSpan = (from[1] - from[0]) - (to[1] - to[0]);
	const q = Math.abs(ratioSpan) < 1 ? e : ((from[1] - from[0]) - span) / ratioSpan;
	const mid = (from[0] + from[1]) / 2 * (1 - q) + (to[0] + to[1]) / 2 * q;
	if (p === 1)
		animation = null;
	setView(p === 1 ? to[0] : mid - span / 2, p === 1 ? to[1] : mid + span / 2);
}

function zoom(by, at = (t0 + t1) / 2) {
	animation = null;
	setView(at - (at - t0) / by, at + (t1 - at) / by);
}

function pan(part) {
	animation = null;
	const d = (t1 - t0) * part;
	setView(t0 + d, t1 + d);
}

function zoomTo(from, to) {
	const margin = Math.max((to - from) * 0.08, 10);
	glide(from - margin, to + margin);
}

function showTrack(t, level) {
	if (level >= t.shown)
		t.shown = t.levels;
	layout();
	const y = t.y + level * ROW, room = height - tracksTop();
	if (y < top || y + ROW > top + room)
		scrollTo(y - room / 3);
}

function select(i, how) {
	selected = i;
	selectedBand = null;
	if (i < 0) {
		say('');
		draw();
		return;
	}
	showTrack(tracks[T[i]], D[i]);
	if (how === 'zoom')
		zoomTo(S[i], E[i]);
	else if (E[i] < t0 || S[i] > t1)
		glide((S[i] + E[i] - t1 + t0) / 2, (S[i] + E[i] + t1 - t0) / 2);
	say(describe(i));
	fillCall();
	if (how !== 'quiet')
		openTab('call');
	draw();
}

function describe(i) {
	const t = tracks[T[i]];
	if (F[i] < FUNCTION)
		return names[F[i]] + ', ' + time(E[i] - S[i]) + ', ' + t.name;
	return names[F[i]] + ', ' + (isTimed(i) ? time(E[i] - S[i]) : 'no duration: ' + whyOpen(i)) +
		', at ' + moment(S[i], 1000) + ', ' + t.name;
}

// What is at a place.
function at(x, y) {
	if (x < GUTTER) {
		const yy = y - tracksTop() + top;
		const t = y > tracksTop() && order.find((o) => yy >= o.y && yy < o.y + o.height + GAP);
		return t ? { track: t } : {};
	}
	const now = timeAt(x), px = (t1 - t0) / (width - GUTTER);
	if (y < RULER)
		return { ruler: true };
	if (y < tracksTop()) {
		const band = bands[Math.floor((y - RULER) / BAND)];
		if (!band)
			return { ruler: true };
		if (band.marks) {
			const b = band.blocks.find((o) => x >= o.x - 2 && x <= o.x + 6);
			return b ? { marks: b } : { ruler: true };
		}
		return { part: band.parts.find((p) => now >= p.from && now < p.to), ruler: true };
	}
	const yy = y - tracksTop() + top;
	const t = order.find((o) => yy >= o.y && yy < o.y + o.height);
	if (!t || !t.levels)
		return {};
	const level = Math.min(t.shown - 1, Math.floor((yy - t.y) / ROW)), row = t.row + level;
	const block = blocks.find((b) => x >= b.a && x <= b.b && y >= b.y && y < b.y + ROW);
	if (block)
		return { block };
	let k = gallop(rowAt[row], rowAt[row + 1], now + px) - 1;
	for (const j of [k, k - 1])
		if (j >= rowAt[row] && RS[j] <= now + px && RE[j] >= now - 2 * px)
			return { call: RI[j] };
	return { track: null };
}

function hideTip() {
	$('tip').hidden = true;
}

function tipText(what) {
	if (what.call !== undefined) {
		const i = what.call;
		if (F[i] < FUNCTION)
			return names[F[i]] + '\n' + time(E[i] - S[i]);
		return names[F[i]] + '\n' + (isTimed(i) ? time(E[i] - S[i]) + ', self ' +
			time(SELF[i]) + (isGuess(i) ? '?' : '') : whyOpen(i) + ': no duration');
	}
	if (what.block)
		return plural(what.block.n, 'call') + (what.block.hit ? ', ' + plural(what.block.hit, 'hit') : '') +
			' in ' + time(RE[what.block.k - 1] - RS[what.block.from]) + ', of ' +
			time(RD[what.block.k] - RD[what.block.from]) + '. Zoom in to see them.';
	if (what.part)
		return what.part.text + '\n' + time(what.part.to - what.part.from) + ' at ' +
			moment(what.part.from, 1e4);
	if (what.marks) {
		const { k, next } = what.marks;
		return (next - k > 1 ? plural(next - k, 'mark') + '\n' : '') +
			marks.slice(k, Math.min(next, k + 8)).map((m) => moment(m.at, 1000) + '  ' +
				m.text + '  (' + tracks[m.track].name + ')').join('\n') +
			(next - k > 8 ? '\n\u2026' : '');
	}
	if (what.track)
		return what.track.name + '\n' + plural(what.track.last - what.track.first, 'part') + ', ' +
			plural(what.track.levels, 'level');
	return '';
}

function showTip(x, y) {
	const text = tipText(at(x, y)), tip = $('tip');
	tip.hidden = !text;
	if (!text)
		return;
	tip.textContent = text;
	tip.style.left = Math.max(4, Math.min(x + 14, width - tip.offsetWidth - 8)) + 'px';
	tip.style.top = (y + 18 + tip.offsetHeight > height ? Math.max(2, y - tip.offsetHeight - 10) :
		y + 18) + 'px';
}

function clicked(x, y, twice) {
	const what = at(x, y);
	canvas.focus({ preventScroll: true });
	if (what.call !== undefined)
		select(what.call, twice ? 'zoom' : '');
	else if (what.track)
		toggle(what.track);
	else if (what.block && twice)
		zoomTo(RS[what.block.from], RE[what.block.k - 1]);
	else if (what.part)
		selectPart(what.part, twice);
	else if (what.block || what.marks)
		say(tipText(what).replace(/\n/g, ' '));
	else
		select(-1);
}

function selectPart(part, closer) {
	selected = -1;
	selectedBand = part;
	say(part.text + ', ' + time(part.to - part.from));
	markRow(part.row);
	if (closer)
		zoomTo(part.from, part.to);
	draw();
}

function toggle(t) {
	t.shown = t.shown < t.levels ? t.levels : Math.min(t.levels, FEW);
	scrollTo(top);
}

function setMeasure(on) {
	$('measure').setAttribute('aria-pressed', on ? 'true' : 'false');
}

function measureKey() {
	const now = pointer ? timeAt(pointer.x) : selected >= 0 ? S[selected] : (t0 + t1) / 2;
	if (!ruler) {
		ruler = { from: now, to: now, grows: true };
		say('measure: from ' + moment(now, 1000) + '; M again at the other point');
	} else if (ruler.grows) {
		ruler.to = pointer ? now : selected >= 0 ? E[selected] : now;
		ruler.grows = false;
		sayRuler();
	} else {
		ruler = null;
		say('');
	}
	draw();
}

function sayRuler() {
	say('between the points: ' + time(Math.abs(ruler.to - ruler.from)) + ' (' +
		exact(Math.abs(ruler.to - ruler.from)) + ')');
}

function neighbour(i, by) {
	const row = tracks[T[i]].row + D[i];
	const k = gallop(rowAt[row], rowAt[row + 1], S[i]);
	for (let j = k; j < rowAt[row + 1] && RS[j] === S[i]; j++)
		if (RI[j] === i)
			return j + by >= rowAt[row] && j + by < rowAt[row + 1] ? RI[j + by] : -1;
	return -1;
}

function step(key) {
	if (selected < 0) {
		const t = order.find((o) => o.levels);
		const k = t ? gallop(rowAt[t.row], rowAt[t.row + 1], t0) : 0;
		return t ? RI[Math.min(k, rowAt[t.row + 1] - 1)] : -1;
	}
	if (key === 'ArrowUp')
		return P[selected];
	if (key === 'ArrowDown')
		return selected + 1 < calls && P[selected + 1] === selected ? selected + 1 : -1;
	return neighbour(selected, key === 'ArrowLeft' ? -1 : 1);
}

function listen() {
	let drag = null;
	canvas.addEventListener('pointerdown', (e) => {
		if (e.button)
			return;
		const measuring = e.shiftKey || $('measure').getAttribute('aria-pressed') === 'true';
		drag = { x: e.offsetX, y: e.offsetY, t0, t1, top, moved: false,
			measuring: measuring && e.offsetX >= GUTTER };
		if (drag.measuring)
			ruler = { from: timeAt(e.offsetX), to: timeAt(e.offsetX) };
		canvas.setPointerCapture(e.pointerId);
	});
	canvas.addEventListener('pointermove', (e) => {
		pointer = { x: e.offsetX, y: e.offsetY };
		if (ruler && ruler.grows) {
			ruler.to = timeAt(e.offsetX);
			draw();
		}
		if (!drag) {
			showTip(e.offsetX, e.offsetY);
			return;
		}
		const dx = e.offsetX - drag.x, dy = e.offsetY - drag.y;
		if (Math.abs(dx) + Math.abs(dy) > 3)
			drag.moved = true;
		if (!drag.moved)
			return;
		hideTip();
		animation = null;
		if (drag.measuring) {
			ruler.to = timeAt(Math.max(GUTTER, e.offsetX));
			sayRuler();
			draw();
			return;
		}
		const d = dx * (drag.t1 - drag.t0) / (width - GUTTER);
		setView(drag.t0 - d, drag.t1 - d);
		scrollTo(drag.top - dy);
	});
	canvas.addEventListener('pointerup', (e) => {
		if (drag && !drag.moved && !drag.measuring)
			clicked(e.offsetX, e.offsetY, false);
		drag = null;
	});
	canvas.addEventListener('pointercancel', () => { drag = null; });
	canvas.addEventListener('pointerleave', () => { pointer = null; hideTip(); });
	canvas.addEventListener('dblclick', (e) => clicked(e.offsetX, e.offsetY, true));
	canvas.addEventListener('wheel', (e) => {
		e.preventDefault();
		const unit = e.deltaMode === 1 ? 16 : e.deltaMode === 2 ? 400 : 1;
		const dx = (e.shiftKey ? e.deltaX || e.deltaY : e.deltaX) * unit;
		const dy = (e.shiftKey ? 0 : e.deltaY) * unit;
		if (e.ctrlKey || (e.offsetY < tracksTop() && !e.shiftKey && dy)) {
			zoom(Math.exp(-dy * (e.ctrlKey && Math.abs(dy) < 40 ? 0.01 : 0.0025)),
				timeAt(Math.max(GUTTER, e.offsetX)));
			return;
		}
		if (dx)
			pan(dx / (width - GUTTER));
		if (dy)
			scrollTo(top + dy);
	}, { passive: false });
	canvas.addEventListener('keydown', key);
	document.addEventListener('keydown', (e) => {
		const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName);
		if (e.key === '/' && !typing && !e.ctrlKey && !e.metaKey) {
			e.preventDefault();
			$('words').focus();
			$('words').select();
		} else if (e.key === '?' && !typing) {
			openTab('help', true);
		} else if (e.target === document.body) {
			key(e);
		}
	});
	$('in').addEventListener('click', () => zoom(2));
	$('out').addEventListener('click', () => zoom(0.5));
	$('all').addEventListener('click', () => showAll());
	$('measure').addEventListener('click', () => {
		setMeasure($('measure').getAttribute('aria-pressed') !== 'true');
	});
	scheme.addEventListener('change', setColors);
	new ResizeObserver(resize).observe($('time'));
	listenSplit();
}

function key(e) {
	if (e.ctrlKey || e.metaKey || e.altKey)
		return;
	const k = e.key.length === 1 ? e.key.toLowerCase() : e.key;
	const actions = {
		w: () => zoom(1.5, pointer ? timeAt(Math.max(GUTTER, pointer.x)) : undefined),
		s: () => zoom(1 / 1.5, pointer ? timeAt(Math.max(GUTTER, pointer.x)) : undefined),
		a: () => pan(-0.15), d: () => pan(0.15),
		PageUp: () => scrollTo(top - height / 2), PageDown: () => scrollTo(top + height / 2),
		0: () => showAll(), Home: () => showAll(),
		m: measureKey,
		n: () => goHit(e.shiftKey ? -1 : 1),
		e: () => selected >= 0 && toggle(tracks[T[selected]]),
		f: zoomSelected, Enter: zoomSelected,
		Escape: () => {
			if (ruler)
				ruler = null;
			else if (selected >= 0 || selectedBand)
				select(-1);
			else
				clearSearch();
			setMeasure(false);
			draw();
		},
	};
	if (/^Arrow/.test(k)) {
		const i = step(k);
		if (i >= 0)
			select(i);
	} else if (Object.hasOwn(actions, k)) {
		actions[k]();
	} else {
		return;
	}
	e.preventDefault();
}

function zoomSelected() {
	if (selected >= 0)
		zoomTo(S[selected], E[selected]);
	else if (selectedBand)
		zoomTo(selectedBand.from, selectedBand.to);
}

function listenSplit() {
	const split = $('split'), lower = $('lower');
	const set = (h) => {
		lower.style.height = Math.max(60, Math.min(innerHeight - 220, h)) + 'px';
	};
	split.addEventListener('pointerdown', (e) => split.setPointerCapture(e.pointerId));
	split.addEventListener('pointermove', (e) => {
		if (split.hasPointerCapture(e.pointerId))
			set(innerHeight - e.clientY);
	});
	split.addEventListener('keydown', (e) => {
		if (e.key === 'ArrowUp' || e.key === 'ArrowDown') {
			set(lower.offsetHeight + (e.key === 'ArrowUp' ? 30 : -30));
			e.preventDefault();
		}
	});
}

// Search ---------------------------------------------------------------------------------------

let hits = null;

function matcher(words) {
	if (!/[*?]/.test(words)) {
		const low = words.toLowerCase();
		return (name) => name.toLowerCase().includes(low);
	}
	const source = words.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*').replace(/\?/g, '.');
	const re = new RegExp('^' + source + '$', 'is');
	return (name) => re.test(name);
}

function search(words) {
	hits = null;
	if (words) {
		const fits = matcher(words), func = new Uint8Array(names.length);
		let functions = 0;
		for (let f = FUNCTION; f < names.length; f++)
			func[f] = fits(names[f]) ? 1 : 0;
		const sum = new Uint32Array(calls + 1), of = new Uint32Array(names.length);
		for (let k = 0; k < calls; k++)
			sum[k + 1] = sum[k] + func[F[RI[k]]];
		const times = new Float64Array(sum[calls]), list = new Uint32Array(sum[calls]);
		let n = 0;
		for (let i = 0; i < calls; i++) {
			if (!func[F[i]])
				continue;
			of[F[i]]++;
			list[n] = i;
			times[n++] = S[i];
		}
		times.sort();
		for (let f = 0; f < names.length; f++)
			functions += of[f] > 0;
		hits = { func, sum, times, list, of, count: n, functions };
	}
	$('hits').textContent = !hits ? '' : !hits.count ? 'no hit' :
		plural(hits.count, 'hit');
	fillHits(words);
	draw();
}

function clearSearch() {
	$('words').value = '';
	search('');
}

// The hit behind, or before, the selected call or what is seen; hits of a track are in order.
function goHit(by) {
	if (!hits || !hits.count)
		return;
	const isHit = selected >= 0 && hits.func[F[selected]];
	const now = isHit ? [S[selected], selected] : by > 0 ? [t0, -1] : [t1, calls];
	const later = (a, b) => a[0] - b[0] || a[1] - b[1];
	let best = null, wrap = null;
	for (let n = 0; n < hits.count; n++) {
		const x = [S[hits.list[n]], hits.list[n]];
		if (later(x, now) * by > 0 && (!best || later(x, best) * by < 0))
			best = x;
		if (!wrap || later(x, wrap) * by < 0)
			wrap = x;
	}
	const to = (best || wrap)[1];
	select(to, 'quiet');
	const place = lowerBound(hits.times, S[to]) + 1;
	$('hits').textContent = number(place) + ' of ' + plural(hits.count, 'hit');
}

function listenSearch() {
	let timer = 0;
	$('words').addEventListener('input', () => {
		clearTimeout(timer);
		timer = setTimeout(() => search($('words').value.trim()), 120);
	});
	$('search').addEventListener('submit', (e) => {
		e.preventDefault();
		clearTimeout(timer);
		search($('words').value.trim());
		goHit(1);
	});
	$('words').addEventListener('keydown', (e) => {
		if (e.key === 'Escape') {
			clearSearch();
			canvas.focus();
		}
	});
	$('next').addEventListener('click', () => goHit(1));
	$('previous').addEventListener('click', () => goHit(-1));
}

function fillHits(words) {
	const panel = $('found');
	panel.replaceChildren();
	if (!hits) {
		panel.append(make('p', { class: 'dim', text: 'Nothing is searched for.' }));
		return;
	}
	panel.append(make('h2', { text: plural(hits.count, 'call') + ' of ' +
		plural(hits.functions, 'function') + ' match \u201c' + shown(words) +
		'\u201d. All are yellow in the timeline, and on its ruler.' }));
	const rows = [];
	for (let f = FUNCTION; f < names.length; f++)
		if (hits.of[f])
			rows.push(f);
	rows.sort((a, b) => hits.of[b] - hits.of[a]);
	panel.append(long(rows, ['Function', 'Calls'], (f) => [functionButton(f), number(hits.of[f])]));
}

// The lower part -------------------------------------------------------------------------------

const tabs = ['boot', 'functions', 'call', 'found', 'trace', 'help'];

function openTab(name, focus) {
	for (const t of tabs) {
		const on = t === name, tab = $('tab-' + t);
		tab.setAttribute('aria-selected', on ? 'true' : 'false');
		tab.tabIndex = on ? 0 : -1;
		$(t).hidden = !on;
		if (on && focus)
			tab.focus();
	}
	if (name === 'functions')
		fillFunctions();
}

function listenTabs() {
	tabs.forEach((t, n) => {
		$('tab-' + t).addEventListener('click', () => openTab(t));
		$('tab-' + t).addEventListener('keydown', (e) => {
			const by = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
			if (by)
				openTab(tabs[(n + by + tabs.length) % tabs.length], true);
		});
	});
}

// A table of as many rows as are wanted. Cells are texts or elements.
function table(head, rows, cells, caption) {
	const body = make('tbody'), t = make('table');
	const isNumber = (c) => typeof c === 'string' && /^[\d\u202f.,?% \u2212-]+( ?(ns|\u00b5s|ms|s))?\??$/.test(c);
	if (caption)
		t.append(make('caption', { text: caption }));
	const columns = [];
	for (const r of rows) {
		const tr = make('tr');
		cells(r, tr).forEach((c, n) => {
			const td = make('td');
			td.append(c);
			if (isNumber(c)) {
				td.className = 'n';
				columns[n] = true;
			}
			tr.append(td);
		});
		body.append(tr);
	}
	t.append(make('thead', {}, make('tr', {}, ...head.map((h, n) => {
		const th = make('th', { scope: 'col' });
		th.append(h);
		if (columns[n])
			th.className = 'n';
		return th;
	}))), body);
	return t;
}

// A long table: 200 rows, and a button for more.
function long(rows, head, cells, caption) {
	const box = make('div');
	const fill = (n) => {
		box.replaceChildren(table(head, rows.slice(0, n), cells, caption));
		if (n < rows.length)
			box.append(make('button', { type: 'button', text: 'Show more: ' + number(n) + ' of ' +
				number(rows.length) + ' rows are shown', click: () => fill(n * 4) }));
	};
	fill(200);
	return box;
}

const button = (text, click, title) => {
	const b = make('button', { type: 'button', text, click });
	if (title)
		b.title = title;
	return b;
};

const functionButton = (f) => button(names[f], () => selectFunction(f), lines[f - FUNCTION] || '');

function longestOf(f) {
	let best = -1, first = -1;
	for (let i = 0; i < calls; i++) {
		if (F[i] !== f)
			continue;
		if (first < 0)
			first = i;
		if (isTimed(i) && (best < 0 || E[i] - S[i] > E[best] - S[best]))
			best = i;
	}
	return best < 0 ? first : best;
}

function selectFunction(f) {
	const i = longestOf(f);
	if (i >= 0)
		select(i);
}

// Sums of all functions: as kd's table has them.
let sums = null;

function sumUp() {
	const n = names.length, now = new Uint32Array(n), stack = [];
	const s = { calls: new Uint32Array(n), open: new Uint32Array(n), total: new Float64Array(n), all: new Float64Array(n),
		self: new Float64Array(n), off: new Float64Array(n), irq: new Float64Array(n),
		min: new Float64Array(n).fill(Infinity), max: new Float64Array(n), guess: new Uint8Array(n) };
	for (const t of tracks) {
		stack.length = 0;
		for (let i = t.first; i <= t.last; i++) {
			const depth = i < t.last ? D[i] : 0;
			while (stack.length > depth) {
				const f = stack.pop();
				if (f >= 0)
					now[f]--;
			}
			if (i === t.last)
				break;
			const f = F[i], timed = f >= FUNCTION && isTimed(i);
			stack.push(timed ? f : -1);
			if (f < FUNCTION)
				continue;
			s.calls[f]++;
			if (!timed) {
				s.open[f]++;
				continue;
			}
			const length = E[i] - S[i];
			if (!now[f]++) {
				s.total[f] += length;
				s.off[f] += OFFNS[i];
				s.irq[f] += IRQNS[i];
			}
			s.all[f] += length;
			s.self[f] += SELF[i];
			if (isGuess(i))
				s.guess[f] = 1;
			if (length < s.min[f])
				s.min[f] = length;
			if (length > s.max[f])
				s.max[f] = length;
		}
	}
	return s;
}

const columnsOfFunctions = [
	['Function', (f) => names[f]],
	['Calls', (f) => sums.calls[f]],
	['Time', (f) => sums.total[f]],
	['Self', (f) => sums.self[f]],
	['Average', (f) => Math.floor(sums.all[f] / ((sums.calls[f] - sums.open[f]) || NaN))],
	['Min', (f) => sums.min[f]],
	['Max', (f) => sums.max[f]],
	['Off-cpu', (f) => sums.off[f]],
	['Irq', (f) => sums.irq[f]],
	['No exit', (f) => sums.open[f]],
];
let sortBy = 2, sortUp = false;

function fillFunctions() {
	const panel = $('functions');
	sums = sums || sumUp();
	const rows = [];
	for (let f = FUNCTION; f < names.length; f++)
		if (sums.calls[f])
			rows.push(f);
	const value = columnsOfFunctions[sortBy][1], sign = sortUp ? 1 : -1;
	rows.sort((a, b) => {
		const x = value(a), y = value(b);
		if (x !== x || y !== y)
			return (x !== x) - (y !== y);
		return sign * (x < y ? -1 : x > y ? 1 : 0) || a - b;
	});
	const head = columnsOfFunctions.map(([title], n) => button(title + (n === sortBy ?
		sortUp ? ' \u25b4' : ' \u25be' : ''), () => {
		sortUp = n === sortBy ? !sortUp : n === 0;
		sortBy = n;
		fillFunctions();
		$('functions').querySelectorAll('thead button')[n].focus();
	}));
	const known = (ns, f) => sums.calls[f] === sums.open[f] ? '-' : time(ns);
	panel.replaceChildren(long(rows, head, (f) => [functionButton(f), number(sums.calls[f]),
		known(sums.total[f], f), known(sums.self[f], f) + (sums.guess[f] ? '?' : ''),
		known(columnsOfFunctions[4][1](f), f), known(sums.min[f], f),
		known(sums.max[f], f), known(sums.off[f], f), known(sums.irq[f], f),
		sums.open[f] ? number(sums.open[f]) : '']));
	panel.querySelectorAll('thead th')[sortBy].setAttribute('aria-sort',
		sortUp ? 'ascending' : 'descending');
}

// Who calls a function, and what it calls.
function around(f) {
	const up = new Map(), down = new Map(), longest = [];
	const add = (map, g, i) => {
		let x = map.get(g);
		if (!x)
			map.set(g, x = { f: g, calls: 0, time: 0, call: i });
		x.calls++;
		if (!isTimed(i))
			return;
		x.time += E[i] - S[i];
		if (!isTimed(x.call) || E[i] - S[i] > E[x.call] - S[x.call])
			x.call = i;
	};
	for (let i = 0; i < calls; i++) {
		if (F[i] < FUNCTION)
			continue;
		if (F[i] === f) {
			add(up, P[i] < 0 ? -1 : F[P[i]], i);
			longest.push(i);
		}
		if (P[i] >= 0 && F[P[i]] === f)
			add(down, F[i], i);
	}
	const sorted = (map) => [...map.values()].sort((a, b) => b.time - a.time || b.calls - a.calls);
	const length = (i) => isTimed(i) ? E[i] - S[i] : -1;
	const top10 = longest.length > 1e5 ? longest.filter((i) => length(i) >= sumsMax(f) / 20) : longest;
	top10.sort((a, b) => length(b) - length(a));
	return { callers: sorted(up), callees: sorted(down), longest: top10.slice(0, 10) };
}

const sumsMax = (f) => (sums = sums || sumUp()).max[f];

function fillCall() {
	const i = selected, panel = $('call');
	panel.replaceChildren();
	if (i < 0) {
		panel.append(make('p', { class: 'dim', text: 'Nothing is selected. Click a call of the ' +
			'timeline, or a function.' }));
		return;
	}
	const f = F[i], facts = [];
	const fact = (key, value) => facts.push([key, value]);
	fact('Track', tracks[T[i]].name + (C[i] >= 0 ? ', CPU ' + C[i] : ''));
	fact('Begins', moment(S[i], 1));
	fact(isTimed(i) ? 'Time' : 'Time', isTimed(i) ? time(E[i] - S[i]) + '  (' + exact(E[i] - S[i]) + ')' :
		'none: ' + whyOpen(i) + '; drawn until it must have been over');
	if (f >= FUNCTION) {
		if (isTimed(i))
			fact('Self', time(SELF[i]) + (isGuess(i) ? '?' : ''));
		fact('Switched out', time(OFFNS[i]));
		fact('Interrupts', time(IRQNS[i]));
		fact('Calls below without a record', info.below ? number(DROPPED[i]) : '?');
		if (lines[f - FUNCTION])
			fact('Source', lines[f - FUNCTION]);
	}
	const path = make('p', { class: 'path' }, 'Called by: ');
	for (let p = P[i], n = 0; p >= 0; p = P[p], n++) {
		const to = p;
		path.append(n ? ' < ' : '', button(names[F[p]], () => select(to)));
	}
	if (P[i] < 0)
		path.append('nothing on this track');
	panel.append(make('h2', {}, make('span', { class: 'mono', text: names[f] })), path);
	const own = make('table');
	for (const [k, v] of facts)
		own.append(make('tr', {}, make('th', { scope: 'row', text: k }), make('td', { text: v })));
	const sides = make('div', { class: 'sides' }, own);
	panel.append(sides);
	if (f < FUNCTION)
		return;
	const a = around(f);
	const sum = (s) => (sums = sums || sumUp())[s][f];
	own.append(make('tr', {}, make('th', { scope: 'row', text: 'All calls of the function' }),
		make('td', { text: number(sum('calls')) + ', ' + time(sum('total')) + ', self ' +
			time(sum('self')) + (sums.guess[f] ? '?' : '') })));
	const link = (x) => x.f < 0 ? '(none)' : button(names[x.f], () => select(x.call),
		'the longest of these calls');
	sides.append(
		long(a.callers, ['Callers', 'Calls', 'Time'],
			(x) => [link(x), number(x.calls), time(x.time)]),
		long(a.callees, ['Calls below', 'Calls', 'Time'],
			(x) => [link(x), number(x.calls), time(x.time)]),
		table(['Longest calls', 'Time'], a.longest, (j) => [button(moment(S[j], 1000),
			() => select(j, 'zoom')), isTimed(j) ? time(E[j] - S[j]) : '?']));
}

// The report of the boot ------------------------------------------------------------------------

const parts = {
	open: ['Calls that had not returned', 'eFB'],
	longest: ['Where the time went: the longest pieces of the boot', 'tPTkFB'],
	kind: ['The path, added up', 'tPk'],
	phase: ['Phases', 'etPF'],
	path: ['The critical path', 'etPTkFBi'],
	wait: ['What the path waited for', 'tPckFBh'],
	function: ['Functions with the most time of their own', 'tPcF'],
	initcall: ['The longest initcalls, and those to be tried again', 'etPvRF'],
};
const also = { before: 'phase', arming: 'phase', boot: 'phase', recording: 'phase', later: 'phase' };
const cellsOfBoot = {
	e: ['Entry', (r) => r.entry_ns === null ? '' : moment(r.entry_ns, 1000)],
	t: ['Length', (r) => r.length_ns === null ? '?' : time(r.length_ns) + mark(r, 'length_ns')],
	P: ['%', (r) => r.percent === null ? '' : r.percent.toFixed(2)],
	T: ['Task', (r) => textOf(r.task) || (r.part === 'path' ? '(several)' : '')],
	k: ['What', (r) => r.kind ? kindCell(r) : ''],
	c: ['Count', (r) => r.count === null ? '' : number(r.count)],
	i: ['Irq', (r) => r.irq_ns === null ? '?' : time(r.irq_ns) + mark(r, 'irq_ns')],
	v: ['Level', (r) => textOf(r.level) || ''],
	R: ['Result', (r) => textOf(r.result) || '?'],
	h: ['Woken by', (r) => textOf(r.woken_by) || ''],
	F: ['Function', null],
	B: ['Called by', (r) => (textOf(r.callers) || '').split(' < ').slice(0, 3).join(' < ')],
};
const mark = (r, key) => r.unsure && r.unsure.includes(key) ? '?' : '';

function kindCell(r) {
	const part = r.kind_ns >= 0 && r.length_ns > 0 ? Math.round(r.kind_ns * 100 / r.length_ns) : 100;
	return make('span', {}, make('span', { class: 'swatch', style: '' }),
		r.kind.replace(/_/g, ' ') + (part < 100 ? ' ' + part + ' %' : ''));
}

function functionNamed(name) {
	return name === null ? -1 : names.indexOf(name, FUNCTION);
}

// The place of a line in the timeline: its time; the whole boot for what is summed up over it; or else the longest piece of the path that it is
// of; or else the longest call of its function.
function placeOf(r) {
	if (r.entry_ns !== null && r.length_ns !== null)
		return { from: r.entry_ns, to: r.entry_ns + r.length_ns };
	if (r.part === 'boot' || r.part === 'recording' || r.part === 'kind')
		return { from: info.boot.start, to: info.boot.end };
	if (r.part === 'before' || r.part === 'arming')
		return null;
	const like = pathRows().filter((p) => (r.function === null || p.function === r.function) &&
		(r.pid === null || p.pid === r.pid) && (r.function !== null || p.kind === r.kind));
	like.sort((a, b) => b.length_ns - a.length_ns);
	if (r.part !== 'function' && like.length)
		return { from: like[0].entry_ns, to: like[0].entry_ns + like[0].length_ns };
	const i = longestOf(functionNamed(textOf(r.function)));
	return i >= 0 && F[i] >= FUNCTION ? { from: S[i], to: E[i], call: i } : null;
}

// The call that a line is about: of its function, in its task, around its middle.
function callOf(r, place) {
	const f = functionNamed(textOf(r.function));
	if (place.call !== undefined)
		return place.call;
	let best = -1;
	for (let i = 0; f >= 0 && i < calls; i++)
		if (F[i] === f && S[i] < place.to && E[i] > place.from &&
		    (best < 0 || Math.min(E[i], place.to) - Math.max(S[i], place.from) >
		     Math.min(E[best], place.to) - Math.max(S[best], place.from)) &&
		    (r.pid === null || tracks[T[i]].pid === undefined || tracks[T[i]].pid === r.pid))
			best = i;
	return best;
}

function goRow(r) {
	const place = placeOf(r);
	if (!place) {
		say('the log has no place for this line');
		return;
	}
	const i = callOf(r, place);
	if (i >= 0) {
		select(i, 'quiet');
	} else {
		selected = -1;
		say('');
	}
	for (const b of bands)
		for (const p of b.parts || [])
			if (p.row === r)
				selectedBand = p;
	markRow(r);
	zoomTo(place.from, place.to);
}

const rowElements = new Map();

function markRow(r) {
	for (const [row, tr] of rowElements)
		tr.classList.toggle('now', row === r);
	if (rowElements.has(r) && !$('boot').hidden)
		rowElements.get(r).scrollIntoView({ block: 'nearest' });
}

function fillBoot() {
	const panel = $('boot'), boot = info.boot;
	panel.replaceChildren();
	if (!boot.rows) {
		panel.append(make('p', { class: 'dim', text: 'There is no report of a boot: ' + textOf(boot.why) }));
		return;
	}
	for (const [part, [title, letters]] of Object.entries(parts)) {
		const rows = boot.rows.filter((r) => (also[r.part] || r.part) === part);
		if (!rows.length)
			continue;
		const columns = [...letters];
		panel.append(table(columns.map((c) => cellsOfBoot[c][0]), rows, (r, tr) => {
			let linked = false;
			const go = () => goRow(r);
			rowElements.set(r, tr);
			if (!placeOf(r))
				return columns.map((c) => c === 'F' ? textOf(r.function) : cellsOfBoot[c][1](r));
			tr.className = 'link';
			tr.addEventListener('click', go);
			const cells = columns.map((c) => {
				if (c !== 'F')
					return cellsOfBoot[c][1](r);
				linked = true;
				return make('button', { type: 'button', text: textOf(r.function) || '-' });
			});
			if (!linked) {
				const n = columns.indexOf('k');
				cells[n] = make('button', { type: 'button' }, cells[n]);
			}
			if (letters.includes('k')) {
				const swatch = cells[columns.indexOf('k')];
				if (swatch.querySelector && swatch.querySelector('.swatch'))
					swatch.querySelector('.swatch').style.background = colors.kind[r.kind] || '';
			}
			return cells;
		}, title + (part === 'path' ? ' (calls of ' + time(boot.threshold) + ' and longer by name)' : '')));
	}
}

function fillTrace() {
	const facts = [['Log', textOf(info.log)], ['Kernel', textOf(info.kernel)],
		['Build id', textOf(info.build_id)], ['Clock', textOf(info.clock)],
		['Filters', textOf(info.filters) || 'none'], ['Started by', textOf(info.start_by)],
		['Stopped by', textOf(info.stop_by)], ['Written by', 'kd ' + info.kd]]
		.filter(([, v]) => v);
	const t = make('table', {}, make('caption', { text: 'Trace' }));
	for (const [k, v] of facts)
		t.append(make('tr', {}, make('th', { scope: 'row', text: k }), make('td', { text: v })));
	const c = make('table', {}, make('caption', { text: 'Counters' }));
	for (const [k, v] of Object.entries(info.counters))
		c.append(make('tr', {}, make('th', { scope: 'row', text: k }), make('td', { class: 'n', text: number(v) })));
	const notes = make('div', {}, make('h2', { text: 'Notes: what is incomplete or uncertain' }));
	if (info.notes.length)
		notes.append(make('ul', {}, ...info.notes.map((n) => make('li', { text: textOf(n) }))));
	else
		notes.append(make('p', { class: 'dim', text: 'none' }));
	$('tab-trace').textContent = 'Trace' + (info.notes.length ? ' (' + plural(info.notes.length, 'note') + ')' : '');
	$('trace').replaceChildren(notes, make('div', { class: 'sides' }, t, c));
}

function fillHead() {
	const boot = info.boot, title = 'KFI trace' + (info.kernel ? ': ' + textOf(info.kernel) : '');
	document.title = title;
	$('title').textContent = title;
	$('answer').textContent = boot.rows ? boot.over ? 'The boot took ' + time(boot.end - boot.start) +
		', from start_kernel to ' + textOf(boot.end_by) + '.' :
		'The boot was not over when the log ended.' :
		plural(info.calls, 'call') + ' in ' + time(info.end);
	if (info.lost) {
		$('warning').textContent = 'Calls lost while tracing: ' + number(info.lost) +
			'. They are not in this page. The tab Trace has the counters.';
		$('warning').hidden = false;
	}
}

async function main() {
	const warn = (text) => {
		$('warning').textContent = text;
		$('warning').hidden = false;
	};
	try {
		if (typeof DecompressionStream === 'undefined')
			throw new Error('this browser cannot unpack data (it has no DecompressionStream)');
		read(await unpack());
	} catch (e) {
		warn('The data cannot be read: ' + e.message);
		return;
	}
	begin = 0;
	end = Math.max(info.end, 1);
	for (let i = 0; i < calls; i++)
		if (E[i] > end)
			end = E[i];
	t0 = begin - (end - begin) * 0.01;
	t1 = end + (end - begin) * 0.01;
	colorOf = names.map((n) => hash(n) % light.call.length);
	markTimes = Float64Array.from(marks, (m) => m.at);
	makeBands();
	makeOrder();
	fillHead();
	listen();
	setColors();
	resize();
	frame();
	performance.mark('first picture');
	listenTabs();
	listenSearch();
	fillBoot();
	fillTrace();
	fillCall();
	fillHits('');
	openTab(info.boot.rows ? 'boot' : 'functions');
	document.documentElement.dataset.ready = '1';
}

// How many calls and hits are to be seen if all levels of all tracks are drawn.
function countAll() {
	alone = aloneHits = 0;
	blocks = [];
	for (const t of tracks)
		for (let level = 0; level < t.levels; level++)
			drawRow(t.row + level, 0);
	const sum = (key) => blocks.reduce((n, b) => n + b[key], 0);
	const all = { calls: alone + sum('n'), hits: aloneHits + sum('hit'), blocks: blocks.length };
	rects.clear();
	draw();
	return all;
}

// For tests: what is drawn, and how long it took.
window.kfi = {
	countAll,
	frames, view: () => ({ t0, t1, top, begin, end, calls, selected }), select,
	sums: () => { sums = sums || sumUp(); return { names, ...sums }; },
	values: () => { sums = sums || sumUp(); return names.map((name, f) => columnsOfFunctions.map((c) => c[1](f))); },
	drawn: () => ({ labels: labels.length, blocks: blocks.map((b) => b.n), ruler, hits: hits && hits.count }),
	rows: () => order.map((t) => ({ name: t.name, y: tracksTop() + t.y - top, levels: t.levels, shown: t.shown })),
};
main();
})();
