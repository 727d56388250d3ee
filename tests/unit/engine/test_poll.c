/* Which loops around loads are taken for waves that poll memory (sim/engine/functional/poll.c): those in which all
 * accesses repeat, with the same registers read and written. Here one register changes from turn to turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"

enum { HEAD = 8, BODY = 10 };

/* gfx90a, 8 VGPRs and 8 AGPRs; s[0:1] is the address of 512 bytes */
static const uint32_t head[HEAD] = {
    0x7e000280, 0x7e020281, 0x7e0e0280, /* v_mov_b32 v0, 0; v_mov_b32 v1, 1; v_mov_b32 v7, 0 */
    0xbe8c0080,                         /* s_mov_b32 s12, 0 */
    0xd3d94007, 0x18000107,             /* v_accvgpr_write_b32 a7, v7 */
    0xdc508000, 0x02000000,             /* again: global_load_dword v2, v0, s[0:1], which is 0 */
};

static const struct loop {
    const char *what;
    uint32_t body[BODY]; /* 0: s_nop 0 */
    const char *reason;
} loops[] = {
    {"nothing else", {0}, "polling"},
    /* global_store_dword v0, v1, s[0:1] offset:256 */
    {"a store of one value", {0xdc708100, 0x00000100}, "polling"},
    /* v_add_u32 v7, 1, v7; v_mov_b32 v2, v7 */
    {"a count where the load writes", {0x680e0e81, 0x7e040307}, "polling"},
    /* s_load_dword s6, s[0:1], s12; s_add_u32 s12, s12, 4; s_and_b32 s12, s12, 0xfc */
    {"an SGPR that is read", {0xc0000180, 0x0000000c, 0x800c840c, 0x860cff0c, 0xfc}, "ready"},
    /* global_store_dword v0, v7, s[0:1] offset:256; v_add_u32 v7, 1, v7 */
    {"the last VGPR, read", {0xdc708100, 0x00000700, 0x680e0e81}, "ready"},
    /* global_store_dword v0, a7, s[0:1] offset:256; v_accvgpr_read_b32 v3, a7; v_add_u32 v3, 1, v3;
     * v_accvgpr_write_b32 a7, v3 */
    {"the last AGPR, read",
     {0xdc708100, 0x00800700, 0xd3d84003, 0x18000107, 0x68060681, 0xd3d94007, 0x18000103},
     "ready"},
    /* global_atomic_add v2, v0, v1, s[0:1] offset:256 glc */
    {"a VGPR that is written", {0xdd098100, 0x02000100}, "ready"},
    /* global_atomic_add v0, v1, s[0:1] offset:256; s_load_dword s6, s[0:1], 0x100 */
    {"an SGPR that is written", {0xdd088100, 0x00000100, 0xc0020180, 0x00000100}, "ready"},
};

static void registers_that_change(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof loops / sizeof loops[0]; k++) {
        _Alignas(64) static uint32_t words[128];
        uint32_t code[HEAD + BODY + 3];
        struct gcnsim_range range = {
            .address = (uint64_t)(uintptr_t)words, .bytes = sizeof words, .writable = 1, .label = "words"};
        struct gcnsim_error error = {0};
        struct gcnsim_result *result;
        struct gcnsim_raw r;
        struct gcnsim *sim;

        memset(words, 0, sizeof words);
        memcpy(code, head, sizeof head);
        memcpy(code + HEAD, loops[k].body, sizeof loops[k].body);
        for (unsigned n = HEAD + BODY; n-- > HEAD && !code[n];)
            code[n] = 0xbf800000;
        code[HEAD + BODY] = 0xbf8c0070;                            /* s_waitcnt vmcnt(0) lgkmcnt(0) */
        code[HEAD + BODY + 1] = 0xbf820000 | (0x10000 - BODY - 4); /* s_branch again */
        code[HEAD + BODY + 2] = 0xbf810000;
        gcnsim_raw_init(&r);
        r.target = "gfx90a";
        r.engine = GCNSIM_ENGINE_FUNCTIONAL;
        r.entry = r.code_base = (uint64_t)(uintptr_t)code;
        r.code_size = sizeof code;
        r.wave_size = 64;
        r.compute_pgm_rsrc1 = 1u | 3u << 6 | 0xf0u << 12; /* 16 registers ... */
        r.compute_pgm_rsrc2 = 2u << 1 | 1u << 7;
        r.compute_pgm_rsrc3 = 1; /* ... from the 8th on AGPRs */
        r.kernarg_address = range.address;
        r.ranges = &range;
        r.range_count = 1;
        r.workgroups[0] = 1;
        r.workgroup_size[0] = 64;
        r.max_instructions = 100000;
        assert_int_equal(gcnsim_open(&sim, NULL, &error), GCNSIM_OK);
        if (gcnsim_launch_raw(sim, &r, &result, &error))
            fail_msg("%s: %s", loops[k].what, error.text);
        if (result->outcome != GCNSIM_LIMIT)
            fail_msg("%s: %s", loops[k].what, result->message);
        assert_int_equal(result->snapshot->row_count, 1);
        if (strcmp(result->snapshot->rows->reason, loops[k].reason) != 0)
            fail_msg("%s: %s, expected %s", loops[k].what, result->snapshot->rows->reason, loops[k].reason);
        gcnsim_result_free(result);
        gcnsim_close(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(registers_that_change)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
