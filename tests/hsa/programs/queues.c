/* Queues of the HSA interface: packets of one queue without and with the barrier bit, and queues that are inactivated
 * and destroyed while kernels run that never end by themselves. argv[1]: the code object of queues.hip. argv[2]:
 * "turns": instead, what a thread submits that a kernel's end has woken. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#define OK(CALL)                                                                                                       \
    do {                                                                                                               \
        hsa_status_t status_ = (CALL);                                                                                 \
        if (status_ != HSA_STATUS_SUCCESS) {                                                                           \
            printf("%s: 0x%x\n", #CALL, (unsigned)status_);                                                            \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

enum { PACKETS = 3, ROUNDS = 2000 };

struct kernel {
    uint64_t object;
    uint32_t group_bytes, private_bytes;
};

struct arguments {
    void *p;
    int rounds, unused;
};

static hsa_agent_t gpu, cpu;
static hsa_amd_memory_pool_t device_pool, argument_pool;
static hsa_executable_t executable;

static hsa_status_t take_agent(hsa_agent_t a, void *ctx)
{
    hsa_device_type_t type;

    (void)ctx;
    hsa_agent_get_info(a, HSA_AGENT_INFO_DEVICE, &type);
    *(type == HSA_DEVICE_TYPE_GPU ? &gpu : &cpu) = a;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t take_pool(hsa_amd_memory_pool_t p, void *wanted)
{
    hsa_amd_segment_t segment;
    uint32_t flags = 0;

    hsa_amd_memory_pool_get_info(p, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
    if (segment != HSA_AMD_SEGMENT_GLOBAL)
        return HSA_STATUS_SUCCESS;
    hsa_amd_memory_pool_get_info(p, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
    if (flags & *(const uint32_t *)wanted)
        *(flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED ? &device_pool : &argument_pool) = p;
    return HSA_STATUS_SUCCESS;
}

static int find(const char *name, struct kernel *k)
{
    hsa_executable_symbol_t s;

    OK(hsa_executable_get_symbol_by_name(executable, name, &gpu, &s));
    OK(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &k->object));
    OK(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &k->group_bytes));
    OK(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE, &k->private_bytes));
    return 0;
}

static void submit(hsa_queue_t *q, const struct kernel *k, struct arguments *args, unsigned barrier, hsa_signal_t done)
{
    uint64_t index = hsa_queue_add_write_index_relaxed(q, 1);
    hsa_kernel_dispatch_packet_t *p = (hsa_kernel_dispatch_packet_t *)q->base_address + index % q->size;
    uint32_t header = HSA_PACKET_TYPE_KERNEL_DISPATCH | barrier << HSA_PACKET_HEADER_BARRIER |
                      HSA_FENCE_SCOPE_AGENT << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                      HSA_FENCE_SCOPE_AGENT << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;

    memset((char *)p + 4, 0, sizeof *p - 4);
    p->workgroup_size_x = 64;
    p->workgroup_size_y = p->workgroup_size_z = 1;
    p->grid_size_x = 64;
    p->grid_size_y = p->grid_size_z = 1;
    p->kernel_object = k->object;
    p->kernarg_address = args;
    p->group_segment_size = k->group_bytes;
    p->private_segment_size = k->private_bytes;
    p->completion_signal = done;
    __atomic_store_n((uint32_t *)p, header | 1u << 16, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(q->doorbell_signal, (hsa_signal_value_t)index);
}

static void await(hsa_signal_t s)
{
    hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
}

/* Whether each kernel began after the end of the one before it, or before that. */
static const char *order(const hsa_signal_t *done)
{
    hsa_amd_profiling_dispatch_time_t t[PACKETS];
    int behind = 0;

    for (int k = 0; k < PACKETS; k++) {
        hsa_amd_profiling_get_dispatch_time(gpu, done[k], &t[k]);
        behind += k && t[k].start >= t[k - 1].end;
    }
    return behind == PACKETS - 1 ? "in turn" : behind ? "neither" : "together";
}

/* plain in q, and a longer one in r; what the first one's end has woken submits one more in q, and then one in r. */
static void turns(hsa_queue_t *q, hsa_queue_t *r, const struct kernel *plain, struct arguments *args,
                  hsa_signal_t *done)
{
    args[1].rounds = 500 * ROUNDS;
    submit(q, plain, &args[0], 0, done[0]);
    submit(r, plain, &args[1], 0, done[1]);
    await(done[0]);
    hsa_signal_store_relaxed(done[0], 1);
    submit(q, plain, &args[0], 0, done[0]);
    submit(r, plain, &args[2], 0, done[2]);
    for (int k = 0; k < PACKETS; k++)
        await(done[k]);
}

int main(int argc, char **argv)
{
    uint32_t coarse = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED,
             kernarg = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT;
    hsa_code_object_reader_t reader;
    struct arguments *args;
    struct kernel spin, work, plain;
    volatile hsa_signal_value_t *value;
    hsa_signal_t done[PACKETS], running;
    hsa_queue_t *q, *r;
    char *data;

    if (argc < 2)
        return 2;
    OK(hsa_init());
    OK(hsa_iterate_agents(take_agent, NULL));
    OK(hsa_amd_agent_iterate_memory_pools(gpu, take_pool, &coarse));
    OK(hsa_amd_agent_iterate_memory_pools(cpu, take_pool, &kernarg));
    OK(hsa_code_object_reader_create_from_file(open(argv[1], O_RDONLY), &reader));
    OK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable));
    OK(hsa_executable_load_agent_code_object(executable, gpu, reader, NULL, NULL));
    OK(hsa_executable_freeze(executable, NULL));
    if (find("spin.kd", &spin) || find("work.kd", &work) || find("plain.kd", &plain))
        return 1;
    OK(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &q));
    OK(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &r));
    OK(hsa_amd_memory_pool_allocate(device_pool, 65536, 0, (void **)&data));
    OK(hsa_amd_memory_pool_allocate(argument_pool, 4096, 0, (void **)&args));
    OK(hsa_amd_agents_allow_access(1, &gpu, NULL, args));
    OK(hsa_amd_memory_fill(data, 0, 65536 / 4));
    for (int k = 0; k < PACKETS; k++) {
        OK(hsa_signal_create(1, 0, NULL, &done[k]));
        args[k] = (struct arguments){data + 4096 * (k + 1), ROUNDS, 0};
    }
    if (argc > 2) {
        turns(q, r, &plain, args, done);
        return hsa_shut_down() != HSA_STATUS_SUCCESS;
    }
    for (unsigned barrier = 0; barrier < 2; barrier++) {
        for (int k = 0; k < PACKETS; k++) {
            hsa_signal_store_relaxed(done[k], 1);
            submit(q, &work, &args[k], barrier, done[k]);
        }
        for (int k = 0; k < PACKETS; k++)
            await(done[k]);
        printf("barrier %u: %s\n", barrier, order(done));
    }

    OK(hsa_signal_create(2, 0, NULL, &running));
    OK(hsa_amd_signal_value_pointer(running, &value));
    args[PACKETS] = (struct arguments){(void *)value, 0, 0};
    submit(q, &spin, &args[PACKETS], 0, (hsa_signal_t){0});
    submit(r, &spin, &args[PACKETS], 0, (hsa_signal_t){0});
    submit(q, &spin, &args[PACKETS], 1, (hsa_signal_t){0});
    await(running);
    OK(hsa_queue_inactivate(r));
    OK(hsa_queue_destroy(q));
    OK(hsa_queue_destroy(r));
    printf("destroyed\n");
    OK(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &q));
    hsa_signal_store_relaxed(done[0], 1);
    submit(q, &work, &args[1], 0, done[0]);
    await(done[0]);
    printf("goes on\n");
    return hsa_shut_down() != HSA_STATUS_SUCCESS;
}
