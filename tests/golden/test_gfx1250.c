/* gfx1250's text against LLVM 22's: an encoding of each instruction in each form in tests/golden/llvm22, and where LLVM
 * 22 is about a walk over every opcode, with a bound on the differences (docs/DISASSEMBLY.md says which there are).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"
#include "tests/golden/encodings.h"
#include "tests/golden/llvm_oracle.h"

enum { WALKED = 20000, TEXT = 512, PER_MILLE = 8 };

static struct isa_target *open_target(void)
{
    struct isa_target *t;
    struct err e = {0};

    assert_int_equal(isa_target_open(&t, "gfx1250", NULL, &e), 0);
    return t;
}

static void text_of(const struct isa_target *t, const uint8_t *bytes, unsigned size, unsigned *length, char *text)
{
    struct isa_inst i;

    *text = 0;
    *length = isa_decode(t, bytes, size, &i, NULL);
    if (*length)
        isa_text(t, &i, text, TEXT);
}

/* "bf4e0000|s_cmp_nlt_f32 s0, s0": words of the instruction, then LLVM 22's text. */
static void test_listed(void **state)
{
    struct isa_target *t = open_target();
    FILE *f = fopen("tests/golden/llvm22/gfx1250.txt", "r");
    char line[TEXT], ours[TEXT];
    unsigned lines = 0;

    (void)state;
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        uint32_t words[4];
        unsigned count = 0, length;
        char *p = line, *bar = strchr(line, '|');
        assert_non_null(bar);
        line[strcspn(line, "\n")] = 0;
        while (p < bar && count < 4)
            words[count++] = (uint32_t)strtoul(p, &p, 16);
        text_of(t, (const uint8_t *)words, 4 * count, &length, ours);
        assert_string_equal(ours, bar + 1);
        assert_int_equal(length, 4 * count);
        lines++;
    }
    fclose(f);
    isa_target_close(t);
    assert_true(lines > 2800);
}

static void test_walk(void **state)
{
    struct isa_target *t = open_target();
    struct oracle_word *w = oracle_alloc(WALKED);
    struct encodings g;
    unsigned accepted = 0, differ = 0;

    (void)state;
    oracle_choose(ORACLE_LLVM22);
    if (oracle_absent()) {
        print_message("%s", oracle_absent());
        isa_target_close(t);
        oracle_free(w);
        skip();
    }
    assert_non_null(w);
    encodings_start(&g, "gfx1250", 1);
    for (unsigned k = 0; k < WALKED; k++)
        w[k].given = (uint8_t)encodings_walk(&g, w[k].bytes);
    assert_true(oracle_ask("gfx1250", w, WALKED) >= 0);
    for (unsigned k = 0; k < WALKED; k++) {
        char ours[TEXT];
        unsigned length;
        if (w[k].crashed)
            continue;
        text_of(t, w[k].bytes, w[k].given, &length, ours);
        oracle_squeeze(ours);
        accepted += length || w[k].size;
        differ += length != w[k].size || strcmp(ours, w[k].text) != 0;
    }
    oracle_free(w);
    isa_target_close(t);
    print_message("gfx1250: %u walked, %u accepted, %u differ from LLVM 22\n", WALKED, accepted, differ);
    assert_true(accepted > 4000);
    assert_true(1000 * differ < PER_MILLE * accepted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_listed), cmocka_unit_test(test_walk)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
