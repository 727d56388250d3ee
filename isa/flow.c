/* Where an instruction may lead: for graphs of control flow. */
#include "isa/isa.h"

enum isa_flow isa_inst_flow(const struct isa_inst *i, gaddr_t pc, gaddr_t *target)
{
    const struct isa_row *row = i->row;
    bool label = false, ends, calls = false;

    *target = 0;
    if (!row)
        return ISA_FLOW_END;
    ends = (row->flags & RF_ENDS) != 0;
    if (row->cls != OPC_BRANCH)
        return ends ? ISA_FLOW_END : ISA_FLOW_NEXT;
    for (unsigned k = 0; k < ISA_MAX_ARGS; k++) {
        label = label || row->args[k].type == T_LABEL;
        calls = calls || (row->args[k].slot == SL_SDST && row->args[k].flags & A_WR);
    }
    if (label)
        *target = pc + i->size_bytes + (gaddr_t)((int64_t)i->offset * 4);
    if (ends && calls) /* the address after it is kept */
        return ISA_FLOW_CALL;
    if (ends)
        return label ? ISA_FLOW_JUMP : ISA_FLOW_LEAVE;
    return label ? ISA_FLOW_BRANCH : ISA_FLOW_NEXT;
}

unsigned isa_msb_behind(const struct isa_inst *i, unsigned msb)
{
    gaddr_t target;

    if (i->row->special == ISA_SPECIAL_VGPR_MSB)
        return isa_named_msb(i);
    switch (isa_inst_flow(i, 0, &target)) {
    case ISA_FLOW_NEXT:
    case ISA_FLOW_CALL:
        return msb;
    default:
        return 0;
    }
}
