/* The order in which waves come to LDS, and copies into LDS that are in flight (isa/lds_order.h). */
#include "isa/lds_order.h"

static struct isa_lds_copy *copy_at(const struct isa_lds_order *o, unsigned k)
{
    return &o->copy[(o->first + k) % LDS_COPIES];
}

static int land(struct isa_wave *w, const struct isa_env *env, unsigned n);

/* How many of the oldest copies in flight have to land before c. behind: c is of a wave after this one, whose copy is
 * the older of two in one place. */
static unsigned come_before(const struct isa_lds_order *o, const struct isa_lds_copy *c, bool behind)
{
    unsigned n = 0;

    for (unsigned k = 0; k < o->count; k++) {
        const struct isa_lds_copy *other = copy_at(o, k);

        if (other->place >= c->place + behind)
            break;
        if (other->lo < c->hi && c->lo < other->hi)
            n = k + 1;
    }
    return n;
}

/* Lands what other waves have on its way to the bytes of c since before c was issued. Each of those is older than c, so
 * that this comes to an end. o: of c's wave. */
static int land_others(const struct isa_lds_order *o, const struct isa_env *env, const struct isa_lds_copy *c)
{
    bool behind = true; /* whether c's wave is yet to come */
    int status = ISA_OK;

    for (unsigned k = 0; k < o->waves && status == ISA_OK; k++) {
        struct isa_wave *v = &o->wave[k];

        if (v->lds_order == o)
            behind = false;
        else if (v->special & SPECIAL_COPIES)
            status = land(v, env, come_before(v->lds_order, c, behind));
    }
    return status;
}

/* Lands the oldest copies, n of them. */
static int land(struct isa_wave *w, const struct isa_env *env, unsigned n)
{
    struct isa_lds_order *o = w->lds_order;
    gaddr_t pc = w->inst_pc;
    int status = ISA_OK;

    for (; n && status == ISA_OK; n--) {
        const struct isa_lds_copy *c = copy_at(o, 0);

        status = land_others(o, env, c);
        w->inst_pc = c->pc;
        if (status == ISA_OK)
            status = c->land(w, env, c);
        o->first = (uint8_t)((o->first + 1) % LDS_COPIES);
        o->count--;
    }
    w->inst_pc = pc;
    if (!o->count) {
        o->first = 0; /* of the room no more is touched than is needed at a time */
        w->special &= (uint16_t)~SPECIAL_COPIES;
    }
    return status;
}

/* How many of the oldest copies i waits for. A copy that has to wait for none of those before it waits for them all the
 * same, as they come in order. */
static unsigned awaited_by(const struct isa_wave *w, const struct isa_inst *i)
{
    const struct isa_lds_order *o = w->lds_order;
    uint8_t threshold[WAIT_COUNT];
    unsigned n = 0;

    if (!isa_inst_waits(w->target, i, threshold))
        return 0;
    for (unsigned k = 0; k < o->count; k++) {
        const struct isa_lds_copy *c = copy_at(o, k);

        if (c->behind >= threshold[c->counter])
            n = k + 1;
    }
    return n;
}

/* How many of them have to be there before i. */
static unsigned forced_by(const struct isa_wave *w, const struct isa_inst *i)
{
    /* or it is an arrival after the wave's copies */
    if (isa_ends_wave(i) || (i->row && i->row->mem.arrives && i->row->mem.async))
        return w->lds_order->count;
    return awaited_by(w, i);
}

bool isa_lds_pauses_to_land(struct isa_wave *w, const struct isa_inst *i)
{
    struct isa_lds_order *o = w->lds_order;
    unsigned n = forced_by(w, i);

    if (!n || (!(w->lds_pauses & LDS_TURN_WRITE) && copy_at(o, n - 1)->place < o->turn))
        return false;
    w->lds_pauses = LDS_TURN_READ;
    o->turn = o->issued;
    return true;
}

static unsigned no_later_than(const struct isa_lds_order *o, uint64_t time)
{
    unsigned n = 0;

    while (n < o->count && copy_at(o, n)->stamp != UINT64_MAX && copy_at(o, n)->time <= time)
        n++;
    return n;
}

const struct isa_wave *isa_lds_orders_meet(struct isa_wave *wave, unsigned n, const struct isa_env *env)
{
    uint64_t most = 0, now = 0, awaited = 0;

    for (unsigned k = 0; k < n; k++) {
        const struct isa_lds_order *o = wave[k].lds_order;

        most = o->issued > most ? o->issued : most;
        now = o->executed + o->ahead > now ? o->executed + o->ahead : now;
        awaited = o->awaited > awaited ? o->awaited : awaited;
    }
    for (unsigned k = 0; k < n; k++) {
        struct isa_lds_order *o = wave[k].lds_order;

        if (land(&wave[k], env, no_later_than(o, awaited)))
            return &wave[k];
        o->issued = o->turn = most;
        o->ahead = now - o->executed;
    }
    return NULL;
}

int isa_lds_copies_before(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env)
{
    struct isa_lds_order *o = w->lds_order;
    uint32_t counters = isa_inst_counters(w->target, i);
    unsigned n = awaited_by(w, i);

    if (n && copy_at(o, n - 1)->stamp != UINT64_MAX && copy_at(o, n - 1)->time > o->awaited)
        o->awaited = copy_at(o, n - 1)->time;
    int status = land(w, env, forced_by(w, i));

    for (unsigned k = 0; k < o->count && counters; k++) {
        struct isa_lds_copy *c = copy_at(o, k);

        c->behind += c->behind < UINT8_MAX && counters >> c->counter & 1;
    }
    /* the counter holds no more: the instruction has waited */
    while (status == ISA_OK && o->count &&
           copy_at(o, 0)->behind + 1u >= 1u << w->target->wait_bits[copy_at(o, 0)->counter])
        status = land(w, env, 1);
    return status;
}

int isa_lds_copies_under(struct isa_wave *w, const struct isa_env *env, uint32_t lo, uint32_t hi)
{
    const struct isa_lds_order *o = w->lds_order;
    const struct isa_lds_copy store = {.place = o->issued, .lo = lo, .hi = hi};
    int status = land_others(o, env, &store);

    return status == ISA_OK ? land(w, env, come_before(o, &store, false)) : status;
}

void isa_lds_copies_stamp(struct isa_wave *w, uint64_t n)
{
    struct isa_lds_order *o = w->lds_order;

    for (unsigned k = o->count; k && copy_at(o, k - 1)->stamp == UINT64_MAX; k--) {
        copy_at(o, k - 1)->stamp = o->executed + n;
        copy_at(o, k - 1)->time = o->executed + n + o->ahead;
    }
}

uint64_t isa_lds_copies_begun(struct isa_wave *w)
{
    struct isa_lds_order *o = w->lds_order;
    uint64_t stamp = 0;

    if (!(w->special & SPECIAL_COPIES))
        return 0;
    for (unsigned k = o->count; k && copy_at(o, k - 1)->stamp == UINT64_MAX; k--)
        copy_at(o, k - 1)->stamp = copy_at(o, k - 1)->time = stamp = o->issued;
    return stamp;
}

int isa_lds_copies_settle(struct isa_wave *w, const struct isa_env *env, uint64_t until)
{
    struct isa_lds_order *o = w->lds_order;
    unsigned n = 0;

    while (n < o->count && copy_at(o, n)->stamp <= until)
        n++;
    return land(w, env, n);
}

int isa_lds_copies_land(struct isa_wave *w, const struct isa_env *env)
{
    return w->lds_order ? land(w, env, w->lds_order->count) : ISA_OK;
}

struct isa_lds_copy *isa_lds_copy_new(struct isa_wave *w, const struct isa_inst *i)
{
    struct isa_lds_order *o = w->lds_order;
    uint32_t counters = isa_inst_counters(w->target, i);

    if (!counters)
        return NULL;
    if (!o->copy)
        o->copy = o->room(o->ctx);
    if (!o->copy || o->count == LDS_COPIES)
        return NULL;
    struct isa_lds_copy *c = copy_at(o, o->count++);

    c->pc = w->inst_pc;
    c->stamp = UINT64_MAX;
    c->place = o->issued++;
    c->lo = c->hi = 0;
    c->counter = (uint8_t)__builtin_ctz(counters);
    c->behind = 0;
    w->special |= SPECIAL_COPIES;
    return c;
}
