/* What tests/golden/llvm_oracle.c and the program it starts, tests/golden/oracle_child.c, share: a file in memory with
 * this head, and the words from ORACLE_WORDS_AT on.
 */
#ifndef GCNSIM_TESTS_ORACLE_CHILD_H
#define GCNSIM_TESTS_ORACLE_CHILD_H

#include "tests/golden/llvm_oracle.h"

enum { ORACLE_WORDS_AT = 4096, ORACLE_NO_LIBRARY = 2, ORACLE_NO_TARGET = 3 };

struct oracle_head {
    size_t bytes, words; /* of the file; all words there is place for */
    size_t next, end;    /* the word being asked; one past the last to ask */
    double seconds;      /* of processor time in LLVM */
    int fd;
};

#endif
