/* Samples of the dispatches in flight: reads counters at the end of each interval, and adds the differences to the
 * list. */
#include "sim/engine/timing/clock/sampling.h"

#include <stdlib.h>
#include <string.h>

#include "sim/engine/timing/clock/run.h"

/* What the waves of a dispatch have done. */
static void read_waves(const struct run *run, const struct timing_dispatch *t, uint64_t value[SAMPLES])
{
    for (uint32_t k = 0; k < run->groups; k++) {
        const struct cu_dispatch *d = &t->part[k];

        for (unsigned n = 0; n < OPK_COUNT; n++)
            value[SAMPLE_CATEGORY + op_kind_category(n)] += d->by_kind[n];
        for (unsigned n = 0; n < STALL_COUNT; n++) {
            value[SAMPLE_STALL + n] += d->stall[n];
            value[SAMPLE_RESIDENT_WAVES] += d->stall[n];
        }
        value[SAMPLE_LDS_ACCESSES] += d->lds_accesses;
        value[sample_of_cache(LEVEL_VL0, SAMPLE_CACHE_TAG_REQUESTS)] += d->more_lookups;
        value[SAMPLE_LDS_CONFLICT_CYCLES] += d->lds_conflict_cycles + d->lds_addr_conflict_cycles;
    }
}

/* What the compute units have had in their queues, for whomever. */
static void read_queues(const struct run *run, cycle_t now, uint64_t value[SAMPLES])
{
    for (uint32_t k = 0; k < run->cus; k++) {
        const struct cu *c = &run->cu[k];

        for (uint32_t part = 0; c->group_count && part < run->x.parts; part++) {
            value[SAMPLE_VMEM_QUEUE] += cu_line_queue_entry_cycles(&c->vmem[part], now);
            value[SAMPLE_VMEM_QUEUES_FULL] += cu_line_queue_full_cycles(&c->vmem[part], now);
            value[SAMPLE_SMEM_QUEUE] += cu_line_queue_entry_cycles(&c->smem[part], now);
            value[SAMPLE_SMEM_QUEUES_FULL] += cu_line_queue_full_cycles(&c->smem[part], now);
        }
    }
}

/* All counters in cycle `now`, to which the waves of t have been charged. */
static void read_all(const struct run *run, const struct timing_dispatch *t, cycle_t now, uint64_t value[SAMPLES])
{
    memset(value, 0, SAMPLES * sizeof value[0]);
    read_waves(run, t, value);
    read_queues(run, now, value);
    if (run->chip->sample)
        run->chip->sample(run->chip->ctx, now, value);
}

static void set_present(const struct run *run, const struct launch *l, struct engine_samples *s)
{
    for (unsigned k = 0; k < SAMPLES; k++)
        s->present[k] = k < SAMPLE_CACHES;
    for (unsigned k = 0; k < WAIT_COUNT; k++)
        s->present[SAMPLE_STALL + STALL_WAIT + k] = l->target->wait_bits[k];
    for (unsigned k = SAMPLE_VMEM_QUEUE; k <= SAMPLE_SMEM_QUEUES_FULL; k++)
        s->present[k] = true;
    if (run->chip->samples)
        run->chip->samples(run->chip->ctx, s->present);
}

bool sampling_begin(struct run *run, struct timing_dispatch *t)
{
    const uint64_t never = UINT64_C(1) << 62; /* no run comes to its end, and none to the end of the numbers */
    uint64_t epoch = run->epoch_cycles, interval = t->options->samples;
    struct timing_sampling *s;

    if (!interval)
        return true;
    if (interval > never)
        interval = never;
    /* whole epochs, whose length is that of memory's links: an interval ends where epochs do */
    interval = (interval + epoch - 1) / epoch * epoch;
    s = t->sampling = calloc(1, sizeof *s);
    if (!s || !(s->list = engine_samples_new(interval)))
        return false;
    set_present(run, t->launch, s->list);
    s->from = t->start;
    s->next = run->start + (t->start - run->start) / epoch * epoch + interval;
    read_all(run, t, t->start, s->before);
    run->sample_at = cu_earlier(run->sample_at, s->next);
    return true;
}

/* The interval ends before cycle `to`, to which the waves of t have been charged. */
static void end_interval(const struct run *run, const struct timing_dispatch *t, cycle_t to)
{
    struct timing_sampling *s = t->sampling;
    uint64_t now[SAMPLES], value[SAMPLES];

    read_all(run, t, to, now);
    for (unsigned k = 0; k < SAMPLES; k++) {
        value[k] = now[k] - s->before[k];
        /* the last epoch may go on past `to`, with things that begin there */
        if (sample_row[k].kind == SAMPLE_KIND_MEAN && (int64_t)value[k] < 0)
            value[k] = 0;
    }
    s->lost |= !engine_samples_add(s->list, to - s->from, value);
    memcpy(s->before, now, sizeof now);
    s->from = to;
    s->next = to + s->list->interval_cycles;
}

static void reach(const struct run *run, const struct timing_dispatch *t, cycle_t now)
{
    while (t->sampling->next <= now && !t->sampling->lost) {
        cycle_t to = t->sampling->next;

        for (uint32_t k = 0; k < run->cus; k++)
            cu_charge(&run->cu[k], &t->part[run->cu[k].x->group], to);
        end_interval(run, t, to);
    }
}

void sampling_reach(struct run *run, cycle_t now)
{
    run->sample_at = CYCLE_NEVER;
    for (struct timing_dispatch *t = run->dispatcher.oldest; t; t = t->next) {
        if (!t->sampling || t->stopping)
            continue;
        reach(run, t, now);
        run->sample_at = cu_earlier(run->sample_at, t->sampling->next);
    }
}

/* What is left of the counts of an interval that ends where the run does, or after it, belongs to the last one. */
static void add_rest(const struct run *run, const struct timing_dispatch *t)
{
    const struct timing_sampling *s = t->sampling;
    uint64_t now[SAMPLES];

    read_all(run, t, s->from, now);
    for (unsigned k = 0; k < SAMPLES; k++)
        if (sample_row[k].kind == SAMPLE_KIND_SUM)
            s->list->value[s->list->count - 1][k] += now[k] - s->before[k];
}

bool sampling_end(struct run *run, struct timing_dispatch *t, cycle_t end)
{
    struct timing_sampling *s = t->sampling;

    if (!s)
        return true;
    if (s->from < end || !s->list->count)
        end_interval(run, t, cu_later(end, s->from));
    else
        add_rest(run, t);
    if (s->lost)
        return false;
    t->r->samples = s->list;
    s->list = NULL;
    return true;
}

void sampling_free(struct timing_dispatch *t)
{
    if (!t->sampling)
        return;
    engine_samples_free(t->sampling->list);
    free(t->sampling);
}
