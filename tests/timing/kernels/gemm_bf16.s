; C = A x B^T for matrices of bf16 with f32 accumulation: A is M x K, B is N x K, both with K contiguous, C is M x N of f32.
; M and N are multiples of 256, K of 64 and at least 128. A workgroup of four waves computes a tile of 256 x 256, each wave
; 128 x 128 of it in 256 accumulation registers, so that a SIMD holds one wave and hides nothing behind others: all that
; overlaps does so because the loop is pipelined by hand, as vendors' kernels of this tile size are.
;
; Form of the loads: buffer_load_dwordx4 into registers, then ds_write_b128. LDS holds one step of 64 elements of K, the
; registers the next one; fragments of a quarter of a step are read into one of two sets of registers while the matrix
; instructions take the other. All lanes of a store or a read of LDS that are served together meet different banks: chunk c
; (16 bytes) of row r lies at chunk c ^ (r & 7).
;
; Arguments: a, b, c (pointers), depth (K), row (elements of C in one), tiles (workgroups along M), pitch (elements from
; a row of A or B to the next).
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5

; v registers
	.set vA, 0           ; fragments: two sets of A (4 x 4) and B (4 x 4)
	.set vB, 32
	.set vG, 64          ; 16 loads of 4 registers on their way from memory
	.set vRA, 128        ; addresses in LDS of the fragments of A, by quarter
	.set vRB, 132
	.set vWR, 136        ; address in LDS that this lane stores to
	.set vGO, 137        ; offset of this lane's chunk in memory
	.set vC, 138
	.set vT, 139
; s registers
	.set sA, 8           ; buffer of A, advanced by a step
	.set sB, 12
	.set sC, 16
	.set sK, 20          ; steps left
	.set sR, 24          ; 24 to 31: i x 32 rows
	.set sN, 32          ; bytes in a row of C
	.set sT, 33
	.set sM, 34
	.set sH, 36

; Matrix instruction n of 32 on fragment set s: the first sixteen take the low half of each chunk, the others the high half.
.macro mfma s, n
	.set m_h, (\n) / 16
	.set m_i, (\n) % 4
	.set m_j, ((\n) / 4) % 4
	.set m_d, ((\n) % 16) * 16
	.set m_a, vA + (\s) * 16 + m_i * 4 + m_h * 2
	.set m_b, vB + (\s) * 16 + m_j * 4 + m_h * 2
	v_mfma_f32_32x32x8_bf16 a[m_d:m_d+15], v[m_a:m_a+1], v[m_b:m_b+1], a[m_d:m_d+15]
.endm

; Read n of 8 of the fragments of quarter q into set s.
.macro fragment s, q, n
	.if (\n) < 4
	.set m_a, vA + (\s) * 16 + (\n) * 4
	.set m_b, vRA + (\q)
	ds_read_b128 v[m_a:m_a+3], v[m_b] offset:(\n) * 4096
	.else
	.set m_a, vB + (\s) * 16 + ((\n) - 4) * 4
	.set m_b, vRB + (\q)
	ds_read_b128 v[m_a:m_a+3], v[m_b] offset:((\n) - 4) * 4096
	.endif
.endm

; Load n of 16 of a step from memory, and the store of what it brought.
.macro fetch n
	.set m_g, vG + (\n) * 4
	.set m_r, sR + (\n) % 8
	.if (\n) < 8
	buffer_load_dwordx4 v[m_g:m_g+3], v[vGO], s[sA:sA+3], s[m_r] offen
	.else
	buffer_load_dwordx4 v[m_g:m_g+3], v[vGO], s[sB:sB+3], s[m_r] offen
	.endif
.endm

.macro put n
	.set m_g, vG + (\n) * 4
	ds_write_b128 v[vWR], v[m_g:m_g+3] offset:(\n) * 4096
.endm

; To the next step of K. The last step loads itself again, which nobody reads.
.macro advance
	s_sub_u32 s[sK], s[sK], 1
	s_cmp_gt_u32 s[sK], 1
	s_cselect_b32 s[sT], 128, 0
	s_add_u32 s[sA], s[sA], s[sT]
	s_addc_u32 s[sA+1], s[sA+1], 0
	s_add_u32 s[sB], s[sB], s[sT]
	s_addc_u32 s[sB+1], s[sB+1], 0
.endm

	.text
	.globl gemm_bf16
	.p2align 8
	.type gemm_bf16,@function
gemm_bf16:
	s_load_dwordx8 s[40:47], s[0:1], 0x0       ; a, b, c, k, n
	s_load_dwordx2 s[sM:sM+1], s[0:1], 0x20    ; tiles, pitch
	s_waitcnt lgkmcnt(0)
	; tile of this workgroup: m fastest
	v_cvt_f32_u32_e32 v1, s[sM]
	v_rcp_f32_e32 v1, v1
	v_cvt_f32_u32_e32 v2, s2
	v_add_f32_e32 v2, 0.5, v2
	v_mul_f32_e32 v1, v1, v2
	v_cvt_u32_f32_e32 v1, v1
	s_nop 0
	v_readfirstlane_b32 s5, v1                 ; n tile
	s_mul_i32 s6, s5, s[sM]
	s_sub_u32 s4, s2, s6                       ; m tile
	s_lshl_b32 s7, s[sM+1], 1                  ; bytes in a row of A and B
	s_lshl_b32 s[sN], s47, 2
	s_lshr_b32 s[sK], s46, 6
	s_mov_b32 s[sA+2], 0xffffffff
	s_mov_b32 s[sA+3], 0x00020000
	s_mov_b32 s[sB+2], 0xffffffff
	s_mov_b32 s[sB+3], 0x00020000
	s_mov_b32 s[sC+2], 0xffffffff
	s_mov_b32 s[sC+3], 0x00020000
	s_lshl_b32 s6, s7, 8                       ; bytes of 256 rows
	s_mul_i32 s[sT], s4, s6
	s_mul_hi_u32 s[sH], s4, s6
	s_add_u32 s[sA], s40, s[sT]
	s_addc_u32 s[sA+1], s41, s[sH]
	s_mul_i32 s[sT], s5, s6
	s_mul_hi_u32 s[sH], s5, s6
	s_add_u32 s[sB], s42, s[sT]
	s_addc_u32 s[sB+1], s43, s[sH]
	s_lshl_b32 s6, s[sN], 8
	s_mul_i32 s[sT], s4, s6
	s_mul_hi_u32 s[sH], s4, s6
	s_add_u32 s[sC], s44, s[sT]
	s_addc_u32 s[sC+1], s45, s[sH]
	s_lshl_b32 s6, s5, 10
	s_add_u32 s[sC], s[sC], s6
	s_addc_u32 s[sC+1], s[sC+1], 0
	s_mov_b32 s[sR], 0
	s_lshl_b32 s6, s7, 5                       ; bytes of 32 rows
.irp i, 1,2,3,4,5,6,7
	s_add_u32 s[sR+\i], s[sR+\i-1], s6
.endr
	; where this lane loads from and stores to: row t/8, chunk t%8
	v_and_b32_e32 v0, 0xff, v0
	v_lshrrev_b32_e32 v1, 3, v0                ; row
	v_and_b32_e32 v2, 7, v0                    ; chunk
	v_mul_lo_u32 v3, v1, s7
	v_lshl_add_u32 v[vGO], v2, 4, v3
	v_and_b32_e32 v3, 7, v1
	v_xor_b32_e32 v3, v3, v2
	v_lshlrev_b32_e32 v4, 7, v1
	v_lshl_add_u32 v[vWR], v3, 4, v4
	; fragments: row l%32 of the wave's half, chunk 2q + l/32
	v_and_b32_e32 v1, 63, v0                   ; lane
	v_lshrrev_b32_e32 v2, 6, v0                ; wave
	v_and_b32_e32 v3, 31, v1
	v_lshrrev_b32_e32 v4, 5, v1                ; half
	v_and_b32_e32 v5, 7, v1
	v_and_b32_e32 v6, 1, v2                    ; wave's rows
	v_lshrrev_b32_e32 v7, 1, v2                ; wave's columns
	v_lshlrev_b32_e32 v8, 7, v6
	v_add_lshl_u32 v8, v8, v3, 7
	v_lshlrev_b32_e32 v9, 7, v7
	v_add_lshl_u32 v9, v9, v3, 7
	v_add_u32_e32 v9, 0x8000, v9
.irp q, 0,1,2,3
	v_or_b32_e32 v10, 2 * \q, v4
	v_xor_b32_e32 v10, v10, v5
	v_lshl_add_u32 v[vRA+\q], v10, 4, v8
	v_lshl_add_u32 v[vRB+\q], v10, 4, v9
.endr
	; C: rows 128 wave + 4 half, column 128 wave + l%32
	v_lshlrev_b32_e32 v10, 7, v6
	v_lshl_add_u32 v10, v4, 2, v10
	v_mul_lo_u32 v10, v10, s[sN]
	v_lshlrev_b32_e32 v11, 7, v7
	v_add_lshl_u32 v11, v11, v3, 2
	v_add_u32_e32 v[vC], v10, v11

.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	fetch \n
.endr
	.set m_i, 0
.rept 256
	v_accvgpr_write_b32 a[m_i], 0
	.set m_i, m_i + 1
.endr
	s_add_u32 s[sK], s[sK], 1                  ; the step that is loaded ahead of the loop
	advance
	s_waitcnt vmcnt(0)
.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	put \n
.endr
	s_waitcnt lgkmcnt(0)
	s_barrier
.irp n, 0,1,2,3,4,5,6,7
	fragment 0, 0, \n
.endr
.irp n, 0,1,2
	fetch \n
.endr

.Lloop:
	; Three quarters: the fragments of the next quarter first, and one load of the next step for every seventh matrix
	; instruction. The loads begin in the quarter before (t_load 0 to 2), so that they come as evenly as they can.
	.set t_load, 3
	.set t_at, 6
.irp q, 0,1,2
	s_waitcnt lgkmcnt(0)
	.set t_n, 0
	.rept 32
	mfma (\q % 2), t_n
	.if t_n % 2 == 0 && t_n < 16
	fragment ((\q + 1) % 2), (\q + 1), (t_n / 2)
	.endif
	.if t_at % 7 == 0 && t_load < 16
	fetch t_load
	.set t_load, t_load + 1
	.endif
	.set t_n, t_n + 1
	.set t_at, t_at + 1
	.endr
.endr
	; fourth: every wave has read its last fragments, LDS takes the next step
	s_waitcnt lgkmcnt(0)
	s_barrier
	advance
	.set t_n, 0
.rept 16
	mfma 1, t_n
	s_waitcnt vmcnt(15 - t_n)
	put t_n
	.set t_n, t_n + 1
.endr
	mfma 1, 16
	s_waitcnt lgkmcnt(0)
	s_barrier
	.set t_n, 0
.rept 8
	mfma 1, (t_n + 17)
	fragment 0, 0, t_n
	.if t_n % 7 == 0
	fetch t_n / 7
	.endif
	.set t_n, t_n + 1
.endr
.irp n, 25,26,27,28,29,30,31
	mfma 1, \n
.endr
	fetch 2
	s_cmp_lg_u32 s[sK], 0
	s_cbranch_scc1 .Lloop

	s_waitcnt vmcnt(0) lgkmcnt(0)
	; C from the accumulators: register r of block (i, j) is row 32 i + 8 (r / 4) + r % 4
	s_nop 15
	s_nop 3
	s_mov_b32 s6, 0
	.set m_i, 0
.rept 4
	.set m_r, 0
.rept 16
	.set m_j, 0
.rept 4
	buffer_store_dword a[(m_j * 4 + m_i) * 16 + m_r], v[vC], s[sC:sC+3], s6 offen offset:m_j * 128
	.set m_j, m_j + 1
.endr
	.set m_r, m_r + 1
	.if m_r % 4
	s_add_u32 s6, s6, s[sN]
	.else
	s_mul_i32 s[sT], s[sN], 5                  ; over the four rows of the other half
	s_add_u32 s6, s6, s[sT]
	.endif
.endr
	.set m_i, m_i + 1
.endr
	s_endpgm
.Lend:
	.size gemm_bf16, .Lend-gemm_bf16

	.rodata
	.p2align 6
	.amdhsa_kernel gemm_bf16
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_kernarg_size 40
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_group_segment_fixed_size 65536
		.amdhsa_next_free_vgpr 512
		.amdhsa_accum_offset 256
		.amdhsa_next_free_sgpr 48
		.amdhsa_reserve_vcc 1
		.amdhsa_float_denorm_mode_16_64 3
	.end_amdhsa_kernel

	.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: gemm_bf16
    .symbol: gemm_bf16.kd
    .kernarg_segment_size: 40
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 65536
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 54
    .vgpr_count: 512
    .agpr_count: 256
    .max_flat_workgroup_size: 256
    .args:
      - .name: a
        .size: 8
        .offset: 0
        .value_kind: global_buffer
        .address_space: global
      - .name: b
        .size: 8
        .offset: 8
        .value_kind: global_buffer
        .address_space: global
      - .name: c
        .size: 8
        .offset: 16
        .value_kind: global_buffer
        .address_space: global
      - .name: depth
        .size: 4
        .offset: 24
        .value_kind: by_value
      - .name: row
        .size: 4
        .offset: 28
        .value_kind: by_value
      - .name: tiles
        .size: 4
        .offset: 32
        .value_kind: by_value
      - .name: pitch
        .size: 4
        .offset: 36
        .value_kind: by_value
...
	.end_amdgpu_metadata
