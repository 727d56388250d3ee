/* Workgroups of the functional engine: their start, the order in which their waves run, their end. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/engine/functional/functional.h"
#include "sim/engine/snapshot.h"

#define RUN_INSTRUCTIONS (UINT64_C(1) << 20) /* that a wave executes before the next wave runs */
#define ASK_INSTRUCTIONS (UINT64_C(1) << 14) /* that it executes before the caller's abort flag is looked at */
#define FIRST_INTERVAL   4096                /* instructions before the first probe of a wave, */
#define POLLED_INTERVAL  512                 /* in a workgroup of which a wave has polled */
#define POLL_TURNS       8                   /* of a polling wave between probes */

struct group *group_new(struct worker *k, uint64_t index)
{
    const struct launch *l = k->run->l;
    const struct engine_stepper *stepper = k->run->options->stepper;
    unsigned n = l->waves_per_group;
    struct group *g = ARENA_NEW(&k->arena, 1, struct group);

    if (!g)
        return NULL;
    g->wave = ARENA_NEW(&k->arena, n, struct isa_wave);
    g->state = ARENA_NEW(&k->arena, n, enum wave_state);
    g->poll = ARENA_NEW(&k->arena, n, struct poll);
    g->done = ARENA_NEW(&k->arena, n, uint64_t);
    g->regs = arena_alloc(&k->arena, n, launch_wave_dwords(l) * sizeof *g->regs, 64);
    g->lds = arena_alloc(&k->arena, 1, launch_lds_bytes(l), 64);
    if (launch_lds_bytes(l) && !(g->order = ARENA_NEW(&k->arena, n, struct isa_lds_order)))
        return NULL;
    if (!g->wave || !g->state || !g->poll || !g->done || !g->regs || !g->lds || !races_init_group(k, g))
        return NULL;
    if (stepper && !(g->stepped = stepper->group_new(stepper->ctx, n)))
        return NULL;
    g->first_slot = (k->run->options->part ? k->run->options->part->first_slot : 0) + (uint32_t)index * n;
    atomic_init(&g->claim, CLAIM_NONE);
    g->next = atomic_load(&k->groups);
    atomic_store(&k->groups, g);
    return g;
}

bool group_is_free(const struct run *r, const struct group *g)
{
    uint64_t stop = atomic_load_explicit(&r->stop_from, memory_order_relaxed);

    return atomic_load_explicit(&g->claim, memory_order_relaxed) == CLAIM_NONE || (stop && g->id > stop);
}

/* For a wave that copies from memory to LDS, for this workgroup and those that come into its place. */
static struct isa_lds_copy *room_for_copies(void *worker)
{
    return ARENA_NEW(&((struct worker *)worker)->arena, LDS_COPIES, struct isa_lds_copy);
}

bool group_start(struct worker *k, struct group *g)
{
    const struct launch *l = k->run->l;
    struct launch_group shape;
    uint64_t id = 0;

    atomic_store(&g->claim, CLAIM_PENDING);
    g->running = batches_take(k, &id) && !run_stopped(k->run, id);
    atomic_store(&g->claim, g->running ? id : CLAIM_NONE);
    if (!g->running)
        return false;
    g->id = id;
    launch_open_group(l, id, &shape);
    g->waves = shape.waves;
    g->ended = g->at_barrier = g->asleep = g->at_gws = 0;
    g->has_polled = g->waits = g->copies = false;
    g->executed = 0;
    memset(g->tally, 0, sizeof g->tally);
    g->phases = 0;
    g->now = NULL;
    g->loads = 0;
    isa_barriers_init(&g->barriers, g->waves);
    for (unsigned i = 0; i < g->waves; i++) {
        uint32_t slot = l->scratch_slots == UINT32_MAX ? 0 : g->first_slot + i;
        g->wave[i] = k->image;
        launch_place_wave(l, &shape, i, slot, g->regs + i * launch_wave_dwords(l), g->lds, &g->wave[i]);
        g->wave[i].owner = g;
        g->wave[i].barriers = &g->barriers;
        if (g->order) {
            g->order[i] = (struct isa_lds_order){
                .copy = g->order[i].copy, .room = room_for_copies, .ctx = k, .wave = g->wave, .waves = g->waves};
            g->wave[i].lds_order = &g->order[i];
            isa_lds_order_anew(&g->wave[i], true);
        }
        g->state[i] = WAVE_READY;
        g->done[i] = 0;
        poll_forget(k, g, i);
    }
    if (k->env.visits)
        isa_visits_came(k->env.visits, l->entry, g->waves);
    races_start(k, g);
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

static void note_poll(const struct poll *p, const struct isa_wave *w, struct snapshot_wave *out)
{
    out->reason = "polling";
    out->pc = p->pc;
    for (unsigned i = 0; p->bytes && i < sizeof w->range / sizeof *w->range; i++) {
        const struct isa_range *r = &w->range[i];
        if (p->addr < r->lo || p->addr >= r->hi || r->hi - p->addr < p->bytes)
            continue;
        uint32_t bytes = p->bytes < sizeof out->memory.value ? p->bytes : (uint32_t)sizeof out->memory.value;
        out->waits_for = SNAPSHOT_MEMORY;
        out->memory = (struct snapshot_memory){.address = p->addr, .bytes = bytes};
        memcpy(&out->memory.value, r->host + (p->addr - r->lo), bytes);
        break;
    }
}

void group_note_wave(const struct group *g, unsigned i, struct snapshot_wave *out)
{
    const struct isa_wave *w = &g->wave[i];
    bool at_barrier = g->state[i] == WAVE_AT_BARRIER && !isa_barrier_open(w); /* else it goes on in its next turn */
    bool asleep = g->state[i] == WAVE_ASLEEP, at_gws = g->state[i] == WAVE_AT_GWS && isa_gws_waits(w);

    *out = (struct snapshot_wave){.group = g->id,
                                  .wave = i,
                                  .pc = at_barrier || asleep || at_gws ? w->inst_pc : w->pc,
                                  .reason = at_barrier || at_gws ? "barrier"
                                            : asleep             ? "sleep"
                                                                 : "ready",
                                  .waits_for = asleep ? SNAPSHOT_UNTIL : SNAPSHOT_NOTHING,
                                  .until = asleep ? CYCLE_NEVER : 0,
                                  .since = g->done[i],
                                  .left = g->ended};
    snapshot_note_barriers(out, w, at_barrier);
    if (!at_barrier && !asleep && !at_gws && g->poll[i].polls)
        note_poll(&g->poll[i], w, out);
}

/* All waves of g that have not ended wait at barriers, or sleep. */
void group_deadlock(struct run *r, const struct group *g)
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

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Ends the run when the caller has asked for it. */
static void obey(const struct worker *k)
{
    const volatile int *flag = k->run->options->abort_flag;

    if (flag && __atomic_load_n(flag, __ATOMIC_RELAXED))
        run_end(k->run, ENGINE_INTERRUPTED, "interrupted");
}

enum isa_status group_execute(struct worker *k, struct group *g, unsigned i, uint64_t want, uint64_t *ran)
{
    const struct engine_options *o = k->run->options;
    enum isa_status status = ISA_LIMIT;
    struct isa_wave *w = &g->wave[i];

    *ran = 0;
    while (status == ISA_LIMIT && *ran < want) {
        uint64_t done = 0, limit = limit_grant(k, g->id, smaller(want - *ran, ASK_INSTRUCTIONS));
        if (!limit)
            break;
        status = g->stepped ? o->stepper->run(g->stepped, i, w, &k->env, limit, &done, g->tally)
                            : isa_run(w, k->run->l->program, &k->env, limit, &done, g->tally);
        if (k->run->limit.max)
            k->granted -= done;
        *ran += done;
        if ((k->work += done + TURN_COST) >= k->look_at)
            recruit_look(k);
        if (status == ISA_TURN) {
            g->paused = true;
            status = ISA_LIMIT;
            break;
        }
        if (status == ISA_OK)
            status = ISA_LIMIT;
        if (done < ASK_INSTRUCTIONS)
            continue;
        obey(k);
        if (run_stopped(k->run, g->id))
            break;
    }
    g->done[i] += *ran;
    g->executed += *ran;
    return status;
}

/* group_execute(), and g->moved says whether a wave that polls has left its loop: it may have come back to it, or to
 * one with the same code, and wait for something else now. */
static enum isa_status execute_watched(struct worker *k, struct group *g, unsigned i, uint64_t want)
{
    enum isa_status status = ISA_LIMIT;
    uint64_t ran = 1;

    for (uint64_t n = 0; n < want && ran && status == ISA_LIMIT; n++) {
        g->moved |= !poll_is_at(&g->poll[i], g->wave[i].pc);
        status = group_execute(k, g, i, 1, &ran);
    }
    return status;
}

/* A turn of a wave that polls: a short one, after which it still does if it is in its loop. Closer looks cost time, and
 * are for when the run may end because all that there is only polls. */
static enum isa_status poll_turn(struct worker *k, struct group *g, unsigned i, uint64_t most)
{
    struct poll *poll = &g->poll[i];
    bool alone = cycles_stands_for_others(k, g, i);
    uint64_t ran, before = g->done[i], turn = run_all_wait(k->run) ? 2 * (uint64_t)poll->period : poll->turn;
    uint64_t want = cycles_is_over(k, g, i) ? 0 : alone ? most : smaller(turn, most);
    enum isa_status status =
        run_may_end_quiet(k->run) && !alone ? execute_watched(k, g, i, want) : group_execute(k, g, i, want, &ran);

    limit_forgive(k, g->done[i] - before);
    if (!poll_is_at(poll, g->wave[i].pc)) {
        poll->polls = false;
        poll->interval = POLLED_INTERVAL;
        poll->executed = 0;
    } else if (want && ++poll->turns % POLL_TURNS == 0) {
        poll_probe(k, g, i, 0);
    }
    return status;
}

/* Instructions of a wave that is not known to poll, up to its next probe. */
static enum isa_status run_turn(struct worker *k, struct group *g, unsigned i, uint64_t most)
{
    struct poll *poll = &g->poll[i];
    uint64_t ran, reads = poll_reads(g);

    if (!poll->interval)
        poll->interval = g->has_polled ? POLLED_INTERVAL : FIRST_INTERVAL;
    enum isa_status status = group_execute(k, g, i, smaller(poll->interval - poll->executed, most), &ran);
    poll->executed += ran;
    poll->reads |= poll_reads(g) != reads;
    if (poll->executed < poll->interval)
        return status;
    if (poll->reads)
        poll_probe(k, g, i, poll->interval);
    poll->interval = smaller(poll->interval * 2, RUN_INSTRUCTIONS);
    poll->executed = 0;
    poll->reads = false;
    return status;
}

/* Runs wave i of g up to its next barrier or its end, to where other waves come to LDS first (isa/lds_order.h), to
 * where it has polled, or for RUN_INSTRUCTIONS. How long that is depends on this workgroup alone. */
static enum isa_status wave_turn(struct worker *k, struct group *g, unsigned i)
{
    struct poll *poll = &g->poll[i];
    uint64_t max = k->run->options->max_cycles, end = g->done[i] + RUN_INSTRUCTIONS;
    enum isa_status status = ISA_LIMIT;

    if (g->done[i] < max && max < end) /* not of a wave that has polled beyond it */
        end = max;
    g->paused = false;
    do {
        g->moved |= !poll->polls;
        if (poll->probe)
            status = poll_probe_on(k, g, i);
        else if (poll->polls)
            status = poll_turn(k, g, i, end - g->done[i]);
        else
            status = run_turn(k, g, i, end - g->done[i]);
        if (poll->polls && !poll->probe)
            break;
    } while (status == ISA_LIMIT && g->done[i] < end && !g->paused && !run_stopped(k->run, g->id));
    g->moved |= !poll->polls || status == ISA_END;
    g->probing |= poll->probe != NULL;
    return status;
}

/* Lands the copies into LDS that all waves are far enough past. The wave whose copy cannot, or null. */
static const struct isa_wave *settle_copies(struct worker *k, struct group *g)
{
    const struct isa_wave *bad = NULL;
    uint64_t least = UINT64_MAX, age = LDS_COPY_LANES / g->wave[0].lanes;

    for (unsigned i = 0; i < g->waves; i++)
        if (g->state[i] != WAVE_ENDED && g->order[i].executed < least)
            least = g->order[i].executed;
    g->copies = false;
    for (unsigned i = 0; i < g->waves && !bad; i++) {
        struct isa_wave *w = &g->wave[i];
        if (!(w->special & SPECIAL_COPIES))
            continue;
        if (least >= age && isa_lds_copies_settle(w, &k->env, least - age))
            bad = w;
        g->copies |= w->special & SPECIAL_COPIES;
    }
    return bad;
}

/* A turn of wave i. False: g will not be run on. */
static bool run_wave(struct worker *k, struct group *g, unsigned i)
{
    struct run *r = k->run;
    enum isa_status status = wave_turn(k, g, i);
    const struct isa_wave *bad = NULL;

    g->copies |= g->wave[i].special & SPECIAL_COPIES;
    if (g->copies && status != ISA_FAULT)
        bad = settle_copies(k, g);
    races_after_turn(k, g, i, status);
    if (bad) {
        fault(r, ISA_FAULT, bad, g);
        return false;
    }
    switch (status) {
    case ISA_END:
        g->state[i] = WAVE_ENDED;
        g->ended++;
        return true;
    case ISA_BARRIER:
        g->state[i] = WAVE_AT_BARRIER;
        g->at_barrier++;
        break;
    case ISA_SLEEP:
        g->state[i] = WAVE_ASLEEP;
        g->asleep++;
        break;
    case ISA_GWS:
        g->state[i] = WAVE_AT_GWS;
        g->at_gws++;
        break;
    case ISA_WAKEUP:
        g->state[i] = WAVE_WAKES;
        break;
    case ISA_FAULT:
    case ISA_HALT:
        fault(r, status, &g->wave[i], g);
        return false;
    default:
        break;
    }
    if (r->options->max_cycles && g->done[i] >= r->options->max_cycles && !poll_waits(g, i, POLL_EVIDENCE)) {
        cycle_limit(r, g);
        return false;
    }
    return !run_stopped(r, g->id);
}

/* Wave i has executed s_wakeup or the like, which does nothing to waves that do not sleep. It takes effect when the
 * wave's next turn begins and not at once: which of them sleep by then is up to time, which there is none of here, and
 * in this order each of them has come as far as it can. */
static void wake_others(struct group *g, unsigned i)
{
    for (unsigned k = 0; k < g->waves; k++)
        if (g->state[k] == WAVE_ASLEEP && isa_is_woken(&g->wave[k], &g->wave[i])) {
            g->state[k] = WAVE_READY;
            g->asleep--;
        }
    g->state[i] = WAVE_READY;
}

/* All waves go on from a barrier at pc: the phase that begins. True: this workgroup has been there before. */
static bool next_phase(struct group *g, gaddr_t pc)
{
    uint64_t loads = g->tally[OPC_LDS_LOAD];

    if (g->now)
        g->now->reads |= loads != g->loads;
    g->loads = loads;
    for (unsigned k = 0; k < g->phases; k++)
        if (g->phase[k].pc == pc) {
            g->now = &g->phase[k];
            return true;
        }
    g->now = g->phases < LDS_PHASES ? &g->phase[g->phases++] : NULL;
    if (g->now)
        *g->now = (struct isa_lds_phase){.pc = pc};
    return false;
}

/* Releases the waves whose barrier is complete. False when g will not be run on. */
static bool release_waves(struct worker *k, struct group *g)
{
    const struct isa_wave *bad = NULL;
    bool all = g->at_barrier + g->ended == g->waves;
    gaddr_t pc = 0;

    for (unsigned i = 0; i < g->waves; i++) {
        if (g->state[i] != WAVE_AT_BARRIER || !isa_barrier_open(&g->wave[i]))
            continue;
        all = all && g->wave[i].barrier_wait == 0;
        pc = g->wave[i].pc;
        isa_barrier_pass(&g->wave[i]);
        isa_lds_order_anew(&g->wave[i], true);
        g->state[i] = WAVE_READY;
        g->at_barrier--;
    }
    if (all && !g->at_barrier && g->order) {
        bool known = next_phase(g, pc);

        bad = isa_lds_orders_meet(g->wave, g->waves, &k->env);
        races_after_barrier(g, known);
        for (unsigned i = 0; i < g->waves && known && !g->now->reads; i++)
            isa_lds_order_anew(&g->wave[i], false);
    }
    if (bad)
        fault(k->run, ISA_FAULT, bad, g);
    else if (g->at_barrier + g->asleep + g->ended == g->waves) /* global wave sync is up to other workgroups */
        group_deadlock(k->run, g);
    else
        return true;
    return false;
}

static bool finish(struct worker *k, struct group *g)
{
    g->running = false;
    races_end(g);
    if (!group_counts_add(k, g)) {
        k->no_memory = true;
        run_end(k->run, ENGINE_INTERRUPTED, "out of host memory");
        return false;
    }
    atomic_store(&g->claim, CLAIM_NONE);
    atomic_fetch_add_explicit(&k->groups_done, 1, memory_order_relaxed);
    return true;
}

/* Between two turns: what others ask for. False: g will not be run on. */
static bool goes_on(const struct worker *k, const struct group *g)
{
    meeting_point(k->run);
    obey(k);
    return !run_stopped(k->run, g->id);
}

bool group_round(struct worker *k, struct group *g)
{
    g->moved = g->probing = false;
    if (!goes_on(k, g)) /* also when no wave has a turn, as at global wave sync */
        return false;
    for (unsigned i = 0; i < g->waves; i++) {
        if (g->state[i] == WAVE_WAKES)
            wake_others(g, i);
        if (g->state[i] == WAVE_AT_GWS && !isa_gws_waits(&g->wave[i])) {
            g->state[i] = WAVE_READY;
            g->at_gws--;
        }
        if (g->state[i] != WAVE_READY)
            continue;
        if (!goes_on(k, g) || !run_wave(k, g, i))
            return false;
    }
    if ((g->at_barrier || g->asleep) && !release_waves(k, g))
        return false;
    return g->ended < g->waves || finish(k, g);
}

bool group_waits(const struct group *g)
{
    for (unsigned i = 0; i < g->waves; i++)
        if (g->state[i] == WAVE_WAKES || (g->state[i] == WAVE_READY && !poll_waits(g, i, POLL_EVIDENCE)))
            return false;
    return true;
}

bool group_is_stuck(const struct run *r, const struct group *g)
{
    for (unsigned i = 0; i < g->waves; i++)
        if (g->state[i] == WAVE_WAKES || (g->state[i] == WAVE_READY && !cycles_wave_is_stuck(r, g, i)))
            return false;
    return true;
}

bool group_is_blocked(const struct group *g)
{
    for (unsigned i = 0; i < g->waves; i++)
        if (g->state[i] == WAVE_WAKES || g->state[i] == WAVE_READY ||
            (g->state[i] == WAVE_AT_GWS && !isa_gws_waits(&g->wave[i])))
            return false;
    return g->at_gws != 0;
}
