/* Expressions of a sweep: filters, definitions and objectives, in SQLite's language, which is what results are asked
 * in, too. `[cache.l2.size_bytes] >= 4 * n`: a name in brackets is anything that has a value, a bare one a parameter.
 */
#ifndef GCNSIM_SWEEP_EXPR_H
#define GCNSIM_SWEEP_EXPR_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/util/error.h"

struct sweep_expr;

/* A value of a name; text where it is no number. */
struct sweep_operand {
    const char *text; /* null: number */
    double number;
};

/* Whether there is a value of that name in general; its number, by which it is asked for later. */
typedef bool sweep_name_fn(void *ctx, const char *name, uint32_t *number);
typedef bool sweep_value_fn(void *ctx, uint32_t number, struct sweep_operand *value);

/* Prepares an expression. 0, or -1 with *e: what is wrong with it. */
int sweep_expr_new(struct sweep_expr **out, const char *text, sweep_name_fn *name, void *ctx, struct err *e);
/* Its value: a number (*text null), or a text that is valid until the next call; 0, or -1 when it has none (NULL, an
 * unknown value). */
int sweep_expr_eval(struct sweep_expr *x, sweep_value_fn *value, void *ctx, double *number, const char **text);
void sweep_expr_free(struct sweep_expr *x); /* null is fine */

#endif
