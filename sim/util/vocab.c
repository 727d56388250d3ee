/* The printed names of the shared vocabulary: instruction classes, wait counters, cache levels. */
#include "sim/util/vocab.h"

const char *const op_class_key[OPC_COUNT] = {
#define X(E, KEY, CAT, KIND, PATH) [OPC_##E] = KEY,
    OP_CLASSES(X)
#undef X
};

const enum op_category op_class_category[OPC_COUNT] = {
#define X(E, KEY, CAT, KIND, PATH) [OPC_##E] = OPCAT_##CAT,
    OP_CLASSES(X)
#undef X
};

const uint8_t op_class_kind[OPC_COUNT] = {
#define X(E, KEY, CAT, KIND, PATH) [OPC_##E] = OPK_##KIND + (OPK_##KIND == OPK_OTHER ? OPCAT_##CAT : 0),
    OP_CLASSES(X)
#undef X
};

const uint8_t op_class_path[OPC_COUNT] = {
#define X(E, KEY, CAT, KIND, PATH) [OPC_##E] = OP_PATH_##PATH,
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
