/* A small amdgcn code object written byte by byte, so that tests of the loader need no compiler and can place any
 * value anywhere.
 *
 *   file      vaddr    what
 *   0x000     0x0000   header, program headers at 0x40 (read, execute, write, note)
 *   0x200     0x0200   notes, to 0x400
 *   0x400     0x0400   .dynsym (8 at most), 0x500 .dynstr, 0x580 .rela.dyn (16 at most)
 *   0x740     0x0740   "k.kd"
 *   0x800     0x1800   .text, 0x100 bytes: "k"
 *   0xa00     0x2a00   .data, 0x100 bytes in the file, 0x200 in memory
 *   0xc00     -        section headers, then their names
 */
#ifndef TESTS_UNIT_LOADER_TOY_ELF_H
#define TESTS_UNIT_LOADER_TOY_ELF_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#define TOY_BYTES      0x1000
#define TOY_DESCRIPTOR 0x740
#define TOY_TEXT       0x800
#define TOY_DATA       0xa00
#define TOY_TEXT_VADDR 0x1800
#define TOY_DATA_VADDR 0x2a00
#define TOY_SECTIONS   0xc00

enum {
    TOY_NULL,
    TOY_S_NOTE,
    TOY_S_DYNSYM,
    TOY_S_DYNSTR,
    TOY_S_RELA,
    TOY_S_RODATA,
    TOY_S_TEXT,
    TOY_S_DATA,
    TOY_S_NAMES
};
enum { TOY_LOCAL = 0x00, TOY_GLOBAL = 0x10, TOY_WEAK = 0x20, TOY_NOTYPE = 0, TOY_OBJECT = 1, TOY_FUNC = 2 };

struct toy {
    uint8_t bytes[TOY_BYTES];
    unsigned symbols, relas;
    size_t names, notes;
};

static inline void toy_put(struct toy *t, size_t at, uint64_t v, unsigned n)
{
    memcpy(t->bytes + at, &v, n);
}

static inline void toy_section(struct toy *t, unsigned i, uint32_t type, uint64_t flags, uint64_t addr, uint64_t off,
                               uint64_t size, uint32_t link, uint64_t entsize)
{
    size_t at = TOY_SECTIONS + i * 64u;

    toy_put(t, at + 4, type, 4);
    toy_put(t, at + 8, flags, 8);
    toy_put(t, at + 16, addr, 8);
    toy_put(t, at + 24, off, 8);
    toy_put(t, at + 32, size, 8);
    toy_put(t, at + 40, link, 4);
    toy_put(t, at + 48, 8, 8);
    toy_put(t, at + 56, entsize, 8);
}

static inline void toy_segment(struct toy *t, unsigned i, uint32_t type, uint32_t flags, uint64_t off, uint64_t vaddr,
                               uint64_t filesz, uint64_t memsz, uint64_t align)
{
    size_t at = 0x40 + i * 56u;

    toy_put(t, at, type, 4);
    toy_put(t, at + 4, flags, 4);
    toy_put(t, at + 8, off, 8);
    toy_put(t, at + 16, vaddr, 8);
    toy_put(t, at + 32, filesz, 8);
    toy_put(t, at + 40, memsz, 8);
    toy_put(t, at + 48, align, 8);
}

static inline unsigned toy_symbol(struct toy *t, const char *name, unsigned info, unsigned section, uint64_t value,
                                  uint64_t size)
{
    size_t at = 0x400 + t->symbols * 24u;

    assert(t->symbols < 8 && t->names + strlen(name) + 1 <= 0x80);
    toy_put(t, at, name[0] ? t->names : 0, 4);
    toy_put(t, at + 4, info, 1);
    toy_put(t, at + 6, section, 2);
    toy_put(t, at + 8, value, 8);
    toy_put(t, at + 16, size, 8);
    memcpy(t->bytes + 0x500 + t->names, name, strlen(name) + 1);
    t->names += strlen(name) + 1;
    toy_put(t, TOY_SECTIONS + TOY_S_DYNSYM * 64 + 32, (t->symbols + 1) * 24u, 8);
    return t->symbols++;
}

static inline void toy_rela(struct toy *t, uint64_t place, unsigned type, unsigned symbol, int64_t addend)
{
    size_t at = 0x580 + t->relas * 24u;

    assert(t->relas < 16);
    toy_put(t, at, place, 8);
    toy_put(t, at + 8, (uint64_t)symbol << 32 | type, 8);
    toy_put(t, at + 16, (uint64_t)addend, 8);
    toy_put(t, TOY_SECTIONS + TOY_S_RELA * 64 + 32, ++t->relas * 24u, 8);
}

/* An AMDGPU metadata note holding `n` bytes. */
static inline void toy_note(struct toy *t, const void *bytes, size_t n)
{
    size_t at = 0x200 + t->notes;

    assert(t->notes + 20 + ((n + 3) & ~(size_t)3) <= 0x200);
    toy_put(t, at, 7, 4);
    toy_put(t, at + 4, n, 4);
    toy_put(t, at + 8, 32, 4);
    memcpy(t->bytes + at + 12, "AMDGPU\0", 8);
    memcpy(t->bytes + at + 20, bytes, n);
    t->notes += 20 + ((n + 3) & ~(size_t)3);
    toy_segment(t, 3, 4, 4, 0x200, 0x200, t->notes, t->notes, 4);
}

/* e_flags and ABI version; kernel "k" with an s_endpgm, no metadata. */
static inline void toy_init(struct toy *t, uint32_t flags, unsigned abi_version)
{
    memset(t, 0, sizeof *t);
    memcpy(t->bytes, "\177ELF\2\1\1\100", 8);
    toy_put(t, 8, abi_version, 1);
    toy_put(t, 16, 3, 2);   /* ET_DYN */
    toy_put(t, 18, 224, 2); /* EM_AMDGPU */
    toy_put(t, 20, 1, 4);
    toy_put(t, 32, 0x40, 8); /* program headers */
    toy_put(t, 40, TOY_SECTIONS, 8);
    toy_put(t, 48, flags, 4);
    toy_put(t, 52, 64, 2);
    toy_put(t, 54, 56, 2);
    toy_put(t, 56, 4, 2);
    toy_put(t, 58, 64, 2);
    toy_put(t, 60, 9, 2);
    toy_put(t, 62, TOY_S_NAMES, 2);
    toy_segment(t, 0, 1, 4, 0, 0, 0x780, 0x780, 0x1000);
    toy_segment(t, 1, 1, 5, 0x800, TOY_TEXT_VADDR, 0x100, 0x100, 0x1000);
    toy_segment(t, 2, 1, 6, 0xa00, TOY_DATA_VADDR, 0x100, 0x200, 0x1000);
    toy_segment(t, 3, 4, 4, 0x200, 0x200, 0, 0, 4);
    toy_section(t, TOY_S_NOTE, 7, 2, 0x200, 0x200, 0x200, 0, 0);
    toy_section(t, TOY_S_DYNSYM, 11, 2, 0x400, 0x400, 0, TOY_S_DYNSTR, 24);
    toy_section(t, TOY_S_DYNSTR, 3, 2, 0x500, 0x500, 0x80, 0, 0);
    toy_section(t, TOY_S_RELA, 4, 2, 0x580, 0x580, 0, TOY_S_DYNSYM, 24);
    toy_section(t, TOY_S_RODATA, 1, 2, TOY_DESCRIPTOR, TOY_DESCRIPTOR, 64, 0, 0);
    toy_section(t, TOY_S_TEXT, 1, 6, TOY_TEXT_VADDR, TOY_TEXT, 0x100, 0, 0);
    toy_section(t, TOY_S_DATA, 1, 3, TOY_DATA_VADDR, TOY_DATA, 0x100, 0, 0);
    toy_section(t, TOY_S_NAMES, 3, 0, 0, 0xf00, 0x10, 0, 0);
    t->names = 1;
    toy_symbol(t, "", 0, 0, 0, 0);
    toy_symbol(t, "k", TOY_GLOBAL | TOY_FUNC, TOY_S_TEXT, TOY_TEXT_VADDR, 0x40);
    toy_symbol(t, "k.kd", TOY_GLOBAL | TOY_OBJECT, TOY_S_RODATA, TOY_DESCRIPTOR, 64);
    toy_put(t, TOY_DESCRIPTOR + 16, TOY_TEXT_VADDR - TOY_DESCRIPTOR, 8);
    toy_put(t, TOY_TEXT, 0xbf810000u, 4); /* s_endpgm of gfx9; the loader does not look */
    for (unsigned i = 0; i < 0x100; i++)
        t->bytes[TOY_DATA + i] = (uint8_t)(0xd0 + i % 16);
}

#define TOY_KERNEL 10 /* the symbol type of kernels of v2 */

/* The same as code object v2: a header of 256 bytes and code after it, 0x200 bytes in all, under symbol "k"; "k.kd" is
 * a variable like another. */
static inline void toy_init_v2(struct toy *t, uint32_t flags)
{
    toy_init(t, flags, 0);
    toy_segment(t, 1, 1, 5, 0x800, TOY_TEXT_VADDR, 0x200, 0x200, 0x1000);
    toy_section(t, TOY_S_TEXT, 1, 6, TOY_TEXT_VADDR, TOY_TEXT, 0x200, 0, 0);
    toy_put(t, 0x400 + 24 + 4, TOY_GLOBAL | TOY_KERNEL, 1);
    toy_put(t, 0x400 + 24 + 16, 0x200, 8);
    memset(t->bytes + TOY_TEXT, 0, 0x100);
    toy_put(t, TOY_TEXT, 1, 4);                               /* amd_kernel_code_version_major */
    toy_put(t, TOY_TEXT + 4, 2, 4);                           /* minor */
    toy_put(t, TOY_TEXT + 8, 1, 2);                           /* amd_machine_kind: AMDGPU */
    toy_put(t, TOY_TEXT + 16, 256, 8);                        /* kernel_code_entry_byte_offset */
    toy_put(t, TOY_TEXT + 48, 0xac0000 | 1, 4);               /* RSRC1: 8 VGPRs, denormals, dx10_clamp, ieee_mode */
    toy_put(t, TOY_TEXT + 52, 2 << 1 | 1 << 7, 4);            /* RSRC2: two user SGPRs, workgroup id x */
    toy_put(t, TOY_TEXT + 56, 1 << 3 | 1 << 17 | 1 << 19, 4); /* kernarg pointer, elements of 4 bytes, 64 bit */
    toy_put(t, TOY_TEXT + 72, 8, 8);                          /* kernarg_segment_byte_size */
    toy_put(t, TOY_TEXT + 256, 0xbf810000u, 4);
}

/* A note of v2. */
static inline void toy_note_v2(struct toy *t, unsigned type, const void *bytes, size_t n)
{
    size_t at = 0x200 + t->notes;

    assert(t->notes + 16 + ((n + 3) & ~(size_t)3) <= 0x200);
    toy_put(t, at, 4, 4);
    toy_put(t, at + 4, n, 4);
    toy_put(t, at + 8, type, 4);
    memcpy(t->bytes + at + 12, "AMD", 4);
    memcpy(t->bytes + at + 16, bytes, n);
    t->notes += 16 + ((n + 3) & ~(size_t)3);
    toy_segment(t, 3, 4, 4, 0x200, 0x200, t->notes, t->notes, 4);
}

#endif
