/* LDS and address unit. "Port" figures are cycles of one of the two LDS ports of a GCN compute unit for one
 * instruction of 64 lanes: the compute unit's throughput times two. */
#include "tests/timing/accuracy/rows.h"

#define GCN1_TO_4                    "gfx803-rx480 gfx900-vega64 gfx906-mi50"
#define CDNA                         "gfx908-mi100 gfx90a-mi210 gfx942-mi300x"
#define RDNA3                        "gfx1100-rx7900xtx"
#define RDNA4                        "gfx1200-rx9060xt"
#define EXACT                        .flags = ACC_EXACT
#define QUICK                        .flags = ACC_QUICK
#define CYCLES(LO, HI, SOURCE, CONF) .lo = LO, .hi = HI, .source = SOURCE, .confidence = CONF
#define PORT(BODY, HEAD)                                                                                               \
    .how = HOW_THROUGHPUT, .scale = 2,                                                                                 \
    .k = {.head = HEAD, .body = BODY, .tail = "wait_lds", .waves = 16, .lds_bytes = 16384}
#define BANK(LANES)                                                                                                    \
    .how = HOW_THROUGHPUT, .scale = 2,                                                                                 \
    .k = {.head = "one_lane_in_bank",                                                                                  \
          .body = "ds_read_b32",                                                                                       \
          .tail = "wait_lds",                                                                                          \
          .waves = 16,                                                                                                 \
          .lds_bytes = 65536,                                                                                          \
          .sgpr[S_STEP] = (1u << LANES) - 1}
#define ALONE(BODY) .how = HOW_COPY, .k = {.head = "one_lane", .body = BODY, .lds_bytes = 1024}
/* lds_throughput of gcnasm: a wave's loop of accesses that wait once, less the loop without them. */
#define ONE_WAVE(BODY, HEAD, COPIES)                                                                                   \
    .how = HOW_LOOP_LESS,                                                                                              \
    .k = {.head = HEAD, .body = BODY, .tail = "wait_lds_and_count", .copies = COPIES, .lds_bytes = 1024}
#define BUFFER(BODY, THEN)                                                                                             \
    .how = HOW_THROUGHPUT, .k = {.head = "descriptor", .then = THEN, .body = BODY, .tail = "wait", .waves = 8}

/* clang-format off */
static const struct acc_row rows[] = {
    {"ds_read_b32, port", GCN1_TO_4 " " CDNA, CYCLES(4, 4, "clrx, rpc", 'A'), EXACT, PORT("ds_read_b32", "lane_x4")},
    {"ds_read_b64, port", GCN1_TO_4, CYCLES(8, 8, "clrx", 'A'), EXACT, PORT("ds_read_b64", "lane_x8")},
    {"ds_read_b96, port", GCN1_TO_4, CYCLES(16, 16, "clrx", 'A'), PORT("ds_read_b96", "lane_x16")},
    {"ds_read_b128, port", GCN1_TO_4 " " CDNA, CYCLES(16, 16, "clrx, rpc", 'A'), EXACT, PORT("ds_read_b128", "lane_x16")},
    {"ds_write_b8, port", GCN1_TO_4, CYCLES(8, 8, "clrx", 'A'), EXACT, PORT("ds_write_b8", "lane_x4")},
    {"ds_write_b32, port", GCN1_TO_4 " " CDNA, CYCLES(8, 8, "rpc, clrx", 'A'), EXACT, PORT("ds_write_b32", "lane_x4")},
    {"ds_write_b64, port", GCN1_TO_4, CYCLES(12, 12, "clrx", 'A'), EXACT, PORT("ds_write_b64", "lane_x8")},
    {"ds_write_b96, port", GCN1_TO_4, CYCLES(16, 16, "clrx", 'A'), EXACT, PORT("ds_write_b96", "lane_x16")},
    {"ds_write_b128, port", GCN1_TO_4 " " CDNA, CYCLES(20, 20, "rpc, clrx", 'A'), EXACT, PORT("ds_write_b128", "lane_x16")},
    {"ds_read2_b32, port", GCN1_TO_4, CYCLES(8, 8, "clrx", 'A'), EXACT, PORT("ds_read2_b32", "lane_x8")},
    {"ds_read2_b64, port", GCN1_TO_4, CYCLES(16, 16, "clrx", 'A'), EXACT, PORT("ds_read2_b64", "lane_x16")},
    {"ds_write2_b32, port", GCN1_TO_4, CYCLES(12, 12, "clrx", 'A'), EXACT, PORT("ds_write2_b32", "lane_x8")},
    {"ds_write2_b64, port", GCN1_TO_4, CYCLES(20, 20, "clrx", 'A'), EXACT, PORT("ds_write2_b64", "lane_x16")},
    {"ds_add_u32, port", GCN1_TO_4, CYCLES(8, 8, "clrx", 'A'), EXACT, PORT("ds_add_u32", "lane_x4")},
    {"ds_add_u64, port", GCN1_TO_4, CYCLES(12, 12, "clrx", 'A'), EXACT, PORT("ds_add_u64", "lane_x8")},
    {"ds_cmpst_b32, port", GCN1_TO_4, CYCLES(12, 12, "clrx", 'A'), EXACT, PORT("ds_cmpst_b32", "lane_x4")},
    {"ds_cmpst_b64, port", GCN1_TO_4, CYCLES(20, 20, "clrx", 'A'), EXACT, PORT("ds_cmpst_b64", "lane_x8")},
    {"ds_read_b32, 1 lane, port", "gfx90a-mi210 gfx90a-mi250", CYCLES(2, 2, "rpc", 'A'), BANK(1)},
    {"ds_read_b32, 2 lanes of a bank, port", "gfx90a-mi210", CYCLES(3, 3, "rpc", 'A'), BANK(2)},
    {"ds_read_b32, 3 lanes of a bank, port", "gfx90a-mi210", CYCLES(4, 4, "rpc", 'A'), BANK(3)},
    {"ds_read_b32, 8 lanes of a bank, port", "gfx90a-mi210", CYCLES(9, 9, "rpc", 'A'), BANK(8)},
    {"ds_read_b32, 16 lanes of a bank, port", "gfx90a-mi210", CYCLES(17, 17, "rpc", 'A'), BANK(16)},
    /* from one to the next with a wait between; the source does not say whether the 4 cycles of the wait are in its figure */
    {"ds_read_b32, latency of 1 lane", "gfx942-mi300x", CYCLES(32, 36, "gcnasm", 'A'), QUICK, ALONE("ds_chase_b32")},
    {"ds_read_b64, latency of 1 lane", "gfx942-mi300x", CYCLES(44, 48, "gcnasm", 'A'), QUICK, ALONE("ds_chase_b64")},
    {"ds_read_b128, latency of 1 lane", "gfx942-mi300x", CYCLES(48, 52, "gcnasm", 'A'), QUICK, ALONE("ds_chase_b128")},
    {"ds_write_b32, latency of 1 lane", "gfx942-mi300x", CYCLES(39, 43, "gcnasm", 'A'), QUICK, ALONE("ds_write_b32_wait")},
    {"ds_write_b64, latency of 1 lane", "gfx942-mi300x", CYCLES(48, 52, "gcnasm", 'A'), QUICK, ALONE("ds_write_b64_wait")},
    {"ds_write_b128, latency of 1 lane", "gfx942-mi300x", CYCLES(60, 64, "gcnasm", 'A'), QUICK, ALONE("ds_write_b128_wait")},
    {"ds_read_b32, one wave, loop of 32", "gfx942-mi300x", CYCLES(6.6, 6.6, "gcnasm", 'A'), QUICK, ONE_WAVE("ds_read_b32", "lane_x4", 32)},
    {"ds_read_b64, one wave, loop of 16", "gfx942-mi300x", CYCLES(11.7, 11.7, "gcnasm", 'A'), QUICK, ONE_WAVE("ds_read_b64", "lane_x8", 16)},
    {"ds_read_b128, one wave, loop of 8", "gfx942-mi300x", CYCLES(23.0, 23.0, "gcnasm", 'A'), QUICK, ONE_WAVE("ds_read_b128", "lane_x16", 8)},
    {"ds_write_b32, one wave, loop of 32", "gfx942-mi300x", CYCLES(9.3, 9.3, "gcnasm", 'A'), QUICK, ONE_WAVE("ds_write_b32", "lane_x4", 32)},
    {"ds_write_b64, one wave, loop of 16", "gfx942-mi300x", CYCLES(14.9, 14.9, "gcnasm", 'A'), QUICK, ONE_WAVE("ds_write_b64", "lane_x8", 16)},
    {"ds_write_b128, one wave, loop of 8", "gfx942-mi300x", CYCLES(31.3, 31.3, "gcnasm", 'A'), QUICK, ONE_WAVE("ds_write_b128", "lane_x16", 8)},
    /* the trace's figure to the counter, and the 1 or 2 cycles from there to the next instruction */
    {"ds_store_b32, wait", RDNA3, CYCLES(34, 35, "sqtt", 'A'), QUICK, .how = HOW_COPY, .k = {.head = "lane_x4", .body = "ds_write_b32_wait", .lds_bytes = 1024}},
    {"ds_store_b32, wait", RDNA4, CYCLES(34, 35, "sqtt", 'A'), QUICK, .how = HOW_COPY, .k = {.head = "lane_x4", .body = "ds_write_b32_wait", .lds_bytes = 1024}},
    {"ds_load_b32, wait", RDNA3, CYCLES(32, 34, "sqtt", 'A'), QUICK, .how = HOW_COPY, .k = {.head = "lane_x4", .body = "ds_read_b32_wait", .lds_bytes = 1024}},
    {"ds_load_b32, wait", RDNA4, CYCLES(33, 34, "sqtt", 'A'), QUICK, .how = HOW_COPY, .k = {.head = "lane_x4", .body = "ds_read_b32_wait", .lds_bytes = 1024}},
    {"buffer_load_dword", GCN1_TO_4, CYCLES(8, 8, "clrx", 'A'), QUICK, BUFFER("buffer_load_x1", "lane_x4")},
    {"buffer_load_dwordx2", GCN1_TO_4, CYCLES(18, 18, "clrx", 'A'), BUFFER("buffer_load_x2", "lane_x8")},
    {"buffer_load_dwordx3", GCN1_TO_4, CYCLES(16, 16, "clrx", 'A'), BUFFER("buffer_load_x3", "lane_x16")},
    {"buffer_load_dwordx4", GCN1_TO_4, CYCLES(16, 16, "clrx", 'A'), BUFFER("buffer_load_x4", "lane_x16")},
    {"buffer_store_dword", GCN1_TO_4, CYCLES(16, 16, "clrx", 'A'), QUICK, BUFFER("buffer_store_x1", "lane_x4")},
    {"buffer_store_dwordx2", GCN1_TO_4, CYCLES(16, 16, "clrx", 'A'), BUFFER("buffer_store_x2", "lane_x8")},
    {"buffer_store_dwordx4", GCN1_TO_4, CYCLES(16, 16, "clrx", 'A'), BUFFER("buffer_store_x4", "lane_x16")},
    {"buffer_atomic_add", GCN1_TO_4, CYCLES(16, 16, "clrx", 'A'), BUFFER("buffer_atomic_add", "lane_x4")},
    {"buffer_atomic_cmpswap", GCN1_TO_4, CYCLES(32, 32, "clrx", 'A'), BUFFER("buffer_atomic_cmpswap", "lane_x4")},
};
/* clang-format on */

const struct acc_section acc_lds = {"LDS and vector memory issue", 1, rows, sizeof rows / sizeof rows[0]};
