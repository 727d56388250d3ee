/* MAP_FIXED_NOREPLACE */
#define _GNU_SOURCE
#include "tests/timing/accuracy/bench.h"
#include "tests/support/result_stat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/api/gcnsim.h"

#define SNIPPET(NAME, TARGETS, TEXT, COUNT, ...)                                                                       \
    {#NAME, TARGETS, TEXT, COUNT, sizeof((uint32_t[]){__VA_ARGS__}) / 4, (const uint32_t[]){__VA_ARGS__}},
static const struct bench_snippet snippets[] = {
#include "tests/timing/accuracy/words.inc"
};
#undef SNIPPET

/* Far from where programs and sanitizers put theirs, below 47 bits. */
#define CODE_AT UINT64_C(0x200000000000)
#define DATA_AT UINT64_C(0x210000000000)
enum { CODE_BYTES = BENCH_MAX_WORDS * 4, ALIGN_WORDS = 64 };

const struct bench_snippet *bench_snippets(size_t *count)
{
    *count = sizeof snippets / sizeof snippets[0];
    return snippets;
}

static const struct bench_snippet *find(const struct bench *b, const char *name)
{
    char target[32];

    snprintf(target, sizeof target, "%s ", b->target);
    for (size_t k = 0; k < sizeof snippets / sizeof snippets[0]; k++)
        if (!strcmp(snippets[k].name, name) && strstr(snippets[k].targets, target))
            return &snippets[k];
    return NULL;
}

bool bench_has(const struct bench *b, const char *snippet)
{
    return find(b, snippet) != NULL;
}

static void *map_at(uint64_t at, size_t bytes)
{
    void *p = mmap((void *)(uintptr_t)at, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

    return p == MAP_FAILED ? NULL : p;
}

bool bench_open(struct bench *b, const char *profile)
{
    struct gcnsim_profile_info info;
    struct gcnsim_error error = {0};

    *b = (struct bench){.sets = b->sets, .set_count = b->set_count};
    if (gcnsim_profile_find(profile, &info, &error) != GCNSIM_OK ||
        gcnsim_open(&b->sim, profile, &error) != GCNSIM_OK ||
        (b->set_count && gcnsim_set_all(b->sim, b->sets, b->set_count, &error) != GCNSIM_OK)) {
        snprintf(b->error, sizeof b->error, "%s: %s", profile, error.text);
        gcnsim_close(b->sim);
        b->sim = NULL;
        return false;
    }
    snprintf(b->profile, sizeof b->profile, "%s", info.name);
    snprintf(b->target, sizeof b->target, "%s", info.target);
    b->rdna = !strncmp(b->target, "gfx1", 4);
    b->code = map_at(CODE_AT, CODE_BYTES);
    b->data = map_at(DATA_AT, BENCH_DATA_BYTES);
    if (b->code && b->data)
        return true;
    snprintf(b->error, sizeof b->error, "no memory at 0x%llx", (unsigned long long)CODE_AT);
    bench_close(b);
    return false;
}

void bench_close(struct bench *b)
{
    gcnsim_close(b->sim);
    if (b->code)
        munmap(b->code, CODE_BYTES);
    if (b->data)
        munmap(b->data, BENCH_DATA_BYTES);
    b->sim = NULL;
    b->code = NULL;
    b->data = NULL;
}

/* ---- building ---- */

struct layout {
    size_t words;
    unsigned pass_instructions, before; /* of one pass of the loop; up to the loop */
};

static bool put(struct bench *b, struct layout *l, const char *name, unsigned *instructions)
{
    const struct bench_snippet *s;

    if (!name)
        return true;
    s = find(b, name);
    if (!s || l->words + s->words > BENCH_MAX_WORDS) {
        snprintf(b->error, sizeof b->error, "%s: %s snippet %s", b->profile, s ? "no room for" : "no", name);
        return false;
    }
    memcpy(b->code + l->words, s->word, 4 * s->words);
    l->words += s->words;
    *instructions += s->instructions;
    return true;
}

/* align: the loop begins on a 256-byte boundary. */
static bool build(struct bench *b, const struct bench_kernel *k, unsigned copies, bool align, struct layout *l)
{
    size_t loop;
    unsigned none = 0;
    bool ok;

    memset(l, 0, sizeof *l);
    memset(b->code, 0, CODE_BYTES);
    ok = put(b, l, "setup", &l->before) && put(b, l, k->head, &l->before) && put(b, l, k->then, &l->before);
    while (ok && align && l->words % ALIGN_WORDS)
        ok = put(b, l, "nop", &l->before);
    loop = l->words;
    for (unsigned n = 0; ok && n < copies; n++)
        ok = put(b, l, k->body, &l->pass_instructions);
    ok = ok && put(b, l, k->tail, &l->pass_instructions) && put(b, l, "loop_end", &l->pass_instructions);
    if (ok)
        b->code[l->words - 1] |= (uint32_t)(loop - l->words) & 0xffff; /* back to the loop */
    return ok && put(b, l, "end", &none);
}

/* ---- running ---- */

/* COMPUTE_PGM_RSRC1..3 for so many VGPRs, 48 SGPRs, 16 user SGPRs and the workgroup's number in x. */
static void registers(const struct bench *b, const struct bench_kernel *k, unsigned lanes, struct gcnsim_raw *raw)
{
    bool unified = !strcmp(b->target, "gfx90a") || !strcmp(b->target, "gfx942");
    unsigned vgprs = k->vgprs ? k->vgprs : 32;
    unsigned granule = b->rdna ? (lanes == 32 ? 8 : 4) : unified ? 8 : 4;

    raw->compute_pgm_rsrc1 = (vgprs + granule - 1) / granule - 1;
    raw->compute_pgm_rsrc1 |= b->rdna ? 1u << 30 : (48 / 8 - 1) << 6; /* loads in order; SGPRs */
    raw->compute_pgm_rsrc1 |= 0xc0u << 12;                            /* f16 and f64 denormals */
    raw->compute_pgm_rsrc2 = BENCH_SGPRS << 1 | 1 << 7;
    if (unified) /* where the AGPRs begin */
        raw->compute_pgm_rsrc3 = (vgprs > 256 ? 256 : vgprs) / 4 - 1;
}

/* Cycles; window: until so many instructions were issued, 0: to the end. */
static double run(struct bench *b, const struct bench_kernel *k, const struct layout *l, uint32_t passes,
                  uint64_t window)
{
    struct gcnsim_result *result = NULL;
    struct gcnsim_error error = {0};
    struct gcnsim_raw raw;
    uint32_t sgpr[BENCH_SGPRS];
    unsigned lanes = k->lanes ? k->lanes : b->rdna ? 32 : 64;
    double cycles = NAN, time_us;

    gcnsim_raw_init(&raw);
    raw.target = b->target;
    raw.engine = GCNSIM_ENGINE_TIMING;
    raw.entry = raw.code_base = (uint64_t)(uintptr_t)b->code;
    raw.code_size = l->words * 4;
    raw.workgroups[0] = k->groups ? k->groups : 1;
    raw.workgroup_size[0] = lanes * (k->waves ? k->waves : 1);
    raw.wave_size = lanes;
    registers(b, k, lanes, &raw);
    memcpy(sgpr, k->sgpr, sizeof sgpr);
    sgpr[0] = (uint32_t)(uintptr_t)b->data;
    sgpr[1] = (uint32_t)((uint64_t)(uintptr_t)b->data >> 32);
    sgpr[S_PASSES] = passes;
    raw.user_sgprs = sgpr;
    raw.user_sgpr_count = BENCH_SGPRS;
    raw.lds_bytes = k->lds_bytes;
    raw.max_instructions = window;
    raw.cold = 1; /* differences of runs are measured: all begin alike */
    b->runs++;
    if (gcnsim_launch_raw(b->sim, &raw, &result, &error) != GCNSIM_OK) {
        snprintf(b->error, sizeof b->error, "%s: %s", b->profile, error.text);
        return NAN;
    }
    if (result->outcome == (window ? GCNSIM_LIMIT : GCNSIM_COMPLETED))
        cycles = (double)result_stat(result, "cycles");
    else
        snprintf(b->error, sizeof b->error, "%s: %s", b->profile, result->message);
    if (gcnsim_result_stat(result, "time_us", &time_us) == GCNSIM_OK && time_us > 0)
        b->mhz = (double)result_stat(result, "cycles") / time_us;
    gcnsim_result_free(result);
    return cycles;
}

enum { FEW = 4, MANY = 12 };

double bench_pass(struct bench *b, const struct bench_kernel *k, uint32_t warm, uint32_t more)
{
    struct layout l;

    if (!build(b, k, k->copies ? k->copies : 1, true, &l))
        return NAN;
    double first = run(b, k, &l, warm, 0);
    return (run(b, k, &l, warm + more, 0) - first) / more;
}

double bench_copy(struct bench *b, const struct bench_kernel *k)
{
    unsigned copies = k->copies ? k->copies : 128;
    struct bench_kernel twice = *k, once = *k;

    once.copies = copies;
    twice.copies = 2 * copies;
    double t = bench_pass(b, &twice, FEW, MANY - FEW);
    return (t - bench_pass(b, &once, FEW, MANY - FEW)) / copies;
}

/* Cycles of a pass of one wave, between so many passes of every wave. */
static double window_pass(struct bench *b, const struct bench_kernel *k, unsigned copies, unsigned few, unsigned many)
{
    uint64_t waves = (uint64_t)(k->waves ? k->waves : 1) * (k->groups ? k->groups : 1);
    struct layout l;

    if (!build(b, k, copies, true, &l))
        return NAN;
    double first = run(b, k, &l, UINT32_MAX, waves * (l.before + (uint64_t)l.pass_instructions * few));
    double last = run(b, k, &l, UINT32_MAX, waves * (l.before + (uint64_t)l.pass_instructions * many));
    return (last - first) / (many - few) / (double)waves;
}

double bench_throughput(struct bench *b, const struct bench_kernel *k)
{
    unsigned copies = k->copies ? k->copies : 32;
    double twice = window_pass(b, k, 2 * copies, FEW, MANY);

    return (twice - window_pass(b, k, copies, FEW, MANY)) / copies;
}

double bench_rate(struct bench *b, const struct bench_kernel *k)
{
    unsigned copies = k->copies ? k->copies : 2;

    return window_pass(b, k, copies, k->few ? k->few : 2, k->many ? k->many : 6) / copies;
}

double bench_whole(struct bench *b, const struct bench_kernel *k)
{
    struct layout l;

    return build(b, k, k->copies ? k->copies : 1, false, &l) ? run(b, k, &l, 1, 0) : NAN;
}

double bench_ipc(struct bench *b, const struct bench_kernel *k)
{
    struct bench_kernel some = *k;
    struct layout l;

    some.groups = k->groups / 3;
    if (!build(b, k, k->copies, false, &l))
        return NAN;
    double cycles = run(b, k, &l, 1, 0) - run(b, &some, &l, 1, 0);
    double waves = (double)(k->groups - some.groups) * k->waves;
    return waves * (l.before + l.pass_instructions + 1) / cycles;
}

double bench_blocks(struct bench *b, const struct bench_kernel *k)
{
    struct bench_kernel some = *k;
    struct layout l;

    some.groups = k->groups / 3;
    if (!build(b, k, k->copies, true, &l))
        return NAN;
    double cycles = run(b, k, &l, k->many, 0) - run(b, &some, &l, k->many, 0);
    return cycles / ((double)(k->groups - some.groups) * k->waves * k->many * k->copies);
}
