/* Reads the functions of a code object's DWARF, and what was inlined into them, into a table of addresses. */
#include "sim/loader/frames.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* Which file numbers mean what, in the unit that is being read. */
struct unit {
    Dwarf_Files *files;
    size_t file_count;
};

/* Room for one more of what *array holds; false: out of host memory, or the budget is spent. */
static bool reserve(struct frames *f, void **array, size_t count, size_t *room, size_t bytes)
{
    size_t more = *room ? 2 * *room : 64;
    void *grown;

    if (count < *room)
        return true;
    if (!budget_take(f->budget, (more - *room) * bytes)) {
        budget_forget(f->budget); /* there are no frames then */
        return false;
    }
    f->held += (more - *room) * bytes;
    grown = realloc(*array, more * bytes);
    if (!grown)
        return false;
    *array = grown;
    *room = more;
    return true;
}

static const char *function_name(Dwarf_Die *die)
{
    static const unsigned names[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name};
    Dwarf_Attribute attribute;

    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const char *name = dwarf_attr_integrate(die, names[k], &attribute) ? dwarf_formstring(&attribute) : NULL;
        if (name && *name)
            return name;
    }
    return NULL;
}

static uint32_t number(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;

    return dwarf_attr(die, name, &attribute) && !dwarf_formudata(&attribute, &value) && value <= INT32_MAX
               ? (uint32_t)value
               : 0;
}

/* A scope of this DIE; FRAMES_NONE when out of host memory. */
static uint32_t add_scope(struct frames *f, const struct unit *u, Dwarf_Die *die, uint32_t parent)
{
    struct frames_scope s = {.parent = parent};
    uint32_t file;

    if (!reserve(f, (void **)&f->scope, f->scopes, &f->scope_room, sizeof *f->scope))
        return FRAMES_NONE;
    s.function = function_name(die);
    if (parent != FRAMES_NONE) {
        file = number(die, DW_AT_call_file);
        s.call_line = number(die, DW_AT_call_line);
        s.call_column = number(die, DW_AT_call_column);
        s.call_file = s.call_line && u->files && file < u->file_count
                          ? frames_file(dwarf_filesrc(u->files, file, NULL, NULL))
                          : NULL;
    }
    f->scope[f->scopes] = s;
    return (uint32_t)f->scopes++;
}

/* The addresses of a scope, those in code; false: out of host memory, or too many. */
static bool add_ranges(struct frames *f, const struct code_object *co, Dwarf_Die *die, uint32_t scope, uint32_t depth)
{
    Dwarf_Addr base, lo, hi;
    ptrdiff_t at = 0;
    size_t seen = 0;

    while ((at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0) {
        const struct co_segment *s = lo < hi ? co_segment_at(co, lo, 1) : NULL;

        if (++seen + f->ranges > FRAMES_MAX_RANGES)
            return false;
        if (!s || !s->executable)
            continue;
        if (!reserve(f, (void **)&f->range, f->ranges, &f->range_room, sizeof *f->range))
            return false;
        f->range[f->ranges++] = (struct frames_range){lo, hi, scope, depth};
    }
    return true;
}

/* A level of the tree of DIEs: where the walk is, and the scope that it is in. */
struct level {
    Dwarf_Die die;
    uint32_t scope;
};

/* Whether scopes may be below. Declarations and types, which are most of the tree, are passed by. */
static bool descends(int tag)
{
    switch (tag) {
    case DW_TAG_compile_unit:
    case DW_TAG_partial_unit:
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
        return true;
    default:
        return false;
    }
}

/* Takes a DIE: *scope becomes its own where it is one. */
static bool take_die(struct frames *f, const struct code_object *co, const struct unit *u, struct level *at,
                     uint32_t depth)
{
    int tag = dwarf_tag(&at->die);
    bool inlined = tag == DW_TAG_inlined_subroutine && at->scope != FRAMES_NONE;
    size_t before = f->ranges;
    uint32_t scope;

    if (tag != DW_TAG_subprogram && !inlined)
        return true;
    scope = add_scope(f, u, &at->die, inlined ? at->scope : FRAMES_NONE);
    if (scope == FRAMES_NONE || !add_ranges(f, co, &at->die, scope, depth))
        return false;
    if (f->ranges == before) { /* a declaration, an abstract instance, or what the linker dropped */
        f->scopes--;
        at->scope = FRAMES_NONE;
    } else {
        at->scope = scope;
    }
    return true;
}

/* All of a unit, without recursion: a file can nest as deep as it is long. */
static bool take_unit(struct frames *f, const struct code_object *co, Dwarf_Die *unit_die)
{
    struct level *level = f->working;
    struct unit u = {0};
    unsigned depth = 0;

    if (dwarf_getsrcfiles(unit_die, &u.files, &u.file_count))
        u.files = NULL;
    level[0] = (struct level){*unit_die, FRAMES_NONE};
    for (;;) {
        struct level *at = &level[depth];

        if (!take_die(f, co, &u, at, depth))
            return false;
        if (depth + 1 < FRAMES_MAX_DEPTH && descends(dwarf_tag(&at->die)) && dwarf_child(&at->die, &at[1].die) == 0) {
            depth++;
        } else {
            while (depth && dwarf_siblingof(&level[depth].die, &level[depth].die) != 0)
                depth--;
            if (!depth)
                return true;
        }
        level[depth].scope = level[depth - 1].scope;
    }
}

/* All units, unless one is of another file. */
static bool take_units(struct frames *f, Dwarf *dwarf, const struct code_object *co)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Half version;
    Dwarf_Die die;
    uint8_t type;
    int status;

    f->working = calloc(FRAMES_MAX_DEPTH, sizeof(struct level));
    if (!f->working)
        return false;
    while ((status = dwarf_get_units(dwarf, unit, &unit, &version, &type, NULL, NULL)) == 0)
        if (type == DW_UT_skeleton || type == DW_UT_split_compile || type == DW_UT_split_type)
            return false;
    for (unit = NULL; (status = dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, NULL)) == 0;)
        if ((type == DW_UT_compile || type == DW_UT_partial) && !take_unit(f, co, &die))
            return false;
    return true; /* of what is damaged the units before it count */
}

static int by_lo(const void *a, const void *b)
{
    const struct frames_range *x = a, *y = b;

    if (x->lo != y->lo)
        return x->lo < y->lo ? -1 : 1;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return x->scope < y->scope ? -1 : x->scope > y->scope;
}

/* Whether the range a is to hold where b is as well. */
static bool inner(const struct frames_range *a, const struct frames_range *b)
{
    return a->depth != b->depth ? a->depth > b->depth : a->scope > b->scope;
}

/* ---- a heap of the ranges that have begun, the innermost on top ---- */

static void heap_push(const struct frames *f, uint32_t *heap, size_t *n, uint32_t range)
{
    size_t k = (*n)++;

    for (; k && inner(&f->range[range], &f->range[heap[(k - 1) / 2]]); k = (k - 1) / 2)
        heap[k] = heap[(k - 1) / 2];
    heap[k] = range;
}

static void heap_pop(const struct frames *f, uint32_t *heap, size_t *n)
{
    uint32_t last = heap[--*n];
    size_t k = 0;

    for (size_t child; (child = 2 * k + 1) < *n; k = child) {
        child += child + 1 < *n && inner(&f->range[heap[child + 1]], &f->range[heap[child]]);
        if (!inner(&f->range[heap[child]], &f->range[last]))
            break;
        heap[k] = heap[child];
    }
    heap[k] = last;
}

/* The ranges without overlaps, into an array with room for two for each that there is; how many. heap: room for all. */
static size_t flatten(const struct frames *f, struct frames_range *flat, uint32_t *heap)
{
    const struct frames_range *range = f->range;
    size_t n = f->ranges, begun = 0, out = 0, active = 0;
    uint64_t at = 0;

    while (begun < n || active) {
        if (!active && range[begun].lo > at)
            at = range[begun].lo;
        while (begun < n && range[begun].lo <= at)
            heap_push(f, heap, &active, (uint32_t)begun++);
        while (active && range[heap[0]].hi <= at)
            heap_pop(f, heap, &active);
        if (!active)
            continue;
        struct frames_range top = range[heap[0]];
        uint64_t end = begun < n && range[begun].lo < top.hi ? range[begun].lo : top.hi;

        if (out && flat[out - 1].hi == at && flat[out - 1].scope == top.scope)
            flat[out - 1].hi = end;
        else
            flat[out++] = (struct frames_range){at, end, top.scope, top.depth};
        at = end;
    }
    return out;
}

bool frames_read(struct frames *f, Dwarf *dwarf, const struct code_object *co)
{
    struct frames_range *flat;

    f->budget = co->budget;
    if (!take_units(f, dwarf, co) || !f->ranges)
        return false;
    uint64_t more = f->ranges * (2 * sizeof *f->range + sizeof(uint32_t));
    if (!budget_take(f->budget, more)) {
        budget_forget(f->budget);
        return false;
    }
    f->held += more;
    free(f->working);
    f->working = malloc((f->ranges + 1) * sizeof(uint32_t));
    flat = malloc((2 * f->ranges + 1) * sizeof *flat);
    if (!f->working || !flat) {
        free(flat);
        return false;
    }
    qsort(f->range, f->ranges, sizeof *f->range, by_lo);
    f->ranges = flatten(f, flat, f->working);
    free(f->range);
    f->range = flat;
    free(f->working);
    f->working = NULL;
    return true;
}

void frames_free(struct frames *f)
{
    free(f->scope);
    free(f->range);
    free(f->working);
    budget_give(f->budget, f->held);
    *f = (struct frames){0};
}

uint32_t frames_at(const struct frames *f, uint64_t vaddr)
{
    size_t lo = 0, hi = f->ranges; /* ranges before lo begin at vaddr or below it, those from hi on above */

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (f->range[mid].lo <= vaddr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo && vaddr < f->range[lo - 1].hi ? f->range[lo - 1].scope : FRAMES_NONE;
}
