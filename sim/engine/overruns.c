/* Accesses that hardware lets pass past the ends of ranges (overruns.h). */
#include "sim/engine/overruns.h"

static void keep_lowest(struct engine_overruns *o, const struct engine_overrun *first)
{
    if (!o->count || first->group < o->first.group)
        o->first = *first;
}

uint8_t *engine_overrun(struct engine_overruns *o, const struct launch *l, const struct isa_wave *w, int lane,
                        gaddr_t addr, uint32_t bytes, bool write)
{
    const struct engine_overrun one = {
        .pc = w->inst_pc,
        .group = launch_group_number(l, w->group_id),
        .wave = w->wave_in_group,
        .lane = lane,
        .addr = addr,
        .bytes = bytes,
        .write = write,
    };
    struct isa_range r;

    if (!l->slack(l->more_ctx, addr, &r) || bytes > r.hi - addr || (write && !r.writable))
        return NULL;
    keep_lowest(o, &one);
    o->count++;
    return r.host + (addr - r.lo);
}

void engine_overruns_add(struct engine_overruns *sum, const struct engine_overruns *part)
{
    if (part->count)
        keep_lowest(sum, &part->first);
    sum->count += part->count;
}
