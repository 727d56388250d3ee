/* Places in a rectangle, so many wide and so many deep, with steps between neighbours. */
#ifndef GCNSIM_UTIL_MESH_H
#define GCNSIM_UTIL_MESH_H

/* Steps between two places, in the mean over all pairs, a place and itself included. Of two out of n in a row it is
 * (n^2 - 1) / 3n. */
static inline double mesh_mean_distance(double wide, double deep)
{
    return (wide * wide - 1) / (3 * wide) + (deep * deep - 1) / (3 * deep);
}

#endif
