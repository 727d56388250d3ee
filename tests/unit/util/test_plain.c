/* What a terminal would obey becomes question marks, of the same number of bytes; what is seen stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/util/json_put.h"
#include "sim/util/plain.h"

static void texts(void **state)
{
    static const struct {
        const char *text;
        unsigned keep;
        const char *plain;
    } of[] = {
        {"", 0, ""},
        {"saxpy(float, float*) ~", 0, "saxpy(float, float*) ~"},
        {"gr\xc3\xb6\xc3\x9f"
         "e \xce\xbb \xe2\x82\xac \xf0\x9f\x98\x80 \xe6\xbc\xa2 \xd7\xa9\xd7\x9c",
         0,
         "gr\xc3\xb6\xc3\x9f"
         "e \xce\xbb \xe2\x82\xac \xf0\x9f\x98\x80 \xe6\xbc\xa2 \xd7\xa9\xd7\x9c"},
        {"\x1b]0;owned\x07", 0, "?]0;owned?"},
        {"a\nb\tc\rd\x7f", 0, "a?b?c?d?"},
        {"a\nb\tc\rd", PLAIN_LINES, "a\nb?c?d"},
        {"a\nb\tc", PLAIN_TABS, "a?b\tc"},
        {"a\nb\tc", PLAIN_LINES | PLAIN_TABS, "a\nb\tc"},
        {"\xc2\x9b"
         "2J \xc2\x80 \xc2\x9f \xc2\xa0",
         0, "??2J ?? ?? \xc2\xa0"},
        {"\x9b"
         "2J \xff \xc2",
         0, "?2J ? ?"},
        {"\xc0\x9b \xe0\x80\x9b \xf4\x90\x80\x80 \xed\xa0\x80", 0,
         "?? ??? ???? ???"}, /* longer than need be, and none */
        {"a\xe2\x80\xae"
         "b\xe2\x80\xaa\xe2\x81\xa6\xe2\x81\xa9\xe2\x80\x8f\xd8\x9c\xe2\x80\xa8",
         0, "a???b?????????????????"},
        {"a\xe2\x80\xa7 \xe2\x80\xaf \xe2\x80\x94 \xe2\x81\xa5 \xd8\x9b", 0,
         "a\xe2\x80\xa7 \xe2\x80\xaf \xe2\x80\x94 \xe2\x81\xa5 \xd8\x9b"}, /* beside them */
        {"\033[31mred\033[0m \033[1;32;48m \033[m", PLAIN_COLOURS, "\033[31mred\033[0m \033[1;32;48m \033[m"},
        {"\033[31mred\033[0m", 0, "?[31mred?[0m"},
        {"\033[2J \033[31 \033] \033[1;?m \033", PLAIN_COLOURS, "?[2J ?[31 ?] ?[1;?m ?"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof of / sizeof of[0]; k++) {
        char *copy = strdup(of[k].text);

        assert_ptr_equal(plain_text(copy, of[k].keep), copy);
        assert_string_equal(copy, of[k].plain);
        free(copy);
    }
}

/* Every character of up to three bytes is one or the other, and never a part of one. */
static void characters(void **state)
{
    unsigned hidden = 0;

    (void)state;
    for (uint32_t c = 1; c < 0x10000; c++) {
        char text[4] = {0};

        if (c >= 0xd800 && c < 0xe000)
            continue;
        if (c < 0x80) {
            text[0] = (char)c;
        } else if (c < 0x800) {
            text[0] = (char)(0xc0 | c >> 6);
            text[1] = (char)(0x80 | (c & 0x3f));
        } else {
            text[0] = (char)(0xe0 | c >> 12);
            text[1] = (char)(0x80 | (c >> 6 & 0x3f));
            text[2] = (char)(0x80 | (c & 0x3f));
        }
        bool obeyed = c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
                      (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
        char before[4];
        memcpy(before, text, sizeof before);
        plain_text(text, 0);
        assert_true(strcmp(text, obeyed ? &"???"[3 - strlen(before)] : before) == 0);
        hidden += obeyed;
    }
    assert_int_equal(hidden, 31 + 33 + 1 + 2 + 7 + 4);
}

/* JSON has them as escapes, so that who reads it has what was there. */
static void json(void **state)
{
    char *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);

    (void)state;
    json_put_string(f, "\x1b[2J\x7f\xc2\x9b\xd8\x9c\xe2\x80\xae\xe2\x82\xac\xff\n");
    fclose(f);
    assert_string_equal(text, "\"\\u001b[2J\\u007f\\u009b\\u061c\\u202e\xe2\x82\xac\\ufffd\\u000a\"");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),
        cmocka_unit_test(characters),
        cmocka_unit_test(json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
