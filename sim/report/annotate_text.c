/* The annotated code: a head, the tables of functions, loops and source lines, and all instructions. */
#include "sim/report/annotate_rows.h"

#include <stdlib.h>
#include <string.h>

#include "sim/report/sum.h"
#include "sim/util/event.h"

/* Columns at which the parts of an instruction's line begin. */
enum { AT_WORDS = 11, AT_INSTRUCTION = 55, AT_STALL = 96 };

#define DETAIL_SHARE 0.002 /* of the run's cycles, from which on an instruction's further stall reasons are named */

/* Adds a sentence word by word, in as many lines as it takes, and ends them. */
static void words(struct sheet *s, struct row *row, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, " ");

        if (row_columns(row) + 1 + length > REPORT_ANNOTATE_COLUMNS) {
            row_put(s, row, ROW_PLAIN);
            row_to(row, AT_WORDS - 1);
        }
        row_add(row, " %.*s", (int)length, text);
        text += length + strspn(text + length, " ");
    }
    row_put(s, row, ROW_PLAIN);
}

/* For a sum: how many there are, and what limited the longest of them. */
static void annotate_launches(struct sheet *s, const struct report_sum *sum)
{
    struct row row = {.used = 0};
    char a[32], b[32];

    row_add(&row, "launches   %s", report_grouped(sum->launches, a));
    if (sum->early)
        row_add(&row, ", %s of which ended early", report_grouped(sum->early, b));
    row_put(s, &row, ROW_PLAIN);
    if (!sum->limit)
        return;
    row_add(&row, "longest    %s cycles:", report_grouped((uint64_t)sum->longest, a));
    words(s, &row, sum->limit);
}

static void annotate_head(struct sheet *s)
{
    const struct report *r = s->r;
    struct row row = {.used = 0};
    char a[32], b[32];

    row_add(&row, "kernel     %s", r->run.plain);
    row_put(s, &row, ROW_HEAD);
    row_add(&row, "target     %s, profile %s", r->target, r->profile ? r->profile : "none");
    row_put(s, &row, ROW_PLAIN);
    if (s->a->sum)
        annotate_launches(s, s->a->sum);
    row_add(&row, "cycles     %s; %s wave-cycles, each of which is one instruction's",
            report_grouped((uint64_t)r->value[STAT_CYCLES], a), report_grouped((uint64_t)s->whole, b));
    row_put(s, &row, ROW_PLAIN);
    if (r->outcome != ENGINE_DONE) {
        row_add(&row, "ended      early: %s", r->message);
        row_put(s, &row, ROW_HOT);
    }
}

/* ---- one instruction ---- */

/* " x; y" of the line below an instruction, begun anew where it gets too long. */
static void detail(struct sheet *s, struct row *row, const char *text)
{
    if (!*text)
        return;
    if (row->used && row_columns(row) + 2 + strlen(text) > REPORT_ANNOTATE_COLUMNS)
        row_put(s, row, ROW_PLAIN);
    if (!row->used)
        row_to(row, AT_INSTRUCTION + 2);
    else
        row_add(row, "; ");
    row_add(row, "%s", text);
}

static void detail_stalls(struct sheet *s, struct row *row, const uint64_t *stat)
{
    unsigned largest = report_inst_stall(stat);
    uint64_t cycles = report_inst_cycles(stat);
    char text[64], num[32];

    for (unsigned k = 0; k < STALL_COUNT; k++) {
        uint64_t v = stat[STAT_INST_STALL + k];

        if (k == largest || k == STALL_ISSUED || v * 20 < cycles || (double)v < DETAIL_SHARE * s->whole || !v)
            continue;
        snprintf(text, sizeof text, "%s %s", timing_stall_key[k], row_number((double)v, 7, num));
        detail(s, row, text);
    }
}

static void detail_memory(struct sheet *s, struct row *row, const uint64_t *stat)
{
    uint64_t answered = 0, conflicts = stat[STAT_INST_BANK_CONFLICT_CYCLES] + stat[STAT_INST_ADDRESS_CONFLICT_CYCLES];
    char text[128], num[32];
    size_t used = 0;

    for (unsigned k = 0; k <= LEVEL_COUNT; k++)
        answered += stat[STAT_INST_ANSWERED + k];
    if ((answered || stat[STAT_INST_LDS_COUNT]) && stat[STAT_INST_LATENCY_MAX_CYCLES]) {
        snprintf(text, sizeof text, "at most %s cycles",
                 row_number((double)stat[STAT_INST_LATENCY_MAX_CYCLES], 11, num));
        detail(s, row, text);
    }
    if (stat[STAT_INST_COUNT] && stat[STAT_INST_LINES]) {
        snprintf(text, sizeof text, "%.1f lines each", (double)stat[STAT_INST_LINES] / (double)stat[STAT_INST_COUNT]);
        detail(s, row, text);
    }
    text[0] = 0;
    for (unsigned k = 0; k <= LEVEL_COUNT && answered; k++) {
        double share = 100.0 * (double)stat[STAT_INST_ANSWERED + k] / (double)answered;

        if (stat[STAT_INST_ANSWERED + k] && used < sizeof text - 24)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %.0f%%", used ? ", " : "from ",
                                     event_level_key(k), share);
    }
    detail(s, row, text);
    if (conflicts) {
        snprintf(text, sizeof text, "LDS conflicts %s cycles", row_number((double)conflicts, 11, num));
        detail(s, row, text);
    }
}

static void numbers(struct sheet *s, struct row *row, const struct report_code_inst *i)
{
    const uint64_t *v = i->stat;
    double cycles = (double)report_inst_cycles(v);
    char a[32];

    row_add(row, "%11s ", row_number(cycles, 11, a));
    row_add(row, "%5.1f%% ", s->whole > 0 ? 100 * cycles / s->whole : 0);
    row_add(row, "%10s ", row_number((double)v[STAT_INST_EXECUTED], 10, a));
    if (v[STAT_INST_LANES] && v[STAT_INST_EXECUTED])
        row_add(row, "%5.1f ", (double)v[STAT_INST_LANES] / (double)v[STAT_INST_EXECUTED]);
    else
        row_add(row, "%5s ", "");
    if (v[STAT_INST_LATENCIES])
        row_add(row, "%7.1f ", (double)v[STAT_INST_LATENCY_CYCLES] / (double)v[STAT_INST_LATENCIES]);
    else
        row_add(row, "%7s ", "");
    row_add(row, "%7llx ", (unsigned long long)(i->pc_offset != UINT64_MAX ? i->pc_offset : i->pc));
}

/* A stroke for each loop that it lies in, up to three. */
static void strokes(const struct sheet *s, struct row *row, const struct report_code_inst *i)
{
    uint32_t depth = i->loop == REPORT_NONE ? 0 : s->code->loop[i->loop].depth;

    row_add(row, "%.*s", (int)(depth < 3 ? depth : 3), "|||");
    row_to(row, AT_INSTRUCTION);
}

static void one_instruction(struct sheet *s, const struct report_code_inst *i)
{
    struct row row = {.used = 0}, below = {.used = 0};
    double cycles = (double)report_inst_cycles(i->stat);
    char stall[64];

    numbers(s, &row, i);
    strokes(s, &row, i);
    row_add(&row, "%s", i->text);
    if (i->target != REPORT_NONE)
        row_add(&row, " <%llx>", (unsigned long long)s->code->inst[i->target].pc_offset);
    row_stall(i->stat, stall);
    if (row_columns(&row) < AT_STALL) {
        row_to(&row, AT_STALL);
        row_add(&row, "%s", stall);
    } else if (row_columns(&row) + 1 + strlen(stall) <= REPORT_ANNOTATE_COLUMNS) {
        row_add(&row, " %s", stall);
    } else {
        detail(s, &below, stall);
    }
    row_put(s, &row, i->reached ? row_heat(s, cycles) : ROW_NEVER);
    detail_stalls(s, &below, i->stat);
    detail_memory(s, &below, i->stat);
    if (below.used)
        row_put(s, &below, ROW_PLAIN);
}

/* ---- where it comes from ---- */

/* Null is unknown. */
static bool differ(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) != 0 : a != b;
}

/* Columns within a line are not compared, so they do not count. */
static bool same_frames(const struct report_code_inst *a, const struct report_code_inst *b)
{
    if (a->frames != b->frames)
        return false;
    for (uint32_t k = 0; k < a->frames && a->frame != b->frame; k++)
        if (a->frame[k].line != b->frame[k].line || differ(a->frame[k].file, b->frame[k].file) ||
            differ(a->frame[k].function, b->frame[k].function))
            return false;
    return true;
}

/* "softmax.cl:14 in max_f32, inlined at softmax.cl:44 in softmax | return ..." */
static void source_row(struct sheet *s, const struct report_code_inst *i)
{
    const char *text = i->frames ? source_text_line(&s->sources, i->frame[0].file, i->frame[0].line) : NULL;
    struct row row = {.used = 0};
    char place[96];

    for (uint32_t k = 0; k < i->frames; k++) {
        const struct report_frame *f = &i->frame[k];

        row_add(&row, "%s", k ? " <- " : "    ");
        if (f->file && f->line)
            row_add(&row, "%s", source_place(f->file, f->line, place));
        else
            row_add(&row, "?");
        if (f->function && i->frames > 1)
            row_add(&row, " %.60s", f->function);
    }
    if (text)
        row_add(&row, " | %.200s", text);
    row_put(s, &row, ROW_SOURCE);
}

static void loop_row(struct sheet *s, const struct report_loop *l)
{
    struct row row = {.used = 0};
    char a[32], b[32];

    row_add(&row, "    loop to %llx, ", (unsigned long long)s->code->inst[l->last].pc_offset);
    if (l->header != l->first)
        row_add(&row, "entered at %llx, ", (unsigned long long)s->code->inst[l->header].pc_offset);
    row_add(&row, "depth %u: %s iterations", l->depth, report_grouped(l->iterations, a));
    if (l->entries_known && l->entries)
        row_add(&row, ", entered %s times, %.1f each", report_grouped(l->entries, b),
                (double)l->iterations / (double)l->entries);
    row_put(s, &row, ROW_HEAD);
}

/* The loops that begin with an instruction, the outermost first. */
static void loop_rows(struct sheet *s, uint32_t loop, uint32_t inst)
{
    if (loop == REPORT_NONE || s->code->loop[loop].first != inst)
        return;
    loop_rows(s, s->code->loop[loop].parent, inst);
    loop_row(s, &s->code->loop[loop]);
}

static void columns(struct sheet *s)
{
    struct row row = {.used = 0};

    row_add(&row, "%11s %6s %10s %5s %7s %7s", "cycles", "share", "executed", "lanes", "latency", "offset");
    row_to(&row, AT_INSTRUCTION);
    row_add(&row, "instruction");
    row_to(&row, AT_STALL);
    row_add(&row, "largest stall");
    row_put(s, &row, ROW_HEAD);
}

static void function_row(struct sheet *s, const struct report_function *f)
{
    struct row row = {.used = 0};

    row_put(s, &row, ROW_PLAIN);
    row_add(&row, "%s:", *f->plain ? f->plain : "(code without a symbol)");
    row_put(s, &row, ROW_HEAD);
    columns(s);
}

/* ---- all instructions ---- */

struct order {
    double key;
    uint32_t inst;
};

static int by_key(const void *a, const void *b)
{
    const struct order *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? 1 : -1;
    return x->inst < y->inst ? -1 : x->inst > y->inst;
}

static int by_place(const void *a, const void *b)
{
    const struct order *x = a, *y = b;

    return x->inst < y->inst ? -1 : x->inst > y->inst;
}

static double key_of(enum report_sort sort, const uint64_t *v)
{
    switch (sort) {
    case REPORT_SORT_EXECUTED:
        return (double)v[STAT_INST_EXECUTED];
    case REPORT_SORT_LATENCY:
        return v[STAT_INST_LATENCIES] ? (double)v[STAT_INST_LATENCY_CYCLES] / (double)v[STAT_INST_LATENCIES] : 0;
    case REPORT_SORT_STALL:
        return (double)(report_inst_cycles(v) - v[STAT_INST_STALL + STALL_ISSUED]);
    default:
        return (double)report_inst_cycles(v);
    }
}

/* In the order of the code, with what function, loop and line it is. */
static void in_place(struct sheet *s, const struct order *list, size_t n)
{
    const struct report_code *code = s->code;
    const struct report_code_inst *named = NULL; /* whose line has been named last */

    for (size_t k = 0; k < n; k++) {
        const struct report_code_inst *i = &code->inst[list[k].inst],
                                      *before = k ? &code->inst[list[k - 1].inst] : NULL;
        bool first = !before || before->function != i->function;

        if (first)
            function_row(s, &code->function[i->function]);
        loop_rows(s, i->loop, list[k].inst);
        /* what the compiler gave no line stays with the one before it */
        if (i->frames && i->frame[0].line && (first || !named || !same_frames(i, named))) {
            source_row(s, i);
            named = i;
        }
        one_instruction(s, i);
    }
}

static void sorted(struct sheet *s, const struct order *list, size_t n)
{
    struct row row = {.used = 0};

    row_put(s, &row, ROW_PLAIN);
    columns(s);
    for (size_t k = 0; k < n; k++) {
        const struct report_code_inst *i = &s->code->inst[list[k].inst];

        one_instruction(s, i);
        if (i->frames && i->frame[0].line)
            source_row(s, i);
    }
}

/* What is not shown, and the sum, which is the run's. */
static void foot(struct sheet *s, const struct order *list, size_t n)
{
    uint64_t all[STAT_INST_ALL] = {0}, shown[STAT_INST_ALL] = {0};
    struct row row = {.used = 0};
    char a[32];
    double cycles;

    for (size_t k = 0; k < s->code->insts; k++)
        row_sum(all, s->code->inst[k].stat);
    for (size_t k = 0; k < n; k++)
        row_sum(shown, s->code->inst[list[k].inst].stat);
    cycles = (double)(report_inst_cycles(all) - report_inst_cycles(shown));
    row_put(s, &row, ROW_PLAIN);
    if (n < s->code->insts) {
        row_add(&row, "%11s %5.1f%% ", row_number(cycles, 11, a), s->whole > 0 ? 100 * cycles / s->whole : 0);
        row_add(&row, "%10s ", row_number((double)(all[STAT_INST_EXECUTED] - shown[STAT_INST_EXECUTED]), 10, a));
        row_to(&row, AT_INSTRUCTION);
        row_add(&row, "%zu more instructions", s->code->insts - n);
        row_put(s, &row, ROW_PLAIN);
    }
    row_add(&row, "%11s %5.1f%% ", row_number((double)report_inst_cycles(all), 11, a), s->whole > 0 ? 100.0 : 0.0);
    row_add(&row, "%10s ", row_number((double)all[STAT_INST_EXECUTED], 10, a));
    row_to(&row, AT_INSTRUCTION);
    row_add(&row, "all: the %s wave-cycles and instructions", s->a->sum ? "launches'" : "run's");
    row_put(s, &row, ROW_HEAD);
}

void report_write_annotated(FILE *f, const void *annotate)
{
    const struct report_annotate *a = annotate;
    struct sheet s = {.f = f, .a = a, .r = a->r, .code = a->r->code, .whole = a->r->value[STAT_RESIDENT_WAVE_CYCLES]};
    struct order *list = calloc(s.code->insts + 1, sizeof *list);
    size_t n = 0;

    *a->no_memory = !list;
    s.sources.none = a->no_sources;
    annotate_head(&s);
    if (!annotate_tables(&s))
        *a->no_memory = true;
    for (size_t k = 0; list && k < s.code->insts; k++)
        if (row_shown(&s, &s.code->inst[k]))
            list[n++] = (struct order){key_of(a->sort, s.code->inst[k].stat), (uint32_t)k};
    if (list && (a->top || a->sort != REPORT_SORT_PC))
        qsort(list, n, sizeof *list, by_key);
    n = a->top && a->top < n ? a->top : n;
    if (list && a->sort == REPORT_SORT_PC) {
        qsort(list, n, sizeof *list, by_place);
        in_place(&s, list, n);
    } else if (list) {
        sorted(&s, list, n);
    }
    if (list)
        foot(&s, list, n);
    free(list);
    source_texts_free(&s.sources);
}
