/* The processors of the host that this process may use. */
#ifndef GCNSIM_UTIL_PROCESSORS_H
#define GCNSIM_UTIL_PROCESSORS_H

/* As many as the affinity of the calling thread allows, 1 at the least; more threads than that at a time are no
 * faster. */
unsigned host_processors(void);

#endif
