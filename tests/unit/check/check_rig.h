/* Runs pieces of assembly text on the functional engine with checks on, and says what was found. Included by the test
 * programs of sim/check; everything here is static.
 *
 * The words of the texts, as llvm-mc-19 gives them (gfx950, gfx1250: LLVM 22), stand in a file beside the program, so
 * that it runs without LLVM. With llvm-mc-19 about, every text is assembled again (all of a target at once) and must
 * give the same words. After a change of the texts GCNSIM_CHECK_WORDS=write in the environment has the program write
 * its file anew.
 *
 * With CHECK_ASKED 0 checks are off, for what is found without them.
 *
 * A text finds s[0:1] (and v[2:3]) = a buffer of 4 KiB, s[4:5] = scratch of all waves (1 KiB each), v0 = work-item, v1
 * and v4..v47, s8..s11, vcc and (where there are AGPRs) a0..a15 = 0, m0 = -1, s[12:15] = a buffer descriptor, 256 bytes
 * of LDS nobody has written, and idle units.
 */
#ifndef GCNSIM_TESTS_CHECK_RIG_H
#define GCNSIM_TESTS_CHECK_RIG_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/folder.h"
#include "tests/system/spawn_tool.h"

/* most cases need the first members alone */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

struct check_case {
    const char *target;
    uint32_t lanes;
    const char *text;     /* lines; s_endpgm is added */
    const char *rule;     /* null: nothing is to be found */
    const char *at;       /* in the text of the instruction that is reported */
    const char *fix;      /* in the fix */
    int lane;             /* -1: none */
    uint32_t waves;       /* of the workgroup; 0: one */
    bool stops;           /* the run ends at the last instruction, which gcnsim knows and cannot execute */
    const char *says;     /* in the problem; null: anything */
    bool wgp;             /* in WGP mode */
    const char *left_out; /* in the sentence on rules that are not applied; "": there is none; null: anything */
    uint32_t groups;      /* workgroups, one after the other, with their number in s20; 0: one, and s20 is undefined */
    bool timing;          /* on the timing engine, with the target's default profile */
};

#ifndef CHECK_ASKED
#define CHECK_ASKED 1
#endif

enum { CHECK_WORDS = 512, CHECK_CASES = 256, CHECK_VGPRS = 48, CHECK_BUFFER = 4096, CHECK_TEXT = 8192 };

static bool check_has_agprs(const char *target)
{
    return strcmp(target, "gfx908") == 0 || strcmp(target, "gfx90a") == 0 || strcmp(target, "gfx942") == 0 ||
           strcmp(target, "gfx950") == 0;
}

/* What comes ahead of every text of a target. */
static void check_prologue(char *out, const char *target)
{
    char *p = out;

    for (unsigned v = 1; v < CHECK_VGPRS; v++)
        if (v < 2 || v > 3)
            p += sprintf(p, "v_mov_b32 v%u, 0\n", v);
    for (unsigned a = 0; a < 16 && check_has_agprs(target); a++)
        p += sprintf(p, "v_accvgpr_write_b32 a%u, 0\n", a);
    for (unsigned s = 8; s < 12; s++)
        p += sprintf(p, "s_mov_b32 s%u, 0\n", s);
    p += sprintf(p, "s_mov_b32 s12, s0\ns_mov_b32 s13, s1\ns_movk_i32 s14, 0x1000\ns_mov_b32 s15, 0x27000\n");
    p += sprintf(p, "s_mov_b32 vcc_lo, 0\ns_mov_b32 vcc_hi, 0\ns_mov_b32 m0, -1\nv_mov_b32 v2, s0\nv_mov_b32 v3, s1\n");
    for (unsigned k = 0; k < 8; k++)
        p += sprintf(p, "v_mov_b32 v1, 0\n");
    p += sprintf(p, "s_nop 7\ns_nop 7\ns_nop 7\n");
    assert_true(p - out < CHECK_TEXT);
}

/* What comes ahead of that where there are several workgroups. */
static const char *check_numbers(const char *target)
{
    return strncmp(target, "gfx12", 5) == 0 ? "s_mov_b32 s20, ttmp9\n" : "s_mov_b32 s20, s8\n";
}

/* ---- words ---- */

struct check_code {
    uint32_t word[CHECK_WORDS];
    size_t words;
};

/* Lists of these: key, number of words, words; the file is the inside of an initializer. */
static const uint32_t check_listed[] = {
#include CHECK_WORDS_FILE
};

static uint32_t check_key(const char *target, uint32_t lanes, const char *text)
{
    uint32_t h = 2166136261u ^ lanes;

    for (const char *p = target; *p; p++)
        h = (h ^ (uint8_t)*p) * 16777619u;
    for (const char *p = text; *p; p++)
        h = (h ^ (uint8_t)*p) * 16777619u;
    return h;
}

/* Adds the words of a text as they are listed; false: they are not. */
static bool check_add_listed(struct check_code *code, const char *target, uint32_t lanes, const char *text)
{
    const size_t total = sizeof check_listed / sizeof check_listed[0];
    uint32_t key = check_key(target, lanes, text);

    for (size_t at = 0; at + 2 <= total; at += 2 + check_listed[at + 1]) {
        if (check_listed[at] != key)
            continue;
        assert_true(code->words + check_listed[at + 1] <= CHECK_WORDS);
        memcpy(code->word + code->words, &check_listed[at + 2], check_listed[at + 1] * sizeof(uint32_t));
        code->words += check_listed[at + 1];
        return true;
    }
    return false;
}

/* "0x81,0x00,0xbe,0xbf]" of an encoding's line into words, of which there are *count so far and may be `most`. An A
 * before a byte is a fixup: of a branch to the next instruction. Returns what follows. */
static const char *check_read_encoding(const char *p, uint32_t *word, size_t *count, size_t most)
{
    uint32_t bits = 0;
    unsigned bytes = 0;

    do {
        p += *p == 'A';
        bits |= (uint32_t)strtoul(p, (char **)&p, 16) << (8 * (bytes & 3));
        if ((++bytes & 3) == 0) {
            assert_true(*count < most);
            word[(*count)++] = bits;
            bits = 0;
        }
    } while (*p++ == ',');
    return p;
}

/* "encoding: [0x81,0x00,0xbe,0xbf]" lines into words, up to the marker between texts, s_trap 77. */
static const char *check_read_words(struct check_code *code, const char *p)
{
    code->words = 0;
    for (;;) {
        const char *raw = strstr(p, ".long");
        p = strstr(p, "encoding: [");
        if (raw && (!p || raw < p)) { /* a word as it is */
            assert_true(code->words < CHECK_WORDS);
            code->word[code->words++] = (uint32_t)strtoul(raw + strlen(".long"), (char **)&p, 0);
            continue;
        }
        if (!p)
            break;
        size_t first = code->words;
        p = check_read_encoding(p + strlen("encoding: ["), code->word, &code->words, CHECK_WORDS);
        if ((code->word[first] & 0xffff) == 77 && (code->word[first] >> 23) == 0x17f) {
            code->words = first;
            return p;
        }
    }
    fail_msg("the listing of llvm-mc-19 ends early");
    return NULL;
}

/* Targets that LLVM 19 does not know. */
static bool check_of_llvm22(const char *target)
{
    return strcmp(target, "gfx950") == 0 || strcmp(target, "gfx1250") == 0;
}

static bool check_has_groups(const struct check_case *all, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (all[k].groups)
            return true;
    return false;
}

/* What a tool writes to its output, which goes through the file `out`; the caller frees it. The test fails with it. */
static char *check_listing(const char *const argv[], const char *target, const char *out)
{
    int status = spawn_tool(argv, out);
    size_t size;
    char *listing = read_whole(out, &size);

    assert_non_null(listing);
    if (status != 0)
        fail_msg("%s -mcpu=%s: %.2000s", argv[0], target,
                 strstr(listing, "error") ? strstr(listing, "error") : listing);
    return listing;
}

/* The listing of a file of assembly text. */
static char *check_assemble_file(const char *in, const char *out, const char *target, uint32_t lanes, bool llvm22)
{
    char cpu[40];
    const char *wave = lanes == 64 ? "-mattr=+wavefrontsize64" : "-mattr=+wavefrontsize32";
    const char *argv[] = {"sh", "tests/llvm22.sh", "llvm-mc", "-arch=amdgcn", cpu, wave, "-show-encoding", in, NULL};
    const char **from = argv;

    snprintf(cpu, sizeof cpu, "-mcpu=%s", target);
    if (!llvm22)
        *(from += 2) = "llvm-mc-19";
    return check_listing(from, target, out);
}

/* The listing of all texts of a target, the prologue first; the caller frees it. */
static char *check_assemble(const struct check_case *all, size_t count, const char *target, uint32_t lanes)
{
    const char *dir = program_folder();
    char in[560], out[560], prologue[CHECK_TEXT];

    snprintf(in, sizeof in, "%s/in.s", dir);
    snprintf(out, sizeof out, "%s/out", dir);
    FILE *f = fopen(in, "w");
    assert_non_null(f);
    check_prologue(prologue, target);
    fprintf(f, "%ss_trap 77\n", prologue);
    if (check_has_groups(all, count))
        fprintf(f, "%ss_trap 77\n", check_numbers(target));
    for (size_t k = 0; k < count; k++)
        if (strcmp(all[k].target, target) == 0 && all[k].lanes == lanes)
            fprintf(f, "%s\ns_endpgm\ns_trap 77\n", all[k].text);
    fclose(f);
    return check_assemble_file(in, out, target, lanes, check_of_llvm22(target));
}

static void check_write_words(FILE *f, const struct check_code *code, const char *target, uint32_t lanes,
                              const char *text)
{
    fprintf(f, "0x%08" PRIx32 ", %zu,", check_key(target, lanes, text), code->words);
    for (size_t k = 0; k < code->words; k++)
        fprintf(f, "%s0x%08" PRIx32 ",", k % 8 ? " " : "\n    ", code->word[k]);
    fprintf(f, "\n");
}

/* One text through the assembler's listing: written to f, or compared with what is listed. */
static const char *check_assembled(FILE *f, const char *p, const char *target, uint32_t lanes, const char *text)
{
    static struct check_code fresh, listed;

    p = check_read_words(&fresh, p);
    listed.words = 0;
    if (f)
        check_write_words(f, &fresh, target, lanes, text);
    else if (!check_add_listed(&listed, target, lanes, text) || listed.words != fresh.words ||
             memcmp(listed.word, fresh.word, fresh.words * sizeof(uint32_t)) != 0)
        fail_msg("%s: %s does not have the words of:\n%s\n(GCNSIM_CHECK_WORDS=write writes them anew)", target,
                 CHECK_WORDS_FILE, text);
    return p;
}

/* Whether it is the first case of its target and wave size. */
static bool check_is_first(const struct check_case *all, size_t k)
{
    for (size_t j = 0; j < k; j++)
        if (strcmp(all[j].target, all[k].target) == 0 && all[j].lanes == all[k].lanes)
            return false;
    return true;
}

/* Compares the words of all texts, or writes them: then the program has to be built anew before it can run them. */
static bool check_words(const struct check_case *all, size_t count)
{
    static bool begun;
    const char *mode = getenv("GCNSIM_CHECK_WORDS");
    FILE *f = mode && strcmp(mode, "write") == 0 ? fopen(CHECK_WORDS_FILE, begun ? "a" : "w") : NULL;
    char prologue[CHECK_TEXT];
    bool writes = f;

    if (spawn_tool((const char *[]){"llvm-mc-19", "--version", NULL}, "/dev/null") != 0) {
        print_message("llvm-mc-19 is absent: the words are not compared with its own\n");
        return true;
    }
    for (size_t k = 0; k < count; k++) {
        if (!check_is_first(all, k))
            continue;
        if (check_of_llvm22(all[k].target) && !has_llvm22()) {
            print_message("LLVM 22 is absent: the words of %s are not compared with its own\n", all[k].target);
            assert_false(writes);
            continue;
        }
        char *listing = check_assemble(all, count, all[k].target, all[k].lanes);
        check_prologue(prologue, all[k].target);
        const char *p = check_assembled(f, listing, all[k].target, all[k].lanes, prologue);
        if (check_has_groups(all, count))
            p = check_assembled(f, p, all[k].target, all[k].lanes, check_numbers(all[k].target));
        for (size_t j = k; j < count; j++)
            if (strcmp(all[j].target, all[k].target) == 0 && all[j].lanes == all[k].lanes)
                p = check_assembled(f, p, all[j].target, all[j].lanes, all[j].text);
        free(listing);
    }
    if (f)
        fclose(f);
    begun = true;
    return !writes;
}

/* ---- runs ---- */

/* A dispatch of one workgroup of one wave, whose registers, buffer and scratch are as the texts find them. The memory
 * that it points to is of this program and good until the next call. */
static struct gcnsim_raw check_raw(const char *target, uint32_t lanes, const uint32_t *code, size_t words,
                                   uint8_t *buffer)
{
    static _Alignas(1024) uint8_t scratch[16 * 1024];
    static struct gcnsim_range range;
    static uint32_t user[8];
    struct gcnsim_raw r;

    gcnsim_raw_init(&r);
    r.target = target;
    r.code_base = (uint64_t)(uintptr_t)code;
    r.entry = r.code_base;
    r.code_size = 4 * words;
    r.wave_size = lanes;
    r.workgroup_size[0] = r.grid_size[0] = lanes;
    r.workgroup_size[1] = r.workgroup_size[2] = r.grid_size[1] = r.grid_size[2] = 1;
    /* 64 VGPRs and as many AGPRs or more, on gfx1250 all 1024 VGPRs; 104 SGPRs; 8 user SGPRs */
    r.compute_pgm_rsrc1 = (strcmp(target, "gfx1250") == 0 ? 63u : 15u) | 12u << 6 | 0xf0u << 12;
    r.compute_pgm_rsrc2 = 8u << 1 | 1u << 7;
    r.compute_pgm_rsrc3 = check_has_agprs(target) && strcmp(target, "gfx908") != 0 ? 15 : 0;
    range = (struct gcnsim_range){(uint64_t)(uintptr_t)buffer, CHECK_BUFFER, 1, "buffer"};
    user[0] = (uint32_t)range.address;
    user[1] = (uint32_t)(range.address >> 32);
    user[4] = (uint32_t)(uintptr_t)scratch;
    user[5] = (uint32_t)((uint64_t)(uintptr_t)scratch >> 32);
    r.user_sgprs = user;
    r.user_sgpr_count = 8;
    r.scratch_bytes_per_lane = 1024 / lanes;
    r.scratch_base = (uint64_t)(uintptr_t)scratch;
    r.scratch_size = sizeof scratch;
    r.lds_bytes = 256;
    r.ranges = &range;
    r.range_count = 1;
    r.check = CHECK_ASKED;
    return r;
}

/* The same address in every run, where the system lets it: the checks keep records by a hash of addresses, so that
 * which share one is not a matter of chance. */
static uint8_t *check_buffer(void)
{
    static uint8_t *at;
    void *wanted = (void *)(uintptr_t)UINT64_C(0x200000000000);

    if (!at) {
        at = mmap(wanted, CHECK_BUFFER, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(at != MAP_FAILED);
    }
    return at;
}

static struct gcnsim_result *check_launch(const struct check_case *c, const struct check_code *code, uint8_t *buffer)
{
    struct gcnsim_raw r = check_raw(c->target, c->lanes, code->word, code->words, buffer);
    struct gcnsim_error error = {0};
    struct gcnsim_result *result = NULL;
    struct gcnsim *sim;

    r.workgroup_size[0] = c->lanes * (c->waves ? c->waves : 1);
    r.grid_size[0] = r.workgroup_size[0] * (c->groups ? c->groups : 1);
    r.compute_pgm_rsrc1 |= (uint32_t)c->wgp << 29;
    r.max_instructions = 10000;
    r.engine = c->timing ? GCNSIM_ENGINE_TIMING : r.engine;
    assert_int_equal(gcnsim_open(&sim, c->timing ? c->target : NULL, &error), GCNSIM_OK);
    if (gcnsim_launch_raw(sim, &r, &result, &error))
        fail_msg("%s: %s", c->text, error.text);
    gcnsim_close(sim);
    return result;
}

static bool check_one(const struct check_case *c)
{
    static struct check_code code;
    uint8_t *buffer = check_buffer();
    char prologue[CHECK_TEXT];

    check_prologue(prologue, c->target);
    code.words = 0;
    if ((c->groups && !check_add_listed(&code, c->target, c->lanes, check_numbers(c->target))) ||
        !check_add_listed(&code, c->target, c->lanes, prologue) ||
        !check_add_listed(&code, c->target, c->lanes, c->text)) {
        print_error("%s: %s does not list:\n%s\n", c->target, CHECK_WORDS_FILE, c->text);
        return false;
    }
    struct gcnsim_result *r = check_launch(c, &code, buffer);
    const struct gcnsim_finding *f = r->findings;
    bool ended = r->outcome == GCNSIM_COMPLETED;
    bool good = ended == !c->stops && r->has_check == CHECK_ASKED && r->finding_count == (c->rule ? 1u : 0u);

    if (good && c->left_out)
        good = *c->left_out ? r->check_left_out && strstr(r->check_left_out, c->left_out) : !r->check_left_out;
    if (good && c->rule)
        good = strcmp(f->rule, c->rule) == 0 && strstr(f->instruction, c->at) && strstr(f->fix, c->fix) &&
               f->lane == c->lane && (!c->says || strstr(f->message, c->says));
    if (!good) {
        print_error("%s wave%u:\n%s\n  expected %s\n", c->target, c->lanes, c->text, c->rule ? c->rule : "nothing");
        for (size_t n = 0; n < r->finding_count; n++)
            print_error("  found %s in '%s', lane %d: %s; fix: %s\n", f[n].rule, f[n].instruction, f[n].lane,
                        f[n].message, f[n].fix);
        if (!ended)
            print_error("  %s\n", r->message);
    }
    gcnsim_result_free(r);
    return good;
}

static void check_cases(const struct check_case *all, size_t count)
{
    unsigned bad = 0;

    if (!check_words(all, count))
        return;

    for (size_t k = 0; k < count; k++)
        bad += !check_one(&all[k]);
    if (bad)
        fail_msg("%u of %zu pieces are not as expected", bad, count);
}

#define CHECK_COUNT(A) (sizeof(A) / sizeof(A)[0])

#endif
