/* libFuzzer target: an expression of a sweep. Whatever the text is, it is refused with a message, or has a value, which
 * is the same one each time; it neither reads nor writes anything.
 */
#include "sim/sweep/expr.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int condition)
{
    if (!condition)
        abort();
}

/* n, m: numbers; t: a text; [a.b]: one without a value. */
static bool find(void *ctx, const char *name, uint32_t *number)
{
    static const char *const names[] = {"n", "m", "t", "a.b"};

    (void)ctx;
    for (uint32_t k = 0; k < 4; k++)
        if (strcmp(names[k], name) == 0) {
            *number = k;
            return true;
        }
    return false;
}

static bool value(void *ctx, uint32_t number, struct sweep_operand *v)
{
    (void)ctx;
    *v = number == 2 ? (struct sweep_operand){.text = "text"} : (struct sweep_operand){.number = number ? 2.5 : 12};
    return number < 3;
}

static void check(struct sweep_expr *x)
{
    double number = 0, again = 0;
    const char *text, *same;
    bool has = sweep_expr_eval(x, value, NULL, &number, &text) == 0;
    char *kept = has && text ? strdup(text) : NULL;

    must(has == (sweep_expr_eval(x, value, NULL, &again, &same) == 0));
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
    else if (sweep_expr_new(&x, text, find, NULL, &e))
        must(!x && e.code != ERR_NONE && *e.text);
    else
        check(x);
    sweep_expr_free(x);
    free(text);
    return 0;
}
