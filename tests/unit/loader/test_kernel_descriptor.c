/* Kernel descriptors: fields, register words per family, reserved bits. */
#include "sim/loader/kernel_descriptor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void put(uint8_t *b, unsigned at, uint64_t v, unsigned n)
{
    memcpy(b + at, &v, n);
}

static void every_field_is_read_from_its_place(void **state)
{
    uint8_t b[64] = {0};
    struct kernel_descriptor d;
    (void)state;

    put(b, 0, 0x11223344, 4);
    put(b, 4, 0x55667788, 4);
    put(b, 8, 0x99aabbcc, 4);
    put(b, 16, (uint64_t)-4096, 8);
    put(b, 44, 0x00010007, 4); /* accum_offset 8 granules, tg_split */
    put(b, 48, 0x000f00c3, 4);
    put(b, 52, 0x00001b8d, 4);
    put(b, 56, 0x0855, 2); /* buffer, queue, dispatch id, private size, dynamic stack */
    put(b, 58, 5 << 7 | 3, 2);
    assert_int_equal(kernel_descriptor_decode(&d, b, CO_GFX90A, NULL), 0);
    assert_int_equal(d.group_segment_fixed_size, 0x11223344);
    assert_int_equal(d.private_segment_fixed_size, 0x55667788);
    assert_int_equal(d.kernarg_size, 0x99aabbcc);
    assert_true(d.kernel_code_entry_byte_offset == -4096);
    assert_int_equal(d.compute_pgm_rsrc3, 0x00010007);
    assert_int_equal(d.compute_pgm_rsrc1, 0x000f00c3);
    assert_int_equal(d.compute_pgm_rsrc2, 0x00001b8d);
    assert_true(d.enable_sgpr_private_segment_buffer && !d.enable_sgpr_dispatch_ptr && d.enable_sgpr_queue_ptr);
    assert_true(!d.enable_sgpr_kernarg_segment_ptr && d.enable_sgpr_dispatch_id && !d.enable_sgpr_flat_scratch_init);
    assert_true(d.enable_sgpr_private_segment_size && !d.enable_wavefront_size32 && d.uses_dynamic_stack);
    assert_int_equal(d.kernarg_preload_length_dwords, 3);
    assert_int_equal(d.kernarg_preload_offset_dwords, 5);
    put(b, 44, 0, 4);
    put(b, 56, 0x042a, 2); /* the other properties, and wave32 */
    assert_int_equal(kernel_descriptor_decode(&d, b, CO_GFX11, NULL), 0);
    assert_true(!d.enable_sgpr_private_segment_buffer && d.enable_sgpr_dispatch_ptr && !d.enable_sgpr_queue_ptr);
    assert_true(d.enable_sgpr_kernarg_segment_ptr && !d.enable_sgpr_dispatch_id && d.enable_sgpr_flat_scratch_init);
    assert_true(!d.enable_sgpr_private_segment_size && d.enable_wavefront_size32 && !d.uses_dynamic_stack);
}

static struct co_rsrc rsrc(enum co_family f, bool wave32, uint32_t r1, uint32_t r2, uint32_t r3)
{
    struct co_rsrc r;

    co_rsrc_decode(&r, f, wave32, r1, r2, r3);
    return r;
}

static void register_counts_follow_the_granule_of_the_family(void **state)
{
    (void)state;
    /* granulated VGPRs 5, SGPRs 6 */
    assert_int_equal(rsrc(CO_GFX8, false, 5 | 6 << 6, 0, 0).vgprs, 24);
    assert_int_equal(rsrc(CO_GFX8, false, 5 | 6 << 6, 0, 0).sgprs, 56);
    assert_int_equal(rsrc(CO_GFX9, false, 5 | 6 << 6, 0, 0).vgprs, 24);
    assert_int_equal(rsrc(CO_GFX9, false, 5 | 6 << 6, 0, 0).sgprs, 64);
    assert_int_equal(rsrc(CO_GFX90A, false, 63, 0, 0).vgprs, 512);
    assert_int_equal(rsrc(CO_GFX10, true, 5, 0, 0).vgprs, 48);
    assert_int_equal(rsrc(CO_GFX10, false, 5, 0, 0).vgprs, 24);
    assert_int_equal(rsrc(CO_GFX12, true, 5 | 1 << 6, 0, 0).sgprs, 128);
    assert_int_equal(rsrc(CO_GFX90A, false, 0, 0, 7 | 1 << 16).accum_offset_vgprs, 32);
    assert_true(rsrc(CO_GFX90A, false, 0, 0, 7 | 1 << 16).tg_split);
    assert_int_equal(rsrc(CO_GFX9, false, 0, 0, 7 | 1 << 16).accum_offset_vgprs, 0);
    assert_int_equal(rsrc(CO_GFX10, false, 0, 0, 3).shared_vgprs, 24);
    assert_int_equal(rsrc(CO_GFX12, false, 0, 0, 3).shared_vgprs, 0);
    assert_int_equal(rsrc(CO_GFX10, false, 0, 0, 0xff0).inst_pref_bytes, 0);
    assert_int_equal(rsrc(CO_GFX11, false, 0, 0, 0xff0).inst_pref_bytes, 63 * 128);
    assert_int_equal(rsrc(CO_GFX12, false, 0, 0, 0xff0).inst_pref_bytes, 255 * 128);
}

/* One bit at a time: which flag it is, per family. Flags that share a bit must not both be set. */
static void flags_mean_what_the_family_says(void **state)
{
    struct co_rsrc r8, r9, r11, r12;
    (void)state;

#define ALL(BIT1, BIT2, BIT3)                                                                                          \
    (r8 = rsrc(CO_GFX8, false, BIT1, BIT2, BIT3), r9 = rsrc(CO_GFX9, false, BIT1, BIT2, BIT3),                         \
     r11 = rsrc(CO_GFX11, false, BIT1, BIT2, BIT3), r12 = rsrc(CO_GFX12, false, BIT1, BIT2, BIT3))
    ALL(1u << 21, 0, 0);
    assert_true(r8.dx10_clamp && r11.dx10_clamp && !r12.dx10_clamp && r12.wg_rr_en && !r11.wg_rr_en);
    ALL(1u << 23, 0, 0);
    assert_true(r8.ieee_mode && r11.ieee_mode && !r12.ieee_mode && r12.disable_perf && !r11.disable_perf);
    ALL(1u << 26, 0, 0);
    assert_true(!r8.fp16_ovfl && r9.fp16_ovfl && r12.fp16_ovfl);
    ALL(7u << 29, 0, 0);
    assert_true(!r9.wgp_mode && !r9.mem_ordered && r11.wgp_mode && r11.mem_ordered && r11.fwd_progress);
    ALL(1u << 20 | 1u << 22 | 1u << 24 | 1u << 25 | 2u << 10, 0, 0);
    assert_true(r8.priv && r8.debug_mode && r8.bulky && r8.cdbg_user && r8.priority == 2);
    ALL(1u << 12 | 2u << 14 | 3u << 16 | 1u << 18, 0, 0);
    assert_true(r8.float_round_32 == 1 && r8.float_round_16_64 == 2 && r8.float_denorm_32 == 3);
    assert_true(r8.float_denorm_16_64 == 1 && r8.float_mode == 0x79);
    ALL(0, 1u << 6, 0);
    assert_true(r8.enable_trap_handler && r11.enable_trap_handler && !r12.enable_trap_handler);
    assert_true(!r8.dynamic_vgprs && !r11.dynamic_vgprs && r12.dynamic_vgprs);
    ALL(0, 0, 1u << 17);
    assert_true(!r12.dynamic_vgprs); /* gfx1250's place */
    ALL(0, 1 | 13 << 1 | 1 << 7 | 1 << 9 | 2 << 11 | 33 << 15, 0);
    assert_true(r8.enable_private_segment && r8.user_sgpr_count == 13 && r8.enable_sgpr_workgroup_id_x);
    assert_true(!r8.enable_sgpr_workgroup_id_y && r8.enable_sgpr_workgroup_id_z && !r8.enable_sgpr_workgroup_info);
    assert_true(r8.vgpr_workitem_id == 2 && r8.granulated_lds == 33);
    ALL(0, 1u << 13 | 1u << 24 | 1u << 26 | 1u << 28 | 1u << 30, 0);
    assert_true(r8.exception_address_watch && !r8.exception_memory && r8.exception_fp_invalid);
    assert_true(!r8.exception_fp_denorm_src && r8.exception_fp_div_zero && !r8.exception_fp_overflow);
    assert_true(r8.exception_fp_underflow && !r8.exception_fp_inexact && r8.exception_int_div_zero);
    ALL(0, 0, 1u << 10 | 1u << 13 | 1u << 31);
    assert_true(r11.trap_on_start && !r11.trap_on_end && !r11.glg_en && r11.image_op);
    assert_true(!r12.trap_on_start && r12.glg_en && r12.image_op && !r8.image_op && !r9.image_op);
#undef ALL
}

/* Which of a wave's vector registers it may access, by family. */
static void registers_are_split_between_the_files(void **state)
{
    static const struct {
        enum co_family family;
        bool wave32;
        uint32_t rsrc1, rsrc3;
        unsigned arch, acc;
    } cases[] = {
        {CO_GFX8, false, 5, 0, 24, 0},    {CO_GFX9, false, 5, 5, 24, 0},
        {CO_GFX908, false, 7, 0, 32, 32}, {CO_GFX90A, false, 5, 5, 24, 24}, /* 48 in one file, AccVGPRs from 24 on */
        {CO_GFX90A, false, 1, 2, 12, 4},  {CO_GFX90A, false, 0, 63, 8, 0},  /* the accum offset lies past the end */
        {CO_GFX10, false, 3, 2, 32, 0}, /* 16 and 16 that the halves of a wave64 share */
        {CO_GFX10, true, 3, 2, 32, 0},  /* wave32 has none of those */
        {CO_GFX12, false, 3, 2, 16, 0},   {CO_GFX12, true, 3, 0, 32, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct co_rsrc r = rsrc(cases[i].family, cases[i].wave32, cases[i].rsrc1, 0, cases[i].rsrc3);
        if (r.arch_vgprs != cases[i].arch || r.acc_vgprs != cases[i].acc)
            fail_msg("case %zu: %u and %u, expected %u and %u", i, r.arch_vgprs, r.acc_vgprs, cases[i].arch,
                     cases[i].acc);
    }
}

/* The number of bits a descriptor of each family must leave zero, as counted with llvm-objdump 19 bit by bit
 * (less, on gfx10 and later, the 4 of GRANULATED_WAVEFRONT_SGPR_COUNT; see the header). */
static void reserved_bits_are_refused_by_name(void **state)
{
    static const struct {
        enum co_family family;
        unsigned bits;
    } expected[] = {{CO_GFX8, 287},  {CO_GFX9, 287},  {CO_GFX908, 287}, {CO_GFX90A, 280},
                    {CO_GFX10, 279}, {CO_GFX11, 270}, {CO_GFX12, 273}};
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        unsigned refused = 0;
        for (unsigned bit = 0; bit < 512; bit++) {
            uint8_t b[64] = {0};
            struct kernel_descriptor d;
            struct err e = {0};
            b[bit / 8] = (uint8_t)(1u << bit % 8);
            if (!kernel_descriptor_decode(&d, b, expected[i].family, &e))
                continue;
            refused++;
            assert_int_equal(e.code, ERR_FORMAT);
            assert_non_null(strstr(e.text, "must be zero"));
        }
        assert_int_equal(refused, expected[i].bits);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_is_read_from_its_place),
        cmocka_unit_test(register_counts_follow_the_granule_of_the_family),
        cmocka_unit_test(registers_are_split_between_the_files),
        cmocka_unit_test(flags_mean_what_the_family_says),
        cmocka_unit_test(reserved_bits_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
