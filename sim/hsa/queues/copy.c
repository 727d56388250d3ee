/* Copies: bytes moved by the host, in the simulated time that a copy engine would take.
 *
 * A copy waits for the signals it depends on, so there is a list of those that wait, and a thread that does what has
 * become ready. A copy that is ready when it is asked for is done at once, in the caller's thread.
 *
 * Time: a copy between host and device moves at the bandwidth of the link, one on a device at half of that of its
 * memory (it is read and written); one engine serves each direction, in order. COPY_START_NS is what starting one
 * takes.
 */
#include "sim/hsa/queues/copy.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sim/hsa/agents/chips.h"
#include "sim/hsa/core/clock.h"
#include "sim/hsa/memory/memory.h"
#include "sim/hsa/queues/queue.h"

#define IDLE_NS       1000000000
#define COPY_START_NS 1500 /* a guess: several times less than hipMemcpyAsync takes on real systems, host included */

enum direction { TO_DEVICE, TO_HOST, WITHIN, DIRECTIONS };

/* Rows of bytes, in layers: one row for a plain copy. */
struct shape {
    size_t bytes, rows, layers;
    size_t dst_pitch, dst_slice, src_pitch, src_slice;
};

struct copy {
    struct copy *next;
    uint8_t *dst;
    const uint8_t *src;
    struct shape shape;
    struct device *device; /* whose engine does it; null: none of a device */
    enum direction direction;
    uint64_t submitted_ns;
    struct signal *completion;
    uint32_t deps;
    hsa_signal_t dep[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct copy *waiting; /* the oldest first; changed under the lock, atomic for who looks whether there is one */
static bool has_thread;
static struct bell bell; /* of the thread, when no copy waits */

static bool ready(const struct copy *c, uint64_t *at_ns)
{
    for (uint32_t k = 0; k < c->deps; k++) {
        struct signal *s = signal_find(c->dep[k]); /* null: none, or it has been destroyed */

        if (!s)
            continue;
        if (signal_look(s))
            return false;
        if (*at_ns < signal_end_ns(s))
            *at_ns = signal_end_ns(s);
    }
    return true;
}

/* When an engine that is free from `at` on has moved so many bytes. */
static void take_engine(const struct copy *c, uint64_t *at_ns, uint64_t *end_ns)
{
    double bytes = (double)c->shape.bytes * (double)c->shape.rows * (double)c->shape.layers,
           rate = 16; /* of the host */

    if (c->device)
        rate = c->direction == WITHIN ? c->device->memory_bytes_per_ns / 2 : c->device->link_bytes_per_ns;
    pthread_mutex_lock(&lock);
    if (c->device && c->device->engine_free_ns[c->direction] > *at_ns)
        *at_ns = c->device->engine_free_ns[c->direction];
    *end_ns = *at_ns + COPY_START_NS + (uint64_t)(bytes / rate);
    if (c->device)
        c->device->engine_free_ns[c->direction] = *end_ns;
    pthread_mutex_unlock(&lock);
}

static void move_rows(const struct copy *c)
{
    const struct shape *s = &c->shape;

    for (size_t z = 0; z < s->layers; z++)
        for (size_t y = 0; y < s->rows; y++)
            memmove(c->dst + z * s->dst_slice + y * s->dst_pitch, c->src + z * s->src_slice + y * s->src_pitch,
                    s->bytes);
    if (c->shape.layers && c->shape.rows)
        devices_written((uint64_t)(uintptr_t)c->dst,
                        (s->layers - 1) * s->dst_slice + (s->rows - 1) * s->dst_pitch + s->bytes);
}

static void perform(struct copy *c, uint64_t at_ns)
{
    uint64_t end_ns;

    take_engine(c, &at_ns, &end_ns);
    move_rows(c);
    if (c->completion)
        signal_complete(c->completion, at_ns, end_ns);
    free(c);
}

static struct copy *take_ready(uint64_t *at_ns)
{
    struct copy *c = NULL;

    pthread_mutex_lock(&lock);
    for (struct copy **at = &waiting; *at; at = &(*at)->next) {
        *at_ns = (*at)->submitted_ns;
        if (ready(*at, at_ns)) {
            c = *at;
            __atomic_store_n(at, c->next, __ATOMIC_RELAXED);
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    return c;
}

static void *copy_thread(void *arg)
{
    (void)arg;
    for (;;) {
        uint32_t rings = bell_rings(&bell), seen = signals_generation();
        uint64_t at_ns;
        struct copy *c = take_ready(&at_ns);

        if (c)
            perform(c, at_ns);
        else if (__atomic_load_n(&waiting, __ATOMIC_RELAXED))
            signals_sleep(seen, SIGNAL_POLL_NS);
        else
            bell_sleep(&bell, rings, IDLE_NS);
    }
    return NULL;
}

static hsa_status_t submit(struct copy *c)
{
    uint64_t at_ns = c->submitted_ns = clock_host_submits();
    struct copy **at = &waiting;
    pthread_t thread;

    if (ready(c, &at_ns)) {
        perform(c, at_ns);
        return HSA_STATUS_SUCCESS;
    }
    pthread_mutex_lock(&lock);
    if (!has_thread && pthread_create(&thread, NULL, copy_thread, NULL) == 0) {
        pthread_detach(thread);
        has_thread = true;
    }
    if (!has_thread) {
        pthread_mutex_unlock(&lock);
        free(c);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    while (*at)
        at = &(*at)->next;
    __atomic_store_n(at, c, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
    bell_ring(&bell);
    signals_wake();
    return HSA_STATUS_SUCCESS;
}

void copies_each(void (*fn)(const struct copy_wait *c, void *ctx), void *ctx)
{
    pthread_mutex_lock(&lock);
    for (const struct copy *c = waiting; c; c = c->next)
        fn(&(struct copy_wait){.bytes = c->shape.bytes * c->shape.rows * c->shape.layers,
                               .count = c->deps,
                               .on = c->dep,
                               .completion = {c->completion ? signal_handle(c->completion).handle : 0}},
           ctx);
    pthread_mutex_unlock(&lock);
}

/* The agent whose engine does a copy: the destination's if that is a GPU, or the source's. */
static void set_engine(struct copy *c, const struct agent *dst, const struct agent *src)
{
    c->device = dst->device ? dst->device : src->device;
    c->direction = dst->device && src->device ? WITHIN : dst->device ? TO_DEVICE : TO_HOST;
}

/* A handle of 0 stands for no signal; any other must name one. */
static hsa_status_t new_copy(uint32_t deps, const hsa_signal_t *dep, hsa_signal_t completion, struct copy **out)
{
    struct signal *s = signal_find(completion);
    struct copy *c;

    for (uint32_t k = 0; k < deps; k++)
        if (dep[k].handle && !signal_find(dep[k]))
            return HSA_STATUS_ERROR_INVALID_SIGNAL;
    if (completion.handle && !s)
        return HSA_STATUS_ERROR_INVALID_SIGNAL;
    c = malloc(sizeof *c + deps * sizeof *dep);
    if (!c)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    *c = (struct copy){.completion = s, .deps = deps};
    if (deps)
        memcpy(c->dep, dep, deps * sizeof *dep);
    *out = c;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_async_copy(void *dst, hsa_agent_t dst_agent, const void *src, hsa_agent_t src_agent,
                                       size_t size, uint32_t num_dep_signals, const hsa_signal_t *dep_signals,
                                       hsa_signal_t completion_signal)
{
    const struct agent *to = agent_of(dst_agent), *from = agent_of(src_agent);
    hsa_status_t status;
    struct copy *c;

    RT_READY_OR_RETURN();
    if (!dst || !src || (num_dep_signals && !dep_signals)) /* runtimes give a list with a count of 0 */
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!to || !from)
        return HSA_STATUS_ERROR_INVALID_AGENT;
    status = new_copy(num_dep_signals, dep_signals, completion_signal, &c);
    if (status != HSA_STATUS_SUCCESS)
        return status;
    c->dst = memory_host(dst);
    c->src = memory_host((void *)(uintptr_t)src);
    c->shape = (struct shape){.bytes = size, .rows = 1, .layers = 1};
    set_engine(c, to, from);
    return submit(c);
}

hsa_status_t hsa_amd_memory_async_copy_on_engine(void *dst, hsa_agent_t dst_agent, const void *src,
                                                 hsa_agent_t src_agent, size_t size, uint32_t num_dep_signals,
                                                 const hsa_signal_t *dep_signals, hsa_signal_t completion_signal,
                                                 int engine_id, bool force_copy_on_sdma)
{
    (void)engine_id, (void)force_copy_on_sdma;
    return hsa_amd_memory_async_copy(dst, dst_agent, src, src_agent, size, num_dep_signals, dep_signals,
                                     completion_signal);
}

hsa_status_t hsa_amd_memory_async_copy_rect(const hsa_pitched_ptr_t *dst, const hsa_dim3_t *dst_offset,
                                            const hsa_pitched_ptr_t *src, const hsa_dim3_t *src_offset,
                                            const hsa_dim3_t *range, hsa_agent_t copy_agent,
                                            hsa_amd_copy_direction_t dir, uint32_t num_dep_signals,
                                            const hsa_signal_t *dep_signals, hsa_signal_t completion_signal)
{
    const struct agent *a = agent_of(copy_agent);
    hsa_status_t status;
    struct copy *c;

    RT_READY_OR_RETURN();
    if (!dst || !src || !dst_offset || !src_offset || !range || !dst->base || !src->base ||
        (num_dep_signals && !dep_signals))
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!a || !a->device)
        return HSA_STATUS_ERROR_INVALID_AGENT;
    status = new_copy(num_dep_signals, dep_signals, completion_signal, &c);
    if (status != HSA_STATUS_SUCCESS)
        return status;
    c->dst =
        (uint8_t *)memory_host(dst->base) + dst_offset->x + dst_offset->y * dst->pitch + dst_offset->z * dst->slice;
    c->src =
        (uint8_t *)memory_host(src->base) + src_offset->x + src_offset->y * src->pitch + src_offset->z * src->slice;
    c->shape = (struct shape){.bytes = range->x,
                              .rows = range->y ? range->y : 1,
                              .layers = range->z ? range->z : 1,
                              .dst_pitch = dst->pitch,
                              .dst_slice = dst->slice,
                              .src_pitch = src->pitch,
                              .src_slice = src->slice};
    c->device = a->device;
    c->direction = dir == hsaHostToDevice ? TO_DEVICE : dir == hsaDeviceToHost ? TO_HOST : WITHIN;
    return submit(c);
}

/* Engines are as many as runtimes like: a copy is never refused one. */
hsa_status_t hsa_amd_memory_copy_engine_status(hsa_agent_t dst_agent, hsa_agent_t src_agent, uint32_t *engine_ids_mask)
{
    RT_READY_OR_RETURN();
    if (!agent_of(dst_agent) || !agent_of(src_agent))
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!engine_ids_mask)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *engine_ids_mask = 3;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_get_preferred_copy_engine(hsa_agent_t dst_agent, hsa_agent_t src_agent,
                                                      uint32_t *recommended_ids_mask)
{
    return hsa_amd_memory_copy_engine_status(dst_agent, src_agent, recommended_ids_mask);
}

hsa_status_t hsa_memory_copy(void *dst, const void *src, size_t size)
{
    RT_READY_OR_RETURN();
    if (!dst || !src)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    memmove(memory_host(dst), memory_host((void *)(uintptr_t)src), size);
    devices_written((uint64_t)(uintptr_t)dst, size);
    return HSA_STATUS_SUCCESS;
}
