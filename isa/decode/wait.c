/* Models the wait counters: the thresholds that an instruction waits for and the counters that it raises. Both follow
 * from row, format and class, never from the name.
 * Field layouts: LLVM 19 AMDGPUBaseInfo.cpp (getVmcntBitShiftLo and relatives); counters: SIInsertWaitcnts.cpp. */
#include "isa/isa.h"

#define BIT(COUNTER) (UINT32_C(1) << WAIT_##COUNTER)

/* A threshold at the counter's largest value always holds: no wait. */
static void want(const struct isa_target *t, uint8_t thresholds[WAIT_COUNT], enum wait_counter c, unsigned value)
{
    if (t->wait_bits[c] && value < (1u << t->wait_bits[c]) - 1)
        thresholds[c] = (uint8_t)value;
}

/* s_waitcnt. RDNA4 has the encoding left over from RDNA3 without these counters: there it waits for what took their
 * places, loads and stores for vmcnt, LDS and scalar memory for lgkmcnt. */
static void packed(const struct isa_target *t, unsigned imm, uint8_t thresholds[WAIT_COUNT])
{
    unsigned vm, exp, lgkm;

    if (t->layout == LAYOUT_GFX11 || t->layout == LAYOUT_GFX12) {
        exp = imm & 7;
        lgkm = imm >> 4 & 63;
        vm = imm >> 10 & 63;
    } else {
        vm = imm & 15;
        if (t->wait_bits[WAIT_VM] > 4)
            vm |= imm >> 14 << 4;
        exp = imm >> 4 & 7;
        lgkm = imm >> 8 & ((1u << t->wait_bits[WAIT_LGKM]) - 1);
    }
    want(t, thresholds, WAIT_EXP, exp);
    if (!isa_has(t, FEAT_SPLIT_COUNTERS)) {
        want(t, thresholds, WAIT_VM, vm);
        want(t, thresholds, WAIT_LGKM, lgkm);
        return;
    }
    want(t, thresholds, WAIT_LOAD, vm);
    want(t, thresholds, WAIT_SAMPLE, vm);
    want(t, thresholds, WAIT_BVH, vm);
    want(t, thresholds, WAIT_STORE, vm);
    want(t, thresholds, WAIT_DS, lgkm);
    want(t, thresholds, WAIT_KM, lgkm);
}

bool isa_inst_waits(const struct isa_target *t, const struct isa_inst *inst, uint8_t thresholds[WAIT_COUNT])
{
    static const uint8_t single[] = {
        [WAITS_VM] = WAIT_VM,     [WAITS_VS] = WAIT_VS,       [WAITS_EXP] = WAIT_EXP,
        [WAITS_LGKM] = WAIT_LGKM, [WAITS_LOAD] = WAIT_LOAD,   [WAITS_SAMPLE] = WAIT_SAMPLE,
        [WAITS_BVH] = WAIT_BVH,   [WAITS_STORE] = WAIT_STORE, [WAITS_DS] = WAIT_DS,
        [WAITS_KM] = WAIT_KM,     [WAITS_ASYNC] = WAIT_ASYNC, [WAITS_TENSOR] = WAIT_TENSOR,
    };
    unsigned imm = (unsigned)inst->offset & 0xffff;
    bool any = false;

    memset(thresholds, 0xff, WAIT_COUNT);
    if (!inst->row)
        return false;
    switch (inst->row->wait) {
    case WAITS_NONE:
        return false;
    case WAITS_PACKED:
        packed(t, imm, thresholds);
        break;
    case WAITS_IDLE:
    case WAITS_BUT_STORES:
        for (unsigned c = 0; c < WAIT_COUNT; c++)
            if (c != WAIT_STORE || inst->row->wait == WAITS_IDLE)
                want(t, thresholds, (enum wait_counter)c, 0);
        break;
    case WAITS_LOAD_DS:
    case WAITS_STORE_DS:
        want(t, thresholds, inst->row->wait == WAITS_LOAD_DS ? WAIT_LOAD : WAIT_STORE, imm >> 8 & 63);
        want(t, thresholds, WAIT_DS, imm & 63);
        break;
    default:
        /* a register named beside the immediate only adds to it: leaving it out waits for more, never for less */
        want(t, thresholds, (enum wait_counter)single[inst->row->wait], imm);
        break;
    }
    for (unsigned c = 0; c < WAIT_COUNT; c++)
        any |= thresholds[c] != 0xff;
    return any;
}

/* --- what instructions raise ------------------------------------------------------------------------------------ */

static bool returns_value(const struct isa_target *t, const struct isa_inst *i)
{
    if (i->row->mem.op == MEM_STORE)
        return false;
    if (i->row->mem.op != MEM_ATOMIC || i->row->mem.returns)
        return true;
    return t->layout == LAYOUT_GFX12 ? i->u.mem.th & 1 : i->u.mem.glc;
}

static uint32_t vector_counter(const struct isa_target *t, const struct isa_inst *i)
{
    bool value = returns_value(t, i);

    if (isa_has(t, FEAT_SPLIT_COUNTERS))
        return i->row->image.data == IMG_DATA_RAY ? BIT(BVH)
               : i->format == FMT_VSAMPLE         ? BIT(SAMPLE)
               : value                            ? BIT(LOAD)
                                                  : BIT(STORE);
    return isa_has(t, FEAT_VSCNT) && !value ? BIT(VS) : BIT(VM);
}

static uint32_t lds_counter(const struct isa_target *t)
{
    return isa_has(t, FEAT_SPLIT_COUNTERS) ? BIT(DS) : BIT(LGKM);
}

static uint32_t scalar_counter(const struct isa_target *t)
{
    return isa_has(t, FEAT_SPLIT_COUNTERS) ? BIT(KM) : BIT(LGKM);
}

/* Thread trace data go through the message unit and are no messages. */
static bool names_message(const struct isa_row *row)
{
    for (unsigned k = 0; row->args[k].slot; k++)
        if (row->args[k].type == T_SENDMSG)
            return true;
    return false;
}

uint32_t isa_inst_counters(const struct isa_target *t, const struct isa_inst *i)
{
    if (!i->row)
        return 0;
    if (i->row->mem.async)
        return i->row->mem.tensor ? BIT(TENSOR) : BIT(ASYNC);
    if (i->row->flags & RF_COUNTS_KM)
        return scalar_counter(t);
    switch (op_class_path[i->row->cls]) {
    case OP_PATH_SCALAR:
        return i->row->mem.op == MEM_FETCH ? 0 : scalar_counter(t);
    case OP_PATH_MESSAGE:
        return names_message(i->row) ? scalar_counter(t) : 0;
    case OP_PATH_VECTOR:
        return vector_counter(t, i);
    case OP_PATH_FLAT:
        /* until the address is known a flat access may go either way */
        return vector_counter(t, i) | (i->format == FMT_FLAT ? lds_counter(t) : 0);
    case OP_PATH_CACHES:
        /* "Returns ACK to shader" (CDNA3 and RDNA ISA, BUFFER_INV, BUFFER_WBL2, BUFFER_GL0_INV ...): what comes back
         * in place of a load. RDNA4 counts write-backs as stores (LLVM 19 SIInsertWaitcnts). */
        if (isa_has(t, FEAT_SPLIT_COUNTERS))
            return i->row->cache_control & ISA_CACHE_WB ? BIT(STORE) : BIT(LOAD);
        return BIT(VM);
    case OP_PATH_LDS:
    case OP_PATH_CROSSBAR:
        return i->format == FMT_LDSDIR ? BIT(EXP) : lds_counter(t);
    case OP_PATH_GDS:
        return lds_counter(t) | BIT(EXP);
    case OP_PATH_EXPORT:
        return BIT(EXP);
    default:
        return 0;
    }
}
