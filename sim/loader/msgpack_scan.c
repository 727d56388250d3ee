/* Validation of MessagePack bytes (the metadata note's encoding) before msgpack-c unpacks them.
 *
 * msgpack-c allocates as many elements as an array's or map's header states, up to 2^32, before it has read one. This
 * pass proves that the document is complete, that every stated element is backed by bytes, and that the nesting is
 * shallow. msgpack-c then allocates a small multiple of the document's size.
 */
#include "sim/loader/metadata_internal.h"

#include "sim/util/bits.h"

#define MAX_DEPTH 16 /* AMDGPU metadata nests 5 deep; msgpack-c itself stops at 32 */

/* Length fields are big-endian. */
static uint64_t big_endian(const uint8_t *p, unsigned n)
{
    uint64_t v = 0;

    for (unsigned i = 0; i < n; i++)
        v = v << 8 | p[i];
    return v;
}

/* The bytes after a type byte: a length field, then payload and nested elements. */
struct shape {
    unsigned length_bytes;
    uint64_t payload, children;
    unsigned per_unit; /* children for each unit of the length field; 0: the length field counts payload bytes */
    unsigned ext_type; /* 1 when an extension's type byte follows the length */
    bool valid;
};

static struct shape shape_of(uint8_t type)
{
    struct shape s = {.valid = true};

    if (type < 0x80 || type >= 0xe0)
        return s; /* small integers */
    if (type < 0x90)
        s.children = (type & 15u) * 2;
    else if (type < 0xa0)
        s.children = type & 15u;
    else if (type < 0xc0)
        s.payload = type & 31u;
    else if (type == 0xc1)
        s.valid = false;
    else if (type <= 0xc3)
        s.payload = 0; /* nil, false, true */
    else if (type <= 0xc6)
        s.length_bytes = 1u << (type - 0xc4); /* bin */
    else if (type <= 0xc9) {
        s.length_bytes = 1u << (type - 0xc7); /* ext */
        s.ext_type = 1;
    } else if (type <= 0xcb)
        s.payload = type == 0xca ? 4 : 8; /* floats */
    else if (type <= 0xcf)
        s.payload = 1u << (type - 0xcc);
    else if (type <= 0xd3)
        s.payload = 1u << (type - 0xd0);
    else if (type <= 0xd8)
        s.payload = 1 + (1u << (type - 0xd4)); /* fixext */
    else if (type <= 0xdb)
        s.length_bytes = 1u << (type - 0xd9); /* str */
    else {
        s.length_bytes = type & 1 ? 4 : 2; /* array16, array32, map16, map32 */
        s.per_unit = type >= 0xde ? 2 : 1;
    }
    return s;
}

int co_msgpack_scan(const uint8_t *bytes, size_t size, uint64_t *elements, struct err *e)
{
    uint64_t left[MAX_DEPTH]; /* elements not yet read at each level */
    unsigned depth = 0;
    size_t at = 0;

    left[0] = 1;
    *elements = 0;
    for (;;) {
        while (left[depth] == 0) {
            if (depth == 0)
                return at == size
                           ? 0
                           : err_set(e, ERR_FORMAT, "metadata note offset %zu: %zu bytes after the document's end", at,
                                     size - at);
            depth--;
        }
        left[depth]--;
        ++*elements;
        size_t start = at;
        if (at >= size)
            return err_set(e, ERR_FORMAT, "metadata note offset %zu: ends within the document", at);
        struct shape s = shape_of(bytes[at++]);
        if (!s.valid)
            return err_set(e, ERR_FORMAT, "metadata note offset %zu: byte 0xc1 is not MessagePack", start);
        if (s.length_bytes > size - at)
            return err_set(e, ERR_FORMAT, "metadata note offset %zu: ends within a length", start);
        uint64_t n = big_endian(bytes + at, s.length_bytes);
        at += s.length_bytes;
        uint64_t payload = s.payload + s.ext_type + (s.per_unit ? 0 : n), children = s.children + n * s.per_unit;
        if (payload > size - at || children > size - at)
            return err_set(e, ERR_FORMAT, "metadata note offset %zu: element of %llu %s, but %zu bytes remain", start,
                           (unsigned long long)(children ? children : payload), children ? "children" : "bytes",
                           size - at);
        at += payload;
        if (children) {
            if (++depth == MAX_DEPTH)
                return err_set(e, ERR_FORMAT, "metadata note offset %zu: nested deeper than %d", start, MAX_DEPTH);
            left[depth] = children;
        }
    }
}
