/* gcnsim run --check: races between workgroups. Workgroups of one wave, where not said otherwise, which run one after
 * the other: what the first does has happened when the next one begins. Sequences that order them are those of LLVM
 * 19's AMDGPUUsage, "Memory Model", as clang-19 generates them for atomics and fences of the device's scope. */
#define CHECK_WORDS_FILE "tests/unit/check/words/global.inc"
#include "tests/unit/check/check_rig.h"

/* Lanes are active in workgroup N alone. */
#define IN(N)   "s_cmp_eq_u32 s20, " #N "\ns_cselect_b64 exec, -1, 0\n"
#define IN32(N) "s_cmp_eq_u32 s20, " #N "\ns_cselect_b32 exec_lo, -1, 0\n"

#define RACE        "race.global"
#define NO_ORDER    "a release behind the store and an acquire ahead of the other, at device scope"
#define NONE        NULL, NULL, NULL, -1, 1
#define FOUND(A, F) RACE, A, F, -1, 1

/* Data are the dword at v[2:3], flags the one 64 bytes after it. */

/* v[10:11]: a dword for each lane; v[4:5]: one each 32 bytes */
#define LANES   "v_lshlrev_b32 v8, 2, v0\nv_add_co_u32 v10, vcc, v2, v8\nv_mov_b32 v11, v3\n"
#define LANES10 "v_lshlrev_b32 v8, 2, v0\nv_add_nc_u32 v10, v2, v8\nv_mov_b32 v11, v3\n"
#define WLANES  "global_store_dword v[10:11], v1, off\n"
#define FAR     "v_lshlrev_b32 v8, 5, v0\nv_add_co_u32 v4, vcc, v2, v8\nv_mov_b32 v5, v3\n"
/* gfx8: flat alone, the flag at v[4:5] */
#define FLAG8 "v_add_u32 v4, vcc, 64, v2\nv_mov_b32 v5, v3\n"
#define W8    "flat_store_dword v[2:3], v1\n"
#define R8    "flat_load_dword v6, v[2:3]\ns_waitcnt vmcnt(0) lgkmcnt(0)\n"
#define WF8   "flat_store_dword v[4:5], v1\n"
#define RF8   "flat_load_dword v6, v[4:5] glc\ns_waitcnt vmcnt(0) lgkmcnt(0)\n"
/* gfx90a */
#define W9     "global_store_dword v[2:3], v1, off\n"
#define R9     "global_load_dword v6, v[2:3], off\ns_waitcnt vmcnt(0)\n"
#define WF9    "global_store_dword v[2:3], v1, off offset:64\n"
#define RF9    "global_load_dword v6, v[2:3], off offset:64 glc\ns_waitcnt vmcnt(0)\n"
#define ADD9   "global_atomic_add v6, v[2:3], v1, off offset:64 glc\n"
#define WAIT9  "s_waitcnt vmcnt(0)\n"
#define PLAIN9 "global_store_dword v[2:3], v1, off offset:128\n"
#define INV9   "buffer_wbinvl1_vol\n"
/* gfx942 */
#define WF94  "global_store_dword v[2:3], v1, off offset:64 sc1\n"
#define RF94  "global_load_dword v6, v[2:3], off offset:64 sc1\ns_waitcnt vmcnt(0)\n"
#define ADD94 "global_atomic_add v6, v[2:3], v1, off offset:64 sc0\n"
#define WB94  "buffer_wbl2 sc1\n"
#define INV94 "buffer_inv sc1\n"
/* gfx1030 */
#define RF10   "global_load_dword v6, v[2:3], off offset:64 glc dlc\ns_waitcnt vmcnt(0)\n"
#define WAIT10 "s_waitcnt_vscnt null, 0x0\n"
#define INV10  "buffer_gl1_inv\nbuffer_gl0_inv\n"
/* gfx1100 */
#define W11  "global_store_b32 v[2:3], v1, off\n"
#define R11  "global_load_b32 v6, v[2:3], off\ns_waitcnt vmcnt(0)\n"
#define WF11 "global_store_b32 v[2:3], v1, off offset:64\n"
#define RF11 "global_load_b32 v6, v[2:3], off offset:64 glc\ns_waitcnt vmcnt(0)\n"
/* gfx1201 */
#define R12     "global_load_b32 v6, v[2:3], off\ns_wait_loadcnt 0x0\n"
#define WF12    "global_store_b32 v[2:3], v1, off offset:64 scope:SCOPE_DEV\n"
#define RF12    "global_load_b32 v6, v[2:3], off offset:64 scope:SCOPE_DEV\ns_wait_loadcnt 0x0\n"
#define WAIT12  "s_wait_storecnt 0x0\n"
#define WB12    "global_wb scope:SCOPE_DEV\n"
#define PLAIN12 "global_store_b32 v[2:3], v1, off offset:128\n"
#define INV12   "global_inv scope:SCOPE_DEV\n"

static const struct check_case flags[] = {
    /* a flag, as clang has it */
    {"gfx803", 64, FLAG8 IN(0) W8 WAIT9 WF8 IN(1) RF8 INV9 R8, NONE, .groups = 2},
    {"gfx90a", 64, IN(0) W9 WAIT9 WF9 IN(1) RF9 INV9 R9, NONE, .groups = 2},
    {"gfx942", 64, IN(0) W9 WB94 WAIT9 WF94 IN(1) RF94 INV94 R9, NONE, .groups = 2},
    {"gfx1030", 32, IN32(0) W9 WAIT10 WF9 IN32(1) RF10 INV10 R9, NONE, .groups = 2},
    {"gfx1030", 64, IN(0) W9 WAIT10 WF9 IN(1) RF10 INV10 R9, NONE, .groups = 2},
    {"gfx1100", 32, IN32(0) W11 WAIT10 WF11 IN32(1) RF11 INV10 R11, NONE, .groups = 2},
    {"gfx1201", 32, IN32(0) W11 WB12 WAIT12 WF12 IN32(1) RF12 INV12 R12, NONE, .groups = 2},
    {"gfx950", 64, IN(0) W9 WB94 WAIT9 WF94 IN(1) RF94 INV94 R9, NONE, .groups = 2},
    /* stores to scratch, plain ones and a write-back of L2 for the host between the wait and the flag */
    {"gfx1201", 32, IN32(0) W11 WAIT12 "scratch_store_b32 off, v1, off\n" WF12 IN32(1) RF12 INV12 R12, NONE,
     .groups = 2},
    {"gfx1201", 32, IN32(0) W11 WAIT12 "global_wb scope:SCOPE_SYS\n" WF12 IN32(1) RF12 INV12 R12, NONE, .groups = 2},
    {"gfx1201", 32, IN32(0) W11 WAIT12 PLAIN12 WF12 IN32(1) RF12 INV12 R12, NONE, .groups = 2},
    {"gfx942", 64, IN(0) W9 WB94 WAIT9 PLAIN9 WF94 IN(1) RF94 INV94 R9, NONE, .groups = 2},
    /* of which the plain ones are not released, nor what comes after them */
    {"gfx1201", 32, IN32(0) W11 WAIT12 PLAIN12 WF12 IN32(1) RF12 INV12 "global_load_b32 v7, v[2:3], off offset:128\n",
     FOUND("global_load_b32 v7", "s_wait_storecnt 0x0 behind"), .groups = 2},
    {"gfx942", 64, IN(0) PLAIN9 W9 WF94 IN(1) RF94 INV94 R9, FOUND("global_load_dword v6", "buffer_wbl2 sc1"),
     .groups = 2},
    /* none */
    {"gfx803", 64, IN(0) W8 IN(1) R8, FOUND("flat_load_dword v6", NO_ORDER), .groups = 2,
     .says = "(buffer + 0x0), which wave 0 of workgroup 0 wrote with 'flat_store_dword v[2:3], v1'"},
    {"gfx90a", 64, IN(0) W9 IN(1) R9, FOUND("global_load_dword v6", NO_ORDER), .groups = 2},
    {"gfx942", 64, IN(0) W9 IN(1) R9, FOUND("global_load_dword v6", NO_ORDER), .groups = 2},
    {"gfx950", 64, IN(0) W9 IN(1) R9, FOUND("global_load_dword v6", NO_ORDER), .groups = 2},
    {"gfx1030", 32, IN32(0) W9 IN32(1) R9, FOUND("global_load_dword v6", NO_ORDER), .groups = 2},
    {"gfx1100", 32, IN32(0) W11 IN32(1) R11, FOUND("global_load_b32 v6", NO_ORDER), .groups = 2},
    {"gfx1201", 32, IN32(0) W11 IN32(1) R12, FOUND("global_load_b32 v6", NO_ORDER), .groups = 2},
    /* the reader has come first: it is reported all the same */
    {"gfx90a", 64, IN(1) W9 IN(0) R9, FOUND("global_load_dword v6", NO_ORDER), .groups = 2,
     .says = "which wave 0 of workgroup 1 wrote"},
    /* no wait ahead of the flag */
    {"gfx803", 64, FLAG8 IN(0) W8 WF8 IN(1) RF8 INV9 R8,
     FOUND("flat_load_dword v6", "s_waitcnt vmcnt(0) behind the store"), .groups = 2},
    {"gfx90a", 64, IN(0) W9 WF9 IN(1) RF9 INV9 R9, FOUND("global_load_dword v6", "s_waitcnt vmcnt(0) behind the store"),
     .groups = 2},
    {"gfx90a", 64, IN(0) W9 R9 WF9 IN(1) RF9 INV9 R9, NONE, .groups = 2},
    {"gfx90a", 64, IN(0) W9 "s_waitcnt vmcnt(1)\n" WF9 IN(1) RF9 INV9 R9, FOUND("global_load_dword v6", "vmcnt(0)"),
     .groups = 2},
    {"gfx942", 64, IN(0) W9 WB94 WF94 IN(1) RF94 INV94 R9, FOUND("global_load_dword v6", "buffer_wbl2 sc1, s_waitcnt"),
     .groups = 2},
    {"gfx950", 64, IN(0) W9 WB94 WF94 IN(1) RF94 INV94 R9, FOUND("global_load_dword v6", "buffer_wbl2 sc1, s_waitcnt"),
     .groups = 2},
    {"gfx1030", 32, IN32(0) W9 WAIT9 WF9 IN32(1) RF10 INV10 R9,
     FOUND("global_load_dword v6", "s_waitcnt_vscnt null, 0x0 behind the store"), .groups = 2},
    {"gfx1100", 32, IN32(0) W11 WF11 IN32(1) RF11 INV10 R11,
     FOUND("global_load_b32 v6", "s_waitcnt_vscnt null, 0x0 behind the store"), .groups = 2},
    {"gfx1201", 32, IN32(0) W11 WB12 WF12 IN32(1) RF12 INV12 R12,
     FOUND("global_load_b32 v6", "s_wait_storecnt 0x0 behind the store"), .groups = 2},
    /* the flag first */
    {"gfx90a", 64, IN(0) WF9 WAIT9 W9 IN(1) RF9 INV9 R9, FOUND("global_load_dword v6", "vmcnt(0) behind the store"),
     .groups = 2},
    /* L2 is not written back, or by an instruction that does not reach it; nothing plain is in it */
    {"gfx942", 64, IN(0) W9 WAIT9 WF94 IN(1) RF94 INV94 R9, FOUND("global_load_dword v6", "buffer_wbl2 sc1"),
     .groups = 2},
    {"gfx950", 64, IN(0) W9 WAIT9 WF94 IN(1) RF94 INV94 R9, FOUND("global_load_dword v6", "buffer_wbl2 sc1"),
     .groups = 2},
    {"gfx942", 64, IN(0) W9 "buffer_wbl2 sc0\n" WAIT9 WF94 IN(1) RF94 INV94 R9,
     FOUND("global_load_dword v6", "buffer_wbl2 sc1"), .groups = 2},
    {"gfx942", 64, IN(0) WB94 W9 WAIT9 WF94 IN(1) RF94 INV94 R9, FOUND("global_load_dword v6", "buffer_wbl2 sc1"),
     .groups = 2},
    {"gfx942", 64, IN(0) "global_store_dword v[2:3], v1, off sc1\n" WAIT9 WF94 IN(1) RF94 INV94 R9, NONE, .groups = 2},
    /* no invalidation, or too narrow a one */
    {"gfx803", 64, FLAG8 IN(0) W8 WAIT9 WF8 IN(1) RF8 R8,
     FOUND("flat_load_dword v6", "buffer_wbinvl1_vol, ahead of the load"), .groups = 2},
    {"gfx90a", 64, IN(0) W9 WAIT9 WF9 IN(1) RF9 R9,
     FOUND("global_load_dword v6", "buffer_wbinvl1_vol, ahead of the load"), .groups = 2},
    {"gfx90a", 64, IN(0) W9 WAIT9 WF9 IN(1) INV9 RF9 R9, FOUND("global_load_dword v6", "buffer_wbinvl1_vol"),
     .groups = 2},
    {"gfx942", 64, IN(0) W9 WB94 WAIT9 WF94 IN(1) RF94 "buffer_inv sc0\n" R9,
     FOUND("global_load_dword v6", "buffer_inv sc1"), .groups = 2},
    {"gfx950", 64, IN(0) W9 WB94 WAIT9 WF94 IN(1) RF94 "buffer_inv sc0\n" R9,
     FOUND("global_load_dword v6", "buffer_inv sc1"), .groups = 2},
    {"gfx1030", 32, IN32(0) W9 WAIT10 WF9 IN32(1) RF10 "buffer_gl0_inv\n" R9,
     FOUND("global_load_dword v6", "glc dlc or a returning atomic, then buffer_gl1_inv, buffer_gl0_inv"), .groups = 2},
    {"gfx1030", 32, IN32(0) W9 WAIT10 WF9 IN32(1) RF10 "buffer_gl1_inv\n" R9,
     FOUND("global_load_dword v6", "buffer_gl0_inv"), .groups = 2},
    {"gfx1100", 32, IN32(0) W11 WAIT10 WF11 IN32(1) RF11 "buffer_gl0_inv\n" R11,
     FOUND("global_load_b32 v6", "buffer_gl1_inv"), .groups = 2},
    {"gfx1201", 32, IN32(0) W11 WB12 WAIT12 WF12 IN32(1) RF12 "global_inv scope:SCOPE_SE\n" R12,
     FOUND("global_load_b32 v6", "global_inv, both scope:SCOPE_DEV"), .groups = 2},
    /* loads that go past the caches need none */
    {"gfx90a", 64, IN(0) W9 WAIT9 WF9 IN(1) RF9 "global_load_dword v6, v[2:3], off glc\n" WAIT9, NONE, .groups = 2},
    {"gfx942", 64, IN(0) W9 WB94 WAIT9 WF94 IN(1) RF94 "global_load_dword v6, v[2:3], off sc1\n" WAIT9, NONE,
     .groups = 2},
    /* a flag that is read plainly; one that is written plainly where there is a bit for it; glc without dlc */
    {"gfx90a", 64, IN(0) WF9 IN(1) "global_load_dword v6, v[2:3], off offset:64\n" WAIT9,
     FOUND("global_load_dword v6", NO_ORDER), .groups = 2},
    {"gfx942", 64, IN(0) "global_store_dword v[2:3], v1, off offset:64\n" IN(1) RF94,
     FOUND("global_load_dword v6", NO_ORDER), .groups = 2},
    {"gfx90a", 64, IN(0) WF9 IN(1) RF9, NONE, .groups = 2},
    {"gfx1030", 32, IN32(0) WF9 IN32(1) "global_load_dword v6, v[2:3], off offset:64 glc\n" WAIT9,
     FOUND("global_load_dword v6", NO_ORDER), .groups = 2},
    /* an overwritten datum that another has read */
    {"gfx90a", 64, IN(0) R9 WF9 IN(1) RF9 INV9 W9, NONE, .groups = 2},
    {"gfx90a", 64, IN(0) WF9 R9 IN(1) RF9 INV9 W9, FOUND("global_load_dword v6", "behind the load"), .groups = 2},
    /* what the first one has released reaches the third by way of the second, and of itself */
    {"gfx90a", 64, IN(0) W9 WAIT9 WF9 IN(2) RF9 INV9 R9, NONE, .groups = 3},
    /* scalar loads */
    {"gfx90a", 64, IN(0) W9 IN(1) "s_load_dword s16, s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\n",
     FOUND("s_load_dword s16", NO_ORDER), .groups = 2},
    {"gfx90a", 64, IN(0) W9 IN(1) "s_load_dword s16, s[0:1], 0x40\ns_waitcnt lgkmcnt(0)\n", NONE, .groups = 2},
};

/* The last workgroup of three adds up; every one has its own dword, but the last reads the first one's. */
#define ROW   "s_lshl_b32 s21, s20, 2\nv_add_co_u32 v4, vcc, s21, v2\nv_mov_b32 v5, v3\n"
#define ROW12 "s_lshl_b32 s21, s20, 2\nv_mov_b32 v5, v3\nv_add_nc_u32 v4, s21, v2\n"
#define WROW  "global_store_dword v[4:5], v1, off\n"

static const struct check_case atomics[] = {
    {"gfx90a", 64, ROW WROW WAIT9 ADD9 WAIT9 INV9 IN(2) R9, NONE, .groups = 3},
    {"gfx90a", 64, ROW WROW ADD9 WAIT9 INV9 IN(2) R9, FOUND("global_load_dword v6", "vmcnt(0) behind the store"),
     .groups = 3},
    {"gfx90a", 64, ROW WROW WAIT9 ADD9 WAIT9 IN(2) R9, FOUND("global_load_dword v6", "buffer_wbinvl1_vol"),
     .groups = 3},
    {"gfx942", 64, ROW WROW WB94 WAIT9 ADD94 WAIT9 INV94 IN(2) R9, NONE, .groups = 3},
    {"gfx942", 64, ROW WROW WAIT9 ADD94 WAIT9 INV94 IN(2) R9, FOUND("global_load_dword v6", "buffer_wbl2 sc1"),
     .groups = 3},
    {"gfx950", 64, ROW WROW WB94 WAIT9 ADD94 WAIT9 INV94 IN(2) R9, NONE, .groups = 3},
    {"gfx950", 64, ROW WROW WB94 WAIT9 ADD94 WAIT9 IN(2) R9,
     FOUND("global_load_dword v6", "buffer_inv sc1, ahead of the load"), .groups = 3},
    {"gfx1201", 32,
     ROW12 "global_store_b32 v[4:5], v1, off\n" WAIT12
           "global_atomic_add_u32 v6, v[2:3], v1, off offset:64 th:TH_ATOMIC_RETURN scope:SCOPE_DEV\n"
           "s_wait_loadcnt 0x0\n" INV12 IN32(2) R12,
     NONE, .groups = 3},
    /* atomics of the workgroup's scope: no other than the device's up to RDNA3 */
    {"gfx90a", 64, ADD9 WAIT9, NONE, .groups = 3},
    {"gfx1100", 32, "global_atomic_add_u32 v[2:3], v1, off\n", NONE, .groups = 3},
    {"gfx1201", 32, "global_atomic_add_u32 v[2:3], v1, off scope:SCOPE_DEV\n", NONE, .groups = 3},
    {"gfx1201", 32, "global_atomic_add_u32 v[2:3], v1, off\n", NONE, .groups = 3},
    {"gfx1201", 32, "global_atomic_add_u32 v[2:3], v1, off scope:SCOPE_SE\n",
     FOUND("global_atomic_add_u32", "scope:SCOPE_DEV on the atomic"), .groups = 3},
    /* one that is read, or written, plainly */
    {"gfx90a", 64, IN(0) "global_atomic_add v[2:3], v1, off\n" IN(1) R9,
     FOUND("global_load_dword v6", "buffer_wbinvl1_vol, ahead of the load"), .groups = 2},
    {"gfx90a", 64, IN(0) "global_atomic_add v[2:3], v1, off\n" IN(1) W9, NONE, .groups = 2},
    {"gfx942", 64, IN(0) "global_atomic_add v[2:3], v1, off\n" IN(1) W9,
     FOUND("global_store_dword", "buffer_inv sc1, ahead of the store"), .groups = 2},
    /* a lock that is given back by a store */
    {"gfx90a", 64, "global_atomic_cmpswap v6, v[2:3], v[8:9], off offset:64 glc\n" WAIT9 INV9 R9 W9 WAIT9 WF9, NONE,
     .groups = 3},
    {"gfx90a", 64, LANES "global_atomic_cmpswap v6, v[2:3], v[8:9], off offset:64 glc\n" WAIT9 INV9 WLANES WF9,
     FOUND("global_store_dword v[10:11], v1, off", "vmcnt(0) behind the store"), .groups = 3},
    /* a loop of compare-and-swap that begins with a plain load; one that only loads */
    {"gfx90a", 64,
     "global_load_dword v8, v[2:3], off\n" WAIT9 "global_atomic_cmpswap v6, v[2:3], v[8:9], off glc\n" WAIT9, NONE,
     .groups = 3},
    {"gfx90a", 64, IN(0) "global_atomic_cmpswap v6, v[2:3], v[8:9], off glc\n" WAIT9 IN(1) R9,
     FOUND("global_load_dword v6", "buffer_wbinvl1_vol"), .groups = 2},
    /* state and value in one word of 64 bits, relaxed */
    {"gfx90a", 64,
     IN(0) "global_store_dwordx2 v[2:3], v[8:9], off\n" IN(1) "global_load_dwordx2 v[6:7], v[2:3], off glc\n" WAIT9
                                                              "global_store_dwordx2 v[2:3], v[6:7], off offset:8\n",
     NONE, .groups = 2},
    {"gfx942", 64,
     IN(0) "global_store_dwordx2 v[2:3], v[8:9], off sc1\n" IN(
         1) "global_load_dwordx2 v[6:7], v[2:3], off sc1\n" WAIT9
            "global_store_dwordx2 v[2:3], v[6:7], off offset:8 sc1\n",
     NONE, .groups = 2},
};

/* so that the buffer's block of 256 bytes begins at v[2:3] */
#define ENDS "v_add_co_u32 v2, vcc, 0xff, v2\nv_and_b32 v2, 0xffffff00, v2\n"
#define BYTE "v_add_co_u32 v4, vcc, s20, v2\nv_mov_b32 v5, v3\n"

static const struct check_case places[] = {
    /* neighbouring bytes, halves of a dword and dwords */
    {"gfx90a", 64, BYTE "global_store_byte v[4:5], v1, off\nglobal_load_ubyte v6, v[4:5], off\n" WAIT9, NONE,
     .groups = 8},
    {"gfx90a", 64, "s_lshl_b32 s20, s20, 1\ns_nop 0\n" BYTE "global_store_short v[4:5], v1, off\n", NONE, .groups = 4},
    {"gfx942", 64, ROW WROW, NONE, .groups = 70},
    /* the same byte, alone and as part of a dword: by stores with bits; without them one word may be a relaxed store's
     */
    {"gfx942", 64, "global_store_byte v[2:3], v1, off offset:3\n",
     FOUND("global_store_byte", "behind the store and an acquire"), .groups = 2, .says = "(buffer + 0x3), which"},
    {"gfx90a", 64, "global_store_byte v[2:3], v1, off offset:3\n", NONE, .groups = 2},
    {"gfx942", 64, IN(0) W9 IN(1) "global_store_byte v[2:3], v1, off offset:3\n", FOUND("global_store_byte", "behind"),
     .groups = 2, .says = "writes"},
    {"gfx942", 64, IN(0) W9 IN(1) "global_store_byte v[2:3], v1, off offset:4\n", NONE, .groups = 2},
    /* lanes side by side are data */
    {"gfx90a", 64, LANES WLANES, FOUND("global_store_dword v[10:11]", "behind the store and an acquire"), .groups = 2},
    {"gfx1030", 64, LANES10 WLANES, FOUND("global_store_dword v[10:11]", "behind the store and an acquire"),
     .groups = 2},
    {"gfx90a", 64, LANES IN(0) WLANES IN(1) W9, FOUND("global_store_dword", "behind the store and an acquire"),
     .groups = 2},
    {"gfx90a", 64, LANES IN(0) WLANES IN(1) RF9, NONE, .groups = 2},
    /* over the end of a dword, of 64 bytes and of a block */
    {"gfx942", 64, IN(0) W9 IN(1) "global_store_short v[2:3], v1, off offset:3\n",
     FOUND("global_store_short", "behind"), .groups = 2},
    {"gfx942", 64,
     IN(0) "global_store_dword v[2:3], v1, off offset:64\n" IN(1) "global_store_short v[2:3], v1, off offset:63\n",
     FOUND("global_store_short", "behind"), .groups = 2, .says = "(buffer + 0x40), which"},
    {"gfx942", 64,
     ENDS IN(0) "global_store_dwordx4 v[2:3], v[8:11], off offset:252\n" IN(
         1) "global_store_byte v[2:3], v1, off offset:256\n",
     FOUND("global_store_byte", "behind"), .groups = 2},
    {"gfx942", 64,
     ENDS IN(0) "global_store_dwordx4 v[2:3], v[8:11], off offset:252\n" IN(
         1) "global_store_byte v[2:3], v1, off offset:268\nglobal_store_byte v[2:3], v1, off offset:251\n",
     NONE, .groups = 2},
    /* lanes far apart */
    {"gfx90a", 64, FAR IN(0) WROW IN(1) "global_load_dword v6, v[4:5], off offset:4\n" WAIT9, NONE, .groups = 2},
    {"gfx90a", 64, FAR IN(0) WROW IN(1) "global_load_dword v6, v[2:3], off offset:2016\n" WAIT9,
     FOUND("global_load_dword v6", NO_ORDER), .groups = 2, .says = "(buffer + 0x7e0), which"},
    /* reads alone; waves of one workgroup */
    {"gfx90a", 64, R9, NONE, .groups = 5},
    {"gfx942", 64, W9 R9, NULL, NULL, NULL, -1, 2},
    /* scratch that the next workgroup is given */
    {"gfx1201", 32, "scratch_store_b32 off, v1, off\nscratch_load_b32 v6, off, off\ns_wait_loadcnt 0x0\n", NONE,
     .groups = 4},
};

/* Both workgroups meet in global wave sync, at resource 0, which the first one sets up: v8 = waves - 1. */
#define MEET                                                                                                           \
    "s_mov_b64 exec, -1\ns_mov_b32 m0, 0\nv_mov_b32 v8, 1\ns_cmp_lg_u32 s20, 0\ns_cbranch_scc1 2\n"                    \
    "ds_gws_init v8 gds\nds_gws_barrier v8 gds\n"
#define WAIT_MEET "s_waitcnt vmcnt(0) lgkmcnt(0)\n"

static const struct check_case meetings[] = {
    {"gfx803", 64, IN(0) W8 WAIT9 MEET WAIT_MEET IN(1) R8, NONE, .groups = 2},
    {"gfx90a", 64, IN(0) W9 WAIT9 MEET WAIT_MEET IN(1) R9, NONE, .groups = 2},
    {"gfx942", 64, IN(0) W9 WB94 WAIT9 MEET WAIT_MEET IN(1) R9, NONE, .groups = 2},
    {"gfx950", 64, IN(0) W9 WB94 WAIT9 MEET WAIT_MEET IN(1) R9, NONE, .groups = 2},
    {"gfx1030", 64, IN(0) W9 WAIT10 MEET WAIT_MEET IN(1) R9, NONE, .groups = 2},
    /* the one that has read goes first, the other then writes */
    {"gfx90a", 64, IN(0) R9 MEET WAIT_MEET IN(1) W9, NONE, .groups = 2},
    /* both are after the meeting; no wait, and no write-back, ahead of it */
    {"gfx90a", 64, MEET WAIT_MEET IN(0) W9 WAIT9 IN(1) R9, FOUND("global_load_dword v6", "behind the store"),
     .groups = 2},
    {"gfx90a", 64, IN(0) W9 MEET WAIT_MEET IN(1) R9, FOUND("global_load_dword v6", "vmcnt(0) behind the store"),
     .groups = 2},
    {"gfx950", 64, IN(0) W9 WAIT9 MEET WAIT_MEET IN(1) R9, FOUND("global_load_dword v6", "buffer_wbl2 sc1"),
     .groups = 2},
};

/* The timing engine, whose events tell of both workgroups side by side. */
static const struct check_case timed[] = {
    {"gfx90a", 64, IN(0) W9 IN(1) R9, FOUND("global_load_dword v6", NO_ORDER), .groups = 2, .timing = true},
    {"gfx1201", 32, IN32(0) W11 IN32(1) R12, FOUND("global_load_b32 v6", NO_ORDER), .groups = 2, .timing = true},
    {"gfx90a", 64, W9 R9, NULL, NULL, NULL, -1, .timing = true},
};

static void flags_between(void **state)
{
    (void)state;
    check_cases(flags, CHECK_COUNT(flags));
}

static void atomics_between(void **state)
{
    (void)state;
    check_cases(atomics, CHECK_COUNT(atomics));
}

static void bytes_apart(void **state)
{
    (void)state;
    check_cases(places, CHECK_COUNT(places));
}

static void meetings_between(void **state)
{
    (void)state;
    check_cases(meetings, CHECK_COUNT(meetings));
}

static void on_the_timing_engine(void **state)
{
    (void)state;
    check_cases(timed, CHECK_COUNT(timed));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(flags_between), cmocka_unit_test(atomics_between),
                                       cmocka_unit_test(bytes_apart), cmocka_unit_test(meetings_between),
                                       cmocka_unit_test(on_the_timing_engine)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
