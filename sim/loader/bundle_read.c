/* Clang offload bundles: reads the tables of plain and compressed containers, and unpacks entries. */
#include "sim/loader/bundle_internal.h"
#include "sim/loader/code_object_internal.h"

#include "sim/util/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC        "__CLANG_OFFLOAD_BUNDLE__"
#define MAGIC_BYTES  24
#define CCOB_MAGIC   "CCOB"
#define CCOB         "CCOB bundle" /* for messages */
#define HEADER_BYTES 24            /* of an entry: what comes before its id */
#define MAX_ALL      (1u << 20)    /* entries of a file: a fat binary has a container for each source file */
#define MAX_ENTRIES  4096          /* of a container: targets are some dozens */
#define PIECE_BYTES  65536

bool co_is_bundle(const uint8_t *b, size_t size)
{
    return (size >= MAGIC_BYTES && !memcmp(b, MAGIC, MAGIC_BYTES)) || (size >= 4 && !memcmp(b, CCOB_MAGIC, 4));
}

static void growing_free(struct growing *g)
{
    budget_give(g->budget, g->room);
    free(g->bytes);
}

/* What reading needs, and nobody later. */
static void end_reading(struct co_bundle *es)
{
    inflater_close(&es->inflater);
    growing_free(&es->table);
    es->inflater = (struct inflater){.budget = es->budget};
    es->table = (struct growing){.budget = es->budget};
}

void co_bundle_close(struct co_bundle *b)
{
    if (!b)
        return;
    end_reading(b);
    budget_give(b->budget, b->cap * sizeof *b->v + (b->gpu ? b->n * 2 * sizeof *b->gpu : 0));
    free(b->gpu);
    free(b->v);
    free(b);
}

/* ---- the plain container ---- */

/* "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-": an offload kind, a triple, a target id. */
static void parse_id(struct entry *en)
{
    const char *target = strstr(en->pub.id, "-gfx");

    en->is_gpu = strstr(en->pub.id, "-amdgcn-") && target && en->pub.size;
    en->has_target = en->is_gpu && !co_target_parse(&en->target, target + 1, NULL);
}

static int grow_entries(struct co_bundle *es, struct err *e)
{
    size_t cap = es->cap ? es->cap * 2 : 8, more = (cap - es->cap) * sizeof *es->v;
    bool taken = budget_take(es->budget, more);
    struct entry *v = taken ? realloc(es->v, cap * sizeof *v) : NULL;

    if (!v) {
        budget_give(es->budget, taken ? more : 0);
        return err_set(e, ERR_NOMEM, "out of host memory for %zu bundle entries", cap);
    }
    es->v = v;
    es->cap = cap;
    return 0;
}

/* `like` has the fields but id and what follows from it. */
static int add_entry(struct co_bundle *es, const uint8_t *id, size_t id_len, const struct co_bundle_entry *like,
                     struct err *e)
{
    if (es->n == MAX_ALL)
        return err_set(e, ERR_LIMIT, "more than %u bundle entries", MAX_ALL);
    if (es->n == es->cap && grow_entries(es, e))
        return -1;
    struct entry *en = &es->v[es->n++];
    *en = (struct entry){.pub = *like};
    memset(en->pub.id, 0, sizeof en->pub.id);
    memcpy(en->pub.id, id, id_len);
    parse_id(en);
    return 0;
}

/* The bytes that the table of entries takes, as far as the first `have` of a container's `size` bytes say: when that
 * is more than `have`, more of them are needed. A table that is no valid one ends where read_plain() stops reading. */
static size_t table_bytes(const uint8_t *b, size_t have, size_t size)
{
    size_t at = MAGIC_BYTES + 8;

    if (size < at || have < at)
        return size < at ? have : at;
    uint64_t count = load_u64(b + MAGIC_BYTES);
    if (memcmp(b, MAGIC, MAGIC_BYTES) || count > MAX_ENTRIES)
        return at;
    for (uint64_t i = 0; i < count; i++) {
        if (size - at < HEADER_BYTES)
            return at;
        if (have - at < HEADER_BYTES)
            return at + HEADER_BYTES;
        uint64_t id_len = load_u64(b + at + 16);
        if (id_len > sizeof((struct co_bundle_entry *)0)->id || id_len > size - at - HEADER_BYTES)
            return at + HEADER_BYTES;
        at += HEADER_BYTES + id_len;
        if (at > have)
            return at;
    }
    return at;
}

/* Adds the entries of the container of `size` bytes, of which `b` has the table; `like` says where it is. Sets *used to
 * the end of its last entry. `origin` names the container in messages. */
static int read_plain(struct co_bundle *es, const uint8_t *b, size_t size, const struct co_bundle_entry *like,
                      const char *origin, size_t *used, struct err *e)
{
    if (size < MAGIC_BYTES + 8 || memcmp(b, MAGIC, MAGIC_BYTES))
        return err_set(e, ERR_FORMAT, "%s: %zu bytes, expected %s and an entry count", origin, size, MAGIC);
    uint64_t count = load_u64(b + MAGIC_BYTES);
    size_t at = MAGIC_BYTES + 8;
    if (count > (size - at) / HEADER_BYTES)
        return err_set(e, ERR_FORMAT, "%s offset %d: %llu entries do not fit in %zu bytes", origin, MAGIC_BYTES,
                       (unsigned long long)count, size);
    if (count > MAX_ENTRIES)
        return err_set(e, ERR_LIMIT, "%s offset %d: %llu entries, the limit is %d", origin, MAGIC_BYTES,
                       (unsigned long long)count, MAX_ENTRIES);
    size_t end = at;
    for (uint64_t i = 0; i < count; i++) {
        struct co_bundle_entry en = *like;
        if (size - at < HEADER_BYTES)
            return err_set(e, ERR_FORMAT, "%s offset %zu: ends within the header of entry %llu", origin, at,
                           (unsigned long long)i);
        en.offset = load_u64(b + at);
        en.size = load_u64(b + at + 8);
        uint64_t id_len = load_u64(b + at + 16);
        if (id_len == 0 || id_len >= sizeof en.id || id_len > size - at - HEADER_BYTES)
            return err_set(e, ERR_FORMAT, "%s offset %zu: entry id of %llu bytes, expected 1..127 within the file",
                           origin, at + 16, (unsigned long long)id_len);
        if (memchr(b + at + HEADER_BYTES, 0, id_len))
            return err_set(e, ERR_FORMAT, "%s offset %zu: entry id holds a zero byte", origin, at + HEADER_BYTES);
        if (en.offset > size || en.size > size - en.offset)
            return err_set(e, ERR_FORMAT, "%s offset %zu: entry \"%.*s\" is bytes %llu+%llu of %zu", origin, at,
                           (int)id_len, (const char *)b + at + HEADER_BYTES, (unsigned long long)en.offset,
                           (unsigned long long)en.size, size);
        if (add_entry(es, b + at + HEADER_BYTES, id_len, &en, e))
            return -1;
        at += HEADER_BYTES + id_len;
        if (end < at)
            end = at;
        if (end < en.offset + en.size)
            end = en.offset + en.size;
    }
    *used = end;
    return 0;
}

/* ---- the compressed container ---- */

struct ccob {
    unsigned version, method;
    size_t header_bytes;
    uint64_t total_bytes; /* of the container; 0 in version 1, which does not state it */
    uint64_t uncompressed_bytes;
};

static int read_ccob_header(struct ccob *h, const uint8_t *b, size_t size, struct err *e)
{
    static const size_t header_bytes[] = {[1] = 20, [2] = 24, [3] = 32};

    if (size < 8)
        return err_set(e, ERR_FORMAT, "CCOB bundle: ends within its header at byte %zu", size);
    *h = (struct ccob){.version = load_u16(b + 4), .method = load_u16(b + 6)};
    if (h->version < 1 || h->version > 3)
        return err_set(e, ERR_UNSUPPORTED, "CCOB bundle offset 4: version %u, expected 1, 2 or 3", h->version);
    h->header_bytes = header_bytes[h->version];
    if (size < h->header_bytes)
        return err_set(e, ERR_FORMAT, "CCOB bundle: ends within its header at byte %zu", size);
    if (h->version == 1) {
        h->uncompressed_bytes = load_u32(b + 8);
    } else if (h->version == 2) {
        h->total_bytes = load_u32(b + 8);
        h->uncompressed_bytes = load_u32(b + 12);
    } else {
        h->total_bytes = load_u64(b + 8);
        h->uncompressed_bytes = load_u64(b + 16);
    }
    if (h->method != INFLATE_ZLIB && h->method != INFLATE_ZSTD)
        return err_set(e, ERR_FORMAT, "CCOB bundle offset 6: compression method %u, expected 0 (zlib) or 1 (zstd)",
                       h->method);
    if (h->version > 1 && (h->total_bytes < h->header_bytes || h->total_bytes > size))
        return err_set(e, ERR_FORMAT, "CCOB bundle offset 8: says it has %llu bytes, %zu are there",
                       (unsigned long long)h->total_bytes, size);
    if (h->uncompressed_bytes > CO_MAX_UNCOMPRESSED_BYTES)
        return err_set(e, ERR_LIMIT, "CCOB bundle: %llu bytes uncompressed, the limit is %llu",
                       (unsigned long long)h->uncompressed_bytes, (unsigned long long)CO_MAX_UNCOMPRESSED_BYTES);
    return 0;
}

static bool grow(struct growing *g, size_t want)
{
    size_t more = want - g->room;
    bool taken = budget_take(g->budget, more);
    uint8_t *bigger = taken ? realloc(g->bytes, want) : NULL;

    if (!bigger) {
        budget_give(g->budget, taken ? more : 0);
        return false;
    }
    g->bytes = bigger;
    g->room = want;
    return true;
}

/* Inflates into *g until it holds the container's table; *have is how much it holds. */
static int inflate_table(struct inflater *f, struct growing *g, size_t *have, size_t size, struct err *e)
{
    size_t need, got;

    *have = 0;
    while ((need = table_bytes(g->bytes, *have, size)) > *have && !f->ended) {
        size_t want = need < PIECE_BYTES ? PIECE_BYTES : need + PIECE_BYTES; /* tables are at most 4096 * 151 bytes */
        want = want < size ? want : size;
        if (want > g->room && !grow(g, want))
            return err_set(e, ERR_NOMEM, "out of host memory to decompress a bundle");
        if (inflater_read(f, g->bytes + *have, g->room - *have, &got, size, e))
            return -1;
        *have += got;
    }
    return 0;
}

/* Inflates the rest of the frame to nowhere, which is after the table: it must have the length that the header states.
 */
static int inflate_rest(struct inflater *f, struct growing *g, size_t have, uint64_t expect, struct err *e)
{
    size_t got;

    if (g->room < have + PIECE_BYTES && !grow(g, have + PIECE_BYTES))
        return err_set(e, ERR_NOMEM, "out of host memory to decompress a bundle");
    while (!f->ended && f->done <= expect)
        if (inflater_read(f, g->bytes + have, g->room - have, &got, expect, e))
            return -1;
    if (f->done != expect)
        return err_set(e, ERR_FORMAT, "CCOB bundle: %s%llu bytes came out, the header says %llu",
                       f->done > expect ? "over " : "", (unsigned long long)(f->done > expect ? expect : f->done),
                       (unsigned long long)expect);
    return 0;
}

/* Adds the entries of the container at file[at..at + size). */
static int read_compressed(struct co_bundle *es, const uint8_t *file, size_t size, const struct co_bundle_entry *like,
                           size_t *used, struct err *e)
{
    const uint8_t *container = file + like->container;
    struct inflater *f = &es->inflater;
    size_t have = 0, plain_used;
    struct ccob h = {0};

    if (read_ccob_header(&h, container, size, e))
        return -1;
    if (es->inflated_bytes + h.uncompressed_bytes > CO_MAX_UNCOMPRESSED_BYTES)
        return err_set(e, ERR_LIMIT, "CCOB bundle: %llu bytes uncompressed, with those before it; the limit is %llu",
                       (unsigned long long)(es->inflated_bytes + h.uncompressed_bytes),
                       (unsigned long long)CO_MAX_UNCOMPRESSED_BYTES);
    es->inflated_bytes += h.uncompressed_bytes;
    size_t data = (h.total_bytes ? h.total_bytes : size) - h.header_bytes;
    if (inflater_start(f, (enum inflate_method)h.method, CCOB, container, h.header_bytes, data, e) ||
        inflate_table(f, &es->table, &have, h.uncompressed_bytes, e) ||
        inflate_rest(f, &es->table, have, h.uncompressed_bytes, e) ||
        read_plain(es, es->table.bytes, h.uncompressed_bytes, like, "bundle inside CCOB", &plain_used, e))
        return -1;
    *used = h.total_bytes ? h.total_bytes : h.header_bytes + inflater_used(f);
    return 0;
}

static int read_one(struct co_bundle *es, const uint8_t *b, size_t at, size_t end, const struct co_bundle_entry *like,
                    size_t *used, struct err *e)
{
    struct co_bundle_entry here = *like;

    here.container = at;
    here.compressed = !memcmp(b + at, CCOB_MAGIC, 4);
    return here.compressed ? read_compressed(es, b, end - at, &here, used, e)
                           : read_plain(es, b + at, end - at, &here, "offload bundle", used, e);
}

/* Zeros may stand between containers. Other bytes after a container end the reading without an error, because plain
 * bundles may be followed by padding of any content. */
int co_bundle_read(struct co_bundle *es, const uint8_t *b, size_t from, size_t end, const struct co_bundle_entry *like,
                   struct err *e)
{
    size_t at = from, used;

    if (!co_is_bundle(b + from, end - from))
        return err_set(e, ERR_FORMAT, "offset 0: not an offload bundle, expected %s or CCOB", MAGIC);
    while (at < end && co_is_bundle(b + at, end - at)) {
        if (read_one(es, b, at, end, like, &used, e))
            return at > from ? err_prefix(e, "bundle at offset %zu", at - from) : -1;
        for (at += used; at < end && !b[at]; at++)
            ;
    }
    return 0;
}

int co_bundle_try(struct co_bundle *es, const uint8_t *b, size_t at, size_t end, const struct co_bundle_entry *like,
                  size_t *used, uint64_t *wasted, struct err *e)
{
    uint64_t inflated = es->inflated_bytes;
    size_t before = es->n;

    es->inflater.done = 0;
    if (!read_one(es, b, at, end, like, used, e))
        return 0;
    *wasted += (es->n - before + 1) * HEADER_BYTES + es->inflater.done;
    es->inflated_bytes = inflated;
    es->n = before;
    return -1;
}

int co_bundle_add(struct co_bundle *es, const uint8_t *b, size_t at, size_t size, const struct co_bundle_entry *like,
                  struct err *e)
{
    struct co_bundle_entry here = *like;
    struct co_target_id target = {.name = "unknown"};
    char id[sizeof here.id], text[CO_TARGET_TEXT];

    here.bare = true;
    here.container = at;
    here.size = size;
    bool known = !co_elf_target(&target, b + at, NULL);
    co_target_format(&target, text);
    int n = snprintf(id, sizeof id, "elf-amdgcn-amd-%s--%s", co_os_name(b[at + 7]), text);
    if (add_entry(es, (const uint8_t *)id, (size_t)n, &here, e))
        return -1;
    struct entry *en = &es->v[es->n - 1];
    en->is_gpu = true;
    en->has_target = known;
    en->target = target;
    return 0;
}

/* Numbers the entries that are the GPU's. */
static int number_entries(struct co_bundle *b, struct err *e)
{
    bool taken = budget_take(b->budget, b->n * 2 * sizeof *b->gpu);

    b->gpu = taken ? malloc((b->n * 2 + 1) * sizeof *b->gpu) : NULL;
    if (!b->gpu) {
        budget_give(b->budget, taken ? b->n * 2 * sizeof *b->gpu : 0);
        return err_set(e, ERR_NOMEM, "out of host memory for %zu bundle entries", b->n);
    }
    b->fit = b->gpu + b->n;
    for (size_t i = 0; i < b->n; i++)
        if (b->v[i].is_gpu)
            b->gpu[b->gpus++] = (unsigned)i;
    return 0;
}

int co_bundle_new(struct co_bundle **out, struct budget *budget, struct err *e)
{
    struct co_bundle *b = calloc(1, sizeof *b);

    *out = b;
    if (!b)
        return err_set(e, ERR_NOMEM, "out of host memory for a bundle");
    b->budget = b->inflater.budget = b->table.budget = budget;
    return 0;
}

int co_bundle_finish(struct co_bundle *b, struct err *e)
{
    end_reading(b);
    return number_entries(b, e);
}

unsigned co_bundle_count(const struct co_bundle *b)
{
    return b->gpus;
}

const struct co_bundle_entry *co_bundle_entry(const struct co_bundle *b, unsigned index)
{
    return &gpu_entry(b, index)->pub;
}

static bool all_zero(const uint8_t *b, size_t size)
{
    return !size || (!b[0] && !memcmp(b, b + 1, size - 1));
}

/* Inflates the entry into `to`, which is zeros; pieces of zeros are left as they are, so that their pages stay unmapped
 * and cost nothing. co_bundle_open() has checked that the entry lies in the frame. */
static int inflate_entry(struct inflater *f, uint8_t piece[PIECE_BYTES], uint8_t *to, const struct co_bundle_entry *c,
                         struct err *e)
{
    uint64_t end = c->offset + c->size;

    while (f->done < end && !f->ended) {
        uint64_t at = f->done, left = at < c->offset ? c->offset - at : end - at;
        size_t got;
        if (inflater_read(f, piece, left < PIECE_BYTES ? left : PIECE_BYTES, &got, end, e))
            return -1;
        for (size_t k = 0, n; at >= c->offset && k < got; k += n) {
            n = got - k < 4096 ? got - k : 4096;
            if (!all_zero(piece + k, n))
                memcpy(to + (at - c->offset) + k, piece + k, n);
        }
    }
    return f->done == end ? 0 : err_set(e, ERR_FORMAT, "CCOB bundle: the compressed data ends within an entry");
}

int co_bundle_inflate(uint8_t **out, const struct co_bundle_entry *c, const uint8_t *bytes, size_t size,
                      struct budget *budget, struct err *e)
{
    struct inflater f = {.budget = budget};
    struct ccob h = {0};

    if (read_ccob_header(&h, bytes + c->container, size - c->container, e) ||
        inflater_start(&f, (enum inflate_method)h.method, CCOB, bytes + c->container, h.header_bytes,
                       (h.total_bytes ? h.total_bytes : size - c->container) - h.header_bytes, e))
        return -1;
    bool taken = budget_take(budget, c->size);
    uint8_t *piece = malloc(PIECE_BYTES), *to = taken ? calloc(1, c->size) : NULL;
    int r = piece && to ? inflate_entry(&f, piece, to, c, e)
                        : err_set(e, ERR_NOMEM, "out of host memory for a code object of %llu bytes",
                                  (unsigned long long)c->size);
    inflater_close(&f);
    free(piece);
    if (!r) {
        *out = to;
        return 0;
    }
    free(to);
    budget_give(budget, taken ? c->size : 0);
    return -1;
}
