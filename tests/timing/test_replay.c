/* The split of thread traces into what was looked at and what was held out (tests/timing/replay_split.txt): the file as
 * it is, what a wrong one is refused with, and the table; and the state of the chip that a recording shows. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/api.h"
#include "tests/support/folder.h"
#include "tests/timing/replay.h"

static struct split split;

/* Both halves have kernels, and names are whole. */
static void the_file(void **state)
{
    struct err e = {0};
    size_t of_b = 0;

    (void)state;
    assert_int_equal(split_read(&split, "tests/timing/replay_split.txt", &e), 0);
    for (size_t k = 0; k < split.count; k++)
        of_b += split.half[k] == 'B';
    assert_in_range(of_b, 1, split.count - 1);
    assert_int_equal(split_half(&split, "gfx1100-E_3-bd621d.co"), 'A');
    assert_int_equal(split_half(&split, "gfx1100-E_3-bd621d"), 'A');
    assert_int_equal(split_half(&split, "gfx1100-E_3-bd621"), SPLIT_UNKNOWN);
    assert_int_equal(split_half(&split, "gfx1100-E_3-bd621d0.co"), SPLIT_UNKNOWN);
}

static void read_text(const char *text, struct err *e, int expected)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/split", program_folder());
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(split_read(&split, path, e), expected);
}

static void wrong_files(void **state)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {{"a-1 A\nb-2 C because\n", "line 2: expected a kernel, its half (A or B)"},
                 {"\n# word\na-1\n", "line 3: expected a kernel"},
                 {"a-1 AB\n", "line 1: expected a kernel"},
                 {"a-1 A\nb-2 B\na-1 B\n", "line 3: a kernel that is there already"}};
    struct err e = {0};

    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        e = (struct err){0};
        read_text(wrong[k].text, &e, -1);
        assert_non_null(strstr(e.text, wrong[k].says));
    }
    e = (struct err){0};
    read_text("# nothing\n\n  b-2 \t B why not # and more", &e, 0);
    assert_int_equal(split.count, 1);
    assert_int_equal(split_half(&split, "b-2.co"), 'B');
    assert_int_equal(split_read(&split, "/nonexistent/split", &e), -1);
    assert_non_null(strstr(e.text, "/nonexistent/split: cannot be read"));
}

/* Two kernels of half A and one of half B: a quarter and all of their distances are exact. */
static void table(void **state)
{
    static struct kernel k[3] = {{.key = "x-1.co", .target = "x", .half = 'A'},
                                 {.key = "x-2.co", .target = "x", .half = 'B'},
                                 {.key = "x-3.co", .target = "x", .half = 'A'}};
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);

    (void)state;
    assert_non_null(f);
    for (int n = 0; n < 4; n++) {
        errors_add(&k[n % 2 ? 2 : 0].model.all, n);
        errors_add(&k[1].model.all, 0);
    }
    split_print(f, k, 3);
    fclose(f);
    assert_non_null(strstr(text, "\nx        A        2         4     25.0        -     1.50        -"));
    assert_non_null(strstr(text, "\nx        B        1         4    100.0        -     0.00        -"));
    assert_null(strchr(text, SPLIT_UNKNOWN));
    free(text);
    for (int n = 0; n < 3; n++)
        score_free(&k[n].model);
}

/* At a fifth of the shaders' clock, what memory adds to the MALL's latency takes a fifth of its cycles, and nothing
 * that runs at their clock changes; a clock above the profile's is not followed. */
static void recorded_clocks(void **state)
{
    static const double fifth[] = {0.2, 1.2};
    struct gcnsim_error problem = {0};

    (void)state;
    for (size_t n = 0; n < 2; n++) {
        struct gcnsim *sim;
        struct trace t = {.clock_mhz = 2500 * fifth[n]};

        assert_int_equal(gcnsim_open(&sim, "gfx1100", &problem), 0);
        assert_int_equal(replay_clock(sim, &t, &problem), 0);
        assert_int_equal(sim->profile->cache[LEVEL_MALL].hit_latency_cycles, 376);
        assert_int_equal(sim->profile->dram.latency_cycles, n ? 626 : 376 + 50);
        assert_int_equal(sim->profile->tlb.walk_read_cycles, n ? 350 : 100 + 50);
        gcnsim_close(sim);
    }
}

/* Code that ends a line of 8 translations of 4 KB leaves what the kernel writes to the next. */
static void recorded_places(void **state)
{
    struct gcnsim_error problem = {0};

    (void)state;
    for (unsigned page = 0; page < 16; page++) {
        struct gcnsim *sim;
        struct trace t = {.entry = UINT64_C(0x200001000600) + page * 4096};

        assert_int_equal(gcnsim_open(&sim, "gfx1200", &problem), 0);
        assert_int_equal(replay_runtime(sim, &t, &problem), 0);
        assert_int_equal(sim->profile->tlb.neighbour_bytes, page % 8 == 7 ? 0 : 8192);
        assert_false(sim->profile->frontend.scalar_prefetch);
        assert_int_equal(replay_beside_runtime(sim, &t), page < 8);
        gcnsim_close(sim);
    }
}

/* A recording of a dispatch with no shader engine, whose kernel arguments lie at an address. */
static void write_recording(const char *name, uint64_t kernarg)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%s", program_folder(), name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f,
            "{\"target\": \"gfx1100\", \"kernel\": \"k\", \"code_object\": \"k.co\", \"capture\": \"c\", "
            "\"workgroups\": [1, 1, 1], \"workgroup_size\": [32, 1, 1], \"entry_offset_in_text\": 0, "
            "\"buffers_elements\": [], \"shader_engines\": [], \"kernel_descriptor\": "
            "{\"kernel_code_properties\": \"0x8\"}, \"registers\": {\"USER_DATA_0\": \"0x%x\", "
            "\"USER_DATA_1\": \"0x%x\", \"PGM_LO\": \"0x%x\", \"PGM_HI\": \"0x20\"}}",
            (unsigned)kernarg, (unsigned)(kernarg >> 32), 0x10076 + 0x80 * (unsigned)(kernarg & 8));
    assert_int_equal(fclose(f), 0);
}

/* Those of the same capture and target whose arguments lie before: the runtime hands them out in order. */
static void dispatches_before(void **state)
{
    static char *const name[] = {"gfx1100-a-1.c.json", "gfx1100-b-2.c.json", "gfx1100-d-3.c.json", "gfx1100-e-4.x.json",
                                 "gfx1200-a-1.c.json", "gfx1100-f-5.c.json", "gfx1100-g-6.c.json"};
    static const uint64_t kernarg[] = {
        0x200007000010, 0x200007000008, 0x200007000018, 0x200007000000, 0x200007000000, 0, 0x200007000000};
    enum { COUNT = sizeof name / sizeof name[0] };
    char path[PATH_MAX];
    struct err e = {0};
    struct replay_before b;
    struct trace *t;

    (void)state;
    for (size_t k = 0; k < COUNT; k++)
        write_recording(name[k], kernarg[k]);
    snprintf(path, sizeof path, "%s/%s", program_folder(), name[0]);
    t = replay_trace_open(path, &e);
    assert_non_null(t);
    replay_before_open(&b, t, program_folder(), name[0], name, COUNT);
    assert_int_equal(b.count, 2);
    assert_int_equal(b.trace[0]->kernarg, kernarg[6]);
    assert_int_equal(b.trace[1]->kernarg, kernarg[1]);
    assert_true(replay_maps(t));
    assert_true(replay_same_translations(t, b.trace[0]));
    assert_false(replay_same_translations(t, b.trace[1]));
    replay_before_close(&b);
    t->kernarg = 0; /* not known */
    replay_before_open(&b, t, program_folder(), name[0], name, COUNT);
    assert_int_equal(b.count, 0);
    t->entry = 0x7efd2489d700; /* of the kernel's driver */
    assert_false(replay_maps(t));
    trace_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_file),        cmocka_unit_test(wrong_files),     cmocka_unit_test(table),
        cmocka_unit_test(recorded_clocks), cmocka_unit_test(recorded_places), cmocka_unit_test(dispatches_before),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
