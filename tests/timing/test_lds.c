/* The LDS unit through the engine, to the cycle, with the figures that chips' profiles have for it. Waves may issue in
 * every cycle here, so that nothing but the LDS decides when the next instruction goes. */
#include "tests/timing/rig.h"

/* gfx90a; v8 = address */
#define DS_WRITE_B32  "ds_write_b32 v8, v1"
#define DS_WRITE_B64  "ds_write_b64 v8, v[2:3]"
#define DS_WRITE_B128 "ds_write_b128 v8, v[4:7]"
#define DS_READ_B32   "ds_read_b32 v14, v8"
#define DS_READ_B64   "ds_read_b64 v[14:15], v8"
#define DS_READ_B128  "ds_read_b128 v[12:15], v8"
#define DS_ADD_U32    "ds_add_u32 v8, v1"
#define SHIFTED(BITS) "v_lshlrev_b32 v8, " #BITS ", v0"
#define ONE_ADDRESS   "v_mov_b32 v8, 0"

enum { IN_A_ROW = 10 }; /* of the same instruction: the queues are full by then */

static const char *const gcn_chips[] = {"gfx803-r9nano", "gfx900-vega64", "gfx906-mi50",
                                        "gfx908-mi100",  "gfx90a-mi210",  "gfx942-mi300x"};
#define GCN_CHIPS (sizeof gcn_chips / sizeof gcn_chips[0])

/* The LDS of a chip in the rig's compute unit. */
static void take_lds(struct rig *r, const char *chip)
{
    struct profile *p;

    if (profile_load(&p, chip, &r->err))
        fail_msg("%s: %s", chip, r->err.text);
    r->profile.lds = p->lds;
    r->profile.cu.lds_banks = p->cu.lds_banks;
    r->profile.cu.lds_bytes_per_cycle = p->cu.lds_bytes_per_cycle;
    r->profile.cu.lds_lanes_per_cycle = p->cu.lds_lanes_per_cycle;
    r->profile.cu.lds_queue_depth = p->cu.lds_queue_depth;
    r->profile.cu.simds_per_lds_port = p->cu.simds_per_lds_port;
    profile_free(p);
    r->profile.cu.issue_policy = ISSUE_EVERY_CYCLE;
    r->profile.issue.wave_issue_interval_cycles = 1;
    r->launch.lds_bytes = 32768;
    r->launch.occupancy.lds_alloc_bytes = 32768;
}

/* Runs with jumps and without: the same cycle for every issue. */
static void run_both(struct rig *r)
{
    static struct rig_event event[RIG_MAX_EVENTS];
    unsigned events;

    r->options.tick_every_cycle = true;
    rig_run(r);
    assert_int_equal(r->status, 0);
    memcpy(event, r->event, sizeof event);
    events = r->events;
    r->options.tick_every_cycle = false;
    rig_run(r);
    assert_int_equal(r->status, 0);
    assert_int_equal(r->events, events);
    for (unsigned k = 0; k < events; k++) {
        assert_int_equal(event[k].at, r->event[k].at);
        assert_int_equal(event[k].pc, r->event[k].pc);
    }
}

/* Cycles between the issues of two of the same, the queues before them being full: what one keeps the port for. */
static cycle_t port_cycles(const char *chip, const char *address, const char *ds, uint64_t *conflicts)
{
    char target[16], text[200];

    snprintf(target, sizeof target, "%.*s", (int)strcspn(chip, "-"), chip);
    snprintf(text, sizeof text, "%s; .rept %d; %s; .endr; s_endpgm", address, IN_A_ROW, ds);
    struct rig *r = rig_text(target, text, 64, 1);
    take_lds(r, chip);
    run_both(r);
    cycle_t gap = rig_at(r, 1 + 2 * (IN_A_ROW - 1)) - rig_at(r, 1 + 2 * (IN_A_ROW - 2));
    *conflicts = r->result.stat[STAT_LDS_BANK_CONFLICT_CYCLES];
    rig_free(r);
    return gap;
}

/* Without conflicts, all 64 lanes: CLRX GcnTimings. */
static void port_is_busy_as_measured(void **state)
{
    static const struct {
        const char *address, *ds;
        uint32_t cycles;
    } row[] = {
        {SHIFTED(2), DS_WRITE_B32, 8},
        {SHIFTED(3), DS_WRITE_B64, 12},
        {SHIFTED(4), "ds_write_b96 v8, v[4:6]", 16},
        {SHIFTED(4), DS_WRITE_B128, 20},
        {SHIFTED(2), DS_READ_B32, 4},
        {SHIFTED(3), DS_READ_B64, 8},
        {SHIFTED(4), "ds_read_b96 v[12:14], v8", 16},
        {SHIFTED(4), DS_READ_B128, 16},
        {SHIFTED(2), "ds_read2_b32 v[14:15], v8 offset1:64", 8},
        {SHIFTED(3), "ds_read2_b64 v[12:15], v8 offset1:64", 16},
        {SHIFTED(2), "ds_write2_b32 v8, v1, v2 offset1:64", 12},
        {SHIFTED(3), "ds_write2_b64 v8, v[2:3], v[4:5] offset1:64", 20},
        {SHIFTED(2), DS_ADD_U32, 8},
        {SHIFTED(3), "ds_add_u64 v8, v[2:3]", 12},
        {SHIFTED(2), "ds_cmpst_b32 v8, v1, v2", 12},
        {SHIFTED(3), "ds_cmpst_b64 v8, v[2:3], v[4:5]", 20},
        {SHIFTED(2), "ds_bpermute_b32 v14, v8, v1", 8},
        {SHIFTED(2), "ds_permute_b32 v14, v8, v1", 8},
        {SHIFTED(2), "ds_swizzle_b32 v14, v1 offset:swizzle(QUAD_PERM,0,1,2,3)", 4},
    };

    (void)state;
    for (size_t c = 0; c < GCN_CHIPS; c++)
        for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
            uint64_t conflicts;
            cycle_t gap = port_cycles(gcn_chips[c], row[k].address, row[k].ds, &conflicts);
            if (gap != row[k].cycles || conflicts)
                fail_msg("%s %s: %llu cycles, %llu of conflicts; expected %u and none", gcn_chips[c], row[k].ds,
                         (unsigned long long)gap, (unsigned long long)conflicts, row[k].cycles);
        }
}

/* The half of the destination that a load keeps is not sent. */
static void halves(void **state)
{
    uint64_t conflicts;

    (void)state;
    assert_int_equal(port_cycles("gfx90a-mi210", SHIFTED(2), "ds_read_u16_d16 v14, v8", &conflicts), 4);
}

/* gfx90a: one lane takes 2 cycles, each further lane on the same bank one more; the first of a phase is no conflict. */
static void lanes_on_one_bank_come_one_by_one(void **state)
{
    (void)state;
    for (unsigned lanes = 1; lanes <= 32; lanes++) {
        char text[200];

        snprintf(text, sizeof text,
                 SHIFTED(7) "; s_mov_b32 exec_lo, %d; s_mov_b32 exec_hi, 0; .rept %d; %s; .endr; s_endpgm",
                 (int)((UINT64_C(1) << lanes) - 1), IN_A_ROW, DS_READ_B32);
        size_t first = assemble("gfx90a", text).words - 2 * IN_A_ROW - 1;
        struct rig *r = rig_text("gfx90a", text, 64, 1);
        take_lds(r, "gfx90a-mi210");
        run_both(r);
        unsigned last = (unsigned)first + 2 * (IN_A_ROW - 1);
        assert_int_equal(rig_at(r, last) - rig_at(r, last - 2), lanes + 1);
        assert_int_equal(r->result.stat[STAT_LDS_BANK_CONFLICT_CYCLES], IN_A_ROW * (lanes - 1));
        assert_int_equal(r->result.stat[STAT_LDS_ACCESSES], IN_A_ROW);
        rig_free(r);
    }
}

/* All 64 lanes on one dword: a read is one broadcast per phase, an atomic goes lane by lane; banks do not conflict. */
static void one_address(void **state)
{
    uint64_t conflicts;

    (void)state;
    assert_int_equal(port_cycles("gfx90a-mi210", ONE_ADDRESS, DS_READ_B32, &conflicts), 4); /* the path outwards */
    assert_int_equal(conflicts, 0);
    assert_int_equal(port_cycles("gfx90a-mi210", ONE_ADDRESS, DS_WRITE_B32, &conflicts), 8);
    assert_int_equal(conflicts, 0);
    assert_int_equal(port_cycles("gfx90a-mi210", ONE_ADDRESS, DS_ADD_U32, &conflicts), 64);
    assert_int_equal(conflicts, 0);
    assert_int_equal(port_cycles("gfx90a-mi210", SHIFTED(7), DS_ADD_U32, &conflicts), 64);
    assert_int_equal(conflicts, IN_A_ROW * 62);
}

/* What the report says of each instruction and of the run: 32 lanes of either half of the wave come one by one; in the
 * second half of the test they name 32 dwords of one bank, so that the very same cycles are the bank's. */
static void conflicts_are_counted_apart(void **state)
{
    for (unsigned spread = 0; spread < 2; spread++) {
        const char *text = spread ? SHIFTED(7) "; " DS_ADD_U32 "; " DS_ADD_U32 "; " DS_READ_B32 "; s_endpgm"
                                  : ONE_ADDRESS "; " DS_ADD_U32 "; " DS_ADD_U32 "; " DS_READ_B32 "; s_endpgm";
        struct rig *r = rig_text("gfx90a", text, 64, 1);
        const struct engine_memory_inst *i = r->result.memory_inst;

        (void)state;
        take_lds(r, "gfx90a-mi210");
        run_both(r);
        assert_int_equal(r->result.stat[STAT_LDS_ADDRESS_CONFLICT_CYCLES], spread ? 0 : 2 * 62);
        assert_int_equal(r->result.stat[STAT_LDS_BANK_CONFLICT_CYCLES], spread ? 3 * 62 : 0);
        assert_int_equal(r->result.memory_inst_count, 3);
        for (unsigned k = 0; k < 3; k++) {
            assert_int_equal(i[k].stat[STAT_INST_LDS_COUNT], 1);
            assert_int_equal(i[k].stat[STAT_INST_ADDRESS_CONFLICT_CYCLES], spread || k == 2 ? 0 : 62);
            assert_int_equal(i[k].stat[STAT_INST_BANK_CONFLICT_CYCLES], spread ? 62 : 0);
        }
        rig_free(r);
    }
}

/* From the issue to the wait, which issues when it is over. */
static void latency_of(const char *chip, const char *text, uint32_t lanes, unsigned ds, unsigned wait, cycle_t cycles)
{
    char target[16];
    struct rig *r;

    snprintf(target, sizeof target, "%.*s", (int)strcspn(chip, "-"), chip);
    r = rig_text(target, text, lanes, 1);
    take_lds(r, chip);
    run_both(r);
    if (rig_at(r, wait) - rig_at(r, ds) != cycles)
        fail_msg("%s, %s: %llu cycles, expected %llu", chip, text,
                 (unsigned long long)(rig_at(r, wait) - rig_at(r, ds)), (unsigned long long)cycles);
    rig_free(r);
}

/* One lane, gfx942 (gcnasm ubench). */
static void cdna_latency(void **state)
{
    static const struct {
        const char *ds;
        uint32_t cycles;
    } row[] = {{DS_READ_B32, 32},  {DS_READ_B64, 44},  {DS_READ_B128, 48},
               {DS_WRITE_B32, 39}, {DS_WRITE_B64, 48}, {DS_WRITE_B128, 60}};

    (void)state;
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
        char text[200];

        snprintf(text, sizeof text, ONE_ADDRESS "; s_mov_b64 exec, 1; %s; s_waitcnt lgkmcnt(0); s_nop 0; s_endpgm",
                 row[k].ds);
        latency_of("gfx942-mi300x", text, 64, 2, 4, row[k].cycles);
    }
}

/* Thread traces of gfx1100, gfx1200 and gfx1201. */
static void rdna_latency(void **state)
{
    static const char *const chips[] = {"gfx1100-rx7900xtx", "gfx1200-rx9060xt", "gfx1201-rx9070xt"};
    static const struct {
        const char *ds;
        uint32_t cycles;
    } row[] = {{"ds_load_b32 v14, v8", 32},
               {"ds_load_b128 v[12:15], v8", 37},
               {"ds_store_b32 v8, v1", 33},
               {"ds_store_b64 v8, v[2:3]", 34},
               {"ds_store_b128 v8, v[4:7]", 36}};

    (void)state;
    for (size_t c = 0; c < sizeof chips / sizeof chips[0]; c++)
        for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
            char text[200];

            snprintf(text, sizeof text, ONE_ADDRESS "; %s; %s; s_nop 0; s_endpgm", row[k].ds,
                     c ? "s_wait_dscnt 0x0" : "s_waitcnt lgkmcnt(0)");
            latency_of(chips[c], text, 32, 1, 3, row[k].cycles);
        }
}

/* Every lane on the same bank: the 31 passes beyond the first come on top. The data of 64 lanes come 3 cycles later
 * than those of the one lane that the latency of CDNA is measured with. */
static void conflicts_delay_the_result(void **state)
{
    static const char cdna[] = "v_lshlrev_b32 v8, 7, v0; ds_read_b32 v14, v8; s_waitcnt lgkmcnt(0); s_nop 0; s_endpgm";
    static const char rdna[] = "v_lshlrev_b32 v8, 7, v0; ds_load_b32 v14, v8; s_waitcnt lgkmcnt(0); s_nop 0; s_endpgm";

    (void)state;
    latency_of("gfx942-mi300x", cdna, 64, 1, 3, 32 + 3 + 62);
    latency_of("gfx1100-rx7900xtx", rdna, 32, 1, 3, 32 + 31);
}

/* GCN and CDNA: the second of a pair of SIMDs need not wait for its next turn when the port is free in between. */
static void one_waits_at_the_port(void **state)
{
    static const char code[] =
        "v_lshlrev_b32 v9, 4, v0; ds_write_b128 v9, v[10:13]; ds_write_b128 v9, v[10:13]; ds_write_b128 v9, v[10:13]; "
        "s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    take_lds(r, "gfx90a-mi210");
    run_both(r);
    cycle_t first = rig_at(r, 1);
    assert_int_equal(rig_at(r, 3), first + 1);  /* it waits for the first one's data to be in, 20 cycles */
    assert_int_equal(rig_at(r, 5), first + 20); /* when the second one has left the queue */
    r->profile.cu.lds_queue_depth = 0;
    run_both(r);
    assert_int_equal(rig_at(r, 3), first + 20);
    assert_int_equal(rig_at(r, 5), first + 40);
    rig_free(r);
}

/* A CDNA wave alone, `n` of the same and a wait; *issue: when each is issued, the first at 0. Returns when all are
 * back.
 */
static cycle_t alone(const char *ds, const char *address, unsigned n, uint32_t outstanding, uint32_t registers,
                     uint32_t gap, cycle_t *issue)
{
    char text[200];

    snprintf(text, sizeof text, "%s; .rept %u; %s; .endr; s_waitcnt lgkmcnt(0); s_nop 0; s_endpgm", address, n, ds);
    struct rig *r = rig_text("gfx942", text, 64, 1);
    take_lds(r, "gfx942-mi300x");
    r->profile.cu.lds_queue_depth = 8;
    r->profile.cu.lds_outstanding = outstanding;
    r->profile.cu.lds_staging_registers = registers;
    r->profile.cu.lds_result_gap_cycles = gap;
    run_both(r);
    for (unsigned k = 0; k < n; k++)
        issue[k] = rig_at(r, 1 + 2 * k) - rig_at(r, 1);
    cycle_t back = rig_at(r, 1 + 2 * n) - rig_at(r, 1);
    rig_free(r);
    return back;
}

/* Results come back to one SIMD with a gap between them; the last lanes' data after those of the first. */
static void results_of_a_simd_have_a_gap(void **state)
{
    static const struct {
        const char *ds, *address;
        uint32_t latency, data;
    } row[] = {{DS_READ_B32, SHIFTED(2), 32, 4}, {DS_READ_B64, SHIFTED(3), 44, 8}, {DS_READ_B128, SHIFTED(4), 48, 16}};
    cycle_t issue[IN_A_ROW];

    (void)state;
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++)
        for (unsigned gap = 0; gap < 3; gap++)
            for (unsigned n = 1; n < 5; n++)
                assert_int_equal(alone(row[k].ds, row[k].address, n, 0, 0, gap, issue),
                                 row[k].latency + row[k].data - 1 + (n - 1) * (row[k].data + gap));
}

/* The third of two that may be outstanding issues when the first is back, in that very cycle. */
static void so_many_of_a_wave_are_outstanding(void **state)
{
    cycle_t issue[IN_A_ROW];

    (void)state;
    alone(DS_READ_B32, SHIFTED(2), 5, 2, 0, 0, issue);
    assert_int_equal(issue[1], 1);
    assert_int_equal(issue[2], 35);
    assert_int_equal(issue[3], 35 + 4); /* the second one's data followed those of the first */
    assert_int_equal(issue[4], 2 * 35);
    alone(DS_READ_B32, SHIFTED(2), 5, 5, 0, 0, issue);
    assert_int_equal(issue[4], 4);
    /* stores as well: 39 and 7 for the data of 64 lanes */
    alone(DS_WRITE_B32, SHIFTED(2), 2, 1, 0, 0, issue);
    assert_int_equal(issue[1], 46);
}

/* An address and four registers of data leave no place among eight for another five until the port has them, a cycle
 * later; two of three have place, and a third has when the first has gone. */
static void registers_wait_in_the_simd(void **state)
{
    cycle_t issue[IN_A_ROW];

    (void)state;
    alone(DS_WRITE_B128, SHIFTED(4), 3, 0, 8, 0, issue);
    assert_int_equal(issue[1], 21);
    assert_int_equal(issue[2], 42);
    alone(DS_WRITE_B128, SHIFTED(4), 3, 0, 10, 0, issue);
    assert_int_equal(issue[1], 1);
    assert_int_equal(issue[2], 21);
    alone(DS_WRITE_B64, SHIFTED(3), 4, 0, 8, 0, issue);
    assert_int_equal(issue[1], 1);
    assert_int_equal(issue[2], 13);
    assert_int_equal(issue[3], 25);
    alone(DS_WRITE_B32, SHIFTED(2), 6, 0, 8, 0, issue);
    assert_int_equal(issue[3], 3);
    assert_int_equal(issue[4], 9);
    assert_int_equal(issue[5], 17);
}

/* RDNA: stores of 4 bytes take two transfer slots each. One issues a cycle until six wait; then as they leave. */
static void rdna_queue(void **state)
{
    enum { STORES = 18 };
    static const uint8_t at[STORES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 22};
    static const char text[] = SHIFTED(2) "; .rept 18; ds_store_b32 v8, v1; .endr; s_wait_dscnt 0x0; s_nop 0; s_endpgm";
    struct rig *r = rig_text("gfx1201", text, 32, 1);

    (void)state;
    take_lds(r, "gfx1201-rx9070xt");
    r->profile.cu.lds_queue_depth = 6; /* as long as it takes to fill the queue of an interlocked front end */
    run_both(r);
    for (unsigned k = 0; k < STORES; k++)
        assert_int_equal(rig_at(r, 1 + 2 * k) - rig_at(r, 1), at[k]);
    /* the last one starts 34 cycles after the first and is there 33 later */
    assert_int_equal(rig_at(r, 1 + 2 * STORES) - rig_at(r, 1), 2 * (STORES - 1) + 33);
    r->profile.cu.lds_queue_depth = 0; /* none: each waits for the port */
    run_both(r);
    for (unsigned k = 0; k < STORES; k++)
        assert_int_equal(rig_at(r, 1 + 2 * k) - rig_at(r, 1), 2 * k);
    rig_free(r);
}

/* Wide loads: a transfer slot each on the way in, four cycles of the banks; the first four issue at once. */
static void rdna_wide_loads(void **state)
{
    enum { LOADS = 10 };
    static const char text[] =
        SHIFTED(4) "; .rept 10; ds_load_b128 v[12:15], v8; .endr; s_wait_dscnt 0x0; s_nop 0; s_endpgm";
    struct rig *r = rig_text("gfx1201", text, 32, 1);

    (void)state;
    take_lds(r, "gfx1201-rx9070xt");
    run_both(r);
    for (unsigned k = 0; k < LOADS; k++)
        assert_int_equal(rig_at(r, 1 + 2 * k) - rig_at(r, 1), k);
    assert_int_equal(rig_at(r, 1 + 2 * LOADS) - rig_at(r, 1), 4 * (LOADS - 1) + 37);
    rig_free(r);
}

/* The two SIMDs of a CU share a port, the CUs of a WGP have one each. */
static void rdna_ports(void **state)
{
    static const char code[] = "v_mov_b32 v8, 0; s_nop 2; ds_store_b128 v8, v[4:7]; s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 4);
    unsigned first = 0, later = 0;

    (void)state;
    take_lds(r, "gfx1201-rx9070xt");
    r->launch.wgp_mode = true;
    r->profile.cu.lds_queue_depth = 0;
    r->profile.frontend.wave_launch_interval_cycles = 1;
    run_both(r);
    for (unsigned a = 0; a < 4; a++) {
        cycle_t mine = rig_issue_of(r, a, 2, 0), others = CYCLE_NEVER;
        uint32_t simd = 0;
        for (unsigned k = 0; k < r->events; k++)
            if (r->event[k].wave == a)
                simd = r->event[k].simd;
        for (unsigned k = 0; k < r->events; k++)
            if (r->event[k].wave != a && r->event[k].pc == RIG_BASE + 8 && r->event[k].simd / 2 == simd / 2)
                others = r->event[k].at;
        assert_true(others != CYCLE_NEVER);
        /* five transfer slots apart, whoever was first */
        assert_true(mine < others ? others - mine == 5 : mine - others == 5);
        first += mine < others;
        later += mine > others;
    }
    assert_int_equal(first, 2);
    assert_int_equal(later, 2);
    rig_free(r);
}

/* ds_bpermute takes no bank, whatever its addresses and those before it; an atomic that returns takes the time of
 * atomics. */
static void permutes_and_atomics(void **state)
{
    static const char code[] =
        "v_lshlrev_b32 v8, 7, v0; ds_read_b32 v14, v8; s_waitcnt lgkmcnt(0); ds_bpermute_b32 v14, v8, v1; "
        "s_waitcnt lgkmcnt(0); v_lshlrev_b32 v8, 2, v0; ds_add_rtn_u32 v14, v8, v1; s_waitcnt lgkmcnt(0); s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    r->profile.lds.permute_latency_cycles = 33;
    r->profile.cu.issue_policy = ISSUE_EVERY_CYCLE;
    r->profile.issue.wave_issue_interval_cycles = 1;
    run_both(r);
    /* 32 lanes of each half on one bank: 31 more passes for each */
    assert_int_equal(rig_at(r, 3), rig_at(r, 1) + 32 + 62);
    assert_int_equal(rig_at(r, 6), rig_at(r, 4) + 33);
    assert_int_equal(rig_at(r, 10), rig_at(r, 8) + 48);
    assert_int_equal(r->result.stat[STAT_LDS_BANK_CONFLICT_CYCLES], 62);
    rig_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(port_is_busy_as_measured),
        cmocka_unit_test(halves),
        cmocka_unit_test(lanes_on_one_bank_come_one_by_one),
        cmocka_unit_test(one_address),
        cmocka_unit_test(conflicts_are_counted_apart),
        cmocka_unit_test(cdna_latency),
        cmocka_unit_test(rdna_latency),
        cmocka_unit_test(conflicts_delay_the_result),
        cmocka_unit_test(one_waits_at_the_port),
        cmocka_unit_test(results_of_a_simd_have_a_gap),
        cmocka_unit_test(so_many_of_a_wave_are_outstanding),
        cmocka_unit_test(registers_wait_in_the_simd),
        cmocka_unit_test(rdna_queue),
        cmocka_unit_test(rdna_wide_loads),
        cmocka_unit_test(rdna_ports),
        cmocka_unit_test(permutes_and_atomics),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
