/* Tables of symbols: made from code objects, searched by name, asked for attributes. */
#include "sim/hsa/code/symbols.h"

#include <stdlib.h>
#include <string.h>

#define KD ".kd"

/* Tables ---------------------------------------------------------------------------------------------------------- */

static uint32_t hash(const char *name, uint32_t h)
{
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * UINT32_C(16777619);
    return h;
}

#define HASH_BEGIN UINT32_C(2166136261)

static void chain(struct symbols *t, uint32_t index)
{
    uint32_t *head = &t->chains[hash(t->at[index].name, HASH_BEGIN) & (t->chain_count - 1)];

    t->at[index].next = *head;
    *head = index + 1;
}

static bool more_chains(struct symbols *t, uint32_t want)
{
    uint32_t n = t->chain_count ? t->chain_count : 64, *chains;

    while (n < want)
        n *= 2;
    if (n == t->chain_count)
        return true;
    chains = calloc(n, sizeof *chains);
    if (!chains)
        return false;
    free(t->chains);
    t->chains = chains;
    t->chain_count = n;
    for (uint32_t k = 0; k < t->count; k++)
        chain(t, k);
    return true;
}

bool symbols_reserve(struct symbols *t, uint32_t more)
{
    uint64_t want = (uint64_t)t->count + more, capacity = t->capacity ? t->capacity : 32;
    struct symbol *at;

    if (want >= PART_LOADED)
        return false;
    while (capacity < want)
        capacity *= 2;
    if (capacity != t->capacity) {
        at = realloc(t->at, capacity * sizeof *at);
        if (!at)
            return false;
        t->at = at;
        t->capacity = (uint32_t)capacity;
    }
    return more_chains(t, (uint32_t)want);
}

void symbols_add(struct symbols *t, const struct symbol *s)
{
    t->at[t->count] = *s;
    chain(t, t->count++);
}

/* The symbol whose name is the two texts in a row. */
static const struct symbol *find(const struct symbols *t, const char *name, const char *end, const struct agent *agent)
{
    uint32_t h = hash(end, hash(name, HASH_BEGIN));
    size_t bytes = strlen(name);

    for (uint32_t k = t->chain_count ? t->chains[h & (t->chain_count - 1)] : 0; k; k = t->at[k - 1].next) {
        const struct symbol *s = &t->at[k - 1];
        if (s->agent == agent && strncmp(s->name, name, bytes) == 0 && strcmp(s->name + bytes, end) == 0)
            return s;
    }
    return NULL;
}

const struct symbol *symbols_find(const struct symbols *t, const char *name, const struct agent *agent)
{
    const struct symbol *s = find(t, name, "", agent);

    if (!s && *name && (s = find(t, name, KD, agent)) && !s->kernel)
        s = NULL;
    return s;
}

void symbols_free(struct symbols *t)
{
    for (uint32_t k = 0; k < t->count; k++)
        if (t->at[k].own_name)
            free((char *)t->at[k].name);
    free(t->at);
    free(t->chains);
    *t = (struct symbols){0};
}

/* Code objects ---------------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const struct kernel *const *x = a, *const *y = b;

    return strcmp((*x)->info.name, (*y)->info.name);
}

/* The name of a kernel: a symbol's up to ".kd". */
struct stem {
    const char *name;
    size_t bytes;
};

static int by_stem(const void *key, const void *element)
{
    const struct kernel *const *k = element;
    const struct stem *stem = key;
    int order = strncmp(stem->name, (*k)->info.name, stem->bytes);

    return order ? order : -((*k)->info.name[stem->bytes] != 0);
}

/* All kernels, and in *sorted the same by name. */
static struct kernel *kernels_of_code(const struct gcnsim_code *code, struct loaded *in, uint64_t delta, uint32_t count,
                                      struct kernel ***sorted)
{
    struct kernel *all = calloc(count + 1, sizeof *all), **by = calloc(count + 1, sizeof *by);

    if (!all || !by) {
        free(all);
        free(by);
        return NULL;
    }
    for (uint32_t k = 0; k < count; k++) {
        all[k].in = in;
        all[k].index = k;
        gcnsim_code_kernel(code, k, &all[k].info);
        all[k].entry = all[k].info.code_offset + delta;
        by[k] = &all[k];
    }
    qsort(by, count, sizeof *by, by_name);
    *sorted = by;
    return all;
}

/* The kernel of a descriptor's symbol; null: none. */
static struct kernel *kernel_of_symbol(const char *name, uint32_t version, struct kernel **sorted, uint32_t count)
{
    const size_t end = version == 2 ? 0 : sizeof KD - 1; /* a kernel of v2 and its symbol have one name */
    struct stem stem = {name, strlen(name)};
    struct kernel **k;

    if (stem.bytes < end)
        return NULL;
    stem.bytes -= end;
    k = bsearch(&stem, sorted, count, sizeof *sorted, by_stem);
    return k ? *k : NULL;
}

/* Adds the symbol if it is one of a kernel or a variable that other objects may name. */
static void add_symbol(struct symbols *out, struct symbol *s, enum gcnsim_symbol_type type, uint32_t flags,
                       struct kernel *kernel)
{
    if (kernel)
        kernel->descriptor = s->address;
    if (type == GCNSIM_SYMBOL_FUNCTION || (type == GCNSIM_SYMBOL_KERNEL && !kernel) ||
        !(flags & GCNSIM_SYMBOL_GLOBAL) || (flags & GCNSIM_SYMBOL_ABSOLUTE))
        return;
    s->is_const = !(flags & GCNSIM_SYMBOL_WRITABLE);
    s->kernel = kernel;
    if (!find(out, s->name, "", s->agent))
        symbols_add(out, s);
}

hsa_status_t symbols_of_code(const struct gcnsim_code *code, struct agent *agent, uint64_t delta, struct loaded *in,
                             struct symbols *out, struct kernel **kernels, uint32_t *kernel_count)
{
    struct gcnsim_symbol_info symbol;
    struct gcnsim_code_info info;
    struct kernel **sorted;

    gcnsim_code_get_info(code, &info);
    if (!symbols_reserve(out, info.symbol_count))
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    *kernels = kernels_of_code(code, in, delta, info.kernel_count, &sorted);
    if (!*kernels)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    *kernel_count = info.kernel_count;
    for (uint32_t k = 0; gcnsim_code_symbol(code, k, &symbol) == GCNSIM_OK; k++) {
        struct symbol s = {.name = symbol.name, .agent = agent, .address = symbol.value + delta, .size = symbol.size};
        add_symbol(out, &s, symbol.type, gcnsim_code_symbol_flags(code, k),
                   symbol.type == GCNSIM_SYMBOL_KERNEL
                       ? kernel_of_symbol(symbol.name, info.code_object_version, sorted, info.kernel_count)
                       : NULL);
    }
    free(sorted);
    return HSA_STATUS_SUCCESS;
}

/* Attributes ------------------------------------------------------------------------------------------------------ */

/* What the address is a multiple of; more than a page nobody asks for. */
static uint32_t alignment(uint64_t address)
{
    uint64_t lowest = address & -address;

    return lowest && lowest < 4096 ? (uint32_t)lowest : 4096;
}

static bool put_u32(void *value, uint64_t v)
{
    *(uint32_t *)value = v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
    return true;
}

static bool put_bool(void *value, bool v)
{
    *(bool *)value = v;
    return true;
}

static bool kernel_info(const struct gcnsim_kernel_info *k, int attribute, void *value)
{
    switch (attribute) {
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE:
        return put_u32(value, k ? k->kernarg_size : 0);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT:
        return put_u32(value, !k ? 0 : k->kernarg_align > 16 ? k->kernarg_align : 16);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE:
        return put_u32(value, k ? k->group_segment_fixed_size : 0);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE:
        return put_u32(value, k ? k->private_segment_fixed_size : 0);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK:
        return put_bool(value, k && k->uses_dynamic_stack);
    case ABI_SYMBOL_KERNEL_WAVEFRONT_SIZE:
        return put_u32(value, k ? k->wavefront_size : 0);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_CALL_CONVENTION:
    case HSA_EXECUTABLE_SYMBOL_INFO_INDIRECT_FUNCTION_CALL_CONVENTION:
        return put_u32(value, 0);
    }
    return false;
}

static bool variable_info(const struct symbol *s, int attribute, void *value)
{
    bool variable = !s->kernel;

    switch (attribute) {
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION:
        *(hsa_variable_allocation_t *)value =
            variable && s->own_name && !s->agent ? HSA_VARIABLE_ALLOCATION_PROGRAM : HSA_VARIABLE_ALLOCATION_AGENT;
        return true;
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SEGMENT:
        *(hsa_variable_segment_t *)value = s->readonly ? HSA_VARIABLE_SEGMENT_READONLY : HSA_VARIABLE_SEGMENT_GLOBAL;
        return true;
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT:
        return put_u32(value, variable ? alignment(s->address) : 0);
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE:
        return put_u32(value, variable ? s->size : 0);
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST:
        return put_bool(value, variable && s->is_const);
    }
    return false;
}

bool symbol_info(const struct symbol *s, int attribute, void *value)
{
    switch (attribute) {
    case HSA_EXECUTABLE_SYMBOL_INFO_TYPE:
        *(hsa_symbol_kind_t *)value = s->kernel ? HSA_SYMBOL_KIND_KERNEL : HSA_SYMBOL_KIND_VARIABLE;
        return true;
    case HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH:
        return put_u32(value, strlen(s->name));
    case HSA_EXECUTABLE_SYMBOL_INFO_NAME: /* without a NUL: as many bytes as the length says */
        memcpy(value, s->name, strlen(s->name));
        return true;
    case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME_LENGTH:
        return put_u32(value, 0);
    case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME: /* an array of 0 characters */
        return true;
    case HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE:
        *(hsa_symbol_linkage_t *)value = HSA_SYMBOL_LINKAGE_PROGRAM;
        return true;
    case HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION:
        return put_bool(value, true);
    }
    return variable_info(s, attribute, value) || kernel_info(s->kernel ? &s->kernel->info : NULL, attribute, value);
}
