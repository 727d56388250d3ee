/* Runs one item of a comparison, alone and at full occupancy, and takes differences. The formula is in compare.h. */
#include "sim/study/compare_bench.h"

#include <stdlib.h>
#include <string.h>

#include "sim/util/arena.h"

/* Rounds of workgroups that make a difference. */
enum { FEW_ROUNDS = 2, MANY_ROUNDS = 4, DATA_BYTES = 1 << 20 };
enum { WINDOW_BYTES = 1 << 16, MAX_WINDOWS = 256 };
#define DEFAULT_MAX_INSTRUCTIONS UINT64_C(100000000)

static int outcome_error(const struct gcnsim_result *r, struct err *e)
{
    static const enum err_code codes[] = {
        [GCNSIM_FAULTED] = ERR_FAULT, [GCNSIM_LIMIT] = ERR_RUN_LIMIT, [GCNSIM_INTERRUPTED] = ERR_INTERRUPTED};

    return r->outcome == GCNSIM_COMPLETED ? 0 : err_set(e, codes[r->outcome], "%s", r->message);
}

static void take_sample(struct compare_bench *b, const struct gcnsim_result *r, struct compare_sample *s)
{
    const struct report *report = api_report(r);

    memset(s, 0, sizeof *s);
    s->cycles = report->value[STAT_CYCLES];
    memcpy(s->category, report->value + STAT_CATEGORY, sizeof s->category);
    memcpy(s->stall, report->value + STAT_STALL, sizeof s->stall);
    memcpy(b->has_stall, report->present + STAT_STALL, sizeof b->has_stall);
    b->occupancy = *r->occupancy;
}

static void shape_dispatch(const struct compare_bench *b, unsigned which, uint32_t groups, struct gcnsim_dispatch *d)
{
    gcnsim_dispatch_init(d);
    d->kernel = b->kernel[which];
    d->engine = GCNSIM_ENGINE_TIMING;
    memcpy(d->workgroup_size, b->workgroup, sizeof d->workgroup_size);
    memcpy(d->grid_size, b->workgroup, sizeof d->grid_size);
    d->grid_size[0] *= groups;
    d->args = b->args;
    d->max_cycles = b->o->max_cycles;
    d->max_instructions = b->o->max_instructions ? b->o->max_instructions : DEFAULT_MAX_INSTRUCTIONS;
    d->abort_flag = b->o->abort_flag;
    d->per_instruction = b->keeps;
    d->cold = 1; /* runs are compared, none finds what another has left */
}

/* A region has touched an address that is no memory: puts some there. False: it is not about that, or there is too
 * much. */
static bool add_memory(struct compare_bench *b, const struct gcnsim_result *r)
{
    const struct report *report = api_report(r);
    gaddr_t lo = report->fault.address & ~(gaddr_t)(WINDOW_BYTES - 1);
    struct err e = {0};

    if (!b->region || !report->has_fault || !report->fault.bytes || b->windows == MAX_WINDOWS)
        return false;
    if (!b->window_memory && !(b->window_memory = calloc(1, WINDOW_BYTES)))
        return false;
    struct mem_range w = {.lo = lo, .hi = lo + WINDOW_BYTES, .host = b->window_memory, .flags = MEM_READ | MEM_WRITE};
    b->windows++;
    return mem_space_add_window(&b->sim->space, &w, &e) == 0;
}

int compare_run(struct compare_bench *b, unsigned which, uint32_t groups, uint32_t passes, uint64_t window,
                struct compare_sample *s, struct err *e)
{
    const struct compare_kernarg kernarg = {.data = b->data, .passes = passes};
    struct gcnsim_result *result = NULL;
    struct gcnsim_error error = {0};
    struct gcnsim_dispatch d;
    int failed = 0;

    shape_dispatch(b, which, groups, &d);
    if (b->sequence) {
        d.kernarg = &kernarg;
        d.kernarg_size = sizeof kernarg;
    }
    if (window && window < d.max_instructions)
        d.max_instructions = window;
    /* the next launch gets the same addresses, on which rows and channels of DRAM depend, so that all runs begin alike
     * and their differences have nothing of the beginning in them */
    do {
        if (b->window_memory)
            memset(b->window_memory, 0, WINDOW_BYTES);
        gcnsim_result_free(result);
        result = NULL;
        if (api_launch(b->module, &d, b->consumers, &result, &error) != GCNSIM_OK)
            return err_set(e, (enum err_code)error.code, "%s", error.text);
    } while (result->outcome == GCNSIM_FAULTED && add_memory(b, result));
    if (!window || api_report(result)->value[STAT_INSTRUCTIONS] != (double)window)
        failed = outcome_error(result, e);
    if (!failed)
        take_sample(b, result, s);
    if (b->keeps && !failed) {
        gcnsim_result_free(b->kept);
        b->kept = result;
    } else {
        gcnsim_result_free(result);
    }
    b->runs_done++;
    if (!failed && b->o->progress &&
        b->o->progress(b->o->progress_ctx, 1000 * b->index + 1000 * (uint64_t)b->runs_done / b->runs, 1000 * b->count))
        failed = err_set(e, ERR_INTERRUPTED, "interrupted");
    return failed;
}

void compare_add(struct compare_sample *a, const struct compare_sample *b, double factor)
{
    a->cycles += b->cycles * factor;
    for (unsigned k = 0; k < OPCAT_COUNT; k++)
        a->category[k] += b->category[k] * factor;
    for (unsigned k = 0; k < STALL_COUNT; k++)
        a->stall[k] += b->stall[k] * factor;
}

double compare_instructions(const struct compare_sample *s)
{
    double sum = 0;

    for (unsigned k = 0; k < OPCAT_COUNT; k++)
        sum += s->category[k];
    return sum;
}

/* One wave of a sequence alone: passes of the loop make the difference. */
int compare_measure_alone(struct compare_bench *b, struct compare_sample *s, struct err *e)
{
    const double passes = (double)b->many - b->few, each = 1.0 / (passes * b->copies);
    struct compare_sample one;

    memset(s, 0, sizeof *s);
    if (!b->sequence)
        return compare_run(b, 0, 1, 0, 0, s, e);
    for (unsigned k = 0; k < 4; k++) {
        bool longer = k & 1, many = k & 2;
        if (b->single && longer)
            continue;
        if (compare_run(b, longer, 1, many ? b->many : b->few, 0, &one, e))
            return -1;
        compare_add(s, &one, (longer == many) != b->single ? each : -each);
        b->pass_instructions[longer] += compare_instructions(&one) * (many ? 1.0 : -1.0) / passes;
    }
    if (b->single)
        compare_add(s, &b->loop, -1.0);
    b->branchless = s->category[OPCAT_BRANCH] * b->copies < 0.5; /* whole numbers, but for rounding */
    return 0;
}

/* A sequence on all SIMDs: of waves that go on for ever, what lies between two numbers of instructions. */
static int one_window(struct compare_bench *b, unsigned which, uint32_t waves, struct compare_sample *s, struct err *e)
{
    struct compare_sample one;

    memset(s, 0, sizeof *s);
    for (unsigned many = 0; many < 2; many++) {
        const struct compare_window *w = &b->plan.window[which];
        double window = b->pass_instructions[which] * waves * (many ? w->to : w->from);
        if (compare_run(b, which, waves, UINT32_MAX, (uint64_t)(window + 0.5), &one, e))
            return -1;
        compare_add(s, &one, many ? 1.0 : -1.0);
    }
    return 0;
}

/* Iterations and passes of a window. It has the instructions of so many passes, but waves are cut anywhere in theirs:
 * of iterations there may be more, of what ends a pass less. Where the loop has the only branches they show. */
static void window_content(const struct compare_bench *b, unsigned which, uint32_t waves,
                           const struct compare_sample *s, double *iterations, double *passes)
{
    double body = (b->pass_instructions[1] - b->pass_instructions[0]) / b->copies; /* instructions of an iteration */
    double loop = 2 * b->pass_instructions[0] - b->pass_instructions[1];           /* of a pass beside iterations */
    double copies = (double)(1 + which) * b->copies;

    *passes =
        b->branchless ? s->category[OPCAT_BRANCH] : (b->plan.window[which].to - b->plan.window[which].from) * waves;
    *iterations = b->branchless && body > 0 ? (compare_instructions(s) - *passes * loop) / body : *passes * copies;
}

/* The first kernel alone: the loop's own instructions count like those of the sequence. */
static int measure_first(struct compare_bench *b, uint32_t waves, struct compare_sample *s, struct err *e)
{
    struct compare_sample window;

    if (one_window(b, 0, waves, &window, e))
        return -1;
    memset(s, 0, sizeof *s);
    compare_add(s, &window, b->executed / compare_instructions(&window));
    return 0;
}

/* Two windows, of which each says iterations * x + passes * y: x is wanted. */
static int measure_window(struct compare_bench *b, uint32_t waves, struct compare_sample *s, struct err *e)
{
    struct compare_sample window[2];
    double iterations[2], passes[2];

    if (b->plan.first_alone)
        return measure_first(b, waves, s, e);
    for (unsigned k = 0; k < 2; k++) {
        if (one_window(b, k, waves, &window[k], e))
            return -1;
        window_content(b, k, waves, &window[k], &iterations[k], &passes[k]);
    }
    double determinant = iterations[1] * passes[0] - iterations[0] * passes[1];
    memset(s, 0, sizeof *s);
    compare_add(s, &window[1], passes[0] / determinant);
    compare_add(s, &window[0], -passes[1] / determinant);
    return 0;
}

/* A kernel on all SIMDs. A round is as many workgroups as run at once; a slot that falls free is filled from the next
 * one. Rounds make the difference, so that neither the filling of the compute unit nor its draining counts. */
static int measure_rounds(struct compare_bench *b, uint32_t groups, struct compare_sample *s, struct err *e)
{
    const double each = 1.0 / ((double)(MANY_ROUNDS - FEW_ROUNDS) * groups * b->waves_per_group);
    struct compare_sample few, many;

    if (compare_run(b, 0, groups * FEW_ROUNDS, 0, 0, &few, e) ||
        compare_run(b, 0, groups * MANY_ROUNDS, 0, 0, &many, e))
        return -1;
    memset(s, 0, sizeof *s);
    compare_add(s, &many, each);
    compare_add(s, &few, -each);
    return 0;
}

/* For one wave; cycles are those of a SIMD. */
int compare_measure_occupied(struct compare_bench *b, uint32_t groups, struct compare_sample *s, struct err *e)
{
    if (b->sequence ? measure_window(b, groups, s, e) : measure_rounds(b, groups, s, e))
        return -1;
    s->cycles *= b->simds;
    return 0;
}

/* ---- setting up ---- */

/* The profile with one compute unit, or one WGP. */
static int one_cu(struct compare_bench *b, struct err *e)
{
    const struct profile *p = b->sim->profile;
    uint32_t cus = p->gpu.cus_per_wgp;
    char text[3 + LEVEL_COUNT][64];
    const char *sets[3 + LEVEL_COUNT];
    size_t n = 0;

    snprintf(text[n++], sizeof text[0], "gpu.cus=%u", cus);
    snprintf(text[n++], sizeof text[0], "gpu.xcds=1");
    snprintf(text[n++], sizeof text[0], "gpu.shader_engines=1");
    for (unsigned k = 0; k < LEVEL_COUNT; k++)
        if (p->cache[k].present && p->cache[k].shared_by_cus > cus)
            snprintf(text[n++], sizeof text[0], "cache.%s.shared_by_cus=%u", cache_level_key[k], cus);
    for (size_t k = 0; k < n; k++)
        sets[k] = text[k];
    b->simds = p->cu.simds * cus;
    return profile_set_all(b->sim->profile, n, sets, e) ? err_prefix(e, "one compute unit") : 0;
}

static int find_kernels(struct compare_bench *b, struct err *e)
{
    const struct code_object *co = b->module->code->co;
    const struct co_symbol *copies = code_object_find_symbol(co, COMPARE_COPIES);
    const char *const names[] = {copies ? COMPARE_KERNEL_1 : b->item->kernel, COMPARE_KERNEL_2};

    b->sequence = copies != NULL;
    for (unsigned k = 0; k < (b->sequence ? 2 : 1); k++) {
        const struct co_kernel *kernel = code_object_find_kernel(co, names[k], e);
        if (!kernel)
            return -1;
        for (b->kernel[k] = 0; code_object_kernel(co, b->kernel[k]) != kernel;)
            b->kernel[k]++;
        if (kernel->refused)
            return err_set(e, ERR_FORMAT, "%s", kernel->refused);
    }
    if (!b->sequence)
        return 0;
    b->copies = b->fitted ? b->fitted : (uint32_t)copies->vaddr;
    b->region = code_object_find_symbol(co, COMPARE_REGION) != NULL;
    if (!copies->vaddr || copies->vaddr > COMPARE_COPIES_INSTRUCTIONS || !code_object_find_symbol(co, COMPARE_BEGIN) ||
        !code_object_find_symbol(co, COMPARE_END))
        return err_set(e, ERR_FORMAT, "has %s, but is not as gcnsim_compare_wrap made it", COMPARE_COPIES);
    return 0;
}

static int shape(struct compare_bench *b, struct err *e)
{
    const struct co_kernel *k = code_object_kernel(b->module->code->co, b->kernel[0]);
    const struct co_kernel_metadata *m = k->metadata;
    uint64_t items;

    b->lanes = k->descriptor.enable_wavefront_size32 ? 32 : 64;
    if (!b->sequence && b->item->workgroup_size[0])
        memcpy(b->workgroup, b->item->workgroup_size, sizeof b->workgroup);
    else if (m && m->reqd_workgroup_size[0])
        memcpy(b->workgroup, m->reqd_workgroup_size, sizeof b->workgroup);
    else
        memcpy(b->workgroup, (uint32_t[3]){b->lanes, 1, 1}, sizeof b->workgroup);
    items = (uint64_t)b->workgroup[0] * b->workgroup[1];
    if (items > 65536 || items * b->workgroup[2] > b->sim->profile->cu.max_workgroup_items || !b->workgroup[2] ||
        !items)
        return err_set(e, ERR_USAGE, "workgroup of %ux%ux%u; expected 1 to %u work-items", b->workgroup[0],
                       b->workgroup[1], b->workgroup[2], b->sim->profile->cu.max_workgroup_items);
    b->waves_per_group = (uint32_t)((items * b->workgroup[2] + b->lanes - 1) / b->lanes);
    return 0;
}

/* A buffer for each pointer and zeros for the rest, unless the item has SPECs. */
static int arguments(struct compare_bench *b, struct arena *arena, struct err *e)
{
    const struct co_kernel_metadata *m = code_object_kernel(b->module->code->co, b->kernel[0])->metadata;
    const char *const *specs = b->item->args;
    size_t count = b->item->arg_count;
    struct gcnsim_error error = {0};

    if (b->sequence)
        return gcnsim_alloc(b->sim, DATA_BYTES, "data", &b->data, &error) == GCNSIM_OK
                   ? 0
                   : err_set(e, (enum err_code)error.code, "%s", error.text);
    if (!specs && m) {
        const char **made = ARENA_NEW(arena, (size_t)m->explicit_arg_count + 1, const char *);
        for (uint32_t k = 0; made && k < m->arg_count && count < m->explicit_arg_count; k++) {
            const struct co_arg *a = &m->args[k];
            size_t room = 2 * (size_t)a->size + 32;
            if (co_arg_is_hidden(a->kind))
                continue;
            if (a->size > 65536)
                return err_set(e, ERR_USAGE, "argument %u of %u bytes; expected arguments to be given", k, a->size);
            char *text = ARENA_NEW(arena, room, char);
            if (!text) {
                made = NULL;
                break;
            }
            if (a->kind == CO_ARG_BY_VALUE)
                snprintf(text, room, "bytes:%0*d", 2 * (int)a->size, 0);
            else
                snprintf(text, room, "buf:%d", a->kind == CO_ARG_GLOBAL_BUFFER ? DATA_BYTES : 1024);
            made[count++] = text;
        }
        if (!made)
            return err_set(e, ERR_NOMEM, "out of host memory for arguments");
        specs = made;
    }
    if (gcnsim_args_parse(b->module, b->kernel[0], specs, count, b->item->directory, &b->args, &error) != GCNSIM_OK)
        return err_set(e, (enum err_code)error.code, "%s", error.text);
    return 0;
}

int compare_bench_load(struct compare_bench *b, struct arena *arena, struct err *e)
{
    struct gcnsim_error error = {0};

    if (gcnsim_open(&b->sim, b->o->profile, &error) != GCNSIM_OK)
        return err_set(e, (enum err_code)error.code, "%s", error.text);
    if (b->o->max_memory)
        gcnsim_set_max_memory(b->sim, b->o->max_memory);
    if (gcnsim_load_memory(b->sim, &b->module, b->item->bytes, b->item->size, b->item->label, NULL, &error) !=
        GCNSIM_OK)
        return err_set(e, (enum err_code)error.code, "%s", error.text);
    if (!b->sim->profile)
        return err_set(e, ERR_USAGE, "there is no profile for target %s", b->module->target->name);
    if (b->o->set_count && profile_set_all(b->sim->profile, b->o->set_count, b->o->sets, e)) {
        b->wrong_setting = true;
        return -1;
    }
    return one_cu(b, e) || find_kernels(b, e) || shape(b, e) || arguments(b, arena, e) ? -1 : 0;
}

int compare_bench_open(struct compare_bench *b, struct arena *arena, struct err *e)
{
    b->few = COMPARE_FEW_PASSES;
    b->many = COMPARE_MANY_PASSES;
    b->plan = (struct compare_plan){.window = {COMPARE_WINDOW, COMPARE_WINDOW}};
    return compare_bench_load(b, arena, e) || compare_fit_copies(b, arena, e) ? -1 : 0;
}

void compare_bench_close(struct compare_bench *b)
{
    gcnsim_result_free(b->kept);
    gcnsim_args_free(b->args);
    gcnsim_close(b->sim);
    free(b->window_memory);
    free(b->own_bytes);
    b->kept = NULL;
    b->args = NULL;
    b->sim = NULL;
    b->window_memory = NULL;
    b->own_bytes = NULL;
}
