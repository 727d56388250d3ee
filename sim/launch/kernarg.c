/* The memory that a kernel finds at its start: hidden kernel arguments, the AQL dispatch packet and the queue. */
#include "sim/launch/kernarg.h"

#include <string.h>

int launch_check_kernarg_size(const char *kernel, uint32_t bytes, struct err *e)
{
    if (bytes > LAUNCH_MAX_KERNARG_BYTES)
        return err_set(e, ERR_LIMIT, "kernel %s: a kernarg segment of %u bytes; the limit is %u", kernel, bytes,
                       LAUNCH_MAX_KERNARG_BYTES);
    return 0;
}

unsigned launch_dims(const uint32_t grid[3])
{
    return grid[2] > 1 ? 3 : grid[1] > 1 ? 2 : 1;
}

/* The value of one hidden argument; false: unknown kind. */
static bool hidden_value(enum co_arg_kind kind, const struct launch_numbers *n, uint64_t *v)
{
    *v = 0;
    switch (kind) {
    case CO_ARG_HIDDEN_BLOCK_COUNT_X:
    case CO_ARG_HIDDEN_BLOCK_COUNT_Y:
    case CO_ARG_HIDDEN_BLOCK_COUNT_Z: {
        unsigned d = kind - CO_ARG_HIDDEN_BLOCK_COUNT_X;
        *v = n->grid[d] / n->workgroup[d];
        return true;
    }
    case CO_ARG_HIDDEN_GROUP_SIZE_X:
    case CO_ARG_HIDDEN_GROUP_SIZE_Y:
    case CO_ARG_HIDDEN_GROUP_SIZE_Z:
        *v = n->workgroup[kind - CO_ARG_HIDDEN_GROUP_SIZE_X];
        return true;
    case CO_ARG_HIDDEN_REMAINDER_X:
    case CO_ARG_HIDDEN_REMAINDER_Y:
    case CO_ARG_HIDDEN_REMAINDER_Z: {
        unsigned d = kind - CO_ARG_HIDDEN_REMAINDER_X;
        *v = n->grid[d] % n->workgroup[d];
        return true;
    }
    case CO_ARG_HIDDEN_GRID_DIMS:
        *v = launch_dims(n->grid);
        return true;
    case CO_ARG_HIDDEN_DYNAMIC_LDS_SIZE:
        *v = n->dynamic_lds_bytes;
        return true;
    case CO_ARG_HIDDEN_PRIVATE_BASE:
        *v = n->private_aperture >> 32;
        return true;
    case CO_ARG_HIDDEN_SHARED_BASE:
        *v = n->shared_aperture >> 32;
        return true;
    case CO_ARG_HIDDEN_QUEUE_PTR:
        *v = n->queue;
        return true;
    case CO_ARG_HIDDEN_GLOBAL_OFFSET_X: /* an AQL dispatch has no global offset */
    case CO_ARG_HIDDEN_GLOBAL_OFFSET_Y:
    case CO_ARG_HIDDEN_GLOBAL_OFFSET_Z:
    case CO_ARG_HIDDEN_NONE:
    case CO_ARG_HIDDEN_PRINTF_BUFFER: /* runtime services that gcnsim does not have */
    case CO_ARG_HIDDEN_HOSTCALL_BUFFER:
    case CO_ARG_HIDDEN_DEFAULT_QUEUE:
    case CO_ARG_HIDDEN_COMPLETION_ACTION:
    case CO_ARG_HIDDEN_MULTIGRID_SYNC_ARG:
    case CO_ARG_HIDDEN_HEAP_V1:
        return true;
    default:
        return false;
    }
}

int launch_hidden_args(uint8_t *kernarg, uint32_t size, const struct co_kernel_metadata *md,
                       const struct launch_numbers *n, struct err *e)
{
    for (unsigned i = 0; i < md->arg_count; i++) {
        const struct co_arg *a = &md->args[i];
        uint64_t v;

        if (!co_arg_is_hidden(a->kind))
            continue;
        if (!hidden_value(a->kind, n, &v))
            return err_set(e, ERR_UNSUPPORTED, "kernel %s: hidden argument of kind '%s' is not known", md->name,
                           a->kind_text);
        if (a->size > 8 || a->offset > size || a->size > size - a->offset)
            return err_set(e, ERR_FORMAT,
                           "kernel %s: hidden argument %s at offset %u with %u bytes; expected at most 8 bytes inside "
                           "the kernarg segment of %u",
                           md->name, a->kind_text, a->offset, a->size, size);
        memcpy(kernarg + a->offset, &v, a->size);
    }
    return 0;
}

static void put(uint8_t *at, uint64_t v, unsigned bytes)
{
    memcpy(at, &v, bytes);
}

void launch_packet(uint8_t out[LAUNCH_PACKET_BYTES], const struct launch_numbers *n)
{
    memset(out, 0, LAUNCH_PACKET_BYTES);
    put(out + 0, 2 | 1 << 8 | 2 << 9 | 2 << 11, 2); /* kernel dispatch, barrier bit, system-scope fences */
    put(out + 2, launch_dims(n->grid), 2);
    for (int d = 0; d < 3; d++) {
        put(out + 4 + 2 * d, n->workgroup[d], 2);
        put(out + 12 + 4 * d, n->grid[d], 4);
    }
    put(out + 24, n->scratch_bytes_per_lane, 4);
    put(out + 28, n->lds_bytes, 4);
    put(out + 32, n->kernel_object, 8);
    put(out + 40, n->kernarg, 8);
}

void launch_queue(uint8_t out[LAUNCH_QUEUE_BYTES], const struct launch_numbers *n)
{
    memset(out, 0, LAUNCH_QUEUE_BYTES);
    put(out + 0x00, 1, 4);  /* hsa_queue_t.type: single producer */
    put(out + 0x04, 1, 4);  /* features: kernel dispatch */
    put(out + 0x18, 64, 4); /* size in packets */
    put(out + 0x40, n->shared_aperture >> 32, 4);
    put(out + 0x44, n->private_aperture >> 32, 4);
}
