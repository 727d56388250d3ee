/* Vector ALU, 64-bit integers and moves. */
#include "isa/table/shapes.h"

V2(v_lshlrev_b64, VALU64, B64, U32, B64, RF_NO_SDWA | RF_BITWISE,
   ENC(OP(GFX8, VOP3, 0x28f), OP(GFX10, VOP3, 0x2ff), OP(GFX11, VOP3, 0x33c), OP(GFX12, VOP2, 0x1f)))
{
    return b << (a & 63);
}

V2(v_lshrrev_b64, VALU64, B64, U32, B64, RF_NO_SDWA | RF_BITWISE,
   ENC(OP(GFX8, VOP3, 0x290), OP(GFX10, VOP3, 0x300), OP(GFX11, VOP3, 0x33d)))
{
    return b >> (a & 63);
}

V2(v_ashrrev_i64, VALU64, I64, U32, I64, RF_NO_SDWA | RF_BITWISE,
   ENC(OP(GFX8, VOP3, 0x291), OP(GFX10, VOP3, 0x301), OP(GFX11, VOP3, 0x33e)))
{
    return b >> (a & 63);
}

/* Only shifts up to 4 are defined (CDNA3 ISA); three bits are looked at. */
V3(v_lshl_add_u64, VALU64, U64, U64, U32, U64, 0, ENC(OP(GFX942, VOP3, 0x208), OP(GFX12_5, VOP3, 0x252)))
{
    return (a << (b & 7)) + c;
}

V1(v_mov_b64, VALU, B64, B64, RF_NO_SDWA | RF_BITWISE, ENC(OP(GFX942, VOP1, 0x38), OP(GFX12_5, VOP1, 0x1d)))
{
    return a;
}
