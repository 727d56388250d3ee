/* Shares of peak, and the roofline: what the chip could do at most, and where the kernel is. */
'use strict';

/* ---- limits ---- */

const PEAKS = [
	['cus', 'CUs with waves', 'compute'], ['issue', 'Issue slots', 'compute'], ['valu', 'Vector ALU', 'compute'], ['trans', 'Transcendental unit', 'compute'], ['matrix', 'Matrix unit', 'compute'],
	['salu', 'Scalar ALU', 'compute'], ['branch', 'Branch unit', 'compute'], ['smem', 'Scalar memory', 'memory'], ['vmem', 'Vector memory (TA)', 'memory'],
	['lds', 'LDS', 'memory'], ['vl0', 'vL0', 'memory'], ['k', 'K: scalar cache', 'memory'], ['i', 'I: instruction cache', 'memory'], ['gl1', 'GL1', 'memory'],
	['l2', 'L2', 'memory'], ['mall', 'MALL', 'memory'], ['fabric', 'Fabric', 'memory'], ['dram', 'DRAM', 'memory'],
];

/* The run's, the highest first. */
function peakRows() {
	const name = (key, title) => key === 'cus' && launch.chip && launch.chip.cus_per_wgp > 1 ? 'WGPs with waves' : title;

	return PEAKS.map(([key, title, side]) => ({key, title: name(key, title), side, share: value('peak.' + key)})).filter(p => p.share !== undefined);
}

function limitBar(p, most) {
	const k = p.side === 'compute' ? 1 : 3;
	return el('div.limit', {class: p.key === most ? 'limit most' : 'limit'}, el('div.limit-label', {}, p.title),
		hint(el('div.bar.ticks', {role: 'meter', 'aria-label': p.title + ', share of peak', 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': (100 * p.share).toFixed(1)},
			el('span', {style: {...paint(k), width: 100 * Math.min(1, p.share) + '%'}})), () => about('peak.' + p.key, p.share), true),
		el('div.limit-value', {}, stat('peak.' + p.key)));
}

function limits() {
	const rows = peakRows();
	if (!rows.length) return null;
	const top = rows.filter(p => p.key !== 'cus').reduce((a, b) => b.share > a.share ? b : a), side = name => rows.filter(p => p.side === name).map(p => limitBar(p, top.key));
	return part('limits', 'Share of peak', el('span', {}, 'What the run did of what the whole chip could have done in its cycles. Highest: ', el('b', {}, `${top.title}, ${percent(top.share)}`), '.'),
		el('div.split', {}, el('div', {}, el('h3', {}, swatch(1), ' Issue and compute'), side('compute')), el('div', {}, el('h3', {}, swatch(3), ' Memory'), side('memory'))));
}

/* ---- roofline ---- */

const TYPE_TITLE = {f64: 'f64', f32: 'f32', f16: 'f16', bf16: 'bf16', f8: 'f8', xf32: 'xf32'};
const ROOF_LEVELS = [['lds', 'LDS', 5], ['vl0', 'vL0', 0], ['l2', 'L2', 1], ['mall', 'MALL', 4], ['dram', 'DRAM', 3]];

/* Bytes that a level of the whole chip moves in a cycle at most. */
function peakBytes(level) {
	const chip = launch.chip;
	if (level === 'dram') return chip.dram.bytes_per_cycle;
	if (level === 'lds') return chip.lds_ports * chip.lds_bytes_per_cycle;
	const paths = cacheStat(level, 'data_paths');
	return chip.levels[level] && paths ? paths * chip.levels[level].bytes_per_cycle : 0;
}

function rooflineData() {
	const flops = value('work.flops'), cycles = value('cycles'), chip = launch.chip;
	if (!flops || !cycles || !chip) return null;
	const perSecond = chip.clock_mhz * 1e6, levels = [], roofs = [];
	for (const [key, title, k] of ROOF_LEVELS) {
		const intensity = value('work.intensity.' + key), peak = peakBytes(key);
		if (intensity > 0 && peak > 0) levels.push({key, title, k, intensity, peak: peak * perSecond});
	}
	for (const unit of ['valu', 'matrix'])
		for (const type of Object.keys(TYPE_TITLE)) {
			const ops = value(`work.${unit}.${type}`);
			if (!ops) continue;
			/* of the matrix unit the profile has passes by instruction: its roof is what these instructions reach when it never idles */
			const busy = value('units.matrix.cycles'), simds = chip.cus * chip.simds;
			const all = ['f64', 'f32', 'xf32', 'f16', 'bf16', 'f8', 'i8', 'i4'].reduce((a, t) => a + (value('work.matrix.' + t) || 0), 0);
			const peak = unit === 'valu' ? chip.valu_flops_per_cycle[type] || 0 : busy ? all / busy * simds : 0;
			if (peak) roofs.push({name: `${unit === 'valu' ? 'vector' : 'matrix'} ${TYPE_TITLE[type]}`, ops, peak: peak * perSecond, about: unit === 'valu'
				? 'every SIMD issues a multiply-add of this type whenever it can'
				: 'the matrix unit never idles, with the instructions of this kernel'});
		}
	return levels.length && roofs.length ? {levels, roofs, rate: flops / cycles * perSecond} : null;
}

const MARKS = [ /* of levels, so that they differ without colour */
	'M-6 0A6 6 0 1 0 6 0A6 6 0 1 0-6 0Z', 'M-5.5-5.5H5.5V5.5H-5.5Z', 'M0-7L6.5 5H-6.5Z', 'M0-7.5L7.5 0L0 7.5L-7.5 0Z', 'M-6.5-5H6.5L0 7Z'];

function power(v) { return brief(v).replace(' k', ' K'); }

function drawRoofline(data) {
	return width => {
		const h = Math.max(280, Math.min(430, width * .45)), box = {left: 66, right: 18, top: 22, bottom: 44}, w = width - box.left - box.right, inner = h - box.top - box.bottom;
		const top = Math.max(...data.roofs.map(r => r.peak)), ridges = data.levels.map(l => top / l.peak);
		const x0 = Math.floor(Math.log10(Math.min(...data.levels.map(l => l.intensity), ...ridges)) - .35), x1 = Math.ceil(Math.log10(Math.max(...data.levels.map(l => l.intensity), ...ridges)) + .35);
		const y1 = Math.ceil(Math.log10(top) + .1), y0 = Math.min(Math.floor(Math.log10(data.rate) - .2), y1 - 3);
		const x = v => box.left + w * (Math.log10(v) - x0) / (x1 - x0), y = v => box.top + inner * (y1 - Math.log10(v)) / (y1 - y0);
		const root = svg('svg', {width, height: h, class: 'roofline', role: 'group', 'aria-label': 'Roofline: float operations per second over operations per byte, both logarithmic'});
		root.append(svg('clipPath', {id: 'roof-clip'}, svg('rect', {x: box.left, y: box.top, width: w, height: inner})));
		for (let e = x0; e <= x1; e++) root.append(svg('line', {x1: x(10 ** e), x2: x(10 ** e), y1: box.top, y2: box.top + inner, class: 'grid'}), svg('text', {x: x(10 ** e), y: h - 24, 'text-anchor': 'middle'}, e >= -3 && e <= 4 ? plain(10 ** e) : '1e' + e));
		for (let e = y0; e <= y1; e++) root.append(svg('line', {x1: box.left, x2: box.left + w, y1: y(10 ** e), y2: y(10 ** e), class: 'grid'}), svg('text', {x: box.left - 8, y: y(10 ** e) + 4, 'text-anchor': 'end'}, power(10 ** e)));
		root.append(svg('text', {x: box.left + w / 2, y: h - 6, 'text-anchor': 'middle', class: 'axis'}, 'arithmetic intensity (flop/byte)'), svg('text', {x: 4, y: 13, class: 'axis'}, 'flop/s'));
		const clipped = svg('g', {'clip-path': 'url(#roof-clip)'}), labels = [];
		for (const l of data.levels) {
			const ridge = top / l.peak, from = 10 ** x0;
			clipped.append(svg('line', {x1: x(from), y1: y(from * l.peak), x2: x(ridge), y2: y(top), style: {stroke: `var(--g${l.k})`}, 'stroke-width': 2, 'stroke-dasharray': LINE_DASH[data.levels.indexOf(l)]}));
			/* the name stands along the roof, where it enters the picture */
			const lowest = Math.max(from, 10 ** y0 / l.peak), angle = Math.atan2(y(top) - y(lowest * l.peak), x(ridge) - x(lowest)) * 180 / Math.PI;
			const at = lowest * (ridge / lowest) ** (.2 + .48 * data.levels.indexOf(l) / Math.max(3, data.levels.length - 1));
			/* below it where another roof runs closely above */
			const crowded = data.levels.some(o => o.peak > l.peak && o.peak < 1.7 * l.peak);
			labels.push(svg('text', {transform: `translate(${x(at)} ${y(at * l.peak)}) rotate(${angle}) translate(0 ${crowded ? 14 : -6})`, class: 'roof-name'}, w < 420 ? l.title : `${l.title} ${bytes(l.peak)}/s`));
		}
		for (const r of data.roofs) {
			const start = Math.min(...data.levels.map(l => r.peak / l.peak));
			clipped.append(hint(svg('line', {x1: x(start), x2: box.left + w, y1: y(r.peak), y2: y(r.peak), class: 'roof'}), () => tipRows(r.name, [['at most', power(r.peak) + 'flop/s'], ['of this kernel', plain(r.ops) + ' operations']], r.about)));
			labels.push(svg('text', {x: box.left + w - 4, y: y(r.peak) - 6, 'text-anchor': 'end', class: 'roof-name'}, `${r.name} ${power(r.peak)}flop/s`));
		}
		clipped.append(svg('line', {x1: box.left, x2: box.left + w, y1: y(data.rate), y2: y(data.rate), class: 'rate'}));
		root.append(clipped, ...labels);
		data.levels.forEach((l, n) => {
			const roof = Math.min(top, l.intensity * l.peak), g = svg('g', {transform: `translate(${x(l.intensity)} ${y(data.rate)})`, tabindex: 0, role: 'img', class: 'point', 'data-stat': 'work.intensity.' + l.key, 'data-value': l.intensity,
				'aria-label': `${l.title}: ${plain(l.intensity)} flop/byte, ${percent(data.rate / roof)} of its roof`}, svg('path', {d: MARKS[n % MARKS.length], style: {fill: `var(--g${l.k})`}}));
			root.append(hint(g, () => tipRows(l.title, [['intensity', plain(l.intensity) + ' flop/byte'], ['this kernel', power(data.rate) + 'flop/s'], ['roof there', power(roof) + 'flop/s'], ['of that roof', percent(data.rate / roof)],
				['bound there by', l.intensity * l.peak < top ? l.title + ' bandwidth' : 'compute']], meanings.get('work.intensity.' + l.key) ? meanings.get('work.intensity.' + l.key).about : '')));
		});
		return root;
	};
}

function roofline() {
	const data = rooflineData();
	if (!data) return null;
	const host = el('div.chart');
	const node = part('roofline', 'Roofline', el('span', {}, 'The kernel computes ', el('b', {}, power(data.rate) + 'flop/s'), ' (', stat('work.flops'),
		'). A point below a sloped roof is bound by that level\u2019s bandwidth at most; below the flat one by compute.'),
	el('ul.legend', {}, data.levels.map((l, n) => el('li', {}, svg('svg', {width: 16, height: 16, viewBox: '-8 -8 16 16', 'aria-hidden': 'true'}, svg('path', {d: MARKS[n % MARKS.length], style: {fill: `var(--g${l.k})`}})), ` ${l.title}: `, stat('work.intensity.' + l.key)))), host);
	responsive(host, drawRoofline(data));
	return node;
}
