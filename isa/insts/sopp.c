/* Program control: branches, waits, barriers, messages, hints to the instruction front end. AMD ISA manuals, "SOPP
 * instructions"; the SOP1 and SOPK ones of the same purpose stand here too.
 *
 * Waiting for counters is the timing engine's business (isa/decode/wait.c says for what): here memory is always up
 * to date and a wait does nothing, but for copies to LDS that are in flight (isa/lds_order.h). Caches hold no second
 * copy of anything, so that invalidates do nothing either; code that rewrites itself is not modelled.
 */
#include "isa/barrier.h"
#include "isa/gws.h"
#include "isa/table/shapes.h"

#define NO_ARGS ARGS({SL_NONE, 0, 0})
#define SIMM(T) ARGS({SL_SIMM, T_##T, 0})

/* An instruction that does nothing takes the shortest way of all (isa_prepare()). */
static uint32_t nothing(uint32_t *d, const uint32_t *s0, const uint32_t *s1, const uint32_t *s2,
                        const struct isa_mode *mode, uint32_t carries)
{
    (void)d, (void)s0, (void)s1, (void)s2, (void)mode, (void)carries;
    return 0;
}

/* An instruction without effect on architectural state. EXTRA: members of its row. */
#define NOTHING(NAME, EXTRA, ARGLIST, ...)                                                                             \
    static int NAME##_exec(WPARAMS_)                                                                                   \
    {                                                                                                                  \
        return ISA_OK;                                                                                                 \
    }                                                                                                                  \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, INTERNAL, ROW_WIDE, 0, 0).exec = NAME##_exec, .whole = nothing, EXTRA, .args = {ARGLIST},          \
                                           ROW_TAIL_(NAME)
#define IDLE(NAME, ARGLIST, ...) NOTHING(NAME, .special = 0, ARGS(ARGLIST), __VA_ARGS__)
/* An instruction that the engine's issue logic or its checks take notice of. */
#define SPECIAL_ROW(NAME, CLS, IMPL, KIND, ARGLIST, ...)                                                               \
    static int NAME##_exec(WPARAMS_);                                                                                  \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_WIDE, 0, IMPL).exec = NAME##_exec, .special = ISA_SPECIAL_##KIND, .args = {ARGLIST},      \
                                      ROW_TAIL_(NAME) static int NAME##_exec(WPARAMS_)
#define SPECIAL(NAME, KIND, ARGLIST, ...) NOTHING(NAME, .special = ISA_SPECIAL_##KIND, ARGS(ARGLIST), __VA_ARGS__)
/* An instruction that caches take notice of. */
#define CONTROL(NAME, WHAT, ...)                                                                                       \
    static int NAME##_exec(WPARAMS_);                                                                                  \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, INTERNAL, ROW_WIDE, 0, 0).exec = NAME##_exec, .cache_control = (WHAT), .args = {NO_ARGS},          \
                                           ROW_TAIL_(NAME) static int NAME##_exec(WPARAMS_)                            \
    {                                                                                                                  \
        return ISA_OK;                                                                                                 \
    }
SPECIAL(s_nop, NOP, SIMM(IMM16), ENC(OP(GFX8, SOPP, 0x00)))
SPECIAL(s_delay_alu, DELAY_ALU, SIMM(DELAY), ENC(OP(GFX11, SOPP, 0x07)))
SPECIAL(s_waitcnt_depctr, WAIT_ALU, SIMM(DEPCTR),
        ENC(OP(GFX10, SOPP, 0x23), OP(GFX11, SOPP, 0x08), AS(GFX12, SOPP, 0x08, "s_wait_alu")))
SPECIAL(s_clause, CLAUSE, SIMM(SIMM16), ENC(OP(GFX10, SOPP, 0x21), OP(GFX11, SOPP, 0x05)))
IDLE(s_wait_event, SIMM(SIMM16), ENC(OP(GFX11, SOPP, 0x0b), GONE(GFX12_5, SOPP)))
SPECIAL(s_inst_prefetch, INST_PREFETCH, SIMM(SIMM16),
        ENC(OP(GFX10, SOPP, 0x20), AS(GFX11, SOPP, 0x04, "s_set_inst_prefetch_distance"), GONE(GFX12, SOPP)))
IDLE(s_singleuse_vdst, SIMM(SIMM16), ENC(OP(GFX11_5, SOPP, 0x13), GONE(GFX12_5, SOPP)))
SPECIAL_ROW(s_wakeup, INTERNAL, 0, WAKEUP, ARGS(NO_ARGS), ENC(OP(GFX8, SOPP, 0x03), OP(GFX11, SOPP, 0x34)))
{
    return isa_wakeup(w, 0);
}
CONTROL(s_icache_inv, ISA_CACHE_INV | ISA_CACHE_I, ENC(OP(GFX8, SOPP, 0x13), OP(GFX11, SOPP, 0x3c)))
IDLE(s_incperflevel, SIMM(IMM16), ENC(OP(GFX8, SOPP, 0x14), OP(GFX11, SOPP, 0x38)))
IDLE(s_decperflevel, SIMM(IMM16), ENC(OP(GFX8, SOPP, 0x15), OP(GFX11, SOPP, 0x39)))
/* M0, or SIMM16, goes to the thread trace, and there is none here. They leave the wave by the way of messages, which no
 * manual says outright: the wait state between a write of M0 and s_sendmsg, GDS or s_ttracedata is one and the same
 * (GCN3 and Vega ISA, "Manually inserted wait states"). No counter: what they list there are messages, not trace data.
 */
W(s_ttracedata, MESSAGE, 0, IMP_R_M0, NO_ARGS, ENC(OP(GFX8, SOPP, 0x16), OP(GFX11, SOPP, 0x3a)))
{
    return ISA_OK;
}
W(s_ttracedata_imm, MESSAGE, 0, 0, SIMM(SIMM16), ENC(OP(GFX10, SOPP, 0x28), OP(GFX11, SOPP, 0x3b)))
{
    return ISA_OK;
}

/* --- waits ------------------------------------------------------------------------------------------------------ */

#define WAIT(NAME, KIND, ARGLIST, ...) NOTHING(NAME, .wait = KIND, ARGS(ARGLIST), __VA_ARGS__)
/* SOPK forms name an SGPR whose value is added to the threshold: null in all compiled code */
#define SGPR_SIMM ARGS({SL_SDST, T_B32, A_RD | A_SGPR}, {SL_SIMM, T_SIMM16, 0})

WAIT(s_waitcnt, WAITS_PACKED, SIMM(WAITCNT), ENC(OP(GFX8, SOPP, 0x0c), OP(GFX11, SOPP, 0x09), GONE(GFX12_5, SOPP)))
WAIT(s_wait_idle, WAITS_IDLE, NO_ARGS, ENC(OP(GFX10, SOPP, 0x22), OP(GFX11, SOPP, 0x0a)))
WAIT(s_waitcnt_vscnt, WAITS_VS, SGPR_SIMM, ENC(OP(GFX10, SOPK, 0x17), OP(GFX11, SOPK, 0x18), GONE(GFX12, SOPK)))
WAIT(s_waitcnt_vmcnt, WAITS_VM, SGPR_SIMM, ENC(OP(GFX10, SOPK, 0x18), OP(GFX11, SOPK, 0x19), GONE(GFX12, SOPK)))
WAIT(s_waitcnt_expcnt, WAITS_EXP, SGPR_SIMM, ENC(OP(GFX10, SOPK, 0x19), OP(GFX11, SOPK, 0x1a), GONE(GFX12, SOPK)))
WAIT(s_waitcnt_lgkmcnt, WAITS_LGKM, SGPR_SIMM, ENC(OP(GFX10, SOPK, 0x1a), OP(GFX11, SOPK, 0x1b), GONE(GFX12, SOPK)))
WAIT(s_wait_loadcnt, WAITS_LOAD, SIMM(SIMM16), ENC(OP(GFX12, SOPP, 0x40)))
WAIT(s_wait_storecnt, WAITS_STORE, SIMM(SIMM16), ENC(OP(GFX12, SOPP, 0x41)))
WAIT(s_wait_samplecnt, WAITS_SAMPLE, SIMM(SIMM16), ENC(OP(GFX12, SOPP, 0x42), GONE(GFX12_5, SOPP)))
WAIT(s_wait_bvhcnt, WAITS_BVH, SIMM(SIMM16), ENC(OP(GFX12, SOPP, 0x43), GONE(GFX12_5, SOPP)))
WAIT(s_wait_expcnt, WAITS_EXP, SIMM(SIMM16), ENC(OP(GFX12, SOPP, 0x44), GONE(GFX12_5, SOPP)))
WAIT(s_wait_xcnt, WAITS_NONE, SIMM(SIMM16), ENC(OP(GFX12_5, SOPP, 0x45)))
WAIT(s_wait_asynccnt, WAITS_ASYNC, SIMM(SIMM16), ENC(OP(GFX12_5, SOPP, 0x4a)))
WAIT(s_wait_tensorcnt, WAITS_TENSOR, SIMM(SIMM16), ENC(OP(GFX12_5, SOPP, 0x4b)))
WAIT(s_wait_dscnt, WAITS_DS, SIMM(SIMM16), ENC(OP(GFX12, SOPP, 0x46)))
WAIT(s_wait_kmcnt, WAITS_KM, SIMM(SIMM16), ENC(OP(GFX12, SOPP, 0x47)))
WAIT(s_wait_loadcnt_dscnt, WAITS_LOAD_DS, SIMM(SIMM16), ENC(OP(GFX12, SOPP, 0x48)))
WAIT(s_wait_storecnt_dscnt, WAITS_STORE_DS, SIMM(SIMM16), ENC(OP(GFX12, SOPP, 0x49)))

/* Dynamic VGPRs (RDNA4 ISA, S_ALLOC_VGPR): the wave names how many it wants, in blocks of 16 (LLVM 22
 * AMDGPUBaseInfo.cpp, getVGPRAllocGranule; blocks of 32 are a setting of the device). It gets no more here than its
 * launch has allocated, and what it gives back goes to no other wave. */
enum { VGPR_BLOCK = 16 };

static int s_alloc_vgpr_exec(WPARAMS_);
ROW_ENC_(s_alloc_vgpr, ENC(OP(GFX12, SOP1, 0x53)))
ROW_HEAD_(s_alloc_vgpr, INTERNAL, ROW_WIDE, 0, IMP_W_SCC).exec = s_alloc_vgpr_exec, .wait = WAITS_BUT_STORES,
                                               .args = {ARGS({SL_SRC0, T_B32, A_RD})},
                                               ROW_TAIL_(s_alloc_vgpr) static int s_alloc_vgpr_exec(WPARAMS_)
{
    uint32_t n = (sget32(w, i, 0) & 511) + VGPR_BLOCK - 1;

    if (!w->dynamic_vgprs)
        return ISA_OK;
    n -= n % VGPR_BLOCK;
    w->scc = n <= (w->vector_rows + VGPR_BLOCK - 1) / VGPR_BLOCK * VGPR_BLOCK;
    if (w->scc)
        w->nvgprs = n < w->vector_rows ? n : w->vector_rows;
    return ISA_OK;
}

/* --- branches: the target counts in dwords from the next instruction --------------------------------------------- */

static inline int jump(struct isa_wave *w, const struct isa_inst *i, bool taken)
{
    if (taken)
        w->pc += (uint64_t)((int64_t)i->offset * 4);
    return ISA_OK;
}

static inline bool vcc_any(const struct isa_wave *w)
{
    return (w->s[CODE_VCC_LO] | (w->lanes == 64 ? w->s[CODE_VCC_HI] : 0)) != 0;
}

#define BRANCH(NAME, FLAGS, IMPL, TAKEN, ...)                                                                          \
    static void NAME##_op(HANDLER_PARAMS)                                                                              \
    {                                                                                                                  \
        (void)v;                                                                                                       \
        jump(w, op->i, TAKEN);                                                                                         \
    }                                                                                                                  \
    static int NAME##_exec(WPARAMS_);                                                                                  \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, BRANCH, ROW_WIDE, FLAGS, IMP_W_PC | (IMPL)).exec = NAME##_exec, .jumps = true,                     \
                                                        .direct = NAME##_op, .args = {SIMM(LABEL)},                    \
                                                        ROW_TAIL_(NAME) static int NAME##_exec(WPARAMS_)               \
    {                                                                                                                  \
        return jump(w, i, TAKEN);                                                                                      \
    }
BRANCH(s_branch, RF_ENDS, 0, true, ENC(OP(GFX8, SOPP, 0x02), OP(GFX11, SOPP, 0x20)))
BRANCH(s_cbranch_scc0, 0, IMP_R_SCC, !w->scc, ENC(OP(GFX8, SOPP, 0x04), OP(GFX11, SOPP, 0x21)))
BRANCH(s_cbranch_scc1, 0, IMP_R_SCC, w->scc, ENC(OP(GFX8, SOPP, 0x05), OP(GFX11, SOPP, 0x22)))
BRANCH(s_cbranch_vccz, 0, IMP_R_VCC, !vcc_any(w), ENC(OP(GFX8, SOPP, 0x06), OP(GFX11, SOPP, 0x23)))
BRANCH(s_cbranch_vccnz, 0, IMP_R_VCC, vcc_any(w), ENC(OP(GFX8, SOPP, 0x07), OP(GFX11, SOPP, 0x24)))
BRANCH(s_cbranch_execz, 0, IMP_R_EXEC, w->exec == 0, ENC(OP(GFX8, SOPP, 0x08), OP(GFX11, SOPP, 0x25)))
BRANCH(s_cbranch_execnz, 0, IMP_R_EXEC, w->exec != 0, ENC(OP(GFX8, SOPP, 0x09), OP(GFX11, SOPP, 0x26)))
/* no debugger is attached: its two condition bits are clear */
BRANCH(s_cbranch_cdbgsys, 0, 0, false, ENC(OP(GFX8, SOPP, 0x17), OP(GFX11, SOPP, 0x27), GONE(GFX12, SOPP)))
BRANCH(s_cbranch_cdbguser, 0, 0, false, ENC(OP(GFX8, SOPP, 0x18), OP(GFX11, SOPP, 0x28), GONE(GFX12, SOPP)))
BRANCH(s_cbranch_cdbgsys_or_user, 0, 0, false, ENC(OP(GFX8, SOPP, 0x19), OP(GFX11, SOPP, 0x29), GONE(GFX12, SOPP)))
BRANCH(s_cbranch_cdbgsys_and_user, 0, 0, false, ENC(OP(GFX8, SOPP, 0x1a), OP(GFX11, SOPP, 0x2a), GONE(GFX12, SOPP)))

/* --- the end ---------------------------------------------------------------------------------------------------- */

static int end_wave(struct isa_wave *w, const struct isa_env *env, struct isa_effects *fx)
{
    isa_barrier_end(w, fx);
    if (w->cluster && !w->barriers->b[0].members)
        isa_cluster_leave(w, isa_gws_clock(env, fx));
    return ISA_END;
}

#define END(NAME, ARGLIST, ...)                                                                                        \
    W(NAME, INTERNAL, RF_ENDS, 0, ARGS(ARGLIST), __VA_ARGS__)                                                          \
    {                                                                                                                  \
        return end_wave(w, env, fx);                                                                                   \
    }
END(s_endpgm, SIMM(ENDPGM), ENC(OP(GFX8, SOPP, 0x01), OP(GFX11, SOPP, 0x30)))
END(s_endpgm_saved, NO_ARGS, ENC(OP(GFX8, SOPP, 0x1b), OP(GFX11, SOPP, 0x31)))
END(s_endpgm_ordered_ps_done, NO_ARGS, ENC(OP(GFX9, SOPP, 0x1e), GONE(GFX11, SOPP)))

/* Padding after a program, for the instruction prefetcher and debuggers; nothing runs it. */
W(s_code_end, INTERNAL, RF_ENDS, 0, NO_ARGS, ENC(OP(GFX10, SOPP, 0x1f)))
{
    return isa_fault(w, FAULT_ILLEGAL, -1, 0, 0, false,
                     "s_code_end reached: execution ran past the end of the program");
}

/* As the trap handler of the HSA runtime has it (LLVM 19 AMDGPUUsage, "Trap Handler ABI"): 2 is llvm.trap and ends the
 * queue, 3 is llvm.debugtrap and nothing without a debugger. */
W(s_trap, INTERNAL, 0, IMP_W_PC, SIMM(IMM16), ENC(OP(GFX8, SOPP, 0x12), OP(GFX11, SOPP, 0x10)))
{
    unsigned id = (unsigned)i->offset & 0xff;

    if (id == 3)
        return ISA_OK;
    return isa_fault(w, FAULT_TRAP, -1, 0, 0, false, "s_trap %u%s", id,
                     id == 2 ? ": the kernel ended itself (llvm.trap)" : "");
}

/* a word of zeros: illegal by name, so that it stands out in a listing */
W(v_illegal, INTERNAL, 0, 0, ARGS({0}), ENC(OP(GFX10, ILLEGAL, 0)))
{
    return isa_fault(w, FAULT_ILLEGAL, -1, 0, 0, false, "v_illegal");
}

W(s_sethalt, INTERNAL, 0, 0, SIMM(IMM16), ENC(OP(GFX8, SOPP, 0x0d), OP(GFX11, SOPP, 0x02)))
{
    return i->offset & 1 ? ISA_HALT : ISA_OK;
}

/* A wave with its kill bit set ends at once. */
W(s_setkill, INTERNAL, 0, 0, SIMM(IMM16), ENC(OP(GFX8, SOPP, 0x0b), OP(GFX11, SOPP, 0x01), GONE(GFX12_5, SOPP)))
{
    return i->offset & 1 ? end_wave(w, env, fx) : ISA_OK;
}

/* --- pace ------------------------------------------------------------------------------------------------------- */

W(s_setprio, INTERNAL, 0, 0, SIMM(IMM16), ENC(OP(GFX8, SOPP, 0x0f), OP(GFX11, SOPP, 0x35)))
{
    w->priority = (uint8_t)(i->offset & 3);
    return ISA_OK;
}

/* raises the priority of the workgroup's waves for the time being */
IDLE(s_setprio_inc_wg, SIMM(IMM16), ENC(OP(GFX12_5, SOPP, 0x3e)))

/* SIMM16[7:0]: the upper bits of VGPR numbers, two each for src0, src1, src2 and vdst, which MODE has in another order;
 * [15:8] repeats those that hold so far (LLVM 22 AMDGPULowerVGPREncoding). */
SPECIAL_ROW(s_set_vgpr_msb, INTERNAL, IMP_R_MODE | IMP_W_MODE, VGPR_MSB, SIMM(IMM16), ENC(OP(GFX12_5, SOPP, 0x06)))
{
    isa_set_mode(w, (w->mode_reg & ~(UINT32_C(0xff) << MODE_VGPR_MSB_SHIFT)) | isa_named_msb(i) << MODE_VGPR_MSB_SHIFT);
    return ISA_OK;
}

/* The argument's seven bits count 64 clocks each; RDNA4 has a bit for "until somebody wakes me" (its manual: "wait
 * until an event occurs"; that of RDNA3 has seven bits alone). */
W(s_sleep, INTERNAL, 0, 0, SIMM(IMM16), ENC(OP(GFX8, SOPP, 0x0e), OP(GFX11, SOPP, 0x03)))
{
    bool forever = i->offset & 0x8000 && w->target->layout == LAYOUT_GFX12;

    if (fx)
        fx->sleep = forever ? ISA_SLEEP_FOREVER : (uint32_t)i->offset & 127;
    return forever ? ISA_SLEEP : ISA_OK;
}

/* s_sleep that the line of a load_monitor ends, too, when it changes. That is not watched: it sleeps its time out, and
 * what would be without end the longest time there is, as programs look at the line afterwards. */
W(s_monitor_sleep, INTERNAL, 0, 0, SIMM(IMM16), ENC(OP(GFX12_5, SOPP, 0x04)))
{
    if (fx)
        fx->sleep = i->offset & 0x8000 ? 127 : (uint32_t)i->offset & 127;
    return ISA_OK;
}

W(s_sleep_var, INTERNAL, 0, 0, ARGS({SL_SRC0, T_B32, A_RD}), ENC(OP(GFX12, SOP1, 0x58)))
{
    if (fx)
        fx->sleep = sget32(w, i, 0) & 127;
    return ISA_OK;
}

/* --- barriers (isa/barrier.h) ----------------------------------------------------------------------------------- */

W(s_barrier, INTERNAL, RF_BARRIER, 0, NO_ARGS, ENC(OP(GFX8, SOPP, 0x0a), OP(GFX11, SOPP, 0x3d), GONE(GFX12, SOPP)))
{
    if (w->barriers) {
        isa_barrier_signal(w, BARRIER_WORKGROUP, fx);
        isa_barrier_wait(w, BARRIER_WORKGROUP);
    }
    return ISA_BARRIER;
}

/* LLVM lets it be src_lds_direct. */
#define BARRIER_NUMBER ARGS({SL_SRC0, T_I32, A_RD | A_SGPR | A_LDS})

/* M0 cannot name the negative ones. The lowest six bits of other values count: that is how the manual's pseudocode
 * indexes BARRIER_STATE, and the recorded kernel custom_wave_sync of gfx1201, which signals what s0 has of an address,
 * runs to its end. */
static int barrier_number(const struct isa_wave *w, const struct isa_inst *i, unsigned k)
{
    uint32_t v = sget32(w, i, k);

    return i->op[k].code == w->target->code_m0 ? (int)(v & 31) : (int)bits_sext(v, 6);
}

/* True for a barrier of the workgroup that is not one that does nothing. The trap handler's is for trap handlers: to
 * others it is as good as none. That of a cluster is in isa/gws.h; in a cluster of one workgroup it does nothing. */
static bool real_barrier(const struct isa_wave *w, int number)
{
    return w->barriers && number != BARRIER_NONE && number != BARRIER_TRAP && number != BARRIER_CLUSTER;
}

static int no_such_barrier(struct isa_wave *w, int number)
{
    if (isa_has(w->target, FEAT_CLUSTERS) && number == BARRIER_CLUSTER_TRAP)
        return isa_fault(w, FAULT_UNIMPLEMENTED, -1, 0, 0, false,
                         "barrier %d is not supported by gcnsim: it is that of a cluster's trap handlers", number);
    return isa_fault(w, FAULT_OTHER, -1, 0, 0, false,
                     "there is no barrier %d: -1 is the workgroup's, named are 1 to 31", number);
}

static bool barrier_exists(const struct isa_wave *w, int number)
{
    int first = isa_has(w->target, FEAT_CLUSTERS) ? BARRIER_CLUSTER : BARRIER_TRAP;

    return number >= first && number < ISA_BARRIERS;
}

/* Signalling does not stop the wave. */
W(s_barrier_signal, INTERNAL, RF_BARRIER, 0, BARRIER_NUMBER, ENC(OP(GFX12, SOP1, 0x4e)))
{
    int number = barrier_number(w, i, 0);

    if (!barrier_exists(w, number))
        return no_such_barrier(w, number);
    if (real_barrier(w, number))
        isa_barrier_signal(w, number, fx);
    else if (number == BARRIER_CLUSTER && w->cluster)
        isa_cluster_signal(w, isa_gws_clock(env, fx));
    return ISA_OK;
}

W(s_barrier_signal_isfirst, INTERNAL, RF_BARRIER | RF_COUNTS_KM, IMP_W_SCC, BARRIER_NUMBER, ENC(OP(GFX12, SOP1, 0x4f)))
{
    int number = barrier_number(w, i, 0);

    if (!barrier_exists(w, number))
        return no_such_barrier(w, number);
    w->scc = 0;
    if (real_barrier(w, number))
        w->scc = isa_barrier_signal(w, number, fx) && w->barriers->waves > 1;
    else if (number == BARRIER_CLUSTER && w->cluster)
        w->scc = isa_cluster_signal(w, isa_gws_clock(env, fx));
    return ISA_OK;
}

/* -1 waits for the workgroup's, -2 for the trap handler's, what is not negative for the named one that was joined; -3
 * and -4 for those of clusters, where there are any. */
W(s_barrier_wait, INTERNAL, 0, 0, SIMM(IMM16), ENC(OP(GFX12, SOPP, 0x14)))
{
    int which = (int16_t)i->offset;

    if (which == BARRIER_TRAP)
        return isa_fault(w, FAULT_UNIMPLEMENTED, -1, 0, 0, false,
                         "barrier %d is not supported by gcnsim: it is that of trap handlers", which);
    if (which < 0 && !barrier_exists(w, which))
        return no_such_barrier(w, which);
    if (which == BARRIER_CLUSTER)
        return w->cluster ? isa_cluster_wait(w) : ISA_OK;
    if (which >= 0 && (!w->barriers || !w->barrier_joined))
        return ISA_OK;
    if (w->barriers)
        isa_barrier_wait(w, which < 0 ? BARRIER_WORKGROUP : w->barrier_joined);
    return ISA_BARRIER;
}

W(s_get_barrier_state, INTERNAL, RF_COUNTS_KM, 0,
  ARGS({SL_SDST, T_B32, A_WR | A_SGPR}, {SL_SRC0, T_I32, A_RD | A_SGPR | A_LDS}), ENC(OP(GFX12, SOP1, 0x50)))
{
    int number = barrier_number(w, i, 1);
    uint32_t v = 0;

    if (!barrier_exists(w, number))
        return no_such_barrier(w, number);
    if (real_barrier(w, number) && (number > 0 || w->barriers->waves > 1)) {
        const struct isa_barrier *b = &w->barriers->b[number > 0 ? number : 0];
        v = (uint32_t)b->signals << 16 | (uint32_t)b->members << 4 | b->valid;
    } else if (number == BARRIER_CLUSTER && w->cluster) {
        v = isa_cluster_state(w);
    }
    sput_code32(w, i->op[0].code, v);
    return ISA_OK;
}

/* The named ones. M0[22:16] has the number of members (LLVM 19 SILowering of llvm.amdgcn.s.barrier.init). */
W(s_barrier_init, INTERNAL, 0, IMP_R_M0, BARRIER_NUMBER, ENC(OP(GFX12, SOP1, 0x51)))
{
    int number = barrier_number(w, i, 0);

    if (number < 0 || !barrier_exists(w, number))
        return no_such_barrier(w, number);
    if (real_barrier(w, number))
        isa_barrier_named(w, (unsigned)number, w->s[w->target->code_m0] >> 16 & 127);
    return ISA_OK;
}

W(s_barrier_join, INTERNAL, 0, 0, BARRIER_NUMBER, ENC(OP(GFX12, SOP1, 0x52)))
{
    int number = barrier_number(w, i, 0);

    if (number < 0 || !barrier_exists(w, number))
        return no_such_barrier(w, number);
    if (w->barriers)
        isa_barrier_join(w, (unsigned)number);
    return ISA_OK;
}

/* LLVM 19 knows it, but RDNA4's manual does not list it, and LLVM 22 has it on gfx1250 alone. */
W(s_wakeup_barrier, INTERNAL, 0, 0, BARRIER_NUMBER, ENC(OP(GFX12, SOP1, 0x57), GONE(GFX12_5, SOP1)))
{
    return isa_fault(w, FAULT_ILLEGAL, -1, 0, 0, false, "%s has no s_wakeup_barrier", w->target->name);
}

/* s_wakeup for the members of a named barrier alone: all waves that have joined it (AMD's machine-readable CDNA5 ISA).
 */
W(s_wakeup_barrier_gfx1250, INTERNAL, 0, 0, BARRIER_NUMBER, ENC(AS(GFX12_5, SOP1, 0x57, "s_wakeup_barrier")))
{
    int number = barrier_number(w, i, 0);

    if (number < 0 || !barrier_exists(w, number))
        return no_such_barrier(w, number);
    return number == BARRIER_NONE ? ISA_OK : isa_wakeup(w, (unsigned)number);
}

/* SCC: the last one to leave; it counts in KMcnt (AMD's machine-readable CDNA5 ISA). */
W(s_barrier_leave, INTERNAL, RF_COUNTS_KM, IMP_W_SCC, NO_ARGS, ENC(OP(GFX12, SOPP, 0x15)))
{
    w->scc = w->barriers && isa_barrier_leave(w, fx);
    return ISA_OK;
}

/* --- messages --------------------------------------------------------------------------------------------------- */

/* Interrupts, VGPR deallocation and the graphics messages inform others and change nothing here. The number has
 * eight bits from gfx11 on and four before, after which are operation and stream; an interrupt carries eight bits of
 * M0 on gfx8 and 24 later (GCN3, Vega and RDNA ISA, S_SENDMSG; LLVM 19 SIDefines.h, SendMsg). */
enum { MSG_INTERRUPT = 1 };

static void send_message(const struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env)
{
    unsigned bits = w->target->layout >= LAYOUT_GFX11 ? 8 : 4;
    uint32_t number = (uint16_t)i->offset & ((1u << bits) - 1), m0 = w->s[w->target->code_m0];
    uint32_t data = (uint32_t)(uint16_t)i->offset >> bits;

    if (number == MSG_INTERRUPT)
        data = m0 & (w->target->layout == LAYOUT_GFX8 ? 0xffu : 0xffffffu);

    if (env->message)
        env->message(env->ctx, number, m0, data);
}

static int s_sendmsg_exec(WPARAMS_);
ROW_ENC_(s_sendmsg, ENC(OP(GFX8, SOPP, 0x10), OP(GFX11, SOPP, 0x36)))
ROW_HEAD_(s_sendmsg, MESSAGE, ROW_WIDE, 0, IMP_R_M0).exec = s_sendmsg_exec, .special = ISA_SPECIAL_SENDMSG,
                                           .args = {SIMM(SENDMSG)},
                                           ROW_TAIL_(s_sendmsg) static int s_sendmsg_exec(WPARAMS_)
{
    send_message(w, i, env);
    return ISA_OK;
}

W(s_sendmsghalt, MESSAGE, 0, IMP_R_M0, SIMM(SENDMSG), ENC(OP(GFX8, SOPP, 0x11), OP(GFX11, SOPP, 0x37)))
{
    send_message(w, i, env);
    return ISA_HALT;
}

/* Messages that return a value, by number (LLVM 19 SIDefines.h). There is no doorbell, no trap handler and one device
 * of one die here, so that apart from the clock all answers are 0. */
enum {
    MSG_RTN_GET_DOORBELL = 128,
    MSG_RTN_GET_DDID,
    MSG_RTN_GET_TMA,
    MSG_RTN_GET_REALTIME,
    MSG_RTN_SAVE_WAVE,
    MSG_RTN_GET_TBA,
    MSG_RTN_GET_TBA_TO_PC,
    MSG_RTN_GET_SE_AID_ID,             /* gfx12 */
    MSG_RTN_GET_CLUSTER_BARRIER_STATE, /* gfx1250 */
};

static bool message_value(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, uint64_t *value)
{
    unsigned message = i->op[1].code & 0xff;

    *value = 0;
    switch (message) {
    case MSG_RTN_GET_REALTIME:
        *value = env->realtime(env->ctx);
        return true;
    case MSG_RTN_GET_DOORBELL:
    case MSG_RTN_GET_DDID:
    case MSG_RTN_GET_TMA:
    case MSG_RTN_SAVE_WAVE:
    case MSG_RTN_GET_TBA:
        return true;
    case MSG_RTN_GET_SE_AID_ID:
        if (isa_has(w->target, FEAT_MSG_SE_AID))
            return true;
        break;
    case MSG_RTN_GET_TBA_TO_PC:
        isa_fault(w, FAULT_TRAP, -1, 0, 0, false, "a jump to the trap handler, and there is none");
        return false;
    case MSG_RTN_GET_CLUSTER_BARRIER_STATE:
        if (!isa_has(w->target, FEAT_CLUSTERS))
            break;
        *value = w->cluster ? isa_cluster_state(w) : 0;
        return true;
    default:
        break;
    }
    isa_fault(w, FAULT_OTHER, -1, 0, 0, false, "there is no message %u that returns a value", message);
    return false;
}

W(s_sendmsg_rtn_b32, MESSAGE, 0, 0, ARGS({SL_SDST, T_B32, A_WR | A_SGPR}, {SL_SRC0, T_SENDMSG, 0}),
  ENC(OP(GFX11, SOP1, 0x4c)))
{
    uint64_t v;
    if (!message_value(w, i, env, &v))
        return ISA_FAULT;
    sput_code32(w, i->op[0].code, (uint32_t)v);
    return ISA_OK;
}

W(s_sendmsg_rtn_b64, MESSAGE, 0, 0, ARGS({SL_SDST, T_B64, A_WR | A_SGPR}, {SL_SRC0, T_SENDMSG, 0}),
  ENC(OP(GFX11, SOP1, 0x4d)))
{
    uint64_t v;
    if (!message_value(w, i, env, &v))
        return ISA_FAULT;
    sput_code64(w, i->op[0].code, v);
    return ISA_OK;
}

/* --- MODE ------------------------------------------------------------------------------------------------------- */

W(s_round_mode, SALU, 0, IMP_R_MODE | IMP_W_MODE, SIMM(SIMM16), ENC(OP(GFX10, SOPP, 0x24), OP(GFX11, SOPP, 0x11)))
{
    isa_set_mode(w, (w->mode_reg & ~UINT32_C(0xf)) | ((uint32_t)i->offset & 0xf));
    return ISA_OK;
}

SPECIAL_ROW(s_denorm_mode, SALU, IMP_R_MODE | IMP_W_MODE, DENORM_MODE, SIMM(IMM16),
            ENC(OP(GFX10, SOPP, 0x25), OP(GFX11, SOPP, 0x12)))
{
    isa_set_mode(w, (w->mode_reg & ~UINT32_C(0xf0)) | ((uint32_t)i->offset & 0xf) << MODE_DENORM32_SHIFT);
    return ISA_OK;
}
