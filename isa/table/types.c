/* Widths of the operand types of isa/table/row.h. */
#include "isa/table/row.h"

const struct isa_type_info isa_types[T_COUNT] = {
#define X(T, DW, FB, B) [T_##T] = {DW, FB, B},
    ISA_TYPES(X)
#undef X
};
