/* The statistics table as data: the rows of stats.h prefixed by the names of their scopes. */
#include "sim/engine/stats.h"

#include <string.h>

#define ROW(SCOPE, KIND, PREFIX, NAME, UNIT, MEANING)                                                                  \
    {                                                                                                                  \
        .name = PREFIX NAME, .scope = SCOPE, .unit = UNIT, .meaning = MEANING, .kind = STAT_KIND_##KIND                \
    }
#define RUN(P, KIND, E, NAME, UNIT, MEANING)  [STAT_##E] = ROW("run", KIND, "", NAME, UNIT, MEANING),
#define PART(P, KIND, E, NAME, UNIT, MEANING) [STAT_##E] = ROW(P, KIND, P ".", NAME, UNIT, MEANING),
#define CATEGORY(E, KEY, MEANING)                                                                                      \
    [STAT_CATEGORY + OPCAT_##E] = ROW("instructions", COUNT, "instructions.", KEY, "wave-instructions", MEANING),
#define KIND(E, CAT, KEY, MEANING)                                                                                     \
    [STAT_KIND + OPK_##E] = ROW("kinds", DETAIL, "kinds.", KEY, "wave-instructions", MEANING),
#define STALL(E, KEY, CATEGORY, CAUSE, TIME, AFTER, TO, MARK, FIGURES, MEANING, REMEDY)                                \
    [STAT_STALL + STALL_##E] = ROW("stall_cycles", COUNT, "stall_cycles.", KEY, "wave-cycles", "the wave " MEANING),
#define STALL_FOR(E, KEY, CATEGORY, CAUSE, TIME, AFTER, TO, MARK, FIGURES, MEANING, REMEDY)                            \
    [STAT_STALL + STALL_WAIT + WAIT_##E] =                                                                             \
        ROW("stall_cycles", COUNT, "stall_cycles.", KEY, "wave-cycles", "the wave " MEANING),

/* clang-format off */
#define LEVEL_ROW(P, KIND, E, NAME, UNIT, MEANING) ROW("cache." P, KIND, "cache." P ".", NAME, UNIT, MEANING),
#define LEVEL(E, KEY, ABOUT) STATS_CACHE(LEVEL_ROW, KEY)

const struct stat_row stat_row[STATS] = {
    STATS_RUN(RUN, )
    STATS_DISPATCH(PART, "dispatch")
    STATS_INSTRUCTIONS(PART, "instructions")
    OP_CATEGORIES(CATEGORY)
    OP_KINDS(KIND)
    TIMING_STALLS(STALL)
    TIMING_WAIT_STALLS(STALL_FOR)
    STATS_LAUNCHED(PART, "launched")
    STATS_UNITS(PART, "units")
    STATS_PEAK(PART, "peak")
    STATS_WORK(PART, "work")
    STATS_OPS(PART, "work")
    STATS_LDS(PART, "lds")
    [STAT_CACHES] = CACHE_LEVELS(LEVEL) /* all levels, in the order of their numbers */
    STATS_DRAM(PART, "dram")
    STATS_FABRIC(PART, "fabric")
    STATS_TRANSLATION(PART, "translation")
};

#define INST(P, E, NAME, UNIT, MEANING) [STAT_INST_##E] = ROW("memory_instructions", COUNT, "", NAME, UNIT, MEANING),
const struct stat_row stat_memory_inst_row[STAT_INST_ROWS] = {STATS_MEMORY_INST(INST, )};

#define ANY(P, E, NAME, UNIT, MEANING) [STAT_INST_##E] = ROW("instruction", COUNT, "", NAME, UNIT, MEANING),
#define REASON(E, KEY, CATEGORY, CAUSE, TIME, AFTER, TO, MARK, FIGURES, MEANING, REMEDY)  \
    [STAT_INST_STALL + STALL_##E] = ROW("instruction", COUNT, "cycles.", KEY, "wave-cycles", "the wave " MEANING),
#define REASON_FOR(E, KEY, CATEGORY, CAUSE, TIME, AFTER, TO, MARK, FIGURES, MEANING, REMEDY)  \
    [STAT_INST_STALL + STALL_WAIT + WAIT_##E] =                                                                        \
        ROW("instruction", COUNT, "cycles.", KEY, "wave-cycles", "the wave " MEANING),
#define ANSWERED(E, KEY, ABOUT)                                                                                        \
    [STAT_INST_ANSWERED + LEVEL_##E] =                                                                                 \
        ROW("instruction", COUNT, "answered.", KEY, "requests", "line requests that " ABOUT " has answered"),
const struct stat_row stat_inst_row[STAT_INST_ALL] = {
    STATS_MEMORY_INST(ANY, )
    STATS_INST(ANY, )
    TIMING_STALLS(REASON)
    TIMING_WAIT_STALLS(REASON_FOR)
    CACHE_LEVELS(ANSWERED)
    [STAT_INST_ANSWERED + LEVEL_COUNT] = ROW("instruction", COUNT, "answered.", "memory", "requests",
                                             "line requests that memory has answered"),
};
/* clang-format on */

enum stat stat_of_ops(bool matrix, enum op_type type)
{
    static const uint16_t valu[OP_TYPE_COUNT] = {
        [OPT_F64] = STAT_OPS_VALU_F64, [OPT_F32] = STAT_OPS_VALU_F32,   [OPT_XF32] = STATS,
        [OPT_F16] = STAT_OPS_VALU_F16, [OPT_BF16] = STAT_OPS_VALU_BF16, [OPT_F8] = STAT_OPS_VALU_F8,
        [OPT_I64] = STAT_OPS_VALU_I64, [OPT_I32] = STAT_OPS_VALU_I32,   [OPT_I16] = STAT_OPS_VALU_I16,
        [OPT_I8] = STAT_OPS_VALU_I8,   [OPT_I4] = STAT_OPS_VALU_I4};
    static const uint16_t mat[OP_TYPE_COUNT] = {[OPT_F64] = STAT_OPS_MATRIX_F64,
                                                [OPT_F32] = STAT_OPS_MATRIX_F32,
                                                [OPT_XF32] = STAT_OPS_MATRIX_XF32,
                                                [OPT_F16] = STAT_OPS_MATRIX_F16,
                                                [OPT_BF16] = STAT_OPS_MATRIX_BF16,
                                                [OPT_F8] = STAT_OPS_MATRIX_F8,
                                                [OPT_I64] = STATS,
                                                [OPT_I32] = STATS,
                                                [OPT_I16] = STATS,
                                                [OPT_I8] = STAT_OPS_MATRIX_I8,
                                                [OPT_I4] = STAT_OPS_MATRIX_I4};

    return (enum stat)(matrix ? mat : valu)[type];
}

enum stat stat_find(const char *name)
{
    for (unsigned k = 0; k < STATS; k++)
        if (strcmp(stat_row[k].name, name) == 0)
            return (enum stat)k;
    return STATS;
}
