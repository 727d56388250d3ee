// Kernels for tests/hsa/raw, assembled for gfx90a and gfx1201. Each takes a pointer, a pointer and a number (20 bytes),
// in workgroups of 64 work-items; racy of 128.
//   scale   out[i] = in[i] * number + i
//   spin    *out = 0, until *in == number; then *out = number
//   stray   *in = number
//   early   *out = *in, for which it does not wait
//   racy    both of its waves write one dword of LDS

.if .amdgcn.gfx_generation_number >= 12
    .macro arguments
    s_load_b128 s[4:7], s[0:1], 0x0
    s_load_b32 s8, s[0:1], 0x10
    v_and_b32_e32 v0, 0x3ff, v0
    v_mov_b32_e32 v5, ttmp9
    v_mov_b32_e32 v4, 0
    s_wait_kmcnt 0x0
    .endm
    .macro load to, at, base
    global_load_b32 \to, \at, \base scope:SCOPE_SYS
    s_wait_loadcnt 0x0
    .endm
    .macro store at, what, base
    global_store_b32 \at, \what, \base scope:SCOPE_SYS
    .endm
    .macro plus to, a, b
    v_add_nc_u32_e32 \to, \a, \b
    .endm
    .macro differs
    v_cmp_ne_u32_e32 vcc_lo, s8, v3
    s_cbranch_vccnz .Lagain
    .endm
.else
    .macro arguments
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    s_load_dword s8, s[0:1], 0x10
    v_and_b32_e32 v0, 0x3ff, v0
    v_mov_b32_e32 v5, s2
    v_mov_b32_e32 v4, 0
    s_waitcnt lgkmcnt(0)
    .endm
    .macro load to, at, base
    global_load_dword \to, \at, \base glc slc
    s_waitcnt vmcnt(0)
    .endm
    .macro store at, what, base
    global_store_dword \at, \what, \base glc slc
    .endm
    .macro plus to, a, b
    v_add_u32_e32 \to, \a, \b
    .endm
    .macro differs
    v_cmp_ne_u32_e32 vcc, s8, v3
    s_cbranch_vccnz .Lagain
    .endm
.endif

.text
.p2align 8
scale:
    arguments
    v_lshl_add_u32 v1, v5, 6, v0
    v_lshlrev_b32_e32 v2, 2, v1
    load v3, v2, s[4:5]
    v_mul_lo_u32 v3, v3, s8
    plus v3, v3, v1
    store v2, v3, s[6:7]
    s_endpgm

.p2align 8
spin:
    arguments
.Lagain:
    s_sleep 1
    load v3, v4, s[4:5]
    store v4, v4, s[6:7]
    differs
    store v4, v3, s[6:7]
    s_endpgm

.p2align 8
stray:
    arguments
    v_mov_b32_e32 v3, s8
    store v4, v3, s[4:5]
    s_endpgm

.p2align 8
early:
    arguments
.if .amdgcn.gfx_generation_number >= 12
    global_load_b32 v3, v4, s[4:5]
.else
    global_load_dword v3, v4, s[4:5]
.endif
    store v4, v3, s[6:7]
    s_endpgm

.p2align 8
racy:
    arguments
.if .amdgcn.gfx_generation_number >= 12
    ds_store_b32 v4, v0
.else
    ds_write_b32 v4, v0
.endif
    s_endpgm

.if .amdgcn.gfx_generation_number >= 12
    .macro kernel name, lds=0
    .globl \name
    .type \name,@function
    .amdhsa_kernel \name
        .amdhsa_group_segment_fixed_size \lds
        .amdhsa_kernarg_size 20
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_next_free_vgpr 8
        .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel
    .endm
.else
    .macro kernel name, lds=0
    .globl \name
    .type \name,@function
    .amdhsa_kernel \name
        .amdhsa_group_segment_fixed_size \lds
        .amdhsa_kernarg_size 20
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_next_free_vgpr 8
        .amdhsa_next_free_sgpr 16
        .amdhsa_accum_offset 8
    .end_amdhsa_kernel
    .endm
.endif

.rodata
.p2align 6
kernel scale
kernel spin
kernel stray
kernel early
kernel racy, 4

.if .amdgcn.gfx_generation_number >= 12
.amdgpu_metadata
---
amdhsa.version: [ 1, 1 ]
amdhsa.kernels:
  - { .name: scale, .symbol: scale.kd, .kernarg_segment_size: 20, .group_segment_fixed_size: 0,
      .private_segment_fixed_size: 0, .kernarg_segment_align: 8, .wavefront_size: 32, .sgpr_count: 16,
      .vgpr_count: 8, .max_flat_workgroup_size: 64 }
  - { .name: spin, .symbol: spin.kd, .kernarg_segment_size: 20, .group_segment_fixed_size: 0,
      .private_segment_fixed_size: 0, .kernarg_segment_align: 8, .wavefront_size: 32, .sgpr_count: 16,
      .vgpr_count: 8, .max_flat_workgroup_size: 64 }
  - { .name: stray, .symbol: stray.kd, .kernarg_segment_size: 20, .group_segment_fixed_size: 0,
      .private_segment_fixed_size: 0, .kernarg_segment_align: 8, .wavefront_size: 32, .sgpr_count: 16,
      .vgpr_count: 8, .max_flat_workgroup_size: 64 }
  - { .name: racy, .symbol: racy.kd, .kernarg_segment_size: 20, .group_segment_fixed_size: 4,
      .private_segment_fixed_size: 0, .kernarg_segment_align: 8, .wavefront_size: 32, .sgpr_count: 16,
      .vgpr_count: 8, .max_flat_workgroup_size: 128 }
  - { .name: early, .symbol: early.kd, .kernarg_segment_size: 20, .group_segment_fixed_size: 0,
      .private_segment_fixed_size: 0, .kernarg_segment_align: 8, .wavefront_size: 32, .sgpr_count: 16,
      .vgpr_count: 8, .max_flat_workgroup_size: 64 }
...
.end_amdgpu_metadata
.else
.amdgpu_metadata
---
amdhsa.version: [ 1, 1 ]
amdhsa.kernels:
  - { .name: scale, .symbol: scale.kd, .kernarg_segment_size: 20, .group_segment_fixed_size: 0,
      .private_segment_fixed_size: 0, .kernarg_segment_align: 8, .wavefront_size: 64, .sgpr_count: 16,
      .vgpr_count: 8, .max_flat_workgroup_size: 64 }
  - { .name: spin, .symbol: spin.kd, .kernarg_segment_size: 20, .group_segment_fixed_size: 0,
      .private_segment_fixed_size: 0, .kernarg_segment_align: 8, .wavefront_size: 64, .sgpr_count: 16,
      .vgpr_count: 8, .max_flat_workgroup_size: 64 }
  - { .name: stray, .symbol: stray.kd, .kernarg_segment_size: 20, .group_segment_fixed_size: 0,
      .private_segment_fixed_size: 0, .kernarg_segment_align: 8, .wavefront_size: 64, .sgpr_count: 16,
      .vgpr_count: 8, .max_flat_workgroup_size: 64 }
  - { .name: racy, .symbol: racy.kd, .kernarg_segment_size: 20, .group_segment_fixed_size: 4,
      .private_segment_fixed_size: 0, .kernarg_segment_align: 8, .wavefront_size: 64, .sgpr_count: 16,
      .vgpr_count: 8, .max_flat_workgroup_size: 128 }
...
.end_amdgpu_metadata
.endif
