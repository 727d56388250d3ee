/* Files with several code objects, and variables of those that are loaded, through the library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/unit/loader/toy_elf.h"

#define TWO "tests/fuzz/corpus/loader/two.bundle" /* of gfx803, the same kernel in both */

static struct gcnsim_error error;

static void refused(int code, int expected, const char *part)
{
    if (code != expected || !strstr(error.text, part))
        fail_msg("%d, \"%s\"; expected %d, \"%s\"", code, error.text, expected, part);
}

static struct gcnsim_code_source of_file(const char *path)
{
    struct gcnsim_code_source s;

    gcnsim_code_source_init(&s);
    s.path = path;
    return s;
}

static void test_lists(void **state)
{
    struct gcnsim_code_source source = of_file(TWO);
    struct gcnsim_code_list *list = NULL;
    struct gcnsim_code_entry entry;
    struct gcnsim_code *code[2];
    struct gcnsim_code_info info;
    uint32_t of;
    (void)state;

    assert_int_equal(gcnsim_code_list_open(&list, &source, &error), GCNSIM_OK);
    for (uint32_t k = 0; k < 2; k++) {
        assert_int_equal(gcnsim_code_list_entry(list, k, &entry), GCNSIM_OK);
        assert_int_equal(entry.index, k);
        assert_int_equal(entry.bytes, 2680);
        assert_non_null(strstr(entry.id, "gfx803"));
        assert_int_equal(gcnsim_code_list_code(list, k, &code[k], &error), GCNSIM_OK);
    }
    assert_int_not_equal(gcnsim_code_list_entry(list, 2, &entry), GCNSIM_OK);
    refused(gcnsim_code_list_code(list, 2, &code[0], &error), GCNSIM_ERROR_USAGE, "code object 2 of a list of 2");
    gcnsim_code_list_close(list);
    for (uint32_t k = 0; k < 2; k++) { /* they outlive the list */
        gcnsim_code_get_info(code[k], &info);
        assert_string_equal(info.name, TWO);
        assert_string_equal(info.target, "gfx803");
        assert_int_equal(info.kernel_count, 1);
        assert_int_equal(gcnsim_code_index(code[k], &of), k);
        assert_int_equal(of, 2);
        assert_int_equal(gcnsim_code_index(code[k], NULL), k);
        gcnsim_code_close(code[k]);
    }
    gcnsim_code_list_close(NULL);
}

static void test_lists_that_cannot_be(void **state)
{
    struct gcnsim_code_source source = of_file(TWO);
    struct gcnsim_code_list *list = NULL;
    (void)state;

    source.want_target = "gfx90a";
    refused(gcnsim_code_list_open(&list, &source, &error), GCNSIM_ERROR_USAGE, "no code object for target \"gfx90a\"");
    source.want_target = NULL;
    source.max_memory = 4096;
    refused(gcnsim_code_list_open(&list, &source, &error), GCNSIM_ERROR_LIMIT, "");
    source = of_file(NULL);
    refused(gcnsim_code_list_open(&list, &source, &error), GCNSIM_ERROR_USAGE, "neither path nor bytes");
    source = of_file("Makefile");
    assert_int_equal(gcnsim_code_list_open(&list, &source, &error), GCNSIM_OK); /* what it is shows when it is opened */
    struct gcnsim_code *code;
    refused(gcnsim_code_list_code(list, 0, &code, &error), GCNSIM_ERROR_FORMAT,
            "Makefile: offset 0: not a code object");
    gcnsim_code_list_close(list);
}

static void test_loading_one_of_several(void **state)
{
    struct gcnsim_code_source source = of_file(TWO);
    struct gcnsim_module *module = NULL;
    struct gcnsim *sim;
    (void)state;

    assert_int_equal(gcnsim_open(&sim, "gfx803", &error), GCNSIM_OK);
    refused(gcnsim_load(sim, &module, &source, &error), GCNSIM_ERROR_USAGE, "choose one by a kernel or by index: 0 ");
    refused(gcnsim_load_file(sim, &module, TWO, NULL, &error), GCNSIM_ERROR_USAGE, "2 code objects fit");
    source.by_index = 1;
    source.index = 2;
    refused(gcnsim_load(sim, &module, &source, &error), GCNSIM_ERROR_USAGE, "the file holds 2");
    source.index = 1;
    assert_int_equal(gcnsim_load(sim, &module, &source, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_code_index(gcnsim_module_code(module), NULL), 1);
    gcnsim_close(sim);
}

static void test_variables(void **state)
{
    static const char *const sets[] = {"v=bytes:000102030405060708090a0b0c0d0e0f", "w=u32:7"};
    static const char *const reads[] = {"v:u8:4", "w"};
    static const char *const wrong[] = {"w=u64:7"};
    const struct gcnsim_symbol_texts texts = {sets, 2, reads, 2};
    struct gcnsim_symbols *symbols = NULL;
    struct gcnsim_module *module;
    struct gcnsim_file file;
    struct gcnsim *sim;
    uint64_t address, size;
    uint8_t now[16];
    char *text;
    struct toy t;
    (void)state;

    toy_init(&t, 0x53f, 3);
    toy_symbol(&t, "v", TOY_GLOBAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR, 16);
    toy_symbol(&t, "w", TOY_GLOBAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR + 0x1f0, 4); /* zeros of no file */
    assert_int_equal(gcnsim_open(&sim, "gfx90a", &error), GCNSIM_OK);
    assert_int_equal(gcnsim_load_memory(sim, &module, t.bytes, sizeof t.bytes, "toy", NULL, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_symbols_parse(module, &texts, NULL, NULL, &symbols, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_module_symbol(module, "v", &address, &size, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_read(sim, address, now, 16, &error), GCNSIM_OK);
    assert_int_equal(now[0], 0xd0); /* nothing is set yet */
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(gcnsim_symbols_set(symbols, &error), GCNSIM_OK);
        assert_int_equal(gcnsim_read(sim, address, now, 16, &error), GCNSIM_OK);
        assert_int_equal(now[15], 15);
        now[15] = 99; /* as a kernel may, and it is set again */
        assert_int_equal(gcnsim_write(sim, address, now, 16, &error), GCNSIM_OK);
    }
    assert_int_equal(gcnsim_symbols_read(symbols, 0, &text, &error), GCNSIM_OK);
    assert_string_equal(text, "symbol v: 4 u8\n       0  0 1 2 3\n");
    gcnsim_free(text);
    assert_int_equal(gcnsim_symbols_read(symbols, 1, &text, &error), GCNSIM_OK);
    assert_string_equal(text, "symbol w: 4 bytes\n       0  07000000\n");
    gcnsim_free(text);
    refused(gcnsim_symbols_read(symbols, 2, &text, &error), GCNSIM_ERROR_USAGE, "symbol 2 of 2");
    assert_int_equal(gcnsim_symbols_file(symbols, 3, &file), GCNSIM_OK);
    assert_null(file.path);
    assert_int_not_equal(gcnsim_symbols_file(symbols, 4, &file), GCNSIM_OK);
    gcnsim_symbols_free(symbols);
    gcnsim_symbols_free(NULL);
    refused(
        gcnsim_symbols_parse(module, &(struct gcnsim_symbol_texts){wrong, 1, NULL, 0}, NULL, NULL, &symbols, &error),
        GCNSIM_ERROR_USAGE, "symbol 'w' has 4 bytes, 8 are given");
    gcnsim_close(sim);
}

static void test_instruction_sets(void **state)
{
    (void)state;
    assert_string_equal(gcnsim_instruction_set("gfx940"), "gfx942");
    assert_string_equal(gcnsim_instruction_set("gfx11-generic"), "gfx1100");
    assert_string_equal(gcnsim_instruction_set("gfx90a"), "gfx90a");
    assert_string_equal(gcnsim_instruction_set("none"), "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_lists_that_cannot_be),
        cmocka_unit_test(test_loading_one_of_several),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_instruction_sets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
