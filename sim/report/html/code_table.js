/* The table of instructions. */
'use strict';

/* ---- columns of the table of instructions ---- */

const ANSWER_LEVELS = [['vl0', 0], ['k', 0], ['i', 0], ['gl1', 2], ['l2', 1], ['mall', 4], ['memory', 3]];

function meaningOf(...names) { return names.map(n => { const m = columnMeanings.get(n); return m ? `${m.name}: ${m.about} (${m.unit})` : n; }).join('. '); }

/* By key: title, width, values by instruction (what the table sorts by), text(i) or node(i), about. */
function codeColumns(code) {
	const executed = code.column('executed'), lanes = code.quotient('lanes', 'executed'), latency = code.quotient('latency_cycles', 'latencies');
	const longest = code.column('latency_max_cycles'), perAccess = code.quotient('lines', 'count'), size = launch.chip ? launch.chip.wave_size : 64;
	const conflicts = code.sum(['bank_conflict_cycles', 'address_conflict_cycles']);
	const answers = ANSWER_LEVELS.map(([key, k]) => ({key, k, v: code.has('answered.' + key) ? code.column('answered.' + key) : null})).filter(a => a.v);
	const answered = code.sum(answers.map(a => 'answered.' + a.key));
	const far = new Float64Array(code.count);
	for (let i = 0; i < code.count; i++) answers.forEach((a, rank) => { if (answered[i]) far[i] += (rank + 1) * a.v[i] / answered[i]; });
	const number = (v, digits) => i => Number.isNaN(v[i]) ? '' : v[i] === 0 && !digits ? '' : digits ? v[i].toFixed(digits) : v[i] >= 1e7 ? brief(v[i]) : plain(v[i]);
	return [
		{key: 'place', title: 'Offset', width: '66px', values: null, text: i => Number.isNaN(code.offset[i]) ? '?' : code.offset[i].toString(16), cls: 'place', about: 'where the instruction lies in the code object, in hexadecimal bytes'},
		{key: 'text', title: 'Instruction', width: 'minmax(270px, 1fr)', node: (i, mark) => instructionNode(code, i, mark), about: 'as the disassembler prints it; a bar in front for each loop around it'},
		{key: 'cycles', title: 'Cycles', width: '62px', values: code.cycles, text: i => code.cycles[i] ? percent(code.cycles[i] / code.total) : '', cls: 'r', about: 'share of all wave-cycles that were spent while this instruction was the wave\u2019s next, or in its issue slot. Sorted by stalls: cycles'},
		{key: 'why', title: 'Why', width: '128px', values: code.stalled, node: i => code.cycles[i] ? stack(code.parts(i, code.most), {class: 'stack thin'}) : null, about: 'these cycles by category; the longest bar is the costliest instruction. Sorts by cycles that neither issued nor lost arbitration'},
		{key: 'executed', title: 'Executed', width: '74px', values: executed, text: number(executed), cls: 'r', about: meaningOf('executed')},
		{key: 'lanes', title: 'Lanes', width: '48px', values: lanes, text: i => lanes[i] > 0 ? (lanes[i] >= size - 0.05 ? plain(Math.round(lanes[i])) : lanes[i].toFixed(1)) : '', cls: 'r', about: `lanes that were active, on average, of ${size}. ` + meaningOf('lanes'), show: code.has('lanes')},
		{key: 'latency', title: 'Latency', width: '108px', values: latency, text: i => Number.isNaN(latency[i]) ? '' : `${plain(Math.round(latency[i]))} / ${plain(longest[i])}`, cls: 'r', about: 'cycles from issue to the result: average / longest. ' + meaningOf('latencies', 'latency_max_cycles'), show: code.has('latencies')},
		{key: 'answered', title: 'Answered by', width: '92px', values: far, node: i => answered[i] ? stack(answers.map(a => ({k: a.k, share: a.v[i] / answered[i]})), {class: 'stack thin'}) : null, show: answers.length > 0,
			tip: i => answered[i] ? tipRows('Line requests by the level that answered', answers.filter(a => a.v[i]).map(a => [a.key, `${plain(a.v[i])} (${percent(a.v[i] / answered[i])})`])) : null, about: 'line requests by the level that answered them: ' + answers.map(a => a.key).join(', ') + '. Sorts by how far they went'},
		{key: 'lines', title: 'Lines', width: '46px', values: perAccess, text: i => Number.isNaN(perAccess[i]) ? '' : perAccess[i].toFixed(1), cls: 'r', about: 'cache lines that an access requests, on average: few are well coalesced', show: code.has('lines')},
		{key: 'conflicts', title: 'Conflicts', width: '70px', values: conflicts, text: number(conflicts), cls: 'r', about: meaningOf('bank_conflict_cycles', 'address_conflict_cycles'), show: conflicts.some(v => v > 0)},
		{key: 'source', title: 'Source', width: '132px', text: i => { const w = code.where(i); return w ? clip(baseName(code.files[w.file]), 18) + ':' + w.line : ''; }, cls: 'place', values: sourceRank(code), about: 'file and line of the innermost function that the instruction comes from', show: !!code.frame},
	].filter(c => c.show !== false);
}

function baseName(path) { return path.slice(path.lastIndexOf('/') + 1); }

function sourceRank(code) {
	const out = new Float64Array(code.count);
	if (code.frame) for (let i = 0; i < code.count; i++) { const w = code.where(i); out[i] = w ? w.file * 1e7 + w.line : NaN; }
	return out;
}

/* Parts of an instruction's text that a reader looks for: mnemonic, registers. mark: what is searched for. */
function instructionNode(code, i, mark) {
	const text = code.text[i] || '(undecodable)', space = text.indexOf(' '), out = document.createDocumentFragment();
	const put = (t, cls) => {
		let at = 0, found;
		while (mark && (found = t.toLowerCase().indexOf(mark, at)) >= 0) {
			if (found > at) out.append(el('span', {class: cls}, t.slice(at, found)));
			out.append(el('mark', {}, t.slice(found, found + mark.length)));
			at = found + mark.length;
		}
		if (at < t.length) out.append(el('span', {class: cls}, t.slice(at)));
	};
	for (let d = 0; d < Math.min(6, code.depth(i)); d++) out.append(el('i.loop'));
	put(space < 0 ? text : text.slice(0, space), 'op op-' + kindOf(text));
	if (space >= 0) put(text.slice(space), 'operands');
	return out;
}

function kindOf(text) {
	if (/^(s_wait|s_nop|s_delay|s_clause|s_barrier|s_sleep|s_endpgm)/.test(text)) return 'wait';
	if (/^(s_cbranch|s_branch|s_setpc|s_swappc|s_call)/.test(text)) return 'branch';
	if (/^(global|flat|buffer|scratch|image|tbuffer)_/.test(text)) return 'vmem';
	if (/^(s_load|s_buffer|s_store|s_dcache)/.test(text)) return 'smem';
	if (/^ds_/.test(text)) return 'lds';
	if (/^v_(mfma|wmma|smfmac|swmmac)/.test(text)) return 'matrix';
	return text[0] === 'v' ? 'valu' : 'salu';
}
