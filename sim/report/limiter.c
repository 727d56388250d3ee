/* What limited a run: shares of peak, what waves wait for, and one sentence. docs/REPORT.md states the rule.
 *
 *   1. A resource at BOUND of the chip's peak or more: the run is bound by the one with the highest share.
 *   2. Compute units have waves for less than FEW_CUS of the time (all of them together), or less than FEW_USED of them
 *      get work at all: the dispatch is too small.
 *   3. A resource of compute units at BOUND of the peak in the time in which these have waves: bound by it.
 *   4. Otherwise waves wait: of the groups of stall reasons below the one with the most wave-cycles.
 */
#define _GNU_SOURCE
#include <math.h>
#include <string.h>

#include "sim/report/limiter.h"

#define BOUND      0.60
#define FEW_CUS    0.50
#define FEW_USED   0.75 /* share of the compute units that get work, below which there are too few workgroups */
#define QUEUEING   1.5  /* loads that take so many times what the slowest one takes alone have queued */
#define MSHRS_FULL 0.50 /* share of the time from which on misses are limited by their number */

const char *const report_limit_key[LIMIT_CLASSES] = {[LIMIT_COMPUTE] = "compute",
                                                     [LIMIT_BANDWIDTH] = "bandwidth",
                                                     [LIMIT_LATENCY] = "latency",
                                                     [LIMIT_ISSUE] = "issue",
                                                     [LIMIT_SIZE] = "size"};

const struct limit_resource limit_resource[LIMIT_RESOURCES] = {
    {"valu", "vector ALU", STAT_PEAK_VALU, LIMIT_COMPUTE, true, false, WORK_VALU},
    {"trans", "transcendental unit", STAT_PEAK_TRANS, LIMIT_COMPUTE, true, false, WORK_NONE},
    {"matrix", "matrix unit", STAT_PEAK_MATRIX, LIMIT_COMPUTE, true, false, WORK_MATRIX},
    {"salu", "scalar ALU", STAT_PEAK_SALU, LIMIT_COMPUTE, true, false, WORK_NONE},
    {"branch", "branch unit", STAT_PEAK_BRANCH, LIMIT_COMPUTE, true, false, WORK_NONE},
    {"smem", "scalar memory unit", STAT_PEAK_SMEM, LIMIT_BANDWIDTH, true, false, WORK_NONE},
    {"lds", "LDS", STAT_PEAK_LDS, LIMIT_BANDWIDTH, true, false, WORK_LDS},
    {"vmem", "address unit", STAT_PEAK_VMEM, LIMIT_BANDWIDTH, true, false, WORK_NONE},
    {"vl0", "vL0", STAT_PEAK_VL0, LIMIT_BANDWIDTH, true, false, WORK_LEVEL + LEVEL_VL0},
    {"k", "scalar cache", STAT_PEAK_K, LIMIT_BANDWIDTH, true, false, WORK_LEVEL + LEVEL_K},
    {"gl1", "GL1", STAT_PEAK_GL1, LIMIT_BANDWIDTH, false, false, WORK_LEVEL + LEVEL_GL1},
    {"l2", "L2", STAT_PEAK_L2, LIMIT_BANDWIDTH, false, false, WORK_LEVEL + LEVEL_L2},
    {"mall", "MALL", STAT_PEAK_MALL, LIMIT_BANDWIDTH, false, false, WORK_LEVEL + LEVEL_MALL},
    {"fabric", "fabric", STAT_PEAK_FABRIC, LIMIT_BANDWIDTH, false, false, WORK_NONE},
    {"dram", "DRAM", STAT_PEAK_DRAM, LIMIT_BANDWIDTH, false, false, WORK_DRAM},
    {"i", "instruction cache", STAT_PEAK_I, LIMIT_BANDWIDTH, true, true, WORK_LEVEL + LEVEL_I},
    {"issue", "issue slots", STAT_PEAK_ISSUE, LIMIT_ISSUE, true, true, WORK_NONE},
};

struct finder {
    struct report_maker *m;
    struct report *r;
    const double *v; /* statistics */
    const struct profile *p;
    double cause[STALL_CAUSES]; /* share of the wave-cycles */
};

static double quotient(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static double cache_stat(const struct finder *f, enum cache_level level, enum stat_cache which)
{
    return f->v[stat_of_cache(level, which)];
}

static bool has_level(const struct finder *f, enum cache_level level)
{
    return f->r->present[stat_of_cache(level, 0)];
}

/* Causes ----------------------------------------------------------------------------------------------------------- */

/* Where instructions wait for results in the vector ALU's queue, a full queue counts as a busy unit: unless the unit is
 * near its peak, the results are what is waited for. */
bool report_waits_in_queue(const double *stats, const struct profile *p)
{
    return p->queue.valu_entries && stats[STAT_PEAK_VALU] < BOUND * stats[STAT_PEAK_CUS];
}

double report_lds_part(const double *stats, const struct profile *p)
{
    double scalar = stats[stat_of_cache(LEVEL_K, STAT_CACHE_LOAD_LATENCY_CYCLES)];
    double lds = stats[STAT_LDS_ACCESSES] * p->lds.latency_b32_cycles + stats[STAT_LDS_PORT_CYCLES];

    return quotient(lds, lds + scalar);
}

static void find_causes(struct finder *f)
{
    double shared = 0, all = f->v[STAT_RESIDENT_WAVE_CYCLES], lds = report_lds_part(f->v, f->p);

    for (unsigned k = 0; k < STALL_COUNT; k++) {
        double share = quotient(f->v[STAT_STALL + k], all);

        if (timing_stall_row[k].cause == STALL_CAUSE_SHARED)
            shared += share;
        else
            f->cause[timing_stall_row[k].cause] += share;
    }
    if (report_waits_in_queue(f->v, f->p)) {
        f->cause[STALL_CAUSE_DEPENDENCY] += f->cause[STALL_CAUSE_VALU];
        f->cause[STALL_CAUSE_VALU] = 0;
    }
    f->cause[STALL_CAUSE_LDS] += shared * lds;
    f->cause[STALL_CAUSE_SCALAR] += shared - shared * lds;
}

static enum timing_stall_cause largest_cause(const struct finder *f)
{
    unsigned best = 0;

    for (unsigned k = 1; k < STALL_CAUSES; k++)
        if (f->cause[k] > f->cause[best])
            best = k;
    return (enum timing_stall_cause)best;
}

/* The level at which the requests of `from` spend most: of each level the requests it serves, by its latency from load
 * to use. LEVEL_COUNT: DRAM. */
static unsigned slowest_level(const struct finder *f, enum cache_level from)
{
    static const uint8_t below[] = {LEVEL_GL1, LEVEL_L2, LEVEL_MALL};
    double requests = cache_stat(f, from, STAT_CACHE_ACCESSES), hits = cache_stat(f, from, STAT_CACHE_HITS);
    double most = hits * f->p->cache[from].hit_latency_cycles, left = requests - hits;
    unsigned slowest = from;

    for (unsigned k = 0; k < sizeof below; k++) {
        enum cache_level level = (enum cache_level)below[k];
        double served, cost;

        if (!has_level(f, level) || (level == LEVEL_GL1 && from == LEVEL_K && !f->p->cache[LEVEL_GL1].serves_scalar))
            continue;
        served = left * quotient(cache_stat(f, level, STAT_CACHE_HITS), cache_stat(f, level, STAT_CACHE_ACCESSES));
        cost = served * f->p->cache[level].hit_latency_cycles;
        if (cost > most) {
            most = cost;
            slowest = level;
        }
        left -= served;
    }
    return left * f->p->dram.latency_cycles > most ? (unsigned)LEVEL_COUNT : slowest;
}

/* What "compute units with waves" are counted in. */
static const char *units(const struct finder *f)
{
    return f->p->gpu.cus_per_wgp > 1 ? "workgroup processors" : "compute units";
}

static const char *level_name(unsigned level)
{
    static const char *const name[] = {"vL0", "the scalar cache", "the instruction cache", "GL1", "L2", "MALL", "DRAM"};

    return name[level];
}

/* The level of vector memory whose MSHRs are all in use for the longest, if that limits misses; LEVEL_COUNT: none. */
static unsigned full_level(const struct finder *f, double *share)
{
    unsigned best = LEVEL_COUNT;

    *share = MSHRS_FULL;
    for (unsigned k = 0; k < LEVEL_COUNT; k++)
        if (k != LEVEL_I && k != LEVEL_K && has_level(f, (enum cache_level)k) &&
            cache_stat(f, (enum cache_level)k, STAT_CACHE_MSHR_LIMIT) >= *share) {
            *share = cache_stat(f, (enum cache_level)k, STAT_CACHE_MSHR_LIMIT);
            best = k;
        }
    return best;
}

/* Verdicts --------------------------------------------------------------------------------------------------------- */

static struct report_limiter verdict(unsigned class, const char *resource, double share, const char *text)
{
    return (struct report_limiter){(enum report_limit) class, resource, share, text, NULL};
}

static struct report_limiter latency_of_memory(struct finder *f)
{
    double full, load, alone, waits = f->cause[STALL_CAUSE_MEMORY]; /* alone: of a load from DRAM with a page walk */
    unsigned level = full_level(f, &full);
    bool queues;

    if (level != LEVEL_COUNT)
        return verdict(LIMIT_LATENCY, cache_level_key[level], full,
                       report_keepf(f->m, "latency-bound: %s misses outstanding are at the limit %.0f %% of the time",
                                    level_name(level), 100 * full));
    level = slowest_level(f, LEVEL_VL0);
    load = cache_stat(f, LEVEL_VL0, STAT_CACHE_AVERAGE_LATENCY_CYCLES);
    alone =
        f->p->dram.latency_cycles + f->p->tlb.utcl1_miss_cycles + f->p->tlb.walk_levels * f->p->tlb.walk_read_cycles;
    queues = level == LEVEL_COUNT && load >= QUEUEING * alone;
    return verdict(LIMIT_LATENCY, level == LEVEL_COUNT ? "dram" : cache_level_key[level], waits,
                   report_keepf(f->m,
                                "latency-bound on %s%s: waves wait for vector memory %.0f %% of their time; "
                                "a load takes %.0f cycles%s",
                                queues ? "queues on the way to " : "", level_name(level), 100 * waits, load,
                                queues ? report_keepf(f->m, ", and %.0f at most when alone", alone) : ""));
}

static struct report_limiter latency_of_scalars(struct finder *f)
{
    return verdict(LIMIT_LATENCY, "scalar", f->cause[STALL_CAUSE_SCALAR],
                   report_keepf(f->m,
                                "latency-bound on scalar loads from %s: waves wait for them %.0f %% of their time",
                                level_name(slowest_level(f, LEVEL_K)), 100 * f->cause[STALL_CAUSE_SCALAR]));
}

static struct report_limiter latency_of_fetch(struct finder *f)
{
    double misses = quotient(cache_stat(f, LEVEL_I, STAT_CACHE_MISSES), cache_stat(f, LEVEL_I, STAT_CACHE_ACCESSES));

    return verdict(LIMIT_LATENCY, "fetch", f->cause[STALL_CAUSE_FETCH],
                   report_keepf(f->m,
                                "latency-bound on instruction fetch: waves have no instruction %.0f %% of their time; "
                                "%.0f %% of the fetches miss",
                                100 * f->cause[STALL_CAUSE_FETCH], 100 * misses));
}

static struct report_limiter latency_of_results(struct finder *f)
{
    static const struct {
        uint8_t stall;
        const char *name;
    } units[] = {{STALL_DEPENDENCY_VALU, "results of the vector ALU"},
                 {STALL_DEPENDENCY_TRANS, "results of the transcendental unit"},
                 {STALL_DEPENDENCY_MATRIX, "results of the matrix unit"},
                 {STALL_DEPENDENCY_SALU, "results of the scalar ALU"},
                 {STALL_DEPENDENCY_QUEUE, "instructions that are still in queues"}};
    double most = 0;
    unsigned best = 0;

    for (unsigned k = 0; k < sizeof units / sizeof *units; k++) {
        double cycles = f->v[STAT_STALL + units[k].stall];

        if (units[k].stall == STALL_DEPENDENCY_VALU && report_waits_in_queue(f->v, f->p))
            cycles += f->v[STAT_STALL + STALL_UNIT_BUSY_VALU];
        if (cycles > most) {
            most = cycles;
            best = k;
        }
    }
    return verdict(LIMIT_LATENCY, "dependency", f->cause[STALL_CAUSE_DEPENDENCY],
                   report_keepf(f->m,
                                "latency-bound on a dependency chain: waves wait for results %.0f %% of their time, "
                                "most for %s",
                                100 * f->cause[STALL_CAUSE_DEPENDENCY], units[best].name));
}

/* What waves do in most of their cycles, when nothing is near its peak. */
static struct report_limiter of_waves(struct finder *f)
{
    static const struct {
        const char *key, *what;
        uint8_t class;
    } simple[STALL_CAUSES] = {
        [STALL_CAUSE_LDS] = {"lds", "latency-bound on LDS: waves wait for it", LIMIT_LATENCY},
        [STALL_CAUSE_BARRIER] = {"barrier", "latency-bound on barriers: waves wait for others", LIMIT_LATENCY},
        [STALL_CAUSE_LAUNCH] = {"launch", "latency-bound on launch: waves are being set up", LIMIT_LATENCY},
        [STALL_CAUSE_SLEEP] = {"sleep", "latency-bound on s_sleep and s_nop: waves rest", LIMIT_LATENCY},
        [STALL_CAUSE_ISSUE] = {"issue", "issue-bound: waves issue, or wait for their turn,", LIMIT_ISSUE},
        [STALL_CAUSE_VALU] = {"valu", "compute-bound: waves wait for a busy vector ALU", LIMIT_COMPUTE},
        [STALL_CAUSE_TRANS] = {"trans", "compute-bound: waves wait for a busy transcendental unit", LIMIT_COMPUTE},
        [STALL_CAUSE_MATRIX] = {"matrix", "compute-bound: waves wait for a busy matrix unit", LIMIT_COMPUTE},
        [STALL_CAUSE_SALU] = {"salu", "compute-bound: waves wait for a busy scalar ALU", LIMIT_COMPUTE},
        [STALL_CAUSE_BRANCH] = {"branch", "latency-bound on branches: waves wait for them", LIMIT_LATENCY},
        [STALL_CAUSE_EXPORT] = {"export", "latency-bound on exports and GDS: waves wait for them", LIMIT_LATENCY},
    };
    enum timing_stall_cause cause = largest_cause(f);

    switch (cause) {
    case STALL_CAUSE_MEMORY:
        return latency_of_memory(f);
    case STALL_CAUSE_SCALAR:
        return latency_of_scalars(f);
    case STALL_CAUSE_FETCH:
        return latency_of_fetch(f);
    case STALL_CAUSE_DEPENDENCY:
        return latency_of_results(f);
    default:
        return verdict(simple[cause].class, simple[cause].key, f->cause[cause],
                       report_keepf(f->m, "%s %.0f %% of their time", simple[cause].what, 100 * f->cause[cause]));
    }
}

/* The resource with the highest share of peak; local ones are measured over the time in which compute units have waves
 * when `busy` is not 1. Whoever fills a unit fills what feeds it, too: that counts when nothing else is at BOUND. */
static const struct limit_resource *nearest_to_peak(const struct finder *f, double busy, double *share)
{
    const struct limit_resource *best = NULL;

    *share = 0;
    for (size_t k = 0; k < LIMIT_RESOURCES; k++) {
        const struct limit_resource *at = &limit_resource[k];
        double s = f->v[at->stat] / (at->local ? busy : 1);

        if (at->feeds && *share >= BOUND)
            break;
        if (f->r->present[at->stat] && s > *share) {
            *share = s;
            best = at;
        }
    }
    return best;
}

static struct report_limiter bound_by(struct finder *f, const struct limit_resource *at, double share, bool busy_time)
{
    const char *when = busy_time ? report_keepf(f->m, " while %s have waves", units(f)) : "";
    double percent = fmin(100 * share, 100), conflicts;
    const char *text;

    conflicts = quotient(f->v[STAT_LDS_BANK_CONFLICT_CYCLES] + f->v[STAT_LDS_ADDRESS_CONFLICT_CYCLES],
                         f->v[STAT_LDS_PORT_CYCLES]);
    if (at->class == LIMIT_COMPUTE)
        text = report_keepf(f->m, "compute-bound: the %s is busy %.0f %% of the time%s", at->name, percent, when);
    else if (at->class == LIMIT_ISSUE)
        text = report_keepf(f->m, "issue-bound: %.0f %% of the issue slots are used%s", percent, when);
    else if (at->stat == STAT_PEAK_LDS && conflicts >= 0.1)
        text =
            report_keepf(f->m, "bandwidth-bound: LDS is at %.0f %% of its peak%s; %.0f %% of its cycles are conflicts",
                         percent, when, 100 * conflicts);
    else
        text = report_keepf(f->m, "bandwidth-bound: %s is at %.0f %% of its peak%s", at->name, percent, when);
    return verdict(at->class, at->key, share, text);
}

static bool few_get_work(const struct finder *f)
{
    return f->v[STAT_CUS_USED] < FEW_USED * f->p->gpu.cus;
}

static struct report_limiter too_small(struct finder *f, double busy)
{
    double used = f->v[STAT_CUS_USED], cus = f->p->gpu.cus;

    if (few_get_work(f))
        return verdict(LIMIT_SIZE, "cus", used / cus,
                       report_keepf(f->m, "too small: %.0f of %.0f compute units get work", used, cus));
    return verdict(LIMIT_SIZE, "tail", busy,
                   report_keepf(f->m,
                                "too small: %s have waves only %.0f %% of the time; the rest is the start and "
                                "the tail, when the last workgroups run",
                                units(f), 100 * busy));
}

/* Rules 3 and 4. */
static struct report_limiter within_cus(struct finder *f, double busy)
{
    double share;
    const struct limit_resource *at = nearest_to_peak(f, busy, &share);

    return at && share >= BOUND ? bound_by(f, at, share, true) : of_waves(f);
}

void report_find_limiter(struct report_maker *m, struct report *r)
{
    struct finder f = {.m = m, .r = r, .v = r->value, .p = m->l->profile};
    const struct limit_resource *at;
    double share, busy;

    if (!f.p || !r->present[STAT_PEAK_CUS] || f.v[STAT_RESIDENT_WAVE_CYCLES] <= 0 || f.v[STAT_PEAK_CUS] <= 0)
        return;
    find_causes(&f);
    busy = fmin(f.v[STAT_PEAK_CUS], 1);
    at = nearest_to_peak(&f, 1, &share);
    r->has_limiter = true;
    if (at && share >= BOUND) {
        r->limiter = bound_by(&f, at, share, false);
    } else if (busy < FEW_CUS || few_get_work(&f)) {
        r->limiter = too_small(&f, busy);
        r->limiter.within = within_cus(&f, busy).verdict;
    } else {
        r->limiter = within_cus(&f, busy);
    }
}
