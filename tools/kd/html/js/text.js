// SPDX-License-Identifier: GPL-2.0
// Numbers, times and elements as text. Names come from the log and may be anything: they go into the page as text only.

const number = (v) => String(v).replace(/\B(?=(\d{3})+$)/g, '\u202f');

function time(ns) {
	if (ns !== ns || ns === null)
		return '?';
	const a = Math.abs(ns);
	if (a < 1000)
		return ns + ' ns';
	if (a < 1e6)
		return (ns / 1e3).toFixed(a < 1e4 ? 3 : a < 1e5 ? 2 : 1) + ' \u00b5s';
	return a < 1e9 ? (ns / 1e6).toFixed(a < 1e7 ? 3 : a < 1e8 ? 2 : 1) + ' ms' :
		(ns / 1e9).toFixed(3) + ' s';
}

// A moment, as exact as a pixel is.
function moment(ns, step) {
	const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / 1e9) - 1e-9)));
	return (ns / 1e9).toFixed(digits) + ' s';
}

const exact = (ns) => ns !== ns || ns === null ? '?' : number(Math.round(ns)) + ' ns';
const plural = (n, what) => number(n) + ' ' + what + (n === 1 ? '' : 's');

function make(tag, options, ...children) {
	const e = document.createElement(tag);
	for (const [key, value] of Object.entries(options || {})) {
		if (key === 'text')
			e.textContent = value;
		else if (key === 'click')
			e.addEventListener('click', value);
		else
			e.setAttribute(key, value);
	}
	e.append(...children);
	return e;
}

const say = (text) => { $('said').textContent = text; };
