/* Archives of object files: headers of 60 characters, each with the name and the length of what stands after it. */
#include "sim/loader/archive.h"

#include <stdio.h>
#include <string.h>

enum { MAGIC_BYTES = 8, HEADER_BYTES = 60, NAME_BYTES = 16, SIZE_AT = 48, SIZE_BYTES = 10 };

bool archive_open(struct archive *a, const uint8_t *bytes, size_t size)
{
    *a = (struct archive){.bytes = bytes, .size = size, .next = MAGIC_BYTES};
    if (size < MAGIC_BYTES)
        return false;
    a->thin = !memcmp(bytes, "!<thin>\n", MAGIC_BYTES);
    return a->thin || !memcmp(bytes, "!<arch>\n", MAGIC_BYTES);
}

/* Decimal digits, then blanks alone; false: something else. */
static bool read_number(const uint8_t *b, size_t n, size_t *value)
{
    size_t k = 0;

    *value = 0;
    for (; k < n && b[k] >= '0' && b[k] <= '9'; k++)
        *value = *value * 10 + (b[k] - '0'); /* at most 15 digits */
    bool digits = k > 0;
    for (; k < n; k++)
        if (b[k] != ' ')
            return false;
    return digits;
}

/* Copies a name that ends at one of `stops` or at n; of a long one its end. */
static void copy_name(char *to, size_t room, const uint8_t *from, size_t n, const char *stops)
{
    size_t len = 0, skip;

    while (len < n && from[len] && !strchr(stops, from[len]))
        len++;
    skip = len < room ? 0 : len - (room - 1);
    memcpy(to, from + skip, len - skip);
    to[len - skip] = 0;
}

static void read_name(const struct archive *a, struct archive_member *m)
{
    const uint8_t *h = a->bytes + m->header;
    size_t number;

    if (h[0] == '/' && read_number(h + 1, NAME_BYTES - 1, &number)) {
        if (number < a->names_bytes)
            copy_name(m->name, sizeof m->name, a->bytes + a->names + number, a->names_bytes - number, "\n");
        size_t n = strlen(m->name);
        if (n && m->name[n - 1] == '/')
            m->name[n - 1] = 0;
    } else if (!memcmp(h, "#1/", 3) && read_number(h + 3, NAME_BYTES - 3, &number) && number <= m->size) {
        copy_name(m->name, sizeof m->name, a->bytes + m->at, number, "");
        m->at += number;
        m->size -= number;
    } else {
        copy_name(m->name, sizeof m->name, h, NAME_BYTES, "/ ");
    }
}

/* Whether the member is a table of the archive's own; that of long names is noted. */
static bool own_table(struct archive *a, const struct archive_member *m)
{
    const char *h = (const char *)a->bytes + m->header;

    if (!strncmp(h, "//  ", 4)) {
        a->names = m->at;
        a->names_bytes = m->size;
        return true;
    }
    return !strncmp(h, "/  ", 3) || !strncmp(h, "/SYM64/", 7) || !strncmp(h, "__.SYMDEF", 9);
}

int archive_next(struct archive *a, struct archive_member *m, struct err *e)
{
    for (bool own = true; own;) {
        size_t at = a->next;

        if (at >= a->size)
            return 0;
        const uint8_t *h = a->bytes + at;
        if (a->size - at < HEADER_BYTES || h[58] != '`' || h[59] != '\n')
            return err_set(e, ERR_FORMAT, "archive: at offset 0x%zx, expected the header of a member", at);
        *m = (struct archive_member){.header = at, .at = at + HEADER_BYTES};
        if (!read_number(h + SIZE_AT, SIZE_BYTES, &m->size))
            return err_set(e, ERR_FORMAT, "archive: at offset 0x%zx, expected the decimal size of a member",
                           at + SIZE_AT);
        own = own_table(a, m);
        size_t there = a->thin && !own ? 0 : m->size;
        if (there > a->size - m->at)
            return err_set(e, ERR_FORMAT, "archive: member at offset 0x%zx has %zu bytes, the file ends after %zu", at,
                           m->size, a->size - m->at);
        a->next = m->at + there + (there & 1);
        if (!own)
            read_name(a, m);
    }
    return 1;
}

void archive_name(const uint8_t *bytes, size_t size, size_t header, char *name, size_t room)
{
    struct archive_member m = {0};
    struct archive a;

    name[0] = 0;
    if (!archive_open(&a, bytes, size))
        return;
    /* the table of long names stands before all members */
    if (archive_next(&a, &m, NULL) == 1 && m.header < header) {
        a.next = header;
        archive_next(&a, &m, NULL);
    }
    if (m.header == header)
        snprintf(name, room, "%s", m.name);
}
