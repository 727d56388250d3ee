/* The source files of a kernel, a cost beside each line. */
'use strict';

/* The lines of one file: of its text where it could be read, else those that have instructions. */
class SourceFile {
	constructor(code, file) {
		this.file = file;
		this.name = code.files[file];
		const {own, inlined} = code.lines(file);
		this.own = own;
		this.inlined = inlined;
		this.text = code.sources.get(file) || null;
		const known = [...new Set([...own.keys(), ...inlined.keys()])].sort((a, b) => a - b);
		const last = known.length ? known[known.length - 1] : 0;
		this.numbers = this.text ? Array.from({length: Math.max(this.text.length, last)}, (_, k) => k + 1) : known;
		this.cycles = new Map();
		for (const [line, list] of own) this.cycles.set(line, list.reduce((a, i) => a + code.cycles[i], 0));
		this.most = Math.max(1, ...this.cycles.values());
	}
	/* Those of the line; of one whose code is all in functions that were inlined there, these. */
	instructions(line) { return this.own.get(line) || this.inlined.get(line) || []; }
	row(line) { return this.text ? line - 1 : this.numbers.indexOf(line); }
	parts(code, line) {
		const sums = CATEGORIES.map(() => 0);
		for (const i of this.own.get(line) || []) code.shares.forEach((v, k) => { if (v) sums[k] += v[i]; });
		return sums.map((v, k) => ({k, share: v / this.most})).filter(p => p.share > 0);
	}
}

/* The pane: a choice of files, and the lines of one. pick(line, instructions): the reader has chosen a line. */
class SourcePane {
	constructor(code, pick) {
		this.code = code;
		this.pick = pick;
		this.lit = new Set();
		this.made = new Map();
		const cost = code.fileCycles(), files = code.files.map((name, k) => ({name, k, cycles: cost.get(k) || 0})).filter(f => code.frame).sort((a, b) => b.cycles - a.cycles);
		this.choice = el('select', {'aria-label': 'Source file'}, files.map(f => el('option', {value: f.k}, `${f.name} (${percent(code.total ? f.cycles / code.total : 0)})`)));
		this.choice.addEventListener('change', () => this.show(Number(this.choice.value)));
		this.note = el('p.note.soft');
		this.list = new LongList({id: 'line', label: 'Source lines', count: 0, render: (row, k) => this.render(row, k), activate: k => this.choose(k, 0), enter: k => this.choose(k, 1)});
		this.node = el('div.source', {}, el('div.toolbar', {}, this.choice), this.note, this.list.host);
		if (files.length) this.show(files[0].k);
	}
	open(file) {
		if (!this.made.has(file)) this.made.set(file, new SourceFile(this.code, file));
		return this.made.get(file);
	}
	show(file) {
		this.now = this.open(file);
		this.choice.value = file;
		this.note.textContent = this.now.text ? '' : 'The text of this file could not be read where the page was made: its lines that have instructions.';
		this.list.active = -1;
		this.list.host.scrollTop = 0;
		this.list.setCount(this.now.numbers.length);
	}
	render(row, k) {
		const s = this.now, line = s.numbers[k], cycles = s.cycles.get(line), own = s.own.get(line), text = s.text ? s.text[line - 1] || '' : '';
		row.classList.toggle('lit', this.lit.has(line));
		row.classList.toggle('empty', !own && !s.inlined.get(line));
		const bar = cycles ? stack(s.parts(this.code, line), {class: 'stack thin'}) : null;
		row.replaceChildren(el('span.line-number', {role: 'rowheader'}, String(line)),
			el('span.line-share', {role: 'gridcell'}, cycles ? percent(cycles / this.code.total) : ''),
			el('span.line-bar', {role: 'gridcell'}, bar), el('span.line-text', {role: 'gridcell'}, text.replaceAll('\t', '    ')));
		if (own) hint(row, () => this.tip(line)); else hints.delete(row);
	}
	tip(line) {
		const sums = new Map(), list = this.now.own.get(line);
		for (const i of list) for (const r of this.code.why(i)) sums.set(r.key, (sums.get(r.key) || 0) + r.cycles);
		const all = this.now.cycles.get(line);
		return tipRows(`line ${line}: ${plural(list.length, 'instruction')}, ${plain(all)} wave-cycles`, [...sums].sort((a, b) => b[1] - a[1]).slice(0, 8).map(([key, v]) => [key, percent(v / all)]));
	}
	/* step: to the next of its instructions */
	choose(k, step) {
		const line = this.now.numbers[k], list = this.now.instructions(line);
		this.at = step && this.line === line ? (this.at + 1) % Math.max(1, list.length) : 0;
		this.line = line;
		this.light(this.now.file, [line]);
		this.pick(line, list, list[this.at]);
	}
	/* Marks lines, and shows the first of them. */
	light(file, lines, reveal) {
		if (file !== this.now.file) this.show(file);
		this.lit = new Set(lines);
		if (reveal && lines.length) {
			const k = this.now.row(lines[0]);
			if (k >= 0) { this.list.active = k; this.list.reveal(k); }
		}
		this.list.draw(true);
	}
}
