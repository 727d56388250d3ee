"""Evaluates a parsed instruction for one lane.

What the manuals leave unsaid, and what is assumed here:
  * integer arithmetic is done in the wider operand's width, at least 32 bits, and wraps; shifts past the width give
    zeros (or signs); comparisons are of values;
  * "x.TYPE" looks at bits, except from one float format to another; "N'F(x)" of an integer is its bits too (the
    manuals write NaNs so), of a float a conversion that keeps NaN payloads;
  * float arithmetic rounds each operation once, to nearest even; a NaN that comes out of arithmetic is any quiet NaN,
    which is what the `unk` bits of a value say: bits nobody promises;
  * "x == -0.0" and "x == +0.0", the sign written out, distinguish the zeros (CDNA's minimum and maximum);
  * powers of two are exact until something is multiplied by them;
  * xN_to_yM(float to integer) truncates and saturates, NaN gives 0.
"""
import math
from fractions import Fraction

import floats as fl
from grammar import Unsupported


class Unspecified(Exception):
    """The manual does not say what comes out for these operands: the vector is dropped."""


class Break(Exception):
    pass


class Return(Exception):
    pass


class V:
    """Bits with a type: 'u', 'i', 'b', a float format, 'real' (bits: a Fraction) or 'denorm' (the class)."""
    __slots__ = ("t", "w", "bits", "unk")

    def __init__(self, t, w, bits, unk=0):
        self.t, self.w, self.unk = t, w, unk
        self.bits = bits & ((1 << w) - 1) if t != "real" else bits

    def isf(self):
        return self.t in fl.FORMATS

    def int(self):
        if self.t == "i" and self.bits >> (self.w - 1) & 1:
            return self.bits - (1 << self.w)
        return self.bits


def flt(fmt, bits):
    return V(fmt, fl.width(fmt), bits)


def any_nan(fmt):
    e, m = fl.FORMATS[fmt]
    q = fl.quiet(fl.inf(fmt), fmt)
    return V(fmt, fl.width(fmt), q, ((1 << fl.width(fmt)) - 1) & ~q)


def u(w, x):
    return V("u", w, x)


def typ(name):
    """'u32' -> ('u', 32); 'f16' -> ('f16', 16)"""
    if name in fl.FORMATS:
        return name, fl.width(name)
    if name[0] in "uib" and name[1:].isdigit():
        return name[0], int(name[1:])
    raise Unsupported("type " + name)


def cast_type(tok):
    n, k = tok.split("'")
    if k == "F":
        return "f" + n, int(n)
    if k == "BF":
        return "bf16", 16
    return k.lower(), int(n)


def to_format(v, fmt, mode):
    """A cast to a float format."""
    if v.t == "real":
        return flt(fmt, fl.rounded(v.bits, fmt, 0, mode))
    if v.isf():
        r = flt(fmt, fl.convert_keep(v.bits, v.t, fmt, mode))
        if v.unk:
            return any_nan(fmt)
        return r
    return V(fmt, fl.width(fmt), v.bits, v.unk)


class Lane:
    def __init__(self, instructions, state, mods, mode_ieee=True, depth=0):
        self.insts = instructions  # name -> tree, for calls of one instruction by another
        self.v = dict(state)       # S0, S1, S2, D0, D1, VCC, EXEC, SCC, ... -> V
        self.v["ROUND_MODE"] = u(32, 0)
        self.mods, self.ieee, self.depth = mods, mode_ieee, depth
        self.lambdas = {}
        self.written = {}  # name -> mask of bits written
        self.reads_old = False
        self.result = None  # last typed value given to D0

    # --- names and lvalues -------------------------------------------------------------------------------------

    def name(self, n):
        if n in self.v:
            return self.v[n]
        if n == "INF":
            return flt("f64", fl.inf("f64"))
        if n == "NAN":
            return any_nan("f64")
        if n == "DENORM":
            return V("denorm", 1, 0)
        if n == "MAX_FLOAT_F32":
            return flt("f32", fl.largest("f32"))
        if n in ("OPSEL", "OPSEL_HI", "NEG", "NEG_HI"):
            return u(4, self.mods.get(n, 7 if n == "OPSEL_HI" else 0))
        if n == "SDWA_SRC0_SEL":
            return u(3, 6)
        if n in ("BYTE0", "BYTE1", "BYTE2", "BYTE3", "WORD0", "WORD1"):
            return u(3, ["BYTE0", "BYTE1", "BYTE2", "BYTE3", "WORD0", "WORD1"].index(n))
        if n == "ROUND_TOWARD_ZERO":
            return u(32, fl.TOWARD_ZERO)
        if n == "ROUND_NEAREST_EVEN":
            return u(32, fl.NEAREST_EVEN)
        if n in ("OVERFLOW_F32", "OVERFLOW_F64", "UNDERFLOW_F32", "UNDERFLOW_F64"):
            raise Unspecified(n)
        raise Unsupported("name " + n)

    @staticmethod
    def alias(e):
        """VGPR[laneId][SRC0.u32] is S0, VGPR[laneId][VDST.u32] is D0, WAVE_MODE.IEEE a name of its own."""
        if e[0] == "index" and e[1][0] == "index" and e[1][1] == ("name", "VGPR"):
            if e[1][2] == ("name", "laneId") and e[2][0] == "as" and e[2][1][0] == "name":
                to = {"SRC0": "S0", "SRC1": "S1", "SRC2": "S2", "VDST": "D0"}.get(e[2][1][1])
                if to:
                    return ("name", to)
            raise Unsupported("other lanes' registers")
        return e

    def place(self, e):
        """(variable, array element or None, offset, width, type or None) of an lvalue."""
        e = self.alias(e)
        if e[0] == "name":
            cur = self.v.get(e[1])
            if cur is None:
                cur = self.v[e[1]] = V("b", 128, 0)
            if isinstance(cur, list):
                return e[1], None, 0, 0, None
            return e[1], None, 0, cur.w, None
        if e[0] == "as":
            n, k, off, _, _ = self.place(e[1])
            t, w = typ(e[2])
            return n, k, off, w, t
        if e[0] == "index":
            i = self.expr(e[2]).int()
            n, k, off, _, _ = self.place(e[1])
            if isinstance(self.v[n], list) and k is None:
                return n, i, 0, self.v[n][i].w, None
            return n, k, off + i, 1, None
        if e[0] == "slice":
            hi, lo = self.expr(e[2]).int(), self.expr(e[3]).int()
            n, k, off, _, t = self.place(e[1])
            return n, k, off + min(lo, hi), abs(hi - lo) + 1, t if t in ("u", "i") else None
        raise Unsupported("assignment to " + e[0])

    def store(self, e, val):
        if e[0] == "cat":
            at = sum(self.place(p)[3] for p in e[1])
            for p in e[1]:
                w = self.place(p)[3]
                at -= w
                self.store(p, V("b", w, val.bits >> at, val.unk >> at & ((1 << w) - 1)))
            return
        if e[0] == "as" and e[1] == ("name", "TRAPSTS") or e == ("as", ("name", "WAVE_STATUS"), "PRIV"):
            return
        e = self.alias(e)
        if e[0] == "name" and e[1] not in ("D0", "D1", "SCC", "EXEC", "VCC"):
            old = self.v.get(e[1])
            if isinstance(old, V) and e[1] in self.declared:
                val = self.cast(old.t, old.w, val)
            self.v[e[1]] = val
            return
        n, k, off, w, t = self.place(e)
        if t in fl.FORMATS and val.t == "real" or t in fl.FORMATS and val.isf() and val.t != t:
            val = to_format(val, t, self.mode())
        elif val.t == "i" and val.w < w:
            val = V("i", w, val.int())
        old = self.v[n] if k is None else self.v[n][k]
        mask = (1 << w) - 1
        bits = old.bits & ~(mask << off) | (val.bits & mask) << off
        unk = old.unk & ~(mask << off) | (val.unk & mask) << off
        width = max(old.w, off + w)
        new = V(old.t, width, bits, unk)
        # a scratch variable takes the type it is given
        if n not in ("D0", "D1", "SCC", "EXEC", "VCC") and off == 0 and e[0] == "as" and e[1][0] == "name" and t:
            new = V(t, w, val.bits, val.unk)
        if k is None:
            self.v[n] = new
        else:
            self.v[n][k] = new
        if n == "D0":
            self.result = V(t or "b", w, val.bits, val.unk)
        self.written[n] = self.written.get(n, 0) | mask << off

    def mode(self):
        return self.v["ROUND_MODE"].bits

    # --- statements ----------------------------------------------------------------------------------------------

    declared = ()

    def run(self, body):
        for s in body:
            self.statement(s)

    def statement(self, s):
        op = s[0]
        if op == "set":
            val = self.expr(s[3])
            if s[1] != "=":
                val = self.binary(s[1][0], self.expr(s[2][0]), val)
            for target in s[2]:
                self.store(target, val)
        elif op == "if":
            for cond, body in s[1]:
                if self.truth(cond):
                    return self.run(body)
            self.run(s[2])
        elif op == "for":
            first, last = self.expr(s[2]), self.expr(s[3])
            try:
                for i in range(first.int(), last.int() + 1):
                    self.v[s[1]] = V(first.t, first.w, i)
                    self.run(s[4])
            except Break:
                pass
        elif op == "declare":
            if "[" in s[1]:
                raise Unsupported("declaration")
            t, w = cast_type(s[2])
            if s[1] == "S":
                self.v["S"] = [self.v["S0"], self.v["S1"], self.v["S2"]]
            elif s[1] == "CVT_OFF_TABLE":
                raise Unsupported("table without contents")
            elif s[3]:
                self.v[s[1]] = [V(t, w, 0) for _ in range(s[3])]
            else:
                self.v[s[1]] = V(t, w, 0)
                self.declared = tuple(self.declared) + (s[1],)
        elif op == "lambda":
            self.lambdas[s[1]] = (s[2], s[3])
        elif op == "return":
            r = Return()
            r.value = self.expr(s[1])
            raise r
        elif op == "break":
            raise Break()
        elif op == "expr":
            raise Unsupported("statement " + str(s[1][:2]))

    def truth(self, e):
        v = self.expr(e)
        if v.unk:
            raise Unspecified("decision on bits nobody promises")
        return v.bits != 0

    # --- expressions ---------------------------------------------------------------------------------------------

    def expr(self, e):
        return getattr(self, "e_" + e[0])(self.alias(e)) if e[0] != "index" else self.e_index(e)

    def e_name(self, e):
        if e[1] == "D0" and self.written.get("D0", 0) == 0:
            self.reads_old = True
        v = self.name(e[1])
        if isinstance(v, list):
            raise Unsupported("array as a value")
        return v

    def e_lit(self, e):
        kind, tok = e[1], e[2]
        if kind == "sized":
            n, rest = tok.split("'")
            if "." in rest:
                f = "f" + n
                return flt(f, fl.rounded(Fraction(rest), f))
            digits = rest.rstrip("UL")
            return V("u" if rest.endswith("U") else "i", int(n), int(digits, 0))
        if kind == "real":
            f = "f32" if tok.endswith("F") else "f64"
            return flt(f, fl.rounded(Fraction(tok.rstrip("F")), f))
        digits = tok.rstrip("UL")
        suffix = tok[len(digits):]
        return V("u" if "U" in suffix else "i", 64 if "LL" in suffix else 32, int(digits, 0))

    def e_as(self, e):
        if e[1] == ("name", "WAVE_MODE") and e[2] == "IEEE":
            return u(1, self.ieee)
        t, w = typ(e[2])
        v = self.expr(e[1])
        if v.t == "denorm":
            return v
        if t in fl.FORMATS and v.isf() and v.t != t:
            return to_format(v, t, self.mode())
        if v.t == "i" and w > v.w:
            return V(t, w, v.int())
        return V(t, w, v.bits, v.unk & ((1 << w) - 1))

    def e_index(self, e):
        if self.alias(e) is not e:
            return self.e_name(self.alias(e))
        if e[1][0] == "name" and isinstance(self.v.get(e[1][1]), list):
            return self.v[e[1][1]][self.expr(e[2]).int()]
        v, i = self.expr(e[1]), self.expr(e[2]).int()
        if v.unk >> i & 1:
            raise Unspecified("a NaN's payload")
        return u(1, v.bits >> i)

    def e_slice(self, e):
        v, hi, lo = self.expr(e[1]), self.expr(e[2]).int(), self.expr(e[3]).int()
        t = "b" if v.isf() else v.t
        if lo > hi:
            n = lo - hi + 1
            return V(t, n, int(format(v.bits >> hi & ((1 << n) - 1), "0%db" % n)[::-1], 2))
        n = hi - lo + 1
        return V("u" if t == "i" else t, n, v.bits >> lo, v.unk >> lo & ((1 << n) - 1))

    def e_part(self, e):
        v, lo, n = self.expr(e[1]), self.expr(e[2]).int(), self.expr(e[3]).int()
        return V("u", n, v.bits >> lo)

    def e_cat(self, e):
        w = bits = unk = 0
        for p in e[1]:
            v = self.expr(p)
            w, bits, unk = w + v.w, bits << v.w | v.bits, unk << v.w | v.unk
        return V("b", w, bits, unk)

    def e_cond(self, e):
        return self.expr(e[2] if self.truth(e[1]) else e[3])

    def e_cast(self, e):
        t, w = cast_type(e[1])
        return self.cast(t, w, self.expr(e[2]))

    def cast(self, t, w, v):
        if t in fl.FORMATS:
            # 2.0F ** n stays exact: the product with it rounds, not the power
            return v if v.t == "real" else to_format(v, t, self.mode())
        if v.isf():
            return V(t, w, v.bits, v.unk)
        return V(t, w, v.int(), v.unk & ((1 << w) - 1))

    def e_un(self, e):
        v = self.expr(e[2])
        if e[1] == "+":
            return v
        if e[1] == "!":
            return u(1, v.bits == 0)
        if e[1] == "~":
            return V(v.t, v.w, ~v.bits)
        if v.isf():
            return V(v.t, v.w, v.bits ^ 1 << (v.w - 1), v.unk)
        return V(v.t, v.w, -v.int())

    def e_bin(self, e):
        op = e[1]
        if op == "&&":
            return u(1, self.truth(e[2]) and self.truth(e[3]))
        if op == "||":
            return u(1, self.truth(e[2]) or self.truth(e[3]))
        if op == "==" and signed_zero(e[3]):
            a, b = self.expr(e[2]), self.expr(e[3])
            return u(1, a.isf() and a.bits == b.bits)
        return self.binary(op, self.expr(e[2]), self.expr(e[3]))

    def binary(self, op, a, b):
        if "real" in (a.t, b.t) or a.isf() or b.isf() or "denorm" in (a.t, b.t):
            return self.float_op(op, a, b)
        if op in ("==", "!=", "<>", "<", "<=", ">", ">="):
            x, y = a.int(), b.int()
            return u(1, {"==": x == y, "!=": x != y, "<>": x != y, "<": x < y, "<=": x <= y, ">": x > y,
                         ">=": x >= y}[op])
        if op in ("<<", ">>"):
            n = min(b.int(), 4096)
            w = max(a.w, 32)
            return V(a.t, w, a.int() << n if op == "<<" else a.int() >> n)
        if op in ("&", "|", "^"):
            t = "i" if a.t == b.t == "i" else "b" if "b" in (a.t, b.t) else "u"
            w = max(a.w, b.w)
            x, y = V(t, w, a.int()).bits, V(t, w, b.int()).bits
            return V(t, w, x & y if op == "&" else x | y if op == "|" else x ^ y)
        w = max(a.w, b.w, 32)
        t = "i" if a.t == b.t == "i" else "u"
        x, y = a.int(), b.int()
        if op == "+":
            return V(t, w, x + y)
        if op == "-":
            return V(t, w, x - y)
        if op == "*":
            return V(t, w, x * y)
        if op == "**":
            return V("real", 0, power(Fraction(x), y))
        raise Unsupported("operator " + op)

    def float_op(self, op, a, b):
        if op == "**":
            return V("real", 0, power(fl.value(a.bits, a.t), b.int()))
        if "denorm" in (a.t, b.t):
            x = b if a.t == "denorm" else a
            return u(1, fl.is_denormal(x.bits, x.t))
        if not (a.isf() or a.t == "real") or not (b.isf() or b.t == "real"):
            raise Unsupported("float with integer operand")
        fmt = a.t if a.isf() else b.t
        if a.isf() and b.isf() and a.t != b.t:
            fmt = max((a.t, b.t), key=fl.width)
            a, b = to_format(a, fmt, self.mode()), to_format(b, fmt, self.mode())
        return float_binary(op, a, b, fmt, self.mode())

    # --- calls ---------------------------------------------------------------------------------------------------

    def e_call(self, e):
        args = [self.expr(a) for a in e[2]]
        n = e[1]
        if n in self.lambdas:
            params, body = self.lambdas[n]
            saved = {p: self.v.get(p) for p in params}
            self.v.update(zip(params, args))
            try:
                self.run(body)
            except Return as r:
                return r.value
            finally:
                self.v.update(saved)
            raise Unsupported("lambda without value")
        if n in HELPERS:
            return HELPERS[n](self, *args)
        if "_to_" in n:
            return convert(self, n, args)
        return self.instruction(n, args)

    def instruction(self, n, args):
        tree = self.insts(n)
        if tree is None or self.depth > 4:
            raise Unsupported("call of " + n)
        state = {"S%d" % i: a for i, a in enumerate(args)}
        state["D0"] = V("b", 64, 0)
        state["laneId"] = u(32, 0)
        lane = Lane(self.insts, state, {}, self.ieee, self.depth + 1)
        lane.run(tree)
        if lane.result is None:
            raise Unspecified("no result")
        return lane.result


def signed_zero(e):
    """A zero with its sign written out."""
    return e[0] == "un" and e[1] in "+-" and e[2][0] == "lit" and e[2][2].rstrip("F") == "0.0"


def power(base, n):
    n = max(-6000, min(6000, n))
    return base ** n


def real(v):
    return v.bits if v.t == "real" else fl.value(v.bits, v.t)


def float_binary(op, a, b, fmt, mode):
    nan = any(v.isf() and fl.is_nan(v.bits, v.t) for v in (a, b))
    if op in ("==", "!=", "<>", "<", "<=", ">", ">="):
        if nan:
            return u(1, op == "!=")
        x, y = order_key(a), order_key(b)
        return u(1, {"==": x == y, "!=": x != y, "<>": x != y, "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[op])
    if nan:
        return any_nan(fmt)
    if op == "-":
        op, b = "+", V(b.t, b.w, b.bits ^ 1 << (b.w - 1))
    sa, sb = sign_of(a), sign_of(b)
    ia, ib = (v.isf() and fl.is_inf(v.bits, v.t) for v in (a, b))
    if op == "+":
        if ia and ib:
            return a if sa == sb else any_nan(fmt)
        if ia or ib:
            return a if ia else b
        return flt(fmt, fl.rounded(real(a) + real(b), fmt, sa & sb, mode))
    s = sa ^ sb
    za, zb = (not i and real(v) == 0 for i, v in ((ia, a), (ib, b)))
    if op == "*":
        if ia and zb or ib and za:
            return any_nan(fmt)
        if ia or ib:
            return flt(fmt, fl.inf(fmt, s))
        return flt(fmt, fl.rounded(real(a) * real(b), fmt, s, mode))
    if op == "/":
        if ia and ib or za and zb:
            return any_nan(fmt)
        if ia or zb:
            return flt(fmt, fl.inf(fmt, s))
        if ib:
            return flt(fmt, s << (fl.width(fmt) - 1))
        return flt(fmt, fl.rounded(real(a) / real(b), fmt, s, mode))
    raise Unsupported("float operator " + op)


def sign_of(v):
    return int(v.bits < 0) if v.t == "real" else fl.sign(v.bits, v.t)


def order_key(v):
    if v.isf() and fl.is_inf(v.bits, v.t):
        return float("-inf") if sign_of(v) else float("inf")
    return real(v)


# --- helpers the manuals name without pseudocode: their meaning is plain from the name -----------------------------

def h_fma(lane, a, b, c):
    fmt = a.t
    if any(fl.is_nan(v.bits, v.t) for v in (a, b, c)):
        return any_nan(fmt)
    ia, ib, ic = (fl.is_inf(v.bits, v.t) for v in (a, b, c))
    s = sign_of(a) ^ sign_of(b)
    if ia or ib:
        zero = (not ia and real(a) == 0) or (not ib and real(b) == 0)
        if zero or ic and sign_of(c) != s:
            return any_nan(fmt)
        return flt(fmt, fl.inf(fmt, s))
    if ic:
        return c
    product = real(a) * real(b)
    return flt(fmt, fl.rounded(product + real(c), fmt, s & sign_of(c), lane.mode()))


def whole(lane, v, floor):
    if fl.is_nan(v.bits, v.t):
        return any_nan(v.t)
    if fl.is_inf(v.bits, v.t):
        return v
    x = real(v)
    n = x.numerator // x.denominator if floor or x >= 0 else -(-x.numerator // x.denominator)
    return flt(v.t, fl.rounded(Fraction(n), v.t, sign_of(v)))


def h_fract(lane, v):
    return lane.binary("-", v, whole(lane, v, True))


def h_mantissa(lane, v):
    """In [0.5, 1) with the number's sign."""
    if fl.is_nan(v.bits, v.t) or fl.is_inf(v.bits, v.t):
        raise Unspecified("mantissa")
    x = real(v)
    if x == 0:
        return v
    ex = abs(x).numerator.bit_length() - abs(x).denominator.bit_length()
    x = x / (Fraction(2) ** ex)
    x = x / 2 if abs(x) >= 1 else x
    return flt(v.t, fl.rounded(x, v.t))


def h_frexp_exponent(lane, v):
    x = abs(real(v))
    if x == 0:
        return V("i", 32, 0)
    ex = x.numerator.bit_length() - x.denominator.bit_length()
    return V("i", 32, ex + 1 if x >= Fraction(2) ** ex else ex)


def h_rndne(lane, v):
    if fl.is_nan(v.bits, v.t) or fl.is_inf(v.bits, v.t):
        return whole(lane, v, True)
    return flt(v.t, fl.rounded(Fraction(round(real(v))), v.t, sign_of(v)))


def h_ldexp(lane, v, n):
    return lane.binary("*", v, V("real", 0, power(Fraction(2), n.int())))


def h_signext_from_bit(lane, v, n):
    size = n.int()
    if size == 0:
        return V(v.t, v.w, 0)
    if size >= v.w:
        return v
    return V(v.t, v.w, V("i", size, v.bits).int())


def special(v, neg):
    """What reciprocals, roots and the like have in common: NaN; neg: nothing below zero."""
    if fl.is_nan(v.bits, v.t) or neg and fl.sign(v.bits, v.t) and real_or_inf(v) != 0:
        return any_nan(v.t)
    return None


def real_or_inf(v):
    return order_key(v)


def root(x, bits=200):
    """sqrt of a Fraction, to `bits` bits."""
    shift = 2 * max(0, bits + x.denominator.bit_length() - x.numerator.bit_length())
    shift += shift & 1
    return Fraction(math.isqrt((x.numerator << shift) // x.denominator), 1 << shift // 2)


def h_sqrt(lane, v):
    if fl.is_inf(v.bits, v.t) and not sign_of(v) or not fl.is_nan(v.bits, v.t) and real_or_inf(v) == 0:
        return v
    return special(v, True) or flt(v.t, fl.rounded(root(real(v)), v.t))


def h_rsq(lane, v):
    if not fl.is_nan(v.bits, v.t) and real_or_inf(v) == 0:
        return flt(v.t, fl.inf(v.t, sign_of(v)))
    if fl.is_inf(v.bits, v.t) and not sign_of(v):
        return flt(v.t, 0)
    return special(v, True) or flt(v.t, fl.rounded(1 / root(real(v)), v.t))


def h_pow(lane, base, v):
    """2 ** x: the whole part is exact, the rest has a double's accuracy."""
    if fl.is_inf(v.bits, v.t):
        return flt(v.t, 0) if sign_of(v) else v
    if fl.is_nan(v.bits, v.t):
        return any_nan(v.t)
    x = max(Fraction(-5000), min(Fraction(5000), real(v)))
    n = x.numerator // x.denominator
    return flt(v.t, fl.rounded(Fraction(2.0 ** float(x - n)) * Fraction(2) ** n, v.t))


def h_log2(lane, v):
    if not fl.is_nan(v.bits, v.t) and real_or_inf(v) == 0:
        return flt(v.t, fl.inf(v.t, 1))
    if fl.is_inf(v.bits, v.t) and not sign_of(v):
        return v
    return special(v, True) or flt(v.t, fl.rounded(Fraction(math.log2(real(v))), v.t))


def turns(cosine):
    def of(lane, v):
        if fl.is_nan(v.bits, v.t) or fl.is_inf(v.bits, v.t):
            return any_nan(v.t)
        x = real(v)
        if x == 0 and not cosine:
            return v
        q = round(4 * x)
        t = float(x - Fraction(q, 4)) * 2 * math.pi
        k = (q + cosine) % 4
        y = math.cos(t) if k & 1 else math.sin(t)
        return flt(v.t, fl.rounded(Fraction(-y if k & 2 else y), v.t))
    return of


def two_over_pi(bits):
    """The first bits of 2/pi, by Machin's formula."""
    guard = bits + 64

    def arctan(n):
        total = term = (1 << guard) // n
        k, sign = 3, -1
        while term:
            term //= n * n
            total += sign * (term // k)
            k, sign = k + 2, -sign
        return total
    pi = 4 * (4 * arctan(5) - arctan(239))
    return ((2 << 2 * guard) // pi) >> (guard - bits)


def h_trig_preop(lane, v, segment):
    e = fl.exponent(v.bits, v.t)
    if e > 1968 + 60 or fl.is_nan(v.bits, v.t) or fl.is_inf(v.bits, v.t):
        raise Unspecified("no angle")
    shift = (segment.bits & 31) * 53 + max(0, e - 1077)
    if shift + 53 > 1201:
        raise Unspecified("beyond the table")
    result = two_over_pi(shift + 53) & ((1 << 53) - 1)
    return flt("f64", fl.rounded(Fraction(result) * Fraction(2) ** (-53 - shift + (128 if e >= 1968 else 0)), "f64"))


def normed(signed):
    """-1..1 to -32767..32767, 0..1 to 0..65535, to nearest even; NaN is 0."""
    def of(lane, v):
        top = 32767 if signed else 65535
        if fl.is_nan(v.bits, v.t):
            return u(16, 0)
        x = order_key(v)
        x = max(Fraction(-1) if signed else Fraction(0), Fraction(1) if x > 1 else Fraction(-1) if x < -1 else x)
        # the product is rounded to a float first
        y = fl.value(fl.rounded(x * top, "f32"), "f32") if x else Fraction(0)
        return V("i", 16, round(y))
    return of


HELPERS = {
    "sqrt": h_sqrt,
    "rsq": h_rsq,
    "pow": h_pow,
    "log2": h_log2,
    "sin_turns": turns(0),
    "cos_turns": turns(1),
    "trig_preop": h_trig_preop,
    "f16_to_snorm": normed(True),
    "f32_to_snorm": normed(True),
    "f16_to_unorm": normed(False),
    "f32_to_unorm": normed(False),
    "fma": h_fma,
    "abs": lambda l, v: V(v.t, v.w, v.bits & ~(1 << (v.w - 1)), v.unk & ~(1 << (v.w - 1))),
    "sign": lambda l, v: u(1, fl.sign(v.bits, v.t)),
    "exponent": lambda l, v: V("i", 32, fl.exponent(v.bits, v.t)),
    "mantissa": h_mantissa,
    "isNAN": lambda l, v: u(1, fl.is_nan(v.bits, v.t)),
    "isSignalNAN": lambda l, v: u(1, fl.is_nan(v.bits, v.t) and not fl.is_quiet(v.bits, v.t) and not v.unk),
    "isQuietNAN": lambda l, v: u(1, fl.is_quiet(v.bits, v.t)),
    "cvtToQuietNAN": lambda l, v: V(v.t, v.w, fl.quiet(v.bits, v.t), v.unk),
    "trunc": lambda l, v: whole(l, v, False),
    "floor": lambda l, v: whole(l, v, True),
    "fract": h_fract,
    "isEven": lambda l, v: u(1, not fl.is_inf(v.bits, v.t) and not fl.is_nan(v.bits, v.t) and real(v) % 2 == 0),
    "ldexp": h_ldexp,
    "rndne": h_rndne,
    "frexp_exponent": h_frexp_exponent,
    "signext": lambda l, v: V("i", 64, V("i", v.w, v.bits).int()),
    "signext_from_bit": h_signext_from_bit,
    # not an instruction of its own, but named by v_cvt_pk_i16_f32
    "v_cvt_i16_f32": lambda l, v: convert(l, "f32_to_i16", [v]),
    "v_cvt_u16_f32": lambda l, v: convert(l, "f32_to_u16", [v]),
}


def to_eight_bits(v, fmt):
    """What does not fit is left to MODE.FP16_OVFL: dropped here, as are NaN."""
    if fl.is_nan(v.bits, v.t) or fl.is_inf(v.bits, v.t):
        raise Unspecified("no number")
    most = fl.value(0x7E if fmt == "fp8" else 0x7B, fmt)
    if abs(real(v)) > most:
        raise Unspecified("overflow")
    return flt(fmt, fl.rounded(real(v), fmt, sign_of(v)))


def convert(lane, n, args):
    src, dst = n.split("_to_")
    if len(args) != 1:
        raise Unsupported("helper " + n)
    try:
        (ts, ws), (td, wd) = typ(src), typ(dst)
    except Unsupported:
        raise Unsupported("helper " + n)
    v = args[0]
    if ts in fl.FORMATS:
        if td in fl.FORMATS:
            if td in ("fp8", "bf8"):
                return to_eight_bits(v, td)
            if fl.is_nan(v.bits, v.t):
                return any_nan(td)
            return to_format(v, td, lane.mode())
        lo, hi = (0, (1 << wd) - 1) if td == "u" else (-(1 << (wd - 1)), (1 << (wd - 1)) - 1)
        if fl.is_nan(v.bits, v.t):
            return V(td, wd, 0)
        if fl.is_inf(v.bits, v.t):
            return V(td, wd, lo if sign_of(v) else hi)
        x = real(v)
        x = x.numerator // x.denominator if x >= 0 else -(-x.numerator // x.denominator)
        return V(td, wd, max(lo, min(hi, x)))
    x = V(ts, ws, v.int()).int()
    if td in fl.FORMATS:
        return flt(td, fl.rounded(Fraction(x), td, 0, lane.mode()))
    if wd >= ws:
        return V(td, wd, x)
    # narrowing integers saturates
    lo, hi = (0, (1 << wd) - 1) if td == "u" else (-(1 << (wd - 1)), (1 << (wd - 1)) - 1)
    return V(td, wd, max(lo, min(hi, x)))
