/* Public API: errors, simulators, device memory. */
#define _GNU_SOURCE
#include "sim/api/api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api/at_once.h"
#include "sim/util/thread_pool.h"

_Static_assert((int)GCNSIM_ERROR_IO == ERR_IO && (int)GCNSIM_ERROR_RUN_LIMIT == ERR_RUN_LIMIT,
               "gcnsim_status mirrors err_code");

const char *gcnsim_version(void)
{
    return GCNSIM_VERSION;
}

uint32_t gcnsim_version_number(void)
{
    return GCNSIM_VERSION_NUMBER;
}

const char *gcnsim_status_text(int status)
{
    switch ((enum gcnsim_status)status) {
    case GCNSIM_OK:
        return "success";
    case GCNSIM_ERROR_IO:
        return "the operating system refused";
    case GCNSIM_ERROR_FORMAT:
        return "malformed input";
    case GCNSIM_ERROR_USAGE:
        return "the request makes no sense";
    case GCNSIM_ERROR_UNSUPPORTED:
        return "not modelled by gcnsim";
    case GCNSIM_ERROR_NOMEM:
        return "host memory exhausted";
    case GCNSIM_ERROR_FAULT:
        return "the simulated program faulted";
    case GCNSIM_ERROR_LIMIT:
        return "more than a limit allows";
    case GCNSIM_ERROR_INTERRUPTED:
        return "interrupted";
    case GCNSIM_ERROR_RUN_LIMIT:
        return "the simulated program reached its limit of cycles or instructions";
    }
    return "unknown status";
}

void gcnsim_free(void *p)
{
    free(p);
}

int api_fail(struct gcnsim_error *out, const struct err *e)
{
    int code = e->code ? (int)e->code : GCNSIM_ERROR_NOMEM;

    if (out) {
        out->code = code;
        snprintf(out->text, sizeof out->text, "%s", e->code ? e->text : "out of host memory");
    }
    return code;
}

int api_fail_in(struct gcnsim *sim, struct gcnsim_error *out, struct err *e)
{
    budget_explain(&sim->budget, e);
    return api_fail(out, e);
}

/* ---- simulators ---- */

int gcnsim_open(struct gcnsim **out, const char *profile, struct gcnsim_error *error)
{
    struct err e = {0};
    struct gcnsim *sim = calloc(1, sizeof *sim);

    if (!sim || !(sim->pool = thread_pool_new())) {
        free(sim);
        err_set(&e, ERR_NOMEM, "out of host memory for a simulator");
        return api_fail(error, &e);
    }
    budget_init(&sim->budget, GCNSIM_DEFAULT_MAX_MEMORY);
    isa_gws_init(&sim->gws);
    mem_space_init(&sim->space);
    sim->space.budget = &sim->budget;
    if (profile && profile_load(&sim->profile, profile, &e)) {
        gcnsim_close(sim);
        return api_fail(error, &e);
    }
    *out = sim;
    return GCNSIM_OK;
}

void api_threads_at_once(struct gcnsim *sim)
{
    sim->threads_at_once = true;
}

void api_follow_pieces(struct gcnsim *sim, const struct engine_pieces *pieces)
{
    sim->pieces = pieces;
}

/* Takes the last `count` assignments off the list again. */
static void forget_sets(struct gcnsim *sim, size_t count)
{
    while (count--)
        free(sim->sets[--sim->set_count]);
}

void gcnsim_close(struct gcnsim *sim)
{
    if (!sim)
        return;
    while (sim->modules)
        gcnsim_unload(sim->modules);
    while (sim->targets) {
        struct sim_target *t = sim->targets;
        sim->targets = t->next;
        isa_target_close(t->isa);
        free(t);
    }
    forget_sets(sim, sim->set_count);
    free(sim->sets);
    engine_device_free(sim->device);
    mem_space_destroy(&sim->space);
    profile_free(sim->profile);
    isa_gws_destroy(&sim->gws);
    thread_pool_free(sim->pool);
    free(sim);
}

/* Puts assignments on the list; all or none. */
static int keep_sets(struct gcnsim *sim, const char *const *assignments, size_t count, struct err *e)
{
    char **sets = realloc(sim->sets, (sim->set_count + count + 1) * sizeof *sets);

    if (sets)
        sim->sets = sets;
    for (size_t i = 0; i < count; i++) {
        if (!sets || !(sets[sim->set_count] = strdup(assignments[i]))) {
            forget_sets(sim, i);
            return err_set(e, ERR_NOMEM, "out of host memory for %zu settings", count);
        }
        sim->set_count++;
    }
    return 0;
}

int gcnsim_set_all(struct gcnsim *sim, const char *const *assignments, size_t count, struct gcnsim_error *error)
{
    struct err e = {0};

    for (size_t i = 0; i < count && !sim->profile; i++)
        if (!strchr(assignments[i], '=')) {
            err_set(&e, ERR_USAGE, "'%s': expected path.in.profile=VALUE", assignments[i]);
            return api_fail(error, &e);
        }
    if (keep_sets(sim, assignments, count, &e))
        return api_fail(error, &e);
    if (sim->profile && count && profile_set_all(sim->profile, count, assignments, &e)) {
        forget_sets(sim, count);
        return api_fail(error, &e);
    }
    sim->profile_sha256[0] = 0;
    if (count)
        gcnsim_device_reset(sim);
    return GCNSIM_OK;
}

int gcnsim_set(struct gcnsim *sim, const char *path, const char *value, struct gcnsim_error *error)
{
    struct err e = {0};
    char *text;

    if (asprintf(&text, "%s=%s", path, value) < 0) {
        err_set(&e, ERR_NOMEM, "out of host memory");
        return api_fail(error, &e);
    }
    const char *one[] = {text};
    int code = gcnsim_set_all(sim, one, 1, error);
    free(text);
    return code;
}

void gcnsim_set_max_memory(struct gcnsim *sim, uint64_t bytes)
{
    sim->budget.limit = bytes ? bytes : UINT64_MAX;
}

void gcnsim_get_memory_sized(const struct gcnsim *sim, struct gcnsim_memory *memory, size_t memory_bytes)
{
    const struct gcnsim_memory own = {.limit_bytes = sim->budget.limit,
                                      .held_bytes = atomic_load(&sim->budget.held),
                                      .peak_bytes = atomic_load(&sim->budget.peak)};

    api_struct_give(memory, memory_bytes, &own, sizeof own);
}

const char *gcnsim_profile_name(const struct gcnsim *sim)
{
    return sim->profile ? sim->profile->name : NULL;
}

int gcnsim_profile_number(const struct gcnsim *sim, const char *path, double *value)
{
    return sim->profile && profile_number(sim->profile, path, value) ? GCNSIM_OK : GCNSIM_ERROR_USAGE;
}

const struct isa_target *api_target(struct gcnsim *sim, const char *name, struct err *e)
{
    struct sim_target *t;

    for (t = sim->targets; t; t = t->next)
        if (strcmp(t->isa->name, name) == 0)
            return t->isa;
    if (!(t = calloc(1, sizeof *t))) {
        err_set(e, ERR_NOMEM, "out of host memory for target %s", name);
        return NULL;
    }
    if (isa_target_open(&t->isa, name, NULL, e)) {
        free(t);
        return NULL;
    }
    t->next = sim->targets;
    sim->targets = t;
    return t->isa;
}

/* Processors without a table of instructions of their own: whose it is. Those of the first list have the same features
 * as LLVM 19 states them (clang's target-features), but for gfx904, which lacks some of gfx906's, gfx1013, whose ray
 * instructions nobody here runs, and gfx1011 and gfx1012, whose dot products are illegal instructions here. */
static const char *const same_instructions[][2] = {
    {"gfx902", "gfx900"},   {"gfx904", "gfx906"},   {"gfx909", "gfx900"},   {"gfx90c", "gfx900"},
    {"gfx940", "gfx942"},   {"gfx941", "gfx942"},   {"gfx1011", "gfx1010"}, {"gfx1012", "gfx1010"},
    {"gfx1013", "gfx1010"}, {"gfx1031", "gfx1030"}, {"gfx1032", "gfx1030"}, {"gfx1033", "gfx1030"},
    {"gfx1034", "gfx1030"}, {"gfx1035", "gfx1030"}, {"gfx1036", "gfx1030"}, {"gfx1152", "gfx1150"},
    {"gfx1153", "gfx1150"},
};
static const char *const generic[][2] = {
    {"gfx9-generic", "gfx900"},     {"gfx9-4-generic", "gfx942"}, {"gfx10-1-generic", "gfx1010"},
    {"gfx10-3-generic", "gfx1030"}, {"gfx11-generic", "gfx1100"}, {"gfx12-generic", "gfx1200"},
};

static const char *find_processor(const char *const pairs[][2], size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(pairs[i][0], name) == 0)
            return pairs[i][1];
    return NULL;
}

#define FIND_PROCESSOR(PAIRS, NAME) find_processor(PAIRS, sizeof(PAIRS) / sizeof *(PAIRS), NAME)

const char *api_processor(const struct co_target_id *id, const struct profile *p)
{
    const char *member = FIND_PROCESSOR(generic, id->name);
    struct co_target_id want;

    if (!member)
        return gcnsim_instruction_set(id->name);
    if (p && co_target_parse(&want, p->target, NULL) == 0 && co_target_match(id, &want))
        return p->target;
    return member;
}

const char *gcnsim_instruction_set(const char *processor)
{
    const char *other = FIND_PROCESSOR(same_instructions, processor);

    if (!other)
        other = FIND_PROCESSOR(generic, processor);
    return other ? other : processor;
}

bool api_has_default_profile(const char *target)
{
    struct profile_entry entry;

    for (size_t i = 0; profile_at(i, &entry); i++)
        if (entry.is_default_for_target && strcmp(entry.target, target) == 0)
            return true;
    return false;
}

static int check_profile(struct gcnsim *sim, const struct co_target_id *id, struct err *e)
{
    struct co_target_id want;
    const struct isa_target *mine, *other;

    if (co_target_parse(&want, sim->profile->target, e))
        return err_prefix(e, "profile %s: target", sim->profile->name);
    if (co_target_match(id, &want) || strcmp(id->name, want.name) == 0)
        return 0;
    /* a sibling with the same instruction set runs it too: gfx1200 code on a gfx1201 chip, not gfx1251's on gfx1250 */
    mine = api_target(sim, sim->profile->target, e);
    other = mine ? api_target(sim, api_processor(id, sim->profile), e) : NULL;
    if (!other)
        return -1;
    if (mine->node != other->node || (isa_has(other, FEAT_DPP_64) && !isa_has(mine, FEAT_DPP_64)))
        return err_set(e, ERR_USAGE, "made for %s, which profile %s (%s) does not run", id->name, sim->profile->name,
                       sim->profile->target);
    return 0;
}

int api_choose_profile(struct gcnsim *sim, const struct co_target_id *id, struct err *e)
{
    const char *processor = api_processor(id, sim->profile);
    struct profile *p = NULL;

    if (sim->profile)
        return check_profile(sim, id, e);
    if (!api_has_default_profile(processor)) {
        if (!sim->set_count)
            return 0;
        err_set(e, ERR_USAGE, "%s: there is no profile for target %s to set it in", sim->sets[0], processor);
        return 1;
    }
    if (profile_load(&p, processor, e))
        return -1;
    if (sim->set_count && profile_set_all(p, sim->set_count, (const char *const *)sim->sets, e)) {
        profile_free(p);
        return 1;
    }
    sim->profile = p;
    return 0;
}

/* ---- the device ---- */

void gcnsim_device_reset(struct gcnsim *sim)
{
    if (sim->device)
        engine_device_reset(sim->device);
}

void gcnsim_device_written(struct gcnsim *sim, uint64_t address, uint64_t bytes)
{
    if (sim->device)
        engine_device_written(sim->device, bytes == UINT64_MAX ? 0 : address, bytes);
}

void gcnsim_device_copy_gws(struct gcnsim *to, struct gcnsim *from)
{
    isa_gws_copy(&to->gws, &from->gws);
}

uint64_t gcnsim_device_clock(const struct gcnsim *sim)
{
    return sim->device ? engine_device_clock(sim->device) : 0;
}

int api_use_device(struct gcnsim *sim, bool timing, bool cold, struct engine_options *o, struct err *e)
{
    if (!timing || cold)
        return 0;
    if (!sim->device && !(sim->device = engine_device_new()))
        return err_set(e, ERR_NOMEM, "out of host memory for a device");
    o->device = sim->device;
    return 0;
}

void api_device_written(struct gcnsim *sim, gaddr_t from, uint64_t bytes)
{
    if (sim->device)
        engine_device_written(sim->device, from, bytes);
}

/* ---- device memory ---- */

int gcnsim_alloc(struct gcnsim *sim, uint64_t bytes, const char *label, uint64_t *address, struct gcnsim_error *error)
{
    struct err e = {0};
    gaddr_t at;

    if (!bytes)
        err_set(&e, ERR_USAGE, "allocation '%s' of 0 bytes; expected at least 1", label ? label : "");
    else if (mem_space_alloc(&sim->space, bytes, 256, MEM_READ | MEM_WRITE | MEM_KIND_DATA,
                             label ? label : "allocation", &at, &e) == 0) {
        *address = at;
        return GCNSIM_OK;
    }
    return api_fail_in(sim, error, &e);
}

int gcnsim_dealloc(struct gcnsim *sim, uint64_t address, struct gcnsim_error *error)
{
    struct err e = {0};
    const struct mem_range *r = mem_space_find(&sim->space, address);

    if (r && (r->flags & MEM_KIND_MASK) != MEM_KIND_DATA)
        err_set(&e, ERR_USAGE, "0x%llx is in %s, which gcnsim_alloc did not make", (unsigned long long)address,
                r->label);
    else if (mem_space_free(&sim->space, address, &e) == 0)
        return GCNSIM_OK;
    return api_fail(error, &e);
}

int gcnsim_write(struct gcnsim *sim, uint64_t address, const void *from, size_t bytes, struct gcnsim_error *error)
{
    struct err e = {0};

    if (mem_space_write(&sim->space, address, from, bytes, &e))
        return api_fail(error, &e);
    api_device_written(sim, address, bytes);
    return GCNSIM_OK;
}

int gcnsim_read(struct gcnsim *sim, uint64_t address, void *to, size_t bytes, struct gcnsim_error *error)
{
    struct err e = {0};

    return mem_space_read(&sim->space, address, to, bytes, &e) ? api_fail(error, &e) : GCNSIM_OK;
}
