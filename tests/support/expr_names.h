/* What the names in an expression of a sweep stand for, from a table of the test. Header-only. */
#ifndef TESTS_SUPPORT_EXPR_NAMES_H
#define TESTS_SUPPORT_EXPR_NAMES_H

#include <string.h>

#include "sim/sweep/expr.h"

struct expr_name {
    const char *name; /* null: after the last */
    struct sweep_operand value;
    bool has_none;
};

/* A sweep_name_fn and a sweep_value_fn; ctx: the table. */
static inline bool expr_name_is(void *ctx, const char *name, uint32_t *number)
{
    const struct expr_name *names = ctx;

    for (uint32_t k = 0; names[k].name; k++)
        if (strcmp(names[k].name, name) == 0) {
            *number = k;
            return true;
        }
    return false;
}

static inline bool expr_name_value(void *ctx, uint32_t number, struct sweep_operand *v)
{
    const struct expr_name *names = ctx;

    *v = names[number].value;
    return !names[number].has_none;
}

#endif
