/* The demangler is libiberty's, which is libstdc++'s, too, and needs no C++. Its own header declares far more than
 * this file wants, and names that other headers have. */
#include "sim/hsa/demangle.h"

#include <stddef.h>

enum { DMGL_PARAMS = 1, DMGL_ANSI = 2 }; /* of libiberty's demangle.h */

char *cplus_demangle_v3(const char *mangled, int options);

char *demangle(const char *name)
{
    return name[0] == '_' && name[1] == 'Z' ? cplus_demangle_v3(name, DMGL_PARAMS | DMGL_ANSI) : NULL;
}
