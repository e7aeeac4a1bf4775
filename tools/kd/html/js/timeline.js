// SPDX-License-Identifier: GPL-2.0
// The timeline: what is drawn of it.

const GUTTER = 168, RULER = 22, BAND = 18, ROW = 17, GAP = 7, FEW = 4, SHORT = 3;
const canvas = $('canvas'), g = canvas.getContext('2d', { alpha: false });
let width = 0, height = 0, ratio = 1;
let begin = 0, end = 1;			// the log
let t0 = 0, t1 = 1, top = 0;		// what is seen of it
let selected = -1, selectedBand = null, pointer = null, ruler = null;
let bands = [], order = [], charWidth = 7, colors;
let animation = null;
const FONT = '11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
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
	phase: ['#dce8f6', '#e9e3f4'], gap: '#b3261e24', slower: [201, 60, 45], faster: [40, 105, 190],
	even: [228, 231, 235],
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
	phase: ['#22344a', '#332b48'], gap: '#ff8a8030', slower: [178, 58, 48], faster: [45, 104, 178],
	even: [52, 59, 68],
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
	drawFlame();
}

const bootRows = (log, part) => (log.info.boot.rows || []).filter((r) => r.part === part);
const pathRows = (log) => bootRows(log, 'path');

// Marks and lines of printk: those that are too near to each other are drawn as one.
const dots = (log, what, list) => ({ name: bandName(log, plural(list.length, what)), list, what,
	times: Float64Array.from(list, (m) => m.at) });
const bandName = (log, text) => log.word ? log.word + ': ' + text : text;

// What stands above the tracks.
function makeBands() {
	bands = [];
	logs.forEach(makeBandsOf);
}

function makeBandsOf(log) {
	const phases = bootRows(log, 'phase');
	if (phases.length)
		bands.push({ name: bandName(log, log.word ? 'phases' : 'Phases, initcall levels'), parts: phases.map((r, n) => ({
			from: r.entry_ns, to: r.entry_ns + r.length_ns, text: textOf(r.function),
			color: () => colors.phase[n % 2], row: r })) });
	const path = pathRows(log);
	if (path.length)
		bands.push({ name: bandName(log, log.word ? 'critical path' : 'Critical path'), parts: path.map((r) => ({
			from: r.entry_ns, to: r.entry_ns + r.length_ns, row: r,
			text: [textOf(r.function) || '-', textOf(r.task) || '(several)',
				kindText[r.kind]].join(' \u00b7 '),
			color: () => colors.kind[r.kind] || colors.kind.unknown })) });
	if (log.marks.length)
		bands.push(dots(log, 'mark', log.marks));
	if (log.messages.length)
		bands.push(dots(log, 'printk line', log.messages));
}

// The name of a task without its number, which another boot does not share.
const bareName = (t) => t.name.replace(/ \(\d+\)/, '');

// CPUs, tasks of the boot, other tasks by their time, idle tasks, interrupts. Of two logs those that
// are alike are neighbours.
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
		t.rank = t.runs ? -1 : t.ctx ? 4 : t.pid === undefined ? (t.number > t.log.track ? 3 : 0) : t.pid === 1 ? 1 : 2;
		t.busy = t.rank === 2 ? busy(t) : 0;
		t.shown = Math.min(t.levels, t.rank < 2 ? 3 * FEW : FEW);
		if (t.levels <= t.shown + 1)
			t.shown = t.levels;
	}
	const groups = new Map();
	for (const t of tracks) {
		t.group = t.rank < 2 ? t.rank + '/' + (t.runs ? t.cpu : t.lane) : t.rank + bareName(t);
		const g = groups.get(t.group);
		groups.set(t.group, { busy: Math.max(t.busy, g ? g.busy : 0), first: g ? g.first : t.number });
	}
	const of = (t) => logs.length > 1 ? groups.get(t.group) : { busy: t.busy, first: t.number };
	order = tracks.filter((t) => t.levels || t.marks)
		.sort((a, b) => a.rank - b.rank || of(b).busy - of(a).busy || of(a).first - of(b).first ||
			a.number - b.number);
	for (const t of order)
		t.title = bandName(t.log, t.name);
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
	if (F[i] < TASK) {
		rect(colors.back, from, y + 1, w, ROW - 2);
		rect(colors.hatch, from, y + 1, w, ROW - 2);
		const room = names[F[i]].length * charWidth + 8, x = Math.max(from, GUTTER);
		if (to - x > room + 8) {
			rect(colors.back + ' ', x, y + 1, room, ROW - 2);
			label(names[F[i]], from, w, y, colors.dim);
		}
		return;
	}
	if (F[i] < FUNCTION) {
		const idle = tracks[F[i] - TASK].pid === undefined;
		rect(idle ? colors.block[0] : colors.call[colorOf[F[i]]], from, y + 3, Math.max(w - 0.5, 0.75),
			ROW - 6);
		label(i, from, w, y, idle ? colors.dim : colors.ink);
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
	if (F[RI[from]] < FUNCTION && F[RI[from]] >= TASK) {
		rect(colors.block[Math.min(3, Math.floor(dense * 4))], a, y + 3, w, ROW - 6);
		blocks.push({ from, k, a, b: a + w, y, n, hit: 0, what: 'part' });
		return;
	}
	const hit = hits ? hits.sum[k] - hits.sum[from] : 0;
	rect(colors.block[Math.min(3, Math.floor(dense * 4))], a, y + 1, w, ROW - 2);
	if (hit)
		rect(colors.hit, a, y + ROW - 5, w, 4);
	blocks.push({ from, k, a, b: a + w, y, n, hit, what: 'call' });
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
	g.font = FONT;
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
	const { list, times } = band;
	let k = lowerBound(times, t0);
	g.fillStyle = colors.dim;
	while (k < list.length && times[k] <= t1) {
		const next = Math.max(k + 1, lowerBound(times, times[k] + 4 * px, k));
		const x = xOf(times[k]);
		g.fillRect(x, y + 2, next - k > 1 ? 4 : 1.5, BAND - 5);
		band.blocks.push({ k, next, x });
		k = next;
	}
}

function drawBands() {
	bands.forEach((band, n) => {
		const y = RULER + n * BAND;
		g.fillStyle = colors.back;
		g.fillRect(GUTTER, y, width - GUTTER, BAND);
		if (band.list) {
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
		g.fillText(fit((t.levels > FEW ? t.shown < t.levels ? '\u25b8 ' : '\u25be ' : '  ') + t.title),
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
		for (const [a, b] of t.runs ? [] : t.log.info.gaps)
			if (b > t0 && a < t1)
				gap(Math.max(GUTTER, xOf(a)), Math.min(width, xOf(b)), y, t.height);
		rect(colors.line, GUTTER, y + t.height + GAP / 2, width - GUTTER, 1);
	}
}

// Rows of this time are missing.
function gap(from, to, y, h) {
	const w = Math.max(2, to - from);
	rect(colors.gap, from, y - GAP / 2, w, h + GAP);
	label('rows are missing', from, w, y + Math.floor(h / ROW / 2) * ROW, colors.measure);
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

// Makes a canvas empty, with the letters that all of them have.
function clearCanvas(c, w, h) {
	c.setTransform(ratio, 0, 0, ratio, 0, 0);
	c.fillStyle = colors.back;
	c.fillRect(0, 0, w, h);
	c.font = FONT;
	c.textBaseline = 'middle';
}

function drawAll() {
	clearCanvas(g, width, height);
	labels = [];
	nextLabel = 0;
	drawTracks();
	flushRects();
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
	drawArrows();
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
	g.font = FONT;
	charWidth = g.measureText('0000000000').width / 10;
	scrollTo(top);
	draw();
}

function scrollTo(y) {
	const most = Math.max(0, layout() - (height - tracksTop()) + 8);
	top = Math.max(0, Math.min(most, y));
	draw();
}
