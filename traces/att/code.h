/* The code of a thread trace: the instructions of every function that a traced wave has come to, in the order in which
 * functions were first come to, with what the waves counted for each.
 *
 * Line numbers are those of ROCm's tool: each function takes one for its name and one for each instruction, counted
 * from 0 on, so that the first instruction of the first function has line 1.
 *
 * Without host memory code is left out; att_code_ok() says.
 */
#ifndef GCNSIM_TRACES_ATT_CODE_H
#define GCNSIM_TRACES_ATT_CODE_H

#include <stdio.h>

#include "traces/writer.h"

struct att_row {
    gaddr_t pc;
    char *text, *source; /* source: "" when none is known */
    uint32_t line, size;
    uint8_t kind; /* enum trace_inst_kind */
    uint16_t raises, out_of_order;
    uint8_t wait[WAIT_COUNT];
    bool waits;
    uint64_t hits, latency, stall, idle;
};

struct att_function {
    gaddr_t entry;
    uint64_t size;
    char *name, *demangled; /* null: instructions that are in no known function, one by one */
    uint32_t line;          /* of the name */
    size_t first, count;    /* rows */
    uint32_t *at;           /* by dword from the entry: row less `first`, plus 1; 0: no instruction begins there */
};

struct att_code {
    const struct trace_job *job;
    struct att_row *row;
    size_t rows, row_room;
    struct att_function *function;
    size_t functions, function_room, last; /* last: found at the last question */
    uint32_t next_line;
    bool no_memory;
};

void att_code_init(struct att_code *c, const struct trace_job *job);
void att_code_free(struct att_code *c);
static inline bool att_code_ok(const struct att_code *c)
{
    return !c->no_memory;
}

/* Number of the row of pc, read with its whole function at the first question; SIZE_MAX: out of host memory. */
size_t att_code_at(struct att_code *c, gaddr_t pc);
/* Address as the viewer shows it. */
uint64_t att_code_vaddr(const struct att_code *c, gaddr_t pc);

/* code.json; the statistics table; all that is read once more are the source files, which copy_sources() copies into
 * `folder` (unless copy is false) and lists in snapshots.json. Non-zero with *e. */
void att_code_json(FILE *f, const struct att_code *c);
void att_code_csv(FILE *f, const struct att_code *c);
int att_code_copy_sources(const struct att_code *c, const char *folder, bool copy, struct err *e);

#endif
