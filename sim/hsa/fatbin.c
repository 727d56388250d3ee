/* Reads the targets of a HIP program: section .hip_fatbin begins with a bundle, whose header lists its code objects.
 * The program is this process's own, but may be damaged all the same: every offset is checked. */
#define _GNU_SOURCE
#include "sim/hsa/fatbin.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
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
    unsigned count;
    char name[TARGETS][TARGET_BYTES]; /* processors, without settings */
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

/* Of an entry such as "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-". */
static void add_target(struct targets *t, const struct view *entry)
{
    const char *at = memmem(entry->bytes, entry->size, "--gfx", 5);
    size_t n = 0;

    if (!at || t->count == TARGETS)
        return;
    at += 2;
    while (at + n < (const char *)entry->bytes + entry->size && at[n] != ':')
        n++;
    if (n < TARGET_BYTES) {
        memcpy(t->name[t->count], at, n);
        t->name[t->count++][n] = 0;
    }
}

static void read_bundle(const struct view *bundle, struct targets *t)
{
    uint64_t count, at = MAGIC_BYTES + 8, header[3]; /* of an entry: offset, size, bytes of its name */
    struct view v;

    if (!part(bundle, 0, at, &v) || memcmp(v.bytes, MAGIC, MAGIC_BYTES) != 0)
        return;
    memcpy(&count, v.bytes + MAGIC_BYTES, sizeof count);
    for (; count && t->count < TARGETS; count--) {
        if (!part(bundle, at, sizeof header, &v))
            return;
        memcpy(header, v.bytes, sizeof header);
        if (!part(bundle, at + sizeof header, header[2], &v))
            return;
        add_target(t, &v);
        at += sizeof header + header[2];
    }
}

static bool is_built_for(const struct targets *t, const char *processor)
{
    for (unsigned k = 0; k < t->count; k++)
        if (strcmp(t->name[k], processor) == 0)
            return true;
    return false;
}

/* The first target that has a profile; null: none has. */
static const char *with_profile(const struct targets *t)
{
    struct gcnsim_profile_info p;

    for (unsigned n = 0; n < t->count; n++)
        for (uint32_t k = 0; gcnsim_profile_list(k, &p) == GCNSIM_OK; k++)
            if (p.is_default && strcmp(p.target, t->name[n]) == 0)
                return t->name[n];
    return NULL;
}

static void tell(const struct targets *t, const char *path, const char *device)
{
    char list[LIST_BYTES] = "", program[LIST_BYTES] = "";
    const char *other = with_profile(t), *name = path;
    size_t used = 0;
    ssize_t n = readlink(path, program, sizeof program - 1);

    for (unsigned k = 0; k < t->count && used < sizeof list; k++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", t->name[k]);
    if (n > 0)
        name = strrchr(program, '/') ? strrchr(program, '/') + 1 : program;
    if (other)
        rt_log("%s is built for %s, device is %s: run with --arch %s, or build it with --offload-arch=%s", name, list,
               device, other, device);
    else
        rt_log("%s is built for %s, device is %s: build it with --offload-arch=%s", name, list, device, device);
}

void fatbin_explain(const struct runtime *r, const char *path)
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
        read_bundle(&section, &t);
    munmap(map, (size_t)st.st_size);
    for (uint32_t k = 0; t.count && k < r->agents; k++)
        if (r->agent[k].device && !is_built_for(&t, r->agent[k].name)) {
            tell(&t, path, r->agent[k].name);
            return; /* once is enough */
        }
}
