/* What each instruction did, as columns of numbers, and where it stands in the source. */
'use strict';

function unpackColumn(packed, n) {
	const out = new Float64Array(n);
	if (Array.isArray(packed)) { out.set(packed); return out; }
	let at = 0;
	if (packed) packed.i.forEach((step, k) => { at += step; out[at] = packed.v[k]; });
	return out;
}

/* The instructions of a launch, by pc. */
class Code {
	constructor(packed) {
		this.packed = packed;
		this.count = packed.count;
		this.text = packed.text;
		this.columns = new Map();
		this.shares = CATEGORIES.map(() => null); /* wave-cycles by category */
		this.cycles = new Float64Array(this.count);
		this.stalled = new Float64Array(this.count); /* those that neither issue nor lost arbitration */
		this.reasons = Object.keys(packed.values).filter(name => name.startsWith('cycles.'));
		for (const name of this.reasons) {
			const v = this.column(name), k = categoryOf(name.slice(7)), sum = this.shares[k] || (this.shares[k] = new Float64Array(this.count));
			for (let i = 0; i < this.count; i++) if (v[i]) {
				sum[i] += v[i];
				this.cycles[i] += v[i];
				if (waitsFor(k)) this.stalled[i] += v[i];
			}
		}
		this.total = this.cycles.reduce((a, b) => a + b, 0);
		this.most = this.cycles.reduce((a, b) => Math.max(a, b), 0);
		this.places();
		this.frames();
	}
	has(name) { return name in this.packed.values; }
	/* All zero when the run never counted it. */
	column(name) {
		if (!this.columns.has(name)) this.columns.set(name, unpackColumn(this.packed.values[name], this.count));
		return this.columns.get(name);
	}
	sum(names) {
		const out = new Float64Array(this.count);
		for (const name of names) if (this.has(name)) { const v = this.column(name); for (let i = 0; i < this.count; i++) out[i] += v[i]; }
		return out;
	}
	/* a / b, NaN where b is 0 */
	quotient(a, b) {
		const x = this.column(a), y = this.column(b), out = new Float64Array(this.count);
		for (let i = 0; i < this.count; i++) out[i] = y[i] ? x[i] / y[i] : NaN;
		return out;
	}
	places() {
		const step = unpackColumn(this.packed.step, this.count), outside = new Set(this.packed.outside);
		let at = this.packed.pc;
		this.pc = new Float64Array(this.count);
		this.offset = new Float64Array(this.count);
		for (let i = 0; i < this.count; i++) {
			at += step[i];
			this.pc[i] = at;
			this.offset[i] = outside.has(i) ? NaN : at + this.packed.to_offset;
		}
	}
	/* Frames are a tree: each has a function, a file, a line, and the frame that it was inlined into. */
	frames() {
		const p = this.packed;
		this.files = p.files || [];
		this.functions = p.functions || [];
		this.tree = p.frames || [];
		this.frame = p.frame ? unpackColumn(p.frame, this.count) : null; /* 0: unknown, else place in the tree + 1 */
		this.sources = new Map((p.sources || []).map(([file, text]) => [file, text.split('\n')]));
		this.symbols = p.symbols || []; /* [name, first instruction, how many, is the kernel] */
		this.target = unpackColumn(p.target, this.count); /* of branches: instruction + 1 */
		this.loops = p.loops || []; /* [depth, iterations, entries or null, the one around it or -1, first, last instruction] */
		this.loop = new Int32Array(this.count).fill(-1); /* the innermost */
		(p.loop || []).forEach(([from, loop], k, all) => this.loop.fill(loop, from, k + 1 < all.length ? all[k + 1][0] : this.count));
	}
	depth(i) { return this.loop[i] < 0 ? 0 : this.loops[this.loop[i]][0]; }
	/* The loops that instruction i lies in, innermost first. */
	loopsOf(i) {
		const out = [];
		for (let at = this.loop[i]; at >= 0; at = this.loops[at][3]) out.push(this.loops[at]);
		return out;
	}
	/* Innermost first: [{name, file, line}] */
	stack(i) {
		const out = [];
		for (let at = this.frame ? this.frame[i] - 1 : -1; at >= 0 && out.length < 64; at = this.tree[at][3])
			out.push({name: this.functions[this.tree[at][0]] || '', file: this.tree[at][1], line: this.tree[at][2]});
		return out;
	}
	where(i) { const s = this.stack(i)[0]; return s && s.line && s.file >= 0 ? {file: s.file, line: s.line} : null; }
	place(i) { return Number.isNaN(this.offset[i]) ? 'pc ' + hex(this.pc[i]) : hex(this.offset[i]); }
	atOffset(offset) { return this.offset.indexOf(offset); }
	/* Parts of a stack bar, as shares of `of` wave-cycles. */
	parts(i, of) { return this.shares.map((v, k) => ({k, share: v ? v[i] / of : 0})).filter(p => p.share > 0); }
	/* The reasons of instruction i, the largest first. */
	why(i) {
		return this.reasons.map(name => ({key: name.slice(7), cycles: this.column(name)[i]})).filter(r => r.cycles > 0).sort((a, b) => b.cycles - a.cycles);
	}
	/* Wave-cycles of each loop, those of inner ones included. */
	loopCycles() {
		const out = new Array(this.loops.length).fill(0);
		for (let i = 0; i < this.count; i++) if (this.cycles[i]) for (let at = this.loop[i]; at >= 0; at = this.loops[at][3]) out[at] += this.cycles[i];
		return out;
	}
	/* Indices, those with the most stalled cycles first. */
	hottest(most) {
		return Array.from({length: this.count}, (_, i) => i).filter(i => this.stalled[i] > 0).sort((a, b) => this.stalled[b] - this.stalled[a]).slice(0, most);
	}
	/* By line of a file: the instructions whose innermost frame it is, and those that were inlined through it. */
	lines(file) {
		const own = new Map(), inlined = new Map();
		const add = (map, line, i) => { const list = map.get(line); if (!list) map.set(line, [i]); else if (list[list.length - 1] !== i) list.push(i); };
		for (let i = 0; i < this.count; i++)
			this.stack(i).forEach((f, d) => { if (f.file === file && f.line) add(d ? inlined : own, f.line, i); });
		return {own, inlined};
	}
	/* Wave-cycles by file, its own instructions alone. */
	fileCycles() {
		const out = new Map();
		for (let i = 0; i < this.count; i++) { const w = this.where(i); if (w) out.set(w.file, (out.get(w.file) || 0) + this.cycles[i]); }
		return out;
	}
}
