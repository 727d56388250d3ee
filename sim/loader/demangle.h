/* Names of C++ as people write them: "_Z4vaddPfi" is "vadd(float*, int)".
 *
 * The demangler is libiberty's (docs/adr/0020-demangler.md). A name may be anybody's: what a short name can be made to
 * expand to, and how deep it can nest, is bounded.
 */
#ifndef GCNSIM_LOADER_DEMANGLE_H
#define GCNSIM_LOADER_DEMANGLE_H

#include <stdbool.h>

#define DEMANGLE_MAX_MANGLED 4096      /* bytes */
#define DEMANGLE_MAX_PLAIN   (1 << 16) /* bytes */

/* To be freed; null: it is not mangled, one of the bounds is passed, or out of host memory. */
char *demangle(const char *name);

/* How well `want` names the kernel or function `name`; 0: not at all. */
enum demangle_match {
    DEMANGLE_NO_MATCH,
    DEMANGLE_PART,    /* a part of the name, or of what it is in C++ */
    DEMANGLE_STEM,    /* what it is in C++, without result, scope, parameters: "vadd" of "void ns::vadd<int>(int*)" */
    DEMANGLE_PLAIN,   /* what it is in C++ */
    DEMANGLE_THE_NAME /* itself */
};
enum demangle_match demangle_matches(const char *name, const char *want);

#endif
