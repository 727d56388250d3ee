/* Models how the tensor unit reads a descriptor, and in what order it goes through the tile (isa/tensor.h). */
#include "isa/tensor.h"

#include <string.h>

/* Bits of a group; a group that is not there is zero. */
static uint64_t bits(const uint32_t *group, unsigned at, unsigned count)
{
    uint64_t v = 0;

    for (unsigned k = 0; group && k < count; k++)
        v |= (uint64_t)(group[(at + k) / 32] >> (at + k) % 32 & 1) << k;
    return v;
}

/* Rows by their indices, in dimension 1 of two. */
static const char *read_rows(struct isa_tensor *t, const uint32_t *const group[4])
{
    bool wide = bits(group[0], 30, 1);
    unsigned width = wide ? 32 : 16, each = 128 / width;

    t->gathers = true;
    t->tile[2] = t->tile[3] = t->tile[4] = 0;
    if (t->tile[1] > 2 * each)
        return "more indices of rows than it has room for";
    for (unsigned k = 0; k < 2 * each; k++)
        t->row[k] = (uint32_t)bits(group[2 + k / each], k % each * width, width);
    return NULL;
}

static const char *read_repeats(struct isa_tensor *t, const uint32_t *const group[4])
{
    t->repeats = (uint32_t)bits(group[2], 112, 16) + 1;
    t->repeat_lds = bits(group[2], 32, 32) * t->element;
    t->repeat_memory = bits(group[2], 64, 48) * t->element;
    t->tile[3] = t->tile[4] = 0;
    return t->repeats > 256 ? "more than 256 repeats" : NULL;
}

/* Extents and strides of all dimensions, in elements. */
static void read_layout(struct isa_tensor *t, const uint32_t *const group[4])
{
    static const struct {
        uint8_t group, at;
    } valid[] = {{1, 48}, {1, 80}, {2, 0}, {2, 32}, {3, 48}},
      tile[] = {{1, 112}, {1, 128}, {1, 144}, {2, 112}, {3, 80}}, stride[] = {{1, 160}, {1, 208}, {2, 64}, {3, 0}};

    for (unsigned k = 0; k < ISA_TENSOR_DIMS; k++) {
        t->valid[k] = (uint32_t)bits(group[valid[k].group], valid[k].at, 32);
        t->tile[k] = (uint32_t)bits(group[tile[k].group], tile[k].at, 16);
        if (k)
            t->stride[k] = bits(group[stride[k - 1].group], stride[k - 1].at, 48) * t->element;
    }
}

static void begin_row(struct isa_tensor *t)
{
    uint32_t columns = t->tile[0] < t->valid[0] ? t->tile[0] : t->valid[0];

    t->row_done = 0;
    t->row_memory = t->repeat * t->repeat_memory;
    t->row_inside = (uint64_t)columns * t->element;
    for (unsigned k = 1; k < ISA_TENSOR_DIMS; k++) {
        uint32_t place = t->gathers && k == 1 ? t->row[t->at[1]] : t->at[k];
        if (!t->tile[k]) /* there is no such dimension */
            continue;
        t->row_memory += place * t->stride[k];
        if (place >= t->valid[k])
            t->row_inside = 0;
    }
}

const char *isa_tensor_open(struct isa_tensor *t, const uint32_t *const group[4], bool store, uint32_t lds_bytes)
{
    enum { VALID = 1, TENSOR = 2 };
    unsigned count = (unsigned)bits(group[0], 0, 2);
    const char *why = NULL;

    memset(t, 0, sizeof *t);
    t->over = true;
    if (!count || bits(group[0], 126, 2) != TENSOR)
        return NULL;
    if (count != VALID || bits(group[0], 2, 1))
        return "it resumes a transfer that was interrupted, which gcnsim does not support";
    t->lds = bits(group[0], 32, 32);
    t->lds_bytes = lds_bytes;
    t->memory = bits(group[0], 64, 57);
    t->element = (uint8_t)(1u << bits(group[1], 16, 2));
    t->arrives = bits(group[1], 18, 1);
    t->barrier = (uint32_t)bits(group[1], 32, 16) << 3;
    if (bits(group[1], 20, 1) && !store) {
        t->pad_interval = UINT32_C(8) << bits(group[1], 22, 3);
        t->pad = 4 * ((uint32_t)bits(group[1], 25, 7) + 1);
    }
    t->repeats = 1;
    read_layout(t, group);
    if (bits(group[0], 31, 1))
        why = read_rows(t, group);
    else if (bits(group[1], 19, 1))
        why = read_repeats(t, group);
    t->over = !t->tile[0] || (t->gathers && !t->tile[1]);
    begin_row(t);
    return why;
}

static void next_repeat(struct isa_tensor *t)
{
    memset(t->at, 0, sizeof t->at);
    t->done = 0;
    t->over = ++t->repeat == t->repeats;
    begin_row(t);
}

static void next_row(struct isa_tensor *t)
{
    unsigned k = 1;

    while (k < ISA_TENSOR_DIMS && ++t->at[k] >= t->tile[k])
        t->at[k++] = 0;
    if (k == ISA_TENSOR_DIMS)
        next_repeat(t);
    else
        begin_row(t);
}

/* Bytes of the next piece, which begins at `lds`: the largest power of two up to the next gap in LDS, the end of LDS,
 * and the tensor's edge or the end of the row. */
static uint32_t piece_bytes(const struct isa_tensor *t, uint64_t lds)
{
    uint64_t row = (uint64_t)t->tile[0] * t->element, room = lds < t->lds_bytes ? t->lds_bytes - lds : 0;
    uint64_t to_edge = (t->row_done < t->row_inside ? t->row_inside : row) - t->row_done;
    uint64_t to_gap = t->pad_interval ? t->pad_interval - t->done % t->pad_interval : ISA_TENSOR_PIECE;
    uint32_t bytes = ISA_TENSOR_PIECE;

    while (bytes > to_edge || bytes > to_gap || (bytes > room && bytes > t->element))
        bytes /= 2;
    return bytes;
}

void isa_tensor_extent(const struct isa_tensor *t, uint32_t *lo, uint32_t *hi)
{
    uint64_t bytes = t->over ? 0 : t->element, end;

    for (unsigned d = 0; d < ISA_TENSOR_DIMS; d++)
        bytes *= d && !t->tile[d] ? 1 : t->tile[d];
    end = t->lds + bytes + (t->repeats - 1) * t->repeat_lds;
    if (t->pad_interval)
        end += bytes / t->pad_interval * t->pad;
    end = end < t->lds_bytes ? end : t->lds_bytes;
    *hi = (uint32_t)end;
    *lo = bytes && t->lds < end ? (uint32_t)t->lds : *hi;
}

bool isa_tensor_next(struct isa_tensor *t, struct isa_tensor_part *part)
{
    unsigned n = 0;

    part->lds_lanes = part->memory_lanes = 0;
    for (; !t->over && n < ISA_TENSOR_LANES; n++) {
        uint64_t lds = t->lds + t->repeat * t->repeat_lds + t->done;

        if (t->pad_interval)
            lds += t->done / t->pad_interval * t->pad;
        uint32_t bytes = piece_bytes(t, lds);
        if (n && bytes != part->bytes)
            break;
        bool fits = lds + bytes <= t->lds_bytes;
        part->bytes = bytes;
        part->lds[n] = lds < UINT32_MAX ? (uint32_t)lds : UINT32_MAX;
        part->memory[n] = t->memory + t->row_memory + t->row_done;
        part->lds_lanes |= UINT32_C(1) << n;
        part->memory_lanes |= (uint32_t)(fits && t->row_done < t->row_inside) << n;
        t->done += bytes;
        t->row_done += bytes;
        if (!fits) /* nothing that follows does, until it begins again */
            next_repeat(t);
        else if (t->row_done == (uint64_t)t->tile[0] * t->element)
            next_row(t);
    }
    return part->lds_lanes != 0;
}
