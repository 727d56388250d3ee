/* FILEs of the command line that clang makes code objects of: assembly, and LLVM IR as text or as bitcode.
 *
 * The target is the file's own (.amdgcn_target, "target-cpu"), or else the one that is asked for. clang's name, its
 * version and the target are printed on stderr.
 */
#ifndef GCNSIM_CLI_SOURCE_H
#define GCNSIM_CLI_SOURCE_H

#include "sim/cli/cli.h"

enum cli_source_kind {
    CLI_SOURCE_NONE, /* binary, or a container: the library's */
    CLI_SOURCE_TEXT, /* other text */
    CLI_SOURCE_ASSEMBLY,
    CLI_SOURCE_IR,
    CLI_SOURCE_BITCODE,
};
/* A source is known by its path's ending (.s, .asm, .ll, .bc), which who gives the file sees: no file of
 * another name makes a compiler run. */
enum cli_source_kind cli_source_kind(const char *path, const uint8_t *bytes, size_t size);

struct cli_source {
    const char *clang;    /* null: the first one that is installed */
    const char *target;   /* for a file that names none; null: there is none */
    const char *expected; /* for messages, what gives a target: "--target NAME" */
};
/* *bytes is a code object, to be freed. kind is one that is compiled. CLI_OK, or CLI_BAD_INPUT with messages. */
int cli_source_compile(const struct cli_source *s, const char *path, enum cli_source_kind kind, const uint8_t *text,
                       size_t text_size, uint8_t **bytes, size_t *size);

/* Makes code->path, if it is such a file, code->bytes, which are *own (null: it is none), to be freed when they have
 * been used. CLI_OK, or CLI_BAD_INPUT with messages. */
int cli_source_take(const struct cli_source *s, struct gcnsim_code_source *code, uint8_t **own);

/* Notes on stderr where in a file of another kind a code object was found. */
void cli_note_place(const struct gcnsim_code_info *info);

#endif
