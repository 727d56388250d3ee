#include "sim/engine/timing.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "sim/engine/timing_dispatch.h"
#include "sim/engine/timing_mem.h"
#include "sim/engine/timing_script.h"

#define POLL_VISITS        4096 /* cycles visited between looks at the abort flag and the wall clock */
#define PROGRESS_SECONDS   0.05
#define TIMING_BLOCK_BYTES ((size_t)4 << 20) /* of host memory: CUs and waves lie close together */

struct run {
    const struct engine_launch *l;
    const struct timing_memory *memory;
    struct engine_result *r;
    struct arena arena;
    struct timing_table table;
    struct cu_context x;
    struct cu *cu;
    cycle_t *wake; /* per CU */
    uint32_t *due; /* CUs with work in this cycle */
    uint32_t cus;
    struct dispatcher dispatcher;
    struct script_player player;
    cycle_t dispatch_at;
    uint64_t groups_done;
    uint64_t *groups_seen; /* per CU: what groups_done has of it */
    double next_progress;
};

/* Set-up ----------------------------------------------------------------------------------------------------------- */

static bool find(void *ctx, gaddr_t addr, struct isa_range *out)
{
    const struct run *run = ctx;

    return launch_find(run->l, addr, out);
}

static uint64_t shader_clock(void *ctx)
{
    return ((const struct run *)ctx)->x.now;
}

/* s_memrealtime counts at 100 MHz. */
static uint64_t realtime(void *ctx)
{
    const struct run *run = ctx;

    return (uint64_t)((double)run->x.now * 100.0 / run->l->profile->gpu.shader_clock_mhz);
}

static uint32_t power_of_two_below(uint32_t v)
{
    while (v & (v - 1))
        v &= v - 1;
    return v;
}

static int set_shape(struct run *run, struct err *e)
{
    struct cu_context *x = &run->x;
    const struct profile *p = run->l->profile;
    uint32_t fetch = p->frontend.fetch_bytes_per_cycle, line = p->cache[PROFILE_I].line_bytes;

    x->parts = p->gpu.cus_per_wgp;
    x->simds_per_part = p->cu.simds;
    x->simds = x->parts * x->simds_per_part;
    x->slots = p->cu.wave_slots_per_simd;
    if (x->parts > CU_MAX_PARTS || x->simds > CU_MAX_SIMDS || x->slots > CU_MAX_SLOTS ||
        x->simds_per_part * x->slots > 64)
        return err_set(e, ERR_UNSUPPORTED,
                       "profile %s: the timing engine models up to %d CUs per WGP, %d SIMDs together, %d wave slots "
                       "each and 64 in a CU; the profile has %" PRIu32 ", %" PRIu32 ", %" PRIu32,
                       p->name, CU_MAX_PARTS, CU_MAX_SIMDS, CU_MAX_SLOTS, x->parts, x->simds, x->slots);
    if (run->l->waves_per_group > 64)
        return err_set(e, ERR_UNSUPPORTED, "workgroups of %" PRIu32 " waves; the timing engine takes up to 64",
                       run->l->waves_per_group);
    x->vector_line_bytes = p->cache[PROFILE_VL0].line_bytes;
    x->scalar_line_bytes = p->cache[PROFILE_K].line_bytes;
    x->inst_line_bytes = line;
    x->fetch_block_bytes = power_of_two_below(fetch < line ? fetch : line);
    if (x->fetch_block_bytes < 4)
        x->fetch_block_bytes = 4;
    x->address_lanes_per_cycle = p->cu.simd_lanes;
    x->round_robin = p->cu.issue_policy == ISSUE_ROUND_ROBIN;
    x->simds_mask = x->simds & (x->simds - 1) ? 0 : x->simds - 1;
    cu_issue_rules(x);
    for (unsigned k = 0; k < WAIT_COUNT; k++)
        x->counter_max[k] = (uint8_t)((1u << run->l->target->wait_bits[k]) - 1);
    lds_config_init(&x->lds, timing_mem_gen(run->l->target), run->l->lanes);
    lds_config_set(&x->lds, x->profile->cu.lds_banks, x->profile->cu.lds_bytes_per_cycle,
                   x->profile->cu.lds_lanes_per_cycle);
    return 0;
}

static int set_up(struct run *run, const struct timing_observer *o, struct err *e)
{
    struct cu_context *x = &run->x;
    const struct engine_launch *l = run->l;

    x->launch = l;
    x->profile = l->profile;
    x->table = &run->table;
    x->memory = run->memory->plug;
    x->observer = o;
    x->check = l->tick_every_cycle;
    x->budget = l->max_instructions ? l->max_instructions : UINT64_MAX;
    x->env = (struct isa_env){.ctx = run, .find = find, .clock = shader_clock, .realtime = realtime};
    timing_forwarding(x);
    if (set_shape(run, e))
        return -1;
    run->cus = dispatcher_cus(l->profile, l->workgroup_count);
    run->cu = arena_alloc(&run->arena, run->cus, sizeof *run->cu, 64);
    run->wake = ARENA_NEW(&run->arena, run->cus, cycle_t);
    run->due = ARENA_NEW(&run->arena, run->cus, uint32_t);
    run->groups_seen = ARENA_NEW(&run->arena, run->cus, uint64_t);
    if (!run->cu || !run->wake || !run->due || !run->groups_seen || !timing_table_init(&run->table, l, &run->arena))
        return err_set(e, ERR_NOMEM, "timing engine: no host memory");
    for (uint32_t k = 0; k < run->cus; k++)
        if (!cu_init(&run->cu[k], x, k, &run->wake[k], &run->arena))
            return err_set(e, ERR_NOMEM, "timing engine: no host memory for %" PRIu32 " compute units", run->cus);
    return dispatcher_init(&run->dispatcher, x, run->cu, run->cus, &run->arena, e);
}

/* The clock -------------------------------------------------------------------------------------------------------- */

static void end_early(struct engine_result *r, enum engine_outcome outcome, const char *why, uint64_t n)
{
    r->outcome = outcome;
    snprintf(r->message, sizeof r->message, why, n);
}

static double wall_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Looks at the world outside now and then; false ends the run. */
static bool poll_caller(struct run *run)
{
    const struct engine_launch *l = run->l;
    double now;

    if (l->abort_flag && *l->abort_flag) {
        end_early(run->r, ENGINE_INTERRUPTED, "interrupted", 0);
        return false;
    }
    if (!l->progress)
        return true;
    now = wall_seconds();
    if (now < run->next_progress)
        return true;
    run->next_progress = now + PROGRESS_SECONDS;
    if (l->progress(l->progress_ctx, run->groups_done, l->workgroup_count)) {
        end_early(run->r, ENGINE_INTERRUPTED, "stopped by the caller", 0);
        return false;
    }
    return true;
}

static void visit_memory(struct run *run, cycle_t now)
{
    const struct timing_memory *m = run->memory;
    enum mem_port_kind port;
    uint64_t token;
    uint32_t cu;

    if (m->next(m->ctx) > now)
        return;
    m->tick(m->ctx, now);
    while (m->pop(m->ctx, &cu, &port, &token))
        cu_complete(&run->cu[cu / run->x.parts], cu % run->x.parts, port, token, now);
}

/* A CU that cannot go on: why. */
static void stopped(struct run *run, struct cu *c, struct err *e)
{
    if (c->no_memory)
        err_set(e, ERR_NOMEM, "timing engine: no host memory for decoded instructions");
    else if (c->spent)
        end_early(run->r, ENGINE_LIMIT, "limit of %" PRIu64 " instructions reached", run->l->max_instructions);
    else
        engine_set_fault(run->r, c->fault_status, c->fault_wave->isa, c->fault_wave->group->id);
}

/* Ticks what has work in this cycle. False ends the run. */
static bool visit(struct run *run, cycle_t now, struct err *e)
{
    bool freed = false;
    uint32_t due = 0;

    run->x.now = now;
    visit_memory(run, now);
    for (uint32_t k = 0; k < run->cus; k++)
        if (run->wake[k] <= now || (run->x.check && run->cu[k].resident)) {
            run->due[due++] = k;
            cu_tick_results(&run->cu[k], now);
        }
    for (uint32_t n = 0; n < due; n++)
        cu_tick_prefetch(&run->cu[run->due[n]], now);
    for (uint32_t n = 0; n < due; n++)
        cu_tick_waves(&run->cu[run->due[n]], now);
    for (uint32_t n = 0; n < due; n++) {
        uint32_t k = run->due[n];
        struct cu *c = &run->cu[k];

        cu_tick_issue(c, now);
        if (c->stopped) {
            stopped(run, c, e);
            return false;
        }
        if (c->freed) {
            run->groups_done += c->groups_done - run->groups_seen[k];
            run->groups_seen[k] = c->groups_done;
            c->freed = false;
            freed = true;
        }
    }
    if (freed)
        dispatcher_freed(&run->dispatcher);
    if (freed || run->dispatch_at <= now) {
        run->dispatch_at = run->player.script ? script_player_tick(&run->player, &run->cu[0], &run->arena, now,
                                                                   &run->dispatcher.no_memory)
                                              : dispatcher_tick(&run->dispatcher, now);
        if (run->dispatcher.no_memory) {
            err_set(e, ERR_NOMEM, "timing engine: no host memory for registers and LDS of waves");
            return false;
        }
    }
    return true;
}

static cycle_t next_visit(const struct run *run, cycle_t now)
{
    cycle_t next = run->memory->next(run->memory->ctx);

    next = next < run->dispatch_at ? next : run->dispatch_at;
    for (uint32_t k = 0; k < run->cus; k++)
        next = run->wake[k] < next ? run->wake[k] : next;
    if (run->x.check && next != CYCLE_NEVER)
        return now + 1;
    return next > now ? next : now + 1;
}

static void deadlock(struct run *run)
{
    for (uint32_t k = 0; k < run->cus; k++)
        for (uint32_t n = 0; n < run->x.simds * run->x.slots; n++) {
            struct cu_wave *w = &run->cu[k].wave[n];

            if (w->state != WAVE_FREE && !w->ended) {
                engine_set_fault(run->r, ISA_OK, w->isa, w->group->id);
                return;
            }
        }
    assert(!"nothing has work, and no wave is waiting");
}

/* Runs to the end; returns the cycle it ended in. */
static cycle_t clock_loop(struct run *run, struct err *e)
{
    const struct engine_launch *l = run->l;
    uint64_t visits = 0;
    cycle_t now = 0, next;

    for (;; now = next) {
        if (++visits % POLL_VISITS == 1 && !poll_caller(run))
            break;
        /* once the last workgroup has gone, write-backs and prefetches still under way do not count */
        if (!visit(run, now, e) || run->groups_done == l->workgroup_count)
            break;
        next = next_visit(run, now);
        if (next == CYCLE_NEVER) {
            deadlock(run);
            break;
        }
        if (l->max_cycles && next > l->max_cycles) {
            now = l->max_cycles;
            end_early(run->r, ENGINE_LIMIT, "limit of %" PRIu64 " cycles reached", l->max_cycles);
            break;
        }
    }
    return now;
}

/* The report ------------------------------------------------------------------------------------------------------- */

static void report(struct run *run, cycle_t end)
{
    struct engine_result *r = run->r;
    uint64_t stall[STALL_COUNT] = {0}, sum = 0;

    r->has_time = r->has_stalls = r->has_lds = r->has_categories = true;
    r->cycles = end;
    for (uint32_t k = 0; k < run->cus; k++) {
        struct cu *c = &run->cu[k];

        cu_settle(c, end);
        for (unsigned n = 0; n < STALL_COUNT; n++)
            stall[n] += c->stall[n];
        for (unsigned n = 0; n < OPCAT_COUNT; n++)
            r->by_category[n] += c->by_category[n];
        r->resident_wave_cycles += c->resident_cycles;
        r->instructions += c->instructions;
        r->workgroups_done += c->groups_done;
        r->waves_done += c->waves_done;
        r->cus_used += (uint32_t)__builtin_popcount(c->touched);
        r->lds_accesses += c->lds_accesses;
        r->lds_bank_conflict_cycles += c->lds_conflict_cycles;
    }
    for (unsigned n = 0; n < STALL_COUNT; n++) {
        sum += stall[n];
        /* counters the target does not have are not its business */
        if (n >= STALL_WAIT && !run->l->target->wait_bits[n - STALL_WAIT]) {
            assert(!stall[n]);
            continue;
        }
        assert(r->stall_count < ENGINE_MAX_STALLS);
        r->stalls[r->stall_count++] = (struct engine_count){timing_stall_key[n], stall[n]};
    }
    assert(sum == r->resident_wave_cycles);
    (void)sum;
}

int timing_run_script(const struct engine_launch *l, const struct timing_memory *m, const struct timing_observer *o,
                      const struct timing_script *script, struct engine_result *r, struct err *e)
{
    struct run run = {.l = l, .memory = m, .r = r};
    struct err problem = {0};
    cycle_t end;

    memset(r, 0, sizeof *r);
    arena_init(&run.arena, TIMING_BLOCK_BYTES);
    if (!script_player_init(&run.player, script, &run.arena))
        err_set(&problem, ERR_NOMEM, "timing engine: no host memory");
    else if (!set_up(&run, o, &problem)) {
        end = clock_loop(&run, &problem);
        if (!problem.code)
            report(&run, end);
    }
    arena_free(&run.arena);
    return problem.code ? err_set(e, problem.code, "%s", problem.text) : 0;
}

int timing_run(const struct engine_launch *l, const struct timing_memory *m, const struct timing_observer *o,
               struct engine_result *r, struct err *e)
{
    return timing_run_script(l, m, o, NULL, r, e);
}

uint32_t timing_cus(const struct engine_launch *l)
{
    return dispatcher_cus(l->profile, l->workgroup_count) * l->profile->gpu.cus_per_wgp;
}

/* With the hierarchy ----------------------------------------------------------------------------------------------- */

struct chip_memory {
    struct hierarchy *h;
    uint32_t cus;
};

static bool chip_can_accept(void *ctx, uint32_t cu, enum mem_port_kind port, gaddr_t addr)
{
    return hierarchy_can_accept(((struct chip_memory *)ctx)->h, cu, port, addr);
}

static void chip_accept(void *ctx, uint32_t cu, enum mem_port_kind port, const struct mem_req *req, cycle_t now)
{
    hierarchy_accept(((struct chip_memory *)ctx)->h, cu, port, req, now);
}

static cycle_t chip_tick(void *ctx, cycle_t now)
{
    return hierarchy_tick(((struct chip_memory *)ctx)->h, now);
}

static cycle_t chip_next(void *ctx)
{
    return hierarchy_next(((struct chip_memory *)ctx)->h);
}

static bool chip_pop(void *ctx, uint32_t *cu, enum mem_port_kind *port, uint64_t *token)
{
    const struct chip_memory *m = ctx;

    for (unsigned p = 0; p < MEM_PORTS; p++)
        for (uint32_t word = 0; word <= (m->cus - 1) / 64; word++) {
            uint64_t ready = hierarchy_ready_mask(m->h, (enum mem_port_kind)p, word);

            if (!ready)
                continue;
            *port = (enum mem_port_kind)p;
            *cu = word * 64 + (uint32_t)__builtin_ctzll(ready);
            return hierarchy_pop(m->h, *cu, *port, token);
        }
    return false;
}

static void report_memory(const struct hierarchy *h, struct engine_result *r)
{
    static const enum mem_level level[PROFILE_CACHE_LEVELS] = {
        [PROFILE_VL0] = MEM_LEVEL_VL0, [PROFILE_K] = MEM_LEVEL_K,   [PROFILE_I] = MEM_LEVEL_I,
        [PROFILE_GL1] = MEM_LEVEL_GL1, [PROFILE_L2] = MEM_LEVEL_L2, [PROFILE_MALL] = MEM_LEVEL_MALL,
    };

    r->has_cache = r->has_dram = true;
    for (unsigned k = 0; k < PROFILE_CACHE_LEVELS; k++) {
        struct engine_cache_stats *out = &r->cache[k];
        struct cache_stats s;

        out->present = hierarchy_cache_stats(h, level[k], &s);
        for (unsigned op = 0; op < MEM_OPS; op++) {
            out->accesses += s.op[op].accesses;
            out->hits += s.op[op].hits;
            out->misses += s.op[op].misses + s.op[op].hit_on_miss + s.op[op].bypasses;
            out->hits_on_miss += s.op[op].hit_on_miss;
        }
        out->evictions = s.evictions;
        out->writebacks = s.writebacks;
        out->read_bytes = s.fill_bytes;
        out->write_bytes = s.down_bytes;
    }
    r->dram_read_bytes = hierarchy_dram_stats(h)->read_bytes;
    r->dram_write_bytes = hierarchy_dram_stats(h)->write_bytes;
}

int timing_run_chip(const struct engine_launch *l, const struct timing_observer *o, const struct timing_script *script,
                    struct engine_result *r, struct err *e)
{
    struct chip_memory chip;
    struct timing_memory m = {.plug = {&chip, chip_can_accept, chip_accept},
                              .ctx = &chip,
                              .tick = chip_tick,
                              .next = chip_next,
                              .pop = chip_pop};
    int status;

    if (!l->profile)
        return err_set(e, ERR_USAGE, "the timing engine needs a profile; there is none for target %s", l->target->name);
    chip.cus = timing_cus(l);
    chip.h = timing_mem_new(l->profile, l->target, chip.cus, e);
    if (!chip.h)
        return -1;
    status = timing_run_script(l, &m, o, script, r, e);
    if (!status)
        report_memory(chip.h, r);
    hierarchy_free(chip.h);
    return status;
}

int engine_run_timing(const struct engine_launch *l, struct engine_result *r, struct err *e)
{
    return timing_run_chip(l, NULL, NULL, r, e);
}
