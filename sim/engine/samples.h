/* Samples of a run: what its statistics were in each of up to ENGINE_SAMPLES intervals, one after the other.
 *
 * Interval n goes from cycle n * interval_cycles to the next one's beginning; the first may be shorter when the
 * dispatch began beside others, and the last ends with the run. When there are ENGINE_SAMPLES, neighbours are merged
 * and the interval doubles, so that memory is bounded and every cycle of the run lies in exactly one interval.
 *
 * A series is a number per interval. A SUM counts what happened in it; the sum over the intervals is the statistic of
 * the whole run. A MEAN is a number of things that there are at a time (waves, entries of a queue): summed over the
 * cycles of the interval here, so that merging is adding, and divided by them in reports.
 *
 * Series of waves are the dispatch's own; those of caches, queues and memory are the device's (sim/engine/feed.h).
 */
#ifndef GCNSIM_ENGINE_SAMPLES_H
#define GCNSIM_ENGINE_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/engine/timing/cu/stall.h"
#include "sim/util/vocab.h"

#define ENGINE_SAMPLES 1024

/* X(P, KIND, ID, NAME, UNIT, MEANING) */
/* clang-format off */
#define SAMPLES_WAVES(X, P) \
    X(P, MEAN, RESIDENT_WAVES, "resident_waves", "waves", "waves resident, from launch until their slots are free")

#define SAMPLES_LDS(X, P) \
    X(P, SUM, LDS_ACCESSES, "accesses", "wave-instructions", "instructions that accessed LDS") \
    X(P, SUM, LDS_CONFLICT_CYCLES, "conflict_cycles", "cycles", \
      "cycles LDS ports were held longer because of lanes that named the same bank or the same dword")

#define SAMPLES_CACHE(X, P) \
    X(P, SUM, TAG_REQUESTS, "tag_requests", "requests", "requests as AMD's counters have them") \
    X(P, SUM, TAG_MISSES, "tag_misses", "requests", "those that found no line, nor one on its way") \
    X(P, SUM, LOAD_BYTES, "load_bytes", "bytes", "data returned to the level above") \
    X(P, SUM, STORE_BYTES, "store_bytes", "bytes", "data received from the level above") \
    X(P, SUM, DATA_PATH_CYCLES, "data_path_cycles", "cycles", \
      "cycles its data paths were busy, summed over the paths") \
    X(P, MEAN, MSHRS, "mshrs", "MSHRs", "MSHRs in use, of all channels of all caches of the level") \
    X(P, MEAN, FULL_CHANNELS, "full_channels", "channels", "channels all of whose MSHRs are in use")

#define SAMPLES_QUEUES(X, P) \
    X(P, MEAN, VMEM_QUEUE, "vmem", "instructions", \
      "vector memory instructions that have issued and still have line requests to send, of all compute units") \
    X(P, MEAN, VMEM_QUEUES_FULL, "vmem_full", "compute units", "compute units whose queue of these is full") \
    X(P, MEAN, SMEM_QUEUE, "smem", "instructions", \
      "scalar memory instructions that have issued and still have requests to send, of all compute units") \
    X(P, MEAN, SMEM_QUEUES_FULL, "smem_full", "compute units", "compute units whose queue of these is full")

#define SAMPLES_DRAM(X, P) \
    X(P, SUM, DRAM_READ_BYTES, "read_bytes", "bytes", "data read from DRAM") \
    X(P, SUM, DRAM_WRITE_BYTES, "write_bytes", "bytes", "data written to DRAM")

#define SAMPLES_FABRIC(X, P) \
    X(P, SUM, FABRIC_BYTES, "bytes", "bytes", "data carried by all links; data that takes two hops counts twice")
/* clang-format on */

enum sample_cache {
#define X(P, KIND, E, NAME, UNIT, MEANING) SAMPLE_CACHE_##E,
    SAMPLES_CACHE(X, )
#undef X
        SAMPLE_CACHE_ROWS
};

enum sample_series {
#define X(P, KIND, E, NAME, UNIT, MEANING) SAMPLE_##E,
    SAMPLES_WAVES(X, ) SAMPLE_CATEGORY,           /* + enum op_category */
    SAMPLE_STALL = SAMPLE_CATEGORY + OPCAT_COUNT, /* + enum timing_stall */
    SAMPLE_LDS_BEFORE_ = SAMPLE_STALL + STALL_COUNT - 1,
    SAMPLES_LDS(X, ) SAMPLE_CACHES, /* sample_of_cache() */
    SAMPLE_QUEUES_BEFORE_ = SAMPLE_CACHES + LEVEL_COUNT * SAMPLE_CACHE_ROWS - 1,
    SAMPLES_QUEUES(X, ) SAMPLES_DRAM(X, ) SAMPLES_FABRIC(X, ) SAMPLES
#undef X
};

static inline unsigned sample_of_cache(enum cache_level level, enum sample_cache which)
{
    return SAMPLE_CACHES + level * SAMPLE_CACHE_ROWS + which;
}

enum sample_kind { SAMPLE_KIND_SUM, SAMPLE_KIND_MEAN };

struct sample_row {
    const char *name;  /* "cache.l2.misses" */
    const char *scope; /* "cache.l2"; "run" for names without a dot */
    const char *unit;
    const char *meaning;
    enum sample_kind kind;
};
extern const struct sample_row sample_row[SAMPLES];

struct engine_samples {
    uint64_t interval_cycles;
    uint64_t first_cycles, last_cycles; /* lengths of the first and the last interval, which may be the same one */
    size_t count, room;
    bool present[SAMPLES];      /* series that the run has */
    uint64_t (*value)[SAMPLES]; /* by interval */
};

/* Null: no host memory. To be freed. */
struct engine_samples *engine_samples_new(uint64_t interval_cycles);
void engine_samples_free(struct engine_samples *s); /* null is fine */

/* Adds an interval of so many cycles, with these values; the first one may be short, and when it returns the interval
 * may have doubled. False: no host memory. */
bool engine_samples_add(struct engine_samples *s, uint64_t cycles, const uint64_t value[SAMPLES]);

/* Length of interval n. */
uint64_t engine_samples_cycles(const struct engine_samples *s, size_t n);

#endif
