/* A CSV table of instruction issues, for spreadsheets and scripts: one row per issue, in the order of cycles. */
#include "traces/issue_csv.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sim/util/output.h"

struct issue_csv {
    const struct trace_job *job;
    struct output output;
};

static int begin(void **state, const struct trace_job *job, struct err *e)
{
    struct issue_csv *s = calloc(1, sizeof *s);

    if (!s)
        return err_set(e, ERR_NOMEM, "%s: out of host memory for a trace", job->path);
    s->job = job;
    if (output_open(&s->output, job->path, e)) {
        free(s);
        return -1;
    }
    fputs("cycle,cu,simd,slot,workgroup,wave,pc,class\n", s->output.f);
    *state = s;
    return 0;
}

static void take_events(void *state, const struct event *e, size_t count)
{
    const struct issue_csv *s = state;

    for (const struct event *end = e + count; e < end; e++)
        fprintf(s->output.f, "%" PRIu64 ",%u,%u,%u,%" PRIu64 ",%u,0x%" PRIx64 ",%s\n", e->at, e->cu, e->simd, e->slot,
                (uint64_t)e->group, e->wave, e->pc - s->job->load_base + s->job->base_vaddr,
                e->issue.cls < OPC_COUNT ? op_class_key[e->issue.cls] : "");
}

static int end(void *state, bool keep, struct err *e)
{
    struct issue_csv *s = state;
    int failed = output_close(&s->output, keep, e);

    free(s);
    return failed;
}

const struct trace_writer trace_issue_csv = {.format = "issue-csv",
                                             .about = "a row for each instruction that issues",
                                             .kinds = EVENT_BIT(EVENT_ISSUE),
                                             .open = begin,
                                             .take = take_events,
                                             .close = end};
