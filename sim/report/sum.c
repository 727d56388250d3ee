/* Adds up runs: merges their instructions, functions and loops, where they are not the same ones already. */
#include "sim/report/sum.h"

#include <stdlib.h>
#include <string.h>

#include "sim/util/error.h"

/* A thing of both, by a key that both know it by: its places, REPORT_NONE where it is not there. */
struct both {
    uint64_t key;
    uint32_t mine, theirs;
};

struct merge {
    struct report_sum *s;
    const struct report_code *from;
    struct report_code to;
    struct report_maker m;
    uint32_t *my_inst, *their_inst; /* new places of instructions, functions, loops */
    uint32_t *their_function;
    uint32_t *my_loop, *their_loop;
    const struct report_frame *frame, *copied; /* of the last one copied, and its copy: neighbours share theirs */
};

static uint64_t key_of(const struct report_code_inst *i)
{
    return i->pc_offset != UINT64_MAX ? i->pc_offset : i->pc;
}

static void add_counts(uint64_t *to, const uint64_t *from)
{
    for (unsigned k = 0; k < STAT_INST_ALL; k++)
        if (k != STAT_INST_LATENCY_MAX_CYCLES)
            to[k] += from[k];
        else if (from[k] > to[k])
            to[k] = from[k];
}

/* ---- runs whose code is the sum's already, or a part of it: they take no memory, however many there are ---- */

static bool is_key_of(const struct report_code *a, uint32_t x, const struct report_code *b, uint32_t y)
{
    return x == REPORT_NONE || y == REPORT_NONE ? x == y : key_of(&a->inst[x]) == key_of(&b->inst[y]);
}

/* The place, from `at` on, of an instruction in the sum; insts: it is not there. Both are by key. */
static size_t place_of(const struct report_code *sum, size_t at, const struct report_code_inst *i)
{
    while (at < sum->insts && key_of(&sum->inst[at]) < key_of(i))
        at++;
    return at < sum->insts && key_of(&sum->inst[at]) == key_of(i) ? at : sum->insts;
}

/* The sum's loop with the same header and all of its instructions; null: it has none. */
static struct report_loop *loop_in(const struct report_code *sum, const struct report_code *part, size_t loop)
{
    const struct report_loop *l = &part->loop[loop];

    for (size_t k = 0; k < sum->loops; k++) {
        struct report_loop *at = &sum->loop[k];

        if (is_key_of(sum, at->header, part, l->header))
            return key_of(&sum->inst[at->first]) <= key_of(&part->inst[l->first]) &&
                           key_of(&sum->inst[at->last]) >= key_of(&part->inst[l->last])
                       ? at
                       : NULL;
    }
    return NULL;
}

static bool has_all(const struct report_code *sum, const struct report_code *part)
{
    size_t at = 0;

    for (size_t k = 0; k < part->insts; k++) {
        const struct report_code_inst *i = &part->inst[k];

        at = place_of(sum, at, i);
        if (at == sum->insts || (i->target != REPORT_NONE && !is_key_of(sum, sum->inst[at].target, part, i->target)) ||
            (i->loop != REPORT_NONE && sum->inst[at].loop == REPORT_NONE))
            return false;
    }
    for (size_t k = 0; k < part->loops; k++)
        if (!loop_in(sum, part, k))
            return false;
    return true;
}

static void add_loop(struct report_loop *to, const struct report_loop *from)
{
    to->iterations += from->iterations;
    to->entries_known = to->entries_known && from->entries_known;
    to->entries = to->entries_known ? to->entries + from->entries : 0;
}

static void add_part(struct report_code *to, const struct report_code *from)
{
    size_t at = 0;

    for (size_t k = 0; k < from->insts; k++) {
        const struct report_code_inst *i = &from->inst[k];

        at = place_of(to, at, i);
        add_counts((uint64_t *)(uintptr_t)to->inst[at].stat, i->stat); /* the sum's own */
        to->inst[at].reached |= i->reached;
        to->function[to->inst[at].function].kernel |= from->function[i->function].kernel;
    }
    for (size_t k = 0; k < from->loops; k++)
        add_loop(loop_in(to, from, k), &from->loop[k]);
}

/* ---- others ---- */

static int by_key(const void *a, const void *b)
{
    const struct both *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->mine != y->mine ? (x->mine < y->mine ? -1 : 1) : 0; /* mine first */
}

/* Sorts, and makes one of two with the same key; how many are left. */
static size_t unite(struct both *list, size_t count)
{
    size_t n = 0;

    if (count)
        qsort(list, count, sizeof *list, by_key);
    for (size_t k = 0; k < count; k++)
        if (n && list[n - 1].key == list[k].key && list[n - 1].theirs == REPORT_NONE)
            list[n - 1].theirs = list[k].theirs;
        else
            list[n++] = list[k];
    return n;
}

static const struct report_frame *copy_frames(struct merge *g, const struct report_code_inst *i)
{
    if (!i->frames || i->frame == g->frame)
        return i->frames ? g->copied : NULL;
    struct report_frame *to = REPORT_ARRAY(&g->m, i->frames, struct report_frame);
    for (uint32_t k = 0; to && k < i->frames; k++)
        to[k] = (struct report_frame){report_keep(&g->m, i->frame[k].function), report_keep(&g->m, i->frame[k].file),
                                      i->frame[k].line, i->frame[k].column};
    g->frame = i->frame;
    g->copied = to;
    return to;
}

static void copy_inst(struct merge *g, struct report_code_inst *to, const struct report_code_inst *from)
{
    uint64_t *stat = REPORT_ARRAY(&g->m, STAT_INST_ALL, uint64_t);

    *to = *from;
    if (stat)
        memcpy(stat, from->stat, STAT_INST_ALL * sizeof *stat);
    to->stat = stat;
    to->text = report_keep(&g->m, from->text);
    to->frame = copy_frames(g, from);
    to->frames = to->frame ? from->frames : 0;
}

/* A function of theirs is the one of mine that has an instruction in common with it, else a new one. */
static void merge_functions(struct merge *g, const struct both *list, size_t count)
{
    const struct report_code *mine = &g->s->code;

    g->to.function = REPORT_ARRAY(&g->m, mine->functions + g->from->functions, struct report_function);
    if (!g->to.function)
        return;
    for (size_t k = 0; k < mine->functions; k++)
        g->to.function[k] = mine->function[k];
    g->to.functions = mine->functions;
    for (size_t k = 0; k < g->from->functions; k++)
        g->their_function[k] = REPORT_NONE;
    for (size_t k = 0; k < count; k++)
        if (list[k].mine != REPORT_NONE && list[k].theirs != REPORT_NONE)
            g->their_function[g->from->inst[list[k].theirs].function] = mine->inst[list[k].mine].function;
    for (size_t k = 0; k < g->from->functions; k++) {
        const struct report_function *from = &g->from->function[k];
        struct report_function *to = &g->to.function[g->to.functions];

        if (g->their_function[k] != REPORT_NONE) {
            g->to.function[g->their_function[k]].kernel |= from->kernel;
            continue;
        }
        *to = (struct report_function){
            .name = report_keep(&g->m, from->name), .plain = report_keep(&g->m, from->plain), .kernel = from->kernel};
        g->their_function[k] = (uint32_t)g->to.functions++;
    }
}

static uint32_t moved(const uint32_t *to, uint32_t index)
{
    return index == REPORT_NONE ? REPORT_NONE : to[index];
}

static void merge_insts(struct merge *g, const struct both *list, size_t count)
{
    g->to.inst = REPORT_ARRAY(&g->m, count, struct report_code_inst);
    g->to.insts = g->to.inst ? count : 0;
    for (size_t k = 0; k < count; k++) {
        if (list[k].mine != REPORT_NONE)
            g->my_inst[list[k].mine] = (uint32_t)k;
        if (list[k].theirs != REPORT_NONE)
            g->their_inst[list[k].theirs] = (uint32_t)k;
    }
    for (size_t k = 0; k < g->to.insts; k++) {
        const struct report_code_inst *theirs = list[k].theirs != REPORT_NONE ? &g->from->inst[list[k].theirs] : NULL;
        struct report_code_inst *to = &g->to.inst[k];

        if (list[k].mine == REPORT_NONE) {
            copy_inst(g, to, theirs);
            to->function = g->their_function[theirs->function];
            to->target = moved(g->their_inst, theirs->target);
            continue;
        }
        *to = g->s->code.inst[list[k].mine];
        to->target = moved(g->my_inst, to->target);
        if (to->target == REPORT_NONE && theirs)
            to->target = moved(g->their_inst, theirs->target);
    }
}

/* Functions' first instructions and how many there are. */
static void count_functions(struct report_code *code)
{
    for (size_t k = 0; k < code->functions; k++)
        code->function[k].first = code->function[k].count = 0;
    for (size_t k = 0; k < code->insts; k++) {
        struct report_function *f = &code->function[code->inst[k].function];

        f->first = f->count++ ? f->first : (uint32_t)k;
    }
}

static void one_loop(struct merge *g, struct report_loop *to, const struct both *at)
{
    const struct report_loop *mine = at->mine != REPORT_NONE ? &g->s->code.loop[at->mine] : NULL,
                             *theirs = at->theirs != REPORT_NONE ? &g->from->loop[at->theirs] : NULL;

    *to = mine ? *mine : *theirs;
    to->header = (uint32_t)at->key;
    to->first = mine ? g->my_inst[mine->first] : g->their_inst[theirs->first];
    to->last = mine ? g->my_inst[mine->last] : g->their_inst[theirs->last];
    if (!mine) {
        to->function = g->their_function[theirs->function];
        to->file = report_keep(&g->m, theirs->file);
        to->parent = moved(g->their_loop, theirs->parent);
        to->iterations = to->entries = 0; /* they come with the counts */
        to->entries_known = true;
    } else {
        to->parent = moved(g->my_loop, mine->parent);
    }
    if (!theirs)
        return;
    if (g->their_inst[theirs->first] < to->first)
        to->first = g->their_inst[theirs->first];
    if (g->their_inst[theirs->last] > to->last)
        to->last = g->their_inst[theirs->last];
    add_loop(to, theirs);
}

/* A loop's header is no other loop's. */
static void merge_loops(struct merge *g)
{
    const struct report_code *mine = &g->s->code;
    struct both *list = REPORT_ARRAY(&g->m, mine->loops + g->from->loops, struct both);
    size_t n = 0;

    g->to.loop = REPORT_ARRAY(&g->m, mine->loops + g->from->loops, struct report_loop);
    if (!list || !g->to.loop)
        return;
    for (uint32_t k = 0; k < mine->loops; k++)
        list[n++] = (struct both){g->my_inst[mine->loop[k].header], k, REPORT_NONE};
    for (uint32_t k = 0; k < g->from->loops; k++)
        list[n++] = (struct both){g->their_inst[g->from->loop[k].header], REPORT_NONE, k};
    n = unite(list, n);
    for (uint32_t k = 0; k < n; k++) {
        if (list[k].mine != REPORT_NONE)
            g->my_loop[list[k].mine] = k;
        if (list[k].theirs != REPORT_NONE)
            g->their_loop[list[k].theirs] = k;
    }
    g->to.loops = n;
    for (size_t k = 0; k < n; k++)
        one_loop(g, &g->to.loop[k], &list[k]);
    for (size_t k = 0; k < n; k++) {
        g->to.loop[k].depth = 1;
        for (uint32_t p = g->to.loop[k].parent; p != REPORT_NONE; p = g->to.loop[p].parent)
            g->to.loop[k].depth++;
    }
}

/* The loops that instructions are in, and their counts, when all else is in its place. */
static void add_insts(struct merge *g, const struct both *list)
{
    for (size_t k = 0; k < g->to.insts; k++) {
        struct report_code_inst *to = &g->to.inst[k];
        const struct report_code_inst *theirs = list[k].theirs != REPORT_NONE ? &g->from->inst[list[k].theirs] : NULL;

        if (list[k].mine == REPORT_NONE) {
            to->loop = moved(g->their_loop, theirs->loop);
            continue;
        }
        to->loop = moved(g->my_loop, to->loop);
        if (!theirs)
            continue;
        if (to->loop == REPORT_NONE)
            to->loop = moved(g->their_loop, theirs->loop);
        to->reached |= theirs->reached;
        add_counts((uint64_t *)(uintptr_t)to->stat, theirs->stat);
    }
}

/* Nothing of the sum has changed when out of host memory. */
static bool merge(struct report_sum *s, const struct report_code *from)
{
    struct report_code *mine = &s->code;
    struct merge g = {.s = s, .from = from, .to = {.until_result = from->until_result}};
    struct both *list;
    size_t n = 0;

    g.m.arena = &s->r.arena;
    list = REPORT_ARRAY(&g.m, mine->insts + from->insts, struct both);
    g.my_inst = REPORT_ARRAY(&g.m, mine->insts, uint32_t);
    g.their_inst = REPORT_ARRAY(&g.m, from->insts, uint32_t);
    g.their_function = REPORT_ARRAY(&g.m, from->functions, uint32_t);
    g.my_loop = REPORT_ARRAY(&g.m, mine->loops, uint32_t);
    g.their_loop = REPORT_ARRAY(&g.m, from->loops, uint32_t);
    if (g.m.no_memory)
        return false;
    for (uint32_t k = 0; k < mine->insts; k++)
        list[n++] = (struct both){key_of(&mine->inst[k]), k, REPORT_NONE};
    for (uint32_t k = 0; k < from->insts; k++)
        list[n++] = (struct both){key_of(&from->inst[k]), REPORT_NONE, k};
    n = unite(list, n);
    merge_functions(&g, list, n);
    if (!g.m.no_memory)
        merge_insts(&g, list, n);
    if (!g.m.no_memory)
        merge_loops(&g);
    if (g.m.no_memory)
        return false;
    add_insts(&g, list);
    count_functions(&g.to);
    *mine = g.to;
    return true;
}

/* ---- the whole ---- */

void report_sum_init(struct report_sum *s)
{
    *s = (struct report_sum){.longest = -1};
    arena_init(&s->r.arena, 0);
    s->r.code = &s->code;
}

void report_sum_free(struct report_sum *s)
{
    arena_free(&s->r.arena);
}

static int take_names(struct report_sum *s, const struct report *r, struct err *e)
{
    struct report_maker m = {.arena = &s->r.arena};

    s->r.run.kernel = report_keep(&m, r->run.kernel);
    s->r.run.plain = report_keep(&m, r->run.plain);
    s->r.run.timing = r->run.timing;
    memcpy(s->r.run.code_sha256, r->run.code_sha256, sizeof s->r.run.code_sha256);
    memcpy(s->r.run.profile_sha256, r->run.profile_sha256, sizeof s->r.run.profile_sha256);
    s->r.target = report_keep(&m, r->target);
    s->r.profile = report_keep(&m, r->profile);
    s->r.has_insts = true;
    return m.no_memory ? err_set(e, ERR_NOMEM, "out of host memory for a sum of runs") : 0;
}

/* Only code of the same bytes has the same instructions at the same offsets. */
static int check(const struct report_sum *s, const struct report *r, struct err *e)
{
    if (!r->code)
        return err_set(e, ERR_USAGE,
                       "the run did not count for each instruction; expected dispatch.per_instruction, and the timing "
                       "engine");
    if (s->launches && (strcmp(s->r.run.code_sha256, r->run.code_sha256) != 0 ||
                        strcmp(s->r.run.profile_sha256, r->run.profile_sha256) != 0))
        return err_set(e, ERR_USAGE, "the run is of other code, or on another profile, than those of the sum");
    return 0;
}

static void add_statistics(struct report_sum *s, const struct report *r)
{
    struct report_maker m = {.arena = &s->r.arena};

    for (unsigned k = 0; k < STATS; k++)
        if (r->present[k] && stat_row[k].kind != STAT_KIND_RATIO) {
            s->r.present[k] = true;
            s->r.value[k] += r->value[k];
        }
    if (r->value[STAT_CYCLES] > s->longest) {
        s->longest = r->value[STAT_CYCLES];
        s->limit = r->has_limiter ? report_keep(&m, r->limiter.verdict) : NULL;
    }
    s->launches++;
    s->early += r->outcome != ENGINE_DONE;
}

int report_sum_add(struct report_sum *s, const struct report *r, struct err *e)
{
    if (check(s, r, e) || (!s->launches && take_names(s, r, e)))
        return -1;
    if (s->launches && has_all(&s->code, r->code))
        add_part(&s->code, r->code);
    else if (!merge(s, r->code))
        return err_set(e, ERR_NOMEM, "out of host memory for a sum of runs");
    add_statistics(s, r);
    return 0;
}
