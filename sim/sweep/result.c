/* Results of points, from the JSON report of gcnsim run and from the table of statistics of gcnsim exec.
 *
 * For a list of launches the last round counts, and for a program all its dispatches: what counts something is summed,
 * what is a share or a rate of one launch is left out then.
 */
#include "sim/sweep/result.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/api/gcnsim.h"
#include "sim/util/json_text.h"

enum { MAX_NESTING = 32 };

struct sweep_reading {
    struct gcnsim_stat *stat; /* gcnsim's table */
    uint32_t stats;
    double *value;
    bool *present;
    const struct json *root; /* of the last report */
    char message[SWEEP_SAID_BYTES + 256], host[HOST_NAME_MAX + 1];
};

struct sweep_reading *sweep_reading_new(void)
{
    struct sweep_reading *r = calloc(1, sizeof *r);
    struct gcnsim_stat stat;

    if (!r)
        return NULL;
    while (gcnsim_stat_info(r->stats, &stat) == 0)
        r->stats++;
    r->stat = calloc(r->stats, sizeof *r->stat);
    r->value = calloc(r->stats, sizeof *r->value);
    r->present = calloc(r->stats, sizeof *r->present);
    if (!r->stat || !r->value || !r->present) {
        sweep_reading_free(r);
        return NULL;
    }
    for (uint32_t k = 0; k < r->stats; k++)
        gcnsim_stat_info(k, &r->stat[k]);
    gethostname(r->host, sizeof r->host - 1);
    return r;
}

void sweep_reading_free(struct sweep_reading *r)
{
    if (!r)
        return;
    json_free(r->root);
    free(r->stat);
    free(r->value);
    free(r->present);
    free(r);
}

/* ---- reports ---- */

bool sweep_stat_is_sum(const struct gcnsim_stat *stat)
{
    static const char *const units[] = {"share", "CUs", "paths", "MSHRs", "links", "die"};
    static const char *const names[] = {"dispatch.clock_cycles", "units.cu.waves_per_simd"};
    static const char average[] = ".average_latency_cycles";
    size_t n = strlen(stat->name);

    if (strchr(stat->unit, '/'))
        return false;
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++)
        if (strcmp(stat->unit, units[k]) == 0)
            return false;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(stat->name, names[k]) == 0)
            return false;
    return n < sizeof average || strcmp(stat->name + n + 1 - sizeof average, average) != 0;
}

static void add(struct sweep_reading *r, uint32_t stat, double value, bool one)
{
    if (!one && !sweep_stat_is_sum(&r->stat[stat]))
        return;
    r->value[stat] += value;
    r->present[stat] = true;
}

/* The member of a report by a statistic's name: "cache.l2.misses". */
static const struct json *member(const struct json *report, const char *name)
{
    char part[64];

    while (report && *name) {
        size_t n = strcspn(name, ".");

        if (n >= sizeof part)
            return NULL;
        memcpy(part, name, n);
        part[n] = 0;
        report = json_get(report, part);
        name += n + (name[n] == '.');
    }
    return report;
}

static void add_report(struct sweep_reading *r, const struct json *report, bool one)
{
    for (uint32_t k = 0; k < r->stats; k++) {
        const struct json *v = member(report, r->stat[k].name);

        if (json_is_number(v))
            add(r, k, json_number(v), one);
    }
}

static const char *text_of(const struct json *report, const char *name)
{
    return json_text(member(report, name));
}

/* The first launch of a list's last round; null: there is none. */
static const struct json *last_round(const struct json *launches)
{
    const struct json *first = NULL, *launch;
    double round = 0;

    for (launch = json_is_array(launches) ? json_first(launches) : NULL; launch; launch = json_next(launch)) {
        double of = json_number(json_get(launch, "round"));

        if (!first || of != round)
            first = launch;
        round = of;
    }
    return first;
}

/* False: it is none. */
static bool take_report(struct sweep_reading *r, const struct sweep_raw *raw, struct sweep_result *out)
{
    struct err ignored = {0};
    const struct json *launches, *report;

    if (!raw->out.size)
        return false;
    r->root = json_text_read(raw->out.data, raw->out.size, "report", MAX_NESTING, &ignored);
    launches = json_get(r->root, "launches");
    report = r->root;
    if (json_is_array(launches)) {
        const struct json *first = last_round(launches);
        for (const struct json *l = first; l; l = json_next(l)) {
            report = json_get(l, "report");
            add_report(r, report, !json_next(first));
        }
    } else {
        add_report(r, r->root, true);
    }
    out->outcome = text_of(report, "outcome");
    if (out->outcome && strcmp(out->outcome, "fault") == 0)
        out->outcome = "faulted"; /* as of a program */
    out->message = text_of(report, "message");
    out->target = text_of(report, "target");
    out->profile = text_of(report, "profile");
    out->gcnsim = text_of(report, "provenance.gcnsim");
    out->code_sha256 = text_of(report, "provenance.code_sha256");
    out->profile_sha256 = text_of(report, "provenance.profile_sha256");
    return out->outcome != NULL;
}

/* The rows of a program: "dispatch,kernel,name,unit,value"; the kernel's name may be in quotes with commas. */
static bool take_table(struct sweep_reading *r, const struct sweep_raw *raw)
{
    uint32_t stat = 0;
    char *line = raw->out.data, *end;

    if (!raw->out.size || strncmp(line, "dispatch,kernel,name,unit,value\n", 32) != 0)
        return false;
    for (line += 32; (end = strchr(line, '\n')); line = end + 1) {
        char *value, *unit, *name;

        *end = 0;
        value = strrchr(line, ',');
        if (!value)
            continue;
        *value++ = 0;
        unit = strrchr(line, ',');
        if (!unit)
            continue;
        *unit = 0;
        name = strrchr(line, ',');
        if (!name++)
            continue;
        /* rows are in the order of the table */
        for (uint32_t tries = 0; tries < r->stats && strcmp(r->stat[stat].name, name) != 0; tries++)
            stat = stat + 1 == r->stats ? 0 : stat + 1;
        if (strcmp(r->stat[stat].name, name) == 0)
            add(r, stat, strtod(value, NULL), false);
    }
    return true;
}

/* ---- endings ---- */

/* What was said last, without the progress and colours of a terminal. */
static const char *last_words(struct sweep_reading *r, const struct sweep_raw *raw, const char *how)
{
    const char *said = raw->said.size ? raw->said.data : "";

    if (strncmp(said, "gcnsim: ", 8) == 0)
        said += 8;
    snprintf(r->message, sizeof r->message, "%s%s%.*s", how, *how && *said ? ": " : "", SWEEP_SAID_BYTES, said);
    for (size_t n = strlen(r->message); n && r->message[n - 1] == '\n';)
        r->message[--n] = 0;
    return r->message;
}

static void take_ending(struct sweep_reading *r, const struct sweep_raw *raw, bool program, bool read,
                        struct sweep_result *out)
{
    char how[80];

    if (raw->timed_out) {
        out->outcome = "timeout";
        out->message = "limits.seconds were over";
    } else if (raw->too_much) {
        out->outcome = "failed";
        out->message = program ? "more than 64 MiB of statistics" : "more than 64 MiB of output";
    } else if (raw->exit_status < 0) {
        snprintf(how, sizeof how, "ended by signal %d", -raw->exit_status);
        out->outcome = "killed";
        out->message = last_words(r, raw, how);
    } else if (program && raw->exit_status == 0 && read) {
        out->outcome = "completed";
    } else if (program && raw->exit_status && read) {
        snprintf(how, sizeof how, "exit status %d", raw->exit_status);
        out->outcome = "faulted";
        out->message = last_words(r, raw, how);
    } else if (raw->exit_status == 127 || raw->exit_status == 3) {
        out->outcome = "failed";
        out->message = last_words(r, raw, raw->exit_status == 127 ? "gcnsim could not be started" : "");
    } else if (raw->exit_status == 2) {
        out->outcome = "refused";
        out->message = last_words(r, raw, "");
    } else if (!read) {
        snprintf(how, sizeof how, "exit status %d and no %s", raw->exit_status, program ? "statistics" : "report");
        out->outcome = "failed";
        out->message = last_words(r, raw, how);
    } else if (raw->exit_status && raw->said.size) {
        out->message = last_words(r, raw, "");
    }
}

void sweep_reading_take(struct sweep_reading *r, const struct sweep_raw *raw, bool program, struct sweep_result *out)
{
    bool read;

    json_free(r->root);
    r->root = NULL;
    memset(r->value, 0, r->stats * sizeof *r->value);
    memset(r->present, 0, r->stats * sizeof *r->present);
    out->outcome = out->message = NULL;
    out->gcnsim = gcnsim_version();
    out->host = r->host;
    out->started = raw->started;
    out->seconds = raw->seconds;
    out->cpu_seconds = raw->cpu_seconds;
    out->peak_bytes = raw->peak_bytes;
    out->exit_status = raw->exit_status;
    read = program ? take_table(r, raw) : take_report(r, raw, out);
    out->value = read ? r->value : NULL;
    out->present = r->present;
    take_ending(r, raw, program, read, out);
}
