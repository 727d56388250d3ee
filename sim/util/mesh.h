/* A rectangular mesh of nodes, with hops between neighbours. */
#ifndef GCNSIM_UTIL_MESH_H
#define GCNSIM_UTIL_MESH_H

/* The mean number of hops between two nodes, over all pairs of them and pairs of a node with itself. In a row of n
 * nodes the mean is (n^2 - 1) / 3n. */
static inline double mesh_mean_distance(double wide, double deep)
{
    return (wide * wide - 1) / (3 * wide) + (deep * deep - 1) / (3 * deep);
}

#endif
