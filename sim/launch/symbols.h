/* Variables of a loaded code object (__device__ and __constant__ in HIP, program-scope variables in OpenCL): values to
 * be written before a launch, and values to be shown or kept in a file after it.
 *
 * To set: NAME=SPEC, with a SPEC (spec.h) of the variable's size: a number (u32:7), bytes:HEX, in:PATH for the bytes of
 * a file, or buffer:NAME for the address of a shared buffer.
 * To read: NAME[:TYPE[:COUNT]][=PATH]. TYPE is one of a SPEC's numbers; without it bytes are shown. Without COUNT it is
 * the whole variable. With PATH its bytes are written there, and nothing is shown.
 * NAME is the symbol's, or what it is in C++ when one variable alone is called so.
 *
 * Errors: ERR_USAGE for a name that is none (with those that are near), for a symbol that is no variable, and for a
 * size that is not the variable's; ERR_IO and ERR_LIMIT for files.
 */
#ifndef GCNSIM_LAUNCH_SYMBOLS_H
#define GCNSIM_LAUNCH_SYMBOLS_H

#include "sim/launch/args.h"

struct launch_symbol {
    const char *name; /* the code object's */
    uint64_t vaddr, bytes;
    uint8_t *value; /* to be set: `bytes` of them; null: it is read */
    char type[8];   /* to be shown as; "": bytes */
    uint64_t count; /* values of that type */
    char *path;     /* that is read (value) or written; null: none */
};

/* What stands after the '=' of either text, a SPEC or a PATH; null: nothing. */
const char *launch_symbol_value(const char *text);

/* directory: base of relative paths, null for the process's. shared: for buffer:NAME; null: there are none. To be
 * released with launch_symbol_free(), also after a failure. */
int launch_symbol_parse_set(struct launch_symbol *s, const struct code_object *co, const char *text,
                            const char *directory, const struct launch_args *shared, struct err *e);
int launch_symbol_parse_read(struct launch_symbol *s, const struct code_object *co, const char *text,
                             const char *directory, struct err *e);
void launch_symbol_free(struct launch_symbol *s);

/* The variable's bytes as text, to be freed; null: out of host memory. */
char *launch_symbol_text(const struct launch_symbol *s, const uint8_t *bytes);

#endif
