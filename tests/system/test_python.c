/* The Python package: the layout of its structs is that of gcnsim.h, its own tests pass, and no misuse ends the
 * process. Skipped where Debian's python3 or its NumPy is missing. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "sim/api/gcnsim.h"
#include "tests/system/cli_run.h"

#define PYTHON "/usr/bin/python3"

/* X(struct, field): every field that the package describes; it fails when one of its own is missing here. */
#define FIELDS(X)                                                                                                      \
    X(gcnsim_error, code)                                                                                              \
    X(gcnsim_error, text)                                                                                              \
    X(gcnsim_code_info, name)                                                                                          \
    X(gcnsim_code_info, target)                                                                                        \
    X(gcnsim_code_info, processor)                                                                                     \
    X(gcnsim_code_info, code_object_version)                                                                           \
    X(gcnsim_code_info, kernel_count)                                                                                  \
    X(gcnsim_code_info, symbol_count)                                                                                  \
    X(gcnsim_code_info, os)                                                                                            \
    X(gcnsim_code_info, where)                                                                                         \
    X(gcnsim_arg_info, name)                                                                                           \
    X(gcnsim_arg_info, type_name)                                                                                      \
    X(gcnsim_arg_info, value_kind)                                                                                     \
    X(gcnsim_arg_info, address_space)                                                                                  \
    X(gcnsim_arg_info, access)                                                                                         \
    X(gcnsim_arg_info, offset)                                                                                         \
    X(gcnsim_arg_info, size)                                                                                           \
    X(gcnsim_arg_info, hidden)                                                                                         \
    X(gcnsim_kernel_info, name)                                                                                        \
    X(gcnsim_kernel_info, symbol)                                                                                      \
    X(gcnsim_kernel_info, code_offset)                                                                                 \
    X(gcnsim_kernel_info, code_size)                                                                                   \
    X(gcnsim_kernel_info, kernarg_size)                                                                                \
    X(gcnsim_kernel_info, kernarg_align)                                                                               \
    X(gcnsim_kernel_info, group_segment_fixed_size)                                                                    \
    X(gcnsim_kernel_info, private_segment_fixed_size)                                                                  \
    X(gcnsim_kernel_info, uses_dynamic_stack)                                                                          \
    X(gcnsim_kernel_info, wavefront_size)                                                                              \
    X(gcnsim_kernel_info, vgprs)                                                                                       \
    X(gcnsim_kernel_info, agprs)                                                                                       \
    X(gcnsim_kernel_info, sgprs)                                                                                       \
    X(gcnsim_kernel_info, vgpr_count)                                                                                  \
    X(gcnsim_kernel_info, agpr_count)                                                                                  \
    X(gcnsim_kernel_info, sgpr_count)                                                                                  \
    X(gcnsim_kernel_info, vgpr_spill_count)                                                                            \
    X(gcnsim_kernel_info, sgpr_spill_count)                                                                            \
    X(gcnsim_kernel_info, max_flat_workgroup_size)                                                                     \
    X(gcnsim_kernel_info, reqd_workgroup_size)                                                                         \
    X(gcnsim_kernel_info, uniform_work_group_size)                                                                     \
    X(gcnsim_kernel_info, compute_pgm_rsrc1)                                                                           \
    X(gcnsim_kernel_info, compute_pgm_rsrc2)                                                                           \
    X(gcnsim_kernel_info, compute_pgm_rsrc3)                                                                           \
    X(gcnsim_kernel_info, kernel_code_properties)                                                                      \
    X(gcnsim_kernel_info, has_metadata)                                                                                \
    X(gcnsim_kernel_info, arg_count)                                                                                   \
    X(gcnsim_kernel_info, explicit_arg_count)                                                                          \
    X(gcnsim_kernel_info, cluster_dims)                                                                                \
    X(gcnsim_profile_info, name)                                                                                       \
    X(gcnsim_profile_info, chip)                                                                                       \
    X(gcnsim_profile_info, target)                                                                                     \
    X(gcnsim_profile_info, is_default)                                                                                 \
    X(gcnsim_code_source, struct_bytes)                                                                                \
    X(gcnsim_code_source, path)                                                                                        \
    X(gcnsim_code_source, bytes)                                                                                       \
    X(gcnsim_code_source, size)                                                                                        \
    X(gcnsim_code_source, name)                                                                                        \
    X(gcnsim_code_source, want_target)                                                                                 \
    X(gcnsim_code_source, max_memory)                                                                                  \
    X(gcnsim_code_source, kernel)                                                                                      \
    X(gcnsim_code_source, by_index)                                                                                    \
    X(gcnsim_code_source, index)                                                                                       \
    X(gcnsim_occupancy, waves_per_simd)                                                                                \
    X(gcnsim_occupancy, workgroups_per_cu)                                                                             \
    X(gcnsim_occupancy, waves_per_workgroup)                                                                           \
    X(gcnsim_occupancy, limiter)                                                                                       \
    X(gcnsim_occupancy, vgprs_allocated)                                                                               \
    X(gcnsim_occupancy, agprs_allocated)                                                                               \
    X(gcnsim_occupancy, sgprs_allocated)                                                                               \
    X(gcnsim_occupancy, lds_bytes_allocated)                                                                           \
    X(gcnsim_occupancy, cus)                                                                                           \
    X(gcnsim_dispatch, struct_bytes)                                                                                   \
    X(gcnsim_dispatch, kernel)                                                                                         \
    X(gcnsim_dispatch, engine)                                                                                         \
    X(gcnsim_dispatch, grid_size)                                                                                      \
    X(gcnsim_dispatch, workgroup_size)                                                                                 \
    X(gcnsim_dispatch, dynamic_group_segment_size)                                                                     \
    X(gcnsim_dispatch, private_segment_size)                                                                           \
    X(gcnsim_dispatch, args)                                                                                           \
    X(gcnsim_dispatch, kernarg)                                                                                        \
    X(gcnsim_dispatch, kernarg_size)                                                                                   \
    X(gcnsim_dispatch, threads)                                                                                        \
    X(gcnsim_dispatch, max_cycles)                                                                                     \
    X(gcnsim_dispatch, max_instructions)                                                                               \
    X(gcnsim_dispatch, progress)                                                                                       \
    X(gcnsim_dispatch, progress_ctx)                                                                                   \
    X(gcnsim_dispatch, abort_flag)                                                                                     \
    X(gcnsim_dispatch, tick_every_cycle)                                                                               \
    X(gcnsim_dispatch, perfect_memory)                                                                                 \
    X(gcnsim_dispatch, check)                                                                                          \
    X(gcnsim_dispatch, command_line)                                                                                   \
    X(gcnsim_dispatch, traces)                                                                                         \
    X(gcnsim_dispatch, trace_count)                                                                                    \
    X(gcnsim_dispatch, snapshot_flag)                                                                                  \
    X(gcnsim_dispatch, snapshot)                                                                                       \
    X(gcnsim_dispatch, snapshot_ctx)                                                                                   \
    X(gcnsim_dispatch, cold)                                                                                           \
    X(gcnsim_dispatch, acquire)                                                                                        \
    X(gcnsim_dispatch, release)                                                                                        \
    X(gcnsim_dispatch, per_instruction)                                                                                \
    X(gcnsim_dispatch, samples)                                                                                        \
    X(gcnsim_dispatch, att)                                                                                            \
    X(gcnsim_dispatch, timeline)                                                                                       \
    X(gcnsim_dispatch, progress_facts)                                                                                 \
    X(gcnsim_dispatch, progress_facts_ctx)                                                                             \
    X(gcnsim_dispatch, ignore_lds_races)                                                                               \
    X(gcnsim_dispatch, sample_workgroups)                                                                              \
    X(gcnsim_dispatch, sample_skip)                                                                                    \
    X(gcnsim_dispatch, visits)                                                                                         \
    X(gcnsim_dispatch, cluster_size)                                                                                   \
    X(gcnsim_dispatch, hotspots)                                                                                       \
    X(gcnsim_att, struct_bytes)                                                                                        \
    X(gcnsim_att, folder)                                                                                              \
    X(gcnsim_att, agent)                                                                                               \
    X(gcnsim_att, dispatch)                                                                                            \
    X(gcnsim_att, all_units)                                                                                           \
    X(gcnsim_att, units)                                                                                               \
    X(gcnsim_att, unit_count)                                                                                          \
    X(gcnsim_att, from_cycle)                                                                                          \
    X(gcnsim_att, to_cycle)                                                                                            \
    X(gcnsim_att, max_waves)                                                                                           \
    X(gcnsim_att, no_sources)                                                                                          \
    X(gcnsim_wave_view, workgroup)                                                                                     \
    X(gcnsim_wave_view, wave)                                                                                          \
    X(gcnsim_wave_view, first_row)                                                                                     \
    X(gcnsim_wave_view, rows)                                                                                          \
    X(gcnsim_wave_view, text)                                                                                          \
    X(gcnsim_on_timeline, struct_bytes)                                                                                \
    X(gcnsim_on_timeline, timeline)                                                                                    \
    X(gcnsim_on_timeline, kernel)                                                                                      \
    X(gcnsim_on_timeline, queue)                                                                                       \
    X(gcnsim_on_timeline, number)                                                                                      \
    X(gcnsim_on_timeline, waves)                                                                                       \
    X(gcnsim_on_timeline, object)                                                                                      \
    X(gcnsim_on_timeline, object_address)                                                                              \
    X(gcnsim_on_timeline, wave)                                                                                        \
    X(gcnsim_annotate, struct_bytes)                                                                                   \
    X(gcnsim_annotate, sort)                                                                                           \
    X(gcnsim_annotate, top)                                                                                            \
    X(gcnsim_annotate, function)                                                                                       \
    X(gcnsim_annotate, color)                                                                                          \
    X(gcnsim_annotate, no_sources)

static void write_layout(const char *path)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
#define LINE(STRUCT, FIELD) fprintf(f, #STRUCT " " #FIELD " %zu\n", offsetof(struct STRUCT, FIELD));
    FIELDS(LINE)
#undef LINE
    /* of structs that are ours to fill or to read in arrays; a dispatch says its size itself */
#define SIZE(STRUCT) fprintf(f, #STRUCT " sizeof %zu\n", sizeof(struct STRUCT));
    SIZE(gcnsim_error)
    SIZE(gcnsim_code_info)
    SIZE(gcnsim_arg_info)
    SIZE(gcnsim_kernel_info)
    SIZE(gcnsim_profile_info)
    SIZE(gcnsim_occupancy)
    SIZE(gcnsim_wave_view)
    SIZE(gcnsim_on_timeline)
#undef SIZE
    assert_int_equal(fclose(f), 0);
}

/* A library under a sanitizer wants the sanitizer's runtime in the program before all others: false where there is
 * none. */
static bool preload_sanitizer(void)
{
#ifdef __SANITIZE_ADDRESS__
    char path[CLI_PATH] = "";
#ifdef __clang__
    const char command[] = "clang-%d -print-file-name=libclang_rt.asan-x86_64.so";
    const int version = __clang_major__;
#else
    const char command[] = "gcc-%d -print-file-name=libasan.so";
    const int version = __GNUC__;
#endif
    char whole[120];

    snprintf(whole, sizeof whole, command, version);
    FILE *f = popen(whole, "r");
    bool there = f && fgets(path, sizeof path, f) && path[0] == '/';
    if (f)
        pclose(f);
    path[strcspn(path, "\n")] = 0;
    setenv("LD_PRELOAD", path, 1);
    setenv("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1", 1); /* Python keeps much to its end */
    setenv("PYTHONMALLOC", "malloc", 1);
    return there;
#else
    return true;
#endif
}

/* Of make check: a library under AddressSanitizer, and more of what takes its time. */
#ifdef __SANITIZE_ADDRESS__
enum { MISUSE_RUNS = 300 };
#else
enum { MISUSE_RUNS = 4 };
#endif

static void need_python(void)
{
    char library[CLI_PATH];
    char *slash;

    if (system(PYTHON " -c 'import numpy' 2>/dev/null") != 0) {
        print_message("skipped: %s has no NumPy (python3-numpy)\n", PYTHON);
        skip();
    }
    snprintf(library, sizeof library - 32, "%s", cli_tool());
    slash = strrchr(library, '/');
    strcpy(slash ? slash + 1 : library, "libgcnsim.so");
    setenv("GCNSIM_LIBRARY", library, 1);
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
}

/* The status of a command of Python's, which has the sanitizer's runtime if need be. */
static int python(const char *command)
{
    char *old = getenv("LD_PRELOAD") ? strdup(getenv("LD_PRELOAD")) : NULL;
    bool there = preload_sanitizer();
    int status = there ? system(command) : 0;

    if (old)
        setenv("LD_PRELOAD", old, 1);
    else
        unsetenv("LD_PRELOAD");
    free(old);
    if (!there) {
        print_message("skipped: the compiler has no shared runtime of AddressSanitizer\n");
        skip();
    }
    return status;
}

static void the_package_passes_its_tests(void **state)
{
    (void)state;
    need_python();
    write_layout(cli_path("layout"));
    setenv("GCNSIM_LAYOUT", cli_path("layout"), 1);
    assert_int_equal(python(PYTHON " -W error tests/python/test_gcnsim.py 2>&1"), 0);
}

/* Wrong values, closed objects and threads: what ends is the call. GCNSIM_MISUSE_SEED and _RUNS choose others. */
static void the_package_survives_misuse(void **state)
{
    const char *seed = getenv("GCNSIM_MISUSE_SEED"), *runs = getenv("GCNSIM_MISUSE_RUNS");
    char command[200], number[20];

    (void)state;
    need_python();
    snprintf(number, sizeof number, "%d", MISUSE_RUNS);
    snprintf(command, sizeof command, PYTHON " tests/python/test_misuse.py --seed %.40s --runs %.40s 2>&1",
             seed ? seed : "1", runs ? runs : number);
    assert_int_equal(python(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_package_passes_its_tests),
                                       cmocka_unit_test(the_package_survives_misuse)};

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
