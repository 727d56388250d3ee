/* One wave over time as text: a row for each instruction that it executes, in the manner of llvm-mca's timeline.
 *
 * A row has the number of the instruction among those of the wave, the cycle in which it issues, for how long the wave
 * waited before that, and a strip of time: small letters while it waits (by reason, see the legend), I where it issues,
 * '=' until its result is there or memory has answered, and R there. It is the one renderer of rows over time: of run
 * and exec, and of sequences (compare). Rows are in pages, each of which has a scale of
 * its own. The first and the last iteration of a loop are shown, and what was between is one line.
 */
#ifndef GCNSIM_TRACES_WAVE_VIEW_H
#define GCNSIM_TRACES_WAVE_VIEW_H

#include <stdio.h>

#include "sim/util/error.h"
#include "sim/util/event.h"
#include "traces/timeline.h"

enum { WAVE_VIEW_LABEL = 24 };

struct wave_view;

/* For wave `wave` of workgroup `group`. Null: out of host memory. */
struct wave_view *wave_view_new(uint64_t group, uint16_t wave);
void wave_view_free(struct wave_view *v); /* null is fine */
struct event_consumer wave_view_consumer(struct wave_view *v);
/* Forgets all rows but the last one that is kept, which becomes row 0. */
void wave_view_forget(struct wave_view *v);

/* Rows in another guise than that of a wave of a launch. All zero: none. */
struct wave_view_style {
    void *ctx;
    void (*label)(void *ctx, size_t row, char out[WAVE_VIEW_LABEL]); /* null: its number */
    /* The cycle in which its unit begins it; up to then '-' says that it waits in the unit's queue. Null: its issue. */
    cycle_t (*begins)(void *ctx, size_t row);
    bool from_first; /* cycles count from the issue of the first row that is shown; else from the wave's launch */
    size_t end;      /* the row after the last that is shown, after what is folded too; 0: as many as there are */
    uint32_t step;   /* a column has a multiple of so many cycles; 0: any number */
};
/* Writes rows [first, first + rows) as pages; returns the row after the last one that is shown. */
size_t wave_view_rows(FILE *f, const struct wave_view *v, size_t first, size_t rows, const struct timeline_code *code,
                      const struct wave_view_style *style);
/* The legend of what these rows waited for. */
void wave_view_legend(FILE *f, const struct wave_view *v, size_t first, size_t rows,
                      const struct wave_view_style *style);

/* What the events said. rows: at most, from row `first` on. title: what the wave is of. base, vaddr, text, place: of
 * the code. To be freed; null: out of host memory. */
char *wave_view_text(const struct wave_view *v, const char *title, uint64_t first, uint64_t rows,
                     const struct timeline_code *code);

#endif
