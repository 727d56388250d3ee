/* libFuzzer target: the whole path of a file through the public interface, from opening to the report.
 *
 * An input (path_input.h) is opened, described, disassembled, loaded and launched on both engines, under limits, in the
 * ways that the flags of its trailer choose. Whatever the bytes are, each call gives what its header promises or an
 * error with a text, and runs agree where they must:
 *   - the functional engine with and without --check: outcome, fault, counts, memory;
 *   - the timing engine again, with more threads, and with every cycle ticked: the report but for "host";
 *   - the functional and the timing engine, for one wave whose code does not read clocks and is not overwritten:
 *     outcome, fault, count of instructions, memory;
 *   - every report can be written as text, CSV and JSON, and the JSON is JSON.
 */
#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/api/gcnsim.h"
#include "tests/fuzz/path_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    MAX_ARGS = 48,
    MAX_SPEC = 600,
    MAX_BUFFERS = 16,
    MAX_WORDS = 8192, /* of code that are disassembled */
    MAX_KERNELS = 16, /* that are described */
    MAX_FIGURES = 4,  /* of a profile that are set */
    MAX_MEMORY = 512 << 20,
};

/* An input while it is tried. */
struct scene {
    const uint8_t *bytes; /* in a block of exactly its size, so that a read past the end is seen */
    size_t size;
    struct path_launch launch;
    struct gcnsim_code *code;
    char profile[64];              /* "": none is named */
    char figure[MAX_FIGURES][200]; /* "PATH=VALUE" */
    unsigned figures;
    const char *const *chip; /* figures that make the chip a small one, ended by a null */
    int repeatable;          /* its code reads no clock */
};

/* One way to run it. */
struct way {
    enum gcnsim_engine engine;
    int check, tick;
    uint32_t threads;
};

/* What came out, for comparison with another run. */
struct outcome {
    int status; /* of the call that refused, or GCNSIM_OK */
    char refusal[640];
    enum gcnsim_outcome outcome;
    char fault[24];
    uint64_t pc_offset, waves;
    double instructions;
    uint64_t memory; /* a hash of the buffers */
    int code_changed;
    char *json;
};

/* A simulator with the arguments of a launch. */
struct rig {
    struct gcnsim *sim;
    struct gcnsim_module *module;
    struct gcnsim_args *args;
    uint64_t buffer[MAX_BUFFERS], buffer_bytes[MAX_BUFFERS];
    unsigned buffers;
    uint8_t *kernarg;
    size_t kernarg_bytes;
};

#define MUST(CONDITION)                                                                                                \
    do {                                                                                                               \
        if (!(CONDITION)) {                                                                                            \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #CONDITION);                             \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

static volatile size_t sink; /* strings that are handed out are read for the sanitizers to judge */

static void must_refuse(int status, const struct gcnsim_error *e)
{
    MUST(status != GCNSIM_OK && e->code == status && e->text[0] && strlen(e->text) < sizeof e->text);
    MUST(status == GCNSIM_ERROR_IO || status == GCNSIM_ERROR_FORMAT || status == GCNSIM_ERROR_USAGE ||
         status == GCNSIM_ERROR_UNSUPPORTED || status == GCNSIM_ERROR_NOMEM || status == GCNSIM_ERROR_LIMIT);
}

static uint64_t hash(uint64_t h, const void *bytes, size_t size)
{
    const uint8_t *b = bytes;

    for (size_t i = 0; i < size; i++)
        h = (h ^ b[i]) * UINT64_C(0x100000001b3);
    return h;
}

static uint32_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* ---- description ---- */

static void describe_kernel(const struct scene *s, uint32_t index)
{
    struct gcnsim_kernel_info k;
    struct gcnsim_arg_info a;
    struct gcnsim_error e = {0};
    uint32_t found;
    char *json;

    MUST(gcnsim_code_kernel(s->code, index, &k) == 0);
    sink += strlen(k.name) + strlen(k.symbol);
    MUST(k.explicit_arg_count <= k.arg_count);
    for (uint32_t i = 0; gcnsim_code_kernel_arg(s->code, index, i, &a) == 0; i++)
        sink +=
            strlen(a.name) + strlen(a.type_name) + strlen(a.value_kind) + strlen(a.address_space) + strlen(a.access);
    MUST(gcnsim_code_find_kernel(s->code, k.symbol, &found, &e) == GCNSIM_OK && found == index);
    MUST(gcnsim_json_string(k.name, &json, &e) == GCNSIM_OK);
    cJSON *text = cJSON_Parse(json);
    MUST(cJSON_IsString(text));
    cJSON_Delete(text);
    gcnsim_free(json);
    if (s->launch.flags & PATH_OCCUPANCY) {
        struct gcnsim_occupancy o;
        int status = gcnsim_code_occupancy(s->code, index, s->profile[0] ? s->profile : NULL, s->launch.workgroup[0],
                                           s->launch.dynamic_lds, &o, &e);
        if (status)
            must_refuse(status, &e);
        else
            MUST(o.waves_per_workgroup > 0 && o.limiter[0] && o.cus > 0);
    }
}

static int reads_a_clock(const char *text)
{
    static const char *const those[] = {"s_memtime",     "s_memrealtime",       "s_getreg",
                                        "s_sendmsg_rtn", "s_get_shader_cycles", "s_sleep_var"};

    for (size_t i = 0; i < sizeof those / sizeof those[0]; i++)
        if (strncmp(text, those[i], strlen(those[i])) == 0)
            return 1;
    return 0;
}

/* The disassembler of a processor, kept open; null when there is none. */
static const struct gcnsim_disasm *disassembler(const char *processor)
{
    static struct gcnsim_disasm *open[64];
    struct gcnsim_error e = {0};
    const char *name;
    unsigned i = 0;

    while (i < 64 && (name = gcnsim_target_name(i)) && strcmp(name, processor) != 0)
        i++;
    if (i < 64 && name && open[i])
        return open[i];
    struct gcnsim_disasm *d;
    int status = gcnsim_disasm_open(&d, processor, &e);
    if (status) {
        must_refuse(status, &e);
        return NULL;
    }
    MUST(i < 64 && name);
    return open[i] = d;
}

/* Disassembles at every word, because branches may lead into the middle of an instruction. */
static void disassemble(struct scene *s, const char *processor)
{
    const struct gcnsim_disasm *d = disassembler(processor);
    struct gcnsim_code_range range;
    char text[256], cut[8];
    unsigned words = 0;
    int known;

    s->repeatable = d != NULL;
    if (!d)
        return;
    for (uint32_t i = 0; gcnsim_code_text(s->code, i, &range) == 0; i++) {
        uint8_t *code = malloc(range.size);
        MUST(code && range.size);
        memcpy(code, range.bytes, range.size);
        for (uint64_t at = 0; at + 4 <= range.size && words < MAX_WORDS; at += 4, words++) {
            size_t n = gcnsim_disasm_one(d, code + at, range.size - at, text, sizeof text, &known);
            MUST(n >= 4 && n <= 20 && n <= range.size - at && (known || n == 4));
            MUST(n == gcnsim_disasm_one(d, code + at, range.size - at, cut, sizeof cut, NULL));
            MUST(strncmp(text, cut, sizeof cut - 1) == 0);
            if (reads_a_clock(text))
                s->repeatable = 0;
        }
        free(code);
    }
    if (words == MAX_WORDS)
        s->repeatable = 0;
}

static void describe(struct scene *s)
{
    struct gcnsim_code_info info;
    struct gcnsim_symbol_info symbol;
    struct gcnsim_error e = {0};
    char *text;

    gcnsim_code_get_info(s->code, &info);
    MUST(strcmp(info.name, "fuzz") == 0 && info.processor[0] && strncmp(info.target, "gfx", 3) == 0);
    for (uint32_t i = 0; i < info.kernel_count && i < MAX_KERNELS; i++)
        describe_kernel(s, i);
    for (uint32_t i = 0; i < info.symbol_count; i++) {
        MUST(gcnsim_code_symbol(s->code, i, &symbol) == 0);
        sink += strlen(symbol.name);
    }
    MUST(gcnsim_code_symbol(s->code, info.symbol_count, &symbol) != 0);
    disassemble(s, info.processor);
    if (!(s->launch.flags & PATH_WRAP) && info.kernel_count)
        return;
    int status = gcnsim_compare_wrap(s->code, NULL, s->launch.threads & 1 ? 0 : 32, &text, &e);
    if (status) {
        must_refuse(status, &e);
    } else {
        sink += strlen(text);
        gcnsim_free(text);
    }
}

/* Number `wish` of the profiles that suit the processor (any: of all); 0 is none at all. */
static void choose_profile(struct scene *s, const char *processor)
{
    struct gcnsim_profile_info p;
    unsigned suiting = 0, wish = s->launch.profile;
    int any = (s->launch.flags & PATH_ANY_PROFILE) != 0;

    for (uint32_t i = 0; gcnsim_profile_list(i, &p) == 0; i++)
        suiting += any || strcmp(p.target, processor) == 0;
    wish = wish % (suiting + 1);
    for (uint32_t i = 0; wish && gcnsim_profile_list(i, &p) == 0; i++)
        if ((any || strcmp(p.target, processor) == 0) && --wish == 0)
            snprintf(s->profile, sizeof s->profile, "%s", p.name);
}

/* The small chip, in the first of these ways that the profile allows. */
static const char *const *choose_chip(const struct scene *s, const char *processor)
{
    static const char *const ways[][6] = {
        {"gpu.cus=16", "gpu.shader_engines=1", "cache.l2.size_bytes=262144", "cache.mall.size_bytes=2097152"},
        {"gpu.cus=16", "gpu.shader_engines=1", "cache.l2.size_bytes=262144"},
        {"gpu.cus=16", "gpu.shader_engines=1", "cache.l2.size_bytes=393216", "cache.mall.size_bytes=1572864"},
        {"gpu.cus=16", "gpu.shader_engines=2", "gpu.xcds=2", "cache.l2.size_bytes=262144",
         "cache.mall.size_bytes=2097152"},
        {NULL},
    };
    static struct {
        char name[64];
        const char *const *way;
    } known[64];
    const char *name = s->profile[0] ? s->profile : processor;
    unsigned i, w;

    for (i = 0; i < 63 && known[i].name[0]; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].way;
    for (w = 0; ways[w][0]; w++) {
        size_t sets = 0;
        char *text;
        while (ways[w][sets])
            sets++;
        if (gcnsim_profile_show(name, ways[w], sets, GCNSIM_JSON, &text, NULL) == GCNSIM_OK) {
            gcnsim_free(text);
            break;
        }
    }
    snprintf(known[i].name, sizeof known[i].name, "%s", name);
    return known[i].way = ways[w];
}

/* A line of the profile's text begins with the path of a figure. */
static const char *line_at(const char *text, unsigned number)
{
    for (; number; number--)
        text = strchr(text, '\n') + 1;
    return text;
}

/* Paths of figures of the profile, by the number of the line, and values that may suit them. */
static void choose_figures(struct scene *s, const char *processor)
{
    static const char *const words[] = {"true", "false", "round_robin", "every_cycle", "lru", "-1", "0.5", "1e9",
                                        "",     "x"};
    unsigned lines = 0, wish = s->launch.figure;
    uint64_t seed = wish;
    uint32_t v = s->launch.figure_value;
    char *text;

    if (gcnsim_profile_show(s->profile[0] ? s->profile : processor, NULL, 0, GCNSIM_TEXT, &text, NULL))
        return;
    for (const char *p = text; *p; p++)
        lines += *p == '\n';
    MUST(lines > 0);
    for (unsigned i = 0; i <= s->launch.figure % MAX_FIGURES; i++) {
        const char *line = line_at(text, wish % lines);
        int n = (int)strcspn(line, " \n");
        if (v >> 28 == 15)
            snprintf(s->figure[i], sizeof s->figure[i], "%.*s=%s", n < 120 ? n : 120, line, words[v % 10]);
        else
            snprintf(s->figure[i], sizeof s->figure[i], "%.*s=%u", n < 120 ? n : 120, line, v);
        s->figures = i + 1;
        wish = next_random(&seed);
        v = next_random(&seed) >> next_random(&seed) % 32;
    }
    gcnsim_free(text);
}

/* ---- arguments ---- */

static uint64_t value_of(uint64_t *seed)
{
    static const uint64_t some[] = {0, 1, 2, 16, 63, 64, 100, 1000, 0x3f800000, 0x7fc00000, 0x80000000, UINT32_MAX};
    uint32_t r = next_random(seed);

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
    for (uint32_t i = 0; !status && i < n && r->buffers < MAX_BUFFERS; i++)
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

static void fill_buffers(struct rig *r, uint32_t value_seed)
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

static uint64_t hash_buffers(const struct rig *r)
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

static void close_rig(struct rig *r)
{
    gcnsim_args_free(r->args);
    gcnsim_close(r->sim);
    free(r->kernarg);
}

/* ---- runs ---- */

/* Whether the bytes of the code in device memory are not those of the file any more: by relocations, or the program. */
static int code_changed(const struct scene *s, const struct rig *r, const char *symbol)
{
    struct gcnsim_symbol_info info;
    struct gcnsim_code_range range;
    uint64_t address, vaddr = 0;
    int differs = 0;

    if (gcnsim_module_symbol(r->module, symbol, &address, NULL, NULL))
        return 1;
    for (uint32_t i = 0; gcnsim_code_symbol(s->code, i, &info) == 0; i++)
        if (strcmp(info.name, symbol) == 0)
            vaddr = info.value;
    for (uint32_t i = 0; !differs && gcnsim_code_text(s->code, i, &range) == 0; i++) {
        uint8_t *now = malloc(range.size);
        MUST(now);
        differs = gcnsim_read(r->sim, address + (range.address - vaddr), now, range.size, NULL) ||
                  memcmp(now, range.bytes, range.size) != 0;
        free(now);
    }
    return differs;
}

/* The JSON without its "host" object, which is the one part that depends on the machine and the hour. */
static char *without_host(char *json)
{
    char *host = strstr(json, "\n  \"host\": {");

    MUST(host);
    char *end = strstr(host, "}");
    /* a command line is not given, so no brace stands in it */
    MUST(end);
    memmove(host, end + 1, strlen(end + 1) + 1);
    return json;
}

static void judge(const struct gcnsim_result *result, struct outcome *o)
{
    struct gcnsim_error e = {0};
    char *text;

    MUST((result->outcome == GCNSIM_COMPLETED) == !result->message[0]);
    MUST((result->outcome == GCNSIM_FAULTED) == (result->has_fault != 0));
    MUST((gcnsim_result_status(result) == GCNSIM_OK) == (result->outcome == GCNSIM_COMPLETED));
    MUST(gcnsim_result_text(result, &text, &e) == GCNSIM_OK && text[0] && text[strlen(text) - 1] == '\n');
    gcnsim_free(text);
    MUST(gcnsim_result_csv(result, &text, &e) == GCNSIM_OK && strncmp(text, "name,unit,value\n", 16) == 0);
    gcnsim_free(text);
    MUST(gcnsim_result_json(result, &text, &e) == GCNSIM_OK);
    cJSON *parsed = cJSON_Parse(text);
    MUST(cJSON_IsObject(parsed));
    cJSON_Delete(parsed);
    free(o->json);
    o->json = without_host(strdup(text));
    gcnsim_free(text);

    o->outcome = result->outcome;
    o->waves = result->waves;
    o->instructions = 0;
    gcnsim_result_stat(result, "instructions.total", &o->instructions);
    for (size_t i = 0; i < result->stat_count; i++)
        MUST(result->stats[i].value >= 0 || !result->stats[i].present);
    for (size_t i = 0; i < result->finding_count; i++)
        sink += strlen(result->findings[i].rule) + strlen(result->findings[i].instruction) +
                strlen(result->findings[i].message) + strlen(result->findings[i].fix);
    if (result->has_fault) {
        const struct gcnsim_fault *f = &result->fault;
        MUST(f->kind[0] && f->message[0]);
        snprintf(o->fault, sizeof o->fault, "%s", f->kind);
        o->pc_offset = f->pc_offset;
        sink += strlen(f->instruction) + strlen(f->nearest);
    }
}

static int stop_at_once(void *ctx, uint64_t done, uint64_t total)
{
    (void)ctx;
    return done * 2 > total;
}

/* Files of traces go there. */
static const char *trace_option(void)
{
    static char option[200];

    if (!option[0]) {
        char dir[150];
        snprintf(dir, sizeof dir, "%s/gcnsim-fuzz-trace.XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
        MUST(mkdtemp(dir));
        snprintf(option, sizeof option, "%s=%s/trace", gcnsim_trace_format(0, NULL), dir);
    }
    return option;
}

static void set_dispatch(struct gcnsim_dispatch *d, const struct scene *s, const struct way *w, const struct rig *r)
{
    const struct path_launch *p = &s->launch;
    static const char *traces[1];
    struct gcnsim_code_info info;

    gcnsim_dispatch_init(d);
    gcnsim_code_get_info(gcnsim_module_code(r->module), &info);
    d->kernel = info.kernel_count ? p->kernel % info.kernel_count : p->kernel;
    d->engine = w->engine;
    for (int i = 0; i < 3; i++) {
        d->grid_size[i] = p->grid[i];
        d->workgroup_size[i] = p->workgroup[i];
    }
    d->dynamic_group_segment_size = p->dynamic_lds;
    d->private_segment_size = p->private_bytes;
    d->args = r->args;
    if (!r->args) {
        d->kernarg = r->kernarg;
        d->kernarg_size = r->kernarg_bytes;
    }
    d->threads = w->threads;
    d->max_instructions = p->max_instructions;
    d->max_cycles = w->engine == GCNSIM_ENGINE_TIMING || p->flags & PATH_LIMIT_CYCLES ? PATH_MAX_CYCLES : 0;
    if (p->flags & PATH_LIMIT_CYCLES)
        d->max_cycles = 1 + p->max_cycles;
    d->check = w->check;
    d->tick_every_cycle = w->tick;
    d->perfect_memory = (p->flags & PATH_PERFECT) != 0;
    if (p->flags & PATH_STOP)
        d->progress = stop_at_once;
    if (w->engine == GCNSIM_ENGINE_TIMING && p->flags & PATH_TRACE) {
        traces[0] = trace_option();
        d->traces = traces;
        d->trace_count = 1;
    }
}

static int open_rig(struct rig *r, const struct scene *s, struct gcnsim_error *e)
{
    const char *sets[5 + MAX_FIGURES];
    struct gcnsim_code_info info;
    size_t n = 0;
    int status = gcnsim_open(&r->sim, s->profile[0] ? s->profile : NULL, e);

    MUST(status == GCNSIM_OK);
    gcnsim_set_max_memory(r->sim, MAX_MEMORY);
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

static void run(const struct scene *s, const struct way *w, struct outcome *o)
{
    struct rig r = {0};
    struct gcnsim_error e = {0};
    struct gcnsim_dispatch d;
    struct gcnsim_kernel_info k;
    struct gcnsim_result *result;
    unsigned launches = s->launch.flags & PATH_SECOND_LAUNCH ? 2 : 1;

    *o = (struct outcome){.status = open_rig(&r, s, &e)};
    for (unsigned i = 0; !o->status && i < launches; i++) {
        fill_buffers(&r, s->launch.value_seed);
        set_dispatch(&d, s, w, &r);
        o->status = gcnsim_launch(r.module, &d, &result, &e);
        if (o->status)
            break;
        judge(result, o);
        gcnsim_result_free(result);
        o->memory = hash_buffers(&r);
        if (gcnsim_code_kernel(gcnsim_module_code(r.module), d.kernel, &k) == 0)
            o->code_changed = code_changed(s, &r, k.symbol);
    }
    if (o->status) {
        must_refuse(o->status, &e);
        snprintf(o->refusal, sizeof o->refusal, "%s", e.text);
    }
    close_rig(&r);
}

static void must_agree(const struct outcome *a, const struct outcome *b, const char *what)
{
    if (a->status == b->status && a->outcome == b->outcome && strcmp(a->fault, b->fault) == 0 &&
        a->pc_offset == b->pc_offset && a->instructions == b->instructions && a->memory == b->memory)
        return;
    fprintf(stderr, "%s: runs do not agree\n", what);
    for (int i = 0; i < 2; i++, a = b)
        fprintf(stderr, "status %d %s, outcome %d, fault %s at 0x%llx, %.0f instructions, memory %llx\n", a->status,
                a->refusal, (int)a->outcome, a->fault, (unsigned long long)a->pc_offset, a->instructions,
                (unsigned long long)a->memory);
    abort();
}

static void must_repeat(const struct outcome *a, const struct outcome *b, const char *what)
{
    must_agree(a, b, what);
    if (!a->json || strcmp(a->json, b->json) == 0)
        return;
    fprintf(stderr, "%s: reports differ\n", what);
    for (const char *p = a->json, *q = b->json; *p; p++, q++)
        if (*p != *q) {
            fprintf(stderr, "...%.60s\n...%.60s\n", p > a->json + 30 ? p - 30 : p, q > b->json + 30 ? q - 30 : q);
            break;
        }
    abort();
}

/* A limit ends engines at different places, a wave among several meets others in another order. */
static int comparable(const struct scene *s, const struct outcome *f, const struct outcome *t)
{
    return s->repeatable && !f->status && !t->status && f->waves == 1 && !f->code_changed && !t->code_changed &&
           (f->outcome == GCNSIM_COMPLETED || f->outcome == GCNSIM_FAULTED) &&
           (t->outcome == GCNSIM_COMPLETED || t->outcome == GCNSIM_FAULTED);
}

static void run_all(const struct scene *s)
{
    struct way way = {.engine = GCNSIM_ENGINE_FUNCTIONAL, .threads = 1};
    struct outcome functional, timing, other;
    unsigned flags = s->launch.flags;

    run(s, &way, &functional);
    if (flags & PATH_CHECK) {
        way.check = 1;
        run(s, &way, &other);
        must_agree(&functional, &other, "functional engine without and with checks");
        free(other.json);
        way.check = 0;
    }
    if (s->launch.threads > 1) {
        way.threads = s->launch.threads;
        run(s, &way, &other);
        MUST(other.status == functional.status);
        free(other.json);
    }
    way = (struct way){.engine = GCNSIM_ENGINE_TIMING, .threads = 1};
    run(s, &way, &timing);
    if (flags & PATH_AGAIN || s->launch.threads > 1) {
        way.threads = s->launch.threads;
        run(s, &way, &other);
        must_repeat(&timing, &other, "timing engine twice");
        free(other.json);
        way.threads = 1;
    }
    if (flags & PATH_TICK) {
        way.tick = 1;
        run(s, &way, &other);
        must_agree(&timing, &other, "timing engine with time jumps and without");
        free(other.json);
    }
    if (comparable(s, &functional, &timing) && !(flags & PATH_SECOND_LAUNCH))
        must_agree(&functional, &timing, "functional and timing engine");
    free(functional.json);
    free(timing.json);
}

/* The code in memory of exactly its size, at addresses of the host. */
static void run_raw(const struct scene *s, const char *processor)
{
    const struct path_launch *p = &s->launch;
    struct gcnsim_code_range range;
    struct gcnsim_kernel_info k;
    struct gcnsim_error e = {0};
    struct gcnsim_result *result;
    struct gcnsim *sim;

    if (gcnsim_code_kernel(s->code, p->kernel, &k) || gcnsim_code_text(s->code, 0, &range) || range.size < 4 ||
        range.address > k.code_offset)
        return;
    uint64_t at = k.code_offset - range.address, code_bytes = range.size & ~UINT64_C(3);
    enum { DATA_BYTES = 1000 };
    uint8_t *code = malloc(code_bytes), *data = calloc(1, DATA_BYTES);
    struct gcnsim_range ranges[1];
    MUST(code && data);
    memcpy(code, range.bytes, code_bytes);
    gcnsim_range_init(&ranges[0]);
    ranges[0] = (struct gcnsim_range){(uint64_t)(uintptr_t)data, DATA_BYTES, 1, "data"};
    uint32_t sgprs[16];
    for (unsigned i = 0; i < 16; i++)
        sgprs[i] = (uint32_t)(i & 1 ? ranges[0].address >> 32 : ranges[0].address + i * 64);
    for (unsigned i = 0; i < DATA_BYTES / 16; i++)
        memcpy(data + 16 * i, &ranges[0].address, 8);
    MUST(gcnsim_open(&sim, s->profile[0] ? s->profile : NULL, &e) == GCNSIM_OK);
    gcnsim_set_max_memory(sim, MAX_MEMORY);
    for (int engine = 0; engine < 2; engine++) {
        struct gcnsim_raw raw;
        gcnsim_raw_init(&raw);
        raw.target = processor;
        raw.engine = engine ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL;
        raw.code_base = (uint64_t)(uintptr_t)code;
        raw.code_size = code_bytes;
        raw.entry = raw.code_base + at;
        for (int i = 0; i < 3; i++) {
            raw.workgroup_size[i] = p->workgroup[i];
            raw.workgroups[i] = p->workgroup[i] ? p->grid[i] / p->workgroup[i] : 0;
        }
        raw.wave_size = k.wavefront_size;
        raw.compute_pgm_rsrc1 = k.compute_pgm_rsrc1;
        raw.compute_pgm_rsrc2 = k.compute_pgm_rsrc2;
        raw.compute_pgm_rsrc3 = k.compute_pgm_rsrc3;
        raw.user_sgprs = sgprs;
        raw.user_sgpr_count = k.compute_pgm_rsrc2 >> 1 & 15;
        raw.lds_bytes = p->dynamic_lds;
        raw.scratch_bytes_per_lane = k.private_segment_fixed_size;
        raw.ranges = ranges;
        raw.range_count = 1;
        raw.threads = p->threads;
        raw.max_instructions = p->max_instructions;
        raw.max_cycles = PATH_MAX_CYCLES;
        raw.check = (p->flags & PATH_CHECK) != 0;
        struct outcome o = {0};
        int status = gcnsim_launch_raw(sim, &raw, &result, &e);
        if (status) {
            must_refuse(status, &e);
        } else {
            judge(result, &o);
            gcnsim_result_free(result);
            free(o.json);
        }
    }
    gcnsim_close(sim);
    free(code);
    free(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const wants[] = {"gfx90a", "gfx1201", "gfx942:xnack-", "gfx803"};
    struct scene s = {0};
    struct gcnsim_error e = {0};
    struct gcnsim_code_info info;

    s.size = path_split(data, size, &s.launch);
    uint8_t *bytes = malloc(s.size ? s.size : 1);
    MUST(bytes);
    memcpy(bytes, data, s.size);
    s.bytes = bytes;
    const char *want = s.launch.flags & PATH_WANT_TARGET ? wants[s.launch.profile % 4] : NULL;
    int status = gcnsim_code_open_memory(&s.code, bytes, s.size, "fuzz", want, &e);
    if (status) {
        must_refuse(status, &e);
        free(bytes);
        return 0;
    }
    gcnsim_code_get_info(s.code, &info);
    choose_profile(&s, info.processor);
    static const char *const none[] = {NULL};
    s.chip = s.launch.flags & PATH_WHOLE_CHIP ? none : choose_chip(&s, info.processor);
    if (s.launch.flags & PATH_SET_FIGURE)
        choose_figures(&s, info.processor);
    describe(&s);
    if (info.kernel_count && !want) {
        run_all(&s);
        if (s.launch.flags & PATH_RAW)
            run_raw(&s, info.processor);
    }
    gcnsim_code_close(s.code);
    free(bytes);
    return 0;
}
