/* Options about AMD's thread trace: which compute units, which cycles. */
#define _GNU_SOURCE
#include "sim/cli/att.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A whole number at *at, which is moved after it. */
static bool number(const char **at, uint64_t *out)
{
    char *end;

    if (!isdigit((unsigned char)**at))
        return false;
    errno = 0;
    *out = strtoull(*at, &end, 10);
    *at = end;
    return errno == 0;
}

/* "0,2,5-7" into the list. */
static bool read_units(const char *text, struct att_options *o, struct gcnsim_att *out)
{
    for (const char *at = text;;) {
        uint64_t first, last;

        if (!number(&at, &first))
            return false;
        last = first;
        if (*at == '-' && (at++, !number(&at, &last)))
            return false;
        if (last < first || last >= UINT16_MAX)
            return false;
        for (; first <= last; first++) {
            if (out->unit_count == ATT_MAX_UNITS)
                return false;
            o->list[out->unit_count++] = (uint32_t)first;
        }
        if (!*at)
            return true;
        if (*at++ != ',')
            return false;
    }
}

/* "A:B", either of which may be left out. */
static bool read_cycles(const char *text, struct gcnsim_att *out)
{
    const char *at = text;

    if (*at != ':' && !number(&at, &out->from_cycle))
        return false;
    if (*at++ != ':')
        return false;
    if (!*at)
        return true;
    return number(&at, &out->to_cycle) && !*at && out->to_cycle > out->from_cycle;
}

int cli_att_read(const char *command, struct att_options *o, struct gcnsim_att *out)
{
    gcnsim_att_init(out);
    if (!o->folder && (o->units || o->cycles || o->waves))
        return cli_usage(command, "--att-%s without --att; expected --att DIR beside it",
                         o->units    ? "cus"
                         : o->cycles ? "cycles"
                                     : "waves");
    if (o->folder && strcmp(o->folder, "-") == 0)
        return cli_usage(command,
                         "--att -: a thread trace is a folder; expected its name ('./-' for one of this name)");
    out->folder = o->folder;
    out->max_waves = o->waves;
    out->all_units = o->units && strcmp(o->units, "all") == 0;
    out->units = o->list;
    if (o->units && !out->all_units && !read_units(o->units, o, out))
        return cli_usage(command, "--att-cus '%s'; expected all, or numbers as in 0,2,5-7", o->units);
    if (o->cycles && !read_cycles(o->cycles, out))
        return cli_usage(command, "--att-cycles '%s'; expected FIRST:END, where END is larger", o->cycles);
    return CLI_OK;
}
