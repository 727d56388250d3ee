/* Encodes the few instructions of the loop around a sequence.
 *
 * isa decodes and knows opcodes by semantics, so each one is found from the other side: of all opcodes of its format,
 * the one whose text is the wanted one. So the loop has what an assembler would make of that text.
 */
#include <stdio.h>
#include <string.h>

#include "sim/study/compare_wrap.h"

/* Appends the instruction of these words and an opcode, `shift` bits up in the first, whose text is that of one of the
 * names with the operands after it; the last name is null. */
static bool search(struct compare_bytes *b, const struct isa_target *t, const uint32_t words[2], unsigned count,
                   unsigned shift, unsigned opcodes, const char *const *names, const char *operands)
{
    struct isa_inst inst;
    char text[200], wanted[200];
    uint32_t w[2] = {0, words[1]};

    for (unsigned opcode = 0; opcode < opcodes; opcode++) {
        w[0] = words[0] | opcode << shift;
        if (isa_decode_any(t, (const uint8_t *)w, (size_t)count * 4, &inst, NULL) != count * 4)
            continue;
        isa_text(t, &inst, text, sizeof text);
        for (const char *const *name = names; *name; name++) {
            snprintf(wanted, sizeof wanted, "%s%s", *name, operands);
            if (strcmp(text, wanted) == 0) {
                compare_put(b, w, (size_t)count * 4);
                return true;
            }
        }
    }
    return false;
}

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define WORDS(...) ((const uint32_t[2]){__VA_ARGS__})

/* One word with an opcode of seven bits or less at `shift`. */
static bool sop(struct compare_bytes *b, const struct isa_target *t, uint32_t word, unsigned shift, unsigned bits,
                const char *const *names, const char *operands)
{
    return search(b, t, WORDS(word, 0), 1, shift, 1u << bits, names, operands);
}

enum { SOP2 = 23, SOPC = 16, SOPP = 16, SOP1 = 8, SOPK = 23, INLINE_0 = 128, INLINE_1 = 129, INLINE_2 = 130 };
#define SOP2_WORD UINT32_C(0x80000000)
#define SOPC_WORD UINT32_C(0xbf000000)
#define SOPP_WORD UINT32_C(0xbf800000)
#define SOP1_WORD UINT32_C(0xbe800000)
#define SOPK_WORD UINT32_C(0xb0000000)

bool compare_encode_load(struct compare_bytes *b, const struct isa_target *t, unsigned dwords, unsigned sgpr,
                         unsigned offset)
{
    /* the encodings of gfx8 and gfx9, gfx10, gfx11, gfx12, in which the operands are in different places */
    static const struct {
        uint32_t word, more;
        unsigned shift, bits;
    } form[] = {{0xc0020000, 0, 18, 8},
                {0xf4000000, 0xfa000000, 18, 8},
                {0xf4000000, 0xf8000000, 18, 8},
                {0xf4000000, 0xf8000000, 13, 6}};
    const char *const *names =
        dwords == 2 ? NAMES("s_load_dwordx2", "s_load_b64") : NAMES("s_load_dword", "s_load_b32");
    char operands[2][64], to[24];

    snprintf(to, sizeof to, dwords == 2 ? "s[%u:%u]" : "s%u", sgpr, sgpr + 1);
    snprintf(operands[0], sizeof operands[0], " %s, s[0:1], 0x%x", to, offset);
    snprintf(operands[1], sizeof operands[1], " %s, s[0:1], null", to);
    for (size_t k = 0; k < sizeof form / sizeof *form; k++)
        for (unsigned n = 0; n < (offset ? 1 : 2); n++)
            if (search(b, t, WORDS(form[k].word | sgpr << 6, form[k].more | offset), 2, form[k].shift,
                       1u << form[k].bits, names, operands[n]))
                return true;
    return false;
}

bool compare_encode_v_mov(struct compare_bytes *b, const struct isa_target *t, unsigned vgpr, uint32_t value)
{
    char operands[48];

    snprintf(operands, sizeof operands, " v%u, 0x%x", vgpr, value);
    return search(b, t, WORDS(0x7e0000ff | vgpr << 17, value), 2, 9, 256, NAMES("v_mov_b32_e32"), operands);
}

bool compare_encode_shift_v0(struct compare_bytes *b, const struct isa_target *t)
{
    return search(b, t, WORDS(INLINE_2, 0), 1, 25, 63, NAMES("v_lshlrev_b32_e32"), " v0, 2, v0");
}

bool compare_encode_group_id(struct compare_bytes *b, const struct isa_target *t)
{
    return sop(b, t, SOP1_WORD | 2 << 16 | 117, SOP1, 8, NAMES("s_mov_b32"), " s2, ttmp9");
}

/* s_waitcnt: its fields moved from generation to generation. */
static bool waitcnt(struct compare_bytes *b, const struct isa_target *t, uint32_t counters)
{
    static const uint16_t field[][3] = {
        {0x000f, 0x0070, 0x0f00}, {0xc00f, 0x0070, 0x0f00}, {0xc00f, 0x0070, 0x3f00}, {0xfc00, 0x0007, 0x03f0}};
    static const enum wait_counter counter[] = {WAIT_VM, WAIT_EXP, WAIT_LGKM}; /* in the order of its text */
    char operands[64] = "";

    for (unsigned c = 0; c < 3; c++)
        if (counters >> counter[c] & 1)
            snprintf(operands + strlen(operands), sizeof operands - strlen(operands), " %s(0)",
                     wait_counter_key[counter[c]]);
    for (size_t k = 0; k < sizeof field / sizeof *field; k++) {
        uint32_t imm = 0;

        for (unsigned c = 0; c < 3; c++)
            imm |= counters >> counter[c] & 1 ? 0 : field[k][c];
        if (sop(b, t, SOPP_WORD | imm, SOPP, 7, NAMES("s_waitcnt"), operands))
            return true;
    }
    return false;
}

bool compare_encode_waits(struct compare_bytes *b, const struct isa_target *t, uint32_t counters)
{
    const uint32_t old = 1u << WAIT_VM | 1u << WAIT_LGKM | 1u << WAIT_EXP;
    bool good = true;

    if (isa_has(t, FEAT_SPLIT_COUNTERS)) {
        for (unsigned c = 0; c < WAIT_COUNT; c++) {
            char name[32];

            snprintf(name, sizeof name, "s_wait_%s", wait_counter_key[c]);
            if (counters >> c & 1)
                good = sop(b, t, SOPP_WORD, SOPP, 7, NAMES(name), " 0x0") && good;
        }
        return good;
    }
    if (counters & old)
        good = waitcnt(b, t, counters & old);
    if (counters >> WAIT_VS & 1)
        good = good && (sop(b, t, SOPK_WORD | 125 << 16, SOPK, 5, NAMES("s_waitcnt_vscnt"), " null, 0x0") ||
                        sop(b, t, SOPK_WORD | 124 << 16, SOPK, 5, NAMES("s_waitcnt_vscnt"), " null, 0x0"));
    return good;
}

bool compare_encode_count_down(struct compare_bytes *b, const struct isa_target *t, unsigned sgpr)
{
    char operands[48];

    snprintf(operands, sizeof operands, " s%u, s%u, 1", sgpr, sgpr);
    if (!sop(b, t, SOP2_WORD | sgpr << 16 | INLINE_1 << 8 | sgpr, SOP2, 7, NAMES("s_sub_u32", "s_sub_co_u32"),
             operands))
        return false;
    snprintf(operands, sizeof operands, " s%u, 0", sgpr);
    return sop(b, t, SOPC_WORD | INLINE_0 << 8 | sgpr, SOPC, 7, NAMES("s_cmp_lg_u32"), operands);
}

bool compare_encode_branch(struct compare_bytes *b, const struct isa_target *t, int32_t words)
{
    char operands[48];

    snprintf(operands, sizeof operands, " %u", (uint32_t)words & 0xffff);
    return sop(b, t, SOPP_WORD | ((uint32_t)words & 0xffff), SOPP, 7, NAMES("s_cbranch_scc1"), operands);
}

bool compare_encode_end(struct compare_bytes *b, const struct isa_target *t)
{
    return sop(b, t, SOPP_WORD, SOPP, 7, NAMES("s_endpgm"), "");
}
