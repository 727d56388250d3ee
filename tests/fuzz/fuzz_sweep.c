/* libFuzzer target: the description of a sweep. Whatever the bytes are, they are refused with a message that names the
 * file, or read into axes that have values; expressions of small ones are evaluated for all combinations.
 */
#include "sim/sweep/points.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FEW = 2000 };

static void must(int condition)
{
    if (!condition)
        abort();
}

static void check_axes(const struct sweep_spec *s)
{
    must(s->launches > 0 && s->profiles > 0);
    for (uint32_t a = 0; a < s->axes; a++) {
        must(s->axis[a].parts > 0 && s->axis[a].values > 0 && s->axis[a].values <= SWEEP_MAX_VALUES);
        for (uint32_t p = 0; p < s->axis[a].parts; p++)
            for (uint32_t k = 0; k < s->axis[a].values; k++) {
                const struct sweep_value *v = &s->axis[a].part[p].value[k];

                must(v->text && *v->text);
                must(!v->is_number || strtod(v->text, NULL) == v->number);
            }
    }
}

/* Few, and none that looks profiles up: paths of files are among their names. */
static bool is_small(const struct sweep_spec *s)
{
    double candidates = (double)s->launches * s->profiles;
    uint32_t axis;

    for (uint32_t a = 0; a < s->axes; a++)
        candidates *= s->axis[a].values;
    for (uint32_t c = 0; c < sweep_columns(s); c++)
        if (sweep_column(s, c, &axis)->kind == SWEEP_SET)
            return false;
    return !s->profile[0] && candidates <= FEW && s->latin_points <= FEW;
}

static void check_points(const struct sweep_spec *s)
{
    struct sweep_points *p = NULL;
    struct err e = {0};

    if (sweep_points_make(&p, s, &e)) {
        must(!p && e.code != ERR_NONE && strncmp(e.text, "fuzz.json: ", 11) == 0);
        return;
    }
    must(sweep_points_count(p) > 0 && sweep_points_count(p) <= s->max_points);
    for (uint64_t k = 0; k < sweep_points_count(p) && k < 10; k++)
        for (uint32_t d = 0; d < s->defines; d++)
            sweep_point_word(p, k, s->define[d].name);
    sweep_points_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sweep_spec *s = NULL;
    struct err e = {0};
    char *text = malloc(size + 1); /* its end is watched */

    if (!text)
        return 0;
    memcpy(text, data, size);
    if (sweep_spec_parse(&s, text, size, "fuzz.json", "/", &e)) {
        must(!s && e.code != ERR_NONE && strncmp(e.text, "fuzz.json: ", 11) == 0);
    } else {
        check_axes(s);
        if (is_small(s))
            check_points(s);
    }
    sweep_spec_free(s);
    free(text);
    return 0;
}
