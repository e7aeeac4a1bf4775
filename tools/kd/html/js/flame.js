// SPDX-License-Identifier: GPL-2.0
// The flame graph: calls of the same way added up, the caller above. The timeline is the flame graph
// in order of time; this is the merged one. Of two logs each frame has the time of both, and its
// colour tells the change.
//
// What a call adds to its frame is its part of the time without that of the calls below. So the
// time of a frame is the sum over all that is below it, and a call without a duration is as long as
// the calls below it.
const FLAME_ROW = 18;
const flameCanvas = $('flame-canvas'), fg = flameCanvas.getContext('2d', { alpha: false });
// Frames by number, 0: all. A frame comes behind its caller. Times and calls are by log.
let flame = null;
let flameZoom = 0, flameAt = 0, flameItems = [], flameTimer = 0;
const flameOption = (id) => $('flame-' + id).value;
const hidesFlame = () => $('flame').hidden;

function newFlame() {
	return { parent: [-1], func: [-1], level: [0], own: logs.map(() => [0]), total: null,
		calls: logs.map(() => [0]), open: [0], guess: [0], of: new Map(), below: new Map(), levels: 1 };
}

function frameBelow(fl, parent, func) {
	const key = parent * names.length + func;
	let n = fl.of.get(key);
	if (n !== undefined)
		return n;
	n = fl.parent.length;
	fl.of.set(key, n);
	fl.parent.push(parent);
	fl.func.push(func);
	fl.level.push(fl.level[parent] + 1);
	fl.levels = Math.max(fl.levels, fl.level[parent] + 2);
	fl.open.push(0);
	fl.guess.push(0);
	for (const log of logs) {
		fl.own[log.number].push(0);
		fl.calls[log.number].push(0);
	}
	return n;
}

// The rest of a call that is over: its time less that of the calls and holes below it.
function ownTime(c, by) {
	const whole = c.length - c.below - c.holes;
	if (!c.isTimed)
		return 0;
	if (by === 'self')
		return c.isWhole ? SELF[c.i] : Math.max(0, Math.min(whole, SELF[c.i] >= 0 ? SELF[c.i] : whole));
	if (by === 'wall')
		return Math.max(0, whole);
	// Switched out or interrupted in itself, whether the track shows it as holes or not.
	const out = OFFNS[c.i] + IRQNS[c.i] - c.outBelow;
	return Math.max(0, c.length - c.below - (c.isWhole && out >= 0 ? out : c.holes));
}

// Adds the calls of a track, as far as they lie between two times, to the frames below one.
function addTrack(fl, t, base, by, from, to) {
	const stack = [], log = t.log.number;
	const over = () => {
		const c = stack.pop(), above = stack[stack.length - 1];
		const own = ownTime(c, by);
		if (own > 0)
			fl.own[log][c.frame] += own;
		if (own !== own || (by !== 'wall' && c.isTimed && (!c.isWhole || isGuess(c.i))))
			fl.guess[c.frame] = 1;
		if (!above)
			return;
		above.below += c.isTimed ? c.length : c.below + c.holes;
		if (OFFNS[c.i] >= 0)
			above.outBelow += OFFNS[c.i] + IRQNS[c.i];
	};
	for (let i = t.first; i < t.last; i++) {
		while (stack.length && stack[stack.length - 1].level >= D[i])
			over();
		const a = Math.max(S[i], from), b = Math.min(E[i], to);
		if (b < a || (a === b && E[i] > S[i]))
			continue;
		const above = stack[stack.length - 1], under = above ? above.frame : base;
		if (F[i] < TASK) {
			if (by === 'wall')
				fl.own[log][frameBelow(fl, under, F[i])] += b - a;
			if (above)
				above.holes += b - a;
			continue;
		}
		const frame = frameBelow(fl, under, F[i]);
		fl.calls[log][frame]++;
		fl.open[frame] += isTimed(i) ? 0 : 1;
		stack.push({ i, frame, level: D[i], length: b - a, isTimed: isTimed(i), below: 0, holes: 0,
			outBelow: 0, isWhole: S[i] >= from && E[i] <= to });
	}
	while (stack.length)
		over();
}

function growFlame() {
	const fl = newFlame(), by = flameOption('by'), seen = flameOption('range') === 'seen';
	const of = flameOption('tasks') === 'one' && selected >= 0 ? tracks[T[selected]] : null;
	const task = new Map();
	for (const t of tracks) {
		if (t.runs || !t.levels || (of && t !== of))
			continue;
		const name = logs.length > 1 ? bareName(t) : t.name;
		if (!task.has(name))
			task.set(name, TASK + t.number);
		addTrack(fl, t, frameBelow(fl, 0, task.get(name)), by, seen ? t0 : -Infinity, seen ? t1 : Infinity);
	}
	fl.total = fl.own.map((own) => {
		const total = Float64Array.from(own);
		for (let n = total.length - 1; n > 0; n--)
			total[fl.parent[n]] += total[n];
		return total;
	});
	for (let n = 1; n < fl.parent.length; n++) {
		const list = fl.below.get(fl.parent[n]);
		if (list)
			list.push(n);
		else
			fl.below.set(fl.parent[n], [n]);
	}
	const width = widthOf(fl);
	for (const list of fl.below.values())
		list.sort((a, b) => width[b] - width[a] || a - b);
	fl.of = null;
	return fl;
}

// The log by which frames are wide.
const widthOf = (fl) => fl.total[logs.length > 1 && flameOption('width') === 'new' ? 1 : 0];

const flameName = (n) => n === 0 ? 'all' : flame.func[n] < FUNCTION && logs.length > 1 &&
	flame.func[n] >= TASK ? bareName(tracks[flame.func[n] - TASK]) : names[flame.func[n]];

// The frame that had the same way in another graph, or the nearest caller of it.
function sameFrame(old, n) {
	const way = [];
	for (; old && n > 0; n = old.parent[n])
		way.unshift(old.func[n]);
	let at = 0;
	for (const func of way) {
		const next = (flame.below.get(at) || []).find((m) => flame.func[m] === func);
		if (next === undefined)
			break;
		at = next;
	}
	return at;
}

function renewFlame() {
	const old = flame;
	flame = growFlame();
	flameZoom = sameFrame(old, flameZoom);
	flameAt = sameFrame(old, flameAt);
	drawFlame();
	sayFrame();
}

// What is seen has changed: after a while, as long as it goes on.
function flameMoved() {
	if (hidesFlame() || flameOption('range') !== 'seen')
		return;
	clearTimeout(flameTimer);
	flameTimer = setTimeout(renewFlame, 150);
}

function mixed(from, to, part) {
	return 'rgb(' + from.map((c, k) => Math.round(c + (to[k] - c) * part)).join(',') + ')';
}

// By the change as a part of what was there before: from 5 % on, to the full colour at 100 %.
function colorOfChange(n) {
	const old = flame.total[0][n], change = flame.total[1][n] - old;
	const ratio = change === 0 ? 0 : Math.abs(change) / Math.max(Math.min(old, flame.total[1][n]), 1);
	if (ratio < 0.05)
		return mixed(colors.even, colors.even, 0);
	return mixed(colors.even, change > 0 ? colors.slower : colors.faster, Math.min(1, 0.25 + ratio * 0.75));
}

function colorOfFrame(n) {
	if (hits && n && hits.func[flame.func[n]])
		return colors.hit;
	if (logs.length > 1)
		return colorOfChange(n);
	if (!n || flame.func[n] < FUNCTION)
		return colors.block[1];
	return colors.call[colorOf[flame.func[n]]];
}

const percent = (part, of) => of > 0 ? (part * 100 / of).toFixed(1) + ' %' : '-';
const signed = (ns) => (ns > 0 ? '+' : ns < 0 ? '\u2212' : '\u00b1') + time(Math.abs(ns));
const changeText = (old, now) => old > 0 ? (now >= old ? '+' : '\u2212') +
	Math.abs((now - old) * 100 / old).toFixed(1) + ' %' : now > 0 ? 'new' : '\u00b10 %';

function drawFlame() {
	if (hidesFlame() || !flame)
		return;
	const box = $('flame-box'), w = box.clientWidth, h = Math.max(flame.levels * FLAME_ROW + 2, box.clientHeight - 2);
	flameCanvas.style.height = h + 'px';
	flameCanvas.width = Math.round(w * ratio);
	flameCanvas.height = Math.min(16000, Math.round(h * ratio));
	clearCanvas(fg, w, h);
	flameItems = [];
	const width = widthOf(flame), whole = width[flameZoom];
	for (let n = flame.parent[flameZoom]; n >= 0; n = flame.parent[n])
		drawFrame(n, 0, w, true);
	if (!(whole > 0)) {
		fg.fillStyle = colors.dim;
		fg.fillText('No time here.', 8, FLAME_ROW * (flame.level[flameZoom] + 0.5));
		return;
	}
	drawFrames(flameZoom, 0, w / whole, width);
}

// A frame and what is below it. Those that are too narrow are one grey block: none is dropped.
function drawFrames(n, x, unit, width) {
	drawFrame(n, x, width[n] * unit, false);
	let rest = 0, count = 0;
	for (const m of flame.below.get(n) || []) {
		if (width[m] * unit < 1.5) {
			rest += width[m];
			count++;
			continue;
		}
		drawFrames(m, x, unit, width);
		x += width[m] * unit;
	}
	if (rest * unit < 0.5)
		return;
	const y = (flame.level[n] + 1) * FLAME_ROW;
	fg.fillStyle = colors.block[1];
	fg.fillRect(x, y + 1, Math.max(rest * unit, 1), FLAME_ROW - 2);
	flameItems.push({ x, w: rest * unit, y, count, rest });
}

function drawFrame(n, x, w, isAbove) {
	const y = flame.level[n] * FLAME_ROW, hole = n && flame.func[n] < TASK;
	fg.globalAlpha = isAbove ? 0.5 : 1;
	fg.fillStyle = colorOfFrame(n);
	fg.fillRect(x, y + 1, Math.max(w - 1, 1), FLAME_ROW - 2);
	if (hole) {
		fg.fillStyle = colors.hatch;
		fg.fillRect(x, y + 1, Math.max(w - 1, 1), FLAME_ROW - 2);
	}
	fg.globalAlpha = 1;
	if (flame.open[n] && w > 6) {
		fg.fillStyle = colors.open;
		fg.fillRect(x + w - 3, y + 1, 2, FLAME_ROW - 2);
	}
	flameItems.push({ x, w, y, node: n });
	const room = Math.floor((w - 8) / charWidth);
	if (room > 2) {
		const value = widthOf(flame)[n];
		let text = flameName(n) + (flame.open[n] ? ' ?' : '');
		const more = '  ' + (logs.length > 1 ? changeText(flame.total[0][n], flame.total[1][n]) :
			time(Math.round(value)) + ', ' + percent(value, widthOf(flame)[0]));
		if (text.length + more.length <= room)
			text += more;
		const isHit = hits && n && hits.func[flame.func[n]];
		fg.fillStyle = isHit ? colors.hitText : colors.ink;
		if (hole) {
			fg.fillStyle = colors.back;
			fg.fillRect(x + 2, y + 2, Math.min(text.length, room) * charWidth + 6, FLAME_ROW - 4);
			fg.fillStyle = colors.dim;
		}
		fg.fillText(text.length > room ? text.slice(0, room - 1) + '\u2026' : text, x + 5, y + FLAME_ROW / 2 + 0.5);
	}
	if (n === flameAt) {
		fg.strokeStyle = colors.select;
		fg.lineWidth = 2;
		fg.strokeRect(x + 1, y + 2, Math.max(w - 3, 1), FLAME_ROW - 4);
	}
}

function frameText(n) {
	const width = widthOf(flame), value = (log) => time(Math.round(flame.total[log][n]));
	const self = (log) => time(Math.round(flame.own[log][n]));
	const sure = flame.guess[n] ? '?' : '';
	const times = logs.length > 1 ? 'old ' + value(0) + ', new ' + value(1) + ' (' +
		changeText(flame.total[0][n], flame.total[1][n]) + '), in itself ' + self(0) + ', ' + self(1) + sure :
		value(0) + ', in itself ' + self(0) + sure;
	const count = flame.calls.map((c) => number(c[n])).join(' and ');
	return flameName(n) + ': ' + times + ', ' + percent(width[n], width[0]) + ' of all' +
		(flame.func[n] >= FUNCTION ? ', calls: ' + count : '') +
		(flame.open[n] ? ', without a duration: ' + number(flame.open[n]) : '');
}

function sayFrame() {
	let text = frameText(flameAt);
	if (hits) {
		let sum = 0;
		const width = widthOf(flame);
		// A hit below a hit counts once.
		const walk = (n) => {
			if (n && hits.func[flame.func[n]])
				sum += width[n];
			else
				(flame.below.get(n) || []).forEach(walk);
		};
		walk(0);
		text += '. Hits: ' + percent(sum, width[0]) + ' of all';
	}
	$('flame-said').textContent = text;
	$('flame-longest').disabled = flame.func[flameAt] < FUNCTION;
}

function goFrame(n, zoomed) {
	flameAt = n;
	if (zoomed)
		flameZoom = n;
	// Boxes outside of the part that is zoomed to are not drawn.
	let above = n;
	while (above >= 0 && above !== flameZoom)
		above = flame.parent[above];
	if (above < 0)
		flameZoom = n;
	drawFlame();
	sayFrame();
	const box = $('flame-box'), y = flame.level[n] * FLAME_ROW;
	if (y < box.scrollTop || y + FLAME_ROW > box.scrollTop + box.clientHeight)
		box.scrollTop = y - box.clientHeight / 3;
}

function flameKey(e) {
	if (e.ctrlKey || e.metaKey || e.altKey || !flame)
		return;
	const below = flame.below.get(flameAt) || [], parent = flame.parent[flameAt];
	const beside = parent < 0 ? [0] : flame.below.get(parent);
	const by = (step) => beside[beside.indexOf(flameAt) + step];
	const keys = {
		ArrowUp: () => parent, ArrowDown: () => below[0], ArrowLeft: () => by(-1), ArrowRight: () => by(1),
	};
	if (Object.hasOwn(keys, e.key)) {
		const n = keys[e.key]();
		if (n >= 0)
			goFrame(n);
	} else if (e.key === 'Enter') {
		goFrame(flameAt, true);
	} else if (e.key === 'Escape' && flameZoom) {
		flameZoom = flame.parent[flameZoom];
		goFrame(flameAt);
	} else if (e.key === '0' || e.key === 'Home') {
		goFrame(0, true);
	} else if (e.key.toLowerCase() === 't') {
		showLongest();
	} else {
		return;
	}
	e.preventDefault();
	e.stopPropagation();
}

function showLongest() {
	if (flame.func[flameAt] >= FUNCTION)
		select(longestOf(flame.func[flameAt]), 'zoom');
}

function frameAt(x, y) {
	return flameItems.find((o) => y >= o.y && y < o.y + FLAME_ROW && x >= o.x && x < o.x + Math.max(o.w, 1));
}

function listenFlame() {
	for (const id of ['by', 'tasks', 'range', 'width'])
		$('flame-' + id).addEventListener('change', renewFlame);
	$('flame-width-label').hidden = $('flame-key').hidden = logs.length < 2;
	$('flame-reset').addEventListener('click', () => goFrame(0, true));
	$('flame-longest').addEventListener('click', showLongest);
	flameCanvas.addEventListener('keydown', flameKey);
	flameCanvas.addEventListener('click', (e) => {
		const item = frameAt(e.offsetX, e.offsetY);
		if (item && item.node !== undefined)
			goFrame(item.node, true);
	});
	flameCanvas.addEventListener('pointermove', (e) => {
		const item = frameAt(e.offsetX, e.offsetY), tip = $('flame-tip'), box = $('flame');
		tip.hidden = !item;
		if (!item)
			return;
		tip.textContent = item.node === undefined ? plural(item.count, 'frame') + ', too narrow to be drawn: ' +
			time(Math.round(item.rest)) + '. Click the frame above to zoom in.' :
			frameText(item.node).replace(': ', '\n') + (lines[flame.func[item.node]] ? '\n' + lines[flame.func[item.node]] : '');
		const r = box.getBoundingClientRect();
		const x = e.clientX - r.x, y = e.clientY - r.y;
		tip.style.left = Math.max(4, Math.min(x + 14, box.clientWidth - tip.offsetWidth - 8)) + 'px';
		tip.style.top = (y + 18 + tip.offsetHeight > box.clientHeight ? y - tip.offsetHeight - 10 : y + 18) + 'px';
	});
	flameCanvas.addEventListener('pointerleave', () => { $('flame-tip').hidden = true; });
	new ResizeObserver(drawFlame).observe($('flame-box'));
}

// For tests: of each function the time of its frames that are below no other one of it, and its own.
function flameSums() {
	return logs.map((log) => {
		const sums = names.map((name) => ({ name, total: 0, self: 0 })), on = new Uint32Array(names.length);
		const walk = (n) => {
			const f = flame.func[n];
			if (n) {
				sums[f].self += flame.own[log.number][n];
				if (!on[f]++)
					sums[f].total += flame.total[log.number][n];
			}
			(flame.below.get(n) || []).forEach(walk);
			if (n)
				on[f]--;
		};
		walk(0);
		return sums;
	});
}

// For tests.
const flameFacts = () => flame && { zoom: flameName(flameZoom), at: flameName(flameAt), total: flame.total.map((t) => t[0]),
	items: flameItems.map((o) => ({ ...o, name: o.node === undefined ? '' : flameName(o.node),
		times: o.node === undefined ? [] : flame.total.map((t) => t[o.node]), color: o.node === undefined ? '' : colorOfFrame(o.node) })) };
