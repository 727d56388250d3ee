/* The life of one wave in a thread trace: instructions, states and waits out of its events. */
#include "traces/att/wave.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/util/json_put.h"

/* Categories of instructions in the viewer's files. */
enum {
    CATEGORY_SMEM = 1,
    CATEGORY_SALU,
    CATEGORY_VMEM,
    CATEGORY_FLAT,
    CATEGORY_LDS,
    CATEGORY_VALU,
    CATEGORY_JUMP,
    CATEGORY_NEXT,
    CATEGORY_IMMEDIATE,
    CATEGORY_MESSAGE = 11,
    CATEGORY_BVH = 12,
};

bool att_room(void **at, size_t *room, size_t count, size_t bytes)
{
    if (count < *room)
        return true;
    size_t more = *room ? *room * 2 : 16;
    void *grown = realloc(*at, more * bytes);

    if (grown) {
        *at = grown;
        *room = more;
    }
    return grown;
}

/* ---- stall reasons ---- */

static const uint8_t state_of_time[STALL_TIMES] = {[STALL_TIME_OWN] = ATT_EXEC,
                                                   [STALL_TIME_STALLED] = ATT_STALL,
                                                   [STALL_TIME_IDLE] = ATT_IDLE,
                                                   [STALL_TIME_AFTER] = ATT_IDLE};

/* A wave that tries to issue stalls at a unit; at a counter, and after what holds it, it waits. */
static uint8_t state_of(const struct event *e)
{
    bool waits = e->stall.behind || e->stall.mark == STALL_MARK_WAIT;

    return e->stall.time == STALL_TIME_STALLED && waits ? ATT_WAIT : state_of_time[e->stall.time];
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* ---- states ---- */

static cycle_t clip(const struct att_waves *x, cycle_t at)
{
    return at < x->from ? x->from : at > x->to ? x->to : at;
}

/* The state since w->since ends at `at`. */
static void add_span(struct att_wave *w, const struct att_waves *x, cycle_t at)
{
    cycle_t from = clip(x, w->since), to = clip(x, at);

    w->since = at;
    if (to <= from)
        return;
    struct att_span *last = w->span.count ? &w->span.at[w->span.count - 1] : NULL;
    if (last && last->state == w->state) {
        last->cycles += to - from;
        return;
    }
    if (!ATT_ROOM(w->span)) {
        w->no_memory = true;
        return;
    }
    w->span.at[w->span.count++] = (struct att_span){w->state, to - from};
}

/* ---- waits ---- */

static void push(struct att_queue *q, uint32_t line)
{
    if (q->count == ATT_OUTSTANDING) { /* no counter counts so far: the oldest has come back */
        memmove(q->line, q->line + 1, sizeof q->line - sizeof q->line[0]);
        q->count--;
    }
    q->line[q->count++] = line;
}

/* The oldest of a counter's instructions come off, down to `left`, and are what `line` waits for. When a counter may
 * come down in any order nobody knows which, until it is down at 0. */
static void pop(struct att_wave *w, struct att_queue *q, uint32_t line, unsigned left)
{
    unsigned n = q->count > left ? q->count - left : 0;

    if (!left)
        q->out_of_order = false;
    if (!n || q->out_of_order)
        return;
    struct att_wait wait = {line, (uint32_t)w->waited.count, 0};
    for (unsigned k = 0; k < n; k++) {
        if (!ATT_ROOM(w->waited)) {
            w->no_memory = true;
            return;
        }
        w->waited.at[w->waited.count++] = q->line[k];
        wait.count++;
    }
    memmove(q->line, q->line + n, (q->count - n) * sizeof q->line[0]);
    q->count -= (uint8_t)n;
    if (!ATT_ROOM(w->wait))
        w->no_memory = true;
    else
        w->wait.at[w->wait.count++] = wait;
}

static void note_counters(struct att_wave *w, const struct att_row *r)
{
    if (!r->waits && !r->raises)
        return;
    if (!w->queue && !(w->queue = calloc(WAIT_COUNT, sizeof *w->queue))) {
        w->no_memory = true;
        return;
    }
    for (unsigned k = 0; k < WAIT_COUNT; k++) {
        if (r->wait[k] != TRACE_NO_WAIT)
            pop(w, &w->queue[k], r->line, r->wait[k]);
        if (r->raises >> k & 1)
            push(&w->queue[k], r->line);
        if (r->out_of_order >> k & 1)
            w->queue[k].out_of_order = true;
    }
}

/* ---- instructions ---- */

static uint8_t category(const struct att_row *r, bool jumped)
{
    static const uint8_t of[] = {[TRACE_INST_OTHER] = CATEGORY_IMMEDIATE, [TRACE_INST_SALU] = CATEGORY_SALU,
                                 [TRACE_INST_VALU] = CATEGORY_VALU,       [TRACE_INST_SMEM] = CATEGORY_SMEM,
                                 [TRACE_INST_VMEM] = CATEGORY_VMEM,       [TRACE_INST_FLAT] = CATEGORY_FLAT,
                                 [TRACE_INST_LDS] = CATEGORY_LDS,         [TRACE_INST_BRANCH] = CATEGORY_NEXT,
                                 [TRACE_INST_MESSAGE] = CATEGORY_MESSAGE};

    if (r->kind == TRACE_INST_BRANCH && jumped)
        return CATEGORY_JUMP;
    return begins(r->text, "image_bvh") ? CATEGORY_BVH : of[r->kind];
}

static uint32_t cycles(cycle_t n)
{
    return n < INT32_MAX ? (uint32_t)n : INT32_MAX; /* what the viewer's files can hold */
}

static cycle_t less(cycle_t a, cycle_t b)
{
    return a > b ? a - b : 0;
}

/* The pending instruction is over in cycle `at` at the latest; next: pc of the one that follows, 0: none. */
static void settle(struct att_wave *w, struct att_waves *x, cycle_t at, gaddr_t next)
{
    if (!w->has_pending)
        return;
    w->has_pending = false;
    struct att_row *r = &x->code->row[w->pending.row];
    cycle_t end = w->over ? w->pending.end : at, time = w->pending.time > w->begin ? w->pending.time : w->begin;
    cycle_t stall = less(w->pending.issue, time) + w->pending.held;

    if (x->execution && w->pending.result > end)
        end = w->pending.result;
    end = end > x->to ? x->to : end;
    cycle_t duration = less(end, time);
    struct att_inst i = {.time = time,
                         .stall = cycles(stall < duration ? stall : duration),
                         .duration = cycles(duration),
                         .line = r->line,
                         .category = category(r, next && next != r->pc + r->size)};
    if (!ATT_ROOM(w->inst)) {
        w->no_memory = true;
        return;
    }
    w->inst.at[w->inst.count++] = i;
    x->instructions++;
    r->hits++;
    r->latency += i.duration;
    r->stall += i.stall;
    r->idle += less(i.time, w->last_end);
    if (i.time + i.duration > w->last_end)
        w->last_end = i.time + i.duration;
    note_counters(w, r);
}

static void issue(struct att_wave *w, struct att_waves *x, const struct event *e)
{
    cycle_t tried = w->tried < e->at ? w->tried : e->at;

    settle(w, x, e->at, e->pc);
    w->tried = CYCLE_NEVER;
    w->over = false;
    if (e->at < x->from || e->at >= x->to)
        return;
    if (x->instructions >= x->max) {
        x->left_out++;
        return;
    }
    size_t row = att_code_at(x->code, e->pc);
    if (row == SIZE_MAX)
        return;
    w->has_pending = true;
    w->pending.row = row;
    w->pending.time = tried;
    w->pending.issue = e->at;
    w->pending.held = 0;
    w->pending.result = e->issue.result_cycles ? e->at + e->issue.result_cycles : 0;
}

static void stall_begins(struct att_wave *w, const struct att_waves *x, const struct event *e)
{
    uint8_t state = state_of(e);

    add_span(w, x, e->at);
    w->state = state;
    w->held = e->stall.behind && state != ATT_IDLE ? state : ATT_EMPTY;
    if (!w->held && w->has_pending && !w->over) {
        w->over = true;
        w->pending.end = e->at;
    }
    if (!e->stall.behind && state != ATT_IDLE && w->tried > e->at)
        w->tried = e->at;
}

static void stall_ends(struct att_wave *w, const struct att_waves *x, const struct event *e)
{
    if (w->held == ATT_WAIT && w->has_pending && !w->over)
        w->pending.held += e->at - w->since;
    add_span(w, x, e->at);
    w->state = ATT_EXEC;
    w->held = ATT_EMPTY;
}

void att_wave_event(struct att_wave *w, struct att_waves *x, const struct event *e)
{
    switch (e->kind) {
    case EVENT_STALL_BEGIN:
        stall_begins(w, x, e);
        break;
    case EVENT_STALL_END:
        stall_ends(w, x, e);
        break;
    case EVENT_ISSUE:
        issue(w, x, e);
        break;
    default:
        break;
    }
}

void att_wave_begin(struct att_wave *w, const struct att_waves *x, const struct event *e, bool traced)
{
    *w = (struct att_wave){.live = true,
                           .traced = traced,
                           .begin = e->at < x->from ? x->from : e->at,
                           .since = e->at,
                           .state = ATT_IDLE,
                           .tried = CYCLE_NEVER,
                           .group = e->group,
                           .number = e->wave};
    w->last_end = w->begin;
}

void att_wave_end(struct att_wave *w, struct att_waves *x, cycle_t at)
{
    settle(w, x, at, 0);
    add_span(w, x, at);
    w->end = at < x->to ? at : x->to;
    w->live = false;
}

bool att_wave_shows(const struct att_wave *w)
{
    return w->traced && w->end > w->begin;
}

/* ---- the file ---- */

void att_wave_json(FILE *f, const struct att_wave *w, const struct trace_place *place, unsigned simd, unsigned slot,
                   unsigned id)
{
    struct json_put j = {.f = f, .compact = true};
    char name[16];

    snprintf(name, sizeof name, "SE%u", place->engine);
    json_put(&j,
             "{name: %s, duration: %" PRIu64 ",\nwave: {cu: %u, id: %u, simd: %u, slot: %u, begin: %" PRIu64
             ", end: %" PRIu64 ",\ninstructions: [",
             name, w->end - w->begin, place->unit, id, simd, slot, w->begin, w->end);
    for (size_t k = 0; k < w->inst.count; k++) {
        const struct att_inst *i = &w->inst.at[k];

        json_put(&j, "[%" PRIu64 ", %u, %u, %u, %u]", i->time, i->category, i->stall, i->duration, i->line);
    }
    json_put(&j, "],\ntimeline: [");
    for (size_t k = 0; k < w->span.count; k++)
        json_put(&j, "[%u, %" PRIu64 "]", w->span.at[k].state, w->span.at[k].cycles);
    json_put(&j, "],\nwaitcnt: [");
    for (size_t k = 0; k < w->wait.count; k++) {
        const struct att_wait *wait = &w->wait.at[k];

        json_put(&j, "[%u, [", wait->line);
        for (uint32_t n = 0; n < wait->count; n++)
            json_put(&j, "[%u, 0]", w->waited.at[wait->first + n]);
        json_put(&j, "]]");
    }
    json_put(&j, "]},\nnum_stitched: %zu, num_insts: %zu}\n", w->inst.count, w->inst.count);
}

void att_wave_clear(struct att_wave *w)
{
    free(w->inst.at);
    free(w->span.at);
    free(w->wait.at);
    free(w->waited.at);
    free(w->queue);
    *w = (struct att_wave){0};
}
