/* Measured runs out of JSON: code, waves and occupancy of a thread trace, and reports of gcnsim. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "sim/util/json_stream.h"
#include "traces/diff/measured.h"

enum { KEY_BYTES = 200 };

/* A whole number that is not negative. */
static bool number(struct json_stream *s, const struct json *v, uint64_t *out)
{
    if (json_whole(v, out))
        return true;
    return json_stream_wrong(s, json_number(v) > 0x1p53 ? "a number above 2^53; expected one that can be read exactly"
                                                        : "no number, or a negative one; expected a whole number");
}

static int done(struct json_stream *s)
{
    int failed = json_stream_end(s);

    json_stream_free(s);
    return failed;
}

/* Goes down into a member that is an object or an array, and skips one that is not. */
static bool enters(struct json_stream *s, char open)
{
    if (json_stream_is(s, open))
        return json_stream_enter(s, open) == 0;
    json_stream_skip(s);
    return false;
}

/* ---- code.json ---- */

static void code_row(struct measured *m, struct json_stream *s, const struct json *v)
{
    struct measured_row r = {.text = (char *)(uintptr_t)json_text(json_at(v, 0)),
                             .source = (char *)(uintptr_t)json_text(json_at(v, 3))};

    if (json_elements(v) < 10 || !r.text) {
        json_stream_wrong(
            s, "no row of 10 fields; expected [text, 0, line, source, code object, address, hits, latency, stall, "
               "idle]");
        return;
    }
    if (number(s, json_at(v, 4), &r.object) && number(s, json_at(v, 5), &r.vaddr) &&
        number(s, json_at(v, 6), &r.hits) && number(s, json_at(v, 7), &r.latency) &&
        number(s, json_at(v, 8), &r.stall) && number(s, json_at(v, 9), &r.idle) &&
        !measured_add(m, &r, s->scan.name, s->scan.e))
        s->scan.failed = true;
}

int measured_read_code(struct measured *m, FILE *f, const char *name, struct err *e)
{
    struct json_stream s;
    char key[KEY_BYTES];
    bool found = false;

    json_stream_init(&s, f, name, e);
    if (!json_stream_enter(&s, '{'))
        while (json_stream_key(&s, key, sizeof key)) {
            if (strcmp(key, "code") != 0 || !enters(&s, '[')) {
                if (strcmp(key, "code") != 0)
                    json_stream_skip(&s);
                continue;
            }
            found = true;
            while (json_stream_element(&s)) {
                const struct json *v = json_stream_value(&s);

                if (v)
                    code_row(m, &s, v);
                json_free(v);
            }
        }
    if (!json_stream_failed(&s) && !found)
        json_stream_wrong(&s, "no \"code\"; expected the instructions of a thread trace");
    return done(&s);
}

/* ---- filenames.json ---- */

static void add_duration(struct measured *m, struct json_stream *s, uint64_t cycles)
{
    if (m->durations == m->duration_room) {
        size_t room = m->duration_room ? m->duration_room * 2 : 256;
        uint64_t *more = room <= MEASURED_MAX_WAVES ? realloc(m->duration, room * sizeof *more) : NULL;

        if (!more) {
            err_set(s->scan.e, ERR_LIMIT, "%s: too many waves", s->scan.name);
            s->scan.failed = true;
            return;
        }
        m->duration = more;
        m->duration_room = room;
    }
    m->duration[m->durations++] = cycles;
}

static void wave_entry(struct measured *m, struct json_stream *s)
{
    const struct json *v = json_stream_value(s);
    uint64_t begin, end;

    if (v && json_elements(v) < 3)
        json_stream_wrong(s, "no wave; expected [file, begin, end]");
    else if (v && number(s, json_at(v, 1), &begin) && number(s, json_at(v, 2), &end))
        add_duration(m, s, end > begin ? end - begin : 0);
    json_free(v);
}

/* {SE:{SIMD:{SLOT:{ID:[file,begin,end]}}}} */
static void wave_names(struct measured *m, struct json_stream *s, unsigned level)
{
    char key[KEY_BYTES];

    while (json_stream_key(s, key, sizeof key)) {
        if (level == 3)
            wave_entry(m, s);
        else if (enters(s, '{'))
            wave_names(m, s, level + 1);
    }
}

int measured_read_filenames(struct measured *m, FILE *f, const char *name, struct err *e)
{
    struct json_stream s;
    char key[KEY_BYTES];

    json_stream_init(&s, f, name, e);
    json_stream_enter(&s, '{');
    while (json_stream_key(&s, key, sizeof key)) {
        if (strcmp(key, "wave_filenames") == 0) {
            if (enters(&s, '{'))
                wave_names(m, &s, 0);
        } else if (strcmp(key, "gfxv") == 0) {
            const struct json *v = json_stream_value(&s);

            m->has_gfx = json_is_string(v);
            m->vega = m->has_gfx && strcmp(json_text(v), "vega") == 0;
            json_free(v);
        } else {
            json_stream_skip(&s);
        }
    }
    return done(&s);
}

/* ---- occupancy.json ---- */

/* Starts and ends, in the order of time within each shader engine. */
struct occupancy {
    uint64_t first, last, waves, most;
    double wave_cycles;
    bool any;
};

static void occupancy_event(struct json_stream *s, struct occupancy *o, uint64_t *resident, uint64_t *since)
{
    const struct json *v = json_stream_value(s);
    uint64_t at, starts;

    if (v && json_elements(v) < 5)
        json_stream_wrong(s, "no start or end of a wave; expected [time, cu, simd, slot, 1 or 0, dispatch]");
    else if (v && number(s, json_at(v, 0), &at) && number(s, json_at(v, 4), &starts)) {
        if (at > *since)
            o->wave_cycles += (double)*resident * (double)(at - *since);
        *since = at > *since ? at : *since;
        if (starts) {
            ++*resident;
            o->waves++;
        } else if (*resident) {
            --*resident;
        }
        o->most = *resident > o->most ? *resident : o->most;
        o->first = !o->any || at < o->first ? at : o->first;
        o->last = !o->any || at > o->last ? at : o->last;
        o->any = true;
    }
    json_free(v);
}

int measured_read_occupancy(struct measured *m, FILE *f, const char *name, struct err *e)
{
    struct occupancy o = {0};
    struct json_stream s;
    char key[KEY_BYTES];

    json_stream_init(&s, f, name, e);
    if (!json_stream_enter(&s, '{'))
        while (json_stream_key(&s, key, sizeof key)) {
            uint64_t resident = 0, since = 0;

            if (key[0] < '0' || key[0] > '9') {
                json_stream_skip(&s);
            } else if (enters(&s, '[')) {
                while (json_stream_element(&s))
                    occupancy_event(&s, &o, &resident, &since);
            }
        }
    if (!json_stream_failed(&s) && o.any) {
        m->has_cycles = m->has_occupancy = true;
        m->cycles = o.last - o.first;
        m->all_waves = o.waves;
        m->most_waves = o.most;
        m->mean_waves = m->cycles ? o.wave_cycles / (double)m->cycles : 0;
    }
    return done(&s);
}

/* ---- a report ---- */

/* Counts of an instruction: what they count as. */
enum role { ROLE_NONE, ROLE_HITS, ROLE_EXEC, ROLE_STALL, ROLE_IDLE };

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* As traces/att/wave.h maps stall reasons. */
static enum role role_of(const char *column)
{
    if (strcmp(column, "executed") == 0)
        return ROLE_HITS;
    if (!begins(column, "cycles."))
        return ROLE_NONE;
    column += strlen("cycles.");
    if (strcmp(column, "issued") == 0 || strcmp(column, "nop") == 0 || strcmp(column, "branch") == 0)
        return ROLE_EXEC;
    if (begins(column, "wait_") || begins(column, "unit_") || begins(column, "memory_") ||
        strcmp(column, "counter_full") == 0 || strcmp(column, "barrier") == 0 || strcmp(column, "sleep") == 0)
        return ROLE_STALL;
    return strcmp(column, "drain") == 0 ? ROLE_NONE : ROLE_IDLE;
}

/* "file:line", with " -> file:line" for each call that was inlined, as in tables of statistics; null: out of host
 * memory, or no frames. To be freed. */
static char *source_of(const struct json *frames)
{
    const struct json *frame;
    char *text = NULL;
    size_t k, size;
    FILE *f = json_elements(frames) ? open_memstream(&text, &size) : NULL;

    if (!f)
        return NULL;
    json_each_element (frames, k, frame) {
        const char *file = json_text(json_get(frame, "file"));

        if (file)
            fprintf(f, "%s%s:%.0f", k ? " -> " : "", file, json_number(json_get(frame, "line")));
    }
    return fclose(f) == 0 ? text : NULL;
}

/* An address as "0x100"; that in the code object, or in memory where the code is of none. */
static bool address_of(struct json_stream *s, const struct json *v, uint64_t *out)
{
    const char *text = json_text(json_get(v, "pc_offset"));
    char *end;

    text = text ? text : json_text(json_get(v, "pc"));
    if (!text || strncmp(text, "0x", 2) != 0)
        return json_stream_wrong(s, "no instruction of \"code\"; expected instruction, pc_offset or pc, and counts");
    *out = strtoull(text, &end, 16);
    return *end ? json_stream_wrong(s, "a pc that is no number; expected \"0x...\"") : true;
}

static bool add_count(struct json_stream *s, const char *column, const struct json *count, struct measured_row *r)
{
    enum role role = role_of(column);
    uint64_t n;

    if (role == ROLE_NONE)
        return true;
    if (!number(s, count, &n))
        return false;
    r->hits += role == ROLE_HITS ? n : 0;
    r->latency += role == ROLE_EXEC || role == ROLE_STALL ? n : 0;
    r->stall += role == ROLE_STALL ? n : 0;
    r->idle += role == ROLE_IDLE ? n : 0;
    return true;
}

/* {"pc":"0x...", "pc_offset":"0x...", "instruction":"...", "frames":[...], "executed":n, "cycles.issued":n, ...}; those
 * that no wave came to have no counts. */
static void report_inst(struct measured *m, struct json_stream *s)
{
    const struct json *v = json_stream_value(s), *count;
    struct measured_row r = {.object = 1};
    const char *key;

    if (!v)
        return;
    r.text = (char *)(uintptr_t)json_text(json_get(v, "instruction"));
    r.source = source_of(json_get(v, "frames"));
    if (!r.text)
        json_stream_wrong(s, "no instruction of \"code\"; expected instruction, pc_offset or pc, and counts");
    else if (address_of(s, v, &r.vaddr))
        json_each_member (v, key, count)
            if (!add_count(s, key, count, &r))
                break;
    if (!json_stream_failed(s) && (r.hits || r.latency || r.idle) && !measured_add(m, &r, s->scan.name, s->scan.e))
        s->scan.failed = true;
    free(r.source);
    json_free(v);
}

/* Whether it has instructions. */
static bool report_code(struct measured *m, struct json_stream *s)
{
    char key[KEY_BYTES];
    bool found = false;

    while (json_stream_key(s, key, sizeof key)) {
        if (strcmp(key, "instructions") != 0 || !enters(s, '[')) {
            if (strcmp(key, "instructions") != 0)
                json_stream_skip(s);
            continue;
        }
        found = true;
        while (json_stream_element(s))
            report_inst(m, s);
    }
    return found;
}

/* A member of the report's top that is a text or a number. */
static void report_value(struct measured *m, struct json_stream *s, const char *key, double *resident)
{
    const struct json *v = json_stream_value(s);
    const char *text = json_text(v);
    char **to = strcmp(key, "kernel") == 0 ? &m->kernel : strcmp(key, "target") == 0 ? &m->target : NULL;

    if (to && text) {
        free(*to);
        *to = strdup(text);
    } else if (strcmp(key, "cycles") == 0 && json_is_number(v)) {
        m->has_cycles = number(s, v, &m->cycles);
    } else if (strcmp(key, "waves_done") == 0 && json_is_number(v)) {
        number(s, v, &m->waves);
    } else if (strcmp(key, "resident_wave_cycles") == 0 && json_is_number(v)) {
        *resident = json_number(v);
    }
    json_free(v);
}

struct reading {
    struct measured *m;
    double resident;
    bool found, steady; /* its code; a launch of several */
};

static void report_members(struct reading *r, struct json_stream *s);

/* A launch of the report of several: the steady one is taken. */
static void sequence_launch(struct reading *r, struct json_stream *s)
{
    char key[KEY_BYTES];
    bool steady = false;

    if (json_stream_enter(s, '{'))
        return;
    while (json_stream_key(s, key, sizeof key)) {
        if (strcmp(key, "steady") == 0) {
            const struct json *v = json_stream_value(s);

            steady = json_is_true(v);
            json_free(v);
        } else if (strcmp(key, "report") == 0 && steady && json_stream_is(s, '{')) {
            if (r->steady)
                json_stream_wrong(s, "several steady launches; expected the report of one launch, or of rounds of one");
            r->steady = true;
            json_stream_enter(s, '{');
            report_members(r, s);
        } else {
            json_stream_skip(s);
        }
    }
}

static void report_members(struct reading *r, struct json_stream *s)
{
    static const char *const values[] = {"kernel", "target", "cycles", "waves_done", "resident_wave_cycles"};
    char key[KEY_BYTES];

    while (json_stream_key(s, key, sizeof key)) {
        bool taken = false;

        for (size_t k = 0; k < sizeof values / sizeof values[0] && !taken; k++)
            if (strcmp(key, values[k]) == 0) {
                report_value(r->m, s, key, &r->resident);
                taken = true;
            }
        if (!taken && strcmp(key, "code") == 0 && json_stream_is(s, '{')) {
            json_stream_enter(s, '{');
            r->found = report_code(r->m, s);
            taken = true;
        }
        if (!taken && strcmp(key, "launches") == 0 && !r->steady && json_stream_is(s, '[')) {
            json_stream_enter(s, '[');
            while (json_stream_element(s))
                sequence_launch(r, s);
            taken = true;
        }
        if (!taken)
            json_stream_skip(s);
    }
}

int measured_read_report(struct measured *m, FILE *f, const char *name, struct err *e)
{
    struct reading r = {.m = m};
    struct json_stream s;

    json_stream_init(&s, f, name, e);
    if (!json_stream_enter(&s, '{'))
        report_members(&r, &s);
    if (!json_stream_failed(&s) && !r.found)
        json_stream_wrong(
            &s, "no \"code\"; expected the report of a run that counted by instruction (run --per-instruction "
                "--json FILE)");
    if (!json_stream_failed(&s) && m->waves) {
        m->has_durations = true;
        m->mean_duration = r.resident / (double)m->waves;
    }
    if (!json_stream_failed(&s) && m->has_cycles && m->cycles) {
        m->has_occupancy = true;
        m->mean_waves = r.resident / (double)m->cycles;
        m->all_waves = m->waves;
    }
    m->generator = strdup("gcnsim");
    return done(&s);
}
