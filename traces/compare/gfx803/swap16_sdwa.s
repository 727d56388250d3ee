; the halves of v0 change places: two SDWA moves
	v_mov_b32_sdwa v1, v0 dst_sel:WORD_0 dst_unused:UNUSED_PAD src0_sel:WORD_1
	v_mov_b32_sdwa v1, v0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0
