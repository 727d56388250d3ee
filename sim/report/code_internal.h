/* Private to sim/report: what code_make.c finds out about instructions on the way, for loops.c. */
#ifndef GCNSIM_REPORT_CODE_INTERNAL_H
#define GCNSIM_REPORT_CODE_INTERNAL_H

#include "sim/report/code.h"

#include <assert.h>

struct code_place {
    gaddr_t pc, target;
    uint32_t function;
    uint8_t flow, size; /* enum isa_flow; bytes */
};

struct code_maker {
    struct report_maker *m;
    struct report_code *code;
    struct code_place *place; /* by pc; of the same index as code->inst */
    size_t count, room;
    uint8_t *seen; /* a bit for each word of the code from its first on */
    size_t seen_bytes;
};

/* Loops of all functions, when code->inst is filled. */
void report_find_loops(struct code_maker *c);

#endif
