/* The problems of the whole kernels: buffers, their contents, and the launches of a run. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tests/timing/accuracy/whole.h"

enum { MAX_NUMBERS = 4, FLOYD_ROUNDS = 4, CUS = 228 };

/* A point's problem, as numbers in the order of its text. */
struct problem {
    uint64_t n[MAX_NUMBERS];
};

struct maker {
    struct gcnsim *sim;
    struct whole_plan *plan;
    struct gcnsim_error *error;
    bool failed;
};

static struct problem read_problem(const char *text)
{
    struct problem p = {{0}};
    unsigned count = 0;

    while (*text && count < MAX_NUMBERS) {
        char *end;

        if (isdigit((unsigned char)*text)) {
            p.n[count++] = strtoull(text, &end, 10);
            text = end;
        } else {
            text++;
        }
    }
    return p;
}

/* ---- buffers and arguments ---- */

static uint64_t buffer(struct maker *m, uint64_t bytes, const char *label)
{
    uint64_t at = 0;

    if (!m->failed && gcnsim_alloc(m->sim, bytes, label, &at, m->error) != GCNSIM_OK)
        m->failed = true;
    return at;
}

static uint64_t filled(struct maker *m, const uint32_t *words, uint64_t count, const char *label)
{
    uint64_t at = words ? buffer(m, 4 * (count ? count : 1), label) : 0;

    if (!words)
        m->failed = true;
    else if (!m->failed && count && gcnsim_write(m->sim, at, words, 4 * count, m->error) != GCNSIM_OK)
        m->failed = true;
    return at;
}

static struct whole_step *step(struct maker *m, const char *kernel, const uint32_t workgroup[2], uint64_t x, uint64_t y)
{
    struct whole_step *s = &m->plan->step[m->plan->steps++];

    /* whole workgroups, as HIP launches them */
    s->kernel = kernel;
    s->workgroup[0] = workgroup[0];
    s->workgroup[1] = workgroup[1];
    s->grid[0] = (uint32_t)((x + workgroup[0] - 1) / workgroup[0] * workgroup[0]);
    s->grid[1] = (uint32_t)((y + workgroup[1] - 1) / workgroup[1] * workgroup[1]);
    s->workgroup[2] = s->grid[2] = 1;
    return s;
}

static void put(struct whole_step *s, uint64_t value, uint32_t bytes)
{
    s->kernarg_bytes = (s->kernarg_bytes + bytes - 1) / bytes * bytes;
    memcpy(s->kernarg + s->kernarg_bytes, &value, bytes);
    s->kernarg_bytes += bytes;
}

static void put_buffers(struct whole_step *s, const uint64_t *at, unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        put(s, at[k], 8);
}

/* The same sequence in every run. */
static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 32);
}

/* ---- the kernels ---- */

static const uint32_t line_of_256[2] = {256, 1}, wave[2] = {64, 1};

static void plan_vectoradd(struct maker *m, const struct problem *p)
{
    uint64_t n = p->n[0], at[3] = {buffer(m, 4 * n, "a"), buffer(m, 4 * n, "b"), buffer(m, 4 * n, "c")};
    struct whole_step *s = step(m, "vectoradd", line_of_256, n, 1);

    put_buffers(s, at, 3);
    put(s, n, 4);
}

static double work_vectoradd(const struct problem *p)
{
    return 3 * (double)p->n[0];
}

static void plan_relu(struct maker *m, const struct problem *p)
{
    uint64_t n = p->n[0], at[2] = {buffer(m, 4 * n, "in"), buffer(m, 4 * n, "out")};
    struct whole_step *s = step(m, "relu", line_of_256, n, 1);

    put_buffers(s, at, 2);
    put(s, n, 4);
}

static double work_relu(const struct problem *p)
{
    return 2 * (double)p->n[0];
}

static void plan_memcopy(struct maker *m, const struct problem *p)
{
    static const uint32_t group[2] = {512, 1};
    uint64_t bytes = p->n[0] << 20, grid = CUS * UINT64_C(512);
    uint64_t at[2] = {buffer(m, bytes, "from"), buffer(m, bytes, "to")};

    if (grid > bytes / 16)
        grid = (bytes / 16 + 511) / 512 * 512;
    struct whole_step *s = step(m, "memcopy", group, grid, 1);
    put_buffers(s, at, 2);
    put(s, bytes / 16, 8);
    put(s, grid, 4);
}

static double work_memcopy(const struct problem *p)
{
    return 2 * (double)(p->n[0] << 20) / 16 * 4;
}

static void plan_fir(struct maker *m, const struct problem *p)
{
    uint64_t n = p->n[0], taps = p->n[1];
    uint64_t at[3] = {buffer(m, 4 * n, "in"), buffer(m, 4 * taps, "coefficients"), buffer(m, 4 * n, "out")};
    struct whole_step *s = step(m, "fir", line_of_256, n, 1);

    put_buffers(s, at, 3);
    put(s, n, 4);
    put(s, taps, 4);
}

static double work_fir(const struct problem *p)
{
    return (double)p->n[0] * (double)(p->n[1] + 1);
}

static void plan_stencil2d(struct maker *m, const struct problem *p)
{
    static const uint32_t column[2] = {1, 64};
    uint64_t n = p->n[0], pitch = (n + 2 + 15) / 16 * 16, bytes = 4 * pitch * (n + 2);
    uint64_t at[2] = {buffer(m, bytes, "in"), buffer(m, bytes, "out")};
    struct whole_step *s = step(m, "stencil2d", column, n / 8, p->n[1]);

    put_buffers(s, at, 2);
    put(s, pitch, 4);
    for (unsigned k = 0; k < 3; k++)
        put(s, 0x3e800000, 4); /* 0.25 */
}

static double work_stencil2d(const struct problem *p)
{
    return 10 * (double)p->n[0] * (double)p->n[1];
}

static void plan_bicg(struct maker *m, const struct problem *p)
{
    uint64_t n = p->n[0], a = buffer(m, 4 * n * n, "a");
    uint64_t rows[3] = {a, buffer(m, 4 * n, "p"), buffer(m, 4 * n, "q")};
    uint64_t columns[3] = {a, buffer(m, 4 * n, "r"), buffer(m, 4 * n, "s")};
    struct whole_step *s = step(m, "bicg_rows", line_of_256, n, 1);

    put_buffers(s, rows, 3);
    put(s, n, 4);
    s = step(m, "bicg_columns", line_of_256, n, 1);
    put_buffers(s, columns, 3);
    put(s, n, 4);
}

static double work_bicg(const struct problem *p)
{
    return 6 * (double)p->n[0] * (double)p->n[0];
}

static void floyd_arguments(struct whole_plan *plan, unsigned round)
{
    uint32_t k = round;

    memcpy(plan->step[0].kernarg + plan->step[0].kernarg_bytes - 4, &k, 4);
}

/* A full graph of random distances. Groups of 8 x 8: of wider ones each XCD would read a line once, and
 * the measured times rise as more than that is read. */
static void plan_floydwarshall(struct maker *m, const struct problem *p)
{
    uint64_t n = p->n[0], seed = 1;
    static const uint32_t group[2] = {8, 8};
    uint32_t *words = malloc(4 * n * n);

    for (uint64_t k = 0; words && k < n * n; k++)
        words[k] = 1 + next_random(&seed) % 1000;
    uint64_t at[2] = {filled(m, words, n * n, "distance"), buffer(m, 4 * n * n, "path")};
    struct whole_step *s = step(m, "floydwarshall", group, n, n);

    free(words);
    put_buffers(s, at, 2);
    put(s, n, 4);
    put(s, 0, 4);
    m->plan->rounds = (unsigned)n;
    m->plan->simulated = n < FLOYD_ROUNDS ? (unsigned)n : FLOYD_ROUNDS;
    m->plan->arguments = floyd_arguments;
}

static double work_floydwarshall(const struct problem *p)
{
    return FLOYD_ROUNDS * 4 * (double)p->n[0] * (double)p->n[0];
}

/* ---- sparse matrices ---- */

struct csr {
    uint32_t *start, *column; /* start[rows + 1] */
    uint64_t rows, count;
};

static void csr_free(struct csr *c)
{
    free(c->start);
    free(c->column);
}

/* As many entries in each row: measured times rise by the same for each entry of a row, from 4 to 32, where rows of
 * random lengths would wait for the longest of a wave. They lie side by side from the diagonal on, around the end: with
 * 262144 rows of 4 the kernel takes 3.3 us, in which L2s do not deliver a line of 128 bytes for each entry (5.2 us), as
 * entries at random would need. */
static bool csr_even(struct csr *c, uint64_t n, uint64_t count)
{
    uint64_t each = count / n;

    *c = (struct csr){calloc(n + 1, 4), malloc(4 * count), n, each * n};
    if (!c->start || !c->column)
        return false;
    for (uint64_t r = 0; r < n; r++) {
        for (uint64_t k = 0; k < each; k++)
            c->column[r * each + k] = (uint32_t)((r + k) % n);
        c->start[r + 1] = (uint32_t)((r + 1) * each);
    }
    return true;
}

/* Every second entry on average. */
static bool csr_half(struct csr *c, uint64_t n)
{
    uint64_t seed = 3, at = 0;

    *c = (struct csr){calloc(n + 1, 4), malloc(4 * n * n), n, 0};
    if (!c->start || !c->column)
        return false;
    for (uint64_t r = 0; r < n; r++) {
        for (uint64_t col = 0; col < n; col++)
            if (next_random(&seed) >> 31)
                c->column[at++] = (uint32_t)col;
        c->start[r + 1] = (uint32_t)at;
    }
    c->count = at;
    return true;
}

static void plan_spmv(struct maker *m, const struct problem *p)
{
    uint64_t n = p->n[0];
    struct csr c;
    bool made = csr_even(&c, n, p->n[2]);
    uint64_t at[5] = {buffer(m, 4 * c.count, "values"), filled(m, made ? c.column : NULL, c.count, "columns"),
                      filled(m, made ? c.start : NULL, n + 1, "row starts"), buffer(m, 4 * n, "x"),
                      buffer(m, 4 * n, "y")};
    /* groups of four waves: an entry takes the same 790 cycles whatever the stride, which are four waves in the banks
     * of one vL1D, and twice that where 228 CUs have more than a group */
    struct whole_step *s = step(m, "spmv_csr_scalar", line_of_256, n, 1);

    csr_free(&c);
    put_buffers(s, at, 5);
    put(s, n, 4);
}

static double work_spmv(const struct problem *p)
{
    return 3 * (double)p->n[2] + 3 * (double)p->n[0];
}

/* The ranks of the round before are read, the others written. */
static void pagerank_arguments(struct whole_plan *plan, unsigned round)
{
    memcpy(plan->step[0].kernarg + 24, &plan->buffer[round % 2], 8);
    memcpy(plan->step[0].kernarg + 32, &plan->buffer[1 - round % 2], 8);
}

static void plan_pagerank(struct maker *m, const struct problem *p)
{
    uint64_t n = p->n[0];
    struct csr c;
    bool made = csr_half(&c, n);
    uint64_t at[5] = {filled(m, made ? c.start : NULL, n + 1, "row starts"),
                      filled(m, made ? c.column : NULL, c.count, "columns"), buffer(m, 4 * c.count + 4, "values"),
                      buffer(m, 4 * n, "ranks"), buffer(m, 4 * n, "next ranks")};
    struct whole_step *s = step(m, "pagerank", wave, 64 * n, 1);

    csr_free(&c);
    put_buffers(s, at, 5);
    put(s, n, 4);
    memcpy(m->plan->buffer, at + 3, 16);
    m->plan->rounds = m->plan->simulated = (unsigned)p->n[3];
    m->plan->arguments = pagerank_arguments;
}

static double work_pagerank(const struct problem *p)
{
    return (double)p->n[3] * 3 * (double)p->n[0] * ((double)p->n[0] / 2 + 64);
}

static void plan_matrix(struct maker *m, const struct problem *p)
{
    static const uint32_t group[2] = {8, 8};
    uint64_t n = p->n[0], bytes = 4 * n * n;
    uint64_t at[3] = {buffer(m, bytes, "a"), buffer(m, bytes, "b"), buffer(m, bytes, "c")};
    struct whole_step *s = step(m, "matrixmultiplication", group, n / 4, n / 4);

    put_buffers(s, at, 3);
    put(s, n, 4);
}

/* Five loads for 16 multiplications, which count as much as a load does. */
static double work_matrix(const struct problem *p)
{
    return (double)p->n[0] * (double)p->n[0] * (double)p->n[0] / 2;
}

static double one_launch(const struct problem *p)
{
    (void)p;
    return 1;
}

static double two_launches(const struct problem *p)
{
    (void)p;
    return 2;
}

static double launch_a_node(const struct problem *p)
{
    return (double)p->n[0];
}

static const struct kernel {
    const char *name;
    void (*plan)(struct maker *m, const struct problem *p);
    double (*work)(const struct problem *p);
    double (*launches)(const struct problem *p);
} kernels[] = {
    {"vectoradd", plan_vectoradd, work_vectoradd, one_launch},
    {"memcopy_d2d", plan_memcopy, work_memcopy, one_launch},
    {"floydwarshall", plan_floydwarshall, work_floydwarshall, launch_a_node},
    {"fir", plan_fir, work_fir, one_launch},
    {"bicg", plan_bicg, work_bicg, two_launches},
    {"relu", plan_relu, work_relu, one_launch},
    {"pagerank", plan_pagerank, work_pagerank, two_launches},
    {"stencil2d", plan_stencil2d, work_stencil2d, one_launch},
    {"spmv_csr_scalar", plan_spmv, work_spmv, one_launch},
    {"matrixmultiplication", plan_matrix, work_matrix, one_launch},
};

static const struct kernel *find(const char *name)
{
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        if (!strcmp(kernels[k].name, name))
            return &kernels[k];
    return NULL;
}

bool whole_plan(struct gcnsim *sim, const char *kernel, const char *problem, struct whole_plan *plan,
                struct gcnsim_error *error)
{
    const struct kernel *k = find(kernel);
    struct problem p = read_problem(problem);
    struct maker m = {.sim = sim, .plan = plan, .error = error};

    memset(plan, 0, sizeof *plan);
    plan->rounds = plan->simulated = 1;
    if (!k) {
        snprintf(error->text, sizeof error->text, "no kernel %s", kernel);
        return false;
    }
    k->plan(&m, &p);
    return !m.failed;
}

double whole_work(const char *kernel, const char *problem, double *launches)
{
    const struct kernel *k = find(kernel);
    struct problem p = read_problem(problem);

    *launches = k ? k->launches(&p) : 0;
    return k ? k->work(&p) : 0;
}
