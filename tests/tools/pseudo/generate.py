#!/usr/bin/env python3
"""Turns the manuals' pseudocode into test vectors: tests/unit/isa/vectors/*.txt.

    python3 tests/tools/pseudo/generate.py REFERENCE_DIR OUT_DIR [--scale N] [--all]

REFERENCE_DIR holds {rdna3_5,rdna4,cdna4}.jsonl: one instruction per line with its operands and pseudocode. --scale
makes N times the vectors (to look for differences, not to be kept); --all keeps what exclude.py leaves out.
What could not be evaluated is written to OUT_DIR/LEFT_OUT.txt with the reason.
"""
import argparse
import json
import os
import random
import re
import sys
import zlib

import evaluate as ev
import exclude
import extra
import grammar
import memory
from grammar import Unsupported
from operands import Kind

MANUALS = [("rdna3_5", "gfx1150"), ("rdna4", "gfx1200"), ("cdna4", "gfx942"), ("cdna4", "gfx950")]
SALU = ("SOP1", "SOP2", "SOPC", "SOPK")
VALU = ("VOP1", "VOP2", "VOPC", "VOP3", "VOP3P", "VOP3SD")
FILES = {"s": "salu", "v_cmp": "compare", "v_pk": "packed", "v_cvt": "convert"}


class Section:
    """One meaning of one mnemonic, and the targets that have it."""

    def __init__(self, name, text, fmt, operands):
        self.name, self.text, self.fmt = name, text, fmt
        self.operands = operands
        self.targets = []


def manual_rows(folder):
    for manual, target in MANUALS:
        with open(os.path.join(folder, manual + ".jsonl")) as f:
            rows = [json.loads(line) for line in f]
        rows += dual_alone(rows)
        own = {r["name"] for r in rows if "pseudocode" in r and not exclude.rewritten(r["name"])}
        more = [r for r in extra.rows() if target == "gfx942" and r["name"] not in own]
        for r in [r for r in rows if not exclude.rewritten(r["name"])] + more:
            yield target, r


def dual_alone(rows):
    """Instructions that are half of a pair and nothing else: by their own names, the fields as VOP2 has them."""
    known = {base_name(r["name"]) for r in rows}
    for r in rows:
        name = r["name"].replace("v_dual_", "v_", 1)
        if r["format"] == "VOPD" and "pseudocode" in r and name not in known:
            operands = {re.sub(r"y(?=\d|$)", "", field): o for field, o in r["operands"].items()}
            yield dict(r, format="VOP2", name=name, operands=operands)


def base_name(n):
    return re.sub(r"_e(32|64)$", "", n)


def strip(text):
    return re.sub(r"\s+", " ", re.sub(r"//[^\n]*", " ", text)).strip(" ;")


def load(folder, left_out):
    """Sections in the order met, and per manual: name -> tree."""
    sections, trees, rows_of, texts = {}, {}, [], {t: {} for _, t in MANUALS}
    for manual, target in MANUALS:
        known = trees[target] = {}
        for _, r in (x for x in manual_rows(folder) if x[0] == target):
            if r["format"] not in SALU + VALU:
                continue
            name = base_name(r["name"])
            why = exclude.instruction(name, target)
            if "pseudocode" not in r:
                if name not in known and why != exclude.SHARED:
                    left_out.setdefault((name, "no pseudocode"), []).append(target)
                continue
            if why:
                if why != exclude.SHARED:
                    left_out.setdefault((name, why), []).append(target)
                continue
            try:
                known.setdefault(name, grammar.parse(exclude.corrected(name, r["pseudocode"])))
            except Unsupported as e:
                left_out.setdefault((name, str(e)), []).append(target)
                continue
            rows_of.append((target, name, exclude.corrected(name, r["pseudocode"]), r))
            texts[target].setdefault(name, strip(rows_of[-1][2]))
    for target, name, text, r in rows_of:
        # a text that calls other instructions means what theirs mean
        key = (name, strip(text), called(text, texts[target]))
        s = sections.setdefault(key, Section(name, text, r["format"], r.get("operands") or {}))
        for t in (target, exclude.ALSO.get((name, target))):
            if t and t not in s.targets:
                s.targets.append(t)
    return list(sections.values()), trees


def called(text, texts):
    names = sorted(n for n in set(re.findall(r"\bv_\w+(?=\()", text)) if n in texts)
    return tuple((n, texts[n], called(texts[n], texts)) for n in names)


def widths(s):
    """Bits of each source and of the destination."""
    out = {"D0": 32}
    for field, o in s.operands.items():
        bits = max(32, o["bits"])
        m = re.match(r"[vs]*src(\d)$", field)
        if m:
            out["S" + m.group(1)] = bits
        elif field in ("vdst", "sdst"):
            out["D0"] = bits
    for n in re.findall(r"\bS([0-2])\b", s.text):
        out.setdefault("S" + n, 32)
    if s.fmt == "VOPC" or s.name.startswith("v_cmp"):
        out["D0"] = 64
    return out


def variants(s):
    """Modifiers worth a section of their own."""
    flat = re.sub(r"\s+", "", s.text)
    if "OPSEL_HI.u3[i]" in flat:
        return [{"OPSEL": 0, "OPSEL_HI": 0}, {"OPSEL": 5, "OPSEL_HI": 7}, {"OPSEL": 2, "OPSEL_HI": 3}]
    if "NEG[0]" in flat:
        return [{"NEG": n} for n in range(4)]
    if "OPSEL[1:0]" in flat:
        return [{"OPSEL": n} for n in range(4)]
    if "OPSEL[3:2]" in flat:
        return [{"OPSEL": n << 2} for n in range(4)]
    if "OPSEL[3]" in flat or "OPSEL.u4[3]" in flat:
        return [{"OPSEL": 0}, {"OPSEL": 8}]
    if "OPSEL[0].i32*32" in flat:
        return [{"OPSEL": n} for n in range(4)]
    if "OPSEL[0]" in flat:
        return [{"OPSEL": 0}, {"OPSEL": 1}]
    return [{}]


def modes(s):
    """IEEE on; off as well where the meaning asks for it, itself or through an instruction it calls."""
    text = s.text
    calls = re.findall(r"\b(v_m(?:in|ax)3?_f\d+)\(", text)
    return (True, False) if "WAVE_MODE.IEEE" in text or calls else (True,)


class Vectors:
    def __init__(self, s, trees, mods, ieee):
        self.s, self.mods, self.ieee = s, mods, ieee
        known = trees[s.targets[0]]
        self.insts = known.get
        self.tree = grammar.parse(s.text)
        self.w = widths(s)
        self.kinds = {n: Kind(s.text, n, b) for n, b in self.w.items() if n != "D0"}
        self.old = Kind(s.text, "D0", self.w["D0"])
        self.salu = s.fmt in SALU
        self.sopk_k = None  # SOPK: which source is the immediate
        if s.fmt == "SOPK" and "SIMM16" not in s.text:
            self.sopk_k = "S1" if "S1" in self.w else "S0"
        self.ordering = re.search(r"_(min|max|med)", s.name)
        self.lane_id = "laneId.u32" in s.text
        self.dropped = self.any_nan = 0
        self.excluded = {}  # reason -> vectors left out

    def draw(self, rng, k):
        close = self.ordering and rng.random() < 0.4
        d = {n: kind.draw_contender(rng) if close else kind.draw(rng) for n, kind in self.kinds.items()}
        if rng.random() < 0.12 and "S1" in d and self.w["S0"] == self.w["S1"]:
            d["S1"] = d["S0"]
        d["D0"] = self.old.draw(rng)
        d["VCC"], d["SCC"] = rng.getrandbits(1), rng.getrandbits(1)
        d["EXEC"] = rng.choice([0, 1, (1 << 64) - 1, rng.getrandbits(64), rng.getrandbits(64)]) if self.salu else 1
        d["SIMM16"] = rng.choice([0, 1, 0x7FFF, 0x8000, 0xFFFF, rng.getrandbits(16), rng.getrandbits(16)])
        d["SIMM32"] = self.constant(rng)
        if self.sopk_k:
            d[self.sopk_k] = d["SIMM16"]
        d["laneId"] = k % 64 if self.lane_id else 0
        return d

    def constant(self, rng):
        flat = re.sub(r"\s+", "", self.s.text)
        kind = Kind(flat.replace("SIMM32", "S9").replace("SIMM16", "S9"), "S9", 32)
        x = kind.draw(rng)
        return x & 0xFFFF if kind.low == "f16" else x

    def evaluate(self, d):
        state = {n: ev.V("b", b, d[n]) for n, b in self.w.items()}
        state["VCC"] = ev.V("b", 64, d["VCC"])
        state["EXEC"] = ev.V("b", 64, d["EXEC"])
        state["SCC"] = ev.u(1, d["SCC"])
        state["SIMM16"], state["SIMM32"] = ev.V("b", 16, d["SIMM16"]), ev.V("b", 32, d["SIMM32"])
        state["laneId"] = ev.u(32, d["laneId"])
        if "D1" in self.s.text:
            state["D1"] = ev.V("b", 64, 0)
        if self.s.name.startswith("v_div_scale"):  # what no branch assigns is S0 as it is
            state["D0"] = state["S0"]
        lane = Tracking(self.insts, state, self.mods, self.ieee)
        lane.run(self.tree)
        return lane

    def make(self, count):
        rng = random.Random(zlib.crc32(("%s %s %s" % (self.s.name, sorted(self.mods.items()), self.ieee)).encode()))
        done, reads, writes = [], set(), set()
        tries = 0
        while len(done) < count and tries < 6 * count:
            d = self.draw(rng, tries)
            tries += 1
            try:
                lane = self.evaluate(d)
            except ev.Unspecified:
                self.dropped += 1
                continue
            done.append((d, lane))
            reads |= lane.reads
            writes |= set(lane.written)
        if not done:
            raise Unsupported("nothing is specified")
        return self.lines(done, reads, writes)

    def lines(self, done, reads, writes):
        s = self.s
        mask_out = s.name.startswith("v_cmp")
        partial = any("D0" not in lane.written for _, lane in done) and "D0" in writes
        keep = partial or "VDST.u32]" in s.text
        if s.name.startswith("v_div_scale"):
            keep, reads = False, reads - {"D0"}
            writes.add("D0")
        elif keep:
            reads.add("D0")
        inputs = [n for n in ("S0", "S1", "S2", "D0", "SIMM16", "SIMM32", "VCC", "SCC", "EXEC") if n in reads]
        if mask_out:
            inputs = [n for n in inputs if n != "D0"]
        head, names = [], []
        for n in inputs:
            if n == "SIMM16" or n == "SIMM32" or n == self.sopk_k:
                names.append((n, "K"))
            elif n == "S0" and s.fmt == "SOPK":
                names.append((n, "D0"))
            else:
                names.append((n, n))
        outs = []
        if "D0" in writes:
            outs.append(("D0", "CO" if mask_out else "D0"))
        if "D1" in writes:
            outs.append(("D1", "CO"))
        if "VCC" in writes:
            outs.append(("VCC", "CO"))
        outs += [(n, n) for n in ("SCC", "EXEC") if n in writes]
        if not outs:
            raise Unsupported("writes nothing a vector can hold")
        for n, shown in names:
            head.append("%s:%d" % (shown, 64 if n == "EXEC" else self.w.get(n, 32)) if n not in ("VCC", "SCC") else n)
        head.append(">")
        whole = keep or s.name.startswith("v_div_scale")
        out_bits = 16 if not whole and all(lane.written.get("D0") == 0xFFFF for _, lane in done) else self.w["D0"]
        for n, shown in outs:
            head.append("D0:%d" % out_bits if shown == "D0" else shown)
        lines, seen = [], set()
        for d, lane in done:
            # a lane number belongs to the place of the vector, so nothing may be dropped there
            text = " ".join("%x" % d[n] for n, _ in names) + " >"
            for n, shown in outs:
                v = lane.v[n]
                if shown == "D0":
                    full = (1 << out_bits) - 1
                    care = (full if whole else lane.written["D0"]) & full & ~v.unk
                    self.any_nan += v.unk != 0
                    text += " %x" % (v.bits & care) + ("" if care == full else "/%x" % care)
                elif shown == "CO" or n == "EXEC" and not self.salu:
                    text += " %d" % (v.bits & 1)
                else:
                    text += " %x" % v.bits
            why = exclude.vector(s.name, d, lane)
            if why and not exclude.OFF:
                self.excluded[why] = self.excluded.get(why, 0) + 1
                continue
            if text not in seen or self.lane_id:
                seen.add(text)
                lines.append(text)
        flags = ["%s=%d" % ({"OPSEL": "op_sel", "OPSEL_HI": "op_sel_hi", "NEG": "neg"}[k], x)
                 for k, x in sorted(self.mods.items())]
        if not self.ieee:
            flags.append("ieee=0")
        if self.lane_id:
            flags.append("lane=1")
        if exclude.approximate(s.name):
            flags.append("ulp=1")
        header = "= %s %s %s" % (s.name, ",".join(s.targets), " ".join(head + (["|"] + flags if flags else [])))
        return [header] + ["# left out, %s: %d" % (why, n) for why, n in sorted(self.excluded.items())] + lines


class Tracking(ev.Lane):
    """A lane that notes which of its inputs were read before they were written."""

    def __init__(self, *a):
        super().__init__(*a)
        self.reads = set()

    def e_name(self, e):
        if e[1] not in self.written:
            self.reads.add(e[1])
        return super().e_name(e)

    def statement(self, s):
        if s[0] == "declare" and s[1] == "S":
            self.reads |= {"S0", "S1", "S2"}
        super().statement(s)


def file_of(name):
    for prefix, f in FILES.items():
        if name.startswith(prefix + "_"):
            return f
    m = re.search(r"_(f16|f32|f64|i16|u16|b16)(?:$|_)", name)
    return "half" if m and m.group(1).endswith("16") else m.group(1) if m else "integer"


def write_left_out(path, left_out, covered):
    by_reason, named = {}, set()
    # an instruction without pseudocode in one encoding may have it, and another reason, in the other
    for (name, why), targets in sorted(left_out.items(), key=lambda x: x[0][1] == "no pseudocode"):
        gone = [t for t in sorted(set(targets)) if name not in covered[t] and (name, t) not in named]
        named |= {(name, t) for t in gone}
        if gone:
            by_reason.setdefault(why, []).append("%s (%s)" % (name, " ".join(gone)))
    with open(path, "w") as o:
        for why in sorted(by_reason):
            o.write("%s:\n" % why)
            for n in sorted(by_reason[why]):
                o.write("    %s\n" % n)


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("reference")
    p.add_argument("out")
    p.add_argument("--scale", type=int, default=1)
    p.add_argument("--all", action="store_true")
    p.add_argument("--only", default="")
    a = p.parse_args()
    exclude.OFF = a.all
    left_out, files = {}, {}
    sections, trees = load(a.reference, left_out)
    covered = {t: set() for _, t in MANUALS}
    count = nans = 0
    for s in sections:
        if not re.search(a.only, s.name):
            continue
        for ieee in modes(s):
            for mods in variants(s):
                try:
                    v = Vectors(s, trees, mods, ieee)
                    n = 32 if s.fmt in SALU or s.name.startswith("v_cmp") else 44
                    lines = v.make(64 if v.lane_id else n * a.scale)
                except (Unsupported, ev.Unspecified) as e:
                    left_out.setdefault((s.name, str(e)), []).extend(s.targets)
                    continue
                if len(lines) - 1 - len(v.excluded) == 0:
                    left_out.setdefault((s.name, "; ".join(v.excluded)), []).extend(s.targets)
                    continue
                if v.dropped:
                    lines.insert(1, "# not said by the manual, dropped: %d" % v.dropped)
                files.setdefault(file_of(s.name), []).append(lines)
                count += sum(line[0] not in "=#" for line in lines)
                nans += v.any_nan
                for t in s.targets:
                    covered[t].add(s.name)
    shared = (x for x in manual_rows(a.reference) if x[0] != "gfx950")  # as gfx942's
    for s in memory.sections(shared, left_out):
        names = [n for n in s.names if re.search(a.only, n)]
        if not names:
            continue
        try:
            lines = s.lines(random.Random(zlib.crc32(s.text.encode())), 16 * a.scale)
        except Unsupported as e:
            for n in s.names:
                left_out.setdefault((n, str(e)), []).extend(s.targets)
            continue
        files.setdefault("memory", []).append(lines)
        count += len(lines) - 1
        for t in s.targets:
            covered[t] |= set(s.names)
    os.makedirs(a.out, exist_ok=True)
    for f, blocks in files.items():
        with open(os.path.join(a.out, f + ".txt"), "w") as o:
            o.write("# Made by tests/tools/pseudo/generate.py; the format is explained in tests/unit/isa/test_vectors.c\n")
            for b in blocks:
                o.write("\n".join(b) + "\n")
    write_left_out(os.path.join(a.out, "LEFT_OUT.txt"), left_out, covered)
    print("%d vectors, %d of them with any quiet NaN;" % (count, nans), ", ".join("%s %d instructions" % (t, len(c)) for t, c in covered.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
