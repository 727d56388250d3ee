/* What agents report of a chip and no simulation depends on: sizes and names of a card, which profiles do not hold. */
#ifndef GCNSIM_HSA_CHIPS_H
#define GCNSIM_HSA_CHIPS_H

#include <stdint.h>

struct chip {
    const char *profile; /* name of the built-in profile; of others the first with the same target is taken */
    uint32_t device_id;  /* PCI */
    uint32_t memory_gib;
    uint32_t memory_bus_bits, memory_clock_mhz;
    uint32_t revision;
    int apu; /* its memory is the host's */
};

/* The chip of a profile, or of one of its target; never null. */
const struct chip *chip_of(const char *profile, const char *target);

/* The features that a target's names carry, as LLVM's target ids have them: ":sramecc+:xnack-", "". */
const char *chip_features(const char *target);

#endif
