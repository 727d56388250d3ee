/* The timeline of a wave's instructions as text, in the manner of llvm-mca: a row for each execution, a column for each
 * cycle or each few cycles. Columns in which nothing changes are left out.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api/analysis.h"

enum { LABEL_COLUMNS = 9, CYCLE_COLUMNS = 68, MAX_ROWS = 120, MAX_CELLS = 1 << 20, RUN_SHOWN = 12, MARK_EVERY = 10 };

/* What a wave that does not issue waits for. */
static char wait_letter(unsigned reason)
{
    if (reason >= STALL_WAIT || reason == STALL_COUNTER_FULL || reason == STALL_DRAIN)
        return 'm';
    switch (reason) {
    case STALL_DEPENDENCY_VALU:
    case STALL_DEPENDENCY_TRANS:
    case STALL_DEPENDENCY_MATRIX:
    case STALL_DEPENDENCY_SALU:
        return 'r';
    case STALL_FETCH:
        return 'f';
    case STALL_BRANCH:
        return 'b';
    case STALL_BARRIER:
    case STALL_NOP:
    case STALL_SLEEP:
    case STALL_LAUNCH:
        return 'h';
    case STALL_ARBITRATION:
    case STALL_ISSUED:
        return '.';
    default:
        return 'u';
    }
}

struct grid {
    const struct gcnsim_analysis *a;
    size_t from, rows, columns;
    cycle_t start;
    uint32_t scale; /* cycles of a column */
    char *cell;     /* of row r: from r * columns on */
};

/* Letters that say more win where several fall into a column. */
static void put(const struct grid *g, size_t row, cycle_t at, char c)
{
    static const char rank[] = ".hbfumr=eEI";
    size_t column = at < g->start ? g->columns : (size_t)((at - g->start) / g->scale);
    char *cell;

    if (column >= g->columns)
        return;
    cell = &g->cell[row * g->columns + column];
    if (*cell == ' ' || strchr(rank, c) > strchr(rank, *cell))
        *cell = c;
}

static void put_run(const struct grid *g, size_t row, cycle_t from, cycle_t to, char c)
{
    cycle_t end = g->start + (cycle_t)g->columns * g->scale;

    for (cycle_t at = from < g->start ? g->start : from; at < to && at < end; at++)
        put(g, row, at, c);
}

static void fill_row(const struct grid *g, size_t row)
{
    const struct analysis_step *s = &g->a->step[g->from + row];

    for (uint32_t k = 0; k < s->stalls; k++) {
        const struct analysis_stall *w = &g->a->stall[s->stall + k];

        put_run(g, row, w->from, w->to < s->at ? w->to : s->at, wait_letter(w->reason));
    }
    put(g, row, s->at, 'I');
    if (!s->done)
        return;
    put_run(g, row, s->at + 1, s->begin, '=');
    put_run(g, row, s->begin > s->at ? s->begin : s->at + 1, s->done, 'e');
    put(g, row, s->done, 'E');
}

static bool same_column(const struct grid *g, size_t x, size_t y)
{
    for (size_t r = 0; r < g->rows; r++)
        if (g->cell[r * g->columns + x] != g->cell[r * g->columns + y])
            return false;
    return true;
}

/* The columns that are shown; SIZE_MAX: a gap. */
static size_t choose_columns(const struct grid *g, size_t shown[CYCLE_COLUMNS])
{
    size_t n = 0;

    for (size_t c = 0; c < g->columns && n < CYCLE_COLUMNS;) {
        size_t run = 1;

        while (c + run < g->columns && same_column(g, c, c + run))
            run++;
        if (run > RUN_SHOWN && n + 3 <= CYCLE_COLUMNS) {
            shown[n++] = c;
            shown[n++] = SIZE_MAX;
            shown[n++] = c + run - 1;
        } else {
            for (size_t k = 0; k < run && n < CYCLE_COLUMNS; k++)
                shown[n++] = c + k;
        }
        c += run;
    }
    return n;
}

static void write_ruler(FILE *f, const struct grid *g, const size_t *shown, size_t count)
{
    char line[CYCLE_COLUMNS + 24];
    size_t used = 0;

    memset(line, ' ', sizeof line);
    for (size_t k = 0; k < count; k++) {
        char number[24];

        if (shown[k] == SIZE_MAX || k < used || (k && used && k < used + 1) ||
            (k % MARK_EVERY && shown[k - 1] != SIZE_MAX))
            continue;
        int n = snprintf(number, sizeof number, "%" PRIu64, (uint64_t)shown[k] * g->scale);
        if (k + (size_t)n > CYCLE_COLUMNS)
            break;
        memcpy(line + k, number, (size_t)n);
        used = k + (size_t)n;
    }
    while (used && line[used - 1] == ' ')
        used--;
    fprintf(f, "%-*s%.*s\n", LABEL_COLUMNS, "cycle", (int)used, line);
}

static void write_grid(FILE *f, const struct grid *g, unsigned columns)
{
    size_t shown[CYCLE_COLUMNS], count = choose_columns(g, shown);
    uint32_t first = g->a->step[g->from].iteration;

    write_ruler(f, g, shown, count);
    cycle_t end = g->start + (count ? (cycle_t)(shown[count - 1] + 1) * g->scale : 0);
    size_t r = 0;

    for (; r < g->rows && g->a->step[g->from + r].at < end; r++) {
        const struct analysis_step *s = &g->a->step[g->from + r];
        char label[32], line[CYCLE_COLUMNS + 1];

        snprintf(label, sizeof label, "[%" PRIu32 ",%" PRIu32 "]", s->iteration - first, s->inst);
        for (size_t k = 0; k < count; k++)
            line[k] = shown[k] == SIZE_MAX ? '~' : g->cell[r * g->columns + shown[k]];
        line[count] = 0;
        fprintf(f, "%-*s%s  %.*s\n", LABEL_COLUMNS, label, line, (int)(columns - LABEL_COLUMNS - count - 2),
                g->a->inst[s->inst].text);
    }
    if (count && shown[count - 1] + 1 < g->columns)
        fprintf(f, "%*s(%" PRIu64 " more cycles and %zu more rows do not fit)\n", LABEL_COLUMNS, "",
                (uint64_t)(g->columns - (shown[count - 1] + 1)) * g->scale, g->rows - r);
}

void analysis_write_timeline(FILE *f, const struct gcnsim_analysis *a, uint32_t iterations, unsigned columns)
{
    struct grid g = {.a = a, .scale = a->issue_interval > 1 ? (uint32_t)a->issue_interval : 1};
    cycle_t end = 0;
    size_t to;

    analysis_last_pass(a, &g.from, &to);
    if (g.from >= to)
        return;
    while (g.from + g.rows < to && g.rows < MAX_ROWS &&
           a->step[g.from + g.rows].iteration - a->step[g.from].iteration < iterations) {
        const struct analysis_step *s = &a->step[g.from + g.rows++];

        end = s->done > end ? s->done : end;
        end = s->at > end ? s->at : end;
    }
    g.start = a->step[g.from].at;
    g.columns = (size_t)((end - g.start) / g.scale) + 1;
    if (g.columns > MAX_CELLS / g.rows)
        g.columns = MAX_CELLS / g.rows;
    g.cell = malloc(g.rows * g.columns);
    if (!g.cell)
        return;
    memset(g.cell, ' ', g.rows * g.columns);
    for (size_t r = 0; r < g.rows; r++)
        fill_row(&g, r);
    fprintf(f, "\ntimeline of one wave alone: [iteration,instruction], %s\n\n",
            g.scale > 1 ? "four cycles to a column" : "a cycle to a column");
    write_grid(f, &g, columns);
    fputs("\n  I issue   = in its queue   e executes   E result or data is there   ~ nothing changes\n"
          "  not issued: r awaits a result   m memory   u unit or queue busy   f fetch   b branch   h held   . slot\n",
          f);
    free(g.cell);
}
