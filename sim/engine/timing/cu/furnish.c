/* Makes a compute unit: what every one has from the beginning of a run, and what those need that run waves. */
#include "sim/engine/timing/cu/emit.h"
#include "sim/engine/timing/memory/tensor_unit.h"

uint32_t cu_vector_lines(const struct cu_context *x, uint32_t depth)
{
    bool blocks = isa_has(x->target, FEAT_BLOCK_MEMORY);

    /* a block instruction may be the last one to find credit */
    return (depth - 1) * CU_MAX_LINES + (blocks ? CU_MAX_BLOCK_LINES : CU_MAX_LINES);
}

/* A prefetch has the most lines. */
static uint32_t scalar_lines(const struct cu_context *x, uint32_t depth)
{
    uint32_t line = x->scalar_line_bytes < x->inst_line_bytes ? x->scalar_line_bytes : x->inst_line_bytes;

    return depth * (ISA_MAX_PREFETCH_BYTES / line + 1);
}

static bool init_parts(struct cu *c, struct arena *arena)
{
    struct cu_context *x = c->x;
    const struct profile *p = x->profile;
    uint32_t depth = x->simds_per_part * p->cu.vmem_queue_depth;

    for (uint32_t k = 0; k < x->parts; k++) {
        uint32_t cu = c->index * x->parts + k;
        struct cu_fetch_unit *f = &c->fetch[k];
        uint32_t blocks = p->frontend.buffer_bytes / x->fetch_block_bytes;
        /* the longest instruction must fit wherever it starts */
        uint32_t least = (ISA_MAX_INST_BYTES + x->fetch_block_bytes - 1) / x->fetch_block_bytes + 1;

        f->block_bytes = x->fetch_block_bytes;
        f->block_shift = (uint8_t)__builtin_ctz(x->fetch_block_bytes);
        f->buffer_bytes = (blocks > least ? blocks : least) * x->fetch_block_bytes;
        f->first_wave = k * x->simds_per_part * x->slots;
        /* as many as cu_fetch.arrived can tell apart */
        f->flight_bytes = (p->frontend.fetches_in_flight ? p->frontend.fetches_in_flight : 64) * x->fetch_block_bytes;
        f->waits = p->frontend.buffer_free_cycles || p->frontend.branch_resolve_cycles;
        /* each SIMD may have one scalar instruction waiting to be sent */
        if (!cu_line_queue_init(&c->vmem[k], arena, &x->memory, cu, MEM_PORT_VECTOR, depth, cu_vector_lines(x, depth),
                                p->cache[LEVEL_VL0].tag_lookups_per_cycle) ||
            !cu_line_queue_init(&c->smem[k], arena, &x->memory, cu, MEM_PORT_SCALAR, x->simds_per_part,
                                scalar_lines(x, x->simds_per_part), p->cache[LEVEL_K].tag_lookups_per_cycle))
            return false;
        if (x->memory.fetch && !(f->arrivals.ring = ARENA_NEW(arena, CU_MAX_ARRIVALS, struct cu_arrival)))
            return false;
        if (p->tensor.entries && !(c->tensors[k] = tensor_unit_new(c, k, arena)))
            return false;
    }
    return true;
}

static bool init_pipe(struct pipe *p, struct arena *arena)
{
    struct pipe_slot *slots = ARENA_NEW(arena, CU_PIPE_SLOTS, struct pipe_slot);

    if (slots)
        pipe_init(p, slots, CU_PIPE_SLOTS);
    return slots != NULL;
}

void cu_init(struct cu *c, struct cu_context *x, uint32_t index, uint32_t events, enum engine_inst_counts counts,
             cycle_t *wake)
{
    memset(c, 0, sizeof *c);
    c->x = x;
    c->index = index;
    c->events = events;
    c->watched = events || counts == ENGINE_INST_ALL;
    c->tells_charges = c->watched || counts != ENGINE_INST_NOTHING;
    c->wake = wake;
    *wake = c->results_at = c->arrives_at = c->starts_at = c->wake_at = c->issue_at = CYCLE_NEVER;
    for (uint32_t k = 0; k < CU_MAX_SIMDS; k++) {
        c->simd[k].number = k;
        c->next_wake[k] = c->next_issue[k] = CYCLE_NEVER;
    }
}

bool cu_furnish(struct cu *c, struct arena *arena)
{
    const struct cu_context *x = c->x;
    uint32_t waves = x->simds * x->slots;

    if (c->group_count)
        return true;
    c->wave = arena_alloc(arena, waves, sizeof *c->wave, 64);
    c->group = ARENA_NEW(arena, waves, struct cu_group);
    c->isa_waves = arena_alloc_unset(arena, waves, sizeof *c->isa_waves, 64); /* isa_wave_init() sets them */
    c->coalesced = arena_alloc_unset(arena, x->parts, sizeof *c->coalesced, _Alignof(struct coalesce_memo));
    if (!c->coalesced || !c->wave || !c->group || !c->isa_waves || !cu_ops_init(c, arena) ||
        !fifo_init_arena(&c->starts, arena, sizeof(struct cu_start), waves) || !init_parts(c, arena) ||
        !cu_emit_init(c, arena))
        return false;
    for (uint32_t k = 0; k < x->parts; k++)
        coalesce_memo_init(&c->coalesced[k]);
    c->lds_ports = (x->simds + x->profile->cu.simds_per_lds_port - 1) / x->profile->cu.simds_per_lds_port;
    for (uint32_t k = 0; k < c->lds_ports; k++)
        if (!init_pipe(&c->lds_port[k].pipe, arena))
            return false;
    for (uint32_t k = 0; k < x->simds; k++) {
        if (x->profile->ideal.second_valu)
            c->simd[k].port[PORT_VALU].units = CU_TWO_UNITS;
        for (unsigned port = 0; port < PORT_COUNT && x->profile->ideal.free_issue; port++)
            c->simd[k].port[port].units = CU_FREE_UNITS;
        cu_lds_side_init(&c->simd[k].lds, x->profile->cu.lds_staging_registers, x->profile->cu.lds_result_gap_cycles);
    }
    if (!init_pipe(&c->misc.pipe, arena))
        return false;
    for (uint32_t k = 0; k < CU_MAX_SIMDS; k++)
        c->simd[k].wave = &c->wave[(size_t)k * x->slots];
    if (!x->front->init(c, arena))
        return false;
    for (uint32_t k = 0; k < x->parts; k++) {
        c->vmem[k].out.pending = &c->op[0].pending;
        c->vmem[k].out.pending_bytes = sizeof c->op[0];
    }
    for (uint32_t k = 0; k < waves; k++) {
        struct cu_wave *w = &c->wave[k];

        w->cu = c;
        w->index = (uint16_t)k;
        w->simd = (uint8_t)(k / x->slots);
        w->slot = (uint8_t)(k % x->slots);
        w->part = (uint8_t)(w->simd / x->simds_per_part);
        w->isa = &c->isa_waves[k];
    }
    c->group_count = waves;
    return true;
}
