/* What instructions cost: issue intervals and latencies of the arithmetic units, scalar and front end. */
#include "tests/timing/accuracy/rows.h"

#define GCN1_TO_4                    "gfx803-rx480 gfx900-vega64 gfx906-mi50" /* what CLRX measured, GCN1.0 to GCN1.4, ends with Vega */
#define CDNA                         "gfx908-mi100 gfx90a-mi210 gfx942-mi300x"
#define VEGA                         "gfx900-vega64 gfx906-mi50 " CDNA
#define GCN                          "gfx803-rx480 " VEGA
#define RDNA12                       "gfx1010-rx5700xt gfx1030-rx6900xt"
#define RDNA3                        "gfx1100-rx7900xtx"
#define RDNA4                        "gfx1200-rx9060xt"
#define RDNA34                       RDNA3 " " RDNA4
#define EXACT                        .flags = ACC_EXACT
#define QUICK                        .flags = ACC_QUICK
#define CYCLES(LO, HI, SOURCE, CONF) .lo = LO, .hi = HI, .source = SOURCE, .confidence = CONF
#define COPY(BODY)                   .how = HOW_COPY, .k.body = BODY
#define BLOCK_OF(BODY)               .how = HOW_COPY, .k = {.head = "scc_0", .body = BODY, .copies = 32}
/* ROCm Compute Profiler's example: straight code in workgroups of 1024, as many as a CU takes; on 104 CUs */
#define IPC(BODY, HEAD, N)                                                                                             \
    .how = HOW_IPC, .unit = UNIT_PER_CYCLE, .amount = 104,                                                             \
    .k = {.head = HEAD, .body = BODY, .copies = N, .waves = 16, .groups = 1248}
#define LESS(BODY, OTHER) .how = HOW_LESS, .k.body = BODY, .less = OTHER

/* clang-format off */
static const struct acc_row gcn[] = {
    {"v_add_f32", GCN, CYCLES(4, 4, "rpc, clrx", 'A'), EXACT, COPY("v_add_f32")},
    {"v_add_f32, dependent", GCN, CYCLES(4, 4, "rpc, clrx", 'A'), EXACT, COPY("v_add_f32_dependent")},
    {"v_add_f32, 8-byte encoding", GCN1_TO_4, CYCLES(4, 4, "clrx", 'A'), EXACT, COPY("v_add_f32_e64")},
    {"v_add_f16", GCN1_TO_4, CYCLES(4, 4, "clrx", 'A'), EXACT, COPY("v_add_f16")},
    {"v_pk_fma_f16", "gfx900-vega64 gfx906-mi50", CYCLES(4, 4, "clrx", 'A'), EXACT, COPY("v_pk_fma_f16")},
    {"v_cvt_f32_i32", GCN1_TO_4, CYCLES(4, 4, "clrx", 'A'), EXACT, COPY("v_cvt_f32_i32")},
    {"v_fma_f32", "gfx803-rx480 gfx803-r9nano", CYCLES(16, 16, "clrx, llvm", 'A'), COPY("v_fma_f32")},
    {"v_fma_f32", VEGA, CYCLES(4, 4, "clrx, llvm", 'A'), EXACT, COPY("v_fma_f32")},
    {"v_rcp_f32", GCN1_TO_4, CYCLES(16, 16, "clrx", 'A'), EXACT, COPY("v_rcp_f32")},
    {"v_rsq_f32", GCN1_TO_4, CYCLES(16, 16, "clrx", 'A'), EXACT, COPY("v_rsq_f32")},
    {"v_sqrt_f32", GCN1_TO_4, CYCLES(16, 16, "clrx", 'A'), EXACT, COPY("v_sqrt_f32")},
    {"v_exp_f32", GCN1_TO_4, CYCLES(16, 16, "clrx", 'A'), EXACT, COPY("v_exp_f32")},
    {"v_log_f32", GCN1_TO_4, CYCLES(16, 16, "clrx", 'A'), EXACT, COPY("v_log_f32")},
    {"v_sin_f32", GCN1_TO_4, CYCLES(16, 16, "clrx", 'A'), EXACT, COPY("v_sin_f32")},
    {"v_rcp_f16", GCN1_TO_4, CYCLES(16, 16, "clrx", 'A'), EXACT, COPY("v_rcp_f16")},
    {"v_rcp_f32, measured again", "gfx906-mi50", CYCLES(16.3, 16.3, "gcnasm", 'A'), QUICK, COPY("v_rcp_f32")},
    {"v_mul_lo_u32", "gfx803-rx480", CYCLES(16, 16, "clrx", 'A'), EXACT, COPY("v_mul_lo_u32")},
    {"v_mul_hi_u32", "gfx803-rx480", CYCLES(16, 16, "clrx", 'A'), EXACT, COPY("v_mul_hi_u32")},
    {"v_mul_lo_u32", "gfx906-mi50", CYCLES(8, 8, "gcnasm", 'A'), EXACT, COPY("v_mul_lo_u32")},
    {"v_mul_lo_u32", "gfx90a-mi210 gfx942-mi300x", CYCLES(4, 4, "llvm", 'B'), COPY("v_mul_lo_u32")},
    {"v_mad_u64_u32", GCN1_TO_4, CYCLES(16, 16, "clrx", 'A'), EXACT, COPY("v_mad_u64_u32")},
    {"v_qsad_pk_u16_u8", GCN1_TO_4, CYCLES(16, 16, "clrx", 'A'), COPY("v_qsad_pk_u16_u8")},
    {"v_swap_b32", "gfx906-mi50", CYCLES(8, 8, "gcnasm", 'A'), EXACT, COPY("v_swap_b32")},
    {"v_add_f64", "gfx803-rx480 gfx900-vega64", CYCLES(32, 32, "llvm", 'B'), COPY("v_add_f64")},
    {"v_mul_f64", "gfx803-rx480 gfx900-vega64", CYCLES(64, 64, "llvm", 'B'), COPY("v_mul_f64")},
    {"v_fma_f64", "gfx803-rx480 gfx900-vega64", CYCLES(64, 64, "llvm", 'B'), COPY("v_fma_f64")},
    {"v_add_f64", "gfx906-mi50 gfx908-mi100", CYCLES(8, 8, "llvm", 'B'), COPY("v_add_f64")},
    {"v_mul_f64", "gfx906-mi50 gfx908-mi100", CYCLES(16, 16, "llvm", 'B'), COPY("v_mul_f64")},
    {"v_fma_f64", "gfx906-mi50 gfx908-mi100", CYCLES(16, 16, "llvm", 'B'), COPY("v_fma_f64")},
    {"v_add_f64", "gfx90a-mi210 gfx942-mi300x", CYCLES(4, 4, "llvm", 'B'), COPY("v_add_f64")},
    {"v_fma_f64", "gfx90a-mi210 gfx942-mi300x", CYCLES(4, 4, "llvm", 'B'), COPY("v_fma_f64")},
    {"v_rcp_f64", "gfx803-rx480 gfx900-vega64", CYCLES(64, 64, "llvm", 'B'), COPY("v_rcp_f64")},
    {"v_sqrt_f64", "gfx803-rx480 gfx900-vega64", CYCLES(64, 64, "llvm", 'B'), COPY("v_sqrt_f64")},
    {"v_rcp_f64", "gfx90a-mi210 gfx942-mi300x", CYCLES(16, 16, "llvm", 'B'), COPY("v_rcp_f64")},
    {"s_mov_b32, one wave", GCN, CYCLES(4, 4, "rpc", 'A'), EXACT, COPY("s_mov_b32")},
    {"s_mov_b32, a CU full of waves", GCN, CYCLES(1, 1, "rpc", 'A'), EXACT, .how = HOW_THROUGHPUT, .k = {.body = "s_mov_b32", .waves = 8, .copies = 128}},
    {"v_add_f32, a CU full of waves", GCN, CYCLES(1, 1, "rpc", 'A'), EXACT, .how = HOW_THROUGHPUT, .k = {.body = "v_add_f32", .waves = 8}},
    {"s_or_saveexec_b64", GCN1_TO_4, CYCLES(8, 8, "clrx", 'A'), EXACT, COPY("s_or_saveexec_b64")},
    {"s_setreg_b32", GCN1_TO_4, CYCLES(8, 8, "clrx", 'A'), COPY("s_setreg_b32")},
    {"branch not taken in word 0, rest of its 32 bytes", GCN1_TO_4, CYCLES(32, 32, "clrx", 'A'), EXACT, BLOCK_OF("not_taken_0")},
    {"branch not taken in word 3, rest of its 32 bytes", GCN1_TO_4, CYCLES(32, 32, "clrx", 'A'), EXACT, BLOCK_OF("not_taken_3")},
    {"branch not taken in word 5, rest of its 32 bytes", GCN1_TO_4, CYCLES(40, 40, "clrx", 'A'), EXACT, BLOCK_OF("not_taken_5")},
    {"branch not taken in word 7, rest of its 32 bytes", GCN1_TO_4, CYCLES(48, 48, "clrx", 'A'), EXACT, BLOCK_OF("not_taken_7")},
    {"branch not taken in word 7, rest of its 32 bytes", CDNA, CYCLES(48, 48, "sqtt", 'A'), EXACT, BLOCK_OF("not_taken_7")},
    {"jump to word 0 of 32 bytes, to their end", GCN1_TO_4, CYCLES(52, 52, "clrx", 'A'), EXACT, BLOCK_OF("jump_to_0")},
    {"jump to word 4 of 32 bytes, to their end", GCN1_TO_4, CYCLES(36, 36, "clrx", 'A'), EXACT, BLOCK_OF("jump_to_4")},
    {"jump to word 6 of 32 bytes, to their end", GCN1_TO_4, CYCLES(36, 36, "clrx", 'A'), EXACT, BLOCK_OF("jump_to_6")},
    {"jump to word 7 of 32 bytes, to their end", GCN1_TO_4, CYCLES(36, 36, "clrx", 'A'), EXACT, BLOCK_OF("jump_to_7")},
    {"branch taken", GCN1_TO_4, CYCLES(20, 20, "clrx", 'A'), EXACT, COPY("taken")},
    {"s_cmp and a branch on it, not taken, and 6 s_nop", GCN1_TO_4, CYCLES(36, 36, "clrx", 'A'), COPY("cmp_not_taken")},
    {"v_readlane_b32, s_mov_b32 of it", GCN1_TO_4, CYCLES(20, 20, "clrx", 'A'), COPY("readlane_salu")},
    {"s_load, 1 dword", GCN1_TO_4, CYCLES(4, 4, "clrx", 'A'), EXACT, .how = HOW_COPY, .k = {.body = "s_load_x1", .tail = "wait", .copies = 4}},
    {"s_load, 4 dwords", GCN1_TO_4, CYCLES(4, 4, "clrx", 'A'), QUICK, .how = HOW_COPY, .k = {.body = "s_load_x4", .tail = "wait", .copies = 4}},
    {"s_load, 8 dwords", GCN1_TO_4, CYCLES(8, 8, "clrx", 'A'), .how = HOW_COPY, .k = {.body = "s_load_x8", .tail = "wait", .copies = 4}},
    {"s_load, 16 dwords", GCN1_TO_4, CYCLES(16, 24, "clrx", 'A'), .how = HOW_COPY, .k = {.body = "s_load_x16", .tail = "wait", .copies = 4}},
    {"IPC of v_mov_b32, 1248 workgroups", "gfx90a-mi250", CYCLES(1.0, 1.0, "rpc", 'A'), IPC("v_mov_b32", NULL, 1000)},
    {"IPC of v_mov_b32, one lane of 64", "gfx90a-mi250", CYCLES(1.0, 1.0, "rpc", 'A'), IPC("v_mov_b32", "one_lane", 1000)},
    {"IPC of v_mfma_f32_32x32x8bf16_1k", "gfx90a-mi250", CYCLES(0.0626, 0.0626, "rpc", 'A'), .set = {"gpu.cus=8"}, .how = HOW_IPC, .unit = UNIT_PER_CYCLE, .amount = 8,
     .k = {.body = "ipc_mfma", .copies = 1000, .waves = 16, .groups = 48}},
    {"IPC of s_nop", "gfx90a-mi250", CYCLES(6.79, 6.79, "rpc", 'A'), QUICK, IPC("nop", NULL, 1000)},
    {"IPC of s_mov_b32", "gfx90a-mi250", CYCLES(1.0, 1.0, "rpc", 'A'), IPC("s_mov_b32_s20", NULL, 1000)},
};

static const struct acc_row rdna[] = {
    {"v_add_f32", RDNA34, CYCLES(1, 1, "sqtt", 'A'), EXACT, COPY("v_add_f32")},
    {"s_mov_b32", RDNA34, CYCLES(1, 1, "sqtt", 'A'), EXACT, COPY("s_mov_b32")},
    {"v_add_f32, dependent", RDNA12 " " RDNA34, CYCLES(5, 5, "sqtt, llvm", 'A'), EXACT, COPY("v_add_f32_dependent")},
    {"v_add_f32, dependent, s_delay_alu", RDNA34, CYCLES(5, 5, "sqtt", 'A'), EXACT, COPY("v_add_f32_delayed")},
    {"v_add_f32, dependent, SIMD full of waves", RDNA34, CYCLES(1, 1, "sqtt", 'A'), QUICK, .how = HOW_THROUGHPUT, .scale = 2,
     .k = {.body = "v_add_f32_delayed", .waves = 16}},
    {"s_add_u32, dependent, s_delay_alu", RDNA3, CYCLES(2, 2, "sqtt", 'A'), EXACT, COPY("s_add_u32_delayed")},
    {"s_add_u32, dependent, s_wait_alu", RDNA4, CYCLES(9, 9, "sqtt", 'A'), QUICK, COPY("s_add_u32_waited")},
    {"s_add_f32, dependent", RDNA4, CYCLES(4, 4, "llvm", 'B'), QUICK, COPY("s_add_f32_delayed")},
    {"v_lshlrev_b64", RDNA34, CYCLES(2, 2, "sqtt", 'A'), EXACT, COPY("v_lshlrev_b64")},
    {"v_lshlrev_b64", RDNA12, CYCLES(2, 2, "aco", 'B'), QUICK, COPY("v_lshlrev_b64")},
    {"v_lshlrev_b64, dependent", RDNA12 " " RDNA34, CYCLES(6, 6, "llvm", 'B'), COPY("v_lshlrev_b64_dependent")},
    {"v_mad_u64_u32", RDNA34, CYCLES(4, 4, "sqtt", 'A'), EXACT, COPY("v_mad_u64_u32")},
    {"v_mul_lo_u32", RDNA12 " " RDNA34, CYCLES(4, 4, "aco", 'B'), QUICK, COPY("v_mul_lo_u32")},
    {"v_mul_lo_u32, dependent", RDNA12 " " RDNA34, CYCLES(8, 8, "llvm", 'B'), QUICK, COPY("v_mul_lo_u32_dependent")},
    {"v_rcp_f32", RDNA34, CYCLES(4, 4, "sqtt", 'A'), EXACT, COPY("v_rcp_f32")},
    {"v_rcp_f32", RDNA12, CYCLES(4, 4, "aco", 'B'), QUICK, COPY("v_rcp_f32")},
    {"v_rcp_f32, dependent", RDNA12 " " RDNA34, CYCLES(10, 10, "llvm", 'B'), QUICK, COPY("v_rcp_f32_dependent")},
    {"v_s_rcp_f32", RDNA4, CYCLES(4, 4, "sqtt", 'A'), QUICK, COPY("v_s_rcp_f32")},
    {"v_dual_add_f32", RDNA34, CYCLES(1, 1, "aco", 'B'), QUICK, COPY("v_dual_add_f32")},
    {"v_fma_f64", RDNA12, CYCLES(16, 16, "aco", 'B'), QUICK, COPY("v_fma_f64")},
    {"v_fma_f64", RDNA34, CYCLES(32, 32, "sqtt, rpc", 'A'), EXACT, COPY("v_fma_f64")},
    {"v_fma_f64, dependent", RDNA12, CYCLES(22, 22, "llvm", 'B'), QUICK, COPY("v_fma_f64_dependent")},
    {"v_fma_f64, dependent", RDNA34, CYCLES(38, 38, "llvm", 'B'), QUICK, COPY("v_fma_f64_dependent")},
    {"v_rcp_f64, dependent", RDNA12, CYCLES(24, 24, "llvm", 'B'), QUICK, COPY("v_rcp_f64_dependent")},
    {"v_rcp_f64, dependent", RDNA34, CYCLES(40, 40, "llvm", 'B'), QUICK, COPY("v_rcp_f64_dependent")},
    {"v_add_f32, wave64", RDNA12, CYCLES(2, 2, "rpc", 'A'), QUICK, .how = HOW_COPY, .k = {.body = "v_add_f32", .lanes = 64}},
    {"v_add_f32, wave64: both halves in one pass", RDNA34, CYCLES(1, 1, "aco", 'B'), QUICK, .how = HOW_COPY, .k = {.body = "v_add_f32", .lanes = 64}},
    {"VCC writer, s_wait_alu, its reader", RDNA4, CYCLES(18, 18, "sqtt", 'A'), COPY("vcc_carry_waited")},
    {"branch not taken", RDNA34, CYCLES(3, 3, "sqtt", 'A'), EXACT, .how = HOW_COPY, .k = {.head = "scc_0", .body = "not_taken"}},
    {"branch taken", RDNA4, CYCLES(9, 9, "sqtt", 'A'), COPY("taken")},
    {"branch taken, to code outside the buffer", RDNA3, CYCLES(27, 27, "sqtt", 'A'), .how = HOW_COPY, .k = {.body = "taken_far", .copies = 8}},
    {"branch taken, to code outside the buffer", RDNA4, CYCLES(9, 10, "sqtt", 'A'), .how = HOW_COPY, .k = {.body = "taken_far", .copies = 8}},
    {"v_add_f32, s_waitcnt that waits for nothing", RDNA34, CYCLES(4, 4, "sqtt", 'A'), EXACT, COPY("valu_and_wait")},
    {"VALU that reads VCC, s_mov_b32", RDNA3, CYCLES(6, 6, "sqtt", 'A'), EXACT, COPY("vcc_reader_and_salu")},
    {"VALU that reads VCC, s_mov_b32", RDNA4, CYCLES(8, 8, "sqtt", 'A'), EXACT, COPY("vcc_reader_and_salu")},
    {"s_cmp and a branch on it, not taken", RDNA4, CYCLES(13, 13, "sqtt", 'A'), COPY("cmp_not_taken")},
    {"v_cmpx and s_cbranch_execz, not taken", RDNA3, CYCLES(19, 21, "sqtt", 'A'), COPY("cmpx_execz")},
    {"v_cmpx and s_cbranch_execz, not taken", RDNA4, CYCLES(20, 21, "sqtt", 'A'), COPY("cmpx_execz")},
    {"s_nop 1", "gfx1201-rx9070xt", CYCLES(2, 2, "sqtt", 'A'), COPY("s_nop_1")},
    {"s_sleep 4", RDNA3, CYCLES(209, 230, "sqtt", 'A'), COPY("s_sleep_4")},
    {"s_sleep 4", "gfx1201-rx9070xt", CYCLES(192, 248, "sqtt", 'A'), COPY("s_sleep_4")},
    {"barrier of two waves, to the VALU after it", RDNA3, CYCLES(17, 22, "sqtt", 'A'), QUICK, .how = HOW_COPY, .k = {.body = "barrier_valu", .waves = 2}},
    {"barrier of two waves, to the VALU after it", RDNA4, CYCLES(16, 21, "sqtt", 'A'), QUICK, .how = HOW_COPY, .k = {.body = "barrier_valu", .waves = 2}},
    {"VALU result to LDS store", RDNA3, CYCLES(17, 19, "sqtt", 'A'), QUICK, LESS("valu_ds_write_b32_wait", "ds_write_b32_wait")},
    {"VALU result to LDS store", RDNA4, CYCLES(17, 20, "sqtt", 'A'), QUICK, LESS("valu_ds_write_b32_wait", "ds_write_b32_wait")},
    {"VALU result to global load", RDNA3, CYCLES(17, 19, "sqtt", 'A'), QUICK, LESS("valu_load_and_wait", "load_and_wait")},
    {"VALU result to global load", RDNA4, CYCLES(17, 20, "sqtt", 'A'), QUICK, LESS("valu_load_and_wait", "load_and_wait")},
};
/* clang-format on */

const struct acc_section acc_issue_gcn = {"Issue, GCN and CDNA", 0.5, gcn, sizeof gcn / sizeof gcn[0]};
const struct acc_section acc_issue_rdna = {"Issue, RDNA", 4, rdna, sizeof rdna / sizeof rdna[0]};
