/* Finds the encoding of a line by its text: from one with the opcode alone, it takes each bit that brings the
 * disassembled text nearer to the line. */
#include <stdio.h>
#include <string.h>

#include "isa/decode/parts.h"
#include "tests/support/assemble_parts.h"

enum { DPP_CTRL_BITS = 9 };

struct search {
    const struct isa_target *t;
    const char *text;     /* the line */
    struct asm_line want; /* as a line of `format` */
    unsigned format;
    uint32_t w[ASM_WORDS];
    unsigned bytes, distance; /* of w, */
    struct asm_line is;       /* and its text */
    const char *mnemonic;     /* with the suffix of its form */
    unsigned form;
    char nearest[ASM_LINE]; /* of all bases */
    unsigned nearest_distance;
};

/* How far words are from the line: UINT_MAX if they are no instruction or another one. */
static unsigned measure(const struct search *s, const uint32_t *w, unsigned *bytes, struct asm_line *is)
{
    struct isa_inst i;
    char text[ASM_LINE];

    *bytes = isa_decode_any(s->t, (const uint8_t *)w, ASM_WORDS * 4, &i, NULL);
    if (!*bytes || i.form != s->form || i.has_literal == 2) /* no literals of 64 bits */
        return UINT32_MAX;
    isa_text(s->t, &i, text, sizeof text);
    asm_parse(is, s->t, s->format, text);
    if (strcmp(is->mnemonic, s->mnemonic))
        return UINT32_MAX;
    return asm_distance(is, &s->want) + (i.bad != 0) + (unsigned)__builtin_popcount(i.ignored) +
           (is->has_literal != s->want.has_literal || (is->has_literal && is->literal != s->want.literal));
}

/* Takes w ^ v << bit if that is nearer. */
static bool try_bits(struct search *s, unsigned bit, uint32_t v)
{
    uint32_t w[ASM_WORDS];
    unsigned bytes, d;
    struct asm_line is;

    memcpy(w, s->w, sizeof w);
    w[bit / 32] ^= v << bit % 32;
    d = measure(s, w, &bytes, &is);
    if (d >= s->distance)
        return false;
    memcpy(s->w, w, sizeof w);
    s->distance = d;
    s->bytes = bytes;
    s->is = is;
    return true;
}

/* A field at once, where some of its values are none on the way. */
static bool try_operands(struct search *s)
{
    struct asm_line is = s->is;

    for (unsigned k = 0; k < is.atoms; k++) {
        const struct asm_atom *want = asm_find(&s->want, is.atom[k].key);
        uint32_t v = want && !want->name && !is.atom[k].name ? want->value ^ is.atom[k].value : 0;

        for (unsigned bit = 0; v && bit < 8 * s->bytes; bit++)
            for (unsigned shift = 0; shift < 3; shift++)
                if (try_bits(s, bit, v >> shift))
                    return true;
    }
    return false;
}

/* Values that have names are not nearer to one another bit by bit: all of so many bits, dpp_ctrl where it is. */
static bool try_fields(struct search *s, unsigned width)
{
    for (unsigned bit = width == DPP_CTRL_BITS ? 8 : 0; bit < 8 * s->bytes; bit += width == DPP_CTRL_BITS ? 32 : 1)
        for (uint32_t v = 1; v < 1u << width; v++)
            if (try_bits(s, bit, v))
                return true;
    return false;
}

static bool climb(struct search *s)
{
    unsigned widest = strstr(s->text, "sendmsg(")                      ? 8
                      : strstr(s->text, "format:[")                    ? 7
                      : s->format == FMT_SOPP || s->format == FMT_SOPK ? 6
                                                                       : 3;

    s->distance = measure(s, s->w, &s->bytes, &s->is);
    if (s->distance == UINT32_MAX ||
        (s->format == FMT_VOPDX && asm_apart(asm_find(&s->is, "::"), asm_find(&s->want, "::"))))
        return false;
    for (bool nearer = true; nearer && s->distance;) {
        nearer = false;
        for (unsigned bit = 0; bit < 8 * s->bytes && s->distance; bit++)
            nearer |= try_bits(s, bit, 1);
        nearer =
            nearer || !s->distance || try_operands(s) || (strstr(s->text, "row_mask:") && try_fields(s, DPP_CTRL_BITS));
        for (unsigned width = 2; width <= widest && !nearer; width++)
            nearer = try_fields(s, width);
    }
    if (s->distance < s->nearest_distance) {
        struct isa_inst i;

        isa_decode_any(s->t, (const uint8_t *)s->w, sizeof s->w, &i, NULL);
        isa_text(s->t, &i, s->nearest, sizeof s->nearest);
        s->nearest_distance = s->distance;
    }
    return !s->distance;
}

/* The text of words up to its first space. */
static bool mnemonic_of(const struct isa_target *t, const uint32_t *w, char out[48], struct isa_inst *i)
{
    char text[ASM_LINE];

    if (!isa_decode_any(t, (const uint8_t *)w, ASM_WORDS * 4, i, NULL))
        return false;
    isa_text(t, i, text, sizeof text);
    snprintf(out, 48, "%.*s", (int)strcspn(text, " "), text);
    return true;
}

static bool has_mnemonic(const char *wanted, const char *is)
{
    size_t n = strlen(wanted);

    return !strncmp(is, wanted, n) && (!is[n] || !strcmp(is + n, "_e32") || !strcmp(is + n, "_e64"));
}

/* Bits that came with others and say nothing are as they were. */
static void drop_idle(struct search *s, const uint32_t *base)
{
    for (unsigned bit = 0; bit < 8 * s->bytes; bit++) {
        uint32_t w[ASM_WORDS];
        struct asm_line is;
        unsigned bytes;

        memcpy(w, s->w, sizeof w);
        w[bit / 32] = (w[bit / 32] & ~(1u << bit % 32)) | (base[bit / 32] & 1u << bit % 32);
        if (w[bit / 32] != s->w[bit / 32] && !measure(s, w, &bytes, &is))
            memcpy(s->w, w, sizeof w);
    }
}

/* From a base whose text has the mnemonic, with and without what fields need that have no value by their bits: no
 * address in SGPRs, no offset in one. */
static bool from_base(struct search *s, const uint32_t *base)
{
    const uint32_t none = s->t->code_null == 0xffff ? 0x7f : s->t->code_null;
    bool flat = s->format == FMT_FLAT || s->format == FMT_GLOBAL || s->format == FMT_SCRATCH;
    bool first = s->t->layout == LAYOUT_GFX12;
    bool smem = s->format == FMT_SMEM && s->t->code_null != 0xffff && (!first || strchr(s->text, ' '));
    bool off = strstr(s->text, ", off") || (s->format == FMT_FLAT && none != 0x7f);
    unsigned no_address = !off;
    struct isa_inst i;
    char mnemonic[48];

    for (unsigned k = 0; k < (smem || flat ? 2 : 1); k++) {
        memcpy(s->w, base, sizeof s->w);
        if (!k && smem)
            s->w[1] |= none << 25;
        else if (k == no_address && flat)
            s->w[!first] |= none << (first ? 0 : 16);
        if (!mnemonic_of(s->t, s->w, mnemonic, &i) || !has_mnemonic(s->want.mnemonic, mnemonic))
            continue;
        s->mnemonic = mnemonic;
        s->form = i.form;
        for (unsigned at = i.size_bytes / 4; at < ASM_WORDS && s->want.has_literal; at++)
            s->w[at] = s->want.literal;
        if (i.has_literal || i.row->args[1].slot == SL_K || i.row->args[2].slot == SL_K || i.row->args[3].slot == SL_K)
            s->w[i.size_bytes / 4 - 1] = s->want.literal;
        uint32_t start[ASM_WORDS];
        memcpy(start, s->w, sizeof start);
        if (climb(s)) {
            drop_idle(s, start);
            return true;
        }
    }
    return false;
}

/* The second half of a pair: its opcode. */
static bool pairs(struct search *s, uint32_t word)
{
    for (uint32_t y = 0; y < 32; y++)
        if (from_base(s, (const uint32_t[ASM_WORDS]){word | y << 17}))
            return true;
    return false;
}

/* Forms of VALU differ in what src0 announces. */
static uint32_t announced(const char *text)
{
    if (strstr(text, "row_mask:"))
        return CODE_DPP16;
    if (strstr(text, "dpp8:"))
        return strstr(text, "fi:1") ? CODE_DPP8_FI : CODE_DPP8;
    return strstr(text, "_sdwa ") ? CODE_SDWA : 0;
}

static bool from_words(struct search *s, const uint32_t *words)
{
    uint32_t base[ASM_WORDS] = {words[0], words[1], words[2]};

    if (s->format == FMT_VOPDX)
        return pairs(s, words[0]);
    base[s->format == FMT_VOP3] |= announced(s->text);
    return from_base(s, base);
}

/* What encodings hold besides the opcode before a line says anything, because no instruction would be there, or another
 * one, without it: of op_sel_hi, ones where nothing is said; VGPRs as sources of matrices; gds of the global wave sync;
 * no address; a format that nobody reads; of tensor instructions no registers for further groups. v_cmpx writes EXEC,
 * which gfx10 and later do not show. */
static const struct {
    unsigned format; /* FMT_COUNT: any */
    uint32_t word[3];
} beginnings[] = {
    {FMT_VBUFFER, {0, 0x800000}},
    {FMT_VOP3P, {0x4000, 0x1c020100}},
    {FMT_TENSOR, {0, 0x7c000000, 0x7c7c0000}},
    {FMT_COUNT, {0}},
    {FMT_DS, {1u << 16}},
    {FMT_DS, {1u << 17}},
    {FMT_GLOBAL, {0x7c}},
    {FMT_FLAT, {0x7c}},
    {FMT_FLAT, {0, 0x7d0000}},
    {FMT_FLAT, {0, 0x7c0000}},
};

/* Where the opcode stands is known by what decodes to it. */
static bool from_beginning(struct search *s, const struct isa_pattern *p, unsigned opcode, const uint32_t with[3])
{
    static const uint8_t shifts[] = {16, 9, 17, 25, 8, 23, 18, 14, 13, 22, 15};
    static const uint32_t segments[] = {0, 1u << 14, 2u << 14, 1u << 16, 2u << 16};
    bool exec = s->format == FMT_VOP3 && isa_has(s->t, FEAT_CMPX_EXEC_ONLY) && !strncmp(s->text, "v_cmpx", 6);
    uint32_t cmpx = exec ? CODE_EXEC_LO : 0;
    struct isa_inst i;

    for (unsigned k = 0; k < sizeof shifts * (p->format == s->format ? 1 : 5); k++) {
        uint32_t word = p->match | opcode << shifts[k % sizeof shifts] | segments[k / sizeof shifts];
        uint32_t base[ASM_WORDS] = {word | with[0] | cmpx, with[1], with[2]};

        if ((word & p->mask) == p->match && isa_decode_any(s->t, (const uint8_t *)base, sizeof base, &i, NULL) &&
            i.format == s->format && i.row == s->t->ops[s->format][opcode].row &&
            (i.opcode == opcode || i.form == FORM_VOPD))
            return from_words(s, base);
    }
    return false;
}

static bool from_opcode(struct search *s, unsigned opcode)
{
    for (const struct isa_pattern *p = s->t->patterns; p->bytes; p++)
        for (size_t k = 0; k < sizeof beginnings / sizeof beginnings[0]; k++) {
            unsigned format = beginnings[k].format;
            bool segment = s->format == FMT_GLOBAL || s->format == FMT_SCRATCH;

            if ((p->format == s->format || (p->format == FMT_FLAT && segment)) &&
                (format == s->format || format == FMT_COUNT) && from_beginning(s, p, opcode, beginnings[k].word))
                return true;
        }
    return false;
}

/* Whether the first n bytes of a mnemonic are all of it, or a form's suffix follows. */
static bool begins_with(const char *wanted, const char *mnemonic)
{
    size_t n = strlen(mnemonic);
    const char *suffix = wanted + n;

    return !strncmp(wanted, mnemonic, n) &&
           (!*suffix || !strncmp(suffix, "_e", 2) || !strcmp(suffix, "_dpp") || !strcmp(suffix, "_sdwa"));
}

static bool find_opcode(struct search *s)
{
    char pair[48] = "", name[48];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(s->text, " "), s->text);
    if (!strncmp(name, "v_dual_", 7))
        snprintf(pair, sizeof pair, "v_%s", name + 7);
    for (unsigned f = 0; f < FMT_COUNT; f++)
        for (unsigned op = 0; s->t->ops[f] && op < s->t->op_count[f]; op++) {
            const char *mnemonic = s->t->ops[f][op].mnemonic;

            if (!s->t->ops[f][op].row || !mnemonic || !begins_with(f == FMT_VOPDX && *pair ? pair : name, mnemonic))
                continue;
            s->format = f;
            asm_parse(&s->want, s->t, f, s->text);
            if (from_opcode(s, op))
                return true;
        }
    return false;
}

unsigned asm_encode(const struct isa_target *t, const char *text, uint32_t w[ASM_WORDS], char nearest[ASM_LINE])
{
    struct search s = {.t = t, .text = text, .nearest_distance = UINT32_MAX};
    bool found = find_opcode(&s);

    memcpy(w, s.w, sizeof s.w);
    memcpy(nearest, s.nearest, sizeof s.nearest);
    return found ? s.bytes / 4 : 0;
}
