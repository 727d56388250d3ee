/* Static facts of an instruction for the timing engine, computed once per pc (inst_table.h) from isa/sched.h and the
 * profile.
 *
 * Registers are flattened into one index space for the scoreboard: SGPRs under their source codes (VCC 106, M0, EXEC
 * 126 ...), then SCC, then AGPRs, then VGPRs. Costs come from the profile, for the wave size of the launch.
 *
 * Where MODE has the upper bits of VGPR numbers (gfx1250), an instruction has an entry for each value of these bits
 * that it runs under: its registers differ. The entries share their counts, and each leads to entries of its own value;
 * only instructions that write MODE look for others.
 */
#ifndef GCNSIM_ENGINE_TIMING_INFO_H
#define GCNSIM_ENGINE_TIMING_INFO_H

#include "isa/sched.h"
#include "isa/work.h"
#include "sim/engine/engine.h"
#include "sim/engine/timing/cu/ports.h"
#include "sim/engine/timing/front/vgpr_banks.h"

/* An entry of the scoreboard: the cycle at which a register is ready for the producer's own kind, and the producer.
 * Later results compare greater. */
enum { READY_PRODUCER_BITS = 4 };
_Static_assert((int)PRODUCER_COUNT <= 1 << READY_PRODUCER_BITS, "the producer fits");
static inline uint64_t ready_entry(cycle_t at, unsigned producer)
{
    return at << READY_PRODUCER_BITS | producer;
}
static inline cycle_t ready_cycle(uint64_t entry)
{
    return entry >> READY_PRODUCER_BITS;
}
static inline unsigned ready_producer(uint64_t entry)
{
    return entry & ((1u << READY_PRODUCER_BITS) - 1);
}

enum {
    ISA_MAX_INST_BYTES = 20, /* as isa_decode() says */
    REG_SCC = 128,
    REG_AGPR = 136,
    REG_VGPR = REG_AGPR + 256, /* last, because targets have different numbers of them: timing_registers() */
    REG_COUNT = REG_VGPR + 1024,
};

/* Entries that the scoreboard of a wave needs. */
static inline unsigned timing_registers(const struct isa_target *t)
{
    return isa_has(t, FEAT_VGPR_MSB) ? REG_COUNT : REG_VGPR + 256;
}

struct timing_reg {
    uint16_t first, count;
};

/* Sums of an instruction's memory accesses as counted by one host thread. Each has host cache lines of its own, so that
 * threads do not share any. */
struct timing_counts {
    _Alignas(64) uint64_t stat[STAT_INST_ROWS]; /* enum stat_memory_inst */
};

/* The same of all that is counted for an instruction (engine_options.per_inst). */
struct timing_profile {
    _Alignas(64) uint64_t stat[STAT_INST_ALL]; /* enum stat_inst; of the rows of enum stat_memory_inst timing_counts */
};

/* Executions are counted by row, or pair of rows, and class, in the order in which waves come to them; and by class,
 * exact ones first, where more of these are met than there is room for. */
enum { TIMING_TALLY_ROWS = 2 * OPC_COUNT, TIMING_TALLIES = TIMING_TALLY_ROWS + 512 };

enum { TIMING_RESULTS = 4 };  /* registers, or rows of them, that a memory instruction writes */
enum { TIMING_OPERANDS = 7 }; /* VGPRs of a VALU instruction: six of a dual one, as many of one with 64-bit operands */

struct timing_info {
    const struct isa_inst *inst;        /* null: it cannot run, because pc lies outside the code or it is */
    const struct isa_inst *undescribed; /* of a class that the profile lacks */
    const struct isa_unit *unit;        /* runs it where isa_step() would take a long way; null: nothing does */
    gaddr_t pc;
    struct timing_info *next;   /* at pc + size_bytes; null until first wanted */
    struct timing_info *target; /* where the last taken branch went; null until then */
    struct timing_info *other;  /* the same instruction under other upper bits of VGPR numbers */
    uint32_t issue_cycles, latency_cycles;
    uint32_t handover_cycles;       /* TRANS, MATRIX: time for which they occupy the vector ALU's port too */
    uint32_t forward_cycles;        /* MFMA: to the issue of one that adds to its very result */
    uint32_t counters;              /* wait counters raised, a bit each */
    uint32_t operand_slots;         /* LDS, VMEM: registers of 32 lanes it reads */
    uint32_t send_cycles;           /* VMEM: time for which it occupies the intake of the vector memory unit */
    uint16_t imm;                   /* SIMM16 */
    uint8_t size_bytes, lds_dwords; /* lds_dwords: that each lane sends there */
    bool control;                   /* of caches: */
    uint8_t invalidate, write_back; /* levels, 1 << LEVEL_x */
    uint8_t cls, category, kind, port, producer, consumer;
    uint16_t tally;       /* what its executions are counted under */
    uint8_t special;      /* enum isa_special */
    bool works;           /* a VALU or matrix instruction: its lanes and operations are counted */
    uint32_t port_cycles; /* for which its port takes no other one */
    uint32_t valu_cycles; /* for which it takes the vector ALU: those, or those of its handover */
    struct isa_work work[2];
    uint8_t vgpr_msb;     /* the upper bits that its VGPR numbers have, as struct isa_wave has them */
    bool leads_elsewhere; /* what follows may not be `next`: a branch, or it may write the upper bits */
    uint8_t operands;
    uint16_t operand[TIMING_OPERANDS]; /* vector ALU: VGPRs it reads, from its last to its first, as vgpr_operand() */
    uint8_t bank_operands[VGPR_BANKS]; /* how many of these are in each bank */
    bool reads_vgprs, reads_sgprs;     /* reads_sgprs: but for EXEC */
    bool writes_sgprs;                 /* vector ALU */
    bool writes_sdst;                  /* vector ALU: SGPRs but for VCC and EXEC, or null in their place */
    bool salu_writes_sgprs;            /* scalar ALU: SGPRs, VCC or M0 */
    bool reads_before_exec, writes_before_scc; /* registers of those numbers */
    bool writes_scc;
    bool f64;                                        /* in the pipeline of f64 */
    bool one_source;                                 /* constants count */
    bool valu_sgprs;                                 /* some it writes as PRODUCER_SGPR */
    bool writes_vectors;                             /* what the scoreboard tracks from REG_AGPR on */
    struct timing_reg vectors_read, vectors_written; /* what lies between the first and the last of them */
    uint64_t registers_read, registers_written;      /* of `reg`: a bit for all with a number that is equal modulo 64 */
    uint8_t hwreg;                                   /* enum isa_hwreg_access */
    bool drains;          /* s_nop, s_sleep, s_barrier_wait: waits until the queues have drained (issue_queues.h) */
    bool vector;          /* runs under EXEC */
    bool plain;           /* no effect on any wave beyond its results */
    bool executes;        /* as port_desc.executes */
    bool makes_request;   /* to memory, LDS or another unit outside the SIMD (memory_ops.c) */
    bool has_other_waits; /* beside those for registers (front/queued.c) */
    bool waits_outside;   /* s_waitcnt and relatives: of the wave's buffer (front/fetch.c) */
    bool follows_unit;    /* internal: waits until the wave's instruction before it has gone to its unit */
    uint32_t needs;       /* resources it needs to issue, 1 << NEED_x (ports.h) */
    bool needs_by_wave;   /* the port's verdict may differ for other waves */
    bool announces;       /* what comes next: s_delay_alu, s_clause */
    bool waits_in_unit;   /* ALU: for results of its own unit; the wave goes on */
    bool communicates;    /* workgroups can talk to one another by it */
    bool ordered;         /* other CUs may see it, or it them: atomics and what reaches beyond a CU's cache */
    uint8_t waits, reads, writes; /* lengths of the lists below */
    struct isa_wait wait[WAIT_COUNT];
    struct timing_counts *counts;   /* of memory instructions, else null; one for each host thread */
    struct timing_profile *profile; /* likewise; null: nobody asks */
    uint8_t results;                /* memory, messages: registers that wait counters guard */
    struct timing_reg result[TIMING_RESULTS];
    struct timing_reg addend;                  /* MFMA, WMMA: C, one of those read; count 0: none */
    uint32_t reads_late;                       /* WMMA: a bit for C among `reg`, when neither A nor B are the same */
    uint8_t producers[ISA_SCHED_MAX_REGS];     /* of those written */
    uint64_t registers[ISA_SCHED_MAX_REGS];    /* of those read, each as registers_read has them all */
    struct timing_reg reg[ISA_SCHED_MAX_REGS]; /* `reads` of those read, then `writes` of those written */
};

static inline void timing_count_latency(struct timing_profile *p, cycle_t cycles)
{
    p->stat[STAT_INST_LATENCIES]++;
    p->stat[STAT_INST_LATENCY_CYCLES] += cycles;
    if (cycles > p->stat[STAT_INST_LATENCY_MAX_CYCLES])
        p->stat[STAT_INST_LATENCY_MAX_CYCLES] = cycles;
}

/* Fills in a new entry: the instruction of the launch at pc, under these upper bits of VGPR numbers. */
void timing_info_fill(struct timing_info *i, const struct launch *l, gaddr_t pc, uint8_t vgpr_msb);

#endif
