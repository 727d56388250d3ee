/* The two kernels around a sequence as a code object, made without assembler and linker: what those would make of the
 * text of compare_wrap.c, in the same places, so that cycles are the same.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/loader/kernel_descriptor.h"
#include "sim/loader/unlinked.h"
#include "sim/study/compare_wrap.h"
#include "sim/util/text_stream.h"

/* ---- bytes ---- */

void compare_put(struct compare_bytes *b, const void *bytes, size_t n)
{
    if (b->used + n > b->room && !b->failed) {
        size_t room = 2 * (b->used + n) + 4096;
        uint8_t *at = realloc(b->at, room);

        b->failed = !at;
        if (at) {
            b->at = at;
            b->room = room;
        }
    }
    if (b->failed)
        return;
    memcpy(b->at + b->used, bytes, n);
    b->used += n;
}

static void put_u64(struct compare_bytes *b, uint64_t v)
{
    compare_put(b, &v, sizeof v);
}

static void put_u16(struct compare_bytes *b, unsigned v)
{
    uint16_t half = (uint16_t)v;

    compare_put(b, &half, sizeof half);
}

/* Up to an offset from the beginning. */
static void pad(struct compare_bytes *b, size_t to)
{
    static const uint8_t zeros[64];

    while (b->used < to && !b->failed)
        compare_put(b, zeros, to - b->used < sizeof zeros ? to - b->used : sizeof zeros);
}

/* ---- instructions ---- */

#define S_NOP UINT32_C(0xbf800000)

static void pad_code(struct compare_bytes *b)
{
    while (b->used & ((1u << ALIGN_BITS) - 1) && !b->failed)
        compare_put_u32(b, S_NOP);
}

/* As write_kernel() does; *begin, *end: of the first copy. */
static int put_kernel(struct compare_bytes *b, const struct wrap *w, unsigned copies, uint64_t *begin, uint64_t *end,
                      struct err *e)
{
    bool good = compare_encode_load(b, w->t, 1, w->counter, 8) && compare_encode_load(b, w->t, 2, 0, 0);

    if (isa_has(w->t, FEAT_ARCH_SGPRS))
        good = good && compare_encode_group_id(b, w->t);
    good = good && compare_encode_shift_v0(b, w->t);
    for (uint32_t r = 1; r < w->all.vgpr_end && good; r++)
        good = compare_encode_v_mov(b, w->t, r, GIVEN_VGPR_VALUE);
    good = good && compare_encode_waits(b, w->t, 1u << (isa_has(w->t, FEAT_SPLIT_COUNTERS) ? WAIT_KM : WAIT_LGKM));
    pad_code(b);
    for (size_t n = (size_t) - (int64_t)w->loop & ((1u << ALIGN_BITS) - 1); n; n -= 4)
        compare_put_u32(b, S_NOP);
    compare_put(b, w->code, w->loop);
    size_t loop = b->used;
    *begin = loop;
    for (unsigned k = 0; k < copies; k++)
        compare_put(b, w->code + w->loop, w->size - w->loop);
    *end = loop + (w->size - w->loop);
    good = good && compare_encode_waits(b, w->t, w->counters) && compare_encode_count_down(b, w->t, w->counter) &&
           compare_encode_branch(b, w->t, ((int32_t)loop - (int32_t)b->used - 4) / 4) && compare_encode_end(b, w->t);
    if (b->failed)
        return err_set(e, ERR_NOMEM, "out of host memory for its loops");
    return good ? 0 : err_set(e, ERR_UNSUPPORTED, "no loop around it for %s", w->t->name);
}

/* ---- descriptors ---- */

/* What LLVM sets where nothing is said (AMDGPUUsage, "Kernel Descriptor"): denormals of 16 and 64 bits, DX10_CLAMP and
 * IEEE_MODE where there are such bits, MEM_ORDERED. */
static uint32_t rsrc1(const struct wrap *w, const struct co_target_id *id, uint32_t vgprs, uint32_t sgprs)
{
    bool wide = id->family == CO_GFX90A || (isa_has(w->t, FEAT_WAVE32) && w->lanes == 32);
    uint32_t granule = wide ? 8 : 4, v = ((vgprs ? vgprs : 1) + granule - 1) / granule - 1;

    if (id->family < CO_GFX10) {
        const uint32_t reserved = 6; /* VCC, FLAT_SCRATCH, XNACK_MASK */
        v |= ((sgprs + reserved + 7) / 8 - 1) << 6;
    }
    v |= UINT32_C(3) << 18;
    if (isa_has(w->t, FEAT_IEEE_MODE))
        v |= UINT32_C(1) << 21 | UINT32_C(1) << 23;
    if (id->family >= CO_GFX10)
        v |= UINT32_C(1) << 30;
    return v;
}

static void put_descriptor(struct compare_bytes *b, const struct wrap *w, const struct co_target_id *id, uint64_t at,
                           uint64_t entry)
{
    uint32_t vgprs = w->all.vgpr_end ? w->all.vgpr_end : 1, sgprs = compare_sgprs(w), rsrc3 = 0;
    uint32_t properties = 1u << 3; /* the kernarg segment's address */

    if (isa_has(w->t, FEAT_AGPR_UNIFIED)) {
        vgprs = (uint32_t)align_up(vgprs, 4);
        rsrc3 = vgprs / 4 - 1;
        vgprs += w->all.agpr_end;
    } else if (w->all.agpr_end > vgprs) {
        vgprs = w->all.agpr_end;
    }
    if (isa_has(w->t, FEAT_WAVE32) && w->lanes == 32)
        properties |= 1u << 10;
    compare_put_u32(b, w->all.lds ? LDS_BYTES : 0);
    compare_put_u32(b, 0);
    compare_put_u32(b, sizeof(struct compare_kernarg));
    compare_put_u32(b, 0);
    put_u64(b, entry - at);
    pad(b, b->used + 20);
    compare_put_u32(b, rsrc3);
    compare_put_u32(b, rsrc1(w, id, vgprs, sgprs));
    compare_put_u32(b, 2u << 1 | 1u << 7); /* two user SGPRs; the workgroup's number */
    put_u16(b, properties);
    pad(b, b->used + 6);
}

/* ---- the file ---- */

enum {
    RODATA_AT = 0x300,
    TEXT_AT = 0x400,
    TEXT_VADDR = 0x1400, /* where lld puts it, after the page of what is not executable */
    PAGE_BYTES = 0x1000,
    SECTION_RODATA = 1,
    SECTION_TEXT,
    SECTION_SYMBOLS,
    SECTION_STRINGS,
    SECTIONS,
    SECTION_ABSOLUTE = 0xfff1,
    TYPE_LABEL = 0,
    TYPE_DATA = 1 | 1 << 4, /* global */
    TYPE_FUNCTION = 2 | 1 << 4
};

struct names {
    char text[256];
    size_t used;
};

static void put_symbol(struct compare_bytes *b, struct names *n, const char *name, unsigned type, unsigned section,
                       uint64_t value, uint64_t size)
{
    size_t length = strlen(name) + 1;

    compare_put_u32(b, (uint32_t)n->used);
    put_u16(b, type);
    put_u16(b, section);
    put_u64(b, value);
    put_u64(b, size);
    memcpy(n->text + n->used, name, length);
    n->used += length;
}

static void put_section(struct compare_bytes *b, uint32_t type, uint64_t flags, uint64_t vaddr, uint64_t offset,
                        uint64_t size, uint32_t link, uint32_t info, uint64_t align, uint64_t entry)
{
    compare_put_u32(b, 0);
    compare_put_u32(b, type);
    put_u64(b, flags);
    put_u64(b, vaddr);
    put_u64(b, offset);
    put_u64(b, size);
    compare_put_u32(b, link);
    compare_put_u32(b, info);
    put_u64(b, align);
    put_u64(b, entry);
}

static void put_segment(struct compare_bytes *b, uint32_t flags, uint64_t offset, uint64_t vaddr, uint64_t size,
                        uint64_t memory)
{
    compare_put_u32(b, 1);
    compare_put_u32(b, flags);
    put_u64(b, offset);
    put_u64(b, vaddr);
    put_u64(b, vaddr);
    put_u64(b, size);
    put_u64(b, memory);
    put_u64(b, PAGE_BYTES);
}

static void put_header(struct compare_bytes *b, const struct unlinked *o, uint64_t sections_at)
{
    static const uint8_t ident[8] = {0x7f, 'E', 'L', 'F', 2, 1, 1, 64};

    compare_put(b, ident, sizeof ident);
    put_u64(b, o->abi_version);
    put_u16(b, 3);
    put_u16(b, 224);
    compare_put_u32(b, 1);
    put_u64(b, 0);
    put_u64(b, 64);
    put_u64(b, sections_at);
    compare_put_u32(b, o->flags);
    put_u16(b, 64);
    put_u16(b, 56);
    put_u16(b, 3);
    put_u16(b, 64);
    put_u16(b, SECTIONS);
    put_u16(b, SECTION_STRINGS);
}

/* The kernels' code, and where what is in it begins and ends. */
struct loops {
    struct compare_bytes code;
    uint64_t kernel[3], begin, end; /* kernel[2]: the end of the last */
};

static int make_loops(struct loops *l, const struct wrap *w, struct err *e)
{
    uint64_t none[2];

    if (put_kernel(&l->code, w, w->copies, &l->begin, &l->end, e))
        return -1;
    uint64_t end = l->code.used;
    pad_code(&l->code);
    l->kernel[1] = l->code.used;
    if (put_kernel(&l->code, w, 2 * w->copies, &none[0], &none[1], e))
        return -1;
    l->kernel[0] = end;
    l->kernel[2] = l->code.used;
    return 0;
}

static void put_symbols(struct compare_bytes *b, struct names *n, const struct wrap *w, const struct loops *l)
{
    pad(b, b->used + 24);
    put_symbol(b, n, COMPARE_COPIES, TYPE_LABEL, SECTION_ABSOLUTE, w->copies, 0);
    if (w->region)
        put_symbol(b, n, COMPARE_REGION, TYPE_LABEL, SECTION_ABSOLUTE, 1, 0);
    put_symbol(b, n, COMPARE_BEGIN, TYPE_LABEL, SECTION_TEXT, TEXT_VADDR + l->begin, 0);
    put_symbol(b, n, COMPARE_END, TYPE_LABEL, SECTION_TEXT, TEXT_VADDR + l->end, 0);
    put_symbol(b, n, COMPARE_KERNEL_1, TYPE_FUNCTION, SECTION_TEXT, TEXT_VADDR, l->kernel[0]);
    put_symbol(b, n, COMPARE_KERNEL_2, TYPE_FUNCTION, SECTION_TEXT, TEXT_VADDR + l->kernel[1],
               l->kernel[2] - l->kernel[1]);
    put_symbol(b, n, COMPARE_KERNEL_1 ".kd", TYPE_DATA, SECTION_RODATA, RODATA_AT, KERNEL_DESCRIPTOR_BYTES);
    put_symbol(b, n, COMPARE_KERNEL_2 ".kd", TYPE_DATA, SECTION_RODATA, RODATA_AT + KERNEL_DESCRIPTOR_BYTES,
               KERNEL_DESCRIPTOR_BYTES);
}

static void put_object(struct compare_bytes *b, const struct unlinked *o, const struct wrap *w, const struct loops *l)
{
    const uint64_t size = l->code.used, text_end = TEXT_VADDR + size, locals = w->region ? 5 : 4;
    const uint64_t data = align_up(text_end, 8) + PAGE_BYTES; /* lld's .dynamic, which counts in the image's size */
    const uint64_t symbols_at = align_up(TEXT_AT + size, 8), symbols = (locals + 4) * 24;
    struct names n = {.used = 1};
    struct compare_bytes strings_first = {0};

    put_symbols(&strings_first, &n, w, l); /* for the length of the names */
    free(strings_first.at);
    uint64_t strings_at = symbols_at + symbols, sections_at = align_up(strings_at + n.used, 8);
    put_header(b, o, sections_at);
    put_segment(b, 4, 0, 0, RODATA_AT + 128, RODATA_AT + 128);
    put_segment(b, 5, TEXT_AT, TEXT_VADDR, size, size);
    put_segment(b, 6, TEXT_AT + size, data, 0, align_up(data + 1, PAGE_BYTES) - data);
    pad(b, RODATA_AT);
    put_descriptor(b, w, &o->target, RODATA_AT, TEXT_VADDR);
    put_descriptor(b, w, &o->target, RODATA_AT + KERNEL_DESCRIPTOR_BYTES, TEXT_VADDR + l->kernel[1]);
    pad(b, TEXT_AT);
    compare_put(b, l->code.at, size);
    pad(b, symbols_at);
    n = (struct names){.used = 1};
    put_symbols(b, &n, w, l);
    compare_put(b, n.text, n.used);
    pad(b, sections_at);
    put_section(b, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    put_section(b, 1, 2, RODATA_AT, RODATA_AT, 128, 0, 0, 64, 0);
    put_section(b, 1, 6, TEXT_VADDR, TEXT_AT, size, 0, 0, 256, 0);
    put_section(b, 2, 0, 0, symbols_at, symbols, SECTION_STRINGS, (uint32_t)locals, 8, 24);
    put_section(b, 3, 0, 0, strings_at, n.used, 0, 0, 1, 0);
}

/* ---- the call ---- */

static const struct gcnsim_loop_source initial = {0};

static const struct api_struct kind = {.what = "loop source",
                                       .init = "gcnsim_loop_source_init",
                                       .initial = &initial,
                                       .bytes = sizeof initial,
                                       .least = API_BYTES_THROUGH(struct gcnsim_loop_source, wave_size)};

void gcnsim_loop_source_init_sized(struct gcnsim_loop_source *s, size_t struct_bytes)
{
    api_struct_init(&kind, s, struct_bytes);
}

/* The code between two symbols. *copy: to be freed. */
static int cut(struct wrap *w, const struct unlinked *o, const struct gcnsim_loop_source *s, uint8_t **copy,
               struct err *e)
{
    struct unlinked_symbol from, to;
    size_t available = 0;

    if (!unlinked_find(o, s->begin, &from) || (s->end && !unlinked_find(o, s->end, &to)))
        return err_set(e, ERR_USAGE, "no symbols '%.60s' and '%.60s'", s->begin, s->end ? s->end : "");
    const uint8_t *code = unlinked_code(o, from.section, &available);
    if (!s->end)
        to = (struct unlinked_symbol){.section = from.section, .value = available};
    if (!code || from.section != to.section || from.value >= to.value || to.value > available)
        return err_set(e, ERR_USAGE, "no instructions in it");
    w->size = to.value - from.value;
    if (w->size > COMPARE_MAX_BYTES)
        return err_set(e, ERR_USAGE, "%zu bytes of instructions; expected at most %d", w->size, COMPARE_MAX_BYTES);
    w->code = *copy = malloc(w->size);
    if (!*copy)
        return err_set(e, ERR_NOMEM, "out of host memory for its instructions");
    memcpy(*copy, code + from.value, w->size);
    w->region = true;
    return compare_straighten(w->t, *copy, &w->size, w->lanes, e);
}

/* All instructions of an object, as compare_wrap.c's find_code() does. */
static int find_code(struct wrap *w, const struct unlinked *o, struct err *e)
{
    unsigned found = 0, section = 0;
    struct unlinked_symbol s;
    size_t size;

    for (unsigned k = 1; k < o->sections; k++)
        if (unlinked_code(o, k, &size)) {
            found++;
            section = k;
        }
    if (!found)
        return err_set(e, ERR_USAGE, "no instructions");
    if (found != 1)
        return err_set(e, ERR_USAGE, "%u sections with instructions; expected one", found);
    w->code = unlinked_code(o, section, &w->size);
    for (uint64_t k = 1; k < o->symbol_count; k++) {
        if (!unlinked_symbol(o, k, &s) || !s.section || s.section >= o->sections || s.type > 2)
            continue;
        if (s.section != section)
            return compare_is_data(s.name, e);
        if (strcmp(s.name, COMPARE_LOOP_LABEL) == 0)
            w->loop = s.value;
    }
    return compare_check_size(w, e);
}

/* text: in place of the code object. */
static int make(const struct gcnsim_loop_source *s, struct compare_bytes *out, FILE *text, struct err *e)
{
    struct isa_target *t = NULL;
    struct loops loops = {0};
    struct wrap w = {0};
    struct unlinked o;
    uint8_t *copy = NULL;
    int failed;

    if (!s->object || (s->end && !s->begin))
        return err_set(e, ERR_USAGE, "loop source: %s is null", s->object ? "begin" : "object");
    if (unlinked_open(&o, s->object, s->size, e))
        return -1;
    if (!s->begin && unlinked_kernel(&o))
        return err_set(e, ERR_USAGE, "a kernel already: '%.*s'", (int)strlen(unlinked_kernel(&o)) - 3,
                       unlinked_kernel(&o));
    if (isa_target_open(&t, api_processor(&o.target, NULL), NULL, e))
        return -1;
    w.t = t;
    failed = compare_wave_size(&w, s->wave_size, e) || (s->begin ? cut(&w, &o, s, &copy, e) : find_code(&w, &o, e)) ||
             compare_measure_code(&w, e) || (!text && make_loops(&loops, &w, e));
    if (!failed && text) {
        w.f = text;
        compare_write_text(&w, s->name ? s->name : "memory");
    } else if (!failed) {
        put_object(out, &o, &w, &loops);
        if (out->failed)
            failed = err_set(e, ERR_NOMEM, "out of host memory for its code object");
    }
    free(loops.code.at);
    free(copy);
    isa_target_close(t);
    return failed ? -1 : 0;
}

int gcnsim_compare_loop(const struct gcnsim_loop_source *source, void **bytes, size_t *size, struct gcnsim_error *error)
{
    struct gcnsim_loop_source own;
    struct compare_bytes out = {0};
    struct err e = {0};

    *bytes = NULL;
    *size = 0;
    if (api_struct_take(&kind, &own, source, &e))
        return api_fail(error, &e);
    if (make(&own, &out, NULL, &e)) {
        free(out.at);
        err_prefix(&e, "%s", own.name ? own.name : "memory");
        return api_fail(error, &e);
    }
    *bytes = out.at;
    *size = out.used;
    return GCNSIM_OK;
}

int gcnsim_compare_loop_text(const struct gcnsim_loop_source *source, char **text, struct gcnsim_error *error)
{
    struct gcnsim_loop_source own;
    struct text_stream stream;
    struct err e = {0};

    *text = NULL;
    if (api_struct_take(&kind, &own, source, &e))
        return api_fail(error, &e);
    if (!text_stream_open(&stream)) {
        err_set(&e, ERR_NOMEM, "out of host memory for its text");
        return api_fail(error, &e);
    }
    if (make(&own, NULL, stream.f, &e))
        err_prefix(&e, "%s", own.name ? own.name : "memory");
    *text = text_stream_close(&stream);
    if (!*text && !e.code)
        err_set(&e, ERR_NOMEM, "out of host memory for its text");
    if (!e.code)
        return GCNSIM_OK;
    free(*text);
    *text = NULL;
    return api_fail(error, &e);
}

int gcnsim_object_kernel(const void *object, size_t size, char *name, size_t name_size)
{
    struct unlinked o;
    struct err e = {0};
    const char *kernel = unlinked_open(&o, object, size, &e) == 0 ? unlinked_kernel(&o) : NULL;

    if (name)
        snprintf(name, name_size, "%.*s", kernel ? (int)strlen(kernel) - 3 : 0, kernel ? kernel : "");
    return kernel != NULL;
}
