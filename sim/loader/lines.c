/* Reads the DWARF line tables of a code object into one table sorted by address, and with frames.c the functions. No
 * other files but those two and libdw.c use libdw. */
#include "sim/loader/lines.h"

#include "sim/loader/code_object_internal.h"
#include "sim/loader/frames.h"
#include "sim/loader/libdw.h"

#include <gelf.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* Limits of line tables, and of all debug sections that have to be decompressed; more is not read. libdw takes the
 * memory that a header asks for. */
#define MAX_SECTION_BYTES (UINT64_C(1) << 28)
#define LIBDW_ROW_BYTES   128 /* that libdw holds of a row while it reads a table, roughly */

#define MAX_ROWS (UINT64_C(1) << 24)

struct row {
    struct co_line line;
    size_t order; /* as read */
};

/* Names belong to the open DWARF. */
struct co_lines {
    Elf *elf;
    struct libdw_file file;
    struct row *row;
    size_t count, room;
    struct frames frames;
    struct budget *budget;
    uint64_t held; /* of the budget */
};

struct co_lines_slot {
    pthread_mutex_t lock;
    bool read;
    struct co_lines *lines; /* null: none */
};

/* False: out of host memory, or more rows than any program has. */
static bool put(struct co_lines *t, const struct co_line *line)
{
    if (t->count == t->room) {
        size_t room = t->room ? 2 * t->room : 256;
        struct row *more = t->room < MAX_ROWS ? realloc(t->row, room * sizeof *more) : NULL;

        if (!more)
            return false;
        t->row = more;
        t->room = room;
    }
    t->row[t->count] = (struct row){*line, t->count};
    t->count++;
    return true;
}

static bool is_code(const struct code_object *co, uint64_t vaddr)
{
    const struct co_segment *s = co_segment_at(co, vaddr, 1);

    return s && s->executable;
}

/* One row of a line table; false: out of host memory. A row that libdw cannot read leaves its addresses without a
 * line. */
static bool take_row(struct co_lines *t, const struct code_object *co, Dwarf_Line *from)
{
    struct co_line row = {0};
    bool ends = true, begins = false;
    int line = 0, column = 0;
    Dwarf_Addr vaddr;
    const char *name;

    if (dwarf_lineaddr(from, &vaddr))
        return true;
    row.vaddr = vaddr;
    if (dwarf_lineendsequence(from, &ends) || ends) /* it may be the end of the segment */
        return !vaddr || !is_code(co, vaddr - 1) || put(t, &row);
    if (!is_code(co, vaddr))
        return true;
    name = frames_file(dwarf_linesrc(from, NULL, NULL));
    if (name && !dwarf_lineno(from, &line) && line > 0) {
        row.line = (uint32_t)line;
        row.column = !dwarf_linecol(from, &column) && column > 0 ? (uint32_t)column : 0;
        row.statement = !dwarf_linebeginstatement(from, &begins) && begins;
        row.file = name;
    }
    return put(t, &row);
}

/* All line tables: those of units, and those of assembly with .loc directives alone, which no unit names. A malformed
 * one has no rows; the others may do. */
static bool take_tables(struct co_lines *t, const struct code_object *co)
{
    Dwarf_Off at = 0, next = 0;
    Dwarf_Lines *lines = NULL;
    Dwarf_Files *files;
    size_t count = 0, files_count;
    Dwarf_CU *unit = NULL;

    for (;; at = next) {
        int status = dwarf_next_lines(t->file.dwarf, at, &next, &unit, &files, &files_count, &lines, &count);

        for (size_t k = 0; !status && lines && k < count; k++) {
            Dwarf_Line *line = dwarf_onesrcline(lines, k);

            if (line && !take_row(t, co, line))
                return false;
        }
        if (status > 0 || next <= at)
            return true;
    }
}

/* By address; at one address an end comes first, because what begins there is what holds, then as they were read. */
static int by_address(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    if (x->line.vaddr != y->line.vaddr)
        return x->line.vaddr < y->line.vaddr ? -1 : 1;
    if (!x->line.file != !y->line.file)
        return x->line.file ? 1 : -1;
    return x->order < y->order ? -1 : 1;
}

static bool same_place(const struct co_line *a, const struct co_line *b)
{
    if (!a->file || !b->file)
        return a->file == b->file;
    return a->line == b->line && a->column == b->column && a->statement == b->statement && !strcmp(a->file, b->file);
}

/* The last row of one address holds; rows that say what the one before them says are left out. */
static void condense(struct co_lines *t)
{
    size_t n = 0;

    for (size_t k = 0; k < t->count; k++) {
        const struct co_line *line = &t->row[k].line;

        if (k + 1 < t->count && t->row[k + 1].line.vaddr == line->vaddr)
            continue;
        if (n ? !same_place(&t->row[n - 1].line, line) : line->file != NULL)
            t->row[n++] = t->row[k];
    }
    t->count = n;
}

/* Sections that make libdw do what is not promised: open a file that the object names, or decompress what its header
 * does not announce as compressed (.zdebug_*, also before link-time optimisation). Compilers that write code for
 * amdgcn make none of them. */
static bool is_refused(const char *name)
{
    return strstr(name, "gnu_debugaltlink") || strstr(name, "debug_sup") || !strncmp(name, ".z", 2) ||
           !strncmp(name, ".gnu.debuglto_", 14);
}

/* What reading the lines may take: debug sections that have to be decompressed, and the rows, each of which is a byte
 * of a line table at least. False: more than is sane, or sections that are refused. */
static bool cost_of(Elf *elf, uint64_t *cost)
{
    uint64_t inflated = 0, tables = 0;
    size_t names;
    GElf_Shdr header;
    GElf_Chdr original;

    if (elf_getshdrstrndx(elf, &names))
        return false;
    for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
        if (!gelf_getshdr(s, &header) || header.sh_type == SHT_NOBITS)
            continue;
        const char *name = elf_strptr(elf, names, header.sh_name);
        bool compressed = header.sh_flags & SHF_COMPRESSED && gelf_getchdr(s, &original);
        bool lines = name && !strcmp(name, ".debug_line");
        uint64_t bytes = compressed ? original.ch_size : header.sh_size;

        if (name && is_refused(name))
            return false;
        if ((compressed && bytes > MAX_SECTION_BYTES - inflated) || (lines && bytes > MAX_SECTION_BYTES - tables))
            return false;
        inflated += compressed ? bytes : 0;
        tables += lines ? bytes : 0;
    }
    *cost = inflated + tables * (sizeof(struct row) + LIBDW_ROW_BYTES);
    return true;
}

/* libdw ends the process when it is out of memory, unless a handler does not return. A handler does not know which
 * DWARF it is for, so the way out is the thread's. */
static _Thread_local jmp_buf *lines_way_out;

static __attribute__((noreturn)) void on_no_memory(void)
{
    longjmp(*lines_way_out, 1);
}

static bool take_frames(struct co_lines *t, const struct code_object *co)
{
    return frames_read(&t->frames, t->file.dwarf, co);
}

/* One of the two above with a way out. */
static bool safely(bool (*take_lines)(struct co_lines *t, const struct code_object *co), struct co_lines *t,
                   const struct code_object *co)
{
    jmp_buf way_out;
    volatile bool good = false;

    lines_way_out = &way_out;
    dwarf_new_oom_handler(t->file.dwarf, on_no_memory);
    if (!setjmp(way_out))
        good = take_lines(t, co);
    lines_way_out = NULL;
    return good;
}

static bool read_dwarf(struct co_lines *t, const struct code_object *co)
{
    uint64_t cost;

    if (elf_version(EV_CURRENT) == EV_NONE)
        return false;
    t->elf = elf_memory((char *)co->elf, co->elf_size);
    if (!t->elf || !cost_of(t->elf, &cost))
        return false;
    if (!budget_take(co->budget, cost)) {
        budget_forget(co->budget); /* there are no source lines then */
        return false;
    }
    t->budget = co->budget;
    t->held = cost;
    return libdw_open(&t->file, t->elf, co->elf, co->elf_size) && safely(take_tables, t, co);
}

static void free_lines(struct co_lines *t)
{
    if (!t)
        return;
    frames_free(&t->frames);
    libdw_close(&t->file);
    elf_end(t->elf);
    free(t->row);
    budget_give(t->budget, t->held);
    free(t);
}

static struct co_lines *read_lines(const struct code_object *co)
{
    struct co_lines *t = calloc(1, sizeof *t);

    if (t && read_dwarf(t, co) && t->count) {
        qsort(t->row, t->count, sizeof *t->row, by_address);
        condense(t);
        if (!safely(take_frames, t, co))
            frames_free(&t->frames);
        if (t->count)
            return t;
    }
    free_lines(t);
    return NULL;
}

struct co_lines_slot *co_lines_slot_new(void)
{
    struct co_lines_slot *slot = calloc(1, sizeof *slot);

    if (slot)
        pthread_mutex_init(&slot->lock, NULL);
    return slot;
}

void co_lines_slot_free(struct co_lines_slot *slot)
{
    if (!slot)
        return;
    free_lines(slot->lines);
    pthread_mutex_destroy(&slot->lock);
    free(slot);
}

const struct co_lines *code_object_lines(const struct code_object *co)
{
    struct co_lines_slot *slot = co->lines;

    pthread_mutex_lock(&slot->lock);
    if (!slot->read)
        slot->lines = read_lines(co);
    slot->read = true;
    pthread_mutex_unlock(&slot->lock);
    return slot->lines;
}

size_t co_lines_count(const struct co_lines *lines)
{
    return lines ? lines->count : 0;
}

const struct co_line *co_lines_row(const struct co_lines *lines, size_t index)
{
    return &lines->row[index].line;
}

const struct co_line *co_lines_at(const struct co_lines *lines, uint64_t vaddr)
{
    size_t lo = 0, hi = co_lines_count(lines); /* rows before lo are at vaddr or below it, rows from hi on above */

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (lines->row[mid].line.vaddr <= vaddr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo && lines->row[lo - 1].line.file ? &lines->row[lo - 1].line : NULL;
}

size_t co_lines_frames(const struct co_lines *lines, uint64_t vaddr, struct co_frame *out, size_t max)
{
    const struct co_line *at = co_lines_at(lines, vaddr);
    uint32_t scope = lines ? frames_at(&lines->frames, vaddr) : FRAMES_NONE;
    struct co_frame next = {0};
    size_t n = 0;

    if (at)
        next = (struct co_frame){NULL, at->file, at->line, at->column};
    if (scope == FRAMES_NONE && at && max)
        out[n++] = next;
    while (scope != FRAMES_NONE && n < max) {
        const struct frames_scope *s = &lines->frames.scope[scope];

        next.function = s->function;
        out[n++] = next;
        next = (struct co_frame){NULL, s->call_file, s->call_file ? s->call_line : 0, s->call_column};
        scope = s->parent;
    }
    return n;
}
