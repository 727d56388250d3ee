/* The kernels of a code object: finds descriptors by symbol, and joins each with its code and metadata by name.
 *
 * The joins use sorted tables, so that a file with very many names costs n log n. */
#include "sim/loader/code_object_internal.h"
#include "sim/loader/demangle.h"
#include "sim/loader/registers.h"
#include "sim/util/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tables that kernels are joined with. */
struct tables {
    const struct co_kernel_metadata **metadata; /* by symbol */
    size_t metadata_count;
    struct co_kernel **kernels; /* by name; filled when all kernels are known */
};

/* "NAME.kd" is the descriptor of kernel "NAME". */
static bool stem_is(const char *symbol, const char *name)
{
    size_t n = strlen(name);

    return !strncmp(symbol, name, n) && !strcmp(symbol + n, ".kd");
}

static int by_symbol(const void *a, const void *b)
{
    return strcmp((*(const struct co_kernel_metadata *const *)a)->symbol,
                  (*(const struct co_kernel_metadata *const *)b)->symbol);
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const struct co_kernel *const *)a)->name, (*(const struct co_kernel *const *)b)->name);
}

static void free_tables(struct tables *t)
{
    free(t->metadata);
    free(t->kernels);
}

static int make_tables(struct code_object *co, struct tables *t, unsigned *descriptors, struct err *e)
{
    size_t metadata = 0;

    for (unsigned i = 0; i < co->note_count; i++)
        metadata += co->notes[i]->kernel_count;
    *descriptors = 0;
    for (unsigned i = 0; i < co->symbol_count; i++)
        *descriptors += co->symbols[i].kind == CO_SYMBOL_DESCRIPTOR;
    uint64_t bytes = (metadata + 1) * sizeof *t->metadata + (*descriptors + 1u) * sizeof *t->kernels +
                     (*descriptors + metadata + 1) * sizeof *co->kernels;
    if (co_hold(co, 1, bytes, "the table of kernels", e))
        return -1;
    t->metadata = calloc(metadata + 1, sizeof *t->metadata);
    t->kernels = calloc(*descriptors + 1u, sizeof *t->kernels);
    co->kernels = calloc(*descriptors + metadata + 1, sizeof *co->kernels);
    if (!t->metadata || !t->kernels || !co->kernels)
        return err_set(e, ERR_NOMEM, "out of host memory for %u kernels", *descriptors);
    for (unsigned i = 0; i < co->note_count; i++)
        for (unsigned k = 0; k < co->notes[i]->kernel_count; k++)
            t->metadata[t->metadata_count++] = &co->notes[i]->kernels[k];
    qsort(t->metadata, t->metadata_count, sizeof *t->metadata, by_symbol);
    return 0;
}

static const struct co_kernel_metadata *find_metadata(const struct tables *t, const char *symbol)
{
    struct co_kernel_metadata key = {.symbol = symbol};
    const struct co_kernel_metadata *k = &key;
    const struct co_kernel_metadata **found =
        bsearch(&k, t->metadata, t->metadata_count, sizeof *t->metadata, by_symbol);

    return found ? *found : NULL;
}

int co_kernel_refuse(struct code_object *co, struct co_kernel *k, const struct err *why, struct err *e)
{
    if (k->refused)
        return 0;
    if (co_hold(co, 1, strlen(why->text) + 1, "a message", e))
        return -1;
    k->refused = strdup(why->text);
    return k->refused ? 0 : err_set(e, ERR_NOMEM, "out of host memory for a message");
}

/* The kernel's first instruction must be in code, at an address the hardware can hold: COMPUTE_PGM_LO/HI are in
 * units of 256 bytes. */
int co_kernel_check_entry(const struct code_object *co, const struct co_kernel *k, struct err *e)
{
    uint64_t available;
    const struct co_segment *s = co_segment_at(co, k->entry_vaddr, 4);

    if (!s || !s->executable || !code_object_bytes(co, k->entry_vaddr, &available) || available < 4)
        return err_set(e, ERR_FORMAT, "kernel \"%.200s\": entry point 0x%llx is not in an executable segment", k->name,
                       (unsigned long long)k->entry_vaddr);
    if (k->entry_vaddr % 256)
        return err_set(e, ERR_FORMAT, "kernel \"%.200s\": entry point 0x%llx, expected a multiple of 256 (.p2align 8)",
                       k->name, (unsigned long long)k->entry_vaddr);
    return 0;
}

static int check_metadata(const struct co_kernel *k, struct err *e)
{
    unsigned bits = k->descriptor.enable_wavefront_size32 ? 32 : 64;

    if (k->metadata && k->metadata->refused)
        return err_set(e, ERR_FORMAT, "kernel \"%.200s\": %s", k->name, k->metadata->refused);
    if (k->metadata && k->metadata->wavefront_size != bits)
        return err_set(e, ERR_FORMAT, "kernel \"%.200s\": wavefront size %u in the metadata, %u in the descriptor",
                       k->name, k->metadata->wavefront_size, bits);
    return 0;
}

/* Fills what the header of a kernel of v2 says. */
static int read_header(const struct code_object *co, const struct co_symbol *sym, struct co_kernel *k,
                       const uint8_t *bytes, uint64_t available, struct err *e)
{
    if (!bytes || available < AMD_KERNEL_CODE_BYTES)
        return err_set(e, ERR_FORMAT,
                       "kernel \"%.200s\": at 0x%llx, expected %d bytes of amd_kernel_code_t in the file", k->name,
                       (unsigned long long)k->descriptor_vaddr, AMD_KERNEL_CODE_BYTES);
    if (amd_kernel_code_decode(&k->descriptor, bytes, co->target.family, e))
        return err_prefix(e, "kernel \"%.200s\"", k->name);
    k->entry_vaddr = k->descriptor_vaddr + (uint64_t)k->descriptor.kernel_code_entry_byte_offset;
    if (k->entry_vaddr - sym->vaddr < sym->size)
        k->code_bytes = sym->size - (k->entry_vaddr - sym->vaddr); /* the symbol's size, which has the header in it */
    return 0;
}

/* Fills what the descriptor says. */
static int read_descriptor(const struct code_object *co, const struct co_symbol *sym, struct co_kernel *k,
                           struct err *e)
{
    uint64_t available = 0;
    const uint8_t *bytes = code_object_bytes(co, k->descriptor_vaddr, &available);

    if (co->version == 2)
        return read_header(co, sym, k, bytes, available, e);
    if (!bytes || available < KERNEL_DESCRIPTOR_BYTES || k->descriptor_vaddr % KERNEL_DESCRIPTOR_BYTES)
        return err_set(e, ERR_FORMAT,
                       "kernel descriptor \"%.200s.kd\": at 0x%llx, expected 64 bytes of the file at a multiple of 64 "
                       "(.p2align 6)",
                       k->name, (unsigned long long)k->descriptor_vaddr);
    if (kernel_descriptor_decode(&k->descriptor, bytes, co->target.family, e))
        return err_prefix(e, "kernel \"%.200s\"", k->name);
    k->entry_vaddr = k->descriptor_vaddr + (uint64_t)k->descriptor.kernel_code_entry_byte_offset;
    return 0;
}

static int add_kernel(struct code_object *co, const struct tables *t, const struct co_symbol *sym, struct err *e)
{
    struct co_kernel *k = &co->kernels[co->kernel_count];
    size_t stem = strlen(sym->name) - (co->version == 2 ? 0 : 3);
    struct err why = {0};

    char *name = co_hold(co, 1, stem + 1, "a kernel's name", e) ? NULL : malloc(stem + 1);
    if (!name)
        return err_set(e, ERR_NOMEM, "out of host memory for a kernel's name");
    memcpy(name, sym->name, stem);
    name[stem] = 0;
    *k = (struct co_kernel){.name = name, .descriptor_vaddr = sym->vaddr};
    co->kernel_count++; /* code_object_close() frees the name from now on */
    k->metadata = find_metadata(t, sym->name);
    if (read_descriptor(co, sym, k, &why) || co_kernel_check_entry(co, k, &why) || check_metadata(k, &why))
        return co_kernel_refuse(co, k, &why, e);
    return 0;
}

/* The one of the first `kernels` kernels whose descriptor is called so; null: there is none. */
static struct co_kernel *descriptor_named(const struct tables *t, unsigned kernels, const char *symbol, bool v2)
{
    size_t n = strlen(symbol), low = 0, high = kernels;

    if (!v2 && (n <= 3 || strcmp(symbol + n - 3, ".kd")))
        return NULL;
    n -= v2 ? 0 : 3;
    while (low < high) { /* compared by the stem, which has no terminator */
        size_t mid = low + (high - low) / 2;
        const char *name = t->kernels[mid]->name;
        int c = strncmp(name, symbol, n);
        if (c == 0 && !name[n])
            return t->kernels[mid];
        if (c < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

/* A kernel that the metadata describes and that has no descriptor. */
static int add_lost_kernel(struct code_object *co, const struct co_kernel_metadata *m, struct err *e)
{
    size_t n = strlen(m->symbol), stem = n > 3 && !strcmp(m->symbol + n - 3, ".kd") ? n - 3 : n;
    struct co_kernel *k = &co->kernels[co->kernel_count];
    struct err why = {0};
    char *name = co_hold(co, 1, stem + 1, "a kernel's name", e) ? NULL : strndup(m->symbol, stem);

    if (!name)
        return err_set(e, ERR_NOMEM, "out of host memory for a kernel's name");
    *k = (struct co_kernel){.name = name, .metadata = m};
    co->kernel_count++;
    err_set(&why, ERR_FORMAT, "metadata names kernel descriptor \"%.200s\", no such symbol of 64 bytes", m->symbol);
    return co_kernel_refuse(co, k, &why, e);
}

/* Checks that names are unique, and finds kernels of the metadata that have no descriptor. */
static int check_names(struct code_object *co, struct tables *t, struct err *e)
{
    unsigned with_descriptor = co->kernel_count;

    for (unsigned i = 0; i < co->kernel_count; i++)
        t->kernels[i] = &co->kernels[i];
    qsort(t->kernels, co->kernel_count, sizeof *t->kernels, by_name);
    for (unsigned i = 1; i < co->kernel_count; i++)
        if (!strcmp(t->kernels[i - 1]->name, t->kernels[i]->name))
            return err_set(e, ERR_FORMAT, "two kernel descriptors are named \"%.200s.kd\"", t->kernels[i]->name);
    for (size_t i = 0; i < t->metadata_count; i++) {
        const char *symbol = t->metadata[i]->symbol;
        struct co_kernel *k = descriptor_named(t, with_descriptor, symbol, co->version == 2);
        bool twice = i && !strcmp(t->metadata[i - 1]->symbol, symbol);
        struct err why = {0};

        if (twice && k) { /* nobody can tell which one holds */
            err_set(&why, ERR_FORMAT, "kernel \"%.200s\": the metadata describes it twice", k->name);
            if (co_kernel_refuse(co, k, &why, e))
                return -1;
        } else if (!twice && !k && add_lost_kernel(co, t->metadata[i], e)) {
            return -1;
        }
    }
    return 0;
}

/* ---- headers of v2 between the instructions ---- */

static int by_start(const void *a, const void *b)
{
    const struct co_text *x = a, *y = b;

    if (x->vaddr != y->vaddr)
        return x->vaddr < y->vaddr ? -1 : 1;
    return x->size > y->size ? -1 : x->size < y->size; /* one with a size first */
}

/* The headers of kernels, by address and each once; *count of them. They end at the first instruction at the latest. */
static void list_headers(const struct code_object *co, struct co_text *headers, unsigned *count)
{
    unsigned n = 0, kept = 0;

    for (unsigned i = 0; i < co->kernel_count; i++)
        if (!co->kernels[i].refused)
            headers[n++] = (struct co_text){co->kernels[i].descriptor_vaddr, AMD_KERNEL_CODE_BYTES};
    qsort(headers, n, sizeof *headers, by_start);
    for (unsigned i = 0; i < n; i++)
        if (!kept || headers[kept - 1].vaddr + AMD_KERNEL_CODE_BYTES <= headers[i].vaddr)
            headers[kept++] = headers[i];
    *count = kept;
}

/* Adds what is left of a range of instructions without the headers in it. */
static void add_between(struct code_object *co, struct co_text text, const struct co_text *headers, unsigned count)
{
    unsigned low = 0, high = count; /* the first header that ends after the text's beginning */
    uint64_t at = text.vaddr, end = text.vaddr + text.size;

    while (low < high) {
        unsigned mid = low + (high - low) / 2;
        if (headers[mid].vaddr + headers[mid].size <= at)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < count && headers[low].vaddr < end; low++) {
        if (headers[low].vaddr > at)
            co->texts[co->text_count++] = (struct co_text){at, headers[low].vaddr - at};
        at = headers[low].vaddr + headers[low].size;
    }
    if (at < end)
        co->texts[co->text_count++] = (struct co_text){at, end - at};
}

/* Takes the headers out of the ranges of instructions, where v2 has them. */
static int cut_headers(struct code_object *co, struct err *e)
{
    unsigned before = co->text_count, count, room = before;
    struct co_text *old = co->texts, *headers;

    if (co->version != 2 || !co->kernel_count)
        return 0;
    if (co_hold(co, co->kernel_count, sizeof *headers, "a table of headers", e))
        return -1;
    headers = malloc(co->kernel_count * sizeof *headers);
    if (!headers)
        return err_set(e, ERR_NOMEM, "out of host memory for a table of headers");
    list_headers(co, headers, &count);
    /* a text has one piece more than headers in it, of which those that overlap have the same */
    for (unsigned i = 0; i < before; i++)
        room +=
            (unsigned)(old[i].size / AMD_KERNEL_CODE_BYTES < count ? old[i].size / AMD_KERNEL_CODE_BYTES + 1 : count);
    co->texts = co_hold(co, room, sizeof *old, "sections", e) ? NULL : calloc(room, sizeof *old);
    co->text_count = 0;
    for (unsigned i = 0; i < before && co->texts; i++)
        add_between(co, old[i], headers, count);
    free(headers);
    if (!co->texts) {
        co->texts = old;
        return err_set(e, ERR_NOMEM, "out of host memory for %u ranges of instructions", room);
    }
    free(old);
    return 0;
}

/* ---- functions ---- */

/* Where code begins: functions, and kernels without a function symbol. */
static int list_functions(struct code_object *co, struct err *e)
{
    size_t room = (size_t)co->symbol_count + co->kernel_count + 1, n = 0, kept = 0;

    co->functions =
        co_hold(co, room, sizeof *co->functions, "functions", e) ? NULL : calloc(room, sizeof *co->functions);
    if (!co->functions)
        return err_set(e, ERR_NOMEM, "out of host memory for %zu functions", room);
    for (unsigned i = 0; i < co->symbol_count; i++)
        if (co->symbols[i].kind == CO_SYMBOL_FUNCTION)
            co->functions[n++] = (struct co_text){co->symbols[i].vaddr, co->symbols[i].size};
    for (unsigned i = 0; i < co->kernel_count; i++)
        if (!co->kernels[i].refused)
            co->functions[n++] = (struct co_text){co->kernels[i].entry_vaddr, co->kernels[i].code_bytes};
    qsort(co->functions, n, sizeof *co->functions, by_start);
    for (size_t i = 0; i < n; i++)
        if (!kept || co->functions[kept - 1].vaddr != co->functions[i].vaddr)
            co->functions[kept++] = co->functions[i];
    co->function_count = kept;
    for (unsigned i = 0; i < co->kernel_count; i++)
        if (!co->kernels[i].refused)
            co->kernels[i].code_bytes = code_object_function_bytes(co, co->kernels[i].entry_vaddr);
    return 0;
}

/* The last of the ranges that begins at or before vaddr; null: none. */
static const struct co_text *range_before(const struct co_text *range, size_t count, uint64_t vaddr)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (range[mid].vaddr <= vaddr)
            low = mid + 1;
        else
            high = mid;
    }
    return low ? &range[low - 1] : NULL;
}

/* The end of the range of instructions that vaddr is in; 0: it is in none. */
static uint64_t text_end(const struct code_object *co, uint64_t vaddr)
{
    const struct co_text *t = range_before(co->texts, co->text_count, vaddr);

    return t && vaddr - t->vaddr < t->size ? t->vaddr + t->size : 0;
}

uint64_t code_object_function_bytes(const struct code_object *co, uint64_t vaddr)
{
    const struct co_text *f = range_before(co->functions, co->function_count, vaddr),
                         *last = co->functions + co->function_count;
    uint64_t end = text_end(co, vaddr), available;

    if (!f || f->vaddr != vaddr || f->size || !end)
        return f && f->vaddr == vaddr ? f->size : 0;
    if (f + 1 < last && f[1].vaddr < end)
        end = f[1].vaddr;
    const uint8_t *code = code_object_bytes(co, vaddr, &available);
    uint64_t bytes = code ? end - vaddr : 0;
    bytes = bytes < available ? bytes : available;
    while (bytes >= 4 && !load_u32(code + bytes - 4)) /* padding */
        bytes -= 4;
    return bytes;
}

int co_kernels_build(struct code_object *co, struct err *e)
{
    struct tables t = {0};
    unsigned descriptors;

    if (co->os != CO_OS_HSA)
        return co_registers_kernels(co, e) || list_functions(co, e) ? -1 : 0;
    int r = make_tables(co, &t, &descriptors, e);

    for (unsigned i = 0; !r && i < co->symbol_count; i++)
        if (co->symbols[i].kind == CO_SYMBOL_DESCRIPTOR)
            r = add_kernel(co, &t, &co->symbols[i], e);
    if (!r)
        r = check_names(co, &t, e);
    free_tables(&t);
    return r || cut_headers(co, e) || list_functions(co, e) ? -1 : 0;
}

enum { MOST_LISTED = 10 };

/* Kernels, all of them or those that match `name` so well, as a list that ends before it is too long. Those that match
 * stand there as they are in C++, which tells instances of a template apart, unless it is just that which they share.
 */
static void list_kernels(const struct code_object *co, const char *name, enum demangle_match match, char *list,
                         size_t room)
{
    size_t at = 0, shown = 0, all = 0;

    snprintf(list, room, "none");
    for (unsigned i = 0; i < co->kernel_count; i++) {
        const char *k = co->kernels[i].name;

        if (name && demangle_matches(k, name) != match)
            continue;
        char *plain = name && match < DEMANGLE_PLAIN ? demangle(k) : NULL;
        k = plain ? plain : k;
        all++;
        if (shown + 1 == all && shown < MOST_LISTED && at + strlen(k) + 24 < room) {
            at += (size_t)snprintf(list + at, room - at, "%s%s", shown ? ", " : "", k);
            shown++;
        }
        free(plain);
    }
    if (shown < all)
        snprintf(list + at, room - at, "%s%zu more", shown ? " and " : "", all - shown);
}

/* How well a name fits a kernel: enum demangle_match, or better. */
enum { LEVEL_SOURCE = DEMANGLE_THE_NAME + 1, LEVEL_SYMBOL };

static unsigned name_level(const struct co_kernel *k, const char *name)
{
    if (!strcmp(k->name, name) || stem_is(name, k->name))
        return LEVEL_SYMBOL;
    return k->metadata && !strcmp(k->metadata->name, name) ? LEVEL_SOURCE : DEMANGLE_NO_MATCH;
}

/* The first kernel that matches best; *same of them do. Names are only demangled when none is the one given. */
static const struct co_kernel *best_match(const struct code_object *co, const char *name, unsigned *level,
                                          unsigned *same)
{
    const struct co_kernel *best = NULL;

    *level = DEMANGLE_NO_MATCH;
    *same = 0;
    for (unsigned pass = 0; *name && !best && pass < 2; pass++)
        for (unsigned i = 0; i < co->kernel_count; i++) {
            const struct co_kernel *k = &co->kernels[i];
            unsigned l = pass ? demangle_matches(k->name, name) : name_level(k, name);

            if (l > *level) {
                *same = 0;
                *level = l;
                best = k;
            }
            *same += l && l == *level;
        }
    return best;
}

unsigned co_kernel_match(const struct code_object *co, const char *name, unsigned *count)
{
    unsigned level;

    best_match(co, name, &level, count);
    return level;
}

const struct co_kernel *code_object_find_kernel(const struct code_object *co, const char *name, struct err *e)
{
    unsigned level, same;
    char list[360];

    if (!name && co->kernel_count == 1)
        return &co->kernels[0];
    if (!name) {
        list_kernels(co, NULL, DEMANGLE_NO_MATCH, list, sizeof list);
        err_set(e, ERR_USAGE, "%s: %u kernels; expected the name of one: %s", co->label, co->kernel_count, list);
        return NULL;
    }
    const struct co_kernel *best = best_match(co, name, &level, &same);
    if (same == 1 || level == LEVEL_SYMBOL)
        return best;
    if (level == LEVEL_SOURCE) {
        list_kernels(co, NULL, DEMANGLE_NO_MATCH, list, sizeof list);
        err_set(e, ERR_USAGE, "%s: %u kernels have the source name \"%.100s\", use a symbol: %s", co->label, same, name,
                list);
        return NULL;
    }
    list_kernels(co, same ? name : NULL, (enum demangle_match)level, list, sizeof list);
    if (same)
        err_set(e, ERR_USAGE, "%s: %u kernels match \"%.100s\", expected one: %s", co->label, same, name, list);
    else
        err_set(e, ERR_USAGE, "%s: no kernel \"%.100s\"; kernels: %s", co->label, name, list);
    return NULL;
}
