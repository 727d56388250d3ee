/* Reports of dispatches as JSON (GCNSIM_JSON): a file for each that an engine has run. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/hsa/report_sinks.h"

#define MAX_FILES 256 /* when nobody has said which dispatches */

static const char *folder;
static uint64_t written;
static bool chosen;

bool json_open(const struct options *o, char *why, size_t n)
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
