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

/* One SPEC per explicit argument of the kernel, in order:
 *   buf:BYTES  in:PATH  out:PATH:BYTES  inout:PATH:OUTPATH  buffer:NAME i8|u8|i16|u16|i32|u32|i64|u64|f16|f32|f64:VALUE
 * bytes:HEX Buffers are zero-filled device allocations. Relative paths are relative to `directory` (null: the
 * process's). Wrong count, type or size is an error that names the argument, and so is a file to be written that cannot
 * be, or that another argument reads or writes too (inout:PATH:PATH is asked for and fine). For a kernel without
 * metadata the arguments are laid out one after the other at their natural alignment. Pointer arguments to LDS take the
 * plain size, "buf:BYTES". BYTES may have K, M, G or T behind it, powers of 1024. */
GCNSIM_API int gcnsim_args_parse(struct gcnsim_module *module, uint32_t kernel, const char *const *specs, size_t count,
                                 const char *directory, struct gcnsim_args **out, struct gcnsim_error *error);
/* Writes the `out` and `inout` buffers to their files, as gcnsim_write_file() does. Call after the launch. A failure
 * does not keep the others from being written; the error names all that failed. */
GCNSIM_API int gcnsim_args_write_outputs(const struct gcnsim_args *args, struct gcnsim_error *error);
/* The same for argument `index`; nothing is done, and GCNSIM_OK returned, when it has no file to be written. */
GCNSIM_API int gcnsim_args_write_output(const struct gcnsim_args *args, uint32_t index, struct gcnsim_error *error);
/* Device buffer of argument index; non-zero when that argument is not a buffer. */
GCNSIM_API int gcnsim_args_buffer(const struct gcnsim_args *args, uint32_t index, uint64_t *address, uint64_t *size);
GCNSIM_API void gcnsim_args_free(struct gcnsim_args *args); /* and its buffers; before gcnsim_close; null is fine */

struct gcnsim_buffers; /* device buffers with names, which the arguments of several launches share */

/* names and specs (buf:, in:, out: or inout:): count of each. They outlive the arguments that name them. */
GCNSIM_API int gcnsim_buffers_make(struct gcnsim *sim, const char *const *names, const char *const *specs, size_t count,
                                   const char *directory, struct gcnsim_buffers **out, struct gcnsim_error *error);
/* gcnsim_args_parse() with buffers for SPECs of the form buffer:NAME; buffers may be null. A file that is written must
 * not be used by others among the arguments and the buffers that go with the same `buffers`. */
GCNSIM_API int gcnsim_args_parse_shared(struct gcnsim_module *module, uint32_t kernel, const char *const *specs,
                                        size_t count, const char *directory, struct gcnsim_buffers *buffers,
                                        struct gcnsim_args **out, struct gcnsim_error *error);
/* What the kernel does not see of its arguments, or gets as zeros, because it states another size of its kernarg
 * segment and not what is in it. Null: nothing to say. Valid until the arguments are freed. */
GCNSIM_API const char *gcnsim_args_note(const struct gcnsim_args *args);
/* The buffer of a name; non-zero when there is none. */
GCNSIM_API int gcnsim_buffers_find(const struct gcnsim_buffers *buffers, const char *name, uint64_t *address,
                                   uint64_t *size);
/* As gcnsim_args_write_output(), for the index-th of them. */
GCNSIM_API int gcnsim_buffers_write_output(const struct gcnsim_buffers *buffers, uint32_t index,
                                           struct gcnsim_error *error);
GCNSIM_API void gcnsim_buffers_free(struct gcnsim_buffers *buffers); /* before gcnsim_close; null is fine */

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

/* NAME is a symbol's, or what it is in C++ where one variable is called so. An unknown name (the error suggests a near
 * one), a symbol that is no variable and a size that is not the variable's are errors. Files to be read are read, and
 * none is written. buffers may be null. */
GCNSIM_API int gcnsim_symbols_parse(struct gcnsim_module *module, const struct gcnsim_symbol_texts *texts,
                                    const char *directory, const struct gcnsim_buffers *buffers,
                                    struct gcnsim_symbols **out, struct gcnsim_error *error);
/* Sets what is to be set, before a launch. A variable that has its value already is not written, so that caches keep
 * their lines of it. */
GCNSIM_API int gcnsim_symbols_set(const struct gcnsim_symbols *symbols, struct gcnsim_error *error);
/* Reads the k-th of those to be read, after a launch: as text, to be released with gcnsim_free(), or into its file, and
 * *text is null. */
GCNSIM_API int gcnsim_symbols_read(const struct gcnsim_symbols *symbols, uint32_t k, char **text,
                                   struct gcnsim_error *error);
struct gcnsim_file; /* below */
/* The file of the k-th of all, those to be set first, for gcnsim_check_files(): its path is null when there is none.
 * Non-zero past the end. */
GCNSIM_API int gcnsim_symbols_file(const struct gcnsim_symbols *symbols, uint32_t k, struct gcnsim_file *file);
/* Before its module is unloaded; null is fine. */
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
/* An unknown key or a wrong type is an error naming file and key. */
GCNSIM_API int gcnsim_launch_file_open(struct gcnsim_launch_file **out, const char *path, struct gcnsim_error *error);
/* For launch files of strangers, which may name any path: an error unless every path in it (code object, files of
 * arguments to read and to write) lies in `directory` or below it, symbolic links and ".." followed, and its profile,
 * if it names one, is built in. Nobody else may change the folders between this call and the end of the run. */
GCNSIM_API int gcnsim_launch_file_confine(const struct gcnsim_launch_file *f, const char *directory,
                                          struct gcnsim_error *error);
GCNSIM_API void gcnsim_launch_file_close(struct gcnsim_launch_file *f); /* null is fine */

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
/* Lives as long as the launch file. */
GCNSIM_API const struct gcnsim_launch_list *gcnsim_launch_file_list(const struct gcnsim_launch_file *f);

/* The number of the code object in the file of a launch (struct gcnsim_code_source); non-zero when it is not stated. */
GCNSIM_API int gcnsim_launch_file_index(const struct gcnsim_launch_file *f, size_t launch, uint32_t *index);

/* The variables that a launch sets and reads (launch < launch_count). The texts belong to the launch file. */
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
 * own files. */
GCNSIM_API int gcnsim_check_files(const struct gcnsim_module *module, const struct gcnsim_dispatch *dispatch,
                                  const struct gcnsim_file *files, size_t count, struct gcnsim_error *error);

/* Writes a file whole or leaves it as it is: under a temporary name in the same folder, which is then renamed. Symbolic
 * links are followed, mode bits are kept. Devices, FIFOs and open files (/dev/stdout) are written in place. */
GCNSIM_API int gcnsim_write_file(const char *path, const void *bytes, size_t size, struct gcnsim_error *error);

/* Reads a file as gcnsim reads code objects: regular files, and pipes to their end. Folders, sockets, devices, FIFOs
 * that nobody writes to, and more than 2 GiB are errors. *bytes is to be released with gcnsim_free(). */
GCNSIM_API int gcnsim_read_file(const char *path, void **bytes, size_t *size, struct gcnsim_error *error);

#ifdef __cplusplus
}
#endif

#endif
