/* The simulated side of a replay: loads the code, makes a script of the recording, runs it and notes the issues. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/device.h"
#include "sim/engine/timing/clock/script.h"
#include "sim/engine/timing/feed_run.h"
#include "sim/engine/timing/timing.h"
#include "tests/timing/replay_kernel.h"

#define MAX_FLIGHTS  65536
#define START_OFFSET 64 /* cycle in which the first wave starts */

/* Memory whose instruction fetches always hit ------------------------------------------------------------------------
 */

struct flight {
    cycle_t at;
    uint64_t token;
    uint32_t cu;
    enum mem_port_kind port;
};

struct warm_memory {
    struct flight *flight;
    size_t flights;
    cycle_t now, latency[MEM_PORTS];
};

static bool warm_can_accept(void *ctx, uint32_t cu, enum mem_port_kind port, gaddr_t addr)
{
    (void)cu, (void)port, (void)addr;
    return ((struct warm_memory *)ctx)->flights < MAX_FLIGHTS;
}

static void warm_accept(void *ctx, uint32_t cu, enum mem_port_kind port, const struct mem_req *req, cycle_t now)
{
    struct warm_memory *m = ctx;

    m->flight[m->flights++] = (struct flight){now + m->latency[port], req->token, cu, port};
}

static cycle_t warm_next(void *ctx)
{
    const struct warm_memory *m = ctx;
    cycle_t next = CYCLE_NEVER;

    for (size_t k = 0; k < m->flights; k++)
        next = m->flight[k].at < next ? m->flight[k].at : next;
    return next;
}

static cycle_t warm_tick(void *ctx, cycle_t now)
{
    ((struct warm_memory *)ctx)->now = now;
    return warm_next(ctx);
}

static bool warm_pop(void *ctx, uint32_t *cu, enum mem_port_kind *port, uint64_t *token)
{
    struct warm_memory *m = ctx;

    for (size_t k = 0; k < m->flights; k++)
        if (m->flight[k].at <= m->now) {
            *cu = m->flight[k].cu;
            *port = m->flight[k].port;
            *token = m->flight[k].token;
            memmove(&m->flight[k], &m->flight[k + 1], (--m->flights - k) * sizeof *m->flight);
            return true;
        }
    return false;
}

/* The recording as a script ------------------------------------------------------------------------------------------
 */

struct script {
    struct timing_script_wave *wave;
    const struct trace_wave **traced; /* of each wave: its own recording, or null */
    cycle_t **ends;
    gaddr_t **path;
    size_t count;
    cycle_t offset; /* engine's clock = recorded clock - offset */
    uint64_t groups;
};

static void script_free(struct script *s)
{
    for (size_t k = 0; k < s->count; k++) {
        if (s->ends)
            free(s->ends[k]);
        if (s->path)
            free(s->path[k]);
    }
    free(s->wave);
    free(s->traced);
    free(s->ends);
    free(s->path);
}

static int by_start(const void *a, const void *b)
{
    const struct trace_span *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->simd != y->simd ? (x->simd < y->simd ? -1 : 1) : (x->slot > y->slot) - (x->slot < y->slot);
}

/* The recorded wave that started nearest to a span. */
static const struct trace_wave *nearest(const struct trace_engine *g, const struct trace_span *s)
{
    const struct trace_wave *best = &g->wave[0];
    uint64_t least = UINT64_MAX;

    for (size_t k = 0; k < g->waves; k++) {
        const struct trace_wave *w = &g->wave[k];
        uint64_t off = w->span.start > s->start ? w->span.start - s->start : s->start - w->span.start;

        if (w->span.simd == s->simd && w->span.slot == s->slot && w->span.start == s->start)
            return w;
        if (off < least) {
            least = off;
            best = w;
        }
    }
    return best;
}

static bool is_memory_wait(const struct trace_event *v)
{
    return v->cls == TRACE_WAIT;
}

/* What an instruction between two recorded ones is worth knowing: those that leave no event are walked, too. */
static bool fill_path(const struct replay_kernel *k, const struct trace_wave *w, gaddr_t **out, uint32_t *count)
{
    size_t room = 2 * w->count + 64, n = 0;
    gaddr_t *path = malloc(room * sizeof *path);

    if (!path)
        return false;
    for (size_t i = 0; i < w->count; i++) {
        gaddr_t pc = k->own.entry + w->event[i].pc, at = n ? path[n - 1] : k->own.entry;

        if (w->event[i].pc == TRACE_NO_PC)
            break;
        while (n && n + 2 < room) {
            const struct isa_inst *inst = isa_program_at(k->own.dispatch.launch.program, at);

            at += inst && inst->row ? inst->size_bytes : 4;
            if (!inst || !inst->row || at >= pc || pc - at > 64)
                break;
            path[n++] = at;
        }
        if (n + 1 >= room)
            break;
        path[n++] = pc;
    }
    *out = path;
    *count = (uint32_t)n;
    return true;
}

static bool is_vector_wait(const struct trace_event *v)
{
    return (strstr(v->text, "vmcnt") || strstr(v->text, "loadcnt")) && !strstr(v->text, "lgkmcnt");
}

/* The last of the traced waves of a CU that came to event n as w did and started up to `start`; later: the first that
 * started after it. Null: there is none. */
static const struct trace_wave *neighbour(const struct trace_engine *g, const struct trace_wave *w, size_t n,
                                          uint32_t cu, cycle_t start, bool later)
{
    const struct trace_wave *best = NULL;

    for (size_t k = 0; k < g->waves; k++) {
        const struct trace_wave *o = &g->wave[k];

        if (o->count <= n || o->event[n].pc != w->event[n].pc || o->span.cu != cu || (o->span.start > start) != later)
            continue;
        if (!best || (o->span.start < best->span.start) == later)
            best = o;
    }
    return best;
}

/* Half of the time from event n of wave a to that of wave b; null: 1 cycle. */
static cycle_t half_way(const struct trace_wave *a, const struct trace_wave *b, size_t n)
{
    return a && b && b->event[n].at > a->event[n].at + 2 ? (b->event[n].at - a->event[n].at) / 2 : 1;
}

/* When event n of a wave like w, that was not traced itself, was: memory answers waves in the order in which they have
 * begun. Scalar data comes right after that of the traced one that started before it, and not after that of the next.
 * Vector data takes its time on the way into registers, a wave's after another's: half way between the two, and as far
 * from the first and the last of them. */
static cycle_t between(const struct trace_engine *g, const struct trace_span *s, const struct trace_wave *w, size_t n)
{
    const struct trace_wave *before = neighbour(g, w, n, s->cu, s->start, false);
    const struct trace_wave *after = neighbour(g, w, n, s->cu, s->start, true);
    bool vector = is_vector_wait(&w->event[n]);

    if (before && after && after->event[n].at < before->event[n].at + 2)
        return before->event[n].at;
    if (before && after)
        return before->event[n].at + (vector ? half_way(before, after, n) : 1);
    if (before && vector && before->span.start)
        return before->event[n].at + half_way(neighbour(g, w, n, s->cu, before->span.start - 1, false), before, n);
    if (after && vector)
        return after->event[n].at - half_way(after, neighbour(g, w, n, s->cu, after->span.start, true), n);
    return before ? before->event[n].at + 1 : after ? after->event[n].at - 1 : w->event[n].at;
}

/* What of the recording a run follows, beside when and where waves start. */
enum follow {
    FOLLOW_MEMORY = 1, /* when waves first issue and when their waits for memory end */
    FOLLOW_PATH = 2,   /* from pc to pc */
};

static bool add_wave(struct script *s, const struct replay_kernel *k, const struct trace_engine *g,
                     const struct trace_span *span, unsigned follow)
{
    const struct trace_wave *like = nearest(g, span);
    struct timing_script_wave *w = &s->wave[s->count];
    bool own = like->span.simd == span->simd && like->span.slot == span->slot && like->span.start == span->start;
    cycle_t *ends = calloc(like->count + 1, sizeof *ends);

    if (!ends)
        return false;
    s->ends[s->count] = ends;
    s->traced[s->count] = own ? like : NULL;
    s->count++;
    /* CUs of a WGP have its even and its odd SIMDs */
    w->simd = k->sim->profile->gpu.cus_per_wgp == 2 ? (span->simd & 1) * k->sim->profile->cu.simds + span->simd / 2
                                                    : span->simd;
    w->start = span->start - s->offset;
    if (follow & FOLLOW_PATH && !fill_path(k, like, &s->path[s->count - 1], &w->path_count))
        return false;
    w->path = s->path[s->count - 1];
    if (!(follow & FOLLOW_MEMORY))
        return true;
    w->first = like->count && like->event[0].at - s->offset > w->start ? like->event[0].at - s->offset : 0;
    w->first_ends = like->count && !strncmp(like->event[0].text, "s_sleep ", 8);
    for (size_t i = 0; i < like->count; i++)
        if (is_memory_wait(&like->event[i]))
            ends[w->wait_count++] = (own ? like->event[i].at : between(g, span, like, i)) - s->offset;
    w->wait_end = ends;
    return true;
}

/* The clock that s_sleep goes by was somewhere in its period when the recording began, which the end of one shows: how
 * far `from` is past a tick. 0 when nobody slept. */
static cycle_t past_tick(const struct trace_engine *g, const struct replay_kernel *k, cycle_t from)
{
    cycle_t unit = k->sim->profile->frontend.sleep_unit_cycles;

    for (size_t w = 0; w < g->waves; w++)
        for (size_t n = 0; n < g->wave[w].count; n++)
            if (!strncmp(g->wave[w].event[n].text, "s_sleep ", 8))
                return from >= unit ? (from % unit + unit - (g->wave[w].event[n].at + 1) % unit) % unit : 0;
    return 0;
}

/* A tick of that clock, `from` at the earliest. */
static cycle_t next_tick(const struct replay_kernel *k, cycle_t from)
{
    cycle_t unit = k->sim->profile->frontend.sleep_unit_cycles;

    return (from + unit - 1) / unit * unit;
}

static int make_script(struct script *s, const struct replay_kernel *k, const struct trace_engine *g, unsigned follow,
                       cycle_t begin, struct err *e)
{
    struct trace_span *span = calloc(g->spans + 1, sizeof *span);
    uint32_t per_group = k->own.dispatch.launch.waves_per_group,
             simds = k->sim->profile->gpu.cus_per_wgp * k->sim->profile->cu.simds;
    size_t n = 0;
    bool good = true;

    *s = (struct script){.wave = calloc(g->spans + 1, sizeof *s->wave),
                         .traced = calloc(g->spans + 1, sizeof *s->traced),
                         .ends = calloc(g->spans + 1, sizeof *s->ends),
                         .path = calloc(g->spans + 1, sizeof *s->path)};
    if (!span || !s->wave || !s->traced || !s->ends || !s->path) {
        free(span);
        return err_set(e, ERR_NOMEM, "out of host memory");
    }
    for (size_t i = 0; i < g->spans; i++)
        if (g->span[i].cu == g->wave[0].span.cu && g->span[i].simd < simds)
            span[n++] = g->span[i];
    qsort(span, n, sizeof *span, by_start);
    s->offset = n && span[0].start > START_OFFSET ? span[0].start - START_OFFSET : 0;
    s->offset -= past_tick(g, k, s->offset);
    s->offset -= next_tick(k, begin); /* below zero where the recording began late: sums are modulo 2^64 */
    for (size_t i = 0; i < n && good; i++) {
        good = add_wave(s, k, g, &span[i], follow);
        /* the waves of a workgroup start one after the other */
        s->wave[i].group = i / per_group;
        s->wave[i].number = (uint32_t)(i % per_group);
    }
    s->groups = (n + per_group - 1) / per_group;
    free(span);
    return good ? 0 : err_set(e, ERR_NOMEM, "out of host memory");
}

/* What issues -------------------------------------------------------------------------------------------------------
 */

struct notes {
    uint32_t per_group; /* waves of a workgroup in the script */
    gaddr_t entry;
    struct run_wave *wave; /* by place in the script */
    bool no_memory;
};

/* The last instruction's end, which shows when the next one, e, issues: s_nop, s_sleep and waits for barriers. */
static void note_end(struct run_wave *r, const struct event *e)
{
    struct run_event *last = &r->event[r->count - 1];

    if (e->issue.held_until > last->at + 1)
        last->end = e->issue.held_until - 1;
    else if (e->issue.barrier_release > last->at + 1)
        last->end = e->issue.barrier_release - 1;
}

static void on_issue(struct notes *n, struct run_wave *r, const struct event *e)
{
    if (r->count)
        note_end(r, e);
    if (r->count == r->room) {
        size_t room = r->room ? 2 * r->room : 64;
        struct run_event *more = realloc(r->event, room * sizeof *more);

        if (!more) {
            n->no_memory = true;
            return;
        }
        r->event = more;
        r->room = room;
    }
    r->event[r->count++] = (struct run_event){e->pc - n->entry, e->at, e->at};
}

/* Issues and ends of waves. */
static void on_events(void *ctx, const struct event *e, size_t count)
{
    struct notes *n = ctx;

    for (const struct event *end = e + count; e < end; e++) {
        struct run_wave *r = &n->wave[e->group * n->per_group + e->wave];

        if (e->kind == EVENT_ISSUE)
            on_issue(n, r, e);
        else
            r->end = e->at;
    }
}

void run_waves_free(struct run_wave *w, size_t count)
{
    for (size_t k = 0; w && k < count; k++)
        free(w[k].event);
    free(w);
}

/* device: of a run that is not warm. */
static int run_script(struct replay_kernel *k, const struct timing_script *script, const struct event_consumer *events,
                      bool warm, struct engine_device *device, struct engine_result *r, struct err *e)
{
    const struct profile *p = k->sim->profile;
    struct engine_options options = k->own.options;
    struct warm_memory m = {.flight = malloc(MAX_FLIGHTS * sizeof *m.flight)};
    struct timing_memory plug = {.plug = {.ctx = &m, .can_accept = warm_can_accept, .accept = warm_accept},
                                 .ctx = &m,
                                 .tick = warm_tick,
                                 .next = warm_next,
                                 .pop = warm_pop};
    int failed;

    if (!m.flight)
        return err_set(e, ERR_NOMEM, "out of host memory");
    m.latency[MEM_PORT_INST] = p->frontend.fetch_latency_cycles;
    m.latency[MEM_PORT_SCALAR] = p->cache[LEVEL_K].hit_latency_cycles;
    m.latency[MEM_PORT_VECTOR] = p->cache[LEVEL_VL0].hit_latency_cycles;
    options.consumers = events;
    options.device = device;
    failed = warm ? timing_run_script(&k->own.dispatch.launch, &options, &plug, script, r, e)
                  : timing_run_chip(&k->own.dispatch.launch, &options, script, 0, r, e);
    free(m.flight);
    return failed;
}

static int run_once(struct replay_kernel *k, const struct trace_engine *g, bool warm, unsigned follow,
                    struct run_wave **out, bool *fault, struct err *e)
{
    struct script s = {0};
    struct engine_result *r = calloc(1, sizeof *r);
    struct run_wave *result = calloc(g->waves + 1, sizeof *result);
    struct notes notes = {.per_group = k->own.dispatch.launch.waves_per_group,
                          .entry = k->own.entry,
                          .wave = calloc(g->spans + 1, sizeof *notes.wave)};
    struct event_consumer events = {
        .kinds = EVENT_BIT(EVENT_ISSUE) | EVENT_BIT(EVENT_WAVE_END), .ctx = &notes, .take = on_events};
    struct timing_script script;
    struct engine_device *device = replay_device(k, e);
    uint64_t all = k->own.dispatch.launch.workgroup_count;
    int failed = -1;

    *out = NULL;
    if (!r || !result || !notes.wave || !device) {
        err_set(e, ERR_NOMEM, "out of host memory");
        engine_device_free(device);
        free(r);
        free(result);
        free(notes.wave);
        return -1;
    }
    if (!make_script(&s, k, g, follow, warm ? 0 : timing_device_ready(device, &k->own.dispatch.launch, &k->own.options),
                     e)) {
        script = (struct timing_script){s.wave, (uint32_t)s.count, follow & FOLLOW_MEMORY};
        k->own.dispatch.launch.workgroup_count = s.groups;
        failed = run_script(k, &script, &events, warm, device, r, e);
        k->own.dispatch.launch.workgroup_count = all;
        if (!failed && notes.no_memory)
            failed = err_set(e, ERR_NOMEM, "out of host memory");
        *fault = !failed && r->outcome != ENGINE_DONE;
        for (size_t i = 0; i < s.count; i++)
            if (s.traced[i]) {
                result[s.traced[i] - g->wave] = notes.wave[i];
                notes.wave[i] = (struct run_wave){0};
            }
        /* from the engine's clock to the recorded one */
        for (size_t i = 0; i < g->waves; i++) {
            result[i].end += result[i].end ? s.offset : 0;
            for (size_t n = 0; n < result[i].count; n++) {
                result[i].event[n].at += s.offset;
                result[i].event[n].end += s.offset;
            }
        }
    }
    run_waves_free(notes.wave, s.count);
    script_free(&s);
    engine_device_free(device);
    free(r);
    if (failed)
        run_waves_free(result, g->waves);
    else
        *out = result;
    return failed;
}

int replay_forced(struct replay_kernel *k, const struct trace *t, size_t n, bool warm, struct run_wave **out,
                  bool *walked, struct err *e)
{
    const struct trace_engine *g = &t->engine[n];
    bool fault = false;

    *walked = false;
    if (run_once(k, g, warm, FOLLOW_MEMORY, out, &fault, e))
        return -1;
    if (!fault)
        return 0;
    run_waves_free(*out, g->waves);
    *walked = true;
    return run_once(k, g, warm, FOLLOW_MEMORY | FOLLOW_PATH, out, &fault, e);
}

int replay_lives(struct replay_kernel *k, const struct trace *t, size_t n, bool walk, struct run_wave **out,
                 bool *fault, struct err *e)
{
    return run_once(k, &t->engine[n], false, walk ? FOLLOW_PATH : 0, out, fault, e);
}

int replay_free_run(struct replay_kernel *k, cycle_t *cycles, struct err *e)
{
    struct engine_result *r = calloc(1, sizeof *r);
    struct engine_options options = k->own.options;
    int failed;

    options.device = r ? replay_device(k, e) : NULL;
    if (!options.device) {
        free(r);
        return err_set(e, ERR_NOMEM, "out of host memory");
    }
    failed = engine_run_timing(&k->own.dispatch.launch, &options, r, e);
    engine_device_free(options.device);
    *cycles = !failed && r->outcome == ENGINE_DONE ? r->stat[STAT_CYCLES] : 0;
    free(r);
    return failed;
}
