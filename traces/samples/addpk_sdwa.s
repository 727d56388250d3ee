; out[i] = a[i] + b[i] on dwords that each hold two halves: gfx8 has no packed add, but SDWA picks and places the words.
; v_add_f16 writes the low sum (and clears the upper word), the SDWA twin puts the high sum above it.
; Arguments: a, b, out (pointers), 64 work-items per workgroup, two dwords per work-item.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.amdhsa_code_object_version 5
	.text
	.globl	addpk_sdwa
	.p2align 8
	.type	addpk_sdwa,@function
addpk_sdwa:
	s_load_dwordx4 s[0:3], s[4:5], 0x0
	s_load_dwordx2 s[8:9], s[4:5], 0x10
	s_lshl_b32 s7, s6, 9                    ; 64 work-items of 8 bytes
	v_lshlrev_b32_e32 v0, 3, v0
	v_add_u32_e32 v0, vcc, s7, v0
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v2, s1
	v_add_u32_e32 v1, vcc, s0, v0
	v_addc_u32_e32 v2, vcc, 0, v2, vcc
	v_mov_b32_e32 v4, s3
	v_add_u32_e32 v3, vcc, s2, v0
	v_addc_u32_e32 v4, vcc, 0, v4, vcc
	v_mov_b32_e32 v6, s9
	v_add_u32_e32 v5, vcc, s8, v0
	v_addc_u32_e32 v6, vcc, 0, v6, vcc
	flat_load_dwordx2 v[7:8], v[1:2]
	flat_load_dwordx2 v[9:10], v[3:4]
	s_waitcnt vmcnt(0) lgkmcnt(0)
	; first dword: low sum by the plain form
	v_add_f16_e32 v11, v7, v9
	v_add_f16_sdwa v11, v7, v9 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_1
	; second dword: low sum by SDWA too, padded with zeros
	v_add_f16_sdwa v12, v8, v10 dst_sel:WORD_0 dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:WORD_0
	v_add_f16_sdwa v12, v8, v10 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_1
	flat_store_dwordx2 v[5:6], v[11:12]
	s_endpgm
.Lend:
	.size	addpk_sdwa, .Lend-addpk_sdwa

	.rodata
	.p2align 6
	.amdhsa_kernel addpk_sdwa
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_kernarg_size 24
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 13
		.amdhsa_next_free_sgpr 10
		.amdhsa_reserve_vcc 1
		.amdhsa_float_denorm_mode_16_64 3
	.end_amdhsa_kernel

	.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx803
amdhsa.kernels:
  - .name: addpk_sdwa
    .symbol: addpk_sdwa.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 13
    .max_flat_workgroup_size: 64
    .args:
      - { .name: a, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global, .access: read_only }
      - { .name: b, .size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global, .access: read_only }
      - { .name: out, .size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global, .access: write_only }
...
	.end_amdgpu_metadata
