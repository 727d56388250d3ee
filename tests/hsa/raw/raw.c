/* Runs samples: raw FOLDER NAME...  FOLDER has the code objects. A line for each: "NAME: ok", or what was wrong. A name
 * with a slash is another HSA runtime, which is opened and begun beside this one. */
#include "tests/hsa/raw/raw.h"

#include <dlfcn.h>

hsa_agent_t cpu, gpus[GPUS], gpu;
unsigned gpu_count;
hsa_amd_memory_pool_t fine, coarse;
const char *code_folder;

static const char *running;

void wrong(const char *file, int line, const char *what, long long got, long long want)
{
    printf("%s: %s:%d: %s: %lld (0x%llx), expected %lld\n", running, file, line, what, got, got, want);
    fflush(stdout);
    _exit(1);
}

static hsa_status_t take_agent(hsa_agent_t a, void *data)
{
    hsa_device_type_t type;

    (void)data;
    OK(hsa_agent_get_info(a, HSA_AGENT_INFO_DEVICE, &type));
    if (type == HSA_DEVICE_TYPE_CPU)
        cpu = a;
    else if (gpu_count < GPUS)
        gpus[gpu_count++] = a;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t take_pool(hsa_amd_memory_pool_t pool, void *data)
{
    hsa_amd_memory_pool_t *to = data;
    hsa_amd_segment_t segment;
    uint32_t flags = 0, want = to == &fine ? HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT
                                           : HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED;

    OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
    if (segment != HSA_AMD_SEGMENT_GLOBAL)
        return HSA_STATUS_SUCCESS;
    OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
    if (!(flags & want))
        return HSA_STATUS_SUCCESS;
    *to = pool;
    return HSA_STATUS_INFO_BREAK;
}

void start(void)
{
    OK(hsa_init());
    OK(hsa_iterate_agents(take_agent, NULL));
    EXPECT(cpu.handle && gpu_count);
    gpu = gpus[0];
    SAME(hsa_amd_agent_iterate_memory_pools(cpu, take_pool, &fine), HSA_STATUS_INFO_BREAK);
    SAME(hsa_amd_agent_iterate_memory_pools(gpu, take_pool, &coarse), HSA_STATUS_INFO_BREAK);
}

void *allocate(hsa_amd_memory_pool_t pool, size_t size)
{
    void *p = NULL;

    OK(hsa_amd_memory_pool_allocate(pool, size, 0, &p));
    OK(hsa_amd_agents_allow_access(gpu_count, gpus, NULL, p));
    return p;
}

hsa_signal_t new_signal(hsa_signal_value_t value)
{
    hsa_signal_t s;

    OK(hsa_signal_create(value, 0, NULL, &s));
    return s;
}

void wait_for(hsa_signal_t s)
{
    SAME(hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED), 0);
}

uint32_t *value_of(hsa_signal_t s)
{
    volatile hsa_signal_value_t *value = NULL;

    OK(hsa_amd_signal_value_pointer(s, &value));
    return (uint32_t *)(uintptr_t)value;
}

static void note_error(hsa_status_t status, hsa_queue_t *q, void *data)
{
    struct errors *e = data;

    if (!e)
        wrong(__FILE__, __LINE__, "an error of a queue", status, 0);
    e->status = status;
    e->queue = q;
    e->calls++;
    hsa_signal_store_screlease(e->told, 0);
}

hsa_queue_t *new_queue(struct errors *e)
{
    hsa_queue_t *q = NULL;

    if (e)
        e->told = new_signal(1);
    OK(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, note_error, e, UINT32_MAX, UINT32_MAX, &q));
    OK(hsa_amd_profiling_set_profiler_enabled(q, 1));
    return q;
}

uint64_t kernel_object(const char *name)
{
    char isa[64] = "", path[4096], symbol[64];
    hsa_code_object_reader_t reader;
    hsa_executable_symbol_t s;
    hsa_executable_t x;
    uint64_t kernel = 0;
    FILE *f;

    OK(hsa_agent_get_info(gpu, HSA_AGENT_INFO_NAME, isa));
    snprintf(path, sizeof path, "%s/kernels.%s.co", code_folder, isa);
    f = fopen(path, "rb");
    EXPECT(f);
    OK(hsa_code_object_reader_create_from_file(fileno(f), &reader));
    OK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &x));
    OK(hsa_executable_load_agent_code_object(x, gpu, reader, NULL, NULL));
    OK(hsa_executable_freeze(x, NULL));
    OK(hsa_code_object_reader_destroy(reader));
    fclose(f);
    snprintf(symbol, sizeof symbol, "%s.kd", name);
    OK(hsa_executable_get_symbol_by_name(x, symbol, &gpu, &s));
    OK(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel));
    EXPECT(kernel);
    return kernel; /* the executable lives with the program */
}

void *next_packet(hsa_queue_t *q, uint64_t *index)
{
    void *slot;

    *index = hsa_queue_add_write_index_screlease(q, 1);
    EXPECT(*index - hsa_queue_load_read_index_scacquire(q) < q->size);
    slot = (char *)q->base_address + *index % q->size * 64;
    memset((char *)slot + 4, 0, 60);
    return slot;
}

void hand_over(hsa_queue_t *q, uint64_t index, void *packet, unsigned type, bool barrier)
{
    uint32_t setup;

    memcpy(&setup, packet, sizeof setup);
    setup = (setup & 0xffff0000u) | type << HSA_PACKET_HEADER_TYPE | (uint32_t)barrier << HSA_PACKET_HEADER_BARRIER |
            HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
            HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
    __atomic_store_n((uint32_t *)packet, setup, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(q->doorbell_signal, (hsa_signal_value_t)index);
}

hsa_kernel_dispatch_packet_t *fill_dispatch(hsa_queue_t *q, uint64_t *index, uint64_t kernel, unsigned groups,
                                            struct arguments a, hsa_signal_t done)
{
    hsa_kernel_dispatch_packet_t *p = next_packet(q, index);
    struct arguments *kept = allocate(fine, sizeof *kept);

    *kept = a;
    p->setup = 1 << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS;
    p->workgroup_size_x = 64;
    p->workgroup_size_y = p->workgroup_size_z = p->grid_size_y = p->grid_size_z = 1;
    p->grid_size_x = groups * 64;
    p->kernel_object = kernel;
    p->kernarg_address = kept;
    p->completion_signal = done;
    return p;
}

void dispatch(hsa_queue_t *q, uint64_t kernel, unsigned groups, struct arguments a, hsa_signal_t done)
{
    uint64_t index;
    void *p = fill_dispatch(q, &index, kernel, groups, a, done);

    hand_over(q, index, p, HSA_PACKET_TYPE_KERNEL_DISPATCH, false);
}

/* It finds no GPU, and perhaps no driver; what it says of that is its own affair. */
static void open_another(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    hsa_status_t (*init)(void) = NULL, (*end)(void) = NULL;

    EXPECT(library);
    *(void **)&init = dlsym(library, "hsa_init");
    *(void **)&end = dlsym(library, "hsa_shut_down");
    EXPECT(init && end && init != hsa_init);
    if (init() == HSA_STATUS_SUCCESS)
        OK(end());
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } samples[] = {
        {"agents", agents},
        {"dispatches", dispatches},
        {"doorbells", doorbells},
        {"barriers", barriers},
        {"signals", signals},
        {"copies", copies},
        {"virtual_memory", virtual_memory},
        {"shared_memory", shared_memory},
        {"limits", limits},
        {"files", files},
        {"malformed", malformed},
        {"faults", faults},
        {"overruns", overruns},
        {"unwaited", unwaited},
        {"overwrites", overwrites},
        {"races", races},
        {"refused_overruns", refused_overruns},
        {"other_targets", other_targets},
        {"references", references},
        {"fault_events", fault_events},
        {"forks", forks},
        {"never_ends", never_ends},
        {"waits_alone", waits_alone},
        {"waits_barrier", waits_barrier},
        {"waits_cycle", waits_cycle},
        {"waits_any", waits_any},
    };
    const unsigned count = sizeof samples / sizeof *samples;

    if (argc < 3)
        return 2;
    code_folder = argv[1];
    running = "start";
    start();
    for (int k = 2; k < argc; k++) {
        unsigned s = 0;

        running = argv[k];
        if (strchr(argv[k], '/')) {
            open_another(argv[k]);
            printf("%s: ok\n", running);
            continue;
        }
        while (s < count && strcmp(samples[s].name, argv[k]) != 0)
            s++;
        if (s == count)
            return 2;
        samples[s].run();
        printf("%s: ok\n", running);
        fflush(stdout);
    }
    running = "end";
    OK(hsa_shut_down());
    SAME(hsa_shut_down(), HSA_STATUS_ERROR_NOT_INITIALIZED);
    return 0;
}
