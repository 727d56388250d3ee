/* Every request to the host can fail in turn: memory, files, writes, threads. The command line runs inside this program
 * with the n-th request failing (tests/support/fail_nth.h), alone or with all after it, for n from 0 until a run
 * needs no more. Each time there is either an error, with a message and a status, or the very result of an undisturbed
 * run; no memory is left over, and each output file holds its old contents or its whole new ones.
 *
 * `make test` takes some dozens of n for each command. GCNSIM_FAULTS=all (make check) takes every n, or where a command
 * has more than MOST requests, MOST of them, evenly spread. GCNSIM_FAULTS=N takes every n from N on.
 * GCNSIM_FAULTS_OF=NAME takes one command.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <malloc.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <zstd.h>

#include "sim/api/at_once.h"
#include "sim/api/gcnsim.h"
#include "sim/cli/cli.h"
#include "sim/sweep/store.h"
#include "tests/support/fail_nth.h"
#include "tests/support/folder.h"

#define SAMPLES "traces/samples/gfx1201/"
#define DATA    "traces/samples/data/"

enum { ARGS = 32, OUTPUTS = 4, PATH_BYTES = 300, QUICK = 40, MOST = 10000 };

/* One thing to do. A '@' in a word stands for the test's folder. */
struct scenario {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *argv[ARGS];
    const char *outputs[OUTPUTS]; /* files in the test's folder */
    bool slow;                    /* takes tens of milliseconds */
};

/* What a run left. */
struct left {
    int status;
    char *out, *err, *file[OUTPUTS];
    long live, calls, failed;
};

static struct {
    const char *name;
    long n;
    bool onwards;
} now;

/* ---- a raw launch ---- */

/* out[group * 64 + item] = group * 64 + item, out in s[0:1]; of llvm-mc 19 for gfx90a */
static const uint32_t ids[] = {0x8e028602, 0x68020002, 0x24040282, 0xdc708000, 0x00000102, 0xbf810000};

static int say(const struct gcnsim_error *error)
{
    fprintf(stderr, "gcnsim: %s\n", error->text);
    return error->code ? 1 : 0;
}

/* The functional and the timing engine, one after the other, and all forms of the report. */
static int raw(int argc, char **argv)
{
    static uint32_t out[256];
    struct gcnsim_range range = {
        .address = (uint64_t)(uintptr_t)out, .bytes = sizeof out, .writable = 1, .label = "out"};
    static int (*const render[])(const struct gcnsim_result *, char **,
                                 struct gcnsim_error *) = {gcnsim_result_text, gcnsim_result_csv, gcnsim_result_json};
    struct gcnsim_error error = {0};
    struct gcnsim *sim;
    int status = 0;

    (void)argc;
    if (gcnsim_open(&sim, "gfx90a", &error) != GCNSIM_OK)
        return say(&error);
    api_threads_at_once(sim);
    for (int engine = 0; engine < 2 && !status; engine++) {
        struct gcnsim_result *r = NULL;
        struct gcnsim_raw w;

        memset(out, 0, sizeof out);
        gcnsim_raw_init(&w);
        w.target = "gfx90a";
        w.engine = engine ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL;
        w.entry = w.code_base = (uint64_t)(uintptr_t)ids;
        w.code_size = sizeof ids;
        w.wave_size = 64;
        w.compute_pgm_rsrc1 = 3u << 6 | 0xf0u << 12;
        w.compute_pgm_rsrc2 = 2u << 1 | 1u << 7;
        w.kernarg_address = (uint64_t)(uintptr_t)out;
        w.workgroups[0] = 4;
        w.workgroup_size[0] = 64;
        w.ranges = &range;
        w.range_count = 1;
        w.threads = (uint32_t)atoi(argv[1]);
        w.check = 1;
        w.scratch_bytes_per_lane = 16;
        if (gcnsim_launch_raw(sim, &w, &r, &error) != GCNSIM_OK) {
            status = say(&error);
            break;
        }
        for (uint32_t k = 0; k < 256; k++)
            if (out[k] != k || r->outcome != GCNSIM_COMPLETED)
                status = 9;
        for (size_t k = 0; k < 2 && !status; k++) {
            char *text = NULL;
            if (render[k + (engine ? 0 : 1)](r, &text, &error) != GCNSIM_OK)
                status = say(&error);
            else if (!text)
                status = 9;
            gcnsim_free(text);
        }
        gcnsim_result_free(r);
    }
    gcnsim_close(sim);
    if (!status && (puts("done") < 0 || fflush(stdout)))
        status = say(&(struct gcnsim_error){1, "standard output"});
    return status;
}

/* ---- running ---- */

#define VECADD(FILE_, OUT)                                                                                             \
    "run", FILE_, "--grid", "256", "--workgroup", "64", "--arg", "in:" DATA "f32_a.bin", "--arg",                      \
        "in:" DATA "f32_b.bin", "--arg", OUT, "--arg", "u32:200", "--progress", "never"

static const struct scenario scenarios[] = {
    {"info", cli_info, {"info", SAMPLES "vecadd.co"}, {0}, false},
    {"info-json", cli_info, {"info", "traces/samples/gfx90a/vecadd.co", "--json"}, {0}, false},
    {"info-bundle", cli_info, {"info", "@/two.bundle", "--target", "gfx90a"}, {0}, false},
    {"info-compressed", cli_info, {"info", "@/two.ccob", "--target", "gfx1201", "--json"}, {0}, false},
    {"disasm", cli_disasm, {"disasm", SAMPLES "vecadd.co"}, {0}, false},
    {"disasm-raw", cli_disasm, {"disasm", "--target", "gfx1201", "--raw", SAMPLES "vecadd.co"}, {0}, false},
    {"disasm-hex", cli_disasm, {"disasm", "--target", "gfx1201", "--hex", "bf800000, bfb00000"}, {0}, false},
    {"arch-list", cli_arch, {"arch", "list"}, {0}, false},
    {"arch-show", cli_arch, {"arch", "show", "gfx1201", "cu", "cache.l2", "--set", "cu.lds_banks=32"}, {0}, false},
    {"arch-show-json", cli_arch, {"arch", "show", "config/profiles/gfx942-mi300x.json", "--json"}, {0}, false},
    {"isa-list", cli_isa, {"isa", "list", "--target", "gfx1201"}, {0}, false},
    {"isa-list-json", cli_isa, {"isa", "list", "--target", "gfx90a", "--json"}, {0}, false},
    {"isa-show", cli_isa, {"isa", "show", "v_add_f32"}, {0}, false},
    {"isa-show-json", cli_isa, {"isa", "show", "global_load_b32", "--arch", "gfx1201", "--json"}, {0}, false},
    {"help", cli_run, {"run", "--help"}, {0}, false},
    {"sweep-plan", cli_sweep, {"sweep", "@/sweep.json", "--plan"}, {0}, true}, /* hashes this program */
    {"sweep-show", cli_sweep, {"sweep", "show", "@/sweep.sqlite", "--csv", "-", "--value", "n + 1"}, {0}, false},
    {"sweep-pivot", cli_sweep, {"sweep", "show", "@/sweep.sqlite", "--pivot", "n,size"}, {0}, false},
    {"raw", raw, {"raw", "1"}, {0}, true},
    {"raw-threads", raw, {"raw", "2"}, {0}, true},
    {"functional",
     cli_run,
     {VECADD(SAMPLES "vecadd.co", "out:@/a.bin:1024"), "--engine", "functional"},
     {"a.bin"},
     false},
    {"functional-threads",
     cli_run,
     {VECADD("@/two.ccob", "out:@/a.bin:1024"), "--arch", "gfx90a", "--engine", "functional", "--threads", "2",
      "--json", "@/a.json"},
     {"a.bin", "a.json"},
     false},
    {"check",
     cli_run,
     {VECADD("traces/samples/gfx90a/vecadd.co", "inout:" DATA "f32_a.bin:@/a.bin"), "--check", "--json", "-"},
     {"a.bin"},
     false},
    {"timing",
     cli_run,
     {VECADD(SAMPLES "vecadd.co", "out:@/a.bin:1024"), "--json", "@/a.json", "--csv", "@/a.csv", "--trace",
      "issue-csv=@/a.trace"},
     {"a.bin", "a.json", "a.csv", "a.trace"},
     true},
    {"timing-threads",
     cli_run,
     {VECADD(SAMPLES "vecadd.co", "out:@/a.bin:1024"), "--threads", "2", "--csv", "-", "--trace",
      "issue-csv=@/a.trace"},
     {"a.bin", "a.trace"},
     true},
    {"timing-check", cli_run, {VECADD(SAMPLES "vecadd.co", "buf:1024"), "--engine", "timing", "--check"}, {0}, true},
    {"perfect-memory", cli_run, {VECADD(SAMPLES "vecadd.co", "buf:1024"), "--perfect-memory"}, {0}, true},
    {"fault", cli_run, {VECADD(SAMPLES "vecadd.co", "buf:16"), "--trace", "issue-csv=@/a.trace"}, {"a.trace"}, true},
    {"launch-file", cli_run, {"run", "@/launch.json", "--quiet", "--json", "@/a.json"}, {"a.bin", "a.json"}, true},
    {"compare",
     cli_compare,
     {"compare", "--arch", "gfx1201", "--max-waves", "1", "--progress", "never", SAMPLES "vecadd.co"},
     {0},
     true},
};

/* Prints where it stands before the program ends by a signal. */
static void on_crash(int signal)
{
    char text[200];
    int n = snprintf(text, sizeof text, "signal %d in %s with request %ld%s failing\n", signal, now.name, now.n,
                     now.onwards ? " and all behind it" : "");

    if (write(2, text, (size_t)n) < 0)
        _exit(2);
    _exit(1);
}

/* "DIR/name", in one of a few buffers. */
static const char *in_dir(const char *name)
{
    static char buffers[8][2 * PATH_BYTES];
    static unsigned next;
    char *p = buffers[next++ % 8];

    snprintf(p, sizeof buffers[0], "%s/%s", program_folder(), name);
    return p;
}

static void put(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

/* All of a descriptor from its beginning, with a zero after it. */
static char *text_of(int fd)
{
    struct stat st;

    assert_int_equal(fstat(fd, &st), 0);
    char *text = malloc((size_t)st.st_size + 1);
    assert_non_null(text);
    assert_int_equal(pread(fd, text, (size_t)st.st_size, 0), st.st_size);
    text[st.st_size] = 0;
    return text;
}

/* The lines about the host, which differ from run to run, are taken out: the object "host" in JSON, the figures of its
 * speed in the other forms. Bytes of results may hold zeros; those that matter here are compared up to one. */
static char *without_host(char *text)
{
    char *from = strstr(text, "  \"host\": {");

    if (from)
        *from = 0;
    for (char *line = text, *to = text; line && *line;) {
        char *end = strchr(line, '\n');
        size_t n = end ? (size_t)(end - line) + 1 : strlen(line);
        char kept[400];
        snprintf(kept, sizeof kept, "%.*s", (int)(n < sizeof kept ? n : sizeof kept - 1), line);
        if (!strstr(kept, "second") && !strstr(kept, "Host")) {
            memmove(to, line, n);
            to += n;
        }
        line = end ? end + 1 : NULL;
        if (!line || !*line)
            *to = 0;
    }
    return text;
}

static void release(struct left *l)
{
    free(l->out);
    free(l->err);
    for (size_t k = 0; k < OUTPUTS; k++)
        free(l->file[k]);
}

static int argv_of(const struct scenario *s, char *argv[ARGS + 1], char words[ARGS][PATH_BYTES])
{
    int argc = 0;

    for (; argc < ARGS && s->argv[argc]; argc++) {
        const char *at = strchr(s->argv[argc], '@');
        if (at)
            snprintf(words[argc], PATH_BYTES, "%.*s%s%s", (int)(at - s->argv[argc]), s->argv[argc], program_folder(),
                     at + 1);
        else
            snprintf(words[argc], PATH_BYTES, "%s", s->argv[argc]);
        argv[argc] = words[argc];
    }
    argv[argc] = NULL;
    return argc;
}

static struct left run_once(const struct scenario *s, long n, bool onwards)
{
    static char words[ARGS][PATH_BYTES];
    char *argv[ARGS + 1];
    FILE *terminal[] = {stdout, stderr};
    int out = memfd_create("out", 0), err = memfd_create("err", 0);
    struct left l = {0};

    assert_true(out >= 0 && err >= 0);
    for (size_t k = 0; k < OUTPUTS && s->outputs[k]; k++)
        put(in_dir(s->outputs[k]), "old", 3);
    now.name = s->name;
    now.n = n;
    now.onwards = onwards;
    int argc = argv_of(s, argv, words);
    long before = fail_live();
    stdout = fail_stream(out, true);
    stderr = fail_stream(err, false);
    setvbuf(stderr, NULL, _IONBF, 0);
    optind = 0;
    fail_arm(n, onwards);
    l.status = s->run(argc, argv);
    l.calls = fail_disarm();
    l.failed = fail_count();
    fclose(stdout);
    fclose(stderr);
    stdout = terminal[0];
    stderr = terminal[1];
    l.live = fail_live() - before;
    l.out = without_host(text_of(out));
    l.err = text_of(err);
    close(out);
    close(err);
    for (size_t k = 0; k < OUTPUTS && s->outputs[k]; k++) {
        int fd = open(in_dir(s->outputs[k]), O_RDONLY);
        assert_true(fd >= 0);
        l.file[k] = without_host(text_of(fd));
        close(fd);
    }
    return l;
}

static unsigned complaints; /* of one scenario; the first are shown */
enum { SHOWN = 6, ENOUGH = 60 };

static void complain(const struct scenario *s, const struct left *l, const char *what)
{
    if (complaints < SHOWN)
        print_error("%s, request %ld%s failing: %s; status %d, %ld pieces live\n--- stderr\n%.600s\n", s->name, now.n,
                    now.onwards ? " and all behind it" : "", what, l->status, l->live, l->err);
    complaints++;
}

/* Temporary files in the folder, which are removed; those that a message names are there on purpose. */
static unsigned leftovers(const char *err)
{
    char command[400], name[300];
    unsigned n = 0;

    snprintf(command, sizeof command, "ls -A %s", program_folder());
    FILE *f = popen(command, "r");
    assert_non_null(f);
    while (fscanf(f, "%299s", name) == 1)
        if (name[0] == '.') {
            n += !strstr(err, name);
            unlink(in_dir(name));
        }
    pclose(f);
    return n;
}

/* The first lines in which two texts differ. */
static void show_difference(const char *got, const char *expected)
{
    size_t same = 0;

    while (got[same] && got[same] == expected[same])
        same++;
    while (same && got[same - 1] != '\n')
        same--;
    if (complaints < SHOWN)
        print_error("--- got\n%.300s\n--- expected\n%.300s\n", got + same, expected + same);
}

static void judge(const struct scenario *s, const struct left *l, const struct left *good)
{
    const char *message = strstr(l->err, "gcnsim: ");

    if (l->live != good->live)
        complain(s, l, "memory is left over, or freed twice");
    if (l->status == 9)
        complain(s, l, "success with a wrong result");
    if (l->status == good->status) {
        if (strcmp(l->out, good->out) != 0) {
            show_difference(l->out, good->out);
            complain(s, l, "standard output differs, and the status is that of success");
        }
        for (size_t k = 0; k < OUTPUTS && s->outputs[k]; k++)
            if (strcmp(l->file[k], good->file[k]) != 0)
                complain(s, l, "a file differs, and the status is that of success");
    } else {
        if (l->status == 0)
            complain(s, l, "success where an undisturbed run has none");
        if (!message || !message[8] || message[8] == '\n')
            complain(s, l, "failure without a message");
    }
    for (size_t k = 0; k < OUTPUTS && s->outputs[k]; k++)
        if (strcmp(l->file[k], "old") != 0 && strcmp(l->file[k], good->file[k]) != 0)
            complain(s, l, "a file has neither its old nor its new contents");
    if (leftovers(l->err))
        complain(s, l, "a temporary file is left over");
}

/* How often something else came out than an error or the right result. */
static unsigned every_request(const struct scenario *s)
{
    const char *how = getenv("GCNSIM_FAULTS");
    bool all = how && *how;
    long runs = 0, failed = 0;

    complaints = 0;
    /* the first run also pays for what is allocated once in a process */
    for (int k = 0; k < 2; k++) {
        struct left l = run_once(s, -1, false);
        release(&l);
    }
    struct left good = run_once(s, -1, false);
    for (int onwards = 0; onwards < 2; onwards++) {
        /* a command whose host has nothing left hardly differs from one request to the next */
        long quick = s->slow ? QUICK / 4 : QUICK, most = all ? (onwards ? MOST / 10 : MOST) : quick;
        long from = all ? strtol(how, NULL, 10) : 0, step = from || good.calls < most ? 1 : good.calls / most;
        /* every n is taken at the beginning and at the end; what lies between is mostly the profile, node by node */
        for (long n = from;; n += n < quick / 2 || n > good.calls - quick ? 1 : step) {
            struct left l = run_once(s, n, onwards);
            bool over = l.failed == 0;
            judge(s, &l, &good);
            runs++;
            failed += l.status != good.status;
            release(&l);
            if (over || complaints > ENOUGH)
                break;
        }
    }
    if (all)
        print_message("%s: %ld requests, %ld runs, %ld of them errors\n", s->name, good.calls, runs, failed);
    release(&good);
    return complaints;
}

static void commands(void **state)
{
    /* SIGTERM is how tests/run.sh ends what hangs */
    static const int signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGTERM, SIGILL};
    const char *only = getenv("GCNSIM_FAULTS_OF");

    unsigned bad = 0;

    (void)state;
#ifdef __SANITIZE_ADDRESS__
    /* its malloc has to be the only one; leaks are counted here anyway, and freed memory is overwritten */
    print_message("skipped: failures of the host: AddressSanitizer brings its own malloc\n");
    skip();
#endif
    /* here, because cmocka sets its own before a test; they would print to the stream that is replaced */
    for (size_t k = 0; k < sizeof signals / sizeof signals[0]; k++)
        signal(signals[k], on_crash);
    for (size_t k = 0; k < sizeof scenarios / sizeof scenarios[0]; k++)
        if (!only || strcmp(only, scenarios[k].name) == 0)
            bad += every_request(&scenarios[k]);
    assert_int_equal(bad, 0);
}

/* ---- the account of memory ---- */

/* Loads a code object out of a bundle and adds vectors with it, watched by the check for stale lines, with request n
 * failing. What the simulator counts as held afterwards; *calls: requests. */
static uint64_t held_after(const char *path, uint32_t elements, long n, long *calls)
{
    struct {
        uint64_t a, b, out;
        uint32_t n;
    } kernarg = {.n = elements};
    struct gcnsim_result *result = NULL;
    struct gcnsim_module *module = NULL;
    struct gcnsim_memory memory;
    struct gcnsim_dispatch d;
    struct gcnsim *sim;

    assert_int_equal(gcnsim_open(&sim, "gfx1201", NULL), GCNSIM_OK);
    gcnsim_dispatch_init(&d);
    assert_int_equal(gcnsim_alloc(sim, 4 * elements, "a", &kernarg.a, NULL), GCNSIM_OK);
    assert_int_equal(gcnsim_alloc(sim, 4 * elements, "out", &kernarg.out, NULL), GCNSIM_OK);
    kernarg.b = kernarg.a;
    d.grid_size[0] = elements;
    d.workgroup_size[0] = 256;
    d.kernarg = &kernarg;
    d.kernarg_size = 28;
    d.check = 1;
    d.cold = 1; /* a device that goes on is held */
    fail_arm(n, false);
    if (gcnsim_load_file(sim, &module, path, NULL, NULL) == GCNSIM_OK)
        gcnsim_launch(module, &d, &result, NULL);
    *calls = fail_disarm();
    gcnsim_result_free(result);
    gcnsim_unload(module);
    gcnsim_get_memory(sim, &memory);
    gcnsim_close(sim);
    return memory.held_bytes;
}

/* A request to the host that failed is no memory that is held. */
static void nothing_stays_counted(void **state)
{
    static const struct {
        const char *bundle;
        uint32_t elements;
        long from; /* n, back from the last; 0: all */
    } runs[] = {{"two.bundle", 256, 0}, {"two.ccob", 256, 0}, {"two.bundle", 40000, 40}}; /* tables of the check grow */

    (void)state;
#ifdef __SANITIZE_ADDRESS__
    skip();
#endif
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        long calls, ignored;
        uint64_t good = held_after(in_dir(runs[k].bundle), runs[k].elements, -1, &calls);
        assert_true(calls > runs[k].from + 20);
        /* loading comes first; most of the rest is one engine's tables */
        for (long n = runs[k].from ? calls - runs[k].from : 0; n < calls; n += n < 100 || n > calls - 40 ? 1 : 29) {
            uint64_t held = held_after(in_dir(runs[k].bundle), runs[k].elements, n, &ignored);
            if (held != good)
                fail_msg("%s: %llu bytes are held after request %ld of %ld failed, %llu otherwise", runs[k].bundle,
                         (unsigned long long)held, n, calls, (unsigned long long)good);
        }
    }
}

/* ---- files for the scenarios ---- */

static size_t read_sample(const char *path, uint8_t *to, size_t room)
{
    FILE *f = fopen(path, "r");

    assert_non_null(f);
    size_t n = fread(to, 1, room, f);
    fclose(f);
    assert_true(n > 0 && n < room);
    return n;
}

static void put_u64(uint8_t *at, uint64_t v)
{
    memcpy(at, &v, 8);
}

/* An offload bundle of two entries, plain and compressed. */
static void make_bundles(void)
{
    static const char *const file[] = {SAMPLES "vecadd.co", "traces/samples/gfx90a/vecadd.co"};
    static const char *const id[] = {"hipv4-amdgcn-amd-amdhsa--gfx1201", "hipv4-amdgcn-amd-amdhsa--gfx90a"};
    static uint8_t plain[1 << 17], packed[1 << 17];
    size_t head = 32, data = 4096;

    memcpy(plain, "__CLANG_OFFLOAD_BUNDLE__", 24);
    put_u64(plain + 24, 2);
    for (int k = 0; k < 2; k++) {
        size_t n = read_sample(file[k], plain + data, sizeof plain - data);
        put_u64(plain + head, data);
        put_u64(plain + head + 8, n);
        put_u64(plain + head + 16, strlen(id[k]));
        memcpy(plain + head + 24, id[k], strlen(id[k]));
        head += 24 + strlen(id[k]);
        data = (data + n + 4095) & ~(size_t)4095;
    }
    put(in_dir("two.bundle"), plain, data);
    size_t n = ZSTD_compress(packed + 20, sizeof packed - 20, plain, data, 3);
    assert_false(ZSTD_isError(n));
    memcpy(packed, "CCOB\1\0\1\0", 8);
    uint32_t size = (uint32_t)data;
    memcpy(packed + 8, &size, 4);
    put(in_dir("two.ccob"), packed, 20 + n);
}

/* Results of a sweep none of whose points has been run. */
static void make_sweep(void)
{
    static const char text[] =
        "{\"gcnsim_sweep\": 1, \"launches\": [\"launch.json\"], \"profiles\": [\"gfx90a\"], \"axes\": [{\"parameter\": "
        "\"n\", \"range\": {\"from\": 1, \"to\": 4, \"step\": 1}}, {\"paired\": [{\"parameter\": \"size\", \"values\": "
        "[64, 128]}, {\"set\": \"cu.simds\", \"values\": [2, 4]}]}], \"define\": {\"d\": \"n * 2\"}, \"filters\": [\"d "
        "< "
        "7\"], \"options\": [\"--max-cycles\", \"{d}000\"]}";
    struct sweep_store *store;
    struct sweep_points *points;
    struct sweep_spec *spec;
    uint64_t gone;

    put(in_dir("sweep.json"), text, sizeof text - 1);
    assert_int_equal(sweep_spec_read(&spec, in_dir("sweep.json"), NULL), 0);
    assert_int_equal(sweep_points_make(&points, spec, NULL), 0);
    assert_int_equal(sweep_store_open(&store, in_dir("sweep.sqlite"), false, NULL), 0);
    assert_int_equal(sweep_store_plan(store, spec, points, &gone, NULL), 0);
    assert_int_equal(sweep_store_close(store, NULL), 0);
    sweep_points_free(points);
    sweep_spec_free(spec);
}

static int setup(void **state)
{
    char here[2000], launch[6000];

    (void)state;
    if (!getcwd(here, sizeof here))
        return -1;
    signal(SIGPIPE, SIG_IGN);
    mallopt(M_PERTURB, 0xa5); /* what was freed is overwritten */
    make_bundles();
    int n =
        snprintf(launch, sizeof launch,
                 "{\"file\": \"%s/" SAMPLES "vecadd.co\", \"kernel\": \"vecadd\", \"grid\": [256], \"workgroup\": [64],"
                 " \"args\": [\"in:%s/" DATA "f32_a.bin\", \"buf:1024\", \"out:a.bin:1024\", \"u32:200\"],"
                 " \"set\": {\"cu.lds_banks\": 32}, \"max_cycles\": 100000}",
                 here, here);
    put(in_dir("launch.json"), launch, (size_t)n);
    make_sweep();
    return 0;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_stays_counted),
        cmocka_unit_test(commands),
    };

    return cmocka_run_group_tests(tests, setup, NULL);
}
