/* Stores that overwrite what is loaded and is not a variable: the rule bounds.code, of both engines.
 *
 * Looked at is every byte of a code object's image that lies in no segment that can be written: instructions, kernel
 * descriptors, read-only data and gaps. Left out: what is beside images, where an access is a fault, and changes that
 * the host makes.
 */
#ifndef GCNSIM_CHECK_OVERWRITES_H
#define GCNSIM_CHECK_OVERWRITES_H

#include "sim/check/rules.h"
#include "sim/engine/engine.h"

struct check;
struct overwrites;

/* The objects are read while it is there; the list, which may name one twice, is not. Null when out of host memory. */
struct overwrites *overwrites_open(struct check *c, const struct check_object *objects, size_t count);
void overwrites_close(struct overwrites *o); /* null is fine */
/* For the timing engine; the functional one's stores come to check_overwrites_after() (internal.h). */
const struct engine_store_observer *overwrites_observer(const struct overwrites *o);

#endif
