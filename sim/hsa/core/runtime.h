/* The runtime of this process: its life, and its agents.
 *
 * There is one runtime in a process, as the interface has it: hsa_init() counts up, hsa_shut_down() down. Its objects
 * stay until the process ends, because language runtimes call in from their static destructors. rt_ready() says whether
 * calls are allowed: not before hsa_init(), not after the last hsa_shut_down(), not in a forked child.
 *
 * Locks: each table has its own, held for the table's own operations alone. No lock is held while a kernel runs, a
 * callback is called or a thread waits.
 */
#ifndef GCNSIM_HSA_RUNTIME_H
#define GCNSIM_HSA_RUNTIME_H

#include "sim/api/gcnsim.h"
#include "sim/hsa/core/abi.h"
#include "sim/hsa/core/log.h"
#include "sim/options/exec.h"

struct device; /* device.h */

enum { POOL_FINE, POOL_KERNARG, POOL_COARSE, POOL_GROUP, POOLS }; /* in the order in which they are iterated */

/* A memory pool, and the region of HSA 1.0 that shows the same memory. */
struct pool {
    struct agent *agent;
    int kind;
    bool present;
    uint64_t bytes;     /* LDS of a workgroup, for POOL_GROUP */
    uint64_t allocated; /* by all that was allocated and not freed; atomic */
};

struct agent {
    hsa_device_type_t type;
    uint32_t index; /* among all agents: 0 is the CPU */
    char name[64];  /* "gfx90a"; of the CPU the host's */
    char product[128];
    char isa[96]; /* "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"; "" on the CPU */
    struct pool pool[POOLS];
    struct device *device; /* null on the CPU */
    bool hidden;           /* from hsa_iterate_agents: the language runtime does not know such a GPU */
};

struct runtime {
    struct exec_options options;
    struct agent *agent;
    uint32_t agents;
};

/* Whether the interface may be used, and the runtime if so; null otherwise. */
struct runtime *rt_ready(void);
/* The runtime also after the last hsa_shut_down(); null before the first hsa_init(). */
struct runtime *rt_any(void);

/* What these go by. Only hsa_init(), hsa_shut_down() and what they call (init.c) change it. */
struct runtime_life {
    struct runtime runtime;
    uint32_t references; /* atomic */
    bool made;           /* all that the runtime needs is there, and stays */
    bool child;          /* of a fork: without the threads of its parent */
};
extern struct runtime_life runtime_life;

/* The agent, pool or region of a handle; null: it is none. */
struct agent *agent_of(hsa_agent_t a);
hsa_agent_t agent_handle(const struct agent *a);
struct pool *pool_of(uint64_t handle);
uint64_t pool_handle(const struct pool *p);

/* What an entry of the interface begins with: the runtime, where it is used, or that there is one. */
#define RT_READY_OR_RETURN()                                                                                           \
    if (!rt_ready())                                                                                                   \
    return HSA_STATUS_ERROR_NOT_INITIALIZED
#define RT_OR_RETURN(r)                                                                                                \
    struct runtime *r = rt_ready();                                                                                    \
    if (!r)                                                                                                            \
    return HSA_STATUS_ERROR_NOT_INITIALIZED

#endif
