/* Opens targets by name: features along the tree of instruction sets, and the rows inverted into a decode table
 * [format][opcode]. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isa/decode/legal.h"
#include "isa/decode/parts.h"
#include "isa/variant.h"

#define F(NAME) ((unsigned __int128)1 << FEAT_##NAME)

/* Features of a node are its parent's, plus, minus. LLVM 19 AMDGPU.td feature sets. */
static const struct {
    unsigned __int128 plus, minus;
    enum isa_layout layout;
} node_info[N_COUNT] = {
    [N_GFX8] = {F(SDWA) | F(DPP) | F(DPP_WAVE) | F(D16_HI_ZERO) | F(FLAT_SCRATCH_SGPR) | F(XNACK_MASK) | F(TTMP_112) |
                    F(TRAP_TMA) | F(LDS_M0_CLAMP) | F(IEEE_MODE) | F(VGPR_INDEX),
                0, LAYOUT_GFX8},
    [N_GFX9] = {F(SDWA_SGPR) | F(OP_SEL) | F(UNALIGNED) | F(NEG_SMEM) | F(D16_MEM_KEEP) | F(SCRATCH_NEGATIVE_BUG),
                F(TTMP_112) | F(TRAP_TMA) | F(LDS_M0_CLAMP), LAYOUT_GFX9},
    [N_GFX906] = {0, F(D16_MEM_KEEP), LAYOUT_GFX9}, /* SRAM-ECC: d16 loads clear the other half */
    [N_GFX908] = {F(AGPR) | F(MFMA_INLINE_C_BUG), 0, LAYOUT_GFX9},
    [N_GFX90A] = {F(AGPR_UNIFIED) | F(PACKED_TID) | F(DPP_64) | F(DPP_ROW_NEWBCAST) | F(MATRIX_FLUSH16) |
                      F(SHIFT64_HIGH_VGPR_BUG),
                  F(MFMA_INLINE_C_BUG), LAYOUT_GFX9},
    [N_GFX942] = {F(ARCH_FLAT_SCRATCH) | F(SC_BITS) | F(HWREG_XCC) | F(HAZARDS_GFX942),
                  F(FLAT_SCRATCH_SGPR) | F(XNACK_MASK) | F(MATRIX_FLUSH16) | F(SHIFT64_HIGH_VGPR_BUG), LAYOUT_GFX9},
    [N_GFX950] = {F(HAZARDS_GFX950), 0, LAYOUT_GFX9},
    [N_GFX10] = {F(WAVE32) | F(DPP_ROW_SHARE) | F(DPP8) | F(VOP3_LITERAL) | F(NULL_SGPR) | F(VSCNT) | F(CU_MODE_WGP) |
                     F(CMPX_EXEC_ONLY) | F(BPERMUTE_32) | F(WRITELANE_LDS) | F(RELATIVE_TWINS) | F(HAZARDS_GFX10_1) |
                     F(CMPX_PERMLANE_HAZARD),
                 F(VGPR_INDEX) | F(DPP_WAVE) | F(FLAT_SCRATCH_SGPR) | F(D16_HI_ZERO) | F(XNACK_MASK) |
                     F(SCRATCH_NEGATIVE_BUG),
                 LAYOUT_GFX10},
    [N_GFX10_3] = {F(HWREG_CYCLES) | F(HOLD_CNT) | F(SADDR_7F) | F(LDS_ALLOC_1K),
                   F(HAZARDS_GFX10_1) | F(CMPX_PERMLANE_HAZARD), LAYOUT_GFX10},
    [N_GFX11] = {F(VOP3_DPP) | F(PACKED_TID) | F(ARCH_FLAT_SCRATCH) | F(M0_125) | F(S_TRUE16) | F(DEALLOC_VGPRS) |
                     F(WMMA) | F(LDSDIR) | F(CMPX_PERMLANE_HAZARD) | F(TRANS_USE_HAZARD) | F(MASK_WRITE_HAZARD) |
                     F(PARTIAL_FORWARD_HAZARD) | F(MAD64_OVERLAP_BUG),
                 F(SDWA) | F(SDWA_SGPR) | F(SADDR_7F), LAYOUT_GFX11},
    [N_GFX11_5] = {0, F(TRANS_USE_HAZARD) | F(MAD64_OVERLAP_BUG), LAYOUT_GFX11},
    [N_GFX12] = {F(ARCH_SGPRS) | F(SPLIT_BARRIER) | F(SPLIT_COUNTERS) | F(SCC_IN_STATE_PRIV) | F(GETPC_ZEXT) |
                     F(MSG_SE_AID) | F(VOPD_MOV_BANKS) | F(BLOCK_MEMORY) | F(SCRATCH_SIGNED) | F(READ_SGPR_HAZARD),
                 F(VSCNT) | F(BPERMUTE_32) | F(IEEE_MODE) | F(MASK_WRITE_HAZARD) | F(PARTIAL_FORWARD_HAZARD),
                 LAYOUT_GFX12},
    [N_GFX12_5] = {F(LITERAL64) | F(VGPR_MSB) | F(ALIGNED_VGPRS) | F(FLAT_SADDR) | F(SCALE_OFFSET) | F(SCRATCH_GLOBAL) |
                       F(COMPUTE_ONLY) | F(VOPD3) | F(PK_F32_ONE_SGPR) | F(CLUSTERS) | F(HWREG_WAVE) |
                       F(TRANS_BESIDE_HAZARD),
                   F(LDSDIR) | F(READ_SGPR_HAZARD), LAYOUT_GFX12},
};

static const bool node_llvm22[N_COUNT] = {[N_GFX950] = true, [N_GFX12_5] = true}; /* of struct isa_target */

static const struct {
    const char *name;
    enum isa_node node;
} targets[] = {
    {"gfx803", N_GFX8},   {"gfx900", N_GFX9},   {"gfx906", N_GFX906},   {"gfx908", N_GFX908},   {"gfx90a", N_GFX90A},
    {"gfx942", N_GFX942}, {"gfx950", N_GFX950}, {"gfx1010", N_GFX10},   {"gfx1030", N_GFX10_3}, {"gfx1100", N_GFX11},
    {"gfx1101", N_GFX11}, {"gfx1102", N_GFX11}, {"gfx1103", N_GFX11},   {"gfx1150", N_GFX11_5}, {"gfx1151", N_GFX11_5},
    {"gfx1200", N_GFX12}, {"gfx1201", N_GFX12}, {"gfx1250", N_GFX12_5}, {"gfx1251", N_GFX12_5},
};

/* What others of its node do not have. */
static unsigned __int128 own_features(const char *target)
{
    return strcmp(target, "gfx1250") == 0 ? F(SETREG_MSB) : strcmp(target, "gfx1251") == 0 ? F(DPP_64) : 0;
}

/* Widths of the wait counters: hardware.md section 8, LLVM 19 AMDGPUBaseInfo.cpp. */
static void set_wait_bits(struct isa_target *t)
{
    static const uint8_t gfx8[WAIT_COUNT] = {[WAIT_VM] = 4, [WAIT_EXP] = 3, [WAIT_LGKM] = 4};
    static const uint8_t gfx9[WAIT_COUNT] = {[WAIT_VM] = 6, [WAIT_EXP] = 3, [WAIT_LGKM] = 4};
    static const uint8_t gfx10[WAIT_COUNT] = {[WAIT_VM] = 6, [WAIT_EXP] = 3, [WAIT_LGKM] = 6, [WAIT_VS] = 6};
    static const uint8_t gfx12[WAIT_COUNT] = {[WAIT_LOAD] = 6, [WAIT_SAMPLE] = 6, [WAIT_BVH] = 3, [WAIT_STORE] = 6,
                                              [WAIT_DS] = 6,   [WAIT_KM] = 5,     [WAIT_EXP] = 3};
    const uint8_t *from = t->layout == LAYOUT_GFX12  ? gfx12
                          : isa_has(t, FEAT_VSCNT)   ? gfx10
                          : t->layout == LAYOUT_GFX8 ? gfx8
                                                     : gfx9;
    memcpy(t->wait_bits, from, WAIT_COUNT);
    if (isa_has(t, FEAT_COMPUTE_ONLY)) { /* LLVM 22 AMDGPUBaseInfo.cpp */
        t->wait_bits[WAIT_SAMPLE] = t->wait_bits[WAIT_BVH] = t->wait_bits[WAIT_EXP] = 0;
        t->wait_bits[WAIT_ASYNC] = t->wait_bits[WAIT_TENSOR] = 6;
    }
}

static unsigned __int128 node_features(enum isa_node n)
{
    unsigned __int128 up = isa_node_parent[n] == n ? 0 : node_features(isa_node_parent[n]);
    return (up & ~node_info[n].minus) | node_info[n].plus;
}

/* Opcodes a format has room for. */
static unsigned format_opcodes(enum isa_format f)
{
    switch (f) {
    case FMT_VOP3:
        return 1024;
    case FMT_VOP3PX:
        return 512;
    case FMT_SOP2:
    case FMT_SOPC:
    case FMT_SOPP:
        return 128;
    case FMT_SOPK:
    case FMT_VOPDX:
    case FMT_VOPDY:
        return 32;
    case FMT_VOP2:
    case FMT_VOPD3X:
    case FMT_VOPD3Y:
        return 64;
    case FMT_MTBUF:
        return 16;
    default:
        return 256;
    }
}

/* The VOP3 opcode of the twin of a VOP1, VOP2, VOPC or VINTRP instruction. */
static unsigned twin_opcode(const struct isa_target *t, enum isa_format f, unsigned op)
{
    if (f == FMT_VOPC)
        return op;
    bool old = t->layout == LAYOUT_GFX8 || t->layout == LAYOUT_GFX9;
    if (f == FMT_VOP2)
        return 0x100 + op;
    if (f == FMT_VINTRP)
        return (old ? 0x270 : 0x200) + op;
    return (old ? 0x140 : 0x180) + op;
}

/* False: out of host memory for the table of the format. */
static bool put_op(struct isa_target *t, enum isa_format f, unsigned opcode, enum isa_format base,
                   const struct isa_row *row, const char *mnemonic)
{
    assert(opcode < format_opcodes(f));
    if (!t->ops[f]) {
        t->op_count[f] = (uint16_t)format_opcodes(f);
        t->ops[f] = calloc(t->op_count[f], sizeof *t->ops[f]);
        if (!t->ops[f])
            return false;
    }
    struct isa_op *op = &t->ops[f][opcode];
    if (op->row) {
        /* our bug, never the user's: two rows claim one opcode */
        dprintf(STDERR_FILENO, "gcnsim: %s %s 0x%x is claimed by %s (%s:%d) and %s (%s:%d)\n", t->name,
                isa_format_name[f], opcode, op->row->name, op->row->file, op->row->line, row->name, row->file,
                row->line);
        abort();
    }
    *op = (struct isa_op){.row = row, .mnemonic = mnemonic, .base_format = base};
    op->zero = isa_zero_bits(t, f, base, row);
    isa_find_traits(t, f, op);
    return true;
}

/* Rows are matched per group of formats: a VOP row may also have VOPD component opcodes. */
static unsigned format_group(enum isa_format f)
{
    return f == FMT_VOPDX ? 1 : f == FMT_VOPDY ? 2 : f == FMT_VOPD3X ? 3 : f == FMT_VOPD3Y ? 4 : 0;
}

static bool is_graphics(enum isa_format f)
{
    return f == FMT_VINTERP || f == FMT_LDSDIR || f == FMT_EXP || f == FMT_VIMAGE || f == FMT_VSAMPLE;
}

static bool place_row(struct isa_target *t, const struct isa_row *row)
{
    unsigned groups = 0; /* that the row has encodings of: one, mostly */

    for (unsigned k = 0; k < row->nenc; k++)
        groups |= 1u << format_group(row->enc[k].format);
    for (unsigned group = 0; group < 5; group++) {
        const struct isa_enc *best = NULL;
        if (!(groups >> group & 1))
            continue;
        /* walk up from the target's node; the first entry met holds */
        for (enum isa_node n = t->node;; n = isa_node_parent[n]) {
            for (unsigned k = 0; k < row->nenc && !best; k++)
                if (row->enc[k].node == n && format_group(row->enc[k].format) == group)
                    best = &row->enc[k];
            if (best || isa_node_parent[n] == n)
                break;
        }
        if (!best || best->kind == ENC_GONE)
            continue;
        const char *mnemonic = *best->alias ? best->alias : row->name;
        enum isa_format f = best->format;
        if (isa_has(t, FEAT_COMPUTE_ONLY) && is_graphics(f))
            continue;
        if (!put_op(t, f, best->opcode, f, row, mnemonic))
            return false;
        if ((f == FMT_VOP1 || f == FMT_VOP2 || f == FMT_VOPC || f == FMT_VINTRP) &&
            (!(row->flags & RF_NO_E64) || (t->llvm22 && (row->flags & RF_E32_SUFFIX))) &&
            !put_op(t, FMT_VOP3, twin_opcode(t, f, best->opcode), f, row, mnemonic))
            return false;
    }
    return true;
}

bool isa_target_known(const char *name)
{
    for (unsigned i = 0; i < sizeof targets / sizeof targets[0]; i++)
        if (!strcmp(targets[i].name, name))
            return true;
    return false;
}

const char *isa_target_name(unsigned i)
{
    return i < sizeof targets / sizeof targets[0] ? targets[i].name : NULL;
}

static void set_codes(struct isa_target *t)
{
    bool m0_125 = isa_has(t, FEAT_M0_125);
    t->code_m0 = m0_125 ? 125 : 124;
    t->code_null = isa_has(t, FEAT_NULL_SGPR) ? (m0_125 ? 124 : 125) : 0xffff;
    t->code_ttmp0 = isa_has(t, FEAT_TTMP_112) ? 112 : 108;
    t->ttmp_count = isa_has(t, FEAT_TTMP_112) ? 12 : 16;
    t->sgpr_limit = isa_has(t, FEAT_NULL_SGPR) ? 106 : 102;
    t->code_flat_scratch = isa_has(t, FEAT_FLAT_SCRATCH_SGPR) ? 102 : 0xffff;
    t->code_xnack_mask = isa_has(t, FEAT_XNACK_MASK) ? 104 : 0xffff;
}

static int unknown_target(const char *name, struct err *e)
{
    char known[400] = "";
    size_t n = 0;

    for (unsigned i = 0; i < sizeof targets / sizeof targets[0] && n < sizeof known; i++)
        n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", i ? ", " : "", targets[i].name);
    return err_set(e, ERR_UNSUPPORTED, "target '%.40s' is not one gcnsim knows; expected one of %s", name, known);
}

int isa_target_open(struct isa_target **out, const char *name, const char *variant, struct err *e)
{
    unsigned i;

    *out = NULL;
    for (i = 0; i < sizeof targets / sizeof targets[0]; i++)
        if (!strcmp(targets[i].name, name))
            break;
    if (i == sizeof targets / sizeof targets[0])
        return unknown_target(name, e);
    const struct isa_variant *v = isa_variant_find(variant);
    if (!v)
        return err_set(e, ERR_USAGE, "lane loop variant '%s' is not available on this CPU", variant);
    struct isa_target *t = calloc(1, sizeof *t);
    if (!t)
        return err_set(e, ERR_NOMEM, "out of memory for target %s", name);
    strncpy(t->name, name, sizeof t->name - 1);
    t->node = targets[i].node;
    t->layout = node_info[t->node].layout;
    t->features = node_features(t->node) | own_features(t->name);
    t->llvm22 = node_llvm22[t->node];
    t->name_halves = t->llvm22 && isa_has(t, FEAT_S_TRUE16);
    t->variant = v;
    set_codes(t);
    set_wait_bits(t);
    isa_fill_encodings(t);
    size_t count;
    const struct isa_row *row = v->rows(&count);
    for (size_t k = 0; k < count; k++)
        if (!place_row(t, &row[k])) {
            isa_target_close(t);
            return err_set(e, ERR_NOMEM, "out of memory for target %s", name);
        }
    *out = t;
    return 0;
}

void isa_target_close(struct isa_target *t)
{
    if (!t)
        return;
    for (unsigned f = 0; f < FMT_COUNT; f++)
        free(t->ops[f]);
    free(t);
}

unsigned isa_row_count(const struct isa_target *t)
{
    unsigned n = 0;
    for (unsigned f = 0; f < FMT_COUNT; f++)
        for (unsigned k = 0; t->ops[f] && k < t->op_count[f]; k++)
            n += t->ops[f][k].row && t->ops[f][k].base_format == (enum isa_format)f;
    return n;
}
