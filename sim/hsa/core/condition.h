/* Conditions on the values of signals. */
#ifndef GCNSIM_HSA_CONDITION_H
#define GCNSIM_HSA_CONDITION_H

#include "sim/hsa/core/abi.h"

/* What somebody waits for a signal to be. */
struct signal_condition {
    hsa_signal_t signal;
    hsa_signal_condition_t condition;
    hsa_signal_value_t compare, mask; /* mask: the bits of the value that are compared */
};

/* Several signals, each with a condition on it. */
struct wait_list {
    uint32_t count;
    const hsa_signal_t *signals;
    const hsa_signal_condition_t *conditions;
    const hsa_signal_value_t *values;
};

static inline bool signal_holds(hsa_signal_condition_t c, hsa_signal_value_t value, hsa_signal_value_t compare)
{
    switch (c) {
    case HSA_SIGNAL_CONDITION_EQ:
        return value == compare;
    case HSA_SIGNAL_CONDITION_NE:
        return value != compare;
    case HSA_SIGNAL_CONDITION_LT:
        return value < compare;
    case HSA_SIGNAL_CONDITION_GTE:
        return value >= compare;
    }
    return true;
}

#endif
