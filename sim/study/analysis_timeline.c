/* The timeline of a wave's instructions as text, in the manner of llvm-mca: rows of the last pass, by the renderer that
 * shows the waves of launches (traces/wave_view.h). */
#include <inttypes.h>

#include "sim/study/analysis.h"
#include "traces/wave_view.h"

enum { MAX_ROWS = 120 };

static void label(void *ctx, size_t row, char out[WAVE_VIEW_LABEL])
{
    const struct gcnsim_analysis *a = ctx;
    const struct analysis_step *s = &a->step[row];

    snprintf(out, WAVE_VIEW_LABEL, "[%" PRIu32 ",%" PRIu32 "]", s->iteration - a->step[a->pass_from].iteration,
             s->inst);
}

static cycle_t begins(void *ctx, size_t row)
{
    const struct gcnsim_analysis *a = ctx;

    return a->step[row].begin;
}

static void text(void *ctx, gaddr_t pc, char *out, size_t size)
{
    const struct gcnsim_analysis *a = ctx;
    uint32_t k = analysis_inst_at(a, (pc - a->code_base) % a->entry.bytes);

    snprintf(out, size, "%s", k == ANALYSIS_OUTSIDE ? "" : a->inst[k].text);
}

void analysis_write_timeline(FILE *f, const struct gcnsim_analysis *a, uint32_t iterations)
{
    const struct timeline_code code = {.base = a->code_base, .ctx = (void *)(uintptr_t)a, .text = text};
    size_t from = a->pass_from, end = from;

    while (end < a->pass_to && a->step[end].iteration - a->step[from].iteration < iterations)
        end++;
    const size_t rows = end - from < MAX_ROWS ? end - from : MAX_ROWS;
    const struct wave_view_style style = {.ctx = (void *)(uintptr_t)a,
                                          .label = label,
                                          .begins = a->queued ? begins : NULL,
                                          .from_first = true,
                                          .end = end,
                                          .step = (uint32_t)a->issue_interval};
    if (!rows || !a->wave)
        return;
    fputs("\ntimeline of one wave alone: [iteration,instruction]\n", f);
    wave_view_legend(f, a->wave, from, rows, &style);
    wave_view_rows(f, a->wave, from, rows, &code, &style);
}
