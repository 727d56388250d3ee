/* The tensor unit of gfx1250: copies of tiles between memory and LDS (isa/tensor.h). Encodings and operands: LLVM 22. A
 * copy is done at once, part by part in the order in which the unit goes through the tile, when its instruction is
 * executed or, from memory to LDS, as late as isa/lds_order.h says or when the engine completes it. EXEC has no say in
 * it.
 */
#include "isa/insts/mem.h"
#include "isa/lds_order.h"

/* The SGPRs of a descriptor's group; null for one that the instruction does not name. */
static const uint32_t *group(const struct isa_wave *w, const struct isa_inst *i, unsigned k)
{
    unsigned code = k < i->nops ? i->op[k].code : CODE_NONE;

    return code != CODE_NONE && code != w->target->code_null ? &w->s[code] : NULL;
}

/* As accesses of this width are described elsewhere. */
static struct isa_memop piece_op(unsigned op, uint32_t bytes)
{
    unsigned convert = bytes == 1 ? CONV_U8 : bytes == 2 ? CONV_U16 : CONV_DWORDS;

    return (struct isa_memop){.op = (uint8_t)op, .bytes = (uint8_t)bytes, .convert = (uint8_t)convert, .elems = 1};
}

static int move_part(struct isa_wave *w, const struct isa_env *env, unsigned op, const struct isa_tensor_part *part)
{
    const struct isa_memop m = piece_op(op, part->bytes);
    _Alignas(64) uint32_t data[4 * 64] = {0};
    struct lane_addr at, lds;
    int status;

    for (unsigned l = 0; l < ISA_TENSOR_LANES; l++) {
        at.a[l] = part->memory[l];
        lds.a[l] = part->lds[l];
    }
    if (m.op == MEM_LOAD) {
        status = isa_mem_load(w, env, RANGE_VECTOR, &m, &at, part->memory_lanes, data);
        if (status == ISA_OK)
            status = isa_lds_store(w, w->lds_bytes, &m, &lds, part->lds_lanes, data);
    } else {
        status = isa_lds_load(w, w->lds_bytes, &m, &lds, part->memory_lanes, data);
        if (status == ISA_OK)
            status = isa_mem_store(w, env, RANGE_VECTOR, &m, &at, part->memory_lanes, data);
    }
    if (status != ISA_OK)
        w->fault.lane = -1; /* no lane of the wave has asked for it */
    return status;
}

static int move_all(struct isa_wave *w, const struct isa_env *env, unsigned op, struct isa_tensor t)
{
    struct isa_tensor_part part;

    while (isa_tensor_next(&t, &part))
        if (move_part(w, env, op, &part))
            return ISA_FAULT;
    return ISA_OK;
}

static int land(struct isa_wave *w, const struct isa_env *env, const struct isa_lds_copy *c)
{
    return move_all(w, env, MEM_LOAD, c->tensor);
}

/* Leaves the transfer to be done later, if it may be. */
static bool is_in_flight(struct isa_wave *w, const struct isa_inst *i, const struct isa_tensor *t)
{
    bool may = w->lds_order && i->row->mem.op == MEM_LOAD && !t->arrives;
    struct isa_lds_copy *c = may ? isa_lds_copy_new(w, i) : NULL;

    if (!c)
        return false;
    c->land = land;
    c->tensor = *t;
    isa_tensor_extent(t, &c->lo, &c->hi);
    return true;
}

static int complete_load(struct isa_wave *w, const struct isa_env *env, const struct isa_tensor *t)
{
    int status = move_all(w, env, MEM_LOAD, *t);

    return status == ISA_OK && t->arrives ? mem_arrive_once(w, t->barrier) : status;
}

static int complete_store(struct isa_wave *w, const struct isa_env *env __attribute__((unused)),
                          const struct isa_tensor *t)
{
    return t->arrives ? mem_arrive_once(w, t->barrier) : ISA_OK;
}

static int exec_tensor(WPARAMS_)
{
    const uint32_t *const groups[] = {group(w, i, 0), group(w, i, 1), group(w, i, 2), group(w, i, 3)};
    struct isa_tensor t;
    const char *why = isa_tensor_open(&t, groups, i->row->mem.op == MEM_STORE, w->lds_bytes);

    if (w->lanes != ISA_TENSOR_LANES)
        return isa_fault(w, FAULT_ILLEGAL, -1, 0, 0, false, "%s is an instruction of wave32", i->mnemonic);
    if (why)
        return isa_fault(w, FAULT_OTHER, -1, 0, 0, false, "%s: the descriptor in s[%u:%u]: %s", i->mnemonic,
                         i->op[0].code, i->op[0].code + 3u, why);
    if (w->moves_tensors) {
        t.complete = i->row->mem.op == MEM_STORE ? complete_store : complete_load;
        fx_whole_tensor(fx, i, &t);
        return i->row->mem.op == MEM_STORE ? move_all(w, env, MEM_STORE, t) : ISA_OK;
    }
    fx_tensor(fx, i, &t);
    if (is_in_flight(w, i, &t))
        return ISA_OK;
    if ((t.arrives && isa_lds_copies_land(w, env)) || move_all(w, env, i->row->mem.op, t))
        return ISA_FAULT;
    return t.arrives ? mem_arrive_once(w, t.barrier) : ISA_OK;
}

#define TENSOR(NAME, CLS, OP_, OPCODE)                                                                                 \
    ROW_ENC_(NAME, OP(GFX12_5, TENSOR, OPCODE))                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_WIDE, RF_NO_EXEC, 0).exec = exec_tensor,                                                  \
                                               .mem = {.op = MEM_##OP_,                                                \
                                                       .bytes = ISA_TENSOR_PIECE,                                      \
                                                       .elems = 1,                                                     \
                                                       .async = 1,                                                     \
                                                       .tensor = 1},                                                   \
                                               .args = {{SL_SRC0, T_B128, A_RD | A_SGPR | A_REG},                      \
                                                        {SL_SRC1, T_B256, A_RD | A_SGPR | A_REG},                      \
                                                        {SL_SRC2, T_B128, A_RD | A_SGPR | A_REG},                      \
                                                        {SL_SRC3, T_B128, A_RD | A_SGPR | A_REG}},                     \
                                               ROW_TAIL_(NAME)
TENSOR(tensor_load_to_lds, VMEM_LOAD, LOAD, 0xc4)
TENSOR(tensor_store_from_lds, VMEM_STORE, STORE, 0xc5)
