/* Functional warming: a stepper of the functional engine that passes each access to memory on to the caches of a
 * device. */
#include "sim/engine/sampling/warm.h"

#include <stdlib.h>

#include "mem/lanes.h"
#include "sim/engine/device.h"
#include "sim/util/arena.h"

/* Instructions from a pc on that access no memory, up to a branch: they run as fast as ever. */
struct plain {
    gaddr_t pc;
    uint32_t count;
};
enum { PLAIN_SLOTS = 4096, MOST_PLAIN = 256 };

struct warmer {
    struct arena arena;
    struct engine_device *d;
    struct isa_program *program;
    gaddr_t line_bytes; /* of L2 */
    uint32_t dies;
    struct isa_effects fx;
    struct hierarchy_access access;  /* that they report */
    struct plain plain[PLAIN_SLOTS]; /* by pc; the last one that wanted a slot has it */
};

struct warm_group {
    struct warmer *of;
    uint32_t die;
};

static void *group_new(void *ctx, unsigned waves)
{
    struct warmer *w = ctx;
    struct warm_group *g = ARENA_NEW(&w->arena, 1, struct warm_group);

    (void)waves;
    if (g)
        g->of = w;
    return g;
}

static void group_start(void *group, uint64_t id, const struct isa_wave *w, unsigned waves)
{
    struct warm_group *g = group;

    (void)w, (void)waves;
    g->die = (uint32_t)(id % g->of->dies);
}

static void pass_on(const struct warm_group *g)
{
    engine_device_warm(g->of->d, g->die, &g->of->access);
    g->of->access.count = 0;
}

/* Bytes [from, to) of any number of lines. */
static void touch(const struct warm_group *g, gaddr_t from, gaddr_t to)
{
    struct hierarchy_access *a = &g->of->access;
    gaddr_t line_bytes = g->of->line_bytes;

    while (from != to) {
        gaddr_t stop = (from & -line_bytes) + line_bytes;

        if (stop - from > to - from)
            stop = to;
        if (a->count == HIERARCHY_PIECES)
            pass_on(g);
        a->piece[a->count].addr = from;
        a->piece[a->count++].bytes = (uint32_t)(stop - from);
        from = stop;
    }
}

/* Whether lanes 0 .. n-1 lie side by side. No early exit, so that it vectorizes. */
static bool are_side_by_side(const gaddr_t *addr, unsigned n, gaddr_t bytes)
{
    gaddr_t differ = 0, next = addr[0];

    for (unsigned k = 0; k < n; k++, next += bytes)
        differ |= addr[k] ^ next;
    return !differ;
}

/* Neighbouring lanes whose bytes follow one another, or are the same, are one access. */
static void touch_lanes(const struct warm_group *g)
{
    const struct isa_effects *fx = &g->of->fx;
    unsigned lanes = mem_lane_count(fx->mask);
    gaddr_t from = 0, to = 0;

    if (fx->mask == lane_mask(lanes) && are_side_by_side(fx->addr, lanes, fx->bytes)) {
        touch(g, fx->addr[0], fx->addr[0] + (gaddr_t)lanes * fx->bytes);
        return;
    }
    for (uint64_t mask = fx->mask; mask; mask &= mask - 1) {
        gaddr_t at = fx->addr[__builtin_ctzll(mask)];

        if (from != to && at >= from && at <= to) {
            to = at + fx->bytes > to ? at + fx->bytes : to;
            continue;
        }
        touch(g, from, to);
        from = at;
        to = at + fx->bytes;
    }
    touch(g, from, to);
}

/* Accesses of several pieces a lane (scratch, swizzled buffers). */
static void touch_pieces(const struct warm_group *g)
{
    const struct isa_effects *fx = &g->of->fx;
    uint32_t bytes = isa_effects_piece_bytes(fx);

    for (uint64_t mask = fx->mask; mask; mask &= mask - 1)
        for (uint32_t pieces = isa_effects_pieces(fx); pieces; pieces &= pieces - 1) {
            gaddr_t at = fx->addr[__builtin_ctzll(mask)] + (gaddr_t)fx->dword_step * (uint32_t)__builtin_ctz(pieces);

            touch(g, at, at + bytes);
        }
}

static void touch_all(const struct warm_group *g)
{
    struct hierarchy_access *a = &g->of->access;
    const struct isa_effects *fx = &g->of->fx;

    a->op = (enum mem_op)fx->op;
    a->hint = fx->hint;
    if (fx->kind == FX_SCALAR)
        touch(g, fx->addr[0], fx->addr[0] + fx->bytes);
    else if (fx->kind != FX_VECTOR && fx->kind != FX_FLAT_MIXED)
        return;
    else if (isa_effects_pieces(fx) == 1)
        touch_lanes(g);
    else
        touch_pieces(g);
    pass_on(g);
}

static bool accesses_memory(const struct isa_inst *i)
{
    enum op_category c = op_class_category[i->row->cls];

    return c == OPCAT_SMEM || c == OPCAT_VMEM || c == OPCAT_FLAT;
}

static uint32_t count_plain(struct isa_program *p, gaddr_t pc)
{
    uint32_t count = 0;

    while (count < MOST_PLAIN) {
        const struct isa_inst *i = isa_program_at(p, pc);

        if (!i || !i->row || accesses_memory(i))
            break;
        count++;
        if (op_class_category[i->row->cls] == OPCAT_BRANCH)
            break;
        pc += i->size_bytes;
    }
    return count;
}

static uint32_t plain_from(struct warmer *w, gaddr_t pc)
{
    struct plain *at = &w->plain[pc / 4 % PLAIN_SLOTS];

    if (at->pc != pc)
        *at = (struct plain){pc, count_plain(w->program, pc)};
    return at->count;
}

/* An instruction that accesses memory. One that a wave runs in a mode which changes what its words mean goes by
 * isa_run(), unseen, as do those of which nothing is known. */
static enum isa_status step(struct warm_group *g, struct isa_wave *w, const struct isa_env *env, uint64_t *one,
                            uint64_t *tally)
{
    const struct isa_inst *i = isa_program_at(g->of->program, w->pc);

    if (!i || !i->row || w->special & (SPECIAL_VSKIP | SPECIAL_MSB))
        return isa_run(w, g->of->program, env, 1, one, tally);
    enum isa_status status = isa_step(w, i, env, &g->of->fx);
    if (status == ISA_FAULT)
        return status;
    *one = 1;
    tally[i->tally]++;
    touch_all(g);
    return status;
}

static enum isa_status run(void *group, unsigned wave, struct isa_wave *w, const struct isa_env *env, uint64_t limit,
                           uint64_t *done, uint64_t *tally)
{
    struct warm_group *g = group;
    enum isa_status status = ISA_OK;

    (void)wave;
    *done = 0;
    while (*done < limit && (status == ISA_OK || status == ISA_LIMIT)) {
        uint64_t plain = plain_from(g->of, w->pc), some = 0;

        if (plain)
            status = isa_run(w, g->of->program, env, plain < limit - *done ? plain : limit - *done, &some, tally);
        else
            status = step(g, w, env, &some, tally);
        *done += some;
        if (!some)
            break;
    }
    return status == ISA_OK ? ISA_LIMIT : status;
}

static struct warmer warmer_for(const struct launch *l, struct engine_device *d)
{
    return (struct warmer){.d = d,
                           .program = l->program,
                           .line_bytes = l->profile->cache[LEVEL_L2].line_bytes,
                           .dies = l->profile->gpu.xcds ? l->profile->gpu.xcds : 1};
}

struct warmer *engine_warmer_new(const struct launch *l, struct engine_device *d, bool warms)
{
    struct warmer *w = malloc(sizeof *w);

    if (w)
        *w = warmer_for(l, warms ? d : NULL);
    return w;
}

void engine_warmer_free(struct warmer *w)
{
    free(w);
}

enum isa_status engine_warmer_run(void *warmer, uint64_t id, struct isa_wave *w, const struct isa_env *env,
                                  uint64_t limit, uint64_t *done, uint64_t *tally)
{
    if (!((struct warmer *)warmer)->d)
        return isa_run(w, ((struct warmer *)warmer)->program, env, limit, done, tally);
    struct warm_group g = {.of = warmer, .die = (uint32_t)(id % ((struct warmer *)warmer)->dies)};

    return run(&g, 0, w, env, limit, done, tally);
}

int engine_run_warming(const struct launch *l, const struct engine_options *o, struct engine_device *d,
                       struct hierarchy_traffic *traffic, struct engine_result *r, struct err *e)
{
    struct warmer w = warmer_for(l, d);
    const struct engine_stepper stepper = {.ctx = &w, .group_new = group_new, .group_start = group_start, .run = run};
    struct engine_options options = *o;

    if (!engine_device_warm_begin(d))
        return err_set(e, ERR_NOMEM, "no host memory for warming caches");
    arena_init(&w.arena, 0);
    w.arena.budget = l->space->budget;
    options.threads = 1;
    options.stepper = &stepper;
    int status = engine_run_functional(l, &options, r, e);
    *traffic = (struct hierarchy_traffic){0};
    if (!status && r->outcome == ENGINE_DONE && !options.part)
        engine_device_warm_release(d, l, o);
    engine_device_warm_end(d, traffic);
    arena_free(&w.arena);
    return status;
}
