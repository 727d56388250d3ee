/* Loading a code object for an agent: opens it, finds it memory, writes its image there, and enters its symbols. */
#include "sim/hsa/code/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/hsa/code/executable.h"
#include "sim/hsa/memory/memory.h"

#define PAGE UINT64_C(4096)

/* Opening --------------------------------------------------------------------------------------------------------- */

/* The target id in the name of an agent's ISA: "gfx90a:sramecc+:xnack-"; null: the agent runs no code objects. */
static const char *target_of(const struct agent *a)
{
    const char *dashes = strstr(a->isa, "--");

    return dashes ? dashes + 2 : NULL;
}

/* The name of the profile that a processor's name stands for; false: there is none. */
static bool profile_for(const char *processor, struct gcnsim_profile_info *out)
{
    for (uint32_t k = 0; gcnsim_profile_list(k, out) == GCNSIM_OK; k++)
        if (out->is_default && strcmp(out->target, processor) == 0)
            return true;
    return false;
}

/* Says what to do about a code object that was made for another target. `why` is the library's sentence. */
static void explain_target(const struct gcnsim_code_source *source, const char *device, const char *why)
{
    struct gcnsim_code_source any = *source;
    struct gcnsim_profile_info profile;
    struct gcnsim_code_info info;
    struct gcnsim_code *code;
    size_t name;

    any.want_target = NULL;
    if (gcnsim_code_open(&code, &any, NULL)) {
        rt_log("%s; the device is %s", why, device); /* a bundle: its entries are listed there */
        return;
    }
    gcnsim_code_get_info(code, &info);
    name = strlen(info.processor);
    if (strncmp(device, info.processor, name) == 0 && (device[name] == ':' || !device[name]))
        rt_log("code object built for %s, device is %s: build it for the device's settings, or for any", info.target,
               device);
    else if (profile_for(info.processor, &profile))
        rt_log("code object built for %s, device is %s: run with --arch %s, or build for the device", info.target,
               device, profile.name);
    else
        rt_log("code object built for %s, device is %s: build for the device", info.target, device);
    gcnsim_code_close(code);
}

hsa_status_t code_open(const struct code_source *from, const struct agent *a, struct gcnsim_code **out)
{
    struct gcnsim_error error = {0};
    struct gcnsim_code_source source;
    struct gcnsim_code_info info;

    gcnsim_code_source_init(&source);
    source.bytes = from->bytes;
    source.size = from->size;
    source.name = "code object";
    source.want_target = a ? target_of(a) : NULL;
    switch (gcnsim_code_open(out, &source, &error)) {
    case GCNSIM_OK:
        gcnsim_code_get_info(*out, &info);
        if (info.code_object_version && !info.where[0])
            return HSA_STATUS_SUCCESS;
        rt_log("code object: %s%s, which the runtime does not load", info.os, info.where);
        gcnsim_code_close(*out);
        *out = NULL;
        return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
    case GCNSIM_ERROR_USAGE:
        if (a)
            explain_target(&source, source.want_target, error.text);
        else
            rt_log("%s", error.text);
        return HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS;
    case GCNSIM_ERROR_NOMEM:
    case GCNSIM_ERROR_LIMIT:
        rt_log("%s", error.text);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    rt_log("%s", error.text);
    return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
}

/* Memory ---------------------------------------------------------------------------------------------------------- */

/* Zeroed pages at a multiple of align, which is a power of two of a page at least; null: out of host memory. */
static void *map_aligned(uint64_t bytes, uint64_t align)
{
    uint64_t all = bytes + align - PAGE;
    char *at;
    size_t skip;

    if (all < bytes)
        return NULL;
    at = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    skip = -(uintptr_t)at & (align - 1);
    if (skip)
        munmap(at, skip);
    if (all - skip > bytes)
        munmap(at + skip + bytes, all - skip - bytes);
    return at + skip;
}

/* Finds the image memory that all agents can use, and enters it as a range of the agent's. */
static bool map_image(struct loaded *l, const struct gcnsim_code_image *image)
{
    uint64_t whole = (image->size + PAGE - 1) & -PAGE;
    void *at = map_aligned(whole, image->align);
    struct range r = {.bytes = image->size,
                      .mapped = whole,
                      .kind = RANGE_CODE,
                      .owner = l->agent,
                      .flags = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED,
                      .writable = true, /* it holds the variables, too */
                      .executable = true};

    if (!at)
        return false;
    r.lo = r.host = (uint64_t)(uintptr_t)at;
    if (!range_add(&r)) {
        munmap(at, whole);
        return false;
    }
    l->base = r.lo;
    l->bytes = image->size;
    l->mapped = whole;
    l->delta = l->base - image->address;
    return true;
}

static bool name_bytes(struct loaded *l, const char *uri)
{
    size_t bytes = 0;
    char text[96];

    l->elf = (uint64_t)(uintptr_t)gcnsim_code_elf(l->code, &bytes);
    l->elf_bytes = bytes;
    snprintf(text, sizeof text, "memory://%ld#offset=0x%llx&size=%llu", (long)getpid(), (unsigned long long)l->elf,
             (unsigned long long)l->elf_bytes);
    l->uri = strdup(uri ? uri : text);
    return l->uri != NULL;
}

/* Prepares the instructions for being decoded, once for all launches: everything from the first executable section to
 * the end of the last. */
static hsa_status_t prepare_code(struct loaded *l)
{
    uint64_t lo = UINT64_MAX, hi = 0;
    struct gcnsim_error error = {0};
    struct gcnsim_code_range text;

    for (uint32_t k = 0; gcnsim_code_text(l->code, k, &text) == GCNSIM_OK; k++) {
        if (text.address < lo)
            lo = text.address;
        if (text.address + text.size > hi)
            hi = text.address + text.size;
    }
    lo &= ~UINT64_C(3);
    if (lo >= hi || gcnsim_raw_code_open(&l->raw, l->agent->name, lo + l->delta, hi - lo, &error) == GCNSIM_OK)
        return HSA_STATUS_SUCCESS;
    rt_log("code object: %s", error.text);
    return error.code == GCNSIM_ERROR_NOMEM ? HSA_STATUS_ERROR_OUT_OF_RESOURCES : HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
}

/* Symbols --------------------------------------------------------------------------------------------------------- */

/* Who knows the symbols that a code object uses and does not define, and the last one that nobody knew. */
struct resolver {
    const struct symbols *symbols;
    const struct agent *agent;
    char missing[256];
};

static int resolve(void *ctx, const char *name, uint64_t *address)
{
    struct resolver *r = ctx;
    const struct symbol *s = symbols_find(r->symbols, name, NULL);

    if (!s)
        s = symbols_find(r->symbols, name, r->agent);
    if (s)
        *address = s->address;
    else
        snprintf(r->missing, sizeof r->missing, "%s", name);
    return s != NULL;
}

/* Writes the image with the addresses of what the executable knows by now. */
static hsa_status_t place(const struct loaded *l, const struct symbols *known)
{
    struct resolver r = {.symbols = known, .agent = l->agent};
    struct gcnsim_error error = {0};

    if (gcnsim_code_place(l->code, (void *)(uintptr_t)l->base, l->bytes, l->base, resolve, &r, &error) == GCNSIM_OK)
        return HSA_STATUS_SUCCESS;
    rt_log("%s", error.text);
    if (error.code == GCNSIM_ERROR_NOMEM)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    return r.missing[0] && strstr(error.text, r.missing) ? HSA_STATUS_ERROR_VARIABLE_UNDEFINED
                                                         : HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
}

/* Gives the executable the code object and its symbols, all or nothing. Under its lock. */
static hsa_status_t enter(struct executable *x, struct loaded *l, const struct symbols *its, uint32_t *part)
{
    struct loaded **t;
    hsa_status_t status;

    if (x->frozen)
        return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
    for (uint32_t k = 0; k < its->count; k++)
        if (symbols_find(&x->symbols, its->at[k].name, its->at[k].agent)) {
            rt_log("code object: symbol \"%s\" is in the executable already", its->at[k].name);
            return HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED;
        }
    status = place(l, &x->symbols);
    if (status != HSA_STATUS_SUCCESS)
        return status;
    t = realloc(x->loaded, (x->loaded_count + 1) * sizeof *t);
    if (!t)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    x->loaded = t;
    if (!symbols_reserve(&x->symbols, its->count))
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    for (uint32_t k = 0; k < its->count; k++)
        symbols_add(&x->symbols, &its->at[k]);
    *part = PART_LOADED | x->loaded_count;
    x->loaded[x->loaded_count++] = l;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t load(struct executable *x, struct loaded *l, const struct code_source *from, uint32_t *part)
{
    struct gcnsim_code_image image;
    struct symbols its = {0};
    hsa_status_t status = code_open(from, l->agent, &l->code);

    if (status != HSA_STATUS_SUCCESS)
        return status;
    gcnsim_code_get_image(l->code, &image);
    if (!image.size) {
        rt_log("code object: it has no segments to load");
        return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
    }
    if (!map_image(l, &image) || !name_bytes(l, from->uri)) {
        rt_log("code object: out of host memory for its %llu bytes", (unsigned long long)image.size);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    status = symbols_of_code(l->code, l->agent, l->delta, l, &its, &l->kernels, &l->kernel_count);
    if (status == HSA_STATUS_SUCCESS) {
        for (uint32_t k = 0; k < l->kernel_count; k++)
            l->kernels[k].blit = blit_recognise(l->code, l->kernels[k].index);
        status = prepare_code(l);
    }
    if (status == HSA_STATUS_SUCCESS) {
        pthread_mutex_lock(&x->lock);
        status = enter(x, l, &its, part);
        pthread_mutex_unlock(&x->lock);
    }
    symbols_free(&its);
    return status;
}

hsa_status_t executable_load(struct executable *x, struct agent *a, const struct code_source *from, uint32_t *part)
{
    struct loaded *l;
    hsa_status_t status;
    bool frozen;

    pthread_mutex_lock(&x->lock);
    frozen = x->frozen;
    pthread_mutex_unlock(&x->lock);
    if (frozen)
        return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
    if (!target_of(a)) {
        rt_log("code object: agent %s runs no code objects", a->name);
        return HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS;
    }
    l = calloc(1, sizeof *l);
    if (!l)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    l->references = 1;
    l->agent = a;
    status = load(x, l, from, part);
    if (status != HSA_STATUS_SUCCESS)
        loaded_release(l);
    return status;
}

hsa_status_t hsa_executable_load_agent_code_object(hsa_executable_t executable, hsa_agent_t agent,
                                                   hsa_code_object_reader_t code_object_reader, const char *options,
                                                   hsa_loaded_code_object_t *loaded_code_object)
{
    struct executable *x;
    struct reader *reader;
    struct agent *a;
    hsa_status_t status;
    uint32_t part;

    (void)options;
    RT_READY_OR_RETURN();
    a = agent_of(agent);
    x = executable_hold(executable);
    if (!x)
        return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    reader = handle_part(code_object_reader.handle)
                 ? NULL
                 : (struct reader *)handle_hold(code_object_reader.handle, OBJECT_READER);
    if (!a)
        status = HSA_STATUS_ERROR_INVALID_AGENT;
    else if (!reader)
        status = HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
    else
        status = executable_load(x, a, &reader->source, &part);
    if (status == HSA_STATUS_SUCCESS && loaded_code_object)
        loaded_code_object->handle = x->object.handle | part;
    if (reader)
        object_release(&reader->object);
    executable_release(x);
    return status;
}

/* Program code objects hold HSAIL, or code of the full profile, which no compiler makes any more. */
hsa_status_t hsa_executable_load_program_code_object(hsa_executable_t executable,
                                                     hsa_code_object_reader_t code_object_reader, const char *options,
                                                     hsa_loaded_code_object_t *loaded_code_object)
{
    struct executable *x;
    struct object *reader;
    bool frozen;

    (void)options;
    (void)loaded_code_object;
    RT_READY_OR_RETURN();
    x = executable_hold(executable);
    if (!x)
        return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    pthread_mutex_lock(&x->lock);
    frozen = x->frozen;
    pthread_mutex_unlock(&x->lock);
    executable_release(x);
    if (frozen)
        return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
    reader = handle_hold(code_object_reader.handle, OBJECT_READER);
    if (!reader)
        return HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
    object_release(reader);
    return rt_refuse("hsa_executable_load_program_code_object", HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
}
