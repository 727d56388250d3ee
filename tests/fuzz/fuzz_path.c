/* libFuzzer target: the whole path of a file through the public interface, from opening to the report.
 *
 * An input (path_input.h) is opened, described, disassembled, loaded and launched on both engines, under limits, in the
 * ways that the flags of its trailer choose. Whatever the bytes are, each call gives what its header promises or an
 * error with a text, and runs agree where they must:
 *   - the functional engine with and without --check: outcome, fault, counts, memory;
 *   - the timing engine again, with more threads, and with every cycle ticked: the report but for "host";
 *   - the functional and the timing engine, for one wave whose code does not read clocks and is not overwritten:
 *     outcome, fault, count of instructions, memory;
 *   - no simulator holds more memory than it may;
 *   - snapshots, taken in the repeated runs, change nothing;
 *   - every report can be written as text, CSV and JSON, and the JSON is JSON.
 */
#include "tests/support/json.h"
#include <string.h>
#include <unistd.h>

#include "sim/api/at_once.h"
#include "tests/fuzz/path_scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One way to run it. */
struct way {
    enum gcnsim_engine engine;
    int check, tick, snapshots;
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

/* A snapshot has something to say, and both forms of it can be written. */
static void judge_snapshot(const struct gcnsim_snapshot *s)
{
    struct gcnsim_error e = {0};
    uint64_t waves = 0;
    char *text;

    MUST(gcnsim_snapshot_text(s, &text, &e) == GCNSIM_OK && text[0]);
    gcnsim_free(text);
    MUST(gcnsim_snapshot_json(s, &text, &e) == GCNSIM_OK);
    const struct json *parsed = json_parse(text);
    MUST(json_is_object(parsed));
    json_free(parsed);
    gcnsim_free(text);
    for (size_t i = 0; i < s->row_count; i++) {
        MUST(s->rows[i].waves > 0 && (i == 0 || s->rows[i - 1].waves >= s->rows[i].waves));
        path_sink += strlen(s->rows[i].instruction) + strlen(s->rows[i].reason) + strlen(s->rows[i].waits_for);
        waves += s->rows[i].waves;
    }
    MUST(waves == s->waves_resident);
    MUST(s->workgroups_done + s->workgroups_resident + s->workgroups_not_started <= s->workgroups);
}

struct looking {
    volatile int flag;
    int left;
};

/* Looks again, some times. */
static void look(void *ctx, const struct gcnsim_snapshot *s)
{
    struct looking *l = ctx;

    judge_snapshot(s);
    l->flag = l->left-- > 0;
}

static void judge(const struct gcnsim_result *result, struct outcome *o)
{
    struct gcnsim_error e = {0};
    char *text;

    MUST((result->outcome == GCNSIM_COMPLETED) == !result->message[0]);
    MUST((result->outcome == GCNSIM_FAULTED) == (result->fault != NULL));
    MUST((gcnsim_result_status(result) == GCNSIM_OK) == (result->outcome == GCNSIM_COMPLETED));
    MUST(gcnsim_result_text(result, &text, &e) == GCNSIM_OK && text[0] && text[strlen(text) - 1] == '\n');
    gcnsim_free(text);
    MUST(gcnsim_result_csv(result, &text, &e) == GCNSIM_OK && strncmp(text, "name,unit,value\n", 16) == 0);
    gcnsim_free(text);
    MUST(gcnsim_result_json(result, &text, &e) == GCNSIM_OK);
    const struct json *parsed = json_parse(text);
    MUST(json_is_object(parsed));
    json_free(parsed);
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
        path_sink += strlen(result->findings[i].rule) + strlen(result->findings[i].instruction) +
                     strlen(result->findings[i].message) + strlen(result->findings[i].fix);
    if (result->snapshot)
        judge_snapshot(result->snapshot);
    if (result->fault) {
        const struct gcnsim_fault *f = result->fault;
        MUST(f->kind[0] && f->message[0]);
        snprintf(o->fault, sizeof o->fault, "%s", f->kind);
        o->pc_offset = f->pc_offset;
        path_sink += strlen(f->instruction) + strlen(f->nearest);
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

static void run(const struct scene *s, const struct way *w, struct outcome *o)
{
    struct rig r = {0};
    struct gcnsim_error e = {0};
    struct gcnsim_dispatch d;
    struct gcnsim_kernel_info k;
    struct gcnsim_result *result;
    unsigned launches = s->launch.flags & PATH_SECOND_LAUNCH ? 2 : 1;
    struct looking looking = {.flag = 1, .left = 3};

    *o = (struct outcome){.status = path_open_rig(&r, s, &e)};
    for (unsigned i = 0; !o->status && i < launches; i++) {
        path_fill_buffers(&r, s->launch.value_seed);
        set_dispatch(&d, s, w, &r);
        if (w->snapshots) {
            d.snapshot_flag = &looking.flag;
            d.snapshot = look;
            d.snapshot_ctx = &looking;
        }
        o->status = gcnsim_launch(r.module, &d, &result, &e);
        if (o->status)
            break;
        judge(result, o);
        gcnsim_result_free(result);
        o->memory = path_hash_buffers(&r);
        if (gcnsim_code_kernel(gcnsim_module_code(r.module), d.kernel, &k) == 0)
            o->code_changed = code_changed(s, &r, k.symbol);
    }
    if (o->status) {
        path_must_refuse(o->status, &e);
        snprintf(o->refusal, sizeof o->refusal, "%s", e.text);
    }
    struct gcnsim_memory memory;
    gcnsim_get_memory(r.sim, &memory);
    MUST(memory.held_bytes <= memory.peak_bytes && memory.peak_bytes <= PATH_MAX_MEMORY);
    path_close_rig(&r);
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
        way.snapshots = (flags & PATH_SNAPSHOT) != 0;
        run(s, &way, &other);
        MUST(other.status == functional.status);
        free(other.json);
    }
    way = (struct way){.engine = GCNSIM_ENGINE_TIMING, .threads = 1};
    run(s, &way, &timing);
    if (flags & PATH_AGAIN || s->launch.threads > 1) {
        way.threads = s->launch.threads;
        way.snapshots = (flags & PATH_SNAPSHOT) != 0;
        run(s, &way, &other);
        must_repeat(&timing, &other, "timing engine twice");
        free(other.json);
        way.threads = 1;
        way.snapshots = 0;
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
    api_threads_at_once(sim);
    gcnsim_set_max_memory(sim, PATH_MAX_MEMORY);
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
            path_must_refuse(status, &e);
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

/* Repeated runs reach no new code, so that nothing would keep their flags in a corpus: one input in eight gets each of
 * them anyway, by a hash of it. */
static uint16_t more_flags(const uint8_t *data, size_t size)
{
    uint32_t h = 2166136261u;

    for (size_t i = 0; i < size; i++)
        h = (h ^ data[i]) * 16777619u;
    h >>= 8;
    return (uint16_t)((h & 7 ? 0 : PATH_TICK) | (h >> 3 & 7 ? 0 : PATH_AGAIN | PATH_SNAPSHOT) |
                      (h >> 6 & 7 ? 0 : PATH_RAW) | (h >> 9 & 7 ? 0 : PATH_CHECK));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const wants[] = {"gfx90a", "gfx1201", "gfx942:xnack-", "gfx803"};
    struct scene s = {0};
    struct gcnsim_error e = {0};
    struct gcnsim_code_info info;

    s.size = path_split(data, size, &s.launch);
    s.launch.flags |= more_flags(data, size);
    uint8_t *bytes = malloc(s.size ? s.size : 1);
    MUST(bytes);
    memcpy(bytes, data, s.size);
    s.bytes = bytes;
    struct gcnsim_code_source source;
    gcnsim_code_source_init(&source);
    source.bytes = bytes;
    source.size = s.size;
    source.name = "fuzz";
    source.want_target = s.launch.flags & PATH_WANT_TARGET ? wants[s.launch.profile % 4] : NULL;
    source.max_memory = PATH_MAX_MEMORY;
    int status = gcnsim_code_open(&s.code, &source, &e);
    if (status) {
        path_must_refuse(status, &e);
        free(bytes);
        return 0;
    }
    gcnsim_code_get_info(s.code, &info);
    path_choose_profile(&s, info.processor);
    path_describe(&s);
    if (info.kernel_count && !source.want_target) {
        run_all(&s);
        if (s.launch.flags & PATH_RAW)
            run_raw(&s, info.processor);
    }
    gcnsim_code_close(s.code);
    free(bytes);
    return 0;
}
