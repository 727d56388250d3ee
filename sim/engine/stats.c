/* The statistics table as data: the rows of stats.h with the names of their scopes in front. */
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
#define STALL(E, KEY, MEANING, REMEDY)                                                                                 \
    [STAT_STALL + STALL_##E] = ROW("stall_cycles", COUNT, "stall_cycles.", KEY, "wave-cycles", "the wave " MEANING),
#define STALL_FOR(E, KEY, MEANING, REMEDY)                                                                             \
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
    TIMING_STALLS(STALL)
    TIMING_WAIT_STALLS(STALL_FOR)
    STATS_LDS(PART, "lds")
    [STAT_CACHES] = CACHE_LEVELS(LEVEL) /* all levels, in the order of their numbers */
    STATS_DRAM(PART, "dram")
    STATS_FABRIC(PART, "fabric")
    STATS_TRANSLATION(PART, "translation")
};

#define INST(P, E, NAME, UNIT, MEANING) [STAT_INST_##E] = ROW("memory_instructions", COUNT, "", NAME, UNIT, MEANING),
const struct stat_row stat_memory_inst_row[STAT_INST_ROWS] = {STATS_MEMORY_INST(INST, )};
/* clang-format on */

enum stat stat_find(const char *name)
{
    for (unsigned k = 0; k < STATS; k++)
        if (strcmp(stat_row[k].name, name) == 0)
            return (enum stat)k;
    return STATS;
}
