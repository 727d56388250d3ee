/* The memory diagram: what flows between the compute units, the caches and DRAM, as this chip has them. */
'use strict';

/* By level: title, its column, its row. Absent levels leave their column out. */
const MEMORY_NODES = [
	{key: 'cu', title: 'Compute units', col: 0, row: 1}, {key: 'lds', title: 'LDS', col: 0, row: 2},
	{key: 'vl0', title: 'vL0', col: 1, row: 1}, {key: 'k', title: 'K: scalar', col: 1, row: 2}, {key: 'i', title: 'I: instructions', col: 1, row: 0},
	{key: 'gl1', title: 'GL1', col: 2, row: 1}, {key: 'l2', title: 'L2', col: 3, row: 1},
	{key: 'mall', title: 'MALL', col: 4, row: 1}, {key: 'dram', title: 'DRAM', col: 5, row: 1},
];

function cacheStat(level, name) { return value(`cache.${level}.${name}`); }

/* Does the run have it? LDS and DRAM are no caches. */
function hasNode(key) {
	if (key === 'cu') return true;
	if (key === 'lds') return value('lds.accesses') !== undefined;
	if (key === 'dram') return value('dram.read_bytes') !== undefined;
	return cacheStat(key, 'accesses') !== undefined;
}

/* What of the level's channels and cycles had no MSHR free. */
function mshrFull(level) {
	const full = cacheStat(level, 'mshr_full_cycles'), paths = cacheStat(level, 'data_paths'), cycles = value('cycles');
	return full === undefined || !paths || !cycles ? undefined : full / paths / cycles;
}

/* Lines of text in a box. */
function nodeFacts(key) {
	if (key === 'cu') return [`${plain(report.waves)} waves`, `${brief(value('instructions.total'))} instructions`];
	if (key === 'lds') {
		const conflicts = (value('lds.bank_conflict_cycles') || 0) + (value('lds.address_conflict_cycles') || 0);
		return [`${brief(value('lds.accesses'))} accesses`, `${brief(conflicts)} conflict cycles`];
	}
	if (key === 'dram') return value('dram.utilization') === undefined ? [] : [percent(value('dram.utilization')), 'of its bandwidth'];
	const rate = hitRate(key), full = mshrFull(key), latency = cacheStat(key, 'average_latency_cycles');
	return [rate === undefined ? 'not used' : `${percent(rate)} hits`, rate !== undefined && latency ? `${plain(Math.round(latency))} cycles` : null,
		rate !== undefined && full !== undefined && full >= 0.0005 ? `MSHRs full ${percent(full)}` : null].filter(t => t);
}

function nodeTip(key) {
	const rows = [], add = (label, name) => { const v = value(name); if (v !== undefined) rows.push([label, exact(v, (meanings.get(name) || {}).unit)]); };
	const c = launch.chip && launch.chip.levels[key];
	if (key === 'cu') {
		add('used', 'cus_used'); add('instructions', 'instructions.total'); add('vector memory', 'instructions.vmem'); add('scalar memory', 'instructions.smem'); add('LDS', 'instructions.lds');
		return tipRows('Compute units', rows);
	}
	const group = key === 'lds' || key === 'dram' ? key : 'cache.' + key;
	for (const [name, m] of meanings)
		if (name.startsWith(group + '.') && value(name) !== undefined && value(name) !== 0) rows.push([m.name.slice(group.length + 1).replaceAll('_', ' '), exact(value(name), m.unit)]);
	const full = mshrFull(key);
	if (full) rows.push(['a channel had no MSHR free', percent(full)]);
	return tipRows((DATA.levels || {})[key] || MEMORY_NODES.find(n => n.key === key).title, rows,
		c ? `${bytes(c.bytes)}, ${c.line_bytes} byte lines, ${c.ways} ways, ${c.latency_cycles} cycles to a hit` : null);
}

/* Flows from a level to the next below it, in bytes. */
function memoryFlows(shown) {
	const next = from => ['gl1', 'l2', 'mall', 'dram'].filter(k => shown.has(k) && MEMORY_NODES.find(n => n.key === k).col > MEMORY_NODES.find(n => n.key === from).col)[0];
	const flows = [];
	for (const key of ['vl0', 'k', 'i'])
		if (shown.has(key)) flows.push({from: 'cu', to: key, down: cacheStat(key, 'load_bytes'), up: cacheStat(key, 'store_bytes'), names: [`cache.${key}.load_bytes`, `cache.${key}.store_bytes`]});
	for (const key of ['vl0', 'k', 'i', 'gl1', 'l2', 'mall']) {
		/* not every chip's GL1 serves the scalar and the instruction cache */
		const to = (key === 'k' || key === 'i') && shown.has('gl1') && launch.chip && launch.chip.levels.gl1 && !launch.chip.levels.gl1['serves_' + key] ? 'l2' : next(key);
		if (shown.has(key) && to)
			flows.push({from: key, to, down: cacheStat(key, 'read_bytes'), up: cacheStat(key, 'write_bytes'), names: [`cache.${key}.read_bytes`, `cache.${key}.write_bytes`]});
	}
	const dram = flows.find(f => f.to === 'dram');
	if (dram) { dram.down = value('dram.read_bytes'); dram.up = value('dram.write_bytes'); dram.names = ['dram.read_bytes', 'dram.write_bytes']; }
	return flows;
}

function arrowHead(x, y, dx, dy, size, cls) {
	const px = -dy, py = dx;
	return svg('path', {class: cls, d: `M${x} ${y}L${x - dx * size + px * size * .6} ${y - dy * size + py * size * .6}L${x - dx * size - px * size * .6} ${y - dy * size - py * size * .6}Z`});
}

/* One direction of a flow: an arrow as thick as the logarithm of its bytes, its bytes beside it. */
function flowArrow(a, b, amount, most, name, cls, text) {
	const length = Math.hypot(b.x - a.x, b.y - a.y), dx = (b.x - a.x) / length, dy = (b.y - a.y) / length;
	const w = amount > 0 ? 1.5 + 5.5 * Math.log2(1 + amount) / Math.log2(1 + most) : 1, head = 5 + w;
	const g = svg('g', {class: 'flow ' + cls + (amount > 0 ? '' : ' none'), tabindex: amount > 0 ? 0 : null, role: amount > 0 ? 'img' : null,
		'aria-label': amount > 0 ? `${cls === 'load' ? 'to' : 'from'} the compute units: ${bytes(amount)}` : null, 'data-stat': name, 'data-value': amount},
	svg('line', {x1: a.x, y1: a.y, x2: b.x - dx * head, y2: b.y - dy * head, 'stroke-width': w}), arrowHead(b.x, b.y, dx, dy, head, 'head'),
	amount > 0 && text ? svg('text', {x: text.x, y: text.y, 'text-anchor': text.anchor}, bytes(amount)) : null);
	return amount > 0 ? hint(g, () => about(name, amount)) : g;
}

function drawMemory(width) {
	const shown = new Set(MEMORY_NODES.filter(n => hasNode(n.key)).map(n => n.key)), tall = width < 820;
	const cols = [...new Set(MEMORY_NODES.filter(n => shown.has(n.key)).map(n => n.col))].sort((a, b) => a - b);
	const lanes = [0, 1, 2], nodeW = tall ? Math.min(150, (width - 20) / 3.12) : Math.min(156, (width - 20) / (cols.length * 1.72)), nodeH = 92;
	const stepMain = tall ? nodeH + 62 : (width - nodeW - 4) / Math.max(1, cols.length - 1), stepCross = tall ? (width - nodeW - 4) / 2 : nodeH + 34;
	const at = key => {
		const n = MEMORY_NODES.find(m => m.key === key), main = cols.indexOf(n.col) * stepMain + 2, cross = n.row * stepCross + 2;
		return tall ? {x: cross, y: main} : {x: main, y: cross};
	};
	const height = tall ? (cols.length - 1) * stepMain + nodeH + 4 : (lanes.length - 1) * stepCross + nodeH + 4;
	const flows = memoryFlows(shown), most = Math.max(1, ...flows.flatMap(f => [f.down || 0, f.up || 0]));
	const root = svg('svg', {width, height, role: 'group', 'aria-label': 'Memory diagram: bytes between the levels, hit rates in them', class: 'memory'});
	for (const f of flows) {
		const a = at(f.from), b = at(f.to), ca = {x: a.x + nodeW / 2, y: a.y + nodeH / 2}, cb = {x: b.x + nodeW / 2, y: b.y + nodeH / 2};
		const gap = tall ? 18 : 15;
		if (tall) {
			const y1 = a.y + nodeH, y2 = b.y, my = (y1 + y2) / 2, side = Math.sign(cb.x + ca.x - 2 * (nodeW / 2 + 2 + stepCross));
			if (Math.abs(ca.x - cb.x) < 2) {
				root.append(flowArrow({x: ca.x - gap, y: y1 + 3}, {x: ca.x - gap, y: y2 - 3}, f.up || 0, most, f.names[1], 'store', {x: ca.x - gap - 8, y: my + 4, anchor: 'end'}),
					flowArrow({x: ca.x + gap, y: y2 - 3}, {x: ca.x + gap, y: y1 + 3}, f.down || 0, most, f.names[0], 'load', {x: ca.x + gap + 8, y: my + 4, anchor: 'start'}));
				continue;
			}
			/* of the outer boxes: at the outer side of the middle ones, the bytes further out, so that the middle's stay free */
			const inner = (ca.x - cb.x) * side < 0 ? a : b, edge = box => box.x + nodeW / 2 + side * nodeW * (box === inner ? .42 : 0);
			const x1 = edge(a), x2 = edge(b), text = y => ({x: (x1 + x2) / 2 + side * 14, y, anchor: side < 0 ? 'end' : 'start'});
			if (f.up) root.append(flowArrow({x: x1 + side * 12, y: y1 + 3}, {x: x2 + side * 12, y: y2 - 3}, f.up, most, f.names[1], 'store', text(my + 20)));
			root.append(flowArrow({x: x2, y: y2 - 3}, {x: x1, y: y1 + 3}, f.down || 0, most, f.names[0], 'load', text(my)));
		} else if (Math.abs(ca.y - cb.y) < 2) {
			const x1 = a.x + nodeW, x2 = b.x, mx = (x1 + x2) / 2;
			root.append(flowArrow({x: x1 + 3, y: ca.y - gap}, {x: x2 - 3, y: ca.y - gap}, f.up || 0, most, f.names[1], 'store', {x: mx, y: ca.y - gap - 8, anchor: 'middle'}),
				flowArrow({x: x2 - 3, y: ca.y + gap}, {x: x1 + 3, y: ca.y + gap}, f.down || 0, most, f.names[0], 'load', {x: mx, y: ca.y + gap + 18, anchor: 'middle'}));
		} else {
			/* to the outer corner of a box of the middle row, so that its own flows stay free */
			const mid = at('vl0').y, middle = y => Math.abs(y - mid) < 2, side = (middle(a.y) ? b.y : a.y) < mid ? -1 : 1;
			const edge = box => middle(box.y) ? box.y + nodeH * (side < 0 ? .1 : .9) : box.y + nodeH / 2;
			const x1 = a.x + nodeW, x2 = b.x, y1 = edge(a), y2 = edge(b), mx = (x1 + x2) / 2, my = (y1 + y2) / 2;
			if (f.up) root.append(flowArrow({x: x1 + 3, y: y1 + side * 9}, {x: x2 - 3, y: y2 + side * 9}, f.up, most, f.names[1], 'store', {x: mx, y: my + side * 40, anchor: 'middle'}));
			root.append(flowArrow({x: x2 - 3, y: y2}, {x: x1 + 3, y: y1}, f.down || 0, most, f.names[0], 'load', {x: mx, y: my + (side < 0 ? -14 : 24), anchor: 'middle'}));
		}
	}
	for (const n of MEMORY_NODES.filter(m => shown.has(m.key))) {
		const p = at(n.key), rate = n.key === 'cu' || n.key === 'lds' || n.key === 'dram' ? undefined : hitRate(n.key);
		const fit = (cls, y, text) => svg('text', {x: nodeW < 130 ? 7 : 11, y, class: cls + (nodeW < 130 ? ' narrow' : ''), ...(text.length * 6 > nodeW - 14 ? {textLength: nodeW - 14, lengthAdjust: 'spacingAndGlyphs'} : {})}, text);
		const use = n.key === 'dram' ? value('dram.utilization') : cacheStat(n.key, 'utilization');
		const g = svg('g', {transform: `translate(${p.x} ${p.y})`, tabindex: 0, role: 'img', class: 'level', 'aria-label': [n.title, ...nodeFacts(n.key)].join(', ')},
			svg('rect', {width: nodeW, height: nodeH, rx: 9, class: rate === undefined && n.key !== 'cu' && n.key !== 'dram' && n.key !== 'lds' ? 'unused' : 'box'}),
			fit('level-name', 20, n.title),
			nodeFacts(n.key).map((t, k) => fit(k === 0 ? 'fact first' : 'fact', 38 + 15 * k, t)),
			use !== undefined ? [svg('rect', {x: 11, y: nodeH - 10, width: nodeW - 22, height: 4, rx: 2, class: 'use-track'}),
				svg('rect', {x: 11, y: nodeH - 10, width: Math.max(0, Math.min(1, use)) * (nodeW - 22), height: 4, rx: 2, class: 'use'})] : null);
		root.append(hint(g, () => nodeTip(n.key)));
	}
	return root;
}

function memory() {
	if (value('cycles') === undefined || !report.cache) return null;
	const host = el('div.chart');
	const node = part('memory', 'Memory', el('span', {}, 'Bytes between the levels, thick where there are many: ', el('b.load-key', {}, '\u25c0 towards the compute units'), ', ',
		el('b.store-key', {}, '\u25b6 towards memory'), '. The bar in a box is the share of the run in which its data paths were busy.'), host);
	responsive(host, drawMemory);
	return node;
}
