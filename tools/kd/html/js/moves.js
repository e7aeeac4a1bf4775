// SPDX-License-Identifier: GPL-2.0
// The timeline: mouse, touchpad and keyboard.

function setView(a, b) {
	const all = (end - begin) * 1.02 || 1;
	const span = Math.max(Math.min(b - a, all), 20);
	let from = (a + b) / 2 - span / 2;
	from = Math.max(begin - (end - begin) * 0.01, Math.min(end + (end - begin) * 0.01 - span, from));
	t0 = from;
	t1 = from + span;
	hideTip();
	flameMoved();
	draw();
}

const still = matchMedia('(prefers-reduced-motion: reduce)');

function glide(a, b) {
	if (still.matches) {
		setView(a, b);
		return;
	}
	animation = { from: [t0, t1], to: [a, b], start: performance.now() };
	draw();
}

// The whole log, and a little around it: a call may begin when it ends.
function showAll() {
	const margin = (end - begin) * 0.01;
	glide(begin - margin, end + margin);
}

function animate(now) {
	const p = Math.min(1, (now - animation.start) / 180), e = p * (2 - p);
	const { from, to } = animation;
	// Lengths go by their ratio, so that a long way looks even.
	const span = (from[1] - from[0]) * ((to[1] - to[0]) / (from[1] - from[0])) ** e;
	const ratioSpan = (from[1] - from[0]) - (to[1] - to[0]);
	const q = Math.abs(ratioSpan) < 1 ? e : ((from[1] - from[0]) - span) / ratioSpan;
	const mid = (from[0] + from[1]) / 2 * (1 - q) + (to[0] + to[1]) / 2 * q;
	if (p === 1)
		animation = null;
	setView(p === 1 ? to[0] : mid - span / 2, p === 1 ? to[1] : mid + span / 2);
}

function zoom(by, at = (t0 + t1) / 2) {
	animation = null;
	setView(at - (at - t0) / by, at + (t1 - at) / by);
}

function pan(part) {
	animation = null;
	const d = (t1 - t0) * part;
	setView(t0 + d, t1 + d);
}

function zoomTo(from, to) {
	const margin = Math.max((to - from) * 0.08, 10);
	glide(from - margin, to + margin);
}

function showTrack(t, level) {
	if (level >= t.shown)
		t.shown = t.levels;
	layout();
	const y = t.y + level * ROW, room = height - tracksTop();
	if (y < top || y + ROW > top + room)
		scrollTo(y - room / 3);
}

function select(i, how) {
	selected = i;
	selectedBand = null;
	if (i < 0) {
		say('');
		draw();
		return;
	}
	showTrack(tracks[T[i]], D[i]);
	if (how === 'zoom')
		zoomTo(S[i], E[i]);
	else if (E[i] < t0 || S[i] > t1)
		glide((S[i] + E[i] - t1 + t0) / 2, (S[i] + E[i] + t1 - t0) / 2);
	say(describe(i));
	fillCall();
	if (how !== 'quiet')
		openTab('call');
	draw();
}

function describe(i) {
	const t = tracks[T[i]];
	if (F[i] < FUNCTION)
		return names[F[i]] + ', ' + time(E[i] - S[i]) + ', ' + t.name;
	return names[F[i]] + ', ' + (isTimed(i) ? time(E[i] - S[i]) : 'no duration: ' + whyOpen(i)) +
		', at ' + moment(S[i], 1000) + ', ' + t.name;
}

// What is at a place.
function at(x, y) {
	if (x < GUTTER) {
		const yy = y - tracksTop() + top;
		const t = y > tracksTop() && order.find((o) => yy >= o.y && yy < o.y + o.height + GAP);
		return t ? { track: t } : {};
	}
	const now = timeAt(x), px = (t1 - t0) / (width - GUTTER);
	if (y < RULER)
		return { ruler: true };
	if (y < tracksTop()) {
		const band = bands[Math.floor((y - RULER) / BAND)];
		if (!band)
			return { ruler: true };
		if (band.list) {
			const b = band.blocks.find((o) => x >= o.x - 2 && x <= o.x + 6);
			return b ? { marks: b, band } : { ruler: true };
		}
		return { part: band.parts.find((p) => now >= p.from && now < p.to), ruler: true };
	}
	const yy = y - tracksTop() + top;
	const t = order.find((o) => yy >= o.y && yy < o.y + o.height);
	if (!t || !t.levels)
		return {};
	const level = Math.min(t.shown - 1, Math.floor((yy - t.y) / ROW)), row = t.row + level;
	const block = blocks.find((b) => x >= b.a && x <= b.b && y >= b.y && y < b.y + ROW);
	if (block)
		return { block };
	let k = gallop(rowAt[row], rowAt[row + 1], now + px) - 1;
	for (const j of [k, k - 1])
		if (j >= rowAt[row] && RS[j] <= now + px && RE[j] >= now - 2 * px)
			return { call: RI[j] };
	return { track: null };
}

function hideTip() {
	$('tip').hidden = true;
}

function tipText(what) {
	if (what.call !== undefined) {
		const i = what.call;
		if (F[i] < FUNCTION)
			return names[F[i]] + '\n' + time(E[i] - S[i]);
		return names[F[i]] + '\n' + (isTimed(i) ? time(E[i] - S[i]) + ', self ' +
			time(SELF[i]) + (isGuess(i) ? '?' : '') : whyOpen(i) + ': no duration');
	}
	if (what.block)
		return plural(what.block.n, what.block.what) + (what.block.hit ? ', ' + plural(what.block.hit, 'hit') : '') +
			' in ' + time(RE[what.block.k - 1] - RS[what.block.from]) + ', of ' +
			time(RD[what.block.k] - RD[what.block.from]) + '. Zoom in to see them.';
	if (what.part)
		return what.part.text + '\n' + time(what.part.to - what.part.from) + ' at ' +
			moment(what.part.from, 1e4);
	if (what.marks) {
		const { k, next } = what.marks, { list } = what.band;
		return (next - k > 1 ? plural(next - k, what.band.what) + '\n' : '') +
			list.slice(k, Math.min(next, k + 8)).map((m) => (m.when || moment(m.at, 1000)) +
				'  ' + m.text + (m.track ? '  (' + m.track.name + ')' : '')).join('\n') +
			(next - k > 8 ? '\n\u2026' : '');
	}
	if (what.track)
		return what.track.title + '\n' + plural(what.track.last - what.track.first, 'part') + ', ' +
			plural(what.track.levels, 'level');
	return '';
}

function showTip(x, y) {
	const text = tipText(at(x, y)), tip = $('tip');
	tip.hidden = !text;
	if (!text)
		return;
	tip.textContent = text;
	tip.style.left = Math.max(4, Math.min(x + 14, width - tip.offsetWidth - 8)) + 'px';
	tip.style.top = (y + 18 + tip.offsetHeight > height ? Math.max(2, y - tip.offsetHeight - 10) :
		y + 18) + 'px';
}

function clicked(x, y, twice) {
	const what = at(x, y);
	canvas.focus({ preventScroll: true });
	if (what.call !== undefined)
		select(what.call, twice ? 'zoom' : '');
	else if (what.track)
		toggle(what.track);
	else if (what.block && twice)
		zoomTo(RS[what.block.from], RE[what.block.k - 1]);
	else if (what.part)
		selectPart(what.part, twice);
	else if (what.block || what.marks)
		say(tipText(what).replace(/\n/g, ' '));
	else
		select(-1);
}

function selectPart(part, closer) {
	selected = -1;
	selectedBand = part;
	say(part.text + ', ' + time(part.to - part.from));
	markRow(part.row);
	if (closer)
		zoomTo(part.from, part.to);
	draw();
}

function toggle(t) {
	t.shown = t.shown < t.levels ? t.levels : Math.min(t.levels, FEW);
	scrollTo(top);
}

function setMeasure(on) {
	$('measure').setAttribute('aria-pressed', on ? 'true' : 'false');
}

function measureKey() {
	const now = pointer ? timeAt(pointer.x) : selected >= 0 ? S[selected] : (t0 + t1) / 2;
	if (!ruler) {
		ruler = { from: now, to: now, grows: true };
		say('measure: from ' + moment(now, 1000) + '; M again at the other point');
	} else if (ruler.grows) {
		ruler.to = pointer ? now : selected >= 0 ? E[selected] : now;
		ruler.grows = false;
		sayRuler();
	} else {
		ruler = null;
		say('');
	}
	draw();
}

function sayRuler() {
	say('between the points: ' + time(Math.abs(ruler.to - ruler.from)) + ' (' +
		exact(Math.abs(ruler.to - ruler.from)) + ')');
}

function neighbour(i, by) {
	const row = tracks[T[i]].row + D[i];
	const k = gallop(rowAt[row], rowAt[row + 1], S[i]);
	for (let j = k; j < rowAt[row + 1] && RS[j] === S[i]; j++)
		if (RI[j] === i)
			return j + by >= rowAt[row] && j + by < rowAt[row + 1] ? RI[j + by] : -1;
	return -1;
}

function step(key) {
	if (selected < 0) {
		const t = order.find((o) => o.levels);
		const k = t ? gallop(rowAt[t.row], rowAt[t.row + 1], t0) : 0;
		return t ? RI[Math.min(k, rowAt[t.row + 1] - 1)] : -1;
	}
	if (key === 'ArrowUp')
		return P[selected];
	if (key === 'ArrowDown')
		return selected + 1 < calls && P[selected + 1] === selected ? selected + 1 : -1;
	return neighbour(selected, key === 'ArrowLeft' ? -1 : 1);
}

function listen() {
	let drag = null;
	canvas.addEventListener('pointerdown', (e) => {
		if (e.button)
			return;
		const measuring = e.shiftKey || $('measure').getAttribute('aria-pressed') === 'true';
		drag = { x: e.offsetX, y: e.offsetY, t0, t1, top, moved: false,
			measuring: measuring && e.offsetX >= GUTTER };
		if (drag.measuring)
			ruler = { from: timeAt(e.offsetX), to: timeAt(e.offsetX) };
		canvas.setPointerCapture(e.pointerId);
	});
	canvas.addEventListener('pointermove', (e) => {
		pointer = { x: e.offsetX, y: e.offsetY };
		if (ruler && ruler.grows) {
			ruler.to = timeAt(e.offsetX);
			draw();
		}
		if (!drag) {
			showTip(e.offsetX, e.offsetY);
			return;
		}
		const dx = e.offsetX - drag.x, dy = e.offsetY - drag.y;
		if (Math.abs(dx) + Math.abs(dy) > 3)
			drag.moved = true;
		if (!drag.moved)
			return;
		hideTip();
		animation = null;
		if (drag.measuring) {
			ruler.to = timeAt(Math.max(GUTTER, e.offsetX));
			sayRuler();
			draw();
			return;
		}
		const d = dx * (drag.t1 - drag.t0) / (width - GUTTER);
		setView(drag.t0 - d, drag.t1 - d);
		scrollTo(drag.top - dy);
	});
	canvas.addEventListener('pointerup', (e) => {
		if (drag && !drag.moved && !drag.measuring)
			clicked(e.offsetX, e.offsetY, false);
		drag = null;
	});
	canvas.addEventListener('pointercancel', () => { drag = null; });
	canvas.addEventListener('pointerleave', () => { pointer = null; hideTip(); });
	canvas.addEventListener('dblclick', (e) => clicked(e.offsetX, e.offsetY, true));
	canvas.addEventListener('wheel', (e) => {
		e.preventDefault();
		const unit = e.deltaMode === 1 ? 16 : e.deltaMode === 2 ? 400 : 1;
		const dx = (e.shiftKey ? e.deltaX || e.deltaY : e.deltaX) * unit;
		const dy = (e.shiftKey ? 0 : e.deltaY) * unit;
		if (e.ctrlKey || (e.offsetY < tracksTop() && !e.shiftKey && dy)) {
			zoom(Math.exp(-dy * (e.ctrlKey && Math.abs(dy) < 40 ? 0.01 : 0.0025)),
				timeAt(Math.max(GUTTER, e.offsetX)));
			return;
		}
		if (dx)
			pan(dx / (width - GUTTER));
		if (dy)
			scrollTo(top + dy);
	}, { passive: false });
	canvas.addEventListener('keydown', key);
	document.addEventListener('keydown', (e) => {
		const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName);
		if (e.key === '/' && !typing && !e.ctrlKey && !e.metaKey) {
			e.preventDefault();
			$('words').focus();
			$('words').select();
		} else if (e.key === '?' && !typing) {
			openTab('help', true);
		} else if (e.target === document.body) {
			key(e);
		}
	});
	$('in').addEventListener('click', () => zoom(2));
	$('out').addEventListener('click', () => zoom(0.5));
	$('all').addEventListener('click', () => showAll());
	$('measure').addEventListener('click', () => {
		setMeasure($('measure').getAttribute('aria-pressed') !== 'true');
	});
	scheme.addEventListener('change', setColors);
	new ResizeObserver(resize).observe($('time'));
	listenSplit();
}

function key(e) {
	if (e.ctrlKey || e.metaKey || e.altKey)
		return;
	const k = e.key.length === 1 ? e.key.toLowerCase() : e.key;
	const actions = {
		w: () => zoom(1.5, pointer ? timeAt(Math.max(GUTTER, pointer.x)) : undefined),
		s: () => zoom(1 / 1.5, pointer ? timeAt(Math.max(GUTTER, pointer.x)) : undefined),
		a: () => pan(-0.15), d: () => pan(0.15),
		PageUp: () => scrollTo(top - height / 2), PageDown: () => scrollTo(top + height / 2),
		0: () => showAll(), Home: () => showAll(),
		m: measureKey,
		n: () => goHit(e.shiftKey ? -1 : 1),
		e: () => selected >= 0 && toggle(tracks[T[selected]]),
		f: zoomSelected, Enter: zoomSelected,
		Escape: () => {
			if (ruler)
				ruler = null;
			else if (selected >= 0 || selectedBand)
				select(-1);
			else
				clearSearch();
			setMeasure(false);
			draw();
		},
	};
	if (/^Arrow/.test(k)) {
		const i = step(k);
		if (i >= 0)
			select(i);
	} else if (Object.hasOwn(actions, k)) {
		actions[k]();
	} else {
		return;
	}
	e.preventDefault();
}

function zoomSelected() {
	if (selected >= 0)
		zoomTo(S[selected], E[selected]);
	else if (selectedBand)
		zoomTo(selectedBand.from, selectedBand.to);
}

function listenSplit() {
	const split = $('split'), lower = $('lower');
	const set = (h) => {
		lower.style.height = Math.max(60, Math.min(innerHeight - 220, h)) + 'px';
	};
	split.addEventListener('pointerdown', (e) => split.setPointerCapture(e.pointerId));
	split.addEventListener('pointermove', (e) => {
		if (split.hasPointerCapture(e.pointerId))
			set(innerHeight - e.clientY);
	});
	split.addEventListener('keydown', (e) => {
		if (e.key === 'ArrowUp' || e.key === 'ArrowDown') {
			set(lower.offsetHeight + (e.key === 'ArrowUp' ? 30 : -30));
			e.preventDefault();
		}
	});
}
