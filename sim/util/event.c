/* Names of the event stream's kinds. */
#include "sim/util/event.h"

const char *const event_kind_key[EVENT_KIND_COUNT] = {
#define X(E, KEY, ABOUT) [EVENT_##E] = KEY,
    EVENT_KINDS(X)
#undef X
};
