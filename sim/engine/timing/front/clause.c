/* Clauses: whose the types of a SIMD's instructions are. */
#include "sim/engine/timing/front/clause.h"

/* The ports that issue instructions of i's type; 0: it has none that a clause could be of. */
static uint32_t type_of(const struct timing_info *i)
{
    static const uint32_t valu = 1u << PORT_VALU | 1u << PORT_TRANS | 1u << PORT_MATRIX;

    if (port_table[i->port].vector_alu)
        return valu;
    return i->port == PORT_SMEM || i->port == PORT_VMEM || i->port == PORT_LDS ? 1u << i->port : 0;
}

static void clause_keep(struct cu_simd *s, const struct cu_wave *w)
{
    s->clause_ports |= w->clause.port_mask;
    for (uint32_t m = w->clause.port_mask; m; m &= m - 1)
        s->clause_owner[__builtin_ctz(m)] = w->slot;
}

/* In a break another wave may have begun a clause of the type: that stays. */
static void clause_let_go(struct cu_simd *s, const struct cu_wave *w)
{
    for (uint32_t m = w->clause.port_mask & s->clause_ports; m; m &= m - 1)
        if (s->clause_owner[__builtin_ctz(m)] == w->slot)
            s->clause_ports &= ~(m & -m);
}

static void clause_end(struct cu_simd *s, struct cu_wave *w)
{
    clause_let_go(s, w);
    w->clause = (struct cu_clause){0};
}

static bool belongs(const struct cu_clause *k, const struct timing_info *i)
{
    uint32_t type = type_of(i);

    return type ? !k->port_mask || type == k->port_mask : i->port == PORT_INTERNAL;
}

void cu_clause_ready(struct cu_simd *s, struct cu_wave *w)
{
    if (!belongs(&w->clause, w->info))
        clause_end(s, w);
}

void cu_clause_issued(struct cu_simd *s, struct cu_wave *w, const struct timing_info *i, bool on)
{
    struct cu_clause *k = &w->clause;
    uint32_t type = type_of(i);

    if (i->special == ISA_SPECIAL_CLAUSE) {
        clause_end(s, w);
        k->left = (uint8_t)((i->imm & 63) + 1);
        k->span = i->imm >> 8 & 15;
        return;
    }
    if (!on || !belongs(k, i) || k->left == 1) {
        clause_end(s, w);
        return;
    }
    k->left--;
    if (type) {
        k->port_mask = type;
        clause_keep(s, w);
    }
    if (k->span && ++k->since == k->span) {
        k->since = 0;
        clause_let_go(s, w);
    }
}
