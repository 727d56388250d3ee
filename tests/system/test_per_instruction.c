/* Counts for each instruction: they change no cycle, they add up to the run's statistics, they are the same for any
 * number of host threads and with every cycle ticked, and their columns say what happened. */
#define _GNU_SOURCE
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/at_once.h"
#include "sim/api/gcnsim.h"
#include "tests/support/same_statistics.h"

/* One run of a launch file on a device of its own; `more`: options beside the file's. */
static struct gcnsim_result *launch(const char *path, const struct gcnsim_dispatch *more)
{
    struct gcnsim_error e = {0};
    struct gcnsim_launch_file *file;
    struct gcnsim_dispatch d = *more;
    struct gcnsim_module *module = NULL;
    struct gcnsim_args *args = NULL;
    struct gcnsim_result *r;
    struct gcnsim *sim = NULL;

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
    if (gcnsim_launch(module, &d, &r, &e) != GCNSIM_OK)
        fail_msg("%s", e.text);
    gcnsim_args_free(args);
    gcnsim_close(sim);
    gcnsim_launch_file_close(file);
    return r;
}

static struct gcnsim_dispatch options(int per_instruction, uint32_t threads)
{
    struct gcnsim_dispatch d;

    gcnsim_dispatch_init(&d);
    d.per_instruction = per_instruction;
    d.threads = threads;
    return d;
}

static uint32_t column(const char *name)
{
    uint32_t c = UINT32_MAX;

    assert_int_equal(gcnsim_instruction_find_column(name, &c), GCNSIM_OK);
    return c;
}

static double stat(const struct gcnsim_result *r, const char *name)
{
    double v = 0;

    gcnsim_result_stat(r, name, &v);
    return v;
}

static double sum(const struct gcnsim_result *r, const char *name)
{
    uint32_t c = column(name);
    double s = 0;

    for (size_t k = 0; k < r->instruction_count; k++)
        s += (double)r->instructions[k].values[c];
    return s;
}

static void same_counts(const struct gcnsim_result *a, const struct gcnsim_result *b)
{
    struct gcnsim_stat s;
    uint32_t columns = 0;

    while (gcnsim_instruction_column(columns, &s) == GCNSIM_OK)
        columns++;
    assert_int_equal(a->instruction_count, b->instruction_count);
    for (size_t k = 0; k < a->instruction_count; k++) {
        assert_true(a->instructions[k].pc_offset == b->instructions[k].pc_offset);
        assert_memory_equal(a->instructions[k].values, b->instructions[k].values, columns * sizeof(uint64_t));
    }
}

/* Columns that say the same as statistics of the run. */
static void adds_up(const struct gcnsim_result *r)
{
    static const char *const same[][2] = {
        {"executed", "instructions.total"},
        {"lds_count", "lds.accesses"},
        {"bank_conflict_cycles", "lds.bank_conflict_cycles"},
        {"address_conflict_cycles", "lds.address_conflict_cycles"},
    };
    double cycles = 0;

    assert_true(r->has_instructions);
    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
        if (sum(r, same[k][0]) != stat(r, same[k][1]))
            fail_msg("%s: %g, %s %g", same[k][0], sum(r, same[k][0]), same[k][1], stat(r, same[k][1]));
    for (size_t k = 0; k < r->stat_count; k++) {
        const char *name = r->stats[k].name;
        char key[80];

        if (strncmp(name, "stall_cycles.", 13) != 0)
            continue;
        snprintf(key, sizeof key, "cycles.%s", name + 13);
        if (sum(r, key) != r->stats[k].value)
            fail_msg("%s: %g, %s %g", key, sum(r, key), name, r->stats[k].value);
        cycles += r->stats[k].value;
    }
    assert_true(cycles == stat(r, "resident_wave_cycles"));
}

/* What each instruction says of itself. */
static void makes_sense(const struct gcnsim_result *r)
{
    uint32_t executed = column("executed"), lanes = column("lanes"), lines = column("lines");
    uint32_t latencies = column("latencies"), sum_of = column("latency_cycles"), most = column("latency_max_cycles");
    uint32_t answered = column("answered.vl0"), memory = column("answered.memory"), issued = column("cycles.issued");

    for (size_t k = 0; k < r->instruction_count; k++) {
        const struct gcnsim_instruction *i = &r->instructions[k];
        const uint64_t *v = i->values;
        uint64_t answers = 0;

        for (uint32_t c = answered; c <= memory; c++)
            answers += v[c];
        assert_true(k == 0 || i->pc > r->instructions[k - 1].pc);
        assert_true(v[lanes] <= 64 * v[executed]);
        assert_true((i->instruction[0] == 'v' && v[executed]) <= (v[lanes] > 0));
        assert_true(v[latencies] <= v[executed]);
        assert_true(v[most] * v[latencies] >= v[sum_of] && v[most] <= v[sum_of]);
        assert_true(answers <= v[lines]); /* lines that are prefetched are not answered */
        if (strncmp(i->instruction, "global_load", 11) == 0 && r->outcome == GCNSIM_COMPLETED) {
            assert_true(answers == v[lines]);
            assert_true(v[latencies] == v[executed]);
        }
        if (strcmp(i->instruction, "s_endpgm") == 0)
            assert_true(v[issued] > 0 || !v[executed]);
    }
}

static void samples_add_up(void **state)
{
    const struct gcnsim_dispatch without = options(0, 1), with = options(1, 1), shared = options(1, 2);
    glob_t found;

    (void)state;
    assert_int_equal(glob("traces/samples/gfx*/*.json", 0, NULL, &found), 0);
    assert_true(found.gl_pathc > 20);
    for (size_t k = 0; k < found.gl_pathc; k++) {
        struct gcnsim_result *plain = launch(found.gl_pathv[k], &without), *one = launch(found.gl_pathv[k], &with);
        struct gcnsim_result *two = launch(found.gl_pathv[k], &shared);

        assert_false(plain->has_instructions);
        same_statistics(plain, one);
        same_statistics(plain, two);
        adds_up(one);
        same_counts(one, two);
        makes_sense(one);
        gcnsim_result_free(plain);
        gcnsim_result_free(one);
        gcnsim_result_free(two);
    }
    globfree(&found);
}

/* Ended by a limit, with every cycle ticked, and with perfect memory. */
static void other_runs_add_up(void **state)
{
    static const char path[] = "traces/samples/gfx1201/transpose_naive.json";
    struct gcnsim_dispatch d = options(1, 1);

    (void)state;
    struct gcnsim_result *whole = launch(path, &d);
    d.tick_every_cycle = 1;
    struct gcnsim_result *ticked = launch(path, &d);
    same_counts(whole, ticked);
    d = options(1, 2);
    d.max_cycles = 1200;
    struct gcnsim_result *cut = launch(path, &d);
    assert_int_equal(cut->outcome, GCNSIM_LIMIT);
    adds_up(cut);
    makes_sense(cut);
    d = options(1, 1);
    d.perfect_memory = 1;
    struct gcnsim_result *perfect = launch(path, &d);
    adds_up(perfect);
    makes_sense(perfect);
    assert_true(sum(perfect, "answered.vl0") > 0 && sum(perfect, "answered.memory") == 0);
    gcnsim_result_free(whole);
    gcnsim_result_free(ticked);
    gcnsim_result_free(cut);
    gcnsim_result_free(perfect);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_add_up),
        cmocka_unit_test(other_runs_add_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
