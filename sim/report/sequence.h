/* Reports of several launches, one after the other on one device: each of them, and the steady one of each kernel.
 *
 * A list of launches runs in rounds. The launches of one place in the list are alike but for what they find in the
 * caches; the steady one is that with the median of their cycles, so that neither a first launch nor the phase of an
 * arbiter decides. Nothing here owns a report.
 */
#ifndef GCNSIM_REPORT_SEQUENCE_H
#define GCNSIM_REPORT_SEQUENCE_H

#include "sim/report/report.h"

struct report_sequence_item {
    const struct report *report;
    const char *name; /* null: its kernel's */
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

/* The item with the median cycles of launch `launch`, or the last where there are none; REPORT_NO_ITEM: no launch of
 * that place has completed outside the warm-up. */
size_t report_sequence_steady(const struct report_sequence *s, uint32_t launch);

/* Each takes a struct report_sequence, as report_render() calls it. */
void report_write_sequence_json(FILE *f, const void *sequence);
void report_write_sequence_text(FILE *f, const void *sequence);
void report_write_sequence_csv(FILE *f, const void *sequence);

#endif
