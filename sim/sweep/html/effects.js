/* Main effects: the mean of a value for each value of an axis, beside one another, so that one sees which axis matters. */
'use strict';

const EFFECT_MOST = 200; /* values of an axis in a small chart */

class Effects {
	constructor() {
		this.value = firstValue();
		this.tools = el('div.toolbar.choices');
		this.charts = el('div.effects');
		this.node = part('effects', 'Main effects', 'The mean of the completed points for each value of an axis, whatever the others are. All charts have the same scale; the axis that moves the mean most comes first.', this.tools, this.charts);
		this.tools.append(choice('Value', valueOptions(), this.value.index, k => { this.value = values[k]; this.update(); }));
		this.update();
	}
	/* Means by value of the axis; NaN where there is no point. */
	means(axis) {
		const c = cellsOf(axis, null, this.value, () => true);
		return Array.from(c.count, (n, k) => n ? c.sum[k] / n : NaN);
	}
	update() {
		const all = leaders.map(axis => {
			const means = this.means(axis), known = means.filter(v => !Number.isNaN(v)), least = known.reduce((a, v) => Math.min(a, v), Infinity), most = known.reduce((a, v) => Math.max(a, v), -Infinity);
			return {axis, means, least, most, range: known.length ? most - least : 0};
		}).sort((a, b) => b.range - a.range);
		this.all = all;
		const least = all.reduce((a, x) => Math.min(a, x.least), Infinity), most = all.reduce((a, x) => Math.max(a, x.most), -Infinity);
		if (!(most >= least)) { this.charts.replaceChildren(el('p.soft', {}, 'No completed point has this value.')); return; }
		const scale = new Scale(...widened(least, most, false), false);
		this.charts.replaceChildren(...all.map(x => this.chart(x, scale)));
	}
	chart(x, scale) {
		const v = this.value, shown = Math.min(x.axis.size, EFFECT_MOST), rows = x.means.slice(0, shown).map((m, k) => ({k, v: m, label: x.axis.texts[k], tip: () => tipRows(`${x.axis.name} = ${x.axis.texts[k]}`, [['mean ' + v.name, v.text(m)]], ''),
			pick: () => select(this.points(x.axis, k), `${x.axis.name} = ${x.axis.texts[k]}`)}));
		const share = x.least > 0 ? `, ${percent(x.range / x.least)} of the least` : '';
		return el('figure.effect', {'data-axis': x.axis.name, 'data-range': x.range}, el('figcaption', {}, el('b', {}, x.axis.name), el('div.soft', {}, x.range ? `moves the mean by ${v.text(x.range)}${share}` : 'does not move the mean', shown < x.axis.size ? `; the first ${shown} of ${plain(x.axis.size)} values` : '')),
			responsive(el('div.chart'), w => axisChart(w, rows, {value: v, scale, height: 150, line: x.axis.numeric, label: `Mean ${v.name} by ${x.axis.name}`})));
	}
	points(axis, k) {
		const out = [];
		for (let p = 0; p < POINTS; p++) if (completed[p] && axis.at[p] === k && !Number.isNaN(this.value.data[p])) out.push(p);
		return out;
	}
}
