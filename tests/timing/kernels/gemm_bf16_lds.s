; The matrix product of gemm_bf16.inc with loads that go to LDS and never through registers: buffer_load_dword ... lds. LDS
; holds two steps of 32 elements of K, of which one is loaded while the other is read, so that a load has at most 2048
; cycles to come.
;
; A load of a wave fills 256 bytes of LDS, four rows of 64. Which lane loads which dword decides what lies where: chunk c
; (16 bytes) of row r lies at chunk c ^ (r / 2 & 3), and lanes that LDS serves together meet different banks. The offset of
; the instruction counts for both addresses, so the offset of the row is less by as much.
	.include "tests/timing/kernels/gemm_bf16.inc"

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

	.text
	.globl gemm_bf16_lds
	.p2align 8
	.type gemm_bf16_lds,@function
gemm_bf16_lds:
	begin 5
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
	fragment_rows 6, 0x4000
.irp q, 0,1
	v_or_b32_e32 v10, 2 * \q, v4
	v_xor_b32_e32 v10, v10, v5
	v_lshl_add_u32 v[vRA+\q], v10, 4, v8
	v_lshl_add_u32 v[vRB+\q], v10, 4, v9
.endr
	place_c

	.set t_n, 0
.rept 32
	aim t_n, 0
	s_nop 0
	fetch t_n
	.set t_n, t_n + 1
.endr
	clear_accumulators
	s_add_u32 s[sK], s[sK], 1                  ; the step that is loaded ahead of the loop
	advance 64
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
	advance 64
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

	finish
	describe gemm_bf16_lds, 64, 70
