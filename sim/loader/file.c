/* Files with code objects: reads one, decompresses it, finds what it holds and chooses the code object that is meant.
 *//* Files with code objects: opens one of a code object, a bundle or a host executable, and chooses the one that is
 * meant. */
#include "sim/loader/code_object_internal.h"
#include "sim/loader/contents.h"
#include "sim/loader/inflate.h"
#include "sim/loader/link.h"
#include "sim/util/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file that is opened, and the code objects in it. */
struct co_file {
    struct budget *budget;
    char *name;
    uint8_t *own; /* its bytes, counted; null: they are the caller's, or a code object has taken them over */
    const uint8_t *bytes;
    size_t size;
    struct co_bundle *bundle; /* null: it is one code object */
};

/* Makes [offset, offset + size) of the file co->elf; `move`: without a second copy when the bytes are its own, which
 * they are no longer. */
static int take_bytes(struct code_object *co, struct co_file *from, size_t offset, size_t size, bool move,
                      struct err *e)
{
    if (from->own && move) {
        if (offset)
            memmove(from->own, from->own + offset, size);
        uint8_t *shorter = realloc(from->own, size + 1);
        co->elf = shorter ? shorter : from->own;
        from->own = NULL;
        co->bytes_held += size;
        budget_give(from->budget, from->size - size);
    } else {
        co->elf = co_hold(co, 1, size, "a copy", e) ? NULL : malloc(size + 1);
        if (!co->elf)
            return err_set(e, ERR_NOMEM, "out of host memory for %zu bytes", size);
        if (size)
            memcpy(co->elf, from->bytes + offset, size);
    }
    co->elf_size = size;
    return 0;
}

/* Makes the ELF file co->elf out of the file, or out of an entry of it. */
static int unwrap(struct code_object *co, struct co_file *from, unsigned index, bool move, struct err *e)
{
    const struct co_bundle_entry *c = from->bundle ? co_bundle_entry(from->bundle, index) : NULL;

    co->index = index;
    co->of = from->bundle ? co_bundle_count(from->bundle) : 1;
    if (!c)
        return take_bytes(co, from, 0, from->size, move, e);
    if (!c->bare)
        memcpy(co->bundle_id, c->id, sizeof co->bundle_id);
    co_contents_where(co->where, from->bytes, from->size, c);
    if (co_set_label(co, e))
        return -1;
    if (!c->compressed)
        return take_bytes(co, from, c->container + c->offset, c->size, move, e);
    if (co_bundle_inflate(&co->elf, c, from->bytes, from->size, co->budget, e))
        return -1;
    co->bytes_held += c->size;
    co->elf_size = c->size;
    return 0;
}

static int check_target(const struct code_object *co, const char *want, struct err *e)
{
    struct co_target_id target;
    char have[CO_TARGET_TEXT];
    const char *entry = strstr(co->bundle_id, "-gfx");

    co_target_format(&co->target, have);
    if (entry) { /* the entry was chosen by its id; the ELF header must agree with it */
        if (co_target_parse(&target, entry + 1, e))
            return -1;
        if (strcmp(target.name, co->target.name))
            return err_set(e, ERR_FORMAT, "the bundle says %s, the ELF header %s", target.name, have);
        return 0;
    }
    if (!want)
        return 0;
    if (strstr(want, "-amdgcn-"))
        return err_set(e, ERR_USAGE, "\"%.100s\" names a bundle's entry, this is a bare code object for %s", want,
                       have);
    if (co_target_parse(&target, want, e))
        return -1;
    if (!co_target_match(&co->target, &target))
        return err_set(e, ERR_USAGE, "code object is for %s, %.60s was asked for", have, want);
    return 0;
}

/* Releases the bytes and the tables of bundles. */
static void file_drop(struct co_file *f)
{
    co_bundle_close(f->bundle);
    f->bundle = NULL;
    if (f->own) {
        free(f->own);
        budget_give(f->budget, f->size);
        f->own = NULL;
    }
}

/* Opens code object `index` of a file. `move`: it may take the file's bytes over, which is then good for nothing else.
 */
static int open_index(struct code_object **out, struct co_file *f, unsigned index, const char *want, bool move,
                      struct budget *budget, struct err *e)
{
    struct code_object *co = NULL;

    *out = NULL;
    if (co_new(&co, f->name, budget, e))
        return -1;
    int failed = unwrap(co, f, index, move, e);
    if (!failed && move)
        file_drop(f);
    failed = failed || (co_is_relocatable(co->elf, co->elf_size) && co_link(co, e));
    if (failed || co_elf_read(co, e) || check_target(co, want, e) || co_kernels_build(co, e)) {
        err_prefix(e, "%s", co->label);
        code_object_close(co);
        return -1;
    }
    *out = co;
    return 0;
}

/* ---- files ---- */

/* Gives the buffer room for `room` bytes. */
static bool resize(struct co_file *f, size_t *room, size_t want, struct err *e)
{
    bool taken = budget_take(f->budget, want - *room);
    uint8_t *bigger = taken ? realloc(f->own, want + 1) : NULL;

    if (!bigger) {
        budget_give(f->budget, taken ? want - *room : 0);
        err_set(e, ERR_NOMEM, "out of host memory for a file of %zu bytes", want);
        return false;
    }
    f->own = bigger;
    *room = want;
    return true;
}

/* Reads a file of known length (`expect`), or a pipe to its end. */
static int read_file(struct co_file *f, FILE *fp, size_t expect, struct err *e)
{
    size_t room = 0;

    for (size_t want = expect ? expect : 65536; resize(f, &room, want, e); want = 2 * room) {
        f->size += fread(f->own + f->size, 1, room - f->size, fp);
        if (f->size < room || expect) {
            budget_give(f->budget, room - f->size);
            f->bytes = f->own;
            return ferror(fp) ? err_set(e, ERR_IO, "%s", strerror(errno)) : 0;
        }
        if (room >= CO_MAX_FILE_BYTES) {
            err_set(e, ERR_LIMIT, "larger than %llu bytes", (unsigned long long)CO_MAX_FILE_BYTES);
            break;
        }
    }
    budget_give(f->budget, room);
    f->size = 0;
    return -1;
}

/* *size is 0 when the file does not say its length. */
static FILE *open_file(const char *path, size_t *size, struct err *e)
{
    FILE *fp = input_open(path, size, e);

    if (fp && *size > CO_MAX_FILE_BYTES) {
        err_set(e, ERR_LIMIT, "larger than %llu bytes", (unsigned long long)CO_MAX_FILE_BYTES);
        fclose(fp);
        fp = NULL;
    }
    return fp;
}

static int read_source(struct co_file *f, const struct co_source *source, struct err *e)
{
    size_t size;

    if (!source->path) {
        f->bytes = source->bytes;
        f->size = source->size;
        return 0;
    }
    FILE *fp = open_file(source->path, &size, e);
    int failed = !fp || read_file(f, fp, size, e);
    if (fp)
        fclose(fp);
    return failed;
}

/* ---- files that are compressed as a whole ---- */

/* False: it is not. */
static bool compressed_by(const uint8_t *b, size_t size, enum inflate_method *method, const char **what)
{
    bool gzip = size >= 3 && !memcmp(b, "\x1f\x8b\x08", 3), zstd = size >= 4 && !memcmp(b, "\x28\xb5\x2f\xfd", 4);

    *method = gzip ? INFLATE_GZIP : INFLATE_ZSTD;
    *what = gzip ? "gzip file" : "zstd file";
    return gzip || zstd;
}

/* Appends what a frame holds; `room` is that of the buffer. */
static int inflate_frame(struct inflater *f, struct co_file *to, size_t *room, struct err *e)
{
    size_t got;

    while (!f->ended) {
        if (to->size == *room && *room >= CO_MAX_UNCOMPRESSED_BYTES)
            return err_set(e, ERR_LIMIT, "%s: more than %llu bytes uncompressed", f->what,
                           (unsigned long long)CO_MAX_UNCOMPRESSED_BYTES);
        if (to->size == *room && !resize(to, room, *room ? 2 * *room : 65536, e))
            return -1;
        if (inflater_read(f, to->own + to->size, *room - to->size, &got, 0, e))
            return -1;
        to->size += got;
    }
    return 0;
}

/* Puts what a compressed file holds in its place. */
static int decompress(struct co_file *f, struct err *e)
{
    struct co_file to = {.budget = f->budget};
    struct inflater inflater = {.budget = f->budget};
    enum inflate_method method;
    const char *what;
    size_t at = 0, room = 0;
    int r = 0;

    /* what several compressions wrote one after another is one file */
    while (!r && compressed_by(f->bytes + at, f->size - at, &method, &what)) {
        r = inflater_start(&inflater, method, what, f->bytes, at, f->size - at, e) ||
                    inflate_frame(&inflater, &to, &room, e)
                ? -1
                : 0;
        at += inflater_used(&inflater);
    }
    inflater_close(&inflater);
    budget_give(f->budget, room - to.size);
    if (!at || r) {
        free(to.own);
        budget_give(f->budget, to.size);
        return r;
    }
    file_drop(f);
    f->own = to.own;
    f->bytes = to.own ? to.own : (const uint8_t *)"";
    f->size = to.size;
    return 0;
}

int co_file_open(struct co_file **out, const struct co_source *source, struct budget *budget, struct err *e)
{
    const char *name = source->path ? source->path : source->name;
    struct co_file *f = calloc(1, sizeof *f);

    *out = NULL;
    if (!f || !(f->name = strdup(name))) {
        free(f);
        return err_set(e, ERR_NOMEM, "%s: out of host memory", name);
    }
    f->budget = budget;
    int failed = read_source(f, source, e) || decompress(f, e) || co_contents(&f->bundle, f->bytes, f->size, budget, e);
    if (failed) {
        err_prefix(e, "%s", name);
        co_file_close(f);
        return -1;
    }
    *out = f;
    return 0;
}

void co_file_close(struct co_file *f)
{
    if (!f)
        return;
    file_drop(f);
    free(f->name);
    free(f);
}

unsigned co_file_count(const struct co_file *f)
{
    return f->bundle ? co_bundle_count(f->bundle) : 1;
}

void co_file_entry(const struct co_file *f, unsigned index, const char **id, uint64_t *bytes)
{
    const struct co_bundle_entry *en = f->bundle ? co_bundle_entry(f->bundle, index) : NULL;

    *id = en ? en->id : "";
    *bytes = en ? en->size : f->size;
}

int co_file_fit(struct co_file *f, const char *want_target, const unsigned **list, unsigned *count, struct err *e)
{
    static const unsigned self = 0;

    *list = &self;
    *count = 1;
    if (!f->bundle)
        return 0; /* which target it has is seen when it is opened */
    return co_bundle_fit(f->bundle, want_target, list, count, e) ? err_prefix(e, "%s", f->name) : 0;
}

int co_file_code(struct code_object **out, struct co_file *f, unsigned index, const char *want_target,
                 struct budget *budget, struct err *e)
{
    return open_index(out, f, index, want_target, false, budget, e);
}

/* ---- the code object of a file that is meant ---- */

/* The code objects that have the kernel, as well as any has it. */
struct found {
    unsigned level, kernels, index;
    unsigned *list; /* where they were found, room for all */
    unsigned count;
    struct err damage; /* of the first that could not be opened */
};

static int look_into(struct found *found, struct co_file *f, unsigned index, const char *kernel, const char *want,
                     struct err *e)
{
    struct code_object *co = NULL;
    struct err why = {0};
    unsigned kernels;

    if (open_index(&co, f, index, want, false, f->budget, &why)) {
        if (why.code == ERR_NOMEM) {
            *e = why;
            return -1;
        }
        if (!found->damage.code)
            found->damage = why;
        return 0;
    }
    unsigned level = co_kernel_match(co, kernel, &kernels);
    code_object_close(co);
    if (!level || level < found->level)
        return 0;
    if (level > found->level)
        found->kernels = found->count = 0;
    found->level = level;
    found->kernels += kernels;
    found->list[found->count++] = index;
    return 0;
}

/* Finds the one code object of the list that has the kernel. */
static int find_by_kernel(struct co_file *f, const struct co_source *source, const unsigned *list, unsigned count,
                          unsigned *index, struct err *e)
{
    struct found found = {.list = calloc(count, sizeof *list)};
    int r = found.list ? 0 : err_set(e, ERR_NOMEM, "out of host memory for %u code objects", count);

    for (unsigned k = 0; k < count && !r; k++)
        r = look_into(&found, f, list[k], source->kernel, source->want_target, e);
    if (!r && !found.count && found.damage.code) {
        *e = found.damage;
        r = -1;
    } else if (!r && !found.count) {
        r = err_set(e, ERR_USAGE, "%s: no kernel \"%.100s\" in any of %u code objects", f->name, source->kernel, count);
    } else if (!r && found.count > 1) {
        co_bundle_ambiguous(f->bundle, source->want_target, found.list, found.count, "by index", e);
        r = err_prefix(e, "%s: %u kernels match \"%.100s\", expected one", f->name, found.kernels, source->kernel);
    }
    if (!r)
        *index = found.list[0];
    free(found.list);
    return r;
}

static int choose(struct co_file *f, const struct co_source *source, unsigned *index, struct err *e)
{
    const unsigned *list;
    unsigned count;

    *index = source->index;
    if (source->by_index && *index >= co_file_count(f))
        return err_set(e, ERR_USAGE, "%s: there is no code object %u, the file holds %u (from 0 on)", f->name, *index,
                       co_file_count(f));
    if (source->by_index && f->bundle && source->want_target &&
        co_bundle_check(f->bundle, *index, source->want_target, e))
        return err_prefix(e, "%s", f->name);
    if (source->by_index)
        return 0;
    if (co_file_fit(f, source->want_target, &list, &count, e))
        return -1;
    *index = list[0];
    if (count == 1)
        return 0;
    if (source->kernel)
        return find_by_kernel(f, source, list, count, index, e);
    co_bundle_ambiguous(f->bundle, source->want_target, list, count, "by a kernel or by index", e);
    return err_prefix(e, "%s", f->name);
}

int code_object_open_source(struct code_object **out, const struct co_source *source, struct budget *budget,
                            struct err *e)
{
    struct co_file *f;
    unsigned index;

    *out = NULL;
    if (co_file_open(&f, source, budget, e))
        return -1;
    int r = choose(f, source, &index, e);
    if (!r)
        r = open_index(out, f, index, source->want_target, true, budget, e);
    co_file_close(f);
    return r;
}

int code_object_open(struct code_object **out, const void *bytes, size_t size, const char *name,
                     const char *want_target, struct budget *budget, struct err *e)
{
    const struct co_source source = {.bytes = bytes, .size = size, .name = name, .want_target = want_target};

    return code_object_open_source(out, &source, budget, e);
}

int code_object_open_file(struct code_object **out, const char *path, const char *want_target, struct budget *budget,
                          struct err *e)
{
    const struct co_source source = {.path = path, .want_target = want_target};

    return code_object_open_source(out, &source, budget, e);
}
