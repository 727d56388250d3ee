/* The instructions of the loop around a sequence (sim/study/compare_encode.c): for targets of each encoding, the words
 * of the text that the loop has there; what a target has no text of is not encoded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/study/compare_wrap.h"
#include "tests/support/assemble.h"

static bool encode(struct compare_bytes *b, const struct isa_target *t, uint32_t counters)
{
    return compare_encode_load(b, t, 1, 6, 8) && compare_encode_load(b, t, 2, 0, 0) &&
           (!isa_has(t, FEAT_ARCH_SGPRS) || compare_encode_group_id(b, t)) && compare_encode_shift_v0(b, t) &&
           compare_encode_v_mov(b, t, 255, 0x3c003c00) && compare_encode_waits(b, t, counters) &&
           compare_encode_count_down(b, t, 6) && compare_encode_branch(b, t, -3) && compare_encode_end(b, t);
}

static void words_of_each_encoding(void **state)
{
    static const uint32_t lgkm = 1u << WAIT_LGKM, vm = 1u << WAIT_VM;
    static const struct {
        const char *target, *load, *wide, *shift, *waits, *subtract;
        uint32_t counters;
    } v[] = {
        {"gfx803", "s_load_dword s6, s[0:1], 0x8", "s_load_dwordx2 s[0:1], s[0:1], 0x0", "v_lshlrev_b32_e32 v0, 2, v0",
         "s_waitcnt lgkmcnt(0)", "s_sub_u32", lgkm},
        {"gfx803", "s_load_dword s6, s[0:1], 0x8", "s_load_dwordx2 s[0:1], s[0:1], 0x0", "v_lshlrev_b32_e32 v0, 2, v0",
         "s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)", "s_sub_u32", lgkm | vm | 1u << WAIT_EXP},
        {"gfx90a", "s_load_dword s6, s[0:1], 0x8", "s_load_dwordx2 s[0:1], s[0:1], 0x0", "v_lshlrev_b32_e32 v0, 2, v0",
         "s_waitcnt vmcnt(0)", "s_sub_u32", vm},
        {"gfx1030", "s_load_dword s6, s[0:1], 0x8", "s_load_dwordx2 s[0:1], s[0:1], null",
         "v_lshlrev_b32_e32 v0, 2, v0", "s_waitcnt vmcnt(0); s_waitcnt_vscnt null, 0x0", "s_sub_u32",
         vm | 1u << WAIT_VS},
        {"gfx1100", "s_load_b32 s6, s[0:1], 0x8", "s_load_b64 s[0:1], s[0:1], null", "v_lshlrev_b32_e32 v0, 2, v0",
         "s_waitcnt lgkmcnt(0); s_waitcnt_vscnt null, 0x0", "s_sub_u32", lgkm | 1u << WAIT_VS},
        {"gfx1201", "s_load_b32 s6, s[0:1], 0x8", "s_load_b64 s[0:1], s[0:1], 0x0; s_mov_b32 s2, ttmp9",
         "v_lshlrev_b32_e32 v0, 2, v0", "s_wait_loadcnt 0x0; s_wait_dscnt 0x0; s_wait_kmcnt 0x0", "s_sub_co_u32",
         1u << WAIT_LOAD | 1u << WAIT_DS | 1u << WAIT_KM},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        struct compare_bytes b = {0};
        struct isa_target *t;
        struct err e = {0};
        char text[512];

        snprintf(text, sizeof text,
                 "%s; %s; %s; v_mov_b32_e32 v255, 0x3c003c00; %s; %s s6, s6, 1; s_cmp_lg_u32 s6, 0; "
                 "s_cbranch_scc1 65533; s_endpgm",
                 v[k].load, v[k].wide, v[k].shift, v[k].waits, v[k].subtract);
        struct assembled want = assemble(v[k].target, text);
        assert_int_equal(isa_target_open(&t, v[k].target, NULL, &e), 0);
        if (!encode(&b, t, v[k].counters))
            fail_msg("row %zu: after %zu bytes", k, b.used);
        assert_int_equal(b.used, want.words * 4);
        assert_memory_equal(b.at, want.word, b.used);
        b.used = 0;
        assert_true(compare_encode_waits(&b, t, 0));
        assert_int_equal(b.used, 0);
        free(b.at);
        isa_target_close(t);
    }
}

static void what_has_no_text(void **state)
{
    static const char *const targets[] = {"gfx803", "gfx90a", "gfx1030", "gfx1201"};

    (void)state;
    for (size_t k = 0; k < sizeof targets / sizeof *targets; k++) {
        struct compare_bytes b = {0};
        struct isa_target *t;
        struct err e = {0};

        assert_int_equal(isa_target_open(&t, targets[k], NULL, &e), 0);
        assert_false(compare_encode_load(&b, t, 1, 6, 1u << 31)); /* no field holds such an offset */
        assert_int_equal(b.used, 0);
        isa_target_close(t);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_each_encoding),
        cmocka_unit_test(what_has_no_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
