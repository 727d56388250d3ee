/* The what-ifs of gcnsim explain: the figures of the profile that each of them replaces.
 *
 * A figure that says the limit is set past what a launch can need; where none says it, a row of the group `ideal` does
 * (config/profile.h). Every what-if is a list of assignments, as --set takes them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/explain.h"

/* clang-format off */
#define MSHRS(L)     "cache." L ".mshrs*16:512 cache." L ".pass_entries*16:2048 cache." L ".queue_entries*16:2048"
#define BANDWIDTH(L) "cache." L ".bytes_per_cycle=4096 cache." L ".tag_lookups_per_cycle=64"
#define RATE(C)      "class." C ".issue_cycles_w32/2 class." C ".issue_cycles_w64/2"
#define NO_WAIT(C)   "class." C ".latency_cycles=1"
#define LARGE_CODE   "queue.vgpr_cache_lines=0"

const struct cause causes[] = {
    {"lds.conflicts", "no bank or address conflicts in LDS", "ideal.no_lds_conflicts=true",
     "lds.bank_conflict_cycles lds.address_conflict_cycles"},
    {"coalescing", "lanes of vector memory accesses side by side", "ideal.full_lines=true", "cache.vl0.accesses"},
    {"channels", "channels of GL1, L2, MALL and DRAM evenly used", "ideal.spread_channels=true", "cache.l2.accesses"},

    {"mshrs", "all caches: MSHRs and queues 16 times as many",
     MSHRS("vl0") " " MSHRS("k") " " MSHRS("i") " " MSHRS("gl1") " " MSHRS("l2") " " MSHRS("mall"), "cache.vl0.misses "
     "cache.k.misses cache.i.misses"},
    {"mshrs.vl0", "the same of vL0 alone", MSHRS("vl0"), "cache.vl0.misses"},
    {"mshrs.k", "the same of K$ alone", MSHRS("k"), "cache.k.misses"},
    {"mshrs.i", "the same of I$ alone", MSHRS("i"), "cache.i.misses"},
    {"mshrs.gl1", "the same of GL1 alone", MSHRS("gl1"), "cache.gl1.misses"},
    {"mshrs.l2", "the same of L2 alone", MSHRS("l2"), "cache.l2.misses"},
    {"mshrs.mall", "the same of MALL alone", MSHRS("mall"), "cache.mall.misses"},

    {"latency.vl0", "vL0 adds no latency", "ideal.no_vl0_latency=true", "cache.vl0.accesses"},
    {"latency.k", "K$ adds no latency", "cache.k.hit_latency_cycles=1", "cache.k.accesses"},
    {"latency.i", "I$ adds no latency", "frontend.fetch_latency_cycles=0", ""},
    {"latency.gl1", "GL1 adds no latency", "ideal.no_gl1_latency=true", "cache.gl1.accesses"},
    {"latency.l2", "L2 adds no latency", "ideal.no_l2_latency=true", "cache.l2.accesses"},
    {"latency.mall", "MALL adds no latency", "ideal.no_mall_latency=true", "cache.mall.accesses"},
    {"latency.dram", "DRAM adds no latency", "ideal.no_dram_latency=true", "dram.read_bytes dram.write_bytes"},

    {"bandwidth.vl0", "vL0 of any bandwidth",
     BANDWIDTH("vl0") " cache.vl0.line_cycles=0 cu.store_runs_per_cycle=0",
     "cache.vl0.accesses"},
    {"bandwidth.k", "K$ of any bandwidth", BANDWIDTH("k"), "cache.k.accesses"},
    {"bandwidth.i", "I$ of any bandwidth", BANDWIDTH("i") "", "cache.i.accesses"},
    {"bandwidth.gl1", "GL1 of any bandwidth", BANDWIDTH("gl1"), "cache.gl1.accesses"},
    {"bandwidth.l2", "L2 of any bandwidth", BANDWIDTH("l2"), "cache.l2.accesses"},
    {"bandwidth.mall", "MALL of any bandwidth", BANDWIDTH("mall"), "cache.mall.accesses"},
    {"bandwidth.dram", "DRAM of any bandwidth", "dram.bytes_per_cycle=100000 dram.queue_entries=4096",
     "dram.read_bytes dram.write_bytes"},
    {"bandwidth.lds", "LDS data paths of any width",
     "cu.lds_bytes_per_cycle=4096 lds.inbound_bytes_per_cycle=4096 cu.lds_lanes_per_cycle=64", "lds.accesses"},
    {"fabric", "dies at no distance, links without a bound",
     "fabric.hop_cycles=0 fabric.link_bytes_per_cycle=0 fabric.xcd_bytes_per_cycle=0", "fabric.bytes"},
    {"translation", "every address translated at once",
     "tlb.utcl1_entries=0 tlb.utcl2_entries=0 tlb.utcl1_miss_cycles=0 tlb.walk_read_cycles=0 host.translate_cycles=0",
     "translation.lookups"},

    {"capacity.vl0", "vL0 of four times the size", "cache.vl0.size_bytes*4:1073741824", "cache.vl0.misses"},
    {"capacity.k", "K$ of four times the size", "cache.k.size_bytes*4:1073741824", "cache.k.misses"},
    {"capacity.i", "I$ of four times the size", "cache.i.size_bytes*4:1073741824", "cache.i.misses"},
    {"capacity.l2", "L2 of four times the size", "cache.l2.size_bytes*4:1073741824", "cache.l2.misses"},

    {"fetch", "instructions need no fetching", "ideal.free_fetch=true", ""},
    {"waits", "results of memory and LDS there at issue", "ideal.no_waits=true", NULL},
    {"waits.exact", "waits for what is needed, where it is needed", "ideal.exact_waits=true", ""},
    {"loads.ahead", "seven more vector loads of a wave in flight", "ideal.loads_ahead=7", "cache.vl0.accesses"},
    {"dependencies", "results of the ALUs after one cycle",
     NO_WAIT("valu") " " NO_WAIT("valu64") " " NO_WAIT("valu_mul") " " NO_WAIT("valu_mad64") " " NO_WAIT("fma32") " "
     NO_WAIT("trans") " " NO_WAIT("f64") " " NO_WAIT("f64_mul") " " NO_WAIT("f64_trans") " " NO_WAIT("dot") " "
     NO_WAIT("cross") " " NO_WAIT("swap") " " NO_WAIT("salu") " " NO_WAIT("salu_saveexec") " " NO_WAIT("salu_float") " "
     NO_WAIT("salu_trans") " " NO_WAIT("valu_dual") " " NO_WAIT("wmma") " " NO_WAIT("mfma"), ""},
    {"issue", "issue slots and ALUs never taken by another", "ideal.free_issue=true " LARGE_CODE, NULL},
    {"rate.valu", "two vector ALUs on each SIMD",
     "ideal.second_valu=true " LARGE_CODE " queue.valu_entries*2:16 queue.flight_entries*2:16", "instructions.valu"},
    {"rate.trans", "transcendental instructions twice as fast", RATE("trans") " " RATE("f64_trans"), "instructions.valu"},
    {"rate.matrix", "matrix instructions twice as fast",
     RATE("mfma") " class.mfma.latency_cycles/2 " RATE("wmma") " class.wmma.latency_cycles/2", "instructions.mfma"},
    {"occupancy", "registers, LDS and barriers limit no occupancy",
     "cu.vgpr_granule_w32=8 cu.vgpr_granule_w64=4 cu.vgprs_per_simd_w32=8192 cu.vgprs_per_simd_w64=4096 "
     "cu.agprs_per_simd*8:8192 cu.sgprs_per_simd=0 cu.lds_bytes*16:16777216 cu.max_multiwave_workgroups=256", ""},
    {"barriers", "barriers complete when the last wave arrives",
     "frontend.barrier_release_cycles=0 frontend.barrier_messages=0 frontend.barrier_message_cycles=0 "
     "frontend.barrier_count_cycles=0 frontend.barrier_signal_cycles=0", "stall_cycles.barrier"},
    {"launch", "workgroups and waves begin and end at no cost",
     "frontend.workgroup_interval_cycles=0 frontend.wave_launch_interval_cycles=1 frontend.launch_latency_cycles=0 "
     "frontend.endpgm_cycles=0 frontend.wave_release_cycles=0", ""},
};
/* clang-format on */
const size_t cause_count = sizeof causes / sizeof causes[0];

const char *gcnsim_explain_cause(uint32_t index, const char **what)
{
    if (index >= cause_count)
        return NULL;
    if (what)
        *what = causes[index].what;
    return causes[index].key;
}

/* The value that an assignment gives a figure that is `now`. */
static double evaluate(char op, const char *text, double now)
{
    char *end;
    double n = strtod(text, &end), most = *end == ':' ? strtod(end + 1, NULL) : INFINITY, v;

    if (op == '/')
        return fmax(1, floor(now / n));
    v = op == '*' ? now * n : n;
    /* a figure that is past the bound already stays */
    return v > most ? fmax(most, now) : v;
}

/* One assignment into out, "" when it changes nothing. */
static void assign(const char *word, const struct gcnsim *sim, char *out, size_t size)
{
    size_t path = strcspn(word, "=*/");
    char name[96];
    double now = 0;
    bool ideal = strncmp(word, "ideal.", 6) == 0;

    *out = 0;
    snprintf(name, sizeof name, "%.*s", (int)path, word);
    if (ideal) {
        snprintf(out, size, "%s", word);
        return;
    }
    if (gcnsim_profile_number(sim, name, &now) != GCNSIM_OK)
        return;
    if (now == 0 && strstr(name, "_w32")) /* no waves of 32 */
        return;
    double v = evaluate(word[path], word + path + 1, now);
    if (v != now)
        snprintf(out, size, "%s=%.15g", name, v);
}

/* A level or unit that a what-if of the group `ideal` is about, and whose absence makes it none. */
static bool is_absent(const struct cause *c, const struct gcnsim *sim)
{
    static const char *const part[][2] = {{"latency.gl1", "cache.gl1.hit_latency_cycles"},
                                          {"latency.mall", "cache.mall.hit_latency_cycles"}};
    double v;

    for (size_t k = 0; k < sizeof part / sizeof part[0]; k++)
        if (strcmp(c->key, part[k][0]) == 0)
            return gcnsim_profile_number(sim, part[k][1], &v) != GCNSIM_OK;
    return false;
}

bool cause_sets(const struct cause *c, const struct gcnsim *sim, struct arena *arena, const char ***sets, size_t *count)
{
    char word[128], text[160];
    size_t room = 1;

    for (const char *p = c->sets; *p; p++)
        room += *p == ' ';
    *count = 0;
    *sets = ARENA_NEW(arena, room, const char *);
    if (!*sets)
        return false;
    if (is_absent(c, sim))
        return true;
    for (const char *p = c->sets; *p;) {
        size_t n = strcspn(p, " ");

        snprintf(word, sizeof word, "%.*s", (int)n, p);
        assign(word, sim, text, sizeof text);
        if (*text && !((*sets)[(*count)++] = arena_text(arena, text)))
            return false;
        p += n;
        p += *p == ' ';
    }
    return true;
}

bool cause_matters(const struct cause *c, const struct trial *base)
{
    char name[64];

    if (!c->needs || !*c->needs)
        return true;
    for (const char *p = c->needs; *p;) {
        size_t n = strcspn(p, " ");

        snprintf(name, sizeof name, "%.*s", (int)n, p);
        if (trial_stat(base, name) > 0)
            return true;
        p += n;
        p += *p == ' ';
    }
    return false;
}
