"""Where the manuals' text is not followed to the letter, and why.

instruction(): whole instructions without vectors. corrected(): texts with a slip of the pen. vector(): single operands
for which the text is not what the hardware does, or says nothing. docs/SEMANTICS_NOTES.md says the same at length.
"""
import re

import floats as fl

SHARED = "stands with another target"  # needs no mention
OFF = False  # --all: keep every vector


def instruction(name, target):
    if re.match(r"v_s_", name):
        return "scalar registers in VOP3"
    if re.match(r"v_(mfma|smfmac|wmma|swmmac|accvgpr)_", name):
        return "matrix instructions"
    if re.match(r"v_(permlane|readlane|writelane|readfirstlane|movrel|swaprel)|s_movrel", name):
        return "other lanes' or indexed registers"
    if re.match(r"s_(getpc|setpc|swappc|call|rfe|cbranch|barrier|get_barrier|getreg|setreg|sendmsg|sleep|waitcnt"
                r"|alloc_vgpr|set_gpr_idx|setvskip|version|subvector)|v_nop|v_pipeflush|v_clrexcp", name):
        return "control flow, waits, hardware registers"
    if target == "gfx1200" and name == "v_dot2_bf16_bf16":
        return "cuts off on hardware"
    if target == "gfx950":  # what it shares with gfx942 stands there
        if re.search(r"scalef32|fp4|fp6|bf6", name):
            return "not executed"
        if name not in CDNA4_ALONE and not re.search(r"_(fp8|bf8)(_|$)", name):
            return SHARED
    if target == "gfx942":
        if re.search(r"scalef32|fp4|fp6|bf6", name) or name in CDNA4_ALONE:
            return "gfx950's alone"
        if re.search(r"_(fp8|bf8)(_|$)", name):
            return "gfx950's 8-bit formats are the OCP ones, gfx942's are not"
    return None


# not known to LLVM 19 as gfx942's
CDNA4_ALONE = {
    "v_ashr_pk_i8_i32", "v_ashr_pk_u8_i32", "v_cvt_f32_bf16", "v_cvt_pk_bf16_f32", "v_cvt_pk_f16_f32",
    "v_cvt_sr_bf16_f32", "v_cvt_sr_f16_f32", "v_dot2_f32_bf16", "v_dot2c_f32_bf16", "v_prng_b32", "v_bitop3_b16",
    "v_bitop3_b32", "v_minimum3_f32", "v_maximum3_f32", "v_pk_minimum3_f16", "v_pk_maximum3_f16",
}


# instructions a target has though its manual names another in their place (LLVM 19)
ALSO = {("v_fma_mix" + kind, "gfx1200"): "gfx942" for kind in ("_f32", "lo_f16", "hi_f16")}


def approximate(name):
    """Within a unit in the last place, where hardware promises no more."""
    return bool(re.match(r"v_(rcp|rsq|sqrt|exp|log|sin|cos)(_|$)", name))


def rewritten(name):
    """Manuals whose text names LDS directly: extra.py says it with MEM."""
    return name == "ds_condxchg32_rtn_b64"


def corrected(name, text):
    m = re.match(r"v_(sin|cos)_(f\d+)", name)
    if m:  # the angle is in turns, and no rounding comes between
        return "D0.%s = %s_turns(S0.%s)" % (m.group(2), m.group(1), m.group(2))
    m = re.match(r"v_rsq_(f\d+)", name)
    if m:  # one rounding
        return "D0.%s = rsq(S0.%s)" % (m.group(1), m.group(1))
    if name == "v_trig_preop_f64":  # the sum of digits of 2/pi that the text describes
        return "D0.f64 = trig_preop(S0.f64, S1.u32)"
    if name == "v_cvt_off_f32_i4":  # sixteenths; the manual leaves its table empty
        return "D0.f32 = 32'F(i32_to_f32(signext_from_bit(S0.i32 & 15, 4'4U))) * 0.0625F"
    if name == "v_pk_mov_b32":  # the sources are pairs
        return re.sub(r"\b(S[01])\.u32\[", r"\1.u64[", text)
    if name in ("v_madmk_f16", "v_madak_f16"):  # the literal takes a word of its own
        return text.replace("SIMM16", "SIMM32")
    if name == "v_fmac_dx9_zero_f32":  # a VOP2 has no third source: the accumulator
        return text.replace("S2.f32", "D0.f32")
    m = re.match(r"[vs]_rndne_(f\d+)$", name)
    if m:  # floor(x + 0.5) stands for rounding to nearest even, not for an addition that rounds
        return "D0.%s = rndne(S0.%s)" % (m.group(1), m.group(1))
    m = re.match(r"v_frexp_exp_i(?:16|32)_(f\d+)$", name)
    if m:  # the exponent that goes with v_frexp_mant: a denormal's own, 0 for zero
        return re.sub(r"exponent\(S0\.f\d+\) - \d+ \+ 1", "frexp_exponent(S0.%s)" % m.group(1), text)
    return text


def denormal16(x):
    return fl.is_denormal(x & 0xFFFF, "f16")


def vector(name, d, lane):
    """A reason, or None."""
    if re.match(r"v_(rcp|rsq|sqrt|exp|log|mad|mac|madmk|madak)_(iflag_|legacy_)?f32", name):
        used = [d[n] for n in ("S0", "S1", "S2", "D0", "SIMM32") if n in d and n in lane.reads] + [lane.v["D0"].bits]
        if any(fl.is_denormal(x & 0xFFFFFFFF, "f32") for x in used):
            return "flushes denormals"
    if name.startswith("v_mad_mix"):
        result = lane.v["D0"].bits & lane.written["D0"]
        used = [d[n] for n in ("S0", "S1", "S2")] + [result if name[-1] == "2" else result * 0x10001 & 0xFFFFFFFF]
        if any(fl.is_denormal(x, "f32") or denormal16(x) or denormal16(x >> 16) for x in used):
            return "flushes denormals"
    m = re.match(r"v_fract_(f\d+)$", name)
    if m:
        fmt = m.group(1)
        one = fl.rounded(fl.Fraction(1), fmt)
        if lane.v["D0"].bits & ((1 << fl.width(fmt)) - 1) == one:
            return "the result stays below 1"
    m = re.match(r"v_div_fmas_(f\d+)$", name)
    if m and d["VCC"]:
        return "scaled back by what v_div_scale put in"
    m = re.match(r"v_div_fixup(?:_legacy)?_(f32|f64)$", name)
    if m:
        fmt = m.group(1)
        if fl.is_nan(d["S0"], fmt):
            return "a NaN quotient of numbers is an overflow"
    m = re.match(r"v_div_scale_(f\d+)$", name)
    if m and fl.is_nan(d["S0"], m.group(1)) and not fl.is_quiet(d["S0"], m.group(1)):
        return "a signalling NaN passes quiet"
    if name in ("v_mac_f16", "v_madmk_f16", "v_madak_f16", "v_mad_f16", "v_mad_legacy_f16"):
        if lane.mods.get("OPSEL"):
            if name == "v_mac_f16":
                return "no op_sel in the assembler"
        half = lane.v["D0"].bits >> (16 if lane.mods.get("OPSEL") else 0)
        operands = [d[n] for n in ("S0", "S1", "S2", "D0", "SIMM32") if n in d and n in lane.reads]
        if any(denormal16(x) for x in operands + [half]):
            return "flushes denormals"
    if name in ("v_dot2_f16_f16", "v_dot2_bf16_bf16") and inexact_dot2(d, lane, name[-4:].lstrip("_")):
        return "rounding in between is not said"
    m = re.match(r"v_frexp_mant_(f\d+)$", name)
    if m and fl.is_nan(d["S0"] & ((1 << fl.width(m.group(1))) - 1), m.group(1)) and lane.v["D0"].unk == 0:
        fmt = m.group(1)
        if not fl.is_quiet(d["S0"] & ((1 << fl.width(fmt)) - 1), fmt):
            return "a signalling NaN passes quiet"
    if name in ("v_cvt_rpi_i32_f32", "v_cvt_nearest_i32_f32") and not nearest_is_exact(d["S0"]):
        return "the sum with a half is taken as exact"
    if name == "v_div_scale_f32" and quotient_vanishes(d["S2"], d["S1"]):
        return "a quotient below the least denormal counts as one"
    return None


def numbers(fmt, *bits):
    return all(not fl.is_nan(b, fmt) and not fl.is_inf(b, fmt) for b in bits)


def nearest_is_exact(x):
    """Whether x + 0.5 rounds to the same whole number below as the sum itself."""
    if not numbers("f32", x):
        return True
    exact = fl.value(x, "f32") + fl.Fraction(1, 2)
    near = fl.value(fl.rounded(exact, "f32"), "f32")
    return exact // 1 == near // 1


def quotient_vanishes(n, d):
    if not numbers("f32", n, d) or fl.value(d, "f32") == 0 or fl.value(n, "f32") == 0:
        return False
    return fl.rounded(abs(fl.value(n, "f32") / fl.value(d, "f32")), "f32") == 0


def inexact_dot2(d, lane, fmt):
    """Whether rounding each step and rounding once differ."""
    a, b, c = d["S0"], d["S1"], d["S2"] & 0xFFFF
    halves = [a & 0xFFFF, a >> 16, b & 0xFFFF, b >> 16, c]
    if any(fl.is_nan(x, fmt) for x in halves):
        return False
    if any(fl.is_inf(x, fmt) for x in halves):  # may meet another that came from rounding
        return True
    v = [fl.value(x, fmt) for x in halves]
    once = fl.rounded(v[0] * v[2] + v[1] * v[3] + v[4], fmt, 0)
    stepped = lane.v["D0"].bits & 0xFFFF
    return once != stepped and (once | stepped) & 0x7FFF != 0
