/* Public API: inspection of code objects, and their occupancy. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api/api.h"
#include "sim/launch/state.h"

/* A built-in profile that occupancy was asked on, in a simulator of its own. A file with many kernels asks the same few
 * profiles very often, and reading one takes longer than all else. */
struct known_profile {
    struct known_profile *next;
    struct gcnsim *sim;
    char name[]; /* "": the target's default */
};

struct code_profiles {
    pthread_mutex_t lock; /* of all of it: code objects are read by several threads */
    struct known_profile *known;
};

static struct gcnsim_code *new_code(struct err *e)
{
    struct gcnsim_code *code = calloc(1, sizeof *code);

    if (code && !(code->profiles = calloc(1, sizeof *code->profiles))) {
        free(code);
        code = NULL;
    }
    if (code)
        pthread_mutex_init(&code->profiles->lock, NULL);
    else
        err_set(e, ERR_NOMEM, "out of host memory for a code object");
    return code;
}

int api_code_wrap(struct gcnsim_code **out, struct code_object *co, struct err *e)
{
    struct gcnsim_code *code = new_code(e);

    if (!code) {
        code_object_close(co);
        return -1;
    }
    code->co = co;
    co_target_format(code_object_target(co), code->target);
    *out = code;
    return 0;
}

static const struct gcnsim_code_source initial = {.max_memory = GCNSIM_DEFAULT_MAX_MEMORY};

static const struct api_struct kind = {.what = "code source",
                                       .init = "gcnsim_code_source_init",
                                       .initial = &initial,
                                       .bytes = sizeof initial,
                                       .least = API_BYTES_THROUGH(struct gcnsim_code_source, index)};

void gcnsim_code_source_init_sized(struct gcnsim_code_source *s, size_t struct_bytes)
{
    api_struct_init(&kind, s, struct_bytes);
}

int api_source_take(struct gcnsim_code_source *s, struct co_source *to, const struct gcnsim_code_source *from,
                    struct err *e)
{
    if (api_struct_take(&kind, s, from, e))
        return -1;
    *to = (struct co_source){.path = s->path,
                             .bytes = s->bytes,
                             .size = s->size,
                             .name = s->name ? s->name : "memory",
                             .want_target = s->want_target,
                             .kernel = s->kernel,
                             .by_index = s->by_index,
                             .index = s->index};
    if (!s->path == !s->bytes)
        return err_set(e, ERR_USAGE, "code source: %s; expected one of path and bytes",
                       s->path ? "both path and bytes" : "neither path nor bytes");
    return 0;
}

struct gcnsim_code *api_code_counted(uint64_t max_memory, struct err *e)
{
    struct gcnsim_code *code = new_code(e);

    if (code)
        budget_init(&code->budget, max_memory ? max_memory : UINT64_MAX);
    return code;
}

int api_code_finish(struct gcnsim_code **out, struct gcnsim_code *code, int failed, struct err *e,
                    struct gcnsim_error *error)
{
    if (failed) {
        budget_explain(&code->budget, e);
        gcnsim_code_close(code);
        return api_fail(error, e);
    }
    co_target_format(code_object_target(code->co), code->target);
    *out = code;
    return GCNSIM_OK;
}

struct gcnsim_code_source api_source_of_memory(const void *bytes, size_t size, const char *name,
                                               const char *want_target)
{
    struct gcnsim_code_source s;

    gcnsim_code_source_init(&s);
    s.bytes = bytes ? bytes : "";
    s.size = bytes ? size : 0;
    s.name = name;
    s.want_target = want_target;
    return s;
}

struct gcnsim_code_source api_source_of_file(const char *path, const char *want_target)
{
    struct gcnsim_code_source s;

    gcnsim_code_source_init(&s);
    s.path = path;
    s.want_target = want_target;
    return s;
}

int gcnsim_code_open(struct gcnsim_code **out, const struct gcnsim_code_source *source, struct gcnsim_error *error)
{
    struct gcnsim_code_source s;
    struct gcnsim_code *code;
    struct co_source from;
    struct err e = {0};

    if (api_source_take(&s, &from, source, &e) || !(code = api_code_counted(s.max_memory, &e)))
        return api_fail(error, &e);
    return api_code_finish(out, code, code_object_open_source(&code->co, &from, &code->budget, &e), &e, error);
}

int gcnsim_code_open_memory(struct gcnsim_code **out, const void *bytes, size_t size, const char *name,
                            const char *want_target, struct gcnsim_error *error)
{
    struct gcnsim_code_source s = api_source_of_memory(bytes, size, name, want_target);

    return gcnsim_code_open(out, &s, error);
}

int gcnsim_code_open_file(struct gcnsim_code **out, const char *path, const char *want_target,
                          struct gcnsim_error *error)
{
    struct gcnsim_code_source s = api_source_of_file(path, want_target);

    return gcnsim_code_open(out, &s, error);
}

uint32_t gcnsim_code_index(const struct gcnsim_code *code, uint32_t *of)
{
    if (of)
        *of = code_object_of(code->co);
    return code_object_index(code->co);
}

static void forget_profiles(struct code_profiles *p)
{
    while (p->known) {
        struct known_profile *k = p->known;
        p->known = k->next;
        gcnsim_close(k->sim);
        free(k);
    }
    pthread_mutex_destroy(&p->lock);
    free(p);
}

void gcnsim_code_close(struct gcnsim_code *code)
{
    if (!code)
        return;
    code_object_close(code->co);
    forget_profiles(code->profiles);
    free(code);
}

void gcnsim_code_get_info_sized(const struct gcnsim_code *code, struct gcnsim_code_info *info, size_t info_bytes)
{
    const struct gcnsim_code_info own = {.name = code_object_name(code->co),
                                         .target = code->target,
                                         .processor = code_object_target(code->co)->name,
                                         .code_object_version = code_object_version(code->co),
                                         .kernel_count = code_object_kernel_count(code->co),
                                         .symbol_count = code_object_symbol_count(code->co),
                                         .os = code_object_os(code->co),
                                         .where = code_object_where(code->co)};

    api_struct_give(info, info_bytes, &own, sizeof own);
}

int gcnsim_code_register(const struct gcnsim_code *code, uint32_t index, uint32_t *address, uint32_t *value,
                         const char **name)
{
    if (!code_object_register(code->co, index, address, value))
        return GCNSIM_ERROR_USAGE;
    *name = co_register_name(*address);
    return GCNSIM_OK;
}

/* A kernel's properties from the metadata. */
static void info_from_metadata(const struct co_kernel_metadata *m, struct gcnsim_kernel_info *k)
{
    k->has_metadata = 1;
    k->symbol = m->symbol;
    k->kernarg_size = m->kernarg_segment_size;
    k->kernarg_align = m->kernarg_segment_align;
    k->vgpr_count = m->vgpr_count;
    k->agpr_count = m->agpr_count;
    k->sgpr_count = m->sgpr_count;
    k->vgpr_spill_count = m->vgpr_spill_count;
    k->sgpr_spill_count = m->sgpr_spill_count;
    k->max_flat_workgroup_size = m->max_flat_workgroup_size;
    memcpy(k->reqd_workgroup_size, m->reqd_workgroup_size, sizeof k->reqd_workgroup_size);
    memcpy(k->cluster_dims, m->cluster_dims, sizeof k->cluster_dims);
    k->uniform_work_group_size = m->uniform_work_group_size;
    k->arg_count = m->arg_count;
    k->explicit_arg_count = m->explicit_arg_count;
}

int gcnsim_code_kernel_sized(const struct gcnsim_code *code, uint32_t index, struct gcnsim_kernel_info *info,
                             size_t info_bytes)
{
    if (index >= code_object_kernel_count(code->co))
        return GCNSIM_ERROR_USAGE;
    const struct co_kernel *k = code_object_kernel(code->co, index);
    const struct kernel_descriptor *d = &k->descriptor;
    const struct co_target_id *id = code_object_target(code->co);
    struct co_rsrc r;

    co_rsrc_decode(&r, id->family, d->enable_wavefront_size32, d->compute_pgm_rsrc1, d->compute_pgm_rsrc2,
                   d->compute_pgm_rsrc3);
    struct gcnsim_kernel_info own = {
        .name = k->name,
        .symbol = k->name,
        .code_offset = k->entry_vaddr,
        .code_size = k->code_bytes,
        .kernarg_size = d->kernarg_size,
        .group_segment_fixed_size = d->group_segment_fixed_size,
        .private_segment_fixed_size = d->private_segment_fixed_size,
        .uses_dynamic_stack = d->uses_dynamic_stack,
        .wavefront_size = d->enable_wavefront_size32 ? 32 : 64,
        .vgprs = r.arch_vgprs,
        .agprs = r.acc_vgprs,
        .sgprs = r.sgprs,
        .compute_pgm_rsrc1 = d->compute_pgm_rsrc1,
        .compute_pgm_rsrc2 = d->compute_pgm_rsrc2,
        .compute_pgm_rsrc3 = d->compute_pgm_rsrc3,
        .kernel_code_properties = d->kernel_code_properties,
    };
    if (k->metadata)
        info_from_metadata(k->metadata, &own);
    api_struct_give(info, info_bytes, &own, sizeof own);
    return GCNSIM_OK;
}

const char *gcnsim_code_kernel_refused(const struct gcnsim_code *code, uint32_t index)
{
    const struct co_kernel *k = code_object_kernel(code->co, index);

    return k ? k->refused : NULL;
}

int api_check_kernel(const struct code_object *co, uint32_t index, struct err *e)
{
    const struct co_kernel *k = code_object_kernel(co, index);

    if (!k)
        return err_set(e, ERR_USAGE, "%s: kernel %u of %u", code_object_name(co), index, code_object_kernel_count(co));
    return k->refused ? err_set(e, ERR_FORMAT, "%s: %s", code_object_name(co), k->refused) : 0;
}

int gcnsim_code_find_kernel(const struct gcnsim_code *code, const char *name, uint32_t *index,
                            struct gcnsim_error *error)
{
    struct err e = {0};
    const struct co_kernel *k = code_object_find_kernel(code->co, name, &e);

    if (!k)
        return api_fail(error, &e);
    for (uint32_t i = 0; i < code_object_kernel_count(code->co); i++)
        if (code_object_kernel(code->co, i) == k)
            *index = i;
    return GCNSIM_OK;
}

int gcnsim_code_kernel_arg_sized(const struct gcnsim_code *code, uint32_t kernel, uint32_t index,
                                 struct gcnsim_arg_info *info, size_t info_bytes)
{
    if (kernel >= code_object_kernel_count(code->co))
        return GCNSIM_ERROR_USAGE;
    const struct co_kernel_metadata *m = code_object_kernel(code->co, kernel)->metadata;
    if (!m || index >= m->arg_count)
        return GCNSIM_ERROR_USAGE;
    const struct co_arg *a = &m->args[index];
    const struct gcnsim_arg_info own = {.name = a->name,
                                        .type_name = a->type_name,
                                        .value_kind = a->kind_text,
                                        .address_space = co_address_space_text(a->address_space),
                                        .access = co_access_text(a->access),
                                        .offset = a->offset,
                                        .size = a->size,
                                        .hidden = co_arg_is_hidden(a->kind)};
    api_struct_give(info, info_bytes, &own, sizeof own);
    return GCNSIM_OK;
}

int gcnsim_code_symbol_sized(const struct gcnsim_code *code, uint32_t index, struct gcnsim_symbol_info *info,
                             size_t info_bytes)
{
    if (index >= code_object_symbol_count(code->co))
        return GCNSIM_ERROR_USAGE;
    const struct co_symbol *s = code_object_symbol(code->co, index);
    const struct gcnsim_symbol_info own = {.name = s->name,
                                           .type = s->kind == CO_SYMBOL_DESCRIPTOR ? GCNSIM_SYMBOL_KERNEL
                                                   : s->kind == CO_SYMBOL_FUNCTION || s->kind == CO_SYMBOL_LABEL
                                                       ? GCNSIM_SYMBOL_FUNCTION
                                                       : GCNSIM_SYMBOL_OBJECT,
                                           .value = s->vaddr,
                                           .size = s->size};
    api_struct_give(info, info_bytes, &own, sizeof own);
    return GCNSIM_OK;
}

/* Whether the segment that holds an address may be written to. */
static bool is_writable(const struct code_object *co, uint64_t vaddr)
{
    for (unsigned i = 0; i < code_object_segment_count(co); i++) {
        const struct co_segment *s = code_object_segment(co, i);
        if (s->vaddr <= vaddr && vaddr - s->vaddr < s->memory_bytes)
            return s->writable;
    }
    return false;
}

uint32_t gcnsim_code_symbol_flags(const struct gcnsim_code *code, uint32_t index)
{
    if (index >= code_object_symbol_count(code->co))
        return 0;
    const struct co_symbol *s = code_object_symbol(code->co, index);
    uint32_t flags = s->global ? GCNSIM_SYMBOL_GLOBAL : 0;

    if (s->kind == CO_SYMBOL_ABSOLUTE)
        return flags | GCNSIM_SYMBOL_ABSOLUTE;
    return is_writable(code->co, s->vaddr) ? flags | GCNSIM_SYMBOL_WRITABLE : flags;
}

const void *gcnsim_code_elf(const struct gcnsim_code *code, size_t *size)
{
    return code_object_file(code->co, size);
}

int gcnsim_code_text(const struct gcnsim_code *code, uint32_t index, struct gcnsim_code_range *range)
{
    uint64_t available = 0;

    if (index >= code_object_text_count(code->co))
        return GCNSIM_ERROR_USAGE;
    const struct co_text *t = code_object_text(code->co, index);
    const uint8_t *bytes = code_object_bytes(code->co, t->vaddr, &available);
    *range = (struct gcnsim_code_range){
        .address = t->vaddr, .bytes = bytes, .size = available < t->size ? available : t->size};
    return GCNSIM_OK;
}

void gcnsim_code_get_image(const struct gcnsim_code *code, struct gcnsim_code_image *image)
{
    struct co_image_info info;

    code_object_image_info(code->co, &info);
    *image = (struct gcnsim_code_image){.address = info.base_vaddr, .size = info.size, .align = info.align};
}

/* The caller's answers, as the loader takes them. */
struct resolver {
    gcnsim_resolve_fn *ask;
    void *ctx;
};

static bool resolve_symbol(void *ctx, const char *name, uint64_t *address)
{
    const struct resolver *r = ctx;

    return r->ask(r->ctx, name, address) != 0;
}

int gcnsim_code_place(const struct gcnsim_code *code, void *to, size_t size, uint64_t address,
                      gcnsim_resolve_fn *resolve, void *ctx, struct gcnsim_error *error)
{
    struct resolver r = {resolve, ctx};
    struct err e = {0};

    if (code_object_image_resolved(code->co, to, size, address, resolve ? resolve_symbol : NULL, &r, &e))
        return api_fail(error, &e);
    return GCNSIM_OK;
}

void api_occupancy(const struct launch_occupancy *o, uint32_t cus, struct gcnsim_occupancy *out)
{
    *out = (struct gcnsim_occupancy){.waves_per_simd = o->waves_per_simd,
                                     .workgroups_per_cu = o->groups_per_cu,
                                     .waves_per_workgroup = o->waves_per_group,
                                     .limiter = o->limiter,
                                     .vgprs_allocated = o->vgpr_alloc,
                                     .agprs_allocated = o->agpr_alloc,
                                     .sgprs_allocated = o->sgpr_alloc,
                                     .lds_bytes_allocated = o->lds_alloc_bytes,
                                     .cus = cus};
}

static int occupancy(const struct gcnsim_code *code, uint32_t kernel, uint32_t items, uint32_t dynamic_lds,
                     struct gcnsim *scratch, struct gcnsim_occupancy *out, struct err *e)
{
    const struct co_target_id *id = code_object_target(code->co);
    const struct co_kernel *k = code_object_kernel(code->co, kernel);
    const struct kernel_descriptor *d = &k->descriptor;
    struct launch l = {.lanes = d->enable_wavefront_size32 ? 32 : 64};
    uint64_t lds = (uint64_t)d->group_segment_fixed_size + dynamic_lds;
    struct co_rsrc r;

    if (k->refused)
        return err_set(e, ERR_FORMAT, "%s", k->refused);
    if (!scratch->profile)
        return err_set(e, ERR_USAGE, "there is no profile for target %s", id->name);
    l.profile = scratch->profile;
    l.target = api_target(scratch, api_processor(id, l.profile), e);
    if (!l.target)
        return -1;
    if (!items)
        items = k->metadata && k->metadata->max_flat_workgroup_size ? k->metadata->max_flat_workgroup_size : 256;
    if (items > l.profile->cu.max_workgroup_items)
        items = l.profile->cu.max_workgroup_items;
    l.waves_per_group = (items + l.lanes - 1) / l.lanes;
    if (lds > l.profile->cu.lds_max_per_workgroup_bytes)
        return err_set(e, ERR_USAGE, "kernel %s: %llu bytes of LDS; profile %s allows %u", k->name,
                       (unsigned long long)lds, l.profile->name, l.profile->cu.lds_max_per_workgroup_bytes);
    l.lds_bytes = (uint32_t)lds;
    co_rsrc_decode(&r, id->family, l.lanes == 32, d->compute_pgm_rsrc1, d->compute_pgm_rsrc2, d->compute_pgm_rsrc3);
    if (launch_registers(&l, &r, id->family, e) || launch_set_occupancy(&l, e))
        return err_prefix(e, "kernel %s", k->name);
    api_occupancy(&l.occupancy, l.wgp_mode ? l.profile->gpu.cus_per_wgp : 1, out);
    return 0;
}

/* A simulator with the profile; null with *e. */
static struct gcnsim *open_profile(const struct gcnsim_code *code, const char *profile, struct err *e)
{
    struct gcnsim_error error = {0};
    struct gcnsim *sim = NULL;

    if (gcnsim_open(&sim, profile, &error)) {
        err_set(e, (enum err_code)error.code, "%s", error.text);
        return NULL;
    }
    if (api_choose_profile(sim, code_object_target(code->co), e)) {
        gcnsim_close(sim);
        return NULL;
    }
    return sim;
}

/* The same for a built-in profile or the default one, which is kept. */
static struct gcnsim *known_profile(const struct gcnsim_code *code, const char *name, struct err *e)
{
    struct known_profile *k;

    for (k = code->profiles->known; k; k = k->next)
        if (strcmp(k->name, name) == 0)
            return k->sim;
    if (!(k = calloc(1, sizeof *k + strlen(name) + 1))) {
        err_set(e, ERR_NOMEM, "out of host memory for a profile");
        return NULL;
    }
    memcpy(k->name, name, strlen(name));
    if (!(k->sim = open_profile(code, *name ? name : NULL, e))) {
        free(k);
        return NULL;
    }
    k->next = code->profiles->known;
    code->profiles->known = k;
    return k->sim;
}

int gcnsim_code_occupancy_sized(const struct gcnsim_code *code, uint32_t kernel, const char *profile,
                                uint32_t workgroup_items, uint32_t dynamic_lds, struct gcnsim_occupancy *out,
                                size_t out_bytes, struct gcnsim_error *error)
{
    bool is_file = profile && strpbrk(profile, "./"); /* its contents may change */
    struct gcnsim_occupancy own;
    struct err e = {0};

    if (kernel >= code_object_kernel_count(code->co)) {
        err_set(&e, ERR_USAGE, "%s: kernel %u of %u", code_object_name(code->co), kernel,
                code_object_kernel_count(code->co));
        return api_fail(error, &e);
    }
    pthread_mutex_lock(&code->profiles->lock);
    struct gcnsim *sim = is_file ? open_profile(code, profile, &e) : known_profile(code, profile ? profile : "", &e);
    int failed = sim ? occupancy(code, kernel, workgroup_items, dynamic_lds, sim, &own, &e) : -1;
    if (is_file)
        gcnsim_close(sim);
    pthread_mutex_unlock(&code->profiles->lock);
    if (failed)
        return api_fail(error, &e);
    api_struct_give(out, out_bytes, &own, sizeof own);
    return GCNSIM_OK;
}
