/* Remedies of time: instructions that wait for one another, and what is fetched or spread badly. Each is looked for
 * where the what-if of its row says that it costs. */
#include "sim/study/remedies.h"

_Static_assert(STALL_COUNT <= 64, "a bit for each reason");

void remedy_early_waits(struct explaining *x, const struct remedy *of, const struct counted *c)
{
    struct rule_chosen with = {.count = 0};

    (void)c;
    rule_choose_by_stall(x, ((UINT64_C(1) << WAIT_COUNT) - 1) << STALL_WAIT, &with);
    struct rule *r = with.count ? rule_add(x, of) : NULL;
    if (!r)
        return;
    r->text =
        explain_keep(x, "waits end for more than what is needed next, most of all at %s", rule_where(x, with.at[0]));
    rule_assignments(x, r, "ideal.exact_waits=true", NULL);
    rule_places(x, r, with.at, with.count);
}

void remedy_dependency_chain(struct explaining *x, const struct remedy *of, const struct counted *c)
{
    struct rule_chosen with = {.count = 0};
    uint64_t reasons = 0;

    (void)c;
    for (unsigned s = 0; s < STALL_COUNT; s++)
        if (timing_stall_row[s].cause == STALL_CAUSE_DEPENDENCY)
            reasons |= UINT64_C(1) << s;
    rule_choose_by_stall(x, reasons, &with);
    struct rule *r = with.count ? rule_add(x, of) : NULL;
    if (!r)
        return;
    r->text =
        explain_keep(x, "instructions wait for the one before them, most of all at %s", rule_where(x, with.at[0]));
    rule_places(x, r, with.at, with.count);
}

void remedy_code_size(struct explaining *x, const struct remedy *of, const struct counted *c)
{
    const struct trial *b = &x->base;
    double size = profile_figure(x, "cache.i.size_bytes"), code;

    (void)c;
    if (!b->instructions)
        return;
    code = (double)(b->instruction[b->instructions - 1].pc - b->instruction[0].pc + 4);
    struct rule *r = code > size ? rule_add(x, of) : NULL;
    if (r)
        r->text = explain_keep(x, "%.0f bytes of code run through an instruction cache of %.0f", code, size);
}

void remedy_channels(struct explaining *x, const struct remedy *of, const struct counted *c)
{
    struct rule *r = rule_add(x, of);

    (void)c;
    if (r)
        r->text = "accesses of a power-of-two distance meet in few channels of L2 or memory";
}
