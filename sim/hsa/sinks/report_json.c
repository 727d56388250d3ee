/* Reports as JSON (GCNSIM_JSON): a file for each dispatch that an engine has run, and one of who waited for what. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/hsa/sinks/report_sinks.h"
#include "sim/hsa/waits/waits.h"
#include "sim/util/json_put.h"
#include "sim/util/text_stream.h"

#define MAX_FILES 256 /* when nobody has said which dispatches */

static const char *folder;
static uint64_t written;
static bool chosen;

bool json_open(const struct exec_options *o, char *why, size_t n)
{
    if (!o->json)
        return true;
    if ((mkdir(o->json, 0777) != 0 && errno != EEXIST) || access(o->json, W_OK | X_OK) != 0) {
        snprintf(why, n, "GCNSIM_JSON: %s cannot be written to: %s", o->json, strerror(errno));
        return false;
    }
    folder = o->json;
    chosen = o->dispatches != NULL;
    return true;
}

void json_dispatch(const struct dispatch_record *d)
{
    struct gcnsim_error e = {.text = "out of host memory for a report"};
    char *path = NULL, *text = NULL;

    if (!folder || !d->result || (chosen ? !d->timing : written >= MAX_FILES))
        return;
    written++;
    if (asprintf(&path, "%s/%ld_dispatch_%" PRIu64 ".json", folder, (long)getpid(), d->number) < 0)
        path = NULL;
    if (!path || gcnsim_result_json(d->result, &text, &e) != GCNSIM_OK ||
        gcnsim_write_file(path, text, strlen(text), &e) != GCNSIM_OK)
        rt_log_once("json", "GCNSIM_JSON: %s", e.text);
    gcnsim_free(text);
    free(path);
}

/* Who waits for what ----------------------------------------------------------------------------------------------- */

/* A value of the program's: a text where readers of JSON, who take numbers for doubles, would change it. */
static void put_value(struct json_put *j, const char *key, int64_t v)
{
    const int64_t most = INT64_C(1) << 53;
    char text[24];

    snprintf(text, sizeof text, "%" PRId64, v);
    json_put(j, "%s:", key);
    if (v < -most || v > most)
        json_put(j, "%s", text);
    else
        fputs(text, json_put_raw(j));
}

static void put_packet(struct json_put *j, const struct wait_node *n)
{
    char text[300];

    json_put(j, "queue: %" PRIu32 ", packet: %" PRIu64 ", what: %s, kernel: %s", n->queue, n->number,
             waits_packet_text(n, text, sizeof text), n->name);
    json_put(j, n->dispatch ? "dispatch: %" PRIu64 : "dispatch: null", n->dispatch);
    json_put(j, "state: %s, barrier_bit: %hhd, packets_behind: %" PRIu64, waits_state_word(n->state), n->barrier,
             n->behind);
}

static void put_signal(struct json_put *j, const struct wait_node *n)
{
    json_put(j, "handle: %" PRIx64, n->handle);
    if (n->known)
        put_value(j, "value", n->value);
    else
        json_put(j, "value: null");
    json_put(j, "made: %s, shared: %hhd", n->made, n->shared);
    json_put(j, n->missing == WAITS_NEVER ? "missing_completions: null" : "missing_completions: %" PRIu64, n->missing);
}

static void put_edges(struct json_put *j, const struct waits *w, const struct wait_node *n)
{
    json_put(j, "\n      needs: %s, held: %" PRIu32 ", waits_for: [", n->any || n->kind == WAIT_SIGNAL ? "any" : "all",
             n->held);
    for (uint32_t k = n->first; k < n->first + n->edges; k++) {
        const struct wait_edge *e = &w->edge[k];

        json_put(j, "\n        {node: %" PRIu32 ", how: %s", e->to + 1, waits_how_word(e->how));
        if (e->how == WAIT_VALUE) {
            json_put(j, "condition: %s", waits_condition_word(e->on.condition));
            put_value(j, "compare", e->on.compare);
            json_put(j, "mask: %" PRIx64, (uint64_t)e->on.mask);
        }
        json_put(j, "goes_on: %hhd}", e->goes_on);
    }
    json_put(j, "]");
}

static void put_node(struct json_put *j, const struct waits *w, uint32_t k)
{
    const struct wait_node *n = &w->node[k];
    char name[WAITS_NAME];

    json_put(j, "\n    {node: %" PRIu32 ", kind: %s, name: %s", k + 1, waits_kind_word(n->kind), waits_name(n, name));
    if (n->kind == WAIT_THREAD)
        json_put(j, "thread: %" PRIu64 ", thread_name: %s", n->number, n->name);
    else if (n->kind == WAIT_COPY)
        json_put(j, "bytes: %" PRIu64, n->bytes);
    else if (n->kind == WAIT_PACKET)
        put_packet(j, n);
    else if (n->kind == WAIT_SIGNAL)
        put_signal(j, n);
    json_put(j, "goes_on: %hhd", n->goes_on);
    put_edges(j, w, n);
    json_put(j, "}");
}

static char *waits_document(const struct waits *w, const char *how)
{
    struct text_stream t;

    if (!text_stream_open(&t))
        return NULL;
    struct json_put j = {.f = t.f};
    json_put(&j, "{\n ended_by: %s, complete: %hhd, nodes: [", how, !w->cut);
    for (uint32_t k = 0; k < w->nodes; k++)
        put_node(&j, w, k);
    json_put(&j, "], cycles: [");
    for (uint32_t k = 0; k < w->cycles; k++) {
        json_put(&j, "[");
        for (uint32_t n = 0; n < w->cycle[k].nodes; n++)
            json_put(&j, "%" PRIu32, w->cycle[k].node[n] + 1);
        json_put(&j, "]");
    }
    json_put(&j, "]}\n");
    return text_stream_close(&t);
}

void json_waits(const struct waits *w, const char *how)
{
    struct gcnsim_error e = {.text = "out of host memory for who waits for what"};
    char *path = NULL, *text = folder ? waits_document(w, how) : NULL;

    if (!folder)
        return;
    if (asprintf(&path, "%s/%ld_waits.json", folder, (long)getpid()) < 0)
        path = NULL;
    if (!path || !text || gcnsim_write_file(path, text, strlen(text), &e) != GCNSIM_OK)
        rt_log("GCNSIM_JSON: %s", e.text);
    free(text);
    free(path);
}
