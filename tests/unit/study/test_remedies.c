/* Remedies (sim/study/remedies.h): what rules say of counts that are made up here, and from which count on they say it.
 * tests/system/test_explain.c has kernels with each of these faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/study/remedies.h"

enum { MOST = 24, PC = 0x1000 };

/* A launch of instructions of four bytes. */
struct bench {
    struct explaining x;
    struct gcnsim_explanation out;
    struct gcnsim *sim;
    struct trial_instruction inst[MOST];
    uint64_t value[MOST][STAT_INST_ALL];
    double stat[STATS];
};

static void begin_on(struct bench *b, const char *profile, size_t instructions)
{
    struct gcnsim_error error = {0};

    memset(b, 0, sizeof *b);
    assert_int_equal(gcnsim_open(&b->sim, profile, &error), GCNSIM_OK);
    arena_init(&b->x.arena, 0);
    b->x.out = &b->out;
    b->x.sim = b->sim;
    b->x.cause_trial = calloc(cause_count, sizeof *b->x.cause_trial);
    assert_non_null(b->x.cause_trial);
    b->out.cycles = b->stat[STAT_CYCLES] = 1000;
    b->x.base = (struct trial){.stat = b->stat,
                               .stats = STATS,
                               .instruction = b->inst,
                               .instructions = instructions,
                               .values = b->value[0],
                               .value_count = MOST * STAT_INST_ALL};
    for (size_t k = 0; k < instructions; k++) {
        struct trial_instruction *i = &b->inst[k];

        *i = (struct trial_instruction){.pc = PC + 4 * k, .pc_offset = 4 * k, .first = k * STAT_INST_ALL};
        memset(i->has, 0xff, sizeof i->has);
        snprintf(i->text, sizeof i->text, "i%zu", k);
    }
}

static void begin(struct bench *b, size_t instructions)
{
    begin_on(b, "gfx90a", instructions);
}

static void end(struct bench *b)
{
    for (size_t k = 0; k < b->x.rules; k++)
        free(b->x.rule[k].place);
    free(b->x.rule);
    free(b->x.cause_trial);
    arena_free(&b->x.arena);
    gcnsim_close(b->sim);
}

static void count(struct bench *b, size_t instruction, const char *column, uint64_t value)
{
    b->value[instruction][trial_column(column)] = value;
}

static void figure(struct bench *b, const char *path, const char *value)
{
    struct gcnsim_error error = {0};

    assert_int_equal(gcnsim_set(b->sim, path, value, &error), GCNSIM_OK);
}

/* The rule of a remedy, of all that are found now; null: it has none. */
static const struct rule *rule_of(struct bench *b, const char *key)
{
    const struct rule *found = NULL;

    for (size_t k = 0; k < b->x.rules; k++)
        free(b->x.rule[k].place);
    b->x.rules = 0;
    explain_remedies(&b->x);
    assert_false(b->x.no_memory);
    for (size_t k = 0; k < b->x.rules; k++)
        if (strcmp(b->x.rule[k].key, key) == 0) {
            assert_null(found);
            found = &b->x.rule[k];
        }
    return found;
}

static void expect(struct bench *b, const char *key, const char *text, const char *remedy, const char *sets)
{
    const struct rule *r = rule_of(b, key);
    char all[256] = "";

    assert_non_null(r);
    for (size_t k = 0; k < r->set_count; k++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k ? " " : "", r->sets[k]);
    assert_string_equal(r->text, text);
    assert_string_equal(r->remedy, remedy);
    assert_string_equal(all, sets);
}

/* ---- memory ---- */

/* Rows of 64 dwords on 32 banks put all lanes of a phase on one bank, rows of 24 dwords, which reach four of them, a
 * fourth of the lanes. */
static void rows_of_lds(void **state)
{
    static struct bench b;

    (void)state;
    begin(&b, 2);
    figure(&b, "cu.lds_banks", "32");
    figure(&b, "lds.read_b32_lanes", "16");
    count(&b, 1, "bank_conflict_cycles", 500);
    count(&b, 1, "strided", 10);
    count(&b, 1, "stride_max_bytes", 256);
    expect(&b, "lds-row-stride", "row stride of 64 dwords puts 16 lanes on one bank: i1 at 0x4", "stride 65",
           "ideal.lds_row_bytes=256 ideal.lds_row_pad_bytes=4");
    count(&b, 1, "stride_max_bytes", 96);
    expect(&b, "lds-row-stride", "row stride of 24 dwords puts 4 lanes on one bank: i1 at 0x4", "stride 25",
           "ideal.lds_row_bytes=96 ideal.lds_row_pad_bytes=4");
    b.inst[1].facts.element_bytes = 8;
    expect(&b, "lds-row-stride", "row stride of 24 dwords puts 4 lanes on one bank: i1 at 0x4", "stride 26",
           "ideal.lds_row_bytes=96 ideal.lds_row_pad_bytes=8");
    count(&b, 1, "bank_conflict_cycles", 0);
    assert_null(rule_of(&b, "lds-row-stride"));
    end(&b);
}

/* More than twice the lines that would hold the data, and more than two an access. */
static void scattered_lanes(void **state)
{
    static struct bench b;

    (void)state;
    begin(&b, 1);
    b.inst[0].facts.vector_memory = true;
    count(&b, 0, "count", 10);
    count(&b, 0, "bytes", 10 * 256); /* four lines of 64 bytes each */
    count(&b, 0, "lines", 80);
    assert_null(rule_of(&b, "uncoalesced"));
    count(&b, 0, "lines", 81);
    expect(&b, "uncoalesced", "scattered lanes ask for 8.1 lines where 4 would hold the data: i0 at 0x0",
           "neighbouring lanes on neighbouring data (transposed)", "ideal.full_lines=true");
    count(&b, 0, "strided", 10);
    count(&b, 0, "stride_max_bytes", 12);
    expect(&b, "uncoalesced", "lanes 12 bytes apart ask for 8 lines where 4 would hold the data: i0 at 0x0",
           "neighbouring lanes on neighbouring data (transposed)", "ideal.full_lines=true");
    count(&b, 0, "bytes", 10 * 4); /* two lines of an access of few bytes are no waste */
    count(&b, 0, "lines", 20);
    assert_null(rule_of(&b, "uncoalesced"));
    count(&b, 0, "lines", 21);
    assert_non_null(rule_of(&b, "uncoalesced"));
    b.inst[0].facts.vector_memory = false;
    assert_null(rule_of(&b, "uncoalesced"));
    end(&b);
}

static void load(struct bench *b, size_t k, uint32_t access, int32_t offset, uint8_t bytes)
{
    b->inst[k].facts = (struct inst_facts){.vector_memory = true,
                                           .vector_load = true,
                                           .counts_loads = true,
                                           .access = access,
                                           .offset = offset,
                                           .lane_bytes = bytes};
    count(b, k, "executed", 10);
}

/* A run of loads of one dword ends with another address, a distance that is not one dword, another width, or what may
 * change the address; scalar instructions do not end it. */
static void neighbouring_loads(void **state)
{
    static const struct {
        uint32_t access;
        int32_t offset;
        uint8_t bytes;
        bool rule;
    } second[] = {{1, 4, 4, true},  {1, -4, 4, true}, {1, 0, 4, false}, {1, 8, 4, false},
                  {1, 2, 4, false}, {2, 4, 4, false}, {1, 4, 2, false}, {1, 4, 8, false}};
    static struct bench b;

    (void)state;
    for (size_t k = 0; k < sizeof second / sizeof *second; k++) {
        begin(&b, 3);
        load(&b, 0, 1, 0, 4);
        load(&b, 1, second[k].access, second[k].offset, second[k].bytes);
        if (second[k].rule)
            expect(&b, "narrow-loads", "2 loads of one dword from neighbouring dwords, one behind the other: i1 at 0x4",
                   "one load of two or four dwords (float4, aligned to 16 bytes)", "");
        else
            assert_null(rule_of(&b, "narrow-loads"));
        end(&b);
    }
    begin(&b, 4);
    for (size_t k = 0; k < 4; k++)
        load(&b, k, 1, 4 * (int32_t)k, 4);
    expect(&b, "narrow-loads", "4 loads of one dword from neighbouring dwords, one behind the other: i1 at 0x4",
           "one load of two or four dwords (float4, aligned to 16 bytes)", "");
    count(&b, 2, "executed", 9); /* after a branch */
    expect(&b, "narrow-loads", "2 loads of one dword from neighbouring dwords, one behind the other: i1 at 0x4",
           "one load of two or four dwords (float4, aligned to 16 bytes)", "");
    end(&b);
}

/* A vector load all of whose accesses are of one address. */
static void uniform_loads(void **state)
{
    static struct bench b;

    (void)state;
    begin(&b, 1);
    load(&b, 0, 1, 0, 4);
    count(&b, 0, "count", 10);
    count(&b, 0, "uniform", 9);
    assert_null(rule_of(&b, "scalar-load"));
    count(&b, 0, "uniform", 10);
    assert_string_equal(rule_of(&b, "scalar-load")->text,
                        "all lanes load from one address in every execution: i0 at 0x0");
    b.inst[0].facts.vector_load = false;
    assert_null(rule_of(&b, "scalar-load"));
    end(&b);
}

/* ---- loads in flight ---- */

/* The what-if `loads.ahead`, which saves 3 % of the launch, with so many cycles of loads in all in it and in the base
 * run. */
static void loads_ahead(struct bench *b, struct bench *ahead, uint64_t before, uint64_t after)
{
    struct trial *t = (struct trial *)(uintptr_t)explain_cause(&b->x, "loads.ahead");

    b->stat[STAT_RESIDENT_WAVE_CYCLES] = ahead->stat[STAT_RESIDENT_WAVE_CYCLES] = 1000;
    for (size_t k = 0; k < b->x.base.instructions; k++)
        if (b->inst[k].facts.vector_load) {
            count(b, k, "latency_cycles", before);
            count(ahead, k, "latency_cycles", after);
        }
    memcpy(ahead->inst, b->inst, sizeof b->inst);
    *t = ahead->x.base;
    t->outcome = GCNSIM_COMPLETED;
    ahead->stat[STAT_CYCLES] = 969;
}

static void wait(struct bench *b, size_t k, uint8_t left)
{
    b->inst[k].facts = (struct inst_facts){.scalar = true, .waits_for_loads = true, .loads_left = left};
    b->value[k][STAT_INST_STALL + STALL_WAIT + WAIT_VM] = 100;
}

/* Loads are i1 and i3, the wait i5, and i6 goes back to i1. What a wait of so many outstanding loads ends with is
 * counted back from it, and around the loop. Only where a quarter more loads are in flight it is worth a word. */
static void a_wait_and_its_load(void **state)
{
    static struct bench b, ahead;

    (void)state;
    begin(&b, 12);
    begin(&ahead, 12);
    load(&b, 1, 1, 0, 16);
    load(&b, 3, 2, 0, 4);
    wait(&b, 5, 0);
    loads_ahead(&b, &ahead, 1000, 1249); /* of two loads, over 1000 wave-cycles: 2 in flight */
    assert_null(rule_of(&b, "loads-in-flight"));
    loads_ahead(&b, &ahead, 1000, 1250);
    expect(&b, "loads-in-flight",
           "a wave has 2.0 vector loads in flight on average: i5 at 0x14 waits at once for the load of i3 at 0xc",
           "to issue up to 7 more of them before the first wait", "ideal.loads_ahead=7");
    wait(&b, 5, 1);
    assert_string_equal(
        rule_of(&b, "loads-in-flight")->text,
        "a wave has 2.0 vector loads in flight on average: i5 at 0x14 waits at once for the load of i1 at 0x4");
    wait(&b, 5, 2); /* there is no third one */
    assert_null(rule_of(&b, "loads-in-flight"));
    b.inst[6].facts.target = PC + 4;
    expect(&b, "loads-in-flight",
           "a wave has 2.0 vector loads in flight on average: i5 at 0x14 waits at once for the load of i3 at 0xc",
           "to have 7 more of them in flight (unroll the loop by 8, or load ahead, into 7 more VGPRs)",
           "ideal.loads_ahead=7");
    wait(&b, 5, 3);
    assert_string_equal(rule_of(&b, "loads-in-flight")->remedy,
                        "to have 7 more of them in flight (unroll the loop by 8, or load ahead, into 28 more VGPRs)");
    wait(&b, 5, 4); /* twice around */
    assert_null(rule_of(&b, "loads-in-flight"));
    end(&b);
    end(&ahead);
}

/* The same in a kernel that is little more than its loop: what is counted back are more instructions than it has. */
static void a_loop_that_is_the_kernel(void **state)
{
    static struct bench b, ahead;

    (void)state;
    begin(&b, 7);
    begin(&ahead, 7);
    load(&b, 1, 1, 0, 4);
    load(&b, 3, 2, 0, 4);
    wait(&b, 5, 2);
    b.inst[6].facts.target = PC + 4;
    loads_ahead(&b, &ahead, 1000, 2000);
    assert_non_null(rule_of(&b, "loads-in-flight"));
    assert_string_equal(
        rule_of(&b, "loads-in-flight")->text,
        "a wave has 2.0 vector loads in flight on average: i5 at 0x14 waits at once for the load of i3 at 0xc");
    end(&b);
    end(&ahead);
}

/* The innermost of the loops around a wait counts: the load before the inner loop is not in it. */
static void a_wait_in_two_loops(void **state)
{
    static struct bench b, ahead;

    (void)state;
    begin(&b, 8);
    begin(&ahead, 8);
    load(&b, 1, 1, 0, 4);
    load(&b, 3, 2, 0, 4);
    wait(&b, 5, 1);
    b.inst[6].facts.target = PC + 4 * 3; /* i3 to i6 */
    b.inst[7].facts.target = PC;         /* i0 to i7 */
    loads_ahead(&b, &ahead, 1000, 2000);
    assert_string_equal(
        rule_of(&b, "loads-in-flight")->text,
        "a wave has 2.0 vector loads in flight on average: i5 at 0x14 waits at once for the load of i3 at 0xc");
    assert_string_equal(rule_of(&b, "loads-in-flight")->remedy,
                        "to have 7 more of them in flight (unroll the loop by 8, or load ahead, into 7 more VGPRs)");
    end(&b);
    end(&ahead);
}

/* ---- waves ---- */

static void registers_of_one_wave_more(void **state)
{
    static struct bench b;

    (void)state;
    begin(&b, 0);
    b.x.base.has_occupancy = true;
    strcpy(b.x.base.limiter, "vgprs");
    b.x.base.occupancy.vgprs_allocated = 136; /* 512 for a SIMD, in steps of 8 */
    b.x.base.occupancy.waves_per_simd = 3;
    expect(&b, "vgpr-step", "136 VGPRs allocated let in 3 waves of each SIMD",
           "128 or fewer (__launch_bounds__, less unrolling) let in 4, if the code stays as it is,",
           "cu.vgprs_per_simd_w64=544");
    strcpy(b.x.base.limiter, "lds");
    assert_null(rule_of(&b, "vgpr-step"));
    end(&b);
}

/* Where waves of both sizes run, each size has the file to itself: so many waves of 32 lanes take half of what as many
 * of 64 do, and which they are is seen from the work-items of a workgroup and its waves. */
static void registers_of_waves_of_both_sizes(void **state)
{
    static const struct {
        uint32_t items, waves, allocated, per_simd;
        const char *text, *remedy;
    } v[] = {
        {64, 2, 144, 7, "144 VGPRs allocated let in 7 waves of each SIMD", "128 or fewer"},
        {33, 2, 144, 7, "144 VGPRs allocated let in 7 waves of each SIMD", "128 or fewer"},
        {128, 2, 72, 7, "72 VGPRs allocated let in 7 waves of each SIMD", "64 or fewer"},
        {65, 2, 72, 7, "72 VGPRs allocated let in 7 waves of each SIMD", "64 or fewer"},
        {1024, 32, 576, 1, "576 VGPRs allocated let in 1 wave of each SIMD", "512 or fewer"},
    };
    static struct bench b;

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        begin_on(&b, "gfx1102-rx7600", 0); /* 1024 registers of 32 lanes, in steps of 16 */
        b.x.base.has_occupancy = true;
        strcpy(b.x.base.limiter, "vgprs");
        b.x.base.workgroups = b.x.base.waves = 1000;
        memcpy(b.x.base.workgroup, (uint32_t[3]){v[k].items, 1, 1}, sizeof b.x.base.workgroup);
        b.x.base.occupancy.waves_per_workgroup = v[k].waves;
        b.x.base.occupancy.vgprs_allocated = v[k].allocated;
        b.x.base.occupancy.waves_per_simd = v[k].per_simd;
        char remedy[200];
        snprintf(remedy, sizeof remedy, "%s (__launch_bounds__, less unrolling) let in %u, if the code stays as it is,",
                 v[k].remedy, v[k].per_simd + 1);
        expect(&b, "vgpr-step", v[k].text, remedy, "cu.vgprs_per_simd_w32=1152 cu.vgprs_per_simd_w64=576");
        end(&b);
    }
}

static void lds_of_one_workgroup_more(void **state)
{
    static struct bench b;

    (void)state;
    begin(&b, 0);
    b.x.base.has_occupancy = true;
    strcpy(b.x.base.limiter, "lds");
    b.x.base.occupancy.lds_bytes_allocated = 25088; /* of 65536, in steps of 512 */
    b.x.base.occupancy.workgroups_per_cu = 2;
    expect(&b, "lds-step", "25088 bytes of LDS let in 2 workgroups",
           "21504 bytes or fewer let in 3, if the code stays as it is,", "cu.lds_bytes=75264");
    strcpy(b.x.base.limiter, "vgprs");
    assert_null(rule_of(&b, "lds-step"));
    end(&b);
}

/* A what-if that leaves so many of the launch's 1000 cycles. */
static struct trial *leaves(struct bench *b, struct bench *other, const char *cause, double cycles)
{
    struct trial *t = (struct trial *)(uintptr_t)explain_cause(&b->x, cause);

    *t = other->x.base;
    t->outcome = GCNSIM_COMPLETED;
    other->stat[STAT_CYCLES] = cycles;
    return t;
}

/* What is looked for where a what-if saves enough alone: the instructions that waited most for its reasons come first,
 * what others waited for does not count, and what the remedy gives is at most what some what-ifs save. */
static void where_a_whatif_saves(void **state)
{
    static const struct {
        const char *key, *cause, *text, *sets;
        double most, too_much; /* cycles that it leaves */
        size_t first, second;
        bool bounded;
    } v[] = {
        {"early-waits", "waits.exact", "waits end for more than what is needed next, most of all at i1 at 0x4",
         "ideal.exact_waits=true", 995, 996, 1, 0, false},
        {"dependency-chain", "dependencies", "instructions wait for the one before them, most of all at i3 at 0xc", "",
         970, 971, 3, 2, true},
    };
    static struct bench b, other;

    (void)state;
    begin(&b, 5);
    begin(&other, 5);
    count(&b, 0, "cycles.wait_lgkmcnt", 100);
    count(&b, 1, "cycles.wait_vmcnt", 150);
    count(&b, 2, "cycles.dependency_valu", 200);
    count(&b, 3, "cycles.dependency_valu", 150);
    count(&b, 3, "cycles.dependency_trans", 60);
    count(&b, 4, "cycles.barrier", 1000);
    count(&b, 4, "cycles.fetch", 1000);
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        struct trial *t = leaves(&b, &other, v[k].cause, v[k].too_much);

        assert_null(rule_of(&b, v[k].key));
        leaves(&b, &other, v[k].cause, v[k].most);
        const struct rule *r = rule_of(&b, v[k].key);
        assert_non_null(r);
        assert_string_equal(r->text, v[k].text);
        assert_int_equal(r->places, 2);
        assert_true(r->place[0] == v[k].first && r->place[1] == v[k].second);
        assert_int_equal(r->set_count, *v[k].sets != 0);
        if (*v[k].sets)
            assert_string_equal(r->sets[0], v[k].sets);
        assert_true(v[k].bounded ? r->limit_of && strcmp(r->limit_of, v[k].cause) == 0 : !r->limit_of);
        t->outcome = GCNSIM_LIMIT; /* it did not run to its end: what it saves is not known */
        assert_null(rule_of(&b, v[k].key));
        *t = (struct trial){0};
    }
    end(&b);
    end(&other);
}

/* Code from its first instruction to the end of the last, against the size of the I$. */
static void code_that_does_not_fit(void **state)
{
    static struct bench b, other;

    (void)state;
    begin(&b, 2);
    begin(&other, 2);
    leaves(&b, &other, "capacity.i", 995);
    b.inst[1].pc = PC + 32768 - 4;
    assert_null(rule_of(&b, "code-size"));
    b.inst[1].pc = PC + 32768;
    expect(&b, "code-size", "32772 bytes of code run through an instruction cache of 32768",
           "loops that fit into it (less unrolling, fewer copies of inlined functions)", "");
    leaves(&b, &other, "capacity.i", 996);
    assert_null(rule_of(&b, "code-size"));
    b.x.base.instructions = 0; /* nothing is known of any */
    leaves(&b, &other, "capacity.i", 900);
    assert_null(rule_of(&b, "code-size"));
    leaves(&b, &other, "channels", 991);
    assert_null(rule_of(&b, "channels"));
    leaves(&b, &other, "channels", 990);
    expect(&b, "channels", "accesses of a power-of-two distance meet in few channels of L2 or memory",
           "rows with some bytes more between them, which spread over all channels", "");
    end(&b);
    end(&other);
}

/* Among more instructions than are kept, the heaviest are, the heaviest first; of equals the first one is. */
static void the_heaviest(void **state)
{
    enum { ALL = 3 * RULE_CHOSEN };
    struct rule_chosen c = {.count = 0};

    (void)state;
    for (size_t k = 0; k < ALL; k++)
        rule_choose(&c, k, (double)(k * 7 % ALL)); /* each weight once */
    assert_int_equal(c.count, RULE_CHOSEN);
    for (size_t k = 0; k < RULE_CHOSEN; k++)
        assert_true(c.weight[k] == (double)(ALL - 1 - k) && c.at[k] * 7 % ALL == ALL - 1 - k);
    c.count = 0;
    for (size_t k = 0; k < ALL; k++)
        rule_choose(&c, k, 1);
    for (size_t k = 0; k < RULE_CHOSEN; k++)
        assert_int_equal(c.at[k], k);
}

/* On 104 CUs with two workgroups each, 208 at a time: a last round of less than half of that, of two to eight. */
static void rounds_of_workgroups(void **state)
{
    static const struct {
        uint64_t workgroups;
        const char *text;
    } v[] = {{208, NULL},
             {209, "209 workgroups run in 2 rounds of up to 208, the last of 1"},
             {311, "311 workgroups run in 2 rounds of up to 208, the last of 103"},
             {312, NULL},
             {8 * 208, NULL},
             {7 * 208 + 103, "1559 workgroups run in 8 rounds of up to 208, the last of 103"},
             {8 * 208 + 1, NULL}};
    static struct bench b;

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        begin(&b, 0);
        b.x.base.has_occupancy = true;
        b.x.base.occupancy.workgroups_per_cu = 2;
        b.x.base.occupancy.cus = 1;
        b.x.base.workgroups = v[k].workgroups;
        b.stat[stat_find("cus_used")] = 104;
        const struct rule *r = rule_of(&b, "tail");
        if (v[k].text)
            assert_string_equal(r->text, v[k].text);
        else
            assert_null(r);
        assert_null(rule_of(&b, "small-grid"));
        b.stat[stat_find("cus_used")] = 93; /* 0.9 of 104 are 93.6 */
        assert_null(rule_of(&b, "tail"));
        assert_non_null(rule_of(&b, "small-grid"));
        end(&b);
    }
}

/* Less than half of the lanes on, for a tenth of the issue cycles at least. */
static void lanes_that_are_off(void **state)
{
    static struct bench b;

    (void)state;
    begin(&b, 2);
    count(&b, 0, "cycles.issued", 90);
    count(&b, 0, "executed", 10);
    count(&b, 0, "lanes", 640);
    count(&b, 1, "cycles.issued", 10);
    count(&b, 1, "executed", 10);
    count(&b, 1, "lanes", 320);
    assert_null(rule_of(&b, "divergence"));
    count(&b, 1, "lanes", 319);
    assert_string_equal(rule_of(&b, "divergence")->text,
                        "10 % of the issue cycles have less than half of the lanes on, 31.9 of 64 here: i1 at 0x4");
    count(&b, 0, "cycles.issued", 91);
    assert_null(rule_of(&b, "divergence"));
    end(&b);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_lds),
        cmocka_unit_test(scattered_lanes),
        cmocka_unit_test(a_loop_that_is_the_kernel),
        cmocka_unit_test(neighbouring_loads),
        cmocka_unit_test(uniform_loads),
        cmocka_unit_test(a_wait_and_its_load),
        cmocka_unit_test(a_wait_in_two_loops),
        cmocka_unit_test(registers_of_one_wave_more),
        cmocka_unit_test(registers_of_waves_of_both_sizes),
        cmocka_unit_test(lds_of_one_workgroup_more),
        cmocka_unit_test(where_a_whatif_saves),
        cmocka_unit_test(code_that_does_not_fit),
        cmocka_unit_test(the_heaviest),
        cmocka_unit_test(rounds_of_workgroups),
        cmocka_unit_test(lanes_that_are_off),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
