/* The memory image of a code object: copies its segments and applies dynamic relocations for a load address.
 *
 * Source of the formulas: AMDGPUUsage, "Relocation Records" (S symbol, A addend, P place, B load base). The linker
 * resolves GOT-relative types; a linked file's dynamic relocations have none. */
#include "sim/loader/code_object_internal.h"

#include "sim/util/bits.h"

#include <assert.h>
#include <string.h>

enum {
    R_NONE = 0,
    R_ABS32_LO = 1,
    R_ABS32_HI = 2,
    R_ABS64 = 3,
    R_REL32 = 4,
    R_REL64 = 5,
    R_ABS32 = 6,
    R_REL32_LO = 10,
    R_REL32_HI = 11,
    R_RELATIVE64 = 13,
    R_REL16 = 14,
};

static const struct {
    const char *name;
    uint8_t width; /* bytes; 0: the linker resolves it, a loader never sees it */
} types[] = {
    [R_NONE] = {"R_AMDGPU_NONE", 0},
    [R_ABS32_LO] = {"R_AMDGPU_ABS32_LO", 4},
    [R_ABS32_HI] = {"R_AMDGPU_ABS32_HI", 4},
    [R_ABS64] = {"R_AMDGPU_ABS64", 8},
    [R_REL32] = {"R_AMDGPU_REL32", 4},
    [R_REL64] = {"R_AMDGPU_REL64", 8},
    [R_ABS32] = {"R_AMDGPU_ABS32", 4},
    [7] = {"R_AMDGPU_GOTPCREL", 0},
    [8] = {"R_AMDGPU_GOTPCREL32_LO", 0},
    [9] = {"R_AMDGPU_GOTPCREL32_HI", 0},
    [R_REL32_LO] = {"R_AMDGPU_REL32_LO", 4},
    [R_REL32_HI] = {"R_AMDGPU_REL32_HI", 4},
    [R_RELATIVE64] = {"R_AMDGPU_RELATIVE64", 8},
    [R_REL16] = {"R_AMDGPU_REL16", 2},
};

#define TYPES (sizeof types / sizeof types[0])

unsigned co_reloc_width(uint32_t type)
{
    return type < TYPES ? types[type].width : 0;
}

const char *co_reloc_name(uint32_t type)
{
    return type < TYPES && types[type].name ? types[type].name : "unknown type";
}

bool co_relr_next(const struct co_relr *relr, struct co_relr_place *at)
{
    while (!at->bits) {
        if (at->next_word == relr->count)
            return false;
        uint64_t w = load_u64(relr->words + 8 * at->next_word++);
        at->bits = w & 1 ? w >> 1 : 1;
        at->base = w & 1 ? at->after : w;
        at->after = w & 1 ? at->after + UINT64_C(63) * 8 : w + 8;
    }
    unsigned skip = (unsigned)__builtin_ctzll(at->bits);
    at->vaddr = at->base + UINT64_C(8) * skip;
    at->base = at->vaddr + 8;
    at->bits >>= skip;
    at->bits >>= 1;
    return true;
}

void code_object_image_info(const struct code_object *co, struct co_image_info *out)
{
    *out = co->image;
}

uint64_t code_object_address(const struct code_object *co, uint64_t load_base, uint64_t vaddr)
{
    return load_base + (vaddr - co->image.base_vaddr);
}

/* Where an image is loaded, and who knows the symbols that it does not define. */
struct place {
    uint64_t load_base;
    co_resolve_fn *resolve; /* null: nobody */
    void *ctx;
};

static uint64_t symbol_value(const struct code_object *co, const struct co_reloc *r, uint64_t load_base)
{
    switch ((enum co_reloc_symbol)r->symbol) {
    case RELOC_ADDRESS:
        return code_object_address(co, load_base, r->value);
    case RELOC_ABSOLUTE:
        return r->value;
    case RELOC_NO_SYMBOL:
    case RELOC_WEAK_UNDEFINED:
    case RELOC_UNDEFINED:
        break;
    }
    return 0;
}

static int out_of_range(const struct co_reloc *r, uint64_t v, struct err *e)
{
    return err_set(e, ERR_FORMAT, "%s at 0x%llx (symbol \"%.80s\"): value 0x%llx does not fit", co_reloc_name(r->type),
                   (unsigned long long)r->vaddr, r->name, (unsigned long long)v);
}

static int apply(const struct code_object *co, const struct co_reloc *r, uint8_t *image, const struct place *where,
                 struct err *e)
{
    uint64_t load_base = where->load_base, other = 0;
    uint8_t *at = image + (r->vaddr - co->image.base_vaddr);
    uint64_t place = code_object_address(co, load_base, r->vaddr);
    uint64_t addend = r->addend_in_place ? load_u64(at) : (uint64_t)r->addend;
    uint64_t v = symbol_value(co, r, load_base) + addend;
    unsigned width = co_reloc_width(r->type);
    bool undefined = r->symbol == RELOC_UNDEFINED || r->symbol == RELOC_WEAK_UNDEFINED;

    if (undefined && where->resolve && where->resolve(where->ctx, r->name, &other))
        v += other;
    else if (r->symbol == RELOC_UNDEFINED)
        return err_set(e, ERR_FORMAT, "%s at 0x%llx: symbol \"%.200s\" is not defined in this code object",
                       co_reloc_name(r->type), (unsigned long long)r->vaddr, r->name);
    switch (r->type) {
    case R_ABS64:
    case R_ABS32_LO:
        break;
    case R_ABS32_HI:
        v >>= 32;
        break;
    case R_ABS32:
        if (v > UINT32_MAX && bits_sext(v, 32) != (int64_t)v)
            return out_of_range(r, v, e);
        break;
    case R_REL64:
    case R_REL32_LO:
        v -= place;
        break;
    case R_REL32:
        v -= place;
        if (bits_sext(v, 32) != (int64_t)v)
            return out_of_range(r, v, e);
        break;
    case R_REL32_HI:
        v = (v - place) >> 32;
        break;
    case R_REL16: /* the word offset of a branch, counted from the next instruction */
        v = (uint64_t)((int64_t)(v - place - 4) / 4);
        if (bits_sext(v, 16) != (int64_t)v)
            return out_of_range(r, v, e);
        break;
    case R_RELATIVE64:
        v = code_object_address(co, load_base, addend);
        break;
    default:
        assert(!"co_elf_read lets only these types through");
    }
    memcpy(at, &v, width); /* gcnsim runs on little-endian hosts only */
    return 0;
}

int code_object_image(const struct code_object *co, void *buffer, size_t buffer_bytes, uint64_t load_base,
                      struct err *e)
{
    return code_object_image_resolved(co, buffer, buffer_bytes, load_base, NULL, NULL, e);
}

int code_object_image_resolved(const struct code_object *co, void *buffer, size_t buffer_bytes, uint64_t load_base,
                               co_resolve_fn *resolve, void *ctx, struct err *e)
{
    const struct place where = {load_base, resolve, ctx};
    uint8_t *image = buffer;

    if (buffer_bytes < co->image.size)
        return err_set(e, ERR_USAGE, "%s: image needs %llu bytes, the buffer has %zu", co->label,
                       (unsigned long long)co->image.size, buffer_bytes);
    if (load_base % co->image.align)
        return err_set(e, ERR_USAGE, "%s: load address 0x%llx, expected a multiple of 0x%llx", co->label,
                       (unsigned long long)load_base, (unsigned long long)co->image.align);
    for (unsigned i = 0; i < co->segment_count; i++) {
        const struct co_segment *s = &co->segments[i];
        memcpy(image + (s->vaddr - co->image.base_vaddr), co->elf + s->file_offset, s->file_bytes);
    }
    for (size_t i = 0; i < co->reloc_count; i++)
        if (apply(co, &co->relocs[i], image, &where, e))
            return err_prefix(e, "%s", co->label);
    for (size_t i = 0; i < co->relr_count; i++) {
        struct co_relr_place at = {0};
        while (co_relr_next(&co->relrs[i], &at)) {
            struct co_reloc r = {.vaddr = at.vaddr, .type = R_RELATIVE64, .addend_in_place = true, .name = ""};
            if (apply(co, &r, image, &where, e))
                return err_prefix(e, "%s", co->label);
        }
    }
    return 0;
}
