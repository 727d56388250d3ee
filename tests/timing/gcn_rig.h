/* The bench of rig.h with the figures of a real GCN or CDNA chip: one CU, wave64, memory of fixed latencies. */
#ifndef GCNSIM_TESTS_TIMING_GCN_RIG_H
#define GCNSIM_TESTS_TIMING_GCN_RIG_H

#include "tests/timing/rig.h"

enum { GCN_CHIPS = 7 };
static const char *const gcn_chips[GCN_CHIPS] = {"gfx803-rx480", "gfx803-r9nano", "gfx900-vega64", "gfx906-mi50",
                                                 "gfx908-mi100", "gfx90a-mi210",  "gfx942-mi300x"};
enum { GCN_RX480, GCN_R9NANO, GCN_VEGA64, GCN_MI50, GCN_MI100, GCN_MI210, GCN_MI300X };

/* `waves` full waves in one workgroup, dealt to the four SIMDs in turn. */
static struct rig *gcn_rig(unsigned chip, const uint32_t *code, size_t words, uint32_t waves)
{
    struct err e = {0};
    struct profile *p;
    struct rig *r;

    if (profile_load(&p, gcn_chips[chip], &e))
        fail_msg("%s: %s", gcn_chips[chip], e.text);
    r = rig_new(p->target, code, words, 64, waves);
    r->profile = *p;
    r->profile.origin = NULL; /* the profile's own; the engine reads figures alone */
    profile_free(p);
    r->launch.nvgprs = 32;
    r->launch.occupancy.vgpr_alloc = 32;
    if (isa_has(r->target, FEAT_AGPR)) {
        r->launch.nagprs = 32;
        r->launch.occupancy.agpr_alloc = 32;
    }
    return r;
}
#define GCN_RIG(CHIP, CODE, WAVES) gcn_rig(CHIP, CODE, sizeof(CODE) / sizeof((CODE)[0]), WAVES)

static inline struct rig *gcn_text(unsigned chip, const char *text, uint32_t waves)
{
    char target[16];
    struct assembled a;

    snprintf(target, sizeof target, "%.*s", (int)strcspn(gcn_chips[chip], "-"), gcn_chips[chip]);
    a = assemble(target, text);
    return gcn_rig(chip, a.word, a.words, waves);
}

/* Cycles from wave 0's first issue of the word `from` to that of the word `to`. */
static inline cycle_t gcn_gap(const struct rig *r, unsigned from, unsigned to)
{
    assert_int_not_equal(rig_at(r, from), CYCLE_NEVER);
    assert_int_not_equal(rig_at(r, to), CYCLE_NEVER);
    return rig_at(r, to) - rig_at(r, from);
}

/* Runs, and says that the word `to` issues `cycles` after the word `from`: a run stopped a cycle earlier has not issued
 * it, one stopped in that very cycle has; and a run that asks every wave in every cycle agrees. */
static inline void gcn_expect(struct rig *r, unsigned from, unsigned to, cycle_t cycles, const char *what)
{
    cycle_t at;

    rig_run(r);
    if (r->status)
        fail_msg("%s: %s", what, r->err.text);
    if (gcn_gap(r, from, to) != cycles)
        fail_msg("%s on %s: %llu cycles, expected %llu", what, r->profile.name,
                 (unsigned long long)gcn_gap(r, from, to), (unsigned long long)cycles);
    at = rig_at(r, to);
    r->options.max_cycles = at - 1;
    rig_run(r);
    assert_int_equal(rig_at(r, to), CYCLE_NEVER);
    r->options.max_cycles = at;
    rig_run(r);
    assert_int_equal(rig_at(r, to), at);
    r->options.max_cycles = 0;
    r->options.tick_every_cycle = true;
    rig_run(r);
    assert_int_equal(rig_at(r, to), at);
    r->options.tick_every_cycle = false;
}

#endif
