/* Holds tests/deps.sh against machines made of stub programs (fake_machine.sh): which packages it asks for and
 * installs, and the one line that it says where it cannot.
 */
#include "tests/system/cli_run.h"

#define BUILD                                                                                                          \
    "make binutils pkg-config gcc libc6-dev libelf-dev libdw-dev libcjson-dev libmsgpack-dev libzstd-dev "             \
    "zlib1g-dev nettle-dev libiberty-dev libsqlite3-dev"
#define TOOLS    "libmpfr-dev clang-19 lld-19 llvm-19 clang-tools-19"
#define PACKAGES BUILD " libcmocka-dev " TOOLS
#define COMPILER "make binutils pkg-config gcc libc6-dev"
#define HSA      "libhsa-runtime-dev libsqlite3-dev libiberty-dev"
#define ROCM     "hipcc libamdhip64-dev libomp-19-dev"
#define MPI      "libopenmpi-dev openmpi-bin"

/* the same where apt is not asked for the names of its suite */
#define UNASKED                                                                                                        \
    "make binutils pkg-config gcc libc6-dev libelf-dev libdw-dev libcjson-dev libmsgpack-c-dev (or libmsgpack-dev) "   \
    "libzstd-dev zlib1g-dev nettle-dev libiberty-dev libsqlite3-dev"

/* as fake_machine.sh lists them: sorted */
#define HAS_BUILD                                                                                                      \
    "installed binutils gcc libc6-dev libcjson-dev libdw-dev libelf-dev libiberty-dev libmsgpack-dev "                 \
    "libsqlite3-dev libzstd-dev make nettle-dev "                                                                      \
    "pkg-config zlib1g-dev\n"
#define HAS_CMOCKA                                                                                                     \
    "installed binutils gcc libc6-dev libcjson-dev libcmocka-dev libdw-dev libelf-dev libiberty-dev libmsgpack-dev "   \
    "libsqlite3-dev libzstd-dev "                                                                                      \
    "make "                                                                                                            \
    "nettle-dev pkg-config zlib1g-dev\n"
#define HAS_ALL                                                                                                        \
    "installed binutils clang-19 clang-tools-19 gcc libc6-dev libcjson-dev libcmocka-dev libdw-dev libelf-dev "        \
    "libiberty-dev "                                                                                                   \
    "libmpfr-dev libmsgpack-dev libsqlite3-dev "                                                                       \
    "libzstd-dev lld-19 llvm-19 make nettle-dev pkg-config zlib1g-dev\n"
#define GETS_TOOLS "deps: apt-get install " TOOLS "\n"

enum { TEXT_BYTES = 2 * CLI_PATH };

/* What deps.sh prints on a fresh machine, and what is there then; to be freed. `machine` becomes its folder. */
static char *deps_on(const char *kind, const char *installed, const char *known, const char *const arguments[2],
                     char machine[CLI_PATH + 64])
{
    static unsigned machines;
    size_t bytes;

    snprintf(machine, CLI_PATH + 64, "%s/machine-%u", cli_dir, machines++);
    const char *argv[] = {
        "sh", "tests/system/fake_machine.sh", machine, kind, installed, known, arguments[0], arguments[1], NULL};
    int status = spawn_tool(argv, cli_path("said"));
    char *said = read_whole(cli_path("said"), &bytes);
    assert_non_null(said);
    if (status != 0)
        fail_msg("fake_machine.sh: status %d: %s", status, said);
    return said;
}

/* Holds that against the text; %s in it is the machine's folder. */
static void expect(const char *kind, const char *installed, const char *known, const char *const arguments[2],
                   const char *text)
{
    char machine[CLI_PATH + 64], expected[TEXT_BYTES];
    char *said = deps_on(kind, installed, known, arguments, machine);
    const char *folder = strstr(text, "%s");

    snprintf(expected, sizeof expected, "%.*s%s%s", folder ? (int)(folder - text) : (int)strlen(text), text,
             folder ? machine : "", folder ? folder + 2 : "");
    assert_string_equal(said, expected);
    free(said);
}

#define ON(KIND, INSTALLED, KNOWN, TEXT) expect(KIND, INSTALLED, KNOWN, (const char *[2]){NULL, NULL}, TEXT)
#define ASKED(ARGUMENT, KIND, INSTALLED, KNOWN, TEXT)                                                                  \
    expect(KIND, INSTALLED, KNOWN, (const char *[2]){ARGUMENT, NULL}, TEXT)
#define WHY_CLANG(INSTALLED, TEXT) expect("root", INSTALLED, "", (const char *[2]){"--why", "clang"}, TEXT)

static void nothing_missing_says_nothing(void **state)
{
    (void)state;
    ON("root", PACKAGES, "", "status 0\n" HAS_ALL);
    ON("no-sudo", PACKAGES, "", "status 0\n" HAS_ALL);
    ON("no-apt", PACKAGES, "", "status 0\n" HAS_ALL);
    ASKED("--build", "no-apt", BUILD, "", "status 0\n" HAS_BUILD);
    ASKED("--check", "no-apt", BUILD " libcmocka-dev", "", "status 0\n" HAS_CMOCKA);
}

static void a_bare_machine_gets_everything(void **state)
{
    (void)state;
    ON("root", "", PACKAGES, "deps: apt-get install " BUILD " libcmocka-dev\n" GETS_TOOLS "status 0\n" HAS_ALL);
    ON("sudo", "", PACKAGES, "deps: apt-get install " BUILD " libcmocka-dev\n" GETS_TOOLS "status 0\n" HAS_ALL);
    ON("stale", "", PACKAGES,
       "deps: apt-get update\ndeps: apt-get install " BUILD " libcmocka-dev\n" GETS_TOOLS "status 0\n" HAS_ALL);
    ASKED("--build", "root", "", PACKAGES, "deps: apt-get install " BUILD "\nstatus 0\n" HAS_BUILD);
}

/* msgpack-c's package changed its name with Debian 13: where apt knows both, the old one is for C++. */
static void a_renamed_package_is_found(void **state)
{
#define MSGPACK_C                                                                                                      \
    "make binutils pkg-config gcc libc6-dev libelf-dev libdw-dev libcjson-dev libzstd-dev zlib1g-dev "                 \
    "nettle-dev libiberty-dev libsqlite3-dev"
    (void)state;
    ASKED("--build", "root", MSGPACK_C, "libmsgpack-c-dev",
          "deps: apt-get install libmsgpack-c-dev\nstatus 0\n"
          "installed binutils gcc libc6-dev libcjson-dev libdw-dev libelf-dev libiberty-dev libmsgpack-c-dev "
          "libsqlite3-dev libzstd-dev make nettle-dev pkg-config zlib1g-dev\n");
    ASKED("--build", "root", MSGPACK_C, "libmsgpack-c-dev libmsgpack-dev",
          "deps: apt-get install libmsgpack-c-dev\nstatus 0\n"
          "installed binutils gcc libc6-dev libcjson-dev libdw-dev libelf-dev libiberty-dev libmsgpack-c-dev "
          "libsqlite3-dev libzstd-dev make nettle-dev pkg-config zlib1g-dev\n");
    ASKED("--build", "no-apt", MSGPACK_C " libmsgpack-c-dev", "",
          "status 0\n"
          "installed binutils gcc libc6-dev libcjson-dev libdw-dev libelf-dev libiberty-dev libmsgpack-c-dev "
          "libsqlite3-dev libzstd-dev make nettle-dev pkg-config zlib1g-dev\n");
}

/* Parts that are asked for together are one step of apt, and what two of them want is named once. */
static void parts_are_asked_for_together(void **state)
{
    (void)state;
    expect("root", COMPILER " clang-19", ROCM " " MPI, (const char *[2]){"--mpi", "--rocm"},
           "deps: apt-get install " MPI " " ROCM "\nstatus 0\ninstalled binutils clang-19 gcc hipcc "
           "libamdhip64-dev libc6-dev libomp-19-dev libopenmpi-dev make openmpi-bin pkg-config\n");
    expect("no-apt", COMPILER, "", (const char *[2]){"--hsa", "--hsa"},
           "deps: no apt-get on this machine: going on without " HSA "; what needs them is skipped and says so\n"
           "status 0\ninstalled binutils gcc libc6-dev make pkg-config\n");
}

/* Each required package alone, by the program, header or library that it brings. */
static void each_package_is_missed(void **state)
{
    static const char *const packages[] = {"make",           "binutils",    "pkg-config",    "gcc",
                                           "libc6-dev",      "libelf-dev",  "libdw-dev",     "libcjson-dev",
                                           "libmsgpack-dev", "libzstd-dev", "nettle-dev",    "libcmocka-dev",
                                           "libiberty-dev",  "zlib1g-dev",  "libsqlite3-dev"};
    enum { COUNT = sizeof packages / sizeof packages[0] };
    char machine[CLI_PATH + 64], named[64];

    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        char others[512] = "";
        for (size_t k = 0; k < COUNT; k++)
            if (k != i)
                strcat(strcat(others, packages[k]), " ");
        char *said = deps_on("root", others, PACKAGES, (const char *[2]){NULL, NULL}, machine);
        char *end = strchr(said, '\n');
        assert_non_null(end);
        *end = ' ';
        snprintf(named, sizeof named, " %s ", packages[i]);
        assert_non_null(strstr(said, named));
        /* without compiler, linker or libc none of the libraries can be tried, so that they are named too */
        bool blind =
            !strcmp(packages[i], "gcc") || !strcmp(packages[i], "binutils") || !strcmp(packages[i], "libc6-dev");
        *end = 0;
        assert_true(blind || strlen(said) == strlen("deps: apt-get install ") + strlen(packages[i]));
        assert_string_equal(end + 1, GETS_TOOLS "status 0\n" HAS_ALL);
        free(said);
    }
}

static void an_older_linker_is_none(void **state)
{
    (void)state;
    /* Debian 12's lld is LLD 14 */
    ON("root", BUILD " libcmocka-dev libmpfr-dev clang-19 lld llvm-19 clang-tools-19", PACKAGES,
       "deps: apt-get install lld-19\nstatus 0\n"
       "installed binutils clang-19 clang-tools-19 gcc libc6-dev libcjson-dev libcmocka-dev libdw-dev libelf-dev "
       "libiberty-dev "
       "libmpfr-dev libmsgpack-dev libsqlite3-dev "
       "libzstd-dev lld lld-19 llvm-19 make nettle-dev pkg-config zlib1g-dev\n");
    ON("root", BUILD " libcmocka-dev libmpfr-dev lld llvm-19 clang-tools-19", PACKAGES,
       "deps: apt-get install clang-19 lld-19\nstatus 0\n"
       "installed binutils clang-19 clang-tools-19 gcc libc6-dev libcjson-dev libcmocka-dev libdw-dev libelf-dev "
       "libiberty-dev "
       "libmpfr-dev libmsgpack-dev libsqlite3-dev "
       "libzstd-dev lld lld-19 llvm-19 make nettle-dev pkg-config zlib1g-dev\n");
    ON("no-sudo", BUILD " libcmocka-dev libmpfr-dev clang-19 lld llvm-19 clang-tools-19", PACKAGES,
       "deps: not root and no sudo: going on without lld-19; what needs them is skipped and says so\nstatus 0\n"
       "installed binutils clang-19 clang-tools-19 gcc libc6-dev libcjson-dev libcmocka-dev libdw-dev libelf-dev "
       "libiberty-dev "
       "libmpfr-dev libmsgpack-dev libsqlite3-dev "
       "libzstd-dev lld llvm-19 make nettle-dev pkg-config zlib1g-dev\n");
    WHY_CLANG("clang-19 lld",
              "clang-19 links amdgcn code with %s/bin/ld.lld, LLD 14, and needs 19 (Debian: lld-19)\nstatus 1\n"
              "installed clang-19 lld\n");
    WHY_CLANG("clang-19", "clang-19 finds no ld.lld to link amdgcn code with (Debian: lld-19)\nstatus 1\n"
                          "installed clang-19\n");
    WHY_CLANG("lld-19", "no clang-19\nstatus 1\ninstalled lld-19\n");
    WHY_CLANG("clang-19 lld-19", "status 0\ninstalled clang-19 lld-19\n");
    WHY_CLANG("clang-19 lld lld-19", "status 0\ninstalled clang-19 lld lld-19\n");
    /* the one in PATH will do when it is new enough */
    WHY_CLANG("clang-19 lld-20", "status 0\ninstalled clang-19 lld-20\n");
}

/* A clang-19 that is not Debian's does not look where lld-19 puts its linker. */
static void a_package_that_does_not_help_is_reported(void **state)
{
    (void)state;
    ON("root", BUILD " libcmocka-dev libmpfr-dev foreign-clang-19 lld llvm-19 clang-tools-19", PACKAGES,
       "deps: apt-get install lld-19\ndeps: lld-19 is installed, and still of no use: clang-19 links amdgcn code with "
       "%s/bin/ld.lld, LLD 14, and needs 19 (Debian: lld-19); what needs it is skipped and says so\nstatus 0\n"
       "installed binutils clang-tools-19 foreign-clang-19 gcc libc6-dev libcjson-dev libcmocka-dev libdw-dev "
       "libelf-dev libiberty-dev "
       "libmpfr-dev libmsgpack-dev libsqlite3-dev libzstd-dev lld lld-19 llvm-19 make nettle-dev pkg-config "
       "zlib1g-dev\n");
}

static void one_line_where_nothing_can_be_installed(void **state)
{
    static const char *const kinds[][2] = {{"no-apt", "no apt-get on this machine"},
                                           {"no-sudo", "not root and no sudo"},
                                           {"sudo-refuses", "not root and sudo refuses"}};
    char text[1024];

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        snprintf(text, sizeof text,
                 "deps: %s: install " UNASKED " libcmocka-dev (and, for all of the tests, " TOOLS "), then try again\n"
                 "status 1\ninstalled\n",
                 kinds[i][1]);
        ON(kinds[i][0], "", PACKAGES, text);
        snprintf(text, sizeof text, "deps: %s: install libzstd-dev, then try again\nstatus 1\n%s", kinds[i][1],
                 "installed binutils gcc libc6-dev libcjson-dev libdw-dev libelf-dev libiberty-dev libmsgpack-dev "
                 "libsqlite3-dev make nettle-dev "
                 "pkg-config zlib1g-dev\n");
        ASKED("--build", kinds[i][0],
              "make binutils pkg-config gcc libc6-dev libelf-dev libdw-dev libcjson-dev libmsgpack-dev zlib1g-dev "
              "nettle-dev "
              "libiberty-dev libsqlite3-dev",
              PACKAGES, text);
        snprintf(text, sizeof text,
                 "deps: %s: going on without " TOOLS "; what needs them is skipped and says so\nstatus 0\n" HAS_CMOCKA,
                 kinds[i][1]);
        ON(kinds[i][0], BUILD " libcmocka-dev", PACKAGES, text);
    }
}

static void what_apt_lacks_or_cannot_fetch(void **state)
{
    (void)state;
    ON("root", BUILD, "libcmocka-dev llvm-19",
       "deps: apt-get install libcmocka-dev\n"
       "deps: apt has no libmpfr-dev here; what needs it is skipped and says so\n"
       "deps: apt has no clang-19 here; what needs it is skipped and says so\n"
       "deps: apt has no lld-19 here; what needs it is skipped and says so\n"
       "deps: apt has no clang-tools-19 here; what needs it is skipped and says so\n"
       "deps: apt-get install llvm-19\nstatus 0\n"
       "installed binutils gcc libc6-dev libcjson-dev libcmocka-dev libdw-dev libelf-dev libiberty-dev "
       "libmsgpack-dev libsqlite3-dev libzstd-dev "
       "llvm-19 make "
       "nettle-dev pkg-config zlib1g-dev\n");
    ASKED("--build", "offline", "", PACKAGES,
          "deps: apt-get install " BUILD "\n"
          "E: Unable to fetch some archives\nE: Unable to fetch some archives\nE: Unable to fetch some archives\n"
          "deps: apt-get could not install: " BUILD "\nstatus 1\ninstalled\n");
    ASKED("--fuzz", "offline", "clang-19", "libclang-rt-19-dev",
          "deps: apt-get install libclang-rt-19-dev\n"
          "E: Unable to fetch some archives\nE: Unable to fetch some archives\n"
          "deps: apt-get could not install libclang-rt-19-dev; what needs it is skipped and says so\nstatus 0\n"
          "installed clang-19\n");
    ASKED("--check", "root", BUILD, PACKAGES, "deps: missing: libcmocka-dev\nstatus 1\n" HAS_BUILD);
}

/* What the HSA runtime and its tests use is nowhere required. */
static void rocm_is_optional(void **state)
{
    (void)state;
    ASKED(
        "--hsa", "no-apt", COMPILER " " HSA, "",
        "status 0\ninstalled binutils gcc libc6-dev libhsa-runtime-dev libiberty-dev libsqlite3-dev make pkg-config\n");
    ASKED("--hsa", "no-apt", COMPILER, "",
          "deps: no apt-get on this machine: going on without " HSA "; what needs them is skipped and says so\n"
          "status 0\ninstalled binutils gcc libc6-dev make pkg-config\n");
    ASKED("--rocm", "no-apt", COMPILER " clang-19 " ROCM, "",
          "status 0\ninstalled binutils clang-19 gcc hipcc libamdhip64-dev libc6-dev libomp-19-dev make pkg-config\n");
    ASKED("--rocm", "root", COMPILER " clang-19", ROCM,
          "deps: apt-get install hipcc libamdhip64-dev libomp-19-dev\n"
          "status 0\ninstalled binutils clang-19 gcc hipcc libamdhip64-dev libc6-dev libomp-19-dev make pkg-config\n");
    expect("root", "", "", (const char *[2]){"--why", "hip"}, "no hipcc\nstatus 1\ninstalled\n");
    expect("root", "hipcc", "", (const char *[2]){"--why", "hip"},
           "hipcc makes no program for gfx90a (Debian: hipcc, libamdhip64-dev)\nstatus 1\ninstalled hipcc\n");
    expect("root", "hipcc libamdhip64-dev", "", (const char *[2]){"--why", "hip"},
           "status 0\ninstalled hipcc libamdhip64-dev\n");
    expect("root", "clang-19", "", (const char *[2]){"--why", "openmp"},
           "clang-19 finds no libomptarget.so (Debian: libomp-19-dev)\nstatus 1\ninstalled clang-19\n");
}

static void tools_of_lint_and_fuzz(void **state)
{
#define PYTHON_LINT "pyflakes3 pycodestyle mypy python3-numpy"
#define LINT        "clang-format-14 clang-tidy-14 shellcheck " PYTHON_LINT
    (void)state;
    ASKED("--lint", "no-apt", LINT, "",
          "status 0\ninstalled clang-format-14 clang-tidy-14 mypy pycodestyle pyflakes3 python3-numpy shellcheck\n");
    ASKED("--lint", "no-apt", "", "",
          "deps: no apt-get on this machine: going on without " LINT "; what needs them is skipped and says so\n"
          "status 0\ninstalled\n");
    ASKED("--lint", "root", "clang-format clang-tidy-14", LINT,
          "deps: apt-get install shellcheck " PYTHON_LINT "\nstatus 0\n"
          "installed clang-format clang-tidy-14 mypy pycodestyle pyflakes3 python3-numpy shellcheck\n");
    ASKED("--lint", "root", "clang-format-15 clang-tidy-14 shellcheck " PYTHON_LINT, LINT,
          "deps: apt-get install clang-format-14\nstatus 0\n"
          "installed clang-format-14 clang-format-15 clang-tidy-14 mypy pycodestyle pyflakes3 python3-numpy "
          "shellcheck\n");
    ASKED("--fuzz", "no-apt", "clang-19 libclang-rt-19-dev", "", "status 0\ninstalled clang-19 libclang-rt-19-dev\n");
    expect("root", "clang-19", "", (const char *[2]){"--why", "fuzz"},
           "clang-19 makes no fuzz target (Debian: clang-19, libclang-rt-19-dev)\nstatus 1\ninstalled clang-19\n");
    expect("root", "clang-19 libclang-rt-19-dev", "", (const char *[2]){"--why", "fuzz"},
           "status 0\ninstalled clang-19 libclang-rt-19-dev\n");
    ASKED("--fuzz", "root", "clang-19", "libclang-rt-19-dev",
          "deps: apt-get install libclang-rt-19-dev\nstatus 0\ninstalled clang-19 libclang-rt-19-dev\n");
}

static void tools_of_packages(void **state)
{
#define INSTALLED "cmake python3-numpy python3-venv mmdebstrap"
    (void)state;
    ASKED("--packages", "no-apt", INSTALLED, "", "status 0\ninstalled cmake mmdebstrap python3-numpy python3-venv\n");
    ASKED("--packages", "no-apt", "", "",
          "deps: no apt-get on this machine: going on without " INSTALLED "; what needs them is skipped and says so\n"
          "status 0\ninstalled\n");
    ASKED("--packages", "root", "mmdebstrap python3-venv", INSTALLED,
          "deps: apt-get install cmake python3-numpy\n"
          "status 0\ninstalled cmake mmdebstrap python3-numpy python3-venv\n");
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    ASKED("--everything", "root", "", "", "deps: unknown option --everything\nstatus 2\ninstalled\n");
    expect("root", "", "", (const char *[2]){"--why", "gcc"},
           "deps: --why takes clang, fuzz, hip, openmp, mpi or slurm\nstatus 2\ninstalled\n");
}

/* Nor is what sweeps use on clusters. */
static void clusters_are_optional(void **state)
{
#define SLURM "slurm-wlm munge"
    (void)state;
    ASKED("--mpi", "no-apt", COMPILER " " MPI, "",
          "status 0\ninstalled binutils gcc libc6-dev libopenmpi-dev make openmpi-bin pkg-config\n");
    ASKED("--mpi", "root", COMPILER, MPI,
          "deps: apt-get install libopenmpi-dev openmpi-bin\nstatus 0\ninstalled binutils gcc "
          "libc6-dev libopenmpi-dev make openmpi-bin pkg-config\n");
    expect("root", COMPILER " libopenmpi-dev", "", (const char *[2]){"--why", "mpi"},
           "no program with Open MPI is made or started (Debian: libopenmpi-dev, openmpi-bin)\nstatus 1\ninstalled "
           "binutils gcc libc6-dev libopenmpi-dev make pkg-config\n");
    expect("root", COMPILER " " MPI, "", (const char *[2]){"--why", "mpi"},
           "status 0\ninstalled binutils gcc libc6-dev libopenmpi-dev make openmpi-bin pkg-config\n");
    ASKED("--slurm", "no-apt", SLURM, "", "status 0\ninstalled munge slurm-wlm\n");
    expect("root", SLURM, "", (const char *[2]){"--why", "slurm"}, "status 0\ninstalled munge slurm-wlm\n");
    expect("no-sudo", SLURM, "", (const char *[2]){"--why", "slurm"},
           "Slurm's daemons are started by root alone\nstatus 1\ninstalled munge slurm-wlm\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_missing_says_nothing),
        cmocka_unit_test(a_bare_machine_gets_everything),
        cmocka_unit_test(a_renamed_package_is_found),
        cmocka_unit_test(parts_are_asked_for_together),
        cmocka_unit_test(each_package_is_missed),
        cmocka_unit_test(an_older_linker_is_none),
        cmocka_unit_test(a_package_that_does_not_help_is_reported),
        cmocka_unit_test(one_line_where_nothing_can_be_installed),
        cmocka_unit_test(what_apt_lacks_or_cannot_fetch),
        cmocka_unit_test(rocm_is_optional),
        cmocka_unit_test(clusters_are_optional),
        cmocka_unit_test(tools_of_lint_and_fuzz),
        cmocka_unit_test(tools_of_packages),
        cmocka_unit_test(bad_arguments_are_refused),
    };

    return cmocka_run_group_tests_name("deps", tests, cli_setup, cli_teardown);
}
