/* The first screen of a report (docs/REPORT.md): some 25 lines out of what the sections show in full. */
#include "sim/report/summary.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "sim/report/limiter.h"
#include "sim/report/source_text.h"

enum {
    COLUMNS = 80,
    LABEL = 11,
    RATES = 5,
    VERDICT_LINES = 3,
    BAR_COLUMNS = 30,
    MOST_OVERRIDES = 3,
    MOST_CATEGORIES = 3
};

/* A text after its label. */
static void labelled(FILE *f, const char *label, const char *text)
{
    char lead[LABEL + 1];

    snprintf(lead, sizeof lead, "%-*s", LABEL, label);
    report_wrapped(f, lead, COLUMNS, text, "");
}

/* ---- what ran ---- */

/* Names of templates have no end. */
static void kernel_line(FILE *f, const struct report *r)
{
    const int most = 2 * (COLUMNS - LABEL);
    char text[2 * COLUMNS];
    bool all = strlen(r->run.plain) <= (size_t)most;

    snprintf(text, sizeof text, "%.*s%s", all ? most : most - 3, r->run.plain, all ? "" : "...");
    labelled(f, "kernel", text);
    if (r->object)
        labelled(f, "object", r->object);
}

static void launch_line(FILE *f, const struct report *r)
{
    char text[300], a[32], b[32];

    snprintf(text, sizeof text,
             "%" PRIu32 " x %" PRIu32 " x %" PRIu32 " work-items: %s workgroup%s of %" PRIu32 " x %" PRIu32
             " x %" PRIu32 ", %s wave%s",
             r->run.grid[0], r->run.grid[1], r->run.grid[2], report_grouped(r->workgroups, a),
             r->workgroups == 1 ? "" : "s", r->workgroup[0], r->workgroup[1], r->workgroup[2],
             report_grouped(r->waves, b), r->waves == 1 ? "" : "s");
    labelled(f, "launch", text);
}

static void chip_line(FILE *f, const struct report *r)
{
    char text[400];

    if (r->profile)
        snprintf(text, sizeof text, "%s, profile %s%s%s", r->has_chip ? r->chip.name : r->target, r->profile,
                 r->stands_for ? " stands in for " : "", r->stands_for ? r->stands_for : "");
    else
        snprintf(text, sizeof text, "%s, no profile", r->target);
    labelled(f, "chip", text);
    labelled(f, "engine", r->run.timing ? "timing" : "functional: results without time");
}

static void override_lines(FILE *f, const struct report *r)
{
    char text[64];

    for (size_t k = 0; k < r->run.override_count && k < MOST_OVERRIDES; k++)
        labelled(f, k ? "" : "overrides", r->run.overrides[k]);
    if (r->run.override_count > MOST_OVERRIDES) {
        snprintf(text, sizeof text, "and %zu more", r->run.override_count - MOST_OVERRIDES);
        labelled(f, "", text);
    }
}

static void ended_line(FILE *f, const struct report *r)
{
    char text[100], a[32], b[32];

    if (r->outcome == ENGINE_DONE)
        return;
    snprintf(text, sizeof text, "early, after %s of %s workgroups",
             report_grouped((uint64_t)r->value[STAT_WORKGROUPS_DONE], a), report_grouped(r->workgroups, b));
    labelled(f, "ended", text);
    if (!r->has_fault)
        labelled(f, "", r->message);
}

/* Lines that a text takes, with its full stop. */
static size_t lines_of(const char *text)
{
    size_t lines = 1, column = LABEL;

    while (*text) {
        size_t word = strcspn(text, " ");

        if (column + word + (text[word] == 0) > COLUMNS) {
            lines++;
            column = LABEL;
        }
        column += word + 1;
        text += word + (text[word] == ' ');
    }
    return lines;
}

/* The verdict on the whole chip; and that on the part of it that has work, without its figures where there is no room
 * for them. */
void summary_verdict(FILE *f, const struct report *r)
{
    const struct report_limiter *l = &r->limiter;
    char text[400];
    size_t whole;

    if (!r->has_limiter)
        return;
    snprintf(text, sizeof text, "%s.", l->verdict);
    labelled(f, "limiter", text);
    if (!l->within)
        return;
    whole = strlen(l->within);
    if (lines_of(l->verdict) + lines_of(l->within) > VERDICT_LINES)
        whole = strcspn(l->within, ";");
    snprintf(text, sizeof text, "%.*s.", (int)whole, l->within);
    labelled(f, "", text);
}

void summary_head(FILE *f, const struct report *r)
{
    kernel_line(f, r);
    launch_line(f, r);
    chip_line(f, r);
    override_lines(f, r);
    ended_line(f, r);
    if (r->has_limiter)
        fputc('\n', f);
    summary_verdict(f, r);
}

/* ---- time and rates ---- */

static void time_line(FILE *f, const struct report *r)
{
    char text[200], a[32];
    int n;

    if (!r->present[STAT_CYCLES])
        return;
    n = snprintf(
        text, sizeof text, "%s cycles%s, %.3f us at %.0f MHz", report_grouped((uint64_t)r->value[STAT_CYCLES], a),
        report_is_estimate(r, STAT_CYCLES) ? " (estimate)" : "", r->value[STAT_TIME_US], r->chip.gpu.shader_clock_mhz);
    if (r->present[STAT_DISPATCH_TOTAL_US] && n > 0 && n < (int)sizeof text)
        snprintf(text + n, sizeof text - (size_t)n, "; %.3f us launch to launch", r->value[STAT_DISPATCH_TOTAL_US]);
    labelled(f, "time", text);
}

/* The rate of what the resource does, in billions, and its unit; 0: no rate can be computed. */
static double rate_of(const struct report *r, const struct limit_resource *l, const char **unit)
{
    double seconds = r->value[STAT_TIME_US] * 1e-6, done = 0;
    bool floats = true;

    *unit = "B/s";
    if (l->work == WORK_VALU || l->work == WORK_MATRIX) {
        done = report_operations(r, l->work == WORK_MATRIX, true);
        floats = done > 0;
        if (!floats)
            done = report_operations(r, l->work == WORK_MATRIX, false);
        *unit = floats ? "flop/s" : "op/s";
    } else if (l->work == WORK_LDS) {
        done = r->value[STAT_LDS_BYTES];
    } else if (l->work == WORK_DRAM) {
        done = r->value[STAT_DRAM_READ_BYTES] + r->value[STAT_DRAM_WRITE_BYTES];
    } else if (l->work >= WORK_LEVEL) {
        done = report_level_bytes(r, (enum cache_level)(l->work - WORK_LEVEL));
    }
    return seconds > 0 ? done / seconds * 1e-9 : 0;
}

static void rate_line(FILE *f, const char *name, double rate, const char *unit, double share)
{
    int columns = (int)(fmin(share, 1) * BAR_COLUMNS + 0.5);
    char text[40] = "";

    if (rate > 0)
        snprintf(text, sizeof text, rate < 1000 ? "%.1f G%s" : "%.2f T%s", rate < 1000 ? rate : rate / 1000, unit);
    fprintf(f, "  %-20s %16s %6.1f %%%s%.*s\n", name, text, 100 * share, columns > 0 ? "  " : "", columns,
            "##############################");
}

/* The resources that are shown: where arithmetic is done and DRAM, for the two ends of a roofline, and those that are
 * nearest to their peaks. */
static void choose_rates(const struct report *r, bool shown[LIMIT_RESOURCES])
{
    const double *v = r->value;
    unsigned arithmetic = v[STAT_PEAK_MATRIX] > v[STAT_PEAK_VALU] ? STAT_PEAK_MATRIX : STAT_PEAK_VALU, n = 0;

    for (size_t k = 0; k < LIMIT_RESOURCES; k++) {
        unsigned stat = limit_resource[k].stat;

        shown[k] = (stat == arithmetic || stat == STAT_PEAK_DRAM) && v[stat] > 0;
        n += shown[k];
    }
    for (; n < RATES; n++) {
        size_t best = LIMIT_RESOURCES;

        for (size_t k = 0; k < LIMIT_RESOURCES; k++)
            if (!shown[k] && v[limit_resource[k].stat] > (best < LIMIT_RESOURCES ? v[limit_resource[best].stat] : 0))
                best = k;
        if (best == LIMIT_RESOURCES)
            return;
        shown[best] = true;
    }
}

static void rates(FILE *f, const struct report *r)
{
    bool shown[LIMIT_RESOURCES];
    const char *unit;

    if (!r->present[STAT_PEAK_CUS])
        return;
    fprintf(f, "\n%-39s  share of the chip's peak\n", "Rates");
    rate_line(f, r->chip.gpu.cus_per_wgp > 1 ? "WGPs with waves" : "CUs with waves", 0, "", r->value[STAT_PEAK_CUS]);
    choose_rates(r, shown);
    for (size_t k = 0; k < LIMIT_RESOURCES; k++)
        if (shown[k]) {
            double rate = rate_of(r, &limit_resource[k], &unit);

            rate_line(f, limit_resource[k].name, rate, unit, r->value[limit_resource[k].stat]);
        }
}

/* ---- stalls ---- */

/* A text in `columns`: all of it, or its first clause, or where that says little as many words as there is room for. */
static void put_short(FILE *f, const char *text, size_t columns)
{
    size_t n = strlen(text), end = columns;

    if (n <= columns) {
        fputs(text, f);
        return;
    }
    while (end > columns / 2 && !strchr(",;:(", text[end]))
        end--;
    if (end > columns / 2) {
        fprintf(f, "%.*s", (int)end, text);
        return;
    }
    for (end = columns - 4; end && text[end] != ' '; end--)
        ;
    fprintf(f, "%.*s ...", (int)end, text);
}

static void hotspot_lines(FILE *f, const struct report *r, const struct report_hotspot *h)
{
    const char *meaning = timing_stall_meaning[h->reason];
    double share = r->value[STAT_STALL + h->reason] / r->value[STAT_RESIDENT_WAVE_CYCLES];
    char place[96], text[400];

    fprintf(f, "  %-18s %5.1f %%  ", timing_stall_key[h->reason], 100 * share);
    put_short(f, meaning, COLUMNS - 30);
    fputc('\n', f);
    if (!h->instruction)
        return;
    snprintf(text, sizeof text, "%.0f %% of it at %s%s0x%" PRIx64 " %s", 100 * h->share,
             h->file ? source_place(h->file, h->line, place) : "", h->file ? ", most at " : "", h->pc_offset,
             h->instruction);
    fprintf(f, "      %.*s\n", COLUMNS - 6, text);
}

static void stalls(FILE *f, const struct report *r)
{
    char a[32];

    if (!r->hotspots)
        return;
    fprintf(f, "\nStalls, of %s wave-cycles (%.1f %% issued an instruction)\n",
            report_grouped((uint64_t)r->value[STAT_RESIDENT_WAVE_CYCLES], a),
            100 * r->value[STAT_STALL + STALL_ISSUED] / r->value[STAT_RESIDENT_WAVE_CYCLES]);
    for (unsigned k = 0; k < r->hotspots; k++)
        hotspot_lines(f, r, &r->hotspot[k]);
}

/* "17,280 wave-instructions: 36 % valu, 29 % internal ..." */
static void executed_line(FILE *f, const struct report *r)
{
    const double *v = r->value + STAT_CATEGORY, all = r->value[STAT_INSTRUCTIONS];
    bool named[OPCAT_COUNT] = {false};
    char text[400], a[32];
    int n = snprintf(text, sizeof text, "%s wave-instruction%s", report_grouped((uint64_t)all, a), all == 1 ? "" : "s");

    for (unsigned names = 0; names < MOST_CATEGORIES; names++) {
        unsigned best = OPCAT_COUNT;

        for (unsigned k = 0; k < OPCAT_COUNT; k++)
            if (!named[k] && v[k] > (best < OPCAT_COUNT ? v[best] : 0))
                best = k;
        if (best == OPCAT_COUNT)
            break;
        named[best] = true;
        n += snprintf(text + n, sizeof text - (size_t)n, "%s %.0f %% %s", names ? "," : ":", 100 * v[best] / all,
                      stat_row[STAT_CATEGORY + best].name + strlen("instructions."));
    }
    labelled(f, "executed", text);
}

void summary_body(FILE *f, const struct report *r)
{
    char text[64];

    fputc('\n', f);
    time_line(f, r);
    executed_line(f, r);
    fidelity_first_lines(f, &r->fidelity);
    if (!r->run.timing) {
        snprintf(text, sizeof text, "%.3f seconds", r->run.seconds);
        labelled(f, "host", text);
    }
    rates(f, r);
    stalls(f, r);
}
