/* Where the life of a recorded wave goes, beside that of the simulated one. */
#include <stdlib.h>
#include <string.h>

#include "tests/timing/replay.h"

const char *const life_phase_name[LIFE_PHASES] = {"first", "issue", "SMEM", "VMEM", "other", "tail"};

void lives_free(struct lives *l)
{
    free(l->error);
}

static void add_error(struct lives *l, double error)
{
    if (l->waves == l->room) {
        l->room = l->room ? 2 * l->room : 64;
        l->error = realloc(l->error, l->room * sizeof *l->error);
        if (!l->error) {
            fputs("replay: out of host memory\n", stderr);
            exit(2);
        }
    }
    l->error[l->waves++] = error;
}

void lives_add(struct lives *to, const struct lives *from)
{
    for (unsigned k = 0; k < LIFE_PHASES; k++) {
        to->hardware[k] += from->hardware[k];
        to->model[k] += from->model[k];
    }
    for (size_t n = 0; n < from->waves; n++)
        add_error(to, from->error[n]);
}

/* What a wait is for: of the counters it names those that something has been asked for on since the last wait. */
static enum life_phase wait_phase(const char *text, bool scalar, bool vector)
{
    bool both = strstr(text, "lgkmcnt") || strstr(text, "kmcnt");

    if (vector && (strstr(text, "vmcnt") || strstr(text, "loadcnt") || strstr(text, "storecnt") ||
                   strstr(text, "vscnt") || strstr(text, "samplecnt")))
        return LIFE_VMEM;
    return both && scalar ? LIFE_SMEM : LIFE_OTHER;
}

/* Adds the phases of a life whose events happened in the cycles `at`; false when time is missing. */
static bool add_phases(const struct trace_wave *w, const cycle_t *at, cycle_t end, double sum[LIFE_PHASES])
{
    double phase[LIFE_PHASES] = {0};
    bool scalar = false, vector = false;
    cycle_t before = w->span.start;

    for (size_t k = 0; k < w->count; k++) {
        const struct trace_event *v = &w->event[k];
        cycle_t t = v->cls == TRACE_ENDPGM ? end : at[k];
        enum life_phase to = LIFE_ISSUE;

        if (t == CYCLE_NEVER || t < before || t - before >= TRACE_LOST_CYCLES)
            return false;
        if (v->cls == TRACE_ENDPGM)
            to = LIFE_TAIL;
        else if (!k)
            to = LIFE_FIRST;
        else if (v->cls == TRACE_WAIT)
            to = wait_phase(v->text, scalar, vector);
        scalar = v->cls == TRACE_SMEM || (scalar && v->cls != TRACE_WAIT);
        vector = v->cls == TRACE_VMEM || (vector && v->cls != TRACE_WAIT);
        phase[to] += (double)(t - before);
        before = t;
    }
    for (unsigned k = 0; k < LIFE_PHASES; k++)
        sum[k] += phase[k];
    return true;
}

void lives_add_wave(struct lives *l, const struct trace_wave *w, const struct run_wave *r)
{
    cycle_t *recorded, *simulated, life = w->span.end - w->span.start;
    double hardware[LIFE_PHASES] = {0}, model[LIFE_PHASES] = {0};
    size_t unmatched = 0;

    if (!w->count || w->event[w->count - 1].cls != TRACE_ENDPGM || !r->end || r->end <= w->span.start || !life)
        return;
    recorded = malloc(w->count * sizeof *recorded);
    simulated = score_match(w, r, 1, &unmatched);
    for (size_t k = 0; recorded && k < w->count; k++)
        recorded[k] = w->event[k].at;
    if (recorded && add_phases(w, recorded, w->span.end, hardware) && add_phases(w, simulated, r->end, model)) {
        for (unsigned k = 0; k < LIFE_PHASES; k++) {
            l->hardware[k] += hardware[k];
            l->model[k] += model[k];
        }
        add_error(l, ((double)(r->end - w->span.start) - (double)life) / (double)life);
    }
    free(recorded);
    free(simulated);
}
