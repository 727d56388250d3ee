/* HSA without a language runtime, as a C program uses it: a sample for each part of the interface, which says whether
 * it does what the HSA runtime specification says. */
#ifndef TESTS_HSA_RAW_H
#define TESTS_HSA_RAW_H

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Ends the program: what was wrong, and where. */
_Noreturn void wrong(const char *file, int line, const char *what, long long got, long long want);

#define SAME(got, want)                                                                                                \
    do {                                                                                                               \
        long long got_ = (long long)(got), want_ = (long long)(want);                                                  \
        if (got_ != want_)                                                                                             \
            wrong(__FILE__, __LINE__, #got, got_, want_);                                                              \
    } while (0)
#define OK(call)   SAME(call, HSA_STATUS_SUCCESS)
#define EXPECT(so) SAME(!(so), 0)

enum { GPUS = 4 };
extern hsa_agent_t cpu, gpus[GPUS], gpu; /* gpu: the first */
extern unsigned gpu_count;
extern hsa_amd_memory_pool_t fine, coarse; /* of the host, of `gpu` */
extern const char *code_folder;            /* with kernels.TARGET.co */

/* Begins the runtime and finds these. */
void start(void);

/* Memory of a pool that all agents may use. */
void *allocate(hsa_amd_memory_pool_t pool, size_t size);
hsa_signal_t new_signal(hsa_signal_value_t value);
/* Until the value is 0. */
void wait_for(hsa_signal_t s);
/* Where a kernel finds the lower half of its value. */
uint32_t *value_of(hsa_signal_t s);

struct errors { /* of a queue, by its callback */
    int calls;
    hsa_status_t status;
    hsa_queue_t *queue;
    hsa_signal_t told; /* 0 when it has been called, before that 1 */
};
hsa_queue_t *new_queue(struct errors *e);

/* The handle of a kernel of kernels.s, loaded for `gpu`. */
uint64_t kernel_object(const char *name);

struct __attribute__((packed)) arguments {
    uint32_t *in, *out;
    uint32_t number;
};
/* A packet of the queue, to be filled and handed over. */
void *next_packet(hsa_queue_t *q, uint64_t *index);
void hand_over(hsa_queue_t *q, uint64_t index, void *packet, unsigned type, bool barrier);
/* A grid of workgroups of 64 work-items; the arguments stay in memory of the host. */
hsa_kernel_dispatch_packet_t *fill_dispatch(hsa_queue_t *q, uint64_t *index, uint64_t kernel, unsigned groups,
                                            struct arguments a, hsa_signal_t done);
void dispatch(hsa_queue_t *q, uint64_t kernel, unsigned groups, struct arguments a, hsa_signal_t done);

/* Samples. Each ends the program when something is wrong. */
void agents(void), dispatches(void), doorbells(void), barriers(void), signals(void), copies(void), virtual_memory(void),
    shared_memory(void), limits(void), references(void), files(void);
void malformed(void), faults(void), overruns(void), refused_overruns(void), unwaited(void), overwrites(void),
    races(void), fault_events(void), other_targets(void), forks(void), never_ends(void);
void waits_alone(void), waits_barrier(void), waits_cycle(void), waits_any(void);

#endif
