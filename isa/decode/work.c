/* Operations of an instruction, from the meaning that its row's name gives. */
#include "isa/work.h"

#include <string.h>

#include "isa/table/row.h"

/* Rows whose names begin so do `ops` operations per lane, on the type that ends the name unless one is given. The first
 * that fits counts. */
struct stem {
    const char *begin;
    uint8_t length, ops;
    bool f32; /* computed in f32 */
};
#define STEM(BEGIN, OPS, F32)                                                                                          \
    {                                                                                                                  \
        BEGIN, sizeof(BEGIN) - 1, OPS, F32                                                                             \
    }

static const struct stem stems[] = {
    STEM("v_fma_mix", 2, true),    STEM("v_mad_mix", 2, true),    STEM("v_pk_fma", 4, false), /* and v_pk_fmac */
    STEM("v_pk_mad_", 4, false),   STEM("v_pk_add_", 2, false),   STEM("v_pk_sub_", 2, false),
    STEM("v_pk_mul_", 2, false),   STEM("v_pk_lsh", 2, false),    STEM("v_pk_ashr", 2, false),
    STEM("v_pk_", 0, false),       STEM("v_fma", 2, false), /* v_fma, v_fmac, v_fmaak, v_fmamk, legacy and dx9_zero */
    STEM("v_mad", 2, false),       STEM("v_mac_", 2, false),      STEM("v_div_fmas_", 2, false),
    STEM("v_dot2", 4, false),      STEM("v_dot4", 8, false),      STEM("v_dot8", 16, false),
    STEM("v_add3_", 2, false),     STEM("v_add_lshl_", 2, false), STEM("v_add_", 1, false),
    STEM("v_sub", 1, false),       STEM("v_mul_", 1, false),      STEM("v_and_or_", 2, false),
    STEM("v_or3_", 2, false),      STEM("v_xor3_", 2, false),     STEM("v_xad_", 2, false),
    STEM("v_lshl_add_", 2, false), STEM("v_lshl_or_", 2, false),  STEM("v_and_", 1, false),
    STEM("v_or_", 1, false),       STEM("v_xor_", 1, false),      STEM("v_xnor_", 1, false),
    STEM("v_not_", 1, false),      STEM("v_lshl", 1, false),      STEM("v_lshr", 1, false),
    STEM("v_ashrrev_", 1, false),  STEM("v_bfe_", 1, false),      STEM("v_bfi_", 1, false),
    STEM("v_bfm_", 1, false),      STEM("v_bfrev_", 1, false),    STEM("v_bcnt_", 1, false),
    STEM("v_ffb", 1, false),       STEM("v_alignb", 1, false),    STEM("v_lerp_", 1, false),
    STEM("v_mbcnt_", 1, false),    STEM("v_sad_", 2, false),      STEM("v_msad_", 2, false),
    STEM("v_qsad_", 2, false),     STEM("v_mqsad_", 2, false),
};

static const struct {
    const char *name;
    uint8_t type;
} types[] = {
    {"f64", OPT_F64}, {"f32", OPT_F32}, {"f16", OPT_F16}, {"bf16", OPT_BF16}, {"fp8", OPT_F8},  {"bf8", OPT_F8},
    {"i64", OPT_I64}, {"u64", OPT_I64}, {"b64", OPT_I64}, {"i32", OPT_I32},   {"u32", OPT_I32}, {"b32", OPT_I32},
    {"i24", OPT_I32}, {"u24", OPT_I32}, {"i16", OPT_I16}, {"u16", OPT_I16},   {"b16", OPT_I16}, {"i8", OPT_I8},
    {"u8", OPT_I8},   {"iu8", OPT_I8},  {"i4", OPT_I4},   {"u4", OPT_I4},     {"iu4", OPT_I4},
};

/* The last type in a name: "v_dot2_f32_bf16" is about bf16. OP_TYPE_COUNT: it has none. */
static uint8_t type_of(const char *name)
{
    uint8_t found = OP_TYPE_COUNT;

    for (const char *at = name; at; at = strchr(at, '_')) {
        at += *at == '_';
        size_t length = strcspn(at, "_");

        for (size_t k = 0; k < sizeof types / sizeof *types && length >= 2 && length <= 4; k++)
            if (types[k].name[0] == *at && strncmp(types[k].name, at, length) == 0 && !types[k].name[length])
                found = types[k].type;
    }
    return found;
}

static const struct stem *stem_of(const char *name)
{
    for (size_t k = 0; k < sizeof stems / sizeof *stems; k++)
        /* every name begins with "v_" */
        if (name[2] == stems[k].begin[2] && strncmp(name, stems[k].begin, stems[k].length) == 0)
            return &stems[k];
    return NULL;
}

static struct isa_work of_matrix(const struct isa_matrix *m)
{
    static const uint8_t type[] = {
        [MT_F32] = OPT_F32, [MT_F64] = OPT_F64, [MT_XF32] = OPT_XF32, [MT_F16] = OPT_F16,     [MT_BF16] = OPT_BF16,
        [MT_I8] = OPT_I8,   [MT_I4] = OPT_I4,   [MT_I32] = OPT_I32,   [MT_FP8_FNUZ] = OPT_F8, [MT_BF8_FNUZ] = OPT_F8,
        [MT_FP8] = OPT_F8,  [MT_BF8] = OPT_F8,  [MT_F8F6F4] = OPT_F8}; /* the formats are the instruction's, not the
                                                                          row's */
    uint32_t blocks = m->blocks ? m->blocks : 1;

    _Static_assert(sizeof type == MT_F8F6F4 + 1, "a type of matrix elements is not counted");

    return (struct isa_work){.type = type[m->a], .per_wave = 2u * m->m * m->n * m->k * blocks};
}

static struct isa_work of_row(const struct isa_row *row)
{
    struct isa_work w = {0};
    const struct stem *s;

    if (row->mat)
        return of_matrix(row->mat);
    if (op_class_category[row->cls] != OPCAT_VALU)
        return w;
    s = stem_of(row->name);
    if (row->cls == OPC_TRANS || row->cls == OPC_F64_TRANS)
        w.per_lane = 1;
    else if (s)
        w.per_lane = s->ops;
    if (w.per_lane)
        w.type = s && s->f32 ? OPT_F32 : type_of(row->name);
    return w.type == OP_TYPE_COUNT ? (struct isa_work){0} : w;
}

void isa_inst_work(const struct isa_inst *i, struct isa_work out[2])
{
    out[0] = out[1] = (struct isa_work){0};
    if (!i || !i->row)
        return;
    out[0] = of_row(i->row);
    if (i->form == FORM_VOPD)
        out[1] = of_row(i->u.y.row);
}
