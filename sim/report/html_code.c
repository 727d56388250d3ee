/* What each instruction did, as the page of a run has it. */
#include <inttypes.h>
#include <stdlib.h>

#include "sim/report/code.h"
#include "sim/report/html.h"
#include "sim/report/html_frames.h"

void html_column(FILE *f, size_t n, uint64_t (*get)(const void *ctx, size_t k), const void *ctx)
{
    size_t filled = 0, last = 0;

    for (size_t k = 0; k < n; k++)
        filled += get(ctx, k) != 0;
    if (filled > n / 3) {
        fputc('[', f);
        for (size_t k = 0; k < n; k++)
            fprintf(f, "%s%" PRIu64, k ? "," : "", get(ctx, k));
        fputc(']', f);
        return;
    }
    const char *comma = "";
    fputs("{\"i\":[", f);
    for (size_t k = 0; k < n; k++)
        if (get(ctx, k)) {
            fprintf(f, "%s%zu", comma, k - last);
            last = k;
            comma = ",";
        }
    comma = "";
    fputs("],\"v\":[", f);
    for (size_t k = 0; k < n; k++)
        if (get(ctx, k)) {
            fprintf(f, "%s%" PRIu64, comma, get(ctx, k));
            comma = ",";
        }
    fputs("]}", f);
}

/* One statistic of all instructions. */
struct column {
    const struct report_code *code;
    unsigned stat;
};

static uint64_t get_stat(const void *ctx, size_t k)
{
    const struct column *c = ctx;

    return c->code->inst[k].stat[c->stat];
}

static bool any_of(const struct column *c)
{
    for (size_t k = 0; k < c->code->insts; k++)
        if (get_stat(c, k))
            return true;
    return false;
}

static uint64_t get_step(const void *ctx, size_t k)
{
    const struct report_code *code = ctx;

    return k ? code->inst[k].pc - code->inst[k - 1].pc : 0;
}

/* Instruction that a branch goes to + 1. */
static uint64_t get_target(const void *ctx, size_t k)
{
    const struct report_code *code = ctx;

    return code->inst[k].target == REPORT_NONE ? 0 : code->inst[k].target + UINT64_C(1);
}

static uint64_t get_reached(const void *ctx, size_t k)
{
    return ((const struct report_code *)ctx)->inst[k].reached;
}

static uint64_t get_frame(const void *ctx, size_t k)
{
    return ((const uint32_t *)ctx)[k];
}

/* Where instructions are: pcs as steps, from the first one's; pc_offset - pc, which all that lie in the code object
 * share; and which do not. */
static void put_places(FILE *f, const struct report_code *code)
{
    const struct report_code_inst *inside = NULL;
    const char *comma = "";

    for (size_t k = 0; k < code->insts && !inside; k++)
        if (code->inst[k].pc_offset != UINT64_MAX)
            inside = &code->inst[k];
    fprintf(f, "\"pc\":%" PRIu64 ",\"step\":", code->insts ? code->inst[0].pc : 0);
    html_column(f, code->insts, get_step, code);
    fprintf(f, ",\"to_offset\":%" PRId64 ",\"outside\":[", inside ? (int64_t)(inside->pc_offset - inside->pc) : 0);
    for (size_t k = 0; k < code->insts; k++)
        if (code->inst[k].pc_offset == UINT64_MAX) {
            fprintf(f, "%s%zu", comma, k);
            comma = ",";
        }
    fputs("],\n\"target\":", f);
    html_column(f, code->insts, get_target, code);
    fputs(",\n\"reached\":", f);
    html_column(f, code->insts, get_reached, code);
}

/* [instruction, its innermost loop] wherever that is another one than the instruction's before; -1: none. */
static void put_loop_changes(FILE *f, const struct report_code *code)
{
    const char *comma = "";
    uint32_t last = REPORT_NONE;

    fputs(",\n\"loop\":[", f);
    for (size_t k = 0; k < code->insts; k++) {
        uint32_t loop = code->inst[k].loop;

        if (loop == last)
            continue;
        fprintf(f, "%s[%zu,%" PRId64 "]", comma, k, loop == REPORT_NONE ? -1 : (int64_t)loop);
        comma = ",";
        last = loop;
    }
    fputc(']', f);
}

static void put_shape(FILE *f, const struct report_code *code)
{
    fputs(",\n\"symbols\":[", f);
    for (size_t k = 0; k < code->functions; k++) {
        const struct report_function *n = &code->function[k];

        fputs(k ? ",[" : "[", f);
        report_json_string(f, n->plain);
        fprintf(f, ",%" PRIu32 ",%" PRIu32 ",%s]", n->first, n->count, n->kernel ? "true" : "false");
    }
    fputs("],\n\"loops\":[", f);
    for (size_t k = 0; k < code->loops; k++) {
        const struct report_loop *l = &code->loop[k];

        fprintf(f, "%s[%" PRIu32 ",%" PRIu64 ",", k ? "," : "", l->depth, l->iterations);
        if (l->entries_known)
            fprintf(f, "%" PRIu64, l->entries);
        else
            fputs("null", f);
        fprintf(f, ",%" PRId64 ",%" PRIu32 ",%" PRIu32 "]", l->parent == REPORT_NONE ? -1 : (int64_t)l->parent,
                l->first, l->last);
    }
    fputc(']', f);
    put_loop_changes(f, code);
}

/* Nothing when no instruction has a frame, or without memory. */
static void put_stacks(FILE *f, const struct report_code *code, bool sources)
{
    struct html_frames frames = {0};
    uint32_t *of = calloc(code->insts + 1, sizeof *of); /* index + 1 */
    bool any = false;

    for (size_t k = 0; of && k < code->insts; k++) {
        of[k] = html_frame(&frames, code->inst[k].frame, code->inst[k].frames) + 1; /* HTML_NONE + 1 is 0 */
        any |= of[k] != 0;
    }
    if (any) {
        fputs(",\n\"frame\":", f);
        html_column(f, code->insts, get_frame, of);
        html_put_frames(f, &frames, sources);
    }
    html_frames_free(&frames);
    free(of);
}

void html_code(FILE *f, const struct report *r, bool sources)
{
    const struct report_code *code = r->code;
    const char *comma = "";

    fprintf(f, "{\"count\":%zu,", code->insts);
    put_places(f, code);
    fputs(",\n\"text\":[", f);
    for (size_t k = 0; k < code->insts; k++) {
        fputs(k ? "," : "", f);
        report_json_string(f, code->inst[k].text);
    }
    fputs("],\n\"values\":{", f);
    for (unsigned s = 0; s < STAT_INST_ALL; s++) {
        struct column c = {code, s};

        if (!any_of(&c))
            continue;
        fprintf(f, "%s\n\"%s\":", comma, stat_inst_row[s].name);
        html_column(f, code->insts, get_stat, &c);
        comma = ",";
    }
    fputc('}', f);
    put_shape(f, code);
    put_stacks(f, code, sources);
    fputc('}', f);
}
