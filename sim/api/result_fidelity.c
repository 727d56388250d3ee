/* Public API: how far the result of a run can be believed. Arrays are the report's. */
#include <stdio.h>

#include "isa/table/list.h"
#include "sim/api/api.h"

static bool make_instructions(struct gcnsim_fidelity *to, struct report *r)
{
    const struct fidelity *f = &r->fidelity;
    struct gcnsim_fidelity_instruction *i = ARENA_NEW(&r->arena, f->count + 1, struct gcnsim_fidelity_instruction);

    for (size_t k = 0; i && k < f->count; k++) {
        const struct fidelity_entry *e = &f->entry[k];

        i[k] = (struct gcnsim_fidelity_instruction){.mnemonic = e->mnemonic,
                                                    .instruction_class = op_class_key[e->cls],
                                                    .count = e->count,
                                                    .semantics = fidelity_semantics_key[e->semantics],
                                                    .ulp = e->ulp == ISA_NO_BOUND ? -1 : (double)e->ulp,
                                                    .timing = fidelity_timing_key(e->timing),
                                                    .figure = e->figure};
    }
    to->instructions = i;
    to->instruction_count = f->count;
    return i != NULL;
}

static bool make_cycles(struct gcnsim_fidelity *to, struct report *r)
{
    const struct fidelity *f = &r->fidelity;
    struct gcnsim_fidelity_figure *g = ARENA_NEW(&r->arena, f->figures + 1, struct gcnsim_fidelity_figure);
    struct gcnsim_fidelity_timing *t = ARENA_NEW(&r->arena, FIDELITY_TIMINGS, struct gcnsim_fidelity_timing);

    if (!g || !t)
        return false;
    for (unsigned k = 0; k < FIDELITY_TIMINGS; k++)
        t[k] = (struct gcnsim_fidelity_timing){fidelity_timing_key(k), f->of_timing[k],
                                               f->cycles > 0 ? f->cycles_of[k] / f->cycles : 0};
    for (size_t k = 0; k < f->figures; k++)
        g[k] = (struct gcnsim_fidelity_figure){f->figure[k].path, fidelity_timing_key(f->figure[k].timing),
                                               f->figure[k].cycles / f->cycles};
    to->wave_cycles = f->cycles;
    to->timings = t;
    to->timing_count = FIDELITY_TIMINGS;
    to->figures = g;
    to->figure_count = f->figures;
    return true;
}

bool api_make_fidelity(struct gcnsim_fidelity *to, struct report *r)
{
    const uint64_t *measured = fidelity_exact_measured(&r->fidelity);

    to->struct_bytes = sizeof *to;
    to->has_exact_measured = measured != NULL;
    to->exact_measured = measured ? *measured : 0;
    to->executed = r->fidelity.total;
    to->exact = r->fidelity.of_semantics[FIDELITY_EXACT];
    to->approximate = r->fidelity.of_semantics[FIDELITY_APPROXIMATE];
    return make_instructions(to, r) && (!r->run.timing || make_cycles(to, r));
}

int gcnsim_error_bound(double ulp, char words[GCNSIM_BOUND_BYTES])
{
    float bound = ulp < 0 ? ISA_NO_BOUND : (float)ulp;
    char text[GCNSIM_BOUND_BYTES];

    snprintf(words, GCNSIM_BOUND_BYTES, "%s", isa_bound_words(bound, text));
    return isa_bound_is_coarse(bound);
}
