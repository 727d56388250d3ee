/* Public API: raw launches that overlap on the simulator's device. */
#include "sim/engine/feed.h"

#include <stdlib.h>

#include "sim/api/raw.h"
#include "sim/api/running.h"
#include "sim/engine/device.h"
#include "sim/engine/sampling/sampled.h"
#include "sim/engine/sampling/warm.h"

static const struct gcnsim_feed initial = {0};

static const struct api_struct kind = {.what = "feed",
                                       .init = "gcnsim_feed_init",
                                       .initial = &initial,
                                       .bytes = sizeof initial,
                                       .least = API_BYTES_THROUGH(struct gcnsim_feed, attention)};

void gcnsim_feed_init_sized(struct gcnsim_feed *f, size_t struct_bytes)
{
    api_struct_init(&kind, f, struct_bytes);
}

struct gcnsim_feeding {
    struct gcnsim *sim;
    struct gcnsim_feed feed;
    struct engine_feeding *to; /* while `ask` is called, else null */
};

/* A launch from being handed in to its end. */
struct fed {
    struct gcnsim_feeding *in;
    struct gcnsim_raw raw;
    struct raw_run *run;
    struct api_running a;
    struct engine_sampled *sampled; /* null: it is simulated in full */
    struct api_traces traces;
    void *id;
};

static uint64_t ask(void *ctx, struct engine_feeding *to, uint64_t now, bool idle)
{
    struct gcnsim_feeding *f = ctx;
    uint64_t at;

    f->to = to;
    at = f->feed.ask(f->feed.ctx, f, now, idle);
    f->to = NULL;
    return at;
}

static void ended(void *ctx, void *id, uint64_t now, const struct err *failed)
{
    struct gcnsim_feeding *f = ctx;
    struct fed *n = id;
    struct gcnsim_result *result = NULL;
    struct gcnsim_error error = {0};
    struct err e = failed ? *failed : (struct err){0};

    bool ran = !(n->sampled && engine_sampled_end(n->sampled, !failed, &e)) && !failed;
    int ended = api_end(&n->a, ran, &result, &e) || !ran, closed = api_traces_close(&n->traces, !ended, &e);
    if (ended || closed)
        api_fail_in(f->sim, &error, &e);
    raw_close(n->run);
    f->feed.ended(f->feed.ctx, n->id, now, result, ended || closed ? &error : NULL);
    free(n);
}

/* Hands it to the engine. */
static int hand_in(struct gcnsim_feeding *to, struct fed *n, uint64_t start, struct err *e)
{
    struct engine_options *o = &n->a.o;

    if (o->sampling && !(n->sampled = engine_sampled_begin(&n->run->l, o, to->sim->device, n->a.r, e)))
        return -1;
    if (engine_feed_launch(to->to, &n->run->l, o, n->a.r, start, n))
        return 0;
    if (n->sampled)
        engine_sampled_end(n->sampled, false, e);
    return err_set(e, ERR_NOMEM, "out of host memory for a launch");
}

static int feed_raw(struct gcnsim_feeding *to, struct fed *n, uint64_t start, struct err *e)
{
    const struct gcnsim_raw *raw = &n->raw;
    struct api_check checks;

    if (!to->to)
        return err_set(e, ERR_USAGE, "gcnsim_feed_raw called outside of `ask`");
    if (raw->engine != GCNSIM_ENGINE_TIMING || raw->cold)
        return err_set(e, ERR_USAGE, "raw: launches of a feed take the timing engine and are not cold");
    n->run = raw_open(to->sim, raw, e);
    if (!n->run)
        return -1;
    if (!raw_traces_open(&n->traces, n->run, raw, e) &&
        !api_begin(&n->a, to->sim, &n->run->l, &n->run->options, &n->run->report, raw_checks(raw, &checks),
                   &n->run->parts.asked, e)) {
        n->a.o.packet_cycle = raw->packet_cycle;
        if (!hand_in(to, n, start, e))
            return 0;
    }
    if (n->a.sim)
        api_end(&n->a, false, NULL, e);
    api_traces_close(&n->traces, false, NULL);
    raw_close(n->run);
    return -1;
}

int gcnsim_feed_raw(struct gcnsim_feeding *to, const struct gcnsim_raw *raw, uint64_t start, void *id,
                    struct gcnsim_error *error)
{
    struct fed *n = calloc(1, sizeof *n);
    struct err e = {0};

    if (!n)
        err_set(&e, ERR_NOMEM, "out of host memory for a launch");
    else if (!api_take_raw(&n->raw, raw, &e)) {
        n->in = to;
        n->id = id;
        if (!feed_raw(to, n, start, &e))
            return GCNSIM_OK;
    }
    free(n);
    return api_fail_in(to->sim, error, &e);
}

static int feed_warm(struct gcnsim_feeding *to, const struct gcnsim_raw *raw, struct gcnsim_result **out, struct err *e)
{
    struct raw_run *run;
    struct api_running a;
    struct hierarchy_traffic traffic;
    struct isa_gws gws; /* waves in flight may wait at the simulator's */
    int failed;

    if (!to->to)
        return err_set(e, ERR_USAGE, "gcnsim_feed_warm called outside of `ask`");
    if (raw->engine != GCNSIM_ENGINE_FUNCTIONAL || raw->check)
        return err_set(e, ERR_USAGE, "raw: what warms caches takes the functional engine and is not checked");
    if (raw->cold)
        return err_set(e, ERR_USAGE, "raw: what warms caches is not cold: it finds the device's");
    if (raw->att || raw->timeline)
        return err_set(e, ERR_USAGE, "raw: %s is of the timing engine; what warms caches has no cycles",
                       raw->att ? "a thread trace" : "a timeline");
    run = raw_open(to->sim, raw, e);
    if (!run)
        return -1;
    isa_gws_init(&gws);
    isa_gws_copy(&gws, &to->sim->gws);
    run->l.gws = &gws;
    failed = api_begin(&a, to->sim, &run->l, &run->options, &run->report, NULL, &run->parts.asked, e);
    if (!failed)
        failed = run->l.profile ? engine_run_warming(&run->l, &a.o, to->sim->device, &traffic, a.r, e)
                                : engine_run_functional(&run->l, &a.o, a.r, e);
    failed = api_end(&a, !failed, out, e) || failed;
    isa_gws_copy(&to->sim->gws, &gws);
    isa_gws_destroy(&gws);
    raw_close(run);
    return failed ? -1 : 0;
}

int gcnsim_feed_warm(struct gcnsim_feeding *to, const struct gcnsim_raw *raw, struct gcnsim_result **out,
                     struct gcnsim_error *error)
{
    struct gcnsim_raw own;
    struct err e = {0};

    *out = NULL;
    if (api_take_raw(&own, raw, &e) || feed_warm(to, &own, out, &e))
        return api_fail_in(to->sim, error, &e);
    return GCNSIM_OK;
}

int gcnsim_run_feed(struct gcnsim *sim, const struct gcnsim_feed *feed, struct gcnsim_error *error)
{
    struct gcnsim_feeding f = {.sim = sim};
    struct engine_options o = {0};
    struct err e = {0};

    if (api_struct_take(&kind, &f.feed, feed, &e))
        return api_fail(error, &e);
    if (!f.feed.ask || !f.feed.ended)
        err_set(&e, ERR_USAGE, "feed: ask or ended is null");
    else if (!api_use_device(sim, true, false, &o, &e))
        engine_run_timing_feed(o.device, &(struct engine_feed){&f, ask, ended, f.feed.attention}, &e);
    return e.code ? api_fail_in(sim, error, &e) : GCNSIM_OK;
}
