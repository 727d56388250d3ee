/* Code object readers: where the bytes of a code object come from.
 *
 * Bytes in memory stay the program's, which keeps them as long as the reader; a file is read when its reader is made.
 * Loading copies them, so neither need outlive it.
 */
#include "sim/hsa/code/reader.h"

#include "sim/hsa/core/runtime.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void reader_free(struct object *o)
{
    struct reader *r = (struct reader *)o;

    free(r->own);
    free(r->own_uri);
    free(r);
}

static hsa_status_t reader_give(const struct reader *made, hsa_code_object_reader_t *out)
{
    struct reader *r = malloc(sizeof *r);

    if (r) {
        *r = *made;
        r->object.kind = OBJECT_READER;
        r->object.free = reader_free;
    }
    if (!r || !handle_give(&r->object)) {
        free(r);
        free(made->own);
        free(made->own_uri);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    out->handle = r->object.handle;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_code_object_reader_create_from_memory(const void *code_object, size_t size,
                                                       hsa_code_object_reader_t *code_object_reader)
{
    RT_READY_OR_RETURN();
    if (!code_object || !size || !code_object_reader)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return reader_give(&(struct reader){.source = {.bytes = code_object, .size = size}}, code_object_reader);
}

/* "file:///path/of/it", with the part of the file when it is not all of it; null: out of host memory. A file without a
 * name has no path. */
static char *file_uri(int fd, uint64_t offset, uint64_t size, bool part)
{
    static const char scheme[] = "file://";
    char link[64], path[4096], *uri, *at;
    ssize_t n;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    n = readlink(link, path, sizeof path);
    if (n < 0)
        n = 0;
    uri = malloc(sizeof scheme + 3 * (size_t)n + 80);
    if (!uri)
        return NULL;
    at = uri + sprintf(uri, "%s", scheme);
    for (ssize_t k = 0; k < n; k++) {
        unsigned char c = (unsigned char)path[k];
        at += sprintf(at, c < 128 && (isalnum(c) || strchr("/_.~-", c)) ? "%c" : "%%%02X", c);
    }
    if (part)
        sprintf(at, "#offset=%llu&size=%llu", (unsigned long long)offset, (unsigned long long)size);
    return uri;
}

/* Reads size bytes of the file from offset on; HSA_STATUS_SUCCESS with *out, which the caller frees. */
static hsa_status_t read_bytes(int fd, uint64_t offset, size_t size, void **out)
{
    unsigned char *bytes = malloc(size);
    size_t done = 0;

    if (!bytes)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    while (done < size) {
        ssize_t n = pread(fd, bytes + done, size - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            rt_log("code object of file descriptor %d: %s", fd, n < 0 ? strerror(errno) : "the file ends early");
            free(bytes);
            return HSA_STATUS_ERROR_INVALID_FILE;
        }
        done += (size_t)n;
    }
    *out = bytes;
    return HSA_STATUS_SUCCESS;
}

/* part: size bytes from offset on; otherwise all of the file. */
static hsa_status_t from_file(int fd, uint64_t offset, uint64_t size, bool part, hsa_code_object_reader_t *out)
{
    struct reader made = {0};
    struct stat st;
    hsa_status_t status;

    if (!out)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode)) {
        rt_log("code object of file descriptor %d: it is not an open regular file", fd);
        return HSA_STATUS_ERROR_INVALID_FILE;
    }
    if (!part)
        size = (uint64_t)st.st_size;
    if (!size || offset > (uint64_t)st.st_size || size > (uint64_t)st.st_size - offset) {
        rt_log("code object of file descriptor %d: %llu bytes at offset %llu, the file has %llu", fd,
               (unsigned long long)size, (unsigned long long)offset, (unsigned long long)st.st_size);
        return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
    }
    status = read_bytes(fd, offset, size, &made.own);
    if (status != HSA_STATUS_SUCCESS)
        return status;
    made.own_uri = file_uri(fd, offset, size, part);
    made.source = (struct code_source){.bytes = made.own, .size = size, .uri = made.own_uri};
    return reader_give(&made, out);
}

hsa_status_t hsa_code_object_reader_create_from_file(hsa_file_t file, hsa_code_object_reader_t *code_object_reader)
{
    RT_READY_OR_RETURN();
    return from_file(file, 0, 0, false, code_object_reader);
}

hsa_status_t loader_reader_from_file(hsa_file_t file, size_t offset, size_t size,
                                     hsa_code_object_reader_t *code_object_reader)
{
    RT_READY_OR_RETURN();
    return from_file(file, offset, size, true, code_object_reader);
}

hsa_status_t hsa_code_object_reader_destroy(hsa_code_object_reader_t code_object_reader)
{
    struct object *o;

    RT_READY_OR_RETURN();
    o = handle_take(code_object_reader.handle, OBJECT_READER);
    object_release(o);
    return o ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
}
