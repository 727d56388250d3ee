; The instructions that make accuracy measures. A line "name: target target ..." begins a snippet; groups of targets:
; gcn = gfx803 vega, vega = gfx900 gfx906 cdna, cdna = gfx908 gfx90a gfx942, rdna = gfx1010 gfx1030 new,
; new = gfx1100 gfx12, gfx12 = gfx1200 gfx1201. A name may come again for other targets. accuracy/assemble.py makes
; words.inc of it, with llvm-mc of LLVM 19; nothing of that is needed to build or to run.
;
; Registers: s[0:1] the data, s2 passes of the loop, s3..s15 parameters, s16 number of the workgroup, v0 work-item.

; ---- frame ----
setup: gcn gfx1010 gfx1030 gfx1100
	s_mov_b32 m0, -1
setup: gfx12
	s_mov_b32 s16, ttmp9
loop_end: gcn rdna
	s_sub_u32 s2, s2, 1
	s_cmp_lg_u32 s2, 0
	s_cbranch_scc1 0
end: gcn rdna
	s_endpgm
nop: gcn rdna
	s_nop 0
wait: gcn
	s_waitcnt vmcnt(0) lgkmcnt(0)
wait: gfx1010 gfx1030 gfx1100
	s_waitcnt vmcnt(0) lgkmcnt(0)
	s_waitcnt_vscnt null, 0x0
wait: gfx12
	s_wait_loadcnt 0x0
	s_wait_storecnt 0x0
	s_wait_dscnt 0x0
	s_wait_kmcnt 0x0
wait_lds: gcn gfx1010 gfx1030 gfx1100
	s_waitcnt lgkmcnt(0)
wait_lds: gfx12
	s_wait_dscnt 0x0
wait_lds_and_count: gfx942
	s_waitcnt lgkmcnt(0)
	v_sub_u32 v2, v2, 1
	v_cmp_gt_u32 vcc, v2, 0
wait_load: gcn gfx1010 gfx1030 gfx1100
	s_waitcnt vmcnt(0)
wait_load: gfx12
	s_wait_loadcnt 0x0
wait_s: gcn gfx1010 gfx1030 gfx1100
	s_waitcnt lgkmcnt(0)
wait_s: gfx12
	s_wait_kmcnt 0x0
one_lane: gcn
	s_mov_b64 exec, 1
one_lane: rdna
	s_mov_b32 exec_lo, 1

; ---- vector ALU ----
v_add_f32: gcn rdna
	v_add_f32 v1, v2, v3
v_add_f32_dependent: gcn rdna
	v_add_f32 v1, v1, v3
v_add_f32_delayed: new
	s_delay_alu instid0(VALU_DEP_1)
	v_add_f32 v1, v1, v3
vgpr_bank_operands: gfx12
	v_fma_f32 v1, v4, v8, v12
	s_wait_alu 0xfff
	v_fma_f32 v1, v4, v8, v12
	v_fma_f32 v1, v4, v8, v12
	v_fma_f32 v1, v4, v8, v12
	s_wait_alu 0xfff
; v24 is read again right behind its reading, beside v28; v16 takes the place of v8, which has just been used
vgpr_banks: gfx12
	s_wait_alu 0xfff
	v_mul_f32 v1, v24, v5
	v_mul_f32 v2, v24, v28
	s_wait_alu 0xfff
	v_mul_f32 v1, v4, v8
	v_mul_f32 v2, v12, v20
	v_mul_f32 v3, v16, v5
	s_wait_alu 0xfff
v_add_f32_e64: gcn
	v_add_f32_e64 v1, -v2, v3
v_add_f16: gcn rdna
	v_add_f16 v1, v2, v3
v_pk_fma_f16: vega rdna
	v_pk_fma_f16 v1, v2, v3, v4
v_cvt_f32_i32: gcn rdna
	v_cvt_f32_i32 v1, v2
v_fma_f32: gcn rdna
	v_fma_f32 v1, v2, v3, v4
v_rcp_f32: gcn rdna
	v_rcp_f32 v1, v2
v_rsq_f32: gcn rdna
	v_rsq_f32 v1, v2
v_sqrt_f32: gcn rdna
	v_sqrt_f32 v1, v2
v_exp_f32: gcn rdna
	v_exp_f32 v1, v2
v_log_f32: gcn rdna
	v_log_f32 v1, v2
v_sin_f32: gcn rdna
	v_sin_f32 v1, v2
v_rcp_f16: gcn rdna
	v_rcp_f16 v1, v2
v_rcp_f32_dependent: gcn rdna
	v_rcp_f32 v1, v1
v_mul_lo_u32: gcn rdna
	v_mul_lo_u32 v1, v2, v3
v_mul_hi_u32: gcn rdna
	v_mul_hi_u32 v1, v2, v3
v_mul_lo_u32_dependent: rdna
	v_mul_lo_u32 v1, v1, v3
v_mad_u64_u32: gcn
	v_mad_u64_u32 v[4:5], vcc, v2, v3, v[6:7]
v_mad_u64_u32: gfx1010 gfx1030 new
	v_mad_u64_u32 v[4:5], vcc_lo, v2, v3, v[6:7]
v_qsad_pk_u16_u8: gcn
	v_qsad_pk_u16_u8 v[4:5], v[2:3], v6, v[8:9]
v_swap_b32: vega rdna
	v_swap_b32 v1, v2
v_lshlrev_b64: gcn rdna
	v_lshlrev_b64 v[4:5], 2, v[6:7]
v_lshlrev_b64_dependent: rdna
	v_lshlrev_b64 v[4:5], 2, v[4:5]
v_add_f64: gcn rdna
	v_add_f64 v[4:5], v[6:7], v[8:9]
v_mul_f64: gcn rdna
	v_mul_f64 v[4:5], v[6:7], v[8:9]
v_fma_f64: gcn rdna
	v_fma_f64 v[4:5], v[6:7], v[8:9], v[10:11]
v_fma_f64_dependent: rdna
	v_fma_f64 v[4:5], v[4:5], v[8:9], v[10:11]
v_rcp_f64: gcn rdna
	v_rcp_f64 v[4:5], v[6:7]
v_sqrt_f64: gcn rdna
	v_sqrt_f64 v[4:5], v[6:7]
v_rcp_f64_dependent: rdna
	v_rcp_f64 v[4:5], v[4:5]
v_s_rcp_f32: gfx12
	v_s_rcp_f32 s20, s21
v_s_rcp_f32_dependent: gfx12
	v_s_rcp_f32 s20, s20
	s_wait_alu 0xfffe
v_dual_add_f32: new
	v_dual_add_f32 v1, v2, v3 :: v_dual_add_f32 v4, v5, v6

; ---- scalar ALU, branches, waits ----
s_mov_b32: gcn rdna
	s_mov_b32 s20, s21
s_add_u32_delayed: gfx1100
	s_delay_alu instid0(SALU_CYCLE_1)
	s_add_u32 s20, s20, s21
s_add_u32_waited: gfx12
	s_wait_alu 0xfffe
	s_add_co_u32 s20, s20, s21
s_add_f32_delayed: gfx12
	s_delay_alu instid0(SALU_CYCLE_3)
	s_add_f32 s20, s20, s21
s_or_saveexec_b64: gcn
	s_or_saveexec_b64 s[20:21], exec
s_setreg_b32: gcn
	s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s20
not_taken: gcn rdna
	s_cbranch_scc1 0
scc_0: gcn rdna
	s_cmp_lg_u32 s0, s0
scc_1: gcn rdna
	s_cmp_eq_u32 s0, s0
taken: gcn rdna
	s_branch 1
	s_nop 0
taken_far: new
	s_branch 80
	.rept 80
	s_nop 0
	.endr
valu_and_wait: gfx1100
	v_add_f32 v1, v2, v3
	s_waitcnt vmcnt(63)
valu_and_wait: gfx12
	v_add_f32 v1, v2, v3
	s_wait_loadcnt 63
vcc_reader_and_salu: new
	v_cndmask_b32 v1, v2, v3, vcc_lo
	s_mov_b32 s20, s21
cmp_not_taken: rdna
	s_cmp_lg_u32 s0, s0
	s_cbranch_scc1 0
; ---- GCN: places in fetch blocks of 32 bytes; the body is one block, or begins one ----
not_taken_0: gcn
	s_cbranch_scc1 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
not_taken_3: gcn
	s_nop 0
	s_nop 0
	s_nop 0
	s_cbranch_scc1 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
not_taken_5: gcn
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_cbranch_scc1 0
	s_nop 0
	s_nop 0
not_taken_7: gcn
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_cbranch_scc1 0
cmp_not_taken: gcn
	s_cmp_lg_u32 s0, s0
	s_cbranch_scc1 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
jump_to_0: gcn
	s_branch 7
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
jump_to_4: gcn
	s_branch 11
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
jump_to_6: gcn
	s_branch 13
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
jump_to_7: gcn
	s_branch 14
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
v_mov_b32: gcn
	v_mov_b32 v0, v1
s_mov_b32_s20: gcn
	s_mov_b32 s20, s21
ipc_mfma: gfx90a
	v_mfma_f32_32x32x8bf16_1k v[0:15], v[16:17], v[18:19], v[0:15]

readlane_salu: gcn
	v_readlane_b32 s20, v2, 0
	s_mov_b32 s21, s20
readfirstlane_salu: gcn
	v_readfirstlane_b32 s20, v2
	s_mov_b32 s21, s20
vcc_carry_waited: gfx12
	v_add_co_u32 v1, vcc_lo, v2, v3
	s_wait_alu 0xfffd
	v_add_co_ci_u32 v4, vcc_lo, v5, v6, vcc_lo
cmpx_execz: rdna
	v_cmpx_eq_u32 v0, v0
	s_cbranch_execz 0
execz: gcn rdna
	s_cbranch_execz 0
s_nop_1: rdna
	s_nop 1
s_sleep_4: gcn rdna
	s_sleep 4
barrier_valu: gcn gfx1010 gfx1030 gfx1100
	s_barrier
	v_mov_b32 v1, v2
barrier_valu: gfx12
	s_barrier_signal -1
	s_barrier_wait 0xffff
	v_mov_b32 v1, v2
v_mov_b32: gcn rdna
	v_mov_b32 v1, v2

; ---- scalar memory ----
s_load_x1: gcn gfx1010 gfx1030 gfx1100
	s_load_dword s20, s[0:1], 0x0
s_load_x1: gfx12
	s_load_b32 s20, s[0:1], 0x0
s_load_x4: gcn rdna
	s_load_dwordx4 s[20:23], s[0:1], 0x0
s_load_x8: gcn rdna
	s_load_dwordx8 s[24:31], s[0:1], 0x0
s_load_x16: gcn rdna
	s_load_dwordx16 s[32:47], s[0:1], 0x0
s_load_and_wait: gcn gfx1010 gfx1030 gfx1100
	s_load_dword s20, s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
s_load_and_wait: gfx12
	s_load_b32 s20, s[0:1], 0x0
	s_wait_kmcnt 0x0
s_chase: gcn gfx1010 gfx1030 gfx1100
	s_waitcnt lgkmcnt(0)
	s_load_dwordx2 s[0:1], s[0:1], 0x0
s_chase: gfx12
	s_wait_kmcnt 0x0
	s_load_b64 s[0:1], s[0:1], 0x0

; ---- LDS. v8: address ----
lane_x4: gcn rdna
	v_lshlrev_b32 v8, 2, v0
lane_x8: gcn rdna
	v_lshlrev_b32 v8, 3, v0
lane_x16: gcn rdna
	v_lshlrev_b32 v8, 4, v0
one_lane_in_bank: gcn
	v_lshlrev_b32 v8, 7, v0
	s_mov_b32 exec_lo, s3
	s_mov_b32 exec_hi, 0
lane_apart: gcn rdna
	v_and_b32 v0, 63, v0
	v_mul_lo_u32 v8, v0, s6
ds_read_b32: gcn rdna
	ds_read_b32 v12, v8
ds_read_b64: gcn rdna
	ds_read_b64 v[12:13], v8
ds_read_b96: gcn rdna
	ds_read_b96 v[12:14], v8
ds_read_b128: gcn rdna
	ds_read_b128 v[12:15], v8
ds_write_b8: gcn rdna
	ds_write_b8 v8, v2
ds_write_b32: gcn rdna
	ds_write_b32 v8, v2
ds_write_b64: gcn rdna
	ds_write_b64 v8, v[2:3]
ds_write_b96: gcn rdna
	ds_write_b96 v8, v[2:4]
ds_write_b128: gcn rdna
	ds_write_b128 v8, v[2:5]
ds_read2_b32: gcn rdna
	ds_read2_b32 v[12:13], v8 offset1:1
ds_read2_b64: gcn rdna
	ds_read2_b64 v[12:15], v8 offset1:1
ds_write2_b32: gcn rdna
	ds_write2_b32 v8, v2, v3 offset1:1
ds_write2_b64: gcn rdna
	ds_write2_b64 v8, v[2:3], v[4:5] offset1:1
ds_add_u32: gcn rdna
	ds_add_u32 v8, v2
ds_add_u64: gcn rdna
	ds_add_u64 v8, v[2:3]
ds_cmpst_b32: gcn gfx1010 gfx1030
	ds_cmpst_b32 v8, v2, v3
ds_cmpst_b64: gcn gfx1010 gfx1030
	ds_cmpst_b64 v8, v[2:3], v[4:5]
ds_chase_b32: gcn gfx1010 gfx1030 gfx1100
	ds_read_b32 v8, v8
	s_waitcnt lgkmcnt(0)
ds_chase_b32: gfx12
	ds_load_b32 v8, v8
	s_wait_dscnt 0x0
ds_chase_b64: gcn
	ds_read_b64 v[8:9], v8
	s_waitcnt lgkmcnt(0)
ds_chase_b128: gcn
	ds_read_b128 v[8:11], v8
	s_waitcnt lgkmcnt(0)
ds_write_b32_wait: gcn gfx1010 gfx1030 gfx1100
	ds_write_b32 v8, v2
	s_waitcnt lgkmcnt(0)
ds_write_b32_wait: gfx12
	ds_store_b32 v8, v2
	s_wait_dscnt 0x0
ds_write_b64_wait: gcn
	ds_write_b64 v8, v[2:3]
	s_waitcnt lgkmcnt(0)
ds_write_b128_wait: gcn
	ds_write_b128 v8, v[2:5]
	s_waitcnt lgkmcnt(0)
ds_read_b32_wait: rdna
	ds_read_b32 v12, v8
	s_waitcnt lgkmcnt(0)
ds_read_b32_wait: gfx12
	ds_load_b32 v12, v8
	s_wait_dscnt 0x0
valu_ds_write_b32_wait: gfx1010 gfx1030 gfx1100
	v_or_b32 v8, 0, v9
	ds_write_b32 v8, v2
	s_waitcnt lgkmcnt(0)
valu_ds_write_b32_wait: gfx12
	v_or_b32 v8, 0, v9
	ds_store_b32 v8, v2
	s_wait_dscnt 0x0

; ---- vector memory ----
descriptor: gfx803 vega
	s_mov_b32 s20, s0
	s_mov_b32 s21, s1
	s_mov_b32 s22, -1
	s_mov_b32 s23, 0x27000
	v_and_b32 v0, 63, v0
buffer_load_x1: gfx803 vega
	buffer_load_dword v12, v8, s[20:23], 0 offen
buffer_load_x2: gfx803 vega
	buffer_load_dwordx2 v[12:13], v8, s[20:23], 0 offen
buffer_load_x3: gfx803 vega
	buffer_load_dwordx3 v[12:14], v8, s[20:23], 0 offen
buffer_load_x4: gfx803 vega
	buffer_load_dwordx4 v[12:15], v8, s[20:23], 0 offen
buffer_store_x1: gfx803 vega
	buffer_store_dword v2, v8, s[20:23], 0 offen
buffer_store_x2: gfx803 vega
	buffer_store_dwordx2 v[2:3], v8, s[20:23], 0 offen
buffer_store_x4: gfx803 vega
	buffer_store_dwordx4 v[2:5], v8, s[20:23], 0 offen
buffer_atomic_add: gfx803 vega
	buffer_atomic_add v2, v8, s[20:23], 0 offen
buffer_atomic_cmpswap: gfx803 vega
	buffer_atomic_cmpswap v[2:3], v8, s[20:23], 0 offen
chase_start: gcn rdna
	v_mov_b32 v2, s0
	v_mov_b32 v3, s1
chase: gfx803
	s_waitcnt vmcnt(0) lgkmcnt(0)
	flat_load_dwordx2 v[2:3], v[2:3]
chase: vega gfx1010 gfx1030 gfx1100
	s_waitcnt vmcnt(0)
	global_load_dwordx2 v[2:3], v[2:3], off
chase: gfx12
	s_wait_loadcnt 0x0
	global_load_b64 v[2:3], v[2:3], off
load_and_wait: vega gfx1010 gfx1030 gfx1100
	global_load_dword v12, v8, s[0:1]
	s_waitcnt vmcnt(0)
load_and_wait: gfx12
	global_load_b32 v12, v8, s[0:1]
	s_wait_loadcnt 0x0
valu_load_and_wait: vega gfx1010 gfx1030 gfx1100
	v_or_b32 v8, 0, v9
	global_load_dword v12, v8, s[0:1]
	s_waitcnt vmcnt(0)
valu_load_and_wait: gfx12
	v_or_b32 v8, 0, v9
	global_load_b32 v12, v8, s[0:1]
	s_wait_loadcnt 0x0
store: vega rdna
	global_store_dword v8, v2, s[0:1]
; Two waves: the first one loads, then the second one, which waits for its load. v8 hits, v9 is another line each time.
two_waves: rdna
	v_readfirstlane_b32 s17, v0
	v_lshlrev_b32 v8, 2, v0
	v_mov_b32 v9, v8
two_waves: gfx12
	v_readfirstlane_b32 s17, v0
	v_lshlrev_b32 v8, 2, v0
	v_mov_b32 v9, v8
	s_wait_alu depctr_va_sdst(0)
hit_behind_miss: gfx1010 gfx1030 gfx1100
	v_add_nc_u32 v9, s3, v9
	v_and_b32 v9, s4, v9
	s_cmp_lg_u32 s17, 0
	s_cbranch_scc1 2
	global_load_dword v13, v9, s[0:1]
	s_barrier
	s_cmp_eq_u32 s17, 0
	s_cbranch_scc1 3
	global_load_dword v12, v8, s[0:1]
	s_waitcnt vmcnt(0)
	s_barrier
hit_behind_miss: gfx12
	v_add_nc_u32 v9, s3, v9
	v_and_b32 v9, s4, v9
	s_cmp_lg_u32 s17, 0
	s_cbranch_scc1 3
	global_load_b32 v13, v9, s[0:1]
	s_barrier_signal -1
	s_barrier_wait -1
	s_cmp_eq_u32 s17, 0
	s_cbranch_scc1 4
	global_load_b32 v12, v8, s[0:1]
	s_wait_loadcnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
hit_behind_hit: gfx1010 gfx1030 gfx1100
	v_add_nc_u32 v9, s3, v9
	v_and_b32 v9, s4, v9
	s_cmp_lg_u32 s17, 0
	s_cbranch_scc1 2
	global_load_dword v13, v8, s[0:1]
	s_barrier
	s_cmp_eq_u32 s17, 0
	s_cbranch_scc1 3
	global_load_dword v12, v8, s[0:1]
	s_waitcnt vmcnt(0)
	s_barrier
hit_behind_hit: gfx12
	v_add_nc_u32 v9, s3, v9
	v_and_b32 v9, s4, v9
	s_cmp_lg_u32 s17, 0
	s_cbranch_scc1 3
	global_load_b32 v13, v8, s[0:1]
	s_barrier_signal -1
	s_barrier_wait -1
	s_cmp_eq_u32 s17, 0
	s_cbranch_scc1 4
	global_load_b32 v12, v8, s[0:1]
	s_wait_loadcnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
miss_behind_hit: gfx1010 gfx1030 gfx1100
	v_add_nc_u32 v9, s3, v9
	v_and_b32 v9, s4, v9
	s_cmp_lg_u32 s17, 0
	s_cbranch_scc1 2
	global_load_dword v13, v8, s[0:1]
	s_barrier
	s_cmp_eq_u32 s17, 0
	s_cbranch_scc1 3
	global_load_dword v12, v9, s[0:1]
	s_waitcnt vmcnt(0)
	s_barrier
miss_behind_hit: gfx12
	v_add_nc_u32 v9, s3, v9
	v_and_b32 v9, s4, v9
	s_cmp_lg_u32 s17, 0
	s_cbranch_scc1 3
	global_load_b32 v13, v8, s[0:1]
	s_barrier_signal -1
	s_barrier_wait -1
	s_cmp_eq_u32 s17, 0
	s_cbranch_scc1 4
	global_load_b32 v12, v9, s[0:1]
	s_wait_loadcnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
; v8 = (items * s6 + group * s5) & s4: where this lane begins; then steps of s3
sweep_start: gcn
	s_mul_i32 s17, s16, s5
	v_mul_lo_u32 v8, v0, s6
	v_add_u32 v8, vcc, s17, v8
	v_and_b32 v8, s4, v8
sweep_start: vega
	s_mul_i32 s17, s16, s5
	v_mul_lo_u32 v8, v0, s6
	v_add_u32 v8, s17, v8
	v_and_b32 v8, s4, v8
sweep_start: rdna
	s_mul_i32 s17, s16, s5
	v_mul_lo_u32 v8, v0, s6
	v_add_nc_u32 v8, s17, v8
	v_and_b32 v8, s4, v8
shared_start: gfx1030
	s_and_b32 s17, s16, s7
	s_mul_i32 s17, s17, s5
	v_mul_lo_u32 v8, v0, s6
	v_add_nc_u32 v8, s17, v8
first_lanes: gcn
	s_mov_b32 exec_lo, s7
	s_mov_b32 exec_hi, 0
first_lanes: rdna
	s_mov_b32 exec_lo, s7
sweep_x1: vega
	global_load_dword v12, v8, s[0:1]
	v_add_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_load_dword v16, v8, s[0:1]
	v_add_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_load_dword v20, v8, s[0:1]
	v_add_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_load_dword v24, v8, s[0:1]
	v_add_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
sweep_x1: rdna
	global_load_dword v12, v8, s[0:1]
	v_add_nc_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_load_dword v16, v8, s[0:1]
	v_add_nc_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_load_dword v20, v8, s[0:1]
	v_add_nc_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_load_dword v24, v8, s[0:1]
	v_add_nc_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
sweep_x2: vega
	global_load_dwordx2 v[12:13], v8, s[0:1]
	v_add_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_load_dwordx2 v[16:17], v8, s[0:1]
	v_add_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_load_dwordx2 v[20:21], v8, s[0:1]
	v_add_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_load_dwordx2 v[24:25], v8, s[0:1]
	v_add_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
sweep_x2: rdna
	global_load_dwordx2 v[12:13], v8, s[0:1]
	v_add_nc_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_load_dwordx2 v[16:17], v8, s[0:1]
	v_add_nc_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_load_dwordx2 v[20:21], v8, s[0:1]
	v_add_nc_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_load_dwordx2 v[24:25], v8, s[0:1]
	v_add_nc_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
sweep_x4: vega
	global_load_dwordx4 v[12:15], v8, s[0:1]
	v_add_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_load_dwordx4 v[16:19], v8, s[0:1]
	v_add_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_load_dwordx4 v[20:23], v8, s[0:1]
	v_add_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_load_dwordx4 v[24:27], v8, s[0:1]
	v_add_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
sweep_x4: rdna
	global_load_dwordx4 v[12:15], v8, s[0:1]
	v_add_nc_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_load_dwordx4 v[16:19], v8, s[0:1]
	v_add_nc_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_load_dwordx4 v[20:23], v8, s[0:1]
	v_add_nc_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_load_dwordx4 v[24:27], v8, s[0:1]
	v_add_nc_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
shared_x4: gfx1030
	s_waitcnt vmcnt(12)
	global_load_dwordx4 v[12:15], v8, s[0:1]
	v_add_nc_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	s_waitcnt vmcnt(12)
	global_load_dwordx4 v[16:19], v8, s[0:1]
	v_add_nc_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	s_waitcnt vmcnt(12)
	global_load_dwordx4 v[20:23], v8, s[0:1]
	v_add_nc_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	s_waitcnt vmcnt(12)
	global_load_dwordx4 v[24:27], v8, s[0:1]
	v_add_nc_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
sweep_store_x4: vega
	global_store_dwordx4 v8, v[2:5], s[0:1]
	v_add_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_store_dwordx4 v8, v[2:5], s[0:1]
	v_add_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
sweep_store_x4: rdna
	global_store_dwordx4 v8, v[2:5], s[0:1]
	v_add_nc_u32 v8, s3, v8
	v_and_b32 v8, s4, v8
	global_store_dwordx4 v8, v[2:5], s[0:1]
	v_add_nc_u32 v8, s3, v8
	v_and_b32 v8, s4, v8

; ---- matrix ----
; beside_N: an MFMA of 32 cycles with N vector instructions in its shadow
beside_3: gfx908 gfx90a
	v_mfma_f32_16x16x4f16 a[0:15], v[2:3], v[4:5], a[0:15]
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
beside_3: gfx942
	v_mfma_f32_16x16x4_4b_f16 a[0:15], v[2:3], v[4:5], a[0:15]
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
beside_5: gfx908 gfx90a
	v_mfma_f32_16x16x4f16 a[0:15], v[2:3], v[4:5], a[0:15]
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
beside_5: gfx942
	v_mfma_f32_16x16x4_4b_f16 a[0:15], v[2:3], v[4:5], a[0:15]
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
beside_6: gfx908 gfx90a
	v_mfma_f32_16x16x4f16 a[0:15], v[2:3], v[4:5], a[0:15]
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
beside_6: gfx942
	v_mfma_f32_16x16x4_4b_f16 a[0:15], v[2:3], v[4:5], a[0:15]
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
beside_7: gfx908 gfx90a
	v_mfma_f32_16x16x4f16 a[0:15], v[2:3], v[4:5], a[0:15]
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
beside_7: gfx942
	v_mfma_f32_16x16x4_4b_f16 a[0:15], v[2:3], v[4:5], a[0:15]
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
beside_8: gfx908 gfx90a
	v_mfma_f32_16x16x4f16 a[0:15], v[2:3], v[4:5], a[0:15]
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
beside_8: gfx942
	v_mfma_f32_16x16x4_4b_f16 a[0:15], v[2:3], v[4:5], a[0:15]
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
	v_add_f32 v8, v9, v10
v_mfma_f32_32x32x1f32: gfx908
	v_mfma_f32_32x32x1f32 a[0:31], v2, v8, a[0:31]
	v_mfma_f32_32x32x1f32 a[32:63], v2, v8, a[32:63]
v_mfma_f32_32x32x1f32: gfx90a
	v_mfma_f32_32x32x1f32 a[0:31], v2, v8, a[0:31]
	v_mfma_f32_32x32x1f32 a[32:63], v2, v8, a[32:63]
v_mfma_f32_16x16x1f32: gfx908
	v_mfma_f32_16x16x1f32 a[0:15], v2, v8, a[0:15]
	v_mfma_f32_16x16x1f32 a[32:47], v2, v8, a[32:47]
v_mfma_f32_16x16x1f32: gfx90a
	v_mfma_f32_16x16x1f32 a[0:15], v2, v8, a[0:15]
	v_mfma_f32_16x16x1f32 a[32:47], v2, v8, a[32:47]
v_mfma_f32_4x4x1f32: gfx908
	v_mfma_f32_4x4x1f32 a[0:3], v2, v8, a[0:3]
	v_mfma_f32_4x4x1f32 a[32:35], v2, v8, a[32:35]
v_mfma_f32_4x4x1f32: gfx90a
	v_mfma_f32_4x4x1f32 a[0:3], v2, v8, a[0:3]
	v_mfma_f32_4x4x1f32 a[32:35], v2, v8, a[32:35]
v_mfma_f32_32x32x2f32: gfx908
	v_mfma_f32_32x32x2f32 a[0:15], v2, v8, a[0:15]
	v_mfma_f32_32x32x2f32 a[32:47], v2, v8, a[32:47]
v_mfma_f32_32x32x2f32: gfx90a
	v_mfma_f32_32x32x2f32 a[0:15], v2, v8, a[0:15]
	v_mfma_f32_32x32x2f32 a[32:47], v2, v8, a[32:47]
v_mfma_f32_16x16x4f32: gfx908
	v_mfma_f32_16x16x4f32 a[0:3], v2, v8, a[0:3]
	v_mfma_f32_16x16x4f32 a[32:35], v2, v8, a[32:35]
v_mfma_f32_16x16x4f32: gfx90a
	v_mfma_f32_16x16x4f32 a[0:3], v2, v8, a[0:3]
	v_mfma_f32_16x16x4f32 a[32:35], v2, v8, a[32:35]
v_mfma_f32_32x32x4f16: gfx908
	v_mfma_f32_32x32x4f16 a[0:31], v[2:3], v[8:9], a[0:31]
	v_mfma_f32_32x32x4f16 a[32:63], v[2:3], v[8:9], a[32:63]
v_mfma_f32_32x32x4f16: gfx90a
	v_mfma_f32_32x32x4f16 a[0:31], v[2:3], v[8:9], a[0:31]
	v_mfma_f32_32x32x4f16 a[32:63], v[2:3], v[8:9], a[32:63]
v_mfma_f32_16x16x4f16: gfx908
	v_mfma_f32_16x16x4f16 a[0:15], v[2:3], v[8:9], a[0:15]
	v_mfma_f32_16x16x4f16 a[32:47], v[2:3], v[8:9], a[32:47]
v_mfma_f32_16x16x4f16: gfx90a
	v_mfma_f32_16x16x4f16 a[0:15], v[2:3], v[8:9], a[0:15]
	v_mfma_f32_16x16x4f16 a[32:47], v[2:3], v[8:9], a[32:47]
v_mfma_f32_4x4x4f16: gfx908
	v_mfma_f32_4x4x4f16 a[0:3], v[2:3], v[8:9], a[0:3]
	v_mfma_f32_4x4x4f16 a[32:35], v[2:3], v[8:9], a[32:35]
v_mfma_f32_4x4x4f16: gfx90a
	v_mfma_f32_4x4x4f16 a[0:3], v[2:3], v[8:9], a[0:3]
	v_mfma_f32_4x4x4f16 a[32:35], v[2:3], v[8:9], a[32:35]
v_mfma_f32_32x32x8f16: gfx908
	v_mfma_f32_32x32x8f16 a[0:15], v[2:3], v[8:9], a[0:15]
	v_mfma_f32_32x32x8f16 a[32:47], v[2:3], v[8:9], a[32:47]
v_mfma_f32_32x32x8f16: gfx90a
	v_mfma_f32_32x32x8f16 a[0:15], v[2:3], v[8:9], a[0:15]
	v_mfma_f32_32x32x8f16 a[32:47], v[2:3], v[8:9], a[32:47]
v_mfma_f32_16x16x16f16: gfx908
	v_mfma_f32_16x16x16f16 a[0:3], v[2:3], v[8:9], a[0:3]
	v_mfma_f32_16x16x16f16 a[32:35], v[2:3], v[8:9], a[32:35]
v_mfma_f32_16x16x16f16: gfx90a
	v_mfma_f32_16x16x16f16 a[0:3], v[2:3], v[8:9], a[0:3]
	v_mfma_f32_16x16x16f16 a[32:35], v[2:3], v[8:9], a[32:35]
v_mfma_i32_32x32x4i8: gfx908
	v_mfma_i32_32x32x4i8 a[0:31], v2, v8, a[0:31]
	v_mfma_i32_32x32x4i8 a[32:63], v2, v8, a[32:63]
v_mfma_i32_32x32x4i8: gfx90a
	v_mfma_i32_32x32x4i8 a[0:31], v2, v8, a[0:31]
	v_mfma_i32_32x32x4i8 a[32:63], v2, v8, a[32:63]
v_mfma_i32_16x16x4i8: gfx908
	v_mfma_i32_16x16x4i8 a[0:15], v2, v8, a[0:15]
	v_mfma_i32_16x16x4i8 a[32:47], v2, v8, a[32:47]
v_mfma_i32_16x16x4i8: gfx90a
	v_mfma_i32_16x16x4i8 a[0:15], v2, v8, a[0:15]
	v_mfma_i32_16x16x4i8 a[32:47], v2, v8, a[32:47]
v_mfma_i32_4x4x4i8: gfx908
	v_mfma_i32_4x4x4i8 a[0:3], v2, v8, a[0:3]
	v_mfma_i32_4x4x4i8 a[32:35], v2, v8, a[32:35]
v_mfma_i32_4x4x4i8: gfx90a
	v_mfma_i32_4x4x4i8 a[0:3], v2, v8, a[0:3]
	v_mfma_i32_4x4x4i8 a[32:35], v2, v8, a[32:35]
v_mfma_i32_32x32x8i8: gfx908
	v_mfma_i32_32x32x8i8 a[0:15], v2, v8, a[0:15]
	v_mfma_i32_32x32x8i8 a[32:47], v2, v8, a[32:47]
v_mfma_i32_32x32x8i8: gfx90a
	v_mfma_i32_32x32x8i8 a[0:15], v2, v8, a[0:15]
	v_mfma_i32_32x32x8i8 a[32:47], v2, v8, a[32:47]
v_mfma_i32_16x16x16i8: gfx908
	v_mfma_i32_16x16x16i8 a[0:3], v2, v8, a[0:3]
	v_mfma_i32_16x16x16i8 a[32:35], v2, v8, a[32:35]
v_mfma_i32_16x16x16i8: gfx90a
	v_mfma_i32_16x16x16i8 a[0:3], v2, v8, a[0:3]
	v_mfma_i32_16x16x16i8 a[32:35], v2, v8, a[32:35]
v_mfma_f32_32x32x2bf16: gfx908
	v_mfma_f32_32x32x2bf16 a[0:31], v2, v8, a[0:31]
	v_mfma_f32_32x32x2bf16 a[32:63], v2, v8, a[32:63]
v_mfma_f32_32x32x2bf16: gfx90a
	v_mfma_f32_32x32x2bf16 a[0:31], v2, v8, a[0:31]
	v_mfma_f32_32x32x2bf16 a[32:63], v2, v8, a[32:63]
v_mfma_f32_16x16x2bf16: gfx908
	v_mfma_f32_16x16x2bf16 a[0:15], v2, v8, a[0:15]
	v_mfma_f32_16x16x2bf16 a[32:47], v2, v8, a[32:47]
v_mfma_f32_16x16x2bf16: gfx90a
	v_mfma_f32_16x16x2bf16 a[0:15], v2, v8, a[0:15]
	v_mfma_f32_16x16x2bf16 a[32:47], v2, v8, a[32:47]
v_mfma_f32_4x4x2bf16: gfx908
	v_mfma_f32_4x4x2bf16 a[0:3], v2, v8, a[0:3]
	v_mfma_f32_4x4x2bf16 a[32:35], v2, v8, a[32:35]
v_mfma_f32_4x4x2bf16: gfx90a
	v_mfma_f32_4x4x2bf16 a[0:3], v2, v8, a[0:3]
	v_mfma_f32_4x4x2bf16 a[32:35], v2, v8, a[32:35]
v_mfma_f32_32x32x4bf16: gfx908
	v_mfma_f32_32x32x4bf16 a[0:15], v2, v8, a[0:15]
	v_mfma_f32_32x32x4bf16 a[32:47], v2, v8, a[32:47]
v_mfma_f32_32x32x4bf16: gfx90a
	v_mfma_f32_32x32x4bf16 a[0:15], v2, v8, a[0:15]
	v_mfma_f32_32x32x4bf16 a[32:47], v2, v8, a[32:47]
v_mfma_f32_16x16x8bf16: gfx908
	v_mfma_f32_16x16x8bf16 a[0:3], v2, v8, a[0:3]
	v_mfma_f32_16x16x8bf16 a[32:35], v2, v8, a[32:35]
v_mfma_f32_16x16x8bf16: gfx90a
	v_mfma_f32_16x16x8bf16 a[0:3], v2, v8, a[0:3]
	v_mfma_f32_16x16x8bf16 a[32:35], v2, v8, a[32:35]
v_mfma_f32_32x32x4bf16_1k: gfx90a
	v_mfma_f32_32x32x4bf16_1k a[0:31], v[2:3], v[8:9], a[0:31]
	v_mfma_f32_32x32x4bf16_1k a[32:63], v[2:3], v[8:9], a[32:63]
v_mfma_f32_16x16x4bf16_1k: gfx90a
	v_mfma_f32_16x16x4bf16_1k a[0:15], v[2:3], v[8:9], a[0:15]
	v_mfma_f32_16x16x4bf16_1k a[32:47], v[2:3], v[8:9], a[32:47]
v_mfma_f32_4x4x4bf16_1k: gfx90a
	v_mfma_f32_4x4x4bf16_1k a[0:3], v[2:3], v[8:9], a[0:3]
	v_mfma_f32_4x4x4bf16_1k a[32:35], v[2:3], v[8:9], a[32:35]
v_mfma_f32_32x32x8bf16_1k: gfx90a
	v_mfma_f32_32x32x8bf16_1k a[0:15], v[2:3], v[8:9], a[0:15]
	v_mfma_f32_32x32x8bf16_1k a[32:47], v[2:3], v[8:9], a[32:47]
v_mfma_f32_16x16x16bf16_1k: gfx90a
	v_mfma_f32_16x16x16bf16_1k a[0:3], v[2:3], v[8:9], a[0:3]
	v_mfma_f32_16x16x16bf16_1k a[32:35], v[2:3], v[8:9], a[32:35]
v_mfma_f64_16x16x4f64: gfx90a
	v_mfma_f64_16x16x4f64 a[0:7], v[2:3], v[8:9], a[0:7]
	v_mfma_f64_16x16x4f64 a[32:39], v[2:3], v[8:9], a[32:39]
v_mfma_f64_4x4x4f64: gfx90a
	v_mfma_f64_4x4x4f64 a[0:1], v[2:3], v[8:9], a[0:1]
	v_mfma_f64_4x4x4f64 a[32:33], v[2:3], v[8:9], a[32:33]
v_mfma_f32_16x16x8_xf32: gfx942
	v_mfma_f32_16x16x8_xf32 a[0:3], v[2:3], v[8:9], a[0:3]
	v_mfma_f32_16x16x8_xf32 a[32:35], v[2:3], v[8:9], a[32:35]
v_mfma_f32_32x32x4_xf32: gfx942
	v_mfma_f32_32x32x4_xf32 a[0:15], v[2:3], v[8:9], a[0:15]
	v_mfma_f32_32x32x4_xf32 a[32:47], v[2:3], v[8:9], a[32:47]
v_mfma_f32_32x32x1_2b_f32: gfx942
	v_mfma_f32_32x32x1_2b_f32 a[0:31], v2, v8, a[0:31]
	v_mfma_f32_32x32x1_2b_f32 a[32:63], v2, v8, a[32:63]
v_mfma_f32_16x16x1_4b_f32: gfx942
	v_mfma_f32_16x16x1_4b_f32 a[0:15], v2, v8, a[0:15]
	v_mfma_f32_16x16x1_4b_f32 a[32:47], v2, v8, a[32:47]
v_mfma_f32_4x4x1_16b_f32: gfx942
	v_mfma_f32_4x4x1_16b_f32 a[0:3], v2, v8, a[0:3]
	v_mfma_f32_4x4x1_16b_f32 a[32:35], v2, v8, a[32:35]
v_mfma_f32_32x32x2_f32: gfx942
	v_mfma_f32_32x32x2_f32 a[0:15], v2, v8, a[0:15]
	v_mfma_f32_32x32x2_f32 a[32:47], v2, v8, a[32:47]
v_mfma_f32_16x16x4_f32: gfx942
	v_mfma_f32_16x16x4_f32 a[0:3], v2, v8, a[0:3]
	v_mfma_f32_16x16x4_f32 a[32:35], v2, v8, a[32:35]
v_mfma_f32_32x32x4_2b_f16: gfx942
	v_mfma_f32_32x32x4_2b_f16 a[0:31], v[2:3], v[8:9], a[0:31]
	v_mfma_f32_32x32x4_2b_f16 a[32:63], v[2:3], v[8:9], a[32:63]
v_mfma_f32_16x16x4_4b_f16: gfx942
	v_mfma_f32_16x16x4_4b_f16 a[0:15], v[2:3], v[8:9], a[0:15]
	v_mfma_f32_16x16x4_4b_f16 a[32:47], v[2:3], v[8:9], a[32:47]
v_mfma_f32_4x4x4_16b_f16: gfx942
	v_mfma_f32_4x4x4_16b_f16 a[0:3], v[2:3], v[8:9], a[0:3]
	v_mfma_f32_4x4x4_16b_f16 a[32:35], v[2:3], v[8:9], a[32:35]
v_mfma_f32_32x32x8_f16: gfx942
	v_mfma_f32_32x32x8_f16 a[0:15], v[2:3], v[8:9], a[0:15]
	v_mfma_f32_32x32x8_f16 a[32:47], v[2:3], v[8:9], a[32:47]
v_mfma_f32_16x16x16_f16: gfx942
	v_mfma_f32_16x16x16_f16 a[0:3], v[2:3], v[8:9], a[0:3]
	v_mfma_f32_16x16x16_f16 a[32:35], v[2:3], v[8:9], a[32:35]
v_mfma_i32_32x32x4_2b_i8: gfx942
	v_mfma_i32_32x32x4_2b_i8 a[0:31], v2, v8, a[0:31]
	v_mfma_i32_32x32x4_2b_i8 a[32:63], v2, v8, a[32:63]
v_mfma_i32_16x16x4_4b_i8: gfx942
	v_mfma_i32_16x16x4_4b_i8 a[0:15], v2, v8, a[0:15]
	v_mfma_i32_16x16x4_4b_i8 a[32:47], v2, v8, a[32:47]
v_mfma_i32_4x4x4_16b_i8: gfx942
	v_mfma_i32_4x4x4_16b_i8 a[0:3], v2, v8, a[0:3]
	v_mfma_i32_4x4x4_16b_i8 a[32:35], v2, v8, a[32:35]
v_mfma_i32_32x32x16_i8: gfx942
	v_mfma_i32_32x32x16_i8 a[0:15], v[2:3], v[8:9], a[0:15]
	v_mfma_i32_32x32x16_i8 a[32:47], v[2:3], v[8:9], a[32:47]
v_mfma_i32_16x16x32_i8: gfx942
	v_mfma_i32_16x16x32_i8 a[0:3], v[2:3], v[8:9], a[0:3]
	v_mfma_i32_16x16x32_i8 a[32:35], v[2:3], v[8:9], a[32:35]
v_mfma_f32_32x32x4_2b_bf16: gfx942
	v_mfma_f32_32x32x4_2b_bf16 a[0:31], v[2:3], v[8:9], a[0:31]
	v_mfma_f32_32x32x4_2b_bf16 a[32:63], v[2:3], v[8:9], a[32:63]
v_mfma_f32_16x16x4_4b_bf16: gfx942
	v_mfma_f32_16x16x4_4b_bf16 a[0:15], v[2:3], v[8:9], a[0:15]
	v_mfma_f32_16x16x4_4b_bf16 a[32:47], v[2:3], v[8:9], a[32:47]
v_mfma_f32_4x4x4_16b_bf16: gfx942
	v_mfma_f32_4x4x4_16b_bf16 a[0:3], v[2:3], v[8:9], a[0:3]
	v_mfma_f32_4x4x4_16b_bf16 a[32:35], v[2:3], v[8:9], a[32:35]
v_mfma_f32_32x32x8_bf16: gfx942
	v_mfma_f32_32x32x8_bf16 a[0:15], v[2:3], v[8:9], a[0:15]
	v_mfma_f32_32x32x8_bf16 a[32:47], v[2:3], v[8:9], a[32:47]
v_mfma_f32_16x16x16_bf16: gfx942
	v_mfma_f32_16x16x16_bf16 a[0:3], v[2:3], v[8:9], a[0:3]
	v_mfma_f32_16x16x16_bf16 a[32:35], v[2:3], v[8:9], a[32:35]
v_smfmac_f32_16x16x32_f16: gfx942
	v_smfmac_f32_16x16x32_f16 a[0:3], v[2:3], v[8:11], v16
	v_smfmac_f32_16x16x32_f16 a[32:35], v[2:3], v[8:11], v16
v_smfmac_f32_32x32x16_f16: gfx942
	v_smfmac_f32_32x32x16_f16 a[0:15], v[2:3], v[8:11], v16
	v_smfmac_f32_32x32x16_f16 a[32:47], v[2:3], v[8:11], v16
v_smfmac_f32_16x16x32_bf16: gfx942
	v_smfmac_f32_16x16x32_bf16 a[0:3], v[2:3], v[8:11], v16
	v_smfmac_f32_16x16x32_bf16 a[32:35], v[2:3], v[8:11], v16
v_smfmac_f32_32x32x16_bf16: gfx942
	v_smfmac_f32_32x32x16_bf16 a[0:15], v[2:3], v[8:11], v16
	v_smfmac_f32_32x32x16_bf16 a[32:47], v[2:3], v[8:11], v16
v_smfmac_i32_16x16x64_i8: gfx942
	v_smfmac_i32_16x16x64_i8 a[0:3], v[2:3], v[8:11], v16
	v_smfmac_i32_16x16x64_i8 a[32:35], v[2:3], v[8:11], v16
v_smfmac_i32_32x32x32_i8: gfx942
	v_smfmac_i32_32x32x32_i8 a[0:15], v[2:3], v[8:11], v16
	v_smfmac_i32_32x32x32_i8 a[32:47], v[2:3], v[8:11], v16
v_mfma_f64_16x16x4_f64: gfx942
	v_mfma_f64_16x16x4_f64 a[0:7], v[2:3], v[8:9], a[0:7]
	v_mfma_f64_16x16x4_f64 a[32:39], v[2:3], v[8:9], a[32:39]
v_mfma_f64_4x4x4_4b_f64: gfx942
	v_mfma_f64_4x4x4_4b_f64 a[0:1], v[2:3], v[8:9], a[0:1]
	v_mfma_f64_4x4x4_4b_f64 a[32:33], v[2:3], v[8:9], a[32:33]
v_mfma_f32_16x16x32_bf8_bf8: gfx942
	v_mfma_f32_16x16x32_bf8_bf8 a[0:3], v[2:3], v[8:9], a[0:3]
	v_mfma_f32_16x16x32_bf8_bf8 a[32:35], v[2:3], v[8:9], a[32:35]
v_mfma_f32_16x16x32_bf8_fp8: gfx942
	v_mfma_f32_16x16x32_bf8_fp8 a[0:3], v[2:3], v[8:9], a[0:3]
	v_mfma_f32_16x16x32_bf8_fp8 a[32:35], v[2:3], v[8:9], a[32:35]
v_mfma_f32_16x16x32_fp8_bf8: gfx942
	v_mfma_f32_16x16x32_fp8_bf8 a[0:3], v[2:3], v[8:9], a[0:3]
	v_mfma_f32_16x16x32_fp8_bf8 a[32:35], v[2:3], v[8:9], a[32:35]
v_mfma_f32_16x16x32_fp8_fp8: gfx942
	v_mfma_f32_16x16x32_fp8_fp8 a[0:3], v[2:3], v[8:9], a[0:3]
	v_mfma_f32_16x16x32_fp8_fp8 a[32:35], v[2:3], v[8:9], a[32:35]
v_mfma_f32_32x32x16_bf8_bf8: gfx942
	v_mfma_f32_32x32x16_bf8_bf8 a[0:15], v[2:3], v[8:9], a[0:15]
	v_mfma_f32_32x32x16_bf8_bf8 a[32:47], v[2:3], v[8:9], a[32:47]
v_mfma_f32_32x32x16_bf8_fp8: gfx942
	v_mfma_f32_32x32x16_bf8_fp8 a[0:15], v[2:3], v[8:9], a[0:15]
	v_mfma_f32_32x32x16_bf8_fp8 a[32:47], v[2:3], v[8:9], a[32:47]
v_mfma_f32_32x32x16_fp8_bf8: gfx942
	v_mfma_f32_32x32x16_fp8_bf8 a[0:15], v[2:3], v[8:9], a[0:15]
	v_mfma_f32_32x32x16_fp8_bf8 a[32:47], v[2:3], v[8:9], a[32:47]
v_mfma_f32_32x32x16_fp8_fp8: gfx942
	v_mfma_f32_32x32x16_fp8_fp8 a[0:15], v[2:3], v[8:9], a[0:15]
	v_mfma_f32_32x32x16_fp8_fp8 a[32:47], v[2:3], v[8:9], a[32:47]
v_smfmac_f32_16x16x64_bf8_bf8: gfx942
	v_smfmac_f32_16x16x64_bf8_bf8 a[0:3], v[2:3], v[8:11], v16
	v_smfmac_f32_16x16x64_bf8_bf8 a[32:35], v[2:3], v[8:11], v16
v_smfmac_f32_16x16x64_bf8_fp8: gfx942
	v_smfmac_f32_16x16x64_bf8_fp8 a[0:3], v[2:3], v[8:11], v16
	v_smfmac_f32_16x16x64_bf8_fp8 a[32:35], v[2:3], v[8:11], v16
v_smfmac_f32_16x16x64_fp8_bf8: gfx942
	v_smfmac_f32_16x16x64_fp8_bf8 a[0:3], v[2:3], v[8:11], v16
	v_smfmac_f32_16x16x64_fp8_bf8 a[32:35], v[2:3], v[8:11], v16
v_smfmac_f32_16x16x64_fp8_fp8: gfx942
	v_smfmac_f32_16x16x64_fp8_fp8 a[0:3], v[2:3], v[8:11], v16
	v_smfmac_f32_16x16x64_fp8_fp8 a[32:35], v[2:3], v[8:11], v16
v_smfmac_f32_32x32x32_bf8_bf8: gfx942
	v_smfmac_f32_32x32x32_bf8_bf8 a[0:15], v[2:3], v[8:11], v16
	v_smfmac_f32_32x32x32_bf8_bf8 a[32:47], v[2:3], v[8:11], v16
v_smfmac_f32_32x32x32_bf8_fp8: gfx942
	v_smfmac_f32_32x32x32_bf8_fp8 a[0:15], v[2:3], v[8:11], v16
	v_smfmac_f32_32x32x32_bf8_fp8 a[32:47], v[2:3], v[8:11], v16
v_smfmac_f32_32x32x32_fp8_bf8: gfx942
	v_smfmac_f32_32x32x32_fp8_bf8 a[0:15], v[2:3], v[8:11], v16
	v_smfmac_f32_32x32x32_fp8_bf8 a[32:47], v[2:3], v[8:11], v16
v_smfmac_f32_32x32x32_fp8_fp8: gfx942
	v_smfmac_f32_32x32x32_fp8_fp8 a[0:15], v[2:3], v[8:11], v16
	v_smfmac_f32_32x32x32_fp8_fp8 a[32:47], v[2:3], v[8:11], v16
v_wmma_f32_16x16x16_f16: gfx1100
	v_wmma_f32_16x16x16_f16 v[24:31], v[2:9], v[10:17], v[24:31]
	v_wmma_f32_16x16x16_f16 v[32:39], v[2:9], v[10:17], v[32:39]
v_wmma_f32_16x16x16_f16: gfx12
	v_wmma_f32_16x16x16_f16 v[24:31], v[2:5], v[10:13], v[24:31]
	v_wmma_f32_16x16x16_f16 v[32:39], v[2:5], v[10:13], v[32:39]
wmma_sum: gfx1100
	v_wmma_f32_16x16x16_f16 v[24:31], v[2:9], v[10:17], v[24:31]
	v_wmma_f32_16x16x16_f16 v[24:31], v[2:9], v[10:17], v[24:31]
wmma_sum: gfx12
	v_wmma_f32_16x16x16_f16 v[24:31], v[2:5], v[10:13], v[24:31]
	v_wmma_f32_16x16x16_f16 v[24:31], v[2:5], v[10:13], v[24:31]
v_wmma_f32_16x16x16_bf16: gfx1100
	v_wmma_f32_16x16x16_bf16 v[24:31], v[2:9], v[10:17], v[24:31]
	v_wmma_f32_16x16x16_bf16 v[32:39], v[2:9], v[10:17], v[32:39]
v_wmma_f32_16x16x16_bf16: gfx12
	v_wmma_f32_16x16x16_bf16 v[24:31], v[2:5], v[10:13], v[24:31]
	v_wmma_f32_16x16x16_bf16 v[32:39], v[2:5], v[10:13], v[32:39]
v_wmma_f16_16x16x16_f16: gfx1100
	v_wmma_f16_16x16x16_f16 v[24:31], v[2:9], v[10:17], v[24:31]
	v_wmma_f16_16x16x16_f16 v[32:39], v[2:9], v[10:17], v[32:39]
v_wmma_f16_16x16x16_f16: gfx12
	v_wmma_f16_16x16x16_f16 v[24:27], v[2:5], v[10:13], v[24:27]
	v_wmma_f16_16x16x16_f16 v[32:35], v[2:5], v[10:13], v[32:35]
v_wmma_bf16_16x16x16_bf16: gfx1100
	v_wmma_bf16_16x16x16_bf16 v[24:31], v[2:9], v[10:17], v[24:31]
	v_wmma_bf16_16x16x16_bf16 v[32:39], v[2:9], v[10:17], v[32:39]
v_wmma_bf16_16x16x16_bf16: gfx12
	v_wmma_bf16_16x16x16_bf16 v[24:27], v[2:5], v[10:13], v[24:27]
	v_wmma_bf16_16x16x16_bf16 v[32:35], v[2:5], v[10:13], v[32:35]
v_wmma_i32_16x16x16_iu8: gfx1100
	v_wmma_i32_16x16x16_iu8 v[24:31], v[2:5], v[10:13], v[24:31]
	v_wmma_i32_16x16x16_iu8 v[32:39], v[2:5], v[10:13], v[32:39]
v_wmma_i32_16x16x16_iu8: gfx12
	v_wmma_i32_16x16x16_iu8 v[24:31], v[2:3], v[10:11], v[24:31]
	v_wmma_i32_16x16x16_iu8 v[32:39], v[2:3], v[10:11], v[32:39]
v_wmma_i32_16x16x16_iu4: gfx1100
	v_wmma_i32_16x16x16_iu4 v[24:31], v[2:3], v[10:11], v[24:31]
	v_wmma_i32_16x16x16_iu4 v[32:39], v[2:3], v[10:11], v[32:39]
v_wmma_i32_16x16x16_iu4: gfx12
	v_wmma_i32_16x16x16_iu4 v[24:31], v2, v10, v[24:31]
	v_wmma_i32_16x16x16_iu4 v[32:39], v2, v10, v[32:39]
v_wmma_i32_16x16x32_iu4: gfx12
	v_wmma_i32_16x16x32_iu4 v[24:31], v[2:3], v[10:11], v[24:31]
	v_wmma_i32_16x16x32_iu4 v[32:39], v[2:3], v[10:11], v[32:39]
v_wmma_f32_16x16x16_fp8_fp8: gfx12
	v_wmma_f32_16x16x16_fp8_fp8 v[24:31], v[2:3], v[10:11], v[24:31]
	v_wmma_f32_16x16x16_fp8_fp8 v[32:39], v[2:3], v[10:11], v[32:39]
v_wmma_f32_16x16x16_fp8_bf8: gfx12
	v_wmma_f32_16x16x16_fp8_bf8 v[24:31], v[2:3], v[10:11], v[24:31]
	v_wmma_f32_16x16x16_fp8_bf8 v[32:39], v[2:3], v[10:11], v[32:39]
v_wmma_f32_16x16x16_bf8_fp8: gfx12
	v_wmma_f32_16x16x16_bf8_fp8 v[24:31], v[2:3], v[10:11], v[24:31]
	v_wmma_f32_16x16x16_bf8_fp8 v[32:39], v[2:3], v[10:11], v[32:39]
v_wmma_f32_16x16x16_bf8_bf8: gfx12
	v_wmma_f32_16x16x16_bf8_bf8 v[24:31], v[2:3], v[10:11], v[24:31]
	v_wmma_f32_16x16x16_bf8_bf8 v[32:39], v[2:3], v[10:11], v[32:39]
v_swmmac_f32_16x16x32_f16: gfx12
	v_swmmac_f32_16x16x32_f16 v[24:31], v[2:5], v[10:17], v20
	v_swmmac_f32_16x16x32_f16 v[32:39], v[2:5], v[10:17], v20
v_swmmac_f32_16x16x32_bf16: gfx12
	v_swmmac_f32_16x16x32_bf16 v[24:31], v[2:5], v[10:17], v20
	v_swmmac_f32_16x16x32_bf16 v[32:39], v[2:5], v[10:17], v20
v_swmmac_f16_16x16x32_f16: gfx12
	v_swmmac_f16_16x16x32_f16 v[24:27], v[2:5], v[10:17], v20
	v_swmmac_f16_16x16x32_f16 v[32:35], v[2:5], v[10:17], v20
v_swmmac_bf16_16x16x32_bf16: gfx12
	v_swmmac_bf16_16x16x32_bf16 v[24:27], v[2:5], v[10:17], v20
	v_swmmac_bf16_16x16x32_bf16 v[32:35], v[2:5], v[10:17], v20
v_swmmac_i32_16x16x32_iu8: gfx12
	v_swmmac_i32_16x16x32_iu8 v[24:31], v[2:3], v[10:13], v20
	v_swmmac_i32_16x16x32_iu8 v[32:39], v[2:3], v[10:13], v20
v_swmmac_i32_16x16x32_iu4: gfx12
	v_swmmac_i32_16x16x32_iu4 v[24:31], v2, v[10:11], v20
	v_swmmac_i32_16x16x32_iu4 v[32:39], v2, v[10:11], v20
v_swmmac_i32_16x16x64_iu4: gfx12
	v_swmmac_i32_16x16x64_iu4 v[24:31], v[2:3], v[10:13], v20
	v_swmmac_i32_16x16x64_iu4 v[32:39], v[2:3], v[10:13], v20
v_swmmac_f32_16x16x32_fp8_fp8: gfx12
	v_swmmac_f32_16x16x32_fp8_fp8 v[24:31], v[2:3], v[10:13], v20
	v_swmmac_f32_16x16x32_fp8_fp8 v[32:39], v[2:3], v[10:13], v20
v_swmmac_f32_16x16x32_fp8_bf8: gfx12
	v_swmmac_f32_16x16x32_fp8_bf8 v[24:31], v[2:3], v[10:13], v20
	v_swmmac_f32_16x16x32_fp8_bf8 v[32:39], v[2:3], v[10:13], v20
v_swmmac_f32_16x16x32_bf8_fp8: gfx12
	v_swmmac_f32_16x16x32_bf8_fp8 v[24:31], v[2:3], v[10:13], v20
	v_swmmac_f32_16x16x32_bf8_fp8 v[32:39], v[2:3], v[10:13], v20
v_swmmac_f32_16x16x32_bf8_bf8: gfx12
	v_swmmac_f32_16x16x32_bf8_bf8 v[24:31], v[2:3], v[10:13], v20
	v_swmmac_f32_16x16x32_bf8_bf8 v[32:39], v[2:3], v[10:13], v20

; ---- what test_figures runs beside these ----
dependent: gcn
	v_fma_f32 v1, v1, v2, v3
	v_fma_f32 v1, v1, v2, v3
	v_add_f64 v[4:5], v[4:5], v[6:7]
	v_add_f64 v[4:5], v[4:5], v[6:7]
	v_mul_f64 v[4:5], v[4:5], v[6:7]
	v_mul_f64 v[4:5], v[4:5], v[6:7]
	v_rcp_f64 v[4:5], v[4:5]
	v_rcp_f64 v[4:5], v[4:5]
	v_lshlrev_b64 v[4:5], 2, v[4:5]
	v_lshlrev_b64 v[4:5], 2, v[4:5]
	v_mad_u64_u32 v[4:5], vcc, v2, v3, v[4:5]
	v_mad_u64_u32 v[4:5], vcc, v2, v3, v[4:5]
	v_mul_lo_u32 v1, v1, v3
	v_mul_lo_u32 v1, v1, v3
	v_rcp_f32 v1, v1
	v_rcp_f32 v1, v1
	v_mov_b32_dpp v2, v1 row_shr:1 row_mask:0xf bank_mask:0xf
	v_readlane_b32 s20, v2, 0
	v_writelane_b32 v1, s20, 0
	v_writelane_b32 v1, s20, 1
	v_add_f32 v1, s20, v1
	s_mov_b32 s21, 0
	v_mov_b32 v3, s21
	s_or_saveexec_b64 s[22:23], exec
	s_mov_b32 s24, s22
	v_cmp_eq_f64 vcc, v[4:5], v[6:7]
	s_cbranch_vccz 0
	s_mov_b32 s20, 0x40
	s_load_dword s21, s[0:1], s20
	v_mov_b32 v9, 0
	v_mov_b32 v9, v9
dependent: rdna
	v_fma_f32 v1, v1, v2, v3
	v_fma_f32 v1, v1, v2, v3
	v_add_f64 v[4:5], v[4:5], v[6:7]
	v_add_f64 v[4:5], v[4:5], v[6:7]
	v_mul_f64 v[4:5], v[4:5], v[6:7]
	v_mul_f64 v[4:5], v[4:5], v[6:7]
	v_rcp_f64 v[4:5], v[4:5]
	v_rcp_f64 v[4:5], v[4:5]
	v_lshlrev_b64 v[4:5], 2, v[4:5]
	v_lshlrev_b64 v[4:5], 2, v[4:5]
	v_mad_u64_u32 v[4:5], vcc_lo, v2, v3, v[4:5]
	v_mad_u64_u32 v[4:5], vcc_lo, v2, v3, v[4:5]
	v_mul_lo_u32 v1, v1, v3
	v_mul_lo_u32 v1, v1, v3
	v_rcp_f32 v1, v1
	v_rcp_f32 v1, v1
	v_mov_b32_dpp v2, v1 row_shr:1 row_mask:0xf bank_mask:0xf
	v_readlane_b32 s20, v2, 0
	v_writelane_b32 v1, s20, 0
	v_writelane_b32 v1, s20, 1
	v_permlane16_b32 v1, v1, s20, s20
	v_permlane16_b32 v1, v1, s20, s20
	v_add_f32 v1, s20, v1
	s_mov_b32 s21, 0
	v_mov_b32 v3, s21
	s_or_saveexec_b32 s22, exec_lo
	s_mov_b32 s24, s22
	v_cmp_eq_f64 vcc_lo, v[4:5], v[6:7]
	s_cbranch_vccz 0
	v_mov_b32 v9, 0
	v_mov_b32 v9, v9
dependent_scalar_float: gfx12
	s_add_f32 s20, s20, s21
	s_add_f32 s20, s20, s21
	v_s_rcp_f32 s20, s20
	v_s_rcp_f32 s20, s20
dependent_qsad: gcn
	v_qsad_pk_u16_u8 v[4:5], v[2:3], v6, v[4:5]
	v_qsad_pk_u16_u8 v[4:5], v[2:3], v6, v[4:5]
dependent_swap: vega rdna
	v_swap_b32 v1, v2
	v_swap_b32 v1, v2
dependent_dot: gfx906 cdna gfx1030
	v_dot2_f32_f16 v1, v2, v3, v1
	v_dot2_f32_f16 v1, v2, v3, v1
dependent_dot: new
	v_dot2_f32_f16 v1, v2, v3, v1
	v_dot2_f32_f16 v1, v2, v3, v1
dependent_dual: new
	v_dual_add_f32 v1, v1, v3 :: v_dual_add_f32 v4, v4, v6
	v_dual_add_f32 v1, v1, v3 :: v_dual_add_f32 v4, v4, v6
hardware_registers: rdna gcn
	s_mov_b32 s20, 0
	s_getreg_b32 s21, hwreg(HW_REG_MODE, 0, 2)
	s_mov_b32 s22, s21
	s_setreg_b32 hwreg(HW_REG_MODE, 0, 2), s20
	v_add_f32 v1, v2, v3
	s_mov_b32 s23, s22
clock: gcn gfx1010 gfx1030
	s_memtime s[20:21]
	s_waitcnt lgkmcnt(0)
message: gcn gfx1010 gfx1030
	s_mov_b32 m0, 0
	s_sendmsg sendmsg(MSG_INTERRUPT)
	s_waitcnt lgkmcnt(0) expcnt(0)
	s_mov_b32 m0, -1
message: gfx1100
	s_sendmsg_rtn_b64 s[20:21], sendmsg(MSG_RTN_GET_REALTIME)
	s_waitcnt lgkmcnt(0)
message: gfx12
	s_sendmsg_rtn_b64 s[20:21], sendmsg(MSG_RTN_GET_REALTIME)
	s_wait_kmcnt 0x0
no_lanes: gcn
	s_mov_b64 exec, 0
no_lanes: rdna
	s_mov_b32 exec_lo, 0
all_lanes: gcn
	s_mov_b64 exec, -1
all_lanes: rdna
	s_mov_b32 exec_lo, -1
permute: gcn gfx1010 gfx1030 gfx1100
	ds_bpermute_b32 v12, v8, v2
	s_waitcnt lgkmcnt(0)
permute: gfx12
	ds_bpermute_b32 v12, v8, v2
	s_wait_dscnt 0x0
ds_add_wait: gcn gfx1010 gfx1030 gfx1100
	ds_add_rtn_u32 v12, v8, v2
	s_waitcnt lgkmcnt(0)
ds_add_wait: gfx12
	ds_add_rtn_u32 v12, v8, v2
	s_wait_dscnt 0x0
ds_load_wait: gcn gfx1010 gfx1030 gfx1100
	ds_read_b64 v[12:13], v8
	s_waitcnt lgkmcnt(0)
	ds_read_b96 v[12:14], v8
	s_waitcnt lgkmcnt(0)
	ds_read_b128 v[12:15], v8
	s_waitcnt lgkmcnt(0)
	ds_write_b64 v8, v[12:13]
	s_waitcnt lgkmcnt(0)
	ds_write_b96 v8, v[12:14]
	s_waitcnt lgkmcnt(0)
	ds_write_b128 v8, v[12:15]
	s_waitcnt lgkmcnt(0)
ds_load_wait: gfx12
	ds_read_b64 v[12:13], v8
	s_wait_dscnt 0x0
	ds_read_b96 v[12:14], v8
	s_wait_dscnt 0x0
	ds_read_b128 v[12:15], v8
	s_wait_dscnt 0x0
	ds_write_b64 v8, v[12:13]
	s_wait_dscnt 0x0
	ds_write_b96 v8, v[12:14]
	s_wait_dscnt 0x0
	ds_write_b128 v8, v[12:15]
	s_wait_dscnt 0x0
flat: gcn gfx1010 gfx1030 gfx1100
	v_mov_b32 v2, s0
	v_mov_b32 v3, s1
	flat_load_dword v12, v[2:3]
	flat_load_dword v13, v[2:3]
	flat_store_dword v[2:3], v4
	flat_store_dword v[2:3], v4
	flat_atomic_add v[2:3], v4
	flat_atomic_add v[2:3], v4
	s_waitcnt vmcnt(0) lgkmcnt(0)
flat: gfx12
	v_mov_b32 v2, s0
	v_mov_b32 v3, s1
	flat_load_b32 v12, v[2:3]
	flat_load_b32 v13, v[2:3]
	flat_store_b32 v[2:3], v4
	flat_store_b32 v[2:3], v4
	flat_atomic_add_u32 v[2:3], v4
	flat_atomic_add_u32 v[2:3], v4
	s_wait_loadcnt 0x0
	s_wait_dscnt 0x0
	s_wait_storecnt 0x0
global: vega gfx1010 gfx1030 gfx1100
	global_load_dword v12, v8, s[0:1]
	global_load_dword v13, v8, s[0:1]
	global_store_dword v8, v4, s[0:1]
	global_store_dword v8, v4, s[0:1]
	global_atomic_add v8, v4, s[0:1]
	global_atomic_add v8, v4, s[0:1]
	s_waitcnt vmcnt(0)
global: gfx12
	global_load_b32 v12, v8, s[0:1]
	global_load_b32 v13, v8, s[0:1]
	global_store_b32 v8, v4, s[0:1]
	global_store_b32 v8, v4, s[0:1]
	global_atomic_add_u32 v8, v4, s[0:1]
	global_atomic_add_u32 v8, v4, s[0:1]
	s_wait_loadcnt 0x0
	s_wait_storecnt 0x0
control: gcn
	buffer_wbinvl1
	buffer_wbinvl1
control: gfx942
	buffer_inv sc0
	buffer_inv sc0
control: gfx1010 gfx1030 gfx1100
	buffer_gl0_inv
	buffer_gl0_inv
control: gfx12
	global_inv scope:SCOPE_DEV
	global_inv scope:SCOPE_DEV
	global_wb scope:SCOPE_SYS
scalar_address: gcn gfx1010 gfx1030 gfx1100
	v_mov_b32 v2, s0
	v_mov_b32 v3, s1
	v_readfirstlane_b32 s20, v2
	v_readfirstlane_b32 s21, v3
	s_load_dword s22, s[20:21], 0x0
	v_readfirstlane_b32 s20, v2
	v_readfirstlane_b32 s21, v3
	s_add_u32 s20, s20, 4
	s_load_dword s22, s[20:21], 0x0
	s_waitcnt lgkmcnt(0)
scalar_address: gfx12
	v_mov_b32 v2, s0
	v_mov_b32 v3, s1
	v_readfirstlane_b32 s20, v2
	v_readfirstlane_b32 s21, v3
	s_load_b32 s22, s[20:21], 0x0
	v_readfirstlane_b32 s20, v2
	v_readfirstlane_b32 s21, v3
	s_add_co_u32 s20, s20, 4
	s_load_b32 s22, s[20:21], 0x0
	s_wait_kmcnt 0x0
scalar_base: vega gfx1010 gfx1030 gfx1100
	v_mov_b32 v2, s0
	v_mov_b32 v3, s1
	v_readfirstlane_b32 s20, v2
	v_readfirstlane_b32 s21, v3
	global_load_dword v12, v8, s[20:21]
	s_waitcnt vmcnt(0)
scalar_base: gfx12
	v_mov_b32 v2, s0
	v_mov_b32 v3, s1
	v_readfirstlane_b32 s20, v2
	v_readfirstlane_b32 s21, v3
	global_load_b32 v12, v8, s[20:21]
	s_wait_loadcnt 0x0
scalar_sweep: gcn gfx1010 gfx1030 gfx1100
	s_load_dwordx16 s[32:47], s[0:1], 0x0
	s_add_u32 s0, s0, s3
	s_addc_u32 s1, s1, 0
	s_load_dwordx16 s[32:47], s[0:1], 0x0
	s_add_u32 s0, s0, s3
	s_addc_u32 s1, s1, 0
scalar_sweep: gfx12
	s_load_b512 s[32:47], s[0:1], 0x0
	s_add_co_u32 s0, s0, s3
	s_add_co_ci_u32 s1, s1, 0
	s_load_b512 s[32:47], s[0:1], 0x0
	s_add_co_u32 s0, s0, s3
	s_add_co_ci_u32 s1, s1, 0
scalar_prefetch: gfx12
	s_prefetch_data s[0:1], 0x200, null, 0
	s_prefetch_data s[0:1], 0x400, null, 3
two_beside: gfx908 gfx90a
	v_mfma_f32_16x16x4f16 a[0:15], v[2:3], v[4:5], a[0:15]
	v_mfma_f32_16x16x4f16 a[0:15], v[2:3], v[4:5], a[0:15]
	v_add_f32 v8, v9, v10
matrix_chains: gfx908 gfx90a
	v_mov_b32 v2, v3
	v_mfma_f32_4x4x4f16 a[0:3], v[2:3], v[4:5], a[0:3]
	v_mfma_f32_4x4x4f16 a[0:3], v[2:3], v[4:5], a[0:3]
	v_mfma_f32_16x16x16f16 a[2:5], v[2:3], v[4:5], a[2:5]
	v_accvgpr_read_b32 v6, a2
	v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]
	v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]
	v_mfma_f32_16x16x4f32 a[2:5], v2, v4, a[2:5]
	v_accvgpr_read_b32 v6, a2
	v_accvgpr_write_b32 a0, v6
	v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]
	s_or_saveexec_b64 s[22:23], exec
	v_cmpx_eq_u32 exec, v0, v0
	v_mfma_f32_4x4x1f32 a[8:11], v2, v4, a[8:11]
matrix_operands: gfx908
	v_mfma_f32_4x4x4f16 a[0:3], v[2:3], v[4:5], a[0:3]
	v_mfma_f32_4x4x4f16 a[8:11], a[0:1], v[4:5], a[8:11]
	v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]
	v_mfma_f32_4x4x1f32 a[8:11], a0, v4, a[8:11]
	v_accvgpr_write_b32 a0, v6
	v_mfma_f32_4x4x1f32 a[8:11], a0, v4, a[8:11]
matrix_operands: gfx90a
	v_mfma_f32_4x4x4f16 v[12:15], v[2:3], v[4:5], v[12:15]
	v_mfma_f32_4x4x4f16 v[16:19], v[12:13], v[4:5], v[16:19]
	v_mfma_f32_4x4x4f16 v[12:15], v[2:3], v[4:5], v[12:15]
	v_add_f32 v16, v12, v12
	v_mfma_f32_4x4x1f32 v[12:15], v2, v4, v[12:15]
	v_mfma_f32_4x4x1f32 v[16:19], v12, v4, v[16:19]
	v_mfma_f32_4x4x1f32 v[12:15], v2, v4, v[12:15]
	v_add_f32 v16, v12, v12
	v_mfma_f32_16x16x4f32 v[12:15], v2, v4, v[12:15]
	v_mfma_f32_16x16x4f32 v[14:17], v2, v4, v[14:17]
	v_accvgpr_write_b32 a0, v6
	v_mfma_f32_4x4x1f32 a[8:11], a0, v4, a[8:11]
	v_accvgpr_write_b32 a0, v6
	v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]
matrix_f64: gfx90a
	v_mfma_f64_4x4x4f64 v[12:13], v[2:3], v[4:5], v[12:13]
	v_mfma_f64_4x4x4f64 v[12:13], v[2:3], v[4:5], v[12:13]
	v_mfma_f64_4x4x4f64 v[14:15], v[2:3], v[4:5], v[12:13]
	v_mfma_f64_4x4x4f64 v[16:17], v[14:15], v[4:5], v[16:17]
	v_add_f64 v[18:19], v[16:17], v[16:17]
	v_mfma_f64_16x16x4f64 v[20:27], v[2:3], v[4:5], v[20:27]
	v_mfma_f64_16x16x4f64 v[20:27], v[2:3], v[4:5], v[20:27]
	v_mfma_f64_16x16x4f64 v[22:29], v[2:3], v[4:5], v[22:29]
	v_mfma_f64_4x4x4f64 v[12:13], v[22:23], v[4:5], v[12:13]
	v_mfma_f64_16x16x4f64 v[20:27], v[2:3], v[4:5], v[20:27]
	v_add_f64 v[18:19], v[20:21], v[20:21]
	v_mfma_f64_16x16x4f64 v[20:27], v[2:3], v[4:5], v[20:27]
	v_add_f32 v1, v2, v3
	v_mfma_f64_4x4x4f64 v[12:13], v[2:3], v[4:5], v[12:13]
	v_add_f32 v1, v2, v3
matrix_stores: gfx90a
	v_mfma_f32_4x4x4f16 v[12:15], v[2:3], v[4:5], v[12:15]
	ds_write_b32 v8, v12
	v_mfma_f32_4x4x1f32 v[12:15], v2, v4, v[12:15]
	ds_write_b32 v8, v12
	v_mfma_f64_4x4x4f64 v[12:13], v[2:3], v[4:5], v[12:13]
	ds_write_b32 v8, v12
	v_mfma_f64_16x16x4f64 v[20:27], v[2:3], v[4:5], v[20:27]
	ds_write_b32 v8, v20
	s_waitcnt lgkmcnt(0)
matrix_sparse: gfx942
	v_smfmac_f32_16x16x32_f16 v[12:15], v[2:3], v[4:7], v9
	v_add_f32 v1, v2, v3
	v_smfmac_f32_16x16x32_f16 v[12:15], v[2:3], v[4:7], v9
	v_smfmac_f32_16x16x32_f16 v[12:15], v[2:3], v[4:7], v9
	v_mfma_f32_16x16x16_f16 v[14:17], v[2:3], v[4:5], v[14:17]
	v_smfmac_f32_16x16x32_f16 v[12:15], v[2:3], v[4:7], v9
	v_mfma_f32_16x16x16_f16 v[16:19], v[12:13], v[4:5], v[16:19]
	v_smfmac_f32_16x16x32_f16 v[12:15], v[2:3], v[4:7], v9
	v_add_f32 v1, v12, v3
	v_smfmac_f32_16x16x32_f16 v[12:15], v[2:3], v[4:7], v9
	ds_write_b32 v8, v12
	s_waitcnt lgkmcnt(0)
realtime: gcn gfx1010 gfx1030
	s_memrealtime s[20:21]
	s_waitcnt lgkmcnt(0)
	v_mul_lo_u32 v8, v0, s20
	v_and_b32 v8, 0xffc, v8
	ds_read_b32 v12, v8
realtime: gfx1100
	s_sendmsg_rtn_b64 s[20:21], sendmsg(MSG_RTN_GET_REALTIME)
	s_waitcnt lgkmcnt(0)
	v_mul_lo_u32 v8, v0, s20
	v_and_b32 v8, 0xffc, v8
	ds_read_b32 v12, v8
realtime: gfx12
	s_sendmsg_rtn_b64 s[20:21], sendmsg(MSG_RTN_GET_REALTIME)
	s_wait_kmcnt 0x0
	v_mul_lo_u32 v8, v0, s20
	v_and_b32 v8, 0xffc, v8
	ds_load_b32 v12, v8
beside_vector: gcn rdna
	v_rcp_f64 v[4:5], v[6:7]
	ds_read_b32 v12, v8
	v_rcp_f64 v[4:5], v[6:7]
	ds_write_b32 v8, v2
scalar_store: gfx803 gfx900 gfx906 gfx908 gfx90a gfx1010
	s_store_dword s20, s[0:1], 0x0
	s_store_dword s20, s[0:1], 0x4
	s_store_dword s20, s[0:1], 0x8
	s_store_dword s20, s[0:1], 0xc
lane_fours: gcn rdna
	v_and_b32 v0, 63, v0
	v_lshrrev_b32 v9, 2, v0
	v_lshrrev_b32 v10, 4, v0
	v_xor_b32 v10, v9, v10
	v_and_b32 v10, 1, v10
	v_lshlrev_b32 v10, 6, v10
	v_and_b32 v8, 3, v0
	v_lshlrev_b32 v8, 4, v8
	v_lshlrev_b32 v9, 9, v9
	v_or_b32 v8, v8, v9
	v_or_b32 v8, v8, v10
system_scope: gfx900 gfx906 gfx908 gfx90a gfx1010 gfx1030 gfx1100
	global_store_dword v8, v2, s[0:1] glc slc
	global_store_dword v8, v2, s[0:1] offset:256 glc slc
	global_load_dword v12, v8, s[0:1] glc slc
	global_load_dword v13, v8, s[0:1] offset:256 glc slc
system_scope: gfx942
	global_store_dword v8, v2, s[0:1] sc0 sc1 nt
	global_store_dword v8, v2, s[0:1] offset:256 sc0 sc1 nt
	global_load_dword v12, v8, s[0:1] sc0 sc1 nt
	global_load_dword v13, v8, s[0:1] offset:256 sc0 sc1 nt
system_scope: gfx12
	global_store_b32 v8, v2, s[0:1] th:TH_STORE_BYPASS scope:SCOPE_SYS
	global_store_b32 v8, v2, s[0:1] offset:256 th:TH_STORE_BYPASS scope:SCOPE_SYS
	global_load_b32 v12, v8, s[0:1] th:TH_LOAD_BYPASS scope:SCOPE_SYS
	global_load_b32 v13, v8, s[0:1] offset:256 th:TH_LOAD_BYPASS scope:SCOPE_SYS

; ---- gpu-strides. Lane x of row y of the workgroup: x = work-item & s4, y = work-item >> s7 of 32 rows; addresses
; s[0:1] + s5 + x * s3 + y * s6 in v[8:9]. s[8:9] are 0, which a compiler does not know. ----
grid_start: gfx90a
	v_and_b32 v1, s4, v0
	v_lshrrev_b32 v2, s7, v0
	v_and_b32 v2, 31, v2
	v_mul_lo_u32 v3, v1, s3
	v_mul_lo_u32 v4, v2, s6
	v_add3_u32 v3, v3, v4, s5
	v_mov_b32 v9, s1
	v_add_co_u32 v8, vcc, s0, v3
	v_addc_co_u32 v9, vcc, 0, v9, vcc
grid_start: gfx1030
	v_and_b32 v1, s4, v0
	v_lshrrev_b32 v2, s7, v0
	v_and_b32 v2, 31, v2
	v_mul_lo_u32 v3, v1, s3
	v_mul_lo_u32 v4, v2, s6
	v_add3_u32 v3, v3, v4, s5
	v_mov_b32 v9, s1
	v_add_co_u32 v8, vcc_lo, s0, v3
	v_add_co_ci_u32 v9, vcc_lo, 0, v9, vcc_lo
grid_x1: gfx90a
	v_add_co_u32 v8, vcc, s8, v8
	v_addc_co_u32 v9, vcc, 0, v9, vcc
	global_load_dword v10, v[8:9], off
	global_load_dword v11, v[8:9], off offset:16
	global_load_dword v12, v[8:9], off offset:32
	global_load_dword v13, v[8:9], off offset:48
	global_load_dword v14, v[8:9], off offset:80
	global_load_dword v15, v[8:9], off offset:64
	global_load_dword v16, v[8:9], off offset:96
	global_load_dword v17, v[8:9], off offset:112
	s_waitcnt vmcnt(6)
	v_fmac_f32 v7, v10, v11
	s_waitcnt vmcnt(4)
	v_fmac_f32 v7, v12, v13
	s_waitcnt vmcnt(2)
	v_fmac_f32 v7, v14, v15
	s_waitcnt vmcnt(0)
	v_fmac_f32 v7, v16, v17
grid_x1: gfx1030
	v_add_co_u32 v8, vcc_lo, s8, v8
	v_add_co_ci_u32 v9, vcc_lo, 0, v9, vcc_lo
	s_clause 0x7
	global_load_dword v10, v[8:9], off
	global_load_dword v11, v[8:9], off offset:16
	global_load_dword v12, v[8:9], off offset:32
	global_load_dword v13, v[8:9], off offset:48
	global_load_dword v14, v[8:9], off offset:80
	global_load_dword v15, v[8:9], off offset:64
	global_load_dword v16, v[8:9], off offset:96
	global_load_dword v17, v[8:9], off offset:112
	s_waitcnt vmcnt(6)
	v_fmac_f32 v7, v10, v11
	s_waitcnt vmcnt(4)
	v_fmac_f32 v7, v12, v13
	s_waitcnt vmcnt(2)
	v_fmac_f32 v7, v14, v15
	s_waitcnt vmcnt(0)
	v_fmac_f32 v7, v16, v17
grid_x2: gfx90a
	v_add_co_u32 v8, vcc, s8, v8
	v_addc_co_u32 v9, vcc, 0, v9, vcc
	global_load_dwordx2 v[10:11], v[8:9], off
	global_load_dwordx2 v[12:13], v[8:9], off offset:32
	global_load_dwordx2 v[14:15], v[8:9], off offset:64
	global_load_dwordx2 v[16:17], v[8:9], off offset:96
	global_load_dwordx2 v[18:19], v[8:9], off offset:160
	global_load_dwordx2 v[20:21], v[8:9], off offset:128
	global_load_dwordx2 v[22:23], v[8:9], off offset:192
	global_load_dwordx2 v[24:25], v[8:9], off offset:224
	s_waitcnt vmcnt(6)
	v_fma_f64 v[6:7], v[10:11], v[12:13], v[6:7]
	s_waitcnt vmcnt(4)
	v_fma_f64 v[6:7], v[14:15], v[16:17], v[6:7]
	s_waitcnt vmcnt(2)
	v_fma_f64 v[6:7], v[18:19], v[20:21], v[6:7]
	s_waitcnt vmcnt(0)
	v_fma_f64 v[6:7], v[22:23], v[24:25], v[6:7]
grid_x2: gfx1030
	v_add_co_u32 v8, vcc_lo, s8, v8
	v_add_co_ci_u32 v9, vcc_lo, 0, v9, vcc_lo
	s_clause 0x7
	global_load_dwordx2 v[10:11], v[8:9], off
	global_load_dwordx2 v[12:13], v[8:9], off offset:32
	global_load_dwordx2 v[14:15], v[8:9], off offset:64
	global_load_dwordx2 v[16:17], v[8:9], off offset:96
	global_load_dwordx2 v[18:19], v[8:9], off offset:160
	global_load_dwordx2 v[20:21], v[8:9], off offset:128
	global_load_dwordx2 v[22:23], v[8:9], off offset:192
	global_load_dwordx2 v[24:25], v[8:9], off offset:224
	s_waitcnt vmcnt(6)
	v_fma_f64 v[6:7], v[10:11], v[12:13], v[6:7]
	s_waitcnt vmcnt(4)
	v_fma_f64 v[6:7], v[14:15], v[16:17], v[6:7]
	s_waitcnt vmcnt(2)
	v_fma_f64 v[6:7], v[18:19], v[20:21], v[6:7]
	s_waitcnt vmcnt(0)
	v_fma_f64 v[6:7], v[22:23], v[24:25], v[6:7]
