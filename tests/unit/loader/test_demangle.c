/* Names of C++: what c++filt prints, bounds that hostile names meet, and which names a word on the command line means.
 */
#include "sim/loader/demangle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void names(void **state)
{
    static const char *const plain[][2] = {
        {"_Z4vaddPKfS0_Pfi", "vadd(float const*, float const*, float*, int)"},
        {"_ZN12_GLOBAL__N_11kIfEEvPT_", "void (anonymous namespace)::k<float>(float*)"},
        {"_ZN2ns4vaddEi", "ns::vadd(int)"},
        {"_Z1fIiEvT_", "void f<int>(int)"},
    };
    static const char *const none[] = {"vadd", "_Z", "", "_", "_Zxyzzy", "main"};

    (void)state;
    for (size_t k = 0; k < sizeof plain / sizeof plain[0]; k++) {
        char *text = demangle(plain[k][0]);
        assert_non_null(text);
        assert_string_equal(text, plain[k][1]);
        free(text);
    }
    for (size_t k = 0; k < sizeof none / sizeof none[0]; k++)
        assert_null(demangle(none[k]));
}

/* f(p<A, A>, p<that, that>, ...): each parameter is twice as long as the one before it. */
static void names_that_expand_without_end(void **state)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char name[DEMANGLE_MAX_MANGLED] = "_Z1f1pI1AS0_E", *text;

    (void)state;
    for (unsigned k = 1; k < 32; k++) {
        size_t n = strlen(name);

        snprintf(name + n, sizeof name - n, "S_IS%c_S%c_E", digits[k], digits[k]);
        text = demangle(name);
        assert_int_equal(text != NULL, k <= 11);
        assert_true(!text || strlen(text) <= DEMANGLE_MAX_PLAIN);
        free(text);
    }
}

static void long_names(void **state)
{
    char name[DEMANGLE_MAX_MANGLED + 8] = "_Z3000", *text;
    size_t n = strlen("_Z1f");

    (void)state;
    memset(name + strlen(name), 'f', 3000);
    strcat(name, "v");
    text = demangle(name); /* c++filt needs -r for it */
    assert_non_null(text);
    assert_int_equal(strlen(text), 3000 + strlen("()"));
    free(text);
    memcpy(name, "_Z1f", n);
    memset(name + n, 'P', DEMANGLE_MAX_MANGLED - n);
    name[DEMANGLE_MAX_MANGLED] = 0;
    name[DEMANGLE_MAX_MANGLED - 1] = 'i';
    free(demangle(name)); /* deep: comes back */
    memset(name + n, 'i', DEMANGLE_MAX_MANGLED + 1 - n);
    assert_null(demangle(name));
}

static void what_a_word_means(void **state)
{
    static const char k[] = "_ZN2ns4vaddIfEEvPT_i"; /* void ns::vadd<float>(float*, int) */

    (void)state;
    assert_int_equal(demangle_matches(k, k), DEMANGLE_THE_NAME);
    assert_int_equal(demangle_matches(k, "void ns::vadd<float>(float*, int)"), DEMANGLE_PLAIN);
    assert_int_equal(demangle_matches(k, "vadd"), DEMANGLE_STEM);
    assert_int_equal(demangle_matches(k, "ns::vadd"), DEMANGLE_STEM);
    assert_int_equal(demangle_matches(k, "vadd<float>"), DEMANGLE_STEM);
    assert_int_equal(demangle_matches(k, "vad"), DEMANGLE_PART);
    assert_int_equal(demangle_matches(k, "float*"), DEMANGLE_PART);
    assert_int_equal(demangle_matches(k, "4vadd"), DEMANGLE_PART);
    assert_int_equal(demangle_matches(k, "wadd"), DEMANGLE_NO_MATCH);
    assert_int_equal(demangle_matches("_Z1f4vaddIiE", "vadd"), DEMANGLE_PART); /* f(vadd<int>) */
    assert_int_equal(demangle_matches("saxpy", "saxpy"), DEMANGLE_THE_NAME);
    assert_int_equal(demangle_matches("saxpy", "axp"), DEMANGLE_PART);
    assert_int_equal(demangle_matches("saxpy", "saxpy2"), DEMANGLE_NO_MATCH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(names_that_expand_without_end),
        cmocka_unit_test(long_names),
        cmocka_unit_test(what_a_word_means),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
