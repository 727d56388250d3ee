/* What the readers of a spec share: its members with errors that name file and key, and the values of axes. */
#ifndef GCNSIM_SWEEP_VALUES_H
#define GCNSIM_SWEEP_VALUES_H

#include "sim/sweep/spec.h"
#include "sim/util/json_text.h"

/* The spec being read, and where its error goes. */
struct sweep_reader {
    struct sweep_spec *s;
    struct err *e;
    char where[64]; /* "axes[3]", before the key; "": the file itself */
};

/* "FILE: WHERE.KEY: expected ..."; -1. */
int sweep_bad(const struct sweep_reader *r, const char *key, const char *expected);
int sweep_unknown(const struct sweep_reader *r, const char *key, const char *known);
int sweep_no_memory(const struct sweep_reader *r);

/* A copy of a text that is not empty; null with an error. */
const char *sweep_text(const struct sweep_reader *r, const struct json *v, const char *key);
/* A whole number in a range; 0 or -1. least, most: at most 2^53. */
int sweep_whole(const struct sweep_reader *r, const struct json *v, const char *key, uint64_t least, uint64_t most,
                uint64_t *out);
/* Letters, digits and '_', the first one no digit. */
bool sweep_is_word(const char *name);

/* The list of axes. */
int sweep_read_axes(struct sweep_reader *r, const struct json *v);

#endif
