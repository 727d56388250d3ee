/* Public API: launches of raw code in the caller's address space. */
#include <stdlib.h>
#include <string.h>

#include "sim/api/api.h"
#include "sim/launch/dispatch.h"

#define RAW_MAX_LDS_BYTES (1u << 20) /* several times what any chip has */

static const struct gcnsim_raw initial = {.engine = GCNSIM_ENGINE_FUNCTIONAL,
                                          .workgroups = {1, 1, 1},
                                          .workgroup_size = {1, 1, 1},
                                          .acquire = GCNSIM_FENCE_AGENT,
                                          .release = GCNSIM_FENCE_AGENT};

static const struct api_struct kind = {.what = "raw",
                                       .init = "gcnsim_raw_init",
                                       .initial = &initial,
                                       .bytes = sizeof initial,
                                       .least = API_BYTES_THROUGH(struct gcnsim_raw, check)};

void gcnsim_raw_init_sized(struct gcnsim_raw *r, size_t struct_bytes)
{
    api_struct_init(&kind, r, struct_bytes);
}

void gcnsim_range_init(struct gcnsim_range *r)
{
    *r = (struct gcnsim_range){0};
}

/* Resources of a raw launch while it runs. */
struct raw_run {
    struct launch_state s;
    struct launch l;
    struct engine_options options;
    struct mem_space space;
    struct isa_program *program;
    struct mem_range *ranges;
};

static int raw_check(const struct gcnsim_raw *raw, struct err *e)
{
    uint64_t base = raw->code_base ? raw->code_base : raw->entry;

    if (!raw->target)
        return err_set(e, ERR_USAGE, "raw: target is null; expected a processor name");
    if (raw->wave_size != 32 && raw->wave_size != 64)
        return err_set(e, ERR_USAGE, "raw: wave_size is %u; expected 32 or 64", raw->wave_size);
    if (!raw->entry || raw->entry % 4 || base % 4)
        return err_set(e, ERR_USAGE, "raw: entry 0x%llx, code_base 0x%llx; expected multiples of 4",
                       (unsigned long long)raw->entry, (unsigned long long)base);
    if (raw->entry < base || raw->code_size < 4 || raw->entry - base > raw->code_size - 4)
        return err_set(e, ERR_USAGE, "raw: entry 0x%llx is not within the %llu code bytes at 0x%llx",
                       (unsigned long long)raw->entry, (unsigned long long)raw->code_size, (unsigned long long)base);
    if (raw->user_sgpr_count > LAUNCH_MAX_USER_SGPRS || (raw->user_sgpr_count && !raw->user_sgprs))
        return err_set(e, ERR_USAGE, "raw: %u user SGPRs%s; expected at most %u", raw->user_sgpr_count,
                       raw->user_sgprs ? "" : " at a null pointer", LAUNCH_MAX_USER_SGPRS);
    if (raw->lds_bytes > RAW_MAX_LDS_BYTES)
        return err_set(e, ERR_USAGE, "raw: %u bytes of LDS; expected at most %u", raw->lds_bytes, RAW_MAX_LDS_BYTES);
    if (raw->range_count && !raw->ranges)
        return err_set(e, ERR_USAGE, "raw: %zu ranges, but ranges is null", raw->range_count);
    if (api_check_fences(raw->acquire, raw->release, e))
        return err_prefix(e, "raw");
    return 0;
}

/* The sizes of scratch, and where the caller has it. */
static int raw_scratch(struct raw_run *r, const struct gcnsim_raw *raw, struct err *e)
{
    struct launch *l = &r->l;

    l->scratch_slots = UINT32_MAX;
    if (!raw->scratch_bytes_per_lane)
        return 0;
    r->s.scratch_bytes_per_lane = raw->scratch_bytes_per_lane;
    r->s.scratch_wave_bytes = launch_scratch_wave_bytes(l->lanes, raw->scratch_bytes_per_lane);
    if (r->s.scratch_wave_bytes > UINT32_MAX)
        return err_set(e, ERR_USAGE, "raw: %u bytes of scratch per lane", raw->scratch_bytes_per_lane);
    if (launch_scratch_slots(l, r->s.scratch_wave_bytes, &l->scratch_slots, e))
        return -1;
    r->s.scratch_base = raw->scratch_base;
    if (raw->scratch_base && raw->scratch_size) {
        uint64_t room = raw->scratch_size / r->s.scratch_wave_bytes;
        if (room < l->waves_per_group)
            return err_set(e, ERR_USAGE, "raw: scratch_size is %llu bytes; one workgroup of %u waves takes %llu",
                           (unsigned long long)raw->scratch_size, l->waves_per_group,
                           (unsigned long long)(l->waves_per_group * r->s.scratch_wave_bytes));
        if (room < l->scratch_slots)
            l->scratch_slots = (uint32_t)room;
    }
    return 0;
}

/* Scratch that gcnsim brings: outside the windows of the apertures. */
static int raw_own_scratch(struct raw_run *r, uint64_t bytes, struct err *e)
{
    const uint64_t window = UINT64_C(1) << 32;

    mem_space_avoid(&r->space, r->l.shared_aperture, r->l.shared_aperture + window);
    mem_space_avoid(&r->space, r->l.private_aperture, r->l.private_aperture + window);
    return mem_space_alloc(&r->space, bytes, 65536, MEM_READ | MEM_WRITE | MEM_KIND_SCRATCH, "scratch",
                           &r->s.scratch_base, e)
               ? err_prefix(e, "raw")
               : 0;
}

/* Adds the parts of [lo, hi) that no range holds yet; every range given is passed at most once, so that n ranges leave
 * at most n + 1 parts. */
static void add_uncovered(struct mem_range *ranges, size_t *n, gaddr_t lo, gaddr_t hi, uint32_t flags,
                          const char *label)
{
    while (lo < hi) {
        gaddr_t end = hi;
        size_t i;
        for (i = 0; i < *n; i++) {
            if (ranges[i].lo <= lo && lo < ranges[i].hi)
                break;
            if (ranges[i].lo > lo && ranges[i].lo < end)
                end = ranges[i].lo;
        }
        if (i < *n) {
            lo = ranges[i].hi;
            continue;
        }
        struct mem_range *m = &ranges[(*n)++];
        *m = (struct mem_range){.lo = lo, .hi = end, .flags = flags};
        strncpy(m->label, label, sizeof m->label - 1);
        lo = end;
    }
}

static int raw_ranges(struct raw_run *r, const struct gcnsim_raw *raw, size_t *n, struct err *e)
{
    r->ranges = calloc(4 * raw->range_count + 8, sizeof *r->ranges);
    if (!r->ranges)
        return err_set(e, ERR_NOMEM, "raw: no memory for %zu ranges", raw->range_count);
    for (size_t i = 0; i < raw->range_count; i++) {
        const struct gcnsim_range *g = &raw->ranges[i];
        struct mem_range *m = &r->ranges[(*n)++];
        if (!g->bytes || g->address + g->bytes < g->address)
            return err_set(e, ERR_USAGE, "raw: range %zu is empty or wraps: 0x%llx, %llu bytes", i,
                           (unsigned long long)g->address, (unsigned long long)g->bytes);
        *m = (struct mem_range){.lo = g->address, .hi = g->address + g->bytes, .flags = MEM_READ};
        if (g->writable)
            m->flags |= MEM_WRITE;
        strncpy(m->label, g->label ? g->label : "range", sizeof m->label - 1);
    }
    return 0;
}

/* Valid memory: the caller's list with code and scratch; kernarg is the caller's to list, as its size is not known. */
static int raw_space(struct raw_run *r, const struct gcnsim_raw *raw, gaddr_t code_base, struct budget *budget,
                     struct err *e)
{
    uint64_t scratch = r->s.scratch_bytes_per_lane ? r->s.scratch_wave_bytes * r->l.scratch_slots : 0;
    size_t n = 0;

    if (raw->range_count) {
        if (raw_ranges(r, raw, &n, e))
            return -1;
        add_uncovered(r->ranges, &n, code_base, code_base + raw->code_size, MEM_READ | MEM_EXEC | MEM_KIND_CODE,
                      "code");
        if (raw->scratch_base)
            add_uncovered(r->ranges, &n, r->s.scratch_base, r->s.scratch_base + scratch,
                          MEM_READ | MEM_WRITE | MEM_KIND_SCRATCH, "scratch");
    }
    if (mem_space_init_identity(&r->space, r->ranges, n, e))
        return -1;
    r->space.budget = budget;
    return scratch && !raw->scratch_base ? raw_own_scratch(r, scratch, e) : 0;
}

static int raw_user_sgprs(struct raw_run *r, const struct gcnsim_raw *raw, struct err *e)
{
    unsigned n = r->s.rsrc.user_sgpr_count;

    r->s.user_sgpr_count = n;
    if (raw->user_sgprs) {
        if (raw->user_sgpr_count > n)
            return err_set(e, ERR_USAGE, "raw: %u user SGPRs given; COMPUTE_PGM_RSRC2 says %u", raw->user_sgpr_count,
                           n);
        memcpy(r->s.user_sgprs, raw->user_sgprs, raw->user_sgpr_count * sizeof *raw->user_sgprs);
    } else if (raw->kernarg_address) {
        if (n < 2)
            return err_set(
                e, ERR_USAGE,
                "raw: kernarg_address without user_sgprs goes to s[0:1], but COMPUTE_PGM_RSRC2 has %u user SGPRs", n);
        r->s.user_sgprs[0] = (uint32_t)raw->kernarg_address;
        r->s.user_sgprs[1] = (uint32_t)(raw->kernarg_address >> 32);
    }
    return 0;
}

/* Shape, registers and LDS. */
static int raw_shape(struct raw_run *r, const struct gcnsim_raw *raw, enum co_family family, struct err *e)
{
    struct launch *l = &r->l;
    uint32_t grid[3], max_items = l->profile ? l->profile->cu.max_workgroup_items : 1024;

    for (int d = 0; d < 3; d++) {
        uint64_t items = (uint64_t)raw->workgroups[d] * raw->workgroup_size[d];
        if (!items || items > UINT32_MAX)
            return err_set(e, ERR_USAGE, "raw: %u workgroups of %u work-items in %c; expected 1 to 2^32-1 work-items",
                           raw->workgroups[d], raw->workgroup_size[d], "xyz"[d]);
        grid[d] = (uint32_t)items;
    }
    if (raw->wave_size == 32 && !isa_has(l->target, FEAT_WAVE32))
        return err_set(e, ERR_USAGE, "raw: wave_size is 32; %s has waves of 64", l->target->name);
    l->lds_bytes = raw->lds_bytes;
    if (launch_shape(l, &r->s, grid, raw->workgroup_size, max_items, e) || launch_registers(l, &r->s.rsrc, family, e) ||
        (l->profile && launch_set_occupancy(l, e)))
        return err_prefix(e, "raw");
    launch_modes(l, &r->s);
    r->s.entry = raw->entry;
    return raw_user_sgprs(r, raw, e);
}

/* One simulator may run raw code of several targets functionally; the profile is then that of its own target alone. */
static const struct profile *raw_profile(struct gcnsim *sim, const struct gcnsim_raw *raw,
                                         const struct co_target_id *id, struct err *e)
{
    struct err other = {0};

    if (raw->engine == GCNSIM_ENGINE_FUNCTIONAL)
        return sim->profile && api_choose_profile(sim, id, &other) == 0 ? sim->profile : NULL;
    if (api_choose_profile(sim, id, e) < 0)
        err_prefix(e, "raw: target");
    return sim->profile;
}

static int raw_prepare(struct gcnsim *sim, struct raw_run *r, const struct gcnsim_raw *raw, struct err *e)
{
    gaddr_t base = raw->code_base ? raw->code_base : raw->entry;
    struct launch *l = &r->l;
    struct co_target_id id;

    if (co_target_parse(&id, raw->target, e))
        return err_prefix(e, "raw: target");
    const struct profile *p = raw_profile(sim, raw, &id, e);
    if (e->code)
        return -1;
    *l = (struct launch){.profile = p, .space = &r->space, .state = &r->s, .lanes = raw->wave_size};
    r->options = (struct engine_options){.threads = raw->threads,
                                         .max_cycles = raw->max_cycles,
                                         .max_instructions = raw->max_instructions,
                                         .progress = raw->progress,
                                         .progress_ctx = raw->progress_ctx,
                                         .abort_flag = raw->abort_flag,
                                         .snapshot_flag = raw->snapshot_flag,
                                         .tick_every_cycle = raw->tick_every_cycle,
                                         .acquire = (enum mem_fence)raw->acquire,
                                         .release = (enum mem_fence)raw->release};
    l->shared_aperture = raw->shared_aperture ? raw->shared_aperture : LAUNCH_SHARED_APERTURE;
    l->private_aperture = raw->private_aperture ? raw->private_aperture : LAUNCH_PRIVATE_APERTURE;
    if (!(l->target = api_target(sim, api_processor(&id, p), e)) || api_check_engine(raw->engine, p, raw->target, e))
        return -1;
    co_rsrc_decode(&r->s.rsrc, id.family, raw->wave_size == 32, raw->compute_pgm_rsrc1, raw->compute_pgm_rsrc2,
                   raw->compute_pgm_rsrc3);
    if (raw_shape(r, raw, id.family, e) || raw_scratch(r, raw, e) || raw_space(r, raw, base, &sim->budget, e) ||
        isa_program_open(&r->program, l->target, base, (const uint8_t *)(uintptr_t)base, raw->code_size, e))
        return -1;
    isa_program_set_budget(r->program, &sim->budget);
    l->program = r->program;
    l->entry = raw->entry;
    l->code_lo = base;
    l->code_hi = base + raw->code_size;
    return 0;
}

static int launch_raw(struct gcnsim *sim, const struct gcnsim_raw *raw, struct gcnsim_result **out, struct err *e)
{
    struct raw_run *r = calloc(1, sizeof *r);
    int failed = -1;

    if (!r) {
        err_set(e, ERR_NOMEM, "no memory for a raw launch");
    } else if (raw_check(raw, e) == 0 && raw_prepare(sim, r, raw, e) == 0 &&
               api_use_device(sim, raw->engine == GCNSIM_ENGINE_TIMING, raw->cold, &r->options, e) == 0) {
        gaddr_t base = raw->code_base ? raw->code_base : raw->entry;
        struct report_run run = {.kernel = "raw",
                                 .timing = raw->engine == GCNSIM_ENGINE_TIMING,
                                 .load_base = base,
                                 .command_line = raw->command_line};
        memcpy(run.grid, r->s.grid, sizeof run.grid);
        api_sha256((const void *)(uintptr_t)base, raw->code_size, run.code_sha256);
        failed = api_run(sim, &r->l, &r->options, &run, raw->check, raw->snapshot, raw->snapshot_ctx, out, e);
    }
    if (r) {
        if (r->program)
            isa_program_close(r->program);
        mem_space_destroy(&r->space);
        free(r->ranges);
    }
    free(r);
    return failed;
}

int gcnsim_launch_raw(struct gcnsim *sim, const struct gcnsim_raw *raw, struct gcnsim_result **out,
                      struct gcnsim_error *error)
{
    struct err e = {0};
    struct gcnsim_raw own;

    *out = NULL;
    if (api_struct_take(&kind, &own, raw, &e) || launch_raw(sim, &own, out, &e))
        return api_fail_in(sim, error, &e);
    return GCNSIM_OK;
}
