/* Reports: who gets a dispatch's numbers, and the summary at the end of a process, kernels by simulated time. */
#define _GNU_SOURCE
#include "sim/hsa/sinks/report.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/hsa/agents/device.h"
#include "sim/hsa/core/clock.h"
#include "sim/hsa/sampling/select.h"
#include "sim/hsa/sinks/att.h"
#include "sim/hsa/sinks/explain.h"
#include "sim/hsa/sinks/report_html.h"
#include "sim/hsa/sinks/report_sinks.h"
#include "sim/hsa/sinks/timeline.h"
#include "sim/hsa/sinks/views.h"
#include "sim/hsa/waits/waits.h"

#define SUMMARY_COLUMNS    80
#define SUMMARY_KERNELS    12 /* lines of the summary are at most about 40; GCNSIM_DETAILS shows all */
#define NAME_COLUMNS       27 /* of a kernel's name, which in those of templates has no end; likewise */
#define VERDICT_COLUMNS    (SUMMARY_COLUMNS - 13)
#define MISSED_STATUS      2   /* of the process, as of a command with a wrong option */
#define NOT_WRITTEN_STATUS 3   /* as of the command line */
#define NAMED_CHARACTERS   100 /* of a kernel in a message */

/* All under `lock`. Kernels are never released: pointers to them go to sinks during a call alone. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct report_kernel *kernels;
static size_t kernel_count, kernel_capacity;
static struct {
    uint64_t all, timing, native, estimated, ended_early, ns;
    uint64_t overruns, overrun; /* accesses, and dispatches with some */
    uint64_t gaps, gap_ns;      /* dispatches behind another one of their queue, and the time between */
} count;
static uint64_t began_ns, told; /* told: dispatches in the last summary */
static const struct runtime *runtime;

static uint64_t hash_of(const char *name, const struct gcnsim_kernel_info *i)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (; *name; name++)
        h = (h ^ (uint8_t)*name) * UINT64_C(0x100000001b3);
    return h ^ (i->vgprs + ((uint64_t)i->agprs << 10) + ((uint64_t)i->sgprs << 20) +
                ((uint64_t)i->group_segment_fixed_size << 28) + ((uint64_t)i->private_segment_fixed_size << 44));
}

/* The numbers of a kernel, without texts, which belong to a code object that may go. */
static struct gcnsim_kernel_info numbers_of(const struct gcnsim_kernel_info *i)
{
    struct gcnsim_kernel_info out = i ? *i : (struct gcnsim_kernel_info){0};

    out.name = out.symbol = NULL;
    return out;
}

static struct report_kernel *kernel_of(const char *name, const struct gcnsim_kernel_info *from)
{
    struct gcnsim_kernel_info info = numbers_of(from);
    struct report_kernel k = {.hash = hash_of(name, &info), .info = info};

    for (size_t j = 0; j < kernel_count; j++)
        if (kernels[j].hash == k.hash && strcmp(kernels[j].name, name) == 0)
            return &kernels[j];
    if (kernel_count == kernel_capacity) {
        size_t more = kernel_capacity ? 2 * kernel_capacity : 32;
        struct report_kernel *all = realloc(kernels, more * sizeof *all);

        if (!all)
            return NULL;
        kernels = all;
        kernel_capacity = more;
    }
    k.id = kernel_count + 1;
    k.name = strdup(name);
    if (!k.name || gcnsim_demangle(name, &k.shown, NULL) != GCNSIM_OK) {
        free(k.name);
        return NULL;
    }
    kernels[kernel_count] = k;
    return &kernels[kernel_count++];
}

static void note_limiter(const struct dispatch_record *d, struct report_kernel *k)
{
    double cycles = 0;

    if (!d->timing || !d->result || !d->result->limiter ||
        gcnsim_result_stat(d->result, "cycles", &cycles) != GCNSIM_OK || (k->limited && cycles <= k->longest))
        return;
    free(k->limited);
    k->limited = strdup(d->result->limiter->verdict);
    k->longest = cycles;
}

static void note_overruns(const struct gcnsim_result *r)
{
    for (size_t k = 0; k < r->finding_count; k++)
        if (strcmp(r->findings[k].rule, REPORT_OVERRUN) == 0) {
            count.overruns += r->findings[k].count;
            count.overrun++;
        }
}

void report_dispatch(const struct dispatch_record *d)
{
    const struct exec_options *o;
    struct report_kernel *k;

    pthread_mutex_lock(&lock);
    o = &runtime->options;
    k = kernel_of(d->kernel, d->info);
    count.all++;
    count.timing += d->timing;
    count.native += d->native;
    count.estimated += d->sample.cycles > 0;
    count.ended_early += d->result && d->result->outcome != GCNSIM_COMPLETED;
    count.ns += d->end_ns - d->start_ns;
    count.gaps += d->has_gap;
    count.gap_ns += d->gap_ns;
    if (d->result)
        note_overruns(d->result);
    if (!k) {
        rt_log_once("report", "out of host memory for the report of a kernel");
    } else {
        k->calls++;
        k->ns += d->end_ns - d->start_ns;
        if (o->report)
            sqlite_dispatch(d, k);
        note_limiter(d, k);
        if (o->summary)
            fidelity_dispatch(d);
        csv_dispatch(d, k);
        json_dispatch(d);
        html_dispatch(d, k);
        views_dispatch(d);
    }
    pthread_mutex_unlock(&lock);
}

void report_waits(const struct waits *w, const char *how)
{
    char *lines = NULL, *text;

    if (!w || !rt_any() || !runtime)
        return;
    pthread_mutex_lock(&lock);
    sqlite_waits(w);
    json_waits(w, how);
    if (runtime->options.summary)
        lines = waits_text(w);
    if (lines && asprintf(&text, "gcnsim: %s: who waits for what:\n%s", how, lines) >= 0) {
        rt_log_text(text);
        free(text);
    }
    free(lines);
    pthread_mutex_unlock(&lock);
}

uint64_t report_count(void)
{
    uint64_t n;

    pthread_mutex_lock(&lock);
    n = count.all;
    pthread_mutex_unlock(&lock);
    return n;
}

/* The summary ------------------------------------------------------------------------------------------------------ */

static int by_time(const void *a, const void *b)
{
    const struct report_kernel *x = *(struct report_kernel *const *)a, *y = *(struct report_kernel *const *)b;

    return x->ns < y->ns ? 1 : x->ns > y->ns ? -1 : x->id < y->id ? -1 : 1;
}

/* The verdict on a kernel's longest call, below its row; what it explains beyond the first line is for the details. */
static void tell_limiter(const char *verdict, bool details)
{
    size_t columns = strlen(verdict), clause = strcspn(verdict, ";");
    char text[400];

    if (!details && columns > VERDICT_COLUMNS)
        columns = clause;
    snprintf(text, sizeof text, "     %.*s", (int)columns, verdict);
    rt_log_wrapped("     ", text);
}

static void tell_kernel(const struct report_kernel *r, bool details)
{
    size_t length = strlen(r->shown);
    bool cut = !details && length > NAME_COLUMNS;

    rt_log("%6.1f %% %8" PRIu64 " %11.3f %13.3f  %.*s%s", 100.0 * (double)r->ns / (double)(count.ns ? count.ns : 1),
           r->calls, (double)r->ns / (double)r->calls * 1e-3, (double)r->ns * 1e-3,
           (int)(cut ? NAME_COLUMNS - 3 : length), r->shown, cut ? "..." : "");
    if (r->limited)
        tell_limiter(r->limited, details);
}

static void tell_kernels(void)
{
    struct report_kernel **order = malloc(kernel_count * sizeof(*order));
    bool details = runtime->options.common.details;
    size_t shown = details || kernel_count <= SUMMARY_KERNELS ? kernel_count : SUMMARY_KERNELS;
    uint64_t folded_ns = 0;

    if (!order)
        return;
    for (size_t k = 0; k < kernel_count; k++)
        order[k] = &kernels[k];
    qsort(order, kernel_count, sizeof(*order), by_time);
    rt_log("%8s %8s %11s %13s  %s", "share", "calls", "mean us", "total us", "kernel, what limits it");
    for (size_t k = 0; k < shown; k++)
        tell_kernel(order[k], details);
    for (size_t k = shown; k < kernel_count; k++)
        folded_ns += order[k]->ns;
    if (kernel_count > shown)
        rt_log("and %zu more kernel%s, %.1f %% of the time: --details (GCNSIM_DETAILS=1)", kernel_count - shown,
               kernel_count - shown == 1 ? "" : "s", 100.0 * (double)folded_ns / (double)(count.ns ? count.ns : 1));
    free(order);
}

/* The profiles in full: "gfx90a-mi210" where the user has said "gfx90a". */
static void tell_profiles(char *out, size_t n)
{
    size_t at = 0;

    *out = 0;
    for (uint32_t k = 0; k < runtime->agents && at < n; k++) {
        const struct device *d = runtime->agent[k].device;
        const char *name = d && d->sim ? gcnsim_profile_name(d->sim) : NULL;

        if (name)
            at += (size_t)snprintf(out + at, n - at, "%s%s", at ? ", " : "", name);
    }
}

static void tell_engine(uint64_t dispatches, const char *who)
{
    if (dispatches)
        rt_log("%" PRIu64 " %s", dispatches, who);
}

/* What launches cost that no kernel's time has. */
static void tell_gaps(void)
{
    if (count.gaps)
        rt_log("gaps: %.3f us before %" PRIu64 " ready dispatch%s, %.3f us each", (double)count.gap_ns * 1e-3,
               count.gaps, count.gaps == 1 ? "" : "es", (double)count.gap_ns * 1e-3 / (double)count.gaps);
}

static void tell_summary(void)
{
    const struct exec_options *o = &runtime->options;
    char profiles[256];

    tell_profiles(profiles, sizeof profiles);
    rt_log("%" PRIu64 " dispatch%s of %zu kernel%s on %s: %.3f us simulated", count.all, count.all == 1 ? "" : "es",
           kernel_count, kernel_count == 1 ? "" : "s", profiles, (double)count.ns * 1e-3);
    tell_engine(count.timing, "by the timing engine");
    tell_engine(count.estimated, "by the functional engine, whose times are estimates");
    tell_engine(count.all - count.timing - count.native - count.estimated,
                "by the functional engine, whose times are nominal");
    tell_engine(count.native, "copies of the runtime by the host");
    rt_log("%.2f s of this host", (double)(clock_real_ns() - began_ns) * 1e-9);
    if (count.ended_early)
        rt_log("%" PRIu64 " of them did not run to their end", count.ended_early);
    if (count.overruns)
        rt_log("%" PRIu64 " access%s behind the end of an allocation, in its last page, in %" PRIu64
               " dispatch%s: they pass as on hardware, --slack none refuses them",
               count.overruns, count.overruns == 1 ? "" : "es", count.overrun, count.overrun == 1 ? "" : "es");
    tell_gaps();
    sample_tell(runtime);
    fidelity_tell();
    tell_kernels();
    if (o->report)
        rt_log("report: %s", o->report);
    if (o->csv)
        rt_log("traces: %s/%ld_kernel_trace.csv, %s/%ld_counter_collection.csv", o->csv, (long)getpid(), o->csv,
               (long)getpid());
}

/* A dispatch that the user has chosen and that did not come: what came instead. */
static bool tell_missed(const char *option, enum select_nth which, const char *choice)
{
    char *part = NULL, *names = NULL;
    uint64_t seen = choice ? select_missed(which, choice, &part) : UINT64_MAX;
    size_t size, lines = kernel_count < SUMMARY_KERNELS ? kernel_count : SUMMARY_KERNELS;
    FILE *out;

    if (seen == UINT64_MAX)
        return false;
    out = open_memstream(&names, &size);
    for (size_t k = 0; out && k < lines; k++)
        fprintf(out, "%s%.*s", k ? ", " : "; kernels: ", NAMED_CHARACTERS, kernels[k].shown);
    if (out && kernel_count > lines)
        fprintf(out, " and %zu more", kernel_count - lines);
    if (out)
        fclose(out);
    if (seen)
        rt_log("%s %s: there were %" PRIu64 " dispatches of kernels with '%s' in their names%s", option, choice, seen,
               part, names ? names : "");
    else
        rt_log("%s %s: there was no dispatch of a kernel with '%s' in its name%s", option, choice, part,
               names ? names : "");
    free(names);
    free(part);
    return true;
}

/* The process ends: says what it has not done, once. False: a dispatch that the user has chosen by name has not come.
 */
static bool tell_end(void)
{
    static bool missed, asked;
    const struct exec_options *o = &runtime->options;
    char profiles[256];

    if (!asked) {
        asked = true;
        tell_profiles(profiles, sizeof profiles);
        if (!count.all && o->summary)
            rt_log("no kernel was dispatched: the program initialised the HSA runtime, and that was all on %s",
                   profiles);
        missed = tell_missed("--explain", SELECT_EXPLAIN, o->explain);
        if (exec_is_timing(o))
            missed |= tell_missed("--of", SELECT_OF, o->of);
    }
    return !missed;
}

void report_end(const char *how)
{
    if (!rt_any() || !runtime) /* a forked child has its parent's exit handlers, and perhaps its locks */
        return;
    pthread_mutex_lock(&lock);
    if (runtime->options.report)
        sqlite_end(how, (double)(clock_real_ns() - began_ns) * 1e-9);
    const char *timeline = timeline_end(), *pages = html_end();
    if (runtime->options.summary && count.all != told) {
        tell_summary();
        if (timeline)
            rt_log("timeline: %s", timeline);
        if (pages)
            rt_log("pages: %s", pages);
    }
    views_end();
    told = count.all;
    if (how)
        tell_end();
    pthread_mutex_unlock(&lock);
}

/* A program that has ended well did not do what the user has asked for when a chosen dispatch has not come. The C
 * library goes on with the other handlers, and that status, when one calls exit(). */
static void at_exit(int status, void *ctx)
{
    bool well;

    (void)ctx;
    report_end(NULL);
    if (!rt_any())
        return;
    pthread_mutex_lock(&lock);
    well = tell_end();
    pthread_mutex_unlock(&lock);
    if (!well && status == 0)
        exit(MISSED_STATUS);
    if (!rt_log_is_whole() && status == 0)
        exit(NOT_WRITTEN_STATUS);
}

/* An explanation runs the launch several times, so it is made before a thread trace is asked for. */
static void begins(struct dispatch *d)
{
    if (d->watch)
        timeline_add(d, views_add(d));
    explain_dispatch(d);
    if (d->watch) {
        html_add(d);
        att_add(d);
    }
}

static void ended(const struct dispatch *d, const struct dispatch_record *r)
{
    if (d->watch)
        views_wave(d);
    report_dispatch(r);
}

bool report_begin(struct runtime *r, char *why, size_t n)
{
    static const struct dispatch_sink sink = {begins, ended};
    const struct exec_options *o = &r->options;

    if ((o->report && !sqlite_open(r, o->report, why, n)) || !csv_open(o, why, n) || !json_open(o, why, n) ||
        !timeline_begin(r, why, n) || !html_open(r, why, n) || !views_begin(r, why, n))
        return false;
    runtime = r;
    dispatches_report_to(&sink);
    began_ns = clock_real_ns();
    if (o->summary || o->report || o->html || o->trace || o->common.annotate || o->csv_instructions || o->explain ||
        o->of)
        on_exit(at_exit, NULL);
    return true;
}
