/* Where instructions stand in the source, as the page of a run has it: names once, frames as a tree, texts of files. */
#include "sim/report/html_frames.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/util/error.h"
#include "sim/util/input.h"
#include "sim/util/source_name.h"

#define SOURCE_FILE_BYTES (1u << 20) /* a longer file is no source that a page should carry */
#define SOURCE_ALL_BYTES  (8u << 20)

static uint64_t mix(uint64_t h, uint64_t v)
{
    return (h ^ v) * UINT64_C(0x9e3779b97f4a7c15) ^ (h >> 29);
}

static uint64_t hash_text(const char *text)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (; *text; text++)
        h = (h ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
    return h;
}

/* Room for one more entry in a table of `count` ones of `size` bytes, whose slots have indices + 1 by hash. The caller
 * enters all again when the slots have changed. */
static bool grow(void **entries, size_t size, size_t count, struct html_slots *s)
{
    if (count < s->room)
        return true;
    size_t room = s->room ? 2 * s->room : 256;
    void *more = realloc(*entries, room * size);
    uint32_t *slot = calloc(2 * room, sizeof *slot);

    if (more)
        *entries = more;
    if (!more || !slot) {
        free(slot);
        return false;
    }
    free(s->slot);
    s->slot = slot;
    s->room = room;
    s->fresh = true;
    return true;
}

static void enter(struct html_slots *s, uint64_t hash, uint32_t index)
{
    size_t at = hash % (2 * s->room);

    while (s->slot[at])
        at = at + 1 == 2 * s->room ? 0 : at + 1;
    s->slot[at] = index + 1;
}

uint32_t html_name(struct html_names *n, const char *text)
{
    uint64_t hash = hash_text(text ? text : "");

    if (!text)
        return HTML_NONE;
    if (n->slots.room)
        for (size_t at = hash % (2 * n->slots.room); n->slots.slot[at]; at = at + 1 == 2 * n->slots.room ? 0 : at + 1)
            if (strcmp(n->name[n->slots.slot[at] - 1], text) == 0)
                return n->slots.slot[at] - 1;
    if (!grow((void **)&n->name, sizeof *n->name, n->count, &n->slots))
        return HTML_NONE;
    for (size_t k = 0; n->slots.fresh && k < n->count; k++)
        enter(&n->slots, hash_text(n->name[k]), (uint32_t)k);
    n->slots.fresh = false;
    n->name[n->count] = text;
    enter(&n->slots, hash, (uint32_t)n->count);
    return (uint32_t)n->count++;
}

static uint64_t hash_frame(const struct html_frame *f)
{
    return mix(mix(mix(f->function, f->file), f->line), f->parent);
}

static uint32_t find_frame(struct html_frames *t, const struct html_frame *f)
{
    uint64_t hash = hash_frame(f);

    if (t->slots.room)
        for (size_t at = hash % (2 * t->slots.room); t->slots.slot[at]; at = at + 1 == 2 * t->slots.room ? 0 : at + 1)
            if (memcmp(&t->frame[t->slots.slot[at] - 1], f, sizeof *f) == 0)
                return t->slots.slot[at] - 1;
    if (!grow((void **)&t->frame, sizeof *t->frame, t->count, &t->slots))
        return HTML_NONE;
    for (size_t k = 0; t->slots.fresh && k < t->count; k++)
        enter(&t->slots, hash_frame(&t->frame[k]), (uint32_t)k);
    t->slots.fresh = false;
    t->frame[t->count] = *f;
    enter(&t->slots, hash, (uint32_t)t->count);
    return (uint32_t)t->count++;
}

uint32_t html_frame(struct html_frames *t, const struct report_frame *frame, uint32_t frames)
{
    uint32_t at = HTML_NONE;

    for (uint32_t k = frames; k-- > 0;) {
        struct html_frame f = {html_name(&t->functions, frame[k].function), html_name(&t->files, frame[k].file),
                               frame[k].line, at};

        at = find_frame(t, &f);
        if (at == HTML_NONE)
            return HTML_NONE;
    }
    return at;
}

void html_frames_free(struct html_frames *t)
{
    free(t->frame);
    free(t->slots.slot);
    free(t->functions.name);
    free(t->functions.slots.slot);
    free(t->files.name);
    free(t->files.slots.slot);
    *t = (struct html_frames){0};
}

/* ---- JSON ---- */

static void put_names(struct json_put *j, const char *key, const struct html_names *n)
{
    json_put(j, "\n%s: [", key);
    for (size_t k = 0; k < n->count; k++)
        json_put(j, "%s", n->name[k]);
    json_put(j, "]");
}

static int64_t index_or_none(uint32_t index)
{
    return index == HTML_NONE ? -1 : (int64_t)index;
}

/* The bytes of a file, to be freed; null when it is none that a page should carry. */
static char *read_source(const char *path, size_t most)
{
    struct err e = {0};
    uint8_t *bytes;
    size_t size;

    if (!source_name(path) || input_read(path, most, &bytes, &size, &e) != 0)
        return NULL;
    if (memchr(bytes, 0, size)) {
        free(bytes);
        return NULL;
    }
    return (char *)bytes;
}

static void put_sources(struct json_put *j, const struct html_names *files)
{
    size_t left = SOURCE_ALL_BYTES;

    json_put(j, "\nsources: [");
    for (size_t k = 0; k < files->count; k++) {
        char *text = read_source(files->name[k], left < SOURCE_FILE_BYTES ? left : SOURCE_FILE_BYTES);

        if (!text)
            continue;
        json_put(j, "[%zu, %s]", k, text);
        left -= strlen(text);
        free(text);
    }
    json_put(j, "]");
}

void html_put_frames(struct json_put *j, const struct html_frames *t, bool sources)
{
    put_names(j, "files", &t->files);
    put_names(j, "functions", &t->functions);
    json_put(j, "\nframes: [");
    for (size_t k = 0; k < t->count; k++) {
        const struct html_frame *of = &t->frame[k];

        json_put(j, "[%" PRId64 ", %" PRId64 ", %" PRIu32 ", %" PRId64 "]", index_or_none(of->function),
                 index_or_none(of->file), of->line, index_or_none(of->parent));
    }
    json_put(j, "]");
    if (sources)
        put_sources(j, &t->files);
}
