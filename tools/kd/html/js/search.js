// SPDX-License-Identifier: GPL-2.0
// Search for functions.

let hits = null;

function matcher(words) {
	if (!/[*?]/.test(words)) {
		const low = words.toLowerCase();
		return (name) => name.toLowerCase().includes(low);
	}
	const source = words.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*').replace(/\?/g, '.');
	const re = new RegExp('^' + source + '$', 'is');
	return (name) => re.test(name);
}

function search(words) {
	hits = null;
	if (words) {
		const fits = matcher(words), func = new Uint8Array(names.length);
		let functions = 0;
		for (let f = FUNCTION; f < names.length; f++)
			func[f] = fits(names[f]) ? 1 : 0;
		const sum = new Uint32Array(calls + 1), of = new Uint32Array(names.length);
		for (let k = 0; k < calls; k++)
			sum[k + 1] = sum[k] + func[F[RI[k]]];
		const times = new Float64Array(sum[calls]), list = new Uint32Array(sum[calls]);
		let n = 0;
		for (let i = 0; i < calls; i++) {
			if (!func[F[i]])
				continue;
			of[F[i]]++;
			list[n] = i;
			times[n++] = S[i];
		}
		times.sort();
		for (let f = 0; f < names.length; f++)
			functions += of[f] > 0;
		hits = { func, sum, times, list, of, count: n, functions };
	}
	$('hits').textContent = !hits ? '' : !hits.count ? 'no hit' :
		plural(hits.count, 'hit');
	fillHits(words);
	draw();
	if (flame && !hidesFlame()) {
		drawFlame();
		sayFrame();
	}
}

function clearSearch() {
	$('words').value = '';
	search('');
}

// The hit behind, or before, the selected call or what is seen; hits of a track are in order.
function goHit(by) {
	if (!hits || !hits.count)
		return;
	const isHit = selected >= 0 && hits.func[F[selected]];
	const now = isHit ? [S[selected], selected] : by > 0 ? [t0, -1] : [t1, calls];
	const later = (a, b) => a[0] - b[0] || a[1] - b[1];
	let best = null, wrap = null;
	for (let n = 0; n < hits.count; n++) {
		const x = [S[hits.list[n]], hits.list[n]];
		if (later(x, now) * by > 0 && (!best || later(x, best) * by < 0))
			best = x;
		if (!wrap || later(x, wrap) * by < 0)
			wrap = x;
	}
	const to = (best || wrap)[1];
	select(to, 'quiet');
	const place = lowerBound(hits.times, S[to]) + 1;
	$('hits').textContent = number(place) + ' of ' + plural(hits.count, 'hit');
}

function listenSearch() {
	let timer = 0;
	$('words').addEventListener('input', () => {
		clearTimeout(timer);
		timer = setTimeout(() => search($('words').value.trim()), 120);
	});
	$('search').addEventListener('submit', (e) => {
		e.preventDefault();
		clearTimeout(timer);
		search($('words').value.trim());
		goHit(1);
	});
	$('words').addEventListener('keydown', (e) => {
		if (e.key === 'Escape') {
			clearSearch();
			canvas.focus();
		}
	});
	$('next').addEventListener('click', () => goHit(1));
	$('previous').addEventListener('click', () => goHit(-1));
}

function fillHits(words) {
	const panel = $('found');
	panel.replaceChildren();
	if (!hits) {
		panel.append(make('p', { class: 'dim', text: 'Nothing is searched for.' }));
		return;
	}
	panel.append(make('h2', { text: plural(hits.count, 'call') + ' of ' +
		plural(hits.functions, 'function') + ' match \u201c' + shown(words) +
		'\u201d. All are yellow in the timeline, and on its ruler.' }));
	const rows = [];
	for (let f = FUNCTION; f < names.length; f++)
		if (hits.of[f])
			rows.push(f);
	rows.sort((a, b) => hits.of[b] - hits.of[a]);
	panel.append(long(rows, ['Function', 'Calls'], (f) => [functionButton(f), number(hits.of[f])]));
}
