/* llvm-mc of the version that knows a target, run over files. */
#ifndef GCNSIM_TESTS_LLVM_MC_H
#define GCNSIM_TESTS_LLVM_MC_H

#include <limits.h>
#include <stdio.h>

#include "tests/golden/llvm_oracle.h"

struct llvm_mc_files {
    char in[PATH_MAX], out[PATH_MAX + 8], err[PATH_MAX + 8];
};

/* The input, to be filled and closed; afterwards the names are removed. */
FILE *llvm_mc_open(struct llvm_mc_files *s);
void llvm_mc_remove(const struct llvm_mc_files *s);
void llvm_mc_run(const struct llvm_mc_files *s, const char *options, const char *target);

/* Marks the lines of the input (from 1) that the tool refused. */
void llvm_mc_refused(const struct llvm_mc_files *s, bool *refused, size_t lines);

/* The next line of its output that is no directive; false at the end. */
bool llvm_mc_line(FILE *f, char *line, size_t size);

/* "// encoding: [0x01,...]": the number of bytes. */
unsigned llvm_mc_encoding(const char *line, uint8_t bytes[ORACLE_BYTES]);

/* A word of which LLVM's disassembler says something else than gcnsim; "" and 0 where it is no instruction. */
struct llvm_suspect {
    uint8_t bytes[ORACLE_BYTES], size, their_size;
    char ours[512], theirs[512];
};
/* Where LLVM is wrong by its own assembler: it refuses LLVM's text, or makes a word of another length or format of it;
 * or it makes a word of gcnsim's text of which LLVM's disassembler says the same wrong thing. */
void llvm_judge(const char *target, const struct llvm_suspect *s, size_t n, bool *mistake);

#endif
