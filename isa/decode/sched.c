/* Collects what an issue model needs to know of an instruction: isa/sched.h. Everything follows from the row, the
 * format and the decoded operands, never from the mnemonic. */
#include "isa/sched.h"

static bool is_tracked(const struct isa_regref *r)
{
    return r->file == RF_SGPR || r->file == RF_SCC || r->file == RF_VGPR || r->file == RF_AGPR;
}

static bool names_exec(const struct isa_regref *r, unsigned lanes)
{
    return !r->write && r->file == RF_SGPR && r->first == CODE_EXEC_LO && r->count >= lanes / 32;
}

/* Instructions across lanes that name their destination once more leave some of its lanes as they are: to the issue of
 * others that is a write of some lanes, no read. */
static bool only_kept(const struct isa_inst *i, const struct isa_regref *r)
{
    const struct isa_opnd *last = i->nops ? &i->op[i->nops - 1] : NULL;

    if (i->row->cls != OPC_CROSS || !last || !(last->flags & A_HIDDEN) || r->file != RF_VGPR ||
        r->first + CODE_VGPR != last->code)
        return false;
    for (const struct isa_opnd *o = &i->op[1]; o < last; o++)
        if (o->code == last->code)
            return false;
    return true;
}

static void set_registers(const struct isa_target *t, const struct isa_inst *i, unsigned lanes, struct isa_sched *s)
{
    struct isa_regref refs[ISA_MAX_REGREFS];
    unsigned n = isa_inst_regs(t, i, lanes, refs), at = 0;
    bool exec = false;

    for (unsigned k = 0; k < n; k++)
        if (!refs[k].write && is_tracked(&refs[k]) && !only_kept(i, &refs[k])) {
            exec |= names_exec(&refs[k], lanes);
            s->reg[at++] = refs[k];
        }
    if (s->vector && !exec)
        s->reg[at++] = (struct isa_regref){RF_SGPR, (uint8_t)(lanes / 32), CODE_EXEC_LO, (uint16_t)lanes, false};
    s->reads = (uint8_t)at;
    for (unsigned k = 0; k < n; k++)
        if (refs[k].write && is_tracked(&refs[k]))
            s->reg[at++] = refs[k];
    s->writes = (uint8_t)(at - s->reads);
}

static bool writes_null(const struct isa_target *t, const struct isa_inst *i)
{
    for (unsigned k = 0; k < i->nops; k++)
        if ((i->op[k].flags & A_WR) && i->op[k].code == t->code_null)
            return true;
    return false;
}

static bool is_vector_source(const struct isa_opnd *o)
{
    return (o->flags & A_RD) && o->code >= CODE_VGPR && o->code != CODE_NONE;
}

/* src2 holds C, except that SMFMAC and SWMMAC add to their destination. */
static void set_addend(const struct isa_inst *i, struct isa_sched *s)
{
    unsigned slot = isa_matrix_sparse(i->row->mat) ? SL_VDST : SL_SRC2;

    for (unsigned k = 0; k < i->nops; k++) {
        const struct isa_opnd *o = &i->op[k];

        if (i->row->args[k].slot == slot && is_vector_source(o))
            s->addend = (struct isa_regref){.file = o->flags & A_ACC ? RF_AGPR : RF_VGPR,
                                            .first = (uint16_t)(o->code - CODE_VGPR),
                                            .count = isa_types[o->type].dwords,
                                            .bits = (uint16_t)(32 * isa_types[o->type].dwords)};
    }
}

static void set_waits(const struct isa_target *t, const struct isa_inst *i, struct isa_sched *s)
{
    uint8_t threshold[WAIT_COUNT];

    if (!isa_inst_waits(t, i, threshold))
        return;
    for (unsigned c = 0; c < WAIT_COUNT; c++)
        if (threshold[c] != 0xff)
            s->wait[s->wait_count++] = (struct isa_wait){(uint8_t)c, threshold[c]};
}

static enum isa_hwreg_access hwreg_access(const struct isa_row *row)
{
    for (unsigned k = 0; row->args[k].slot; k++)
        if (row->args[k].type == T_HWREG)
            return row->implicit & IMP_W_MODE ? ISA_HWREG_SET : ISA_HWREG_GET;
    return ISA_HWREG_NONE;
}

/* Messages go to the message unit and concern nobody else, except the one that gives the wave's VGPRs back early. */
static enum isa_special special(const struct isa_target *t, const struct isa_inst *i)
{
    enum { MESSAGE_MASK = 0xff, MSG_DEALLOC_VGPRS = 3 }; /* LLVM 19 SIDefines.h, SendMsg */

    if (i->row->special != ISA_SPECIAL_SENDMSG)
        return (enum isa_special)i->row->special;
    return isa_has(t, FEAT_DEALLOC_VGPRS) && (i->offset & MESSAGE_MASK) == MSG_DEALLOC_VGPRS ? ISA_SPECIAL_DEALLOC_VGPRS
                                                                                             : ISA_SPECIAL_NONE;
}

/* Dwords of one lane in the vector registers read, without the operand of field `without`. */
static unsigned lane_dwords(const struct isa_inst *i, enum isa_slot without)
{
    unsigned n = 0;

    for (unsigned k = 0; k < i->nops; k++)
        if (is_vector_source(&i->op[k]) && i->row->args[k].slot != without)
            n += isa_types[i->op[k].type].dwords;
    return n;
}

static bool crosses_cu(const struct isa_inst *i)
{
    switch (op_class_path[i->row->cls]) {
    case OP_PATH_GDS:
        return true;
    case OP_PATH_VECTOR:
    case OP_PATH_FLAT:
    case OP_PATH_SCALAR:
        return i->row->mem.op == MEM_ATOMIC || i->u.mem.hint.scope != SCOPE_CU;
    default:
        return false;
    }
}

static bool crosses_workgroup(const struct isa_target *t, const struct isa_inst *i)
{
    unsigned control = i->row->cache_control, levels = control & ~(unsigned)(ISA_CACHE_INV | ISA_CACHE_WB);

    if (levels)
        return levels != ISA_CACHE_VL0 || !isa_has(t, FEAT_CU_MODE_WGP);
    if (control) /* gfx90a's buffer_wbl2 has no scope and is for the system */
        return i->u.mem.hint.scope > SCOPE_SE || (t->layout != LAYOUT_GFX12 && !isa_has(t, FEAT_SC_BITS));
    return crosses_cu(i) && (i->row->mem.op == MEM_ATOMIC || i->row->cls == OPC_GDS || i->u.mem.hint.scope > SCOPE_SE);
}

static void set_memory(const struct isa_inst *i, struct isa_sched *s)
{
    const struct isa_memop *op = &i->row->mem;

    s->mem.op = op->op;
    s->mem.bytes = op->bytes;
    if (s->category != OPCAT_LDS && s->cls != OPC_EXPORT)
        s->mem.hint = i->u.mem.hint;
    s->mem.crosses_cu = crosses_cu(i);
    if (s->category == OPCAT_VMEM || s->category == OPCAT_FLAT) {
        s->mem.data_dwords = op->op == MEM_LOAD ? 0 : (uint8_t)lane_dwords(i, SL_ADDR);
        s->mem.compares = op->op == MEM_ATOMIC && s->mem.data_dwords * 4 > op->bytes;
    }
    /* The old value of a destination of which half is written stays in the VGPRs. FLAT sends the lower half of its
     * address. */
    if (s->category == OPCAT_LDS || s->category == OPCAT_FLAT)
        s->mem.lds_dwords = (uint8_t)(lane_dwords(i, SL_VDST) - (i->format == FMT_FLAT));
}

static bool is_vector_memory(enum op_category c)
{
    return c == OPCAT_VMEM || c == OPCAT_FLAT || c == OPCAT_LDS;
}

void isa_inst_sched(const struct isa_target *t, const struct isa_inst *i, unsigned lanes, struct isa_sched *s)
{
    const struct isa_row *row = i ? i->row : NULL;

    *s = (struct isa_sched){.cls = OPC_INTERNAL, .category = OPCAT_INTERNAL, .size_bytes = 4};
    if (!row)
        return;
    s->cls = row->cls;
    s->category = (uint8_t)op_class_category[row->cls];
    s->special = (uint8_t)special(t, i);
    s->size_bytes = i->size_bytes;
    s->simm16 = (uint16_t)i->offset;
    s->hwreg = (uint8_t)hwreg_access(row);
    s->vector = s->category == OPCAT_VALU || s->category == OPCAT_MFMA || is_vector_memory(s->category);
    s->dpp = isa_form_is_dpp(i->form);
    s->ends = row->cls == OPC_INTERNAL && (row->flags & RF_ENDS);
    s->signals = row->flags & RF_BARRIER;
    s->writes_mode = row->implicit & IMP_W_MODE;
    s->discards = writes_null(t, i);
    s->counters = isa_inst_counters(t, i);
    set_waits(t, i, s);
    set_registers(t, i, lanes, s);
    s->matrix = isa_matrix_of(i);
    if (row->cls == OPC_MFMA)
        s->matrix_kind = (uint8_t)isa_matrix_kind(row->mat);
    if (row->cls == OPC_MFMA || row->cls == OPC_WMMA)
        set_addend(i, s);
    s->cache_control = row->cache_control;
    s->crosses_workgroup = crosses_workgroup(t, i);
    if (s->category == OPCAT_SMEM || is_vector_memory(s->category))
        set_memory(i, s);
}
