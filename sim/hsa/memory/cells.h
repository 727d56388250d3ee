/* Cells: what guests see of the runtime's signals and queues.
 *
 * A cell is a stretch of a page that kernels and the program read and write as they like, and whose address is the
 * handle. Beside each is a record, where kernels do not reach, with what the runtime itself goes by. So a handle is
 * looked up, and never followed; nothing in a cell is believed, and nothing there says where another object is.
 */
#ifndef GCNSIM_HSA_CELLS_H
#define GCNSIM_HSA_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cell_kind { CELL_SIGNAL, CELL_QUEUE, CELL_KINDS };

/* Bytes of a cell, and at most of the record beside it: whose they are asserts that they fit (CELL_FITS()). */
#define CELL_SIGNAL_BYTES  128
#define CELL_SIGNAL_RECORD 128
#define CELL_QUEUE_BYTES   512
#define CELL_QUEUE_RECORD  256
#define CELL_FITS(kind, record, in_cell)                                                                               \
    _Static_assert(sizeof(record) <= kind##_RECORD, "a record fits");                                                  \
    _Static_assert(offsetof(record, shown) == 0, "a record's first member");                                           \
    _Static_assert(sizeof(in_cell) <= kind##_BYTES, "what is shown fits in a cell")

/* A zeroed cell, and its record, which is returned: zero but for its first member, the address of the cell; null: out
 * of host memory. A record that is used again keeps that address all the time: who is late with a signal or queue that
 * has been destroyed does no harm. */
void *cell_new(enum cell_kind kind);
/* The cell at the address may become another object; false: none of the kind begins there. Its memory stays, and the
 * record's, so that who still waits for it looks at memory, not at a hole. */
bool cell_free(enum cell_kind kind, uint64_t address);
/* The record of the cell that begins at the address; null: none of the kind that is in use does. Takes no lock. */
void *cell_find(enum cell_kind kind, uint64_t address);
/* Calls fn for each record that is in use. None comes or goes meanwhile. */
void cells_each(enum cell_kind kind, void (*fn)(void *record, void *ctx), void *ctx);

#endif
