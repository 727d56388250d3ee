/* Global wave sync (isa/gws.h), and the ordered instructions of the global data share: gone from gfx12, ordered count
 * from CDNA2 already. The latter are decoded, not executed: they are set up by the graphics driver.
 */
#include "isa/gws.h"
#include "isa/insts/mem.h"

/* The counter that the instruction names. */
static unsigned gws_id(const struct isa_wave *w, const struct isa_inst *i)
{
    return ((w->s[w->target->code_m0] >> 16) + (uint32_t)i->offset) % ISA_GWS_RESOURCES;
}

/* Data of the first active lane; without one that of lane 0, as v_readfirstlane_b32 takes it. Null: a fault. */
static const uint32_t *gws_data(struct isa_wave *w, const struct isa_inst *i)
{
    const uint32_t *row = mem_rows(w, &i->op[0]);

    return row ? &row[w->exec ? (unsigned)__builtin_ctzll(w->exec) : 0] : NULL;
}

static int no_gws(struct isa_wave *w)
{
    return isa_fault(w, FAULT_OTHER, -1, 0, 0, false, "there is no global wave sync here");
}

#define GWS(NAME, OLD, NEW, ...)                                                                                       \
    W(ds_gws_##NAME, GDS, RF_GDS, IMP_R_EXEC | IMP_R_M0, ARGS(__VA_ARGS__),                                            \
      ENC(OP(GFX8, DS, OLD), OP(GFX10, DS, NEW), GONE(GFX12, DS)))
#define GWS_DATA                                                                                                       \
    {                                                                                                                  \
        SL_GWS, T_B32, A_RD                                                                                            \
    }

GWS(sema_release_all, 0x98, 0x18, {0})
{
    if (!w->gws)
        return no_gws(w);
    isa_gws_release_all(w->gws, gws_id(w, i), isa_gws_clock(env, fx));
    return ISA_OK;
}

GWS(init, 0x99, 0x19, GWS_DATA)
{
    const uint32_t *value = gws_data(w, i);

    if (!value || !w->gws)
        return value ? no_gws(w) : ISA_FAULT;
    isa_gws_set(w->gws, gws_id(w, i), *value);
    return ISA_OK;
}

GWS(sema_v, 0x9a, 0x1a, {0})
{
    if (!w->gws)
        return no_gws(w);
    isa_gws_give(w->gws, gws_id(w, i), 1, isa_gws_clock(env, fx));
    return ISA_OK;
}

GWS(sema_br, 0x9b, 0x1b, GWS_DATA)
{
    const uint32_t *count = gws_data(w, i);

    if (!count || !w->gws)
        return count ? no_gws(w) : ISA_FAULT;
    isa_gws_give(w->gws, gws_id(w, i), *count, isa_gws_clock(env, fx));
    return ISA_OK;
}

GWS(sema_p, 0x9c, 0x1c, {0})
{
    return w->gws ? isa_gws_take(w->gws, gws_id(w, i), w, isa_gws_clock(env, fx)) : no_gws(w);
}

GWS(barrier, 0x9d, 0x1d, GWS_DATA)
{
    const uint32_t *value = gws_data(w, i);

    if (!value || !w->gws)
        return value ? no_gws(w) : ISA_FAULT;
    return isa_gws_barrier(w->gws, gws_id(w, i), w, *value, isa_gws_clock(env, fx));
}

NOT_EXECUTED(ds_ordered_count, GDS, RF_GDS, IMP_R_EXEC | IMP_R_M0, ARGS({SL_VDST, T_B32, A_WR}, {SL_ADDR, T_B32, A_RD}),
             ENC(OP(GFX8, DS, 0xbf), GONE(GFX90A, DS), OP(GFX10, DS, 0x3f), GONE(GFX12, DS)))

/* a register that all waves share, 64 bits back */
#define GS_REG(NAME, OPCODE)                                                                                           \
    NOT_EXECUTED(ds_##NAME##_gs_reg_rtn, GDS, RF_GDS, IMP_R_EXEC,                                                      \
                 ARGS({SL_VDST, T_B64, A_WR}, {SL_DATA0, T_B32, A_RD}), ENC(OP(GFX11, DS, OPCODE), GONE(GFX12, DS)))
GS_REG(add, 0x7a)
GS_REG(sub, 0x7b)
