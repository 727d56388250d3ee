/* What gfx1250 added to LDS: loads that transpose, and barriers that lie in LDS.
 *
 * ds_load_tr loads for all lanes, whatever EXEC says, and is for wave32 alone (CDNA5 ISA 11.2.4).
 *
 * A barrier is 64 bits: pending count [28:0], phase [31:29], reload count [47:32]. An arrival takes one from the
 * pending count; one that finds it zero takes one from the phase, sets it to the reload count, and wakes the
 * workgroup's waves that sleep (CDNA5 ISA 11.2.2). Each active lane arrives, in ascending order. Copies to LDS are done
 * when their instruction is, so that an arrival after them needs not wait.
 */
#include "isa/barrier.h"
#include "isa/insts/mem_transpose.h"
#include "isa/lanes/atomic_pass.h"

static int exec_ds_load_tr(WPARAMS_)
{
    return lds_load_transposed(w, i, fx, lane_mask(w->lanes));
}

#define LOAD_TR(NAME, CLS, D, BYTES, BITS, TR, OPCODE)                                                                 \
    LDS_TRANSPOSED(NAME, CLS, exec_ds_load_tr, RF_NO_EXEC, 0, D, BYTES, BITS, TR, OP(GFX12_5, DS, OPCODE))
LOAD_TR(ds_load_tr4_b64, LDS_LOAD, B64, 8, 4, TR_FOUR, 0xfa)
LOAD_TR(ds_load_tr6_b96, LDS_LOAD, B96, 12, 6, TR_SIX, 0xfb)
LOAD_TR(ds_load_tr16_b128, MEASURED(LDS_LOAD, "docs/SEMANTICS_NOTES.md"), B128, 16, 16, TR_EIGHT, 0xfc)
LOAD_TR(ds_load_tr8_b64, MEASURED(LDS_LOAD, "docs/SEMANTICS_NOTES.md"), B64, 8, 8, TR_EIGHT_4, 0xfd)

/* --- barriers ----------------------------------------------------------------------------------------------------- */

#define PENDING(state) ((state)&0x1fffffff)

/* `data` arrivals at once. */
ATOMIC_MEANING(arrive)
{
    uint64_t reload = old >> 32 & 0xffff, phase = old >> 29 & 7;

    if (data <= PENDING(old))
        return old - data;
    data -= PENDING(old) + 1;
    phase = (phase - 1 - data / (reload + 1)) & 7;
    return (old >> 32 << 32) | phase << 29 | (reload - data % (reload + 1));
}

int mem_arrive_once(struct isa_wave *w, uint32_t at)
{
    static const struct isa_row arrival = {.atomic = arrive_new,
                                           .mem = {.op = MEM_ATOMIC, .bytes = 8, .elems = 1, .arrives = 1}};
    struct lane_addr lanes = {{at}};
    uint32_t one[2 * 64] = {1}, old[2 * 64] = {0};

    if (isa_lds_atomic(w, w->lds_bytes, &arrival, &lanes, 1, (struct atomic_rows){.data = one, .old = old}))
        return ISA_FAULT;
    return at + 8 <= w->lds_bytes && !PENDING(old[0]) ? isa_wakeup(w, 0) : ISA_OK;
}

/* data, 64 bits a lane: how often it arrives. d: where the old state goes, or null. */
static int arrive(struct isa_wave *w, const struct isa_inst *i, struct isa_effects *fx, unsigned kaddr,
                  const uint32_t *data, uint32_t *d)
{
    const unsigned n = w->lanes;
    const uint32_t *v = mem_rows(w, &i->op[kaddr]);
    const uint32_t limit = isa_lds_limit(w);
    uint32_t old[2 * 64];
    struct lane_addr at;
    bool ends_phase = false;

    if (!v)
        return ISA_FAULT;
    for (unsigned l = 0; l < n; l++)
        at.a[l] = (uint32_t)(v[l] + (uint32_t)i->offset);
    fx_lds(w, fx, i, &at, w->exec);
    if (fx)
        fx->returns = d != NULL;
    if (isa_lds_atomic(w, limit, i->row, &at, w->exec, (struct atomic_rows){.data = data, .old = old}))
        return ISA_FAULT;
    for (uint64_t left = w->exec; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctzll(left);
        ends_phase |= at.a[l] + 8 <= limit && (data[l] | (uint64_t)data[n + l] << 32) > PENDING(old[l]);
    }
    if (d)
        for (unsigned k = 0; k < 2; k++)
            EACH_LANE(n, w->exec, d[k * n + l] = old[k * n + l]);
    return ends_phase ? isa_wakeup(w, 0) : ISA_OK;
}

static int exec_arrive_rtn(WPARAMS_)
{
    const uint32_t *data = mem_rows(w, &i->op[2]);
    uint32_t *d = mem_rows(w, &i->op[0]), counts[2 * 64];

    if (!data || !d)
        return ISA_FAULT;
    memcpy(counts, data, sizeof counts[0] * 2 * w->lanes); /* the old states may go to the same registers */
    return arrive(w, i, fx, 1, counts, d);
}

static int exec_arrive_async(WPARAMS_)
{
    uint32_t one[2 * 64] = {0};

    for (unsigned l = 0; l < w->lanes; l++)
        one[l] = 1;
    return arrive(w, i, fx, 0, one, NULL);
}

#define ARRIVE(NAME, EXEC, ASYNC, OPCODE, ...)                                                                         \
    ROW_ENC_(NAME, OP(GFX12_5, DS, OPCODE))                                                                            \
    ROW_HEAD_(NAME, LDS_ATOMIC, ROW_WIDE, RF_NO_GDS, IMP_R_EXEC).exec = EXEC, .atomic = arrive_new,                    \
                                                     .mem = {.op = MEM_ATOMIC,                                         \
                                                             .bytes = 8,                                               \
                                                             .elems = 1,                                               \
                                                             .async = ASYNC,                                           \
                                                             .arrives = 1},                                            \
                                                     .args = {__VA_ARGS__}, ROW_TAIL_(NAME)
ARRIVE(ds_atomic_async_barrier_arrive_b64, exec_arrive_async, 1, 0x56, {SL_ADDR, T_B32, A_RD})
ARRIVE(ds_atomic_barrier_arrive_rtn_b64, exec_arrive_rtn, 0, 0x75, {SL_VDST, T_B64, A_WR}, {SL_ADDR, T_B32, A_RD},
       {SL_DATA0, T_B64, A_RD})
