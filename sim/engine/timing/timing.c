/* A timing run on any memory: it is set up, goes to the end of the last dispatch in flight, and is taken down. */
#include "sim/engine/timing/timing.h"

#include <stdlib.h>

#include "sim/engine/timing/clock/memory_events.h"
#include "sim/engine/timing/clock/run.h"
#include "sim/engine/timing/cu/emit.h"

#define TIMING_BLOCK_BYTES ((size_t)4 << 20)   /* of host memory: CUs and waves lie close together */
#define TIMING_KEPT_BYTES  ((size_t)128 << 20) /* from run to run: more than the CUs of a chip take */

/* The events of the last epoch, and the ends of the stalls of waves that are still resident. */
static void finish_events(struct run *run, struct err *e)
{
    for (uint32_t k = 0; k < run->cus && run->stream.kinds & EVENT_STALLS; k++)
        if (cu_emits_stalls(&run->cu[k]))
            cu_emit_stalls_end(&run->cu[k]);
    if (!event_stream_deliver(&run->stream))
        err_set(e, ERR_NOMEM, "timing engine: no host memory for events");
}

/* The last dispatch in flight has ended, or stopped, in cycle `end`. */
static void finish(struct run *run, cycle_t end, struct err *e)
{
    struct timing_dispatch *t = run->dispatcher.oldest;
    const struct engine_result *r = t->r;

    if (t->stopping) { /* its result was made then */
        finish_events(run, e);
        return;
    }
    if (r->outcome == ENGINE_LIMIT || r->outcome == ENGINE_INTERRUPTED ||
        (r->outcome == ENGINE_FAULT && r->fault_kind == ENGINE_FAULT_DEADLOCK))
        run_snapshot(run, t, end, true);
    run_report(run, t, end, e);
    finish_events(run, e);
}

static void take_down(struct run *run)
{
    while (run->dispatcher.oldest) {
        struct timing_dispatch *t = run->dispatcher.oldest;

        run->dispatcher.oldest = t->next;
        run_free_dispatch(t);
    }
    timing_pool_free(run->pool);
    memory_events_free(run->chip->events);
    event_stream_free(&run->stream);
    for (uint32_t k = 0; run->group && k < run->groups; k++) {
        free(run->group[k].message);
        arena_free(&run->group[k].copies);
    }
    if (run->chip->memory) {
        arena_reset(&run->arena, TIMING_KEPT_BYTES);
        *run->chip->memory = run->arena;
    } else {
        arena_free(&run->arena);
    }
}

int timing_run_on(const struct timing_order *first, const struct timing_chip *chip, const struct timing_script *script,
                  struct engine_feeding *feed, struct timing_span *span, struct err *e)
{
    struct timing_order order = *first;
    struct run run = {.options = *first->options,
                      .chip = chip,
                      .feed = feed,
                      .start = span->start,
                      .near_end = span->start,
                      .far_end = span->start,
                      .dispatch_at = span->start,
                      .sample_at = CYCLE_NEVER};
    struct err problem = {0};

    order.start = span->end = span->start;
    span->last = order;
    memset(first->r, 0, sizeof *first->r);
    if (chip->memory && chip->memory->block_bytes)
        run.arena = *chip->memory;
    else
        arena_init(&run.arena, TIMING_BLOCK_BYTES);
    run.arena.budget = first->launch->space->budget;
    if (!script_player_init(&run.player, script, &run.arena))
        err_set(&problem, ERR_NOMEM, "timing engine: no host memory");
    else if (!run_set_up(&run, first->launch, &problem) && run_add(&run, &order, &problem)) {
        span->end = run_clock(&run, &problem);
        const struct timing_dispatch *t = run.dispatcher.oldest;
        if (!problem.code)
            finish(&run, span->end, &problem);
        if (t)
            span->last = (struct timing_order){t->launch, t->options, t->r, t->start, t->from};
        span->last_drained = t && t->stopping;
    }
    span->epoch_end = run.end;
    span->far_end = run.far_end;
    take_down(&run);
    return problem.code ? err_set(e, problem.code, "%s", problem.text) : 0;
}

uint32_t timing_cus(const struct launch *l)
{
    return dispatcher_cus(l->profile, l->workgroup_count) * l->profile->gpu.cus_per_wgp;
}

/* With any memory: one group, and every cycle is an epoch ------------------------------------------------------------
 */

struct plain_memory {
    const struct timing_memory *m;
    cycle_t next;
    struct hierarchy_sink sink;
};

static void plain_attach(void *ctx, const struct hierarchy_sink *sink)
{
    ((struct plain_memory *)ctx)->sink = *sink;
}

static cycle_t plain_run(void *ctx, uint32_t group, cycle_t now, cycle_t end, const cycle_t *until, uint32_t *cycles)
{
    struct plain_memory *p = ctx;
    enum mem_port_kind port;
    uint64_t token;
    uint32_t cu;

    (void)group, (void)end, (void)until, (void)cycles;
    p->m->tick(p->m->ctx, now);
    while (p->m->pop(p->m->ctx, &cu, &port, &token))
        p->sink.complete(p->sink.ctx, cu, port, token, now);
    p->next = p->m->next(p->m->ctx);
    return now;
}

static const cycle_t *plain_clock(void *ctx, uint32_t group)
{
    (void)group;
    return &((const struct plain_memory *)ctx)->next;
}

static bool plain_can_accept(void *ctx, uint32_t cu, enum mem_port_kind port, gaddr_t addr)
{
    const struct cu_memory *m = &((const struct plain_memory *)ctx)->m->plug;

    return m->can_accept(m->ctx, cu, port, addr);
}

static void plain_accept(void *ctx, uint32_t cu, enum mem_port_kind port, const struct mem_req *req, cycle_t now)
{
    struct plain_memory *p = ctx;

    p->m->plug.accept(p->m->plug.ctx, cu, port, req, now);
    p->next = p->m->next(p->m->ctx);
}

static bool plain_control(void *ctx, uint32_t cu, enum mem_port_kind port, uint32_t invalidate, uint32_t write_back,
                          uint64_t token, cycle_t now)
{
    struct plain_memory *p = ctx;
    bool taken = p->m->plug.control(p->m->plug.ctx, cu, port, invalidate, write_back, token, now);

    p->next = p->m->next(p->m->ctx);
    return taken;
}

static void nothing_far(void *ctx, cycle_t from, cycle_t end)
{
    (void)ctx, (void)from, (void)end;
}

static cycle_t never_far(void *ctx)
{
    (void)ctx;
    return CYCLE_NEVER;
}

int timing_run_script(const struct launch *l, const struct engine_options *options, const struct timing_memory *m,
                      const struct timing_script *script, struct engine_result *r, struct err *e)
{
    struct plain_memory p = {.m = m, .next = m->next(m->ctx)};
    struct memory_events events = {0};
    struct timing_chip chip = {
        .plug = {&p, plain_can_accept, plain_accept, m->plug.control ? plain_control : NULL, NULL, NULL},
        .ctx = &p,
        .events = &events,
        .epoch_cycles = 1,
        .attach = plain_attach,
        .near_run = plain_run,
        .near_clock = plain_clock,
        .far_run = nothing_far,
        .far_next = never_far};

    return timing_run_on(&(struct timing_order){.launch = l, .options = options, .r = r}, &chip, script, NULL,
                         &(struct timing_span){0}, e);
}

int timing_run(const struct launch *l, const struct engine_options *options, const struct timing_memory *m,
               struct engine_result *r, struct err *e)
{
    return timing_run_script(l, options, m, NULL, r, e);
}
