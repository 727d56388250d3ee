/* Text that a terminal shows and does not obey.
 *
 * Names of kernels, files and launches, messages and lines of source come from files that may be anybody's. In what
 * people read, each byte of these becomes a question mark: control characters (C0, DEL, and C1 as UTF-8 has them),
 * bytes that are no UTF-8, and the characters that turn the direction of text or end lines where no line ends (U+061C,
 * U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069). So texts keep their lengths, and other characters stay legible.
 *
 * Everything that is printed for people goes through here: in the library what report_render_plain() renders, in the
 * command line what sim/cli/common.c prints, in the HSA runtime what sim/hsa/core/log.c writes. tests/lint/terminal.sh
 * refuses other ways.
 */
#ifndef GCNSIM_UTIL_PLAIN_H
#define GCNSIM_UTIL_PLAIN_H

#include <stddef.h>

/* What stays, beside characters that are seen. */
enum plain_keep {
    PLAIN_LINES = 1,   /* ends of lines */
    PLAIN_COLOURS = 2, /* sequences that do no more than to set colours, "\033[1;31m": those of our own views */
    PLAIN_TABS = 4,
};

/* In place; returns text. keep: of enum plain_keep. */
char *plain_text(char *text, unsigned keep);

/* Bytes of the UTF-8 character at s, in a text that ends with a 0; 0: there is none. */
size_t plain_utf8_length(const unsigned char *s);
/* Whether the character of n bytes at s is one that becomes question marks. */
int plain_is_hidden(const unsigned char *s, size_t n);

#endif
