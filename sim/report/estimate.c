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
    if (!e->functional_workgroups && !e->skipped_workgroups) { /* within loops */
        fprintf(f, "  in detail     %.1f %% of the wave-instructions, in %" PRIu32 " stretch%s; %" PRIu32 " windows\n",
                100 / e->scale, e->stretches, e->stretches == 1 ? "" : "es", e->windows);
        fprintf(f, "  without time  %s iterations of loops, of each wave\n", report_grouped(e->left_out_iterations, a));
        fprintf(f, "  statistics    those of the detailed part times %.4g; instructions are exact\n", e->scale);
        return;
    }
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

void report_estimate_json(struct json_put *j, const struct report *r)
{
    const struct engine_estimate *e = &r->estimate;

    json_put(j,
             "{\n kind: %s, note: %s, unsafe: %hhd, detailed_workgroups: %" PRIu64 ", functional_workgroups: %" PRIu64
             ", skipped_workgroups: %" PRIu64 ", resident_workgroups: %" PRIu64 ", left_out_iterations: %" PRIu64
             ", stretches: %u, windows: %u",
             kind_key(e), *e->note ? e->note : NULL, e->unsafe, e->detailed_workgroups, e->functional_workgroups,
             e->skipped_workgroups, e->resident_workgroups, e->left_out_iterations, e->stretches, e->windows);
    if (e->kind != ENGINE_ESTIMATE_MADE) {
        json_put(j, "exact: null, cycles: null, cycles_low: null, cycles_high: null, confidence: null, scale: null}");
        return;
    }
    json_put(j, "exact: ["); /* names of statistics that are not estimates although the launch's cycles are */
    for (unsigned s = 0; s < STATS; s++)
        if (r->present[s] && !report_is_estimate(r, s))
            json_put(j, "%s", stat_row[s].name);
    json_put(j, "], cycles: %.0f, cycles_low: %.0f, cycles_high: %.0f, confidence: 0.95, scale: %.6g}", e->cycles,
             e->low, e->high, e->scale);
}

void report_estimate_csv(FILE *f, const struct report *r)
{
    const struct engine_estimate *e = &r->estimate;

    fprintf(f,
            "sampling.detailed_workgroups,workgroups,%" PRIu64 "\nsampling.functional_workgroups,workgroups,%" PRIu64
            "\nsampling.skipped_workgroups,workgroups,%" PRIu64 "\nsampling.left_out_iterations,iterations,%" PRIu64
            "\n",
            e->detailed_workgroups, e->functional_workgroups, e->skipped_workgroups, e->left_out_iterations);
    if (e->kind == ENGINE_ESTIMATE_MADE)
        fprintf(f,
                "sampling.cycles_low,cycles (estimate),%.0f\nsampling.cycles_high,cycles (estimate),%.0f\n"
                "sampling.scale,ratio,%.6g\nsampling.unsafe,flag,%d\n",
                e->low, e->high, e->scale, e->unsafe);
}
