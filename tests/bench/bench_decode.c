/* Rates of decoding and of text, in millions of instructions per second of one core, beside LLVM's own disassembler in
 * the same run where it is installed. The instruction words of one target are read as hex from standard input, one
 * instruction per line.
 *
 *     bench_decode gfx90a < words.txt
 *
 * Rounds are short and the best one counts: what disturbs a round only ever makes it slower. LLVM's figure is decoding
 * and text together, as its interface has them; it is given each instruction once per round.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "isa/isa.h"
#include "tests/bench/rows.h"
#include "tests/golden/llvm_oracle.h"

enum { MAX_WORDS = 1 << 20, ROUNDS = 60, LLVM_ROUNDS = 4 };

static unsigned read_words(uint32_t *words)
{
    char line[256];
    unsigned n = 0;

    while (fgets(line, sizeof line, stdin))
        for (char *p = line, *end; n < MAX_WORDS; p = end) {
            unsigned long v = strtoul(p, &end, 16);
            if (end == p)
                break;
            words[n++] = (uint32_t)v;
        }
    return n;
}

/* One pass over the words; returns how many instructions. *sum keeps the work from being left out. */
static unsigned pass(const struct isa_target *t, const uint32_t *words, unsigned n, bool with_text, uint64_t *sum)
{
    char text[256];
    unsigned done = 0;

    for (unsigned at = 0; at < n; done++) {
        struct isa_inst i;
        unsigned len = isa_decode(t, (const uint8_t *)(words + at), (n - at) * (size_t)4, &i, NULL);
        *sum += len;
        if (with_text)
            *sum += isa_text(t, &i, text, sizeof text);
        at += len ? len / 4 : 1;
    }
    return done;
}

static double best_rate(const struct isa_target *t, const uint32_t *words, unsigned n, bool with_text, uint64_t *sum)
{
    double best = 0;

    for (unsigned r = 0; r < ROUNDS; r++) {
        double from = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
        unsigned done = pass(t, words, n, with_text, sum);
        double rate = done / (bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - from);
        best = rate > best ? rate : best;
    }
    return best;
}

/* 0 when LLVM is not there. */
static double llvm_rate(const struct isa_target *t, const uint32_t *words, unsigned n)
{
    struct oracle_word *w = oracle_absent() ? NULL : oracle_alloc(n);
    unsigned count = 0;
    double best = 0;

    if (!w)
        return 0;
    for (unsigned at = 0; at < n; count++) {
        struct isa_inst i;
        unsigned len = isa_decode(t, (const uint8_t *)(words + at), (n - at) * (size_t)4, &i, NULL);
        w[count].given = (uint8_t)(len ? len : 4);
        memcpy(w[count].bytes, words + at, w[count].given);
        at += len ? len / 4 : 1;
    }
    for (unsigned r = 0; r < LLVM_ROUNDS; r++) {
        double took = oracle_ask(t->name, w, count);
        if (took > 0 && count / took > best)
            best = count / took;
    }
    oracle_free(w);
    return best;
}

int main(int argc, char **argv)
{
    struct isa_target *t;
    struct err e = {0};
    static uint32_t words[MAX_WORDS];
    uint64_t sum = 0;

    if (argc != 2 || isa_target_open(&t, argv[1], NULL, &e)) {
        fprintf(stderr, "usage: bench_decode TARGET < words\n%s\n", e.text);
        return 2;
    }
    unsigned n = read_words(words);
    bench_begin();
    double decode = best_rate(t, words, n, false, &sum), text = best_rate(t, words, n, true, &sum);
    bench_row(decode * 1e-6, "M/s", 0, "decode: %s", argv[1]);
    bench_row(text * 1e-6, "M/s", 0, "decode and text: %s", argv[1]);
    double llvm = llvm_rate(t, words, n);
    printf("%-8s decode %6.1f M/s   decode and text %6.2f M/s", argv[1], decode * 1e-6, text * 1e-6);
    if (llvm > 0)
        printf("   LLVM %6.2f M/s   ratio %5.1f\n", llvm * 1e-6, text / llvm);
    else
        printf("   LLVM 19's library is not installed\n");
    isa_target_close(t);
    return sum == 0;
}
