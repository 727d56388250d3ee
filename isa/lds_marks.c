/* The marks of the waves of a workgroup between barriers (isa/lds_marks.h). */
#include "isa/lds_marks.h"

#include <string.h>

void isa_lds_marks_init(struct isa_lds_marks *m, uint32_t lds_bytes, uint8_t *maps)
{
    *m = (struct isa_lds_marks){.room = (uint32_t)(isa_lds_marks_bytes(lds_bytes) / LDS_MAPS), .lo = UINT32_MAX};
    for (unsigned k = 0; k < LDS_MAPS; k++)
        m->map[k] = maps + (size_t)k * m->room;
}

static void clear(struct isa_lds_marks *m)
{
    for (unsigned k = 0; k < LDS_MAPS && m->lo < m->hi; k++)
        if (m->used >> k & 1)
            memset(m->map[k] + m->lo, 0, m->hi - m->lo);
    m->lo = UINT32_MAX;
    m->hi = 0;
    m->used = m->owner = 0;
    m->wrote = m->off = false;
}

void isa_lds_marks_start(struct isa_lds_marks *m)
{
    clear(m);
    m->found = m->reads_only = false;
    m->now = NULL;
}

void isa_lds_marks_void(struct isa_lds_marks *m, struct isa_lds_phase *now, bool known)
{
    if (m->now)
        m->now->writes |= m->wrote;
    clear(m);
    m->now = now;
    m->reads_only = known && !now->writes;
}
