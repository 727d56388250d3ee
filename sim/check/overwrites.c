/* Stores into code objects that lie in memory: into code, kernel descriptors and other data that is only read, and into
 * what lies between their segments. Hardware performs them, because the pages of an image are one allocation that can
 * be written: what runs then depends on what its instruction caches hold (docs/CHECK.md). Segments that can be written,
 * which hold the variables, are the program's. */
#include "sim/check/overwrites.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/check/internal.h"

struct image {
    gaddr_t lo, hi;
    uint64_t base_vaddr; /* of lo */
    const struct code_object *co;
};

struct overwrites {
    struct check *check;
    struct engine_store_observer observer;
    struct image *image; /* by address, disjoint */
    size_t count;
};

static void stored(void *ctx, uint64_t group, uint32_t wave, gaddr_t pc, const struct isa_effects *fx);

static int by_address(const void *a, const void *b)
{
    const struct image *x = a, *y = b;

    return x->lo < y->lo ? -1 : x->lo > y->lo;
}

struct overwrites *overwrites_open(struct check *c, const struct check_object *objects, size_t count)
{
    struct overwrites *o = calloc(1, sizeof *o);

    if (!o || !(o->image = calloc(count + 1, sizeof *o->image))) {
        free(o);
        return NULL;
    }
    o->check = c;
    o->observer = (struct engine_store_observer){o, stored};
    for (size_t k = 0; k < count; k++) {
        struct co_image_info info;

        code_object_image_info(objects[k].co, &info);
        if (info.size)
            o->image[o->count++] =
                (struct image){objects[k].base, objects[k].base + info.size, info.base_vaddr, objects[k].co};
    }
    qsort(o->image, o->count, sizeof *o->image, by_address);
    size_t kept = 0;
    for (size_t k = 0; k < o->count; k++) /* each once */
        if (!kept || o->image[k].lo >= o->image[kept - 1].hi)
            o->image[kept++] = o->image[k];
    o->count = kept;
    return o;
}

const struct engine_store_observer *overwrites_observer(const struct overwrites *o)
{
    return &o->observer;
}

void overwrites_close(struct overwrites *o)
{
    if (o)
        free(o->image);
    free(o);
}

/* The first image that ends after an address; null: none does. */
static const struct image *image_behind(const struct overwrites *o, gaddr_t addr)
{
    size_t lo = 0, hi = o->count;

    while (lo < hi) {
        size_t mid = (lo + hi) / 2;

        if (o->image[mid].hi <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < o->count ? &o->image[lo] : NULL;
}

static uint64_t vaddr_of(const struct image *i, gaddr_t addr)
{
    return addr - i->lo + i->base_vaddr;
}

/* The segment that holds vaddr; null: none does. */
static const struct co_segment *segment_at(const struct code_object *co, uint64_t vaddr)
{
    for (unsigned k = 0; k < code_object_segment_count(co); k++) {
        const struct co_segment *s = code_object_segment(co, k);

        if (vaddr >= s->vaddr && vaddr - s->vaddr < s->memory_bytes)
            return s;
    }
    return NULL;
}

/* The first byte of [addr, addr + bytes) that is not the program's to write; false: all are. */
static bool first_kept(const struct image *i, gaddr_t addr, uint64_t bytes, gaddr_t *out)
{
    gaddr_t at = addr > i->lo ? addr : i->lo, end = addr + bytes < i->hi ? addr + bytes : i->hi;

    while (at < end) {
        uint64_t vaddr = vaddr_of(i, at);
        const struct co_segment *s = segment_at(i->co, vaddr);

        if (!s || !s->writable) {
            *out = at;
            return true;
        }
        at += s->memory_bytes - (vaddr - s->vaddr);
    }
    return false;
}

/* ---- what it is that is overwritten ---- */

static bool in_descriptor(const struct code_object *co, uint64_t vaddr, char *out, size_t size)
{
    const uint64_t bytes = code_object_version(co) == 2 ? 256 : 64;

    for (unsigned k = 0; k < code_object_kernel_count(co); k++) {
        const struct co_kernel *kernel = code_object_kernel(co, k);

        if (vaddr < kernel->descriptor_vaddr || vaddr - kernel->descriptor_vaddr >= bytes)
            continue;
        snprintf(out, size, "the kernel descriptor of %.100s", kernel->name);
        return true;
    }
    return false;
}

/* A function or an object that holds vaddr. */
static bool in_symbol(const struct code_object *co, uint64_t vaddr, char *out, size_t size)
{
    for (unsigned k = 0; k < code_object_symbol_count(co); k++) {
        const struct co_symbol *s = code_object_symbol(co, k);
        bool function = s->kind == CO_SYMBOL_FUNCTION;

        if (!function && s->kind != CO_SYMBOL_DATA)
            continue;
        uint64_t bytes = function && !s->size ? code_object_function_bytes(co, s->vaddr) : s->size;
        if (vaddr < s->vaddr || vaddr - s->vaddr >= bytes)
            continue;
        snprintf(out, size, "the %s of %.100s + 0x%" PRIx64, function ? "code" : "read-only data", s->name,
                 vaddr - s->vaddr);
        return true;
    }
    return false;
}

static void describe(const struct image *i, gaddr_t addr, char *out, size_t size)
{
    const struct code_object *co = i->co;
    uint64_t vaddr = vaddr_of(i, addr);
    const struct co_segment *s = segment_at(co, vaddr);

    if (!s)
        snprintf(out, size, "the gap between segments of the code object");
    else if (!in_descriptor(co, vaddr, out, size) && !in_symbol(co, vaddr, out, size))
        snprintf(out, size, "%s of the code object, in no symbol", s->executable ? "code" : "read-only data");
}

/* ---- stores ---- */

/* A store's first byte that it should not write, whose, and what lies there. */
struct place {
    gaddr_t addr;
    int lane;
    char what[160];
};

/* pieces, step: of a lane, as struct isa_effects has them. */
static bool find_in(const struct overwrites *o, const gaddr_t *addr, uint64_t lanes, uint32_t pieces, uint32_t step,
                    uint32_t bytes, struct place *out)
{
    gaddr_t clear = 0, until = 0; /* no image lies there: lanes mostly store beside one another */

    for (uint64_t m = lanes; m; m &= m - 1)
        for (uint32_t p = pieces; p; p &= p - 1) {
            gaddr_t at = addr[__builtin_ctzll(m)] + (uint32_t)__builtin_ctz(p) * step;

            if (at >= clear && at + bytes <= until)
                continue;
            const struct image *i = image_behind(o, at);
            if (!i || at + bytes <= i->lo) {
                clear = at;
                until = i ? i->lo : UINT64_MAX;
            } else if (first_kept(i, at, bytes, &out->addr)) {
                out->lane = __builtin_ctzll(m);
                describe(i, out->addr, out->what, sizeof out->what);
                return true;
            }
        }
    return false;
}

/* A tensor that the timing engine moves by itself. */
static bool find_in_tensor(const struct overwrites *o, struct isa_tensor rest, struct place *out)
{
    struct isa_tensor_part part;

    while (isa_tensor_next(&rest, &part))
        if (find_in(o, part.memory, part.memory_lanes, 1, 0, part.bytes, out))
            return true;
    return false;
}

static bool find_first(const struct overwrites *o, const struct isa_effects *fx, struct place *out)
{
    switch (fx->kind) {
    case FX_SCALAR:
        return find_in(o, fx->addr, 1, 1, 0, fx->bytes, out);
    case FX_VECTOR:
    case FX_FLAT_MIXED:
        return find_in(o, fx->addr, fx->mask, isa_effects_pieces(fx), fx->dword_step, isa_effects_piece_bytes(fx), out);
    case FX_TENSOR:
        return find_in_tensor(o, fx->tensor, out);
    default:
        return false;
    }
}

static void look(struct overwrites *o, uint64_t group, uint32_t wave, gaddr_t pc, const struct isa_effects *fx,
                 bool of_lanes)
{
    struct place at;

    if ((fx->op == MEM_STORE || fx->op == MEM_ATOMIC) && find_first(o, fx, &at))
        check_report_at(o->check, pc, group, wave, CHECK_BOUNDS_CODE, of_lanes ? at.lane : -1,
                        "check the address, or the index", "writes at 0x%" PRIx64 ", %s", at.addr, at.what);
}

void check_overwrites_after(struct check_step *s)
{
    look(s->g->run->overwrites, s->g->id, s->g->current, s->i->pc, &s->g->fx,
         s->g->fx.kind != FX_SCALAR && !s->i->inst->row->mem.tensor);
}

/* For the timing engine. */
static void stored(void *ctx, uint64_t group, uint32_t wave, gaddr_t pc, const struct isa_effects *fx)
{
    look(ctx, group, wave, pc, fx, fx->kind != FX_SCALAR && fx->kind != FX_TENSOR);
}
