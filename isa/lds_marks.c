/* The marks of the waves of a workgroup between barriers (isa/lds_marks.h). */
#include "isa/lds_marks.h"

#include <string.h>

void isa_lds_marks_init(struct isa_lds_marks *m, uint32_t lds_bytes, uint8_t *mine, uint8_t *others)
{
    *m = (struct isa_lds_marks){
        .room = (uint32_t)(isa_lds_marks_bytes(lds_bytes) / LDS_MAPS), .lo = UINT32_MAX, .others_lo = UINT32_MAX};
    for (unsigned k = 0; k < LDS_MAPS; k++) {
        m->mine[k] = mine + (size_t)k * m->room;
        m->others[k] = others + (size_t)k * m->room;
    }
}

typedef uint64_t step __attribute__((vector_size(LDS_MARKS_STEP)));

/* Moves the marks of [lo, hi) over, in whole steps. */
static void move(uint8_t *to, uint8_t *from, uint32_t lo, uint32_t hi)
{
    for (uint32_t at = lo & ~(LDS_MARKS_STEP - 1u); at < hi; at += LDS_MARKS_STEP) {
        step *a = (step *)(void *)(to + at), *b = (step *)(void *)(from + at);

        *a |= *b;
        *b = (step){0};
    }
}

void isa_lds_marks_merge(struct isa_lds_marks *m)
{
    if (m->lo >= m->hi)
        return;
    for (unsigned k = 0; k < LDS_MAPS; k++)
        if (m->used >> k & 1)
            move(m->others[k], m->mine[k], m->lo, m->hi);
    m->others_wrote |= (m->used & ~(1u << LDS_MAP_READ)) != 0;
    m->others_lo = m->lo < m->others_lo ? m->lo : m->others_lo;
    m->others_hi = m->hi > m->others_hi ? m->hi : m->others_hi;
    m->others_used |= m->used;
    m->used = 0;
    m->lo = UINT32_MAX;
    m->hi = 0;
}

static void clear(struct isa_lds_marks *m)
{
    isa_lds_marks_merge(m);
    for (unsigned k = 0; k < LDS_MAPS && m->others_lo < m->others_hi; k++)
        if (m->others_used >> k & 1)
            memset(m->others[k] + m->others_lo, 0, m->others_hi - m->others_lo);
    m->others_lo = UINT32_MAX;
    m->others_hi = 0;
    m->others_wrote = false;
    m->others_used = 0;
    m->off = false;
}

void isa_lds_marks_start(struct isa_lds_marks *m)
{
    clear(m);
    m->found = m->reads_only = false;
    m->stretches = 0;
    m->now = NULL;
}

void isa_lds_marks_void(struct isa_lds_marks *m, gaddr_t pc)
{
    bool wrote;

    isa_lds_marks_merge(m);
    wrote = m->others_wrote;
    clear(m);
    if (m->now)
        m->now->writes |= wrote;
    m->now = NULL;
    m->reads_only = false;
    for (unsigned k = 0; k < m->stretches && !m->now; k++)
        if (m->stretch[k].pc == pc) {
            m->now = &m->stretch[k];
            m->reads_only = !m->now->writes;
        }
    if (!m->now && m->stretches < LDS_STRETCHES) {
        m->now = &m->stretch[m->stretches++];
        *m->now = (struct isa_lds_stretch){.pc = pc};
    }
}
