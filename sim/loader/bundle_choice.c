/* The choice among the code objects of a file: those for a target, and the errors that list them. */
#include "sim/loader/bundle_internal.h"

#include <stdio.h>
#include <string.h>

/* A list of ids that ends before it is too long. */
struct id_list {
    char text[400];
    size_t at, shown, all;
};

/* number: the code object's, before its id; null: none. */
static void list_id(struct id_list *l, const char *id, const unsigned *number)
{
    char digits[16] = "";

    if (number)
        snprintf(digits, sizeof digits, "%u ", *number);
    if (l->shown == l->all++ && l->at + strlen(id) + 40 < sizeof l->text) {
        l->at += (size_t)snprintf(l->text + l->at, sizeof l->text - l->at, "%s%s%s", l->shown ? ", " : "", digits, id);
        l->shown++;
    }
}

static const char *list_end(struct id_list *l)
{
    if (!l->all)
        return "none";
    if (l->shown < l->all)
        snprintf(l->text + l->at, sizeof l->text - l->at, " and %zu more", l->all - l->shown);
    return l->text;
}

/* The target that is asked for, which may be that of all code objects. */
struct wanted {
    const char *id; /* a full entry id ("hipv4-amdgcn-..."), which must be equal; null: a target */
    bool any;       /* target not known: everything fits */
    struct co_target_id target;
};

/* Whether all code objects are for one processor, which is then what is wanted. */
static bool one_processor(const struct co_bundle *b, struct co_target_id *target)
{
    for (unsigned k = 0; k < b->gpus; k++) {
        const struct entry *en = gpu_entry(b, k);

        if (!en->has_target || strcmp(en->target.name, gpu_entry(b, 0)->target.name))
            return false;
    }
    return b->gpus && !co_target_parse(target, gpu_entry(b, 0)->target.name, NULL);
}

static int read_want(struct wanted *w, const char *want, struct err *e)
{
    *w = (struct wanted){.id = want && strstr(want, "-amdgcn-") ? want : NULL, .any = !want};
    return want && !w->id ? co_target_parse(&w->target, want, e) : 0;
}

/* How well an entry serves the request: 0 not at all; a higher number is a closer match. */
static unsigned score(const struct entry *en, const struct wanted *w)
{
    if (w->any)
        return 1;
    if (w->id)
        return !strcmp(en->pub.id, w->id);
    unsigned match = en->has_target ? co_target_match(&en->target, &w->target) : 0;
    return match ? 4 * match + 2 * (en->target.xnack != CO_FEATURE_ON) + (en->target.sramecc != CO_FEATURE_OFF) : 0;
}

int co_bundle_fit(struct co_bundle *b, const char *want, const unsigned **list, unsigned *count, struct err *e)
{
    struct id_list entries = {0};
    unsigned n = 0, first = 0, best = 0; /* of the list: the first of this container; and what it has */
    struct wanted w;

    if (read_want(&w, want, e))
        return -1;
    if (!want && one_processor(b, &w.target))
        w.any = false;
    for (unsigned k = 0; k < b->gpus; k++) {
        const struct entry *en = gpu_entry(b, k);
        unsigned s = score(en, &w);

        if (k && en->pub.container != gpu_entry(b, k - 1)->pub.container) {
            first = n;
            best = 0;
        }
        if (s > best) {
            best = s;
            n = first;
        }
        if (s && s == best)
            b->fit[n++] = k;
    }
    *list = b->fit;
    *count = n;
    if (n == 1 || (n && (want || !w.any)))
        return 0;
    for (size_t i = 0; i < b->n; i++)
        if (!n || b->v[i].is_gpu)
            list_id(&entries, b->v[i].pub.id, NULL);
    if (n)
        return err_set(e, ERR_USAGE, "bundle: %u code objects fit, choose one by target: %s", n, list_end(&entries));
    if (want)
        return err_set(e, ERR_USAGE, "bundle: no code object for target \"%.60s\"; entries: %s", want,
                       list_end(&entries));
    return err_set(e, ERR_FORMAT, "bundle: no amdgcn code object; entries: %s", list_end(&entries));
}

int co_bundle_ambiguous(const struct co_bundle *b, const char *want, const unsigned *list, unsigned count,
                        const char *how, struct err *e)
{
    struct id_list entries = {0};

    for (unsigned k = 0; k < count; k++)
        list_id(&entries, co_bundle_entry(b, list[k])->id, &list[k]);
    return err_set(e, ERR_USAGE, "bundle: %u code objects fit%s%.60s%s, choose one %s: %s", count, want ? " \"" : "",
                   want ? want : "", want ? "\"" : "", how, list_end(&entries));
}

int co_bundle_check(const struct co_bundle *b, unsigned index, const char *want, struct err *e)
{
    const struct entry *en = gpu_entry(b, index);
    struct wanted w;

    if (read_want(&w, want, e))
        return -1;
    if (!score(en, &w))
        return err_set(e, ERR_USAGE, "code object %u is for %s, %.60s was asked for", index, en->pub.id, want);
    return 0;
}
