/* fuzz_path, a simulator made ready: profile, module, arguments, buffers. */
#include <string.h>

#include "sim/api/at_once.h"
#include "tests/fuzz/path_scene.h"

enum {
    MAX_ARGS = 48,
    MAX_SPEC = 600,
};

static uint64_t hash(uint64_t h, const void *bytes, size_t size)
{
    const uint8_t *b = bytes;

    for (size_t i = 0; i < size; i++)
        h = (h ^ b[i]) * UINT64_C(0x100000001b3);
    return h;
}

static uint64_t value_of(uint64_t *seed)
{
    static const uint64_t some[] = {0, 1, 2, 16, 63, 64, 100, 1000, 0x3f800000, 0x7fc00000, 0x80000000, UINT32_MAX};
    uint32_t r = path_random(seed);

    return r % 16 < 12 ? some[r % 16] : r;
}

static void one_spec(char *spec, const struct gcnsim_arg_info *a, uint64_t *seed)
{
    if (strcmp(a->value_kind, "by_value") != 0) {
        snprintf(spec, MAX_SPEC, "buf:%u", strcmp(a->address_space, "local") == 0 ? 256u : (unsigned)PATH_BUFFER_BYTES);
        return;
    }
    size_t n = (size_t)snprintf(spec, MAX_SPEC, "bytes:");
    uint64_t v = value_of(seed);
    for (uint32_t b = 0; b < a->size && n + 3 < MAX_SPEC; b++)
        n += (size_t)snprintf(spec + n, MAX_SPEC - n, "%02x", (unsigned)(v >> 8 * (b % 8)) & 0xff);
}

/* The explicit arguments as SPECs; those of a wrong kind or number when `wrong`. */
static int parse_args(struct rig *r, const struct path_launch *p, uint32_t kernel, int wrong, struct gcnsim_error *e)
{
    static const char *const odd[] = {"buf:0",   "f16:1e9",         "u8:300",
                                      "bytes:0", "in:/nonexistent", "buf:99999999999999999999"};
    static char specs[MAX_ARGS][MAX_SPEC];
    const char *list[MAX_ARGS];
    struct gcnsim_arg_info a;
    uint64_t seed = p->value_seed;
    uint32_t n = 0;
    const struct gcnsim_code *code = gcnsim_module_code(r->module);

    for (uint32_t i = 0; n < MAX_ARGS && gcnsim_code_kernel_arg(code, kernel, i, &a) == 0; i++)
        if (!a.hidden) {
            one_spec(specs[n], &a, &seed);
            list[n] = specs[n];
            n++;
        }
    if (wrong && n)
        list[seed % n] = odd[seed / 7 % (sizeof odd / sizeof odd[0])];
    int status = gcnsim_args_parse(r->module, kernel, list, wrong && p->value_seed & 1 ? n / 2 : n, NULL, &r->args, e);
    for (uint32_t i = 0; !status && i < n && r->buffers < PATH_MAX_BUFFERS; i++)
        if (gcnsim_args_buffer(r->args, i, &r->buffer[r->buffers], &r->buffer_bytes[r->buffers]) == 0)
            r->buffers++;
    return status;
}

/* Kernarg bytes with addresses of buffers where the metadata has pointers, or everywhere when there is none. */
static int make_kernarg(struct rig *r, const struct path_launch *p, uint32_t kernel, struct gcnsim_error *e)
{
    struct gcnsim_kernel_info k;
    struct gcnsim_arg_info a;
    uint64_t seed = p->value_seed;

    MUST(gcnsim_code_kernel(gcnsim_module_code(r->module), kernel, &k) == 0);
    r->kernarg_bytes = k.kernarg_size < 4096 ? k.kernarg_size : 4096;
    r->kernarg = malloc(r->kernarg_bytes + 8);
    MUST(r->kernarg);
    for (; r->buffers < 3; r->buffers++) {
        int status = gcnsim_alloc(r->sim, PATH_BUFFER_BYTES, "a buffer", &r->buffer[r->buffers], e);
        if (status)
            return status;
        r->buffer_bytes[r->buffers] = PATH_BUFFER_BYTES;
    }
    for (size_t at = 0; at < r->kernarg_bytes; at += 8) {
        uint64_t v = k.has_metadata || at & 8 ? value_of(&seed) : r->buffer[at / 16 % r->buffers];
        memcpy(r->kernarg + at, &v, 8);
    }
    for (uint32_t i = 0; gcnsim_code_kernel_arg(gcnsim_module_code(r->module), kernel, i, &a) == 0; i++)
        if (strcmp(a.value_kind, "global_buffer") == 0 && a.size == 8 && (uint64_t)a.offset + 8 <= r->kernarg_bytes)
            memcpy(r->kernarg + a.offset, &r->buffer[i % r->buffers], 8);
    return GCNSIM_OK;
}

void path_fill_buffers(struct rig *r, uint32_t value_seed)
{
    uint8_t bytes[PATH_BUFFER_BYTES];
    uint64_t seed = value_seed;

    for (size_t i = 0; i + 4 <= sizeof bytes; i += 4) {
        uint32_t v = (uint32_t)value_of(&seed);
        memcpy(bytes + i, &v, 4);
    }
    for (unsigned i = 0; i < r->buffers; i++) {
        size_t n = r->buffer_bytes[i] < sizeof bytes ? (size_t)r->buffer_bytes[i] : sizeof bytes;
        MUST(gcnsim_write(r->sim, r->buffer[i], bytes, n, NULL) == GCNSIM_OK);
    }
}

uint64_t path_hash_buffers(const struct rig *r)
{
    static uint8_t bytes[PATH_BUFFER_BYTES];
    uint64_t h = 1;

    for (unsigned i = 0; i < r->buffers; i++) {
        size_t n = r->buffer_bytes[i] < sizeof bytes ? (size_t)r->buffer_bytes[i] : sizeof bytes;
        MUST(gcnsim_read(r->sim, r->buffer[i], bytes, n, NULL) == GCNSIM_OK);
        h = hash(h, bytes, n);
    }
    return h;
}

void path_close_rig(struct rig *r)
{
    gcnsim_args_free(r->args);
    gcnsim_close(r->sim);
    free(r->kernarg);
}

int path_open_rig(struct rig *r, const struct scene *s, struct gcnsim_error *e)
{
    const char *sets[5 + PATH_MAX_FIGURES];
    struct gcnsim_code_info info;
    size_t n = 0;
    int status = gcnsim_open(&r->sim, s->profile[0] ? s->profile : NULL, e);

    MUST(status == GCNSIM_OK);
    api_threads_at_once(r->sim);
    gcnsim_set_max_memory(r->sim, PATH_MAX_MEMORY);
    while (s->chip[n])
        sets[n] = s->chip[n], n++;
    for (unsigned i = 0; i < s->figures; i++)
        sets[n++] = s->figure[i];
    if (n)
        status = gcnsim_set_all(r->sim, sets, n, e);
    if (!status)
        status = gcnsim_load_memory(r->sim, &r->module, s->bytes, s->size, "fuzz", NULL, e);
    if (status)
        return status;
    gcnsim_code_get_info(gcnsim_module_code(r->module), &info);
    uint32_t kernel = info.kernel_count ? s->launch.kernel % info.kernel_count : 0;
    if (!info.kernel_count || s->launch.args == PATH_ARGS_NONE)
        return GCNSIM_OK;
    if (s->launch.args == PATH_ARGS_BYTES)
        return make_kernarg(r, &s->launch, kernel, e);
    return parse_args(r, &s->launch, kernel, s->launch.args == PATH_ARGS_WRONG, e);
}
