/* What the unit tests of sweeps share: specs as text, and files in the test's folder. Header-only. */
#ifndef TESTS_UNIT_SWEEP_UNIT_H
#define TESTS_UNIT_SWEEP_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/sweep/points.h"
#include "tests/support/folder.h"
#include "tests/support/proc.h"

/* DIR/NAME in one of a few buffers that are used in turn. */
static inline const char *in_folder(const char *name)
{
    static char buffers[8][4200];
    static unsigned next;
    char *p = buffers[next++ % 8];

    snprintf(p, sizeof buffers[0], "%s/%s", program_folder(), name);
    return p;
}

static inline void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* The words of JSON are written with ' for ". */
static inline char *json_of(const char *text)
{
    char *json = strdup(text);

    assert_non_null(json);
    for (char *c = json; *c; c++)
        if (*c == '\'')
            *c = '"';
    return json;
}

static inline int parse(struct sweep_spec **s, const char *text, struct err *e)
{
    char *json = json_of(text);
    int rc = sweep_spec_parse(s, json, strlen(json), "spec.json", program_folder(), e);

    free(json);
    return rc;
}

/* {gcnsim_sweep, launches: one, MORE} */
static inline int parse_with(struct sweep_spec **s, const char *more, struct err *e)
{
    char text[65536];

    snprintf(text, sizeof text, "{'gcnsim_sweep': 1, 'launches': ['a.json']%s%s}", *more ? ", " : "", more);
    return parse(s, text, e);
}

static inline struct sweep_spec *spec_with(const char *more)
{
    struct err e = {0};
    struct sweep_spec *s = NULL;

    if (parse_with(&s, more, &e))
        fail_msg("%s: %s", more, e.text);
    return s;
}

static inline struct sweep_points *points_of(const struct sweep_spec *s)
{
    struct err e = {0};
    struct sweep_points *p = NULL;

    if (sweep_points_make(&p, s, &e))
        fail_msg("%s", e.text);
    return p;
}

/* "1,8 1,16 ...": the values of a sweep's points in order. To be freed. */
static inline char *values_of(const struct sweep_spec *s, const struct sweep_points *p)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    assert_non_null(f);
    for (uint64_t k = 0; k < sweep_points_count(p); k++)
        for (uint32_t c = 0; c < sweep_columns(s); c++)
            fprintf(f, "%s%s", c ? "," : k ? " " : "", sweep_point_value(p, k, c)->text);
    assert_int_equal(fclose(f), 0);
    return text;
}

#endif
