/* gcnsim exec: finds the library and the program, and looks at the program's ELF header. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/cli/cli.h"
#include "sim/cli/exec.h"
#include "sim/sweep/runtime.h"

/* ---- library ---- */

static bool has_library(const char *folder)
{
    char path[EXEC_PATH + sizeof RUNTIME_LIBRARY];

    snprintf(path, sizeof path, "%s/" RUNTIME_LIBRARY, folder);
    return access(path, R_OK) == 0;
}

/* LD_PRELOAD ends its entries at blanks and colons and has no way to quote them. */
static int check_folder(const char *folder)
{
    if (strpbrk(folder, " \t\n:;"))
        return cli_error("exec: the folder '%s' of " RUNTIME_LIBRARY
                         " has a blank, a colon or a semicolon in its name, which "
                         "LD_PRELOAD cannot hold; expected another place",
                         folder);
    return CLI_OK;
}

int exec_library(char folder[EXEC_PATH])
{
    const char *given = getenv(RUNTIME_VARIABLE);
    char own[EXEC_PATH - 32], tried[EXEC_PATH];

    if (given && *given) {
        if (!realpath(given, folder) || !has_library(folder))
            return cli_error("exec: GCNSIM_HSA_DIR: no " RUNTIME_LIBRARY " in %s", given);
        return check_folder(folder);
    }
    if (!cli_own_program(own, sizeof own))
        return cli_error("exec: where this program is: %s; expected GCNSIM_HSA_DIR", strerror(errno));
    *strrchr(own, '/') = 0;
    for (size_t k = 0; k < sizeof runtime_beside / sizeof *runtime_beside; k++) {
        snprintf(tried, sizeof tried, "%s%s", own, runtime_beside[k]);
        if (realpath(tried, folder) && has_library(folder))
            return check_folder(folder);
    }
    return cli_error("exec: there is no " RUNTIME_LIBRARY " in %s/../lib/gcnsim/hsa or %s/hsa; `make` builds it where "
                     "libhsa-runtime-dev is installed, GCNSIM_HSA_DIR names another folder",
                     own, own);
}

/* ---- program ---- */

/* As execvp(): a name with a slash is a path, others are looked up in PATH. */
static int find(const char *name, char path[EXEC_PATH])
{
    const char *list = getenv("PATH"), *end;
    bool seen = false;

    if (!*name)
        return cli_error("exec: the program's name is empty");
    if (strchr(name, '/')) {
        if (snprintf(path, EXEC_PATH, "%s", name) >= EXEC_PATH)
            return cli_error("exec: %.100s...: the path is too long", name);
        return CLI_OK;
    }
    for (list = list ? list : "/bin:/usr/bin";; list = end + 1) {
        struct stat st;

        end = strchrnul(list, ':');
        int n = (int)(end - list);
        if (snprintf(path, EXEC_PATH, "%.*s%s%s", n, list, n ? "/" : "./", name) < EXEC_PATH && stat(path, &st) == 0 &&
            S_ISREG(st.st_mode)) {
            if (access(path, X_OK) == 0)
                return CLI_OK;
            seen = true;
        }
        if (!*end)
            break;
    }
    if (seen)
        return cli_error("exec: %s: what PATH has of that name is not executable", name);
    if (access(name, F_OK) == 0)
        return cli_error("exec: %s: no such program in PATH; expected ./%s for the one in this folder", name, name);
    return cli_error("exec: %s: no such program in PATH", name);
}

static const char *machine_name(unsigned machine)
{
    static const struct {
        unsigned machine;
        const char *name;
    } names[] = {{EM_386, "x86 of 32 bits"}, {EM_X86_64, "x86-64"}, {EM_ARM, "ARM of 32 bits"}, {EM_AARCH64, "AArch64"},
                 {EM_PPC64, "POWER"},        {EM_RISCV, "RISC-V"},  {EM_S390, "S/390"},         {224, "AMD GPUs"}};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (names[k].machine == machine)
            return names[k].name;
    return "another architecture";
}

/* This program's own architecture. */
static unsigned own_machine(void)
{
    /* the linker's name for the header of what it has linked */
    extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));

    return __ehdr_start.e_machine;
}

/* Whether the program asks for a dynamic linker, which is what reads LD_PRELOAD. */
static bool has_interpreter(int fd, const Elf64_Ehdr *h)
{
    Elf64_Phdr p;

    for (unsigned k = 0; k < h->e_phnum && h->e_phentsize == sizeof p; k++)
        if (pread(fd, &p, sizeof p, (off_t)(h->e_phoff + k * sizeof p)) == sizeof p && p.p_type == PT_INTERP)
            return true;
    return false;
}

static int check_elf(const char *path, int fd, const Elf64_Ehdr *h, size_t size)
{
    unsigned own = own_machine();

    if (size < sizeof *h || h->e_ident[EI_DATA] != ELFDATA2LSB)
        return cli_error("exec: %s: an ELF file that this machine cannot run", path);
    if (h->e_machine != own || h->e_ident[EI_CLASS] != ELFCLASS64)
        return cli_error("exec: %s: is a program for %s; expected one for %s, as gcnsim is", path,
                         machine_name(h->e_machine), machine_name(own));
    if (h->e_type != ET_EXEC && h->e_type != ET_DYN)
        return cli_error("exec: %s: is an object file; expected a program that is linked", path);
    if (has_interpreter(fd, h))
        return CLI_OK;
    return cli_error("exec: %s: is statically linked: the HSA runtime cannot be put under it", path);
}

static int check_file(const char *path, int fd)
{
    union {
        Elf64_Ehdr header;
        char text[sizeof(Elf64_Ehdr)];
    } start = {0};
    struct stat st;
    ssize_t n;

    if (fstat(fd, &st) != 0)
        return cli_error("exec: %s: %s", path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return cli_error("exec: %s: is %s; expected a program", path, S_ISDIR(st.st_mode) ? "a folder" : "no file");
    if ((st.st_mode & S_ISUID && st.st_uid != geteuid()) || (st.st_mode & S_ISGID && st.st_gid != getegid()))
        return cli_error("exec: %s: runs as another user or group, and the dynamic linker then puts nothing under it",
                         path);
    n = pread(fd, &start, sizeof start, 0);
    if (n >= 2 && start.text[0] == '#' && start.text[1] == '!')
        return CLI_OK;
    if (n < SELFMAG || memcmp(start.text, ELFMAG, SELFMAG))
        return cli_error("exec: %s: is neither an ELF program nor a script that begins with #!", path);
    return check_elf(path, fd, &start.header, (size_t)n);
}

int exec_program(const char *name, char path[EXEC_PATH])
{
    int status = find(name, path);

    if (status)
        return status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == EACCES && access(path, X_OK) == 0)
        return CLI_OK; /* a program that may be run and not read */
    if (fd < 0)
        return cli_error("exec: %s: %s", path, errno == ENOENT ? "no such program" : strerror(errno));
    status = check_file(path, fd);
    close(fd);
    if (!status && access(path, X_OK) != 0)
        return cli_error("exec: %s: is not executable", path);
    return status;
}

bool exec_is_program(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    Elf64_Ehdr h;

    bool is = fd >= 0 && pread(fd, &h, sizeof h, 0) == sizeof h && memcmp(h.e_ident, ELFMAG, SELFMAG) == 0 &&
              h.e_ident[EI_CLASS] == ELFCLASS64 && h.e_machine == own_machine() && has_interpreter(fd, &h);
    if (fd >= 0)
        close(fd);
    return is;
}
