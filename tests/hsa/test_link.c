/* libhsa-runtime64.so.1 as a guest in foreign programs: which names it shows, what it needs, what it does when it is
 * loaded. Asked of binutils' readelf and of the dynamic linker. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <libgen.h>
#include <unistd.h>

enum { NAMES = 400, NAME_BYTES = 96 };

static char library[4096];

/* What a command that is given the library says, a line at a time; ends at the first line for which `line` is false. */
static void each_line(const char *command, bool (*line)(char *text, void *ctx), void *ctx)
{
    char all[8192], text[4096];

    snprintf(all, sizeof all, "LC_ALL=C %s '%s'", command, library);
    FILE *f = popen(all, "r");
    assert_non_null(f);
    while (fgets(text, sizeof text, f) && line(text, ctx))
        ;
    pclose(f);
}

struct dynamic {
    bool soname, nodelete, now;
    unsigned needed;
};

static bool is_of_libc(const char *name)
{
    static const char *const known[] = {"libc.so.", "libm.so.", "libpthread.so.", "libdl.so.", "ld-linux"};

    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (!strncmp(name, known[k], strlen(known[k])))
            return true;
    return false;
}

static bool dynamic_line(char *text, void *ctx)
{
    struct dynamic *d = ctx;
    char *name = strchr(text, '[');

    if (name)
        name[strcspn(name, "]")] = 0;
    if (strstr(text, "(NEEDED)") && name) {
        d->needed++;
        if (!is_of_libc(name + 1))
            fail_msg("needs %s; expected the C library alone", name + 1);
    }
    if (strstr(text, "(SONAME)") && name)
        d->soname = !strcmp(name + 1, "libhsa-runtime64.so.1");
    if (strstr(text, "(FLAGS_1)")) {
        d->nodelete = strstr(text, "NODELETE");
        d->now = strstr(text, "NOW");
    }
    if (strstr(text, "(RPATH)") || strstr(text, "(RUNPATH)") || strstr(text, "(TEXTREL)"))
        fail_msg("%s", text);
    return true;
}

static void needs_the_c_library_alone(void **state)
{
    struct dynamic d = {0};

    (void)state;
    each_line("readelf -dW", dynamic_line, &d);
    assert_true(d.soname && d.nodelete && d.now);
    assert_in_range(d.needed, 1, 4);
}

/* ---- names ---- */

struct names {
    unsigned wanted, found;
    char want[NAMES][NAME_BYTES];
    bool have[NAMES];
};

/* A line of readelf --dyn-syms: "12: ADDRESS SIZE TYPE BIND VIS SECTION NAME@VERSION". */
static bool symbol_line(char *text, void *ctx)
{
    struct names *n = ctx;
    char type[16], bind[16], section[16], name[256];

    if (sscanf(text, " %*u: %*x %*s %15s %15s %*s %15s %255s", type, bind, section, name) != 4)
        return true;
    char *version = strchr(name, '@');
    if (version)
        *version++ = 0;
    if (!strcmp(section, "UND")) {
        unsigned major = 0, minor = 0;

        if (!strcmp(bind, "WEAK"))
            return true;
        if (!version || sscanf(version, "GLIBC_%u.%u", &major, &minor) != 2)
            fail_msg("%s is looked for outside of the C library", name);
        if (major > __GLIBC__ || minor > __GLIBC_MINOR__)
            fail_msg("%s needs %s; expected %d.%d at most", name, version, __GLIBC__, __GLIBC_MINOR__);
        if (!strcmp(name, "stdout") || !strcmp(name, "stderr") || !strcmp(name, "stdin"))
            fail_msg("%s is the program's", name);
        return true;
    }
    if (!strcmp(type, "OBJECT") && !strcmp(section, "ABS")) /* the version itself */
        return true;
    if (version && !strcmp(version, "@GCNSIM_1") && strstr(name, "gcnsim_hsa_sysfs") == name)
        return true; /* for the library that leads programs to the simulated GPUs' files */
    if (!version || strcmp(version, "@ROCR_1"))
        fail_msg("%s is of version %s; expected ROCR_1", name, version ? version : "none");
    for (unsigned k = 0; k < n->wanted; k++)
        if (!strcmp(n->want[k], name)) {
            n->have[k] = true;
            n->found++;
            return true;
        }
    fail_msg("%s is visible and no name of the interface", name);
    return false;
}

static void shows_the_names_of_the_interface(void **state)
{
    static struct names n;
    FILE *f = fopen("tests/hsa/symbols.txt", "r");
    unsigned missing = 0;

    (void)state;
    assert_non_null(f);
    while (n.wanted < NAMES && fscanf(f, "%95s", n.want[n.wanted]) == 1)
        n.wanted++;
    fclose(f);
    assert_int_equal(n.wanted, 260);
    each_line("readelf --dyn-syms -W", symbol_line, &n);
    for (unsigned k = 0; k < n.wanted; k++)
        if (!n.have[k]) {
            missing++;
            print_message("missing: %s\n", n.want[k]);
        }
    assert_int_equal(n.found + missing, n.wanted);
    assert_int_equal(missing, 0);
}

/* ---- loading ---- */

static bool section_line(char *text, void *ctx)
{
    /* "[20] .init_array INIT_ARRAY ADDRESS OFFSET SIZE ..." */
    char *at = strstr(text, "_ARRAY ");
    unsigned long bytes;

    (void)ctx;
    if (!at || sscanf(at, "_ARRAY %*x %*x %lx", &bytes) != 1)
        return true;
    /* frame_dummy, nettle's fat_init and, where functions have versions, libgcc's __cpu_indicator_init */
    if (strstr(text, "INIT_ARRAY") && bytes > 3 * sizeof(void *))
        fail_msg("%lu bytes of constructors; expected the compiler's two and nettle's", bytes);
    /* and the one that says that a program of gcnsim exec had no use for the library (sim/hsa/init.c) */
    if (strstr(text, "FINI_ARRAY") && bytes > 2 * sizeof(void *))
        fail_msg("%lu bytes of destructors; expected the compiler's and one", bytes);
    return true;
}

static void has_no_constructors_of_its_own(void **state)
{
    (void)state;
    each_line("readelf -SW", section_line, NULL);
}

/* It is loaded, closed as libomptarget does, and stays. */
static void stays_when_it_is_closed(void **state)
{
    (void)state;
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        fail_msg("%s", dlerror());
    void *address = dlsym(handle, "hsa_init");
    Dl_info info;
    assert_non_null(address);
    assert_non_null(dlvsym(handle, "hsa_init", "ROCR_1"));
    assert_int_equal(dlclose(handle), 0);
    assert_true(dladdr(address, &info) && strstr(info.dli_fname, "libhsa-runtime64.so.1"));
}

/* Beside it lies the name without a version, which libomptarget asks for. */
static void has_its_other_name(void **state)
{
    char to[64] = "", link[4200];

    (void)state;
    snprintf(link, sizeof link, "%s", library);
    link[strlen(link) - 2] = 0; /* ".1" */
    assert_true(readlink(link, to, sizeof to - 1) > 0);
    assert_string_equal(to, "libhsa-runtime64.so.1");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(needs_the_c_library_alone),
        cmocka_unit_test(shows_the_names_of_the_interface),
        cmocka_unit_test(has_no_constructors_of_its_own),
        cmocka_unit_test(stays_when_it_is_closed),
        cmocka_unit_test(has_its_other_name),
    };
    const char *tool = getenv("GCNSIM");
    char path[4000];

    snprintf(path, sizeof path, "%s", tool ? tool : "build/gcnsim");
    snprintf(library, sizeof library, "%s/hsa/libhsa-runtime64.so.1", dirname(path));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
