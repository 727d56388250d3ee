/* Strings in JSON that gcnsim writes. Names come from files and may be any bytes; JSON is UTF-8 whatever they are. */
#ifndef GCNSIM_UTIL_JSON_PUT_H
#define GCNSIM_UTIL_JSON_PUT_H

#include <stdio.h>

/* With its quotes; bytes that are no UTF-8 become U+FFFD. What a terminal would obey (sim/util/plain.h) is escaped, so
 * that it comes out as it was, and does nothing on the way. */
void json_put_string(FILE *f, const char *s);

#endif
