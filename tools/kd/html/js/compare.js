// SPDX-License-Identifier: GPL-2.0
// Two logs: their phases, what their paths consist of, and their functions, beside each other.
function answerOfTwo() {
	const boots = logs.map((log) => log.info.boot);
	if (!boots.every((b) => b.rows && b.over))
		return logs.map((log) => log.word[0].toUpperCase() + log.word.slice(1) + ': ' + answerOf(log)).join(' ');
	const [old, now] = boots.map((b) => b.end - b.start);
	return 'The boot took ' + time(old) + ' before, ' + time(now) + ' now: ' + signed(now - old) + ' (' +
		changeText(old, now) + ').';
}

// A change as a cell: the greater, the more it catches the eye; with a sign for all who do not see colours.
function changeCell(old, now) {
	const change = now - old, of = Math.max(old || 0, now || 0);
	const td = make('span', { text: change !== change ? '?' : signed(change) });
	if (Math.abs(change) >= 0.05 * of && Math.abs(change) >= 1e5)
		td.className = change > 0 ? 'slower' : 'faster';
	return td;
}

// Rows of both logs that have the same key, in the order of the log that has them first.
function pairs(part, key) {
	const all = new Map();
	for (const log of logs)
		for (const r of bootRows(log, part)) {
			const k = key(r);
			if (!all.has(k))
				all.set(k, { name: k, sum: [NaN, NaN], row: [null, null] });
			const p = all.get(k);
			p.sum[log.number] = (p.sum[log.number] || 0) + r.length_ns;
			p.row[log.number] = p.row[log.number] || r;
		}
	return [...all.values()];
}

function pairTable(title, rows) {
	const value = (p, n) => p.row[n] ? button(time(p.sum[n]), () => goRow(p.row[n]), 'its place in the timeline') : '-';
	return table([title, 'Old', 'New', 'Change', 'Change %'], rows, (p) => [p.name, value(p, 0), value(p, 1),
		changeCell(p.row[0] ? p.sum[0] : 0, p.row[1] ? p.sum[1] : 0),
		p.row[0] && p.row[1] ? changeText(p.sum[0], p.sum[1]) : p.row[1] ? 'new' : 'gone']);
}

function fillCompare() {
	const panel = $('compare');
	panel.replaceChildren(make('p', {}, answerOfTwo()));
	const sides = make('div', { class: 'sides' });
	if (logs.every((log) => log.info.boot.rows)) {
		const whole = ['boot'].flatMap((part) => pairs(part, () => 'the boot'));
		sides.append(pairTable('Phase', [...whole, ...pairs('phase', (r) => textOf(r.function))]),
			pairTable('On the critical path', pairs('kind', (r) => kindText[r.kind] || r.kind)));
	} else {
		panel.append(make('p', { class: 'dim', text: logs.filter((log) => !log.info.boot.rows).map((log) =>
			'No phases of the ' + log.word + ' log: ' + textOf(log.info.boot.why)).join(' ') }));
	}
	const rows = [];
	for (let f = FUNCTION; f < names.length; f++) {
		const [a, b] = logs.map((log) => sumsOf(log).self[f]);
		if (Math.abs(b - a) >= 1e5)
			rows.push({ f, a, b });
	}
	rows.sort((x, y) => Math.abs(y.b - y.a) - Math.abs(x.b - x.a));
	sides.append(table(['Functions whose self time changed most', 'Old', 'New', 'Change', 'Change %'],
		rows.slice(0, 20), (r) => [functionButton(r.f), time(r.a), time(r.b), changeCell(r.a, r.b), changeText(r.a, r.b)]));
	panel.append(sides);
}

// The ranking of two logs.
const valueOf = (what, log) => (f) => sumsOf(logs[log])[what][f];
const changeOf = (what) => (f) => Math.abs(valueOf(what, 1)(f) - valueOf(what, 0)(f));
const columnsOfChange = [
	['Function', (f) => names[f]],
	['Time old', valueOf('total', 0)], ['Time new', valueOf('total', 1)], ['Change', changeOf('total')],
	['Self old', valueOf('self', 0)], ['Self new', valueOf('self', 1)], ['Change', changeOf('self')],
	['Calls old', valueOf('calls', 0)], ['Calls new', valueOf('calls', 1)],
];

function cellsOfChange(f) {
	const [a, b] = logs.map(sumsOf);
	const of = (s, what) => !s.calls[f] ? '-' : s.calls[f] === s.open[f] ? '?' : time(s[what][f]) +
		(what === 'self' && s.guess[f] ? '?' : '');
	return [functionButton(f), of(a, 'total'), of(b, 'total'), changeCell(a.total[f], b.total[f]),
		of(a, 'self'), of(b, 'self'), changeCell(a.self[f], b.self[f]), number(a.calls[f]), number(b.calls[f])];
}

function setComparison() {
	columnsOfFunctions = columnsOfChange;
	sortBy = 3;
	tabs.unshift('compare');
	$('tab-compare').hidden = false;
	fillCompare();
}
