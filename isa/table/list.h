/* The instructions of a target, one entry each: what `gcnsim isa list` shows. Twins (VOP3, SDWA, DPP) are forms of an
 * entry, not entries; a dual-issue component is an entry of its own. */
#ifndef GCNSIM_ISA_LIST_H
#define GCNSIM_ISA_LIST_H

#include "isa/isa.h"

struct isa_listing {
    const struct isa_op *op;
    enum isa_format format;
    unsigned opcode;
    uint32_t forms;  /* bit per enum isa_form that exists; FORM_E32 stands for the format's own encoding */
    bool executed;   /* false: known to the decoder alone */
    uint32_t tested; /* of the forms: those that a test runs, knowing the result (isa/table/untested.h) */
    /* Why it is not executed: "images" (samplers and rays too), "export" (interpolation too), "gds"; null where it is,
     * or should be. */
    const char *beyond;
};

/* The index-th instruction, in order of format and opcode. False past the end. */
bool isa_list_at(const struct isa_target *t, unsigned index, struct isa_listing *out);

/* The index-th encoding of a row on the target; false past the last. Most rows have one, some have one as a half of
 * dual issue too. */
bool isa_list_row(const struct isa_target *t, const struct isa_row *row, unsigned index, struct isa_listing *out);

/* Walks all instructions of a target, cheaper than isa_list_at(): *cursor begins as 0. Null at the end. */
const struct isa_op *isa_list_op(const struct isa_target *t, unsigned *cursor);

/* Modifiers in the text of an instruction, beside its operands: X(ENUM, "name") */
/* clang-format off */
#define ISA_MODIFIER_LIST(X)                                                                                           \
    X(NEG, "neg") X(ABS, "abs") X(CLAMP, "clamp") X(OMOD, "omod") X(OP_SEL, "op_sel") X(OP_SEL_HI, "op_sel_hi")        \
    X(NEG_LO, "neg_lo") X(NEG_HI, "neg_hi") X(CBSZ, "cbsz") X(ABID, "abid") X(BLGP, "blgp") X(OFFSET, "offset")        \
    X(GLC, "glc") X(SLC, "slc") X(DLC, "dlc") X(SC0, "sc0") X(SC1, "sc1") X(NT, "nt") X(SCOPE, "scope") X(TH, "th")
/* clang-format on */
enum isa_modifier {
#define X(E, NAME) ISA_MOD_##E,
    ISA_MODIFIER_LIST(X)
#undef X
        ISA_MODIFIERS
};
extern const char *const isa_modifier_name[ISA_MODIFIERS];

/* Modifiers that are legal on the widest form of an instruction (e64; its one form where it has no other), a bit per
 * enum isa_modifier. Those of SDWA and DPP words are the form itself. */
uint32_t isa_list_modifiers(const struct isa_target *t, const struct isa_listing *l);

/* Wait counters it raises, a bit per enum wait_counter; returning: an atomic that asks for the old value. */
uint32_t isa_list_counters(const struct isa_target *t, const struct isa_listing *l, bool returning);

/* The forms that one cell of the tables can be written in; a VOP3 twin has a cell of its own. */
uint32_t isa_list_forms(const struct isa_target *t, enum isa_format format, unsigned opcode);

/* isa_row.ulp in words: "1 ULP", "2^29 ULP", "no bound"; of 0 "exact". */
const char *isa_bound_text(float ulp, char out[24]);
/* The same in a sentence: "1 ULP"; as a relative error, "a relative error of 2^-23", where the result is a double that
 * is a first approximation alone and units in its last place mean nothing. */
const char *isa_bound_words(float ulp, char out[40]);
/* Whether it is such a first approximation. */
bool isa_bound_is_coarse(float ulp);

extern const char *const isa_type_name[T_COUNT];  /* "F32" */
extern const char *const isa_slot_name[SL_COUNT]; /* "src0" */
extern const char *const isa_form_name[FORM_VOPD + 1];

#endif
