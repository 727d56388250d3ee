/* The device of a simulator through the public API: what its launches share, what makes it cold, how writes of the host
 * and code that goes and comes are seen; and the steady launch of a sequence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"

#define CODE "traces/samples/gfx90a/vecadd.co"

enum { FLOATS = 512 };

struct bench {
    struct gcnsim *sim;
    struct gcnsim_module *module;
    uint64_t in, out; /* FLOATS floats each */
    int cold;
};

static void set_up(struct bench *b)
{
    struct gcnsim_error error = {0};

    *b = (struct bench){0};
    if (gcnsim_open(&b->sim, "gfx90a", &error) || gcnsim_load_file(b->sim, &b->module, CODE, NULL, &error) ||
        gcnsim_alloc(b->sim, 4 * FLOATS, "in", &b->in, &error) ||
        gcnsim_alloc(b->sim, 4 * FLOATS, "out", &b->out, &error))
        fail_msg("%s", error.text);
}

static struct gcnsim_result *launch(struct bench *b)
{
    struct {
        uint64_t x, y, out;
        uint32_t n;
    } kernarg = {b->in, b->in, b->out, FLOATS};
    struct gcnsim_error error = {0};
    struct gcnsim_result *r = NULL;
    struct gcnsim_dispatch d;

    gcnsim_dispatch_init(&d);
    assert_int_equal(d.acquire, GCNSIM_FENCE_AGENT);
    assert_int_equal(d.release, GCNSIM_FENCE_AGENT);
    d.grid_size[0] = FLOATS;
    d.workgroup_size[0] = 64;
    d.kernarg = &kernarg;
    d.kernarg_size = sizeof kernarg;
    d.cold = b->cold;
    if (gcnsim_launch(b->module, &d, &r, &error))
        fail_msg("%s", error.text);
    assert_int_equal(r->outcome, GCNSIM_COMPLETED);
    return r;
}

static double launched(struct bench *b, const char *name)
{
    struct gcnsim_result *r = launch(b);
    double v = -1;

    assert_int_equal(gcnsim_result_stat(r, name, &v), GCNSIM_OK);
    gcnsim_result_free(r);
    return v;
}

/* The input alone comes from DRAM: 2 KiB, beside arguments and code. */
#define FROM_DRAM "dram.read_bytes"

static void launches_share_the_device(void **state)
{
    struct bench b;

    (void)state;
    set_up(&b);
    assert_int_equal(gcnsim_device_clock(b.sim), 0);
    assert_true(launched(&b, FROM_DRAM) >= 4 * FLOATS);
    uint64_t clock = gcnsim_device_clock(b.sim);
    assert_true(clock > 0);
    assert_true(launched(&b, FROM_DRAM) < 4 * FLOATS);
    assert_true(gcnsim_device_clock(b.sim) > clock);
    /* a cold launch leaves it alone */
    clock = gcnsim_device_clock(b.sim);
    b.cold = 1;
    assert_true(launched(&b, FROM_DRAM) >= 4 * FLOATS);
    assert_int_equal(gcnsim_device_clock(b.sim), clock);
    b.cold = 0;
    assert_true(launched(&b, FROM_DRAM) < 4 * FLOATS);
    gcnsim_close(b.sim);
}

static void what_makes_it_cold(void **state)
{
    struct gcnsim_error error = {0};
    struct bench b;

    (void)state;
    set_up(&b);
    gcnsim_device_reset(b.sim); /* there is none yet */
    launched(&b, FROM_DRAM);
    gcnsim_device_reset(b.sim);
    assert_int_equal(gcnsim_device_clock(b.sim), 0);
    assert_true(launched(&b, FROM_DRAM) >= 4 * FLOATS);
    assert_int_equal(gcnsim_set(b.sim, "dram.latency_cycles", "600", &error), GCNSIM_OK);
    assert_int_equal(gcnsim_device_clock(b.sim), 0);
    assert_true(launched(&b, FROM_DRAM) >= 4 * FLOATS);
    gcnsim_close(b.sim);
}

static void the_host_writes(void **state)
{
    struct gcnsim_error error = {0};
    static float data[FLOATS], back[FLOATS];
    struct bench b;

    (void)state;
    set_up(&b);
    launched(&b, FROM_DRAM);
    for (int k = 0; k < FLOATS; k++)
        data[k] = (float)k;
    assert_int_equal(gcnsim_write(b.sim, b.in, data, sizeof data, &error), GCNSIM_OK);
    assert_true(launched(&b, FROM_DRAM) >= sizeof data);
    assert_int_equal(gcnsim_read(b.sim, b.out, back, sizeof back, &error), GCNSIM_OK);
    for (int k = 0; k < FLOATS; k++)
        assert_true(back[k] == 2 * (float)k);
    assert_true(launched(&b, FROM_DRAM) < sizeof data);
    gcnsim_close(b.sim);
}

/* The instruction cache is warm from launch to launch, not for code that was loaded in between. */
static void code_comes_and_goes(void **state)
{
    struct gcnsim_error error = {0};
    struct bench b;

    (void)state;
    set_up(&b);
    assert_true(launched(&b, "cache.i.misses") > 0);
    assert_true(launched(&b, "cache.i.misses") == 0);
    gcnsim_unload(b.module);
    assert_int_equal(gcnsim_load_file(b.sim, &b.module, CODE, NULL, &error), GCNSIM_OK);
    assert_true(launched(&b, "cache.i.misses") > 0);
    gcnsim_close(b.sim);
}

static void bad_fences(void **state)
{
    struct gcnsim_error error = {0};
    struct gcnsim_result *r;
    struct gcnsim_dispatch d;
    struct bench b;

    (void)state;
    set_up(&b);
    gcnsim_dispatch_init(&d);
    d.acquire = (enum gcnsim_fence)7;
    assert_int_equal(gcnsim_launch(b.module, &d, &r, &error), GCNSIM_ERROR_USAGE);
    assert_string_equal(error.text, "fences 7, 1; expected GCNSIM_FENCE_NONE, _AGENT or _SYSTEM");
    gcnsim_close(b.sim);
}

static void buffers_by_name(void **state)
{
    static const char *const names[] = {"x"}, *const specs[] = {"buf:64"};
    static const char *const args[] = {"buffer:x", "buffer:x", "buffer:x", "u32:16"};
    struct gcnsim_error error = {0};
    struct gcnsim_buffers *buffers;
    struct gcnsim_args *a;
    struct bench b, other;
    uint64_t address, size, found;

    (void)state;
    set_up(&b);
    set_up(&other);
    assert_int_equal(gcnsim_buffers_make(b.sim, names, specs, 1, NULL, &buffers, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_buffers_find(buffers, "x", &address, &size), GCNSIM_OK);
    assert_int_equal(size, 64);
    assert_int_not_equal(gcnsim_buffers_find(buffers, "y", &address, &size), GCNSIM_OK);
    assert_int_equal(gcnsim_args_parse_shared(b.module, 0, args, 4, NULL, buffers, &a, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_args_buffer(a, 2, &found, &size), GCNSIM_OK);
    assert_true(found == address && size == 64);
    gcnsim_args_free(a);
    assert_int_equal(gcnsim_args_parse_shared(other.module, 0, args, 4, NULL, buffers, &a, &error), GCNSIM_ERROR_USAGE);
    assert_string_equal(error.text, "buffers of another simulator");
    assert_int_equal(gcnsim_args_parse(b.module, 0, args, 4, NULL, &a, &error), GCNSIM_ERROR_USAGE);
    assert_int_equal(gcnsim_buffers_write_output(buffers, 0, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_buffers_write_output(buffers, 9, &error), GCNSIM_OK);
    gcnsim_buffers_free(buffers);
    gcnsim_buffers_free(NULL);
    gcnsim_close(b.sim);
    gcnsim_close(other.sim);
}

/* ---- the steady launch ---- */

static size_t steady_of(const struct gcnsim_sequence *s, uint32_t launch)
{
    size_t index = 99;

    return gcnsim_sequence_steady(s, launch, &index) == GCNSIM_OK ? index : 99;
}

static void the_steady_launch(void **state)
{
    struct gcnsim_sequence_item item[6];
    struct gcnsim_sequence s = {.rounds = 6, .items = item};
    struct gcnsim_result *r[6];
    double cycles[6];
    struct bench b;

    (void)state;
    set_up(&b);
    for (unsigned k = 0; k < 6; k++) {
        r[k] = launch(&b);
        item[k] = (struct gcnsim_sequence_item){.result = r[k], .round = k};
        assert_int_equal(gcnsim_result_stat(r[k], "cycles", &cycles[k]), GCNSIM_OK);
    }
    assert_int_equal(steady_of(&s, 0), 99); /* of none */
    s.count = 1;
    assert_int_equal(steady_of(&s, 0), 0);
    assert_int_equal(steady_of(&s, 1), 99);
    s.count = 2; /* the lower of two: the second is warm */
    assert_true(cycles[1] < cycles[0]);
    assert_int_equal(steady_of(&s, 0), 1);
    item[1].warmup = 1;
    assert_int_equal(steady_of(&s, 0), 0);
    item[1].warmup = 0;
    s.count = 6;
    size_t index = steady_of(&s, 0), below = 0, above = 0;
    for (size_t k = 0; k < 6; k++) {
        below += cycles[k] < cycles[index];
        above += cycles[k] > cycles[index];
        assert_true(k >= index || cycles[k] != cycles[index]); /* the first of equal ones */
    }
    assert_true(below <= 2 && above <= 3);
    item[0].launch = 1; /* another place in the list */
    assert_int_equal(steady_of(&s, 1), 0);
    for (unsigned k = 0; k < 6; k++)
        gcnsim_result_free(r[k]);
    gcnsim_close(b.sim);
}

/* A table says the same of results that have been shrunk; what needs them whole says so. */
static void shrunk_results(void **state)
{
    struct gcnsim_sequence_item item[4];
    struct gcnsim_sequence s = {.rounds = 4, .items = item, .count = 4};
    struct gcnsim_result *r[4];
    struct gcnsim_error error;
    char *whole, *text = NULL;
    struct bench b;

    (void)state;
    set_up(&b);
    for (unsigned k = 0; k < 4; k++) {
        r[k] = launch(&b);
        item[k] = (struct gcnsim_sequence_item){.result = r[k], .round = k};
    }
    assert_int_equal(gcnsim_sequence_text(&s, &whole, &error), GCNSIM_OK);
    size_t steady = steady_of(&s, 0);
    for (size_t k = 0; k < 4; k++)
        if (k != steady) {
            assert_true(gcnsim_result_bytes(r[k]) > 20000);
            item[k].result = r[k] = gcnsim_result_shrink(r[k]);
            assert_true(gcnsim_result_bytes(r[k]) < 1000);
            assert_ptr_equal(gcnsim_result_shrink(r[k]), r[k]);
            assert_int_equal(r[k]->outcome, GCNSIM_COMPLETED);
        }
    assert_int_equal(steady_of(&s, 0), steady);
    assert_int_equal(gcnsim_sequence_text(&s, &text, &error), GCNSIM_OK);
    assert_string_equal(text, whole);
    gcnsim_free(text);
    assert_int_equal(gcnsim_sequence_html(&s, NULL, &text, &error), GCNSIM_OK);
    gcnsim_free(text);
    assert_int_equal(gcnsim_sequence_json(&s, &text, &error), GCNSIM_ERROR_USAGE);
    assert_non_null(strstr(error.text, "of the sequence has been shrunk"));
    assert_int_equal(gcnsim_sequence_csv(&s, &text, &error), GCNSIM_ERROR_USAGE);
    gcnsim_free(whole);
    for (unsigned k = 0; k < 4; k++)
        gcnsim_result_free(r[k]);
    gcnsim_close(b.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_share_the_device),
        cmocka_unit_test(what_makes_it_cold),
        cmocka_unit_test(the_host_writes),
        cmocka_unit_test(code_comes_and_goes),
        cmocka_unit_test(bad_fences),
        cmocka_unit_test(buffers_by_name),
        cmocka_unit_test(the_steady_launch),
        cmocka_unit_test(shrunk_results),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
