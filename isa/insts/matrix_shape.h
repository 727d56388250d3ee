/* Where the rows of C and D of matrix instructions are in their registers. */
#ifndef GCNSIM_ISA_INSTS_MATRIX_SHAPE_H
#define GCNSIM_ISA_INSTS_MATRIX_SHAPE_H

#include "isa/insts/matrix_vector.h"

/* All numbers of layouts are powers of two, and divisions by what is not known at compile time slow. */
static inline unsigned mat_over(unsigned v, unsigned power)
{
    return v >> __builtin_ctz(power);
}

/* What a row of C or D is in its registers. Halves: gfx11 (group 1) has one half of each word, the others the even
 * rows in the low and the odd ones in the high halves. */
enum mat_words { WORDS_ALONE, WORDS_F16, WORDS_BF16 };

/* Layout of C and D in their registers. `columns`: those of a block, or with m = 4 of all blocks side by side. `group`:
 * rows that lie in consecutive items of a lane; gfx12 gives lanes 0..15 the first rows, lanes 16..31 the next ones and
 * so on. Known at compile time, which is what makes mat_row_at cheap. */
struct mat_shape {
    unsigned rows, columns, lanes, group;
    enum mat_words words;
};

/* Whether two rows share their words. */
MAT_INLINE bool mat_rows_paired(const struct mat_shape s)
{
    return s.words != WORDS_ALONE && s.group != 1;
}

/* Words from the first register's first lane to element (i, 0) of block q of C and D; j counts lanes on from there. The
 * rows i to i + 3, i a multiple of four, are mat_row_step apart. */
MAT_INLINE size_t mat_row_at(const struct mat_shape s, unsigned q, unsigned i)
{
    unsigned which = i / s.group, spread = s.lanes / s.columns;
    size_t item = i % s.group + which / spread * s.group + q * (s.rows / spread);

    return (mat_rows_paired(s) ? item / 2 : item) * s.lanes + which % spread * s.columns;
}

MAT_INLINE size_t mat_row_step(const struct mat_shape s)
{
    return s.group == 1 ? s.columns : s.lanes;
}

#endif
