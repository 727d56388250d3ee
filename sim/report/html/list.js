/* A list of any length of which the rows in sight exist alone. */
'use strict';

const ROW = 23; /* px; .row in list.css */

/* options: count, render(row, index), activate(index), label, header, id, role of rows */
class LongList {
	constructor(options) {
		this.o = options;
		this.count = options.count;
		this.active = -1;
		this.rows = [];
		this.body = el('div.list-body', {role: 'rowgroup'});
		this.host = el('div.list', {tabindex: '0', role: 'grid', 'aria-label': options.label, 'aria-rowcount': this.count + (options.header ? 1 : 0), 'aria-readonly': 'true'},
			options.header ? el('div', {role: 'rowgroup', class: 'list-head'}, options.header) : null, this.body);
		this.host.addEventListener('scroll', () => this.draw(), {passive: true});
		this.host.addEventListener('keydown', e => this.key(e));
		this.body.addEventListener('click', e => {
			const row = e.target.closest('.row');
			if (row) this.activate(row.index, e);
		});
		new ResizeObserver(() => this.draw(true)).observe(this.host);
	}
	/* Rows are a grid of these columns: widths in px, or "minmax(270px, 1fr)". */
	setColumns(widths) {
		const gaps = 10 * (widths.length - 1) + 20, least = widths.reduce((a, w) => a + Number(/(\d+)px/.exec(w)[1]), gaps);
		this.host.classList.add('table');
		this.host.style.setProperty('--columns', widths.join(' '));
		this.host.style.setProperty('--width', least + 'px');
	}
	setCount(count) {
		this.count = count;
		this.host.setAttribute('aria-rowcount', count + (this.o.header ? 1 : 0));
		this.draw(true);
	}
	headHeight() { return this.body.offsetTop; }
	page() { return Math.max(1, Math.floor((this.host.clientHeight - this.headHeight()) / ROW) - 1); }
	draw(again) {
		if (!this.host.clientHeight) return;
		const first = Math.max(0, Math.floor(this.host.scrollTop / ROW) - 6);
		const last = Math.min(this.count, first + Math.ceil(this.host.clientHeight / ROW) + 12);
		this.body.style.height = this.count * ROW + 'px';
		this.host.style.maxHeight = Math.max(160, this.count * ROW + 48) + 'px';
		while (this.rows.length < last - first) { const row = el('div.row', {role: 'row'}); row.index = -1; this.rows.push(row); this.body.append(row); }
		/* a row that stays in sight stays as it is */
		const keep = new Map(), free = [];
		for (const row of this.rows) if (!again && row.index >= first && row.index < last) keep.set(row.index, row); else free.push(row);
		for (let i = first; i < last; i++) {
			if (keep.has(i)) continue;
			const row = free.pop();
			row.index = i;
			row.hidden = false;
			row.id = this.o.id + '-' + i;
			row.style.top = i * ROW + 'px';
			row.setAttribute('aria-rowindex', i + 1 + (this.o.header ? 1 : 0));
			this.o.render(row, i);
			this.markActive(row);
		}
		for (const row of free) { row.index = -1; row.hidden = true; row.removeAttribute('id'); }
	}
	markActive(row) {
		row.classList.toggle('active', row.index === this.active);
		row.setAttribute('aria-selected', row.index === this.active);
	}
	/* Brings a row into sight, in the middle when it is not. */
	reveal(i) {
		const top = i * ROW, from = this.host.scrollTop, room = this.host.clientHeight - this.headHeight();
		if (top < from || top > from + room - 2 * ROW) this.host.scrollTop = Math.max(0, top - room / 2);
		this.draw();
	}
	setActive(i, quiet) {
		this.active = i;
		for (const row of this.rows) if (row.index >= 0) this.markActive(row);
		if (i >= 0) {
			if (!quiet) this.reveal(i);
			this.draw();
			this.host.setAttribute('aria-activedescendant', this.o.id + '-' + i);
		}
	}
	activate(i, e) {
		this.setActive(i, true);
		this.o.activate(i, e);
	}
	key(e) {
		if (e.target !== this.host || e.ctrlKey || e.altKey || e.metaKey || !this.count) return;
		const at = this.active, to = {ArrowDown: at + 1, ArrowUp: Math.max(at, 1) - 1, PageDown: at + this.page(), PageUp: at - this.page(), Home: 0, End: this.count - 1}[e.key];
		if (to !== undefined) {
			const i = Math.max(0, Math.min(this.count - 1, to));
			this.setActive(i);
			this.o.activate(i, e);
		} else if (e.key === 'Enter' && at >= 0 && this.o.enter) {
			this.o.enter(at, e);
		} else {
			return;
		}
		e.preventDefault();
	}
}
