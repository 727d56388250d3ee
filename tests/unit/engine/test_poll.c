/* Which loops around loads are taken for waves that poll memory (sim/engine/functional/poll.c): those in which all
 * accesses repeat, with the same registers read and written. Here one register changes from turn to turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/assemble.h"

/* gfx90a, 8 VGPRs and 8 AGPRs; s[0:1] is the address of 512 bytes */
static const char head[] =
    "v_mov_b32 v0, 0; v_mov_b32 v1, 1; v_mov_b32 v7, 0; s_mov_b32 s12, 0; v_accvgpr_write_b32 a7, v7; "
    "again: global_load_dword v2, v0, s[0:1]"; /* which is 0 */

static const struct loop {
    const char *what;
    const char *body;
    const char *reason;
} loops[] = {
    {"nothing else", "s_nop 0", "polling"},
    {"a store of one value", "global_store_dword v0, v1, s[0:1] offset:256", "polling"},
    {"a count where the load writes", "v_add_u32 v7, 1, v7; v_mov_b32 v2, v7", "polling"},
    {"an SGPR that is read", "s_load_dword s6, s[0:1], s12; s_add_u32 s12, s12, 4; s_and_b32 s12, s12, 0xfc", "ready"},
    {"the last VGPR, read", "global_store_dword v0, v7, s[0:1] offset:256; v_add_u32 v7, 1, v7", "ready"},
    {"the last AGPR, read",
     "global_store_dword v0, a7, s[0:1] offset:256; v_accvgpr_read_b32 v3, a7; v_add_u32 v3, 1, v3; "
     "v_accvgpr_write_b32 a7, v3",
     "ready"},
    {"a VGPR that is written", "global_atomic_add v2, v0, v1, s[0:1] offset:256 glc", "ready"},
    {"an SGPR that is written", "global_atomic_add v0, v1, s[0:1] offset:256; s_load_dword s6, s[0:1], 0x100", "ready"},
};

static void registers_that_change(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof loops / sizeof loops[0]; k++) {
        _Alignas(64) static uint32_t words[128];
        struct assembled code;
        char text[600];
        struct gcnsim_range range = {
            .address = (uint64_t)(uintptr_t)words, .bytes = sizeof words, .writable = 1, .label = "words"};
        struct gcnsim_error error = {0};
        struct gcnsim_result *result;
        struct gcnsim_raw r;
        struct gcnsim *sim;

        memset(words, 0, sizeof words);
        snprintf(text, sizeof text, "%s; %s; s_waitcnt vmcnt(0) lgkmcnt(0); s_branch again; s_endpgm", head,
                 loops[k].body);
        code = assemble("gfx90a", text);
        gcnsim_raw_init(&r);
        r.target = "gfx90a";
        r.engine = GCNSIM_ENGINE_FUNCTIONAL;
        r.entry = r.code_base = (uint64_t)(uintptr_t)code.word;
        r.code_size = code.words * sizeof code.word[0];
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
