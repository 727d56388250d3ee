/* Global wave sync and the ordered instructions of the global data share: gone from gfx12, ordered count from CDNA2
 * already. Decoded, not executed: both are set up by the graphics driver.
 */
#include "isa/table/shapes.h"

#define GWS(NAME, OLD, NEW, ...)                                                                                       \
    NOT_EXECUTED(ds_gws_##NAME, GDS, RF_GDS, IMP_R_EXEC | IMP_R_M0, ARGS(__VA_ARGS__),                                 \
                 ENC(OP(GFX8, DS, OLD), OP(GFX10, DS, NEW), GONE(GFX12, DS)))
#define GWS_DATA                                                                                                       \
    {                                                                                                                  \
        SL_GWS, T_B32, A_RD                                                                                            \
    }

GWS(sema_release_all, 0x98, 0x18, {0})
GWS(init, 0x99, 0x19, GWS_DATA)
GWS(sema_v, 0x9a, 0x1a, {0})
GWS(sema_br, 0x9b, 0x1b, GWS_DATA)
GWS(sema_p, 0x9c, 0x1c, {0})
GWS(barrier, 0x9d, 0x1d, GWS_DATA)

NOT_EXECUTED(ds_ordered_count, GDS, RF_GDS, IMP_R_EXEC | IMP_R_M0, ARGS({SL_VDST, T_B32, A_WR}, {SL_ADDR, T_B32, A_RD}),
             ENC(OP(GFX8, DS, 0xbf), GONE(GFX90A, DS), OP(GFX10, DS, 0x3f), GONE(GFX12, DS)))

/* a register that all waves share, 64 bits back */
#define GS_REG(NAME, OPCODE)                                                                                           \
    NOT_EXECUTED(ds_##NAME##_gs_reg_rtn, GDS, RF_GDS, IMP_R_EXEC,                                                      \
                 ARGS({SL_VDST, T_B64, A_WR}, {SL_DATA0, T_B32, A_RD}), ENC(OP(GFX11, DS, OPCODE), GONE(GFX12, DS)))
GS_REG(add, 0x7a)
GS_REG(sub, 0x7b)
