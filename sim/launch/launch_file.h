/* Launch files: one launch, or a list of them, as a JSON object (docs/LAUNCH_FILES.md lists the keys).
 *
 * The reader resolves `file`, and `arch` when it is a path, against the folder of the launch file. It leaves paths
 * inside argument SPECs as they are: launch_args_parse() is given the folder. It checks types and ranges; whether the
 * code object, the kernel or the profile exists is for the caller to find out.
 *
 * Errors name the file and the key: a key that is not documented, a key given twice, a missing key, a wrong type, a
 * number out of range.
 */
#ifndef GCNSIM_LAUNCH_LAUNCH_FILE_H
#define GCNSIM_LAUNCH_LAUNCH_FILE_H

#include <stdbool.h>

#include "sim/util/arena.h"
#include "sim/util/error.h"

/* One launch. */
struct launch_file_launch {
    const char *name; /* null: not given */
    const char *file; /* the code object */
    bool by_index;
    uint32_t index; /* by_index: of several code objects in the file, from 0 on */
    const char *kernel;
    uint32_t grid[3], workgroup[3]; /* work-items */
    const char *const *args;        /* SPECs (spec.h) */
    size_t arg_count;
    const char *const *set_symbols, *const *read_symbols; /* as symbols.h has them */
    size_t set_symbol_count, read_symbol_count;
    uint32_t dynamic_lds_bytes;
    int acquire, release; /* 0 none, 1 agent, 2 system, as in the header of an AQL packet; -1: not given */
};

/* Strings and lists belong to the struct. */
struct launch_file {
    const char *path;      /* of the launch file */
    const char *directory; /* that it lies in; "" for the current one */
    struct launch_file_launch *launch;
    size_t launch_count;                                   /* 1 at least */
    bool is_list;                                          /* they stand in a list, also if there is but one */
    const char *const *buffer_names, *const *buffer_specs; /* that the launches share */
    size_t buffer_count;
    const char *arch;        /* null: not given */
    const char *engine;      /* "timing", "functional"; null: not given */
    const char *const *sets; /* "path=value" */
    size_t set_count;
    uint64_t max_cycles, max_instructions; /* 0: not given */
    uint32_t threads, repeat, warmup;      /* 0: not given */
    bool check, perfect_memory, cold;
    struct arena arena;
};

/* Close with launch_file_close(). */
int launch_file_open(struct launch_file **out, const char *path, struct err *e);
/* The same from `size` bytes of text, which need no terminating zero. path: stands in messages and gives the folder. */
int launch_file_parse(struct launch_file **out, const char *text, size_t size, const char *path, struct err *e);
/* That every path in it lies in `directory` or below it (launch_path_inside()), and that it names a built-in profile if
 * any. */
int launch_file_confine(const struct launch_file *f, const char *directory, struct err *e);

void launch_file_close(struct launch_file *f); /* null is fine */

#endif
