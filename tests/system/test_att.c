/* AMD's thread trace of simulated runs: every file of it is read, checked against our schema of it, and against the
 * others and the report of the run. */
#define _GNU_SOURCE
#include <glob.h>
#include <sys/stat.h>

#include "tests/system/cli_run.h"

#include "tests/support/schema.h"
#include "tests/support/toolchain.h"

#include "sim/api/at_once.h"
#include "sim/api/gcnsim.h"

#define SCHEMA(NAME) "docs/att/" NAME ".schema.json"

/* A run and its trace. */
struct traced {
    struct gcnsim_result *r;
    struct gcnsim_att att;
    char folder[CLI_PATH + 100], csv[CLI_PATH + 100];
    const struct json *files, *code, *occupancy, *mark;
    const struct json **row; /* of code.json, by line */
    size_t lines;
    struct sums {
        uint64_t hits, latency, stall, idle;
    } * sum; /* of the wave files, by line */
    uint64_t state[5], waves;
};

static void run(struct traced *t, const char *path, uint32_t threads)
{
    struct gcnsim_error e = {0};
    struct gcnsim_launch_file *file = NULL;
    struct gcnsim_module *module = NULL;
    struct gcnsim_dispatch d;
    struct gcnsim_args *args = NULL;
    struct gcnsim *sim = NULL;

    gcnsim_dispatch_init(&d);
    if (gcnsim_launch_file_open(&file, path, &e) != GCNSIM_OK || gcnsim_open(&sim, file->arch, &e) != GCNSIM_OK ||
        gcnsim_load_file(sim, &module, file->file, NULL, &e) != GCNSIM_OK ||
        (file->kernel &&
         gcnsim_code_find_kernel(gcnsim_module_code(module), file->kernel, &d.kernel, &e) != GCNSIM_OK) ||
        gcnsim_args_parse(module, d.kernel, file->args, file->arg_count, file->directory, &args, &e) != GCNSIM_OK)
        fail_msg("%s", e.text);
    api_threads_at_once(sim);
    memcpy(d.grid_size, file->grid, sizeof d.grid_size);
    memcpy(d.workgroup_size, file->workgroup, sizeof d.workgroup_size);
    d.dynamic_group_segment_size = file->dynamic_lds_bytes;
    d.args = args;
    d.per_instruction = 1;
    d.threads = threads;
    d.att = &t->att;
    if (gcnsim_launch(module, &d, &t->r, &e) != GCNSIM_OK)
        fail_msg("%s: %s", path, e.text);
    gcnsim_args_free(args);
    gcnsim_close(sim);
    gcnsim_launch_file_close(file);
}

static uint64_t at(const struct json *array, size_t k)
{
    return (uint64_t)json_integer(json_at(array, k));
}

static uint64_t of(const struct json *object, const char *key)
{
    return (uint64_t)json_integer(json_get(object, key));
}

static const struct json *read_file(const struct traced *t, const char *name, const char *schema)
{
    char path[CLI_PATH + 200];

    snprintf(path, sizeof path, "%s/%s", t->folder, name);
    return schema_read(schema, path);
}

/* Lines count up, name rows and all. */
static void read_code(struct traced *t)
{
    t->code = read_file(t, "code.json", SCHEMA("code"));
    const struct json *rows = json_get(t->code, "code");

    t->lines = json_elements(rows);
    t->row = calloc(t->lines + 1, sizeof *t->row);
    t->sum = calloc(t->lines + 1, sizeof *t->sum);
    for (size_t k = 0; k < t->lines; k++) {
        const struct json *row = json_at(rows, k);

        assert_true(at(row, 2) == k);
        t->row[k] = row;
    }
    assert_string_equal(json_text(json_at(t->row[0], 0)) + 2, t->r->kernel);
}

static void read_instructions(struct traced *t, const struct json *wave)
{
    const struct json *list = json_get(wave, "instructions");
    uint64_t begin = of(wave, "begin"), end = of(wave, "end"), last = begin, tried = begin;
    bool vega = strcmp(json_text(json_get(t->files, "gfxv")), "vega") == 0;

    for (size_t k = 0; k < json_elements(list); k++) {
        const struct json *i = json_at(list, k);
        uint64_t time = at(i, 0), stall = at(i, 2), duration = at(i, 3), line = at(i, 4);

        assert_true(line && line < t->lines && at(t->row[line], 2) == line);
        assert_true(time >= tried && time >= begin && time + duration <= end && stall <= duration);
        assert_true(!vega || time >= last); /* issues of a wave do not overlap */
        tried = time;
        struct sums *s = &t->sum[line];
        s->hits++;
        s->latency += duration;
        s->stall += stall;
        s->idle += time > last ? time - last : 0;
        last = time + duration > last ? time + duration : last;
    }
}

/* What is waited for has been issued before the wait. */
static void read_waits(const struct traced *t, const struct json *wave)
{
    const struct json *list = json_get(wave, "waitcnt");

    for (size_t k = 0; k < json_elements(list); k++) {
        const struct json *on = json_at(json_at(list, k), 1);
        uint64_t line = at(json_at(list, k), 0);

        assert_true(line < t->lines && t->sum[line].hits);
        assert_int_equal(strncmp(json_text(json_at(t->row[line], 0)), "s_wait", 6), 0);
        for (size_t n = 0; n < json_elements(on); n++) {
            line = at(json_at(on, n), 0);
            assert_true(line < t->lines && t->sum[line].hits);
            assert_int_not_equal(strncmp(json_text(json_at(t->row[line], 0)), "v_", 2), 0);
        }
    }
}

static void read_wave(struct traced *t, const struct json *entry, const char *name)
{
    const char *file = json_text(json_at(entry, 0));
    const struct json *all = read_file(t, file, SCHEMA("wave")), *wave = json_get(all, "wave"), *span;
    uint64_t cycles = 0;
    size_t k;
    char wanted[100];

    snprintf(wanted, sizeof wanted, "se%s_sm%u_sl%u_wv%u.json", json_text(json_get(all, "name")) + 2,
             (unsigned)of(wave, "simd"), (unsigned)of(wave, "slot"), (unsigned)of(wave, "id"));
    assert_string_equal(wanted, name);
    assert_string_equal(wanted, file);
    assert_true(at(entry, 1) == of(wave, "begin") && at(entry, 2) == of(wave, "end"));
    assert_true(of(all, "duration") == of(wave, "end") - of(wave, "begin"));
    assert_true(of(all, "num_insts") == json_elements(json_get(wave, "instructions")));
    json_each_element (json_get(wave, "timeline"), k, span) {
        t->state[at(span, 0)] += at(span, 1);
        cycles += at(span, 1);
    }
    assert_true(cycles == of(all, "duration"));
    read_instructions(t, wave);
    read_waits(t, wave);
    t->waves++;
    json_free(all);
}

static void read_waves(struct traced *t)
{
    const char *se, *simd, *slot, *id;
    const struct json *by_simd, *by_slot, *by_id, *entry;
    char name[100];

    t->files = read_file(t, "filenames.json", SCHEMA("filenames"));
    json_each_member (json_get(t->files, "wave_filenames"), se, by_simd) {
        json_each_member (by_simd, simd, by_slot) {
            json_each_member (by_slot, slot, by_id) {
                json_each_member (by_id, id, entry) {
                    snprintf(name, sizeof name, "se%s_sm%s_sl%s_wv%s.json", se, simd, slot, id);
                    read_wave(t, entry, name);
                }
            }
        }
    }
    for (size_t k = 0; k < t->lines; k++) {
        const struct sums *s = &t->sum[k];

        if (at(t->row[k], 6) != s->hits || at(t->row[k], 7) != s->latency || at(t->row[k], 8) != s->stall ||
            at(t->row[k], 9) != s->idle)
            fail_msg("line %zu, %s: not the sum of the waves", k, json_text(json_at(t->row[k], 0)));
    }
}

/* Each start has its end; the step functions of the states hold the cycles of the timelines. */
static void read_occupancy(struct traced *t)
{
    const char *key;
    const struct json *list, *e;
    uint64_t starts = 0;
    size_t k;

    t->occupancy = read_file(t, "occupancy.json", SCHEMA("occupancy"));
    assert_string_equal(json_text(json_get(json_get(t->occupancy, "dispatches"), "1")), t->r->kernel);
    json_each_member (t->occupancy, key, list) {
        uint8_t busy[64][8][32] = {{{0}}};
        uint64_t last = 0;

        json_each_element (list, k, e) {
            uint8_t *is = &busy[at(e, 1)][at(e, 2)][at(e, 3)];

            assert_true(at(e, 0) >= last && *is != at(e, 4) && at(e, 5) == 1);
            last = at(e, 0);
            *is = (uint8_t)at(e, 4);
            starts += at(e, 4);
        }
        for (k = 0; k < sizeof busy; k++)
            assert_int_equal((&busy[0][0][0])[k], 0);
    }
    assert_true(starts == t->r->waves);
}

static void read_states(struct traced *t)
{
    for (unsigned n = 0; n < 5; n++) {
        char name[40];

        snprintf(name, sizeof name, "wstates%u.json", n);
        const struct json *f = read_file(t, name, SCHEMA("wstates"));
        const struct json *time = json_get(f, "time"), *state = json_get(f, "state");
        uint64_t cycles = 0;

        assert_int_equal(json_elements(time), json_elements(state));
        for (size_t k = 0; k + 1 < json_elements(time); k++) {
            assert_true(at(time, k + 1) > at(time, k));
            cycles += at(state, k) * (at(time, k + 1) - at(time, k));
        }
        if (json_elements(state))
            assert_true(at(state, json_elements(state) - 1) == 0);
        assert_true(cycles == t->state[n]);
        json_free(f);
    }
}

/* The statistics have the rows of code.json, by address. */
static void read_csv(struct traced *t)
{
    FILE *f = fopen(t->csv, "r");
    char line[1000], wanted[1000];
    unsigned rows = 0;

    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    assert_string_equal(line, "CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source\n");
    for (size_t k = 0; k < t->lines && fgets(line, sizeof line, f); k++, rows++) {
        const struct json *r = NULL;
        unsigned long long vaddr = strtoull(strchr(line, ',') + 1, NULL, 10);
        bool name = strstr(line, ",\"; ");

        for (size_t n = 0; n < t->lines && !r; n++)
            if (at(t->row[n], 5) == vaddr && (json_text(json_at(t->row[n], 0))[0] == ';') == name)
                r = t->row[n];
        assert_non_null(r);
        snprintf(wanted, sizeof wanted, "1,%llu,\"%s\",%llu,%llu,%llu,%llu,\"%s\"\n", vaddr, json_text(json_at(r, 0)),
                 (unsigned long long)at(r, 6), (unsigned long long)at(r, 7), (unsigned long long)at(r, 8),
                 (unsigned long long)at(r, 9), json_text(json_at(r, 3)));
        assert_string_equal(line, wanted);
    }
    assert_int_equal(rows, t->lines);
    assert_null(fgets(line, sizeof line, f));
    fclose(f);
}

static void read_rest(struct traced *t)
{
    const struct json *sources = read_file(t, "snapshots.json", SCHEMA("snapshots"));

    t->mark = read_file(t, "gcnsim.json", SCHEMA("gcnsim"));
    assert_true(of(t->mark, "waves") == t->r->waves && of(t->mark, "waves_traced") == t->waves);
    json_free(sources);
}

static void release(struct traced *t)
{
    json_free(t->files);
    json_free(t->code);
    json_free(t->occupancy);
    json_free(t->mark);
    free(t->row);
    free(t->sum);
    gcnsim_result_free(t->r);
}

/* Runs the launch with its trace in a folder `name`, and reads all of it. */
static void trace(struct traced *t, const char *path, const char *name, uint32_t threads)
{
    t->att.folder = cli_path(name);
    run(t, path, threads);
    snprintf(t->folder, sizeof t->folder, "%s/ui_output_agent_0_dispatch_1", cli_path(name));
    snprintf(t->csv, sizeof t->csv, "%s/stats_ui_output_agent_0_dispatch_1.csv", cli_path(name));
    read_code(t);
    read_waves(t);
    read_occupancy(t);
    read_states(t);
    read_csv(t);
    read_rest(t);
}

/* ---- against the report ---- */

static double figure(const struct gcnsim_result *r, const char *name)
{
    double v = 0;

    gcnsim_result_stat(r, name, &v);
    return v;
}

static double stalls(const struct gcnsim_result *r, const char *with)
{
    double v = 0;

    for (size_t k = 0; k < r->stat_count; k++)
        if (strncmp(r->stats[k].name, "stall_cycles.", 13) == 0 &&
            strncmp(r->stats[k].name + 13, with, strlen(with)) == 0)
            v += r->stats[k].value;
    return v;
}

/* All units are traced: instructions as often as they were executed, and every cycle of every wave in its state. */
static void equals_report(const struct traced *t)
{
    uint32_t executed;
    double instructions = 0;

    assert_int_equal(gcnsim_instruction_find_column("executed", &executed), GCNSIM_OK);
    for (size_t k = 0; k < t->r->instruction_count; k++) {
        const struct gcnsim_instruction *i = &t->r->instructions[k];
        size_t n = 0;

        while (n < t->lines &&
               (at(t->row[n], 5) != i->pc_offset || !strncmp(json_text(json_at(t->row[n], 0)), "; ", 2)))
            n++;
        if (n == t->lines) { /* one that nobody has executed, in a function that nobody has come to */
            assert_int_equal(i->values[executed], 0);
            continue;
        }
        assert_string_equal(json_text(json_at(t->row[n], 0)), i->instruction);
        assert_true(at(t->row[n], 6) == i->values[executed]);
        instructions += (double)i->values[executed];
    }
    assert_true(instructions == figure(t->r, "instructions.total"));
    assert_true((double)of(t->mark, "instructions_traced") == instructions);
    assert_true(t->waves == t->r->waves);
    double wait = stalls(t->r, "wait_") + stalls(t->r, "barrier") + stalls(t->r, "sleep");
    double stall = stalls(t->r, "unit_busy_") + stalls(t->r, "memory_queue_full") + stalls(t->r, "counter_full");
    double exec = stalls(t->r, "issued") + stalls(t->r, "nop") + stalls(t->r, "branch");
    assert_true((double)t->state[2] == exec);
    assert_true((double)t->state[3] == wait);
    assert_true((double)t->state[4] == stall);
    assert_true((double)t->state[1] == figure(t->r, "resident_wave_cycles") - exec - wait - stall);
}

static void samples(void **state)
{
    static const char *const path[] = {
        "traces/samples/gfx90a/matmul.json",      "traces/samples/gfx90a/reduce_lds.json",
        "traces/samples/gfx90a/flatptr.json",     "traces/samples/gfx1201/matmul.json",
        "traces/samples/gfx1201/matmul.w64.json", "traces/samples/gfx1201/softmax.json",
        "traces/samples/gfx1201/call.json",       "traces/samples/gfx803/saxpy.json",
    };

    (void)state;
    for (size_t k = 0; k < sizeof path / sizeof path[0]; k++) {
        struct traced t = {0};
        char name[32];

        gcnsim_att_init(&t.att);
        t.att.all_units = 1;
        snprintf(name, sizeof name, "sample%zu", k);
        trace(&t, path[k], name, 1);
        equals_report(&t);
        release(&t);
    }
}

/* Chips of other families, with lines that a call has been inlined into; compiled here. */
static void other_chips(void **state)
{
    static const char source[] = "static __attribute__((always_inline)) int twice(int v) {\n"
                                 "  return v * 3 / 7;\n"
                                 "}\n"
                                 "static __attribute__((address_space(3), loader_uninitialized)) int l[256];\n"
                                 "__attribute__((amdgpu_kernel)) void k(__attribute__((address_space(1))) int *p) {\n"
                                 "  int i = __builtin_amdgcn_workitem_id_x();\n"
                                 "  l[i] = p[i];\n"
                                 "  __builtin_amdgcn_fence(__ATOMIC_RELEASE, \"workgroup\");\n"
                                 "  __builtin_amdgcn_s_barrier();\n"
                                 "  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, \"workgroup\");\n"
                                 "  p[i] = twice(l[i ^ 77]);\n"
                                 "}\n";
    static const char *const target[][2] = {{"gfx942", ""},  {"gfx1030", ""},
                                            {"gfx1100", ""}, {"gfx1100", "-mwavefrontsize64"},
                                            {"gfx1201", ""}, {"gfx90a", ""}};
    char file[CLI_PATH + 300], object[CLI_PATH + 300], launch[CLI_PATH + 300], cpu[40];

    (void)state;
    NEED_CLANG();
    snprintf(file, sizeof file, "%s", cli_path("k.c"));
    snprintf(object, sizeof object, "%s", cli_path("k.co"));
    snprintf(launch, sizeof launch, "%s", cli_path("k.json"));
    FILE *f = fopen(file, "w");
    assert_true(f && fputs(source, f) >= 0 && !fclose(f));
    f = fopen(launch, "w");
    assert_true(f &&
                fputs("{\"file\": \"k.co\", \"kernel\": \"k\", \"grid\": [1024], \"workgroup\": [256], "
                      "\"args\": [\"buf:4096\"]}\n",
                      f) >= 0 &&
                !fclose(f));
    for (size_t k = 0; k < sizeof target / sizeof target[0]; k++) {
        struct traced t = {0};
        char name[32];

        snprintf(cpu, sizeof cpu, "-mcpu=%s", target[k][0]);
        assert_int_equal(
            spawn_tool((const char *const[]){"clang-19", "-target", "amdgcn-amd-amdhsa", cpu, "-nogpulib", "-g", "-O1",
                                             file, "-o", object, *target[k][1] ? target[k][1] : NULL, NULL},
                       cli_path("log")),
            0);
        gcnsim_att_init(&t.att);
        t.att.all_units = 1;
        snprintf(name, sizeof name, "chip%zu", k);
        trace(&t, launch, name, 1);
        equals_report(&t);
        char inlined[3 * CLI_PATH];
        bool found = false;
        snprintf(inlined, sizeof inlined, "%s:2 -> %s:11", file, file);
        for (size_t n = 0; n < t.lines; n++)
            found |= strcmp(json_text(json_at(t.row[n], 3)), inlined) == 0;
        assert_true(found);
        assert_true(of(t.mark, "wave_size") == (strstr(target[k][0], "gfx9") || *target[k][1] ? 64u : 32u));
        release(&t);
    }
}

static char *whole(const char *folder, const char *name)
{
    char path[CLI_PATH + 200];
    size_t size;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return read_whole(path, &size);
}

/* The same files from any number of host threads, and again in the same place. */
static void threads_and_again(void **state)
{
    static const char *const name[] = {"code.json", "filenames.json", "occupancy.json", "se0_sm0_sl0_wv0.json"};
    struct traced one = {0}, two = {0};

    (void)state;
    gcnsim_att_init(&one.att);
    one.att.all_units = 1;
    two.att = one.att;
    trace(&one, "traces/samples/gfx1201/reduce_lds.json", "one", 1);
    trace(&two, "traces/samples/gfx1201/reduce_lds.json", "two", 1);
    release(&two);
    two = (struct traced){.att = one.att};
    trace(&two, "traces/samples/gfx1201/reduce_lds.json", "two", 2);
    for (size_t k = 0; k < sizeof name / sizeof name[0]; k++) {
        char *a = whole(one.folder, name[k]), *b = whole(two.folder, name[k]);

        assert_non_null(a);
        assert_string_equal(a, b);
        free(a);
        free(b);
    }
    release(&one);
    release(&two);
}

/* Bounds: one unit of each engine as hardware has it, some units, some waves, some cycles. */
static void bounds(void **state)
{
    static const uint32_t second = 1;
    static const char path[] = "traces/samples/gfx1201/matmul.json";
    struct traced all = {0}, t = {0};
    uint64_t hits[2] = {0};

    (void)state;
    gcnsim_att_init(&all.att);
    all.att.all_units = 1;
    trace(&all, path, "all", 1);

    gcnsim_att_init(&t.att);
    trace(&t, path, "first", 1);
    assert_true(t.waves && t.waves < all.waves);
    assert_int_equal(json_elements(json_get(t.mark, "units")), json_members(json_get(t.files, "wave_filenames")));
    uint64_t first = t.waves;
    release(&t);

    t = (struct traced){0};
    gcnsim_att_init(&t.att);
    t.att.units = &second;
    t.att.unit_count = 1;
    trace(&t, path, "second", 1);
    assert_true(t.waves && t.waves + first <= all.waves);
    release(&t);

    t = (struct traced){0};
    gcnsim_att_init(&t.att);
    t.att.all_units = 1;
    t.att.max_waves = 5;
    trace(&t, path, "five", 1);
    assert_int_equal(t.waves, 5);
    assert_true(of(json_get(t.mark, "left_out"), "waves") == all.waves - 5);
    release(&t);

    /* two halves have all instructions between them */
    for (unsigned half = 0; half < 2; half++) {
        uint64_t middle = of(all.mark, "cycles") / 2;

        t = (struct traced){0};
        gcnsim_att_init(&t.att);
        t.att.all_units = 1;
        t.att.from_cycle = half ? middle : 0;
        t.att.to_cycle = half ? 0 : middle;
        t.att.folder = cli_path(half ? "late" : "early");
        run(&t, path, 1);
        snprintf(t.folder, sizeof t.folder, "%s/ui_output_agent_0_dispatch_1", t.att.folder);
        read_code(&t);
        read_waves(&t);
        read_states(&t);
        read_rest(&t);
        for (size_t k = 0; k < t.lines; k++)
            hits[half] += t.sum[k].hits;
        assert_true(hits[half]);
        release(&t);
    }
    assert_true(hits[0] + hits[1] == of(all.mark, "instructions_traced"));
    release(&all);
}

/* ---- the command line ---- */

static void refusals(void **state)
{
    char folder[CLI_PATH + 100], name[CLI_PATH + 200];

    (void)state;
    snprintf(folder, sizeof folder, "%s", cli_path("taken"));
    snprintf(name, sizeof name, "%s/ui_output_agent_0_dispatch_1", folder);
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_int_equal(mkdir(name, 0777), 0);
    struct said s = RUN("run", "traces/samples/gfx1201/saxpy.json", "--att", folder);
    expect_status(&s, 2);
    expect_in(&s, s.err, "a folder that gcnsim has not written");
    said_free(&s);
    s = RUN("run", "traces/samples/gfx1201/saxpy.json", "--att", folder, "--engine", "functional");
    expect_status(&s, 2);
    said_free(&s);
    s = RUN("run", "traces/samples/gfx1201/saxpy.json", "--att-cus", "1");
    expect_status(&s, 2);
    expect_in(&s, s.err, "--att-cus without --att");
    said_free(&s);
    s = RUN("run", "traces/samples/gfx1201/saxpy.json", "--att", folder, "--att-cus", "1,-");
    expect_status(&s, 2);
    expect_in(&s, s.err, "--att-cus '1,-'; expected all, or numbers");
    said_free(&s);
    s = RUN("run", "traces/samples/gfx1201/saxpy.json", "--att", folder, "--att-cycles", "5:5");
    expect_status(&s, 2);
    expect_in(&s, s.err, "--att-cycles '5:5'; expected FIRST:END");
    said_free(&s);
    s = RUN("run", "traces/samples/gfx1201/saxpy.json", "--att", "/dev/null/x");
    expect_status(&s, 2);
    said_free(&s);
}

/* What is thrown away leaves nothing; a second run replaces the first. */
static void from_the_command_line(void **state)
{
    char folder[CLI_PATH + 100], pattern[CLI_PATH + 200];
    glob_t found;

    (void)state;
    snprintf(folder, sizeof folder, "%s", cli_path("deep/er"));
    for (unsigned k = 0; k < 2; k++) {
        struct said s = RUN("run", "traces/samples/gfx1201/saxpy.json", "--att", folder, "--att-cus", "0-3,5",
                            "--att-cycles", "100:", "--quiet");
        expect_status(&s, 0);
        said_free(&s);
    }
    snprintf(pattern, sizeof pattern, "%s/*", folder);
    assert_int_equal(glob(pattern, GLOB_PERIOD, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 4); /* ".", "..", the folder and the statistics */
    globfree(&found);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples), cmocka_unit_test(other_chips), cmocka_unit_test(threads_and_again),
        cmocka_unit_test(bounds),  cmocka_unit_test(refusals),    cmocka_unit_test(from_the_command_line),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
