/* Instruction fetch: a buffer per wave, filled in order in blocks, one block per part and cycle.
 *
 * A wave asks for the block it is in and for some ahead of it (frontend.prefetch_blocks, or as s_inst_prefetch says);
 * the rest of the buffer keeps blocks behind it. On RDNA3 and RDNA4 an s_waitcnt waits outside the buffer, and the wave
 * is in the block after it: SQ thread traces of gfx1100 show code 200 bytes after one at the end of a block there
 * when the wait is over. A taken branch to what the buffer holds or has asked for goes on from there
 * (frontend.branch_within_buffer); any other empties the buffer and starts again at the target, and blocks still in
 * flight are recognised by their generation and dropped.
 *
 * RDNA3 fetches in order across branches (frontend.fetch_in_order): the target of one comes after all that the wave has
 * asked for before. In a loop the blocks ahead of its branch lie after it, so the first rounds wait for a line that
 * nobody needs. RDNA4 does without.
 *
 * GCN and CDNA fetch more simply, which shows in single waves: one fetch of a wave is in flight at a time
 * (frontend.fetches_in_flight), so the second block after a taken branch comes a whole latency after the first. A
 * branch fetches when it is resolved (frontend.branch_resolve_cycles). One that is not taken fetches what lies after
 * its block anew (frontend.branch_refetch): in the last word of a block it costs as much as a taken one, in the first
 * half nothing.
 *
 * In each cycle one wave of the part gets its block: one that has none beyond its own before one that has, then the
 * higher priority (s_setprio), then the older (AMD, GCN architecture whitepaper: fetch arbitrates by age, priority and
 * fill of the buffers). When no wave wants any, lines that hardware or s_prefetch_inst wants in the cache are asked
 * for; nobody waits for these. Hardware wants a kernel's first ones at its launch, and where the profile says so
 * (frontend.prefetch_lines) those after the line that some wave has just begun.
 */
#include "sim/engine/timing/cu/cu.h"

static uint32_t blocks_ahead(const struct cu_fetch_unit *u, uint32_t wanted)
{
    /* the longest instruction must fit wherever it starts */
    uint32_t least = (ISA_MAX_INST_BYTES + u->block_bytes - 1) / u->block_bytes;
    uint32_t most = u->buffer_bytes / u->block_bytes - 1;

    if (!wanted || wanted > most)
        return most;
    return wanted < least ? least : wanted;
}

static gaddr_t block_of(const struct cu_fetch_unit *u, gaddr_t pc)
{
    return pc & -(gaddr_t)u->block_bytes;
}

/* What of the code has left the buffer, now that the wave's next instruction is at pc. */
static gaddr_t taken_out(const struct cu_wave *w, gaddr_t pc)
{
    const struct timing_info *i = w->info;

    return i && i->pc == pc && i->waits_outside ? pc + i->size_bytes : pc;
}

static ALWAYS_INLINE void set_want(struct cu *c, struct cu_wave *w)
{
    struct cu_fetch_unit *u = &c->fetch[w->part];
    struct cu_fetch *f = &w->fetch;
    uint64_t bit = UINT64_C(1) << (w->index - u->first_wave);
    /* below zero after a branch to a wait in the last word of a block, which has to be fetched all the same */
    int64_t ahead = (int64_t)(f->next - block_of(u, taken_out(w, f->lo)));

    u->want &= ~bit;
    u->hungry &= ~bit;
    if (c->x->profile->ideal.free_fetch) /* nothing is fetched */
        return;
    if (!f->running || ahead > (int64_t)f->ahead * u->block_bytes || f->next - f->hi >= u->flight_bytes)
        return;
    u->want |= bit;
    if (ahead <= (int64_t)u->block_bytes)
        u->hungry |= bit;
}

void cu_fetch_start(struct cu *c, struct cu_wave *w, gaddr_t pc)
{
    struct cu_fetch_unit *u = &c->fetch[w->part];
    uint32_t bytes = w->d->launch->prefetch_bytes;

    w->fetch.ahead = blocks_ahead(u, c->x->profile->frontend.prefetch_blocks);
    w->fetch.first_generation = w->fetch.generation + 1;
    w->fetch.in_flight = 0;
    u->stamp[w->index - u->first_wave] = c->simd[w->simd].stamp[w->slot];
    if (bytes && !u->entry_prefetched) {
        u->entry_prefetched = true;
        cu_fetch_prefetch(c, w->part, pc, bytes);
    }
    cu_fetch_restart(c, w, pc, 0);
}

void cu_fetch_restart(struct cu *c, struct cu_wave *w, gaddr_t pc, cycle_t from)
{
    struct cu_fetch *f = &w->fetch;

    f->generation++;
    f->arrived = 0;
    f->before = c->x->profile->frontend.fetch_in_order ? f->in_flight : 0;
    f->running = true;
    f->from = from;
    f->lo = pc;
    f->base = f->hi = f->next = block_of(&c->fetch[w->part], pc);
    set_want(c, w);
}

static NOINLINE void move_to(struct cu *c, struct cu_wave *w, gaddr_t pc, cycle_t now)
{
    const struct cu_fetch_unit *u = &c->fetch[w->part];
    struct cu_fetch *f = &w->fetch;
    gaddr_t start = block_of(u, pc), behind = u->buffer_bytes - (gaddr_t)(f->ahead + 1) * u->block_bytes;

    f->lo = pc;
    /* a request that needs no room of what this frees is not held up */
    if (!(u->want >> (w->index - u->first_wave) & 1))
        f->from = cu_later(f->from, now + c->x->profile->frontend.buffer_free_cycles);
    if (start - f->base > behind)
        f->base = start - behind;
    set_want(c, w);
}

void cu_fetch_consume(struct cu *c, struct cu_wave *w, gaddr_t pc, cycle_t now)
{
    /* most often in the block it was in */
    if (((taken_out(w, pc) ^ w->fetch.lo) & -(gaddr_t)c->x->fetch_block_bytes) == 0)
        w->fetch.lo = pc;
    else
        move_to(c, w, pc, now);
}

void cu_fetch_grant(struct cu *c, struct cu_wave *w)
{
    const struct cu_fetch_unit *u = &c->fetch[w->part];
    struct cu_fetch *f = &w->fetch;
    gaddr_t start = block_of(u, f->lo), bytes = (gaddr_t)(f->ahead + 1) * u->block_bytes;

    if (f->next - start < bytes)
        f->next = start + bytes;
    f->hi = f->next;
    f->arrived = 0;
    f->before = 0;
    f->generation++;
    set_want(c, w);
}

void cu_fetch_branch(struct cu *c, struct cu_wave *w, gaddr_t pc, cycle_t now)
{
    const struct profile_frontend *p = &c->x->profile->frontend;
    const struct cu_fetch *f = &w->fetch;

    if (p->branch_within_buffer && pc - f->base < f->next - f->base)
        cu_fetch_consume(c, w, pc, now);
    else
        cu_fetch_restart(c, w, pc, now + p->branch_resolve_cycles);
}

void cu_fetch_fall_through(struct cu *c, struct cu_wave *w, gaddr_t pc, cycle_t now)
{
    const struct profile_frontend *p = &c->x->profile->frontend;
    const struct cu_fetch_unit *u = &c->fetch[w->part];
    struct cu_fetch *f = &w->fetch;
    gaddr_t end = block_of(u, f->lo) + u->block_bytes;

    if (p->branch_refetch && f->next > end) {
        f->generation++;
        f->arrived = 0;
        f->next = end;
        if (f->hi > end)
            f->hi = end;
        f->from = now + p->branch_resolve_cycles;
        set_want(c, w);
    }
    cu_fetch_consume(c, w, pc, now);
}

void cu_fetch_distance(struct cu *c, struct cu_wave *w, uint32_t blocks, cycle_t now)
{
    w->fetch.ahead = blocks_ahead(&c->fetch[w->part], blocks);
    move_to(c, w, w->fetch.lo, now);
}

void cu_fetch_stop(struct cu *c, struct cu_wave *w)
{
    w->fetch.generation++;
    w->fetch.running = false;
    set_want(c, w);
}

/* A request of an earlier generation than the wave's has arrived, or one of it: false when nothing follows from that.
 */
static bool count_arrival(struct cu_fetch *f, uint16_t generation)
{
    bool of_wave = (uint16_t)(generation - f->first_generation) <= (uint16_t)(f->generation - f->first_generation);

    if (!f->running || !of_wave)
        return false;
    f->in_flight--;
    if (generation == f->generation)
        return true;
    return f->before && !--f->before;
}

void cu_fetch_arrive(struct cu *c, uint64_t token, cycle_t now)
{
    struct cu_wave *w = &c->wave[token & 0xffff];
    struct cu_fetch *f = &w->fetch;
    const struct cu_fetch_unit *u = &c->fetch[w->part];
    uint32_t ahead = (uint32_t)(token >> 32) - (uint32_t)(f->hi >> u->block_shift);

    if (!count_arrival(f, (uint16_t)(token >> 16)))
        return;
    /* so late that the generations have come round, it is no block that the wave waits for */
    if (f->generation == (uint16_t)(token >> 16)) {
        if (ahead >= 64)
            return;
        f->arrived |= UINT64_C(1) << ahead;
    }
    for (; !f->before && f->arrived & 1; f->arrived >>= 1)
        f->hi += u->block_bytes;
    set_want(c, w);
    /* the next one may go, though the wave waits for something else */
    if (u->want >> (w->index - u->first_wave) & 1)
        cu_wake_at(c, now);
    if (w->state == WAVE_EVENT && w->reason == STALL_FETCH)
        cu_wave_wake(c, w, now);
}

void cu_fetch_arrivals(struct cu *c, cycle_t now)
{
    c->arrives_at = CYCLE_NEVER;
    for (uint32_t k = 0; k < c->x->parts; k++) {
        struct cu_arrivals *q = &c->fetch[k].arrivals;

        for (; q->begin != q->end; q->begin++) {
            const struct cu_arrival *a = &q->ring[q->begin % CU_MAX_ARRIVALS];

            if (a->at > now) {
                c->arrives_at = cu_earlier(c->arrives_at, a->at);
                break;
            }
            cu_fetch_arrive(c, a->token, now);
        }
    }
}

/* Banks of the cache are not in step, so that a block may come before one that was asked for earlier. */
static ALWAYS_INLINE void expect(struct cu *c, struct cu_arrivals *q, cycle_t at, uint64_t token)
{
    uint32_t n = q->end++;

    assert(q->end - q->begin <= CU_MAX_ARRIVALS);
    for (; n != q->begin && q->ring[(n - 1) % CU_MAX_ARRIVALS].at > at; n--)
        q->ring[n % CU_MAX_ARRIVALS] = q->ring[(n - 1) % CU_MAX_ARRIVALS];
    q->ring[n % CU_MAX_ARRIVALS] = (struct cu_arrival){at, token};
    c->arrives_at = cu_earlier(c->arrives_at, at);
}

/* Asks the memory for a block. False: not in this cycle, but in *at, or when it has credit again (CYCLE_NEVER). True:
 * *at is when the block comes without its completion, or CYCLE_NEVER. */
static ALWAYS_INLINE bool ask(const struct cu *c, uint32_t cu, const struct mem_req *req, cycle_t now, cycle_t *at)
{
    const struct cu_memory *m = &c->x->memory;
    bool full = false;

    *at = m->fetch ? m->fetch(m->ctx, cu, req, now, &full) : CYCLE_NEVER;
    if (*at != CYCLE_NEVER)
        return !full;
    if (!m->can_accept(m->ctx, cu, MEM_PORT_INST, req->addr))
        return false;
    m->accept(m->ctx, cu, MEM_PORT_INST, req, now);
    return true;
}

void cu_fetch_prefetch(struct cu *c, unsigned part, gaddr_t from, uint32_t bytes)
{
    struct cu_fetch_unit *u = &c->fetch[part];
    gaddr_t line = c->x->inst_line_bytes, first = from & -line, end = (from + bytes + line - 1) & -line;

    if (c->x->profile->ideal.free_fetch)
        return;

    /* a hint: a newer one replaces an older one in flight, unless it continues it */
    if (u->prefetch_next == u->prefetch_end || first != u->prefetch_end)
        u->prefetch_next = first;
    u->prefetch_end = end;
}

/* Waves whose block may be asked for in this cycle; *next: when it may be that of another one. */
static uint64_t may_ask(const struct cu *c, const struct cu_fetch_unit *u, cycle_t now, cycle_t *next)
{
    uint64_t may = 0;

    *next = CYCLE_NEVER;
    if (!u->waits)
        return u->want;
    for (uint64_t m = u->want; m; m &= m - 1) {
        cycle_t from = c->wave[u->first_wave + (uint32_t)__builtin_ctzll(m)].fetch.from;

        if (from <= now)
            may |= m & -m;
        else
            *next = cu_earlier(*next, from);
    }
    return may;
}

/* Those of `waves` with the highest priority. */
static NOINLINE uint64_t most_urgent(const struct cu *c, const struct cu_fetch_unit *u, uint64_t waves)
{
    uint8_t top = 0;
    uint64_t best = 0;

    for (uint64_t m = waves; m; m &= m - 1) {
        uint8_t priority = c->wave[u->first_wave + (uint32_t)__builtin_ctzll(m)].priority;

        if (priority > top) {
            top = priority;
            best = 0;
        }
        best |= priority == top ? m & -m : 0;
    }
    return best;
}

/* The wave of `may` that gets its block in this cycle. */
static ALWAYS_INLINE struct cu_wave *choose(const struct cu *c, const struct cu_fetch_unit *u, unsigned part,
                                            uint64_t may)
{
    const struct cu_simd *s = &c->simd[part * c->x->simds_per_part], *end = s + c->x->simds_per_part;
    uint64_t m = u->hungry & may ? u->hungry & may : may;
    uint32_t prioritized = 0;

    if (!(m & (m - 1)))
        return m ? &c->wave[u->first_wave + (uint32_t)__builtin_ctzll(m)] : NULL;
    for (; s < end; s++)
        prioritized |= s->prioritized;
    if (prioritized)
        m = most_urgent(c, u, m);
    return &c->wave[u->first_wave + (uint32_t)arbiter_pick_oldest(m, u->stamp)];
}

static void prefetch_line(struct cu *c, struct cu_fetch_unit *u, uint32_t cu, cycle_t now)
{
    struct mem_req req = {.addr = u->prefetch_next, .bytes = u->block_bytes, .op = MEM_FETCH, .token = MEM_TOKEN_NONE};
    cycle_t ignored;

    if (ask(c, cu, &req, now, &ignored))
        u->prefetch_next += c->x->inst_line_bytes;
}

/* The lines after one that is asked for. Waves in the same line ask for them once. */
static void look_ahead(struct cu *c, struct cu_fetch_unit *u, unsigned part, gaddr_t at)
{
    gaddr_t bytes = c->x->inst_line_bytes, line = at & -bytes;
    uint32_t lines = c->x->profile->frontend.prefetch_lines;

    if (!lines || u->line == line)
        return;
    u->line = line;
    cu_fetch_prefetch(c, part, line + bytes, (uint32_t)(lines * bytes));
}

/* The port has no credit: when to ask again. */
static NOINLINE cycle_t await_credit(struct cu *c, struct cu_fetch_unit *u, uint32_t cu, cycle_t now)
{
    const struct cu_memory *m = &c->x->memory;

    /* a wave that may ask later, or of another bank, need not wait for this one's credit */
    if (!m->await_credit || u->waits || c->x->profile->cache[LEVEL_I].channels > 1)
        return now + 1;
    m->await_credit(m->ctx, cu, MEM_PORT_INST);
    u->awaits_credit = true;
    return CYCLE_NEVER;
}

ALWAYS_INLINE cycle_t cu_fetch_tick(struct cu *c, unsigned part, cycle_t now)
{
    struct cu_fetch_unit *u = &c->fetch[part];
    uint32_t cu = c->index * c->x->parts + part;
    cycle_t next, at;
    struct cu_wave *w = choose(c, u, part, may_ask(c, u, now, &next));
    struct mem_req req;

    if (!w) {
        if (u->prefetch_next != u->prefetch_end)
            prefetch_line(c, u, cu, now);
        return u->prefetch_next != u->prefetch_end ? now + 1 : next;
    }
    req = (struct mem_req){
        .addr = w->fetch.next,
        .bytes = u->block_bytes,
        .op = MEM_FETCH,
        .token = w->index | (uint64_t)w->fetch.generation << 16 |
                 (uint64_t)(uint32_t)(w->fetch.next >> u->block_shift) << 32,
    };
    if (!ask(c, cu, &req, now, &at))
        return at != CYCLE_NEVER ? at : await_credit(c, u, cu, now);
    if (at != CYCLE_NEVER)
        expect(c, &u->arrivals, at, req.token);
    look_ahead(c, u, part, w->fetch.next);
    w->fetch.in_flight++;
    w->fetch.next += u->block_bytes;
    set_want(c, w);
    return cu_fetch_is_busy(u) ? now + 1 : CYCLE_NEVER;
}
