/* The scheduling facts of a decoded instruction: unit, registers, wait counters, memory operation.
 *
 * isa_inst_sched() collects in one call, made once per pc, everything that an issue model asks about an instruction
 * without looking at its operands' values. It reads no clock and no profile: cycle counts belong to profiles, keyed by
 * the class given here. What only execution can show (addresses, active lanes, branch outcomes) is in isa_effects.
 *
 * Left out: MODE and PC, on which no target keeps a scoreboard entry; isa_inst_regs() lists them too.
 */
#ifndef GCNSIM_ISA_SCHED_H
#define GCNSIM_ISA_SCHED_H

#include "isa/isa.h"

/* Access to a hardware register (s_getreg, s_setreg). */
enum isa_hwreg_access { ISA_HWREG_NONE, ISA_HWREG_GET, ISA_HWREG_SET };

/* The instruction waits until `counter` has come down to `threshold`. */
struct isa_wait {
    uint8_t counter, threshold; /* counter: enum wait_counter */
};

/* The memory access of an instruction whose class is SMEM, VMEM, FLAT, LDS or GDS. Dwords are those of one lane. */
struct isa_sched_mem {
    uint8_t op;    /* enum mem_op */
    uint8_t bytes; /* per lane; of scalar accesses in all */
    /* An atomic sends its data and what memory is compared with: two operands of `bytes` each. */
    bool compares;
    uint8_t data_dwords; /* VMEM, FLAT: data that stores and atomics send; the address is apart from them */
    uint8_t lds_dwords;  /* LDS, FLAT: address and data sent to LDS, where a FLAT address is 32 bits wide */
    struct mem_hint hint;
    /* Waves of other CUs may see the access, or it may see theirs: atomics, GDS, and a scope wider than the CU. */
    bool crosses_cu;
};

#define ISA_SCHED_MAX_REGS (ISA_MAX_REGREFS + 1) /* EXEC beside what isa_inst_regs() lists */

struct isa_sched {
    uint8_t cls;        /* enum op_class: the pipeline, and the key of its costs in profiles */
    uint8_t category;   /* enum op_category */
    uint8_t special;    /* enum isa_special; ISA_SPECIAL_SENDMSG never appears */
    uint8_t size_bytes; /* 4 for bytes that are no instruction */
    uint16_t simm16;    /* scalar formats with an immediate */
    uint8_t hwreg;      /* enum isa_hwreg_access */
    bool vector;        /* runs under EXEC: VALU, matrix, VMEM, FLAT, LDS */
    bool dpp;           /* one of the forms that read other lanes' registers */
    bool ends;          /* s_endpgm and relatives */
    bool signals;       /* signals a barrier */
    bool writes_mode;   /* some or all of MODE */
    bool discards;      /* writes null in place of SGPRs */

    uint32_t counters; /* wait counters raised, a bit per enum wait_counter */
    uint8_t wait_count;
    struct isa_wait wait[WAIT_COUNT];

    /* Registers read, then those written; explicit and implicit ones, EXEC of vector instructions included. Files are
     * RF_SGPR (by source code: VCC, M0, EXEC ... too), RF_SCC, RF_VGPR and RF_AGPR. */
    uint8_t reads, writes;
    struct isa_regref reg[ISA_SCHED_MAX_REGS];

    const struct isa_matrix *matrix; /* shape, types and passes; null for others */
    uint8_t matrix_kind;             /* enum op_matrix_kind, of CDNA's matrix instructions */
    struct isa_regref addend; /* C of MFMA and WMMA, one of the registers read; count 0: a constant, or none of these */

    struct isa_sched_mem mem;
    uint8_t cache_control; /* enum isa_cache_control, 0 for others; mem.hint.scope says how far it reaches */
    /* Workgroups can talk to one another by it: atomics, GDS, and accesses and cache control of a scope that is wider
     * than a workgroup's. What LLVM makes of a workgroup's fences is none: sc0, a scope up to SE, gfx10's glc; and
     * gl0_inv alone, where the device's scope asks for gl1_inv besides. */
    bool crosses_workgroup;
};

/* i may be null or have no row (a pc outside the code, bytes that are no instruction): such have OPC_INTERNAL and
 * nothing else. lanes: the wave's, 32 or 64, which decides the width of lane masks. */
void isa_inst_sched(const struct isa_target *t, const struct isa_inst *i, unsigned lanes, struct isa_sched *s);

#endif
