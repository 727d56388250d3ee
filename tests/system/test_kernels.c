/* The kernels of tests/system/kernels/diff, compiled by clang-19 for many targets at -O0 and -O2 and run by the
 * functional engine, against the same source compiled for the host: every word they write must be the same.
 *
 * Each mismatch prints one line: kernel, target, options, the first word that differs. GCNSIM_KERNELS=NAME[,NAME]
 * runs only kernels whose name starts so, GCNSIM_KERNEL_TARGETS=gfx803[,...] those targets alone (others than the usual
 * too), GCNSIM_KERNEL_FLAGS="FLAG..." compiles with more flags,
 * GCNSIM_KERNEL_ENGINE=timing runs the other engine.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/gcnsim.h"
#include "tests/system/spawn_tool.h"

#define SOURCE "tests/system/kernels/diff/diff.c"

enum {
    PATH_BYTES = 4096 + 512,
    COMPILE_SECONDS = 240,
    COMPILERS = 2,
    MAX_BUILDS = 64,
    MAX_KERNELS = 256,
    MIN_KERNELS = 60,
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
    MAX_INSTRUCTIONS = 20000000,
};

static const uint32_t grid[3] = {10, 5, 4}; /* of GRID_KERNEL */

static const struct {
    const char *name;
    bool has_wave64_option; /* both wave sizes; the older ones have 64 alone */
} targets[] = {
    {"gfx803", false}, {"gfx900", false}, {"gfx906", false}, {"gfx908", false}, {"gfx90a", false}, {"gfx942", false},
    {"gfx1010", true}, {"gfx1030", true}, {"gfx1100", true}, {"gfx1200", true}, {"gfx1201", true},
};

/* struct big_args of control.h and what follows it in the kernel that takes it */
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

struct build {
    const char *target, *level;
    bool wave64_option;
    char title[64], object[PATH_BYTES], log[PATH_BYTES];
    pid_t pid;
    int status;
};

struct reference {
    char name[64];
    bool known;
    uint32_t *out;
    uint32_t acc[ACC_WORDS];
};

static char dir[4096]; /* temporary */

static struct {
    void *host; /* the library of reference kernels */
    struct build builds[MAX_BUILDS];
    struct CMUnitTest tests[MAX_BUILDS];
    size_t count;
    uint32_t in[IN_WORDS];
    struct kernarg kernarg;
    struct reference references[2][MAX_KERNELS]; /* wave32, wave64 */
} env;

/* ---- inputs ---- */

static uint64_t random_state = 0x2545f4914f6cdd1d;
static uint64_t random_u64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 0x9e3779b97f4a7c15;
}

static void fill_inputs(void)
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
#define PICK(a) (a)[random_u64() % (sizeof(a) / sizeof *(a))]
    uint16_t *halves = (uint16_t *)(env.in + IN_F16);
    for (size_t i = 0; i < IN_F32; i++) {
        uint64_t r = random_u64(), how = random_u64() % 8;
        env.in[i] = how < 2 ? PICK(u32) : how < 3 ? (uint32_t)(r & 0xff) : (uint32_t)(r >> 20);
    }
    for (size_t i = IN_F32; i < IN_F64; i++) {
        uint64_t r = random_u64(), how = random_u64() % 8;
        uint32_t moderate = 0x3c000000 + (uint32_t)(r % 0x09000000), sign = (uint32_t)(r >> 40) << 31;
        uint32_t any = (uint32_t)(r >> 8) & 0x7fffffff;
        env.in[i] = how < 2 ? PICK(f32) : how < 6 ? moderate | sign : any > 0x7f800000 ? 0x7fc00000 : any | sign;
    }
    for (size_t i = IN_F64; i < IN_F16; i += 2) {
        uint64_t r = random_u64(), how = random_u64() % 8, sign = r << 63;
        uint64_t moderate = 0x3f00000000000000 + (r >> 7) % 0x0200000000000000, any = r >> 1;
        uint64_t v = how < 2 ? PICK(f64) : how < 6 ? moderate | sign : any > 0x7ff0000000000000 ? 0x7ff8ull << 48 : any;
        memcpy(env.in + i, &v, sizeof v);
    }
    for (size_t i = 0; i < 2 * (IN_WORDS - IN_F16); i++) {
        uint64_t r = random_u64(), how = random_u64() % 8;
        uint32_t any = (r >> 8) & 0x7fff;
        halves[i] = (uint16_t)(how < 2 ? PICK(f16) : any > 0x7c00 ? 0x7e00 : any | (r >> 30 & 0x8000));
        if (how > 4)
            halves[i] = (uint16_t)((halves[i] & 0x83ff) | 0x3000 | (r >> 33 & 0x1c00));
    }
#undef PICK
    uint8_t *bytes = (uint8_t *)&env.kernarg.big;
    for (size_t i = 0; i < sizeof env.kernarg.big; i++)
        bytes[i] = (uint8_t)random_u64();
    for (size_t i = 0; i < 5; i++)
        env.kernarg.big.f[i] = (float)i * 1.5f - 2;
    env.kernarg.c = 0xc5;
    env.kernarg.s = -1234;
    env.kernarg.d = -0.1;
}

/* ---- the reference ---- */

typedef void item_fn(uint32_t *out, const uint32_t *in, uint32_t *acc);
typedef void big_fn(uint32_t *out, const uint32_t *in, uint32_t *acc, __typeof__(env.kernarg.big) big, uint8_t c,
                    int16_t s, double d);

static void *host_symbol(const char *name, const char *suffix)
{
    char symbol[128];
    snprintf(symbol, sizeof symbol, "%s%s", name, suffix);
    return dlsym(env.host, symbol);
}

static void start_acc(uint32_t *acc)
{
    memset(acc, 0, ACC_WORDS * sizeof *acc);
    acc[2] = acc[8] = 0xffffffff;
}

static const struct reference *reference_of(const char *kernel, uint32_t wave)
{
    struct reference *r = env.references[wave == 64];
    while (r->known && strcmp(r->name, kernel) != 0)
        r++;
    if (r->known)
        return r;
    assert_true(r < env.references[wave == 64] + MAX_KERNELS - 1);
    void *fn = host_symbol(kernel, "");
    uint32_t *gid = dlsym(env.host, "diff_gid"), *group = dlsym(env.host, "diff_group");
    uint32_t *wave_size = dlsym(env.host, "diff_wave"), *xyz = dlsym(env.host, "diff_xyz");
    if (!fn || !gid || !group || !wave_size || !xyz)
        fail_msg("%s: not in the host's library", kernel);
    snprintf(r->name, sizeof r->name, "%s", kernel);
    r->out = calloc(OUT_WORDS, sizeof *r->out);
    assert_non_null(r->out);
    start_acc(r->acc);
    *wave_size = wave;
    if (host_symbol(kernel, "_is_group")) {
        for (*group = 0; *group < GROUPS; ++*group)
            ((item_fn *)fn)(r->out, env.in, r->acc);
    } else if (host_symbol(kernel, "_is_grid")) {
        for (uint32_t i = 0; i < ITEMS; i++) {
            xyz[0] = i % grid[0], xyz[1] = i / grid[0] % grid[1], xyz[2] = i / grid[0] / grid[1];
            ((item_fn *)fn)(r->out, env.in, r->acc);
        }
    } else {
        for (*gid = 0; *gid < ITEMS; ++*gid)
            if (strcmp(kernel, "args_large") == 0)
                ((big_fn *)fn)(r->out, env.in, r->acc, env.kernarg.big, env.kernarg.c, env.kernarg.s, env.kernarg.d);
            else
                ((item_fn *)fn)(r->out, env.in, r->acc);
    }
    r->known = true;
    return r;
}

/* ---- one kernel ---- */

/* The first difference goes to `text`. */
static bool same_words(const uint32_t *got, const uint32_t *want, size_t count, const char *what, char *text,
                       size_t size)
{
    size_t differing = 0, first = 0;
    for (size_t i = count; i-- > 0;)
        if (got[i] != want[i])
            differing++, first = i;
    if (differing)
        snprintf(text, size, "%s: item %zu word %zu is 0x%08x, expected 0x%08x (%zu words differ)", what, first / SLOTS,
                 first % SLOTS, got[first], want[first], differing);
    return differing == 0;
}

/* Runs one kernel; false, with the reason in `text`, unless it wrote what the host wrote. */
static bool run_kernel(struct gcnsim *sim, struct gcnsim_module *module, uint32_t index,
                       const struct gcnsim_kernel_info *info, char *text, size_t size)
{
    static uint32_t out[OUT_WORDS], acc[ACC_WORDS];
    const struct reference *want = reference_of(info->name, info->wavefront_size);
    struct gcnsim_error error = {0};
    struct kernarg kernarg = env.kernarg;
    struct gcnsim_arg_info arg;
    struct gcnsim_dispatch d;
    struct gcnsim_result *result = NULL;
    bool group = host_symbol(info->name, "_is_group"), ok = false;

    gcnsim_dispatch_init(&d);
    d.kernel = index;
    const char *engine = getenv("GCNSIM_KERNEL_ENGINE");
    d.engine = engine && strcmp(engine, "timing") == 0 ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL;
    d.grid_size[0] = group ? GROUP * GROUPS : ITEMS;
    d.workgroup_size[0] = group ? GROUP : 64;
    for (size_t i = 0; i < 3 && host_symbol(info->name, "_is_grid"); i++) {
        d.grid_size[i] = grid[i];
        d.workgroup_size[i] = 4;
    }
    d.kernarg = &kernarg;
    d.max_instructions = MAX_INSTRUCTIONS;
    for (uint32_t i = 0; gcnsim_code_kernel_arg(gcnsim_module_code(module), index, i, &arg) == 0; i++)
        if (!arg.hidden)
            d.kernarg_size = arg.offset + arg.size;
    start_acc(acc);
    if (gcnsim_alloc(sim, sizeof out, "out", &kernarg.out, &error) ||
        gcnsim_alloc(sim, sizeof env.in, "in", &kernarg.in, &error) ||
        gcnsim_alloc(sim, sizeof acc, "acc", &kernarg.acc, &error) ||
        gcnsim_write(sim, kernarg.in, env.in, sizeof env.in, &error) ||
        gcnsim_write(sim, kernarg.acc, acc, sizeof acc, &error) || gcnsim_launch(module, &d, &result, &error)) {
        snprintf(text, size, "%s", error.text);
    } else if (result->outcome != GCNSIM_COMPLETED) {
        snprintf(text, size, "%s", result->has_fault ? result->fault.message : result->message);
    } else {
        assert_int_equal(gcnsim_read(sim, kernarg.out, out, sizeof out, &error), 0);
        assert_int_equal(gcnsim_read(sim, kernarg.acc, acc, sizeof acc, &error), 0);
        ok = same_words(out, want->out, OUT_WORDS, "out", text, size) &&
             same_words(acc, want->acc, ACC_WORDS, "acc", text, size);
    }
    gcnsim_result_free(result);
    if (kernarg.out != env.kernarg.out)
        gcnsim_dealloc(sim, kernarg.out, NULL);
    if (kernarg.in != env.kernarg.in)
        gcnsim_dealloc(sim, kernarg.in, NULL);
    if (kernarg.acc != env.kernarg.acc)
        gcnsim_dealloc(sim, kernarg.acc, NULL);
    return ok;
}

/* Is `name` wanted by a list of prefixes, or is there no list? */
static bool wanted(const char *list, const char *name)
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

static void test_build(void **state)
{
    struct build *b = *state;
    struct gcnsim_error error;
    struct gcnsim *sim;
    struct gcnsim_module *module;
    struct gcnsim_kernel_info info;
    unsigned ran = 0, failed = 0;
    size_t bytes;

    if (!env.host) {
        print_message("skipped: no clang-19\n");
        skip();
    }
    if (b->status != 0) {
        char *text = read_whole(b->log, &bytes);
        print_error("%s: does not compile\n%s", b->title, text ? text : "");
        free(text);
        fail();
    }
    if (gcnsim_open(&sim, NULL, &error) || gcnsim_load_file(sim, &module, b->object, NULL, &error))
        fail_msg("%s: %s", b->title, error.text);
    for (uint32_t k = 0; gcnsim_code_kernel(gcnsim_module_code(module), k, &info) == 0; k++) {
        char text[1024] = "";
        if (!wanted(getenv("GCNSIM_KERNELS"), info.name))
            continue;
        ran++;
        if (!run_kernel(sim, module, k, &info, text, sizeof text)) {
            failed++;
            print_error("%s, %s: %s\n", info.name, b->title, text);
        }
    }
    gcnsim_close(sim);
    if (failed)
        fail_msg("%s: %u of %u kernels wrong", b->title, failed, ran);
    if (!getenv("GCNSIM_KERNELS"))
        assert_in_range(ran, MIN_KERNELS, MAX_KERNELS);
}

/* ---- compiling ---- */

static void add_build(const char *target, const char *level, bool wave64_option)
{
    struct build *b = &env.builds[env.count];
    b->target = target;
    b->level = level;
    b->wave64_option = wave64_option;
    snprintf(b->title, sizeof b->title, "%s %s%s", target, level, wave64_option ? " -mwavefrontsize64" : "");
    env.tests[env.count] = (struct CMUnitTest){.name = b->title, .test_func = test_build, .initial_state = b};
    env.count++;
}

static bool start_compiler(struct build *b)
{
    char cpu[64];
    const char *argv[48] = {"clang-19", "-std=gnu11", "-target", "amdgcn-amd-amdhsa", cpu, b->level, "-nogpulib",
                            "-ffp-contract=off", "-fno-math-errno", "-fno-strict-aliasing", "-I.",
                            /* clang's default for gfx8 is to flush them */
                            "-Xclang", "-fdenormal-fp-math-f32=ieee",
                            /* half arithmetic rounds at each operation, on both sides */
                            "-Xclang", "-ffloat16-excess-precision=none", "-o", b->object, SOURCE};
    size_t n = 0;
    posix_spawn_file_actions_t fa;
    snprintf(cpu, sizeof cpu, "-mcpu=%s", b->target);
    snprintf(b->object, sizeof b->object, "%s/%zu.co", dir, (size_t)(b - env.builds));
    snprintf(b->log, sizeof b->log, "%s/%zu.log", dir, (size_t)(b - env.builds));
    while (argv[n])
        n++;
    if (b->wave64_option)
        argv[n++] = "-mwavefrontsize64";
    /* From version 5 on clang 19 reads the apertures of gfx8 through a null pointer in functions that are no kernels;
     * before, through the queue. */
    if (strcmp(b->target, "gfx803") == 0)
        argv[n++] = "-mcode-object-version=4";
    const char *more = getenv("GCNSIM_KERNEL_FLAGS");
    char *flags = strdup(more ? more : ""), *save;
    for (char *flag = strtok_r(flags, " ", &save); flag && n < 47; flag = strtok_r(NULL, " ", &save))
        argv[n++] = flag;
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&fa, 1, b->log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_adddup2(&fa, 1, 2);
    int rc = posix_spawnp(&b->pid, argv[0], &fa, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&fa);
    free(flags);
    return rc == 0;
}

/* A few compilers at a time; each build gets its status. */
static void compile_all(void)
{
    size_t next = 0, running = 0;
    while (next < env.count || running > 0) {
        int status;
        if (next < env.count && running < COMPILERS) {
            struct build *b = &env.builds[next++];
            b->status = start_compiler(b) ? 0 : SPAWN_FAILED;
            running += b->status == 0;
            continue;
        }
        pid_t pid = wait(&status);
        if (pid < 0)
            return;
        for (size_t i = 0; i < next; i++)
            if (env.builds[i].pid == pid) {
                env.builds[i].status = WIFEXITED(status) ? WEXITSTATUS(status) : SPAWN_SIGNAL;
                running--;
            }
    }
}

static int setup(void **state)
{
    (void)state;
    char so[PATH_BYTES], log[PATH_BYTES];
    const char *tmp = getenv("TMPDIR");
    snprintf(dir, sizeof dir, "%s/gcnsim-kernels-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(dir))
        return -1;
    fill_inputs();
    snprintf(so, sizeof so, "%s/host.so", dir);
    snprintf(log, sizeof log, "%s/host.log", dir);
    const char *const argv[] = {"clang-19",
                                "-std=gnu11",
                                "-O1",
                                "-shared",
                                "-fPIC",
                                "-ffp-contract=off",
                                "-fno-math-errno",
                                "-fno-strict-aliasing",
                                "-Xclang",
                                "-ffloat16-excess-precision=none",
                                "-I.",
                                "-o",
                                so,
                                SOURCE,
                                "-lm",
                                NULL};
    int status = spawn_tool(argv, log, COMPILE_SECONDS);
    if (status == SPAWN_FAILED || status == 127)
        return 0; /* every test skips */
    if (status != 0 || !(env.host = dlopen(so, RTLD_NOW | RTLD_LOCAL))) {
        size_t bytes;
        char *text = read_whole(log, &bytes);
        print_error("the reference does not compile or load\n%s", text ? text : "");
        free(text);
        return -1;
    }
    compile_all();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (size_t w = 0; w < 2; w++)
        for (struct reference *r = env.references[w]; r->known; r++)
            free(r->out);
    if (env.host)
        dlclose(env.host);
    return dir[0] ? spawn_tool((const char *[]){"rm", "-rf", "--", dir, NULL}, "/dev/null", 30) : 0;
}

static void add_target(const char *name, bool has_wave64_option)
{
    for (int w = 0; w <= has_wave64_option; w++) {
        add_build(name, "-O0", w);
        add_build(name, "-O2", w);
    }
}

int main(void)
{
    const char *only = getenv("GCNSIM_KERNEL_TARGETS");
    for (size_t t = 0; t < sizeof targets / sizeof *targets && !only; t++)
        add_target(targets[t].name, targets[t].has_wave64_option);
    char *names = strdup(only ? only : ""), *save;
    for (char *name = strtok_r(names, ",", &save); name && env.count + 4 <= MAX_BUILDS;
         name = strtok_r(NULL, ",", &save)) {
        bool wave64 = false;
        for (size_t t = 0; t < sizeof targets / sizeof *targets; t++)
            wave64 |= strcmp(targets[t].name, name) == 0 && targets[t].has_wave64_option;
        add_target(name, wave64);
    }
    int failed = _cmocka_run_group_tests("kernels", env.tests, env.count, setup, teardown);
    free(names);
    return failed;
}
