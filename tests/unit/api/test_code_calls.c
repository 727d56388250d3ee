/* Direct calls (sim/api/code_calls.h): addresses computed beside the call, with words of llvm-mc 19. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/api/code_calls.h"
#include "tests/support/assemble.h"

enum { BASE = 0x1a5c };

/* The instructions of a piece of code that begins at BASE; the last one is judged. */
static bool last(const uint32_t *words, size_t count, gaddr_t *to)
{
    struct isa_target *t;
    struct err e = {0};
    struct code_calls calls = {0};
    bool is_call = false;

    assert_int_equal(isa_target_open(&t, "gfx90a", NULL, &e), 0);
    for (size_t at = 0; at < count * 4;) {
        struct isa_inst i;
        unsigned length = isa_decode(t, (const uint8_t *)words + at, count * 4 - at, &i, NULL);

        assert_true(length > 0);
        *to = 0;
        is_call = code_calls_next(&calls, t, &i, BASE + at, to);
        at += length;
    }
    isa_target_close(t);
    return is_call;
}

#define LAST(TO, TEXT) last(WORDS("gfx90a", TEXT), TO)
#define GETPC          "s_getpc_b64 s[14:15]; "
#define FORWARD        "s_add_u32 s14, s14, 0xd0; s_addc_u32 s15, s15, 0; "
#define BACK           "s_add_u32 s14, s14, 0xffffff00; s_addc_u32 s15, s15, -1; "
#define CALL           "s_swappc_b64 s[30:31], s[14:15]"

static void test_direct(void **state)
{
    gaddr_t to;

    (void)state;
    assert_true(LAST(&to, GETPC FORWARD CALL));
    assert_true(to == BASE + 4 + 0xd0);
    assert_true(LAST(&to, GETPC BACK CALL));
    assert_true(to == BASE + 4 - 0x100);
    assert_true(LAST(&to, GETPC FORWARD "s_mov_b64 s[16:17], s[14:15]; s_swappc_b64 s[30:31], s[16:17]"));
    assert_true(to == BASE + 4 + 0xd0);
    assert_true(LAST(&to, GETPC FORWARD "s_setpc_b64 s[14:15]")); /* a call at the function's end */
    assert_true(to == BASE + 4 + 0xd0);
}

static void test_unknown(void **state)
{
    gaddr_t to;

    (void)state;
    assert_true(LAST(&to, CALL));
    assert_true(to == 0);
    assert_true(LAST(&to, GETPC FORWARD "s_mov_b32 s14, s33; " CALL));
    assert_true(to == 0);
    assert_true(LAST(&to, GETPC "s_addc_u32 s15, s15, 0; " CALL)); /* a carry that is not known */
    assert_true(to == 0);
    assert_false(LAST(&to, GETPC FORWARD "s_setpc_b64 s[30:31]")); /* a return */
    assert_false(LAST(&to, GETPC));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_direct), cmocka_unit_test(test_unknown)};
    return cmocka_run_group_tests_name("direct calls", tests, NULL, NULL);
}
