/* Reading a decoded thread trace. Everything is checked: files of others may lie in the folder. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/timing/replay.h"

const char *const trace_class_name[TRACE_CLASSES] = {"VALU", "VOPD",    "TRANS", "MATRIX", "SALU",
                                                     "SMEM", "VMEM",    "LDS",   "BRANCH", "MSG",
                                                     "IMM",  "BARRIER", "WAIT",  "ENDPGM", "other"};

#define TRACE_MAX_BYTES ((long)256 << 20)

static char *read_file(const char *path, struct err *e)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    long size;

    if (!f) {
        err_set(e, ERR_IO, "cannot open it");
        return NULL;
    }
    if (fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0 && size < TRACE_MAX_BYTES && fseek(f, 0, SEEK_SET) == 0) {
        text = malloc((size_t)size + 1);
        if (text && fread(text, 1, (size_t)size, f) == (size_t)size) {
            text[size] = 0;
        } else {
            free(text);
            text = NULL;
        }
    }
    fclose(f);
    if (!text)
        err_set(e, ERR_IO, "cannot read it, or it is larger than %ld bytes", TRACE_MAX_BYTES);
    return text;
}

/* A number that is a whole one in [0, 2^53]. */
static bool whole(const cJSON *j, uint64_t *out)
{
    if (!cJSON_IsNumber(j) || !(j->valuedouble >= 0 && j->valuedouble <= 9007199254740992.0) ||
        floor(j->valuedouble) != j->valuedouble)
        return false;
    *out = (uint64_t)j->valuedouble;
    return true;
}

static bool word(const cJSON *j, uint32_t *out)
{
    uint64_t v;

    if (!whole(j, &v) || v > UINT32_MAX)
        return false;
    *out = (uint32_t)v;
    return true;
}

static bool text(const cJSON *o, const char *key, char *out, size_t size)
{
    const cJSON *j = cJSON_GetObjectItemCaseSensitive(o, key);

    if (!cJSON_IsString(j) || strlen(j->valuestring) >= size || !j->valuestring[0])
        return false;
    strcpy(out, j->valuestring);
    return true;
}

static bool triple(const cJSON *o, const char *key, uint32_t out[3])
{
    const cJSON *j = cJSON_GetObjectItemCaseSensitive(o, key);

    if (!cJSON_IsArray(j) || cJSON_GetArraySize(j) != 3)
        return false;
    for (int k = 0; k < 3; k++)
        if (!word(cJSON_GetArrayItem(j, k), &out[k]) || !out[k])
            return false;
    return true;
}

static enum trace_class class_of(const char *name)
{
    for (unsigned k = 0; k < TRACE_OTHER; k++)
        if (!strcmp(name, trace_class_name[k]))
            return k;
    return TRACE_OTHER;
}

/* [cu, simd, slot, start, end] */
static bool read_span(const cJSON *row, struct trace_span *s)
{
    const cJSON *j = cJSON_IsArray(row) ? row->child : NULL;
    uint32_t *to[] = {&s->cu, &s->simd, &s->slot};

    for (unsigned k = 0; k < 3; k++, j = j->next)
        if (!j || !word(j, to[k]))
            return false;
    return j && whole(j, &s->start) && j->next && whole(j->next, &s->end);
}

/* [pc, t, class, token, ready, exec, asm] */
static bool read_event(const cJSON *row, struct trace_event *v)
{
    const cJSON *f[7], *j = cJSON_IsArray(row) ? row->child : NULL;

    for (unsigned k = 0; k < 7; k++, j = j->next) {
        if (!j)
            return false;
        f[k] = j;
    }
    if (!cJSON_IsNumber(f[0]) || !whole(f[1], &v->at) || !cJSON_IsString(f[2]) || !cJSON_IsString(f[3]) ||
        !cJSON_IsString(f[6]))
        return false;
    if (!whole(f[0], &v->pc))
        v->pc = TRACE_NO_PC;
    v->cls = class_of(f[2]->valuestring);
    v->ends = !strncmp(f[3]->valuestring, "IMMEDIATE", 9);
    snprintf(v->text, sizeof v->text, "%s", f[6]->valuestring);
    return true;
}

static bool read_wave(const cJSON *o, struct trace_wave *w)
{
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(o, "insts"), "rows"), *row;

    if (!word(cJSON_GetObjectItemCaseSensitive(o, "wgp_or_cu"), &w->span.cu) ||
        !word(cJSON_GetObjectItemCaseSensitive(o, "simd"), &w->span.simd) ||
        !word(cJSON_GetObjectItemCaseSensitive(o, "slot"), &w->span.slot) ||
        !whole(cJSON_GetObjectItemCaseSensitive(o, "start"), &w->span.start) ||
        !whole(cJSON_GetObjectItemCaseSensitive(o, "end"), &w->span.end) || !cJSON_IsArray(rows))
        return false;
    w->event = calloc((size_t)cJSON_GetArraySize(rows) + 1, sizeof *w->event);
    if (!w->event)
        return false;
    cJSON_ArrayForEach(row, rows)
    {
        if (!read_event(row, &w->event[w->count]))
            return false;
        if (w->count && w->event[w->count].at < w->event[w->count - 1].at)
            return false;
        w->count++;
    }
    return true;
}

static bool read_engine(const cJSON *o, struct trace_engine *g)
{
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(o, "wave_spans"), "rows");
    const cJSON *waves = cJSON_GetObjectItemCaseSensitive(o, "waves"), *j;

    if (!word(cJSON_GetObjectItemCaseSensitive(o, "se"), &g->se) || !cJSON_IsArray(rows) || !cJSON_IsArray(waves))
        return false;
    g->span = calloc((size_t)cJSON_GetArraySize(rows) + 1, sizeof *g->span);
    g->wave = calloc((size_t)cJSON_GetArraySize(waves) + 1, sizeof *g->wave);
    if (!g->span || !g->wave)
        return false;
    cJSON_ArrayForEach(j, rows) if (!read_span(j, &g->span[g->spans++])) return false;
    cJSON_ArrayForEach(j, waves) if (!read_wave(j, &g->wave[g->waves++])) return false;
    return true;
}

static bool read_trace(const cJSON *o, struct trace *t, struct err *e)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(o, "shader_engines"), *j;
    const cJSON *buffers = cJSON_GetObjectItemCaseSensitive(o, "buffers_elements");
    const char *missing = NULL;

    if (!text(o, "target", t->target, sizeof t->target))
        missing = "target";
    else if (!text(o, "kernel", t->kernel, sizeof t->kernel))
        missing = "kernel";
    else if (!text(o, "code_object", t->code, sizeof t->code) || strchr(t->code, '/'))
        missing = "code_object";
    else if (!text(o, "capture", t->capture, sizeof t->capture))
        missing = "capture";
    else if (!triple(o, "workgroups", t->workgroups))
        missing = "workgroups";
    else if (!triple(o, "workgroup_size", t->workgroup_size))
        missing = "workgroup_size";
    else if (!whole(cJSON_GetObjectItemCaseSensitive(o, "entry_offset_in_text"), &t->entry_offset))
        missing = "entry_offset_in_text";
    else if (!cJSON_IsArray(buffers) || cJSON_GetArraySize(buffers) > 32)
        missing = "buffers_elements";
    else if (!cJSON_IsArray(list))
        missing = "shader_engines";
    if (missing)
        return err_set(e, ERR_FORMAT, "no trace: %s is missing or not as expected", missing) == 0;
    if (!word(cJSON_GetObjectItemCaseSensitive(o, "cycle_resolution"), &t->resolution) || !t->resolution)
        t->resolution = 1;
    cJSON_ArrayForEach(j, buffers) if (!whole(j, &t->buffer_elements[t->buffers++]) ||
                                       j->valuedouble > 1e9) return err_set(e, ERR_FORMAT, "buffers_elements[%zu]",
                                                                            t->buffers - 1) == 0;
    t->engine = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *t->engine);
    if (!t->engine)
        return err_set(e, ERR_NOMEM, "no memory") == 0;
    cJSON_ArrayForEach(j, list) if (!read_engine(j, &t->engine[t->engines++])) return err_set(
        e, ERR_FORMAT, "shader_engines[%zu] is not as expected", t->engines - 1) == 0;
    cJSON_ArrayForEach(j, list)
    {
        const cJSON *mhz = cJSON_GetObjectItemCaseSensitive(j, "shader_clock_mhz");

        if (!t->clock_mhz && cJSON_IsNumber(mhz) && mhz->valuedouble >= 100 && mhz->valuedouble < 10000)
            t->clock_mhz = mhz->valuedouble;
    }
    return true;
}

struct trace *replay_trace_open(const char *path, struct err *e)
{
    char *bytes = read_file(path, e);
    struct trace *t = calloc(1, sizeof *t);
    cJSON *root = bytes ? cJSON_Parse(bytes) : NULL;
    bool good = false;

    if (bytes && !root)
        err_set(e, ERR_FORMAT, "not JSON");
    else if (bytes && !t)
        err_set(e, ERR_NOMEM, "no memory");
    else if (bytes)
        good = read_trace(root, t, e);
    cJSON_Delete(root);
    free(bytes);
    if (good)
        return t;
    trace_free(t);
    return NULL;
}

void trace_free(struct trace *t)
{
    if (!t)
        return;
    for (size_t n = 0; n < t->engines; n++) {
        for (size_t k = 0; k < t->engine[n].waves; k++)
            free(t->engine[n].wave[k].event);
        free(t->engine[n].wave);
        free(t->engine[n].span);
    }
    free(t->engine);
    free(t);
}
