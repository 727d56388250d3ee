/* Tables of symbols: of code objects, and of executables. */
#ifndef GCNSIM_HSA_SYMBOLS_H
#define GCNSIM_HSA_SYMBOLS_H

#include "sim/hsa/code/kernels.h"

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

/* Part of an executable's handle: this names a loaded code object; otherwise it is a symbol's index plus one. */
#define PART_LOADED UINT32_C(0x80000000)

/* A table of symbols, by index and by name. */
struct symbols {
    struct symbol *at;
    uint32_t count, capacity;
    uint32_t *chains; /* by hash: an index plus one */
    uint32_t chain_count;
};

/* Room for `more` symbols; false: out of host memory. */
bool symbols_reserve(struct symbols *t, uint32_t more);
/* There must be room. */
void symbols_add(struct symbols *t, const struct symbol *s);
/* By exact name, or a kernel's without ".kd", of the agent (null: of the program); null: none. */
const struct symbol *symbols_find(const struct symbols *t, const char *name, const struct agent *agent);
void symbols_free(struct symbols *t);
/* The kernels and global variables of a code object, in memory at its own addresses plus delta. *kernels is an array
 * that the caller frees after the symbols. HSA_STATUS_ERROR_OUT_OF_RESOURCES is all that can go wrong. */
hsa_status_t symbols_of_code(const struct gcnsim_code *code, struct agent *agent, uint64_t delta, struct loaded *in,
                             struct symbols *out, struct kernel **kernels, uint32_t *kernel_count);
/* An attribute that symbols of code objects and of executables have in common, HSA_EXECUTABLE_SYMBOL_INFO_*; false:
 * there is no such one. Attributes that a symbol of its kind has not are 0. */
bool symbol_info(const struct symbol *s, int attribute, void *value);

#endif
