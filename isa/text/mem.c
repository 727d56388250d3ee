/* Writes the modifiers of memory instructions that follow the operands: offsets, formats, cache bits. Names: LLVM 19
 * AMDGPUInstPrinter and AMDGPUAsmUtils. */
#include "isa/decode/parts.h"
#include "isa/table/format.h"
#include "isa/text/text.h"

/* --- cache bits ------------------------------------------------------------------------------------------------- */

static void put_atomic_th(const struct isa_membits *m, struct isa_out *o)
{
    /* bit 0 return, bit 1 non-temporal, bit 2 cascade, which wants a wide scope */
    if ((m->th & 4) && m->scope < SCOPE_DEV)
        isa_put(o, "0x%x", m->th);
    else if (m->th & 4)
        isa_put(o, "CASCADE_%s", m->th & 2 ? "NT" : "RT");
    else if (m->th & 2)
        isa_put(o, "NT%s", m->th & 1 ? "_RETURN" : "");
    else
        isa_put(o, "RETURN");
}

static void put_th(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o)
{
    static const char *const load[] = {"RT", "NT", "HT", "LU", "NT_RT", "RT_NT", "NT_HT", ""};
    static const char *const store[] = {"RT", "NT", "HT", "RT_WB", "NT_RT", "RT_NT", "NT_HT", "NT_WB"};
    const struct isa_membits *m = &i->u.mem;
    bool is_store = i->row->cls == OPC_VMEM_STORE || i->row->cls == OPC_FLAT_STORE;

    if (!m->th)
        return;
    isa_put(o, " th:");
    if (i->row->cls == OPC_VMEM_ATOMIC || i->row->cls == OPC_FLAT_ATOMIC) {
        isa_put(o, "TH_ATOMIC_");
        put_atomic_th(m, o);
    } else if (m->th == 7 && !is_store) {
        isa_put(o, "0x7");
    } else {
        bool wb = is_store && m->th == 3 && t->llvm22;
        const char *name = wb && m->scope != SCOPE_SYS           ? "WB"
                           : m->th == 3 && m->scope == SCOPE_SYS ? "BYPASS"
                           : is_store                            ? store[m->th]
                                                                 : load[m->th];
        isa_put(o, "TH_%s_%s", is_store ? "STORE" : "LOAD", name);
    }
}

void isa_put_cache_bits(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o)
{
    static const char *const scopes[] = {"", " scope:SCOPE_SE", " scope:SCOPE_DEV", " scope:SCOPE_SYS"};
    const struct isa_membits *m = &i->u.mem;

    if (t->layout == LAYOUT_GFX12) {
        if (m->scale)
            isa_put(o, " scale_offset");
        put_th(t, i, o);
        isa_put(o, "%s", scopes[m->scope & 3]);
        if (m->nv && isa_has(t, FEAT_SCALE_OFFSET))
            isa_put(o, " nv");
        return;
    }
    bool sc = isa_has(t, FEAT_SC_BITS) && i->format != FMT_SMEM;
    if (m->glc)
        isa_put(o, sc ? " sc0" : " glc");
    if (m->slc && i->row->args[0].slot)
        isa_put(o, sc ? " nt" : " slc");
    if (m->dlc)
        isa_put(o, " dlc");
    if (m->scc)
        isa_put(o, sc ? " sc1" : " scc");
}

/* --- typed buffers ---------------------------------------------------------------------------------------------- */

static const char *const number_names[] = {"UNORM", "SNORM", "USCALED",    "SSCALED",
                                           "UINT",  "SINT",  "RESERVED_6", "FLOAT"};

static void put_split_format(unsigned dfmt, unsigned nfmt, struct isa_out *o)
{
    if (dfmt == 1 && nfmt == 0) /* the default */
        return;
    isa_put(o, " format:[");
    if (dfmt != 1)
        isa_put(o, "BUF_DATA_FORMAT_%s", isa_data_formats[dfmt].name);
    if (nfmt != 0)
        isa_put(o, "%sBUF_NUM_FORMAT_%s", dfmt != 1 ? "," : "", number_names[nfmt]);
    isa_put(o, "]");
}

static void put_unified_format(const struct isa_target *t, unsigned format, struct isa_out *o)
{
    unsigned dfmt, nfmt;

    if (format == 1) /* the default */
        return;
    if (!format)
        isa_put(o, " format:[BUF_FMT_INVALID]");
    else if (isa_unified_format(t, format, &dfmt, &nfmt))
        isa_put(o, " format:[BUF_FMT_%s_%s]", isa_data_formats[dfmt].name, number_names[nfmt]);
    else
        isa_put(o, " format:%u", format);
}

/* --- LDS -------------------------------------------------------------------------------------------------------- */

static void put_swizzle(const struct isa_target *t, unsigned imm, struct isa_out *o)
{
    if (!imm)
        return;
    isa_put(o, " offset:");
    if ((imm & 0xff00) == 0x8000) {
        isa_put(o, "swizzle(QUAD_PERM,%u,%u,%u,%u)", imm & 3, imm >> 2 & 3, imm >> 4 & 3, imm >> 6 & 3);
        return;
    }
    if (t->llvm22 && imm >= 0xe000) {
        isa_put(o, "swizzle(FFT,%u)", imm & 31);
        return;
    }
    if (t->llvm22 && imm >= 0xc000) {
        isa_put(o, "swizzle(ROTATE,%u,%u)", imm >> 10 & 1, imm >> 5 & 31);
        return;
    }
    if (imm & 0x8000) {
        isa_put(o, "%u", imm);
        return;
    }
    unsigned and_mask = imm & 31, or_mask = imm >> 5 & 31, xor_mask = imm >> 10 & 31;
    if (and_mask == 31 && or_mask == 0 && xor_mask && !(xor_mask & (xor_mask - 1))) {
        isa_put(o, "swizzle(SWAP,%u)", xor_mask);
    } else if (and_mask == 31 && or_mask == 0 && xor_mask && !((xor_mask + 1) & xor_mask)) {
        isa_put(o, "swizzle(REVERSE,%u)", xor_mask + 1);
    } else {
        unsigned group = 32 - and_mask; /* and = ~(group - 1): broadcast of one lane per group */
        if (group > 1 && !(group & (group - 1)) && or_mask < group && xor_mask == 0) {
            isa_put(o, "swizzle(BROADCAST,%u,%u)", group, or_mask);
            return;
        }
        isa_put(o, "swizzle(BITMASK_PERM,\"");
        for (int b = 4; b >= 0; b--) {
            unsigned p0 = (0u >> b & 1),
                     with0 = ((p0 & (and_mask >> b & 1)) | (or_mask >> b & 1)) ^ (xor_mask >> b & 1);
            unsigned with1 = ((and_mask >> b & 1) | (or_mask >> b & 1)) ^ (xor_mask >> b & 1);
            isa_put(o, "%c", with0 == with1 ? (with0 ? '1' : '0') : with0 ? 'i' : 'p');
        }
        isa_put(o, "\")");
    }
}

static void put_ds_modifiers(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o)
{
    unsigned offset = (unsigned)i->offset & 0xffff;

    if (i->row->flags & RF_SWIZZLE) {
        put_swizzle(t, offset, o);
    } else if (i->row->mem.elems == 2) {
        if (offset & 0xff)
            isa_put(o, " offset0:%u", offset & 0xff);
        if (offset >> 8)
            isa_put(o, " offset1:%u", offset >> 8);
    } else if (offset) {
        isa_put(o, " offset:%u", offset);
    }
    if (i->u.mem.gds && (!isa_has(t, FEAT_AGPR_UNIFIED) || (i->row->flags & RF_GDS)))
        isa_put(o, " gds");
}

/* Scalar memory instructions that move data; the cache bits of others are not looked at. */
static bool scalar_access(const struct isa_inst *i)
{
    bool data = false, offset = false;

    for (unsigned k = 0; i->row->args[k].slot; k++) {
        offset |= i->row->args[k].slot == SL_SOFFSET;
        data |= i->row->args[k].slot == SL_SDST && i->row->args[k].type != T_IMM16;
    }
    return data && offset;
}

/* --- whole ------------------------------------------------------------------------------------------------------ */

void isa_put_mem_modifiers(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o)
{
    const struct isa_membits *m = &i->u.mem;
    bool cache_control = !i->row->args[0].slot;

    switch (i->format) {
    case FMT_DS:
        put_ds_modifiers(t, i, o);
        return;
    case FMT_SMEM:
        if (scalar_access(i))
            isa_put_cache_bits(t, i, o);
        return;
    case FMT_MUBUF:
    case FMT_MTBUF:
    case FMT_VBUFFER:
        if (isa_typed_buffer(i) && (t->layout == LAYOUT_GFX8 || t->layout == LAYOUT_GFX9))
            put_split_format(m->dfmt, m->nfmt, o);
        else if (isa_typed_buffer(i))
            put_unified_format(t, m->format, o);
        if (m->idxen && !cache_control)
            isa_put(o, " idxen");
        if (m->offen && !cache_control)
            isa_put(o, " offen");
        break;
    case FMT_TENSOR:
        isa_put_str(o, m->r128 ? " r128" : "");
        isa_put_cache_bits(t, i, o);
        return;
    case FMT_FLAT:
    case FMT_GLOBAL:
    case FMT_SCRATCH:
        break;
    default:
        return;
    }
    if (cache_control) {
        /* the write-backs of gfx942 say how far by their cache bits */
        if (isa_has(t, FEAT_SC_BITS) || t->layout == LAYOUT_GFX12)
            isa_put_cache_bits(t, i, o);
        return;
    }
    int offset = i->format == FMT_FLAT && t->layout != LAYOUT_GFX12 ? (int)i->literal : i->offset;
    bool store_lds = i->row->args[0].slot == SL_SRSRC;
    if (offset)
        isa_put(o, " offset:%d", offset);
    if (m->lds && store_lds)
        isa_put(o, " lds");
    isa_put_cache_bits(t, i, o);
    if (m->tfe && i->format != FMT_FLAT)
        isa_put(o, " tfe");
    if (m->lds && !store_lds)
        isa_put(o, " lds");
}

/* s_load: base, then "0x10", "s4" or "s4 offset:0x10". LLVM shows the absent SGPR of gfx10 and gfx11 when there is no
 * immediate either, and the immediate of gfx12 beside an SGPR even when it is 0. */
void isa_put_smem_offset(const struct isa_target *t, const struct isa_inst *i, const struct isa_opnd *op,
                         struct isa_out *o)
{
    if (op->code != CODE_NONE) {
        isa_put_operand(t, i, op, o);
        if (i->u.mem.imm && (i->u.mem.soffset_en || t->layout != LAYOUT_GFX9) &&
            (i->offset || t->layout == LAYOUT_GFX12 || t->layout == LAYOUT_GFX9))
            isa_put(o, " offset:%s0x%x", i->offset < 0 ? "-" : "", (unsigned)(i->offset < 0 ? -i->offset : i->offset));
    } else if (!i->offset && (t->layout == LAYOUT_GFX10 || t->layout == LAYOUT_GFX11)) {
        isa_put(o, "null");
    } else {
        isa_put(o, "%s0x%x", i->offset < 0 ? "-" : "", (unsigned)(i->offset < 0 ? -i->offset : i->offset));
    }
}
