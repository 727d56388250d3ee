/* Pools, what is said of pointers, and numbers that look random, for tests of memory. */
#ifndef TESTS_UNIT_HSA_MEMORY_FIXTURE_H
#define TESTS_UNIT_HSA_MEMORY_FIXTURE_H

#include "tests/unit/hsa/code_fixture.h"

#include "sim/hsa/memory/memory.h"

static inline struct pool *pool(hsa_agent_t agent, int kind)
{
    return &agent_of(agent)->pool[kind];
}

static inline hsa_amd_memory_pool_t handle(hsa_agent_t agent, int kind)
{
    return (hsa_amd_memory_pool_t){pool_handle(pool(agent, kind))};
}

static inline hsa_amd_pointer_info_t info_of(const void *p)
{
    hsa_amd_pointer_info_t info = {.size = sizeof info};

    assert_int_equal(hsa_amd_pointer_info(p, &info, NULL, NULL, NULL), 0);
    return info;
}

static inline uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

#endif
