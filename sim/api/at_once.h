/* For tests of what host threads do to one another. */
#ifndef GCNSIM_API_AT_ONCE_H
#define GCNSIM_API_AT_ONCE_H

struct gcnsim;

/* From now on a launch begins with all threads that it is allowed, however little there is to do, and whatever
 * processors the host has. */
void api_threads_at_once(struct gcnsim *sim);

#endif
