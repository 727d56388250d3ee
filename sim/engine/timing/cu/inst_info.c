#include "sim/engine/timing/cu/inst_info.h"

#include <stdlib.h>

#include "sim/engine/timing/front/front.h"
#include "sim/engine/timing/memory/from_profile.h"

static enum profile_matrix_kind matrix_kind(const struct isa_matrix *m)
{
    if (isa_matrix_sparse(m))
        return PROFILE_MATRIX_SPARSE;
    if (m->cd == MT_F64)
        return m->m == 4 ? PROFILE_MATRIX_F64_4X4 : PROFILE_MATRIX_F64_16X16;
    return m->a == MT_F32 ? PROFILE_MATRIX_F32 : PROFILE_MATRIX_NARROW;
}

static void set_roles(struct timing_info *i)
{
    const struct port_desc *port = &port_table[i->port];

    i->vector = port->vector;
    i->producer = port->producer;
    i->consumer = port->consumer;
    if (i->cls == OPC_MFMA) {
        i->producer = (uint8_t)(PRODUCER_MFMA + matrix_kind(i->inst->row->mat));
        i->consumer = CONSUMER_MFMA_AB;
    } else if (i->consumer == CONSUMER_VALU && isa_form_is_dpp(i->inst->form)) {
        i->consumer = CONSUMER_DPP;
    }
}

/* A register reference as scoreboard indices; false when it needs no tracking. */
static bool flatten(const struct isa_target *t, const struct isa_regref *r, struct timing_reg *out)
{
    unsigned base, limit;

    switch (r->file) {
    case RF_SGPR:
        if (r->first == t->code_null)
            return false;
        base = 0;
        limit = REG_SCC;
        break;
    case RF_SCC:
        out->first = REG_SCC;
        out->count = 1;
        return true;
    case RF_VGPR:
        base = REG_VGPR;
        limit = REG_AGPR;
        break;
    case RF_AGPR:
        base = REG_AGPR;
        limit = REG_COUNT;
        break;
    default:
        return false;
    }
    if (base + r->first >= limit)
        return false; /* past the file: the instruction faults when it runs */
    out->first = (uint16_t)(base + r->first);
    out->count = r->count;
    if (out->first + out->count > limit)
        out->count = (uint16_t)(limit - out->first);
    return out->count != 0;
}

/* As what a register that it writes is made. */
static uint8_t producer_in(struct timing_info *i, const struct timing_reg *r)
{
    if (i->producer != PRODUCER_VALU || (r->first >= REG_VGPR && r->first < REG_AGPR))
        return i->producer;
    i->valu_sgprs |= r->first < REG_VGPR;
    return r->first < REG_VGPR ? PRODUCER_SGPR : PRODUCER_AGPR;
}

static void set_registers(struct timing_info *i, const struct launch *l)
{
    struct isa_regref refs[ISA_MAX_REGREFS];
    unsigned n = isa_inst_regs(l->target, i->inst, l->lanes, refs);
    unsigned at = 0;

    for (unsigned pass = 0; pass < 2; pass++) {
        /* what memory and messages write is guarded by wait counters, not by the scoreboard */
        if (pass && i->producer == PRODUCER_NONE)
            break;
        for (unsigned k = 0; k < n; k++)
            if (refs[k].write == (pass == 1) && flatten(l->target, &refs[k], &i->reg[at]))
                at++;
        if (!pass && i->vector) {
            /* which lanes run */
            i->reg[at].first = CODE_EXEC_LO;
            i->reg[at++].count = (uint16_t)(l->lanes / 32);
        }
        if (pass)
            i->writes = (uint8_t)(at - i->reads);
        else
            i->reads = (uint8_t)at;
    }
    for (unsigned k = 0; k < i->reads; k++)
        *(i->reg[k].first >= REG_VGPR ? &i->reads_vectors : &i->reads_scalars) |= UINT32_C(1) << k;
    for (unsigned k = 0; k < i->writes; k++) {
        bool vector = i->reg[i->reads + k].first >= REG_VGPR;

        i->producers[k] = producer_in(i, &i->reg[i->reads + k]);
        i->writes_vectors |= vector;
        i->writes_scalars |= !vector;
    }
}

/* What goes from the VGPRs to a unit. */
static void set_operands(struct timing_info *i, const struct launch *l)
{
    for (unsigned k = 0; k < i->reads; k++)
        if (i->reg[k].first >= REG_VGPR) {
            i->reads_vgprs = true;
            i->operand_slots += i->reg[k].count * (l->lanes / 32);
        } else {
            i->reads_sgprs |= i->reg[k].first != CODE_EXEC_LO;
        }
    for (unsigned k = i->reads; port_table[i->port].vector_alu && k < (unsigned)i->reads + i->writes; k++)
        i->writes_sgprs |= i->reg[k].first < REG_VGPR;
    if (!i->operand_slots)
        i->operand_slots = 1;
}

static enum timing_hwreg hwreg_of(const struct isa_row *row)
{
    for (unsigned k = 0; k < ISA_MAX_ARGS && row->args[k].slot != SL_NONE; k++)
        if (row->args[k].type == T_HWREG)
            return row->implicit & IMP_W_MODE ? HWREG_SET : HWREG_GET;
    return HWREG_NOT;
}

static void set_cost(struct timing_info *i, unsigned cls, const struct launch *l)
{
    const struct profile_class_cost *cost = &l->profile->cls[cls];

    i->issue_cycles = l->lanes == 32 ? cost->issue_cycles_w32 : cost->issue_cycles_w64;
    i->latency_cycles = cost->latency_cycles;
}

/* With DPP nothing does both halves of a wave64 at once. */
static void set_dpp_cost(struct timing_info *i, const struct launch *l)
{
    const struct profile_class_cost *valu = &l->profile->cls[OPC_VALU];
    uint32_t least = l->lanes == 32 ? valu->issue_cycles_w32 : valu->issue_cycles_w64;

    if (i->issue_cycles < least)
        i->issue_cycles = least;
}

/* C of an MFMA among the registers it reads: src2, and of SMFMAC the result itself. */
static void set_addend(struct timing_info *i, const struct isa_target *t)
{
    const struct isa_inst *inst = i->inst;
    unsigned slot = inst->row->mat->kind == MAT_MFMA ? SL_SRC2 : SL_VDST;

    for (unsigned k = 0; k < inst->nops; k++) {
        const struct isa_opnd *o = &inst->op[k];
        struct isa_regref r = {.file = o->flags & A_ACC ? RF_AGPR : RF_VGPR, .count = isa_types[o->type].dwords};

        if (inst->row->args[k].slot != slot || !(o->flags & A_RD) || o->code < CODE_VGPR || o->code == CODE_NONE)
            continue;
        r.first = (uint16_t)(o->code - CODE_VGPR);
        if (!flatten(t, &r, &i->addend))
            i->addend.count = 0;
    }
}

static void set_waits(struct timing_info *i, const struct isa_target *t)
{
    uint8_t threshold[WAIT_COUNT];

    memset(threshold, 0xff, sizeof threshold);
    if (!isa_inst_waits(t, i->inst, threshold))
        return;
    for (unsigned c = 0; c < WAIT_COUNT; c++)
        if (threshold[c] != 0xff && t->wait_bits[c])
            i->wait[i->waits++] = (struct timing_wait){(uint8_t)c, threshold[c]};
}

/* Other vector instructions go beside a transcendental or matrix one once it has its operands. */
static void set_handover(struct timing_info *i, const struct launch *l)
{
    const struct profile *p = l->profile;
    const struct profile_class_cost *valu = &p->cls[OPC_VALU];

    i->handover_cycles = l->lanes == 32 ? valu->issue_cycles_w32 : valu->issue_cycles_w64;
    if (i->cls == OPC_WMMA) {
        i->handover_cycles = i->issue_cycles;
    } else if (i->cls == OPC_MFMA) {
        const struct profile_matrix_kind_cost *kind = &p->matrix.kind[matrix_kind(i->inst->row->mat)];

        i->handover_cycles = kind->valu_after_cycles && kind->valu_after_cycles < i->issue_cycles
                                 ? kind->valu_after_cycles
                                 : i->issue_cycles;
        i->forward_cycles = kind->forward_cycles > i->issue_cycles ? kind->forward_cycles : i->issue_cycles;
    }
}

/* Scalar loads of many dwords take several slots. */
static void set_scalar_cost(struct timing_info *i, const struct profile *p)
{
    uint32_t dwords = i->inst->row->mem.bytes / 4u, per_slot = p->issue.smem_dwords_per_slot;

    if (per_slot && dwords > per_slot)
        i->issue_cycles *= (dwords + per_slot - 1) / per_slot;
}

/* Dwords of each lane in the VGPRs it reads, but for an operand of that field. */
static uint32_t lane_dwords(const struct isa_inst *inst, enum isa_slot but)
{
    uint32_t n = 0;

    for (unsigned k = 0; k < inst->nops; k++) {
        const struct isa_opnd *o = &inst->op[k];

        if ((o->flags & A_RD) && o->code >= CODE_VGPR && o->code != CODE_NONE && inst->row->args[k].slot != but)
            n += isa_types[o->type].dwords;
    }
    return n;
}

/* Address and data go to LDS, not the old value of a destination of which half is written. FLAT sends the lower half of
 * its address. */
static void set_lds_cost(struct timing_info *i)
{
    i->lds_dwords = (uint8_t)(lane_dwords(i->inst, SL_VDST) - (i->inst->format == FMT_FLAT));
}

/* Vector memory sends its address, in one piece whatever its width, and its data a register at a time. An atomic with
 * two operands goes through the address unit once for each. */
static void set_vector_cost(struct timing_info *i, const struct profile *p)
{
    const struct isa_row *row = i->inst->row;
    uint32_t data = row->mem.op == MEM_LOAD ? 0 : lane_dwords(i->inst, SL_ADDR);

    if (row->mem.op == MEM_ATOMIC && data * 4 > row->mem.bytes) {
        i->issue_cycles *= 2;
        i->latency_cycles *= 2;
    }
    i->send_cycles = p->cu.vmem_send_cycles ? p->cu.vmem_send_cycles * (1 + data) : i->issue_cycles;
}

/* A matrix instruction takes as long as its shape says. The profile has the cost of a pass for MFMA, and for WMMA that
 * of the f16 form, which takes 8 passes on gfx11 and 4 on gfx12 (isa/insts/wmma.c): there the time of the matrix unit
 * goes with the passes, and what comes after it is the same for all. */
static void set_matrix_cost(struct timing_info *i, const struct isa_matrix *m)
{
    uint32_t f16_passes = m->kind == MAT_WMMA ? 8 : 4, f16_cycles = i->issue_cycles;

    if (i->cls == OPC_MFMA) {
        i->issue_cycles *= m->passes;
        i->latency_cycles *= m->passes;
    } else if (i->cls == OPC_WMMA) {
        uint32_t after = i->latency_cycles > f16_cycles ? i->latency_cycles - f16_cycles : 0;

        i->issue_cycles = f16_cycles * m->passes / f16_passes;
        if (m->passes != f16_passes)
            i->latency_cycles = i->issue_cycles + after;
    }
}

/* What waves of other CUs may see in the order it happens, or see of them: atomics, GDS, and accesses that go past the
 * caches of the CU. Everything else is theirs to order by such. */
static bool is_ordered(const struct timing_info *i)
{
    switch (i->cls) {
    case OPC_VMEM_ATOMIC:
    case OPC_FLAT_ATOMIC:
    case OPC_GDS:
        return true;
    case OPC_VMEM_LOAD:
    case OPC_VMEM_STORE:
    case OPC_FLAT_LOAD:
    case OPC_FLAT_STORE:
    case OPC_SMEM:
        return i->inst->row->mem.op == MEM_ATOMIC || i->inst->u.mem.hint.scope != SCOPE_CU;
    default:
        return false;
    }
}

static void set_control(struct timing_info *i, const struct isa_target *t)
{
    static const struct {
        uint8_t bit, level;
    } map[] = {
        {ISA_CACHE_VL0, LEVEL_VL0},
        {ISA_CACHE_GL1, LEVEL_GL1},
        {ISA_CACHE_K, LEVEL_K},
        {ISA_CACHE_I, LEVEL_I},
    };
    unsigned bits = i->inst->row->cache_control;
    bool inv = bits & ISA_CACHE_INV, wb = bits & ISA_CACHE_WB;
    uint8_t levels = 0;

    i->control = bits != 0;
    if (bits & ~(unsigned)(ISA_CACHE_INV | ISA_CACHE_WB)) {
        /* of L2 only lines of others' memory are dropped, of which there is none (mem/cache/policy.h) */
        for (size_t k = 0; k < sizeof map / sizeof map[0]; k++)
            levels |= bits & map[k].bit ? (uint8_t)(1u << map[k].level) : 0;
        i->invalidate = inv ? levels : 0;
        i->write_back = wb ? levels : 0;
    } else if (bits) {
        struct mem_reach r = mem_policy_reach(timing_mem_gen(t), inv, wb, (enum mem_scope)i->inst->u.mem.hint.scope);

        i->invalidate = (uint8_t)r.invalidate;
        i->write_back = (uint8_t)r.write_back;
    }
}

/* What would be decided again at each issue. */
static void set_ways(struct timing_info *i, const struct profile *p)
{
    const struct front_end *front = front_of(p);
    bool queues = front->kind == FRONT_QUEUED;
    bool announces = i->special == ISA_SPECIAL_DELAY_ALU || i->special == ISA_SPECIAL_CLAUSE;
    bool waits = i->port == PORT_INTERNAL && i->waits;

    i->drains =
        i->special == ISA_SPECIAL_NOP || (i->port == PORT_INTERNAL && i->special == ISA_SPECIAL_NONE && !i->waits);
    i->plain = i->special == ISA_SPECIAL_NONE ? i->category != OPCAT_BRANCH && (i->category != OPCAT_INTERNAL || waits)
                                              : announces || i->special == ISA_SPECIAL_WAIT_ALU;
    i->goes_out = i->counters || i->control || i->port == PORT_SMEM || i->port == PORT_VMEM || i->port == PORT_LDS;
    i->asks_more = i->special == ISA_SPECIAL_WAIT_ALU || i->writes_sgprs || i->hwreg || i->drains;
    i->needs = port_needs(i->port, front->kind, i->category == OPCAT_FLAT, i->counters);
    i->needs_by_wave = i->category == OPCAT_FLAT || i->needs & 1u << NEED_VALU_QUEUE_LAST;
    i->announces = announces;
    i->waits_in_unit = (i->consumer == CONSUMER_VALU || i->consumer == CONSUMER_DPP)
                           ? queues || p->issue.dependent_valu_blocks_issue
                           : queues && i->port == PORT_SALU;
}

static void fill(struct timing_info *i, const struct launch *l, gaddr_t pc)
{
    const struct profile *p = l->profile;
    const struct isa_row *row;

    i->pc = pc;
    i->inst = isa_program_at(l->program, pc);
    i->size_bytes = 4;
    i->cls = OPC_INTERNAL;
    i->category = OPCAT_INTERNAL;
    i->port = PORT_INTERNAL;
    if (!i->inst || !i->inst->row)
        return;
    row = i->inst->row;
    i->special = row->special;
    i->size_bytes = i->inst->size_bytes;
    i->cls = row->cls;
    i->category = op_class_category[row->cls];
    i->port = (uint8_t)port_of_class(row->cls, p->cu.issue_policy == ISSUE_EVERY_CYCLE);
    if (row->cls == OPC_INTERNAL && row->flags & RF_ENDS)
        i->port = PORT_BRANCH; /* s_endpgm takes the way of messages: rocprofiler-compute docs, SQ thread traces */
    if (row->flags & RF_BARRIER)
        i->port = PORT_BARRIER;
    i->imm = (uint16_t)i->inst->offset;
    if (i->special == ISA_SPECIAL_SENDMSG &&
        !(isa_node_under(l->target->node, N_GFX11) && (i->imm & 0xff) == MSG_DEALLOC_VGPRS))
        i->special = ISA_SPECIAL_NONE;
    set_cost(i, row->cls, l);
    if (isa_form_is_dpp(i->inst->form))
        set_dpp_cost(i, l);
    if (row->mat)
        set_matrix_cost(i, row->mat);
    if (i->port == PORT_SMEM)
        set_scalar_cost(i, p);
    if (i->port == PORT_LDS || i->category == OPCAT_FLAT)
        set_lds_cost(i);
    if (i->port == PORT_VMEM)
        set_vector_cost(i, p);
    if (i->port == PORT_TRANS || i->port == PORT_MATRIX)
        set_handover(i, l);
    i->counters = isa_inst_counters(l->target, i->inst);
    set_roles(i);
    set_registers(i, l);
    set_operands(i, l);
    if (i->port == PORT_SALU)
        i->hwreg = (uint8_t)hwreg_of(row);
    if (i->cls == OPC_F64 && i->writes_sgprs && p->queue.f64_compare_as_64bit)
        set_cost(i, OPC_VALU64, l);
    if (i->cls == OPC_MFMA)
        set_addend(i, l->target);
    set_waits(i, l->target);
    i->ordered = is_ordered(i);
    set_control(i, l->target);
    set_ways(i, p);
}

static size_t hash(gaddr_t pc, size_t slots)
{
    return (size_t)hash64(pc >> 2, 44) & (slots - 1);
}

bool timing_table_init(struct timing_table *t, const struct launch *launch, uint32_t threads, struct arena *arena)
{
    pthread_mutex_init(&t->lock, NULL);
    t->launch = launch;
    t->threads = threads;
    t->arena = arena;
    t->used = 0;
    t->slot_count = 1024;
    t->slots = ARENA_NEW(arena, t->slot_count, struct timing_info *);
    return t->slots != NULL;
}

static bool grow(struct timing_table *t)
{
    size_t count = t->slot_count * 2;
    struct timing_info **slots = ARENA_NEW(t->arena, count, struct timing_info *);

    if (!slots)
        return false;
    for (size_t k = 0; k < t->slot_count; k++) {
        size_t at;

        if (!t->slots[k])
            continue;
        for (at = hash(t->slots[k]->pc, count); slots[at]; at = (at + 1) & (count - 1))
            ;
        slots[at] = t->slots[k];
    }
    t->slots = slots;
    t->slot_count = count;
    return true;
}

/* What all threads have counted, in the first one's place. */
static const struct timing_counts *add_up(struct timing_counts *c, uint32_t threads)
{
    for (uint32_t k = 1; k < threads; k++) {
        c->count += c[k].count;
        c->lines += c[k].lines;
        c->bytes += c[k].bytes;
        c->lds_count += c[k].lds_count;
        c->conflict_cycles += c[k].conflict_cycles;
        c->addr_conflict_cycles += c[k].addr_conflict_cycles;
        c[k] = (struct timing_counts){0};
    }
    return c;
}

static uint64_t weight(const struct timing_counts *c)
{
    return c->lines + c->conflict_cycles + c->addr_conflict_cycles;
}

/* Heavier first; equal ones by pc, so that runs agree. */
static int by_weight(const void *a, const void *b)
{
    const struct timing_info *x = *(struct timing_info *const *)a, *y = *(struct timing_info *const *)b;
    uint64_t wx = weight(x->counts), wy = weight(y->counts);

    return wx != wy ? (wx < wy ? 1 : -1) : x->pc < y->pc ? -1 : 1;
}

static int by_pc(const void *a, const void *b)
{
    const struct engine_memory_inst *x = a, *y = b;

    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

void timing_table_report(const struct timing_table *t, struct engine_result *r)
{
    struct timing_info **used = arena_alloc(t->arena, t->used + 1, sizeof *used, _Alignof(struct timing_info *));
    size_t n = 0;

    if (!used)
        return; /* has_memory_insts stays false */
    for (size_t k = 0; k < t->slot_count; k++) {
        struct timing_info *i = t->slots[k];
        const struct timing_counts *c = i && i->counts ? add_up(i->counts, t->threads) : NULL;

        if (c && c->count + c->lds_count)
            used[n++] = i;
    }
    qsort(used, n, sizeof *used, by_weight);
    r->has_memory_insts = true;
    for (size_t k = 0; k < n && k < ENGINE_MAX_MEMORY_INSTS; k++) {
        const struct timing_counts *c = used[k]->counts;

        r->memory_inst[r->memory_inst_count++] =
            (struct engine_memory_inst){.pc = used[k]->pc,
                                        .count = c->count,
                                        .lines = c->lines,
                                        .bytes = c->bytes,
                                        .lds_count = c->lds_count,
                                        .conflict_cycles = c->conflict_cycles,
                                        .addr_conflict_cycles = c->addr_conflict_cycles};
    }
    r->memory_insts_left_out = n - r->memory_inst_count;
    qsort(r->memory_inst, r->memory_inst_count, sizeof r->memory_inst[0], by_pc);
}

void timing_table_free(struct timing_table *t)
{
    if (t->launch)
        pthread_mutex_destroy(&t->lock);
}

static struct timing_info *find_or_make(struct timing_table *t, gaddr_t pc)
{
    size_t at = hash(pc, t->slot_count);
    struct timing_info *i;

    for (; t->slots[at]; at = (at + 1) & (t->slot_count - 1))
        if (t->slots[at]->pc == pc)
            return t->slots[at];
    i = ARENA_NEW(t->arena, 1, struct timing_info);
    if (!i)
        return NULL;
    fill(i, t->launch, pc);
    if (i->port == PORT_VMEM || i->port == PORT_SMEM || i->port == PORT_LDS) {
        i->counts = arena_alloc(t->arena, t->threads, sizeof *i->counts, _Alignof(struct timing_counts));
        if (!i->counts)
            return NULL;
    }
    t->slots[at] = i;
    if (++t->used * 2 > t->slot_count && !grow(t))
        return NULL;
    return i;
}

struct timing_info *timing_table_at(struct timing_table *t, gaddr_t pc)
{
    struct timing_info *i;

    pthread_mutex_lock(&t->lock);
    i = find_or_make(t, pc);
    pthread_mutex_unlock(&t->lock);
    return i;
}
