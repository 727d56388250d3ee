/* What an instruction is (sim/report/inst_facts.h). */
#include "sim/report/inst_facts.h"

static bool is_vector_memory(const struct isa_inst *i)
{
    unsigned path = op_class_path[i->row->cls];

    return path == OP_PATH_VECTOR || path == OP_PATH_FLAT;
}

static bool is_scalar(const struct isa_inst *i)
{
    switch (op_class_category[i->row->cls]) {
    case OPCAT_SALU:
    case OPCAT_SMEM:
    case OPCAT_BRANCH:
    case OPCAT_INTERNAL:
        return true;
    default:
        return false;
    }
}

static bool is_data(const struct isa_arg *a)
{
    return a->slot == SL_VDST || a->slot == SL_DATA0 || a->slot == SL_DATA1;
}

/* Bytes of the vector registers that hold a lane's data. */
static unsigned register_bytes(const struct isa_target *t, const struct isa_inst *i, unsigned lanes, bool written)
{
    struct isa_regref ref[ISA_MAX_REGREFS];
    unsigned n = isa_inst_regs(t, i, lanes, ref), most = 0;

    for (unsigned k = 0; k < n; k++)
        if (ref[k].write == written && (ref[k].file == RF_VGPR || ref[k].file == RF_AGPR) && ref[k].count > most)
            most = ref[k].count;
    return 4 * most;
}

static unsigned lane_bytes(const struct isa_target *t, const struct isa_inst *i, bool load, unsigned lanes)
{
    const struct isa_memop *m = &i->row->mem;

    if (m->comps || i->row->image.data) /* in memory they are as wide as the format says */
        return register_bytes(t, i, lanes, load);
    return m->bytes * (m->elems > 1 ? m->elems : 1u);
}

static uint32_t mixed(uint32_t hash, uint32_t word)
{
    return (hash ^ word) * UINT32_C(16777619);
}

static uint32_t access_of(const struct isa_inst *i)
{
    const struct isa_membits *m = &i->u.mem;
    uint32_t hash = mixed(mixed(UINT32_C(2166136261), i->opcode), i->format);

    for (unsigned k = 0; k < i->nops; k++)
        if (!is_data(&i->row->args[k]))
            hash = mixed(hash, (uint32_t)i->op[k].code << 8 | i->op[k].flags);
    hash = mixed(hash, (uint32_t)(m->glc | m->slc << 1 | m->dlc << 2 | m->scc << 3 | m->nv << 4 | m->lds << 5 |
                                  m->tfe << 6 | m->offen << 7 | m->idxen << 8 | m->gds << 9 | m->soffset_en << 10 |
                                  m->seg << 11 | m->scale << 13));
    hash = mixed(hash, (uint32_t)(m->dfmt | m->nfmt << 8 | m->format << 16));
    return mixed(hash, (uint32_t)(m->scope | m->th << 8));
}

struct inst_facts inst_facts_of(const struct isa_target *t, const struct isa_inst *i, gaddr_t pc, unsigned lanes)
{
    struct inst_facts f = {.cls = OPC_COUNT};
    uint8_t threshold[WAIT_COUNT];

    if (!i || !i->row)
        return f;
    const enum wait_counter loads = isa_has(t, FEAT_SPLIT_COUNTERS) ? WAIT_LOAD : WAIT_VM;
    bool load = i->row->cls == OPC_VMEM_LOAD || i->row->cls == OPC_FLAT_LOAD;

    f.cls = i->row->cls;
    f.vector_memory = is_vector_memory(i);
    f.vector_load = load && register_bytes(t, i, lanes, true); /* others load into LDS */
    f.counts_loads = isa_inst_counters(t, i) >> loads & 1;
    f.scalar = is_scalar(i);
    if (i->row->mem.bytes || i->row->image.data) {
        f.lane_bytes = (uint8_t)lane_bytes(t, i, load, lanes);
        f.element_bytes = (uint8_t)(i->row->mem.elems > 1 ? f.lane_bytes / i->row->mem.elems : f.lane_bytes);
        f.access = access_of(i);
        f.offset = i->offset;
    }
    isa_inst_waits(t, i, threshold);
    f.waits_for_loads = threshold[loads] != UINT8_MAX;
    f.loads_left = threshold[loads];
    isa_inst_flow(i, pc, &f.target);
    return f;
}
