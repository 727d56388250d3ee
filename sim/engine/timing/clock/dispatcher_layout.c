/* Numbers of compute units, dealt in sets to the shader engines. */
#include "sim/engine/timing/clock/dispatcher_layout.h"

/* Sets of compute units that share caches, dealt to the shader engines in turn. */
struct layout {
    uint32_t share, engines, total; /* CUs (WGPs) of a full set; of the chip */
    uint32_t sets;                  /* of one engine */
};

static struct layout layout_of(const struct profile *p)
{
    struct layout l = {dispatcher_share(p), p->gpu.shader_engines, p->gpu.cus / p->gpu.cus_per_wgp, 0};
    uint32_t most = (l.total + l.engines - 1) / l.engines;

    l.sets = (most + l.share - 1) / l.share;
    return l;
}

/* CUs in the n-th set of a shader engine: its CUs are spread evenly over its sets. */
static uint32_t set_size(const struct layout *l, uint32_t engine, uint32_t n)
{
    uint32_t mine = l->total / l->engines + (engine < l->total % l->engines);

    return mine / l->sets + (n < mine % l->sets);
}

bool dispatcher_has_cu(const struct profile *p, uint32_t cu)
{
    struct layout l = layout_of(p);
    uint32_t set = cu / l.share;

    return set / l.engines < l.sets && cu % l.share < set_size(&l, set % l.engines, set / l.engines);
}

struct dispatcher_place dispatcher_place(const struct profile *p, uint32_t cu)
{
    struct layout l = layout_of(p);
    uint32_t set = cu / l.share, dies = p->gpu.xcds ? p->gpu.xcds : 1;
    struct dispatcher_place at = {set % l.engines, cu % l.share, set % l.engines % dies};

    for (uint32_t n = 0; n < set / l.engines; n++)
        at.number += set_size(&l, at.engine, n);
    return at;
}

uint32_t dispatcher_numbers(const struct profile *p)
{
    struct layout l = layout_of(p);

    return l.sets * l.engines * l.share;
}

uint32_t dispatcher_cus(const struct profile *p, uint64_t groups)
{
    struct layout l = layout_of(p);
    /* as many as could get a workgroup if each got but one; the last engine has the fewest */
    uint64_t wanted = (groups + l.engines - 1) / l.engines, have = 0;
    uint32_t sets = 0;

    while (sets < l.sets && (have < wanted || !sets))
        have += set_size(&l, l.engines - 1, sets++);
    return sets * l.engines * l.share;
}

uint32_t dispatcher_share(const struct profile *p)
{
    static const uint8_t shared[] = {LEVEL_K, LEVEL_I, LEVEL_GL1};
    uint32_t share = 0;

    for (size_t n = 0; n < sizeof shared; n++) {
        const struct profile_cache *c = &p->cache[shared[n]];

        if (c->present && c->shared_by_cus > share)
            share = c->shared_by_cus;
    }
    share /= p->gpu.cus_per_wgp;

    return share ? share : 1;
}
