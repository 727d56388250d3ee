/* That two runs have the same statistics; after cmocka.h. */
#ifndef TESTS_SUPPORT_SAME_STATISTICS_H
#define TESTS_SUPPORT_SAME_STATISTICS_H

#include "sim/api/gcnsim.h"

static inline void same_statistics(const struct gcnsim_result *a, const struct gcnsim_result *b)
{
    assert_int_equal(a->stat_count, b->stat_count);
    for (size_t k = 0; k < a->stat_count; k++)
        if (a->stats[k].present != b->stats[k].present || a->stats[k].value != b->stats[k].value)
            fail_msg("%s: %g and %g", a->stats[k].name, a->stats[k].value, b->stats[k].value);
}

#endif
