/* Reports of several launches, one after the other on one device: each of them, and the steady one of each kernel.
 *
 * A list of launches runs in rounds. The launches of one place in the list are alike but for what they find in the
 * caches; the steady one is that with the median of their cycles, so that neither a first launch nor the phase of an
 * arbiter decides. Reports of others are read by JSON and CSV alone. Nothing here owns a report.
 */
#ifndef GCNSIM_REPORT_SEQUENCE_H
#define GCNSIM_REPORT_SEQUENCE_H

#include "sim/report/report.h"

/* What the tables say of a launch. A statistic that the run does not have is below 0. */
struct report_row {
    enum engine_outcome outcome;
    const char *kernel;
    double cycles, time_us, total_us, l2_hit_percent, dram_bytes;
};

struct report_sequence_item {
    struct report_row row;
    const struct report *report; /* of it; null: it is not kept, because nobody reads it */
    const char *name;            /* null: its kernel's */
    uint32_t launch, round;
    bool warmup;
};

struct report_sequence {
    uint32_t warmup_rounds, rounds;
    bool cold;
    const char *sections; /* of the reports in the text; null: all */
    const struct report_sequence_item *item;
    size_t count;
};

#define REPORT_NO_ITEM SIZE_MAX

/* The kernel's name is the report's. */
struct report_row report_row_of(const struct report *r);

/* The item with the median cycles of launch `launch`, or the last where there are none; REPORT_NO_ITEM: no launch of
 * that place has completed outside the warm-up. */
size_t report_sequence_steady(const struct report_sequence *s, uint32_t launch);

/* Each takes a struct report_sequence, as report_render() calls it. */
void report_write_sequence_json(FILE *f, const void *sequence);
void report_write_sequence_text(FILE *f, const void *sequence);
void report_write_sequence_csv(FILE *f, const void *sequence);

#endif
