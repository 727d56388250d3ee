/* Text and JSON of an analysis. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/analysis.h"
#include "sim/util/text_stream.h"

enum { COLUMNS = 120, DEFAULT_ITERATIONS = 3, MAX_LINKS = 100 };

/* ---- summary ---- */

/* The stall reason that waves at full occupancy have most; STALL_COUNT: none. */
static unsigned main_stall(const struct gcnsim_analysis *a)
{
    unsigned most = STALL_COUNT;
    double cycles = 0.02;

    for (unsigned k = 0; k < STALL_COUNT; k++)
        if (k != STALL_ISSUED && k != STALL_ARBITRATION && a->stall_full[k] > cycles) {
            cycles = a->stall_full[k];
            most = k;
        }
    return most;
}

static bool is_bound_by_unit(const struct gcnsim_analysis *a)
{
    return a->rthroughput > 0 && a->throughput <= 1.1 * a->rthroughput;
}

static void write_summary(FILE *f, const struct gcnsim_analysis *a)
{
    unsigned stall = main_stall(a);

    fprintf(f, "\nlatency             %10.2f cycles an iteration, one wave alone\n", a->latency);
    fprintf(f, "throughput          %10.2f cycles of a SIMD an iteration, %" PRIu32 " waves (%s)\n", a->throughput,
            a->entry.waves_per_simd, a->entry.limiter);
    fprintf(f, "block RThroughput   %10.2f cycles, the bound by units\n", a->rthroughput);
    fprintf(f, "IPC                 %10.2f one wave, %.2f a SIMD at full occupancy\n",
            a->latency > 0 ? a->executed / a->latency : 0, a->throughput > 0 ? a->executed / a->throughput : 0);
    fprintf(f, "bottleneck          ");
    if (is_bound_by_unit(a))
        fprintf(f, "%s: busy for %.0f %% of the time\n", a->unit[a->bottleneck].name,
                a->throughput > 0 ? 100 * a->rthroughput / a->throughput : 0);
    else if (stall < STALL_COUNT)
        fprintf(f, "no unit (%s: %.0f %%): waves are held by %s\n",
                a->rthroughput > 0 ? a->unit[a->bottleneck].name : "none",
                a->throughput > 0 ? 100 * a->rthroughput / a->throughput : 0, timing_stall_key[stall]);
    else
        fputs("issue\n", f);
}

/* ---- instructions and pressure ---- */

static void write_instructions(FILE *f, const struct gcnsim_analysis *a)
{
    fputs("\ninstructions: bytes, unit, cycles that it takes the unit, latency, cycles until its issue (one wave)\n\n"
          "  index bytes unit     cycles latency    wait figures     text\n",
          f);
    for (uint32_t k = 0; k < a->inst_count; k++) {
        const struct analysis_inst *i = &a->inst[k];
        char latency[24] = "-", cycles[24] = "-";

        if (i->unit.latency_cycles)
            snprintf(latency, sizeof latency, "%" PRIu32, i->unit.latency_cycles);
        if (i->unit.port != PORT_INTERNAL && i->unit.port != PORT_BARRIER)
            snprintf(cycles, sizeof cycles, "%.0f", analysis_pressure(a, i, i->unit.port));
        fprintf(f, "  [%3" PRIu32 "] %5u %-8s %6s %7s %7.2f %-11s %.68s\n", k, i->sched.size_bytes,
                a->unit[i->unit.port].name, cycles, latency, i->gap, i->confidence ? i->confidence : "-", i->text);
    }
    for (uint32_t k = 0; k < a->inst_count; k++)
        if (a->inst[k].empty && a->inst[k].empty == a->inst[k].executed) {
            fprintf(f, "\nnote  EXEC is 0 from [%" PRIu32 "] on: memory instructions there do nothing\n", k);
            break;
        }
}

static void write_pressure(FILE *f, const struct gcnsim_analysis *a)
{
    fputs("\nresource pressure, cycles an iteration; bound: cycles of a SIMD that an iteration takes at least\n\n"
          "  unit         cycles  SIMDs   bound\n",
          f);
    for (unsigned u = 0; u < ANALYSIS_UNITS; u++) {
        const struct analysis_unit *unit = &a->unit[u];

        if (unit->cycles <= 0)
            continue;
        if (u == ANALYSIS_ISSUE)
            fprintf(f, "  %-10s %8.2f      -       -  of the wave\n", unit->name, unit->cycles);
        else
            fprintf(f, "  %-10s %8.2f %6u %7.2f%s\n", unit->name, unit->cycles, unit->simds, unit->bound,
                    u == a->bottleneck ? "  <- the largest" : "");
    }
    fputs("\n  index", f);
    for (unsigned u = 0; u < ANALYSIS_UNITS; u++)
        if (a->unit[u].cycles > 0)
            fprintf(f, " %6s", a->unit[u].name);
    fputs("  text\n", f);
    for (uint32_t k = 0; k < a->inst_count; k++) {
        fprintf(f, "  [%3" PRIu32 "]", k);
        for (unsigned u = 0; u < ANALYSIS_UNITS; u++) {
            double cycles = analysis_iteration_pressure(a, &a->inst[k], u);

            if (a->unit[u].cycles > 0 && cycles > 0)
                fprintf(f, " %6.2f", cycles);
            else if (a->unit[u].cycles > 0)
                fprintf(f, " %6s", "-");
        }
        fprintf(f, "  %.50s\n", a->inst[k].text);
    }
}

/* ---- critical path ---- */

/* Why the cycles of a link pass, in words. */
static void say_link(const struct gcnsim_analysis *a, const struct analysis_link *l, char *out, size_t size)
{
    const char *reason = l->reason < STALL_COUNT ? timing_stall_key[l->reason] : NULL;
    char times[24] = "";

    if (l->times > 1) {
        snprintf(times, sizeof times, "%" PRIu32 " times ", l->times);
        snprintf(out, size, "%s", times);
        out += strlen(times);
        size -= strlen(times);
    }
    switch (l->edge) {
    case EDGE_RESULT:
        if (l->reg.count)
            snprintf(out, size, "result %s", l->register_name);
        else
            snprintf(out, size, "result (%s)", reason ? reason : "s_delay_alu");
        break;
    case EDGE_MEMORY:
        snprintf(out, size, "%s%s%s", reason ? reason : "memory", l->level <= LEVEL_COUNT ? ", answered by " : "",
                 l->level <= LEVEL_COUNT ? event_level_key(l->level) : "");
        break;
    case EDGE_UNIT:
        snprintf(out, size, "structural: %s busy", a->unit[a->inst[l->inst].unit.port].name);
        break;
    default:
        snprintf(out, size, "%s%s%s", analysis_edge_key[l->edge], reason ? ": " : "", reason ? reason : "");
    }
}

static void write_links(FILE *f, const struct gcnsim_analysis *a)
{
    for (uint32_t k = 0; k < a->links && k < MAX_LINKS; k++) {
        const struct analysis_link *l = &a->link[k];
        char why[64], from[24], to[24];

        say_link(a, l, why, sizeof why);
        snprintf(from, sizeof from, "[%" PRIu32 ",%" PRIu32 "]", l->iteration, l->inst);
        snprintf(to, sizeof to, "[%" PRIu32 "]%s", l->to, l->carried ? " next" : "");
        fprintf(f, "  %-9s %8.2f  %-34.34s -> %-10s  %.50s\n", from, l->cycles, why, to, a->inst[l->inst].text);
    }
    if (a->links > MAX_LINKS)
        fprintf(f, "  ... %" PRIu32 " more\n", a->links - MAX_LINKS);
}

static void write_path(FILE *f, const struct gcnsim_analysis *a)
{
    double sum[EDGE_COUNT] = {0};
    /* the loop around a long iteration may be hidden by it, and is taken off the latency all the same */
    double slack = a->repeats ? 0.5 + 0.005 * a->latency : 0.5;
    bool carried = false;
    const char *between = "";

    if (!a->links) {
        fputs("\ncritical path: none was found\n", f);
        return;
    }
    for (uint32_t k = 0; k < a->links; k++) {
        sum[a->link[k].edge] += a->link[k].cycles;
        carried = carried || (a->link[k].carried && a->link[k].edge != EDGE_ISSUE);
    }
    fprintf(f, "\ncritical path: %.2f cycles an iteration (measured: %.2f)", a->path_cycles, a->latency);
    if (a->path_iterations > 1)
        fprintf(f, ", the mean of %" PRIu32 " iterations", a->path_iterations);
    fprintf(f, "; %s\n\n", carried ? "loop-carried" : "iterations follow one another in order");
    if (a->path_cycles < a->latency - slack || a->path_cycles > a->latency + slack)
        fputs("  iterations are not alike (memory, fetch): those looked at took this long, the mean is what is "
              "measured\n\n",
              f);
    fputs("  from        cycles  why                                   until       text\n", f);
    write_links(f, a);
    fputs("\n  ", f);
    for (unsigned k = 0; k < EDGE_COUNT; k++)
        if (sum[k] >= 0.005) {
            fprintf(f, "%s%s %.2f", between, analysis_edge_key[k], sum[k]);
            between = ", ";
        }
    fputc('\n', f);
}

/* ---- the calls ---- */

struct job {
    const struct gcnsim_analysis *a;
    unsigned views;
    uint32_t iterations;
};

static void write_text(FILE *f, const void *job)
{
    const struct job *j = job;
    const struct gcnsim_analysis *a = j->a;

    fprintf(f, "%s: %" PRIu32 " instruction%s, %" PRIu32 " bytes, %s (%s), waves of %" PRIu32 "\n", a->label,
            a->inst_count, a->inst_count == 1 ? "" : "s", a->entry.bytes, a->profile, a->target, a->wave_size);
    if (a->repeats)
        fprintf(f, "an iteration repeats some: it executes %.0f\n", a->executed);
    if (j->views & GCNSIM_ANALYSIS_SUMMARY)
        write_summary(f, a);
    if (j->views & GCNSIM_ANALYSIS_INSTRUCTIONS)
        write_instructions(f, a);
    if (j->views & GCNSIM_ANALYSIS_PRESSURE)
        write_pressure(f, a);
    if (j->views & GCNSIM_ANALYSIS_CRITICAL_PATH)
        write_path(f, a);
    if (j->views & GCNSIM_ANALYSIS_TIMELINE)
        analysis_write_timeline(f, a, j->iterations ? j->iterations : DEFAULT_ITERATIONS);
}

int gcnsim_analysis_text(const struct gcnsim_analysis *a, unsigned views, uint32_t iterations, char **text,
                         struct gcnsim_error *error)
{
    struct job j = {a, views, iterations};

    return api_text(report_render_plain(write_text, &j), "analysis", text, error);
}

static void json_instructions(struct json_put *j, const struct gcnsim_analysis *a)
{
    for (uint32_t k = 0; k < a->inst_count; k++) {
        const struct analysis_inst *i = &a->inst[k];

        json_put(j,
                 "{offset: %" PRIu32 ", text: %s, bytes: %u, class: %s, unit: %s, unit_cycles: %.4f, latency_cycles: "
                 "%" PRIu32 ", wait_cycles: %.4f, confidence: %s",
                 i->offset, i->text, i->sched.size_bytes, op_class_key[i->sched.cls], a->unit[i->unit.port].name,
                 analysis_pressure(a, i, i->unit.port), i->unit.latency_cycles, i->gap, i->confidence);
        if (a->repeats)
            json_put(j, "times: %.4f", i->times);
        json_put(j, "}");
    }
}

static void json_path(struct json_put *j, const struct gcnsim_analysis *a)
{
    json_put(j, "{cycles: %.4f, iterations: %" PRIu32 ", links: [", a->path_cycles, a->path_iterations);
    for (uint32_t k = 0; k < a->links; k++) {
        const struct analysis_link *l = &a->link[k];

        json_put(j,
                 "\n    {iteration: %" PRIu32 ", instruction: %" PRIu32 ", until: %" PRIu32
                 ", loop_carried: %hhd, cycles: %.4f, kind: %s, reason: %s, register: %s",
                 l->iteration, l->inst, l->to, l->carried, l->cycles, analysis_edge_key[l->edge],
                 l->reason < STALL_COUNT ? timing_stall_key[l->reason] : NULL, l->reg.count ? l->register_name : NULL);
        if (l->times > 1)
            json_put(j, "times: %" PRIu32, l->times);
        json_put(j, "}");
    }
    json_put(j, "]}");
}

static void write_json(FILE *f, const void *analysis)
{
    const struct gcnsim_analysis *a = analysis;
    struct json_put j = {.f = f};

    json_put(&j,
             "{\n label: %s, profile: %s, target: %s, wave_size: %" PRIu32 ", bytes: %" PRIu32
             ", latency_cycles: %.4f, throughput_cycles: %.4f, waves_per_simd: %" PRIu32
             ", rthroughput_cycles: %.4f, bottleneck: %s, instructions: [\n",
             a->label, a->profile, a->target, a->wave_size, a->entry.bytes, a->latency, a->throughput,
             a->entry.waves_per_simd, a->rthroughput, is_bound_by_unit(a) ? a->unit[a->bottleneck].name : NULL);
    json_instructions(&j, a);
    json_put(&j, "\n  ], units: {\n");
    for (unsigned u = 0; u < ANALYSIS_UNITS; u++)
        if (a->unit[u].cycles > 0)
            json_put(&j, "%s: {cycles: %.4f, simds: %u, bound_cycles: %.4f}", a->unit[u].name, a->unit[u].cycles,
                     a->unit[u].simds, a->unit[u].bound);
    json_put(&j, "\n  }, critical_path:");
    json_path(&j, a);
    json_put(&j, "}\n");
}

int gcnsim_analysis_json(const struct gcnsim_analysis *a, char **text, struct gcnsim_error *error)
{
    return api_text(report_render(write_json, a), "analysis", text, error);
}
