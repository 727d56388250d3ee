/* The heat map: a value over two axes, or over one as a chart. */
'use strict';

const HEAT_MOST = 100; /* rows, columns at a time: more are turned over like pages */

const AGGREGATES = {min: 'least', mean: 'mean', max: 'largest'};

/* What the points of each cell have: counts, sums, extremes. cols: null: there is one column. keep(p): whether it counts */
function cellsOf(rows, cols, value, keep) {
	const nc = cols ? cols.size : 1, n = rows.size * nc, data = value.data;
	const c = {nc, count: new Int32Array(n), sum: new Float64Array(n), min: new Float64Array(n).fill(Infinity), max: new Float64Array(n).fill(-Infinity)};
	for (let p = 0; p < POINTS; p++) {
		const v = data[p], r = rows.at[p], k = cols ? cols.at[p] : 0;
		if (!completed[p] || Number.isNaN(v) || r < 0 || k < 0 || !keep(p)) continue;
		const at = r * nc + k;
		c.count[at]++;
		c.sum[at] += v;
		if (v < c.min[at]) c.min[at] = v;
		if (v > c.max[at]) c.max[at] = v;
	}
	return c;
}

class HeatMap {
	/* One launch at first: the least of several launches' cycles says nothing. */
	constructor() {
		const [rows, cols] = leaders.length > 1 ? this.largest() : [leaders[0] || axes[0], null];
		Object.assign(this, {rows, cols, value: firstValue(), aggregate: '', log: null, fixed: new Map(rows.kind !== 'launch' && (!cols || cols.kind !== 'launch') && axes[0].size > 1 ? [[axes[0], 0]] : []), from: {rows: 0, cols: 0}});
		this.tools = el('div.toolbar.choices');
		this.fixes = el('div.toolbar.choices');
		this.note = el('p.soft', {role: 'status'});
		this.plot = responsive(el('div.chart.heat'), w => this.draw(w));
		this.node = part('heat', 'Heat map', 'The value of the completed points over two axes. A cell with several points shows one number of them; a click selects its points in the table.', this.tools, this.fixes, this.note, this.plot, selectionBar());
		selection.watchers.push(() => this.mark());
		this.update();
	}
	/* The axes with the most values first, as long as the map can be seen at a glance; figures before what runs. */
	largest() {
		const order = [...leaders].sort((a, b) => (a.kind === 'launch' || a.kind === 'profile') - (b.kind === 'launch' || b.kind === 'profile') || (a.size > 40) - (b.size > 40) || b.size - a.size);
		return [order[1], order[0]];
	}
	get how() { return this.aggregate || (this.value.goal === 'maximize' ? 'max' : 'min'); }
	keep(p) {
		for (const [axis, k] of this.fixed) if (axis.at[p] !== k) return false;
		return true;
	}
	/* Axes that neither rows nor columns have: those of a pair go with their leader. */
	others() {
		const family = a => a && (a.pairedWith || a.name);
		return leaders.filter(a => family(a) !== family(this.rows) && family(a) !== family(this.cols));
	}
	set(change) {
		Object.assign(this, change);
		if (this.cols === this.rows) this.cols = null;
		this.from = {rows: 0, cols: 0};
		this.update();
	}
	update() {
		const others = this.others();
		for (const a of [...this.fixed.keys()]) if (!others.includes(a)) this.fixed.delete(a);
		this.cells = cellsOf(this.rows, this.cols, this.value, p => this.keep(p));
		let least = Infinity, most = -Infinity, several = 0;
		for (let k = 0; k < this.cells.count.length; k++) {
			if (!this.cells.count[k]) continue;
			const v = this.at(k);
			least = Math.min(least, v);
			most = Math.max(most, v);
			several = Math.max(several, this.cells.count[k]);
		}
		this.any = most >= least;
		this.scale = new Scale(this.any ? least : 0, this.any ? most : 1, this.log === null ? wantsLog(least, most) : this.log);
		this.note.textContent = !this.any ? 'No completed point has this value here.' : several > 1 ? `Up to ${plural(several, 'point')} in a cell, of which it shows the ${AGGREGATES[this.how]}.` : 'One point in a cell.';
		this.choices(others);
		this.plot.redraw();
	}
	choices(others) {
		const pick = f => k => this.set(f(axes[k])), focus = document.activeElement && this.node.contains(document.activeElement) ? document.activeElement.closest('[data-choice]') : null;
		const named = (name, node) => { node.dataset.choice = name; return node; };
		this.tools.replaceChildren(
			named('rows', choice('Rows', axisOptions(varying.length ? varying : axes.slice(0, 1)), axes.indexOf(this.rows), pick(rows => ({rows})))),
			named('cols', choice('Columns', [{value: -1, text: 'none: a chart of one axis'}, ...axisOptions(varying)], this.cols ? axes.indexOf(this.cols) : -1, k => this.set({cols: k < 0 ? null : axes[k]}))),
			named('value', hint(choice('Value', valueOptions(), this.value.index, k => this.set({value: values[k]})), () => this.value.tip())),
			named('aggregate', choice('Of several points', Object.entries(AGGREGATES).map(([value, text]) => ({value, text})), this.how, aggregate => this.set({aggregate}))),
			named('scale', choice('Colours', [{value: 'linear', text: 'linear'}, {value: 'log', text: 'log'}], this.scale.log ? 'log' : 'linear', v => this.set({log: v === 'log'}), 'a log scale needs positive values')));
		this.fixes.replaceChildren(...others.map(a => named('fix ' + a.name, choice(a.name, [{value: -1, text: 'all'}, ...a.texts.map((text, value) => ({value, text}))], this.fixed.has(a) ? this.fixed.get(a) : -1,
			k => { if (k < 0) this.fixed.delete(a); else this.fixed.set(a, Number(k)); this.set({}); }))));
		this.fixes.hidden = !others.length;
		if (focus) { const again = this.node.querySelector(`[data-choice="${CSS.escape(focus.dataset.choice)}"] select`); if (again) again.focus(); }
	}
	at(k) { const c = this.cells; return !c.count[k] ? NaN : this.how === 'mean' ? c.sum[k] / c.count[k] : c[this.how][k]; }
	points(r, k) {
		const out = [];
		for (let p = 0; p < POINTS; p++)
			if (completed[p] && this.rows.at[p] === r && (!this.cols || this.cols.at[p] === k) && this.keep(p) && !Number.isNaN(this.value.data[p])) out.push(p);
		return out;
	}
	name(r, k) { return [this.rows, this.cols].filter(a => a).map((a, n) => `${a.name} = ${a.texts[n ? k : r]}`).join(', '); }
	tip(r, k) {
		const at = r * this.cells.nc + k, c = this.cells, v = this.value;
		if (!c.count[at]) return tipRows(this.name(r, k), [], 'no completed point has this value here');
		const points = this.points(r, k), rows = c.count[at] > 1 ? [['least', v.text(c.min[at])], ['mean', v.text(c.sum[at] / c.count[at])], ['largest', v.text(c.max[at])]] : [[v.name, v.text(c.sum[at])]];
		return tipRows(this.name(r, k), rows, `${points.length === 1 ? 'point' : plural(points.length, 'point') + ':'} ${points.slice(0, 8).map(p => '#' + pointNumber(p)).join(', ')}${points.length > 8 ? ' ...' : ''}`);
	}
	pick(r, k) { select(this.points(r, k), this.name(r, k)); }
	pages(which, axis) {
		if (!axis || axis.size <= HEAT_MOST) return null;
		const options = [];
		for (let k = 0; k < axis.size; k += HEAT_MOST) options.push({value: k, text: `${plain(k + 1)} to ${plain(Math.min(axis.size, k + HEAT_MOST))} of ${plain(axis.size)}`});
		return choice(`Values of ${axis.name}`, options, this.from[which], k => { this.from[which] = Number(k); this.plot.redraw(); });
	}
	legend() {
		const s = this.scale, v = this.value;
		if (!this.any || !this.cols) return null;
		return el('div.heat-legend', {role: 'img', 'aria-label': `Colours from ${v.text(s.least)}, dark, to ${v.text(s.most)}, bright; ${s.log ? 'log' : 'linear'} scale`}, el('span', {}, v.short(s.least)),
			el('span.ramp', {style: {background: VIRIDIS_GRADIENT}}), el('span', {}, v.short(s.most)), el('span.soft', {}, `${v.label()}, ${s.log ? 'log' : 'linear'} scale; the best cell has a frame`), el('span.swatch.none'), el('span.soft', {}, 'no completed point'));
	}
	draw(width) {
		const pages = el('div.toolbar.choices', {}, this.pages('rows', this.rows), this.pages('cols', this.cols));
		return [pages.children.length ? pages : null, this.cols ? this.grid(width) : this.chart(width), this.legend()].flat().filter(n => n);
	}
	chart(width) {
		const rows = [], first = this.from.rows, v = this.value, bars = !this.rows.numeric;
		for (let r = first; r < Math.min(this.rows.size, first + HEAT_MOST); r++) rows.push({k: r, v: this.at(r), label: this.rows.texts[r], tip: () => this.tip(r, 0), pick: () => this.pick(r, 0)});
		let [least, most] = widened(this.scale.least, this.scale.most, this.scale.log);
		if (bars && !this.scale.log) { least = Math.min(0, this.scale.least); most = Math.max(0, most); }
		return [el('p.soft', {}, `${v.label()} by ${this.rows.name}${this.scale.log ? ', log scale' : ''}`), axisChart(width, rows, {value: v, scale: new Scale(least, most, this.scale.log), height: 320, bars, line: !bars, label: `${v.name} by ${this.rows.name}`})];
	}
	best() {
		let best = -1;
		for (let k = 0; k < this.cells.count.length; k++) if (this.cells.count[k] && (best < 0 || (this.value.goal === 'maximize' ? this.at(k) > this.at(best) : this.at(k) < this.at(best)))) best = k;
		return best;
	}
	grid(width) {
		const r0 = this.from.rows, c0 = this.from.cols, nr = Math.min(this.rows.size - r0, HEAT_MOST), nc = Math.min(this.cols.size - c0, HEAT_MOST), best = this.best();
		const head = Math.min(190, width * .3, 20 + 7.2 * Math.max(this.rows.name.length, ...this.rows.texts.slice(r0, r0 + nr).map(t => t.length)));
		const cell = Math.max(14, Math.min(120, Math.floor((width - head - 4) / nc))), written = cell >= 48, upright = Math.max(...this.cols.texts.slice(c0, c0 + nc).map(t => t.length)) * 7 > cell - 4;
		const every = upright ? Math.ceil(15 / cell) : 1, range = n => Array.from({length: n}, (_, k) => k);
		const table = el('table.cells', {role: 'grid', 'aria-label': `${this.value.name}: rows ${this.rows.name}, columns ${this.cols.name}`, 'aria-readonly': 'true', class: written ? 'cells written' : 'cells', style: {'--cell': cell + 'px', '--head': head + 'px', width: head + cell * nc + 'px'}},
			el('thead', {}, el('tr', {}, el('th.corner', {scope: 'col'}, el('span', {}, clip(this.rows.name, 40))), el('th.cols-name', {colspan: nc, scope: 'colgroup'}, this.cols.name)),
				el('tr', {}, el('td.corner', {}), range(nc).map(k => el('th', {scope: 'col', class: upright ? 'upright' : ''}, el('span', {class: k % every ? 'sr' : ''}, clip(this.cols.texts[c0 + k], 24)))))),
			el('tbody', {}, range(nr).map(r => el('tr', {}, el('th', {scope: 'row', title: this.rows.texts[r0 + r]}, this.rows.texts[r0 + r]), range(nc).map(k => this.cell(r0 + r, c0 + k, written, best, r + k === 0))))));
		table.addEventListener('keydown', e => {
			const at = e.target.closest('td[data-r]');
			if (!at) return;
			if (e.key === 'Enter' || e.key === ' ') { e.preventDefault(); this.pick(Number(at.dataset.r), Number(at.dataset.c)); } else arrowsAmong(e, [...table.querySelectorAll('td[data-r]')], nc);
		});
		table.addEventListener('click', e => { const at = e.target.closest('td[data-r]'); if (at) this.pick(Number(at.dataset.r), Number(at.dataset.c)); });
		this.table = table;
		this.mark();
		return el('div.scroll', {}, table);
	}
	cell(r, k, written, best, first) {
		const at = r * this.cells.nc + k, v = this.at(at), none = Number.isNaN(v), rgb = none ? null : shade(this.scale.at(v)), attrs = {role: 'gridcell', tabindex: first ? '0' : '-1', 'data-r': r, 'data-c': k, 'aria-label': `${this.name(r, k)}: ${none ? 'no completed point' : this.value.text(v)}`};
		if (none) attrs.class = 'none';
		else Object.assign(attrs, {class: at === best ? 'best' : '', 'data-value': v, style: {background: css(rgb), color: inkOn(rgb)}});
		return hint(el('td', attrs, written && !none ? this.value.short(v) : ''), () => this.tip(r, k));
	}
	/* Cells with selected points. */
	mark() {
		if (!this.table || !this.cols) return;
		const lit = new Set((selection.points || []).map(p => this.rows.at[p] * this.cells.nc + this.cols.at[p]));
		for (const td of this.table.querySelectorAll('td[data-r]')) td.setAttribute('aria-selected', lit.has(Number(td.dataset.r) * this.cells.nc + Number(td.dataset.c)));
	}
}
