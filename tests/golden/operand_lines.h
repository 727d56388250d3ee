/* Lines of tests/golden/operands/MANUAL.tsv (tests/tools/operands/condense.py explains the columns) and an encoding of
 * each, with a register of its own in every field. Encodings vary, see the variants below. Included by
 * test_operands.c alone.
 */
#ifndef GCNSIM_TESTS_OPERAND_LINES_H
#define GCNSIM_TESTS_OPERAND_LINES_H

#include "isa/isa.h"

/* --- lines of the tables ------------------------------------------------------------------------------------------ */

struct operand {
    char field[12], dir[4], kind[4];
    unsigned bits; /* 0: a lane mask */
    bool halves;   /* half as many registers in wave64 */
};
struct line {
    char format[12], name[64], implicit[64];
    unsigned opcode, noperands;
    struct operand operands[8];
};

static void parse_operand(struct operand *o, const char *text)
{
    char bits[12];

    memset(o, 0, sizeof *o);
    assert_int_equal(sscanf(text, "%11[^:]:%3[^:]:%11[^:]:%3s", o->field, o->dir, bits, o->kind), 4);
    o->bits = bits[0] == 'L' ? 0 : (unsigned)strtoul(bits, NULL, 10);
    o->halves = bits[strlen(bits) - 1] == 'h';
}

static bool parse_line(struct line *l, const char *text)
{
    char operands[512], *save, *word;

    memset(l, 0, sizeof *l);
    if (text[0] == '#')
        return false;
    assert_int_equal(sscanf(text, "%11[^\t]\t%u\t%63[^\t]\t%511[^\t]\t%63[^\n]", l->format, &l->opcode, l->name,
                            operands, l->implicit),
                     5);
    for (word = strtok_r(operands, " ", &save); word && strcmp(word, "-") != 0; word = strtok_r(NULL, " ", &save)) {
        assert_true(l->noperands < 8);
        parse_operand(&l->operands[l->noperands++], word);
    }
    return true;
}

static const struct operand *operand_of(const struct line *l, const char *field)
{
    for (unsigned k = 0; k < l->noperands; k++)
        if (!strcmp(l->operands[k].field, field))
            return &l->operands[k];
    return NULL;
}

static bool is_format(const struct line *l, const char *formats)
{
    char padded[16];

    snprintf(padded, sizeof padded, " %s ", l->format);
    return strstr(formats, padded) != NULL;
}
#define BUFFERS " MUBUF MTBUF VBUFFER "
#define FLATS   " FLAT GLOBAL SCRATCH "
#define IMAGES  " MIMG VIMAGE VSAMPLE "
#define MEMORY  FLATS BUFFERS " DS "
#define SCALARS " SOP1 SOP2 SOPC SOPK SOPP SMEM "

/* --- encodings ---------------------------------------------------------------------------------------------------- */

enum coding {
    VGPR8,   /* number of a VGPR */
    SRC9,    /* source code: VGPRs from 256 on */
    SGPR,    /* source code of a scalar register */
    SGPR_2,  /* the same divided by 2 */
    SGPR_4,  /* by 4 */
    DST_ODD, /* VOPD's second destination: without the low bit */
};

struct field {
    const char *name;
    uint8_t coding, lo, width; /* lo: bit of the instruction */
};

/* One way to encode a format: leading bits, place of the opcode, fields. */
struct layout {
    const char *format;
    uint64_t match;
    uint8_t opcode_lo, opcode_bits;
    struct field fields[9];
};

#define SOURCES9                                                                                                       \
    {"src0", SRC9, 32, 9}, {"src1", SRC9, 41, 9},                                                                      \
    {                                                                                                                  \
        "src2", SRC9, 50, 9                                                                                            \
    }
#define ALU_LAYOUTS(VOP3_, VOP3P_)                                                                                     \
    {"SOP1", 0xbe800000, 8, 8, {{"src0", SGPR, 0, 8}, {"sdst", SGPR, 16, 7}}},                                         \
        {"SOP2", 0x80000000, 23, 7, {{"src0", SGPR, 0, 8}, {"src1", SGPR, 8, 8}, {"sdst", SGPR, 16, 7}}},              \
        {"SOPC", 0xbf000000, 16, 7, {{"src0", SGPR, 0, 8}, {"src1", SGPR, 8, 8}}},                                     \
        {"SOPK", 0xb0000000, 23, 5, {{"sdst", SGPR, 16, 7}}}, {"SOPP", 0xbf800000, 16, 7, {{0}}},                      \
        {"VOP1", 0x7e000000, 9, 8, {{"src0", SRC9, 0, 9}, {"vdst", VGPR8, 17, 8}}},                                    \
        {"VOP2", 0x00000000, 25, 6, {{"src0", SRC9, 0, 9}, {"src1", VGPR8, 9, 8}, {"vdst", VGPR8, 17, 8}}},            \
        {"VOPC", 0x7c000000, 17, 8, {{"src0", SRC9, 0, 9}, {"src1", VGPR8, 9, 8}}},                                    \
        {"VOP3", VOP3_, 16, 10, {{"vdst", VGPR8, 0, 8}, {"sdst", SGPR, 8, 7}, SOURCES9}},                              \
    {                                                                                                                  \
        "VOP3P", VOP3P_, 16, 7,                                                                                        \
        {                                                                                                              \
            {"vdst", VGPR8, 0, 8}, SOURCES9                                                                            \
        }                                                                                                              \
    }
#define DS_FIELDS                                                                                                      \
    {                                                                                                                  \
        {"addr", VGPR8, 32, 8}, {"data0", VGPR8, 40, 8}, {"data1", VGPR8, 48, 8},                                      \
        {                                                                                                              \
            "vdst", VGPR8, 56, 8                                                                                       \
        }                                                                                                              \
    }
#define FLAT_FIELDS                                                                                                    \
    {                                                                                                                  \
        {"addr", VGPR8, 32, 8}, {"data", VGPR8, 40, 8}, {"saddr", SGPR, 48, 7},                                        \
        {                                                                                                              \
            "vdst", VGPR8, 56, 8                                                                                       \
        }                                                                                                              \
    }
#define BUFFER_FIELDS                                                                                                  \
    {                                                                                                                  \
        {"addr", VGPR8, 32, 8}, {"vdata", VGPR8, 40, 8}, {"srsrc", SGPR_4, 48, 5},                                     \
        {                                                                                                              \
            "soffset", SGPR, 56, 8                                                                                     \
        }                                                                                                              \
    }
#define SMEM_FIELDS                                                                                                    \
    {                                                                                                                  \
        {"sbase", SGPR_2, 0, 6}, {"sdata", SGPR, 6, 7},                                                                \
        {                                                                                                              \
            "soffset", SGPR, 57, 7                                                                                     \
        }                                                                                                              \
    }
#define VFLAT_FIELDS                                                                                                   \
    {                                                                                                                  \
        {"addr", VGPR8, 64, 8}, {"data", VGPR8, 55, 8}, {"saddr", SGPR, 0, 7},                                         \
        {                                                                                                              \
            "vdst", VGPR8, 32, 8                                                                                       \
        }                                                                                                              \
    }
#define VOPD_FIELDS                                                                                                    \
    {                                                                                                                  \
        {"src0", SRC9, 32, 9}, {"src1", VGPR8, 41, 8},                                                                 \
        {                                                                                                              \
            "vdst", DST_ODD, 49, 7                                                                                     \
        }                                                                                                              \
    }
#define VOPD_X_FIELDS                                                                                                  \
    {                                                                                                                  \
        {"src0", SRC9, 0, 9}, {"src1", VGPR8, 9, 8},                                                                   \
        {                                                                                                              \
            "vdst", VGPR8, 56, 8                                                                                       \
        }                                                                                                              \
    }
/* VOPD: the other half is v_dual_mov_b32 v250, 0 or v251, 0 */
#define VOPD_OTHER_X (0xc8000000u | 8u << 22 | 128u | (uint64_t)250 << 56)
#define VOPD_OTHER_Y (0xc8000000u | 8u << 17 | (uint64_t)128 << 32 | (uint64_t)125 << 49)

/* clang-format off */
static const struct layout gfx9_layouts[] = {
    ALU_LAYOUTS(0xd0000000, 0xd3800000),
    {"DS", 0xd8000000, 17, 8, DS_FIELDS},
    {"SMEM", 0xc0000000, 18, 8, SMEM_FIELDS},
    {"FLAT", 0xdc000000, 18, 7, FLAT_FIELDS},
    {"GLOBAL", 0xdc008000, 18, 7, FLAT_FIELDS},
    {"SCRATCH", 0xdc006000, 18, 7, FLAT_FIELDS}, /* the VGPR counts */
    {"MUBUF", 0xe0000000, 18, 7, BUFFER_FIELDS},
    {"MTBUF", 0xe8080000, 15, 4, BUFFER_FIELDS},
    {0}};
static const struct layout gfx11_layouts[] = {
    ALU_LAYOUTS(0xd4000000, 0xcc000000),
    {"VINTERP", 0xcd000000, 16, 7, {{"vdst", VGPR8, 0, 8}, SOURCES9}},
    {"LDSDIR", 0xce000000, 20, 2, {{"vdst", VGPR8, 0, 8}}},
    {"VOPD", VOPD_OTHER_X, 17, 5, VOPD_FIELDS},
    {"VOPDX", VOPD_OTHER_Y, 22, 4, VOPD_X_FIELDS},
    {"DS", 0xd8000000, 18, 8, DS_FIELDS},
    {"SMEM", 0xf4000000, 18, 8, SMEM_FIELDS},
    {"FLAT", 0xdc000000, 18, 7, FLAT_FIELDS},
    {"GLOBAL", 0xdc020000, 18, 7, FLAT_FIELDS},
    {"SCRATCH", 0xdc010000 | (uint64_t)1 << 55, 18, 7, FLAT_FIELDS},
    {"MUBUF", 0xe0000000, 18, 8, BUFFER_FIELDS},
    {"MTBUF", 0xe8080000, 15, 4, BUFFER_FIELDS},
    {"MIMG", 0xf0000000, 18, 8,
     {{"addr", VGPR8, 32, 8}, {"vdata", VGPR8, 40, 8}, {"srsrc", SGPR_4, 48, 5}, {"ssamp", SGPR_4, 58, 5}}},
    {"EXP", 0xf800000f, 0, 0,
     {{"src0", VGPR8, 32, 8}, {"src1", VGPR8, 40, 8}, {"src2", VGPR8, 48, 8}, {"src3", VGPR8, 56, 8}}},
    {0}};
static const struct layout gfx12_layouts[] = {
    ALU_LAYOUTS(0xd4000000, 0xcc000000),
    {"VINTERP", 0xcd000000, 16, 7, {{"vdst", VGPR8, 0, 8}, SOURCES9}},
    {"LDSDIR", 0xce000000, 20, 2, {{"vdst", VGPR8, 0, 8}}},
    {"VOPD", VOPD_OTHER_X, 17, 5, VOPD_FIELDS},
    {"VOPDX", VOPD_OTHER_Y, 22, 4, VOPD_X_FIELDS},
    {"DS", 0xd8000000, 18, 8, DS_FIELDS},
    {"SMEM", 0xf4000000, 13, 6, SMEM_FIELDS},
    {"FLAT", 0xec000000, 14, 8, VFLAT_FIELDS},
    {"GLOBAL", 0xee000000, 14, 8, VFLAT_FIELDS},
    {"SCRATCH", 0xed000000 | (uint64_t)1 << 49, 14, 8, VFLAT_FIELDS},
    {"VBUFFER", 0xc4000000 | (uint64_t)1 << 55, 14, 8,
     {{"addr", VGPR8, 64, 8}, {"vdata", VGPR8, 32, 8}, {"srsrc", SGPR, 41, 9}, {"soffset", SGPR, 0, 7}}},
    {"VIMAGE", 0xd0000000, 14, 8,
     {{"addr", VGPR8, 64, 8}, {"vdata", VGPR8, 32, 8}, {"srsrc", SGPR, 41, 9}}},
    {"VSAMPLE", 0xe4000001, 14, 8,
     {{"addr", VGPR8, 64, 8}, {"vdata", VGPR8, 32, 8}, {"srsrc", SGPR, 41, 9}, {"ssamp", SGPR, 55, 9}}},
    {"EXP", 0xf800000f, 0, 0,
     {{"src0", VGPR8, 32, 8}, {"src1", VGPR8, 40, 8}, {"src2", VGPR8, 48, 8}, {"src3", VGPR8, 56, 8}}},
    {0}};
/* clang-format on */

/* The registers that fields name: far enough apart for 1024 bits of VGPRs and 512 of SGPRs. */
static const struct {
    const char *field;
    uint8_t vgpr, sgpr;
} registers[] = {
    {"vdst", 32, 16},  {"sdst", 0, 16},  {"vdata", 32, 0},   {"sdata", 0, 16}, {"src0", 64, 32},  {"src1", 96, 48},
    {"src2", 128, 64}, {"src3", 160, 0}, {"addr", 160, 0},   {"data", 192, 0}, {"data0", 192, 0}, {"data1", 224, 0},
    {"saddr", 0, 80},  {"sbase", 0, 48}, {"soffset", 0, 84}, {"srsrc", 0, 64}, {"ssamp", 0, 88},  {"scale_src0", 0, 0},
};

static uint8_t register_of(const char *field, bool scalar)
{
    for (unsigned k = 0; k < sizeof registers / sizeof registers[0]; k++)
        if (!strcmp(registers[k].field, field))
            return scalar ? registers[k].sgpr : registers[k].vgpr;
    return 0;
}

/* --- ways to encode a line ---------------------------------------------------------------------------------------- */

/* Variant 0 has VGPR sources, no scalar base, no return; 1 the opposite; 2 is for buffers without address. */
enum { VARIANTS = 3 };

static bool is_scalar(const struct operand *o, unsigned variant)
{
    return o->kind[0] == 's' || (o->kind[0] == 'x' && variant == 1 && !strcmp(o->field, "src0"));
}

static bool is_acc(const struct operand *o, unsigned variant)
{
    return o->kind[0] == 'a' || (!strcmp(o->kind, "va") && variant == 1);
}

static void put(uint32_t *w, unsigned lo, unsigned width, uint32_t value)
{
    assert_true(value >> width == 0);
    w[lo / 32] |= value << lo % 32;
    if (lo % 32 + width > 32)
        w[lo / 32 + 1] |= value >> (32 - lo % 32);
}

static bool absent(const struct line *l, const struct operand *o, unsigned variant)
{
    if (!strcmp(o->field, "saddr"))
        return variant == 0;
    if (!strcmp(o->field, "addr") && is_format(l, BUFFERS))
        return variant == 2;
    return o->dir[0] == 'o' && variant != 1;
}

static void put_fields(const struct isa_target *t, const struct layout *f, const struct line *l, unsigned variant,
                       uint32_t *w)
{
    for (const struct field *d = f->fields; d->name; d++) {
        const struct operand *o = operand_of(l, d->name);
        uint32_t value;
        if (!o && d->coding == SGPR && strcmp(d->name, "saddr") != 0)
            continue;
        if (!strcmp(d->name, "saddr") && (!o || absent(l, o, variant))) {
            if (t->code_null != 0xffff || strcmp(l->format, "FLAT") != 0)
                put(w, d->lo, d->width, t->code_null != 0xffff ? t->code_null : 0x7f);
            continue;
        }
        if (!o)
            continue;
        bool scalar = is_scalar(o, variant);
        value = register_of(d->name, scalar);
        if (!strcmp(o->kind, "m0"))
            value = t->code_m0;
        else if (d->coding == SRC9 && !scalar)
            value += CODE_VGPR;
        else if (d->coding == SGPR_2 || d->coding == DST_ODD)
            value /= 2;
        else if (d->coding == SGPR_4)
            value /= 4;
        put(w, d->lo, d->width, value);
    }
}

/* Bits outside the registers' fields. */
static void put_modifiers(const struct isa_target *t, const struct line *l, unsigned variant, uint32_t *w)
{
    bool gfx12 = t->layout == LAYOUT_GFX12, gfx11 = t->layout == LAYOUT_GFX11, acc = false;
    const struct operand *o = operand_of(l, "src0"), *d = operand_of(l, "vdst");

    for (unsigned k = 0; k < l->noperands; k++)
        acc = acc || !strcmp(l->operands[k].kind, "va");
    acc = acc && variant == 1 && !strstr(l->name, "_lds_"); /* no data registers there */
    if (!strcmp(l->format, "VOP3P")) {
        bool matrix = o && o->kind[0] == 'v' && d && d->kind[1] == 'a';
        if (!matrix)
            put(w, 59, 2, 3); /* op_sel_hi */
        if (!matrix && t->layout != LAYOUT_GFX9)
            put(w, 14, 1, 1);
        if (acc) {
            put(w, 59, 2, 3);
            put(w, 15, 1, 1);
        }
    } else if (!strcmp(l->format, "DS")) {
        put(w, 25, 1, acc);
    } else if (is_format(l, FLATS) || is_format(l, BUFFERS)) {
        bool buffer = is_format(l, BUFFERS);
        if (!l->noperands)
            return;
        if (acc)
            put(w, 55, 1, 1);
        if (gfx12)
            put(w, 52, 1, variant == 1);
        else
            put(w, gfx11 || buffer ? 14 : 16, 1, variant == 1);
        if (!operand_of(l, "addr"))
            return;
        if (buffer && variant != 2)
            put(w, gfx12 ? 63 : gfx11 ? 55 : 13, 1, 1); /* idxen */
        if (buffer && variant == 0)
            put(w, gfx12 ? 62 : gfx11 ? 54 : 12, 1, 1); /* offen */
    } else if (!strcmp(l->format, "SMEM") && !gfx12 && !gfx11 && operand_of(l, "soffset")) {
        put(w, 16, 1, variant == 1);
        put(w, 14, 1, 1); /* a register and an immediate */
        put(w, 17, 1, 1);
    } else if (is_format(l, IMAGES)) {
        bool ray = strstr(l->name, "_bvh"), atomic = strstr(l->name, "_atomic_");
        uint32_t dmask = !atomic ? 15 : strstr(l->name, "cmpswap") ? 3 : 1;
        put(w, gfx12 ? 22 : 8, 4, dmask);
        if (ray)
            put(w, gfx12 ? 4 : 15, 1, 1); /* a descriptor of 128 bits */
        else if (strcmp(l->format, "VSAMPLE") != 0)
            put(w, gfx12 ? 0 : 2, 3, 1); /* 2D */
        if (ray && !gfx12)
            put(w, 7, 1, 1);
        if (atomic && variant == 1)
            put(w, gfx12 ? 52 : 14, 1, 1);
    }
}

static const struct layout *layout_of(const struct isa_target *t, const char *format)
{
    const struct layout *f = t->layout == LAYOUT_GFX12   ? gfx12_layouts
                             : t->layout == LAYOUT_GFX11 ? gfx11_layouts
                                                         : gfx9_layouts;

    while (f->format && strcmp(f->format, format) != 0)
        f++;
    return f->format ? f : NULL;
}

#endif
