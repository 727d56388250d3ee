/* libFuzzer target: an expression of a sweep. Whatever the text is, it is refused with a message, or has a value, which
 * is the same one each time; it neither reads nor writes anything.
 */
#include "tests/support/expr_names.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int condition)
{
    if (!condition)
        abort();
}

static struct expr_name names[] = {{"n", {.number = 12}, false},
                                   {"m", {.number = 2.5}, false},
                                   {"t", {.text = "text"}, false},
                                   {"a.b", {0}, true},
                                   {0}};

static void check(struct sweep_expr *x)
{
    double number = 0, again = 0;
    const char *text, *same;
    bool has = sweep_expr_eval(x, expr_name_value, names, &number, &text) == 0;
    char *kept = has && text ? strdup(text) : NULL;

    must(has == (sweep_expr_eval(x, expr_name_value, names, &again, &same) == 0));
    must(!has || !text == !same);
    must(!kept || strcmp(kept, same) == 0);
    must(!has || memcmp(&number, &again, sizeof number) == 0);
    free(kept);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sweep_expr *x = NULL;
    struct err e = {0};
    char *text = malloc(size + 1);

    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    if (size > 2000)
        ;
    else if (sweep_expr_new(&x, text, expr_name_is, names, &e))
        must(!x && e.code != ERR_NONE && *e.text);
    else
        check(x);
    sweep_expr_free(x);
    free(text);
    return 0;
}
