/* The data of the page, texts of numbers, elements, tips, theme. */
'use strict';

const DATA = JSON.parse(document.getElementById('data').textContent);
let launch = DATA.launches && DATA.launches[0]; /* the one that is shown */
let report = launch && launch.report;

const meanings = new Map((DATA.stats || []).map(([name, unit, about]) => [name, {name, unit, about}]));
const columnMeanings = new Map((DATA.columns || []).map(([name, unit, about]) => [name, {name, unit, about}]));

/* A statistic of the launch by its name, which is a path in the report; undefined: the run does not have it. */
function value(name) {
	let at = report;
	for (const key of name.split('.')) {
		if (at === null || at === undefined || typeof at !== 'object') return undefined;
		at = at[key];
	}
	return at === null || typeof at === 'object' ? undefined : at;
}

/* ---- texts of numbers ---- */

const whole = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});
const short = new Intl.NumberFormat('en-US', {maximumSignificantDigits: 3});
const long = new Intl.NumberFormat('en-US', {maximumSignificantDigits: 6});

function plain(v) { return Number.isInteger(v) ? whole.format(v) : Math.abs(v) >= 1000 ? whole.format(v) : long.format(v); }

function brief(v) {
	for (const [limit, by, letter] of [[1e12, 1e12, 'T'], [1e9, 1e9, 'G'], [1e6, 1e6, 'M'], [1e4, 1e3, 'k']])
		if (Math.abs(v) >= limit) return short.format(v / by) + ' ' + letter;
	return Math.abs(v) >= 1000 ? whole.format(v) : short.format(v);
}

function bytes(v) {
	const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
	let k = 0;
	while (Math.abs(v) >= 1024 && k < 4) { v /= 1024; k++; }
	return short.format(v) + ' ' + units[k];
}

function percent(v) {
	const p = 100 * v;
	return (p !== 0 && Math.abs(p) < 0.1 ? p < 0 ? '>\u00a0-0.1' : '<\u00a00.1' : p >= 99.95 || p === 0 ? whole.format(p) : p.toFixed(1)) + '\u00a0%';
}

/* A value with its unit, exactly, and as short as a tile has room. */
function exact(v, unit) { return unit === 'share' ? percent(v) : plain(v) + (unit ? ' ' + unit : ''); }
function compact(v, unit) {
	if (unit === 'share') return percent(v);
	if (unit === 'bytes') return bytes(v);
	return (Math.abs(v) >= 1e7 ? brief(v) : plain(Number.isInteger(v) ? v : Number(v.toPrecision(4)))) + (unit ? ' ' + unit : '');
}

function hex(v) { return '0x' + v.toString(16); }
function clip(text, n) { return text.length > n ? text.slice(0, n - 1) + '\u2026' : text; }
function plural(n, one, many) { return plain(n) + ' ' + (n === 1 ? one : many || one + 's'); }

/* ---- elements ---- */

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, attrs, kids) {
	for (const [key, v] of Object.entries(attrs || {})) {
		if (v === null || v === undefined || v === false) continue;
		if (key === 'style' && typeof v === 'object')
			for (const [k, s] of Object.entries(v)) node.style.setProperty(k, s);
		else if (key.startsWith('on')) node.addEventListener(key.slice(2), v);
		else node.setAttribute(key, v === true ? '' : v);
	}
	for (const kid of kids.flat(Infinity))
		if (kid !== null && kid !== undefined && kid !== false) node.append(kid);
	return node;
}

/* el('div.card.wide', {attributes}, children ...) */
function el(tag, attrs, ...kids) {
	const [name, ...classes] = tag.split('.');
	const node = document.createElement(name);
	if (classes.length) node.className = classes.join(' ');
	return fill(node, attrs, kids);
}

function svg(tag, attrs, ...kids) { return fill(document.createElementNS(SVG, tag), attrs, kids); }

/* Draws again when the width of the node changes: draw(width) gives its new children. */
function responsive(node, draw) {
	let width = 0;
	const update = () => {
		const w = Math.floor(node.clientWidth);
		if (w > 0 && w !== width) { width = w; node.replaceChildren(...[draw(w)].flat()); }
	};
	new ResizeObserver(update).observe(node);
	node.redraw = () => { width = 0; update(); };
	return node;
}

/* ---- tips: what a thing is, where the pointer or the focus is ---- */

const hints = new WeakMap();
const tip = document.getElementById('tip');
let tipOwner = null;

/* content: a text, a node, or a function that gives one. focus: the keyboard comes by. */
function hint(node, content, focus) {
	hints.set(node, content);
	node.classList.add('hint');
	if (focus) node.setAttribute('tabindex', '0');
	return node;
}

function placeTip(x, y, above) {
	tip.hidden = false;
	const w = tip.offsetWidth, h = tip.offsetHeight;
	const top = above !== undefined && y + h + 22 > innerHeight ? above - h - 10 : y + 14;
	tip.style.left = Math.max(8, Math.min(x + 12, innerWidth - w - 8)) + 'px';
	tip.style.top = Math.max(8, Math.min(top, innerHeight - h - 8)) + 'px';
}

function showTip(node, x, y) {
	const content = hints.get(node), what = typeof content === 'function' ? content() : content;
	if (!what) return hideTip();
	if (tipOwner !== node) hideTip();
	tipOwner = node;
	tip.replaceChildren(what);
	node.setAttribute('aria-describedby', 'tip');
	const box = node.getBoundingClientRect();
	placeTip(x === undefined ? box.left : x, y === undefined ? box.bottom - 8 : y, y === undefined ? box.top : y);
}

function hideTip() {
	if (tipOwner) tipOwner.removeAttribute('aria-describedby');
	tipOwner = null;
	tip.hidden = true;
}

function owner(e) {
	let n = e.target;
	while (n && n.nodeType === 1 && !hints.has(n)) n = n.parentNode;
	return n && n.nodeType === 1 ? n : null;
}
document.addEventListener('pointermove', e => {
	const n = owner(e);
	if (n) showTip(n, e.clientX, e.clientY);
	else if (tipOwner && tipOwner !== document.activeElement) hideTip();
});
document.addEventListener('focusin', e => { if (hints.has(e.target) && e.target.matches(':focus-visible')) showTip(e.target); });
document.addEventListener('focusout', hideTip);
document.addEventListener('scroll', hideTip, {passive: true, capture: true});

/* The tip of a statistic: its value in full, its unit and what it means. */
function about(name, v, extra) {
	const m = meanings.get(name) || columnMeanings.get(name) || {unit: '', about: ''};
	return el('div', {}, v === undefined ? null : el('div', {}, el('b', {}, exact(v, m.unit))), el('div', {}, m.about),
		extra ? el('div', {}, extra) : null, el('div.t-soft.mono', {}, name));
}

/* A statistic as it stands in the page. */
function stat(name, options = {}) {
	const v = value(name), m = meanings.get(name);
	if (v === undefined) return null;
	const text = options.text || (options.exact ? exact : compact)(v, options.bare ? '' : m ? m.unit : '');
	return hint(el('span.num', {'data-stat': name, 'data-value': v}, text), () => about(name, v, options.extra), options.focus);
}

/* Rows of a small table in a tip. */
function tipRows(title, rows, note) {
	return el('div', {}, title ? el('b', {}, title) : null,
		el('table', {}, rows.map(([k, v]) => el('tr', {}, el('td', {}, k), el('td.r', {}, v)))), note ? el('div.t-soft', {}, note) : null);
}

function say(text) { document.getElementById('live').textContent = text; }

/* ---- theme ---- */

const THEMES = ['', 'light', 'dark'];
const THEME_TEXT = {'': ['\u25d0', "Theme: as the system's"], light: ['\u2600', 'Theme: light'], dark: ['\u263e', 'Theme: dark']};

function storedTheme() { try { return localStorage.getItem('gcnsim-theme') || ''; } catch (e) { return ''; } }

function setTheme(theme) {
	const button = document.getElementById('theme');
	if (theme) document.documentElement.dataset.theme = theme;
	else delete document.documentElement.dataset.theme;
	button.textContent = THEME_TEXT[theme][0];
	button.setAttribute('aria-label', THEME_TEXT[theme][1]);
	button.title = THEME_TEXT[theme][1] + ' (t)';
	try { localStorage.setItem('gcnsim-theme', theme); } catch (e) { /* a page from a file may have no storage */ }
}

function nextTheme() {
	const now = document.documentElement.dataset.theme || '';
	setTheme(THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]);
}
setTheme(THEMES.includes(storedTheme()) ? storedTheme() : '');
document.getElementById('theme').addEventListener('click', nextTheme);
