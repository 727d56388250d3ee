/* Instructions of gfx1250 that the decoder and the text know, and that are not modelled: running one is a fault that
 * names it. The tensor unit. Encodings and operands: LLVM 22.
 */
#include "isa/insts/mem.h"

#define ONE(FORMAT, OPCODE) ENC(OP(GFX12_5, FORMAT, OPCODE))

/* --- the tensor unit ---------------------------------------------------------------------------------------------- */

#define TENSOR(NAME, CLS, OPCODE)                                                                                      \
    NOT_EXECUTED(NAME, CLS, 0, 0,                                                                                      \
                 ARGS({SL_SRC0, T_B128, A_RD | A_SGPR | A_REG}, {SL_SRC1, T_B256, A_RD | A_SGPR | A_REG},              \
                      {SL_SRC2, T_B128, A_RD | A_SGPR | A_REG}, {SL_SRC3, T_B128, A_RD | A_SGPR | A_REG}),             \
                 ONE(TENSOR, OPCODE))
TENSOR(tensor_load_to_lds, VMEM_LOAD, 0xc4)
TENSOR(tensor_store_from_lds, VMEM_STORE, 0xc5)
