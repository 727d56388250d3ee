/* Instruction fetch: a buffer per wave, filled in order in blocks, one block per part and cycle.
 *
 * A taken branch empties the buffer and starts again at the target; blocks still on their way are told by their
 * generation and dropped. Left out: prefetch beyond the wave's own buffer.
 */
#include "sim/engine/cu.h"

static void set_want(struct cu *c, struct cu_wave *w)
{
    struct cu_fetch_unit *u = &c->fetch[w->part];
    struct cu_fetch *f = &w->fetch;
    uint64_t bit = UINT64_C(1) << (w->index - u->first_wave);
    gaddr_t start = f->lo & -(gaddr_t)u->block_bytes;

    u->want &= ~bit;
    u->hungry &= ~bit;
    /* as many on their way as `arrived` can tell apart */
    if (!f->running || f->next + u->block_bytes - start > u->buffer_bytes ||
        f->next - f->hi >= UINT64_C(64) * u->block_bytes)
        return;
    u->want |= bit;
    if (f->next - start <= u->block_bytes)
        u->hungry |= bit;
}

void cu_fetch_restart(struct cu *c, struct cu_wave *w, gaddr_t pc)
{
    struct cu_fetch *f = &w->fetch;

    f->generation++;
    f->arrived = 0;
    f->running = true;
    f->lo = pc;
    f->hi = f->next = pc & -(gaddr_t)c->fetch[w->part].block_bytes;
    set_want(c, w);
}

void cu_fetch_consume(struct cu *c, struct cu_wave *w, gaddr_t pc)
{
    w->fetch.lo = pc;
    set_want(c, w);
}

void cu_fetch_stop(struct cu *c, struct cu_wave *w)
{
    w->fetch.generation++;
    w->fetch.running = false;
    set_want(c, w);
}

void cu_fetch_arrive(struct cu *c, uint64_t token, cycle_t now)
{
    struct cu_wave *w = &c->wave[token & 0xffff];
    struct cu_fetch *f = &w->fetch;
    const struct cu_fetch_unit *u = &c->fetch[w->part];
    uint32_t ahead = (uint32_t)(token >> 32) - (uint32_t)(f->hi >> u->block_shift);

    if (!f->running || f->generation != (uint16_t)(token >> 16))
        return;
    assert(ahead < 64);
    f->arrived |= UINT64_C(1) << ahead;
    for (; f->arrived & 1; f->arrived >>= 1)
        f->hi += u->block_bytes;
    set_want(c, w);
    if (w->state == WAVE_EVENT && w->reason == STALL_FETCH)
        cu_wave_poke(c, w, now);
}

cycle_t cu_fetch_tick(struct cu *c, unsigned part, cycle_t now)
{
    struct cu_fetch_unit *u = &c->fetch[part];
    const struct cu_memory *m = &c->x->memory;
    uint32_t cu = c->index * c->x->parts + part;
    int n = arbiter_pick(&u->turn, u->hungry ? u->hungry : u->want);
    struct cu_wave *w;
    struct mem_req req;

    if (n < 0)
        return CYCLE_NEVER;
    w = &c->wave[u->first_wave + (uint32_t)n];
    if (!m->can_accept(m->ctx, cu, MEM_PORT_INST, w->fetch.next))
        return now + 1;
    arbiter_accept(&u->turn, (uint32_t)n);
    req = (struct mem_req){
        .addr = w->fetch.next,
        .bytes = u->block_bytes,
        .op = MEM_FETCH,
        .token = w->index | (uint64_t)w->fetch.generation << 16 |
                 (uint64_t)(uint32_t)(w->fetch.next >> u->block_shift) << 32,
    };
    m->accept(m->ctx, cu, MEM_PORT_INST, &req, now);
    w->fetch.next += u->block_bytes;
    set_want(c, w);
    return u->want ? now + 1 : CYCLE_NEVER;
}
