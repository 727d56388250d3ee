/* The part of YAML that the metadata of code object v2 is written in, read into a tree. */
#ifndef GCNSIM_LOADER_YAML_H
#define GCNSIM_LOADER_YAML_H

#include <stddef.h>

#include "sim/util/budget.h"
#include "sim/util/error.h"

enum node_kind { NODE_VALUE, NODE_MAP, NODE_LIST };

struct node {
    enum node_kind kind;
    const char *key;  /* in a map; null in a list */
    const char *text; /* of a value */
    struct node *first, *last, *next;
};

/* A line of the text that is left: blanks before it, and what is in it, both cut as "- " are read. */
struct yaml {
    char *at, *end; /* the current line begins at `at`; lines end with a zero */
    char *content;  /* of it; null: there is none left */
    unsigned indent, line, depth;
    struct budget *budget;
    uint64_t bytes_held;
    struct err *e;
};

/* Nodes are kept in a list of blocks, so that a tree that is half made can be freed. */
struct block {
    struct node node; /* first */
    struct block *next;
};

struct document {
    struct yaml y;
    struct block *blocks;
};

/* Reads the document into a tree; the text is changed, and the tree points into it. d: all zero but for budget and e.
 * 0, or -1 with *e; yaml_free() in any case. */
int yaml_read(struct document *d, char *text, size_t size, struct node **root);
void yaml_free(struct document *d);

/* The member of a map; null where there is none, or it is no map. */
const struct node *yaml_find(const struct node *map, const char *key);

#endif
