/* The instructions of a run as the statistics table of rocprofv3's thread traces has them, with a column for each stall
 * reason at the end (docs/ANNOTATE.md), and as a part of the JSON report. */
#include <inttypes.h>
#include <string.h>

#include "sim/report/annotate.h"
#include "sim/util/csv_put.h"

/* ---- CSV ---- */

static void csv_source(FILE *f, const struct report_code_inst *i)
{
    bool any = false;

    for (uint32_t k = 0; k < i->frames; k++)
        if (i->frame[k].file && i->frame[k].line) {
            fputs(any ? " -> " : "", f);
            csv_put_text(f, i->frame[k].file);
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
    csv_put_text(f, i->text);
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
    csv_put_text(f, n->name);
    fputs("\",0,0,0,0,\"", f);
    csv_put_text(f, n->plain);
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

void report_json_frames(struct json_put *j, const struct report_frame *frame, uint32_t frames)
{
    json_put(j, "[");
    for (uint32_t k = 0; k < frames; k++)
        json_put(j, "{function: %s, file: %s, line: %" PRIu32 ", column: %" PRIu32 "}", frame[k].function,
                 frame[k].file, frame[k].line, frame[k].column);
    json_put(j, "]");
}

static void json_index(struct json_put *j, const char *key, uint32_t index)
{
    json_put(j, index == REPORT_NONE ? "%s: null" : "%s: %" PRIu32, key, index);
}

static void json_functions(struct json_put *j, const struct report_code *code)
{
    json_put(j, "functions: [\n");
    for (size_t k = 0; k < code->functions; k++) {
        const struct report_function *n = &code->function[k];

        json_put(j, "{name: %s, demangled: %s, kernel: %hhd, first: %" PRIu32 ", count: %" PRIu32 "}", n->name,
                 n->plain, n->kernel, n->first, n->count);
    }
    json_put(j, "]");
}

static void json_loops(struct json_put *j, const struct report_code *code)
{
    json_put(j, "loops: [\n");
    for (size_t k = 0; k < code->loops; k++) {
        const struct report_loop *l = &code->loop[k];

        json_put(j, "{function: %" PRIu32 ", depth: %" PRIu32, l->function, l->depth);
        json_index(j, "parent", l->parent);
        json_put(j, "header: %" PRIu32 ", first: %" PRIu32 ", last: %" PRIu32 ", iterations: %" PRIu64, l->header,
                 l->first, l->last, l->iterations);
        json_put(j, l->entries_known ? "entries: %" PRIu64 : "entries: null", l->entries);
        json_put(j, "file: %s, line: %" PRIu32 "}", l->file, l->line);
    }
    json_put(j, "]");
}

static void json_instruction(struct json_put *j, const struct report *r, const struct report_code_inst *i)
{
    json_put(j, "{pc: %" PRIx64, i->pc);
    json_put(j, i->pc_offset != UINT64_MAX ? "pc_offset: %" PRIx64 : "pc_offset: null", i->pc_offset);
    json_put(j, "instruction: %s, function: %" PRIu32, i->text, i->function);
    json_index(j, "loop", i->loop);
    json_index(j, "target", i->target);
    json_put(j, "frames:");
    report_json_frames(j, i->frame, i->frames);
    for (unsigned k = 0; k < STAT_INST_ALL; k++) {
        bool absent = k >= STAT_INST_STALL && k < STAT_INST_ANSWERED && !r->present[STAT_STALL + k - STAT_INST_STALL];

        if (i->stat[k] && !absent) /* 0 where it is left out */
            json_put(j, "%s: %" PRIu64, stat_inst_row[k].name, i->stat[k]);
    }
    json_put(j, "}");
}

void report_json_code(struct json_put *j, const struct report *r)
{
    const struct report_code *code = r->code;

    if (!code)
        return;
    json_put(j, "code: {\n");
    json_functions(j, code);
    json_loops(j, code);
    json_put(j, "instructions: [\n");
    for (size_t k = 0; k < code->insts; k++)
        json_instruction(j, r, &code->inst[k]);
    json_put(j, "]}");
}
