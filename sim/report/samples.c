/* Samples over time: their values, and the part of the JSON report. */
#include <inttypes.h>

#include "sim/report/report.h"

double report_sample(const struct engine_samples *s, size_t n, unsigned series)
{
    double value = (double)s->value[n][series], cycles = (double)engine_samples_cycles(s, n);

    if (sample_row[series].kind == SAMPLE_KIND_SUM)
        return value;
    return cycles > 0 ? value / cycles : 0;
}

void report_samples_json(struct json_put *j, const struct engine_samples *s)
{
    json_put(j,
             "{\n interval_cycles: %" PRIu64 ", first_cycles: %" PRIu64 ", last_cycles: %" PRIu64
             ", count: %zu, series: {\n",
             s->interval_cycles, s->first_cycles, s->last_cycles, s->count);
    for (unsigned k = 0; k < SAMPLES; k++) {
        const struct sample_row *row = &sample_row[k];
        bool mean = row->kind == SAMPLE_KIND_MEAN;

        if (!s->present[k])
            continue;
        json_put(j, "%s: {unit: %s, mean: %hhd, values: [", row->name, row->unit, mean);
        j->compact = true;
        for (size_t n = 0; n < s->count; n++)
            fprintf(json_put_raw(j), mean ? "%.6g" : "%.0f", report_sample(s, n, k));
        j->compact = false;
        json_put(j, "]}");
    }
    json_put(j, "}}");
}
