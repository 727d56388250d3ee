/* What a report says of a sampled launch (sim/engine/sampling/sampled.h): that its cycles are an estimate, from what,
 * and how far it can be trusted. */
#include <inttypes.h>

#include "sim/engine/sampling/sampled_sum.h"
#include "sim/report/report.h"

bool report_is_estimate(const struct report *r, unsigned s)
{
    if (!r->has_estimate || r->estimate.kind != ENGINE_ESTIMATE_MADE)
        return false;
    enum sampled_kind kind = sampled_kind_of((enum stat)s);
    return kind == SAMPLED_SCALED || kind == SAMPLED_TIMED || (kind == SAMPLED_EXACT && r->estimate.skipped_workgroups);
}

static double share_of(const struct report *r)
{
    return r->workgroups ? 100.0 * (double)r->estimate.detailed_workgroups / (double)r->workgroups : 0;
}

static void text_made(FILE *f, const struct report *r)
{
    const struct engine_estimate *e = &r->estimate;
    char a[32], b[32], c[32];

    fprintf(f, "  ESTIMATE      %s cycles; 95 %% interval %s to %s (+-%.1f %%)\n",
            report_grouped((uint64_t)e->cycles, a), report_grouped((uint64_t)e->low, b),
            report_grouped((uint64_t)e->high, c), e->cycles > 0 ? 50 * (e->high - e->low) / e->cycles : 0);
    fprintf(f, "  in detail     %s of %s workgroups (%.1f %%), in %" PRIu32 " stretch%s; %" PRIu32 " windows of %s\n",
            report_grouped(e->detailed_workgroups, a), report_grouped(r->workgroups, b), share_of(r), e->stretches,
            e->stretches == 1 ? "" : "es", e->windows, report_grouped(e->resident_workgroups, c));
    fprintf(f, "  without time  %s workgroups executed, %s skipped\n", report_grouped(e->functional_workgroups, a),
            report_grouped(e->skipped_workgroups, b));
    fprintf(f, "  statistics    those of the detailed part times %.4g; %s\n", e->scale,
            e->skipped_workgroups ? "workgroups and waves are those executed"
                                  : "instructions, workgroups and waves are exact");
}

void report_estimate_text(FILE *f, const struct report *r)
{
    const struct engine_estimate *e = &r->estimate;

    fputs("\nSampling\n", f);
    if (e->kind == ENGINE_ESTIMATE_MADE)
        text_made(f, r);
    else
        fprintf(f, "  no estimate   cycles are those simulated\n");
    if (*e->note)
        report_wrapped(f, e->unsafe ? "  UNSAFE        " : "  note          ", 78, e->note, "");
}

static const char *kind_key(const struct engine_estimate *e)
{
    static const char *const key[] = {[ENGINE_ESTIMATE_NONE] = "simulated_in_full",
                                      [ENGINE_ESTIMATE_MADE] = "estimated",
                                      [ENGINE_ESTIMATE_PARTIAL] = "ended_early"};

    return key[e->kind];
}

const char *report_estimate_kind(const struct report *r)
{
    return kind_key(&r->estimate);
}

/* Names of statistics that are not estimates although the launch's cycles are. */
static void json_exact(FILE *f, const struct report *r)
{
    const char *comma = "";

    fputs("    \"exact\": [", f);
    for (unsigned s = 0; s < STATS; s++) {
        if (!r->present[s] || report_is_estimate(r, s))
            continue;
        fprintf(f, "%s\"%s\"", comma, stat_row[s].name);
        comma = ", ";
    }
    fputs("],\n", f);
}

void report_estimate_json(FILE *f, const struct report *r)
{
    const struct engine_estimate *e = &r->estimate;
    bool made = e->kind == ENGINE_ESTIMATE_MADE;

    fprintf(f, "{\n    \"kind\": \"%s\",\n    \"note\": ", kind_key(e));
    report_json_string(f, *e->note ? e->note : NULL);
    fprintf(f,
            ",\n    \"unsafe\": %s,\n    \"detailed_workgroups\": %" PRIu64 ",\n    \"functional_workgroups\": %" PRIu64
            ",\n    \"skipped_workgroups\": %" PRIu64 ",\n    \"resident_workgroups\": %" PRIu64
            ",\n    \"stretches\": %" PRIu32 ",\n    \"windows\": %" PRIu32 ",\n",
            e->unsafe ? "true" : "false", e->detailed_workgroups, e->functional_workgroups, e->skipped_workgroups,
            e->resident_workgroups, e->stretches, e->windows);
    if (made) {
        json_exact(f, r);
        fprintf(f,
                "    \"cycles\": %.0f,\n    \"cycles_low\": %.0f,\n    \"cycles_high\": %.0f,\n    \"confidence\": "
                "0.95,\n    \"scale\": %.6g\n  }",
                e->cycles, e->low, e->high, e->scale);
    } else {
        fputs("    \"exact\": null,\n    \"cycles\": null,\n    \"cycles_low\": null,\n    \"cycles_high\": null,\n"
              "    \"confidence\": null,\n    \"scale\": null\n  }",
              f);
    }
}

void report_estimate_csv(FILE *f, const struct report *r)
{
    const struct engine_estimate *e = &r->estimate;

    fprintf(f,
            "sampling.detailed_workgroups,workgroups,%" PRIu64 "\nsampling.functional_workgroups,workgroups,%" PRIu64
            "\nsampling.skipped_workgroups,workgroups,%" PRIu64 "\n",
            e->detailed_workgroups, e->functional_workgroups, e->skipped_workgroups);
    if (e->kind == ENGINE_ESTIMATE_MADE)
        fprintf(f,
                "sampling.cycles_low,cycles (estimate),%.0f\nsampling.cycles_high,cycles (estimate),%.0f\n"
                "sampling.scale,ratio,%.6g\nsampling.unsafe,flag,%d\n",
                e->low, e->high, e->scale, e->unsafe);
}
