/* Groups resident waves by what they wait for, and describes deadlocks. */
#include "sim/engine/snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/barrier.h"
#include "sim/engine/engine.h"

void snapshot_note_barriers(struct snapshot_wave *out, const struct isa_wave *w, bool at_barrier)
{
    const struct isa_barrier *all = w->barriers ? w->barriers->b : NULL;

    if (!all)
        return;
    out->signalled = w->barrier_signalled == all[0].phase + 1;
    out->joined = w->barrier_joined;
    if (!at_barrier)
        return;
    out->waits_for = SNAPSHOT_BARRIER;
    out->barrier = (struct snapshot_barrier){
        .number = w->barrier_wait, .signals = all[w->barrier_wait].signals, .members = all[w->barrier_wait].members};
}

void snapshot_add(struct snapshot_maker *m, const struct snapshot_wave *w)
{
    if (m->count == m->room) {
        size_t room = m->room ? 2 * m->room : 64;
        struct snapshot_wave *more = realloc(m->wave, room * sizeof *more);

        m->no_memory |= !more;
        if (!more)
            return;
        m->wave = more;
        m->room = room;
    }
    m->wave[m->count++] = *w;
}

void snapshot_maker_free(struct snapshot_maker *m)
{
    free(m->wave);
    *m = (struct snapshot_maker){0};
}

static int by_group(const void *a, const void *b)
{
    const struct snapshot_wave *x = a, *y = b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return x->wave < y->wave ? -1 : x->wave > y->wave;
}

static bool waits_for_barrier(const struct snapshot_wave *w, uint32_t number)
{
    return w->waits_for == SNAPSHOT_BARRIER && w->barrier.number == number;
}

/* Whether the barrier of `at`, a wave of the same workgroup, still needs w. */
static bool is_missing(const struct snapshot_wave *w, const struct snapshot_wave *at)
{
    uint32_t number = at->barrier.number;

    if (w->ended)
        return false;
    return number ? w->joined == number && !waits_for_barrier(w, number) : !w->signalled;
}

/* Says of the waves at barriers, of one workgroup, which others are missing there. */
static void find_missing(struct snapshot_wave *w, size_t count)
{
    uint32_t ended = w->left;

    for (size_t k = 0; k < count; k++)
        ended += w[k].ended;
    for (size_t n = 0; n < count; n++) {
        if (w[n].waits_for != SNAPSHOT_BARRIER)
            continue;
        w[n].barrier.ended = ended;
        for (size_t k = 0; k < count; k++)
            if (w[k].wave < 64 && is_missing(&w[k], &w[n]))
                w[n].barrier.missing |= UINT64_C(1) << w[k].wave;
    }
}

/* Sorts the waves by workgroup and number, and fills in what only their workgroup knows. Returns the number of
 * workgroups. */
static uint64_t sort_groups(struct snapshot_maker *m)
{
    uint64_t groups = 0;

    if (m->count)
        qsort(m->wave, m->count, sizeof *m->wave, by_group);
    for (size_t from = 0, to; from < m->count; from = to) {
        for (to = from + 1; to < m->count && m->wave[to].group == m->wave[from].group; to++)
            ;
        find_missing(m->wave + from, to - from);
        groups++;
    }
    return groups;
}

static int by_place(const void *a, const void *b)
{
    const struct snapshot_wave *x = *(const struct snapshot_wave *const *)a,
                               *y = *(const struct snapshot_wave *const *)b;

    if (x->pc != y->pc)
        return x->pc < y->pc ? -1 : 1;
    int reason = strcmp(x->reason, y->reason);
    return reason ? reason : by_group(x, y);
}

static bool same_place(const struct snapshot_wave *x, const struct snapshot_wave *y)
{
    return x->pc == y->pc && !strcmp(x->reason, y->reason);
}

static int by_waves(const void *a, const void *b)
{
    const struct snapshot_row *x = a, *y = b;

    if (x->waves != y->waves)
        return x->waves > y->waves ? -1 : 1;
    if (x->example.pc != y->example.pc)
        return x->example.pc < y->example.pc ? -1 : 1;
    return strcmp(x->example.reason, y->example.reason);
}

static void make_rows(const struct snapshot_wave *const *sorted, size_t count, struct snapshot *out)
{
    for (size_t k = 0; k < count; k++) {
        const struct snapshot_wave *w = sorted[k], *before = k ? sorted[k - 1] : NULL;

        if (!before || !same_place(w, before)) {
            out->row[out->rows++] = (struct snapshot_row){.example = *w, .waves = 1, .groups = 1};
            continue;
        }
        struct snapshot_row *row = &out->row[out->rows - 1];
        row->waves++;
        row->groups += w->group != before->group;
        if (w->since < row->example.since)
            row->example = *w;
    }
}

bool snapshot_make(struct snapshot_maker *m, const struct launch *l, struct snapshot *out)
{
    const struct snapshot_wave **sorted = m->no_memory ? NULL : malloc((m->count + 1) * sizeof *sorted);

    out->rows = 0;
    out->row = sorted ? malloc((m->count + 1) * sizeof *out->row) : NULL;
    if (!out->row) {
        free(sorted);
        return false;
    }
    out->groups = l->workgroup_count;
    out->groups_resident = sort_groups(m);
    out->waves_resident = m->count;
    for (size_t k = 0; k < m->count; k++)
        sorted[k] = &m->wave[k];
    if (m->count)
        qsort(sorted, m->count, sizeof *sorted, by_place);
    make_rows(sorted, m->count, out);
    free(sorted);
    qsort(out->row, out->rows, sizeof *out->row, by_waves);
    return true;
}

/* Deadlocks -------------------------------------------------------------------------------------------------------- */

static void describe_barrier(const struct launch *l, const struct snapshot_wave *group, size_t count,
                             const struct snapshot_wave *at, char *text, size_t size)
{
    const struct snapshot_wave *other = NULL;
    const struct snapshot_barrier *b = &at->barrier;
    uint32_t here = 0, elsewhere = 0;
    char name[32] = "the workgroup's barrier";
    int n;

    for (size_t k = 0; k < count; k++) {
        bool waits_here = waits_for_barrier(&group[k], b->number);

        here += waits_here;
        elsewhere += !waits_here && !group[k].ended;
        if (!waits_here && !group[k].ended && !other)
            other = &group[k];
    }
    if (b->number)
        snprintf(name, sizeof name, "named barrier %" PRIu32, b->number);
    n = snprintf(text, size,
                 "deadlock: %" PRIu32 " of %" PRIu32 " waves have arrived at %s; of the workgroup's %" PRIu32
                 " waves, %" PRIu32 " wait%s for it and %" PRIu32 " ha%s ended",
                 b->signals, b->members, name, launch_group_waves(l, at->group), here, here == 1 ? "s" : "", b->ended,
                 b->ended == 1 ? "s" : "ve");
    if (other && n > 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, ", %" PRIu32 " wait%s elsewhere (wave %" PRIu32 " at pc 0x%" PRIx64 ")",
                 elsewhere, elsewhere == 1 ? "s" : "", other->wave, other->pc);
}

void snapshot_deadlock(struct snapshot_maker *m, const struct launch *l, struct engine_result *r)
{
    const struct snapshot_wave *at = NULL;
    size_t count = 0;

    sort_groups(m);
    r->outcome = ENGINE_FAULT;
    r->fault_kind = ENGINE_FAULT_DEADLOCK;
    r->fault = (struct isa_fault){.kind = FAULT_OTHER, .lane = -1};
    snprintf(r->fault.text, sizeof r->fault.text, "deadlock: no wave can go on");
    while (count < m->count && m->wave[count].group == m->wave->group)
        count++;
    for (size_t k = 0; k < count; k++) {
        const struct snapshot_wave *w = &m->wave[k];

        if (!w->ended && (!at || (at->waits_for != SNAPSHOT_BARRIER && w->waits_for == SNAPSHOT_BARRIER)))
            at = w;
    }
    if (at) {
        r->fault_group = at->group;
        r->fault_wave = at->wave;
        r->fault.pc = at->pc;
    }
    if (at && at->waits_for == SNAPSHOT_BARRIER)
        describe_barrier(l, m->wave, count, at, r->fault.text, sizeof r->fault.text);
    else if (at && at->waits_for == SNAPSHOT_UNTIL && at->until == CYCLE_NEVER)
        snprintf(
            r->fault.text, sizeof r->fault.text,
            "deadlock: no wave can go on; this one sleeps until another wave of its workgroup wakes it (s_wakeup)");
    else if (at)
        snprintf(r->fault.text, sizeof r->fault.text,
                 "deadlock: no wave can go on; this one waits since cycle %" PRIu64 " (%s)", at->since, at->reason);
    memcpy(r->message, r->fault.text, sizeof r->message);
}
