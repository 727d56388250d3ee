/* Public API: what is to be compared, each item run (compare_bench.c), and what is found of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/compare_bench.h"
#include "sim/util/arena.h"

/* The public struct comes first, so that a pointer to it is a pointer to this. */
struct comparison {
    struct gcnsim_comparison pub;
    struct arena arena;
};

static const struct gcnsim_compare_options initial = {0};

static const struct api_struct kind = {.what = "options",
                                       .init = "gcnsim_compare_options_init",
                                       .initial = &initial,
                                       .bytes = sizeof initial,
                                       .least = API_BYTES_THROUGH(struct gcnsim_compare_options, max_memory)};

void gcnsim_compare_options_init_sized(struct gcnsim_compare_options *o, size_t struct_bytes)
{
    api_struct_init(&kind, o, struct_bytes);
}

int compare_take_options(struct gcnsim_compare_options *own, const struct gcnsim_compare_options *from, struct err *e)
{
    return api_struct_take(&kind, own, from, e);
}

static const struct gcnsim_compare_item initial_item = {0};
static const struct api_struct item_kind = {.what = "item",
                                            .init = "gcnsim_compare_item_init",
                                            .initial = &initial_item,
                                            .bytes = sizeof initial_item,
                                            .least = API_BYTES_THROUGH(struct gcnsim_compare_item, directory)};

void gcnsim_compare_item_init_sized(struct gcnsim_compare_item *item, size_t struct_bytes)
{
    api_struct_init(&item_kind, item, struct_bytes);
}

/* ---- what is found ---- */

/* The bytes that are compared: the first copy, or the kernel. */
int compare_look_at(struct compare_bench *b, struct gcnsim_compare_entry *out, struct err *e)
{
    const struct code_object *co = b->module->code->co;
    const struct co_kernel *k = code_object_kernel(co, b->kernel[0]);
    const struct profile_cache *icache = &b->sim->profile->cache[LEVEL_I];
    uint64_t from = k->entry_vaddr, size = k->code_bytes, available = 0;
    struct compare_code code;

    if (b->sequence) {
        from = code_object_find_symbol(co, COMPARE_BEGIN)->vaddr;
        size = code_object_find_symbol(co, COMPARE_END)->vaddr - from;
    }
    const uint8_t *bytes = code_object_bytes(co, from, &available);
    if (!bytes || (b->sequence && size > available))
        return err_set(e, ERR_FORMAT, "its instructions are not in the file");
    if (!size || size > available) /* a kernel whose symbol has no size: to the end */
        size = available;
    if (compare_look(b->module->target, bytes, size, b->lanes, false, &code, e))
        return -1;
    b->undelayed = code.undelayed;
    out->kernel = b->sequence ? NULL : k->name;
    out->bytes = (uint32_t)size;
    out->instructions = code.instructions;
    out->vgprs = code.vgprs;
    out->agprs = code.agprs;
    out->sgprs = code.sgprs;
    out->wave_size = b->lanes;
    if (icache->present && icache->line_bytes) {
        out->icache_line_bytes = icache->line_bytes;
        out->icache_lines = (uint32_t)((size + icache->line_bytes - 1) / icache->line_bytes);
    }
    return 0;
}

static int counts(const struct compare_bench *b, const struct compare_sample *one, const struct compare_sample *full,
                  struct arena *arena, struct gcnsim_compare_entry *out, struct err *e)
{
    struct gcnsim_compare_count *issues = ARENA_NEW(arena, OPCAT_COUNT, struct gcnsim_compare_count);
    struct gcnsim_compare_count *stalls = ARENA_NEW(arena, STALL_COUNT, struct gcnsim_compare_count);

    if (!issues || !stalls)
        return err_set(e, ERR_NOMEM, "out of host memory for a comparison");
    /* a window may begin and end anywhere in a loop: categories are counted where loops run to their end */
    for (unsigned k = 0; k < OPCAT_COUNT; k++)
        issues[k] = (struct gcnsim_compare_count){op_category_key[k], one->category[k],
                                                  b->sequence ? one->category[k] : full->category[k]};
    for (unsigned k = 0; k < STALL_COUNT; k++)
        if (b->has_stall[k])
            stalls[out->stall_count++] =
                (struct gcnsim_compare_count){timing_stall_key[k], one->stall[k], full->stall[k]};
    out->issues = issues;
    out->issue_count = OPCAT_COUNT;
    out->stalls = stalls;
    return 0;
}

static bool is_undelayed(const struct compare_bench *b, const struct compare_sample *full)
{
    double all = 0;

    for (unsigned k = 0; k < STALL_COUNT; k++)
        all += full->stall[k];
    return b->sequence && b->undelayed && b->sim->profile->queue.valu_entries &&
           full->stall[STALL_UNIT_BUSY_VALU] > all / 2;
}

/* As many waves on every SIMD, in whole workgroups; 0 when they do not divide. */
uint32_t compare_groups(const struct compare_bench *b, uint32_t waves_per_simd)
{
    uint32_t waves = waves_per_simd * b->simds;

    return waves % b->waves_per_group ? 0 : waves / b->waves_per_group;
}

/* Full occupancy, as the run before this found it and the caller bounds it. */
uint32_t compare_full_occupancy(const struct compare_bench *b, struct gcnsim_compare_entry *out)
{
    uint32_t most = b->occupancy.waves_per_simd;

    out->limiter = b->occupancy.limiter;
    if (b->o->max_waves && b->o->max_waves < most) {
        most = b->o->max_waves;
        out->limiter = "max_waves";
    }
    for (; most > 1 && !compare_groups(b, most); most--)
        out->limiter = "workgroup_size";
    while (!compare_groups(b, most)) /* one workgroup alone needs more than a wave per SIMD, or is less */
        most++;
    return most;
}

static bool is_point(const struct compare_bench *b, uint32_t waves, const struct gcnsim_compare_entry *out)
{
    return compare_groups(b, waves) && compare_has_point(&b->plan, waves, out->waves_per_simd);
}

/* Every occupancy that whole workgroups can have. The profile is this item's own: its wave slots keep further
 * workgroups out. */
static int sweep(struct compare_bench *b, struct gcnsim_compare_entry *out, struct gcnsim_compare_point *points,
                 struct compare_sample *full, struct err *e)
{
    out->points = points;
    if (b->executed > 0)
        compare_choose_plan(b, 1, out->waves_per_simd);
    b->runs = b->runs_done;
    for (uint32_t w = 1; w <= out->waves_per_simd; w++)
        b->runs += is_point(b, w, out) ? (b->sequence && !b->plan.first_alone ? 4 : 2) : 0;
    for (uint32_t w = 1; w <= out->waves_per_simd; w++) {
        if (!is_point(b, w, out))
            continue;
        b->sim->profile->cu.wave_slots_per_simd = w;
        if (compare_measure_occupied(b, compare_groups(b, w), full, e))
            return -1;
        points[out->point_count++] = (struct gcnsim_compare_point){w, full->cycles};
    }
    return 0;
}

static int measure(struct compare_bench *b, struct arena *arena, struct gcnsim_compare_entry *out, struct err *e)
{
    struct compare_sample one, alone = {0}, full = {0};

    /* no more than these, for progress that never goes back; sweep() knows how many */
    b->runs = 4 + 4 * b->sim->profile->cu.wave_slots_per_simd;
    if (compare_look_at(b, out, e) || compare_measure_alone(b, &one, e))
        return -1;
    out->latency_cycles = one.cycles;
    compare_add(&alone, &one, b->sequence ? 1.0 : 1.0 / b->waves_per_group);
    out->waves_per_simd = compare_full_occupancy(b, out);
    struct gcnsim_compare_point *points = ARENA_NEW(arena, out->waves_per_simd, struct gcnsim_compare_point);
    if (!points)
        return err_set(e, ERR_NOMEM, "out of host memory for a comparison");
    if (sweep(b, out, points, &full, e))
        return -1;
    out->throughput_cycles = full.cycles;
    out->undelayed = is_undelayed(b, &full);
    return counts(b, &alone, &full, arena, out, e);
}

/* ---- the calls ---- */

static int compare_one(struct comparison *c, struct compare_bench *b, struct gcnsim_compare_entry *out, struct err *e)
{
    int failed = compare_bench_open(b, &c->arena, e) || measure(b, &c->arena, out, e);

    if (!failed) {
        out->label = arena_text(&c->arena, b->item->label);
        out->kernel = out->kernel ? arena_text(&c->arena, out->kernel) : NULL;
        c->pub.cus = b->sim->profile->gpu.cus;
        c->pub.simds = b->simds;
        c->pub.profile = arena_text(&c->arena, b->sim->profile->name);
        c->pub.target = arena_text(&c->arena, b->module->target->name);
        if (!out->label || !c->pub.profile || !c->pub.target)
            failed = err_set(e, ERR_NOMEM, "out of host memory for a comparison");
    }
    compare_bench_close(b);
    if (failed && !b->wrong_setting)
        err_prefix(e, "%s", b->item->label);
    return failed ? -1 : 0;
}

int compare_take_items(struct gcnsim_compare_item *own, const struct gcnsim_compare_item *from, size_t count,
                       struct err *e)
{
    for (size_t k = 0; k < count; k++) {
        if (api_array_take(&item_kind, &own[k], from, k, e))
            return -1;
        if (!own[k].label || !own[k].bytes)
            return err_set(e, ERR_USAGE, "item %zu has no %s", k, own[k].label ? "bytes" : "label");
    }
    return 0;
}

/* Room for the entries of a comparison, and for its items until it is done. */
static struct comparison *new_comparison(size_t count, struct gcnsim_compare_entry **entries,
                                         struct gcnsim_compare_item **items, struct err *e)
{
    struct comparison *c = calloc(1, sizeof *c);

    *entries = NULL;
    *items = calloc(count, sizeof **items);
    if (c) {
        c->pub.struct_bytes = sizeof c->pub;
        arena_init(&c->arena, 0);
        *entries = ARENA_NEW(&c->arena, count, struct gcnsim_compare_entry);
    }
    if (!*entries || !*items)
        err_set(e, ERR_NOMEM, "out of host memory for a comparison");
    return c;
}

int gcnsim_compare(const struct gcnsim_compare_item *items, size_t count, const struct gcnsim_compare_options *options,
                   struct gcnsim_comparison **out, struct gcnsim_error *error)
{
    struct err e = {0};
    struct gcnsim_compare_options own;
    struct gcnsim_compare_item *own_items = NULL;
    struct gcnsim_compare_entry *entries = NULL;
    struct comparison *c = NULL;

    if (!count)
        err_set(&e, ERR_USAGE, "nothing to compare; expected at least one item");
    else if (!compare_take_options(&own, options, &e))
        c = new_comparison(count, &entries, &own_items, &e);
    if (!e.code)
        compare_take_items(own_items, items, count, &e);
    for (size_t k = 0; k < count && !e.code; k++) {
        struct compare_bench b = {.o = &own, .item = &own_items[k], .index = k, .count = count};
        compare_one(c, &b, &entries[k], &e);
    }
    free(own_items);
    if (c) {
        c->pub.entries = entries;
        c->pub.entry_count = count;
    }
    if (e.code) {
        if (c)
            gcnsim_comparison_free(&c->pub);
        return api_fail(error, &e);
    }
    *out = &c->pub;
    return GCNSIM_OK;
}

void gcnsim_comparison_free(struct gcnsim_comparison *c)
{
    struct comparison *all = (struct comparison *)c;

    if (!all)
        return;
    arena_free(&all->arena);
    free(all);
}
