/* gcnsim: runs amdgcn (AMD GCN, CDNA, RDNA) kernels on the CPU, bit-exactly, and counts the cycles they would take.
 *
 * Two ways in:
 *   - a code object: gcnsim_open() -> gcnsim_load_file() -> gcnsim_args_parse() or own kernarg bytes ->
 *     gcnsim_launch() -> a struct gcnsim_result with the report;
 *   - raw code in the caller's own address space, for runtimes that do their own loading: gcnsim_open() ->
 *     gcnsim_launch_raw(). Device addresses are then host addresses.
 * Inspection (gcnsim_code_*), occupancy, disassembly and profiles need no simulator.
 *
 * Conventions
 *   Handles are opaque; there are no globals. Separate simulators may be used from separate threads at the same time;
 *   calls on one handle must not overlap (a progress callback and the abort and snapshot flags are the ways to reach a
 *   running launch).
 *   Functions that can fail return GCNSIM_OK (0) or a gcnsim_status that is also put, with a sentence naming the file,
 *   offset, argument or field and what was expected, into *error (which may be null). Outputs are written on success
 *   alone, unless said otherwise. A fault of the simulated program is not a failure of the call: it is in the result
 *   (result->outcome).
 *   The library never prints, exits or reads the environment.
 *   Strings are UTF-8, NUL-terminated. `const char *` results are borrowed from the handle that was asked;
 *   `char **` results belong to the caller and are released with gcnsim_free().
 *   Sizes are in bytes, grids and workgroups in work-items unless said otherwise, times in shader clock cycles.
 *   Structs that the caller fills are prepared with their _init function, which zeroes what it does not set.
 *
 * Versions
 *   A program that was built with this header runs with every library of the same soname (libgcnsim.so.1) that has the
 *   functions it calls; where one is missing, the dynamic linker names it, or the symbol version (GCNSIM_0.1) that it
 *   came with. docs/API.md ("Versions") has the whole promise. Later versions of that soname add functions, values of
 *   enumerations (a program takes one that it does not know for "something else"), and fields at the end of three kinds
 *   of structs; nothing else of this header changes:
 *   - Structs that the program fills begin with struct_bytes, the size that the program was built with; _init sets it.
 *     A newer library gives the fields that a smaller struct does not have the values that _init gives them. An older
 *     one refuses a larger struct with GCNSIM_ERROR_UNSUPPORTED when a field that it does not know is not 0, and takes
 *     it otherwise. A size that no version has is GCNSIM_ERROR_USAGE. All elements of an array have one size.
 *   - Structs that a call fills in the program's memory come with their size: the call is inline and hands it to an
 *     exported one whose name ends with _sized. Fields that an older library does not have are 0.
 *   - Structs of the library's that a program gets by a pointer begin with struct_bytes, too, the library's size:
 *     GCNSIM_HAS(result, limiter) says whether the library that is loaded has a field that was added later.
 *   Other structs, elements of the library's arrays above all, stay as they are; what there is to add comes by new
 *   calls. The _init functions and the calls of the second kind are inline, because the size is the program's; bindings
 *   from other languages call those with _sized.
 */
#ifndef GCNSIM_H
#define GCNSIM_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define GCNSIM_API __attribute__((visibility("default")))
#else
#define GCNSIM_API
#endif

/* Whether the library that is loaded has a member of a struct that it gives by pointer, which begins with struct_bytes.
 */
#define GCNSIM_HAS(pointer, member)                                                                                    \
    ((size_t)((const char *)(&(pointer)->member + 1) - (const char *)(pointer)) <= (pointer)->struct_bytes)

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors -------------------------------------------------------------------------------------------------- */

enum gcnsim_status {
    GCNSIM_OK = 0,
    GCNSIM_ERROR_IO,          /* the operating system refused: open, read, write */
    GCNSIM_ERROR_FORMAT,      /* malformed input: ELF, metadata, bundle, JSON */
    GCNSIM_ERROR_USAGE,       /* the request makes no sense: wrong argument, size, name */
    GCNSIM_ERROR_UNSUPPORTED, /* valid input that gcnsim does not model */
    GCNSIM_ERROR_NOMEM,       /* host memory exhausted */
    GCNSIM_ERROR_FAULT,       /* the simulated program did something wrong (gcnsim_result_status(), gcnsim_compare()) */
    GCNSIM_ERROR_LIMIT,       /* more than a limit allows: of memory, set by the caller, or one of a format */
    GCNSIM_ERROR_INTERRUPTED, /* the caller asked to stop (likewise) */
    GCNSIM_ERROR_RUN_LIMIT,   /* the simulated program reached max_cycles or max_instructions (likewise) */
};

/* What a status means, as the comments above say it, for messages: "malformed input". Static; of a number that is no
 * status of this library "unknown status".
 *   status: enum gcnsim_status */
GCNSIM_API const char *gcnsim_status_text(int status);

struct gcnsim_error {
    int code;       /* enum gcnsim_status */
    char text[640]; /* empty when code is GCNSIM_OK */
};

/* The version of this header, and of the library that is loaded, as a number that grows from version to version. */
#define GCNSIM_VERSION_MAJOR  0
#define GCNSIM_VERSION_MINOR  1
#define GCNSIM_VERSION_PATCH  0
#define GCNSIM_VERSION_NUMBER (GCNSIM_VERSION_MAJOR * 1000000 + GCNSIM_VERSION_MINOR * 1000 + GCNSIM_VERSION_PATCH)

/* The loaded library's GCNSIM_VERSION_NUMBER. */
GCNSIM_API uint32_t gcnsim_version_number(void);

/* The loaded library's version as text, "0.1.0"; static. */
GCNSIM_API const char *gcnsim_version(void);

/* Releases memory returned through a `char **` or `void **`.
 *   p: what was returned; null is fine */
GCNSIM_API void gcnsim_free(void *p);

/* ---- simulator and device memory ----------------------------------------------------------------------------- */

struct gcnsim; /* a profile, a device memory and what is loaded in it */

/* Makes a simulator: a device of its own, with nothing loaded.
 *   out: the simulator, to be closed with gcnsim_close()
 *   profile: built-in name ("gfx1201-rx9070xt"), target name ("gfx1201": its default chip) or path of a .json file.
 *     Null: the default of the target that is loaded or launched first; targets without a profile then run functionally
 *     alone */
GCNSIM_API int gcnsim_open(struct gcnsim **out, const char *profile, struct gcnsim_error *error);

/* Ends a simulator; its modules and allocations go with it. Results, code objects opened apart and timelines stay.
 *   sim: null is fine */
GCNSIM_API void gcnsim_close(struct gcnsim *sim);

/* Overrides one number of the profile: ("cu.wave_slots_per_simd", "8"). The device is cold afterwards.
 *   sim: whose profile; with one still open (null in gcnsim_open()) the number is kept and applied, and checked, when
 *     the profile is chosen
 *   path: of the number, as gcnsim_profile_show() lists it
 *   value: in the unit that is listed beside it */
GCNSIM_API int gcnsim_set(struct gcnsim *sim, const char *path, const char *value, struct gcnsim_error *error);

/* Overrides several numbers at once, which are checked together, so that values that hang together can change together;
 * all or none.
 *   sim: as in gcnsim_set()
 *   assignments: "path=value" each
 *   count: of assignments */
GCNSIM_API int gcnsim_set_all(struct gcnsim *sim, const char *const *assignments, size_t count,
                              struct gcnsim_error *error);

/* Bytes that a simulator may hold unless gcnsim_set_max_memory() says otherwise. */
#define GCNSIM_DEFAULT_MAX_MEMORY (UINT64_C(16) << 30)

/* Limits the memory that a simulator may hold for what code objects, profiles, launch files and callers ask for: device
 * memory, files and tables of the loader, decompressed bundles, scratch, registers and LDS of resident waves, caches.
 * Counted is what is reserved, whether or not it has been touched (untouched memory costs the host nothing), so that a
 * request passes or fails alike on every host. A request that would pass the limit is GCNSIM_ERROR_LIMIT, with a
 * message that says what asked for how much.
 *   sim: holds GCNSIM_DEFAULT_MAX_MEMORY at most before the first call
 *   bytes: the limit of what is asked for from now on; 0: none */
GCNSIM_API void gcnsim_set_max_memory(struct gcnsim *sim, uint64_t bytes);

struct gcnsim_memory {
    uint64_t limit_bytes;
    uint64_t held_bytes; /* now */
    uint64_t peak_bytes; /* the most since gcnsim_open() */
};

/* What a simulator holds of the memory that it may hold.
 *   sim: the simulator
 *   memory: filled in
 *   memory_bytes: sizeof *memory of the program */
GCNSIM_API void gcnsim_get_memory_sized(const struct gcnsim *sim, struct gcnsim_memory *memory, size_t memory_bytes);
static inline void gcnsim_get_memory(const struct gcnsim *sim, struct gcnsim_memory *memory)
{
    gcnsim_get_memory_sized(sim, memory, sizeof *memory);
}

/* A simulator is a device that lives: caches, address translations, open DRAM rows and the clock outlive a launch of
 * the timing engine, and the next launch finds what the fences of both dispatches have left there. The first launch
 * finds everything cold. So does the next one after a launch that did not run to its end, after gcnsim_set(), and after
 * this call, with which the clock begins at 0 again; memory keeps its contents. dispatch.cold asks for a device of its
 * own for one launch, and leaves the simulator's alone.
 *   sim: whose device */
GCNSIM_API void gcnsim_device_reset(struct gcnsim *sim);

/* The cycles that the device's clock has counted, which s_memtime reads, up to the end of the last launch.
 *   sim: whose device */
GCNSIM_API uint64_t gcnsim_device_clock(const struct gcnsim *sim);

/* Says that the caller has written memory of raw launches past the caches (gcnsim_write() says so itself): the device's
 * lines of it are dropped.
 *   sim: whose device
 *   address: of the first byte, on the device
 *   bytes: from there on; UINT64_MAX: all memory */
GCNSIM_API void gcnsim_device_written(struct gcnsim *sim, uint64_t address, uint64_t bytes);

/* Copies the counters of global wave sync (ds_gws_*), which are a device's and outlive launches, because a runtime
 * initialises them by a kernel of its own. It is for a caller who has two simulators run the launches of one device, on
 * one thread.
 *   to: whose counters are overwritten
 *   from: whose counters are read */
GCNSIM_API void gcnsim_device_copy_gws(struct gcnsim *to, struct gcnsim *from);

/* Name of the profile in use, which belongs to the simulator; null when none is chosen yet.
 *   sim: the simulator */
GCNSIM_API const char *gcnsim_profile_name(const struct gcnsim *sim);

/* One number of the profile in use. Non-zero, *value left alone, when no profile is chosen or it has no such number.
 *   sim: the simulator
 *   path: "cu.simds", "gpu.shader_clock_mhz"
 *   value: in the unit that gcnsim_profile_show() prints */
GCNSIM_API int gcnsim_profile_number(const struct gcnsim *sim, const char *path, double *value);

/* Zero-filled device memory. Addresses are the same from run to run. Accesses of kernels are checked against its exact
 * size.
 *   sim: whose device; past its limit (gcnsim_set_max_memory()) GCNSIM_ERROR_LIMIT
 *   bytes: more than 0
 *   label: names the allocation in fault reports; copied; may be null
 *   address: the device address, for gcnsim_dealloc() */
GCNSIM_API int gcnsim_alloc(struct gcnsim *sim, uint64_t bytes, const char *label, uint64_t *address,
                            struct gcnsim_error *error);

/* Gives device memory back.
 *   sim: whose device
 *   address: as returned by gcnsim_alloc(); another one is GCNSIM_ERROR_USAGE */
GCNSIM_API int gcnsim_dealloc(struct gcnsim *sim, uint64_t address, struct gcnsim_error *error);

/* Copies bytes to the device, and drops the lines that its caches have of them, as a copy engine does that writes
 * memory behind them.
 *   sim: whose device
 *   address: of the first byte on the device; all bytes must lie in one allocation or loaded code object
 *   from: on the host
 *   bytes: how many */
GCNSIM_API int gcnsim_write(struct gcnsim *sim, uint64_t address, const void *from, size_t bytes,
                            struct gcnsim_error *error);

/* Copies bytes from the device.
 *   sim: whose device
 *   address: as in gcnsim_write()
 *   to: on the host; room for `bytes`
 *   bytes: how many */
GCNSIM_API int gcnsim_read(struct gcnsim *sim, uint64_t address, void *to, size_t bytes, struct gcnsim_error *error);

/* ---- modules: code objects loaded in device memory ----------------------------------------------------------- */

struct gcnsim_module; /* belongs to its simulator; released by gcnsim_close or gcnsim_unload */

/* Loads a code object from a file: places it in device memory and relocates it. One that the profile cannot run is an
 * error.
 *   sim: whose device; it chooses its profile by the target when it has none
 *   out: the module, which belongs to the simulator: gcnsim_unload(), or gcnsim_close()
 *   path: an amdgcn ELF, a bundle, or what holds one (docs/FILES.md)
 *   want_target: as in gcnsim_code_open_file(); null: the profile's target when a profile is chosen */
GCNSIM_API int gcnsim_load_file(struct gcnsim *sim, struct gcnsim_module **out, const char *path,
                                const char *want_target, struct gcnsim_error *error);

/* The same from memory.
 *   sim: as in gcnsim_load_file()
 *   out: as in gcnsim_load_file()
 *   bytes: of the file; copied
 *   size: in bytes
 *   name: for messages; null: "memory"
 *   want_target: as in gcnsim_load_file() */
GCNSIM_API int gcnsim_load_memory(struct gcnsim *sim, struct gcnsim_module **out, const void *bytes, size_t size,
                                  const char *name, const char *want_target, struct gcnsim_error *error);
struct gcnsim_code_source; /* in gcnsim_code.h */
/* gcnsim_load_file() or gcnsim_load_memory() with a choice of one of several code objects (kernel, index).
 *   sim: as in gcnsim_load_file()
 *   out: as in gcnsim_load_file()
 *   source: its max_memory does not count: the simulator's limit does */
GCNSIM_API int gcnsim_load(struct gcnsim *sim, struct gcnsim_module **out, const struct gcnsim_code_source *source,
                           struct gcnsim_error *error);

/* Takes a module's code object off the device. Arguments and symbols of the module must have been freed before.
 *   module: null is fine */
GCNSIM_API void gcnsim_unload(struct gcnsim_module *module);

/* The code object in a module, which lives as long as the module.
 *   module: the module */
GCNSIM_API const struct gcnsim_code *gcnsim_module_code(const struct gcnsim_module *module);

/* Where a symbol is on the device, a __device__ or __constant__ variable for instance. An unknown name is
 * GCNSIM_ERROR_USAGE.
 *   module: the module
 *   name: as the symbol table has it
 *   address: on the device
 *   size: in bytes; may be null */
GCNSIM_API int gcnsim_module_symbol(const struct gcnsim_module *module, const char *name, uint64_t *address,
                                    uint64_t *size, struct gcnsim_error *error);

#ifdef __cplusplus
}
#endif

/* what needs no simulator, and what a launch is given */
#include "gcnsim_args.h"
#include "gcnsim_code.h"

/* launches and what comes of them */
#include "gcnsim_launch.h"
#include "gcnsim_raw.h"
#include "gcnsim_result.h"

/* what is made of code and of results */
#include "gcnsim_compare.h"
#include "gcnsim_explain.h"
#include "gcnsim_views.h"

#endif
