/* What notes of an ELF file say of a code object: its ISA, its metadata, PAL's registers; and Mesa's registers, which
 * are a section. */
#include "sim/loader/elf_file.h"
#include "sim/loader/metadata_v2.h"
#include "sim/loader/registers.h"
#include "sim/util/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTE_METADATA    32
#define NOTE_V2_ISA      3 /* these of the owner "AMD" */
#define NOTE_V2_METADATA 10

/* The ISA of a code object of v2: sizes of two names, and the parts of the target's number, which counts Vega's chips
 * with XNACK one higher (gfx901 is gfx900). Flags that name the processor come first. */
static int read_isa(struct elf_file *f, const uint8_t *bytes, size_t size)
{
    char name[40];

    if (size < 16)
        return err_set(f->e, ERR_FORMAT, "ISA version of %zu bytes, expected 16 and two names", size);
    uint32_t major = load_u32(bytes + 4), minor = load_u32(bytes + 8), stepping = load_u32(bytes + 12);
    if (f->co->target.name[0])
        return 0;
    if (major == 9 && minor == 0 && stepping < 8)
        stepping &= ~1u;
    snprintf(name, sizeof name, "gfx%u%u%x", major, minor, stepping);
    return co_target_parse(&f->co->target, name, f->e);
}

static int add_metadata(struct elf_file *f, const uint8_t *bytes, size_t size)
{
    struct code_object *co = f->co;
    struct co_metadata **v = realloc(co->notes, (co->note_count + 1) * sizeof(struct co_metadata *));

    if (!v)
        return co_elf_no_memory(f);
    co->notes = v;
    int failed = co->version == 2 ? co_metadata_v2_read(&co->notes[co->note_count], bytes, size, co->budget, f->e)
                                  : co_metadata_read(&co->notes[co->note_count], bytes, size, co->budget, f->e);
    if (failed)
        return -1;
    co->note_count++;
    return 0;
}

/* One note; those of other kinds are passed by. */
static int read_note(struct elf_file *f, const GElf_Nhdr *nh, const char *owner, const uint8_t *bytes)
{
    bool amdgpu = nh->n_type == NOTE_METADATA && nh->n_namesz == 7 && !memcmp(owner, "AMDGPU", 7);

    if (f->co->os != CO_OS_HSA)
        return f->co->os == CO_OS_PAL && amdgpu ? co_registers_read_pal(f->co, bytes, nh->n_descsz, f->e) : 0;
    bool v2 = f->co->version == 2 && nh->n_namesz == 4 && !memcmp(owner, "AMD", 4);

    if (v2 && nh->n_type == NOTE_V2_ISA)
        return read_isa(f, bytes, nh->n_descsz);
    if (v2 ? nh->n_type == NOTE_V2_METADATA : amdgpu)
        return add_metadata(f, bytes, nh->n_descsz);
    return 0;
}

static int read_note_range(struct elf_file *f, uint64_t offset, uint64_t size, uint64_t align)
{
    GElf_Nhdr nh;
    size_t name, desc, at = 0, next;

    if (offset > f->co->elf_size || size > f->co->elf_size - offset)
        return err_set(f->e, ERR_FORMAT, "notes at offset 0x%llx, size 0x%llx, the file has %zu bytes",
                       (unsigned long long)offset, (unsigned long long)size, f->co->elf_size);
    if (!size)
        return 0;
    if (co_elf_spend(f, size))
        return -1;
    Elf_Data *d = elf_getdata_rawchunk(f->elf, (int64_t)offset, size, align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
    if (!d)
        return co_elf_failed(f, "notes");
    const uint8_t *b = f->co->elf + offset;
    while (at < size) {
        next = gelf_getnote(d, at, &nh, &name, &desc);
        if (next <= at || next > size || desc > size || nh.n_descsz > size - desc || name > size ||
            nh.n_namesz > size - name)
            return err_set(f->e, ERR_FORMAT, "note at offset 0x%llx is damaged: it does not fit in its segment",
                           (unsigned long long)(offset + at));
        if (read_note(f, &nh, (const char *)b + name, b + desc))
            return err_prefix(f->e, "note at offset 0x%llx", (unsigned long long)(offset + at));
        at = next;
    }
    return 0;
}

int co_elf_read_notes(struct elf_file *f)
{
    size_t headers = load_u16(f->co->elf + 56);

    for (size_t i = 0; i < headers; i++) {
        GElf_Phdr ph;
        if (!gelf_getphdr(f->elf, (int)i, &ph))
            return co_elf_failed(f, "program header");
        if (ph.p_type == PT_NOTE && read_note_range(f, ph.p_offset, ph.p_filesz, ph.p_align))
            return -1;
    }
    /* PAL's note is not loaded, so that no segment has it */
    for (size_t i = 1; (!headers || (f->co->os == CO_OS_PAL && !f->co->registers.list)) && i < f->sections; i++) {
        GElf_Shdr sh;
        if (co_elf_section(f, i, &sh))
            return -1;
        if (sh.sh_type == SHT_NOTE && read_note_range(f, sh.sh_offset, sh.sh_size, sh.sh_addralign))
            return -1;
    }
    return 0;
}

int co_elf_read_mesa_config(struct elf_file *f)
{
    struct strings names;

    if (f->co->os != CO_OS_MESA || !f->sections || !load_u16(f->co->elf + 62)) /* sections may have no names */
        return 0;
    if (co_elf_strings(f, load_u16(f->co->elf + 62), &names))
        return -1;
    for (size_t i = 1; i < f->sections; i++) {
        GElf_Shdr sh;
        if (co_elf_section(f, i, &sh))
            return -1;
        const char *name = co_elf_string(&names, sh.sh_name);
        if (sh.sh_type == SHT_PROGBITS && name && !strcmp(name, ".AMDGPU.config") &&
            co_registers_read_mesa(f->co, f->co->elf + sh.sh_offset, sh.sh_size, f->e))
            return -1;
    }
    return 0;
}
