/* The instructions of the kernel beside its source: search, sorting, hot spots, and what is known of the chosen one. */
'use strict';

class CodeView {
	constructor(packed) {
		this.code = new Code(packed);
		this.order = Array.from({length: this.code.count}, (_, i) => i);
		this.sortKey = 'place';
		this.down = false;
		this.search = '';
		this.only = false;
		this.lit = new Set();
		this.hot = this.code.hottest(10);
		this.hotAt = -1;
		this.columns = codeColumns(this.code);
		this.hasSource = !!this.code.frame && this.code.files.length > 0;
		this.makeTable();
		this.makeTools();
		if (this.hasSource) this.source = new SourcePane(this.code, (line, list, first) => this.fromSource(line, list, first));
		this.detail = el('div.detail', {'aria-live': 'polite'}, el('p.soft', {}, 'Choose an instruction to see all that was counted for it.'));
	}

	/* ---- table ---- */

	makeTable() {
		this.heads = this.columns.map(c => {
			const button = el('button', {type: 'button', onclick: () => this.sort(c.key)}, c.title, el('span.arrow', {'aria-hidden': 'true'}));
			return hint(el('div', {role: 'columnheader', class: 'head ' + (c.cls || ''), 'aria-sort': 'none'}, button), c.about);
		});
		this.table = new LongList({id: 'inst', label: 'Instructions', count: this.code.count, header: el('div.row.heads', {role: 'row'}, this.heads),
			render: (row, k) => this.render(row, k), activate: k => this.choose(this.order[k], true), enter: k => this.toSource(this.order[k])});
		this.table.setColumns(this.columns.map(c => c.width));
		this.showSort();
	}
	render(row, k) {
		const i = this.order[k];
		row.classList.toggle('lit', this.lit.has(i));
		row.classList.toggle('never', !this.code.column('executed')[i]);
		row.dataset.inst = i;
		row.replaceChildren(...this.columns.map(c => {
			const cell = el('div', {role: 'gridcell', class: 'cell ' + (c.cls || ''), 'data-col': c.key}, c.node ? c.node(i, this.search) : c.text(i));
			return c.tip ? hint(cell, () => c.tip(i)) : c.key === 'why' ? hint(cell, () => this.whyTip(i)) : cell;
		}));
	}
	whyTip(i) {
		const all = this.code.cycles[i];
		return all ? tipRows(`${plain(all)} wave-cycles (${percent(all / this.code.total)})`, this.code.why(i).slice(0, 8).map(r => [r.key, `${plain(r.cycles)} (${percent(r.cycles / all)})`])) : null;
	}
	sort(key) {
		const c = this.columns.find(x => x.key === key);
		/* numbers begin with the largest, text and place with the first */
		this.down = this.sortKey === key ? !this.down : !!c.values && key !== 'source';
		this.sortKey = key;
		this.arrange();
		this.showSort();
		say(`sorted by ${c.title}, ${this.down ? 'largest' : 'smallest'} first`);
	}
	showSort() {
		this.columns.forEach((c, k) => {
			const on = c.key === this.sortKey;
			this.heads[k].setAttribute('aria-sort', on ? (this.down ? 'descending' : 'ascending') : 'none');
			this.heads[k].querySelector('.arrow').textContent = on ? (this.down ? ' \u25be' : ' \u25b4') : '';
		});
	}
	matches(i) { return !this.search || this.code.text[i].toLowerCase().includes(this.search) || this.functionOf(i).toLowerCase().includes(this.search); }
	functionOf(i) { const s = this.code.stack(i)[0]; return s ? s.name : ''; }
	/* Order and filter anew; the chosen instruction stays chosen. */
	arrange() {
		const c = this.columns.find(x => x.key === this.sortKey), list = [];
		for (let i = 0; i < this.code.count; i++)
			if ((!this.only || this.matches(i)) && (!this.kind || kindOf(this.code.text[i]) === this.kind)) list.push(i);
		const v = c.values, up = this.down ? -1 : 1;
		if (v) list.sort((a, b) => Number.isNaN(v[a]) ? (Number.isNaN(v[b]) ? a - b : 1) : Number.isNaN(v[b]) ? -1 : up * (v[a] - v[b]) || a - b);
		else if (c.key === 'text') list.sort((a, b) => up * (this.code.text[a] < this.code.text[b] ? -1 : this.code.text[a] > this.code.text[b] ? 1 : 0) || a - b);
		else if (this.down) list.reverse();
		this.order = list;
		this.where = null;
		this.table.active = this.chosen === undefined ? -1 : list.indexOf(this.chosen);
		this.table.setCount(list.length);
		if (this.table.active >= 0) this.table.setActive(this.table.active); else this.table.host.scrollTop = 0;
		this.table.draw(true);
	}
	row(i) {
		if (!this.where) { this.where = new Map(); this.order.forEach((x, k) => this.where.set(x, k)); }
		return this.where.has(i) ? this.where.get(i) : -1;
	}

	/* ---- tools ---- */

	makeTools() {
		this.field = el('input', {type: 'search', id: 'search', placeholder: 'Search: v_fma, global_load, a function ...', 'aria-label': 'Search the instructions', 'aria-keyshortcuts': '/'});
		this.found = el('span.soft.num', {role: 'status'});
		const only = el('input', {type: 'checkbox', id: 'only'});
		const kinds = [['', 'all kinds'], ['valu', 'vector ALU'], ['matrix', 'matrix'], ['salu', 'scalar ALU'], ['vmem', 'vector memory'], ['smem', 'scalar memory'], ['lds', 'LDS'], ['branch', 'branches'], ['wait', 'waits']];
		const kind = el('select', {'aria-label': 'Kind of instruction'}, kinds.map(([k, t]) => el('option', {value: k}, t)));
		this.field.addEventListener('input', () => this.find(this.field.value));
		this.field.addEventListener('keydown', e => {
			if (e.key === 'Enter') { e.preventDefault(); this.next(e.shiftKey ? -1 : 1); }
			if (e.key === 'Escape') { this.field.value = ''; this.find(''); this.table.host.focus(); }
		});
		only.addEventListener('change', () => { this.only = only.checked; this.arrange(); });
		kind.addEventListener('change', () => { this.kind = kind.value; this.arrange(); });
		this.tools = el('div.toolbar', {role: 'search'}, this.field, this.found, el('label', {}, only, ' matches alone'), kind);
	}
	find(text) {
		this.search = text.trim().toLowerCase();
		this.hits = this.search ? this.order.filter(i => this.matches(i)) : [];
		this.hitAt = -1;
		this.found.textContent = this.search ? plural(this.hits.length, 'match', 'matches') : '';
		if (this.only) this.arrange();
		this.table.draw(true);
	}
	next(step) {
		if (!this.hits || !this.hits.length) return;
		this.hitAt = (this.hitAt + step + this.hits.length) % this.hits.length;
		this.found.textContent = `${plain(this.hitAt + 1)} of ${plain(this.hits.length)}`;
		this.choose(this.hits[this.hitAt]);
	}
	nextHot(step) {
		if (!this.hot.length) return;
		this.hotAt = (this.hotAt + (step || 1) + this.hot.length) % this.hot.length;
		this.jump(this.hot[this.hotAt]);
	}
	/* Shows an instruction, whatever is filtered, and the table itself. */
	jump(i) {
		if (this.row(i) < 0) { this.tools.querySelector('#only').checked = false; this.tools.querySelector('select').value = ''; this.only = false; this.kind = ''; this.arrange(); }
		document.getElementById('code').scrollIntoView({block: 'start'});
		this.choose(i);
		this.table.host.focus({preventScroll: true});
	}

	/* ---- what is chosen ---- */

	choose(i, quiet) {
		const k = this.row(i);
		this.chosen = i;
		this.lit = new Set([i]);
		this.table.setActive(k, quiet);
		this.table.draw(true);
		this.showDetail(i);
		if (this.source) {
			const own = this.code.where(i);
			if (own) this.source.light(own.file, [own.line], true);
		}
	}
	toSource(i) {
		if (!this.source || !this.code.where(i)) return;
		this.choose(i);
		this.source.list.host.focus();
	}
	fromSource(line, list, first) {
		this.lit = new Set(list);
		if (first !== undefined) {
			this.chosen = first;
			const k = this.row(first);
			if (k >= 0) this.table.setActive(k);
			this.showDetail(first);
		}
		this.table.draw(true);
		say(`line ${line}: ${plural(list.length, 'instruction')}`);
	}
	showDetail(i) {
		const c = this.code, why = c.why(i), all = c.cycles[i], stackOf = c.stack(i), loops = c.loopsOf(i), target = c.target[i];
		const numbers = Object.keys(c.packed.values).filter(name => !name.startsWith('cycles.') && c.column(name)[i] !== 0);
		this.detail.replaceChildren(...[
			el('div.detail-head', {}, el('code', {}, c.text[i] || '(undecodable)'), el('span.soft', {}, ` at ${c.place(i)}`), all ? el('span', {}, `: ${plain(all)} wave-cycles, ${percent(all / c.total)} of all`) : null),
			stackOf.length ? el('div.soft', {}, stackOf.map((f, d) => el('span', {}, d ? ' inlined into ' : '', el('code', {}, f.name || '?'), f.file >= 0 ? ` ${c.files[f.file]}:${f.line}` : ''))) : null,
			target ? el('div', {}, 'branches to ', codeLink(c.offset[target - 1], c.place(target - 1)), ' ', el('code', {}, c.text[target - 1])) : null,
			loops.length ? el('div.soft', {}, loops.map(l => el('span.chip', {}, `loop ${c.place(l[4])} to ${c.place(l[5])}, depth ${l[0]}: ${plain(l[1])} iterations` + (l[2] ? `, ${(l[1] / l[2]).toFixed(1)} each time it is entered` : '')))) : null,
			el('div.split', {}, el('table', {}, el('tbody', {}, why.slice(0, 12).map(r => {
				const [what, helps] = meaningOfStall(r.key);
				return el('tr', {}, el('td.one-line', {}, swatch(categoryOf(r.key)), ' ', hint(el('code', {}, r.key), () => el('div', {}, what, helps ? el('div.t-soft', {}, 'What helps: ' + helps) : null), true)), el('td.r', {}, plain(r.cycles)), el('td.r', {}, percent(r.cycles / all)));
			}))), el('table', {}, el('tbody', {}, numbers.map(name => el('tr', {}, el('td', {}, hint(el('code', {}, name), () => about(name), true)),
				el('td.r', {'data-column': name}, plain(c.column(name)[i])), el('td.soft', {}, (columnMeanings.get(name) || {unit: ''}).unit))))))].filter(n => n));
	}

	/* ---- parts of the page ---- */

	hotSpots() {
		if (!this.hot.length) return null;
		const c = this.code;
		return el('ol.hot', {'aria-label': 'Hot spots: the instructions with the most stall cycles'}, this.hot.map(i => {
			const top = c.why(i).filter(r => waitsFor(categoryOf(r.key)))[0], w = c.where(i);
			return el('li', {}, hint(el('button', {type: 'button', onclick: () => this.jump(i), 'data-inst': i}, swatch(categoryOf(top.key)),
				el('span.hot-share.num', {}, percent(c.stalled[i] / c.total)), el('code', {}, c.text[i]), el('span.soft.hot-why', {}, top.key + (w ? ` \u00b7 ${clip(baseName(c.files[w.file]), 24)}:${w.line}` : ''))), () => this.whyTip(i)));
		}));
	}
	/* The loops with the most wave-cycles. */
	loopList() {
		const c = this.code, cycles = c.loopCycles(), shown = cycles.map((_, k) => k).filter(k => cycles[k] > 0).sort((a, b) => cycles[b] - cycles[a]).slice(0, 12);
		if (!shown.length) return null;
		const heads = [['Loop', 'its first and last instruction by address; inner loops are indented'], ['Source', 'of its first instruction'], ['Iterations', 'executions of the instruction by which it is entered, by a wave'],
			['Each time', 'iterations each time that a wave entered it'], ['Wave-cycles', 'of all its instructions, those of inner loops included'], ['Share', 'of the wave-cycles of the run']];
		return el('details.loops', {open: shown.length <= 6 ? '' : null}, el('summary', {}, shown.length < c.loops.length ? `The ${shown.length} costliest of ${c.loops.length} loops` : plural(shown.length, 'loop')),
			el('div.scroll', {}, el('table', {}, el('thead', {}, el('tr', {}, heads.map(([title, what], k) => el(k < 2 ? 'th' : 'th.r', {}, hint(el('span', {}, title), what, true))))),
				el('tbody', {}, shown.map(k => {
					const [depth, iterations, entries, , first, last] = c.loops[k], w = c.where(first);
					return el('tr', {'data-loop': k}, el('td', {}, '\u2003'.repeat(Math.min(depth, 8) - 1), codeLink(c.offset[first], `${c.place(first)} to ${c.place(last)}`)), el('td.soft', {}, w ? `${clip(baseName(c.files[w.file]), 32)}:${w.line}` : ''),
						el('td.r.num', {}, plain(iterations)), el('td.r.num', {}, entries ? (iterations / entries).toFixed(1) : '?'), el('td.r.num', {}, plain(cycles[k])), el('td.r.num', {}, percent(cycles[k] / c.total)));
				})))));
	}
	/* For paper, which has no rows to scroll to. */
	printed() {
		const c = this.code, list = Array.from({length: c.count}, (_, i) => i).filter(i => c.cycles[i] > 0).sort((a, b) => c.cycles[b] - c.cycles[a]).slice(0, 60).sort((a, b) => a - b);
		const shown = this.columns.filter(x => x.text || x.key === 'text');
		return el('table.print-only.full', {}, el('caption', {}, `The ${list.length} costliest of ${plural(c.count, 'instruction')}`), el('thead', {}, el('tr', {}, shown.map(x => el('th', {class: x.cls}, x.title)))),
			el('tbody', {}, list.map(i => el('tr', {}, shown.map(x => el('td', {class: x.cls}, x.node ? x.node(i) : x.text(i)))))));
	}
	node() {
		return part('code', 'Instructions', el('span', {}, `${plural(this.code.count, 'instruction')} of ${this.code.symbols.map(s => s[0] || 'code without a symbol').slice(0, 4).join(', ') || 'the kernel'}${this.code.symbols.length > 4 ? ' ...' : ''}, with ${plain(this.code.total)} wave-cycles. Hot spots are those that stall most:`), this.hotSpots(), this.loopList(), this.tools,
			el('div', {class: 'panes' + (this.hasSource ? '' : ' single')}, this.hasSource ? this.source.node : null, this.table.host), legend(stallRows()), this.detail);
	}
}

let codeView = null;

function codePart() {
	const packed = launch.code;
	codeView = null;
	if (!packed || !packed.count) return null;
	codeView = new CodeView(packed);
	return codeView.node();
}

addEventListener('beforeprint', () => {
	document.querySelectorAll('.print-only').forEach(n => n.remove());
	if (codeView) document.getElementById('code').append(codeView.printed());
});
