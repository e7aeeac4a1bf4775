// SPDX-License-Identifier: GPL-2.0
// The lower part: functions, the selected call.

const tabs = ['boot', 'flame', 'functions', 'call', 'found', 'trace', 'help'];
const fillTab = { functions: fillFunctions, flame: renewFlame };
const whyOpen = (i) => ({ [OPEN]: 'not returned', [UNWOUND]: 'an outer call returned first',
	[NOTIME]: 'entered before the clock ran' })[X[i] & WHY];

const functionButton = (f) => button(names[f], () => selectFunction(f), lines[f] || '');

// Of the new log, if there are two; of the old one only if the function is there alone.
function longestOf(f, log = logs[logs.length - 1]) {
	let best = -1, first = -1;
	for (let i = log.first; i < log.last; i++) {
		if (F[i] !== f)
			continue;
		if (first < 0)
			first = i;
		if (isTimed(i) && (best < 0 || E[i] - S[i] > E[best] - S[best]))
			best = i;
	}
	if (first < 0 && log.number)
		return longestOf(f, logs[0]);
	return best < 0 ? first : best;
}

function selectFunction(f) {
	const i = longestOf(f);
	if (i >= 0)
		select(i);
}

// Sums of all functions: as kd's table has them.
const sumsOf = (log) => log.sums = log.sums || sumUp(log);

function sumUp(log) {
	const n = names.length, now = new Uint32Array(n), stack = [];
	const s = { calls: new Uint32Array(n), open: new Uint32Array(n), total: new Float64Array(n), all: new Float64Array(n),
		self: new Float64Array(n), off: new Float64Array(n), irq: new Float64Array(n),
		min: new Float64Array(n).fill(Infinity), max: new Float64Array(n), guess: new Uint8Array(n) };
	for (const t of tracks.filter((o) => o.log === log && !o.runs)) {
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

let sums;
let columnsOfFunctions = [
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
	sums = sumsOf(logs[0]);
	const rows = [];
	for (let f = FUNCTION; f < names.length; f++)
		if (logs.some((log) => sumsOf(log).calls[f]))
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
	panel.replaceChildren(long(rows, head, logs.length > 1 ? cellsOfChange : (f) => [functionButton(f), number(sums.calls[f]),
		known(sums.total[f], f), known(sums.self[f], f) + (sums.guess[f] ? '?' : ''),
		known(columnsOfFunctions[4][1](f), f), known(sums.min[f], f),
		known(sums.max[f], f), known(sums.off[f], f), known(sums.irq[f], f),
		sums.open[f] ? number(sums.open[f]) : '']));
	panel.querySelectorAll('thead th')[sortBy].setAttribute('aria-sort',
		sortUp ? 'ascending' : 'descending');
}

// Who calls a function, and what it calls.
function around(f, log) {
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
	for (let i = log.first; i < log.last; i++) {
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
	const top10 = longest.length > 1e5 ? longest.filter((i) => length(i) >= sumsOf(log).max[f] / 20) : longest;
	top10.sort((a, b) => length(b) - length(a));
	return { callers: sorted(up), callees: sorted(down), longest: top10.slice(0, 10) };
}

function fillCall() {
	const i = selected, panel = $('call');
	panel.replaceChildren();
	if (i < 0) {
		panel.append(make('p', { class: 'dim', text: 'Nothing is selected. Click a call of the ' +
			'timeline, or a function.' }));
		return;
	}
	const f = F[i], facts = [], log = tracks[T[i]].log;
	const fact = (key, value) => facts.push([key, value]);
	fact('Track', tracks[T[i]].title + (C[i] >= 0 ? ', CPU ' + C[i] : ''));
	fact('Begins', moment(S[i], 1));
	fact('Time', isTimed(i) ? time(E[i] - S[i]) + '  (' + exact(E[i] - S[i]) + ')' :
		'none: ' + whyOpen(i) + '; drawn until it must have been over');
	if (f >= FUNCTION) {
		if (isTimed(i))
			fact('Self', time(SELF[i]) + (isGuess(i) ? '?' : ''));
		fact('Switched out', time(OFFNS[i]));
		fact('Interrupts', time(IRQNS[i]));
		fact('Calls below without a record', log.info.below ? number(DROPPED[i]) : '?');
		if (lines[f])
			fact('Source', lines[f]);
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
	const a = around(f, log), s = sumsOf(log);
	own.append(make('tr', {}, make('th', { scope: 'row', text: 'All calls of the function' }),
		make('td', { text: number(s.calls[f]) + ', ' + time(s.total[f]) + ', self ' +
			time(s.self[f]) + (s.guess[f] ? '?' : '') })));
	const link = (x) => x.f < 0 ? '(none)' : button(names[x.f], () => select(x.call),
		'the longest of these calls');
	sides.append(
		long(a.callers, ['Callers', 'Calls', 'Time'],
			(x) => [link(x), number(x.calls), time(x.time)]),
		long(a.callees, ['Calls below', 'Calls', 'Time'],
			(x) => [link(x), number(x.calls), time(x.time)]),
		table(['Longest calls', 'Time'], a.longest, (j) => [button(moment(S[j], 1000),
			() => select(j, 'zoom')), isTimed(j) ? time(E[j] - S[j]) : '?']), wakeTable(i));
}
