/* LDS loads of gfx950 that transpose: ds_read_b64_tr_b4, _b8, _b16 and ds_read_b96_tr_b6, from AMD's CDNA4 ISA manual
 * ("MFMA transpose load from LDS").
 *
 * Addresses are those of ds_read_b64 and ds_read_b96.
 */
#include "isa/insts/mem_transpose.h"

static int exec_ds_read_tr(WPARAMS_)
{
    const struct isa_memop *m = &i->row->mem;
    uint32_t *d = mem_rows(w, &i->op[0]), loaded[3 * 64] = {0};
    const uint32_t *v = mem_rows(w, &i->op[1]);
    struct lane_addr at;

    if (!d || !v)
        return ISA_FAULT;
    for (unsigned l = 0; l < w->lanes; l++)
        at.a[l] = (uint32_t)(v[l] + (uint32_t)i->offset);
    fx_lds(w, fx, i, &at, w->exec);
    if (isa_lds_load(w, isa_lds_limit(w), m, &at, w->exec, loaded))
        return ISA_FAULT;
    mem_transpose(w, d, loaded, m->tr_bits, m->bytes);
    return ISA_OK;
}

#define READ_TR(NAME, D, BYTES, BITS, OPCODE)                                                                          \
    ROW_ENC_(NAME, OP(GFX950, DS, OPCODE))                                                                             \
    ROW_HEAD_(NAME, LDS_LOAD, ROW_WIDE, RF_NO_GDS, IMP_R_EXEC | IMP_R_M0_LDS)                                          \
        .exec = exec_ds_read_tr,                                                                                       \
       .mem = {.op = MEM_LOAD, .bytes = BYTES, .convert = CONV_DWORDS, .elems = 1, .tr_bits = BITS},                   \
       .args = {{SL_VDST, T_##D, A_WR}, {SL_ADDR, T_B32, A_RD}}, ROW_TAIL_(NAME)
READ_TR(ds_read_b64_tr_b4, B64, 8, 4, 0xe0)
READ_TR(ds_read_b96_tr_b6, B96, 12, 6, 0xe1)
READ_TR(ds_read_b64_tr_b8, B64, 8, 8, 0xe2)
READ_TR(ds_read_b64_tr_b16, B64, 8, 16, 0xe3)
