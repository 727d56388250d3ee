/* The forms of C that clang 19 compiles wrongly, which the other kernels avoid (tests/system/kernels/miscompiled.c):
 * each is wrong on the target and at the level named here, or the fence around it is for nothing, and right everywhere
 * with that fence. Another compiler (GCNSIM_KERNEL_CLANG) may do either, and a line says which.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "tests/support/toolchain.h"
#include "tests/system/kernel_diff.h"

#define SOURCE "tests/system/kernels/miscompiled.c"

static const struct form {
    const char *name, *target, *level;
    const char *what; /* and what became of it */
} forms[] = {
    {"dividend", "gfx900", "-O2", "an unsigned dividend of 64 bits with leading ones (LLVM's pulls 116733, 119325)"},
    {"divisor", "gfx1100", "-O2", "an unsigned divisor of 64 bits with leading ones (LLVM's pulls 116733, 119325)"},
    {"narrowed", "gfx1030", "-O2", "a dividend of 64 bits that has ones at the top of its lower 32 (the same)"},
    {"narrow_dividend", "gfx942", "-O0",
     "an unsigned dividend of 32 bits with leading ones (LLVM's pull 196418; optimized, 119325)"},
    {"zero_minus", "gfx1200", "-O2", "0 - x as an operand becomes -x (SelectVOP3ModsImpl, LLVM 17 to 22)"},
    {"saturation", "gfx803", "-O2", "a saturating sum of u32 with a literal (LLVM 19 to 22)"},
    {"ones", "gfx90a", "-O2", "x | y with a half of x all ones (LLVM's pull 189655)"},
    {"bytes", "gfx900", "-O2", "a difference of unsigned bytes, the smaller from the larger one (LLVM 19)"},
    {"aperture", "gfx1100", "-O2", "p[1 - i] by an offset of 4 from what is before p (LLVM's pulls 153001, 165427)"},
    {"latched", "gfx900", "-O2", "an SGPR that a loop changes, read behind that loop (LLVM's pull 203256)"},
};

enum { FORMS = sizeof forms / sizeof *forms };

static struct {
    struct diff_host *host;
    struct diff_build builds[FORMS];
} env;

static int run(const struct form *f, struct diff_build *b, const char *prefix, bool quiet)
{
    char name[64];
    unsigned ran;
    snprintf(name, sizeof name, "%s_%s", prefix, f->name);
    b->kernels = name;
    b->quiet = quiet;
    int failed = diff_run(env.host, b, &ran);
    assert_true(ran >= 1);
    return failed;
}

static void test_form(void **state)
{
    const struct form *f = *state;
    struct diff_build *b = &env.builds[f - forms];
    const char *compiler = getenv("GCNSIM_KERNEL_CLANG");
    NEED_CLANG();
    diff_build_wait(env.builds, FORMS, (size_t)(f - forms));
    assert_int_equal(run(f, b, "fenced", false), 0);
    bool wrong = run(f, b, "form", true) > 0;
    print_message("%s %s for %s: %s\n", compiler ? compiler : "clang-19", wrong ? "is wrong" : "is right", b->title,
                  f->what);
    if (!compiler)
        assert_true(wrong);
}

static int open_host(void **state)
{
    (void)state;
    if (why_no_clang())
        return 0;
    for (size_t i = 0; i < FORMS; i++)
        diff_build_init(&env.builds[i], program_folder(), forms[i].name, SOURCE, forms[i].target, forms[i].level,
                        false);
    return diff_host_open(&env.host, program_folder(), SOURCE, NULL, true);
}

static int close_host(void **state)
{
    (void)state;
    diff_build_stop(env.builds, FORMS);
    diff_host_close(env.host);
    return 0;
}

int main(void)
{
    struct CMUnitTest tests[FORMS];
    for (size_t i = 0; i < FORMS; i++)
        tests[i] = (struct CMUnitTest){
            .name = forms[i].name, .test_func = test_form, .initial_state = (void *)(uintptr_t)&forms[i]};
    return _cmocka_run_group_tests("miscompiled forms", tests, FORMS, open_host, close_host);
}
