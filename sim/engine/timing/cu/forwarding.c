/* Forwarding latency for each pair of producer and consumer of a register: the cycles by which the consumer issues
 * later than an instruction of the producer's own kind could (class.*.latency_cycles; for MFMA: than the end of its
 * passes).
 *
 * Some of these waits are hardware's, others are wait states that software has to leave (MFMA, DPP, SGPRs of the VALU
 * that memory reads). Code that leaves them loses no cycle here: the last wait state ends where the wait does. Code
 * that does not is reported by `gcnsim run --check`; here it is as slow as if it did.
 */
#include "sim/engine/timing/cu/cu.h"

static uint32_t past(uint32_t wanted, uint32_t latency)
{
    return wanted > latency ? wanted - latency : 0;
}

static void matrix_pairs(struct cu_context *x, uint32_t valu)
{
    const struct profile_matrix *m = &x->profile->matrix;

    for (unsigned k = 0; k < OP_MATRIX_KIND_COUNT; k++) {
        uint32_t *of = x->extra[PRODUCER_MFMA + k];

        of[CONSUMER_MFMA_C] = m->kind[k].to_c_cycles;
        of[CONSUMER_MFMA_AB] = m->kind[k].to_ab_cycles;
        of[CONSUMER_VALU] = of[CONSUMER_DPP] = m->kind[k].to_valu_cycles;
        of[CONSUMER_MEMORY] = m->kind[k].to_memory_cycles;
    }
    for (unsigned to = CONSUMER_MFMA_AB; to <= CONSUMER_MFMA_C; to++) {
        x->extra[PRODUCER_VALU][to] = past(m->valu_to_matrix_cycles, valu);
        x->extra[PRODUCER_SGPR][to] = past(m->valu_exec_to_matrix_cycles, valu);
    }
    x->extra[PRODUCER_AGPR][CONSUMER_MFMA_C] = past(m->acc_write_to_c_cycles, valu);
    x->extra[PRODUCER_AGPR][CONSUMER_MFMA_AB] = past(m->acc_write_to_ab_cycles, valu);
}

void timing_forwarding(struct cu_context *x)
{
    static const uint8_t vector[] = {PRODUCER_VALU, PRODUCER_AGPR, PRODUCER_TRANS, PRODUCER_WMMA};
    const struct profile_frontend *f = &x->profile->frontend;
    uint32_t valu = x->profile->cls[OPC_VALU].latency_cycles, salu = x->profile->cls[OPC_SALU].latency_cycles;

    for (unsigned k = 0; k < sizeof vector; k++) {
        x->extra[vector[k]][CONSUMER_MEMORY] = past(f->valu_to_mem_cycles, valu);
        x->extra[vector[k]][CONSUMER_DPP] = past(f->valu_to_dpp_cycles, valu);
    }
    for (unsigned to = CONSUMER_SALU; to <= CONSUMER_BRANCH; to++) {
        x->extra[PRODUCER_SGPR][to] = past(f->valu_to_salu_cycles, valu);
        x->extra[PRODUCER_TRANS][to] = past(f->trans_to_salu_cycles, x->profile->cls[OPC_SALU_TRANS].latency_cycles);
    }
    x->extra[PRODUCER_SGPR][CONSUMER_MEMORY] = past(f->valu_sgpr_to_mem_cycles, valu);
    for (unsigned to = CONSUMER_VALU; to <= CONSUMER_DPP; to++)
        x->extra[PRODUCER_SALU][to] = past(f->salu_to_valu_cycles, salu);
    x->extra[PRODUCER_SALU][CONSUMER_SMEM] = past(f->salu_to_smem_cycles, salu);
    x->extra[PRODUCER_SALU][CONSUMER_BRANCH] = past(f->salu_to_branch_cycles, salu);
    matrix_pairs(x, valu);
    for (unsigned p = 0; p < PRODUCER_COUNT; p++)
        for (unsigned k = 0; k < CONSUMER_COUNT; k++)
            if (x->extra[p][k] > x->longest_extra)
                x->longest_extra = x->extra[p][k];
}
