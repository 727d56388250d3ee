/* The table of a dispatch's instructions by pc, and what their counts come to. */
#include "sim/engine/timing/cu/inst_table.h"

#include <stdlib.h>
#include <string.h>

#include "isa/unit.h"

static size_t hash(gaddr_t pc, size_t slots)
{
    return (size_t)hash64(pc >> 2, 44) & (slots - 1);
}

bool timing_table_init(struct timing_table *t, const struct launch *launch, uint32_t threads,
                       enum engine_inst_counts counts, struct arena *arena)
{
    pthread_mutex_init(&t->lock, NULL);
    t->launch = launch;
    t->threads = threads;
    t->counts = counts;
    t->arena = arena;
    t->used = 0;
    t->slot_count = 1024;
    t->slots = ARENA_NEW(arena, t->slot_count, struct timing_info *);
    return t->slots != NULL;
}

static bool grow(struct timing_table *t)
{
    size_t count = t->slot_count * 2;
    struct timing_info **slots = ARENA_NEW(t->arena, count, struct timing_info *);

    if (!slots)
        return false;
    for (size_t k = 0; k < t->slot_count; k++) {
        size_t at;

        if (!t->slots[k])
            continue;
        for (at = hash(t->slots[k]->pc, count); slots[at]; at = (at + 1) & (count - 1))
            ;
        slots[at] = t->slots[k];
    }
    t->slots = slots;
    t->slot_count = count;
    return true;
}

/* Adds the counts of all threads to the first one's. */
static const struct timing_counts *add_up(struct timing_counts *c, uint32_t threads)
{
    for (uint32_t k = 1; k < threads; k++) {
        for (unsigned s = 0; s < STAT_INST_ROWS; s++)
            c->stat[s] += c[k].stat[s];
        c[k] = (struct timing_counts){0};
    }
    return c;
}

static uint64_t weight(const struct timing_counts *c)
{
    return c->stat[STAT_INST_LINES] + c->stat[STAT_INST_BANK_CONFLICT_CYCLES] +
           c->stat[STAT_INST_ADDRESS_CONFLICT_CYCLES];
}

/* Heavier first; equal ones by pc, so that runs agree. */
static int by_weight(const void *a, const void *b)
{
    const struct timing_info *x = *(struct timing_info *const *)a, *y = *(struct timing_info *const *)b;
    uint64_t wx = weight(x->counts), wy = weight(y->counts);

    return wx != wy ? (wx < wy ? 1 : -1) : x->pc < y->pc ? -1 : 1;
}

static int by_pc(const void *a, const void *b)
{
    const struct engine_memory_inst *x = a, *y = b;

    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static void add_profile(const struct timing_info *i, uint32_t threads, struct engine_inst *out)
{
    out->pc = i->pc;
    out->unit = (struct engine_inst_unit){.cls = i->cls,
                                          .port = i->port,
                                          .size_bytes = i->size_bytes,
                                          .port_cycles = i->port == PORT_VMEM ? i->send_cycles : i->port_cycles,
                                          .handover_cycles = i->handover_cycles,
                                          .latency_cycles = port_table[i->port].alu ? i->latency_cycles : 0};
    if (i->counts)
        memcpy(out->stat, i->counts->stat, sizeof i->counts->stat);
    for (uint32_t k = 0; k < threads; k++)
        for (unsigned s = STAT_INST_ROWS; s < STAT_INST_ALL; s++) {
            uint64_t v = i->profile[k].stat[s];

            if (s != STAT_INST_LATENCY_MAX_CYCLES && s != STAT_INST_STRIDE_MAX_BYTES)
                out->stat[s] += v;
            else if (v > out->stat[s])
                out->stat[s] = v;
        }
}

static int inst_by_pc(const void *a, const void *b)
{
    const struct engine_inst *x = a, *y = b;

    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

/* All instructions, when their memory counts have been added up. */
static bool report_insts(const struct timing_table *t, struct engine_result *r)
{
    r->inst = calloc(t->used + 1, sizeof *r->inst);
    if (!r->inst)
        return false;
    for (size_t k = 0; k < t->slot_count; k++)
        if (t->slots[k])
            add_profile(t->slots[k], t->threads, &r->inst[r->inst_count++]);
    qsort(r->inst, r->inst_count, sizeof *r->inst, inst_by_pc);
    return true;
}

/* How often each was executed, from their counts. */
static bool report_visits(struct engine_result *r)
{
    r->visit = calloc(r->inst_count + 1, sizeof *r->visit);
    if (!r->visit)
        return false;
    for (size_t k = 0; k < r->inst_count; k++)
        if (r->inst[k].stat[STAT_INST_EXECUTED])
            r->visit[r->visits++] = (struct engine_visit){r->inst[k].pc, r->inst[k].stat[STAT_INST_EXECUTED]};
    return true;
}

bool timing_table_report(const struct timing_table *t, const struct engine_options *o, struct engine_result *r)
{
    struct timing_info **used = arena_alloc(t->arena, t->used + 1, sizeof *used, _Alignof(struct timing_info *));
    size_t n = 0;

    if (!used)
        return false;
    for (size_t k = 0; k < t->slot_count; k++) {
        struct timing_info *i = t->slots[k];
        const struct timing_counts *c = i && i->counts ? add_up(i->counts, t->threads) : NULL;

        if (c && c->stat[STAT_INST_COUNT] + c->stat[STAT_INST_LDS_COUNT])
            used[n++] = i;
    }
    qsort(used, n, sizeof *used, by_weight);
    r->has_memory_insts = true;
    for (size_t k = 0; k < n && k < ENGINE_MAX_MEMORY_INSTS; k++) {
        struct engine_memory_inst *out = &r->memory_inst[r->memory_inst_count++];

        out->pc = used[k]->pc;
        memcpy(out->stat, used[k]->counts->stat, sizeof out->stat);
    }
    r->memory_insts_left_out = n - r->memory_inst_count;
    qsort(r->memory_inst, r->memory_inst_count, sizeof r->memory_inst[0], by_pc);
    if (t->counts && (!report_insts(t, r) || (o->visits && r->outcome == ENGINE_DONE && !report_visits(r))))
        return false;
    r->has_insts = o->per_inst;
    if (!o->per_inst && !o->hotspots) {
        free(r->inst);
        r->inst = NULL;
        r->inst_count = 0;
    }
    return true;
}

void timing_table_free(struct timing_table *t)
{
    if (t->launch)
        pthread_mutex_destroy(&t->lock);
}

/* What the executions of a new entry are counted under; under the table's lock. */
static void set_tally(struct timing_table *t, struct timing_info *i)
{
    unsigned k = 0, room = sizeof t->tallied / sizeof *t->tallied;

    while (k < room && t->tallied[k] && (t->tallied[k]->cls != i->cls || !isa_same_rows(t->tallied[k]->inst, i->inst)))
        k++;
    if (k == room) {
        i->tally = (uint16_t)(i->cls + (isa_is_approximate(i->inst) ? OPC_COUNT : 0));
        return;
    }
    if (!t->tallied[k])
        t->tallied[k] = i;
    i->tally = (uint16_t)(TIMING_TALLY_ROWS + k);
}

/* The entry beside `first`, of the same pc, for these upper bits of VGPR numbers. Units are not for such waves. */
static struct timing_info *find_or_make_other(struct timing_table *t, struct timing_info *first, uint8_t vgpr_msb)
{
    struct timing_info *i = first;

    while (i && i->vgpr_msb != vgpr_msb)
        i = i->other;
    if (i || !(i = ARENA_NEW(t->arena, 1, struct timing_info)))
        return i;
    timing_info_fill(i, t->launch, first->pc, vgpr_msb);
    i->counts = first->counts;
    i->profile = first->profile;
    i->other = first->other;
    first->other = i;
    return i;
}

/* False when out of host memory. */
static bool make_unit(struct timing_table *t, struct timing_info *i, const struct isa_wave *w)
{
    _Alignas(struct isa_unit) uint8_t room[UNIT_OF_ONE_BYTES];
    struct isa_unit *u;

    if (!i->inst || !i->inst->row || !isa_unit_of_one(t->launch->target, i->inst, i->pc, w, (struct isa_unit *)room))
        return true;
    u = arena_alloc_unset(t->arena, 1, sizeof room, _Alignof(struct isa_unit));
    if (u)
        memcpy(u, room, sizeof room);
    i->unit = u;
    return u;
}

static struct timing_info *find_or_make(struct timing_table *t, gaddr_t pc, const struct isa_wave *w)
{
    uint8_t vgpr_msb = w->vgpr_msb;
    size_t at = hash(pc, t->slot_count);
    struct timing_info *i;

    for (; t->slots[at]; at = (at + 1) & (t->slot_count - 1))
        if (t->slots[at]->pc == pc)
            return find_or_make_other(t, t->slots[at], vgpr_msb);
    i = ARENA_NEW(t->arena, 1, struct timing_info);
    if (!i)
        return NULL;
    timing_info_fill(i, t->launch, pc, vgpr_msb);
    if (!make_unit(t, i, w))
        return NULL;
    if (i->port == PORT_VMEM || i->port == PORT_SMEM || i->port == PORT_LDS) {
        i->counts = arena_alloc(t->arena, t->threads, sizeof *i->counts, _Alignof(struct timing_counts));
        if (!i->counts)
            return NULL;
    }
    if (t->counts) {
        i->profile = arena_alloc(t->arena, t->threads, sizeof *i->profile, _Alignof(struct timing_profile));
        if (!i->profile)
            return NULL;
    }
    if (i->inst && i->inst->row)
        set_tally(t, i);
    t->slots[at] = i;
    if (++t->used * 2 > t->slot_count && !grow(t))
        return NULL;
    return i;
}

struct timing_info *timing_table_at(struct timing_table *t, gaddr_t pc, const struct isa_wave *w)
{
    struct timing_info *i;

    pthread_mutex_lock(&t->lock);
    i = find_or_make(t, pc, w);
    pthread_mutex_unlock(&t->lock);
    return i;
}
