/* The list of findings: one for each pc and rule, with its first occurrence in the order of workgroups and waves. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/check/check.h"
#include "sim/check/global.h"

#define MAX_FINDINGS 4096 /* a longer list helps nobody */

const char *const check_rule_key[CHECK_RULE_COUNT] = {
#define X(E, KEY) [CHECK_##E] = KEY,
    CHECK_RULES(X)
#undef X
};

static struct check_finding *find(struct check *c, gaddr_t pc, enum check_rule rule)
{
    for (size_t k = 0; k < c->count; k++)
        if (c->finding[k].pc == pc && c->finding[k].rule == rule)
            return &c->finding[k];
    return NULL;
}

static struct check_finding *add(struct check *c)
{
    if (c->count == c->room) {
        size_t room = c->room ? 2 * c->room : 64;
        if (c->count >= MAX_FINDINGS) {
            c->is_full = true;
            return NULL;
        }
        struct check_finding *more = realloc(c->finding, room * sizeof *c->finding);
        if (!more) {
            c->no_memory = true;
            return NULL;
        }
        c->finding = more;
        c->room = room;
    }
    return &c->finding[c->count++];
}

static void report(struct check *c, gaddr_t pc, uint64_t group, uint32_t wave, enum check_rule rule, int lane,
                   uint64_t times, const char *fix, const char *format, va_list ap)
{
    uint64_t count = times;

    pthread_mutex_lock(&c->lock);
    struct check_finding *f = find(c, pc, rule);
    bool better = !f || group < f->group || (group == f->group && wave < f->wave);
    if (f)
        f->count += times, count = f->count;
    else
        f = add(c);
    if (f && better) {
        *f = (struct check_finding){.rule = rule, .pc = pc, .lane = lane, .group = group, .wave = wave, .count = count};
        vsnprintf(f->message, sizeof f->message, format, ap);
        snprintf(f->fix, sizeof f->fix, "%s", fix);
    }
    pthread_mutex_unlock(&c->lock);
}

void check_report(struct check_step *s, enum check_rule rule, int lane, const char *fix, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    report(s->g->run, s->i->pc, s->g->id, s->g->current, rule, lane, 1, fix, format, ap);
    va_end(ap);
}

void check_report_at(struct check *c, gaddr_t pc, uint64_t group, uint32_t wave, enum check_rule rule, int lane,
                     const char *fix, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    report(c, pc, group, wave, rule, lane, 1, fix, format, ap);
    va_end(ap);
}

void check_report_times(struct check *c, gaddr_t pc, uint64_t group, uint32_t wave, enum check_rule rule,
                        uint64_t count, const char *fix, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    report(c, pc, group, wave, rule, -1, count, fix, format, ap);
    va_end(ap);
}

static int by_place(const void *a, const void *b)
{
    const struct check_finding *x = a, *y = b;

    return x->pc != y->pc ? (x->pc < y->pc ? -1 : 1) : (int)x->rule - (int)y->rule;
}

bool check_no_memory(const struct check *c)
{
    return c->no_memory;
}

const char *check_left_out(struct check *c)
{
    char *p = c->left_out;

    *p = '\0';
    if (isa_has(c->launch->target, FEAT_READ_SGPR_HAZARD) && !c->uses_wait_alu && c->stepped)
        p += sprintf(p, "rdna4.valu-read-sgpr was not applied: the code has no s_wait_alu, so it comes from a compiler "
                        "that does not know the hazard (before LLVM 20), and hardware may run it wrongly");
    if (c->is_full)
        sprintf(p, "%sfindings at further places are not kept: the list holds %d", p > c->left_out ? "; " : "",
                MAX_FINDINGS);
    return *c->left_out ? c->left_out : NULL;
}

const struct check_finding *check_findings(struct check *c, size_t *count)
{
    if (c->global)
        global_report(c->global);
    if (c->count)
        qsort(c->finding, c->count, sizeof *c->finding, by_place);
    *count = c->count;
    return c->finding;
}

unsigned check_operand_reg(const struct check_step *s, const struct isa_opnd *o, unsigned k)
{
    unsigned reg = o->code - CODE_VGPR + k, arch = s->g->run->launch->nvgprs;

    if (o->flags & A_ACC)
        return REG_A + reg;
    return s->i->high_vgprs && reg >= arch ? REG_A + reg - arch : REG_V + reg;
}

bool check_operand_is(const struct check_step *s, const struct isa_opnd *o, unsigned reg)
{
    if (o->code < CODE_VGPR || o->code == CODE_NONE)
        return false;
    for (unsigned k = 0; k < isa_types[o->type].dwords; k++)
        if (check_operand_reg(s, o, k) == reg)
            return true;
    return false;
}

const char *check_reg_name(const struct check_step *s, unsigned reg, char out[24])
{
    const struct isa_target *t = check_target(s);
    unsigned code = reg - REG_S;

    if (reg < REG_A)
        snprintf(out, 24, "v%u", reg);
    else if (reg < REG_S && s->i->high_vgprs)
        snprintf(out, 24, "v%u", reg - REG_A + s->g->run->launch->nvgprs);
    else if (reg < REG_S)
        snprintf(out, 24, "a%u", reg - REG_A);
    else if (reg == REG_SCC)
        snprintf(out, 24, "scc");
    else if (code == t->code_m0)
        snprintf(out, 24, "m0");
    else if (code == CODE_VCC_LO || code == CODE_VCC_HI)
        snprintf(out, 24, "vcc_%s", code == CODE_VCC_LO ? "lo" : "hi");
    else if (code == CODE_EXEC_LO || code == CODE_EXEC_HI)
        snprintf(out, 24, "exec_%s", code == CODE_EXEC_LO ? "lo" : "hi");
    else if (t->code_flat_scratch != 0xffff && (code & ~1u) == t->code_flat_scratch)
        snprintf(out, 24, "flat_scratch_%s", code & 1 ? "hi" : "lo");
    else if (code >= t->code_ttmp0 && code < t->code_ttmp0 + t->ttmp_count)
        snprintf(out, 24, "ttmp%u", code - t->code_ttmp0);
    else
        snprintf(out, 24, "s%u", code);
    return out;
}

void check_inst_text(const struct check *c, gaddr_t pc, char *out, size_t size)
{
    const struct isa_inst *i = isa_program_at(c->launch->program, pc);

    out[0] = 0;
    if (i && i->row)
        isa_text(c->launch->target, i, out, size);
}

unsigned check_halves_of(const struct check_step *s, unsigned reg, unsigned access)
{
    const struct isa_inst *i = s->i->inst;
    unsigned halves = 0;

    for (unsigned k = 0; i->form != FORM_VOPD && k < i->nops; k++) {
        const struct isa_arg *a = &i->row->args[k];
        unsigned dwords = isa_types[i->op[k].type].dwords, first = i->op[k].code - CODE_VGPR;
        bool narrow = (a->flags & A_HALF) || (isa_types[i->op[k].type].bits == 16 && dwords);
        if (!(i->op[k].flags & access) || i->op[k].code < CODE_VGPR || reg < first || reg >= first + dwords)
            continue;
        unsigned bit = a->slot >= SL_SRC0 && a->slot <= SL_SRC2 ? (unsigned)a->slot - SL_SRC0 : 3u;
        halves |= narrow && i->format >= FMT_VOP1 && i->format <= FMT_VOP3 ? 1u << (i->op_sel >> bit & 1) : 3u;
    }
    return halves ? halves : 3u;
}
