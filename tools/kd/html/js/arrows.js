// SPDX-License-Identifier: GPL-2.0
// Wake-ups: arrows from who woke a task to where the task ran. Those of the critical path are
// always drawn, and those into and out of the track of the selected call while it lasted.
const ARROWS = 120, PATH_ARROWS = 30;
let arrows = [];

// The wake-ups that the critical path goes by: where it comes to another task, which had been woken
// and had not run since.
function pathWakes(log) {
	if (log.pathWakes)
		return log.pathWakes;
	log.pathWakes = [];
	// The last wake-up of each task so far.
	const last = new Map();
	let k = 0;
	for (const [at, pid] of log.info.boot.hops || []) {
		for (; k < log.wakes.length && log.wakes[k].at <= at; k++)
			last.set(log.wakes[k].to.pid, log.wakes[k]);
		const w = last.get(pid);
		if (w && w.ran >= at)
			log.pathWakes.push(w);
	}
	return log.pathWakes;
}

const wakesOf = (i) => F[i] < FUNCTION && F[i] >= TASK ? [] : tracks[T[i]].log.wakes.filter((w) =>
	(w.to === tracks[T[i]] && w.ran >= S[i] && w.ran <= E[i]) ||
	(w.from === tracks[T[i]] && w.at >= S[i] && w.at <= E[i]));

// Those that are seen; or none, if they are more than a number.
function inSight(list, most) {
	const found = [];
	for (const w of list) {
		if (w.at > t1)
			break;
		if (w.ran >= t0 && found.push(w) > most)
			return [];
	}
	return found;
}

let arrowsOf = -1, ownWakes = [];

function drawArrows() {
	if (arrowsOf !== selected) {
		arrowsOf = selected;
		ownWakes = selected >= 0 ? wakesOf(selected) : [];
	}
	const own = inSight(ownWakes, ARROWS);
	const path = logs.flatMap((log) => inSight(pathWakes(log), PATH_ARROWS));
	arrows = [...own, ...path];
	g.save();
	g.beginPath();
	g.rect(GUTTER, tracksTop(), width - GUTTER, height - tracksTop());
	g.clip();
	g.globalAlpha = 0.55;
	for (const w of path)
		arrow(w, colors.dim, 1);
	g.globalAlpha = 1;
	for (const w of own)
		arrow(w, colors.select, 1.6);
	g.restore();
}

function arrow(w, color, thick) {
	if (w.from.y === undefined || w.to.y === undefined)
		return;
	const from = tracksTop() - top, down = w.to.y > w.from.y;
	const x = xOf(w.at), to = xOf(w.ran);
	const y = from + w.from.y + (down ? Math.max(1, w.from.shown) * ROW : 0);
	const end = from + w.to.y + (down ? 0 : Math.max(1, w.to.shown) * ROW);
	if (Math.max(y, end) < tracksTop() || Math.min(y, end) > height)
		return;
	const bend = Math.max(8, Math.min(60, Math.abs(end - y) / 2)) * (down ? 1 : -1);
	g.strokeStyle = g.fillStyle = color;
	g.lineWidth = thick;
	g.beginPath();
	g.moveTo(x, y);
	g.bezierCurveTo(x, y + bend, to, end - bend, to, end);
	g.stroke();
	g.beginPath();
	g.moveTo(to, end);
	g.lineTo(to - 4, end - (down ? 7 : -7));
	g.lineTo(to + 4, end - (down ? 7 : -7));
	g.fill();
}

// The same for those who read.
function wakeTable(i) {
	const list = wakesOf(i), t = tracks[T[i]];
	if (!list.length)
		return '';
	return long(list, ['Wake-ups in its time', 'Woken by', 'Task', 'Ran after'], (w) => [
		button(moment(w.at, 1000), () => zoomTo(w.at, Math.max(w.ran, w.at + 1000))),
		w.from === t ? '(this)' : w.from.name, w.to === t ? '(this)' : w.to.name, time(w.ran - w.at)]);
}
