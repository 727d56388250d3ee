/* Loads that spin until another wave writes: found in the code around them (spin_loops.h). */
#include "sim/engine/spin_loops.h"

#include <string.h>

enum { LOOKED_AHEAD = 64 /* instructions to the branch back */, LOOP_BYTES = 512, SGPRS = 128, VGPRS = 1024 };

/* Registers, of those that decide a branch or hold an address. */
struct set {
    bool sgpr[SGPRS], vgpr[VGPRS], scc;
};

static bool *place(struct set *s, const struct isa_regref *r, unsigned k)
{
    unsigned at = r->first + k;

    if (r->file == RF_SCC)
        return &s->scc;
    if (r->file == RF_SGPR)
        return at < SGPRS ? &s->sgpr[at] : NULL;
    return r->file == RF_VGPR && at < VGPRS ? &s->vgpr[at] : NULL;
}

/* Whether the set has one of the registers that the instruction reads, or writes. */
static bool has(struct set *s, const struct isa_regref *ref, unsigned refs, bool written)
{
    for (unsigned r = 0; r < refs; r++)
        for (unsigned k = 0; k < ref[r].count && ref[r].write == written; k++) {
            const bool *b = place(s, &ref[r], k);
            if (b && *b)
                return true;
        }
    return false;
}

/* Adds the registers that the instruction reads, or writes. */
static void put(struct set *s, const struct isa_regref *ref, unsigned refs, bool written)
{
    for (unsigned r = 0; r < refs; r++)
        for (unsigned k = 0; k < ref[r].count && ref[r].write == written; k++) {
            bool *b = place(s, &ref[r], k);
            if (b)
                *b = true;
        }
}

static bool is_branch(const struct isa_inst *i)
{
    return i->row->cls == OPC_BRANCH && i->format == FMT_SOPP;
}

static gaddr_t target_of(const struct isa_inst *i, gaddr_t pc)
{
    return pc + 4 + (gaddr_t)((int64_t)i->offset * 4);
}

/* Whether a loop with this instruction does more than wait: changes memory that others see, meets them, or leaves. */
static bool acts(const struct isa_inst *i)
{
    const struct isa_row *row = i->row;

    if (is_branch(i))
        return false;
    if (row->mem.op == MEM_STORE || row->mem.op == MEM_ATOMIC)
        return i->format != FMT_SCRATCH;
    return (row->implicit & IMP_W_PC) || (row->flags & (RF_ENDS | RF_BARRIER));
}

/* The branch back around the load at pc: *head is where it goes. Null: there is none. */
static const struct isa_inst *find_back(struct isa_program *p, gaddr_t pc, gaddr_t *head, gaddr_t *end)
{
    *end = pc;
    for (unsigned n = 0; n < LOOKED_AHEAD; n++) {
        const struct isa_inst *i = isa_program_at(p, *end);

        if (!i || !i->row || acts(i))
            return NULL;
        *head = is_branch(i) ? target_of(i, *end) : *end + 1;
        if (*head <= pc && *end > pc)
            return pc - *head <= LOOP_BYTES ? i : NULL;
        *end += i->size_bytes;
    }
    return NULL;
}

/* What holds the address that it loads from: not EXEC, which the loop narrows, nor M0. */
static void put_address(struct set *s, const struct isa_regref *ref, unsigned refs)
{
    put(s, ref, refs, false);
    memset(s->sgpr, 0, sizeof s->sgpr);
}

/* Whether the loop [head, end] around the load at pc only waits for what it loads. */
static bool waits_for(const struct isa_target *t, struct isa_program *p, gaddr_t pc, gaddr_t head, gaddr_t end,
                      unsigned lanes)
{
    struct isa_regref ref[ISA_MAX_REGREFS];
    struct set address = {0}, loaded = {0};
    const struct isa_inst *i = isa_program_at(p, pc);
    unsigned refs = isa_inst_regs(t, i, lanes, ref);
    bool decides = false;

    put_address(&address, ref, refs);
    put(&loaded, ref, refs, true);
    /* twice around: what a branch at the head looks at may have been worked out at the end */
    for (unsigned round = 0; round < 2; round++)
        for (gaddr_t at = head; at <= end; at += i->size_bytes) {
            i = isa_program_at(p, at);
            if (!i || !i->row || acts(i))
                return false;
            refs = isa_inst_regs(t, i, lanes, ref);
            if (has(&address, ref, refs, true))
                return false;
            if (!has(&loaded, ref, refs, false))
                continue;
            decides |= is_branch(i);
            put(&loaded, ref, refs, true);
        }
    return decides;
}

static bool waits_in_loop(const struct isa_target *t, struct isa_program *p, gaddr_t pc, unsigned lanes)
{
    gaddr_t head, end;

    return find_back(p, pc, &head, &end) && waits_for(t, p, pc, head, end, lanes);
}

/* Whether a load after this one loads the same word in a loop: compilers look once before they begin one. */
static bool waits_behind(const struct isa_target *t, struct isa_program *p, gaddr_t pc, unsigned lanes)
{
    const struct isa_inst *first = isa_program_at(p, pc), *i = first;
    struct isa_regref ref[ISA_MAX_REGREFS];
    struct set address = {0};

    put_address(&address, ref, isa_inst_regs(t, first, lanes, ref));
    for (unsigned n = 0; n < LOOKED_AHEAD; n++) {
        struct set other = {0};
        pc += i->size_bytes;
        i = isa_program_at(p, pc);
        if (!i || !i->row || acts(i))
            return false;
        unsigned refs = isa_inst_regs(t, i, lanes, ref);
        if (has(&address, ref, refs, true))
            return false;
        put_address(&other, ref, refs);
        if (i->row == first->row && i->offset == first->offset && !memcmp(&other, &address, sizeof other))
            return waits_in_loop(t, p, pc, lanes);
    }
    return false;
}

bool engine_spins(const struct isa_target *t, struct isa_program *p, gaddr_t pc, unsigned lanes)
{
    const struct isa_inst *i = isa_program_at(p, pc);

    if (!i || !i->row || i->row->mem.op != MEM_LOAD)
        return false;
    if (i->format == FMT_FLAT && i->u.mem.hint.scope >= SCOPE_SE)
        return true;
    return waits_in_loop(t, p, pc, lanes) || waits_behind(t, p, pc, lanes);
}
