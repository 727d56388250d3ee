/* gcnsim run --check: races in LDS and accesses outside it. Workgroups of two waves where not said otherwise. */
#define CHECK_WORDS_FILE "tests/unit/check/words/race.inc"
#include "tests/unit/check/check_rig.h"

/* gfx90a: v4 = 4 * (work-item of the other wave), v5 = 4 * work-item; 256 bytes are a wave's worth */
#define OWN   "v_lshlrev_b32 v5, 2, v0\nv_and_b32 v5, 0xff, v5\n"
#define W90   "ds_write_b32 v5, v1\n"
#define R90   "ds_read_b32 v6, v5\n"
#define WAIT  "s_waitcnt lgkmcnt(0)\n"
#define BAR   "s_barrier\n"
#define SIG12 "s_barrier_signal -1\n"
#define BAR12 "s_barrier_wait -1\n"
#define W12   "ds_store_b32 v5, v1\n"
#define R12   "ds_load_b32 v6, v5\n"
#define OWN12 "v_lshlrev_b32 v5, 2, v0\nv_and_b32 v5, 0x7f, v5\n"
/* a half of the waves: lanes of the first (second) wave go on, the others skip */
#define FIRST(TEXT)  "v_cmp_gt_u32 vcc, 64, v0\ns_and_saveexec_b64 s[8:9], vcc\n" TEXT "s_mov_b64 exec, s[8:9]\n"
#define SECOND(TEXT) "v_cmp_le_u32 vcc, 64, v0\ns_and_saveexec_b64 s[8:9], vcc\n" TEXT "s_mov_b64 exec, s[8:9]\n"
/* the flag at byte 252 is there; then wave 0 runs one text and wave 1 the other */
#define W0  "ds_write_b32 v1, v1\n"
#define R0  "ds_read_b32 v6, v1\n"
#define SET "ds_write_b32 v1, v1 offset:252\n"
#define GET "ds_read_b32 v7, v1 offset:252\ns_waitcnt lgkmcnt(0)\nv_cmp_ne_u32 vcc, 0, v7\n"
#define FLAG(A, B)                                                                                                     \
    FIRST("ds_write_b32 v1, v1 offset:252\n")                                                                          \
    "s_waitcnt lgkmcnt(0)\ns_barrier\n" FIRST(A) SECOND("s_cbranch_execz 4\n" B)

static const struct check_case cases[] = {
    /* write after write, read after write, write after read */
    {"gfx90a", 64, OWN W90, "race.lds", "ds_write_b32", "a barrier between", 0, 2, false,
     "writes LDS byte 0x0, which wave 0, lane 0 wrote with 'ds_write_b32 v5, v1"},
    {"gfx90a", 64, OWN FIRST(W90) SECOND("s_cbranch_execz 2\n" R90), "race.lds", "ds_read_b32", "a barrier between", 0,
     2, false, "reads LDS byte 0x0, which wave 0, lane 0 wrote"},
    {"gfx90a", 64, OWN FIRST(W90 R90) SECOND("s_cbranch_execz 2\n" W90), "race.lds", "ds_write_b32", "a barrier", 0, 2,
     false, NULL},
    /* one wave, or none in common */
    {"gfx90a", 64, OWN W90 R90 W90, NULL, NULL, NULL, -1, 1, false, NULL},
    {"gfx90a", 64, "v_lshlrev_b32 v5, 1, v0\nds_write_b16 v5, v1\nds_read_u16 v6, v5", NULL, NULL, NULL, -1, 2, false,
     NULL},
    /* neighbouring bytes of a dword, and the same byte of it */
    {"gfx90a", 64, "ds_write_b8 v0, v1\nds_read_u8 v6, v0", NULL, NULL, NULL, -1, 4, false, NULL},
    {"gfx90a", 64, "v_lshrrev_b32 v5, 1, v0\nds_write_b8 v5, v1", NULL, NULL, NULL, -1, 2, false, NULL},
    {"gfx90a", 64, "v_add_u32 v5, -1, v0\n" FIRST("ds_write_b8 v0, v1\n") SECOND("ds_write_b8 v5, v1\n"), "race.lds",
     "ds_write_b8", "a barrier between", 0, 2, false, "LDS byte 0x3f, which wave 0, lane 63"},
    /* a byte of what was written as a dword */
    {"gfx90a", 64, OWN FIRST(W90) "v_add_u32 v5, -62, v0\n" SECOND("ds_write_b8 v5, v1\n"), "race.lds", "ds_write_b8",
     "a barrier between", 0, 2, false, "writes LDS byte 0x2, which wave 0, lane 0 wrote with 'ds_write_b32"},
    /* a barrier orders, when what came before it has been waited for */
    {"gfx90a", 64, OWN FIRST(W90) WAIT BAR SECOND(R90), NULL, NULL, NULL, -1, 2, false, NULL},
    {"gfx90a", 64, OWN FIRST(W90) WAIT BAR R90 WAIT BAR SECOND(W90), NULL, NULL, NULL, -1, 2, false, NULL},
    {"gfx90a", 64, OWN FIRST(W90) BAR SECOND(R90), "race.lds", "ds_read_b32",
     "a wait for LDS ahead of that wave's barrier", 0, 2, false, NULL},
    {"gfx90a", 64, OWN FIRST(W90 "ds_read_b32 v7, v5 offset:0\n") "s_waitcnt lgkmcnt(1)\n" BAR SECOND(R90), NULL, NULL,
     NULL, -1, 2, false, NULL},
    {"gfx90a", 64, OWN FIRST(W90 R90) "s_waitcnt lgkmcnt(1)\n" BAR SECOND(W90), "race.lds", "ds_write_b32",
     "a wait for LDS ahead", 0, 2, false, "which wave 0, lane 0 read"},
    /* one barrier does not make up for the next */
    {"gfx90a", 64, OWN FIRST(W90) WAIT BAR R90 WAIT FIRST(W90), "race.lds", "ds_write_b32", "a barrier between", 0, 2,
     false, "which wave 1, lane 0 read"},
    /* the third wave meets what the first left though the second came between */
    {"gfx90a", 64, OWN FIRST(W90) WAIT BAR R90 "v_cmp_le_u32 vcc, 128, v0\ns_and_saveexec_b64 s[8:9], vcc\n" W90,
     "race.lds", "ds_write_b32", "a barrier between", 0, 3, false, "read with"},
    /* atomics among themselves; with others; handing on what came before */
    {"gfx90a", 64, OWN FIRST(W90) WAIT BAR "ds_add_u32 v5, v1", NULL, NULL, NULL, -1, 2, false, NULL},
    {"gfx90a", 64, OWN FIRST(W90) WAIT BAR "ds_add_u32 v5, v1\n" SECOND(R90), "race.lds", "ds_read_b32",
     "a barrier between", 0, 2, false, "which wave 0, lane 0 updated"},
    {"gfx90a", 64, OWN FIRST(W90) WAIT BAR SECOND(R90) "ds_add_u32 v5, v1\n" BAR, NULL, NULL, NULL, -1, 1, false, NULL},
    {"gfx90a", 64, FLAG(W0 "ds_add_u32 v1, v1 offset:252\n", "ds_add_rtn_u32 v7, v1, v1 offset:252\n" R0), NULL, NULL,
     NULL, -1, 2, false, NULL},
    {"gfx90a", 64, FLAG("ds_add_u32 v1, v1 offset:252\n" W0, "ds_add_rtn_u32 v7, v1, v1 offset:252\n" R0), "race.lds",
     "ds_read_b32", "a barrier between", 0, 2, false, "which wave 0, lane 63 wrote"},
    {"gfx90a", 64, FLAG(W0 "ds_add_u32 v1, v1 offset:252\n", "ds_add_u32 v1, v1 offset:252\n" R0), "race.lds",
     "ds_read_b32", "a barrier between", 0, 2, false, NULL},
    /* an atomic on memory hands on what LDS has done, for which the wave has to wait */
    {"gfx90a", 64,
     FLAG(W0 WAIT "global_atomic_add v[2:3], v1, off\n", "global_atomic_add v7, v[2:3], v1, off glc\n" R0), NULL, NULL,
     NULL, -1, 2, false, NULL},
    {"gfx90a", 64, FLAG(W0 "global_atomic_add v[2:3], v1, off\n", "global_atomic_add v7, v[2:3], v1, off glc\n" R0),
     "race.lds", "ds_read_b32", "a barrier between", 0, 2, false, NULL},
    /* a loop that reads a flag until another wave has stored it; one load of it; data after the flag; a loop that ends
     * whatever it reads; one whose address changes */
    {"gfx90a", 64, FLAG(W0 SET, GET "s_cbranch_vccnz 0xfffb\n" R0), NULL, NULL, NULL, -1, 2, false, NULL},
    {"gfx90a", 64, FLAG(W0 SET, GET "s_cbranch_vccz 6\ns_sleep 1\n" GET "s_cbranch_vccnz 0xfffa\n" R0), NULL, NULL,
     NULL, -1, 2, false, NULL},
    {"gfx90a", 64, FLAG(W0 SET, GET "s_cbranch_vccz 7\nv_mov_b32 v1, v4\n" GET "s_cbranch_vccnz 0xfffb\n" R0),
     "race.lds", "ds_read_b32 v7", "a barrier between", 0, 2, false, NULL},
    {"gfx90a", 64, FLAG(SET, GET), "race.lds", "ds_read_b32 v7", "a barrier between", 0, 2, false, NULL},
    {"gfx90a", 64, FLAG(SET W0, GET "s_cbranch_vccnz 0xfffb\n" R0), "race.lds", "ds_read_b32 v6", "a barrier between",
     0, 2, false, "which wave 0, lane 63 wrote"},
    {"gfx90a", 64, FLAG(SET, GET "s_cmp_lg_u32 s9, s9\ns_cbranch_scc1 0xfffa\n"), "race.lds", "ds_read_b32 v7",
     "a barrier between", 0, 2, false, NULL},
    {"gfx90a", 64, FLAG(SET, GET "v_mov_b32 v1, v4\ns_cbranch_vccnz 0xfffa\n"), "race.lds", "ds_read_b32 v7",
     "a barrier between", 0, 2, false, NULL},
    /* the wave stores something, too, while it waits */
    {"gfx90a", 64, FLAG(SET, GET "ds_write_b32 v1, v1 offset:128\ns_cbranch_vccnz 0xfff9\n"), "race.lds",
     "ds_read_b32 v7", "a barrier between", 0, 2, false, NULL},
    /* a flat load that is atomic by its scope */
    {"gfx942", 64,
     "s_mov_b64 s[16:17], src_shared_base\nv_mov_b32 v10, 0xfc\nv_mov_b32 v11, s17\n" FLAG(
         W0 SET, "flat_load_dword v7, v[10:11] sc0\ns_waitcnt vmcnt(0) lgkmcnt(0)\n" R0),
     NULL, NULL, NULL, -1, 2, false, NULL},
    /* a loop around compare-and-swap begins with a load; a store beside it is a race */
    {"gfx90a", 64,
     OWN FIRST(W90) WAIT BAR "ds_read_b32 v6, v5\ns_waitcnt lgkmcnt(0)\nds_cmpst_rtn_b32 v7, v5, v6, v1\n", NULL, NULL,
     NULL, -1, 2, false, NULL},
    {"gfx90a", 64, OWN FIRST(W90) WAIT BAR "ds_cmpst_b32 v5, v1, v1\n" SECOND(W90), "race.lds", "ds_write_b32",
     "a barrier between", 0, 2, false, "which wave 0, lane 0 updated"},
    /* lanes of one store */
    {"gfx90a", 64, "ds_write_b32 v1, v0", "race.lds-lanes", "ds_write_b32", "have one lane write it", 1, 1, false,
     "writes LDS byte 0x0, to which lane 0"},
    {"gfx90a", 64, "ds_write_b32 v1, v1", NULL, NULL, NULL, -1, 1, false, NULL},
    {"gfx90a", 64, "v_lshrrev_b32 v5, 2, v0\nds_write_b8 v5, v0", "race.lds-lanes", "ds_write_b8", "have one lane", 1,
     1, false, NULL},
    {"gfx90a", 64, "v_lshrrev_b32 v5, 2, v0\nds_write_b8_d16_hi v5, v0", NULL, NULL, NULL, -1, 1, false, NULL},
    {"gfx90a", 64, "v_lshlrev_b32 v5, 1, v0\nds_write2_b32 v5, v0, v1 offset0:0 offset1:1", "race.lds-lanes",
     "ds_write2_b32", "have one lane", 1, 1, false, NULL},
    /* RDNA4: signalled and waited for apart */
    {"gfx1201", 32, OWN12 W12, "race.lds", "ds_store_b32", "a barrier between", 0, 2, false, NULL},
    {"gfx1201", 32,
     OWN12 "v_cmp_gt_u32 vcc_lo, 32, v0\ns_and_saveexec_b32 s8, vcc_lo\n" W12
           "s_wait_dscnt 0x0\ns_mov_b32 exec_lo, s8\n" SIG12 BAR12
           "v_cmp_le_u32 vcc_lo, 32, v0\ns_and_b32 exec_lo, exec_lo, vcc_lo\n" R12,
     NULL, NULL, NULL, -1, 2, false, NULL},
    {"gfx1201", 32,
     OWN12 "v_cmp_gt_u32 vcc_lo, 32, v0\ns_and_saveexec_b32 s8, vcc_lo\n" SIG12 W12
           "s_wait_dscnt 0x0\ns_mov_b32 exec_lo, s8\n" BAR12
           "v_cmp_le_u32 vcc_lo, 32, v0\ns_and_b32 exec_lo, exec_lo, vcc_lo\n" R12,
     "race.lds", "ds_load_b32", "a barrier between", 0, 2, false, "which wave 0, lane 0 wrote"},
    {"gfx1201", 32,
     OWN12 "v_cmp_gt_u32 vcc_lo, 32, v0\ns_and_saveexec_b32 s8, vcc_lo\n" W12 "s_mov_b32 exec_lo, s8\n" SIG12
           "s_wait_dscnt 0x0\n" BAR12 "v_cmp_le_u32 vcc_lo, 32, v0\ns_and_b32 exec_lo, exec_lo, vcc_lo\n" R12,
     "race.lds", "ds_load_b32", "a wait for LDS ahead", 0, 2, false, NULL},
    {"gfx1030", 32, OWN12 "ds_write_b32 v5, v1", "race.lds", "ds_write_b32", "a barrier between", 0, 2, false, NULL},
    {"gfx1030", 32,
     OWN12 "s_mov_b32 m0, -1\nv_cmp_gt_u32 vcc_lo, 32, v0\ns_and_saveexec_b32 s8, vcc_lo\nds_write_b32 v5, v1\n" WAIT
           "s_mov_b32 exec_lo, s8\n" BAR "ds_read_b32 v6, v5",
     NULL, NULL, NULL, -1, 2, false, NULL},
    {"gfx803", 64, OWN W90, "race.lds", "ds_write_b32", "a barrier between", 0, 2, false, NULL},
    {"gfx908", 64, OWN FIRST(W90) WAIT BAR SECOND(R90), NULL, NULL, NULL, -1, 2, false, NULL},
};

/* From memory to LDS, a dword a lane from byte 0 on; gfx908 has it in buffer instructions alone. */
#define M0   "s_mov_b32 m0, 0\ns_nop 0\n"
#define B908 "buffer_load_dword off, s[12:15], 0 lds\n"
#define G942 "global_load_lds_dword v[2:3], off\n"
#define LOAD "global_load_dword v7, v[2:3], off\n"
#define VM0  "s_waitcnt vmcnt(0)\n"
#define LOW  "s_mov_b32 exec_hi, 0\n"
#define HIGH "s_mov_b64 exec, s[8:9]\ns_mov_b32 exec_lo, 0\n"
/* clang-format off */
#define MOVES(T, D, NAME)                                                                                              \
    /* the wave itself: read, overwritten; as many later ones may be under way as the fix says */                      \
    {T, 64, OWN M0 D R90, "wait.lds", "ds_read_b32", "s_waitcnt vmcnt(0) before it", 0, 1, false,                      \
     "reads LDS byte 0x0 while it is still being written by '" NAME},                                                  \
    {T, 64, OWN M0 D VM0 R90, NULL, NULL, NULL, -1, 1},                                                                \
    {T, 64, OWN M0 D WAIT R90, "wait.lds", "ds_read_b32", "s_waitcnt vmcnt(0)", 0, 1},                                 \
    {T, 64, OWN M0 D LOAD LOAD R90, "wait.lds", "ds_read_b32", "s_waitcnt vmcnt(2)", 0, 1},                            \
    {T, 64, OWN M0 D LOAD LOAD "s_waitcnt vmcnt(2)\n" R90, NULL, NULL, NULL, -1, 1},                                   \
    {T, 64, OWN M0 D LOAD LOAD "s_waitcnt vmcnt(3)\n" R90, "wait.lds", "ds_read_b32", "s_waitcnt vmcnt(2)", 0, 1},     \
    {T, 64, OWN M0 D W90, "wait.lds", "ds_write_b32", "s_waitcnt vmcnt(0)", 0, 1, false,                               \
     "writes LDS byte 0x0 while it is still being written"},                                                           \
    {T, 64, OWN M0 D VM0 W90, NULL, NULL, NULL, -1, 1},                                                                \
    {T, 64, OWN M0 D "ds_add_u32 v5, v1", "wait.lds", "ds_add_u32", "s_waitcnt vmcnt(0)", 0, 1},                       \
    /* what was ahead of it has been at LDS; they are in order; other bytes */                                         \
    {T, 64, OWN M0 W90 R90 D D, NULL, NULL, NULL, -1, 1},                                                              \
    {T, 64, OWN M0 "s_mov_b64 s[8:9], exec\n" LOW D HIGH W90 R90, NULL, NULL, NULL, -1, 1},                            \
    /* its bytes are written, others not */                                                                            \
    {T, 64, OWN M0 "s_mov_b64 s[8:9], exec\n" LOW D HIGH VM0 R90, "undefined.lds", "ds_read_b32",                      \
     "write LDS byte 0x80", 32, 1},                                                                                    \
    /* another wave: a barrier, and the wait ahead of it */                                                            \
    {T, 64, OWN M0 FIRST(D) VM0 BAR SECOND(R90), NULL, NULL, NULL, -1, 2},                                             \
    {T, 64, OWN M0 FIRST(D) WAIT BAR SECOND(R90), "race.lds", "ds_read_b32", "a wait for vmcnt ahead", 0, 2, false,    \
     "which wave 0, lane 0 wrote with '" NAME},                                                                        \
    {T, 64, OWN M0 FIRST(D) WAIT BAR VM0 SECOND(R90), "race.lds", "ds_read_b32", "a wait for vmcnt ahead", 0, 2},      \
    {T, 64, OWN M0 FIRST(D) VM0 SECOND(R90), "race.lds", "ds_read_b32", "a barrier between", 0, 2},                    \
    {T, 64, OWN M0 D, "race.lds", NAME, "a barrier between", 0, 2, false, "writes LDS byte 0x0, which wave 0"},        \
    {T, 64, OWN M0 FIRST(W90) WAIT BAR SECOND(R90) WAIT BAR FIRST(D), NULL, NULL, NULL, -1, 2},                        \
    {T, 64, OWN M0 FIRST(W90) WAIT BAR SECOND(R90) BAR FIRST(D), "race.lds", NAME, "a wait for LDS ahead", 0, 2,       \
     false, "writes LDS byte 0x0, which wave 1, lane 0 read"},                                                         \
    /* two buffers: one is read while the other is being filled */                                                     \
    {T, 64, OWN M0 FIRST("s_mov_b32 exec_lo, 0\n" W90) FIRST("s_mov_b32 exec_hi, 0\n" D)  \
     WAIT BAR "s_mov_b32 exec_lo, 0\n" R90, NULL, NULL, NULL, -1, 2}
/* clang-format on */

#define X4   "s_mov_b32 m0, 0\ns_nop 0\ns_mov_b64 exec, 15\nglobal_load_lds_dwordx4 v[2:3], off\n"
#define A128 "s_mov_b32 exec_lo, 1\nglobal_load_async_to_lds_b128 v1, v[2:3], off\n"
/* the second wave goes on after the barrier */
#define ASYNC_BY_FIRST(WAITS)                                                                                          \
    "v_cmp_gt_u32 vcc_lo, 32, v0\ns_and_saveexec_b32 s8, vcc_lo\nglobal_load_async_to_lds_b32 v1, v[2:3], off\n" WAITS \
    "s_mov_b32 exec_lo, s8\n" SIG12 BAR12 "v_cmp_le_u32 vcc_lo, 32, v0\ns_and_b32 exec_lo, exec_lo, vcc_lo\n"

static const struct check_case moved_cases[] = {
    /* four dwords of a lane; the counter of gfx1250 */
    {"gfx950", 64, X4 "s_waitcnt vmcnt(0)\nds_read_b32 v6, v1 offset:12\n", NULL, NULL, NULL, -1, 1, false, NULL},
    {"gfx950", 64, X4 "ds_read_b32 v6, v1 offset:12\n", "wait.lds", "ds_read_b32", "s_waitcnt vmcnt(0)", 0, 1, false,
     "LDS byte 0xc while it is still being written"},
    {"gfx1250", 32, A128 "s_wait_asynccnt 0x0\nds_load_b32 v6, v1 offset:12\n", NULL, NULL, NULL, -1, 1, false, NULL},
    {"gfx1250", 32, A128 "ds_load_b32 v6, v1 offset:12\n", "wait.lds", "ds_load_b32", "s_wait_asynccnt 0x0", 0, 1,
     false, "LDS byte 0xc while it is still being written"},
    {"gfx1250", 32, A128 "s_wait_loadcnt 0x0\nds_store_b32 v1, v1 offset:4\n", "wait.lds", "ds_store_b32",
     "s_wait_asynccnt 0x0", 0, 1, false, NULL},
    {"gfx1250", 32, ASYNC_BY_FIRST("") "ds_load_b32 v6, v1\n", "race.lds", "ds_load_b32",
     "a wait for asynccnt ahead of", 0, 2, false, "which wave 0, lane 31 wrote"},
    {"gfx1250", 32, ASYNC_BY_FIRST("s_wait_asynccnt 0x0\n") "ds_load_b32 v6, v1\n", NULL, NULL, NULL, -1, 2, false,
     NULL},
    MOVES("gfx908", B908, "buffer_load_dword off, s[12:15], 0 lds"),
    MOVES("gfx90a", B908, "buffer_load_dword off, s[12:15], 0 lds"),
    MOVES("gfx942", G942, "global_load_lds_dword v[2:3], off"),
    /* the other way: memory takes from LDS */
    {"gfx908", 64, OWN M0 W90 WAIT "buffer_store_lds_dword s[12:15], 0 lds\n" W90, "wait.lds", "ds_write_b32",
     "s_waitcnt vmcnt(0)", 0, 1, false, "writes LDS byte 0x0 while it is still being read by 'buffer_store_lds_dword"},
    {"gfx908", 64, OWN M0 W90 WAIT "buffer_store_lds_dword s[12:15], 0 lds\n" VM0 W90, NULL, NULL, NULL, -1, 1},
    {"gfx908", 64, OWN M0 W90 WAIT "buffer_store_lds_dword s[12:15], 0 lds\n" R90, NULL, NULL, NULL, -1, 1},
    {"gfx1030", 32, OWN12 "s_mov_b32 m0, 0\n" B908 "ds_read_b32 v6, v5", "wait.lds", "ds_read_b32",
     "s_waitcnt vmcnt(0)", 0, 1},
    {"gfx1030", 32, OWN12 "s_mov_b32 m0, 0\n" B908 VM0 "ds_read_b32 v6, v5", NULL, NULL, NULL, -1, 1},
};

/* gfx1250: copies that asynccnt counts, and barriers in LDS, which v8 has at byte 248, with one arrival to a phase. */
#define A1250      "global_load_async_to_lds_b32 v5, v[2:3], off\n"
#define A1250W     "global_load_async_to_lds_b128 v1, v[2:3], off\n"
#define ST1250     "global_store_async_from_lds_b32 v[2:3], v5, off\n"
#define ASYNC0     "s_wait_asynccnt 0x0\n"
#define ARRIVE     "ds_atomic_barrier_arrive_rtn_b64 v[6:7], v1, v[10:11] offset:248\n"
#define ARRIVES    "ds_atomic_async_barrier_arrive_b64 v1 offset:248\n"
#define ASK        "ds_load_b64 v[6:7], v1 offset:248\n"
#define F12(T)     "v_cmp_gt_u32 vcc_lo, 32, v0\ns_and_saveexec_b32 s8, vcc_lo\n" T "s_mov_b32 exec_lo, s8\n"
#define S12(T)     "v_cmp_le_u32 vcc_lo, 32, v0\ns_and_saveexec_b32 s8, vcc_lo\n" T "s_mov_b32 exec_lo, s8\n"
#define MEET12     "s_wait_dscnt 0x0\n" SIG12 BAR12
#define BEGUN      "v_mov_b32 v10, 1\nv_mov_b32 v11, 0\n" OWN12 F12(W12 "ds_store_b64 v1, v[20:21] offset:248\n") MEET12
#define PASS(A, B) BEGUN F12(A) S12(B)

static const struct check_case async_cases[] = {
    {"gfx1250", 32, OWN12 A1250 R12, "wait.lds", "ds_load_b32", "s_wait_asynccnt 0x0 before it", 0, 1, false,
     "reads LDS byte 0x0 while it is still being written by 'global_load_async_to_lds_b32"},
    {"gfx1250", 32, OWN12 A1250 ASYNC0 R12, NULL, NULL, NULL, -1, 1},
    {"gfx1250", 32, OWN12 A1250 "s_wait_dscnt 0x0\ns_wait_loadcnt 0x0\n" R12, "wait.lds", "ds_load_b32",
     "s_wait_asynccnt 0x0", 0, 1},
    {"gfx1250", 32, OWN12 A1250 "global_load_async_to_lds_b32 v5, v[2:3], off offset:128\n" R12, "wait.lds",
     "ds_load_b32", "s_wait_asynccnt 0x1", 0, 1},
    {"gfx1250", 32, OWN12 A1250 W12, "wait.lds", "ds_store_b32", "s_wait_asynccnt 0x0", 0, 1},
    {"gfx1250", 32, OWN12 W12 "s_wait_dscnt 0x0\n" ST1250 W12, "wait.lds", "ds_store_b32", "s_wait_asynccnt 0x0", 0, 1,
     false, "while it is still being read by 'global_store_async_from_lds_b32"},
    {"gfx1250", 32, OWN12 W12 "s_wait_dscnt 0x0\n" ST1250 ASYNC0 W12, NULL, NULL, NULL, -1, 1},
    /* all of its 16 bytes */
    {"gfx1250", 32, OWN12 "s_mov_b32 exec_lo, 1\n" A1250W "ds_load_b32 v6, v1 offset:12\n", "wait.lds", "ds_load_b32",
     "s_wait_asynccnt 0x0", 0, 1},
    {"gfx1250", 32, OWN12 "s_mov_b32 exec_lo, 1\n" A1250W ASYNC0 "ds_load_b32 v6, v1 offset:12\n", NULL, NULL, NULL, -1,
     1},
    {"gfx950", 64, M0 "s_mov_b64 exec, 1\nglobal_load_lds_dwordx4 v[2:3], off\n" VM0 "ds_read_b32 v6, v1 offset:12\n",
     NULL, NULL, NULL, -1, 1},
    {"gfx950", 64, M0 "s_mov_b64 exec, 1\nglobal_load_lds_dwordx4 v[2:3], off\nds_read_b32 v6, v1 offset:12\n",
     "wait.lds", "ds_read_b32", "s_waitcnt vmcnt(0)", 0, 1},
    /* a byte is a byte here */
    {"gfx1250", 32, "s_mov_b32 exec_lo, 1\nglobal_load_async_to_lds_b8 v1, v[2:3], off\n" ASYNC0 "ds_load_u16 v6, v1\n",
     "undefined.lds", "ds_load_u16", "write LDS byte 0x1", 0, 1},
    /* another wave: a workgroup's barrier, and the wait ahead of it */
    {"gfx1250", 32, OWN12 F12(A1250) ASYNC0 SIG12 BAR12 S12(R12), NULL, NULL, NULL, -1, 2},
    {"gfx1250", 32, OWN12 F12(A1250) SIG12 BAR12 S12(R12), "race.lds", "ds_load_b32", "a wait for asynccnt ahead", 0,
     2},
    /* a barrier in LDS: who has seen it may read what was written ahead of an arrival, not what was after it */
    {"gfx1250", 32, PASS(W12 ARRIVE, ASK R12), NULL, NULL, NULL, -1, 2},
    {"gfx1250", 32, PASS(ARRIVE W12, ASK R12), "race.lds", "ds_load_b32 v6, v5", "a barrier between", 0, 2},
    {"gfx1250", 32, PASS(W12 ARRIVE, R12 ASK), "race.lds", "ds_load_b32 v6, v5", "a barrier between", 0, 2},
    {"gfx1250", 32, PASS(W12 ARRIVE, ARRIVE R12), NULL, NULL, NULL, -1, 2},
    /* an asynchronous one is after the wave's copies; the other kind is not */
    {"gfx1250", 32, PASS(A1250 ARRIVES, ASK R12), NULL, NULL, NULL, -1, 2},
    {"gfx1250", 32, PASS(A1250 ARRIVE, ASK R12), "race.lds", "ds_load_b32 v6, v5", "a barrier between", 0, 2},
    {"gfx1250", 32, PASS(A1250 ASYNC0 ARRIVE, ASK R12), NULL, NULL, NULL, -1, 2},
    {"gfx1250", 32, PASS(ARRIVES A1250, ASK R12), "race.lds", "ds_load_b32 v6, v5", "a barrier between", 0, 2},
    /* setting it up anew while others arrive is a race as ever */
    {"gfx1250", 32, PASS(ARRIVE, "ds_store_b64 v1, v[20:21] offset:248\n"), "race.lds", "ds_store_b64",
     "a barrier between", 0, 2},
};

/* gfx1250: a tensor of 16 dwords of the buffer, which goes to LDS byte 0, once for the wave. */
#define T1250                                                                                                          \
    "s_mov_b32 s24, 1\ns_mov_b32 s25, 0\ns_mov_b32 s26, s0\ns_or_b32 s27, s1, 0x80000000\n"                            \
    "s_mov_b32 s32, 0x20000\ns_mov_b32 s33, 0x100000\ns_mov_b32 s34, 0x10000\ns_mov_b32 s35, 0x100000\n"               \
    "s_mov_b32 s36, 0\ns_mov_b32 s37, 16\ns_mov_b32 s38, 0\ns_mov_b32 s39, 0\n"
#define TLOAD   "tensor_load_to_lds s[24:27], s[32:39]\n"
#define TSTORE  "tensor_store_from_lds s[24:27], s[32:39]\n"
#define TENSOR0 "s_wait_tensorcnt 0x0\n"

static const struct check_case tensor_cases[] = {
    {"gfx1250", 32, T1250 TLOAD "ds_load_b32 v6, v1\n", "wait.lds", "ds_load_b32", "s_wait_tensorcnt 0x0 before it", 0,
     1, false, "reads LDS byte 0x0 while it is still being written by 'tensor_load_to_lds"},
    {"gfx1250", 32, T1250 TLOAD TENSOR0 "ds_load_b32 v6, v1 offset:60\n", NULL, NULL, NULL, -1, 1},
    {"gfx1250", 32, T1250 TLOAD TENSOR0 "ds_load_b32 v6, v1 offset:64\n", "undefined.lds", "ds_load_b32",
     "write LDS byte 0x40", 0, 1},
    {"gfx1250", 32, T1250 TLOAD ASYNC0 "ds_load_b32 v6, v1\n", "wait.lds", "ds_load_b32", "s_wait_tensorcnt 0x0", 0, 1},
    {"gfx1250", 32, T1250 TLOAD "s_mov_b32 s25, 0x80\n" TLOAD "ds_load_b32 v6, v1\n", "wait.lds", "ds_load_b32",
     "s_wait_tensorcnt 0x1", 0, 1},
    {"gfx1250", 32, OWN12 W12 "s_wait_dscnt 0x0\n" T1250 TSTORE W12, "wait.lds", "ds_store_b32", "s_wait_tensorcnt 0x0",
     0, 1, false, "while it is still being read by 'tensor_store_from_lds"},
    {"gfx1250", 32, T1250 TSTORE, "undefined.lds", "tensor_store_from_lds", "write LDS byte 0x0", 0, 1},
    /* two waves copy to one place */
    {"gfx1250", 32, T1250 TLOAD, "race.lds", "tensor_load_to_lds", "a barrier between", 0, 2},
    /* its end is not inside LDS, and is not moved */
    {"gfx1250", 32, T1250 "s_movk_i32 s25, 0xd0\n" TLOAD, "bounds.lds", "tensor_load_to_lds", "allocate more LDS", -1,
     1, false, "writes 4 bytes at LDS byte 0x100, outside the 256 that the workgroup has"},
    {"gfx1250", 32, "v_mov_b32 v5, 0x100\n" A1250, "bounds.lds", "global_load_async_to_lds_b32", "allocate more LDS", 0,
     1, false, "writes 4 bytes at LDS byte 0x100, outside"},
    {"gfx1250", 32, T1250 "s_movk_i32 s25, 0xc0\n" TLOAD, NULL, NULL, NULL, -1, 1},
};

/* The first wave's 1 KiB as a swizzled buffer: 4 rows of the lanes' dwords. */
#define STACK "s_mov_b32 s8, s4\ns_or_b32 s9, s5, 0x80000000\ns_mov_b32 s10, -1\ns_mov_b32 s11, 0xe00000\n"

static const struct check_case bounds_cases[] = {
    {"gfx90a", 64, "v_mov_b32 v5, 0x100\nds_write_b32 v5, v1", "bounds.lds", "ds_write_b32", "allocate more LDS", 0, 1,
     false, "writes 4 bytes at LDS byte 0x100, outside the 256 that the workgroup has"},
    {"gfx90a", 64, "v_mov_b32 v5, 0xfc\nds_write_b32 v5, v1", NULL, NULL, NULL, -1, 1, false, NULL},
    {"gfx90a", 64, "v_mov_b32 v5, 0xfc\nds_write_b32 v5, v1\nds_read_u16 v6, v5 offset:3", "bounds.lds", "ds_read_u16",
     "allocate", 0, 1, false, "reads 2 bytes at LDS byte 0xff"},
    {"gfx1201", 32, "v_lshlrev_b32 v5, 3, v0\nds_store_b64 v5, v[4:5] offset:8", "bounds.lds", "ds_store_b64",
     "allocate", 31, 1, false, "0x100"},
    {"gfx1201", 32, "v_lshlrev_b32 v5, 3, v0\nds_store_b64 v5, v[4:5]", NULL, NULL, NULL, -1, 1, false, NULL},
    {"gfx1201", 32, "ds_store_2addr_b32 v1, v1, v1 offset0:0 offset1:64", "bounds.lds", "ds_store_2addr_b32",
     "allocate", 0, 1, false, "0x100"},
    /* the first wave's scratch */
    {"gfx90a", 64, "v_mov_b32 v4, s4\nv_mov_b32 v5, s5\nglobal_store_dword v[4:5], v1, off", "bounds.scratch",
     "global_store_dword", "allocate more scratch", 0, 2, false, "scratch of another wave"},
    {"gfx90a", 64, "v_mov_b32 v4, s4\nv_mov_b32 v5, s5\nglobal_store_dword v[4:5], v1, off", NULL, NULL, NULL, -1, 1},
    {"gfx90a", 64, "v_mov_b32 v4, s4\nv_mov_b32 v5, s5\nglobal_load_dword v6, v[4:5], off offset:1024",
     "bounds.scratch", "global_load_dword", "allocate more scratch", 0, 2, false, "reads 4 bytes"},
    {"gfx1201", 32, "scratch_store_b32 v1, v1, off", NULL, NULL, NULL, -1, 2},
    /* the second dword of every lane is in a row that is the next wave's */
    {"gfx90a", 64, STACK "buffer_store_dwordx2 v[2:3], off, s[8:11], 0 offset:12", "bounds.scratch",
     "buffer_store_dwordx2", "allocate more scratch", 0, 2, false, "scratch of another wave"},
    {"gfx90a", 64, STACK "buffer_store_dwordx2 v[2:3], off, s[8:11], 0 offset:8", NULL, NULL, NULL, -1, 1},
    /* gfx8: M0 is a bound as well */
    {"gfx803", 64, "s_mov_b32 m0, 128\ns_nop 0\nv_mov_b32 v5, 0x80\nds_write_b32 v5, v1", "bounds.lds", "ds_write_b32",
     "write the size of LDS, or -1, to M0", 0, 1, false, "outside the 128 that M0 allows"},
    {"gfx803", 64, "s_mov_b32 m0, 128\ns_nop 0\nv_mov_b32 v5, 0x7c\nds_write_b32 v5, v1", NULL, NULL, NULL, -1, 1,
     false, NULL},
};

static void races(void **state)
{
    (void)state;
    check_cases(cases, CHECK_COUNT(cases));
}

static void moves(void **state)
{
    (void)state;
    check_cases(moved_cases, CHECK_COUNT(moved_cases));
}

static void async(void **state)
{
    (void)state;
    check_cases(async_cases, CHECK_COUNT(async_cases));
}

static void tensors(void **state)
{
    (void)state;
    check_cases(tensor_cases, CHECK_COUNT(tensor_cases));
}

static void bounds(void **state)
{
    (void)state;
    check_cases(bounds_cases, CHECK_COUNT(bounds_cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(races), cmocka_unit_test(moves), cmocka_unit_test(async),
                                       cmocka_unit_test(tensors), cmocka_unit_test(bounds)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
