/* A recording that a run follows: waves start where and when it says, and their memory waits end when it says.
 *
 * It serves to measure the rest of the engine against thread traces of hardware (tests/timing/replay): with starts and
 * memory as recorded, every other distance between two issues is the engine's own. The script replaces the dispatcher:
 * all of its waves go to the first compute unit (WGP) of the run.
 *
 * The n-th instruction that waits for memory counters issues in the n-th recorded cycle, or as soon as the wave gets
 * there when it is late, whatever is outstanding. With a path the wave goes from pc to pc as recorded, whatever the
 * program does, and an instruction that cannot be executed (code that holds illegal opcodes) only takes its time.
 *
 * The caller owns everything; nothing is copied, so it must last as long as the run.
 */
#ifndef GCNSIM_ENGINE_TIMING_SCRIPT_H
#define GCNSIM_ENGINE_TIMING_SCRIPT_H

#include "sim/engine/timing/cu/cu.h"

struct timing_script_wave {
    cycle_t start;           /* it is placed in this cycle, or when its SIMD has a slot again */
    cycle_t first;           /* its first instruction issues in this cycle; 0: when the launch lets it. Its first
                              * blocks have been fetched by then */
    bool first_ends;         /* `first` is when that instruction, an s_sleep, is over */
    uint64_t group;          /* workgroup, in the order of the launch */
    uint32_t number;         /* in the workgroup */
    uint32_t simd;           /* of the compute unit */
    const cycle_t *wait_end; /* null: waits for memory are the engine's own */
    uint32_t wait_count;
    const gaddr_t *path; /* null: the program runs */
    uint32_t path_count;
};

struct timing_script {
    const struct timing_script_wave *wave; /* by rising start */
    uint32_t count;
    bool code_known; /* the page of the code has been walked for: waves have their first instructions when they say */
};

struct script_player {
    const struct timing_script *script;
    uint32_t next;    /* all before it have been placed */
    uint64_t *placed; /* a bit each */
};

/* False when out of host memory. script: null for none. */
bool script_player_init(struct script_player *p, const struct timing_script *script, struct arena *arena);
/* Places what is due; returns the next cycle with work (never: waits for a slot). *no_memory: no room for a wave. */
cycle_t script_player_tick(struct script_player *p, struct cu *c, struct cu_dispatch *d, struct arena *arena,
                           cycle_t now, bool *no_memory);

#endif
