/* Races between workgroups: what each accesses, releases and acquires (global.h). */
#include "sim/check/global.h"

#include <stdlib.h>

#include "sim/check/global_records.h"
#include "sim/launch/state.h"

enum {
    LIMIT_PLAIN = 64,   /* records of a workgroup for one instruction and block; */
    LIMIT_COHERENT = 4, /* of coherent accesses, which polling repeats */
    GATHERED = 8,
};

/* ---- accesses of a workgroup that runs ---- */

static void record(struct global *g, struct global_group *group, gaddr_t block, struct record r)
{
    struct table *t = &group->table;
    struct slot *s = table_at(g, t, block);
    unsigned alike = 0;

    if (!s) {
        global_fail(g);
        return;
    }
    for (uint32_t k = s->head; k != NO_RECORD; k = t->record[k - 1].next) {
        struct record *old = &t->record[k - 1];
        if (old->site != r.site || old->kind != r.kind || old->fine != r.fine)
            continue;
        alike++;
        /* of two accesses after one acquire the later stretch is the one that others have to follow */
        if (old->acquire != r.acquire || (old->stretch != r.stretch && (old->mask & ~r.mask)))
            continue;
        old->mask |= r.mask;
        old->stretch = r.stretch;
        old->observed |= r.observed;
        old->wave = old->wave < r.wave ? old->wave : r.wave;
        return;
    }
    if (alike < (is_coherent(r.kind) ? LIMIT_COHERENT : LIMIT_PLAIN) && !table_add(g, t, s, r))
        global_fail(g);
}

/* Bytes of a block that are looked up together. */
struct gathered {
    gaddr_t block;
    uint64_t dwords, fine[BLOCK_BYTES / FINE_BYTES];
    bool used, has_fine;
};

/* Bits 0, 4, 8 ... side by side. */
static uint64_t squeeze(uint64_t nibbles)
{
    uint64_t out = 0;

    for (unsigned k = 0; k < 16; k++)
        out |= (nibbles >> (4 * k) & 1) << k;
    return out;
}

static void put(struct global *g, struct global_group *group, struct gathered *b, struct record r)
{
    for (unsigned q = 0; b->has_fine && q < BLOCK_BYTES / FINE_BYTES; q++) {
        uint64_t f = b->fine[q], whole = f & f >> 1 & f >> 2 & f >> 3 & UINT64_C(0x1111111111111111);
        r.mask = f;
        r.fine = (uint8_t)(q + 1);
        if (whole * 15 == f)
            b->dwords |= squeeze(whole) << (16 * q);
        else
            record(g, group, b->block, r);
    }
    r.mask = b->dwords;
    r.fine = 0;
    if (r.mask)
        record(g, group, b->block, r);
    *b = (struct gathered){.used = false};
}

struct toucher {
    struct global *g;
    struct global_group *group;
    struct record r;
    struct gathered b[GATHERED], *last;
};

static struct gathered *gather(struct toucher *t, gaddr_t block)
{
    struct gathered *b = &t->b[(block ^ block >> 3) % GATHERED];

    if (t->last && t->last->block == block)
        return t->last;
    if (b->used && b->block != block)
        put(t->g, t->group, b, t->r);
    b->block = block;
    b->used = true;
    t->last = b;
    return b;
}

static uint64_t bits(unsigned n)
{
    return n < 64 ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0);
}

static void touch(struct toucher *t, gaddr_t at, uint32_t bytes)
{
    if (!((at | bytes) & 3)) {
        while (bytes) {
            unsigned from = (unsigned)(at % BLOCK_BYTES) / 4, n = bytes / 4 < 64 - from ? bytes / 4 : 64 - from;
            gather(t, at / BLOCK_BYTES)->dwords |= bits(n) << from;
            at += 4 * n;
            bytes -= 4 * n;
        }
        return;
    }
    while (bytes) {
        unsigned from = (unsigned)(at % FINE_BYTES), n = bytes < FINE_BYTES - from ? bytes : FINE_BYTES - from;
        struct gathered *b = gather(t, at / BLOCK_BYTES);
        b->has_fine = true;
        b->fine[at % BLOCK_BYTES / FINE_BYTES] |= bits(n) << from;
        at += n;
        bytes -= n;
    }
}

/* The lanes of an access in one piece: those whose bytes follow one another, or are the same, together. */
static void touch_runs(struct toucher *t, const struct global_access *a)
{
    gaddr_t lo = a->addr[__builtin_ctzll(a->lanes)], hi = lo;

    for (uint64_t m = a->lanes; m; m &= m - 1) {
        gaddr_t at = a->addr[__builtin_ctzll(m)];
        if (at == hi) {
            hi += a->bytes;
        } else if (at < lo || at + a->bytes > hi) {
            touch(t, lo, (uint32_t)(hi - lo));
            lo = at;
            hi = at + a->bytes;
        }
    }
    touch(t, lo, (uint32_t)(hi - lo));
}

static void touch_all(struct global *g, struct global_group *group, const struct global_access *a, struct record r)
{
    struct toucher t = {.g = g, .group = group, .r = r};

    if (a->pieces == 1)
        touch_runs(&t, a);
    for (uint64_t m = a->pieces == 1 ? 0 : a->lanes; m; m &= m - 1)
        for (uint32_t p = a->pieces; p; p &= p - 1)
            touch(&t, a->addr[__builtin_ctzll(m)] + (uint32_t)__builtin_ctz(p) * a->step, a->bytes);
    for (unsigned k = 0; k < GATHERED; k++)
        if (t.b[k].used)
            put(g, group, &t.b[k], r);
    group->unended = true;
}

/* ---- releases and acquires ---- */

/* Whether the wave has made a write that it has not waited for. */
static bool is_writing(const struct global_wave *w, const struct check_counts *n)
{
    static const uint8_t counters[] = {WAIT_VM, WAIT_VS, WAIT_LOAD, WAIT_STORE};
    static const uint8_t orders[] = {ORDER_VMEM, ORDER_FLAT};

    for (unsigned c = 0; c < sizeof counters; c++)
        for (unsigned o = 0; o < sizeof orders; o++)
            if (w->wrote[counters[c]][orders[o]] > n->done[counters[c]][orders[o]])
                return true;
    return false;
}

/* It stays so until the wave waits for all that it has issued so far of the instruction's counters. */
static void writes(struct global_wave *w, const struct check_counts *n, const struct check_info *i)
{
    for (uint32_t m = i->counters; m; m &= m - 1) {
        unsigned c = (unsigned)__builtin_ctz(m);
        w->wrote[c][ORDER_VMEM] = n->issued[c][ORDER_VMEM];
        w->wrote[c][ORDER_FLAT] = n->issued[c][ORDER_FLAT];
    }
}

static void acquire(struct global *g, struct global_group *group)
{
    group->acquire = atomic_fetch_add(&g->acquires, 1) + 1;
    group->seen = false;
}

void global_synced(struct global *g, struct global_group *group)
{
    acquire(g, group);
    group->observed = true;
}

uint32_t global_acquires(const struct global *g)
{
    return atomic_load_explicit(&g->acquires, memory_order_acquire);
}

/* Ends the stretch of accesses since the last such call. */
static void end_stretch(struct global_group *group)
{
    group->stretches += group->unended;
    group->unended = false;
}

/* The accesses of the first `stretches` are released after acquire `number`. */
static void release(struct global *g, struct global_group *group, uint32_t stretches, uint32_t number)
{
    struct release *last = group->changes ? &group->release[group->changes - 1] : NULL;

    if (stretches <= (last ? last->end : 0)) /* they have been released earlier */
        return;
    if (last && last->number == number) {
        last->end = stretches;
        return;
    }
    if (group->changes == group->change_room) {
        size_t room = group->change_room ? group->change_room * 2 : 16;
        struct release *more = global_resize(g, &group->release_bytes, group->release,
                                             group->change_room * sizeof *more, room * sizeof *more);
        if (!more) {
            global_fail(g);
            return;
        }
        group->release = more;
        group->change_room = room;
    }
    group->release[group->changes++] = (struct release){stretches, number};
}

/* Releases all accesses so far. */
static void release_all(struct global *g, struct global_group *group, uint32_t number)
{
    end_stretch(group);
    release(g, group, group->stretches, number);
}

/* Whether all lanes name the same few bytes, as those of a flag do. */
static bool is_one_word(const struct global_access *a)
{
    gaddr_t first = a->addr[__builtin_ctzll(a->lanes)];

    if (a->pieces != 1 || a->bytes > 8 || first % a->bytes)
        return false;
    for (uint64_t m = a->lanes; m; m &= m - 1)
        if (a->addr[__builtin_ctzll(m)] != first)
            return false;
    return true;
}

static enum kind kind_of(const struct global *g, const struct global_access *a, const struct check_info *i)
{
    bool wide = i->inst->u.mem.hint.scope >= SCOPE_DEV;

    if (a->op == MEM_ATOMIC && i->inst->u.mem.hint.scope == SCOPE_SE)
        return NARROW_ATOMIC;
    if (a->op == MEM_ATOMIC)
        return i->inst->row->mem.cmp != CMP_NONE ? SWAP : ATOMIC;
    if (a->op == MEM_STORE)
        return wide || (!g->stores_have_scope && is_one_word(a)) ? COHERENT_STORE : STORE;
    return wide ? COHERENT_LOAD : LOAD;
}

static void accessed(struct global *g, struct global_group *group, struct global_wave *w, unsigned wave,
                     const struct check_counts *n, const struct check_info *i, uint32_t acquires,
                     const struct global_access *a)
{
    enum kind kind = kind_of(g, a, i);
    bool store = a->op == MEM_STORE || a->op == MEM_ATOMIC;
    struct record r = {.acquire = group->acquire, .wave = (uint16_t)wave};

    r.site = (int32_t)((int64_t)(i->pc - g->check->launch->entry) / 4);
    r.kind = (uint8_t)kind;
    r.observed = group->observed;
    bool waited = !is_writing(w, n) && !(g->several_l2s && w->dirty);
    /* what others access coherently is released with what came before it; of a store without bits nobody knows */
    bool before = a->op == MEM_STORE && !g->stores_have_scope;
    if (waited && before)
        release_all(g, group, acquires);
    if (waited && store && !before && !is_coherent(kind)) { /* a coherent store after it releases what came before it */
        end_stretch(group);
        w->waited_for = group->stretches;
    }
    r.stretch = group->stretches;
    touch_all(g, group, a, r);
    if (waited && store && !before && is_coherent(kind))
        release_all(g, group, acquires);
    else if (store && !before && is_coherent(kind))
        release(g, group, w->waited_for, acquires);
    if (kind == COHERENT_LOAD || ((kind == ATOMIC || kind == SWAP) && i->returns)) {
        group->seen = group->observed = true;
        w->invalidated = 0;
    }
    if (store) {
        w->dirty |= !is_coherent(kind);
        writes(w, n, i);
    }
}

/* Lanes that access scratch, which no other wave sees. */
static uint64_t in_scratch(const struct global *g, const struct global_access *a)
{
    uint64_t lanes = 0;

    for (uint64_t m = g->scratch_bytes ? a->lanes : 0; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctzll(m);
        if (a->addr[l] - g->scratch < g->scratch_bytes)
            lanes |= UINT64_C(1) << l;
    }
    return lanes;
}

void global_after(struct global *g, struct global_group *group, struct global_wave *w, unsigned wave,
                  const struct check_counts *n, const struct check_info *i, uint32_t acquires,
                  const struct global_access *a)
{
    if (g->failed)
        return;
    if (a) {
        struct global_access others = *a;

        others.lanes &= ~in_scratch(g, a);
        if (others.lanes)
            accessed(g, group, w, wave, n, i, acquires, &others);
    }
    if (i->kind & KIND_GDS) {
        w->syncs = true;
        if (!is_writing(w, n) && !(g->several_l2s && w->dirty))
            release_all(g, group, acquires);
        else
            release(g, group, w->waited_for, acquires);
    }
    if (i->writes_back) {
        w->dirty = false;
        if (g->several_l2s) /* one L2 alone is what the device's workgroups share */
            writes(w, n, i);
    }
    if (i->invalidates) {
        w->invalidated |= i->invalidates;
        if ((w->invalidated & g->to_invalidate) != g->to_invalidate)
            return;
        w->invalidated = 0;
        if (group->seen)
            acquire(g, group);
    }
}

/* ---- workgroups ---- */

/* Merges the lowest workgroups, as far as all have ended, or all that there are. */
static void merge_ended(struct global *g, bool all)
{
    while (g->active && (all || (g->active->ended && g->active->id == g->merged))) {
        struct global_group *group = g->active;

        pairs_merge(g, group);
        table_reset(g, &group->table);
        g->merged = group->id + 1;
        g->active = group->next;
        group->next = g->spare;
        g->spare = group;
    }
}

struct global_group *global_begin(struct global *g, uint64_t id)
{
    struct global_group *group, **at;

    pthread_mutex_lock(&g->lock);
    group = g->spare;
    if (group)
        g->spare = group->next;
    else if ((group = calloc(1, sizeof *group)))
        group->table.run = 1;
    if (group) {
        group->id = id;
        group->ended = group->seen = group->observed = group->unended = false;
        group->stretches = group->acquire = 0;
        group->changes = 0;
        for (at = &g->active; *at && (*at)->id < id; at = &(*at)->next)
            ;
        group->next = *at;
        *at = group;
    } else {
        global_fail(g);
    }
    pthread_mutex_unlock(&g->lock);
    return group;
}

void global_end(struct global *g, struct global_group *group)
{
    pthread_mutex_lock(&g->lock);
    group->ended = true;
    merge_ended(g, false);
    pthread_mutex_unlock(&g->lock);
}

void global_report(struct global *g)
{
    pthread_mutex_lock(&g->lock);
    merge_ended(g, true);
    pairs_tell(g);
    pthread_mutex_unlock(&g->lock);
}

struct global *global_open(struct check *c, enum mem_gen gen)
{
    struct global *g = calloc(1, sizeof *g);
    const struct launch *l = c->launch;

    if (!g)
        return NULL;
    g->check = c;
    g->gen = gen;
    g->all.run = 1;
    g->several_l2s = gen == MEM_GEN_GFX942 || gen == MEM_GEN_GFX950;
    g->stores_have_scope = g->several_l2s || gen == MEM_GEN_GFX12;
    g->to_invalidate = 1u << LEVEL_VL0;
    if (gen >= MEM_GEN_GFX10)
        g->to_invalidate |= 1u << LEVEL_GL1;
    if (l->state->scratch_bytes_per_lane && l->scratch_slots != UINT32_MAX) {
        g->scratch = l->state->scratch_base;
        g->scratch_bytes = l->state->scratch_wave_bytes * l->scratch_slots;
    }
    pthread_mutex_init(&g->lock, NULL);
    return g;
}

static void free_groups(struct global *g, struct global_group *list)
{
    while (list) {
        struct global_group *group = list;

        list = group->next;
        table_free(g, &group->table);
        budget_give(g->check->launch->space->budget, group->release_bytes);
        free(group->release);
        free(group);
    }
}

void global_close(struct global *g)
{
    if (!g)
        return;
    free_groups(g, g->active);
    free_groups(g, g->spare);
    table_free(g, &g->all);
    free(g->found);
    pthread_mutex_destroy(&g->lock);
    free(g);
}
