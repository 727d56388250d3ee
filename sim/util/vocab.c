/* The printed names of the shared vocabulary: instruction classes, wait counters, cache levels. */
#include "sim/util/vocab.h"

const char *const op_class_key[OPC_COUNT] = {
#define X(E, KEY, CAT) [OPC_##E] = KEY,
    OP_CLASSES(X)
#undef X
};

const enum op_category op_class_category[OPC_COUNT] = {
#define X(E, KEY, CAT) [OPC_##E] = OPCAT_##CAT,
    OP_CLASSES(X)
#undef X
};

const char *const op_category_key[OPCAT_COUNT] = {
#define X(E, KEY, ABOUT) [OPCAT_##E] = KEY,
    OP_CATEGORIES(X)
#undef X
};

const char *const wait_counter_key[WAIT_COUNT] = {
#define X(E, KEY) [WAIT_##E] = KEY,
    WAIT_COUNTERS(X)
#undef X
};

const char *const cache_level_key[LEVEL_COUNT] = {
#define X(E, KEY, ABOUT) [LEVEL_##E] = KEY,
    CACHE_LEVELS(X)
#undef X
};
