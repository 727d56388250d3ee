#!/usr/bin/env python3
"""Condenses the operand lists of AMD's ISA manuals into the tables that tests/golden/test_operands.c reads.

    condense.py REFERENCE_DIR OUTPUT_DIR

REFERENCE_DIR holds rdna3_5.jsonl, rdna4.jsonl and cdna4.jsonl: one JSON object per instruction with `format`,
`opcode`, `name`, `operands` (field -> data format, bits, register kind) and `pseudocode`. What goes into the tables
are facts alone: a line per opcode,

    format  opcode  name  operands  implicit

Operands are field:direction:bits:kind. Direction: r, w, rw; `o` is the old value an atomic returns when asked, in the
field before it. Bits: a number, or L for a lane mask (32 in wave32, 64 in wave64), or 256h for a matrix that takes half
as many registers in wave64. Kind: v VGPR, a AGPR, va either, s scalar, x any source. Implicit registers are
name:direction of scc, vcc, exec, m0 and pc, `-` when there are none and `?` when there is no pseudocode to say it.

The manuals list fields without direction. It comes from the pseudocode: what is assigned is written, what is used
before it is assigned is read, what a comment calls preserved is both. Where there is no pseudocode the field's name
says it (destinations are written, sources read).
"""
import json
import os
import re
import sys

MANUALS = {'rdna3_5': 'RDNA3.5', 'rdna4': 'RDNA4', 'cdna4': 'CDNA4'}

FORMATS = {'VFLAT': 'FLAT', 'VGLOBAL': 'GLOBAL', 'VSCRATCH': 'SCRATCH', 'VDSDIR': 'LDSDIR', 'VEXPORT': 'EXP',
           'VOP3SD': 'VOP3', 'VOP3PX2': 'VOP3PX2'}

FIELDS = {'ssrc0': 'src0', 'ssrc1': 'src1', 'vsrc0': 'src0', 'vsrc1': 'src1', 'vsrc2': 'src2', 'vsrc3': 'src3',
          'srcy0': 'src0', 'vsrcy1': 'src1', 'vdsty': 'vdst', 'vaddr': 'addr', 'vsrc': 'data', 'rsrc': 'srsrc',
          'samp': 'ssamp'}

# No registers: immediates of all sorts.
IMMEDIATE = {'SIMM4', 'SIMM5', 'SIMM8', 'SIMM16', 'SIMM24', 'LABEL', 'HWREG', 'SENDMSG', 'SENDMSG_RTN', 'VERSION',
             'CLAUSE', 'DELAY', 'WAITCNT', 'WAITCNT_DEPCTR', 'WAIT_ALU', 'WAIT_EVENT', 'WAIT_MEM_DS', 'SLEEP', 'TGT',
             'ATTR'}

BUFFERS = {'MUBUF', 'MTBUF', 'VBUFFER'}
FLATS = {'FLAT', 'GLOBAL', 'SCRATCH'}
IMAGES = {'MIMG', 'VIMAGE', 'VSAMPLE'}
DATA_ORDER = ['vdst', 'sdst', 'vdata', 'sdata', 'addr', 'saddr', 'data', 'data0', 'data1', 'src0', 'src1', 'src2',
              'src3', 'sbase', 'soffset', 'srsrc', 'ssamp', 'scale_src0', 'scale_src1']


def kind_of(kind):
    if kind in ('VGPR_OR_ACCVGPR', 'SRC_VGPR_OR_ACCVGPR', 'SRC_VGPR_OR_ACCVGPR_OR_CONST'):
        return 'va'
    if kind in ('ACCVGPR', 'SRC_ACCVGPR'):
        return 'a'
    if kind in ('VGPR', 'SRC_VGPR', 'SRC_VGPR_OR_INLINE', 'VGPR_OR_LDS'):
        return 'v'
    if kind in ('SRC', 'SRC_NOLIT', 'SRC_SIMPLE', 'SRC_NOLDS'):
        return 'x'
    if kind == 'SSRC_BARRIER_ID':
        return 'm0'
    assert kind.startswith(('SREG', 'SSRC', 'SDST', 'SMEM_OFFSET')), kind
    return 's'


class Text:
    """What a pseudocode assigns and uses, in order."""

    def __init__(self, text):
        self.has = bool(text)
        lines = (text or '').split('\n')
        self.comments = '\n'.join(line for line in lines if line.strip().startswith('//') or '//' in line)
        code = '\n'.join(re.sub(r'//.*', '', line) for line in lines)
        self.code = re.sub(r'"[^"]*"', '', code)
        self.statements = [s.strip() for s in re.split(r';|\bthen\b|\belse\b|\bdo\b|\n(?=[A-Z]\w*[.\[ ][^=\n]*=)',
                                                       self.code) if s.strip()]

    def split(self, statement):
        """Assigned sides, used side and operator of a statement."""
        m = re.match(r'^(.*?[^=!<>])\s*(\+=|-=|=)(?!=)\s*(.*)$', statement, re.S)
        if not m or m.group(1).count('(') != m.group(1).count(')') or re.match(r'(if|elsif|while|for|return)\b',
                                                                               statement):
            return '', statement, ''
        return m.group(1), m.group(3), m.group(2)

    def access(self, pattern):
        """(read before it is written, written) of the registers that match."""
        name = re.compile(r'(?<![\w.])(?:' + pattern + r')(?!\w)')
        read = written = False
        for statement in self.statements:
            target, used, op = self.split(statement)
            targets = [target]
            while True:  # chains: EXEC[i] = D0[i] = ...
                t2, u2, _ = self.split(used)
                if not t2 or not re.match(r'\w+(\.\w+)*(\[[^\]]*\])*$', t2.strip()):
                    break
                targets.append(t2)
                used = u2
            hits = [(hit, t) for t in targets for hit in name.finditer(t)]
            # in an index or an address it is used; elsewhere on the left it is assigned
            inner = [t[:hit.start()].count('[') > t[:hit.start()].count(']') for hit, t in hits]
            if not written and (name.search(used) or any(inner)):
                read = True
            for (hit, t), inside in zip(hits, inner):
                if inside:
                    continue
                if op in ('+=', '-=') and not written:
                    read = True
                if re.match(r'(\.\w+)?\[(S0|bit\b)', t[hit.end():]):  # some bits of many
                    read = True
                written = True
        return read, written


def preserved(text, what):
    return re.search(what + r'[\[\d: \]]*\s*(is|are)\s+preserved|Unwritten', text.comments) is not None


RETURNS = r'RETURN_DATA|VDATA|SDATA|rtnval|RTN_DATA'


def implicit_of(entry, fmt, text, fields):
    out = []
    for name, pattern in (('scc', 'SCC'), ('vcc', 'VCC|VCCZ'), ('exec', 'EXEC|EXECZ|EXEC_LO'), ('m0', 'M0'),
                          ('pc', 'PC')):
        plain = Text(re.sub(r'IsM0\([^)]*\) \? [^:]*:', '', entry.get('pseudocode') or ''))
        read, written = plain.access(pattern)
        if name == 'vcc':
            if 'sdst' in fields or (fmt == 'VOP3' and fields.get('src2', ['', ''])[1] == 'L'):
                read = written = False  # it is the explicit mask here
            if fmt == 'VOPC' and text.access('D0')[1]:
                written = True
            if fmt == 'VOP2' and entry['name'].startswith('v_cndmask'):
                read = True
        if name == 'pc' and fmt.startswith('V'):
            read = written = False
        if name == 'exec' and any(o['kind'] == 'EXEC' for o in entry.get('operands', {}).values()):
            written = True
        if read or written:
            out.append('%s:%s' % (name, ('r' if read else '') + ('w' if written else '')))
    return out


def fields_bits(entry, field):
    return entry['operands'].get(field, {}).get('bits')


def direction(entry, fmt, field, text):
    name = entry['name']
    if re.match(r'v_(swap|permlane\d+_swap)', name):
        return 'rw'  # exchanges
    if fmt in IMAGES and field == 'vdata':
        return 'r' if '_store' in name or 'atomic' in name else 'w'
    if fmt in BUFFERS and field == 'vdata':
        if 'RETURN_DATA' in text.code:
            return 'r'  # and the old value, see old_value()
        if '_lds' in name or not text.has:
            return 'w'
        read, written = text.access('VDATA')
        if not read and not written:
            read, written = text.access('DATA')
        return 'rw' if written and preserved(text, 'VDATA') else ('r' if read else '') + ('w' if written else '') or 'w'
    if fmt == 'SMEM' and field == 'sdata':
        if 'RETURN_DATA' in text.code:
            return 'r'
        read, written = text.access('SDATA')
        return 'w' if not text.has or written else 'r'
    if fmt in FLATS and field == 'vdst':
        if 'atomic' in name:
            return 'o'
        return 'rw' if preserved(text, 'VDATA') else 'w'
    if fmt == 'DS' and field == 'vdst':
        return 'rw' if preserved(text, 'RETURN_DATA') else 'w'
    if field in ('vdst', 'sdst') and fmt != 'DS':
        if not text.has:
            return 'w'
        if field == 'sdst' and 'vdst' in entry['operands']:
            return 'w'
        read, written = text.access(r'D0|D|tmp(?=\[\w+\] = VGPR\[\w+\]\[VDST)|VGPR\[\w+\]\[(?:VDST\.u32|VDST)\]')
        if fmt == 'SOPK' and not written and re.search(r'\bS0\b', text.code):
            return 'r'
        if re.match(r'if SCC then\s+D0[^\n]*\n\s*endif$', text.code.strip()):
            read = True  # what a conditional move leaves alone
        if re.search(r'\[(addrd?|lane)\](\[VDST|\.b32 = )', text.code) or re.search(r'SGPR\[addr\]\.\w+ = ', text.code):
            written = True
        if fields_bits(entry, 'vdst') != 16 and (preserved(text, 'D0') or preserved(text, 'D')):
            read = True  # 16 bits are a write of 16 bits
        if not written:
            written = True
        return ('r' if read else '') + 'w'
    if fmt == 'DS' and field == 'addr' and re.search(r'RETURN_ADDR|ADDR\w*\s*=\s*ENCODE_ADDR|ENCODE_ADDR', text.code):
        return 'rw'
    return 'r'


def old_value(entry, fmt, text):
    """Bits of the old value that buffer atomics return in the field of the data."""
    m = re.search(r'RETURN_DATA\.\w*?(\d+)', text.code)
    bits = fields_bits(entry, 'vdata') or fields_bits(entry, 'sdata')
    return int(m.group(1)) if m else bits // 2 if 'cmpswap' in entry['name'] else bits


def condense(entry, manual):
    fmt = FORMATS.get(entry['format'], entry['format'])
    text = Text(entry.get('pseudocode'))
    fields = {}
    for field, o in entry.get('operands', {}).items():
        if o['kind'] in IMMEDIATE or o['kind'] == 'EXEC':
            continue
        field = FIELDS.get(field, field)
        bits = str(o['bits'])
        if o['data'] == 'NUM_M64':
            bits = 'L'
        if o['data'].startswith('WMMA_DC') or (o['data'].startswith('WMMA_AB') and manual == 'rdna4'):
            bits += 'h'
        fields[field] = [direction(entry, fmt, field, text), bits, kind_of(o['kind'])]
    operands = []
    for field in DATA_ORDER + sorted(set(fields) - set(DATA_ORDER)):
        if field not in fields:
            continue
        d, bits, kind = fields[field]
        operands.append(':'.join([field, d, bits, kind]))
        if field in ('vdata', 'sdata') and 'RETURN_DATA' in text.code:
            operands.append(':'.join([field, 'o', str(old_value(entry, fmt, text)), kind]))
    implicit = implicit_of(entry, fmt, text, fields)
    return [fmt, str(entry['opcode']), entry['name'], ' '.join(operands) or '-',
            ' '.join(implicit) or ('-' if text.has else '?')]


def borrow(entries):
    """Pseudocode that stands with another encoding of the same instruction alone."""
    have = {}
    for e in entries:
        if e.get('pseudocode'):
            have.setdefault(re.sub('_e(32|64)$', '', e['name']), e['pseudocode'])
    for e in entries:
        name = re.sub('_e(32|64)$', '', e['name']).replace('v_dual_', 'v_')
        if not e.get('pseudocode'):
            for other in (name, name.replace('v_dot2acc_', 'v_dot2c_'), name + '_e32'):
                if other in have:
                    e['pseudocode'] = have[other]
                    break
    return entries


def main():
    source, output = sys.argv[1:]
    for manual, title in MANUALS.items():
        with open(os.path.join(source, manual + '.jsonl'), encoding='utf-8') as f:
            entries = borrow([json.loads(line) for line in f if line.strip()])
            lines = ['\t'.join(condense(entry, manual)) for entry in entries]
        with open(os.path.join(output, manual + '.tsv'), 'w', encoding='utf-8') as f:
            f.write('# Operands and implicit registers per opcode, from AMD\'s machine-readable ISA and "%s ISA" manual; '
                    'made by tests/tools/operands/condense.py, which explains the columns\n' % title)
            f.write('\n'.join(lines) + '\n')


if __name__ == '__main__':
    main()
