/* Changes of MessagePack documents: values, types, keys, counts, whole members. */
#include <string.h>

#include "tests/fuzz/path_mutate.h"

enum { MAX_TOKENS = 512, MAX_DEPTH = 32 };

/* One object of the document, in the order of the bytes; containers come before what they contain. */
struct token {
    size_t at, head, end; /* its first byte, the end of its own bytes (a container's members follow), its whole end */
    uint8_t map;          /* a map: members come in pairs */
    uint8_t in_map, key;
    uint32_t count;
};

struct tokens {
    struct token t[MAX_TOKENS];
    unsigned n;
};

static uint64_t big_endian(const uint8_t *b, unsigned n)
{
    uint64_t v = 0;

    while (n--)
        v = v << 8 | *b++;
    return v;
}

/* How many bytes the head of an object takes (a str's text is its head too) and how many objects follow as members.
 * False: the document ends before. */
static int head_of(const uint8_t *b, size_t room, size_t *head, uint64_t *members, uint8_t *map)
{
    static const uint8_t lengths[32] = {0, 0, 0, 0, 1, 2, 4,                             /* bin */
                                        1, 2, 4,                                         /* ext */
                                        4, 8,                                            /* floats */
                                        1, 2, 4, 8, 1, 2, 4, 8, 2, 3, 5, 9, 17, 1, 2, 4, /* str */
                                        2, 4,                                            /* array */
                                        2, 4 /* map */};
    uint8_t c = b[0];
    uint64_t size = 1;

    *members = 0;
    *map = 0;
    if (c >= 0x80 && c <= 0x9f) {
        *map = c < 0x90;
        *members = (c & 15u) << *map;
    } else if (c >= 0xa0 && c <= 0xbf) {
        size += c & 31;
    } else if (c >= 0xc0 && c < 0xe0) {
        unsigned n = lengths[c - 0xc0];
        if (n + 1 > room)
            return 0;
        uint64_t length = n <= 8 ? big_endian(b + 1, n) : 0;
        size += n;
        if (c >= 0xdc) {
            *map = c >= 0xde;
            *members = length << *map;
        } else if (c >= 0xc4 && c <= 0xc9) {
            size += length + (c >= 0xc7);
        } else if (c >= 0xd9) {
            size += length;
        }
    }
    *head = (size_t)size;
    return size <= room;
}

static size_t read_token(struct tokens *s, const uint8_t *b, size_t at, size_t size, unsigned depth)
{
    uint64_t members;
    size_t head;
    uint8_t map;

    if (s->n == MAX_TOKENS || depth == MAX_DEPTH || at >= size || !head_of(b + at, size - at, &head, &members, &map))
        return 0;
    unsigned me = s->n++;
    s->t[me] = (struct token){.at = at, .head = at + head, .map = map, .count = (uint32_t)members};
    at += head;
    for (uint64_t i = 0; i < members; i++) {
        unsigned child = s->n;
        size_t end = read_token(s, b, at, size, depth + 1);
        if (!end)
            return 0;
        s->t[child].in_map = map;
        s->t[child].key = map && i % 2 == 0;
        at = end;
    }
    s->t[me].end = at;
    return at;
}

static const char *const words[] = {
    ".args",
    ".offset",
    ".size",
    ".name",
    ".value_kind",
    ".address_space",
    ".access",
    ".actual_access",
    ".type_name",
    ".pointee_align",
    ".is_const",
    ".symbol",
    ".kernarg_segment_size",
    ".kernarg_segment_align",
    ".group_segment_fixed_size",
    ".private_segment_fixed_size",
    ".wavefront_size",
    ".sgpr_count",
    ".vgpr_count",
    ".agpr_count",
    ".max_flat_workgroup_size",
    ".reqd_workgroup_size",
    ".workgroup_size_hint",
    ".vec_type_hint",
    ".sgpr_spill_count",
    ".vgpr_spill_count",
    ".kind",
    ".language",
    ".language_version",
    ".device_enqueue_symbol",
    ".uses_dynamic_stack",
    ".uniform_work_group_size",
    ".workgroup_processor_mode",
    ".max_num_workgroups_x",
    ".max_num_workgroups_y",
    ".max_num_workgroups_z",
    "amdhsa.kernels",
    "amdhsa.version",
    "amdhsa.target",
    "amdhsa.printf",
    "by_value",
    "global_buffer",
    "dynamic_shared_pointer",
    "image",
    "sampler",
    "pipe",
    "queue",
    "hidden_none",
    "hidden_global_offset_x",
    "hidden_global_offset_y",
    "hidden_global_offset_z",
    "hidden_block_count_x",
    "hidden_block_count_y",
    "hidden_block_count_z",
    "hidden_group_size_x",
    "hidden_group_size_y",
    "hidden_group_size_z",
    "hidden_remainder_x",
    "hidden_remainder_y",
    "hidden_remainder_z",
    "hidden_grid_dims",
    "hidden_printf_buffer",
    "hidden_hostcall_buffer",
    "hidden_multigrid_sync_arg",
    "hidden_heap_v1",
    "hidden_default_queue",
    "hidden_completion_action",
    "hidden_private_base",
    "hidden_shared_base",
    "hidden_queue_ptr",
    "hidden_dynamic_lds_size",
    "private",
    "global",
    "constant",
    "local",
    "generic",
    "region",
    "read_only",
    "write_only",
    "read_write",
    "normal",
    "init",
    "fini",
    "k",
    "k.kd",
    "",
    "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-",
    "amdgcn-amd-amdhsa--gfx1201",
    "1:1:4:%d\\n",
    "\xff\xfe",
    "a\x01\"b",
};

static size_t a_string(struct mutation *m, uint8_t *out)
{
    const char *s = words[mutation_below(m, sizeof words / sizeof words[0])];
    size_t n = strlen(s);

    if (n < 32) {
        out[0] = (uint8_t)(0xa0 | n);
        memcpy(out + 1, s, n);
        return n + 1;
    }
    out[0] = 0xd9;
    out[1] = (uint8_t)n;
    memcpy(out + 2, s, n);
    return n + 2;
}

static size_t an_integer(struct mutation *m, uint8_t *out)
{
    static const uint8_t bytes[] = {1, 2, 4, 8};
    unsigned width = mutation_below(m, 5);
    uint64_t v = mutation_number(m);

    if (width == 4) {
        out[0] = mutation_below(m, 8) ? (uint8_t)(v & 127) : (uint8_t)(0xe0 | (v & 31));
        return 1;
    }
    out[0] = (uint8_t)((mutation_below(m, 8) ? 0xcc : 0xd0) + width);
    for (unsigned i = 0; i < bytes[width]; i++)
        out[1 + i] = (uint8_t)(v >> 8 * (bytes[width] - 1u - i));
    return 1u + bytes[width];
}

/* A value of any type, at most 64 bytes. */
static size_t a_value(struct mutation *m, uint8_t *out)
{
    static const uint8_t odd[][10] = {
        {1, 0xc0},                         /* nil */
        {1, 0xc2},                         /* false */
        {1, 0xc3},                         /* true */
        {1, 0xc1},                         /* never used */
        {1, 0x80},                         /* {} */
        {1, 0x90},                         /* [] */
        {4, 0x93, 8, 8, 1},                /* a workgroup size */
        {9, 0xcb, 0x40, 0x59, 0, 0, 0, 0}, /* 100.0 */
        {3, 0xc4, 1, 7},                   /* bin */
        {3, 0xd4, 1, 7},                   /* ext */
        {5, 0xdd, 0xff, 0xff, 0xff, 0xff}, /* an array that is not there */
        {5, 0xdf, 0, 0x10, 0, 0},          /* a map that is not there */
    };

    switch (mutation_below(m, 8)) {
    case 0: {
        const uint8_t *o = odd[mutation_below(m, sizeof odd / sizeof odd[0])];
        memcpy(out, o + 1, o[0]);
        return o[0];
    }
    case 1:
    case 2:
    case 3:
        return a_string(m, out);
    default:
        return an_integer(m, out);
    }
}

/* Counts one member more or less in a container whose count stands in its first byte. */
static void count_again(uint8_t *head, int by)
{
    if (*head >= 0x80 && *head <= 0x9f)
        *head = (uint8_t)((*head & 0xf0) | ((*head + by) & 15));
}

/* The container that holds the token; the number of tokens when none does. */
static unsigned parent_of(const struct tokens *s, unsigned child)
{
    for (unsigned i = child; i-- > 0;)
        if (s->t[i].count && s->t[i].end > s->t[child].at)
            return i;
    return s->n;
}

static size_t splice(uint8_t *out, size_t max, const uint8_t *in, size_t size, size_t at, size_t end, const uint8_t *by,
                     size_t n)
{
    if (at + n + (size - end) > max) {
        memcpy(out, in, size);
        return size;
    }
    memcpy(out, in, at);
    memcpy(out + at, by, n);
    memcpy(out + at + n, in + end, size - end);
    return at + n + (size - end);
}

size_t mutate_metadata(struct mutation *m, const uint8_t *in, size_t size, uint8_t *out, size_t max)
{
    static struct tokens s;
    uint8_t value[1024];

    s.n = 0;
    if (size > max || !size || !read_token(&s, in, 0, size, 0)) {
        size = size < max ? size : max;
        memcpy(out, in, size);
        if (size)
            out[mutation_below(m, (uint32_t)size)] = (uint8_t)mutation_random(m);
        return size;
    }
    unsigned which = mutation_below(m, s.n), parent = parent_of(&s, which);
    const struct token *t = &s.t[which];
    switch (mutation_below(m, 8)) {
    case 0: { /* without a member (in maps: with its key or value) */
        size_t from = t->at, to = t->end;
        if (t->in_map && t->key && which + 1 < s.n)
            to = s.t[which + 1].end;
        else if (t->in_map)
            from = s.t[which - 1].at;
        size = splice(out, max, in, size, from, to, value, 0);
        if (parent < s.n && mutation_below(m, 8))
            count_again(out + s.t[parent].at, -1);
        return size;
    }
    case 1: { /* with a member twice */
        size_t n = t->end - t->at;
        if (t->in_map && t->key && which + 1 < s.n)
            n = s.t[which + 1].end - t->at;
        if (n > sizeof value || (t->in_map && !t->key))
            break;
        memcpy(value, in + t->at, n);
        size_t grown = splice(out, max, in, size, t->at, t->at, value, n);
        if (grown != size && parent < s.n && mutation_below(m, 8))
            count_again(out + s.t[parent].at, 1);
        return grown;
    }
    case 2: /* another key or text */
        return splice(out, max, in, size, t->at, t->end, value, a_string(m, value));
    case 3: { /* bytes of its head */
        memcpy(out, in, size);
        out[t->at + mutation_below(m, (uint32_t)(t->head - t->at))] ^= (uint8_t)(1u << mutation_below(m, 8));
        return size;
    }
    default:
        break;
    }
    /* values are changed more often than keys */
    while (t->key && which + 1 < s.n)
        t = &s.t[++which];
    return splice(out, max, in, size, t->at, t->end, value, a_value(m, value));
}
