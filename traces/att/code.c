/* The code of a thread trace: functions and rows, line numbers, code.json and the statistics table. */
#define _GNU_SOURCE
#include "traces/att/code.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/util/csv_put.h"
#include "sim/util/json_put.h"

void att_code_init(struct att_code *c, const struct trace_job *job)
{
    *c = (struct att_code){.job = job};
}

void att_code_free(struct att_code *c)
{
    for (size_t k = 0; k < c->rows; k++) {
        free(c->row[k].text);
        free(c->row[k].source);
    }
    for (size_t k = 0; k < c->functions; k++) {
        free(c->function[k].name);
        free(c->function[k].demangled);
        free(c->function[k].at);
    }
    free(c->row);
    free(c->function);
}

static void *room_for(struct att_code *c, void *array, size_t *room, size_t count, size_t bytes)
{
    if (count < *room)
        return array;
    size_t more = *room ? *room * 2 : 64;
    void *grown = realloc(array, more * bytes);

    if (grown)
        *room = more;
    else
        c->no_memory = true;
    return grown;
}

static char *copy_text(struct att_code *c, const char *text)
{
    char *copy = strdup(text);

    c->no_memory |= !copy;
    return copy;
}

/* One instruction; its size in bytes, 0 when there is none or out of host memory. */
static uint32_t add_row(struct att_code *c, gaddr_t pc)
{
    struct trace_inst i = {.size = 4, .text = ""};
    struct att_row *grown = room_for(c, c->row, &c->row_room, c->rows, sizeof *grown);

    if (!grown)
        return 0;
    c->row = grown;
    memset(i.wait, TRACE_NO_WAIT, sizeof i.wait);
    if (!c->job->code->instruction(c->job->code->ctx, pc, &i) || !i.size)
        return 0;
    struct att_row *r = &c->row[c->rows++];
    *r = (struct att_row){.pc = pc,
                          .text = copy_text(c, i.text),
                          .source = copy_text(c, i.source ? i.source : ""),
                          .line = c->next_line++,
                          .size = i.size,
                          .kind = i.kind,
                          .raises = i.raises,
                          .out_of_order = i.out_of_order};
    memcpy(r->wait, i.wait, sizeof r->wait);
    for (unsigned k = 0; k < WAIT_COUNT; k++)
        r->waits |= i.wait[k] != TRACE_NO_WAIT;
    return c->no_memory ? 0 : i.size;
}

/* The rows of a function, and where in it they begin. */
static void add_rows(struct att_code *c, struct att_function *f)
{
    uint64_t dwords = (f->size + 3) / 4;

    f->first = c->rows;
    f->at = calloc(dwords ? dwords : 1, sizeof *f->at);
    c->no_memory |= !f->at;
    for (uint64_t at = 0; at < f->size && !c->no_memory;) {
        uint32_t size = add_row(c, f->entry + at);

        if (size)
            f->at[at / 4] = (uint32_t)(c->rows - f->first);
        at += size ? size : 4;
    }
    f->count = c->rows - f->first;
}

static bool add_function(struct att_code *c, gaddr_t pc)
{
    struct trace_function about = {.entry = pc, .size = 4};
    struct att_function *grown = room_for(c, c->function, &c->function_room, c->functions, sizeof *grown);
    bool known = grown && c->job->code->function(c->job->code->ctx, pc, &about);

    if (!grown)
        return false;
    c->function = grown;
    struct att_function *f = &c->function[c->functions++];
    *f = (struct att_function){.entry = known ? about.entry : pc, .size = known ? about.size : 4};
    c->last = c->functions - 1;
    if (known) {
        f->name = copy_text(c, about.name);
        f->demangled = copy_text(c, about.demangled);
        f->line = c->next_line++;
    } else if (!c->next_line) {
        c->next_line = 1;
    }
    add_rows(c, f);
    return !c->no_memory;
}

static bool holds(const struct att_function *f, gaddr_t pc)
{
    return pc >= f->entry && pc - f->entry < f->size;
}

static size_t row_in(const struct att_function *f, gaddr_t pc)
{
    uint32_t at = (pc - f->entry) % 4 || !f->at ? 0 : f->at[(pc - f->entry) / 4];

    return at ? f->first + at - 1 : SIZE_MAX;
}

size_t att_code_at(struct att_code *c, gaddr_t pc)
{
    size_t row = SIZE_MAX;

    if (c->no_memory)
        return SIZE_MAX;
    if (c->functions && holds(&c->function[c->last], pc))
        row = row_in(&c->function[c->last], pc);
    for (size_t k = 0; row == SIZE_MAX && k < c->functions; k++)
        if (holds(&c->function[k], pc) && (row = row_in(&c->function[k], pc)) != SIZE_MAX)
            c->last = k;
    if (row == SIZE_MAX && add_function(c, pc))
        row = row_in(&c->function[c->last], pc);
    return row;
}

uint64_t att_code_vaddr(const struct att_code *c, gaddr_t pc)
{
    return pc - c->job->load_base + c->job->base_vaddr;
}

/* ---- files ---- */

static void json_row(struct json_put *j, const char *text, uint32_t line, const char *source, uint64_t vaddr,
                     const struct att_row *counts)
{
    json_put(j, "\n[%s, 0, %u, %s, 1, %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 "]", text, line,
             source, vaddr, counts->hits, counts->latency, counts->stall, counts->idle);
}

void att_code_json(FILE *f, const struct att_code *c)
{
    struct json_put j = {.f = f, .compact = true};

    json_put(&j, "{code: [");
    for (size_t k = 0; k < c->functions; k++) {
        const struct att_function *n = &c->function[k];
        char *name;

        if (n->name) {
            if (asprintf(&name, "; %s", n->name) < 0)
                name = NULL;
            json_row(&j, name ? name : "; ", n->line, n->demangled, att_code_vaddr(c, n->entry), &(struct att_row){0});
            free(name);
        }
        for (size_t r = n->first; r < n->first + n->count; r++)
            json_row(&j, c->row[r].text, c->row[r].line, c->row[r].source, att_code_vaddr(c, c->row[r].pc), &c->row[r]);
    }
    json_put(&j, "],\nversion: %s,\nheader: %s}\n", "3.0.0",
             "ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle");
}

static int by_entry(const void *a, const void *b)
{
    const struct att_function *const *x = a, *const *y = b;

    return (*x)->entry < (*y)->entry ? -1 : (*x)->entry > (*y)->entry;
}

void att_code_csv(FILE *f, const struct att_code *c)
{
    const struct att_function **order = malloc((c->functions + 1) * sizeof *order);

    for (size_t k = 0; order && k < c->functions; k++)
        order[k] = &c->function[k];
    if (order)
        qsort(order, c->functions, sizeof *order, by_entry);
    fputs("CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source\n", f);
    for (size_t k = 0; k < c->functions; k++) {
        const struct att_function *n = order ? order[k] : &c->function[k];

        if (n->name) {
            fprintf(f, "1,%" PRIu64 ",", att_code_vaddr(c, n->entry));
            fputs("\"; ", f);
            csv_put_text(f, n->name);
            fputc('"', f);
            fputs(",0,0,0,0,", f);
            csv_put_field(f, n->demangled);
            fputc('\n', f);
        }
        for (size_t r = n->first; r < n->first + n->count; r++) {
            const struct att_row *row = &c->row[r];

            fprintf(f, "1,%" PRIu64 ",", att_code_vaddr(c, row->pc));
            csv_put_field(f, row->text);
            fprintf(f, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", row->hits, row->latency, row->stall,
                    row->idle);
            csv_put_field(f, row->source);
            fputc('\n', f);
        }
    }
    free(order);
}
