/* Writes the immediates of SOPK and SOPP that have a syntax of their own: wait counts, hardware registers, messages,
 * delays. Names: LLVM 19 AMDGPUAsmUtils. */
#include "isa/text/text.h"

static void put_waitcnt(const struct isa_target *t, unsigned imm, struct isa_out *o)
{
    unsigned vm, exp, lgkm, vm_max = (1u << t->wait_bits[WAIT_VM]) - 1, lgkm_max = (1u << t->wait_bits[WAIT_LGKM]) - 1;
    const char *sep = "";

    if (t->layout == LAYOUT_GFX11 || t->layout == LAYOUT_GFX12) {
        vm_max = lgkm_max = 63;
        vm = imm >> 10 & 63;
        lgkm = imm >> 4 & 63;
        exp = imm & 7;
    } else {
        vm = (imm & 15) | (vm_max > 15 ? imm >> 14 << 4 : 0);
        exp = imm >> 4 & 7;
        lgkm = imm >> 8 & lgkm_max;
    }
    bool all = vm == vm_max && exp == 7 && lgkm == lgkm_max;
    if (vm != vm_max || all) {
        isa_put(o, "%svmcnt(%u)", sep, vm);
        sep = " ";
    }
    if (exp != 7 || all) {
        isa_put(o, "%sexpcnt(%u)", sep, exp);
        sep = " ";
    }
    if (lgkm != lgkm_max || all)
        isa_put(o, "%slgkmcnt(%u)", sep, lgkm);
}

struct named {
    uint16_t id;
    const char *name;
};

static const char *find_name(const struct named *list, unsigned id)
{
    for (; list->name; list++)
        if (list->id == id)
            return list->name;
    return NULL;
}

static const struct named hwreg_common[] = {{1, "HW_REG_MODE"},      {2, "HW_REG_STATUS"}, {5, "HW_REG_GPR_ALLOC"},
                                            {6, "HW_REG_LDS_ALLOC"}, {7, "HW_REG_IB_STS"}, {0, NULL}};
static const struct named hwreg_gfx8[] = {{3, "HW_REG_TRAPSTS"}, {4, "HW_REG_HW_ID"}, {0, NULL}};
static const struct named hwreg_gfx9[] = {{15, "HW_REG_SH_MEM_BASES"}, {16, "HW_REG_TBA_LO"}, {17, "HW_REG_TBA_HI"},
                                          {18, "HW_REG_TMA_LO"},       {19, "HW_REG_TMA_HI"}, {0, NULL}};
static const struct named hwreg_gfx942[] = {{20, "HW_REG_XCC_ID"},
                                            {21, "HW_REG_SQ_PERF_SNAPSHOT_DATA"},
                                            {22, "HW_REG_SQ_PERF_SNAPSHOT_DATA1"},
                                            {23, "HW_REG_SQ_PERF_SNAPSHOT_PC_LO"},
                                            {24, "HW_REG_SQ_PERF_SNAPSHOT_PC_HI"},
                                            {0, NULL}};
static const struct named hwreg_gfx10[] = {
    {3, "HW_REG_TRAPSTS"}, {15, "HW_REG_SH_MEM_BASES"}, {16, "HW_REG_TBA_LO"},      {17, "HW_REG_TBA_HI"},
    {18, "HW_REG_TMA_LO"}, {19, "HW_REG_TMA_HI"},       {20, "HW_REG_FLAT_SCR_LO"}, {21, "HW_REG_FLAT_SCR_HI"},
    {23, "HW_REG_HW_ID1"}, {24, "HW_REG_HW_ID2"},       {25, "HW_REG_POPS_PACKER"}, {0, NULL}};
static const struct named hwreg_gfx1010[] = {{22, "HW_REG_XNACK_MASK"}, {0, NULL}};
static const struct named hwreg_gfx1030[] = {{29, "HW_REG_SHADER_CYCLES"}, {0, NULL}};
static const struct named hwreg_gfx11[] = {{3, "HW_REG_TRAPSTS"},
                                           {15, "HW_REG_SH_MEM_BASES"},
                                           {18, "HW_REG_PERF_SNAPSHOT_PC_LO"},
                                           {19, "HW_REG_PERF_SNAPSHOT_PC_HI"},
                                           {20, "HW_REG_FLAT_SCR_LO"},
                                           {21, "HW_REG_FLAT_SCR_HI"},
                                           {23, "HW_REG_HW_ID1"},
                                           {24, "HW_REG_HW_ID2"},
                                           {27, "HW_REG_PERF_SNAPSHOT_DATA"},
                                           {29, "HW_REG_SHADER_CYCLES"},
                                           {0, NULL}};
static const struct named hwreg_gfx12[] = {{4, "HW_REG_STATE_PRIV"},
                                           {10, "HW_REG_PERF_SNAPSHOT_DATA"},
                                           {11, "HW_REG_PERF_SNAPSHOT_PC_LO"},
                                           {12, "HW_REG_PERF_SNAPSHOT_PC_HI"},
                                           {15, "HW_REG_PERF_SNAPSHOT_DATA1"},
                                           {16, "HW_REG_PERF_SNAPSHOT_DATA2"},
                                           {17, "HW_REG_EXCP_FLAG_PRIV"},
                                           {18, "HW_REG_EXCP_FLAG_USER"},
                                           {19, "HW_REG_TRAP_CTRL"},
                                           {20, "HW_REG_SCRATCH_BASE_LO"},
                                           {21, "HW_REG_SCRATCH_BASE_HI"},
                                           {23, "HW_REG_HW_ID1"},
                                           {24, "HW_REG_HW_ID2"},
                                           {29, "HW_REG_SHADER_CYCLES_LO"},
                                           {30, "HW_REG_SHADER_CYCLES_HI"},
                                           {31, "HW_REG_DVGPR_ALLOC_LO"},
                                           {32, "HW_REG_DVGPR_ALLOC_HI"},
                                           {0, NULL}};

/* LLVM 22 has these of the names above with "WAVE_" for gfx1250, and some more. */
static const struct named hwreg_gfx1250[] = {{1, "HW_REG_WAVE_MODE"},
                                             {2, "HW_REG_WAVE_STATUS"},
                                             {4, "HW_REG_WAVE_STATE_PRIV"},
                                             {5, "HW_REG_WAVE_GPR_ALLOC"},
                                             {6, "HW_REG_WAVE_LDS_ALLOC"},
                                             {17, "HW_REG_WAVE_EXCP_FLAG_PRIV"},
                                             {18, "HW_REG_WAVE_EXCP_FLAG_USER"},
                                             {19, "HW_REG_WAVE_TRAP_CTRL"},
                                             {20, "HW_REG_WAVE_SCRATCH_BASE_LO"},
                                             {21, "HW_REG_WAVE_SCRATCH_BASE_HI"},
                                             {23, "HW_REG_WAVE_HW_ID1"},
                                             {24, "HW_REG_WAVE_HW_ID2"},
                                             {26, "HW_REG_WAVE_SCHED_MODE"},
                                             {28, "HW_REG_IB_STS2"},
                                             {31, "HW_REG_WAVE_DVGPR_ALLOC_LO"},
                                             {32, "HW_REG_WAVE_DVGPR_ALLOC_HI"},
                                             {33, "HW_REG_XNACK_STATE_PRIV"},
                                             {34, "HW_REG_XNACK_MASK"},
                                             {0, NULL}};

static const char *hwreg_name(const struct isa_target *t, unsigned id)
{
    const char *n = isa_has(t, FEAT_HWREG_WAVE) ? find_name(hwreg_gfx1250, id) : NULL;

    n = n ? n : find_name(hwreg_common, id);
    if (n)
        return n;
    switch (t->layout) {
    case LAYOUT_GFX8:
        return find_name(hwreg_gfx8, id);
    case LAYOUT_GFX9:
        n = find_name(hwreg_gfx8, id);
        n = n ? n : find_name(hwreg_gfx9, id);
        return n || !isa_has(t, FEAT_HWREG_XCC) ? n : find_name(hwreg_gfx942, id);
    case LAYOUT_GFX10:
        n = find_name(hwreg_gfx10, id);
        return n ? n : find_name(isa_has(t, FEAT_HWREG_CYCLES) ? hwreg_gfx1030 : hwreg_gfx1010, id);
    case LAYOUT_GFX11:
        return find_name(hwreg_gfx11, id);
    default:
        return find_name(hwreg_gfx12, id);
    }
}

static void put_hwreg(const struct isa_target *t, unsigned imm, struct isa_out *o)
{
    unsigned id = imm & 63, offset = imm >> 6 & 31, size = (imm >> 11 & 31) + 1;
    const char *name = hwreg_name(t, id);

    isa_put(o, "hwreg(");
    if (name)
        isa_put(o, "%s", name);
    else
        isa_put(o, "%u", id);
    if (offset != 0 || size != 32)
        isa_put(o, ", %u, %u", offset, size);
    isa_put(o, ")");
}

enum { MSG_GS = 2, MSG_GS_DONE = 3, MSG_SYSMSG = 15 };
static const struct named msgs_old[] = {{1, "MSG_INTERRUPT"}, {2, "MSG_GS"},      {3, "MSG_GS_DONE"},
                                        {4, "MSG_SAVEWAVE"},  {15, "MSG_SYSMSG"}, {0, NULL}};
static const struct named msgs_gfx9[] = {{1, "MSG_INTERRUPT"},
                                         {2, "MSG_GS"},
                                         {3, "MSG_GS_DONE"},
                                         {15, "MSG_SYSMSG"},
                                         {4, "MSG_SAVEWAVE"},
                                         {5, "MSG_STALL_WAVE_GEN"},
                                         {6, "MSG_HALT_WAVES"},
                                         {7, "MSG_ORDERED_PS_DONE"},
                                         {8, "MSG_EARLY_PRIM_DEALLOC"},
                                         {9, "MSG_GS_ALLOC_REQ"},
                                         {10, "MSG_GET_DOORBELL"},
                                         {0, NULL}};
static const struct named msgs_gfx11[] = {
    {1, "MSG_INTERRUPT"},  {2, "MSG_HS_TESSFACTOR"}, {3, "MSG_DEALLOC_VGPRS"}, {5, "MSG_STALL_WAVE_GEN"},
    {6, "MSG_HALT_WAVES"}, {9, "MSG_GS_ALLOC_REQ"},  {15, "MSG_SYSMSG"},       {0, NULL}};
static const struct named versions[] = {
    {0, "UC_VERSION_GFX7"}, {4, "UC_VERSION_GFX10"}, {6, "UC_VERSION_GFX11"}, {9, "UC_VERSION_GFX12"}, {0, NULL}};
static const struct named msgs_rtn[] = {
    {128, "MSG_RTN_GET_DOORBELL"},  {129, "MSG_RTN_GET_DDID"},      {130, "MSG_RTN_GET_TMA"},
    {131, "MSG_RTN_GET_REALTIME"},  {132, "MSG_RTN_SAVE_WAVE"},     {133, "MSG_RTN_GET_TBA"},
    {134, "MSG_RTN_GET_TBA_TO_PC"}, {135, "MSG_RTN_GET_SE_AID_ID"}, {0, NULL}};

static const struct named msgs_gfx1250[] = {
    {10, "MSG_SAVEWAVE_HAS_TDM"}, {136, "MSG_RTN_GET_CLUSTER_BARRIER_STATE"}, {0, NULL}};

static const char *msg_name(const struct isa_target *t, unsigned id)
{
    switch (t->layout) {
    case LAYOUT_GFX8:
        return find_name(msgs_old, id);
    case LAYOUT_GFX9:
        return find_name(msgs_gfx9, id);
    case LAYOUT_GFX10:
        return id == 11 ? "MSG_GET_DDID" : find_name(msgs_gfx9, id);
    case LAYOUT_GFX11:
        return id == 135 ? NULL : find_name(id < 128 ? msgs_gfx11 : msgs_rtn, id);
    default:
        if (isa_has(t, FEAT_COMPUTE_ONLY) && find_name(msgs_gfx1250, id))
            return find_name(msgs_gfx1250, id);
        return id == 5 || id == 6 ? NULL : find_name(id < 128 ? msgs_gfx11 : msgs_rtn, id);
    }
}

/* Operations of the geometry and system messages; the others take none. */
static const char *msg_op_name(const struct isa_target *t, unsigned id, unsigned op)
{
    static const char *const gs[] = {"GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT"};
    static const char *const sys[] = {NULL, "SYSMSG_OP_ECC_ERR_INTERRUPT", "SYSMSG_OP_REG_RD",
                                      "SYSMSG_OP_HOST_TRAP_ACK", "SYSMSG_OP_TTRACE_PC"};

    if (id == MSG_SYSMSG)
        return op > 4 || (op == 3 && t->layout != LAYOUT_GFX8) ? NULL : sys[op];
    return op > 3 || (id == MSG_GS && op == 0) ? NULL : gs[op];
}

static void put_sendmsg(const struct isa_target *t, unsigned imm, struct isa_out *o)
{
    bool wide = t->layout == LAYOUT_GFX11 || t->layout == LAYOUT_GFX12;
    unsigned id = imm & (wide ? 0xff : 15), op = wide ? 0 : imm >> 4 & 7, stream = wide ? 0 : imm >> 8 & 3;
    bool gs = !wide && (id == MSG_GS || id == MSG_GS_DONE), has_op = gs || id == MSG_SYSMSG;
    const char *name = msg_name(t, id), *op_name = has_op ? msg_op_name(t, id, op) : NULL;

    if (name && (has_op ? op_name != NULL : !op) && (!stream || (gs && op))) {
        isa_put(o, "sendmsg(%s", name);
        if (op_name)
            isa_put(o, ", %s", op_name);
        if (gs && op)
            isa_put(o, ", %u", stream);
        isa_put(o, ")");
    } else if (imm == (id | op << 4 | stream << 8)) {
        isa_put(o, "sendmsg(%u, %u, %u)", id, op, stream);
    } else {
        isa_put(o, "%u", imm);
    }
}

/* s_version: the generation's number and three bits. */
static void put_version(unsigned imm, struct isa_out *o)
{
    static const struct named bits[] = {
        {0x2000, "UC_VERSION_W64_BIT"}, {0x4000, "UC_VERSION_W32_BIT"}, {0x8000, "UC_VERSION_MDP_BIT"}, {0, NULL}};
    const char *name = find_name(versions, imm & 0xff);
    unsigned n = 0;

    if (imm & 0x1f00) {
        isa_put(o, "0x%x", imm);
        return;
    }
    for (const struct named *b = bits; b->name; b++)
        n += (imm & b->id) != 0;
    for (unsigned k = 1; k < n; k++)
        isa_put(o, "(");
    name ? isa_put(o, "%s", name) : isa_put(o, "%u", imm & 0xff);
    for (const struct named *b = bits; b->name; b++)
        if (imm & b->id)
            isa_put(o, "|%s%s", b->name, n-- > 1 ? ")" : "");
}

static void put_delay(unsigned imm, struct isa_out *o)
{
    static const char *const ids[] = {
        "NO_DEP",        "VALU_DEP_1",    "VALU_DEP_2",        "VALU_DEP_3",   "VALU_DEP_4",   "TRANS32_DEP_1",
        "TRANS32_DEP_2", "TRANS32_DEP_3", "FMA_ACCUM_CYCLE_1", "SALU_CYCLE_1", "SALU_CYCLE_2", "SALU_CYCLE_3"};
    static const char *const skips[] = {"SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"};
    unsigned id0 = imm & 15, skip = imm >> 4 & 7, id1 = imm >> 7 & 15;
    const char *sep = "";

    if (!(imm & 0x7ff)) {
        isa_put(o, "0");
        return;
    }
    if (id0) {
        isa_put(o, "instid0(%s)", id0 < 12 ? ids[id0] : "/* invalid instid value */");
        sep = " | ";
    }
    if (skip) {
        isa_put(o, "%sinstskip(%s)", sep, skip < 6 ? skips[skip] : "/* invalid instskip value */");
        sep = " | ";
    }
    if (id1)
        isa_put(o, "%sinstid1(%s)", sep, id1 < 12 ? ids[id1] : "/* invalid instid value */");
}

/* Fields of s_waitcnt_depctr (gfx10: printed as a number there) and s_wait_alu; all but those at their default. */
static void put_depctr(const struct isa_target *t, unsigned imm, struct isa_out *o)
{
    static const struct {
        const char *name;
        uint8_t shift, bits, fallback;
        bool hold; /* gfx10.3 on */
    } fields[] = {{"depctr_hold_cnt", 7, 1, 1, true},   {"depctr_sa_sdst", 0, 1, 1, false},
                  {"depctr_va_vdst", 12, 4, 15, false}, {"depctr_va_sdst", 9, 3, 7, false},
                  {"depctr_va_ssrc", 8, 1, 1, false},   {"depctr_va_vcc", 1, 1, 1, false},
                  {"depctr_vm_vsrc", 2, 3, 7, false}};
    unsigned n = sizeof fields / sizeof fields[0], known = 0, def = 0;
    bool has_hold = isa_has(t, FEAT_HOLD_CNT);
    const char *sep = "";

    for (unsigned k = 0; k < n; k++) {
        if (fields[k].hold && !has_hold)
            continue;
        known |= ((1u << fields[k].bits) - 1) << fields[k].shift;
        def |= (unsigned)fields[k].fallback << fields[k].shift;
    }
    if (imm & ~known) { /* bits outside the fields: only a number */
        isa_put(o, "0x%x", imm);
        return;
    }
    bool all = (imm & known) == def;
    for (unsigned k = 0; k < n; k++) {
        unsigned v = imm >> fields[k].shift & ((1u << fields[k].bits) - 1);
        if ((fields[k].hold && !has_hold) || (!all && v == fields[k].fallback))
            continue;
        isa_put(o, "%s%s(%u)", sep, fields[k].name, v);
        sep = " ";
    }
}

static void put_gpr_idx(unsigned imm, struct isa_out *o)
{
    static const char *const names[] = {"SRC0", "SRC1", "SRC2", "DST"};
    const char *sep = "";

    if (imm & ~15u) {
        isa_put(o, "0x%x", imm);
        return;
    }
    isa_put(o, "gpr_idx(");
    for (unsigned k = 0; k < 4; k++)
        if (imm >> k & 1) {
            isa_put(o, "%s%s", sep, names[k]);
            sep = ",";
        }
    isa_put(o, ")");
}

void isa_put_immediate(const struct isa_target *t, const struct isa_inst *i, enum isa_type type, struct isa_out *o)
{
    unsigned imm = (unsigned)i->offset & 0xffff;

    switch (type) {
    case T_LABEL:
        isa_put(o, "%u", imm);
        break;
    case T_IMM16:
        isa_put(o, imm <= 64 ? "%u" : "0x%x", imm);
        break;
    case T_ENDPGM:
        if (imm)
            isa_put(o, "%u", imm);
        break;
    case T_WAITCNT:
        put_waitcnt(t, imm, o);
        break;
    case T_HWREG:
        put_hwreg(t, imm, o);
        break;
    case T_SENDMSG:
        put_sendmsg(t, imm, o);
        break;
    case T_VERSION:
        put_version(imm, o);
        break;
    case T_DELAY:
        put_delay(imm, o);
        break;
    case T_DEPCTR:
        put_depctr(t, imm, o);
        break;
    case T_GPRIDX:
        put_gpr_idx(imm, o);
        break;
    case T_PARAM:
        isa_put_attribute(i, type, o);
        break;
    default:
        isa_put(o, "0x%x", imm);
        break;
    }
}
