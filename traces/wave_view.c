/* One wave over time as text. */
#define _GNU_SOURCE
#include "traces/wave_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROWS   ((size_t)1 << 18) /* kept of a wave; the others are counted */
#define STRIP      48                /* columns of time */
#define PAGE_ROWS  20
#define LEAST_LEAD 8 /* cycles */
#define MIN_FOLD   3 /* iterations that are worth one line */

struct wait {
    cycle_t from, until;
    uint8_t reason;
};

struct row {
    gaddr_t pc;
    cycle_t issued, done; /* done 0: unknown */
    size_t wait;          /* the first of its waits, which go up to the next row's */
    uint32_t waited;      /* cycles */
    uint8_t level;        /* that answered; UINT8_MAX: none did */
};

struct wave_view {
    uint64_t group;
    uint16_t number;
    struct row *row;
    struct wait *waits;
    size_t rows, row_room, wait_count, wait_room;
    uint64_t left_out, seen; /* instructions not kept, executed */
    cycle_t launched, ended;
    bool resident, waiting, no_memory;
    uint32_t waited;               /* since the last issue */
    size_t first_wait;             /* of these */
    const char *key[256];          /* of reasons that were met */
    uint8_t mark[256];             /* enum stall_mark, likewise */
    uint64_t cycles[256], issuing; /* of the wave by reason */
};

/* Collecting ------------------------------------------------------------------------------------------------------- */

struct wave_view *wave_view_new(uint64_t group, uint16_t wave)
{
    struct wave_view *v = calloc(1, sizeof *v);

    if (v) {
        v->group = group;
        v->number = wave;
    }
    return v;
}

void wave_view_free(struct wave_view *v)
{
    if (!v)
        return;
    free(v->row);
    free(v->waits);
    free(v);
}

static bool grow(void **array, size_t *room, size_t count, size_t bytes)
{
    size_t want = *room ? 2 * *room : 256;
    void *more;

    if (count < *room)
        return true;
    more = realloc(*array, want * bytes);
    if (!more)
        return false;
    *array = more;
    *room = want;
    return true;
}

static void end_wait(struct wave_view *v, cycle_t at)
{
    struct wait *w = v->wait_count ? &v->waits[v->wait_count - 1] : NULL;

    if (!v->waiting || !w)
        return;
    w->until = at;
    v->waited += (uint32_t)(at - w->from);
    v->cycles[w->reason] += at - w->from;
    v->waiting = false;
}

static void begin_wait(struct wave_view *v, const struct event *e)
{
    v->key[e->stall.reason] = e->stall.key;
    v->mark[e->stall.reason] = e->stall.mark;
    if (v->rows == MAX_ROWS) /* its cycles count all the same: the last one is used again */
        v->wait_count -= v->wait_count > v->first_wait;
    if (!grow((void **)&v->waits, &v->wait_room, v->wait_count, sizeof *v->waits)) {
        v->no_memory = true;
        return;
    }
    v->waits[v->wait_count++] = (struct wait){.from = e->at, .reason = e->stall.reason};
    v->waiting = true;
}

static void issue(struct wave_view *v, const struct event *e)
{
    end_wait(v, e->at);
    v->seen++;
    if (v->rows == MAX_ROWS || !grow((void **)&v->row, &v->row_room, v->rows, sizeof *v->row)) {
        v->left_out++;
    } else {
        v->row[v->rows++] = (struct row){.pc = e->pc,
                                         .issued = e->at,
                                         .done = e->issue.result_cycles ? e->at + e->issue.result_cycles : 0,
                                         .wait = v->first_wait,
                                         .waited = v->waited,
                                         .level = UINT8_MAX};
    }
    v->first_wait = v->wait_count;
    v->waited = 0;
}

void wave_view_forget(struct wave_view *v)
{
    if (!v->rows)
        return;
    struct row *last = &v->row[v->rows - 1];
    size_t first = last->wait;
    v->wait_count -= first;
    v->first_wait -= first;
    if (v->wait_count)
        memmove(v->waits, v->waits + first, v->wait_count * sizeof *v->waits);
    v->row[0] = *last;
    v->row[0].wait = 0;
    v->rows = 1;
}

/* The row that issued in a cycle; null: it is not kept. */
static struct row *row_of(const struct wave_view *v, const struct event *e)
{
    for (size_t k = v->rows; k-- > 0 && v->row[k].issued >= e->complete.issued;)
        if (v->row[k].issued == e->complete.issued && v->row[k].pc == e->pc)
            return &v->row[k];
    return NULL;
}

/* Another launch of the same code, as a sequence has that is given memory: what is known is of the last one. */
static void restart(struct wave_view *v)
{
    v->rows = v->wait_count = v->first_wait = 0;
    v->left_out = v->seen = 0;
    v->ended = 0;
    v->waiting = false;
    v->waited = 0;
    memset(v->cycles, 0, sizeof v->cycles);
}

static void take_one(struct wave_view *v, const struct event *e)
{
    struct row *r;

    switch (e->kind) {
    case EVENT_WAVE_LAUNCH:
        restart(v);
        v->resident = true;
        v->launched = e->at;
        break;
    case EVENT_WAVE_END:
        v->ended = e->at;
        v->resident = false;
        break;
    case EVENT_ISSUE:
        issue(v, e);
        break;
    case EVENT_STALL_BEGIN:
        begin_wait(v, e);
        break;
    case EVENT_STALL_END:
        end_wait(v, e->at);
        break;
    case EVENT_COMPLETE:
        if ((r = row_of(v, e))) {
            r->done = e->at;
            r->level = e->complete.requested ? e->level : UINT8_MAX;
        }
        break;
    }
    v->ended = v->ended < e->at ? e->at : v->ended;
}

static void take_events(void *ctx, const struct event *e, size_t count)
{
    struct wave_view *v = ctx;

    for (; count--; e++)
        if (e->group == v->group && e->wave == v->number)
            take_one(v, e);
}

struct event_consumer wave_view_consumer(struct wave_view *v)
{
    return (struct event_consumer){.kinds = EVENT_BIT(EVENT_WAVE_LAUNCH) | EVENT_BIT(EVENT_WAVE_END) |
                                            EVENT_BIT(EVENT_ISSUE) | EVENT_BIT(EVENT_STALL_BEGIN) |
                                            EVENT_BIT(EVENT_STALL_END) | EVENT_BIT(EVENT_COMPLETE),
                                   .ctx = v,
                                   .take = take_events};
}

/* Loops ------------------------------------------------------------------------------------------------------------ */

/* Row k is followed by a jump back. */
static bool jumps_back(const struct wave_view *v, size_t k)
{
    return k + 1 < v->rows && v->row[k + 1].pc <= v->row[k].pc;
}

/* When rows from `begin` on are the second and later iterations of a loop without loops in it: how many of them come to
 * their jump back to where they began, and the end of the last of these. */
static size_t iterations_from(const struct wave_view *v, size_t begin, size_t *end)
{
    size_t count = 0;

    if (!begin || !jumps_back(v, begin - 1))
        return 0;
    for (size_t k = begin; k < v->rows; k++)
        if (jumps_back(v, k)) {
            if (v->row[k + 1].pc != v->row[begin].pc)
                break;
            *end = k + 1;
            count++;
        }
    return count;
}

/* Text ------------------------------------------------------------------------------------------------------------- */

static const struct {
    char letter;
    const char *about;
} marks[STALL_MARK_COUNT + 1] = {
#define X(E, LETTER, ABOUT) [STALL_MARK_##E] = {LETTER, ABOUT},
    STALL_MARKS(X)
#undef X
        [STALL_MARK_NONE] = {'o', ""},
};

struct page {
    cycle_t from, step;
};

static void paint(char *strip, const struct page *p, cycle_t from, cycle_t until, char mark)
{
    for (size_t k = 0; k < STRIP; k++) {
        cycle_t at = p->from + k * p->step;

        if (at + p->step > from && at < until)
            strip[k] = mark;
    }
}

static void put_mark(char *strip, const struct page *p, cycle_t at, char mark)
{
    if (at >= p->from && (at - p->from) / p->step < STRIP)
        strip[(at - p->from) / p->step] = mark;
}

static void put_source(FILE *f, const struct timeline_code *code, gaddr_t pc, char *last, size_t size)
{
    struct timeline_place at = {0};
    char text[100];
    const char *slash;

    if (!code->place || !code->place(code->ctx, pc, &at))
        return;
    slash = strrchr(at.file, '/');
    snprintf(text, sizeof text, "%.80s:%" PRIu32, slash ? slash + 1 : at.file, at.line);
    if (strcmp(text, last) != 0)
        fprintf(f, "%*s%s\n", 26 + STRIP, "", text);
    snprintf(last, size, "%s", text);
}

struct show {
    const struct wave_view *v;
    const struct timeline_code *code;
    const struct wave_view_style *style;
    cycle_t base; /* that cycles count from */
};

static const char *label_of(const struct show *s, size_t n, char out[WAVE_VIEW_LABEL])
{
    if (s->style->label)
        s->style->label(s->style->ctx, n, out);
    else
        snprintf(out, WAVE_VIEW_LABEL, "%zu", n);
    return out;
}

static void put_row(FILE *f, const struct show *s, size_t n, const struct page *p)
{
    const struct wave_view *v = s->v;
    const struct timeline_code *code = s->code;
    const struct row *r = &v->row[n];
    cycle_t begins = s->style->begins ? s->style->begins(s->style->ctx, n) : r->issued;
    char label[WAVE_VIEW_LABEL];
    size_t waits = n + 1 < v->rows ? v->row[n + 1].wait : v->wait_count;
    char strip[STRIP + 1], text[200] = "", answer[16] = "";

    memset(strip, ' ', STRIP);
    strip[STRIP] = 0;
    for (size_t k = r->wait; k < waits; k++)
        if (v->waits[k].from < r->issued)
            paint(strip, p, v->waits[k].from, v->waits[k].until, marks[v->mark[v->waits[k].reason]].letter);
    if (r->issued - r->waited < p->from && strip[0] != ' ')
        strip[0] = '<';
    if (r->done > r->issued) {
        paint(strip, p, r->issued, begins, '-');
        paint(strip, p, begins, r->done, '=');
        put_mark(strip, p, r->done, 'R');
        if (r->done >= p->from + STRIP * p->step)
            strip[STRIP - 1] = '>';
    }
    put_mark(strip, p, r->issued, 'I');
    code->text(code->ctx, r->pc, text, sizeof text);
    if (r->level != UINT8_MAX)
        snprintf(answer, sizeof answer, " [%s]", event_level_key(r->level));
    fprintf(f, "%6s %10" PRIu64 " %6" PRIu32 " |%s| %.*s%s\n", label_of(s, n, label), r->issued - s->base, r->waited,
            strip, (int)(120 - 28 - STRIP - strlen(answer)), text, answer);
}

/* A page: what fits the strip from its first wait to its last issue. */
static void put_page(FILE *f, const struct show *s, size_t from, size_t end)
{
    const struct wave_view *v = s->v;
    const struct row *r = &v->row[from];
    cycle_t last = v->row[end - 1].issued + 1, rest = last - r->issued;
    /* a long first wait is cut, so that the rest of the page can be told apart */
    cycle_t lead = r->waited < LEAST_LEAD || r->waited < rest ? r->waited : rest / 2 + LEAST_LEAD;
    struct page p = {.from = r->issued - lead};
    char source[120] = "", head[STRIP + 1];

    if (s->style->from_first && p.from < s->base)
        p.from = s->base;
    p.step = (last - p.from + STRIP - 1) / STRIP;
    p.step = p.step ? p.step : 1;
    if (s->style->step)
        p.step = (p.step + s->style->step - 1) / s->style->step * s->style->step;
    memset(head, '-', STRIP);
    head[STRIP] = 0;
    for (size_t k = 0; k < STRIP; k += 10)
        head[k] = '+';
    fprintf(f, "\n%6s %10s %6s +%s+ from cycle %" PRIu64 ", %" PRIu64 " a column\n", "row", "issued at", "waited", head,
            p.from - s->base, p.step);
    for (size_t k = from; k < end; k++) {
        put_source(f, s->code, v->row[k].pc, source, sizeof source);
        put_row(f, s, k, &p);
    }
}

static void put_fold(FILE *f, const struct show *s, size_t from, size_t end, size_t iterations)
{
    cycle_t cycles = s->v->row[end - 1].issued - s->v->row[from - 1].issued;
    char first[WAVE_VIEW_LABEL], last[WAVE_VIEW_LABEL];

    fprintf(f, "%6s %zu iterations more, rows %s to %s: %" PRIu64 " cycles, %.1f each\n", "...", iterations,
            label_of(s, from, first), label_of(s, end - 1, last), cycles, (double)cycles / (double)iterations);
}

/* Whether row k comes so late after those of its page that they would lie in one column. */
static bool is_far(const struct wave_view *v, size_t page, size_t k)
{
    return v->row[k].waited > 64 && v->row[k].waited > 4 * (v->row[k - 1].issued - v->row[page].issued);
}

size_t wave_view_rows(FILE *f, const struct wave_view *v, size_t first, size_t rows, const struct timeline_code *code,
                      const struct wave_view_style *style)
{
    const struct show s = {v, code, style, style->from_first && first < v->rows ? v->row[first].issued : v->launched};
    size_t k = first, page = first, shown = 0, last = style->end && style->end < v->rows ? style->end : v->rows;

    while (k < last && shown < rows) {
        size_t end = k, iterations = iterations_from(v, k, &end);

        if (iterations >= MIN_FOLD) { /* what comes after them is the last iteration */
            if (page < k)
                put_page(f, &s, page, k);
            put_fold(f, &s, k, end, iterations);
            k = page = end;
        }
        k++;
        shown++;
        if (k - page == PAGE_ROWS || (k < last && is_far(v, page, k))) {
            put_page(f, &s, page, k);
            page = k;
        }
    }
    if (page < k)
        put_page(f, &s, page, k);
    return k;
}

/* Whether one of the rows waited for what a mark stands for. */
static bool is_met(const struct wave_view *v, size_t first, size_t rows, cycle_t since, enum stall_mark mark)
{
    size_t end = first < v->rows && rows < v->rows - first ? v->row[first + rows].wait : v->wait_count;

    if (first >= v->rows) /* of a wave so long that they are not kept, or without memory */
        return false;
    for (size_t k = v->row[first].wait; k < end; k++)
        if (v->mark[v->waits[k].reason] == mark && v->waits[k].until > since && v->waits[k].until > v->waits[k].from)
            return true;
    return false;
}

void wave_view_legend(FILE *f, const struct wave_view *v, size_t first, size_t rows,
                      const struct wave_view_style *style)
{
    cycle_t since = style->from_first && first < v->rows ? v->row[first].issued : 0; /* that is shown */
    size_t column = 0;

    fprintf(f, "I issues,%s = executes, R its result is there, [level] that answered",
            style->begins ? " - is in its unit's queue," : "");
    for (unsigned k = 0; k < STALL_MARK_COUNT; k++) {
        if (!is_met(v, first, rows, since, k))
            continue;
        const char *before = !column ? "; waits for\n" : ", ";
        column += 4 + strlen(marks[k].about);
        fprintf(f, "%s%c %s", column > 110 ? ",\n" : before, marks[k].letter, marks[k].about);
        column = column > 110 ? 4 + strlen(marks[k].about) : column;
    }
    fputs("\n", f);
}

static void put_cycles(FILE *f, const struct wave_view *v)
{
    uint64_t waited = 0, all = v->ended - v->launched;

    for (unsigned n = 0; n < 256; n++)
        waited += v->cycles[n];
    fprintf(f, "%" PRIu64 " instructions in %" PRIu64 " cycles: %" PRIu64 " issued", v->seen, all, all - waited);
    for (unsigned n = 0; n < 256; n++)
        if (v->cycles[n])
            fprintf(f, ",\n  %" PRIu64 " %s", v->cycles[n], v->key[n]);
    fputs("\n", f);
}

static void put_rest(FILE *f, const struct wave_view *v, size_t from)
{
    if (from < v->rows || v->left_out)
        fprintf(f, "\n%" PRIu64 " instructions more, from row %zu on\n", (uint64_t)(v->rows - from) + v->left_out,
                from);
}

char *wave_view_text(const struct wave_view *v, const char *title, uint64_t first, uint64_t rows,
                     const struct timeline_code *code)
{
    static const struct wave_view_style plain = {0};
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    if (!f)
        return NULL;
    fprintf(f, "wave %u of workgroup %" PRIu64 " of %s", v->number, v->group, title);
    if (!v->seen) {
        fputs(": no such wave has run\n", f);
    } else {
        fprintf(f, ", launched in cycle %" PRIu64 "%s\n", v->launched, v->resident ? ", still resident" : "");
        put_cycles(f, v);
        wave_view_legend(f, v, 0, SIZE_MAX, &plain);
        if (first < v->rows)
            put_rest(f, v,
                     wave_view_rows(f, v, (size_t)first, rows < SIZE_MAX ? (size_t)rows : SIZE_MAX, code, &plain));
        else
            fprintf(f, "\nrow %" PRIu64 ": there are %zu\n", first, v->rows);
    }
    if (v->no_memory)
        fputs("out of host memory for all of it\n", f);
    return fclose(f) == 0 ? text : NULL;
}
