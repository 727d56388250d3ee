/* What lets Debian's archives be linked into this shared object and into the library of the Python wheel.
 *
 * The runtime is loaded into programs that bring libraries of their own, so it needs the C library alone and takes
 * libelf, zstd, nettle, msgpack, sqlite, libiberty and zlib from their archives, with no name of theirs
 * visible. So does the wheel's library (sim/python/wheel.mk), which meets machines that have none of them. Debian's
 * archives are made for position independent programs, not for shared objects. Three things of them do not link:
 *
 * - elf_error.o of libelf keeps its last error in thread-local storage of the executable's model (local-exec). It is
 *   left out of the link, because all names that it defines are defined here.
 * - The dictionary builder of zstd and fat-x86_64.o of nettle read stdin and stderr by their address in the executable.
 *   The names are defined here, hidden, with the values that the C library's have when a program
 *   begins: nettle writes there from its constructor where NETTLE_FAT_VERBOSE asks for it. Nothing of gcnsim in this
 *   library uses stdio's streams, which are the program's (tests/lint/symbols.sh).
 * - libdw has such thread-local storage, too, in the allocator that all of it uses. It is not linked at all but loaded
 *   when a source line is wanted (sim/loader/libdw.h).
 *
 * Debian has no archive of cJSON: it is loaded as well, when JSON is read (sim/util/libcjson.h).
 */
#include <stdio.h>

/* ---- libelf's errors; prototypes as in libelf.h, and libelfP.h, which is not installed ---- */

int elf_errno(void);
const char *elf_errmsg(int error);
void __libelf_seterrno(int value); /* NOLINT(readability-identifier-naming): libelf's name */

static _Thread_local int last_error;

int elf_errno(void)
{
    int error = last_error;

    last_error = 0;
    return error;
}

void __libelf_seterrno(int value) /* NOLINT(readability-identifier-naming) */
{
    last_error = value;
}

/* error: 0 and -1 stand for the last one; null for 0 when there is none. The numbers are libelf's, whose texts it does
 * not export. */
const char *elf_errmsg(int error)
{
    static _Thread_local char text[40];

    if (!error && !last_error)
        return NULL;
    if (error == -1 && !last_error)
        return "no error";
    snprintf(text, sizeof text, "error %d of libelf", error > 0 ? error : last_error);
    return text;
}

/* ---- streams; under names of ours in C, because <stdio.h> has declared them ---- */

/* glibc's own, which it exports for this. */
extern struct _IO_FILE _IO_2_1_stdin_, _IO_2_1_stdout_, _IO_2_1_stderr_; /* NOLINT(readability-identifier-naming) */

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN FILE *hidden_stdin __asm__("stdin") = &_IO_2_1_stdin_;
HIDDEN FILE *hidden_stdout __asm__("stdout") = &_IO_2_1_stdout_;
HIDDEN FILE *hidden_stderr __asm__("stderr") = &_IO_2_1_stderr_;
