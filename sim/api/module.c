/* Public API: code objects in device memory, arguments from text, launch files. */
#include <stdlib.h>
#include <string.h>

#include "sim/api/api.h"
#include "sim/launch/launch_file.h"

/* Places the image and opens the program over its executable bytes. */
static int place_image(struct gcnsim_module *m, struct err *e)
{
    struct code_object *co = m->code->co;
    struct mem_space *space = &m->sim->space;
    struct co_image_info image;
    uint64_t lo = UINT64_MAX, hi = 0;
    uint32_t flags = MEM_READ | MEM_EXEC | MEM_KIND_CODE;

    code_object_image_info(co, &image);
    for (unsigned i = 0; i < code_object_segment_count(co); i++) {
        const struct co_segment *s = code_object_segment(co, i);
        if (s->writable)
            flags |= MEM_WRITE; /* one allocation for all: code in it is writable then, too */
        if (s->executable && s->memory_bytes) {
            lo = s->vaddr < lo ? s->vaddr : lo;
            hi = s->vaddr + s->memory_bytes > hi ? s->vaddr + s->memory_bytes : hi;
        }
    }
    if (mem_space_alloc(space, image.size, image.align, flags, code_object_name(co), &m->load_base, e))
        return -1;
    m->base_vaddr = image.base_vaddr;
    if (!image.size)
        return 0;
    uint8_t *host = mem_space_at(space, m->load_base, image.size, MEM_READ);
    if (code_object_image(co, host, image.size, m->load_base, e))
        return -1;
    if (lo >= hi)
        return 0;
    lo &= ~UINT64_C(3);
    if (isa_program_open(&m->program, m->target, m->load_base + (lo - image.base_vaddr), host + (lo - image.base_vaddr),
                         hi - lo, e))
        return -1;
    isa_program_set_budget(m->program, &m->sim->budget);
    return 0;
}

/* Takes ownership of `code`, also when it fails. */
static int make_module(struct gcnsim *sim, struct gcnsim_module **out, struct gcnsim_code *code, struct err *e)
{
    const struct co_target_id *id = code_object_target(code->co);
    struct gcnsim_module *m = calloc(1, sizeof *m);
    const uint8_t *file;
    size_t size;

    if (!m) {
        gcnsim_code_close(code);
        return err_set(e, ERR_NOMEM, "out of host memory for a module");
    }
    *m = (struct gcnsim_module){.sim = sim, .code = code, .next = sim->modules};
    file = code_object_file(code->co, &size);
    sha256_text(file, size, m->sha256);
    sim->modules = m;
    int refused = api_choose_profile(sim, id, e);
    if (refused || !(m->target = api_target(sim, api_processor(id, sim->profile), e)) || place_image(m, e)) {
        if (refused <= 0)
            err_prefix(e, "%s", code_object_name(code->co));
        gcnsim_unload(m);
        return -1;
    }
    *out = m;
    return 0;
}

/* Without a wish, the profile's target chooses in a bundle; code for another processor may still suit the profile, so
 * it is then opened as it is and judged by api_choose_profile(). */
static int open_code(struct gcnsim *sim, struct code_object **co, const struct co_source *from, struct err *e)
{
    struct co_source first = *from;
    struct err second = {0};

    if (!first.want_target && sim->profile)
        first.want_target = sim->profile->target;
    if (code_object_open_source(co, &first, &sim->budget, e) == 0)
        return 0;
    if (from->want_target || !first.want_target || e->code != ERR_USAGE ||
        code_object_open_source(co, from, &sim->budget, &second) != 0)
        return -1; /* the first complaint is the better one */
    err_clear(e);
    return 0;
}

int gcnsim_load(struct gcnsim *sim, struct gcnsim_module **out, const struct gcnsim_code_source *source,
                struct gcnsim_error *error)
{
    struct gcnsim_code_source s;
    struct co_source from;
    struct gcnsim_code *code;
    struct code_object *co;
    struct err e = {0};

    if (api_source_take(&s, &from, source, &e) || open_code(sim, &co, &from, &e) || api_code_wrap(&code, co, &e) ||
        make_module(sim, out, code, &e))
        return api_fail_in(sim, error, &e);
    (*out)->from_file = s.path != NULL;
    return GCNSIM_OK;
}

int gcnsim_load_file(struct gcnsim *sim, struct gcnsim_module **out, const char *path, const char *want_target,
                     struct gcnsim_error *error)
{
    struct gcnsim_code_source s = api_source_of_file(path, want_target);

    return gcnsim_load(sim, out, &s, error);
}

int gcnsim_load_memory(struct gcnsim *sim, struct gcnsim_module **out, const void *bytes, size_t size, const char *name,
                       const char *want_target, struct gcnsim_error *error)
{
    struct gcnsim_code_source s = api_source_of_memory(bytes, size, name, want_target);

    return gcnsim_load(sim, out, &s, error);
}

void gcnsim_unload(struct gcnsim_module *m)
{
    if (!m)
        return;
    for (struct gcnsim_module **p = &m->sim->modules; *p; p = &(*p)->next)
        if (*p == m) {
            *p = m->next;
            break;
        }
    if (m->program)
        isa_program_close(m->program);
    if (m->load_base) {
        const struct mem_range *r = mem_space_find(&m->sim->space, m->load_base);

        if (r && m->sim->device)
            engine_device_unloaded(m->sim->device, r->lo, r->hi);
        mem_space_free(&m->sim->space, m->load_base, NULL);
    }
    gcnsim_code_close(m->code);
    free(m);
}

const struct gcnsim_code *gcnsim_module_code(const struct gcnsim_module *module)
{
    return module->code;
}

int gcnsim_module_symbol(const struct gcnsim_module *module, const char *name, uint64_t *address, uint64_t *size,
                         struct gcnsim_error *error)
{
    struct err e = {0};
    const struct co_symbol *s = code_object_find_symbol(module->code->co, name);

    if (!s || s->kind == CO_SYMBOL_ABSOLUTE) {
        err_set(&e, ERR_USAGE, "%s: no symbol '%s' with an address", code_object_name(module->code->co), name);
        return api_fail(error, &e);
    }
    *address = module->load_base + (s->vaddr - module->base_vaddr);
    if (size)
        *size = s->size;
    return GCNSIM_OK;
}

/* ---- arguments ---- */

/* Files have been read into buffers. */
static void tell_device(struct gcnsim *sim, const struct launch_args *a)
{
    for (size_t k = 0; k < a->count; k++)
        if (a->arg[k].on_device && a->arg[k].spec.path)
            api_device_written(sim, a->arg[k].address, a->arg[k].bytes);
}

int gcnsim_args_parse_shared(struct gcnsim_module *module, uint32_t kernel, const char *const *specs, size_t count,
                             const char *directory, struct gcnsim_buffers *buffers, struct gcnsim_args **out,
                             struct gcnsim_error *error)
{
    struct err e = {0};
    struct code_object *co = module->code->co;
    struct gcnsim_args *args = calloc(1, sizeof *args);

    if (!args) {
        err_set(&e, ERR_NOMEM, "out of host memory for arguments");
    } else if (api_check_kernel(co, kernel, &e)) {
        /* the error says why */
    } else if (buffers && buffers->sim != module->sim) {
        err_set(&e, ERR_USAGE, "buffers of another simulator");
    } else if (launch_args_parse(&args->a, &module->sim->space, code_object_kernel(co, kernel), specs, count, directory,
                                 buffers ? buffers->a : NULL, &e) == 0) {
        tell_device(module->sim, args->a);
        args->module = module;
        args->kernel = kernel;
        *out = args;
        return GCNSIM_OK;
    }
    free(args);
    return api_fail_in(module->sim, error, &e);
}

const char *gcnsim_args_note(const struct gcnsim_args *args)
{
    return args->a->note[0] ? args->a->note : NULL;
}

int gcnsim_args_parse(struct gcnsim_module *module, uint32_t kernel, const char *const *specs, size_t count,
                      const char *directory, struct gcnsim_args **out, struct gcnsim_error *error)
{
    return gcnsim_args_parse_shared(module, kernel, specs, count, directory, NULL, out, error);
}

int gcnsim_buffers_make(struct gcnsim *sim, const char *const *names, const char *const *specs, size_t count,
                        const char *directory, struct gcnsim_buffers **out, struct gcnsim_error *error)
{
    struct err e = {0};
    struct gcnsim_buffers *b = calloc(1, sizeof *b);

    if (!b) {
        err_set(&e, ERR_NOMEM, "out of host memory for buffers");
    } else if (launch_buffers_make(&b->a, &sim->space, names, specs, count, directory, &e) == 0) {
        b->sim = sim;
        tell_device(sim, b->a);
        *out = b;
        return GCNSIM_OK;
    }
    free(b);
    return api_fail_in(sim, error, &e);
}

int gcnsim_buffers_find(const struct gcnsim_buffers *buffers, const char *name, uint64_t *address, uint64_t *size)
{
    for (size_t k = 0; k < buffers->a->count; k++)
        if (strcmp(buffers->a->arg[k].spec.buffer, name) == 0) {
            *address = buffers->a->arg[k].address;
            *size = buffers->a->arg[k].bytes;
            return GCNSIM_OK;
        }
    return GCNSIM_ERROR_USAGE;
}

int gcnsim_buffers_write_output(const struct gcnsim_buffers *buffers, uint32_t index, struct gcnsim_error *error)
{
    struct err e = {0};

    return index < buffers->a->count && launch_args_write_output(buffers->a, index, &e) ? api_fail(error, &e)
                                                                                        : GCNSIM_OK;
}

void gcnsim_buffers_free(struct gcnsim_buffers *buffers)
{
    if (!buffers)
        return;
    launch_args_free(buffers->a);
    free(buffers);
}

int gcnsim_args_write_outputs(const struct gcnsim_args *args, struct gcnsim_error *error)
{
    struct err e = {0};

    return launch_args_write_outputs(args->a, &e) ? api_fail(error, &e) : GCNSIM_OK;
}

int gcnsim_args_write_output(const struct gcnsim_args *args, uint32_t index, struct gcnsim_error *error)
{
    struct err e = {0};

    return index < args->a->count && launch_args_write_output(args->a, index, &e) ? api_fail(error, &e) : GCNSIM_OK;
}

int gcnsim_args_buffer(const struct gcnsim_args *args, uint32_t index, uint64_t *address, uint64_t *size)
{
    if (index >= args->a->count || !args->a->arg[index].on_device)
        return GCNSIM_ERROR_USAGE;
    *address = args->a->arg[index].address;
    *size = args->a->arg[index].bytes;
    return GCNSIM_OK;
}

void gcnsim_args_free(struct gcnsim_args *args)
{
    if (!args)
        return;
    launch_args_free(args->a);
    free(args);
}

/* ---- launch files ---- */

/* The public struct comes first, so that a pointer to it is a pointer to this. */
struct opened_launch_file {
    struct gcnsim_launch_file pub;
    struct gcnsim_launch_list list;
    struct gcnsim_listed_launch *launches;
    struct launch_file *file; /* owns the strings */
};

/* False: out of host memory. */
static bool fill_list(struct opened_launch_file *o)
{
    const struct launch_file *f = o->file;

    o->launches = calloc(f->launch_count, sizeof *o->launches);
    for (size_t k = 0; o->launches && k < f->launch_count; k++) {
        const struct launch_file_launch *from = &f->launch[k];
        struct gcnsim_listed_launch *to = &o->launches[k];

        *to = (struct gcnsim_listed_launch){.name = from->name,
                                            .file = from->file,
                                            .kernel = from->kernel,
                                            .args = from->args,
                                            .arg_count = from->arg_count,
                                            .dynamic_lds_bytes = from->dynamic_lds_bytes,
                                            .acquire = from->acquire,
                                            .release = from->release};
        memcpy(to->grid, from->grid, sizeof to->grid);
        memcpy(to->workgroup, from->workgroup, sizeof to->workgroup);
    }
    o->list = (struct gcnsim_launch_list){.struct_bytes = sizeof o->list,
                                          .is_list = f->is_list,
                                          .launches = o->launches,
                                          .launch_count = f->launch_count,
                                          .buffer_names = f->buffer_names,
                                          .buffer_specs = f->buffer_specs,
                                          .buffer_count = f->buffer_count,
                                          .repeat = f->repeat,
                                          .warmup_rounds = f->warmup,
                                          .cold = f->cold};
    return o->launches != NULL;
}

const struct gcnsim_launch_list *gcnsim_launch_file_list(const struct gcnsim_launch_file *f)
{
    return &((const struct opened_launch_file *)f)->list;
}

int gcnsim_launch_file_open(struct gcnsim_launch_file **out, const char *path, struct gcnsim_error *error)
{
    struct err e = {0};
    struct opened_launch_file *o = calloc(1, sizeof *o);

    if (!o)
        err_set(&e, ERR_NOMEM, "%s: out of host memory", path);
    if (!o || launch_file_open(&o->file, path, &e)) {
        free(o);
        return api_fail(error, &e);
    }
    const struct launch_file *f = o->file;
    const struct launch_file_launch *first = &f->launch[0];
    if (!fill_list(o)) {
        err_set(&e, ERR_NOMEM, "%s: out of host memory", path);
        gcnsim_launch_file_close(&o->pub);
        return api_fail(error, &e);
    }
    o->pub = (struct gcnsim_launch_file){.struct_bytes = sizeof o->pub,
                                         .path = f->path,
                                         .directory = f->directory,
                                         .file = first->file,
                                         .kernel = first->kernel,
                                         .args = first->args,
                                         .arg_count = first->arg_count,
                                         .dynamic_lds_bytes = first->dynamic_lds_bytes,
                                         .arch = f->arch,
                                         .engine = f->engine,
                                         .sets = f->sets,
                                         .set_count = f->set_count,
                                         .max_cycles = f->max_cycles,
                                         .max_instructions = f->max_instructions,
                                         .threads = f->threads,
                                         .check = f->check,
                                         .perfect_memory = f->perfect_memory};
    memcpy(o->pub.grid, first->grid, sizeof o->pub.grid);
    memcpy(o->pub.workgroup, first->workgroup, sizeof o->pub.workgroup);
    *out = &o->pub;
    return GCNSIM_OK;
}

int gcnsim_launch_file_index(const struct gcnsim_launch_file *f, size_t launch, uint32_t *index)
{
    const struct launch_file *file = ((const struct opened_launch_file *)f)->file;

    if (launch >= file->launch_count || !file->launch[launch].by_index)
        return GCNSIM_ERROR_USAGE;
    *index = file->launch[launch].index;
    return GCNSIM_OK;
}

void gcnsim_launch_file_symbols(const struct gcnsim_launch_file *f, size_t launch, struct gcnsim_symbol_texts *texts)
{
    const struct launch_file *file = ((const struct opened_launch_file *)f)->file;
    const struct launch_file_launch *l = launch < file->launch_count ? &file->launch[launch] : NULL;

    *texts = (struct gcnsim_symbol_texts){0};
    if (l)
        *texts =
            (struct gcnsim_symbol_texts){l->set_symbols, l->set_symbol_count, l->read_symbols, l->read_symbol_count};
}

int gcnsim_launch_file_confine(const struct gcnsim_launch_file *f, const char *directory, struct gcnsim_error *error)
{
    const struct opened_launch_file *o = (const struct opened_launch_file *)f;
    struct err e = {0};

    return launch_file_confine(o->file, directory, &e) ? api_fail(error, &e) : GCNSIM_OK;
}

void gcnsim_launch_file_close(struct gcnsim_launch_file *f)
{
    struct opened_launch_file *o = (struct opened_launch_file *)f;

    if (!o)
        return;
    launch_file_close(o->file);
    free(o->launches);
    free(o);
}
