/* Cache bits of every generation to canonical hints. Words are llvm-mc-19's for the text beside them; hints after LLVM
 * 19's memory models (AMDGPUUsage) and SIMemoryLegalizer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"

/* clang-format off */
static const struct {
    const char *target;
    uint32_t words[3];
    unsigned count;
    struct mem_hint want;
} hints[] = {
    {"gfx803", {0xe0500000, 0x80010100, 0x00000000}, 2, {SCOPE_CU, TH_RT}}, /* buffer_load_dword v1, off, s[4:7], 0 */
    {"gfx803", {0xe0504000, 0x80010100, 0x00000000}, 2, {SCOPE_DEV, TH_RT}}, /* buffer_load_dword v1, off, s[4:7], 0 glc */
    {"gfx803", {0xe0724000, 0x80010100, 0x00000000}, 2, {SCOPE_DEV, TH_NT}}, /* buffer_store_dword v1, off, s[4:7], 0 glc slc */
    {"gfx900", {0xdc528000, 0x017f0002, 0x00000000}, 2, {SCOPE_CU, TH_NT}}, /* global_load_dword v1, v[2:3], off slc */
    {"gfx900", {0xdd098000, 0x017f0402, 0x00000000}, 2, {SCOPE_DEV, TH_RT}}, /* global_atomic_add v1, v[2:3], v4, off glc */
    {"gfx90a", {0xdc538000, 0x017f0002, 0x00000000}, 2, {SCOPE_DEV, TH_NT}}, /* global_load_dword v1, v[2:3], off glc slc */
    {"gfx90a", {0xc0030101, 0x00000000, 0x00000000}, 2, {SCOPE_DEV, TH_RT}}, /* s_load_dword s4, s[2:3], 0x0 glc */
    {"gfx942", {0xdc508000, 0x017f0002, 0x00000000}, 2, {SCOPE_CU, TH_RT}}, /* global_load_dword v1, v[2:3], off */
    {"gfx942", {0xdc518000, 0x017f0002, 0x00000000}, 2, {SCOPE_SE, TH_RT}}, /* global_load_dword v1, v[2:3], off sc0 */
    {"gfx942", {0xde508000, 0x017f0002, 0x00000000}, 2, {SCOPE_DEV, TH_RT}}, /* global_load_dword v1, v[2:3], off sc1 */
    {"gfx942", {0xde538000, 0x017f0002, 0x00000000}, 2, {SCOPE_SYS, TH_NT}}, /* global_load_dword v1, v[2:3], off sc0 sc1 nt */
    {"gfx942", {0xde718000, 0x007f0102, 0x00000000}, 2, {SCOPE_SYS, TH_RT}}, /* global_store_dword v[2:3], v1, off sc0 sc1 */
    {"gfx942", {0xdd098000, 0x017f0402, 0x00000000}, 2, {SCOPE_DEV, TH_RT}}, /* global_atomic_add v1, v[2:3], v4, off sc0 */
    {"gfx942", {0xdf088000, 0x007f0402, 0x00000000}, 2, {SCOPE_SYS, TH_RT}}, /* global_atomic_add v[2:3], v4, off sc1 */
    {"gfx942", {0xe0a48000, 0x00000000, 0x00000000}, 2, {SCOPE_DEV, TH_RT}}, /* buffer_inv sc1 */
    {"gfx942", {0xe0a0c000, 0x00000000, 0x00000000}, 2, {SCOPE_SYS, TH_RT}}, /* buffer_wbl2 sc0 sc1 */
    {"gfx1010", {0xdc318000, 0x017d0002, 0x00000000}, 2, {SCOPE_SE, TH_RT}}, /* global_load_dword v1, v[2:3], off glc */
    {"gfx1030", {0xdc319000, 0x017d0002, 0x00000000}, 2, {SCOPE_DEV, TH_RT}}, /* global_load_dword v1, v[2:3], off glc dlc */
    {"gfx1030", {0xdc328000, 0x017d0002, 0x00000000}, 2, {SCOPE_CU, TH_NT_RT}}, /* global_load_dword v1, v[2:3], off slc */
    {"gfx1030", {0xdc738000, 0x007d0102, 0x00000000}, 2, {SCOPE_SE, TH_NT_RT}}, /* global_store_dword v[2:3], v1, off glc slc */
    {"gfx1030", {0xdcc98000, 0x017d0402, 0x00000000}, 2, {SCOPE_DEV, TH_RT}}, /* global_atomic_add v1, v[2:3], v4, off glc */
    {"gfx1030", {0xf4014101, 0xfa000000, 0x00000000}, 2, {SCOPE_DEV, TH_RT}}, /* s_load_dword s4, s[2:3], 0x0 glc dlc */
    {"gfx1100", {0xdc524000, 0x017c0002, 0x00000000}, 2, {SCOPE_DEV, TH_RT}}, /* global_load_b32 v1, v[2:3], off glc */
    {"gfx1100", {0xdc52a000, 0x017c0002, 0x00000000}, 2, {SCOPE_CU, TH_NT}}, /* global_load_b32 v1, v[2:3], off slc dlc */
    {"gfx1100", {0xdc522000, 0x017c0002, 0x00000000}, 2, {SCOPE_CU, TH_RT_NT}}, /* global_load_b32 v1, v[2:3], off dlc */
    {"gfx1100", {0xdc6ae000, 0x007c0102, 0x00000000}, 2, {SCOPE_DEV, TH_NT}}, /* global_store_b32 v[2:3], v1, off glc slc dlc */
    {"gfx1100", {0xdcd64000, 0x017c0402, 0x00000000}, 2, {SCOPE_DEV, TH_RT}}, /* global_atomic_add_u32 v1, v[2:3], v4, off glc */
    {"gfx1201", {0xee05007c, 0x00240001, 0x00000002}, 3, {SCOPE_SE, TH_HT}}, /* global_load_b32 v1, v[2:3], off th:TH_LOAD_HT scope:SCOPE_SE */
    {"gfx1201", {0xee05007c, 0x00300001, 0x00000002}, 3, {SCOPE_CU, TH_LU}}, /* global_load_b32 v1, v[2:3], off th:TH_LOAD_LU */
    {"gfx1201", {0xee05007c, 0x003c0001, 0x00000002}, 3, {SCOPE_SYS, TH_LU}}, /* global_load_b32 v1, v[2:3], off th:TH_LOAD_BYPASS scope:SCOPE_SYS */
    {"gfx1201", {0xee05007c, 0x00600001, 0x00000002}, 3, {SCOPE_CU, TH_NT_HT}}, /* global_load_b32 v1, v[2:3], off th:TH_LOAD_NT_HT */
    {"gfx1201", {0xee06807c, 0x00b00000, 0x00000002}, 3, {SCOPE_CU, TH_LU}}, /* global_store_b32 v[2:3], v1, off th:TH_STORE_RT_WB */
    {"gfx1201", {0xee06807c, 0x00f80000, 0x00000002}, 3, {SCOPE_DEV, TH_WB}}, /* global_store_b32 v[2:3], v1, off th:TH_STORE_NT_WB scope:SCOPE_DEV */
    {"gfx1201", {0xee0d407c, 0x02180001, 0x00000002}, 3, {SCOPE_DEV, TH_RT}}, /* global_atomic_add_u32 v1, v[2:3], v4, off th:TH_ATOMIC_RETURN scope:SCOPE_DEV */
    {"gfx1201", {0xee0d407c, 0x022c0000, 0x00000002}, 3, {SCOPE_SYS, TH_NT}}, /* global_atomic_add_u32 v[2:3], v4, off th:TH_ATOMIC_NT scope:SCOPE_SYS */
    {"gfx1201", {0xf4400101, 0xf8000000, 0x00000000}, 2, {SCOPE_DEV, TH_RT}}, /* s_load_b32 s4, s[2:3], 0x0 scope:SCOPE_DEV */
    {"gfx1201", {0xee0ac07c, 0x00040000, 0x00000000}, 3, {SCOPE_SE, TH_RT}}, /* global_inv scope:SCOPE_SE */
};
/* clang-format on */

static void test_hints(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof hints / sizeof hints[0]; k++) {
        struct isa_target *t;
        struct isa_inst i;
        struct err e = {0};

        assert_int_equal(isa_target_open(&t, hints[k].target, NULL, &e), 0);
        assert_int_equal(isa_decode(t, (const uint8_t *)hints[k].words, hints[k].count * 4, &i, NULL),
                         hints[k].count * 4);
        if (i.u.mem.hint.scope != hints[k].want.scope || i.u.mem.hint.temporal != hints[k].want.temporal)
            fail_msg("%s %s: scope %u temporal %u, want %u %u (row %zu)", hints[k].target, i.mnemonic,
                     i.u.mem.hint.scope, i.u.mem.hint.temporal, hints[k].want.scope, hints[k].want.temporal, k);
        isa_target_close(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hints)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
