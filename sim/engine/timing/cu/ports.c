/* Structural hazards: the table of issue ports, and when a port takes a wave's next instruction. */
#include "sim/engine/timing/cu/ports.h"

#include "sim/engine/timing/cu/cu.h"

#define NEED(N)    (UINT32_C(1) << NEED_##N)
#define CLASS(C)   (UINT64_C(1) << OPC_##C)
#define CAT(C)     (UINT32_C(1) << OPCAT_##C)
#define WIDTH(F)   offsetof(struct profile_issue, F)
#define UNIT_WIDTH SIZE_MAX /* the unit takes one instruction in a cycle */

const struct port_desc port_table[PORT_COUNT] = {
    [PORT_VALU] = {.categories = CAT(VALU),
                   .slot = PORT_VALU,
                   .width_offset = UNIT_WIDTH,
                   .needs = {NEED(VALU_UNIT), NEED(VALU_UNIT) | NEED(VALU_QUEUE)},
                   .busy = STALL_UNIT_BUSY_VALU,
                   .producer = PRODUCER_VALU,
                   .consumer = CONSUMER_VALU,
                   .vector = true,
                   .vector_alu = true,
                   .alu = true,
                   .executes = true},
    [PORT_TRANS] = {.own_classes = CLASS(TRANS) | CLASS(F64_TRANS),
                    .slot = PORT_VALU,
                    .width_offset = UNIT_WIDTH,
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
                     .width_offset = UNIT_WIDTH,
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
                   .width_offset = UNIT_WIDTH,
                   .needs = {NEED(SMEM_INTAKE) | NEED(SMEM_CREDIT),
                             NEED(SMEM_INTAKE) | NEED(SMEM_CREDIT) | NEED(VALU_UNBLOCKED)},
                   .busy = STALL_UNIT_BUSY_SMEM,
                   .consumer = CONSUMER_SMEM},
    [PORT_LDS] = {.categories = CAT(LDS),
                  .slot = PORT_LDS,
                  .width_offset = WIDTH(lds_per_cycle),
                  .needs = {NEED(LDS_PORT), NEED(LDS_PORT) | NEED(LDS_QUEUE) | NEED(VALU_UNBLOCKED)},
                  .busy = STALL_UNIT_BUSY_LDS,
                  .consumer = CONSUMER_MEMORY,
                  .vector = true},
    [PORT_BRANCH] = {.categories = CAT(BRANCH),
                     .slot = PORT_BRANCH,
                     .width_offset = UNIT_WIDTH,
                     .needs = {NEED(BRANCH_UNIT), NEED(BRANCH_UNIT)},
                     .busy = STALL_UNIT_BUSY_BRANCH,
                     .consumer = CONSUMER_BRANCH,
                     .executes = true},
    [PORT_BARRIER] = {.slot = PORT_BARRIER,
                      .width_offset = WIDTH(internal_per_cycle),
                      .needs = {NEED(BARRIER_CREDIT), NEED(BARRIER_CREDIT)},
                      .busy = STALL_BARRIER,
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

uint32_t port_needs(enum timing_port port, enum front_kind front, bool flat, bool counted)
{
    return port_table[port].needs[front] | (flat ? port_table[PORT_LDS].needs[front] : 0) |
           (counted ? NEED(OP_ENTRY) : 0);
}

void port_issue_slots(struct cu_context *x)
{
    const struct profile_issue *issue = &x->profile->issue;

    x->issue_slots = 0;
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
        if (port_table[p].width_offset != UNIT_WIDTH)
            memcpy(&width, (const char *)issue + port_table[p].width_offset, sizeof width);
        /* barrier signals that are limited in number leave a SIMD one in each cycle */
        if (p == PORT_BARRIER && x->profile->frontend.barrier_messages)
            width = 1;
        n = x->issue_slots++;
        x->issue_slot[n] = (struct cu_issue_slot){UINT32_C(1) << p, width ? width : CU_MAX_SLOTS};
        x->issue_slot_of[p] = n;
    }
    for (unsigned p = 0; p < PORT_COUNT; p++) {
        uint32_t needs = port_table[p].needs[x->front->kind], bit = UINT32_C(1) << p;

        x->vector_alu_ports |= port_table[p].vector_alu ? bit : 0;
        x->verdicts_differ |= needs & NEED(VALU_QUEUE_LAST) ? bit : 0;
        x->reasons_change |= needs & (NEED(VMEM_CREDIT) | NEED(SMEM_CREDIT)) ? bit : 0;
    }
}

/* Verdicts --------------------------------------------------------------------------------------------------------- */

/* The cycle from which one resource has room for w's next instruction: any cycle up to `now` when it has it already,
 * CYCLE_NEVER when an event of the CU says (cu_credit_returned()), now + 1 when only asking again tells. */
static inline cycle_t room_at(const struct cu *c, const struct cu_simd *s, const struct cu_wave *w, unsigned need,
                              cycle_t now)
{
    const struct cu_queues *q = &s->queues;
    const struct pipe *lds;

    switch ((enum port_need)need) {
    case NEED_VALU_UNIT:
        return s->port[PORT_VALU].free_at;
    case NEED_TRANS_UNIT:
        return s->port[PORT_TRANS].free_at;
    case NEED_MATRIX_UNIT:
        return s->port[PORT_MATRIX].free_at;
    case NEED_SALU_UNIT:
        return s->port[PORT_SALU].free_at;
    case NEED_BRANCH_UNIT:
        return s->port[PORT_BRANCH].free_at;
    case NEED_OP_ENTRY:
        return cu_ops_can_accept(c, now) ? 0 : now + 1;
    case NEED_VMEM_INTAKE:
        return c->vmem[w->part].intake_free;
    case NEED_VMEM_CREDIT:
        return cu_line_queue_has_credit(&c->vmem[w->part]) ? 0 : CYCLE_NEVER;
    case NEED_SMEM_INTAKE:
        return c->smem[w->part].intake_free;
    case NEED_SMEM_CREDIT:
        return cu_line_queue_has_credit(&c->smem[w->part]) ? 0 : CYCLE_NEVER;
    case NEED_LDS_PORT:
        lds = &c->lds_port[cu_lds_port_of(c, w)].pipe;
        return pipe_can_accept(lds, now) ? 0 : cu_later(lds->free_at, now + 1);
    case NEED_BARRIER_CREDIT:
        return cu_barrier_credit_at(c, s);
    case NEED_VALU_QUEUE:
        return cu_later(cu_queue_free_at(&q->valu), cu_queue_free_at(&q->stalled));
    case NEED_VALU_QUEUE_LAST:
        return cu_queue_last_entries_at(s, w, now);
    case NEED_SALU_QUEUE:
        return cu_queue_free_at(&q->salu);
    case NEED_LDS_QUEUE:
        return cu_queue_free_at(&q->lds);
    case NEED_VMEM_QUEUE:
        return cu_path_room_at(c, s);
    case NEED_VALU_UNBLOCKED:
        /* a wave that the SIMD let pass in the cycle before goes on with its SALU instructions */
        if (!s->valu_queue_full || (w->info->port == PORT_SALU && q->salu_slot == w->slot && q->salu_at + 1 == now))
            return 0;
        return cu_queue_free_at(&q->valu);
    case NEED_COUNT:
        break;
    }
    assert(!"a need without a case");
    return now + 1;
}

struct verdict port_verdict(const struct cu *c, const struct cu_simd *s, const struct cu_wave *w, cycle_t now)
{
    unsigned port = w->info->port;
    struct verdict v = {0, (enum timing_stall)port_table[port].busy};

    for (uint32_t m = w->info->needs; m; m &= m - 1)
        v.at = cu_later(v.at, room_at(c, s, w, (unsigned)__builtin_ctz(m), now));
    if (v.at == CYCLE_NEVER)
        v.why = STALL_MEMORY_QUEUE_FULL;
    return v;
}
