/* Public API: all code objects of a file. */
#include <stdlib.h>
#include <string.h>

#include "sim/api/api.h"

struct gcnsim_code_list {
    struct budget budget; /* of the file and its tables */
    struct co_file *file;
    char *want_target;   /* null: any */
    uint64_t max_memory; /* of each code object that is opened */
    uint32_t *at;        /* numbers in the file */
    uint32_t count;
};

/* Notes which code objects are meant. */
static int choose(struct gcnsim_code_list *list, const char *want_target, struct err *e)
{
    unsigned count = co_file_count(list->file);
    const unsigned *fit = NULL;

    /* a file without any is an error that lists what it holds instead */
    if ((want_target || !count) && co_file_fit(list->file, want_target, &fit, &count, e))
        return -1;
    list->at = malloc(count * sizeof *list->at);
    if (want_target)
        list->want_target = strdup(want_target);
    if (!list->at || (want_target && !list->want_target))
        return err_set(e, ERR_NOMEM, "out of host memory for a list of %u code objects", count);
    for (unsigned k = 0; k < count; k++)
        list->at[k] = fit ? fit[k] : k;
    list->count = count;
    return 0;
}

int gcnsim_code_list_open(struct gcnsim_code_list **out, const struct gcnsim_code_source *source,
                          struct gcnsim_error *error)
{
    struct gcnsim_code_source s;
    struct co_source from;
    struct err e = {0};
    struct gcnsim_code_list *list = calloc(1, sizeof *list);

    if (!list)
        err_set(&e, ERR_NOMEM, "out of host memory for a list of code objects");
    if (!list || api_source_take(&s, &from, source, &e)) {
        free(list);
        return api_fail(error, &e);
    }
    list->max_memory = s.max_memory;
    budget_init(&list->budget, s.max_memory ? s.max_memory : UINT64_MAX);
    if (co_file_open(&list->file, &from, &list->budget, &e) || choose(list, s.want_target, &e)) {
        budget_explain(&list->budget, &e);
        gcnsim_code_list_close(list);
        return api_fail(error, &e);
    }
    *out = list;
    return GCNSIM_OK;
}

int gcnsim_code_list_entry(const struct gcnsim_code_list *list, uint32_t k, struct gcnsim_code_entry *entry)
{
    if (k >= list->count)
        return GCNSIM_ERROR_USAGE;
    entry->index = list->at[k];
    co_file_entry(list->file, entry->index, &entry->id, &entry->bytes);
    return GCNSIM_OK;
}

int gcnsim_code_list_code(struct gcnsim_code_list *list, uint32_t k, struct gcnsim_code **out,
                          struct gcnsim_error *error)
{
    struct gcnsim_code *code = NULL;
    struct err e = {0};

    if (k >= list->count)
        err_set(&e, ERR_USAGE, "code object %u of a list of %u", k, list->count);
    else
        code = api_code_counted(list->max_memory, &e);
    if (!code)
        return api_fail(error, &e);
    return api_code_finish(
        out, code, co_file_code(&code->co, list->file, list->at[k], list->want_target, &code->budget, &e), &e, error);
}

void gcnsim_code_list_close(struct gcnsim_code_list *list)
{
    if (!list)
        return;
    co_file_close(list->file);
    free(list->want_target);
    free(list->at);
    free(list);
}
