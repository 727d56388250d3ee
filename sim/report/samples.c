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

static void json_series(FILE *f, const struct engine_samples *s, unsigned series)
{
    const struct sample_row *row = &sample_row[series];

    fprintf(f, "      \"%s\": {\"unit\": \"%s\", \"mean\": %s, \"values\": [", row->name, row->unit,
            row->kind == SAMPLE_KIND_MEAN ? "true" : "false");
    for (size_t n = 0; n < s->count; n++)
        fprintf(f, row->kind == SAMPLE_KIND_MEAN ? "%s%.6g" : "%s%.0f", n ? "," : "", report_sample(s, n, series));
    fputs("]}", f);
}

void report_samples_json(FILE *f, const struct engine_samples *s)
{
    bool first = true;

    fprintf(f,
            "{\n    \"interval_cycles\": %" PRIu64 ",\n    \"first_cycles\": %" PRIu64
            ",\n    \"last_cycles\": %" PRIu64 ",\n    \"count\": %zu,\n    \"series\": {\n",
            s->interval_cycles, s->first_cycles, s->last_cycles, s->count);
    for (unsigned k = 0; k < SAMPLES; k++) {
        if (!s->present[k])
            continue;
        fputs(first ? "" : ",\n", f);
        json_series(f, s, k);
        first = false;
    }
    fputs("\n    }\n  }", f);
}
