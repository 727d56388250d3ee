/* AMD's barrier packet that compares a signal's value, under a mask, as programs write it. */
#ifndef GCNSIM_TESTS_UNIT_HSA_BARRIER_VALUE_H
#define GCNSIM_TESTS_UNIT_HSA_BARRIER_VALUE_H

#include <hsa/hsa.h>

enum { FORMAT_ON_VALUE = 2 };

struct on_value {
    uint16_t header;
    uint8_t format, reserved0;
    uint32_t reserved1;
    hsa_signal_t signal;
    hsa_signal_value_t value, mask;
    uint32_t condition, reserved2;
    uint64_t reserved3, reserved4;
    hsa_signal_t completion;
};

#endif
