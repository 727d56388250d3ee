/* Puts the events of one wave together by instruction: issue, result, and the stalls before it. */
#include <stdlib.h>
#include <string.h>

#include "sim/api/analysis.h"

static struct analysis_step *add_step(struct gcnsim_analysis *a)
{
    if (a->steps == a->step_room) {
        size_t room = 2 * a->step_room + 4096;
        struct analysis_step *step = realloc(a->step, room * sizeof *step);

        if (!step) {
            a->no_memory = true;
            return NULL;
        }
        a->step = step;
        a->step_room = room;
    }
    return &a->step[a->steps++];
}

static struct analysis_stall *add_stall(struct gcnsim_analysis *a)
{
    if (a->stalls == a->stall_room) {
        size_t room = 2 * a->stall_room + 4096;
        struct analysis_stall *stall = realloc(a->stall, room * sizeof *stall);

        if (!stall) {
            a->no_memory = true;
            return NULL;
        }
        a->stall = stall;
        a->stall_room = room;
    }
    return &a->stall[a->stalls++];
}

/* pc is kept in `inst` and `iteration` until the steps are numbered. */
static void issue(struct gcnsim_analysis *a, const struct event *e)
{
    struct analysis_step *s = add_step(a);

    if (!s)
        return;
    *s = (struct analysis_step){.at = e->at,
                                .begin = e->at,
                                .done = e->issue.result_cycles ? e->at + e->issue.result_cycles : 0,
                                .lanes = e->issue.lanes,
                                .inst = (uint32_t)e->pc,
                                .iteration = (uint32_t)(e->pc >> 32),
                                .stall = (uint32_t)a->stalls};
}

static void complete(struct gcnsim_analysis *a, const struct event *e)
{
    for (size_t k = a->steps; k-- > 0 && a->step[k].at >= e->complete.issued;) {
        struct analysis_step *s = &a->step[k];

        if (s->at != e->complete.issued || s->inst != (uint32_t)e->pc || s->memory)
            continue;
        s->memory = true;
        s->done = e->at;
        s->level = e->level;
        s->requested = e->complete.requested;
        return;
    }
}

static void take(void *ctx, const struct event *e, size_t count)
{
    struct gcnsim_analysis *a = ctx;
    struct analysis_stall *s;

    for (size_t k = 0; k < count; k++) {
        if (e[k].group || e[k].wave)
            continue;
        if (e[k].kind == EVENT_WAVE_LAUNCH) /* the last launch counts, see compare_run() */
            a->steps = a->stalls = 0;
        else if (e[k].kind == EVENT_ISSUE)
            issue(a, &e[k]);
        else if (e[k].kind == EVENT_COMPLETE)
            complete(a, &e[k]);
        else if (e[k].kind == EVENT_STALL_BEGIN && (s = add_stall(a)))
            *s = (struct analysis_stall){e[k].at, CYCLE_NEVER, e[k].stall.reason};
        else if (e[k].kind == EVENT_STALL_END && a->stalls)
            a->stall[a->stalls - 1].to = e[k].at;
    }
}

struct event_consumer analysis_consumer(struct gcnsim_analysis *a)
{
    return (struct event_consumer){.kinds = EVENT_BIT(EVENT_WAVE_LAUNCH) | EVENT_BIT(EVENT_ISSUE) |
                                            EVENT_BIT(EVENT_COMPLETE) | EVENT_BIT(EVENT_STALL_BEGIN) |
                                            EVENT_BIT(EVENT_STALL_END),
                                   .ctx = a,
                                   .take = take};
}

uint32_t analysis_inst_at(const struct gcnsim_analysis *a, uint64_t offset)
{
    uint32_t lo = 0, hi = a->inst_count;

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (a->inst[mid].offset <= offset)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo && a->inst[lo - 1].offset == offset ? lo - 1 : ANALYSIS_OUTSIDE;
}

/* The stalls between the issue before and this one. A stall that is told late, after the issue that ended it, is not
 * lost: they are in the order of their cycles. */
static void give_stalls(struct gcnsim_analysis *a)
{
    uint32_t s = 0;

    for (size_t k = 0; k < a->steps; k++) {
        cycle_t from = k ? a->step[k - 1].at : 0;

        while (s < a->stalls && a->stall[s].from < from)
            s++;
        a->step[k].stall = s;
        while (s < a->stalls && a->stall[s].from < a->step[k].at)
            s++;
        a->step[k].stalls = s - a->step[k].stall;
    }
}

int analysis_number(struct gcnsim_analysis *a, gaddr_t from, uint32_t copies, struct err *e)
{
    uint64_t size = a->entry.bytes;
    uint32_t pass = 0, last = 0;

    if (a->no_memory)
        return err_set(e, ERR_NOMEM, "no memory for the events of a wave");
    for (size_t k = 0; k < a->steps; k++) {
        struct analysis_step *s = &a->step[k];
        gaddr_t pc = (gaddr_t)s->iteration << 32 | s->inst;
        uint64_t copy = (pc - from) / size;

        if (pc < from || copy >= copies) {
            s->inst = ANALYSIS_OUTSIDE;
            s->iteration = pass * copies + last;
            continue;
        }
        pass += copy < last;
        last = (uint32_t)copy;
        s->inst = analysis_inst_at(a, (pc - from) % size);
        s->iteration = pass * copies + last;
        if (s->inst == ANALYSIS_OUTSIDE)
            continue;
        const struct analysis_inst *i = &a->inst[s->inst];
        if (a->queued && s->done && !s->memory && port_table[i->unit.port].alu)
            s->begin = s->done - i->unit.latency_cycles + a->entry_cycles;
    }
    give_stalls(a);
    return 0;
}

void analysis_last_pass(const struct gcnsim_analysis *a, size_t *from, size_t *to)
{
    size_t k = a->steps;

    while (k && a->step[k - 1].inst == ANALYSIS_OUTSIDE)
        k--;
    *to = k;
    while (k && a->step[k - 1].inst != ANALYSIS_OUTSIDE)
        k--;
    *from = k;
}
