/* A simulated GPU: its simulator, its figures, and what belongs to it of other rooms. */
#ifndef GCNSIM_HSA_DEVICE_H
#define GCNSIM_HSA_DEVICE_H

#include <pthread.h>

#include "sim/hsa/core/runtime.h"

struct chip; /* chips.h */
struct queue;
struct timed_device; /* queues/timing_processor.c */
struct sampler;      /* sample.h */

#define DEVICE_WRITTEN 256

struct device_written {
    uint64_t address, bytes;
};

struct device {
    struct agent *agent;
    const struct chip *chip;
    const char *profile; /* name or path */
    struct gcnsim *sim;  /* of the timing engine, and for what is asked of the profile */
    struct queue *queues;
    pthread_mutex_t lock; /* of the list of queues */
    double clock_mhz;
    struct timed_device *timing;                   /* null: the functional engine */
    double link_bytes_per_ns, memory_bytes_per_ns; /* of copies */
    uint64_t engine_free_ns[3];                    /* of the copy engines, by direction (copy.c) */
    /* A kernel packet's cost beside its kernel: before its first wave, more where it acquires, more where its release
     * writes L2 back, after its last wave. */
    uint64_t before_ns, acquire_ns, write_back_ns, after_ns;
    double instructions_per_ns; /* wave-instructions that the whole chip issues: of times where no cycles are counted */
    pthread_mutex_t written_lock; /* of what follows: written by copies since the last launch; all: too much to list */
    struct device_written written[DEVICE_WRITTEN];
    uint32_t written_count;
    bool written_all;
    struct sampler *sampler; /* of a sampled program; else null */
    bool warm;               /* what ran last has left its lines in the simulator's caches */
    /* figures of the profile that agents report */
    uint32_t cus, simds_per_cu, waves_per_cu, wave_size, xcds, shader_engines, line_bytes;
    uint32_t lds_bytes, max_clock_mhz;
    uint64_t cache_bytes[4];
};

/* Opens the simulator of a profile, with the figures that `sets` changes (simulator.h); false, with a sentence in
 * `why`, when it cannot be. */
bool device_open(struct device *d, struct agent *a, const char *profile, const struct option_list *sets, char *why,
                 size_t why_size);

/* What a kernel took, in simulated ns: cycles of the shader clock, or, where none were counted, as long as the whole
 * chip takes to issue its instructions. */
uint64_t device_kernel_ns(const struct device *d, const struct gcnsim_result *r);
/* Simulated ns from the time at which a kernel packet with this header may be processed to its first wave; and from its
 * last wave to its completion, but for what L2's lines take that its release writes back. */
uint64_t device_before_ns(const struct device *d, uint16_t header);
uint64_t device_after_ns(const struct device *d, uint16_t header);
/* Memory has been written by the host or a copy engine: caches of devices lose their lines of it. */
void devices_written(uint64_t address, uint64_t bytes);
/* Informs the timing engine's simulator of what has been written past its caches since the last time. */
void device_tell_written(struct device *d);

#endif
