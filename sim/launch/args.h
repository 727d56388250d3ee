/* Explicit kernel arguments from SPEC texts (spec.h): checks them against the kernel's metadata, allocates and fills
 * device buffers, packs the kernarg bytes, and after the run writes output buffers to their files.
 *
 * A kernel without metadata has no known arguments: its SPECs are laid out one after the other at natural alignment.
 * A dynamic LDS pointer takes buf:BYTES, which adds to the LDS of the dispatch (lds_bytes).
 *
 * An output file must be writable, its folder there, and no other argument's file (sim/util/output.h); this is checked
 * by launch_args_parse(), because a run may take hours. No folder is made: a misspelt path is more likely than a wanted
 * new folder.
 *
 * Errors name the argument by number (from 0) and by its name in the metadata: ERR_USAGE for a SPEC that does not fit
 * the argument, ERR_IO for files, ERR_NOMEM.
 */
#ifndef GCNSIM_LAUNCH_ARGS_H
#define GCNSIM_LAUNCH_ARGS_H

#include "mem/space.h"
#include "sim/launch/spec.h"
#include "sim/loader/code_object.h"
#include "sim/util/output.h"

struct launch_arg {
    struct spec spec;
    char name[80];  /* "2 'out'", for messages */
    bool on_device; /* a buffer in device memory */
    bool borrowed;  /* which belongs to the shared buffers */
    gaddr_t address;
    uint64_t bytes;
};

struct launch_args {
    const char *what;        /* "argument", "buffer": in messages */
    struct mem_space *space; /* borrowed */
    struct launch_arg *arg;
    size_t count;
    uint8_t *kernarg; /* the explicit arguments; hidden ones are still zero */
    uint32_t kernarg_bytes;
    char note[200];     /* what of the arguments the kernel does not see; "": nothing to say */
    uint32_t lds_bytes; /* dynamic LDS: of all dynamic shared pointers, alignment included */
    char *directory;
    struct file_list files;     /* that arguments read and write; of shared buffers: with those of all their users */
    struct launch_args *shared; /* borrowed; null: there are none */
};

/* Buffers with names, which arguments of several launches take by buffer:NAME: arguments without a kernel. Their list
 * of files takes in those of the arguments that use them, so that a file that two launches write is found.
 * names, specs: buf, in, out or inout; count of each. */
int launch_buffers_make(struct launch_args **out, struct mem_space *space, const char *const *names,
                        const char *const *specs, size_t count, const char *directory, struct err *e);

/* space: must outlive the result. directory: base of relative paths, null for the process's working directory. shared:
 * for buffer:NAME, must outlive the result, too; null: there are none. */
int launch_args_parse(struct launch_args **out, struct mem_space *space, const struct co_kernel *kernel,
                      const char *const *specs, size_t count, const char *directory, struct launch_args *shared,
                      struct err *e);
/* Writes the file of argument `index`, if it has one to be written. */
int launch_args_write_output(const struct launch_args *a, size_t index, struct err *e);
/* All of them, also after a failure; *e then names each that failed. */
int launch_args_write_outputs(const struct launch_args *a, struct err *e);
void launch_args_free(struct launch_args *a); /* frees the buffers; null is fine */

#endif
