/* Remedies of memory: LDS rows that meet in a bank, lanes that are spread over lines, and loads that another kind of
 * load would do better. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/remedies.h"

enum { MAX_STRIDES = 3 };

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
    unsigned banks = (unsigned)profile_figure(x, "cu.lds_banks"),
             lanes = (unsigned)profile_figure(x, "lds.read_b32_lanes");
    unsigned reached = banks / common_divisor(stride, banks);

    return reached < lanes ? lanes / reached : 1;
}

static void row_stride(struct explaining *x, const struct remedy *of, const struct counted *c, uint64_t stride)
{
    struct rule_chosen with = {.count = 0};
    unsigned width = 4;

    for (size_t k = 0; k < x->base.instructions; k++)
        if (counted_at(c, k, c->bank) && counted_at(c, k, c->strided) && counted_at(c, k, c->stride) == stride) {
            unsigned w = x->base.instruction[k].facts.element_bytes;

            rule_choose(&with, k, (double)counted_at(c, k, c->bank));
            width = w > width ? w : width;
        }
    struct rule *r = rule_add(x, of);
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
void remedy_lds_rows(struct explaining *x, const struct remedy *of, const struct counted *c)
{
    uint64_t tried[MAX_STRIDES];
    size_t count = 0;

    while (count < MAX_STRIDES) {
        uint64_t most = 0, stride = 0;

        for (size_t k = 0; k < x->base.instructions; k++) {
            uint64_t s = counted_at(c, k, c->stride);
            bool done = !counted_at(c, k, c->bank) || s < 8 || s % 4 || s > 1 << 20;

            for (size_t n = 0; n < count; n++)
                done |= tried[n] == s;
            if (!done && counted_at(c, k, c->bank) > most) {
                most = counted_at(c, k, c->bank);
                stride = s;
            }
        }
        if (!most)
            return;
        tried[count++] = stride;
        row_stride(x, of, c, stride);
    }
}

/* ---- vector memory ---- */

void remedy_uncoalesced(struct explaining *x, const struct remedy *of, const struct counted *c)
{
    double line = profile_figure(x, "cache.vl0.line_bytes");
    struct rule_chosen with = {.count = 0};
    size_t k;

    for (k = 0; k < x->base.instructions; k++) {
        double lines = (double)counted_at(c, k, c->lines), full = (double)counted_at(c, k, c->bytes) / line;

        if (x->base.instruction[k].facts.vector_memory && lines > 2 * full &&
            lines > 2 * (double)counted_at(c, k, c->count))
            rule_choose(&with, k, lines - full);
    }
    if (!with.count)
        return;
    struct rule *r = rule_add(x, of);
    if (!r)
        return;
    k = with.at[0];
    double n = (double)counted_at(c, k, c->count), full = ceil((double)counted_at(c, k, c->bytes) / n / line);
    bool strided = counted_at(c, k, c->strided) == counted_at(c, k, c->count);
    r->text = strided ? explain_keep(x, "lanes %llu bytes apart ask for %.0f lines where %.0f would hold the data: %s",
                                     (unsigned long long)counted_at(c, k, c->stride),
                                     (double)counted_at(c, k, c->lines) / n, full, rule_where(x, k))
                      : explain_keep(x, "scattered lanes ask for %.1f lines where %.0f would hold the data: %s",
                                     (double)counted_at(c, k, c->lines) / n, full, rule_where(x, k));
    rule_assignments(x, r, "ideal.full_lines=true", NULL);
    rule_places(x, r, with.at, with.count);
}

/* Loads whose lanes all have one address, in every execution. */
void remedy_scalar_load(struct explaining *x, const struct remedy *of, const struct counted *c)
{
    struct rule_chosen with = {.count = 0};

    for (size_t k = 0; k < x->base.instructions; k++)
        if (x->base.instruction[k].facts.vector_load && counted_at(c, k, c->count) &&
            counted_at(c, k, c->uniform) == counted_at(c, k, c->count))
            rule_choose(&with, k, (double)counted_at(c, k, c->executed));
    struct rule *r = with.count ? rule_add(x, of) : NULL;
    if (!r)
        return;
    r->text = explain_keep(x, "all lanes load from one address in every execution: %s", rule_where(x, with.at[0]));
    rule_places(x, r, with.at, with.count);
}

/* Loads of one dword, one after the other, from neighbouring dwords of each lane. */
void remedy_narrow_loads(struct explaining *x, const struct remedy *of, const struct counted *c)
{
    struct rule_chosen with = {.count = 0};
    const struct inst_facts *last = NULL;
    size_t run = 0, longest = 0;

    for (size_t k = 0; k < x->base.instructions; k++) {
        const struct inst_facts *f = &x->base.instruction[k].facts;

        if (!f->vector_load || f->lane_bytes != 4) {
            if (!f->scalar) /* of others it is not known that the address stays the same */
                run = 0;
            continue;
        }
        bool next = run && f->access == last->access && labs((long)f->offset - last->offset) == 4 &&
                    counted_at(c, k, c->executed) == counted_at(c, k - 1, c->executed);
        run = next ? run + 1 : 1;
        longest = run > longest ? run : longest;
        if (next)
            rule_choose(&with, k, (double)counted_at(c, k, c->executed));
        last = f;
    }
    struct rule *r = with.count ? rule_add(x, of) : NULL;
    if (!r)
        return;
    r->text = explain_keep(x, "%zu loads of one dword from neighbouring dwords, one behind the other: %s", longest,
                           rule_where(x, with.at[0]));
    rule_places(x, r, with.at, with.count);
}
