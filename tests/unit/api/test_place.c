/* Code objects that the caller loads: the image, symbols of others, and what is said of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/unit/loader/toy_elf.h"

#define GFX90A 0x53f
#define BASE   UINT64_C(0x700000)

static struct gcnsim_code *open_toy(const struct toy *t)
{
    struct gcnsim_code *code = NULL;
    struct gcnsim_error error = {0};

    assert_int_equal(gcnsim_code_open_memory(&code, t->bytes, sizeof t->bytes, "toy", NULL, &error), GCNSIM_OK);
    return code;
}

static int resolve(void *ctx, const char *name, uint64_t *address)
{
    const char *known = ctx;

    *address = 0x1234560000;
    return strcmp(name, known) == 0;
}

static void test_symbols_of_others(void **state)
{
    struct toy t;
    struct gcnsim_code_image image;
    struct gcnsim_error error = {0};
    struct gcnsim_code *code;
    unsigned outside, weak;
    uint64_t word;
    char *to;

    (void)state;
    toy_init(&t, GFX90A, 3);
    outside = toy_symbol(&t, "outside", TOY_GLOBAL | TOY_NOTYPE, 0, 0, 0);
    weak = toy_symbol(&t, "weak", TOY_WEAK | TOY_NOTYPE, 0, 0, 0);
    toy_rela(&t, TOY_DATA_VADDR, 3, outside, 8); /* ABS64 */
    toy_rela(&t, TOY_DATA_VADDR + 8, 3, weak, 1);
    code = open_toy(&t);
    gcnsim_code_get_image(code, &image);
    assert_int_equal(image.address, 0);
    assert_int_equal(image.align, 4096);
    to = calloc(1, image.size);
    assert_int_not_equal(gcnsim_code_place(code, to, image.size, BASE, NULL, NULL, &error), GCNSIM_OK);
    assert_non_null(strstr(error.text, "\"outside\" is not defined"));
    assert_int_not_equal(gcnsim_code_place(code, to, image.size, BASE, resolve, "weak", &error), GCNSIM_OK);
    assert_int_equal(gcnsim_code_place(code, to, image.size, BASE, resolve, "outside", &error), GCNSIM_OK);
    memcpy(&word, to + TOY_DATA_VADDR, sizeof word);
    assert_int_equal(word, 0x1234560008);
    memcpy(&word, to + TOY_DATA_VADDR + 8, sizeof word);
    assert_int_equal(word, 1);
    assert_memory_equal(to + TOY_TEXT_VADDR, t.bytes + TOY_TEXT, 0x100);
    assert_int_equal(gcnsim_code_place(code, to, image.size - 1, BASE, resolve, "outside", &error), GCNSIM_ERROR_USAGE);
    assert_int_equal(gcnsim_code_place(code, to, image.size, BASE + 8, resolve, "outside", &error), GCNSIM_ERROR_USAGE);
    free(to);
    gcnsim_code_close(code);
}

static uint32_t flags_of(const struct gcnsim_code *code, const char *name)
{
    struct gcnsim_symbol_info s;

    for (uint32_t k = 0; gcnsim_code_symbol(code, k, &s) == GCNSIM_OK; k++)
        if (strcmp(s.name, name) == 0)
            return gcnsim_code_symbol_flags(code, k);
    fail_msg("no symbol %s", name);
    return 0;
}

static void test_own_symbols(void **state)
{
    struct gcnsim_code *code;
    const void *elf;
    struct toy t;
    size_t size = 0;

    (void)state;
    toy_init(&t, GFX90A, 3);
    toy_symbol(&t, "var", TOY_GLOBAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR + 0x40, 12);
    toy_symbol(&t, "mine", TOY_LOCAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR + 0x50, 4);
    toy_symbol(&t, "abs", TOY_GLOBAL | TOY_NOTYPE, 0xfff1, 0x1234567890, 0);
    code = open_toy(&t);
    assert_int_equal(flags_of(code, "k.kd"), GCNSIM_SYMBOL_GLOBAL);
    assert_int_equal(flags_of(code, "var"), GCNSIM_SYMBOL_GLOBAL | GCNSIM_SYMBOL_WRITABLE);
    assert_int_equal(flags_of(code, "mine"), GCNSIM_SYMBOL_WRITABLE);
    assert_int_equal(flags_of(code, "abs"), GCNSIM_SYMBOL_GLOBAL | GCNSIM_SYMBOL_ABSOLUTE);
    assert_int_equal(gcnsim_code_symbol_flags(code, 99), 0);
    elf = gcnsim_code_elf(code, &size);
    assert_int_equal(size, sizeof t.bytes);
    assert_memory_equal(elf, t.bytes, sizeof t.bytes);
    gcnsim_code_close(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symbols_of_others),
        cmocka_unit_test(test_own_symbols),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
