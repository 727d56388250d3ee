/* The shape macros: each states an instruction's row and opens its body.
 *
 *     V_F32_F32F32(v_mul_f32, VALU, ENC(OP(GFX8, VOP2, 0x05), OP(GFX10, VOP2, 0x08)))
 *     {
 *         return mul_f32(a, b);
 *     }
 *
 * Vector shapes V1, V2, V3 (one to three sources) name the types of result and sources; the body is a pure function
 * of one lane: sources a, b, c and `mode` (struct isa_mode). The macros make the whole-wave loop, the operand list
 * (from which come decoding, text, register sets and the legality of twins) and register the row.
 *
 *     V1(name, CLASS, D, A, FLAGS, ENC)           D name(a)
 *     V2(name, CLASS, D, A, B, FLAGS, ENC)        D name(a, b)
 *     V1_ROWS, V2_ROWS, V3_ROWS, V2_ACC_ROWS, V2_K_MID_ROWS, V2_K_END_ROWS
 *                                                 the same with an expression before ENC that may do what the body does
 *                                                 for 32 active lanes at once, from rows s0, s1, s2 to d; false: it has
 *                                                 not
 *     V2_LANE                                     D name(a, b, lane): knows which lane it is (v_mbcnt)
 *     V2_ACC                                      D name(a, b, c): c is the old destination (v_mac, v_fmac)
 *     V2_K_MID / V2_K_END                         v_madmk (a * K + b) / v_madak (a * b + K): body gets (a, b, k)
 *     V2_NUMBER, V3_NUMBER, V2_ACC_NUMBER, V2_K_NUMBER
 *                                                 f32 alone: body is plain arithmetic, NaN are the shape's business
 *     V2_DOUBLE, V3_DOUBLE                        f64: a sum, or product, of two or three (isa/lanes/double_rows.h)
 *     V2_CO, V2_CI, V2_CIO                        carry out (`*cout = 0/1`), carry in (`cin`: 0/1), both
 *     V3(name, CLASS, D, A, B, C, FLAGS, ENC)     D name(a, b, c)
 *     V3_SHIFT16                                  the same; c may be half a VGPR (A_HALF)
 *     V3_CO                                       with a carry-out mask in VOP3's sdst
 *     V3_VCC                                      reads VCC per lane as `cin` without naming it (v_div_fmas)
 *     VC(name, CLASS, A, B, FLAGS, ENC)           bool name(a, b): a compare; FLAGS RF_CMPX for v_cmpx
 *     VC_HALF                                     the same; b may be half a VGPR (A_HALF)
 *     S1 S2 (D, A, B), S1_SCC S2_SCC              scalar; the _SCC forms may set *scc (and read it: implicit R+W)
 *     SC(name, A, B)                              scalar compare: returns SCC
 *     SK...                                       SOPK, see below
 *     W(name, CLASS, FLAGS, IMPLICIT, ARGS, ENC)  wide: body is a function of (w, i, env, fx) returning isa_status
 */
#ifndef GCNSIM_ISA_SHAPES_H
#define GCNSIM_ISA_SHAPES_H

#include "isa/lanes/lanes.h"
#include "isa/lanes/scalar.h"
#include "isa/table/loops.h"

#ifndef ISA_VARIANT
#define ISA_VARIANT base
#endif
#define ISA_STR_(x)  #x
#define ISA_STR(x)   ISA_STR_(x)
#define ROWS_SECTION "isa_rows_" ISA_STR(ISA_VARIANT)

#define ENC(...) __VA_ARGS__
#define OP(NODE, FORMAT, OPCODE)                                                                                       \
    {                                                                                                                  \
        ENC_OP, N_##NODE, FMT_##FORMAT, OPCODE, ""                                                                     \
    }
#define AS(NODE, FORMAT, OPCODE, NAME)                                                                                 \
    {                                                                                                                  \
        ENC_OP, N_##NODE, FMT_##FORMAT, OPCODE, NAME                                                                   \
    }
#define GONE(NODE, FORMAT)                                                                                             \
    {                                                                                                                  \
        ENC_GONE, N_##NODE, FMT_##FORMAT, 0, ""                                                                        \
    }
#define ARGS(...)   __VA_ARGS__
#define COUNT_OF(x) (sizeof(x) / sizeof(x)[0])

/* Fragments of a row's definition; args end with a slot of SL_NONE when there are fewer than ISA_MAX_ARGS. */
/* The class of a row whose results may be off those of a chip: APPROX(TRANS, 1). ULP: isa_row.ulp. */
#define OPC_APPROX(CLS, ULP) OPC_##CLS, .ulp = ULP
/* The class of a row whose results somebody measured on a chip: MEASURED(DOT, "llvm-project 205101"). */
#define OPC_MEASURED(CLS, SOURCE)             OPC_##CLS, .measured = SOURCE
#define OPC_APPROX_MEASURED(CLS, ULP, SOURCE) OPC_APPROX(CLS, ULP), .measured = SOURCE
#define ROW_ENC_(NAME, ...)                   static const struct isa_enc NAME##_enc[] = {__VA_ARGS__};
#define ROW_HEAD_(NAME, CLS, KIND, FLAGS, IMPL)                                                                        \
    static __attribute__((cold)) void NAME##_row(struct isa_row *row)                                                  \
    {                                                                                                                  \
        *row = (struct isa_row)                                                                                        \
        {                                                                                                              \
            .name = #NAME, .cls = OPC_##CLS, .kind = KIND, .flags = FLAGS, .implicit = IMPL, .enc = NAME##_enc,        \
            .nenc = COUNT_OF(NAME##_enc), .file = __FILE__, .line = __LINE__,
#define ROW_TAIL_(NAME)                                                                                                \
    }                                                                                                                  \
    ;                                                                                                                  \
    }                                                                                                                  \
    static isa_row_maker *const NAME##_ref __attribute__((used, section(ROWS_SECTION))) = NAME##_row;

#define MODE_               const struct isa_mode mode __attribute__((unused))
#define BODY_(NAME, D, ...) static inline __attribute__((always_inline)) L_##D NAME##_body(__VA_ARGS__)
/* --- vector ALU ------------------------------------------------------------------------------------------------ */

#define V1_ROWS(NAME, CLS, D, A, FLAGS, QUICKLY, ...)                                                                  \
    BODY_(NAME, D, L_##A a, MODE_);                                                                                    \
    LANES_(D, NAME, QUICKLY, PUT_##D(NAME##_body(GET_##A(s0), mode)))                                                  \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_LANES, FLAGS, IMP_R_EXEC).LOOPS_(D, NAME),                                                \
        .args = {{SL_VDST, T_##D, A_WR}, {SL_SRC0, T_##A, A_RD}}, ROW_TAIL_(NAME) BODY_(NAME, D, L_##A a, MODE_)
#define V1(NAME, CLS, D, A, FLAGS, ...) V1_ROWS(NAME, CLS, D, A, FLAGS, false, __VA_ARGS__)

#define V2_ROWS(NAME, CLS, D, A, B, FLAGS, QUICKLY, ...)                                                               \
    BODY_(NAME, D, L_##A a, L_##B b, MODE_);                                                                           \
    LANES_(D, NAME, QUICKLY, PUT_##D(NAME##_body(GET_##A(s0), GET_##B(s1), mode)))                                     \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_LANES, FLAGS, IMP_R_EXEC).LOOPS_(D, NAME),                                                \
        .args = {{SL_VDST, T_##D, A_WR}, {SL_SRC0, T_##A, A_RD}, {SL_SRC1, T_##B, A_RD}},                              \
        ROW_TAIL_(NAME) BODY_(NAME, D, L_##A a, L_##B b, MODE_)
#define V2(NAME, CLS, D, A, B, FLAGS, ...) V2_ROWS(NAME, CLS, D, A, B, FLAGS, false, __VA_ARGS__)

/* the body also gets the number of its lane (v_mbcnt) */
#define V2_LANE(NAME, CLS, D, A, B, FLAGS, ...)                                                                        \
    BODY_(NAME, D, L_##A a, L_##B b, unsigned lane, MODE_);                                                            \
    LANES_(D, NAME, false, PUT_##D(NAME##_body(GET_##A(s0), GET_##B(s1), i, mode)))                                    \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_LANES, FLAGS, IMP_R_EXEC).LOOPS_(D, NAME),                                                \
        .asks_lane = true, .args = {{SL_VDST, T_##D, A_WR}, {SL_SRC0, T_##A, A_RD}, {SL_SRC1, T_##B, A_RD}},           \
        ROW_TAIL_(NAME) BODY_(NAME, D, L_##A a, L_##B b, unsigned lane, MODE_)

/* c is the destination's old value */
#define V2_ACC_ROWS(NAME, CLS, D, A, B, FLAGS, QUICKLY, ...)                                                           \
    BODY_(NAME, D, L_##A a, L_##B b, L_##D c, MODE_);                                                                  \
    LANES_(D, NAME, QUICKLY, PUT_##D(NAME##_body(GET_##A(s0), GET_##B(s1), GET_##D(s2), mode)))                        \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_LANES, FLAGS, IMP_R_EXEC).LOOPS_(D, NAME),                                                \
        .args = {{SL_VDST, T_##D, A_WR},                                                                               \
                 {SL_SRC0, T_##A, A_RD},                                                                               \
                 {SL_SRC1, T_##B, A_RD},                                                                               \
                 {SL_VDST, T_##D, A_RD | A_HIDDEN}},                                                                   \
        ROW_TAIL_(NAME) BODY_(NAME, D, L_##A a, L_##B b, L_##D c, MODE_)
#define V2_ACC(NAME, CLS, D, A, B, FLAGS, ...) V2_ACC_ROWS(NAME, CLS, D, A, B, FLAGS, false, __VA_ARGS__)

/* d = body(a, b, k): text has the constant in the middle (madmk, fmamk) or at the end (madak, fmaak) */
#define V2_K_(NAME, CLS, D, FLAGS, QUICKLY, ARG1, ARG2, SB, SK, ...)                                                   \
    BODY_(NAME, D, L_##D a, L_##D b, L_##D k, MODE_);                                                                  \
    LANES_(D, NAME, QUICKLY, PUT_##D(NAME##_body(GET_##D(s0), GET_##D(SB), GET_##D(SK), mode)))                        \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_LANES, (FLAGS) | RF_NO_E64 | RF_NO_SDWA | RF_NO_DPP, IMP_R_EXEC).LOOPS_(D, NAME),         \
        .args = {{SL_VDST, T_##D, A_WR}, {SL_SRC0, T_##D, A_RD}, {ARG1, T_##D, A_RD}, {ARG2, T_##D, A_RD}},            \
        ROW_TAIL_(NAME) BODY_(NAME, D, L_##D a, L_##D b, L_##D k, MODE_)
#define V2_K_MID_ROWS(NAME, CLS, D, FLAGS, QUICKLY, ...)                                                               \
    V2_K_(NAME, CLS, D, FLAGS, QUICKLY, SL_K, SL_SRC1, s2, s1, __VA_ARGS__)
#define V2_K_END_ROWS(NAME, CLS, D, FLAGS, QUICKLY, ...)                                                               \
    V2_K_(NAME, CLS, D, FLAGS, QUICKLY, SL_SRC1, SL_K, s1, s2, __VA_ARGS__)
#define V2_K_MID(NAME, CLS, D, FLAGS, ...) V2_K_MID_ROWS(NAME, CLS, D, FLAGS, false, __VA_ARGS__)
#define V2_K_END(NAME, CLS, D, FLAGS, ...) V2_K_END_ROWS(NAME, CLS, D, FLAGS, false, __VA_ARGS__)

/* f32 in and out; the body is plain arithmetic, and a result that is not a number is the first source's that is none,
 * made quiet, in the order of the body's arguments (nan2_f32 of isa/lanes/fp.h). */
#define NUMBER2_(NAME)  NAME##_body(GET_F32(s0), GET_F32(s1))
#define FLUSHING_(NAME) .flushing = NAME##_flushing, .odd_flushing = NAME##_odd_flushing
#define DENORMAL2_      any_denormal32(s0) || any_denormal32(s1)
#define DENORMAL3_      DENORMAL2_ || any_denormal32(s2)
#define V2_NUMBER(NAME, CLS, ...)                                                                                      \
    static inline __attribute__((always_inline)) float NAME##_body(float a, float b);                                  \
    LANES_NUMBER_(NAME, nan2_f32, NUMBER2_(NAME), DENORMAL2_, GET_F32(s0), GET_F32(s1))                                \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_LANES, 0, IMP_R_EXEC).LOOPS_(F32, NAME), FLUSHING_(NAME),                                 \
        .args = {{SL_VDST, T_F32, A_WR}, {SL_SRC0, T_F32, A_RD}, {SL_SRC1, T_F32, A_RD}},                              \
        ROW_TAIL_(NAME) static inline __attribute__((always_inline)) float NAME##_body(float a, float b)

#define V3_NUMBER_(NAME, CLS, FLAGS, S0, S1, S2, ARG1, ARG2, ARG2_FLAGS, ...)                                          \
    static inline __attribute__((always_inline)) float NAME##_body(float a, float b, float c);                         \
    LANES_NUMBER_(NAME, nan3_f32, NAME##_body(GET_F32(S0), GET_F32(S1), GET_F32(S2)), DENORMAL3_, GET_F32(S0),         \
                  GET_F32(S1), GET_F32(S2))                                                                            \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_LANES, FLAGS, IMP_R_EXEC).LOOPS_(F32, NAME), FLUSHING_(NAME),                             \
        .args = {{SL_VDST, T_F32, A_WR}, {SL_SRC0, T_F32, A_RD}, {ARG1, T_F32, A_RD}, {ARG2, T_F32, ARG2_FLAGS}},      \
        ROW_TAIL_(NAME) static inline __attribute__((always_inline)) float NAME##_body(float a, float b, float c)
#define K_FLAGS_                  RF_NO_E64 | RF_NO_SDWA | RF_NO_DPP
#define V3_NUMBER(NAME, CLS, ...) V3_NUMBER_(NAME, CLS, 0, s0, s1, s2, SL_SRC1, SL_SRC2, A_RD, __VA_ARGS__)
#define V2_ACC_NUMBER(NAME, CLS, ...)                                                                                  \
    V3_NUMBER_(NAME, CLS, 0, s0, s1, s2, SL_SRC1, SL_VDST, A_RD | A_HIDDEN, __VA_ARGS__)
#define V2_K_NUMBER(NAME, CLS, ARG1, ARG2, ...)                                                                        \
    V3_NUMBER_(NAME, CLS, K_FLAGS_, s0, s1, s2, ARG1, ARG2, A_RD, __VA_ARGS__)

/* f64 in and out, a sum or product (enum double_op) */
#define V2_DOUBLE(NAME, CLS, OP, ...)                                                                                  \
    BODY_(NAME, F64, double a, double b, MODE_);                                                                       \
    LANES_DOUBLES_(NAME, OP, 1, PUT_F64(NAME##_body(GET_F64(s0), GET_F64(s1), mode)))                                  \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_LANES, RF_NO_SDWA, IMP_R_EXEC).LOOPS_(F64, NAME),                                         \
        .args = {{SL_VDST, T_F64, A_WR}, {SL_SRC0, T_F64, A_RD}, {SL_SRC1, T_F64, A_RD}},                              \
        ROW_TAIL_(NAME) BODY_(NAME, F64, double a, double b, MODE_)
#define V3_DOUBLE(NAME, CLS, FLAGS, LAST, LAST_FLAGS, ...)                                                             \
    BODY_(NAME, F64, double a, double b, double c, MODE_);                                                             \
    LANES_DOUBLES_(NAME, FMA, 2, PUT_F64(NAME##_body(GET_F64(s0), GET_F64(s1), GET_F64(s2), mode)))                    \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_LANES, FLAGS, IMP_R_EXEC).LOOPS_(F64, NAME),                                              \
        .args = {{SL_VDST, T_F64, A_WR}, {SL_SRC0, T_F64, A_RD}, {SL_SRC1, T_F64, A_RD}, {LAST, T_F64, LAST_FLAGS}},   \
        ROW_TAIL_(NAME) BODY_(NAME, F64, double a, double b, double c, MODE_)

#define V2_CO(NAME, CLS, D, A, B, FLAGS, ...)                                                                          \
    BODY_(NAME, D, L_##A a, L_##B b, uint32_t *cout, MODE_);                                                           \
    LANES_BITS_(D, NAME, uint32_t co; L_##D r = NAME##_body(GET_##A(s0), GET_##B(s1), &co, mode); bits[i] = co;        \
                PUT_##D(r))                                                                                            \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_LANES, FLAGS, IMP_R_EXEC).LOOPS_MASK_(D, NAME),                                           \
        .args = {{SL_VDST, T_##D, A_WR},                                                                               \
                 {SL_CARRY_OUT, T_MASK, A_WR | A_SGPR},                                                                \
                 {SL_SRC0, T_##A, A_RD},                                                                               \
                 {SL_SRC1, T_##B, A_RD}},                                                                              \
        ROW_TAIL_(NAME) BODY_(NAME, D, L_##A a, L_##B b, uint32_t * cout, MODE_)

/* a carry-in (select) mask and no carry-out: v_cndmask. Sources take float modifiers (A_FMOD). */
#define V2_CI(NAME, CLS, D, A, B, FLAGS, ...)                                                                          \
    BODY_(NAME, D, L_##A a, L_##B b, uint32_t ci, MODE_);                                                              \
    LANES_CARRY_IN_(D, NAME, PUT_##D(NAME##_body(GET_##A(s0), GET_##B(s1), cin[i], mode)))                             \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_LANES, (FLAGS) | RF_NO_FLUSH, IMP_R_EXEC).LOOPS_MASK_(D, NAME),                           \
        .args = {{SL_VDST, T_##D, A_WR},                                                                               \
                 {SL_SRC0, T_##A, A_RD | A_FMOD},                                                                      \
                 {SL_SRC1, T_##B, A_RD | A_FMOD},                                                                      \
                 {SL_CARRY_IN, T_MASK, A_RD | A_SGPR}},                                                                \
        ROW_TAIL_(NAME) BODY_(NAME, D, L_##A a, L_##B b, uint32_t ci, MODE_)

#define V2_CIO(NAME, CLS, D, A, B, FLAGS, ...)                                                                         \
    BODY_(NAME, D, L_##A a, L_##B b, uint32_t ci, uint32_t *cout, MODE_);                                              \
    LANES_BITS_(D, NAME, uint32_t co; L_##D r = NAME##_body(GET_##A(s0), GET_##B(s1), cin[i], &co, mode);              \
                bits[i] = co; PUT_##D(r))                                                                              \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_LANES, FLAGS, IMP_R_EXEC).LOOPS_MASK_(D, NAME),                                           \
        .args = {{SL_VDST, T_##D, A_WR},                                                                               \
                 {SL_CARRY_OUT, T_MASK, A_WR | A_SGPR},                                                                \
                 {SL_SRC0, T_##A, A_RD},                                                                               \
                 {SL_SRC1, T_##B, A_RD},                                                                               \
                 {SL_CARRY_IN, T_MASK, A_RD | A_SGPR}},                                                                \
        ROW_TAIL_(NAME) BODY_(NAME, D, L_##A a, L_##B b, uint32_t ci, uint32_t * cout, MODE_)

#define V3_ARG2_(NAME, CLS, D, A, B, C, C_FLAGS, FLAGS, QUICKLY, ...)                                                  \
    BODY_(NAME, D, L_##A a, L_##B b, L_##C c, MODE_);                                                                  \
    LANES_(D, NAME, QUICKLY, PUT_##D(NAME##_body(GET_##A(s0), GET_##B(s1), GET_##C(s2), mode)))                        \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_LANES, FLAGS, IMP_R_EXEC).LOOPS_(D, NAME),                                                \
        .args = {{SL_VDST, T_##D, A_WR}, {SL_SRC0, T_##A, A_RD}, {SL_SRC1, T_##B, A_RD}, {SL_SRC2, T_##C, C_FLAGS}},   \
        ROW_TAIL_(NAME) BODY_(NAME, D, L_##A a, L_##B b, L_##C c, MODE_)

#define V3_ROWS(NAME, CLS, D, A, B, C, FLAGS, QUICKLY, ...)                                                            \
    V3_ARG2_(NAME, CLS, D, A, B, C, A_RD, FLAGS, QUICKLY, __VA_ARGS__)
#define V3(NAME, CLS, D, A, B, C, FLAGS, ...) V3_ROWS(NAME, CLS, D, A, B, C, FLAGS, false, __VA_ARGS__)
#define V3_SHIFT16(NAME, CLS, D, A, B, C, FLAGS, ...)                                                                  \
    V3_ARG2_(NAME, CLS, D, A, B, C, A_RD | A_HALF, FLAGS, false, __VA_ARGS__)

#define V3_CO(NAME, CLS, D, A, B, C, FLAGS, ...)                                                                       \
    BODY_(NAME, D, L_##A a, L_##B b, L_##C c, uint32_t *cout, MODE_);                                                  \
    LANES_BITS_(D, NAME, uint32_t co; L_##D r = NAME##_body(GET_##A(s0), GET_##B(s1), GET_##C(s2), &co, mode);         \
                bits[i] = co; PUT_##D(r))                                                                              \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_LANES, FLAGS, IMP_R_EXEC).LOOPS_MASK_(D, NAME),                                           \
        .args = {{SL_VDST, T_##D, A_WR},                                                                               \
                 {SL_CARRY_OUT, T_MASK, A_WR | A_SGPR},                                                                \
                 {SL_SRC0, T_##A, A_RD},                                                                               \
                 {SL_SRC1, T_##B, A_RD},                                                                               \
                 {SL_SRC2, T_##C, A_RD}},                                                                              \
        ROW_TAIL_(NAME) BODY_(NAME, D, L_##A a, L_##B b, L_##C c, uint32_t * cout, MODE_)

/* VCC per lane arrives as ci without standing in the text */
#define V3_VCC(NAME, CLS, D, A, B, C, FLAGS, ...)                                                                      \
    BODY_(NAME, D, L_##A a, L_##B b, L_##C c, uint32_t ci, MODE_);                                                     \
    LANES_CARRY_IN_(D, NAME, PUT_##D(NAME##_body(GET_##A(s0), GET_##B(s1), GET_##C(s2), cin[i], mode)))                \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_LANES, FLAGS, IMP_R_EXEC | IMP_R_VCC).LOOPS_MASK_(D, NAME),                               \
        .args = {{SL_VDST, T_##D, A_WR}, {SL_SRC0, T_##A, A_RD}, {SL_SRC1, T_##B, A_RD}, {SL_SRC2, T_##C, A_RD}},      \
        ROW_TAIL_(NAME) BODY_(NAME, D, L_##A a, L_##B b, L_##C c, uint32_t ci, MODE_)

#define VC_ARG1_(NAME, CLS, A, B, B_FLAGS, FLAGS, ...)                                                                 \
    static inline __attribute__((always_inline)) uint32_t NAME##_body(L_##A a, L_##B b, MODE_);                        \
    LANES_BITS_(A, NAME, bits[i] = NAME##_body(GET_##A(s0), GET_##B(s1), mode))                                        \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_CMP, FLAGS, IMP_R_EXEC | ((FLAGS)&RF_CMPX ? IMP_W_EXEC : 0)).LOOPS_MASK_(A, NAME),        \
        .args = {{SL_CMP_OUT, T_MASK, A_WR | A_SGPR}, {SL_SRC0, T_##A, A_RD}, {SL_SRC1, T_##B, B_FLAGS}},              \
        ROW_TAIL_(NAME) static inline __attribute__((always_inline))                                                   \
        uint32_t NAME##_body(L_##A a __attribute__((unused)), L_##B b __attribute__((unused)), MODE_)

#define VC(NAME, CLS, A, B, FLAGS, ...)      VC_ARG1_(NAME, CLS, A, B, A_RD, FLAGS, __VA_ARGS__)
#define VC_HALF(NAME, CLS, A, B, FLAGS, ...) VC_ARG1_(NAME, CLS, A, B, A_RD | A_HALF, FLAGS, __VA_ARGS__)

/* --- scalar ALU ------------------------------------------------------------------------------------------------ */
/* The body sees scc when it may set it (and its old value through *scc). */

#define SBODY_(NAME, D, ...) static inline __attribute__((always_inline)) L_##D NAME##_body(__VA_ARGS__)
#define SPARAMS_             unsigned *scc __attribute__((unused)), struct isa_wave *w __attribute__((unused))
#define SEXEC_(NAME, D, CALL)                                                                                          \
    static int NAME##_exec(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env,                    \
                           struct isa_effects *fx)                                                                     \
    {                                                                                                                  \
        unsigned scc = w->scc;                                                                                         \
        (void)env, (void)fx;                                                                                           \
        L_##D r = CALL;                                                                                                \
        SPUT_##D(w, i, 0, r);                                                                                          \
        w->scc = (uint8_t)scc;                                                                                         \
        return ISA_OK;                                                                                                 \
    }
#define SHANDLER_(NAME, D, CALL)                                                                                       \
    static void NAME##_op(HANDLER_PARAMS)                                                                              \
    {                                                                                                                  \
        unsigned scc = w->scc;                                                                                         \
        L_##D r = CALL;                                                                                                \
        OP_PUT_##D(r);                                                                                                 \
        w->scc = (uint8_t)scc;                                                                                         \
        NEXT_OP;                                                                                                       \
    }
#define SHANDLER_SCC_(NAME, CALL)                                                                                      \
    static void NAME##_op(HANDLER_PARAMS)                                                                              \
    {                                                                                                                  \
        w->scc = CALL != 0;                                                                                            \
        NEXT_OP;                                                                                                       \
    }
#define S1_(NAME, CLS, D, A, FLAGS, IMPL, ...)                                                                         \
    SBODY_(NAME, D, L_##A a, SPARAMS_);                                                                                \
    SEXEC_(NAME, D, NAME##_body(SGET_##A(w, i, 1), &scc, w))                                                           \
    SHANDLER_(NAME, D, NAME##_body(OP_GET_##A(0), &scc, w))                                                            \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_WIDE, FLAGS, IMPL).exec = NAME##_exec, .steady = true, .direct = NAME##_op,               \
                                          .args = {{SL_SDST, T_##D, A_WR | A_SGPR}, {SL_SRC0, T_##A, A_RD}},           \
                                          ROW_TAIL_(NAME) SBODY_(NAME, D, L_##A a, SPARAMS_)
#define S1(NAME, CLS, D, A, ...)     S1_(NAME, CLS, D, A, 0, 0, __VA_ARGS__)
#define S1_SCC(NAME, CLS, D, A, ...) S1_(NAME, CLS, D, A, 0, IMP_W_SCC, __VA_ARGS__)
#define S2_(NAME, CLS, D, A, B, FLAGS, IMPL, ...)                                                                      \
    SBODY_(NAME, D, L_##A a, L_##B b, SPARAMS_);                                                                       \
    SEXEC_(NAME, D, NAME##_body(SGET_##A(w, i, 1), SGET_##B(w, i, 2), &scc, w))                                        \
    SHANDLER_(NAME, D, NAME##_body(OP_GET_##A(0), OP_GET_##B(1), &scc, w))                                             \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_WIDE, FLAGS, IMPL).exec = NAME##_exec, .steady = true, .direct = NAME##_op,               \
                                          .args = {{SL_SDST, T_##D, A_WR | A_SGPR},                                    \
                                                   {SL_SRC0, T_##A, A_RD},                                             \
                                                   {SL_SRC1, T_##B, A_RD}},                                            \
                                          ROW_TAIL_(NAME) SBODY_(NAME, D, L_##A a, L_##B b, SPARAMS_)
#define S2(NAME, CLS, D, A, B, ...)       S2_(NAME, CLS, D, A, B, 0, 0, __VA_ARGS__)
#define S2_SCC(NAME, CLS, D, A, B, ...)   S2_(NAME, CLS, D, A, B, 0, IMP_W_SCC, __VA_ARGS__)
#define S2_RSCC(NAME, CLS, D, A, B, ...)  S2_(NAME, CLS, D, A, B, 0, IMP_R_SCC, __VA_ARGS__)
#define S2_RWSCC(NAME, CLS, D, A, B, ...) S2_(NAME, CLS, D, A, B, 0, IMP_R_SCC | IMP_W_SCC, __VA_ARGS__)

/* scalar compare: the returned truth goes to SCC */
#define SC(NAME, CLS, A, B, ...)                                                                                       \
    static inline __attribute__((always_inline)) unsigned NAME##_body(L_##A a, L_##B b);                               \
    static int NAME##_exec(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env,                    \
                           struct isa_effects *fx)                                                                     \
    {                                                                                                                  \
        (void)env, (void)fx;                                                                                           \
        w->scc = NAME##_body(SGET_##A(w, i, 0), SGET_##B(w, i, 1)) != 0;                                               \
        return ISA_OK;                                                                                                 \
    }                                                                                                                  \
    SHANDLER_SCC_(NAME, NAME##_body(OP_GET_##A(0), OP_GET_##B(1)))                                                     \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_WIDE, 0, IMP_W_SCC).exec = NAME##_exec, .steady = true, .direct = NAME##_op,              \
                                      .args = {{SL_SRC0, T_##A, A_RD}, {SL_SRC1, T_##B, A_RD}},                        \
                                      ROW_TAIL_(NAME) static inline                                                    \
        __attribute__((always_inline)) unsigned NAME##_body(L_##A a, L_##B b)

/* SOPK: sdst and a 16-bit immediate; `old` is sdst's old value, k the immediate as encoded (sign-extend or not is
 * the body's meaning). READS: A_RD when the old value matters. */
#define SK_(NAME, CLS, D, DFLAGS, IMPL, ...)                                                                           \
    SBODY_(NAME, D, L_##D old __attribute__((unused)), uint16_t k, SPARAMS_);                                          \
    SEXEC_(NAME, D, NAME##_body(SGET_##D(w, i, 0), (uint16_t)i->offset, &scc, w))                                      \
    SHANDLER_(NAME, D, NAME##_body(OP_GET_##D(0), (uint16_t)op->i->offset, &scc, w))                                   \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_WIDE, 0, IMPL).exec = NAME##_exec, .steady = true, .direct = NAME##_op,                   \
                                      .args = {{SL_SDST, T_##D, DFLAGS | A_SGPR}, {SL_SIMM, T_SIMM16, 0}},             \
                                      ROW_TAIL_(NAME)                                                                  \
                                          SBODY_(NAME, D, L_##D old __attribute__((unused)), uint16_t k, SPARAMS_)
/* compare sdst (a source here) with the immediate */
#define SKC(NAME, CLS, D, ...)                                                                                         \
    static inline __attribute__((always_inline)) unsigned NAME##_body(L_##D a, uint16_t k);                            \
    static int NAME##_exec(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env,                    \
                           struct isa_effects *fx)                                                                     \
    {                                                                                                                  \
        (void)env, (void)fx;                                                                                           \
        w->scc = NAME##_body(SGET_##D(w, i, 0), (uint16_t)i->offset) != 0;                                             \
        return ISA_OK;                                                                                                 \
    }                                                                                                                  \
    SHANDLER_SCC_(NAME, NAME##_body(OP_GET_##D(0), (uint16_t)op->i->offset))                                           \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_WIDE, 0, IMP_W_SCC).exec = NAME##_exec, .steady = true, .direct = NAME##_op,              \
                                      .args = {{SL_SDST, T_##D, A_RD | A_SGPR}, {SL_SIMM, T_SIMM16, 0}},               \
                                      ROW_TAIL_(NAME) static inline                                                    \
        __attribute__((always_inline)) unsigned NAME##_body(L_##D a, uint16_t k)

/* --- wide ------------------------------------------------------------------------------------------------------- */

#define WPARAMS_                                                                                                       \
    struct isa_wave *w __attribute__((unused)), const struct isa_inst *i __attribute__((unused)),                      \
        const struct isa_env *env __attribute__((unused)), struct isa_effects *fx __attribute__((unused))
#define W(NAME, CLS, FLAGS, IMPL, ARGLIST, ...)                                                                        \
    static int NAME##_exec(WPARAMS_);                                                                                  \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_WIDE, FLAGS, IMPL).exec = NAME##_exec, .args = {ARGLIST},                                 \
                                          ROW_TAIL_(NAME) static int NAME##_exec(WPARAMS_)

/* A row that only the decoder and the disassembler know: running it is a "not supported" fault. */
#define NOT_EXECUTED(NAME, CLS, FLAGS, IMPL, ARGLIST, ...)                                                             \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_WIDE, FLAGS, IMPL).exec = 0, .args = {ARGLIST}, ROW_TAIL_(NAME)

/* --- names of the commonest shapes ------------------------------------------------------------------------------ */
#define V_F32_F32(N, C, ...)       V1(N, C, F32, F32, 0, __VA_ARGS__)
#define V_F32_F32F32(N, C, ...)    V2(N, C, F32, F32, F32, 0, __VA_ARGS__)
#define V_F32_F32F32F32(N, C, ...) V3(N, C, F32, F32, F32, F32, 0, __VA_ARGS__)
#define V_B32_B32B32(N, C, ...)    V2(N, C, B32, B32, B32, 0, __VA_ARGS__)
#define V_U32_U32U32(N, C, ...)    V2(N, C, U32, U32, U32, 0, __VA_ARGS__)
#define V_I32_I32I32(N, C, ...)    V2(N, C, I32, I32, I32, 0, __VA_ARGS__)
#define V_U32_U32U32U32(N, C, ...) V3(N, C, U32, U32, U32, U32, 0, __VA_ARGS__)
#define V_B32_B32B32B32(N, C, ...) V3(N, C, B32, B32, B32, B32, 0, __VA_ARGS__)
#define V_F64_F64F64(N, C, ...)    V2(N, C, F64, F64, F64, RF_NO_SDWA, __VA_ARGS__)

#endif
