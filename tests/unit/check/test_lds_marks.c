/* Races in LDS that a run of the functional engine reports without --check (isa/lds_marks.h). Workgroups of two waves
 * where not said otherwise; v0 differs from wave to wave. */
#define CHECK_WORDS_FILE "tests/unit/check/words/lds_marks.inc"
#define CHECK_ASKED      0
#include "tests/unit/check/check_rig.h"

#define OWN          "v_lshlrev_b32 v5, 2, v0\nv_and_b32 v5, 0xff, v5\n"
#define W            "ds_write_b32 v5, v0\n"
#define R            "ds_read_b32 v6, v5\n"
#define SET          "ds_write_b32 v4, v0 offset:252\n"
#define GET          "ds_read_b32 v7, v4 offset:252\ns_waitcnt lgkmcnt(0)\nv_cmp_eq_u32 vcc, 0, v7\n"
#define BAR          "s_waitcnt lgkmcnt(0)\ns_barrier\n"
#define FIRST(TEXT)  "v_cmp_gt_u32 vcc, 64, v0\ns_and_saveexec_b64 s[8:9], vcc\n" TEXT "s_mov_b64 exec, s[8:9]\n"
#define SECOND(TEXT) "v_cmp_le_u32 vcc, 64, v0\ns_and_saveexec_b64 s[8:9], vcc\n" TEXT "s_mov_b64 exec, s[8:9]\n"
#define RACE(T, L, TEXT, AT, LANE, WAVES, SAYS)                                                                        \
    {                                                                                                                  \
        T, L, TEXT, "race.lds", AT, "a barrier between the two", LANE, WAVES, false, SAYS                              \
    }
#define NONE(T, L, TEXT, WAVES)                                                                                        \
    {                                                                                                                  \
        T, L, TEXT, NULL, NULL, NULL, -1, WAVES                                                                        \
    }
#define WROTE    "writes LDS byte 0, which another wave has accessed"
#define MISREADS "reads LDS byte 0, which another wave has written"
/* a loop of three turns, of so many dwords, each from one barrier to the same one */
#define THRICE(TEXT, BACK)                                                                                             \
    "s_mov_b32 s10, 2\n" TEXT "s_waitcnt lgkmcnt(0)\ns_barrier\ns_sub_u32 s10, s10, 1\ns_cbranch_scc0 " BACK "\n"

static const struct check_case cases[] = {
    /* write after write, read after write, write after read */
    RACE("gfx90a", 64, OWN W, "ds_write_b32", 0, 2, WROTE),
    RACE("gfx90a", 64, OWN FIRST(W) SECOND(R), "ds_read_b32", 0, 2, MISREADS),
    RACE("gfx90a", 64, OWN FIRST(R) SECOND(W), "ds_write_b32", 0, 2, WROTE),
    /* a loop that waits for what another wave stores; one load of it */
    NONE("gfx90a", 64, OWN FIRST(W SET) SECOND(GET "s_cbranch_vccnz 0xfffb\n" R), 2),
    RACE("gfx90a", 64, FIRST(SET) SECOND(GET), "ds_read_b32 v7", 0, 2, "reads LDS byte 252"),
    /* the next stretch is looked at again */
    RACE("gfx90a", 64, OWN FIRST(SET) SECOND(GET "s_cbranch_vccnz 0xfffb\n") BAR FIRST(W) SECOND(R), "ds_read_b32 v6",
         0, 2, MISREADS),
    /* the first lane that meets another wave's dword is named */
    RACE("gfx90a", 64, OWN FIRST("ds_write_b32 v5, v0\n") SECOND("v_xor_b32 v5, 0xfc, v5\nds_read_b32 v6, v5\n"),
         "ds_read_b32", 0, 2, "reads LDS byte 252"),
    /* three waves, of which the second has no part in it */
    RACE("gfx90a", 64, OWN FIRST(R) "v_cmp_le_u32 vcc, 128, v0\ns_and_saveexec_b64 s[8:9], vcc\n" W, "ds_write_b32", 0,
         3, WROTE),
    NONE("gfx90a", 64, OWN W, 1),
    NONE("gfx90a", 64, OWN R, 2),
    /* a barrier, one that some waves are past, and the next stretch */
    NONE("gfx90a", 64, OWN FIRST(W) BAR SECOND(R), 2),
    NONE("gfx90a", 64, OWN FIRST(W) BAR R BAR SECOND(W), 2),
    RACE("gfx90a", 64, OWN FIRST(W) BAR R SECOND(W), "ds_write_b32", 0, 2, WROTE),
    /* other dwords, also of wide and of two addresses */
    NONE("gfx90a", 64, "v_lshlrev_b32 v5, 1, v0\nds_write_b16 v5, v0", 2),
    NONE("gfx90a", 64, "v_lshrrev_b32 v5, 6, v0\nv_lshlrev_b32 v5, 2, v5\nds_write_b32 v5, v0", 2),
    RACE("gfx90a", 64,
         "v_mov_b32 v6, v0\nv_mov_b32 v7, v0\nv_mov_b32 v5, 0\n" FIRST("ds_write_b64 v5, v[6:7] offset:8\n")
             SECOND("ds_read_b128 v[8:11], v5\n"),
         "ds_read_b128", 0, 2, "reads LDS byte 8"),
    RACE("gfx90a", 64,
         "v_mov_b32 v5, 0\n" FIRST("ds_write2_b32 v5, v0, v0 offset0:1 offset1:40\n")
             SECOND("ds_read2_b32 v[8:9], v5 offset0:60 offset1:40\n"),
         "ds_read2_b32", 0, 2, "reads LDS byte 160"),
    NONE("gfx90a", 64,
         "v_mov_b32 v5, 0\n" FIRST("ds_write2_b32 v5, v0, v0 offset0:1 offset1:40\n")
             SECOND("ds_read2_b32 v[8:9], v5 offset0:60 offset1:41\n"),
         2),
    /* parts of a dword may be different parts; a part and the whole cannot */
    NONE("gfx90a", 64, "ds_write_b8 v0, v0\nds_read_u8 v6, v0", 2),
    RACE("gfx90a", 64, OWN FIRST(W) SECOND("ds_write_b8 v5, v0 offset:1\n"), "ds_write_b8", 0, 2, WROTE),
    RACE("gfx90a", 64, OWN FIRST("ds_write_b16 v5, v0\n") SECOND(R), "ds_read_b32", 0, 2, MISREADS),
    RACE("gfx90a", 64, OWN FIRST("ds_read_u16 v6, v5\n") SECOND(W), "ds_write_b32", 0, 2, WROTE),
    NONE("gfx90a", 64, OWN FIRST("ds_read_u16 v6, v5\n") SECOND("ds_write_b16 v5, v0 offset:2\n"), 2),
    /* a store that changes nothing; all waves set one flag */
    NONE("gfx90a", 64, "v_mov_b32 v5, 0\nv_mov_b32 v6, 1\nds_write_b32 v5, v6", 4),
    NONE("gfx90a", 64, "v_mov_b32 v5, 0\nv_mov_b32 v6, 1\nds_write_b8 v5, v6 offset:2", 4),
    RACE("gfx90a", 64, "v_mov_b32 v5, 0\nv_lshrrev_b32 v6, 6, v0\nds_write_b32 v5, v6", "ds_write_b32", 0, 4, WROTE),
    /* atomics among themselves and with others; those that return may be an order */
    NONE("gfx90a", 64, OWN "ds_add_u32 v5, v0", 2),
    RACE("gfx90a", 64, OWN FIRST("ds_add_u32 v5, v0\n") SECOND(R), "ds_read_b32", 0, 2, MISREADS),
    RACE("gfx90a", 64, OWN FIRST(R) SECOND("ds_add_u32 v5, v0\n"), "ds_add_u32", 0, 2, WROTE),
    NONE("gfx90a", 64, OWN FIRST(W "ds_add_rtn_u32 v7, v5, v0\n") SECOND("ds_add_rtn_u32 v7, v5, v0\n" R), 2),
    NONE("gfx90a", 64, OWN FIRST(W) "global_atomic_add v7, v[2:3], v1, off glc\n" SECOND(R), 2),
    /* the same stretch again: what reads alone, and what begins to write */
    NONE("gfx90a", 64, OWN FIRST(W) BAR THRICE(R, "-6"), 2),
    RACE("gfx90a", 64, OWN THRICE(SECOND(W), "-9") FIRST(W) SECOND(R), "ds_read_b32", 0, 2, MISREADS),
    RACE("gfx90a", 64, OWN "s_barrier\n" THRICE(R, "-6") FIRST(W) SECOND(R), "ds_read_b32", 0, 2, MISREADS),
    /* signalled and waited for apart; wave32; the whole wave and part of it */
    RACE("gfx1201", 32, "v_lshlrev_b32 v5, 2, v0\nv_and_b32 v5, 0x7f, v5\nds_store_b32 v5, v0", "ds_store_b32", 0, 2,
         WROTE),
    RACE("gfx1201", 32, "v_lshlrev_b32 v5, 2, v0\nv_and_b32 v5, 0x7f, v5\ns_mov_b32 exec_lo, 0xf0\nds_store_b32 v5, v0",
         "ds_store_b32", 4, 2, "writes LDS byte 16"),
    NONE("gfx1201", 32,
         "v_lshlrev_b32 v5, 2, v0\nds_store_b32 v5, v0\ns_wait_dscnt 0x0\ns_barrier_signal -1\ns_barrier_wait -1\n"
         "v_xor_b32 v5, 0x80, v5\nds_load_b32 v6, v5\n",
         2),
    RACE("gfx803", 64, OWN W, "ds_write_b32", 0, 2, WROTE),
};

static void races(void **state)
{
    (void)state;
    check_cases(cases, CHECK_COUNT(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(races)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
