/* libFuzzer target: the source lines of a code object and its inlined calls, which libdw reads out of its DWARF.
 * Whatever the bytes are, the table that comes out is sorted, in code, and finds its own rows; frames end, and begin at
 * the row.
 */
#include "sim/loader/lines.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* for the mutator (path_mutate.h) */
extern const int mutation_prefers_contents;
const int mutation_prefers_contents = 1;

static void must(int condition)
{
    if (!condition)
        abort();
}

static void check_frames(const struct co_lines *lines, const struct co_line *row, uint64_t vaddr)
{
    struct co_frame f[CO_MAX_FRAMES];
    size_t n = co_lines_frames(lines, vaddr, f, CO_MAX_FRAMES);

    must(n <= CO_MAX_FRAMES && (!row || (n && f[0].file == row->file && f[0].line == row->line)));
    for (size_t k = 0; k < n; k++) {
        must(!f[k].function || *f[k].function);
        must(!f[k].file == !f[k].line);
    }
}

static void check_rows(const struct code_object *co, const struct co_lines *lines)
{
    size_t n = co_lines_count(lines);

    for (size_t i = 0; i < n; i++) {
        const struct co_line *row = co_lines_row(lines, i);
        must(i == 0 || co_lines_row(lines, i - 1)->vaddr < row->vaddr);
        must(co_lines_at(lines, row->vaddr) == (row->file ? row : NULL));
        if (row->file) {
            /* its end can be read */
            must(*(const volatile char *)(row->file + strlen(row->file)) == 0);
            must(row->line > 0);
        }
    }
    for (unsigned i = 0; i < code_object_text_count(co); i++) {
        const struct co_text *t = code_object_text(co, i);
        for (uint64_t at = 0; at < t->size && at < 4096; at += 4) {
            const struct co_line *row = co_lines_at(lines, t->vaddr + at);
            must(!row || (row->file && row->vaddr <= t->vaddr + at));
            check_frames(lines, row, t->vaddr + at);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct code_object *co;
    struct err e = {0};

    if (code_object_open(&co, data, size, "fuzz", NULL, NULL, &e))
        return 0;
    const struct co_lines *lines = code_object_lines(co);
    must(lines == code_object_lines(co)); /* built once */
    check_rows(co, lines);
    code_object_close(co);
    return 0;
}
