/* The Pareto front of two values: points that no other one beats in one of them without losing in the other. */
'use strict';

const PARETO_ROWS = 200; /* of the list */

/* Completed points of a launch (-1: of all), and those of the front in the order of x: of points with both values the same,
 * the first. */
function paretoFront(x, y, launch) {
	const sign = v => v.goal === 'maximize' ? -1 : 1, sx = sign(x), sy = sign(y), a = x.data, b = y.data, order = [], front = [];
	for (let p = 0; p < POINTS; p++) if (completed[p] && (launch < 0 || axes[0].at[p] === launch) && !Number.isNaN(a[p]) && !Number.isNaN(b[p])) order.push(p);
	order.sort((p, q) => sx * (a[p] - a[q]) || sy * (b[p] - b[q]) || p - q);
	let best = Infinity;
	for (const p of order) if (sy * b[p] < best) { best = sy * b[p]; front.push(p); }
	return {points: order, front};
}

class Pareto {
	constructor() {
		const x = firstValue(), others = values.filter(v => v !== x), y = others.find(v => v.objective) || others.find(v => v.name === 'instructions.total') || others[0];
		Object.assign(this, {x, y, goals: new Map(values.map(v => [v, v.goal])), colour: leaders[0] || null, launch: -1, near: -1, at: 0, cache: null});
		this.tools = el('div.toolbar.choices');
		this.legend = el('div');
		this.list = el('div');
		this.plot = responsive(el('div.chart.scatter', {tabindex: '0', role: 'application', 'aria-roledescription': 'scatter plot'}), w => this.draw(w));
		this.plot.addEventListener('pointermove', e => this.move(e));
		this.plot.addEventListener('pointerleave', () => { this.near = -1; this.ring(); });
		this.plot.addEventListener('click', () => { if (this.near >= 0) this.pick(this.near); });
		this.plot.addEventListener('keydown', e => this.key(e));
		this.plot.addEventListener('blur', () => { this.near = -1; this.ring(); });
		hint(this.plot, () => this.near < 0 ? null : this.tip(this.near));
		selection.watchers.push(() => this.ring());
		this.node = part('pareto', 'Pareto front', 'Every completed point by two values. No point beats one of the front in one value without losing in the other.', this.tools, this.legend, this.plot, selectionBar(), this.list);
		this.update();
	}
	set(change) { Object.assign(this, change); this.update(); }
	/* A value with the goal that is chosen here. */
	aim(v) { return {data: v.data, goal: this.goals.get(v)}; }
	update() {
		const goal = v => choice('is better', [{value: 'minimize', text: 'less'}, {value: 'maximize', text: 'more'}], this.goals.get(v), g => { this.goals.set(v, g); this.update(); });
		const focus = [...this.tools.querySelectorAll('select')].indexOf(document.activeElement);
		this.tools.replaceChildren(choice('Across', valueOptions(), this.x.index, k => this.set({x: values[k]})), goal(this.x), choice('Up', valueOptions(), this.y.index, k => this.set({y: values[k]})), goal(this.y),
			choice('Colour', [{value: -1, text: 'none'}, ...axisOptions(varying)], this.colour ? axes.indexOf(this.colour) : -1, k => this.set({colour: k < 0 ? null : axes[k]})),
			...axes[0].size > 1 ? [choice('Launch', [{value: -1, text: 'all'}, ...axes[0].texts.map((text, value) => ({value, text}))], this.launch, k => this.set({launch: Number(k)}))] : []);
		if (focus >= 0) this.tools.querySelectorAll('select')[focus].focus();
		Object.assign(this, paretoFront(this.aim(this.x), this.aim(this.y), this.launch));
		this.at = 0;
		this.near = -1;
		this.legend.replaceChildren(colourLegend(this.colour) || '');
		this.plot.setAttribute('aria-label', `${this.y.name} over ${this.x.name}: ${plural(this.points.length, 'point')}, ${plain(this.front.length)} of them on the Pareto front. Arrow keys go along the front.`);
		this.table();
		this.plot.redraw();
	}
	scaleOf(v) {
		let least = Infinity, most = -Infinity;
		for (const p of this.points) { least = Math.min(least, v.data[p]); most = Math.max(most, v.data[p]); }
		const log = wantsLog(least, most);
		return new Scale(...widened(least, most, log), log);
	}
	draw(width) {
		if (!this.points.length) { this.place = null; return el('p.soft', {}, 'No completed point has both values.'); }
		const left = 66, right = 14, top = 12, below = 44, height = Math.max(280, Math.min(480, width * .5)), w = width - left - right, h = height - top - below;
		const sx = this.scaleOf(this.x), sy = this.scaleOf(this.y), X = p => left + w * sx.at(this.x.data[p]), Y = p => top + h * (1 - sy.at(this.y.data[p]));
		this.place = {X, Y, px: Float32Array.from(this.points, X), py: Float32Array.from(this.points, Y)};
		const colours = axisColours(this.colour), paths = colours.map(() => []), size = this.points.length > 20000 ? 3 : this.points.length > 2000 ? 4.5 : 7;
		this.points.forEach((p, k) => { const c = this.colour ? this.colour.at[p] : 0; if (c >= 0) paths[c].push(`M${this.place.px[k].toFixed(1)} ${this.place.py[k].toFixed(1)}h0`); });
		const steps = this.front.map((p, k) => k ? `H${X(p).toFixed(1)}V${Y(p).toFixed(1)}` : `M${X(p).toFixed(1)} ${Y(p).toFixed(1)}`).join('');
		this.rings = svg('g', {class: 'rings'});
		this.ring();
		return svg('svg', {width, height, 'aria-hidden': 'true'}, verticalAxis(sy, this.y, left, top, w, h, 6),
			sx.ticks(Math.max(2, Math.floor(w / 110))).map(v => [svg('line', {x1: left + w * sx.at(v), x2: left + w * sx.at(v), y1: top, y2: top + h, class: 'grid'}), svg('text', {x: left + w * sx.at(v), y: top + h + 17, 'text-anchor': 'middle', class: 'axis'}, this.x.short(v))]),
			svg('text', {x: left + w / 2, y: height - 6, 'text-anchor': 'middle', class: 'axis'}, this.x.label() + (sx.log ? ', log scale' : '')), svg('text', {x: 12, y: top + h / 2, 'text-anchor': 'middle', class: 'axis', transform: `rotate(-90 12 ${top + h / 2})`}, this.y.label() + (sy.log ? ', log scale' : '')),
			paths.map((d, k) => d.length ? svg('path', {d: d.join(''), class: 'dots', style: {stroke: colours[k].fill, 'stroke-width': size}}) : null),
			svg('path', {d: steps, class: 'front-line'}), this.front.map(p => svg('circle', {cx: X(p), cy: Y(p), r: 5.5, class: 'front-dot', style: {fill: this.colour && this.colour.at[p] >= 0 ? colours[this.colour.at[p]].fill : colours[0].fill}, 'data-point': pointNumber(p)})), this.rings);
	}
	/* Rings around what is selected, and around the point that is read. */
	ring() {
		if (!this.rings || !this.place) return;
		const {X, Y} = this.place, a = this.x.data, b = this.y.data, shown = p => completed[p] && (this.launch < 0 || axes[0].at[p] === this.launch) && !Number.isNaN(a[p]) && !Number.isNaN(b[p]);
		const chosen = (selection.points || []).filter(shown).slice(0, 2000).map(p => svg('circle', {cx: X(p), cy: Y(p), r: 7.5, class: 'ring'}));
		this.rings.replaceChildren(...chosen, ...(this.near >= 0 ? [svg('circle', {cx: X(this.near), cy: Y(this.near), r: 8.5, class: 'ring near'})] : []));
	}
	move(e) {
		if (!this.place) return;
		const box = this.plot.querySelector('svg').getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top, {px, py} = this.place;
		let best = 14 * 14, near = -1;
		for (let k = 0; k < px.length; k++) { const d = (px[k] - x) ** 2 + (py[k] - y) ** 2; if (d < best) { best = d; near = this.points[k]; } }
		if (near === this.near) return;
		this.near = near;
		this.plot.style.cursor = near < 0 ? '' : 'pointer';
		this.ring();
	}
	key(e) {
		if (!this.front.length || e.ctrlKey || e.altKey || e.metaKey) return;
		const to = {ArrowRight: this.near < 0 ? 0 : this.at + 1, ArrowLeft: this.at - 1, Home: 0, End: this.front.length - 1}[e.key];
		if (e.key === 'Enter' && this.near >= 0) this.pick(this.near);
		else if (to === undefined) return;
		else {
			this.at = Math.max(0, Math.min(this.front.length - 1, to));
			this.near = this.front[this.at];
			this.ring();
			const box = this.plot.querySelector('svg').getBoundingClientRect();
			showTip(this.plot, box.left + this.place.X(this.near), box.top + this.place.Y(this.near));
			say(`point ${pointNumber(this.near)}: ${this.x.name} ${this.x.text(this.x.data[this.near])}, ${this.y.name} ${this.y.text(this.y.data[this.near])}`);
		}
		e.preventDefault();
	}
	/* Points with both values the same. */
	same(p) { const a = this.x.data, b = this.y.data; return this.points.filter(q => a[q] === a[p] && b[q] === b[p]); }
	tip(p) {
		const same = this.same(p).length - 1;
		return tipRows(`Point #${pointNumber(p)}${this.front.includes(p) ? ', on the front' : ''}`, [[this.x.name, this.x.text(this.x.data[p])], [this.y.name, this.y.text(this.y.data[p])], ...axisRows(p)], same ? `and ${plural(same, 'point')} with the same values` : '');
	}
	pick(p) { select(this.same(p), `${this.x.name} ${this.x.text(this.x.data[p])}, ${this.y.name} ${this.y.text(this.y.data[p])}`); }
	table() {
		const shown = this.front.slice(0, PARETO_ROWS), a = this.x, b = this.y;
		this.list.replaceChildren(el('h3', {}, `${plural(this.front.length, 'point')} on the front`), this.front.length ? el('div.toolbar', {}, el('button', {type: 'button', onclick: () => select(this.front, 'the Pareto front')}, 'Select the front')) : '',
			el('div.scroll.front', {}, el('table.full', {}, el('thead', {}, el('tr', {}, el('th', {}, 'Point'), el('th.r', {}, a.label()), el('th.r', {}, b.label()), varying.map(x => el('th', {class: x.numeric ? 'r' : ''}, x.name)))),
				el('tbody', {}, shown.map(p => el('tr', {'data-front': pointNumber(p)}, el('td', {}, el('button.link', {type: 'button', 'aria-label': `Select point ${pointNumber(p)}`, onclick: () => this.pick(p)}, '#' + pointNumber(p))), el('td.r.num', {'data-value': a.data[p]}, a.bare(a.data[p])), el('td.r.num', {'data-value': b.data[p]}, b.bare(b.data[p])),
					varying.map(x => el('td', {class: x.numeric ? 'r num' : ''}, x.at[p] < 0 ? '' : x.texts[x.at[p]]))))))), this.front.length > shown.length ? el('p.soft', {}, `and ${plain(this.front.length - shown.length)} more`) : '');
	}
}
