/* How far a run, or code, can be believed: of each instruction whether its results are a chip's bit for bit, and how
 * sure the profile is of the figures that its timing depends on (docs/FIDELITY.md). */
#ifndef GCNSIM_REPORT_FIDELITY_H
#define GCNSIM_REPORT_FIDELITY_H

#include <stdio.h>

#include "config/profile.h"
#include "isa/isa.h"
#include "sim/util/json_put.h"

enum fidelity_semantics {
    FIDELITY_UNSUPPORTED, /* decoded, not executed: running it is a fault */
    FIDELITY_APPROXIMATE, /* isa_row.ulp */
    FIDELITY_EXACT,
    FIDELITY_SEMANTICS
};

/* The confidences of config/, then this: no figure of the profile is about it alone. */
enum { FIDELITY_NO_FIGURE = CONF_WHAT_IF + 1, FIDELITY_TIMINGS };

extern const char *const fidelity_semantics_key[FIDELITY_SEMANTICS]; /* "unsupported", ... */
const char *fidelity_timing_key(unsigned timing);                    /* "measured", ..., "none" */

/* All instructions of one mnemonic, or pair of them, and of one pipeline class. */
struct fidelity_entry {
    const struct isa_row *row, *second; /* second: of a dual-issue pair, else null */
    char mnemonic[80];
    uint8_t cls;        /* enum op_class */
    uint8_t semantics;  /* enum fidelity_semantics */
    bool measured;      /* isa_row.measured; of a pair both */
    uint8_t timing;     /* enum profile_confidence, FIDELITY_NO_FIGURE */
    float ulp;          /* of APPROXIMATE: isa_row.ulp, of a pair the larger one */
    const char *figure; /* the least sure one; null: none */
    uint64_t count;
};

/* A figure of the profile, and the wave-cycles that rest on it. */
struct fidelity_figure {
    const char *path; /* static */
    uint8_t timing;   /* enum profile_confidence */
    double cycles;
};

struct fidelity {
    const struct isa_target *target;
    const struct profile *profile; /* null: nothing is said about timing. Neither is looked at once all are added */
    const char *profile_name;      /* for output; null: there is none */
    unsigned lanes;
    struct fidelity_entry *entry; /* fidelity_sort() orders them */
    size_t count, room;
    uint64_t total, undecodable; /* instructions; words among them that are none */
    uint64_t of_semantics[FIDELITY_SEMANTICS], of_timing[FIDELITY_TIMINGS];
    uint64_t exact_measured;     /* of the exact ones, those that have an entry */
    uint64_t called, unresolved; /* of code: functions called that are in it; calls to where is not known */
    uint64_t unnamed;            /* approximate ones that have no entry */
    uint64_t unnamed_exact;      /* exact ones likewise */

    bool of_run;                        /* else of code */
    double cycles;                      /* wave-cycles of a run; 0: there are none */
    double cycles_of[FIDELITY_TIMINGS]; /* by the confidence of what they rest on; NO_FIGURE: on none */
    struct fidelity_figure *figure;     /* fidelity_sort() orders them */
    size_t figures, figure_room;
};

/* Exact instructions that are so as chips were measured; the others are as the manual says. Null: only classes of them
 * are known. */
const uint64_t *fidelity_exact_measured(const struct fidelity *f);
/* Bytes that it holds beside itself. */
uint64_t fidelity_bytes(const struct fidelity *f);
/* Instructions of one place, `count` of them. i->row null: a word that is no instruction. False without memory. */
bool fidelity_add(struct fidelity *f, const struct isa_inst *i, uint64_t count);
/* Executed ones of a class of which no more is known: they get no entry, and nothing is said about their timing. */
void fidelity_add_class(struct fidelity *f, bool approximate, uint64_t count);
/* Wave-cycles that rest on a figure; null: on none. False without memory. */
bool fidelity_add_cycles(struct fidelity *f, const char *figure, enum profile_confidence confidence, double cycles);
/* Those first that can be believed least: unsupported, approximate, then by confidence, number and name. Figures by
 * confidence, then by cycles. */
void fidelity_sort(struct fidelity *f);
void fidelity_free(struct fidelity *f);

/* For a sorted one: for people, at most 120 columns, and one JSON object. name: of what it is. */
void fidelity_text(FILE *out, const struct fidelity *f, const char *name);
void fidelity_json(struct json_put *j, const struct fidelity *f, const char *name);
/* What reports say of a run, in a few lines of at most 80 columns: its results, and its cycles where it has some. */
void fidelity_summary(FILE *out, const struct fidelity *f);
/* The same for the first screen: how sure the cycles are, in one line, and the results unless all are exact. */
void fidelity_first_lines(FILE *out, const struct fidelity *f);

#endif
