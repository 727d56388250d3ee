"""Instructions of older targets that no manual at hand has, in its language. Written from what their names and their
successors say; docs/SEMANTICS_NOTES.md has what was chosen. They count as CDNA4's (gfx942's)."""

MAD = "%s * %s + %s"
DX9 = "if ((64'F(%s) == 0.0) || (64'F(%s) == 0.0)) then D0.f32 = %s else D0.f32 = " + MAD + " endif"


def vop(fmt, name, text, sources=0):
    return {"format": fmt, "name": name, "pseudocode": text, "operands": {}}


def rows():
    yield vop("VOP3", "v_mad_f32", "D0.f32 = " + MAD % ("S0.f32", "S1.f32", "S2.f32"))
    yield vop("VOP2", "v_mac_f32", "D0.f32 = " + MAD % ("S0.f32", "S1.f32", "D0.f32"))
    yield vop("VOP2", "v_madmk_f32", "D0.f32 = " + MAD % ("S0.f32", "SIMM32.f32", "S1.f32"))
    yield vop("VOP2", "v_madak_f32", "D0.f32 = " + MAD % ("S0.f32", "S1.f32", "SIMM32.f32"))
    yield vop("VOP3", "v_mad_legacy_f32", DX9 % (("S0.f32", "S1.f32", "S2.f32", "S0.f32", "S1.f32", "S2.f32")))
    yield vop("VOP2", "v_mac_legacy_f32", DX9 % (("S0.f32", "S1.f32", "D0.f32", "S0.f32", "S1.f32", "D0.f32")))
    yield vop("VOP3", "v_mul_lo_i32", "D0.i32 = S0.i32 * S1.i32")
    yield vop("VOP1", "v_exp_legacy_f32", "D0.f32 = pow(2.0F, S0.f32)")
    yield vop("VOP1", "v_log_legacy_f32", "D0.f32 = log2(S0.f32)")
    yield from atomics()
    yield from two_in_lds()


def atomics():
    """gfx10's of doubles."""
    for place in ("flat", "global", "buffer"):
        for op, sign in (("fmin", "<"), ("fmax", ">")):
            yield vop("FLAT", "%s_atomic_%s_x2" % (place, op), "tmp = MEM[ADDR].f64; src = DATA.f64; "
                      "MEM[ADDR].f64 = src %s tmp ? src : tmp; RETURN_DATA.f64 = tmp" % sign)
        yield vop("FLAT", "%s_atomic_fcmpswap_x2" % place, "tmp = MEM[ADDR].f64; src = DATA[63 : 0].f64; "
                  "cmp = DATA[127 : 64].f64; MEM[ADDR].f64 = tmp == cmp ? src : tmp; RETURN_DATA.f64 = tmp")
    yield vop("DS", "ds_condxchg32_rtn_b64", "tmp = MEM[ADDR].b64; if DATA[31] then MEM[ADDR].b32 = { 1'0, DATA[30 : 0] } "
              "endif; if DATA[63] then MEM[ADDR + 4U].b32 = { 1'0, DATA[62 : 32] } endif; RETURN_DATA.b64 = tmp")


def two_in_lds():
    """ds_*_src2: the second operand is in LDS, here two dwords further on."""
    for t in ("u32", "u64"):
        one, zero = ("1U", "0U") if t == "u32" else ("1ULL", "0ULL")
        for op, value in (("add", "tmp + src"), ("sub", "tmp - src"), ("rsub", "src - tmp"),
                          ("inc", "tmp >= src ? %s : tmp + %s" % (zero, one)),
                          ("dec", "((tmp == %s) || (tmp > src)) ? src : tmp - %s" % (zero, one)),
                          ("min", "src < tmp ? src : tmp"), ("max", "src >= tmp ? src : tmp")):
            yield src2("ds_%s_src2_%s" % (op, t), t, value)
        i, b = t.replace("u", "i"), t.replace("u", "b")
        yield src2("ds_min_src2_" + i, i, "src < tmp ? src : tmp")
        yield src2("ds_max_src2_" + i, i, "src >= tmp ? src : tmp")
        for op, value in (("and", "tmp & src"), ("or", "tmp | src"), ("xor", "tmp ^ src"), ("write", "src")):
            yield src2("ds_%s_src2_%s" % (op, b), b, value)
    yield src2("ds_add_src2_f32", "f32", "tmp + src")
    for f in ("f32", "f64"):
        yield src2("ds_min_src2_" + f, f, "src < tmp ? src : tmp")
        yield src2("ds_max_src2_" + f, f, "src > tmp ? src : tmp")


def src2(name, t, value):
    return vop("DS", name, "tmp = MEM[ADDR].%s; src = MEM[ADDR + OFFSET1.u32 * 8U].%s; MEM[ADDR].%s = %s"
               % (t, t, t, value))
