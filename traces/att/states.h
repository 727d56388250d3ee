/* How many waves are in each state, over time: the files wstates0.json to wstates4.json of a thread trace. */
#ifndef GCNSIM_TRACES_ATT_STATES_H
#define GCNSIM_TRACES_ATT_STATES_H

#include "traces/att/wave.h"

struct att_change {
    cycle_t at;
    int64_t by;
};

/* Changes of one state's number of waves, in any order; those of one cycle are added up when room is short. */
struct att_steps {
    struct att_change *at;
    size_t count, room;
    bool no_memory;
};

void att_steps_add(struct att_steps *s, cycle_t from, cycle_t to);
/* Sorts; then writes the file's object. */
void att_steps_json(FILE *f, struct att_steps *s, unsigned state);

#endif
