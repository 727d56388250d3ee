/* The stall reasons of stall.h as tables: their keys, what they mean, what helps against each, and what they are. */
#include "sim/engine/timing/cu/stall.h"

#include <stddef.h>

#include "sim/engine/timing/cu/port_kinds.h"

#define KEY_OF(E, KEY, CATEGORY, CAUSE, TIME, AFTER, TO, MARK, FIGURES, MEANING, REMEDY) [STALL_##E] = KEY,
#define KEY_OF_WAIT(E, KEY, CATEGORY, CAUSE, TIME, AFTER, TO, MARK, FIGURES, MEANING, REMEDY)                          \
    [STALL_WAIT + WAIT_##E] = KEY,
#define MEANING_OF(E, KEY, CATEGORY, CAUSE, TIME, AFTER, TO, MARK, FIGURES, MEANING, REMEDY) [STALL_##E] = (MEANING),
#define MEANING_OF_WAIT(E, KEY, CATEGORY, CAUSE, TIME, AFTER, TO, MARK, FIGURES, MEANING, REMEDY)                      \
    [STALL_WAIT + WAIT_##E] = (MEANING),
#define REMEDY_OF(E, KEY, CATEGORY, CAUSE, TIME, AFTER, TO, MARK, FIGURES, MEANING, REMEDY) [STALL_##E] = REMEDY,
#define REMEDY_OF_WAIT(E, KEY, CATEGORY, CAUSE, TIME, AFTER, TO, MARK, FIGURES, MEANING, REMEDY)                       \
    [STALL_WAIT + WAIT_##E] = REMEDY,

const char *const timing_stall_key[STALL_COUNT] = {TIMING_STALLS(KEY_OF) TIMING_WAIT_STALLS(KEY_OF_WAIT)};
const char *const timing_stall_meaning[STALL_COUNT] = {TIMING_STALLS(MEANING_OF) TIMING_WAIT_STALLS(MEANING_OF_WAIT)};
const char *const timing_stall_remedy[STALL_COUNT] = {TIMING_STALLS(REMEDY_OF) TIMING_WAIT_STALLS(REMEDY_OF_WAIT)};

/* The figures of the rows. */
#define F_NOTHING                                                                                                      \
    {                                                                                                                  \
        STALL_FIGURES_NOTHING, 0, NULL                                                                                 \
    }
#define F_ON(PATHS)                                                                                                    \
    {                                                                                                                  \
        STALL_FIGURES_ON, 0, PATHS                                                                                     \
    }
#define F_RESULTS(PORT)                                                                                                \
    {                                                                                                                  \
        STALL_FIGURES_RESULTS, PORT_##PORT, NULL                                                                       \
    }
#define F_BUSY(PORT)                                                                                                   \
    {                                                                                                                  \
        STALL_FIGURES_BUSY, PORT_##PORT, NULL                                                                          \
    }
#define F_LOADS(LEVEL)                                                                                                 \
    {                                                                                                                  \
        STALL_FIGURES_LOADS, LEVEL_##LEVEL, NULL                                                                       \
    }
#define F_STORES                                                                                                       \
    {                                                                                                                  \
        STALL_FIGURES_STORES, 0, NULL                                                                                  \
    }
#define F_LDS                                                                                                          \
    {                                                                                                                  \
        STALL_FIGURES_LDS, 0, NULL                                                                                     \
    }
#define F_LDS_OR_SCALAR                                                                                                \
    {                                                                                                                  \
        STALL_FIGURES_LDS_OR_SCALAR, 0, NULL                                                                           \
    }

#define ROW(CATEGORY, CAUSE, TIME, AFTER, TO, MARK, ...) /* its figures last: their braces hold commas */              \
    {                                                                                                                  \
        STALL_CATEGORY_##CATEGORY, STALL_CAUSE_##CAUSE, STALL_TIME_##TIME, STALL_AFTER_##AFTER, STALL_TO_##TO,         \
            STALL_MARK_##MARK, __VA_ARGS__                                                                             \
    }
#define ROW_OF(E, KEY, CATEGORY, CAUSE, TIME, AFTER, TO, MARK, FIGURES, MEANING, REMEDY)                               \
    [STALL_##E] = ROW(CATEGORY, CAUSE, TIME, AFTER, TO, MARK, FIGURES),
#define ROW_OF_WAIT(E, KEY, CATEGORY, CAUSE, TIME, AFTER, TO, MARK, FIGURES, MEANING, REMEDY)                          \
    [STALL_WAIT + WAIT_##E] = ROW(CATEGORY, CAUSE, TIME, AFTER, TO, MARK, FIGURES),

const struct timing_stall_row timing_stall_row[STALL_COUNT] = {TIMING_STALLS(ROW_OF) TIMING_WAIT_STALLS(ROW_OF_WAIT)};

#define CATEGORY_OF(E, WAITS, NAME, ABOUT) [STALL_CATEGORY_##E] = {WAITS, NAME, ABOUT},
const struct timing_stall_category_row timing_stall_category[STALL_CATEGORIES] = {TIMING_STALL_CATEGORIES(CATEGORY_OF)};
