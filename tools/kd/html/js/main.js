// SPDX-License-Identifier: GPL-2.0
// Begins when the page is loaded.
// Where options of kd chose a part of the log, this is what is looked at first.
function lookAtChoice() {
	if (!logs.some(choiceOf))
		return;
	let from = Infinity, to = -Infinity;
	for (const log of logs)
		for (let i = log.first; i < log.last; i++) {
			from = Math.min(from, S[i]);
			to = Math.max(to, isTimed(i) ? E[i] : S[i]);
		}
	if (to > from) {
		t0 = Math.max(t0, from - (to - from) * 0.02);
		t1 = Math.min(t1, to + (to - from) * 0.02);
	}
}

async function main() {
	if (!await readData(read))
		return;
	begin = 0;
	end = Math.max(1, ...logs.map((log) => log.info.end));
	for (let i = 0; i < calls; i++)
		if (E[i] > end)
			end = E[i];
	t0 = begin - (end - begin) * 0.01;
	t1 = end + (end - begin) * 0.01;
	lookAtChoice();
	colorOf = names.map((n) => hash(n) % light.call.length);
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
	listenFlame();
	if (logs.length > 1)
		setComparison();
	openTab(logs.length > 1 ? 'compare' : logs[0].info.boot.rows ? 'boot' : 'functions');
	document.documentElement.dataset.ready = '1';
}

// How many calls and hits are to be seen if all levels of all tracks are drawn.
function countAll() {
	alone = aloneHits = 0;
	blocks = [];
	for (const t of tracks.filter((o) => !o.runs))
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
	frames, view: () => ({ t0, t1, top, begin, end, calls, selected,
		recorded: logs.reduce((sum, log) => sum + log.info.calls, 0) }), select,
	sums: (log = 0) => ({ names, first: FUNCTION, ...sumsOf(logs[log]) }),
	open: (log = 0) => sumsOf(logs[log]).open, two: () => logs.length > 1,
	values: () => { sums = sumsOf(logs[0]); return names.map((name, f) => columnsOfFunctions.map((c) => c[1](f))); },
	drawn: () => ({ labels: labels.length, blocks: blocks.map((b) => b.n), ruler, hits: hits && hits.count }),
	bands: () => bands.map((b) => b.name), tipOfDots: (band, k, next) => tipText({ band: bands[band], marks: { k, next } }),
	flame: () => flameFacts(), flameSums: () => flameSums(), arrows: () => ({ drawn: arrows.length, wakes: logs.map((log) => log.wakes.length), path: logs.map((log) => pathWakes(log).length) }),
	rows: () => order.map((t) => ({ name: t.title, y: tracksTop() + t.y - top, levels: t.levels, shown: t.shown })),
};

main();
