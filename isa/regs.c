/* Registers an instruction touches, from its operands and its row's implicit set. */
#include "isa/isa.h"

struct list {
    struct isa_regref *refs;
    unsigned n;
};

static void add(struct list *l, enum isa_regfile file, unsigned first, unsigned count, bool write)
{
    if (l->n < ISA_MAX_REGREFS && count)
        l->refs[l->n++] = (struct isa_regref){(uint8_t)file, (uint8_t)count, (uint16_t)first, write};
}

static void add_operand(const struct isa_target *t, struct list *l, const struct isa_inst *i, unsigned k,
                        unsigned lanes)
{
    const struct isa_opnd *o = &i->op[k];
    unsigned dwords = o->type == T_MASK ? lanes / 32 : isa_types[o->type].dwords;

    if (i->row->mat)
        dwords = isa_matrix_dwords(i->row->mat, i->row->args[k].slot, dwords, lanes);
    if (o->code == CODE_NONE || o->code == t->code_null || !dwords)
        return;
    for (unsigned pass = 0; pass < 2; pass++) {
        bool write = pass;
        if (!(o->flags & (write ? A_WR : A_RD)))
            continue;
        if (o->code >= CODE_VGPR)
            add(l, o->flags & A_ACC ? RF_AGPR : RF_VGPR, o->code - CODE_VGPR, dwords, write);
        else if (o->code < 128)
            add(l, RF_SGPR, o->code, dwords, write);
        else if (o->code == CODE_SCC)
            add(l, RF_SCC, 0, 1, write);
        else if (o->code == CODE_VCCZ)
            add(l, RF_SGPR, CODE_VCC_LO, lanes / 32, write);
        else if (o->code == CODE_EXECZ)
            add(l, RF_SGPR, CODE_EXEC_LO, lanes / 32, write);
    }
}

unsigned isa_inst_regs(const struct isa_target *t, const struct isa_inst *i, unsigned lanes,
                       struct isa_regref refs[ISA_MAX_REGREFS])
{
    struct list l = {refs, 0};
    uint32_t imp;

    if (!i->row)
        return 0;
    imp = i->row->implicit | (i->form == FORM_VOPD ? i->u.y.row->implicit : 0);
    for (unsigned k = 0; k < i->nops; k++)
        add_operand(t, &l, i, k, lanes);
    if (imp & IMP_R_SCC)
        add(&l, RF_SCC, 0, 1, false);
    if (imp & IMP_W_SCC)
        add(&l, RF_SCC, 0, 1, true);
    if (imp & IMP_R_VCC)
        add(&l, RF_SGPR, CODE_VCC_LO, lanes / 32, false);
    if (imp & IMP_W_VCC)
        add(&l, RF_SGPR, CODE_VCC_LO, lanes / 32, true);
    if (imp & IMP_R_EXEC)
        add(&l, RF_SGPR, CODE_EXEC_LO, lanes / 32, false);
    if (imp & IMP_W_EXEC)
        add(&l, RF_SGPR, CODE_EXEC_LO, lanes / 32, true);
    if (imp & IMP_R_M0)
        add(&l, RF_SGPR, t->code_m0, 1, false);
    if (imp & IMP_W_M0)
        add(&l, RF_SGPR, t->code_m0, 1, true);
    if ((imp & IMP_R_FLAT_SCRATCH) && t->code_flat_scratch != 0xffff)
        add(&l, RF_SGPR, t->code_flat_scratch, 2, false);
    return l.n;
}
