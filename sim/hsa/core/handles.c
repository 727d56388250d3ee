/* The table of objects that have handles. */
#include "sim/hsa/core/handles.h"

#include <pthread.h>
#include <stdlib.h>

#define SLOT_BITS 20
#define MAX_SLOTS (1u << SLOT_BITS)
#define MAX_USES  (1u << (32 - SLOT_BITS))

struct slot {
    struct object *object; /* null: free */
    uint32_t uses;         /* counts up with each object, never 0 in a handle */
    uint32_t next_free;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot *slots;
static uint32_t count, capacity;
/* Slots are used again in the order in which they became free, so that it takes long until a handle comes back. */
static uint32_t first_free = MAX_SLOTS, last_free = MAX_SLOTS;

/* A slot for one more object; MAX_SLOTS: there is none. */
static uint32_t new_slot(void)
{
    uint32_t s = first_free;

    if (s < MAX_SLOTS) {
        first_free = slots[s].next_free;
        return s;
    }
    if (count == capacity) {
        uint32_t more = capacity ? 2 * capacity : 64;
        struct slot *t = more <= MAX_SLOTS ? realloc(slots, more * sizeof *t) : NULL;
        if (!t)
            return MAX_SLOTS;
        slots = t;
        capacity = more;
    }
    slots[count] = (struct slot){0};
    return count++;
}

static void free_slot(uint32_t s)
{
    slots[s].object = NULL;
    slots[s].next_free = MAX_SLOTS;
    if (first_free < MAX_SLOTS)
        slots[last_free].next_free = s;
    else
        first_free = s;
    last_free = s;
}

/* The slot of a handle that names an object of the kind; MAX_SLOTS: it names none. */
static uint32_t slot_of(uint64_t handle, enum object_kind kind)
{
    uint32_t id = (uint32_t)(handle >> 32), s = id % MAX_SLOTS;

    return s < count && slots[s].object && slots[s].uses == id >> SLOT_BITS && slots[s].object->kind == kind
               ? s
               : MAX_SLOTS;
}

uint64_t handle_give(struct object *o)
{
    uint32_t s;

    o->references = 1;
    o->handle = 0;
    pthread_mutex_lock(&lock);
    s = new_slot();
    if (s < MAX_SLOTS) {
        slots[s].object = o;
        slots[s].uses = slots[s].uses % (MAX_USES - 1) + 1;
        o->handle = (uint64_t)(slots[s].uses << SLOT_BITS | s) << 32;
    }
    pthread_mutex_unlock(&lock);
    return o->handle;
}

struct object *handle_hold(uint64_t handle, enum object_kind kind)
{
    struct object *o = NULL;
    uint32_t s;

    pthread_mutex_lock(&lock);
    s = slot_of(handle, kind);
    if (s < MAX_SLOTS) {
        o = slots[s].object;
        __atomic_add_fetch(&o->references, 1, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&lock);
    return o;
}

struct object *handle_take(uint64_t handle, enum object_kind kind)
{
    struct object *o = NULL;
    uint32_t s;

    pthread_mutex_lock(&lock);
    s = handle_part(handle) == 0 ? slot_of(handle, kind) : MAX_SLOTS;
    if (s < MAX_SLOTS) {
        o = slots[s].object;
        free_slot(s);
    }
    pthread_mutex_unlock(&lock);
    return o;
}

void object_release(struct object *o)
{
    if (o && __atomic_sub_fetch(&o->references, 1, __ATOMIC_ACQ_REL) == 0)
        o->free(o);
}

struct object **handle_all(enum object_kind kind, size_t *n)
{
    struct object **all;

    *n = 0;
    pthread_mutex_lock(&lock);
    all = malloc((count + 1) * sizeof *all);
    for (uint32_t s = 0; all && s < count; s++)
        if (slots[s].object && slots[s].object->kind == kind) {
            all[(*n)++] = slots[s].object;
            __atomic_add_fetch(&slots[s].object->references, 1, __ATOMIC_RELAXED);
        }
    pthread_mutex_unlock(&lock);
    return all;
}
