/* gcnsim run --check: every number of the tables of docs/CHECK.md, one wait state short and just enough. The numbers
 * are what llc-19 and, for what LLVM 19 does not know, llc of LLVM 22 with -run-pass=post-RA-hazard-rec insert between
 * the two instructions. */
#define CHECK_WORDS_FILE "tests/unit/check/words/cells.inc"
#include "tests/unit/check/check_rig.h"

enum { MOST_CASES = 400, MOST_TEXT = 1024 };

static struct check_case cases[MOST_CASES];
static size_t count;

static void wait_states(char *out, unsigned n)
{
    for (; n > 8; n -= 8)
        out += sprintf(out, "s_nop 7\n");
    if (n)
        sprintf(out, "s_nop %u\n", n - 1);
}

static void add(const char *target, const char *before, unsigned states, const char *reader, const char *rule)
{
    static char text[MOST_CASES][MOST_TEXT];
    char nops[100] = "";

    wait_states(nops, states);
    assert_true(count < MOST_CASES);
    assert_true(strlen(before) + strlen(nops) + strlen(reader) < MOST_TEXT);
    sprintf(text[count], "%s\n%s%s", before, nops, reader);
    cases[count] = (struct check_case){.target = target, .lanes = 64, .text = text[count], .lane = -1};
    if (rule) {
        cases[count].rule = rule;
        cases[count].at = reader[0] == 'v' ? "v_" : reader[0] == 's' ? "s_" : "_";
        cases[count].fix = "s_nop 0 before it (1 wait state missing)";
    }
    count++;
}

/* One short is a finding, enough is none. Where nothing is needed, nothing is found. */
static void cell(const char *target, const char *before, unsigned states, const char *reader, const char *rule)
{
    if (states)
        add(target, before, states - 1, reader, rule);
    add(target, before, states, reader, NULL);
}

static void run_cells(void)
{
    size_t n = count;

    count = 0;
    check_cases(cases, n);
}

/* ---- matrix instructions ---- */

/* What follows: the same instruction; the small one with C over part of the result, and with A; AGPR moves; a move
 * over C; a store; the f64 one with C over part of it, and with A. */
enum { SAME, C_PART, A, READ, WRITE, WRITE_C, STORE, F64_C, F64_A, READERS };

struct matrix_cells {
    const char *same;    /* D and C are a0 and up */
    const char *other_c; /* C is a0 and up, D is another */
    uint8_t states[READERS];
};

#define MOVES(N) "v_accvgpr_write_b32 a" #N ", 0\n"
#define SET_4    MOVES(16) MOVES(17) MOVES(18) MOVES(19)
#define SET_16                                                                                                         \
    SET_4 MOVES(20) MOVES(21) MOVES(22) MOVES(23) MOVES(24) MOVES(25) MOVES(26) MOVES(27) MOVES(28) MOVES(29)          \
        MOVES(30) MOVES(31)
#define IDLE "s_nop 7\ns_nop 7\ns_nop 7\n"

/* set: what writes AGPRs from a16 on that are read */
static void matrix_target(const char *target, const char *set, const char *const reader[READERS],
                          const struct matrix_cells *m, size_t n)
{
    static const char *const rule[READERS] = {
        [SAME] = "mfma.src-c",   [C_PART] = "mfma.src-c", [A] = "mfma.src-ab",
        [READ] = "mfma.read",    [STORE] = "mfma.read",   [WRITE] = "mfma.overwrite",
        [F64_A] = "mfma.src-ab", [F64_C] = "mfma.src-c",  [WRITE_C] = "mfma.src-c-overwrite",
    };
    char before[MOST_TEXT];

    for (; n; n--, m++)
        for (unsigned k = 0; k < READERS; k++) {
            if (k != SAME && !reader[k])
                continue;
            snprintf(before, sizeof before, "%s%s", set, k == WRITE_C ? m->other_c : m->same);
            cell(target, before, m->states[k], k == SAME ? m->same : reader[k], rule[k]);
        }
}

#define V2  "v_mfma_f32_4x4x1f32 a[0:3], v4, v5, a[0:3]"
#define V8  "v_mfma_f32_16x16x4f32 a[0:3], v4, v5, a[0:3]"
#define V16 "v_mfma_f32_32x32x2f32 a[0:15], v4, v5, a[0:15]"

static void mi100(void **state)
{
    static const char *const reader[READERS] = {
        [C_PART] = "v_mfma_f32_4x4x1f32 a[32:35], v6, v7, a[2:5]",
        [A] = "v_mfma_f32_4x4x1f32 a[16:19], a0, v7, a[16:19]",
        [READ] = "v_accvgpr_read_b32 v8, a0",
        [WRITE] = "v_accvgpr_write_b32 a0, v9",
        [WRITE_C] = "v_accvgpr_write_b32 a1, v9",
    };
    static const struct matrix_cells m[] = {
        {V2, "v_mfma_f32_4x4x1f32 a[16:19], v4, v5, a[0:3]", {0, 2, 4, 4, 1, 0}},
        {V8, "v_mfma_f32_16x16x4f32 a[16:19], v4, v5, a[0:3]", {0, 2, 4, 10, 7, 5}},
        {V16, "v_mfma_f32_32x32x2f32 a[16:31], v4, v5, a[0:15]", {0, 2, 4, 18, 15, 13}},
    };

    (void)state;
    matrix_target("gfx908", SET_4 IDLE, reader, m, CHECK_COUNT(m));
    cell("gfx908", "v_accvgpr_write_b32 a4, 0", 1, V2 "\n" V2, NULL);
    cell("gfx908", "v_accvgpr_write_b32 a0, 0", 1, V2, "mfma.acc-write");
    cell("gfx908", "v_accvgpr_write_b32 a4, 0", 3, "v_mfma_f32_4x4x1f32 a[0:3], a4, v5, a[0:3]", "mfma.acc-write");
    cell("gfx908", "v_accvgpr_write_b32 a4, 0", 3, "v_accvgpr_read_b32 v8, a4", "mfma.acc-write");
    cell("gfx908", "v_mov_b32 v4, 0", 2, V2, "mfma.valu-vgpr");
    cell("gfx908", "v_dot2_f32_f16 v4, v5, v5, v5", 2, V2, "mfma.valu-vgpr");
    cell("gfx908", "v_cmpx_eq_f32 vcc, v1, v1", 4, V2, "mfma.valu-exec");
    run_cells();
}

#define ON_CDNA2(F64)                                                                                                  \
    {                                                                                                                  \
        [C_PART] = SMALL("a[32:35]", "a[2:5]"), [A] = SMALL_A, [READ] = "v_accvgpr_read_b32 v8, a0",                   \
        [WRITE] = "v_accvgpr_write_b32 a0, v9", [WRITE_C] = "v_accvgpr_write_b32 a1, v9",                              \
        [STORE] = "global_store_dword v[2:3], a0, off", [F64_C] = F64 " a[32:33], v[6:7], v[8:9], a[2:3]",             \
        [F64_A] = F64 " a[32:33], a[0:1], v[8:9], 0"                                                                   \
    }

static void mi200(void **state)
{
#define SMALL(D, C) "v_mfma_f32_4x4x1f32 " D ", v6, v7, " C
#define SMALL_A     "v_mfma_f32_4x4x1f32 a[32:35], a0, v7, 0"
    static const char *const reader[READERS] = ON_CDNA2("v_mfma_f64_4x4x4f64");
    static const struct matrix_cells m[] = {
        {V2, "v_mfma_f32_4x4x1f32 a[16:19], v4, v5, a[0:3]", {0, 2, 5, 5, 5, 1, 5, 3, 5}},
        {V8, "v_mfma_f32_16x16x4f32 a[16:19], v4, v5, a[0:3]", {0, 8, 11, 11, 11, 7, 11, 9, 11}},
        {V16, "v_mfma_f32_32x32x2f32 a[16:31], v4, v5, a[0:15]", {0, 16, 19, 19, 19, 15, 19, 17, 19}},
        {"v_mfma_f64_4x4x4f64 a[0:1], v[4:5], v[6:7], a[0:1]",
         "v_mfma_f64_4x4x4f64 a[16:17], v[4:5], v[6:7], a[0:1]",
         {4, 0, 6, 6, 6, 0, 9, 0, 6}},
        {"v_mfma_f64_16x16x4f64 a[0:7], v[4:5], v[6:7], a[0:7]",
         "v_mfma_f64_16x16x4f64 a[16:23], v[4:5], v[6:7], a[0:7]",
         {0, 0, 11, 11, 11, 0, 18, 9, 11}},
    };
#undef SMALL
#undef SMALL_A

    (void)state;
    matrix_target("gfx90a", "", reader, m, CHECK_COUNT(m));
    cell("gfx90a", "v_mov_b32 v4, 0", 2, V2, "mfma.valu-vgpr");
    cell("gfx90a", "v_cmpx_eq_f32 vcc, v1, v1", 4, V2, "mfma.valu-exec");
    cell("gfx90a", "v_dot2_f32_f16 v4, v5, v5, v5", 0, V2, NULL);
    cell("gfx90a", "v_dot2_f32_f16 v4, v5, v5, v5", 3, "v_mov_b32 v4, 0", "states.dot-valu");
    cell("gfx90a", "v_dot2_f32_f16 v4, v5, v5, v5", 3, "global_store_dword v[2:3], v4, off", "states.dot-valu");
    run_cells();
}

static void mi300(void **state)
{
#define SMALL(D, C) "v_mfma_f32_4x4x4_16b_f16 " D ", v[6:7], v[8:9], " C
#define SMALL_A     "v_mfma_f32_4x4x4_16b_f16 a[32:35], a[0:1], v[8:9], 0"
#define M(NAME, S, D, C)                                                                                               \
    "v_mfma_f32_" NAME " " C ", v" S ", v" S ", " C, "v_mfma_f32_" NAME " " D ", v" S ", v" S ", " C
    static const char *const reader[READERS] = ON_CDNA2("v_mfma_f64_4x4x4_4b_f64");
    static const struct matrix_cells m[] = {
        {M("4x4x4_16b_f16", "[4:5]", "a[16:19]", "a[0:3]"), {2, 3, 5, 5, 5, 1, 5, 3, 5}},
        {M("16x16x16_f16", "[4:5]", "a[16:19]", "a[0:3]"), {0, 5, 7, 7, 7, 3, 7, 5, 7}},
        {M("32x32x8_f16", "[4:5]", "a[16:31]", "a[0:15]"), {0, 9, 11, 11, 11, 7, 11, 9, 11}},
        {M("4x4x1_16b_f32", "4", "a[16:19]", "a[0:3]"), {2, 0, 4, 4, 4, 0, 4, 2, 4}},
        {M("16x16x4_f32", "4", "a[16:19]", "a[0:3]"), {0, 0, 10, 10, 10, 0, 10, 8, 10}},
        {M("32x32x2_f32", "4", "a[16:31]", "a[0:15]"), {0, 0, 18, 18, 18, 0, 18, 16, 18}},
        {"v_mfma_f64_4x4x4_4b_f64 a[0:1], v[4:5], v[6:7], a[0:1]",
         "v_mfma_f64_4x4x4_4b_f64 a[16:17], v[4:5], v[6:7], a[0:1]",
         {4, 0, 6, 6, 6, 0, 9, 0, 6}},
        {"v_mfma_f64_16x16x4_f64 a[0:7], v[4:5], v[6:7], a[0:7]",
         "v_mfma_f64_16x16x4_f64 a[16:23], v[4:5], v[6:7], a[0:7]",
         {0, 0, 11, 11, 11, 0, 18, 9, 11}},
    };
    static const struct matrix_cells widest = {M("32x32x4_2b_f16", "[4:5]", "a[32:63]", "a[0:31]"),
                                               {0, 17, 19, 19, 19, 15, 19, 17, 19}};
    /* an f32 instruction that adds to part of the result of another */
    static const char f32_c[] = "v_mfma_f32_4x4x1_16b_f32 a[32:35], v6, v7, a[2:5]";
    static const uint8_t f32_states[] = {3, 5, 9, 2, 8, 16};

    (void)state;
    matrix_target("gfx942", "", reader, m, CHECK_COUNT(m));
    matrix_target("gfx942", SET_16 IDLE, reader, &widest, 1);
    for (size_t k = 0; k < CHECK_COUNT(f32_states); k++)
        cell("gfx942", m[k].same, f32_states[k], f32_c, "mfma.src-c");
    run_cells();
}

/* One state more after narrow types of four passes and more, eight after f64 of 16 passes: LLVM 22. */
static void mi350(void **state)
{
    static const char *const reader[READERS] = ON_CDNA2("v_mfma_f64_4x4x4_4b_f64");
    static const struct matrix_cells m[] = {
        {M("4x4x4_16b_f16", "[4:5]", "a[16:19]", "a[0:3]"), {2, 4, 5, 5, 5, 1, 5, 3, 5}},
        {M("16x16x16_f16", "[4:5]", "a[16:19]", "a[0:3]"), {0, 6, 8, 8, 8, 3, 8, 6, 8}},
        {M("32x32x8_f16", "[4:5]", "a[16:31]", "a[0:15]"), {0, 10, 12, 12, 12, 7, 12, 10, 12}},
        {M("16x16x4_f32", "4", "a[16:19]", "a[0:3]"), {0, 0, 10, 10, 10, 0, 10, 8, 10}},
        {"v_mfma_f64_4x4x4_4b_f64 a[0:1], v[4:5], v[6:7], a[0:1]",
         "v_mfma_f64_4x4x4_4b_f64 a[16:17], v[4:5], v[6:7], a[0:1]",
         {4, 0, 6, 6, 6, 0, 9, 0, 6}},
        {"v_mfma_f64_16x16x4_f64 a[0:7], v[4:5], v[6:7], a[0:7]",
         "v_mfma_f64_16x16x4_f64 a[16:23], v[4:5], v[6:7], a[0:7]",
         {0, 0, 19, 19, 11, 0, 18, 17, 19}},
    };

    (void)state;
    matrix_target("gfx950", "", reader, m, CHECK_COUNT(m));
    cell("gfx950", m[0].same, 3, "v_mfma_f32_4x4x1_16b_f32 a[32:35], v6, v7, a[2:5]", "mfma.src-c");
    cell("gfx950", "v_mov_b32 v4, 0", 2, "v_permlane16_swap_b32 v4, v5", "states.valu-vgpr-swap");
    cell("gfx950", "v_mov_b32 v4, 0", 2, "v_permlane32_swap_b32 v5, v4", "states.valu-vgpr-swap");
    cell("gfx950", "v_mov_b32 v4, 0", 0, "v_permlane32_swap_b32 v5, v6", NULL);
    cell("gfx950", "v_cmpx_eq_f32 vcc, v1, v1", 4, "v_permlane32_swap_b32 v5, v6", "states.valu-exec-swap");
    cell("gfx950", "s_mov_b64 exec, -1", 0, "v_permlane32_swap_b32 v5, v6", NULL);
    run_cells();
}

/* gfx950's conversions to 8 and 4 bits: another byte or half than the lowest one; the random ones to pairs any. */
static void small_floats(void **state)
{
    static const char *const byte[] = {"sr_fp8_f32", "scalef32_pk_fp4_f32", "scalef32_sr_fp8_f32"};
    static const char *const sources[] = {"v5, v6", "v5, v6, v7", "v5, v6, v7"};
    static const char reader[] = "v_add_u32 v8, v4, v5";
    char text[80];

    (void)state;
    for (unsigned k = 0; k < CHECK_COUNT(byte); k++)
        for (unsigned sel = 0; sel < 4; sel++) {
            snprintf(text, sizeof text, "v_cvt_%s v4, %s op_sel:[0,0,%u,%u]", byte[k], sources[k], sel & 1, sel >> 1);
            cell("gfx950", text, sel ? 1 : 0, reader, sel ? "states.partial-write-valu" : NULL);
        }
    cell("gfx942", "v_cvt_sr_fp8_f32 v4, v5, v6 op_sel:[0,0,1,0]", 1, reader, "states.partial-write-valu");
    cell("gfx942", "v_cvt_sr_fp8_f32 v4, v5, v6", 0, reader, NULL);
    cell("gfx950", "v_cvt_scalef32_sr_pk_fp4_f16 v4, v5, v6, v7", 1, reader, "states.partial-write-valu");
    cell("gfx950", "v_cvt_scalef32_sr_pk_fp4_f32 v4, v[10:11], v6, v7", 1, reader, "states.partial-write-valu");
    cell("gfx950", "v_cvt_scalef32_pk_fp8_f32 v4, v5, v6, v7 op_sel:[0,0,0,1]", 1, reader, "states.partial-write-valu");
    cell("gfx950", "v_cvt_scalef32_pk_fp8_f32 v4, v5, v6, v7", 0, reader, NULL);
    run_cells();
}

/* ---- the others, on every chip ---- */

static void every_chip(void **state)
{
    static const char *const targets[] = {"gfx803", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942"};

    (void)state;
    for (size_t k = 0; k < CHECK_COUNT(targets); k++) {
        const char *t = targets[k];
        bool cdna3 = strcmp(t, "gfx942") == 0;

        cell(t, "v_readfirstlane_b32 s8, v1", 5, "buffer_load_dword v4, off, s[12:15], s8", "states.valu-sgpr-vmem");
        cell(t, "v_cmp_eq_f32 vcc, v1, v1", 4, "v_div_fmas_f32 v4, v5, v5, v5", "states.valu-vcc-div-fmas");
        cell(t, "v_cmpx_eq_f32 vcc, v1, v1", 5,
             "v_mov_b32_dpp v4, v5 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:0",
             "states.valu-exec-dpp");
        cell(t, "v_mov_b32 v5, 0", 2,
             "v_mov_b32_dpp v4, v5 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:0",
             "states.valu-vgpr-dpp");
        cell(t, "v_readfirstlane_b32 s8, v1", 4, "v_readlane_b32 s9, v5, s8", "states.valu-sgpr-lane-select");
        cell(t, "v_readfirstlane_b32 s8, v1", 4, "v_writelane_b32 v5, 0, s8", "states.valu-sgpr-lane-select");
        cell(t, "s_mov_b32 m0, 0", 1, "s_ttracedata", "states.salu-m0");
        cell(t, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0", 2, "s_getreg_b32 s8, hwreg(HW_REG_MODE, 0, 4)",
             "states.setreg-getreg");
        cell(t, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0", 2, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 0xf",
             "states.setreg-setreg");
        cell(t, "buffer_store_dwordx4 v[4:7], off, s[12:15], 0", cdna3 ? 2 : 1, "v_mov_b32 v7, 0", "states.store-data");
        cell(t, "buffer_store_dwordx3 v[4:6], off, s[12:15], 0", cdna3 ? 2 : 1, "v_mov_b32 v6, 0", "states.store-data");
        cell(t, "buffer_store_dwordx2 v[4:5], off, s[12:15], 0", 0, "v_mov_b32 v5, 0", NULL);
        cell(t, "buffer_store_dwordx4 v[4:7], off, s[12:15], s8", cdna3 ? 1 : 0, "v_mov_b32 v7, 0",
             cdna3 ? "states.store-data" : NULL);
    }
    cell("gfx950", "buffer_store_dwordx3 v[4:6], v1, s[12:15], s8 offen", 1, "v_pk_mul_f32 v[4:5], v[10:11], v[10:11]",
         "states.store-data");
    cell("gfx950", "buffer_store_dwordx3 v[4:6], v1, s[12:15], 0 offen", 2, "v_pk_mul_f32 v[4:5], v[10:11], v[10:11]",
         "states.store-data");
    cell("gfx950", "global_store_dwordx4 v[2:3], v[4:7], off", 2, "v_mov_b32 v6, 0", "states.store-data");
    run_cells();
}

static void some_chips(void **state)
{
#define SDWA_KEEPS "v_mov_b32_sdwa v4, v5 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD"

    (void)state;
    cell("gfx900", "s_mov_b32 m0, 0", 1, "ds_write_addtid_b32 v4", "states.salu-m0");
    cell("gfx900", "s_mov_b32 m0, 0", 0, "ds_write_b32 v1, v4", NULL);
    cell("gfx942", "v_fma_f16 v4, v5, v5, v5 op_sel:[0,0,0,1]", 1, "v_add_f32 v6, v4, v5", "states.partial-write-valu");
    cell("gfx942", "v_cmpx_eq_f32 vcc, v1, v1", 2, "v_mov_b32 v4, exec_lo", "states.valu-sgpr-valu");
    cell("gfx942", "v_cmpx_eq_f32 vcc, v1, v1", 0, "v_mov_b32 v4, v5", NULL);
    cell("gfx942", "v_fma_f16 v4, v5, v5, v5", 0, "v_add_f32 v6, v4, v5", NULL);
    /* packed ones write all of it: op_sel_hi is where VOP3 has the bit of the half written */
    cell("gfx942", "v_pk_add_f16 v4, v5, v5", 0, "v_add_f32 v6, v4, v5", NULL);
    cell("gfx942", SDWA_KEEPS, 1, "v_add_f32 v6, v4, v5", "states.partial-write-valu");
    /* what SDWA keeps is not read, but of another part */
    cell("gfx942", "v_rcp_f32 v4, v5", 0, SDWA_KEEPS, NULL);
    cell("gfx942", SDWA_KEEPS, 1, SDWA_KEEPS, "states.partial-write-valu");
    cell("gfx942", SDWA_KEEPS, 0, "v_mov_b32 v4, v5", NULL);
    run_cells();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mi100),        cmocka_unit_test(mi200),
                                       cmocka_unit_test(mi300),        cmocka_unit_test(mi350),
                                       cmocka_unit_test(small_floats), cmocka_unit_test(every_chip),
                                       cmocka_unit_test(some_chips)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
