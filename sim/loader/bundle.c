/* Clang offload bundles: unpacks plain and compressed containers and chooses the code object for a target. */
#include "sim/loader/bundle.h"

#include "sim/loader/target_id.h"
#include "sim/util/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define MAGIC        "__CLANG_OFFLOAD_BUNDLE__"
#define MAGIC_BYTES  24
#define CCOB_MAGIC   "CCOB"
#define HEADER_BYTES 24 /* of an entry: what comes before its id */

enum { METHOD_ZLIB, METHOD_ZSTD };

struct entry {
    char id[128];
    bool is_gpu;     /* an amdgcn code object that is not empty */
    bool has_target; /* its processor is known: `target` is valid */
    struct co_target_id target;
    const uint8_t *bytes; /* in the caller's bytes or in an inflated container */
    size_t size;
};

/* A decompressed container; entries point into it. */
struct inflated {
    struct inflated *next;
    uint8_t *bytes;
};

struct entries {
    struct entry *v;
    size_t n, cap;
    struct inflated *inflated;
    uint64_t inflated_bytes; /* of all decompressed containers */
};

bool co_is_bundle(const uint8_t *b, size_t size)
{
    return (size >= MAGIC_BYTES && !memcmp(b, MAGIC, MAGIC_BYTES)) || (size >= 4 && !memcmp(b, CCOB_MAGIC, 4));
}

static void entries_free(struct entries *es)
{
    while (es->inflated) {
        struct inflated *next = es->inflated->next;
        free(es->inflated->bytes);
        free(es->inflated);
        es->inflated = next;
    }
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

static int add_entry(struct entries *es, const uint8_t *id, size_t id_len, const uint8_t *bytes, size_t size,
                     struct err *e)
{
    if (es->n == es->cap) {
        size_t cap = es->cap ? es->cap * 2 : 8;
        struct entry *v = realloc(es->v, cap * sizeof *v);
        if (!v)
            return err_set(e, ERR_NOMEM, "no memory for %zu bundle entries", cap);
        es->v = v;
        es->cap = cap;
    }
    struct entry *en = &es->v[es->n];
    *en = (struct entry){.bytes = bytes, .size = size};
    memcpy(en->id, id, id_len);
    parse_id(en);
    es->n++;
    return 0;
}

/* Adds the entries of the container at `b`; sets *used to the end of its last entry. `origin` names the container in
 * messages. */
static int read_plain(struct entries *es, const uint8_t *b, size_t size, const char *origin, size_t *used,
                      struct err *e)
{
    if (size < MAGIC_BYTES + 8 || memcmp(b, MAGIC, MAGIC_BYTES))
        return err_set(e, ERR_FORMAT, "%s: %zu bytes, expected %s and an entry count", origin, size, MAGIC);
    uint64_t count = load_u64(b + MAGIC_BYTES);
    size_t at = MAGIC_BYTES + 8;
    if (count > (size - at) / HEADER_BYTES)
        return err_set(e, ERR_FORMAT, "%s offset %d: %llu entries do not fit in %zu bytes", origin, MAGIC_BYTES,
                       (unsigned long long)count, size);
    size_t end = at;
    for (uint64_t i = 0; i < count; i++) {
        if (size - at < HEADER_BYTES)
            return err_set(e, ERR_FORMAT, "%s offset %zu: ends within the header of entry %llu", origin, at,
                           (unsigned long long)i);
        uint64_t offset = load_u64(b + at), bytes = load_u64(b + at + 8), id_len = load_u64(b + at + 16);
        if (id_len == 0 || id_len >= sizeof es->v->id || id_len > size - at - HEADER_BYTES)
            return err_set(e, ERR_FORMAT, "%s offset %zu: entry id of %llu bytes, expected 1..127 within the file",
                           origin, at + 16, (unsigned long long)id_len);
        if (memchr(b + at + HEADER_BYTES, 0, id_len))
            return err_set(e, ERR_FORMAT, "%s offset %zu: entry id holds a zero byte", origin, at + HEADER_BYTES);
        if (offset > size || bytes > size - offset)
            return err_set(e, ERR_FORMAT, "%s offset %zu: entry \"%.*s\" is bytes %llu+%llu of %zu", origin, at,
                           (int)id_len, (const char *)b + at + HEADER_BYTES, (unsigned long long)offset,
                           (unsigned long long)bytes, size);
        if (add_entry(es, b + at + HEADER_BYTES, id_len, b + offset, bytes, e))
            return -1;
        at += HEADER_BYTES + id_len;
        if (end < at)
            end = at;
        if (end < offset + bytes)
            end = offset + bytes;
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
    if (h->method == METHOD_ZLIB)
        return err_set(e, ERR_UNSUPPORTED, "CCOB bundle offset 6: compressed with zlib, gcnsim reads zstd");
    if (h->method != METHOD_ZSTD)
        return err_set(e, ERR_FORMAT, "CCOB bundle offset 6: compression method %u, expected 1 (zstd)", h->method);
    if (h->version > 1 && (h->total_bytes < h->header_bytes || h->total_bytes > size))
        return err_set(e, ERR_FORMAT, "CCOB bundle offset 8: says it has %llu bytes, %zu are there",
                       (unsigned long long)h->total_bytes, size);
    if (h->uncompressed_bytes > CO_MAX_UNCOMPRESSED_BYTES)
        return err_set(e, ERR_LIMIT, "CCOB bundle: %llu bytes uncompressed, the limit is %llu",
                       (unsigned long long)h->uncompressed_bytes, (unsigned long long)CO_MAX_UNCOMPRESSED_BYTES);
    return 0;
}

/* Decompresses one frame. The buffer grows with the decompressed bytes, so that a false size in the header allocates
 * nothing; more than `expect` bytes are an error. */
static int inflate_frame(uint8_t **out, const uint8_t *b, size_t size, size_t expect, size_t *consumed, struct err *e)
{
    ZSTD_DStream *z = ZSTD_createDStream();
    ZSTD_inBuffer in = {b, size, 0};
    size_t cap = expect < 65536 ? expect + 1 : 65536, r = 1;
    uint8_t *buf = malloc(cap);
    ZSTD_outBuffer dst = {buf, cap, 0};

    if (!z || !buf) {
        err_set(e, ERR_NOMEM, "no memory to decompress a bundle");
        goto fail;
    }
    while (r != 0) {
        size_t before_in = in.pos, before_out = dst.pos;
        r = ZSTD_decompressStream(z, &dst, &in);
        if (ZSTD_isError(r)) {
            err_set(e, ERR_FORMAT, "CCOB bundle: zstd data damaged near byte %zu: %s", in.pos, ZSTD_getErrorName(r));
            goto fail;
        }
        if (dst.pos > expect)
            break;
        if (r && dst.pos == dst.size) {
            cap = cap > expect / 2 ? expect + 1 : cap * 2;
            uint8_t *bigger = realloc(buf, cap);
            if (!bigger) {
                err_set(e, ERR_NOMEM, "no memory for a bundle of %zu bytes", expect);
                goto fail;
            }
            dst.dst = buf = bigger;
            dst.size = cap;
        } else if (r && in.pos == before_in && dst.pos == before_out) {
            err_set(e, ERR_FORMAT, "CCOB bundle: zstd data ends early, after %zu of %zu bytes", dst.pos, expect);
            goto fail;
        }
    }
    if (dst.pos != expect) {
        err_set(e, ERR_FORMAT, "CCOB bundle: %s%zu bytes came out, the header says %zu",
                dst.pos > expect ? "over " : "", dst.pos > expect ? expect : dst.pos, expect);
        goto fail;
    }
    ZSTD_freeDStream(z);
    *out = buf;
    *consumed = in.pos;
    return 0;
fail:
    ZSTD_freeDStream(z);
    free(buf);
    return -1;
}

static int read_compressed(struct entries *es, const uint8_t *b, size_t size, size_t *used, struct err *e)
{
    struct ccob h = {0};
    size_t consumed, plain_used;

    if (read_ccob_header(&h, b, size, e))
        return -1;
    if (es->inflated_bytes + h.uncompressed_bytes > CO_MAX_UNCOMPRESSED_BYTES)
        return err_set(e, ERR_LIMIT, "CCOB bundle: %llu bytes uncompressed, with those before it; the limit is %llu",
                       (unsigned long long)(es->inflated_bytes + h.uncompressed_bytes),
                       (unsigned long long)CO_MAX_UNCOMPRESSED_BYTES);
    struct inflated *plain = calloc(1, sizeof *plain);
    if (!plain)
        return err_set(e, ERR_NOMEM, "no memory to decompress a bundle");
    plain->next = es->inflated;
    es->inflated = plain;
    es->inflated_bytes += h.uncompressed_bytes;
    size_t data = (h.total_bytes ? h.total_bytes : size) - h.header_bytes;
    if (inflate_frame(&plain->bytes, b + h.header_bytes, data, h.uncompressed_bytes, &consumed, e))
        return -1;
    *used = h.total_bytes ? h.total_bytes : h.header_bytes + consumed;
    return read_plain(es, plain->bytes, h.uncompressed_bytes, "bundle inside CCOB", &plain_used, e);
}

/* Reads one container after another, with zeros between them. Other bytes after a container end the reading without an
 * error, because plain bundles may be followed by padding of any content. */
static int read_all(struct entries *es, const uint8_t *b, size_t size, struct err *e)
{
    size_t at = 0, used;

    if (!co_is_bundle(b, size))
        return err_set(e, ERR_FORMAT, "offset 0: not an offload bundle, expected %s or CCOB", MAGIC);
    while (at < size && co_is_bundle(b + at, size - at)) {
        bool compressed = !memcmp(b + at, CCOB_MAGIC, 4);
        if (compressed ? read_compressed(es, b + at, size - at, &used, e)
                       : read_plain(es, b + at, size - at, "offload bundle", &used, e))
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
    if (ties > 1)
        return err_set(e, ERR_USAGE, "bundle: %zu code objects fit, choose one by target: %s", ties, list);
    return 0;
}

int co_bundle_extract(uint8_t **out, size_t *out_size, char id[128], const uint8_t *bytes, size_t size,
                      const char *want_target, struct err *e)
{
    struct entries es = {0};
    struct entry *chosen = NULL;
    int r = read_all(&es, bytes, size, e) || choose(&es, want_target, &chosen, e) ? -1 : 0;

    if (!r) {
        *out = malloc(chosen->size);
        if (*out)
            memcpy(*out, chosen->bytes, chosen->size);
        else
            r = err_set(e, ERR_NOMEM, "no memory for a code object of %zu bytes", chosen->size);
        *out_size = chosen->size;
        memcpy(id, chosen->id, sizeof chosen->id);
    }
    entries_free(&es);
    return r;
}
