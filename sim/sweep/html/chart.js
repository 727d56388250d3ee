/* Colours and scales of the charts. */
'use strict';

/* Viridis: perceptually uniform, its lightness rises steadily, and people with any colour vision can read it. */
const VIRIDIS = ['440154', '482878', '3e4989', '31688e', '26828e', '1f9e89', '35b779', '6ece58', 'b5de2b', 'fde725'].map(h => [0, 2, 4].map(k => parseInt(h.slice(k, k + 2), 16)));

/* t in 0 ... 1 */
function shade(t) {
	const x = Math.max(0, Math.min(1, t)) * (VIRIDIS.length - 1), k = Math.min(VIRIDIS.length - 2, Math.floor(x));
	return VIRIDIS[k].map((c, n) => Math.round(c + (VIRIDIS[k + 1][n] - c) * (x - k)));
}
function css(rgb) { return `rgb(${rgb.join(', ')})`; }

function luminance(rgb) {
	const [r, g, b] = rgb.map(v => { v /= 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
	return .2126 * r + .7152 * g + .0722 * b;
}
/* Black or white, whichever is easier to read on the colour: a contrast of 4.58 at least. */
function inkOn(rgb) { return luminance(rgb) > .179 ? '#000' : '#fff'; }

const VIRIDIS_GRADIENT = `linear-gradient(90deg, ${VIRIDIS.map(css).join(', ')})`;

/* Numbers to 0 ... 1. */
class Scale {
	constructor(least, most, log) {
		this.log = log && least > 0;
		this.least = least;
		this.most = most;
		this.a = this.f(least);
		this.b = this.f(most);
	}
	f(v) { return this.log ? Math.log(v) : v; }
	at(v) { return this.b > this.a ? (this.f(v) - this.a) / (this.b - this.a) : .5; }
	/* Round numbers, about n of them. */
	ticks(n) {
		if (!(this.b > this.a)) return [this.least];
		if (this.log && this.most / this.least >= 10) {
			const from = Math.ceil(Math.log10(this.least)), to = Math.floor(Math.log10(this.most)), each = Math.max(1, Math.ceil((to - from + 1) / n)), out = [];
			for (let e = from - 1; e <= to; e += each) for (const m of to - from < 3 ? [1, 2, 5] : [1]) { const v = m * 10 ** e; if (v >= this.least && v <= this.most) out.push(v); }
			return out;
		}
		const raw = (this.most - this.least) / n, unit = 10 ** Math.floor(Math.log10(raw)), step = unit * [1, 2, 5, 10].find(m => m * unit >= raw), out = [];
		for (let k = Math.ceil(this.least / step); k * step <= this.most * (1 + 1e-12); k++) out.push(k * step || 0); /* no -0 */
		return out;
	}
}

/* The range of numbers widened, so that marks at its ends are whole. */
function widened(least, most, log) {
	if (log && least > 0) { const f = most > least ? (most / least) ** .05 : 1.2; return [least / f, most * f]; }
	const by = most > least ? (most - least) * .06 : Math.abs(most) * .1 || 1;
	return [least - by, most + by];
}

/* The part of the scale that stands out from the page, light or dark. */
function dotColour(t) { return `light-dark(${css(shade(.72 * t))}, ${css(shade(.3 + .7 * t))})`; }

/* Colours of an axis's values: of few texts those of the theme, of numbers and of many values the scale. */
function axisColours(axis) {
	if (!axis) return [{fill: 'var(--g1)'}];
	if (!axis.numeric && axis.size <= 7) return axis.values.map((_, k) => ({fill: `var(--g${[1, 3, 0, 4, 5, 2, 7][k]})`}));
	return axis.values.map((_, k) => ({fill: dotColour(axis.size > 1 ? k / (axis.size - 1) : .5)}));
}

function colourLegend(axis) {
	if (!axis) return null;
	const colours = axisColours(axis), swatchOf = k => el('span.swatch', {style: {background: colours[k].fill}, 'aria-hidden': 'true'});
	if (axis.size <= 12) return el('ul.legend', {}, axis.texts.map((t, k) => el('li', {}, swatchOf(k), clip(t, 60))));
	return el('div.legend', {}, el('span', {}, clip(axis.texts[0], 40)), el('span.ramp', {style: {background: `linear-gradient(90deg, ${[0, .25, .5, .75, 1].map(dotColour).join(', ')})`}, 'aria-hidden': 'true'}), el('span', {}, clip(axis.texts[axis.size - 1], 40)));
}

/* Lines and numbers of a vertical scale on the left; height: of the plot, whose top is at `top`. */
function verticalAxis(scale, value, left, top, width, height, n) {
	return scale.ticks(n).map(v => {
		const y = top + height * (1 - scale.at(v));
		return [svg('line', {x1: left, x2: left + width, y1: y, y2: y, class: 'grid'}), svg('text', {x: left - 6, y: y + 4, 'text-anchor': 'end', class: 'axis'}, value.short(v))];
	});
}

/* Values of an axis as a chart: bars, dots, or dots with a line. rows: [{k, v, label, tip, pick}] with v NaN where there is
 * none. o: value, scale, height, label, bars, line */
function axisChart(width, rows, o) {
	const left = 58, right = 10, top = 10, below = 24, w = Math.max(40, width - left - right), h = o.height - top - below, step = w / Math.max(1, rows.length);
	const x = n => left + step * (n + .5), y = v => top + h * (1 - o.scale.at(v)), marks = [], labels = [];
	const every = Math.max(1, Math.ceil((Math.max(...rows.map(r => Math.min(14, r.label.length))) * 6.8 + 10) / step));
	rows.forEach((r, n) => {
		if (n % every === 0) labels.push(svg('text', {x: x(n), y: top + h + 16, 'text-anchor': 'middle', class: 'axis'}, clip(r.label, 14)));
		if (Number.isNaN(r.v)) { marks.push(svg('text', {x: x(n), y: top + h - 4, 'text-anchor': 'middle', class: 'axis'}, '\u2013')); return; }
		const mark = o.bars ? svg('rect', {x: x(n) - Math.min(36, step * .7) / 2, y: y(r.v), width: Math.min(36, step * .7), height: Math.max(1, top + h - y(r.v)), rx: 2}) : svg('circle', {cx: x(n), cy: y(r.v), r: Math.min(5, Math.max(2, step / 4))});
		const node = svg('g', {class: 'mark', role: 'button', tabindex: n === 0 || rows.slice(0, n).every(q => Number.isNaN(q.v)) ? '0' : '-1', 'aria-label': `${r.label}: ${o.value.text(r.v)}`, 'data-value': r.v, 'data-k': r.k},
			svg('rect', {x: x(n) - step / 2, y: top, width: step, height: h, class: 'hit'}), mark);
		if (r.pick) { node.addEventListener('click', r.pick); node.addEventListener('keydown', e => { if (e.key === 'Enter') r.pick(); }); }
		marks.push(hint(node, r.tip));
	});
	const line = [];
	let pen = 'M';
	if (o.line) rows.forEach((r, n) => { if (Number.isNaN(r.v)) pen = 'M'; else { line.push(`${pen}${x(n).toFixed(1)} ${y(r.v).toFixed(1)}`); pen = 'L'; } });
	const node = svg('svg', {width, height: o.height, role: 'group', 'aria-label': o.label}, verticalAxis(o.scale, o.value, left, top, w, h, o.height > 160 ? 5 : 3), line.length ? svg('path', {d: line.join(''), class: 'effect-line'}) : null, labels, marks);
	node.addEventListener('keydown', e => arrowsAmong(e, [...node.querySelectorAll('.mark')], 1));
	return node;
}

/* Arrow keys go from one of the nodes to another, which stand in rows of `columns`; the one with the focus alone is in the
 * order of Tab. */
function arrowsAmong(e, nodes, columns) {
	const at = nodes.indexOf(e.target), step = {ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns}[e.key];
	let to = at + step;
	if (e.key === 'Home') to = 0;
	else if (e.key === 'End') to = nodes.length - 1;
	else if (step === undefined) return;
	e.preventDefault();
	if (at < 0 || to < 0 || to >= nodes.length || Math.abs(step) === 1 && columns > 1 && Math.floor(to / columns) !== Math.floor(at / columns)) return;
	nodes[at].setAttribute('tabindex', '-1');
	nodes[to].setAttribute('tabindex', '0');
	nodes[to].focus();
}
