"""Operand values: corners of the type the pseudocode reads, mixed with seeded random ones."""
import re

import floats as fl

INT_CORNERS = [0, 1, 2, 3, 7, 8, 15, 16, 24, 31, 32, 33, 63, 64, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFF,
               0x800000, 0xFFFFFF, 0x1000000, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFF8000, 0xFFFFFFFE, 0xFFFFFFFF]


def float_corners(fmt):
    e, m = fl.FORMATS[fmt]
    bias = (1 << (e - 1)) - 1
    one, top = bias << m, 1 << (e + m)
    inf, q = fl.inf(fmt), 1 << (m - 1)
    pos = [0, 1, 1 << (m - 1), (1 << m) - 1, 1 << m, one - 1, one, one + 1, one | q, one - (1 << m), (bias + 1) << m,
           ((bias + 1) << m) | q, (bias + m) << m, (bias + m - 1) << m | 1, inf - 1, inf, inf | q, inf | q | 5, inf | 3,
           inf | 1]
    return [x | s for x in pos for s in (0, top)]


def number(rng, fmt):
    e, m = fl.FORMATS[fmt]
    bias = (1 << (e - 1)) - 1
    pick = rng.random()
    s = rng.getrandbits(1) << (e + m)
    if pick < 0.45:
        return rng.choice(float_corners(fmt))
    if pick < 0.6:  # whole numbers and halves
        return fl.rounded(fl.Fraction(rng.randrange(-200, 200), 2), fmt)
    if pick < 0.8:
        ex = max(1, min((1 << e) - 2, bias + rng.randrange(-6, m + 3)))
        return s | ex << m | rng.getrandbits(m)
    if pick < 0.86:
        return s | rng.getrandbits(m)
    return rng.getrandbits(1 + e + m)


def integer(rng, bits):
    pick = rng.random()
    if bits > 64:
        return integer(rng, 64) | integer(rng, bits - 64) << 64
    if bits == 64 and pick < 0.5:
        return rng.choice([0, 1, 1 << 31, 1 << 32, (1 << 32) - 1, 1 << 63, (1 << 63) - 1, (1 << 64) - 1, 1 << 33,
                           (1 << 64) - (1 << 31), rng.getrandbits(64) >> rng.randrange(64)])
    if pick < 0.45:
        return rng.choice(INT_CORNERS)
    if pick < 0.65:
        return rng.getrandbits(bits) >> rng.randrange(bits)
    return rng.getrandbits(bits)


def contender(rng, fmt):
    """For minima and maxima: what decides them."""
    m = fl.FORMATS[fmt][1]
    inf, top = fl.inf(fmt), 1 << (fl.width(fmt) - 1)
    q = inf | 1 << (m - 1)
    return rng.choice([0, top, 0, top, inf | 1, inf | top | 3, q | 5, q | top | 9, fl.rounded(fl.Fraction(1), fmt)])


class Kind:
    """How to draw operand `name` of an instruction with this text."""

    def __init__(self, text, name, bits):
        self.bits = bits
        flat = re.sub(r"\s+", "", text)
        self.packed = None
        self.low = None
        m = re.search(name + r"\[31:16\]\.([a-z]+16)", flat)
        p = re.search(name + r"\[63:32\]\.f32", flat)
        f = re.search(r"(?<!\w)" + name + r"\.(f16|f32|f64|bf16)", flat)
        self.power = "**" in flat and name == "S1"
        if m and bits == 32:
            self.packed = m.group(1)
        elif p:
            self.packed = "f32"
        elif f:
            self.low = f.group(1)
        elif name in ("SIMM32", "SIMM16"):
            self.low = "f32" if "SIMM32.f32" in flat else None
        self.mix = flat.find("OPSEL_HI.u3[i]") >= 0
        self.halves = re.search(name + r"\.[uib]16", flat)
        self.class_mask = "result=" + "S1.u32[" in flat and name == "S1"

    def draw_contender(self, rng):
        fmt = self.low or (self.packed if self.packed in fl.FORMATS else None)
        if not fmt:
            return self.draw(rng)
        w = fl.width(fmt)
        return contender(rng, fmt) | (contender(rng, fmt) << w if self.bits >= 2 * w else 0)

    def draw(self, rng):
        if self.mix:
            return number(rng, "f32") if rng.random() < 0.5 else number(rng, "f16") | number(rng, "f16") << 16
        if self.power:
            if rng.random() < 0.8:
                return rng.choice([0, 1, -1, 5, 10, -10, 14, -14, 15, 24, -24, 30, -30, 126, 127, -126, -127, -149, 150,
                                   200, -200, 1023, -1022, -1074, 1100, -1100, rng.randrange(-60, 60)]) & 0xFFFFFFFF
            return integer(rng, 32)
        if self.class_mask:
            return rng.choice([1 << rng.randrange(10), rng.getrandbits(10), rng.getrandbits(32)])
        if self.packed in fl.FORMATS:
            w = fl.width(self.packed)
            return number(rng, self.packed) | number(rng, self.packed) << w
        if self.packed or self.halves:
            return integer(rng, 16) & 0xFFFF | (integer(rng, 16) & 0xFFFF) << 16
        if self.low:
            w = fl.width(self.low)
            junk = rng.getrandbits(self.bits - w) if self.bits > w else 0
            return number(rng, self.low) | junk << w
        return integer(rng, self.bits) & ((1 << self.bits) - 1)
