/* RCCL: collectives and messages between all GPUs, of one process or, with the argument "processes", of one for each. */
#include "library.h"

#include <rccl/rccl.h>

#include <sys/wait.h>
#include <unistd.h>

static const size_t N = 5000; /* of each rank; not a multiple of what a workgroup moves */
static int ranks;

/* What rank `rank` has at the beginning: small whole numbers, whose sums are exact. */
static float given(int rank, size_t k)
{
    return (float)(k % 97 + 1) * (float)(rank + 1);
}

struct member {
    int rank = 0;
    ncclComm_t comm = nullptr;
    hipStream_t stream = nullptr;
    float *from = nullptr, *to = nullptr;

    void begin()
    {
        std::vector<float> v(N);

        for (size_t k = 0; k < N; k++)
            v[k] = given(rank, k);
        OK(hipSetDevice(rank));
        OK(hipStreamCreate(&stream));
        OK(hipMalloc((void **)&from, N * sizeof(float)));
        OK(hipMalloc((void **)&to, (size_t)ranks * N * sizeof(float)));
        OK(hipMemcpy(from, v.data(), N * sizeof(float), hipMemcpyHostToDevice));
    }
    std::vector<float> get(size_t n)
    {
        std::vector<float> v(n);

        OK(hipSetDevice(rank));
        OK(hipStreamSynchronize(stream));
        OK(hipMemcpy(v.data(), to, n * sizeof(float), hipMemcpyDeviceToHost));
        OK(hipMemset(to, 0, (size_t)ranks * N * sizeof(float)));
        OK(hipDeviceSynchronize());
        return v;
    }
    void end()
    {
        OK(hipSetDevice(rank));
        OK(ncclCommDestroy(comm));
        OK(hipFree(from));
        OK(hipFree(to));
        OK(hipStreamDestroy(stream));
    }
};

/* One operation of all members that this process has, and what each of them has then. */
template <class Call, class Want>
static void operation(const char *what, std::vector<member> &members, size_t n, Call call, Want want)
{
    OK(ncclGroupStart());
    for (member &m : members)
        call(m);
    OK(ncclGroupEnd());
    for (member &m : members) {
        std::vector<float> expected(n);
        char name[64];

        for (size_t k = 0; k < n; k++)
            expected[k] = want(m.rank, k);
        snprintf(name, sizeof name, "%s on rank %d", what, m.rank);
        expect_same(name, m.get(n), expected, 0);
    }
}

static void operations(std::vector<member> &members)
{
    float sum = (float)(ranks * (ranks + 1) / 2);

    operation(
        "all-reduce", members, N,
        [](member &m) { OK(ncclAllReduce(m.from, m.to, N, ncclFloat, ncclSum, m.comm, m.stream)); },
        [=](int, size_t k) { return given(0, k) * sum; });
    operation(
        "broadcast", members, N,
        [](member &m) { OK(ncclBroadcast(m.from, m.to, N, ncclFloat, ranks - 1, m.comm, m.stream)); },
        [](int, size_t k) { return given(ranks - 1, k); });
    operation(
        "all-gather", members, N * (size_t)ranks,
        [](member &m) { OK(ncclAllGather(m.from, m.to, N, ncclFloat, m.comm, m.stream)); },
        [](int, size_t k) { return given((int)(k / N), k % N); });
    operation(
        "reduce-scatter", members, N / (size_t)ranks,
        [](member &m) {
            OK(ncclReduceScatter(m.from, m.to, N / (size_t)ranks, ncclFloat, ncclSum, m.comm, m.stream));
        },
        [=](int rank, size_t k) { return given(0, k + N / (size_t)ranks * (size_t)rank) * sum; });
    operation(
        "send and receive", members, N,
        [](member &m) {
            OK(ncclSend(m.from, N, ncclFloat, (m.rank + 1) % ranks, m.comm, m.stream));
            OK(ncclRecv(m.to, N, ncclFloat, (m.rank + ranks - 1) % ranks, m.comm, m.stream));
        },
        [](int rank, size_t k) { return given((rank + ranks - 1) % ranks, k); });
}

static void one_process()
{
    OK(hipGetDeviceCount(&ranks));
    std::vector<member> members(ranks);
    std::vector<ncclComm_t> comms(ranks);
    OK(ncclCommInitAll(comms.data(), ranks, nullptr));
    for (int k = 0; k < ranks; k++) {
        members[k].rank = k;
        members[k].comm = comms[k];
        members[k].begin();
    }
    operations(members);
    for (member &m : members)
        m.end();
}

/* Rank `rank`; rank 0 makes the name by which the others find it, and writes it into their pipes. */
static void one_rank(int rank, int (*pipes)[2])
{
    std::vector<member> members(1);
    ncclUniqueId id;

    if (rank == 0)
        OK(ncclGetUniqueId(&id));
    for (int k = 1; rank == 0 && k < ranks; k++)
        OK(write(pipes[k][1], &id, sizeof id) != sizeof id);
    if (rank != 0)
        OK(read(pipes[rank][0], &id, sizeof id) != sizeof id);
    OK(hipSetDevice(rank));
    members[0].rank = rank;
    OK(ncclCommInitRank(&members[0].comm, ranks, id, rank));
    members[0].begin();
    operations(members);
    members[0].end();
}

/* Before HIP is used: a child has none of its parent's threads. */
static int processes(int count)
{
    int pipes[16][2], bad = 0, status;

    ranks = count;
    for (int k = 0; k < count; k++)
        OK(pipe(pipes[k]));
    for (int k = 0; k < count; k++) {
        pid_t child = fork();
        if (child == 0) {
            one_rank(k, pipes);
            exit(0);
        }
        OK(child < 0);
    }
    for (int k = 0; k < count; k++) {
        OK(wait(&status) < 0);
        bad |= status;
    }
    return bad;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, nullptr, _IOLBF, 0);
    if (argc > 1)
        OK(processes(atoi(argv[1])));
    else
        one_process();
    puts("RCCL: ok");
    return 0;
}
