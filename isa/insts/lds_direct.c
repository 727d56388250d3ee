/* Direct LDS loads of gfx11 and gfx12: one dword at M0 to all lanes, or an attribute's parameters to the lanes of each
 * quad (M0: where the primitive's attributes are). They wait for vector instructions by themselves. Decoded, not
 * executed.
 */
#include "isa/table/shapes.h"

NOT_EXECUTED(lds_param_load, LDS_LOAD, 0, IMP_R_EXEC | IMP_R_M0, ARGS({SL_VDST, T_B32, A_WR}, {SL_ATTR, T_ATTR, 0}),
             ENC(OP(GFX11, LDSDIR, 0), AS(GFX12, LDSDIR, 0, "ds_param_load")))
NOT_EXECUTED(lds_direct_load, LDS_LOAD, 0, IMP_R_EXEC | IMP_R_M0, ARGS({SL_VDST, T_B32, A_WR}),
             ENC(OP(GFX11, LDSDIR, 1), AS(GFX12, LDSDIR, 1, "ds_direct_load")))
