; v_addpk_f16 v2, v0, v1 without SDWA: high halves shifted down, added, shifted back and put in. The additions of gfx8
; leave zeros above their 16 bits, so that nothing has to be masked.
	v_lshrrev_b32_e32 v3, 16, v0
	v_lshrrev_b32_e32 v4, 16, v1
	v_add_f16_e32 v2, v0, v1
	v_add_f16_e32 v3, v3, v4
	v_lshlrev_b32_e32 v3, 16, v3
	v_or_b32_e32 v2, v2, v3
