/* Reads the targets of a HIP program: section .hip_fatbin holds bundles, one of each translation unit, plain or
 * compressed, and HIP wants code for its device in every one.
 * The program is this process's own, but may be damaged all the same: every offset is checked. */
#define _GNU_SOURCE
#include "sim/hsa/code/fatbin.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC       "__CLANG_OFFLOAD_BUNDLE__"
#define MAGIC_BYTES (sizeof MAGIC - 1)

enum { TARGETS = 64, TARGET_BYTES = 32, LIST_BYTES = 512 };

struct view {
    const uint8_t *bytes;
    uint64_t size;
};

struct targets {
    unsigned bundles, count;
    char name[TARGETS][TARGET_BYTES];        /* processors, without settings */
    unsigned within[TARGETS], last[TARGETS]; /* how many bundles have it, and the number of the last one */
};

/* A part of it; false: it has none there. */
static bool part(const struct view *of, uint64_t offset, uint64_t size, struct view *out)
{
    if (offset > of->size || size > of->size - offset)
        return false;
    *out = (struct view){of->bytes + offset, size};
    return true;
}

static bool find_section(const struct view *file, const char *name, struct view *out)
{
    struct view v, names;
    Elf64_Ehdr h;
    Elf64_Shdr s, of_names;

    if (!part(file, 0, sizeof h, &v))
        return false;
    memcpy(&h, v.bytes, sizeof h);
    if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_shentsize != sizeof s)
        return false;
    if (!part(file, h.e_shoff + (uint64_t)h.e_shstrndx * sizeof s, sizeof s, &v))
        return false;
    memcpy(&of_names, v.bytes, sizeof of_names);
    if (!part(file, of_names.sh_offset, of_names.sh_size, &names))
        return false;
    for (uint64_t k = 0; k < h.e_shnum; k++) {
        if (!part(file, h.e_shoff + k * sizeof s, sizeof s, &v))
            return false;
        memcpy(&s, v.bytes, sizeof s);
        if (part(&names, s.sh_name, strlen(name) + 1, &v) && memcmp(v.bytes, name, v.size) == 0)
            return part(file, s.sh_offset, s.sh_size, out);
    }
    return false;
}

static unsigned index_of(const struct targets *t, const char *processor)
{
    unsigned k = 0;

    while (k < t->count && strcmp(t->name[k], processor) != 0)
        k++;
    return k;
}

/* id: an entry of the latest bundle, such as "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-". */
static void add_target(struct targets *t, const char *id)
{
    const char *at = strstr(id, "--gfx");
    size_t n = at ? strcspn(at + 2, ":") : TARGET_BYTES;
    char name[TARGET_BYTES];
    unsigned k;

    if (n >= TARGET_BYTES)
        return;
    memcpy(name, at + 2, n);
    name[n] = 0;
    k = index_of(t, name);
    if (k == TARGETS)
        return;
    if (k == t->count)
        memcpy(t->name[t->count++], name, n + 1);
    t->within[k] += t->last[k] != t->bundles;
    t->last[k] = t->bundles;
}

/* Bytes of a plain bundle, as its table says; 0: that is damaged. */
static uint64_t plain_bytes(const struct view *bundle)
{
    uint64_t count, at = MAGIC_BYTES + 8, end = at, header[3]; /* of an entry: offset, size, bytes of its name */
    struct view v;

    if (!part(bundle, 0, at, &v))
        return 0;
    for (memcpy(&count, v.bytes + MAGIC_BYTES, sizeof count); count; count--) {
        if (!part(bundle, at, sizeof header, &v))
            return 0;
        memcpy(header, v.bytes, sizeof header);
        if (!part(bundle, at + sizeof header, header[2], &v) || !part(bundle, header[0], header[1], &v))
            return 0;
        at += sizeof header + header[2];
        end = end > header[0] + header[1] ? end : header[0] + header[1];
    }
    return end > at ? end : at;
}

/* Bytes of the bundle that a view begins with; 0: there is none. */
static uint64_t bundle_bytes(const struct view *rest)
{
    enum { COMPRESSED_HEADER = 16 }; /* magic, version, method, bytes of it all */
    uint16_t version;
    uint32_t bytes;
    uint64_t wide;

    if (rest->size >= MAGIC_BYTES && memcmp(rest->bytes, MAGIC, MAGIC_BYTES) == 0)
        return plain_bytes(rest);
    if (rest->size < COMPRESSED_HEADER || memcmp(rest->bytes, "CCOB", 4) != 0)
        return 0;
    memcpy(&version, rest->bytes + 4, sizeof version);
    memcpy(&bytes, rest->bytes + 8, sizeof bytes);
    memcpy(&wide, rest->bytes + 8, sizeof wide);
    if (version == 1) /* does not say: all that follow are taken for one */
        return rest->size;
    wide = version == 2 ? bytes : wide;
    return wide <= rest->size ? wide : 0;
}

static void read_bundle(const struct view *bundle, struct targets *t)
{
    struct gcnsim_code_source source;
    struct gcnsim_code_entry entry;
    struct gcnsim_code_list *list;
    struct gcnsim_error error = {0};

    gcnsim_code_source_init(&source);
    source.bytes = bundle->bytes;
    source.size = bundle->size;
    if (gcnsim_code_list_open(&list, &source, &error))
        return; /* without code, or damaged */
    t->bundles++;
    for (uint32_t k = 0; gcnsim_code_list_entry(list, k, &entry) == GCNSIM_OK; k++)
        add_target(t, entry.id);
    gcnsim_code_list_close(list);
}

/* One after another, with zeros between them. */
static void read_bundles(struct view rest, struct targets *t)
{
    struct view bundle;
    uint64_t bytes;

    while ((bytes = bundle_bytes(&rest)) && part(&rest, 0, bytes, &bundle)) {
        read_bundle(&bundle, t);
        while (bytes < rest.size && !rest.bytes[bytes])
            bytes++;
        rest.bytes += bytes;
        rest.size -= bytes;
    }
}

static unsigned bundles_with(const struct targets *t, const char *processor)
{
    unsigned k = index_of(t, processor);

    return k < t->count ? t->within[k] : 0;
}

/* The first target of all bundles that has a profile; null: none has. */
static const char *with_profile(const struct targets *t)
{
    struct gcnsim_profile_info p;

    for (unsigned n = 0; n < t->count; n++)
        for (uint32_t k = 0; gcnsim_profile_list(k, &p) == GCNSIM_OK; k++)
            if (p.is_default && strcmp(p.target, t->name[n]) == 0 && t->within[n] == t->bundles)
                return t->name[n];
    return NULL;
}

static void log_missing_target(const struct targets *t, const char *name, const char *device)
{
    char list[LIST_BYTES] = "", part_text[80] = "";
    const char *other = with_profile(t);
    unsigned lack = t->bundles - bundles_with(t, device);
    size_t used = 0;

    for (unsigned k = 0; k < t->count && used < sizeof list; k++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", t->name[k]);
    if (lack < t->bundles)
        snprintf(part_text, sizeof part_text, ", which %u of its %u bundles lack%s", lack, t->bundles,
                 lack == 1 ? "s" : "");
    if (other)
        rt_log("%s is built for %s, device is %s%s: run with --arch %s, or build it with --offload-arch=%s", name, list,
               device, part_text, other, device);
    else
        rt_log("%s is built for %s, device is %s%s: build it with --offload-arch=%s", name, list, device, part_text,
               device);
}

/* name: the program's in messages. */
static void explain(const struct runtime *r, const char *path, const char *name)
{
    struct view file = {0}, section;
    struct targets t = {0};
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    void *map;

    if (fd < 0)
        return;
    map = fstat(fd, &st) == 0 && st.st_size > 0 ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                                                : MAP_FAILED;
    close(fd);
    if (map == MAP_FAILED)
        return;
    file = (struct view){map, (uint64_t)st.st_size};
    if (find_section(&file, ".hip_fatbin", &section))
        read_bundles(section, &t);
    munmap(map, (size_t)st.st_size);
    for (uint32_t k = 0; t.count && k < r->agents; k++)
        if (r->agent[k].device && bundles_with(&t, r->agent[k].name) < t.bundles) {
            log_missing_target(&t, name, r->agent[k].name);
            return; /* once is enough */
        }
}

void fatbin_explain(const struct runtime *r, const char *path)
{
    explain(r, path, path);
}

void fatbin_explain_own(const struct runtime *r)
{
    static const char link[] = "/proc/self/exe";
    /* without /proc, the name that the program was started by */
    const char *started = (const char *)(uintptr_t)getauxval(AT_EXECFN);
    char program[LIST_BYTES] = "";
    bool linked = readlink(link, program, sizeof program - 1) > 0;
    const char *path = linked || !started ? program : started, *slash = strrchr(path, '/');

    explain(r, linked ? link : path, slash ? slash + 1 : path);
}
