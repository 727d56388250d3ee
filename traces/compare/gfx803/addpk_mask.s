; the same for code that does not count on zeros above 16 bits: inputs and low sum are masked (s4 = 0xffff)
	s_mov_b32 s4, 0xffff
loop:
	v_lshrrev_b32_e32 v3, 16, v0
	v_lshrrev_b32_e32 v4, 16, v1
	v_add_f16_e32 v2, v0, v1
	v_add_f16_e32 v3, v3, v4
	v_and_b32_e32 v2, s4, v2
	v_and_b32_e32 v3, s4, v3
	v_lshlrev_b32_e32 v3, 16, v3
	v_or_b32_e32 v2, v2, v3
