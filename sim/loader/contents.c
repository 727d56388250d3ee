/* The code objects of a file: in its bundles, in the sections of a host program, in the members of an archive, or
 * wherever their first bytes stand. */
#define _GNU_SOURCE
#include "sim/loader/contents.h"

#include "sim/loader/archive.h"
#include "sim/loader/code_object_internal.h"
#include "sim/util/bits.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#define OLD_RDC_SECTION "__CLANG_OFFLOAD_BUNDLE__" /* of objects, with a triple after it */
#define NEW_RDC_SECTION ".llvm.offloading"
#define BITCODE_MAGIC   "BC\xc0\xde"
#define MAX_WASTED      CO_MAX_UNCOMPRESSED_BYTES /* bytes read for nothing in a search */

/* Where code objects are looked for. */
struct finder {
    struct co_bundle *to;
    const uint8_t *bytes;
    size_t size; /* of the file */
    struct err *e;
};

/* Errors that are no fact about the bytes. */
static bool is_fatal(const struct err *e)
{
    return e->code == ERR_NOMEM || e->code == ERR_LIMIT;
}

/* ---- host programs and objects ---- */

struct host {
    const uint8_t *bytes;
    size_t offset, size; /* of .hip_fatbin; size 0: none */
    bool left_out;       /* it has no contents: debug information alone */
    char rdc[64];        /* section with bitcode that is still to be linked; "": none */
};

static void look_at_section(void *ctx, const struct co_elf_part *p)
{
    struct host *h = ctx;
    bool has_bytes = p->type != SHT_NOBITS && p->type != SHT_NULL;

    if (!strcmp(p->name, ".hip_fatbin") && has_bytes) {
        h->offset = p->offset;
        h->size = p->size;
    } else if (!strcmp(p->name, ".hip_fatbin")) {
        h->left_out = p->type == SHT_NOBITS && p->size;
    } else if (has_bytes && p->size &&
               ((!strncmp(p->name, OLD_RDC_SECTION, strlen(OLD_RDC_SECTION)) && p->size >= 4 &&
                 !memcmp(h->bytes + p->offset, BITCODE_MAGIC, 4)) ||
                (!strcmp(p->name, NEW_RDC_SECTION) &&
                 memmem(h->bytes + p->offset, p->size, BITCODE_MAGIC, strlen(BITCODE_MAGIC))))) {
        snprintf(h->rdc, sizeof h->rdc, "%s", p->name);
    }
}

static int read_host(struct host *h, const uint8_t *bytes, size_t size, struct err *e)
{
    *h = (struct host){.bytes = bytes};
    return co_elf_parts(bytes, size, look_at_section, h, e);
}

/* A host file without any code object. */
static int host_without(const struct host *h, unsigned machine, struct err *e)
{
    if (h->rdc[0])
        return err_set(e, ERR_FORMAT,
                       "an object of -fgpu-rdc, its section %s holds LLVM bitcode; expected what hipcc -fgpu-rdc "
                       "--hip-link makes of it, or an object without -fgpu-rdc",
                       h->rdc);
    if (h->left_out)
        return err_set(e, ERR_FORMAT,
                       "debug information alone (--only-keep-debug), .hip_fatbin is left out; expected the program "
                       "that it was taken from");
    return err_set(e, ERR_FORMAT, "offset 18: ELF machine %u, expected 224 (AMDGPU) or a .hip_fatbin section", machine);
}

/* The containers of bytes[at + h->offset...]. */
static int read_fatbin(struct finder *f, const struct host *h, size_t at, const struct co_bundle_entry *like)
{
    size_t from = at + h->offset;

    return co_bundle_read(f->to, f->bytes, from, from + h->size, like, f->e)
               ? err_prefix(f->e, ".hip_fatbin at offset 0x%zx", h->offset)
               : 0;
}

/* ---- archives ---- */

/* What a member holds; without code for the GPU it is no fault. *why it has none, where that is worth a word. */
static int read_member(struct finder *f, const struct archive_member *m, struct err *why)
{
    const struct co_bundle_entry like = {.member = m->header};
    const uint8_t *b = f->bytes + m->at;
    struct host h;

    if (co_elf_is_gpu(b, m->size))
        return co_bundle_add(f->to, f->bytes, m->at, m->size, &like, f->e);
    if (co_is_bundle(b, m->size))
        return co_bundle_read(f->to, f->bytes, m->at, m->at + m->size, &like, f->e);
    if (!co_elf_is_host(b, m->size)) {
        if (m->size >= 4 && !memcmp(b, BITCODE_MAGIC, 4))
            err_set(why, ERR_FORMAT, "%s", co_describe(b, m->size));
        return 0;
    }
    if (read_host(&h, b, m->size, f->e))
        return -1;
    if (h.size)
        return read_fatbin(f, &h, m->at, &like);
    if (h.rdc[0] || h.left_out)
        host_without(&h, 0, why);
    return 0;
}

/* A thin archive: its files are named, as many as there is room for. */
static int refuse_thin(struct archive *a, struct err *e)
{
    struct archive_member m;
    char list[300] = "";
    size_t at = 0;
    int more;

    while ((more = archive_next(a, &m, e)) > 0 && at + sizeof m.name + 2 < sizeof list)
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", at ? ", " : "", m.name);
    return more < 0 ? -1
                    : err_set(e, ERR_FORMAT,
                              "a thin archive, which holds no objects but names of files; expected one of these: %s%s",
                              list, more ? ", ..." : "");
}

static int read_archive(struct finder *f, struct archive *a)
{
    struct archive_member m;
    struct err why = {0};
    unsigned members = 0;
    int more;

    if (a->thin)
        return refuse_thin(a, f->e);
    while ((more = archive_next(a, &m, f->e)) > 0) {
        struct err *e = f->e, own = {0};

        members++;
        f->e = &own;
        int failed = read_member(f, &m, &own);
        f->e = e;
        if (own.code)
            err_prefix(&own, "member %s", m.name);
        if (failed && is_fatal(&own)) {
            *e = own;
            return -1;
        }
        if (own.code && !why.code)
            why = own; /* of the first: a member that cannot be read does not hide the others */
    }
    if (more < 0 || co_bundle_finish(f->to, f->e))
        return -1;
    if (co_bundle_count(f->to))
        return 0;
    if (why.code) {
        *f->e = why;
        return -1;
    }
    return err_set(f->e, ERR_FORMAT,
                   "an archive of %u member%s without amdgcn code; expected objects of HIP (hipcc -c) or code objects",
                   members, members == 1 ? "" : "s");
}

/* ---- search ---- */

/* The length of the ELF file at the beginning of b[0..size): as far as its header's tables, segments and sections
 * reach. 0: it is not all there. */
static size_t elf_extent(const uint8_t *b, size_t size, uint64_t *wasted)
{
    uint64_t tables[2] = {load_u64(b + 32), load_u64(b + 40)}, end = 64;
    unsigned entry[2] = {load_u16(b + 54), load_u16(b + 58)}, count[2] = {load_u16(b + 56), load_u16(b + 60)};

    for (unsigned t = 0; t < 2; t++) {
        uint64_t bytes = (uint64_t)entry[t] * count[t];

        if (!count[t])
            continue;
        if (entry[t] != (t ? sizeof(Elf64_Shdr) : sizeof(Elf64_Phdr)) || tables[t] > size || bytes > size - tables[t])
            return 0;
        *wasted += bytes;
        end = tables[t] + bytes > end ? tables[t] + bytes : end;
        for (unsigned k = 0; k < count[t]; k++) {
            const uint8_t *h = b + tables[t] + (size_t)k * entry[t];
            uint64_t at = load_u64(h + (t ? 24 : 8)), n = load_u64(h + 32);
            bool holds = !t || (load_u32(h + 4) != SHT_NOBITS && load_u32(h + 4) != SHT_NULL);

            if (holds && (at > size || n > size - at))
                return 0;
            if (holds && at + n > end)
                end = at + n;
        }
    }
    return count[0] || count[1] ? end : 0;
}

/* What stands at `at`, where first bytes were found; *used is its length, or 1 when it is nothing. */
static int look_at(struct finder *f, size_t at, size_t *used, uint64_t *wasted)
{
    const struct co_bundle_entry like = {.searched = true};
    const uint8_t *b = f->bytes + at;
    struct err e = {0};
    size_t left = f->size - at, n;

    *used = 1;
    if (co_is_bundle(b, left)) {
        if (!co_bundle_try(f->to, f->bytes, at, f->size, &like, &n, wasted, &e))
            *used = n;
        else if (e.code == ERR_NOMEM)
            *f->e = e;
    } else if (co_elf_is_gpu(b, left) && (n = elf_extent(b, left, wasted)) != 0) {
        *used = n;
        return co_bundle_add(f->to, f->bytes, at, n, &like, f->e);
    }
    if (*wasted > MAX_WASTED)
        return err_set(f->e, ERR_LIMIT,
                       "too much in the file looks like bundles and is damaged, at offset 0x%zx the last", at);
    return f->e->code ? -1 : 0;
}

static int search(struct finder *f)
{
    static const struct {
        const char *magic;
        size_t bytes;
    } of[] = {{"\177ELF\2\1\1", 7}, {"__CLANG_OFFLOAD_BUNDLE__", 24}, {"CCOB", 4}};
    enum { KINDS = sizeof of / sizeof *of };
    size_t next[KINDS] = {0}; /* where each stands first from `at` on; size: nowhere */
    bool known[KINDS] = {false};
    uint64_t wasted = 0;

    for (size_t at = 0, used; at < f->size; at += used) {
        size_t first = f->size;

        for (unsigned k = 0; k < KINDS; k++) {
            if (!known[k] || next[k] < at) {
                const uint8_t *p = memmem(f->bytes + at, f->size - at, of[k].magic, of[k].bytes);
                next[k] = p ? (size_t)(p - f->bytes) : f->size;
                known[k] = true;
            }
            first = next[k] < first ? next[k] : first;
        }
        at = first;
        if (at == f->size)
            break;
        if (look_at(f, at, &used, &wasted))
            return -1;
    }
    return co_bundle_finish(f->to, f->e);
}

/* ---- a file ---- */

/* False: nothing is in f->to that could be chosen from. */
static int find(struct finder *f, bool *found)
{
    const struct co_bundle_entry plain = {0};
    struct archive archive;
    struct host h = {0};
    bool is_host = co_elf_is_host(f->bytes, f->size);

    *found = true;
    if (archive_open(&archive, f->bytes, f->size))
        return read_archive(f, &archive);
    if (co_is_bundle(f->bytes, f->size))
        return co_bundle_read(f->to, f->bytes, 0, f->size, &plain, f->e) ? -1 : co_bundle_finish(f->to, f->e);
    if (is_host && read_host(&h, f->bytes, f->size, f->e))
        return -1;
    if (h.size)
        return read_fatbin(f, &h, 0, &plain) ? -1 : co_bundle_finish(f->to, f->e);
    if (search(f))
        return -1;
    *found = co_bundle_count(f->to) != 0;
    return *found || !is_host ? 0 : host_without(&h, load_u16(f->bytes + 18), f->e);
}

int co_contents(struct co_bundle **out, const uint8_t *bytes, size_t size, struct budget *budget, struct err *e)
{
    struct finder f = {.bytes = bytes, .size = size, .e = e};
    bool found = false;

    *out = NULL;
    if (co_elf_is_gpu(bytes, size))
        return 0;
    if (co_bundle_new(&f.to, budget, e))
        return -1;
    int r = find(&f, &found);
    if (r || !found)
        co_bundle_close(f.to);
    else
        *out = f.to;
    return r;
}

void co_contents_where(char text[CO_WHERE_TEXT], const uint8_t *bytes, size_t size, const struct co_bundle_entry *en)
{
    char name[CO_WHERE_TEXT - 2];

    text[0] = 0;
    if (en->searched) {
        snprintf(text, CO_WHERE_TEXT, " at offset 0x%zx", en->container);
    } else if (en->member) {
        archive_name(bytes, size, en->member, name, sizeof name);
        snprintf(text, CO_WHERE_TEXT, "(%s)", name);
    }
}
