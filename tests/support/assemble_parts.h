/* What the parts of assemble.h share: lines as atoms, how far two are from one another, and the words of one. */
#ifndef GCNSIM_TESTS_ASSEMBLE_PARTS_H
#define GCNSIM_TESTS_ASSEMBLE_PARTS_H

#include <stdbool.h>

#include "isa/isa.h"

enum {
    ASM_LINE = 400, /* characters, */
    ASM_ATOMS = 32,
    ASM_WORDS = 5, /* and words of an instruction */
};

/* A part of a line: an operand, or a modifier with its value. */
struct asm_atom {
    char key[24];
    uint32_t value;
    bool name; /* the value stands for a word: it is the same, or it is not */
};

struct asm_line {
    char mnemonic[48];
    struct asm_atom atom[ASM_ATOMS];
    unsigned atoms, operands;
    bool has_literal;
    uint32_t literal;
};

uint32_t asm_hash(const char *p, size_t n);

/* Reads a line whose operands are those of a format. */
void asm_parse(struct asm_line *l, const struct isa_target *t, unsigned format, const char *text);

/* The atom of that name, or null. */
const struct asm_atom *asm_find(const struct asm_line *l, const char *key);

/* How many bits two atoms are apart, of which one may be missing; and two lines, their literals and mnemonics aside. */
unsigned asm_apart(const struct asm_atom *a, const struct asm_atom *b);
unsigned asm_distance(const struct asm_line *a, const struct asm_line *b);

/* The words of a line; 0: there is no such instruction, and `nearest` is what comes nearest to it, or empty. */
unsigned asm_encode(const struct isa_target *t, const char *text, uint32_t w[ASM_WORDS], char nearest[ASM_LINE]);

#endif
