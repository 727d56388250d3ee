/* Kernels that print: the language runtime takes their lines from them while they run (hostcall), by a buffer for each
 * of its queues. Lines are numbered, so that one that is missing or came twice is seen. */
#include "check.h"

#include <dirent.h>
#include <sched.h>
#include <unistd.h>

#include <cstring>

enum { STREAMS = 4, DISPATCHES = 12, WORKGROUPS = 3, ITEMS = 128 };

static hipStream_t stream[STREAMS];
static int *done;

__global__ void each_item(int dispatch, int *done)
{
    printf("dispatch %d line %d\n", dispatch, (int)(blockIdx.x * blockDim.x + threadIdx.x));
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(done, 1);
}

/* A wave has one packet of the buffer at a time. */
__global__ void each_wave(int dispatch)
{
    int item = blockIdx.x * blockDim.x + threadIdx.x;

    if (item % warpSize == 0)
        printf("dispatch %d line %d\n", dispatch, item / warpSize);
}

/* Rings the doorbell of its queue until the others are done. */
__global__ void ring_on(int *done, int workgroups)
{
    while (atomicAdd(done, 0) < workgroups)
        printf("ring\n");
}

/* Dispatches in the first of the streams, which overlap. */
static void in_streams(int streams)
{
    for (int k = 0; k < DISPATCHES; k++)
        each_item<<<WORKGROUPS, ITEMS, 0, stream[k % streams]>>>(k, done);
}

/* Waits until every other thread of the process sleeps. */
static void await_sleepers()
{
    for (bool all = false; !all; sched_yield()) {
        DIR *tasks = opendir("/proc/self/task");

        all = tasks;
        while (dirent *e = tasks ? readdir(tasks) : nullptr) {
            char path[64], text[256] = "";
            std::snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", e->d_name);
            FILE *f = std::atoi(e->d_name) == getpid() || e->d_name[0] == '.' ? nullptr : std::fopen(path, "r");
            if (!f)
                continue;
            const char *name_end = std::fgets(text, sizeof text, f) ? std::strrchr(text, ')') : nullptr;
            all &= name_end && name_end[2] == 'S';
            std::fclose(f);
        }
        if (tasks)
            closedir(tasks);
    }
}

/* One after the other, in two streams; between them the runtime's listener goes back to sleep. */
static void in_turns()
{
    for (int k = 0; k < 4; k++) {
        each_wave<<<1, 32, 0, stream[k % 2]>>>(k);
        CHECK(hipDeviceSynchronize());
        std::fflush(stdout);
        await_sleepers();
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "streams";

    for (hipStream_t &s : stream)
        CHECK(hipStreamCreateWithFlags(&s, hipStreamNonBlocking));
    CHECK(hipMalloc(&done, sizeof *done));
    CHECK(hipMemset(done, 0, sizeof *done));
    CHECK(hipDeviceSynchronize());
    if (!std::strcmp(what, "streams")) {
        in_streams(STREAMS);
    } else if (!std::strcmp(what, "ring")) {
        in_streams(STREAMS - 1);
        ring_on<<<1, 1, 0, stream[STREAMS - 1]>>>(done, DISPATCHES * WORKGROUPS);
    } else if (!std::strcmp(what, "turns")) {
        in_turns();
    } else {
        each_wave<<<std::atoi(what), 256, 0, stream[0]>>>(0);
    }
    CHECK(hipDeviceSynchronize());
    std::printf("printed all\n");
    return 0;
}
