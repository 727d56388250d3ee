"""Exact IEEE arithmetic on bit patterns: every format is (exponent bits, mantissa bits), every operation works on
rational numbers and rounds once."""
from fractions import Fraction

FORMATS = {"f16": (5, 10), "f32": (8, 23), "f64": (11, 52), "bf16": (8, 7), "fp8": (4, 3), "bf8": (5, 2)}
NEAREST_EVEN, TOWARD_ZERO = 0, 3


def width(fmt):
    e, m = FORMATS[fmt]
    return 1 + e + m


def sign(bits, fmt):
    return bits >> (width(fmt) - 1) & 1


def exponent(bits, fmt):
    e, m = FORMATS[fmt]
    return bits >> m & ((1 << e) - 1)


def fraction_bits(bits, fmt):
    return bits & ((1 << FORMATS[fmt][1]) - 1)


def is_nan(bits, fmt):
    if fmt == "fp8":  # OCP e4m3: one pattern alone
        return bits & 0x7F == 0x7F
    return exponent(bits, fmt) == (1 << FORMATS[fmt][0]) - 1 and fraction_bits(bits, fmt) != 0


def is_inf(bits, fmt):
    return fmt != "fp8" and exponent(bits, fmt) == (1 << FORMATS[fmt][0]) - 1 and fraction_bits(bits, fmt) == 0


def is_quiet(bits, fmt):
    return is_nan(bits, fmt) and bool(bits >> (FORMATS[fmt][1] - 1) & 1)


def is_denormal(bits, fmt):
    return exponent(bits, fmt) == 0 and fraction_bits(bits, fmt) != 0


def quiet(bits, fmt):
    return bits | 1 << (FORMATS[fmt][1] - 1)


def inf(fmt, negative=0):
    e, m = FORMATS[fmt]
    return negative << (e + m) | ((1 << e) - 1) << m


def largest(fmt, negative=0):
    e, m = FORMATS[fmt]
    return (negative << (e + m)) + inf(fmt) - 1


def value(bits, fmt):
    """The rational a finite pattern stands for."""
    e, m = FORMATS[fmt]
    bias = (1 << (e - 1)) - 1
    ex, fr = exponent(bits, fmt), fraction_bits(bits, fmt)
    scale = (ex if ex else 1) - bias - m
    n = fr | (1 << m if ex else 0)
    r = Fraction(n << scale) if scale >= 0 else Fraction(n, 1 << -scale)
    return -r if sign(bits, fmt) else r


def rounded(x, fmt, zero_sign=0, mode=NEAREST_EVEN):
    """The pattern nearest to rational x; zero_sign is the sign of an exact zero."""
    e, m = FORMATS[fmt]
    top = width(fmt) - 1
    if x == 0:
        return zero_sign << top
    negative = int(x < 0)
    x = abs(x)
    bias = (1 << (e - 1)) - 1
    ex = x.numerator.bit_length() - x.denominator.bit_length()
    if x < (Fraction(1 << ex) if ex >= 0 else Fraction(1, 1 << -ex)):
        ex -= 1
    ex = max(ex, 1 - bias)
    shift = m - ex  # scaled so that the unit is the last place
    num = x.numerator << shift if shift >= 0 else x.numerator
    den = x.denominator if shift >= 0 else x.denominator << -shift
    q, rest = divmod(num, den)
    if mode == NEAREST_EVEN and (2 * rest > den or (2 * rest == den and q & 1)):
        q += 1
    # q below 1 << m is a denormal, and a carry out of the mantissa moves the exponent by itself
    bits = q + ((ex + bias - 1) << m)
    if bits >= inf(fmt) and fmt != "fp8":  # e4m3 has numbers there; the caller looks after its range
        bits = inf(fmt) if mode == NEAREST_EVEN else largest(fmt)
    return negative << top | bits


def convert_keep(bits, src, dst, mode=NEAREST_EVEN):
    """A cast of the pseudocode: a NaN keeps payload and kind (the text asks isSignalNAN(64'F(x)))."""
    if src == dst:
        return bits
    s = sign(bits, src)
    if is_nan(bits, src):
        ms, md = FORMATS[src][1], FORMATS[dst][1]
        fr = fraction_bits(bits, src)
        fr = fr << (md - ms) if md >= ms else fr >> (ms - md)
        return inf(dst, s) | fr
    if is_inf(bits, src):
        return inf(dst, s)
    return rounded(value(bits, src), dst, s, mode)
