/* Which pairs of accesses by two workgroups are races, and what is reported of them (global.h). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/check/global_records.h"

/* Records that the run's table keeps for a block: of loads, of all. */
enum { LIMIT_LOADS = 64, LIMIT_ALL = 512 };

static bool is_write(unsigned kind)
{
    return kind != LOAD && kind != COHERENT_LOAD;
}

static bool is_ordered(const struct record *a, const struct record *b)
{
    return a->release < b->acquire || b->release < a->acquire;
}

/* Whether a plain store does beside something coherent. Where stores have no bits, another store says of itself only
 * that it may be a relaxed one. */
static bool does(const struct global *g, const struct record *store, const struct record *other)
{
    if (store->kind != STORE || !is_coherent(other->kind))
        return false;
    return g->stores_have_scope ? store->release != NEVER || store->observed : other->kind != COHERENT_STORE;
}

/* Bytes, of part q of the block. */
static uint64_t part_of(const struct record *r, unsigned q)
{
    uint64_t d = r->mask >> (16 * q) & 0xffff, out = 0;

    if (r->fine)
        return r->fine == q + 1 ? r->mask : 0;
    for (; d; d &= d - 1)
        out |= UINT64_C(15) << (4 * __builtin_ctzll(d));
    return out;
}

/* The first byte of the block that both access; -1: none. */
static int overlap(const struct record *a, const struct record *b)
{
    if (!a->fine && !b->fine)
        return a->mask & b->mask ? 4 * __builtin_ctzll(a->mask & b->mask) : -1;
    if (a->fine && b->fine && a->fine != b->fine)
        return -1;
    unsigned q = (a->fine ? a->fine : b->fine) - 1u;
    uint64_t both = part_of(a, q) & part_of(b, q);
    return both ? (int)(FINE_BYTES * q) + __builtin_ctzll(both) : -1;
}

static bool is_race(const struct global *g, const struct record *a, const struct record *b)
{
    return (is_write(a->kind) || is_write(b->kind)) && !(is_coherent(a->kind) && is_coherent(b->kind)) &&
           !is_ordered(a, b) && !does(g, a, b) && !does(g, b, a);
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Which of two races of an instruction is reported: that of the lowest workgroup, wave, address. */
static int by_place(const struct found *x, const struct found *y)
{
    int c = compare(x->a.group, y->a.group);

    c = c ? c : compare(x->a.wave, y->a.wave);
    c = c ? c : compare(x->at, y->at);
    c = c ? c : compare(x->b.group, y->b.group);
    c = c ? c : compare(x->b.wave, y->b.wave);
    return c ? c : (x->b.site > y->b.site) - (x->b.site < y->b.site);
}

/* Which of two accesses a race is reported at, whatever the order of their workgroups: a read, what is not atomic, the
 * later instruction. */
static bool is_told(const struct record *a, const struct record *b)
{
    if (is_write(a->kind) != is_write(b->kind))
        return !is_write(a->kind);
    if (a->kind != b->kind)
        return a->kind < b->kind;
    return a->site != b->site ? a->site > b->site : a->group > b->group;
}

static void found(struct global *g, const struct record *a, const struct record *b, gaddr_t at)
{
    struct found f = {.a = *a, .b = *b, .at = at, .count = 1};

    for (size_t k = 0; k < g->finds; k++) {
        struct found *old = &g->found[k];
        if (old->a.site != a->site)
            continue;
        f.count = old->count + 1;
        if (by_place(&f, old) < 0)
            *old = f;
        old->count = f.count;
        return;
    }
    if (g->finds == g->find_room) {
        size_t room = g->find_room ? 2 * g->find_room : 16;
        struct found *more = realloc(g->found, room * sizeof *more);
        if (!more) {
            global_fail(g);
            return;
        }
        g->found = more;
        g->find_room = room;
    }
    g->found[g->finds++] = f;
}

/* Whether all that is in a race with b, and not of a's workgroup, is in one with a. */
static bool stands_for(const struct record *a, const struct record *b)
{
    return a->kind == b->kind && a->fine == b->fine && !(b->mask & ~a->mask) && a->release >= b->release &&
           a->acquire <= b->acquire && a->observed <= b->observed;
}

static void merge_record(struct global *g, gaddr_t block, const struct record *r)
{
    struct slot *s = table_at(g, &g->all, block);
    const struct record *other = NULL; /* that stands for r */
    unsigned alike = 0, all = 0;
    bool kept = true;

    if (!s) {
        global_fail(g);
        return;
    }
    for (uint32_t k = s->head; k != NO_RECORD; k = g->all.record[k - 1].next) {
        const struct record *old = &g->all.record[k - 1];
        int at;
        all++;
        alike += old->kind == r->kind;
        if (old->group != r->group && is_race(g, old, r) && (at = overlap(old, r)) >= 0)
            found(g, is_told(r, old) ? r : old, is_told(r, old) ? old : r, block * BLOCK_BYTES + (unsigned)at);
        if (!stands_for(old, r))
            continue;
        kept = kept && old->group != r->group && !(other && other->group != old->group);
        other = old;
    }
    kept = kept && all < LIMIT_ALL && (is_write(r->kind) || alike < LIMIT_LOADS);
    if (kept && !table_add(g, &g->all, s, *r))
        global_fail(g);
}

/* The number of the release of a stretch. */
static uint32_t release_of(const struct global_group *group, uint32_t stretch)
{
    size_t lo = 0, hi = group->changes;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (group->release[mid].end <= stretch)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < group->changes ? group->release[lo].number : NEVER;
}

/* Whether the workgroup itself has accessed all of it coherently, or by compare-and-swap. */
static bool has_own(const struct table *t, const struct slot *s, const struct record *of, bool by_swap)
{
    uint64_t rest = of->mask;

    for (uint32_t n = s->head; n != NO_RECORD && rest; n = t->record[n - 1].next) {
        const struct record *r = &t->record[n - 1];
        if ((by_swap ? r->kind == SWAP : is_coherent(r->kind)) && r->fine == of->fine)
            rest &= ~r->mask;
    }
    return !rest;
}

/* What it is in view of the others of its workgroup: a plain store to what that accesses coherently is a relaxed one
 * where the encoding does not tell them apart (of a lock, after the atomic that took it); a load beside its own
 * compare-and-swap begins a loop that repeats, which is how compilers make floating-point atomics. */
static enum kind in_view(const struct global *g, const struct table *t, const struct slot *s, const struct record *r)
{
    if (r->kind == STORE && !g->stores_have_scope && has_own(t, s, r, false))
        return COHERENT_STORE;
    return r->kind == LOAD && has_own(t, s, r, true) ? COHERENT_LOAD : (enum kind)r->kind;
}

void pairs_merge(struct global *g, struct global_group *group)
{
    struct table *t = &group->table;

    for (size_t k = 0; k < t->slots && !g->failed; k++) {
        if (t->slot[k].run != t->run)
            continue;
        for (uint32_t n = t->slot[k].head; n != NO_RECORD; n = t->record[n - 1].next) {
            struct record r = t->record[n - 1];
            r.group = (uint32_t)group->id;
            r.release = release_of(group, r.stretch);
            r.kind = (uint8_t)(in_view(g, t, &t->slot[k], &t->record[n - 1]) & 0x7f);
            merge_record(g, t->slot[k].block, &r);
        }
    }
}

/* ---- what is reported ---- */

static const char *release_text(enum mem_gen gen)
{
    switch (gen) {
    case MEM_GEN_GFX8:
    case MEM_GEN_GFX9:
    case MEM_GEN_GFX90A:
        return "s_waitcnt vmcnt(0) behind the %s, then a store or atomic that the other waits for";
    case MEM_GEN_GFX942:
    case MEM_GEN_GFX950:
        return "buffer_wbl2 sc1, s_waitcnt vmcnt(0) behind the %s, then a store with sc1 or an atomic";
    case MEM_GEN_GFX10:
    case MEM_GEN_GFX11:
        return "s_waitcnt_vscnt null, 0x0 behind the %s, then a store or atomic that the other waits for";
    default:
        return "s_wait_storecnt 0x0 behind the %s, then a store or atomic with scope:SCOPE_DEV";
    }
}

static const char *acquire_text(enum mem_gen gen)
{
    switch (gen) {
    case MEM_GEN_GFX8:
    case MEM_GEN_GFX9:
    case MEM_GEN_GFX90A:
        return "a load with glc or a returning atomic, then buffer_wbinvl1_vol, ahead of the %s";
    case MEM_GEN_GFX942:
    case MEM_GEN_GFX950:
        return "a load with sc1 or a returning atomic, then buffer_inv sc1, ahead of the %s";
    case MEM_GEN_GFX10:
        return "a load with glc dlc or a returning atomic, then buffer_gl1_inv, buffer_gl0_inv, ahead of the %s";
    case MEM_GEN_GFX11:
        return "a load with glc or a returning atomic, then buffer_gl1_inv, buffer_gl0_inv, ahead of the %s";
    default:
        return "a load or returning atomic, then global_inv, both scope:SCOPE_DEV, ahead of the %s";
    }
}

static const char *noun(unsigned kind)
{
    static const char *const text[] = {
        [LOAD] = "load",     [STORE] = "store", [COHERENT_LOAD] = "load",  [COHERENT_STORE] = "store",
        [ATOMIC] = "atomic", [SWAP] = "atomic", [NARROW_ATOMIC] = "atomic"};

    return text[kind];
}

/* What is missing for `first` to come before `second`. */
static void fix_text(const struct global *g, const struct record *first, const struct record *second, char out[120])
{
    bool released = first->release != NEVER, acquired = second->acquire;

    /* both are formats of this file with one %s */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (first->kind == NARROW_ATOMIC || second->kind == NARROW_ATOMIC)
        snprintf(out, 120, "scope:SCOPE_DEV on the atomic");
    else if (!released && !acquired)
        snprintf(out, 120, "a release behind the %s and an acquire ahead of the other, at device scope; or atomics",
                 noun(first->kind));
    else if (!released)
        snprintf(out, 120, release_text(g->gen), noun(first->kind));
    else if (!acquired)
        snprintf(out, 120, acquire_text(g->gen), noun(second->kind));
    else
        snprintf(out, 120, "have workgroup %" PRIu32 " acquire after workgroup %" PRIu32 " has released", second->group,
                 first->group);
#pragma GCC diagnostic pop
}

static void report_pair(struct global *g, const struct found *f)
{
    static const char *const does_text[] = {
        [LOAD] = "reads",     [STORE] = "writes", [COHERENT_LOAD] = "reads",  [COHERENT_STORE] = "writes",
        [ATOMIC] = "updates", [SWAP] = "updates", [NARROW_ATOMIC] = "updates"};
    static const char *const did_text[] = {
        [LOAD] = "read",      [STORE] = "wrote",  [COHERENT_LOAD] = "read",   [COHERENT_STORE] = "wrote",
        [ATOMIC] = "updated", [SWAP] = "updated", [NARROW_ATOMIC] = "updated"};
    const struct launch *l = g->check->launch;
    const struct mem_range *range = mem_space_find(l->space, f->at);
    const struct record *first = &f->b, *second = &f->a;
    gaddr_t pc = l->entry + 4 * (uint64_t)(int64_t)f->a.site, other = l->entry + 4 * (uint64_t)(int64_t)f->b.site;
    char by[80], in[60] = "", fix[120];

    check_inst_text(g->check, other, by, sizeof by);
    if (range && range->label[0])
        snprintf(in, sizeof in, " (%.30s + 0x%" PRIx64 ")", range->label, f->at - range->lo);
    /* the write comes first, unless it is the one that acquires */
    bool swap = !second->acquire && first->acquire;
    fix_text(g, swap ? second : first, swap ? first : second, fix);
    check_report_times(
        g->check, pc, f->a.group, f->a.wave, CHECK_RACE_GLOBAL, f->count, fix,
        "%s 0x%" PRIx64 "%s, which wave %u of workgroup %" PRIu32 " %s with '%s' (pc 0x%" PRIx64 "), in no order",
        does_text[f->a.kind], f->at, in, (unsigned)f->b.wave, f->b.group, did_text[f->b.kind], by, other);
}

void pairs_tell(struct global *g)
{
    for (size_t k = 0; k < g->finds; k++)
        report_pair(g, &g->found[k]);
    g->finds = 0;
}
