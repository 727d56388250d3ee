/* Vector ALU, single precision. */
#include "isa/fp.h"
#include "isa/shapes.h"

V_F32_F32F32(v_add_f32, VALU, ENC(OP(GFX8, VOP2, 0x01), OP(GFX10, VOP2, 0x03), OP(GFX11, VOPDX, 0x04),
                                  OP(GFX11, VOPDY, 0x04)))
{
    return add_f32(a, b);
}

V_F32_F32F32(v_sub_f32, VALU, ENC(OP(GFX8, VOP2, 0x02), OP(GFX10, VOP2, 0x04), OP(GFX11, VOPDX, 0x05),
                                  OP(GFX11, VOPDY, 0x05)))
{
    return sub_f32(a, b);
}

V_F32_F32F32(v_subrev_f32, VALU, ENC(OP(GFX8, VOP2, 0x03), OP(GFX10, VOP2, 0x05), OP(GFX11, VOPDX, 0x06),
                                     OP(GFX11, VOPDY, 0x06)))
{
    return sub_f32(b, a);
}

V_F32_F32F32(v_mul_f32, VALU, ENC(OP(GFX8, VOP2, 0x05), OP(GFX10, VOP2, 0x08), OP(GFX11, VOPDX, 0x03),
                                  OP(GFX11, VOPDY, 0x03)))
{
    return mul_f32(a, b);
}

V_F32_F32F32F32(v_fma_f32, FMA32, ENC(OP(GFX8, VOP3, 0x1cb), OP(GFX10, VOP3, 0x14b), OP(GFX11, VOP3, 0x213)))
{
    return fma_f32(a, b, c);
}

V2_ACC(v_fmac_f32, FMA32, F32, F32, F32, 0,
       ENC(OP(GFX906, VOP2, 0x3b), OP(GFX10, VOP2, 0x2b), OP(GFX11, VOPDX, 0x00), OP(GFX11, VOPDY, 0x00)))
{
    return fma_f32(a, b, c);
}
