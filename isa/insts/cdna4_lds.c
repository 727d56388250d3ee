/* LDS loads of gfx950 that transpose: ds_read_b64_tr_b4, _b8, _b16 and ds_read_b96_tr_b6, from AMD's CDNA4 ISA manual
 * ("MFMA transpose load from LDS").
 *
 * Addresses are those of ds_read_b64 and ds_read_b96.
 */
#include "isa/insts/mem_transpose.h"

static int exec_ds_read_tr(WPARAMS_)
{
    return lds_load_transposed(w, i, fx, w->exec);
}

#define READ_TR(NAME, D, BYTES, BITS, OPCODE)                                                                          \
    LDS_TRANSPOSED(NAME, LDS_LOAD, exec_ds_read_tr, 0, IMP_R_EXEC | IMP_R_M0_LDS, D, BYTES, BITS, TR_ROWS,             \
                   OP(GFX950, DS, OPCODE))
READ_TR(ds_read_b64_tr_b4, B64, 8, 4, 0xe0)
READ_TR(ds_read_b96_tr_b6, B96, 12, 6, 0xe1)
READ_TR(ds_read_b64_tr_b8, B64, 8, 8, 0xe2)
READ_TR(ds_read_b64_tr_b16, B64, 8, 16, 0xe3)
