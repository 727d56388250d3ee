/* Waves that are resident go through a loop without time (sim/engine/sampling/part.h): between two epochs, so that it
 * depends neither on host threads nor on anything else that happens in an epoch.
 *
 * A wave goes from the instruction that it has yet to issue around the loop, and back to the same instruction; so what
 * is in flight of it, what its instruction buffer holds and which barriers it has arrived at are as they were. Waves of
 * a workgroup go around together, in turns that end at barriers and where waves without time take turns
 * (isa/lds_order.h). One that leaves the loop stops at the first instruction outside of it, and is moved there in time
 * (cu_moved()).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "isa/barrier.h"
#include "isa/lds_order.h"
#include "sim/engine/timing/clock/run.h"

enum { MOST_WAVES = 64, BLOCKS = 1024 };

/* The resident waves of the oldest dispatch: the run itself. */
static struct run *run_of(struct engine_resident *r)
{
    return (struct run *)(void *)r;
}

struct engine_resident *run_resident(struct run *run)
{
    return (struct engine_resident *)(void *)run;
}

static bool is_resident(const struct cu_wave *w, const struct timing_dispatch *t)
{
    return w->state != WAVE_FREE && w->d->of == t;
}

/* Which loop ----------------------------------------------------------------------------------------------------- */

/* The first and the last of the instructions that waves have yet to issue. False: there are no waves, or some are still
 * to be launched. */
static bool range_of_waves(const struct run *run, const struct timing_dispatch *t, gaddr_t *lo, gaddr_t *hi)
{
    uint64_t waves = 0, placed = 0;

    *lo = UINT64_MAX;
    *hi = 0;
    for (uint32_t k = 0; k < run->cus; k++)
        for (uint32_t n = 0; n < run->cu[k].group_count; n++) {
            const struct cu_wave *w = &run->cu[k].wave[n];
            const struct cu_group *g = &run->cu[k].group[n];

            if (g->used && g->d->of == t)
                placed += g->placed;
            if (!is_resident(w, t))
                continue;
            waves++;
            *lo = w->isa->pc < *lo ? w->isa->pc : *lo;
            *hi = w->isa->pc > *hi ? w->isa->pc : *hi;
        }
    return waves && waves == placed;
}

bool engine_resident_loop(struct engine_resident *r, struct engine_span *loop)
{
    const struct run *run = run_of(r);
    const struct timing_dispatch *t = run->dispatcher.oldest;
    gaddr_t lo, hi;

    *loop = (struct engine_span){0};
    if (!range_of_waves(run, t, &lo, &hi))
        return false;
    for (size_t k = 0; k < t->table.slot_count; k++) {
        const struct timing_info *i = t->table.slots[k];

        if (!i || i->cls != OPC_BRANCH || !i->target || i->target->pc > lo || i->pc < hi)
            continue;
        if (!loop->back || i->pc - i->target->pc < loop->back - loop->head)
            *loop = (struct engine_span){i->target->pc, i->pc};
    }
    return loop->back != 0;
}

/* From memory, past the registers: it may be in flight for longer than an iteration. */
static bool copies_to_lds(const struct isa_inst *i, const struct isa_sched *s)
{
    bool memory = s->category == OPCAT_VMEM || s->category == OPCAT_FLAT;

    return i->row->mem.tensor || (memory && (i->u.mem.lds || i->row->mem.async));
}

static bool may_pass(const struct isa_target *target, const struct isa_inst *i, unsigned lanes)
{
    static const char *const refused[] = {"s_sleep", "s_memtime", "s_memrealtime", "s_getreg", "s_sethalt", "s_trap"};
    struct isa_sched s;

    if (!i || !i->row)
        return false;
    isa_inst_sched(target, i, lanes, &s);
    if (s.ends || s.crosses_workgroup || copies_to_lds(i, &s) || s.cls == OPC_MESSAGE ||
        s.special == ISA_SPECIAL_WAKEUP || s.special == ISA_SPECIAL_DEALLOC_VGPRS ||
        (s.category == OPCAT_BRANCH && i->format != FMT_SOPP))
        return false;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        if (strncmp(i->mnemonic, refused[k], strlen(refused[k])) == 0)
            return false;
    return true;
}

bool engine_resident_may_advance(struct engine_resident *r, const struct engine_span *loop)
{
    const struct launch *l = run_of(r)->dispatcher.oldest->launch;

    for (gaddr_t pc = loop->head; pc <= loop->back;) {
        const struct isa_inst *i = isa_program_at(l->program, pc);

        if (!may_pass(l->target, i, l->lanes))
            return false;
        pc += i->size_bytes;
    }
    return true;
}

void engine_resident_watch(struct engine_resident *r, const struct engine_span *loop)
{
    struct run *run = run_of(r);
    struct timing_dispatch *t = run->dispatcher.oldest;
    const struct timing_info *back = NULL;

    for (size_t k = 0; k < t->table.slot_count && !back; k++)
        if (t->table.slots[k] && t->table.slots[k]->pc == loop->back)
            back = t->table.slots[k];
    for (uint32_t k = 0; k < run->cus; k++)
        for (uint32_t n = 0; n < run->cu[k].group_count; n++)
            run->cu[k].wave[n].iterations = 0;
    for (uint32_t k = 0; k < t->parts; k++) {
        t->part[k].watched = back;
        t->part[k].iterations = t->part[k].iterated_at = 0;
    }
}

double engine_resident_spread(struct engine_resident *r, const struct engine_span *loop)
{
    const struct run *run = run_of(r);
    double count = 0, sum = 0, squares = 0;

    for (uint32_t k = 0; k < run->cus; k++)
        for (uint32_t n = 0; n < run->cu[k].group_count; n++) {
            const struct cu_wave *w = &run->cu[k].wave[n];

            if (!is_resident(w, run->dispatcher.oldest))
                continue;
            double at = (double)w->iterations + (double)(w->isa->pc - loop->head) / (double)(loop->back - loop->head);
            count++;
            sum += at;
            squares += at * at;
        }
    return sqrt(fmax(squares / count - sum / count * (sum / count), 0));
}

/* Around it ------------------------------------------------------------------------------------------------------ */

/* Instructions from pc on up to a branch, that one included. */
struct block {
    gaddr_t pc;
    uint32_t count;
};

struct advance {
    struct run *run;
    const struct launch *l;
    const struct engine_span *loop;
    const struct engine_runner *by;
    uint64_t tally[ISA_TALLIES];
    struct block block[BLOCKS]; /* by pc; the last one that wanted a place has it */
    uint64_t around;            /* iterations, by all waves */
    bool left;                  /* some wave has left the loop, or cannot go on */
};

/* A wave that goes around. */
struct walker {
    struct cu_wave *w;
    gaddr_t home;
    bool waited; /* at a barrier when it began, as it does when it is back */
    bool waits;  /* at a barrier */
    bool around; /* has been at the loop's head */
    bool back;   /* is where it stood, after one time around */
    bool astray;
};

static uint32_t block_from(struct advance *a, gaddr_t pc)
{
    struct block *b = &a->block[pc / 4 % BLOCKS];

    if (b->pc == pc && b->count)
        return b->count;
    *b = (struct block){.pc = pc};
    for (const struct isa_inst *i = isa_program_at(a->l->program, pc); i && i->row;
         i = isa_program_at(a->l->program, pc)) {
        b->count++;
        pc += i->size_bytes;
        if (op_class_category[i->row->cls] == OPCAT_BRANCH)
            break;
    }
    b->count += !b->count;
    return b->count;
}

/* How far walker x runs at a time: to the next branch, or to where it stood. */
static uint32_t stretch_of(struct advance *a, const struct walker *x)
{
    gaddr_t pc = x->w->isa->pc;
    uint32_t most = block_from(a, pc), count = 0;

    if (!x->around || x->home <= pc)
        return most;
    while (count < most && pc != x->home) {
        pc += isa_program_at(a->l->program, pc)->size_bytes;
        count++;
    }
    return count;
}

static bool is_inside(const struct advance *a, gaddr_t pc)
{
    return pc >= a->loop->head && pc <= a->loop->back;
}

/* Runs x as far as it goes alone. An instruction that faults has not been executed: it faults again in time. */
static void walk(struct advance *a, struct walker *x)
{
    struct isa_wave *w = x->w->isa;
    enum isa_status status = ISA_LIMIT;

    while (status == ISA_LIMIT || status == ISA_OK) {
        uint64_t done = 0;

        status = a->by->run(a->by->ctx, x->w->group->id, w, &x->w->d->env, stretch_of(a, x), &done, a->tally);
        x->around |= done && w->pc == a->loop->head;
        x->waits = status == ISA_BARRIER;
        x->astray = !is_inside(a, w->pc);
        x->back = !x->astray && x->around && w->pc == x->home && x->waits == x->waited;
        if (x->astray || x->back)
            return;
    }
    x->astray = status != ISA_BARRIER && status != ISA_TURN;
}

/* x at a barrier goes on from it, if it may. */
static bool pass(struct walker *x)
{
    struct isa_wave *w = x->w->isa;

    if (!x->waits)
        return true;
    if (!isa_barrier_open(w))
        return false;
    isa_barrier_pass(w);
    x->waits = false;
    w->lds_pauses = w->lds_order ? LDS_TURN_WRITE : 0;
    x->back = x->around && w->pc == x->home && !x->waited;
    return true;
}

/* The waves of a workgroup go around once. */
static void go_around(struct advance *a, struct walker *x, unsigned waves)
{
    bool moved = true;

    while (moved) {
        moved = false;
        for (unsigned k = 0; k < waves; k++) {
            if (x[k].back || x[k].astray || !pass(&x[k]))
                continue;
            moved = true;
            if (!x[k].back)
                walk(a, &x[k]);
        }
    }
    for (unsigned k = 0; k < waves; k++) {
        a->around += x[k].back;
        x[k].astray = !x[k].back; /* it waits for waves that have gone, or goes around in another way */
        a->left |= x[k].astray;
    }
}

/* The waves of g, by number. */
static unsigned waves_of(struct cu *c, const struct cu_group *g, struct walker x[MOST_WAVES])
{
    unsigned count = 0;

    for (uint32_t k = 0; k < c->group_count; k++) {
        struct cu_wave *w = &c->wave[k];

        if (w->state == WAVE_FREE || w->ended || w->group != g || count == MOST_WAVES)
            continue;
        x[count++] = (struct walker){.w = w, .home = w->isa->pc, .waited = w->at_barrier, .waits = w->at_barrier};
    }
    for (unsigned k = 1; k < count; k++)
        for (unsigned n = k; n && x[n].w->number < x[n - 1].w->number; n--) {
            struct walker other = x[n];

            x[n] = x[n - 1];
            x[n - 1] = other;
        }
    return count;
}

/* A workgroup goes around once, if each of its waves can. False: out of host memory. */
static bool advance_group(struct advance *a, struct cu *c, struct cu_group *g)
{
    struct walker x[MOST_WAVES];
    unsigned waves = waves_of(c, g, x);
    bool astray = false;

    for (unsigned k = 0; k < waves; k++) /* of those in flight nobody knows when they land */
        if (x[k].w->isa->special & SPECIAL_IN_FLIGHT || x[k].w->at_gws) {
            a->left = true;
            return true;
        }
    for (unsigned k = 0; k < waves; k++)
        x[k].w->isa->lds_pauses = x[k].w->isa->lds_order ? LDS_TURN_WRITE : 0;
    go_around(a, x, waves);
    for (unsigned k = 0; k < waves; k++) {
        x[k].w->isa->lds_pauses = 0;
        x[k].w->at_barrier = x[k].waits;
        astray |= x[k].astray;
    }
    for (unsigned k = 0; k < waves && astray; k++)
        if (!cu_moved(c, x[k].w, a->run->end))
            return false;
    return true;
}

/* All workgroups once, in the order of the compute units. False: out of host memory. */
static bool advance_all(struct advance *a)
{
    const struct timing_dispatch *t = a->run->dispatcher.oldest;

    for (uint32_t k = 0; k < a->run->cus; k++)
        for (uint32_t n = 0; n < a->run->cu[k].group_count; n++) {
            struct cu_group *g = &a->run->cu[k].group[n];

            if (g->used && g->d->of == t && !advance_group(a, &a->run->cu[k], g))
                return false;
        }
    return true;
}

bool engine_resident_advance(struct engine_resident *r, const struct engine_span *loop, uint64_t most,
                             const struct engine_runner *by, struct engine_advanced *done, struct engine_result *out)
{
    struct run *run = run_of(r);
    struct advance *a = calloc(1, sizeof *a);
    bool good = true;

    memset(out, 0, sizeof *out);
    *done = (struct engine_advanced){0};
    if (!a)
        return false;
    *a = (struct advance){.run = run, .l = run->dispatcher.oldest->launch, .loop = loop, .by = by};
    const volatile int *stop = run->options.abort_flag;
    for (uint64_t n = 0; good && !a->left && n < most; n++) {
        if (stop && __atomic_load_n(stop, __ATOMIC_RELAXED)) /* the clock ends the run */
            a->left = true;
        good = advance_all(a);
        done->rounds += good && !a->left;
    }
    done->iterations = a->around;
    done->left = a->left;
    good = engine_count_tallies(a->l->program, a->tally, true, out) && good;
    free(a);
    return good;
}
