/* LLVM's own disassembler, asked in bulk: the shared library behind llvm-mc, through its C interface, so that a million
 * encodings take seconds. tests/golden/test_decode.c checks first that it says what llvm-mc says.
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

/* LLVM 19 is asked unless another is chosen. LLVM 22 may stand anywhere: tests/llvm22.sh. */
enum oracle_version { ORACLE_LLVM19, ORACLE_LLVM22, ORACLE_VERSIONS };
void oracle_choose(enum oracle_version version);

/* The version that knows a target: LLVM 19 where it does. */
enum oracle_version oracle_for(const char *target);

/* Whether its text names halves of registers, for which LLVM has to be asked. */
bool oracle_names_halves(const char *target);

/* What starts a shell command that runs a tool ("llvm-mc", "clang") of a version: "llvm-mc-19". */
const char *oracle_tool(enum oracle_version version, const char *tool);

/* The chosen version's name, "LLVM 19"; and where it is not installed a line that says so, else null. */
const char *oracle_name(void);
const char *oracle_absent(void);

/* An array for n words, zeroed, shared with the children; released with oracle_free. */
struct oracle_word *oracle_alloc(size_t n);
void oracle_free(struct oracle_word *w);

/* Fills the out fields of the first n words of an array of oracle_alloc. Returns the seconds of processor time LLVM
 * took, negative when `cpu` is unknown to it. */
double oracle_ask(const char *cpu, struct oracle_word *w, size_t n);

/* Blanks and tabs become one blank each, none at the ends; stops at a line's end. Works in place. */
char *oracle_squeeze(char *s);

#endif
