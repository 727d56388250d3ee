/* Instructions that `gcnsim isa list` may not call tested.
 *
 * Every instruction that is executed counts as tested, in every form, on every node of the target tree, except for what
 * stands here. tests/closing/test_tested.c holds that against the records of what the tests of isa/ ran in the same
 * `make test`, and fails when something neither ran nor stands here. Taking a line out is the aim; putting one in needs
 * a reason beside it. X(NODE, row, FORM), the row by its own name, not by a target's mnemonic for it.
 */
#ifndef GCNSIM_ISA_UNTESTED_H
#define GCNSIM_ISA_UNTESTED_H

#define ISA_UNTESTED(X)

/* Not executed on purpose, and not recognised by format or flags: X(row, what it needs). */
/* clang-format off */
#define ISA_BEYOND(X)                                                                                                  \
    X(ds_bvh_stack_rtn_b32, "images")           /* the traversal stack of rays */                                      \
    X(global_atomic_ordered_add_b64, "gds")     /* the order of primitive waves */
/* clang-format on */

#endif
