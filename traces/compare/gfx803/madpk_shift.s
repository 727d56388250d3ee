; v_madpk_f16 v3, v0, v1, v2 without SDWA
	v_lshrrev_b32_e32 v4, 16, v0
	v_lshrrev_b32_e32 v5, 16, v1
	v_lshrrev_b32_e32 v6, 16, v2
	v_mad_f16 v3, v0, v1, v2
	v_mad_f16 v4, v4, v5, v6
	v_lshlrev_b32_e32 v4, 16, v4
	v_or_b32_e32 v3, v3, v4
