/* make wheel: pip installs it without a network, and it runs kernels with the library inside and no other. */
#define _GNU_SOURCE
#include <libgen.h>

#include "tests/system/cli_run.h"

#define PYTHON "/usr/bin/python3"

static char library[CLI_PATH + 64]; /* of the build, as the wheel has it */

/* A shell's command, with $dir, $build and $library set, ends with this status; what it said. */
static char *shell(int want, const char *command)
{
    char build[CLI_PATH], text[8 * CLI_PATH], log[CLI_PATH + 64];
    size_t bytes;

    snprintf(build, sizeof build, "%s", cli_tool());
    snprintf(
        text, sizeof text,
        "dir='%s' build='%s' library='%s'; unset MAKEFLAGS MAKELEVEL GCNSIM_LIBRARY PYTHONPATH LD_LIBRARY_PATH; %s",
        cli_dir, dirname(build), library, command);
    snprintf(log, sizeof log, "%s", cli_path("log"));
    int status = spawn_tool((const char *const[]){"sh", "-c", text, NULL}, log);
    char *said = read_whole(log, &bytes);
    assert_non_null(said);
    if (status != want)
        fail_msg("%s: status %d\n%s", command, status, said);
    return said;
}

#define NEED(PRESENT, WHAT)                                                                                            \
    do {                                                                                                               \
        if (!(PRESENT)) {                                                                                              \
            print_message("skipped: " WHAT "\n");                                                                      \
            skip();                                                                                                    \
        }                                                                                                              \
    } while (0)
#define NEED_LIBRARY() NEED(access(library, R_OK) == 0, "the wheel's library is not built: archives are missing")
#define NEED_PYTHON()  NEED(system(PYTHON " -c 'import tomllib' 2>/dev/null") == 0, "no " PYTHON " of version 3.11")
#define NEED_VENV()                                                                                                    \
    NEED(system(PYTHON " -c 'import ensurepip, numpy' 2>/dev/null") == 0, "no python3-venv or no python3-numpy")

/* The same library gives the same bytes, under the name that says which machines it is for. */
static void the_same_bytes(void **state)
{
    (void)state;
    NEED_LIBRARY();
    NEED_PYTHON();
    free(shell(0, "make -s wheel BUILD=\"$build\" PYTHON=" PYTHON " DIST=\"$dir/first\""));
    free(shell(0, "umask 077 && export TZ=Asia/Kolkata LC_ALL=C.UTF-8 SOURCE_DATE_EPOCH=1 && "
                  "make -s wheel BUILD=\"$build\" PYTHON=" PYTHON " DIST=\"$dir/second\""));
    free(shell(0, "cd \"$dir/first\" && set -- gcnsim-*-py3-none-manylinux_2_*_$(uname -m).whl && [ $# = 1 ] && "
                  "cmp \"$1\" \"../second/$1\""));
}

/* The tag is that of the newest symbol of glibc that the library asks for. */
static void the_tag_is_true(void **state)
{
    (void)state;
    NEED_LIBRARY();
    NEED_PYTHON();
    free(shell(
        0, "newest=$(objdump -T \"$library\" | sed -n 's/.*(\\(GLIBC_[0-9.]*\\)).*/\\1/p' | sort -uV | tail -n 1) && "
           "[ -n \"$newest\" ] && [ -e \"$dir/first/gcnsim-\"*-py3-none-manylinux_$(echo \"${newest#GLIBC_}\" | "
           "tr . _)_*.whl ]"));
}

/* No name of an archive can be seen in it, and none of the interface is missing. */
static void it_shows_the_interface_alone(void **state)
{
    (void)state;
    NEED_LIBRARY();
    free(shell(0,
               "names() { nm -D --defined-only \"$1\" | sed 's/.* //' | sort; }; names \"$library\" >\"$dir/wheel\" && "
               "names \"$build/libgcnsim.so\" | diff - \"$dir/wheel\" && grep -q '^gcnsim_launch@' \"$dir/wheel\""));
}

/* A venv that has the wheel from pip and Debian's NumPy: a kernel's results, time and annotated code. */
static void pip_installs_it(void **state)
{
    (void)state;
    NEED_LIBRARY();
    NEED_PYTHON();
    NEED_PROC();
    NEED_VENV();
    free(shell(0, PYTHON " -m venv --system-site-packages \"$dir/venv\" && \"$dir/venv/bin/python\" -m pip install "
                         "--no-index --no-deps --disable-pip-version-check --no-compile \"$dir\"/first/*.whl && "
                         "\"$dir/venv/bin/python\" -m pip show -f gcnsim | grep -q libgcnsim.so"));
    free(shell(0, "objects=$PWD/traces/samples/gfx1201; cd \"$dir\" && venv/bin/python -c 'import sys\n"
                  "import numpy as np\n"
                  "import gcnsim._load\n"
                  "from gcnsim import Kernel\n"
                  "a, out = np.arange(1024, dtype=np.float32), np.zeros(1024, np.float32)\n"
                  "run = Kernel(sys.argv[1] + \"/vecadd.co\")[\"vecadd\"].run(grid=1024, workgroup=256, "
                  "args=[a, a, out, 1024], per_instruction=True)\n"
                  "assert (run.args[2] == 2 * a).all() and run.cycles > 0\n"
                  "assert \"global_store\" in run.annotate()\n"
                  "path = gcnsim._load.library()._name\n"
                  "assert path.startswith(sys.prefix + \"/\"), path\n"
                  "maps = open(\"/proc/self/maps\").read()\n"
                  "assert maps.count(\"libgcnsim.so.1\") > 0 and \"libcjson\" not in maps, maps\n' \"$objects\""));
}

/* A library that would not run where the tag says, and what is no library. */
static void bad_libraries_are_refused(void **state)
{
    (void)state;
    NEED_PYTHON();
    char *said =
        shell(1, PYTHON " sim/python/wheel.py \"$build/python\" \"$build/libgcnsim.so\" 2026-01-01 \"$dir/none\"");
    assert_non_null(strstr(said, "; expected libraries of glibc alone\n"));
    free(said);
    said = shell(1, PYTHON " sim/python/wheel.py \"$build/python\" README.md 2026-01-01 \"$dir/none\"");
    assert_int_equal(strncmp(said, "wheel: ", 7), 0);
    free(said);
    assert_int_not_equal(access(cli_path("none"), F_OK), 0);
}

static int setup(void **state)
{
    cli_setup(state);
    snprintf(library, sizeof library, "%s", cli_tool());
    snprintf(strrchr(library, '/'), 32, "/wheel/libgcnsim.so.1");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_bytes),
        cmocka_unit_test(the_tag_is_true),
        cmocka_unit_test(it_shows_the_interface_alone),
        cmocka_unit_test(pip_installs_it),
        cmocka_unit_test(bad_libraries_are_refused),
    };

    return cmocka_run_group_tests_name("make wheel", tests, setup, cli_teardown);
}
