/* A cJSON of a program's own, which a library that loads one for itself must not call. Preloaded by tests. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <unistd.h>

static void called(void)
{
    static const char said[] = "the program's own cJSON was called\n";

    if (write(2, said, sizeof said - 1) < 0)
        _exit(98);
    _exit(99);
}

cJSON *cJSON_ParseWithLengthOpts(const char *value, size_t size, const char **end, cJSON_bool terminated)
{
    (void)value, (void)size, (void)end, (void)terminated;
    called();
    return NULL;
}

void cJSON_Delete(cJSON *item)
{
    (void)item;
    called();
}

void cJSON_free(void *object)
{
    (void)object;
    called();
}

void *cJSON_malloc(size_t size)
{
    (void)size;
    called();
    return NULL;
}
