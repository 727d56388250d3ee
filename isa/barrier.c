/* Models the barriers of a workgroup: counts signals, completes phases, adds and removes members (isa/barrier.h). */
#include "isa/barrier.h"

#include <string.h>

void isa_barriers_init(struct isa_barriers *b, unsigned waves)
{
    memset(b, 0, sizeof *b);
    b->waves = waves;
    b->b[0] = (struct isa_barrier){.members = (uint8_t)waves, .valid = true};
}

static unsigned index_of(int number)
{
    return number == BARRIER_WORKGROUP ? 0 : (unsigned)number % ISA_BARRIERS;
}

/* One that nobody has signalled is not complete, also when its last member leaves it. */
static void check_complete(struct isa_barriers *all, unsigned k, struct isa_effects *fx)
{
    struct isa_barrier *b = &all->b[k];

    if (!b->signals || b->signals < b->members || !b->members)
        return;
    b->signals = 0;
    b->phase++;
    if (fx)
        fx->barriers |= UINT32_C(1) << k;
}

bool isa_barrier_signal(struct isa_wave *w, int number, struct isa_effects *fx)
{
    unsigned k = index_of(number);
    struct isa_barrier *b = &w->barriers->b[k];
    bool first = b->signals == 0;

    if (b->signals < 127) /* the count has seven bits */
        b->signals++;
    if (k == 0)
        w->barrier_signalled = b->phase + 1;
    check_complete(w->barriers, k, fx);
    return first;
}

void isa_barrier_wait(struct isa_wave *w, int number)
{
    w->barrier_wait = (uint8_t)index_of(number);
}

bool isa_barrier_open(const struct isa_wave *w)
{
    unsigned k = w->barrier_wait;

    return w->barriers->b[k].phase != w->barrier_seen[k != 0];
}

void isa_barrier_pass(struct isa_wave *w)
{
    unsigned k = w->barrier_wait;

    w->barrier_seen[k != 0] = w->barriers->b[k].phase;
}

void isa_barrier_end(struct isa_wave *w, struct isa_effects *fx)
{
    struct isa_barrier *b;

    if (!w->barriers)
        return;
    isa_barrier_leave(w, fx);
    b = &w->barriers->b[0];
    /* it takes its own signal with it: the others still have to meet */
    if (w->barrier_signalled == b->phase + 1 && b->signals)
        b->signals--;
    b->members--;
    check_complete(w->barriers, 0, fx);
}

void isa_barrier_named(struct isa_wave *w, unsigned number, unsigned members)
{
    struct isa_barrier *b = &w->barriers->b[number % ISA_BARRIERS];

    *b = (struct isa_barrier){.members = (uint8_t)members, .valid = true, .phase = b->phase};
}

void isa_barrier_join(struct isa_wave *w, unsigned number)
{
    w->barrier_joined = (uint8_t)(number % ISA_BARRIERS);
    w->barrier_seen[1] = w->barriers->b[w->barrier_joined].phase;
}

bool isa_barrier_leave(struct isa_wave *w, struct isa_effects *fx)
{
    unsigned k = w->barrier_joined;

    if (!k)
        return false;
    w->barrier_joined = 0;
    bool last = w->barriers->b[k].members == 1;
    if (w->barriers->b[k].members)
        w->barriers->b[k].members--;
    check_complete(w->barriers, k, fx);
    return last;
}
