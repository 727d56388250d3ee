/* What writers make of a report, a snapshot, a sequence and the code of a run, word by word. All figures are made up
 * here, each another one, so that a figure in the wrong place shows; tests/unit/report/words has the texts. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/report/annotate.h"
#include "sim/report/html.h"
#include "sim/report/sequence.h"
#include "sim/report/sum.h"
#include "tests/support/words.h"

#define INSTS 8

struct made {
    struct report r;
    struct report_code code;
    struct report_code_inst inst[INSTS];
    uint64_t stat[INSTS][STAT_INST_ALL], memory[2][STAT_INST_ROWS];
    struct report_function function[2];
    struct report_loop loop[2];
    struct report_frame frame[3];
    struct report_memory_inst memory_inst[2];
    struct report_eviction eviction[2];
    struct report_finding finding[2];
};

/* A number from 0 to 96 that depends on a name alone, so that a new row changes nothing of the others. */
static unsigned figure(const char *name)
{
    unsigned n = 0;

    for (; *name; name++)
        n = (31 * n + (uint8_t)*name) % 97;
    return n;
}

static bool is_shown(unsigned stall)
{
    return stall == STALL_ISSUED || stall == STALL_BARRIER || stall == STALL_DEPENDENCY_VALU;
}

/* There are three stall reasons. */
static void make_values(struct report *r)
{
    for (unsigned k = 0; k < STATS; k++) {
        unsigned n = figure(stat_row[k].name);

        r->present[k] = k < STAT_STALL || k >= STAT_STALL + STALL_COUNT || is_shown(k - STAT_STALL);
        if (r->present[k])
            r->value[k] = stat_row[k].kind == STAT_KIND_RATIO ? n / 97.0 : 1000.0 + 37 * n;
    }
}

/* Every `nth` statistic alone. */
static void thin(struct report *r, unsigned nth)
{
    for (unsigned k = 0; k < STATS; k++)
        r->present[k] = r->present[k] && figure(stat_row[k].name) % nth == 0;
}

/* Two functions, the first with a loop in a loop. The last instruction of each is reached but once. */
static void make_code(struct made *m)
{
    static const char *const text[INSTS] = {"s_nop 0",  "v_add_u32_e32 v0, v1, v2", "s_cbranch_scc1 0x11804",
                                            "s_nop 3",  "s_cbranch_scc0 0x11804",   "s_endpgm",
                                            "s_load_b", "s_setpc_b64 s[30:31]"};

    m->frame[0] = (struct report_frame){"inner", "a/src.cl", 7, 3};
    m->frame[1] = (struct report_frame){"outer", "a/src.cl", 21, 5};
    m->frame[2] = (struct report_frame){"helper", "a/other.cl", 4, 0};
    for (unsigned k = 0; k < INSTS; k++) {
        m->inst[k] = (struct report_code_inst){.pc = 0x11800 + 4 * k,
                                               .pc_offset = 0x1800 + 4 * k,
                                               .text = text[k],
                                               .stat = m->stat[k],
                                               .frame = k < 6 ? m->frame + k % 2 : m->frame + 2,
                                               .frames = k < 6 ? 2 - k % 2 : 1,
                                               .function = k >= 6,
                                               .loop = k == 2             ? 1
                                                       : k >= 1 && k <= 4 ? 0
                                                                          : REPORT_NONE,
                                               .target = k == 2   ? 2
                                                         : k == 4 ? 1
                                                                  : REPORT_NONE,
                                               .reached = k != 7};
        for (unsigned s = 0; s < STAT_INST_ALL && k != 7; s++)
            if (s < STAT_INST_STALL || s >= STAT_INST_STALL + STALL_COUNT || is_shown(s - STAT_INST_STALL))
                m->stat[k][s] = (k + 1) * figure(stat_inst_row[s].name) * (k == 2 ? 10 : 1);
    }
    m->function[0] = (struct report_function){"_Z4mainv", "main()", 0, 6, true};
    m->function[1] = (struct report_function){"helper", "helper", 6, 2, false};
    m->loop[0] = (struct report_loop){.parent = REPORT_NONE,
                                      .depth = 1,
                                      .header = 1,
                                      .first = 1,
                                      .last = 4,
                                      .file = "a/src.cl",
                                      .line = 7,
                                      .iterations = 60,
                                      .entries_known = true,
                                      .entries = 12};
    m->loop[1] = (struct report_loop){.parent = 0, .depth = 2, .header = 2, .first = 2, .last = 2, .iterations = 900};
    m->code = (struct report_code){
        .inst = m->inst, .function = m->function, .loop = m->loop, .insts = INSTS, .functions = 2, .loops = 2};
    m->r.has_insts = true;
    m->r.code = &m->code;
}

static void make_tables(struct made *m)
{
    static const struct report_frame at = {"inner", "a/src.cl", 7, 3};

    for (unsigned k = 0; k < 2; k++) {
        for (unsigned s = 0; s < STAT_INST_ROWS; s++)
            m->memory[k][s] = 100 * (k + 1) + 13 * s;
        m->memory_inst[k] =
            (struct report_memory_inst){0x11804 + 4 * k, 0x1804 + 4 * k, k ? "store" : "load", m->memory[k]};
        m->eviction[k] = (struct report_eviction){k ? "l2" : "vl1d", k ? "sys" : "wave", k ? "stream" : "", 5 + 12 * k};
        m->finding[k] = (struct report_finding){.rule = k ? "race_lds" : "missing_wait",
                                                .pc = 0x11808 + 4 * k,
                                                .pc_offset = 0x1808 + 4 * k,
                                                .instruction = "v_add_u32_e32 v0, v1, v2",
                                                .source = k ? NULL : "src.cl:7",
                                                .frame = &at,
                                                .frames = !k,
                                                .lane = k ? -1 : 9,
                                                .workgroup = {1 + k, 3 + k, 5 + k},
                                                .wave = 2 + k,
                                                .count = 1 + 41 * k,
                                                .message = "v1 is read",
                                                .fix = k ? "" : "add a wait"};
    }
    m->r.has_memory_insts = m->r.has_caches = m->r.has_check = true;
    m->r.memory_inst = m->memory_inst;
    m->r.evictions = m->eviction;
    m->r.findings = m->finding;
    m->r.memory_inst_count = m->r.eviction_count = m->r.finding_count = 2;
    m->r.memory_insts_left_out = 3;
}

static void make(struct made *m)
{
    memset(m, 0, sizeof *m);
    m->r.run = (struct report_run){.kernel = "_Z4mainv",
                                   .plain = "main()",
                                   .timing = true,
                                   .grid = {640, 6, 3},
                                   .scratch_bytes = 48,
                                   .load_base = 0x10000,
                                   .code_sha256 = "c0de",
                                   .profile_sha256 = "f00d",
                                   .command_line = "gcnsim run",
                                   .threads = 3,
                                   .seconds = 1.5};
    m->r.message = "";
    m->r.target = "gfx90a";
    m->r.profile = "mine";
    m->r.object = "main.co";
    m->r.workgroup[0] = 64, m->r.workgroup[1] = 2, m->r.workgroup[2] = 1;
    m->r.workgroups = 90, m->r.waves = 180;
    make_values(&m->r);
    m->r.has_limiter = true;
    m->r.limiter = (struct report_limiter){LIMIT_BANDWIDTH, "l2", 0.625, "most time goes to L2", "half of L2"};
    m->r.hotspots = 2;
    m->r.hotspot[0] = (struct report_hotspot){STALL_BARRIER, 0.75, "s_barrier", 0x1810, "a/src.cl", 9};
    m->r.hotspot[1] = (struct report_hotspot){STALL_DEPENDENCY_VALU, 0.5, "v_add", 0x1804, NULL, 0};
    m->r.has_occupancy = true;
    m->r.occupancy_cus = 2;
    m->r.occupancy = (struct launch_occupancy){2, 5, 10, 24, 8, 32, 512, 21, 25, "lds"};
    make_code(m);
    make_tables(m);
}

static void expect(const char *name, void (*writer)(FILE *f, const void *what), const void *what)
{
    char *text = report_render(writer, what);

    expect_words("tests/unit/report/words", name, words_mask(text, GCNSIM_VERSION));
    free(text);
}

static void report_for_people(void **state)
{
    struct made m;

    (void)state;
    make(&m);
    expect("report", report_write_text, &m.r);
    expect("summary", report_write_sections, &(struct report_sections){&m.r, "summary"});
}

static void report_for_programs(void **state)
{
    struct made m;

    (void)state;
    make(&m);
    thin(&m.r, 4);
    expect("report_json", report_write_json, &m.r);
}

/* A fault in a run of the functional engine, of which little is known. */
static void report_of_a_fault(void **state)
{
    struct made m;

    (void)state;
    make(&m);
    thin(&m.r, 9);
    m.r.run.timing = m.r.has_limiter = m.r.has_occupancy = m.r.has_memory_insts = m.r.has_caches = false;
    m.r.code = NULL;
    m.r.has_insts = false;
    m.r.hotspots = 0;
    m.r.finding_count = 0;
    m.r.check_left_out = "one rule";
    m.r.outcome = ENGINE_FAULT;
    m.r.message = "memory fault";
    m.r.has_fault = true;
    m.r.fault = (struct report_fault){.kind = "memory",
                                      .pc = 0x11804,
                                      .pc_offset = 0x1804,
                                      .instruction = "global_load",
                                      .source = "src.cl:7",
                                      .frame = m.frame,
                                      .frames = 2,
                                      .lane = 11,
                                      .address = 0x7f00,
                                      .bytes = 4,
                                      .write = true,
                                      .workgroup = {7, 8, 9},
                                      .wave = 1,
                                      .nearest = "behind a buffer",
                                      .message = "no such page"};
    expect("fault", report_write_text, &m.r);
    expect("fault_summary", report_write_sections, &(struct report_sections){&m.r, "summary"});
    expect("fault_json", report_write_json, &m.r);
}

static void estimate_text(FILE *f, const void *report)
{
    report_estimate_text(f, report);
}

static void estimate_csv(FILE *f, const void *report)
{
    report_estimate_csv(f, report);
}

static void estimates(void **state)
{
    struct made m;

    (void)state;
    make(&m);
    m.r.has_insts = m.r.has_memory_insts = m.r.has_check = m.r.has_caches = m.r.has_occupancy = false;
    m.r.code = NULL;
    thin(&m.r, 9);
    m.r.has_estimate = true;
    m.r.estimate = (struct engine_estimate){.kind = ENGINE_ESTIMATE_MADE,
                                            .note = "phases differ",
                                            .detailed_workgroups = 10,
                                            .functional_workgroups = 30,
                                            .skipped_workgroups = 50,
                                            .resident_workgroups = 8,
                                            .stretches = 4,
                                            .windows = 6,
                                            .cycles = 12345,
                                            .low = 12000,
                                            .high = 13000,
                                            .scale = 2.25};
    expect("estimate", report_write_sections, &(struct report_sections){&m.r, "summary"});
    expect("estimate_json", report_write_json, &m.r);
    m.r.estimate.skipped_workgroups = 0;
    m.r.estimate.unsafe = true;
    expect("estimate_unsafe", estimate_text, &m.r);
    expect("estimate_csv", estimate_csv, &m.r);
}

static void code_in_a_page(FILE *f, const void *report)
{
    struct json_put j = {.f = f};

    html_code(&j, report, false);
}

static void sources_in_a_page(FILE *f, const void *report)
{
    struct json_put j = {.f = f};

    html_code(&j, report, true);
}

static void code_for_people(void **state)
{
    bool no_memory = false;
    struct made m;

    (void)state;
    make(&m);
    expect("code", report_write_annotated,
           &(struct report_annotate){.r = &m.r, .no_sources = true, .no_memory = &no_memory});
    m.stat[5][STAT_INST_STALL + STALL_ISSUED] = 100000; /* which is no stall */
    expect("code_by_stall", report_write_annotated,
           &(struct report_annotate){
               .r = &m.r, .no_sources = true, .no_memory = &no_memory, .sort = REPORT_SORT_STALL, .top = 3});
    expect("code_by_latency", report_write_annotated,
           &(struct report_annotate){.r = &m.r,
                                     .no_sources = true,
                                     .no_memory = &no_memory,
                                     .sort = REPORT_SORT_LATENCY,
                                     .top = 2,
                                     .function = "main"});
    expect("code_html", code_in_a_page, &m.r);
    expect("code_csv", report_write_instructions_csv, &(struct report_instructions_csv){.r = &m.r, .code_object = 4});
}

/* What the page of a launch says of the chip: figures each another, one cache that is not there. */
static void chip_in_a_page(void **state)
{
    struct made m;
    struct report_html_launch launch = {&m.r, "one"};
    struct report_html html = {.launch = &launch, .launches = 1};

    (void)state;
    make(&m);
    m.r.has_chip = true;
    m.r.chip.wave_size = 32;
    m.r.chip.vgprs_per_simd = 1024;
    snprintf(m.r.chip.name, sizeof m.r.chip.name, "a chip");
    m.r.chip.gpu.shader_clock_mhz = 1700;
    m.r.chip.gpu.shader_engines = 6;
    m.r.chip.gpu.cus = 60;
    m.r.chip.gpu.xcds = 3;
    m.r.chip.gpu.cus_per_wgp = 2;
    m.r.chip.cu.simds = 4;
    m.r.chip.cu.wave_slots_per_simd = 10;
    m.r.chip.cu.sgprs_per_simd = 800;
    m.r.chip.cu.lds_bytes = 65536;
    m.r.chip.cu.lds_per_wgp = true;
    m.r.chip.cu.lds_bytes_per_cycle = 128;
    m.r.chip.cu.simds_per_lds_port = 2;
    m.r.chip.dram.latency_cycles = 900;
    m.r.chip.dram.bytes_per_cycle = 512.5;
    for (unsigned k = 0; k < OPC_COUNT; k++) {
        m.r.chip.cls[k].issue_cycles_w32 = k == OPC_FMA32 ? 1 : 2;
        m.r.chip.cls[k].issue_cycles_w64 = 8;
    }
    for (unsigned k = 0; k < LEVEL_COUNT; k++) {
        struct profile_cache *c = &m.r.chip.cache[k];

        c->present = k != LEVEL_GL1;
        c->size_bytes = 1024 * (k + 1);
        c->line_bytes = 64 + k;
        c->ways = 4 + k;
        c->hit_latency_cycles = 100 + k;
        c->mshrs = 7 + k;
    }
    char *page = report_render(report_write_html, &html), *begin = page ? strstr(page, "\"chip\":") : NULL,
         *end = begin ? strstr(begin, "\"code\":") : NULL;
    assert_non_null(end);
    *end = 0;
    expect_words("tests/unit/report/words", "chip", begin);
    free(page);
}

/* Lines of source, of a file that is there and of one that is not. */
static void code_with_sources(void **state)
{
    static const char source[] = "tests/unit/report/words/source.cl";
    struct report_sum sum = {.launches = 3,
                             .early = 2,
                             .longest = 1234,
                             .limit = "two thirds of the time go to a level of memory that is far away from the "
                                      "compute units, and the rest of it to waits"};
    bool no_memory = false;
    struct made m;

    (void)state;
    make(&m);
    for (unsigned k = 0; k < INSTS - 1; k++) /* a fourth reason, so that one is neither the largest nor `issued` */
        m.stat[k][STAT_INST_STALL + STALL_FETCH] = 30 * k;
    m.frame[0].file = m.frame[1].file = source;
    m.frame[1].line = 1;
    m.stat[3][STAT_INST_STALL + STALL_FETCH] = 23456789;
    m.stat[3][STAT_INST_STALL + STALL_BARRIER] = 34567890;
    m.loop[0].file = source;
    expect("code_sources", report_write_annotated, &(struct report_annotate){.r = &m.r, .no_memory = &no_memory});
    expect("code_html_sources", sources_in_a_page, &m.r);
    m.r.outcome = ENGINE_LIMIT;
    m.r.message = "a limit";
    m.r.profile = NULL;
    expect("code_of_a_sum", report_write_annotated,
           &(struct report_annotate){
               .r = &m.r, .sum = &sum, .no_memory = &no_memory, .sort = REPORT_SORT_EXECUTED, .top = 4});
    assert_false(no_memory);
}

static struct report_snapshot_row *snapshot_rows(void)
{
    static uint32_t missing[] = {4, 6};
    static struct report_snapshot_row row[] = {
        {.waves = 12,
         .workgroups = 3,
         .pc = 0x11810,
         .pc_offset = 0x1810,
         .instruction = "s_waitcnt vmcnt(0)",
         .source = "src.cl:7",
         .reason = "wait_vmcnt",
         .since = 2000,
         .waits_for = "vmcnt to be 0",
         .workgroup = {1, 2, 3},
         .wave = 5,
         .counter = "vmcnt",
         .counter_value = 8,
         .counter_bound = 2,
         .oldest_pc = 0x11808,
         .oldest_offset = 0x1808,
         .oldest_instruction = "global_load",
         .oldest_accesses = 16,
         .oldest_queued = 9,
         .oldest_level = "dram"},
        {.waves = 1,
         .workgroups = 1,
         .pc = 0x11814,
         .pc_offset = UINT64_MAX,
         .instruction = "s_barrier",
         .reason = "barrier",
         .since = 1500,
         .waits_for = "2 waves",
         .workgroup = {9, 0, 1},
         .oldest_pc = UINT64_MAX,
         .oldest_offset = UINT64_MAX,
         .has_barrier = true,
         .barrier = 1,
         .arrived = 5,
         .members = 8,
         .ended = 1,
         .missing = missing,
         .missing_count = 2},
        {.waves = 2,
         .workgroups = 2,
         .pc = 0x11818,
         .pc_offset = 0x1818,
         .instruction = "s_cbranch",
         .reason = "none",
         .since = 1600,
         .waits_for = "",
         .wave = 7,
         .oldest_pc = UINT64_MAX,
         .oldest_offset = UINT64_MAX,
         .has_memory = true,
         .address = 0x7f10,
         .value = 77,
         .bytes = 4},
    };

    return row;
}

static void snapshot_json(FILE *f, const void *snapshot)
{
    struct json_put j = {.f = f};

    report_snapshot_json(&j, snapshot);
}

static void snapshots(void **state)
{
    struct report_snapshot s = {.timing = true,
                                .cycle = 4000,
                                .instructions = 999,
                                .groups = 40,
                                .groups_done = 30,
                                .groups_resident = 6,
                                .groups_waiting = 4,
                                .waves_resident = 15,
                                .row = snapshot_rows(),
                                .rows = 3};

    (void)state;
    expect("snapshot", report_write_snapshot, &s);
    expect("snapshot_json", snapshot_json, &s);
    s.timing = false;
    s.row[1].ended = 2;
    expect("snapshot_functional", report_write_snapshot, &s);
    expect("snapshot_functional_json", snapshot_json, &s);
}

static void fidelity_for_people(FILE *f, const void *fidelity)
{
    fidelity_text(f, fidelity, "code");
    fputs("\n\n", f);
    fidelity_summary(f, fidelity);
    fputs("\n\n", f);
    fidelity_first_lines(f, fidelity);
}

/* Entries and figures that are sorted first: the least sure, the most often, then by name and class; more of both than
 * a summary names. */
static void fidelity_of_code(void **state)
{
    struct fidelity_entry entry[] = {
        {.mnemonic = "v_b", .cls = 2, .semantics = FIDELITY_APPROXIMATE, .timing = 1, .ulp = 1, .count = 30},
        {.mnemonic = "v_b", .cls = 1, .semantics = FIDELITY_APPROXIMATE, .timing = 1, .ulp = 1, .count = 30},
        {.mnemonic = "v_a", .cls = 1, .semantics = FIDELITY_APPROXIMATE, .timing = 1, .ulp = 1, .count = 30},
        {.mnemonic = "v_c", .cls = 1, .semantics = FIDELITY_APPROXIMATE, .timing = 1, .ulp = 1, .count = 40},
        {.mnemonic = "v_d", .cls = 1, .semantics = FIDELITY_APPROXIMATE, .timing = 1, .ulp = 1, .count = 10},
        {.mnemonic = "v_e", .cls = 1, .semantics = FIDELITY_APPROXIMATE, .timing = 2, .ulp = 3, .count = 60},
        {.mnemonic = "s_f", .cls = 3, .semantics = FIDELITY_EXACT, .timing = FIDELITY_NO_FIGURE, .count = 50},
        {.mnemonic = "s_g", .cls = 3, .semantics = FIDELITY_EXACT, .timing = 0, .count = 70, .measured = true},
    };
    struct fidelity_figure figure[] = {
        {"class.a", 1, 50}, {"class.b", 3, 0.01}, {"class.c", 3, 90}, {"class.d", 3, 70},
        {"class.e", 3, 60}, {"class.f", 3, 20},   {"class.g", 0, 10},
    };
    struct fidelity f = {.profile_name = "mine",
                         .entry = entry,
                         .count = sizeof entry / sizeof *entry,
                         .total = 320,
                         .undecodable = 2,
                         .of_semantics = {[FIDELITY_APPROXIMATE] = 200, [FIDELITY_EXACT] = 118},
                         .of_timing = {70, 140, 58, [FIDELITY_NO_FIGURE] = 52},
                         .exact_measured = 70,
                         .called = 1,
                         .unresolved = 3,
                         .cycles = 300.01,
                         .cycles_of = {10, 50, 0, 240},
                         .figure = figure,
                         .figures = sizeof figure / sizeof *figure};

    (void)state;
    fidelity_sort(&f);
    assert_string_equal(entry[3].mnemonic, "v_b");
    assert_int_equal(entry[3].cls, 1);
    assert_int_equal(entry[4].cls, 2);
    expect("fidelity", fidelity_for_people, &f);
    f.of_run = true;
    f.unnamed = 5;
    f.unnamed_exact = 7;
    expect("fidelity_of_a_run", fidelity_for_people, &f);
}

/* The steady launch of each place is the one with the median of the cycles; those of the warm-up do not count. */
static void sequences(void **state)
{
    static const double cycles[] = {9000, 700, 500, 300, 600, 100, 400, 200};
    struct report_sequence_item item[8];
    struct report_sequence s = {.warmup_rounds = 1, .rounds = 3, .item = item, .count = 8};
    struct made m;

    (void)state;
    make(&m);
    m.r.has_insts = m.r.has_memory_insts = m.r.has_check = m.r.has_caches = m.r.has_occupancy = m.r.has_limiter = false;
    m.r.code = NULL;
    thin(&m.r, 30);
    for (unsigned k = 0; k < 8; k++)
        item[k] = (struct report_sequence_item){.row = {ENGINE_DONE, k % 2 ? "second" : "first", cycles[k], 1.5 * k,
                                                        2.5 * k, k == 3 ? -1 : 10.0 * k, 1000.0 * k},
                                                .report = &m.r,
                                                .name = k % 2 ? NULL : "named",
                                                .launch = k % 2,
                                                .round = k / 2,
                                                .warmup = k < 2};
    assert_int_equal(report_sequence_steady(&s, 0), 2);
    assert_int_equal(report_sequence_steady(&s, 1), 7);
    assert_int_equal(report_sequence_steady(&s, 2), REPORT_NO_ITEM);
    expect("sequence_csv", report_write_sequence_csv, &s);
    s.sections = "summary";
    expect("sequence", report_write_sequence_text, &s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(report_for_people), cmocka_unit_test(report_for_programs), cmocka_unit_test(report_of_a_fault),
        cmocka_unit_test(estimates),         cmocka_unit_test(code_for_people),     cmocka_unit_test(chip_in_a_page),
        cmocka_unit_test(code_with_sources), cmocka_unit_test(snapshots),           cmocka_unit_test(fidelity_of_code),
        cmocka_unit_test(sequences),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
