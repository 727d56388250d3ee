/* gcnsim exec: what a program finds in its environment, that it is left alone otherwise, and what is refused before it
 * begins. The library before it is another one here, of which nothing is called; tests/hsa has the real one. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <sys/stat.h>

#include "tests/system/cli_run.h"

static const char *hsa; /* folder with the library */

static void make_library(void)
{
    Dl_info info;
    void *handle = dlopen("libm.so.6", RTLD_NOW);

    assert_non_null(handle);
    assert_true(dladdr(dlsym(handle, "fma"), &info));
    assert_int_equal(mkdir(cli_path("hsa"), 0777), 0);
    assert_int_equal(symlink(info.dli_fname, cli_path("hsa/libhsa-runtime64.so.1")), 0);
    assert_int_equal(setenv("GCNSIM_HSA_DIR", cli_path("hsa"), 1), 0);
    hsa = getenv("GCNSIM_HSA_DIR");
}

static void write_program(const char *name, const void *bytes, size_t size)
{
    write_file(cli_path(name), bytes, size);
    assert_int_equal(chmod(cli_path(name), 0755), 0);
}

static void sets_the_environment(void **state)
{
    static const char print[] =
        "echo \"$GCNSIM_ARCH|$GCNSIM_ENGINE|$GCNSIM_THREADS|$GCNSIM_KERNELS|$GCNSIM_DISPATCHES|$GCNSIM_MAX_WALL\"; "
        "echo \"$GCNSIM_SET|$GCNSIM_CHECK$GCNSIM_BLIT_KERNELS$GCNSIM_SUMMARY|$GCNSIM_SLACK\"; "
        "echo \"$GCNSIM_REPORT|$GCNSIM_CSV|$GCNSIM_LOG|$LD_PRELOAD|$LD_LIBRARY_PATH\"";
    char want[3 * CLI_PATH], folder[CLI_PATH];

    (void)state;
    setenv("LD_LIBRARY_PATH", "/nowhere", 1);
    struct said s = RUN("exec", "--arch", "gfx90a,gfx1030", "--engine", "timing", "--threads", "3", "--kernels",
                        "^a|b$", "--dispatches", "3,7-9", "--max-wall", "1.5", "--set", "dram.latency_cycles=500",
                        "--set", "dram.banks=8", "--check", "--blit-kernels", "--no-summary", "--slack", "page",
                        "--report", "r.db", "--csv", "/tmp/c", "--log", "l.txt", "--", "sh", "-c", print);
    unsetenv("LD_LIBRARY_PATH");
    assert_non_null(getcwd(folder, sizeof folder));
    snprintf(want, sizeof want,
             "gfx90a,gfx1030|timing|3|^a|b$|3,7-9|1.5\n"
             "dram.latency_cycles=500\ndram.banks=8|110|page\n"
             "%s/r.db|/tmp/c|%s/l.txt|%s/libhsa-runtime64.so.1|%s:/nowhere\n",
             folder, folder, hsa, hsa);
    expect_status(&s, 0);
    assert_string_equal(s.out, want);
    assert_string_equal(s.err, "");
    said_free(&s);
}

/* A table that is there is written where it is, in a folder that can be read alone, as /proc/PID/fd is: so gcnsim sweep
 * has it. */
static void tables_that_are_there(void **state)
{
    char folder[CLI_PATH], file[CLI_PATH + 64], none[CLI_PATH + 64];

    (void)state;
    if (geteuid() == 0) {
        print_message("skipped: root may write into any folder\n");
        skip();
    }
    snprintf(folder, sizeof folder, "%s", cli_path("read-only"));
    snprintf(file, sizeof file, "statistics=%s/there.csv", folder);
    snprintf(none, sizeof none, "statistics=%s/none.csv", folder);
    assert_int_equal(mkdir(folder, 0755), 0);
    write_file(strchr(file, '/'), "", 0);
    assert_int_equal(chmod(folder, 0555), 0);
    struct said s = RUN("exec", "--csv", file, "--", "sh", "-c", "echo $GCNSIM_CSV_STATISTICS");
    expect_status(&s, 0);
    assert_int_equal(strncmp(s.out, strchr(file, '/'), strlen(strchr(file, '/'))), 0);
    said_free(&s);
    expect_refused(RUN("exec", "--csv", none, "--", "true"), WORDS("--csv", folder));
    assert_int_equal(chmod(folder, 0755), 0);
}

/* What is not asked for is what the environment has; the profile has a default. */
static void leaves_the_rest(void **state)
{
    (void)state;
    setenv("GCNSIM_ENGINE", "timing", 1);
    struct said s =
        RUN("exec", "sh", "-c", "echo \"$GCNSIM_ARCH $GCNSIM_ENGINE $GCNSIM_CHECK-\"", "name", "--arch", "x");
    unsetenv("GCNSIM_ENGINE");
    expect_status(&s, 0);
    assert_string_equal(s.out, "gfx90a timing -\n");
    said_free(&s);
}

/* The path of a profile stays right where the program goes elsewhere. */
static void profiles_by_path(void **state)
{
    static const char json[] = "{\"extends\": \"gfx90a-mi210\"}";
    char want[CLI_PATH + 64], to[CLI_PATH];

    (void)state;
    write_file(cli_path("mine.json"), json, sizeof json - 1);
    write_file(cli_path("mi,ne.json"), json, sizeof json - 1);
    assert_non_null(realpath(cli_path("mine.json"), to));
    snprintf(want, sizeof want, "gfx906,%s\n", to);
    snprintf(to, sizeof to, "gfx906,%s", cli_path("mine.json"));
    struct said s = RUN("exec", "--arch", to, "sh", "-c", "cd /; echo $GCNSIM_ARCH");
    expect_status(&s, 0);
    assert_string_equal(s.out, want);
    said_free(&s);
    expect_refused(RUN("exec", "--arch", cli_path("mi,ne.json"), "true"), WORDS("mi"));
}

/* Programs find the same addresses in each run, by which cycles are the same; where the host allows that. */
static void addresses_are_the_same(void **state)
{
    struct said s;

    (void)state;
    if (access("/proc/self/personality", R_OK) != 0 || !may_fix_addresses()) {
        print_message("skipped: needs /proc/self/personality, and leave to change it\n");
        skip();
    }
    s = RUN("exec", "cat", "/proc/self/personality");
    expect_status(&s, 0);
    assert_true(strtoul(s.out, NULL, 16) & ADDR_NO_RANDOMIZE);
    said_free(&s);
}

static void ends_as_the_program(void **state)
{
    (void)state;
    struct said s = RUN("exec", "sh", "-c", "echo out; echo err >&2; exit 7");
    expect_status(&s, 7);
    assert_string_equal(s.out, "out\n");
    assert_string_equal(s.err, "err\n");
    said_free(&s);
    s = RUN("exec", "sh", "-c", "kill -TERM $$");
    assert_int_equal(s.status, SPAWN_SIGNAL);
    said_free(&s);
#ifndef __SANITIZE_ADDRESS__ /* what is run is no sanitized program, and cannot load a sanitized library */
    /* a descriptor that was closed is closed for the program */
    s = RUN("exec", "sh", "-c", "exec 0<&- 1>&-; exec \"$0\" exec sh -c 'echo x 2>&- || exit 9'", cli_tool());
    expect_status(&s, 9);
    said_free(&s);
#endif
}

static void scripts(void **state)
{
    static const char text[] = "#!/bin/sh\necho \"$1 ${LD_PRELOAD##*/}\"\n";

    (void)state;
    write_program("script", text, sizeof text - 1);
    struct said s = RUN("exec", cli_path("script"), "an argument");
    expect_status(&s, 0);
    assert_string_equal(s.out, "an argument libhsa-runtime64.so.1\n");
    said_free(&s);
}

static void programs_that_are_none(void **state)
{
    Elf64_Ehdr h = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT}, .e_type = ET_DYN};
    Elf64_Ehdr own;

    (void)state;
    FILE *f = fopen(cli_tool(), "rb");
    assert_true(f && fread(&own, sizeof own, 1, f) == 1);
    fclose(f);
    h.e_machine = own.e_machine;
    write_program("static", &h, sizeof h);
    h.e_machine = own.e_machine == EM_AARCH64 ? EM_X86_64 : EM_AARCH64;
    write_program("foreign", &h, sizeof h);
    h.e_machine = own.e_machine;
    h.e_type = ET_REL;
    write_program("object.o", &h, sizeof h);
    write_program("short", &h, 20);
    write_program("text", "hello\n", 6);
    write_file(cli_path("plain"), "#!/bin/sh\n", 10);
    expect_refused(RUN("exec", cli_path("static")), WORDS("static", "is statically linked", "cannot be put under it"));
    expect_refused(RUN("exec", cli_path("foreign")), WORDS("is a program for", "as gcnsim is"));
    expect_refused(RUN("exec", cli_path("object.o")), WORDS("is an object file"));
    expect_refused(RUN("exec", cli_path("short")), WORDS("that this machine cannot run"));
    expect_refused(RUN("exec", cli_path("text")), WORDS("neither an ELF program nor a script"));
    expect_refused(RUN("exec", cli_path("plain")), WORDS("is not executable"));
    expect_refused(RUN("exec", cli_path("absent")), WORDS("no such program"));
    expect_refused(RUN("exec", cli_path("hsa")), WORDS("is a folder"));
    expect_refused(RUN("exec", "no-such-program-anywhere"), WORDS("no such program in PATH"));
    expect_refused(RUN("exec", "Makefile"), WORDS("no such program in PATH; expected ./Makefile"));
    expect_refused(RUN("exec", ""), WORDS("name is empty"));
}

/* A bundle of one code object, as .hip_fatbin holds it. */
static void write_bundle(const char *path, const char *object, const char *id)
{
    const uint64_t header[] = {1, 4096, 0, strlen(id)}; /* entries; of the first: offset, bytes, bytes of its name */
    size_t bytes;
    char *code = read_whole(object, &bytes), start[4096] = "__CLANG_OFFLOAD_BUNDLE__";
    FILE *f = fopen(path, "wb");

    assert_true(code && f);
    memcpy(start + 24, header, sizeof header);
    memcpy(start + 24 + 16, &(uint64_t){bytes}, 8);
    memcpy(start + 24 + sizeof header, id, strlen(id));
    assert_int_equal(fwrite(start, 1, sizeof start, f), sizeof start);
    assert_int_equal(fwrite(code, 1, bytes, f), bytes);
    assert_int_equal(fclose(f), 0);
    free(code);
}

static void points_to_exec(struct said s, const char *hint)
{
    expect_status(&s, 2);
    expect_in(&s, s.err, hint);
    said_free(&s);
}

/* `gcnsim run` of a program of the host is a program that was meant for exec, with code objects in it or without; not
 * when a kernel of it was asked for. */
static void run_of_a_program(void **state)
{
    const char *plain = "/bin/sh";
    char hip[CLI_PATH + 30], bundle[CLI_PATH + 30], section[CLI_PATH + 60], hint[CLI_PATH + 60];

    (void)state;
    snprintf(hip, sizeof hip, "%s/program", cli_dir);
    snprintf(bundle, sizeof bundle, "%s/bundle", cli_dir);
    snprintf(hint, sizeof hint, "expected gcnsim exec %s", plain);
    points_to_exec(RUN("run", plain, "--kernel", "k", "--grid", "1"), hint);
    points_to_exec(RUN("run", plain), hint);
    write_bundle(bundle, "traces/samples/gfx1201/vecadd.co", "hipv4-amdgcn-amd-amdhsa--gfx1201");
    snprintf(section, sizeof section, ".hip_fatbin=%s", bundle);
    assert_int_equal(spawn_tool((const char *[]){"objcopy", "--add-section", section, plain, hip, NULL}, "/dev/null"),
                     0);
    snprintf(hint, sizeof hint, "expected gcnsim exec %s", hip);
    points_to_exec(RUN("run", hip), hint);
    struct said s = RUN("run", hip, "--kernel", "vecadd");
    expect_status(&s, 2);
    expect_in(&s, s.err, "--grid is missing");
    assert_null(strstr(s.err, "gcnsim exec"));
    said_free(&s);
    /* neither a code object nor a library is a program */
    s = RUN("run", "traces/samples/gfx1201/vecadd.co");
    expect_status(&s, 2);
    assert_null(strstr(s.err, "gcnsim exec"));
    said_free(&s);
}

static void bad_options(void **state)
{
    static const struct {
        const char *args[6], *word;
    } cases[] = {
        {{"exec"}, "no program given"},
        {{"exec", "--arch"}, "--arch needs a value"},
        {{"exec", "--bogus", "true"}, "--bogus"},
        {{"exec", "--arch", "gfx90b", "true"}, "gfx90a-mi210"},
        {{"exec", "--arch", "gfx90a,,gfx906", "true"}, "1 to 16 profiles"},
        {{"exec", "--arch", "", "true"}, "1 to 16 profiles"},
        {{"exec", "--engine", "fast", "true"}, "expected timing or functional"},
        {{"exec", "--threads", "1025", "true"}, "from 0 to 1024"},
        {{"exec", "--kernels", "a(", "true"}, "--kernels: 'a('; expected an extended regular expression"},
        {{"exec", "--kernels", "a", "true"}, "expected --engine timing"},
        {{"exec", "--dispatches", "3,", "true"}, "such as 3,7-9"},
        {{"exec", "--dispatches", "9-7", "true"}, "such as 3,7-9"},
        {{"exec", "--dispatches", "0", "true"}, "such as 3,7-9"},
        {{"exec", "--dispatches", "3", "true"}, "expected --engine timing"},
        {{"exec", "--max-wall", "0", "true"}, "above 0"},
        {{"exec", "--max-wall", "5s", "true"}, "above 0"},
        {{"exec", "--slack", "line", "true"}, "expected none or page"},
        {{"exec", "--set", "cu.simds=99", "true"}, "from 1 to 8"},
        {{"exec", "--set", "cu.sims=4", "true"}, "cu.simds"},
        {{"exec", "--report", "/nowhere/r.db", "true"}, "the folder /nowhere"},
        {{"exec", "--log", "", "true"}, "--log: the name is empty"},
        {{"exec", "--info", "true"}, "--info runs no program"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        expect_refused(cli_run(cases[k].args), WORDS(cases[k].word));
}

static void no_library(void **state)
{
    (void)state;
    setenv("GCNSIM_HSA_DIR", "/tmp", 1);
    expect_refused(RUN("exec", "true"), WORDS("GCNSIM_HSA_DIR: no libhsa-runtime64.so.1 in /tmp"));
    assert_int_equal(mkdir(cli_path("a b"), 0777), 0);
    assert_int_equal(symlink("/dev/null", cli_path("a b/libhsa-runtime64.so.1")), 0);
    setenv("GCNSIM_HSA_DIR", cli_path("a b"), 1);
    expect_refused(RUN("exec", "true"), WORDS("LD_PRELOAD cannot hold"));
    setenv("GCNSIM_HSA_DIR", cli_path("hsa"), 1);
    hsa = getenv("GCNSIM_HSA_DIR");
    /* a library that is none of ours has no agents to show */
    expect_refused(RUN("exec", "--info"), WORDS("undefined symbol: hsa_init"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_the_environment),
        cmocka_unit_test(tables_that_are_there),
        cmocka_unit_test(leaves_the_rest),
        cmocka_unit_test(profiles_by_path),
        cmocka_unit_test(addresses_are_the_same),
        cmocka_unit_test(ends_as_the_program),
        cmocka_unit_test(scripts),
        cmocka_unit_test(programs_that_are_none),
        cmocka_unit_test(run_of_a_program),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(no_library),
    };

    cli_setup(NULL);
    make_library();
    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
