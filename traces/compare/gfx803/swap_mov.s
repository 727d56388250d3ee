; v0 and v1 change places, with a third register (v_swap_b32 begins with gfx9)
	v_mov_b32_e32 v2, v0
	v_mov_b32_e32 v0, v1
	v_mov_b32_e32 v1, v2
