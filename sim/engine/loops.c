/* Loops of a kernel, and how far a wave is from the end of one. */
#include "sim/engine/loops.h"

enum { LOOKED_AT = 16384 /* instructions from the entry on */, BRANCHES = 256 };

/* Whether the instruction reads, or writes, SCC; *sgprs: it writes scalar registers, too. */
static bool has_scc(const struct isa_wave *w, const struct isa_inst *i, bool written, bool *sgprs)
{
    struct isa_regref ref[ISA_MAX_REGREFS];
    unsigned n = isa_inst_regs(w->target, i, w->lanes, ref);
    bool found = false;

    *sgprs = false;
    for (unsigned k = 0; k < n; k++) {
        found |= ref[k].file == RF_SCC && ref[k].write == written;
        *sgprs |= ref[k].file == RF_SGPR && ref[k].write;
    }
    return found;
}

static bool is_compare(const struct isa_inst *i)
{
    return i->format == FMT_SOPC || i->format == FMT_SOPK;
}

/* A branch, and the comparison that decides it (0: there is none). */
struct branch {
    gaddr_t pc, target, compare;
};

/* The branches of the code from the entry on, in its order; their number. */
static unsigned find_branches(const struct isa_wave *w, gaddr_t entry, struct branch list[BRANCHES])
{
    gaddr_t pc = entry, compare = 0;
    unsigned count = 0;
    bool sgprs;

    for (unsigned n = 0; n < LOOKED_AT && count < BRANCHES; n++) {
        const struct isa_inst *i = isa_program_at(w->program, pc);

        if (!i)
            break;
        if (!i->row) { /* data after code */
            pc += 4;
            continue;
        }
        if (i->row->cls == OPC_BRANCH && i->format == FMT_SOPP) {
            list[count++] = (struct branch){.pc = pc,
                                            .target = pc + 4 + (gaddr_t)((int64_t)i->offset * 4),
                                            .compare = has_scc(w, i, false, &sgprs) ? compare : 0};
            compare = 0;
        } else if (has_scc(w, i, true, &sgprs)) {
            compare = is_compare(i) && !sgprs ? pc : 0;
        }
        pc += i->size_bytes;
    }
    return count;
}

/* A loop ends by its branch back, or by a branch that leaves it. */
static void find_loops(struct engine_loops *l, const struct isa_wave *w, gaddr_t entry)
{
    struct branch list[BRANCHES];
    unsigned count = find_branches(w, entry, list);

    l->made = true;
    for (unsigned b = 0; b < count; b++)
        for (unsigned k = 0; k <= b && list[b].target <= list[b].pc && l->count < ENGINE_LOOPS; k++)
            if (list[k].compare >= list[b].target && (k == b || list[k].target > list[b].pc) && list[k].compare)
                l->loop[l->count++] =
                    (struct engine_loop){.head = list[b].target, .end = list[b].pc, .compare = list[k].compare};
}

/* The value of a scalar operand: the low half of 64 bits. */
static uint32_t value_of(const struct isa_wave *w, const struct isa_inst *i, unsigned operand)
{
    enum { FIRST_CONSTANT = 128, LAST_POSITIVE = 192, LAST_CONSTANT = 208 };
    uint16_t code = i->op[operand].code;

    if (code < FIRST_CONSTANT)
        return w->s[code];
    if (code <= LAST_POSITIVE)
        return code - FIRST_CONSTANT;
    return code <= LAST_CONSTANT ? (uint32_t)(LAST_POSITIVE - code) : i->literal;
}

static uint32_t difference(const struct isa_wave *w, gaddr_t compare)
{
    const struct isa_inst *i = isa_program_at(w->program, compare);
    uint32_t a = value_of(w, i, 0), b = i->format == FMT_SOPK ? (uint32_t)i->offset : value_of(w, i, 1);
    uint32_t d = a - b;

    return d >> 31 ? -d : d;
}

bool engine_loop_left(struct engine_loops *l, const struct isa_wave *w, gaddr_t entry, gaddr_t *branch, uint64_t *left)
{
    const struct engine_loop *outer = NULL;

    if (!l->asked) { /* at the beginning; many runs are over before they are asked again */
        l->asked = true;
        return false;
    }
    if (!l->made)
        find_loops(l, w, entry);
    for (unsigned k = 0; k < l->count; k++) {
        struct engine_loop *loop = &l->loop[k];

        if (w->pc < loop->head || w->pc > loop->end)
            continue;
        uint32_t now = difference(w, loop->compare);
        loop->counts |= loop->seen && now != loop->left;
        loop->seen = true;
        loop->left = now;
        if (loop->counts && (!outer || loop->end - loop->head > outer->end - outer->head))
            outer = loop;
    }
    if (!outer)
        return false;
    *branch = outer->end;
    *left = outer->left;
    return true;
}
