/* Which loads of LDS wait for another wave: compilers make a plain ds_read of an atomic load, so that nothing but the
 * loop around it distinguishes a flag that is polled from data.
 *
 * A load spins when a later branch goes back to it or before it, the loop between changes no memory but
 * scratch and meets no barrier or call, its address stays the same in the loop, and whether the loop ends depends on
 * what it loads. A compiler moves any other such load out of the loop. So does the same
 * load before such a loop: compilers look once before they begin it. A flat load with a scope wider than the wave
 * is atomic, with or without a loop.
 */
#ifndef GCNSIM_ENGINE_SPIN_LOOPS_H
#define GCNSIM_ENGINE_SPIN_LOOPS_H

#include "isa/isa.h"

/* Whether the instruction at pc is such a load; lanes: of a wave. False for anything else. */
bool engine_spins(const struct isa_target *t, struct isa_program *p, gaddr_t pc, unsigned lanes);

#endif
