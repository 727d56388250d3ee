; The matrix product of gemm_bf16.s, its tile and its arguments, with loads that go to LDS and never through registers:
; buffer_load_dword ... lds. LDS holds two steps of 32 elements of K, of which one is loaded while the other is read, so
; that a load has at most 2048 cycles to come.
;
; A load of a wave fills 256 bytes of LDS, four rows of 64. Which lane loads which dword decides what lies where: chunk c
; (16 bytes) of row r lies at chunk c ^ (r / 2 & 3), and lanes that LDS serves together meet different banks. The offset of
; the instruction counts for both addresses, so the offset of the row is less by as much.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5

; v registers
	.set vA, 0           ; fragments: two sets of A (4 x 4) and B (4 x 4)
	.set vB, 32
	.set vRA, 128        ; addresses in LDS of the fragments of A, by quarter
	.set vRB, 132
	.set vGO, 136        ; offset of this lane's dword in memory, in rows of even and of odd fours
	.set vC, 138
	.set vT, 139
; s registers
	.set sA, 8           ; buffer of A, advanced by a step
	.set sB, 12
	.set sC, 16
	.set sK, 20          ; steps left
	.set sN, 24          ; bytes in a row of C
	.set sT, 25
	.set sM, 26
	.set sH, 28
	.set sL, 29          ; where this wave's loads go in LDS
	.set sR, 48          ; 48 to 63: i x 4 rows less 256 i

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

; Read n of 8 of the fragments of half q of the step in buffer b, into set s.
.macro fragment s, b, q, n
	.if (\n) < 4
	.set m_a, vA + (\s) * 16 + (\n) * 4
	.set m_b, vRA + (\q)
	ds_read_b128 v[m_a:m_a+3], v[m_b] offset:(\b) * 32768 + (\n) * 2048
	.else
	.set m_a, vB + (\s) * 16 + ((\n) - 4) * 4
	.set m_b, vRB + (\q)
	ds_read_b128 v[m_a:m_a+3], v[m_b] offset:(\b) * 32768 + ((\n) - 4) * 2048
	.endif
.endm

; Load n of 32 of a step into buffer b. Its M0 is written an instruction or more before.
.macro fetch n
	.set m_g, vGO + (\n) % 2
	.set m_r, sR + (\n) % 16
	.if (\n) < 16
	buffer_load_dword v[m_g], s[sA:sA+3], s[m_r] offen offset:((\n) % 16) * 256 lds
	.else
	buffer_load_dword v[m_g], s[sB:sB+3], s[m_r] offen offset:((\n) % 16) * 256 lds
	.endif
.endm

.macro aim n, b
	.if (\n) == 0
	s_add_u32 m0, s[sL], (\b) * 32768
	.elseif (\n) == 16
	s_add_u32 m0, s[sL], (\b) * 32768 + 16384
	.endif
.endm

; To the next step of K. The last step loads itself again, which nobody reads.
.macro advance
	s_sub_u32 s[sK], s[sK], 1
	s_cmp_gt_u32 s[sK], 1
	s_cselect_b32 s[sT], 64, 0
	s_add_u32 s[sA], s[sA], s[sT]
	s_addc_u32 s[sA+1], s[sA+1], 0
	s_add_u32 s[sB], s[sB], s[sT]
	s_addc_u32 s[sB+1], s[sB+1], 0
.endm

	.text
	.globl gemm_bf16_lds
	.p2align 8
	.type gemm_bf16_lds,@function
gemm_bf16_lds:
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
	s_lshr_b32 s[sK], s46, 5
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
	s_lshl_b32 s6, s7, 2                       ; bytes of four rows, less what the instruction's offset adds
	s_sub_u32 s6, s6, 256
.irp i, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	s_add_u32 s[sR+\i], s[sR+\i-1], s6
.endr
	; what this lane loads: row 64 wave + l/16, dword l%4 of the chunk that belongs at chunk l/4%4
	v_and_b32_e32 v0, 0xff, v0
	v_and_b32_e32 v1, 63, v0                   ; lane
	v_lshrrev_b32_e32 v2, 6, v0                ; wave
	v_lshrrev_b32_e32 v3, 4, v1
	v_lshl_add_u32 v3, v2, 6, v3               ; row
	v_mul_lo_u32 v4, v3, s7
	v_and_b32_e32 v5, 3, v1
	v_lshl_add_u32 v4, v5, 2, v4
	v_bfe_u32 v5, v1, 2, 2
	v_lshrrev_b32_e32 v6, 5, v1                ; r / 2 & 3 in even fours of rows; two more in odd ones
	v_xor_b32_e32 v5, v5, v6
	v_lshl_add_u32 v[vGO], v5, 4, v4
	v_xor_b32_e32 v5, 2, v5
	v_lshl_add_u32 v[vGO+1], v5, 4, v4
	v_readfirstlane_b32 s[sL], v2
	s_lshl_b32 s[sL], s[sL], 12
	; fragments: row l%32 of the wave's half, chunk 2q + l/32
	v_and_b32_e32 v3, 31, v1
	v_lshrrev_b32_e32 v4, 5, v1                ; half
	v_bfe_u32 v5, v1, 1, 2                     ; r / 2 & 3
	v_and_b32_e32 v6, 1, v2                    ; wave's rows
	v_lshrrev_b32_e32 v7, 1, v2                ; wave's columns
	v_lshlrev_b32_e32 v8, 7, v6
	v_add_lshl_u32 v8, v8, v3, 6
	v_lshlrev_b32_e32 v9, 7, v7
	v_add_lshl_u32 v9, v9, v3, 6
	v_add_u32_e32 v9, 0x4000, v9
.irp q, 0,1
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

	.set t_n, 0
.rept 32
	aim t_n, 0
	s_nop 0
	fetch t_n
	.set t_n, t_n + 1
.endr
	.set m_i, 0
.rept 256
	v_accvgpr_write_b32 a[m_i], 0
	.set m_i, m_i + 1
.endr
	s_add_u32 s[sK], s[sK], 1                  ; the step that is loaded ahead of the loop
	advance
	s_waitcnt vmcnt(0)
	s_barrier
.irp n, 0,1,2,3,4,5,6,7
	fragment 0, 0, 0, \n
.endr
	.set t_n, 0
.rept 10
	aim t_n, 1
	s_nop 0
	fetch t_n
	.set t_n, t_n + 1
.endr

.Lloop:
.irp b, 0,1
	; first half: the second half's fragments, and the rest of the next step's loads
	s_waitcnt lgkmcnt(0)
	.set t_n, 0
	.rept 32
	aim (t_n + 10), (1 - \b)
	mfma 0, t_n
	.if t_n % 2 == 0 && t_n < 16
	fragment 1, \b, 1, (t_n / 2)
	.endif
	.if t_n < 22
	fetch (t_n + 10)
	.endif
	.set t_n, t_n + 1
	.endr
	; second half; when every wave's loads have come and every wave has read its last fragments, the buffers change
	s_waitcnt lgkmcnt(0)
	advance
	.set t_n, 0
	.rept 32
	.if t_n == 20
	s_waitcnt vmcnt(0)
	s_barrier
	.endif
	.if t_n >= 22
	aim (t_n - 22), \b
	.endif
	mfma 1, t_n
	.if t_n >= 20 && t_n < 28
	fragment 0, (1 - \b), 0, (t_n - 20)
	.endif
	.if t_n >= 22
	fetch (t_n - 22)
	.endif
	.set t_n, t_n + 1
	.endr
.endr
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
	.size gemm_bf16_lds, .Lend-gemm_bf16_lds

	.rodata
	.p2align 6
	.amdhsa_kernel gemm_bf16_lds
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_kernarg_size 40
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_group_segment_fixed_size 65536
		.amdhsa_next_free_vgpr 512
		.amdhsa_accum_offset 256
		.amdhsa_next_free_sgpr 64
		.amdhsa_reserve_vcc 1
		.amdhsa_float_denorm_mode_16_64 3
	.end_amdhsa_kernel

	.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: gemm_bf16_lds
    .symbol: gemm_bf16_lds.kd
    .kernarg_segment_size: 40
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 65536
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 70
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
