/* Stands for libeu.a, which Debian 13 leaves out: the search trees that its libelf.a and libdw.a call (elfutils 0.190
 * to 0.192; earlier ones call none, later archives have them). Weak, so that an archive with its own comes first.
 *
 * A tree begins with its root; the lock that may follow is left alone, because gcnsim uses a handle of libelf or libdw
 * on one thread at a time. */
#define _GNU_SOURCE
#include <search.h>
#include <stddef.h>

struct eu_tree {
    void *root;
};
typedef int compare_function(const void *, const void *);

#define WEAK __attribute__((weak))
void *eu_tsearch(const void *key, struct eu_tree *tree, compare_function *compare) WEAK;
void *eu_tfind(const void *key, struct eu_tree *tree, compare_function *compare) WEAK;
void *eu_tdelete(const void *key, struct eu_tree *tree, compare_function *compare) WEAK;
void eu_tdestroy(struct eu_tree *tree, void (*free_node)(void *)) WEAK;
void eu_search_tree_init(struct eu_tree *tree) WEAK;
void eu_search_tree_fini(struct eu_tree *tree, void (*free_node)(void *)) WEAK;

void *eu_tsearch(const void *key, struct eu_tree *tree, compare_function *compare)
{
    return tsearch(key, &tree->root, compare);
}

void *eu_tfind(const void *key, struct eu_tree *tree, compare_function *compare)
{
    return tfind(key, &tree->root, compare);
}

void *eu_tdelete(const void *key, struct eu_tree *tree, compare_function *compare)
{
    return tdelete(key, &tree->root, compare);
}

void eu_tdestroy(struct eu_tree *tree, void (*free_node)(void *))
{
    tdestroy(tree->root, free_node);
    tree->root = NULL;
}

void eu_search_tree_init(struct eu_tree *tree)
{
    tree->root = NULL;
}

void eu_search_tree_fini(struct eu_tree *tree, void (*free_node)(void *))
{
    eu_tdestroy(tree, free_node);
}
