/* The kernel descriptor and COMPUTE_PGM_RSRC1/2/3, which the command processor reads to start a kernel: decoding and
 * the check of reserved bits. */
#include "sim/loader/kernel_descriptor.h"

#include "sim/util/bits.h"

#define FAMILY(F) (1u << CO_##F)
#define FAMILIES  (FAMILY(GFX12_5) * 2 - 1)
#define BEFORE(F) (FAMILY(F) - 1)
#define GFX10_UP  (FAMILIES & ~BEFORE(GFX10))
#define GFX9_ALL  (BEFORE(GFX10) & ~BEFORE(GFX9))

/* Bits [lo, lo+len) of the dword at `offset` that must be zero in the families of `families`. */
struct reserved {
    uint8_t offset, lo, len;
    uint16_t families;
    const char *what;
};

static const struct reserved reserved_bits[] = {
    {12, 0, 32, FAMILIES, "reserved bytes 12..15"},
    {24, 0, 32, FAMILIES, "reserved bytes 24..43"},
    {28, 0, 32, FAMILIES, "reserved bytes 24..43"},
    {32, 0, 32, FAMILIES, "reserved bytes 24..43"},
    {36, 0, 32, FAMILIES, "reserved bytes 24..43"},
    {40, 0, 32, FAMILIES, "reserved bytes 24..43"},
    {44, 0, 32, BEFORE(GFX90A), "COMPUTE_PGM_RSRC3"},
    {44, 6, 10, FAMILY(GFX90A), "COMPUTE_PGM_RSRC3 reserved bits 6..15"},
    {44, 17, 15, FAMILY(GFX90A), "COMPUTE_PGM_RSRC3 reserved bits 17..31"},
    {44, 0, 4, FAMILY(GFX12) | FAMILY(GFX12_5), "COMPUTE_PGM_RSRC3 reserved bits 0..3"},
    {44, 4, 8, FAMILY(GFX10), "COMPUTE_PGM_RSRC3 reserved bits 4..11"},
    {44, 12, 1, GFX10_UP, "COMPUTE_PGM_RSRC3 reserved bit 12"},
    {44, 13, 1, FAMILY(GFX10) | FAMILY(GFX11), "COMPUTE_PGM_RSRC3 reserved bit 13"},
    {44, 14, 17, GFX10_UP & ~FAMILY(GFX12_5), "COMPUTE_PGM_RSRC3 reserved bits 14..30"},
    {44, 22, 9, FAMILY(GFX12_5), "COMPUTE_PGM_RSRC3 reserved bits 22..30"},
    {44, 31, 1, FAMILY(GFX10), "COMPUTE_PGM_RSRC3 reserved bit 31"},
    {48, 10, 2, FAMILIES, "COMPUTE_PGM_RSRC1 PRIORITY"},
    {48, 20, 1, FAMILIES, "COMPUTE_PGM_RSRC1 PRIV"},
    {48, 22, 1, FAMILIES, "COMPUTE_PGM_RSRC1 DEBUG_MODE"},
    {48, 24, 1, FAMILIES, "COMPUTE_PGM_RSRC1 BULKY"},
    {48, 25, 1, FAMILIES, "COMPUTE_PGM_RSRC1 CDBG_USER"},
    {48, 26, 1, BEFORE(GFX9), "COMPUTE_PGM_RSRC1 reserved bit 26"},
    {48, 27, 2, FAMILIES, "COMPUTE_PGM_RSRC1 reserved bits 27..28"},
    {48, 29, 3, BEFORE(GFX10), "COMPUTE_PGM_RSRC1 reserved bits 29..31"},
    {52, 13, 1, FAMILIES, "COMPUTE_PGM_RSRC2 ENABLE_EXCEPTION_ADDRESS_WATCH"},
    {52, 14, 1, FAMILIES, "COMPUTE_PGM_RSRC2 ENABLE_EXCEPTION_MEMORY"},
    {52, 15, 9, FAMILIES, "COMPUTE_PGM_RSRC2 GRANULATED_LDS_SIZE"},
    {52, 31, 1, FAMILIES, "COMPUTE_PGM_RSRC2 reserved bit 31"},
    {56, 7, 3, FAMILIES, "kernel_code_properties reserved bits 7..9"},
    {56, 10, 1, GFX9_ALL, "kernel_code_properties ENABLE_WAVEFRONT_SIZE32"},
    {56, 12, 4, FAMILIES, "kernel_code_properties reserved bits 12..15"},
    {60, 0, 32, FAMILIES, "reserved bytes 60..63"},
};

static int check_reserved(const uint8_t *bytes, enum co_family family, struct err *e)
{
    for (size_t i = 0; i < sizeof reserved_bits / sizeof reserved_bits[0]; i++) {
        const struct reserved *r = &reserved_bits[i];
        uint64_t v = bits_get(load_u32(bytes + r->offset), r->lo, r->len);
        if ((r->families >> family & 1) && v)
            return err_set(e, ERR_FORMAT, "kernel descriptor offset %u: %s is 0x%llx, must be zero on %s", r->offset,
                           r->what, (unsigned long long)v, co_family_name(family));
    }
    return 0;
}

/* The bits of kernel_code_properties that ask for user SGPRs. */
static void set_user_sgprs(struct kernel_descriptor *d)
{
    unsigned p = d->kernel_code_properties;

    d->enable_sgpr_private_segment_buffer = p & 1;
    d->enable_sgpr_dispatch_ptr = p >> 1 & 1;
    d->enable_sgpr_queue_ptr = p >> 2 & 1;
    d->enable_sgpr_kernarg_segment_ptr = p >> 3 & 1;
    d->enable_sgpr_dispatch_id = p >> 4 & 1;
    d->enable_sgpr_flat_scratch_init = p >> 5 & 1;
    d->enable_sgpr_private_segment_size = p >> 6 & 1;
}

int kernel_descriptor_decode(struct kernel_descriptor *out, const uint8_t bytes[KERNEL_DESCRIPTOR_BYTES],
                             enum co_family family, struct err *e)
{
    if (check_reserved(bytes, family, e))
        return -1;

    unsigned p = load_u16(bytes + 56), preload = load_u16(bytes + 58);
    *out = (struct kernel_descriptor){
        .group_segment_fixed_size = load_u32(bytes),
        .private_segment_fixed_size = load_u32(bytes + 4),
        .kernarg_size = load_u32(bytes + 8),
        .kernel_code_entry_byte_offset = (int64_t)load_u64(bytes + 16),
        .compute_pgm_rsrc3 = load_u32(bytes + 44),
        .compute_pgm_rsrc1 = load_u32(bytes + 48),
        .compute_pgm_rsrc2 = load_u32(bytes + 52),
        .kernel_code_properties = (uint16_t)p,
        .enable_wavefront_size32 = family >= CO_GFX10 && (p >> 10 & 1),
        .uses_dynamic_stack = p >> 11 & 1,
        .kernarg_preload_length_dwords = (uint16_t)bits_get(preload, 0, 7),
        .kernarg_preload_offset_dwords = (uint16_t)bits_get(preload, 7, 9),
    };
    set_user_sgprs(out);
    return 0;
}

int amd_kernel_code_decode(struct kernel_descriptor *out, const uint8_t bytes[AMD_KERNEL_CODE_BYTES],
                           enum co_family family, struct err *e)
{
    uint32_t p = load_u32(bytes + 56);
    uint64_t kernarg = load_u64(bytes + 72);

    if (load_u32(bytes) != 1 || load_u16(bytes + 8) != 1)
        return err_set(e, ERR_UNSUPPORTED,
                       "amd_kernel_code_t offset 0: version %u.%u for machine kind %u, expected 1.x for 1 (AMDGPU)",
                       load_u32(bytes), load_u32(bytes + 4), load_u16(bytes + 8));
    if (bits_get(p, 7, 3))
        return err_set(e, ERR_UNSUPPORTED,
                       "amd_kernel_code_t offset 56: code_properties 0x%x wants counts of workgroups", p);
    if (load_u32(bytes + 60) && bits_get(p, 17, 2) != 1)
        return err_set(e, ERR_UNSUPPORTED,
                       "amd_kernel_code_t offset 56: scratch elements of %u bytes, expected 4 (private_element_size 1)",
                       2u << bits_get(p, 17, 2));
    if (load_u32(bytes + 68))
        return err_set(e, ERR_UNSUPPORTED, "amd_kernel_code_t offset 68: %u bytes of GDS", load_u32(bytes + 68));
    if (kernarg > UINT32_MAX)
        return err_set(e, ERR_FORMAT, "amd_kernel_code_t offset 72: a kernarg segment of %llu bytes",
                       (unsigned long long)kernarg);
    *out = (struct kernel_descriptor){
        .group_segment_fixed_size = load_u32(bytes + 64),
        .private_segment_fixed_size = load_u32(bytes + 60),
        .kernarg_size = (uint32_t)kernarg,
        .kernel_code_entry_byte_offset = (int64_t)load_u64(bytes + 16),
        .compute_pgm_rsrc1 = load_u32(bytes + 48),
        .compute_pgm_rsrc2 = load_u32(bytes + 52),
        .kernel_code_properties = (uint16_t)(p & 0x47f), /* bits 0 to 6 and 10 mean what they mean in v3 */
        .enable_wavefront_size32 = family >= CO_GFX10 && (p >> 10 & 1),
        .uses_dynamic_stack = p >> 20 & 1,
    };
    set_user_sgprs(out);
    return 0;
}

static void decode_rsrc1(struct co_rsrc *r, enum co_family family, bool wave32, uint32_t v)
{
    bool gfx12 = family >= CO_GFX12, gfx10 = family >= CO_GFX10;
    /* The unit of the encoded count. A chip's allocation granule may be larger. */
    unsigned vgpr_granule = family == CO_GFX12_5 ? 16 : family == CO_GFX90A || (gfx10 && wave32) ? 8 : 4;

    r->granulated_vgprs = (unsigned)bits_get(v, 0, 6);
    r->granulated_sgprs = (unsigned)bits_get(v, 6, 4);
    r->vgprs = (r->granulated_vgprs + 1) * vgpr_granule;
    if (gfx10)
        r->sgprs = 128;
    else if (family >= CO_GFX9) /* the field is 2 * (granules of 16 SGPRs - 1) */
        r->sgprs = (r->granulated_sgprs / 2 + 1) * 16;
    else
        r->sgprs = (r->granulated_sgprs + 1) * 8;
    r->priority = (unsigned)bits_get(v, 10, 2);
    r->float_round_32 = (unsigned)bits_get(v, 12, 2);
    r->float_round_16_64 = (unsigned)bits_get(v, 14, 2);
    r->float_denorm_32 = (unsigned)bits_get(v, 16, 2);
    r->float_denorm_16_64 = (unsigned)bits_get(v, 18, 2);
    r->float_mode = (unsigned)bits_get(v, 12, 8);
    r->priv = v >> 20 & 1;
    r->dx10_clamp = !gfx12 && (v >> 21 & 1);
    r->wg_rr_en = gfx12 && (v >> 21 & 1);
    r->debug_mode = v >> 22 & 1;
    r->ieee_mode = !gfx12 && (v >> 23 & 1);
    r->disable_perf = gfx12 && (v >> 23 & 1);
    r->bulky = v >> 24 & 1;
    r->cdbg_user = v >> 25 & 1;
    r->fp16_ovfl = family >= CO_GFX9 && (v >> 26 & 1);
    r->wgp_mode = gfx10 && (v >> 29 & 1);
    r->mem_ordered = gfx10 && (v >> 30 & 1);
    r->fwd_progress = gfx10 && (v >> 31 & 1);
}

static void decode_rsrc2(struct co_rsrc *r, enum co_family family, uint32_t v)
{
    r->enable_private_segment = v & 1;
    r->user_sgpr_count = (unsigned)bits_get(v, 1, family == CO_GFX12_5 ? 6 : 5);
    r->enable_trap_handler = family < CO_GFX12 && (v >> 6 & 1);
    r->dynamic_vgprs = family == CO_GFX12 && (v >> 6 & 1);
    r->enable_sgpr_workgroup_id_x = v >> 7 & 1;
    r->enable_sgpr_workgroup_id_y = v >> 8 & 1;
    r->enable_sgpr_workgroup_id_z = v >> 9 & 1;
    r->enable_sgpr_workgroup_info = v >> 10 & 1;
    r->vgpr_workitem_id = (unsigned)bits_get(v, 11, 2);
    r->exception_address_watch = v >> 13 & 1;
    r->exception_memory = v >> 14 & 1;
    r->granulated_lds = (unsigned)bits_get(v, 15, 9);
    r->exception_fp_invalid = v >> 24 & 1;
    r->exception_fp_denorm_src = v >> 25 & 1;
    r->exception_fp_div_zero = v >> 26 & 1;
    r->exception_fp_overflow = v >> 27 & 1;
    r->exception_fp_underflow = v >> 28 & 1;
    r->exception_fp_inexact = v >> 29 & 1;
    r->exception_int_div_zero = v >> 30 & 1;
}

static void decode_rsrc3(struct co_rsrc *r, enum co_family family, uint32_t v)
{
    if (family == CO_GFX90A) {
        r->accum_offset_vgprs = ((unsigned)bits_get(v, 0, 6) + 1) * 4;
        r->tg_split = v >> 16 & 1;
        return;
    }
    if (family < CO_GFX10)
        return;
    if (family < CO_GFX12)
        r->shared_vgprs = (unsigned)bits_get(v, 0, 4) * 8;
    if (family == CO_GFX11) {
        r->inst_pref_bytes = (unsigned)bits_get(v, 4, 6) * 128;
        r->trap_on_start = v >> 10 & 1;
        r->trap_on_end = v >> 11 & 1;
    }
    if (family >= CO_GFX12) {
        r->inst_pref_bytes = (unsigned)bits_get(v, 4, 8) * 128;
        r->glg_en = v >> 13 & 1;
    }
    if (family == CO_GFX12_5) {
        r->named_barriers = (unsigned)bits_get(v, 14, 3) * 4;
        r->dynamic_vgprs = v >> 17 & 1;
    }
    if (family >= CO_GFX11)
        r->image_op = v >> 31 & 1;
}

static void split_registers(struct co_rsrc *r, enum co_family family, bool wave32)
{
    r->arch_vgprs = r->vgprs + (wave32 ? 0 : r->shared_vgprs);
    if (family == CO_GFX908) /* both files are allocated alike */
        r->acc_vgprs = r->vgprs;
    if (family == CO_GFX90A && r->accum_offset_vgprs < r->vgprs) {
        r->arch_vgprs = r->accum_offset_vgprs;
        r->acc_vgprs = r->vgprs - r->arch_vgprs;
    }
}

/* Comparing families by order is right here: each layout of these words extends the one before it. RSRC3 of gfx90a does
 * not, and is compared by equality. */
void co_rsrc_decode(struct co_rsrc *out, enum co_family family, bool wave32, uint32_t rsrc1, uint32_t rsrc2,
                    uint32_t rsrc3)
{
    *out = (struct co_rsrc){0};
    decode_rsrc1(out, family, wave32, rsrc1);
    decode_rsrc2(out, family, rsrc2);
    decode_rsrc3(out, family, rsrc3);
    split_registers(out, family, wave32);
}
