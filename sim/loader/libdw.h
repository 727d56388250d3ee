/* libdw: linked to, or, with LIBDW_LOADED, loaded when it is first wanted.
 *
 * The HSA runtime (sim/hsa) is loaded into foreign programs and needs the C library alone, but libdw's archive cannot
 * be linked into a shared object (sim/hsa/static_libs.c). There the names of libdw stand for pointers that dlopen() and
 * dlsym() fill; where libdw.so.1 is missing there are no source lines, which are no part of any result.
 */
#ifndef GCNSIM_LOADER_LIBDW_H
#define GCNSIM_LOADER_LIBDW_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef LIBDW_LOADED
#define LIBDW_FUNCTIONS(X)                                                                                             \
    X(dwarf_attr)                                                                                                      \
    X(dwarf_attr_integrate)                                                                                            \
    X(dwarf_begin)                                                                                                     \
    X(dwarf_child)                                                                                                     \
    X(dwarf_end)                                                                                                       \
    X(dwarf_filesrc)                                                                                                   \
    X(dwarf_formstring)                                                                                                \
    X(dwarf_formudata)                                                                                                 \
    X(dwarf_get_units)                                                                                                 \
    X(dwarf_getsrcfiles)                                                                                               \
    X(dwarf_lineaddr)                                                                                                  \
    X(dwarf_linebeginstatement)                                                                                        \
    X(dwarf_linecol)                                                                                                   \
    X(dwarf_lineendsequence)                                                                                           \
    X(dwarf_lineno)                                                                                                    \
    X(dwarf_linesrc)                                                                                                   \
    X(dwarf_new_oom_handler)                                                                                           \
    X(dwarf_next_lines)                                                                                                \
    X(dwarf_onesrcline)                                                                                                \
    X(dwarf_ranges)                                                                                                    \
    X(dwarf_siblingof)                                                                                                 \
    X(dwarf_tag)

struct libdw {
#define X(name) __typeof__(name) *name;
    LIBDW_FUNCTIONS(X)
#undef X
};
extern struct libdw libdw; /* filled by the first libdw_open() that succeeds, the same for all threads */

#define dwarf_attr(...)               libdw.dwarf_attr(__VA_ARGS__)
#define dwarf_attr_integrate(...)     libdw.dwarf_attr_integrate(__VA_ARGS__)
#define dwarf_child(...)              libdw.dwarf_child(__VA_ARGS__)
#define dwarf_filesrc(...)            libdw.dwarf_filesrc(__VA_ARGS__)
#define dwarf_formstring(...)         libdw.dwarf_formstring(__VA_ARGS__)
#define dwarf_formudata(...)          libdw.dwarf_formudata(__VA_ARGS__)
#define dwarf_get_units(...)          libdw.dwarf_get_units(__VA_ARGS__)
#define dwarf_getsrcfiles(...)        libdw.dwarf_getsrcfiles(__VA_ARGS__)
#define dwarf_lineaddr(...)           libdw.dwarf_lineaddr(__VA_ARGS__)
#define dwarf_linebeginstatement(...) libdw.dwarf_linebeginstatement(__VA_ARGS__)
#define dwarf_linecol(...)            libdw.dwarf_linecol(__VA_ARGS__)
#define dwarf_lineendsequence(...)    libdw.dwarf_lineendsequence(__VA_ARGS__)
#define dwarf_lineno(...)             libdw.dwarf_lineno(__VA_ARGS__)
#define dwarf_linesrc(...)            libdw.dwarf_linesrc(__VA_ARGS__)
#define dwarf_new_oom_handler(...)    libdw.dwarf_new_oom_handler(__VA_ARGS__)
#define dwarf_next_lines(...)         libdw.dwarf_next_lines(__VA_ARGS__)
#define dwarf_onesrcline(...)         libdw.dwarf_onesrcline(__VA_ARGS__)
#define dwarf_ranges(...)             libdw.dwarf_ranges(__VA_ARGS__)
#define dwarf_siblingof(...)          libdw.dwarf_siblingof(__VA_ARGS__)
#define dwarf_tag(...)                libdw.dwarf_tag(__VA_ARGS__)
#endif

/* The DWARF of an ELF file and what it rests on; all zero: none. */
struct libdw_file {
    Dwarf *dwarf;
    int fd; /* plus one, of a loaded libdw: it has a libelf of its own, to which the Elf of ours means nothing */
};

/* The DWARF of a file that lies in memory and is open as `elf`; both outlive it. False: it has none, or libdw is not
 * there. */
bool libdw_open(struct libdw_file *f, Elf *elf, const void *bytes, size_t size);
void libdw_close(struct libdw_file *f);

#endif
