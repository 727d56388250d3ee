/* Registers that start code without a kernel descriptor: PAL's note and Mesa's section, and the kernels made of them.
 */
#include "sim/loader/registers.h"

#include "sim/loader/code_object_internal.h"
#include "sim/loader/metadata_internal.h"
#include "sim/util/bits.h"

#include <msgpack.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REGISTERS = 4096, INITIATOR_W32 = 1 << 15, LDS_GRANULE_BYTES = 512 };

static int reserve(struct code_object *co, size_t count, struct err *e)
{
    struct co_registers *r = &co->registers;

    if (r->list)
        return err_set(e, ERR_FORMAT, "registers are stated twice");
    if (count > MOST_REGISTERS)
        return err_set(e, ERR_LIMIT, "%zu registers, the limit is %d", count, MOST_REGISTERS);
    r->list = co_hold(co, count, sizeof *r->list, "registers", e) ? NULL : calloc(count + 1, sizeof *r->list);
    return r->list ? 0 : err_set(e, ERR_NOMEM, "out of host memory for %zu registers", count);
}

/* The last value of a register; false: it is not there. */
static bool find_register(const struct co_registers *r, uint32_t address, uint32_t *value)
{
    for (unsigned k = r->count; k-- > 0;)
        if (r->list[k].address == address) {
            *value = r->list[k].value;
            return true;
        }
    *value = 0;
    return false;
}

/* ---- Mesa ---- */

int co_registers_read_mesa(struct code_object *co, const uint8_t *bytes, size_t size, struct err *e)
{
    struct co_registers *r = &co->registers;

    if (size % 8)
        return err_set(e, ERR_FORMAT, ".AMDGPU.config has %zu bytes, expected pairs of a register and its value", size);
    if (reserve(co, size / 8, e))
        return -1;
    for (size_t at = 0; at < size; at += 8) {
        r->list[r->count++] = (struct co_register){load_u32(bytes + at), load_u32(bytes + at + 4)};
        r->is_compute |= load_u32(bytes + at) == CO_REG_COMPUTE_PGM_RSRC1;
    }
    return 0;
}

/* ---- PAL ---- */

static const msgpack_object *find(const msgpack_object *map, const char *key)
{
    for (uint32_t k = 0; map && map->type == MSGPACK_OBJECT_MAP && k < map->via.map.size; k++) {
        const msgpack_object_kv *kv = &map->via.map.ptr[k];

        if (kv->key.type == MSGPACK_OBJECT_STR && kv->key.via.str.size == strlen(key) &&
            !memcmp(kv->key.via.str.ptr, key, strlen(key)))
            return &kv->val;
    }
    return NULL;
}

static uint32_t number(const msgpack_object *map, const char *key)
{
    const msgpack_object *o = find(map, key);

    return o && o->type == MSGPACK_OBJECT_POSITIVE_INTEGER && o->via.u64 <= UINT32_MAX ? (uint32_t)o->via.u64 : 0;
}

static int take_registers(struct code_object *co, const msgpack_object *map, struct err *e)
{
    struct co_registers *r = &co->registers;

    if (!map)
        return 0;
    if (map->type != MSGPACK_OBJECT_MAP)
        return err_set(e, ERR_FORMAT, "PAL metadata: .registers is no map");
    if (reserve(co, map->via.map.size, e))
        return -1;
    for (uint32_t k = 0; k < map->via.map.size; k++) {
        const msgpack_object_kv *kv = &map->via.map.ptr[k];

        if (kv->key.type != MSGPACK_OBJECT_POSITIVE_INTEGER || kv->val.type != MSGPACK_OBJECT_POSITIVE_INTEGER ||
            kv->key.via.u64 > UINT32_MAX / 4 || kv->val.via.u64 > UINT32_MAX)
            return err_set(e, ERR_FORMAT, "PAL metadata: .registers, entry %u: expected a register and 32 bits", k);
        r->list[r->count++] = (struct co_register){(uint32_t)kv->key.via.u64 * 4, (uint32_t)kv->val.via.u64};
    }
    return 0;
}

static int take_compute_stage(struct code_object *co, const msgpack_object *stage, struct err *e)
{
    struct co_registers *r = &co->registers;
    const msgpack_object *entry = find(stage, ".entry_point_symbol");

    r->is_compute = true;
    r->wave_size = number(stage, ".wavefront_size");
    r->lds_bytes = number(stage, ".lds_size");
    r->scratch_bytes = number(stage, ".scratch_memory_size");
    entry = entry ? entry : find(stage, ".entry_point"); /* LLVM's word for the same */
    if (!entry || entry->type != MSGPACK_OBJECT_STR)
        return 0;
    if (co_hold(co, entry->via.str.size + 1, 1, "an entry point's name", e) ||
        !(r->entry = strndup(entry->via.str.ptr, entry->via.str.size)))
        return err_set(e, ERR_NOMEM, "out of host memory for an entry point's name");
    return 0;
}

static int take_pipeline(struct code_object *co, const msgpack_object *root, struct err *e)
{
    const msgpack_object *all = find(root, "amdpal.pipelines"), *first;

    if (!all || all->type != MSGPACK_OBJECT_ARRAY || !all->via.array.size)
        return 0;
    first = &all->via.array.ptr[0];
    const msgpack_object *stage = find(find(first, ".hardware_stages"), ".cs");
    return take_registers(co, find(first, ".registers"), e) || (stage && take_compute_stage(co, stage, e)) ? -1 : 0;
}

int co_registers_read_pal(struct code_object *co, const uint8_t *bytes, size_t size, struct err *e)
{
    uint64_t elements, transient;
    msgpack_unpacked unpacked;
    size_t offset = 0;
    int status = -1;

    if (co_msgpack_scan(bytes, size, &elements, e))
        return -1;
    transient = elements * sizeof(msgpack_object);
    if (!budget_take(co->budget, transient))
        return err_set(e, ERR_NOMEM, "PAL metadata: out of host memory for %zu bytes", size);
    msgpack_unpacked_init(&unpacked);
    msgpack_unpack_return r = msgpack_unpack_next(&unpacked, (const char *)bytes, size, &offset);
    if (r == MSGPACK_UNPACK_SUCCESS)
        status = take_pipeline(co, &unpacked.data, e);
    else
        err_set(e, r == MSGPACK_UNPACK_NOMEM_ERROR ? ERR_NOMEM : ERR_FORMAT,
                "PAL metadata offset %zu: not a MessagePack document", offset);
    msgpack_unpacked_destroy(&unpacked);
    budget_give(co->budget, transient);
    return status;
}

/* ---- kernels ---- */

/* The function that the registers start: the one that is named, or else the only one. */
static const struct co_symbol *entry_of(const struct code_object *co)
{
    const struct co_symbol *found = NULL;

    for (unsigned k = 0; k < co->symbol_count; k++) {
        const struct co_symbol *s = &co->symbols[k];

        if (s->kind != CO_SYMBOL_FUNCTION || (co->registers.entry && strcmp(s->name, co->registers.entry)))
            continue;
        if (found && found->vaddr != s->vaddr)
            return NULL;
        found = s;
    }
    return found;
}

/* What a descriptor would say. */
static void describe(const struct code_object *co, struct kernel_descriptor *d)
{
    const struct co_registers *r = &co->registers;
    struct co_rsrc rsrc;
    uint32_t initiator;
    bool wave32 = r->wave_size ? r->wave_size == 32 : co->target.family >= CO_GFX10; /* where nothing says: LLVM's */

    if (!r->wave_size && find_register(r, CO_REG_COMPUTE_DISPATCH_INITIATOR, &initiator))
        wave32 = initiator & INITIATOR_W32;
    *d = (struct kernel_descriptor){.user_sgprs_are_arguments = true,
                                    .enable_wavefront_size32 = wave32,
                                    .private_segment_fixed_size = r->scratch_bytes};
    find_register(r, CO_REG_COMPUTE_PGM_RSRC1, &d->compute_pgm_rsrc1);
    find_register(r, CO_REG_COMPUTE_PGM_RSRC2, &d->compute_pgm_rsrc2);
    find_register(r, CO_REG_COMPUTE_PGM_RSRC3, &d->compute_pgm_rsrc3);
    co_rsrc_decode(&rsrc, co->target.family, wave32, d->compute_pgm_rsrc1, d->compute_pgm_rsrc2, d->compute_pgm_rsrc3);
    d->group_segment_fixed_size = r->lds_bytes ? r->lds_bytes : rsrc.granulated_lds * LDS_GRANULE_BYTES;
}

int co_registers_kernels(struct code_object *co, struct err *e)
{
    const struct co_registers *r = &co->registers;
    const struct co_symbol *entry = r->is_compute ? entry_of(co) : NULL;
    uint32_t rsrc1, scratch;

    if (!entry || !find_register(r, CO_REG_COMPUTE_PGM_RSRC1, &rsrc1))
        return 0;
    struct co_kernel *k =
        co_hold(co, 1, sizeof *k + strlen(entry->name) + 1, "a kernel", e) ? NULL : calloc(1, sizeof *k);
    co->kernels = k;
    if (!k || !(k->name = strdup(entry->name)))
        return err_set(e, ERR_NOMEM, "out of host memory for a kernel");
    co->kernel_count = 1;
    k->descriptor_vaddr = k->entry_vaddr = entry->vaddr;
    describe(co, &k->descriptor);
    find_register(r, CO_REG_COMPUTE_TMPRING_SIZE, &scratch);
    struct err why = {0};
    if (r->scratch_bytes || scratch)
        err_set(&why, ERR_UNSUPPORTED,
                "\"%.200s\" needs scratch, which its driver finds by a table of its own; gcnsim runs %s code without",
                k->name, co_os_name(co->os));
    if (!why.code && co_kernel_check_entry(co, k, &why) == 0)
        return 0;
    return co_kernel_refuse(co, k, &why, e);
}
