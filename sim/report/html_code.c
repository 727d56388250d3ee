/* What each instruction did, as the page of a run has it. */
#include <inttypes.h>
#include <stdlib.h>

#include "sim/report/code.h"
#include "sim/report/html.h"
#include "sim/report/html_frames.h"

void html_column(struct json_put *j, size_t n, uint64_t (*get)(const void *ctx, size_t k), const void *ctx)
{
    size_t filled = 0, last = 0;

    for (size_t k = 0; k < n; k++)
        filled += get(ctx, k) != 0;
    if (filled > n / 3) {
        json_put(j, "[");
        for (size_t k = 0; k < n; k++)
            json_put(j, "%" PRIu64, get(ctx, k));
        json_put(j, "]");
        return;
    }
    json_put(j, "{i: [");
    for (size_t k = 0; k < n; k++)
        if (get(ctx, k)) {
            json_put(j, "%zu", k - last);
            last = k;
        }
    json_put(j, "], v: [");
    for (size_t k = 0; k < n; k++)
        if (get(ctx, k))
            json_put(j, "%" PRIu64, get(ctx, k));
    json_put(j, "]}");
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
static void put_places(struct json_put *j, const struct report_code *code)
{
    const struct report_code_inst *inside = NULL;

    for (size_t k = 0; k < code->insts && !inside; k++)
        if (code->inst[k].pc_offset != UINT64_MAX)
            inside = &code->inst[k];
    json_put(j, "pc: %" PRIu64 ", step:", code->insts ? code->inst[0].pc : 0);
    html_column(j, code->insts, get_step, code);
    json_put(j, "to_offset: %" PRId64 ", outside: [", inside ? (int64_t)(inside->pc_offset - inside->pc) : 0);
    for (size_t k = 0; k < code->insts; k++)
        if (code->inst[k].pc_offset == UINT64_MAX)
            json_put(j, "%zu", k);
    json_put(j, "],\ntarget:");
    html_column(j, code->insts, get_target, code);
    json_put(j, "\nreached:");
    html_column(j, code->insts, get_reached, code);
}

static int64_t loop_index(uint32_t loop)
{
    return loop == REPORT_NONE ? -1 : (int64_t)loop;
}

/* [instruction, its innermost loop] wherever that is another one than the instruction's before; -1: none. */
static void put_loop_changes(struct json_put *j, const struct report_code *code)
{
    uint32_t last = REPORT_NONE;

    json_put(j, "\nloop: [");
    for (size_t k = 0; k < code->insts; k++) {
        uint32_t loop = code->inst[k].loop;

        if (loop != last)
            json_put(j, "[%zu, %" PRId64 "]", k, loop_index(loop));
        last = loop;
    }
    json_put(j, "]");
}

static void put_shape(struct json_put *j, const struct report_code *code)
{
    json_put(j, "\nsymbols: [");
    for (size_t k = 0; k < code->functions; k++) {
        const struct report_function *n = &code->function[k];

        json_put(j, "[%s, %" PRIu32 ", %" PRIu32 ", %hhd]", n->plain, n->first, n->count, n->kernel);
    }
    json_put(j, "],\nloops: [");
    for (size_t k = 0; k < code->loops; k++) {
        const struct report_loop *l = &code->loop[k];

        json_put(j, "[%" PRIu32 ", %" PRIu64, l->depth, l->iterations);
        json_put(j, l->entries_known ? "%" PRIu64 : "null", l->entries);
        json_put(j, "%" PRId64 ", %" PRIu32 ", %" PRIu32 "]", loop_index(l->parent), l->first, l->last);
    }
    json_put(j, "]");
    put_loop_changes(j, code);
}

/* Nothing when no instruction has a frame, or without memory. */
static void put_stacks(struct json_put *j, const struct report_code *code, bool sources)
{
    struct html_frames frames = {0};
    uint32_t *of = calloc(code->insts + 1, sizeof *of); /* index + 1 */
    bool any = false;

    for (size_t k = 0; of && k < code->insts; k++) {
        of[k] = html_frame(&frames, code->inst[k].frame, code->inst[k].frames) + 1; /* HTML_NONE + 1 is 0 */
        any |= of[k] != 0;
    }
    if (any) {
        json_put(j, "\nframe:");
        html_column(j, code->insts, get_frame, of);
        html_put_frames(j, &frames, sources);
    }
    html_frames_free(&frames);
    free(of);
}

void html_code(struct json_put *j, const struct report *r, bool sources)
{
    const struct report_code *code = r->code;

    json_put(j, "{count: %zu", code->insts);
    put_places(j, code);
    json_put(j, "\ntext: [");
    for (size_t k = 0; k < code->insts; k++)
        json_put(j, "%s", code->inst[k].text);
    json_put(j, "],\nvalues: {");
    for (unsigned s = 0; s < STAT_INST_ALL; s++) {
        struct column c = {code, s};

        if (!any_of(&c))
            continue;
        json_put(j, "\n%s:", stat_inst_row[s].name);
        html_column(j, code->insts, get_stat, &c);
    }
    json_put(j, "}");
    put_shape(j, code);
    put_stacks(j, code, sources);
    json_put(j, "}");
}
