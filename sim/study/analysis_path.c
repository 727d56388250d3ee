/* The critical path: from the issue of an instruction back to whatever held it, and so on.
 *
 * A node is the issue of an execution, or where instructions wait in front of units the moment its unit begins it. What
 * held a node is known exactly: the engine charges each cycle without an issue to a reason, and the last of them before
 * the issue is the one that held it. The reason and the registers say which earlier node it waited for; the cycles
 * between the two are those that the earlier instruction contributes. So the path has no gaps, and its length is the
 * time between its ends.
 *
 * Walking back through copies of the sequence, the path comes to a node that it has been to in a later copy: what lies
 * between is a cycle through so many iterations, which sets the latency of each (the recurrence with the largest mean).
 *
 * A loop in the sequence makes an iteration long. Looking for what held a node, the walk stops where nothing earlier
 * can be late enough, and links of one iteration that say the same of the same instructions are one.
 */
#include "sim/study/analysis.h"

#include <stdlib.h>
#include <string.h>

const char *const analysis_edge_key[EDGE_COUNT] = {
    [EDGE_RESULT] = "result", [EDGE_MEMORY] = "memory", [EDGE_UNIT] = "unit busy",
    [EDGE_ISSUE] = "issue",   [EDGE_FETCH] = "fetch",   [EDGE_BRANCH] = "branch",
    [EDGE_HOLD] = "hold",     [EDGE_QUEUE] = "queue",   [EDGE_OPERANDS] = "operands",
};

enum { NEAR_STEPS = 64 };

struct node {
    size_t step;
    bool begin;
};

struct walk {
    const struct gcnsim_analysis *a;
    size_t from;           /* the first step of the pass */
    uint32_t reads_most;   /* cycles from issue to beginning that reading operands takes at most */
    struct latest *latest; /* of the steps from `from` up to each */
    uint32_t *round;       /* of each step: how often its iteration has executed its instruction before */
    uint8_t *written;      /* of each register that an instruction reads: enum written; ISA_SCHED_MAX_REGS of each */
};

/* The latest that any of some steps has. */
struct latest {
    cycle_t result, memory, begin;
};

/* Whether any instruction of the sequence writes a register. */
enum written { WRITTEN_UNKNOWN, WRITTEN, WRITTEN_NEVER };

struct hop {
    struct node node;
    enum analysis_edge edge; /* from the node before it in time to this one */
    uint16_t reason;
    struct isa_regref reg;
};

static const struct analysis_step *step_of(const struct walk *w, size_t k)
{
    return &w->a->step[k];
}

static const struct analysis_inst *inst_of(const struct walk *w, size_t k)
{
    return &w->a->inst[w->a->step[k].inst];
}

static cycle_t time_of(const struct walk *w, struct node n)
{
    return n.begin ? step_of(w, n.step)->begin : step_of(w, n.step)->at;
}

/* Where an earlier instruction that began is: its beginning, where that is apart from its issue. */
static struct node begun(const struct walk *w, size_t k)
{
    return (struct node){k, step_of(w, k)->begin != step_of(w, k)->at};
}

static bool is_vector_alu(const struct analysis_inst *i)
{
    return port_table[i->unit.port].vector_alu;
}

/* Whether step k's instruction writes any of what `r` names; *written: what it writes. */
static bool writes(const struct walk *w, size_t k, const struct isa_regref *r, struct isa_regref *written)
{
    const struct isa_sched *s = &inst_of(w, k)->sched;

    for (unsigned n = s->reads; n < (unsigned)s->reads + s->writes; n++)
        if (isa_regrefs_overlap(&s->reg[n], r)) {
            *written = s->reg[n];
            return true;
        }
    return false;
}

/* Which producers a stall reason is about: those of the port whose results it waits for, or of any ALU. */
static bool suits(const struct analysis_inst *i, unsigned reason)
{
    const struct timing_stall_row *row = &timing_stall_row[reason];

    if (row->figures.kind != STALL_FIGURES_RESULTS)
        return port_table[i->unit.port].alu;
    switch (row->figures.of) {
    case PORT_VALU:
        return is_vector_alu(i);
    case PORT_TRANS:
        return i->unit.port == PORT_TRANS || i->sched.cls == OPC_TRANS || i->sched.cls == OPC_F64_TRANS;
    default:
        return i->unit.port == row->figures.of;
    }
}

static const struct latest *up_to(const struct walk *w, size_t k)
{
    return &w->latest[k - w->from];
}

static bool is_written(const struct walk *w, size_t k, unsigned n)
{
    uint8_t *known = &w->written[(size_t)step_of(w, k)->inst * ISA_SCHED_MAX_REGS + n];
    const struct isa_regref *r = &inst_of(w, k)->sched.reg[n];

    if (*known == WRITTEN_UNKNOWN) {
        *known = WRITTEN_NEVER;
        for (uint32_t i = 0; i < w->a->inst_count && *known == WRITTEN_NEVER; i++) {
            const struct isa_sched *s = &w->a->inst[i].sched;

            for (unsigned m = s->reads; m < (unsigned)s->reads + s->writes; m++)
                if (isa_regrefs_overlap(&s->reg[m], r))
                    *known = WRITTEN;
        }
    }
    return *known == WRITTEN;
}

/* The producer of a result that step k reads: of those written last before it, from step `first` on, the one that is
 * ready latest, and not before `least`. False: there is none. */
static bool producer_from(const struct walk *w, size_t k, unsigned reason, size_t first, cycle_t least, size_t *from,
                          struct isa_regref *reg)
{
    const struct isa_sched *s = &inst_of(w, k)->sched;
    cycle_t best = 0;

    for (unsigned n = 0; n < s->reads; n++) {
        if (!is_written(w, k, n))
            continue;
        for (size_t j = k; j-- > first && up_to(w, j)->result >= least && up_to(w, j)->result > best;) {
            struct isa_regref written;

            if (!writes(w, j, &s->reg[n], &written) || step_of(w, j)->memory)
                continue;
            if (suits(inst_of(w, j), reason) && step_of(w, j)->done > best) {
                best = step_of(w, j)->done;
                *from = j;
                *reg = written;
            }
            if (written.first <= s->reg[n].first && written.first + written.count >= s->reg[n].first + s->reg[n].count)
                break;
        }
    }
    return best != 0;
}

/* For all steps before. The near ones are looked at first: they say what those farther away have to be later than. */
static bool producer(const struct walk *w, size_t k, unsigned reason, size_t *from, struct isa_regref *reg)
{
    size_t first = k - w->from > NEAR_STEPS ? k - NEAR_STEPS : w->from;
    bool near = producer_from(w, k, reason, first, 0, from, reg);

    if (first == w->from)
        return near;
    return producer_from(w, k, reason, w->from, near ? step_of(w, *from)->done : 0, from, reg);
}

/* A producer whose result is there in that very cycle. */
static bool producer_at(const struct walk *w, size_t k, cycle_t at, size_t *from, struct isa_regref *reg)
{
    return producer_from(w, k, STALL_DEPENDENCY_QUEUE, w->from, at, from, reg) && step_of(w, *from)->done == at;
}

/* The last instruction of that kind whose result is there by `by`, whichever registers it writes. */
static bool last_of_kind(const struct walk *w, size_t k, unsigned reason, size_t *from)
{
    cycle_t best = 0;
    bool any = false;

    for (uint32_t i = 0; i < w->a->inst_count && !any; i++)
        any = suits(&w->a->inst[i], reason);
    for (size_t j = k; any && j-- > w->from && up_to(w, j)->result > best;)
        if (suits(inst_of(w, j), reason) && !step_of(w, j)->memory && step_of(w, j)->done > best) {
            best = step_of(w, j)->done;
            *from = j;
        }
    return best != 0;
}

static struct hop to_issue_before(const struct walk *w, size_t k, enum analysis_edge edge, unsigned reason)
{
    (void)w;
    return (struct hop){{k - 1, false}, edge, (uint16_t)reason, {0}};
}

/* A wait for results that step k's stall before issue was. */
static struct hop wait_for_result(const struct walk *w, size_t k, unsigned reason)
{
    struct isa_regref reg = {0};
    size_t from;

    if (producer(w, k, reason, &from, &reg))
        return (struct hop){begun(w, from), EDGE_RESULT, (uint16_t)reason, reg};
    if (last_of_kind(w, k, reason, &from))
        return (struct hop){begun(w, from), EDGE_RESULT, (uint16_t)reason, {0}};
    return to_issue_before(w, k, EDGE_ISSUE, reason);
}

/* The memory instruction whose completion let step k go on: the last one up to then. */
static struct hop wait_for_memory(const struct walk *w, size_t k, unsigned reason)
{
    cycle_t best = 0;
    size_t from = 0;

    for (size_t j = k; j-- > w->from && up_to(w, j)->memory > best;)
        if (step_of(w, j)->memory && step_of(w, j)->done <= step_of(w, k)->at && step_of(w, j)->done > best &&
            (reason < STALL_WAIT || inst_of(w, j)->sched.counters >> (reason - STALL_WAIT) & 1)) {
            best = step_of(w, j)->done;
            from = j;
        }
    return best ? (struct hop){{from, false}, EDGE_MEMORY, (uint16_t)reason, {0}}
                : to_issue_before(w, k, EDGE_HOLD, reason);
}

/* Whether both keep the same unit from taking others. */
static bool same_unit(const struct analysis_inst *a, const struct analysis_inst *b, unsigned reason)
{
    if (reason == STALL_UNIT_BUSY_VALU)
        return is_vector_alu(a) && is_vector_alu(b);
    if (is_vector_alu(a) && is_vector_alu(b) && (a->unit.handover_cycles || b->unit.handover_cycles))
        return true;
    return a->unit.port == b->unit.port;
}

/* The instruction that kept the unit, or the queue in front of it, busy: the last that began before step k issued. */
static struct hop wait_for_unit(const struct walk *w, size_t k, unsigned reason)
{
    cycle_t best = 0;
    size_t from = k;

    for (size_t j = k; j-- > w->from && up_to(w, j)->begin > best;)
        if (same_unit(inst_of(w, j), inst_of(w, k), reason) && step_of(w, j)->begin <= step_of(w, k)->at &&
            step_of(w, j)->begin > best) {
            best = step_of(w, j)->begin;
            from = j;
        }
    if (from == k)
        return to_issue_before(w, k, EDGE_UNIT, reason);
    return (struct hop){begun(w, from), EDGE_UNIT, (uint16_t)reason, {0}};
}

/* The last wait before step k's issue; STALL_ISSUED: none. Arbitration comes after what held it: the SIMD's next cycle
 * of arbitration. */
static unsigned last_wait(const struct walk *w, size_t k)
{
    const struct analysis_step *s = step_of(w, k);

    for (uint32_t n = s->stalls; n-- > 0;)
        if (timing_stall_row[w->a->stall[s->stall + n].reason].after != STALL_AFTER_NOTHING)
            return w->a->stall[s->stall + n].reason;
    return STALL_ISSUED;
}

/* After the one before in order. Where its result comes in that very cycle, it holds step k as much, and says more. */
static struct hop in_order(const struct walk *w, size_t k)
{
    struct isa_regref reg = {0};
    size_t from;

    if (producer_at(w, k, step_of(w, k)->at, &from, &reg))
        return (struct hop){begun(w, from), EDGE_RESULT, STALL_COUNT, reg};
    return to_issue_before(w, k, EDGE_ISSUE, STALL_COUNT);
}

static struct hop before_issue(const struct walk *w, size_t k)
{
    unsigned reason = last_wait(w, k);

    switch ((enum timing_stall_after)timing_stall_row[reason].after) {
    case STALL_AFTER_ORDER:
    case STALL_AFTER_NOTHING:
        return in_order(w, k);
    case STALL_AFTER_FETCH:
        return to_issue_before(w, k, EDGE_FETCH, reason);
    case STALL_AFTER_BRANCH:
        return to_issue_before(w, k, EDGE_BRANCH, reason);
    case STALL_AFTER_RESULT:
        return wait_for_result(w, k, reason);
    case STALL_AFTER_UNIT:
        return wait_for_unit(w, k, reason);
    case STALL_AFTER_QUEUE:
        return to_issue_before(w, k, EDGE_QUEUE, reason);
    case STALL_AFTER_MEMORY:
        return wait_for_memory(w, k, reason);
    case STALL_AFTER_HOLD:
        break;
    }
    return to_issue_before(w, k, EDGE_HOLD, reason);
}

/* The instruction before step k in the unit that begins instructions one after the other. */
static bool before_in_unit(const struct walk *w, size_t k, bool same_port, size_t *from)
{
    const struct analysis_inst *i = inst_of(w, k);

    for (size_t j = k; j-- > w->from;)
        if (step_of(w, j)->begin != step_of(w, j)->at && step_of(w, j)->begin < step_of(w, k)->begin &&
            (inst_of(w, j)->unit.port == i->unit.port ||
             (!same_port && is_vector_alu(inst_of(w, j)) && is_vector_alu(i)))) {
            *from = j;
            return true;
        }
    return false;
}

/* In a queue: what a unit waited for before it began step k. */
static struct hop before_begin(const struct walk *w, size_t k)
{
    const struct analysis_step *s = step_of(w, k);
    struct isa_regref reg = {0};
    size_t from;

    if (s->begin > w->a->entry_cycles && producer_at(w, k, s->begin - w->a->entry_cycles, &from, &reg))
        return (struct hop){begun(w, from), EDGE_RESULT, STALL_COUNT, reg};
    if (before_in_unit(w, k, true, &from) && step_of(w, from)->begin + inst_of(w, from)->unit.port_cycles == s->begin)
        return (struct hop){begun(w, from), EDGE_UNIT, STALL_COUNT, {0}};
    if (s->begin - s->at <= w->reads_most)
        return (struct hop){{k, false}, EDGE_QUEUE, STALL_COUNT, {0}};
    if (before_in_unit(w, k, false, &from) && s->begin - step_of(w, from)->begin <= s->begin - s->at)
        return (struct hop){begun(w, from), EDGE_UNIT, STALL_COUNT, {0}};
    return (struct hop){{k, false}, EDGE_OPERANDS, STALL_COUNT, {0}};
}

/* False: the pass begins there. */
static bool hop_back(const struct walk *w, struct node n, struct hop *h)
{
    if (!n.begin && n.step == w->from)
        return false;
    *h = n.begin ? before_begin(w, n.step) : before_issue(w, n.step);
    /* time never goes on going back; where a rule above would say so, issue order holds */
    if (time_of(w, h->node) > time_of(w, n) || h->node.step > n.step)
        *h = n.begin ? (struct hop){{n.step, false}, EDGE_QUEUE, STALL_COUNT, {0}}
                     : to_issue_before(w, n.step, EDGE_ISSUE, STALL_COUNT);
    return true;
}

/* ---- from hops to links ---- */

/* hop[k].node is held by hop[k + 1].node. */
struct route {
    struct hop *hop;
    size_t count;
};

static struct analysis_link link_of(const struct walk *w, const struct hop *later, const struct hop *earlier,
                                    uint32_t first, double share)
{
    const struct analysis_step *from = step_of(w, earlier->node.step), *to = step_of(w, later->node.step);
    struct analysis_link l = {.edge = earlier->edge,
                              .inst = from->inst,
                              .to = to->inst,
                              .times = 1,
                              .iteration = from->iteration - first,
                              .carried = to->iteration != from->iteration,
                              .reason = earlier->reason,
                              .level = from->requested ? from->level : LEVEL_COUNT + 1,
                              .reg = earlier->reg};

    l.cycles = (double)(time_of(w, later->node) - time_of(w, earlier->node)) * share;
    return l;
}

/* Links of the iteration that is gone through, by their instructions. */
struct merge {
    uint32_t *first;  /* of each instruction: its link's number plus one; 0: none */
    uint32_t *behind; /* of each link: the next of its instruction, likewise */
    uint32_t iteration;
};

static bool same_link(const struct analysis_link *x, const struct analysis_link *y)
{
    return x->edge == y->edge && x->to == y->to && x->carried == y->carried && x->reason == y->reason &&
           x->level == y->level && x->reg.file == y->reg.file && x->reg.first == y->reg.first &&
           x->reg.count == y->reg.count;
}

static int add_link(struct gcnsim_analysis *a, struct merge *m, const struct analysis_link *l, size_t *room,
                    struct err *e)
{
    if (l->iteration != m->iteration)
        memset(m->first, 0, a->inst_count * sizeof *m->first);
    m->iteration = l->iteration;
    for (uint32_t k = m->first[l->inst]; k; k = m->behind[k - 1])
        if (same_link(&a->link[k - 1], l)) {
            a->link[k - 1].cycles += l->cycles;
            a->link[k - 1].times++;
            return 0;
        }
    if (a->links == *room) {
        *room = 2 * *room + 256;
        struct analysis_link *link = realloc(a->link, *room * sizeof *link);
        if (link)
            a->link = link;
        uint32_t *behind = realloc(m->behind, *room * sizeof *behind);
        if (behind)
            m->behind = behind;
        if (!link || !behind)
            return err_set(e, ERR_NOMEM, "out of host memory for the critical path");
    }
    a->link[a->links] = *l;
    m->behind[a->links] = m->first[l->inst];
    m->first[l->inst] = ++a->links;
    return 0;
}

/* Links of hops [late, early), in the order of time; those without cycles say nothing. */
static int take_links(struct gcnsim_analysis *a, const struct walk *w, const struct route *r, size_t late, size_t early,
                      uint32_t iterations, struct err *e)
{
    uint32_t first = step_of(w, r->hop[early].node.step)->iteration;
    struct merge m = {.first = calloc(a->inst_count, sizeof *m.first)};
    size_t room = 0;
    int failed = m.first ? 0 : err_set(e, ERR_NOMEM, "out of host memory for the critical path");

    a->path_iterations = iterations;
    for (size_t k = early; !failed && k-- > late;) {
        struct analysis_link l = link_of(w, &r->hop[k], &r->hop[k + 1], first, 1.0 / iterations);

        a->path_cycles += l.cycles;
        if (l.cycles > 0)
            failed = add_link(a, &m, &l, &room, e);
    }
    free(m.first);
    free(m.behind);
    return failed;
}

/* A hop by its place in an iteration: an instruction's issue or beginning, each time that the iteration executes it. */
struct place {
    uint64_t inst;
    uint32_t round, hop;
};

static int by_place(const void *x, const void *y)
{
    const struct place *a = x, *b = y;

    if (a->inst != b->inst)
        return a->inst < b->inst ? -1 : 1;
    if (a->round != b->round)
        return a->round < b->round ? -1 : 1;
    return a->hop < b->hop ? -1 : 1;
}

struct cycle {
    uint32_t iterations, late, early;
    bool fits; /* takes as long as was measured */
};

static bool is_better(const struct cycle *c, const struct cycle *than)
{
    if (!than->iterations || c->fits != than->fits)
        return !than->iterations || c->fits;
    if (c->iterations != than->iterations)
        return c->fits ? c->iterations < than->iterations : c->iterations > than->iterations;
    return c->late != than->late ? c->late < than->late : c->early < than->early;
}

/* The cycle between two hops of one place. False: they are of one iteration. */
static bool cycle_of(const struct walk *w, const struct route *r, uint32_t late, uint32_t early, double latency,
                     struct cycle *c)
{
    struct node x = r->hop[late].node, y = r->hop[early].node;

    *c = (struct cycle){step_of(w, x.step)->iteration - step_of(w, y.step)->iteration, late, early, false};
    if (!c->iterations)
        return false;
    double mean = (double)(time_of(w, x) - time_of(w, y)) / c->iterations;
    c->fits = mean > latency - 0.005 && mean < latency + 0.005;
    return true;
}

/* Where the path comes twice: the shortest that takes as long as was measured, else the longest. */
static int find_cycle(const struct walk *w, const struct route *r, double latency, struct cycle *best, struct err *e)
{
    struct place *place = malloc(r->count * sizeof *place);
    struct cycle c;

    *best = (struct cycle){0};
    if (!place)
        return err_set(e, ERR_NOMEM, "out of host memory for the critical path");
    for (size_t k = 0; k < r->count; k++) {
        struct node n = r->hop[k].node;

        place[k] =
            (struct place){2 * (uint64_t)step_of(w, n.step)->inst + n.begin, w->round[n.step - w->from], (uint32_t)k};
    }
    qsort(place, r->count, sizeof *place, by_place);
    for (size_t x = 0; x < r->count; x++)
        for (size_t y = x + 1; y < r->count && place[y].inst == place[x].inst && place[y].round == place[x].round; y++)
            if (cycle_of(w, r, place[x].hop, place[y].hop, latency, &c) && is_better(&c, best))
                *best = c;
    free(place);
    return 0;
}

/* A path through one iteration alone, cut off where that begins: of a sequence too long to come to a place twice. */
static int take_once(struct gcnsim_analysis *a, const struct walk *w, const struct route *r, struct err *e)
{
    cycle_t start = step_of(w, w->from)->at;
    size_t early = 0;

    while (early + 1 < r->count && time_of(w, r->hop[early].node) > start)
        early++;
    return early ? take_links(a, w, r, 0, early, 1, e) : 0;
}

/* What the walk asks of all steps before one. */
static int look_ahead(struct walk *w, size_t to, struct arena *arena, struct err *e)
{
    uint32_t *times = calloc(w->a->inst_count, sizeof *times);
    size_t count = to - w->from;
    struct latest l = {0};

    w->latest = arena_alloc_unset(arena, count, sizeof *w->latest, _Alignof(struct latest));
    w->round = arena_alloc_unset(arena, count, sizeof *w->round, _Alignof(uint32_t));
    w->written = ARENA_NEW(arena, (size_t)w->a->inst_count * ISA_SCHED_MAX_REGS, uint8_t);
    if (!times || !w->latest || !w->round || !w->written) {
        free(times);
        return err_set(e, ERR_NOMEM, "out of host memory for the critical path");
    }
    for (size_t k = w->from; k < to; k++) {
        const struct analysis_step *s = step_of(w, k);
        cycle_t *latest = s->memory ? &l.memory : &l.result;

        if (k > w->from && s->iteration != s[-1].iteration)
            memset(times, 0, w->a->inst_count * sizeof *times);
        w->round[k - w->from] = times[s->inst]++;
        *latest = s->done > *latest ? s->done : *latest;
        l.begin = s->begin > l.begin ? s->begin : l.begin;
        w->latest[k - w->from] = l;
    }
    free(times);
    return 0;
}

static int walk_back(struct gcnsim_analysis *a, struct walk *w, struct route *r, const volatile int *abort_flag,
                     struct arena *arena, struct err *e)
{
    struct cycle c;
    struct hop h;

    /* from the first instruction of the last copy */
    size_t k = a->pass_to - 1;
    while (k > w->from && a->step[k - 1].iteration == a->step[a->pass_to - 1].iteration)
        k--;
    size_t room = 2 * (k - w->from) + 2;
    r->hop = arena_alloc_unset(arena, room, sizeof *r->hop, _Alignof(struct hop));
    if (!r->hop)
        return err_set(e, ERR_NOMEM, "out of host memory for the critical path");
    r->hop[r->count++] = (struct hop){{k, false}, EDGE_ISSUE, STALL_COUNT, {0}};
    while (r->count < room && hop_back(w, r->hop[r->count - 1].node, &h)) {
        r->hop[r->count++] = h;
        if (abort_flag && *abort_flag)
            return err_set(e, ERR_INTERRUPTED, "interrupted");
    }
    if (find_cycle(w, r, a->latency, &c, e))
        return -1;
    return c.iterations ? take_links(a, w, r, c.late, c.early, c.iterations, e) : take_once(a, w, r, e);
}

int analysis_path(struct gcnsim_analysis *a, const volatile int *abort_flag, struct err *e)
{
    struct walk w = {.a = a, .from = a->pass_from, .reads_most = a->reads_most};
    struct route r = {0};
    struct arena arena;

    if (a->pass_from >= a->pass_to)
        return 0;
    arena_init(&arena, 0);
    int failed = look_ahead(&w, a->pass_to, &arena, e) || walk_back(a, &w, &r, abort_flag, &arena, e) ? -1 : 0;
    arena_free(&arena);
    return failed;
}
