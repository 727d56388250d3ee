/* The rows of the variant that a file is compiled for. */
#ifndef GCNSIM_ISA_LANES_ROWS_H
#define GCNSIM_ISA_LANES_ROWS_H

#include "isa/lanes/access.h"
#include "isa/table/row.h"

/* *count of them, which stay where they are. Threads may ask at the same time. */
const struct isa_row *LANES_FN(isa_all_rows)(size_t *count);

#endif
