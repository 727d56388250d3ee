/* LLVM's own disassembler, asked in bulk: the shared library behind llvm-mc-19, through its C interface, so that a
 * million encodings take seconds. tests/golden/test_decode.c checks first that it says what llvm-mc-19 says.
 *
 * LLVM crashes at some words, so every batch runs in a child process; the words that kill it come back as `crashed`.
 */
#ifndef GCNSIM_TESTS_LLVM_ORACLE_H
#define GCNSIM_TESTS_LLVM_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORACLE_BYTES = 24, ORACLE_TEXT = 487 };

struct oracle_word {
    uint8_t bytes[ORACLE_BYTES]; /* in: what to decode */
    uint8_t given;               /* in: how many bytes of it */
    uint8_t size;                /* out: bytes the instruction takes, 0: rejected */
    bool crashed;                /* out: LLVM did not survive it */
    char text[ORACLE_TEXT];      /* out: one blank between words; "" when rejected */
};

/* LLVM 19 is asked unless another is chosen. LLVM 22 may stand anywhere: LLVM22_LIBRARY names its libLLVM. */
enum oracle_version { ORACLE_LLVM19, ORACLE_LLVM22, ORACLE_VERSIONS };
void oracle_choose(enum oracle_version version);

/* Whether the chosen library is installed. */
bool oracle_present(void);

/* An array for n words, zeroed, shared with the children; released with oracle_free. */
struct oracle_word *oracle_alloc(size_t n);
void oracle_free(struct oracle_word *w, size_t n);

/* Fills the out fields of all n words. Returns the seconds of processor time LLVM took, negative when `cpu` is
 * unknown to it. */
double oracle_ask(const char *cpu, struct oracle_word *w, size_t n);

/* Blanks and tabs become one blank each, none at the ends; stops at a line's end. Works in place. */
char *oracle_squeeze(char *s);

#endif
