/* What a run is set up with: the shape of compute units, blocks of fetches, clocks and identities that programs read,
 * and the table of instructions. */
#include <stdio.h>

#include "tests/timing/rig.h"

#define FIRST 40

static void refused(struct rig *r, const char *word)
{
    err_clear(&r->err);
    rig_run(r);
    assert_int_not_equal(r->status, 0);
    assert_int_equal(r->err.code, ERR_UNSUPPORTED);
    if (!strstr(r->err.text, word))
        fail_msg("%s does not say %s", r->err.text, word);
    err_clear(&r->err);
}

/* The engine has places for so many waves; a profile may ask for more. */
static void shapes(void **state)
{
    static const char code[] = "s_nop 0; s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 1);
    const struct profile fine = r->profile;

    (void)state;
    rig_run(r);
    assert_int_equal(r->status, 0);
    r->profile.gpu.cus = r->profile.gpu.cus_per_wgp = 4;
    refused(r, "the profile has 4, 8, 8");
    r->profile = fine;
    r->profile.cu.simds = 8;
    refused(r, "the profile has 2, 16, 8");
    r->profile = fine;
    r->profile.cu.wave_slots_per_simd = 33;
    refused(r, "the profile has 2, 4, 33");
    r->profile = fine;
    r->profile.cu.simds = 4;
    r->profile.cu.wave_slots_per_simd = 17;
    refused(r, "the profile has 2, 8, 17");
    r->profile.cu.wave_slots_per_simd = 16;
    rig_run(r);
    assert_int_equal(r->status, 0);
    r->launch.waves_per_group = 65;
    refused(r, "workgroups of 65 waves");
    for (unsigned perfect = 0; perfect < 2; perfect++) { /* whatever the memory */
        r->options.perfect_memory = perfect;
        assert_int_not_equal(engine_run_timing(&r->launch, &r->options, &r->result, &r->err), 0);
        assert_int_equal(r->err.code, ERR_UNSUPPORTED);
        err_clear(&r->err);
    }
    rig_free(r);
}

/* Blocks are powers of two: of 48 bytes a cycle the unit fetches 32, of 40 from lines of 16 it fetches 16. */
static void fetch_blocks(void **state)
{
    static const struct {
        uint32_t bytes_per_cycle, line_bytes, block;
    } t[] = {{32, 64, 32}, {48, 64, 32}, {63, 64, 32}, {64, 64, 64}, {100, 64, 64}, {17, 64, 16}, {3, 64, 4}};
    uint32_t code[65];

    (void)state;
    for (unsigned k = 0; k < 64; k++)
        code[k] = S_NOP_0;
    code[64] = A_END;
    for (unsigned k = 0; k < sizeof t / sizeof t[0]; k++) {
        struct rig *r = RIG_NEW("gfx90a", code, 64, 1), *same = RIG_NEW("gfx90a", code, 64, 1);

        r->profile.frontend.fetch_bytes_per_cycle = t[k].bytes_per_cycle;
        same->profile.frontend.fetch_bytes_per_cycle = t[k].block;
        rig_run(r);
        rig_run(same);
        assert_int_equal(r->accesses[MEM_PORT_INST], same->accesses[MEM_PORT_INST]);
        assert_in_range(r->accesses[MEM_PORT_INST], 256 / t[k].block, 256 / t[k].block + 256 / t[k].block);
        assert_int_equal(r->result.stat[STAT_CYCLES], same->result.stat[STAT_CYCLES]);
        rig_free(r);
        rig_free(same);
    }
}

/* s_memrealtime counts the slow clock, s_memtime the shader's, from the start of the dispatch. */
static void clocks(void **state)
{
    static const char realtime[] = "v_mov_b32 v8, 0; s_memrealtime s[8:9]; s_waitcnt lgkmcnt(0); v_mov_b32 v1, s8; "
                                   "global_store_dword v8, v1, s[0:1]; s_endpgm";
    static const char shader[] = "v_mov_b32 v8, 0; s_memtime s[8:9]; s_waitcnt lgkmcnt(0); v_mov_b32 v1, s8; "
                                 "global_store_dword v8, v1, s[0:1]; s_endpgm";
    struct rig *r = rig_text("gfx90a", realtime, 64, 1);
    uint32_t got = 0;

    (void)state;
    r->profile.frontend.launch_latency_cycles = 4000;
    rig_run(r);
    assert_int_equal(rig_at(r, 1), 4004);
    assert_int_equal(mem_space_read(&r->space, r->data, &got, 4, NULL), 0);
    assert_int_equal(got, 4004 * 100 / 1000);
    rig_free(r);
    r = rig_text("gfx90a", shader, 64, 1);
    r->profile.frontend.launch_latency_cycles = 4000;
    rig_run(r);
    assert_int_equal(mem_space_read(&r->space, r->data, &got, 4, NULL), 0);
    assert_int_equal(got, 4004);
    rig_free(r);
}

/* HW_ID1 names slot, SIMD and WGP as the events do: the two CUs of a WGP have its even and its odd SIMDs. */
static void identities(void **state)
{
    static const char code[] = "s_getreg_b32 s4, hwreg(HW_REG_HW_ID1); v_lshlrev_b32 v8, 2, v0; v_mov_b32 v1, s4; "
                               "global_store_b32 v8, v1, s[0:1]; s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 8);
    unsigned seen = 0;

    (void)state;
    r->launch.wgp_mode = true;
    rig_run(r);
    assert_int_equal(r->status, 0);
    for (unsigned k = 0; k < r->events; k++) {
        const struct rig_event *e = &r->event[k];
        uint32_t got = 0;

        if (e->pc != RIG_BASE)
            continue;
        /* lanes are numbered through the workgroup */
        assert_int_equal(mem_space_read(&r->space, r->data + e->wave * 32 * 4, &got, 4, NULL), 0);
        /* the rig numbers SIMDs CU by CU */
        uint32_t cu = e->simd / 2, simd = e->simd % 2;
        assert_int_equal(got >> 8 & 3, simd * 2 + cu);
        assert_true((got & 31) < 2);
        assert_int_equal(got >> 10 & 15, 0); /* WGP */
        seen++;
    }
    assert_int_equal(seen, 8);
    rig_free(r);
}

/* More instructions than the table begins with: those looked up before it grows keep what they have counted. */
static void many_instructions(void **state)
{
    enum { MANY = 1500 };
    static uint32_t code[MANY + 16];
    struct rig *r;
    unsigned n = 0;

    (void)state;
    code[n++] = V_MOV_V8_0;
    code[n++] = 0xb0080002; /* s_movk_i32 s8, 2 */
    const unsigned loop = n;
    memcpy(&code[n], (const uint32_t[]){A_GLOBAL_LOAD_V15}, 8);
    n += 2;
    while (n < loop + MANY)
        code[n++] = S_NOP_0;
    code[n++] = 0x80888108; /* s_sub_u32 s8, s8, 1 */
    code[n++] = 0xbf078008; /* s_cmp_lg_u32 s8, 0 */
    code[n] = 0xbf850000 | (uint16_t)(loop - n - 1);
    n++;
    code[n++] = A_END;
    r = rig_text("gfx90a", "s_nop 0; s_endpgm", 64, 1);
    isa_program_close(r->program);
    assert_int_equal(isa_program_open(&r->program, r->target, RIG_BASE, (const uint8_t *)code, n * 4, &r->err), 0);
    r->launch.program = r->program;
    rig_run(r);
    assert_int_equal(r->status, 0);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    assert_true(r->result.has_memory_insts);
    assert_int_equal(r->result.memory_inst_count, 1);
    assert_int_equal(r->result.memory_inst[0].pc, RIG_BASE + 4 * loop);
    assert_int_equal(r->result.memory_inst[0].stat[STAT_INST_COUNT], 2);
    assert_int_equal(r->result.memory_inst[0].stat[STAT_INST_LINES], 2);
    assert_int_equal(r->result.memory_inst[0].stat[STAT_INST_BYTES], 2 * 4);
    rig_free(r);
}

/* They are reported by pc, whichever is the heaviest; bytes are those that the lanes want of each line. */
static void memory_instructions_by_pc(void **state)
{
    static const char code[] =
        "v_mov_b32 v8, 0; global_load_dword v15, v8, s[0:1]; s_load_dword s8, s[0:1], 0x0; v_lshlrev_b32 v8, 6, v0; "
        "global_load_dword v15, v8, s[0:1]; v_lshlrev_b32 v8, 2, v0; global_store_dword v8, v1, s[0:1]; "
        "s_waitcnt vmcnt(0); s_endpgm";
    static const struct {
        unsigned word;
        uint64_t lines, bytes;
    } expected[] = {{1, 1, 4}, {3, 1, 4}, {6, 64, 256}, {9, 4, 256}};
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(r->result.memory_inst_count, 4);
    assert_int_equal(r->result.memory_insts_left_out, 0);
    for (unsigned k = 0; k < 4; k++) {
        const struct engine_memory_inst *m = &r->result.memory_inst[k];

        assert_int_equal(m->pc, RIG_BASE + 4 * expected[k].word);
        assert_int_equal(m->stat[STAT_INST_COUNT], 1);
        assert_int_equal(m->stat[STAT_INST_LINES], expected[k].lines);
        assert_int_equal(m->stat[STAT_INST_BYTES], expected[k].bytes);
    }
    rig_free(r);
}

/* A vector memory instruction keeps the address unit for its lanes' addresses or its class's cycles, whichever is more,
 * also where the next one may issue before. */
static void address_unit(void **state)
{
    static const char code[] =
        "v_mov_b32 v8, 0; global_load_dword v15, v8, s[0:1]; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); "
        "s_endpgm";
    static const struct {
        uint32_t issue_cycles;
        cycle_t unit;
    } t[] = {{1, 4}, {4, 4}, {12, 12}, {32, 32}};

    (void)state;
    for (unsigned k = 0; k < sizeof t / sizeof t[0]; k++) {
        struct rig *r = rig_text("gfx90a", code, 64, 1);

        for (unsigned c = 0; c < OPC_COUNT; c++)
            if (op_class_category[c] == OPCAT_VMEM)
                r->profile.cls[c].issue_cycles_w64 = t[k].issue_cycles;
        r->profile.cu.vmem_send_cycles = 1;
        rig_run(r);
        assert_int_equal(rig_at(r, 1), FIRST + 4);
        assert_int_equal(rig_at(r, 3), FIRST + 8);
        /* both have the latency of 100; the second one's line leaves when the unit is through with the first */
        cycle_t leaves = FIRST + 4 + t[k].unit > FIRST + 8 ? FIRST + 4 + t[k].unit : FIRST + 8;
        assert_int_equal(rig_at(r, 5), leaves + 100);
        rig_free(r);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(fetch_blocks),
        cmocka_unit_test(clocks),
        cmocka_unit_test(identities),
        cmocka_unit_test(many_instructions),
        cmocka_unit_test(memory_instructions_by_pc),
        cmocka_unit_test(address_unit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
