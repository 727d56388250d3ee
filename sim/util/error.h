/* Errors as values: a code for programs, a sentence for people.
 *
 * Functions that can fail on bad input take `struct err *e` last and return 0
 * on success, non-zero on failure with *e filled in. The text names the file,
 * offset or field at fault and what was expected. The first error set wins;
 * err_prefix() lets an outer layer prefix its context ("FILE: ...").
 * A bug of gcnsim's own is never an err: it asserts.
 */
#ifndef GCNSIM_UTIL_ERROR_H
#define GCNSIM_UTIL_ERROR_H

enum err_code {
    ERR_NONE = 0,
    ERR_IO,          /* the operating system refused: open, read, write */
    ERR_FORMAT,      /* malformed input: ELF, note, bundle, JSON */
    ERR_USAGE,       /* the caller asked for something that makes no sense */
    ERR_UNSUPPORTED, /* valid input that gcnsim does not model */
    ERR_NOMEM,       /* host memory exhausted */
    ERR_FAULT,       /* the simulated program did something wrong */
    ERR_LIMIT,       /* more than a limit allows: one of a format, or of memory */
    ERR_INTERRUPTED, /* the caller asked to stop */
    ERR_RUN_LIMIT,   /* the simulated program reached a limit of cycles or instructions */
};

struct err {
    enum err_code code;
    char text[640];
};

/* Sets *e (printf-like) unless an error is already there; always returns -1. e may be null. */
int err_set(struct err *e, enum err_code code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Puts "prefix: " before an error already set; a no-op when none is set. Always returns -1. */
int err_prefix(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Adds another error after one that may be set already ("first; second"), for work that goes on after a failure. What
 * does not fit is cut. The code of the first stays. Always returns -1. */
int err_add(struct err *e, const struct err *more);

void err_clear(struct err *e);

#endif
