/* Assembles text for a target, so that kernels of tests can be read. No table of encodings stands behind it: of the
 * opcodes with the mnemonic, it takes the encoding that the library's disassembler shows as the line. tests/golden
 * compares that disassembler with LLVM's in both directions, so a line means here what it means there; tests of the
 * decoder itself hold the words of llvm-mc instead.
 *
 * A line is an instruction as `gcnsim disasm` prints it; _e32 and _e64 may be left out where LLVM's assembler finds the
 * form too. Lines end with a newline or ';'. Besides:
 *
 *     loop:                   a label, the operand of branches (s_cbranch_scc1 loop)
 *     .rept 8 ... .endr       its lines eight times; not within another one
 *     .long 0xbf800000        a word as it is
 */
#ifndef GCNSIM_TESTS_ASSEMBLE_H
#define GCNSIM_TESTS_ASSEMBLE_H

#include <stddef.h>
#include <stdint.h>

struct assembled {
    const uint32_t *word; /* kept until the program ends */
    size_t words;
};

/* target: "gfx90a". The test fails with the line that does not assemble. Several threads at once may ask for texts that
 * have been asked for before. */
struct assembled assemble(const char *target, const char *text);

/* The same as two arguments, for functions that take words and how many, or how many bytes. */
#define WORDS(TARGET, TEXT) assemble(TARGET, TEXT).word, assemble(TARGET, TEXT).words
#define BYTES(TARGET, TEXT) assemble(TARGET, TEXT).word, assemble(TARGET, TEXT).words * sizeof(uint32_t)

#endif
