/* Diagrams over time, from the samples of a run: waves, issue, stall reasons, bandwidth, hit rates, MSHRs. */
'use strict';

const TIME_HEIGHT = 150;
const LINE_DASH = ['', '6 3', '2 3', '8 3 2 3', '1 3', '10 4'];

/* Length of interval n. */
function intervalCycles(s, n) { return n === s.count - 1 ? s.last_cycles : n === 0 ? s.first_cycles : s.interval_cycles; }

/* Cycle at which each interval begins, and the end of the last. */
function intervalStarts(s) {
	const starts = [0];
	for (let n = 0; n < s.count; n++) starts.push(starts[n] + intervalCycles(s, n));
	return starts;
}

function series(s, name) { return s.series[name] ? s.series[name].values : null; }

/* Sums become a rate per cycle; means stay. */
function perCycle(s, name) {
	const v = series(s, name);
	return v && !s.series[name].mean ? v.map((x, n) => { const c = intervalCycles(s, n); return c ? x / c : 0; }) : v;
}

function addUp(lists) { return lists.reduce((a, b) => a ? a.map((x, n) => x + b[n]) : [...b], null); }

/* A number above v that an axis may end with. */
function niceTop(v) {
	if (!(v > 0)) return 1;
	const p = 10 ** Math.floor(Math.log10(v));
	for (const m of [1, 1.5, 2, 3, 4, 5, 6, 8, 10]) if (v <= m * p * 1.0001) return m * p;
	return 10 * p;
}

let crosshairs = []; /* of all diagrams: each draws interval n */

/* spec: {title, unit, about, lines: [{name, values, k, about}], stacked, top, format, levels}; levels: the lines are caches',
 * which are named even when there is one, and may have gaps */
function timeChart(s, spec) {
	const starts = intervalStarts(s), total = starts[s.count] || 1, format = spec.format || (v => compact(v, spec.unit)), axis = spec.axis || format;
	const sums = spec.stacked ? addUp(spec.lines.map(l => l.values)) : null;
	let peak = 0;
	for (const l of spec.stacked ? [{values: sums}] : spec.lines) for (const v of l.values) if (v > peak) peak = v;
	const top = spec.top || niceTop(peak), host = el('div.chart', {tabindex: '0', role: 'img', 'aria-label': `${spec.title} over time, ${s.count} intervals; arrow keys read them`});
	let at = Math.floor(s.count / 2);
	const tipOf = n => tipRows(`cycles ${plain(starts[n])} to ${plain(starts[n + 1])}`,
		[...spec.lines].reverse().map(l => [l.name, Number.isNaN(l.values[n]) ? 'none' : format(l.values[n])]).concat(sums && spec.total ? [[spec.total, format(sums[n])]] : []));
	const show = (n, x, y) => { at = n; for (const c of crosshairs) c(n); hints.set(host, tipOf(n)); showTip(host, x, y); };
	responsive(host, width => {
		const left = 62, right = 10, w = width - left - right, h = TIME_HEIGHT, x = c => left + w * c / total, y = v => 8 + h - h * Math.min(1, v / top);
		const root = svg('svg', {width, height: h + 34, class: 'time'});
		for (const part of [0, .5, 1])
			root.append(svg('line', {x1: left, x2: left + w, y1: y(part * top), y2: y(part * top), class: 'grid'}), svg('text', {x: left - 7, y: y(part * top) + 4, 'text-anchor': 'end'}, axis(part * top)));
		for (let k = 0; k <= 4; k += w < 400 ? 2 : 1)
			root.append(svg('text', {x: x(total * k / 4), y: h + 26, 'text-anchor': k === 0 ? 'start' : k === 4 ? 'end' : 'middle'}, (k === 4 ? 'cycle ' : '') + brief(Math.round(total * k / 4))));
		let base = new Array(s.count).fill(0);
		for (const l of spec.lines) {
			const upper = spec.stacked ? l.values.map((v, n) => v + base[n]) : l.values;
			let line = '';
			for (let n = 0; n < s.count; n++) if (!Number.isNaN(upper[n])) line += `${n && !Number.isNaN(upper[n - 1]) ? 'L' : 'M'}${x(starts[n]).toFixed(1)} ${y(upper[n]).toFixed(1)}L${x(starts[n + 1]).toFixed(1)} ${y(upper[n]).toFixed(1)}`;
			if (spec.stacked) {
				let back = '';
				for (let n = s.count - 1; n >= 0; n--) back += `L${x(starts[n + 1]).toFixed(1)} ${y(base[n]).toFixed(1)}L${x(starts[n]).toFixed(1)} ${y(base[n]).toFixed(1)}`;
				root.append(svg('path', {d: line + back + 'Z', style: {fill: `var(--g${l.k})`}}), svg('path', {d: line + back + 'Z', fill: `url(#pattern${l.k})`}));
				base = upper;
			} else {
				if (spec.lines.length === 1 && !spec.levels) root.append(svg('path', {d: line + `L${x(total)} ${y(0)}L${left} ${y(0)}Z`, style: {fill: `var(--g${l.k})`}, opacity: .25}));
				root.append(svg('path', {d: line, fill: 'none', style: {stroke: `var(--g${l.k})`}, 'stroke-width': 1.8, 'stroke-dasharray': LINE_DASH[l.dash || 0]}));
			}
		}
		if (spec.bound && spec.bound.value <= top)
			root.append(svg('line', {x1: left, x2: left + w, y1: y(spec.bound.value), y2: y(spec.bound.value), class: 'bound'}), svg('text', {x: left + w - 4, y: y(spec.bound.value) + 13, 'text-anchor': 'end', class: 'bound-text'}, spec.bound.text));
		const cross = svg('line', {y1: 8, y2: 8 + h, class: 'cross', visibility: 'hidden'});
		root.append(cross);
		host.move = n => { const mid = x((starts[n] + starts[n + 1]) / 2); cross.setAttribute('x1', mid); cross.setAttribute('x2', mid); cross.setAttribute('visibility', 'visible'); };
		host.find = px => { const c = (px - left) / w * total; let lo = 0, hi = s.count - 1; while (lo < hi) { const m = lo + hi + 1 >> 1; if (starts[m] <= c) lo = m; else hi = m - 1; } return lo; };
		return root;
	});
	crosshairs.push(n => host.move && host.move(n));
	host.addEventListener('pointermove', e => { if (host.find) show(host.find(e.clientX - host.getBoundingClientRect().left), e.clientX, e.clientY); });
	host.addEventListener('keydown', e => {
		const to = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: s.count - 1}[e.key];
		if (to === undefined) return;
		e.preventDefault();
		const box = host.getBoundingClientRect(), n = Math.max(0, Math.min(s.count - 1, to));
		show(n, box.left + 62 + (box.width - 72) * (starts[n] / total), box.top + 30);
		say(`cycles ${starts[n]} to ${starts[n + 1]}: ` + spec.lines.map(l => `${l.name} ${format(l.values[n])}`).join(', '));
	});
	return el('figure.over-time', {}, el('figcaption', {}, el('b', {}, spec.title), spec.about ? el('span.soft', {}, ' ' + spec.about) : null,
		spec.lines.length > 1 || spec.levels ? el('ul.legend', {}, [...spec.lines].reverse().map(l => {
			const item = el('li', {}, spec.stacked ? swatch(l.k) : svg('svg', {width: 24, height: 10, 'aria-hidden': 'true'}, svg('line', {x1: 0, x2: 24, y1: 5, y2: 5, style: {stroke: `var(--g${l.k})`}, 'stroke-width': 2.4, 'stroke-dasharray': LINE_DASH[l.dash || 0]})), ' ' + l.name);
			return l.about ? hint(item, l.about) : item;
		})) : null), host);
}

const TIME_LEVELS = [['vl0', 'vL0', 0], ['k', 'K', 1], ['gl1', 'GL1', 2], ['l2', 'L2', 3], ['mall', 'MALL', 4]];
const TIME_UNITS = [['valu', 0], ['salu', 2], ['smem', 4], ['vmem', 3], ['flat', 6], ['lds', 5], ['mfma', 1], ['branch', 7], ['internal', 8]];

/* Lines of the cache levels: f(level) gives the values, or null. A rate of 0 where there are requests is one, too. */
function levelLines(f, rates) {
	return TIME_LEVELS.map(([key, name, k]) => ({name, values: f(key), k, dash: k, about: (DATA.levels || {})[key]})).filter(l => l.values && l.values.some(v => rates ? v >= 0 : v > 0));
}

function overTime() {
	const s = report.samples, chip = launch.chip, charts = [];
	if (!s || !s.count) return null;
	crosshairs = [];
	const add = spec => { if (spec.lines.length && spec.lines.every(l => l.values)) charts.push(timeChart(s, spec)); };
	const waves = series(s, 'resident_waves'), room = chip && report.occupancy ? report.occupancy.waves_per_simd * chip.simds * chip.cus : 0;
	if (waves) add({title: 'Resident waves', unit: '', about: (s.series.resident_waves || {}).about, lines: [{name: 'waves', values: waves, k: 1}],
		bound: room && room <= 1.25 * Math.max(...waves) ? {value: room, text: `${plain(room)} fit the chip`} : null, top: room && room <= 1.25 * Math.max(...waves) ? room * 1.08 : 0});
	const stallKeys = Object.keys(s.series).filter(n => n.startsWith('stall_cycles.'));
	if (stallKeys.length) {
		const by = CATEGORIES.map(() => null);
		for (const n of stallKeys) { const k = categoryOf(n.slice(13)), v = series(s, n); by[k] = by[k] ? by[k].map((x, i) => x + v[i]) : [...v]; }
		const all = addUp(by.filter(b => b));
		add({title: 'What resident waves do', about: 'shares of their cycles', stacked: true, top: 1, format: percent,
			lines: by.map((v, k) => v && {name: CATEGORIES[k].name, about: CATEGORIES[k].about, k, values: v.map((x, n) => all[n] ? x / all[n] : 0)}).filter(l => l && l.values.some(v => v > 0))});
	}
	add({title: 'Issue', unit: '', about: 'wave-instructions per cycle of the chip, by category', stacked: true, total: 'all',
		lines: TIME_UNITS.map(([key, k]) => ({name: key, k, about: (meanings.get('instructions.' + key) || {}).about, values: perCycle(s, 'instructions.' + key)})).filter(l => l.values && l.values.some(v => v > 0))});
	const flow = (a, b) => { const x = perCycle(s, a), y = perCycle(s, b); return x && y ? addUp([x, y]) : x || y; };
	const bandwidth = levelLines(key => flow(`cache.${key}.load_bytes`, `cache.${key}.store_bytes`));
	const dram = flow('dram.read_bytes', 'dram.write_bytes');
	if (dram && dram.some(v => v > 0)) bandwidth.push({name: 'DRAM', values: dram, k: 7, dash: 5});
	add({title: 'Bandwidth', about: 'bytes per cycle that each level moves, of the whole chip', format: v => bytes(v) + '/cycle', axis: bytes, lines: bandwidth, levels: true});
	add({title: 'Hit rates', about: 'share of the requests of a level, where it has some, that found a line', format: percent, top: 1, levels: true,
		lines: levelLines(key => { const all = series(s, `cache.${key}.tag_requests`), misses = series(s, `cache.${key}.tag_misses`); return all && misses ? all.map((x, n) => x ? Math.max(0, 1 - misses[n] / x) : NaN) : null; }, true)});
	add({title: 'MSHRs in use', unit: '', about: 'of all caches of a level: misses outstanding', lines: levelLines(key => series(s, `cache.${key}.mshrs`)), levels: true});
	return charts.length ? part('time', 'Over time', `${plural(s.count, 'interval')} of ${plain(s.interval_cycles)} cycles. Point at a diagram, or use the arrow keys in it.`, el('div.charts', {}, charts)) : null;
}
