/* Clang offload bundles: unpacks plain and compressed containers and chooses the code object for a target. */
#include "sim/loader/bundle.h"

#include "sim/loader/inflate.h"
#include "sim/loader/target_id.h"
#include "sim/util/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC        "__CLANG_OFFLOAD_BUNDLE__"
#define MAGIC_BYTES  24
#define CCOB_MAGIC   "CCOB"
#define HEADER_BYTES 24         /* of an entry: what comes before its id */
#define MAX_ALL      (1u << 20) /* entries of a file: a fat binary has a container for each source file */
#define MAX_ENTRIES  4096       /* of a container: targets are some dozens */
#define PIECE_BYTES  65536

struct entry {
    char id[128];
    bool is_gpu;     /* an amdgcn code object that is not empty */
    bool has_target; /* its processor is known: `target` is valid */
    bool compressed;
    struct co_target_id target;
    size_t container;      /* where its container begins in the file */
    uint64_t offset, size; /* of its bytes, from the container's first byte, or in its decompressed bytes */
};

/* A buffer of at least `want` bytes that keeps its contents; the budget counts it. */
struct growing {
    uint8_t *bytes;
    size_t room;
    struct budget *budget;
};

struct entries {
    struct entry *v;
    size_t n, cap;
    struct budget *budget;
    uint64_t inflated_bytes; /* of all decompressed containers */
    /* for all containers, of which a file may hold very many */
    struct inflater inflater;
    struct growing table;
};

bool co_is_bundle(const uint8_t *b, size_t size)
{
    return (size >= MAGIC_BYTES && !memcmp(b, MAGIC, MAGIC_BYTES)) || (size >= 4 && !memcmp(b, CCOB_MAGIC, 4));
}

static void growing_free(struct growing *g)
{
    budget_give(g->budget, g->room);
    free(g->bytes);
}

static void entries_free(struct entries *es)
{
    inflater_close(&es->inflater);
    growing_free(&es->table);
    budget_give(es->budget, es->cap * sizeof *es->v);
    free(es->v);
}

/* ---- the plain container ---- */

/* "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-": an offload kind, a triple, a target id. */
static void parse_id(struct entry *en)
{
    const char *target = strstr(en->id, "-gfx");

    en->is_gpu = strstr(en->id, "-amdgcn-") && target && en->size;
    en->has_target = en->is_gpu && !co_target_parse(&en->target, target + 1, NULL);
}

static int grow_entries(struct entries *es, struct err *e)
{
    size_t cap = es->cap ? es->cap * 2 : 8, more = (cap - es->cap) * sizeof *es->v;
    bool taken = budget_take(es->budget, more);
    struct entry *v = taken ? realloc(es->v, cap * sizeof *v) : NULL;

    if (!v) {
        budget_give(es->budget, taken ? more : 0);
        return err_set(e, ERR_NOMEM, "no memory for %zu bundle entries", cap);
    }
    es->v = v;
    es->cap = cap;
    return 0;
}

/* `like` has the fields but id and what follows from it. */
static int add_entry(struct entries *es, const uint8_t *id, size_t id_len, const struct entry *like, struct err *e)
{
    if (es->n == MAX_ALL)
        return err_set(e, ERR_LIMIT, "more than %u bundle entries", MAX_ALL);
    if (es->n == es->cap && grow_entries(es, e))
        return -1;
    struct entry *en = &es->v[es->n++];
    *en = *like;
    memset(en->id, 0, sizeof en->id);
    memcpy(en->id, id, id_len);
    parse_id(en);
    return 0;
}

/* The bytes that the table of entries takes, as far as the first `have` of a container's `size` bytes tell: when that
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
        if (id_len > sizeof((struct entry *)0)->id || id_len > size - at - HEADER_BYTES)
            return at + HEADER_BYTES;
        at += HEADER_BYTES + id_len;
        if (at > have)
            return at;
    }
    return at;
}

/* Adds the entries of the container of `size` bytes, of which `b` has the table; `like` says where it is. Sets *used to
 * the end of its last entry. `origin` names the container in messages. */
static int read_plain(struct entries *es, const uint8_t *b, size_t size, const struct entry *like, const char *origin,
                      size_t *used, struct err *e)
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
        struct entry en = *like;
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
            return err_set(e, ERR_NOMEM, "no memory to decompress a bundle");
        if (inflater_read(f, g->bytes + *have, g->room - *have, &got, size, e))
            return -1;
        *have += got;
    }
    return 0;
}

/* Inflates the rest of the frame to nowhere, which is behind the table: it must have the length that the header states.
 */
static int inflate_rest(struct inflater *f, struct growing *g, size_t have, uint64_t expect, struct err *e)
{
    size_t got;

    if (g->room < have + PIECE_BYTES && !grow(g, have + PIECE_BYTES))
        return err_set(e, ERR_NOMEM, "no memory to decompress a bundle");
    while (!f->ended && f->done <= expect)
        if (inflater_read(f, g->bytes + have, g->room - have, &got, expect, e))
            return -1;
    if (f->done != expect)
        return err_set(e, ERR_FORMAT, "CCOB bundle: %s%llu bytes came out, the header says %llu",
                       f->done > expect ? "over " : "", (unsigned long long)(f->done > expect ? expect : f->done),
                       (unsigned long long)expect);
    return 0;
}

static int read_compressed(struct entries *es, const uint8_t *file, size_t at, size_t size, size_t *used, struct err *e)
{
    const struct entry like = {.compressed = true, .container = at};
    struct inflater *f = &es->inflater;
    size_t have = 0, plain_used;
    struct ccob h = {0};

    if (read_ccob_header(&h, file + at, size, e))
        return -1;
    if (es->inflated_bytes + h.uncompressed_bytes > CO_MAX_UNCOMPRESSED_BYTES)
        return err_set(e, ERR_LIMIT, "CCOB bundle: %llu bytes uncompressed, with those before it; the limit is %llu",
                       (unsigned long long)(es->inflated_bytes + h.uncompressed_bytes),
                       (unsigned long long)CO_MAX_UNCOMPRESSED_BYTES);
    es->inflated_bytes += h.uncompressed_bytes;
    size_t data = (h.total_bytes ? h.total_bytes : size) - h.header_bytes;
    if (inflater_start(f, (enum inflate_method)h.method, file + at, h.header_bytes, data, e) ||
        inflate_table(f, &es->table, &have, h.uncompressed_bytes, e) ||
        inflate_rest(f, &es->table, have, h.uncompressed_bytes, e) ||
        read_plain(es, es->table.bytes, h.uncompressed_bytes, &like, "bundle inside CCOB", &plain_used, e))
        return -1;
    *used = h.total_bytes ? h.total_bytes : h.header_bytes + inflater_used(f);
    return 0;
}

/* Reads one container after another, with zeros between them. Other bytes after a container end the reading without an
 * error, because plain bundles may be followed by padding of any content. */
static int read_all(struct entries *es, const uint8_t *b, size_t size, struct err *e)
{
    size_t at = 0, used;

    if (!co_is_bundle(b, size))
        return err_set(e, ERR_FORMAT, "offset 0: not an offload bundle, expected %s or CCOB", MAGIC);
    while (at < size && co_is_bundle(b + at, size - at)) {
        const struct entry like = {.container = at};
        bool compressed = !memcmp(b + at, CCOB_MAGIC, 4);
        if (compressed ? read_compressed(es, b, at, size - at, &used, e)
                       : read_plain(es, b + at, size - at, &like, "offload bundle", &used, e))
            return at ? err_prefix(e, "bundle at offset %zu", at) : -1;
        for (at += used; at < size && !b[at]; at++)
            ;
    }
    return 0;
}

/* ---- choice ---- */

/* Lists the entries' ids in quotes, as many as fit a message. */
static void list_entries(const struct entries *es, bool gpu_only, char *out, size_t cap)
{
    size_t at = 0, shown = 0, total = 0;

    out[0] = 0;
    for (size_t i = 0; i < es->n; i++)
        total += !gpu_only || es->v[i].is_gpu;
    for (size_t i = 0; i < es->n; i++) {
        const char *id = es->v[i].id;
        if (gpu_only && !es->v[i].is_gpu)
            continue;
        if (at + strlen(id) + 24 >= cap) {
            snprintf(out + at, cap - at, " and %zu more", total - shown);
            return;
        }
        at += (size_t)snprintf(out + at, cap - at, "%s%s", shown ? ", " : "", id);
        shown++;
    }
    if (!total)
        snprintf(out, cap, "none");
}

/* How well an entry serves the request: 0 not at all; a higher number is a closer match. */
static unsigned score(const struct entry *en, const char *want, const struct co_target_id *target)
{
    if (!en->is_gpu)
        return 0;
    if (!want)
        return 1;
    if (!strcmp(en->id, want))
        return 100;
    return target && en->has_target ? co_target_match(&en->target, target) : 0;
}

static int choose(const struct entries *es, const char *want, struct entry **out, struct err *e)
{
    struct co_target_id target;
    /* a full entry id ("hipv4-amdgcn-...") must be equal; a target id is matched feature by feature */
    bool by_target = want && !strstr(want, "-amdgcn-");
    unsigned best = 0;
    size_t ties = 0;
    char list[400];

    if (by_target && co_target_parse(&target, want, e))
        return -1;
    for (size_t i = 0; i < es->n; i++) {
        unsigned s = score(&es->v[i], want, by_target ? &target : NULL);
        if (s > best) {
            best = s;
            ties = 0;
            *out = &es->v[i];
        }
        ties += s && s == best;
    }
    list_entries(es, ties > 1, list, sizeof list);
    if (!best && want)
        return err_set(e, ERR_USAGE, "bundle: no code object for target \"%.60s\"; entries: %s", want, list);
    if (!best)
        return err_set(e, ERR_FORMAT, "bundle: no amdgcn code object; entries: %s", list);
    if (ties > 1 && want) /* one for each source file, for example */
        return err_set(e, ERR_USAGE, "bundle: %zu code objects fit \"%.60s\" equally well; entries: %s", ties, want,
                       list);
    if (ties > 1)
        return err_set(e, ERR_USAGE, "bundle: %zu code objects fit, choose one by target: %s", ties, list);
    return 0;
}

int co_bundle_choose(struct co_bundle_choice *out, const uint8_t *bytes, size_t size, const char *want_target,
                     struct budget *budget, struct err *e)
{
    struct entries es = {.budget = budget, .inflater = {.budget = budget}, .table = {.budget = budget}};
    struct entry *chosen = NULL;
    int r = read_all(&es, bytes, size, e) || choose(&es, want_target, &chosen, e) ? -1 : 0;

    if (!r) {
        *out = (struct co_bundle_choice){.compressed = chosen->compressed,
                                         .container = chosen->container,
                                         .offset = chosen->offset,
                                         .size = chosen->size};
        memcpy(out->id, chosen->id, sizeof out->id);
    }
    entries_free(&es);
    return r;
}

static bool all_zero(const uint8_t *b, size_t size)
{
    return !size || (!b[0] && !memcmp(b, b + 1, size - 1));
}

/* Inflates the entry into `to`, which is zeros; pieces of zeros are left as they are, so that their pages stay unmapped
 * and cost nothing. co_bundle_choose() has checked that the entry lies in the frame. */
static int inflate_entry(struct inflater *f, uint8_t piece[PIECE_BYTES], uint8_t *to, const struct co_bundle_choice *c,
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

int co_bundle_inflate(uint8_t **out, const struct co_bundle_choice *c, const uint8_t *bytes, size_t size,
                      struct budget *budget, struct err *e)
{
    struct inflater f = {.budget = budget};
    struct ccob h = {0};

    if (read_ccob_header(&h, bytes + c->container, size - c->container, e) ||
        inflater_start(&f, (enum inflate_method)h.method, bytes + c->container, h.header_bytes,
                       (h.total_bytes ? h.total_bytes : size - c->container) - h.header_bytes, e))
        return -1;
    bool taken = budget_take(budget, c->size);
    uint8_t *piece = malloc(PIECE_BYTES), *to = taken ? calloc(1, c->size) : NULL;
    int r = piece && to
                ? inflate_entry(&f, piece, to, c, e)
                : err_set(e, ERR_NOMEM, "no memory for a code object of %llu bytes", (unsigned long long)c->size);
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
