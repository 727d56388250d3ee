/* Runs pieces of assembly text on the functional engine with checks on, and says what was found. Included by the test
 * programs of sim/check; everything here is static. Texts go through llvm-mc-19, all of a target at once.
 *
 * A text finds s[0:1] (and v[2:3]) = a buffer of 4 KiB, v0 = lane, v1 and v4..v47, s8..s11, vcc and (where there are
 * AGPRs) a0..a15 = 0, m0 = -1, s[12:15] = a buffer descriptor, 256 bytes of LDS nobody has written, and idle units.
 */
#ifndef GCNSIM_TESTS_CHECK_RIG_H
#define GCNSIM_TESTS_CHECK_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/gcnsim.h"
#include "tests/system/spawn_tool.h"

struct check_case {
    const char *target;
    uint32_t lanes;
    const char *text; /* lines; s_endpgm is added */
    const char *rule; /* null: nothing is to be found */
    const char *at;   /* in the text of the instruction that is reported */
    const char *fix;  /* in the fix */
    int lane;         /* -1: none */
};

enum { CHECK_WORDS = 4096, CHECK_CASES = 256, CHECK_VGPRS = 48, CHECK_BUFFER = 4096 };

static bool check_has_agprs(const char *target)
{
    return strcmp(target, "gfx908") == 0 || strcmp(target, "gfx90a") == 0 || strcmp(target, "gfx942") == 0;
}

static void check_prologue(FILE *f, const struct check_case *c)
{
    for (unsigned v = 1; v < CHECK_VGPRS; v++)
        if (v < 2 || v > 3)
            fprintf(f, "v_mov_b32 v%u, 0\n", v);
    for (unsigned a = 0; a < 16 && check_has_agprs(c->target); a++)
        fprintf(f, "v_accvgpr_write_b32 a%u, 0\n", a);
    for (unsigned s = 8; s < 12; s++)
        fprintf(f, "s_mov_b32 s%u, 0\n", s);
    fprintf(f, "s_mov_b32 s12, s0\ns_mov_b32 s13, s1\ns_movk_i32 s14, 0x1000\ns_mov_b32 s15, 0x27000\n");
    fprintf(f, "s_mov_b32 vcc_lo, 0\ns_mov_b32 vcc_hi, 0\ns_mov_b32 m0, -1\nv_mov_b32 v2, s0\nv_mov_b32 v3, s1\n");
    for (unsigned k = 0; k < 8; k++)
        fprintf(f, "v_mov_b32 v1, 0\n");
    fprintf(f, "s_nop 7\ns_nop 7\ns_nop 7\n");
}

/* Words of all cases of a target; start[k] is where case k begins, -1 when it is another target's. */
struct check_code {
    uint32_t word[CHECK_WORDS * 8];
    size_t words;
    long start[CHECK_CASES];
};

/* "encoding: [0x81,0x00,0xbe,0xbf]" lines into words; the marker between cases is s_trap 77. */
static void check_read_words(struct check_code *code, const char *listing, const size_t cases[], size_t n)
{
    size_t k = 0;

    code->words = 0;
    code->start[cases[0]] = 0;
    for (const char *p = listing; (p = strstr(p, "encoding: [")) != NULL;) {
        uint32_t word = 0;
        unsigned bytes = 0;
        size_t first = code->words;
        p += strlen("encoding: [");
        do {
            word |= (uint32_t)strtoul(p, (char **)&p, 16) << (8 * (bytes & 3));
            if ((++bytes & 3) == 0) {
                assert_true(code->words < sizeof code->word / sizeof code->word[0]);
                code->word[code->words++] = word;
                word = 0;
            }
        } while (*p++ == ',');
        if ((code->word[first] & 0xffff) == 77 && (code->word[first] >> 23) == 0x17f) {
            k++;
            if (k < n)
                code->start[cases[k]] = (long)code->words;
        }
    }
    assert_int_equal(k, n);
}

static void check_assemble(struct check_code *code, const struct check_case *all, size_t count, const char *target,
                           uint32_t lanes)
{
    const char *tmp = getenv("TMPDIR");
    char dir[512], in[560], out[560], cpu[40], wave[40];
    size_t mine[CHECK_CASES], n = 0;

    assert_true(count <= CHECK_CASES);
    snprintf(dir, sizeof dir, "%s/gcnsim-check-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(dir));
    snprintf(in, sizeof in, "%s/in.s", dir);
    snprintf(out, sizeof out, "%s/out", dir);
    snprintf(cpu, sizeof cpu, "-mcpu=%s", target);
    snprintf(wave, sizeof wave, "-mattr=%s", lanes == 64 ? "+wavefrontsize64" : "+wavefrontsize32");
    FILE *f = fopen(in, "w");
    assert_non_null(f);
    for (size_t k = 0; k < count; k++) {
        if (strcmp(all[k].target, target) != 0 || all[k].lanes != lanes)
            continue;
        check_prologue(f, &all[k]);
        fprintf(f, "%s\ns_endpgm\ns_trap 77\n", all[k].text);
        mine[n++] = k;
    }
    fclose(f);
    int status =
        spawn_tool((const char *[]){"llvm-mc-19", "-arch=amdgcn", cpu, wave, "-show-encoding", in, NULL}, out, 60);
    size_t size;
    char *listing = read_whole(out, &size);
    assert_non_null(listing);
    if (status != 0)
        fail_msg("llvm-mc-19 -mcpu=%s: %.1500s", target, strstr(listing, "error") ? strstr(listing, "error") : listing);
    check_read_words(code, listing, mine, n);
    free(listing);
    unlink(in);
    unlink(out);
    rmdir(dir);
}

static struct gcnsim_result *check_launch(const struct check_case *c, const struct check_code *code, size_t k,
                                          uint8_t *buffer)
{
    /* 64 VGPRs and as many AGPRs or more, 104 SGPRs; 8 user SGPRs */
    struct gcnsim_range range = {(uint64_t)(uintptr_t)buffer, CHECK_BUFFER, 1, "buffer"};
    struct gcnsim_error error = {0};
    struct gcnsim_result *result = NULL;
    struct gcnsim_raw r;
    struct gcnsim *sim;

    gcnsim_raw_init(&r);
    r.target = c->target;
    r.code_base = (uint64_t)(uintptr_t)code->word;
    r.entry = r.code_base + 4 * (uint64_t)code->start[k];
    r.code_size = 4 * code->words;
    r.wave_size = c->lanes;
    r.workgroup_size[0] = c->lanes;
    r.compute_pgm_rsrc1 = 15u | 12u << 6 | 0xf0u << 12;
    r.compute_pgm_rsrc2 = 8u << 1 | 1u << 7;
    r.compute_pgm_rsrc3 = strcmp(c->target, "gfx90a") == 0 || strcmp(c->target, "gfx942") == 0 ? 15 : 0;
    r.kernarg_address = (uint64_t)(uintptr_t)buffer;
    r.lds_bytes = 256;
    r.ranges = &range;
    r.range_count = 1;
    r.check = 1;
    r.max_instructions = 10000;
    assert_int_equal(gcnsim_open(&sim, NULL, &error), GCNSIM_OK);
    if (gcnsim_launch_raw(sim, &r, &result, &error))
        fail_msg("%s: %s", c->text, error.text);
    gcnsim_close(sim);
    return result;
}

static bool check_one(const struct check_case *c, const struct check_code *code, size_t k, uint8_t *buffer)
{
    struct gcnsim_result *r = check_launch(c, code, k, buffer);
    const struct gcnsim_finding *f = r->findings;
    bool good = r->outcome == GCNSIM_COMPLETED && r->has_check && r->finding_count == (c->rule ? 1u : 0u);

    if (good && c->rule)
        good = strcmp(f->rule, c->rule) == 0 && strstr(f->instruction, c->at) && strstr(f->fix, c->fix) &&
               f->lane == c->lane;
    if (!good) {
        print_error("%s wave%u:\n%s\n  expected %s\n", c->target, c->lanes, c->text, c->rule ? c->rule : "nothing");
        for (size_t n = 0; n < r->finding_count; n++)
            print_error("  found %s in '%s', lane %d: %s; fix: %s\n", f[n].rule, f[n].instruction, f[n].lane,
                        f[n].message, f[n].fix);
        if (r->outcome != GCNSIM_COMPLETED)
            print_error("  %s\n", r->message);
    }
    gcnsim_result_free(r);
    return good;
}

static void check_cases(const struct check_case *all, size_t count)
{
    static struct check_code code;
    static uint8_t buffer[CHECK_BUFFER];
    unsigned bad = 0;

    if (spawn_tool((const char *[]){"llvm-mc-19", "--version", NULL}, "/dev/null", 60) != 0) {
        print_message("skipped: llvm-mc-19 is absent\n");
        skip();
    }
    for (size_t k = 0; k < count; k++) {
        bool first = true;
        for (size_t j = 0; j < k; j++)
            first = first && (strcmp(all[j].target, all[k].target) != 0 || all[j].lanes != all[k].lanes);
        if (!first)
            continue;
        check_assemble(&code, all, count, all[k].target, all[k].lanes);
        for (size_t j = k; j < count; j++)
            if (strcmp(all[j].target, all[k].target) == 0 && all[j].lanes == all[k].lanes)
                bad += !check_one(&all[j], &code, j, buffer);
    }
    if (bad)
        fail_msg("%u of %zu pieces are not as expected", bad, count);
}

#define CHECK_COUNT(A) (sizeof(A) / sizeof(A)[0])

#endif
