/* The names of the issue ports (ports.h describes each), of what instructions are to the scoreboard, and of the two
 * micro-architectures in front of the units.
 */
#ifndef GCNSIM_TIMING_PORT_KINDS_H
#define GCNSIM_TIMING_PORT_KINDS_H

#include "sim/util/vocab.h"

enum timing_port {
    PORT_VALU,
    PORT_TRANS,
    PORT_MATRIX,
    PORT_VMEM,
    PORT_SALU,
    PORT_SMEM,
    PORT_LDS,
    PORT_BRANCH,
    PORT_BARRIER, /* barrier signals */
    PORT_INTERNAL,
    PORT_COUNT
};

/* The role of an instruction as the producer of a register's value, and as its consumer: latencies differ by the pair
 * (forwarding.c). */
enum timing_producer {
    PRODUCER_NONE,
    PRODUCER_VALU,
    PRODUCER_SGPR, /* the VALU, in an SGPR */
    PRODUCER_AGPR, /* the VALU, in an AGPR */
    PRODUCER_TRANS,
    PRODUCER_SALU,
    PRODUCER_QUEUE, /* no value: an instruction that has to leave its queue first */
    PRODUCER_WMMA,
    PRODUCER_MFMA, /* + enum op_matrix_kind */
    PRODUCER_COUNT = PRODUCER_MFMA + OP_MATRIX_KIND_COUNT
};
enum timing_consumer {
    CONSUMER_VALU,
    CONSUMER_DPP,
    CONSUMER_SALU,
    CONSUMER_SMEM,
    CONSUMER_BRANCH,
    CONSUMER_MEMORY,
    CONSUMER_MFMA_AB, /* and EXEC */
    CONSUMER_MFMA_C,
    CONSUMER_COUNT
};

/* The two micro-architectures in front of the units; each has a column of needs (front/front.h). */
enum front_kind { FRONT_INTERLOCKED, FRONT_QUEUED, FRONT_KINDS };

#endif
