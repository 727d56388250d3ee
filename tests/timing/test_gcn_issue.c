/* The scheduler of a GCN or CDNA compute unit: one SIMD a cycle in turn; of its waves one instruction each, and one of
 * each category (VALU, VMEM, SALU and SMEM together, LDS, branch and message), internal ones besides; higher s_setprio
 * first, then the oldest. After the rocprofiler-compute documentation.
 *
 * Six waves of each SIMD pass a barrier together, with the code after it in their buffers, and each then wants what its
 * block says. They pick the block by their slot, which HW_ID shows: the order of launch on the SIMD.
 */
#include "tests/timing/gcn_rig.h"

enum { SIMDS = 4, SLOTS = 6, PROLOGUE = 12, BLOCK_WORDS = 8, WAVES = SIMDS * SLOTS };

/* What a wave does in its block: before the barrier, and in the two words after it. */
struct wish {
    const char *before, *after;
};

#define WISH(AFTER)                                                                                                    \
    {                                                                                                                  \
        "s_nop 0", AFTER                                                                                               \
    }
#define W_VALU WISH("v_add_f32 v4, v1, v2; s_nop 0")
#define W_VALU_HIGH                                                                                                    \
    {                                                                                                                  \
        "s_setprio 3", "v_add_f32 v4, v1, v2; s_nop 0"                                                                 \
    }
#define W_VMEM     WISH("buffer_load_dword v1, off, s[0:3], 0")
#define W_SALU     WISH("s_mov_b32 s12, s13; s_nop 0")
#define W_SMEM     WISH("s_load_dword s12, s[0:1], 0x0")
#define W_LDS      WISH("ds_read_b32 v2, v3")
#define W_BRANCH   WISH("s_branch 0; s_nop 0")
#define W_TTRACE   WISH("s_ttracedata; s_nop 0")
#define W_END      WISH("s_endpgm; s_nop 0")
#define W_INTERNAL WISH("s_nop 0; s_nop 0")
#define W_WAITCNT  WISH("s_waitcnt lgkmcnt(0); s_nop 0")
#define W_PRIO     WISH("s_setprio 0; s_nop 0")

static struct rig *wishing(unsigned chip, const struct wish *wishes)
{
    /* s[0:3]: a descriptor of the data; blocks of 32 bytes begin four words behind s_setpc_b64 */
    char text[2048] = "s_getreg_b32 s6, hwreg(HW_REG_HW_ID, 0, 4); s_lshl_b32 s6, s6, 5; s_mov_b32 s2, 0x10000; "
                      "s_mov_b32 s3, 0x27000; v_mov_b32 v3, 0; s_getpc_b64 s[8:9]; s_add_u32 s8, s8, s6; "
                      "s_add_u32 s8, s8, 16; s_setpc_b64 s[8:9]; s_nop 0; ";
    struct rig *r;

    for (unsigned k = 0; k < SLOTS; k++)
        sprintf(text + strlen(text), "%s; s_barrier; %s; s_nop 0; s_nop 0; s_endpgm; s_nop 0; ", wishes[k].before,
                wishes[k].after);
    r = gcn_text(chip, text, WAVES);
    assert_int_equal(assemble(r->target->name, text).words, PROLOGUE + SLOTS * BLOCK_WORDS);
    /* its own instructions before and after are no matter; operands of memory are there long before the barrier */
    r->launch.occupancy.vgpr_alloc = r->launch.nvgprs = 24;
    if (r->launch.nagprs)
        r->launch.nagprs = r->launch.occupancy.agpr_alloc = 8;
    rig_run(r);
    if (r->status)
        fail_msg("%s: %s", r->profile.name, r->err.text);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    return r;
}

/* When the wave of that slot issued what it wished. */
static cycle_t wished(const struct rig *r, unsigned simd, unsigned slot)
{
    gaddr_t pc = RIG_BASE + 4 * (PROLOGUE + slot * BLOCK_WORDS + 2);

    for (unsigned k = 0; k < r->events; k++)
        if (r->event[k].pc == pc && r->event[k].simd == simd)
            return r->event[k].at;
    fail_msg("slot %u of SIMD %u issued nothing", slot, simd);
    return 0;
}

/* The SIMD that is looked at first after the barrier, when all units of the CU are free. */
static unsigned first_simd(const struct rig *r)
{
    unsigned first = 0;

    for (unsigned k = 1; k < SIMDS; k++)
        if (wished(r, k, 0) < wished(r, first, 0))
            first = k;
    return first;
}

/* after[slot]: cycles after the first visit of the SIMD at which the wave issues; on all chips, and on all SIMDs or,
 * where they share a unit, on the first one. */
static void expect(const struct wish *wishes, const uint8_t *after, bool all, const char *what)
{
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        struct rig *r = wishing(chip, wishes);

        for (unsigned simd = 0; simd < SIMDS; simd++) {
            cycle_t first = CYCLE_NEVER;

            if (!all && simd != first_simd(r))
                continue;
            for (unsigned k = 0; k < SLOTS; k++)
                first = wished(r, simd, k) < first ? wished(r, simd, k) : first;
            for (unsigned k = 0; k < SLOTS; k++)
                if (wished(r, simd, k) - first != after[k])
                    fail_msg("%s on %s, SIMD %u, slot %u: %llu after the first, expected %u", what, r->profile.name,
                             simd, k, (unsigned long long)(wished(r, simd, k) - first), after[k]);
        }
        rig_free(r);
    }
}

static void one_of_each_category_and_internal(void **state)
{
    static const struct wish wishes[SLOTS] = {W_VALU, W_VMEM, W_SALU, W_LDS, W_BRANCH, W_INTERNAL};

    (void)state;
    /* all SIMDs share the address unit of vector memory, and pairs of them LDS */
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        struct rig *r = wishing(chip, wishes);

        for (unsigned simd = 0; simd < SIMDS; simd++)
            for (unsigned k = 0; k < SLOTS; k++)
                if (k != 1 && k != 3)
                    assert_int_equal(wished(r, simd, k), wished(r, simd, 0));
        rig_free(r);
    }
    /* five in a cycle, and one more */
    expect(wishes, (const uint8_t[SLOTS]){0}, false, "one of each category");
}

static void internal_ones_are_not_counted(void **state)
{
    static const struct wish wishes[SLOTS] = {W_INTERNAL, W_WAITCNT, W_PRIO, W_INTERNAL, W_VALU, W_SALU};
    static const uint8_t after[SLOTS] = {0, 0, 0, 0, 0, 0};

    (void)state;
    expect(wishes, after, true, "internal instructions");
}

static void oldest_first(void **state)
{
    static const struct wish wishes[SLOTS] = {W_VALU, W_VALU, W_VALU, W_SALU, W_SALU, W_VALU};
    static const uint8_t after[SLOTS] = {0, 4, 8, 0, 4, 12};

    (void)state;
    expect(wishes, after, true, "oldest first");
}

static void priority_before_age(void **state)
{
    static const struct wish wishes[SLOTS] = {W_VALU, W_VALU, W_VALU_HIGH, W_VALU, W_VALU_HIGH, W_VALU};
    static const uint8_t after[SLOTS] = {8, 12, 0, 16, 4, 20};

    (void)state;
    expect(wishes, after, true, "priority");
}

static void scalar_alu_and_memory_share(void **state)
{
    static const struct wish wishes[SLOTS] = {W_SALU, W_SMEM, W_SALU, W_VALU, W_INTERNAL, W_INTERNAL};
    static const uint8_t after[SLOTS] = {0, 4, 8, 0, 0, 0};

    (void)state;
    expect(wishes, after, false, "SALU and SMEM");
}

static void branches_and_the_end_share(void **state)
{
    static const struct wish wishes[SLOTS] = {W_BRANCH, W_END, W_BRANCH, W_VALU, W_SALU, W_INTERNAL};
    static const uint8_t after[SLOTS] = {0, 4, 8, 0, 0, 0};

    (void)state;
    expect(wishes, after, true, "branches and s_endpgm");
}

/* s_ttracedata takes the slot of branches and messages, s_nop beside it none; no wait counter is raised. */
static void trace_data_go_with_messages(void **state)
{
    static const struct wish wishes[SLOTS] = {W_TTRACE, W_BRANCH, W_TTRACE, W_VALU, W_SALU, W_INTERNAL};
    static const uint8_t after[SLOTS] = {0, 4, 8, 0, 0, 0};
    static const char code[] = "s_ttracedata; s_waitcnt lgkmcnt(0); s_nop 0; s_endpgm";

    (void)state;
    expect(wishes, after, true, "s_ttracedata and branches");
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        struct rig *r = gcn_text(chip, code, 1);

        r->profile.cls[OPC_MESSAGE].latency_cycles = 100; /* when a message would count down */
        gcn_expect(r, 0, 2, 8, "the wait after s_ttracedata");
        rig_free(r);
    }
}

/* Each visit is the SIMD's own: nothing ever issues on another SIMD's cycle. */
static void one_simd_a_cycle(void **state)
{
    static const struct wish wishes[SLOTS] = {W_VALU, W_VMEM, W_SALU, W_LDS, W_BRANCH, W_SMEM};

    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        struct rig *r = wishing(chip, wishes);
        uint8_t seen[SIMDS];

        memset(seen, 0xff, sizeof seen);
        for (unsigned k = 0; k < r->events; k++) {
            uint8_t turn = (uint8_t)(r->event[k].at % SIMDS), *of = &seen[r->event[k].simd];

            if (*of == 0xff)
                *of = turn;
            assert_int_equal(*of, turn);
        }
        for (unsigned k = 0; k < SIMDS; k++)
            for (unsigned n = 0; n < k; n++)
                assert_int_not_equal(seen[k], seen[n]);
        rig_free(r);
    }
}

/* One instruction of a wave in a visit, whatever its category. */
static void one_instruction_of_a_wave(void **state)
{
    static const char code[] =
        "v_add_f32 v4, v1, v2; s_mov_b32 s12, s13; s_nop 0; s_branch 0; v_add_f32 v4, v1, v2; s_endpgm";

    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        struct rig *r = gcn_text(chip, code, 1);

        gcn_expect(r, 0, 1, 4, "VALU, SALU");
        gcn_expect(r, 1, 2, 4, "SALU, s_nop");
        gcn_expect(r, 2, 3, 4, "s_nop, branch");
        rig_free(r);
    }
}

/* From one vector memory instruction to the next of its kind, both of which have room: the cycles of the class on GCN,
 * twice those for an atomic with two operands; on CDNA 4 for the address and for each register of data, whatever the
 * address unit takes. */
static void operands_of_vector_memory(void **state)
{
    static const struct {
        const char *text;
        uint32_t gcn, cdna;
    } v[] = {
        {"buffer_load_dword v8, v5, s[0:3], 0 offen", 8, 4},
        {"buffer_load_dwordx2 v[8:9], v5, s[0:3], 0 offen", 8, 4},
        {"buffer_load_dwordx4 v[8:11], v5, s[0:3], 0 offen", 8, 4},
        {"buffer_store_dword v8, v5, s[0:3], 0 offen", 16, 8},
        {"buffer_store_dwordx2 v[8:9], v5, s[0:3], 0 offen", 16, 12},
        {"buffer_store_dwordx3 v[8:10], v5, s[0:3], 0 offen", 16, 16},
        {"buffer_store_dwordx4 v[8:11], v5, s[0:3], 0 offen", 16, 20},
        {"buffer_atomic_add v8, v5, s[0:3], 0 offen", 16, 8},
        {"buffer_atomic_cmpswap v[8:9], v5, s[0:3], 0 offen", 32, 12},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        char text[400];

        /* s[2:3]: 64 KB, untyped */
        snprintf(text, sizeof text,
                 "s_mov_b32 s2, 0x10000; s_mov_b32 s3, 0x27000; v_lshlrev_b32 v5, 4, v0; s_nop 0; s_nop 0; %s; %s; "
                 "s_endpgm",
                 v[k].text, v[k].text);
        for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
            struct rig *r = gcn_text(chip, text, 1);

            gcn_expect(r, 7, 9, chip < GCN_MI100 ? v[k].gcn : v[k].cdna, v[k].text);
            rig_free(r);
        }
    }
}

/* Loads issue at the rate of the address unit until as many wait as the CU has room for, then at that of their lookups:
 * lanes 64 bytes apart want the same data bank, on 64 lines of 64 bytes up to MI210 and on 32 of 128 on MI300X. */
static void vector_loads_queue(void **state)
{
    enum { LOADS = 40, FIRST = 6 };
    static const char text[] = "s_mov_b32 s2, 0x10000; s_mov_b32 s3, 0x27000; v_lshlrev_b32 v5, 6, v0; s_nop 0; "
                               ".rept 40; buffer_load_dword v1, v5, s[0:3], 0 offen; .endr; s_endpgm";

    (void)state;
    for (unsigned chip = GCN_MI100; chip < GCN_CHIPS; chip++) {
        struct rig *r = gcn_text(chip, text, 1);
        enum { LOOKUPS = 64 };
        unsigned room = 4 * SIMDS, n;

        rig_run(r);
        assert_int_equal(r->status, 0);
        /* the n-th waits for the (n - room)-th to have gone, whose lookups follow one another from the cycle after the
         * first issue on */
        for (n = 1; n < LOADS; n++) {
            cycle_t turn = rig_at(r, FIRST) + 4 * n, gone = rig_at(r, FIRST) + (n - room + 1) * LOOKUPS;
            cycle_t at = rig_at(r, FIRST + 2 * n);

            if (n < room)
                assert_int_equal(at, turn);
            else
                assert_true(at >= turn && at >= gone && at <= (turn > gone ? turn : gone) + 4);
        }
        assert_int_equal(rig_at(r, FIRST + 2 * (LOADS - 1)) - rig_at(r, FIRST + 2 * (LOADS - 2)), LOOKUPS);
        rig_free(r);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_of_each_category_and_internal),
        cmocka_unit_test(internal_ones_are_not_counted),
        cmocka_unit_test(oldest_first),
        cmocka_unit_test(priority_before_age),
        cmocka_unit_test(scalar_alu_and_memory_share),
        cmocka_unit_test(branches_and_the_end_share),
        cmocka_unit_test(trace_data_go_with_messages),
        cmocka_unit_test(one_simd_a_cycle),
        cmocka_unit_test(one_instruction_of_a_wave),
        cmocka_unit_test(operands_of_vector_memory),
        cmocka_unit_test(vector_loads_queue),
    };

    return cmocka_run_group_tests_name("timing/gcn_issue", tests, NULL, NULL);
}
