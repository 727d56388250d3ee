/* What the timing engine needs to know of an instruction, worked out once per pc and then only read.
 *
 * Registers are flattened into one index space for the scoreboard: SGPRs under their source codes (VCC 106, M0, EXEC
 * 126 ...), then SCC, then VGPRs, then AGPRs. Costs come from the profile, for the wave size of the launch.
 *
 * A table belongs to one run. Entries never move, so that they can point to one another: `next` and `target` spare
 * the look-up on the way from one instruction to the following one.
 */
#ifndef GCNSIM_ENGINE_TIMING_INFO_H
#define GCNSIM_ENGINE_TIMING_INFO_H

#include "sim/engine/engine.h"
#include "sim/util/arena.h"

/* The unit an instruction is issued to. VALU, TRANS and MATRIX share one issue slot. */
enum timing_port {
    PORT_VALU,
    PORT_TRANS,
    PORT_MATRIX,
    PORT_SALU,
    PORT_SMEM,
    PORT_VMEM,
    PORT_LDS,
    PORT_BRANCH,
    PORT_INTERNAL,
    PORT_COUNT
};

/* Who made a register's value, and who wants it: latencies differ by the pair. */
enum timing_producer { PRODUCER_NONE, PRODUCER_VALU, PRODUCER_TRANS, PRODUCER_MATRIX, PRODUCER_SALU, PRODUCER_COUNT };
enum timing_consumer { CONSUMER_VALU, CONSUMER_SALU, CONSUMER_MEMORY, CONSUMER_COUNT };

enum {
    ISA_MAX_INST_BYTES = 20, /* as isa_decode() says */
    REG_SCC = 128,
    REG_VGPR = 136,
    REG_AGPR = REG_VGPR + 256,
    REG_COUNT = REG_AGPR + 256,
};

struct timing_reg {
    uint16_t first, count;
};

struct timing_wait {
    uint8_t counter, threshold;
};

struct timing_info {
    const struct isa_inst *inst; /* null: pc outside the code */
    gaddr_t pc;
    struct timing_info *next;   /* at pc + size_bytes; null until first wanted */
    struct timing_info *target; /* where the last taken branch went; null until then */
    uint32_t issue_cycles, latency_cycles;
    uint32_t counters; /* wait counters raised, a bit each */
    uint16_t imm;      /* SIMM16 */
    uint8_t size_bytes;
    uint8_t cls, category, port, producer, consumer;
    uint8_t special;              /* enum isa_special */
    bool vector;                  /* runs under EXEC */
    uint8_t waits, reads, writes; /* lengths of the lists below */
    struct timing_wait wait[WAIT_COUNT];
    struct timing_reg reg[ISA_MAX_REGREFS + 1]; /* `reads` of those read, then `writes` of those written */
};

struct timing_table {
    const struct engine_launch *launch;
    struct arena *arena;
    struct timing_info **slots; /* open addressing by pc; null: free */
    size_t slot_count;          /* a power of two */
    size_t used;
};

/* False when there is no memory. */
bool timing_table_init(struct timing_table *t, const struct engine_launch *launch, struct arena *arena);

/* The entry of pc, made if need be; null when there is no memory. */
struct timing_info *timing_table_at(struct timing_table *t, gaddr_t pc);

#endif
