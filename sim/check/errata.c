/* Rules about what became known after LLVM 19: code of older compilers may break them, and is wrong on the chip. The
 * table of docs/CHECK.md, "Errata", says the same; tests/unit/check/test_errata.c compares the two. */
#include "sim/check/internal.h"

static const struct check_erratum errata[] = {
    {CHECK_READ_SGPR, FEAT_READ_SGPR_HAZARD, 20, "llvm-project 100067, 118750"},
    {CHECK_PARTIAL_VALU, FEAT_HAZARDS_GFX942, 20, "llvm-project 100276, 117844"},
    {CHECK_VALU_VGPR_SWAP, FEAT_HAZARDS_GFX950, 20, "llvm-project 117287"},
    {CHECK_VALU_EXEC_SWAP, FEAT_HAZARDS_GFX950, 20, "llvm-project 117287"},
    {CHECK_MFMA_SRC_C, FEAT_HAZARDS_GFX950, 20, "llvm-project 117262"},
    {CHECK_MFMA_SRC_AB, FEAT_HAZARDS_GFX950, 20, "llvm-project 117262"},
    {CHECK_MFMA_READ, FEAT_HAZARDS_GFX950, 20, "llvm-project 117262"},
    {CHECK_MFMA_WRITE, FEAT_HAZARDS_GFX950, 20, "llvm-project 117262"},
    {CHECK_MASK_VALU_WRITE, FEAT_MASK_WRITE_HAZARD, 21, "llvm-project 138663"},
    {CHECK_STORE_DATA, FEAT_HAZARDS_GFX942, 23, "llvm-project 197267"},
    {CHECK_PK_F32_OP_SEL, FEAT_HAZARDS_GFX950, 23, "rocMLIR 2459"},
};

const struct check_erratum *check_errata(size_t *count)
{
    *count = sizeof errata / sizeof *errata;
    return errata;
}

const struct check_erratum *check_erratum_of(enum check_rule rule, const struct isa_target *t)
{
    for (size_t k = 0; k < sizeof errata / sizeof *errata; k++)
        if (errata[k].rule == rule && isa_has(t, errata[k].chips))
            return &errata[k];
    return NULL;
}
