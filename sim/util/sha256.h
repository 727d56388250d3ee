/* SHA-256 as text, by Nettle: the hash that names a code object or a profile in reports. */
#ifndef GCNSIM_UTIL_SHA256_H
#define GCNSIM_UTIL_SHA256_H

#include <stddef.h>

enum { SHA256_TEXT = 65 }; /* 64 hexadecimal digits and the zero */

void sha256_text(const void *bytes, size_t size, char out[SHA256_TEXT]);

#endif
