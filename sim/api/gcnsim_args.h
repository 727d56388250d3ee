/* gcnsim: a launch's arguments, launch files, and files that are read and written. gcnsim.h, which programs include,
includes this header and has the conventions. */
#ifndef GCNSIM_ARGS_H
#define GCNSIM_ARGS_H

#ifndef GCNSIM_API
#error "include gcnsim.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- arguments from text ------------------------------------------------------------------------------------- */

struct gcnsim_args; /* parsed arguments with their device buffers */

/* Makes a kernel's explicit arguments from texts, with device buffers where they ask for them. Wrong count, type or
 * size is an error that names the argument, and so is a file to be written that cannot be, or that another argument
 * reads or writes too (inout:PATH:PATH is asked for and fine). For a kernel without metadata the arguments are laid out
 * one after the other at their natural alignment. Pointer arguments to LDS take the plain size, "buf:BYTES".
 *   module: that has the kernel
 *   kernel: its number
 *   specs: one for each explicit argument, in order: buf:BYTES, in:PATH, out:PATH:BYTES, inout:PATH:OUTPATH,
 *     buffer:NAME, {i8|u8|i16|u16|i32|u32|i64|u64|f16|f32|f64}:VALUE or bytes:HEX. Buffers are zero-filled device
 *     allocations. BYTES may have K, M, G or T after it, powers of 1024
 *   count: of specs
 *   directory: that relative paths are relative to; null: the process's
 *   out: the arguments, to be freed with gcnsim_args_free() before the module is unloaded */
GCNSIM_API int gcnsim_args_parse(struct gcnsim_module *module, uint32_t kernel, const char *const *specs, size_t count,
                                 const char *directory, struct gcnsim_args **out, struct gcnsim_error *error);

/* Writes the `out` and `inout` buffers to their files, as gcnsim_write_file() does. Call after the launch. A failure
 * does not keep the others from being written; the error names all that failed.
 *   args: of a launch that is over */
GCNSIM_API int gcnsim_args_write_outputs(const struct gcnsim_args *args, struct gcnsim_error *error);

/* Writes the file of one argument; nothing is done, and GCNSIM_OK returned, when it has no file to be written.
 *   args: of a launch that is over
 *   index: from 0 on, of the explicit arguments */
GCNSIM_API int gcnsim_args_write_output(const struct gcnsim_args *args, uint32_t index, struct gcnsim_error *error);

/* The device buffer of an argument; non-zero, outputs left alone, when that argument is not a buffer.
 *   args: the arguments
 *   index: from 0 on, of the explicit arguments
 *   address: on the device
 *   size: in bytes */
GCNSIM_API int gcnsim_args_buffer(const struct gcnsim_args *args, uint32_t index, uint64_t *address, uint64_t *size);

/* Frees arguments and their buffers; before gcnsim_close().
 *   args: null is fine */
GCNSIM_API void gcnsim_args_free(struct gcnsim_args *args);

struct gcnsim_buffers; /* device buffers with names, which the arguments of several launches share */

/* Makes device buffers with names, which outlive the arguments that name them (buffer:NAME).
 *   sim: whose device
 *   names: of the buffers, no two alike
 *   specs: buf:, in:, out: or inout: each, as in gcnsim_args_parse()
 *   count: of names, and of specs
 *   directory: as in gcnsim_args_parse()
 *   out: the buffers, to be freed with gcnsim_buffers_free() */
GCNSIM_API int gcnsim_buffers_make(struct gcnsim *sim, const char *const *names, const char *const *specs, size_t count,
                                   const char *directory, struct gcnsim_buffers **out, struct gcnsim_error *error);

/* gcnsim_args_parse() with buffers for SPECs of the form buffer:NAME. A file that is written must not be used by others
 * among the arguments and the buffers that go with the same `buffers`.
 *   module: as in gcnsim_args_parse()
 *   kernel: as there
 *   specs: as there
 *   count: as there
 *   directory: as there
 *   buffers: the shared ones; null: none
 *   out: as there */
GCNSIM_API int gcnsim_args_parse_shared(struct gcnsim_module *module, uint32_t kernel, const char *const *specs,
                                        size_t count, const char *directory, struct gcnsim_buffers *buffers,
                                        struct gcnsim_args **out, struct gcnsim_error *error);

/* What the kernel does not see of its arguments, or gets as zeros, because it states another size of its kernarg
 * segment and not what is in it. Null: nothing to say. Valid until the arguments are freed.
 *   args: the arguments */
GCNSIM_API const char *gcnsim_args_note(const struct gcnsim_args *args);

/* The buffer of a name; non-zero, outputs left alone, when there is none.
 *   buffers: the buffers
 *   name: of the one
 *   address: on the device
 *   size: in bytes */
GCNSIM_API int gcnsim_buffers_find(const struct gcnsim_buffers *buffers, const char *name, uint64_t *address,
                                   uint64_t *size);

/* Writes the file of a buffer; nothing is done, and GCNSIM_OK returned, when it has no file to be written.
 *   buffers: of launches that are over
 *   index: from 0 on, in the order of their names */
GCNSIM_API int gcnsim_buffers_write_output(const struct gcnsim_buffers *buffers, uint32_t index,
                                           struct gcnsim_error *error);

/* Frees buffers, after the arguments that name them and before gcnsim_close().
 *   buffers: null is fine */
GCNSIM_API void gcnsim_buffers_free(struct gcnsim_buffers *buffers);

/* ---- variables ------------------------------------------------------------------------------------------------ */

/* Variables of a code object, which its kernels share: __device__ and __constant__ in HIP. */
struct gcnsim_symbol_texts {
    /* "NAME=SPEC": to be set to a number (u32:7), to bytes:HEX, to the bytes of a file (in:PATH), or to the address of
     * a shared buffer (buffer:NAME), whose size is the variable's */
    const char *const *sets;
    size_t set_count;
    /* "NAME[:TYPE[:COUNT]][=PATH]": to be shown as so many numbers of a type (all of it; without a type as bytes), or
     * to be written to a file */
    const char *const *reads;
    size_t read_count;
};
struct gcnsim_symbols;

/* Understands what is to be done with variables of a code object. A name is a symbol's, or what it is in C++ where one
 * variable is called so. An unknown name (the error suggests a near one), a symbol that is no variable and a size that
 * is not the variable's are errors. Files to be read are read, and none is written.
 *   module: that has the variables
 *   texts: need not stay
 *   directory: that relative paths are relative to; null: the process's
 *   buffers: for buffer:NAME; they must outlive the symbols; may be null
 *   out: to be freed with gcnsim_symbols_free() */
GCNSIM_API int gcnsim_symbols_parse(struct gcnsim_module *module, const struct gcnsim_symbol_texts *texts,
                                    const char *directory, const struct gcnsim_buffers *buffers,
                                    struct gcnsim_symbols **out, struct gcnsim_error *error);

/* Sets what is to be set, before a launch. A variable that has its value already is not written, so that caches keep
 * their lines of it.
 *   symbols: whose sets */
GCNSIM_API int gcnsim_symbols_set(const struct gcnsim_symbols *symbols, struct gcnsim_error *error);

/* Reads one of those to be read, after a launch: as text, or into its file.
 *   symbols: whose reads
 *   k: from 0 on, of the reads
 *   text: null when it went to a file */
GCNSIM_API int gcnsim_symbols_read(const struct gcnsim_symbols *symbols, uint32_t k, char **text,
                                   struct gcnsim_error *error);
struct gcnsim_file; /* below */
/* The file of one of all, for gcnsim_check_files(). Non-zero past the end.
 *   symbols: the variables
 *   k: from 0 on, those to be set first
 *   file: its path, which belongs to the symbols, is null when there is none */
GCNSIM_API int gcnsim_symbols_file(const struct gcnsim_symbols *symbols, uint32_t k, struct gcnsim_file *file);

/* Frees what gcnsim_symbols_parse() has made, before its module is unloaded.
 *   symbols: null is fine */
GCNSIM_API void gcnsim_symbols_free(struct gcnsim_symbols *symbols);

/* ---- launch files -------------------------------------------------------------------------------------------- */

/* The contents of a LAUNCH.json (docs/LAUNCH_FILES.md). All strings belong to the struct. */
struct gcnsim_launch_file {
    size_t struct_bytes;   /* of the library's struct; see Versions in gcnsim.h */
    const char *path;      /* of the launch file */
    const char *directory; /* of the launch file; for gcnsim_args_parse */
    const char *file;      /* code object, resolved against directory */
    const char *kernel;
    uint32_t grid[3], workgroup[3];
    const char *const *args; /* SPECs */
    size_t arg_count;
    uint32_t dynamic_lds_bytes;
    const char *arch;        /* null: not stated */
    const char *engine;      /* "timing", "functional"; null: not stated */
    const char *const *sets; /* "path=value" */
    size_t set_count;
    uint64_t max_cycles, max_instructions; /* 0: not stated */
    uint32_t threads;                      /* 0: not stated */
    int check, perfect_memory;             /* 1: asked for */
};

/* Reads a launch file. An unknown key or a wrong type is an error naming file and key.
 *   out: to be closed with gcnsim_launch_file_close()
 *   path: of the file */
GCNSIM_API int gcnsim_launch_file_open(struct gcnsim_launch_file **out, const char *path, struct gcnsim_error *error);

/* For launch files of strangers, which may name any path: an error unless every path in it (code object, files of
 * arguments to read and to write) lies in a folder or below it, symbolic links and ".." followed, and its profile, if
 * it names one, is built in. Nobody else may change the folders between this call and the end of the run.
 *   f: the launch file
 *   directory: the folder */
GCNSIM_API int gcnsim_launch_file_confine(const struct gcnsim_launch_file *f, const char *directory,
                                          struct gcnsim_error *error);

/* Frees a launch file and all that belongs to it.
 *   f: null is fine */
GCNSIM_API void gcnsim_launch_file_close(struct gcnsim_launch_file *f);

/* One launch of a file. */
struct gcnsim_listed_launch {
    const char *name; /* null: not stated */
    const char *file; /* code object, resolved against directory */
    const char *kernel;
    uint32_t grid[3], workgroup[3];
    const char *const *args; /* SPECs */
    size_t arg_count;
    uint32_t dynamic_lds_bytes;
    int acquire, release; /* enum gcnsim_fence; -1: not stated */
};
/* What a launch file says of launches: a list, or the one that the struct above has (is_list 0). A list's first launch
 * is in that struct, too. */
struct gcnsim_launch_list {
    size_t struct_bytes; /* of the library's struct; see Versions in gcnsim.h */
    int is_list;
    const struct gcnsim_listed_launch *launches;
    size_t launch_count; /* 1 at least */
    const char *const *buffer_names, *const *buffer_specs;
    size_t buffer_count;
    uint32_t repeat;        /* rounds; 0: not stated */
    uint32_t warmup_rounds; /* 0: not stated */
    int cold;               /* 1: asked for */
};

/* The launches of a launch file, which live as long as it does.
 *   f: the launch file */
GCNSIM_API const struct gcnsim_launch_list *gcnsim_launch_file_list(const struct gcnsim_launch_file *f);

/* The number of the code object in the file of a launch (struct gcnsim_code_source); non-zero, *index left alone, when
 * it is not stated.
 *   f: the launch file
 *   launch: from 0 on, in the list
 *   index: from 0 on */
GCNSIM_API int gcnsim_launch_file_index(const struct gcnsim_launch_file *f, size_t launch, uint32_t *index);

/* The variables that a launch sets and reads.
 *   f: the launch file, to which the texts belong
 *   launch: less than launch_count
 *   texts: filled in */
GCNSIM_API void gcnsim_launch_file_symbols(const struct gcnsim_launch_file *f, size_t launch,
                                           struct gcnsim_symbol_texts *texts);

/* ---- files that are written --------------------------------------------------------------------------------- */

struct gcnsim_dispatch; /* below */

/* A file that the caller of a launch reads or writes beside it. */
struct gcnsim_file {
    const char *path;  /* null: standard output */
    const char *label; /* for messages: "--json" */
    int written;
};

/* Checks the files of a dispatch (code object, arguments, traces) and of its caller together, before a run whose
 * results would have no place: each file that is written is a file that may be written in a folder that is there, and
 * is used in no other way, by any of its names. Devices may be given several times. gcnsim_launch() does this for its
 * own files.
 *   module: whose code object is read
 *   dispatch: whose arguments and traces are looked at
 *   files: those of the caller
 *   count: of files; 0 is fine */
GCNSIM_API int gcnsim_check_files(const struct gcnsim_module *module, const struct gcnsim_dispatch *dispatch,
                                  const struct gcnsim_file *files, size_t count, struct gcnsim_error *error);

/* Writes a file whole or leaves it as it is: under a temporary name in the same folder, which is then renamed. Symbolic
 * links are followed, mode bits are kept. Devices, FIFOs and open files (/dev/stdout) are written in place.
 *   path: of the file
 *   bytes: its new contents
 *   size: in bytes */
GCNSIM_API int gcnsim_write_file(const char *path, const void *bytes, size_t size, struct gcnsim_error *error);

/* Reads a file as gcnsim reads code objects: regular files, and pipes to their end. Folders, sockets, devices, FIFOs
 * that nobody writes to, and more than 2 GiB are errors.
 *   path: of the file
 *   bytes: to be released with gcnsim_free()
 *   size: in bytes */
GCNSIM_API int gcnsim_read_file(const char *path, void **bytes, size_t *size, struct gcnsim_error *error);

#ifdef __cplusplus
}
#endif

#endif
