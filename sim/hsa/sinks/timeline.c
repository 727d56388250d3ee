/* The timeline of the process: GCNSIM_TRACE and its companions. */
#define _GNU_SOURCE
#include "sim/hsa/sinks/timeline.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/hsa/core/files.h"

/* Made by the first hsa_init(), before any dispatch; never released, because dispatches may be in flight at the end. */
static struct gcnsim_timeline *timeline;
static char *path;
static bool closed;

bool timeline_begin(const struct runtime *r, char *why, size_t n)
{
    const struct exec_options *o = &r->options;
    struct gcnsim_timeline_options with;
    struct gcnsim_error e = {0};

    if (!o->trace)
        return true;
    gcnsim_timeline_options_init(&with);
    with.cus = o->common.trace_cus;
    with.first_cycle = o->common.trace_cycles.first;
    with.end_cycle = o->common.trace_cycles.end;
    with.max_bytes = o->common.trace_bytes;
    with.nanoseconds = o->common.trace_ns;
    path = files_name(o->trace);
    if (!path || gcnsim_timeline_open(&timeline, path, &with, &e) != GCNSIM_OK) {
        snprintf(why, n, "GCNSIM_TRACE: %s", path ? e.text : "out of host memory");
        free(path);
        path = NULL;
        return false;
    }
    return true;
}

void timeline_add(struct dispatch *d, bool wave)
{
    struct dispatch_watch *w = d->watch;

    if (!timeline && !wave)
        return;
    snprintf(w->queue, sizeof w->queue, "queue %" PRIu32, d->queue->number);
    gcnsim_on_timeline_init(&w->timeline);
    w->timeline.timeline = timeline;
    w->timeline.kernel = d->kernel->info.name;
    w->timeline.queue = w->queue;
    w->timeline.number = d->number;
    w->timeline.waves = 1;
    w->timeline.wave = wave ? &w->wave : NULL;
    d->raw.timeline = &w->timeline;
}

const char *timeline_end(void)
{
    struct gcnsim_timeline_info info;
    struct gcnsim_error e = {0};

    if (!timeline)
        return NULL;
    if (closed)
        return path;
    closed = true;
    gcnsim_timeline_get_info(timeline, &info);
    if (info.full)
        rt_log("GCNSIM_TRACE: %s has reached its size in cycle %" PRIu64 ": no waves from there on (GCNSIM_TRACE_SIZE)",
               path, info.full_cycle);
    if (gcnsim_timeline_finish(timeline, 1, &e) != GCNSIM_OK)
        rt_log("GCNSIM_TRACE: %s", e.text);
    return path;
}
