/* The memory hierarchy and launches. Latencies are those of a dependent chain of loads of one wave. */
#include "tests/timing/accuracy/rows.h"

#define KB                        *UINT64_C(1024)
#define MB                        *UINT64_C(1048576)
#define QUICK                     .flags = ACC_QUICK
#define DOC(LO, HI, SOURCE, CONF) .lo = LO, .hi = HI, .source = SOURCE, .confidence = CONF
#define CHASE(BYTES, STRIDE)      .how = HOW_CHASE, .bytes = BYTES, .stride = STRIDE
/* 8 KB in turn lie on each of the four dies of MI300X: a stride of more comes to all of them so. */
#define ALL_DIES              .skew = 8 KB
#define SCALAR(BYTES, STRIDE) CHASE(BYTES, STRIDE), .k.body = "s_chase"
#define SIZE(BYTES, STRIDE, SOURCE)                                                                                    \
    .lo = (double)(BYTES) / 1024, .hi = (double)(BYTES) / 1024, .source = SOURCE, .confidence = 'A',                   \
    .how = HOW_CAPACITY, .unit = UNIT_KB, .bytes = BYTES, .stride = STRIDE

/* clang-format off */
/* Few lines stand for a large buffer by a stride that leads to one channel and few sets: without hashes alone. */
#define HASHES(MALL) .set = {"cache.l2.channel_hash=false", "cache.l2.set_hash=false", MALL}
#define UNHASHED     HASHES("cache.mall.channel_hash=false")
#define UNHASHED_L2  HASHES(NULL)
static const struct acc_row latency[] = {
    {"L1", "gfx908-mi100", DOC(134, 134, "gb", 'A'), QUICK, CHASE(8 KB, 128)},
    {"L2", "gfx908-mi100", DOC(265, 265, "gb", 'A'), QUICK, CHASE(256 KB, 128)},
    {"DRAM", "gfx908-mi100", DOC(543, 543, "gb", 'A'), QUICK, CHASE(32 MB, 8 KB), UNHASHED_L2},
    {"DRAM, past the TLB", "gfx908-mi100", DOC(627, 627, "gb", 'A'), CHASE(2048 MB, 256 KB), UNHASHED_L2},
    {"L1", "gfx90a-mi210", DOC(129, 129, "gb", 'A'), QUICK, CHASE(8 KB, 128)},
    {"L2", "gfx90a-mi210", DOC(250, 250, "gb", 'A'), QUICK, CHASE(256 KB, 128)},
    {"DRAM", "gfx90a-mi210", DOC(587, 587, "gb", 'A'), QUICK, CHASE(32 MB, 8 KB), UNHASHED_L2},
    {"DRAM, past the TLB", "gfx90a-mi210", DOC(687, 687, "gb", 'A'), CHASE(2048 MB, 256 KB), UNHASHED_L2},
    {"L1", "gfx942-mi300x", DOC(120, 120, "gb", 'A'), QUICK, CHASE(16 KB, 128)},
    {"L2", "gfx942-mi300x", DOC(213, 213, "gb", 'A'), QUICK, CHASE(256 KB, 128)},
    {"MALL", "gfx942-mi300x", DOC(456, 456, "gb", 'A'), CHASE(32 MB, 4 KB), UNHASHED},
    {"MALL, more than 80 MB", "gfx942-mi300x", DOC(497, 497, "gb", 'A'), CHASE(160 MB, 16 KB), ALL_DIES, .set = {"cache.l2.set_hash=false"}},
    {"DRAM", "gfx942-mi300x", DOC(884, 884, "gb", 'A'), CHASE(2048 MB, 128 KB), ALL_DIES, UNHASHED},
    {"L0", "gfx1030-rx6900xt", DOC(73, 73, "gb", 'A'), QUICK, CHASE(8 KB, 128)},
    {"GL1", "gfx1030-rx6900xt", DOC(123, 123, "gb", 'A'), QUICK, CHASE(64 KB, 128)},
    {"L2", "gfx1030-rx6900xt", DOC(221, 221, "gb", 'A'), QUICK, CHASE(1 MB, 512)},
    {"MALL", "gfx1030-rx6900xt", DOC(423, 423, "gb", 'A'), CHASE(32 MB, 4 KB), UNHASHED_L2},
    {"MALL, more than 56 MB", "gfx1030-rx6900xt", DOC(410, 410, "gb", 'A'), CHASE(96 MB, 8 KB), UNHASHED_L2},
    {"MALL, vector load", "gfx1100-rx7900xtx", DOC(150.3, 150.3, "cc", 'A'), .unit = UNIT_NS, CHASE(32 MB, 4 KB), UNHASHED_L2},
    {"MALL, scalar load", "gfx1100-rx7900xtx", DOC(128.4, 128.4, "cc", 'A'), .unit = UNIT_NS, SCALAR(32 MB, 4 KB), UNHASHED_L2},
    {"L1, size", "gfx908-mi100 gfx90a-mi210", SIZE(16 KB, 128, "spec"), QUICK},
    {"L1, size", "gfx942-mi300x", SIZE(32 KB, 128, "spec")},
    {"L0, size", "gfx1030-rx6900xt", SIZE(16 KB, 128, "spec"), QUICK},
    {"L0, size", "gfx1100-rx7900xtx gfx1201-rx9070xt", SIZE(32 KB, 128, "spec")},
    {"K$, size", "gfx908-mi100 gfx942-mi300x gfx1100-rx7900xtx", SIZE(16 KB, 64, "spec"), .k.body = "s_chase"},
    {"L2, size", "gfx908-mi100 gfx90a-mi210", SIZE(8 MB, 1 KB, "spec"), UNHASHED_L2},
    {"L2, size", "gfx942-mi300x", SIZE(4 MB, 1 KB, "spec"), UNHASHED},
    {"L2, size", "gfx1030-rx6900xt", SIZE(4 MB, 1 KB, "spec"), UNHASHED_L2},
    {"L2, size", "gfx1100-rx7900xtx", SIZE(6 MB, 1 KB, "spec"), UNHASHED_L2},
    {"L2, size", "gfx1201-rx9070xt", SIZE(8 MB, 1 KB, "spec"), UNHASHED_L2},
};

/* Cycles for 32 lanes of a load that hits, in gpu-strides: 16 or 32 waves of one workgroup load 8 times in a loop, each
 * 16 bytes or (doubles) 32 after another. */
#define GRID(X, LANES, WAVES, MASK, STEP, SHIFT, START, PITCH)                                                         \
    .how = HOW_PASS, .scale = 32.0 / (8 * LANES),                                                                      \
    .k = {.head = "grid_start", .body = "grid_x" #X, .copies = 1, .waves = WAVES, .few = 12, .many = 28,               \
          .sgpr = {[S_STEP] = STEP, [S_MASK] = MASK, [S_EXEC] = SHIFT, [S_GROUP] = START, [S_ITEM] = PITCH}}
/* Lanes 0 to 63 so many elements apart; lanes of rows of W, which are 4098 elements apart. */
#define APART_BY(X, LANES, WAVES, N) GRID(X, LANES, WAVES, 63, 4 * X * (N), 6, 0, 0)
#define ROWS_OF(X, LANES, WAVES, W)                                                                                    \
    GRID(X, LANES, WAVES, W - 1, 4 * X, __builtin_ctz(W), 4 * X * 4098, 4 * X * 4098)
#define MI210(LO, X)  "gfx90a-mi210", DOC(LO, LO, "gb", 'A'), X
#define RX6900(LO, X) "gfx1030-rx6900xt", DOC(LO, LO, "gb", 'A'), X

static const struct acc_row strides[] = {
    {"dwords neighbouring", MI210(2.18, APART_BY(1, 64, 16, 1)), QUICK},
    {"dwords 2 apart", MI210(16.1, APART_BY(1, 64, 16, 2)), QUICK},
    {"dwords 3 apart", MI210(8.1, APART_BY(1, 64, 16, 3)), QUICK},
    {"dwords 4 apart", MI210(32.2, APART_BY(1, 64, 16, 4)), QUICK},
    {"dwords 5 apart", MI210(14.1, APART_BY(1, 64, 16, 5)), QUICK},
    {"dwords 7 apart", MI210(14.1, APART_BY(1, 64, 16, 7))},
    {"dwords 8 apart", MI210(32.2, APART_BY(1, 64, 16, 8))},
    {"dwords 15 apart", MI210(24.2, APART_BY(1, 64, 16, 15))},
    {"dwords 17 apart", MI210(24.2, APART_BY(1, 64, 16, 17))},
    {"dwords 29 apart", MI210(14.1, APART_BY(1, 64, 16, 29))},
    {"dwords 33 apart", MI210(24.2, APART_BY(1, 64, 16, 33))},
    {"dwords 61 apart", MI210(14.1, APART_BY(1, 64, 16, 61))},
    {"doubles neighbouring", MI210(8.1, APART_BY(2, 64, 16, 1))},
    {"doubles 4 apart", MI210(16.1, APART_BY(2, 64, 16, 4))},
    {"doubles 8 apart", MI210(32.2, APART_BY(2, 64, 16, 8))},
    {"doubles 9 apart", MI210(8.1, APART_BY(2, 64, 16, 9))},
    {"doubles 10 apart", MI210(12.1, APART_BY(2, 64, 16, 10))},
    {"doubles 11 apart", MI210(16.1, APART_BY(2, 64, 16, 11))},
    {"doubles 17 apart", MI210(16.1, APART_BY(2, 64, 16, 17))},
    {"doubles 24 apart", MI210(32.2, APART_BY(2, 64, 16, 24))},
    {"doubles 30 apart", MI210(24.2, APART_BY(2, 64, 16, 30))},
    {"dwords, rows of 1", MI210(20.1, ROWS_OF(1, 64, 16, 1))},
    {"dwords, rows of 2", MI210(24.2, ROWS_OF(1, 64, 16, 2))},
    {"dwords, rows of 4", MI210(7.5, ROWS_OF(1, 64, 16, 4))},
    {"dwords, rows of 8", MI210(4.03, ROWS_OF(1, 64, 16, 8))},
    {"dwords, rows of 16", MI210(2.18, ROWS_OF(1, 64, 16, 16))},
    {"doubles, rows of 1", MI210(24.2, ROWS_OF(2, 64, 16, 1))},
    {"doubles, rows of 2", MI210(12.1, ROWS_OF(2, 64, 16, 2))},
    {"doubles, rows of 4", MI210(8.1, ROWS_OF(2, 64, 16, 4))},
    {"dwords neighbouring", RX6900(1.0, APART_BY(1, 32, 32, 1)), QUICK},
    {"dwords 2 apart", RX6900(1.99, APART_BY(1, 32, 32, 2)), QUICK},
    {"dwords 3 apart", RX6900(1.99, APART_BY(1, 32, 32, 3)), QUICK},
    {"dwords 4 apart", RX6900(3.98, APART_BY(1, 32, 32, 4)), QUICK},
    {"dwords 5 apart", RX6900(1.99, APART_BY(1, 32, 32, 5)), QUICK},
    {"dwords 7 apart", RX6900(1.99, APART_BY(1, 32, 32, 7))},
    {"dwords 8 apart", RX6900(8.0, APART_BY(1, 32, 32, 8))},
    {"dwords 9 apart", RX6900(2.99, APART_BY(1, 32, 32, 9))},
    {"dwords 15 apart", RX6900(4.01, APART_BY(1, 32, 32, 15))},
    {"dwords 16 apart", RX6900(15.9, APART_BY(1, 32, 32, 16))},
    {"dwords 20 apart", RX6900(5.4, APART_BY(1, 32, 32, 20))},
    {"dwords 28 apart", RX6900(7.1, APART_BY(1, 32, 32, 28))},
    {"dwords 32 apart", RX6900(31.9, APART_BY(1, 32, 32, 32))},
    {"dwords 33 apart", RX6900(8.0, APART_BY(1, 32, 32, 33))},
    {"dwords 42 apart", RX6900(10.6, APART_BY(1, 32, 32, 42))},
    {"dwords 48 apart", RX6900(15.9, APART_BY(1, 32, 32, 48))},
    {"dwords 51 apart", RX6900(11.2, APART_BY(1, 32, 32, 51))},
    {"doubles neighbouring", RX6900(4.34, APART_BY(2, 32, 32, 1))},
    {"doubles 4 apart", RX6900(8.0, APART_BY(2, 32, 32, 4))},
    {"doubles 8 apart", RX6900(16.0, APART_BY(2, 32, 32, 8))},
    {"doubles 9 apart", RX6900(5.0, APART_BY(2, 32, 32, 9))},
    {"doubles 10 apart", RX6900(5.2, APART_BY(2, 32, 32, 10))},
    {"doubles 21 apart", RX6900(10.5, APART_BY(2, 32, 32, 21))},
    {"doubles 25 apart", RX6900(8.5, APART_BY(2, 32, 32, 25))},
    {"dwords, rows of 1", RX6900(15.9, ROWS_OF(1, 32, 32, 1))},
    {"dwords, rows of 2", RX6900(11.9, ROWS_OF(1, 32, 32, 2))},
    {"dwords, rows of 4", RX6900(7.2, ROWS_OF(1, 32, 32, 4))},
    {"dwords, rows of 8", RX6900(4.03, ROWS_OF(1, 32, 32, 8))},
    {"dwords, rows of 16", RX6900(1.99, ROWS_OF(1, 32, 32, 16))},
    {"dwords, rows of 32", RX6900(1.04, ROWS_OF(1, 32, 32, 32))},
    {"doubles, rows of 1", RX6900(8.0, ROWS_OF(2, 32, 32, 1))},
    {"doubles, rows of 2", RX6900(8.0, ROWS_OF(2, 32, 32, 2))},
    {"doubles, rows of 4", RX6900(6.5, ROWS_OF(2, 32, 32, 4))},
};

/* A workgroup of the chip-wide rows reads 4 KB at a time. They begin 17 pieces of 256 bytes apart, so that they do not
 * all go through the channels in step. */
#define APART 4352
/* Loads of x dwords by each lane, four in a copy, over `RING` bytes that each workgroup goes through in steps. */
#define SWEEP(X, GROUPS, WAVES, STEP, RING, GROUP)                                                                     \
    .how = HOW_RATE, .k = {.head = "sweep_start", .body = "sweep_x" #X, .copies = 2, .groups = GROUPS, .waves = WAVES, \
                           .sgpr = {[S_STEP] = STEP, [S_MASK] = RING - 1, [S_GROUP] = GROUP, [S_ITEM] = 4 * X}}
/* TB/s at the shader clock of the card in the same runs, in bytes per cycle: what runs at that clock is compared so. */
#define AT_CLOCK(TBPS, MHZ, SOURCE, CONF) DOC((TBPS) * 1e6 / (MHZ), (TBPS) * 1e6 / (MHZ), SOURCE, CONF)
/* gpu-l2-cache: workgroups of 1024 work-items follow one another and read 512 KB each, 16 KB at a time. Every RUN-th
 * reads the same, RUN * 512 KB in all; 13 loads of a wave are outstanding, as compiled for gfx1030. */
#define BLOCKS(GROUPS, WAVES, RUN)                                                                                     \
    .how = HOW_BLOCKS, .k = {.head = "shared_start", .body = "shared_x4", .copies = 2,                \
                             .groups = GROUPS, .waves = WAVES, .many = 4,                                                                \
                             .sgpr = {[S_STEP] = RUN * 16 KB, [S_MASK] = RUN * (512 KB) - 1, [S_GROUP] = 16 KB,       \
                                      [S_ITEM] = 16, [S_EXEC] = RUN - 1}}
#define BYTES(X, LANES) .amount = 4 * 4 * X * LANES

static const struct acc_row bandwidth[] = {
    {"L1 of a CU, 16 bytes a lane", "gfx908-mi100", DOC(58, 58, "gb", 'A'), QUICK, .unit = UNIT_PER_CYCLE, BYTES(4, 64), SWEEP(4, 1, 16, 2048, 8192, 0)},
    {"L1 of a CU, 16 bytes a lane", "gfx90a-mi210", DOC(59, 59, "gb", 'A'), QUICK, .unit = UNIT_PER_CYCLE, BYTES(4, 64), SWEEP(4, 1, 16, 2048, 8192, 0)},
    {"L1 of a CU, 16 bytes a lane", "gfx942-mi300x", DOC(62, 62, "gb", 'A'), QUICK, .unit = UNIT_PER_CYCLE, BYTES(4, 64), SWEEP(4, 1, 16, 2048, 16384, 0)},
    {"L1 of a CU, 8 bytes a lane", "gfx908-mi100 gfx90a-mi210", DOC(32, 32, "gb", 'A'), .unit = UNIT_PER_CYCLE, BYTES(2, 64), SWEEP(2, 1, 16, 2048, 8192, 0)},
    {"L0 of a CU, 16 bytes a lane", "gfx1030-rx6900xt", DOC(114, 114, "gb", 'A'), QUICK, .unit = UNIT_PER_CYCLE, BYTES(4, 32), SWEEP(4, 1, 32, 2048, 8192, 0)},
    {"one L2 channel", "gfx908-mi100", DOC(64, 64, "rpc", 'A'), .unit = UNIT_PER_CYCLE, BYTES(4, 8),
     .how = HOW_RATE, .k = {.head = "first_lanes", .then = "sweep_start", .body = "sweep_x4", .copies = 2, .groups = 96, .few = 40, .many = 100,
                            .sgpr = {[S_STEP] = 8192, [S_MASK] = (4 << 20) - 1, [S_GROUP] = 40960, [S_ITEM] = 16, [S_EXEC] = 255}}, UNHASHED_L2},
    {"one L2 channel", "gfx942-mi300x", DOC(128, 128, "rpc", 'A'), .unit = UNIT_PER_CYCLE, BYTES(4, 8), .scale = 1.0 / 8,
     .how = HOW_RATE, .k = {.head = "first_lanes", .then = "sweep_start", .body = "sweep_x4", .copies = 2, .groups = 304, .few = 40, .many = 100,
                            .sgpr = {[S_STEP] = 4096, [S_MASK] = (2 << 20) - 1, [S_GROUP] = 20480, [S_ITEM] = 16, [S_EXEC] = 255}}, UNHASHED},
    {"L2 of the chip", "gfx908-mi100", AT_CLOCK(2.7, 1430, "gb", 'A'), .unit = UNIT_PER_CYCLE, BYTES(4, 64), SWEEP(4, 120, 4, 65536, (1 << 20), APART), .k.few = 40, .k.many = 56},
    {"L2 of the chip", "gfx90a-mi210", AT_CLOCK(5.1, 1700, "gb", 'A'), .unit = UNIT_PER_CYCLE, BYTES(4, 64), SWEEP(4, 104, 4, 65536, (1 << 20), APART), .k.few = 40, .k.many = 56},
    {"L2 of the chip", "gfx942-mi300x", AT_CLOCK(27, 2092, "gb", 'A'), .unit = UNIT_PER_CYCLE, BYTES(4, 64), SWEEP(4, 304, 4, 65536, (1 << 20), APART), .k.few = 40, .k.many = 56},
    {"L2 of the chip", "gfx1030-rx6900xt", AT_CLOCK(5.16, 2560, "gb", 'A'), .unit = UNIT_PER_CYCLE, BYTES(4, 32), BLOCKS(480, 32, 4)},
    {"MALL of the chip", "gfx1030-rx6900xt", DOC(1.93, 1.93, "gb", 'A'), .unit = UNIT_TBPS, BYTES(4, 32), BLOCKS(480, 32, 128)},
    {"MALL of the chip", "gfx942-mi300x", DOC(5.85, 5.85, "gb", 'A'), .unit = UNIT_TBPS, BYTES(4, 64), SWEEP(4, 304, 4, 304 * APART, (64 << 20), APART), .k.few = 14, .k.many = 20},
    {"MALL of the chip", "gfx942-mi300a", DOC(4.26, 4.26, "gb", 'A'), .unit = UNIT_TBPS, BYTES(4, 64), SWEEP(4, 228, 4, 228 * APART, (64 << 20), APART), .k.few = 14, .k.many = 20},
    {"DRAM, reading", "gfx908-mi100", DOC(1.18, 1.18, "gb", 'A'), .unit = UNIT_TBPS, BYTES(4, 64), SWEEP(4, 256, 4, 256 * APART, (1u << 31), APART), .k.few = 1, .k.many = 3},
    {"DRAM, reading", "gfx90a-mi210", DOC(1.397, 1.397, "gb", 'A'), .unit = UNIT_TBPS, BYTES(4, 64), SWEEP(4, 256, 4, 256 * APART, (1u << 31), APART), .k.few = 1, .k.many = 3},
    {"DRAM, reading", "gfx942-mi300x", DOC(4.199, 4.199, "gb", 'A'), .unit = UNIT_TBPS, BYTES(4, 64), SWEEP(4, 512, 4, 512 * APART, (1u << 31), APART), .k.few = 1, .k.many = 3},
    {"DRAM, reading", "gfx942-mi300a", DOC(2.677, 2.677, "gb", 'A'), .unit = UNIT_TBPS, BYTES(4, 64), SWEEP(4, 512, 4, 512 * APART, (1u << 31), APART), .k.few = 1, .k.many = 3},
    {"DRAM, reading", "gfx1030-rx6900xt", DOC(0.508, 0.508, "gb", 'A'), .unit = UNIT_TBPS, BYTES(4, 32), SWEEP(4, 256, 8, 256 * APART, (1u << 31), APART), .k.few = 1, .k.many = 3},
};

/* As if no copy had filled the data: its page is walked for. */
#define NEW_PAGES   .set = {"tlb.copies_translated=false"}
/* As if the UTCL2 had been asked for the page before. */
#define KNOWN_PAGES .set = {"tlb.utcl2_entries=0"}

/* A wave hits after another one that misses. */
#define ORDER                                                                                                          \
    .unit = UNIT_PERCENT, .how = HOW_ORDER,                                                                            \
    .k = {.head = "two_waves", .waves = 2, .sgpr = {[S_STEP] = 4 KB + 256, [S_MASK] = (4 MB) - 1}}

static const struct acc_row launch[] = {
    {"a hit waits for another wave's miss, of it", "gfx1100-rx7900xtx", DOC(100, 100, "navi4", 'A'), QUICK, ORDER},
    {"a hit is spared another wave's miss, of it", "gfx1200-rx9060xt gfx1201-rx9070xt", DOC(100, 100, "navi4", 'A'), QUICK, ORDER, .amount = 1},
    {"wave to wave of a shader engine", "gfx1100-rx7900xtx", DOC(1, 1, "sqtt", 'A'), QUICK, .how = HOW_WAVES, .scale = 6, .k.groups = 24576},
    {"wave to wave of a shader engine", "gfx1201-rx9070xt", DOC(1, 1, "sqtt", 'A'), QUICK, .how = HOW_WAVES, .scale = 4, .k.groups = 16384},
    {"wave to wave of a shader engine", "gfx1200-rx9060xt", DOC(1, 2, "sqtt", 'A'), QUICK, .how = HOW_WAVES, .scale = 2, .k.groups = 8192},
    {"s_load from a new page", "gfx1100-rx7900xtx", DOC(831, 1404, "sqtt", 'A'), NEW_PAGES, .how = HOW_WHOLE_LESS, .k.body = "s_load_and_wait"},
    {"s_load from a new page", "gfx1201-rx9070xt", DOC(1693, 1708, "sqtt", 'A'), NEW_PAGES, .how = HOW_WHOLE_LESS, .k.body = "s_load_and_wait"},
    {"global load from a new page", "gfx1100-rx7900xtx", DOC(785, 1507, "sqtt", 'A'), NEW_PAGES, .how = HOW_WHOLE_LESS, .k = {.head = "lane_x4", .body = "load_and_wait"}},
    {"global load from a new page", "gfx1201-rx9070xt", DOC(2001, 2001, "sqtt", 'A'), NEW_PAGES, .how = HOW_WHOLE_LESS, .k = {.head = "lane_x4", .body = "load_and_wait"}},
    {"first global load from a copied page", "gfx1100-rx7900xtx", DOC(484, 785, "sqtt", 'A'), .how = HOW_WHOLE_LESS, .k = {.head = "lane_x4", .body = "load_and_wait"}},
    {"first global load from a copied page", "gfx1200-rx9060xt", DOC(615, 1046, "sqtt", 'A'), .how = HOW_WHOLE_LESS, .k = {.head = "lane_x4", .body = "load_and_wait"}},
    {"first global load from a copied page", "gfx1201-rx9070xt", DOC(1080, 1087, "sqtt", 'A'), .how = HOW_WHOLE_LESS, .k = {.head = "lane_x4", .body = "load_and_wait"}},
    {"store to the end of the wave, page known", "gfx1100-rx7900xtx", DOC(252, 344, "sqtt", 'A'), KNOWN_PAGES, .how = HOW_WHOLE_LESS, .k = {.head = "lane_x4", .body = "store"}},
    {"store to the end of the wave, page known", "gfx1201-rx9070xt", DOC(355, 368, "sqtt", 'A'), KNOWN_PAGES, .how = HOW_WHOLE_LESS, .k = {.head = "lane_x4", .body = "store"}},
    {"store to the end of the wave, new page", "gfx1100-rx7900xtx", DOC(993, 1192, "sqtt", 'A'), .how = HOW_WHOLE_LESS, .k = {.head = "lane_x4", .body = "store"}},
    {"store to the end of the wave, new page", "gfx1200-rx9060xt", DOC(1015, 1296, "sqtt", 'A'), .how = HOW_WHOLE_LESS, .k = {.head = "lane_x4", .body = "store"}},
};
/* clang-format on */

const struct acc_section acc_latency = {"Memory latency and capacity", 1, latency, sizeof latency / sizeof latency[0]};
const struct acc_section acc_strides = {"Hits of the vector L1, by addresses", 2, strides,
                                        sizeof strides / sizeof strides[0]};
const struct acc_section acc_bandwidth = {"Memory bandwidth", 10, bandwidth, sizeof bandwidth / sizeof bandwidth[0]};
const struct acc_section acc_launch = {"Launch and cold memory", 1, launch, sizeof launch / sizeof launch[0]};
