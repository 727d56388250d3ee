/* Registers an instruction reads and writes (isa_inst_regs) against the operand lists of AMD's ISA manuals, condensed
 * into tests/golden/operands/MANUAL.tsv by tests/tools/operands/condense.py, which explains the columns.
 *
 * Each line's opcode is encoded on the manual's target with a register of its own in every field, decoded, and every
 * register found must be one that the manual has there: file, number, width, direction; and the other way round. So are
 * SCC, VCC, EXEC, M0 and the program counter. Encodings vary: VGPR and SGPR sources, AGPRs, addresses with and without
 * scalar base, atomics with and without return; wave32 and wave64.
 *
 * Where the manual is not followed, `exceptions` says why; they are counted, and one that is met by no line fails.
 */
#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"

struct manual {
    const char *name, *title, *target;
    bool strict_names; /* the target is a neighbour of the manual's: only opcodes of the same name are the same */
    unsigned absent;   /* lines whose opcode the target lacks, at most */
};
static const struct manual manuals[] = {
    {"rdna3_5", "RDNA3.5", "gfx1150", false, 0},
    {"rdna4", "RDNA4", "gfx1200", false, 0},
    {"cdna4", "CDNA4", "gfx942", true, 0},
};

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
static const struct layout gfx9[] = {
    ALU_LAYOUTS(0xd0000000, 0xd3800000),
    {"DS", 0xd8000000, 17, 8, DS_FIELDS},
    {"SMEM", 0xc0000000, 18, 8, SMEM_FIELDS},
    {"FLAT", 0xdc000000, 18, 7, FLAT_FIELDS},
    {"GLOBAL", 0xdc008000, 18, 7, FLAT_FIELDS},
    {"SCRATCH", 0xdc006000, 18, 7, FLAT_FIELDS}, /* the VGPR counts */
    {"MUBUF", 0xe0000000, 18, 7, BUFFER_FIELDS},
    {"MTBUF", 0xe8080000, 15, 4, BUFFER_FIELDS},
    {0}};
static const struct layout gfx11[] = {
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
static const struct layout gfx12[] = {
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
        if (gfx12)
            put(w, 52, 1, variant == 1);
        else
            put(w, 14, 1, variant == 1);
    }
}

static const struct layout *layout_of(const struct isa_target *t, const char *format)
{
    const struct layout *f = t->layout == LAYOUT_GFX12 ? gfx12 : t->layout == LAYOUT_GFX11 ? gfx11 : gfx9;

    while (f->format && strcmp(f->format, format) != 0)
        f++;
    return f->format ? f : NULL;
}

/* --- where the manual is not followed ------------------------------------------------------------------------------
 */

static void strip_suffix(char *name)
{
    size_t n = strlen(name);

    if (n > 4 && (!strcmp(name + n - 4, "_e32") || !strcmp(name + n - 4, "_e64")))
        name[n - 4] = 0;
}

/* A line that is changed before it is checked: operand or implicit registers `from` become `to`. An operand without
 * `from` is added, one without `to` removed. */
struct exception {
    const char *manual;  /* its name; null: all */
    const char *formats; /* null: any */
    const char *names;   /* pattern of the mnemonic, _e32 and _e64 aside */
    const char *from, *to;
    const char *why;
};
#define D16_LOADS(FORMATS, FIELD)                                                                                      \
    {                                                                                                                  \
        "cdna4", FORMATS, "*_d16*", FIELD ":rw:32:va", FIELD ":w:32:va", "with SRAM-ECC the other half is cleared"     \
    }
#define WHOLE(NAMES, FROM, TO)                                                                                         \
    {                                                                                                                  \
        NULL, SCALARS, NAMES, FROM, TO, "part of the register is used, all of it is read"                              \
    }
#define BYTE_OR_HALF(FORMAT, NAMES, FROM, TO)                                                                          \
    {                                                                                                                  \
        NULL, FORMAT, NAMES, FROM, TO, "op_sel or SDWA says which part of the register is used"                        \
    }
#define UNSTATED(FORMAT, NAMES, TO, WHY)                                                                               \
    {                                                                                                                  \
        NULL, FORMAT, NAMES, "?", TO, "not in the manual; " WHY                                                        \
    }
#define NO_OPERANDS(NAMES, TO)                                                                                         \
    {                                                                                                                  \
        "rdna4", " SOP1 ", NAMES, NULL, TO, "the manual's list is empty, its text is not"                              \
    }
static const struct exception exceptions[] = {
    D16_LOADS(" DS FLAT GLOBAL SCRATCH ", "vdst"),
    D16_LOADS(" MUBUF ", "vdata"),
    {"cdna4", " GLOBAL SCRATCH ", "*_load_lds_*", "vdst:w:32:va", NULL, "what is loaded goes to LDS; LLVM has no vdst"},
    {"rdna3_5", " GLOBAL ", "global_atomic_cmpswap_[bf]32", "vdst:o:64:v", "vdst:o:32:v",
     "the width of data; the text returns the old value alone"},
    {"rdna3_5", " GLOBAL ", "global_atomic_cmpswap_b64", "vdst:o:128:v", "vdst:o:64:v", "the same"},
    {NULL, NULL, "v_fmac_dx9_zero_f32", "vdst:w:32:v", "vdst:rw:32:v", "the text's S2 is the destination"},
    {NULL, " VOPD VOPDX ", "v_dual_dot2acc_f32_bf16", "vdst:w:32:v", "vdst:rw:32:v", "no text; accumulates"},
    {NULL, " VOP3 ", "v_permlane*16_*b32", "vdst:w:32:v", "vdst:rw:32:v",
     "a lane whose source is inactive may keep its value; LLVM ties vdst"},
    {NULL, " VOP3 ", "v_writelane_b32", "vdst:w:32:v", "vdst:rw:32:v", "the other lanes stay; LLVM ties vdst"},
    {"rdna3_5", " VOP3P ", "v_wmma_*f16_16x16x16_*f16", "vdst:w:256h:v", "vdst:rw:256h:v",
     "op_sel picks the halves written, the others stay"},
    {"cdna4", " VOP3 ", "v_*_legacy_[fui]16", "vdst:rw:16:v", "vdst:w:16:v", "the low half stays with op_sel[3] alone"},
    {"cdna4", " SOP1 SOPC SOPP ", "s_set_gpr_idx_*", "m0:w", "m0:rw", "some bits are replaced, the others stay"},
    {NULL, " SOP2 ", "s_cvt_pk_rtz_f16_f32", "sdst:w:16:s", "sdst:w:32:s", "two halves"},
    WHOLE("s_sext_i32_i8", "src0:r:16:s", "src0:r:32:s"),
    WHOLE("s_sext_i32_i16", "src0:r:16:s", "src0:r:32:s"),
    WHOLE("s_cvt_hi_f32_f16", "src0:r:16:s", "src0:r:32:s"),
    WHOLE("s_pack_l?_b32_b16", "src0:r:16:s", "src0:r:32:s"),
    WHOLE("s_pack_?l_b32_b16", "src1:r:16:s", "src1:r:32:s"),
    {"rdna4", " VOP3 ", "v_s_*_f16", "vdst:w:32:s", "vdst:w:16:s",
     "the upper half is cleared, as by any f16 of scalars"},
    {NULL, NULL, "v_align*_b32", "src2:r:16:x", "src2:r:32:x", "the low bits count; LLVM reads 32"},
    {NULL, NULL, "v_cmp*_class_f16", "src1:r:16:x", "src1:r:32:x", "a mask of ten bits; LLVM reads 32"},
    {NULL, NULL, "v_cmp*_class_f16", "src1:r:16:v", "src1:r:32:v", "the same"},
    BYTE_OR_HALF(NULL, "v_cvt_pk_f32_[fb][pf]8", "src0:r:16:x", "src0:r:32:x"),
    {"rdna3_5", " LDSDIR ", "lds_direct_load", "-", "m0:r", "M0 holds address and type"},
    {NULL, " DS ", "ds_append", "-", "m0:r", "LLVM puts the address in M0"},
    {NULL, " DS ", "ds_consume", "-", "m0:r", "LLVM puts the address in M0"},
    UNSTATED(" DS ", "ds_append", "m0:r", "LLVM puts the address in M0"),
    UNSTATED(" DS ", "ds_consume", "m0:r", "LLVM puts the address in M0"),
    UNSTATED(" DS ", "ds_gws_*", "m0:r", "M0 holds the resource's base"),
    UNSTATED(" DS ", "ds_ordered_count", "m0:r", "M0 holds the base"),
    UNSTATED(" LDSDIR ", "*", "m0:r", "M0 holds address and type, or the primitive mask"),
    UNSTATED(" MUBUF GLOBAL SCRATCH ", "*_load_lds_*", "m0:r", "M0 holds the LDS base"),
    UNSTATED(" SOPP ", "s_sendmsg*", "m0:r", "M0 is the payload"),
    UNSTATED(" SOP2 ", "s_rfe_restore_b64", "pc:w", "returns"),
    UNSTATED(" SOPP ", "s_barrier_leave", "scc:w", "LLVM defines SCC"),
    {NULL, " MIMG VIMAGE ", "image_atomic_cmpswap", "vdata:r:128:v", "vdata:r:64:v", "dmask says how much"},
    {NULL, " VIMAGE ", "image_atomic_cmpswap", "vdata:r:32:v", "vdata:r:64:v", "new value and comparand"},
    {NULL, " MIMG VIMAGE ", "image_atomic_*", "vdata:r:128:v", "vdata:r:32:v", "dmask says how much"},
    NO_OPERANDS("s_barrier_init", "src0:r:32:m0"),
    NO_OPERANDS("s_barrier_join", "src0:r:32:m0"),
    NO_OPERANDS("s_get_barrier_state", "src0:r:32:m0"),
    NO_OPERANDS("s_get_barrier_state", "sdst:w:32:s"),
    UNSTATED(" SOPK ", "s_subvector_loop_*", "exec:rw pc:w", "LLVM and the RDNA1 manual"),
    {"rdna3_5", " SOPK ", "s_subvector_loop_*", NULL, "sdst:rw:32:s", "the list is empty; LLVM reads and writes sdst"},
};
enum { EXCEPTIONS = sizeof exceptions / sizeof exceptions[0] };

static bool change_operand(struct line *l, const char *from, const char *to)
{
    struct operand o;
    unsigned k = 0;

    if (from) {
        parse_operand(&o, from);
        while (k < l->noperands && memcmp(&l->operands[k], &o, sizeof o) != 0)
            k++;
    } else {
        k = l->noperands++;
    }
    if (k == l->noperands)
        return false;
    if (to)
        parse_operand(&l->operands[k], to);
    else
        l->operands[k] = l->operands[--l->noperands];
    return true;
}

static bool is_operand(const char *text)
{
    const char *c = text ? strchr(text, ':') : NULL;

    return c && !strchr(text, ' ') && strchr(c + 1, ':');
}

/* Returns how many held; met counts for each. */
static unsigned apply_exceptions(const struct manual *m, struct line *l, unsigned met[EXCEPTIONS])
{
    char name[64];
    unsigned n = 0;

    strcpy(name, l->name);
    strip_suffix(name);
    for (unsigned k = 0; k < EXCEPTIONS; k++) {
        const struct exception *x = &exceptions[k];
        bool holds;
        if ((x->manual && strcmp(x->manual, m->name) != 0) || (x->formats && !is_format(l, x->formats)) ||
            fnmatch(x->names, name, 0) != 0)
            continue;
        if (is_operand(x->from) || is_operand(x->to)) {
            holds = change_operand(l, x->from, x->to);
        } else {
            holds = !strcmp(l->implicit, x->from);
            if (holds)
                strcpy(l->implicit, x->to);
        }
        n += holds;
        met[k] += holds;
    }
    return n;
}

/* The manuals do not say of each vector instruction that EXEC masks it. These it does not. */
static bool is_masked(const struct line *l)
{
    static const char *const always[] = {"v_nop*", "v_pipeflush*", "v_clrexcp*", "v_readlane*", "v_writelane*",
                                         "v_s_*",  "v_wmma_*",     "v_swmmac_*", "v_mfma_*",    "v_smfmac_*",
                                         "ds_nop", "buffer_*inv",  "buffer_wb*", "global_inv",  "global_wb*"};

    for (unsigned k = 0; k < sizeof always / sizeof always[0]; k++)
        if (!fnmatch(always[k], l->name, 0))
            return false;
    return !is_format(l, SCALARS);
}

/* --- what is expected --------------------------------------------------------------------------------------------- */

struct expected {
    struct isa_regref refs[32];
    unsigned n;
};

static void expect(struct expected *e, enum isa_regfile file, unsigned first, unsigned count, unsigned bits, bool write)
{
    assert_true(e->n < 32);
    e->refs[e->n++] = (struct isa_regref){(uint8_t)file, (uint8_t)count, (uint16_t)first, (uint16_t)bits, write};
}

static void expect_operand(const struct isa_target *t, struct expected *e, const struct line *l,
                           const struct operand *o, unsigned variant, unsigned lanes)
{
    bool scalar = is_scalar(o, variant);
    unsigned bits = o->bits ? o->bits : lanes, first = register_of(o->field, scalar);
    enum isa_regfile file = scalar ? RF_SGPR : RF_VGPR;

    if (absent(l, o, variant) || (is_format(l, IMAGES) && !strcmp(o->field, "addr")))
        return;
    if (is_acc(o, variant))
        file = RF_AGPR;
    if (!strcmp(o->kind, "m0")) {
        file = RF_SGPR;
        first = t->code_m0;
    }
    if (!strcmp(o->field, "addr") && is_format(l, " GLOBAL ") && variant != 0)
        bits = 32; /* on top of a scalar base */
    if (!strcmp(o->field, "addr") && is_format(l, BUFFERS) && variant == 1)
        bits = 32; /* index without offset */
    if (!strcmp(o->field, "vdst") && !strcmp(l->format, "VOPD"))
        first |= 1;
    if (o->halves && lanes == 64 && bits > 32)
        bits /= 2;
    unsigned count = (bits + 31) / 32;
    /* bytes are some of a register's, and registers of memory hold whole dwords whatever is moved */
    if (bits != 16 || is_format(l, MEMORY))
        bits = 32 * count;
    if (o->dir[0] == 'o') {
        expect(e, file, first, count, bits, true);
        return;
    }
    if (strchr(o->dir, 'r'))
        expect(e, file, first, count, bits, false);
    if (strchr(o->dir, 'w'))
        expect(e, file, first, count, bits, true);
}

static void expect_implicit(const struct isa_target *t, struct expected *e, const struct line *l, unsigned lanes)
{
    char text[64], *save, name[8], dir[4];
    bool exec_read = is_masked(l);

    strcpy(text, l->implicit);
    for (char *word = strtok_r(text, " ", &save); word && strchr(word, ':'); word = strtok_r(NULL, " ", &save)) {
        assert_int_equal(sscanf(word, "%7[^:]:%3s", name, dir), 2);
        bool r = strchr(dir, 'r'), w = strchr(dir, 'w');
        bool vcc = !strcmp(name, "vcc"), exec = !strcmp(name, "exec"), m0 = !strcmp(name, "m0");
        if (exec) {
            exec_read = exec_read || r;
            r = false;
        }
        unsigned first = vcc ? CODE_VCC_LO : exec ? CODE_EXEC_LO : m0 ? t->code_m0 : 0;
        unsigned count = vcc || exec ? lanes / 32 : 1;
        enum isa_regfile file = vcc || exec || m0 ? RF_SGPR : !strcmp(name, "scc") ? RF_SCC : RF_PC;
        if (file == RF_PC)
            r = false; /* any instruction reads it */
        if (r)
            expect(e, file, first, count, 32 * count, false);
        if (w)
            expect(e, file, first, count, file == RF_PC ? 64 : 32 * count, true);
    }
    if (exec_read)
        expect(e, RF_SGPR, CODE_EXEC_LO, lanes / 32, lanes, false);
}

static bool same(const struct isa_regref *a, const struct isa_regref *b)
{
    return a->file == b->file && a->first == b->first && a->count == b->count && a->write == b->write &&
           a->bits == b->bits;
}

static const char *ref_text(const struct isa_target *t, const struct isa_regref *r, char text[48])
{
    static const char *const files[] = {"s", "v", "a", "scc", "mode", "pc"};
    const char *name = r->file == RF_SGPR && r->first == CODE_VCC_LO    ? "vcc"
                       : r->file == RF_SGPR && r->first == CODE_EXEC_LO ? "exec"
                       : r->file == RF_SGPR && r->first == t->code_m0   ? "m0"
                                                                        : NULL;

    if (name || r->file >= RF_SCC)
        snprintf(text, 48, "%c %s:%u", r->write ? 'w' : 'r', name ? name : files[r->file], r->bits);
    else
        snprintf(text, 48, "%c %s%u:%u", r->write ? 'w' : 'r', files[r->file], r->first, r->bits);
    return text;
}

/* --- the comparison ----------------------------------------------------------------------------------------------- */

struct tally {
    unsigned opcodes, operands, encodings, absent, exceptions, wrong;
};

static bool is_address(unsigned vgpr)
{
    return vgpr == 0 || (vgpr >= 160 && vgpr < 192);
}

static void compare(const struct isa_target *t, const struct line *l, const struct isa_inst *i, unsigned variant,
                    unsigned lanes, struct tally *tally)
{
    struct isa_regref refs[ISA_MAX_REGREFS];
    unsigned n = isa_inst_regs(t, i, lanes, refs), addresses = 0;
    struct expected e = {.n = 0};
    bool seen[ISA_MAX_REGREFS] = {false};
    char text[48];

    assert_true(n < ISA_MAX_REGREFS);
    for (unsigned k = 0; k < l->noperands; k++)
        expect_operand(t, &e, l, &l->operands[k], variant, lanes);
    expect_implicit(t, &e, l, lanes);
    tally->operands += e.n;
    for (unsigned r = 0; r < n; r++) {
        if (is_format(l, MEMORY))
            refs[r].bits = (uint16_t)(32 * refs[r].count);
        /* how many addresses an image has is its dimensions' matter */
        if (is_format(l, IMAGES) && refs[r].file == RF_VGPR && !refs[r].write && is_address(refs[r].first)) {
            seen[r] = true;
            addresses++;
        }
    }
    if (is_format(l, IMAGES) && !addresses) {
        tally->wrong++;
        print_message("%s %s %s %u.%u: no address\n", t->name, l->format, l->name, variant, lanes);
    }
    for (unsigned k = 0; k < e.n; k++) {
        bool found = false;
        for (unsigned r = 0; r < n && !found; r++)
            if (!seen[r] && same(&e.refs[k], &refs[r]))
                found = seen[r] = true;
        if (!found) {
            tally->wrong++;
            print_message("%s %s %s %u.%u: missing %s\n", t->name, l->format, l->name, variant, lanes,
                          ref_text(t, &e.refs[k], text));
        }
    }
    for (unsigned r = 0; r < n; r++) {
        if (seen[r] || refs[r].file == RF_MODE || (refs[r].file == RF_VGPR && refs[r].first >= 250))
            continue;
        tally->wrong++;
        print_message("%s %s %s %u.%u: extra %s\n", t->name, l->format, l->name, variant, lanes,
                      ref_text(t, &refs[r], text));
    }
}

/* v_dual_fmac_f32 is a row of v_fmac_f32's. */
static const char *undual(char *name)
{
    if (!strncmp(name, "v_dual_", 7)) {
        memmove(name + 2, name + 7, strlen(name + 7) + 1);
    }
    return name;
}

static bool wanted_variant(const struct line *l, unsigned variant)
{
    return variant < 2 || is_format(l, BUFFERS);
}

static void check_line(const struct manual *m, const struct isa_target *t, struct line *l, unsigned met[EXCEPTIONS],
                       struct tally *tally)
{
    const struct layout *f = layout_of(t, l->format);
    char name[64];
    bool there = false;

    strcpy(name, l->name);
    strip_suffix(name);
    tally->exceptions += apply_exceptions(m, l, met) != 0;
    if (!f || l->opcode >> f->opcode_bits) {
        print_message("%s %s %s: no layout\n", t->name, l->format, l->name);
        tally->absent++;
        return;
    }
    for (unsigned variant = 0; variant < VARIANTS; variant++) {
        uint32_t w[6] = {(uint32_t)f->match, (uint32_t)(f->match >> 32), 0, 0, 0, 0};
        struct isa_inst i;
        const char *why;
        if (!wanted_variant(l, variant))
            continue;
        if (f->opcode_bits)
            put(w, f->opcode_lo, f->opcode_bits, l->opcode);
        put_fields(t, f, l, variant, w);
        put_modifiers(t, l, variant, w);
        bool ok = isa_decode(t, (const uint8_t *)w, sizeof w, &i, &why);
        if (!ok && !strcmp(l->format, "DS") && t->layout != LAYOUT_GFX12) {
            w[0] |= t->layout == LAYOUT_GFX11 ? 1u << 17 : 1u << 16; /* what there is for GDS alone */
            ok = isa_decode(t, (const uint8_t *)w, sizeof w, &i, &why);
        }
        if (!ok) {
            print_message("%s %s %s %u: %08x %08x %08x %s\n", t->name, l->format, l->name, variant, w[0], w[1], w[2],
                          why);
            continue;
        }
        const char *mnemonic = i.form == FORM_VOPD && !strcmp(l->format, "VOPD") ? i.u.y.mnemonic : i.mnemonic;
        if (strcmp(i.form == FORM_VOPD ? undual(name) : name, mnemonic) != 0) {
            print_message("%s %s %s: is %s\n", t->name, l->format, l->name, mnemonic);
            if (m->strict_names)
                continue;
        }
        there = true;
        for (unsigned lanes = isa_has(t, FEAT_WAVE32) ? 32 : 64; lanes <= 64; lanes += 32, tally->encodings++)
            compare(t, l, &i, variant, lanes, tally);
    }
    tally->opcodes += there;
    tally->absent += !there;
}

static void test_manual(void **state)
{
    const struct manual *m = *state;
    struct isa_target *t;
    struct err err = {0};
    struct tally tally = {0};
    unsigned met[EXCEPTIONS] = {0};
    struct line l;
    char path[64], text[640];

    assert_int_equal(isa_target_open(&t, m->target, "base", &err), 0);
    snprintf(path, sizeof path, "tests/golden/operands/%s.tsv", m->name);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    while (fgets(text, sizeof text, in)) {
        if (!parse_line(&l, text))
            continue;
        check_line(m, t, &l, met, &tally);
        if (!strcmp(l.format, "VOPD") && l.opcode < 16) { /* the first half of a pair has the same, fewer opcodes */
            strcpy(l.format, "VOPDX");
            check_line(m, t, &l, met, &tally);
        }
    }
    fclose(in);
    isa_target_close(t);
    print_message("%s on %s: %u opcodes, %u registers in %u encodings, %u opcodes not there, %u exceptions\n", m->title,
                  m->target, tally.opcodes, tally.operands, tally.encodings, tally.absent, tally.exceptions);
    assert_int_equal(tally.wrong, 0);
}

int main(void)
{
    struct CMUnitTest tests[sizeof manuals / sizeof manuals[0]];

    for (unsigned k = 0; k < sizeof manuals / sizeof manuals[0]; k++)
        tests[k] = (struct CMUnitTest){manuals[k].title, test_manual, NULL, NULL, (void *)&manuals[k]};
    return cmocka_run_group_tests_name("operands", tests, NULL, NULL);
}
