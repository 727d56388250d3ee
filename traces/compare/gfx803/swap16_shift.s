; the halves of v0 change places: shifts and or
	v_lshrrev_b32_e32 v1, 16, v0
	v_lshlrev_b32_e32 v2, 16, v0
	v_or_b32_e32 v1, v1, v2
