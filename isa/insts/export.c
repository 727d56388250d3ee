/* Exports of pixels, positions and primitives. Decoded, not executed: no kernel of a compute queue may export.
 *
 * One opcode, whose fields say all: target, which of the four sources count, packed halves (compr), last of its kind
 * (done), valid mask (vm), from gfx11 on a row of a primitive that M0 names (row_en). CDNA2 lost it.
 */
#include "isa/table/shapes.h"

NOT_EXECUTED(exp, EXPORT, 0, IMP_R_EXEC,
             ARGS({SL_SRC0, T_B32, A_RD}, {SL_SRC1, T_B32, A_RD}, {SL_SRC2, T_B32, A_RD}, {SL_SRC3, T_B32, A_RD},
                  {SL_M0, T_B32, A_RD | A_SGPR | A_HIDDEN}),
             ENC(OP(GFX8, EXP, 0), GONE(GFX90A, EXP), AS(GFX12, EXP, 0, "export")))
