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
    struct gcnsim_error e = {.text = "no memory for a report"};
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

static void put_text(FILE *f, const char *key, const char *text)
{
    fprintf(f, ", \"%s\": ", key);
    if (text)
        json_put_string(f, text);
    else
        fputs("null", f);
}

/* A value of the program's: a text where readers of JSON, who take numbers for doubles, would change it. */
static void put_value(FILE *f, const char *key, int64_t v)
{
    const int64_t most = INT64_C(1) << 53;
    const char *quote = v < -most || v > most ? "\"" : "";

    fprintf(f, ", \"%s\": %s%" PRId64 "%s", key, quote, v, quote);
}

static void put_packet(FILE *f, const struct wait_node *n)
{
    char text[300];

    fprintf(f, ", \"queue\": %" PRIu32 ", \"packet\": %" PRIu64, n->queue, n->number);
    put_text(f, "what", waits_packet_text(n, text, sizeof text));
    put_text(f, "kernel", n->name);
    fprintf(f, n->dispatch ? ", \"dispatch\": %" PRIu64 : ", \"dispatch\": null", n->dispatch);
    put_text(f, "state", waits_state_word(n->state));
    fprintf(f, ", \"barrier_bit\": %s, \"packets_behind\": %" PRIu64, n->barrier ? "true" : "false", n->behind);
}

static void put_signal(FILE *f, const struct wait_node *n)
{
    fprintf(f, ", \"handle\": \"0x%" PRIx64 "\"", n->handle);
    if (n->known)
        put_value(f, "value", n->value);
    else
        put_text(f, "value", NULL);
    put_text(f, "made", n->made);
    fprintf(f, ", \"shared\": %s", n->shared ? "true" : "false");
    fprintf(f, n->missing == WAITS_NEVER ? ", \"missing_completions\": null" : ", \"missing_completions\": %" PRIu64,
            n->missing);
}

static void put_edges(FILE *f, const struct waits *w, const struct wait_node *n)
{
    fprintf(f, ",\n      \"needs\": \"%s\", \"held\": %" PRIu32 ", \"waits_for\": [",
            n->any || n->kind == WAIT_SIGNAL ? "any" : "all", n->held);
    for (uint32_t k = n->first; k < n->first + n->edges; k++) {
        const struct wait_edge *e = &w->edge[k];

        fprintf(f, "%s\n        {\"node\": %" PRIu32 ", \"how\": \"%s\"", k > n->first ? "," : "", e->to + 1,
                waits_how_word(e->how));
        if (e->how == WAIT_VALUE) {
            put_text(f, "condition", waits_condition_word(e->on.condition));
            put_value(f, "compare", e->on.compare);
            fprintf(f, ", \"mask\": \"0x%" PRIx64 "\"", (uint64_t)e->on.mask);
        }
        fprintf(f, ", \"goes_on\": %s}", e->goes_on ? "true" : "false");
    }
    fputs("]", f);
}

static void put_node(FILE *f, const struct waits *w, uint32_t k)
{
    const struct wait_node *n = &w->node[k];
    char name[WAITS_NAME];

    fprintf(f, "%s\n    {\"node\": %" PRIu32 ", \"kind\": \"%s\"", k ? "," : "", k + 1, waits_kind_word(n->kind));
    put_text(f, "name", waits_name(n, name));
    if (n->kind == WAIT_THREAD) {
        fprintf(f, ", \"thread\": %" PRIu64, n->number);
        put_text(f, "thread_name", n->name);
    } else if (n->kind == WAIT_COPY) {
        fprintf(f, ", \"bytes\": %" PRIu64, n->bytes);
    } else if (n->kind == WAIT_PACKET) {
        put_packet(f, n);
    } else if (n->kind == WAIT_SIGNAL) {
        put_signal(f, n);
    }
    fprintf(f, ", \"goes_on\": %s", n->goes_on ? "true" : "false");
    put_edges(f, w, n);
    fputc('}', f);
}

static char *waits_document(const struct waits *w, const char *how)
{
    struct text_stream t;

    if (!text_stream_open(&t))
        return NULL;
    fputs("{\n  \"ended_by\": ", t.f);
    json_put_string(t.f, how);
    fprintf(t.f, ",\n  \"complete\": %s,\n  \"nodes\": [", w->cut ? "false" : "true");
    for (uint32_t k = 0; k < w->nodes; k++)
        put_node(t.f, w, k);
    fputs("],\n  \"cycles\": [", t.f);
    for (uint32_t k = 0; k < w->cycles; k++) {
        fputs(k ? ", [" : "[", t.f);
        for (uint32_t j = 0; j < w->cycle[k].nodes; j++)
            fprintf(t.f, "%s%" PRIu32, j ? ", " : "", w->cycle[k].node[j] + 1);
        fputc(']', t.f);
    }
    fputs("]\n}\n", t.f);
    return text_stream_close(&t);
}

void json_waits(const struct waits *w, const char *how)
{
    struct gcnsim_error e = {.text = "no memory for who waits for what"};
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
