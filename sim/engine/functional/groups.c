/* Workgroups of the functional engine: their start, the order in which their waves run, their end. */
#include <inttypes.h>
#include <stdio.h>

#include "sim/engine/functional/functional.h"
#include "sim/engine/snapshot.h"

#define RUN_INSTRUCTIONS (UINT64_C(1) << 20) /* that a wave executes before the next wave runs */

struct group *group_new(struct worker *k)
{
    const struct launch *l = k->run->l;
    const struct engine_stepper *stepper = k->run->options->stepper;
    unsigned n = l->waves_per_group;
    struct group *g = ARENA_NEW(&k->arena, 1, struct group);

    if (!g)
        return NULL;
    g->wave = ARENA_NEW(&k->arena, n, struct isa_wave);
    g->state = ARENA_NEW(&k->arena, n, enum wave_state);
    g->done = ARENA_NEW(&k->arena, n, uint64_t);
    g->regs = arena_alloc(&k->arena, n, launch_wave_dwords(l) * sizeof *g->regs, 64);
    g->lds = arena_alloc(&k->arena, 1, launch_lds_bytes(l), 64);
    if (!g->wave || !g->state || !g->done || !g->regs || !g->lds)
        return NULL;
    if (stepper && !(g->stepped = stepper->group_new(stepper->ctx, n)))
        return NULL;
    g->first_slot = k->first_slot + k->resident_count * n;
    atomic_init(&g->claim, CLAIM_NONE);
    g->next = atomic_load(&k->groups);
    atomic_store(&k->groups, g);
    k->resident[k->resident_count++] = g;
    return g;
}

bool group_start(struct worker *k, struct group *g)
{
    const struct launch *l = k->run->l;

    atomic_store(&g->claim, CLAIM_PENDING);
    uint64_t id = atomic_fetch_add(&k->run->next_group, 1);
    g->running = id < l->workgroup_count && !run_stopped(k->run, id);
    atomic_store(&g->claim, g->running ? id : CLAIM_NONE);
    if (!g->running)
        return false;
    g->id = id;
    g->waves = launch_group_waves(l, id);
    g->ended = g->at_barrier = 0;
    for (unsigned c = 0; c < OPC_COUNT; c++)
        g->by_class[c] = 0;
    isa_barriers_init(&g->barriers, g->waves);
    for (unsigned i = 0; i < g->waves; i++) {
        uint32_t slot = l->scratch_slots == UINT32_MAX ? 0 : g->first_slot + i;
        launch_init_wave(l, id, i, slot, g->regs + i * launch_wave_dwords(l), g->lds, &g->wave[i]);
        g->wave[i].owner = g;
        g->wave[i].barriers = &g->barriers;
        g->state[i] = WAVE_READY;
        g->done[i] = 0;
    }
    if (g->stepped)
        k->run->options->stepper->group_start(g->stepped, id, g->wave, g->waves);
    return true;
}

static void fault(struct run *r, enum isa_status status, const struct isa_wave *w, const struct group *g)
{
    if (!run_event(r, g->id))
        return;
    engine_set_fault(r->result, status, w, g->id);
    run_event_told(r);
}

static void cycle_limit(struct run *r, const struct group *g)
{
    if (!run_event(r, g->id))
        return;
    r->result->outcome = ENGINE_LIMIT;
    snprintf(r->result->message, sizeof r->result->message,
             "limit of %" PRIu64 " cycles reached: a wave ran that many instructions", r->options->max_cycles);
    run_event_told(r);
}

void group_note_wave(const struct group *g, unsigned i, struct snapshot_wave *out)
{
    const struct isa_wave *w = &g->wave[i];
    bool at_barrier = g->state[i] == WAVE_AT_BARRIER && !isa_barrier_open(w); /* else it goes on in its next turn */

    *out = (struct snapshot_wave){.group = g->id,
                                  .wave = i,
                                  .pc = at_barrier ? w->inst_pc : w->pc,
                                  .reason = at_barrier ? "barrier" : "ready",
                                  .since = g->done[i],
                                  .left = g->ended};
    snapshot_note_barriers(out, w, at_barrier);
}

/* All waves of g that have not ended wait at barriers. */
static void deadlock(struct run *r, const struct group *g)
{
    struct snapshot_maker waves = {0};

    for (unsigned i = 0; i < g->waves; i++) {
        struct snapshot_wave w;

        if (g->state[i] == WAVE_ENDED)
            continue;
        group_note_wave(g, i, &w);
        snapshot_add(&waves, &w);
    }
    if (run_event(r, g->id)) {
        snapshot_deadlock(&waves, r->l, r->result);
        run_event_told(r);
    }
    snapshot_maker_free(&waves);
}

/* Executes up to `want` instructions of wave i. Less than that with ISA_LIMIT: g has been stopped. */
static enum isa_status execute(struct worker *k, struct group *g, unsigned i, uint64_t want, uint64_t *ran)
{
    const struct engine_options *o = k->run->options;
    enum isa_status status = ISA_LIMIT;
    struct isa_wave *w = &g->wave[i];

    *ran = 0;
    while (status == ISA_LIMIT && *ran < want) {
        uint64_t done = 0, limit = limit_grant(k, g->id, want - *ran);
        if (!limit)
            break;
        status = g->stepped ? o->stepper->run(g->stepped, i, w, &k->env, limit, &done, g->by_class)
                            : isa_run(w, k->run->l->program, &k->env, limit, &done, g->by_class);
        if (o->max_instructions)
            k->granted -= done;
        *ran += done;
        if (status == ISA_OK)
            status = ISA_LIMIT;
    }
    g->done[i] += *ran;
    return status;
}

/* Runs wave i of g up to its next barrier, its end or RUN_INSTRUCTIONS. False: g will not be run on. */
static bool run_wave(struct worker *k, struct group *g, unsigned i)
{
    struct run *r = k->run;
    uint64_t max = r->options->max_cycles, want = RUN_INSTRUCTIONS, ran;

    if (max && max - g->done[i] < want)
        want = max - g->done[i];
    enum isa_status status = execute(k, g, i, want, &ran);
    switch (status) {
    case ISA_END:
        g->state[i] = WAVE_ENDED;
        g->ended++;
        return true;
    case ISA_BARRIER:
        g->state[i] = WAVE_AT_BARRIER;
        g->at_barrier++;
        break;
    case ISA_FAULT:
    case ISA_HALT:
        fault(r, status, &g->wave[i], g);
        return false;
    default:
        break;
    }
    if (max && g->done[i] >= max) {
        cycle_limit(r, g);
        return false;
    }
    return status != ISA_LIMIT || ran == want;
}

/* Releases the waves whose barrier is complete. False when no wave of the workgroup can run: a deadlock. */
static bool release_waves(struct group *g)
{
    for (unsigned i = 0; i < g->waves; i++) {
        if (g->state[i] != WAVE_AT_BARRIER || !isa_barrier_open(&g->wave[i]))
            continue;
        isa_barrier_pass(&g->wave[i]);
        g->state[i] = WAVE_READY;
        g->at_barrier--;
    }
    return g->at_barrier + g->ended < g->waves;
}

static bool finish(struct worker *k, struct group *g)
{
    g->running = false;
    if (!ledger_add(k, g)) {
        k->no_memory = true;
        run_end(k->run, ENGINE_INTERRUPTED, "no memory");
        return false;
    }
    atomic_store(&g->claim, CLAIM_NONE);
    atomic_fetch_add_explicit(&k->groups_done, 1, memory_order_relaxed);
    return true;
}

bool group_round(struct worker *k, struct group *g)
{
    const struct engine_options *o = k->run->options;

    for (unsigned i = 0; i < g->waves; i++) {
        if (g->state[i] != WAVE_READY)
            continue;
        meeting_point(k->run);
        if (o->abort_flag && *o->abort_flag)
            run_end(k->run, ENGINE_INTERRUPTED, "interrupted");
        if (run_stopped(k->run, g->id) || !run_wave(k, g, i))
            return false;
    }
    if (g->at_barrier && !release_waves(g)) {
        deadlock(k->run, g);
        return false;
    }
    return g->ended < g->waves || finish(k, g);
}
