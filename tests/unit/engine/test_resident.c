/* Snapshots through the public interface: exact rows of both engines, and snapshots of runs that go on, on any number
 * of host threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/at_once.h"
#include "sim/api/gcnsim.h"
#include "tests/support/assemble.h"

enum { WAVES = 4, GROUPS = 6 };

/* gfx1201; s4 = number of the wave in its workgroup */
#define WAVE_IN_S4 0x85049974, 0x8b049f04

/* Wave 3 loops; the others wait for it. */
static const char one_loops[] =
    "s_lshr_b32 s4, ttmp8, 25; s_and_b32 s4, s4, 31; s_cmp_eq_u32 s4, 3; s_cbranch_scc0 meet; "
    "loop: s_branch loop; "
    "meet: s_barrier_signal -1; s_barrier_wait 0xffff; s_endpgm";
/* All of workgroup 5 meet and then loop; other workgroups end. */
static const char last_group_loops[] =
    "s_cmp_eq_u32 ttmp9, 5; s_cbranch_scc0 end; s_barrier_signal -1; s_barrier_wait 0xffff; "
    "loop: s_branch loop; "
    "end: s_endpgm";
/* Everybody loops. */
static const char all_loop[] = "loop: s_branch loop; s_endpgm";

static struct gcnsim_raw raw_of(enum gcnsim_engine engine, const uint32_t *code, size_t bytes)
{
    struct gcnsim_raw r;

    gcnsim_raw_init(&r);
    r.target = "gfx1201";
    r.engine = engine;
    r.entry = r.code_base = (uint64_t)(uintptr_t)code;
    r.code_size = bytes;
    r.wave_size = 32;
    r.compute_pgm_rsrc1 = 3u << 6 | 0xf0u << 12;
    r.compute_pgm_rsrc2 = 2u << 1 | 1u << 7;
    r.workgroups[0] = GROUPS;
    r.workgroup_size[0] = WAVES * 32;
    return r;
}

static struct gcnsim_result *launch(const struct gcnsim_raw *r)
{
    struct gcnsim_error error = {0};
    struct gcnsim_result *result;
    struct gcnsim *sim;

    assert_int_equal(gcnsim_open(&sim, NULL, &error), GCNSIM_OK);
    api_threads_at_once(sim);
    if (gcnsim_launch_raw(sim, r, &result, &error))
        fail_msg("%s", error.text);
    gcnsim_close(sim);
    return result;
}

static void a_wave_that_others_wait_for(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct gcnsim_raw r = raw_of(GCNSIM_ENGINE_FUNCTIONAL, BYTES("gfx1201", one_loops));
        struct gcnsim_result *result;

        r.max_cycles = 1000;
        r.threads = threads;
        result = launch(&r);
        assert_int_equal(result->outcome, GCNSIM_LIMIT);
        const struct gcnsim_snapshot *s = result->snapshot;
        assert_non_null(s);
        assert_int_equal(s->engine, GCNSIM_ENGINE_FUNCTIONAL);
        assert_int_equal(s->cycle, 0);
        assert_int_equal(s->instructions, 3 * 6 + 1000);
        assert_int_equal(s->workgroups, GROUPS);
        assert_int_equal(s->workgroups_done, 0);
        assert_int_equal(s->workgroups_resident, 1);
        assert_int_equal(s->workgroups_not_started, GROUPS - 1);
        assert_int_equal(s->waves_resident, WAVES);
        assert_int_equal(s->row_count, 2);
        const struct gcnsim_snapshot_row *row = s->rows;
        assert_int_equal(row[0].waves, 3);
        assert_int_equal(row[0].workgroups, 1);
        assert_int_equal(row[0].pc_offset, 24);
        assert_string_equal(row[0].instruction, "s_barrier_wait 0xffff");
        assert_null(row[0].source);
        assert_string_equal(row[0].reason, "barrier");
        assert_int_equal(row[0].since, 6);
        assert_int_equal(row[0].wave, 0);
        assert_true(row[0].has_barrier && !row[0].has_memory && !row[0].counter);
        assert_int_equal(row[0].barrier, 0);
        assert_int_equal(row[0].arrived, 3);
        assert_int_equal(row[0].members, 4);
        assert_int_equal(row[0].ended, 0);
        assert_int_equal(row[0].missing_count, 1);
        assert_int_equal(row[0].missing[0], 3);
        assert_string_equal(row[0].waits_for, "the workgroup's barrier: 3 of 4 waves have arrived; missing: wave 3");
        assert_int_equal(row[1].waves, 1);
        assert_int_equal(row[1].wave, 3);
        assert_string_equal(row[1].reason, "ready");
        assert_string_equal(row[1].waits_for, "");
        assert_int_equal(row[1].pc_offset, 16);
        assert_int_equal(row[1].since, 1000);
        gcnsim_result_free(result);
    }
}

/* A part of the report, to be freed: from the line that begins with `from` up to `to`. */
static char *part(int (*render)(const struct gcnsim_result *, char **, struct gcnsim_error *),
                  const struct gcnsim_result *result, const char *from, const char *to)
{
    struct gcnsim_error error;
    char *text, *at, *end;

    assert_int_equal(render(result, &text, &error), GCNSIM_OK);
    assert_non_null(at = strstr(text, from));
    assert_non_null(end = strstr(at, to));
    *end = 0;
    at = strdup(at);
    gcnsim_free(text);
    return at;
}

static void text_and_json_of_it(void **state)
{
    struct gcnsim_raw r = raw_of(GCNSIM_ENGINE_FUNCTIONAL, BYTES("gfx1201", one_loops));
    struct gcnsim_result *result;
    char *text, *json, line[80], *pc;

    (void)state;
    r.max_cycles = 1000;
    result = launch(&r);
    text = part(gcnsim_result_text, result, "Resident waves", "\nInstructions");
    assert_string_equal(text, "Resident waves after 1,018 instructions\n"
                              "  workgroups    0 done, 1 resident, 5 not started; 4 waves resident\n"
                              "  3 waves of 1 workgroup: barrier\n"
                              "    at            0x18 s_barrier_wait 0xffff\n"
                              "    waits for     the workgroup's barrier: 3 of 4 waves have arrived; missing: wave 3\n"
                              "    executed      6 instructions (workgroup 0, 0, 0, wave 0, the fewest)\n"
                              "  1 wave of 1 workgroup: ready\n"
                              "    at            0x10 s_branch 65535\n"
                              "    executed      1,000 instructions (workgroup 0, 0, 0, wave 3)\n");
    json = part(gcnsim_result_json, result, "  \"resident_waves\"", "  \"host\"");
    for (unsigned k = 0; k < 2; k++) { /* addresses of the host */
        snprintf(line, sizeof line, "        \"pc\": \"0x%llx\",\n", (unsigned long long)result->snapshot->rows[k].pc);
        assert_non_null(pc = strstr(json, line));
        memmove(pc, pc + strlen(line), strlen(pc + strlen(line)) + 1);
    }
    assert_string_equal(
        json, "  \"resident_waves\": {\n"
              "    \"cycle\": null,\n"
              "    \"instructions\": 1018,\n"
              "    \"workgroups_done\": 0,\n"
              "    \"workgroups_resident\": 1,\n"
              "    \"workgroups_not_started\": 5,\n"
              "    \"waves\": 4,\n"
              "    \"groups\": [\n"
              "      {\n"
              "        \"waves\": 3,\n"
              "        \"workgroups\": 1,\n"
              "        \"reason\": \"barrier\",\n"
              "        \"pc_offset\": \"0x18\",\n"
              "        \"instruction\": \"s_barrier_wait 0xffff\",\n"
              "        \"source\": null,\n"
              "        \"executed\": 6,\n"
              "        \"waits_for\": \"the workgroup's barrier: 3 of 4 waves have arrived; missing: wave 3\",\n"
              "        \"barrier\": {\"number\": 0, \"arrived\": 3, \"members\": 4, \"ended\": 0, \"missing\": [3]},\n"
              "        \"workgroup\": [0, 0, 0],\n"
              "        \"wave\": 0\n"
              "      },\n"
              "      {\n"
              "        \"waves\": 1,\n"
              "        \"workgroups\": 1,\n"
              "        \"reason\": \"ready\",\n"
              "        \"pc_offset\": \"0x10\",\n"
              "        \"instruction\": \"s_branch 65535\",\n"
              "        \"source\": null,\n"
              "        \"executed\": 1000,\n"
              "        \"waits_for\": null,\n"
              "        \"workgroup\": [0, 0, 0],\n"
              "        \"wave\": 3\n"
              "      }\n"
              "    ]\n"
              "  },\n");
    free(text);
    free(json);
    gcnsim_result_free(result);
}

/* The same of the timing engine: wave 3 is somewhere in its branch. */
static void the_same_in_time(void **state)
{
    struct gcnsim_raw r = raw_of(GCNSIM_ENGINE_TIMING, BYTES("gfx1201", one_loops));
    struct gcnsim_result *result;

    (void)state;
    r.max_cycles = 20000;
    result = launch(&r);
    const struct gcnsim_snapshot *s = result->snapshot;
    assert_non_null(s);
    assert_int_equal(s->cycle, 20000);
    assert_int_equal(s->workgroups_resident, GROUPS);
    assert_int_equal(s->waves_resident, GROUPS * WAVES);
    assert_int_equal(s->rows[0].waves, 3 * GROUPS);
    assert_int_equal(s->rows[0].workgroups, GROUPS);
    assert_string_equal(s->rows[0].reason, "barrier");
    assert_int_equal(s->rows[0].pc_offset, 24);
    assert_string_equal(s->rows[0].waits_for, "the workgroup's barrier: 3 of 4 waves have arrived; missing: wave 3");
    uint64_t others = 0;
    for (size_t k = 1; k < s->row_count; k++) {
        assert_int_equal(s->rows[k].pc_offset, 16);
        assert_int_equal(s->rows[k].wave, 3);
        others += s->rows[k].waves;
    }
    assert_int_equal(others, GROUPS);
    gcnsim_result_free(result);
}

static void a_deadlock_has_one(void **state)
{
    static const char stuck[] = "s_barrier_wait 0xffff; s_endpgm";
    static const enum gcnsim_engine engines[] = {GCNSIM_ENGINE_FUNCTIONAL, GCNSIM_ENGINE_TIMING};

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct gcnsim_raw r = raw_of(engines[k], BYTES("gfx1201", stuck));
        struct gcnsim_result *result;

        r.workgroups[0] = 1;
        result = launch(&r);
        assert_int_equal(result->outcome, GCNSIM_FAULTED);
        assert_non_null(result->snapshot);
        assert_int_equal(result->snapshot->row_count, 1);
        assert_int_equal(result->snapshot->rows->waves, WAVES);
        assert_string_equal(result->snapshot->rows->waits_for,
                            "the workgroup's barrier: 0 of 4 waves have arrived; missing: waves 0, 1, 2, 3");
        gcnsim_result_free(result);
    }
}

static void check_sums(const struct gcnsim_snapshot *s)
{
    uint64_t waves = 0;

    for (size_t k = 0; k < s->row_count; k++) {
        waves += s->rows[k].waves;
        assert_true(!k || s->rows[k].waves <= s->rows[k - 1].waves);
        assert_true(s->rows[k].workgroups <= s->rows[k].waves);
        /* a snapshot is of one moment: never more signals than members, never all of them */
        assert_true(!s->rows[k].has_barrier || s->rows[k].arrived < s->rows[k].members);
    }
    assert_int_equal(waves, s->waves_resident);
    assert_int_equal(s->workgroups_done + s->workgroups_resident + s->workgroups_not_started, s->workgroups);
}

/* Each of 24 waves loops at a place of its own: the text names 16 places, JSON all. */
static void more_places_than_a_text_names(void **state)
{
    enum { MANY = 24 };
    uint32_t code[9 + 2 * MANY] = {
        WAVE_IN_S4, 0xbe864700, 0x84058304, /* s_getpc_b64 s[6:7]; s_lshl_b32 s5, s4, 3 */
        0x80060506, 0x82078007,             /* s_add_co_u32 s6, s6, s5; s_add_co_ci_u32 s7, s7, 0 */
        0x80069806, 0x82078007, 0xbe804806, /* the same with 24; s_setpc_b64 s[6:7] */
    };
    struct gcnsim_raw r = raw_of(GCNSIM_ENGINE_TIMING, code, sizeof code);
    struct gcnsim_error error;
    struct gcnsim_result *result;
    char *text, *json, line[80];
    unsigned named = 0;

    (void)state;
    for (unsigned k = 0; k < MANY; k++)
        code[9 + 2 * k] = 0xbf830005, code[10 + 2 * k] = 0xbfa0fffe; /* s_sleep 5; s_branch back to it */
    r.workgroups[0] = 1;
    r.workgroup_size[0] = MANY * 32;
    r.max_cycles = 50000;
    result = launch(&r);
    assert_int_equal(result->outcome, GCNSIM_LIMIT);
    const struct gcnsim_snapshot *s = result->snapshot;
    check_sums(s);
    assert_int_equal(s->row_count, MANY);
    assert_int_equal(gcnsim_snapshot_text(s, &text, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_snapshot_json(s, &json, &error), GCNSIM_OK);
    for (const char *at = text; (at = strstr(at, " of 1 workgroup: ")); at++)
        named++;
    assert_int_equal(named, 16);
    snprintf(line, sizeof line, "\n  and %d waves at %d other places\n", MANY - 16, MANY - 16);
    assert_non_null(strstr(text, line));
    named = 0;
    for (const char *at = json; (at = strstr(at, "\"pc_offset\": ")); at++)
        named++;
    assert_int_equal(named, MANY);
    gcnsim_free(text);
    gcnsim_free(json);
    gcnsim_result_free(result);
}

struct watch {
    volatile int wanted, stop;
    unsigned calls, most;
    uint64_t instructions;
    size_t rows;
    uint64_t resident;
    char *text;
};

static void on_snapshot(void *ctx, const struct gcnsim_snapshot *s)
{
    struct watch *w = ctx;
    struct gcnsim_error error;

    assert_int_equal(w->wanted, 0);
    check_sums(s);
    assert_true(s->instructions >= w->instructions);
    w->instructions = s->instructions;
    w->resident = s->waves_resident;
    w->rows = s->row_count;
    free(w->text);
    assert_int_equal(gcnsim_snapshot_text(s, &w->text, &error), GCNSIM_OK);
    if (++w->calls == w->most)
        w->stop = 1;
    else
        w->wanted = 1;
}

/* ---- waves that wait for memory ---- */

/* All waves wait for another word than 0 at s[0:1]. */
static const char polls[] =
    "v_mov_b32 v0, 0; "
    "again: global_load_b32 v1, v0, s[0:1]; s_wait_loadcnt 0x0; v_readfirstlane_b32 s2, v1; s_cmp_eq_u32 s2, 0; "
    "s_cbranch_scc1 again; s_endpgm";

static struct gcnsim_raw polling(enum gcnsim_engine engine, struct gcnsim_range *range, uint32_t *word)
{
    struct gcnsim_raw r = raw_of(engine, BYTES("gfx1201", polls));

    *range = (struct gcnsim_range){.address = (uint64_t)(uintptr_t)word, .bytes = 4, .writable = 1, .label = "word"};
    r.kernarg_address = range->address;
    r.ranges = range;
    r.range_count = 1;
    return r;
}

static void a_polling_wave(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        _Alignas(64) static uint32_t word;
        struct gcnsim_range range;
        struct gcnsim_raw r = polling(GCNSIM_ENGINE_FUNCTIONAL, &range, &word);
        struct gcnsim_result *result;
        char text[120];

        r.threads = threads;
        r.max_instructions = 3000000;
        result = launch(&r);
        assert_int_equal(result->outcome, GCNSIM_LIMIT);
        const struct gcnsim_snapshot *s = result->snapshot;
        check_sums(s);
        assert_int_equal(s->waves_resident, WAVES * s->workgroups_resident);
        assert_string_equal(s->rows->reason, "polling");
        assert_int_equal(s->rows->pc_offset, 4);
        assert_string_equal(s->rows->instruction, "global_load_b32 v1, v0, s[0:1]");
        assert_true(s->rows->has_memory && !s->rows->counter && !s->rows->has_barrier);
        assert_true(s->rows->address == range.address);
        assert_int_equal(s->rows->bytes, 4);
        assert_int_equal(s->rows->value, 0);
        snprintf(text, sizeof text, "4 bytes at 0x%llx, which hold 0x0", (unsigned long long)range.address);
        assert_string_equal(s->rows->waits_for, text);
        gcnsim_result_free(result);
    }
}

/* In time they wait for loads, mostly. */
static void a_polling_wave_in_time(void **state)
{
    _Alignas(64) static uint32_t word;
    unsigned seen = 0;

    (void)state;
    for (uint64_t cycle = 20000; cycle < 21000; cycle += 100) {
        struct gcnsim_range range;
        struct gcnsim_raw r = polling(GCNSIM_ENGINE_TIMING, &range, &word);
        struct gcnsim_result *result;

        r.max_cycles = cycle;
        result = launch(&r);
        check_sums(result->snapshot);
        for (size_t k = 0; k < result->snapshot->row_count; k++) {
            const struct gcnsim_snapshot_row *row = &result->snapshot->rows[k];

            if (strcmp(row->reason, "wait_loadcnt") != 0)
                continue;
            seen++;
            assert_int_equal(row->pc_offset, 16);
            assert_string_equal(row->instruction, "s_wait_loadcnt 0x0");
            assert_string_equal(row->counter, "loadcnt");
            assert_int_equal(row->counter_value, 1);
            assert_int_equal(row->counter_bound, 0);
            assert_int_equal(row->oldest_offset, 4);
            assert_string_equal(row->oldest_instruction, "global_load_b32 v1, v0, s[0:1]");
            assert_true(row->oldest_accesses <= 1);
            assert_true(row->since <= cycle && row->since > cycle - 5000);
        }
        gcnsim_result_free(result);
    }
    assert_true(seen > 0);
}

/* ---- levels of memory ---- */

/* saxpy of one workgroup, up to a cycle. */
static struct gcnsim_result *saxpy(uint64_t max_cycles)
{
    static const char *const specs[] = {"f32:2.5", "buf:4000", "buf:4000", "u32:64"};
    struct gcnsim_error error = {0};
    struct gcnsim_module *module = NULL;
    struct gcnsim_result *result = NULL;
    struct gcnsim_dispatch d;
    struct gcnsim_args *args = NULL;
    struct gcnsim *sim = NULL;

    if (gcnsim_open(&sim, NULL, &error) ||
        gcnsim_load_file(sim, &module, "traces/samples/gfx1201/saxpy.co", NULL, &error) ||
        gcnsim_args_parse(module, 0, specs, sizeof specs / sizeof specs[0], NULL, &args, &error))
        fail_msg("%s", error.text);
    gcnsim_dispatch_init(&d);
    d.args = args;
    d.grid_size[0] = d.workgroup_size[0] = 64;
    d.max_cycles = max_cycles;
    if (gcnsim_launch(module, &d, &result, &error))
        fail_msg("%s", error.text);
    gcnsim_args_free(args);
    gcnsim_close(sim);
    return result;
}

/* The first load of the kernel misses everywhere: it goes from level to level down to DRAM, and never goes up before.
 */
static void a_load_on_its_way_down(void **state)
{
    static const char *const levels[] = {"k", "l2", "mall", "dram"};
    unsigned at = 0, seen = 0;
    uint64_t load = 0;

    (void)state;
    for (uint64_t cycle = 100; seen != 15; cycle += 5) {
        struct gcnsim_result *result = saxpy(cycle);
        const struct gcnsim_snapshot *s = result->snapshot;

        assert_int_equal(result->outcome, GCNSIM_LIMIT); /* it must have been seen before the end */
        for (size_t k = 0; k < s->row_count; k++) {
            const struct gcnsim_snapshot_row *row = &s->rows[k];
            unsigned level = 0;

            if (!row->counter || !row->oldest_level || (load && row->oldest_offset != load))
                continue;
            load = row->oldest_offset;
            assert_string_equal(row->counter, "kmcnt");
            assert_int_equal(row->oldest_accesses, 1);
            while (strcmp(levels[level], row->oldest_level) != 0)
                assert_true(++level < 4);
            assert_true(level >= at);
            at = level;
            seen |= 1u << level;
        }
        gcnsim_result_free(result);
    }
}

/* ---- running launches ---- */

static void snapshots_of_a_running_launch(void **state)
{
    static const enum gcnsim_engine engines[] = {GCNSIM_ENGINE_FUNCTIONAL, GCNSIM_ENGINE_TIMING};
    static const char *const programs[] = {one_loops, last_group_loops, all_loop};

    (void)state;
    for (unsigned n = 0; n < 2 * 3 * 4; n++) {
        struct gcnsim_raw r = raw_of(engines[n % 2], BYTES("gfx1201", programs[n / 2 % 3]));
        struct watch w = {.wanted = 1, .most = 5};
        struct gcnsim_result *result;

        r.threads = n / 6 + 1;
        r.abort_flag = &w.stop;
        r.snapshot_flag = &w.wanted;
        r.snapshot = on_snapshot;
        r.snapshot_ctx = &w;
        result = launch(&r);
        assert_int_equal(result->outcome, GCNSIM_INTERRUPTED);
        assert_int_equal(w.calls, 5);
        assert_int_equal(strncmp(w.text, "Resident waves ", 15), 0);
        check_sums(result->snapshot);
        gcnsim_free(w.text);
        gcnsim_result_free(result);
    }
}

/* With a limit on instructions workers wait for one another: they must not wait for ever. */
static void snapshots_beside_a_limit(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 6; threads++) {
        struct gcnsim_raw r = raw_of(GCNSIM_ENGINE_FUNCTIONAL, BYTES("gfx1201", all_loop));
        struct watch w = {.wanted = 1, .most = UINT32_MAX};
        struct gcnsim_result *result;
        double executed;

        r.threads = threads;
        r.max_instructions = 300000;
        r.snapshot_flag = &w.wanted;
        r.snapshot = on_snapshot;
        r.snapshot_ctx = &w;
        result = launch(&r);
        assert_int_equal(result->outcome, GCNSIM_LIMIT);
        assert_int_equal(gcnsim_result_stat(result, "instructions.total", &executed), GCNSIM_OK);
        assert_true(executed == 300000);
        assert_int_equal(result->snapshot->instructions, 300000);
        assert_true(w.calls >= 1);
        check_sums(result->snapshot);
        gcnsim_free(w.text);
        gcnsim_result_free(result);
    }
}

static void none_of_a_run_that_completes(void **state)
{
    static const char good[] = "s_endpgm";
    struct gcnsim_raw r = raw_of(GCNSIM_ENGINE_FUNCTIONAL, BYTES("gfx1201", good));
    struct gcnsim_result *result = launch(&r);

    (void)state;
    assert_null(result->snapshot);
    gcnsim_result_free(result);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wave_that_others_wait_for),
        cmocka_unit_test(text_and_json_of_it),
        cmocka_unit_test(the_same_in_time),
        cmocka_unit_test(a_deadlock_has_one),
        cmocka_unit_test(more_places_than_a_text_names),
        cmocka_unit_test(a_load_on_its_way_down),
        cmocka_unit_test(a_polling_wave),
        cmocka_unit_test(a_polling_wave_in_time),
        cmocka_unit_test(snapshots_of_a_running_launch),
        cmocka_unit_test(snapshots_beside_a_limit),
        cmocka_unit_test(none_of_a_run_that_completes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
