/* The list of dispatches of a process: kernels by time, and every dispatch with a link to its page. */
'use strict';

const [NUMBER, KERNEL, TARGET, ENGINE, OUTCOME, GRID, GROUP, START, TIME, CYCLES, GAP, PAGE] = Array.from({length: 12}, (_, k) => k);
const all = DATA.dispatches, began = all.reduce((a, d) => Math.min(a, d[START]), Infinity);

/* Sums by kernel, those with the most time first. */
function kernels() {
	const by = new Map();
	let total = 0;
	for (const d of all) {
		const k = by.get(d[KERNEL]) || {name: d[KERNEL], calls: 0, us: 0, page: null};
		k.calls++;
		k.us += d[TIME];
		k.page = k.page || d[PAGE];
		total += d[TIME];
		by.set(d[KERNEL], k);
	}
	return {total, list: [...by.values()].sort((a, b) => b.us - a.us)};
}

const indexColumns = [
	{title: '#', width: '60px', cls: 'r', get: d => d[NUMBER], text: d => plain(d[NUMBER])},
	{title: 'Kernel', width: 'minmax(260px, 1fr)', get: d => d[KERNEL], node: d => d[PAGE] ? el('a', {href: d[PAGE], tabindex: '-1'}, d[KERNEL]) : d[KERNEL]},
	{title: 'Page', width: '50px', get: d => d[PAGE] ? 1 : 0, text: d => d[PAGE] ? 'yes' : ''},
	{title: 'Target', width: '80px', get: d => d[TARGET], text: d => d[TARGET]},
	{title: 'Engine', width: '86px', get: d => d[ENGINE], text: d => d[ENGINE]},
	{title: 'Outcome', width: '92px', get: d => d[OUTCOME], text: d => d[OUTCOME]},
	{title: 'Workgroups', width: '150px', get: d => d[GRID].reduce((a, g, k) => a * Math.ceil(g / d[GROUP][k]), 1), text: d => `${d[GRID].map((g, k) => Math.ceil(g / d[GROUP][k])).join('\u00d7')} of ${d[GROUP].join('\u00d7')}`},
	{title: 'Gap (us)', width: '90px', cls: 'r', get: d => d[GAP] === null ? -1 : d[GAP], text: d => d[GAP] === null ? '' : d[GAP].toFixed(2)},
	{title: 'Start (us)', width: '110px', cls: 'r', get: d => d[START], text: d => (d[START] - began).toFixed(2)},
	{title: 'Time (us)', width: '110px', cls: 'r', get: d => d[TIME], text: d => d[TIME].toFixed(2)},
	{title: 'Cycles', width: '110px', cls: 'r', get: d => d[CYCLES] === null ? -1 : d[CYCLES], text: d => d[CYCLES] === null ? '' : plain(d[CYCLES])},
];

function dispatchTable() {
	let order = all.map((_, k) => k), key = 0, down = false;
	const field = el('input', {type: 'search', id: 'search', placeholder: 'Filter by kernel', 'aria-label': 'Filter by kernel', 'aria-keyshortcuts': '/'}), status = el('span.soft', {role: 'status'});
	const heads = indexColumns.map((c, n) => el('div', {role: 'columnheader', class: 'head ' + (c.cls || ''), 'aria-sort': 'none'}, el('button', {type: 'button', onclick: () => { down = key === n ? !down : n > 7; key = n; arrange(); }}, c.title, el('span.arrow'))));
	const go = k => { const page = all[order[k]][PAGE]; if (page) location.href = page; };
	const list = new LongList({id: 'dispatch', label: 'Dispatches', count: order.length, header: el('div.row.heads', {role: 'row'}, heads), activate: () => {}, enter: go,
		render: (row, k) => row.replaceChildren(...indexColumns.map(c => el('div', {role: 'gridcell', class: 'cell ' + (c.cls || '')}, c.node ? c.node(all[order[k]]) : c.text(all[order[k]]))))});
	const arrange = () => {
		const words = field.value.toLowerCase(), c = indexColumns[key], up = down ? -1 : 1;
		order = all.map((_, k) => k).filter(k => all[k][KERNEL].toLowerCase().includes(words));
		order.sort((a, b) => { const x = c.get(all[a]), y = c.get(all[b]); return x < y ? -up : x > y ? up : a - b; });
		heads.forEach((h, n) => { h.setAttribute('aria-sort', n !== key ? 'none' : down ? 'descending' : 'ascending'); h.querySelector('.arrow').textContent = n !== key ? '' : down ? ' \u25be' : ' \u25b4'; });
		status.textContent = words ? `${plain(order.length)} of ${plain(all.length)}` : '';
		list.setActive(-1);
		list.setCount(order.length);
	};
	list.host.classList.add('dispatches');
	list.setColumns(indexColumns.map(c => c.width));
	field.addEventListener('input', arrange);
	return el('section.card', {'aria-labelledby': 'all-title'}, el('h2', {id: 'all-title'}, 'Dispatches'), DATA.left_out ? el('p.lead', {}, `${plain(DATA.left_out)} more are not listed.`) : null, el('div.toolbar', {}, field, status), list.host);
}

/* What launches cost beside the kernels. */
function gapText(total) {
	const gaps = all.filter(d => d[GAP] !== null), us = gaps.reduce((a, d) => a + d[GAP], 0);
	return gaps.length ? `Gaps: ${us.toFixed(2)} us between ${plural(gaps.length, 'dispatch', 'dispatches')} and those before them in their queues, while their packets were ready: ${(us / gaps.length).toFixed(2)} us each, ${percent(us / (us + total))} of both.` : '';
}

function kernelTable() {
	const {total, list} = kernels(), gaps = gapText(total);
	return el('section.card', {'aria-labelledby': 'kernels-title'}, el('h2', {id: 'kernels-title'}, 'Kernels by simulated time'), gaps ? el('p.lead', {id: 'gaps'}, gaps) : null, el('div.scroll', {}, el('table.full.kernels', {}, el('thead', {}, el('tr', {}, el('th', {}, 'Kernel'), el('th.r', {}, 'Calls'), el('th.r', {}, 'Mean (us)'), el('th.r', {}, 'Total (us)'), el('th.r', {}, 'Share'), el('th', {}, ''))),
		el('tbody', {}, list.slice(0, 40).map(k => el('tr', {}, el('td', {}, k.page ? el('a', {href: k.page}, k.name) : k.name), el('td.r', {}, plain(k.calls)), el('td.r', {}, (k.us / k.calls).toFixed(2)), el('td.r', {}, k.us.toFixed(2)), el('td.r', {}, total ? percent(k.us / total) : ''),
			el('td.bar-cell', {}, el('div.bar', {}, el('span', {style: {width: total ? 100 * k.us / total + '%' : 0, background: 'var(--accent)'}})))))))), list.length > 40 ? el('p.soft', {}, `and ${plain(list.length - 40)} more`) : null);
}

document.getElementById('title').textContent = DATA.title || 'Dispatches';
document.getElementById('subtitle').textContent = `${plural(all.length + DATA.left_out, 'dispatch', 'dispatches')}, ${plain(all.filter(d => d[PAGE]).length)} with a page of their own`;
document.getElementById('main').append(kernelTable(), dispatchTable());
document.addEventListener('keydown', e => {
	if (e.target.matches('input, select') || e.ctrlKey || e.altKey || e.metaKey) return;
	if (e.key === '/') { e.preventDefault(); document.getElementById('search').focus(); }
	if (e.key === 't') nextTheme();
});
