/* The issue slots of a run's SIMDs, in the order in which they are filled: which ports share one, and how many
 * instructions it issues in a cycle. */
#include "sim/engine/timing/cu/cu.h"

#define NEED(N) (UINT32_C(1) << NEED_##N)

void port_issue_slots(struct cu_context *x)
{
    const struct profile_issue *issue = &x->profile->issue;

    uint32_t differ = NEED(VALU_QUEUE_LAST);

    if (x->profile->cu.lds_staging_registers || x->profile->cu.lds_outstanding)
        differ |= NEED(LDS_SIDE);
    x->issue_slots = 0;
    x->salu_needs = port_needs(PORT_SALU, x->front->kind, false, false) & ~port_free_needs(x->profile);
    for (unsigned p = 0; p < PORT_COUNT; p++) {
        unsigned slot = port_table[p].slot;
        uint32_t n, width = 1;

        if (p == PORT_SMEM && issue->salu_smem_shared)
            slot = PORT_SALU;
        if (slot != p) {
            n = x->issue_slot_of[slot];
            x->issue_slot[n].ports |= UINT32_C(1) << p;
            x->issue_slot_of[p] = n;
            continue;
        }
        if (port_table[p].width_offset != PORT_UNIT_WIDTH)
            memcpy(&width, (const char *)issue + port_table[p].width_offset, sizeof width);
        /* barrier signals that are limited in number leave a SIMD one in each cycle */
        if (p == PORT_BARRIER && x->profile->frontend.barrier_messages)
            width = 1;
        if (x->profile->ideal.free_issue)
            width = 0;
        else if (p == PORT_VALU && x->profile->ideal.second_valu)
            width = 2;
        n = x->issue_slots++;
        x->issue_slot[n] = (struct cu_issue_slot){UINT32_C(1) << p, width ? width : CU_MAX_SLOTS};
        x->issue_slot_of[p] = n;
    }
    for (unsigned p = 0; p < PORT_COUNT; p++) {
        uint32_t needs = port_table[p].needs[x->front->kind] & ~port_free_needs(x->profile), bit = UINT32_C(1) << p;

        x->vector_alu_ports |= port_table[p].vector_alu ? bit : 0;
        x->verdicts_differ |= needs & differ ? bit : 0;
        x->needs_of_wave |= needs & differ;
        x->common_needs[p] = needs & ~differ;
        x->reasons_change |= needs & (NEED(VMEM_CREDIT) | NEED(SMEM_CREDIT)) ? bit : 0;
    }
}
