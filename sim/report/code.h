/* The code of a run: every instruction of the functions that waves have come to, the never executed ones too, with its
 * source and counts, and the loops that it lies in.
 *
 * Functions are those of the symbol table that a wave has come to; code without a symbol is what can be reached from
 * where a wave was, by branches. Loops are natural loops: a branch back to an instruction that stands before it on
 * every way, and all that lies between. Code that jumps into the middle of a loop has none there.
 *
 * How often a loop is entered follows from the counts of executions: what flows into a block flows out of it. Where
 * that does not decide it, as in a run that ended early, it is said to be unknown.
 *
 * Sums over all instructions are those of the run's statistics: a report's make is asserted to keep that.
 */
#ifndef GCNSIM_REPORT_CODE_H
#define GCNSIM_REPORT_CODE_H

#include "sim/report/maker.h"

#define REPORT_NONE      UINT32_MAX
#define REPORT_MAX_INSTS (1u << 20) /* of functions that waves came to; more are left out, unless executed */

struct report_code_inst {
    uint64_t pc, pc_offset;
    const char *text;
    const uint64_t *stat;             /* enum stat_memory_inst, enum stat_inst; zeros when no wave has come to it */
    const struct report_frame *frame; /* innermost first */
    uint32_t frames;
    uint32_t function, loop; /* index; loop: the innermost, REPORT_NONE: none */
    uint32_t target;         /* instruction that it branches to; REPORT_NONE: none */
    bool reached;            /* a wave has come to it */
};

struct report_function {
    const char *name, *plain; /* symbol, and as people write it; "" when it has none */
    uint32_t first, count;    /* instructions */
    bool kernel;              /* the dispatch began here */
};

struct report_loop {
    uint32_t function, parent, depth; /* parent: REPORT_NONE of the outermost, whose depth is 1 */
    uint32_t header, first, last;     /* instructions: where it is entered; its first and last by address */
    const char *file;                 /* of the lowest line of the function in it; null: not known */
    uint32_t line;
    uint64_t iterations; /* executions of the header */
    bool entries_known;
    uint64_t entries;
};

struct report_code {
    struct report_code_inst *inst; /* by pc */
    struct report_function *function;
    struct report_loop *loop; /* by header */
    size_t insts, functions, loops;
    bool until_result; /* thread traces of the target's hardware count an instruction's own time until its result is
                        * there (gfx10 and later), else until the end of its issue */
};

/* For a run that counted per instruction; null when the maker has no memory, which it notes. */
struct report_code *report_code_make(struct report_maker *m, const struct report *r);

/* Cycles of an instruction: all reasons, those in which it issued included. */
uint64_t report_inst_cycles(const uint64_t *stat);
/* The largest of its stall reasons, `issued` aside; STALL_COUNT: it never waited. */
unsigned report_inst_stall(const uint64_t *stat);

#endif
