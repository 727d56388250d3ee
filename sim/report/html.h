/* The page of a run: one HTML file with everything in it, which a browser shows without a network.
 *
 * The page is made when the program is built, from the files in sim/report/html (embed.sh there); here the data of runs
 * is put into it, as one JSON object in a script element. Its members:
 *
 *   schema, gcnsim   of the object; the program's version
 *   stats, columns   rows of the tables in sim/engine/stats.h: [name, unit, meaning]
 *   samples          the same of sim/engine/samples.h
 *   stalls           by key: [what it means, what helps]
 *   levels           by key: what the cache is
 *   index            address of a page that lists all dispatches; null: there is none
 *   explain          what gcnsim explain says as JSON; null: not given
 *   launches         of each: name, round, report (as report_write_json() has it, less code),
 *                    chip (figures of the profile that the diagrams need; null: no profile), code (what each
 *                    instruction did; null: not counted)
 *
 * code has, by instruction: pc of the first and steps from each to the next (to_offset makes offsets of them, but for
 * those in `outside`), text, values, target of branches and frame (index + 1; 0: none), whether a wave has come to it;
 * symbols: [name, first instruction, instructions, whether it is the kernel]; loops: [depth, iterations, entries or
 * null, loop around it or -1, first, last instruction]; loop: [instruction, innermost loop from there on or -1];
 * frames: [function, file, line, frame that it was inlined into], -1: unknown; functions and files, to which frames
 * refer; sources: [file, text] of those that could be read. It has a column for each statistic that is not 0
 * everywhere: an array of numbers by instruction, or, where most are 0, {"i": indices, each from the one before, "v":
 * values}.
 */
#ifndef GCNSIM_REPORT_HTML_H
#define GCNSIM_REPORT_HTML_H

#include "sim/report/report.h"

struct report_html_launch {
    const struct report *report;
    const char *name; /* of the launch in its list; null: there is one alone */
};

struct report_html {
    const struct report_html_launch *launch;
    size_t launches;
    const char *explain; /* a JSON text; null: none */
    const char *index;   /* an address; null: none */
    bool no_sources;     /* leave texts of source files out */
};

/* A struct report_html as a page. */
void report_write_html(FILE *f, const void *html);

/* A line of the page that lists dispatches. */
struct report_html_dispatch {
    uint64_t number;
    const char *kernel, *engine, *outcome, *target;
    uint32_t grid[3], workgroup[3];
    double start_us, duration_us;
    double gap_us, cycles; /* negative: none */
    const char *page;      /* file name; null: it has no page */
};

struct report_html_index {
    const char *title;
    const struct report_html_dispatch *dispatch;
    size_t dispatches;
    uint64_t left_out; /* that ended and are not listed */
};
void report_write_html_index(FILE *f, const void *index);

/* ---- html_code.c ---- */

/* The member "code" of a launch. */
void html_code(struct json_put *j, const struct report *r, bool sources);
/* A column of n numbers, those that get() says. */
void html_column(struct json_put *j, size_t n, uint64_t (*get)(const void *ctx, size_t k), const void *ctx);

/* ---- made by sim/report/html/embed.sh ---- */

/* What is before and after the data. */
struct html_template {
    const char *before, *after;
};
extern const struct html_template html_page_template, html_index_template;

#endif
