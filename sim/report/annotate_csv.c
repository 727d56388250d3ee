/* The instructions of a run as the statistics table of rocprofv3's thread traces has them, with a column for each stall
 * reason behind (docs/ANNOTATE.md), and as a part of the JSON report. */
#include <inttypes.h>
#include <string.h>

#include "sim/report/annotate.h"

/* ---- CSV ---- */

/* A field in quotes, those in it doubled. */
static void quoted(FILE *f, const char *text)
{
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', f);
        fputc(*text, f);
    }
}

static void csv_source(FILE *f, const struct report_code_inst *i)
{
    bool any = false;

    for (uint32_t k = 0; k < i->frames; k++)
        if (i->frame[k].file && i->frame[k].line) {
            fputs(any ? " -> " : "", f);
            quoted(f, i->frame[k].file);
            fprintf(f, ":%" PRIu32, i->frame[k].line);
            any = true;
        }
}

static void csv_instruction(FILE *f, const struct report_instructions_csv *csv, const struct report_code_inst *i)
{
    const struct report *r = csv->r;
    uint64_t time[STALL_TIMES] = {0}, own;
    bool memory = i->stat[STAT_INST_COUNT] || i->stat[STAT_INST_LDS_COUNT];

    for (unsigned k = 0; k < STALL_COUNT; k++)
        time[timing_stall_row[k].time] += i->stat[STAT_INST_STALL + k];
    own = time[STALL_TIME_OWN];
    if (r->code->until_result && !memory && i->stat[STAT_INST_LATENCY_CYCLES] > own)
        own = i->stat[STAT_INST_LATENCY_CYCLES];
    fprintf(f, "%" PRIu64 ",%" PRIu64 ",\"", csv->code_object, i->pc_offset != UINT64_MAX ? i->pc_offset : i->pc);
    quoted(f, i->text);
    fprintf(f, "\",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",\"", i->stat[STAT_INST_EXECUTED],
            own + time[STALL_TIME_STALLED], time[STALL_TIME_STALLED], time[STALL_TIME_IDLE]);
    csv_source(f, i);
    fputc('"', f);
    for (unsigned k = 0; k < STALL_COUNT; k++)
        if (r->present[STAT_STALL + k])
            fprintf(f, ",%" PRIu64, i->stat[STAT_INST_STALL + k]);
    fputc('\n', f);
}

/* The name stands in a row of its own above the function's first instruction. */
static void csv_function(FILE *f, const struct report_instructions_csv *csv, const struct report_function *n,
                         uint64_t address)
{
    fprintf(f, "%" PRIu64 ",%" PRIu64 ",\"; ", csv->code_object, address);
    quoted(f, n->name);
    fputs("\",0,0,0,0,\"", f);
    quoted(f, n->plain);
    fputc('"', f);
    for (unsigned k = 0; k < STALL_COUNT; k++)
        if (csv->r->present[STAT_STALL + k])
            fputs(",0", f);
    fputc('\n', f);
}

static void csv_columns(FILE *f, const struct report *r)
{
    fputs("CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source", f);
    for (unsigned k = 0; k < STALL_COUNT; k++)
        if (r->present[STAT_STALL + k])
            fprintf(f, ",%s", timing_stall_key[k]);
    fputc('\n', f);
}

void report_write_instructions_csv(FILE *f, const void *what)
{
    const struct report_instructions_csv *csv = what;
    const struct report_code *code = csv->r->code;

    if (!csv->rows_alone)
        csv_columns(f, csv->r);
    for (size_t k = 0; k < code->insts; k++) {
        const struct report_code_inst *i = &code->inst[k];
        const struct report_function *n = &code->function[i->function];

        if (n->first == k && *n->name)
            csv_function(f, csv, n, i->pc_offset != UINT64_MAX ? i->pc_offset : i->pc);
        csv_instruction(f, csv, i);
    }
}

/* ---- JSON ---- */

void report_json_frames(FILE *f, const struct report_frame *frame, uint32_t frames)
{
    fputc('[', f);
    for (uint32_t k = 0; k < frames; k++) {
        fputs(k ? ", {\"function\": " : "{\"function\": ", f);
        report_json_string(f, frame[k].function);
        fputs(", \"file\": ", f);
        report_json_string(f, frame[k].file);
        fprintf(f, ", \"line\": %" PRIu32 ", \"column\": %" PRIu32 "}", frame[k].line, frame[k].column);
    }
    fputc(']', f);
}

static void json_index(FILE *f, const char *key, uint32_t index)
{
    if (index == REPORT_NONE)
        fprintf(f, ", \"%s\": null", key);
    else
        fprintf(f, ", \"%s\": %" PRIu32, key, index);
}

static void json_functions(FILE *f, const struct report_code *code)
{
    fputs("    \"functions\": [", f);
    for (size_t k = 0; k < code->functions; k++) {
        const struct report_function *n = &code->function[k];

        fputs(k ? ",\n      {\"name\": " : "\n      {\"name\": ", f);
        report_json_string(f, n->name);
        fputs(", \"demangled\": ", f);
        report_json_string(f, n->plain);
        fprintf(f, ", \"kernel\": %s, \"first\": %" PRIu32 ", \"count\": %" PRIu32 "}", n->kernel ? "true" : "false",
                n->first, n->count);
    }
    fputs(code->functions ? "\n    ],\n" : "],\n", f);
}

static void json_loops(FILE *f, const struct report_code *code)
{
    fputs("    \"loops\": [", f);
    for (size_t k = 0; k < code->loops; k++) {
        const struct report_loop *l = &code->loop[k];

        fprintf(f, "%s\n      {\"function\": %" PRIu32 ", \"depth\": %" PRIu32, k ? "," : "", l->function, l->depth);
        json_index(f, "parent", l->parent);
        fprintf(f, ", \"header\": %" PRIu32 ", \"first\": %" PRIu32 ", \"last\": %" PRIu32, l->header, l->first,
                l->last);
        fprintf(f, ", \"iterations\": %" PRIu64, l->iterations);
        if (l->entries_known)
            fprintf(f, ", \"entries\": %" PRIu64, l->entries);
        else
            fputs(", \"entries\": null", f);
        fputs(", \"file\": ", f);
        report_json_string(f, l->file);
        fprintf(f, ", \"line\": %" PRIu32 "}", l->line);
    }
    fputs(code->loops ? "\n    ],\n" : "],\n", f);
}

static void json_instruction(FILE *f, const struct report *r, const struct report_code_inst *i)
{
    fprintf(f, "{\"pc\": \"0x%" PRIx64 "\", \"pc_offset\": ", i->pc);
    if (i->pc_offset != UINT64_MAX)
        fprintf(f, "\"0x%" PRIx64 "\"", i->pc_offset);
    else
        fputs("null", f);
    fputs(", \"instruction\": ", f);
    report_json_string(f, i->text);
    fprintf(f, ", \"function\": %" PRIu32, i->function);
    json_index(f, "loop", i->loop);
    json_index(f, "target", i->target);
    fputs(", \"frames\": ", f);
    report_json_frames(f, i->frame, i->frames);
    for (unsigned k = 0; k < STAT_INST_ALL; k++) {
        bool absent = k >= STAT_INST_STALL && k < STAT_INST_ANSWERED && !r->present[STAT_STALL + k - STAT_INST_STALL];

        if (i->stat[k] && !absent) /* 0 where it is left out */
            fprintf(f, ", \"%s\": %" PRIu64, stat_inst_row[k].name, i->stat[k]);
    }
    fputc('}', f);
}

void report_json_code(FILE *f, const struct report *r)
{
    const struct report_code *code = r->code;

    if (!code)
        return;
    fputs("  \"code\": {\n", f);
    json_functions(f, code);
    json_loops(f, code);
    fputs("    \"instructions\": [", f);
    for (size_t k = 0; k < code->insts; k++) {
        fputs(k ? ",\n      " : "\n      ", f);
        json_instruction(f, r, &code->inst[k]);
    }
    fputs(code->insts ? "\n    ]\n  },\n" : "]\n  },\n", f);
}
