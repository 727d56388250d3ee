/* Public API: what raw launches share: decoded code, and lists of valid memory. */
#include <stdlib.h>
#include <string.h>

#include "sim/api/api.h"

int gcnsim_raw_code_open(struct gcnsim_raw_code **out, const char *target, uint64_t base, uint64_t size,
                         struct gcnsim_error *error)
{
    struct gcnsim_raw_code *c = calloc(1, sizeof *c);
    struct err e = {0};

    *out = NULL;
    if (!c)
        err_set(&e, ERR_NOMEM, "out of host memory for raw code");
    else if (!target || !base)
        err_set(&e, ERR_USAGE, "raw code: %s is null", target ? "base" : "target");
    else if (co_target_parse(&c->id, target, &e) ||
             isa_target_open(&c->target, api_processor(&c->id, NULL), NULL, &e) ||
             isa_program_open(&c->program, c->target, base, (const uint8_t *)(uintptr_t)base, size, &e))
        err_prefix(&e, "raw code");
    if (e.code) {
        if (c && c->target)
            isa_target_close(c->target);
        free(c);
        return api_fail(error, &e);
    }
    c->base = base;
    c->bytes = size;
    pthread_mutex_init(&c->hashing, NULL);
    *out = c;
    return GCNSIM_OK;
}

void gcnsim_raw_code_changed(struct gcnsim_raw_code *code)
{
    isa_program_forget(code->program);
    code->sha256[0] = 0;
}

void gcnsim_raw_code_close(struct gcnsim_raw_code *code)
{
    if (!code)
        return;
    isa_program_close(code->program);
    isa_target_close(code->target);
    pthread_mutex_destroy(&code->hashing);
    free(code);
}

void api_raw_code_sha256(const struct gcnsim_raw_code *code, char out[REPORT_HASH_TEXT])
{
    struct gcnsim_raw_code *c = (struct gcnsim_raw_code *)code; /* the hash is computed late; nothing else changes */

    pthread_mutex_lock(&c->hashing);
    if (!c->sha256[0])
        sha256_text((const void *)(uintptr_t)c->base, c->bytes, c->sha256);
    memcpy(out, c->sha256, REPORT_HASH_TEXT);
    pthread_mutex_unlock(&c->hashing);
}

/* ---- valid memory ---- */

static int make_range(const struct gcnsim_range *from, size_t index, struct mem_range *to, struct err *e)
{
    if (!from->bytes || from->address + from->bytes < from->address)
        return err_set(e, ERR_USAGE, "raw: range %zu is empty or wraps: 0x%llx, %llu bytes", index,
                       (unsigned long long)from->address, (unsigned long long)from->bytes);
    *to = (struct mem_range){
        .lo = from->address, .hi = from->address + from->bytes, .flags = MEM_READ | (from->writable ? MEM_WRITE : 0)};
    strncpy(to->label, from->label ? from->label : "range", sizeof to->label - 1);
    return 0;
}

static int add_window(struct mem_space *s, const struct gcnsim_window *w, struct err *e)
{
    struct mem_range r = {.lo = w->address,
                          .hi = w->address + w->bytes,
                          .host = (uint8_t *)(uintptr_t)w->host,
                          .flags = MEM_READ | (w->writable ? MEM_WRITE : 0)};

    strncpy(r.label, w->label ? w->label : "window", sizeof r.label - 1);
    return mem_space_add_window(s, &r, e);
}

int api_raw_space(struct mem_space *s, const struct gcnsim_range *ranges, size_t range_count,
                  const struct gcnsim_window *windows, size_t window_count, struct err *e)
{
    struct mem_range *list = range_count ? calloc(range_count, sizeof *list) : NULL;
    int failed = 0;

    if ((range_count && !ranges) || (window_count && !windows))
        failed = err_set(e, ERR_USAGE, "raw: %zu ranges and %zu windows, but %s is null", range_count, window_count,
                         range_count && !ranges ? "ranges" : "windows");
    else if (range_count && !list)
        failed = err_set(e, ERR_NOMEM, "raw: out of host memory for %zu ranges", range_count);
    for (size_t i = 0; !failed && i < range_count; i++)
        failed = make_range(&ranges[i], i, &list[i], e);
    failed = failed || mem_space_init_identity(s, list, range_count, e);
    free(list);
    for (size_t i = 0; !failed && i < window_count; i++)
        if ((failed = add_window(s, &windows[i], e)))
            mem_space_destroy(s);
    return failed ? -1 : 0;
}

int gcnsim_ranges_open(struct gcnsim_ranges **out, const struct gcnsim_range *ranges, size_t range_count,
                       const struct gcnsim_window *windows, size_t window_count, struct gcnsim_error *error)
{
    struct gcnsim_ranges *r = calloc(1, sizeof *r);
    struct err e = {0};

    *out = NULL;
    if (!r)
        err_set(&e, ERR_NOMEM, "out of host memory for %zu ranges", range_count);
    else if (api_raw_space(&r->space, ranges, range_count, windows, window_count, &e) == 0) {
        *out = r;
        return GCNSIM_OK;
    }
    free(r);
    return api_fail(error, &e);
}

void gcnsim_ranges_close(struct gcnsim_ranges *ranges)
{
    if (ranges)
        mem_space_destroy(&ranges->space);
    free(ranges);
}
