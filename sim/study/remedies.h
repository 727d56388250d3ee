/* Remedies: what the table of remedies.c and the functions that look for them share. A new remedy is a row there, a
 * function in one of the files remedies_*.c, and a row in docs/EXPLAIN.md. */
#ifndef GCNSIM_SIM_STUDY_REMEDIES_H
#define GCNSIM_SIM_STUDY_REMEDIES_H

#include "sim/study/explain.h"

/* The base run's counts of an instruction, by column. */
struct counted {
    const struct trial *t;
    uint32_t executed, lanes, count, lines, bytes, bank, uniform, strided, stride, issued;
};
uint64_t counted_at(const struct counted *c, size_t instruction, uint32_t column);

struct remedy;
/* Adds rules to x->rule. */
typedef void remedy_fn(struct explaining *x, const struct remedy *of, const struct counted *c);

struct remedy {
    const char *key;
    const char *remedy; /* what to do; null: the rule says it, with figures */
    const char *cause;  /* looked for only where this what-if saves at least the share `least`; null: always */
    double least;
    bool bounded; /* what the cause saves bounds what the remedy can give */
    remedy_fn *look;
};

remedy_fn remedy_lds_rows, remedy_uncoalesced, remedy_scalar_load, remedy_narrow_loads;         /* remedies_memory.c */
remedy_fn remedy_vgpr_step, remedy_lds_step, remedy_small_grid, remedy_tail, remedy_divergence; /* _waves.c */
remedy_fn remedy_early_waits, remedy_dependency_chain, remedy_code_size, remedy_channels;       /* _time.c */
remedy_fn remedy_loads_in_flight;                                                               /* _loads.c */

/* ---- what rules are made with ---- */

/* Instructions of the base run by their weights, the heaviest first. */
enum { RULE_CHOSEN = 64 };
struct rule_chosen {
    size_t at[RULE_CHOSEN];
    double weight[RULE_CHOSEN];
    size_t count;
};
void rule_choose(struct rule_chosen *c, size_t at_instruction, double weight);
/* Those that waited most for some reasons: a bit per enum timing_stall. */
void rule_choose_by_stall(struct explaining *x, uint64_t reasons, struct rule_chosen *with);

/* Null: out of host memory. */
struct rule *rule_add(struct explaining *x, const struct remedy *of);
/* Where the rule applies: instructions of the base run, the heaviest first. */
void rule_places(struct explaining *x, struct rule *r, const size_t *at, size_t count);
/* b may be null. */
void rule_assignments(struct explaining *x, struct rule *r, const char *a, const char *b);
/* "k.cl:20", or the instruction where no line is known. */
const char *rule_where(struct explaining *x, size_t at);
/* A figure of the profile; 0: it has none. */
double profile_figure(const struct explaining *x, const char *path);

#endif
