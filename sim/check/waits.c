/* Registers that outstanding memory and message instructions will still write or read, and which of them each wait
 * completes.
 *
 * Operations of one wave that share a counter fall into orders: within an order they come back as issued (scalar loads
 * excepted), between orders as they like. With `n` operations outstanding after a wait for N, one is known to be over
 * when more than N of its own order are as young as it or younger. That is exact, and never claims less than the rule
 * of LLVM 19's SIInsertWaitcnts.cpp, which knows all orders mixed as "only 0 helps".
 *
 * Left out: registers that exports and GDS still read (expcnt); gcnsim executes neither.
 *
 * Orders, after SIInsertWaitcnts.cpp and the ISA manuals ("Manually inserted wait states", "Data dependency
 * resolution"): vector memory, flat instructions that went to LDS (gfx8, gfx9; later targets count them among the
 * others), LDS, GDS, scalar memory (no order at all), messages, exports. A write over a write that is outstanding is
 * safe within an order, but not on RDNA4 for vector memory, where only the counter is in order.
 */
#include <stdio.h>

#include "sim/check/internal.h"

#define BIT(COUNTER)    (UINT32_C(1) << WAIT_##COUNTER)
#define VECTOR_COUNTERS (BIT(VM) | BIT(VS) | BIT(LOAD) | BIT(SAMPLE) | BIT(BVH) | BIT(STORE))

static bool is_over(const struct check_waits *w, const struct check_pending *p)
{
    return !p->lanes || p->number <= w->n.done[p->counter][p->order];
}

static void wait_for(struct check_counts *w, unsigned counter, unsigned threshold)
{
    for (unsigned o = 0; o < ORDER_COUNT; o++) {
        uint32_t out = w->issued[counter][o] - w->done[counter][o];
        if (o == ORDER_SMEM ? threshold == 0 : out > threshold)
            w->done[counter][o] = w->issued[counter][o] - threshold;
    }
}

/* The largest threshold that completes p; the largest value of the counter waits for nothing. */
static unsigned threshold_for(const struct isa_target *t, const struct check_waits *w, const struct check_pending *p)
{
    unsigned n = p->order == ORDER_SMEM ? 0 : w->n.issued[p->counter][p->order] - p->number;
    unsigned most = (1u << t->wait_bits[p->counter]) - 2;

    return n < most ? n : most;
}

/* "s_waitcnt vmcnt(0) lgkmcnt(0)", "s_wait_loadcnt 0x0" */
static void wait_text(const struct isa_target *t, const uint8_t need[WAIT_COUNT], char *out, size_t size)
{
    size_t n = 0;

    out[0] = 0;
    for (unsigned c = 0; c < WAIT_COUNT && n < size; c++) {
        if (need[c] == 0xff)
            continue;
        if (isa_has(t, FEAT_SPLIT_COUNTERS))
            n += (size_t)snprintf(out + n, size - n, "%ss_wait_%s 0x%x", n ? "; " : "", wait_counter_key[c], need[c]);
        else
            n += (size_t)snprintf(out + n, size - n, "%s%s(%u)", n ? " " : "s_waitcnt ", wait_counter_key[c], need[c]);
    }
}

struct clash {
    enum check_rule rule;
    unsigned reg;
    int lane;
    const struct check_pending *by;
    uint8_t need[WAIT_COUNT];
    bool any;
};

static void clash_with(struct check_step *s, struct clash *c, enum check_rule rule, unsigned reg,
                       struct check_pending *p, uint64_t lanes)
{
    struct check_waits *w = &s->c->waits;

    if (is_over(w, p) || !(p->lanes & lanes))
        return;
    if (!c->any) {
        *c = (struct clash){.rule = rule, .reg = reg, .by = p, .any = true};
        c->lane = reg < REG_S ? __builtin_ctzll(p->lanes & lanes) : -1;
        memset(c->need, 0xff, sizeof c->need);
    }
    unsigned n = threshold_for(check_target(s), w, p);
    if (n < c->need[p->counter])
        c->need[p->counter] = (uint8_t)n;
}

/* The destination of an outstanding operation may be overwritten by one that is sure to return after it. */
static bool comes_after(const struct check_step *s, const struct check_pending *p)
{
    const struct isa_target *t = check_target(s);

    if (!(s->i->counters >> p->counter & 1) || s->i->order != p->order || (s->i->kind & KIND_FLAT))
        return false;
    return p->order == ORDER_LDS || p->order == ORDER_GDS ||
           (p->order == ORDER_VMEM && !isa_has(t, FEAT_SPLIT_COUNTERS));
}

static uint64_t write_lanes(const struct check_step *s, unsigned reg)
{
    return reg >= REG_S || check_takes_all_lanes(s->i->inst->row) ? check_all_lanes(s->w) : s->exec;
}

/* Loads of half a register read the other half at no other time than they write. */
static bool merges(const struct check_step *s, unsigned reg)
{
    for (unsigned k = 0; k < s->i->refs && (s->i->kind & (KIND_VMEM | KIND_LDS)); k++)
        if (s->i->ref[k].write && reg >= s->i->ref[k].first && reg < (unsigned)s->i->ref[k].first + s->i->ref[k].count)
            return s->i->inst->row->mem.op == MEM_LOAD;
    return false;
}

static void look_at(struct check_step *s, struct clash *c, const struct check_ref *r)
{
    struct check_waits *w = &s->c->waits;

    for (unsigned reg = r->first; reg < r->first + r->count; reg++) {
        uint64_t lanes = r->write ? write_lanes(s, reg) : check_read_lanes(s, reg);
        enum check_rule rule = r->write ? CHECK_WAIT_WRITE : CHECK_WAIT_READ;
        bool write = r->write || merges(s, reg);
        if (!write || !comes_after(s, &w->vector[reg]))
            clash_with(s, c, rule, reg, &w->vector[reg], lanes);
        if (!write || !comes_after(s, &w->other[reg]))
            clash_with(s, c, rule, reg, &w->other[reg], lanes);
    }
}

static void forget(struct check_waits *w, const struct check_ref *r)
{
    for (unsigned reg = r->first; reg < r->first + r->count; reg++)
        w->vector[reg].lanes = w->other[reg].lanes = 0;
}

static void report(struct check_step *s, const struct clash *c)
{
    const struct check *run = s->g->run;
    const struct isa_target *t = run->launch->target;
    const char *what = c->rule == CHECK_WAIT_READ ? "is read while it is still being written by"
                                                  : "is overwritten while it is still being written by";
    char wait[100], fix[120], name[24], by[120];

    wait_text(t, c->need, wait, sizeof wait);
    snprintf(fix, sizeof fix, "%s before it", wait);
    check_inst_text(run, c->by->pc, by, sizeof by);
    check_report(s, c->rule, c->lane, fix, "%s %s '%s'", check_reg_name(s, c->reg, name), what, by);
}

void check_waits_before(struct check_step *s)
{
    struct clash c = {.any = false};

    if (s->i->waits)
        return;
    for (unsigned k = 0; k < s->i->refs; k++)
        look_at(s, &c, &s->i->ref[k]);
    if (!c.any)
        return;
    report(s, &c);
    for (unsigned k = 0; k < s->i->refs; k++)
        forget(&s->c->waits, &s->i->ref[k]);
}

/* The counter that a result comes by, and the lanes that come by it: flat instructions go two ways. */
static void results(struct check_step *s, const uint32_t number[WAIT_COUNT], const uint8_t order[WAIT_COUNT])
{
    const struct isa_effects *fx = &s->g->fx;
    struct check_waits *w = &s->c->waits;
    bool both = s->i->kind & KIND_FLAT;

    for (uint32_t m = s->i->counters & ~BIT(EXP); m; m &= m - 1) {
        unsigned counter = (unsigned)__builtin_ctz(m);
        bool vector = VECTOR_COUNTERS >> counter & 1;
        uint64_t lanes = !both ? s->exec : vector ? fx->mask : fx->lds_mask;
        for (unsigned k = 0; k < s->i->refs; k++) {
            const struct check_ref *r = &s->i->ref[k];
            for (unsigned reg = r->first; r->write && reg < r->first + r->count; reg++)
                (vector ? w->vector : w->other)[reg] = (struct check_pending){.lanes = reg < REG_S ? lanes : 1,
                                                                              .number = number[counter],
                                                                              .counter = (uint8_t)counter,
                                                                              .order = order[counter],
                                                                              .pc = s->i->pc};
        }
    }
}

/* Where flat instructions are in an order of their own, those without a lane for LDS are known to come back among the
 * other vector memory instructions. */
static uint8_t flat_order(const struct check_info *i, bool vector, bool lds)
{
    if (i->order != ORDER_FLAT)
        return vector ? ORDER_VMEM : ORDER_LDS;
    return vector && !lds ? ORDER_VMEM : ORDER_FLAT;
}

void check_count(const struct isa_target *t, struct check_counts *w, const struct check_info *i, bool lds,
                 uint32_t number[WAIT_COUNT], uint8_t order[WAIT_COUNT])
{
    if (i->waits)
        for (unsigned c = 0; c < WAIT_COUNT; c++)
            if (i->threshold[c] != 0xff)
                wait_for(w, c, i->threshold[c]);
    for (uint32_t m = i->counters; m; m &= m - 1) {
        unsigned c = (unsigned)__builtin_ctz(m);
        order[c] = i->order;
        if (i->kind & KIND_FLAT)
            order[c] = flat_order(i, VECTOR_COUNTERS >> c & 1, lds);
        if (c == WAIT_EXP)
            order[c] = ORDER_EXPORT;
        /* a full counter stalls the instruction */
        wait_for(w, c, (1u << t->wait_bits[c]) - 2);
        number[c] = ++w->issued[c][order[c]];
    }
}

void check_waits_after(struct check_step *s)
{
    uint32_t number[WAIT_COUNT] = {0};
    uint8_t order[WAIT_COUNT] = {0};

    check_count(check_target(s), &s->c->waits.n, s->i, s->g->fx.lds_mask, number, order);
    if (s->i->counters)
        results(s, number, order);
}
