/* What the waves do in a timeline: from events to slices. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/timeline_state.h"

#define CLOSING_BYTES 48 /* that the end of a wave's slice takes at most */
#define RESERVE       16 /* this part of the file is for dispatches and counters */

/* Tracks ----------------------------------------------------------------------------------------------------------- */

/* Makes an array long enough to have an element `index`. */
static bool reach(void **array, size_t *count, size_t index, size_t bytes)
{
    size_t want = *count ? *count : 16;
    char *more;

    if (index < *count)
        return true;
    while (want <= index)
        want *= 2;
    more = realloc(*array, want * bytes);
    if (!more)
        return false;
    memset(more + *count * bytes, 0, (want - *count) * bytes);
    *array = more;
    *count = want;
    return true;
}

/* The track that CUs of a shader engine or WGP hang from. */
static uint64_t parent_of(struct timeline_chip *c, uint32_t cu)
{
    struct perfetto *p = &c->t->p;
    uint32_t engine = cu / c->shape.cus_per_set % c->shape.engines, wgp = cu / c->shape.cus_per_wgp;
    char name[40];

    if (!c->engine[engine]) {
        snprintf(name, sizeof name, "SE %" PRIu32, engine);
        c->engine[engine] = perfetto_track(p, c->track, name, 2 + engine, NULL);
    }
    if (c->shape.cus_per_wgp < 2)
        return c->engine[engine];
    if (!reach((void **)&c->wgp, &c->wgps, wgp, sizeof *c->wgp))
        return 0;
    if (!c->wgp[wgp]) {
        snprintf(name, sizeof name, "WGP %" PRIu32, wgp);
        c->wgp[wgp] = perfetto_track(p, c->engine[engine], name, wgp, NULL);
    }
    return c->wgp[wgp];
}

static struct timeline_cu *add_cu(struct timeline_chip *c, uint32_t cu)
{
    char name[40];
    uint64_t parent;

    if (!reach((void **)&c->cu, &c->cus, cu, sizeof(struct timeline_cu *)))
        return NULL;
    parent = parent_of(c, cu);
    c->cu[cu] = parent ? calloc(1, sizeof(struct timeline_cu)) : NULL;
    if (!c->cu[cu])
        return NULL;
    snprintf(name, sizeof name, "CU %" PRIu32, cu);
    c->cu[cu]->track = perfetto_track(&c->t->p, parent, name, cu, NULL);
    return c->cu[cu];
}

static struct timeline_slot *slot_of(struct timeline_chip *c, const struct event *e)
{
    struct timeline_cu *cu = e->cu < c->cus && c->cu[e->cu] ? c->cu[e->cu] : add_cu(c, e->cu);
    unsigned simd = e->simd % TIMELINE_SIMDS, slot = e->slot % TIMELINE_SLOTS;

    if (!cu)
        c->t->no_memory = true;
    return cu ? &cu->slot[simd * TIMELINE_SLOTS + slot] : NULL;
}

/* The track of a slot, made when a wave begins there. */
static uint64_t slot_track(struct timeline_chip *c, const struct event *e, struct timeline_slot *s)
{
    struct timeline_cu *cu = c->cu[e->cu];
    unsigned simd = e->simd % TIMELINE_SIMDS;
    char name[40];

    if (s->track)
        return s->track;
    if (!cu->simd[simd]) {
        snprintf(name, sizeof name, "SIMD %u", simd);
        cu->simd[simd] = perfetto_track(&c->t->p, cu->track, name, simd, NULL);
    }
    snprintf(name, sizeof name, "slot %u", e->slot);
    return s->track = perfetto_track(&c->t->p, cu->simd[simd], name, e->slot, NULL);
}

/* Instructions ----------------------------------------------------------------------------------------------------- */

static struct timeline_inst *entry_at(const struct timeline_text *x, gaddr_t pc)
{
    size_t k = (size_t)((pc >> 2) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (x->room - 1);

    while (x->inst[k].name && x->inst[k].pc != pc)
        k = (k + 1) & (x->room - 1);
    return &x->inst[k];
}

static bool grow_text(struct timeline_text *x)
{
    struct timeline_text old = *x;

    x->room = x->room ? 2 * x->room : 256;
    x->inst = calloc(x->room, sizeof *x->inst);
    if (!x->inst) {
        *x = old;
        return false;
    }
    for (size_t k = 0; k < old.room; k++)
        if (old.inst[k].name)
            *entry_at(x, old.inst[k].pc) = old.inst[k];
    free(old.inst);
    return true;
}

static struct timeline_inst *add_inst(struct timeline_chip *c, const struct timeline_flight *f, gaddr_t pc)
{
    struct timeline_text *x = f->text;
    struct timeline_inst *i;
    struct timeline_place place = {0};
    char text[400] = "";

    if (2 * x->count >= x->room && !grow_text(x)) {
        c->t->no_memory = true;
        return NULL;
    }
    f->code.text(f->code.ctx, pc, text, sizeof text);
    i = entry_at(x, pc);
    *i = (struct timeline_inst){.pc = pc,
                                .name = perfetto_name(&c->t->p, *text ? text : "(no instruction)"),
                                .offset = pc - f->code.base + f->code.vaddr,
                                .cls = OPC_COUNT};
    if (f->code.place && f->code.place(f->code.ctx, pc, &place)) {
        i->source = perfetto_source(&c->t->p, place.file, place.function, place.line);
        i->function = place.function ? timeline_word(c->t, place.function) : 0;
        i->calls = place.calls ? timeline_word(c->t, place.calls) : 0;
    }
    x->count++;
    return i;
}

/* What is known of the instruction at pc; null without memory. */
static struct timeline_inst *inst_at(struct timeline_chip *c, const struct timeline_flight *f, gaddr_t pc)
{
    struct timeline_inst *i = f->text->room ? entry_at(f->text, pc) : NULL;

    return i && i->name ? i : add_inst(c, f, pc);
}

/* The same for the instruction that a wave is at. */
static struct timeline_inst *inst_of(struct timeline_chip *c, struct timeline_slot *s)
{
    const struct timeline_flight *f = &c->dispatch[s->dispatch - 1];
    struct timeline_inst *i = s->inst < f->text->room ? &f->text->inst[s->inst] : NULL;

    if (i && i->name && i->pc == s->pc)
        return i;
    i = inst_at(c, f, s->pc);
    s->inst = i ? (size_t)(i - f->text->inst) : 0;
    return i;
}

/* Slices ----------------------------------------------------------------------------------------------------------- */

static uint64_t flow_of(const struct timeline_chip *c, const struct event *e, cycle_t issued)
{
    return (uint64_t)(c->index & 15) << 60 | (issued & ((UINT64_C(1) << 36) - 1)) << 24 | (uint64_t)e->cu << 8 |
           (uint64_t)(e->simd & 7) << 5 | (e->slot & 31);
}

static void begin_wave(struct timeline_chip *c, const struct event *e, struct timeline_slot *s, cycle_t at)
{
    struct timeline_flight *f = &c->dispatch[s->dispatch - 1];
    const struct perfetto_arg arg[] = {{.note = PERFETTO_NOTE_WORKGROUP, .value = s->group},
                                       {.note = PERFETTO_NOTE_WAVE_NUMBER, .value = s->wave},
                                       {.note = PERFETTO_NOTE_DISPATCH_NUMBER, .value = f->number}};
    struct perfetto_slice slice = {.category = PERFETTO_WAVE, .name = f->name, .arg = arg, .args = 3};

    perfetto_begin(&c->t->p, slot_track(c, e, s), timeline_ns(c, at), &slice);
    s->begun = true;
    c->open++;
    c->t->info.waves++;
}

static void write_stalls(struct timeline_chip *c, const struct timeline_slot *s)
{
    struct timeline *t = c->t;

    for (uint32_t k = 0; k < s->stalls; k++) {
        const struct timeline_stall *l = &s->stall[k];
        cycle_t from = l->from, until = l->until;

        if (!timeline_clip(c, &from, &until))
            continue;
        if (!t->stall_name[l->reason])
            t->stall_name[l->reason] = perfetto_name(&t->p, l->key);
        perfetto_begin(&t->p, s->track, timeline_ns(c, from),
                       &(struct perfetto_slice){.category = PERFETTO_STALL, .name = t->stall_name[l->reason]});
        perfetto_end(&t->p, s->track, timeline_ns(c, until));
        t->info.stalls++;
    }
}

#define INTERNED(NOTE, TEXT)                                                                                           \
    (struct perfetto_arg)                                                                                              \
    {                                                                                                                  \
        .note = NOTE, .value = TEXT, .interned = true                                                                  \
    }

/* Whether a class of instructions leaves the wave for memory or LDS. */
static bool has_flow(unsigned cls)
{
    enum op_category k = cls < OPC_COUNT ? op_class_category[cls] : OPCAT_INTERNAL;

    return k == OPCAT_VMEM || k == OPCAT_FLAT || k == OPCAT_SMEM || k == OPCAT_LDS;
}

/* The slice of the instruction that has issued, or waits to, up to cycle `until`; the next one begins there. */
static void end_inst(struct timeline_chip *c, const struct event *e, struct timeline_slot *s, cycle_t until)
{
    const struct timeline_inst *i;
    struct perfetto_arg arg[7];
    struct perfetto_slice slice = {.category = PERFETTO_INSTRUCTION, .arg = arg};
    cycle_t from = s->from, end = until;

    if (s->stalled)
        s->stall[s->stalls - 1].until = until;
    if ((s->issued || s->stalls) && timeline_clip(c, &from, &end) && (i = inst_of(c, s))) {
        unsigned lanes = bits_count(s->lanes);

        if (!s->begun)
            begin_wave(c, e, s, from);
        slice.name = i->name;
        slice.source = i->source;
        arg[slice.args++] = (struct perfetto_arg){.note = PERFETTO_NOTE_PC, .value = i->offset};
        if (s->issued && lanes != 32 && lanes != 64)
            arg[slice.args++] = (struct perfetto_arg){.note = PERFETTO_NOTE_LANES, .value = lanes};
        if (s->result_cycles)
            arg[slice.args++] = (struct perfetto_arg){.note = PERFETTO_NOTE_RESULT_AFTER, .value = s->result_cycles};
        if (s->conflict_cycles)
            arg[slice.args++] = (struct perfetto_arg){.note = PERFETTO_NOTE_CONFLICTS, .value = s->conflict_cycles};
        if (s->addr_conflict_cycles)
            arg[slice.args++] =
                (struct perfetto_arg){.note = PERFETTO_NOTE_ADDRESS_CONFLICTS, .value = s->addr_conflict_cycles};
        if (i->function)
            arg[slice.args++] = INTERNED(PERFETTO_NOTE_FUNCTION, i->function);
        if (i->calls)
            arg[slice.args++] = INTERNED(PERFETTO_NOTE_INLINED, i->calls);
        if (s->issued && has_flow(s->cls))
            slice.flow = flow_of(c, e, s->issued_at);
        perfetto_begin(&c->t->p, s->track, timeline_ns(c, from), &slice);
        write_stalls(c, s);
        perfetto_end(&c->t->p, s->track, timeline_ns(c, end));
        c->t->info.instructions += s->issued;
    }
    s->from = until;
    s->stalls = 0;
    s->issued = s->stalled = false;
    s->result_cycles = s->conflict_cycles = s->addr_conflict_cycles = 0;
}

static void end_wave(struct timeline_chip *c, const struct event *e, struct timeline_slot *s, cycle_t at)
{
    cycle_t from = s->launched, end = at;

    end_inst(c, e, s, at);
    if (!s->begun && timeline_clip(c, &from, &end))
        begin_wave(c, e, s, from);
    if (s->begun) {
        perfetto_end(&c->t->p, s->track, timeline_ns(c, end < c->end ? end : c->end));
        c->open--;
    }
    s->resident = s->begun = false;
}

void timeline_end_waves(struct timeline_chip *c, uint16_t dispatch, cycle_t at)
{
    for (uint32_t cu = 0; cu < c->cus; cu++)
        for (unsigned k = 0; c->cu[cu] && k < TIMELINE_SIMDS * TIMELINE_SLOTS; k++) {
            struct timeline_slot *s = &c->cu[cu]->slot[k];
            struct event e = {
                .cu = (uint16_t)cu, .simd = (uint8_t)(k / TIMELINE_SLOTS), .slot = (uint8_t)(k % TIMELINE_SLOTS)};

            if (s->resident && (!dispatch || s->dispatch == dispatch) && !c->over)
                end_wave(c, &e, s, at);
            else if (s->dispatch == dispatch)
                s->resident = false;
        }
}

/* Events ----------------------------------------------------------------------------------------------------------- */

static void launch(struct timeline_chip *c, const struct event *e, struct timeline_slot *s)
{
    if (s->resident)
        end_wave(c, e, s, e->at);
    s->resident = true;
    s->begun = s->issued = s->stalled = false;
    s->stalls = 0;
    s->dispatch = e->dispatch;
    s->group = e->group;
    s->wave = e->wave;
    s->launched = s->from = e->at;
    s->pc = e->pc;
}

static void begin_stall(struct timeline_chip *c, const struct event *e, struct timeline_slot *s)
{
    if (s->issued && e->stall.time != STALL_TIME_AFTER) /* which follows s_endpgm, and is its own */
        end_inst(c, e, s, e->at);
    if (s->stalls == s->room) {
        uint32_t room = s->room ? 2 * s->room : 4;
        struct timeline_stall *more = realloc(s->stall, room * sizeof *more);

        if (!more) {
            c->t->no_memory = true;
            return;
        }
        s->stall = more;
        s->room = room;
    }
    s->stall[s->stalls++] = (struct timeline_stall){.from = e->at, .key = e->stall.key, .reason = e->stall.reason};
    s->stalled = true;
    s->pc = e->pc;
}

static void end_stall(struct timeline_slot *s, cycle_t at)
{
    if (s->stalled)
        s->stall[s->stalls - 1].until = at;
    s->stalled = false;
}

static void issue(struct timeline_chip *c, const struct event *e, struct timeline_slot *s)
{
    struct timeline_inst *i;

    if (s->issued)
        end_inst(c, e, s, e->at);
    end_stall(s, e->at);
    s->issued = true;
    s->pc = e->pc;
    s->issued_at = e->at;
    s->lanes = e->issue.lanes;
    s->result_cycles = e->issue.result_cycles;
    s->cls = e->issue.cls;
    if ((i = inst_of(c, s)))
        i->cls = s->cls;
}

/* A memory, LDS or message instruction has all that it waited for. */
static void complete(struct timeline_chip *c, const struct event *e)
{
    const struct timeline_flight *f = &c->dispatch[e->dispatch - 1];
    unsigned unit = e->complete.requested ? e->level : TIMELINE_LDS;
    const char *name = unit == TIMELINE_LDS ? "lds" : event_level_key(unit);
    cycle_t from = e->complete.issued, until = e->at;
    struct timeline_cu *cu = c->cu[e->cu];
    const struct timeline_inst *i;
    struct perfetto_arg arg[3];
    struct perfetto_slice slice = {.category = PERFETTO_MEMORY, .arg = arg};
    uint64_t track;

    if (!timeline_clip(c, &from, &until) || !(i = inst_at(c, f, e->pc)) || !has_flow(i->cls) ||
        (!e->complete.requested && op_class_category[i->cls] != OPCAT_LDS))
        return;
    track = timeline_lane(c, &cu->unit[unit], cu->track, name, 100 + unit, from, until);
    if (!track)
        return;
    slice.name = i->name;
    slice.source = i->source;
    slice.flow = flow_of(c, e, e->complete.issued);
    arg[slice.args++] = (struct perfetto_arg){.note = PERFETTO_NOTE_PC, .value = i->offset};
    arg[slice.args++] = (struct perfetto_arg){.note = PERFETTO_NOTE_WORKGROUP, .value = e->group};
    arg[slice.args++] = (struct perfetto_arg){.note = PERFETTO_NOTE_WAVE_NUMBER, .value = e->wave};
    perfetto_begin(&c->t->p, track, timeline_ns(c, from), &slice);
    perfetto_end(&c->t->p, track, timeline_ns(c, until));
    c->t->info.requests++;
}

static void take_one(struct timeline_chip *c, const struct event *e)
{
    struct timeline_slot *s;

    if (!e->dispatch || e->dispatch > c->dispatches || !c->dispatch[e->dispatch - 1].waves ||
        (c->t->cus && !event_wants_cu(c->t->cus, e->cu)) || !(s = slot_of(c, e)))
        return;
    if (e->kind == EVENT_WAVE_LAUNCH)
        launch(c, e, s);
    if (!s->resident)
        return;
    switch (e->kind) {
    case EVENT_WAVE_END:
        end_wave(c, e, s, e->at);
        break;
    case EVENT_ISSUE:
        issue(c, e, s);
        break;
    case EVENT_STALL_BEGIN:
        begin_stall(c, e, s);
        break;
    case EVENT_STALL_END:
        end_stall(s, e->at);
        break;
    case EVENT_LDS:
        s->conflict_cycles = e->lds.conflict_cycles;
        s->addr_conflict_cycles = e->lds.addr_conflict_cycles;
        break;
    case EVENT_COMPLETE:
        complete(c, e);
        break;
    }
}

void timeline_stop(struct timeline_chip *c, cycle_t at)
{
    timeline_end_waves(c, 0, at);
    c->over = true;
}

static uint64_t open_bytes(const struct timeline_chip *c)
{
    return c->open * CLOSING_BYTES;
}

/* The same, when the file has reached its size: instructions that have not ended are left out. */
static void fill_up(struct timeline_chip *c, cycle_t at)
{
    struct timeline *t = c->t;
    struct perfetto_slice s = {.category = PERFETTO_TRACE};

    for (size_t cu = 0; cu < c->cus; cu++)
        for (unsigned k = 0; c->cu[cu] && k < TIMELINE_SIMDS * TIMELINE_SLOTS; k++)
            if (c->cu[cu]->slot[k].begun)
                perfetto_end(&t->p, c->cu[cu]->slot[k].track, timeline_ns(c, at));
    c->over = true;
    if (!t->info.full)
        t->info.full_at = at + c->offset;
    t->info.full = true;
    s.name = perfetto_name(&t->p, "the trace has reached its size: no waves from here on");
    perfetto_instant(&t->p, c->queues_track, timeline_ns(c, at), &s);
}

void timeline_take(void *ctx, const struct event *e, size_t count)
{
    struct timeline_chip *c = ctx;
    struct timeline *t = c->t;

    if (c->over)
        return;
    pthread_mutex_lock(&t->lock);
    for (const struct event *last = e + count; e < last && !c->over && !t->finished; e++) {
        c->now = e->at;
        if (e->at >= c->end)
            timeline_stop(c, c->end);
        else if (t->info.full || perfetto_size(&t->p) >= t->max_bytes - t->max_bytes / RESERVE - open_bytes(c))
            fill_up(c, e->at);
        else
            take_one(c, e);
    }
    pthread_mutex_unlock(&t->lock);
}
