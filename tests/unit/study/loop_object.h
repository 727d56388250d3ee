/* Relocatable objects that are written byte by byte, of instructions as text, and loops made of them. Header-only. */
#ifndef GCNSIM_TESTS_UNIT_STUDY_LOOP_OBJECT_H
#define GCNSIM_TESTS_UNIT_STUDY_LOOP_OBJECT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/assemble.h"

enum {
    SECTION_BYTES = 64,
    CODE_AT = 0x40,
    SYMBOLS_AT = 0x400,
    NAMES_AT = 0x600,
    SECTIONS_AT = 0x800,
    OBJECT_BYTES = 0xa00
};

struct object {
    uint8_t bytes[OBJECT_BYTES];
    unsigned sections, symbols;
    size_t names;
};

static inline void put(struct object *o, size_t at, uint64_t v, unsigned n)
{
    memcpy(o->bytes + at, &v, n);
}

static inline void section(struct object *o, unsigned type, unsigned flags, size_t offset, size_t size, unsigned link)
{
    size_t at = SECTIONS_AT + SECTION_BYTES * o->sections++;

    put(o, at + 4, type, 4);
    put(o, at + 8, flags, 8);
    put(o, at + 24, offset, 8);
    put(o, at + 32, size, 8);
    put(o, at + 40, link, 4);
    put(o, 60, o->sections, 2);
}

static inline void symbol(struct object *o, const char *name, unsigned in_section, uint64_t value)
{
    size_t at = SYMBOLS_AT + 24 * o->symbols++;

    put(o, at, o->names, 4);
    put(o, at + 6, in_section, 2);
    put(o, at + 8, value, 8);
    strcpy((char *)o->bytes + NAMES_AT + o->names, name);
    o->names += strlen(name) + 1;
    put(o, SECTIONS_AT + 2 * SECTION_BYTES + 32, 24 * o->symbols, 8);
    put(o, SECTIONS_AT + 3 * SECTION_BYTES + 32, o->names, 8);
}

/* Section 1 are instructions of a target, 2 and 3 the symbols and their names. */
static inline struct object object_of(const char *target, const char *text)
{
    static const struct {
        const char *target;
        uint32_t flags;
    } machine[] = {{"gfx803", 0x2a}, {"gfx90a", 0x53f}, {"gfx1030", 0x36}, {"gfx1201", 0x4e}};
    struct object o = {.names = 1, .symbols = 1};
    struct assembled code = assemble(target, text);
    size_t k = 0;

    assert_true(code.words * 4 <= SYMBOLS_AT - CODE_AT);
    while (strcmp(machine[k].target, target) != 0)
        assert_true(++k < sizeof machine / sizeof *machine);
    memcpy(o.bytes, "\177ELF\2\1\1\100\3", 9);
    put(&o, 16, 1, 2);
    put(&o, 18, 224, 2);
    put(&o, 40, SECTIONS_AT, 8);
    put(&o, 48, machine[k].flags, 4);
    put(&o, 58, SECTION_BYTES, 2);
    memcpy(o.bytes + CODE_AT, code.word, 4 * code.words);
    section(&o, 0, 0, 0, 0, 0);
    section(&o, 1, 6, CODE_AT, 4 * code.words, 0);
    section(&o, 2, 0, SYMBOLS_AT, 24, 3);
    section(&o, 3, 0, NAMES_AT, 1, 0);
    return o;
}

static inline struct gcnsim_loop_source source_of(const struct object *o)
{
    struct gcnsim_loop_source s;

    gcnsim_loop_source_init(&s);
    s.object = o->bytes;
    s.size = sizeof o->bytes;
    s.name = "mine.s";
    return s;
}

/* The item of a loop; its bytes are to be freed with loop_free(). */
static inline void loop_of_source(const struct gcnsim_loop_source *s, struct gcnsim_compare_item *item)
{
    struct gcnsim_error e = {0};
    void *bytes;

    gcnsim_compare_item_init(item);
    if (gcnsim_compare_loop(s, &bytes, &item->size, &e) != GCNSIM_OK)
        fail_msg("%s", e.text);
    item->label = "mine.s";
    item->bytes = bytes;
}

static inline void loop_of(const char *target, const char *text, struct gcnsim_compare_item *item)
{
    struct object o = object_of(target, text);
    struct gcnsim_loop_source s = source_of(&o);

    loop_of_source(&s, item);
}

static inline void loop_free(struct gcnsim_compare_item *item)
{
    gcnsim_free((void *)(uintptr_t)item->bytes);
}

#endif
