/* Scalar ALU. */
#include "isa/shapes.h"

S1(s_mov_b32, SALU, B32, B32, ENC(OP(GFX8, SOP1, 0x00), OP(GFX10, SOP1, 0x03), OP(GFX11, SOP1, 0x00)))
{
    return a;
}

S2_SCC(s_and_b32, SALU, B32, B32, B32, ENC(OP(GFX8, SOP2, 0x0c), OP(GFX10, SOP2, 0x0e), OP(GFX11, SOP2, 0x16)))
{
    *scc = (a & b) != 0;
    return a & b;
}

S2_RWSCC(s_addc_u32, SALU, U32, U32, U32, ENC(OP(GFX8, SOP2, 0x04), AS(GFX12, SOP2, 0x04, "s_add_co_ci_u32")))
{
    uint64_t r = (uint64_t)a + b + *scc;
    *scc = r >> 32 != 0;
    return (uint32_t)r;
}

SC(s_cmp_eq_u32, SALU, U32, U32, ENC(OP(GFX8, SOPC, 0x06)))
{
    return a == b;
}
