/* Files and messages of a test's own, and a result whose facts a test may change, for tests of sinks. */
#ifndef TESTS_UNIT_HSA_SINK_FIXTURE_H
#define TESTS_UNIT_HSA_SINK_FIXTURE_H

#include "tests/unit/hsa/code_fixture.h"

#include "sim/api/gcnsim.h"

static inline const char *in_folder(const char *name)
{
    static char paths[8][4200];
    static unsigned next;
    char *path = paths[next++ % 8];

    snprintf(path, sizeof paths[0], "%s/%s", program_folder(), name);
    return path;
}

static inline char *text_of(const char *path)
{
    size_t size;
    char *text = read_whole(path, &size);

    text = realloc(text, size + 1);
    assert_non_null(text);
    text[size] = 0;
    return text;
}

/* What the log says, and forgets. To be freed. */
static inline char *take_log(void)
{
    char *text = text_of(log_path);

    assert_int_equal(truncate(log_path, 0), 0);
    return text;
}

/* vecadd on the timing engine, in so many workgroups. */
static inline struct gcnsim_result *vecadd(uint32_t workgroups)
{
    static const char *const specs[] = {"buf:4096", "buf:4096", "buf:4096", "u32:1024"};
    struct gcnsim_module *module;
    struct gcnsim_result *result;
    struct gcnsim_dispatch d;
    struct gcnsim_args *args;
    struct gcnsim *sim;

    gcnsim_dispatch_init(&d);
    d.workgroup_size[0] = 64;
    d.grid_size[0] = 64 * workgroups;
    d.per_instruction = 1;
    assert_int_equal(gcnsim_open(&sim, "gfx90a", NULL), GCNSIM_OK);
    assert_int_equal(gcnsim_load_file(sim, &module, VECADD, NULL, NULL), GCNSIM_OK);
    assert_int_equal(gcnsim_args_parse(module, 0, specs, 4, NULL, &args, NULL), GCNSIM_OK);
    d.args = args;
    assert_int_equal(gcnsim_launch(module, &d, &result, NULL), GCNSIM_OK);
    gcnsim_args_free(args);
    gcnsim_close(sim);
    return result;
}

#endif
