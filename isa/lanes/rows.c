/* The rows of one variant: made when a target is opened for the first time, by the functions that the shape macros
 * leave in a linker section (isa/table/shapes.h). */
#include "isa/lanes/rows.h"

#include <assert.h>
#include <pthread.h>

enum { MAX_ROWS = 4096 }; /* twice as many as there are; what is not used costs nothing */

#define BEGIN_(V) __start_isa_rows_##V
#define END_(V)   __stop_isa_rows_##V
#define BEGIN(V)  BEGIN_(V)
#define END(V)    END_(V)
extern isa_row_maker *const BEGIN(ISA_VARIANT)[] __attribute__((visibility("hidden")));
extern isa_row_maker *const END(ISA_VARIANT)[] __attribute__((visibility("hidden")));

/* Constant once they are made: targets share them, and tell instructions apart by the places of their rows. */
static struct isa_row isa_rows_made[MAX_ROWS];
static pthread_once_t isa_rows_once = PTHREAD_ONCE_INIT;

static size_t row_count(void)
{
    return (size_t)(END(ISA_VARIANT) - BEGIN(ISA_VARIANT));
}

static void make_rows(void)
{
    assert(row_count() <= MAX_ROWS);
    for (size_t k = 0; k < row_count(); k++)
        BEGIN(ISA_VARIANT)[k](&isa_rows_made[k]);
}

const struct isa_row *LANES_FN(isa_all_rows)(size_t *count)
{
    pthread_once(&isa_rows_once, make_rows);
    *count = row_count();
    return isa_rows_made;
}
