/* What is loaded of code objects, and its kernels by the address of their descriptor, which packets name.
 *
 * Kernels are found from the time on at which their executable is frozen. Loaded code is counted: the executable has
 * a reference until it is destroyed, and a packet that is processed has one with the kernel that it runs, so code and
 * memory of a running kernel outlive its executable.
 */
#ifndef GCNSIM_HSA_KERNELS_H
#define GCNSIM_HSA_KERNELS_H

#include "sim/hsa/code/blit_layout.h"
#include "sim/hsa/core/runtime.h"

/* A code object on an agent. */
struct loaded {
    uint32_t references;      /* atomic */
    struct gcnsim_code *code; /* for its kernels and symbols */
    struct agent *agent;
    uint64_t base, bytes; /* its image in memory: RANGE_CODE in the table of ranges */
    uint64_t mapped;      /* bytes, in whole pages */
    uint64_t delta;       /* addresses in memory minus those of the ELF file */
    uint64_t elf;         /* address of the file's bytes, for debuggers and the loader's extension */
    uint64_t elf_bytes;
    char *uri;                   /* where they come from, as that extension writes it */
    struct gcnsim_raw_code *raw; /* decoded once; null: it has no code */
    struct kernel *kernels;
    uint32_t kernel_count;
};

struct kernel {
    uint64_t descriptor; /* address; what a packet's kernel_object is */
    uint64_t entry;
    struct loaded *in; /* null: of a code object that is not loaded */
    uint32_t index;    /* in the code object */
    struct blit_kernel blit;
    /* wave-instructions that a workgroup took when the kernel ran last on the functional engine, plus 1; 0: it has not
     * run yet. Atomic. */
    uint64_t group_instructions;
    uint32_t told; /* rules of findings that come with each dispatch and have been reported, a bit each. Atomic. */
    struct gcnsim_kernel_info info;
};

/* The kernel whose descriptor is at the address; null: there is none. Held until kernel_release(). Any thread. */
const struct kernel *kernel_find(uint64_t descriptor);
void kernel_release(const struct kernel *k); /* null is fine */

/* Kernels by descriptor: adds all of a loaded code object, or takes them out; false: out of host memory. */
bool kernels_publish(struct loaded *l);
void kernels_withdraw(struct loaded *l);

/* One reference less; what is loaded goes with the last. */
void loaded_release(struct loaded *l);

#endif
