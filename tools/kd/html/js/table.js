// SPDX-License-Identifier: GPL-2.0
// Tabs and tables. A page has its list "tabs", and "fillTab": what fills those that are filled when they open.

function openTab(name, focus) {
	for (const t of tabs) {
		const on = t === name, tab = $('tab-' + t);
		tab.setAttribute('aria-selected', on ? 'true' : 'false');
		tab.tabIndex = on ? 0 : -1;
		$(t).hidden = !on;
		if (on && focus)
			tab.focus();
	}
	if (fillTab[name])
		fillTab[name]();
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
	const isNumber = (c) => /^[+\u00b1]?[\d\u202f.,?% \u2212-]+( ?(ns|\u00b5s|ms|s))?\??$/.test(c.textContent || c);
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
