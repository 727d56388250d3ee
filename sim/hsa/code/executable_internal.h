/* Private to the files about code objects: executables, symbols, and how they are made.
 *
 * An executable's lock is held for its own tables alone, and while an image is written with their addresses. What a
 * call has taken out of the tables is valid while it has a reference to the executable.
 */
#ifndef GCNSIM_HSA_EXECUTABLE_INTERNAL_H
#define GCNSIM_HSA_EXECUTABLE_INTERNAL_H

#include <pthread.h>

#include "sim/hsa/code/executable.h"
#include "sim/hsa/core/handles.h"

/* Symbols --------------------------------------------------------------------------------------------------------- */

/* A kernel or a variable of a code object, or a variable that the program has defined. */
struct symbol {
    const char *name;            /* of a kernel with ".kd" */
    struct agent *agent;         /* null: of the program */
    uint64_t address;            /* of a variable; a kernel's is its descriptor's */
    uint64_t size;               /* 0: unknown */
    const struct kernel *kernel; /* null: a variable */
    bool is_const;
    bool readonly; /* in the readonly segment: hsa_executable_readonly_variable_define */
    bool own_name; /* to be freed */
    uint32_t next; /* in its chain: an index plus one; 0: the last */
};

/* A table of symbols, by index and by name. */
struct symbols {
    struct symbol *at;
    uint32_t count, capacity;
    uint32_t *chains; /* by hash: an index plus one */
    uint32_t chain_count;
};

/* Room for `more` symbols; false: no memory. */
bool symbols_reserve(struct symbols *t, uint32_t more);
/* There must be room. */
void symbols_add(struct symbols *t, const struct symbol *s);
/* By exact name, or a kernel's without ".kd", of the agent (null: of the program); null: none. */
const struct symbol *symbols_find(const struct symbols *t, const char *name, const struct agent *agent);
void symbols_free(struct symbols *t);
/* The kernels and global variables of a code object, in memory at its own addresses plus delta. *kernels is an array
 * that the caller frees behind the symbols. HSA_STATUS_ERROR_OUT_OF_RESOURCES is all that can go wrong. */
hsa_status_t symbols_of_code(const struct gcnsim_code *code, struct agent *agent, uint64_t delta, struct loaded *in,
                             struct symbols *out, struct kernel **kernels, uint32_t *kernel_count);
/* An attribute that symbols of code objects and of executables have in common, HSA_EXECUTABLE_SYMBOL_INFO_*; false:
 * there is no such one. Attributes that a symbol of its kind has not are 0. */
bool symbol_info(const struct symbol *s, int attribute, void *value);

/* Executables ----------------------------------------------------------------------------------------------------- */

#define PART_LOADED                                                                                                    \
    UINT32_C(0x80000000) /* part of a handle: a loaded code object; otherwise a symbol's index plus one */

struct executable {
    struct object object;
    hsa_profile_t profile;
    hsa_default_float_rounding_mode_t rounding;
    pthread_mutex_t lock; /* of all that follows */
    bool frozen;
    struct loaded **loaded;
    uint32_t loaded_count;
    struct symbols symbols;
};

/* Held until executable_release(); null: the handle is none of an executable, or names a part of one. */
struct executable *executable_hold(hsa_executable_t handle);
/* The executable whose part a handle names. */
struct executable *executable_of_part(uint64_t handle);
void executable_release(struct executable *x);
static inline hsa_executable_t executable_handle(const struct executable *x)
{
    return (hsa_executable_t){x->object.handle};
}

/* Bytes that hold a code object, and where they come from. */
struct code_source {
    const void *bytes;
    size_t size;
    const char *uri; /* null: it is the memory that the loader keeps them in */
};

/* Loads it for the agent; *part is then the part of the handle that names it. Says why not in the log. */
hsa_status_t executable_load(struct executable *x, struct agent *a, const struct code_source *from, uint32_t *part);
/* Opens a code object for a target, or for none, and says in the log why it cannot be. */
hsa_status_t code_open(const struct code_source *from, const struct agent *a, struct gcnsim_code **out);

void loaded_release(struct loaded *l);

/* Kernels by descriptor: adds all of a loaded code object, or takes them out; false: no memory. */
bool kernels_publish(struct loaded *l);
void kernels_withdraw(struct loaded *l);

/* Readers --------------------------------------------------------------------------------------------------------- */

struct reader {
    struct object object;
    struct code_source source;
    void *own; /* bytes, of a file */
    char *own_uri;
};

#endif
