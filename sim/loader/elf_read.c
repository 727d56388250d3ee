/* ELF reading for code objects: header, sections, segments and symbols; relocations are elf_relocs.c's, notes
 * elf_notes.c's.
 *
 * The header and the locations of its tables are checked before libelf sees the bytes, so that messages can name
 * offsets. Strings point into the code object's copy of the file, so that they outlive libelf's handle. */
#include "sim/loader/contents.h"
#include "sim/loader/elf_file.h"
#include "sim/util/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MACHINE_AMDGPU    224
#define STT_HSA_KERNEL    10 /* of code object v2: a kernel's header and its code */
#define MAX_SEGMENT_ALIGN (UINT64_C(1) << 26)
#define MAX_VADDR         (UINT64_MAX / 2) /* sums of an address and a size stay in 64 bits */

static int check_table(const uint8_t *b, size_t size, const char *what, unsigned off_at, unsigned entsize_at,
                       unsigned want_entsize, unsigned num_at, struct err *e)
{
    uint64_t off = load_u64(b + off_at);
    unsigned entsize = load_u16(b + entsize_at), num = load_u16(b + num_at);

    if (!num)
        return 0;
    if (entsize != want_entsize)
        return err_set(e, ERR_FORMAT, "ELF header offset %u: %s entries of %u bytes, expected %u", entsize_at, what,
                       entsize, want_entsize);
    if (off > size || (uint64_t)num * entsize > size - off || off < 64)
        return err_set(e, ERR_FORMAT, "ELF header offset %u: %u %s headers at 0x%llx, the file has %zu bytes", off_at,
                       num, what, (unsigned long long)off, size);
    return 0;
}

/* Checks the header fields that amdgcn and host files have in common. */
static int check_ident(const uint8_t *b, size_t size, struct err *e)
{
    if (size < 4 || memcmp(b, "\177ELF", 4))
        return err_set(e, ERR_FORMAT, "offset 0: %s", co_describe(b, size));
    if (size < 64)
        return err_set(e, ERR_FORMAT, "%zu bytes, an ELF header has 64", size);
    if (b[EI_CLASS] != ELFCLASS64)
        return err_set(e, ERR_FORMAT, "offset 4: ELF class %u, expected 2 (64 bit)", b[EI_CLASS]);
    if (b[EI_DATA] != ELFDATA2LSB)
        return err_set(e, ERR_FORMAT, "offset 5: ELF data encoding %u, expected 1 (little-endian)", b[EI_DATA]);
    if (b[EI_VERSION] != EV_CURRENT)
        return err_set(e, ERR_FORMAT, "offset 6: ELF version %u, expected 1", b[EI_VERSION]);
    if (load_u16(b + 52) != 64)
        return err_set(e, ERR_FORMAT, "offset 52: ELF header of %u bytes, expected 64", load_u16(b + 52));
    if (check_table(b, size, "program", 32, 54, 56, 56, e) || check_table(b, size, "section", 40, 58, 64, 60, e))
        return -1;
    if (load_u16(b + 60) == 0 && load_u64(b + 40) != 0)
        return err_set(e, ERR_UNSUPPORTED, "offset 60: no section count in the header (more than 65279 sections)");
    return 0;
}

const char *co_os_name(unsigned os_abi)
{
    return os_abi == CO_OS_HSA    ? "amdhsa"
           : os_abi == CO_OS_PAL  ? "amdpal"
           : os_abi == CO_OS_MESA ? "mesa3d"
                                  : "unknown";
}

int co_elf_target(struct co_target_id *out, const uint8_t *b, struct err *e)
{
    uint32_t flags = load_u32(b + 48);

    if (b[EI_OSABI] != CO_OS_HSA) /* whose flags are those of v3 in all their versions */
        return co_target_from_flags(out, flags, 3, e);
    if (b[EI_ABIVERSION] > 4)
        return err_set(e, ERR_UNSUPPORTED, "offset 8: ABI version %u (code object v%u), expected 0..4 (v2..v6)",
                       b[EI_ABIVERSION], b[EI_ABIVERSION] + 2u);
    if (b[EI_ABIVERSION]) /* of v2 a note says it; flags began to do so within v2 */
        return co_target_from_flags(out, flags, b[EI_ABIVERSION] + 2u, e);
    co_target_from_mach(out, flags);
    return out->name[0] ? 0 : err_set(e, ERR_FORMAT, "e_flags 0x%x (offset 48) name no processor", flags);
}

static int check_header(struct code_object *co, struct err *e)
{
    const uint8_t *b = co->elf;

    if (check_ident(b, co->elf_size, e))
        return -1;
    if (load_u16(b + 18) != MACHINE_AMDGPU)
        return err_set(e, ERR_FORMAT, "offset 18: ELF machine %u, expected 224 (AMDGPU)", load_u16(b + 18));
    if (b[EI_OSABI] < CO_OS_HSA || b[EI_OSABI] > CO_OS_MESA)
        return err_set(e, ERR_UNSUPPORTED,
                       "offset 7: ELF OS ABI %u, expected 64 (AMDGPU HSA), or 65 (PAL) or 66 (Mesa) to look into",
                       b[EI_OSABI]);
    if (load_u16(b + 16) != ET_DYN)
        return err_set(e, ERR_UNSUPPORTED, "offset 16: ELF type %u, expected 3 (linked) or 1 (relocatable)",
                       load_u16(b + 16));
    if (load_u32(b + 20) != EV_CURRENT)
        return err_set(e, ERR_FORMAT, "offset 20: ELF version %u, expected 1", load_u32(b + 20));
    co->os = (enum co_os)b[EI_OSABI];
    co->version = co->os == CO_OS_HSA ? b[EI_ABIVERSION] + 2u : 0;
    if (co->version == 2)
        return co_target_from_mach(&co->target, load_u32(b + 48)), 0;
    return co_elf_target(&co->target, b, e);
}

int co_elf_failed(const struct elf_file *f, const char *what)
{
    return err_set(f->e, ERR_FORMAT, "%s: %s", what, elf_errmsg(-1));
}

int co_elf_no_memory(const struct elf_file *f)
{
    return err_set(f->e, ERR_NOMEM, "out of host memory for the tables of a code object of %zu bytes", f->co->elf_size);
}

int co_elf_spend(struct elf_file *f, uint64_t bytes)
{
    f->table_bytes += bytes;
    if (f->table_bytes / 4 > f->co->elf_size)
        return err_set(f->e, ERR_FORMAT, "notes and relocations overlap: 0x%llx bytes of them in a file of %zu",
                       (unsigned long long)f->table_bytes, f->co->elf_size);
    return 0;
}

/* Bounds the lengths of symbols' names: any number of them may share the end of one long name, and whoever sorts or
 * prints them pays for each. In a valid file few names are tails of others. */
static int spend_name(struct elf_file *f, const char *name)
{
    f->name_bytes += strlen(name);
    if (f->name_bytes / 16 > f->co->elf_size)
        return err_set(f->e, ERR_FORMAT, "names of symbols overlap: 0x%llx bytes of them in a file of %zu",
                       (unsigned long long)f->name_bytes, f->co->elf_size);
    return 0;
}

int co_elf_section(const struct elf_file *f, size_t index, GElf_Shdr *out)
{
    Elf_Scn *scn = elf_getscn(f->elf, index);

    if (!scn || !gelf_getshdr(scn, out))
        return err_set(f->e, ERR_FORMAT, "section %zu of %zu cannot be read", index, f->sections);
    if (out->sh_type != SHT_NOBITS && out->sh_type != SHT_NULL &&
        (out->sh_offset > f->co->elf_size || out->sh_size > f->co->elf_size - out->sh_offset))
        return err_set(f->e, ERR_FORMAT, "section %zu: contents at offset 0x%llx, size 0x%llx, the file has %zu bytes",
                       index, (unsigned long long)out->sh_offset, (unsigned long long)out->sh_size, f->co->elf_size);
    return 0;
}

int co_elf_strings(const struct elf_file *f, size_t index, struct strings *out)
{
    GElf_Shdr sh;

    if (co_elf_section(f, index, &sh))
        return -1;
    if (sh.sh_type != SHT_STRTAB)
        return err_set(f->e, ERR_FORMAT, "section %zu: type %u, expected 3 (string table)", index, sh.sh_type);
    *out = (struct strings){(const char *)f->co->elf + sh.sh_offset, sh.sh_size};
    while (out->size && out->bytes[out->size - 1])
        out->size--;
    return 0;
}

const char *co_elf_string(const struct strings *t, uint64_t at)
{
    return at < t->size ? t->bytes + at : NULL;
}

int co_elf_table(const struct elf_file *f, size_t index, const GElf_Shdr *sh, size_t entry, Elf_Type type,
                 Elf_Data **out, size_t *count)
{
    if (sh->sh_entsize != entry || sh->sh_size % entry)
        return err_set(f->e, ERR_FORMAT, "section %zu: size 0x%llx, entries of %llu bytes, expected entries of %zu",
                       index, (unsigned long long)sh->sh_size, (unsigned long long)sh->sh_entsize, entry);
    *count = sh->sh_size / entry;
    *out = *count ? elf_getdata_rawchunk(f->elf, (int64_t)sh->sh_offset, sh->sh_size, type) : NULL;
    if (*count && !*out)
        return co_elf_failed(f, "table");
    return 0;
}

/* ---- segments ---- */

static int add_segment(struct elf_file *f, const GElf_Phdr *ph, const char *what, size_t index)
{
    struct code_object *co = f->co;

    if (ph->p_offset > co->elf_size || ph->p_filesz > co->elf_size - ph->p_offset)
        return err_set(f->e, ERR_FORMAT, "%s %zu: contents at offset 0x%llx, size 0x%llx, the file has %zu bytes", what,
                       index, (unsigned long long)ph->p_offset, (unsigned long long)ph->p_filesz, co->elf_size);
    if (ph->p_filesz > ph->p_memsz)
        return err_set(f->e, ERR_FORMAT, "%s %zu: 0x%llx bytes in the file, more than 0x%llx in memory", what, index,
                       (unsigned long long)ph->p_filesz, (unsigned long long)ph->p_memsz);
    if (ph->p_align & (ph->p_align - 1) || ph->p_align > MAX_SEGMENT_ALIGN)
        return err_set(f->e, ERR_FORMAT, "%s %zu: alignment 0x%llx, expected a power of two up to 0x%llx", what, index,
                       (unsigned long long)ph->p_align, (unsigned long long)MAX_SEGMENT_ALIGN);
    if (ph->p_vaddr > MAX_VADDR)
        return err_set(f->e, ERR_LIMIT, "%s %zu: address 0x%llx, the limit is 0x%llx", what, index,
                       (unsigned long long)ph->p_vaddr, (unsigned long long)MAX_VADDR);
    if (ph->p_memsz > CO_MAX_IMAGE_BYTES)
        return err_set(f->e, ERR_LIMIT, "%s %zu: 0x%llx bytes in memory, the limit is 0x%llx", what, index,
                       (unsigned long long)ph->p_memsz, (unsigned long long)CO_MAX_IMAGE_BYTES);
    if (ph->p_align > co->image.align)
        co->image.align = ph->p_align;
    if (!ph->p_memsz)
        return 0;
    co->segments[co->segment_count++] = (struct co_segment){
        .vaddr = ph->p_vaddr,
        .memory_bytes = ph->p_memsz,
        .file_offset = ph->p_offset,
        .file_bytes = ph->p_filesz,
        .writable = ph->p_flags & PF_W,
        .executable = ph->p_flags & PF_X,
    };
    return 0;
}

static int by_vaddr(const void *a, const void *b)
{
    const struct co_segment *x = a, *y = b;

    return x->vaddr < y->vaddr ? -1 : x->vaddr > y->vaddr;
}

/* Segments come from the program headers, or from the allocated sections of a file without program headers. */
static int collect_segments(struct elf_file *f)
{
    struct code_object *co = f->co;
    size_t headers = load_u16(co->elf + 56);

    if (co_hold(co, headers + f->sections + 1, sizeof *co->segments, "segments", f->e))
        return -1;
    co->segments = calloc(headers + f->sections + 1, sizeof *co->segments);
    if (!co->segments)
        return co_elf_no_memory(f);
    for (size_t i = 0; i < headers; i++) {
        GElf_Phdr ph;
        if (!gelf_getphdr(f->elf, (int)i, &ph))
            return co_elf_failed(f, "program header");
        if (ph.p_type == PT_LOAD && add_segment(f, &ph, "program header", i))
            return -1;
    }
    for (size_t i = 1; !headers && i < f->sections; i++) {
        GElf_Shdr sh;
        if (co_elf_section(f, i, &sh))
            return -1;
        if (!(sh.sh_flags & SHF_ALLOC))
            continue;
        bool zeros = sh.sh_type == SHT_NOBITS;
        GElf_Phdr ph = {.p_offset = zeros ? 0 : sh.sh_offset,
                        .p_vaddr = sh.sh_addr,
                        .p_filesz = zeros ? 0 : sh.sh_size,
                        .p_memsz = sh.sh_size,
                        .p_align = sh.sh_addralign,
                        .p_flags = (sh.sh_flags & SHF_WRITE ? PF_W : 0u) | (sh.sh_flags & SHF_EXECINSTR ? PF_X : 0u)};
        if (add_segment(f, &ph, "section", i))
            return -1;
    }
    return 0;
}

static int read_segments(struct elf_file *f)
{
    struct code_object *co = f->co;

    co->image.align = 4096;
    if (collect_segments(f))
        return -1;
    if (!co->segment_count)
        return err_set(f->e, ERR_FORMAT, "nothing to load: no PT_LOAD program header and no allocated section");
    qsort(co->segments, co->segment_count, sizeof *co->segments, by_vaddr);
    uint64_t end = 0;
    for (unsigned i = 0; i < co->segment_count; i++) {
        const struct co_segment *s = &co->segments[i];
        if (s->vaddr < end)
            return err_set(f->e, ERR_FORMAT, "loaded segment at 0x%llx overlaps the one before, which ends at 0x%llx",
                           (unsigned long long)s->vaddr, (unsigned long long)end);
        end = s->vaddr + s->memory_bytes;
    }
    co->image.base_vaddr = co->segments[0].vaddr / co->image.align * co->image.align;
    co->image.size = end - co->image.base_vaddr;
    if (co->image.size > CO_MAX_IMAGE_BYTES)
        return err_set(f->e, ERR_LIMIT, "memory image of 0x%llx bytes, the limit is 0x%llx",
                       (unsigned long long)co->image.size, (unsigned long long)CO_MAX_IMAGE_BYTES);
    return 0;
}

const struct co_segment *co_segment_at(const struct code_object *co, uint64_t vaddr, uint64_t size)
{
    unsigned low = 0, high = co->segment_count; /* the last segment that begins at or before vaddr */

    while (low < high) {
        unsigned mid = low + (high - low) / 2;
        if (co->segments[mid].vaddr <= vaddr)
            low = mid + 1;
        else
            high = mid;
    }
    if (!low)
        return NULL;
    const struct co_segment *s = &co->segments[low - 1];
    uint64_t at = vaddr - s->vaddr;
    return at <= s->memory_bytes && size <= s->memory_bytes - at ? s : NULL;
}

static int by_text(const void *a, const void *b)
{
    const struct co_text *x = a, *y = b;

    return x->vaddr < y->vaddr ? -1 : x->vaddr > y->vaddr;
}

/* Code ranges, in order of vaddr, are the executable sections, or the executable segments of a file without such
 * sections. */
static int read_texts(struct elf_file *f)
{
    struct code_object *co = f->co;
    uint64_t bytes = 0;
    size_t left_out = 0;

    if (co_hold(co, f->sections + co->segment_count + 1, sizeof *co->texts, "sections", f->e))
        return -1;
    co->texts = calloc(f->sections + co->segment_count + 1, sizeof *co->texts);
    if (!co->texts)
        return co_elf_no_memory(f);
    for (size_t i = 1; i < f->sections; i++) {
        GElf_Shdr sh;
        if (co_elf_section(f, i, &sh))
            return -1;
        if (sh.sh_type == SHT_NOBITS && sh.sh_flags & SHF_EXECINSTR && sh.sh_size)
            left_out = i;
        if (sh.sh_type != SHT_PROGBITS || (sh.sh_flags & (SHF_ALLOC | SHF_EXECINSTR)) != (SHF_ALLOC | SHF_EXECINSTR) ||
            !sh.sh_size)
            continue;
        const struct co_segment *s = co_segment_at(co, sh.sh_addr, sh.sh_size);
        if (!s || !s->executable || sh.sh_addr - s->vaddr + sh.sh_size > s->file_bytes)
            return err_set(f->e, ERR_FORMAT, "section %zu: code at 0x%llx is not in an executable segment", i,
                           (unsigned long long)sh.sh_addr);
        bytes += sh.sh_size;
        if (bytes > co->elf_size) /* thousands of sections may be one another's */
            return err_set(f->e, ERR_FORMAT,
                           "section %zu: code sections overlap, 0x%llx bytes of them in a file of %zu", i,
                           (unsigned long long)bytes, co->elf_size);
        co->texts[co->text_count++] = (struct co_text){sh.sh_addr, sh.sh_size};
    }
    qsort(co->texts, co->text_count, sizeof *co->texts, by_text);
    if (left_out && !co->text_count)
        return err_set(f->e, ERR_FORMAT,
                       "section %zu: the code is left out; this is debug information alone (--only-keep-debug), "
                       "expected the code object that it was taken from",
                       left_out);
    for (unsigned i = 0; !co->text_count && i < co->segment_count; i++)
        if (co->segments[i].executable && co->segments[i].file_bytes)
            co->texts[co->text_count++] = (struct co_text){co->segments[i].vaddr, co->segments[i].file_bytes};
    return 0;
}

/* ---- symbols ---- */

/* The index of .symtab, which has local symbols too, or else of .dynsym; 0 when there is neither. */
static int find_symbol_table(const struct elf_file *f, size_t *index, GElf_Shdr *out)
{
    *index = 0;
    for (size_t i = 1; i < f->sections; i++) {
        GElf_Shdr sh;
        if (co_elf_section(f, i, &sh))
            return -1;
        if (sh.sh_type == SHT_SYMTAB || (sh.sh_type == SHT_DYNSYM && !*index)) {
            *index = i;
            *out = sh;
        }
    }
    return 0;
}

static bool is_descriptor(const GElf_Sym *sym, const char *name)
{
    size_t n = strlen(name);

    return GELF_ST_TYPE(sym->st_info) == STT_OBJECT && sym->st_size == KERNEL_DESCRIPTOR_BYTES && n > 3 &&
           !strcmp(name + n - 3, ".kd");
}

static int add_symbol(struct elf_file *f, const GElf_Sym *sym, const char *name)
{
    struct code_object *co = f->co;
    unsigned type = GELF_ST_TYPE(sym->st_info);
    enum co_symbol_kind kind;

    if (sym->st_shndx == SHN_UNDEF || sym->st_shndx == SHN_COMMON || sym->st_shndx == SECTION_LDS ||
        type == STT_SECTION || type == STT_FILE || type == STT_TLS || !*name)
        return 0;
    if (sym->st_shndx == SHN_ABS)
        kind = CO_SYMBOL_ABSOLUTE;
    else if (co->version == 2 ? type == STT_HSA_KERNEL : is_descriptor(sym, name))
        kind = CO_SYMBOL_DESCRIPTOR;
    else
        kind = type == STT_FUNC ? CO_SYMBOL_FUNCTION : type == STT_OBJECT ? CO_SYMBOL_DATA : CO_SYMBOL_LABEL;
    if (kind != CO_SYMBOL_ABSOLUTE && !co_segment_at(co, sym->st_value, sym->st_size)) {
        if (kind == CO_SYMBOL_LABEL)
            return 0; /* symbols that the linker defines may point between segments */
        return err_set(f->e, ERR_FORMAT, "symbol \"%.200s\": 0x%llx bytes at 0x%llx are in no loaded segment", name,
                       (unsigned long long)sym->st_size, (unsigned long long)sym->st_value);
    }
    co->symbols[co->symbol_count++] = (struct co_symbol){.name = name,
                                                         .kind = kind,
                                                         .vaddr = sym->st_value,
                                                         .size = sym->st_size,
                                                         .global = GELF_ST_BIND(sym->st_info) != STB_LOCAL};
    return 0;
}

static int read_symbols(struct elf_file *f)
{
    size_t index, count;
    GElf_Shdr sh;
    Elf_Data *data;
    struct strings names;

    if (find_symbol_table(f, &index, &sh))
        return -1;
    if (!index)
        return 0;
    if (co_elf_table(f, index, &sh, sizeof(Elf64_Sym), ELF_T_SYM, &data, &count) ||
        co_elf_strings(f, sh.sh_link, &names))
        return -1;
    if (co_hold(f->co, count + 1, sizeof *f->co->symbols, "symbols", f->e))
        return -1;
    f->co->symbols = calloc(count + 1, sizeof *f->co->symbols);
    if (!f->co->symbols)
        return co_elf_no_memory(f);
    for (size_t i = 1; i < count; i++) {
        GElf_Sym sym;
        if (!gelf_getsym(data, (int)i, &sym))
            return co_elf_failed(f, "symbol");
        const char *name = co_elf_string(&names, sym.st_name);
        if (!name)
            return err_set(f->e, ERR_FORMAT, "section %zu, symbol %zu: name at 0x%x is outside the string table", index,
                           i, sym.st_name);
        if (spend_name(f, name) || add_symbol(f, &sym, name))
            return -1;
    }
    return 0;
}

/* Opens libelf on bytes that stay valid until elf_end; checks *sections against the header. */
static Elf *open_elf(const uint8_t *bytes, size_t size, size_t *sections, struct err *e)
{
    if (elf_version(EV_CURRENT) == EV_NONE) {
        err_set(e, ERR_UNSUPPORTED, "libelf: %s", elf_errmsg(-1));
        return NULL;
    }
    Elf *elf = elf_memory((char *)(uintptr_t)bytes, size); /* only read */
    if (!elf || elf_kind(elf) != ELF_K_ELF || elf_getshdrnum(elf, sections)) {
        err_set(e, ERR_FORMAT, "libelf: %s", elf_errmsg(-1));
        elf_end(elf);
        return NULL;
    }
    return elf;
}

int co_elf_read(struct code_object *co, struct err *e)
{
    struct elf_file f = {.co = co, .e = e};

    if (check_header(co, e))
        return -1;
    f.elf = open_elf(co->elf, co->elf_size, &f.sections, e);
    if (!f.elf)
        return -1;
    int r = read_segments(&f) || read_texts(&f) || read_symbols(&f) || co_elf_read_relocs(&f) ||
                    co_elf_read_notes(&f) || co_elf_read_mesa_config(&f)
                ? -1
                : 0;
    if (!r && !co->target.name[0])
        r = err_set(e, ERR_FORMAT, "code object v2 without a note of its ISA, and e_flags 0x%x (offset 48) name none",
                    load_u32(co->elf + 48));
    elf_end(f.elf);
    return r;
}

static bool is_elf64(const uint8_t *b, size_t size)
{
    return size >= 64 && !memcmp(b, "\177ELF", 4) && b[EI_CLASS] == ELFCLASS64 && b[EI_DATA] == ELFDATA2LSB;
}

bool co_elf_is_host(const uint8_t *b, size_t size)
{
    return is_elf64(b, size) && load_u16(b + 18) != MACHINE_AMDGPU;
}

bool co_elf_is_gpu(const uint8_t *b, size_t size)
{
    return is_elf64(b, size) && load_u16(b + 18) == MACHINE_AMDGPU;
}

int co_elf_parts(const uint8_t *bytes, size_t size, co_elf_part_fn *take, void *ctx, struct err *e)
{
    size_t sections;

    if (check_ident(bytes, size, e))
        return -1;
    Elf *elf = open_elf(bytes, size, &sections, e);
    if (!elf)
        return -1;
    struct code_object view = {.elf = (uint8_t *)(uintptr_t)bytes, .elf_size = size}; /* the checks take one */
    struct elf_file f = {.co = &view, .elf = elf, .sections = sections, .e = e};
    struct strings names;
    int r = sections ? co_elf_strings(&f, load_u16(bytes + 62), &names) : 0;
    for (size_t i = 1; !r && i < sections; i++) {
        GElf_Shdr sh;
        r = co_elf_section(&f, i, &sh);
        if (r)
            break;
        const char *name = co_elf_string(&names, sh.sh_name);
        take(ctx, &(struct co_elf_part){name ? name : "", sh.sh_type, sh.sh_offset, sh.sh_size});
    }
    elf_end(elf);
    return r;
}
