/* Remedies: the table of known patterns, each with the function that looks for it in what a launch has counted, and
 * what rules are made with.
 *
 * A rule proposes only what its own simulation can judge: assignments that make the model see the data, or the
 * registers, as the remedy would leave them. Where no assignment does (fewer instructions, other code), the rule names
 * what it has found and where, and claims no gain; some say the what-if that bounds what the remedy can give.
 */
#include "sim/study/remedies.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PLACES = 3 };

/* In the order in which they are looked for; those that gain as much as one another keep it. */
static const struct remedy remedies[] = {
    {.key = "lds-row-stride", .look = remedy_lds_rows},
    {.key = "uncoalesced",
     .remedy = "neighbouring lanes on neighbouring data (transposed)",
     .look = remedy_uncoalesced},
    {.key = "vgpr-step", .look = remedy_vgpr_step},
    {.key = "lds-step", .look = remedy_lds_step},
    {.key = "early-waits",
     .remedy = "waits of a higher count, each in front of the first use of its result,",
     .cause = "waits.exact",
     .least = 0.005,
     .look = remedy_early_waits},
    {.key = "loads-in-flight", .cause = "loads.ahead", .least = 0.03, .look = remedy_loads_in_flight},
    {.key = "dependency-chain",
     .remedy = "independent work between them (unrolling, several sums)",
     .cause = "dependencies",
     .least = 0.03,
     .bounded = true,
     .look = remedy_dependency_chain},
    {.key = "code-size",
     .remedy = "loops that fit into it (less unrolling, fewer copies of inlined functions)",
     .cause = "capacity.i",
     .least = 0.005,
     .bounded = true,
     .look = remedy_code_size},
    {.key = "channels",
     .remedy = "rows with some bytes more between them, which spread over all channels",
     .cause = "channels",
     .least = 0.01,
     .bounded = true,
     .look = remedy_channels},
    {.key = "scalar-load",
     .remedy = "a scalar load (a uniform address, const restrict) takes no vector registers and no address unit",
     .look = remedy_scalar_load},
    {.key = "narrow-loads",
     .remedy = "one load of two or four dwords (float4, aligned to 16 bytes)",
     .look = remedy_narrow_loads},
    {.key = "divergence",
     .remedy = "branches on what a whole wave shares, or work dealt out anew to the lanes",
     .look = remedy_divergence},
    {.key = "small-grid", .remedy = "more or smaller workgroups", .look = remedy_small_grid},
    {.key = "tail", .look = remedy_tail},
};

/* What a cause saves, as a share of the launch's cycles; 0: it was not simulated to its end. */
static double gain_of(const struct explaining *x, const char *cause)
{
    const struct trial *t = explain_cause(x, cause);

    return t && t->stat && t->error.code == GCNSIM_OK && t->outcome == GCNSIM_COMPLETED && x->out->cycles > 0
               ? 1 - trial_cycles(t) / x->out->cycles
               : 0;
}

static struct counted columns_of(const struct trial *t)
{
    return (struct counted){.t = t,
                            .executed = trial_column("executed"),
                            .lanes = trial_column("lanes"),
                            .count = trial_column("count"),
                            .lines = trial_column("lines"),
                            .bytes = trial_column("bytes"),
                            .bank = trial_column("bank_conflict_cycles"),
                            .uniform = trial_column("uniform"),
                            .strided = trial_column("strided"),
                            .stride = trial_column("stride_max_bytes"),
                            .issued = trial_column("cycles.issued")};
}

void explain_remedies(struct explaining *x)
{
    struct counted c = columns_of(&x->base);

    for (size_t k = 0; k < sizeof remedies / sizeof *remedies; k++)
        if (!remedies[k].cause || gain_of(x, remedies[k].cause) >= remedies[k].least)
            remedies[k].look(x, &remedies[k], &c);
}

/* ---- what rules are made with ---- */

struct rule *rule_add(struct explaining *x, const struct remedy *of)
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
    x->rule[x->rules] = (struct rule){
        .key = of->key, .text = "", .remedy = of->remedy ? of->remedy : "", .limit_of = of->bounded ? of->cause : NULL};
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

uint64_t counted_at(const struct counted *c, size_t instruction, uint32_t column)
{
    return trial_value(c->t, instruction, column);
}

double profile_figure(const struct explaining *x, const char *path)
{
    double v = 0;

    gcnsim_profile_number(x->sim, path, &v);
    return v;
}

void rule_choose(struct rule_chosen *c, size_t at_instruction, double weight)
{
    size_t k = c->count;

    if (k < RULE_CHOSEN)
        c->count++;
    else if (c->weight[--k] >= weight)
        return;
    for (; k && c->weight[k - 1] < weight; k--) {
        c->at[k] = c->at[k - 1];
        c->weight[k] = c->weight[k - 1];
    }
    c->at[k] = at_instruction;
    c->weight[k] = weight;
}

void rule_choose_by_stall(struct explaining *x, uint64_t reasons, struct rule_chosen *with)
{
    for (size_t k = 0; k < x->base.instructions; k++) {
        double sum = 0;

        for (unsigned s = 0; s < STALL_COUNT; s++)
            if (reasons >> s & 1)
                sum += (double)trial_value(&x->base, k, STAT_INST_STALL + s);
        if (sum > 0)
            rule_choose(with, k, sum);
    }
}
