/* Recognises waves that only poll memory: that wait in a loop until another wave, or the host, writes something.
 *
 * A probe executes a wave instruction by instruction for a while and notes an event for each access to memory that
 * other waves may write: its pc and all register values that it reads and writes, hashed. A wave polls when the events
 * repeat themselves: the same accesses with the same addresses have given the same values at least twice, and stores
 * wrote the same ones again. What does not make an event are accesses to private or read-only memory, and clocks, so
 * that a loop which counts its tries or looks at the time polls too. When all registers have come back to their values
 * after a period of the events, and private memory too, the wave polls exactly: nothing of its own will ever end the
 * loop.
 *
 * To be wrong about a wave costs time: waves that poll run in short turns, and more workgroups become resident. Only a
 * run that may end because nothing gets on takes waves to wait for ever, those that poll exactly or have polled for
 * POLL_PROOF. A loop which computes for long between loads of one value can be taken for polling; not being exact, it
 * gets turns of POLL_TURN, and POLL_EVIDENCE passes before it counts as waiting.
 *
 * A probe lasts for a small part of the instructions that the wave has executed since the one before, and begins only
 * when some of these may have read memory that others write, so that waves which compute lose little by it.
 */
#include <string.h>

#include "sim/engine/functional/functional.h"

enum {
    PROBE_EVENTS = 64,
    PROBE_CHANGES = 8, /* accesses that repeat with other values, after which a probe ends */
    PROBE_SHARE = 64,  /* of the instructions before a probe are in it, within these bounds: */
    PROBE_STEPS_MIN = 64,
    PROBE_STEPS_POLLED = 512, /* in a workgroup of which a wave has polled */
    PROBE_STEPS_MAX = 1024,
    PC_BITS = 512,
    REGISTERS_MAX = 64,
};

struct event {
    gaddr_t pc;
    uint64_t hash, own; /* own: of what was written to private memory before it */
    bool reads;
};

/* A probe of a wave; it goes on when the wave comes back from a barrier. */
struct probe {
    struct probe *next; /* free ones of a worker */
    unsigned steps, most_steps, events, changes;
    unsigned period;             /* in events; 0: not found so far. Then the rest is about the period that follows */
    unsigned left;               /* events to its end */
    uint32_t executed;           /* instructions */
    bool changes_more;           /* something else does in the loop: the time, memory by an atomic without result */
    uint64_t own;                /* hash of what was written to private memory since the last event */
    struct registers *registers; /* at its beginning; null: out of host memory to spare */
    uint64_t pcs[PC_BITS / 64];
    struct event event[PROBE_EVENTS];
    gaddr_t pc, addr; /* of the last read, as in struct poll */
    uint32_t bytes;
};

/* ---- events ---- */

/* What an instruction has to do with memory that others may write. */
enum access { ACCESS_NONE, ACCESS_READ, ACCESS_WRITE, ACCESS_CHANGE, ACCESS_OWN };

static enum access access_of(const struct isa_inst *i)
{
    const struct isa_row *row = i ? i->row : NULL;

    if (!row || row->cache_control)
        return ACCESS_NONE;
    if (i->format == FMT_SCRATCH)
        return row->mem.op == MEM_LOAD ? ACCESS_NONE : ACCESS_OWN;
    switch (op_class_path[row->cls]) {
    case OP_PATH_SCALAR:
        if (!row->mem.bytes) /* clocks, prefetches */
            return ACCESS_NONE;
        break;
    case OP_PATH_VECTOR:
    case OP_PATH_FLAT:
    case OP_PATH_LDS:
        break;
    case OP_PATH_GDS:
        return ACCESS_CHANGE;
    default:
        return ACCESS_NONE;
    }
    if (row->mem.op == MEM_STORE)
        return ACCESS_WRITE;
    return row->mem.op == MEM_ATOMIC ? ACCESS_CHANGE : ACCESS_READ;
}

uint64_t poll_reads(const struct group *g)
{
    const uint64_t *n = g->tally;

    return n[OPC_SMEM] + n[OPC_VMEM_LOAD] + n[OPC_VMEM_ATOMIC] + n[OPC_FLAT_LOAD] + n[OPC_FLAT_ATOMIC] +
           n[OPC_LDS_LOAD] + n[OPC_LDS_ATOMIC];
}

/* Whether an instruction may give another result each time: clocks are read by scalar memory, by messages that return
 * something and through hardware registers. */
static bool reads_clock(const struct isa_inst *i)
{
    const struct isa_row *row = i ? i->row : NULL;

    if (!row)
        return false;
    if (row->cls == OPC_SMEM)
        return !row->mem.bytes && !row->cache_control;
    return row->cls == OPC_MESSAGE || row->args[0].type == T_HWREG || row->args[1].type == T_HWREG;
}

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

static uint64_t mix_rows(uint64_t h, const uint32_t *row, size_t words)
{
    for (size_t k = 0; k + 1 < words; k += 2)
        h = mix(h, row[k] | (uint64_t)row[k + 1] << 32);
    return h;
}

/* Adds the values of the registers that the instruction reads, or that it has written. */
static uint64_t mix_registers(uint64_t h, const struct isa_wave *w, const struct isa_regref *ref, unsigned refs,
                              bool written)
{
    for (unsigned k = 0; k < refs; k++) {
        const struct isa_regref *r = &ref[k];
        unsigned end = (unsigned)r->first + r->count;

        if (r->write != written)
            continue;
        if (r->file == RF_SGPR && end <= 128)
            for (unsigned s = r->first; s < end; s++)
                h = mix(h, w->s[s]);
        else if (r->file == RF_VGPR && end <= w->nvgprs)
            h = mix_rows(h, w->v + (size_t)r->first * w->lanes, (size_t)r->count * w->lanes);
        else if (r->file == RF_AGPR && end <= w->nagprs)
            h = mix_rows(h, w->acc + (size_t)r->first * w->lanes, (size_t)r->count * w->lanes);
        else if (r->file == RF_SCC)
            h = mix(h, w->scc);
    }
    return h;
}

static bool returns_value(const struct isa_regref *ref, unsigned refs)
{
    for (unsigned k = 0; k < refs; k++)
        if (ref[k].write && ref[k].file != RF_MODE && ref[k].file != RF_PC)
            return true;
    return false;
}

/* Whether the access that has been executed went to private memory, or to memory that nobody writes. fx: FX_NONE when a
 * stepper executed it. */
static bool is_own(const struct isa_wave *w, const struct isa_inst *i, const struct isa_effects *fx)
{
    uint8_t cls = i->row->cls;
    uint64_t private_bytes = (uint64_t)w->scratch_bytes * w->lanes;

    if (cls == OPC_SMEM)
        return w->range[1].host && !w->range[1].writable;
    if (op_class_category[cls] == OPCAT_LDS || fx->kind == FX_NONE || !fx->mask)
        return false;
    gaddr_t addr = fx->addr[__builtin_ctzll(fx->mask)];
    if (addr - w->scratch_base < private_bytes)
        return true;
    return addr >= w->range[0].lo && addr < w->range[0].hi && !w->range[0].writable;
}

static void note_address(struct probe *p, const struct isa_wave *w, const struct isa_inst *i,
                         const struct isa_effects *fx)
{
    p->pc = w->inst_pc;
    p->bytes = 0;
    if (fx->kind == FX_SCALAR) {
        p->addr = fx->addr[0];
        p->bytes = fx->bytes;
    } else if (fx->kind != FX_NONE && fx->mask) {
        p->addr = fx->addr[__builtin_ctzll(fx->mask)];
        p->bytes = i->row->mem.bytes;
    }
}

/* ---- steps ---- */

/* Executes the next instruction; *fx says what it did unless there is a stepper. */
static enum isa_status step(struct worker *k, struct group *g, unsigned i, const struct isa_inst *inst,
                            struct isa_effects *fx)
{
    struct isa_wave *w = &g->wave[i];
    uint64_t ran;

    fx->kind = FX_NONE;
    fx->mask = 0;
    if (g->stepped || !inst || !inst->row)
        return group_execute(k, g, i, 1, &ran);
    if (!limit_grant(k, g->id, 1))
        return ISA_LIMIT; /* the caller sees that g is stopped */
    enum isa_status status = isa_step(w, inst, &k->env, fx);
    if (status == ISA_FAULT)
        return status;
    g->tally[inst->tally]++;
    g->done[i]++;
    g->executed++;
    if (k->run->limit.max)
        k->granted--;
    return status == ISA_OK ? ISA_LIMIT : status;
}

static size_t register_bytes(const struct group *g, unsigned i)
{
    const struct isa_wave *w = &g->wave[i];

    return (size_t)w->vector_rows * w->lanes * sizeof *w->v;
}

/* Copies of a wave's registers, for probes under way. Most waves finish their probe at once; those that come to a
 * barrier keep one, so there are a few. */
struct registers {
    struct registers *next; /* free ones of a worker */
    uint32_t s[128];
    uint64_t exec;
    uint32_t mode_reg;
    uint8_t scc;
    uint8_t *rows; /* VGPRs and AGPRs */
};

static struct registers *new_registers(struct worker *k)
{
    struct registers *r = k->free_registers;

    if (r) {
        k->free_registers = r->next;
        return r;
    }
    if (k->registers_made == REGISTERS_MAX || !(r = ARENA_NEW(&k->arena, 1, struct registers)))
        return NULL;
    k->registers_made++;
    r->rows = arena_alloc(&k->arena, launch_wave_dwords(k->run->l) + 1, sizeof(uint32_t), 64);
    return r->rows ? r : NULL;
}

static void keep_registers(struct worker *k, struct probe *p, const struct group *g, unsigned i)
{
    const struct isa_wave *w = &g->wave[i];
    struct registers *r = p->registers = new_registers(k);

    if (!r)
        return;
    memcpy(r->s, w->s, sizeof r->s);
    r->exec = w->exec;
    r->mode_reg = w->mode_reg;
    r->scc = w->scc;
    memcpy(r->rows, w->v, register_bytes(g, i));
}

/* True without a copy when the wave has been known to poll exactly. */
static bool same_registers(const struct probe *p, const struct group *g, unsigned i)
{
    const struct isa_wave *w = &g->wave[i];
    const struct registers *r = p->registers;

    if (!r)
        return g->poll[i].polls && g->poll[i].exact;
    return r->exec == w->exec && r->scc == w->scc && r->mode_reg == w->mode_reg && !memcmp(r->s, w->s, sizeof r->s) &&
           !memcmp(r->rows, w->v, register_bytes(g, i));
}

static void free_probe(struct worker *k, struct probe *p)
{
    if (p->registers) {
        p->registers->next = k->free_registers;
        k->free_registers = p->registers;
    }
    p->next = k->free_probe;
    k->free_probe = p;
}

/* ---- probes ---- */

static bool same_event(const struct event *a, const struct event *b)
{
    return a->pc == b->pc && a->hash == b->hash;
}

/* The period with which the events repeat at their end: a single one three times, more of them twice. 0: none. */
static unsigned find_period(const struct probe *p)
{
    const struct event *last = &p->event[p->events - 1];

    for (unsigned period = 1; period + 1 < p->events; period++) {
        unsigned need = period == 1 ? 2 : period, n = 0;
        bool reads = false;

        if (need + period > p->events)
            return 0;
        for (; n < need && same_event(last - n, last - n - period); n++)
            reads |= (last - n)->reads;
        if (n == need && reads)
            return period;
    }
    return 0;
}

enum verdict { VERDICT_OPEN, VERDICT_POLLS, VERDICT_RUNS };

/* A period of events has been seen; now one more is compared, with the registers at its beginning and end. */
static void begin_period(struct worker *k, struct group *g, unsigned i, struct probe *p)
{
    memset(p->pcs, 0, sizeof p->pcs);
    p->changes_more = false;
    p->left = p->period;
    p->executed = 0;
    p->most_steps = 3 * p->steps + PROBE_STEPS_MIN;
    keep_registers(k, p, g, i);
}

/* Whether both periods wrote the same to private memory. */
static bool wrote_the_same(const struct probe *p)
{
    const struct event *last = &p->event[p->events - 1];

    for (unsigned n = 0; n < p->period; n++)
        if ((last - n)->own != (last - n - p->period)->own)
            return false;
    return true;
}

static void set_polling(struct group *g, unsigned i, const struct probe *p)
{
    struct poll *poll = &g->poll[i];

    poll->exact = !p->changes_more && wrote_the_same(p) && same_registers(p, g, i);
    if (!poll->polls)
        poll->since = g->done[i];
    poll->polls = g->has_polled = true;
    poll->turn = poll->exact ? 2 * p->executed : POLL_TURN;
    poll->period = p->executed;
    poll->pc = p->pc;
    poll->addr = p->addr;
    poll->bytes = p->bytes;
    memcpy(poll->pcs, p->pcs, sizeof poll->pcs);
}

static enum verdict add_event(struct worker *k, struct group *g, unsigned i, struct probe *p, struct event e)
{
    if (p->events == PROBE_EVENTS)
        return VERDICT_RUNS;
    for (unsigned n = p->events; n-- > 0;)
        if (p->event[n].pc == e.pc) {
            p->changes += p->event[n].hash != e.hash;
            break;
        }
    if (p->changes > PROBE_CHANGES)
        return VERDICT_RUNS;
    p->event[p->events++] = e;
    if (!p->period) {
        if ((p->period = find_period(p)))
            begin_period(k, g, i, p);
        return VERDICT_OPEN;
    }
    if (!same_event(&p->event[p->events - 1], &p->event[p->events - 1 - p->period]))
        return VERDICT_RUNS;
    if (--p->left)
        return VERDICT_OPEN;
    set_polling(g, i, p);
    return VERDICT_POLLS;
}

static void note_pc(uint64_t *pcs, gaddr_t pc)
{
    unsigned bit = (unsigned)(pc >> 2) % PC_BITS;

    pcs[bit / 64] |= UINT64_C(1) << (bit % 64);
}

/* One step of a probe, of the instruction at the wave's pc. */
static enum verdict probe_step(struct worker *k, struct group *g, unsigned i, struct probe *p,
                               const struct isa_inst *inst, enum isa_status *status)
{
    struct isa_wave *w = &g->wave[i];
    enum access access = access_of(inst);
    struct event e = {.pc = w->pc};
    struct isa_regref ref[ISA_MAX_REGREFS];
    struct isa_inst raised;
    struct isa_effects fx;
    unsigned refs = 0;

    note_pc(p->pcs, w->pc);
    p->changes_more |= reads_clock(inst);
    if (access != ACCESS_NONE) {
        refs = isa_inst_regs(w->target, isa_inst_raised(w->target, inst, w->vgpr_msb, &raised), w->lanes, ref);
        e.hash = mix_registers(w->exec, w, ref, refs, false);
    }
    *status = step(k, g, i, inst, &fx);
    p->steps++;
    p->executed++;
    bool own = access == ACCESS_OWN || (access != ACCESS_NONE && is_own(w, inst, &fx));
    if (own && access != ACCESS_READ)
        p->own = mix(p->own, e.hash ^ e.pc);
    if (access == ACCESS_NONE || *status != ISA_LIMIT || own)
        return p->steps < p->most_steps ? VERDICT_OPEN : VERDICT_RUNS;
    if (access == ACCESS_CHANGE && !returns_value(ref, refs))
        p->changes_more = true;
    e.reads = access == ACCESS_READ || (access == ACCESS_CHANGE && returns_value(ref, refs));
    if (e.reads)
        note_address(p, w, inst, &fx);
    e.hash = mix_registers(e.hash, w, ref, refs, true);
    e.own = p->own;
    p->own = 0;
    return add_event(k, g, i, p, e);
}

static unsigned clamp(uint64_t n, unsigned least, unsigned most)
{
    return n < least ? least : n > most ? most : (unsigned)n;
}

void poll_probe(struct worker *k, struct group *g, unsigned i, uint64_t executed)
{
    struct probe *p = k->free_probe;
    unsigned least = g->has_polled ? PROBE_STEPS_POLLED : PROBE_STEPS_MIN;

    if (p)
        k->free_probe = p->next;
    else if (!(p = ARENA_NEW(&k->arena, 1, struct probe)))
        return; /* it goes on without */
    *p = (struct probe){.most_steps = clamp(executed / PROBE_SHARE, least, PROBE_STEPS_MAX)};
    g->poll[i].probe = p;
}

void poll_forget(struct worker *k, struct group *g, unsigned i)
{
    struct probe *p = g->poll[i].probe;

    if (p)
        free_probe(k, p);
    memset(&g->poll[i], 0, offsetof(struct poll, pcs)); /* these are set when it polls */
}

bool poll_is_at(const struct poll *poll, gaddr_t pc)
{
    unsigned bit = (unsigned)(pc >> 2) % PC_BITS;

    return poll->pcs[bit / 64] >> (bit % 64) & 1;
}

enum isa_status poll_probe_on(struct worker *k, struct group *g, unsigned i)
{
    struct poll *poll = &g->poll[i];
    struct probe *p = poll->probe;
    enum verdict verdict = VERDICT_OPEN;
    enum isa_status status = ISA_LIMIT;
    uint64_t max = k->run->options->max_cycles;

    while (verdict == VERDICT_OPEN && status == ISA_LIMIT &&
           !(max && g->done[i] >= max && !poll_waits(g, i, POLL_EVIDENCE)) && !run_stopped(k->run, g->id)) {
        const struct isa_inst *inst = isa_program_at(g->wave[i].program, g->wave[i].pc);
        if (inst && isa_lds_turn_ends(&g->wave[i], inst)) { /* it goes on after the others' turns */
            g->paused = true;
            return ISA_LIMIT;
        }
        g->moved |= poll->polls && !poll_is_at(poll, g->wave[i].pc); /* it may come back, but has got on */
        verdict = probe_step(k, g, i, p, inst, &status);
    }
    if (verdict == VERDICT_OPEN)
        return status;
    free_probe(k, p);
    poll->probe = NULL;
    if (verdict == VERDICT_RUNS)
        poll->polls = false;
    return status;
}

bool poll_waits(const struct group *g, unsigned i, uint64_t evidence)
{
    const struct poll *poll = &g->poll[i];

    return poll->polls && (poll->exact || g->done[i] - poll->since >= evidence);
}
