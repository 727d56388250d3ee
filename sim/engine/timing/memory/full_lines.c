/* Addresses, or lines, of an access as they would be with the data of its lanes side by side. */
#include "sim/engine/timing/memory/full_lines.h"

/* The distance of neighbouring lanes, when all are active from the first to the last and it is the same; 0: it is not,
 * or too short to matter. */
static gaddr_t stride_of(const gaddr_t addr[COALESCE_LANES], uint64_t exec, uint32_t bytes)
{
    unsigned first = (unsigned)__builtin_ctzll(exec), n = (unsigned)__builtin_popcountll(exec);
    gaddr_t stride;

    if (n < 2 || exec >> first != lane_mask(n))
        return 0;
    stride = addr[first + 1] - addr[first];
    if (stride <= bytes || stride > 1u << 30)
        return 0;
    for (unsigned l = first + 1; l < first + n; l++)
        if (addr[l] - addr[l - 1] != stride)
            return 0;
    return stride;
}

/* Chooses some of the lines. */
static void choose_lines(struct coalesced *lines, uint64_t exec, uint32_t bytes, const struct coalesce_shape *shape)
{
    gaddr_t side_by_side[COALESCE_LANES] = {0}, line = shape->line_bytes, first = lines->line[0].addr;
    uint32_t all = lines->lines, lane = 0, skip;
    struct coalesced full;

    for (uint64_t m = exec; m; m &= m - 1)
        side_by_side[__builtin_ctzll(m)] = (gaddr_t)bytes * lane++;
    coalesce(side_by_side, exec, bytes, shape, &full);
    if (full.lines + 1 >= all)
        return;
    skip = (uint32_t)(first % line / bytes * full.lines % all);
    for (uint32_t k = 0; k < full.lines; k++)
        full.line[k].addr = lines->line[(skip + k) % all].addr & -line;
    *lines = full;
}

void full_lines(struct coalesced *lines, const gaddr_t addr[COALESCE_LANES], uint64_t exec, uint32_t bytes,
                const struct coalesce_shape *shape)
{
    gaddr_t transposed[COALESCE_LANES] = {0}, line = shape->line_bytes, stride, at;
    uint32_t wanted = 0, lane = 0;

    for (uint32_t k = 0; k < lines->lines; k++)
        wanted += lines->line[k].bytes;
    /* lanes that want the same bytes, and lines that are full as it is but for their ends */
    if ((wanted + line - 1) / line + 1 >= lines->lines)
        return;
    stride = stride_of(addr, exec, bytes);
    if (!stride) {
        choose_lines(lines, exec, bytes, shape);
        return;
    }
    /* the tile of the lanes' rows, turned around: columns of it one after the other */
    at = addr[__builtin_ctzll(exec)];
    at = at - at % stride + at % stride / bytes * bytes * (gaddr_t)__builtin_popcountll(exec);
    for (uint64_t m = exec; m; m &= m - 1)
        transposed[__builtin_ctzll(m)] = at + (gaddr_t)bytes * lane++;
    coalesce(transposed, exec, bytes, shape, lines);
}
