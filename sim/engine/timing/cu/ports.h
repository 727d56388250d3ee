/* Issue ports: the units of a SIMD and of its CU that instructions are issued to, described by one table.
 *
 * A row of the table says which instructions a port takes, which ports share an issue slot with it, how many
 * instructions per cycle that slot issues, the resources it needs, and the roles its instructions have in the
 * scoreboard. port_verdict() in arbitration.c is the one function that says when a port takes a wave's next
 * instruction, and why not before.
 *
 * The order of the rows is the order in which a SIMD fills its issue slots within a cycle.
 */
#ifndef GCNSIM_TIMING_PORTS_H
#define GCNSIM_TIMING_PORTS_H

#include <stddef.h>
#include <stdint.h>

#include "config/profile.h"
#include "sim/engine/timing/cu/port_kinds.h"

/* Resources an instruction needs in order to issue. A bit each in port_desc.needs and timing_info.needs. */
enum port_need {
    NEED_VALU_UNIT,       /* entry of the vector ALU */
    NEED_TRANS_UNIT,      /* entry of the transcendental unit */
    NEED_MATRIX_UNIT,     /* entry of the matrix unit */
    NEED_SALU_UNIT,       /* entry of the scalar ALU */
    NEED_BRANCH_UNIT,     /* entry of the branch and message unit */
    NEED_OP_ENTRY,        /* entry in the CU's table of outstanding operations */
    NEED_VMEM_INTAKE,     /* intake of the vector memory unit */
    NEED_VMEM_CREDIT,     /* entry of the queue of vector memory instructions */
    NEED_TENSOR_ENTRY,    /* entry of the tensor unit */
    NEED_SMEM_INTAKE,     /* intake of the scalar memory unit */
    NEED_SMEM_CREDIT,     /* entry of the queue of scalar memory instructions */
    NEED_LDS_PORT,        /* LDS port of the SIMD */
    NEED_LDS_SIDE,        /* registers of the SIMD for what LDS has not taken in, and one of the wave's results */
    NEED_BARRIER_CREDIT,  /* one of the barrier signals that may be in flight */
    NEED_VALU_QUEUE,      /* entry of the SIMD's VALU queue */
    NEED_VALU_QUEUE_LAST, /* one of the queue's last entries, which matrix and transcendental instructions contend for
                           */
    NEED_SALU_QUEUE,      /* entry of the SIMD's SALU queue */
    NEED_LDS_QUEUE,       /* entry of the SIMD's LDS queue */
    NEED_VMEM_QUEUE,      /* entry of the SIMD's VMEM queue */
    NEED_VALU_UNBLOCKED,  /* no wave waits for a full VALU queue */
    NEED_COUNT
};

#define PORT_UNIT_WIDTH SIZE_MAX /* in the place of an offset: the unit takes one instruction in a cycle */

struct port_desc {
    uint32_t categories;         /* instruction categories it takes, 1 << OPCAT_x, */
    uint64_t own_classes;        /* and classes it takes from another port where the SIMD has this unit, 1 << OPC_x */
    uint8_t slot;                /* enum timing_port that names the issue slot it fills: its own, or one it shares */
    size_t width_offset;         /* of that slot's issue width (instructions per cycle) in struct profile_issue */
    uint32_t needs[FRONT_KINDS]; /* 1 << NEED_x */
    uint8_t busy;                /* enum timing_stall of its structural hazards */
    uint8_t producer, consumer;  /* roles in the scoreboard */
    bool vector;                 /* its instructions run under EXEC */
    bool vector_alu;             /* VALU, TRANS, MATRIX */
    bool alu;                    /* the former and SALU: results through the scoreboard */
    bool executes;               /* an ALU, the branch unit or the path to barriers: front_end.execute is called */
};

extern const struct port_desc port_table[PORT_COUNT];

/* The port of an instruction class. trans_unit: the SIMD has a transcendental unit beside its vector ALU. */
enum timing_port port_of_class(unsigned cls, bool trans_unit);

/* Resources that a what-if takes no notice of (ideal.free_issue). */
uint32_t port_free_needs(const struct profile *p);

/* All resources an instruction of a port needs. flat: it may go to LDS too; counted: it raises a wait counter. */
uint32_t port_needs(enum timing_port port, enum front_kind front, bool flat, bool counted);

#endif
