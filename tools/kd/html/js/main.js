// SPDX-License-Identifier: GPL-2.0
// Begins when the page is loaded.
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
