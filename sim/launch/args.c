/* Kernel arguments: from SPEC texts to device buffers and the explicit part of the kernarg segment. */
#define _GNU_SOURCE
#include "sim/launch/args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/launch/files.h"
#include "sim/launch/kernarg.h"
#include "sim/util/input.h"

/* The kind of scalar that a type name of OpenCL, C or HIP means: 'f', 'i', or 0 for an unknown name. */
static char scalar_kind(const char *type)
{
    static const char *const floats[] = {"float", "double", "half", "_Float16", "__half"};
    static const char *const ints[] = {
        "char",   "uchar",         "signed char",  "unsigned char",  "short",     "ushort",
        "int",    "uint",          "unsigned int", "unsigned short", "long",      "ulong",
        "size_t", "unsigned long", "bool",         "unsigned",       "long long", "unsigned long long"};

    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++)
        if (strcmp(type, floats[i]) == 0)
            return 'f';
    for (size_t i = 0; i < sizeof ints / sizeof ints[0]; i++)
        if (strcmp(type, ints[i]) == 0)
            return 'i';
    return 0;
}

static int check_type(const struct launch_arg *a, const struct co_arg *md, struct err *e)
{
    const struct spec *s = &a->spec;
    bool pointer = md->kind == CO_ARG_GLOBAL_BUFFER || md->kind == CO_ARG_DYNAMIC_SHARED_POINTER;
    char kind = scalar_kind(md->type_name);

    if (md->kind != CO_ARG_BY_VALUE && !pointer)
        return err_set(e, ERR_UNSUPPORTED, "argument %s is of kind %s, which gcnsim cannot pass", a->name,
                       md->kind_text);
    if (pointer && s->kind != SPEC_BYTES && !spec_is_buffer(s))
        return err_set(e, ERR_USAGE,
                       "argument %s is a pointer%s%s; expected buf:, in:, out:, inout: or buffer:, not %s:", a->name,
                       *md->type_name ? " of type " : "", md->type_name, s->word);
    if (md->kind == CO_ARG_DYNAMIC_SHARED_POINTER && s->kind != SPEC_BUF)
        return err_set(e, ERR_USAGE, "argument %s points to LDS; expected buf:BYTES, not %s:", a->name, s->word);
    if (pointer)
        return s->kind == SPEC_BYTES && s->bytes != md->size
                   ? err_set(e, ERR_USAGE, "argument %s has %u bytes; bytes: gives %llu", a->name, md->size,
                             (unsigned long long)s->bytes)
                   : 0;
    /* metadata may call a pointer a value: 8 bytes of unknown type can be given as a buffer */
    if (spec_is_buffer(s) && (md->size != 8 || kind))
        return err_set(e, ERR_USAGE, "argument %s is a value of %u bytes%s%s; expected a value, not %s:", a->name,
                       md->size, *md->type_name ? " of type " : "", md->type_name, s->word);
    if (!spec_is_buffer(s) && s->bytes != md->size)
        return err_set(e, ERR_USAGE, "argument %s is a value of %u bytes%s%s; %s: gives %llu", a->name, md->size,
                       *md->type_name ? " of type " : "", md->type_name, s->word, (unsigned long long)s->bytes);
    if ((s->kind == SPEC_INT && kind == 'f') || (s->kind == SPEC_FLOAT && kind == 'i'))
        return err_set(e, ERR_USAGE, "argument %s is of type %s; %s: gives %s", a->name, md->type_name, s->word,
                       s->kind == SPEC_INT ? "an integer" : "a float");
    return 0;
}

/* A buffer of that many bytes. */
static int allocate(struct launch_args *args, struct launch_arg *a, uint64_t bytes, const char *label, struct err *e)
{
    if (mem_space_alloc(args->space, bytes, 256, MEM_READ | MEM_WRITE | MEM_KIND_DATA, label, &a->address, e))
        return err_prefix(e, "%s %s", args->what, a->name);
    a->on_device = true;
    a->bytes = bytes;
    return 0;
}

/* A pipe does not say its length, so it is collected before there is a buffer, and counts while it is. */
static int load_pipe(struct launch_args *args, struct launch_arg *a, const char *path, const char *label, struct err *e)
{
    struct budget *b = args->space->budget;
    uint64_t held = 0;
    uint8_t *bytes;
    size_t size;

    if (input_read_counted(path, SIZE_MAX / 4, b, &held, &bytes, &size, e))
        return err_prefix(e, "%s %s: %s", args->what, a->name, path);
    int failed = allocate(args, a, size, label, e);
    if (!failed && size)
        memcpy(mem_space_at(args->space, a->address, size, MEM_WRITE), bytes, size);
    free(bytes);
    budget_give(b, held);
    return failed;
}

/* Reads a whole file into a new allocation. */
static int load_buffer(struct launch_args *args, struct launch_arg *a, const char *label, struct err *e)
{
    char *path = launch_path(args->directory, a->spec.path);
    struct stat st;
    size_t bytes;

    if (!path)
        return err_set(e, ERR_NOMEM, "out of host memory");
    if (stat(path, &st) == 0 && S_ISFIFO(st.st_mode)) {
        int failed = load_pipe(args, a, path, label, e);
        free(path);
        return failed;
    }
    FILE *f = input_open(path, &bytes, e);
    int failed = f ? allocate(args, a, bytes, label, e) : err_prefix(e, "%s %s: %s", args->what, a->name, path);
    uint8_t *host = !failed && bytes ? mem_space_at(args->space, a->address, bytes, MEM_WRITE) : NULL;
    if (host && fread(host, 1, bytes, f) != bytes)
        failed = err_set(e, ERR_IO, "%s %s: %s: read ended before %zu bytes", args->what, a->name, path, bytes);
    if (f)
        fclose(f);
    free(path);
    return failed;
}

/* Notes the files of an argument and checks the one to be written. inout:PATH:PATH asks for the file to be replaced. */
static int check_files(struct launch_args *args, const struct launch_arg *a, struct err *e)
{
    char *in = a->spec.path ? launch_path(args->directory, a->spec.path) : NULL;
    char *out = a->spec.out_path ? launch_path(args->directory, a->spec.out_path) : NULL;
    bool replaced = in && out && file_same(in, out);
    struct file_list *files = args->shared ? &args->shared->files : &args->files;
    char what[100];
    int failed = 0;

    snprintf(what, sizeof what, "%s %s", args->what, a->name);
    if ((a->spec.path && !in) || (a->spec.out_path && !out))
        failed = err_set(e, ERR_NOMEM, "%s: out of host memory", what);
    if (!failed && in && !replaced)
        failed = file_list_add(files, in, FILE_READ, what, e);
    if (!failed && out)
        failed = file_list_add(files, out, replaced ? FILE_REPLACED : FILE_WRITTEN, what, e);
    free(in);
    free(out);
    return failed;
}

/* Takes the shared buffer that the SPEC names. */
static int find_buffer(const struct launch_args *args, struct launch_arg *a, struct err *e)
{
    const struct launch_args *from = args->shared;

    for (size_t i = 0; from && i < from->count; i++)
        if (strcmp(from->arg[i].spec.buffer, a->spec.buffer) == 0) {
            a->address = from->arg[i].address;
            a->bytes = from->arg[i].bytes;
            a->on_device = a->borrowed = true;
            return 0;
        }
    return err_set(e, ERR_USAGE, "argument %s: there is no buffer '%.60s'", a->name, a->spec.buffer);
}

static int make_buffer(struct launch_args *args, struct launch_arg *a, struct err *e)
{
    char label[120];

    if (a->spec.kind == SPEC_NAMED)
        return find_buffer(args, a, e);
    snprintf(label, sizeof label, "buffer arg %s", a->name);
    if (check_files(args, a, e))
        return -1;
    if (a->spec.path)
        return load_buffer(args, a, label, e);
    return allocate(args, a, a->spec.bytes, label, e);
}

/* Writes one argument to kernarg[offset..offset+size). A dynamic LDS pointer is an offset after the static LDS. */
static int place(struct launch_args *args, struct launch_arg *a, const struct co_arg *md, uint32_t static_lds,
                 uint32_t offset, uint32_t size, struct err *e)
{
    if (offset > args->kernarg_bytes || size > args->kernarg_bytes - offset)
        return err_set(e, ERR_USAGE, "argument %s ends at byte %llu; the kernarg segment has %u bytes", a->name,
                       (unsigned long long)offset + size, args->kernarg_bytes);
    if (md && md->kind == CO_ARG_DYNAMIC_SHARED_POINTER && a->spec.kind == SPEC_BUF) {
        uint64_t align = md->pointee_align ? md->pointee_align : 16;
        uint64_t at = align_up((uint64_t)static_lds + args->lds_bytes, align);
        if (at + a->spec.bytes > UINT32_MAX)
            return err_set(e, ERR_USAGE, "argument %s: %llu bytes of LDS", a->name, (unsigned long long)a->spec.bytes);
        args->lds_bytes = (uint32_t)(at + a->spec.bytes - static_lds);
        memcpy(args->kernarg + offset, &at, size < 8 ? size : 8);
        return 0;
    }
    if (spec_is_buffer(&a->spec)) {
        if (make_buffer(args, a, e))
            return -1;
        memcpy(args->kernarg + offset, &a->address, size < 8 ? size : 8);
        return 0;
    }
    memcpy(args->kernarg + offset, a->spec.kind == SPEC_BYTES ? a->spec.data : a->spec.value, size);
    return 0;
}

static int wrong_count(const struct co_kernel *k, size_t given, struct err *e)
{
    const struct co_kernel_metadata *md = k->metadata;
    char list[400] = "";
    size_t n = 0;

    for (unsigned i = 0; i < md->explicit_arg_count && n < sizeof list; i++) {
        const struct co_arg *a = &md->args[i];
        int m = snprintf(list + n, sizeof list - n, "%s#%u %s%s%s", i ? ", " : ": ", i, a->type_name,
                         *a->type_name ? " " : "", *a->name ? a->name : a->kind_text);
        n += m > 0 ? (size_t)m : 0;
    }
    if (given < md->explicit_arg_count) {
        const struct co_arg *a = &md->args[given];
        return err_set(e, ERR_USAGE, "kernel %s takes %u arguments, %zu given: argument %zu%s%s%s is missing%s",
                       k->name, md->explicit_arg_count, given, given, *a->name ? " ('" : "", a->name,
                       *a->name ? "')" : "", list);
    }
    return err_set(e, ERR_USAGE, "kernel %s takes %u arguments, %zu given: argument %u is one too many%s", k->name,
                   md->explicit_arg_count, given, md->explicit_arg_count, list);
}

/* The segment has the size that the descriptor states, if it states one: what is past it the kernel does not see, and
 * what no argument covers is zero. */
static void note_size(struct launch_args *args, const struct co_kernel *k, uint32_t given)
{
    uint32_t stated = k->descriptor.kernarg_size;

    if (!stated || given == stated)
        return;
    args->kernarg_bytes = stated;
    snprintf(args->note, sizeof args->note, "kernel %.100s: arguments take %u bytes, its kernarg segment has %u: %s",
             k->name, given, stated, given > stated ? "the rest is ignored" : "the rest is zero");
}

/* Lays out the arguments of a kernel without metadata: one after the other at their natural alignment. */
static int lay_out_bare(struct launch_args *args, const struct co_kernel *k, struct err *e)
{
    uint64_t offset = 0;

    for (int pass = 0; pass < 2; pass++) {
        offset = 0;
        for (size_t i = 0; i < args->count; i++) {
            struct launch_arg *a = &args->arg[i];
            uint64_t size = spec_is_buffer(&a->spec) ? 8 : a->spec.bytes;
            uint64_t align = a->spec.kind == SPEC_BYTES ? (size % 8 == 0 ? 8 : size % 4 == 0 ? 4 : 1) : size;
            if (k->descriptor.user_sgprs_are_arguments) /* each begins in one of its own */
                align = 4;
            offset = align_up(offset, align);
            if (pass && place(args, a, NULL, 0, (uint32_t)offset, (uint32_t)size, e))
                return -1;
            offset += size;
        }
        if (pass)
            break;
        uint32_t stated = k->descriptor.kernarg_size;
        if (offset > LAUNCH_MAX_KERNARG_BYTES)
            return err_set(e, ERR_USAGE, "kernel %s: arguments take %llu bytes; expected at most %u", k->name,
                           (unsigned long long)offset, LAUNCH_MAX_KERNARG_BYTES);
        if (launch_check_kernarg_size(k->name, stated, e))
            return -1;
        args->kernarg_bytes = stated > offset ? stated : (uint32_t)offset;
        args->kernarg = calloc(1, args->kernarg_bytes + 1);
        if (!args->kernarg)
            return err_set(e, ERR_NOMEM, "out of host memory for the kernarg segment");
    }
    note_size(args, k, (uint32_t)offset);
    return 0;
}

static int lay_out(struct launch_args *args, const struct co_kernel *k, struct err *e)
{
    const struct co_kernel_metadata *md = k->metadata;

    if (!md)
        return lay_out_bare(args, k, e);
    if (args->count != md->explicit_arg_count)
        return wrong_count(k, args->count, e);
    if (launch_check_kernarg_size(k->name, md->kernarg_segment_size, e))
        return -1;
    args->kernarg_bytes = md->kernarg_segment_size;
    args->kernarg = calloc(1, (size_t)args->kernarg_bytes + 1);
    if (!args->kernarg)
        return err_set(e, ERR_NOMEM, "out of host memory for the kernarg segment");
    for (size_t i = 0; i < args->count; i++) {
        const struct co_arg *ma = &md->args[i];
        if (check_type(&args->arg[i], ma, e) ||
            place(args, &args->arg[i], ma, k->descriptor.group_segment_fixed_size, ma->offset, ma->size, e))
            return -1;
    }
    return 0;
}

/* Arguments without contents; null with *e. */
static struct launch_args *new_args(struct mem_space *space, size_t count, const char *directory, struct err *e)
{
    struct launch_args *args = calloc(1, sizeof *args);

    if (!args || !(args->arg = calloc(count + 1, sizeof *args->arg)) ||
        !(args->directory = strdup(directory ? directory : ""))) {
        launch_args_free(args);
        err_set(e, ERR_NOMEM, "out of host memory for %zu arguments", count);
        return NULL;
    }
    args->what = "argument";
    args->space = space;
    args->count = count;
    return args;
}

static int parse_specs(struct launch_args *args, const struct co_kernel_metadata *md, const char *const *specs,
                       struct err *e)
{
    for (size_t i = 0; i < args->count; i++) {
        struct launch_arg *a = &args->arg[i];
        const char *name = md && i < md->explicit_arg_count ? md->args[i].name : "";
        snprintf(a->name, sizeof a->name, *name ? "%zu '%s'" : "%zu", i, name);
        if (spec_parse(&a->spec, specs[i], e))
            return err_prefix(e, "argument %s", a->name);
    }
    return 0;
}

int launch_args_parse(struct launch_args **out, struct mem_space *space, const struct co_kernel *kernel,
                      const char *const *specs, size_t count, const char *directory, struct launch_args *shared,
                      struct err *e)
{
    struct launch_args *args = new_args(space, count, directory, e);

    if (!args)
        return -1;
    args->shared = shared;
    if (parse_specs(args, kernel->metadata, specs, e) || lay_out(args, kernel, e)) {
        launch_args_free(args);
        return -1;
    }
    *out = args;
    return 0;
}

/* One shared buffer: its SPEC, and the name by which it is asked for. */
static int shared_buffer(struct launch_args *args, size_t i, const char *name, const char *spec, struct err *e)
{
    struct launch_arg *a = &args->arg[i];

    snprintf(a->name, sizeof a->name, "'%.70s'", name);
    if (spec_parse(&a->spec, spec, e))
        return err_prefix(e, "buffer %s", a->name);
    if (!spec_is_buffer(&a->spec) || a->spec.kind == SPEC_NAMED)
        return err_set(e, ERR_USAGE,
                       "buffer %s: '%.80s'; expected buf:BYTES, in:PATH, out:PATH:BYTES or "
                       "inout:PATH:OUTPATH",
                       a->name, spec);
    a->spec.buffer = strdup(name);
    if (!a->spec.buffer)
        return err_set(e, ERR_NOMEM, "out of host memory");
    for (size_t k = 0; k < i; k++)
        if (strcmp(args->arg[k].spec.buffer, name) == 0)
            return err_set(e, ERR_USAGE, "there are two buffers %s", a->name);
    return make_buffer(args, a, e);
}

int launch_buffers_make(struct launch_args **out, struct mem_space *space, const char *const *names,
                        const char *const *specs, size_t count, const char *directory, struct err *e)
{
    struct launch_args *args = new_args(space, count, directory, e);

    if (args)
        args->what = "buffer";
    for (size_t i = 0; args && i < count; i++)
        if (shared_buffer(args, i, names[i], specs[i], e)) {
            launch_args_free(args);
            return -1;
        }
    *out = args;
    return args ? 0 : -1;
}

int launch_args_write_output(const struct launch_args *args, size_t index, struct err *e)
{
    const struct launch_arg *a = &args->arg[index];

    if (!a->on_device || !a->spec.out_path)
        return 0;
    char *path = launch_path(args->directory, a->spec.out_path);
    const uint8_t *host = a->bytes ? mem_space_at(args->space, a->address, a->bytes, MEM_READ) : (const uint8_t *)"";
    int failed = path && host ? output_write(path, host, a->bytes, e) : err_set(e, ERR_NOMEM, "out of host memory");
    free(path);
    return failed ? err_prefix(e, "%s %s", args->what, a->name) : 0;
}

int launch_args_write_outputs(const struct launch_args *args, struct err *e)
{
    int failed = 0;

    for (size_t i = 0; i < args->count; i++) {
        struct err one = {0};
        if (launch_args_write_output(args, i, &one)) {
            failed = -1;
            err_add(e, &one);
        }
    }
    return failed;
}

void launch_args_free(struct launch_args *args)
{
    if (!args)
        return;
    for (size_t i = args->arg ? args->count : 0; i-- > 0;) { /* the last allocation is the cheapest to free */
        if (args->arg[i].on_device && !args->arg[i].borrowed)
            mem_space_free(args->space, args->arg[i].address, NULL);
        spec_free(&args->arg[i].spec);
    }
    free(args->arg);
    free(args->kernarg);
    free(args->directory);
    file_list_free(&args->files);
    free(args);
}
