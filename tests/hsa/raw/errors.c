/* Samples of what goes wrong (raw.h): each error comes as the specification says, and the program goes on. */
#include "tests/hsa/raw/raw.h"

#include <sys/wait.h>

/* The error of a queue, which is reported once; the queue is destroyed. */
static hsa_status_t error_of(hsa_queue_t *q, struct errors *e)
{
    wait_for(e->told);
    OK(hsa_queue_destroy(q));
    SAME(e->calls, 1);
    EXPECT(e->queue == q);
    return e->status;
}

enum damage {
    DIMENSIONS,
    TOO_MUCH_LDS,
    NO_KERNEL,
    BAD_TYPE,
    WORKGROUP,
    NOWHERE, /* completion signals that are none */
    NO_SIGNAL,
    DESTROYED,
    INSIDE,
    AND_OF_NOTHING, /* barriers that wait for what is no signal */
    OR_OF_NOTHING,
    DAMAGES
};

/* A handle that names no signal, though there may be memory. */
static hsa_signal_t no_signal(enum damage damage, const void *memory)
{
    hsa_signal_t s = new_signal(1);

    if (damage == NO_SIGNAL)
        return (hsa_signal_t){(uint64_t)(uintptr_t)memory};
    if (damage == INSIDE)
        return (hsa_signal_t){s.handle + 64};
    if (damage != DESTROYED)
        return (hsa_signal_t){0x1230};
    OK(hsa_signal_destroy(s));
    return s;
}

/* Makes another one of it, which waits for what is no signal after one that is there. */
static void make_barrier(void *packet, hsa_signal_t completion)
{
    hsa_barrier_and_packet_t *b = packet; /* the layout of both kinds */

    memset((char *)b + 4, 0, sizeof *b - 4);
    b->dep_signal[0] = new_signal(1);
    b->dep_signal[3] = no_signal(NOWHERE, NULL);
    b->completion_signal = completion;
}

/* A packet that is not well formed stops its queue, through the queue's callback, and no other. */
void malformed(void)
{
    static const hsa_status_t want[DAMAGES] = {
        HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, HSA_STATUS_ERROR_INVALID_ALLOCATION,
        HSA_STATUS_ERROR_INVALID_CODE_OBJECT,    HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
        HSA_STATUS_ERROR_INVALID_ARGUMENT,       HSA_STATUS_ERROR_INVALID_SIGNAL,
        HSA_STATUS_ERROR_INVALID_SIGNAL,         HSA_STATUS_ERROR_INVALID_SIGNAL,
        HSA_STATUS_ERROR_INVALID_SIGNAL,         HSA_STATUS_ERROR_INVALID_SIGNAL,
        HSA_STATUS_ERROR_INVALID_SIGNAL};
    uint64_t scale = kernel_object("scale"), index;
    uint32_t *a = allocate(fine, 256), *b = allocate(fine, 256);

    for (unsigned damage = 0; damage < DAMAGES; damage++) {
        struct errors e = {0};
        hsa_queue_t *q = new_queue(&e), *other = new_queue(NULL);
        hsa_signal_t done = new_signal(1), fine_too = new_signal(1);
        hsa_kernel_dispatch_packet_t *p = fill_dispatch(q, &index, scale, 1, (struct arguments){a, b, 1}, done);
        unsigned type = HSA_PACKET_TYPE_KERNEL_DISPATCH;

        if (damage == DIMENSIONS)
            p->setup = 4;
        if (damage == TOO_MUCH_LDS)
            p->group_segment_size = 1 << 20;
        if (damage == NO_KERNEL)
            p->kernel_object = (uint64_t)(uintptr_t)b;
        if (damage == BAD_TYPE)
            type = 77;
        if (damage == WORKGROUP)
            p->workgroup_size_x = 2000;
        if (damage >= NOWHERE && damage <= INSIDE)
            p->completion_signal = no_signal(damage, b);
        if (damage >= AND_OF_NOTHING) {
            make_barrier(p, done);
            type = damage == AND_OF_NOTHING ? HSA_PACKET_TYPE_BARRIER_AND : HSA_PACKET_TYPE_BARRIER_OR;
        }
        hand_over(q, index, p, type, false);
        wait_for(e.told);
        dispatch(other, scale, 1, (struct arguments){a, b, 1}, fine_too);
        wait_for(fine_too);
        SAME(error_of(q, &e), want[damage]);
        OK(hsa_queue_destroy(other));
    }
}

/* A kernel's access to nowhere stops its queue. */
void faults(void)
{
    struct errors e = {0};
    hsa_queue_t *q = new_queue(&e), *other = new_queue(NULL);
    hsa_signal_t done = new_signal(1), right = new_signal(1);
    uint32_t *a = allocate(coarse, 4096);

    dispatch(q, kernel_object("stray"), 1, (struct arguments){(uint32_t *)0x1000, a, 7}, done);
    wait_for(e.told);
    dispatch(other, kernel_object("stray"), 1, (struct arguments){a, a, 7}, right);
    wait_for(right);
    SAME(error_of(q, &e), HSA_STATUS_ERROR_MEMORY_FAULT);
    OK(hsa_queue_destroy(other));
}

/* Hardware sees nothing past the end of an allocation before its last page ends: in each of three dispatches 56
 * work-items read and write there. */
void overruns(void)
{
    hsa_queue_t *q = new_queue(NULL);
    hsa_signal_t done = new_signal(3);
    uint32_t *in = allocate(fine, 64), *out = allocate(fine, 64);
    uint64_t scale = kernel_object("scale");

    for (uint32_t k = 0; k < 72; k++)
        in[k] = 1000 * k;
    for (unsigned k = 0; k < 3; k++)
        dispatch(q, scale, 1, (struct arguments){in + 8, out + 8, 7}, done);
    wait_for(done);
    for (uint32_t k = 0; k < 64; k++)
        SAME(out[8 + k], 7 * in[8 + k] + k);
    OK(hsa_queue_destroy(q));
}

/* With --slack none, and with --check. */
void refused_overruns(void)
{
    struct errors e = {0};
    hsa_queue_t *q = new_queue(&e);
    uint32_t *a = allocate(coarse, 64);

    dispatch(q, kernel_object("stray"), 1, (struct arguments){a + 16, NULL, 7}, new_signal(1));
    SAME(error_of(q, &e), HSA_STATUS_ERROR_MEMORY_FAULT);
}

/* A kernel that does not wait for what it loads, which hardware would not report: it ends as any other. */
void unwaited(void)
{
    hsa_queue_t *q = new_queue(NULL);
    uint32_t *a = allocate(coarse, 64);
    hsa_signal_t done = new_signal(1);

    dispatch(q, kernel_object("early"), 1, (struct arguments){a, a + 8, 7}, done);
    wait_for(done);
    OK(hsa_queue_destroy(q));
}

static uint64_t entry_of(uint64_t kernel)
{
    int64_t offset;

    memcpy(&offset, (const char *)(uintptr_t)kernel + 16, sizeof offset);
    return kernel + (uint64_t)offset;
}

/* A kernel stores into its own code and descriptor, into a code object beside it, and into the gap before that
 * one's code, which hardware lets it: each dispatch ends as any other, and what is overwritten is no instruction that
 * runs. */
void overwrites(void)
{
    hsa_queue_t *q = new_queue(NULL);
    uint64_t stray = kernel_object("stray"), other = kernel_object("scale");
    const uint64_t at[] = {entry_of(stray) + 8, stray + 24, entry_of(other), entry_of(other) - 4};

    for (unsigned k = 0; k < 4; k++) {
        hsa_signal_t done = new_signal(1);
        dispatch(q, stray, 1, (struct arguments){(uint32_t *)(uintptr_t)at[k], NULL, 0}, done);
        wait_for(done);
        SAME(*(volatile uint32_t *)(uintptr_t)at[k], 0);
        OK(hsa_signal_destroy(done));
    }
    OK(hsa_queue_destroy(q));
}

/* Waves that race in LDS, which changes no result here, in three dispatches. */
void races(void)
{
    hsa_queue_t *q = new_queue(NULL);
    hsa_signal_t done = new_signal(3);
    uint64_t racy = kernel_object("racy");

    for (unsigned k = 0; k < 3; k++) {
        uint64_t index;
        hsa_kernel_dispatch_packet_t *p = fill_dispatch(q, &index, racy, 1, (struct arguments){NULL, NULL, 7}, done);

        p->workgroup_size_x = p->grid_size_x = 128;
        p->group_segment_size = 4;
        hand_over(q, index, p, HSA_PACKET_TYPE_KERNEL_DISPATCH, false);
    }
    wait_for(done);
    OK(hsa_queue_destroy(q));
}

static hsa_status_t note_event(const hsa_amd_event_t *event, void *data)
{
    SAME(event->event_type, HSA_AMD_GPU_MEMORY_FAULT_EVENT);
    SAME(event->memory_fault.agent.handle, gpu.handle);
    hsa_signal_store_screlease(*(hsa_signal_t *)data, (hsa_signal_value_t)event->memory_fault.virtual_address);
    return HSA_STATUS_SUCCESS;
}

void fault_events(void)
{
    static hsa_signal_t address; /* its value is that of the event */
    struct errors e = {0};
    hsa_queue_t *q = new_queue(&e);
    hsa_signal_value_t at;

    address = new_signal(0);
    OK(hsa_amd_register_system_event_handler(note_event, &address));
    dispatch(q, kernel_object("stray"), 1, (struct arguments){(uint32_t *)0x5000, NULL, 7}, new_signal(1));
    at = hsa_signal_wait_scacquire(address, HSA_SIGNAL_CONDITION_NE, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    SAME(at & ~INT64_C(4095), 0x5000);
    wait_for(e.told); /* the queue's callback comes after that of the event, and writes to e */
}

/* Code for another target is refused where it is loaded. */
void other_targets(void)
{
    char isa[64] = "", path[4096];
    hsa_code_object_reader_t reader;
    hsa_executable_t x;
    FILE *f;

    OK(hsa_agent_get_info(gpu, HSA_AGENT_INFO_NAME, isa));
    snprintf(path, sizeof path, "%s/kernels.%s.co", code_folder, strcmp(isa, "gfx90a") ? "gfx90a" : "gfx1201");
    f = fopen(path, "rb");
    EXPECT(f);
    OK(hsa_code_object_reader_create_from_file(fileno(f), &reader));
    OK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &x));
    EXPECT(hsa_executable_load_agent_code_object(x, gpu, reader, NULL, NULL) != HSA_STATUS_SUCCESS);
    OK(hsa_executable_destroy(x));
    OK(hsa_code_object_reader_destroy(reader));
    fclose(f);
}

void limits(void)
{
    void *p = NULL, *more = NULL;
    size_t size = 0;
    hsa_queue_t *q = NULL;

    OK(hsa_amd_memory_pool_get_info(coarse, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size));
    SAME(hsa_amd_memory_pool_allocate(coarse, size + 4096, 0, &p), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    SAME(hsa_amd_memory_pool_allocate(coarse, 0, 0, &p), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    SAME(hsa_amd_memory_pool_allocate(coarse, 4096, 0, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    /* much memory costs nothing before it is used */
    p = allocate(coarse, size / 2);
    ((char *)p)[size / 2 - 1] = 1;
    SAME(hsa_amd_memory_pool_allocate(coarse, size / 4 * 3, 0, &more), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    OK(hsa_amd_memory_pool_free(p));
    OK(hsa_amd_memory_pool_free(NULL));
    EXPECT(hsa_amd_memory_pool_free(&size) != HSA_STATUS_SUCCESS);
    EXPECT(hsa_queue_create(gpu, 63, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &q) != HSA_STATUS_SUCCESS);
    EXPECT(hsa_queue_create(gpu, 1 << 30, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &q) != HSA_STATUS_SUCCESS);
}

/* A child of fork() has the handles and none of the threads. */
void forks(void)
{
    uint32_t *a = allocate(fine, 256);
    hsa_queue_t *q = new_queue(NULL);
    hsa_signal_t done = new_signal(1);
    int status = 0;
    pid_t child;

    dispatch(q, kernel_object("stray"), 1, (struct arguments){a, a, 7}, done);
    wait_for(done);
    fflush(stdout);
    child = fork();
    EXPECT(child >= 0);
    if (child == 0) {
        void *p;
        bool refused =
            hsa_amd_memory_pool_allocate(fine, 4096, 0, &p) != HSA_STATUS_SUCCESS && hsa_init() != HSA_STATUS_SUCCESS;
        _exit(refused ? 0 : 9);
    }
    SAME(waitpid(child, &status, 0), child);
    SAME(status, 0);
    hsa_signal_store_relaxed(done, 1);
    dispatch(q, kernel_object("stray"), 1, (struct arguments){a, a, 8}, done);
    wait_for(done);
    SAME(a[0], 8);
    OK(hsa_queue_destroy(q));
}

void never_ends(void)
{
    uint32_t *a = allocate(fine, 256);
    hsa_queue_t *q = new_queue(NULL);
    hsa_signal_t done = new_signal(1), runs = new_signal(1);

    a[0] = 0;
    dispatch(q, kernel_object("stray"), 1, (struct arguments){a + 1, a, 7}, done);
    wait_for(done);
    hsa_signal_store_relaxed(done, 1);
    dispatch(q, kernel_object("spin"), 1, (struct arguments){a, value_of(runs), 7}, done);
    wait_for(runs);
    printf("never_ends: runs\n");
    fflush(stdout);
    wait_for(done);
}
