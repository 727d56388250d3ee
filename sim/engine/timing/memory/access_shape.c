/* Counts accesses whose lanes have one address, or addresses at equal distances: those of a matrix have them but where
 * its rows end. */
#include "sim/engine/timing/memory/access_shape.h"

void access_shape(struct timing_profile *p, uint64_t lanes, const gaddr_t *addr, const uint32_t *offset)
{
    unsigned last = lanes ? (unsigned)__builtin_ctzll(lanes) : 0, pairs = 0, alike = 0;
    int64_t stride = 0;

    for (uint64_t m = lanes & (lanes - 1); m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctzll(m);
        int64_t by = addr ? (int64_t)(addr[l] - addr[last]) : (int64_t)offset[l] - offset[last];

        stride = pairs++ ? stride : by;
        alike += by == stride;
        last = l;
    }
    if (!pairs || (!stride && alike < pairs) || 4 * alike < 3 * pairs)
        return;
    if (!stride) {
        p->stat[STAT_INST_UNIFORM]++;
        return;
    }
    uint64_t distance = (uint64_t)(stride < 0 ? -stride : stride);

    p->stat[STAT_INST_STRIDED]++;
    if (distance > p->stat[STAT_INST_STRIDE_MAX_BYTES])
        p->stat[STAT_INST_STRIDE_MAX_BYTES] = distance;
}
