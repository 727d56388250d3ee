/* Samples of a run: the table of series, and a list of intervals that merges neighbours when it is full. */
#include "sim/engine/samples.h"

#include <stdlib.h>
#include <string.h>

#define ROW(SCOPE, KIND, PREFIX, NAME, UNIT, MEANING)                                                                  \
    {                                                                                                                  \
        .name = PREFIX NAME, .scope = SCOPE, .unit = UNIT, .meaning = MEANING, .kind = SAMPLE_KIND_##KIND              \
    }
#define RUN(P, KIND, E, NAME, UNIT, MEANING)  [SAMPLE_##E] = ROW("run", KIND, "", NAME, UNIT, MEANING),
#define PART(P, KIND, E, NAME, UNIT, MEANING) [SAMPLE_##E] = ROW(P, KIND, P ".", NAME, UNIT, MEANING),
#define CATEGORY(E, KEY, MEANING)                                                                                      \
    [SAMPLE_CATEGORY + OPCAT_##E] = ROW("instructions", SUM, "instructions.", KEY, "wave-instructions", MEANING),
#define STALL(E, KEY, CATEGORY, CAUSE, TIME, AFTER, TO, MARK, FIGURES, MEANING, REMEDY)                                \
    [SAMPLE_STALL + STALL_##E] = ROW("stall_cycles", SUM, "stall_cycles.", KEY, "wave-cycles", "the wave " MEANING),
#define STALL_FOR(E, KEY, CATEGORY, CAUSE, TIME, AFTER, TO, MARK, FIGURES, MEANING, REMEDY)                            \
    [SAMPLE_STALL + STALL_WAIT + WAIT_##E] =                                                                           \
        ROW("stall_cycles", SUM, "stall_cycles.", KEY, "wave-cycles", "the wave " MEANING),

/* clang-format off */
#define LEVEL_ROW(P, KIND, E, NAME, UNIT, MEANING) ROW("cache." P, KIND, "cache." P ".", NAME, UNIT, MEANING),
#define LEVEL(E, KEY, ABOUT) SAMPLES_CACHE(LEVEL_ROW, KEY)

const struct sample_row sample_row[SAMPLES] = {
    SAMPLES_WAVES(RUN, )
    OP_CATEGORIES(CATEGORY)
    TIMING_STALLS(STALL)
    TIMING_WAIT_STALLS(STALL_FOR)
    SAMPLES_LDS(PART, "lds")
    [SAMPLE_CACHES] = CACHE_LEVELS(LEVEL) /* all levels, in the order of their numbers */
    SAMPLES_QUEUES(PART, "queues")
    SAMPLES_DRAM(PART, "dram")
    SAMPLES_FABRIC(PART, "fabric")
};
/* clang-format on */

struct engine_samples *engine_samples_new(uint64_t interval_cycles)
{
    struct engine_samples *s = calloc(1, sizeof *s);

    if (s)
        s->interval_cycles = interval_cycles;
    return s;
}

void engine_samples_free(struct engine_samples *s)
{
    if (!s)
        return;
    free(s->value);
    free(s);
}

uint64_t engine_samples_cycles(const struct engine_samples *s, size_t n)
{
    if (n + 1 == s->count)
        return s->last_cycles;
    return n ? s->interval_cycles : s->first_cycles;
}

/* An even number of them is halved. */
static void merge(struct engine_samples *s)
{
    uint64_t first = s->first_cycles + engine_samples_cycles(s, 1);

    s->last_cycles += engine_samples_cycles(s, s->count - 2);
    for (size_t n = 0; n < s->count / 2; n++)
        for (unsigned k = 0; k < SAMPLES; k++)
            s->value[n][k] = s->value[2 * n][k] + s->value[2 * n + 1][k];
    s->count /= 2;
    s->first_cycles = first;
    s->interval_cycles *= 2;
}

bool engine_samples_add(struct engine_samples *s, uint64_t cycles, const uint64_t value[SAMPLES])
{
    if (s->count == s->room) {
        size_t room = s->room ? 2 * s->room : 64;
        uint64_t(*more)[SAMPLES] = realloc(s->value, room * sizeof *more);

        if (!more)
            return false;
        s->value = more;
        s->room = room;
    }
    memcpy(s->value[s->count], value, sizeof *s->value);
    if (!s->count)
        s->first_cycles = cycles;
    s->last_cycles = cycles;
    if (++s->count == ENGINE_SAMPLES)
        merge(s);
    return true;
}
