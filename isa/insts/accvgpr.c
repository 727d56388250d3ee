/* Moves between the VGPRs and the accumulation registers (AGPRs) of the matrix units.
 *
 * They obey EXEC like any vector move. VOP3P's modifier bits mean nothing to them: RF_MAI drops them.
 */
#include "isa/table/shapes.h"

#define V1_ACC(NAME, DST_FLAGS, SRC_FLAGS, FLAGS, ...)                                                                 \
    BODY_(NAME, B32, uint32_t a, MODE_);                                                                               \
    LANES_(B32, NAME, false, PUT_B32(NAME##_body(GET_B32(s0), mode)))                                                  \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, VALU, ROW_LANES, FLAGS, IMP_R_EXEC).LOOPS_(B32, NAME),                                             \
        .args = {{SL_VDST, T_B32, A_WR | (DST_FLAGS)}, {SL_SRC0, T_B32, A_RD | (SRC_FLAGS)}},                          \
        ROW_TAIL_(NAME) BODY_(NAME, B32, uint32_t a, MODE_)

V1_ACC(v_accvgpr_read_b32, 0, A_ACC, RF_MAI | RF_BITWISE, ENC(OP(GFX908, VOP3P, 0x58)))
{
    return a;
}

/* the source is a VGPR, an inline constant, or, where the files are one, an SGPR */
V1_ACC(v_accvgpr_write_b32, A_ACC, 0, RF_MAI | RF_BITWISE, ENC(OP(GFX908, VOP3P, 0x59)))
{
    return a;
}

V1_ACC(v_accvgpr_mov_b32, A_ACC, A_ACC, RF_NO_E64 | RF_BITWISE | RF_NO_SDWA | RF_NO_DPP, ENC(OP(GFX90A, VOP1, 0x52)))
{
    return a;
}
