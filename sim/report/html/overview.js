/* The first parts of the report: outcome and key figures, limits, stall reasons, occupancy. */
'use strict';

/* ---- categories of stall reasons ---- */

/* Reasons that share a cause share a colour. */
const CATEGORIES = DATA.categories;
function categoryOf(key) { return DATA.stalls[key][2]; }
/* Whether the wave of such a reason waits for something: it neither issues nor lost arbitration. */
function waitsFor(k) { return CATEGORIES[k].waits; }
function paint(k) { return {background: `var(--p${k}), var(--g${k})`}; }
function swatch(k) { return el('span.swatch', {style: paint(k), 'aria-hidden': 'true'}); }

/* Parts side by side, their widths by their shares: [{k, share, tip}] */
function stack(parts, attrs) {
	return el('div.stack', attrs, parts.filter(p => p.share > 0).map(p =>
		p.tip ? hint(el('span', {style: {...paint(p.k), width: 100 * p.share + '%'}}), p.tip)
			: el('span', {style: {...paint(p.k), width: 100 * p.share + '%'}})));
}

/* ---- outcome and key figures ---- */

function hitRate(level) {
	return value(`cache.${level}.tag_requests`) ? value(`cache.${level}.hit_rate`) : undefined;
}

function totalStalls() {
	let sum = 0;
	for (const v of Object.values(report.stall_cycles || {})) sum += v;
	return sum;
}

/* Reasons with cycles, the largest first. */
function stallRows() {
	const total = totalStalls();
	return Object.entries(report.stall_cycles || {}).filter(([, v]) => v > 0).sort((a, b) => b[1] - a[1])
		.map(([key, v]) => ({key, cycles: v, share: v / total, k: categoryOf(key)}));
}

function meaningOfStall(key) { return (DATA.stalls || {})[key] || ['', '']; }

/* What the waves have in common, in one sentence. */
function commonStall() {
	const total = totalStalls(), by = CATEGORIES.map(() => 0);
	if (!total) return null;
	for (const s of stallRows()) by[s.k] += s.cycles;
	const order = by.map((v, k) => [v, k]).filter(([, k]) => waitsFor(k)).sort((a, b) => b[0] - a[0]);
	const [v, k] = order[0], top = stallRows().find(s => s.k === k);
	if (!top) return null;
	const helps = meaningOfStall(top.key)[1];
	return `A wave spends ${percent(by[0] / total)} of its time issuing; the most of the rest, ${percent(v / total)}, is \u201c${CATEGORIES[k].name}\u201d` +
		` (mostly ${top.key})${helps ? '. What helps: ' + helps : ''}.`;
}

function verdict() {
	const l = report.limiter;
	if (!l || !l.verdict) return null;
	return el('p.verdict', {'data-limiter': l.class}, el('b', {}, l.verdict[0].toUpperCase() + l.verdict.slice(1) + '.'), l.within ? el('span', {}, ' ' + l.within[0].toUpperCase() + l.within.slice(1) + '.') : null);
}

function outcome() {
	if (report.outcome === 'completed') return null;
	const kind = {fault: 'The kernel faulted', limit: 'The run reached a limit', interrupted: 'The run was interrupted'}[report.outcome] || report.outcome;
	return el('div.alert', {role: 'note'}, el('b', {}, kind + '. '), report.message || '', ' What follows is what happened up to then.',
		report.fault ? el('span', {}, ' ', el('a', {href: '#findings'}, 'Details')) : null);
}

/* For a sampled launch: that its numbers are estimates. */
function sampling() {
	const e = report.estimate;
	if (!e) return null;
	const note = e.note ? ` ${e.unsafe ? 'Unsafe' : 'Note'}: ${e.note}.` : '';
	if (e.kind !== 'estimated') return el('div.alert', {role: 'note', 'data-estimate': e.kind}, el('b', {}, 'Sampling was asked for, and no estimate was made.'), note);
	return el('div.alert', {role: 'note', 'data-estimate': e.kind}, el('b', {}, `Estimate: ${plain(e.cycles)} cycles, 95 % interval ${plain(e.cycles_low)} to ${plain(e.cycles_high)}.`),
		` ${plain(e.detailed_workgroups)} of ${plain(report.workgroups)} workgroups were simulated in detail. Other numbers are theirs times ${plain(Number(e.scale.toPrecision(4)))}` +
		`${e.skipped_workgroups ? '' : '; instructions, workgroups and waves are exact'}.`, note);
}

function overview() {
	const timed = value('cycles') !== undefined, occ = report.occupancy, chip = launch.chip;
	const nearest = launch.chip && Object.keys(launch.chip.levels).find(k => k === 'vl0');
	const bits = [
		tile('Cycles', stat('cycles', {bare: true, focus: true}), timed && chip ? el('span', {}, `at ${plain(chip.clock_mhz)} MHz: `, stat('time_us')) : null),
		tile('Instructions', stat('instructions.total', {bare: true, focus: true}), timed ? el('span', {}, stat('ipc', {bare: true}), ' per cycle of the chip') : 'wave-instructions'),
		tile('Waves', hint(el('span.num', {}, plain(report.waves)), 'waves of the dispatch', true), `${plural(report.workgroups, 'workgroup')} of ${report.workgroup.join(' \u00d7 ')}`),
		timed ? tile('Compute units', stat('cus_used', {bare: true, focus: true}), chip ? `of ${plain(chip.cus)} had a wave` : null) : null,
		occ ? tile('Occupancy', hint(el('span.num', {}, `${occ.waves_per_simd} / ${chip ? chip.wave_slots_per_simd : '?'}`), 'waves that fit a SIMD at a time, of its wave slots', true), 'limited by ' + occ.limiter) : null,
		nearest && hitRate('vl0') !== undefined ? tile('vL0 hit rate', stat('cache.vl0.hit_rate', {text: percent(hitRate('vl0')), focus: true}), el('span', {}, stat('cache.vl0.tag_requests', {bare: true}), ' requests')) : null,
		hitRate('l2') !== undefined ? tile('L2 hit rate', stat('cache.l2.hit_rate', {text: percent(hitRate('l2')), focus: true}), el('span', {}, stat('cache.l2.tag_requests', {bare: true}), ' requests')) : null,
		tile('DRAM bandwidth', stat('dram.utilization', {focus: true}), timed && value('dram.read_bytes') !== undefined ? el('span', {}, stat('dram.read_bytes'), ' read, ', stat('dram.write_bytes'), ' written') : null),
	];
	const common = commonStall();
	return part('overview', 'Overview', null, outcome(), sampling(), verdict(), common ? el('p.lead', {}, common) : null,
		timed ? null : el('p.lead', {}, 'The functional engine computes results without time: there are no cycles, stalls or caches here. Run with the timing engine to see them.'),
		el('div.tiles', {}, bits));
}

/* ---- what to believe ---- */

const FIDELITY_WORDS = {measured: 'measured', documented: 'documented', inferred: 'inferred', guess: 'guessed', 'what-if': 'what-if', none: 'no figure'};

function fidelityResults(f) {
	const approximate = f.by_instruction.filter(i => i.semantics === 'approximate').sort((a, b) => b.count - a.count);
	const exact = f.instructions ? f.semantics.exact / f.instructions : 1;
	const measured = f.exact && f.exact.as_measured ? `: ${percent(f.exact.as_measured / f.instructions)} as measured on a chip, the others as the manual says` : '';
	return [el('p', {'data-fidelity-exact': exact}, el('b', {}, 'Results: '), exact === 1 ? `all instructions are exact${measured}.` : `${percent(1 - exact)} of the instructions executed are approximate, ${percent(exact)} exact${measured}.`),
		approximate.length ? el('div.scroll', {}, el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, 'approximate'), el('th.r', {}, 'executed'), el('th', {}, 'bound'))),
			el('tbody', {}, approximate.slice(0, 12).map(i => el('tr', {}, el('td', {}, el('code', {}, i.mnemonic)), el('td.r.num', {}, plain(i.count)), el('td', {}, i.ulp === null ? 'none' : i.ulp + ' ULP')))))) : null];
}

/* How sure the results are, and the figures that the wave-cycles rest on (docs/FIDELITY.md). */
function believed() {
	const f = report.fidelity, c = f && f.cycles;
	if (!f) return null;
	const shares = c ? Object.keys(FIDELITY_WORDS).filter(w => c.shares[w] > 0).map(w => `${percent(c.shares[w])} ${FIDELITY_WORDS[w]}`) : [];
	return part('fidelity', 'What to believe', null, ...fidelityResults(f),
		c ? el('p', {'data-fidelity-measured': c.shares.measured}, el('b', {}, 'Timing: '), 'wave-cycles by the figures of the profile that they rest on: ' + shares.join(', ') + '.') : null,
		c ? el('div.scroll', {}, el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, 'figure, the least sure first'), el('th', {}, 'is'), el('th.r', {}, 'wave-cycles'))),
			el('tbody', {}, c.figures.filter(g => g.share >= 0.0005).slice(0, 16).map(g => el('tr', {}, el('td', {}, el('code', {}, g.figure)), el('td', {}, g.timing), el('td.r.num', {}, percent(g.share))))))) : null);
}

/* ---- stall reasons ---- */

function stallTip(s) {
	return () => {
		const [what, helps] = meaningOfStall(s.key);
		return el('div', {}, el('b', {}, `${percent(s.share)} of wave-cycles`), el('div', {}, `${plain(s.cycles)} wave-cycles: ${what}`),
			helps ? el('div', {}, 'What helps: ' + helps) : null, el('div.t-soft.mono', {}, 'stall_cycles.' + s.key));
	};
}

function legend(rows) {
	const by = CATEGORIES.map(() => 0);
	for (const s of rows) by[s.k] += s.share;
	return el('ul.legend', {}, by.map((v, k) => v > 0 ? hint(el('li', {}, swatch(k), CATEGORIES[k].name, el('span.soft.num', {}, ' ' + percent(v))), CATEGORIES[k].about) : null));
}

function stalls() {
	const rows = stallRows();
	if (!rows.length) return null;
	const most = rows[0].share, ordered = [...rows].sort((a, b) => a.k - b.k || b.cycles - a.cycles);
	const body = rows.map(s => {
		const [what, helps] = meaningOfStall(s.key);
		return el('tr', {}, el('td.one-line', {}, swatch(s.k), ' ', el('code', {}, s.key)),
			el('td.r.num', {'data-stat': 'stall_cycles.' + s.key, 'data-value': s.cycles}, plain(s.cycles)), el('td.r.num', {}, percent(s.share)),
			el('td.bar-cell', {}, hint(el('div.bar', {}, el('span', {style: {...paint(s.k), width: 100 * s.share / most + '%'}})), stallTip(s))),
			el('td.wide-only', {}, 'T' + what.slice(1) + '.'), el('td.wide-only.soft', {}, helps));
	});
	return part('stalls', 'Where wave-cycles went', el('span', {}, 'All ', stat('resident_wave_cycles'),
		', each with the one reason why the wave did not issue. With many waves on a SIMD much waiting is harmless, because others issue meanwhile.'),
	stack(ordered.map(s => ({k: s.k, share: s.share, tip: stallTip(s)})), {role: 'img', 'aria-label': 'Shares of the stall reasons; the table has them'}),
	legend(rows),
	el('div.scroll', {}, el('table.full', {}, el('thead', {}, el('tr', {}, el('th', {}, 'Reason'), el('th.r', {}, 'Wave-cycles'), el('th.r', {}, 'Share'), el('th', {}, ''),
		el('th.wide-only', {}, 'What it means'), el('th.wide-only', {}, 'What helps'))), el('tbody', {}, body))));
}

/* ---- occupancy ---- */

const LIMITER = {
	wave_slots: 'nothing else: every wave slot of a SIMD can be taken', vgprs: 'the vector registers of a wave', sgprs: 'the scalar registers of a wave',
	lds: 'the LDS of a workgroup', barriers: 'the workgroups with barriers that a compute unit can have', workgroup_size: 'whole workgroups do not divide the slots',
};

function gauge(label, used, of, unit, note) {
	const share = of ? Math.min(1, used / of) : 0;
	return el('div.gauge', {}, el('div.gauge-label', {}, label), hint(el('div.bar', {}, el('span', {style: {width: 100 * share + '%', background: 'var(--accent)'}})), note, true),
		el('div.gauge-value.num', {}, of ? `${plain(used)} of ${plain(of)} ${unit}` : `${plain(used)} ${unit}`));
}

function occupancy() {
	const o = report.occupancy, chip = launch.chip;
	if (!o || !chip) return null;
	const slots = [], wgp = o.cus > 1 ? 'workgroup processor' : 'compute unit', simds = chip.simds * o.cus;
	for (let s = 0; s < Math.min(simds, 8); s++)
		slots.push(el('div.simd', {}, el('span.soft', {}, 'SIMD ' + s), el('div.slots', {}, Array.from({length: chip.wave_slots_per_simd}, (_, k) =>
			el('i', {class: k < o.waves_per_simd ? 'full' : ''})))));
	const lds = chip.lds_per_wgp && o.cus > 1 ? chip.lds_bytes : chip.lds_bytes * (chip.lds_per_wgp ? 1 : o.cus);
	return part('occupancy', 'Occupancy', el('span', {}, `${plural(o.waves_per_simd, 'wave')} at a time fit a SIMD that has ${plain(chip.wave_slots_per_simd)} slots. What keeps more out: `,
		el('b', {}, o.limiter), LIMITER[o.limiter] ? ` (${LIMITER[o.limiter]}).` : '.'),
	el('div.split', {}, el('div.slots-card', {role: 'img', 'aria-label': `${o.waves_per_simd} of ${chip.wave_slots_per_simd} slots of each SIMD`}, slots),
		el('div', {}, gauge('Wave slots', o.waves_per_simd, chip.wave_slots_per_simd, 'per SIMD', 'waves that a SIMD holds at a time'),
			gauge('VGPRs', o.vgprs * o.waves_per_simd, chip.vgprs_per_simd, `per SIMD (${plain(o.vgprs)} a wave)`, 'vector registers that these waves take, in granules, of those a SIMD has for waves of this size'),
			o.agprs ? gauge('AccVGPRs', o.agprs, 0, 'a wave', 'accumulation registers that a wave takes, in granules') : null,
			chip.sgprs_per_simd ? gauge('SGPRs', o.sgprs * o.waves_per_simd, chip.sgprs_per_simd, `per SIMD (${plain(o.sgprs)} a wave)`, 'scalar registers that these waves take, of those that a SIMD has') : null,
			gauge('LDS', o.lds_bytes * o.workgroups_per_cu, lds, `bytes per ${wgp} (${plain(o.lds_bytes)} a workgroup)`, 'LDS that the workgroups take, in granules'),
			gauge('Workgroups', o.workgroups_per_cu, 0, `per ${wgp}, of ${plural(o.waves_per_workgroup, 'wave')}`, 'workgroups that fit at a time'))));
}
