/* Snapshots of a functional run. A snapshot is of one moment: every worker comes to a point between the turns of two
 * waves and waits there, and the last one to come makes it. A worker that waits for instructions of the limit, which
 * others hold, counts as having come; one that has ended does not count. */
#include <stdlib.h>

#include "sim/engine/functional/functional.h"
#include "sim/engine/snapshot.h"

void meeting_init(struct meeting *m)
{
    pthread_mutex_init(&m->lock, NULL);
    pthread_cond_init(&m->over, NULL);
    atomic_init(&m->wanted, false);
}

void meeting_destroy(struct meeting *m)
{
    pthread_cond_destroy(&m->over);
    pthread_mutex_destroy(&m->lock);
}

static bool is_unfinished(const struct group *g)
{
    return atomic_load(&g->claim) != CLAIM_NONE;
}

/* The last workgroup to be reported at the end. An end in an event is that of the launch's workgroups one after the
 * other, so that the threads make no difference: those above have not started. When the workgroup of the event
 * waits for memory, though, it may be one of those that it waits for. */
static uint64_t last_told(const struct run *r)
{
    RUN_EACH_GROUP(r, g)
    for (unsigned i = 0; r->has_event && is_unfinished(g) && g->id == r->event_group && i < g->waves; i++)
        if (g->state[i] == WAVE_READY && poll_waits(g, i, POLL_EVIDENCE))
            return UINT64_MAX;
    return run_last_counted(r);
}

static void write_snapshot(const struct run *r, bool last)
{
    const struct engine_options *o = r->options;
    uint64_t last_group = last ? last_told(r) : UINT64_MAX;
    struct group_row sum = group_counts_sum(r, last_group);
    struct snapshot s = {.last = last, .groups_done = r->first_group + sum.groups};
    struct snapshot_maker waves = {0};

    for (unsigned k = 0; k < ISA_TALLIES; k++)
        s.instructions += sum.tally[k];
    RUN_EACH_GROUP(r, g)
    for (unsigned i = 0; is_unfinished(g) && g->id <= last_group && i < g->waves; i++) {
        struct snapshot_wave w;

        if (g->state[i] == WAVE_ENDED)
            continue;
        group_note_wave(g, i, &w);
        snapshot_add(&waves, &w);
    }
    if (snapshot_make(&waves, r->l, &s)) {
        s.groups_waiting = s.groups - s.groups_done - s.groups_resident;
        o->snapshot(o->snapshot_ctx, &s);
        free(s.row);
    }
    snapshot_maker_free(&waves);
}

/* Under the lock: makes the snapshot when everybody has come. */
static void hold(struct run *r)
{
    struct meeting *m = &r->meeting;

    if (!atomic_load(&m->wanted) || m->waiting < m->workers)
        return;
    __atomic_store_n(r->options->snapshot_flag, 0, __ATOMIC_RELAXED);
    atomic_store(&m->wanted, false);
    write_snapshot(r, false);
    pthread_cond_broadcast(&m->over);
}

void meeting_join(struct run *r)
{
    pthread_mutex_lock(&r->meeting.lock);
    r->meeting.workers++;
    pthread_mutex_unlock(&r->meeting.lock);
}

void meeting_leave(struct run *r)
{
    struct meeting *m = &r->meeting;

    pthread_mutex_lock(&m->lock);
    m->workers--;
    if (m->workers)
        hold(r);
    pthread_mutex_unlock(&m->lock);
}

void meeting_absent(struct run *r)
{
    pthread_mutex_lock(&r->meeting.lock);
    r->meeting.waiting++;
    hold(r);
    pthread_mutex_unlock(&r->meeting.lock);
}

void meeting_back(struct run *r)
{
    pthread_mutex_lock(&r->meeting.lock); /* not before a snapshot that is being made is finished */
    r->meeting.waiting--;
    pthread_mutex_unlock(&r->meeting.lock);
}

void meeting_point_slow(struct run *r)
{
    struct meeting *m = &r->meeting;

    pthread_mutex_lock(&m->lock);
    if (meeting_asked(r))
        atomic_store(&m->wanted, true);
    m->waiting++;
    hold(r);
    while (atomic_load(&m->wanted))
        pthread_cond_wait(&m->over, &m->lock);
    m->waiting--;
    pthread_mutex_unlock(&m->lock);
}

void run_last_snapshot(const struct run *r)
{
    const struct engine_result *res = r->result;
    bool deadlock = res->outcome == ENGINE_FAULT && res->fault_kind == ENGINE_FAULT_DEADLOCK;

    if (r->options->snapshot && (res->outcome == ENGINE_LIMIT || res->outcome == ENGINE_INTERRUPTED || deadlock))
        write_snapshot(r, true);
}
