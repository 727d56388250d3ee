/* The tables above the annotated instructions: functions, loops, source lines, those with the most cycles first. */
#include "sim/report/annotate_rows.h"

#include <stdlib.h>
#include <string.h>

#define LINES 10 /* of a table, when it is not said how many */

/* What instructions have in common, and their sums. */
struct group {
    uint64_t stat[STAT_INST_ALL];
    uint64_t cycles;
    uint32_t index; /* of a function or loop; of a source line, its first instruction */
};

static int by_cycles(const void *a, const void *b)
{
    const struct group *x = a, *y = b;

    if (x->cycles != y->cycles)
        return x->cycles < y->cycles ? 1 : -1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void add(struct group *g, const struct report_code_inst *i)
{
    row_sum(g->stat, i->stat);
    g->cycles += report_inst_cycles(i->stat);
}

/* Cycles, share, executions and largest stall, which all tables begin with. */
static void begin(struct sheet *s, struct row *row, const struct group *g, double executed)
{
    char a[32], b[32], c[64];

    row_add(row, "%13s %5.1f%% %13s", row_number((double)g->cycles, 13, a),
            s->whole > 0 ? 100 * (double)g->cycles / s->whole : 0, row_number(executed, 13, b));
    row_add(row, "  %-24s", row_stall(g->stat, c));
}

static void head(struct sheet *s, const char *what, const char *executed, const char *rest)
{
    struct row row = {.used = 0};

    row_put(s, &row, ROW_PLAIN);
    row_add(&row, "%-6s %6s %6s %13s  %-24s  %s", what, "cycles", "share", executed, "largest stall", rest);
    row_put(s, &row, ROW_HEAD);
}

static size_t limit(const struct sheet *s, size_t n)
{
    size_t most = s->a->top ? s->a->top : LINES;

    return n < most ? n : most;
}

static void left_out(struct sheet *s, size_t n, size_t shown, const char *what)
{
    struct row row = {.used = 0};

    if (shown < n) {
        row_add(&row, "%13s %zu more %s", "and", n - shown, what);
        row_put(s, &row, ROW_PLAIN);
    }
}

static bool functions(struct sheet *s)
{
    const struct report_code *code = s->code;
    struct group *g = calloc(code->functions + 1, sizeof *g);
    struct row row = {.used = 0};
    bool made = g != NULL;
    size_t n = 0;

    for (size_t k = 0; g && k < code->functions; k++)
        g[k].index = (uint32_t)k;
    for (size_t k = 0; g && k < code->insts; k++)
        if (row_shown(s, &code->inst[k]))
            add(&g[code->inst[k].function], &code->inst[k]);
    if (g) {
        qsort(g, code->functions, sizeof *g, by_cycles);
        head(s, "By", "executed", "function");
    }
    for (size_t k = 0; g && k < code->functions; k++)
        n += code->function[g[k].index].count && row_shown(s, &code->inst[code->function[g[k].index].first]);
    for (size_t k = 0, shown = 0; g && k < code->functions && shown < limit(s, n); k++) {
        const struct report_function *f = &code->function[g[k].index];

        if (!f->count || !row_shown(s, &code->inst[f->first]))
            continue;
        begin(s, &row, &g[k], (double)g[k].stat[STAT_INST_EXECUTED]);
        row_add(&row, "  %s", *f->plain ? f->plain : "(code without a symbol)");
        row_put(s, &row, row_heat(s, (double)g[k].cycles));
        shown++;
    }
    if (g)
        left_out(s, n, limit(s, n), "functions");
    free(g);
    return made;
}

static void one_loop(struct sheet *s, const struct group *g)
{
    const struct report_loop *l = &s->code->loop[g->index];
    struct row row = {.used = 0};
    char a[32], b[32], place[96];

    begin(s, &row, g, (double)l->iterations);
    if (l->entries_known && l->entries)
        row_add(&row, "%9s %9.1f", row_number((double)l->entries, 9, a), (double)l->iterations / (double)l->entries);
    else
        row_add(&row, "%9s %9s", l->entries_known ? row_number(0, 9, b) : "?", l->entries_known ? "" : "?");
    row_add(&row, "  %*s", (int)(2 * (l->depth < 8 ? l->depth - 1 : 7)), "");
    if (l->file)
        row_add(&row, "%s ", source_place(l->file, l->line, place));
    row_add(&row, "0x%llx-0x%llx", (unsigned long long)s->code->inst[l->first].pc_offset,
            (unsigned long long)s->code->inst[l->last].pc_offset);
    if (*s->code->function[l->function].plain)
        row_add(&row, " in %s", s->code->function[l->function].plain);
    row_put(s, &row, row_heat(s, (double)g->cycles));
}

/* Instructions of inner loops are those of the outer ones, too. */
static bool loops(struct sheet *s)
{
    const struct report_code *code = s->code;
    struct group *g = calloc(code->loops + 1, sizeof *g);
    bool made = g != NULL;
    size_t n = 0;

    for (size_t k = 0; g && k < code->loops; k++)
        g[k].index = (uint32_t)k;
    for (size_t k = 0; g && k < code->insts; k++)
        for (uint32_t l = code->inst[k].loop; l != REPORT_NONE && row_shown(s, &code->inst[k]);
             l = code->loop[l].parent)
            add(&g[l], &code->inst[k]);
    for (size_t k = 0; g && k < code->loops; k++)
        if (row_shown(s, &code->inst[code->loop[k].header]))
            g[n++] = g[k];
    if (n) {
        qsort(g, n, sizeof *g, by_cycles);
        head(s, "By", "iterations", "entered iter/each  loop (inner ones indented)");
    }
    for (size_t k = 0; k < limit(s, n); k++)
        one_loop(s, &g[k]);
    left_out(s, n, limit(s, n), "loops");
    free(g);
    return made;
}

/* ---- source lines ---- */

static int by_line(const void *a, const void *b)
{
    const struct report_code_inst *x = *(const struct report_code_inst *const *)a,
                                  *y = *(const struct report_code_inst *const *)b;
    const struct report_frame *f = x->frame, *g = y->frame;
    int order = strcmp(f->file, g->file);

    if (order)
        return order;
    if (f->line != g->line)
        return f->line < g->line ? -1 : 1;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static bool has_line(const struct report_code_inst *i)
{
    return i->frames && i->frame[0].file && i->frame[0].line;
}

/* The instructions that are shown and have a line, by it; *n of them. */
static const struct report_code_inst **with_lines(struct sheet *s, size_t *n)
{
    const struct report_code_inst **list = calloc(s->code->insts + 1, sizeof *list);

    *n = 0;
    for (size_t k = 0; list && k < s->code->insts; k++)
        if (row_shown(s, &s->code->inst[k]) && has_line(&s->code->inst[k]))
            list[(*n)++] = &s->code->inst[k];
    if (*n)
        qsort(list, *n, sizeof *list, by_line);
    return list;
}

static void one_line(struct sheet *s, const struct group *g)
{
    const struct report_frame *f = s->code->inst[g->index].frame;
    const char *text = source_text_line(&s->sources, f->file, f->line);
    struct row row = {.used = 0};
    char place[96];

    begin(s, &row, g, (double)g->stat[STAT_INST_EXECUTED]);
    row_add(&row, "  %s", source_place(f->file, f->line, place));
    if (text)
        row_add(&row, " | %.200s", text);
    row_put(s, &row, row_heat(s, (double)g->cycles));
}

static bool lines(struct sheet *s)
{
    size_t n, groups = 0;
    const struct report_code_inst **list = with_lines(s, &n);
    struct group *g = n ? calloc(n, sizeof *g) : NULL;

    for (size_t k = 0; g && k < n; k++) {
        const struct report_frame *f = list[k]->frame;
        bool same = k && f->line == list[k - 1]->frame->line && !strcmp(f->file, list[k - 1]->frame->file);

        if (!same)
            g[groups++].index = (uint32_t)(list[k] - s->code->inst);
        add(&g[groups - 1], list[k]);
    }
    if (groups) {
        qsort(g, groups, sizeof *g, by_cycles);
        head(s, "By", "executed", "source line");
    }
    for (size_t k = 0; k < limit(s, groups); k++)
        one_line(s, &g[k]);
    left_out(s, groups, limit(s, groups), "source lines");
    bool made = list && (g || !n);
    free(g);
    free(list);
    return made;
}

bool annotate_tables(struct sheet *s)
{
    return functions(s) && loops(s) && lines(s);
}
