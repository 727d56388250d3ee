/* The table of all points: sorted, filtered by text, by axis and by what is selected in the charts. */
'use strict';

const FIRST_VALUES = 4; /* columns of values that the table begins with, beside the objectives */

const pointColumns = [];
function addColumn(c) { pointColumns.push(c); return c; }

addColumn({key: 'point', title: 'Point', width: '64px', cls: 'r', shown: true, order: () => Float64Array.from({length: POINTS}, (_, p) => pointNumber(p)), text: p => '#' + pointNumber(p)});
addColumn({key: 'outcome', title: 'Outcome', width: '96px', shown: counts.completed < POINTS, order: () => outcomes.at, text: outcomeOf});
for (const a of varying)
	addColumn({key: 'axis ' + a.name, title: a.name, about: AXIS_KINDS[a.kind] || a.kind, width: Math.min(240, 40 + 7.4 * Math.max(a.name.length, ...a.texts.slice(0, 200).map(t => t.length))) + 'px', cls: a.numeric ? 'r' : '', shown: varying.indexOf(a) < 8, order: () => a.at, text: p => a.at[p] < 0 ? '' : a.texts[a.at[p]]});
{
	let more = FIRST_VALUES;
	for (const v of values)
		addColumn({key: 'value ' + v.index, title: v.name, about: v.tip() + (v.unit ? ` (${v.unit})` : ''), value: v, width: Math.max(92, Math.min(240, 34 + 7.4 * v.name.length)) + 'px', cls: 'r', shown: v.objective || more-- > 0, order: () => v.data, text: p => v.bare(v.data[p])});
}

/* ---- filters ---- */

/* Whether each point has all the words, in its number, outcome, message, launch, profile or values of axes. */
function textFilter(text) {
	const words = text.toLowerCase().split(/\s+/).filter(w => w);
	if (!words.length) return null;
	const tests = words.map(word => {
		const has = list => list.map(t => String(t).toLowerCase().includes(word)), ofAxes = axes.map(a => has(a.texts.map((t, k) => `${t} ${a.values[k]}`))), ofOutcome = has(outcomes.of), ofMessage = has(messages.of), left = 'to be run'.includes(word);
		return p => axes.some((a, k) => a.at[p] >= 0 && ofAxes[k][a.at[p]]) || (outcomes.at[p] < 0 ? left : ofOutcome[outcomes.at[p]]) || messages.at[p] >= 0 && ofMessage[messages.at[p]] || '#' + pointNumber(p) === word || String(pointNumber(p)) === word;
	});
	return p => tests.every(t => t(p));
}

/* ---- one point in full ---- */

async function copyText(text) {
	try { await navigator.clipboard.writeText(text); return true; } catch (e) { /* not allowed here: the old way */ }
	const area = el('textarea', {'aria-hidden': 'true', style: {position: 'fixed', opacity: 0}});
	document.body.append(area);
	area.value = text;
	area.select();
	const done = document.execCommand('copy');
	area.remove();
	return done;
}

function pointDetail(p) {
	const command = commandOf(p), message = messageOf(p), known = values.filter(v => !Number.isNaN(v.data[p]));
	const button = el('button', {type: 'button', class: 'copy', onclick: () => copyCommand(p)}, 'Copy');
	return [el('div.detail-head', {}, el('b', {}, `Point #${pointNumber(p)}`), el('span.soft', {}, ' ' + outcomeOf(p))),
		message ? el('p.message', {}, message) : null,
		el('table.facts', {}, el('tbody', {}, axes.filter(a => a.at[p] >= 0).map(a => el('tr', {}, el('th', {scope: 'row'}, a.name), el('td', {}, a.texts[a.at[p]]))))),
		command ? el('div.command', {}, el('code', {}, command), button) : null,
		known.length ? el('details', {}, el('summary', {}, `All that varies: ${plural(known.length, 'value')}`), el('div.all-values', {}, known.map(v => hint(el('div', {}, el('code', {}, v.name), el('span.num', {}, v.text(v.data[p]))), () => about(v.name, v.data[p]))))) : null];
}

async function copyCommand(p) {
	const done = await copyText(commandOf(p)), button = document.querySelector('.copy');
	say(done ? 'copied' : 'the browser does not allow copying');
	if (button) { button.textContent = done ? 'Copied' : 'Not allowed'; setTimeout(() => { button.textContent = 'Copy'; }, 1500); }
}

/* ---- the table ---- */

class PointTable {
	constructor() {
		Object.assign(this, {key: pointColumns[0], down: false, words: '', byAxis: new Map(), outcome: -2, order: Array.from({length: POINTS}, (_, p) => p), chosen: -1});
		this.search = el('input', {type: 'search', id: 'search', placeholder: 'Filter: value, message, number', 'aria-label': 'Filter the points', 'aria-keyshortcuts': '/'});
		this.search.addEventListener('input', () => { this.words = this.search.value; this.arrange(); });
		this.status = el('span.soft', {role: 'status'});
		this.clear = el('button', {type: 'button', hidden: true, onclick: () => select(null)}, 'Show all points');
		this.detail = el('div.detail', {}, el('span.soft', {}, 'A click on a point, or Enter, shows it in full.'));
		this.heads = el('div.row.heads', {role: 'row'});
		this.list = new LongList({id: 'point', label: 'Points', count: POINTS, header: this.heads, activate: i => this.show(i), enter: i => this.show(i), render: (row, i) => {
			row.dataset.point = pointNumber(this.order[i]);
			row.replaceChildren(...this.columns.map(c => el('div', {role: 'gridcell', class: 'cell ' + (c.cls || '')}, c.text(this.order[i]))));
		}});
		this.list.host.classList.add('points');
		this.node = part('points', 'Points', null, el('div.toolbar', {}, this.search, this.clear, this.status), this.axisFilters(), this.columnChoice(), this.list.host, this.detail);
		selection.watchers.push(() => this.arrange());
		this.setColumns();
		this.arrange();
	}
	axisFilters() {
		const filters = varying.filter(a => a.size <= 2000).map(a => choice(a.name, [{value: -1, text: 'all'}, ...a.texts.map((text, value) => ({value, text}))], -1, k => { if (k < 0) this.byAxis.delete(a); else this.byAxis.set(a, Number(k)); this.arrange(); }));
		if (outcomes.of.length + (counts.left > 0) > 1)
			filters.unshift(choice('outcome', [{value: -2, text: 'all'}, ...outcomes.of.map((text, value) => ({value, text})), ...counts.left ? [{value: -1, text: 'to be run'}] : []], -2, k => { this.outcome = Number(k); this.arrange(); }));
		const box = el('div.toolbar.choices.filters', {}, filters);
		return filters.length > 6 ? el('details', {}, el('summary', {}, 'Filter by axis'), box) : box;
	}
	columnChoice() {
		const box = el('div.column-choice'), details = el('details', {}, el('summary', {}, 'Columns'), box);
		details.addEventListener('toggle', () => {
			if (!details.open || box.childNodes.length) return;
			const field = el('input', {type: 'search', placeholder: 'Find a column', 'aria-label': 'Find a column'});
			const boxes = pointColumns.slice(1).map(c => { const input = el('input', {type: 'checkbox', checked: c.shown}); input.addEventListener('change', () => { c.shown = input.checked; this.setColumns(); }); return el('label', {title: c.about}, input, ' ', c.title); });
			field.addEventListener('input', () => { const w = field.value.toLowerCase(); boxes.forEach((b, k) => { b.hidden = !pointColumns[k + 1].title.toLowerCase().includes(w); }); });
			box.append(field, el('div.boxes', {}, boxes));
		});
		return details;
	}
	setColumns() {
		this.columns = pointColumns.filter(c => c.shown);
		this.heads.replaceChildren(...this.columns.map(c => {
			const head = el('div', {role: 'columnheader', class: 'head ' + (c.cls || '')}, el('button', {type: 'button', onclick: () => this.sortBy(c)}, clip(c.title, 34), el('span.arrow')));
			return c.about ? hint(head, el('span', {}, el('b', {}, c.title), el('br'), c.about)) : head;
		}));
		this.list.setColumns(this.columns.map(c => c.width));
		this.list.host.setAttribute('aria-colcount', this.columns.length);
		this.markHeads();
		this.list.draw(true);
	}
	markHeads() {
		[...this.heads.children].forEach((h, k) => {
			const is = this.columns[k] === this.key;
			h.setAttribute('aria-sort', !is ? 'none' : this.down ? 'descending' : 'ascending');
			h.querySelector('.arrow').textContent = !is ? '' : this.down ? ' \u25be' : ' \u25b4';
		});
	}
	sortBy(c) {
		this.down = this.key === c ? !this.down : Boolean(c.value && c.value.goal === 'maximize');
		this.key = c;
		this.markHeads();
		this.arrange();
	}
	keeps() {
		const words = textFilter(this.words), byAxis = [...this.byAxis], tests = [];
		if (words) tests.push(words);
		if (byAxis.length) tests.push(p => byAxis.every(([a, k]) => a.at[p] === k));
		if (this.outcome > -2) tests.push(p => outcomes.at[p] === this.outcome);
		return tests;
	}
	/* What is shown, in order; points without the number come last. */
	arrange() {
		const tests = this.keeps(), from = selection.points || Array.from({length: POINTS}, (_, p) => p), by = this.key.order(), up = this.down ? -1 : 1;
		this.order = (tests.length ? from.filter(p => tests.every(t => t(p))) : [...from]).sort((p, q) => {
			const a = by[p], b = by[q], na = Number.isNaN(a), nb = Number.isNaN(b);
			return na || nb ? na - nb || p - q : a < b ? -up : a > b ? up : p - q;
		});
		this.clear.hidden = !selection.points;
		this.status.textContent = [selection.points ? `selected: ${selection.about}` : '', tests.length || selection.points ? `${plain(this.order.length)} of ${plain(POINTS)}` : plural(POINTS, 'point')].filter(t => t).join(' \u00b7 ');
		this.list.setActive(this.order.indexOf(this.chosen), true);
		this.list.host.scrollTop = 0;
		this.list.setCount(this.order.length);
	}
	show(i) {
		this.chosen = this.order[i];
		this.detail.replaceChildren(...pointDetail(this.chosen).filter(n => n));
	}
}
