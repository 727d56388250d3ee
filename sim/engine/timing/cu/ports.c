/* The table of issue ports: which instructions each takes, the issue slot it fills, and the resources it needs. */
#include "sim/engine/timing/cu/ports.h"

#include "sim/engine/timing/cu/stall.h"

#define NEED(N)  (UINT32_C(1) << NEED_##N)
#define CLASS(C) (UINT64_C(1) << OPC_##C)
#define CAT(C)   (UINT32_C(1) << OPCAT_##C)
#define WIDTH(F) offsetof(struct profile_issue, F)

const struct port_desc port_table[PORT_COUNT] = {
    [PORT_VALU] = {.categories = CAT(VALU),
                   .slot = PORT_VALU,
                   .width_offset = PORT_UNIT_WIDTH,
                   .needs = {NEED(VALU_UNIT), NEED(VALU_UNIT) | NEED(VALU_QUEUE)},
                   .busy = STALL_UNIT_BUSY_VALU,
                   .producer = PRODUCER_VALU,
                   .consumer = CONSUMER_VALU,
                   .vector = true,
                   .vector_alu = true,
                   .alu = true,
                   .executes = true},
    [PORT_TRANS] = {.own_classes = CLASS(TRANS) | CLASS(F64_TRANS) | CLASS(SALU_TRANS),
                    .slot = PORT_VALU,
                    .width_offset = PORT_UNIT_WIDTH,
                    .needs = {NEED(VALU_UNIT) | NEED(TRANS_UNIT),
                              NEED(VALU_UNIT) | NEED(TRANS_UNIT) | NEED(VALU_QUEUE) | NEED(VALU_QUEUE_LAST)},
                    .busy = STALL_UNIT_BUSY_TRANS,
                    .producer = PRODUCER_TRANS,
                    .consumer = CONSUMER_VALU,
                    .vector = true,
                    .vector_alu = true,
                    .alu = true,
                    .executes = true},
    /* a queued matrix instruction waits for the entry of the transcendental unit (front/queued.h) */
    [PORT_MATRIX] = {.categories = CAT(MFMA),
                     .slot = PORT_VALU,
                     .width_offset = PORT_UNIT_WIDTH,
                     .needs = {NEED(VALU_UNIT) | NEED(MATRIX_UNIT),
                               NEED(VALU_UNIT) | NEED(TRANS_UNIT) | NEED(VALU_QUEUE) | NEED(VALU_QUEUE_LAST)},
                     .busy = STALL_UNIT_BUSY_MATRIX,
                     .producer = PRODUCER_WMMA,
                     .consumer = CONSUMER_VALU,
                     .vector = true,
                     .vector_alu = true,
                     .alu = true,
                     .executes = true},
    [PORT_VMEM] = {.categories = CAT(VMEM) | CAT(FLAT),
                   .slot = PORT_VMEM,
                   .width_offset = WIDTH(vmem_per_cycle),
                   .needs = {NEED(VMEM_INTAKE) | NEED(VMEM_CREDIT),
                             NEED(VMEM_QUEUE) | NEED(VMEM_CREDIT) | NEED(VALU_UNBLOCKED)},
                   .busy = STALL_UNIT_BUSY_VMEM,
                   .consumer = CONSUMER_MEMORY,
                   .vector = true},
    [PORT_SALU] = {.categories = CAT(SALU),
                   .slot = PORT_SALU,
                   .width_offset = WIDTH(salu_per_cycle),
                   .needs = {NEED(SALU_UNIT), NEED(SALU_UNIT) | NEED(SALU_QUEUE) | NEED(VALU_UNBLOCKED)},
                   .busy = STALL_UNIT_BUSY_SALU,
                   .producer = PRODUCER_SALU,
                   .consumer = CONSUMER_SALU,
                   .alu = true,
                   .executes = true},
    [PORT_SMEM] = {.categories = CAT(SMEM),
                   .slot = PORT_SMEM,
                   .width_offset = PORT_UNIT_WIDTH,
                   .needs = {NEED(SMEM_INTAKE) | NEED(SMEM_CREDIT),
                             NEED(SMEM_INTAKE) | NEED(SMEM_CREDIT) | NEED(VALU_UNBLOCKED)},
                   .busy = STALL_UNIT_BUSY_SMEM,
                   .consumer = CONSUMER_SMEM},
    [PORT_LDS] = {.categories = CAT(LDS),
                  .slot = PORT_LDS,
                  .width_offset = WIDTH(lds_per_cycle),
                  .needs = {NEED(LDS_PORT) | NEED(LDS_SIDE),
                            NEED(LDS_PORT) | NEED(LDS_SIDE) | NEED(LDS_QUEUE) | NEED(VALU_UNBLOCKED)},
                  .busy = STALL_UNIT_BUSY_LDS,
                  .consumer = CONSUMER_MEMORY,
                  .vector = true},
    [PORT_BRANCH] = {.categories = CAT(BRANCH),
                     .slot = PORT_BRANCH,
                     .width_offset = PORT_UNIT_WIDTH,
                     .needs = {NEED(BRANCH_UNIT), NEED(BRANCH_UNIT)},
                     .busy = STALL_UNIT_BUSY_BRANCH,
                     .consumer = CONSUMER_BRANCH,
                     .executes = true},
    [PORT_BARRIER] = {.slot = PORT_BARRIER,
                      .width_offset = WIDTH(internal_per_cycle),
                      .needs = {NEED(BARRIER_CREDIT), NEED(BARRIER_CREDIT)},
                      .busy = STALL_UNIT_BUSY_BARRIER,
                      .consumer = CONSUMER_SALU,
                      .executes = true},
    [PORT_INTERNAL] = {.categories = CAT(INTERNAL),
                       .slot = PORT_INTERNAL,
                       .width_offset = WIDTH(internal_per_cycle),
                       .busy = STALL_ARBITRATION,
                       .consumer = CONSUMER_SALU},
};

enum timing_port port_of_class(unsigned cls, bool trans_unit)
{
    uint32_t category = UINT32_C(1) << op_class_category[cls];

    for (unsigned p = 0; trans_unit && p < PORT_COUNT; p++)
        if (port_table[p].own_classes >> cls & 1)
            return (enum timing_port)p;
    for (unsigned p = 0; p < PORT_COUNT; p++)
        if (port_table[p].categories & category)
            return (enum timing_port)p;
    return PORT_INTERNAL;
}

uint32_t port_free_needs(const struct profile *p)
{
    if (!p->ideal.free_issue)
        return 0;
    return NEED(VALU_UNIT) | NEED(TRANS_UNIT) | NEED(MATRIX_UNIT) | NEED(SALU_UNIT) | NEED(BRANCH_UNIT) |
           NEED(BARRIER_CREDIT) | NEED(VALU_QUEUE) | NEED(VALU_QUEUE_LAST) | NEED(SALU_QUEUE) | NEED(VALU_UNBLOCKED);
}

uint32_t port_needs(enum timing_port port, enum front_kind front, bool flat, bool counted)
{
    return port_table[port].needs[front] | (flat ? port_table[PORT_LDS].needs[front] : 0) |
           (counted ? NEED(OP_ENTRY) : 0);
}
