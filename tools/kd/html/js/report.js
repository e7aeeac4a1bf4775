// SPDX-License-Identifier: GPL-2.0
// The report of the boot, the trace's configuration and counters.

const parts = {
	open: ['Calls that had not returned', 'eFB'],
	longest: ['Where the time went: the longest pieces of the boot', 'tPTkFB'],
	kind: ['The path, added up', 'tPk'],
	phase: ['Phases', 'etPF'],
	program: ['Programs that were started, up to the next one', 'etpF'],
	path: ['The critical path', 'etPTkFBi'],
	wait: ['What the path waited for', 'tPckFBh'],
	function: ['Functions with the most time of their own', 'tPcF'],
	initcall: ['The longest initcalls, and those to be tried again', 'etPvRF'],
	printk: ['Lines of printk', 'eF'],
};
const also = { before: 'phase', arming: 'phase', boot: 'phase', recording: 'phase', later: 'phase' };
const cellsOfBoot = {
	e: ['Entry', (r) => r.entry_ns !== null ? moment(r.entry_ns, 1000) + mark(r, 'entry_ns') : r.part === 'printk' ? '?' : ''],
	t: ['Length', (r) => r.length_ns === null ? '?' : time(r.length_ns) + mark(r, 'length_ns')],
	P: ['%', (r) => r.percent === null ? '' : r.percent.toFixed(2)],
	p: ['Pid', (r) => r.pid === null ? '' : String(r.pid)],
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
	if (r.part === 'printk')
		return r.entry_ns === null ? null : { from: r.entry_ns - 5e5, to: r.entry_ns + 5e5 };
	if (r.entry_ns !== null && r.length_ns !== null)
		return { from: r.entry_ns, to: r.entry_ns + r.length_ns };
	if (r.part === 'boot' || r.part === 'recording' || r.part === 'kind')
		return { from: r.log.info.boot.start, to: r.log.info.boot.end };
	if (r.part === 'before' || r.part === 'arming')
		return null;
	const like = pathRows(r.log).filter((p) => (r.function === null || p.function === r.function) &&
		(r.pid === null || p.pid === r.pid) && (r.function !== null || p.kind === r.kind));
	like.sort((a, b) => b.length_ns - a.length_ns);
	if (r.part !== 'function' && like.length)
		return { from: like[0].entry_ns, to: like[0].entry_ns + like[0].length_ns };
	const i = longestOf(functionNamed(textOf(r.function)), r.log);
	return i >= 0 && F[i] >= FUNCTION ? { from: S[i], to: E[i], call: i } : null;
}

// The call that a line is about: of its function, in its task, around its middle.
function callOf(r, place) {
	const f = functionNamed(textOf(r.function));
	if (place.call !== undefined)
		return place.call;
	let best = -1;
	for (let i = r.log.first; f >= 0 && i < r.log.last; i++)
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
	if (logs.length < 2) {
		fillBootOf(logs[0], $('boot'));
		return;
	}
	const sides = make('div', { class: 'sides' });
	for (const log of logs) {
		const side = make('section', { 'aria-label': 'Boot report of the ' + log.word + ' log' },
			make('h2', { text: titleOf(log) }));
		fillBootOf(log, side);
		sides.append(side);
	}
	$('boot').replaceChildren(sides);
}

function fillBootOf(log, panel) {
	const boot = log.info.boot;
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

// What the options of kd chose of the log.
function choiceOf(log) {
	const { calls: shownCalls, of_calls: all } = log.info;
	return shownCalls === all ? '' : number(shownCalls) + ' of ' + plural(all, 'call');
}

const titleOf = (log) => (log.word ? log.word[0].toUpperCase() + log.word.slice(1) + ': ' : '') +
	textOf(log.info.log);

function fillTrace() {
	const boxes = logs.map(traceOf), notes = logs.reduce((n, log) => n + log.info.notes.length, 0);
	$('tab-trace').textContent = 'Trace' + (notes ? ' (' + plural(notes, 'note') + ')' : '');
	$('trace').replaceChildren(...boxes);
}

function traceOf(log) {
	const info = log.info;
	const facts = [['Log', textOf(info.log)], ['Kernel', textOf(info.kernel)],
		['Build id', textOf(info.build_id)], ['Clock', textOf(info.clock)],
		['Filters', textOf(info.filters) || 'none'], ['In this page', choiceOf(log)], ['Started by', textOf(info.start_by)],
		['Stopped by', textOf(info.stop_by)], ['Written by', 'kd ' + info.kd]]
		.filter(([, v]) => v);
	const t = make('table', {}, make('caption', { text: 'Trace' }));
	for (const [k, v] of facts)
		t.append(make('tr', {}, make('th', { scope: 'row', text: k }), make('td', { text: v })));
	const c = make('table', {}, make('caption', { text: 'Counters' }));
	for (const [k, v] of Object.entries(info.counters))
		c.append(make('tr', {}, make('th', { scope: 'row', text: textOf(k) }),
			make('td', { class: 'n', text: number(v) })));
	const notes = make('div', {}, make('h2', { text: 'Notes: what is incomplete or uncertain' }));
	if (info.notes.length)
		notes.append(make('ul', {}, ...info.notes.map((n) => make('li', { text: textOf(n) }))));
	else
		notes.append(make('p', { class: 'dim', text: 'none' }));
	return make('section', {}, ...log.word ? [make('h2', { text: titleOf(log) })] : [], notes,
		make('div', { class: 'sides' }, t, c));
}

// One sentence about a log.
function answerOf(log) {
	const { boot, end: last } = log.info;
	const choice = choiceOf(log);
	return (boot.rows ? boot.over ? 'The boot took ' + time(boot.end - boot.start) +
		', from ' + textOf(boot.begin_by) + ' to ' + textOf(boot.end_by) + '.' :
		'The boot was not over when the log ended.' :
		plural(log.info.calls, 'call') + ' in ' + time(last) + '.') +
		(choice ? ' The page has ' + choice + '.' : '');
}

function fillHead() {
	const info = logs[0].info;
	const title = 'KFI trace' + (info.kernel ? ': ' + textOf(info.kernel) : '');
	document.title = title;
	$('title').textContent = title;
	$('answer').textContent = logs.length > 1 ? answerOfTwo() : answerOf(logs[0]);
	const lost = logs.filter((log) => log.info.lost);
	if (lost.length) {
		$('warning').textContent = lost.map((log) => 'Calls lost while tracing' +
			(log.word ? ' the ' + log.word + ' log' : '') + ': ' + number(log.info.lost) + '.').join(' ') +
			' They are not in this page. The tab Trace has the counters.';
		$('warning').hidden = false;
	}
}
