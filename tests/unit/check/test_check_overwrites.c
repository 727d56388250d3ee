/* Stores into what is loaded: code, kernel descriptors, read-only data and gaps are reported, variables are not. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/api.h"

static const char *const targets[] = {"gfx803", "gfx90a", "gfx1201"};
enum { TARGETS = sizeof targets / sizeof *targets };

static struct gcnsim_error error;

static struct gcnsim_module *load(struct gcnsim *sim, const char *target, const char *name)
{
    struct gcnsim_module *m;
    char path[100];

    snprintf(path, sizeof path, "traces/samples/%s/%s.co", target, name);
    if (gcnsim_load_file(sim, &m, path, NULL, &error))
        fail_msg("%s", error.text);
    return m;
}

static uint64_t symbol(struct gcnsim_module *m, const char *name, uint64_t *size)
{
    uint64_t address = 0;

    assert_int_equal(gcnsim_module_symbol(m, name, &address, size, &error), 0);
    return address;
}

/* c[0] = a[0] + b[0] with c at the address, whatever is there: the findings, as the caller's to free. */
static struct gcnsim_result *add_to(struct gcnsim *sim, struct gcnsim_module *m, uint64_t address, bool timing,
                                    bool check)
{
    struct {
        uint64_t a, b, c;
        uint32_t n;
    } args = {.c = address, .n = 1};
    struct gcnsim_dispatch d;
    struct gcnsim_result *r;

    assert_int_equal(gcnsim_alloc(sim, 256, "a", &args.a, &error), 0);
    assert_int_equal(gcnsim_alloc(sim, 256, "b", &args.b, &error), 0);
    gcnsim_dispatch_init(&d);
    d.engine = timing ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL;
    d.grid_size[0] = d.workgroup_size[0] = 256;
    d.kernarg = &args;
    d.kernarg_size = sizeof args;
    d.check = check;
    if (gcnsim_launch(m, &d, &r, &error))
        fail_msg("%s", error.text);
    assert_int_equal(r->outcome, GCNSIM_COMPLETED);
    return r;
}

/* says: null: nothing is found. */
static void expect(struct gcnsim *sim, struct gcnsim_module *m, uint64_t address, const char *says)
{
    char text[300];

    snprintf(text, sizeof text, "writes at 0x%" PRIx64 ", %s", address, says ? says : "");
    for (unsigned timing = 0; timing < 2; timing++) {
        struct gcnsim_result *r = add_to(sim, m, address, timing, true);

        if (r->finding_count != (says != NULL))
            fail_msg("%zu findings at 0x%" PRIx64 ", engine %u: %s", r->finding_count, address, timing,
                     r->finding_count ? r->findings[0].message : "none");
        if (says) {
            const struct gcnsim_finding *f = &r->findings[0];

            assert_string_equal(f->rule, "bounds.code");
            assert_string_equal(f->message, text);
            assert_string_equal(f->fix, "check the address, or the index");
            assert_true(strstr(f->instruction, "store_") || strstr(f->instruction, "_b32"));
            assert_int_equal(f->lane, 0);
            assert_int_equal(f->count, 1);
        }
        gcnsim_result_free(r);
    }
    struct gcnsim_result *r = add_to(sim, m, address, false, false); /* nobody looks */
    assert_int_equal(r->finding_count, 0);
    gcnsim_result_free(r);
}

static uint64_t end_of(const struct co_segment *s)
{
    return s->vaddr + s->memory_bytes;
}

static void its_own_code_object(void **state)
{
    (void)state;
    for (size_t t = 0; t < TARGETS; t++) {
        struct gcnsim *sim;
        uint64_t size, code, descriptor;

        assert_int_equal(gcnsim_open(&sim, targets[t], &error), 0);
        struct gcnsim_module *m = load(sim, targets[t], "vecadd");
        const struct code_object *co = m->code->co;
        const struct co_segment *data = code_object_segment(co, 0), *text = code_object_segment(co, 1),
                                *variables = code_object_segment(co, 2);
        assert_true(text->executable && variables->writable && end_of(data) + 8 < text->vaddr);
        code = symbol(m, "vecadd", &size);
        if (m->load_base + end_of(text) > code + size) /* what instructions are prefetched from, after the last one */
            expect(sim, m, code + size, "code of the code object, in no symbol");
        /* it has been decoded by the time that it is overwritten */
        expect(sim, m, code + 8, "the code of vecadd + 0x8");
        descriptor = symbol(m, "vecadd.kd", &size);
        expect(sim, m, descriptor + 60, "the kernel descriptor of vecadd");
        expect(sim, m, symbol(m, "__oclc_ABI_version", &size), "the read-only data of __oclc_ABI_version + 0x0");
        expect(sim, m, m->load_base + data->vaddr, "read-only data of the code object, in no symbol");
        expect(sim, m, m->load_base + end_of(data), "the gap between segments of the code object");
        expect(sim, m, m->load_base + text->vaddr - 4, "the gap between segments of the code object");
        expect(sim, m, m->load_base + end_of(text), "the gap between segments of the code object");
        expect(sim, m, m->load_base + variables->vaddr, NULL);
        expect(sim, m, m->load_base + end_of(variables) - 4, NULL);
        gcnsim_close(sim);
    }
}

/* Other code objects on the device, and none that is gone. */
static void of_others(void **state)
{
    struct gcnsim *sim;
    uint64_t code;

    (void)state;
    assert_int_equal(gcnsim_open(&sim, "gfx90a", &error), 0);
    struct gcnsim_module *other = load(sim, "gfx90a", "saxpy"), *m = load(sim, "gfx90a", "vecadd"),
                         *third = load(sim, "gfx90a", "transpose");
    expect(sim, m, symbol(other, "saxpy", NULL) + 16, "the code of saxpy + 0x10");
    code = symbol(third, "transpose_padded", NULL);
    expect(sim, m, symbol(third, "transpose_naive.kd", NULL), "the kernel descriptor of transpose_naive");
    expect(sim, m, code, "the code of transpose_padded + 0x0");
    gcnsim_close(sim);
}

/* How often, and the first lane of the first wave; lanes that store elsewhere are not reported. */
static void lanes_and_counts(void **state)
{
    struct gcnsim *sim;
    struct gcnsim_dispatch d;
    struct {
        uint64_t a, b, c;
        uint32_t n;
    } args = {.n = 512};

    (void)state;
    assert_int_equal(gcnsim_open(&sim, "gfx90a", &error), 0);
    struct gcnsim_module *m = load(sim, "gfx90a", "vecadd");
    const struct co_segment *variables = code_object_segment(m->code->co, 2);
    /* up from the gap before the variables: 16 lanes store there, 144 to variables, the rest after the image */
    assert_true(variables->writable && variables->memory_bytes == 576);
    assert_int_equal(gcnsim_alloc(sim, 4096, "a", &args.a, &error), 0);
    assert_int_equal(gcnsim_alloc(sim, 4096, "b", &args.b, &error), 0);
    args.c = m->load_base + variables->vaddr - 64;
    args.n = 160;
    gcnsim_dispatch_init(&d);
    d.grid_size[0] = d.workgroup_size[0] = 256;
    d.kernarg = &args;
    d.kernarg_size = sizeof args;
    d.check = 1;
    for (unsigned timing = 0; timing < 2; timing++) {
        struct gcnsim_result *r;

        d.engine = timing ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL;
        assert_int_equal(gcnsim_launch(m, &d, &r, &error), 0);
        assert_int_equal(r->finding_count, 1);
        assert_int_equal(r->findings[0].count, 1); /* of three waves, one */
        assert_int_equal(r->findings[0].lane, 0);
        assert_int_equal(r->findings[0].wave, 0);
        gcnsim_result_free(r);
    }
    gcnsim_close(sim);
}

/* A code object that a test has placed in its own memory. */
struct image {
    struct gcnsim_code *code;
    void *at;
    struct gcnsim_range range;
    struct gcnsim_placed_code placed;
    uint64_t function; /* the address of vecadd */
};

static void place(struct image *i)
{
    struct gcnsim_code_source source;
    struct gcnsim_code_image image;

    gcnsim_code_source_init(&source);
    source.path = "traces/samples/gfx90a/vecadd.co";
    assert_int_equal(gcnsim_code_open(&i->code, &source, &error), 0);
    gcnsim_code_get_image(i->code, &image);
    i->at = aligned_alloc(image.align, (image.size + image.align - 1) / image.align * image.align);
    uint64_t base = (uint64_t)(uintptr_t)i->at;
    assert_int_equal(gcnsim_code_place(i->code, i->at, image.size, base, NULL, NULL, &error), 0);
    i->range = (struct gcnsim_range){.address = base, .bytes = image.size, .writable = 1};
    i->placed = (struct gcnsim_placed_code){sizeof i->placed, i->code, base};
    i->function = base + code_object_find_symbol(i->code->co, "vecadd")->vaddr - image.address;
}

static void take_away(struct image *i)
{
    gcnsim_code_close(i->code);
    free(i->at);
}

static void init_raw(struct gcnsim_raw *raw, const struct image *i, const uint32_t *words, size_t bytes)
{
    gcnsim_raw_init(raw);
    raw->entry = (uint64_t)(uintptr_t)words;
    raw->code_size = bytes;
    raw->ranges = &i->range;
    raw->range_count = 1;
    raw->placed = &i->placed;
}

/* What is found with and without the object, without which nobody knows what lies there. at: in the instruction. */
static void expect_raw(struct gcnsim *sim, struct gcnsim_raw *raw, const char *at, const char *where, int lane)
{
    for (raw->placed_count = 0; raw->placed_count < 2; raw->placed_count++) {
        struct gcnsim_result *r;
        size_t told = 0;

        if (gcnsim_launch_raw(sim, raw, &r, &error))
            fail_msg("%s", error.text);
        assert_int_equal(r->outcome, GCNSIM_COMPLETED);
        for (size_t n = 0; n < r->finding_count; n++) {
            const struct gcnsim_finding *f = &r->findings[n];

            if (strcmp(f->rule, "bounds.code") != 0)
                continue;
            told++;
            assert_non_null(strstr(f->message, where));
            assert_non_null(strstr(f->instruction, at));
            assert_int_equal(f->lane, lane);
        }
        assert_int_equal(told, raw->placed_count && !strstr(at, "load"));
        gcnsim_result_free(r);
    }
}

/* Atomics, of lanes and scalar, and scalar stores; a load is none. */
static void atomics_and_scalar_stores(void **state)
{
    static const struct {
        const char *at;
        uint32_t words[6];
        int lane;
    } cases[] = {
        {"s_store_dword", {0xc0420080, 0, 0xbf810000}, -1},
        {"s_atomic_add", {0xc20a0080, 0, 0xbf810000}, -1},
        /* v_mov_b32 v0, s0; v_mov_b32 v1, s1; global_atomic_add v[0:1], v2, off */
        {"global_atomic_add", {0x7e000200, 0x7e020201, 0xdd088000, 0x007f0200, 0xbf810000}, 0},
        {"global_load_dword", {0x7e000200, 0x7e020201, 0xdc508000, 0x027f0000, 0xbf810000}, 0},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct gcnsim *sim;
        struct gcnsim_raw raw;
        struct image i;

        assert_int_equal(gcnsim_open(&sim, NULL, &error), 0);
        place(&i);
        const uint32_t sgprs[2] = {(uint32_t)(i.function + 12), (uint32_t)((i.function + 12) >> 32)};
        init_raw(&raw, &i, cases[k].words, sizeof cases[k].words);
        raw.target = "gfx900";
        raw.wave_size = 64;
        raw.workgroup_size[0] = 64;
        raw.compute_pgm_rsrc2 = 2 << 1; /* user SGPRs */
        raw.user_sgprs = sgprs;
        raw.user_sgpr_count = 2;
        raw.check = 1;
        expect_raw(sim, &raw, cases[k].at, ", the code of vecadd + 0xc", cases[k].lane);
        take_away(&i);
        gcnsim_close(sim);
    }
}

/* A row of 16 dwords of LDS goes to the code, by each engine's tensor unit. */
static void tensors(void **state)
{
    /* tensor_store_from_lds s[4:7], s[8:15]; s_wait_tensorcnt 0x0; s_endpgm; of LLVM 22 */
    static const uint32_t words[] = {0xd0714001, 0x7c000000, 0x7c7c0804, 0xbfcb0000, 0xbfb00000, 0};

    (void)state;
    for (unsigned timing = 0; timing < 2; timing++) {
        struct gcnsim *sim;
        struct gcnsim_raw raw;
        struct image i;

        assert_int_equal(gcnsim_open(&sim, "gfx1250", &error), 0);
        place(&i);
        uint64_t from = i.function - 32; /* from the gap on */
        const uint32_t sgprs[16] = {[4] = 1,
                                    [6] = (uint32_t)from,
                                    [7] = (uint32_t)(from >> 32) | 2u << 30,
                                    [8] = 2u << 16,
                                    [9] = 16u << 16,
                                    [10] = 1u << 16,
                                    [11] = 16u << 16,
                                    [12] = 1,
                                    [13] = 16};
        init_raw(&raw, &i, words, sizeof words);
        raw.target = "gfx1250";
        raw.engine = timing ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL;
        raw.wave_size = 32;
        raw.workgroup_size[0] = 32;
        raw.compute_pgm_rsrc2 = 16 << 1;
        raw.user_sgprs = sgprs;
        raw.user_sgpr_count = 16;
        raw.lds_bytes = 1024;
        raw.check = 1;
        expect_raw(sim, &raw, "tensor_store_from_lds", ", the gap between segments of the code object", -1);
        take_away(&i);
        gcnsim_close(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_own_code_object),       cmocka_unit_test(of_others), cmocka_unit_test(lanes_and_counts),
        cmocka_unit_test(atomics_and_scalar_stores), cmocka_unit_test(tensors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
