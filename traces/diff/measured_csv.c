/* Measured runs out of tables of statistics: CSV by RFC 4180. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "traces/diff/measured.h"

enum { MAX_FIELDS = 128, MAX_LINE_BYTES = 1 << 20 };

enum column { OBJECT, VADDR, INSTRUCTION, HITS, LATENCY, STALL, IDLE, SOURCE, COLUMNS };
static const char *const column_name[COLUMNS] = {"CodeObj", "Vaddr", "Instruction", "Hitcount",
                                                 "Latency", "Stall", "Idle",        "Source"};

struct table {
    FILE *f;
    const char *name;
    struct err *e;
    uint64_t line; /* number of the record's last one */
    char *text;    /* of the record: its fields, each with an end */
    size_t size, room;
    char *field[MAX_FIELDS];
    size_t fields;
    size_t column[COLUMNS]; /* which field; SIZE_MAX: none */
    bool failed;
};

static void bad(struct table *t, const char *what, const char *expected)
{
    if (!t->failed)
        err_set(t->e, ERR_FORMAT, "%s: line %llu: %s; expected %s", t->name, (unsigned long long)t->line, what,
                expected);
    t->failed = true;
}

static void append_char(struct table *t, int c)
{
    if (t->size == t->room) {
        size_t room = t->room ? t->room * 2 : 1024;
        char *more = room <= MAX_LINE_BYTES ? realloc(t->text, room) : NULL;

        if (!more) {
            bad(t, "a line of more than 1 MiB, or out of host memory", "shorter ones");
            return;
        }
        t->text = more;
        t->room = room;
    }
    t->text[t->size++] = (char)c;
}

/* Reads a field up to what ends it, which is returned. */
static int read_field(struct table *t)
{
    int c = getc(t->f);

    if (c == '"') {
        for (;;) {
            c = getc(t->f);
            if (c == '"' && (c = getc(t->f)) != '"')
                break;
            if (c == EOF || t->failed) {
                bad(t, "a field without an end", "'\"'");
                return EOF;
            }
            t->line += c == '\n';
            append_char(t, c);
        }
    } else {
        for (; c != EOF && c != ',' && c != '\n' && c != '\r' && !t->failed; c = getc(t->f))
            append_char(t, c);
    }
    if (c == '\r' && (c = getc(t->f)) != '\n') {
        ungetc(c, t->f);
        c = '\n';
    }
    append_char(t, 0);
    if (c != ',' && c != '\n' && c != EOF)
        bad(t, "something behind the end of a field", "','");
    return c;
}

/* The next record; false at the end, and after an error. */
static bool read_record(struct table *t)
{
    size_t at[MAX_FIELDS];
    int c;

    do { /* lines without anything are skipped */
        t->size = t->fields = 0;
        t->line++;
        do {
            if (t->fields == MAX_FIELDS) {
                bad(t, "too many fields", "at most 128");
                return false;
            }
            at[t->fields++] = t->size;
            c = read_field(t);
        } while (c == ',' && !t->failed);
        if (t->failed || (c == EOF && t->fields == 1 && t->size == 1))
            return false;
    } while (t->fields == 1 && t->size == 1);
    for (size_t k = 0; k < t->fields; k++)
        t->field[k] = t->text + at[k];
    return true;
}

static void read_header(struct table *t)
{
    char expected[200] = "";

    if (!read_record(t)) {
        bad(t, "no lines", "a table of CodeObj,Vaddr,Instruction,...");
        return;
    }
    for (unsigned c = 0; c < COLUMNS; c++) {
        t->column[c] = SIZE_MAX;
        for (size_t k = 0; k < t->fields; k++)
            if (strcasecmp(t->field[k], column_name[c]) == 0)
                t->column[c] = k;
        if (t->column[c] == SIZE_MAX && c != OBJECT && c != SOURCE) {
            snprintf(expected, sizeof expected, "columns CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source");
            bad(t, "no thread trace statistics: a column is missing", expected);
        }
    }
}

static const char *text_of(const struct table *t, enum column c)
{
    return t->column[c] < t->fields ? t->field[t->column[c]] : "";
}

static uint64_t number_of(struct table *t, enum column c)
{
    const char *text = text_of(t, c);
    char *end, what[100];

    if (t->column[c] == SIZE_MAX)
        return 0;
    uint64_t n = strtoull(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
    if (end == text || *end || *text == '-') {
        snprintf(what, sizeof what, "'%.60s' as %s", text, column_name[c]);
        bad(t, what, "a number");
    }
    return n;
}

int measured_read_csv(struct measured *m, FILE *f, const char *name, struct err *e)
{
    struct table t = {.f = f, .name = name, .e = e};

    read_header(&t);
    while (!t.failed && read_record(&t)) {
        struct measured_row row = {.object = number_of(&t, OBJECT),
                                   .vaddr = number_of(&t, VADDR),
                                   .text = (char *)(uintptr_t)text_of(&t, INSTRUCTION),
                                   .source = (char *)(uintptr_t)text_of(&t, SOURCE),
                                   .hits = number_of(&t, HITS),
                                   .latency = number_of(&t, LATENCY),
                                   .stall = number_of(&t, STALL),
                                   .idle = number_of(&t, IDLE)};

        if (!t.failed && !measured_add(m, &row, name, e))
            t.failed = true;
    }
    free(t.text);
    return t.failed ? -1 : 0;
}
