// SPDX-License-Identifier: GPL-2.0
// The page of a fleet: a picture of one series over the builds, and the answers to all questions.
// Its data is told in kd_fleet_page.c.

const tabs = ['trend', 'changes', 'phases', 'functions', 'outliers', 'bimodal', 'worst', 'help'];
const fillTab = {};
const TOTAL = '(the boot)';
// From this number of boots on a build has a bar instead of dots.
const DOTS = 3000;
const LEFT = 84, RIGHT = 20, TOP = 14, BOTTOM = 34;

let fleet, series, chosenBoard = -1, nowBuild = -1, place;

const svg = (tag, options, ...children) => {
	const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
	for (const [key, value] of Object.entries(options))
		if (key === 'text')
			e.textContent = value;
		else
			e.setAttribute(key, value);
	e.append(...children);
	return e;
};

const percent = (v) => v === null ? '?' : (v > 0 ? '+' : v < 0 ? '\u2212' : '') + Math.abs(v).toFixed(2) + ' %';
const change = (ns) => ns === null ? '?' : (ns > 0 ? '+' : ns < 0 ? '\u2212' : '') + time(Math.abs(ns));
const nameOf = (row) => textOf(row.name);

// The value that "part" of 1 of sorted values do not exceed.
const quantile = (sorted, part) => sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)];

function totalSeries() {
	const rows = fleet.answers.trend.rows;
	return { name: TOTAL, kind: 'boot', title: 'Total of the boots, by build', median: rows.map((r) => r.median_ns),
		p95: rows.map((r) => r.p95_ns), boots: true };
}

function seriesOf(row, what) {
	if (row.name === TOTAL)
		return totalSeries();
	return { name: row.name, kind: what.toLowerCase(), title: what + ' ' + nameOf(row) + ': median of each build',
		median: row.medians_ns.split(' ').map(Number) };
}

// The rows of phases and functions are the series that can be drawn.
function seriesNamed(name, kind) {
	if (name === TOTAL)
		return totalSeries();
	for (const [question, what] of [['phases', 'phase'], ['functions', 'function']]) {
		const row = (!kind || kind === what) && fleet.answers[question].rows.find((r) => r.name === name);
		if (row)
			return seriesOf(row, what === 'phase' ? 'Phase' : 'Function');
	}
	return null;
}

const cutsOf = (s) => fleet.answers.changes.rows.filter((r) => r.kind === s.kind && r.name === s.name);

function draw() {
	const box = $('picture'), width = box.clientWidth, height = box.clientHeight, s = series;
	const builds = fleet.builds.length, cuts = cutsOf(s);
	let low = Infinity, high = 0;
	const see = (v) => { low = Math.min(low, v); high = Math.max(high, v); };
	const bars = s.boots && fleet.boots.length > DOTS;
	for (const v of [...s.median, ...s.p95 || []])
		see(v);
	if (s.boots && !bars)
		for (const [, , total] of fleet.boots)
			see(total);
	if (bars)
		for (const b of fleet.spread)
			b.forEach(see);
	low = low < high / 4 ? 0 : low - (high - low) * 0.05 - 1;
	high += (high - low) * 0.05 + 1;
	const x = (build) => LEFT + (width - LEFT - RIGHT) * (build + 0.5) / builds;
	const y = (ns) => height - BOTTOM - (height - TOP - BOTTOM) * (ns - low) / (high - low);
	const parts = [], put = (tag, options, ...more) => parts.push(svg(tag, options, ...more));

	// The axes.
	const steps = [1, 2, 5].flatMap((n) => [...Array(18).keys()].map((e) => n * 10 ** e));
	const step = Math.min(...steps.filter((v) => (high - low) / v <= Math.max(2, height / 40)));
	for (let v = Math.ceil(low / step) * step; v <= high; v += step) {
		put('line', { class: 'grid', x1: LEFT, x2: width - RIGHT, y1: y(v), y2: y(v) });
		put('text', { class: 'label', x: LEFT - 8, y: y(v) + 4, 'text-anchor': 'end', text: time(v) });
	}
	const room = (width - LEFT - RIGHT) / builds;
	const longest = Math.max(...fleet.builds.map((b) => textOf(b).length));
	const every = Math.ceil((Math.min(longest, 16) * 8 + 8) / room);
	fleet.builds.forEach((b, n) => {
		const name = textOf(b);
		if (n % every === 0)
			put('text', { class: 'label', x: x(n), y: height - 12, 'text-anchor': 'middle',
				text: name.length > 16 ? name.slice(0, 15) + '\u2026' : name });
	});

	// The boots.
	const spread = Math.min(room * 0.35, 30), isSteady = (n) => (n * 0.618034) % 1 * 2 - 1;
	if (s.boots && !bars)
		fleet.boots.forEach(([build, board, total], n) => {
			if (board !== chosenBoard)
				put('circle', { class: 'dot', cx: x(build) + isSteady(n) * spread, cy: y(total), r: 2.5 });
		});
	if (bars)
		fleet.spread.forEach(([p5, p95], n) => put('rect', { class: 'dot', x: x(n) - Math.max(1, room / 4),
			width: Math.max(2, room / 2), y: y(p95), height: Math.max(1, y(p5) - y(p95)) }));
	const line = (values, name) => put('polyline', { class: name, points: values.map((v, n) => x(n) + ',' + y(v)).join(' ') });
	for (const c of cuts) {
		const n = fleet.builds.indexOf(c.build), at = x(n) - room / 2;
		put('line', { class: c.change_ns > 0 ? 'cut slower' : 'cut faster', x1: at, x2: at, y1: TOP, y2: height - BOTTOM });
		put('text', { class: c.change_ns > 0 ? 'cut slower' : 'cut faster', x: at + 4, y: TOP + 10,
			text: percent(c.change_percent) + ' from ' + textOf(c.build) });
	}
	if (s.p95)
		line(s.p95, 'p95');
	line(s.median, 'median');
	s.median.forEach((v, n) => put('circle', { class: n === nowBuild ? 'point now' : 'point', cx: x(n), cy: y(v), r: n === nowBuild ? 5 : 3 }));
	if (s.boots && chosenBoard >= 0)
		fleet.boots.forEach(([build, board, total], n) => {
			if (board === chosenBoard)
				put('circle', { class: 'chosen', cx: x(build) + isSteady(n) * spread, cy: y(total), r: 4.5 });
		});
	box.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
	box.replaceChildren(...parts);
	$('series').textContent = s.title + (s.boots && chosenBoard >= 0 ? '; large dots: board ' +
		textOf(fleet.boards[chosenBoard]) : '');
	place = { x, y, room, dots: bars ? 0 : s.boots ? fleet.boots.length : 0, cuts: cuts.length, low, high };
	$('total').setAttribute('aria-pressed', s.boots ? 'true' : 'false');
}

function show(s, board = -1) {
	if (!s) {
		say('This series is not in the page: write it with a larger -n.');
		return;
	}
	series = s;
	chosenBoard = board;
	draw();
	say('');
}

const factsOf = (n) => {
	const r = fleet.answers.trend.rows[n], s = series;
	return textOf(r.build) + ', ' + r.date + ': median ' + time(s.median[n]) +
		(s.p95 ? ', p95 ' + time(s.p95[n]) : '') +
		(n ? ', ' + change(s.median[n] - s.median[n - 1]) + ' to the build before' : '') +
		'; ' + plural(r.boots, 'boot') + ' of ' + plural(r.boards, 'board');
};

function goBuild(n) {
	nowBuild = Math.max(0, Math.min(fleet.builds.length - 1, n));
	draw();
	say(factsOf(nowBuild));
}

function listenPicture() {
	const tip = $('tip'), box = $('picture');
	box.addEventListener('mousemove', (e) => {
		const r = box.getBoundingClientRect();
		const n = Math.floor((e.clientX - r.left - LEFT) / place.room);
		tip.hidden = n < 0 || n >= fleet.builds.length;
		if (tip.hidden)
			return;
		tip.textContent = factsOf(n).replace(/[:;] /g, '\n');
		tip.style.left = Math.min(e.clientX - r.left + 14, r.width - tip.offsetWidth - 4) + 'px';
		tip.style.top = Math.max(0, e.clientY - r.top - tip.offsetHeight - 8 + box.offsetTop) + 'px';
	});
	box.addEventListener('mouseleave', () => { tip.hidden = true; });
	box.addEventListener('keydown', (e) => {
		const by = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
		if (by) {
			goBuild(nowBuild < 0 ? by > 0 ? 0 : fleet.builds.length - 1 : nowBuild + by);
			e.preventDefault();
		}
	});
	addEventListener('resize', draw);
	addEventListener('keydown', (e) => {
		if (e.key === '/' && e.target !== $('words')) {
			$('words').focus();
			e.preventDefault();
		} else if (e.key === 'Escape') {
			$('words').value = '';
			fillSeries();
			nowBuild = -1;
			show(totalSeries());
		}
	});
	$('total').addEventListener('click', () => show(totalSeries()));
	$('words').addEventListener('input', () => {
		fillSeries();
		if ($('functions').hidden && $('phases').hidden)
			openTab('functions');
	});
}

// A small picture of medians.
function spark(values) {
	const low = Math.min(...values), high = Math.max(...values), last = Math.max(1, values.length - 1);
	return svg('svg', { class: 'spark', width: 130, height: 16, 'aria-hidden': 'true' }, svg('polyline', {
		class: 'median', points: values.map((v, n) => 2 + n * 126 / last + ',' +
			(high > low ? 14 - (v - low) * 12 / (high - low) : 8)).join(' ') }));
}

const drawn = (row, kind) => button(nameOf(row), () => show(seriesNamed(row.name, kind)), 'Draw it');
const colored = (text, v) => make('span', { class: v > 0 ? 'slower' : v < 0 ? 'faster' : '', text });

function panel(question, head, cells, rows = fleet.answers[question].rows) {
	const a = fleet.answers[question], p = $(question);
	p.replaceChildren(...a.notes.map((n) => make('p', { class: 'dim', text: textOf(n) })));
	if (a.all > a.rows.length && question !== 'outliers')
		p.append(make('p', { class: 'dim', text: 'The page has ' + number(a.rows.length) + ' of ' + number(a.all) +
			' rows: kd -n chooses how many.' }));
	p.append(rows.length ? long(rows, head, cells) : make('p', { text: 'None.' }));
}

function fillSeries() {
	const word = $('words').value.toLowerCase();
	const wanted = (r) => !word || nameOf(r).toLowerCase().includes(word);
	for (const [question, kind, title] of [['phases', 'phase', 'Phase'], ['functions', 'function', 'Function']])
		panel(question, [title, 'First build', 'Last build', 'Change', 'Change %', 'Builds'], (r) => [
			r.name === TOTAL ? button('Total', () => show(totalSeries())) : drawn(r, kind),
			time(r.first_ns), time(r.last_ns), colored(change(r.change_ns), r.change_ns),
			colored(percent(r.change_percent), r.change_ns), spark(r.medians_ns.split(' ').map(Number))],
		fleet.answers[question].rows.filter(wanted));
}

function fillPanels() {
	panel('trend', ['Build', 'First boot', 'Boots', 'Boards', 'Median', 'Deviation', 'p95', 'Change', 'Change %'], (r) => [
		textOf(r.build), r.date, number(r.boots), number(r.boards), time(r.median_ns), time(r.deviation_ns),
		time(r.p95_ns), colored(change(r.change_ns), r.change_ns), colored(percent(r.change_percent), r.change_ns)]);
	panel('changes', ['What', 'Name', 'From build', 'Before', 'After', 'Change', 'Change %', 'Chance', 'Boards'], (r) => [
		r.kind, drawn(r, r.kind === 'boot' ? null : r.kind), textOf(r.build), time(r.before_ns), time(r.after_ns),
		colored(change(r.change_ns), r.change_ns), colored(percent(r.change_percent), r.change_ns), r.chance || '?', number(r.boards)]);
	panel('outliers', ['Board', 'Boots', 'Change', 'Change %', 'Deviations'], (r) => [
		button(textOf(r.board), () => show(totalSeries(), fleet.boards.indexOf(r.board)), 'Show its boots'),
		number(r.boots), colored(change(r.change_ns), r.change_ns), colored(percent(r.change_percent), r.change_ns), r.deviations || '?']);
	panel('bimodal', ['What', 'Name', 'Low', 'High', 'High %', 'Distance'], (r) => [
		r.kind, drawn(r, r.kind === 'boot' ? null : r.kind), time(r.low_ns), time(r.high_ns),
		r.high_percent.toFixed(2) + ' %', r.distance || '?']);
	panel('worst', ['On the critical path', 'Other boots', 'Slow boots', 'More', 'More %'], (r) => [
		drawn(r, 'function'), time(r.others_ns), time(r.slow_ns), change(r.more_ns), percent(r.more_percent)]);
	fillSeries();
}

// The answer in one line.
function answer() {
	const rows = fleet.answers.trend.rows, first = rows[0], last = rows[rows.length - 1];
	const of = last.median_ns - first.median_ns, found = fleet.answers.changes;
	return plural(fleet.boots.length, 'boot') + ' of ' + plural(fleet.boards.length, 'board') + ', ' +
		plural(rows.length, 'build') + '. Build ' + textOf(last.build) + ': median ' + time(last.median_ns) +
		(rows.length > 1 ? ', ' + change(of) + ' (' + percent(of * 100 / first.median_ns) + ') since ' +
			textOf(first.build) + '. ' + plural(found.all, 'change') + ' found.' : '.');
}

// Of each build with many boots: the 5th and the 95th of 100 totals.
function findSpread() {
	const totals = fleet.builds.map(() => []);
	for (const [build, , total] of fleet.boots)
		totals[build].push(total);
	fleet.spread = totals.map((t) => {
		t.sort((a, b) => a - b);
		return [quantile(t, 0.05), quantile(t, 0.95)];
	});
}

async function main() {
	if (!await readData(([data]) => { fleet = JSON.parse(utf8.decode(data[0])); }))
		return;
	document.title = 'KFI fleet: ' + textOf(fleet.fleet);
	$('title').textContent = document.title;
	$('answer').textContent = answer();
	findSpread();
	fillPanels();
	listenTabs();
	listenPicture();
	openTab(fleet.answers.changes.rows.length ? 'changes' : 'trend');
	show(totalSeries());
	document.documentElement.dataset.ready = '1';
}

// For tests: what is drawn.
window.kfi = {
	data: () => fleet, facts: () => ({ title: $('series').textContent, builds: fleet.builds.length, dots: place.dots, cuts: place.cuts,
		chosen: [...document.querySelectorAll('.chosen')].map((c) => +c.getAttribute('cy')), median: series.median, nowBuild,
		points: [...document.querySelectorAll('.point')].map((p) => ({ x: +p.getAttribute('cx'), y: +p.getAttribute('cy') })) }),
};

main();
