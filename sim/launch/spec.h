/* One argument in text: buf:BYTES, in:PATH, out:PATH:BYTES, inout:PATH:OUTPATH, buffer:NAME, i8|u8|...|f64:VALUE,
 * bytes:HEX.
 *
 * Numbers are decimal or 0x hexadecimal; BYTES may have K, M, G or T after it (sim/util/number.h). Floats are read by
 * strtod (inf, nan and hexadecimal floats included) and rounded to nearest even. A PATH may hold colons: `out` and
 * `inout` are split at the last colon. bytes:HEX takes pairs of hexadecimal digits in memory order, with spaces, commas
 * or underscores between them.
 */
#ifndef GCNSIM_LAUNCH_SPEC_H
#define GCNSIM_LAUNCH_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/util/error.h"

enum spec_kind { SPEC_BUF, SPEC_IN, SPEC_OUT, SPEC_INOUT, SPEC_NAMED, SPEC_INT, SPEC_FLOAT, SPEC_BYTES };

struct spec {
    enum spec_kind kind;
    char word[8];     /* "buf", "i32" ... */
    uint64_t bytes;   /* SPEC_BUF, SPEC_OUT: size of the buffer; values: size of the value */
    uint8_t value[8]; /* SPEC_INT, SPEC_FLOAT, little endian */
    uint8_t *data;    /* SPEC_BYTES */
    char *path;       /* to read; OUT: null */
    char *out_path;   /* to write; BUF, IN: null */
    char *buffer;     /* SPEC_NAMED: the name of a buffer that launches share */
};

/* Errors (ERR_USAGE) quote the text and state what was expected. Release with spec_free(), also after a failure. */
int spec_parse(struct spec *s, const char *text, struct err *e);
void spec_free(struct spec *s);

static inline bool spec_is_buffer(const struct spec *s)
{
    return s->kind <= SPEC_NAMED;
}

/* f64 -> f16, round to nearest even. */
uint16_t spec_half(double v);

#endif
