/* Rates of decoding and of text, in millions of instructions per second of one core, over instruction words of one
 * target read as hex from standard input, one instruction per line.
 *
 *     bench_decode gfx90a < words.txt
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "isa/isa.h"

enum { MAX_WORDS = 1 << 20, ROUNDS_DECODE = 400, ROUNDS_TEXT = 40 };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    struct isa_target *t;
    struct err e = {0};
    static uint32_t words[MAX_WORDS];
    unsigned n = 0;
    char line[256], text[256];
    uint64_t done = 0, sum = 0;

    if (argc != 2 || isa_target_open(&t, argv[1], NULL, &e)) {
        fprintf(stderr, "usage: bench_decode TARGET < words\n%s\n", e.text);
        return 2;
    }
    while (fgets(line, sizeof line, stdin))
        for (char *p = line, *end; n < MAX_WORDS; p = end) {
            unsigned long v = strtoul(p, &end, 16);
            if (end == p)
                break;
            words[n++] = (uint32_t)v;
        }
    for (unsigned text_too = 0; text_too < 2; text_too++) {
        double from = seconds();
        done = 0;
        for (unsigned r = 0; r < (text_too ? ROUNDS_TEXT : ROUNDS_DECODE); r++)
            for (size_t at = 0; at < n;) {
                struct isa_inst i;
                unsigned len = isa_decode(t, (const uint8_t *)(words + at), (n - at) * 4, &i, NULL);
                sum += len;
                if (text_too)
                    sum += isa_text(t, &i, text, sizeof text);
                at += len ? len / 4 : 1;
                done++;
            }
        double took = seconds() - from;
        printf("%s %s: %.1f M/s (%llu instructions)\n", argv[1], text_too ? "decode and text" : "decode",
               (double)done / took / 1e6, (unsigned long long)done);
    }
    isa_target_close(t);
    return sum == 0;
}
