/* libFuzzer target for what guests see of the HSA runtime (sim/hsa/README.md): signals, queues, rings and kernargs are
 * overwritten, by a kernel and by the host, with whatever the bytes say, while packets, signals, barriers and copies go
 * on. Whatever happens, no word of the host outside of allocations changes, and every queue and signal that still is
 * one can be destroyed.
 *
 * An input is a list of steps of STEP bytes: what is done, to which object, and a value, which may be the address of
 * one of the objects or of the host's own words.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/hsa/code/kernels.h"
#include "sim/hsa/queues/queue.h"
#include "sim/hsa/waits/waits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    QUEUES = 2,
    PACKETS = 8, /* of a queue's ring */
    SIGNALS = 4,
    STEP = 8,
    MOST_STEPS = 64,
    HOST_WORDS = 512,
    LANES = 64,
    WAIT_NS = 300000
};

static hsa_agent_t agents[2]; /* the host, a GPU */
static unsigned agent_count;
static uint64_t kernel_object;
static hsa_amd_memory_pool_t pool;
static bool timing; /* the engine is */
static struct args {
    uint64_t a, b, c;
    uint32_t n, pad;
    uint8_t hidden[256];
} * kernargs;            /* of each queue's packets, one after the other, and of the kernel that overwrites */
static uint32_t *device; /* LANES words to write, as many zeros, and room */

/* Nobody knows where it is but by the values that are written; it has to stay as it is. */
static uint64_t host[HOST_WORDS], copied[2][8];

static struct {
    hsa_queue_t *queue[QUEUES]; /* null: destroyed */
    void *ring[QUEUES];
    hsa_signal_t doorbell[QUEUES], signal[SIGNALS];
    uint64_t written[QUEUES];
} s;

static void must(bool holds)
{
    if (!holds)
        abort();
}

static hsa_status_t take_agent(hsa_agent_t agent, void *data)
{
    char name[64];

    (void)data;
    hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, name);
    if (!agent_count || (agent_count == 1 && strcmp(name, "gfx90a") == 0))
        agents[agent_count++] = agent;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t take_pool(hsa_amd_memory_pool_t p, void *data)
{
    (void)data;
    if (!pool.handle)
        pool = p;
    return HSA_STATUS_SUCCESS;
}

static void load(void)
{
    hsa_code_object_reader_t reader;
    hsa_executable_symbol_t symbol;
    hsa_executable_t x;
    size_t bytes;
    char *object = malloc(1 << 20);

    FILE *f = fopen("traces/samples/gfx90a/vecadd.co", "rb");
    must(object && f);
    bytes = fread(object, 1, 1 << 20, f);
    fclose(f);
    must(!hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &x));
    must(!hsa_code_object_reader_create_from_memory(object, bytes, &reader));
    must(!hsa_executable_load_agent_code_object(x, agents[1], reader, NULL, NULL));
    must(!hsa_executable_freeze(x, NULL));
    must(!hsa_executable_get_symbol_by_name(x, "vecadd.kd", &agents[1], &symbol));
    must(!hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel_object));
    hsa_code_object_reader_destroy(reader);
    free(object);
}

static void start(void)
{
    setenv("GCNSIM_LOG", "/dev/null", 1);
    setenv("GCNSIM_ARCH", "gfx90a", 1);
    setenv("GCNSIM_SUMMARY", "0", 1);
    setenv("GCNSIM_THREADS", "1", 1);
    timing = getenv("GCNSIM_ENGINE") && strcmp(getenv("GCNSIM_ENGINE"), "timing") == 0;
    must(!hsa_init() && !hsa_iterate_agents(take_agent, NULL) && agent_count == 2);
    must(!hsa_amd_agent_iterate_memory_pools(agents[1], take_pool, NULL) && pool.handle);
    must(!hsa_amd_memory_pool_allocate(pool, (QUEUES * PACKETS + 1) * sizeof *kernargs, 0, (void **)&kernargs));
    must(!hsa_amd_memory_pool_allocate(pool, 3 * LANES * sizeof *device, 0, (void **)&device));
    load();
    for (unsigned k = 0; k < HOST_WORDS; k++)
        host[k] = UINT64_C(0x5a5a5a5a5a5a5a5a) ^ k;
}

static void stopped(hsa_status_t status, hsa_queue_t *queue, void *data)
{
    (void)status, (void)queue, (void)data;
}

static void open_queue(unsigned k)
{
    must(!hsa_queue_create(agents[1], PACKETS, HSA_QUEUE_TYPE_MULTI, stopped, NULL, UINT32_MAX, UINT32_MAX,
                           &s.queue[k]));
    s.ring[k] = s.queue[k]->base_address;
    s.doorbell[k] = s.queue[k]->doorbell_signal;
    s.written[k] = 0;
}

static void ring(unsigned k)
{
    hsa_signal_store_screlease(s.doorbell[k], (hsa_signal_value_t)s.written[k]);
}

/* What a step says: the action in the first byte, objects in the second and third, an offset in the fourth, and a value
 * in the others. */
static uint64_t value_of(const uint8_t *step)
{
    uint32_t low;

    memcpy(&low, step + 4, sizeof low);
    switch (step[2] >> 4) {
    case 0:
        return s.signal[low % SIGNALS].handle;
    case 1:
        return s.doorbell[low % QUEUES].handle;
    case 2:
        return (uint64_t)(uintptr_t)s.queue[low % QUEUES];
    case 3:
        return (uint64_t)(uintptr_t)&host[low % HOST_WORDS];
    case 4:
        return (uint64_t)(uintptr_t)s.ring[low % QUEUES] + low % 4096;
    case 5:
        return (uint64_t)(uintptr_t)device + low % 4096;
    case 6:
        return kernel_object;
    case 7:
        return (uint64_t)(int64_t)(int32_t)low;
    case 8:
        return s.signal[low % SIGNALS].handle + low % 256;
    default:
        return low;
    }
}

/* The bytes that a step overwrites; *bytes: how many there are. */
static uint8_t *shown(const uint8_t *step, size_t *bytes)
{
    unsigned k = step[1];

    switch (step[2] & 7) {
    case 0:
    case 1:
        *bytes = 128;
        return (uint8_t *)(uintptr_t)s.signal[k % SIGNALS].handle;
    case 2:
        *bytes = 128;
        return (uint8_t *)(uintptr_t)s.doorbell[k % QUEUES].handle;
    case 3:
    case 4:
        *bytes = sizeof(amd_queue_t);
        return (uint8_t *)s.queue[k % QUEUES];
    case 5:
    case 6:
        *bytes = PACKETS * 64;
        return s.ring[k % QUEUES];
    default:
        *bytes = (QUEUES * PACKETS + 1) * sizeof *kernargs;
        return (uint8_t *)kernargs;
    }
}

static void host_writes(const uint8_t *step)
{
    uint64_t value = value_of(step);
    size_t bytes;
    uint8_t *at = shown(step, &bytes);

    if (at)
        __atomic_store_n((uint64_t *)(void *)(at + step[3] * 8u % bytes), value, __ATOMIC_RELAXED);
}

static void submit(unsigned q, const void *body, uint16_t header)
{
    uint8_t *at = (uint8_t *)s.ring[q] + s.written[q]++ % PACKETS * 64;

    uint64_t words[8];

    memcpy(words, body, sizeof words);
    words[0] = (words[0] & ~UINT64_C(0xffff)) | HSA_PACKET_TYPE_INVALID << HSA_PACKET_HEADER_TYPE;
    for (unsigned k = 0; k < 8; k++) /* the runtime may look at it by now: somebody has written to the write index */
        __atomic_store_n((uint64_t *)(void *)at + k, words[k], __ATOMIC_RELAXED);
    __atomic_store_n((uint16_t *)(void *)at, header, __ATOMIC_RELEASE);
    hsa_queue_add_write_index_screlease(s.queue[q], 1);
    ring(q);
}

static void kernel(unsigned q, const struct args *args, unsigned slot, hsa_signal_t completion)
{
    struct args *to = &kernargs[slot];
    hsa_kernel_dispatch_packet_t p = {.setup = 1,
                                      .workgroup_size_x = LANES,
                                      .workgroup_size_y = 1,
                                      .workgroup_size_z = 1,
                                      .grid_size_x = LANES,
                                      .grid_size_y = 1,
                                      .grid_size_z = 1,
                                      .kernel_object = kernel_object,
                                      .kernarg_address = to,
                                      .completion_signal = completion};

    *to = *args;
    submit(q, &p, HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE);
}

/* The same words by a kernel: their sum with 0 keeps most of them. */
static void kernel_writes(const uint8_t *step)
{
    unsigned q = step[1] >> 4 & 1;
    uint64_t value = value_of(step);
    size_t bytes;
    uint8_t *at = shown(step, &bytes);
    struct args args = {(uint64_t)(uintptr_t)device, (uint64_t)(uintptr_t)(device + LANES), 0, 2, 0, {0}};

    if (!at || !s.queue[q])
        return;
    memcpy(device, &value, sizeof value);
    args.c = (uint64_t)(uintptr_t)at + step[3] * 8u % bytes;
    kernel(q, &args, q * PACKETS + (unsigned)(s.written[q] % PACKETS), s.signal[step[1] % SIGNALS]);
}

/* A packet of any type, with a value in one of its words. */
static void packet(const uint8_t *step)
{
    uint64_t words[8] = {0}, value = value_of(step);
    unsigned q = step[1] >> 4 & 1;

    if (!s.queue[q])
        return;
    words[7] = s.signal[step[1] % SIGNALS].handle;
    words[step[3] % 8] = value;
    if (step[3] & 0x40)
        words[1] = s.signal[step[3] % SIGNALS].handle;
    uint16_t header = (uint16_t)(step[2] & 15);
    if (header == HSA_PACKET_TYPE_VENDOR_SPECIFIC)
        words[0] |= (uint64_t)2 << 16;
    submit(q, words,
           (uint16_t)(header << HSA_PACKET_HEADER_TYPE | (step[3] >> 7 ? 1 << HSA_PACKET_HEADER_BARRIER : 0)));
}

/* What is reported when a process is ended, of whatever the packets are by now. */
static void tell_waits(void)
{
    struct waits *w = waits_collect();

    if (w)
        free(waits_text(w));
    waits_free(w);
}

static void call(const uint8_t *step)
{
    hsa_signal_t *own = &s.signal[step[1] % SIGNALS], any = {value_of(step)};
    hsa_signal_condition_t condition = HSA_SIGNAL_CONDITION_LT;
    hsa_signal_value_t one = 1;
    unsigned q = step[1] >> 4 & 1;

    switch (step[3] % 13) {
    case 0:
        hsa_signal_store_screlease(any, 1);
        break;
    case 1:
        hsa_signal_add_relaxed(*own, (int32_t)step[4]);
        break;
    case 2:
        hsa_signal_wait_scacquire(any, HSA_SIGNAL_CONDITION_LT, 1, 1, HSA_WAIT_STATE_BLOCKED);
        break;
    case 3:
        if (!hsa_signal_destroy(*own))
            must(!hsa_signal_create(1, 0, NULL, own));
        break;
    case 4:
        hsa_amd_memory_async_copy(copied[0], agents[0], copied[1], agents[0], sizeof copied[0], 1, own, any);
        break;
    case 5:
        hsa_amd_memory_async_copy(copied[0], agents[0], copied[1], agents[0], sizeof copied[0], 1, &any, *own);
        break;
    case 6:
        if (s.queue[q] && !hsa_queue_destroy(s.queue[q]))
            open_queue(q);
        break;
    case 7:
        hsa_queue_add_write_index_relaxed((hsa_queue_t *)(uintptr_t)any.handle, 0);
        break;
    case 8:
        hsa_amd_signal_wait_any(1, &any, &condition, &one, 1, HSA_WAIT_STATE_BLOCKED, NULL);
        break;
    case 9:
        if (s.queue[q])
            hsa_queue_inactivate(s.queue[q]);
        break;
    case 10:
        hsa_amd_ipc_signal_create(any, &(hsa_amd_ipc_signal_t){0});
        break;
    case 11:
        tell_waits();
        break;
    default:
        ring(q);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!agent_count)
        start();
    memset(device, 0, 3 * LANES * sizeof *device);
    for (unsigned k = 0; k < SIGNALS; k++)
        must(!hsa_signal_create(1, 0, NULL, &s.signal[k]));
    for (unsigned k = 0; k < QUEUES; k++)
        open_queue(k);
    for (size_t n = 0; n + STEP <= size && n < MOST_STEPS * STEP; n += STEP) {
        const uint8_t *step = data + n;
        switch (step[0] % 4) {
        case 0:
            host_writes(step);
            break;
        case 1:
            kernel_writes(step);
            break;
        case 2:
            packet(step);
            break;
        default:
            call(step);
            break;
        }
    }
    if (timing) /* whose kernels begin when the program sleeps */
        for (unsigned k = 0; k < SIGNALS; k++)
            hsa_signal_wait_scacquire(s.signal[k], HSA_SIGNAL_CONDITION_LT, 1, WAIT_NS, HSA_WAIT_STATE_BLOCKED);
    for (unsigned k = 0; k < QUEUES; k++)
        must(!hsa_queue_destroy(s.queue[k]));
    for (unsigned k = 0; k < SIGNALS; k++) {
        hsa_signal_store_screlease(s.signal[k], 0); /* copies that wait for it end */
        must(!hsa_signal_destroy(s.signal[k]));
    }
    for (unsigned k = 0; k < HOST_WORDS; k++)
        must(host[k] == (UINT64_C(0x5a5a5a5a5a5a5a5a) ^ k));
    return 0;
}
