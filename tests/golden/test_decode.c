/* Random encodings of every opcode gcnsim's tables hold, against llvm-mc-19: when both accept an encoding the text and
 * the length must be the same. What one accepts and the other does not is counted and printed.
 *
 * DECODE_SMOKE sets the encodings per target (default 3000); seeded, so a failure comes back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "isa/isa.h"

/* Where a format's opcode stands: word 0 bits, shift and width, and the length in words. */
struct where {
    uint8_t format;
    uint32_t match;
    uint8_t shift, bits, words;
};
#define SOPS                                                                                                           \
    {FMT_SOP1, 0xbe800000, 8, 8, 1}, {FMT_SOPC, 0xbf000000, 16, 7, 1}, {FMT_SOPP, 0xbf800000, 16, 7, 1},               \
        {FMT_SOPK, 0xb0000000, 23, 5, 1}, {FMT_SOP2, 0x80000000, 23, 7, 1}, {FMT_VOP1, 0x7e000000, 9, 8, 1},           \
        {FMT_VOPC, 0x7c000000, 17, 8, 1},                                                                              \
    {                                                                                                                  \
        FMT_VOP2, 0x00000000, 25, 6, 1                                                                                 \
    }
static const struct where gfx8[] = {SOPS,
                                    {FMT_VOP3P, 0xd3800000, 16, 7, 2},
                                    {FMT_VOP3, 0xd0000000, 16, 10, 2},
                                    {FMT_SMEM, 0xc0000000, 18, 8, 2},
                                    {FMT_DS, 0xd8000000, 17, 8, 2},
                                    {FMT_MUBUF, 0xe0000000, 18, 7, 2},
                                    {FMT_FLAT, 0xdc000000, 18, 7, 2},
                                    {FMT_GLOBAL, 0xdc008000, 18, 7, 2},
                                    {FMT_SCRATCH, 0xdc004000, 18, 7, 2},
                                    {0, 0, 0, 0, 0}};
static const struct where gfx10[] = {SOPS,
                                     {FMT_VOP3P, 0xcc000000, 16, 7, 2},
                                     {FMT_VOP3, 0xd4000000, 16, 10, 2},
                                     {FMT_SMEM, 0xf4000000, 18, 8, 2},
                                     {FMT_DS, 0xd8000000, 18, 8, 2},
                                     {FMT_MUBUF, 0xe0000000, 18, 8, 2},
                                     {FMT_FLAT, 0xdc000000, 18, 7, 2},
                                     {FMT_GLOBAL, 0xdc008000, 18, 7, 2},
                                     {FMT_SCRATCH, 0xdc004000, 18, 7, 2},
                                     {0, 0, 0, 0, 0}};
static const struct where gfx11[] = {SOPS,
                                     {FMT_VOP3P, 0xcc000000, 16, 7, 2},
                                     {FMT_VOP3, 0xd4000000, 16, 10, 2},
                                     {FMT_SMEM, 0xf4000000, 18, 8, 2},
                                     {FMT_DS, 0xd8000000, 18, 8, 2},
                                     {FMT_MUBUF, 0xe0000000, 18, 8, 2},
                                     {FMT_FLAT, 0xdc000000, 18, 7, 2},
                                     {FMT_GLOBAL, 0xdc020000, 18, 7, 2},
                                     {FMT_SCRATCH, 0xdc010000, 18, 7, 2},
                                     {0, 0, 0, 0, 0}};
static const struct where gfx12[] = {SOPS,
                                     {FMT_VOP3P, 0xcc000000, 16, 7, 2},
                                     {FMT_VOP3, 0xd4000000, 16, 10, 2},
                                     {FMT_SMEM, 0xf4000000, 13, 6, 2},
                                     {FMT_DS, 0xd8000000, 18, 8, 2},
                                     {FMT_VBUFFER, 0xc4000000, 14, 8, 3},
                                     {FMT_FLAT, 0xec000000, 14, 8, 3},
                                     {FMT_GLOBAL, 0xee000000, 14, 8, 3},
                                     {FMT_SCRATCH, 0xed000000, 14, 8, 3},
                                     {0, 0, 0, 0, 0}};
static const struct where *const layouts[] = {gfx8, gfx8, gfx10, gfx11, gfx12};

struct sample {
    uint32_t w[4];
    char mine[256], theirs[256];
    bool odd; /* LLVM's text says itself that it is no valid instruction */
};

static uint64_t rng_state;
static uint32_t rnd(void)
{
    rng_state = rng_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(rng_state >> 33) * 2654435761u ^ (uint32_t)(rng_state >> 20);
}

static uint32_t pick_word(uint32_t fixed_mask, uint32_t fixed)
{
    uint32_t r = rnd();
    switch (rnd() & 3) {
    case 0:
        r &= rnd();
        break;
    case 1:
        r &= rnd() & rnd();
        break;
    case 2:
        r = 0;
        break;
    default:
        break;
    }
    return (r & ~fixed_mask) | fixed;
}

/* Gives a VOP1, VOP2 or VOPC word a second word: SDWA, DPP16, DPP8 or a literal. */
static void add_form(const struct isa_target *t, uint32_t w[4])
{
    static const uint16_t announce[] = {CODE_SDWA, CODE_DPP16, CODE_DPP8, CODE_DPP8_FI, CODE_LITERAL};
    static const uint16_t ctrl[] = {0x000, 0x01b, 0x0e4, 0x101, 0x11f, 0x121, 0x130, 0x134, 0x138, 0x13c,
                                    0x140, 0x141, 0x142, 0x143, 0x150, 0x15f, 0x160, 0x16f, 0x100, 0x170};
    static const uint32_t literals[] = {0,          1,          64,         65,         0xfffffff0, 0xffffffef,
                                        0x3f800000, 0xc0800000, 0x3e22f983, 0x3c00,     0x3118,     0xbc00,
                                        0xffff,     0x8000,     0x3ff00000, 0x12345678, 0xffffc400, 0x00400040};
    unsigned kind = rnd() % 5;

    w[0] = (w[0] & ~0x1ffu) | announce[kind];
    if (kind == 0) {
        w[1] = (w[1] & ~0x0f0f0000u) | rnd() % 7 << 16 | rnd() % 7 << 24 | (rnd() & rnd() & 0x08080000u);
        if (t->layout == LAYOUT_GFX8 || (w[0] & 0xfe000000) != 0x7c000000)
            w[1] = (w[1] & ~0x1f00u) | rnd() % 7 << 8 | rnd() % 3 << 11;
    } else if (kind == 1) {
        w[1] = (w[1] & ~0x1ff00u) | (uint32_t)ctrl[rnd() % 20] << 8;
    } else if (kind == 4 && (rnd() & 1)) {
        w[1] = literals[rnd() % 18];
    }
}

/* Words without any shape. The leading byte decides so much that half of them get one that is common. */
static void generate_words(uint32_t w[4])
{
    static const uint8_t lead[] = {0x02, 0x32, 0x7e, 0x7d, 0xbe, 0xbf, 0xb1, 0x85, 0xc0, 0xc4, 0xc8, 0xca, 0xcc, 0xd0,
                                   0xd1, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xda, 0xdc, 0xde, 0xe0, 0xe8, 0xf4, 0xee};

    for (unsigned k = 0; k < 4; k++)
        w[k] = pick_word(0, 0);
    if (rnd() & 1)
        w[0] = (w[0] & 0xffffff) | (uint32_t)lead[rnd() % sizeof lead] << 24;
}

/* A dual-issue pair of known opcodes. */
static void generate_pair(const struct isa_target *t, uint32_t w[4])
{
    unsigned x, y;

    do
        x = rnd() % t->op_count[FMT_VOPDX];
    while (!t->ops[FMT_VOPDX][x].row);
    do
        y = rnd() % t->op_count[FMT_VOPDY];
    while (!t->ops[FMT_VOPDY][y].row);
    w[0] = pick_word(0xfffe0000, 0xc8000000 | x << 22 | y << 17);
    for (unsigned k = 1; k < 4; k++)
        w[k] = pick_word(0, 0);
    if (rnd() & 1)
        w[0] |= 0x100;
    if (rnd() & 1)
        w[1] |= 0x100;
    if (!(rnd() & 7))
        w[0] |= 0xff;
}

/* One random encoding: a known opcode with random operands, the second word sometimes shaped so that it is likely
 * legal (VGPR sources, zero unused fields). */
static unsigned generate(const struct isa_target *t, uint32_t w[4])
{
    const struct where *all = layouts[t->layout];
    unsigned n = 0;
    while (all[n].words)
        n++;
    if (!(rnd() & 7)) {
        generate_words(w);
        return 0;
    }
    if (t->ops[FMT_VOPDX] && !(rnd() & 15)) {
        generate_pair(t, w);
        return 2;
    }
    for (;;) {
        const struct where *f = &all[rnd() % n];
        if (!t->ops[f->format])
            continue;
        unsigned op = rnd() % t->op_count[f->format];
        if (!t->ops[f->format][op].row)
            continue;
        uint32_t keep = ((1u << f->bits) - 1) << f->shift;
        /* the format's own bits: everything above the opcode, plus seg bits */
        uint32_t top = f->shift + f->bits >= 32 ? 0 : ~((1u << (f->shift + f->bits)) - 1);
        if (f->format == FMT_VOP2)
            top = 0x80000000u;
        uint32_t seg = f->format == FMT_FLAT || f->format == FMT_GLOBAL || f->format == FMT_SCRATCH
                           ? (t->layout == LAYOUT_GFX11   ? 0x30000u
                              : t->layout == LAYOUT_GFX12 ? 0
                                                          : 0xc000u)
                           : 0;
        if (f->format == FMT_SOP1 || f->format == FMT_SOPC || f->format == FMT_SOPP)
            top = 0xff800000u;
        else if (f->format == FMT_SOPK)
            top = 0xf0000000u;
        else if (f->format == FMT_VOP1 || f->format == FMT_VOPC)
            top = 0xfe000000u;
        else if (f->format == FMT_MUBUF && f->bits == 7)
            top = 0xfc000000u;
        w[0] = pick_word(keep | top | seg, f->match | op << f->shift);
        for (unsigned k = 1; k < 4; k++)
            w[k] = pick_word(0, 0);
        if ((f->format == FMT_VOP1 || f->format == FMT_VOP2 || f->format == FMT_VOPC) && (rnd() & 1))
            add_form(t, w);
        if (f->words == 2 && (rnd() & 1) && (f->format == FMT_VOP3 || f->format == FMT_VOP3P)) {
            static const uint16_t src[] = {256, 257, 300, 511, 4, 8, 128, 129, 240, 193, 255, 106};
            static const uint16_t forms[] = {CODE_DPP16, CODE_DPP8, CODE_DPP8_FI, 256};
            uint32_t a = rnd() & 3 ? src[rnd() % 12] : forms[rnd() & 3], b = rnd() & 1 ? src[rnd() % 12] : 0,
                     c = rnd() & 1 ? src[rnd() % 12] : 0;
            w[1] = a | b << 9 | c << 18 | (rnd() & 3 ? (f->format == FMT_VOP3P ? 3u << 27 : 0) : rnd() & 0xf8000000u);
        }
        return f->words;
    }
}

/* Every opcode of the tables with every bit of a plain encoding flipped, one after the other: which bits a form lets
 * vary shows in whole. Returns how many encodings there are; out may be null. */
static unsigned each_bit(const struct isa_target *t, struct sample *out)
{
    static const uint32_t second[][2] = {{0, 0}, {0x04020100 | 1u << 8, 0}, {1u << 8 | 0x101u << 9 | 0x102u << 18, 0}};
    const struct where *f = layouts[t->layout];
    unsigned n = 0;

    for (; f->words; f++)
        for (unsigned op = 0; t->ops[f->format] && op < t->op_count[f->format]; op++) {
            if (!t->ops[f->format][op].row)
                continue;
            for (unsigned shape = 0; shape < (f->words > 1 ? 3 : 1); shape++)
                for (unsigned bit = 0; bit <= 32u * f->words; bit++, n++) {
                    if (!out)
                        continue;
                    uint32_t w[4] = {f->match | op << f->shift, second[shape][0], second[shape][1], 0};
                    if (bit < 32u * f->words)
                        w[bit / 32] ^= 1u << bit % 32;
                    memcpy(out[n].w, w, sizeof w);
                }
        }
    return n;
}

static char *squeeze(char *s)
{
    char *d = s, *p = s;
    while (*p == ' ' || *p == '\t')
        p++;
    for (; *p && *p != '\n'; p++) {
        char c = *p == '\t' ? ' ' : *p;
        if (c != ' ' || (d > s && d[-1] != ' '))
            *d++ = c;
    }
    while (d > s && d[-1] == ' ')
        d--;
    *d = 0;
    return s;
}

/* Runs llvm-mc-19 over the samples; each is followed by a sentinel s_nop that carries its number. Returns how many it
 * got through: it crashes at some words. */
static unsigned ask_llvm(const char *target, struct sample *s, unsigned n)
{
    char in[] = "/tmp/gcnsim-decode-XXXXXX", cmd[256], line[1024];
    int fd = mkstemp(in);
    assert_true(fd >= 0);
    FILE *f = fdopen(fd, "w");
    assert_non_null(f);
    for (unsigned k = 0; k < n; k++) {
        fputc('[', f);
        for (unsigned b = 0; b < 16; b++)
            fprintf(f, "%s0x%02x", b ? "," : "", s[k].w[b / 4] >> (8 * (b % 4)) & 0xff);
        fprintf(f, "]\n[0x55,0x%02x,0x80,0xbf]\n", k & 0xff);
    }
    fclose(f);
    snprintf(cmd, sizeof cmd, "llvm-mc-19 --disassemble -triple=amdgcn -mcpu=%s %s 2>/dev/null", target, in);
    FILE *p = popen(cmd, "r");
    assert_non_null(p);
    unsigned at = 0;
    bool first = true;
    s[0].theirs[0] = 0;
    while (fgets(line, sizeof line, p)) {
        char sentinel[32];
        squeeze(line);
        if (!line[0] || line[0] == '.')
            continue;
        snprintf(sentinel, sizeof sentinel, "s_nop 0x%x", 0x55 | (at & 0xff) << 8);
        if (!(at & 0xff))
            snprintf(sentinel, sizeof sentinel, "s_nop 0x55");
        if (!strcmp(line, sentinel)) {
            at++;
            first = true;
            continue;
        }
        if (first && at < n) {
            memccpy(s[at].theirs, line, 0, sizeof s[at].theirs - 1);
            s[at].odd = strstr(line, "/*") != NULL;
        }
        first = false;
    }
    pclose(p);
    unlink(in);
    return at;
}

/* Where LLVM's text is wrong (docs/DISASSEMBLY.md): a scalar load of three dwords to trap temporaries shows one, and
 * v_nop takes what follows it for its DPP word. */
static bool llvm_mistake(const char *mine, const char *theirs)
{
    if (!strcmp(mine, "v_nop"))
        return !strncmp(theirs, "v_nop ", 6);
    const char *load = strstr(mine, "load_b96 ttmp[");
    return load && mine[0] == 's' && !strncmp(mine, theirs, (size_t)(load - mine) + 13) &&
           theirs[load - mine + 13] != '[';
}

static void test_target(void **state)
{
    const char *name = *state;
    struct isa_target *t;
    struct err e = {0};
    const char *env = getenv("DECODE_SMOKE");
    unsigned n = env ? (unsigned)atoi(env) : 3000, differ = 0, only_mine = 0, only_theirs = 0, both = 0, odd = 0,
             mistakes = 0;

    if (system("command -v llvm-mc-19 >/dev/null 2>&1")) {
        print_message("SKIPPED: llvm-mc-19 is not installed\n");
        skip();
    }
    assert_int_equal(isa_target_open(&t, name, NULL, &e), 0);
    bool flip = getenv("DECODE_FLIP");
    n = flip ? each_bit(t, NULL) : n;
    struct sample *s = calloc(n, sizeof *s);
    rng_state = 0x9e3779b97f4a7c15;
    if (flip)
        each_bit(t, s);
    for (unsigned k = 0; k < n; k++) {
        struct isa_inst i;
        if (!flip)
            generate(t, s[k].w);
        if (isa_decode(t, (const uint8_t *)s[k].w, 16, &i, NULL))
            isa_text(t, &i, s[k].mine, sizeof s[k].mine);
        squeeze(s[k].mine);
    }
    for (unsigned k = 0; k < n; k++) {
        k += ask_llvm(name, s + k, n - k);
        if (k < n)
            s[k].odd = true;
    }
    for (unsigned k = 0; k < n; k++) {
        bool a = s[k].mine[0], b = s[k].theirs[0];
        if (s[k].odd) {
            odd++;
            continue;
        }
        both += a && b;
        only_mine += a && !b;
        only_theirs += b && !a;
        bool bad = a && b && strcmp(s[k].mine, s[k].theirs) != 0;
        if (bad && llvm_mistake(s[k].mine, s[k].theirs)) {
            mistakes++;
            continue;
        }
        differ += bad;
        if (bad && (differ <= 40 || env))
            print_message("%s %08x %08x %08x: '%s', llvm-mc-19: '%s'\n", name, s[k].w[0], s[k].w[1], s[k].w[2],
                          s[k].mine, s[k].theirs);
        else if (a && !b && env)
            print_message("%s %08x %08x %08x: accepted '%s', llvm-mc-19 rejects\n", name, s[k].w[0], s[k].w[1],
                          s[k].w[2], s[k].mine);
        else if (b && !a && env)
            print_message("%s %08x %08x %08x: rejected, llvm-mc-19: '%s'\n", name, s[k].w[0], s[k].w[1], s[k].w[2],
                          s[k].theirs);
    }
    print_message("%s: %u encodings, %u accepted by both, %u differ, %u only by gcnsim, %u only by llvm-mc-19, %u "
                  "odd, %u LLVM's mistakes\n",
                  name, n, both, differ, only_mine, only_theirs, odd, mistakes);
    free(s);
    isa_target_close(t);
    assert_true(both > n / 10);
    assert_int_equal(differ, 0);
    if (!flip) /* what is left of encodings that LLVM rejects and gcnsim does not: docs/DISASSEMBLY.md */
        assert_true(only_mine <= both / 15);
}

int main(void)
{
    static const char *const names[] = {"gfx803",  "gfx900",  "gfx906",  "gfx908",  "gfx90a", "gfx942",
                                        "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"};
    struct CMUnitTest tests[11];
    for (unsigned k = 0; k < 11; k++)
        tests[k] = (struct CMUnitTest){names[k], test_target, NULL, NULL, (void *)(uintptr_t)names[k]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
