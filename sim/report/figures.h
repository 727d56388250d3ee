/* Which figures of a profile an instruction depends on: what `gcnsim isa show --arch` lists, and what says how sure its
 * timing is (fidelity.h). */
#ifndef GCNSIM_REPORT_FIGURES_H
#define GCNSIM_REPORT_FIGURES_H

#include "config/profile.h"
#include "isa/isa.h"

enum { FIGURES_MAX = 16 };

/* Patterns of paths, as profile_print_matching() takes them. */
struct figures {
    char text[FIGURES_MAX][64];
    const char *list[FIGURES_MAX];
    unsigned count;
    uint32_t decides; /* a bit for each: every execution meets it; else only what stands after the instruction does */
};

/* Those that the issue of the instruction, its result and its successors depend on. cls: the instruction's, as
 * isa_inst_sched() gives it. */
void figures_of(const struct isa_row *row, unsigned cls, struct figures *p);

/* The figure with the confidence that claims least, of those that the profile gives and every execution in waves of
 * `lanes` meets: its path, static; null when there is none, as of instructions that use no unit. */
const char *figures_least_sure(const struct isa_row *row, unsigned cls, unsigned lanes, const struct profile *p,
                               enum profile_confidence *confidence);

#endif
