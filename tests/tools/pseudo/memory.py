"""Vectors of memory instructions: loads, stores, atomics, scalar and vector, LDS and not.

Addresses are no matter here: every text is evaluated with its own four bytes and more at address 0, and tests put them
where each lane's address points. Texts that are the same but for the name of the address share a section. A second
window N holds what OFFSET1 points to (OFFSET0 is 0, OFFSET1 is 1).
"""
import re

import evaluate as ev
import floats as fl
from grammar import Unsupported, parse
from operands import Kind

FORMATS = ("DS", "SMEM", "VBUFFER", "VFLAT", "VGLOBAL", "VSCRATCH", "FLAT", "GLOBAL", "SCRATCH", "MUBUF", "MTBUF")
DATA = {"DATA": "S0", "DATA2": "S1", "VDATA": "S0", "SDATA": "S0"}
BACK = ("RETURN_DATA", "VDATA", "SDATA")


def unfit(name, text):
    """Why an instruction has no vectors, or None. Hand-written tests have these."""
    if "Format(" in text:
        return "buffer formats"
    if re.search(r"Lane|lane|M0|GS_REGS|LDS\(|thread_|stack_base|VGT_|Prefetch|Swizzle", text):
        return "other lanes, M0, caches"
    if "LDS[" in text or "LDS_OFFSET" in text:
        return "LDS by itself"
    return None


def normal(text):
    t = re.sub(r"//[^\n]*", "", text)
    t = re.sub(r"Calc\w+\([^)]*\)", "ADDR", t)
    t = re.sub(r"\s+", " ", t).strip(" ;")
    t = re.sub(r"\baddr = ADDR;?", "", t)
    t = re.sub(r"\b(addr|ADDR_BASE\.u32)\b", "ADDR", t).replace("ADDR + OFFSET.u32", "ADDR")
    t = re.sub(r"\bdeclare [^;]*;", "", t)
    t = re.sub(r"MEM\[ADDR\](?!\.)", "MEM[ADDR].b32", t)
    t = re.sub(r"RETURN_DATA = ", "RETURN_DATA.b%s = " % (re.findall(r"MEM\[\w+\]\.[a-z]+(\d+)", t) or ["32"])[0], t)
    return re.sub(r" ;( ;)*", ";", t).strip(" ;")


def bits_of(text, name):
    """How many bits of DATA and the like the text looks at or writes; 0: none."""
    n = 0
    for m in re.finditer(r"(?<!\w)%s\b(?:\[(\d+) : (\d+)\])?(?:\.[a-z]+(\d+))?" % name, text):
        n = max(n, int(m.group(1)) + 1 if m.group(1) else int(m.group(3) or 32))
    return (n + 31) // 32 * 32


class MemoryLane(ev.Lane):
    """MEM is bytes from address 0 on."""

    def __init__(self, memory, state):
        super().__init__({}.get, state, {})
        self.memory = bytearray(memory)

    @staticmethod
    def is_memory(e):
        return e[0] == "as" and e[1][0] == "index" and e[1][1] == ("name", "MEM")

    def span(self, e):
        t, w = ev.typ(e[2])
        return t, w, self.expr(e[1][2]).int()

    def e_as(self, e):
        if self.is_memory(e):
            t, w, at = self.span(e)
            return ev.V(t, w, int.from_bytes(self.memory[at:at + w // 8], "little"))
        return super().e_as(e)

    def store(self, e, val):
        if self.is_memory(e):
            t, w, at = self.span(e)
            if t in fl.FORMATS and val.isf() and val.t != t:
                val = ev.to_format(val, t, self.mode())
            unk = val.unk & ((1 << w) - 1)
            self.memory[at:at + w // 8] = (val.bits & ((1 << w) - 1)).to_bytes(w // 8, "little")
            self.unknown = getattr(self, "unknown", 0) & ~(((1 << w) - 1) << 8 * at) | unk << 8 * at
            self.written["MEM"] = self.written.get("MEM", 0) | ((1 << w) - 1) << 8 * at
            return
        super().store(e, val)


class Section:
    def __init__(self, text, names, targets):
        self.text, self.names, self.targets = text, names, targets
        self.tree = parse(text)
        self.inputs = {n: bits_of(re.sub(r"(?<!\w)%s\b[^=;]*=(?!=)" % n, "", text), n) for n in DATA}
        self.back = {n: bits_of(" ".join(re.findall(r"(?<!\w)(%s\b[^=;]*)=(?!=)" % n, text)), n) for n in BACK}
        step = re.search(r"OFFSET1\.u32 \* (\d+)U", text)
        self.step = int(step.group(1)) if step else 0
        touched = self.evaluate(bytes(2048), {n: 0 for n in DATA}).touched
        ends = [at + n for at, n in touched if not self.step or at < self.step]
        self.window = max(ends)

    def evaluate(self, memory, data):
        state = {n: ev.V("b", 128 if n != "SDATA" else 512, x) for n, x in data.items()}
        state.update(ADDR=ev.u(32, 0), OFFSET0=ev.u(32, 0), OFFSET1=ev.u(32, 1), RETURN_DATA=ev.V("b", 128, 0))
        lane = Noting(memory, state)
        lane.run(self.tree)
        return lane

    def kind(self, bits):
        f = re.search(r"\.(f16|bf16|f32|f64)", self.text)
        return Kind("MEM.%s" % f.group(1) if f else "", "MEM", bits) if not f or f.group(1) not in ("f16", "bf16") \
            else Kind("MEM[31:16].%s" % f.group(1), "MEM", bits)

    def draw(self, rng, bits, like=None):
        if like is not None and rng.random() < 0.3:
            return like & ((1 << bits) - 1)
        float_bits = 64 if "f64" in self.text else 32
        if bits > 64 or "f" in self.text and bits > float_bits:
            half = float_bits if bits > float_bits else 32
            return self.draw(rng, half) | self.draw(rng, bits - half) << half
        return self.kind(bits).draw(rng) & ((1 << bits) - 1)

    def vector(self, rng):
        bits = 8 * self.window
        m = self.draw(rng, bits)
        n = self.draw(rng, bits) if self.step else 0
        data = {name: self.draw(rng, max(32, b), m) for name, b in self.inputs.items()}
        if self.inputs["DATA"] == 2 * bits:  # compare and swap: the second half may meet
            data["DATA"] = self.draw(rng, bits) | self.draw(rng, bits, m) << bits
        if "_src2_" in self.names[0] and rng.random() < 0.3:
            n = m
        memory = bytearray(2048)
        memory[0:self.window] = m.to_bytes(self.window, "little")
        if self.step:
            memory[self.step:self.step + self.window] = n.to_bytes(self.window, "little")
        return m, n, data, self.evaluate(memory, data)

    def lines(self, rng, count):
        head = ["M:%d" % (8 * self.window)] + (["N:%d" % (8 * self.window)] if self.step else [])
        used = [n for n in DATA if self.inputs[n]]
        back = [n for n in BACK if self.back[n]]
        head += ["%s:%d" % (DATA[n], self.inputs[n]) for n in used] + [">"]
        head += ["M:%d" % (8 * self.window)] + (["N:%d" % (8 * self.window)] if self.step else [])
        head += ["D0:%d" % self.back[n] for n in back]
        out = []
        tries = 0
        while len(out) < count and tries < 4 * count:
            tries += 1
            try:
                m, n, data, lane = self.vector(rng)
            except ev.Unspecified:
                continue
            words = ["%x" % m] + (["%x" % n] if self.step else []) + ["%x" % data[k] for k in used] + [">"]
            words.append(self.shown(lane, 0))
            if self.step:
                words.append(self.shown(lane, self.step))
            for k in back:
                mask = lane.written.get(k, 0)
                v = lane.v[k]
                care = mask & ~v.unk
                words.append("%x" % (v.bits & care) + ("" if care == (1 << self.back[k]) - 1 else "/%x" % care))
            if re.search(r"MEM\[ADDR\]\.f32 (\+=|= tmp \+)", self.text) and denormal(m, n, data["DATA"], lane):
                continue  # some targets' memory flushes them
            if " ".join(words) not in out:
                out.append(" ".join(words))
        if not out:
            raise Unsupported("nothing is specified")
        return ["= %s %s %s" % (",".join(self.names), ",".join(self.targets), " ".join(head))] + out

    def shown(self, lane, at):
        full = (1 << 8 * self.window) - 1
        bits = int.from_bytes(lane.memory[at:at + self.window], "little")
        care = full & ~(getattr(lane, "unknown", 0) >> 8 * at)
        return "%x" % (bits & care) + ("" if care == full else "/%x" % care)


def denormal(m, n, data, lane):
    return any(fl.is_denormal(x & 0xFFFFFFFF, "f32") for x in (m, n, data, int.from_bytes(lane.memory[0:4], "little")))


class Noting(MemoryLane):
    """Which bytes are touched."""

    def __init__(self, memory, state):
        super().__init__(memory, state)
        self.touched = []

    def span(self, e):
        t, w, at = super().span(e)
        self.touched.append((at, w // 8))
        return t, w, at


def sections(rows, left_out):
    """rows: (target, row of the manual). Sections in the order met."""
    texts = {}
    for target, r in rows:
        if r["format"] not in FORMATS:
            continue
        if "pseudocode" not in r:
            left_out.setdefault((r["name"], "no pseudocode"), []).append(target)
            continue
        why = unfit(r["name"], r["pseudocode"])
        if why:
            left_out.setdefault((r["name"], why), []).append(target)
            continue
        names, targets = texts.setdefault(normal(r["pseudocode"]), ([], []))
        if r["name"] not in names:
            names.append(r["name"])
        if target not in targets:
            targets.append(target)
    out = []
    for text, (names, targets) in texts.items():
        try:
            out.append(Section(text, names, targets))
        except Unsupported as e:
            for n in names:
                left_out.setdefault((n, str(e)), []).extend(targets)
    return out
