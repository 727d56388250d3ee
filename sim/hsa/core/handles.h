/* Handles of objects that programs name: readers, executables, code objects.
 *
 * A handle is no address, so one that was never given out, or whose object is destroyed, is found out without a look at
 * it. Its upper 32 bits name the object: a slot of one table, and how often the slot has been used. The lower ones are
 * 0, or name a part of the object, as its module counts them.
 *
 * Objects are counted: the table holds one reference until the object is destroyed by the program, and each call one
 * while it uses the object.
 */
#ifndef GCNSIM_HSA_HANDLES_H
#define GCNSIM_HSA_HANDLES_H

#include <stddef.h>
#include <stdint.h>

enum object_kind { OBJECT_READER, OBJECT_EXECUTABLE, OBJECT_CODE };

/* The beginning of each object. */
struct object {
    enum object_kind kind;
    uint32_t references; /* atomic */
    uint64_t handle;
    void (*free)(struct object *o); /* of the last reference */
};

/* Gives the object, which has a kind and `free`, its handle; 0: out of host memory, or no slot. */
uint64_t handle_give(struct object *o);
/* The object of a handle, of which the lower half is not looked at, with a reference for the caller; null: none. */
struct object *handle_hold(uint64_t handle, enum object_kind kind);
/* Takes the handle back. The table's reference is then the caller's; null: there is no such object. */
struct object *handle_take(uint64_t handle, enum object_kind kind);
void object_release(struct object *o); /* null is fine */
/* All objects of a kind, each with a reference; an array that the caller frees, null when out of host memory. */
struct object **handle_all(enum object_kind kind, size_t *n);

static inline uint32_t handle_part(uint64_t handle)
{
    return (uint32_t)handle;
}

#endif
