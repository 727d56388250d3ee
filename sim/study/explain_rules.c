/* Remedies: rules that look for a known pattern in what a launch has counted, and say what to write instead.
 *
 * A rule proposes only what its own simulation can judge: assignments that make the model see the data, or the
 * registers, as the remedy would leave them. Where no assignment does (fewer instructions, other code), the rule names
 * what it has found and where, and claims no gain; some say the what-if that bounds what the remedy can give.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/explain.h"

enum { MAX_PLACES = 3, MAX_STRIDES = 3 };

/* ---- making a rule ---- */

struct rule *rule_add(struct explaining *x, const char *key)
{
    if (x->rules == x->rule_room) {
        size_t room = x->rule_room ? 2 * x->rule_room : 8;
        struct rule *more = realloc(x->rule, room * sizeof *more);

        if (!more) {
            x->no_memory = true;
            return NULL;
        }
        x->rule = more;
        x->rule_room = room;
    }
    x->rule[x->rules] = (struct rule){.key = key, .text = "", .remedy = ""};
    return &x->rule[x->rules++];
}

void rule_places(struct explaining *x, struct rule *r, const size_t *at, size_t count)
{
    r->place = calloc(count + 1, sizeof *r->place);
    x->no_memory |= !r->place;
    for (size_t k = 0; r->place && k < count && k < MAX_PLACES; k++)
        r->place[r->places++] = at[k];
}

void rule_assignments(struct explaining *x, struct rule *r, const char *a, const char *b)
{
    r->sets = ARENA_NEW(&x->arena, 2, const char *);
    x->no_memory |= !r->sets;
    if (!r->sets)
        return;
    r->sets[r->set_count++] = a;
    if (b)
        r->sets[r->set_count++] = b;
}

const char *rule_where(struct explaining *x, size_t at)
{
    const struct trial_instruction *i = &x->base.instruction[at];
    const char *source = explain_source(x, i->pc_offset), *slash = source ? strrchr(source, '/') : NULL;

    if (source)
        return slash ? slash + 1 : source;
    return explain_keep(x, "%.60s at 0x%llx", i->text, (unsigned long long)i->pc_offset);
}

/* ---- what the base run has counted ---- */

struct counted {
    const struct trial *t;
    uint32_t executed, lanes, count, lines, bytes, lds_count, bank, address, uniform, strided, stride, issued;
};

static struct counted columns_of(const struct trial *t)
{
    return (struct counted){.t = t,
                            .executed = trial_column("executed"),
                            .lanes = trial_column("lanes"),
                            .count = trial_column("count"),
                            .lines = trial_column("lines"),
                            .bytes = trial_column("bytes"),
                            .lds_count = trial_column("lds_count"),
                            .bank = trial_column("bank_conflict_cycles"),
                            .address = trial_column("address_conflict_cycles"),
                            .uniform = trial_column("uniform"),
                            .strided = trial_column("strided"),
                            .stride = trial_column("stride_max_bytes"),
                            .issued = trial_column("cycles.issued")};
}

static uint64_t at(const struct counted *c, size_t instruction, uint32_t column)
{
    return trial_value(c->t, instruction, column);
}

static double figure(const struct explaining *x, const char *path)
{
    double v = 0;

    gcnsim_profile_number(x->sim, path, &v);
    return v;
}

double rule_gain(const struct explaining *x, const char *cause)
{
    const struct trial *t = explain_cause(x, cause);

    return t && t->stat && t->error.code == GCNSIM_OK && t->outcome == GCNSIM_COMPLETED && x->out->cycles > 0
               ? 1 - trial_cycles(t) / x->out->cycles
               : 0;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

unsigned rule_width_of(const char *text)
{
    char name[64];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, " "), text);
    if (strstr(name, "b128") || strstr(name, "dwordx4"))
        return 16;
    if (strstr(name, "b96") || strstr(name, "dwordx3"))
        return 12;
    if (strstr(name, "b64") || strstr(name, "u64") || strstr(name, "f64") || strstr(name, "dwordx2"))
        return 8;
    return 4;
}

bool rule_is_vector_memory(const char *text)
{
    return begins(text, "global_") || begins(text, "flat_") || begins(text, "buffer_") || begins(text, "scratch_");
}

void rule_choose(struct rule_chosen *c, size_t at_instruction, double weight)
{
    size_t k = c->count < RULE_CHOSEN ? c->count++ : RULE_CHOSEN - 1;

    if (k == RULE_CHOSEN - 1 && c->count == RULE_CHOSEN && c->weight[k] >= weight)
        return;
    for (; k && c->weight[k - 1] < weight; k--) {
        c->at[k] = c->at[k - 1];
        c->weight[k] = c->weight[k - 1];
    }
    c->at[k] = at_instruction;
    c->weight[k] = weight;
}

/* ---- LDS ---- */

static unsigned common_divisor(unsigned a, unsigned b)
{
    while (b) {
        unsigned rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Lanes of an access of one dword each that meet in a bank when neighbours are so many dwords apart. */
static unsigned lanes_on_a_bank(const struct explaining *x, unsigned stride)
{
    unsigned banks = (unsigned)figure(x, "cu.lds_banks"), lanes = (unsigned)figure(x, "lds.read_b32_lanes");
    unsigned reached = banks / common_divisor(stride, banks);

    return reached < lanes ? lanes / reached : 1;
}

static void row_stride(struct explaining *x, const struct counted *c, uint64_t stride)
{
    struct rule_chosen with = {.count = 0};
    unsigned width = 4;

    for (size_t k = 0; k < x->base.instructions; k++)
        if (at(c, k, c->bank) && at(c, k, c->strided) && at(c, k, c->stride) == stride) {
            unsigned w = rule_width_of(x->base.instruction[k].text);

            rule_choose(&with, k, (double)at(c, k, c->bank));
            width = w > width ? w : width;
        }
    struct rule *r = rule_add(x, "lds-row-stride");
    if (!r)
        return;
    r->text = explain_keep(x, "row stride of %llu dwords puts %u lanes on one bank: %s", (unsigned long long)stride / 4,
                           lanes_on_a_bank(x, (unsigned)(stride / 4)), rule_where(x, with.at[0]));
    r->remedy = explain_keep(x, "stride %llu", (unsigned long long)(stride + width) / 4);
    rule_assignments(x, r, explain_keep(x, "ideal.lds_row_bytes=%llu", (unsigned long long)stride),
                     explain_keep(x, "ideal.lds_row_pad_bytes=%u", width));
    rule_places(x, r, with.at, with.count);
}

/* Rows of LDS whose length is a multiple of the banks': each distance between lanes that conflicts is tried. */
static void lds_rows(struct explaining *x, const struct counted *c)
{
    uint64_t tried[MAX_STRIDES];
    size_t count = 0;

    while (count < MAX_STRIDES) {
        uint64_t most = 0, stride = 0;

        for (size_t k = 0; k < x->base.instructions; k++) {
            uint64_t s = at(c, k, c->stride);
            bool done = !at(c, k, c->bank) || s < 8 || s % 4 || s > 1 << 20;

            for (size_t n = 0; n < count; n++)
                done |= tried[n] == s;
            if (!done && at(c, k, c->bank) > most) {
                most = at(c, k, c->bank);
                stride = s;
            }
        }
        if (!most)
            return;
        tried[count++] = stride;
        row_stride(x, c, stride);
    }
}

/* ---- vector memory ---- */

static void uncoalesced(struct explaining *x, const struct counted *c)
{
    double line = figure(x, "cache.vl0.line_bytes");
    struct rule_chosen with = {.count = 0};
    size_t k;

    for (k = 0; k < x->base.instructions; k++) {
        double lines = (double)at(c, k, c->lines), full = (double)at(c, k, c->bytes) / line;

        if (rule_is_vector_memory(x->base.instruction[k].text) && lines > 2 * full &&
            lines > 2 * (double)at(c, k, c->count))
            rule_choose(&with, k, lines - full);
    }
    if (!with.count)
        return;
    struct rule *r = rule_add(x, "uncoalesced");
    if (!r)
        return;
    k = with.at[0];
    double n = (double)at(c, k, c->count), full = ceil((double)at(c, k, c->bytes) / n / line);
    bool strided = at(c, k, c->strided) == at(c, k, c->count);
    r->text = strided ? explain_keep(x, "lanes %llu bytes apart ask for %.0f lines where %.0f would hold the data: %s",
                                     (unsigned long long)at(c, k, c->stride), (double)at(c, k, c->lines) / n, full,
                                     rule_where(x, k))
                      : explain_keep(x, "scattered lanes ask for %.1f lines where %.0f would hold the data: %s",
                                     (double)at(c, k, c->lines) / n, full, rule_where(x, k));
    r->remedy = "neighbouring lanes on neighbouring data (transposed)";
    rule_assignments(x, r, "ideal.full_lines=true", NULL);
    rule_places(x, r, with.at, with.count);
}

/* Loads whose lanes all have one address, in every execution. */
static void scalarisable(struct explaining *x, const struct counted *c)
{
    struct rule_chosen with = {.count = 0};

    for (size_t k = 0; k < x->base.instructions; k++) {
        const char *text = x->base.instruction[k].text;

        if (at(c, k, c->count) && at(c, k, c->uniform) == at(c, k, c->count) && rule_is_vector_memory(text) &&
            strstr(text, "load"))
            rule_choose(&with, k, (double)at(c, k, c->executed));
    }
    if (!with.count)
        return;
    struct rule *r = rule_add(x, "scalar-load");
    if (!r)
        return;
    r->text = explain_keep(x, "all lanes load from one address in every execution: %s", rule_where(x, with.at[0]));
    r->remedy = "a scalar load (a uniform address, const restrict) takes no vector registers and no address unit";
    rule_places(x, r, with.at, with.count);
}

/* Address operands and offset of a load of one dword, "global_load_dword v1, v[2:3], off offset:4". */
static bool load_of(const char *text, char name[32], char address[64], long *offset)
{
    const char *comma = strchr(text, ','), *off = strstr(text, " offset:");
    char rest[96];
    size_t n = strcspn(text, " ");

    if (!rule_is_vector_memory(text) || !comma || (!strstr(text, "load_dword ") && !strstr(text, "load_b32 ")))
        return false;
    snprintf(name, 32, "%.*s", (int)n, text);
    snprintf(rest, sizeof rest, "%.*s", (int)(off ? (size_t)(off - comma) : strlen(comma)), comma + 1);
    rest[strcspn(rest, "\n")] = 0;
    if (off)
        rest[off - comma - 1] = 0;
    snprintf(address, 64, "%.63s", rest);
    *offset = off ? strtol(off + 8, NULL, 0) : 0;
    return true;
}

/* Loads of one dword, one behind the other, from neighbouring dwords of each lane. */
static void narrow_loads(struct explaining *x, const struct counted *c)
{
    struct rule_chosen with = {.count = 0};
    char name[32], address[64], last_name[32] = "", last_address[64] = "";
    long offset, last = 0;
    size_t run = 0, longest = 0;

    for (size_t k = 0; k < x->base.instructions; k++) {
        const char *text = x->base.instruction[k].text;

        if (!load_of(text, name, address, &offset)) {
            if (!begins(text, "s_")) /* of others it is not known that the address stays the same */
                run = 0;
            continue;
        }
        bool next = run && !strcmp(name, last_name) && !strcmp(address, last_address) && labs(offset - last) == 4 &&
                    at(c, k, c->executed) == at(c, k - 1, c->executed);
        run = next ? run + 1 : 1;
        longest = run > longest ? run : longest;
        if (next)
            rule_choose(&with, k, (double)at(c, k, c->executed));
        memcpy(last_name, name, sizeof last_name);
        memcpy(last_address, address, sizeof last_address);
        last = offset;
    }
    if (!with.count)
        return;
    struct rule *r = rule_add(x, "narrow-loads");
    if (!r)
        return;
    r->text = explain_keep(x, "%zu loads of one dword from neighbouring dwords, one behind the other: %s", longest,
                           rule_where(x, with.at[0]));
    r->remedy = "one load of two or four dwords (float4, aligned to 16 bytes)";
    rule_places(x, r, with.at, with.count);
}

/* ---- waves ---- */

/* One more wave on each SIMD, or workgroup on each CU, than registers or LDS let in. */
static void occupancy_step(struct explaining *x)
{
    const struct gcnsim_occupancy *o = &x->base.occupancy;
    bool wave32 = x->base.waves && figure(x, "cu.vgprs_per_simd_w32") > 0 && x->base.workgroups &&
                  o->waves_per_workgroup * 32 >= x->base.workgroup[0] * x->base.workgroup[1] * x->base.workgroup[2] &&
                  o->waves_per_workgroup * 16 < x->base.workgroup[0] * x->base.workgroup[1] * x->base.workgroup[2];
    double file = figure(x, wave32 ? "cu.vgprs_per_simd_w32" : "cu.vgprs_per_simd_w64");
    double granule = figure(x, wave32 ? "cu.vgpr_granule_w32" : "cu.vgpr_granule_w64");
    double need = o->vgprs_allocated * (o->waves_per_simd + 1.0);

    if (!x->base.has_occupancy || strcmp(x->base.limiter, "vgprs") != 0 || granule <= 0 || o->vgprs_allocated < granule)
        return;
    double fits = floor(file / (o->waves_per_simd + 1) / granule) * granule;
    struct rule *r = rule_add(x, "vgpr-step");
    if (!r)
        return;
    r->text = explain_keep(x, "%u VGPRs allocated let in %u wave%s of each SIMD", o->vgprs_allocated, o->waves_per_simd,
                           o->waves_per_simd == 1 ? "" : "s");
    r->remedy =
        explain_keep(x, "%.0f or fewer (__launch_bounds__, less unrolling) let in %u, if the code stays as it is,",
                     fits, o->waves_per_simd + 1);
    /* the file as large as that many waves of these registers need; both sizes are of one file */
    double both = 2 * granule * ceil(need / (2 * granule));
    if (figure(x, "cu.vgprs_per_simd_w32") > 0)
        rule_assignments(x, r, explain_keep(x, "cu.vgprs_per_simd_w32=%.0f", wave32 ? both : 2 * both),
                         explain_keep(x, "cu.vgprs_per_simd_w64=%.0f", wave32 ? both / 2 : both));
    else
        rule_assignments(x, r, explain_keep(x, "cu.vgprs_per_simd_w64=%.0f", granule * ceil(need / granule)), NULL);
}

static void lds_step(struct explaining *x)
{
    const struct gcnsim_occupancy *o = &x->base.occupancy;
    double all = figure(x, "cu.lds_bytes"), granule = figure(x, "cu.lds_granule_bytes");

    if (!x->base.has_occupancy || strcmp(x->base.limiter, "lds") != 0 || !o->lds_bytes_allocated || granule <= 0)
        return;
    double fits = floor(all / (o->workgroups_per_cu + 1) / granule) * granule;
    struct rule *r = rule_add(x, "lds-step");
    if (!r)
        return;
    r->text = explain_keep(x, "%u bytes of LDS let in %u workgroup%s", o->lds_bytes_allocated, o->workgroups_per_cu,
                           o->workgroups_per_cu == 1 ? "" : "s");
    r->remedy =
        explain_keep(x, "%.0f bytes or fewer let in %u, if the code stays as it is,", fits, o->workgroups_per_cu + 1);
    rule_assignments(
        x, r,
        explain_keep(x, "cu.lds_bytes=%.0f",
                     granule * ceil(fmax(all, o->lds_bytes_allocated * (o->workgroups_per_cu + 1.0)) / granule)),
        NULL);
}

/* Too few workgroups for the chip, or a last round of them that leaves much of it idle. */
static void grid_size(struct explaining *x)
{
    const struct gcnsim_occupancy *o = &x->base.occupancy;
    double cus = figure(x, "gpu.cus"), units = cus / (o->cus ? o->cus : 1);
    double groups = (double)x->base.workgroups, round = o->workgroups_per_cu * units;

    if (!x->base.has_occupancy || cus <= 0 || round <= 0)
        return;
    double used = trial_stat(&x->base, "cus_used"), rounds = ceil(groups / round), last = groups - (rounds - 1) * round;
    struct rule *r;
    if (used < 0.9 * cus) {
        if (!(r = rule_add(x, "small-grid")))
            return;
        r->text =
            explain_keep(x, "%.0f workgroup%s %.0f of %.0f CUs", groups, groups == 1 ? " uses" : "s use", used, cus);
        r->remedy = "more or smaller workgroups";
    } else if (rounds >= 2 && rounds <= 8 && last < 0.5 * round) {
        if (!(r = rule_add(x, "tail")))
            return;
        r->text = explain_keep(x, "%.0f workgroups run in %.0f rounds of up to %.0f, the last of %.0f", groups, rounds,
                               round, last);
        r->remedy = explain_keep(x, "a grid of %.0f workgroups or fewer that each do more", (rounds - 1) * round);
    }
}

/* ---- instructions ---- */

static void divergence(struct explaining *x, const struct counted *c)
{
    double wave = x->base.waves && x->base.occupancy.waves_per_workgroup
                      ? ceil((double)x->base.workgroup[0] * x->base.workgroup[1] * x->base.workgroup[2] /
                             x->base.occupancy.waves_per_workgroup)
                      : 64;
    double size = wave > 32 ? 64 : 32, all = 0, off = 0;
    struct rule_chosen with = {.count = 0};

    for (size_t k = 0; k < x->base.instructions; k++) {
        double executed = (double)at(c, k, c->executed), lanes = (double)at(c, k, c->lanes);

        all += (double)at(c, k, c->issued);
        if (lanes > 0 && lanes < 0.5 * size * executed) {
            off += (double)at(c, k, c->issued);
            rule_choose(&with, k, (double)at(c, k, c->issued));
        }
    }
    if (!with.count || off < 0.1 * all)
        return;
    struct rule *r = rule_add(x, "divergence");
    if (!r)
        return;
    size_t k = with.at[0];
    r->text = explain_keep(x, "%.0f %% of the issue cycles have less than half of the lanes on, %.1f of %.0f here: %s",
                           100 * off / all, (double)at(c, k, c->lanes) / (double)at(c, k, c->executed), size,
                           rule_where(x, k));
    r->remedy = "branches on what a whole wave shares, or work dealt out anew to the lanes";
    rule_places(x, r, with.at, with.count);
}

void rule_choose_by_stall(struct explaining *x, const char *prefix, struct rule_chosen *with)
{
    struct gcnsim_stat column;

    for (size_t k = 0; k < x->base.instructions; k++) {
        double sum = 0;

        for (uint32_t n = 0; gcnsim_instruction_column(n, &column) == GCNSIM_OK; n++)
            if (begins(column.name, "cycles.") && begins(column.name + 7, prefix))
                sum += (double)trial_value(&x->base, k, n);
        if (sum > 0)
            rule_choose(with, k, sum);
    }
}

static void waits(struct explaining *x)
{
    struct rule_chosen with = {.count = 0};

    if (rule_gain(x, "waits.exact") < 0.005)
        return;
    rule_choose_by_stall(x, "wait_", &with);
    struct rule *r = with.count ? rule_add(x, "early-waits") : NULL;
    if (!r)
        return;
    r->text =
        explain_keep(x, "waits end for more than what is needed next, most of all at %s", rule_where(x, with.at[0]));
    r->remedy = "waits of a higher count, each in front of the first use of its result,";
    rule_assignments(x, r, "ideal.exact_waits=true", NULL);
    rule_places(x, r, with.at, with.count);
}

static void dependencies(struct explaining *x)
{
    struct rule_chosen with = {.count = 0};

    if (rule_gain(x, "dependencies") < 0.03)
        return;
    rule_choose_by_stall(x, "dependency", &with);
    struct rule *r = with.count ? rule_add(x, "dependency-chain") : NULL;
    if (!r)
        return;
    r->text =
        explain_keep(x, "instructions wait for the one before them, most of all at %s", rule_where(x, with.at[0]));
    r->remedy = "independent work between them (unrolling, several sums)";
    r->limit_of = "dependencies";
    rule_places(x, r, with.at, with.count);
}

static void code_size(struct explaining *x)
{
    const struct trial *b = &x->base;
    double size = figure(x, "cache.i.size_bytes"), code;

    if (rule_gain(x, "capacity.i") < 0.005 || !b->instructions)
        return;
    code = (double)(b->instruction[b->instructions - 1].pc - b->instruction[0].pc + 4);
    struct rule *r = code > size ? rule_add(x, "code-size") : NULL;
    if (!r)
        return;
    r->text = explain_keep(x, "%.0f bytes of code run through an instruction cache of %.0f", code, size);
    r->remedy = "loops that fit into it (less unrolling, fewer copies of inlined functions)";
    r->limit_of = "capacity.i";
}

static void channel_use(struct explaining *x)
{
    if (rule_gain(x, "channels") < 0.01)
        return;
    struct rule *r = rule_add(x, "channels");
    if (!r)
        return;
    r->text = "accesses of a power-of-two distance meet in few channels of L2 or memory";
    r->remedy = "rows with some bytes more between them, which spread over all channels";
    r->limit_of = "channels";
}

void explain_rules(struct explaining *x)
{
    struct counted c = columns_of(&x->base);

    lds_rows(x, &c);
    uncoalesced(x, &c);
    occupancy_step(x);
    lds_step(x);
    waits(x);
    explain_loads(x);
    dependencies(x);
    code_size(x);
    channel_use(x);
    scalarisable(x, &c);
    narrow_loads(x, &c);
    divergence(x, &c);
    grid_size(x);
}
