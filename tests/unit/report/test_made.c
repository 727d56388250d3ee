/* Reports of runs: what report_make() keeps of a launch and an engine's result, word by word (tests/unit/report/words),
 * of samples on the functional engine, whose results depend on no figure of time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "sim/api/api.h"
#include "sim/report/summary.h"
#include "tests/support/run_sample.h"
#include "tests/support/words.h"

/* A sample's result and its report, without what is the host's, or changes with the profile's figures. */
static struct gcnsim_result *run_functional(const char *sample, bool check, struct report **report)
{
    struct gcnsim_dispatch d = {.engine = GCNSIM_ENGINE_FUNCTIONAL, .check = check, .threads = 1, .per_instruction = 1};
    struct gcnsim_result *result = run_sample_engine(sample, NULL, &d);
    struct report *r = (struct report *)(uintptr_t)api_report(result);

    r->run.seconds = 0;
    memset(r->run.profile_sha256, '0', sizeof r->run.profile_sha256 - 1);
    *report = r;
    return result;
}

static void expect(const char *name, char *text)
{
    assert_non_null(text);
    expect_words("tests/unit/report/words", name, words_mask(text, GCNSIM_VERSION));
    free(text);
}

static char *text_of(void (*writer)(FILE *f, const void *what), const void *what)
{
    return report_render(writer, what);
}

static void sample_without_checks(void **state)
{
    struct report *r;
    struct gcnsim_result *result = run_functional("traces/samples/gfx1201/matmul.json", false, &r);

    (void)state;
    expect("made_text", text_of(report_write_text, r));
    expect("made_json", text_of(report_write_json, r));
    gcnsim_result_free(result);
}

static void sample_with_checks(void **state)
{
    struct report *r;
    struct gcnsim_result *result = run_functional("traces/samples/gfx90a/reduce_lds.json", true, &r);

    (void)state;
    expect("made_checked", text_of(report_write_text, r));
    gcnsim_result_free(result);
}

/* Raw code of gfx90a at an address that is the same in every run. */
static struct gcnsim_result *run_raw(const uint32_t *words, size_t count, uint32_t lanes, bool check)
{
    static const uint32_t user[2];
    void *wanted = (void *)(uintptr_t)UINT64_C(0x210000000000);
    uint32_t *code =
        mmap(wanted, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    struct gcnsim_error e = {0};
    struct gcnsim_result *result = NULL;
    struct gcnsim *sim;
    struct gcnsim_raw r;

    assert_ptr_equal(code, wanted);
    memcpy(code, words, 4 * count);
    gcnsim_raw_init(&r);
    r.target = "gfx90a";
    r.code_base = r.entry = (uintptr_t)code;
    r.code_size = 4 * count;
    r.wave_size = 64;
    r.workgroup_size[0] = r.grid_size[0] = lanes;
    r.workgroup_size[1] = r.workgroup_size[2] = r.grid_size[1] = r.grid_size[2] = 1;
    r.compute_pgm_rsrc1 = 15u | 12u << 6 | 0xf0u << 12;
    r.compute_pgm_rsrc2 = 2u << 1 | 1u << 7;
    r.user_sgprs = user;
    r.user_sgpr_count = 2;
    r.check = check;
    r.max_instructions = 1000;
    r.lds_bytes = 1024;
    r.threads = 1;
    assert_int_equal(gcnsim_open(&sim, NULL, &e), GCNSIM_OK);
    if (gcnsim_launch_raw(sim, &r, &result, &e))
        fail_msg("%s", e.text);
    gcnsim_close(sim);
    munmap(code, 4096);
    struct report *own = (struct report *)(uintptr_t)api_report(result);
    own->run.seconds = 0;
    return result;
}
#define RAW(LANES, CHECK, ...)                                                                                         \
    run_raw((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4, LANES, CHECK)

/* A finding, a fault, and waves that wait for one that loops, while another has ended. */
static void raw_code_that_ends_badly(void **state)
{
    enum {
        MEMTIME = 0xc0900200, /* s_memtime s[8:9], of two words */
        READ_S9 = 0xbe8a0009, /* s_mov_b32 s10, s9 */
        WAVE = 0x7e100500,    /* v_readfirstlane_b32 s8, v0 */
        IS_FIRST = 0xbf068008,
        IS_SECOND = 0xbf06c008,
        BRANCH_SCC1 = 0xbf850000,
        BARRIER = 0xbf8a0000,
        LOOP = 0xbf82ffff,
        END = 0xbf810000
    };
    struct gcnsim_result *found = RAW(64, true, MEMTIME, 0, READ_S9, END),
                         *fault = RAW(64, false, BRANCH_SCC1, 0xffffffff, END),
                         *stuck = RAW(192, false, WAVE, IS_FIRST, BRANCH_SCC1 | 3, IS_SECOND, BRANCH_SCC1 | 2, LOOP,
                                      BARRIER, END);

    (void)state;
    expect("made_finding", text_of(report_write_text, api_report(found)));
    expect("made_fault", text_of(report_write_text, api_report(fault)));
    expect("made_fault_json", text_of(report_write_json, api_report(fault)));
    assert_non_null(api_report(stuck)->snapshot);
    expect("made_stuck", text_of(report_write_snapshot, api_report(stuck)->snapshot));
    gcnsim_result_free(found);
    gcnsim_result_free(fault);
    gcnsim_result_free(stuck);
}

static void fidelity_for_people(FILE *f, const void *report)
{
    const struct report *r = report;

    fidelity_text(f, &r->fidelity, "matmul");
    fputc('\n', f);
    fidelity_summary(f, &r->fidelity);
    fputc('\n', f);
    fidelity_first_lines(f, &r->fidelity);
}

/* How well the figures of the timing engine are known, not what they are. */
static void fidelity_of_a_sample(void **state)
{
    struct gcnsim_result *result =
        run_sample_engine("traces/samples/gfx1201/softmax.json", NULL,
                          &(struct gcnsim_dispatch){.engine = GCNSIM_ENGINE_FUNCTIONAL, .per_instruction = 1});

    (void)state;
    expect("made_fidelity", text_of(fidelity_for_people, api_report(result)));
    gcnsim_result_free(result);
}

/* A fault where no instruction is says none. */
static void a_fault_without_an_instruction(void **state)
{
    enum { JUMP = 0xbe801d08 /* s_setpc_b64 s[8:9], which are 0 */ };
    struct gcnsim_result *fault = RAW(64, false, JUMP);
    const char *message = api_report(fault)->message;

    (void)state;
    assert_int_equal(api_report(fault)->outcome, ENGINE_FAULT);
    assert_string_equal(api_report(fault)->fault.instruction, "");
    assert_non_null(strstr(message, " fault at pc 0x0: "));
    assert_null(strstr(message, " in "));
    assert_null(strchr(message, '\''));
    gcnsim_result_free(fault);
}

/* Shares of what the chip could have done, on the timing engine: of so many cycles of each CU or SIMD; and what a
 * workgroup is on. */
static void shares_of_the_chip(void **state)
{
    static const struct {
        enum stat share, cycles;
        bool simds; /* of each SIMD, else of each CU */
    } v[] = {
        {STAT_PEAK_CUS, STAT_CU_CYCLES, false},
        {STAT_PEAK_VALU, STAT_VALU_CYCLES, true},
        {STAT_PEAK_TRANS, STAT_TRANS_CYCLES, true},
        {STAT_PEAK_SALU, STAT_SALU_CYCLES, true},
        {STAT_PEAK_BRANCH, STAT_BRANCH_CYCLES, true},
        {STAT_PEAK_SMEM, STAT_SMEM_CYCLES, false},
        {STAT_PEAK_VMEM, STAT_VMEM_ADDRESS_CYCLES, false},
    };
    static const char *const sample[] = {"traces/samples/gfx90a/softmax.json", "traces/samples/gfx1201/softmax.json"};

    (void)state;
    for (unsigned rdna = 0; rdna < 2; rdna++) {
        struct gcnsim_result *result =
            run_sample_engine(sample[rdna], NULL, &(struct gcnsim_dispatch){.engine = GCNSIM_ENGINE_TIMING});
        const struct report *r = api_report(result);
        const double cus = r->value[STAT_CYCLES] * r->chip.gpu.cus, simds = cus * r->chip.cu.simds;

        assert_true(r->has_chip && r->chip.gpu.cus > 1 && r->chip.cu.simds > 1);
        for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
            assert_true(r->present[v[k].share] && r->present[v[k].cycles]);
            assert_float_equal(r->value[v[k].share] * (v[k].simds ? simds : cus), r->value[v[k].cycles], 1e-6 * cus);
        }
        /* GCN's SIMDs take turns, one a cycle */
        assert_float_equal(r->value[STAT_PEAK_ISSUE] * (rdna ? simds : cus), r->value[STAT_ISSUE_CYCLES], 1e-6 * cus);
        assert_true(r->value[STAT_PEAK_VALU] > 0 && r->value[STAT_PEAK_SALU] > 0 && r->value[STAT_PEAK_VMEM] > 0);
        assert_true(r->has_occupancy);
        assert_int_equal(r->occupancy_cus, rdna ? 2 : 1);
        gcnsim_result_free(result);
    }
}

/* The verdict of the part with work follows that of the whole; beyond three lines in all it goes without its figures.
 */
static void verdicts_that_are_long(void **state)
{
    static const char whole[] =
        "latency-bound on L2: waves wait for vector memory 90 % of their time; a load takes 900 "
        "cycles",
                      part[] = "compute-bound within the part that has work; its vector ALU takes 80 % of the cycles, "
                               "and its LDS 20";
    static const struct {
        const char *verdict, *within;
        bool cut;
    } v[] = {{"one line", "one line; and its figures", false},
             {"one line", part, false},
             {whole, "one line; and its figures", false},
             {whole, part, true}};

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        static struct report r;
        char *text = NULL;
        size_t bytes;
        FILE *f = open_memstream(&text, &bytes);

        assert_non_null(f);
        r.has_limiter = true;
        r.limiter.verdict = v[k].verdict;
        r.limiter.within = v[k].within;
        summary_verdict(f, &r);
        assert_int_equal(fclose(f), 0);
        assert_memory_equal(text, "limiter    ", 11);
        assert_int_equal(strstr(text, "figures.") || strstr(text, " 20."), !v[k].cut);
        assert_int_equal(strstr(text, "part that has work.") != NULL, v[k].cut);
        free(text);
    }
}

/* MSHRs of a cache that the chip does not have, or that has used none, are no line. */
static void mshrs_that_are_not_used(void **state)
{
    struct gcnsim_result *result = run_sample_engine("traces/samples/gfx90a/softmax.json", NULL,
                                                     &(struct gcnsim_dispatch){.engine = GCNSIM_ENGINE_TIMING});
    struct report *r = (struct report *)(uintptr_t)api_report(result);
    const struct report_sections limiter = {r, "limiter"};

    (void)state;
    for (unsigned used = 0; used < 2; used++) {
        if (!used)
            r->value[stat_of_cache(LEVEL_L2, STAT_CACHE_MSHR_CYCLES)] = 0;
        else
            r->value[stat_of_cache(LEVEL_L2, STAT_CACHE_MSHR_CYCLES)] = 1;
        char *text = text_of(report_write_sections, &limiter);
        assert_int_equal(strstr(text, "MSHRs of l2") != NULL, used);
        assert_null(strstr(text, "MSHRs of gl1"));
        assert_null(strstr(text, "MSHRs of mall"));
        free(text);
    }
    gcnsim_result_free(result);
}

/* Without checks: two waves that write one word of LDS with no barrier between them are found all the same. */
static void a_race_that_nobody_asked_for(void **state)
{
    enum { ZERO = 0x7e040280 /* v_mov_b32 v2, 0 */, WRITE = 0xd81a0000, V2_V0 = 0x00000002, END = 0xbf810000 };
    struct gcnsim_result *race = RAW(128, false, ZERO, WRITE, V2_V0, END),
                         *one = RAW(64, false, ZERO, WRITE, V2_V0, END);

    (void)state;
    assert_int_equal(api_report(race)->finding_count, 1);
    assert_string_equal(api_report(race)->findings[0].rule, "race.lds");
    assert_int_equal(api_report(one)->finding_count, 0);
    gcnsim_result_free(race);
    gcnsim_result_free(one);
}

/* A section alone says what it is about, or that the run has nothing of it, and never both. */
static void sections_alone(void **state)
{
    static const char *const timed[] = {"summary",     "limiter",    "time", "dispatch", "instructions",
                                        "stalls",      "occupancy",  "lds",  "caches",   "dram",
                                        "translation", "provenance", "host"};

    (void)state;
    for (unsigned timing = 0; timing < 2; timing++) {
        struct gcnsim_result *result = run_sample_engine(
            "traces/samples/gfx90a/softmax.json", NULL,
            &(struct gcnsim_dispatch){.engine = timing ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL});
        const char *name;
        size_t with = 0;

        for (size_t k = 0; (name = report_section(k, NULL)); k++) {
            char *text = text_of(report_write_sections, &(struct report_sections){api_report(result), name});
            char nothing[100];
            size_t lines = 0;

            snprintf(nothing, sizeof nothing, "\n%s: nothing in this run\n", name);
            for (const char *at = text; *at; at++)
                lines += *at == '\n';
            if (strstr(text, nothing))
                assert_int_equal(lines, 3); /* what is run, an empty line, and that */
            else
                assert_true(lines > 1);
            for (size_t n = 0; timing && n < sizeof timed / sizeof *timed; n++)
                if (strcmp(name, timed[n]) == 0) {
                    assert_null(strstr(text, nothing));
                    with++;
                }
            free(text);
        }
        assert_int_equal(with, timing ? sizeof timed / sizeof *timed : 0);
        gcnsim_result_free(result);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(sample_without_checks),    cmocka_unit_test(sample_with_checks),
        cmocka_unit_test(raw_code_that_ends_badly), cmocka_unit_test(a_fault_without_an_instruction),
        cmocka_unit_test(shares_of_the_chip),       cmocka_unit_test(verdicts_that_are_long),
        cmocka_unit_test(mshrs_that_are_not_used),  cmocka_unit_test(a_race_that_nobody_asked_for),
        cmocka_unit_test(sections_alone),           cmocka_unit_test(fidelity_of_a_sample),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
