/* Minimum, maximum and median of numbers, which all generations treat alike: as integers that order as the numbers do,
 * -0 (-1) below +0. Floats become such by isa/insts/valu_f32_order.c, halves by isa/lanes/half_rows.h. */
#ifndef GCNSIM_ISA_ORDER_H
#define GCNSIM_ISA_ORDER_H

#include <stdbool.h>
#include <stdint.h>

enum order_op { ORDER_MIN, ORDER_MAX, ORDER_MIN3, ORDER_MAX3, ORDER_MED3, ORDER_MINMAX, ORDER_MAXMIN };

/* Operands that an operation has. */
static inline unsigned order_sources(enum order_op op)
{
    return op < ORDER_MIN3 ? 2 : 3;
}

static inline int32_t order_lower(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t order_higher(int32_t a, int32_t b)
{
    return a < b ? b : a;
}

/* zeros of either sign are equal to MED3 */
static inline int32_t order_middle(int32_t a, int32_t b, int32_t c)
{
    int32_t ab = order_higher(a, b), top = order_higher(ab, c), bc = order_higher(b, c), ac = order_higher(a, c);
    bool zero = (top == 0) | (top == -1), a_zero = (a == 0) | (a == -1), b_zero = (b == 0) | (b == -1);
    bool is_a = (top == a) | (zero & a_zero), is_b = (top == b) | (zero & b_zero);

    return is_a ? bc : is_b ? ac : ab;
}

static inline __attribute__((always_inline)) int32_t order_of(enum order_op op, int32_t a, int32_t b, int32_t c)
{
    int32_t low = order_lower(a, b), high = order_higher(a, b);

    return op == ORDER_MIN      ? low
           : op == ORDER_MAX    ? high
           : op == ORDER_MIN3   ? order_lower(low, c)
           : op == ORDER_MAX3   ? order_higher(high, c)
           : op == ORDER_MINMAX ? order_higher(low, c)
           : op == ORDER_MAXMIN ? order_lower(high, c)
                                : order_middle(a, b, c);
}

#endif
