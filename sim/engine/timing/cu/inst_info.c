/* Static facts of instructions: ports, registers, costs and conditions, combined from isa/sched.h and the profile once
 * per pc. */
#include "sim/engine/timing/cu/inst_info.h"

#include "sim/engine/timing/front/front.h"
#include "sim/engine/timing/memory/from_profile.h"

static void set_roles(struct timing_info *i, const struct isa_sched *s)
{
    const struct port_desc *port = &port_table[i->port];

    i->vector = port->vector;
    i->producer = port->producer;
    i->consumer = port->consumer;
    if (i->cls == OPC_MFMA) {
        i->producer = (uint8_t)(PRODUCER_MFMA + s->matrix_kind);
        i->consumer = CONSUMER_MFMA_AB;
    } else if (i->consumer == CONSUMER_VALU && s->dpp) {
        i->consumer = CONSUMER_DPP;
    }
}

/* The registers of a reference in the scoreboard's index space; false when it needs no tracking. */
static bool flatten(const struct isa_target *t, const struct isa_regref *r, struct timing_reg *out)
{
    static const uint16_t base[] = {[RF_SGPR] = 0, [RF_SCC] = REG_SCC, [RF_VGPR] = REG_VGPR, [RF_AGPR] = REG_AGPR};
    const uint16_t limit[] = {
        [RF_SGPR] = REG_SCC, [RF_SCC] = REG_SCC + 1, [RF_VGPR] = timing_registers(t), [RF_AGPR] = REG_VGPR};
    unsigned first = base[r->file] + r->first;

    if (first >= limit[r->file])
        return false; /* past the file: the instruction faults when it runs */
    out->first = (uint16_t)first;
    out->count = first + r->count > limit[r->file] ? (uint16_t)(limit[r->file] - first) : r->count;
    return out->count != 0;
}

/* The producer kind of a register that the instruction writes. */
static uint8_t producer_in(struct timing_info *i, const struct timing_reg *r)
{
    i->valu_sgprs |= port_table[i->port].vector_alu && r->first < REG_AGPR;
    if (i->producer != PRODUCER_VALU || r->first >= REG_VGPR)
        return i->producer;
    return r->first < REG_AGPR ? PRODUCER_SGPR : PRODUCER_AGPR;
}

/* Appends the registers of a reference to out[at ..), of which there are `room`; returns the new end. Each has one
 * name, whatever the instruction calls it. */
static unsigned append(const struct launch *l, const struct isa_regref *r, struct timing_reg *out, unsigned at,
                       unsigned room)
{
    struct isa_regref part[2];
    unsigned parts = isa_regref_in_file(l->target, l->nvgprs, r, part);

    for (unsigned k = 0; k < parts && at < room; k++)
        at += flatten(l->target, &part[k], &out[at]);
    return at;
}

/* A register is one of 64 bits by its number modulo 64. */
static uint64_t register_bits(const struct timing_reg *r)
{
    uint64_t bits = r->count < 64 ? (UINT64_C(1) << r->count) - 1 : UINT64_MAX;
    unsigned by = r->first % 64;

    return by ? bits << by | bits >> (64 - by) : bits;
}

static void set_registers(struct timing_info *i, const struct isa_sched *s, const struct launch *l)
{
    enum { ROOM = sizeof i->reg / sizeof i->reg[0] };
    struct timing_reg addend[2];
    unsigned at = 0, results = 0;

    for (unsigned k = 0; k < s->reads; k++)
        at = append(l, &s->reg[k], i->reg, at, ROOM);
    i->reads = (uint8_t)at;
    /* wait counters guard the results of memory and messages, not the scoreboard */
    for (unsigned k = s->reads; i->producer != PRODUCER_NONE && k < (unsigned)s->reads + s->writes; k++)
        at = append(l, &s->reg[k], i->reg, at, ROOM);
    i->writes = (uint8_t)(at - i->reads);
    for (unsigned k = s->reads; i->producer == PRODUCER_NONE && k < (unsigned)s->reads + s->writes; k++)
        results = append(l, &s->reg[k], i->result, results, TIMING_RESULTS);
    i->results = (uint8_t)results;
    for (unsigned k = 0; k < i->reads; k++)
        i->registers_read |= i->registers[k] = register_bits(&i->reg[k]);
    for (unsigned k = 0; k < i->writes; k++) {
        i->producers[k] = producer_in(i, &i->reg[i->reads + k]);
        i->writes_vectors |= i->reg[i->reads + k].first >= REG_AGPR;
        i->registers_written |= register_bits(&i->reg[i->reads + k]);
    }
    if (append(l, &s->addend, addend, 0, 2) == 1) /* one that reaches over the files' border is not forwarded */
        i->addend = addend[0];
    for (unsigned k = 0; i->cls == OPC_WMMA && k < i->reads; k++)
        if (i->addend.count && i->reg[k].first == i->addend.first && i->reg[k].count == i->addend.count)
            i->reads_late |= UINT32_C(1) << k;
    if (i->reads_late & (i->reads_late - 1))
        i->reads_late = 0;
}

/* Makes `all` reach over the vector registers of r, too. */
static void include(struct timing_reg *all, const struct timing_reg *r)
{
    uint16_t end = (uint16_t)(r->first + r->count), last = (uint16_t)(all->first + all->count);

    if (r->first < REG_AGPR)
        return;
    if (!all->count) {
        *all = *r;
        return;
    }
    all->first = r->first < all->first ? r->first : all->first;
    all->count = (uint16_t)((end > last ? end : last) - all->first);
}

static bool one_source(const struct isa_inst *inst)
{
    unsigned sources = 0;

    for (unsigned k = 0; k < inst->nops; k++)
        sources += (inst->op[k].flags & A_RD) != 0;
    return sources == 1 && inst->form != FORM_VOPD;
}

/* The operands that a unit reads from the register file, in slots of 32 lanes. */
static void set_operands(struct timing_info *i, const struct launch *l)
{
    for (unsigned k = 0; k < i->reads; k++)
        if (i->reg[k].first >= REG_AGPR) {
            i->reads_vgprs = true;
            i->operand_slots += i->reg[k].count * (l->lanes / 32);
        } else {
            i->reads_sgprs |= i->reg[k].first != CODE_EXEC_LO;
        }
    for (unsigned k = i->reads; port_table[i->port].vector_alu && k--;)
        for (unsigned r = 0; i->reg[k].first >= REG_VGPR && r < i->reg[k].count; r++)
            if (i->operands < TIMING_OPERANDS)
                i->operand[i->operands++] = vgpr_operand(i->reg[k].first - REG_VGPR + r);
    for (unsigned k = 0; k < i->operands; k++)
        i->bank_operands[i->operand[k] % VGPR_BANKS]++;
    for (unsigned k = i->reads; port_table[i->port].vector_alu && k < (unsigned)i->reads + i->writes; k++) {
        i->writes_sgprs |= i->reg[k].first < REG_AGPR;
        i->writes_sdst |= i->reg[k].first < CODE_EXEC_LO && i->reg[k].first != CODE_VCC_LO;
    }
    for (unsigned k = 0; k < i->reads; k++) {
        include(&i->vectors_read, &i->reg[k]);
        i->reads_before_exec |= i->reg[k].first < CODE_EXEC_LO;
    }
    for (unsigned k = i->reads; k < (unsigned)i->reads + i->writes; k++) {
        i->salu_writes_sgprs |= i->port == PORT_SALU && i->reg[k].first < CODE_EXEC_LO;
        include(&i->vectors_written, &i->reg[k]);
        i->writes_before_scc |= i->reg[k].first < REG_SCC;
        i->writes_scc |= i->reg[k].first == REG_SCC;
    }
    if (!i->operand_slots)
        i->operand_slots = 1;
}

static void set_cost(struct timing_info *i, unsigned cls, const struct launch *l)
{
    const struct profile_class_cost *cost = &l->profile->cls[cls];

    i->issue_cycles = l->lanes == 32 ? cost->issue_cycles_w32 : cost->issue_cycles_w64;
    i->latency_cycles = cost->latency_cycles;
}

/* No class executes both halves of a wave64 at once under DPP. */
static void set_dpp_cost(struct timing_info *i, const struct launch *l)
{
    const struct profile_class_cost *valu = &l->profile->cls[OPC_VALU];
    uint32_t least = l->lanes == 32 ? valu->issue_cycles_w32 : valu->issue_cycles_w64;

    if (i->issue_cycles < least)
        i->issue_cycles = least;
}

/* Other vector instructions may issue beside a transcendental or matrix instruction once it has read its operands. */
static void set_handover(struct timing_info *i, const struct isa_sched *s, const struct launch *l)
{
    const struct profile *p = l->profile;
    const struct profile_class_cost *valu = &p->cls[OPC_VALU];

    i->handover_cycles = l->lanes == 32 ? valu->issue_cycles_w32 : valu->issue_cycles_w64;
    if (i->cls == OPC_WMMA) {
        i->handover_cycles = i->issue_cycles;
    } else if (i->cls == OPC_MFMA) {
        const struct profile_matrix_kind_cost *kind = &p->matrix.kind[s->matrix_kind];

        i->handover_cycles = kind->valu_after_cycles && kind->valu_after_cycles < i->issue_cycles
                                 ? kind->valu_after_cycles
                                 : i->issue_cycles;
        i->forward_cycles = kind->forward_cycles > i->issue_cycles ? kind->forward_cycles : i->issue_cycles;
    }
}

/* A scalar load of many dwords takes several issue slots. */
static void set_scalar_cost(struct timing_info *i, const struct isa_sched_mem *mem, const struct profile *p)
{
    uint32_t dwords = mem->bytes / 4u, per_slot = p->issue.smem_dwords_per_slot;

    if (per_slot && dwords > per_slot)
        i->issue_cycles *= (dwords + per_slot - 1) / per_slot;
}

/* Vector memory sends its address, in one piece whatever its width, and its data a register at a time. */
static void set_vector_cost(struct timing_info *i, const struct isa_sched_mem *mem, const struct profile *p)
{
    if (mem->compares) {
        i->issue_cycles *= p->cu.vmem_compare_passes;
        i->latency_cycles *= p->cu.vmem_compare_passes;
    }
    i->send_cycles = p->cu.vmem_send_cycles ? p->cu.vmem_send_cycles * (1u + mem->data_dwords) : i->issue_cycles;
}

/* A matrix instruction takes the unit for a time in proportion to its passes. The profile has the cost of one pass for
 * MFMA. For WMMA it has that of an instruction of matrix.wmma_passes; the time from the end of the passes to a
 * dependent instruction is the same for all. */
static void set_matrix_cost(struct timing_info *i, const struct isa_matrix *m, const struct profile *p)
{
    if (i->cls == OPC_MFMA) {
        i->issue_cycles *= m->passes;
        i->latency_cycles *= m->passes;
    } else {
        uint32_t after = i->latency_cycles > i->issue_cycles ? i->latency_cycles - i->issue_cycles : 0;

        i->issue_cycles = i->issue_cycles * m->passes / p->matrix.wmma_passes;
        i->latency_cycles = i->issue_cycles + after;
    }
}

static void set_control(struct timing_info *i, const struct isa_sched *s, const struct isa_target *t)
{
    static const struct {
        uint8_t bit, level;
    } map[] = {
        {ISA_CACHE_VL0, LEVEL_VL0},
        {ISA_CACHE_GL1, LEVEL_GL1},
        {ISA_CACHE_K, LEVEL_K},
        {ISA_CACHE_I, LEVEL_I},
    };
    unsigned bits = s->cache_control;
    bool inv = bits & ISA_CACHE_INV, wb = bits & ISA_CACHE_WB;
    uint8_t levels = 0;

    i->control = bits != 0;
    if (bits & ~(unsigned)(ISA_CACHE_INV | ISA_CACHE_WB)) {
        /* L2 drops lines of other devices' memory alone, and a device here has none of those (mem/cache/policy.h) */
        for (size_t k = 0; k < sizeof map / sizeof map[0]; k++)
            levels |= bits & map[k].bit ? (uint8_t)(1u << map[k].level) : 0;
        i->invalidate = inv ? levels : 0;
        i->write_back = wb ? levels : 0;
    } else if (bits) {
        struct mem_reach r = mem_policy_reach(timing_mem_gen(t), inv, wb, (enum mem_scope)s->mem.hint.scope);

        i->invalidate = (uint8_t)r.invalidate;
        i->write_back = (uint8_t)r.write_back;
    }
}

/* Decisions that depend on the instruction alone, taken once instead of at each issue. */
static void set_ways(struct timing_info *i, const struct profile *p)
{
    const struct front_end *front = front_of(p);
    bool queues = front->kind == FRONT_QUEUED;
    bool announces = i->special == ISA_SPECIAL_DELAY_ALU || i->special == ISA_SPECIAL_CLAUSE;
    bool waits = i->port == PORT_INTERNAL && i->waits;
    bool version = i->port == PORT_INTERNAL && i->inst->format == FMT_SOPK; /* s_version, when it waits for nothing */

    i->drains = i->special == ISA_SPECIAL_NOP ||
                (i->port == PORT_INTERNAL && i->special == ISA_SPECIAL_NONE && !i->waits && !version);
    i->plain = i->special == ISA_SPECIAL_NONE ? i->category != OPCAT_BRANCH && (i->category != OPCAT_INTERNAL || waits)
                                              : announces || i->special == ISA_SPECIAL_WAIT_ALU;
    i->executes = port_table[i->port].executes;
    i->makes_request = i->counters || i->control || i->port == PORT_SMEM || i->port == PORT_VMEM || i->port == PORT_LDS;
    i->waits_outside = queues && waits;
    i->follows_unit =
        i->port == PORT_INTERNAL && i->special != ISA_SPECIAL_DELAY_ALU && i->special != ISA_SPECIAL_WAIT_ALU;
    i->has_other_waits = i->special == ISA_SPECIAL_WAIT_ALU || i->writes_sgprs || i->salu_writes_sgprs || i->hwreg ||
                         i->drains || i->follows_unit || i->port == PORT_SMEM;
    i->needs = port_needs(i->port, front->kind, i->category == OPCAT_FLAT, i->counters);
    i->needs &= ~port_free_needs(p);
    if (!p->cu.lds_staging_registers && !p->cu.lds_outstanding)
        i->needs &= ~(UINT32_C(1) << NEED_LDS_SIDE);
    if (i->inst->row->mem.tensor)
        i->needs |= UINT32_C(1) << NEED_TENSOR_ENTRY;
    i->needs_by_wave =
        i->category == OPCAT_FLAT || i->needs & (UINT32_C(1) << NEED_VALU_QUEUE_LAST | UINT32_C(1) << NEED_LDS_SIDE |
                                                 UINT32_C(1) << NEED_TENSOR_ENTRY);
    i->announces = announces;
    i->waits_in_unit = (i->consumer == CONSUMER_VALU || i->consumer == CONSUMER_DPP)
                           ? queues || p->issue.dependent_valu_blocks_issue
                           : queues && i->port == PORT_SALU;
}

static void set_costs(struct timing_info *i, const struct isa_sched *s, const struct launch *l)
{
    const struct profile *p = l->profile;

    set_cost(i, s->cls, l);
    if (s->dpp)
        set_dpp_cost(i, l);
    if (s->matrix)
        set_matrix_cost(i, s->matrix, p);
    if (i->port == PORT_SMEM)
        set_scalar_cost(i, &s->mem, p);
    if (i->port == PORT_VMEM)
        set_vector_cost(i, &s->mem, p);
    if (i->port == PORT_TRANS || i->port == PORT_MATRIX)
        set_handover(i, s, l);
}

/* An instruction of f64 takes the vector ALU for as long as its own pipeline, where instructions wait in queues for
 * both. */
static void set_f64(struct timing_info *i, const struct launch *l)
{
    i->f64 = i->cls == OPC_F64 || i->cls == OPC_F64_MUL || i->cls == OPC_F64_TRANS;
    if (i->cls == OPC_F64 && i->writes_sgprs && l->profile->queue.f64_compare_as_64bit) {
        set_cost(i, OPC_VALU64, l);
        i->f64 = false;
    }
    if (i->cls == OPC_F64_TRANS && front_of(l->profile)->kind == FRONT_QUEUED)
        i->handover_cycles = i->issue_cycles;
}

/* A class that the profile does not describe: chips lack some of them (config/check.c). */
static bool lacks_class(const struct launch *l, const struct isa_inst *inst, unsigned cls)
{
    const struct profile_class_cost *cost = &l->profile->cls[cls];
    bool executed = inst->row->kind != ROW_WIDE || inst->row->exec;

    return executed && !(l->lanes == 32 ? cost->issue_cycles_w32 : cost->issue_cycles_w64);
}

static uint8_t kind_of(const struct isa_inst *inst, const struct isa_sched *s, const struct isa_work *work)
{
    static const uint8_t of_type[OP_TYPE_COUNT] = {
        [OPT_F64] = OPK_MATRIX_F64,   [OPT_F32] = OPK_MATRIX_F32, [OPT_XF32] = OPK_MATRIX_XF32,
        [OPT_F16] = OPK_MATRIX_F16,   [OPT_F8] = OPK_MATRIX_F8,   [OPT_I8] = OPK_MATRIX_I8,
        [OPT_BF16] = OPK_MATRIX_BF16, [OPT_I4] = OPK_MATRIX_I4};

    if (s->ends)
        return OPK_END;
    if (s->category == OPCAT_MFMA)
        return of_type[work->type];
    bool global =
        op_class_path[s->cls] == OP_PATH_VECTOR && (inst->format == FMT_GLOBAL || inst->format == FMT_SCRATCH);
    return (uint8_t)(op_class_kind[s->cls] + (global ? OPK_GLOBAL_LOAD - OPK_BUFFER_LOAD : 0));
}

/* The time for which it takes the vector ALU: units of their own leave it after the handover. */
static uint32_t valu_cycles(const struct timing_info *i)
{
    return i->port == PORT_VALU ? i->port_cycles : i->handover_cycles;
}

void timing_info_fill(struct timing_info *i, const struct launch *l, gaddr_t pc, uint8_t vgpr_msb)
{
    const struct profile *p = l->profile;
    struct isa_inst raised;
    struct isa_sched s;

    i->pc = pc;
    i->vgpr_msb = vgpr_msb;
    i->inst = isa_program_at(l->program, pc);
    isa_inst_sched(l->target, isa_inst_raised(l->target, i->inst, vgpr_msb, &raised), l->lanes, &s);
    i->kind = OPK_OTHER + OPCAT_INTERNAL;
    if (i->inst && i->inst->row) {
        isa_inst_work(i->inst, i->work);
        i->kind = kind_of(i->inst, &s, i->work);
    }
    if (s.cls == OPC_GDS)
        s.cls = OPC_MESSAGE; /* it leaves the compute unit for one of the chip's, as a message does */
    i->size_bytes = s.size_bytes;
    i->cls = s.cls;
    i->category = s.category;
    i->leads_elsewhere = s.cls == OPC_BRANCH || (s.writes_mode && isa_has(l->target, FEAT_VGPR_MSB));
    i->port = PORT_INTERNAL;
    if (!i->inst || !i->inst->row)
        return;
    if ((i->inst->row->mem.tensor && !p->tensor.entries) || lacks_class(l, i->inst, s.cls)) {
        i->undescribed = i->inst;
        i->inst = NULL;
        return;
    }
    i->special = s.special;
    i->port = (uint8_t)port_of_class(s.cls, p->cu.issue_policy == ISSUE_EVERY_CYCLE);
    if (s.ends)
        i->port = PORT_BRANCH; /* s_endpgm goes through the message unit: rocprofiler-compute docs, SQ thread traces */
    if (s.signals)
        i->port = PORT_BARRIER;
    i->imm = s.simm16;
    i->lds_dwords = s.mem.lds_dwords;
    i->counters = s.counters;
    i->hwreg = s.hwreg;
    i->ordered = s.mem.crosses_cu;
    i->communicates = s.crosses_workgroup;
    if (l->clusters) /* barriers of clusters, and ends, for which they wait no more */
        i->ordered |= i->port >= PORT_BRANCH && i->special == ISA_SPECIAL_NONE && !s.wait_count;
    i->waits = s.wait_count;
    memcpy(i->wait, s.wait, sizeof i->wait);
    set_costs(i, &s, l);
    set_roles(i, &s);
    set_registers(i, &s, l);
    set_operands(i, l);
    i->writes_sdst |= s.discards && port_table[i->port].vector_alu;
    set_f64(i, l);
    i->one_source = one_source(i->inst);
    set_control(i, &s, l->target);
    set_ways(i, p);
    i->works = port_table[i->port].vector_alu;
    /* a SIMD that has its turn every few cycles takes the unit from one to the next */
    i->port_cycles = i->issue_cycles;
    if (port_table[i->port].executes && p->cu.issue_policy == ISSUE_ROUND_ROBIN && i->port_cycles < p->cu.simds)
        i->port_cycles = p->cu.simds;
    i->valu_cycles = i->works ? valu_cycles(i) : 0;
}
