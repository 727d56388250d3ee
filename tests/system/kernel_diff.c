/* kernel_diff.h's inputs, references, compilers and comparison. */
#include "tests/system/kernel_diff.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/system/spawn_tool.h"

enum {
    COMPILERS = 2,
    /* as in diff.h */
    ITEMS = 200,
    SLOTS = 48,
    GROUP = 256,
    GROUPS = 2,
    OUT_WORDS = SLOTS * GROUP * GROUPS,
    ACC_WORDS = 256,
    IN_F32 = 1024,
    IN_F64 = 2048,
    IN_F16 = 4096,
    IN_WORDS = 4608,
    NEAR_F32 = 1,
    NEAR_F16 = 2,
    NEAR_F64 = 3,
    NEAR_ABS = 4,
    MAX_INSTRUCTIONS = 20000000,
};

const struct diff_target diff_targets[] = {
    {"gfx803", false, true}, {"gfx900", false, false}, {"gfx906", false, false}, {"gfx908", false, false},
    {"gfx90a", false, true}, {"gfx942", false, true},  {"gfx1010", true, false}, {"gfx1030", true, true},
    {"gfx1100", true, true}, {"gfx1150", true, false}, {"gfx1200", true, false}, {"gfx1201", true, true},
};
const size_t diff_target_count = sizeof diff_targets / sizeof *diff_targets;

bool diff_needs_llvm22(const char *target)
{
    return strcmp(target, "gfx950") == 0 || strncmp(target, "gfx125", 6) == 0;
}

static const uint32_t grid[3] = {10, 5, 4}; /* of GRID_KERNEL */

/* struct big_args of control.h and what follows it in the kernels that take it */
struct kernarg {
    uint64_t out, in, acc;
    struct {
        uint32_t w[40];
        uint64_t d[10];
        float f[5];
        uint8_t b[7];
        uint16_t h[3];
    } big;
    uint8_t c;
    int16_t s;
    double d;
};

struct reference {
    char name[64];
    bool known;
    uint32_t *out;
    uint16_t *near; /* kind << 8 | tolerance, for each word; null: all must be the same */
    uint32_t acc[ACC_WORDS];
};

struct diff_host {
    void *library;                      /* of reference kernels */
    _Alignas(64) uint32_t in[IN_WORDS]; /* as kernels may expect of device memory */
    struct kernarg kernarg;
    struct reference references[2][DIFF_MAX_KERNELS]; /* wave32, wave64 */
};

/* ---- inputs ---- */

static uint64_t random_u64(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * 0x9e3779b97f4a7c15;
}

static void fill_inputs(struct diff_host *h)
{
    static const uint32_t u32[] = {0,          1,      2,      0xffffffff, 0x80000000, 0x7fffffff,
                                   0x80000001, 0xffff, 0x8000, 0x10000,    31,         0xff};
    static const uint32_t f32[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
                                   1,          0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x3f000000,
                                   0x3fc00000, 0xbf000000, 0x40200000, 0x4effffff, 0x4f000000, 0x4b000001, 0x34000000};
    static const uint64_t f64[] = {0,
                                   0x8000000000000000,
                                   0x3ff0000000000000,
                                   0xbff0000000000000,
                                   0x7ff0000000000000,
                                   0xfff0000000000000,
                                   0x7ff8000000000000,
                                   1,
                                   0x000fffffffffffff,
                                   0x0010000000000000,
                                   0x7fefffffffffffff,
                                   0x3fe0000000000000,
                                   0x3ff8000000000000,
                                   0xc004000000000000,
                                   0x4330000000000001,
                                   0x41dfffffffc00000};
    static const uint16_t f16[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 1,
                                   0x8001, 0x03ff, 0x0400, 0x7bff, 0xfbff, 0x3800, 0x3e00, 0x6400};
    uint64_t random = 0x2545f4914f6cdd1d;
#define PICK(a) (a)[random_u64(&random) % (sizeof(a) / sizeof *(a))]
    uint16_t *halves = (uint16_t *)(h->in + IN_F16);
    for (size_t i = 0; i < IN_F32; i++) {
        uint64_t r = random_u64(&random), how = random_u64(&random) % 8;
        h->in[i] = how < 2 ? PICK(u32) : how < 3 ? (uint32_t)(r & 0xff) : (uint32_t)(r >> 20);
    }
    for (size_t i = IN_F32; i < IN_F64; i++) {
        uint64_t r = random_u64(&random), how = random_u64(&random) % 8;
        uint32_t moderate = 0x3c000000 + (uint32_t)(r % 0x09000000), sign = (uint32_t)(r >> 40) << 31;
        uint32_t any = (uint32_t)(r >> 8) & 0x7fffffff;
        h->in[i] = how < 2 ? PICK(f32) : how < 6 ? moderate | sign : any > 0x7f800000 ? 0x7fc00000 : any | sign;
    }
    for (size_t i = IN_F64; i < IN_F16; i += 2) {
        uint64_t r = random_u64(&random), how = random_u64(&random) % 8, sign = r << 63;
        uint64_t moderate = 0x3f00000000000000 + (r >> 7) % 0x0200000000000000, any = r >> 1;
        uint64_t v = how < 2 ? PICK(f64) : how < 6 ? moderate | sign : any > 0x7ff0000000000000 ? 0x7ff8ull << 48 : any;
        memcpy(h->in + i, &v, sizeof v);
    }
    for (size_t i = 0; i < 2 * (IN_WORDS - IN_F16); i++) {
        uint64_t r = random_u64(&random), how = random_u64(&random) % 8;
        uint32_t any = (r >> 8) & 0x7fff;
        halves[i] = (uint16_t)(how < 2 ? PICK(f16) : any > 0x7c00 ? 0x7e00 : any | (r >> 30 & 0x8000));
        if (how > 4)
            halves[i] = (uint16_t)((halves[i] & 0x83ff) | 0x3000 | (r >> 33 & 0x1c00));
    }
#undef PICK
    uint8_t *bytes = (uint8_t *)&h->kernarg.big;
    for (size_t i = 0; i < sizeof h->kernarg.big; i++)
        bytes[i] = (uint8_t)random_u64(&random);
    for (size_t i = 0; i < 5; i++)
        h->kernarg.big.f[i] = (float)i * 1.5f - 2;
    h->kernarg.c = 0xc5;
    h->kernarg.s = -1234;
    h->kernarg.d = -0.1;
}

/* ---- the reference ---- */

typedef void item_fn(uint32_t *out, const uint32_t *in, uint32_t *acc);
typedef void args_fn(uint32_t *out, const uint32_t *in, uint32_t *acc, __typeof__(((struct kernarg *)0)->big) big,
                     uint8_t c, int16_t s, double d);

/* Zeroed, aligned as device memory is. */
static void *alloc_lines(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
    assert_non_null(p);
    return memset(p, 0, bytes);
}

static void *host_symbol(const struct diff_host *h, const char *name, const char *suffix)
{
    char symbol[128];
    snprintf(symbol, sizeof symbol, "%s%s", name, suffix);
    return dlsym(h->library, symbol);
}

static void start_acc(uint32_t *acc)
{
    memset(acc, 0, ACC_WORDS * sizeof *acc);
    acc[2] = acc[8] = 0xffffffff;
}

static void run_reference(struct diff_host *h, const char *kernel, uint32_t wave, struct reference *r)
{
    void *fn = host_symbol(h, kernel, "");
    uint32_t *gid = dlsym(h->library, "diff_gid"), *group = dlsym(h->library, "diff_group");
    uint32_t *wave_size = dlsym(h->library, "diff_wave"), *xyz = dlsym(h->library, "diff_xyz");
    if (!fn || !gid || !group || !wave_size || !xyz)
        fail_msg("%s: not in the host's library", kernel);
    *wave_size = wave;
    if (host_symbol(h, kernel, "_is_group")) {
        for (*group = 0; *group < GROUPS; ++*group)
            ((item_fn *)fn)(r->out, h->in, r->acc);
    } else if (host_symbol(h, kernel, "_is_grid")) {
        for (uint32_t i = 0; i < ITEMS; i++) {
            xyz[0] = i % grid[0], xyz[1] = i / grid[0] % grid[1], xyz[2] = i / grid[0] / grid[1];
            ((item_fn *)fn)(r->out, h->in, r->acc);
        }
    } else {
        for (*gid = 0; *gid < ITEMS; ++*gid)
            if (strncmp(kernel, "args_", 5) == 0)
                ((args_fn *)fn)(r->out, h->in, r->acc, h->kernarg.big, h->kernarg.c, h->kernarg.s, h->kernarg.d);
            else
                ((item_fn *)fn)(r->out, h->in, r->acc);
    }
}

static const struct reference *reference_of(struct diff_host *h, const char *kernel, uint32_t wave)
{
    struct reference *r = h->references[wave == 64];
    while (r->known && strcmp(r->name, kernel) != 0)
        r++;
    if (r->known)
        return r;
    assert_true(r < h->references[wave == 64] + DIFF_MAX_KERNELS - 1);
    uint16_t *near = dlsym(h->library, "diff_near");
    snprintf(r->name, sizeof r->name, "%s", kernel);
    r->out = alloc_lines(OUT_WORDS * sizeof *r->out);
    start_acc(r->acc);
    if (near)
        memset(near, 0, OUT_WORDS * sizeof *near);
    run_reference(h, kernel, wave, r);
    for (size_t i = 0; near && i < OUT_WORDS && !r->near; i++)
        if (near[i]) {
            r->near = malloc(OUT_WORDS * sizeof *near);
            assert_non_null(r->near);
            memcpy(r->near, near, OUT_WORDS * sizeof *near);
        }
    r->known = true;
    return r;
}

/* ---- comparison ---- */

/* Floats in the order of their values, as integers one ULP apart. */
static int64_t in_order(uint64_t bits, unsigned width)
{
    uint64_t sign = 1ull << (width - 1);
    return bits & sign ? -(int64_t)(bits & (sign - 1)) : (int64_t)bits;
}

/* The word at `i`, or the pair of words there, is as near as the kernel states; NaN and infinity must be the same. */
static bool near_enough(const uint32_t *got, const uint32_t *want, const uint16_t *near, size_t i)
{
    unsigned kind = near[i] >> 8, bound = near[i] & 255;
    if (kind == 0 && i > 0 && near[i - 1] >> 8 == NEAR_F64)
        return near_enough(got, want, near, i - 1);
    uint64_t g = got[i], w = want[i];
    if (kind == NEAR_F64) {
        g |= (uint64_t)got[i + 1] << 32;
        w |= (uint64_t)want[i + 1] << 32;
        if ((w >> 52 & 0x7ff) == 0x7ff || (g >> 52 & 0x7ff) == 0x7ff)
            return g == w;
        uint64_t off = (uint64_t)in_order(g, 64) - (uint64_t)in_order(w, 64);
        return (off >> 63 ? -off : off) <= 1ull << bound;
    }
    unsigned width = kind == NEAR_F16 ? 16 : 32;
    uint64_t top = kind == NEAR_F16 ? 0x7c00 : 0x7f800000;
    if (g >> 16 >> (width - 16) || (w & top) == top || (g & top) == top)
        return g == w;
    if (kind == NEAR_ABS) {
        float a, b;
        memcpy(&a, got + i, sizeof a);
        memcpy(&b, want + i, sizeof b);
        return __builtin_fabsf(a - b) <= __builtin_ldexpf(1.0f, -(int)bound);
    }
    int64_t off = in_order(g, width) - in_order(w, width);
    return (off < 0 ? -off : off) <= (int64_t)bound;
}

/* The first difference goes to `text`. */
static bool same_words(const uint32_t *got, const uint32_t *want, const uint16_t *near, size_t count, const char *what,
                       char *text, size_t size)
{
    size_t differing = 0, first = 0;
    for (size_t i = count; i-- > 0;)
        if (got[i] != want[i] && !(near && near_enough(got, want, near, i)))
            differing++, first = i;
    if (differing)
        snprintf(text, size, "%s: item %zu word %zu is 0x%08x, expected 0x%08x (%zu words differ)", what, first / SLOTS,
                 first % SLOTS, got[first], want[first], differing);
    return differing == 0;
}

/* ---- one kernel ---- */

static void describe_dispatch(const struct diff_host *h, struct gcnsim_module *module, uint32_t index,
                              const struct gcnsim_kernel_info *info, struct gcnsim_dispatch *d)
{
    const char *engine = getenv("GCNSIM_KERNEL_ENGINE");
    struct gcnsim_arg_info arg;
    bool group = host_symbol(h, info->name, "_is_group");
    gcnsim_dispatch_init(d);
    d->kernel = index;
    d->engine = engine && strcmp(engine, "timing") == 0 ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL;
    d->check = d->engine == GCNSIM_ENGINE_FUNCTIONAL;
    d->grid_size[0] = group ? GROUP * GROUPS : ITEMS;
    d->workgroup_size[0] = group ? GROUP : 64;
    for (size_t i = 0; i < 3 && host_symbol(h, info->name, "_is_grid"); i++) {
        d->grid_size[i] = grid[i];
        d->workgroup_size[i] = 4;
    }
    d->max_instructions = MAX_INSTRUCTIONS;
    for (uint32_t i = 0; gcnsim_code_kernel_arg(gcnsim_module_code(module), index, i, &arg) == 0; i++)
        if (!arg.hidden)
            d->kernarg_size = arg.offset + arg.size;
}

/* Hazards that became known late, with the first version of clang whose code has none (docs/CHECK.md, "Errata"). */
static bool is_unknown_hazard(const char *rule, unsigned version)
{
    static const struct {
        const char *rule;
        unsigned known_to;
    } errata[] = {{"rdna3.mask-write-by-valu", 21}, {"gfx950.pk-f32-op-sel", 23}};

    for (size_t k = 0; k < sizeof errata / sizeof *errata; k++)
        if (!strcmp(rule, errata[k].rule))
            return version && version < errata[k].known_to;
    return false;
}

static const char *compiler_of(const struct diff_build *b)
{
    const char *chosen = getenv("GCNSIM_KERNEL_CLANG");
    const char *usual = diff_needs_llvm22(b->target) ? "sh tests/llvm22.sh clang" : "clang-19";

    return b->compiler ? b->compiler : chosen ? chosen : usual;
}

/* The major version that a compiler says it has; 0: none, or it is no clang, whose code may break no rule. */
static unsigned version_of(const char *compiler)
{
    static char asked[256];
    static unsigned version;
    char command[512], line[256];

    if (!strcmp(asked, compiler))
        return version;
    snprintf(asked, sizeof asked, "%s", compiler);
    version = 0;
    snprintf(command, sizeof command, "%s --version -c 2>/dev/null", compiler);
    FILE *f = popen(command, "r");
    while (f && fgets(line, sizeof line, f)) {
        const char *at = strstr(line, "clang version ");
        if (at && !version)
            version = (unsigned)strtoul(at + strlen("clang version "), NULL, 10);
    }
    if (f)
        pclose(f);
    return version;
}

/* Compiled code has its waits and wait states, and reads nothing it has not written; b->known is the rule it may
 * break. */
static bool nothing_found(const struct gcnsim_result *r, const struct diff_build *b, char *text, size_t size)
{
    for (const struct gcnsim_finding *f = r->findings; f < r->findings + r->finding_count; f++) {
        if (is_unknown_hazard(f->rule, version_of(compiler_of(b))))
            continue;
        snprintf(text, size, "--check: %s at offset 0x%llx '%s', lane %d: %s; %s (%zu places in all)", f->rule,
                 (unsigned long long)f->pc_offset, f->instruction, f->lane, f->message, f->fix, r->finding_count);
        if (!b->known || strcmp(f->rule, b->known) != 0)
            return false;
    }
    return true;
}

/* Runs one kernel; false, with the reason in `text`, unless it wrote what the host wrote. A text besides true is of the
 * rule that this build's compiler is known to break. */
static bool run_kernel(struct diff_host *h, struct gcnsim *sim, struct gcnsim_module *module, uint32_t index,
                       const struct gcnsim_kernel_info *info, const struct diff_build *b, char *text, size_t size)
{
    static uint32_t out[OUT_WORDS], acc[ACC_WORDS];
    const struct reference *want = reference_of(h, info->name, info->wavefront_size);
    struct gcnsim_error error = {0};
    struct kernarg kernarg = h->kernarg;
    struct gcnsim_dispatch d;
    struct gcnsim_result *result = NULL;
    bool ok = false;

    describe_dispatch(h, module, index, info, &d);
    d.kernarg = &kernarg;
    start_acc(acc);
    if (gcnsim_alloc(sim, sizeof out, "out", &kernarg.out, &error) ||
        gcnsim_alloc(sim, sizeof h->in, "in", &kernarg.in, &error) ||
        gcnsim_alloc(sim, sizeof acc, "acc", &kernarg.acc, &error) ||
        gcnsim_write(sim, kernarg.in, h->in, sizeof h->in, &error) ||
        gcnsim_write(sim, kernarg.acc, acc, sizeof acc, &error) || gcnsim_launch(module, &d, &result, &error)) {
        snprintf(text, size, "%s", error.text);
    } else if (result->outcome != GCNSIM_COMPLETED) {
        snprintf(text, size, "%s", result->fault ? result->fault->message : result->message);
    } else {
        assert_int_equal(gcnsim_read(sim, kernarg.out, out, sizeof out, &error), 0);
        assert_int_equal(gcnsim_read(sim, kernarg.acc, acc, sizeof acc, &error), 0);
        ok = same_words(out, want->out, want->near, OUT_WORDS, "out", text, size) &&
             same_words(acc, want->acc, NULL, ACC_WORDS, "acc", text, size) && nothing_found(result, b, text, size);
    }
    gcnsim_result_free(result);
    if (kernarg.out != h->kernarg.out)
        gcnsim_dealloc(sim, kernarg.out, NULL);
    if (kernarg.in != h->kernarg.in)
        gcnsim_dealloc(sim, kernarg.in, NULL);
    if (kernarg.acc != h->kernarg.acc)
        gcnsim_dealloc(sim, kernarg.acc, NULL);
    return ok;
}

/* Is `name` wanted by a list of prefixes, or is there no list? */
static bool wanted_name(const char *list, const char *name)
{
    if (!list || !*list)
        return true;
    for (const char *p = list; *p; p += *p == ',') {
        size_t n = strcspn(p, ",");
        if (n && strncmp(p, name, n) == 0)
            return true;
        p += n;
    }
    return false;
}

static void print_log(const char *title, const char *what, const char *path)
{
    size_t bytes = 0;
    char *text = read_whole(path, &bytes);
    print_error("%s: %s\n", title, what);
    fputs(text ? text : "", stderr); /* longer than cmocka's lines */
    free(text);
}

int diff_run(struct diff_host *h, const struct diff_build *b, unsigned *ran)
{
    struct gcnsim_error error;
    struct gcnsim *sim = NULL;
    struct gcnsim_module *module;
    struct gcnsim_kernel_info info;
    int failed = 0;

    *ran = 0;
    if (b->status != 0) {
        print_log(b->title, "does not compile", b->log);
        return -1;
    }
    if (gcnsim_open(&sim, NULL, &error) || gcnsim_load_file(sim, &module, b->object, NULL, &error)) {
        print_error("%s: %s\n", b->title, error.text);
        gcnsim_close(sim);
        return -1;
    }
    for (uint32_t k = 0; gcnsim_code_kernel(gcnsim_module_code(module), k, &info) == 0; k++) {
        char text[1024] = "";
        if (!wanted_name(getenv("GCNSIM_KERNELS"), info.name) || !wanted_name(b->kernels, info.name))
            continue;
        ++*ran;
        if (run_kernel(h, sim, module, k, &info, b, text, sizeof text)) {
            if (*text)
                print_message("%s, %s: the compiler's (docs/TESTING.md): %s\n", info.name, b->title, text);
        } else {
            if (b->spilling && info.sgpr_spill_count && info.vgpr_spill_count) {
                ++*b->spilling;
                continue;
            }
            failed++;
            if (!b->quiet)
                print_error("%s, %s: %s\n", info.name, b->title, text);
        }
    }
    gcnsim_close(sim);
    return failed;
}

/* ---- compiling ---- */

/* Both sides round at each operation; a NaN or an error number decides nothing. */
static const char *const common_flags[] = {"-std=gnu11",
                                           "-ffp-contract=off",
                                           "-fno-math-errno",
                                           "-fno-strict-aliasing",
                                           "-Xclang",
                                           "-ffloat16-excess-precision=none",
                                           "-Xclang",
                                           "-fbfloat16-excess-precision=none",
                                           "-Wno-psabi",
                                           "-fno-crash-diagnostics",
                                           "-I."};

void diff_build_init(struct diff_build *b, const char *dir, const char *name, const char *source, const char *target,
                     const char *level, bool wave64_option)
{
    *b = (struct diff_build){.target = target, .level = level, .source = source, .wave64_option = wave64_option};
    snprintf(b->title, sizeof b->title, "%s %s%s", target, level, wave64_option ? " -mwavefrontsize64" : "");
    snprintf(b->object, sizeof b->object, "%s/%s.co", dir, name);
    snprintf(b->log, sizeof b->log, "%s/%s.log", dir, name);
}

/* Puts the words of text, which they stay in, into argv from n on; returns how many there are then. */
static size_t add_words(const char *argv[], size_t n, size_t max, char *text)
{
    char *save;

    for (char *word = strtok_r(text, " ", &save); word && n < max; word = strtok_r(NULL, " ", &save))
        argv[n++] = word;
    return n;
}

static bool start_compiler(struct diff_build *b)
{
    char cpu[64], command[1024];
    const char *const fixed[] = {"-target", "amdgcn-amd-amdhsa", cpu, b->level, "-nogpulib",
                                 /* clang's default for gfx8 is to flush them */
                                 "-Xclang", "-fdenormal-fp-math-f32=ieee", "-o", b->object, b->source};
    const char *argv[48] = {NULL};
    posix_spawn_file_actions_t fa;
    snprintf(cpu, sizeof cpu, "-mcpu=%s", b->target);
    snprintf(command, sizeof command, "%s", compiler_of(b));
    size_t n = add_words(argv, 0, 8, command);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        argv[n++] = fixed[i];
    if (strcmp(b->target, "gfx950") == 0)
        argv[n++] = "-D__AMDGCN_WAVEFRONT_SIZE__=64"; /* which clang 22 does not define */
    for (size_t i = 0; i < sizeof common_flags / sizeof *common_flags; i++)
        argv[n++] = common_flags[i];
    if (b->wave64_option)
        argv[n++] = "-mwavefrontsize64";
    /* From version 5 on clang 19 reads the apertures of gfx8 through a null pointer in functions that are no kernels;
     * before, through the queue. */
    if (strcmp(b->target, "gfx803") == 0)
        argv[n++] = "-mcode-object-version=4";
    const char *more = getenv("GCNSIM_KERNEL_FLAGS");
    char flags[1024];
    snprintf(flags, sizeof flags, "%s %s", more ? more : "", b->more ? b->more : "");
    add_words(argv, n, 47, flags);
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&fa, 1, b->log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_adddup2(&fa, 1, 2);
    int rc = posix_spawnp(&b->pid, argv[0], &fa, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&fa);
    b->started = true;
    b->status = rc == 0 ? 0 : SPAWN_FAILED;
    if (rc != 0)
        b->pid = 0;
    return rc == 0;
}

void diff_build_wait(struct diff_build *builds, size_t count, size_t wanted)
{
    while (!builds[wanted].started || builds[wanted].pid) {
        struct diff_build *next = NULL;
        size_t running = 0;
        for (size_t i = count; i-- > 0;) {
            running += builds[i].pid != 0;
            next = builds[i].started ? next : &builds[i];
        }
        if (next && running < COMPILERS) {
            start_compiler(next);
            continue;
        }
        int status;
        pid_t pid = wait(&status);
        for (size_t i = 0; i < count; i++)
            if (builds[i].pid && (builds[i].pid == pid || (pid < 0 && errno == ECHILD))) {
                builds[i].pid = 0;
                builds[i].status = pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : SPAWN_SIGNAL;
            }
    }
}

void diff_build_stop(struct diff_build *builds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (builds[i].pid) {
            kill(builds[i].pid, SIGKILL);
            waitpid(builds[i].pid, NULL, 0);
            builds[i].pid = 0;
        }
}

/* clang-19 links in any case, as it has the host's libraries. */
static int build_host(const char *so, const char *log, const char *source, const char *compiler, bool sanitize)
{
    char command[1024], object[DIFF_PATH_BYTES + 8];
    const char *argv[32] = {NULL}, *const link[] = {"clang-19", "-shared", "-o", so, object, "-lm", NULL};
    snprintf(command, sizeof command, "%s", compiler ? compiler : "clang-19");
    snprintf(object, sizeof object, "%s.o", so);
    size_t n = add_words(argv, 0, 8, command);
    const char *const fixed[] = {"-O1", "-fPIC", "-c", "-o", object, source};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        argv[n++] = fixed[i];
    for (size_t i = 0; i < sizeof common_flags / sizeof *common_flags; i++)
        argv[n++] = common_flags[i];
    if (sanitize) {
        argv[n++] = "-fsanitize=undefined";
        argv[n++] = "-fsanitize-trap=undefined";
    }
    int status = spawn_tool(argv, log);
    return status ? status : spawn_tool(link, log);
}

int diff_host_open(struct diff_host **out, const char *dir, const char *source, const char *compiler, bool sanitize)
{
    char so[DIFF_PATH_BYTES], log[DIFF_PATH_BYTES];
    snprintf(so, sizeof so, "%s/host%s.so", dir, compiler ? "-other" : "");
    snprintf(log, sizeof log, "%s/host%s.log", dir, compiler ? "-other" : "");
    *out = NULL;
    int status = build_host(so, log, source, compiler, sanitize);
    struct diff_host *h = alloc_lines(sizeof *h);
    if (status != 0 || !(h->library = dlopen(so, RTLD_NOW | RTLD_LOCAL))) {
        print_log(source, status ? "does not compile for the host" : dlerror(), log);
        free(h);
        return -1;
    }
    fill_inputs(h);
    *out = h;
    return 0;
}

void diff_host_close(struct diff_host *h)
{
    if (!h)
        return;
    for (size_t w = 0; w < 2; w++)
        for (struct reference *r = h->references[w]; r->known; r++) {
            free(r->out);
            free(r->near);
        }
    dlclose(h->library);
    free(h);
}
