/* The page of a sweep as a whole: what it is, the parts in their order, keys. */
'use strict';

const VALUES_NAMED = 12; /* values of an axis in the overview */

/* ---- overview ---- */

function valuesText(axis) {
	const t = axis.texts;
	return t.length <= VALUES_NAMED ? t.join(', ') : `${t.slice(0, VALUES_NAMED / 2).join(', ')}, ... ${t.slice(-2).join(', ')}`;
}

/* The best completed point of an objective; -1: none. */
function bestPoint(v) {
	let best = -1;
	for (let p = 0; p < POINTS; p++)
		if (completed[p] && !Number.isNaN(v.data[p]) && (best < 0 || (v.goal === 'maximize' ? v.data[p] > v.data[best] : v.data[p] < v.data[best]))) best = p;
	return best;
}

function bestTiles() {
	return values.filter(v => v.objective).slice(0, 8).map(v => {
		const p = bestPoint(v);
		return p < 0 ? null : tile(`${v.goal === 'maximize' ? 'Most' : 'Least'} ${v.name}`, hint(el('span.num', {'data-best': v.name, 'data-value': v.data[p]}, v.short(v.data[p])), () => tipRows(`Point #${pointNumber(p)}`, [[v.name, v.text(v.data[p])], ...axisRows(p)], v.tip()), true),
			el('button.link', {type: 'button', onclick: () => select([p], `most favourable ${v.name}`)}, 'point #' + pointNumber(p)));
	});
}

function axisTable() {
	return el('div.scroll', {}, el('table.full.axes', {}, el('thead', {}, el('tr', {}, el('th', {}, 'Axis'), el('th', {}, 'Changes'), el('th.r', {}, 'Values'), el('th', {}, ''))),
		el('tbody', {}, axes.filter(a => a.size).map(a => el('tr', {'data-axis-row': a.name}, el('td', {}, el('code', {}, a.name)), el('td', {}, (AXIS_KINDS[a.kind] || a.kind) + (a.pairedWith ? `, in step with ${a.pairedWith}` : '')), el('td.r.num', {}, plain(a.size)), el('td', {}, valuesText(a)))))));
}

/* Points that did not complete, by what was said. */
function failures() {
	const by = new Map();
	for (let p = 0; p < POINTS; p++) {
		if (completed[p] || outcomes.at[p] < 0) continue;
		const key = outcomeOf(p) + '\n' + messageOf(p);
		if (!by.has(key)) by.set(key, []);
		by.get(key).push(p);
	}
	const groups = [...by.values()].sort((a, b) => b.length - a.length), shown = groups.slice(0, 50);
	return [el('h3', {}, 'Did not complete'), el('div.scroll', {}, el('table.full.failures', {}, el('thead', {}, el('tr', {}, el('th.r', {}, 'Points'), el('th', {}, 'Outcome'), el('th', {}, 'Message'), el('th', {}, ''))),
		el('tbody', {}, shown.map(g => el('tr', {}, el('td.r.num', {}, plain(g.length)), el('td', {}, outcomeOf(g[0])), el('td.message', {}, messageOf(g[0])), el('td', {}, el('button.link', {type: 'button', 'aria-label': `Select the ${plural(g.length, 'point')}`, onclick: () => select(g, `${outcomeOf(g[0])}: ${clip(messageOf(g[0]), 60)}`)}, 'select'))))))),
		groups.length > shown.length ? el('p.soft', {}, `and ${plain(groups.length - shown.length)} other messages`) : null];
}

function overview() {
	return part('overview', 'Overview', null, el('div.tiles', {}, tile('Points', plain(POINTS)), tile('Completed', plain(counts.completed), POINTS ? percent(counts.completed / POINTS) : ''), tile('Did not complete', plain(counts.failed)), tile('Left to run', plain(counts.left), counts.left ? '--resume goes on' : ''), bestTiles()),
		el('h3', {}, 'Axes'), axisTable(), counts.failed ? failures() : null, selectionBar());
}

/* ---- what does not vary ---- */

function constants() {
	const same = DATA.same, out = DATA.left_out, not = DATA.not_computed;
	if (!same.length && !out.length && !not.length) return null;
	return part('constants', 'Not in the charts', null,
		not.length ? [el('p.alert', {role: 'note'}, el('b', {}, 'Objectives that could not be computed: '), not.map(([name, expression, why]) => el('div', {}, el('code', {}, name === expression ? name : `${name} = ${expression}`), ': ' + why))) ] : null,
		out.length ? el('p', {id: 'left-out'}, el('b', {}, `${plural(out.length, 'statistic')} that vary are left out`), ', because the page would be too large; the results file and ', el('code', {}, 'gcnsim sweep show --csv'), ' have them: ', el('span.soft', {}, clip(out.join(', '), 4000))) : null,
		same.length ? el('details', {}, el('summary', {}, `${plural(same.length, 'statistic')} with one value`), el('div.scroll', {}, el('table.full.stats', {}, el('thead', {}, el('tr', {}, el('th', {}, 'Name'), el('th.r', {}, 'Value'), el('th', {}, 'Unit'), el('th.r', {}, 'Points'), el('th', {}, 'Meaning'))),
			el('tbody', {}, same.map(([name, v, points, unit, about]) => el('tr', {}, el('td', {}, el('code', {}, name)), el('td.r.num', {}, unit === 'share' ? percent(v) : plain(v)), el('td.soft', {}, unit === 'share' ? '' : unit), el('td.r.num', {}, plain(points)), el('td', {}, about))))))) : null);
}

/* ---- the whole ---- */

let heatMap = null, pareto = null, effects = null, pointTable = null;
const charted = counts.completed > 0 && values.length > 0;

const ORDER = [overview, () => charted ? (heatMap = new HeatMap()).node : null, () => charted && values.length > 1 ? (pareto = new Pareto()).node : null,
	() => charted && leaders.length ? (effects = new Effects()).node : null, () => (pointTable = new PointTable()).node, constants];

/* What is seen first is drawn first. */
function render() {
	const main = document.getElementById('main');
	document.getElementById('title').textContent = DATA.name || DATA.file;
	document.getElementById('title').title = DATA.name || DATA.file;
	document.getElementById('subtitle').textContent = ['sweep', plural(POINTS, 'point'), DATA.where ? 'where ' + clip(DATA.where, 200) : null, DATA.file, 'gcnsim ' + DATA.gcnsim].filter(t => t).join(' \u00b7 ');
	document.title = `${clip(DATA.name || DATA.file, 60)} - gcnsim sweep`;
	main.setAttribute('aria-busy', 'true');
	main.replaceChildren();
	let k = 0;
	const some = () => {
		const node = ORDER[k++]();
		if (node) main.append(node);
		if (k < ORDER.length) { requestAnimationFrame(() => setTimeout(some)); return; }
		navigation();
		main.setAttribute('aria-busy', 'false');
		if (location.hash.length > 1) { const at = document.getElementById(location.hash.slice(1)); if (at) at.scrollIntoView(); }
	};
	some();
}

document.addEventListener('keydown', e => {
	const dialog = document.getElementById('keys'), typing = e.target.matches('input, select, textarea');
	if (e.key === 'Escape') { if (tipOwner) hideTip(); else if (selection.points && !dialog.open && !typing) select(null); }
	if (typing || e.ctrlKey || e.altKey || e.metaKey || dialog.open) return;
	if (e.key === '/' && pointTable) { e.preventDefault(); pointTable.search.scrollIntoView({block: 'center'}); pointTable.search.focus(); }
	else if (e.key === '?') dialog.showModal();
	else if (e.key === 't') nextTheme();
	else if (e.key === 'c' && pointTable && pointTable.chosen >= 0) copyCommand(pointTable.chosen);
	else if (e.key >= '1' && e.key <= '9' && parts[e.key - 1]) { const s = document.getElementById(parts[e.key - 1].id); s.scrollIntoView(); s.focus({preventScroll: true}); }
});
document.getElementById('help').addEventListener('click', () => document.getElementById('keys').showModal());

render();
