/* A CSV table of instruction issues, for spreadsheets and scripts: one row per issue, in the order of cycles. */
#include "traces/issue_csv.h"

#include <inttypes.h>

static void begin(const struct trace_sink *s)
{
    fputs("cycle,cu,simd,slot,workgroup,wave,pc,class\n", s->f);
}

static void take(void *sink, const struct event *e, size_t count)
{
    const struct trace_sink *s = sink;

    for (const struct event *end = e + count; e < end; e++)
        fprintf(s->f, "%" PRIu64 ",%u,%u,%u,%" PRIu64 ",%u,0x%" PRIx64 ",%s\n", e->at, e->cu, e->simd, e->slot,
                e->group, e->wave, e->pc - s->load_base + s->base_vaddr,
                e->issue.cls < OPC_COUNT ? op_class_key[e->issue.cls] : "");
}

const struct trace_writer trace_issue_csv = {.format = "issue-csv",
                                             .about = "a row for each instruction that issues",
                                             .kinds = EVENT_BIT(EVENT_ISSUE),
                                             .begin = begin,
                                             .take = take};
