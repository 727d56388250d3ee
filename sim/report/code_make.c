/* Finds the code of a run: which functions waves have come to, their instructions, and where these lead. */
#include "sim/report/code_internal.h"

#include <stdlib.h>
#include <string.h>

#include "sim/loader/demangle.h"

uint64_t report_inst_cycles(const uint64_t *stat)
{
    uint64_t sum = 0;

    for (unsigned k = 0; k < STALL_COUNT; k++)
        sum += stat[STAT_INST_STALL + k];
    return sum;
}

unsigned report_inst_stall(const uint64_t *stat)
{
    unsigned most = STALL_COUNT;

    for (unsigned k = 0; k < STALL_COUNT; k++)
        if (k != STALL_ISSUED && stat[STAT_INST_STALL + k] &&
            (most == STALL_COUNT || stat[STAT_INST_STALL + k] > stat[STAT_INST_STALL + most]))
            most = k;
    return most;
}

/* ---- which instructions ---- */

/* Whether a pc is among the places; `mark` puts it there. A pc outside the code, to which a wave may have jumped before
 * it faulted, is asked for once at most. */
static bool seen(struct code_maker *c, gaddr_t pc, bool mark)
{
    uint64_t word = (pc - c->m->run->load_base) / 4;

    if (word > UINT32_MAX / 4)
        return false;
    if (word / 8 >= c->seen_bytes) {
        size_t bytes = word / 8 + 4096;
        uint8_t *more = mark ? realloc(c->seen, bytes) : NULL;

        if (!more) {
            c->m->no_memory = c->m->no_memory || mark;
            return mark;
        }
        memset(more + c->seen_bytes, 0, bytes - c->seen_bytes);
        c->seen = more;
        c->seen_bytes = bytes;
    }
    bool was = c->seen[word / 8] >> word % 8 & 1;
    c->seen[word / 8] |= (uint8_t)(mark << word % 8);
    return was;
}

static bool add(struct code_maker *c, gaddr_t pc, uint32_t function)
{
    const struct isa_inst *inst = isa_program_at(c->m->l->program, pc);
    struct code_place p = {.pc = pc, .flow = ISA_FLOW_END, .size = 4, .function = function};

    if (c->count == c->room) {
        size_t room = c->room ? 2 * c->room : 1024;
        struct code_place *more = realloc(c->place, room * sizeof *more);

        if (!more) {
            c->m->no_memory = true;
            return false;
        }
        c->place = more;
        c->room = room;
    }
    if (inst && inst->row) {
        p.flow = (uint8_t)isa_inst_flow(inst, pc, &p.target);
        p.size = inst->size_bytes;
    }
    if (seen(c, pc, true))
        return false;
    c->place[c->count++] = p;
    return true;
}

static int by_pc(const void *a, const void *b)
{
    const struct code_place *x = a, *y = b;

    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

/* The place at a pc, when they are sorted; REPORT_NONE: there is none. */
static uint32_t find(const struct code_maker *c, gaddr_t pc)
{
    struct code_place key = {.pc = pc};
    const struct code_place *at = bsearch(&key, c->place, c->count, sizeof key, by_pc);

    return at ? (uint32_t)(at - c->place) : REPORT_NONE;
}

/* The function symbol that holds an offset. */
static const struct co_symbol *symbol_at(const struct code_object *co, uint64_t offset)
{
    const struct co_symbol *best = NULL;

    for (unsigned k = 0; co && k < code_object_symbol_count(co); k++) {
        const struct co_symbol *s = code_object_symbol(co, k);

        if (s->kind == CO_SYMBOL_FUNCTION && offset >= s->vaddr && offset - s->vaddr < s->size &&
            (!best || s->size < best->size))
            best = s;
    }
    return best;
}

/* All that can be reached from pc by branches and has not been found yet. */
static void add_reachable(struct code_maker *c, gaddr_t pc, uint32_t function)
{
    size_t n = 1, room = 64;
    gaddr_t *todo = malloc(room * sizeof *todo);

    if (todo)
        todo[0] = pc;
    while (todo && n) {
        gaddr_t at = todo[--n];
        bool goes_on = true;

        while (goes_on && c->count < REPORT_MAX_INSTS && isa_program_at(c->m->l->program, at) && add(c, at, function)) {
            const struct code_place *p = &c->place[c->count - 1];

            if (p->target && p->flow != ISA_FLOW_CALL && !seen(c, p->target, false)) {
                gaddr_t *more = n < room ? todo : realloc(todo, 2 * room * sizeof *todo);
                if (!more)
                    break;
                room *= n < room ? 1 : 2;
                todo = more;
                todo[n++] = p->target;
            }
            at += p->size;
            goes_on = p->flow == ISA_FLOW_NEXT || p->flow == ISA_FLOW_BRANCH || p->flow == ISA_FLOW_CALL;
        }
    }
    c->m->no_memory = c->m->no_memory || !todo;
    free(todo);
}

static void add_function(struct code_maker *c, gaddr_t pc, const struct co_symbol *s)
{
    const struct report_run *run = c->m->run;
    uint32_t index = (uint32_t)c->code->functions;
    struct report_function *f = &c->code->function[c->code->functions++];
    gaddr_t entry = c->m->l->entry;
    char *plain;

    if (s) {
        gaddr_t lo = run->load_base + (s->vaddr - run->base_vaddr);

        f->name = report_keep(c->m, s->name);
        f->kernel = entry >= lo && entry < lo + s->size;
        for (gaddr_t at = lo; at < lo + s->size && c->count < REPORT_MAX_INSTS; at += c->place[c->count - 1].size)
            if (!add(c, at, index))
                break;
    } else {
        f->kernel = pc == entry;
        f->name = report_keep(c->m, f->kernel ? run->kernel : "");
        add_reachable(c, pc, index);
    }
    plain = demangle(f->name);
    f->plain = plain ? report_keep(c->m, plain) : f->name;
    free(plain);
}

/* Functions by the instructions that waves have come to, which are sorted by pc. The kernel comes first, so that
 * without symbols it is found as a whole. */
static void add_functions(struct code_maker *c, const struct report *r)
{
    const struct co_symbol *s;
    uint64_t offset;

    for (size_t k = 0; k <= r->inst_count && r->inst_count && !c->m->no_memory; k++) {
        gaddr_t pc = k ? r->inst[k - 1].pc : c->m->l->entry;

        if (seen(c, pc, false))
            continue;
        offset = report_offset(c->m, pc);
        s = offset == UINT64_MAX ? NULL : symbol_at(c->m->run->code, offset);
        add_function(c, pc, s);
        if (!seen(c, pc, false)) /* between instructions of a function, or past the limit */
            add(c, pc, (uint32_t)c->code->functions - 1);
    }
    if (c->count)
        qsort(c->place, c->count, sizeof *c->place, by_pc);
}

/* ---- what is said of each ---- */

static bool same_frame(const struct co_frame *a, const struct report_frame *b, const char *raw)
{
    return a->line == b->line && a->column == b->column && !a->file == !b->file &&
           (!a->file || !strcmp(a->file, b->file)) && !a->function == !raw &&
           (!a->function || !strcmp(a->function, raw));
}

uint32_t report_frames(struct report_maker *m, gaddr_t pc, const struct report_frame **out)
{
    const struct code_object *code = m->run->code;
    uint64_t offset = report_offset(m, pc);
    struct co_frame f[CO_MAX_FRAMES];
    size_t n = code && offset != UINT64_MAX ? co_lines_frames(code_object_lines(code), offset, f, CO_MAX_FRAMES) : 0;
    bool same = m->frames == n && n;

    for (size_t k = 0; k < n && same; k++)
        same = same_frame(&f[k], &m->frame[k], m->frame_raw[k]);
    if (!same && n) {
        struct report_frame *to = REPORT_ARRAY(m, n, struct report_frame);

        for (size_t k = 0; to && k < n; k++) {
            char *plain = f[k].function ? demangle(f[k].function) : NULL;

            m->frame_raw[k] = f[k].function;
            to[k] = (struct report_frame){plain ? report_keep(m, plain) : report_keep(m, f[k].function),
                                          report_keep(m, f[k].file), f[k].line, f[k].column};
            free(plain);
        }
        m->frame = to;
        m->frames = to ? (uint32_t)n : 0;
    }
    *out = n ? m->frame : NULL;
    return n ? m->frames : 0;
}

static void fill(struct code_maker *c, const struct report *r)
{
    static const uint64_t nothing[STAT_INST_ALL];
    struct report_code *code = c->code;
    size_t next = 0;

    code->inst = REPORT_ARRAY(c->m, c->count, struct report_code_inst);
    code->insts = code->inst ? c->count : 0;
    for (size_t k = 0; k < code->insts; k++) {
        struct report_code_inst *i = &code->inst[k];
        const struct code_place *p = &c->place[k];
        struct report_function *f = &code->function[p->function];

        while (next < r->inst_count && r->inst[next].pc < p->pc)
            next++;
        i->reached = next < r->inst_count && r->inst[next].pc == p->pc;
        i->pc = p->pc;
        i->pc_offset = report_offset(c->m, p->pc);
        i->text = i->reached ? r->inst[next].instruction : report_instruction(c->m, p->pc);
        i->stat = i->reached ? r->inst[next].stat : nothing;
        i->frames = report_frames(c->m, p->pc, &i->frame);
        i->function = p->function;
        i->loop = REPORT_NONE;
        i->target = p->target && p->flow != ISA_FLOW_CALL ? find(c, p->target) : REPORT_NONE;
        f->first = f->count++ ? f->first : (uint32_t)k;
    }
}

/* What the engine has asserted of its own counts (engine/timing): nothing has been lost on the way here. */
static bool adds_up(const struct report_code *code, const struct report *r)
{
    for (unsigned k = 0; k < STALL_COUNT; k++) {
        double sum = 0;

        for (size_t n = 0; n < code->insts; n++)
            sum += (double)code->inst[n].stat[STAT_INST_STALL + k];
        if (r->present[STAT_STALL + k] && sum != r->value[STAT_STALL + k])
            return false;
    }
    return true;
}

struct report_code *report_code_make(struct report_maker *m, const struct report *r)
{
    struct report_code *code = REPORT_ARRAY(m, 1, struct report_code);
    struct code_maker c = {.m = m, .code = code};

    if (code)
        code->function = REPORT_ARRAY(m, r->inst_count + 1, struct report_function);
    if (!code || !code->function)
        return NULL;
    code->until_result = isa_has(m->l->target, FEAT_WAVE32);
    add_functions(&c, r);
    if (!m->no_memory)
        fill(&c, r);
    if (!m->no_memory)
        report_find_loops(&c);
    free(c.place);
    free(c.seen);
    if (m->no_memory)
        return NULL;
    assert(adds_up(code, r));
    (void)adds_up;
    return code;
}
