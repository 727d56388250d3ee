/* The tree of instruction sets and the names of instruction formats. */
#include "isa/table/target.h"

#include <string.h>

const char *const isa_format_name[FMT_COUNT] = {
#define X(F) [FMT_##F] = #F,
    ISA_FORMATS(X)
#undef X
};

const enum isa_node isa_node_parent[N_COUNT] = {
#define X(N, PARENT) [N_##N] = N_##PARENT,
    ISA_NODES(X)
#undef X
};

bool isa_node_under(enum isa_node n, enum isa_node a)
{
    while (n != a && isa_node_parent[n] != n)
        n = isa_node_parent[n];
    return n == a;
}
