/* Strings in JSON that gcnsim writes. Names come from files and may be any bytes; JSON is UTF-8 whatever they are. */
#ifndef GCNSIM_UTIL_JSON_PUT_H
#define GCNSIM_UTIL_JSON_PUT_H

#include <stdio.h>

/* Bytes of the UTF-8 character at s, in a text that ends with a 0; 0: there is none. */
size_t json_utf8_length(const unsigned char *s);

/* With its quotes; bytes that are no UTF-8 become U+FFFD. */
void json_put_string(FILE *f, const char *s);

#endif
