; The matrix product of gemm_bf16.inc with loads through registers: buffer_load_dwordx4, then ds_write_b128. LDS holds one
; step of 64 elements of K, the registers the next one; fragments of a quarter of a step are read into one of two sets of
; registers while the matrix instructions take the other. All lanes of a store or a read of LDS that are served together meet
; different banks: chunk c (16 bytes) of row r lies at chunk c ^ (r & 7).
	.include "tests/timing/kernels/gemm_bf16.inc"

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

	.text
	.globl gemm_bf16
	.p2align 8
	.type gemm_bf16,@function
gemm_bf16:
	begin 6
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
	fragment_rows 7, 0x8000
.irp q, 0,1,2,3
	v_or_b32_e32 v10, 2 * \q, v4
	v_xor_b32_e32 v10, v10, v5
	v_lshl_add_u32 v[vRA+\q], v10, 4, v8
	v_lshl_add_u32 v[vRB+\q], v10, 4, v9
.endr
	place_c

.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	fetch \n
.endr
	clear_accumulators
	s_add_u32 s[sK], s[sK], 1                  ; the step that is loaded ahead of the loop
	advance 128
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
	advance 128
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

	finish
	describe gemm_bf16, 48, 54
