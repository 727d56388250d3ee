/* A dispatch to be replayed, and those of its capture that came before it. */
#ifndef GCNSIM_TESTS_TIMING_REPLAY_KERNEL_H
#define GCNSIM_TESTS_TIMING_REPLAY_KERNEL_H

#include "sim/api/api.h"
#include "sim/engine/engine.h"
#include "sim/launch/dispatch.h"
#include "tests/timing/replay.h"

/* A recorded dispatch, prepared. */
struct replay_dispatch {
    struct gcnsim_module *module;
    struct launch_dispatch dispatch;
    struct co_kernel kernel;
    gaddr_t entry;
    struct engine_options options;
    bool prepared;
};

struct replay_kernel {
    struct gcnsim *sim;
    struct replay_dispatch own, before[REPLAY_MAX_BEFORE];
    size_t befores;
    bool maps; /* the driver has mapped memory between two dispatches */
};

/* A device as the dispatches before have left it; null with *e. */
struct engine_device *replay_device(struct replay_kernel *k, struct err *e);

#endif
