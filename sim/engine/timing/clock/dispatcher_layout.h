/* Where compute units stand: their numbers, the shader engines and dies that have them, and the sets that share caches.
 *
 * Compute units that share a scalar or instruction cache or a GL1 form a set; a shader engine has whole sets, of which
 * some have fewer compute units where the number does not come out even. Compute units are numbered as if all sets
 * were full, and sets are dealt to the engines in turn, so that the caches of compute unit n are those of set
 * n / dispatcher_share(); numbers without a compute unit get no workgroup.
 */
#ifndef GCNSIM_ENGINE_TIMING_DISPATCHER_LAYOUT_H
#define GCNSIM_ENGINE_TIMING_DISPATCHER_LAYOUT_H

#include "config/profile.h"

/* Numbers of CUs (WGPs on RDNA) worth simulating for so many workgroups: the chip's, or fewer when some would stay
 * empty. */
uint32_t dispatcher_cus(const struct profile *p, uint64_t groups);
/* How many of them share a scalar or instruction cache, or a GL1. */
uint32_t dispatcher_share(const struct profile *p);
/* Whether the chip has a CU (WGP) of this number. */
bool dispatcher_has_cu(const struct profile *p, uint32_t cu);
/* Where the CU (WGP) of a number is: the shader engine, its number among the engine's CUs, and the engine's die. */
struct dispatcher_place {
    uint32_t engine, number, die;
};
struct dispatcher_place dispatcher_place(const struct profile *p, uint32_t cu);
/* One more than the highest number of a CU (WGP) of the chip. */
uint32_t dispatcher_numbers(const struct profile *p);

#endif
