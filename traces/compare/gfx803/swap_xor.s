; v0 and v1 change places without a third register
	v_xor_b32_e32 v0, v0, v1
	v_xor_b32_e32 v1, v0, v1
	v_xor_b32_e32 v0, v0, v1
