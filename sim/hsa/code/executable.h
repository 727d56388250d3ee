/* Executables. One's lock is held for its own tables alone, and while an image is written with their addresses. An
 * entry that a call has taken out of the tables is valid while it has a reference to the executable.
 */
#ifndef GCNSIM_HSA_EXECUTABLE_H
#define GCNSIM_HSA_EXECUTABLE_H

#include <pthread.h>

#include "sim/hsa/code/symbols.h"
#include "sim/hsa/core/handles.h"

struct executable {
    struct object object;
    hsa_profile_t profile;
    hsa_default_float_rounding_mode_t rounding;
    pthread_mutex_t lock; /* of all that follows */
    bool frozen;
    struct loaded **loaded;
    uint32_t loaded_count;
    struct symbols symbols;
};

/* Held until executable_release(); null: the handle is none of an executable, or names a part of one. */
struct executable *executable_hold(hsa_executable_t handle);
/* The executable whose part a handle names. */
struct executable *executable_of_part(uint64_t handle);
void executable_release(struct executable *x);
static inline hsa_executable_t executable_handle(const struct executable *x)
{
    return (hsa_executable_t){x->object.handle};
}

#endif
