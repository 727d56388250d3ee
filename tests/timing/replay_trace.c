/* Reading a decoded thread trace. Everything is checked: files of others may lie in the folder. */
#include "tests/support/json.h"
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
static bool whole(const struct json *j, uint64_t *out)
{
    if (!json_is_number(j) || !(json_number(j) >= 0 && json_number(j) <= 9007199254740992.0) ||
        floor(json_number(j)) != json_number(j))
        return false;
    *out = (uint64_t)json_number(j);
    return true;
}

static bool word(const struct json *j, uint32_t *out)
{
    uint64_t v;

    if (!whole(j, &v) || v > UINT32_MAX)
        return false;
    *out = (uint32_t)v;
    return true;
}

static bool text(const struct json *o, const char *key, char *out, size_t size)
{
    const struct json *j = json_get(o, key);

    if (!json_is_string(j) || strlen(json_text(j)) >= size || !json_text(j)[0])
        return false;
    strcpy(out, json_text(j));
    return true;
}

static bool triple(const struct json *o, const char *key, uint32_t out[3])
{
    const struct json *j = json_get(o, key);

    if (!json_is_array(j) || json_elements(j) != 3)
        return false;
    for (int k = 0; k < 3; k++)
        if (!word(json_at(j, k), &out[k]) || !out[k])
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
static bool read_span(const struct json *row, struct trace_span *s)
{
    uint32_t *to[] = {&s->cu, &s->simd, &s->slot};

    for (unsigned k = 0; k < 3; k++)
        if (!word(json_at(row, k), to[k]))
            return false;
    return whole(json_at(row, 3), &s->start) && whole(json_at(row, 4), &s->end);
}

/* [pc, t, class, token, ready, exec, asm] */
static bool read_event(const struct json *row, struct trace_event *v)
{
    const struct json *f[7];

    for (unsigned k = 0; k < 7; k++)
        f[k] = json_at(row, k); /* null, which is of no type, where there is none */
    if (!json_is_number(f[0]) || !whole(f[1], &v->at) || !json_is_string(f[2]) || !json_is_string(f[3]) ||
        !json_is_string(f[6]))
        return false;
    if (!whole(f[0], &v->pc))
        v->pc = TRACE_NO_PC;
    v->cls = class_of(json_text(f[2]));
    v->ends = !strncmp(json_text(f[3]), "IMMEDIATE", 9);
    snprintf(v->text, sizeof v->text, "%s", json_text(f[6]));
    return true;
}

static bool read_wave(const struct json *o, struct trace_wave *w)
{
    const struct json *rows = json_get(json_get(o, "insts"), "rows"), *row;
    size_t index;

    if (!word(json_get(o, "wgp_or_cu"), &w->span.cu) || !word(json_get(o, "simd"), &w->span.simd) ||
        !word(json_get(o, "slot"), &w->span.slot) || !whole(json_get(o, "start"), &w->span.start) ||
        !whole(json_get(o, "end"), &w->span.end) || !json_is_array(rows))
        return false;
    w->event = calloc((size_t)json_elements(rows) + 1, sizeof *w->event);
    if (!w->event)
        return false;
    json_each_element (rows, index, row) {
        if (!read_event(row, &w->event[w->count]))
            return false;
        if (w->count && w->event[w->count].at < w->event[w->count - 1].at)
            return false;
        w->count++;
    }
    return true;
}

static bool read_engine(const struct json *o, struct trace_engine *g)
{
    const struct json *rows = json_get(json_get(o, "wave_spans"), "rows");
    const struct json *waves = json_get(o, "waves"), *j;
    size_t index;

    if (!word(json_get(o, "se"), &g->se) || !json_is_array(rows) || !json_is_array(waves))
        return false;
    g->span = calloc((size_t)json_elements(rows) + 1, sizeof *g->span);
    g->wave = calloc((size_t)json_elements(waves) + 1, sizeof *g->wave);
    if (!g->span || !g->wave)
        return false;
    json_each_element (rows, index, j)
        if (!read_span(j, &g->span[g->spans++]))
            return false;
    json_each_element (waves, index, j)
        if (!read_wave(j, &g->wave[g->waves++]))
            return false;
    return true;
}

/* Two registers as one number; 0 when the recording does not have them. */
static uint64_t read_pair(const struct json *o, const char *low_name, const char *high_name)
{
    const struct json *registers = json_get(o, "registers");
    char low[24], high[24];

    if (!text(registers, low_name, low, sizeof low) || !text(registers, high_name, high, sizeof high))
        return 0;
    return (uint64_t)(uint32_t)strtoul(high, NULL, 0) << 32 | (uint32_t)strtoul(low, NULL, 0);
}

/* The address of the kernel arguments, which the first user SGPRs hold when the descriptor asks for nothing before it.
 */
static uint64_t read_kernarg(const struct json *o)
{
    const struct json *properties = json_get(o, "kernel_descriptor");
    char asked[24];
    unsigned long bits;

    if (!text(properties, "kernel_code_properties", asked, sizeof asked))
        return 0;
    bits = strtoul(asked, NULL, 0);
    return !(bits & 7) && bits & 8 ? read_pair(o, "USER_DATA_0", "USER_DATA_1") : 0;
}

static bool read_trace(const struct json *o, struct trace *t, struct err *e)
{
    const struct json *list = json_get(o, "shader_engines"), *j;
    const struct json *buffers = json_get(o, "buffers_elements");
    size_t index;
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
    else if (!whole(json_get(o, "entry_offset_in_text"), &t->entry_offset))
        missing = "entry_offset_in_text";
    else if (!json_is_array(buffers) || json_elements(buffers) > 32)
        missing = "buffers_elements";
    else if (!json_is_array(list))
        missing = "shader_engines";
    if (missing)
        return err_set(e, ERR_FORMAT, "no trace: %s is missing or not as expected", missing) == 0;
    if (!word(json_get(o, "cycle_resolution"), &t->resolution) || !t->resolution)
        t->resolution = 1;
    t->kernarg = read_kernarg(o);
    t->entry = read_pair(o, "PGM_LO", "PGM_HI") << 8;
    json_each_element (buffers, index, j)
        if (!whole(j, &t->buffer_elements[t->buffers++]) || json_number(j) > 1e9)
            return err_set(e, ERR_FORMAT, "buffers_elements[%zu]", t->buffers - 1) == 0;
    t->engine = calloc((size_t)json_elements(list) + 1, sizeof *t->engine);
    if (!t->engine)
        return err_set(e, ERR_NOMEM, "out of host memory") == 0;
    json_each_element (list, index, j)
        if (!read_engine(j, &t->engine[t->engines++]))
            return err_set(e, ERR_FORMAT, "shader_engines[%zu] is not as expected", t->engines - 1) == 0;
    json_each_element (list, index, j) {
        const struct json *mhz = json_get(j, "shader_clock_mhz");

        if (!t->clock_mhz && json_is_number(mhz) && json_number(mhz) >= 100 && json_number(mhz) < 10000)
            t->clock_mhz = json_number(mhz);
    }
    return true;
}

struct trace *replay_trace_open(const char *path, struct err *e)
{
    char *bytes = read_file(path, e);
    struct trace *t = calloc(1, sizeof *t);
    const struct json *root = bytes ? json_parse(bytes) : NULL;
    bool good = false;

    if (bytes && !root)
        err_set(e, ERR_FORMAT, "not JSON");
    else if (bytes && !t)
        err_set(e, ERR_NOMEM, "out of host memory");
    else if (bytes)
        good = read_trace(root, t, e);
    json_free(root);
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
