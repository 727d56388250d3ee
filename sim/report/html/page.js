/* The page as a whole: findings, explanation, statistics, provenance; the parts in their order; keys. */
'use strict';

/* ---- fault, findings, who waits ---- */

function codeLink(offset, text) {
	const at = typeof offset === 'string' ? parseInt(offset, 16) : offset;
	return el('button.link', {type: 'button', onclick: () => { const i = codeView ? codeView.code.atOffset(at) : -1; if (i >= 0) codeView.jump(i); else say('no wave of this run has come there'); }}, text);
}

function faultBox(f) {
	return el('div.alert', {role: 'note', id: 'fault'}, el('b', {}, `${f.kind} fault. `), f.message,
		el('dl', {}, f.pc_offset ? [el('dt', {}, 'at'), el('dd', {}, codeLink(f.pc_offset, f.pc_offset), ' ', el('code', {}, f.instruction || ''))] : null, f.source ? [el('dt', {}, 'source'), el('dd', {}, f.source)] : null,
			el('dt', {}, 'workgroup'), el('dd', {}, `${f.workgroup.join(', ')}, wave ${f.wave}` + (f.lane === null ? '' : `, lane ${f.lane}`)),
			f.nearest ? [el('dt', {}, 'address'), el('dd', {}, `${f.address}, ${f.bytes} bytes, ${f.write ? 'write' : 'read'}: ${f.nearest}`)] : null));
}

function waiting(r) {
	return el('div', {}, el('h3', {}, 'Resident waves at the end'), el('p.soft', {}, `${plural(r.waves, 'wave')} resident` + (r.cycle === null ? '' : ` in cycle ${plain(r.cycle)}`) + `; ${plural(r.workgroups_done, 'workgroup')} done, ${plain(r.workgroups_resident)} resident, ${plain(r.workgroups_not_started)} not started.`),
		el('div.scroll', {}, el('table.full', {}, el('thead', {}, el('tr', {}, ['Waves', 'Reason', 'At', 'Waits for', 'Example'].map((t, k) => el('th', {class: k ? '' : 'r'}, t)))), el('tbody', {}, r.groups.map(g =>
			el('tr', {}, el('td.r', {}, plain(g.waves)), el('td', {}, g.reason), el('td', {}, g.pc_offset ? codeLink(g.pc_offset, g.pc_offset) : g.pc, ' ', el('code', {}, g.instruction || ''), g.source ? el('div.soft', {}, g.source) : null),
				el('td', {}, g.waits_for || ''), el('td', {}, `workgroup ${g.workgroup.join(', ')}, wave ${g.wave}`)))))));
}

function findings() {
	const list = report.check, bits = [];
	if (report.fault) bits.push(faultBox(report.fault));
	if (report.resident_waves) bits.push(waiting(report.resident_waves));
	if (list) bits.push(list.length ? el('ol.findings', {}, list.map(f => el('li', {}, el('div', {}, el('code.rule', {}, f.rule), ' ', codeLink(f.pc_offset, f.pc_offset), ' ', el('code', {}, f.instruction)),
		el('div', {}, f.message), el('div.soft', {}, f.fix ? 'Fix: ' + f.fix + '. ' : '', `Met ${plural(f.count, 'time')}, first in workgroup ${f.workgroup.join(', ')}, wave ${f.wave}` + (f.lane === null ? '' : `, lane ${f.lane}`) + '.', f.source ? ' ' + f.source : ''))))
		: el('p', {}, 'The checks found nothing.'));
	return bits.length ? part('findings', report.fault ? 'Fault and findings' : 'Findings', null, bits) : null;
}

/* ---- what gcnsim explain says ---- */

function explainRow(c, most, what) {
	const gain = c.saved === null ? null : c.saved;
	return el('tr', {class: gain ? '' : 'soft'}, el('td', {}, what, c.note ? el('div.soft', {}, c.note) : null, c.places && c.places.length ? el('details', {}, el('summary', {}, plural(c.places.length, 'instruction')), el('ul', {}, c.places.map(p =>
		el('li', {}, codeLink(p.pc_offset, hex(p.pc_offset)), ' ', el('code', {}, p.instruction), p.share !== undefined ? ` ${percent(p.share)}` : '', p.reason ? el('span.soft', {}, ' ' + p.reason) : null, p.source ? el('span.soft', {}, ' ' + p.source) : null)))) : null),
	el('td.r.num', {}, gain === null ? {named: 'not simulated', absent: 'not on this chip'}[c.state] || c.state : plain(gain)), el('td.r.num', {}, c.share === null ? '' : percent(c.share)),
	el('td.bar-cell', {}, gain ? hint(el('div.bar', {}, el('span', {style: {...paint(0), width: 100 * Math.max(0, gain) / most + '%'}})), tipRows(c.key, [['cycles saved', plain(gain)], ['cycles then', plain(c.cycles)], ['state', c.state]], (c.sets || []).join('  '))) : null));
}

function explanation() {
	const x = DATA.explain;
	if (!x || !x.causes) return null;
	const table = (title, rows, most, what) => rows.length ? el('div', {}, el('h3', {}, title), el('div.scroll', {}, el('table.full', {}, el('thead', {}, el('tr', {}, el('th', {}, ''), el('th.r', {}, 'Cycles saved'), el('th.r', {}, 'Share'), el('th', {}, ''))),
		el('tbody', {}, rows.map(r => explainRow(r, most, what(r))))))) : null;
	const most = Math.max(1, ...x.causes.map(c => c.saved || 0), ...(x.remedies || []).map(c => c.saved || 0));
	/* as the text has them: what makes no difference is named alone */
	const told = c => c.state === 'simulated' ? Math.abs(c.share) >= 0.001 || c.note : c.state === 'failed', causes = x.causes.filter(told);
	const others = [['simulated', 'No difference'], ['skipped', 'Nothing to save'], ['absent', 'Not on this chip']].map(([state, title]) => [title, x.causes.filter(c => c.state === state && !told(c))]).filter(o => o[1].length);
	const ideal = c => el('span', {}, el('code', {}, c.key), ' ', c.what);
	return part('explain', 'What would help', `Each line was simulated: the launch again with one thing made ideal, or changed as it says. It takes ${plain(x.cycles)} cycles as it is.`,
		table('What to change', x.remedies || [], most, r => el('div', {}, el('div', {}, r.text), r.remedy ? el('div', {}, el('b', {}, 'Remedy: '), r.remedy) : null)),
		table('One thing ideal', causes.filter(c => !c.overall), most, ideal), table('Several together', causes.filter(c => c.overall), most, ideal),
		others.map(([title, list]) => el('p.soft', {}, title + ': ', list.map((c, k) => [k ? ', ' : '', hint(el('code', {}, c.key), c.what)]), '.')));
}

/* ---- all statistics, provenance ---- */

function statistics() {
	const field = el('input', {type: 'search', placeholder: 'Filter: l2, bytes, stall ...', 'aria-label': 'Filter the statistics'}), rows = [];
	for (const [name, m] of meanings) {
		const v = value(name);
		if (v === undefined) continue;
		rows.push(el('tr', {}, el('td', {}, el('code', {}, name)), el('td.r.num', {'data-stat': name, 'data-value': v}, m.unit === 'share' ? percent(v) : plain(v)), el('td.soft', {}, m.unit === 'share' ? '' : m.unit), el('td', {}, m.about)));
	}
	const left = el('span.soft', {role: 'status'});
	field.addEventListener('input', () => {
		const words = field.value.toLowerCase().split(/\s+/).filter(w => w);
		let shown = 0;
		for (const r of rows) { const t = r.textContent.toLowerCase(); r.hidden = !words.every(w => t.includes(w)); shown += !r.hidden; }
		left.textContent = words.length ? `${shown} of ${rows.length}` : '';
	});
	return part('statistics', 'All statistics', 'Every number that the run counted, with its unit and meaning. Names are paths in the JSON report.', el('div.toolbar', {}, field, left),
		el('details', {open: rows.length <= 40}, el('summary', {}, plural(rows.length, 'statistic')), el('div.scroll', {}, el('table.full.stats', {}, el('thead', {}, el('tr', {}, el('th', {}, 'Name'), el('th.r', {}, 'Value'), el('th', {}, 'Unit'), el('th', {}, 'Meaning'))), el('tbody', {}, rows)))));
}

function provenance() {
	const p = report.provenance, host = report.host || {}, rows = [
		['gcnsim', p.gcnsim], ['Kernel', el('span', {}, report.kernel_demangled || report.kernel, report.kernel_demangled !== report.kernel ? el('div.soft.mono', {}, report.kernel) : null)],
		['Profile', report.profile ? `${report.profile}${launch.chip ? ', ' + launch.chip.name : ''} (${report.target})` : `none (${report.target})`],
		['Overrides', p.overrides.length ? el('span', {}, p.overrides.map(o => el('code.chip', {}, o))) : 'none'], ['Engine', report.engine],
		['Grid', `${report.grid.join(' \u00d7 ')} work-items, in workgroups of ${report.workgroup.join(' \u00d7 ')}`],
		['Code SHA-256', el('code', {}, p.code_sha256)], ['Profile SHA-256', p.profile_sha256 ? el('code', {}, p.profile_sha256) : 'none'],
		['Command line', host.command_line ? el('code', {}, host.command_line) : 'not known'],
		['Host', `${plural(host.threads || 1, 'thread')}, ${plain(Number((host.seconds || 0).toFixed(3)))} s, ${brief(host.wave_instructions_per_second || 0)} wave-instructions/s`]];
	return part('provenance', 'Provenance', 'Two runs that differ do not look alike: what this one was made from.', el('table.facts', {}, el('tbody', {}, rows.map(([k, v]) => el('tr', {}, el('th', {scope: 'row'}, k), el('td', {}, v))))));
}

/* ---- the whole ---- */

const ORDER = [overview, limits, roofline, memory, overTime, stalls, believed, codePart, explanation, findings, occupancy, statistics, provenance];

function title() {
	const name = report.kernel_demangled || report.kernel;
	document.getElementById('title').textContent = name;
	document.getElementById('title').title = name;
	document.getElementById('subtitle').textContent = [launch.chip ? launch.chip.name : report.target, report.profile, `${report.workgroups.toLocaleString('en-US')} workgroups of ${report.workgroup.join('\u00d7')}`, report.engine === 'timing' ? null : 'functional engine'].filter(t => t).join(' \u00b7 ');
	document.title = `${clip(name, 60)} - gcnsim`;
}

/* What is seen first is drawn first; the instructions, which may be many, when that is on the screen. */
function render() {
	const main = document.getElementById('main');
	report = launch.report;
	parts.length = 0;
	title();
	main.replaceChildren();
	main.setAttribute('aria-busy', 'true');
	/* a fault comes first */
	const order = report.outcome === 'completed' ? ORDER : [overview, findings, ...ORDER.filter(f => f !== overview && f !== findings)];
	let k = 0;
	const some = () => {
		const until = performance.now() + 12;
		while (k < order.length) {
			const node = order[k++]();
			if (node) main.append(node);
			if (k < order.length && performance.now() > until) { requestAnimationFrame(() => setTimeout(some)); return; }
		}
		navigation();
		main.setAttribute('aria-busy', 'false');
		if (location.hash.length > 1) { const at = document.getElementById(location.hash.slice(1)); if (at) at.scrollIntoView(); }
	};
	some();
}

function chooseLaunch() {
	const select = document.getElementById('launch'), index = document.getElementById('index');
	if (DATA.index) { index.hidden = false; index.href = DATA.index; }
	if (DATA.launches.length < 2) return;
	select.hidden = false;
	DATA.launches.forEach((l, k) => select.append(el('option', {value: k}, `${k + 1}: ${l.name || l.report.kernel_demangled}`)));
	select.addEventListener('change', () => { launch = DATA.launches[select.value]; hideTip(); render(); });
}

function patterns() {
	const shapes = {1: 'M-1 1L1-1M0 6L6 0M5 7L7 5', 2: 'M0 3H6', 3: 'M-1 5L1 7M0 0L6 6M5-1L7 1', 4: 'M3 0V6', 5: 'M0 0L6 6M0 6L6 0', 6: 'M3 3h1v1h-1Z', 7: 'M0 3H6M3 0V6', 9: 'M0 6L6 0'};
	document.body.append(svg('svg', {width: 0, height: 0, 'aria-hidden': 'true', style: {position: 'absolute'}}, svg('defs', {}, CATEGORIES.map((_, k) =>
		svg('pattern', {id: 'pattern' + k, width: 6, height: 6, patternUnits: 'userSpaceOnUse'}, shapes[k] ? svg('path', {d: shapes[k], style: {stroke: 'var(--ink)'}, fill: 'none'}) : null)))));
}

document.addEventListener('keydown', e => {
	const dialog = document.getElementById('keys'), typing = e.target.matches('input, select, textarea');
	if (e.key === 'Escape') hideTip();
	if (typing || e.ctrlKey || e.altKey || e.metaKey || dialog.open) return;
	if (e.key === '/') { const f = document.getElementById('search'); if (f) { e.preventDefault(); f.scrollIntoView({block: 'center'}); f.focus(); } }
	else if (e.key === '?') dialog.showModal();
	else if (e.key === 't') nextTheme();
	else if (e.key === 'h' && codeView) codeView.nextHot(1);
	else if (e.key === 'H' && codeView) codeView.nextHot(-1);
	else if (e.key >= '1' && e.key <= '9' && parts[e.key - 1]) { const s = document.getElementById(parts[e.key - 1].id); s.scrollIntoView(); s.focus({preventScroll: true}); }
});
document.getElementById('help').addEventListener('click', () => document.getElementById('keys').showModal());

patterns();
chooseLaunch();
render();
