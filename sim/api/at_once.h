/* For tests and the bench of what host threads do. */
#ifndef GCNSIM_API_AT_ONCE_H
#define GCNSIM_API_AT_ONCE_H

struct gcnsim;

/* From now on a launch begins with all threads that it is allowed, however little there is to do, and whatever
 * processors the host has. */
void api_threads_at_once(struct gcnsim *sim);

/* Follows launches with one thread from now on; the struct stays the caller's. */
struct engine_pieces; /* sim/engine/engine.h */
void api_follow_pieces(struct gcnsim *sim, const struct engine_pieces *pieces);

#endif
