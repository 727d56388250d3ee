/* Follows addresses of functions through scalar registers: s_getpc_b64, the additions after it, and moves. */
#include "sim/api/code_calls.h"

#include <string.h>

enum { SGPRS = 106, RETURN_SGPR = 30 /* s[30:31], by the calling convention of LLVM */ };

static bool is_named(const struct isa_inst *i, const char *a, const char *b)
{
    return strcmp(i->mnemonic, a) == 0 || (b && strcmp(i->mnemonic, b) == 0);
}

/* Whether a scalar source of 32 bits is known. */
static bool source(const struct code_calls *c, const struct isa_inst *i, unsigned op, uint32_t *v)
{
    unsigned code = i->op[op].code;

    if (code < SGPRS)
        *v = c->value[code];
    else if (code == CODE_LITERAL)
        *v = i->literal;
    else if (code >= CODE_INT_0 && code <= CODE_INT_64)
        *v = code - CODE_INT_0;
    else if (code > CODE_INT_64 && code <= CODE_INT_M16)
        *v = (uint32_t) - (int32_t)(code - CODE_INT_64);
    else
        return false;
    return code >= SGPRS || c->known[code];
}

/* Nothing is known any more of what the instruction writes. */
static void forget(struct code_calls *c, const struct isa_target *t, const struct isa_inst *i)
{
    struct isa_regref refs[ISA_MAX_REGREFS];
    unsigned count = isa_inst_regs(t, i, 64, refs);

    for (unsigned k = 0; k < count; k++) {
        if (!refs[k].write)
            continue;
        if (refs[k].file == RF_SCC)
            c->carry_known = false;
        for (unsigned r = 0; refs[k].file == RF_SGPR && r < refs[k].count; r++)
            if (refs[k].first + r < SGPRS)
                c->known[refs[k].first + r] = false;
    }
}

static void put(struct code_calls *c, const struct isa_inst *i, unsigned half, uint32_t value)
{
    unsigned code = i->op[0].code + half;

    if (code < SGPRS) {
        c->value[code] = value;
        c->known[code] = true;
    }
}

static void add(struct code_calls *c, const struct isa_target *t, const struct isa_inst *i, uint32_t carry, bool known)
{
    uint32_t a, b;

    known = source(c, i, 1, &a) && source(c, i, 2, &b) && known;
    forget(c, t, i);
    if (!known)
        return;
    uint64_t sum = (uint64_t)a + b + carry;
    put(c, i, 0, (uint32_t)sum);
    c->carry = sum >> 32 & 1;
    c->carry_known = true;
}

static void compute(struct code_calls *c, const struct isa_target *t, const struct isa_inst *i, gaddr_t pc)
{
    uint32_t v, high;

    if (is_named(i, "s_getpc_b64", NULL)) {
        forget(c, t, i);
        put(c, i, 0, (uint32_t)(pc + i->size_bytes));
        put(c, i, 1, (uint32_t)((pc + i->size_bytes) >> 32));
    } else if (is_named(i, "s_add_u32", "s_add_co_u32")) {
        add(c, t, i, 0, true);
    } else if (is_named(i, "s_addc_u32", "s_add_co_ci_u32")) {
        add(c, t, i, c->carry, c->carry_known);
    } else if (is_named(i, "s_mov_b32", "s_sext_i32_i16") && source(c, i, 1, &v)) {
        forget(c, t, i);
        put(c, i, 0, is_named(i, "s_mov_b32", NULL) ? v : (uint32_t)(int32_t)(int16_t)v);
    } else if (is_named(i, "s_mov_b64", NULL) && i->op[1].code + 1 < SGPRS && c->known[i->op[1].code] &&
               c->known[i->op[1].code + 1]) {
        v = c->value[i->op[1].code];
        high = c->value[i->op[1].code + 1];
        forget(c, t, i);
        put(c, i, 0, v);
        put(c, i, 1, high);
    } else {
        forget(c, t, i);
    }
}

bool code_calls_next(struct code_calls *c, const struct isa_target *t, const struct isa_inst *i, gaddr_t pc,
                     gaddr_t *to)
{
    enum isa_flow flow = i->row ? isa_inst_flow(i, pc, to) : ISA_FLOW_END;

    if (flow != ISA_FLOW_CALL && flow != ISA_FLOW_LEAVE) {
        if (i->row)
            compute(c, t, i, pc);
        return false;
    }
    unsigned code = i->op[flow == ISA_FLOW_CALL ? 1 : 0].code;
    if (flow == ISA_FLOW_LEAVE && code == RETURN_SGPR)
        return false;
    if (!*to && code + 1 < SGPRS && c->known[code] && c->known[code + 1])
        *to = (gaddr_t)c->value[code + 1] << 32 | c->value[code];
    forget(c, t, i);
    return true;
}
