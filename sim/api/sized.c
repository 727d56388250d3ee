/* Public API: structs of the caller that may be those of an older or newer header (struct_bytes). */
#include <string.h>

#include "sim/api/api.h"

/* No struct of ours comes near; more is a struct that nobody has initialised. */
#define MAX_STRUCT_BYTES 4096

void api_struct_init(const struct api_struct *kind, void *to, size_t bytes)
{
    if (bytes < sizeof bytes) /* no room even for its size */
        return;
    memset(to, 0, bytes);
    memcpy(to, kind->initial, bytes < kind->bytes ? bytes : kind->bytes);
    memcpy(to, &bytes, sizeof bytes);
}

void api_struct_give(void *to, size_t bytes, const void *own, size_t own_bytes)
{
    size_t both = bytes < own_bytes ? bytes : own_bytes;

    memcpy(to, own, both);
    memset((char *)to + both, 0, bytes - both);
}

int api_struct_take(const struct api_struct *kind, void *own, const void *from, struct err *e)
{
    const unsigned char *theirs = from;
    size_t bytes;

    memcpy(&bytes, from, sizeof bytes);
    if (bytes < kind->least || bytes > MAX_STRUCT_BYTES)
        return err_set(e, ERR_USAGE, "%s: struct_bytes is %zu; expected %zu, or %zu to %d of another version, see %s",
                       kind->what, bytes, kind->bytes, kind->least, MAX_STRUCT_BYTES, kind->init);
    for (size_t at = kind->bytes; at < bytes; at++)
        if (theirs[at])
            return err_set(e, ERR_UNSUPPORTED,
                           "%s: byte %zu of %zu is not 0, a field that this version of gcnsim (" GCNSIM_VERSION
                           ") does not have; expected 0, or a newer library",
                           kind->what, at, bytes);
    memcpy(own, kind->initial, kind->bytes);
    memcpy(own, from, bytes < kind->bytes ? bytes : kind->bytes);
    memcpy(own, &kind->bytes, sizeof kind->bytes);
    return 0;
}

int api_array_take(const struct api_struct *kind, void *own, const void *from, size_t k, struct err *e)
{
    size_t stride, bytes;
    const char *at;

    memcpy(&stride, from, sizeof stride);
    at = (const char *)from + (stride <= MAX_STRUCT_BYTES ? k * stride : 0);
    memcpy(&bytes, at, sizeof bytes);
    if (bytes != stride)
        return err_set(e, ERR_USAGE, "%s %zu: struct_bytes is %zu; expected %zu as in the first, see %s", kind->what, k,
                       bytes, stride, kind->init);
    return api_struct_take(kind, own, at, e);
}
