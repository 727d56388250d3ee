/* Interpolation of pixel attributes. Decoded, not executed: LDS of a compute kernel holds no attributes.
 *
 * gfx8 to gfx10 (not CDNA2 on) read the attribute from LDS while they interpolate (VINTRP, and VOP3 forms of it); M0
 * says where the primitive's parameters are. gfx11 and gfx12 load it first (lds_direct.c) and interpolate registers
 * (VINTERP), lanes of a quad sharing what their neighbours loaded.
 */
#include "isa/table/shapes.h"

#define INTERP_IMPL (IMP_R_EXEC | IMP_R_M0)
#define ATTRIBUTE                                                                                                      \
    {                                                                                                                  \
        SL_ATTR, T_ATTR, 0                                                                                             \
    }
#define FROM_REG                                                                                                       \
    {                                                                                                                  \
        SL_SRC1, T_F32, A_RD | A_VGPR                                                                                  \
    }

NOT_EXECUTED(v_interp_p1_f32, VALU, RF_INTERP, INTERP_IMPL, ARGS({SL_VDST, T_F32, A_WR}, FROM_REG, ATTRIBUTE),
             ENC(OP(GFX8, VINTRP, 0), GONE(GFX90A, VINTRP), GONE(GFX11, VINTRP)))
/* adds to what v_interp_p1 left in its destination */
NOT_EXECUTED(v_interp_p2_f32, VALU, RF_INTERP, INTERP_IMPL,
             ARGS({SL_VDST, T_F32, A_WR}, FROM_REG, ATTRIBUTE, {SL_VDST, T_F32, A_RD | A_HIDDEN}),
             ENC(OP(GFX8, VINTRP, 1), GONE(GFX90A, VINTRP), GONE(GFX11, VINTRP)))
NOT_EXECUTED(v_interp_mov_f32, VALU, RF_INTERP, INTERP_IMPL,
             ARGS({SL_VDST, T_F32, A_WR}, {SL_SIMM, T_PARAM, 0}, ATTRIBUTE),
             ENC(OP(GFX8, VINTRP, 2), GONE(GFX90A, VINTRP), GONE(GFX11, VINTRP)))

NOT_EXECUTED(v_interp_p1ll_f16, VALU, RF_INTERP, INTERP_IMPL, ARGS({SL_VDST, T_F32, A_WR}, FROM_REG, ATTRIBUTE),
             ENC(OP(GFX8, VOP3, 0x274), GONE(GFX90A, VOP3), OP(GFX10, VOP3, 0x342), GONE(GFX11, VOP3)))
NOT_EXECUTED(v_interp_p1lv_f16, VALU, RF_INTERP, INTERP_IMPL,
             ARGS({SL_VDST, T_F32, A_WR}, FROM_REG, ATTRIBUTE, {SL_SRC2, T_F32, A_RD | A_VGPR}),
             ENC(OP(GFX8, VOP3, 0x275), GONE(GFX90A, VOP3), OP(GFX10, VOP3, 0x343), GONE(GFX11, VOP3)))
/* clears the upper half of its destination, as gfx8 did; gfx9's own keeps it */
NOT_EXECUTED(v_interp_p2_legacy_f16, VALU, RF_INTERP, INTERP_IMPL,
             ARGS({SL_VDST, T_F16, A_WR}, FROM_REG, ATTRIBUTE, {SL_SRC2, T_F32, A_RD | A_VGPR}),
             ENC(AS(GFX8, VOP3, 0x276, "v_interp_p2_f16"), OP(GFX9, VOP3, 0x276), GONE(GFX90A, VOP3),
                 GONE(GFX10, VOP3)))
NOT_EXECUTED(v_interp_p2_f16, VALU, RF_INTERP, INTERP_IMPL,
             ARGS({SL_VDST, T_F16, A_WR}, FROM_REG, ATTRIBUTE, {SL_SRC2, T_F32, A_RD | A_VGPR}),
             ENC(OP(GFX9, VOP3, 0x277), GONE(GFX90A, VOP3), OP(GFX10, VOP3, 0x35a), GONE(GFX11, VOP3)))

/* P10, P2 and P0 of the quad come from registers; op_sel chooses halves of 16-bit ones, and of the destination. LLVM
 * has all sources as 32 bits wide. */
#define INTERP_REGS(NAME, D, P, C, FLAGS, ...)                                                                         \
    NOT_EXECUTED(NAME, VALU, FLAGS, IMP_R_EXEC,                                                                        \
                 ARGS({SL_VDST, T_##D, A_WR}, {SL_SRC0, T_##P, A_RD | A_VGPR}, {SL_SRC1, T_F32, A_RD | A_VGPR},        \
                      {SL_SRC2, T_##C, A_RD | A_VGPR}),                                                                \
                 __VA_ARGS__)
INTERP_REGS(v_interp_p10_f32, F32, F32, F32, 0, OP(GFX11, VINTERP, 0))
INTERP_REGS(v_interp_p2_f32_regs, F32, F32, F32, 0, AS(GFX11, VINTERP, 1, "v_interp_p2_f32"))
INTERP_REGS(v_interp_p10_f16_f32, F32, F16, F16, RF_OP_SEL4, OP(GFX11, VINTERP, 2))
INTERP_REGS(v_interp_p2_f16_f32, F16, F16, F32, RF_OP_SEL4, OP(GFX11, VINTERP, 3))
INTERP_REGS(v_interp_p10_rtz_f16_f32, F32, F16, F16, RF_OP_SEL4, OP(GFX11, VINTERP, 4))
INTERP_REGS(v_interp_p2_rtz_f16_f32, F16, F16, F32, RF_OP_SEL4, OP(GFX11, VINTERP, 5))
