/* Texts and facts about pcs that reports and snapshots keep in arenas of their own: what make.c and snapshot.c share.
 */
#ifndef GCNSIM_REPORT_MAKER_H
#define GCNSIM_REPORT_MAKER_H

#include "sim/report/report.h"

struct report_maker {
    struct arena *arena;
    const struct launch *l;
    const struct report_run *run;
    bool no_memory; /* since it began */

    /* those of the instruction asked for last */
    const struct report_frame *frame;
    const char *frame_raw[CO_MAX_FRAMES];
    uint32_t frames;
};

/* Copies; null when out of host memory, which the maker notes. Null texts stay null. */
void *report_keep_bytes(struct report_maker *m, const void *bytes, size_t size, size_t align);
const char *report_keep(struct report_maker *m, const char *text);
/* The same of a formatted text. */
const char *report_keepf(struct report_maker *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* An array of at least one, zeroed. */
#define REPORT_ARRAY(M, N, T) ((T *)report_keep_array((M), (N), sizeof(T), _Alignof(T)))
void *report_keep_array(struct report_maker *m, size_t n, size_t size, size_t align);

/* Text of the instruction at pc; "" when there is none. */
const char *report_instruction(struct report_maker *m, gaddr_t pc);
struct inst_facts report_inst_facts(const struct report_maker *m, gaddr_t pc);
/* Offset of a pc in the code object; UINT64_MAX for a pc outside it, which a jump through a wild address leads to. */
uint64_t report_offset(const struct report_maker *m, gaddr_t pc);
/* "file:line" of a pc; null when it is not known. */
const char *report_source(struct report_maker *m, gaddr_t pc);
/* Frames of a pc, innermost first (co_lines_frames()), with names as people write them; how many. */
uint32_t report_frames(struct report_maker *m, gaddr_t pc, const struct report_frame **out);
/* Number of a workgroup in x, y and z. */
void report_workgroup(const struct launch *l, uint64_t group, uint32_t out[3]);

#endif
