/* Sizes that metadata, descriptors and callers state and that no launch has: refused before anything is made of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/unit/loader/toy_elf.h"

/* MessagePack of a kernel "k" with numbers that a test chooses; no arguments. */
struct numbers {
    uint32_t kernarg, lds, scratch;
};

static size_t put_text(uint8_t *to, const char *text)
{
    size_t n = strlen(text);

    to[0] = 0xd9;
    to[1] = (uint8_t)n;
    memcpy(to + 2, text, n);
    return n + 2;
}

static size_t put_number(uint8_t *to, const char *key, uint32_t v)
{
    size_t n = put_text(to, key);

    to[n] = 0xce;
    for (unsigned i = 0; i < 4; i++)
        to[n + 1 + i] = (uint8_t)(v >> (24 - 8 * i));
    return n + 5;
}

static size_t metadata(uint8_t *b, const struct numbers *v)
{
    size_t n = 0;

    b[n++] = 0x82;
    n += put_text(b + n, "amdhsa.version");
    memcpy(b + n, "\x92\x01\x02", 3);
    n += 3 + put_text(b + n + 3, "amdhsa.kernels");
    b[n++] = 0x91;
    b[n++] = 0x8a;
    n += put_text(b + n, ".name");
    n += put_text(b + n, "k");
    n += put_text(b + n, ".symbol");
    n += put_text(b + n, "k.kd");
    n += put_number(b + n, ".kernarg_segment_size", v->kernarg);
    n += put_number(b + n, ".kernarg_segment_align", 8);
    n += put_number(b + n, ".group_segment_fixed_size", v->lds);
    n += put_number(b + n, ".private_segment_fixed_size", v->scratch);
    n += put_number(b + n, ".wavefront_size", 64);
    n += put_number(b + n, ".sgpr_count", 8);
    n += put_number(b + n, ".vgpr_count", 8);
    n += put_number(b + n, ".max_flat_workgroup_size", 256);
    return n;
}

/* Loads and launches; the descriptor says the same as the metadata. says null: it runs. */
static void launch(const struct numbers *v, bool with_metadata, bool parse, int code, const char *says)
{
    struct gcnsim_error error = {0};
    struct gcnsim_result *result = NULL;
    struct gcnsim_module *module;
    struct gcnsim_args *args = NULL;
    struct gcnsim_dispatch d;
    struct gcnsim *sim;
    uint8_t note[512];
    struct toy t;

    toy_init(&t, 0x63f, 3);
    toy_put(&t, TOY_DESCRIPTOR + 0, v->lds, 4);
    toy_put(&t, TOY_DESCRIPTOR + 4, v->scratch, 4);
    toy_put(&t, TOY_DESCRIPTOR + 8, v->kernarg, 4);
    if (with_metadata)
        toy_note(&t, note, metadata(note, v));
    assert_int_equal(gcnsim_open(&sim, "gfx90a", &error), GCNSIM_OK);
    if (gcnsim_load_memory(sim, &module, t.bytes, sizeof t.bytes, "toy", NULL, &error))
        fail_msg("%s", error.text);
    gcnsim_dispatch_init(&d);
    d.engine = GCNSIM_ENGINE_FUNCTIONAL;
    int got = parse ? gcnsim_args_parse(module, 0, NULL, 0, NULL, &args, &error) : GCNSIM_OK;
    d.args = args;
    if (!got)
        got = gcnsim_launch(module, &d, &result, &error);
    if (got != code || (says && strcmp(error.text, says) != 0))
        fail_msg("error %d: %s; expected %d: %s", got, error.text, code, says ? says : "");
    gcnsim_result_free(result);
    gcnsim_args_free(args);
    gcnsim_close(sim);
}

static void kernarg_segments(void **state)
{
    static const uint32_t sizes[] = {(1u << 20) + 1, 0x7fffffff, 0xffffffbf, 0xffffffc1, 0xffffffff};

    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        struct numbers v = {.kernarg = 1u << 20};
        launch(&v, k & 1, k & 2, GCNSIM_OK, NULL);
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            char says[100];
            v.kernarg = sizes[i];
            snprintf(says, sizeof says, "kernel k: a kernarg segment of %u bytes; the limit is 1048576", sizes[i]);
            launch(&v, k & 1, k & 2, GCNSIM_ERROR_LIMIT, says);
        }
    }
}

static void lds_and_scratch(void **state)
{
    struct numbers v = {.lds = 0xffffffff};

    (void)state;
    launch(&v, true, true, GCNSIM_ERROR_USAGE,
           "kernel k: 4294967295 bytes of LDS and 0 dynamic ones; expected at most 65536 in all for gfx90a-mi210");
    v = (struct numbers){.scratch = 0xffffffff};
    launch(&v, true, true, GCNSIM_ERROR_USAGE, "4294967295 bytes of scratch per work-item; expected at most 67108863");
    v.scratch = 67108800; /* one wave: nearly 4 GiB, of which nothing is touched */
    launch(&v, true, true, GCNSIM_OK, NULL);
}

static void raw_sizes(void **state)
{
    static const uint32_t end[] = {0xbf810000};

    (void)state;
    for (unsigned check = 0; check < 2; check++) {
        static const uint32_t sizes[] = {1u << 20, (1u << 20) + 1, 0x80000000, 0xfffffffc, 0xffffffff};
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            struct gcnsim_error error = {0};
            struct gcnsim_result *result = NULL;
            struct gcnsim *sim;
            struct gcnsim_raw r;
            char says[100];

            assert_int_equal(gcnsim_open(&sim, NULL, &error), GCNSIM_OK);
            gcnsim_raw_init(&r);
            r.target = "gfx90a";
            r.entry = (uint64_t)(uintptr_t)end;
            r.code_size = sizeof end;
            r.wave_size = 64;
            r.check = (int)check;
            r.lds_bytes = sizes[i];
            int got = gcnsim_launch_raw(sim, &r, &result, &error);
            assert_int_equal(got, i ? GCNSIM_ERROR_USAGE : GCNSIM_OK);
            snprintf(says, sizeof says, "raw: %u bytes of LDS; expected at most 1048576", sizes[i]);
            assert_string_equal(error.text, i ? says : "");
            gcnsim_result_free(result);
            /* no pointer in a message */
            r.lds_bytes = 0;
            r.user_sgpr_count = 33;
            assert_int_equal(gcnsim_launch_raw(sim, &r, &result, &error), GCNSIM_ERROR_USAGE);
            assert_null(result);
            assert_string_equal(error.text, "raw: 33 user SGPRs at a null pointer; expected at most 32");
            gcnsim_close(sim);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernarg_segments),
        cmocka_unit_test(lds_and_scratch),
        cmocka_unit_test(raw_sizes),
    };

    return cmocka_run_group_tests_name("hostile launches", tests, NULL, NULL);
}
