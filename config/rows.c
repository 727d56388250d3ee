/* The table of the figures that describe a chip: path, place in struct profile, unit, range and meaning of each. */
#include "config/rows.h"

#include <stddef.h>
#include <string.h>

const char *const profile_confidence_key[] = {
    [CONF_DOCUMENTED] = "documented", [CONF_MEASURED] = "measured", [CONF_INFERRED] = "inferred",
    [CONF_GUESS] = "guess",           [CONF_WHAT_IF] = "what-if",   [CONF_WHAT_IF + 1] = NULL,
};

static const char *const policy_names[] = {"round_robin", "every_cycle", NULL};
static const char *const write_names[] = {"write_through", "write_back", NULL};
static const char *const replacement_names[] = {"lru", "fifo", "random", NULL};
static const char *const order_names[] = {"consecutive", "interleaved", NULL};

/* Enumerations are stored through a uint32_t. */
_Static_assert(sizeof(enum issue_policy) == 4 && sizeof(enum profile_write_policy) == 4 &&
                   sizeof(enum profile_replacement) == 4 && sizeof(enum profile_lds_order) == 4,
               "enum rows are 32 bits");

#define AT(M)      .offset = offsetof(struct profile, M)
#define PATH_IS(P) .path = P, .path_length = sizeof P - 1
#define TEXT(PATH, M, NEED, ABOUT)                                                                                     \
    {PATH_IS(PATH), AT(M), .size = sizeof((struct profile *)0)->M, .type = ROW_TEXT, .need = NEED, .about = ABOUT},
/* Path and member are spelled alike: cu.simds */
#define U32(M, UNIT, LO, HI, ABOUT)                                                                                    \
    {PATH_IS(#M), AT(M), .type = ROW_U32, .need = NEED_ALWAYS, .unit = UNIT, .min = LO, .max = HI, .about = ABOUT},
#define F64(M, UNIT, LO, HI, ABOUT)                                                                                    \
    {PATH_IS(#M), AT(M), .type = ROW_F64, .need = NEED_ALWAYS, .unit = UNIT, .min = LO, .max = HI, .about = ABOUT},
#define BOOL(M, ABOUT) {PATH_IS(#M), AT(M), .type = ROW_BOOL, .need = NEED_ALWAYS, .about = ABOUT},
#define ENUM(M, NAMES, ABOUT)                                                                                          \
    {PATH_IS(#M), AT(M), .type = ROW_ENUM, .need = NEED_ALWAYS, .names = NAMES, .about = ABOUT},

/* For chips with a tensor unit: check_tensor() */
#define TENSOR(M, UNIT, HI, ABOUT)                                                                                     \
    {PATH_IS(#M), AT(M), .type = ROW_U32, .need = NEED_NEVER, .unit = UNIT, .min = 0, .max = HI, .about = ABOUT},

/* For no chip: off unless somebody asks what if. */
#define IDEAL(M, ABOUT) {PATH_IS("ideal." #M), AT(ideal.M), .type = ROW_BOOL, .need = NEED_NEVER, .about = ABOUT},
#define IDEAL_COUNT(M, UNIT, HI, ABOUT)                                                                                \
    {PATH_IS("ideal." #M), AT(ideal.M), .type = ROW_U32, .need = NEED_NEVER,                                           \
     .unit = UNIT,         .min = 0,    .max = HI,       .about = ABOUT},

#define COST(E, KEY, M, ABOUT)                                                                                         \
    {PATH_IS("class." KEY "." #M),                                                                                     \
     AT(cls[OPC_##E].M),                                                                                               \
     .type = ROW_U32,                                                                                                  \
     .need = NEED_CLASS,                                                                                               \
     .group = OPC_##E,                                                                                                 \
     .unit = "cycles",                                                                                                 \
     .min = 0,                                                                                                         \
     .max = 4096,                                                                                                      \
     .about = ABOUT},
/* A class whose unit holds nothing back after the issue: memory has latencies of its own (cache.*, lds.*), branches
 * have those of the front end. */
#define ISSUED(E, KEY)                                                                                                 \
    COST(E, KEY, issue_cycles_w32, "issue port taken by one wave32 instruction (mfma: for each pass)")                 \
    COST(E, KEY, issue_cycles_w64, "issue port taken by one wave64 instruction (mfma: for each pass)")
#define LATENCY(E, KEY)                                                                                                \
    COST(E, KEY, latency_cycles,                                                                                       \
         "issue to the issue of a dependent instruction of the same kind (mfma: per pass; smem, message: of one "      \
         "without memory traffic, to the counter)")
/* A class with a result of its own. */
#define TIMED(E, KEY) ISSUED(E, KEY) LATENCY(E, KEY)
/* CDNA has waves of 64 alone. */
#define MATRIX(E, KEY)                                                                                                 \
    COST(E, KEY, issue_cycles_w64, "issue port taken by one wave64 instruction (mfma: for each pass)")                 \
    LATENCY(E, KEY)

#define MATRIX_U32(PATH, M, NEED, GROUP, ABOUT)                                                                        \
    {PATH_IS("matrix." PATH), AT(matrix.M), .type = ROW_U32, .need = NEED,  .group = GROUP,                            \
     .unit = "cycles",        .min = 0,     .max = 1000,     .about = ABOUT},
#define MFMA_U32(M, ABOUT)         MATRIX_U32(#M, M, NEED_MFMA, 0, ABOUT)
#define KIND_U32(E, KEY, M, ABOUT) MATRIX_U32(KEY "." #M, kind[OP_MATRIX_##E].M, NEED_KIND, OP_MATRIX_##E, ABOUT)
#define MATRIX_KIND(E, KEY, WHAT)                                                                                      \
    KIND_U32(E, KEY, valu_after_cycles, WHAT ": issue to that of a VALU instruction beside it; 0 = not beside it")     \
    KIND_U32(E, KEY, forward_cycles, WHAT ": issue to that of one that adds to the same registers, at least")          \
    KIND_U32(E, KEY, to_c_cycles, WHAT ": end of its passes to the issue of one that takes some of the result as C")   \
    KIND_U32(E, KEY, to_ab_cycles, WHAT ": end of its passes to the issue of one that takes the result as A or B")     \
    KIND_U32(E, KEY, to_valu_cycles, WHAT ": end of its passes to the issue of VALU that reads the result")            \
    KIND_U32(E, KEY, to_memory_cycles, WHAT ": end of its passes to the issue of LDS or VMEM that reads the result")

#define LEVEL(E, KEY, M, TYPE, NEED, ABOUT, ...)                                                                       \
    {PATH_IS("cache." KEY "." #M), AT(cache[LEVEL_##E].M), .type = TYPE, .need = NEED,                                 \
     .group = LEVEL_##E,           .about = ABOUT,         __VA_ARGS__},
#define CU32(E, KEY, M, UNIT, LO, HI, ABOUT)                                                                           \
    LEVEL(E, KEY, M, ROW_U32, NEED_CACHE, ABOUT, .unit = UNIT, .min = LO, .max = HI)
#define PASS(E, KEY)                                                                                                   \
    CU32(E, KEY, pass_entries, "requests", 1, 65536,                                                                   \
         "stores, atomics and bypassing loads of one channel that wait for the level below")
#define CF64(E, KEY, M, UNIT, LO, HI, ABOUT)                                                                           \
    LEVEL(E, KEY, M, ROW_F64, NEED_CACHE, ABOUT, .unit = UNIT, .min = LO, .max = HI)
/* rows that not every level has */
#define PRESENT(E, KEY) LEVEL(E, KEY, present, ROW_BOOL, NEED_NEVER, "the chip has this level")
#define HIT_LATENCY(E, KEY)                                                                                            \
    CU32(E, KEY, hit_latency_cycles, "cycles", 1, 10000, "load to use on a hit, whole path from issue")
#define SHARED(E, KEY)                                                                                                 \
    CU32(E, KEY, shared_by_cus, "CUs", 0, 4096, "CUs that share one instance; 0 = all of the XCD or chip")
#define WRITES(E, KEY)                                                                                                 \
    LEVEL(E, KEY, write_policy, ROW_ENUM, NEED_CACHE, "what a store does on a hit", .names = write_names)              \
    LEVEL(E, KEY, write_allocate, ROW_BOOL, NEED_CACHE, "a store that misses brings a line in")
#define MORE_VL0                                                                                                       \
    HIT_LATENCY(VL0, "vl0")                                                                                            \
    WRITES(VL0, "vl0")                                                                                                 \
    CU32(VL0, "vl0", line_cycles, "cycles", 0, 64, "cycles a line that is filled takes of the data path")              \
    CU32(VL0, "vl0", request_bytes, "bytes", 16, 1024, "largest request to the next level: a line, or two neighbours") \
    CU32(VL0, "vl0", store_request_bytes, "bytes", 16, 1024,                                                           \
         "largest write request to the next level, as counters have it; time does not depend on it")                   \
    CU32(VL0, "vl0", address_pipelines, "pipelines", 0, 64,                                                            \
         "addresses of loads a cycle, of neighbouring lanes together; 0 = no limit but the lanes', and no banks")      \
    CU32(VL0, "vl0", conflict_window_addresses, "addresses", 1, 64,                                                    \
         "of each address pipeline, which wait for tag and data banks together")                                       \
    CU32(VL0, "vl0", data_banks, "banks", 8, 64, "data banks of 4 bytes; tag banks are tag_lookups_per_cycle")         \
    PASS(VL0, "vl0")
#define MORE_K HIT_LATENCY(K, "k") SHARED(K, "k") PASS(K, "k")
/* its latency is frontend.fetch_latency_cycles */
#define MORE_I SHARED(I, "i")
#define MORE_GL1                                                                                                       \
    PRESENT(GL1, "gl1")                                                                                                \
    HIT_LATENCY(GL1, "gl1")                                                                                            \
    SHARED(GL1, "gl1")                                                                                                 \
    LEVEL(GL1, "gl1", serves_scalar, ROW_BOOL, NEED_CACHE, "misses of the scalar cache go to it, not to L2")           \
    LEVEL(GL1, "gl1", serves_instructions, ROW_BOOL, NEED_CACHE,                                                       \
          "misses of the instruction cache go to it, not to L2")                                                       \
    PASS(GL1, "gl1")
#define HASH(E, KEY)                                                                                                   \
    LEVEL(E, KEY, channel_hash, ROW_BOOL, NEED_CACHE,                                                                  \
          "channels are chosen by MI300's hash of the address; false: they take turns")                                \
    LEVEL(E, KEY, set_hash, ROW_BOOL, NEED_CACHE,                                                                      \
          "sets are chosen by a hash of the line's number; false: by its lowest bits")
#define MORE_L2                                                                                                        \
    HIT_LATENCY(L2, "l2")                                                                                              \
    WRITES(L2, "l2")                                                                                                   \
    CU32(L2, "l2", store_miss_ack_cycles, "cycles", 0, 10000,                                                          \
         "that a store which allocates its line is acknowledged later than one to a line that is there")               \
    CU32(L2, "l2", write_back_lines_per_cycle, "lines", 0, 64,                                                         \
         "that each channel looks at in a cycle when an instruction has it write back all that is dirty; 0: no time")  \
    PASS(L2, "l2")                                                                                                     \
    HASH(L2, "l2")
#define MORE_MALL                                                                                                      \
    PRESENT(MALL, "mall") HIT_LATENCY(MALL, "mall") WRITES(MALL, "mall") PASS(MALL, "mall") HASH(MALL, "mall")
#define CACHE(E, KEY, WHAT)                                                                                            \
    CU32(E, KEY, size_bytes, "bytes", 256, 1u << 30, "capacity of one instance of the " WHAT)                          \
    CU32(E, KEY, line_bytes, "bytes", 16, 1024, "cache line")                                                          \
    CU32(E, KEY, ways, "ways", 1, 256, "associativity")                                                                \
    CU32(E, KEY, tag_lookups_per_cycle, "lookups/cycle", 1, 64, "tag lookups of one channel")                          \
    CF64(E, KEY, bytes_per_cycle, "bytes/cycle", 1, 4096, "data out of one channel")                                   \
    CU32(E, KEY, mshrs, "lines", 1, 4096, "MSHRs of one channel: lines, or pairs of lines, outstanding below")         \
    CU32(E, KEY, queue_entries, "entries", 2, 65536,                                                                   \
         "of one channel: before the tag lookup, and as many towards below")                                           \
    CU32(E, KEY, channels, "channels", 1, 1024, "channels of one instance")                                            \
    CU32(E, KEY, channel_interleave_bytes, "bytes", 16, 65536, "consecutive bytes in one channel")                     \
    LEVEL(E, KEY, replacement, ROW_ENUM, NEED_CACHE, "which line of a full set is evicted",                            \
          .names = replacement_names)                                                                                  \
    MORE_##E

/* clang-format off */
const struct profile_row profile_rows[] = {
    TEXT("chip", chip, NEED_ALWAYS, "name of the chip")
    TEXT("target", target, NEED_ALWAYS, "target whose code the chip runs")
    TEXT("about", about, NEED_NEVER, "remark on the profile as a whole")
    {PATH_IS("default_for_target"), AT(is_default_for_target), .type = ROW_FLAG, .need = NEED_NEVER,
     .about = "the bare target name means this profile; not inherited"},

    U32(gpu.shader_engines, "engines", 1, 256, "shader engines of the chip")
    U32(gpu.cus, "CUs", 1, 4096, "compute units of the chip")
    U32(gpu.xcds, "dies", 1, 64, "accelerator dies the compute units are spread over")
    U32(gpu.cus_per_wgp, "CUs", 1, 2, "compute units in a workgroup processor; 1 on GCN and CDNA")
    F64(gpu.realtime_clock_mhz, "MHz", 1, 1000, "constant clock that s_memrealtime and its like read")
    F64(gpu.shader_clock_mhz, "MHz", 1, 20000, "shader clock that turns cycles into time")

    U32(cu.simds, "SIMDs", 1, 8, "SIMDs of one compute unit")
    U32(cu.simd_lanes, "lanes", 16, 32, "lanes a SIMD computes per cycle")
    U32(cu.wave_slots_per_simd, "waves", 1, 64, "waves resident on one SIMD")
    ENUM(cu.issue_policy, policy_names, "round_robin: one SIMD arbitrates per cycle; every_cycle: all of them do")
    U32(cu.vgprs_per_simd_w32, "registers", 0, 8192, "VGPRs of a SIMD as wave32 counts them; 0 = no wave32")
    U32(cu.vgprs_per_simd_w64, "registers", 64, 8192, "VGPRs of a SIMD as wave64 counts them")
    U32(cu.vgpr_granule_w32, "registers", 0, 256, "VGPR allocation granule of wave32; 0 = no wave32")
    U32(cu.vgpr_granule_w64, "registers", 1, 256, "VGPR allocation granule of wave64")
    U32(cu.agprs_per_simd, "registers", 0, 8192, "accumulation VGPRs in a file of their own; 0 = none or unified")
    BOOL(cu.vgpr_unified, "accumulation VGPRs are allocated from the VGPR file")
    U32(cu.sgprs_per_simd, "registers", 0, 65536, "SGPR file of a SIMD; 0 = never limits occupancy")
    U32(cu.sgpr_granule, "registers", 1, 256, "SGPR allocation granule")
    U32(cu.lds_bytes, "bytes", 1024, 1u << 24, "LDS of a CU, or of a WGP when cu.lds_per_wgp")
    BOOL(cu.lds_per_wgp, "the LDS belongs to the WGP and its CUs share it")
    U32(cu.lds_granule_bytes, "bytes", 4, 65536, "LDS allocation granule")
    U32(cu.lds_max_per_workgroup_bytes, "bytes", 0, 1u << 24, "LDS one workgroup may own")
    U32(cu.lds_banks, "banks", 1, 64, "LDS banks that reads of up to 4, of 8 and of 16 bytes a lane reach")
    U32(cu.lds_bytes_per_cycle, "bytes/cycle", 1, 4096, "data out of one LDS port")
    U32(cu.lds_lanes_per_cycle, "lanes/cycle", 1, 64, "addresses one LDS port takes in")
    U32(cu.wide_address_lanes_per_cycle, "lanes/cycle", 0, 64,
        "lanes of more than 4 bytes that vector memory addresses; of narrower ones it takes cu.simd_lanes; 0 = as many")
    U32(cu.simds_per_lds_port, "SIMDs", 1, 8, "SIMDs that share one LDS port")
    U32(cu.lds_queue_depth, "instructions", 0, 31, "issued and waiting for an LDS port; 0 = issue waits for the port")
    U32(cu.lds_outstanding, "instructions", 0, 8,
        "LDS instructions of a wave that have issued and not come back; 0 = no limit")
    U32(cu.lds_staging_registers, "registers", 0, 16,
        "addresses and data of LDS instructions that a SIMD holds until LDS has taken them; 0 = no limit, else 5 or more")
    U32(cu.lds_result_gap_cycles, "cycles", 0, 16, "between LDS results that come back to one SIMD")
    U32(cu.vmem_queue_depth, "instructions", 1, 64,
        "vector memory instructions, for each SIMD of the CU, that have issued and wait to send their lines")
    BOOL(cu.vmem_returns_in_order, "vector loads of all waves of a CU come back in the order in which they issued")
    U32(cu.vmem_send_cycles, "cycles", 0, 64,
        "between vector memory instructions of a CU, for the address and each register of data; 0 = class.*.issue_cycles")
    U32(cu.vmem_compare_passes, "passes", 1, 16,
        "passes through the address unit, each of class.*_atomic's cycles, of a vector atomic that sends two operands "
        "(compare-and-swap)")
    F64(cu.store_runs_per_cycle, "runs/cycle", 0, 64,
        "runs of neighbouring lanes of a store in one line, that vector memory sends on; 0 = whole lines as of loads")
    U32(cu.max_multiwave_workgroups, "workgroups", 1, 256,
        "workgroups of more than one wave resident on a CU (barrier slots)")
    U32(cu.max_workgroup_items, "work-items", 32, 4096, "work-items of the largest workgroup")

    U32(issue.vmem_per_cycle, "instructions/cycle", 0, 16, "vector memory and flat instructions; 0 = unlimited")
    U32(issue.salu_per_cycle, "instructions/cycle", 0, 16, "SALU instructions (and SMEM when shared); 0 = unlimited")
    BOOL(issue.salu_smem_shared, "SALU and SMEM take the same slot")
    U32(issue.lds_per_cycle, "instructions/cycle", 0, 16, "LDS instructions; 0 = unlimited")
    U32(issue.internal_per_cycle, "instructions/cycle", 0, 16, "s_nop, s_waitcnt and the like; 0 = unlimited")
    U32(issue.wave_issue_interval_cycles, "cycles", 1, 64, "least distance of two instructions of one wave")
    U32(issue.smem_dwords_per_slot, "dwords", 0, 64,
        "scalar loads and stores take an issue slot (class.smem) for each so many dwords; 0 = one whatever the size")
    BOOL(issue.valu_blocks_memory,
        "LDS and VMEM wait for every VALU instruction of the wave, not only for those whose results they read")
    BOOL(issue.valu_sgpr_blocks_salu,
        "SALU and SMEM wait for every VALU instruction of the wave that writes an SGPR, not only for what they read")
    BOOL(issue.dependent_valu_blocks_issue,
        "a VALU instruction that waits for a VALU result, unannounced by s_delay_alu, holds its whole SIMD")

    U32(queue.valu_entries, "entries", 0, 16, "VALU instructions of a SIMD that wait for the unit; 0 = they wait in their waves")
    U32(queue.special_entries, "entries", 0, 12,
        "entries of the VALU's queue that a matrix or transcendental instruction may be among, of those counted; 0 = all")
    U32(queue.special_count_cycles, "cycles", 0, 4,
        "issue of a VALU instruction to its entry being counted for that")
    U32(queue.valu_sgpr_entries, "entries", 0, 16,
        "VALU instructions of a wave that have still to write an SGPR; 0 = no limit")
    U32(queue.simd_sgpr_entries, "entries", 0, 16,
        "VALU instructions of all waves of a SIMD that have begun and have still to write an SGPR; 0 = no limit")
    U32(queue.simd_sgpr_cycles, "cycles", 0, 100, "beginning of such an instruction to its entry being free")
    U32(queue.stalled_entries, "entries", 0, 16,
        "VALU instructions that have issued and wait behind one that has no such entry, itself among them; 0 = no limit")
    U32(queue.flight_entries, "entries", 0, 16,
        "VALU instructions of a SIMD that have issued and not yet left the unit; 0 = no limit")
    U32(queue.flight_cycles, "cycles", 0, 100, "beginning of a VALU instruction to its leaving the unit, as queue.flight_entries counts")
    U32(queue.salu_entries, "entries", 0, 16, "SALU instructions of a SIMD that wait for the unit or run; 0 = no queue")
    U32(queue.memory_entries, "entries", 0, 16,
        "LDS instructions, and as many of VMEM, of a SIMD whose registers have not all been read; 0 = no queue")
    U32(queue.entry_cycles, "cycles", 0, 100, "issue to the earliest beginning of an ALU instruction in its unit")
    U32(queue.matrix_entry_cycles, "cycles", 0, 100, "the same, more for a matrix instruction and between other VALU work and it")
    U32(queue.vgpr_read_cycles, "cycles", 0, 100, "issue to the beginning of a VALU instruction, more for one that reads VGPRs")
    U32(queue.vgpr_lone_read_cycles, "cycles", 0, 100, "the same for one that has a VGPR and no other source")
    U32(queue.vgpr_first_read_cycles, "cycles", 0, 100, "the same, more still for the first of a wave that reads VGPRs, if that is no matrix instruction")
    U32(queue.valu_sgpr_read_cycles, "cycles", 0, 100, "the same for one that reads SGPRs and no VGPRs")
    U32(queue.valu_sgpr_hold_cycles, "cycles", 0, 100,
        "issue of a VALU instruction that reads SGPRs or VCC to the issue of a SALU instruction behind it that writes SGPRs")
    U32(queue.vgpr_cache_lines, "registers", 0, 4,
        "VGPRs in the cache of a VGPR bank, through which the VALU gets its operands one a cycle; 0 = banks cost nothing")
    U32(queue.vgpr_fill_cycles, "cycles", 0, 8,
        "reading of a VGPR to the cycle from which an instruction finds it in the cache; one that asks between reads it again")
    U32(queue.vgpr_hold_cycles, "cycles", 0, 8,
        "beginning of the last instruction that uses a line of that cache to the beginning of one whose operand replaces it")
    U32(queue.vgpr_bank_operands, "VGPRs/cycle", 0, 8,
        "operands that the cache of a VGPR bank hands over a cycle; 0 = any number")
    U32(queue.read_ahead_entries, "entries", 0, 4,
        "VALU instructions that have their VGPRs, or are reading them, and have not begun; 0 = they read when they begin")
    U32(queue.read_release_cycles, "cycles", 0, 100, "VGPRs of a VALU instruction read to its queue entry being free")
    U32(queue.unit_to_internal_cycles, "cycles", 0, 100,
        "issue of an instruction to a unit to the issue of an internal one (s_waitcnt, s_clause ...) behind it")
    U32(queue.sgpr_read_cycles, "cycles", 0, 100, "the same for SALU that reads SGPRs")
    U32(queue.salu_release_cycles, "cycles", 0, 100, "end of a SALU instruction in the unit to its queue entry being free")
    U32(queue.salu_to_hwreg_cycles, "cycles", 0, 100,
        "beginning of a wave's SALU instruction to the issue of s_getreg or s_setreg behind it")
    U32(queue.setreg_cycles, "cycles", 0, 100, "beginning of s_setreg to the issue of what its wave has next")
    U32(queue.memory_release_cycles, "cycles", 0, 100,
        "last register of an LDS or VMEM instruction read to its queue entry being free")
    U32(queue.lds_send_cycles, "cycles", 0, 100,
        "last register of an LDS instruction read to the issue of one that waits for that")
    U32(queue.vmem_send_cycles, "cycles", 0, 100, "the same for VMEM")
    U32(queue.vmem_burst_registers, "registers", 0, 64,
        "registers of a SIMD's VMEM instructions that are read before another SIMD is served; clauses are not divided")
    U32(queue.vmem_burst_groups, "clauses", 0, 64,
        "clauses of a SIMD, and VMEM instructions in none, that are read before another SIMD is served")
    U32(queue.vmem_unit_entries, "instructions", 0, 16,
        "stores and atomics that the vector memory unit of a CU holds, from their first register on; 0 = no limit")
    U32(queue.vmem_unit_loads, "instructions", 0, 256,
        "loads that wait for their lookups in that unit when the queues of the SIMDs and its other entries are full")
    U32(queue.vmem_unit_cycles, "cycles", 0, 1000, "end of an instruction in that unit to the first register of the next")
    U32(queue.f64_leave_cycles, "cycles", 0, 100,
        "end of the issue cycles of f64 in the vector ALU to the beginning of another instruction there, if that is not of f64")
    BOOL(queue.f64_compare_as_64bit, "comparing f64 takes the cycles of class.valu64, not those of class.f64")

    /* by enum op_class; export is of no instruction that is executed, what is executed of gds is of the class message
     * here, dual instructions are of the class of their first half */
    TIMED(VALU, "valu") TIMED(VALU_DUAL, "valu_dual") TIMED(VALU64, "valu64") TIMED(VALU_MUL, "valu_mul")
    TIMED(VALU_MAD64, "valu_mad64") TIMED(FMA32, "fma32") TIMED(TRANS, "trans") TIMED(F64, "f64")
    TIMED(F64_MUL, "f64_mul") TIMED(F64_TRANS, "f64_trans") TIMED(DOT, "dot") TIMED(CROSS, "cross")
    TIMED(SWAP, "swap") MATRIX(MFMA, "mfma") TIMED(WMMA, "wmma") TIMED(SALU, "salu")
    TIMED(SALU_SAVEEXEC, "salu_saveexec") TIMED(SALU_FLOAT, "salu_float") TIMED(SALU_TRANS, "salu_trans")
    TIMED(SMEM, "smem")
    ISSUED(VMEM_LOAD, "vmem_load") ISSUED(VMEM_STORE, "vmem_store") ISSUED(VMEM_ATOMIC, "vmem_atomic")
    ISSUED(FLAT_LOAD, "flat_load") ISSUED(FLAT_STORE, "flat_store") ISSUED(FLAT_ATOMIC, "flat_atomic")
    ISSUED(CACHE_CTRL, "cache_ctrl") ISSUED(LDS_LOAD, "lds_load") ISSUED(LDS_STORE, "lds_store")
    ISSUED(LDS_ATOMIC, "lds_atomic") ISSUED(LDS_PERMUTE, "lds_permute") ISSUED(BRANCH, "branch")
    TIMED(MESSAGE, "message") ISSUED(INTERNAL, "internal")

    U32(frontend.fetch_bytes_per_cycle, "bytes/cycle", 1, 1024, "instruction bytes fetched for a CU")
    U32(frontend.fetch_latency_cycles, "cycles", 0, 1000, "fetch request to instructions in the buffer, cache hit")
    U32(frontend.buffer_bytes, "bytes", 8, 4096, "instruction buffer of one wave")
    U32(frontend.prefetch_blocks, "blocks", 0, 1024,
        "fetch blocks a wave asks for beyond the one it is in; 0 = as many as its buffer holds")
    U32(frontend.fetches_in_flight, "fetches", 0, 64,
        "blocks of one wave on their way at a time; 0 = as many as its buffer takes")
    U32(frontend.buffer_free_cycles, "cycles", 0, 1000,
        "issue of a block's last instruction to the request for the block that takes its place")
    U32(frontend.prefetch_lines, "lines", 0, 64,
        "lines of the instruction cache behind the one a wave has begun to fetch that hardware brings there, too")
    BOOL(frontend.branch_within_buffer, "a branch to what the buffer holds fetches nothing anew")
    BOOL(frontend.scalar_prefetch, "waves begin with MODE.SCALAR_PREFETCH_EN set: scalar prefetches act")
    U32(frontend.wave_release_cycles, "cycles", 0, 100000, "end of a wave until what it held may go to a new one")
    U32(frontend.branch_taken_cycles, "cycles", 1, 1000, "taken branch to the instruction at its target")
    U32(frontend.branch_resolve_cycles, "cycles", 0, 1000, "issue of a branch to the fetch that it causes")
    BOOL(frontend.fetch_in_order,
         "what a wave has fetched before a branch arrives before what it fetches after it")
    BOOL(frontend.branch_refetch, "a branch that is not taken fetches anew what lies behind its block")
    U32(frontend.branch_not_taken_cycles, "cycles", 1, 1000, "branch not taken to the next instruction")
    U32(frontend.barrier_release_cycles, "cycles", 0, 1000, "last wave's arrival to the next instruction of a waiter")
    U32(frontend.barrier_messages, "messages", 0, 4,
        "barrier signals of one SIMD in flight at once, one issued per cycle; 0 = any number")
    U32(frontend.barrier_message_cycles, "cycles", 0, 1000,
        "flight time of a barrier signal, for which it counts among frontend.barrier_messages")
    U32(frontend.barrier_count_cycles, "cycles", 0, 1000,
        "least distance of two signals of one SIMD that a barrier counts")
    U32(frontend.barrier_signal_cycles, "cycles", 0, 1000,
        "s_barrier_signal to the next instruction of its wave, at least")
    U32(frontend.sleep_unit_cycles, "cycles", 1, 1024, "cycles for each unit of the operand of s_sleep")
    U32(frontend.workgroup_interval_cycles, "cycles", 0, 10000,
        "a dispatcher's time for each workgroup of the grid, also those of other dies; 0 = what the engines can launch")
    U32(frontend.wave_launch_interval_cycles, "cycles", 1, 10000, "between two waves launched in one shader engine")
    U32(frontend.launch_latency_cycles, "cycles", 0, 100000, "launch of a wave to its first issue, caches warm")
    U32(frontend.valu_to_salu_cycles, "cycles", 1, 1000, "VALU writes an SGPR, to the issue of SALU that reads it")
    U32(frontend.trans_to_salu_cycles, "cycles", 1, 1000,
        "v_s_rcp_f32 and its like write an SGPR, to the issue of SALU that reads it")
    U32(frontend.salu_to_valu_cycles, "cycles", 1, 1000, "SALU writes an SGPR, to the issue of VALU that reads it")
    U32(frontend.valu_to_mem_cycles, "cycles", 1, 1000, "VALU result to the issue of LDS or VMEM that reads it")
    U32(frontend.valu_sgpr_to_mem_cycles, "cycles", 1, 1000,
        "VALU writes an SGPR, to the issue of LDS or VMEM that reads it")
    U32(frontend.valu_to_dpp_cycles, "cycles", 1, 1000, "VALU result to the issue of a DPP instruction that reads it")
    U32(frontend.salu_to_branch_cycles, "cycles", 1, 1000,
        "SALU writes SCC, VCC or EXEC, to the issue of a branch that reads it")
    U32(frontend.salu_to_smem_cycles, "cycles", 1, 1000, "SALU writes an SGPR, to the issue of SMEM that reads it")
    U32(frontend.endpgm_cycles, "cycles", 0, 10000, "s_endpgm to the wave slot being free, no stores outstanding")
    U32(frontend.completion_to_issue_cycles, "cycles", 0, 1000,
        "completion of a load to the issue of what waited for it: the part of a load-to-use latency that is no memory's")

    OP_MATRIX_KINDS(MATRIX_KIND)
    MFMA_U32(valu_to_matrix_cycles, "VALU result to the issue of MFMA that reads it")
    MFMA_U32(valu_exec_to_matrix_cycles, "VALU writes EXEC, to the issue of MFMA")
    MFMA_U32(acc_write_to_c_cycles, "VALU writes an AGPR, to the issue of MFMA with it in C")
    MFMA_U32(acc_write_to_ab_cycles, "VALU writes an AGPR, to the issue of MFMA with it in A or B")
    {PATH_IS("matrix.wmma_passes"),
     AT(matrix.wmma_passes),
     .type = ROW_U32,
     .need = NEED_WMMA,
     .unit = "passes",
     .min = 1,
     .max = 64,
     .about = "passes of the WMMA whose cycles class.wmma has; others issue in proportion to their passes"},
    {PATH_IS("matrix.wmma_addend_cycles"),
     AT(matrix.wmma_addend_cycles),
     .type = ROW_U32,
     .need = NEED_WMMA,
     .unit = "cycles",
     .max = 100,
     .about = "beginning of a WMMA to its reading C, after A and B: a result for C may come so much later"},

    U32(lds.latency_lanes, "lanes", 1, 64,
        "active lanes with which the latencies of LDS were measured: more take longer by what the paths take")
    U32(lds.latency_b32_cycles, "cycles", 1, 1000, "read of up to 4 bytes a lane, issue to counter, no conflict")
    U32(lds.latency_b64_cycles, "cycles", 1, 1000, "read of 8 bytes a lane")
    U32(lds.latency_b128_cycles, "cycles", 1, 1000, "read of 12 or 16 bytes a lane")
    U32(lds.store_latency_cycles, "cycles", 1, 1000, "store of up to 4 bytes a lane, issue to counter")
    U32(lds.store_latency_b64_cycles, "cycles", 1, 1000, "store of 8 bytes a lane")
    U32(lds.store_latency_b128_cycles, "cycles", 1, 1000, "store of 12 or 16 bytes a lane")
    U32(lds.atomic_latency_cycles, "cycles", 1, 1000, "atomic, issue to counter")
    U32(lds.permute_latency_cycles, "cycles", 1, 1000, "ds_permute, ds_bpermute, ds_swizzle")
    U32(lds.inbound_bytes_per_cycle, "bytes/cycle", 1, 4096, "addresses and data into one LDS port")
    U32(lds.result_b96_bytes, "bytes", 12, 16, "a lane's result of 12 bytes takes of the path out of an LDS port")
    BOOL(lds.sends_whole_rows, "inactive lanes take their share of the path into an LDS port")
    U32(lds.store_banks, "banks", 0, 64, "banks that stores, atomics and reads of 12 bytes a lane reach; 0 = cu.lds_banks")
    U32(lds.read_b32_lanes, "lanes", 4, 64, "lanes of one phase, whose reads of up to 4 bytes meet in the banks")
    U32(lds.read_b64_lanes, "lanes", 4, 64, "the same, reads of 8 bytes")
    U32(lds.read_b96_lanes, "lanes", 4, 64, "the same, reads of 12 bytes")
    U32(lds.read_b128_lanes, "lanes", 4, 64, "the same, reads of 16 bytes")
    U32(lds.store_b32_lanes, "lanes", 4, 64, "the same, stores and atomics of up to 4 bytes")
    U32(lds.store_b64_lanes, "lanes", 4, 64, "the same, stores and atomics of 8 bytes")
    U32(lds.store_b96_lanes, "lanes", 4, 64, "the same, stores of 12 bytes")
    U32(lds.store_b128_lanes, "lanes", 4, 64, "the same, stores of 16 bytes")
    ENUM(lds.wide_read_order, order_names, "lanes of one phase in reads of 12 and 16 bytes: neighbours, or groups of four apart")

    TENSOR(tensor.entries, "transfers", 32, "of the tensor unit of a CU, issued and not complete; 0 = the chip has none")
    TENSOR(tensor.setup_cycles, "cycles", 4096, "issue of a transfer to its first line")
    TENSOR(tensor.lines_per_cycle, "lines/cycle", 16, "cache lines that the tensor unit sends")

    CACHE_LEVELS(CACHE)

    U32(dram.latency_cycles, "cycles", 1, 100000, "load to use from DRAM, whole path from issue, TLB hit")
    F64(dram.bytes_per_cycle, "bytes/cycle", 0.01, 100000, "DRAM bandwidth of the whole chip per shader cycle")
    F64(dram.refresh_ns, "ns", 0, 100000, "a channel is refreshed for so long (tRFC), and moves nothing; 0 = unnoticed")
    F64(dram.refresh_interval_ns, "ns", 1, 1000000, "from one refresh of a channel to the next (tREFI)")
    U32(dram.channels, "channels", 1, 1024, "independent DRAM channels")
    U32(dram.queue_entries, "requests", 1, 65536, "requests that one channel holds, from being accepted to completion")
    U32(dram.banks, "banks", 1, 1024, "banks of a DRAM channel, each with one open row")
    U32(dram.row_bytes, "bytes", 64, 65536, "row of a bank")
    U32(dram.row_hit_saves_cycles, "cycles", 0, 1000,
        "less latency when the row is open; dram.latency_cycles is for one that is not")

    U32(fabric.iod_columns, "dies", 1, 8, "dies with the MALL and memory, side by side")
    U32(fabric.iod_rows, "dies", 1, 8, "and one behind the other; links join neighbours")
    U32(fabric.xcds_per_iod, "dies", 0, 64,
        "accelerator dies on one of these, the first ones filled first; 0 = as many on each")
    U32(fabric.hop_cycles, "cycles", 0, 1000,
        "a link between two of them, one way; latencies of MALL and DRAM are means over all")
    F64(fabric.link_bytes_per_cycle, "bytes/cycle", 0, 65536, "data on such a link, each way; 0 = without bound")
    F64(fabric.xcd_bytes_per_cycle, "bytes/cycle", 0, 65536,
        "data between an accelerator die and the die it lies on, both ways together; 0 = without bound")
    U32(fabric.probe_cycles, "cycles", 0, 10000,
        "more latency of a request whose line the L2 of another die has to write back or give up")

    U32(tlb.page_bytes, "bytes", 4096, 1u << 30, "memory of one translation (a power of two)")
    U32(tlb.utcl1_entries, "entries", 0, 4096, "translations a cache in front of L2 keeps; 0 = none is modelled")
    U32(tlb.utcl1_miss_cycles, "cycles", 0, 200, "more latency when the UTCL1 lacks the page and UTCL2 has it")
    U32(tlb.utcl2_entries, "entries", 0, 1u << 20,
        "lines of 8 translations that a UTCL2 keeps, a multiple of tlb.utcl2_ways; 0 = it has every page")
    U32(tlb.utcl2_ways, "ways", 1, 1024, "associativity of a UTCL2")
    U32(tlb.walk_levels, "tables", 1, 4,
        "page tables read one after the other in a walk that finds none of them; those above are always there")
    U32(tlb.walk_read_cycles, "cycles", 0, 100000, "reading one page table in a walk")
    U32(tlb.walkers, "walks", 1, 256, "page walks of a UTCL2 in flight at once")
    BOOL(tlb.copies_translated,
         "copy engines translate through the UTCL2, which still has the pages of what they have brought for a dispatch")
    U32(tlb.neighbour_bytes, "bytes", 0, 1u << 30,
        "buffers up to this size lie side by side: a line of translations holds several; 0: each has its own")

    BOOL(host.kernarg, "kernel arguments, dispatch packet and queue lie in memory of the host")
    U32(host.latency_cycles, "cycles", 1, 1000000, "load to use from memory of the host, whole path from issue, TLB hit")
    U32(host.translate_cycles, "cycles", 0, 100000,
        "more latency of a device's first access to a page of the host's memory, which the host's IOMMU translates; "
        "with host.kernarg")
    F64(host.bytes_per_cycle, "bytes/cycle", 0.01, 65536, "bandwidth of the bus to the host per shader cycle")

    F64(launch.before_ns, "ns", 0, 1000000,
        "from the packet of a launch, whose predecessor is complete, to the cycle in which its first wave is placed, "
        "without what follows")
    F64(launch.acquire_ns, "ns", 0, 1000000,
        "more before the first wave, where the packet acquires for the agent or the system: caches are invalidated")
    F64(launch.write_back_ns, "ns", 0, 1000000,
        "more after the last wave, where the release writes L2 back: it looks for modified lines")
    F64(launch.after_ns, "ns", 0, 1000000,
        "from the end of the last wave, and of the write-backs that the release asks for, to the completion")

    IDEAL(no_lds_conflicts, "each phase of an LDS access takes one pass over the banks, wherever its lanes are")
    IDEAL_COUNT(lds_row_bytes, "bytes", 1 << 20, "LDS is laid out in rows of so many bytes, with lds_row_pad_bytes behind each; 0 = as it is")
    IDEAL_COUNT(lds_row_pad_bytes, "bytes", 4096, "unused bytes behind each row of lds_row_bytes")
    IDEAL(full_lines, "a vector memory access asks for as many of its lines as its bytes fill, and for them whole")
    IDEAL(spread_channels, "channels of GL1, L2, MALL and DRAM are chosen by a hash of the whole address")
    IDEAL(no_waits, "wait counters hold no wave: results of memory, LDS and messages are there at issue")
    IDEAL(exact_waits, "wait counters hold a wave for stores alone; a result in flight holds what reads or writes its registers")
    IDEAL_COUNT(loads_ahead, "loads", 62, "a wait for vector loads lets so many more of them be in flight than it names; a load in flight holds addresses, stores and branches that depend on it")
    IDEAL(free_fetch, "instructions are in their wave's buffer without being fetched")
    IDEAL(free_issue, "the ALUs, their queues and the issue slots of a SIMD are never taken by another instruction")
    IDEAL(second_valu, "a SIMD has two vector ALUs")
    IDEAL(no_vl0_latency, "the vector L0 or L1 cache adds no cycles to those of its data path and of the levels below")
    IDEAL(no_gl1_latency, "the same of GL1")
    IDEAL(no_l2_latency, "the same of L2")
    IDEAL(no_mall_latency, "the same of MALL")
    IDEAL(no_dram_latency, "the same of DRAM and of memory of the host")
};
/* clang-format on */

const size_t profile_row_count = sizeof profile_rows / sizeof *profile_rows;

const struct profile_row *profile_row_find(const char *path)
{
    size_t length = strlen(path);

    /* every key of every document passes here; few rows have a path of the same length */
    for (size_t i = 0; i < profile_row_count; i++)
        if (profile_rows[i].path_length == length && !memcmp(profile_rows[i].path, path, length))
            return &profile_rows[i];
    return NULL;
}

bool profile_asks_what_if(const struct profile *p)
{
    for (size_t i = 0; i < profile_row_count; i++) {
        const struct profile_row *row = &profile_rows[i];
        const void *value = row_in(p, row);

        if (row->offset < offsetof(struct profile, ideal) ||
            row->offset >= offsetof(struct profile, ideal) + sizeof p->ideal)
            continue;
        if (row->type == ROW_BOOL ? *(const bool *)value : *(const uint32_t *)value != 0)
            return true;
    }
    return false;
}
