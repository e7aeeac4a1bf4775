// SPDX-License-Identifier: GPL-2.0
// Unpacks the data of a page: see kd_html_pack.h.
const $ = (id) => document.getElementById(id);

// Characters that cannot be seen, or turn the text around them, become visible.
const shown = (text) => text.replace(
	/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, '\ufffd');
const utf8 = new TextDecoder();

// In JSON each byte of a name is a character.
function textOf(s) {
	return s && shown(utf8.decode(Uint8Array.from(s, (c) => c.charCodeAt(0))));
}

async function unpack(text) {
	const packed = atob(text);
	const bytes = new Uint8Array(packed.length);
	for (let i = 0; i < packed.length; i++)
		bytes[i] = packed.charCodeAt(i);
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
	const all = new Uint8Array(await new Response(stream).arrayBuffer());
	const view = new DataView(all.buffer), sections = [];
	for (let at = 0; at < all.length;) {
		const n = view.getUint32(at, true);
		sections.push(all.subarray(at + 4, at + 4 + n));
		at += 4 + n;
	}
	return sections;
}

// Unpacks each line of the data, and has all of them read. False: it says why it cannot.
async function readData(read) {
	try {
		if (typeof DecompressionStream === 'undefined')
			throw new Error('this browser cannot unpack data (it has no DecompressionStream)');
		const packed = $('data').textContent.trim().split('\n');
		$('data').remove();
		read(await Promise.all(packed.map(unpack)));
	} catch (e) {
		$('warning').textContent = 'The data cannot be read: ' + e.message;
		$('warning').hidden = false;
		return false;
	}
	return true;
}
