/* Public API: a raw launch of a kernel descriptor. */
#include "sim/api/api.h"
#include "sim/launch/dispatch.h"
#include "sim/loader/kernel_descriptor.h"

static const struct gcnsim_raw_kernel initial;

static const struct api_struct kind = {.what = "raw kernel",
                                       .init = "gcnsim_raw_kernel_init",
                                       .initial = &initial,
                                       .bytes = sizeof initial,
                                       .least = API_BYTES_THROUGH(struct gcnsim_raw_kernel, code_object_version)};

void gcnsim_raw_kernel_init_sized(struct gcnsim_raw_kernel *k, size_t struct_bytes)
{
    api_struct_init(&kind, k, struct_bytes);
}

int api_take_raw_kernel(struct gcnsim_raw_kernel *own, const struct gcnsim_raw_kernel *from, struct err *e)
{
    return api_struct_take(&kind, own, from, e);
}

int api_raw_descriptor(struct kernel_descriptor *out, const struct gcnsim_raw_kernel *k, enum co_family family,
                       struct err *e)
{
    if (!k->descriptor)
        return err_set(e, ERR_USAGE, "raw kernel: descriptor is null");
    return k->code_object_version == 2 ? amd_kernel_code_decode(out, k->descriptor, family, e)
                                       : kernel_descriptor_decode(out, k->descriptor, family, e);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static int set_kernel(struct gcnsim_raw *raw, const struct gcnsim_raw_kernel *from, struct err *e)
{
    struct gcnsim_raw_kernel k;
    struct kernel_descriptor kd;
    struct co_target_id id;
    struct co_rsrc rsrc;

    if (!raw->code && !raw->target)
        return err_set(e, ERR_USAGE, "raw: target and code are null; expected one, for the kernel descriptor");
    if (api_take_raw_kernel(&k, from, e))
        return -1;
    if (raw->code)
        id = raw->code->id;
    else if (co_target_parse(&id, raw->target, e))
        return err_prefix(e, "raw: target");
    if (api_raw_descriptor(&kd, &k, id.family, e))
        return -1;
    co_rsrc_decode(&rsrc, id.family, kd.enable_wavefront_size32, kd.compute_pgm_rsrc1, kd.compute_pgm_rsrc2,
                   kd.compute_pgm_rsrc3);
    raw->entry = launch_entry(&kd, id.family, k.descriptor_address + (uint64_t)kd.kernel_code_entry_byte_offset);
    raw->wave_size = kd.enable_wavefront_size32 ? 32 : 64;
    raw->compute_pgm_rsrc1 = kd.compute_pgm_rsrc1;
    raw->compute_pgm_rsrc2 = kd.compute_pgm_rsrc2;
    raw->compute_pgm_rsrc3 = kd.compute_pgm_rsrc3;
    raw->lds_bytes = larger(k.group_segment_bytes, kd.group_segment_fixed_size);
    raw->scratch_bytes_per_lane =
        launch_uses_scratch(&kd, &rsrc) ? larger(k.private_segment_bytes, kd.private_segment_fixed_size) : 0;
    raw->kernel = from;
    return 0;
}

int gcnsim_raw_set_kernel(struct gcnsim_raw *raw, const struct gcnsim_raw_kernel *k, struct gcnsim_error *error)
{
    struct err e = {0};

    return set_kernel(raw, k, &e) ? api_fail(error, &e) : GCNSIM_OK;
}
