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

/* The forms that one cell of the tables can be written in; a VOP3 twin has a cell of its own. */
uint32_t isa_list_forms(const struct isa_target *t, enum isa_format format, unsigned opcode);

extern const char *const isa_type_name[T_COUNT];  /* "F32" */
extern const char *const isa_slot_name[SL_COUNT]; /* "src0" */
extern const char *const isa_form_name[FORM_VOPD + 1];

#endif
