/* A program of the HSA runtime alone, for `gcnsim exec`: loads the saxpy sample's code object, runs it, checks what it
 * computed.
 *
 *   cc -o hsa_saxpy docs/examples/hsa_saxpy.c -lhsa-runtime64          (Debian: libhsa-runtime-dev)
 *   gcnsim exec --arch gfx90a ./hsa_saxpy traces/samples/gfx90a/saxpy.co
 */
#include <fcntl.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 1000u

/* Leaves the program with the name of what failed. */
#define OK(CALL)                                                                                                       \
    do {                                                                                                               \
        hsa_status_t status_ = (CALL);                                                                                 \
        if (status_ != HSA_STATUS_SUCCESS && status_ != HSA_STATUS_INFO_BREAK) {                                       \
            fprintf(stderr, "hsa_saxpy: %s: status 0x%x\n", #CALL, (unsigned)status_);                                 \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* The kernel's arguments, as `gcnsim info` shows them. */
struct saxpy_args {
    float a;
    const float *x;
    float *y;
    uint32_t n;
};

static hsa_agent_t cpu, gpu;
static hsa_amd_memory_pool_t pool; /* of the host, which kernarg may lie in */

static hsa_status_t take_agent(hsa_agent_t agent, void *data)
{
    hsa_device_type_t type;

    (void)data;
    OK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
    if (type == HSA_DEVICE_TYPE_CPU)
        cpu = agent;
    else if (type == HSA_DEVICE_TYPE_GPU && !gpu.handle)
        gpu = agent;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t take_pool(hsa_amd_memory_pool_t candidate, void *data)
{
    uint32_t flags = 0;

    (void)data;
    OK(hsa_amd_memory_pool_get_info(candidate, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
    if (!(flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT))
        return HSA_STATUS_SUCCESS;
    pool = candidate;
    return HSA_STATUS_INFO_BREAK;
}

static void *allocate(size_t bytes)
{
    void *memory = NULL;

    OK(hsa_amd_memory_pool_allocate(pool, bytes, 0, &memory));
    OK(hsa_amd_agents_allow_access(1, &gpu, NULL, memory));
    return memory;
}

static uint64_t load(const char *path, const char *symbol_name)
{
    hsa_code_object_reader_t reader;
    hsa_executable_symbol_t symbol;
    hsa_executable_t executable;
    uint64_t kernel = 0;
    int fd = open(path, O_RDONLY);

    if (fd < 0) {
        perror(path);
        exit(1);
    }
    OK(hsa_code_object_reader_create_from_file(fd, &reader));
    OK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable));
    OK(hsa_executable_load_agent_code_object(executable, gpu, reader, NULL, NULL));
    OK(hsa_executable_freeze(executable, NULL));
    OK(hsa_executable_get_symbol_by_name(executable, symbol_name, &gpu, &symbol));
    OK(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel));
    return kernel;
}

/* One dispatch, and its end. */
static void run(uint64_t kernel, void *kernarg)
{
    const uint32_t header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE |
                            HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                            HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
    hsa_kernel_dispatch_packet_t *packet;
    hsa_signal_t done;
    hsa_queue_t *queue;

    OK(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_SINGLE, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue));
    OK(hsa_signal_create(1, 0, NULL, &done));
    uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
    packet = (hsa_kernel_dispatch_packet_t *)queue->base_address + index % queue->size;
    memset((char *)packet + 4, 0, sizeof *packet - 4);
    packet->workgroup_size_x = 256;
    packet->workgroup_size_y = packet->workgroup_size_z = 1;
    packet->grid_size_x = (COUNT + 255) / 256 * 256;
    packet->grid_size_y = packet->grid_size_z = 1;
    packet->kernel_object = kernel;
    packet->kernarg_address = kernarg;
    packet->completion_signal = done;
    /* header and dimensions last and at once: the queue takes the packet when it sees them */
    __atomic_store_n((uint32_t *)packet, header | 1u << (16 + HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS),
                     __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    OK(hsa_signal_destroy(done));
    OK(hsa_queue_destroy(queue));
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: hsa_saxpy CODE_OBJECT\n");
        return 2;
    }
    OK(hsa_init());
    OK(hsa_iterate_agents(take_agent, NULL));
    OK(hsa_amd_agent_iterate_memory_pools(cpu, take_pool, NULL));

    float *x = allocate(COUNT * sizeof *x), *y = allocate(COUNT * sizeof *y);
    struct saxpy_args *args = allocate(4096);
    for (uint32_t i = 0; i < COUNT; i++) {
        x[i] = (float)i;
        y[i] = 1;
    }
    memset(args, 0, 4096);
    *args = (struct saxpy_args){2, x, y, COUNT};
    run(load(argv[1], "saxpy.kd"), args);
    for (uint32_t i = 0; i < COUNT; i++)
        if (y[i] != 2 * (float)i + 1) {
            fprintf(stderr, "hsa_saxpy: element %u is %g\n", (unsigned)i, (double)y[i]);
            return 1;
        }
    printf("%u elements are right\n", COUNT);
    OK(hsa_shut_down());
    return 0;
}
