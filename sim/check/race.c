/* Races in LDS: two waves of a workgroup access a byte, one of them writes it, not both by atomics, and nothing orders
 * the accesses. The functional engine runs one wave after the other, in an order that hides races as time on a chip
 * does (isa/lds_order.h); what another chip, or another clock, shows may be different.
 *
 * Order is kept in vector clocks. The clock of a wave counts its LDS instructions, and each wave knows, for every other
 * wave, up to which instruction all are complete before its own next one. It learns this
 *   - at a barrier: the instructions that each wave had completed when it signalled. Complete are those whose return
 * the wave has waited for (waits.c); one that is outstanding at the barrier may reach LDS after it;
 *   - from an atomic that returns a value: the instructions that waves had completed before their atomics on the
 * same address (addresses share ATOMIC_PLACES clocks, so that accesses may be taken for ordered that are not, never the
 *     other way round). LDS is in order, so that for an LDS atomic "before" means the order of issue;
 *   - from a load that spins until another wave writes (spin_loops.h): the instructions before stores of one word
 *     to the same address. Such loads are flags, and race with nothing.
 * LDS instructions of one wave are in order. A wave that ends counts as having signalled.
 *
 * Transfers between memory and LDS (buffer_load ... lds, global_load_lds_*) are complete when vmcnt (gfx1250: asynccnt,
 * those of tensors tensorcnt, which are a third agent) says so, in no order with later LDS instructions of the wave.
 * They are a second agent of the wave, whose clock counts instructions that raise vmcnt; waits for vmcnt advance the
 * wave's knowledge of that clock. An LDS instruction before them has accessed LDS by then: compilers do not wait
 * there either (LLVM 19 SIInsertWaitcnts.cpp).
 *
 * For each dword (each byte, once part of a dword has been accessed) the last write is kept, and two each of the reads
 * and of the atomics since then that no later access is ordered after. With barriers of whole workgroups two are as
 * good as all.
 *
 * A load beside a compare-and-swap is no finding: it begins a loop that repeats, which is how compilers make
 * floating-point atomics. Nor is one of a barrier that lies in LDS (gfx1250), which asks for its phase: it learns what
 * waves left there that have arrived. An asynchronous arrival also leaves the wave's transfers so far.
 */
#include <inttypes.h>
#include <stdio.h>

#include "isa/barrier.h"
#include "sim/check/internal.h"

enum { ATOMIC_PLACES = 64, PARTS_IN_CHUNK = 256, MAX_SITES = 65536 };

/* One access: at 0, none. */
struct mark {
    uint32_t at;   /* clock of its wave; the same in all lanes of an instruction */
    uint16_t site; /* which instruction */
    uint8_t agent; /* wave; number of waves + wave: its transfers between memory and LDS; twice that: of tensors */
    uint8_t lane : 6;
    uint8_t swap : 1, arrival : 1; /* an atomic of two operands, compare-and-swap; one at a barrier in LDS */
};

struct cell {
    uint32_t run;  /* number of the workgroup: a cell with a lower one is void */
    uint32_t part; /* 1 + index of its bytes' cells, once there are; kept over workgroups */
    bool split;    /* the bytes' cells hold it, not this one */
    struct mark write, read[2], atomic[2];
};

struct check_race {
    unsigned waves, most; /* of this workgroup, and as many as there is room for */
    unsigned agents;      /* the waves; three times as many once something has been moved between memory and LDS */
    uint32_t run;
    uint32_t *clock;  /* [of a wave][agent]: its own: instructions so far; others: see above */
    uint32_t *issued; /* the same as if barriers waited for everything: what the wait is missing for */
    uint32_t *signalled[2], *passed[2]; /* [barrier][agent], by clock and by issued */
    uint32_t *atomics;                  /* [place][agent] */
    uint8_t *waits_at;                  /* by wave: 1 + the barrier it waits for */
    struct cell *cells;
    uint32_t cell_count;
    struct cell (**chunk)[4];
    uint32_t parts;
    gaddr_t *site;
    uint32_t sites, site_room;
};

struct check_race *check_race_new(struct check_group *g, unsigned waves)
{
    struct arena *a = &g->arena;
    struct check_race *r = ARENA_NEW(a, 1, struct check_race);
    size_t row = 3 * (size_t)waves;

    if (!r)
        return NULL;
    r->most = waves;
    r->cell_count = (g->lds_bytes + 3) / 4;
    r->site_room = 64;
    r->clock = ARENA_NEW(a, row * waves, uint32_t);
    r->issued = ARENA_NEW(a, row * waves, uint32_t);
    for (unsigned k = 0; k < 2; k++) {
        r->signalled[k] = ARENA_NEW(a, row * ISA_BARRIERS, uint32_t);
        r->passed[k] = ARENA_NEW(a, row * ISA_BARRIERS, uint32_t);
        if (!r->signalled[k] || !r->passed[k])
            return NULL;
    }
    r->atomics = ARENA_NEW(a, row * ATOMIC_PLACES, uint32_t);
    r->waits_at = ARENA_NEW(a, row, uint8_t);
    r->cells = ARENA_NEW(a, (size_t)r->cell_count + 1, struct cell);
    r->chunk = arena_alloc(a, r->cell_count / PARTS_IN_CHUNK + 1, sizeof *r->chunk, sizeof *r->chunk);
    r->site = ARENA_NEW(a, r->site_room, gaddr_t);
    return r->clock && r->issued && r->atomics && r->waits_at && r->cells && r->chunk && r->site ? r : NULL;
}

uint64_t check_race_more_bytes(uint32_t lds_bytes)
{
    const struct check_race *r = NULL;
    uint64_t chunks = (lds_bytes + 3) / 4 / PARTS_IN_CHUNK + 1;

    return chunks * (PARTS_IN_CHUNK * sizeof **r->chunk + 128) + 2 * MAX_SITES * sizeof *r->site;
}

void check_race_start(struct check_group *g)
{
    struct check_race *r = g->race;
    size_t row = 3 * r->most * sizeof(uint32_t);

    r->waves = r->agents = g->waves;
    r->run++; /* cells of other workgroups are void */
    memset(r->clock, 0, row * r->most);
    memset(r->issued, 0, row * r->most);
    for (unsigned k = 0; k < 2; k++) {
        memset(r->signalled[k], 0, row * ISA_BARRIERS);
        memset(r->passed[k], 0, row * ISA_BARRIERS);
    }
    memset(r->atomics, 0, row * ATOMIC_PLACES);
    memset(r->waits_at, 0, r->most);
}

/* ---- clocks ---- */

static void join(uint32_t *into, const uint32_t *from, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        into[k] = into[k] > from[k] ? into[k] : from[k];
}

static uint32_t *row_of(const struct check_race *r, uint32_t *rows, unsigned k)
{
    return rows + (size_t)k * 3 * r->most;
}

/* LDS instructions that the wave has not waited for. */
static uint32_t under_way(const struct check_waits *w)
{
    return w->n.issued[WAIT_LGKM][ORDER_LDS] - w->n.done[WAIT_LGKM][ORDER_LDS] + w->n.issued[WAIT_DS][ORDER_LDS] -
           w->n.done[WAIT_DS][ORDER_LDS];
}

/* Joins the knowledge of the wave into `into`; done: its own clock counts only up to what it has waited for. */
static void release(struct check_step *s, uint32_t *into, const uint32_t *known, bool done)
{
    struct check_race *r = s->g->race;
    unsigned wave = s->g->current;
    uint32_t own = known[wave], out = done ? under_way(&s->c->waits) : 0, was = into[wave];

    join(into, known, r->agents);
    own -= out < own ? out : own;
    into[wave] = was > own ? was : own;
}

/* The counter of transfers between memory and LDS; of tensors. */
static unsigned moves_by(const struct check_step *s, bool tensors)
{
    return tensors ? WAIT_TENSOR : check_target(s)->wait_bits[WAIT_ASYNC] ? WAIT_ASYNC : WAIT_VM;
}

/* Advances the clocks of the wave's own transfers between memory and LDS to what it has waited for. */
static void look_at_own(struct check_step *s)
{
    struct check_race *r = s->g->race;
    const struct check_waits *w = &s->c->waits;
    unsigned wave = s->g->current;

    if (r->agents == r->waves)
        return;
    for (unsigned k = 0; k < 2; k++) {
        row_of(r, r->clock, wave)[(1 + k) * r->waves + wave] = w->n.done[moves_by(s, k)][ORDER_VMEM];
        row_of(r, r->issued, wave)[(1 + k) * r->waves + wave] = w->n.issued[moves_by(s, k)][ORDER_VMEM];
    }
}

static void signal_barrier(struct check_step *s, unsigned k, bool complete)
{
    struct check_race *r = s->g->race;
    unsigned wave = s->g->current;

    look_at_own(s);
    release(s, row_of(r, r->signalled[0], k), row_of(r, r->clock, wave), true);
    release(s, row_of(r, r->signalled[1], k), row_of(r, r->issued, wave), false);
    for (unsigned n = 0; n < 2 && complete; n++) {
        uint32_t *from = row_of(r, r->signalled[n], k);
        memcpy(row_of(r, r->passed[n], k), from, r->agents * sizeof *from);
        memset(from, 0, r->agents * sizeof *from);
    }
}

/* A wave continues; if it was at a barrier, it learns what the others had completed there. */
void check_race_resume(struct check_group *g, unsigned wave)
{
    struct check_race *r = g->race;
    unsigned k = r->waits_at[wave];

    if (!k)
        return;
    r->waits_at[wave] = 0;
    join(row_of(r, r->clock, wave), row_of(r, r->passed[0], k - 1), r->agents);
    join(row_of(r, r->issued, wave), row_of(r, r->passed[1], k - 1), r->agents);
}

void check_race_before_sync(struct check_step *s)
{
    const struct isa_barriers *b = s->w->barriers;

    s->g->fx.barriers = 0;
    for (unsigned k = 0; k < ISA_BARRIERS; k++)
        s->signals[k] = b ? b->b[k].signals : 0;
}

void check_race_after_sync(struct check_step *s, enum isa_status status)
{
    const struct isa_barriers *b = s->w->barriers;

    for (unsigned k = 0; b && k < ISA_BARRIERS; k++) {
        bool complete = s->g->fx.barriers >> k & 1;
        if (complete || b->b[k].signals > s->signals[k] || (status == ISA_END && k == 0))
            signal_barrier(s, k, complete);
    }
    if (status == ISA_BARRIER)
        s->g->race->waits_at[s->g->current] = (uint8_t)(s->w->barrier_wait + 1);
}

/* ---- findings ---- */

static uint16_t site_of(struct check_group *g, const struct check_info *i)
{
    struct check_race *r = g->race;
    struct check_info *n = (struct check_info *)i;

    if (n->site)
        return (uint16_t)(n->site - 1);
    if (r->sites == r->site_room) {
        gaddr_t *more = r->sites < MAX_SITES ? ARENA_NEW(&g->arena, r->site_room * 2, gaddr_t) : NULL;
        if (!more)
            return 0;
        memcpy(more, r->site, r->sites * sizeof *more);
        r->site = more;
        r->site_room *= 2;
    }
    r->site[r->sites] = i->pc;
    n->site = ++r->sites;
    return (uint16_t)(n->site - 1);
}

/* The access of one lane by the instruction that executes. */
struct access {
    struct check_step *s;
    const uint32_t *clock; /* of the wave */
    struct mark me;
    unsigned wave;
    enum mem_op op;
    unsigned elem;   /* which of two addresses */
    uint32_t offset; /* of the lane's bytes */
    bool told;       /* one finding for an instruction */
    uint64_t asks;   /* places of barriers that a load looks at, a bit each */
};

static bool is_before(const struct access *a, struct mark m)
{
    return m.agent == a->me.agent || m.agent == a->wave || m.at <= a->clock[m.agent];
}

/* Reports a transfer of the wave's own between memory and LDS that is still outstanding. */
static void report_own_race(struct access *a, struct mark m, uint32_t byte, const char *does, const char *did)
{
    const struct check_race *r = a->s->g->race;
    unsigned counter = moves_by(a->s, m.agent >= 2 * r->waves);
    uint32_t later = a->s->c->waits.n.issued[counter][ORDER_VMEM] - m.at;
    uint32_t most = (1u << check_target(a->s)->wait_bits[counter]) - 2;
    char by[100], fix[60];

    check_inst_text(a->s->g->run, r->site[m.site], by, sizeof by);
    later = later < most ? later : most;
    if (counter != WAIT_VM)
        snprintf(fix, sizeof fix, "s_wait_%s 0x%" PRIx32 " before it", wait_counter_key[counter], later);
    else
        snprintf(fix, sizeof fix, "s_waitcnt vmcnt(%" PRIu32 ") before it", later);
    check_report(a->s, CHECK_WAIT_LDS, a->me.lane, fix,
                 "%s LDS byte 0x%x while it is still being %s by '%s' (pc 0x%" PRIx64 ")", does, byte, did, by,
                 r->site[m.site]);
}

static void report_race(struct access *a, struct mark m, uint32_t byte, const char *does, const char *did)
{
    const struct check_race *r = a->s->g->race;
    const char *fix = "a barrier between the two";
    bool moved = m.agent >= r->waves;
    unsigned wave = m.agent % r->waves;
    char by[100], wait[60];

    if (a->told)
        return;
    a->told = true;
    if (wave == a->wave) {
        report_own_race(a, m, byte, does, strcmp(did, "wrote") ? did : "written");
        return;
    }
    if (m.at <= row_of(r, r->issued, a->wave)[m.agent]) {
        const char *counter = wait_counter_key[moves_by(a->s, m.agent >= 2 * r->waves)];
        snprintf(wait, sizeof wait, "a wait for %s ahead of that wave's barrier", moved ? counter : "LDS");
        fix = wait;
    }
    check_inst_text(a->s->g->run, r->site[m.site], by, sizeof by);
    check_report(a->s, CHECK_RACE_LDS, a->me.lane, fix,
                 "%s LDS byte 0x%x, which wave %u, lane %u %s with '%s' (pc 0x%" PRIx64 "), in no order", does, byte,
                 wave, (unsigned)m.lane, did, by, r->site[m.site]);
}

/* The byte that a lane of a store writes at offset `at` of its `elem`th address. */
static uint8_t stored_byte(const struct check_step *s, unsigned lane, unsigned elem, uint32_t at)
{
    const struct isa_inst *i = s->i->inst;
    unsigned high = i->row->mem.convert >= CONV_D16_HI_U8 && i->row->mem.convert <= CONV_D16_HI_B16 ? 2 : 0;

    for (unsigned k = 0; k < i->nops; k++) {
        if (i->row->args[k].slot != (elem ? SL_DATA1 : SL_DATA0) || i->op[k].code < CODE_VGPR)
            continue;
        bool acc = i->op[k].flags & A_ACC;
        unsigned reg = i->op[k].code - CODE_VGPR + (at + high) / 4;
        const uint32_t *rows = acc ? s->w->acc : s->w->v;
        if (rows && reg < (acc ? s->w->nagprs : s->w->nvgprs))
            return (uint8_t)(rows[(size_t)reg * s->w->lanes + lane] >> (8 * ((at + high) & 3)));
    }
    return 0;
}

/* Another lane of the same store wrote these bytes: a finding when the values differ. */
static void look_at_lanes(struct access *a, struct mark m, uint32_t byte, unsigned bytes)
{
    const struct isa_effects *fx = &a->s->g->fx;

    for (unsigned k = 0; k < bytes && !a->told && m.lane != a->me.lane; k++) {
        /* where the other lane had it: in either of its addresses */
        for (unsigned e = 0; e < (fx->elems > 1 ? 2u : 1u); e++) {
            uint32_t from = e ? fx->lds_addr2[m.lane] : fx->lds_addr[m.lane], at = byte + k - from;
            if (at >= fx->bytes)
                continue;
            if (stored_byte(a->s, m.lane, e, at) == stored_byte(a->s, a->me.lane, a->elem, byte + k - a->offset))
                continue;
            a->told = true;
            check_report(a->s, CHECK_RACE_LANES, a->me.lane, "have one lane write it, or all the same value",
                         "writes LDS byte 0x%x, to which lane %u of the same instruction writes another value",
                         byte + k, (unsigned)m.lane);
            return;
        }
    }
}

/* ---- accesses ---- */

/* Keeps, of the accesses that no later one is ordered after, the newest of this wave and one of another wave. */
static void add(const struct access *a, struct mark m[2])
{
    unsigned own = m[1].at && m[1].agent == a->me.agent;

    if (!own && m[0].at && !is_before(a, m[0])) {
        if (is_before(a, m[1]))
            m[1] = a->me;
        return;
    }
    m[own] = a->me;
    if (is_before(a, m[!own])) {
        m[0] = a->me;
        m[1].at = 0;
    }
}

/* The clock of atomics that an address in LDS or memory has. */
static unsigned place_of(gaddr_t at)
{
    return (unsigned)hash64(at >> 2, 6);
}

static void touch(struct access *a, struct cell *c, uint32_t byte, unsigned bytes)
{
    const char *does = a->op == MEM_LOAD ? "reads" : a->op == MEM_STORE ? "writes" : "updates";

    if (a->op == MEM_LOAD && c->read[0].at && c->read[0].agent == a->me.agent && !c->read[1].at && !c->atomic[0].at &&
        is_before(a, c->write)) { /* once more */
        c->read[0] = a->me;
        return;
    }
    if (c->write.at) {
        if (!is_before(a, c->write))
            report_race(a, c->write, byte, does, "wrote");
        else if (a->op == MEM_STORE && c->write.at == a->me.at && c->write.agent == a->me.agent)
            look_at_lanes(a, c->write, byte, bytes);
    }
    for (unsigned k = 0; k < 2; k++) {
        if (a->op != MEM_ATOMIC && !is_before(a, c->atomic[k]) && !(a->op == MEM_LOAD && c->atomic[k].swap))
            report_race(a, c->atomic[k], byte, does, "updated");
        if (a->op != MEM_LOAD && !is_before(a, c->read[k]) && !a->me.swap)
            report_race(a, c->read[k], byte, does, "read");
        if (a->op == MEM_LOAD && c->atomic[k].arrival)
            a->asks |= UINT64_C(1) << place_of(byte);
    }
    if (a->op == MEM_LOAD)
        add(a, c->read);
    else if (a->op == MEM_ATOMIC)
        add(a, c->atomic);
    else {
        c->write = a->me;
        c->read[0].at = c->read[1].at = c->atomic[0].at = c->atomic[1].at = 0;
    }
}

/* The four bytes' cells of a dword; null without memory. */
static struct cell *bytes_of(struct check_group *g, struct cell *c)
{
    struct check_race *r = g->race;

    if (!c->part) {
        uint32_t n = r->parts;
        struct cell(**chunk)[4] = &r->chunk[n / PARTS_IN_CHUNK];
        if (!*chunk)
            *chunk = arena_alloc(&g->arena, PARTS_IN_CHUNK, sizeof **chunk, 64);
        if (!*chunk)
            return NULL;
        c->part = ++r->parts;
    }
    struct cell *b = r->chunk[(c->part - 1) / PARTS_IN_CHUNK][(c->part - 1) % PARTS_IN_CHUNK];
    for (unsigned k = 0; k < 4 && !c->split; k++)
        b[k] = *c;
    c->split = true;
    return b;
}

static void touch_bytes(struct access *a, uint32_t at, uint32_t bytes)
{
    struct check_race *r = a->s->g->race;

    a->offset = at;
    while (bytes && at / 4 < r->cell_count) {
        struct cell *c = &r->cells[at / 4];
        uint32_t n = 4 - (at & 3) < bytes ? 4 - (at & 3) : bytes;

        if (c->run != r->run)
            *c = (struct cell){.run = r->run, .part = c->part};
        if (n == 4 && !c->split) {
            touch(a, c, at, 4);
        } else {
            struct cell *b = bytes_of(a->s->g, c);
            if (!b)
                a->s->g->run->no_memory = true;
            for (uint32_t k = at & 3; b && k < (at & 3) + n; k++)
                touch(a, &b[k], (at & ~3u) + k, 1);
            if (b && n == 4 && a->op == MEM_STORE) {
                c->split = false;
                c->write = a->me;
                c->read[0].at = c->read[1].at = c->atomic[0].at = c->atomic[1].at = 0;
            }
        }
        at += n;
        bytes -= n;
    }
}

static uint64_t places(const gaddr_t *wide, const uint32_t *narrow, uint64_t lanes)
{
    uint64_t set = 0;

    for (; lanes; lanes &= lanes - 1) {
        unsigned l = (unsigned)__builtin_ctzll(lanes);
        set |= UINT64_C(1) << place_of(wide ? wide[l] : narrow[l]);
    }
    return set;
}

/* The wave learns what others left at these places. */
static void learn(struct check_step *s, uint64_t set)
{
    struct check_race *r = s->g->race;
    uint32_t *clock = row_of(r, r->clock, s->g->current), *issued = row_of(r, r->issued, s->g->current);
    uint32_t own = clock[s->g->current];

    for (uint64_t m = set; m; m &= m - 1) {
        const uint32_t *from = row_of(r, r->atomics, (unsigned)__builtin_ctzll(m));
        join(clock, from, r->agents);
        join(issued, from, r->agents);
    }
    clock[s->g->current] = own;
}

/* An atomic leaves the knowledge of its wave at its addresses and, if it returns a value, learns what others left
 * there. So does a store of one word leave it, and a load learn it that spins on one. */
static void pass_on(struct check_step *s, uint64_t set, bool learns, bool leaves, bool done)
{
    struct check_race *r = s->g->race;
    unsigned wave = s->g->current, mover = (s->i->inst->row->mem.tensor ? 2 : 1) * r->waves + wave;
    uint32_t *clock = row_of(r, r->clock, wave);
    bool moves = s->i->inst->row->mem.async && r->agents > r->waves; /* it arrives after the wave's transfers */

    if (learns)
        learn(s, set);
    uint32_t moved = moves ? clock[mover] : 0;
    if (moves)
        clock[mover] = row_of(r, r->issued, wave)[mover];
    for (uint64_t m = set; m && leaves; m &= m - 1)
        release(s, row_of(r, r->atomics, (unsigned)__builtin_ctzll(m)), clock, done);
    if (moves)
        clock[mover] = moved;
}

/* Whether it stores one word, as those do that signal other waves. */
static bool is_flag(const struct isa_effects *fx)
{
    uint64_t first = fx->lds_mask & -fx->lds_mask;

    if (fx->op != MEM_STORE || fx->elems > 1 || fx->bytes > 8)
        return false;
    for (uint64_t m = fx->lds_mask & ~first; m; m &= m - 1)
        if (fx->lds_addr[__builtin_ctzll(m)] != fx->lds_addr[__builtin_ctzll(first)])
            return false;
    return first != 0;
}

/* The accesses of all lanes, of `bytes` at each address. */
static void touch_lanes(struct access *a, unsigned bytes, bool two)
{
    const struct isa_effects *fx = &a->s->g->fx;

    for (uint64_t m = fx->lds_mask; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(m);
        /* lanes that read the same are as one */
        if (lane && a->op == MEM_LOAD && (fx->lds_mask >> (lane - 1) & 1) &&
            fx->lds_addr[lane] == fx->lds_addr[lane - 1] && (!two || fx->lds_addr2[lane] == fx->lds_addr2[lane - 1]))
            continue;
        a->me.lane = lane & 63;
        a->elem = 0;
        touch_bytes(a, fx->lds_addr[lane], bytes);
        a->elem = 1;
        if (two)
            touch_bytes(a, fx->lds_addr2[lane], bytes);
    }
}

/* A transfer between memory and LDS: a load from memory writes LDS. */
static void moved(struct check_step *s)
{
    struct check_race *r = s->g->race;
    unsigned wave = s->g->current;
    struct access a = {.s = s, .clock = row_of(r, r->clock, wave), .wave = wave};

    r->agents = 3 * r->waves;
    look_at_own(s);
    a.op = s->g->fx.op == MEM_LOAD ? MEM_STORE : MEM_LOAD;
    unsigned agent = (s->i->inst->row->mem.tensor ? 2 : 1) * r->waves + wave;
    a.me = (struct mark){.at = row_of(r, r->issued, wave)[agent], .site = site_of(s->g, s->i), .agent = (uint8_t)agent};
    touch_lanes(&a, check_lds_dma_bytes(s), false);
}

void check_race_tensor_done(struct check_step *s)
{
    const struct isa_tensor *t = &s->g->fx.tensor;

    if (t->arrives && s->g->race->agents > s->g->race->waves)
        pass_on(s, places(NULL, &t->barrier, 1), false, true, false);
}

void check_race_after(struct check_step *s)
{
    const struct isa_effects *fx = &s->g->fx;
    struct check_race *r = s->g->race;
    unsigned wave = s->g->current;

    if (!(s->i->kind & (KIND_LDS | KIND_VMEM)))
        return;
    if (check_is_lds_dma(s)) {
        moved(s);
        return;
    }
    look_at_own(s);
    if (s->i->kind & (KIND_LDS | KIND_FLAT)) { /* all that waits.c may count among LDS */
        row_of(r, r->clock, wave)[wave]++;
        row_of(r, r->issued, wave)[wave]++;
    }
    bool atomic = fx->op == MEM_ATOMIC, lds = check_is_lds_access(s);
    if (atomic && r->waves > 1 && (s->i->kind & KIND_VMEM) && fx->kind != FX_NONE && fx->mask)
        pass_on(s, places(fx->addr, NULL, fx->mask), fx->returns, true, true);
    if (!lds)
        return;
    if (atomic && r->waves > 1)
        pass_on(s, places(NULL, fx->lds_addr, fx->lds_mask), fx->returns, true, false);
    else if (r->waves > 1 && (s->i->spins || is_flag(fx)))
        pass_on(s, places(NULL, fx->lds_addr, fx->lds_mask), s->i->spins, !s->i->spins, false);
    if (s->i->spins)
        return;

    struct access a = {.s = s, .clock = row_of(r, r->clock, wave), .op = (enum mem_op)fx->op, .wave = wave};
    a.me = (struct mark){.at = a.clock[wave], .site = site_of(s->g, s->i), .agent = (uint8_t)wave};
    a.me.arrival = s->i->inst->row->mem.arrives;
    a.me.swap = a.me.arrival || (atomic && s->i->inst->row->mem.cmp != CMP_NONE);
    if (r->agents > 1 || a.op == MEM_STORE)
        touch_lanes(&a, fx->bytes, fx->elems > 1);
    if (a.asks)
        learn(s, a.asks);
}
