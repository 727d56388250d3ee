/* Instructions cut out of other code, made ready to be repeated.
 *
 * A part of a kernel is looked at as llvm-mca does: its instructions run in the order in which they stand, each once in
 * an iteration. A branch is issued and goes on with the instruction after it, wherever it led; what ends the wave or
 * hands it to code elsewhere (s_endpgm, s_setpc_b64, s_trap ...) becomes s_nop, and falls away at the end of the part.
 */
#include <string.h>

#include "sim/study/compare_wrap.h"

#define S_NOP UINT32_C(0xbf800000)

static void put_word(uint8_t *at, uint32_t word)
{
    memcpy(at, &word, sizeof word);
}

/* Messages that end a wave's use of its registers come right before s_endpgm. */
static bool is_farewell(const struct isa_target *t, const struct isa_inst *inst)
{
    char text[200];

    isa_text(t, inst, text, sizeof text);
    return strstr(text, "MSG_DEALLOC_VGPRS") != NULL;
}

static bool leaves(const struct isa_target *t, const struct isa_inst *inst)
{
    if (inst->row->cls == OPC_BRANCH)
        return inst->format != FMT_SOPP;
    return inst->row->flags & RF_ENDS || is_farewell(t, inst);
}

int compare_straighten(const struct isa_target *t, uint8_t *code, size_t *size, unsigned lanes, struct err *e)
{
    struct isa_inst inst;
    size_t end = 0;
    bool over = false; /* the wave has ended, and what followed was padding */

    for (size_t at = 0, bytes; at < *size; at += bytes) {
        const char *why = NULL;
        bytes = isa_decode_strict(t, code + at, *size - at, lanes, &inst, &why);
        if (!bytes)
            return err_set(e, ERR_USAGE, "byte %zu is no instruction of %s: %s", at, t->name, why ? why : "");
        if (leaves(t, &inst)) {
            for (size_t k = 0; k < bytes; k += 4)
                put_word(code + at + k, S_NOP);
            over = true;
        } else if (over && inst.row->special == ISA_SPECIAL_NOP) {
            continue;
        } else if (inst.row->cls == OPC_BRANCH) {
            put_word(code + at, load_u32(code + at) & 0xffff0000);
        }
        if (!leaves(t, &inst)) {
            over = false;
            end = at + bytes;
        }
    }
    *size = end;
    return end ? 0 : err_set(e, ERR_USAGE, "no instructions but those that end a wave");
}
