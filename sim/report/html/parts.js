/* The parts of a page: cards with a title, and the bar that leads to them. */
'use strict';

const parts = []; /* {id, title} in their order */

function part(id, title, lead, ...kids) {
	parts.push({id, title});
	return el('section.card', {id, 'aria-labelledby': id + '-title', tabindex: '-1'},
		el('h2', {id: id + '-title'}, title), lead ? el('p.lead', {}, lead) : null, ...kids);
}

function tile(label, node, below) {
	return node ? el('div.tile', {}, el('div.tile-label', {}, label), el('div.tile-value', {}, node), below ? el('div.tile-below', {}, below) : null) : null;
}

/* The parts, the first in sight marked. */
function navigation() {
	const nav = document.getElementById('nav');
	nav.replaceChildren(el('ul', {}, parts.map((p, k) => el('li', {}, el('a', {href: '#' + p.id, 'data-part': p.id}, p.title, k < 9 ? el('kbd', {'aria-hidden': 'true'}, String(k + 1)) : null)))));
	const seen = new Map(), watch = new IntersectionObserver(list => {
		for (const e of list) seen.set(e.target.id, e.isIntersecting);
		const now = parts.find(p => seen.get(p.id));
		for (const a of nav.querySelectorAll('a')) { if (now && a.dataset.part === now.id) a.setAttribute('aria-current', 'true'); else a.removeAttribute('aria-current'); }
	}, {rootMargin: '-110px 0px -45% 0px'});
	for (const p of parts) watch.observe(document.getElementById(p.id));
}
