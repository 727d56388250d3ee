/* Puts the events of one wave together by instruction: issue, result, and the stalls before it. */
#include <stdlib.h>
#include <string.h>

#include "sim/study/analysis.h"
#include "traces/wave_view.h"

static struct analysis_step *add_step(struct gcnsim_analysis *a)
{
    if (a->steps == ANALYSIS_MAX_STEPS) {
        a->too_many = true;
        return NULL;
    }
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
    if (a->stalls == ANALYSIS_MAX_STEPS) {
        a->too_many = true;
        return NULL;
    }
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

static void forget(struct gcnsim_analysis *a)
{
    a->steps = a->stalls = 0;
    a->dropped = 0;
    a->passes = 0;
    a->inside = false;
}

/* What is kept of the passes before: their times, and the last step, after which the new one begins. */
static void begin_pass(struct gcnsim_analysis *a, cycle_t at)
{
    size_t kept = 0;

    if (a->passes < COMPARE_MANY_PASSES) {
        a->pass_at[a->passes] = at;
        a->pass_step[a->passes] = a->dropped + a->steps;
    }
    a->passes++;
    if (!a->steps)
        return;
    a->dropped += a->steps - 1;
    a->step[0] = a->step[a->steps - 1];
    a->steps = 1;
    for (size_t k = 0; k < a->stalls; k++)
        if (a->stall[k].from >= a->step[0].at)
            a->stall[kept++] = a->stall[k];
    a->stalls = kept;
    wave_view_forget(a->wave);
}

/* pc is kept in `inst` and `iteration` until the steps are numbered. */
static void issue(struct gcnsim_analysis *a, const struct event *e)
{
    bool inside = e->pc >= a->code_base && e->pc - a->code_base < a->code_bytes;

    if (inside && !a->inside)
        begin_pass(a, e->at);
    a->inside = inside;
    struct analysis_step *s = add_step(a);
    if (!s)
        return;
    *s = (struct analysis_step){.at = e->at,
                                .begin = e->at,
                                .done = e->issue.result_cycles ? e->at + e->issue.result_cycles : 0,
                                .lanes = e->issue.lanes,
                                .inst = (uint32_t)e->pc,
                                .iteration = (uint32_t)(e->pc >> 32)};
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

static void take_one(struct gcnsim_analysis *a, const struct event *e)
{
    struct analysis_stall *s;

    if (e->kind == EVENT_WAVE_LAUNCH) /* the last launch counts, see compare_run() */
        forget(a);
    else if (e->kind == EVENT_ISSUE)
        issue(a, e);
    else if (e->kind == EVENT_COMPLETE)
        complete(a, e);
    else if (e->kind == EVENT_STALL_BEGIN && (s = add_stall(a)))
        *s = (struct analysis_stall){e->at, CYCLE_NEVER, e->stall.reason};
    else if (e->kind == EVENT_STALL_END && a->stalls)
        a->stall[a->stalls - 1].to = e->at;
}

/* One event after the other for both, so that a pass begins with the same one for both. */
static void take_events(void *ctx, const struct event *e, size_t count)
{
    struct gcnsim_analysis *a = ctx;

    for (size_t k = 0; k < count; k++) {
        if (e[k].group || e[k].wave)
            continue;
        take_one(a, &e[k]);
        a->rows.take(a->rows.ctx, &e[k], 1);
    }
}

struct event_consumer analysis_consumer(struct gcnsim_analysis *a)
{
    forget(a);
    a->rows = wave_view_consumer(a->wave);
    return (struct event_consumer){.kinds = a->rows.kinds, .ctx = a, .take = take_events};
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

/* The stalls between the issue before and this one. A stall that is reported late, after the issue that ended it, is
 * not lost: they are in the order of their cycles. */
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

int analysis_number(struct gcnsim_analysis *a, struct err *e)
{
    if (a->no_memory)
        return err_set(e, ERR_NOMEM, "out of host memory for the events of a wave");
    if (a->too_many)
        return err_set(e, ERR_RUN_LIMIT, "a pass of its loop has more than %d events; expected at most so many",
                       ANALYSIS_MAX_STEPS);
    for (size_t k = 0; k < a->steps; k++) {
        struct analysis_step *s = &a->step[k];
        gaddr_t pc = (gaddr_t)s->iteration << 32 | s->inst;
        uint64_t offset = pc - a->code_base;

        if (pc < a->code_base || offset >= a->code_bytes) {
            s->inst = ANALYSIS_OUTSIDE;
            s->iteration = 0;
            continue;
        }
        s->inst = analysis_inst_at(a, offset % a->entry.bytes);
        s->iteration = (uint32_t)(offset / a->entry.bytes);
        if (s->inst == ANALYSIS_OUTSIDE)
            continue;
        const struct analysis_inst *i = &a->inst[s->inst];
        if (a->queued && s->done && !s->memory && port_table[i->unit.port].alu)
            s->begin = s->done - i->unit.latency_cycles + a->entry_cycles;
    }
    give_stalls(a);
    for (a->pass_to = a->steps; a->pass_to && a->step[a->pass_to - 1].inst == ANALYSIS_OUTSIDE;)
        a->pass_to--;
    for (a->pass_from = a->pass_to; a->pass_from && a->step[a->pass_from - 1].inst != ANALYSIS_OUTSIDE;)
        a->pass_from--;
    return 0;
}
