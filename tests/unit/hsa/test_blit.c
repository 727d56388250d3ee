/* Copies and fills of the language runtime done by the host (sim/hsa/queues/blit.c): each kind of kernel against its
 * work-items one by one, and what is left to the simulator. tests/hsa/test_blit.c has the kernels themselves. */
#include "tests/unit/hsa/code_fixture.h"

#include "sim/hsa/agents/device.h"
#include "sim/hsa/queues/blit.h"
#include "sim/hsa/queues/dispatch.h"

enum { BYTES = 65536, DST = 8192, SRC = 32768, PATTERN = 49152, MOST_WORDS = 18 };

/* A dispatch whose kernel arguments, destination, source and pattern lie in one allocation of the GPU. */
struct bench {
    struct dispatch d;
    struct kernel kernel;
    struct queue queue;
    uint8_t *memory, *want; /* want: what has to be there */
    uint64_t words[MOST_WORDS], ns;
};

static void begin(struct bench *b, enum blit_kind kind, uint32_t x, uint32_t y, uint32_t z, uint32_t workgroup)
{
    const hsa_amd_memory_pool_t pool = {pool_handle(&agent_of(gfx90a)->pool[POOL_COARSE])};

    memset(b, 0, sizeof *b);
    assert_int_equal(hsa_amd_memory_pool_allocate(pool, BYTES, 0, (void **)&b->memory), 0);
    b->want = malloc(BYTES);
    assert_non_null(b->want);
    for (uint32_t k = 0; k < BYTES; k++)
        b->memory[k] = (uint8_t)(k * 2654435761u >> 24);
    b->kernel.blit.kind = kind;
    b->kernel.info.kernarg_size = sizeof b->words;
    b->queue.device = agent_of(gfx90a)->device;
    b->d.queue = &b->queue;
    b->d.kernel = &b->kernel;
    b->d.start.kernarg_address = (uintptr_t)b->memory;
    b->d.raw.grid_size[0] = x, b->d.raw.grid_size[1] = y, b->d.raw.grid_size[2] = z;
    b->d.raw.workgroup_size[0] = workgroup, b->d.raw.workgroup_size[1] = b->d.raw.workgroup_size[2] = 1;
    b->d.ranges = range_set_hold();
}

static void end(struct bench *b)
{
    range_set_release(b->d.ranges);
    assert_int_equal(hsa_amd_memory_pool_free(b->memory), 0);
    free(b->want);
}

static uint64_t at(const struct bench *b, uint64_t offset)
{
    return (uintptr_t)b->memory + offset;
}

static uint64_t two(uint32_t low, uint32_t high)
{
    return (uint64_t)high << 32 | low;
}

/* The arguments are there, and what is to come is what is there until work() says more. */
static void put_words(struct bench *b, const uint64_t *words, size_t count)
{
    memcpy(b->words, words, count * sizeof *words);
    memcpy(b->memory, b->words, sizeof b->words);
    memcpy(b->want, b->memory, BYTES);
}
#define ARGS(B, ...)                                                                                                   \
    put_words((B), (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void expect_at_most(struct bench *b, uint64_t most, bool done)
{
    if (!done)
        memcpy(b->want, b->memory, BYTES);
    assert_int_equal(blit_run(&b->d, most, &b->ns), done);
    assert_memory_equal(b->memory, b->want, BYTES);
}

static void expect(struct bench *b, bool done)
{
    expect_at_most(b, BYTES, done);
}

/* ---- fills ---- */

/* By the first pointer that is not null, the widest one first, whose units the offset and the pattern count. */
static void fills(void **state)
{
    static const struct {
        uint32_t grid, pattern;
        uint64_t size, offset;
    } v[] = {{64, 1, 10, 0}, {64, 3, 10, 2}, {4, 3, 10, 2}, {16, 1, 16, 5}, {16, 7, 0, 0}};

    (void)state;
    for (unsigned unit = 0; unit < 4; unit++)
        for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
            struct bench b;

            begin(&b, BLIT_FILL, v[k].grid, 1, 1, 4);
            const uint64_t by = at(&b, DST), bytes = UINT64_C(1) << unit;
            ARGS(&b, unit == 0 ? by : 0, unit == 1 ? by : 0, unit == 2 ? by : 0, unit == 3 ? by : 0, at(&b, PATTERN),
                 v[k].pattern, v[k].offset, v[k].size);
            for (uint64_t id = 0; id < v[k].grid && id < v[k].size; id++)
                memcpy(b.want + DST + (v[k].offset + id * v[k].pattern) * bytes, b.memory + PATTERN,
                       v[k].pattern * bytes);
            expect(&b, true);
            end(&b);
        }
    struct bench b;
    begin(&b, BLIT_FILL, 4, 1, 1, 4);
    ARGS(&b, at(&b, 0), 0, at(&b, DST), 0, at(&b, PATTERN), 1, 0, 4); /* the wider one of two */
    memcpy(b.want + DST, b.memory + PATTERN, 4);
    for (unsigned k = 1; k < 4; k++)
        memcpy(b.want + DST + 4 * k, b.want + DST, 4);
    expect(&b, true);
    ARGS(&b, at(&b, DST), 0, 0, 0, at(&b, PATTERN), 0, 0, 4); /* no pattern */
    expect(&b, false);
    end(&b);
}

static void fills_of_rows(void **state)
{
    struct bench b;

    (void)state;
    for (unsigned small = 0; small < 2; small++) { /* the grid, or what is to be filled */
        const uint64_t width = small ? 5 : 9, height = small ? 3 : 4;

        begin(&b, BLIT_FILL_2D, small ? 16 : 9, small ? 8 : 4, 1, 1);
        ARGS(&b, 0, 0, at(&b, DST), 0, at(&b, PATTERN), 1, 3, small ? width : 99, small ? height : 99, 12);
        for (uint64_t y = 0; y < height; y++)
            for (uint64_t x = 0; x < width; x++)
                memcpy(b.want + DST + (3 + 12 * y + x) * 4, b.memory + PATTERN, 4);
        expect(&b, true);
        end(&b);
    }
    begin(&b, BLIT_FILL_2D, 16, 8, 1, 1);
    ARGS(&b, 0, 0, at(&b, DST), 0, at(&b, PATTERN), 2, 0, 5, 3, 12); /* of two elements */
    expect(&b, false);
    ARGS(&b, 0, 0, at(&b, DST), 0, at(&b, PATTERN), 1, 0, 5, 3, UINT32_MAX);
    expect(&b, false);
    end(&b);
}

/* Work-items stride through elements of so many bytes, each of which repeats the pattern; one that begins before the
 * end is written whole. */
static void fills_in_chunks(void **state)
{
    static const struct {
        uint32_t pattern, element, bytes;
    } v[] = {{1, 1, 1000}, {1, 2, 1000}, {3, 4, 1000}, {2, 8, 1001}, {1, 16, 1000}, {5, 16, 15}, {1, 16, 0}};

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++)
        for (unsigned by_id = 0; by_id < 2; by_id++) {
            struct bench b;
            const uint32_t whole = v[k].pattern * v[k].element;

            begin(&b, by_id ? BLIT_FILL_CHUNKS_BY_ID : BLIT_FILL_CHUNKS, 32, 1, 1, 8);
            ARGS(&b, at(&b, DST), at(&b, PATTERN), two(v[k].pattern, v[k].element), at(&b, DST + v[k].bytes),
                 two(32 * v[k].pattern, by_id ? 0 : 8));
            for (uint32_t n = 0; n < v[k].bytes; n += whole)
                memcpy(b.want + DST + n, b.memory + PATTERN, whole);
            expect(&b, true);
            end(&b);
        }
}

/* A stride, an element or a workgroup with which the runtimes do not start it. */
static void chunks_that_are_not_understood(void **state)
{
    static const struct {
        uint32_t pattern, element, stride, workgroup, grid, rows;
        bool done;
    } v[] = {{1, 4, 32, 8, 32, 1, true},   {2, 4, 64, 8, 32, 1, true},  {1, 3, 32, 8, 32, 1, false},
             {1, 32, 32, 8, 32, 1, false}, {0, 4, 32, 8, 32, 1, false}, {1, 4, 31, 8, 32, 1, false},
             {1, 4, 64, 8, 32, 1, false},  {1, 4, 32, 4, 32, 1, false}, {1, 4, 30, 8, 30, 1, false},
             {1, 4, 32, 8, 32, 2, false},  {2, 4, 63, 8, 32, 1, false}};

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        struct bench b;

        begin(&b, BLIT_FILL_CHUNKS, v[k].grid, v[k].rows, 1, 8);
        ARGS(&b, at(&b, DST), at(&b, PATTERN), two(v[k].pattern, v[k].element), at(&b, DST + 400),
             two(v[k].stride, v[k].workgroup));
        for (uint32_t n = 0; v[k].done && n < 400; n += v[k].pattern * v[k].element)
            memcpy(b.want + DST + n, b.memory + PATTERN, v[k].pattern * v[k].element);
        expect(&b, v[k].done);
        end(&b);
    }
}

/* ---- copies ---- */

/* Bytes; or words, of which the last one has `remain` bytes where the grid comes to it. */
static void copies(void **state)
{
    static const struct {
        uint32_t grid, remain;
        uint64_t size, bytes;
        bool done;
    } v[] = {{64, 8, 33, 33, true}, {16, 8, 33, 16, true}, {64, 4, 9, 36, true}, {64, 1, 9, 33, true},
             {64, 3, 9, 35, true},  {8, 3, 9, 32, true},   {9, 3, 9, 35, true},  {64, 5, 9, 0, false},
             {64, 7, 9, 0, false},  {64, 9, 9, 0, false},  {64, 3, 0, 0, true}};

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        struct bench b;

        begin(&b, BLIT_COPY, v[k].grid, 1, 1, 8);
        ARGS(&b, at(&b, SRC), at(&b, DST), 5, 7, v[k].size, v[k].remain);
        memcpy(b.want + DST + 7, b.memory + SRC + 5, v[k].bytes);
        expect(&b, v[k].done);
        end(&b);
    }
}

static void copies_of_elements(void **state)
{
    static const struct {
        uint32_t grid, element;
        uint64_t size, done;
    } v[] = {{64, 4, 9, 9}, {64, 16, 9, 9}, {8, 16, 9, 8}, {64, 8, 9, 0}, {64, 1, 9, 0}, {64, 0, 9, 0}};

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        struct bench b;

        begin(&b, BLIT_COPY_ALIGNED, v[k].grid, 1, 1, 8);
        ARGS(&b, at(&b, SRC), at(&b, DST), 5, 7, v[k].size, v[k].element);
        memcpy(b.want + DST + (size_t)7 * v[k].element, b.memory + SRC + (size_t)5 * v[k].element,
               v[k].done * v[k].element);
        expect(&b, v[k].done != 0);
        end(&b);
    }
}

static void copies_in_chunks(void **state)
{
    static const struct {
        uint64_t size, whole;
        uint32_t rest, element, stride, workgroup;
        bool done;
    } v[] = {{1003, 1000, 3, 4, 32, 8, true},  {1000, 1000, 0, 4, 32, 8, true},  {1007, 992, 15, 16, 32, 8, true},
             {1004, 1000, 4, 4, 32, 8, false}, {1003, 1000, 2, 4, 32, 8, false}, {1003, 1001, 2, 4, 32, 8, false},
             {1003, 1000, 3, 8, 32, 8, false}, {1003, 1000, 3, 4, 31, 8, false}, {1003, 1000, 3, 4, 32, 4, false}};

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++)
        for (unsigned by_id = 0; by_id < 2; by_id++) {
            struct bench b;
            const bool done = v[k].done || (by_id && v[k].workgroup != 8);

            begin(&b, by_id ? BLIT_COPY_CHUNKS_BY_ID : BLIT_COPY_CHUNKS, 32, 1, 1, 8);
            ARGS(&b, at(&b, SRC), at(&b, DST), v[k].size, two(v[k].rest, v[k].element), at(&b, DST + v[k].whole),
                 two(v[k].stride, by_id ? 0 : v[k].workgroup));
            memcpy(b.want + DST, b.memory + SRC, v[k].size);
            expect(&b, done);
            end(&b);
        }
}

/* Pitches, slices and origins of both, in bytes or in elements. */
static void copies_of_boxes(void **state)
{
    static const uint32_t elements[] = {1, 4, 16, 8};

    (void)state;
    for (size_t k = 0; k < sizeof elements / sizeof *elements; k++)
        for (unsigned small = 0; small < 2; small++) { /* the grid, or the box */
            struct bench b;
            const uint64_t unit = elements[k];

            begin(&b, unit == 1 ? BLIT_COPY_RECT : BLIT_COPY_RECT_ALIGNED, small ? 8 : 5, small ? 4 : 3, small ? 4 : 2,
                  1);
            ARGS(&b, at(&b, SRC), at(&b, DST), 0, 0, 11, 70, 3, 0, 9, 50, 2, 0, small ? 5 : 99, small ? 3 : 99,
                 small ? 2 : 99, unit);
            for (uint64_t z = 0; z < 2; z++)
                for (uint64_t y = 0; y < 3; y++)
                    for (uint64_t x = 0; x < 5; x++)
                        memcpy(b.want + DST + (2 + 50 * z + 9 * y + x) * unit,
                               b.memory + SRC + (3 + 70 * z + 11 * y + x) * unit, unit);
            /* from the first byte of the first row to the last of the last */
            assert_false(blit_run(&b.d, 73 * unit - 1, &b.ns));
            expect_at_most(&b, 73 * unit, unit != 8);
            end(&b);
        }
    struct bench b;
    begin(&b, BLIT_COPY_RECT, 5, 3, 2, 1);
    ARGS(&b, at(&b, SRC), at(&b, DST), 0, 0, UINT64_C(1) << 56, 70, 3, 0, 9, 50, 2, 0, 5, 3, 2, 1);
    expect(&b, false);
    end(&b);
}

/* ---- words of streams ---- */

static void words_that_are_written(void **state)
{
    static const struct {
        bool wide, sized;
        uint32_t bytes, grid;
        uint64_t offset;
        bool done;
    } v[] = {{false, false, 0, 1, 0, true},  {true, false, 0, 1, 0, true},   {false, true, 4, 1, 0, true},
             {true, true, 8, 1, 0, true},    {false, true, 8, 1, 0, false},  {true, true, 4, 1, 0, false},
             {false, false, 0, 2, 0, false}, {false, false, 0, 1, 2, false}, {true, false, 0, 1, 4, false},
             {false, false, 0, 1, 4, true}};
    const uint64_t value = UINT64_C(0x123456789abcdef0);

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        struct bench b;
        const uint64_t where = DST + v[k].offset;

        begin(&b, v[k].sized ? BLIT_WRITE_SIZED : BLIT_WRITE, v[k].grid, 1, 1, 1);
        ARGS(&b, v[k].wide ? 0 : at(&b, where), v[k].wide ? at(&b, where) : 0, value, v[k].bytes);
        memcpy(b.want + where, &value, v[k].wide ? 8 : 4);
        expect(&b, v[k].done);
        if (v[k].done)
            assert_int_equal(b.ns, 0);
        end(&b);
    }
}

/* At least, equal, any bit of, and not all bits of; one that does not hold yet is the simulator's. */
static void words_that_are_awaited(void **state)
{
    static const struct {
        uint32_t word;
        uint64_t flags, value, mask;
        bool holds;
    } v[] = {
        {5, 0, 5, ~UINT64_C(0), true},
        {5, 0, 6, ~UINT64_C(0), false},
        {0x105, 0, 6, 0xff, false},
        {5, 1, 5, ~UINT64_C(0), true},
        {6, 1, 5, ~UINT64_C(0), false},
        {0x105, 1, 5, 0xff, true},
        {6, 2, 2, 0xff, true},
        {6, 2, 1, 0xff, false},
        {0x106, 2, 0x100, 0xff, false},
        {6, 3, 1, 0xf, true},
        {6, 3, 9, 0xf, false},
        {6, 4, 6, 0xff, false},
        {5, 1, 0x700000005, ~UINT64_C(0), true},
    };

    (void)state;
    for (unsigned wide = 0; wide < 2; wide++)
        for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
            struct bench b;
            const uint64_t word = v[k].word;

            begin(&b, BLIT_WAIT, 1, 1, 1, 1);
            memcpy(b.memory + DST, &word, 8);
            ARGS(&b, wide ? 0 : at(&b, DST), wide ? at(&b, DST) : 0, v[k].value, v[k].flags, v[k].mask);
            expect(&b, v[k].holds && !(wide && v[k].value >> 32)); /* of a narrow word the lower half counts */
            end(&b);
        }
}

/* ---- what is left to the simulator ---- */

/* Memory that is not there, or overlaps, or is more than is asked for; arguments that cannot be read, and a grid that
 * does not begin at 0. */
static void left_to_the_simulator(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, BLIT_COPY, 4096, 1, 1, 8);
    ARGS(&b, at(&b, SRC), at(&b, DST), 0, 0, 100, 8);
    expect_at_most(&b, 99, false);
    memcpy(b.want + DST, b.memory + SRC, 100);
    expect_at_most(&b, 100, true);
    ARGS(&b, at(&b, DST + 99), at(&b, DST), 0, 0, 100, 8);
    expect(&b, false);
    ARGS(&b, at(&b, DST), at(&b, DST + 99), 0, 0, 100, 8);
    expect(&b, false);
    ARGS(&b, at(&b, DST + 100), at(&b, DST), 0, 0, 100, 8);
    memcpy(b.want + DST, b.memory + DST + 100, 100);
    expect(&b, true);
    ARGS(&b, at(&b, SRC), 64, 0, 0, 100, 8);
    expect(&b, false);
    ARGS(&b, 64, at(&b, DST), 0, 0, 100, 8);
    expect(&b, false);
    ARGS(&b, at(&b, SRC), at(&b, DST), 0, 0, 100, 8);
    b.d.start.kernarg_address += 4; /* not where a packet's may be */
    expect(&b, false);
    b.d.start.kernarg_address = 64;
    expect(&b, false);
    b.d.start.kernarg_address = at(&b, 0);
    b.kernel.info.kernarg_size = 1032;
    expect(&b, false);
    b.kernel.info.kernarg_size = sizeof b.words;
    b.kernel.blit.kind = BLIT_NONE;
    expect(&b, false);
    b.kernel.blit.kind = BLIT_COPY;
    b.kernel.blit.global_offset = 64;
    for (unsigned k = 0; k < 3; k++) {
        memcpy(b.memory, b.words, sizeof b.words);
        b.memory[64 + 8 * k] = 1;
        expect(&b, false);
    }
    memcpy(b.memory, b.words, sizeof b.words);
    memcpy(b.want, b.memory, BYTES);
    memcpy(b.want + DST, b.memory + SRC, 100);
    expect(&b, true);
    b.kernel.blit.global_offset = sizeof b.words - 23; /* not all of it is there */
    expect(&b, false);
    end(&b);
}

/* A copy within the device's memory reads and writes there, a fill writes alone; what is another's goes over the link.
 */
static void times(void **state)
{
    const struct device *gpu = agent_of(gfx90a)->device;
    const hsa_amd_memory_pool_t host = {pool_handle(&agent_of(cpu)->pool[POOL_FINE])};
    struct bench b;
    void *far;

    (void)state;
    begin(&b, BLIT_COPY, 16000, 1, 1, 8);
    ARGS(&b, at(&b, SRC), at(&b, DST), 0, 0, 16000, 8);
    memcpy(b.want + DST, b.memory + SRC, 16000);
    expect(&b, true);
    assert_int_equal(b.ns, (uint64_t)(16000 / (gpu->memory_bytes_per_ns / 2)));
    end(&b);
    begin(&b, BLIT_FILL, 16000, 1, 1, 8);
    ARGS(&b, at(&b, DST), 0, 0, 0, at(&b, PATTERN), 1, 0, 16000);
    memset(b.want + DST, b.memory[PATTERN], 16000);
    expect(&b, true);
    assert_int_equal(b.ns, (uint64_t)(16000 / gpu->memory_bytes_per_ns));
    end(&b);
    assert_int_equal(hsa_amd_memory_pool_allocate(host, BYTES, 0, &far), 0);
    for (unsigned to_host = 0; to_host < 2; to_host++) {
        begin(&b, BLIT_COPY, 16000, 1, 1, 8);
        ARGS(&b, to_host ? at(&b, SRC) : (uintptr_t)far, to_host ? (uintptr_t)far : at(&b, DST), 0, 0, 16000, 8);
        if (!to_host)
            memcpy(b.want + DST, far, 16000);
        expect(&b, true);
        if (to_host)
            assert_memory_equal(far, b.memory + SRC, 16000);
        assert_int_equal(b.ns, (uint64_t)(16000 / gpu->link_bytes_per_ns));
        end(&b);
    }
    assert_int_equal(hsa_amd_memory_pool_free(far), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills),
        cmocka_unit_test(fills_of_rows),
        cmocka_unit_test(fills_in_chunks),
        cmocka_unit_test(chunks_that_are_not_understood),
        cmocka_unit_test(copies),
        cmocka_unit_test(copies_of_elements),
        cmocka_unit_test(copies_in_chunks),
        cmocka_unit_test(copies_of_boxes),
        cmocka_unit_test(words_that_are_written),
        cmocka_unit_test(words_that_are_awaited),
        cmocka_unit_test(left_to_the_simulator),
        cmocka_unit_test(times),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}
