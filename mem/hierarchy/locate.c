/* Where a request of a CU is: follows it from level to level, by the requests that it has caused. */
#include "mem/hierarchy/internal.h"

bool hierarchy_locate(const struct hierarchy *h, uint32_t cu, enum mem_port_kind port, uint64_t token,
                      enum cache_level *level)
{
    uint32_t u = h->port[cu * MEM_PORTS + port].unit, entrance = u;
    uint16_t client = (uint16_t)cu;

    for (; u != DRAM_UNIT; u = h->unit[u].below) {
        enum cache_place place = cache_locate(h->unit[u].cache, client, token, &token);

        *level = h->unit[u].level;
        if (place != CACHE_BELOW)
            return place == CACHE_HERE || u != entrance;
        client = (uint16_t)u;
    }
    *level = LEVEL_COUNT;
    return true;
}
