/* Kernel metadata of a code object (NT_AMDGPU_METADATA note): kernels, arguments and resource counts as the compiler
 * stated them. */
#include "sim/loader/metadata.h"

#include "sim/loader/metadata_internal.h"

#include <msgpack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The public struct and the memory it points into. */
struct metadata_store {
    struct co_metadata pub; /* first: co_metadata_free gets this address back */
    struct co_kernel_metadata *kernels;
    const char **printf_formats;
    struct budget *budget;
    uint64_t bytes_held; /* of it */
    char *pool;          /* every string, with a terminator; never longer than the document (a str has a header byte) */
    size_t pool_used;
};

struct reader {
    struct metadata_store *store;
    struct err *e;
    char path[96]; /* the map being read: "amdhsa.kernels[3].args[2]" */
};

struct name_value {
    const char *name;
    int value;
};

static const char *const arg_kind_text[CO_ARG_KIND_COUNT] = {
#define X(E, TEXT) [CO_ARG_##E] = TEXT,
    CO_ARG_KINDS(X)
#undef X
};

static const struct name_value address_spaces[] = {
    {"private", CO_AS_PRIVATE},
    {"global", CO_AS_GLOBAL},
    {"constant", CO_AS_CONSTANT},
    {"local", CO_AS_LOCAL},
    {"generic", CO_AS_GENERIC},
    {"region", CO_AS_REGION},
    {NULL, 0},
};
static const struct name_value accesses[] = {
    {"read_only", CO_ACCESS_READ_ONLY},
    {"write_only", CO_ACCESS_WRITE_ONLY},
    {"read_write", CO_ACCESS_READ_WRITE},
    {NULL, 0},
};
static const struct name_value kernel_kinds[] = {
    {"normal", CO_KERNEL_NORMAL},
    {"init", CO_KERNEL_INIT},
    {"fini", CO_KERNEL_FINI},
    {NULL, 0},
};

static const char *text_of(const struct name_value *table, int value)
{
    for (; table->name; table++)
        if (table->value == value)
            return table->name;
    return "";
}

const char *co_arg_kind_text(enum co_arg_kind kind)
{
    return arg_kind_text[kind];
}

const char *co_address_space_text(enum co_address_space as)
{
    return text_of(address_spaces, as);
}

const char *co_access_text(enum co_access access)
{
    return text_of(accesses, access);
}

/* ---- single values: each returns 0 and leaves *out alone when the key is absent and not required ---- */

enum presence { OPTIONAL, REQUIRED };

static bool str_is(const msgpack_object *o, const char *text)
{
    return o->type == MSGPACK_OBJECT_STR && o->via.str.size == strlen(text) &&
           !memcmp(o->via.str.ptr, text, o->via.str.size);
}

static const msgpack_object *map_find(const msgpack_object *map, const char *key)
{
    for (uint32_t i = 0; i < map->via.map.size; i++)
        if (str_is(&map->via.map.ptr[i].key, key))
            return &map->via.map.ptr[i].val;
    return NULL;
}

static int bad(struct reader *rd, const char *key, const char *expected)
{
    return err_set(rd->e, ERR_FORMAT, "metadata: %s%s: expected %s", rd->path, key, expected);
}

/* Finds `key` with the type expected. *out is null when absent; absent and required is an error. */
static int get(struct reader *rd, const msgpack_object *map, const char *key, enum presence presence,
               msgpack_object_type type, const char *expected, const msgpack_object **out)
{
    *out = map_find(map, key);
    if (!*out)
        return presence == REQUIRED ? err_set(rd->e, ERR_FORMAT, "metadata: %s has no key %s", rd->path, key) : 0;
    if ((*out)->type != type)
        return bad(rd, key, expected);
    return 0;
}

static int get_u32(struct reader *rd, const msgpack_object *map, const char *key, enum presence presence, uint64_t min,
                   uint64_t max, uint32_t *out)
{
    const msgpack_object *o;

    if (get(rd, map, key, presence, MSGPACK_OBJECT_POSITIVE_INTEGER, "a non-negative integer", &o))
        return -1;
    if (!o)
        return 0;
    if (o->via.u64 < min || o->via.u64 > max)
        return err_set(rd->e, ERR_FORMAT, "metadata: %s%s is %llu, expected %llu..%llu", rd->path, key,
                       (unsigned long long)o->via.u64, (unsigned long long)min, (unsigned long long)max);
    *out = (uint32_t)o->via.u64;
    return 0;
}

/* A boolean; LLVM writes some as the integers 0 and 1. */
static int get_bool(struct reader *rd, const msgpack_object *map, const char *key, bool *out, bool *present)
{
    const msgpack_object *o = map_find(map, key);

    if (!o)
        return 0;
    if (o->type == MSGPACK_OBJECT_BOOLEAN)
        *out = o->via.boolean;
    else if (o->type == MSGPACK_OBJECT_POSITIVE_INTEGER && o->via.u64 <= 1)
        *out = o->via.u64 != 0;
    else
        return bad(rd, key, "true, false, 0 or 1");
    if (present)
        *present = true;
    return 0;
}

static int take_string(struct reader *rd, const msgpack_object *o, const char *key, const char **out)
{
    struct metadata_store *s = rd->store;

    if (o->type != MSGPACK_OBJECT_STR)
        return bad(rd, key, "a string");
    if (o->via.str.size && memchr(o->via.str.ptr, 0, o->via.str.size))
        return bad(rd, key, "a string without zero bytes");
    char *to = s->pool + s->pool_used;
    if (o->via.str.size)
        memcpy(to, o->via.str.ptr, o->via.str.size);
    to[o->via.str.size] = 0;
    s->pool_used += (size_t)o->via.str.size + 1;
    *out = to;
    return 0;
}

static int get_string(struct reader *rd, const msgpack_object *map, const char *key, enum presence presence,
                      const char **out)
{
    const msgpack_object *o;

    if (get(rd, map, key, presence, MSGPACK_OBJECT_STR, "a string", &o))
        return -1;
    return o ? take_string(rd, o, key, out) : 0;
}

static int get_enum(struct reader *rd, const msgpack_object *map, const char *key, const struct name_value *table,
                    int *out)
{
    const msgpack_object *o;

    if (get(rd, map, key, OPTIONAL, MSGPACK_OBJECT_STR, "a string", &o))
        return -1;
    if (!o)
        return 0;
    for (; table->name; table++) {
        if (str_is(o, table->name)) {
            *out = table->value;
            return 0;
        }
    }
    return err_set(rd->e, ERR_FORMAT, "metadata: %s%s is \"%.*s\", which is no value of that key", rd->path, key,
                   (int)(o->via.str.size > 40 ? 40 : o->via.str.size), o->via.str.ptr);
}

static int get_u32_array(struct reader *rd, const msgpack_object *map, const char *key, enum presence presence,
                         unsigned n, uint32_t min, uint32_t *out, bool *present)
{
    char expected[64];
    const msgpack_object *o;

    snprintf(expected, sizeof expected, "an array of %u integers of at least %u", n, (unsigned)min);
    if (get(rd, map, key, presence, MSGPACK_OBJECT_ARRAY, expected, &o))
        return -1;
    if (!o)
        return 0;
    if (o->via.array.size != n)
        return bad(rd, key, expected);
    for (unsigned i = 0; i < n; i++) {
        const msgpack_object *v = &o->via.array.ptr[i];
        if (v->type != MSGPACK_OBJECT_POSITIVE_INTEGER || v->via.u64 < min || v->via.u64 > UINT32_MAX)
            return bad(rd, key, expected);
        out[i] = (uint32_t)v->via.u64;
    }
    if (present)
        *present = true;
    return 0;
}

/* Zeroed memory of the store's for n elements; null when there is none, or none left in the budget. */
static void *new_array(struct metadata_store *s, size_t n, size_t bytes)
{
    if (!budget_take(s->budget, (uint64_t)n * bytes))
        return NULL;
    s->bytes_held += (uint64_t)n * bytes;
    return calloc(n, bytes);
}

/* ---- arguments ---- */

static int read_arg_kind(struct reader *rd, const msgpack_object *map, struct co_arg *a)
{
    if (get_string(rd, map, ".value_kind", REQUIRED, &a->kind_text))
        return -1;
    for (int k = 0; k < CO_ARG_KIND_COUNT; k++) {
        if (k != CO_ARG_HIDDEN_UNKNOWN && !strcmp(a->kind_text, arg_kind_text[k])) {
            a->kind = (enum co_arg_kind)k;
            return 0;
        }
    }
    if (!strncmp(a->kind_text, "hidden_", 7)) {
        a->kind = CO_ARG_HIDDEN_UNKNOWN;
        return 0;
    }
    return err_set(rd->e, ERR_UNSUPPORTED, "metadata: %s.value_kind \"%.60s\" is not a kind of argument gcnsim knows",
                   rd->path, a->kind_text);
}

static int read_arg(struct reader *rd, const msgpack_object *map, struct co_arg *a)
{
    int address_space = CO_AS_NONE, access = CO_ACCESS_NONE, actual_access = CO_ACCESS_NONE;

    *a = (struct co_arg){.name = "", .type_name = ""};
    if (map->type != MSGPACK_OBJECT_MAP)
        return bad(rd, "", "a map");
    if (get_string(rd, map, ".name", OPTIONAL, &a->name) ||
        get_string(rd, map, ".type_name", OPTIONAL, &a->type_name) ||
        get_u32(rd, map, ".size", REQUIRED, 0, UINT32_MAX, &a->size) ||
        get_u32(rd, map, ".offset", REQUIRED, 0, UINT32_MAX, &a->offset) || read_arg_kind(rd, map, a) ||
        get_enum(rd, map, ".address_space", address_spaces, &address_space) ||
        get_enum(rd, map, ".access", accesses, &access) ||
        get_enum(rd, map, ".actual_access", accesses, &actual_access) ||
        get_bool(rd, map, ".is_const", &a->is_const, NULL) ||
        get_bool(rd, map, ".is_restrict", &a->is_restrict, NULL) ||
        get_bool(rd, map, ".is_volatile", &a->is_volatile, NULL) || get_bool(rd, map, ".is_pipe", &a->is_pipe, NULL) ||
        get_u32(rd, map, ".pointee_align", OPTIONAL, 1, UINT32_MAX, &a->pointee_align))
        return -1;
    a->address_space = (enum co_address_space)address_space;
    a->access = (enum co_access)access;
    a->actual_access = (enum co_access)actual_access;
    if (a->pointee_align & (a->pointee_align - 1))
        return bad(rd, ".pointee_align", "a power of two");
    if ((uint64_t)a->offset + a->size > UINT32_MAX)
        return err_set(rd->e, ERR_FORMAT, "metadata: %s: bytes %u..%llu are outside any kernarg segment", rd->path,
                       a->offset, (unsigned long long)a->offset + a->size);
    return 0;
}

static int read_args(struct reader *rd, const msgpack_object *kernel, struct co_kernel_metadata *k)
{
    const msgpack_object *o;
    size_t path_len = strlen(rd->path);

    if (get(rd, kernel, ".args", OPTIONAL, MSGPACK_OBJECT_ARRAY, "an array", &o))
        return -1;
    if (!o || !o->via.array.size)
        return 0;
    struct co_arg *args = new_array(rd->store, o->via.array.size, sizeof *args);
    if (!args)
        return err_set(rd->e, ERR_NOMEM, "metadata: out of host memory for %u arguments", o->via.array.size);
    k->args = args; /* freed with the store, also after an error */
    for (uint32_t i = 0; i < o->via.array.size; i++) {
        snprintf(rd->path + path_len, sizeof rd->path - path_len, ".args[%u]", i);
        if (read_arg(rd, &o->via.array.ptr[i], &args[i]))
            return -1;
        /* AMD ships kernels whose last argument, a word of padding, lies past the segment that they state (fmoe of
         * aiter for gfx950), and ROCm runs them: the segment is as long as the arguments need. */
        if (args[i].offset + args[i].size > k->kernarg_segment_size)
            k->kernarg_segment_size = args[i].offset + args[i].size;
        bool hidden = co_arg_is_hidden(args[i].kind);
        if (!hidden && k->explicit_arg_count < i)
            return err_set(rd->e, ERR_FORMAT, "metadata: %s: an explicit argument behind hidden ones", rd->path);
        k->arg_count++;
        k->explicit_arg_count += !hidden;
    }
    rd->path[path_len] = 0;
    return 0;
}

/* ---- kernels ---- */

static int read_kernel_numbers(struct reader *rd, const msgpack_object *map, struct co_kernel_metadata *k)
{
    static const struct {
        const char *key;
        enum presence presence;
        uint32_t min, max;
        size_t at;
    } numbers[] = {
#define NUMBER(KEY, PRESENCE, MIN, MAX) {"." #KEY, PRESENCE, MIN, MAX, offsetof(struct co_kernel_metadata, KEY)}
        NUMBER(kernarg_segment_size, REQUIRED, 0, UINT32_MAX),
        NUMBER(kernarg_segment_align, REQUIRED, 1, UINT32_MAX),
        NUMBER(group_segment_fixed_size, REQUIRED, 0, UINT32_MAX),
        NUMBER(private_segment_fixed_size, REQUIRED, 0, UINT32_MAX),
        NUMBER(wavefront_size, REQUIRED, 32, 64),
        NUMBER(sgpr_count, REQUIRED, 0, 1024),
        NUMBER(vgpr_count, REQUIRED, 0, 1024),
        NUMBER(agpr_count, OPTIONAL, 0, 1024),
        NUMBER(sgpr_spill_count, OPTIONAL, 0, UINT32_MAX),
        NUMBER(vgpr_spill_count, OPTIONAL, 0, UINT32_MAX),
        NUMBER(max_flat_workgroup_size, REQUIRED, 1, 1024),
#undef NUMBER
    };

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (get_u32(rd, map, numbers[i].key, numbers[i].presence, numbers[i].min, numbers[i].max,
                    (uint32_t *)((char *)k + numbers[i].at)))
            return -1;
    if (k->kernarg_segment_align & (k->kernarg_segment_align - 1))
        return bad(rd, ".kernarg_segment_align", "a power of two");
    if (k->wavefront_size != 32 && k->wavefront_size != 64)
        return bad(rd, ".wavefront_size", "32 or 64");
    return get_u32(rd, map, ".max_num_workgroups_x", OPTIONAL, 1, UINT32_MAX, &k->max_num_workgroups[0]) ||
           get_u32(rd, map, ".max_num_workgroups_y", OPTIONAL, 1, UINT32_MAX, &k->max_num_workgroups[1]) ||
           get_u32(rd, map, ".max_num_workgroups_z", OPTIONAL, 1, UINT32_MAX, &k->max_num_workgroups[2]);
}

static int read_kernel(struct reader *rd, const msgpack_object *map, struct co_kernel_metadata *k)
{
    int kind = CO_KERNEL_NORMAL;

    *k = (struct co_kernel_metadata){.language = "", .vec_type_hint = "", .device_enqueue_symbol = ""};
    if (map->type != MSGPACK_OBJECT_MAP)
        return bad(rd, "", "a map");
    if (get_string(rd, map, ".name", REQUIRED, &k->name) || get_string(rd, map, ".symbol", REQUIRED, &k->symbol) ||
        get_string(rd, map, ".language", OPTIONAL, &k->language) ||
        get_string(rd, map, ".vec_type_hint", OPTIONAL, &k->vec_type_hint) ||
        get_string(rd, map, ".device_enqueue_symbol", OPTIONAL, &k->device_enqueue_symbol) ||
        get_u32_array(rd, map, ".language_version", OPTIONAL, 2, 0, k->language_version, NULL) ||
        get_enum(rd, map, ".kind", kernel_kinds, &kind) || read_kernel_numbers(rd, map, k) ||
        get_u32_array(rd, map, ".reqd_workgroup_size", OPTIONAL, 3, 1, k->reqd_workgroup_size,
                      &k->has_reqd_workgroup_size) ||
        get_u32_array(rd, map, ".workgroup_size_hint", OPTIONAL, 3, 0, k->workgroup_size_hint,
                      &k->has_workgroup_size_hint) ||
        get_u32_array(rd, map, ".cluster_dims", OPTIONAL, 3, 0, k->cluster_dims, NULL) ||
        get_bool(rd, map, ".uniform_work_group_size", &k->uniform_work_group_size, &k->has_uniform_work_group_size) ||
        get_bool(rd, map, ".uses_dynamic_stack", &k->uses_dynamic_stack, NULL) ||
        get_bool(rd, map, ".workgroup_processor_mode", &k->workgroup_processor_mode, &k->has_workgroup_processor_mode))
        return -1;
    k->kind = (enum co_kernel_kind)kind;
    return read_args(rd, map, k);
}

/* Makes the error that of the kernel alone, if it is known which one that is. */
static int refuse_kernel(struct reader *rd, struct co_kernel_metadata *k)
{
    uint64_t bytes = strlen(rd->e->text) + 1;

    if (!k->symbol || rd->e->code == ERR_NOMEM)
        return -1;
    if (!budget_take(rd->store->budget, bytes))
        return err_set(rd->e, ERR_NOMEM, "metadata: out of host memory for a message");
    rd->store->bytes_held += bytes;
    if (!(k->refused = strdup(rd->e->text)))
        return err_set(rd->e, ERR_NOMEM, "metadata: out of host memory for a message");
    err_clear(rd->e);
    return 0;
}

static int read_kernels(struct reader *rd, const msgpack_object *root)
{
    struct metadata_store *s = rd->store;
    const msgpack_object *o;

    if (get(rd, root, "amdhsa.kernels", OPTIONAL, MSGPACK_OBJECT_ARRAY, "an array", &o))
        return -1;
    if (!o || !o->via.array.size)
        return 0;
    s->kernels = new_array(s, o->via.array.size, sizeof *s->kernels);
    if (!s->kernels)
        return err_set(rd->e, ERR_NOMEM, "metadata: out of host memory for %u kernels", o->via.array.size);
    s->pub.kernels = s->kernels;
    for (uint32_t i = 0; i < o->via.array.size; i++) {
        snprintf(rd->path, sizeof rd->path, "amdhsa.kernels[%u]", i);
        s->pub.kernel_count++; /* before reading, so that a half-read kernel's arguments are freed */
        if (read_kernel(rd, &o->via.array.ptr[i], &s->kernels[i]) && refuse_kernel(rd, &s->kernels[i]))
            return -1;
    }
    rd->path[0] = 0;
    return 0;
}

static int read_printf(struct reader *rd, const msgpack_object *root)
{
    struct metadata_store *s = rd->store;
    const msgpack_object *o;

    if (get(rd, root, "amdhsa.printf", OPTIONAL, MSGPACK_OBJECT_ARRAY, "an array of strings", &o))
        return -1;
    if (!o || !o->via.array.size)
        return 0;
    s->printf_formats = new_array(s, o->via.array.size, sizeof *s->printf_formats);
    if (!s->printf_formats)
        return err_set(rd->e, ERR_NOMEM, "metadata: out of host memory for %u formats", o->via.array.size);
    s->pub.printf_formats = s->printf_formats;
    for (uint32_t i = 0; i < o->via.array.size; i++, s->pub.printf_count++)
        if (take_string(rd, &o->via.array.ptr[i], "amdhsa.printf", &s->printf_formats[i]))
            return -1;
    return 0;
}

static int read_root(struct reader *rd, const msgpack_object *root)
{
    struct co_metadata *m = &rd->store->pub;
    uint32_t version[2];

    if (root->type != MSGPACK_OBJECT_MAP)
        return bad(rd, "the document", "a map");
    if (get_u32_array(rd, root, "amdhsa.version", REQUIRED, 2, 0, version, NULL))
        return -1;
    m->version_major = version[0];
    m->version_minor = version[1];
    if (m->version_major != 1)
        return err_set(rd->e, ERR_UNSUPPORTED, "metadata: amdhsa.version is %u.%u, expected 1.x", version[0],
                       version[1]);
    return get_string(rd, root, "amdhsa.target", OPTIONAL, &m->target) || read_printf(rd, root) ||
           read_kernels(rd, root);
}

/* msgpack-c keeps an object for each element until the document is read; what the store has stays. */
static int unpack(struct metadata_store *s, const uint8_t *bytes, size_t size, struct err *e)
{
    struct err own = {0};
    struct reader rd = {.store = s, .e = e ? e : &own};
    msgpack_unpacked unpacked;
    size_t offset = 0;
    int status = -1;

    msgpack_unpacked_init(&unpacked);
    msgpack_unpack_return r = msgpack_unpack_next(&unpacked, (const char *)bytes, size, &offset);
    if (r == MSGPACK_UNPACK_NOMEM_ERROR)
        err_set(e, ERR_NOMEM, "metadata: out of host memory to unpack %zu bytes", size);
    else if (r != MSGPACK_UNPACK_SUCCESS)
        err_set(e, ERR_FORMAT, "metadata note offset %zu: not a MessagePack document", offset);
    else
        status = read_root(&rd, &unpacked.data);
    msgpack_unpacked_destroy(&unpacked);
    return status;
}

int co_metadata_read(struct co_metadata **out, const uint8_t *bytes, size_t size, struct budget *budget, struct err *e)
{
    uint64_t elements;
    int status = -1;

    *out = NULL;
    if (co_msgpack_scan(bytes, size, &elements, e))
        return -1;
    struct metadata_store *s = calloc(1, sizeof *s);
    if (!s)
        return err_set(e, ERR_NOMEM, "metadata: out of host memory for %zu bytes", size);
    s->budget = budget;
    s->pub.target = "";
    s->pool = new_array(s, size + 1, 1);
    uint64_t transient = elements * sizeof(msgpack_object);
    if (!s->pool || !budget_take(budget, transient)) {
        err_set(e, ERR_NOMEM, "metadata: out of host memory for %zu bytes", size);
    } else {
        status = unpack(s, bytes, size, e);
        budget_give(budget, transient);
    }
    if (status) {
        co_metadata_free(&s->pub);
        return -1;
    }
    *out = &s->pub;
    return 0;
}

void co_metadata_free(struct co_metadata *m)
{
    if (!m)
        return;
    struct metadata_store *s = (struct metadata_store *)m;
    for (unsigned i = 0; i < m->kernel_count; i++) {
        free((void *)s->kernels[i].args);
        free((char *)s->kernels[i].refused);
    }
    free(s->kernels);
    free(s->printf_formats);
    free(s->pool);
    budget_give(s->budget, s->bytes_held);
    free(s);
}
