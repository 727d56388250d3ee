/* The files in which Linux shows GPUs, as programs under gcnsim exec find them, and what is left of them. */
#define _GNU_SOURCE
#include <glob.h>
#include <sys/stat.h>

#include "tests/hsa/exec_run.h"

#define NODE "/sys/class/kfd/kfd/topology/nodes/1"

/* A folder of its own for what a test's programs leave. */
static const char *own_folder(const char *name)
{
    static char path[CLI_PATH];

    snprintf(path, sizeof path, "%s", cli_path(name));
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(setenv("TMPDIR", path, 1), 0);
    return path;
}

static size_t left_in(const char *folder)
{
    char pattern[CLI_PATH + 8];
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s/*", folder);
    size_t n = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    globfree(&found);
    return n;
}

static void say_what_hsa_says(void **state)
{
    static const char *const systems[] = {"gfx90a", "gfx90a,gfx90a,gfx90a", "gfx1100,gfx1201", "gfx942,gfx1030,gfx803"};

    (void)state;
    NEED_PROC();
    const char *folder = own_folder("says");
    for (size_t k = 0; k < sizeof systems / sizeof *systems; k++) {
        struct said s = RUN("exec", "--arch", systems[k], "--no-summary", hsa_program("raw"), "/nowhere", "files");
        if (strcmp(s.out, "files: ok\n") != 0)
            said_show(&s);
        assert_string_equal(s.out, "files: ok\n");
        expect_status(&s, 0);
        said_free(&s);
    }
    assert_int_equal(left_in(folder), 0);
}

/* Programs that make no HSA call, and what they start. */
static void are_there_for_every_program(void **state)
{
    (void)state;
    const char *folder = own_folder("every");
    struct said s = RUN("exec", "--arch", "gfx1100,gfx90a", "--no-summary", "sh", "-c",
                        "cat " NODE "/gpu_id /sys/class/drm/card1/device/device; ls /sys/class/drm");
    expect_status(&s, 0);
    assert_string_equal(s.out, "768\n0x740f\ncard0\ncard1\nrenderD128\nrenderD129\n");
    assert_string_equal(s.err, "");
    said_free(&s);
    assert_int_equal(left_in(folder), 0);
}

/* A program that is killed leaves its folder, which the next one that makes one removes; one that is in use stays. */
static void of_the_killed_are_removed(void **state)
{
    (void)state;
    const char *folder = own_folder("killed");
    struct said s = RUN("exec", "--no-summary", "sh", "-c", "read -r id <" NODE "/gpu_id; kill -9 $$");
    assert_int_equal(s.status, SPAWN_SIGNAL);
    said_free(&s);
    assert_int_equal(left_in(folder), 1);
    s = RUN("exec", "--no-summary", "sh", "-c",
            "read -r id <" NODE "/gpu_id; ls $TMPDIR | wc -l; cat " NODE "/gpu_id; ls $TMPDIR | wc -l; "
            "read -r id <" NODE "/gpu_id; echo $id; exec cat " NODE "/gpu_id");
    expect_status(&s, 0);
    assert_string_equal(s.out, "1\n768\n1\n768\n768\n");
    said_free(&s);
    assert_int_equal(left_in(folder), 0);
}

/* Where no folder can be made, the machine is as it is, which is said. */
static void without_a_folder(void **state)
{
    (void)state;
    setenv("TMPDIR", "/nowhere/at/all", 1);
    struct said s = RUN("exec", "--no-summary", "sh", "-c", "test -e " NODE " || echo none");
    unsetenv("TMPDIR");
    if (access(NODE, F_OK) != 0)
        assert_string_equal(s.out, "none\n");
    expect_in(&s, s.err, "/nowhere/at/all");
    said_free(&s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(say_what_hsa_says),
        cmocka_unit_test(are_there_for_every_program),
        cmocka_unit_test(of_the_killed_are_removed),
        cmocka_unit_test(without_a_folder),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
