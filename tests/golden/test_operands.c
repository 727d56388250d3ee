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

#include "tests/golden/operand_lines.h"

#include "tests/golden/operand_exceptions.h"

struct manual {
    const char *name, *title, *target;
    unsigned absent; /* lines whose opcode the target lacks, at most */
};
static const struct manual manuals[] = {
    {"rdna3_5", "RDNA3.5", "gfx1150", 17},
    {"rdna4", "RDNA4", "gfx1200", 8},
    {"cdna4", "CDNA4", "gfx942", 109},
    {"cdna4", "CDNA4_gfx950", "gfx950", 8},
};

/* --- where the manual is not followed ------------------------------------------------------------------------------
 */

static void strip_suffix(char *name)
{
    size_t n = strlen(name);

    if (n > 4 && (!strcmp(name + n - 4, "_e32") || !strcmp(name + n - 4, "_e64")))
        name[n - 4] = 0;
}

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
    char names[8192]; /* of absent ones */
};
struct group {
    unsigned met[EXCEPTIONS]; /* lines each exception held for */
};
struct state {
    const struct manual *manual;
    struct group *group;
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

/* The manual's name and the mnemonic LLVM has for the same opcode. */
static bool same_name(const struct line *l, const struct isa_inst *i)
{
    static const struct {
        const char *manual, *llvm;
    } alias[] = {{"v_accvgpr_read", "v_accvgpr_read_b32"},
                 {"v_accvgpr_write", "v_accvgpr_write_b32"},
                 {"v_mad_mix_f32", "v_fma_mix_f32"},
                 {"v_mad_mixlo_f16", "v_fma_mixlo_f16"},
                 {"v_mad_mixhi_f16", "v_fma_mixhi_f16"}};
    bool pair = i->form == FORM_VOPD;
    const char *mnemonic = pair && !strcmp(l->format, "VOPD") ? i->u.y.mnemonic : i->mnemonic;
    char name[64];

    strcpy(name, l->name);
    strip_suffix(name);
    for (unsigned k = 0; k < sizeof alias / sizeof alias[0]; k++)
        if (!strcmp(name, alias[k].manual) && !strcmp(mnemonic, alias[k].llvm))
            return true;
    return !strcmp(pair ? undual(name) : name, mnemonic);
}

static bool decode_line(const struct isa_target *t, const struct layout *f, const struct line *l, unsigned variant,
                        struct isa_inst *i)
{
    uint32_t w[6] = {(uint32_t)f->match, (uint32_t)(f->match >> 32), 0, 0, 0, 0};

    if (f->opcode_bits)
        put(w, f->opcode_lo, f->opcode_bits, l->opcode);
    put_fields(t, f, l, variant, w);
    put_modifiers(t, l, variant, w);
    if (isa_decode(t, (const uint8_t *)w, sizeof w, i, NULL))
        return same_name(l, i);
    if (strcmp(l->format, "DS") != 0 || t->layout == LAYOUT_GFX12)
        return false;
    w[0] |= t->layout == LAYOUT_GFX11 ? 1u << 17 : 1u << 16; /* what there is for GDS alone */
    return isa_decode(t, (const uint8_t *)w, sizeof w, i, NULL) && same_name(l, i);
}

/* Returns whether the target has the opcode. */
static bool check_line(const struct manual *m, const struct isa_target *t, struct line *l, struct group *g,
                       struct tally *tally)
{
    const struct layout *f = layout_of(t, l->format);
    struct isa_inst i;

    if (!f || l->opcode >> f->opcode_bits || !decode_line(t, f, l, 0, &i))
        return false;
    unsigned held = apply_exceptions(m, l, g->met);
    tally->exceptions += held != 0;
    for (unsigned variant = 0; variant < VARIANTS; variant++) {
        if (!wanted_variant(l, variant))
            continue;
        if (!decode_line(t, f, l, variant, &i)) {
            print_message("%s %s %s: does not decode in variant %u\n", t->name, l->format, l->name, variant);
            tally->wrong++;
            continue;
        }
        for (unsigned lanes = isa_has(t, FEAT_WAVE32) ? 32 : 64; lanes <= 64; lanes += 32, tally->encodings++)
            compare(t, l, &i, variant, lanes, tally);
    }
    tally->opcodes++;
    return true;
}

static void note_absent(struct tally *tally, const struct line *l)
{
    size_t n = strlen(tally->names);

    tally->absent++;
    snprintf(tally->names + n, sizeof tally->names - n, " %s", l->name);
}

static void test_manual(void **state)
{
    const struct manual *m = ((struct state *)*state)->manual;
    struct group *g = ((struct state *)*state)->group;
    struct isa_target *t;
    struct err err = {0};
    struct tally tally = {0};
    struct line l;
    char path[64], text[640];

    assert_int_equal(isa_target_open(&t, m->target, "base", &err), 0);
    snprintf(path, sizeof path, "tests/golden/operands/%s.tsv", m->name);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    while (fgets(text, sizeof text, in)) {
        if (!parse_line(&l, text))
            continue;
        if (!check_line(m, t, &l, g, &tally))
            note_absent(&tally, &l);
        /* the first half of a pair has the same opcodes, but the last few */
        if (!strcmp(l.format, "VOPD") && parse_line(&l, text) && l.opcode < 16) {
            strcpy(l.format, "VOPDX");
            check_line(m, t, &l, g, &tally);
        }
    }
    fclose(in);
    isa_target_close(t);
    print_message("%s on %s: %u opcodes, %u registers in %u encodings, %u opcodes not there, %u exceptions\n", m->title,
                  m->target, tally.opcodes, tally.operands, tally.encodings, tally.absent, tally.exceptions);
    print_message("not there:%s\n", tally.names);
    assert_int_equal(tally.wrong, 0);
    assert_true(tally.absent <= m->absent);
}

/* After all manuals: what is an exception to nothing goes. */
static void test_exceptions(void **state)
{
    const struct group *g = ((struct state *)*state)->group;
    unsigned idle = 0;

    for (unsigned k = 0; k < EXCEPTIONS; k++)
        if (!g->met[k]) {
            print_message("an exception to no line: %s %s\n", exceptions[k].names,
                          exceptions[k].from ? exceptions[k].from : exceptions[k].to);
            idle++;
        }
    assert_int_equal(idle, 0);
}

int main(void)
{
    enum { MANUALS = sizeof manuals / sizeof manuals[0] };
    struct CMUnitTest tests[MANUALS + 1];
    struct state states[MANUALS + 1];
    struct group group = {{0}};

    for (unsigned k = 0; k <= MANUALS; k++) {
        states[k] = (struct state){k < MANUALS ? &manuals[k] : NULL, &group};
        tests[k] = (struct CMUnitTest){k < MANUALS ? manuals[k].title : "exceptions",
                                       k < MANUALS ? test_manual : test_exceptions, NULL, NULL, &states[k]};
    }
    return cmocka_run_group_tests_name("operands", tests, NULL, NULL);
}
