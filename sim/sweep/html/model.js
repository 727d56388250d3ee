/* The points of a sweep: axes, values, and what is selected. */
'use strict';

const POINTS = DATA.points;

/* ---- columns (sim/sweep/page_column.h) ---- */

function digit(c) { return (c > 92 ? c - 1 : c) - (c > 60 ? 36 : 35); }

function decode(text, from, digits) {
	let v = 0;
	for (let k = digits; k-- > 0;) v = v * 90 + digit(text.charCodeAt(from + k));
	return v;
}

/* Indices into c.of for each point; -1: none. */
function indices(c) {
	const out = new Int32Array(POINTS);
	for (let k = 0; k < POINTS; k++) out[k] = decode(c.at, k * c.w, c.w) - 1;
	return out;
}

/* Numbers for each point; NaN: none. */
function numbers(c) {
	if (Array.isArray(c)) return Float64Array.from(c, v => v === null ? NaN : v);
	const at = indices(c);
	return Float64Array.from(at, k => k < 0 ? NaN : c.of[k]);
}

/* ---- axes ---- */

function isNumber(v) { return typeof v === 'number'; }

/* 262144 of a figure in bytes is 256 KiB where that is the same number; others as they are. */
function axisText(name, v) {
	if (!isNumber(v)) return v;
	if (!/bytes$/.test(name) || v < 1024 || v % 1024) return Number.isInteger(v) ? whole.format(v) : String(v);
	let k = 0;
	for (; v % 1024 === 0 && v >= 1024 && k < 4; k++) v /= 1024;
	return whole.format(v) + ' ' + ['B', 'KiB', 'MiB', 'GiB', 'TiB'][k];
}

class Axis {
	/* column: {of, w, at}. Numbers are in order of size, texts in that of the spec. */
	constructor(name, kind, column, pairedWith) {
		this.name = name;
		this.kind = kind;
		this.pairedWith = pairedWith;
		this.numeric = column.of.length > 0 && column.of.every(isNumber);
		const order = column.of.map((_, k) => k), place = [];
		if (this.numeric) order.sort((a, b) => column.of[a] - column.of[b]);
		order.forEach((k, n) => { place[k] = n; });
		this.values = order.map(k => column.of[k]);
		this.texts = this.values.map(v => axisText(name, v));
		this.at = indices(column).map(k => k < 0 ? -1 : place[k]);
	}
	get size() { return this.values.length; }
}

const AXIS_KINDS = {set: 'figure of the profile', parameter: 'parameter', argument: 'argument of the kernel', option: 'option', launch: 'what runs', profile: 'chip'};
const axes = [new Axis('launch', 'launch', DATA.launch), new Axis('profile', 'profile', DATA.profile)];
for (const a of DATA.axes) axes.push(new Axis(a.name, a.kind, a, a.paired_with === undefined ? undefined : (DATA.axes.find(b => b.axis === a.paired_with) || {}).name));
/* those that distinguish points */
const varying = axes.filter(a => a.size > 1);
const leaders = varying.filter(a => a.pairedWith === undefined);

/* ---- values ---- */

class Value {
	constructor(v, k) {
		Object.assign(this, {index: k, name: v.name, unit: v.unit, about: v.about, objective: v.objective, expression: v.value, goal: v.goal || 'minimize', column: v.column});
		this.made = null;
	}
	get data() { return this.made = this.made || numbers(this.column); }
	text(v) { return Number.isNaN(v) ? '' : exact(v, this.unit); }
	bare(v) { return Number.isNaN(v) ? '' : this.unit === 'share' ? percent(v) : plain(v); }
	short(v) { return Number.isNaN(v) ? '' : this.unit === 'share' ? percent(v) : brief(v); }
	label() { return this.name + (this.unit && this.unit !== 'share' && this.unit !== this.name ? ` (${this.unit})` : ''); }
	tip() { return [this.about, this.objective && this.expression !== this.name ? 'objective: ' + this.expression : ''].filter(t => t).join('; '); }
}

const values = DATA.values.map((v, k) => new Value(v, k));
for (const v of values) if (!meanings.has(v.name)) meanings.set(v.name, {name: v.name, unit: v.unit, about: v.tip()});

/* ---- points ---- */

const outcomes = {of: DATA.outcome.of, at: indices(DATA.outcome)}, messages = {of: DATA.message.of, at: indices(DATA.message)};
const completedCode = outcomes.of.indexOf('completed');
const completed = Uint8Array.from(outcomes.at, k => k >= 0 && k === completedCode ? 1 : 0);
const counts = {completed: completed.reduce((a, x) => a + x, 0), left: outcomes.at.reduce((a, x) => a + (x < 0), 0)};
counts.failed = POINTS - counts.completed - counts.left;

function pointNumber(p) { return DATA.number ? DATA.number[p] : p; }
function outcomeOf(p) { return outcomes.at[p] < 0 ? 'to be run' : outcomes.of[outcomes.at[p]]; }
function messageOf(p) { return messages.at[p] < 0 ? '' : messages.of[messages.at[p]]; }

let commandLines = null;
function commandOf(p) {
	const c = DATA.command;
	commandLines = commandLines || indices(c);
	if (commandLines[p] < 0) return '';
	const line = c.lines[commandLines[p]], words = [];
	for (let k = 0; k < line.length; k += c.digits) words.push(c.words[decode(line, k, c.digits)]);
	return words.join(' ');
}

/* What a point is: rows of a tip. */
function axisRows(p) { return varying.filter(a => a.at[p] >= 0).map(a => [a.name, a.texts[a.at[p]]]); }

/* ---- what is selected, in the charts and in the table ---- */

const selection = {points: null, about: '', watchers: []};

function select(points, about) {
	selection.points = points && points.length ? points : null;
	selection.about = selection.points ? about : '';
	for (const w of selection.watchers) w();
	say(selection.points ? `${plural(points.length, 'point')} selected: ${about}` : 'all points');
}

/* A line below a chart that says what is selected, with the way to the table. */
function selectionBar() {
	const bar = el('div.selected', {hidden: true});
	const update = () => {
		bar.hidden = !selection.points;
		if (!bar.hidden) bar.replaceChildren(el('span', {}, el('b', {}, plural(selection.points.length, 'point') + ' selected'), ' ', el('span.soft', {}, selection.about)),
			el('a', {href: '#points'}, 'Show in the table'), el('button', {type: 'button', onclick: () => select(null)}, 'Clear'));
	};
	selection.watchers.push(update);
	return bar;
}

/* ---- choices ---- */

/* A select with its label; options: [{value, text, group}] */
function choice(label, options, chosen, change, about) {
	const groups = new Map(), node = el('select', {});
	for (const o of options) {
		let to = node;
		if (o.group) {
			if (!groups.has(o.group)) groups.set(o.group, node.appendChild(el('optgroup', {label: o.group})));
			to = groups.get(o.group);
		}
		to.append(el('option', {value: o.value}, clip(o.text, 80)));
	}
	node.value = chosen;
	node.addEventListener('change', () => change(node.value));
	const all = el('label.choice', {}, el('span', {}, label), node);
	return about ? hint(all, about) : all;
}

function valueOptions() { return values.map(v => ({value: v.index, text: v.label(), group: v.objective ? 'Objectives' : 'Statistics'})); }
function axisOptions(list) { return list.map(a => ({value: axes.indexOf(a), text: a.name + (a.pairedWith ? ` (with ${a.pairedWith})` : '')})); }

/* What the page shows first: the first objective, or cycles, or whatever there is. */
function firstValue() { return values.find(v => v.objective) || values.find(v => v.name === 'cycles') || values[0]; }

/* Whether a log scale serves numbers better: all are positive, and the largest is a hundred times the least. */
function wantsLog(least, most) { return least > 0 && most / least >= 100; }
