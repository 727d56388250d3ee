/* The resources whose share of peak a report shows, and the rule that finds what limited a run. */
#ifndef GCNSIM_REPORT_LIMITER_H
#define GCNSIM_REPORT_LIMITER_H

#include "sim/report/maker.h"

enum { LIMIT_RESOURCES = 17 };

/* What a resource does, of which a rate can be computed. */
enum limit_work {
    WORK_NONE,
    WORK_VALU,   /* operations */
    WORK_MATRIX, /* likewise */
    WORK_LDS,    /* bytes */
    WORK_DRAM,
    WORK_LEVEL /* + enum cache_level */
};

struct limit_resource {
    const char *key, *name;
    uint16_t stat; /* enum stat: its share of the chip's peak */
    uint8_t class; /* enum report_limit, of a run that it bounds */
    bool local;    /* it belongs to compute units: its share of the time in which these have waves counts, too */
    bool feeds;    /* it feeds other units with instructions; those are last in the list */
    uint8_t work;  /* enum limit_work */
};
extern const struct limit_resource limit_resource[LIMIT_RESOURCES];

/* Fills r->limiter from the statistics, which are there. */
void report_find_limiter(struct report_maker *m, struct report *r);

/* Whether instructions that wait for results make the vector ALU's queue full: unit_busy_valu then is a wait for these.
 */
bool report_waits_in_queue(const double *stats, const struct profile *p);
/* The part of a wait for LDS or scalar memory (lgkmcnt) that is LDS's. */
double report_lds_part(const double *stats, const struct profile *p);

/* limiter_text.c: the first part of the report, and its JSON object; null: "null". */
void report_write_limiter(FILE *f, const struct report *r);
void report_limiter_json(struct json_put *j, const struct report_limiter *l);

#endif
