/* Public API: launches of raw code in the caller's address space. */
#include <stdlib.h>
#include <string.h>

#include "sim/api/raw.h"
#include "sim/loader/kernel_descriptor.h"

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
                                       .least = API_BYTES_THROUGH(struct gcnsim_raw, visits)};

void gcnsim_raw_init_sized(struct gcnsim_raw *r, size_t struct_bytes)
{
    api_struct_init(&kind, r, struct_bytes);
}

void gcnsim_range_init(struct gcnsim_range *r)
{
    *r = (struct gcnsim_range){0};
}

int api_take_raw(struct gcnsim_raw *own, const struct gcnsim_raw *from, struct err *e)
{
    return api_struct_take(&kind, own, from, e);
}

static int check_entry(const struct raw_run *r, const struct gcnsim_raw *raw, struct err *e)
{
    gaddr_t base = r->code_base;

    if (!raw->entry || raw->entry % 4 || base % 4)
        return err_set(e, ERR_USAGE, "raw: entry 0x%llx, code_base 0x%llx; expected multiples of 4",
                       (unsigned long long)raw->entry, (unsigned long long)base);
    if (raw->entry < base || r->code_bytes < 4 || raw->entry - base > r->code_bytes - 4)
        return err_set(e, ERR_USAGE, "raw: entry 0x%llx is not within the %llu code bytes at 0x%llx",
                       (unsigned long long)raw->entry, (unsigned long long)r->code_bytes, (unsigned long long)base);
    return 0;
}

static int raw_check(const struct raw_run *r, const struct gcnsim_raw *raw, struct err *e)
{
    if (raw->wave_size != 32 && raw->wave_size != 64)
        return err_set(e, ERR_USAGE, "raw: wave_size is %u; expected 32 or 64", raw->wave_size);
    if (check_entry(r, raw, e))
        return -1;
    if (raw->user_sgpr_count > LAUNCH_MAX_USER_SGPRS || (raw->user_sgpr_count && !raw->user_sgprs))
        return err_set(e, ERR_USAGE, "raw: %u user SGPRs%s; expected at most %u", raw->user_sgpr_count,
                       raw->user_sgprs ? "" : " at a null pointer", LAUNCH_MAX_USER_SGPRS);
    if (raw->check_stores && raw->engine != GCNSIM_ENGINE_TIMING)
        return err_set(e, ERR_USAGE, "raw: check_stores is of the timing engine");
    if (raw->lds_bytes > RAW_MAX_LDS_BYTES)
        return err_set(e, ERR_USAGE, "raw: %u bytes of LDS; expected at most %u", raw->lds_bytes, RAW_MAX_LDS_BYTES);
    if (raw->range_set && (raw->range_count || raw->window_count))
        return err_set(e, ERR_USAGE, "raw: both range_set and ranges or windows; expected one");
    if (api_check_run(&r->parts.asked, false, e))
        return err_prefix(e, "raw");
    return 0;
}

/* The code and its target. */
static int raw_code(struct raw_run *r, const struct gcnsim_raw *raw, struct err *e)
{
    const struct gcnsim_raw_code *c = raw->code;

    if (!c && !raw->target)
        return err_set(e, ERR_USAGE, "raw: target is null; expected a processor name");
    if (raw->target && co_target_parse(&r->id, raw->target, e))
        return err_prefix(e, "raw: target");
    if (c && raw->target && strcmp(r->id.name, c->id.name) != 0)
        return err_set(e, ERR_USAGE, "raw: target is %s; the code was opened for %s", raw->target, c->id.name);
    if (c)
        r->id = c->id;
    r->code_base = c ? c->base : raw->code_base ? raw->code_base : raw->entry;
    r->code_bytes = c ? c->bytes : raw->code_size;
    return raw_check(r, raw, e);
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

/* Valid memory: the caller's list with code and scratch; kernarg is the caller's to list, as its size is not known. */
static int raw_space(struct raw_run *r, const struct gcnsim_raw *raw, struct budget *budget, struct err *e)
{
    uint64_t scratch = r->s.scratch_bytes_per_lane ? r->s.scratch_wave_bytes * r->l.scratch_slots : 0;
    gaddr_t at = raw->scratch_base;

    if (raw->range_set)
        mem_space_init_shared(&r->space, &raw->range_set->space);
    else if (api_raw_space(&r->space, raw->ranges, raw->range_count, raw->windows, raw->window_count, e))
        return -1;
    if (!r->space.unchecked && (mem_space_add_uncovered(&r->space, r->code_base, r->code_base + r->code_bytes,
                                                        MEM_READ | MEM_EXEC | MEM_KIND_CODE, "code", e) ||
                                (at && mem_space_add_uncovered(&r->space, at, at + scratch,
                                                               MEM_READ | MEM_WRITE | MEM_KIND_SCRATCH, "scratch", e))))
        return -1;
    r->space.budget = budget;
    return scratch && !at ? raw_own_scratch(r, scratch, e) : 0;
}

/* As the command processor finds them with a kernel descriptor. */
static int kernel_user_sgprs(struct raw_run *r, const struct gcnsim_raw *raw, struct err *e)
{
    struct gcnsim_raw_kernel k;
    struct kernel_descriptor kd;

    if (api_take_raw_kernel(&k, raw->kernel, e))
        return -1;
    if (api_raw_descriptor(&kd, &k, r->id.family, e))
        return -1;
    uint32_t preload = (kd.kernarg_preload_length_dwords + kd.kernarg_preload_offset_dwords) * 4u;
    struct launch_pointers p = {.dispatch_packet = k.dispatch_ptr,
                                .queue = k.queue_ptr,
                                .kernarg = k.kernarg_address,
                                .dispatch_id = k.dispatch_id};
    if (kd.kernarg_preload_length_dwords) {
        p.kernarg_host = mem_space_at(&r->space, k.kernarg_address, preload, MEM_READ);
        p.kernarg_bytes = p.kernarg_host ? preload : 0;
    }
    return launch_user_sgprs(&r->l, &r->s, &kd, r->id.family, &p, e);
}

static int raw_user_sgprs(struct raw_run *r, const struct gcnsim_raw *raw, struct err *e)
{
    if (raw->kernel)
        return kernel_user_sgprs(r, raw, e);
    if (launch_user_sgpr_count(&r->s, e))
        return -1;
    unsigned n = r->s.user_sgpr_count;
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

/* Work-items of the launch. */
static int raw_grid(const struct gcnsim_raw *raw, uint32_t grid[3], struct err *e)
{
    bool given = raw->grid_size[0] || raw->grid_size[1] || raw->grid_size[2];

    for (int d = 0; d < 3; d++) {
        uint64_t items = (uint64_t)raw->workgroups[d] * raw->workgroup_size[d];

        grid[d] = given ? raw->grid_size[d] : (uint32_t)items;
        if (!given && (!items || items > UINT32_MAX))
            return err_set(e, ERR_USAGE, "raw: %u workgroups of %u work-items in %c; expected 1 to 2^32-1 work-items",
                           raw->workgroups[d], raw->workgroup_size[d], "xyz"[d]);
    }
    return 0;
}

/* Shape, registers and LDS. */
static int raw_shape(struct raw_run *r, const struct gcnsim_raw *raw, struct err *e)
{
    struct launch *l = &r->l;
    uint32_t grid[3], max_items = l->profile ? l->profile->cu.max_workgroup_items : 1024;

    if (raw_grid(raw, grid, e))
        return -1;
    if (raw->wave_size == 32 && !isa_has(l->target, FEAT_WAVE32))
        return err_set(e, ERR_USAGE, "raw: wave_size is 32; %s has waves of 64", l->target->name);
    l->lds_bytes = raw->lds_bytes;
    if (raw->kernel)
        l->lds_bytes = (uint32_t)align_up(l->lds_bytes, launch_lds_granule(l->target, l->profile));
    if (launch_shape(l, &r->s, grid, raw->workgroup_size, max_items, e) || launch_clusters(l, raw->cluster_size, e) ||
        launch_registers(l, &r->s.rsrc, r->id.family, e) || (l->profile && launch_set_occupancy(l, e)))
        return err_prefix(e, "raw");
    launch_modes(l, &r->s);
    r->s.entry = raw->entry;
    return 0;
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

static void raw_options(struct raw_run *r, const struct gcnsim_raw *raw)
{
    r->options = api_engine_options(&API_RUN_OPTIONS(raw), &r->parts);
    r->options.cooperative = raw->cooperative;
    r->options.message = raw->message;
    r->options.message_ctx = raw->message_ctx;
    r->options.shared_memory = true;
}

static int raw_program(struct gcnsim *sim, struct raw_run *r, const struct gcnsim_raw *raw, struct err *e)
{
    if (!raw->code) {
        if (isa_program_open(&r->program, r->l.target, r->code_base, (const uint8_t *)(uintptr_t)r->code_base,
                             r->code_bytes, e))
            return -1;
        isa_program_set_budget(r->program, &sim->budget);
    }
    r->l.program = raw->code ? raw->code->program : r->program;
    r->l.entry = raw->entry;
    r->l.code_lo = r->code_base;
    r->l.code_hi = r->code_base + r->code_bytes;
    return 0;
}

static bool ask_more(gcnsim_more_fn *ask, void *ctx, gaddr_t addr, struct isa_range *out)
{
    struct gcnsim_window w = {0};

    if (!ask(ctx, addr, &w) || addr < w.address || addr - w.address >= w.bytes)
        return false;
    *out = (struct isa_range){
        .lo = w.address, .hi = w.address + w.bytes, .host = (uint8_t *)(uintptr_t)w.host, .writable = w.writable};
    return true;
}

/* Memory that the caller has got while the launch runs. */
static bool raw_more(void *ctx, gaddr_t addr, struct isa_range *out)
{
    const struct gcnsim_raw *raw = ctx;

    return ask_more(raw->more, raw->more_ctx, addr, out);
}

static bool raw_slack(void *ctx, gaddr_t addr, struct isa_range *out)
{
    const struct gcnsim_raw *raw = ctx;

    return ask_more(raw->slack, raw->slack_ctx, addr, out);
}

static int raw_prepare(struct gcnsim *sim, struct raw_run *r, const struct gcnsim_raw *raw, struct err *e)
{
    struct launch *l = &r->l;

    raw_options(r, raw);
    if (raw_code(r, raw, e))
        return -1;
    const struct profile *p = raw_profile(sim, raw, &r->id, e);
    if (e->code)
        return -1;
    *l = (struct launch){.profile = p, .space = &r->space, .state = &r->s, .gws = &sim->gws, .lanes = raw->wave_size};
    l->shared_aperture = raw->shared_aperture ? raw->shared_aperture : LAUNCH_SHARED_APERTURE;
    if (raw->range_count || raw->range_set) {
        l->more = raw->more ? raw_more : NULL;
        l->slack = raw->slack && !raw->check && !raw->check_stores ? raw_slack : NULL;
        l->more_ctx = (void *)(uintptr_t)raw;
    }
    l->private_aperture = raw->private_aperture ? raw->private_aperture : LAUNCH_PRIVATE_APERTURE;
    l->target = raw->code ? raw->code->target : api_target(sim, api_processor(&r->id, p), e);
    if (!l->target || api_check_engine(raw->engine, p, r->id.name, e))
        return -1;
    co_rsrc_decode(&r->s.rsrc, r->id.family, raw->wave_size == 32, raw->compute_pgm_rsrc1, raw->compute_pgm_rsrc2,
                   raw->compute_pgm_rsrc3);
    return raw_shape(r, raw, e) || api_check_sampled(&r->parts.asked, l, e) || raw_scratch(r, raw, e) ||
                   raw_space(r, raw, &sim->budget, e) || raw_user_sgprs(r, raw, e) || raw_program(sim, r, raw, e)
               ? -1
               : 0;
}

/* What the code object says of the code: names of functions, source lines, offsets. */
static int raw_object(struct raw_run *r, const struct gcnsim_raw *raw, struct err *e)
{
    struct co_image_info image;

    if (!raw->object)
        return 0;
    code_object_image_info(raw->object->co, &image);
    if (raw->entry < raw->object_address || raw->entry - raw->object_address >= image.size)
        return err_set(e, ERR_USAGE, "raw: entry 0x%llx is not within the object's image, %llu bytes at 0x%llx",
                       (unsigned long long)raw->entry, (unsigned long long)image.size,
                       (unsigned long long)raw->object_address);
    r->report.code = raw->object->co;
    r->report.load_base = raw->object_address;
    r->report.base_vaddr = image.base_vaddr;
    return 0;
}

struct raw_run *raw_open(struct gcnsim *sim, const struct gcnsim_raw *raw, struct err *e)
{
    struct raw_run *r = calloc(1, sizeof *r);

    if (!r) {
        err_set(e, ERR_NOMEM, "out of host memory for a raw launch");
        return NULL;
    }
    if (raw_prepare(sim, r, raw, e)) {
        raw_close(r);
        return NULL;
    }
    r->report = (struct report_run){.kernel = raw->kernel_name ? raw->kernel_name : "raw",
                                    .timing = raw->engine == GCNSIM_ENGINE_TIMING,
                                    .scratch_bytes = raw->scratch_bytes_per_lane,
                                    .load_base = r->code_base,
                                    .command_line = raw->command_line};
    memcpy(r->report.grid, r->s.grid, sizeof r->report.grid);
    if (raw_object(r, raw, e)) {
        raw_close(r);
        return NULL;
    }
    if (raw->code)
        api_raw_code_sha256(raw->code, r->report.code_sha256);
    else
        sha256_text((const void *)(uintptr_t)r->code_base, r->code_bytes, r->report.code_sha256);
    return r;
}

void raw_close(struct raw_run *r)
{
    if (!r)
        return;
    if (r->program)
        isa_program_close(r->program);
    mem_space_destroy(&r->space);
    free(r->l.clusters);
    free(r);
}

int raw_traces_open(struct api_traces *t, struct raw_run *r, const struct gcnsim_raw *raw, struct err *e)
{
    const struct api_trace_plan plan = {.att = raw->att,
                                        .timing = r->report.timing,
                                        .host_code = true,
                                        .object = raw->object,
                                        .object_address = raw->object_address,
                                        .kernel = r->report.kernel};

    return api_traces_open(t, &plan, &r->l, &r->report, &r->options, e);
}

static int launch_raw(struct gcnsim *sim, const struct gcnsim_raw *raw, struct gcnsim_result **out, struct err *e)
{
    struct raw_run *r = raw_open(sim, raw, e);
    struct api_traces traces = {0};
    struct api_check checks;
    int failed = -1;

    if (r && api_use_device(sim, r->report.timing, raw->cold, &r->options, e) == 0 &&
        raw_traces_open(&traces, r, raw, e) == 0)
        failed = api_run(sim, &r->l, &r->options, &r->report, raw_checks(raw, &checks), &r->parts.asked, out, e);
    if (api_traces_close(&traces, !failed, e))
        failed = -1;
    raw_close(r);
    return failed;
}

int gcnsim_launch_raw(struct gcnsim *sim, const struct gcnsim_raw *raw, struct gcnsim_result **out,
                      struct gcnsim_error *error)
{
    struct err e = {0};
    struct gcnsim_raw own;

    *out = NULL;
    if (api_take_raw(&own, raw, &e) || launch_raw(sim, &own, out, &e))
        return api_fail_in(sim, error, &e);
    return GCNSIM_OK;
}
